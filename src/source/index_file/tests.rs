//! Index files of git, whole and damaged.

use super::*;
use crate::source::EntryKind;

const EXTENDED: u16 = 0x4000;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// An index of version 2 or 3 with entries (path, mode, flags, extended flags).
fn index(entries: &[(&str, u32, u16, u16)], extension: &[u8]) -> Vec<u8> {
    let mut bytes = b"DIRC".to_vec();
    bytes.extend(3u32.to_be_bytes());
    bytes.extend((entries.len() as u32).to_be_bytes());
    for (number, &(path, mode, flags, extended)) in entries.iter().enumerate() {
        let start = bytes.len();
        bytes.extend([0; 24]);
        bytes.extend(mode.to_be_bytes());
        bytes.extend([0; 12]);
        bytes.extend([number as u8; ID]);
        let flags = flags | path.len().min(0xfff) as u16 | if extended == 0 { 0 } else { EXTENDED };
        bytes.extend(flags.to_be_bytes());
        if extended != 0 {
            bytes.extend(extended.to_be_bytes());
        }
        bytes.extend(path.as_bytes());
        let padding = 8 - (bytes.len() - start) % 8;
        bytes.extend(vec![0; padding]);
    }
    bytes.extend(extension);
    bytes.extend([0; ID]);
    bytes
}

fn parse(bytes: Vec<u8>) -> Result<GitIndex, IndexError> {
    let whole = read(&bytes[..], bytes.len() as u64);
    // Any number of bytes at a time comes to the same.
    let single = read(OneByOne(&bytes), bytes.len() as u64);
    assert_eq!(format!("{whole:?}"), format!("{single:?}"));
    whole
}

struct OneByOne<'b>(&'b [u8]);

impl Read for OneByOne<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(1);
        self.0.read(&mut buffer[..count])
    }
}

const FILE: u32 = 0o100_644;
const OURS: u16 = 2 << 12;
const THEIRS: u16 = 3 << 12;
const BASE: u16 = 1 << 12;

fn paths(paths: &[RepoPath]) -> Vec<&str> {
    paths.iter().filter_map(RepoPath::to_str).collect()
}

fn id(index: &GitIndex, path: &str) -> Option<u8> {
    index.staged.blob(path.as_bytes()).map(|(blob, _)| blob[0])
}

#[test]
fn kinds_and_flags() {
    let long = "x".repeat(5000);
    let entries = [
        ("a", FILE, 0, 0),
        ("b", FILE, 0, INTENT_TO_ADD),
        ("c", 0o120_000, 0, 0),
        ("d", 0o160_000, 0, 0),
        ("e", 0o100_755, 0, SKIP_WORKTREE),
        (&long, FILE, 0, 0),
    ];
    let index = parse(index(&entries, b"TREE\0\0\0\x02ab")).expect("valid");
    assert_eq!(index.executable, [3]);
    let listed: Vec<_> = index.staged.listing.iter().map(|entry| (entry.path.len(), entry.kind)).collect();
    let expected = [
        (1, EntryKind::File),
        (1, EntryKind::Symlink),
        (1, EntryKind::Submodule),
        (1, EntryKind::File),
        (5000, EntryKind::File),
    ];
    assert_eq!(listed, expected);
    assert_eq!(id(&index, "e"), Some(4));
    assert_eq!(paths(&index.without_content), ["b"]);
    assert_eq!(paths(&index.skipped), ["e"]);
}

#[test]
fn of_an_unmerged_path_our_side_counts() {
    let entries = [
        ("both", FILE, BASE, 0),
        ("both", FILE, OURS, 0),
        ("both", FILE, THEIRS, 0),
        ("gone", FILE, BASE, 0),
        ("theirs", FILE, BASE, 0),
        ("theirs", FILE, THEIRS, 0),
    ];
    let index = parse(index(&entries, b"")).expect("valid");
    assert_eq!(paths(&index.unmerged), ["both", "gone", "theirs"]);
    assert_eq!(paths(&index.without_content), ["gone"]);
    assert_eq!(id(&index, "both"), Some(1));
    assert_eq!(id(&index, "theirs"), Some(5));
    assert_eq!(index.staged.listing.len(), 2);
}

#[test]
fn the_tree_is_known_where_nothing_was_staged_since() {
    let tree = |body: &[u8]| {
        let head = [b"TREE", &(body.len() as u32).to_be_bytes()[..]].concat();
        let extensions = [&head, body, b"REUC\0\0\0\x01x"].concat();
        parse(index(&[("a", FILE, 0, 0)], &extensions)).expect("valid").tree
    };
    assert_eq!(tree(&[b"\x001 0\n", &[7; ID][..]].concat()), Some(vec![7; ID]));
    assert_eq!(tree(&[b"\x001 1\n", &[7; ID][..], b"d\x00-1 0\n"].concat()), Some(vec![7; ID]));
    assert_eq!(tree(b"\x00-1 0\n"), None);
    assert_eq!(tree(&[b"\x00-1 1\nd\x001 0\n", &[7; ID][..]].concat()), None);
    assert_eq!(tree(b""), None);
}

/// The same entries as an index of version 4.
fn compressed(paths: &[&str]) -> Vec<u8> {
    let mut bytes = [&b"DIRC\0\0\0\x04"[..], &(paths.len() as u32).to_be_bytes()].concat();
    let mut previous = "";
    for (number, path) in paths.iter().enumerate() {
        let kept = previous.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
        let mut dropped = previous.len() - kept;
        let mut number_bytes = vec![(dropped & 127) as u8];
        while dropped > 127 {
            dropped = (dropped >> 7) - 1;
            number_bytes.insert(0, 128 | (dropped & 127) as u8);
        }
        bytes.extend([0; 24]);
        bytes.extend(FILE.to_be_bytes());
        bytes.extend([0; 12]);
        bytes.extend([number as u8; ID]);
        bytes.extend((path.len().min(0xfff) as u16).to_be_bytes());
        bytes.extend(number_bytes);
        bytes.extend(&path.as_bytes()[kept..]);
        bytes.push(0);
        previous = path;
    }
    bytes.extend([0; ID]);
    bytes
}

#[test]
fn a_tree_is_looked_for_behind_the_entries() {
    let extension = [&b"TREE\0\0\0\x19\x001 0\n"[..], &[7; ID]].concat();
    let long = "x".repeat(1 << 19);
    for path in ["a", &long] {
        let bytes = index(&[(path, FILE, 0, 0)], &extension);
        let may_hold = |tree: u8| may_hold_tree(std::io::Cursor::new(&bytes), bytes.len() as u64, &[tree; ID]);
        assert!(may_hold(7) && !may_hold(8));
        assert_eq!(read(&bytes[..], bytes.len() as u64).expect("valid").tree, Some(vec![7; ID]));
    }
    assert!(!may_hold_tree(std::io::Cursor::new(b""), 0, &[7; ID]));
}

#[test]
fn compressed_paths_are_the_same_paths() {
    let long = format!("m/{}/x.md", "y".repeat(5000));
    let longest = format!("m/{}", "z".repeat(BLOCK));
    let paths =
        ["a", "a.md", "a/.x/b", "a/b/c", "a/b/d.md", "a/bc", "b.d/e", &long, &longest, "n/o/p", "n/o/q.rs", "r"];
    let entries = paths.map(|path| (path, FILE, 0, 0));
    let (plain, compressed) = (read(&index(&entries, b"")[..], 1 << 20), read(&compressed(&paths)[..], 1 << 20));
    let (plain, compressed) = (plain.expect("valid"), compressed.expect("valid"));
    let by_letters = crate::source::Listing::of_files(paths);
    let list = |listing: &crate::source::Listing| -> Vec<Vec<u8>> {
        listing.iter().chain(listing.marked()).map(|entry| entry.path.to_vec()).collect()
    };
    for (which, index) in [("plain", &plain), ("compressed", &compressed)] {
        assert!(list(&index.staged.listing) == list(&by_letters), "{which}");
        assert_eq!(id(index, "n/o/q.rs"), Some(10), "{which}");
    }
}

#[test]
fn paths_that_no_worktree_holds_are_left_out() {
    let entries = [("a/b/x", FILE, 0, 0), ("a/b/../y", FILE, 0, 0), ("a/b/z", FILE, 0, 0), ("a/c", FILE, 0, 0)];
    let mut sorted = entries;
    sorted.sort();
    let index = parse(index(&sorted, b"")).expect("valid");
    let listed: Vec<_> = index.staged.listing.iter().map(|entry| entry.path.to_vec()).collect();
    assert_eq!(listed, [&b"a/b/x"[..], b"a/b/z", b"a/c"]);
}

#[test]
fn what_is_not_read_here_is_named() {
    let one = [("a", FILE, 0, 0)];
    assert_eq!(parse(index(&one, b"link\0\0\0\0")).unwrap_err(), IndexError::Unsupported("split"));
    assert_eq!(parse(index(&one, b"sdir\0\0\0\0")).unwrap_err(), IndexError::Unsupported("sparse"));
    assert_eq!(parse(index(&[("a/", 0o040_000, 0, 0)], b"")).unwrap_err(), IndexError::Unsupported("sparse"));
    assert!(matches!(parse(index(&one, b"TREE\xff\0\0\0")), Err(IndexError::Corrupt(_))));
    assert!(matches!(parse(index(&[("b", FILE, 0, 0), ("a", FILE, 0, 0)], b"")), Err(IndexError::Corrupt(_))));
    assert!(matches!(parse(index(&[("a", FILE, 0, 0), ("a", FILE, 0, 0)], b"")), Err(IndexError::Corrupt(_))));
    assert!(matches!(parse(b"<<<<<<< HEAD of something that is no index".to_vec()), Err(IndexError::Corrupt(_))));
}

#[test]
fn cut_anywhere_it_is_corrupt_and_nothing_panics() {
    let whole = index(&[("a", FILE, 0, 0), ("dir/b", FILE, OURS, 0), ("e", FILE, 0, SKIP_WORKTREE)], b"");
    for version in 2..=5u8 {
        let mut bytes = whole.clone();
        bytes[7] = version;
        for length in 0..bytes.len() {
            let _ = parse(bytes[..length].to_vec());
            assert!(version == 4 || parse(bytes[..length].to_vec()).is_err(), "{version} {length}");
        }
    }
}
