//! The lines of a file of any size, sought from its end and followed from a place on, one block at a time: never more than one
//! line is held. Knows no transcript.

#[cfg(test)]
mod tests;

use std::io::{self, Read, Seek, SeekFrom};

use memchr::memmem::Finder;

/// Bytes that are read at once.
const BLOCK: u64 = 1 << 20;
/// A longer line (in bytes) is passed over: it is not worth the memory.
pub(super) const MAX_LINE: usize = 8 << 20;

/// Part of a file as lines.
pub(super) struct LineReader<F> {
    file: F,
    start: u64,
    end: u64,
    /// Bytes that may still be read; what follows counts as if it were not there.
    budget: u64,
    /// Whether a line was passed over for its length.
    pub(super) passed_over: bool,
    /// Whether the budget is spent.
    pub(super) spent: bool,
}

/// A line that was found: where it begins, and its bytes without the line end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TranscriptLine {
    pub(super) at: u64,
    pub(super) bytes: Vec<u8>,
}

impl TranscriptLine {
    /// Where the next line begins.
    pub(super) fn next(&self) -> u64 {
        self.at + self.bytes.len() as u64 + 1
    }
}

impl<F: Read + Seek> LineReader<F> {
    /// The bytes from `start` to `end` of `file`. Three readings of all of it are allowed.
    pub(super) fn new(file: F, start: u64, end: u64) -> Self {
        let budget = (end - start).saturating_mul(3).saturating_add(4 * BLOCK);
        LineReader { file, start, end, budget, passed_over: false, spent: false }
    }

    /// Look no further back than the offset `start`, where a line begins.
    pub(super) fn forget_before(&mut self, start: u64) {
        self.start = start;
    }

    /// The end of the last line.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The last line before the offset `before`, which is a line's beginning or the end, that holds one of `needles` and is
    /// `wanted`.
    pub(super) fn last(
        &mut self,
        needles: &[&str],
        before: u64,
        mut wanted: impl FnMut(&[u8]) -> bool,
    ) -> io::Result<Option<TranscriptLine>> {
        let finders = Finders(needles.iter().map(|needle| Finder::new(*needle)).collect());
        // What is known of the line that the block before it begins: its pieces, the last one first.
        let mut tail = Tail::default();
        let mut to = before;
        let mut block = Vec::new();
        while to > self.start {
            let from = to.saturating_sub(BLOCK).max(self.start);
            if !self.read(from, to, &mut block)? {
                return Ok(None);
            }
            let Some(first) = memchr::memchr(b'\n', &block) else {
                tail.push(&block);
                to = from;
                continue;
            };
            let last = memchr::memrchr(b'\n', &block).unwrap_or(first);
            tail.push(&block[last + 1..]);
            match self.whole(std::mem::take(&mut tail)) {
                Some(bytes) if finders.find(&bytes) && wanted(&bytes) => {
                    return Ok(Some(TranscriptLine { at: from + last as u64 + 1, bytes }));
                }
                _ => {}
            }
            let inner = &block[first + 1..last.max(first + 1)];
            if let Some(found) = last_of(inner, &finders, &mut wanted) {
                let at = from + (first + 1 + found.start) as u64;
                return Ok(Some(TranscriptLine { at, bytes: inner[found].to_vec() }));
            }
            tail.push(&block[..first]);
            to = from;
        }
        let bytes = self.whole(tail).filter(|bytes| finders.find(bytes) && wanted(bytes));
        Ok(bytes.map(|bytes| TranscriptLine { at: self.start, bytes }))
    }

    /// Show `follower` the lines from the offset `from` on, where one begins, that hold one of `needles` it wants by then. The
    /// needles are sought in whole blocks, so that a line without any costs no more than its bytes.
    pub(super) fn follow(&mut self, from: u64, needles: &[&str], follower: &mut impl Follower) -> io::Result<()> {
        let finders = Finders(needles.iter().map(|needle| Finder::new(*needle)).collect());
        // The line that earlier blocks began, and where it begins.
        let (mut line, mut start) = (LineHead::default(), from);
        let (mut block, mut at) = (Vec::new(), from);
        while at < self.end {
            let to = (at + BLOCK).min(self.end);
            if !self.read(at, to, &mut block)? {
                break;
            }
            let block_start = std::mem::replace(&mut at, to);
            let mut whole = 0;
            if line.is_begun() {
                let end = memchr::memchr(b'\n', &block);
                line.push(&block[..end.unwrap_or(block.len())]);
                let Some(end) = end else { continue };
                self.show(std::mem::take(&mut line), start, &finders, follower);
                whole = end + 1;
            }
            let end = memchr::memrchr(b'\n', &block[whole..]).map_or(whole, |last| whole + last + 1);
            finders.show(&block[whole..end], block_start + whole as u64, follower);
            start = block_start + end as u64;
            line.push(&block[end..]);
        }
        self.show(line, start, &finders, follower);
        Ok(())
    }

    /// Show a line that was put together, unless it is too long.
    fn show(&mut self, line: LineHead, at: u64, finders: &Finders<'_>, follower: &mut impl Follower) {
        self.passed_over |= line.is_long;
        if !line.is_long && finders.wanted_in(&line.bytes, follower) {
            follower.look(at, &line.bytes);
        }
    }

    /// The bytes of a line, unless it is too long.
    fn whole(&mut self, tail: Tail) -> Option<Vec<u8>> {
        self.passed_over |= tail.is_long;
        let mut bytes = Vec::with_capacity(if tail.is_long { 0 } else { tail.length });
        // Each piece is given up once it is copied, so that the line is not held twice.
        tail.pieces.into_iter().rev().for_each(|piece| bytes.extend_from_slice(&piece));
        (!tail.is_long).then_some(bytes)
    }

    /// Read a block; false where there is no more, since the file has shrunk or the budget is spent.
    fn read(&mut self, from: u64, to: u64, block: &mut Vec<u8>) -> io::Result<bool> {
        block.clear();
        self.spent |= self.budget < to - from;
        if self.spent {
            return Ok(false);
        }
        self.budget -= to - from;
        self.file.seek(SeekFrom::Start(from))?;
        Read::by_ref(&mut self.file).take(to - from).read_to_end(block)?;
        Ok(block.len() as u64 == to - from)
    }
}

/// The end of a line whose beginning is not known yet.
#[derive(Default)]
struct Tail {
    /// The last one first.
    pieces: Vec<Vec<u8>>,
    length: usize,
    is_long: bool,
}

impl Tail {
    fn push(&mut self, piece: &[u8]) {
        self.length = self.length.saturating_add(piece.len());
        self.is_long |= self.length > MAX_LINE;
        match self.is_long {
            true => self.pieces.clear(),
            false => self.pieces.push(piece.to_vec()),
        }
    }
}

/// Who is shown lines, and may want others by what it saw.
pub(super) trait Follower {
    /// Whether the lines with this needle, by its number, matter now.
    fn wants(&self, needle: usize) -> bool;

    /// A line that holds a needle, and its offset.
    fn look(&mut self, at: u64, line: &[u8]);
}

/// The beginning of a line whose end is not known yet.
#[derive(Default)]
struct LineHead {
    bytes: Vec<u8>,
    is_long: bool,
}

impl LineHead {
    fn is_begun(&self) -> bool {
        self.is_long || !self.bytes.is_empty()
    }

    fn push(&mut self, piece: &[u8]) {
        self.is_long |= self.bytes.len() + piece.len() > MAX_LINE;
        match self.is_long {
            true => self.bytes = Vec::new(),
            false => {
                // No more than the line takes: to double it as usual could be twice the limit.
                self.bytes.reserve_exact(piece.len());
                self.bytes.extend_from_slice(piece);
            }
        }
    }
}

/// Several texts that are sought at once.
struct Finders<'n>(Vec<Finder<'n>>);

impl Finders<'_> {
    fn find(&self, bytes: &[u8]) -> bool {
        self.0.iter().any(|finder| finder.find(bytes).is_some())
    }

    fn wanted_in(&self, line: &[u8], follower: &impl Follower) -> bool {
        self.0.iter().enumerate().any(|(number, finder)| follower.wants(number) && finder.find(line).is_some())
    }

    /// Show the lines of `block`, all of them whole, that hold a needle that is wanted. Each needle is sought once: its next place
    /// is kept until the lines shown are behind it.
    fn show(&self, block: &[u8], offset: u64, follower: &mut impl Follower) {
        let mut next: Vec<Option<usize>> = vec![None; self.0.len()];
        let mut from = 0;
        while from < block.len() {
            let wanted = self.0.iter().zip(&mut next).enumerate().filter(|(number, _)| follower.wants(*number));
            let places = wanted.map(|(_, (finder, next))| match *next {
                Some(place) if place >= from => place,
                _ => *next.insert(finder.find(&block[from..]).map_or(block.len(), |place| from + place)),
            });
            let place = places.min().unwrap_or(block.len());
            if place == block.len() {
                return;
            }
            let start = memchr::memrchr(b'\n', &block[from..place]).map_or(from, |end| from + end + 1);
            let end = memchr::memchr(b'\n', &block[place..]).map_or(block.len(), |end| place + end);
            follower.look(offset + start as u64, &block[start..end]);
            from = end + 1;
        }
    }
}

/// Where the last line of the first `length` bytes of `file` that has an end ends; `None` if the file is shorter.
pub(super) fn end_of_last(file: &mut (impl Read + Seek), length: u64) -> io::Result<Option<u64>> {
    let mut to = length;
    let mut block = Vec::new();
    while to > 0 {
        let from = to.saturating_sub(BLOCK);
        block.clear();
        file.seek(SeekFrom::Start(from))?;
        Read::by_ref(file).take(to - from).read_to_end(&mut block)?;
        if block.len() as u64 != to - from {
            return Ok(None);
        }
        if let Some(end) = memchr::memrchr(b'\n', &block) {
            return Ok(Some(from + end as u64 + 1));
        }
        to = from;
    }
    Ok(Some(0))
}

/// The last line of `block` that holds what `finders` look for and is wanted.
fn last_of(
    block: &[u8],
    finders: &Finders<'_>,
    wanted: &mut impl FnMut(&[u8]) -> bool,
) -> Option<std::ops::Range<usize>> {
    finders.find(block).then_some(())?;
    let mut end = block.len();
    loop {
        let start = memchr::memrchr(b'\n', &block[..end]).map_or(0, |at| at + 1);
        let line = &block[start..end];
        if finders.find(line) && wanted(line) {
            return Some(start..end);
        }
        end = start.checked_sub(1)?;
    }
}
