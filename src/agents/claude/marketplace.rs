//! Marketplaces of plugins: the entries, and where the plugin of each lies. Whoever looks at a marketplace reads it here.

use crate::parse::json::JsonNode;

/// Most entries that are looked at.
const MAX_ENTRIES: usize = 1000;

/// A marketplace that has been parsed.
#[derive(Clone, Copy)]
pub(super) struct Marketplace<'r> {
    base: &'r str,
    plugins: &'r [JsonNode],
}

impl<'r> Marketplace<'r> {
    /// The marketplace of a file; one without entries if the file is another.
    pub(super) fn of(root: &'r JsonNode) -> Self {
        let base = root.at(&["metadata", "pluginRoot"]).and_then(JsonNode::text).unwrap_or_default();
        Marketplace { base, plugins: root.get("plugins").map(JsonNode::items).unwrap_or_default() }
    }

    /// Its entries.
    pub(super) fn entries(self) -> impl Iterator<Item = &'r JsonNode> {
        self.plugins.iter().take(MAX_ENTRIES)
    }

    /// Where the folder of an entry's plugin may be, from the folder of the marketplace, the likeliest first: none if the plugin
    /// lies elsewhere. Whether the base counts for a source that begins at the marketplace (`./`) is not documented.
    pub(super) fn roots(self, entry: &JsonNode) -> Vec<String> {
        // A source elsewhere is an object, or an address.
        let source = entry.get("source").and_then(JsonNode::text).filter(|source| !source.contains(':'));
        let Some(source) = source else { return Vec::new() };
        let is_placed = source.starts_with("./");
        let alone = (self.base.is_empty() || is_placed).then(|| source.to_owned());
        let based = (!self.base.is_empty()).then(|| format!("{}/{source}", self.base));
        based.into_iter().chain(alone).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    #[test]
    fn entries_lie_where_their_sources_say() {
        let roots = |base: &str, source: &str| {
            let text = format!(r#"{{"metadata": {{"pluginRoot": "{base}"}}, "plugins": [{{"source": {source}}}]}}"#);
            let root = json::parse(&text, JsonGrammar::STRICT).expect("it is JSON");
            let market = Marketplace::of(&root);
            market.entries().map(|entry| market.roots(entry).join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(roots("", "\"./a\""), ["./a"]);
        assert_eq!(roots("./p", "\"./a\""), ["./p/./a ./a"]);
        assert_eq!(roots("./p", "\"a\""), ["./p/a"]);
        assert_eq!(roots("", "\"https://x.example/a\""), [""]);
        assert_eq!(roots("", r#"{"source": "github", "repo": "o/a"}"#), [""]);
    }
}
