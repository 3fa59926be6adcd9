//! The scan never panics and stays inside the text; sanitising ends, is idempotent, and leaves plain text as it is.

use std::path::Path;

use hintlint::parse::unicode;
use hintlint::parse::unicode::sanitize;

use super::seeds;

pub(crate) fn run(data: &[u8]) {
    for hits in [unicode::scan_markdown(data), unicode::scan_other(data), unicode::scan_name(data)] {
        assert!(hits.iter().all(|hit| hit.span.start <= hit.span.end && hit.span.end <= data.len()));
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let clean = sanitize(text);
    assert_eq!(sanitize(&clean), clean, "sanitising twice changes more");
    // Sanitising removes more than is reported, since nobody reviews its result.
    if unicode::is_plain(data) {
        assert_eq!(clean, text, "plain text was changed");
    }
}

pub(crate) fn seeds(fixtures: &Path) -> Vec<Vec<u8>> {
    seeds::texts(fixtures, &|text| !text.is_ascii())
}
