//! Rules about the paths, links and commands that a text names. What leads where was settled while loading; the rules here ask
//! what became of it, and say so.

mod broken_link;
mod missing_path;
mod stale_command;
mod stale_path;
mod wrong_case_path;

use std::collections::BTreeSet;

use super::{Cx, Evidence, Rule, RuleInfo};
use crate::base::characters::is_hidden;
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::parse::placeholder::is_placeholder;
use crate::source::history::{CommitRef, Fate, Questions};
use crate::workspace::Workspace;
use crate::workspace::mentions::{Form, Mention, Miss};

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[
    &broken_link::BrokenLink,
    &missing_path::MissingPath,
    &stale_command::StaleCommand,
    &stale_path::StalePath,
    &wrong_case_path::WrongCasePath,
];

/// Where the rules' restraint comes from.
pub(super) const MEASURED: Evidence = Evidence {
    source: "hint files of 54 public repositories with their full history, judged finding by finding",
    checked: "2026-11",
};

/// Whether the rule called `name` holds `document` to this repository: not where the file describes others, unless the user
/// selected the rule.
pub(super) fn applies(
    workspace: &Workspace,
    document: &Document,
    selected: &BTreeSet<&'static str>,
    name: &str,
) -> bool {
    selected.contains(name) || workspace.why_elsewhere(document).is_none()
}

/// The same, for rules about what a text names in passing: a plan is a record of its day, and names what was there then.
pub(super) fn applies_to_names(
    workspace: &Workspace,
    document: &Document,
    selected: &BTreeSet<&'static str>,
    name: &str,
) -> bool {
    document.kind != Kind::Plan && applies(workspace, document, selected, name)
}

/// Whether the rule called `name` judges `mention`: also where the file is part of a skill that is handed out, if the mention
/// is a link to a file of that skill.
pub(super) fn applies_to_link(
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
    selected: &BTreeSet<&'static str>,
    name: &str,
) -> bool {
    // A page of a skill shows links of imaginary sites, too; one that climbs is meant.
    let is_meant = document.kind != Kind::SkillPage || mention.path.starts_with("../") || selected.contains(name);
    let is_meant = is_meant && !(is_template(document) && matches!(mention.place, Miss::Absent { .. }));
    is_meant && applies(workspace, document, selected, name) || is_own_link(workspace, document, mention)
}

/// Whether a page of a skill is called a template.
fn is_template(document: &Document) -> bool {
    let name = document.path.file_name().to_ascii_lowercase();
    document.kind == Kind::SkillPage && memchr::memmem::find(&name, b"template").is_some()
}

/// Whether `mention` is a link of a skill to a file of its own.
pub(super) fn is_own_link(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    if mention.form != Form::Link || discover::why_set_aside(document.path.as_bytes()).is_some() {
        return false;
    }
    let folder = workspace.skill_folder(document);
    if mention.from_root {
        // A slash before a folder of the skill leads to the root of a file system.
        let first = mention.path.split('/').next().unwrap_or_default();
        let stands = |folder: &[u8]| workspace.listing.has_dir(&path::join(folder, first.as_bytes()));
        return matches!(mention.place, Miss::Absent { .. })
            && !is_template(document)
            && folder.is_some_and(|folder| !folder.is_empty() && stands(folder));
    }
    let inside = |file: &RepoPath| folder.is_some_and(|folder| path::is_at_or_below(file.as_bytes(), folder));
    match &mention.place {
        Miss::NoAnchor { file, .. } | Miss::OtherCase(file) => inside(file),
        // What a page shows of a document that is yet to be written is written beside that.
        Miss::Absent { .. } if is_template(document) => false,
        Miss::Absent { candidates, .. } => {
            candidates.first().is_some_and(|target| workspace.is_own_path(document, &mention.path, target))
        }
        Miss::Outside { .. } | Miss::Address(_) => false,
    }
}

/// Ask what became of the absent paths that the rule of `info` may report. `level` is the gravest level at which it may report
/// a mention; `None` if it never does.
pub(super) fn ask_fates(
    cx: &Cx<'_>,
    info: &RuleInfo,
    questions: &mut Questions,
    level: impl Fn(&Document, &Mention) -> Option<Level>,
) {
    for (path, mention) in cx.workspace.mentions.iter() {
        let Miss::Absent { candidates, .. } = &mention.place else { continue };
        let Some(document) = cx.workspace.document(path.as_bytes()) else { continue };
        if level(document, mention).is_some_and(|level| cx.matters(info, level)) {
            questions.fates.extend(candidates.iter().cloned());
            questions.endings.extend(ending(cx.workspace, path, mention));
        }
    }
}

/// Whether the text may speak of projects in general: that of a skill, a prompt or an agent.
fn is_general(document: &Document) -> bool {
    matches!(document.kind, Kind::Skill | Kind::SkillPage)
        || matches!(document.kind.role(), Some(Role::Command | Role::Subagent))
}

/// The end of a path that `mention`, in the file at `path`, may be. Skills and prompts speak of projects in general.
fn ending(workspace: &Workspace, path: &RepoPath, mention: &Mention) -> Option<RepoPath> {
    let is_general = is_general(workspace.document(path.as_bytes())?);
    let written = mention.path.trim_start_matches("./");
    let relied_on = mention.relied_on || is_one_of_its_kind(mention);
    let names = relied_on && matches!(mention.form, Form::File | Form::Command) && !written.starts_with("../");
    (names && !is_general).then(|| RepoPath::from(written))
}

/// Whether a lone name is such that no two files have it by chance: of several words.
fn is_one_of_its_kind(mention: &Mention) -> bool {
    let name = mention.path.trim_start_matches("./");
    let stem = name.split('.').next().unwrap_or(name);
    let humps = stem.char_indices().skip(1).filter(|(_, c)| c.is_ascii_uppercase()).count();
    let is_joined = stem.split(['_', '-']).filter(|word| word.len() > 2).count() > 1;
    let is_long = stem.len() > 9 && !stem.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    !mention.hedged && !name.contains('/') && is_long && (humps > 0 || is_joined) && !is_placeholder(name)
}

/// What became of the path that a mention means.
pub(super) enum Verdict<'a> {
    /// It was called so once, and is called `to` now.
    Renamed { from: &'a RepoPath, to: &'a RepoPath, exact: bool, commit: Option<&'a CommitRef> },
    /// It was there once. Unless that is `certain`, it may have been renamed and changed by the same commit.
    Deleted { from: &'a RepoPath, commit: Option<&'a CommitRef>, certain: bool },
    /// It never was.
    Never,
    /// Nobody knows.
    Unknown,
}

/// The removed paths that end in what `mention` says.
fn ends<'a>(cx: &'a Cx<'_>, document: &Document, mention: &Mention) -> Vec<&'a RepoPath> {
    let ending = ending(cx.workspace, &document.path, mention);
    ending.and_then(|ending| cx.answers.endings.get(&ending)).into_iter().flatten().collect()
}

/// Of all that a path may mean, what was there once wins; of those, what still is.
pub(super) fn verdict<'a>(cx: &'a Cx<'_>, candidates: &'a [RepoPath]) -> Verdict<'a> {
    verdict_of(cx, &candidates.iter().collect::<Vec<_>>())
}

/// The same; and where a path as it is told never was, of the removed paths that end so.
pub(super) fn verdict_by_end<'a>(
    cx: &'a Cx<'_>,
    document: &Document,
    mention: &Mention,
    candidates: &'a [RepoPath],
) -> Verdict<'a> {
    match verdict(cx, candidates) {
        // Of several files of a lone name nobody knows which one was meant.
        Verdict::Never => match &*ends(cx, document, mention) {
            [_, _, ..] if !mention.path.trim_start_matches("./").contains('/') => Verdict::Never,
            ends => verdict_of(cx, ends),
        },
        known => known,
    }
}

fn verdict_of<'a>(cx: &'a Cx<'_>, candidates: &[&'a RepoPath]) -> Verdict<'a> {
    let fates = || candidates.iter().map(|&candidate| (candidate, cx.answers.fate(candidate)));
    let has_lived = |fate: &Fate| matches!(fate, Fate::Renamed { .. } | Fate::Deleted { .. } | Fate::Gone { .. });
    let lived = fates().filter(|(_, fate)| has_lived(fate)).count();
    let renamed = fates().find_map(|(from, fate)| match fate {
        Fate::Renamed { to, exact, commit } => {
            Some(Verdict::Renamed { from, to, exact: *exact && lived == 1, commit: commit.into() })
        }
        _ => None,
    });
    let deleted = || {
        fates().find_map(|(from, fate)| match fate {
            Fate::Deleted { commit } => Some(Verdict::Deleted { from, commit: commit.into(), certain: true }),
            Fate::Gone { commit } => Some(Verdict::Deleted { from, commit: commit.into(), certain: false }),
            _ => None,
        })
    };
    let never = || fates().all(|(_, fate)| *fate == Fate::NeverTracked);
    renamed.or_else(deleted).unwrap_or_else(|| if never() { Verdict::Never } else { Verdict::Unknown })
}

/// Whether the path is that of a file that a program runs.
fn has_script_ending(path: &str) -> bool {
    let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
    matches!(
        ending,
        Some("bash" | "cjs" | "js" | "mjs" | "php" | "pl" | "ps1" | "py" | "R" | "rb" | "sh" | "ts" | "tsx" | "zsh")
    )
}

/// How far from a path its source is looked for, in bytes.
const NEAR: usize = 300;

/// Whether the line of `mention` also names a file of this repository that is called like it: the one from which it is made.
fn names_its_source(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let line = document.lines.line_span(document.lines.line_of(mention.span.start));
    let name = path::file_name(mention.path.as_bytes());
    let is_source = |word: &str| {
        let from =
            |dir: &[u8]| path::resolve(dir, word.as_bytes()).is_some_and(|path| workspace.listing.contains(&path));
        path::file_name(word.as_bytes()) == name && (from(document.path.parent()) || from(b""))
    };
    // A line may be as long as a file.
    let text = &document.text;
    let start = text.ceil_char_boundary(mention.span.start.saturating_sub(NEAR)).max(line.start);
    let end = text.floor_char_boundary(mention.span.end + NEAR).min(line.end);
    let rest = [start..mention.span.start, mention.span.end.min(end)..end];
    let words = |rest: std::ops::Range<usize>| {
        document.text[rest].split(|c: char| c.is_whitespace() || "`'\"()[]<>,;".contains(c))
    };
    rest.into_iter().flat_map(words).any(is_source)
}

/// When something happened, as the end of a sentence.
pub(super) fn when(commit: Option<&CommitRef>) -> String {
    commit.map_or_else(
        || " by changes that are not committed yet".to_owned(),
        |commit| format!(" on {} ({})", commit.date, commit.id),
    )
}

/// What became of a path where the files are missing that would tell a deletion from a rename.
const REMOVED: &str = "deleted or renamed";

/// Files or folders that one commit took away are one cause; what is not committed yet is another.
fn of_commit(verb: &'static str, many: &'static str, commit: Option<&CommitRef>, subject: &RepoPath) -> Cause {
    let key = format!("{verb} {}", commit.map_or("", |commit| commit.id.as_str()));
    let help = match verb {
        "renamed" => format!("they were renamed{}; write the new paths", when(commit)),
        "removed" => format!("they were {REMOVED}{}; name what took their place, or drop the mentions", when(commit)),
        _ => format!("they were deleted{}; name what took their place, or drop the mentions", when(commit)),
    };
    Cause { key, subject: format!("`{}`", shown(subject)), many, help: Some(help) }
}

/// The cause of what `verdict` says: the commit.
pub(super) fn cause_of(verdict: &Verdict<'_>) -> Option<Cause> {
    match verdict {
        Verdict::Renamed { from, commit, .. } => Some(of_commit("renamed", "are called otherwise now", *commit, from)),
        Verdict::Deleted { from, commit, certain } => {
            let verb = if *certain { "deleted" } else { "removed" };
            Some(of_commit(verb, "do not exist any more", *commit, from))
        }
        Verdict::Never | Verdict::Unknown => None,
    }
}

/// The cause of a finding about one path, name or anchor, wherever it is named.
pub(super) fn same_subject(key: String, subject: &str, many: &'static str) -> Cause {
    Cause { key, subject: format!("`{subject}`"), many, help: None }
}

/// Items or rows before one that are looked at to find where its list or table begins.
const MAX_ITEMS: usize = 500;

/// Where the list or the table around `offset` begins, as a name of it.
fn list_of(document: &Document, offset: usize) -> Option<String> {
    let begin = list_around(document, offset).or_else(|| table_around(document, offset, 0))?;
    Some(format!("{begin} {}", shown(&document.path)))
}

/// A long list or table is looked at in pieces of so many bytes: the one that holds a path, the one before and the one behind.
const PIECE: usize = 4000;

/// The list or the table around `offset`, as far as the next empty line, and of a long one what stands near: the same for all
/// paths of a piece.
fn block_around(document: &Document, offset: usize) -> Option<Span> {
    let text = &document.text;
    let piece = offset / PIECE;
    let first = text.ceil_char_boundary(piece.saturating_sub(1) * PIECE);
    let begin = list_around(document, offset).or_else(|| table_around(document, offset, first))?.max(first);
    let rest = &text[offset..text.floor_char_boundary((piece + 2) * PIECE)];
    Some(Span::new(begin, offset + rest.find("\n\n").unwrap_or(rest.len())))
}

fn list_around(document: &Document, offset: usize) -> Option<usize> {
    let items = &document.markdown.items;
    let last = items.partition_point(|item| item.span.start <= offset).checked_sub(1)?;
    let mut begin: Option<usize> = None;
    for item in items[..=last].iter().rev().take(MAX_ITEMS).filter(|item| item.parent.is_none()) {
        let adjoins = match begin {
            None => item.span.contains(offset),
            Some(begin) => document.text.get(item.span.end..begin).is_none_or(|between| between.trim().is_empty()),
        };
        if !adjoins {
            break;
        }
        begin = Some(item.span.start);
    }
    begin
}

/// Where the table around `offset` begins, or its first row that ends behind `from`.
fn table_around(document: &Document, offset: usize, from: usize) -> Option<usize> {
    let at = document.lines.line_of(offset);
    let first = at.saturating_sub(MAX_ITEMS).max(document.lines.line_of(from));
    let rows = (first..=at).rev().map(|line| document.lines.line_span(line));
    let rows = rows.take_while(|line| document.slice(*line).trim_start().starts_with('|'));
    rows.last().map(|first| first.start)
}

pub(super) fn shown(path: &RepoPath) -> std::borrow::Cow<'_, str> {
    path.to_str_lossy()
}

/// Say what became of the path, and offer its new name where it has one.
pub(super) fn tell(document: &Document, mention: &Mention, verdict: &Verdict<'_>, finding: Finding) -> Finding {
    let finding = Finding { cause: cause_of(verdict), ..finding };
    match verdict {
        Verdict::Renamed { from, to, exact, commit } => {
            let help = format!("{} was renamed to {}{}", shown(from), shown(to), when(*commit));
            let safe = *exact && !is_put_away(from, to);
            let applicability = if safe { Applicability::Safe } else { Applicability::Unsafe };
            replace(document, mention, from, to, applicability, finding.help(help))
        }
        Verdict::Deleted { from, commit, certain } => finding.help(format!(
            "{} was {}{}; name what took its place, or drop the mention",
            shown(from),
            if *certain { "deleted" } else { REMOVED },
            when(*commit)
        )),
        Verdict::Never | Verdict::Unknown => finding,
    }
}

/// Whether a file was not so much renamed as put away: nobody knows whether its readers are to follow.
fn is_put_away(from: &RepoPath, to: &RepoPath) -> bool {
    let words = [
        "archive",
        "backup",
        "bak",
        "deprecated",
        "legacy",
        "obsolete",
        "old",
        "trash",
        "attic",
        "done",
        "completed",
        "disabled",
    ];
    let says = |path: &RepoPath| {
        let lower = shown(path).to_lowercase();
        let mut parts = lower.split(|c: char| !c.is_alphanumeric());
        parts.any(|part| words.iter().any(|word| part == *word || part.strip_suffix('d') == Some(word)))
    };
    says(to) && !says(from)
}

/// Offer to write the path of `to`, where the text means `from`.
fn replace(
    document: &Document,
    mention: &Mention,
    from: &RepoPath,
    to: &RepoPath,
    applicability: Applicability,
    finding: Finding,
) -> Finding {
    match respelt(document, mention, from, to).filter(|_| mention.verbatim) {
        Some(path) => finding.fix(applicability, mention.span, path),
        None => finding,
    }
}

/// The path of `to`, written as the author wrote that of `from`: from the same folder, with the same `./`, encoded as a link
/// has to be. `None` for a name that has no plain spelling.
fn respelt(document: &Document, mention: &Mention, from: &RepoPath, to: &RepoPath) -> Option<String> {
    let dir = document.path.parent();
    let relative = |dir: &[u8]| String::from_utf8(path::relative(dir, to.as_bytes())).ok();
    let written = mention.path.as_str();
    let climbs = written.starts_with("../");
    let dotted = written.starts_with("./");
    // The folder from which `from` is spelt as it is written here.
    let plain = written.trim_start_matches("./");
    let base_len = from.as_bytes().len().checked_sub(plain.len());
    let base_len = base_len.filter(|&at| from.as_bytes()[at..].eq_ignore_ascii_case(plain.as_bytes()));
    let base = base_len.map_or(&b""[..], |len| from.as_bytes()[..len].strip_suffix(b"/").unwrap_or(b""));
    let path = match mention.form {
        _ if mention.from_root => relative(b"")?,
        // A link that only works from the root keeps doing so.
        Form::Link if base_len.is_none() || !base.is_empty() || dir.is_empty() => relative(dir)?,
        _ if climbs => relative(dir)?,
        _ if path::is_at_or_below(to.as_bytes(), base) => relative(base)?,
        _ => relative(b"")?,
    };
    let path = if dotted && !path.starts_with('.') { format!("./{path}") } else { path };
    if path.contains(|c: char| is_hidden(c) || matches!(c, '`' | '<' | '>')) {
        return None;
    }
    if mention.form != Form::Link {
        return (!path.contains(char::is_whitespace)).then_some(path);
    }
    let bracketed = document.text[..mention.span.start].ends_with('<');
    Some(if bracketed { path } else { encoded(&path) })
}

/// The path as the destination of a link.
fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            ' ' => encoded.push_str("%20"),
            '(' => encoded.push_str("%28"),
            ')' => encoded.push_str("%29"),
            '%' => encoded.push_str("%25"),
            '#' => encoded.push_str("%23"),
            '?' => encoded.push_str("%3F"),
            c => encoded.push(c),
        }
    }
    encoded
}

#[cfg(test)]
pub(super) mod testing;
