//! Collections: folders of commands and subagents that somebody keeps to copy or link them into his agent's folder. No manifest says
//! so; they are known by what most of their files have in common. Read before discovery decides.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agents::bundles::{self, FolderForm};
use crate::agents::files;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::discover::{self, Discovery};
use crate::source::{EntryKind, Listing, Source};

/// Most files that are looked into.
const MAX_READ: usize = 5_000;

/// Files that tell how a collection is installed.
const GUIDES: [&str; 4] = ["README.md", "install.sh", "setup.sh", "Makefile"];

/// Pages beside the files of a collection.
const PAGES: [&str; 6] = ["readme", "index", "changelog", "contributing", "template", "license"];

/// A folder that may be a collection.
struct Candidates {
    kind: Kind,
    form: &'static FolderForm,
    files: Vec<RepoPath>,
}

/// Find the collections of `listing`, and teach `discovery` their files.
pub(super) fn read(source: &dyn Source, listing: &Listing, discovery: &mut Discovery) {
    let mut dirs: BTreeMap<Vec<u8>, Candidates> = BTreeMap::new();
    for entry in listing.marked().filter(|entry| entry.kind == EntryKind::File && is_candidate(entry.path)) {
        let Some((dir, kind, form, words)) = bundles::folder_named(entry.path) else { continue };
        if is_for_others(dir, words)
            || discovery.is_excluded(entry.path)
            || discovery.kind_in(entry.path, listing).is_some()
        {
            continue;
        }
        let candidates = dirs.entry(dir.to_vec()).or_insert_with(|| Candidates { kind, form, files: Vec::new() });
        candidates.files.push(RepoPath::new(entry.path));
    }
    let mut guides = Guides { source, listing, texts: BTreeMap::new() };
    let mut left = MAX_READ;
    for (dir, candidates) in dirs {
        let Some(rest) = left.checked_sub(candidates.files.len()) else { break };
        left = rest;
        discovery.add_by_form(collection(&mut guides, &dir, candidates));
    }
}

/// Whether the file at `path` may belong to a collection by its name.
fn is_candidate(path: &[u8]) -> bool {
    let Some(stem) = path::file_name(path).strip_suffix(b".md") else { return false };
    let is_page = PAGES.iter().any(|page| stem.eq_ignore_ascii_case(page.as_bytes()));
    // `x.agent.md` and the like are another agent's.
    !is_page && !stem.contains(&b'.') && !stem.starts_with(b"_")
}

/// Whether the folder is hidden, holds what is for nobody here, or says that it is for an agent that none of `words` names.
fn is_for_others(dir: &[u8], words: &[&str]) -> bool {
    let is_others = |name: &[u8]| {
        let hidden = name.starts_with(b".") && name != b".config";
        let word = String::from_utf8_lossy(name).to_ascii_lowercase();
        hidden || (files::is_agent_name(&word) && !words.contains(&word.as_str()))
    };
    let inside = path::join(dir, b"x.md");
    dir.split(|&byte| byte == b'/').any(is_others)
        || discover::why_set_aside(&inside).is_some()
        || discover::is_among_tests(&inside)
}

/// The files of the collection in `dir`; none if it is another folder of that name.
fn collection(guides: &mut Guides<'_>, dir: &[u8], candidates: Candidates) -> Vec<(RepoPath, Kind)> {
    let Candidates { kind, form, files } = candidates;
    let looks: Vec<Look> = guides
        .source
        .read_many(&files)
        .into_iter()
        .map(|bytes| bytes.map_or(Look::default(), |bytes| Look::at(&String::from_utf8_lossy(&bytes), form)))
        .collect();
    let count = |is: fn(&Look) -> bool| looks.iter().filter(|look| is(look)).count();
    let (formed, own, foreign) = (count(|look| look.formed), count(|look| look.own), count(|look| look.foreign));
    // One file alone may be a page about such files.
    let is_by_form = files.len() > 1 && formed * 3 >= files.len() * 2 && own * 2 >= files.len();
    let mut is_by_guide = || own > 0 && formed * 2 >= files.len() && guides.install(dir, form);
    if foreign * 4 > files.len() || !(is_by_form || is_by_guide()) {
        return Vec::new();
    }
    let with_looks = files.into_iter().zip(looks).filter(|(_, look)| look.fenced && !look.foreign);
    with_looks.map(|(file, _)| (file, kind)).collect()
}

/// The pages and scripts that tell how collections are installed, each read once.
struct Guides<'s> {
    source: &'s dyn Source,
    listing: &'s Listing,
    texts: BTreeMap<Vec<u8>, Option<Arc<[u8]>>>,
}

impl Guides<'_> {
    /// Whether one above `dir` says where its files are installed.
    fn install(&mut self, dir: &[u8], form: &FolderForm) -> bool {
        let dirs = [b"".as_slice(), path::parent(dir), dir];
        let mut guides = dirs.into_iter().flat_map(|dir| GUIDES.map(|guide| path::join(dir, guide.as_bytes())));
        let names_home =
            |text: &[u8]| form.homes.iter().any(|home| memchr::memmem::find(text, home.as_bytes()).is_some());
        guides.any(|guide| {
            if !self.listing.contains(&guide) {
                return false;
            }
            let source = self.source;
            let text = self.texts.entry(guide).or_insert_with_key(|guide| source.read(&RepoPath::new(guide)).ok());
            text.as_ref().is_some_and(|text| names_home(text))
        })
    }
}

/// What one file has of its folder's form.
#[derive(Debug, Default, PartialEq, Eq)]
struct Look {
    /// Whether it begins with frontmatter.
    fenced: bool,
    /// Whether it has the fields that all have.
    formed: bool,
    /// Whether only this agent's files look so.
    own: bool,
    /// Whether only another's do.
    foreign: bool,
}

impl Look {
    /// Line by line: what is no valid YAML is recognised, too.
    fn at(text: &str, form: &FolderForm) -> Look {
        let mut lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines();
        if lines.next().is_none_or(|line| line.trim_end() != "---") {
            return Look::default();
        }
        let fields: Vec<(&str, String)> = fields(lines.by_ref().take_while(|line| line.trim_end() != "---"));
        let has = |name: &str| fields.iter().any(|(key, _)| *key == name);
        let is_own = |(name, words): &(&str, &[&str])| {
            let begins = |value: &str| {
                words.is_empty() || value.split([',', '[', ']', '"', '\'', ' ', '(']).any(|part| words.contains(&part))
            };
            fields.iter().any(|(key, value)| key == name && begins(value))
        };
        let says = || lines.clone().any(|line| form.says.iter().any(|word| line.contains(word)));
        Look {
            fenced: true,
            formed: form.always.iter().all(|name| has(name)),
            own: form.own.iter().any(is_own) || says(),
            foreign: form.foreign.iter().any(|name| has(name)),
        }
    }
}

/// The keys at the beginning of lines, with their values on these lines and, for lists, the next ones.
fn fields<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<(&'t str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for line in lines {
        let is_key = |key: &str| !key.is_empty() && !key.contains([' ', '\t', '#']) && !key.starts_with('-');
        match line.split_once(':').filter(|(key, _)| is_key(key)) {
            Some((key, value)) => fields.push((key, value.trim().to_owned())),
            None => {
                let item = line.trim_start().strip_prefix("- ");
                if let (Some(item), Some((_, value))) = (item, fields.last_mut()) {
                    value.push(' ');
                    value.push_str(item.trim());
                }
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests;
