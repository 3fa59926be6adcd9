//! Texts that go into the page, each once, and their spelling in a block of JSON inside HTML.

use std::collections::HashMap;

use serde::Serialize;

use crate::base::characters::is_hidden;

/// `value` as JSON that ends no element and holds no character that hides: outside strings JSON has none of these.
pub(super) fn embedded(value: &impl Serialize) -> String {
    // Nothing in the data can fail to be JSON.
    let json = serde_json::to_string(value).unwrap_or_default();
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&' | '\u{7F}'..) && (c.is_ascii() || is_hidden(c)) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Values, each with the index of its first occurrence.
#[derive(Debug)]
pub(super) struct Interned<T> {
    values: Vec<T>,
    known: HashMap<T, usize>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Interned { values: Vec::new(), known: HashMap::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Interned<T> {
    /// The index of `value`.
    pub(super) fn index(&mut self, value: T) -> usize {
        if let Some(&index) = self.known.get(&value) {
            return index;
        }
        self.values.push(value.clone());
        self.known.insert(value, self.values.len() - 1);
        self.values.len() - 1
    }

    /// The value with this index.
    pub(super) fn get(&self, index: usize) -> Option<&T> {
        self.values.get(index)
    }

    /// All values, in the order of their indices.
    pub(super) fn into_values(self) -> Vec<T> {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_html() {
        let hostile = "</script><!-- &lt; \u{2028}\u{202E}\u{0}\u{E0041}\u{7f}\"\\ \u{fc}";
        let json = embedded(&hostile);
        assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{202E}', '\0', '\u{E0041}', '\u{7f}']), "{json}");
        assert!(json.contains('\u{fc}') && json.contains("\\udb40\\udc41"), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), hostile);
    }
}
