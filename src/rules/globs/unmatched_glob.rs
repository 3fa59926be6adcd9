//! `unmatched-glob`: a path pattern that no file of the repository matches. All patterns of a run are tried in one pass over the
//! listing.

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};
use rayon::prelude::*;

use crate::finding::{Finding, Level};
use crate::parse::Document;
use crate::parse::patterns::{self, Pattern};
use crate::path;
use crate::rules::references::applies;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::Listing;
use crate::workspace::mentions::Form;

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

/// Paths that one thread tries in a row.
const CHUNK: usize = 4096;
/// A longer pattern is given the benefit of the doubt.
const MAX_PATTERN: usize = 1000;

/// The rule.
pub(super) struct UnmatchedGlob;

impl Rule for UnmatchedGlob {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let documents =
            cx.workspace.documents.iter().filter(|document| applies(cx.workspace, document, cx.selected, INFO.name));
        let all: Vec<(&Document, Pattern)> = documents
            .flat_map(|document| patterns::of(document).into_iter().map(move |pattern| (document, pattern)))
            .collect();
        let Some((set, owners)) = compiled(&all).filter(|(set, _)| !set.is_empty()) else { return };
        let matched = matched(&cx.workspace.listing, &set, &owners, all.len());
        for ((document, pattern), matched) in all.iter().zip(matched) {
            let gone = || {
                let mentions = cx.workspace.mentions.of(&document.path);
                mentions.iter().any(|mention| {
                    // What dead-glob says of it says more.
                    mention.form == Form::Glob
                        && pattern.span.covers(mention.span)
                        && findings.iter().any(|finding| finding.path == document.path && finding.span == mention.span)
                })
            };
            if matched || gone() {
                continue;
            }
            let message = format!("no file of this repository matches `{}`", pattern.text);
            findings.push(Finding::new(INFO.name, Level::Info, &document.path, pattern.span, message));
        }
    }
}

/// All patterns as one set, and for each glob of the set the pattern that it stands for. Patterns that cannot be compiled count
/// as matched: another rule speaks of them.
fn compiled(all: &[(&Document, Pattern)]) -> Option<(GlobSet, Vec<usize>)> {
    let mut builder = GlobSetBuilder::new();
    let mut owners = Vec::new();
    for (index, (document, pattern)) in
        all.iter().enumerate().filter(|(_, (_, pattern))| pattern.text.len() <= MAX_PATTERN)
    {
        for base in patterns::bases(document) {
            let base = String::from_utf8_lossy(base);
            for spelling in spellings(&pattern.text) {
                let whole = if base.is_empty() { spelling } else { format!("{}/{spelling}", globset::escape(&base)) };
                let glob = GlobBuilder::new(&whole).literal_separator(true).case_insensitive(true).build();
                if let Ok(glob) = glob {
                    builder.add(glob);
                    owners.push(index);
                }
            }
        }
    }
    Some((builder.build().ok()?, owners))
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

/// Which patterns match some listed file. A pattern without a glob counts as matched.
fn matched(listing: &Listing, set: &GlobSet, owners: &[usize], patterns: usize) -> Vec<bool> {
    let mut matched = vec![true; patterns];
    for &owner in owners {
        matched[owner] = false;
    }
    let starts: Vec<usize> = (0..listing.len()).step_by(CHUNK).collect();
    let found = starts.into_par_iter().map(|start| {
        let mut seen = vec![false; patterns];
        let mut hits = Vec::new();
        for index in start..(start + CHUNK).min(listing.len()) {
            let path = path::bytes_to_os_path(listing.entry(index).path);
            set.matches_candidate_into(&Candidate::new(&path), &mut hits);
            for &hit in &hits {
                seen[owners[hit]] = true;
            }
        }
        seen
    });
    let either = |mut a: Vec<bool>, b: Vec<bool>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
        a
    };
    let found = found.reduce(|| vec![false; patterns], either);
    either(matched, found)
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
