//! What a session was given already, as its cache file has it. What this version does not know of the file survives.

use serde_json::{Map, Value};

/// More entries than this are not kept, the oldest going first.
const MAX: usize = 5_000;

/// One session's cache.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SeenCache {
    object: Map<String, Value>,
}

impl SeenCache {
    /// Read the file's bytes; what makes no sense is an empty cache.
    pub(crate) fn parse(bytes: Option<&[u8]>) -> SeenCache {
        match bytes.map(serde_json::from_slice) {
            Some(Ok(Value::Object(object))) => SeenCache { object },
            _ => SeenCache::default(),
        }
    }

    /// The file's bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut text = serde_json::to_string_pretty(&self.object).unwrap_or_default();
        text.push('\n');
        text.into_bytes()
    }

    /// Whether the session was given a file with this hash.
    pub(crate) fn has_hash(&self, hash: &str) -> bool {
        self.has(HASHES, hash)
    }

    /// Whether the session was given the file at this path.
    pub(crate) fn has_path(&self, path: &str) -> bool {
        self.has(PATHS, path)
    }

    /// The session was given the file at `path`, whose content has this hash.
    pub(crate) fn add(&mut self, path: &str, hash: &str) {
        self.push(HASHES, hash);
        self.push(PATHS, path);
    }

    /// What it says besides the files that the session was given.
    pub(crate) fn without_files(mut self) -> SeenCache {
        self.object.remove(HASHES);
        self.object.remove(PATHS);
        self
    }

    /// A number of the file's; 0 if there is none.
    pub(crate) fn number(&self, key: &str) -> u64 {
        self.object.get(key).and_then(Value::as_u64).unwrap_or(0)
    }

    /// A text of the file's; empty if there is none.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.object.get(key).and_then(Value::as_str).unwrap_or("")
    }

    /// Write a number or text.
    pub(crate) fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.object.insert(key.to_owned(), value.into());
    }

    fn has(&self, key: &str, wanted: &str) -> bool {
        let list = self.object.get(key).and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|item| item.as_str() == Some(wanted)))
    }

    fn push(&mut self, key: &str, item: &str) {
        if self.has(key, item) {
            return;
        }
        let entry = self.object.entry(key).or_insert(Value::Null);
        if !entry.is_array() {
            *entry = Value::Array(Vec::new());
        }
        if let Some(list) = entry.as_array_mut() {
            list.push(item.into());
            list.drain(..list.len().saturating_sub(MAX));
        }
    }
}

const HASHES: &str = "injected_hashes";
const PATHS: &str = "injected_paths";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_once_and_others_fields_survive() {
        let mut seen = SeenCache::parse(Some(br#"{"theirs": 1, "injected_paths": "odd"}"#));
        for _ in 0..2 {
            seen.add("/a", "h");
        }
        assert!(seen.has_hash("h") && seen.has_path("/a") && !seen.has_path("h"));
        let text = String::from_utf8(seen.to_bytes()).unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(&text).unwrap(),
            serde_json::json!({"theirs": 1, "injected_paths": ["/a"], "injected_hashes": ["h"]})
        );
        for broken in ["", "{", "[]", "\"x\""] {
            assert_eq!(SeenCache::parse(Some(broken.as_bytes())), SeenCache::default());
        }
    }
}
