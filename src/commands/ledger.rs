//! What `compile` wrote last: a small file in git's own folder, never committed, so that an artifact which was changed by hand
//! and is not in git is not overwritten.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::path::RepoPath;

/// The artifacts written by earlier runs, each with the digest of its bytes.
#[derive(Debug, Default)]
pub struct Ledger {
    file: Option<PathBuf>,
    entries: BTreeMap<Vec<u8>, String>,
}

impl Ledger {
    /// Read the ledger below git's folder; none outside git. One that cannot be read is empty, which only makes runs careful.
    pub fn open(git_dir: Option<&Path>) -> Self {
        let Some(file) = git_dir.map(|dir| dir.join("hintlint").join("artifacts")) else { return Ledger::default() };
        let bytes = std::fs::read(&file).unwrap_or_default();
        let entry = |line: &[u8]| {
            let (digest, path) = line.split_at_checked(41)?;
            Some((path.to_vec(), std::str::from_utf8(&digest[..40]).ok()?.to_owned()))
        };
        let entries = bytes.split(|&byte| byte == 0).filter_map(entry).collect();
        Ledger { file: Some(file), entries }
    }

    /// Whether `bytes` are what the last run wrote to `path`.
    pub fn wrote(&self, path: &RepoPath, bytes: &[u8]) -> bool {
        self.entries.get(path.as_bytes()).is_some_and(|known| digest(bytes).as_ref() == Some(known))
    }

    /// Remember what was written to `path`; `None` when it was deleted.
    pub fn record(&mut self, path: &RepoPath, bytes: Option<&[u8]>) {
        match bytes.and_then(digest) {
            Some(digest) => self.entries.insert(path.as_bytes().to_vec(), digest),
            None => self.entries.remove(path.as_bytes()),
        };
    }

    /// Save it. A failure is not worth stopping for: the next run will be careful.
    pub fn save(&self) {
        let Some(file) = &self.file else { return };
        let mut bytes = Vec::new();
        for (path, digest) in &self.entries {
            bytes.extend_from_slice(digest.as_bytes());
            bytes.push(b' ');
            bytes.extend_from_slice(path);
            bytes.push(0);
        }
        if let Some(folder) = file.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = std::fs::write(file, bytes);
    }
}

/// The bytes' object name as git has it.
fn digest(bytes: &[u8]) -> Option<String> {
    let id = git2::Oid::hash_object(git2::ObjectType::Blob, bytes).ok()?;
    let mut text = String::new();
    let _ = write!(text, "{id}");
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_known_again() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (RepoPath::from("a b.md"), RepoPath::new(b"x\n\xff.md"));
        let mut ledger = Ledger::open(Some(folder.path()));
        ledger.record(&a, Some(b"one"));
        ledger.record(&b, Some(b"two"));
        ledger.save();
        let mut ledger = Ledger::open(Some(folder.path()));
        assert!(ledger.wrote(&a, b"one") && ledger.wrote(&b, b"two") && !ledger.wrote(&a, b"other"));
        ledger.record(&a, None);
        assert!(!ledger.wrote(&a, b"one"));
    }
}
