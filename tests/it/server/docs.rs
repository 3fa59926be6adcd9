//! What docs/editor.md says: a snippet that is marked as tried is tried, the others can be read, and what is offered is offered.

use serde_json::{Value, json};

use super::client::Client;
use crate::clients::own;
use crate::support::Repo;

/// The fenced blocks of the page: the mark before each, the language, the text.
fn blocks(page: &str) -> Vec<(Option<String>, String, String)> {
    let mut blocks = Vec::new();
    let (mut mark, mut open) = (None, None::<(String, String)>);
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take().map(|(language, text)| (mark.take(), language, text))),
            (Some((_, text)), None) => text.push_str(&format!("{line}\n")),
            (None, Some(language)) => open = Some((language.to_owned(), String::new())),
            (None, None) => {
                let tried = line.strip_prefix("<!-- tried: ").and_then(|rest| rest.strip_suffix(" -->"));
                mark = tried.map(str::to_owned);
            }
        }
    }
    blocks
}

#[test]
fn snippets_are_tried_or_marked_and_can_be_read() {
    let page = std::fs::read_to_string(own("docs/editor.md")).expect("a page");
    let script = std::fs::read_to_string(own(".ci/editors")).expect("a script");
    let mut tried = Vec::new();
    for (mark, language, text) in blocks(&page) {
        assert!(language != "json" || serde_json::from_str::<Value>(&text).is_ok(), "{text}");
        if let Some(name) = mark {
            assert!(script.contains(&format!("snippet {name} >")), "{name} is marked as tried, and nothing tries it");
            assert!(text.contains("hintlint"), "{text}");
            tried.push(name);
        }
    }
    assert_eq!(tried, ["neovim", "emacs"]);
    let untried = page.split("\n## ").filter(|section| section.contains("not tried")).count();
    assert!(untried >= 4, "each section says whether it was tried");
}

#[test]
fn what_the_page_names_is_offered() {
    let page = std::fs::read_to_string(own("docs/editor.md")).expect("a page");
    assert!(page.contains("source.fixAll.hintlint") && page.contains("`minLevel`"));
    let repo = Repo::with_files([("AGENTS.md", "x\n")]);
    let mut client = Client::start(&repo);
    let offered = client.ask("initialize", &json!({"capabilities": {}}))["capabilities"].clone();
    for provider in [
        "codeActionProvider",
        "hoverProvider",
        "definitionProvider",
        "documentLinkProvider",
        "referencesProvider",
        "completionProvider",
        "codeLensProvider",
        "inlayHintProvider",
        "documentSymbolProvider",
    ] {
        assert!(!offered[provider].is_null(), "{provider}");
    }
    assert_eq!(offered["codeActionProvider"]["codeActionKinds"], json!(["quickfix", "source.fixAll.hintlint"]));
    assert_eq!(offered["workspace"]["fileOperations"]["willRename"]["filters"][0]["scheme"], "file");
    assert_eq!(offered["textDocumentSync"]["change"], 2);
}
