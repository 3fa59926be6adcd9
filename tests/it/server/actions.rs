//! Code actions: a finding's own fix, all safe fixes of a file, a comment with a reason. Each is applied as a client does, and
//! the text that comes out is checked again.

use serde_json::{Value, json};

use super::client::{Client, apply};
use crate::support::Repo;

fn repo() -> Repo {
    let files = [
        ("CLAUDE.md", "Read @docs/a.md\n"),
        ("docs/a.md", "Be brief.\n"),
        (".claude/rules/r.md", "---\npaths: src/*.ts\n---\nx\n"),
        ("src/x.ts", "1\n"),
    ];
    Repo::with_files(files)
}

fn actions(client: &mut Client, path: &str, only: &Value) -> Vec<Value> {
    let everything = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let mut context = json!({"diagnostics": []});
    if !only.is_null() {
        context["only"] = only.clone();
    }
    let params = json!({"textDocument": {"uri": client.uri(path)}, "range": everything, "context": context});
    client.ask("textDocument/codeAction", &params).as_array().cloned().unwrap_or_default()
}

fn edits(action: &Value) -> Value {
    action["edit"]["documentChanges"][0]["edits"].clone()
}

#[test]
fn a_fix_is_offered_at_its_finding() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let text = "# Ü\n\nHid\u{200b}den @docs/a.md.\n";
    client.open("CLAUDE.md", text);
    let all = actions(&mut client, "CLAUDE.md", &Value::Null);
    let fixes: Vec<&Value> = all.iter().filter(|action| action["isPreferred"] == true).collect();
    let [fix] = &fixes[..] else { panic!("one fix: {all:#?}") };
    assert_eq!(fix["title"], "Remove it (zero-width)");
    assert_eq!(fix["kind"], "quickfix");
    assert_eq!(fix["diagnostics"][0]["code"], "zero-width");
    assert_eq!(apply(text, &edits(fix)), "# Ü\n\nHidden @docs/a.md.\n");
    // Only what the range touches.
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}});
    let params =
        json!({"textDocument": {"uri": client.uri("CLAUDE.md")}, "range": range, "context": {"diagnostics": []}});
    assert_eq!(client.ask("textDocument/codeAction", &params), json!([]));
    assert_eq!(actions(&mut client, "CLAUDE.md", &json!(["refactor"])), [Value::Null; 0]);
    client.stop();
}

#[test]
fn an_unsafe_fix_says_so() {
    let repo = repo();
    repo.git(&["mv", "docs/a.md", "docs/b.md"]);
    repo.commit("move");
    let mut client = Client::of(&repo);
    let text = "Read `docs/a.md` first.\n";
    client.open("AGENTS.md", "x\n");
    client.open("CLAUDE.md", text);
    let all = actions(&mut client, "CLAUDE.md", &json!(["quickfix"]));
    let fix = all.iter().find(|action| action["title"].as_str().is_some_and(|title| title.contains("stale-path")));
    let fix = fix.unwrap_or_else(|| panic!("{all:#?}"));
    let is_safe = fix["isPreferred"] == true;
    assert_eq!(fix["title"].as_str().is_some_and(|title| title.contains("unsafe")), !is_safe, "{fix}");
    assert_eq!(apply(text, &edits(fix)), "Read `docs/b.md` first.\n");
    client.stop();
}

#[test]
fn all_safe_fixes_are_those_of_the_command_line() {
    let repo = repo();
    let text = "# Ü\n\nHid\u{200b}den\u{200b}\n\n* [ ]a\n\nlast li\u{200b}ne\n";
    repo.write("CLAUDE.md", text).write("PLAN.md", "- [ ]one\n- [x ] two\n");
    repo.commit("x");
    let mut client = Client::of(&repo);
    for path in ["CLAUDE.md", "PLAN.md"] {
        client.open_file(&repo, path);
        let text = String::from_utf8(repo.read(path)).expect("UTF-8");
        let all = actions(&mut client, path, &json!(["source.fixAll"]));
        let [action] = &all[..] else { panic!("one action: {all:#?}") };
        assert_eq!(action["kind"], "source.fixAll.hintlint");
        let fixed = apply(&text, &edits(action));
        assert_ne!(fixed, text);
        let same = actions(&mut client, path, &json!(["source.fixAll.hintlint"]));
        assert_eq!(all, same);
        client.change(path, &fixed);
        assert_eq!(actions(&mut client, path, &json!(["source.fixAll.hintlint"])), [Value::Null; 0]);
        // The server wrote nothing; the command line comes to the same.
        assert_eq!(repo.read(path), text.as_bytes());
        repo.run(&["--fix", path]);
        assert_eq!(String::from_utf8_lossy(&repo.read(path)), fixed);
    }
    client.stop();
}

/// Whatever silences a finding leaves no other in its place.
#[test]
fn a_comment_with_a_reason_silences_a_finding() {
    let repo = repo();
    let mut client = Client::of(&repo);
    for (path, text) in [
        ("CLAUDE.md", "# A\n\nOne\ntwo @docs/gone.md three\n\nend\n"),
        ("CLAUDE.md", "# A\n\n- one\n- two @docs/gone.md three\n"),
        ("CLAUDE.md", "---\nx: y\n---\n\nRead @docs/gone.md\n"),
        ("CLAUDE.md", ""),
        (".claude/rules/r.md", "---\ndescription: x\nglobs: src/*.ts\n---\nx\n"),
    ] {
        client.open(path, text);
        let found = client.found(path);
        assert_eq!(found.len(), 1, "{text:?} {found:?}");
        let all = actions(&mut client, path, &json!(["quickfix"]));
        let is_comment = |action: &&Value| action["title"].as_str().is_some_and(|title| title.starts_with("Ignore"));
        let action = all.iter().find(is_comment).unwrap_or_else(|| panic!("{text:?}: {all:#?}"));
        let silenced = apply(text, &edits(action));
        assert!(silenced.contains("hintlint-ignore"), "{silenced}");
        client.change(path, &silenced);
        assert_eq!(client.found(path), [""; 0], "{silenced}");
    }
    // What must not be silenced is not offered to be.
    client.open("docs/a.md", "x\n");
    client.open("CLAUDE.md", "Read @docs/a.md @../x.md\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n");
    assert!(client.found("CLAUDE.md").len() >= 2, "{:?}", client.found("CLAUDE.md"));
    let all = actions(&mut client, "CLAUDE.md", &Value::Null);
    assert!(
        !all.iter().any(|action| action["title"].as_str().is_some_and(|title| title.starts_with("Ignore"))),
        "{all:#?}"
    );
    client.stop();
}
