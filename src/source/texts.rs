//! Text and binary files, told apart as git does it, and a walk over the texts of many files that keeps few in memory.

use rayon::prelude::*;

use super::{MAX_FILE_BYTES, ReadResult, Source, SourceReadError};
use crate::base::path::RepoPath;

/// How many bytes of a file git looks at for a NUL.
pub(super) const HEAD_BYTES: usize = 8000;

/// Most files that are read before any of them is looked at.
const BATCH: usize = 128;

/// Most bytes that a batch should hold.
const BATCH_BYTES: usize = 16 * 1024 * 1024;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// The bytes of a text file, in any encoding.
    Text(Vec<u8>),
    /// A binary file: git finds a NUL in its first 8,000 bytes.
    Binary,
    /// The bytes could not be had.
    Unreadable(SourceReadError),
}

/// What is done with each file: the index of its path, and its content. Called by several threads, in any order.
pub(crate) type TextVisitor<'a> = dyn Fn(usize, FileContent) + Sync + 'a;

/// Whether git takes a file that begins so for binary.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(HEAD_BYTES)]).is_some()
}

impl From<ReadResult> for FileContent {
    fn from(read: ReadResult) -> Self {
        match read {
            Ok(bytes) if is_binary(&bytes) => FileContent::Binary,
            Ok(bytes) => FileContent::Text(bytes.to_vec()),
            Err(why) => FileContent::Unreadable(why),
        }
    }
}

/// Walk over `paths` by way of [`Source::read_many`], in batches that shrink where the files are large.
pub(super) fn in_batches<S: Source + ?Sized>(source: &S, paths: &[RepoPath], look: &TextVisitor<'_>) {
    let mut size = BATCH;
    let mut start = 0;
    while start < paths.len() {
        let end = (start + size).min(paths.len());
        let read = source.read_many(&paths[start..end]);
        let bytes: usize = read.iter().flatten().map(|bytes| bytes.len()).sum();
        read.into_par_iter().enumerate().for_each(|(index, result)| look(start + index, result.into()));
        let average = (bytes / (end - start)).max(1);
        size = (BATCH_BYTES / average).clamp(BATCH_BYTES / MAX_FILE_BYTES as usize, BATCH);
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::source::Memory;

    #[test]
    fn binary_is_what_git_takes_for_binary() {
        let late = [vec![b'a'; HEAD_BYTES], vec![0]].concat();
        for (bytes, binary) in
            [(&b"a\0b"[..], true), (b"", false), (&late[1..], true), (&late, false), (b"\xFF\xFEa\0", true)]
        {
            assert_eq!(is_binary(bytes), binary, "{} bytes", bytes.len());
        }
    }

    #[test]
    fn every_file_is_looked_at_once() {
        let names: Vec<String> = (0..1000).map(|n| format!("f{n:04}")).collect();
        let source = Memory::of_files(names.iter().map(|name| (name.as_str(), name.as_str())));
        let mut paths: Vec<RepoPath> = names.iter().map(|name| RepoPath::from(name.as_str())).collect();
        paths.push("none".into());
        let seen = Mutex::new(Vec::new());
        in_batches(&source, &paths, &|index, content| seen.lock().unwrap().push((index, content)));
        let mut seen = seen.into_inner().unwrap();
        seen.sort_by_key(|(index, _)| *index);
        let mut expected: Vec<(usize, FileContent)> =
            names.iter().map(|name| FileContent::Text(name.clone().into_bytes())).enumerate().collect();
        expected.push((1000, FileContent::Unreadable(SourceReadError::Missing)));
        assert_eq!(seen, expected);
    }
}
