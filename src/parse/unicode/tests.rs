//! The engine against the labelled corpus and against generated text.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;
use crate::finding::Applicability;

/// The samples beside the repository. They are not part of it: without them the tests that need them say so and pass.
fn shared(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = root.ancestors().skip(1).map(|above| above.join("shared").join(path)).find(|path| path.exists());
    if found.is_none() {
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "SKIPPED: no ../shared/{path} beside {}", root.display());
    }
    found
}

/// Apply all fixes of at least this applicability once.
fn fixed_once(text: &str, hits: &[Hit]) -> String {
    let mut edits: Vec<(Span, String)> = hits
        .iter()
        .filter_map(|hit| hit.fix.as_ref())
        .filter(|fix| fix.applicability == Applicability::Safe)
        .flat_map(|fix| fix.edits.clone())
        .collect();
    edits.sort();
    let mut out = text.to_owned();
    for (span, replacement) in edits.into_iter().rev() {
        out.replace_range(span.range(), &replacement);
    }
    out
}

fn shown(hits: &[Hit]) -> Vec<&Hit> {
    hits.iter().filter(|hit| hit.level > Level::Info).collect()
}

#[test]
fn labelled_corpus() {
    let Some(corpus) = shared("corpus/unicode") else { return };
    let labels = std::fs::read_to_string(corpus.join("labels.tsv")).unwrap();
    let mut findings = String::new();
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    let mut attacked = BTreeSet::new();
    for row in labels.lines().skip(1) {
        let [file, kind, class, spans, payload] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let bytes = std::fs::read(corpus.join(file)).unwrap();
        let hits = scan_markdown(&bytes);
        if seen.insert(file) {
            for hit in shown(&hits) {
                let line = format!("{{\"file\":{file:?},\"start\":{},\"end\":{}}}\n", hit.span.start, hit.span.end);
                findings.push_str(&line);
            }
        }
        if kind == "benign" {
            problems.extend(shown(&hits).iter().map(|hit| format!("{file}: {}", hit.message)));
            continue;
        }
        attacked.insert(file);
        for span in spans.split(',') {
            let (start, end) = span.split_once('-').unwrap();
            let span = Span::new(start.parse().unwrap(), end.parse().unwrap());
            let Some(hit) = shown(&hits).into_iter().find(|hit| hit.span.overlaps(span)) else {
                problems.push(format!("{file}: {class} at {span:?} not found"));
                continue;
            };
            let decodable = !matches!(class, "homoglyph") && !payload.is_empty();
            if decodable && hit.decoded.as_ref().is_none_or(|decoded| decoded.text != payload) {
                problems.push(format!("{file}: {:?} instead of {payload:?}", hit.decoded));
            }
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let expected = std::fs::read_to_string(corpus.join(file.replace("files/", "fixed/"))).unwrap_or(text.clone());
        if sanitize(&text) != expected {
            problems.push(format!("{file}: {class} not fixed as expected"));
        }
    }
    if let Some(path) = std::env::var_os("HINTLINT_TEST_FINDINGS") {
        std::fs::write(path, findings).unwrap();
    }
    assert!(seen.len() > 100 && attacked.len() > 50, "the corpus is there but nearly empty");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
