//! The scan never panics and stays inside the text; sanitising ends, is idempotent, and leaves clean text untouched.
#![no_main]

use hintlint::parse::unicode;
use hintlint::parse::unicode::sanitize;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for hits in [unicode::scan_markdown(data), unicode::scan_other(data), unicode::scan_name(data)] {
        assert!(hits.iter().all(|hit| hit.span.start <= hit.span.end && hit.span.end <= data.len()));
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let clean = sanitize(text);
    assert_eq!(sanitize(&clean), clean, "sanitising twice changes more");
    if unicode::scan_markdown(data).is_empty() {
        assert_eq!(clean, text, "text without findings was changed");
    }
});
