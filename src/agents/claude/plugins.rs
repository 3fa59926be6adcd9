//! What Claude Code's plugin manifests and marketplaces name: the roots of plugins, and commands and agents in other places than
//! the usual folders.

use super::hints::{COMMAND, SUBAGENT};
use super::marketplace::Marketplace;
use super::runs::entries::is_whole;
use crate::agents::shared::bundles::{BundleEntry, BundlePath, PlacedPath};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::json::{self, JsonGrammar, JsonNode};

/// Most paths that one file may name.
const MAX_NAMED: usize = 1000;

/// What `.claude-plugin/plugin.json` or `.claude-plugin/marketplace.json` names. Paths count from the root of the plugin.
pub(in crate::agents) fn named(bytes: &[u8]) -> Vec<BundlePath> {
    let Some((value, ..)) = with_places(bytes) else { return Vec::new() };
    let mut named = hints(&value, "");
    let market = Marketplace::of(&value);
    for plugin in market.entries() {
        for root in market.roots(plugin) {
            named.extend(hints(plugin, &root));
            named.push(BundlePath::Root(root));
        }
    }
    named.truncate(MAX_NAMED);
    named
}

/// The commands and agents that a plugin's own entry names.
fn hints(plugin: &JsonNode, root: &str) -> Vec<BundlePath> {
    let kinds = [("commands", Kind::Of(&COMMAND)), ("agents", Kind::Of(&SUBAGENT))];
    let named = kinds.into_iter().flat_map(|(field, kind)| {
        let paths = plugin.get(field).map(JsonNode::one_or_more).unwrap_or_default();
        paths.iter().filter_map(JsonNode::text).map(move |path| BundlePath::Hints(format!("{root}/{path}"), kind))
    });
    named.collect()
}

/// The keys of a plugin's paths.
const PATHS: [&str; 7] = ["agents", "commands", "hooks", "lspServers", "mcpServers", "outputStyles", "skills"];

/// A manifest or a marketplace, its text without a byte order mark, and how long that mark is.
pub(super) fn with_places(bytes: &[u8]) -> Option<(JsonNode, &str, usize)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
    Some((json::parse(plain, JsonGrammar::STRICT).ok()?, plain, text.len() - plain.len()))
}

/// The paths that a manifest or a marketplace names. One that leads nowhere makes those below it mean nothing.
pub(in crate::agents) fn paths(bytes: &[u8]) -> Vec<PlacedPath> {
    let Some((root, _, mark)) = with_places(bytes) else { return Vec::new() };
    let mut found = placed(&root, &[String::new()]);
    let market = Marketplace::of(&root);
    for plugin in market.entries() {
        let roots = market.roots(plugin);
        let Some(span) = plugin.get("source").map(|source| source.span).filter(|_| !roots.is_empty()) else { continue };
        found.extend(placed(plugin, &roots));
        found.push(PlacedPath { places: roots, span, is_source: true });
    }
    found.iter_mut().for_each(|path| path.span = Span::new(path.span.start + mark, path.span.end + mark));
    found.truncate(MAX_NAMED);
    found
}

/// A commit has so many digits.
const COMMIT_LENGTH: usize = 40;

/// The entries of a marketplace: `source` is a path, or an object that names a repository or a package, with `ref` for a branch
/// or a tag and `sha` for a commit (documentation).
pub(in crate::agents) fn entries(bytes: &[u8]) -> Vec<BundleEntry> {
    let Some((root, plain, mark)) = with_places(bytes) else { return Vec::new() };
    let moved = |span: Span| Span::new(span.start + mark, span.end + mark);
    let market = Marketplace::of(&root);
    let entry = |plugin: &JsonNode| {
        let (name, source) = (plugin.get("name")?, plugin.get("source")?);
        let kind = source.get("source").and_then(JsonNode::text);
        let pins: &[&str] = match kind {
            Some("github" | "url" | "git" | "git-subdir") => &["ref", "sha"],
            Some("npm" | "pip") => &["version"],
            _ => &[],
        };
        let commit = source.get("sha").filter(|_| pins.contains(&"sha"));
        let is_commit = |text: &str| text.len() == COMMIT_LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(BundleEntry {
            name: name.text()?.to_owned(),
            name_span: moved(name.span),
            source: source.plain().to_string(),
            source_span: moved(source.span),
            line: memchr::memchr_iter(b'\n', &plain.as_bytes()[..source.span.start]).count() + 1,
            is_outside: kind.is_some_and(|kind| !matches!(kind, "directory" | "file" | "local")),
            is_floating: !pins.is_empty() && pins.iter().all(|pin| source.get(pin).is_none()),
            roots: market.roots(plugin),
            is_whole: is_whole(plugin),
            version: plugin.get("version").and_then(|node| Some((node.text()?.to_owned(), moved(node.span)))),
            wrong_commit: commit
                .filter(|commit| !commit.text().is_some_and(is_commit))
                .map(|commit| (commit.plain().to_string(), moved(commit.span))),
        })
    };
    market.entries().filter_map(entry).collect()
}

/// Whether a value that does not begin with `./` is a path all the same, as some write it: `skills/x/SKILL.md`.
fn is_bare_path(value: &str) -> bool {
    let starts = |c: char| c.is_ascii_alphanumeric() || c == '_';
    value.contains('/') && value.starts_with(starts) && !value.contains([':', ' ', '@'])
}

/// The paths of one plugin, which should begin with `./`.
fn placed(plugin: &JsonNode, roots: &[String]) -> Vec<PlacedPath> {
    let values = PATHS.iter().filter_map(|key| plugin.get(key));
    let values = values.flat_map(|value| value.items().iter().chain(std::iter::once(value)));
    let path = |value: &JsonNode| {
        let text = value.text()?;
        let is_path = text.starts_with("../") || is_bare_path(text);
        let path = text.strip_prefix("./").or_else(|| is_path.then_some(text))?;
        let below = |root: &String| if root.is_empty() { path.to_owned() } else { format!("{root}/{path}") };
        Some(PlacedPath { places: roots.iter().map(below).collect(), span: value.span, is_source: false })
    };
    values.filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_and_marketplaces() {
        let hints = |path: &str, kind| BundlePath::Hints(path.to_owned(), kind);
        assert_eq!(
            named(br#"{"name": "x", "commands": ["./c/a.md", "./d/"], "agents": "./helpers/"}"#),
            [
                hints("/./c/a.md", Kind::Of(&COMMAND)),
                hints("/./d/", Kind::Of(&COMMAND)),
                hints("/./helpers/", Kind::Of(&SUBAGENT))
            ]
        );
        let market = br#"{"metadata": {"pluginRoot": "./plugins"}, "plugins": [
            {"name": "a", "source": "a", "commands": ["./x.md"]}, {"name": "b", "source": {"source": "github"}}]}"#;
        assert_eq!(
            named(market),
            [hints("./plugins/a/./x.md", Kind::Of(&COMMAND)), BundlePath::Root("./plugins/a".to_owned())]
        );
        assert_eq!(named(b"{"), []);
    }

    #[test]
    fn a_source_that_begins_at_the_marketplace_may_count_from_either() {
        let places = |source: &str| {
            let market = format!(r#"{{"metadata": {{"pluginRoot": "./p"}}, "plugins": [{{"source": "{source}"}}]}}"#);
            paths(market.as_bytes()).into_iter().flat_map(|path| path.places).collect::<Vec<_>>()
        };
        assert_eq!(places("./p/a"), ["./p/./p/a", "./p/a"]);
        assert_eq!(places("a"), ["./p/a"]);
    }

    #[test]
    fn a_path_may_lack_its_dot() {
        let places = |value: &str| {
            let found = paths(format!(r#"{{"name": "a", "skills": ["{value}"]}}"#).as_bytes());
            found.into_iter().flat_map(|path| path.places).collect::<Vec<_>>()
        };
        assert_eq!(places("skills/x/SKILL.md"), ["skills/x/SKILL.md"]);
        assert_eq!(places("./skills/x"), ["skills/x"]);
        assert_eq!(places("../x/hooks.json"), ["../x/hooks.json"]);
        for other in ["x", "@a/b", "https://a.example/b", "${ROOT}/a", "/etc/a", "some words a/b"] {
            assert_eq!(places(other), [""; 0], "{other}");
        }
    }
}
