//! Marketplaces that Claude Code refuses, and entries of them that nobody can install. Run with 2.1.330 in November 2026:
//! `plugin marketplace add` and `plugin install` with 123 marketplaces, each with one value out of its form.

use super::marketplace::Marketplace;
use super::plugins::with_places;
use super::runs::manifest;
use crate::agents::shared::bundles::CatalogueDefect;
use crate::agents::shared::runs::types::{self, TypedKeys, ValueType};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::env::Env;
use crate::parse::json::JsonNode;

use ValueType::*;

/// What the keys of a marketplace must be.
const TYPES: &TypedKeys = &[
    (Object, &["owner", "metadata"]),
    (List, &["plugins"]),
    (
        Text,
        &[
            "$schema",
            "name",
            "version",
            "description",
            "owner.name",
            "owner.email",
            "owner.url",
            "metadata.version",
            "metadata.description",
            "metadata.pluginRoot",
        ],
    ),
];
/// The keys that it must have, with those of objects below them.
const NEEDED: [&str; 4] = ["name", "owner", "plugins", "owner.name"];

/// What the keys of an entry must be.
const ENTRY_TYPES: &TypedKeys = &[
    (Object, &["author"]),
    (Texts, &["keywords", "tags"]),
    (List, &["dependencies"]),
    (Bool, &["strict"]),
    (
        Text,
        &[
            "name",
            "version",
            "description",
            "category",
            "displayName",
            "homepage",
            "license",
            "repository",
            "author.name",
            "author.email",
            "author.url",
        ],
    ),
];

/// The kinds of sources outside of the repository, each with the key that it must have.
const SOURCES: [(&str, &str); 5] =
    [("archive", "url"), ("git-subdir", "path"), ("github", "repo"), ("npm", "package"), ("url", "url")];

/// Why Claude Code refuses the marketplace, or entries of it, with the places in `bytes`. A file that is no JSON object has none here.
pub(super) fn defects(bytes: &[u8]) -> Vec<CatalogueDefect> {
    let Some((root, _, mark)) = with_places(bytes).filter(|(root, ..)| root.is_object()) else { return Vec::new() };
    let moved = |span: Span| Span::new(span.start + mark, span.end + mark);
    if let Some((span, why)) = refusal(&root) {
        return vec![CatalogueDefect { span: moved(span), why, entry: None }];
    }
    let has_base = root.at(&["metadata", "pluginRoot"]).is_some();
    let refused = Marketplace::of(&root).entries().enumerate().filter_map(|(at, entry)| {
        let (span, why) = entry_refusal(entry, has_base)?;
        let name = entry.get("name").and_then(JsonNode::text).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("number {}", at + 1), |name| sanitize::line(name).into_owned());
        Some(CatalogueDefect { span: moved(span), why, entry: Some(name) })
    });
    refused.collect()
}

/// The first value because of which the whole marketplace is refused.
fn refusal(root: &JsonNode) -> Option<(Span, String)> {
    if let Some(problem) = types::problem(root, TYPES, "an object") {
        return Some(problem);
    }
    let missing: Vec<&str> = NEEDED.into_iter().filter(|key| is_missing(root, key)).collect();
    if !missing.is_empty() {
        let missing: Vec<String> = missing.iter().map(|key| format!("`{key}`")).collect();
        return Some((root.span, format!("it has no {}", missing.join(" and no "))));
    }
    let empty = ["name", "owner.name"].into_iter().find_map(|key| {
        let node = types::at(root, key).filter(|node| node.text() == Some(""))?;
        Some((node.span, format!("`{key}` must not be empty")))
    });
    let name = root.get("name")?;
    let is_wrong = |text: &str| text.contains([' ', '/', '\\']) || text.contains("..") || text == ".";
    let wrong = name.text().filter(|text| is_wrong(text));
    empty.or_else(|| wrong.map(|_| (name.span, "`name` must have no blank, no slash and no `..`".to_owned())))
}

/// Whether a key is not there although the object around it is.
fn is_missing(root: &JsonNode, key: &str) -> bool {
    let is_below = key.rsplit_once('.').is_none_or(|(above, _)| types::at(root, above).is_some());
    is_below && types::at(root, key).is_none()
}

/// The first value because of which nobody can install an entry.
fn entry_refusal(entry: &JsonNode, has_base: bool) -> Option<(Span, String)> {
    if !entry.is_object() {
        return Some((entry.span, format!("an entry must be an object, not {}", entry.type_with_article())));
    }
    if let Some(key) = ["name", "source", "author.name"].into_iter().find(|key| is_missing(entry, key)) {
        return Some((entry.span, format!("it has no `{key}`")));
    }
    let name = entry.get("name")?;
    let has_blank = name.text().is_some_and(|name| name.contains(' ') || name.is_empty());
    let blank = has_blank.then(|| (name.span, "`name` must be a word without blanks".to_owned()));
    let homepage = entry.get("homepage").filter(|page| page.text().is_some_and(|page| !page.contains(':')));
    types::problem(entry, ENTRY_TYPES, "an object")
        .or(blank)
        .or_else(|| homepage.map(|page| (page.span, "`homepage` must be a whole address".to_owned())))
        .or_else(|| source_problem(entry.get("source")?, has_base))
        .or_else(|| manifest::part_problems(entry, &Env::empty()).into_iter().next())
}

/// What is wrong with where a plugin comes from. `has_base`: bare names count from the folder that the marketplace names.
fn source_problem(source: &JsonNode, has_base: bool) -> Option<(Span, String)> {
    if let Some(path) = source.text() {
        let is_bare = has_base && !path.is_empty() && !path.contains(['/', ':', '\\']);
        let is_right = path.starts_with("./") || path == "." || is_bare;
        return (!is_right).then(|| (source.span, "a path in `source` must begin with `./`".to_owned()));
    }
    let Some(kind) = source.get("source").and_then(JsonNode::text) else {
        return Some((
            source.span,
            "`source` must be a path, or an object whose own `source` names its kind".to_owned(),
        ));
    };
    let Some((_, key)) = SOURCES.iter().find(|(known, _)| *known == kind) else {
        let known = SOURCES.map(|(known, _)| known).join(", ");
        return Some((source.span, format!("`{}` is no kind of source: those are {known}", sanitize::line(kind))));
    };
    let is_there = source.get(key).and_then(JsonNode::text).is_some();
    (!is_there).then(|| (source.span, format!("a source of the kind {kind} needs `{key}`, a string")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(String, Option<String>)> {
        let found = defects(text.as_bytes());
        found.into_iter().map(|defect| (defect.why, defect.entry)).collect()
    }

    /// What is said of a marketplace whose other keys are right.
    fn of_root(keys: &str) -> Option<String> {
        let found = told(&format!("{{{keys}}}"));
        found.into_iter().find(|(_, entry)| entry.is_none()).map(|(why, _)| why)
    }

    /// What is said of an entry.
    fn of_entry(keys: &str) -> Option<String> {
        let found = told(&format!(r#"{{"name": "m", "owner": {{"name": "o"}}, "plugins": [{{{keys}}}]}}"#));
        found.into_iter().find(|(_, entry)| entry.is_some()).map(|(why, _)| why)
    }

    #[test]
    fn marketplaces_are_refused_as_observed() {
        let (name, owner, plugins) = (r#""name": "m""#, r#""owner": {"name": "o"}"#, r#""plugins": []"#);
        let missing = of_root(r#""name": "m", "author": "a""#);
        assert_eq!(missing.as_deref(), Some("it has no `owner` and no `plugins`"));
        for (keys, why) in [
            (format!("{owner}, {plugins}"), "it has no `name`"),
            (format!(r#"{name}, {plugins}, "owner": "o""#), "`owner` must be an object, not a string"),
            (format!(r#"{name}, {plugins}, "owner": {{}}"#), "it has no `owner.name`"),
            (format!(r#"{name}, {plugins}, "owner": {{"name": ""}}"#), "`owner.name` must not be empty"),
            (format!(r#"{name}, {owner}, "plugins": {{}}"#), "`plugins` must be a list, not an object"),
            (format!(r#"{name}, {owner}, {plugins}, "version": 1"#), "`version` must be a string, not a number"),
            (format!(r#""name": "a b", {owner}, {plugins}"#), "`name` must have no blank, no slash and no `..`"),
        ] {
            assert_eq!(of_root(&keys).as_deref(), Some(why), "{keys}");
        }
        for right in [
            format!("{name}, {owner}, {plugins}"),
            format!(r#"{name}, {owner}, {plugins}, "foo": 1, "metadata": {{"pluginRoot": "./"}}"#),
            format!(r#""name": "a_b.C", {owner}, {plugins}, "version": "1""#),
        ] {
            assert_eq!(of_root(&right), None, "{right}");
        }
        assert_eq!(told("[]"), []);
        assert_eq!(told("{"), []);
    }

    #[test]
    fn entries_are_refused_as_observed() {
        let place = r#""name": "p", "source": "./p""#;
        for wrong in [
            r#""source": "./p""#,
            r#""name": "p""#,
            r#""name": "p x", "source": "./p""#,
            r#""name": "p", "source": "p""#,
            r#""name": "p", "source": "o/r""#,
            r#""name": "p", "source": "../p""#,
            r#""name": "p", "source": "https://a.example/p.git""#,
            r#""name": "p", "source": {"type": "github", "repo": "a/b"}"#,
            r#""name": "p", "source": {"source": "git", "url": "https://a.example/p.git"}"#,
            r#""name": "p", "source": {"source": "github"}"#,
            &format!(r#"{place}, "author": "me""#),
            &format!(r#"{place}, "author": {{"email": "a@b.example"}}"#),
            &format!(r#"{place}, "version": 1"#),
            &format!(r#"{place}, "keywords": "a""#),
            &format!(r#"{place}, "homepage": "none""#),
            &format!(r#"{place}, "skills": ["s"]"#),
            &format!(r#"{place}, "agents": "./agents/""#),
        ] {
            assert!(of_entry(wrong).is_some(), "{wrong}");
        }
        for right in [
            place,
            r#""name": "p", "source": ".""#,
            r#""name": "p", "source": {"source": "github", "repo": "a/b"}"#,
            r#""name": "p", "source": {"source": "git-subdir", "url": "https://a.example/x", "path": "p"}"#,
            &format!(r#"{place}, "author": {{"name": "n", "url": "none"}}, "version": "", "zz": 1"#),
            &format!(r#"{place}, "commands": ["./c.md"], "skills": "./", "strict": true"#),
            &format!(r#"{place}, "homepage": "https://a.example", "license": """#),
        ] {
            assert_eq!(of_entry(right), None, "{right}");
        }
    }

    #[test]
    fn bare_names_count_where_the_marketplace_has_a_base() {
        let source = |source: &str| {
            let found = told(&format!(
                r#"{{"name": "m", "owner": {{"name": "o"}}, "metadata": {{"pluginRoot": "./q"}},
                "plugins": [{{"name": "p", "source": "{source}"}}]}}"#
            ));
            found.len()
        };
        assert_eq!((source("p"), source("./p")), (0, 0));
        assert_eq!((source("p/"), source("../p")), (1, 1));
    }

    #[test]
    fn a_mark_before_the_text_moves_the_places() {
        let found = defects("\u{feff}{\"name\": 5}".as_bytes());
        assert_eq!(found.first().map(|defect| defect.span), Some(Span::new(12, 13)));
    }
}
