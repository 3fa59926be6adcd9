//! The bytes of the file. Whoever can write into the git directory can forge them, and a crash can damage them: reading is
//! total, takes no more memory than a constant times the file, and refuses what writing would not make. Numbers are written
//! seven bits to a byte, lowest first.

use std::collections::BTreeMap;

use super::build::MAX_PATH_BYTES;
use super::lost::{LossKind, Lost, LostPath};
use super::paths::PathTable;
use super::table::Commit;
use super::{Cache, MAX_BYTES, PathEventKind, Rename, Touch};
use crate::source::raw;

/// What a file begins with. A change of the format, or of what is asked from git, changes it.
const MAGIC: &[u8] = b"hintlint history 2\n";

/// Bytes at the end that tell a whole file from a damaged one.
const CHECKSUM: usize = 4;

/// Bytes of a path for which room is made.
const TYPICAL_PATH: usize = 40;

/// Longest path that is kept, in bytes.
const MAX_PATH: usize = 1 << 16;

impl Cache {
    /// The bytes of the file. `key` names everything else that the commits of the repository depend on. Of a history that does
    /// not fit it is only said that it does not.
    pub(in crate::source::history) fn to_bytes(&self, key: &[u8; 20]) -> Vec<u8> {
        let bytes = self.write(key);
        match bytes.len() > MAX_BYTES {
            true => Cache { is_unfit: true, ..Cache::default() }.write(key),
            false => bytes,
        }
    }

    pub(super) fn write(&self, key: &[u8; 20]) -> Vec<u8> {
        let mut out = CacheWriter(Vec::new());
        out.number(u64::from(self.is_unfit));
        out.paths(&self.paths);
        out.number(self.commits.width() as u64);
        out.number(self.commits.len() as u64);
        let mut time = 0;
        for (number, commit) in self.commits.iter().enumerate() {
            out.commit(number, &commit, time);
            time = commit.time;
        }
        out.number(self.heads.len() as u64);
        self.heads.iter().for_each(|&head| out.number(u64::from(head)));
        out.number(self.lost.len() as u64);
        self.lost.iter().for_each(|(path, lost)| out.lost(path, lost));
        sealed(&out.0, key)
    }

    /// What a file holds; nothing if it is damaged, of another version, or made for another `key`.
    pub(in crate::source::history) fn parse(bytes: &[u8], key: &[u8; 20]) -> Option<Cache> {
        let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
        if bytes.len() > MAX_BYTES || crc32fast::hash(content).to_le_bytes() != *checksum {
            return None;
        }
        let mut reader = CacheReader { rest: content.strip_prefix(&*header(key))?, ..CacheReader::default() };
        let is_unfit = reader.number()? == 1;
        let paths = reader.paths()?;
        let width = reader.count(32)?;
        let count = reader.count(reader.rest.len())?;
        // Names of objects have 20 bytes, or 32 of SHA-256.
        if count > 0 && width != 20 && width != 32 {
            return None;
        }
        let mut cache = Cache { paths, is_unfit, ..Cache::default() };
        let mut time = 0;
        for _ in 0..count {
            time = reader.commit(&mut cache, width, time)?;
        }
        for _ in 0..reader.count(reader.rest.len())? {
            cache.heads.push(reader.below(count)?);
        }
        for _ in 0..reader.count(reader.rest.len())? {
            let path = reader.bytes()?.to_vec();
            let lost = reader.lost(count)?;
            cache.lost.insert(path, lost);
        }
        reader.rest.is_empty().then_some(cache)
    }
}

/// The bytes of a file with this content.
pub(in crate::source::history) fn sealed(content: &[u8], key: &[u8; 20]) -> Vec<u8> {
    let mut file = [&header(key), content].concat();
    let checksum = crc32fast::hash(&file);
    file.extend(checksum.to_le_bytes());
    file
}

fn header(key: &[u8; 20]) -> Vec<u8> {
    let limits = format!("{} {}\n", raw::SIMILARITY, raw::RENAME_LIMIT);
    [MAGIC, limits.as_bytes(), key].concat()
}

struct CacheWriter(Vec<u8>);

impl CacheWriter {
    fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Each path is written as what it has in common with the one before it, and the rest.
    fn paths(&mut self, paths: &PathTable) {
        self.number(paths.len() as u64);
        let mut before: &[u8] = b"";
        for path in (0..paths.len() as u32).map(|number| paths.get(number)) {
            let common = path.iter().zip(before).take_while(|(one, two)| one == two).count();
            self.number(common as u64);
            self.bytes(&path[common..]);
            before = path;
        }
    }

    fn commit(&mut self, number: usize, commit: &Commit<'_>, time: i64) {
        self.0.extend_from_slice(commit.id);
        let step = commit.time.wrapping_sub(time);
        self.number((step << 1 ^ step >> 63) as u64);
        self.number(commit.parents.len() as u64);
        commit.parents.iter().for_each(|&parent| self.number((number - 1 - parent as usize) as u64));
        self.number(commit.touches.len() as u64);
        let mut before = 0;
        for touch in commit.touches {
            let kind = match touch.kind {
                PathEventKind::Modified => 0,
                PathEventKind::Added => 1,
                PathEventKind::Deleted => 2,
            };
            self.number(u64::from(touch.path - before) * 3 + kind);
            before = touch.path;
        }
        self.number(commit.renames.map_or(0, |renames| renames.len() as u64 + 1));
        for rename in commit.renames.into_iter().flatten() {
            self.number(u64::from(rename.from));
            self.number(u64::from(rename.to) << 1 | u64::from(rename.exact));
        }
    }

    fn lost(&mut self, path: &[u8], lost: &Lost) {
        self.bytes(path);
        self.number(u64::from(lost.examined));
        self.number(lost.merges.len() as u64);
        for (merge, losses) in &lost.merges {
            self.number(u64::from(*merge));
            self.number(losses.as_ref().map_or(0, |losses| losses.len() as u64 + 1));
            for loss in losses.iter().flatten() {
                let kind = match loss.kind {
                    LossKind::Deleted => 0,
                    LossKind::Renamed => 1,
                    LossKind::Moved => 2,
                };
                self.number(u64::from(loss.side) * 3 + kind);
                self.bytes(&loss.from);
                self.bytes(&loss.to);
            }
        }
    }
}

#[derive(Default)]
struct CacheReader<'a> {
    rest: &'a [u8],
    /// Of the commit that is read.
    parents: Vec<u32>,
}

impl<'a> CacheReader<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number up to `most`.
    fn count(&mut self, most: usize) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|count| *count <= most)
    }

    /// A number below `count`.
    fn below(&mut self, count: usize) -> Option<u32> {
        u32::try_from(self.number()?).ok().filter(|number| (*number as usize) < count)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.count(MAX_PATH)?;
        self.take(count)
    }

    fn paths(&mut self) -> Option<PathTable> {
        let mut paths = PathTable::default();
        let count = self.count(self.rest.len())?;
        // Whoever forges a count gets no more room than a constant times the file.
        paths.reserve(count, (count * TYPICAL_PATH).min(MAX_PATH_BYTES));
        let mut length = 0;
        for _ in 0..count {
            let common = self.count(length)?;
            let rest = self.bytes()?;
            length = common + rest.len();
            if length > MAX_PATH || !paths.push_rest(common, rest, MAX_PATH_BYTES) {
                return None;
            }
        }
        (!paths.hold(0)).then_some(paths)
    }

    /// Read a commit into the cache. Its time, of which the next one tells the distance.
    fn commit(&mut self, cache: &mut Cache, width: usize, time: i64) -> Option<i64> {
        let number = cache.commits.len();
        let id = self.take(width)?;
        let step = self.number()?;
        let time = time.wrapping_add((step >> 1) as i64 ^ -((step & 1) as i64));
        self.parents.clear();
        for _ in 0..self.count(self.rest.len())? {
            let distance = self.below(number)?;
            self.parents.push(number as u32 - 1 - distance);
        }
        let count = self.count(self.rest.len())?;
        let mut path = 0_u64;
        let touches = cache.commits.room_for_touches(count);
        for index in 0..count {
            let step = self.number()?;
            if index > 0 && step < 3 {
                return None;
            }
            path = path.checked_add(step / 3)?;
            let kind = [PathEventKind::Modified, PathEventKind::Added, PathEventKind::Deleted][(step % 3) as usize];
            let path = u32::try_from(path).ok().filter(|path| (*path as usize) < cache.paths.len())?;
            touches.push(Touch { path, kind });
        }
        let is_added = cache.commits.push(id, time, self.parents.drain(..), []);
        if let Some(count) = self.count(self.rest.len())?.checked_sub(1) {
            let renames: Option<Vec<Rename>> = (0..count).map(|_| self.rename(cache.paths.len())).collect();
            cache.commits.set_renames(number as u32, renames?).then_some(())?;
        }
        is_added.then_some(time)
    }

    fn rename(&mut self, paths: usize) -> Option<Rename> {
        let from = self.below(paths)?;
        let to = self.number()?;
        Some(Rename { from, to: u32::try_from(to >> 1).ok()?, exact: to & 1 == 1 })
    }

    fn lost(&mut self, commits: usize) -> Option<Lost> {
        let examined = self.count(commits)? as u32;
        let mut merges = BTreeMap::new();
        for _ in 0..self.count(self.rest.len())? {
            let merge = self.below(commits)?;
            let losses = match self.count(self.rest.len())?.checked_sub(1) {
                Some(count) => Some((0..count).map(|_| self.loss()).collect::<Option<Vec<LostPath>>>()?),
                None => None,
            };
            merges.insert(merge, losses);
        }
        Some(Lost { examined, merges })
    }

    fn loss(&mut self) -> Option<LostPath> {
        let number = self.number()?;
        let kind = [LossKind::Deleted, LossKind::Renamed, LossKind::Moved][(number % 3) as usize];
        let side = u32::try_from(number / 3).ok()?;
        Some(LostPath { side, kind, from: self.bytes()?.to_vec(), to: self.bytes()?.to_vec() })
    }
}
