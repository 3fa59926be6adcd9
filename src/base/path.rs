//! Repository-relative paths: bytes, `/` between components, no leading `/`, `.` or `..`; the root is the empty path.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A path inside a repository. Bytes, since git's paths need not be UTF-8. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Arc<[u8]>);

impl RepoPath {
    /// Take `path` as it is; it must be repository-relative already.
    pub fn new(path: impl AsRef<[u8]>) -> Self {
        RepoPath(path.as_ref().into())
    }

    /// The bytes of the path.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The path as text, if it is UTF-8.
    pub fn to_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The path as text, with U+FFFD for what is not UTF-8.
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The last component.
    pub fn file_name(&self) -> &[u8] {
        file_name(&self.0)
    }

    /// The directory that holds the path; empty for the root's own entries.
    pub fn parent(&self) -> &[u8] {
        parent(&self.0)
    }

    /// The path as an operating-system path, relative to the repository root.
    pub fn to_os_path(&self) -> std::path::PathBuf {
        bytes_to_os_path(&self.0)
    }
}

impl AsRef<[u8]> for RepoPath {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for RepoPath {
    fn from(path: &str) -> Self {
        RepoPath::new(path)
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_str_lossy())
    }
}

/// Bytes as an operating-system path. On Unix nothing is lost; elsewhere bytes outside UTF-8 become U+FFFD.
pub fn bytes_to_os_path(bytes: &[u8]) -> std::path::PathBuf {
    use bstr::ByteSlice;
    bytes.to_path_lossy().into_owned()
}

/// An operating-system path as bytes with `/` between components.
pub fn os_path_to_bytes(path: &std::path::Path) -> Vec<u8> {
    use bstr::ByteSlice;
    let bytes =
        <[u8]>::from_path(path).map(<[u8]>::to_vec).unwrap_or_else(|| path.to_string_lossy().into_owned().into_bytes());
    if cfg!(windows) { bytes.replace(b"\\", b"/") } else { bytes }
}

/// The last component of `path`.
pub fn file_name(path: &[u8]) -> &[u8] {
    match memchr::memrchr(b'/', path) {
        Some(at) => &path[at + 1..],
        None => path,
    }
}

/// The part of `path` before the last `/`; empty without one.
pub fn parent(path: &[u8]) -> &[u8] {
    match memchr::memrchr(b'/', path) {
        Some(at) => &path[..at],
        None => b"",
    }
}

/// `dir` and `name` with a `/` between them, or `name` alone in the root.
pub fn join(dir: &[u8], name: &[u8]) -> Vec<u8> {
    if dir.is_empty() {
        return name.to_vec();
    }
    let mut path = Vec::with_capacity(dir.len() + 1 + name.len());
    path.extend_from_slice(dir);
    path.push(b'/');
    path.extend_from_slice(name);
    path
}

/// What stands after the last dot of the file name; `None` for `.env` and for names without a dot.
pub fn extension(path: &[u8]) -> Option<&[u8]> {
    // Extensions are short: a search that is made for long texts takes longer to begin than this takes.
    let dot = path.iter().rposition(|&byte| byte == b'.' || byte == b'/').filter(|&at| path[at] == b'.')?;
    (dot > 0 && path[dot - 1] != b'/').then(|| &path[dot + 1..])
}

/// Whether the file is Markdown by its name.
pub(crate) fn is_markdown(path: &[u8]) -> bool {
    let name = file_name(path);
    let known: [&[u8]; 5] = [b"md", b"mdc", b"mdx", b"markdown", b"mkd"];
    let extension = memchr::memrchr(b'.', name).map(|dot| &name[dot + 1..]);
    extension.is_some_and(|extension| known.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// `text` as one word of a shell's command line.
pub(crate) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/.-_+,=@:".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { shell_quoted(text) }
}

/// `text` in quotation marks for a shell, whatever it holds.
pub(crate) fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Whether `path` is `dir` or lies below it; everything lies below the root.
pub fn is_at_or_below(path: &[u8], dir: &[u8]) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Whether one component of a path names a git directory to some file system: `.git` in any letter case, with code points
/// that HFS+ ignores, or with what NTFS drops behind a name, and NTFS's short name for it. Git refuses to track these names
/// (`is_hfs_dotgit` and `is_ntfs_dotgit` in its source).
pub(crate) fn is_dot_git(component: &[u8]) -> bool {
    // Most names are told by their first byte: `.`, the short name's `g`, or the first byte of an ignored code point.
    if !matches!(component.first(), Some(b'.' | b'g' | b'G' | 0xE2 | 0xEF)) {
        return false;
    }
    let text = String::from_utf8_lossy(component);
    let seen: String = text.chars().filter(|c| !is_ignored_by_hfs(*c)).map(|c| c.to_ascii_lowercase()).collect();
    let rest = seen.strip_prefix(".git").or_else(|| seen.strip_prefix("git~1"));
    // A colon begins the name of a stream of the directory.
    rest.is_some_and(|rest| matches!(rest.trim_start_matches([' ', '.']).chars().next(), None | Some(':')))
}

fn is_ignored_by_hfs(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// Whether a component of `path` names a git directory; Windows parts components at `\` too.
pub(crate) fn has_dot_git(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/' || byte == b'\\').any(is_dot_git)
}

/// Resolve `relative` against directory `dir` without looking at any file: `.` and empty components vanish and `..` climbs.
/// `None` when it leaves the repository. An absolute path is taken as relative to the root only by callers that strip its `/`.
pub(crate) fn resolve(dir: &[u8], relative: &[u8]) -> Option<Vec<u8>> {
    let mut parts: Vec<&[u8]> = dir.split(|&b| b == b'/').filter(|part| !part.is_empty()).collect();
    for part in relative.split(|&b| b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join(&b'/'))
}

/// `target`, spelt relative to directory `dir`: with `..` where needed, without a leading `./`.
pub fn relative(dir: &[u8], target: &[u8]) -> Vec<u8> {
    let from: Vec<&[u8]> = dir.split(|&b| b == b'/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&[u8]> = target.split(|&b| b == b'/').collect();
    let common = from.iter().zip(&to[..to.len().saturating_sub(1)]).take_while(|(a, b)| a == b).count();
    let mut parts: Vec<&[u8]> = vec![b".."; from.len() - common];
    parts.extend(&to[common..]);
    parts.join(&b'/')
}

/// The directories from the root (empty) down to `dir`, both included.
pub(crate) fn ancestors_from_root(dir: &[u8]) -> Vec<&[u8]> {
    let mut dirs = vec![&b""[..]];
    if !dir.is_empty() {
        dirs.extend(memchr::memchr_iter(b'/', dir).map(|at| &dir[..at]));
        dirs.push(dir);
    }
    dirs
}

/// `path` without `.` and `..`, by its words alone.
pub(crate) fn normal(path: &std::path::Path) -> std::path::PathBuf {
    let mut normal = std::path::PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// The name of a file that is being written, before it gets its place.
pub(crate) fn temporary_name(process: u32, random: u64) -> String {
    format!(".hintlint-{process}-{random:016x}.tmp")
}

/// Whether [`temporary_name`] gives such a name. No other file has one by accident.
pub(crate) fn is_temporary(name: &[u8]) -> bool {
    let numbers = name.strip_prefix(b".hintlint-").and_then(|rest| rest.strip_suffix(b".tmp"));
    let Some((process, random)) = numbers.and_then(|rest| rest.split_at_checked(rest.len().checked_sub(17)?)) else {
        return false;
    };
    let is_hex = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (1..=10).contains(&process.len())
        && process.iter().all(u8::is_ascii_digit)
        && random[0] == b'-'
        && random[1..].iter().all(is_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_those_of_the_name() {
        for (path, expected) in [
            ("a.MD", Some("MD")),
            ("b.c/a.tar.gz", Some("gz")),
            (".env", None),
            ("a/.env.local", Some("local")),
            ("b.c/Makefile", None),
            ("a.", Some("")),
        ] {
            assert_eq!(extension(path.as_bytes()), expected.map(str::as_bytes), "{path}");
        }
    }

    #[test]
    fn temporary_names_are_recognised() {
        for name in [temporary_name(1, 0), temporary_name(u32::MAX, u64::MAX)] {
            assert!(is_temporary(name.as_bytes()), "{name}");
        }
        for name in [
            ".hintlint-.tmp",
            ".hintlint-notes.tmp",
            ".hintlint-1-0123456789abcde.tmp",
            ".hintlint-1-0123456789ABCDEF.tmp",
            ".hintlint--0123456789abcdef.tmp",
            ".hintlint-12345678901-0123456789abcdef.tmp",
            ".hintlint-1-0123456789abcdef.tmp.md",
            "hintlint-1-0123456789abcdef.tmp",
            ".hintlint/context",
        ] {
            assert!(!is_temporary(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn resolving_stays_inside() {
        assert_eq!(resolve(b"a/b", b"../c.md"), Some(b"a/c.md".to_vec()));
        assert_eq!(resolve(b"a", b"./x//y/."), Some(b"a/x/y".to_vec()));
        assert_eq!(resolve(b"a", b"../../x"), None);
        assert_eq!(resolve(b"", b".."), None);
    }

    #[test]
    fn git_directories_are_known_by_every_spelling() {
        for name in [
            ".git",
            ".GIT",
            ".Git",
            ".git.",
            ".git . ",
            ".git\u{200c}",
            "\u{feff}.g\u{200d}i\u{202e}t\u{206f}",
            "GIT~1",
            "git~1 .",
            ".git::$INDEX_ALLOCATION",
            ".git \u{200c}",
        ] {
            assert!(is_dot_git(name.as_bytes()), "{name:?}");
            assert!(has_dot_git(format!("a/{name}/config").as_bytes()), "{name:?}");
            assert!(has_dot_git(format!("a\\{name}\\config").as_bytes()), "{name:?}");
        }
        for name in [
            "",
            ".",
            "..",
            "...",
            "git",
            ".gi",
            ".gitignore",
            ".github",
            ".gitmodules",
            ".git-hooks",
            "x.git",
            "git~2",
            "git~10",
            ".git~1",
            ".gít",
            ".git\u{200b}",
            "a.git.",
        ] {
            assert!(!is_dot_git(name.as_bytes()), "{name:?}");
        }
        assert!(!is_dot_git(b".g\xffit") && !has_dot_git(b"docs/git/config"));
    }

    #[test]
    fn relative_paths_lead_back() {
        assert_eq!(relative(b"a/b", b"a/c/d.md"), b"../c/d.md");
        assert_eq!(relative(b"", b"c.md"), b"c.md");
        assert_eq!(relative(b"a", b"a/b.md"), b"b.md");
        assert_eq!(relative(b"a/x", b"a"), b"../../a");
    }

    #[test]
    fn ancestors_start_at_the_root() {
        assert_eq!(ancestors_from_root(b""), vec![&b""[..]]);
        assert_eq!(ancestors_from_root(b"a/b"), vec![&b""[..], b"a", b"a/b"]);
    }
}
