//! Opens regular files and nothing else. A FIFO would make the program wait for a writer for ever, a device may never end.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// What happens to a link at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// It is followed.
    Follow,
    /// It is an error.
    Refuse,
}

/// Open a regular file for reading.
///
/// # Errors
/// When there is none, it cannot be read, or something else stands there.
pub(crate) fn open(path: &Path, links: Links) -> io::Result<File> {
    let look = if links == Links::Follow { fs::metadata } else { fs::symlink_metadata };
    open_seen(path, &look(path)?, links)
}

/// The same for who has just looked at what stands there, which is `seen`.
///
/// # Errors
/// Those of [`open`].
pub(super) fn open_seen(path: &Path, seen: &fs::Metadata, links: Links) -> io::Result<File> {
    // To open a device may already do something, so the type is asked first. And again later: it may have changed meanwhile.
    check(seen)?;
    let file = without_waiting(links).open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of a regular file that has no more than `limit`. Links are followed.
///
/// # Errors
/// When there is none, it cannot be read, is larger, or something else stands there.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path, Links::Follow)?.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::other(format!("has more than {limit} bytes"))),
        false => Ok(bytes),
    }
}

fn check(meta: &fs::Metadata) -> io::Result<()> {
    match meta {
        meta if meta.is_file() => Ok(()),
        meta if meta.is_dir() => Err(io::Error::new(ErrorKind::IsADirectory, "is a directory")),
        meta if meta.is_symlink() => Err(io::Error::other("is a link")),
        _ => Err(io::Error::other("is a FIFO, device or socket")),
    }
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "opened for reading alone")]
fn without_waiting(links: Links) -> fs::OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = match links {
        Links::Follow => OFlags::NONBLOCK,
        Links::Refuse => OFlags::NONBLOCK | OFlags::NOFOLLOW,
    };
    let mut options = fs::OpenOptions::new();
    options.read(true).custom_flags(flags.bits() as i32);
    options
}

#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "opened for reading alone")]
fn without_waiting(_links: Links) -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    options
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let link = |name: &str, target: &str| std::os::unix::fs::symlink(target, at(name)).expect("a link");
        fs::write(at("file"), "12345").expect("written");
        fs::create_dir(at("dir")).expect("made");
        assert!(std::process::Command::new("mkfifo").arg(at("fifo")).status().expect("mkfifo runs").success());
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).expect("a socket");
        link("to-file", "file");
        link("to-fifo", "fifo");
        link("to-zero", "/dev/zero");
        for name in ["dir", "fifo", "socket", "to-fifo", "to-zero", "none"] {
            for links in [Links::Follow, Links::Refuse] {
                assert!(open(&at(name), links).is_err(), "{name}");
            }
        }
        assert!(open(&at("to-file"), Links::Refuse).is_err());
        assert_eq!(read(&at("to-file"), 5).expect("short enough"), b"12345");
        assert!(read(&at("file"), 4).is_err());
    }

    #[test]
    fn a_fifo_that_takes_the_place_of_a_file_does_not_stop_us() {
        let folder = tempfile::tempdir().expect("a folder");
        let fifo = folder.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs").success());
        // As after the first look: the file was exchanged.
        let file = without_waiting(Links::Refuse).open(&fifo).expect("it opens at once");
        assert!(check(&file.metadata().expect("known")).is_err());
    }
}
