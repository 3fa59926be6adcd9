//! Subagents that other hint files send the reader to by their paths: what they say is followed, also where no agent offers them.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;
use rayon::prelude::*;

use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::workspace::Workspace;

/// Bytes of a line before a path that are read, at most.
const MAX_BEFORE: usize = 120;

/// Words of the clause before a path that is to be read.
const READS: [&str; 10] = ["adopt", "apply", "cat", "execute", "follow", "include", "load", "open", "read", "reads"];
/// The same in scripts without blanks.
const READS_CLOSE: [&str; 6] = ["遵循", "阅读", "读取", "加载", "按照", "参照"];

/// Subagents without frontmatter that are looked for, their folders, and texts in which they are, at most.
const MAX_SUBAGENTS: usize = 500;
const MAX_FOLDERS: usize = 20;
const MAX_TEXTS: usize = 1000;
/// Bytes of such a text, and of a file's name, at most.
const MAX_TEXT: usize = 256 << 10;
const MAX_NAME: usize = 256;

/// Names of files by the folder that holds them.
type NamesByFolder<'w> = BTreeMap<&'w [u8], BTreeSet<&'w [u8]>>;

impl Workspace {
    /// Whether another hint file reads `document`, a subagent without frontmatter, by its path, or whichever lies in its folder.
    pub(crate) fn is_read_by_path(&self, document: &Document) -> bool {
        let known = &self.known.read_by_path;
        document.kind.role() == Some(Role::Subagent)
            && known.get_or_init(|| self.subagents_read_by_path()).contains(&document.path)
    }

    fn subagents_read_by_path(&self) -> BTreeSet<RepoPath> {
        let is_bare = |it: &&Document| it.kind.role() == Some(Role::Subagent) && it.frontmatter.is_none();
        let mut folders = NamesByFolder::new();
        for subagent in self.documents.iter().filter(is_bare).take(MAX_SUBAGENTS) {
            folders.entry(subagent.path.parent()).or_default().insert(subagent.path.file_name());
        }
        let is_text = |other: &&Document| other.kind != Kind::Artifact && other.text.len() <= MAX_TEXT;
        let others: Vec<&Document> = self.documents.iter().filter(is_text).take(MAX_TEXTS).collect();
        let read = |other: &&Document| -> Vec<RepoPath> {
            let folders = folders.iter().filter(|(folder, _)| !folder.is_empty()).take(MAX_FOLDERS);
            folders.flat_map(|(folder, names)| read_from(other, folder, names)).collect()
        };
        others.par_iter().flat_map_iter(read).collect()
    }
}

/// Whether what stands before a path on its line tells the reader to read it.
fn is_to_be_read(before: &str) -> bool {
    let clause = before.rsplit(['.', ';', '。']).next().unwrap_or(before).to_lowercase();
    before.ends_with(['@'])
        || before.ends_with("@./")
        || READS_CLOSE.iter().any(|word| clause.contains(word))
        || clause.split(|c: char| !c.is_alphanumeric()).any(|word| READS.contains(&word))
}

/// The files of `folder`, called `names`, that the text of `other` reads.
fn read_from(other: &Document, folder: &[u8], names: &BTreeSet<&[u8]>) -> Vec<RepoPath> {
    let text = other.text.as_str();
    let from_there = path::relative(other.path.parent(), folder);
    let mut read: BTreeSet<&[u8]> = BTreeSet::new();
    for (way, is_whole) in [(folder, true), (&*from_there, false)] {
        if way.is_empty() || !is_whole && way == folder {
            continue;
        }
        let way = [way, b"/"].concat();
        for at in memmem::find_iter(text.as_bytes(), &way) {
            let behind = &text.as_bytes()[at + way.len()..];
            if is_whole && begins_with_blank(behind) {
                read.extend(names);
            } else if let Some(name) = name_at(behind, names).filter(|_| is_to_be_read(before(text, at))) {
                read.insert(name);
            }
        }
    }
    let paths = read.into_iter().map(|name| RepoPath::new(path::join(folder, name)));
    paths.filter(|path| *path != other.path).collect()
}

/// Whether what stands behind a folder begins with something to fill in, so that any file of it is meant: `{kind}.md`.
pub(crate) fn begins_with_blank(behind: &[u8]) -> bool {
    matches!(behind.first(), Some(b'<' | b'{' | b'$' | b'['))
}

/// That of `names` with which `text` begins.
fn name_at<'w>(text: &[u8], names: &BTreeSet<&'w [u8]>) -> Option<&'w [u8]> {
    const END: &[u8] = b".md";
    let text = &text[..text.len().min(MAX_NAME)];
    let mut ends = memmem::find_iter(text, END).map(|at| &text[..at + END.len()]);
    ends.find_map(|name| names.get(name).copied())
}

/// What stands before `at` on its line.
fn before(text: &str, at: usize) -> &str {
    let start = text.floor_char_boundary(at.saturating_sub(MAX_BEFORE));
    text.get(start..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default()
}
