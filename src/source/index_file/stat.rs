//! What an index notes of a file on disk, so that an unchanged file is recognised without being read.

use std::fs::Metadata;

use super::be32;

/// Size and times of a file, as the index keeps them: 32 bits each. Fields that the system does not have are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::source) struct Stat {
    changed: [u32; 2],
    modified: [u32; 2],
    inode: u32,
    size: u32,
}

impl Stat {
    /// What the entry says that begins with `bytes`.
    pub(super) fn of_entry(bytes: &[u8]) -> Stat {
        let field = |number: usize| be32(bytes, number * 4);
        Stat { changed: [field(0), field(1)], modified: [field(2), field(3)], inode: field(5), size: field(9) }
    }

    /// What the disk says of a file.
    #[cfg(unix)]
    pub(in crate::source) fn of_file(meta: &Metadata) -> Stat {
        use std::os::unix::fs::MetadataExt;
        Stat {
            changed: [meta.ctime() as u32, meta.ctime_nsec() as u32],
            modified: [meta.mtime() as u32, meta.mtime_nsec() as u32],
            inode: meta.ino() as u32,
            size: meta.size() as u32,
        }
    }

    /// What the disk says of a file.
    #[cfg(not(unix))]
    pub(in crate::source) fn of_file(meta: &Metadata) -> Stat {
        let since = meta.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let modified = since.map_or([0, 0], |since| [since.as_secs() as u32, since.subsec_nanos()]);
        Stat { modified, size: meta.len() as u32, ..Stat::default() }
    }

    /// Whether a file of which the index has noted `self` is certainly the same as when that was noted: nothing differs, and
    /// it is older than the `index`. A file of the same time may have been written again after it was noted.
    pub(in crate::source) fn is_untouched(self, on_disk: Stat, index: Stat) -> bool {
        let noted = if cfg!(unix) { self } else { Stat { changed: [0, 0], inode: 0, ..self } };
        noted == on_disk && on_disk.modified < index.modified
    }
}
