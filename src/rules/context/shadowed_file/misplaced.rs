//! Text files in an agent's folder of skills or rules that are none: it looks for folders with a `SKILL.md`, or for another ending.
//! Looks at the listing alone.

use std::collections::BTreeMap;

use crate::agents::{Dialect, Proof, bundles, files};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover::{self, Discovery};
use crate::source::{EntryKind, Listing};
use crate::workspace::Workspace;

/// The folder of skills, in the folder of an agent or of a bundle.
const SKILLS: &[u8] = b"skills";
const SKILL: &[u8] = b"SKILL.md";

/// Names of files about the skills beside them, in small letters and without extension.
const ABOUT: [&str; 8] = ["catalog", "changelog", "contributing", "index", "overview", "readme", "skills", "template"];

/// The files of folders of skills that no agent takes for a skill.
pub(super) fn find(workspace: &Workspace, discovery: &Discovery) -> Vec<RepoPath> {
    let listing = &workspace.listing;
    let files = listing.marked().filter(|entry| entry.kind == EntryKind::File && is_flat(listing, entry.path));
    let found = files.filter(|entry| is_unknown(discovery, entry.path)).map(|entry| RepoPath::new(entry.path));
    let found: Vec<RepoPath> = found.collect();
    let mut bundled: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for path in found.iter().filter(|path| is_of_bundle(path)) {
        *bundled.entry(path.file_name().to_vec()).or_default() += 1;
    }
    let is_of_each = |path: &RepoPath| is_of_bundle(path) && bundled[path.file_name()] >= MANY_BUNDLES;
    found.into_iter().filter(|path| !is_of_each(path)).collect()
}

/// So many bundles have a file of one name beside their skills before it is a record that each keeps.
const MANY_BUNDLES: usize = 3;

/// Whether the file lies among the skills of a bundle. Copies for several agents are one and the same skill.
fn is_of_bundle(path: &RepoPath) -> bool {
    let root = root_of(path.as_bytes());
    root.is_some_and(|root| !files::is_skill_folder(path::file_name(path::parent(root))))
}

/// Whether the file at `path` is about this repository, and no hint file.
fn is_unknown(discovery: &Discovery, path: &[u8]) -> bool {
    discovery.kind(path).is_none() && is_about_here(discovery, path)
}

/// Whether the file at `path` is about this repository.
pub(super) fn is_about_here(discovery: &Discovery, path: &[u8]) -> bool {
    !discovery.is_excluded(path) && discover::why_set_aside(path).is_none()
}

/// Files right in an enabled agent's folder of rules whose names do not end as those of its rules do: the file, the agent, the ending.
pub(super) fn misnamed_rules(
    workspace: &Workspace,
    discovery: &Discovery,
) -> Vec<(RepoPath, &'static str, &'static str)> {
    let observed = workspace.dialects().filter(|dialect| dialect.proof == Proof::Vectors);
    let folders: Vec<_> =
        observed.flat_map(|dialect| dialect.rules.iter().map(move |rules| (dialect, rules))).collect();
    let found = workspace.listing.marked().filter(|entry| entry.kind == EntryKind::File).filter_map(|entry| {
        let (dir, name) = (path::parent(entry.path), path::file_name(entry.path));
        let is_text = [&b".md"[..], b".mdc", b".txt"].iter().any(|ending| name.ends_with(ending));
        let (dialect, rules) =
            folders.iter().find(|(_, rules)| files::ends_with(dir, rules.path)).filter(|_| is_text)?;
        let is_meant = !name.ends_with(rules.suffix.as_bytes()) && may_be_skill(name);
        (is_meant && is_unknown(discovery, entry.path))
            .then(|| (RepoPath::new(entry.path), dialect.title, rules.suffix))
    });
    found.collect()
}

/// What is said of a file in a folder of rules.
pub(super) fn report_rule(
    rule: &'static str,
    (path, agent, suffix): &(RepoPath, &'static str, &'static str),
) -> Finding {
    let message = format!("no enabled agent reads this file: {agent} reads `*{suffix}` in this folder");
    Finding::new(rule, Level::Warning, path, Span::default(), message)
        .help("rename it, mention it in a file that an agent reads, or move it out of the folder")
}

/// What is said of texts that lie where an enabled agent reads files of another kind. What its settings name may be read by them.
pub(super) fn unread_texts(rule: &'static str, workspace: &Workspace, discovery: &Discovery) -> Vec<Finding> {
    let observed = workspace.dialects().filter(|dialect| dialect.proof == Proof::Vectors);
    let places: Vec<_> =
        observed.flat_map(|dialect| dialect.files.unread_texts.iter().map(move |place| (dialect, place))).collect();
    let is_named = |name: &[u8]| workspace.settings.values().any(|text| memchr::memmem::find(text, name).is_some());
    let found = workspace.listing.marked().filter(|entry| entry.kind == EntryKind::File).filter_map(|entry| {
        let name = path::file_name(entry.path);
        let lies_there = |start: &str, ending: &str| match start.ends_with('/') {
            true => entry.path.starts_with(start.as_bytes()) && name.ends_with(ending.as_bytes()) && may_be_skill(name),
            false => entry.path.strip_prefix(start.as_bytes()) == Some(ending.as_bytes()),
        };
        let (dialect, (start, _, read)) = places.iter().find(|(_, (start, ending, _))| lies_there(start, ending))?;
        let is_unread = is_unknown(discovery, entry.path) && !is_named(name);
        is_unread.then(|| of_unread_text(rule, &RepoPath::new(entry.path), dialect, (start, read)))
    });
    found.collect()
}

fn of_unread_text(rule: &'static str, path: &RepoPath, dialect: &Dialect, (start, read): (&str, &str)) -> Finding {
    let message = format!("no enabled agent reads this file: {} reads {read}", dialect.versioned());
    let cause = Cause {
        key: format!("unread {start}"),
        subject: path.to_str_lossy().into_owned(),
        many: "are read by no enabled agent",
        help: Some(format!("rewrite each as {read}, or mention it in a file that an agent reads")),
    };
    Finding::new(rule, Level::Warning, path, Span::default(), message)
        .help(format!("rewrite it as {read}, or mention it in a file that an agent reads"))
        .agents([dialect.id])
        .cause(cause)
}

/// What is said of the file at `path`.
pub(super) fn report(rule: &'static str, path: &RepoPath) -> Finding {
    let root = root_of(path.as_bytes()).unwrap_or_default();
    let root = String::from_utf8_lossy(root);
    let name = String::from_utf8_lossy(stem(path.file_name())).into_owned();
    let message = "no enabled agent reads this file: a skill is a folder with a SKILL.md";
    let cause = Cause {
        key: format!("flat {root}"),
        subject: path.to_str_lossy().into_owned(),
        many: "are no skills: a skill is a folder with a SKILL.md",
        help: Some(format!("move each to {root}/NAME/SKILL.md, or mention it in a file that an agent reads")),
    };
    Finding::new(rule, Level::Warning, path, Span::default(), message)
        .help(format!("move it to {root}/{name}/SKILL.md, or mention it in a file that an agent reads"))
        .cause(cause)
}

fn stem(name: &[u8]) -> &[u8] {
    name.strip_suffix(b".md").unwrap_or(name)
}

/// The folder of skills around `path`.
fn root_of(path: &[u8]) -> Option<&[u8]> {
    let mut dir = path::parent(path);
    while !dir.is_empty() {
        if path::file_name(dir) == SKILLS {
            return Some(dir);
        }
        dir = path::parent(dir);
    }
    None
}

/// Whether the file lies where a skill's folder belongs: right in the folder of skills of an agent or of a bundle or, where an agent's
/// holds no skill at all or the file has the name of its folder, one folder deeper.
fn is_flat(listing: &Listing, path: &[u8]) -> bool {
    let name = path::file_name(path);
    if !name.ends_with(b".md") || !may_be_skill(name) {
        return false;
    }
    let dir = path::parent(path);
    let (root, is_deeper) = match path::file_name(dir) == SKILLS {
        true => (dir, false),
        false if path::file_name(path::parent(dir)) == SKILLS => (path::parent(dir), true),
        false => return false,
    };
    let is_skill = |path: &[u8]| path::file_name(path).eq_ignore_ascii_case(SKILL);
    let holds_skill = |folder: &[u8]| listing.below(folder).any(|index| is_skill(listing.entry(index).path));
    let above = path::parent(root);
    let is_of_agent = files::is_skill_folder(path::file_name(above));
    if is_deeper {
        let is_page_of_folder = || stem(name) == path::file_name(dir) && !holds_skill(dir);
        return is_of_agent && (!holds_skill(root) || is_page_of_folder());
    }
    let is_of_bundle = || bundles::all().any(|bundle| bundle.is_root(above, |path| listing.contains(path)));
    (is_of_agent || is_of_bundle()) && !holds_skill(&path::join(root, stem(name))) && !is_page(listing, path)
}

/// Whether the folder of skills is itself a skill, so that its files are pages.
fn is_page(listing: &Listing, path: &[u8]) -> bool {
    listing.contains(&path::join(path::parent(path), SKILL))
}

/// Whether a file of this name may have been meant as a skill. Names in capitals are those of documents.
fn may_be_skill(name: &[u8]) -> bool {
    let stem = String::from_utf8_lossy(stem(name)).into_owned();
    let is_about = stem.split(['-', '_', '.']).any(|word| ABOUT.contains(&word.to_lowercase().as_str()));
    !stem.starts_with(['_', '.'])
        && !is_about
        && stem != "doc"
        && stem != "docs"
        && stem.chars().any(char::is_lowercase)
}
