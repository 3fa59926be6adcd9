//! The beginning and the end, texts that are opened, edited and saved, folders, and clients that send nonsense.

use serde_json::{Value, json};

use super::client::{Client, frame};
use crate::support::Repo;

const BROKEN: &str = "Read @docs/gone.md\n";

fn repo() -> Repo {
    Repo::with_files([("CLAUDE.md", "Read @docs/a.md\n"), ("docs/a.md", "Be brief.\n")])
}

#[test]
fn it_begins_and_ends_in_order() {
    let repo = repo();
    let mut client = Client::start(&repo);
    let early = client.post("textDocument/hover", &client.place("CLAUDE.md", 0, 0));
    assert_eq!(client.wait(early)["error"]["code"], -32002);
    client.tell("textDocument/didOpen", &json!({}));
    let answer = client.ask("initialize", &json!({"capabilities": {}}));
    assert_eq!(answer["serverInfo"]["name"], "hintlint");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    let again = client.post("initialize", &json!({"capabilities": {}}));
    assert_eq!(client.wait(again)["error"]["code"], -32600);
    let unknown = client.post("textDocument/formatting", &json!({}));
    assert_eq!(client.wait(unknown)["error"]["code"], -32601);
    client.ask("shutdown", &Value::Null);
    let late = client.post("textDocument/hover", &client.place("CLAUDE.md", 0, 0));
    assert_eq!(client.wait(late)["error"]["code"], -32600);
    client.tell("exit", &Value::Null);
    assert_eq!(client.ended(), 0);
    assert_eq!(client.stderr(), "");
    // Without goodbye it is a failure.
    let mut client = Client::of(&repo);
    client.tell("exit", &Value::Null);
    assert_eq!(client.ended(), 1);
    let mut client = Client::of(&repo);
    assert_eq!(client.ended(), 1);
}

#[test]
fn diagnostics_follow_the_text() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.open("CLAUDE.md", "Read @docs/a.md\n");
    assert_eq!(client.found("CLAUDE.md"), [""; 0]);
    client.change("CLAUDE.md", &format!("# Ü\n\n{BROKEN}"));
    assert_eq!(client.found("CLAUDE.md"), ["2:5 missing-import"]);
    let diagnostic = &client.diagnostics[&client.uri("CLAUDE.md")][0];
    assert_eq!(diagnostic["source"], "hintlint");
    assert_eq!(diagnostic["severity"], 1);
    let page = diagnostic["codeDescription"]["href"].as_str().expect("an address");
    assert!(page.starts_with("https://") && page.ends_with("/docs/rules/missing-import.md"), "{page}");
    // An edit in the middle.
    let range = json!({"start": {"line": 2, "character": 6}, "end": {"line": 2, "character": 18}});
    client.edit("CLAUDE.md", &json!([{"range": range, "text": "docs/a.md"}]));
    client.checked("CLAUDE.md");
    assert_eq!(client.found("CLAUDE.md"), [""; 0]);
    // Nothing was written.
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    client.change("CLAUDE.md", BROKEN);
    client.tell("textDocument/didClose", &json!({"textDocument": {"uri": client.uri("CLAUDE.md")}}));
    let uri = json!(client.uri("CLAUDE.md"));
    client.until(|message| message["params"]["uri"] == uri && message["params"]["diagnostics"] == json!([]));
    client.stop();
}

#[test]
fn what_one_text_does_to_another_file_is_told_there() {
    let repo = repo();
    repo.write("docs/b.md", "See [a](a.md#here).\n").write("CLAUDE.md", "@docs/a.md\n@docs/b.md\n");
    repo.write("docs/a.md", "# Here\n");
    repo.commit("x");
    let mut client = Client::of(&repo);
    client.open("docs/a.md", "# There\n");
    assert_eq!(client.found("docs/b.md"), ["0:13 broken-link"]);
    client.change("docs/a.md", "# Here\n");
    assert_eq!(client.found("docs/b.md"), [""; 0]);
    client.stop();
}

#[test]
fn files_that_come_and_go_are_seen() {
    let repo = repo();
    repo.write("CLAUDE.md", "Read @docs/b.md\n");
    let mut client = Client::of(&repo);
    let watch = client.until(|message| message["method"] == "client/registerCapability");
    assert!(watch["params"]["registrations"][0]["registerOptions"]["watchers"].is_array());
    client.open_file(&repo, "CLAUDE.md");
    assert_eq!(client.found("CLAUDE.md"), ["0:5 missing-import"]);
    repo.write("docs/b.md", "New.\n");
    repo.add();
    let changes = json!({"changes": [{"uri": client.uri("docs/b.md"), "type": 1}]});
    client.tell("workspace/didChangeWatchedFiles", &changes);
    client.until(|message| message["params"]["diagnostics"] == json!([]));
    assert_eq!(client.found("CLAUDE.md"), [""; 0]);
    repo.remove("docs/b.md");
    client.tell("textDocument/didSave", &json!({"textDocument": {"uri": client.uri("CLAUDE.md")}}));
    client.until(|message| message["params"]["diagnostics"][0]["code"] == "missing-import");
    client.stop();
}

#[test]
fn a_config_is_obeyed_and_a_broken_one_is_told() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.open("CLAUDE.md", BROKEN);
    let saved = |client: &mut Client| {
        client.tell("textDocument/didSave", &json!({"textDocument": {"uri": client.uri("hintlint.toml")}}));
    };
    repo.write("hintlint.toml", "[rules]\nmissing-import = \"warning\"\n");
    saved(&mut client);
    client.until(|message| message["params"]["diagnostics"][0]["severity"] == 2);
    repo.write("hintlint.toml", "[rules]\nmissing-import = 3\n");
    saved(&mut client);
    let config = json!(client.uri("hintlint.toml"));
    let told = client.until(|message| message["params"]["uri"] == config);
    assert_eq!(told["params"]["diagnostics"][0]["range"]["start"]["line"], 1, "{told}");
    // Questions are still answered.
    assert_eq!(client.ask("textDocument/hover", &client.place("CLAUDE.md", 0, 8)), Value::Null);
    repo.remove("hintlint.toml");
    saved(&mut client);
    client.until(|message| message["params"]["uri"] == config && message["params"]["diagnostics"] == json!([]));
    assert_eq!(client.found("CLAUDE.md"), ["0:5 missing-import"]);
    client.stop();
}

#[test]
fn a_config_holds_while_it_is_typed() {
    let repo = repo();
    repo.write("hintlint.toml", "extends = [\"policy/base.toml\"]\n").write("policy/base.toml", "");
    let mut client = Client::of(&repo);
    client.open("CLAUDE.md", BROKEN);
    assert_eq!(client.found("CLAUDE.md"), ["0:5 missing-import"]);
    client.open_file(&repo, "policy/base.toml");
    client.change("policy/base.toml", "[rules]\nmissing-import = \"off\"\n");
    assert_eq!(client.found("CLAUDE.md"), [""; 0]);
    // What stands half typed is told at its place.
    client.open_file(&repo, "hintlint.toml");
    client.edit("hintlint.toml", &json!([{"text": "extends = [\"policy/base.toml\"]\nexlude = []\n"}]));
    let config = json!(client.uri("hintlint.toml"));
    let is_told = |message: &Value| message["params"]["uri"] == config && message["params"]["diagnostics"] != json!([]);
    let told = client.until(is_told);
    assert_eq!(told["params"]["diagnostics"][0]["range"]["start"]["line"], 1, "{told}");
    client.change("hintlint.toml", "");
    assert_eq!(client.found("hintlint.toml"), [""; 0]);
    client.change("CLAUDE.md", "Read @docs/none.md\n");
    assert_eq!(client.found("CLAUDE.md"), ["0:5 missing-import"], "the config extends nothing any more");
    // What is closed without saving is gone.
    for path in ["hintlint.toml", "policy/base.toml"] {
        client.tell("textDocument/didClose", &json!({"textDocument": {"uri": client.uri(path)}}));
    }
    client.change("CLAUDE.md", BROKEN);
    assert_eq!(client.found("CLAUDE.md"), ["0:5 missing-import"]);
    client.stop();
}

/// The same place in the units of each encoding: before it stand a letter of two bytes and a character of two UTF-16 units.
#[test]
fn places_are_told_in_the_agreed_units() {
    let repo = repo();
    for (encoding, character) in [("utf-8", 7), ("utf-16", 4), ("utf-32", 3)] {
        let general = json!({"general": {"positionEncodings": [encoding]}});
        let mut client = Client::with(&repo, json!({"capabilities": general}));
        client.open("CLAUDE.md", "ü🙂 @docs/gone.md\r\n");
        assert_eq!(client.found("CLAUDE.md"), [format!("0:{character} missing-import")], "{encoding}");
        let start = json!({"line": 0, "character": character + 1});
        let end = json!({"line": 0, "character": character + 13});
        client.edit("CLAUDE.md", &json!([{"range": {"start": start, "end": end}, "text": "docs/a.md"}]));
        client.checked("CLAUDE.md");
        assert_eq!(client.found("CLAUDE.md"), [""; 0], "{encoding}");
        let hover = client.ask("textDocument/hover", &client.place("CLAUDE.md", 0, character + 2));
        assert_eq!(hover["range"]["end"]["character"], character + 10, "{encoding}");
        client.stop();
    }
}

#[test]
fn several_folders_are_several_repositories() {
    let (one, two) = (repo(), repo());
    let folder = |repo: &Repo| json!({"uri": format!("file://{}", repo.root().display()), "name": "x"});
    let mut client = Client::with(&one, json!({"workspaceFolders": [folder(&one), folder(&two)]}));
    client.open("CLAUDE.md", BROKEN);
    let other = format!("file://{}/CLAUDE.md", two.root().display());
    let open = json!({"uri": other, "languageId": "markdown", "version": 900, "text": BROKEN});
    client.tell("textDocument/didOpen", &json!({"textDocument": open}));
    client.until(|message| message["params"]["uri"] == json!(other) && message["params"]["version"] == 900);
    assert_eq!(client.diagnostics[&other][0]["code"], "missing-import");
    assert_eq!(client.found("CLAUDE.md"), ["0:5 missing-import"]);
    // A folder that is taken away is no longer spoken of; its open file is judged by its own text alone.
    let event = json!({"event": {"added": [], "removed": [folder(&two)]}});
    client.tell("workspace/didChangeWorkspaceFolders", &event);
    client.until(|message| message["params"]["uri"] == json!(other) && message["params"]["diagnostics"] == json!([]));
    client.stop();
}

#[test]
fn a_repository_below_the_folder_and_one_above_it_are_found() {
    let outer = Repo::plain_folder();
    outer.write("inner/CLAUDE.md", BROKEN).write("inner/docs/a.md", "x\n").write("inner/sub/AGENTS.md", "x\n");
    outer.git_in(&outer.at("inner"), &["init", "-q"]);
    let mut client = Client::of(&outer);
    client.open("inner/CLAUDE.md", BROKEN);
    assert_eq!(client.found("inner/CLAUDE.md"), ["0:5 missing-import"]);
    client.stop();
    // The folder is a part of the repository.
    let part = json!([{"uri": format!("file://{}/inner/sub", outer.root().display()), "name": "sub"}]);
    let mut client = Client::with(&outer, json!({"workspaceFolders": part}));
    client.open("inner/CLAUDE.md", "Read @docs/none.md\n");
    assert_eq!(client.found("inner/CLAUDE.md"), ["0:5 missing-import"]);
    client.stop();
}

#[test]
fn a_file_outside_every_folder_is_judged_by_its_own_text() {
    let repo = repo();
    repo.write("elsewhere/x", "");
    let folder = json!([{"uri": format!("file://{}", repo.home().display()), "name": "home"}]);
    let mut client = Client::with(&repo, json!({"workspaceFolders": folder}));
    client.open("CLAUDE.md", &format!("{BROKEN}Hid\u{200b}den\n"));
    assert_eq!(client.found("CLAUDE.md"), ["1:3 zero-width"]);
    client.tell("textDocument/didClose", &json!({"textDocument": {"uri": client.uri("CLAUDE.md")}}));
    client.until(|message| message["params"]["diagnostics"] == json!([]));
    // What is no file is not followed, and questions about it are answered.
    let open = json!({"uri": "untitled:x", "languageId": "markdown", "version": 1, "text": BROKEN});
    client.tell("textDocument/didOpen", &json!({"textDocument": open}));
    let id = client.post("textDocument/codeLens", &json!({"textDocument": {"uri": "untitled:x"}}));
    assert_eq!(client.wait(id)["error"]["code"], -32602);
    client.stop();
}

#[test]
fn a_file_that_is_not_saved_yet_is_checked() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.open("sub/CLAUDE.md", "Read @gone.md\n");
    assert_eq!(client.found("sub/CLAUDE.md"), ["0:5 missing-import"]);
    client.stop();
}

/// Everything that can be asked.
const ASKED: [&str; 11] = [
    "textDocument/codeAction",
    "textDocument/completion",
    "textDocument/codeLens",
    "textDocument/definition",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/references",
    "workspace/willRenameFiles",
    "hintlint/contexts",
];

/// Everything that can be told, and what cannot.
const TOLD: [&str; 11] = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeWatchedFiles",
    "workspace/didRenameFiles",
    "workspace/didChangeWorkspaceFolders",
    "workspace/didChangeConfiguration",
    "$/cancelRequest",
    "$/x",
    "initialized",
];

#[test]
fn nonsense_is_answered_and_survived() {
    let repo = repo();
    let mut client = Client::of(&repo);
    for body in ["{", "null", "[]", "7", "{\"jsonrpc\":\"2.0\"}", "{\"id\":{},\"method\":1}", "\u{feff}{}"] {
        client.send_raw(&frame(body));
        let answer = client.until(|message| message.get("error").is_some());
        assert!(answer["id"].is_null(), "{body}: {answer}");
    }
    let text = BROKEN;
    client.open("CLAUDE.md", text);
    let wild = json!({"line": 4_000_000_000_u32, "character": 4_000_000_000_u32});
    let turned = json!({"start": wild, "end": {"line": 0, "character": 0}});
    for params in [
        json!({}),
        json!(null),
        json!([1, 2]),
        json!({"textDocument": {"uri": 5}}),
        json!({"textDocument": {"uri": "file:///"}, "position": wild, "range": turned, "context": {}}),
        json!({"textDocument": {"uri": client.uri("CLAUDE.md")}, "position": {"line": -1, "character": 0}}),
        json!({"textDocument": {"uri": client.uri("CLAUDE.md")}, "position": wild, "range": turned,
               "context": {"diagnostics": [], "includeDeclaration": true, "only": ["source", ""]}}),
        json!({"textDocument": {"uri": client.uri("..%2f..%2fetc/passwd")}, "position": wild, "range": turned,
               "context": {"diagnostics": [], "includeDeclaration": true}}),
        json!({"files": [{"oldUri": "x", "newUri": "y"}, {"oldUri": client.uri(""), "newUri": client.uri("")}]}),
    ] {
        for method in ASKED {
            let id = client.post(method, &params);
            let answer = client.wait(id);
            assert!(answer["error"]["code"] != -32603, "{method} {params}: {answer}");
        }
        for method in TOLD {
            if params["textDocument"]["uri"] != json!(client.uri("CLAUDE.md")) {
                client.tell(method, &params);
            }
        }
    }
    client.edit("CLAUDE.md", &json!([{"range": turned, "text": "Be brief.\n"}, {"range": turned, "text": text}]));
    client.checked("CLAUDE.md");
    assert_eq!(client.found("CLAUDE.md"), ["0:5 missing-import"]);
    // A stream that is no stream of messages ends it, with a word why.
    client.send_raw(&"x".repeat(5000));
    assert_eq!(client.ended(), 2);
    assert!(client.stderr().contains("does not speak the protocol"));
}

#[test]
fn a_request_can_be_cancelled() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.open("CLAUDE.md", BROKEN);
    // Whatever was answered before the wish came is an answer; the others are cancelled. None is lost.
    let mut cancelled = 0;
    for _ in 0..50 {
        client.edit("CLAUDE.md", &json!([{"text": BROKEN}]));
        let id = client.post("textDocument/hover", &client.place("CLAUDE.md", 0, 8));
        client.tell("$/cancelRequest", &json!({"id": id}));
        let answer = client.wait(id);
        match answer["error"]["code"].as_i64() {
            Some(code) => {
                assert_eq!(code, -32800);
                cancelled += 1;
            }
            None => assert!(answer["result"].is_object(), "{answer}"),
        }
    }
    assert!(cancelled > 0);
    client.stop();
}

#[test]
fn many_edits_end_in_the_latest() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.open("CLAUDE.md", "x\n");
    for number in 0..500 {
        let text = if number % 2 == 0 { "Be brief.\n".to_owned() } else { format!("Read @docs/gone{number}.md\n") };
        client.edit("CLAUDE.md", &json!([{"text": text}]));
    }
    client.checked("CLAUDE.md");
    assert_eq!(client.found("CLAUDE.md"), ["0:5 missing-import"]);
    let message = client.diagnostics[&client.uri("CLAUDE.md")][0]["message"].clone();
    assert!(message.as_str().is_some_and(|message| message.contains("gone499")), "{message}");
    client.stop();
}

#[test]
fn levels_and_rules_can_be_chosen() {
    let repo = repo();
    let mut client = Client::with(&repo, json!({"initializationOptions": {"minLevel": "error"}}));
    client.open("AGENTS.md", "\n");
    assert_eq!(client.found("AGENTS.md"), [""; 0]);
    client.tell("workspace/didChangeConfiguration", &json!({"settings": {"hintlint": {"minLevel": "warning"}}}));
    client.until(|message| message["params"]["diagnostics"][0]["code"] == "empty-hint-file");
    let ignore = json!({"settings": {"hintlint": {"ignore": ["context"]}}});
    client.tell("workspace/didChangeConfiguration", &ignore);
    client.until(|message| message["params"]["diagnostics"] == json!([]));
    client.stop();
}
