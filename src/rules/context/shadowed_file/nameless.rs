//! Folders of an agent's folder of skills that hold a README and no skill, and names of hint files that go on behind their ending with a
//! character nobody meant. Looks at the listing alone.

use super::misplaced::is_about_here;
use crate::agents::{Proof, files};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::discover::Discovery;
use crate::source::EntryKind;
use crate::workspace::Workspace;

/// What is said of skills that are a README alone. Whoever names such a file elsewhere may have it read.
pub(super) fn readmes(rule: &'static str, workspace: &Workspace, discovery: &Discovery) -> Vec<Finding> {
    let listing = &workspace.listing;
    let is_text = |path: &[u8]| path.ends_with(b".md") || path.ends_with(b".mdx");
    let found = listing.marked().filter(|entry| entry.kind == EntryKind::File).filter_map(|entry| {
        let folder = path::parent(entry.path);
        let skills = path::parent(folder);
        let is_of_agent =
            path::file_name(skills) == b"skills" && files::is_skill_folder(path::file_name(path::parent(skills)));
        let name = path::file_name(folder);
        // Folders that begin so hold what the skills share.
        let is_skill = !name.starts_with(b"_") && !name.starts_with(b".");
        if !is_of_agent || !is_skill || !path::file_name(entry.path).eq_ignore_ascii_case(b"README.md") {
            return None;
        }
        let alone = listing.below(folder).filter(|&index| is_text(listing.entry(index).path)).count() == 1;
        (alone && is_about_here(discovery, entry.path)).then(|| of_readme(rule, &RepoPath::new(entry.path)))
    });
    found.collect()
}

fn of_readme(rule: &'static str, path: &RepoPath) -> Finding {
    let folder = RepoPath::new(path.parent());
    let folder = sanitize::path(&folder);
    let skills = String::from_utf8_lossy(path::parent(path.parent())).into_owned();
    let cause = Cause {
        key: format!("readme {skills}"),
        subject: path.to_str_lossy().into_owned(),
        many: "are no skills: a skill is a folder with a SKILL.md",
        help: Some("write a SKILL.md with `name` and `description` into each folder".to_owned()),
    };
    let message = "no enabled agent reads this file: a skill is a folder with a SKILL.md";
    Finding::new(rule, Level::Warning, path, Span::default(), message)
        .help(format!("rename it to {folder}/SKILL.md and give it a `name` and a `description`"))
        .cause(cause)
}

/// Marks that nobody ends a file's name with on purpose.
const STRAY: [char; 8] = ['`', '\'', '"', ',', ';', ')', ' ', '.'];

/// What is said of names that would be those of an enabled agent's hint files without a mark at their end.
pub(super) fn stray_ends(rule: &'static str, workspace: &Workspace, discovery: &Discovery) -> Vec<Finding> {
    let observed: Vec<_> = workspace.dialects().filter(|dialect| dialect.proof == Proof::Vectors).collect();
    let found = workspace.listing.marked().filter(|entry| entry.kind == EntryKind::File).filter_map(|entry| {
        let whole = std::str::from_utf8(entry.path).ok()?;
        let meant = whole.trim_end_matches(STRAY);
        if meant.len() == whole.len() || !meant.ends_with(".md") && !meant.ends_with(".mdc") {
            return None;
        }
        let kind = discovery.kind(meant.as_bytes())?;
        let reader = observed.iter().find(|dialect| dialect.files.hints.iter().any(|hint| hint.kind == kind))?;
        let is_free = !workspace.listing.contains(meant.as_bytes());
        (is_free && is_about_here(discovery, entry.path)).then(|| {
            let odd = &whole[meant.len()..];
            let message = format!("no agent reads this file: its name goes on with `{odd}` behind {}", ending(meant));
            Finding::new(rule, Level::Warning, &RepoPath::new(entry.path), Span::default(), message)
                .help(format!("rename it to {meant}"))
                .agents([reader.id])
        })
    });
    found.collect()
}

fn ending(name: &str) -> &str {
    name.rfind('.').map_or(name, |at| &name[at..])
}
