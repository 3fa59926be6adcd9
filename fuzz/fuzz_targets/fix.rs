//! Checking never panics, findings lie on character boundaries inside their files, and mending reaches a fixed point.
#![no_main]

mod files;

use std::sync::Arc;

use hintlint::finding::Applicability;
use hintlint::fix::{self, Overlay};
use hintlint::path::RepoPath;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let memory = files::memory(data);
    let mut overlay = Overlay::new(&memory);
    for _ in 0..fix::MAX_ROUNDS {
        let (report, workspace) = files::lint(&overlay);
        let bytes = |path: &RepoPath| -> Option<Arc<[u8]>> {
            workspace.document(path.as_bytes()).map(|document| document.bytes.clone())
        };
        for finding in &report.findings {
            let Some(bytes) = bytes(&finding.path) else { continue };
            assert!(finding.span.start <= finding.span.end && finding.span.end <= bytes.len(), "{finding:?}");
            if let Ok(text) = std::str::from_utf8(&bytes) {
                assert!(text.get(finding.span.range()).is_some(), "{finding:?}");
            }
        }
        let mended = fix::apply(&report.findings, Applicability::Safe, &bytes);
        if mended.is_empty() {
            return;
        }
        for (path, mended) in mended {
            overlay.change(path, mended.bytes);
        }
    }
    panic!("mending does not end");
});
