//! A file that is renamed in the editor is renamed in every hint file that names it: afterwards a fresh check finds nothing new.

use serde_json::json;

use super::client::{Client, apply_to_disk};
use crate::support::Repo;

const FILES: [(&str, &str); 8] = [
    (
        "CLAUDE.md",
        "# Top\n\n@docs/a.md\n\nSee [a](docs/a.md#a), [s](<docs/with space.md>), [e](docs/with%20space.md), [n](docs/a), \
         `src/core/x.ts`, `./src/core/x.ts:12` and `src/core/`.\n\n```sh\nnode src/core/x.ts\ncd src && node core/x.ts\n```\n\n\
         [ref]: docs/a.md\n\nsee [ref]\n",
    ),
    ("docs/a.md", "# A\n\nBack to [top](../CLAUDE.md), [s](with%20space.md), `../src/core/x.ts`, `src/core/x.ts`.\n"),
    ("docs/with space.md", "# S\n\n[a](a.md)\n"),
    ("src/core/x.ts", "1\n"),
    ("src/core/y.ts", "2\n"),
    ("src/AGENTS.md", "Read [x](core/x.ts) and `core/x.ts`.\n"),
    (".claude/rules/r.md", "---\npaths: src/core/*.ts, src/core/x.ts\n---\nSee [a](../../docs/a.md).\n"),
    (".cursor/rules/c.mdc", "---\nglobs: src/core/**\n---\nSee [a](mdc:docs/a.md) and @docs/a.md.\n"),
];

/// The findings of every rule, by file and rule.
fn findings(repo: &Repo) -> Vec<String> {
    let run = repo.run(&["--format", "json", "--min-level", "info", "--no-cache"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let show = |finding: &serde_json::Value| format!("{} {}", finding["rule"], finding["message"]);
    let mut found: Vec<String> = report["findings"].as_array().expect("findings").iter().map(show).collect();
    found.sort();
    found
}

fn rename(from: &str, to: &str) -> Repo {
    let before = findings(&Repo::with_files(FILES));
    let repo = rename_loosely(from, to);
    // What was named in a message before may have the new name.
    let after = findings(&repo);
    assert_eq!(after.len(), before.len(), "{from} -> {to}\nbefore {before:#?}\nafter {after:#?}");
    repo
}

fn rename_loosely(from: &str, to: &str) -> Repo {
    let repo = Repo::with_files(FILES);
    let mut client = Client::of(&repo);
    let params = json!({"files": [{"oldUri": client.uri(from), "newUri": client.uri(to)}]});
    let edit = client.ask("workspace/willRenameFiles", &params);
    apply_to_disk(&repo, &edit);
    std::fs::create_dir_all(repo.at(to).parent().expect("a parent")).expect("folders");
    repo.git(&["mv", from, to]);
    client.tell("workspace/didRenameFiles", &params);
    repo.add();
    client.stop();
    repo
}

fn text(repo: &Repo, path: &str) -> String {
    String::from_utf8(repo.read(path)).expect("UTF-8")
}

#[test]
fn a_source_file_that_moves_is_followed() {
    let repo = rename("src/core/x.ts", "lib/z.ts");
    let top = text(&repo, "CLAUDE.md");
    assert!(top.contains("`lib/z.ts`, `./lib/z.ts:12` and `src/core/`"), "{top}");
    assert!(top.contains("node lib/z.ts\n"), "{top}");
    assert_eq!(text(&repo, "src/AGENTS.md"), "Read [x](../lib/z.ts) and `lib/z.ts`.\n");
    assert!(text(&repo, "docs/a.md").contains("`../lib/z.ts`, `lib/z.ts`"));
    assert!(text(&repo, ".claude/rules/r.md").starts_with("---\npaths: src/core/*.ts, lib/z.ts\n"));
}

#[test]
fn a_document_that_moves_takes_its_own_paths_with_it() {
    let repo = rename("docs/a.md", "guide/deep/b.md");
    let top = text(&repo, "CLAUDE.md");
    assert!(top.contains("@guide/deep/b.md\n"), "{top}");
    assert!(top.contains("[a](guide/deep/b.md#a)") && top.contains("[n](guide/deep/b)"), "{top}");
    assert!(top.contains("[ref]: guide/deep/b.md"), "{top}");
    let moved = text(&repo, "guide/deep/b.md");
    assert!(
        moved.contains("[top](../../CLAUDE.md), [s](../../docs/with%20space.md), `../../src/core/x.ts`"),
        "{moved}"
    );
    assert!(text(&repo, ".cursor/rules/c.mdc").contains("(mdc:guide/deep/b.md) and @guide/deep/b.md."));
    assert!(text(&repo, ".claude/rules/r.md").contains("(../../guide/deep/b.md)"));
}

#[test]
fn a_folder_that_moves_takes_all_its_files_along() {
    let repo = rename("src/core", "src/kernel");
    let top = text(&repo, "CLAUDE.md");
    assert!(top.contains("`src/kernel/x.ts`, `./src/kernel/x.ts:12` and `src/kernel/`"), "{top}");
    assert!(top.contains("cd src && node kernel/x.ts"), "{top}");
    assert_eq!(text(&repo, "src/AGENTS.md"), "Read [x](kernel/x.ts) and `kernel/x.ts`.\n");
    assert!(text(&repo, ".claude/rules/r.md").starts_with("---\npaths: src/kernel/*.ts, src/kernel/x.ts\n"));
    assert!(text(&repo, ".cursor/rules/c.mdc").starts_with("---\nglobs: src/kernel/**\n"));
}

#[test]
fn a_folder_of_hints_that_moves_keeps_its_inner_links() {
    let repo = rename("docs", "pages");
    assert_eq!(text(&repo, "pages/with space.md"), "# S\n\n[a](a.md)\n");
    assert!(text(&repo, "pages/a.md").contains("[top](../CLAUDE.md), [s](with%20space.md), `../src/core/x.ts`"));
    let top = text(&repo, "CLAUDE.md");
    assert!(top.contains("[s](<pages/with space.md>), [e](pages/with%20space.md)"), "{top}");
}

#[test]
fn odd_names_are_written_so_that_links_hold() {
    // An import of such a name is none for some agents, so that another rule speaks.
    let repo = rename_loosely("docs/a.md", "docs/a (new) 100%.md");
    let top = text(&repo, "CLAUDE.md");
    assert!(top.contains("[a](docs/a%20%28new%29%20100%25.md#a)"), "{top}");
    assert!(top.contains("@docs/a\\ (new)\\ 100%.md\n"), "{top}");
}

#[test]
fn what_leaves_the_repository_or_names_nothing_changes_nothing() {
    let repo = Repo::with_files(FILES);
    let mut client = Client::of(&repo);
    for (from, to) in [
        (client.uri("src/core/y.ts"), client.uri("src/core/z.ts")),
        (client.uri("docs/a.md"), "file:///elsewhere/a.md".to_owned()),
        ("file:///elsewhere/a.md".to_owned(), client.uri("docs/a.md")),
        (client.uri("docs/a.md"), client.uri("docs/a.md")),
        (client.uri("docs/a.m"), client.uri("docs/b.m")),
    ] {
        let params = json!({"files": [{"oldUri": from, "newUri": to}]});
        let edit = client.ask("workspace/willRenameFiles", &params);
        assert!(edit.is_null(), "{from} -> {to}: {edit}");
    }
    // A client that knows no versions gets the older form.
    let mut client = Client::with(&repo, json!({"capabilities": {}}));
    let params = json!({"files": [{"oldUri": client.uri("docs/a.md"), "newUri": client.uri("docs/b.md")}]});
    let edit = client.ask("workspace/willRenameFiles", &params);
    assert!(edit["changes"][client.uri("CLAUDE.md")].is_array(), "{edit}");
}
