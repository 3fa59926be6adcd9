//! The pages of skills: the Markdown files in a skill's folder to which its `SKILL.md`, or another page, leads by a link to the file
//! or its folder, or by a path in backticks. Agents read them on demand. Which rules look at them is not decided here.

use std::collections::BTreeSet;

use super::{Resolution, Workspace, mentions};
use crate::agents::files;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;

/// Steps from a `SKILL.md` over pages to further pages, at most.
pub(super) const MAX_STEPS: usize = 8;
/// Pages of all skills of a repository, at most.
pub(super) const MAX_PAGES: usize = 5_000;
/// Pages that one file names, at most.
const MAX_NAMED: usize = 500;

/// Folders of a skill by the format's documentation and by custom. A skill at the root of a repository has its pages there alone.
const FOLDERS: [&str; 9] =
    ["assets", "guides", "reference", "references", "resources", "rules", "scripts", "templates", "workflows"];

/// Files at the root of most repositories. A skill that is handed out means those of its user.
const ROOT_FILES: [&str; 9] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "DESIGN.md",
    "LICENSE.md",
    "README.md",
    "SECURITY.md",
    "TODO.md",
];

/// The pages to which `document`, a skill or a page of one, leads.
pub(super) fn named(workspace: &Workspace, document: &Document) -> BTreeSet<RepoPath> {
    let own = document.path.as_bytes();
    let Some(folder) = workspace.skill_folder(document).filter(|_| !discover::is_illustrative(own)) else {
        return BTreeSet::new();
    };
    let markdown = &document.markdown;
    let linked = markdown.links.iter().filter_map(|link| mentions::linked_path(&link.destination));
    let spans = markdown.code.iter().filter(|code| code.kind == CodeKind::Span);
    let quoted = spans.map(|code| document.slice(code.content).trim().to_owned()).filter(|text| is_markdown(text));
    let mut found = BTreeSet::new();
    for written in linked.chain(quoted).filter(|path| is_markdown(path)).take(MAX_NAMED) {
        let bases = [path::parent(own), folder];
        let full = bases.into_iter().filter_map(|base| path::resolve(base, written.as_bytes()));
        let file = full.map(|full| workspace.resolve(&full)).find_map(|found| match found {
            Resolution::File(file) => Some(file),
            _ => None,
        });
        let is_page =
            |file: &RepoPath| is_in_skill(file.as_bytes(), folder) && !shows_another(file) && file.as_bytes() != own;
        found.extend(file.filter(is_page));
    }
    let is_page = |file: &RepoPath| !shows_another(file) && file.as_bytes() != own;
    found.extend(in_linked_folders(workspace, document, folder).filter(is_page));
    found
}

/// The Markdown files right in the folders of the skill in `skill` to which `document` links: "one of [prompts/](prompts/)".
fn in_linked_folders<'w>(
    workspace: &'w Workspace,
    document: &'w Document,
    skill: &'w [u8],
) -> impl Iterator<Item = RepoPath> + 'w {
    let links = document.markdown.links.iter().filter_map(|link| mentions::linked_path(&link.destination));
    let folders = links.filter(|written| !is_markdown(written)).filter_map(move |written| {
        let full = path::resolve(document.path.parent(), written.as_bytes())?;
        match workspace.resolve(&full) {
            Resolution::Directory(folder) => Some(folder),
            _ => None,
        }
    });
    let own = folders.filter(move |folder| folder.as_bytes() != skill && is_in_skill(folder.as_bytes(), skill));
    let files = own.flat_map(move |folder| {
        let below = workspace.listing.below(folder.as_bytes());
        let paths = below.map(|index| RepoPath::new(workspace.listing.entry(index).path));
        let direct = move |file: &RepoPath| file.parent() == folder.as_bytes() && file.as_bytes().ends_with(b".md");
        paths.filter(direct)
    });
    files.take(MAX_NAMED)
}

/// Whether most repositories have a file of this name at their root.
pub(crate) fn is_root_file(name: &str) -> bool {
    ROOT_FILES.contains(&name)
}

/// Whether the file is an example: by its folder, or because it is the README of some other project.
fn shows_another(file: &RepoPath) -> bool {
    let name = file.file_name().to_ascii_lowercase();
    discover::is_illustrative(file.as_bytes()) || memchr::memmem::find(&name, b"readme").is_some()
}

fn is_markdown(path: &str) -> bool {
    path.ends_with(".md") || path.ends_with(".markdown")
}

/// Whether `file` belongs to the skill in `folder`.
fn is_in_skill(file: &[u8], folder: &[u8]) -> bool {
    let first = file.split(|&byte| byte == b'/').next().unwrap_or(file);
    match folder.is_empty() {
        true => FOLDERS.iter().any(|name| name.as_bytes() == first),
        false => path::is_at_or_below(file, folder),
    }
}

/// The folder of the skills to which that in `folder` belongs: one called `skills` above it, or that right above.
fn collection(folder: &[u8]) -> &[u8] {
    let mut above = path::parent(folder);
    while !above.is_empty() {
        if path::file_name(above) == b"skills" {
            return above;
        }
        above = path::parent(above);
    }
    path::parent(folder)
}

impl Workspace {
    /// The folder of the skill that `document` is, or is a page of.
    pub(crate) fn skill_folder<'d>(&self, document: &'d Document) -> Option<&'d [u8]> {
        let dir = document.path.parent();
        match document.kind {
            Kind::Skill => Some(dir),
            Kind::Of(_) | Kind::AgentsMd if self.listing.contains(&path::join(dir, b"SKILL.md")) => Some(dir),
            Kind::SkillPage => {
                let is_skill = |dir: &&[u8]| self.listing.contains(&path::join(dir, b"SKILL.md"));
                path::ancestors_from_root(dir).into_iter().rev().find(is_skill)
            }
            _ => None,
        }
    }

    /// Whether `written`, a relative path in `document`, means a file of the skill itself, or of one beside it, and not of the
    /// repository in which the skill is used. `target` is the path counted from the file's folder.
    pub(crate) fn is_own_path(&self, document: &Document, written: &str, target: &RepoPath) -> bool {
        let Some(folder) = self.skill_folder(document) else { return false };
        let explicit = written.starts_with("./") || written.starts_with("../");
        let beside = explicit && !folder.is_empty() && path::is_at_or_below(target.as_bytes(), collection(folder));
        if !path::is_at_or_below(target.as_bytes(), folder) && !beside {
            return false;
        }
        explicit
            || match written.split_once('/') {
                Some((first, _)) => {
                    FOLDERS.contains(&first)
                        || self.listing.has_dir(&path::join(document.path.parent(), first.as_bytes()))
                            && !folder.is_empty()
                }
                None => {
                    let is_hint = files::main_names().any(|name| name == written);
                    written.ends_with(".md") && !is_hint && !ROOT_FILES.contains(&written)
                }
            }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    fn kinds(files: &[(&str, &str)]) -> Vec<String> {
        let workspace = load(&Memory::of_files(files.iter().copied()), Config::default(), &[]).unwrap().workspace;
        let line =
            |document: &crate::parse::Document| format!("{} {}", document.path.to_str_lossy(), document.kind.name());
        workspace.documents.iter().map(line).collect()
    }

    #[test]
    fn a_skill_leads_to_its_pages_and_they_to_others() {
        let files = [
            ("s/x/SKILL.md", "[a](references/a.md#part) `guides/b.md` [out](../../README.md) [code](scripts/x.py)\n"),
            ("s/x/references/a.md", "[c](c.md) [skill](../SKILL.md)\n"),
            ("s/x/references/c.md", "`references/d.md`\n"),
            ("s/x/references/d.md", "x\n"),
            ("s/x/references/unnamed.md", "x\n"),
            ("s/x/guides/b.md", "[t](../templates/t.md)\n"),
            ("s/x/templates/t.md", "x\n"),
            ("s/x/scripts/x.py", "x\n"),
            ("README.md", "x\n"),
        ];
        let want = [
            "s/x/SKILL.md skill",
            "s/x/guides/b.md skill-page",
            "s/x/references/a.md skill-page",
            "s/x/references/c.md skill-page",
            "s/x/references/d.md skill-page",
        ];
        assert_eq!(kinds(&files), want);
    }

    #[test]
    fn a_link_to_a_folder_leads_to_its_files() {
        let files = [
            ("s/x/SKILL.md", "One of [prompts/](prompts/), never [all](.) or [others](../y/prompts) or `guides/`.\n"),
            ("s/x/prompts/a.md", "x\n"),
            ("s/x/prompts/README.md", "x\n"),
            ("s/x/prompts/deep/b.md", "x\n"),
            ("s/x/guides/c.md", "x\n"),
            ("s/x/d.md", "x\n"),
            ("s/y/prompts/e.md", "x\n"),
        ];
        assert_eq!(kinds(&files), ["s/x/SKILL.md skill", "s/x/prompts/a.md skill-page"]);
    }

    #[test]
    fn a_skill_at_the_root_has_pages_in_its_own_folders_only() {
        let files =
            [("SKILL.md", "[a](references/a.md) [b](docs/b.md)\n"), ("references/a.md", "x\n"), ("docs/b.md", "x\n")];
        assert_eq!(kinds(&files), ["SKILL.md skill", "references/a.md skill-page"]);
        let fixture = [("tests/fixtures/SKILL.md", "[a](a.md)\n"), ("tests/fixtures/a.md", "x\n")];
        assert_eq!(kinds(&fixture), ["tests/fixtures/SKILL.md skill"]);
    }
}
