//! Lists all paths below a tree, straight from the object database. Large trees are walked by all cores, each with a
//! handle of its own. Knows git's tree format, and nothing of revisions.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use git2::Oid;
use gix_object::Kind;
use rayon::prelude::*;

use super::objects::{ObjectError, ObjectReader, ObjectStore};
use super::shape::{PathShape, ROOT};
use super::snapshot::{MAX_UNFOLDED, Snapshot, SnapshotBuilder, weight};
use super::{EntryKind, SourceError, program};

/// Deepest nesting of directories; git's own `core.maxTreeDepth`.
const MAX_DEPTH: usize = 2048;
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

/// Why a tree could not be listed.
pub(super) enum TreeError {
    /// An object could not be read. Git may know another copy.
    Unreadable(SourceError),
    /// What the objects say makes no sense.
    Refused(SourceError),
}

impl From<SourceError> for TreeError {
    fn from(error: SourceError) -> Self {
        TreeError::Refused(error)
    }
}

impl From<TreeError> for SourceError {
    fn from(error: TreeError) -> Self {
        match error {
            TreeError::Unreadable(error) | TreeError::Refused(error) => error,
        }
    }
}

/// All paths below `tree`.
pub(super) fn list(objects: &ObjectStore, tree: Oid) -> Result<Snapshot, TreeError> {
    let mut items = vec![Item { path: Vec::new(), shape: ROOT, kind: None, id: tree }];
    for _ in 0..4 {
        let subtrees = items.iter().filter(|item| item.kind.is_none()).count();
        if subtrees == 0 || subtrees >= WORTH_SHARING {
            break;
        }
        let mut next = Vec::new();
        objects.with_reader(|reader| items.into_iter().try_for_each(|item| expand(reader, item, &mut next)))?;
        items = next;
    }
    let count = AtomicUsize::new(0);
    if items.iter().filter(|item| item.kind.is_none()).count() < WORTH_SHARING {
        return objects.with_reader(|reader| walk(reader, &items, &count)).map(SnapshotBuilder::finish);
    }
    let share = items.len().div_ceil(rayon::current_num_threads() * 4);
    let parts = items
        .par_chunks(share)
        .map(|items| objects.with_reader(|reader| walk(reader, items, &count)))
        .collect::<Result<_, _>>()?;
    Ok(SnapshotBuilder::join(parts))
}

/// Put what a directory holds in its place.
fn expand(reader: &ObjectReader, item: Item, into: &mut Vec<Item>) -> Result<(), TreeError> {
    if item.kind.is_some() {
        into.push(item);
        return Ok(());
    }
    let tree = read(reader, item.id)?;
    let mut at = 0;
    while let Some(entry) = next_entry(&tree, &mut at)? {
        let mut path = item.path.clone();
        path.extend_from_slice(entry.name);
        let shape = match entry.kind {
            Some(_) => item.shape.file(entry.name),
            None => {
                path.push(b'/');
                item.shape.directory(&path[item.path.len()..])
            }
        };
        into.push(Item { path, shape, kind: entry.kind, id: entry.id });
    }
    Ok(())
}

/// List `items` in order. Directories that are open lie on a stack of our own, so that no tree is too deep for the thread's.
fn walk(reader: &ObjectReader, items: &[Item], count: &AtomicUsize) -> Result<SnapshotBuilder, TreeError> {
    let mut builder = SnapshotBuilder::default();
    for item in items {
        let first = builder.len();
        match item.kind {
            Some(kind) => builder.push_sorted(b"", &item.path, item.shape, kind, item.id.as_bytes()),
            None => walk_directory(reader, item, count, &mut builder)?,
        }
        builder.check_order_at(first);
    }
    Ok(builder)
}

/// A directory that is being listed.
struct OpenDirectory {
    tree: Vec<u8>,
    /// How far.
    at: usize,
    /// Where the name of the entry before stands, and whether that is a directory.
    previous: (Range<usize>, bool),
    /// Bytes of its path.
    length: usize,
    shape: PathShape,
}

impl OpenDirectory {
    fn new(tree: Vec<u8>, length: usize, shape: PathShape) -> Self {
        OpenDirectory { tree, at: 0, previous: (0..0, false), length, shape }
    }
}

/// The order of entries in trees, each a name and whether it is a directory's: those count as ending with `/`.
fn order(one: (&[u8], bool), other: (&[u8], bool)) -> Ordering {
    let common = one.0.len().min(other.0.len());
    let rest = |(name, is_directory): (&[u8], bool)| match name.get(common) {
        None if is_directory => Some(b'/'),
        byte => byte.copied(),
    };
    // Names of different lengths whose next bytes agree differ later.
    let rests = || rest(one).cmp(&rest(other)).then(one.0.len().cmp(&other.0.len()));
    one.0[..common].cmp(&other.0[..common]).then_with(rests)
}

fn walk_directory(
    reader: &ObjectReader,
    item: &Item,
    count: &AtomicUsize,
    builder: &mut SnapshotBuilder,
) -> Result<(), TreeError> {
    let mut dir = item.path.clone();
    let mut open = vec![OpenDirectory::new(read(reader, item.id)?, dir.len(), item.shape)];
    while let Some(OpenDirectory { tree, at, previous, length, shape }) = open.last_mut() {
        dir.truncate(*length);
        let Some(entry) = next_entry(tree, at)? else {
            open.pop();
            continue;
        };
        if count.fetch_add(weight(dir.len() + entry.name.len()), Relaxed) > MAX_UNFOLDED {
            return Err(bomb().into());
        }
        let is_directory = entry.kind.is_none();
        let before = (&tree[previous.0.clone()], previous.1);
        builder.note_order(order(before, (entry.name, is_directory)).is_lt());
        let end = *at - ID - 1;
        *previous = (end - entry.name.len()..end, is_directory);
        match entry.kind {
            Some(kind) => {
                builder.push_sorted(&dir, entry.name, shape.file(entry.name), kind, entry.id.as_bytes());
            }
            None => {
                dir.extend_from_slice(entry.name);
                dir.push(b'/');
                let shape = shape.directory(&dir[*length..]);
                let tree = read(reader, entry.id)?;
                open.push(OpenDirectory::new(tree, dir.len(), shape));
                if open.len() > MAX_DEPTH {
                    return Err(too_deep().into());
                }
            }
        }
    }
    Ok(())
}

/// The error for a tree that is nested too deep.
pub(super) fn too_deep() -> SourceError {
    SourceError::new(format!("directories are nested more than {MAX_DEPTH} deep"))
}

/// The error for a tree with too many paths.
pub(super) fn bomb() -> SourceError {
    SourceError::new("its tree expands to too many paths").help("it was made to exhaust memory")
}

/// The bytes of a tree.
pub(super) fn read(reader: &ObjectReader, id: Oid) -> Result<Vec<u8>, TreeError> {
    let mut tree = Vec::new();
    match reader.read(id, Kind::Tree, &mut tree) {
        Ok(()) => Ok(tree),
        Err(ObjectError::OtherKind(_)) => {
            Err(SourceError::new(format!("object {id} is not a tree")).help("run `git fsck`").into())
        }
        Err(error) => Err(TreeError::Unreadable(
            SourceError::new(format!("tree {id} cannot be read: {error}"))
                .help("run `git fsck`; in a partial or damaged clone, clone again"),
        )),
    }
}

/// The modes of the files of a tree, in octal, by name.
pub(super) fn modes(tree: &[u8]) -> Result<BTreeMap<&[u8], &[u8]>, SourceError> {
    let (mut modes, mut at) = (BTreeMap::new(), 0);
    while let Some(entry) = next_entry(tree, &mut at)? {
        if entry.kind.is_some() {
            modes.entry(entry.name).or_insert(entry.mode);
        }
    }
    Ok(modes)
}

/// The directory `name` of a tree.
pub(super) fn folder(tree: &[u8], name: &[u8]) -> Result<Option<Oid>, SourceError> {
    let mut at = 0;
    while let Some(entry) = next_entry(tree, &mut at)? {
        if entry.name == name {
            return Ok(entry.kind.is_none().then_some(entry.id));
        }
    }
    Ok(None)
}

/// One entry of a tree.
struct GitTreeEntry<'a> {
    /// In octal.
    mode: &'a [u8],
    name: &'a [u8],
    /// `None` for a directory.
    kind: Option<EntryKind>,
    id: Oid,
}

/// The entry at `at`: `MODE SP NAME NUL ID`, the mode in octal.
fn next_entry<'a>(data: &'a [u8], at: &mut usize) -> Result<Option<GitTreeEntry<'a>>, SourceError> {
    let rest = &data[*at..];
    if rest.is_empty() {
        return Ok(None);
    }
    let broken = || SourceError::new("a tree object is malformed").help("run `git fsck`");
    // Near enough that to look byte by byte is faster than to prepare for a long way.
    let space = rest.iter().position(|&byte| byte == b' ').ok_or_else(broken)?;
    let end = space + memchr::memchr(0, &rest[space..]).ok_or_else(broken)?;
    let id = rest.get(end + 1..end + 1 + ID).and_then(|id| Oid::from_bytes(id).ok()).ok_or_else(broken)?;
    *at += end + 1 + ID;
    let (mode, name) = (&rest[..space], &rest[space + 1..end]);
    let kind = program::kind_of_mode(mode);
    Ok(Some(GitTreeEntry { mode, name, kind, id }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_sorted_as_if_their_names_ended_with_a_slash() {
        // A directory's name ends with a slash here.
        let sorted = ["", "a", "a.b", "a/", "a0", "ab/", "ab0", "b"];
        let name = |name: &'static str| match name.strip_suffix('/') {
            Some(directory) => (directory.as_bytes(), true),
            None => (name.as_bytes(), false),
        };
        for (number, one) in sorted.iter().enumerate() {
            for (other, two) in sorted.iter().enumerate() {
                assert_eq!(order(name(one), name(two)), number.cmp(&other), "{one:?} {two:?}");
            }
        }
    }

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
        assert!(next_entry(b"40000\0dir", &mut 0).is_err());
        for length in 1..31 {
            assert!(next_entry(&data[..length], &mut 0).is_err(), "{length}");
        }
    }
}
