//! `unmatched-glob`: a path pattern that no file of the repository matches.

#[cfg(feature = "server")]
use globset::GlobMatcher;
use rayon::prelude::*;

use super::{dead_glob, search::GlobSearch};

use crate::base::finding::{Finding, Level};
use crate::parse::patterns::{self, PathPattern};
use crate::parse::{Document, braces};
use crate::rules::references::{PathVerdict, applies, ask_fates, verdict};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::mentions::{MentionForm, Miss};
#[cfg(feature = "server")]
use {
    super::search::matcher,
    crate::base::path::{self, RepoPath},
    crate::source::{EntryKind, Listing},
};

static INFO: RuleInfo = RuleInfo {
    name: "unmatched-glob",
    group: Group::Globs,
    levels: &[Level::Info],
    summary: "a path pattern matches no file of the repository",
    explanation: "\
## What it does
Reports patterns in `paths`, `globs`, `applyTo`, `fileMatchPattern` and `applies_to` that match no listed file. Where agents
differ, the pattern is read in the more generous way: without regard to case, and at any depth if it has no slash.

## Why is this bad?
The rule is never loaded. It may wait for files that are yet to come, or it may have a typing error.

## Example
```yaml
globs: scr/**/*.ts
```

## How to fix
Correct the pattern, or delete the rule.
",
    evidence: &[Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// A longer pattern, or one behind so many others of its file, is given the benefit of the doubt.
const MAX_PATTERN: usize = 1000;
const MAX_PATTERNS: usize = 1000;

/// The rule.
pub(super) struct UnmatchedGlob;

impl Rule for UnmatchedGlob {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        ask_fates(cx, &INFO, questions, |document, mention| {
            let is_reported =
                mention.form == MentionForm::Glob && applies(cx.workspace, document, cx.selected, INFO.name);
            is_reported.then_some(Level::Info)
        });
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let documents =
            cx.workspace.documents.iter().filter(|document| applies(cx.workspace, document, cx.selected, INFO.name));
        let all: Vec<(&Document, PathPattern)> = documents
            .flat_map(|document| {
                patterns::of(document).into_iter().take(MAX_PATTERNS).map(move |pattern| (document, pattern))
            })
            .collect();
        let search = GlobSearch::new(&cx.workspace.listing);
        let matched: Vec<bool> =
            all.par_iter().map(|(document, pattern)| matches(&search, document, pattern)).collect();
        for ((document, pattern), matched) in all.iter().zip(matched) {
            if matched || is_dead(cx, document, pattern) {
                continue;
            }
            let message = format!("no file of this repository matches `{}`", pattern.text);
            findings.push(Finding::new(INFO.name, Level::Info, &document.path, pattern.span, message));
        }
    }
}

/// Whether `dead-glob` reports the pattern, and says more. It does not where the user selected other rules.
fn is_dead(cx: &Cx<'_>, document: &Document, pattern: &PathPattern) -> bool {
    let tells = cx.selected.is_empty() || cx.selected.contains(dead_glob::INFO.name);
    tells
        && cx.workspace.mentions.of(&document.path).iter().any(|mention| {
            let Miss::Absent { candidates, .. } = &mention.place else { return false };
            mention.form == MentionForm::Glob
                && pattern.span.covers(mention.span)
                && matches!(verdict(cx, candidates), PathVerdict::Renamed { .. } | PathVerdict::Deleted { .. })
        })
}

/// Whether some file matches, from any of the document's bases and in any spelling. A pattern that cannot be compiled counts as
/// matched: another rule speaks of it.
fn matches(search: &GlobSearch<'_>, document: &Document, pattern: &PathPattern) -> bool {
    if pattern.text.len() > MAX_PATTERN || braces::refusal(&pattern.text).is_some() {
        return true;
    }
    let spellings = spellings(&pattern.text);
    let mut compiled = false;
    for base in patterns::bases(document) {
        let base = String::from_utf8_lossy(base);
        for spelling in &spellings {
            let found = match base.is_empty() {
                true => search.finds(spelling),
                false => search.finds(&format!("{}/{spelling}", globset::escape(&base))),
            };
            if found == Some(true) {
                return true;
            }
            compiled |= found.is_some();
        }
    }
    !compiled
}

/// The files that a pattern of `document` matches, sorted, in the reading of this rule; `None` for one that is no pattern.
#[cfg(feature = "server")]
pub(super) fn matching(listing: &Listing, document: &Document, pattern: &PathPattern) -> Option<Vec<RepoPath>> {
    if pattern.text.len() > MAX_PATTERN || braces::refusal(&pattern.text).is_some() {
        return None;
    }
    let bases = patterns::bases(document).into_iter().map(|base| String::from_utf8_lossy(base).into_owned());
    let globs = bases.flat_map(|base| {
        let below = move |spelling: String| match base.is_empty() {
            true => spelling,
            false => format!("{}/{spelling}", globset::escape(&base)),
        };
        spellings(&pattern.text).into_iter().map(below).collect::<Vec<_>>()
    });
    let matchers: Vec<GlobMatcher> = globs.filter_map(|glob| matcher(&glob)).collect();
    let is_match = |path: &[u8]| {
        let path = path::bytes_to_os_path(path);
        matchers.iter().any(|matcher| matcher.is_match(&path))
    };
    let files = listing.iter().filter(|entry| entry.kind == EntryKind::File && is_match(entry.path));
    (!matchers.is_empty()).then(|| files.map(|entry| RepoPath::new(entry.path)).collect())
}

/// The globs that a pattern stands for: itself, everything below it, and without a slash also both at any depth.
fn spellings(pattern: &str) -> Vec<String> {
    let plain = pattern.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
    let mut spellings = vec![plain.to_owned()];
    let names_files = plain.ends_with("**") || plain.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if !names_files {
        spellings.push(format!("{plain}/**"));
    }
    if !plain.contains('/') && !pattern.starts_with('/') {
        spellings = spellings.iter().map(|spelling| format!("**/{spelling}")).collect();
    }
    spellings
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::rules::references::testing::check_at;

    const FILES: &[&str] = &["src/a.ts", "src/deep/b.TSX", "docs/guide/c.md", "sub/lib/d.py"];

    #[test]
    fn patterns_without_a_file_are_told() {
        let text = "---\npaths:\n  - src/**/*.ts\n  - scr/**\n  - \"*.{tsx,jsx}\"\n  - guide\n  - /docs\n  - \"*.rb\"\n  - \"!x/**\"\n  - \"{a\"\n---\nx\n";
        assert_eq!(check_at(INFO.name, ".claude/rules/r.md", text, FILES, &[]), ["info scr/**", "info *.rb"]);
    }

    #[test]
    fn a_nested_rule_counts_from_its_own_folder() {
        let text = "---\npaths: lib/*.py, sub/lib/*.py\n---\nx\n";
        assert_eq!(check_at(INFO.name, "sub/.claude/rules/r.md", text, FILES, &[]), ["info sub/lib/*.py"]);
        let text = "---\nglobs: lib/*.py, sub/lib/*.py\nalwaysApply: false\n---\nx\n";
        assert_eq!(check_at(INFO.name, "sub/.cursor/rules/r.mdc", text, FILES, &[]), [""; 0]);
    }
}
