//! By which paths agents open hint files: links to a file, and links to a folder of skills, rules, agents or commands. Knows
//! places and kinds; reads no file.

use std::collections::{BTreeMap, BTreeSet};

use super::{Resolution, Workspace};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::discover::{self, Discovery};
use crate::parse::Document;
use crate::source::EntryKind;

/// Links in a row, and files behind links to folders, that are looked at.
const MAX_DEPTH: usize = 8;
const MAX_FILES: usize = 10_000;

/// A hint file that a link in its path leads to.
pub(super) struct LinkedFile {
    /// The path by which agents open it.
    pub(super) link: RepoPath,
    /// Where it stands.
    pub(super) target: RepoPath,
    /// What it is there, by the link's name and place.
    pub(super) kind: Kind,
}

/// The hint files that agents reach through links to folders. Files in a folder that is not hidden count by themselves, so
/// that a link to it brings nothing but another name for a skill.
pub(super) fn through_folders(workspace: &Workspace, discovery: &Discovery) -> Vec<LinkedFile> {
    let mut found = Vec::new();
    let mut room = MAX_FILES;
    let folder = |link: &RepoPath| match workspace.resolve(link.as_bytes()) {
        Resolution::Directory(target) if !discovery.is_excluded(link.as_bytes()) => Some(target),
        _ => None,
    };
    let mut open: Vec<(RepoPath, RepoPath, usize)> =
        workspace.links.keys().rev().filter_map(|link| Some((link.clone(), folder(link)?, 0))).collect();
    while let Some((link, target, depth)) = open.pop() {
        let below = workspace.listing.below(target.as_bytes()).take(room);
        for entry in below.map(|index| workspace.listing.entry(index)) {
            room -= 1;
            let Some(rest) = entry.path.strip_prefix(target.as_bytes()) else { continue };
            let at = RepoPath::new(path::join(link.as_bytes(), rest.strip_prefix(b"/").unwrap_or(rest)));
            let real = match entry.kind {
                EntryKind::File => RepoPath::new(entry.path),
                EntryKind::Symlink => match workspace.resolve(entry.path) {
                    Resolution::File(real) => real,
                    Resolution::Directory(folder) if depth < MAX_DEPTH => {
                        open.push((at, folder, depth + 1));
                        continue;
                    }
                    _ => continue,
                },
                EntryKind::Submodule | EntryKind::Special => continue,
            };
            let kind = discovery.kind(at.as_bytes()).filter(|kind| *kind == Kind::Skill || is_hidden(link.as_bytes()));
            let excluded = discovery.is_excluded(at.as_bytes()) || discovery.is_excluded(real.as_bytes());
            if let Some(kind) = kind.filter(|kind| *kind != Kind::Artifact && !excluded) {
                found.push(LinkedFile { link: at, target: real, kind });
            }
        }
    }
    found
}

/// Whether a folder of `path` is hidden, as agents' folders are.
fn is_hidden(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|part| part.starts_with(b"."))
}

/// The paths by which agents open the file at `path`, if not by its own alone. `links` lead to it; `by_link` says that it is a
/// hint file because of them.
pub(super) fn paths(path: &RepoPath, kind: Kind, links: &BTreeSet<RepoPath>, by_link: bool) -> Vec<RepoPath> {
    let at_work = |link: &&RepoPath| !discover::is_illustrative(link.as_bytes());
    // A fixture's link to a file says nothing of the file, unless nothing else makes it a hint file.
    let only = by_link && !links.iter().any(|link| at_work(&link));
    let own = std::iter::once(path).filter(|_| !by_link);
    // By a link of another name agents open it as something else: a command that is called as the link is.
    let is_skill = |link: &&RepoPath| kind != Kind::Skill || by_link || link.file_name() == path.file_name();
    let links = links.iter().filter(is_skill).filter(|link| only || at_work(link));
    let all: Vec<RepoPath> = own.chain(links).cloned().collect();
    let is_own = |path: &RepoPath| discover::stands_among_own_skills(path.as_bytes());
    let all = match kind == Kind::Skill && all.iter().any(is_own) {
        true => all.into_iter().filter(is_own).collect(),
        false => all,
    };
    if all.len() == 1 && all[0] == *path { Vec::new() } else { all }
}

/// Say in each document by which paths agents open it.
pub(super) fn note(
    documents: &mut BTreeMap<RepoPath, Document>,
    opened: &BTreeMap<RepoPath, BTreeSet<RepoPath>>,
    linked: &BTreeSet<RepoPath>,
) {
    for (path, links) in opened {
        if let Some(document) = documents.get_mut(path) {
            document.opened_as = paths(path, document.kind, links, linked.contains(path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::source::Memory;

    /// The documents of a repository, each with the paths by which agents open it. `a -> b` is a link.
    fn opened(files: &[&str]) -> Vec<String> {
        let entry = |file: &&str| match file.split_once(" -> ") {
            Some((link, target)) => (RepoPath::from(link), EntryKind::Symlink, target.to_owned()),
            None => (RepoPath::from(*file), EntryKind::File, "x".to_owned()),
        };
        let source = Memory::new(files.iter().map(entry));
        let workspace = super::super::load(&source, Config::default(), &[]).unwrap().workspace;
        let show = |document: &Document| {
            let paths: Vec<_> = document.opened().iter().map(RepoPath::to_str_lossy).collect();
            format!("{} {}: {}", document.kind.name(), document.path.to_str_lossy(), paths.join(", "))
        };
        workspace.documents.iter().map(show).collect()
    }

    #[test]
    fn links_to_files_and_folders_are_opened_by_their_own_paths() {
        for (files, want) in [
            (
                &["skills/y/SKILL.md", ".claude/skills/x -> ../../skills/y"][..],
                &["skill skills/y/SKILL.md: .claude/skills/x/SKILL.md"][..],
            ),
            (
                &["skills/y/SKILL.md", ".claude/skills -> ../skills"],
                &["skill skills/y/SKILL.md: .claude/skills/y/SKILL.md"],
            ),
            (
                &[".agents/skills/y/SKILL.md", ".claude/skills/x -> ../../.agents/skills/y"],
                &["skill .agents/skills/y/SKILL.md: .agents/skills/y/SKILL.md, .claude/skills/x/SKILL.md"],
            ),
            (
                &["agents/review.md", ".claude/agents -> ../agents"],
                &["claude-agent agents/review.md: .claude/agents/review.md"],
            ),
            (
                &["shared/r.md", ".claude/commands/run.md -> ../../shared/r.md"],
                &["claude-command shared/r.md: .claude/commands/run.md"],
            ),
            (
                &["skills/y/SKILL.md", ".claude/commands/y.md -> ../../skills/y/SKILL.md"],
                &["skill skills/y/SKILL.md: skills/y/SKILL.md"],
            ),
            (&["all/rules/r.md", ".claude -> all"], &["claude-rule all/rules/r.md: .claude/rules/r.md"]),
            (
                &["a/x/SKILL.md", "b/c -> ../a", ".claude/skills -> ../b"],
                &["skill a/x/SKILL.md: .claude/skills/c/x/SKILL.md"],
            ),
            (&["AGENTS.md", "CLAUDE.md -> AGENTS.md"], &["agents-md AGENTS.md: AGENTS.md, CLAUDE.md"]),
            (&["docs/a.md", "docs/b -> .", ".x -> docs"], &[]),
            (
                &["skills/y/SKILL.md", "tests/fixtures/x -> ../../skills/y"],
                &["skill skills/y/SKILL.md: skills/y/SKILL.md"],
            ),
            (&[".claude/rules -> rules", ".claude/rules/a.md -> ../rules"], &[]),
        ] {
            assert_eq!(opened(files), want, "{files:?}");
        }
    }
}
