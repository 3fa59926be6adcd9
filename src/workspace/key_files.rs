//! Files that hold keys of providers and are under version control, with the keys masked: whatever shows a line of such a file shows
//! no key. Files that git does not track are not opened.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::base::defect;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover::Discovery;
use crate::parse::secrets;
use crate::source::{EntryKind, Listing, Probe, Source};

/// The file that holds keys by the names of their variables.
pub(crate) const KEYS: &str = ".api-keys.json";

/// The settings that may hold a key besides others.
pub(crate) const SETTINGS: &str = ".flpipeline.json";

/// A tracked file of keys.
#[derive(Clone, Debug)]
pub(crate) struct KeyFile {
    /// The text, with each key masked by as many bytes.
    pub masked: Arc<[u8]>,
    /// Its keys, in order: where each stands, and whose it is and how it begins, if it has a published form.
    pub keys: Vec<(Span, Option<(&'static str, &'static str)>)>,
}

/// The tracked files of keys in `listing`, by path. Outside git nothing is tracked.
pub(super) fn collect(source: &dyn Source, listing: &Listing, discovery: &Discovery) -> BTreeMap<RepoPath, KeyFile> {
    let is_wanted = |path: &[u8]| {
        let name = path::file_name(path);
        (name == KEYS.as_bytes() || name == SETTINGS.as_bytes()) && !discovery.is_excluded(path)
    };
    let listed = listing.marked().filter(|entry| entry.kind == EntryKind::File && is_wanted(entry.path));
    let paths: Vec<RepoPath> = listed.map(|entry| RepoPath::new(entry.path)).collect();
    if paths.is_empty() || !source.is_versioned() {
        return BTreeMap::new();
    }
    let probes = source.probe_many(&paths);
    let tracked = paths.into_iter().zip(probes).filter(|(_, probe)| *probe == Probe::Tracked);
    let paths: Vec<RepoPath> = tracked.map(|(path, _)| path).collect();
    let read = source.read_many(&paths);
    let file = |(path, bytes): (RepoPath, crate::source::ReadResult)| {
        let file = defect::contain(|| key_file(path.file_name(), &bytes.ok()?))??;
        Some((path, file))
    };
    paths.into_iter().zip(read).filter_map(file).collect()
}

/// A settings file with each key of a published form, private key and password in an address masked.
pub(crate) fn masked(bytes: &Arc<[u8]>) -> Arc<[u8]> {
    let found = std::str::from_utf8(bytes).map(secrets::hidden).unwrap_or_default();
    if found.is_empty() {
        return bytes.clone();
    }
    let mut masked = bytes.to_vec();
    for span in found {
        // Lines stay lines.
        masked[span.range()].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b'*');
    }
    masked.into()
}

fn key_file(name: &[u8], bytes: &[u8]) -> Option<KeyFile> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut keys: Vec<(Span, Option<(&'static str, &'static str)>)> =
        secrets::find(text).into_iter().map(|key| (key.span, Some((key.issuer, key.prefix)))).collect();
    let likely: BTreeSet<String> = values(name, text).into_iter().filter(|value| secrets::is_likely(value)).collect();
    let published = keys.len();
    for literal in strings(text).filter(|_| !likely.is_empty()) {
        // Those of a published form are in order, and none overlaps another.
        let next = keys[..published].partition_point(|(known, _)| known.end <= literal.start);
        let is_known = keys[..published].get(next).is_some_and(|(known, _)| known.overlaps(literal));
        let value = serde_json::from_str::<String>(&text[literal.range()]).unwrap_or_default();
        if likely.contains(&value) && !is_known {
            keys.push((Span::new(literal.start + 1, literal.end - 1), None));
        }
    }
    keys.sort_unstable();
    let mut masked = bytes.to_vec();
    for (span, form) in &keys {
        let shown = form.map_or(0, |(_, prefix)| prefix.len());
        masked[span.start + shown..span.end].fill(b'*');
    }
    Some(KeyFile { masked: masked.into(), keys })
}

/// The strings of a text that is JSON, with their quotation marks.
fn strings(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr::memchr(b'"', bytes.get(at..)?)?;
        let mut end = start + 1;
        while *bytes.get(end)? != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        at = end + 1;
        Some(Span::new(start, at))
    })
}

/// The values that stand where a key belongs.
fn values(name: &[u8], text: &str) -> Vec<String> {
    let json: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_default();
    let values: Vec<&Value> = match name == KEYS.as_bytes() {
        true => json.as_object().into_iter().flat_map(|object| object.values()).collect(),
        false => vec![&json["llmProvider"]["apiKey"]],
    };
    values.into_iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::secrets::tests::key;

    #[test]
    fn keys_are_masked_at_their_places() {
        let text = format!("{{\n \"A\": \"{}\",\n \"B\": \"q8W2e5R7t1Y4u9I3o6P0\", \"C\": 5}}\n", key("ghp_", 36, ""));
        let file = key_file(KEYS.as_bytes(), text.as_bytes()).unwrap();
        let places: Vec<&str> = file.keys.iter().map(|(span, _)| &text[span.range()]).collect();
        assert_eq!(places, [key("ghp_", 36, "").as_str(), "q8W2e5R7t1Y4u9I3o6P0"]);
        assert_eq!(file.keys[0].1, Some(("GitHub", "ghp_")));
        let masked = String::from_utf8(file.masked.to_vec()).unwrap();
        assert_eq!(
            masked,
            format!("{{\n \"A\": \"ghp_{}\",\n \"B\": \"{}\", \"C\": 5}}\n", "*".repeat(36), "*".repeat(20))
        );
    }

    #[test]
    fn settings_have_one_place_for_a_key() {
        let text =
            "{\"docsDbFilename\": \"q8W2e5R7t1Y4u9I3o6P0\", \"llmProvider\": {\"apiKey\": \"your-api-key-here-0123\"}}";
        assert_eq!(key_file(SETTINGS.as_bytes(), text.as_bytes()).unwrap().keys, []);
        let text = text.replace("your-api-key-here-0123", "q8W2e5R7t1Y4u9I3o6P1");
        assert_eq!(key_file(SETTINGS.as_bytes(), text.as_bytes()).unwrap().keys.len(), 1);
        assert!(key_file(KEYS.as_bytes(), b"\xff").is_none());
        assert_eq!(key_file(KEYS.as_bytes(), b"not JSON").unwrap().keys, []);
    }

    #[test]
    fn a_key_is_masked_wherever_and_however_it_is_written() {
        let text = r#"{"A": "q8W2e5R7t1Y4u9I3o6P0", "B": "q8W2e5R7t1Y4u9I3o6P0", "C": "\u0071x\"W2e5R7t1Y4u9I3o6P0"}"#;
        let file = key_file(KEYS.as_bytes(), text.as_bytes()).unwrap();
        assert_eq!(file.keys.len(), 3, "{:?}", String::from_utf8_lossy(&file.masked));
        assert!(!String::from_utf8_lossy(&file.masked).contains("W2e5"));
    }
}
