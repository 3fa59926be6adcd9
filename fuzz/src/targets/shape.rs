//! What a text means to those who read it, without the characters that nobody sees: for comparing a file before and after
//! fixes that may only remove such characters.

use hintlint::base::characters;
use hintlint::base::kind::Kind;
use hintlint::parse::Document;
use hintlint::parse::frontmatter::{FrontmatterNode, Value};
use unicode_normalization::UnicodeNormalization;

use hintlint::parse::imports::Grammar;

/// `text` without hidden characters and blanks; fixes remove the former and replace unusual ones of the latter. In NFC, since
/// some agents put what they load into that form, and a hidden character may part a letter from its mark.
pub(crate) fn visible(text: &str) -> String {
    text.chars().filter(|&c| !characters::is_hidden(c) && !c.is_whitespace()).nfc().collect()
}

/// Whether tasks are worth comparing: a fix may replace an unusual space behind a list marker by the plain one that makes an item.
pub(crate) fn has_firm_tasks(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii() || !c.is_whitespace())
}

/// The structure of a document that some reader acts upon, one line each: frontmatter, comments, code, tasks, suppressions,
/// imports. Tasks are left out unless asked for.
pub(crate) fn shape(kind: Kind, text: &str, with_tasks: bool) -> Vec<String> {
    let document = Document::parse("a/b.md".into(), kind, text.as_bytes().into());
    let seen = |span: hintlint::base::text::Span| visible(document.slice(span));
    let mut lines = Vec::new();
    if let Some(frontmatter) = &document.frontmatter {
        lines.push(format!("frontmatter {}", seen(frontmatter.yaml)));
        for field in &frontmatter.fields {
            lines.push(format!("field {} = {}", visible(&field.key), value(&field.value)));
        }
    }
    let markdown = &document.markdown;
    lines.extend(
        markdown.comments.iter().map(|comment| format!("comment {} {}", comment.closed, seen(comment.content))),
    );
    lines.extend(markdown.code.iter().map(|code| format!("code {}", seen(code.content))));
    if with_tasks {
        lines.extend(document.tasks.iter().map(|task| format!("task {:?} {}", task.state, seen(task.text))));
    }
    for suppression in &document.suppressions {
        let rules: Vec<&str> = suppression.rules.iter().map(|(rule, _)| rule.as_str()).collect();
        lines.push(format!("suppression {rules:?} {}", seen(suppression.covers)));
    }
    for grammar in Grammar::ALL {
        let references = hintlint::parse::imports::references_of(grammar, &document);
        // What is no path is a name, as of a person.
        let is_path = |path: &str| path.contains(['/', '.']);
        let active = references.iter().filter(|reference| reference.inert.is_none() && is_path(&reference.path));
        lines.extend(active.map(|reference| format!("import {grammar:?} {}", visible(&reference.path))));
    }
    lines
}

fn value(node: &FrontmatterNode) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("bool {value}"),
        Value::Number(text) => format!("number {text}"),
        Value::String(text) => format!("string {}", visible(text)),
        Value::List(items) => items.iter().map(value).collect::<Vec<_>>().join(", "),
        Value::Map(fields) => {
            fields.iter().map(|field| format!("{}: {}", visible(&field.key), value(&field.value))).collect()
        }
    }
}
