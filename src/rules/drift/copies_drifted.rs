//! Copies of one text, kept by hand for two agents, that have diverged.

use super::copies::{CopyDrift, Hunk, drifted};
use super::put_aside::is_called_obsolete;
use crate::base::finding::{Applicability, Cause, Edit, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path;
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::{CommitRef, Questions};

const INFO: RuleInfo = RuleInfo {
    name: "copies-drifted",
    group: Group::Drift,
    levels: &[Level::Warning, Level::Info],
    summary: "copies of one text for two agents have diverged",
    explanation: "\
## What it does
Finds files that say the same to different agents (`AGENTS.md` and `CLAUDE.md` of one folder, `.claude/rules/x.md` and
`.cursor/rules/x.mdc`, a skill in `.claude/skills` and `.agents/skills`), share at least 80 of 100 lines, and differ in others. The
names of the agents and of their files may differ, and so may frontmatter, the language of a fence, passages that name an agent and sections whose heading does. Files that
say that a tool made them are left alone, as are those that the lock of a package manager (`prpm.lock`, `apm.lock.yaml`) names, and so is what stands between a tool's `<!-- … START -->` and `<!-- … END -->`.
A copy in a folder that a hint file lists below a heading such as `Legacy locations` is an info, and so are copies that differ only where
they name an agent, its commands (`/review`) or its folders (`.claude/skills`), or at least as often in sentences about an agent as in
others: they are adapted on purpose. Further infos: what one copy has as a placeholder (`{{docs}}`) and the other filled in, main files
for which the repository has templates (`gemini.tmpl`) or which each have a section of their own, and one word more in one line.

## Why is this bad?
One agent was told of the change and the other was not. Which behaviour a user gets then depends on the program they start.

## Example
`AGENTS.md` says `pnpm test`, and its copy `CLAUDE.md` still says `npm test`.

## How to fix
Bring the two together, and keep one text: `CLAUDE.md` can be the single line `@AGENTS.md`, or a symbolic link. Where each says
something of its own agent, keep both, and bring the rest together.
",
    evidence: &[Evidence { source: "https://docs.claude.com/en/docs/claude-code/memory", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// Longest line that is quoted, in characters.
const MAX_QUOTE: usize = 80;
/// So many characters before the first difference are quoted where the beginning of a line is left out.
const SHARED: usize = 20;
/// Places that are shown, at most.
const MAX_HUNKS: usize = 5;

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct CopiesDrifted;

impl Rule for CopiesDrifted {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        for drift in cx.memory.once(|| drifted(cx.workspace)).iter() {
            questions.last_changes.extend([drift.a.clone(), drift.b.clone()]);
        }
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        findings.extend(cx.memory.once(|| drifted(cx.workspace)).iter().filter_map(|drift| report(cx, drift)));
    }
}

/// Report at the side that is behind, or at the second where history does not say.
fn report(cx: &Cx<'_>, drift: &CopyDrift) -> Option<Finding> {
    let (a, b) = (cx.workspace.document(drift.a.as_bytes())?, cx.workspace.document(drift.b.as_bytes())?);
    let changed = |document: &Document| cx.answers.last_changes.get(&document.path);
    let (at_a, at_b) = (changed(a), changed(b));
    let newer = match (at_a, at_b) {
        (Some(at_a), Some(at_b)) if at_a.id != at_b.id && at_a.time != at_b.time => {
            Some(if at_a.time > at_b.time { (a, at_a) } else { (b, at_b) })
        }
        _ => None,
    };
    let behind_is_a = newer.is_some_and(|(newer, _)| newer.path == b.path);
    let (behind, other) = if behind_is_a { (a, b) } else { (b, a) };
    let hunks: Vec<CopySide> = drift.hunks.iter().map(|hunk| CopySide::of(hunk, behind_is_a)).collect();
    let ours: usize = hunks.iter().map(|side| side.lines.0).sum();
    let theirs: usize = hunks.iter().map(|side| side.lines.1).sum();
    let shown = other.path.to_str_lossy();
    let counted = |count: usize| if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
    let difference = match (ours, theirs) {
        (0, _) => format!("it lacks {} of the other", counted(theirs)),
        (_, 0) => format!("it has {} that the other lacks", counted(ours)),
        (1, _) => format!("1 line here differs from {} there", counted(theirs)),
        _ => format!("{} here differ from {} there", counted(ours), counted(theirs)),
    };
    let places = if hunks.len() == 1 { "" } else { ", and this is the first place" };
    let message = format!("this copy of {shown} has drifted: {difference}{places}");
    let span = hunks.first().map_or(Span::default(), |side| side.span);
    let is_set_aside = [behind, other].into_iter().any(|document| is_called_obsolete(cx.workspace, document));
    let level = if is_set_aside || drift.is_adapted { Level::Info } else { Level::Warning };
    let mut finding = Finding::new(INFO.name, level, &behind.path, span, message)
        .help(help(newer, behind, other, drift))
        .cause(cause(behind, other));
    for side in hunks.iter().take(MAX_HUNKS) {
        let line = behind.lines.line_of(side.span.start) + 1;
        let start = quoted_from(side.text.unwrap_or_default(), side.other_text.unwrap_or_default());
        let (here, there) = (quote(side.text, start), quote(side.other_text, start));
        let related = format!("line {line} here: {here}; there: {there}");
        finding = finding.related(&other.path, side.other_span, related);
    }
    let may_be_one = !drift.is_adapted && !drift.must_differ;
    let edits = edits(behind, other, newer.map(|(newer, _)| newer)).filter(|_| may_be_one);
    Some(match edits {
        Some(edits) => finding.fix_edits(Applicability::Manual, edits),
        None => finding,
    })
}

/// The folders that hold copies of the same files: they were not brought together as a whole.
fn cause(behind: &Document, other: &Document) -> Cause {
    let folders = |document: &Document| -> Vec<String> {
        document.path.to_str_lossy().split('/').rev().skip(1).map(str::to_owned).collect()
    };
    let (ours, theirs) = (folders(behind), folders(other));
    let shared = ours.iter().zip(&theirs).take_while(|(one, two)| one == two).count();
    let rest = |folders: &[String]| folders[shared..].iter().rev().cloned().collect::<Vec<_>>().join("/");
    Cause {
        key: format!("{}\n{}", rest(&ours), rest(&theirs)),
        subject: behind.path.to_str_lossy().into_owned(),
        many: "have drifted from their copies",
        help: Some("merge the copies, and let a script generate one from the other".to_owned()),
    }
}

/// A place where copies differ, seen from the one that is reported.
struct CopySide<'d> {
    span: Span,
    other_span: Span,
    lines: (usize, usize),
    text: Option<&'d str>,
    other_text: Option<&'d str>,
}

impl<'d> CopySide<'d> {
    fn of(hunk: &'d Hunk, behind_is_a: bool) -> Self {
        let (a, b) = (hunk.texts.0.as_deref(), hunk.texts.1.as_deref());
        match behind_is_a {
            true => {
                CopySide { span: hunk.first.0, other_span: hunk.first.1, lines: hunk.lines, text: a, other_text: b }
            }
            false => CopySide {
                span: hunk.first.1,
                other_span: hunk.first.0,
                lines: (hunk.lines.1, hunk.lines.0),
                text: b,
                other_text: a,
            },
        }
    }
}

/// How many characters of two lines to leave out at the start, so that a quotation shows where they differ.
fn quoted_from(a: &str, b: &str) -> usize {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let is_shown = same + SHARED < MAX_QUOTE || a.chars().count().max(b.chars().count()) <= MAX_QUOTE;
    if is_shown { 0 } else { same - SHARED.min(same) }
}

/// A line from its character `start` on, shortened.
fn quote(text: Option<&str>, start: usize) -> String {
    let Some(text) = text else { return "(nothing)".to_owned() };
    let mut rest = text.chars().skip(start);
    let shown: String = rest.by_ref().take(MAX_QUOTE).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if rest.next().is_some() { "…" } else { "" });
    format!("`{before}{shown}{after}`")
}

fn help(newer: Option<(&Document, &CommitRef)>, behind: &Document, other: &Document, drift: &CopyDrift) -> String {
    let since = newer.map_or(String::new(), |(newer, commit)| {
        format!("{} is the newer one, changed on {} ({}). ", newer.path.to_str_lossy(), commit.date, commit.id)
    });
    let one = match stub(behind, other) {
        _ if drift.is_adapted => return format!("{since}If each difference is meant, leave both as they are"),
        _ if drift.must_differ => {
            return format!(
                "{since}Merge what both should say, but keep both files: each speaks of its own agent, too"
            );
        }
        _ if !same_frontmatter(behind, other) => {
            return format!("{since}Merge the two texts, but keep both files: each needs its own frontmatter");
        }
        Some((importer, _, line)) => {
            format!("make {} the line `{}`, or a symbolic link", importer.path.to_str_lossy(), line.trim_end())
        }
        None => "make one of them a symbolic link to the other".to_owned(),
    };
    format!("{since}Merge the two, then keep one text: {one}")
}

/// Whether one file could stand for both: neither has frontmatter that the other has not.
fn same_frontmatter(a: &Document, b: &Document) -> bool {
    let text = |document: &Document| {
        document.frontmatter.as_ref().map_or("", |front| document.slice(front.yaml)).trim().to_owned()
    };
    text(a) == text(b)
}

/// The file that can import the other, that other, and the line that does it.
fn stub<'d>(a: &'d Document, b: &'d Document) -> Option<(&'d Document, &'d Document, String)> {
    let imports = |document: &Document| matches!(document.kind, Kind::Of(kind) if kind.may_be_stub);
    let (importer, text) = match (a.kind, b.kind) {
        (_, Kind::AgentsMd) if imports(a) => (a, b),
        (Kind::AgentsMd, _) if imports(b) => (b, a),
        _ => return None,
    };
    let relative = path::relative(importer.path.parent(), text.path.as_bytes());
    Some((importer, text, format!("@{}\n", String::from_utf8(relative).ok()?)))
}

/// The stub, and the newer text in the file that it imports.
fn edits(behind: &Document, other: &Document, newer: Option<&Document>) -> Option<Vec<Edit>> {
    if !same_frontmatter(behind, other) {
        return None;
    }
    let (importer, text, line) = stub(behind, other)?;
    let whole = |document: &Document, replacement: String| Edit {
        path: document.path.clone(),
        span: Span::new(0, document.text.len()),
        replacement,
    };
    let mut edits = vec![whole(importer, line)];
    if newer.is_some_and(|newer| newer.path == importer.path) {
        edits.push(whole(text, importer.text.clone()));
    }
    Some(edits)
}

#[cfg(test)]
mod tests;
