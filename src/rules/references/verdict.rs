//! What history says about the paths that a text names: the questions, and the verdict over all answers.

use std::collections::BTreeMap;

use super::own::is_own_past;
use super::passing::{DATA, WORKING};
use crate::base::finding::Level;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::parse::placeholder::is_placeholder;
use crate::rules::{Cx, RuleInfo};
use crate::source::history::{CommitRef, Fate, Questions};
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss, is_of_one_project};

/// Ask what became of the absent paths that the rule of `info` may report. `level` is the gravest level at which it may report
/// a mention; `None` if it never does.
pub(in crate::rules) fn ask_fates(
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
            questions.fates.extend(from_root(document, mention));
            questions.endings.extend(ending(cx.workspace, path, mention));
            questions.submodules = true;
        }
    }
}

/// A path counted from the root, where a text in a folder relies on it, and that folder has what the path begins with: it was the
/// root's when the text was written.
fn from_root(document: &Document, mention: &Mention) -> Option<RepoPath> {
    let Miss::Absent { candidates, near: None } = &mention.place else { return None };
    let written = mention.path.trim_start_matches("./");
    let whole = RepoPath::from(written);
    let is_nested = !document.path.parent().is_empty() && candidates.iter().all(|candidate| *candidate != whole);
    let is_told = match mention.form {
        MentionForm::Directory => mention.claimed,
        MentionForm::File => mention.relied_on && !mention.hedged,
        _ => false,
    };
    let is_meant = is_told && !mention.exact && written.contains('/') && !written.starts_with("../");
    (is_nested && is_meant && !document.kind.is_general()).then_some(whole)
}

/// What became of a path that a text in a folder gives as one from the root. Of files only a deletion counts: another folder may have
/// the same path as the one that was renamed.
fn verdict_from_root<'a>(cx: &'a Cx<'_>, document: &Document, mention: &Mention) -> PathVerdict<'a> {
    let whole = from_root(document, mention).and_then(|whole| cx.answers.fates.get_key_value(&whole));
    match whole.map(|(whole, _)| verdict_of(cx, &[whole])) {
        Some(PathVerdict::Renamed { .. }) if mention.form == MentionForm::File => PathVerdict::Never,
        Some(known) => known,
        None => PathVerdict::Never,
    }
}

/// The end of a path that `mention`, in the file at `path`, may be. Skills and prompts speak of projects in general: of theirs
/// only what no other project has by chance.
fn ending(workspace: &Workspace, path: &RepoPath, mention: &Mention) -> Option<RepoPath> {
    let document = workspace.document(path.as_bytes())?;
    let written = mention.path.trim_start_matches("./");
    let (folders, name) = written.rsplit_once('/').unwrap_or(("", written));
    let names = matches!(mention.form, MentionForm::File | MentionForm::Command) && !written.starts_with("../");
    let is_unique = !mention.hedged && is_one_of_its_kind(name);
    let relied_on = match (document.kind.is_general(), folders) {
        // Each project has its own file of settings of a tool.
        (true, "") => is_unique && !name.contains(".config."),
        (false, "") => is_unique || !mention.hedged && is_ordinary(name),
        // Each role of Ansible has `tasks/main.yml`.
        (false, _) => mention.relied_on && (folders.contains('/') || !matches!(name, "main.yml" | "main.yaml")),
        (true, _) => mention.relied_on && (is_unique || folders.contains('/') && !is_common_name(name)),
    };
    (names && relied_on).then(|| RepoPath::from(written))
}

/// Whether a lone name is that of one file of this project, if only one file ever had it: none that any project has, or that is
/// made for a task.
fn is_ordinary(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let is_common = is_common_name(name) && stem != "config";
    stem.contains(|c: char| c.is_ascii_lowercase()) && !is_common && is_of_one_project(name) && !WORKING.contains(&name)
}

/// Whether a path is a lone name that another file may have by chance.
pub(super) fn is_any_name(path: &str) -> bool {
    let written = path.trim_start_matches("./");
    !written.contains('/') && !is_one_of_its_kind(written)
}

/// Whether a text in the folder of `document` may mean `end`, of which it gives only a name that others may have: the file lay below
/// that folder, and is not made from a template that stayed.
fn is_near(workspace: &Workspace, document: &Document, end: &RepoPath) -> bool {
    path::is_at_or_below(end.as_bytes(), document.path.parent()) && !has_template(workspace, end)
}

/// Whether a file of settings was taken out of the repository, so that each user makes one of the template that stayed.
pub(super) fn is_made_by_each(workspace: &Workspace, verdict: &PathVerdict<'_>, from: &RepoPath) -> bool {
    let ending = from.file_name().rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    matches!(verdict, PathVerdict::Deleted { .. }) && DATA.contains(&ending) && has_template(workspace, from)
}

/// Whether a template of the file at `end` stands where it lay: each user makes a file of it.
fn has_template(workspace: &Workspace, end: &RepoPath) -> bool {
    let name = String::from_utf8_lossy(end.file_name()).to_lowercase();
    let stem = name.trim_start_matches('.').split('.').next().unwrap_or(&name).to_owned();
    let signs = ["example", "sample", "template", "dist", "default", "tmpl"];
    let is_template = |other: &[u8]| {
        let other = String::from_utf8_lossy(other).to_lowercase();
        other.contains(stem.as_str()) && signs.iter().any(|sign| other.contains(sign))
    };
    workspace.listing.children(end.parent()).iter().any(|(name, _)| is_template(name))
}

/// Whether folder after folder of a project has a file of this name.
fn is_common_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    matches!(
        stem,
        "index" | "main" | "mod" | "lib" | "app" | "types" | "utils" | "config" | "page" | "route" | "__init__"
    )
}

/// Whether a file's name is such that no two files have it by chance: of several words.
fn is_one_of_its_kind(name: &str) -> bool {
    // `x.instructions.md` says what the file is for.
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let humps = stem.char_indices().skip(1).filter(|(_, c)| c.is_ascii_uppercase()).count();
    let is_joined = stem.split(['_', '-', '.']).filter(|word| word.len() > 2).count() > 1;
    let is_long = stem.len() > 9 && !stem.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    is_long && (humps > 0 || is_joined) && !is_placeholder(name)
}

/// What became of the path that a mention means.
pub(in crate::rules) enum PathVerdict<'a> {
    /// It was renamed to `to`.
    Renamed { from: &'a RepoPath, to: &'a RepoPath, exact: bool, commit: Option<&'a CommitRef> },
    /// It was there once. Unless that is `certain`, it may have been renamed and changed by the same commit.
    Deleted { from: &'a RepoPath, commit: Option<&'a CommitRef>, certain: bool },
    /// It never was.
    Never,
    /// Nobody misses it here: it never was, and lies in what belonged to a submodule once, or it is a folder that only a file kept
    /// which says nothing, so that it comes and goes.
    Excused,
    /// Unknown.
    Unknown,
}

/// The removed paths that end in what `mention` says.
fn ends<'a>(cx: &'a Cx<'_>, document: &Document, mention: &Mention) -> Vec<&'a RepoPath> {
    let ending = ending(cx.workspace, &document.path, mention);
    let ends = ending.and_then(|ending| cx.answers.endings.get(&ending)).into_iter().flatten();
    // What is handed out means files of its own.
    let is_here = !document.kind.is_general() || cx.workspace.why_elsewhere(document).is_none();
    let is_coincidence = begins_here(cx.workspace, mention);
    let ends = ends.filter(|end| {
        (!is_coincidence || is_respelt(mention, end)) && (is_here || is_own_past(cx.workspace, document, mention, end))
    });
    // What others wrote and nobody keeps any more was never meant, but by those who keep it.
    let may_be_others =
        discover::is_vendored(document.path.as_bytes()) || discover::is_vendored(mention.path.as_bytes());
    let ends = ends.filter(|end| may_be_others || !discover::is_vendored(end.as_bytes()));
    // What went into a submodule is there.
    let ends = ends.filter(|end| !cx.workspace.listing.is_in_submodule(end.as_bytes()));
    let ends: Vec<&RepoPath> = ends.collect();
    match &*ends {
        [only] if is_any_name(&mention.path) && !is_near(cx.workspace, document, only) => Vec::new(),
        _ => ends,
    }
}

/// Whether the folder that a path begins with is there, where the text may look for it: then it means that one, and no other folder
/// of the name.
fn begins_here(workspace: &Workspace, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let written = mention.path.trim_start_matches("./");
    let Some((_, rest)) = written.split_once('/') else { return false };
    let first = |path: &RepoPath| path.as_bytes().strip_suffix(format!("/{rest}").as_bytes()).map(<[u8]>::to_vec);
    candidates.iter().filter_map(first).any(|folder| workspace.listing.has_dir(&folder))
}

/// Whether `end` is what `mention` means, below a folder whose name was written in other letters then: history knows it by that name.
fn is_respelt(mention: &Mention, end: &RepoPath) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    candidates.iter().any(|candidate| candidate.as_bytes().eq_ignore_ascii_case(end.as_bytes()))
}

/// Among the candidates of a path, prefer those that existed once, and among these those that still exist.
pub(in crate::rules) fn verdict<'a>(cx: &'a Cx<'_>, candidates: &'a [RepoPath]) -> PathVerdict<'a> {
    verdict_of(cx, &candidates.iter().collect::<Vec<_>>())
}

/// The same; if the path never existed as written, then for removed paths that end with it.
pub(super) fn verdict_by_end<'a>(
    cx: &'a Cx<'_>,
    document: &Document,
    mention: &Mention,
    candidates: &'a [RepoPath],
) -> PathVerdict<'a> {
    if is_kept_otherwise(cx.workspace, document, candidates) {
        return PathVerdict::Excused;
    }
    match verdict(cx, candidates) {
        // A lone name that several files had by chance may mean any of them.
        PathVerdict::Never => match &*ends(cx, document, mention) {
            several @ [_, .., last] if is_any_name(&mention.path) => {
                match went_together(cx, several) && is_near(cx.workspace, document, last) {
                    true => verdict_of(cx, &[last]),
                    false => PathVerdict::Never,
                }
            }
            [] => verdict_from_root(cx, document, mention),
            ends => verdict_of(cx, ends),
        },
        known => known,
    }
}

/// Whether the repository keeps the file under the name from which a tool makes this one in a home.
pub(super) fn is_kept_otherwise(workspace: &Workspace, document: &Document, candidates: &[RepoPath]) -> bool {
    candidates.iter().any(|path| workspace.keeps_under_another_name(document.path.as_bytes(), path.as_bytes()))
}

/// Entries of a drawing that history does not know, at least, for each one that it knows, before that one is known by chance.
const UNKNOWN_FOR_EACH: usize = 4;

/// Entries of a drawing that are looked up, at most.
const MAX_DRAWN: usize = 200;

/// The drawings of one text, each by where it begins: whether history knows next to nothing of its files that are not there, and of its
/// folders. Such a drawing shows what was to be made, or another project.
#[derive(Default)]
pub(super) struct ChanceDrawings(BTreeMap<(usize, bool), bool>);

impl ChanceDrawings {
    /// Whether the path is an entry of a drawing in `document` whose few known entries are known by chance.
    pub(super) fn hold(&mut self, cx: &Cx<'_>, document: &Document, mention: &Mention) -> bool {
        let Some(fence) = document.markdown.fence_at(mention.span.start).map(|fence| fence.span) else { return false };
        let key = (fence.start, mention.form == MentionForm::File);
        *self.0.entry(key).or_insert_with(|| is_known_by_chance(cx, document, fence, mention.form))
    }
}

/// Whether history knows next to no path of `form` that is drawn in `fence` and is not there.
fn is_known_by_chance(cx: &Cx<'_>, document: &Document, fence: Span, form: MentionForm) -> bool {
    let drawn = cx.workspace.mentions.of(&document.path).iter();
    let drawn = drawn.filter(|mention| mention.form == form && fence.covers(mention.span));
    let (mut known, mut unknown) = (0, 0);
    for mention in drawn.take(MAX_DRAWN) {
        let Miss::Absent { candidates, .. } = &mention.place else { continue };
        match verdict_by_end(cx, document, mention, candidates) {
            PathVerdict::Renamed { .. } | PathVerdict::Deleted { .. } => known += 1,
            PathVerdict::Never => unknown += 1,
            PathVerdict::Unknown | PathVerdict::Excused => {}
        }
    }
    unknown >= known * UNKNOWN_FOR_EACH && unknown > 0
}

/// Whether one commit took all of `paths` away: one file that was moved before, or several of which none is left.
fn went_together(cx: &Cx<'_>, paths: &[&RepoPath]) -> bool {
    let commit = |path: &&RepoPath| match cx.answers.fate(path) {
        Fate::Deleted { commit } => commit.as_ref().map(|commit| commit.id.clone()),
        _ => None,
    };
    let commits: Option<Vec<String>> = paths.iter().map(commit).collect();
    commits.is_some_and(|commits| commits.windows(2).all(|pair| pair[0] == pair[1]))
}

fn verdict_of<'a>(cx: &'a Cx<'_>, candidates: &[&'a RepoPath]) -> PathVerdict<'a> {
    let fates = || candidates.iter().map(|&candidate| (candidate, cx.answers.fate(candidate)));
    let has_lived = |fate: &Fate| matches!(fate, Fate::Renamed { .. } | Fate::Deleted { .. } | Fate::Gone { .. });
    let lived = fates().filter(|(_, fate)| has_lived(fate)).count();
    let renamed = fates().find_map(|(from, fate)| match fate {
        Fate::Renamed { to, exact, commit } => {
            Some(PathVerdict::Renamed { from, to, exact: *exact && lived == 1, commit: commit.into() })
        }
        _ => None,
    });
    let deleted = || {
        fates().find_map(|(from, fate)| match fate {
            Fate::Deleted { commit } => Some(PathVerdict::Deleted { from, commit: commit.into(), certain: true }),
            Fate::Gone { commit } => Some(PathVerdict::Deleted { from, commit: commit.into(), certain: false }),
            _ => None,
        })
    };
    let never = || fates().all(|(_, fate)| *fate == Fate::NeverTracked);
    renamed.or_else(deleted).unwrap_or_else(|| match () {
        () if candidates.iter().any(|candidate| cx.answers.is_of_submodule(candidate)) => PathVerdict::Excused,
        () if candidates.iter().any(|candidate| cx.answers.emptied.contains(*candidate)) => PathVerdict::Excused,
        () if never() => PathVerdict::Never,
        () => PathVerdict::Unknown,
    })
}
