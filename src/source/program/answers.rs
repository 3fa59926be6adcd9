//! What the `git` program says of an index, a tree and blobs, read from its output.

use std::collections::BTreeSet;
use std::io::{BufRead, Read};
use std::sync::Arc;

use super::{Call, Program, ProgramError, from_hex, hex, kind_of_mode, next_record, records};
use crate::base::path::RepoPath;
use crate::source::shape::ROOT;
use crate::source::snapshot::{MAX_UNFOLDED, SnapshotBuilder, weight};
use crate::source::{MAX_FILE_BYTES, ReadError, ReadResult, SourceError, index_file, tree};

/// The names of the blob without bytes, SHA-1 and SHA-256.
const EMPTY_BLOBS: [&str; 2] =
    ["e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"];

impl Program {
    /// The staged paths, as `git ls-files` knows them: any kind of index.
    pub(in crate::source) fn index(&self) -> Result<index_file::Index, ProgramError> {
        // Tags: `H` cached, `S` left out of the checkout, `M` unmerged. A path whose name alone was added looks like an
        // empty file here; only a second call tells them apart.
        let listed = self.output(&Call::Index)?;
        let mut index = index_file::Index::default();
        let mut builder = SnapshotBuilder::default();
        let empty = EMPTY_BLOBS.into_iter().find(|id| memchr::memmem::find(&listed, id.as_bytes()).is_some());
        let empty_files = empty.map(|id| self.empty_files(id)).transpose()?.unwrap_or_default();
        let empty = empty.and_then(|id| from_hex(id.as_bytes()));
        for record in records(&listed) {
            let Some(Staged { tag, mode, id, stage, path }) = Staged::read(record) else {
                return Err(ProgramError::Failed("git ls-files said something unknown".to_owned()));
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
        let output = self.output(&Call::IndexContent { like: empty })?;
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
    pub(in crate::source) fn tree(&self, id: &str) -> Result<SnapshotBuilder, ProgramError> {
        self.stream(&Call::Tree(id), |output| {
            let mut builder = SnapshotBuilder::default();
            let mut record = Vec::new();
            let mut unfolded = 0;
            while next_record(output, &mut record)? {
                unfolded += weight(record.len());
                if unfolded > MAX_UNFOLDED {
                    return Err(std::io::Error::other(tree::bomb().message));
                }
                let tab = memchr::memchr(b'\t', &record).unwrap_or(record.len());
                let (head, path) = (&record[..tab], record.get(tab + 1..).unwrap_or_default());
                let mut fields = head.split(|&b| b == b' ');
                let kind = fields.next().and_then(kind_of_mode);
                let id = fields.nth(1).and_then(from_hex);
                if let (Some(kind), Some(id)) = (kind, id) {
                    builder.push(path, ROOT.file(path), kind, &id);
                }
            }
            Ok(builder)
        })
    }

    /// The bytes of blobs, in the order of `blobs`.
    pub(in crate::source) fn blobs(&self, blobs: &[&[u8]]) -> Vec<ReadResult> {
        let mut input = Vec::with_capacity(blobs.len() * 41);
        for blob in blobs {
            input.extend_from_slice(hex(blob).as_bytes());
            input.push(b'\n');
        }
        if input.is_empty() {
            return Vec::new();
        }
        let result = self.stream_with_input(&Call::Blobs, input, |output| {
            blobs.iter().map(|_| next_blob(output)).collect::<std::io::Result<Vec<_>>>()
        });
        result.unwrap_or_else(|error| {
            let error = ReadError::Failed(SourceError::from(error).to_string());
            vec![Err(error); blobs.len()]
        })
    }
}

/// One answer of `git cat-file --batch`.
fn next_blob(output: &mut impl BufRead) -> std::io::Result<ReadResult> {
    let mut head = Vec::new();
    output.read_until(b'\n', &mut head)?;
    let text = String::from_utf8_lossy(&head);
    let words: Vec<&str> = text.split_whitespace().collect();
    let size = match words[..] {
        [_, "blob", size] => size.parse::<u64>().map_err(std::io::Error::other)?,
        [id, "missing"] => return Ok(Err(ReadError::Failed(format!("object {id} is missing from the repository")))),
        [] => return Err(std::io::ErrorKind::UnexpectedEof.into()),
        _ => return Err(std::io::Error::other(format!("cat-file said `{}`", text.trim()))),
    };
    let blob = match size > MAX_FILE_BYTES {
        true => {
            std::io::copy(&mut output.by_ref().take(size), &mut std::io::sink())?;
            Err(ReadError::TooLarge(size))
        }
        false => {
            let mut bytes = vec![0; size as usize];
            output.read_exact(&mut bytes)?;
            Ok(Arc::from(bytes))
        }
    };
    let mut end = [0];
    output.read_exact(&mut end)?;
    Ok(blob)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blobs_end_where_they_say() {
        let mut input: &[u8] = b"aa blob 3\na\nb\nbb missing\ncc blob 0\n\n";
        assert_eq!(next_blob(&mut input).expect("a blob"), Ok(Arc::from(&b"a\nb"[..])));
        assert!(matches!(next_blob(&mut input), Ok(Err(ReadError::Failed(_)))));
        assert_eq!(next_blob(&mut input).expect("a blob"), Ok(Arc::from(&b""[..])));
        assert!(next_blob(&mut input).is_err());
    }
}
