//! What a commit object says of its tree, its parents and its time. Knows git's commit format, and nothing of history.

use git2::Oid;
use gix_object::Kind;

use super::SourceError;
use super::objects::{ObjectError, Objects, Reader};

/// The head of a commit object.
#[derive(Debug)]
pub(super) struct Commit {
    pub(super) tree: Oid,
    pub(super) parents: Vec<Oid>,
    /// When it was committed, in seconds since 1970.
    pub(super) time: i64,
}

/// Read a commit, its bytes into `buffer`.
pub(super) fn read(reader: &Reader, id: Oid, buffer: &mut Vec<u8>) -> Result<Commit, ObjectError> {
    reader.read(id, Kind::Commit, buffer)?;
    parse(buffer).ok_or_else(|| ObjectError::Damaged("it is malformed".to_owned()))
}

/// What is said of a commit that cannot be read.
pub(super) fn unreadable(id: Oid, why: &ObjectError) -> SourceError {
    SourceError::new(format!("commit {id} cannot be read: {why}")).help("run `git fsck`")
}

/// The tree of the commit called `id`.
pub(super) fn tree_of(objects: &Objects, id: &str) -> Result<Oid, SourceError> {
    let id = Oid::from_str(id).map_err(|error| SourceError::new(error.message()))?;
    let commit = objects.with_reader(|reader| read(reader, id, &mut Vec::new()));
    commit.map(|commit| commit.tree).map_err(|why| unreadable(id, &why))
}

/// What a commit object says in its first lines: `tree ID`, any number of `parent ID`, then who made it and when.
fn parse(data: &[u8]) -> Option<Commit> {
    let mut lines = data.split(|&b| b == b'\n');
    // `Oid::from_str` takes a shorter name, too.
    let whole = |name: &&[u8]| name.len() == 40;
    let id = |line: &[u8], word: &[u8]| {
        let name = line.strip_prefix(word).filter(whole)?;
        Oid::from_str(std::str::from_utf8(name).ok()?).ok()
    };
    let tree = id(lines.next()?, b"tree ")?;
    let (mut parents, mut time) = (Vec::new(), 0);
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some(parent) = id(line, b"parent ") {
            parents.push(parent);
        } else if let Some(committer) = line.strip_prefix(b"committer ") {
            // Git takes a time that makes no sense for the beginning of time.
            time = committed(committer).unwrap_or(0);
            break;
        }
    }
    Some(Commit { tree, parents, time })
}

/// The time of `NAME <MAIL> SECONDS ZONE`.
fn committed(who: &[u8]) -> Option<i64> {
    let end = memchr::memrchr(b'>', who)?;
    let time = std::str::from_utf8(&who[end + 1..]).ok()?;
    time.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_commit_is_read_and_its_message_is_not() {
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let text = format!(
            "tree {one}\nparent {two}\nparent {one}\nauthor A > <a> 5 +0000\ncommitter B <b> 17 -0100\n\nparent {one}\n"
        );
        let commit = parse(text.as_bytes()).expect("a commit");
        assert_eq!((commit.tree.to_string(), commit.parents.len(), commit.time), (one.clone(), 2, 17));
        for broken in [String::new(), "tree 12".to_owned(), format!("parent {one}\n")] {
            assert!(parse(broken.as_bytes()).is_none(), "{broken}");
        }
        assert_eq!(parse(format!("tree {one}\ncommitter nobody\n").as_bytes()).map(|commit| commit.time), Some(0));
    }
}
