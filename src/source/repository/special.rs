//! Looks over a git directory for what git, libgit2 or we would wait for without end: FIFOs and devices where files are read,
//! directly or through links, and files too large for their purpose. Runs before any of them is opened. A clone that git made
//! has none; an archive may.

use std::collections::BTreeSet;
use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::discovery::GitDirs;
use crate::base::path::bytes_to_os_path;
use crate::source::{SourceError, regular};

/// Files of a git directory that are read whole, and how many bytes they may have.
const FILES: [(&str, u64); 14] = [
    ("HEAD", SMALL),
    ("commondir", SMALL),
    ("gitdir", SMALL),
    ("config", MEDIUM),
    ("config.worktree", MEDIUM),
    ("index", HUGE),
    ("packed-refs", LARGE),
    ("shallow", LARGE),
    ("info/attributes", MEDIUM),
    ("info/exclude", MEDIUM),
    ("info/grafts", LARGE),
    ("info/sparse-checkout", MEDIUM),
    ("objects/info/alternates", MEDIUM),
    ("objects/info/commit-graph", HUGE),
];
const SMALL: u64 = 1 << 16;
const MEDIUM: u64 = 16 << 20;
/// The largest `packed-refs` known have some 100 MB.
const LARGE: u64 = 256 << 20;
/// The index of three million files has some 400 MB.
const HUGE: u64 = 1 << 30;

/// How deep names of references and logs are followed, and how many alternates of alternates; git's limit is 5.
const MAX_DEPTH: usize = 64;
const MAX_ALTERNATES: usize = 5;
/// How many config files may include each other; git's limit is 10.
const MAX_INCLUDES: usize = 10;
/// How many names are looked at. Each is a loose object, a pack or a reference.
const MAX_NAMES: usize = 10_000_000;

/// Refuse a repository in which something else stands where a file is read. `home` is where `~` leads.
pub(super) fn refuse(found: &GitDirs, home: Option<&Path>) -> Result<(), SourceError> {
    let mut look = RepositoryLook { seen: BTreeSet::new(), names: 0 };
    let GitDirs { git_dir, common_dir } = found;
    look.git_dir(git_dir)?;
    look.git_dir(common_dir)?;
    for folder in ["refs", "logs", "reftable"] {
        look.below(&git_dir.join(folder), MAX_DEPTH)?;
        look.below(&common_dir.join(folder), MAX_DEPTH)?;
    }
    look.objects(&common_dir.join("objects"), MAX_ALTERNATES)?;
    for file in [common_dir.join("config"), git_dir.join("config.worktree")] {
        look.config(&file, home, MAX_INCLUDES)?;
    }
    our_own(&git_dir.join("hintlint"))?;
    our_own(&common_dir.join("hintlint"))
}

/// One look over a repository.
struct RepositoryLook {
    /// Directories that links led to, so that links in a circle come to an end.
    seen: BTreeSet<PathBuf>,
    names: usize,
}

impl RepositoryLook {
    /// The files directly in a git directory, and those that are known by name.
    fn git_dir(&mut self, dir: &Path) -> Result<(), SourceError> {
        for (name, most) in FILES {
            let place = dir.join(name);
            match place.metadata() {
                Ok(meta) if !meta.is_file() => return Err(special(&place, meta.is_dir())),
                Ok(meta) if meta.len() > most => {
                    let message = format!("it has {} bytes, over the limit of {most}", meta.len());
                    return Err(SourceError::new(message).at(&place).help("it may be damaged; `git fsck` says more"));
                }
                _ => {}
            }
        }
        // A revision may be the name of any file here: `main` is first looked for as `.git/main`.
        self.below(dir, 0)
    }

    /// The files in `dir`, and in directories below it down to a depth.
    fn below(&mut self, dir: &Path, depth: usize) -> Result<(), SourceError> {
        let Ok(entries) = fs::read_dir(dir) else { return Ok(()) };
        for entry in entries.flatten() {
            self.names += 1;
            if self.names > MAX_NAMES {
                return Err(SourceError::new(format!("the git directory holds more than {MAX_NAMES} files")).at(dir));
            }
            let Ok(kind) = entry.file_type() else { continue };
            let is_dir = match kind {
                kind if kind.is_symlink() => match entry.path().metadata() {
                    Ok(meta) if waits(meta.file_type()) => return Err(special(&entry.path(), false)),
                    Ok(meta) => meta.is_dir() && self.is_new(&entry.path()),
                    // It leads nowhere, so it is not read.
                    Err(_) => false,
                },
                kind if waits(kind) => return Err(special(&entry.path(), false)),
                kind => kind.is_dir(),
            };
            if is_dir && depth > 0 {
                self.below(&entry.path(), depth - 1)?;
            }
        }
        Ok(())
    }

    fn is_new(&mut self, dir: &Path) -> bool {
        dir.canonicalize().is_ok_and(|dir| self.seen.insert(dir))
    }

    /// A folder of objects, and those that it names as further ones.
    fn objects(&mut self, dir: &Path, alternates: usize) -> Result<(), SourceError> {
        self.below(dir, 1)?;
        self.below(&dir.join("info"), 1)?;
        let list = dir.join("info/alternates");
        if let Some(meta) = something_else(&list) {
            return Err(special(&list, meta.is_dir()));
        }
        let Ok(text) = regular::read(&list, MEDIUM) else { return Ok(()) };
        let Some(left) = alternates.checked_sub(1) else { return Ok(()) };
        for line in text.split(|&b| b == b'\n').filter(|line| !line.is_empty() && !line.starts_with(b"#")) {
            let line = if line.starts_with(b"\"") { value(line) } else { line.to_vec() };
            let other = dir.join(bytes_to_os_path(&line));
            if self.is_new(&other) {
                self.objects(&other, left)?;
            }
        }
        Ok(())
    }

    /// A config file, and those that it includes.
    fn config(&mut self, file: &Path, home: Option<&Path>, includes: usize) -> Result<(), SourceError> {
        match file.metadata() {
            Ok(meta) if !meta.is_file() => return Err(special(file, meta.is_dir())),
            Ok(meta) if meta.len() > MEDIUM => {
                let message = format!("this config file has {} bytes, and more than {MEDIUM} are not read", meta.len());
                return Err(SourceError::new(message).at(file).help("remove it, or the `include` that names it"));
            }
            Ok(_) => {}
            Err(_) => return Ok(()),
        }
        let (Ok(text), Some(left)) = (regular::read(file, MEDIUM), includes.checked_sub(1)) else { return Ok(()) };
        for path in included(&text) {
            let target = match path.strip_prefix(b"~/") {
                Some(rest) => home.map(|home| home.join(bytes_to_os_path(rest))),
                None if path.starts_with(b"~") || path.starts_with(b"%(") => {
                    let message =
                        format!("this config includes `{}`, a path that hintlint cannot resolve", path.escape_ascii());
                    return Err(SourceError::new(message).at(file).help("write it as an absolute path, or remove it"));
                }
                None => Some(file.with_file_name("").join(bytes_to_os_path(&path))),
            };
            if let Some(target) = target {
                self.config(&target, home, left)?;
            }
        }
        Ok(())
    }
}

/// Our own folder in a git directory. We never make links there, and what we write must not end up elsewhere.
fn our_own(folder: &Path) -> Result<(), SourceError> {
    let Ok(meta) = folder.symlink_metadata() else { return Ok(()) };
    let refused = |place: &Path| {
        let message =
            "hintlint keeps its cache in this folder, but this entry is not a regular file or folder of its own";
        SourceError::new(message).at(place).help("remove it; hintlint makes the cache again")
    };
    if !meta.is_dir() {
        return Err(refused(folder));
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = match entry.metadata() {
            Ok(meta) => meta.is_dir() || (meta.is_file() && meta.len() <= LARGE),
            // Another program has put its file into place since the folder was listed.
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if !is_ours {
            return Err(refused(&entry.path()));
        }
    }
    Ok(())
}

/// What stands at a path, if that is there and no regular file.
fn something_else(place: &Path) -> Option<Metadata> {
    place.metadata().ok().filter(|meta| !meta.is_file())
}

/// Whether to open such a file may wait, or to read it may never end. To open a socket fails at once, and git has one of its
/// own in each directory that its file system monitor watches.
#[cfg(unix)]
fn waits(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() || kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn waits(_kind: FileType) -> bool {
    false
}

fn special(place: &Path, is_dir: bool) -> SourceError {
    let what = if is_dir { "a directory" } else { "a FIFO, device or socket, or a link to one" };
    SourceError::new(format!("this is {what}, where git keeps a file"))
        .at(place)
        .help("git never creates this: do not trust this repository, or clone it again")
}

/// The values of `path` in the sections `include` and `includeIf` of a config, under any condition.
fn included(text: &[u8]) -> Vec<Vec<u8>> {
    // A line that ends with a backslash goes on in the next.
    let text = bstr::ByteSlice::replace(bstr::ByteSlice::replace(text, "\r\n", "\n").as_slice(), "\\\n", "");
    let mut found = Vec::new();
    let mut is_include = false;
    for line in text.split(|&b| b == b'\n') {
        let mut line = line.trim_ascii();
        if let Some(header) = line.strip_prefix(b"[") {
            let name = header.split(|b| !b.is_ascii_alphanumeric()).next().unwrap_or_default();
            is_include = name.eq_ignore_ascii_case(b"include") || name.eq_ignore_ascii_case(b"includeif");
            line = end_of_header(header).trim_ascii();
        }
        let Some(at) = line.iter().position(|&b| b == b'=').filter(|_| is_include) else { continue };
        if line[..at].trim_ascii().eq_ignore_ascii_case(b"path") {
            found.push(value(line[at + 1..].trim_ascii()));
        }
    }
    found
}

/// What follows the `]` that ends a section's header; one in quotes does not end it.
fn end_of_header(header: &[u8]) -> &[u8] {
    let (mut is_quoted, mut at) = (false, 0);
    while at < header.len() {
        match header[at] {
            b'\\' if is_quoted => at += 1,
            b'"' => is_quoted = !is_quoted,
            b']' if !is_quoted => return &header[at + 1..],
            _ => {}
        }
        at += 1;
    }
    b""
}

/// A value without quotes, escapes and comment.
fn value(text: &[u8]) -> Vec<u8> {
    let (mut value, mut is_quoted, mut kept) = (Vec::new(), false, 0);
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'#' | b';' if !is_quoted => break,
            b'\\' => match bytes.next() {
                Some(b'n') => value.push(b'\n'),
                Some(b't') => value.push(b'\t'),
                Some(other) => value.push(other),
                None => {}
            },
            other => value.push(other),
        }
        if is_quoted || !byte.is_ascii_whitespace() {
            kept = value.len();
        }
    }
    value.truncate(kept);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_files_are_found_as_git_finds_them() {
        let text = b"[core]\npath = no\n[include]\n\tpath = a\npath=b ; c\n[INCLUDE] Path = \"c # d\"\n\
            [includeIf \"gitdir:x]y\\\"\"] path = e\\\nf\n[include \"x\"]\r\npath = \"g\\\\h\"\r\n[user]\nname = include\npath = no\n";
        let found: Vec<String> = included(text).iter().map(|path| path.escape_ascii().to_string()).collect();
        assert_eq!(found, ["a", "b", "c # d", "ef", "g\\\\h"]);
        assert!(included(b"[include]\n# path = a\n").is_empty());
        assert_eq!(included(b"[include").len(), 0);
    }
}
