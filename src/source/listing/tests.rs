//! Tests of listings.

use super::*;

#[test]
fn marks_what_may_be_a_hint() {
    let paths = ["a.md", ".x/y.rs", "a/.z", "Makefile", "a/package.json", "b.d/LICENSE", "CLAUDE.md/x.c", "a.mdc/b"];
    let listing = Listing::of_files(paths.into_iter().chain(["a.rs", "a/b/c/d.json", "d.md.txt", "e.d/f.c"]));
    let mut marked: Vec<_> = listing.marked().map(|entry| entry.path.to_vec()).collect();
    let mut expected = paths.map(|path| path.as_bytes().to_vec());
    marked.sort();
    expected.sort();
    assert_eq!(marked, expected);
}

#[test]
fn finds_files_and_directories() {
    let listing = Listing::of_files(["b/c/d.md", "a.md", "b-x", "b/A.md"]);
    assert!(listing.contains(b"a.md") && !listing.contains(b"b"));
    assert!(listing.has_dir(b"b") && listing.has_dir(b"b/c") && !listing.has_dir(b"b-x") && listing.has_dir(b""));
    let tricky = Listing::of_files(["a", "a b", "a.md", "a/x", "a/x/y", "a0", "aa/b"]);
    for (dir, expected) in [("a", 3..5), ("a/x", 4..5), ("a ", 2..2), ("aa", 6..7), ("a0", 6..6), ("", 0..7)] {
        let below = tricky.below(dir.as_bytes());
        assert_eq!(tricky.has_dir(dir.as_bytes()), !expected.is_empty(), "{dir}");
        assert!(below == expected || below.is_empty() && expected.is_empty(), "{dir}: {below:?}");
    }
    assert_eq!(listing.children(b"b"), vec![(&b"A.md"[..], Some(EntryKind::File)), (&b"c"[..], None)]);
    assert_eq!(listing.with_name(b"d.md"), vec![&b"b/c/d.md"[..]]);
    assert_eq!(listing.with_name_in_any_case(b"a.md"), vec![&b"a.md"[..], b"b/A.md"]);
    assert_eq!(listing.ignoring_case(b"B/a.MD"), vec![&b"b/A.md"[..]]);
    assert_eq!(listing.children(b"").len(), 3);
    assert!(Listing::default().with_name(b"d.md").is_empty());
}

#[test]
fn what_another_listing_lacks_is_found_in_one_pass() {
    for (paths, others, missing) in [
        (&["a", "a/b", "b", "c"][..], &["a", "b"][..], &[1, 3][..]),
        (&["a", "b"], &["0", "a", "a.b", "b", "c"], &[]),
        (&["a", "b"], &[], &[0, 1]),
        (&[], &["a"], &[]),
    ] {
        assert_eq!(Listing::of_files(paths).missing_from(&Listing::of_files(others)), missing, "{paths:?}");
    }
}
