//! Which paths a resource may have, and the error messages for others. Only the spelling of paths is checked here;
//! `Package::resource` opens them.

use std::fmt;

use crate::base::path::{self, RepoPath};
use crate::write::WriteProblem;

/// A resource that is printed may have so many bytes; one that is written to a file, any number.
pub(crate) const MAX_PRINTED: u64 = 8 << 20;

/// Why a resource is not given. None of the words repeats a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResourceRefusal {
    /// No package is active.
    NoPackage,
    /// The path is absolute, has `..` in it, or leads out by a link.
    Outside,
    /// The path is that of the resources' folder itself.
    Folder,
    /// There is no such file.
    Missing,
    /// A folder, FIFO, device or socket.
    NoFile,
    /// It is too large to be printed.
    TooLarge,
    /// It is not text of the encoding that was asked for, or there is no such encoding.
    Encoding(&'static str),
    /// The operating system refused.
    Unreadable,
}

impl fmt::Display for ResourceRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the resource cannot be given: ")?;
        f.write_str(match self {
            ResourceRefusal::NoPackage => "no hint package is active; `hintlint pack load NAME` loads one",
            ResourceRefusal::Outside => {
                "its path must be relative, without `..`, and stay in the active package's resources"
            }
            ResourceRefusal::Folder => "its path is the folder of all resources; name a file in it",
            ResourceRefusal::Missing => "the active package has no such resource",
            ResourceRefusal::NoFile => "it is no regular file",
            ResourceRefusal::TooLarge => "it is larger than 8 MiB; `--output FILE` takes it whole",
            ResourceRefusal::Encoding(why) => why,
            ResourceRefusal::Unreadable => "it cannot be read",
        })
    }
}

impl std::error::Error for ResourceRefusal {}

impl From<&WriteProblem> for ResourceRefusal {
    fn from(problem: &WriteProblem) -> ResourceRefusal {
        match problem {
            WriteProblem::Outside => ResourceRefusal::Outside,
            WriteProblem::Missing | WriteProblem::NotAFolder(_) | WriteProblem::ChangedSinceRead => {
                ResourceRefusal::Missing
            }
            WriteProblem::NotAFile => ResourceRefusal::NoFile,
            _ => ResourceRefusal::Unreadable,
        }
    }
}

/// The text that `bytes` stand for in the encoding called `label`, as UTF-8. The names of the web and of Python are known.
///
/// # Errors
/// When there is no such encoding, or the bytes are no text of it.
pub(crate) fn decode(bytes: &[u8], label: &str) -> Result<Vec<u8>, ResourceRefusal> {
    let label = label.trim().to_ascii_lowercase().replace('_', "-");
    if ["latin-1", "latin1", "iso-8859-1", "iso8859-1"].contains(&label.as_str()) {
        return Ok(encoding_rs::mem::decode_latin1(bytes).into_owned().into_bytes());
    }
    let label = match label.as_str() {
        "utf-8-sig" => "utf-8",
        "cp936" => "gbk",
        "cp932" => "shift_jis",
        "cp949" => "euc-kr",
        "cp950" => "big5",
        "utf-16-le" => "utf-16le",
        "utf-16-be" => "utf-16be",
        label => label,
    };
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
    let (text, _, has_errors) = encoding.ok_or(ResourceRefusal::Encoding("there is no such encoding"))?.decode(bytes);
    match has_errors {
        true => Err(ResourceRefusal::Encoding("it is no text of that encoding")),
        false => Ok(text.into_owned().into_bytes()),
    }
}

/// Judge the spelling of a resource's path: one that leaves the folder on any system is refused on all.
///
/// # Errors
/// [`ResourceRefusal::Outside`], [`ResourceRefusal::Folder`], or [`ResourceRefusal::Missing`] for a name that no file has everywhere.
pub(crate) fn check(path: &[u8]) -> Result<(), ResourceRefusal> {
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    let has_drive = matches!(path, [letter, b':', ..] if letter.is_ascii_alphabetic());
    let mut parts = path.split(is_separator);
    if path.first().is_some_and(is_separator) || has_drive || parts.clone().any(|part| part == b"..") {
        return Err(ResourceRefusal::Outside);
    }
    let is_name = |part: &[u8]| match std::str::from_utf8(part) {
        Ok(text) => !text.contains(':') && !is_device(text) && !text.chars().any(char::is_control),
        Err(_) => true,
    };
    if path.split(is_separator).all(|part| matches!(part, b"" | b".")) && !path.is_empty() {
        return Err(ResourceRefusal::Folder);
    }
    let names_git = path::has_dot_git(path);
    if path.is_empty() || path.ends_with(b"/") || names_git || !parts.all(is_name) {
        return Err(ResourceRefusal::Missing);
    }
    Ok(())
}

/// A path that [`check`] took, without its `.` components.
pub(super) fn plain(path: &[u8]) -> RepoPath {
    let parts: Vec<&[u8]> = path.split(|&byte| byte == b'/').filter(|part| !matches!(*part, b"" | b".")).collect();
    RepoPath::new(parts.join(&b'/'))
}

/// Whether Windows opens a device under the name, whatever folder and extension it has.
pub(super) fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let numbered = |device: &str| {
        let mut rest = stem.strip_prefix(device).unwrap_or("").chars();
        matches!((rest.next(), rest.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    };
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem.as_str()) || numbered("COM") || numbered("LPT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_other_encodings_becomes_utf8() {
        for (bytes, label, text) in [
            (&b"\xef\xbb\xbfa"[..], "utf-8", "a"),
            (b"\xef\xbb\xbfa", "UTF_8_SIG", "a"),
            (b"\xe9\x80", "latin-1", "é\u{80}"),
            (b"\xc4\xe3", "gbk", "你"),
            (b"\xc4\xe3", "cp936", "你"),
            (b"\xff\xfea\0", "utf-16", "a"),
        ] {
            assert_eq!(decode(bytes, label), Ok(text.as_bytes().to_vec()), "{label}");
        }
        assert_eq!(decode(b"\xff", "utf-8"), Err(ResourceRefusal::Encoding("it is no text of that encoding")));
        assert_eq!(decode(b"a", "klingon"), Err(ResourceRefusal::Encoding("there is no such encoding")));
    }

    #[test]
    fn paths_stay_below_the_resources() {
        for path in ["a.txt", "a/b.txt", "./a.txt", "a..b/c", "...", "ünïcode.md", "a b", "console.md", "com10.txt"] {
            assert_eq!(check(path.as_bytes()), Ok(()), "{path:?}");
        }
        for path in [
            "..", "../a", "a/..", "a/../b", "..\\a", "a\\..\\b", "a/..\\b", "/a", "\\a", "//h/s", "\\\\h\\s", "C:a",
            "c:/a",
        ] {
            assert_eq!(check(path.as_bytes()), Err(ResourceRefusal::Outside), "{path:?}");
        }
        for path in
            ["", "a/", "a\0", "a\nb", "a\rb", "\u{1b}[2J", "nul", "COM1.txt", "x/aux.md", "ab:stream", ".git/config"]
        {
            assert_eq!(check(path.as_bytes()), Err(ResourceRefusal::Missing), "{path:?}");
        }
        for path in [".", "./", "./.", ".\\", ".//."] {
            assert_eq!(check(path.as_bytes()), Err(ResourceRefusal::Folder), "{path:?}");
        }
        assert_eq!(check(b"\xff.bin"), Ok(()));
    }
}
