//! Frontmatter of a hint file that one agent reads as text and `merged` leaves out, reported by `ignored-field`. Knows which
//! agents drop frontmatter, and which fields only describe a file.

use crate::agents::{self, Dialect, Proof};
use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::frontmatter::{Frontmatter, FrontmatterNode, Value};
use crate::rules::Cx;

/// Fields that say something about a file, to programs and pages, and no more than so many words.
const DESCRIBING: [&str; 43] = [
    "$schema",
    "aliases",
    "allowed-tools",
    "alwaysapply",
    "applyto",
    "argument-hint",
    "audience",
    "author",
    "authors",
    "categories",
    "category",
    "created",
    "date",
    "description",
    "filematchpattern",
    "globs",
    "id",
    "inclusion",
    "keywords",
    "lang",
    "language",
    "last_updated",
    "lastupdated",
    "layout",
    "license",
    "maintainers",
    "metadata",
    "model",
    "name",
    "owner",
    "paths",
    "permalink",
    "project",
    "repository",
    "scope",
    "status",
    "summary",
    "tags",
    "title",
    "tools",
    "type",
    "updated",
    "version",
];
const DESCRIPTION_WORDS: usize = 60;
/// Fewer words than this are a name, a version, a date.
const SENTENCE_WORDS: usize = 3;

/// Report the frontmatter of `document` where it says more than what the file is, and somebody reads that as text.
pub(super) fn check(rule: &'static str, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
    let Some(frontmatter) = &document.frontmatter else { return };
    let sayings = sayings(document, frontmatter);
    if sayings.is_empty() {
        return;
    }
    // What an agent does with it is unknown where only its documentation is known.
    let known = |dialect: &&Dialect| dialect.proof != Proof::Documentation;
    let readers = cx.workspace.readers(document).into_iter().filter_map(agents::by_id).filter(known);
    let (drop, keep): (Vec<_>, Vec<_>) = readers.partition(|dialect| dialect.text.drops_frontmatter);
    let [drop, keep] = [drop, keep].map(|dialects| dialects.iter().map(|dialect| dialect.id).collect::<Vec<_>>());
    if keep.is_empty() || !drop.contains(&"merged") {
        return;
    }
    // Between two thematic breaks stands prose, and only our own reading leaves it out.
    if drop == ["merged"] && !cx.workspace.compiles() && is_prose(document, frontmatter) {
        return;
    }
    // A document that is imported was not written as a hint: its fields are those of its own kind, as are those of a skill.
    let is_of_its_kind = matches!(document.kind, Kind::Imported | Kind::Skill);
    let is_ours_alone = drop == ["merged"] && !cx.workspace.compiles();
    let level = if is_of_its_kind || is_ours_alone { Level::Info } else { Level::Warning };
    // Where nothing is compiled, an agent that drops it says more than our own reading.
    let told = drop.iter().filter(|id| **id != "merged" || cx.workspace.compiles() || drop.len() == 1);
    let told: Vec<&str> = told.copied().collect();
    for (what, span) in sayings {
        let message = format!("{what} is read as text by {}, and is left out for {}", keep.join(", "), told.join(", "));
        let help = "move it below the frontmatter, where every agent and every reviewer reads it";
        findings.push(Finding::new(rule, level, &document.path, span, message).help(help));
    }
}

/// Whether what looks like frontmatter is a part of the text that stands between two thematic breaks: an empty line follows the first
/// one, or a line is none of YAML's.
fn is_prose(document: &Document, frontmatter: &Frontmatter) -> bool {
    let text = document.slice(frontmatter.yaml);
    let is_heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    let headed = text.lines().find(|line| !line.trim().is_empty()).is_some_and(is_heading);
    let is_set_off = text.lines().next().is_some_and(|line| line.trim().is_empty());
    !frontmatter.valid
        || frontmatter.other.is_some()
        || is_set_off
        || headed && text.lines().any(|line| line.trim().is_empty())
}

/// What of the frontmatter reads like text for a model, each with its place.
fn sayings(document: &Document, frontmatter: &Frontmatter) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    for field in &frontmatter.fields {
        let limit = match DESCRIBING.binary_search(&field.key.to_ascii_lowercase().as_str()) {
            Ok(_) => DESCRIPTION_WORDS,
            Err(_) => SENTENCE_WORDS,
        };
        if words(&field.key) >= SENTENCE_WORDS || says(&field.value, limit) {
            found.push((format!("`{}`", field.key), field.key_span));
        }
    }
    if let Some(other) = frontmatter.other.as_ref().filter(|other| says(other, SENTENCE_WORDS)) {
        found.push(("frontmatter without fields".to_owned(), other.span));
    }
    for &comment in &frontmatter.comments {
        let text = document.slice(comment);
        let for_programs = ["hintlint-", "yaml-language-server", "eslint", "prettier", "spell"];
        if words(text) > SENTENCE_WORDS && !for_programs.iter().any(|name| text.contains(name)) {
            found.push(("a comment in the frontmatter".to_owned(), comment));
        }
    }
    found
}

/// Whether a string in `node` has at least so many words.
fn says(node: &FrontmatterNode, limit: usize) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match &node.value {
            Value::String(text) if words(text) >= limit => return true,
            Value::List(items) => open.extend(items),
            Value::Map(fields) => open.extend(fields.iter().map(|field| &field.value)),
            _ => {}
        }
    }
    false
}

fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::repository;

    fn said(yaml: &str) -> Vec<String> {
        let text = format!("---\n{yaml}---\nBody.\n");
        let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.into_bytes().into());
        let found = sayings(&document, document.frontmatter.as_ref().unwrap());
        found.into_iter().map(|(what, _)| what).collect()
    }

    #[test]
    fn sentences_are_told_from_descriptions() {
        assert!(DESCRIBING.is_sorted());
        assert_eq!(said("argument-hint: '[question about the project]'\n"), [""; 0]);
        assert_eq!(said("IMPORTANT: never push to main.\n"), ["`IMPORTANT`"]);
        assert_eq!(said("rules:\n  - run it\n  - never run the tests\n"), ["`rules`"]);
        assert_eq!(said("x: {y: {z: never push to main}}\n"), ["`x`"]);
        assert_eq!(said("never push to main: true\n"), ["`never push to main`"]);
        assert_eq!(said("Never push to main.\n"), ["frontmatter without fields"]);
        assert_eq!(said("a: b\n# never push to main\n"), ["a comment in the frontmatter"]);
        assert_eq!(said(&format!("description: {}\n", "never push to main ".repeat(20))), ["`description`"]);
    }

    #[test]
    fn prose_between_two_breaks_is_no_frontmatter() {
        let found = |config: &str, path: &str, block: &str| {
            let text = format!("---\n{block}---\n\nThe rest.\n");
            repository("ignored-field", config, &[(path, &*text), (".gemini/settings.json", "{}")]).len()
        };
        for prose in [
            "\nNote: this is what the project does.\n\n",
            "# The guide of this project\n\nbody: it has many words here\n\n",
            "Some words about the project.\n",
            "**Note**: never push to main: it breaks.\n",
        ] {
            assert_eq!(found("", "GEMINI.md", prose), 0, "{prose}");
        }
        assert_eq!(found("", "GEMINI.md", "IMPORTANT: never push to main.\n"), 1);
        assert_eq!(found("", "GEMINI.md", "# never push to main\nname: x\n"), 1);
        // A context that is committed has lost the text.
        assert_eq!(found("[compile]\n", "GEMINI.md", "\nNote: this is what the project does.\n"), 1);
    }

    #[test]
    fn what_only_our_own_reading_leaves_out_is_an_info() {
        let level = |config: &str, path: &str| {
            let text = "---\nname: x\nIMPORTANT: never push to main.\n---\n\nThe rest.\n";
            let files = [(path, text), (".gemini/settings.json", "{}"), (".claude/settings.json", "{}")];
            repository("ignored-field", config, &files).first().map(|finding| finding.level)
        };
        assert_eq!(level("", "GEMINI.md"), Some(Level::Info));
        assert_eq!(level("[compile]\n", "GEMINI.md"), Some(Level::Warning));
    }

    #[test]
    fn common_frontmatter_is_silent() {
        for yaml in [
            "description: Development reference for the SDK workspace.\nglobs: \"*.ts,*.md\"\nalwaysApply: true\n",
            "title: How to work on this project\nlast_updated: 2026-01-02\nversion: 1.2\n",
            "name: api\ntags: [a, b, c d]\nowner: platform team\n",
            "# yaml-language-server: $schema=https://x.example/a b c\nname: x\n",
            "applyTo: '**'\nmodel: gpt\nreviewed_by: Ada Lovelace\n",
            "- a\n- b\n",
        ] {
            assert_eq!(said(yaml), [""; 0], "{yaml}");
        }
    }
}
