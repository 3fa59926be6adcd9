//! What stays the same of a finding when lines above it come or go. SARIF, GitLab and the baseline compare runs by it.

use std::collections::BTreeMap;

use super::SourceText;
use crate::base::finding::Finding;
use crate::base::path::RepoPath;

/// Makes fingerprints of findings in the order of a report.
pub(crate) struct Fingerprints<'a> {
    sources: &'a BTreeMap<RepoPath, SourceText>,
    /// How often a fingerprint came up before.
    occurrences: BTreeMap<u64, usize>,
    /// The hashes of the lines that have findings.
    lines: BTreeMap<(&'a RepoPath, usize), u64>,
}

impl<'a> Fingerprints<'a> {
    /// Fingerprints of findings in the texts `sources`.
    pub(crate) fn new(sources: &'a BTreeMap<RepoPath, SourceText>) -> Self {
        Fingerprints { sources, occurrences: BTreeMap::new(), lines: BTreeMap::new() }
    }

    /// The rule, the path, the line's text, and which of several such findings it is.
    pub(crate) fn of(&mut self, finding: &Finding) -> String {
        let line = self.line(finding);
        let hash = hash(&[finding.rule.as_bytes(), finding.path.as_bytes(), &line.to_le_bytes()]);
        let occurrence = self.occurrences.entry(hash).or_insert(0);
        *occurrence += 1;
        format!("{hash:016x}:{occurrence}")
    }

    /// The hash of the text of the finding's line without blanks around it, computed once per line, however many findings it
    /// has. The same for all findings about a whole file, or in a text that is not known.
    pub(crate) fn line(&mut self, finding: &Finding) -> u64 {
        let known = self.sources.get_key_value(&finding.path).filter(|_| !finding.is_placeless());
        let Some((path, source)) = known else { return hash(&[]) };
        let line = source.lines.line_of(finding.span.start.min(source.bytes.len()));
        let text = || source.bytes[source.lines.line_content(&source.bytes, line).range()].trim_ascii();
        *self.lines.entry((path, line)).or_insert_with(|| hash(&[text()]))
    }
}

/// FNV-1a over the parts, each followed by a zero byte. Stable for ever: the fingerprints of earlier runs are compared with it.
fn hash(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter().chain(&[0]));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
