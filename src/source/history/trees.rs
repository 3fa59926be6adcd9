//! How two trees differ, as far as some paths are concerned: a directory is opened only if it differs and leads to one of
//! them. Knows git's trees, and nothing of commits and questions.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use git2::Oid;

use crate::source::objects::Reader;
use crate::source::snapshot::{MAX_UNFOLDED, weight};
use crate::source::tree::{self, Entry};
use crate::source::{EntryKind, SourceError};

/// One path that differs; what was there, and what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) path: Vec<u8>,
    pub(super) old: Option<(EntryKind, Oid)>,
    pub(super) new: Option<(EntryKind, Oid)>,
}

/// Paths of files or directories, by their components. All below a path that is wanted is wanted.
#[derive(Debug)]
pub(super) struct Paths {
    /// The first is the root. Flat, since paths may have any number of components.
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    children: BTreeMap<Vec<u8>, usize>,
    is_wanted: bool,
}

impl Paths {
    pub(super) fn new<'p>(paths: impl IntoIterator<Item = &'p Vec<u8>>) -> Self {
        let mut nodes = vec![Node::default()];
        for path in paths {
            let mut at = 0;
            for part in path.split(|&b| b == b'/') {
                let next = nodes.len();
                at = *nodes[at].children.entry(part.to_vec()).or_insert(next);
                if at == next {
                    nodes.push(Node::default());
                }
            }
            nodes[at].is_wanted = true;
        }
        Paths { nodes }
    }

    /// All paths of a tree.
    pub(super) fn all() -> Self {
        Paths { nodes: vec![Node { is_wanted: true, ..Node::default() }] }
    }

    /// Where `name` below `dir` leads; `dir` is `None` where everything is wanted.
    fn below(&self, dir: Option<usize>, name: &[u8]) -> Wanted {
        let Some(dir) = dir else { return Wanted::All };
        match self.nodes[dir].children.get(name) {
            Some(&node) if self.nodes[node].is_wanted => Wanted::All,
            Some(&node) => Wanted::Below(node),
            None => Wanted::Nothing,
        }
    }
}

enum Wanted {
    All,
    Below(usize),
    Nothing,
}

/// Is told the path of a file, what it was and what it is.
type Tell<'f> = dyn FnMut(&[u8], Option<Entry<'_>>, Option<Entry<'_>>) + 'f;

/// Most bytes of trees that are kept for the next comparison. Neighbours in history share nearly all of theirs.
const KEPT_BYTES: usize = 4 << 20;

/// Reads trees, and keeps those that were read last.
pub(super) struct Trees<'r> {
    reader: &'r Reader,
    young: HashMap<Oid, Rc<[u8]>>,
    old: HashMap<Oid, Rc<[u8]>>,
    young_bytes: usize,
}

/// Two directories that are to be compared.
struct Pair {
    /// Their path, with `/` at its end.
    dir: Vec<u8>,
    depth: usize,
    /// The node of the paths that are wanted; `None` if all are.
    node: Option<usize>,
    old: Option<Oid>,
    new: Option<Oid>,
}

impl<'r> Trees<'r> {
    pub(super) fn new(reader: &'r Reader) -> Self {
        Trees { reader, young: HashMap::new(), old: HashMap::new(), young_bytes: 0 }
    }

    /// The bytes of a tree; of one that is not there none.
    fn read(&mut self, id: Option<Oid>) -> Result<Option<Rc<[u8]>>, SourceError> {
        let Some(id) = id else { return Ok(None) };
        if let Some(known) = self.young.get(&id) {
            return Ok(Some(known.clone()));
        }
        let tree = match self.old.remove(&id) {
            Some(known) => known,
            None => tree::read(self.reader, id)?.into(),
        };
        self.young_bytes += tree.len();
        if self.young_bytes > KEPT_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = tree.len();
        }
        self.young.insert(id, tree.clone());
        Ok(Some(tree))
    }

    /// How tree `new` differs from tree `old` in `paths`, in the order of git's trees. A tree that is not there is empty.
    pub(super) fn differences(
        &mut self,
        old: Option<Oid>,
        new: Option<Oid>,
        paths: &Paths,
    ) -> Result<Vec<Difference>, SourceError> {
        let mut found = Vec::new();
        self.compare(old, new, paths, &mut |path, old, new| {
            let side = |entry: Option<Entry<'_>>| entry.and_then(|entry| Some((entry.kind?, entry.id)));
            found.push(Difference { path: path.to_vec(), old: side(old), new: side(new) });
        })?;
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// Tell the paths of all files that came or went between two trees.
    pub(super) fn comings_and_goings(
        &mut self,
        old: Option<Oid>,
        new: Option<Oid>,
        tell: &mut dyn FnMut(&[u8]),
    ) -> Result<(), SourceError> {
        self.compare(old, new, &Paths::all(), &mut |path, old, new| {
            if old.is_none() || new.is_none() {
                tell(path);
            }
        })
    }

    /// Tell each file of `paths` in which two trees differ, with what it is in both.
    fn compare(
        &mut self,
        old: Option<Oid>,
        new: Option<Oid>,
        paths: &Paths,
        tell: &mut Tell<'_>,
    ) -> Result<(), SourceError> {
        let node = if paths.nodes[0].is_wanted { None } else { Some(0) };
        let mut open = vec![Pair { dir: Vec::new(), depth: 0, node, old, new }];
        let mut count = 0;
        while let Some(pair) = open.pop() {
            if pair.old == pair.new {
                continue;
            }
            if pair.depth > tree::MAX_DEPTH {
                return Err(tree::too_deep());
            }
            let (old, new) = (self.read(pair.old)?, self.read(pair.new)?);
            let mut path = pair.dir.clone();
            let (old, new) = (old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default());
            each_difference(old, new, |old, new| {
                let Some(name) = old.as_ref().or(new.as_ref()).map(|entry| entry.name) else { return Ok(()) };
                let node = match paths.below(pair.node, name) {
                    Wanted::Nothing => return Ok(()),
                    Wanted::All => None,
                    Wanted::Below(node) => Some(node),
                };
                count += weight(pair.dir.len() + name.len());
                if count > MAX_UNFOLDED {
                    return Err(tree::bomb());
                }
                path.truncate(pair.dir.len());
                path.extend_from_slice(name);
                // Entries that are compared are both directories or neither is.
                if old.iter().chain(&new).any(|entry| entry.kind.is_none()) {
                    let (old, new) = (old.map(|entry| entry.id), new.map(|entry| entry.id));
                    let dir = [&path, &b"/"[..]].concat();
                    open.push(Pair { dir, depth: pair.depth + 1, node, old, new });
                } else if node.is_none() {
                    tell(&path, old, new);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Tell the entries in which two trees differ: of the same name and both directories or neither, or one of them alone.
fn each_difference<'t>(
    old: &'t [u8],
    new: &'t [u8],
    mut tell: impl FnMut(Option<Entry<'t>>, Option<Entry<'t>>) -> Result<(), SourceError>,
) -> Result<(), SourceError> {
    let (mut old_at, mut new_at) = (0, 0);
    loop {
        let mut same = common_prefix(&old[old_at..], &new[new_at..]);
        if same == old.len() - old_at && same == new.len() - new_at {
            return Ok(());
        }
        // Most entries are the same in both, byte for byte, and are only stepped over.
        loop {
            let (start, mut next) = (old_at, old_at);
            if tree::next_entry(old, &mut next)?.is_none() || next - start > same {
                break;
            }
            (old_at, new_at, same) = (next, new_at + next - start, same - (next - start));
        }
        let (old_start, new_start) = (old_at, new_at);
        let before = tree::next_entry(old, &mut old_at)?;
        let after = tree::next_entry(new, &mut new_at)?;
        let order = match (&before, &after) {
            (None, None) => return Ok(()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(before), Some(after)) => tree::order(sorted_as(before), sorted_as(after)),
        };
        match order {
            Ordering::Less => {
                new_at = new_start;
                tell(before, None)?;
            }
            Ordering::Greater => {
                old_at = old_start;
                tell(None, after)?;
            }
            Ordering::Equal => tell(before, after)?,
        }
    }
}

/// What an entry's place in its tree depends on.
fn sorted_as<'t>(entry: &Entry<'t>) -> (&'t [u8], bool) {
    (entry.name, entry.kind.is_none())
}

/// How many bytes two texts have in common at their beginning.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let same = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    same + one[same..].iter().zip(&other[same..]).take_while(|(one, other)| one == other).count()
}

/// Most vanished files of one content that are looked at for one of the same name; the number is git's.
const ALTERNATIVES: usize = 100;

/// For each path that vanished in a commit, the one that came with the same content, as `git diff -M100%` pairs them: each
/// source goes to one target, one of the same name if there is one. Both are places in `changes`.
pub(super) fn exact_renames(changes: &[Difference]) -> BTreeMap<usize, usize> {
    let mut sources: HashMap<(bool, Oid), VecDeque<usize>> = HashMap::new();
    let is_plain = |kind: EntryKind| kind == EntryKind::File;
    for (index, change) in changes.iter().enumerate() {
        if let (Some((kind, id)), None) = (change.old, change.new) {
            sources.entry((is_plain(kind), id)).or_default().push_back(index);
        }
    }
    let mut renames = BTreeMap::new();
    for (target, change) in changes.iter().enumerate() {
        let (None, Some((kind, id))) = (change.old, change.new) else { continue };
        let Some(free) = sources.get_mut(&(is_plain(kind), id)) else { continue };
        let name = crate::base::path::file_name(&change.path);
        let is_same = |&source: &usize| crate::base::path::file_name(&changes[source].path) == name;
        let best = free.iter().take(ALTERNATIVES).position(is_same).unwrap_or(0);
        renames.extend(free.remove(best).map(|source| (source, target)));
    }
    renames
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(byte: u8) -> Oid {
        Oid::from_bytes(&[byte; 20]).expect("an id")
    }

    /// A tree of entries in the order given; a name that ends with `/` is a directory.
    fn tree(entries: &[(&str, u8)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, byte) in entries {
            let mode = if name.ends_with('/') { "40000" } else { "100644" };
            bytes.extend(format!("{mode} {}\0", name.trim_end_matches('/')).as_bytes());
            bytes.extend([*byte; 20]);
        }
        bytes
    }

    fn differing(old: &[(&str, u8)], new: &[(&str, u8)]) -> Vec<String> {
        let (old, new) = (tree(old), tree(new));
        let mut found = Vec::new();
        let side =
            |entry: Option<&Entry<'_>>| entry.map_or("-".to_owned(), |entry| entry.id.to_string()[..2].to_owned());
        each_difference(&old, &new, |old, new| {
            let name = old.as_ref().or(new.as_ref()).map(|entry| entry.name.escape_ascii().to_string());
            found.push(format!("{} {} {}", name.expect("one side"), side(old.as_ref()), side(new.as_ref())));
            Ok(())
        })
        .expect("valid trees");
        found
    }

    #[test]
    fn entries_are_paired_in_the_order_of_trees() {
        // Git sorts `a` (a directory) behind `a.b` and before `a0`.
        let old = [("a.b", 1), ("a/", 2), ("a0", 3), ("b", 4)];
        assert_eq!(differing(&old, &old), [""; 0]);
        assert_eq!(differing(&old, &[("a.b", 1), ("a/", 9), ("b", 4)]), ["a 02 09", "a0 03 -"]);
        // A file takes a directory's place: two entries, not one that changed.
        assert_eq!(differing(&[("a", 1), ("a.b", 2)], &[("a.b", 2), ("a/", 3)]), ["a 01 -", "a - 03"]);
        assert_eq!(differing(&[], &[("x", 1), ("xy", 2)]), ["x - 01", "xy - 02"]);
        assert_eq!(differing(&[("x/", 1)], &[("x-y", 2), ("x/", 1)]), ["x-y - 02"]);
    }

    #[test]
    fn only_wanted_paths_lead_anywhere() {
        let wanted: Vec<Vec<u8>> = ["a/b", "c", "a/b/c"].map(|path| path.as_bytes().to_vec()).to_vec();
        let paths = Paths::new(&wanted);
        let Wanted::Below(a) = paths.below(Some(0), b"a") else { panic!("a leads on") };
        assert!(matches!(paths.below(Some(a), b"b"), Wanted::All));
        assert!(matches!(paths.below(Some(a), b"c"), Wanted::Nothing));
        assert!(matches!(paths.below(Some(0), b"c"), Wanted::All));
        assert!(matches!(paths.below(None, b"anything"), Wanted::All));
    }

    #[test]
    fn the_same_content_is_a_rename_and_the_same_name_is_preferred() {
        let gone =
            |path: &str, byte| Difference { path: path.into(), old: Some((EntryKind::File, id(byte))), new: None };
        let came =
            |path: &str, byte| Difference { path: path.into(), old: None, new: Some((EntryKind::File, id(byte))) };
        let changes = [gone("a", 1), gone("b", 1), gone("c", 2), came("d/b", 1), came("e", 1), came("f", 3)];
        assert_eq!(exact_renames(&changes), BTreeMap::from([(1, 3), (0, 4)]));
        let link = Difference { new: Some((EntryKind::Symlink, id(2))), ..came("g", 2) };
        assert!(exact_renames(&[gone("c", 2), link]).is_empty(), "a link is no file");
    }
}
