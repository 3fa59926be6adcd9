//! What is remembered of a transcript from one stop to the next: how far it was read, how to know it again, and the loops that
//! were on then.

use std::io::{self, Read, Seek, SeekFrom};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::PendingLoop;
use super::hash;

/// Bytes at the beginning, and before the offset that was read to, by which a transcript is known again.
const MARKED: u64 = 64 << 10;

/// What the last reading left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TranscriptMemory {
    /// The offset (in bytes) that was read to; a line begins there.
    pub(super) read: u64,
    /// See [`mark`].
    pub(super) mark: String,
    /// The loops that were on, the latest last.
    pub(super) loops: Vec<PendingLoop>,
}

impl TranscriptMemory {
    /// Whether `file`, of which `length` bytes count, is the one that was read, grown or not.
    pub(super) fn fits(&self, file: &mut (impl Read + Seek), length: u64) -> io::Result<bool> {
        Ok(self.read <= length && mark(file, self.read)?.is_some_and(|mark| mark == self.mark))
    }

    /// Whether it is worth a file: to read so little again costs less than to write.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        const LITTLE: u64 = 1 << 20;
        !self.loops.is_empty() || self.read > LITTLE
    }
}

/// A hash of what comes before the offset `at`: of its beginning and its end. A transcript that was rewritten has another.
/// `None` if the file is shorter.
pub(super) fn mark(file: &mut (impl Read + Seek), at: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    for from in [0, at.saturating_sub(MARKED)] {
        let length = MARKED.min(at - from);
        let before = bytes.len();
        file.seek(SeekFrom::Start(from))?;
        Read::by_ref(file).take(length).read_to_end(&mut bytes)?;
        if (bytes.len() - before) as u64 != length {
            return Ok(None);
        }
    }
    Ok(Some(hash(&bytes)))
}

/// A text that was said. Remembered are only hashes: they are compared, and a text may have any length.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    /// The text.
    Text(String),
    /// Its hash.
    Hash(String),
}

impl Said {
    /// The text's hash.
    pub(crate) fn hash(&self) -> String {
        match self {
            Said::Text(text) => hash(text.as_bytes()),
            Said::Hash(hash) => hash.clone(),
        }
    }

    /// Whether it is this text.
    pub(crate) fn is(&self, text: &str) -> bool {
        match self {
            Said::Text(own) => own == text,
            Said::Hash(own) => *own == hash(text.as_bytes()),
        }
    }
}

impl PartialEq for Said {
    fn eq(&self, other: &Said) -> bool {
        match (self, other) {
            (Said::Text(one), Said::Text(two)) => one == two,
            _ => self.hash() == other.hash(),
        }
    }
}

impl Eq for Said {}

impl Serialize for Said {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.hash())
    }
}

impl<'de> Deserialize<'de> for Said {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(Said::Hash)
    }
}
