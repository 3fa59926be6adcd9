//! Subagents that other hint files send the reader to by their paths: what they say is followed, also where no agent offers them.

use std::collections::BTreeSet;

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

/// Subagents without frontmatter that are looked for, and texts in which they are, at most.
const MAX_SUBAGENTS: usize = 500;
const MAX_TEXTS: usize = 1000;
/// Bytes of such a text, at most: each is read once for each subagent.
const MAX_TEXT: usize = 64 << 10;

impl Workspace {
    /// Whether another hint file reads `document`, a subagent without frontmatter, by its path, or whichever lies in its folder.
    pub(crate) fn is_read_by_path(&self, document: &Document) -> bool {
        let known = &self.known.read_by_path;
        document.kind.role() == Some(Role::Subagent)
            && known.get_or_init(|| self.subagents_read_by_path()).contains(&document.path)
    }

    fn subagents_read_by_path(&self) -> BTreeSet<RepoPath> {
        let is_bare = |it: &&Document| it.kind.role() == Some(Role::Subagent) && it.frontmatter.is_none();
        let subagents: Vec<&Document> = self.documents.iter().filter(is_bare).take(MAX_SUBAGENTS).collect();
        let is_text = |other: &&Document| other.kind != Kind::Artifact && other.text.len() <= MAX_TEXT;
        let others: Vec<&Document> = self.documents.iter().filter(is_text).take(MAX_TEXTS).collect();
        let is_read =
            |subagent: &&Document| others.iter().any(|other| other.path != subagent.path && reads(other, subagent));
        subagents.into_par_iter().filter(is_read).map(|subagent| subagent.path.clone()).collect()
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

fn reads(other: &Document, document: &Document) -> bool {
    let (text, path) = (other.text.as_str(), document.path.as_bytes());
    let from_there = path::relative(other.path.parent(), path);
    let sends = |needle: &[u8]| {
        memmem::find_iter(text.as_bytes(), needle).any(|at| {
            let start = text.floor_char_boundary(at.saturating_sub(MAX_BEFORE));
            let line = text.get(start..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
            is_to_be_read(line)
        })
    };
    let folder = [document.path.parent(), b"/"].concat();
    let names_any = || {
        let behind = |at: usize| text.as_bytes().get(at + folder.len());
        memmem::find_iter(text.as_bytes(), &folder).any(|at| matches!(behind(at), Some(b'<' | b'{' | b'$' | b'[')))
    };
    sends(path) || from_there != path && from_there.contains(&b'/') && sends(&from_there) || names_any()
}
