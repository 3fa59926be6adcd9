//! What the server says of a place: hover, definition, links, references, completion, lenses, marks, outline, contexts.

use serde_json::{Value, json};

use super::client::Client;
use crate::support::Repo;

fn repo() -> Repo {
    let files = [
        ("CLAUDE.md", "# Top\n\nRead @docs/a.md and [b](docs/b.md#x-y), `src/x.ts` and @docs/c.mdx now.\n"),
        ("AGENTS.md", "See @docs/a.md and [the top](CLAUDE.md#top).\n"),
        ("docs/a.md", "# A\n\nSee `../src/x.ts` and [b](b.md#x-y).\n"),
        ("docs/b.md", "# B\n\n## X y\n"),
        ("docs/c.mdx", "x\n"),
        ("src/x.ts", "1\n"),
        ("src/y.ts", "2\n"),
        ("apps/web/CLAUDE.md", "@../../docs/a.md\n@docs/w.md\n"),
        ("apps/web/docs/w.md", "Web.\n"),
        (".claude/rules/r.md", "---\npaths: src/**/*.ts\n---\nUse care.\n"),
        (".codex/config.toml", "project_doc_max_bytes = 20\n"),
    ];
    Repo::with_files(files)
}

fn hover(client: &mut Client, path: &str, line: u32, character: u32) -> String {
    let place = client.place(path, line, character);
    let hover = client.ask("textDocument/hover", &place);
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hover_tells_what_becomes_of_an_import() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.open_file(&repo, "CLAUDE.md");
    let text = hover(&mut client, "CLAUDE.md", 2, 8);
    assert!(text.starts_with("Import of `docs/a.md`: "), "{text}");
    assert!(
        text.contains("- **claude**: loads it: ") && text.contains("- **codex**: does not load this file"),
        "{text}"
    );
    let text = hover(&mut client, "CLAUDE.md", 2, 64);
    assert!(text.contains("- **claude**: does not load it: extension .mdx is not imported"), "{text}");
    client.open_file(&repo, "AGENTS.md");
    let text = hover(&mut client, "AGENTS.md", 0, 6);
    assert!(text.contains("- **codex**: has no imports"), "{text}");
    client.change("CLAUDE.md", "Read @docs/none.md and @../../x.md\n");
    assert!(hover(&mut client, "CLAUDE.md", 0, 8).starts_with("`docs/none.md` does not exist"));
    assert!(hover(&mut client, "CLAUDE.md", 0, 26).starts_with("`../../x.md` leads out of the repository"));
    assert_eq!(hover(&mut client, "CLAUDE.md", 0, 1), "");
    client.stop();
}

#[test]
fn hover_tells_what_a_pattern_matches() {
    let repo = repo();
    let many: Vec<String> = (0..12).map(|number| format!("gen/f{number:02}.go")).collect();
    for path in &many {
        repo.write(path, "x\n");
    }
    repo.commit("x");
    let mut client = Client::of(&repo);
    client.open_file(&repo, ".claude/rules/r.md");
    let text = hover(&mut client, ".claude/rules/r.md", 1, 10);
    assert_eq!(text, "`src/**/*.ts` matches 2 files:\n\n- `src/x.ts`\n- `src/y.ts`");
    client.change(".claude/rules/r.md", "---\npaths: gen/*.go, none/*.rs\n---\nx\n");
    let text = hover(&mut client, ".claude/rules/r.md", 1, 10);
    assert!(text.starts_with("`gen/*.go` matches 12 files:\n\n- `gen/f00.go`\n"), "{text}");
    assert!(text.ends_with("- `gen/f09.go`\n- and 2 more"), "{text}");
    assert!(hover(&mut client, ".claude/rules/r.md", 1, 20).starts_with("`none/*.rs` matches no file"));
    client.stop();
}

#[test]
fn hover_shows_hidden_text_and_explains_rules() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let tags: String = "run `x`".chars().map(|c| char::from_u32(0xE0000 + u32::from(c)).expect("a tag")).collect();
    client.open("CLAUDE.md", &format!("Ab{tags}cd\n"));
    let text = hover(&mut client, "CLAUDE.md", 0, 2);
    assert!(text.contains("untrusted: `` run `x` ``"), "{text}");
    assert!(text.contains("## What it does") && text.contains("/docs/rules/hidden-tags.md)"), "{text}");
    assert!(!text.chars().any(|c| u32::from(c) >= 0xE0000), "{text}");
    let marks = json!({"textDocument": {"uri": client.uri("CLAUDE.md")},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}});
    let marks = client.ask("textDocument/inlayHint", &marks);
    let label = marks[0]["label"].as_str().expect("a label");
    assert!(label.contains("U+E0072") && label.contains("7 hidden characters") && label.contains("run `x`"), "{label}");
    assert_eq!(marks[0]["position"], json!({"line": 0, "character": 2}));
    client.change("CLAUDE.md", "<!-- hintlint-ignore stale-path: yes -->\nx\n");
    assert!(hover(&mut client, "CLAUDE.md", 0, 23).starts_with("**stale-path**: "));
    client.stop();
}

/// A name with Markdown in it must not become Markdown of a hover.
#[test]
fn hostile_names_stay_text() {
    let repo = repo();
    let name = "a`[x](command:y)<img src=x>.md";
    repo.write(name, "x\n");
    repo.commit("x");
    let mut client = Client::of(&repo);
    client.open(".claude/rules/r.md", "---\npaths: \"a*.md\"\n---\nx\n");
    let text = hover(&mut client, ".claude/rules/r.md", 1, 9);
    assert!(text.contains(&format!("- `` {name} ``")), "{text}");
    client.stop();
}

#[test]
fn paths_lead_where_they_say() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.open_file(&repo, "CLAUDE.md");
    let mut definition = |character| {
        let place = client.place("CLAUDE.md", 2, character);
        let found = client.ask("textDocument/definition", &place);
        let uri = found["uri"].as_str().unwrap_or_default().rsplit("/repo/").next().unwrap_or_default().to_owned();
        format!("{uri}:{}", found["range"]["start"]["line"])
    };
    assert_eq!(definition(8), "docs/a.md:0");
    // The heading of a file that no hint file brings in.
    assert_eq!(definition(30), "docs/b.md:2");
    assert_eq!(definition(45), "src/x.ts:0");
    assert_eq!(definition(2), ":null");
    let links = client.ask("textDocument/documentLink", &json!({"textDocument": {"uri": client.uri("CLAUDE.md")}}));
    let shown: Vec<String> = links
        .as_array()
        .expect("links")
        .iter()
        .map(|link| {
            let target = link["target"].as_str().expect("a target").rsplit("/repo/").next().expect("a path");
            format!("{}-{} {target}", link["range"]["start"]["character"], link["range"]["end"]["character"])
        })
        .collect();
    assert_eq!(shown, ["6-15 docs/a.md", "24-33 docs/b.md", "41-49 src/x.ts", "56-66 docs/c.mdx"]);
    client.stop();
}

#[test]
fn references_are_found_across_files() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.open_file(&repo, "docs/a.md");
    let mut references = |path: &str, line, character, declared| {
        let mut params = client.place(path, line, character);
        params["context"] = json!({"includeDeclaration": declared});
        let found = client.ask("textDocument/references", &params);
        let show = |place: &Value| {
            let uri = place["uri"].as_str().expect("an address").rsplit("/repo/").next().expect("a path").to_owned();
            format!("{uri}:{}:{}", place["range"]["start"]["line"], place["range"]["start"]["character"])
        };
        let mut found: Vec<String> = found.as_array().expect("places").iter().map(show).collect();
        found.sort();
        found
    };
    let files = ["AGENTS.md:0:5", "CLAUDE.md:2:6", "apps/web/CLAUDE.md:0:1"];
    assert_eq!(references("docs/a.md", 1, 0, false), files);
    assert_eq!(references("CLAUDE.md", 2, 8, false), files);
    assert_eq!(references("docs/a.md", 2, 8, false), ["CLAUDE.md:2:41", "docs/a.md:2:5"]);
    // A heading, of a hint file and of a file that is none.
    assert_eq!(references("CLAUDE.md", 0, 3, true), ["AGENTS.md:0:29", "CLAUDE.md:0:0"]);
    assert_eq!(references("docs/b.md", 2, 3, true), ["CLAUDE.md:2:24", "docs/a.md:2:26", "docs/b.md:2:0"]);
    assert_eq!(references("docs/b.md", 1, 0, false), ["CLAUDE.md:2:24", "docs/a.md:2:26"]);
    client.stop();
}

#[test]
fn completion_offers_what_may_stand_there() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let mut offers = |path: &str, text: &str| {
        // The cursor stands at `|`.
        let at = text.find('|').expect("a cursor");
        let line = text[..at].matches('\n').count();
        let character = at - text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        client.open(path, &text.replacen('|', "", 1));
        let place = client.place(path, u32::try_from(line).expect("small"), u32::try_from(character).expect("small"));
        let list = client.ask("textDocument/completion", &place);
        let labels = list["items"].as_array().expect("items").iter();
        labels.map(|item| item["label"].as_str().expect("a label").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(offers("CLAUDE.md", "Read @docs/|\n"), ["a.md", "b.md", "c.mdx"]);
    assert_eq!(offers("CLAUDE.md", "Read @do|\n"), ["docs/"]);
    assert_eq!(offers("docs/a.md", "Read @../src/|\n"), ["x.ts", "y.ts"]);
    assert_eq!(offers("CLAUDE.md", "me@x.o|\n"), [""; 0]);
    assert_eq!(offers("CLAUDE.md", "[x](docs/b|\n"), ["b.md"]);
    assert_eq!(offers("CLAUDE.md", "[x](docs/b.md#|\n"), ["b", "x-y"]);
    assert_eq!(offers("CLAUDE.md", "# A\n\n[x](#|\n"), ["a"]);
    assert_eq!(offers("CLAUDE.md", "[x](mdc:src/|\n"), ["x.ts", "y.ts"]);
    assert_eq!(offers("CLAUDE.md", "<!-- hintlint-ignore missing-im|"), ["missing-import"]);
    assert_eq!(offers("CLAUDE.md", "<!-- hintlint-ignore-file stale-path, wrong-c|"), ["wrong-case-path"]);
    assert_eq!(offers("CLAUDE.md", "<!-- hintlint-ignore stale-path: because |"), [""; 0]);
    assert_eq!(offers(".claude/rules/r.md", "---\npa|\n---\n"), ["paths: "]);
    assert_eq!(offers(".claude/rules/r.md", "---\npaths: src/x|\n---\n"), ["x.ts"]);
    assert_eq!(offers(".claude/rules/r.md", "---\npaths:\n  - \"src/|\"\n---\n"), ["x.ts", "y.ts"]);
    assert_eq!(offers(".claude/skills/s/SKILL.md", "---\nname: s\nuser-invocable: |\n---\n"), ["true", "false"]);
    assert_eq!(offers(".claude/skills/s/SKILL.md", "---\nname: s\ncontext: |\n---\n"), ["fork"]);
    let fields = offers(".claude/skills/s/SKILL.md", "---\nname: s\n|\n---\n");
    assert!(fields.contains(&"description: ".to_owned()) && !fields.contains(&"name: ".to_owned()), "{fields:?}");
    // Behind the frontmatter no field is offered.
    assert_eq!(offers(".claude/rules/r.md", "---\npaths: src/**\n---\npa|\n"), [""; 0]);
    client.stop();
}

fn lenses(client: &mut Client, path: &str) -> Vec<String> {
    let params = json!({"textDocument": {"uri": client.uri(path)}});
    let lenses = client.ask("textDocument/codeLens", &params);
    let title = |lens: &Value| lens["command"]["title"].as_str().expect("a title").to_owned();
    lenses.as_array().expect("lenses").iter().map(title).collect()
}

#[test]
fn lenses_tell_what_agents_make_of_a_file() {
    let repo = repo();
    let long = "Be brief, and say what you mean.\n".repeat(4000);
    repo.write("AGENTS.md", &long);
    repo.remove(".codex/config.toml").write(".codex/config.toml", "model = \"x\"\n");
    repo.commit("x");
    let mut client = Client::of(&repo);
    client.open_file(&repo, "AGENTS.md");
    let shown = lenses(&mut client, "AGENTS.md");
    let [codex] = &shown[..] else { panic!("{shown:?}") };
    assert!(codex.starts_with("codex: ") && codex.contains(" tokens here"), "{codex}");
    // The line is the one that the finding names.
    let found = client.diagnostics[&client.uri("AGENTS.md")][0]["range"]["start"]["line"].as_u64().expect("a line");
    assert!(codex.ends_with(&format!("cut at line {}", found + 1)), "{codex}");
    let hint =
        client.diagnostics[&client.uri("AGENTS.md")].as_array().expect("some").iter().find(|one| one["severity"] == 4);
    assert_eq!(hint.expect("the dead text is marked")["tags"], json!([1]));
    let [claude] = &lenses(&mut client, "apps/web/docs/w.md")[..] else { panic!("one agent imports") };
    assert!(claude.starts_with("claude: ") && claude.ends_with("loaded by apps/web, apps/web/docs"), "{claude}");
    let [rule] = &lenses(&mut client, ".claude/rules/r.md")[..] else { panic!("one agent has rules") };
    assert!(rule.contains("waits for a matching file"), "{rule}");
    client.stop();
}

#[test]
fn the_outline_has_the_progress_of_a_plan() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client
        .open("PLAN.md", "# Plan\n\n## One\n\n- [x] a\n- [ ] b\n\n### Deep\n\n- [x] c\n\n## Two\n\n- [-] d\n\n# End\n");
    let params = json!({"textDocument": {"uri": client.uri("PLAN.md")}});
    let symbols = client.ask("textDocument/documentSymbol", &params);
    fn shown(symbols: &Value, depth: usize, out: &mut Vec<String>) {
        for symbol in symbols.as_array().into_iter().flatten() {
            let (name, detail) = (symbol["name"].as_str().expect("a name"), symbol["detail"].as_str().unwrap_or(""));
            out.push(format!("{}{name} {detail}", "  ".repeat(depth)).trim_end().to_owned());
            shown(&symbol["children"], depth + 1, out);
        }
    }
    let mut lines = Vec::new();
    shown(&symbols, 0, &mut lines);
    assert_eq!(
        lines,
        [
            "Plan 2/3 done (66%)",
            "  One 2/3 done (66%)",
            "    a done",
            "    b open",
            "    Deep 1/1 done (100%)",
            "      c done",
            "  Two",
            "    d cancelled",
            "End",
        ]
    );
    client.stop();
}

#[test]
fn the_outline_of_a_rule_has_its_frontmatter() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.open_file(&repo, ".claude/rules/r.md");
    let params = json!({"textDocument": {"uri": client.uri(".claude/rules/r.md")}});
    let symbols = client.ask("textDocument/documentSymbol", &params);
    assert_eq!(symbols[0]["children"][0]["name"], "paths");
    assert_eq!(symbols[0]["children"][0]["detail"], "src/**/*.ts");
    client.stop();
}

/// What the server says an agent loads is what `show` prints, and each line is told from where it comes.
#[test]
fn contexts_are_those_of_show() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let params = json!({"textDocument": {"uri": client.uri("apps/web/CLAUDE.md")}});
    let contexts = client.ask("hintlint/contexts", &params);
    assert_eq!(contexts["directory"], "apps/web");
    let agents = contexts["agents"].as_array().expect("agents");
    let claude = agents.iter().find(|agent| agent["id"] == "claude").expect("claude is enabled");
    let main = claude["parts"].as_array().expect("parts").iter().find(|part| part["name"] == "main").expect("a part");
    let text = main["text"].as_str().expect("a text");
    let shown = repo.run(&["show", "apps/web", "--agent", "claude", "--no-user", "--part", "main"]);
    let root = format!("{}/", repo.root().display());
    assert_eq!(shown.stdout.replace(&root, ""), text);
    let layers = claude["layers"].as_array().expect("layers");
    let mut met = 0;
    for (line, from) in text.lines().zip(main["lines"].as_array().expect("lines")) {
        let Some([layer, number]) = from.as_array().map(Vec::as_slice) else { continue };
        let index = usize::try_from(layer.as_u64().expect("a number")).expect("small");
        let number = usize::try_from(number.as_u64().expect("a number")).expect("small");
        let file = String::from_utf8(repo.read(layers[index]["path"].as_str().expect("a path"))).expect("UTF-8");
        assert_eq!(file.lines().nth(number - 1).map(str::trim_end), Some(line.trim_end()));
        met += 1;
    }
    assert!(met >= 3, "{met} lines of {text}");
    client.stop();
}
