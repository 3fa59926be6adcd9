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

#[test]
fn directories_come_with_the_files_that_follow_each_other() {
    let listing = Listing::of_files(["a.md", "a/b", "a/c/d", "a/c/e", "a/f", "b/c.md", "ba/c"]);
    let runs: Vec<(&[u8], std::ops::Range<usize>)> = listing.runs().collect();
    let expected: [(&[u8], std::ops::Range<usize>); 6] =
        [(b"", 0..1), (b"a/", 1..2), (b"a/c/", 2..4), (b"a/", 4..5), (b"b/", 5..6), (b"ba/", 6..7)];
    assert_eq!(runs, expected);
    assert_eq!(Listing::default().runs().count(), 0);
}

#[test]
fn a_name_is_found_whatever_its_length_and_case() {
    let names: Vec<String> = (1..40).map(|length| "aBcDeFgHiJkL".repeat(4)[..length].to_owned()).collect();
    let listing = Listing::of_files(names.iter().map(|name| format!("x/{name}")));
    let at = |name: &str| listing.index_of(format!("x/{name}").as_bytes());
    let before: Vec<Option<usize>> = names.iter().map(|name| at(name)).collect();
    listing.prepare();
    assert_eq!(names.iter().map(|name| at(name)).collect::<Vec<_>>(), before);
    assert!(before.iter().all(Option::is_some) && at("aBcE").is_none() && listing.index_of(b"").is_none());
    for name in &names {
        let found = listing.with_name_in_any_case(name.to_uppercase().as_bytes());
        assert_eq!(found, [format!("x/{name}").as_bytes()], "{name}");
        assert_eq!(listing.with_name(name.as_bytes()).len(), 1, "{name}");
    }
}
