//! What has to hold of every text that leaves the program, and of every list of findings.

use std::collections::BTreeMap;

use hintlint::base::finding::Finding;
use hintlint::base::path::RepoPath;
use hintlint::engine::Report;
use hintlint::rules::{self, Group};
use hintlint::workspace::Workspace;

use super::machine::SECRET;

/// Whether `c` may stand in no text that is put before a model without a reviewer (SEEDS D09): controls but tab and
/// newline, bidi controls, soft hyphens, byte order marks, word joiners, interlinear annotation, invisible tags but those of
/// flags. Joiners and selectors are left out, since scripts and emoji need them.
fn is_hostile(before: Option<char>, c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{E0020}'..='\u{E007F}' => !matches!(before, Some('\u{1F3F4}' | '\u{E0020}'..='\u{E007F}')),
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FFF9}'..='\u{FFFB}' => true,
        '\u{AD}' | '\u{FEFF}' | '\u{2060}' | '\u{E0001}' => true,
        c => c.is_control(),
    }
}

/// Whether a file has nothing that must be removed before a model reads it.
pub(crate) fn is_quiet(bytes: &[u8]) -> bool {
    !String::from_utf8_lossy(bytes).chars().any(|c| c != '\r' && is_hostile(None, c))
}

/// Nothing is hidden in a text that a model reads. A carriage return is part of a line end, or hidden.
pub(crate) fn nothing_hidden(what: &str, text: &str) {
    let mut before = None;
    for c in text.replace("\r\n", "\n").chars() {
        assert!(!is_hostile(before, c), "{what} has U+{:04X}: {text:?}", u32::from(c));
        before = Some(c);
    }
}

/// Nothing from a git directory or from outside the checkout is in `text`.
pub(crate) fn no_secret(what: &str, text: &str) {
    assert!(!text.contains(SECRET), "{what} shows a file that is no instruction: {text:?}");
}

/// Output for people and logs is UTF-8 and has no character that a terminal obeys or hides.
pub(crate) fn printable(what: &str, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{what} is not UTF-8: {error}"));
    nothing_hidden(what, text);
}

/// Each finding lies on character boundaries inside its file.
pub(crate) fn spans_fit(report: &Report, workspace: &Workspace) {
    for finding in &report.findings {
        let Some(document) = workspace.document(finding.path.as_bytes()) else { continue };
        let bytes = &document.bytes;
        assert!(finding.span.start <= finding.span.end && finding.span.end <= bytes.len(), "{finding:?}");
        if let Ok(text) = std::str::from_utf8(bytes) {
            assert!(text.get(finding.span.range()).is_some(), "{finding:?} is not on character boundaries");
        }
    }
}

/// How often each rule complains about each file. The rules on imports count as one: an import whose path a fix corrects is
/// read as an import from then on, and an agent may find something lesser wrong with it.
pub(crate) type Counts = BTreeMap<(RepoPath, &'static str), usize>;

/// The [`Counts`] of some findings.
pub(crate) fn counts(findings: &[Finding]) -> Counts {
    let mut counts = Counts::new();
    for finding in findings {
        let rule = if group(finding.rule) == Some(Group::Imports) { "imports" } else { finding.rule };
        *counts.entry((finding.path.clone(), rule)).or_default() += 1;
    }
    counts
}

fn group(rule: &str) -> Option<Group> {
    rules::find(rule).map(|info| info.group)
}

/// The fixes between `before` and `after` brought no finding into a file that was checked before. Excepted, by DESIGN §2: what
/// a repaired import or frontmatter lets rules see for the first time, suppressions that are no longer used, and artifacts.
/// Excepted besides: what a hidden character kept rules from seeing, such as that a file is empty without it or that two tasks
/// are one.
pub(crate) fn nothing_new(before: &Counts, after: &Counts, was_checked: &dyn Fn(&RepoPath) -> bool) {
    let uncovers = |rule: &str| rule == "imports" || matches!(group(rule), Some(Group::Frontmatter | Group::Unicode));
    if before.keys().any(|(_, rule)| uncovers(rule)) {
        return;
    }
    for ((path, rule), count) in after {
        let is_excepted = *rule == "unused-suppression"
            || group(rule) == Some(Group::Artifacts)
            || !was_checked(path)
            // What is no checkbox is no task yet, and what stands in an open fence is code.
            || before.contains_key(&(path.clone(), "malformed-checkbox"))
            || before.contains_key(&(path.clone(), "unclosed-fence"))
            // A link whose path gets its right case leads to a file for the first time, which may lack the link's anchor.
            || (*rule == "broken-link" && before.contains_key(&(path.clone(), "wrong-case-path")));
        let old = before.get(&(path.clone(), *rule)).copied().unwrap_or(0);
        assert!(is_excepted || *count <= old, "fixes brought {rule} into {path:?}: {old} before, {count} after");
    }
}
