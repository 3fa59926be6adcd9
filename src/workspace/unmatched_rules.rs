//! Rules that refuse an agent a file which is not there, while one file or folder is that was surely meant. Knows no message.

use std::collections::BTreeSet;

use crate::agents::Dialect;
use crate::agents::runs::file_rules::FileRule;
use crate::agents::runs::{PermissionList, RunKind, RunMode};
use crate::base::path::{self, RepoPath};
use crate::base::text::{Span, edit_distance};
use crate::source::{EntryKind, Probe, Source};
use crate::workspace::Workspace;

/// Most rules that are looked up.
const MAX_RULES: usize = 2_000;
/// Shorter names are too much alike, in characters without the extension.
const MIN_NAME: usize = 5;

/// Such a rule.
#[derive(Clone, Debug)]
pub(crate) struct UnmatchedRule {
    /// Whose.
    pub(crate) agent: &'static Dialect,
    /// Where it stands.
    pub(crate) path: RepoPath,
    pub(crate) span: Span,
    /// The file or folder that was meant.
    pub(crate) meant: RepoPath,
}

/// A rule, and what it is about.
struct PlacedRule {
    found: UnmatchedRule,
    /// The path that it names, from the root.
    named: RepoPath,
}

/// The rules of the workspace's settings that refuse nothing. What git ignores, or has outside of its index, may come to be.
pub(crate) fn collect(source: &dyn Source, workspace: &Workspace) -> Vec<UnmatchedRule> {
    let mut found: Vec<PlacedRule> = Vec::new();
    let mut seen = BTreeSet::new();
    for runs in workspace.runs(RunMode::Headless).iter().filter(|runs| !runs.is_bundle) {
        let Some(start) = workspace.world().relative(&runs.start).map(<[u8]>::to_vec) else { continue };
        let rules = runs.items.iter().filter_map(|item| match &item.kind {
            RunKind::Permission { list: PermissionList::Deny | PermissionList::Ask, rule } => {
                Some(((runs.dialect.file_rule)(rule)?, &item.place))
            }
            _ => None,
        });
        let rules: Vec<_> = rules.take(MAX_RULES).collect();
        let is_refused = |path: &[u8]| rules.iter().any(|(rule, _)| covers(rule, &start, path));
        for (rule, place) in &rules {
            let Some((file, span)) = workspace.place_of_setting(place) else { continue };
            let Some(meant) = meant(rule, &start, workspace).filter(|meant| !is_refused(meant)) else { continue };
            if found.len() < MAX_RULES && seen.insert((file.clone(), span)) {
                let named = RepoPath::new(path::join(&start, rule.path.as_bytes()));
                let meant = RepoPath::new(meant);
                let found_rule = UnmatchedRule { agent: runs.dialect, path: file, span, meant };
                found.push(PlacedRule { found: found_rule, named });
            }
        }
    }
    let named: Vec<RepoPath> = found.iter().map(|rule| rule.named.clone()).collect();
    let probes = if named.is_empty() { Vec::new() } else { source.probe_many(&named) };
    let absent = found.into_iter().zip(probes).filter(|(_, probe)| *probe == Probe::Absent);
    absent.map(|(rule, _)| rule.found).collect()
}

/// Whether a rule of those started in `start` is about `path` or a folder above it.
fn covers(rule: &FileRule, start: &[u8], path: &[u8]) -> bool {
    let below =
        if start.is_empty() { Some(path) } else { path.strip_prefix(start).and_then(|path| path.strip_prefix(b"/")) };
    let Some(below) = below else { return false };
    let mut parts = path::ancestors_from_root(below).into_iter().chain([below]);
    let rule_path = rule.path.as_bytes();
    parts.any(|part| match rule.is_anchored {
        true => part.eq_ignore_ascii_case(rule_path),
        false => path::file_name(part).eq_ignore_ascii_case(rule_path),
    })
}

/// The one file or folder that a rule means which fits none.
fn meant(rule: &FileRule, start: &[u8], workspace: &Workspace) -> Option<Vec<u8>> {
    let listing = &workspace.listing;
    let wanted = path::join(start, rule.path.as_bytes());
    let name = path::file_name(&wanted);
    let fits = |found: &[u8]| covers(rule, start, found);
    let same_name = listing.with_name_in_any_case(name);
    let is_there = || !listing.ignoring_case(&wanted).is_empty() || has_dir_in_any_case(workspace, &wanted);
    if is_there() || listing.is_in_submodule(&wanted) || same_name.iter().any(|found| fits(found)) {
        return None;
    }
    // Below a link, and in folders that are not here, there may be anything.
    let parent = path::parent(&wanted);
    let is_linked = |dir: &[u8]| matches!(listing.kind(dir), Some(EntryKind::Symlink | EntryKind::Submodule));
    if path::ancestors_from_root(parent).into_iter().any(is_linked) || is_conventional(name) {
        return None;
    }
    let moved = rule.path.contains('/').then(|| moved(&rule.path, start, workspace)).flatten();
    moved.or_else(|| misspelled(name, parent, workspace))
}

fn has_dir_in_any_case(workspace: &Workspace, wanted: &[u8]) -> bool {
    if workspace.listing.has_dir(wanted) {
        return true;
    }
    let name = path::file_name(wanted);
    let parent = path::parent(wanted);
    let children = workspace.listing.children(parent);
    children.iter().any(|(child, kind)| kind.is_none() && child.eq_ignore_ascii_case(name))
}

/// Names that rules list whatever the repository has: of variables, keys, locks, and what a build makes.
fn is_conventional(name: &[u8]) -> bool {
    let text = String::from_utf8_lossy(name).to_ascii_lowercase();
    let words = ["cache", "credential", "dist", "env", "key", "lock", "password", "secret", "token"];
    words.iter().any(|word| text.contains(word))
}

/// The one file whose path ends in that of the rule, below another folder, or that the rule's path ends in.
fn moved(rule: &str, start: &[u8], workspace: &Workspace) -> Option<Vec<u8>> {
    let listing = &workspace.listing;
    let is_here = |path: &[u8]| start.is_empty() || path::is_at_or_below(path, start);
    let name = path::file_name(rule.as_bytes());
    let end = [b"/", rule.as_bytes()].concat();
    let mut longer = listing.with_name(name).into_iter().filter(|path| path.ends_with(&end) && is_here(path));
    let first = longer.next().map(<[u8]>::to_vec);
    if first.is_some() {
        return first.filter(|_| longer.next().is_none());
    }
    // One folder too many in front of it, and two names that agree.
    let (above, rest) = rule.split_once('/')?;
    let shorter = path::join(start, rest.as_bytes());
    let is_file =
        rest.contains('/') && listing.contains(&shorter) && !listing.has_dir(&path::join(start, above.as_bytes()));
    is_file.then_some(shorter)
}

/// The one file or folder beside the rule's whose name is one slip away. Another extension makes another file.
fn misspelled(name: &[u8], parent: &[u8], workspace: &Workspace) -> Option<Vec<u8>> {
    let name = std::str::from_utf8(name).ok()?;
    let split = |name: &str| match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem.to_ascii_lowercase(), extension.to_ascii_lowercase()),
        _ => (name.to_ascii_lowercase(), String::new()),
    };
    let (stem, extension) = split(name);
    if stem.chars().count() < MIN_NAME {
        return None;
    }
    let children = workspace.listing.children(parent);
    let is_near = |child: &str| {
        let (other, end) = split(child);
        let is_numbered = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        end == extension && edit_distance(&other, &stem) == 1 && !is_numbered(&other) && !is_numbered(&stem)
    };
    let mut near =
        children.iter().filter_map(|(child, _)| std::str::from_utf8(child).ok()).filter(|child| is_near(child));
    let child = near.next().filter(|_| near.next().is_none())?;
    Some(path::join(parent, child.as_bytes()))
}
