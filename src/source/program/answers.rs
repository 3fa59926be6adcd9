//! What the `git` program says of an index, a tree and which objects there are, read from its output.

use std::collections::{BTreeSet, HashSet};
use std::io::BufRead;

use super::{GitCall, Program, ProgramError, fill_from_hex, from_hex, kind_of_mode, next_record, records};
use crate::base::path::RepoPath;
use crate::source::repository::is_plain;
use crate::source::shape::{PathShape, ROOT};
use crate::source::snapshot::{MAX_UNFOLDED, Snapshot, SnapshotBuilder, weight};
use crate::source::{SourceError, index_file, tree};

/// The names of the blob without bytes, SHA-1 and SHA-256.
const EMPTY_BLOBS: [&str; 2] =
    ["e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"];

impl Program {
    /// The staged paths, as `git ls-files` knows them: any kind of index.
    pub(in crate::source) fn index(&self) -> Result<index_file::GitIndex, ProgramError> {
        // Tags: `H` cached, `S` left out of the checkout, `M` unmerged. A path whose name alone was added looks like an
        // empty file here; only a second call tells them apart.
        let listed = self.output(&GitCall::Index)?;
        let mut index = index_file::GitIndex::default();
        let mut builder = SnapshotBuilder::default();
        let empty = EMPTY_BLOBS.into_iter().find(|id| memchr::memmem::find(&listed, id.as_bytes()).is_some());
        let empty_files = empty.map(|id| self.empty_files(id)).transpose()?.unwrap_or_default();
        let empty = empty.and_then(|id| from_hex(id.as_bytes()));
        for record in records(&listed) {
            let Some(Staged { tag, mode, id, stage, path }) = Staged::read(record) else {
                return Err(ProgramError::Failed("git ls-files printed an unexpected answer".to_owned()));
            };
            let shape = ROOT.file(path);
            let Some(kind) = kind_of_mode(mode).filter(|_| shape.is_plain) else { continue };
            if stage == b'0' && Some(&id) == empty.as_ref() && !empty_files.contains(path) {
                index.without_content.push(RepoPath::new(path));
                continue;
            }
            if tag == b'S' {
                index.skipped.push(RepoPath::new(path));
            }
            if stage != b'0' && index.unmerged.last().is_none_or(|last| last.as_bytes() != path) {
                index.unmerged.push(RepoPath::new(path));
            }
            if stage != b'1' {
                builder.push(path, shape, kind, &id);
            }
        }
        index.staged = builder.finish();
        let gone = index.unmerged.iter().filter(|path| !index.staged.listing.contains(path.as_bytes()));
        index.without_content.extend(gone.cloned().collect::<Vec<_>>());
        Ok(index)
    }

    /// The staged files that are empty, those left out whose names alone were added. Compares the index with the empty tree
    /// and so reads no file of the worktree.
    fn empty_files(&self, empty: &str) -> Result<BTreeSet<Vec<u8>>, ProgramError> {
        let output = self.output(&GitCall::IndexContent { like: empty })?;
        let mut files = BTreeSet::new();
        let mut records = records(&output);
        while let (Some(head), Some(path)) = (records.next(), records.next()) {
            // `:MODE MODE ID ID STATUS`
            if head.split(|&b| b == b' ').nth(3) == Some(empty.as_bytes()) {
                files.insert(path.to_vec());
            }
        }
        Ok(files)
    }

    /// All paths below a commit or tree.
    pub(in crate::source) fn tree(&self, id: &str) -> Result<Snapshot, SourceError> {
        let listed = self.stream(&GitCall::Tree(id), |output| {
            let mut listed =
                Unfolding { builder: SnapshotBuilder::default(), weight: 0, directory: Vec::new(), shape: ROOT };
            let mut record = Vec::new();
            while next_record(output, &mut record)? {
                if !listed.add(&record) {
                    return Ok(Err(tree::bomb()));
                }
            }
            Ok(Ok(listed.builder.finish()))
        });
        match listed {
            Ok(listed) => listed,
            Err(ProgramError::Failed(words)) if words.contains("allowed tree depth") => Err(tree::too_deep()),
            Err(ProgramError::Failed(words)) => {
                let error = SourceError::new(format!("the files of commit {id} cannot be listed: {words}"));
                Err(error.help("run `git fsck`; in a partial or damaged clone, clone again"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Those of `paths` that are files of `commit` and not executable; `None` if git does not say.
    pub(in crate::source) fn plain_files(&self, commit: &str, paths: &[RepoPath]) -> Option<BTreeSet<RepoPath>> {
        let wanted: BTreeSet<&[u8]> = paths.iter().map(RepoPath::as_bytes).collect();
        let listed = self.stream(&GitCall::Tree(commit), |output| {
            let (mut plain, mut record) = (BTreeSet::new(), Vec::new());
            while next_record(output, &mut record)? {
                let Some(tab) = memchr::memchr(b'\t', &record) else { continue };
                if wanted.contains(&record[tab + 1..]) && is_plain(&record[..tab.min(6)]) {
                    plain.insert(RepoPath::new(&record[tab + 1..]));
                }
            }
            Ok(plain)
        });
        listed.ok()
    }

    /// Which of some objects, named in hexadecimal, are in the repository; none if git does not say.
    pub(in crate::source) fn present<'o>(&self, objects: impl IntoIterator<Item = &'o [u8]>) -> HashSet<Vec<u8>> {
        let mut input: Vec<u8> = Vec::new();
        objects.into_iter().for_each(|object| input.extend([object, b"\n"].concat()));
        if input.is_empty() {
            return HashSet::new();
        }
        let told = self.stream_with_input(&GitCall::Present, input, |output| {
            let lines = output.split(b'\n').collect::<std::io::Result<Vec<_>>>()?;
            let name = |line: Vec<u8>| match line.strip_suffix(b" missing") {
                Some(_) => None,
                None => line.split(|&b| b == b' ').next().map(<[u8]>::to_vec),
            };
            Ok(lines.into_iter().filter_map(name).collect())
        });
        told.unwrap_or_default()
    }

    /// What stands at `paths` in a commit: the names of objects in hexadecimal, or nothing. A path with a line end cannot be
    /// asked for.
    pub(in crate::source) fn objects_at(&self, commit: &str, paths: &[RepoPath]) -> Vec<Option<Vec<u8>>> {
        let can_ask = |path: &RepoPath| !path.as_bytes().contains(&b'\n');
        let line = |path: &RepoPath| [commit.as_bytes(), b":", path.as_bytes(), b"\n"].concat();
        let input: Vec<u8> = paths.iter().filter(|path| can_ask(path)).flat_map(line).collect();
        if input.is_empty() {
            return vec![None; paths.len()];
        }
        let told = self.stream_with_input(&GitCall::Present, input, |output| {
            output.split(b'\n').collect::<std::io::Result<Vec<_>>>()
        });
        let mut lines = told.unwrap_or_default().into_iter();
        let mut object = |path: &RepoPath| if can_ask(path) { lines.next() } else { None };
        let objects = paths.iter().map(|path| object(path).filter(|line| line.iter().all(u8::is_ascii_hexdigit)));
        objects.collect()
    }
}

/// A tree that is being listed.
struct Unfolding {
    builder: SnapshotBuilder,
    /// How much it has unfolded into; see [`MAX_UNFOLDED`].
    weight: usize,
    /// The directory of the last path, up to its final `/`, and its shape.
    directory: Vec<u8>,
    shape: PathShape,
}

impl Unfolding {
    /// Add `MODE SP KIND SP ID TAB PATH`, as `git ls-tree` prints it; false if these are too many.
    fn add(&mut self, record: &[u8]) -> bool {
        self.weight += weight(record.len());
        if self.weight > MAX_UNFOLDED {
            return false;
        }
        // The mode has six digits, the kind four to six letters.
        let id_at = 7 + memchr::memchr(b' ', record.get(7..).unwrap_or_default()).map_or(0, |space| space + 1);
        let tab = memchr::memchr(b'\t', &record[id_at.min(record.len())..]).map_or(record.len(), |tab| id_at + tab);
        let mut buffer = [0; 32];
        let Some(id) = buffer.get_mut(..(tab.saturating_sub(id_at)) / 2) else { return true };
        let is_name = record.get(id_at..tab).is_some_and(|text| fill_from_hex(text, id));
        if let (Some(kind), true, Some(path)) =
            (kind_of_mode(&record[..record.len().min(6)]), is_name, record.get(tab + 1..))
        {
            let name = memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1);
            if path[..name] != self.directory {
                self.directory.clear();
                self.directory.extend_from_slice(&path[..name]);
                self.shape = ROOT.directory(&path[..name]);
            }
            self.builder.push(path, self.shape.file(&path[name..]), kind, id);
        }
        true
    }
}

/// One line of `git ls-files -s -t`.
struct Staged<'a> {
    tag: u8,
    mode: &'a [u8],
    id: Vec<u8>,
    stage: u8,
    path: &'a [u8],
}

impl<'a> Staged<'a> {
    /// `TAG SP MODE SP ID SP STAGE TAB PATH`.
    fn read(record: &'a [u8]) -> Option<Self> {
        let tab = memchr::memchr(b'\t', record)?;
        let mut fields = record[..tab].split(|&b| b == b' ');
        let (tag, mode, id, stage) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let (tag, stage) = (*tag.first()?, *stage.first()?);
        Some(Staged { tag, mode, id: from_hex(id)?, stage, path: &record[tab + 1..] })
    }
}
