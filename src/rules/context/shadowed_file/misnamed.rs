//! Files that lie beside what agents read because of a slip in a name: in a folder with a number or without the plural, or with a character
//! that only looks like the right one; and linked folders of which an agent reads no file. Looks at the listing and the links alone.

use super::misplaced::is_about_here;
use crate::agents::{Proof, files};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::discover::Discovery;
use crate::source::{EntryKind, ListedPath};
use crate::workspace::{Resolution, Workspace};

/// What is said of files in folders whose names are not quite right. Whoever names such a file elsewhere may have it read.
pub(super) fn in_misnamed_folders(rule: &'static str, workspace: &Workspace, discovery: &Discovery) -> Vec<Finding> {
    let found = texts(workspace).filter_map(|path| Some((path, in_misnamed_folder(rule, workspace, path)?)));
    found.filter(|(path, _)| is_about_here(discovery, path)).map(|(_, finding)| finding).collect()
}

/// What is said of files whose names are one slip away from a hint file's. Whoever names such a file elsewhere may have it read.
pub(super) fn slips(rule: &'static str, workspace: &Workspace, discovery: &Discovery) -> Vec<Finding> {
    let found = texts(workspace).filter_map(|path| {
        let meant = files::is_a_slip_of(path).filter(|meant| !workspace.listing.contains(meant.as_bytes()))?;
        let reader = workspace.enabled_owner(files::kind_of(meant.as_bytes())?)?;
        let message = format!("no enabled agent reads this file: {} reads {meant}, one slip away", reader.title);
        let finding = Finding::new(rule, Level::Warning, &RepoPath::new(path), Span::default(), message);
        is_about_here(discovery, path).then(|| finding.help(format!("rename it to {meant}")).agents([reader.id]))
    });
    found.collect()
}

/// What is said of names and links that are wrong whatever other files say of them: the agent looks for its own names.
pub(super) fn certain(rule: &'static str, workspace: &Workspace, discovery: &Discovery) -> Vec<Finding> {
    let odd = texts(workspace).filter_map(|path| {
        let meant = files::looks_like_hint(path).filter(|meant| !workspace.listing.contains(meant.as_bytes()))?;
        is_about_here(discovery, path).then(|| looks_alike(rule, path, &meant))
    });
    odd.chain(linked_folders(rule, workspace)).collect()
}

/// The Markdown files of the repository.
fn texts(workspace: &Workspace) -> impl Iterator<Item = &[u8]> {
    let is_text = |entry: &ListedPath<'_>| entry.kind == EntryKind::File && entry.path.ends_with(b".md");
    workspace.listing.marked().filter(is_text).map(|entry| entry.path)
}

/// What is said of a file in a folder such as `.claude/agents-2` or `.claude/agent`.
fn in_misnamed_folder(rule: &'static str, workspace: &Workspace, path: &[u8]) -> Option<Finding> {
    if path::file_name(path).eq_ignore_ascii_case(b"README.md") {
        return None;
    }
    let folders: Vec<&[u8]> = path::ancestors_from_root(path::parent(path));
    let found = folders.windows(2).find_map(|pair| {
        let (owner, folder) = (pair[0], pair[1]);
        let meant = files::misnamed_folder(path::file_name(owner), path::file_name(folder))?;
        Some((folder, path::join(owner, meant.as_bytes())))
    });
    let (folder, meant) = found?;
    // The right name may be a link that leads to one of them in turn.
    if workspace.links.contains_key(&RepoPath::new(&*meant)) {
        return None;
    }
    let (folder, meant) = (String::from_utf8_lossy(folder), String::from_utf8_lossy(&meant));
    let message = format!("no enabled agent reads this file: agents read `{meant}/`, and it lies in `{folder}/`");
    let cause = Cause {
        key: format!("meant for {meant}"),
        subject: String::from_utf8_lossy(path).into_owned(),
        many: "lie in folders that no agent reads",
        help: Some(format!("move those that are meant to count to {meant}/, and delete the others")),
    };
    let finding = Finding::new(rule, Level::Warning, &RepoPath::new(path), Span::default(), message);
    Some(finding.help(format!("move it to {meant}/, or delete it")).cause(cause))
}

fn looks_alike(rule: &'static str, path: &[u8], meant: &str) -> Finding {
    let name = String::from_utf8_lossy(path::file_name(path)).into_owned();
    let odd = name.chars().find(|c| !c.is_ascii()).map(|odd| format!("U+{:04X}", u32::from(odd)));
    let odd = odd.unwrap_or_else(|| if name.contains('_') { "an underscore".into() } else { "a blank".into() });
    let message = format!("no agent reads this file: its name has {odd} where {meant} has a hyphen");
    Finding::new(rule, Level::Warning, &RepoPath::new(path), Span::default(), message)
        .help(format!("rename it to {meant}"))
}

/// Links in the place of an agent's folder of rules to a folder whose files all have other endings than its rules.
fn linked_folders(rule: &'static str, workspace: &Workspace) -> Vec<Finding> {
    let observed: Vec<_> = workspace.dialects().filter(|dialect| dialect.proof == Proof::Vectors).collect();
    let about = |link: &RepoPath| {
        let mut rules = observed.iter().flat_map(|dialect| dialect.rules.iter().map(move |rules| (dialect, rules)));
        let (dialect, rules) = rules.find(|(_, rules)| files::ends_with(link.as_bytes(), rules.path))?;
        let Resolution::Directory(folder) = workspace.resolve(link.as_bytes()) else { return None };
        let below = workspace.listing.below(folder.as_bytes());
        let names: Vec<&[u8]> = below.map(|index| path::file_name(workspace.listing.entry(index).path)).collect();
        let texts = names.iter().filter(|name| name.ends_with(b".md") || name.ends_with(b".mdc")).count();
        let is_read = names.iter().any(|name| name.ends_with(rules.suffix.as_bytes()));
        if texts == 0 || is_read {
            return None;
        }
        let message = format!(
            "no file of this linked folder is read: {} reads `*{}` here, and {} has none",
            dialect.title,
            rules.suffix,
            sanitize::path(&folder)
        );
        let finding = Finding::new(rule, Level::Warning, link, Span::default(), message).agents([dialect.id]);
        Some(finding.help(format!("link files whose names end in `{}`, or remove the link", rules.suffix)))
    };
    workspace.links.keys().filter_map(about).collect()
}
