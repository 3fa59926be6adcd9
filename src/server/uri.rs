//! `file:` addresses and paths.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;

use crate::base::path::{bytes_to_os_path, normal, os_path_to_bytes};

/// The path of a `file:` address on this machine; `None` for any other address.
pub(super) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("file://")).and(uri.get(7..))?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let bytes = decoded(path);
    if bytes.contains(&0) {
        return None;
    }
    // `/C:/x` is `C:/x`.
    let is_drive = cfg!(windows) && bytes.len() > 2 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':';
    Some(normal(&bytes_to_os_path(if is_drive { &bytes[1..] } else { &bytes })))
}

/// The address of an absolute path.
pub(super) fn of_path(path: &Path) -> Uri {
    let bytes = os_path_to_bytes(path);
    let mut uri = String::from(if bytes.starts_with(b"/") { "file://" } else { "file:///" });
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            // Writing into a string cannot fail.
            _ => _ = write!(uri, "%{byte:02X}"),
        }
    }
    Uri(uri)
}

fn decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).filter(|hex| bytes[at] == b'%' && !hex.starts_with('+'));
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn addresses_and_paths_lead_to_each_other() {
        for (uri, path) in [
            ("file:///a/b.md", "/a/b.md"),
            ("file:///a%20b/%C3%A9.md", "/a b/é.md"),
            ("file://localhost/a", "/a"),
            ("FILE:///a/./b/../c", "/a/c"),
            ("file:///a%2", "/a%2"),
            ("file:///%zz%+1", "/%zz%+1"),
        ] {
            assert_eq!(to_path(uri).as_deref(), Some(Path::new(path)), "{uri}");
        }
        for other in ["untitled:x", "http://h/a", "file://host/a", "file:a", "", "file:/", "é", "file:///a%00b"] {
            assert_eq!(to_path(other), None, "{other}");
        }
        assert_eq!(of_path(Path::new("/a b/é#%.md")).0, "file:///a%20b/%C3%A9%23%25.md");
        assert_eq!(to_path(&of_path(Path::new("/a b/é#%.md")).0).as_deref(), Some(Path::new("/a b/é#%.md")));
    }
}
