//! Files whose names nothing looks for, whatever other files say of them: the page of a skill in small letters, and files that look
//! like an agent's own. Looks at the listing and at settings.

use super::misplaced::is_about_here;
use crate::agents::{Dialect, Proof, bundles, files};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover::Discovery;
use crate::parse::Document;
use crate::source::EntryKind;
use crate::workspace::Workspace;

const SKILL: &[u8] = b"SKILL.md";

/// All of them.
pub(super) fn find(rule: &'static str, workspace: &Workspace, discovery: &Discovery) -> Vec<Finding> {
    let listing = &workspace.listing;
    let is_file = |path: &&[u8]| listing.kind(path) == Some(EntryKind::File) && is_about_here(discovery, path);
    let pages = listing.with_name_in_any_case(SKILL).into_iter().filter(|path| path::file_name(path) != SKILL);
    let pages = pages.chain(hints_as_pages(workspace)).filter(is_file);
    let pages = pages.filter_map(|path| of_page(rule, workspace, path));
    let names =
        workspace.dialects().flat_map(|dialect| dialect.files.unread_names.iter().map(move |name| (dialect, name)));
    let unread = names.flat_map(|(dialect, (name, instead))| {
        let files = listing.with_name(name.as_bytes()).into_iter().filter(is_file);
        files.filter_map(move |path| of_unread_name(rule, workspace, path, (dialect, instead)))
    });
    pages.chain(unread).chain(endings(rule, workspace, discovery)).collect()
}

/// What is said of hint files whose ending is not in small letters: `CLAUDE.MD`.
fn endings(rule: &'static str, workspace: &Workspace, discovery: &Discovery) -> Vec<Finding> {
    let listing = &workspace.listing;
    let observed = |dialect: &&'static Dialect| dialect.proof == Proof::Vectors && !dialect.ignores_case;
    let of_name = |right: &'static str| {
        let is_slip = move |path: &&[u8]| {
            let name = path::file_name(path);
            let is_stem =
                name.iter().zip(right.as_bytes()).take_while(|(a, b)| a == b).count() > right.len() - ".md".len();
            name != right.as_bytes() && is_stem && !listing.contains(&path::join(path::parent(path), right.as_bytes()))
        };
        let all = listing.with_name_in_any_case(right.as_bytes()).into_iter();
        let found = all.filter(is_slip).filter(|path| listing.kind(path) == Some(EntryKind::File));
        found.filter(|path| is_about_here(discovery, path)).filter_map(move |path| {
            let reader = files::owner(files::kind_of(right.as_bytes())?).filter(observed)?;
            let message = format!(
                "no agent reads this file: {} reads {right}, and file names are case-sensitive",
                reader.versioned()
            );
            let finding = Finding::new(rule, Level::Warning, &RepoPath::new(path), Span::default(), message);
            Some(finding.help(format!("rename it to {right}")).agents([reader.id]))
        })
    };
    let names: std::collections::BTreeSet<&'static str> = files::main_names().collect();
    names.into_iter().flat_map(of_name).collect()
}

/// Hint files whose frontmatter is that of a skill: `.gemini/skills/plan/GEMINI.md`.
fn hints_as_pages(workspace: &Workspace) -> impl Iterator<Item = &[u8]> {
    let is_main = |path: &RepoPath| {
        is_skills(path::parent(path.parent())) && files::main_names().any(|name| name.as_bytes() == path.file_name())
    };
    let is_page = |document: &&Document| {
        let frontmatter = document.frontmatter.as_ref();
        frontmatter.is_some_and(|fields| ["name", "description"].iter().all(|key| fields.get(key).is_some()))
    };
    let hints = workspace.documents.iter().filter(move |document| is_main(&document.path)).filter(is_page);
    hints.map(|document| document.path.as_bytes())
}

/// Whether skills have their folders in this one.
fn is_skills(folder: &[u8]) -> bool {
    matches!(path::file_name(folder), b"skills" | b"skill")
}

/// What is said of the page of a skill that has another name.
fn of_page(rule: &'static str, workspace: &Workspace, path: &[u8]) -> Option<Finding> {
    let folder = path::parent(path);
    let skills = path::parent(folder);
    let owner = path::parent(skills);
    let right = path::join(folder, SKILL);
    if !is_skills(skills) || workspace.listing.contains(&right) {
        return None;
    }
    let is_case = path::file_name(path).eq_ignore_ascii_case(SKILL);
    let reader = reader(workspace, path::file_name(owner), is_case);
    let is_bundle = || {
        let mut observed = bundles::all().filter(|bundle| !bundle.is_documented && !bundle.root_variable.is_empty());
        observed.any(|bundle| bundle.is_root(owner, |path| workspace.listing.contains(path)))
    };
    if reader.is_none() && !is_bundle() {
        return None;
    }
    let (name, who) = (String::from_utf8_lossy(path::file_name(path)), reader.map(Dialect::versioned));
    let who = who.unwrap_or_else(|| "whoever installs the plugin".to_owned());
    let case = if is_case { ", where file names are case-sensitive" } else { "" };
    let message = format!("this skill is not found: {who} reads SKILL.md, not {name}{case}");
    let cause = Cause {
        key: format!("page {}", String::from_utf8_lossy(skills)),
        subject: String::from_utf8_lossy(path).into_owned(),
        many: match is_case {
            true => "are not found: the page of a skill is called SKILL.md, and file names are case-sensitive",
            false => "are not found: the page of a skill is called SKILL.md",
        },
        help: Some("rename each to SKILL.md".to_owned()),
    };
    let finding = Finding::new(rule, Level::Warning, &RepoPath::new(path), Span::default(), message);
    let finding = finding.help("rename it to SKILL.md").cause(cause);
    Some(match reader {
        Some(reader) => finding.agents([reader.id]),
        None => finding,
    })
}

/// The agent whose folder this is and that was seen to look for a skill's page by its name; by the exact one, if case matters.
fn reader(workspace: &Workspace, folder: &[u8], is_case: bool) -> Option<&'static Dialect> {
    workspace.dialects().find(|dialect| {
        let is_own = dialect.files.skill_folders.iter().any(|own| own.as_bytes() == folder);
        is_own && dialect.proof == Proof::Vectors && !(is_case && dialect.ignores_case)
    })
}

/// What is said of a file that looks like an agent's own. A repository whose hooks read it themselves names it in its settings.
fn of_unread_name(
    rule: &'static str,
    workspace: &Workspace,
    path: &[u8],
    (dialect, instead): (&Dialect, &str),
) -> Option<Finding> {
    let name = path::file_name(path);
    let mut settings = workspace.settings.values();
    if settings.any(|bytes| memchr::memmem::find(bytes, name).is_some()) {
        return None;
    }
    let message = format!("{} never reads this file", dialect.versioned());
    let finding = Finding::new(rule, Level::Warning, &RepoPath::new(path), Span::default(), message);
    Some(finding.help(instead).agents([dialect.id]))
}
