//! Lists all paths below a tree, straight from the object database. Large trees are walked by all cores, each with a
//! handle of its own. Knows git's tree format, and nothing of revisions.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use git2::{Odb, OdbObject, Oid};
use rayon::prelude::*;

use super::shape::{PathShape, ROOT};
use super::snapshot::{Blob, MAX_UNFOLDED, Snapshot, SnapshotBuilder, weight};
use super::{EntryKind, SourceError, program};

/// Deepest nesting of directories; git's own `core.maxTreeDepth`.
pub(super) const MAX_DEPTH: usize = 2048;
/// Bytes of an object name; libgit2 is only used where they are 20.
const ID: usize = 20;
/// From this many subtrees on, a walk by all cores is faster than a walk by one.
const WORTH_SHARING: usize = 48;

/// One thing to list: a file, or a directory with all that is below it.
struct Item {
    /// The path; a directory's ends with `/`, and the root's is empty.
    path: Vec<u8>,
    shape: PathShape,
    /// `None` for a directory.
    kind: Option<EntryKind>,
    id: Oid,
}

/// All paths below `tree` of the repository whose database is `odb` and whose git directory is `git_dir`.
pub(super) fn list(odb: &Odb<'_>, git_dir: &Path, tree: Oid) -> Result<Snapshot, SourceError> {
    let mut items = vec![Item { path: Vec::new(), shape: ROOT, kind: None, id: tree }];
    for _ in 0..4 {
        let subtrees = items.iter().filter(|item| item.kind.is_none()).count();
        if subtrees == 0 || subtrees >= WORTH_SHARING {
            break;
        }
        let mut next = Vec::new();
        for item in items {
            expand(odb, item, &mut next)?;
        }
        items = next;
    }
    let count = AtomicUsize::new(0);
    if items.iter().filter(|item| item.kind.is_none()).count() < WORTH_SHARING {
        return walk(odb, &items, &count).map(SnapshotBuilder::finish);
    }
    let share = items.len().div_ceil(rayon::current_num_threads() * 4);
    let parts = items
        .par_chunks(share)
        .map(|items| {
            let repository = git2::Repository::open(git_dir).map_err(|error| SourceError::new(error.message()))?;
            let odb = repository.odb().map_err(|error| SourceError::new(error.message()))?;
            walk(&odb, items, &count)
        })
        .collect::<Result<_, _>>()?;
    Ok(SnapshotBuilder::join(parts))
}

/// Put what a directory holds in its place.
fn expand(odb: &Odb<'_>, item: Item, into: &mut Vec<Item>) -> Result<(), SourceError> {
    if item.kind.is_some() {
        into.push(item);
        return Ok(());
    }
    let object = read(odb, item.id)?;
    let mut at = 0;
    while let Some(entry) = next_entry(object.data(), &mut at)? {
        let mut path = item.path.clone();
        path.extend_from_slice(entry.name);
        let mut shape = item.shape.file(entry.name);
        if entry.kind.is_none() {
            path.push(b'/');
            shape = item.shape.directory(&path[item.path.len()..]);
        }
        into.push(Item { path, shape, kind: entry.kind, id: entry.id });
    }
    Ok(())
}

/// List `items` in order. Directories that are open lie on a stack of our own, so that no tree is too deep for the thread's.
fn walk(odb: &Odb<'_>, items: &[Item], count: &AtomicUsize) -> Result<SnapshotBuilder, SourceError> {
    let mut builder = SnapshotBuilder::default();
    for item in items {
        let Some(kind) = item.kind else {
            walk_directory(odb, item, count, &mut builder)?;
            continue;
        };
        builder.push(b"", &item.path, item.shape, kind, Blob::new(item.id.as_bytes()));
    }
    Ok(builder)
}

/// A directory that is being listed.
struct Open<'odb> {
    object: OdbObject<'odb>,
    /// How far.
    at: usize,
    /// Bytes of its path.
    length: usize,
    shape: PathShape,
}

fn walk_directory(
    odb: &Odb<'_>,
    item: &Item,
    count: &AtomicUsize,
    builder: &mut SnapshotBuilder,
) -> Result<(), SourceError> {
    let mut dir = item.path.clone();
    let mut open = vec![Open { object: read(odb, item.id)?, at: 0, length: dir.len(), shape: item.shape }];
    while let Some(Open { object, at, length, shape }) = open.last_mut() {
        dir.truncate(*length);
        let Some(entry) = next_entry(object.data(), at)? else {
            open.pop();
            continue;
        };
        if count.fetch_add(weight(dir.len() + entry.name.len()), Ordering::Relaxed) > MAX_UNFOLDED {
            return Err(bomb());
        }
        match entry.kind {
            Some(kind) => {
                builder.push(&dir, entry.name, shape.file(entry.name), kind, Blob::new(entry.id.as_bytes()));
            }
            None => {
                dir.extend_from_slice(entry.name);
                dir.push(b'/');
                let shape = shape.directory(&dir[*length..]);
                let object = read(odb, entry.id)?;
                open.push(Open { object, at: 0, length: dir.len(), shape });
                if open.len() > MAX_DEPTH {
                    return Err(too_deep());
                }
            }
        }
    }
    Ok(())
}

/// What is said of a tree that no thread's stack and no disk could hold.
pub(super) fn too_deep() -> SourceError {
    SourceError::new(format!("directories are nested more than {MAX_DEPTH} deep"))
}

/// What is said of a tree that stands for too many paths.
pub(super) fn bomb() -> SourceError {
    SourceError::new("its tree unfolds into more paths than any repository has").help("it was made to exhaust memory")
}

/// The bytes of a tree.
pub(super) fn read<'odb>(odb: &'odb Odb<'_>, id: Oid) -> Result<OdbObject<'odb>, SourceError> {
    match odb.read(id) {
        Ok(object) if object.kind() == git2::ObjectType::Tree => Ok(object),
        Ok(_) => Err(SourceError::new(format!("object {id} is not a tree"))),
        Err(error) => Err(SourceError::new(format!("tree {id} cannot be read: {}", error.message()))
            .help("run `git fsck`; in a partial or damaged clone, clone again")),
    }
}

/// One entry of a tree.
pub(super) struct Entry<'a> {
    pub(super) name: &'a [u8],
    /// `None` for a directory.
    pub(super) kind: Option<EntryKind>,
    pub(super) executable: bool,
    pub(super) id: Oid,
}

/// The entry at `at`: `MODE SP NAME NUL ID`, the mode in octal.
pub(super) fn next_entry<'a>(data: &'a [u8], at: &mut usize) -> Result<Option<Entry<'a>>, SourceError> {
    let rest = &data[*at..];
    if rest.is_empty() {
        return Ok(None);
    }
    let broken = || SourceError::new("a tree object is malformed").help("run `git fsck`");
    let space = memchr::memchr(b' ', rest).ok_or_else(broken)?;
    let end = memchr::memchr(0, rest).filter(|&end| end > space).ok_or_else(broken)?;
    let id = rest.get(end + 1..end + 1 + ID).and_then(|id| Oid::from_bytes(id).ok()).ok_or_else(broken)?;
    *at += end + 1 + ID;
    let (mode, name) = (&rest[..space], &rest[space + 1..end]);
    let kind = program::kind_of_mode(mode);
    // Old trees have modes such as 100664, which git takes for 100644.
    let executable = kind == Some(EntryKind::File) && mode.iter().nth_back(2).is_some_and(|digit| digit & 1 == 1);
    Ok(Some(Entry { name, kind, executable, id }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_end_where_they_should() {
        let mut data = b"100644 a b\0".to_vec();
        data.extend([7; 20]);
        data.extend(b"40000 dir\0");
        data.extend([8; 20]);
        let mut at = 0;
        let first = next_entry(&data, &mut at).expect("valid").expect("an entry");
        assert_eq!((first.name, first.kind), (&b"a b"[..], Some(EntryKind::File)));
        let second = next_entry(&data, &mut at).expect("valid").expect("an entry");
        assert_eq!((second.name, second.kind), (&b"dir"[..], None));
        assert!(next_entry(&data, &mut at).expect("valid").is_none());
        for length in 1..31 {
            assert!(next_entry(&data[..length], &mut 0).is_err(), "{length}");
        }
    }
}
