//! What Claude Code demands of a plugin's manifest: one wrong value among the keys below keeps the whole plugin from loading, and
//! only its log says so. Observed on 2.1.330 in November 2026: each key was tried with right and wrong values, 95 manifests.

use super::servers;
use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::env::Env;
use crate::parse::json::JsonNode;

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
pub(super) const NAMES: [&str; 8] =
    [KEYS[0].key, KEYS[1].key, KEYS[2].key, KEYS[3].key, KEYS[4].key, KEYS[5].key, KEYS[6].key, KEYS[7].key];

/// The first value because of which a plugin does not load, and what is wrong with it.
pub(super) fn problem(root: &JsonNode, env: &Env) -> Option<(Span, String)> {
    let known = KEYS.iter().filter_map(|known| Some((known, root.get(known.key)?)));
    let mut problems = known.filter_map(|(known, value)| known.problem(value).or_else(|| server(known, value, env)));
    problems.next()
}

impl PathKey {
    fn problem(&self, value: &JsonNode) -> Option<(Span, String)> {
        let is_inline = value.is_object() && self.inline != InlineParts::None;
        if is_inline || value.is_array() && value.items().is_empty() {
            return None;
        }
        let wrong = value.one_or_more().iter().take(MAX_ENTRIES).find(|item| !self.takes(item))?;
        let ends: Vec<String> = self.ends.iter().map(|end| format!("`{end}`")).collect();
        let ends = if ends.is_empty() { String::new() } else { format!(" and ends with {}", ends.join(" or ")) };
        let path = format!("`{}` takes a path that begins with `./`{ends}", self.key);
        let others = match (wrong.text(), self.inline) {
            (Some(_), _) => String::new(),
            (None, InlineParts::None) => format!(", or a list of such paths, and not {}", wrong.type_with_article()),
            (None, _) => format!(", a list of such paths or an object, and not {}", wrong.type_with_article()),
        };
        Some((wrong.span, format!("{path}{others}, so the plugin does not load")))
    }

    /// Whether a value that is no list may stand there.
    fn takes(&self, value: &JsonNode) -> bool {
        let Some(path) = value.text() else { return value.is_object() && self.inline == InlineParts::Any };
        let is_root = path == "." && self.may_be_root;
        let ends = self.ends.is_empty() || self.ends.iter().any(|end| path.ends_with(end));
        is_root || path.starts_with("./") && ends
    }
}

/// The first server in a manifest that is not as it must be. One with a name of the agent's own costs no more than itself.
fn server(known: &PathKey, value: &JsonNode, env: &Env) -> Option<(Span, String)> {
    let servers = if known.key == "mcpServers" { value.effective() } else { Vec::new() };
    servers.into_iter().take(MAX_ENTRIES).find_map(|server| {
        let why = servers::defect(&server.value, env)?;
        let name = sanitize::line(&server.key);
        Some((server.value.span, format!("the server {name}: {why}, so the plugin does not load")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    #[test]
    fn it_is_told_what_a_key_takes() {
        let told = |manifest: &str| {
            let root = json::parse(manifest, JsonGrammar::STRICT).expect("it is JSON");
            problem(&root, &Env::default()).map(|(_, why)| why).unwrap_or_default()
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
            problem(&root, &Env::default()).map(|(span, _)| manifest[span.range()].to_owned())
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
            assert_eq!(found(right), None, "{right}");
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
            assert_eq!(found(wrong).as_deref(), Some(place), "{wrong}");
        }
    }
}
