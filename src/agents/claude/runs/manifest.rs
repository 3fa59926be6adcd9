//! What Claude Code demands of a plugin's manifest: one wrong value among the keys below keeps the whole plugin from loading, and
//! only its log says so. Observed on 2.1.330 in November 2026: each key was tried with right and wrong values, 95 manifests.

use super::manifest_config;
use super::servers::defect;
use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::env::Env;
use crate::parse::json::{JsonMember, JsonNode};

/// What may stand in place of a path.
#[derive(Clone, Copy, PartialEq)]
enum InlineParts {
    /// Nothing.
    None,
    /// An object of such parts by their names.
    Named,
    /// An object, also in a list.
    Any,
}

/// What a key must hold: paths that begin with `./`, or something else in their place.
struct PathKey {
    key: &'static str,
    /// How paths must end, if that is fixed.
    ends: &'static [&'static str],
    /// Whether the root of the plugin may be named by `.`.
    may_be_root: bool,
    inline: InlineParts,
}

const fn paths(key: &'static str, ends: &'static [&'static str], inline: InlineParts) -> PathKey {
    PathKey { key, ends, may_be_root: false, inline }
}

const KEYS: [PathKey; 8] = [
    paths("agents", &[".md"], InlineParts::None),
    paths("commands", &[], InlineParts::Named),
    paths("hooks", &[".json"], InlineParts::Any),
    paths("lspServers", &[], InlineParts::Any),
    paths("mcpServers", &[".json", ".mcpb", ".dxt"], InlineParts::Any),
    paths("outputStyles", &[], InlineParts::None),
    PathKey { key: "skills", ends: &[], may_be_root: true, inline: InlineParts::None },
    paths("themes", &[], InlineParts::None),
];

/// The names of these keys.
pub(super) fn names() -> [&'static str; KEYS.len()] {
    KEYS.map(|known| known.key)
}

/// Most values of one manifest that are told.
const MAX_PROBLEMS: usize = 20;

/// The values because of which a plugin does not load, in the order of the file, and what is wrong with each.
pub(super) fn problems(root: &JsonNode, env: &Env) -> Vec<(Span, String)> {
    let told = |(span, why): (Span, String)| (span, format!("{why}, so the plugin does not load"));
    let parts = part_problems(root, env).into_iter().map(told);
    let mut found: Vec<_> = parts.chain(manifest_config::problems(root)).take(MAX_PROBLEMS).collect();
    found.sort_by_key(|(span, _)| span.start);
    found
}

/// What is wrong with the values that name parts of a plugin, in a manifest or in an entry of a marketplace.
pub(in crate::agents::claude) fn part_problems(root: &JsonNode, env: &Env) -> Vec<(Span, String)> {
    let known = KEYS.iter().filter_map(|known| Some((known, root.get(known.key)?)));
    known.flat_map(|(known, value)| known.problems(value).into_iter().chain(servers(known, value, env))).collect()
}

impl PathKey {
    fn problems(&self, value: &JsonNode) -> Vec<(Span, String)> {
        let is_inline = value.is_object() && self.inline != InlineParts::None;
        if is_inline || value.is_array() && value.items().is_empty() {
            return Vec::new();
        }
        let ends: Vec<String> = self.ends.iter().map(|end| format!("`{end}`")).collect();
        let ends = if ends.is_empty() { String::new() } else { format!(" and ends with {}", ends.join(" or ")) };
        let path = format!("`{}` takes a path that begins with `./`{ends}", self.key);
        let why = |item: &JsonNode| {
            let others = match (item.text(), self.inline) {
                (Some(_), _) => String::new(),
                (None, InlineParts::None) => format!(", or a list of such paths, and not {}", item.type_with_article()),
                (None, _) => format!(", a list of such paths or an object, and not {}", item.type_with_article()),
            };
            format!("{path}{others}")
        };
        let wrong = value.one_or_more().iter().take(MAX_ENTRIES).filter(|item| !self.takes(item));
        wrong.take(MAX_PROBLEMS).map(|item| (item.span, why(item))).collect()
    }

    /// Whether a value that is no list may stand there.
    fn takes(&self, value: &JsonNode) -> bool {
        let Some(path) = value.text() else { return value.is_object() && self.inline == InlineParts::Any };
        let is_root = path == "." && self.may_be_root;
        let ends = self.ends.is_empty() || self.ends.iter().any(|end| path.ends_with(end));
        is_root || path.starts_with("./") && ends
    }
}

/// The servers in a manifest that are not as they must be. One with a name of the agent's own costs no more than itself.
fn servers(known: &PathKey, value: &JsonNode, env: &Env) -> Vec<(Span, String)> {
    let servers = if known.key == "mcpServers" { value.effective() } else { Vec::new() };
    let problem = |server: &JsonMember| {
        let why = defect(&server.value, env)?;
        let name = sanitize::line(&server.key);
        Some((server.value.span, format!("the server {name}: {why}")))
    };
    servers.into_iter().take(MAX_ENTRIES).filter_map(problem).take(MAX_PROBLEMS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    #[test]
    fn it_is_told_what_a_key_takes() {
        let told = |manifest: &str| {
            let root = json::parse(manifest, JsonGrammar::STRICT).expect("it is JSON");
            problems(&root, &Env::default()).into_iter().map(|(_, why)| why).next().unwrap_or_default()
        };
        let path = told(r#"{"skills": "skills"}"#);
        assert_eq!(path, "`skills` takes a path that begins with `./`, so the plugin does not load");
        assert!(told(r#"{"skills": {"a": "./a"}}"#).contains(", or a list of such paths, and not an object,"));
        assert!(told(r#"{"hooks": 5}"#).contains(", a list of such paths or an object, and not a number,"));
    }

    #[test]
    fn one_wrong_value_keeps_a_plugin_from_loading() {
        let found = |manifest: &str| {
            let root = json::parse(manifest, JsonGrammar::STRICT).expect("it is JSON");
            let found = problems(&root, &Env::default());
            found.into_iter().map(|(span, _)| manifest[span.range()].to_owned()).collect::<Vec<_>>()
        };
        for right in [
            r#"{"skills": "."}"#,
            r#"{"skills": ["./a", "./b/"]}"#,
            r#"{"commands": {"c": {"source": "./c.md"}}}"#,
            r#"{"agents": ["./a.md"]}"#,
            r#"{"agents": []}"#,
            r#"{"hooks": {"Stop": []}}"#,
            r#"{"hooks": [{"Stop": []}, "./h.json"]}"#,
            r#"{"mcpServers": "./s.mcpb"}"#,
            r#"{"mcpServers": {"s": {"command": "a"}, "workspace": {"command": "b"}}}"#,
            r#"{"author": "me", "keywords": "a", "foo": 1}"#,
        ] {
            assert_eq!(found(right), [""; 0], "{right}");
        }
        for (wrong, place) in [
            (r#"{"skills": "skills/"}"#, "\"skills/\""),
            (r#"{"skills": "../a"}"#, "\"../a\""),
            (r#"{"skills": {}}"#, "{}"),
            (r#"{"agents": "./agents/"}"#, "\"./agents/\""),
            (r#"{"agents": ["./a.md", "b.md"]}"#, "\"b.md\""),
            (r#"{"commands": ["c.md"]}"#, "\"c.md\""),
            (r#"{"commands": null}"#, "null"),
            (r#"{"hooks": "./hooks/"}"#, "\"./hooks/\""),
            (r#"{"hooks": 5}"#, "5"),
            (r#"{"mcpServers": {"s": {"url": "https://x.example"}}}"#, r#"{"url": "https://x.example"}"#),
            (r#"{"mcpServers": {"s": {"command": "a", "args": "b"}}}"#, r#"{"command": "a", "args": "b"}"#),
        ] {
            assert_eq!(found(wrong), [place], "{wrong}");
        }
        let wrong =
            r#"{"skills": ["a", "./b", "c"], "hooks": 5, "mcpServers": {"s": {}, "t": {"command": "d"}, "u": 1}}"#;
        assert_eq!(found(wrong), ["\"a\"", "\"c\"", "5", "{}", "1"], "each is told");
    }
}
