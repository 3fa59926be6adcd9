//! `unmatched-glob`: a path pattern that no file of the repository matches.

mod language;
mod never;

#[cfg(feature = "server")]
use globset::GlobMatcher;
use rayon::prelude::*;

use super::{ask_of_patterns, dead_glob};
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path;
use crate::parse::patterns::{self, PathPattern};
use crate::parse::{Document, braces};
use crate::rules::references::{PathVerdict, applies, verdict};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::Listing;
use crate::source::history::Questions;
use crate::workspace::glob_search::GlobSearch;
use crate::workspace::mentions::{MentionForm, Miss};
#[cfg(feature = "server")]
use {crate::base::path::RepoPath, crate::source::EntryKind, crate::workspace::glob_search::matcher};

static INFO: RuleInfo = RuleInfo {
    name: "unmatched-glob",
    group: Group::Globs,
    levels: &[Level::Info, Level::Warning],
    summary: "a path pattern matches no file of the repository",
    explanation: "\
## What it does
Reports patterns in `paths`, `globs`, `applyTo`, `fileMatchPattern` and `applies_to` that match no listed file. Where agents
differ, the pattern is read in the more generous way: without regard to case, and at any depth if it has no slash. Patterns for what
git ignores are left alone: those files are made. A rule none of whose patterns matches any file is a warning if one of them names a
file, begins with a folder that is there, or is for a language of which history knows projects (`package.json`) that are gone, unless another field
makes it apply or the repository holds little but rules; several of one folder are one finding. Others may wait for their files, or go
to other repositories: an info. A path without wildcards that nearly names a file beside it is a warning, and so is a rule's only pattern where it
means all files of a folder (`src/ui/**`) that history never had, while the folder above is there. The path of a folder is reported for agents whose documentation has patterns of
files only.

## Why is this bad?
The rule is never loaded. It may wait for files that are yet to come, or it may have a typing error.

## Example
```yaml
globs: scr/**/*.ts
```

## How to fix
Correct the pattern, or delete the rule; of a folder, write `folder/**`.
",
    evidence: &[
        Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" },
        Evidence { source: "https://cursor.com/docs/context/rules", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
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
        ask_of_patterns(cx, &INFO, questions, |_| Level::Warning);
        language::ask(cx, questions);
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let has_patterns = |document: &&Document| !document.kind.patterns().is_empty();
        let own = cx.workspace.in_focus().filter(has_patterns);
        let documents = own.filter(|document| applies(cx.workspace, document, cx.selected, INFO.name));
        let of = |document: &&'_ Document| patterns::of(document).into_iter().take(MAX_PATTERNS).collect::<Vec<_>>();
        let each = |document| of(&document).into_iter().map(move |pattern| (document, pattern));
        let all: Vec<(&Document, PathPattern)> = documents.flat_map(each).collect();
        let search = GlobSearch::new(&cx.workspace.listing);
        let matched: Vec<bool> =
            all.par_iter().map(|(document, pattern)| matches(&search, document, pattern)).collect();
        let judged = all.into_iter().zip(matched);
        let judged: Vec<JudgedPattern<'_>> =
            judged.map(|((document, pattern), matched)| judge(cx, document, pattern, matched)).collect();
        let rules: Vec<&[JudgedPattern<'_>]> = judged.chunk_by(|a, b| a.document.path == b.document.path).collect();
        let listing = &cx.workspace.listing;
        let idle = never::idle(listing, &rules);
        for (rule, is_idle) in rules.into_iter().zip(idle) {
            if is_idle && let Some(finding) = never::report(cx, rule) {
                findings.push(finding);
                continue;
            }
            for JudgedPattern { document, pattern, fate } in rule {
                match fate {
                    PatternFate::Matched => findings.extend(of_a_folder(listing, document, pattern)),
                    PatternFate::Told => {}
                    PatternFate::Unmatched => {
                        let only =
                            folder(&pattern.text).filter(|_| rule.len() == 1 && never_was(cx, document, pattern));
                        let finding = only.and_then(|folder| no_such_folder(cx, document, pattern, folder));
                        findings.push(finding.unwrap_or_else(|| report(listing, document, pattern)));
                    }
                }
            }
        }
    }
}

/// A pattern and what came of it.
struct JudgedPattern<'d> {
    document: &'d Document,
    pattern: PathPattern,
    fate: PatternFate,
}

fn judge<'d>(cx: &Cx<'_>, document: &'d Document, pattern: PathPattern, matched: bool) -> JudgedPattern<'d> {
    let is_told = || is_dead(cx, document, &pattern) || cx.workspace.ignores_matches_of(document, &pattern);
    let fate = match matched {
        true => PatternFate::Matched,
        false if is_told() => PatternFate::Told,
        false => PatternFate::Unmatched,
    };
    JudgedPattern { document, pattern, fate }
}

/// What came of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PatternFate {
    /// A file matches.
    Matched,
    /// None does, and another rule says why, or git ignores those that will.
    Told,
    /// None does.
    Unmatched,
}

/// What is said of a pattern that no file matches. One without wildcards that names a neighbour nearly is a slip.
fn report(listing: &Listing, document: &Document, pattern: &PathPattern) -> Finding {
    let near = near(listing, document, pattern);
    let level = if near.is_some() { Level::Warning } else { Level::Info };
    let message = format!("no file {} matches `{}`", never::place(document), pattern.text);
    let finding = Finding::new(INFO.name, level, &document.path, pattern.span, message).cause(Cause {
        key: format!("unmatched {}", document.path.to_str_lossy()),
        subject: format!("`{}`", pattern.text),
        many: "match no file of this repository",
        help: None,
    });
    match near {
        Some(near) if pattern.exact => {
            finding.help(format!("did you mean `{near}`?")).fix(Applicability::Unsafe, pattern.span, near)
        }
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding,
    }
}

/// The folder of which a pattern means all files.
fn folder(pattern: &str) -> Option<&str> {
    let plain = pattern.trim_start_matches("./").trim_start_matches('/');
    let folder = ["/**", "/**/*", "/*"].iter().find_map(|end| plain.strip_suffix(end))?;
    (is_path(folder) && folder.contains('/')).then_some(folder)
}

/// Whether history never had anything at what `pattern` says before its first wildcard.
fn never_was(cx: &Cx<'_>, document: &Document, pattern: &PathPattern) -> bool {
    cx.answers.notes.is_empty()
        && cx.workspace.mentions.of(&document.path).iter().any(|mention| {
            let Miss::Absent { candidates, .. } = &mention.place else { return false };
            mention.form == MentionForm::Glob
                && pattern.span.covers(mention.span)
                && matches!(verdict(cx, candidates), PathVerdict::Never)
        })
}

/// A rule's only pattern, for all files of a folder that never was, beside others that are there.
fn no_such_folder(cx: &Cx<'_>, document: &Document, pattern: &PathPattern, folder: &str) -> Option<Finding> {
    let listing = &cx.workspace.listing;
    let above = folder.rsplit_once('/').map_or("", |(above, _)| above);
    let stands = |base: &[u8]| listing.has_dir(&path::join(base, above.as_bytes()));
    if cx.workspace.is_of_rule_pack(document) || !patterns::bases(document).into_iter().any(stands) {
        return None;
    }
    let message = format!("this rule never applies: there is no folder `{folder}`, and there never was one");
    let cause = Cause {
        key: format!("no folder {}", String::from_utf8_lossy(document.path.parent())),
        subject: format!("`{}`", pattern.text),
        many: "are patterns for folders that never were",
        help: None,
    };
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, pattern.span, message).cause(cause);
    Some(finding.help("correct the pattern, or delete the rule until there is such a folder"))
}

/// Whether the pattern has no wildcards.
fn is_path(pattern: &str) -> bool {
    !pattern.contains(['*', '?', '[', '{', '!'])
}

/// The path that was meant by one without wildcards: of a file beside it that differs in its ending, or of which a letter was left out.
fn near(listing: &Listing, document: &Document, pattern: &PathPattern) -> Option<String> {
    let plain = pattern.text.trim_start_matches("./").trim_start_matches('/');
    let (folder, name) = plain.rsplit_once('/').unwrap_or(("", plain));
    if name.is_empty() || !is_path(plain) {
        return None;
    }
    let stem = |name: &str| name.split_once('.').map(|(stem, _)| stem.to_owned()).filter(|stem| stem.len() > 2);
    let is_near = |other: &str| {
        let longer = other.len() == name.len() + 1 && (other.starts_with(name) || other.ends_with(name));
        longer || !folder.is_empty() && stem(other).is_some() && stem(other) == stem(name)
    };
    let of_base = |base: &[u8]| {
        let children = listing.children(&path::join(base, folder.as_bytes()));
        let files = children.into_iter().filter(|(_, kind)| kind.is_some());
        let names = files.filter_map(|(name, _)| std::str::from_utf8(name).ok().map(str::to_owned));
        let near: Vec<String> = names.filter(|other| is_near(other)).collect();
        match &near[..] {
            [only] if folder.is_empty() => Some(only.clone()),
            [only] => Some(format!("{folder}/{only}")),
            _ => None,
        }
    };
    patterns::bases(document).into_iter().find_map(of_base)
}

/// What is said of the path of a folder, where patterns are for files.
fn of_a_folder(listing: &Listing, document: &Document, pattern: &PathPattern) -> Option<Finding> {
    let Kind::Of(kind) = document.kind else { return None };
    let plain = pattern.text.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
    let is_folder = |base: &[u8]| {
        let path = path::join(base, plain.as_bytes());
        listing.has_dir(&path) && !listing.contains(&path)
    };
    let is_plain = !plain.is_empty() && !plain.contains(['*', '?', '[', '{']);
    if !kind.patterns_name_files || !is_plain || !patterns::bases(document).into_iter().any(is_folder) {
        return None;
    }
    let message = format!("`{}` is a folder, but patterns match files", pattern.text);
    let finding = Finding::new(INFO.name, Level::Info, &document.path, pattern.span, message)
        .help(format!("write `{plain}/**` for all files below it"));
    Some(match pattern.exact {
        true => finding.fix(Applicability::Unsafe, pattern.span, format!("{plain}/**")),
        false => finding,
    })
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
    use crate::rules::references::testing::{check_at, findings, show};

    const FILES: &[&str] = &["src/a.ts", "src/deep/b.TSX", "docs/guide/c.md", "sub/lib/d.py"];

    #[test]
    fn patterns_without_a_file_are_told() {
        let text = "---\npaths:\n  - src/**/*.ts\n  - scr/**\n  - \"*.{tsx,jsx}\"\n  - guide\n  - /docs\n  - \"*.rb\"\n  - \"!x/**\"\n  - \"{a\"\n---\nx\n";
        assert_eq!(check_at(INFO.name, ".claude/rules/r.md", text, FILES, &[]), ["info scr/**", "info *.rb"]);
    }

    #[test]
    fn a_path_that_nearly_names_a_neighbour_is_a_slip() {
        let files = &["bot/wrangler.jsonc", "Makefile", "src/a.ts", "src/b.ts"][..];
        let text =
            "---\nglobs: bot/wrangler.toml, Makefil, src/c.ts, bot/none.toml, Cargo.toml\nalwaysApply: false\n---\nx\n";
        let want = [
            "warning bot/wrangler.toml unsafe bot/wrangler.jsonc",
            "warning Makefil unsafe Makefile",
            "info src/c.ts",
            "info bot/none.toml",
            "info Cargo.toml",
        ];
        assert_eq!(check_at(INFO.name, ".cursor/rules/r.mdc", text, files, &[]), want);
    }

    #[test]
    fn a_folder_that_never_was_is_a_warning() {
        let rule = |pattern: &str| format!("---\npaths: {pattern}\n---\nx\n");
        let levels = |pattern: &str| {
            let text = rule(pattern);
            let found = check_at(INFO.name, ".claude/rules/r.md", &text, FILES, &[]);
            found.iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        for pattern in ["src/ui/**", "/src/ui/**/*", "src/ui/*"] {
            assert_eq!(levels(pattern), ["warning"], "{pattern}");
        }
        // The folder above is missing, too; the rule has other files; there is something; the pattern picks files.
        for pattern in ["lib/ui/**", "[src/ui/**, docs/**]", "src/ui/**/*.ts", "ui/**"] {
            assert_eq!(levels(pattern), ["info"], "{pattern}");
        }
        assert_eq!(levels("src/deep/**"), [""; 0]);
    }

    #[test]
    fn what_git_ignores_is_made() {
        let ignored = ["terraform/x.tfvars", "build", "x.log"];
        let text = "---\npaths:\n  - terraform/**/*.tfvars*\n  - build/out/**\n  - \"*.{rb,log}\"\n  - terraform/*.tfx\n---\nx\n";
        let files = [("terraform/main.tf", ""), (".claude/rules/r.md", text)];
        let found = findings(INFO.name, &files, &[], &ignored, true);
        assert_eq!(show(&found, text), ["info terraform/*.tfx"]);
    }

    #[test]
    fn the_path_of_a_folder_is_no_pattern_of_files() {
        let text = "---\nglobs: /src/deep, src/a.ts, docs/**, src\nalwaysApply: false\n---\nx\n";
        let want = ["info /src/deep unsafe src/deep/**", "info src unsafe src/**"];
        assert_eq!(check_at(INFO.name, ".cursor/rules/r.mdc", text, FILES, &[]), want);
        let text = "---\npaths: /src/deep, src\n---\nx\n";
        assert_eq!(check_at(INFO.name, ".claude/rules/r.md", text, FILES, &[]), [""; 0]);
    }

    #[test]
    fn a_nested_rule_counts_from_its_own_folder() {
        let text = "---\npaths: lib/*.py, sub/lib/*.py\n---\nx\n";
        assert_eq!(check_at(INFO.name, "sub/.claude/rules/r.md", text, FILES, &[]), ["info sub/lib/*.py"]);
        let text = "---\nglobs: lib/*.py, sub/lib/*.py\nalwaysApply: false\n---\nx\n";
        assert_eq!(check_at(INFO.name, "sub/.cursor/rules/r.mdc", text, FILES, &[]), [""; 0]);
    }
}
