//! What a mentioned path leads to: tried from the file's folder, every folder above it and the root, through symbolic links, and
//! then against all files of that name. Reads the listing only.

use std::collections::{HashMap, HashSet};

use aho_corasick::AhoCorasick;

use super::alike::{is_in_a_sister_folder, is_slip_of_a_folder, source_called, spelt_alike, with_other_dashes};
use super::endings::with_another_ending;
use super::{Mention, MentionForm, Miss};
use crate::agents::files;
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::source::Listing;
use crate::workspace::{Resolution, Workspace};

/// What trying a path came to.
#[derive(Debug)]
pub(super) enum Tried {
    /// A file or directory is there; under which path, if it is a file.
    Found(Option<RepoPath>),
    /// Unknown: it lies in a submodule, or behind a link out of the repository.
    Unknown,
    /// Every way of reading it leads out of the repository.
    Outside,
    /// These paths are not there.
    Absent(Vec<RepoPath>),
}

/// The folders that `path`, mentioned in a file in `dir`, may be relative to, the likeliest first.
fn bases<'d>(dir: &'d [u8], path: &str, from_root: bool) -> Vec<&'d [u8]> {
    let dotless = path.trim_start_matches("./");
    let climbs = dotless.starts_with("../") || dotless == "..";
    match (from_root, climbs) {
        (true, _) => vec![b""],
        (_, true) => vec![dir],
        _ => path::ancestors_from_root(dir).into_iter().rev().collect(),
    }
}

/// Where a mentioned path leads.
#[cfg(feature = "server")]
#[derive(Debug)]
pub(super) struct LocatedPath {
    /// The folder that it is relative to.
    pub(super) base: Vec<u8>,
    /// The path from the root, before links are followed.
    pub(super) at: RepoPath,
    /// The file itself; `None` for a folder.
    pub(super) file: Option<RepoPath>,
    /// The one of the variants that had to be added.
    pub(super) variant: &'static str,
}

/// What `path` leads to, if it leads to a file or folder: [`find`], with the way there.
#[cfg(feature = "server")]
pub(super) fn locate(
    workspace: &Workspace,
    dir: &[u8],
    path: &str,
    from_root: bool,
    variants: &[&'static str],
) -> Option<LocatedPath> {
    for base in bases(dir, path, from_root) {
        let Some(full) = path::resolve(base, path.as_bytes()) else { continue };
        for &variant in std::iter::once(&"").chain(variants) {
            let at = [&full[..], variant.as_bytes()].concat();
            let file = match workspace.resolve(&at) {
                Resolution::File(file) => Some(file),
                Resolution::Directory(_) => None,
                Resolution::Missing(_) => continue,
                Resolution::Submodule | Resolution::Special | Resolution::Loop | Resolution::Outside => return None,
            };
            return Some(LocatedPath { base: base.to_vec(), at: RepoPath::new(at), file, variant });
        }
    }
    None
}

/// Try `path`, mentioned in a file in `dir`, from each folder it may be relative to.
pub(super) fn find(workspace: &Workspace, dir: &[u8], path: &str, from_root: bool, variants: &[&str]) -> Tried {
    let dotless = path.trim_start_matches("./");
    let bases = bases(dir, path, from_root);
    let first = dotless.split_once('/').map(|(first, _)| first);
    let mut absent: Vec<RepoPath> = Vec::new();
    // Behind a link: what lay there before the link did.
    let mut unlinked: Vec<RepoPath> = Vec::new();
    let mut closed = false;
    for base in bases {
        let Some(full) = path::resolve(base, path.as_bytes()) else { continue };
        for variant in std::iter::once(&"").chain(variants) {
            let full = [&full[..], variant.as_bytes()].concat();
            match workspace.resolve(&full) {
                Resolution::File(found) => return Tried::Found(Some(found)),
                Resolution::Directory(_) => return Tried::Found(None),
                // What is meant from nearer by lies in no submodule further up.
                Resolution::Submodule if closed => {}
                Resolution::Submodule | Resolution::Special | Resolution::Loop | Resolution::Outside => {
                    return Tried::Unknown;
                }
                Resolution::Missing(missing) if variant.is_empty() && !closed => {
                    if missing.as_bytes() != full {
                        unlinked.push(RepoPath::new(full));
                    }
                    absent.push(missing);
                }
                Resolution::Missing(_) => {}
            }
        }
        // Where the path's first folder stands in this base, it is meant from here, and not from further up.
        // The folders of a folder of skills are skills.
        closed |= !base.is_empty()
            && path::file_name(base) != b"skills"
            && first.is_some_and(|first| workspace.listing.has_dir(&path::join(base, first.as_bytes())));
    }
    absent.dedup();
    absent.extend(unlinked);
    if absent.is_empty() { Tried::Outside } else { Tried::Absent(absent) }
}

/// All files whose name somebody mentioned, and the directories that mentioned paths end.
pub(super) struct MentionedNames<'l> {
    /// By lower-case name.
    files: HashMap<Vec<u8>, Vec<&'l [u8]>>,
    listing: &'l Listing,
    /// Mentioned directories that exist somewhere below another.
    directories: HashSet<String>,
}

/// Those of `wanted`, sorted paths of directories, that stand somewhere below another directory.
fn directories(listing: &Listing, wanted: &[String]) -> HashSet<String> {
    if wanted.is_empty() {
        return HashSet::new();
    }
    // Too many patterns, or too long ones, mean that directories are given the benefit of the doubt.
    let Ok(searcher) = AhoCorasick::new(wanted.iter().map(|directory| format!("/{directory}/"))) else {
        return HashSet::new();
    };
    let found = listing.runs().flat_map(|(directory, _)| searcher.find_overlapping_iter(directory));
    found.map(|found| wanted[found.pattern().as_usize()].clone()).collect()
}

impl<'l> MentionedNames<'l> {
    /// Look for the names of `mentions`.
    pub(super) fn new<'m>(listing: &'l Listing, mentions: impl Iterator<Item = &'m Mention>) -> Self {
        let mut files: HashMap<Vec<u8>, Vec<&'l [u8]>> = HashMap::new();
        let mut wanted: Vec<String> = Vec::new();
        for mention in mentions {
            let name = path::file_name(mention.path.as_bytes());
            files.entry(name.to_ascii_lowercase()).or_insert_with(|| listing.with_name_in_any_case(name));
            if mention.form == MentionForm::Directory {
                wanted.push(bare(&mention.path).to_owned());
            }
        }
        wanted.sort();
        wanted.dedup();
        MentionedNames { files, listing, directories: directories(listing, &wanted) }
    }

    /// Settle a mention that is absent where it points; `None` if it is there after all, abbreviated. `is_local` says that the text
    /// speaks of its own folder.
    pub(super) fn settle(&self, mut mention: Mention, is_local: bool) -> Option<Mention> {
        let Miss::Absent { candidates, near } = &mut mention.place else { return Some(mention) };
        let written = bare(&mention.path);
        if mention.form == MentionForm::Glob {
            return Some(mention);
        }
        if mention.form == MentionForm::Directory {
            // A drawing's root may be left out of what it is looked up by.
            let is_whole = |path: &&RepoPath| written.contains('/') && ends_in(path.as_bytes(), written.as_bytes());
            let mut whole = candidates.iter().filter(is_whole);
            if let Some(other) = whole.find_map(|path| in_other_case(self.listing, path.as_bytes())) {
                mention.place = Miss::OtherCase(other);
                return Some(mention);
            }
            if mention.claimed && near.is_none() {
                let alike =
                    |missing| spelt_alike(self.listing, missing).or_else(|| source_called(self.listing, missing));
                *near = candidates.iter().find_map(alike);
            }
            let is_elsewhere = self.directories.contains(written)
                && (written.contains('/') || candidates.first().is_none_or(|first| self.has_namesake_below(first)));
            return (!is_elsewhere).then_some(mention);
        }
        let name = path::file_name(written.as_bytes());
        let same_name: &[&[u8]] = self.files.get(&name.to_ascii_lowercase()).map_or(&[], Vec::as_slice);
        let other_case: Vec<&&[u8]> = same_name
            .iter()
            .filter(|found| candidates.iter().any(|candidate| candidate.as_bytes().eq_ignore_ascii_case(found)))
            .collect();
        let is_exact = |found: &&&[u8]| ends_in(found, written.as_bytes());
        let is_elsewhere = || {
            mention.form != MentionForm::Link && written.contains('/') && same_name.iter().any(|found| is_exact(&found))
        };
        if let [only] = other_case[..] {
            // The very spelling ends another path, which the text may abbreviate.
            if is_elsewhere() {
                return None;
            }
            mention.place = Miss::OtherCase(RepoPath::new(only));
            return Some(mention);
        }
        // Where the path's first folder stands beside the text, it is no abbreviation of what lies elsewhere.
        let base = closed_base(self.listing, candidates, &mention.path).filter(|_| is_local);
        let is_here = |found: &&&[u8]| base.is_none_or(|base| path::is_at_or_below(found, base));
        let abbreviates = same_name.iter().filter(is_here).find(is_exact);
        let is_abbreviated = !mention.exact && matches!(mention.form, MentionForm::File | MentionForm::Command);
        if is_abbreviated && (abbreviates.is_some() || !other_case.is_empty()) {
            let [only] = same_name.iter().filter(is_exact).collect::<Vec<_>>()[..] else { return None };
            let is_told = mention.relied_on || mention.form == MentionForm::Command;
            let is_whole = is_told && written.contains('/') && !mention.hedged;
            let candidates = std::mem::take(candidates);
            return is_whole
                .then(|| Mention { place: Miss::Abbreviated { candidates, file: RepoPath::new(only) }, ..mention });
        }
        *near = self.nearest(near.take(), mention.form, written, candidates, same_name);
        if near.is_none() && same_name.is_empty() && mention.form == MentionForm::File {
            let dir = candidates.first().map_or(&b""[..], |first| first.parent());
            *near = with_other_dashes(self.listing, dir, &String::from_utf8_lossy(name));
        }
        Some(mention)
    }

    /// Whether a folder below that of `missing` is called like it.
    fn has_namesake_below(&self, missing: &RepoPath) -> bool {
        let inner = [b"/", missing.file_name(), b"/"].concat();
        let mut below = self.listing.below(missing.parent());
        below.any(|index| memchr::memmem::find(self.listing.entry(index).path, &inner).is_some())
    }

    /// The file that a text means which names `written`: the only one of that name close by, else the one that is `known` already, the
    /// one beside it that ends otherwise, or the same one of another agent.
    fn nearest(
        &self,
        known: Option<RepoPath>,
        form: MentionForm,
        written: &str,
        candidates: &[RepoPath],
        same_name: &[&[u8]],
    ) -> Option<RepoPath> {
        let name = path::file_name(written.as_bytes());
        // A name that many folders have tells nothing without its folder.
        let folder = path::file_name(path::parent(written.as_bytes()));
        let is_common = is_common(name);
        // Each part of a repository has a `src/index.ts`.
        let is_any = is_common && form != MentionForm::Link && matches!(folder, b"app" | b"lib" | b"src" | b"tests");
        let tells = !folder.is_empty() && !is_any;
        let in_its_folder = |found: &[u8]| tells && path::file_name(path::parent(found)) == folder;
        let named = same_name.iter().filter(|found| path::file_name(found) == name);
        let exact: Vec<&&[u8]> = named.filter(|found| !is_common || in_its_folder(found)).collect();
        if let [only] = exact[..]
            && (in_its_folder(only)
                || is_namespace_of(written, only)
                || is_slip_of_a_folder(written, only)
                || !is_common && is_in_a_sister_folder(self.listing, written, only)
                || candidates.iter().any(|candidate| close_by(candidate.as_bytes(), only))
                    && (shares_a_folder(written, only)
                        || candidates.iter().take(1).any(|first| is_below_base(first, written, only))))
            && !discover::is_illustrative(only)
        {
            return Some(RepoPath::new(only));
        }
        let first = candidates.first().filter(|_| form == MentionForm::File);
        let sibling = || with_another_ending(self.listing, first?.as_bytes());
        let of_another_agent = || same_name.iter().filter(|found| is_of_another_agent(written, found)).min();
        known.or_else(sibling).or_else(|| of_another_agent().map(|&found| RepoPath::new(found)))
    }
}

/// Whether the last parts of `path` are `end`.
fn ends_in(path: &[u8], end: &[u8]) -> bool {
    path.strip_suffix(end).is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
}

/// The folder that a path surely counts from, if that is not the root: the only one that it may count from, or the first one if it
/// has the folder that the path names.
fn closed_base<'c>(listing: &Listing, candidates: &'c [RepoPath], written: &str) -> Option<&'c [u8]> {
    let first = candidates.first().filter(|first| candidates.len() == 1 || listing.has_dir(first.parent()))?;
    let dotless = written.trim_start_matches("./");
    let base = first.as_bytes().strip_suffix(dotless.as_bytes())?.strip_suffix(b"/")?;
    (dotless.contains('/') && !dotless.starts_with("../")).then_some(base)
}

/// Whether `found` is what `written` names in the folder of an agent, in that of another agent: `.codex/skills/x/SKILL.md` for
/// `.claude/skills/x/SKILL.md`.
fn is_of_another_agent(written: &str, found: &[u8]) -> bool {
    let Some((agent, rest)) = written.split_once('/').filter(|(_, rest)| rest.contains('/')) else { return false };
    let above = found.strip_suffix(rest.as_bytes()).and_then(|above| above.strip_suffix(b"/"));
    let is_agents = |folder: &[u8]| files::is_agent_folder(folder) || files::is_skill_folder(folder);
    is_agents(agent.to_ascii_lowercase().as_bytes()) && above.is_some_and(is_agents)
}

/// Whether files of this name stand in folder after folder.
pub(super) fn is_common(name: &[u8]) -> bool {
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name);
    let common: [&[u8]; 16] = [
        b"README",
        b"SKILL",
        b"__init__",
        b"app",
        b"conftest",
        b"config",
        b"constants",
        b"index",
        b"layout",
        b"lib",
        b"main",
        b"mod",
        b"page",
        b"package",
        b"types",
        b"utils",
    ];
    common.contains(&stem)
}

/// The path without the `./` and `../` before it.
pub(super) fn bare(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./").or_else(|| path.strip_prefix("../")) {
        path = rest;
    }
    path
}

/// Whether two paths of the same name lie close to each other: at most two folders come or go between them, and at least one
/// folder is the same.
pub(crate) fn close_by(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = (folders(a), folders(b));
    let front = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[front..], &b[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let apart = (a.len() - back).max(b.len() - back);
    front + back > 0 && apart <= 2
}

/// The one path that is there, if upper and lower case do not count; `None` for one that is there as it is spelt.
pub(super) fn in_other_case(listing: &Listing, path: &[u8]) -> Option<RepoPath> {
    let mut dir: Vec<u8> = Vec::new();
    for part in path.split(|&byte| byte == b'/') {
        let children = listing.children(&dir);
        let mut alike = children.iter().filter(|(name, _)| name.eq_ignore_ascii_case(part));
        let (name, _) = alike.next().filter(|_| alike.next().is_none())?;
        dir = path::join(&dir, name);
    }
    (dir != path).then(|| RepoPath::new(dir))
}

/// Whether the folders that the author wrote with dots are those of `found`: a namespace, `Acme.Core.Text/Words.cs`.
fn is_namespace_of(written: &str, found: &[u8]) -> bool {
    let dotted = |folders: Vec<&[u8]>| folders.join(&b'.');
    let (written, found) = (dotted(folders(written.as_bytes())), dotted(folders(found)));
    written.contains(&b'.')
        && (found == written || found.strip_suffix(&*written).is_some_and(|rest| rest.ends_with(b".")))
}

/// Whether one of the folders that the author wrote is a folder of `found`, too; of a lone name nothing can be asked.
fn shares_a_folder(written: &str, found: &[u8]) -> bool {
    let (written, found) = (folders(written.as_bytes()), folders(found));
    written.is_empty() || written.iter().any(|folder| found.contains(folder))
}

/// Whether `found` lies in the folder from which `written` means `first`: that of the mentioning file, if it is not the root.
fn is_below_base(first: &RepoPath, written: &str, found: &[u8]) -> bool {
    let base = first.as_bytes().strip_suffix(written.as_bytes()).and_then(|base| base.strip_suffix(b"/"));
    base.is_some_and(|base| path::is_at_or_below(found, base))
}

fn folders(path: &[u8]) -> Vec<&[u8]> {
    path::parent(path).split(|&byte| byte == b'/').filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closeness_is_a_matter_of_shared_folders() {
        assert!(close_by(b"src/utils/a.ts", b"src/lib/utils/a.ts"));
        assert!(close_by(b"docs/a.md", b"docs/guide/a.md"));
        assert!(close_by(b"src/core/a.ts", b"apps/vscode/src/core/a.ts"));
        assert!(!close_by(b"tests/a.py", b"src/x/a.py"));
        assert!(!close_by(b"src/a/b/c/x.ts", b"src/d/e/f/x.ts"));
    }

    #[test]
    fn a_namespace_is_spelt_with_dots() {
        assert!(is_namespace_of("Acme.Core.Text/Words.cs", b"src/Acme.Core/Text/Words.cs"));
        assert!(!is_namespace_of("Acme.Core.Text/Words.cs", b"src/Other.Acme.Core/Words.cs"));
        assert!(!is_namespace_of("core/Words.cs", b"src/core/Words.cs"));
    }

    #[test]
    fn names_that_many_folders_have_are_common() {
        assert!(is_common(b"SKILL.md") && is_common(b"index.ts") && is_common(b"__init__.py"));
        assert!(!is_common(b"indexer.ts") && !is_common(b"date.ts"));
    }
}
