//! The cache file: it is read as it was written, a damaged or foreign one does no harm, and its size has a limit.

use proptest::prelude::*;

use super::lost::{LossKind, LostPath};
use super::*;

const KEY: [u8; 20] = [7; 20];

fn commit(cache: &mut Cache, time: i64, parents: Vec<u32>, touches: Vec<Touch>) {
    let number = cache.commits.len() as u32;
    let id = [[0; 16].as_slice(), &number.to_be_bytes()].concat();
    assert!(cache.commits.push(&id, time, parents, touches));
}

fn touch(path: u32, kind: PathEventKind) -> Touch {
    Touch { path, kind }
}

/// `a` is added, renamed to `b` on one side, and lost in a merge.
fn cache() -> Cache {
    let mut cache = Cache::default();
    for path in ["a", "b", "dir/c"] {
        assert!(cache.paths.push(path.as_bytes(), 100));
    }
    commit(&mut cache, 5, vec![], vec![touch(0, PathEventKind::Added), touch(2, PathEventKind::Modified)]);
    commit(&mut cache, 9, vec![0], vec![touch(0, PathEventKind::Deleted), touch(1, PathEventKind::Added)]);
    commit(&mut cache, -7, vec![0], vec![]);
    commit(&mut cache, i64::MAX, vec![1, 2], vec![]);
    assert!(!cache.commits.set_renames(1, vec![Rename { from: 1, to: 0, exact: true }]), "it went the other way");
    assert!(cache.commits.set_renames(1, vec![Rename { from: 0, to: 1, exact: true }]));
    cache.heads = vec![3];
    let loss = LostPath { side: 1, from: b"a".to_vec(), to: b"b".to_vec(), kind: LossKind::Renamed };
    let lost = Lost { examined: 4, merges: [(3, Some(vec![loss])), (2, None)].into() };
    cache.lost.insert(b"a".to_vec(), lost);
    cache
}

#[test]
fn what_is_written_is_read() {
    let cache = cache();
    let bytes = cache.to_bytes(&KEY);
    assert_eq!(Cache::parse(&bytes, &KEY).as_ref(), Some(&cache));
    assert_eq!(Cache::parse(&bytes, &[8; 20]), None, "made for another depth");
    for at in 0..bytes.len() {
        assert_eq!(Cache::parse(&bytes[..at], &KEY), None, "cut at {at}");
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert_eq!(Cache::parse(&damaged, &KEY), None, "damaged at {at}");
    }
    let other = String::from_utf8_lossy(MAGIC_OF_ANOTHER).into_owned();
    assert_eq!(Cache::parse(other.as_bytes(), &KEY), None);
}

const MAGIC_OF_ANOTHER: &[u8] = b"hintlint history 0\n";

#[test]
fn commits_are_ordered_as_git_orders_them() {
    let mut cache = cache();
    assert_eq!(cache.order(3), [3, 1, 2, 0], "the younger parent first, and each before its parents");
    assert_eq!(cache.order(2), [2, 0]);
    cache.keep_only(&[2, 0]);
    assert_eq!((cache.commits.len(), &*cache.heads, cache.commits.get(1).parents), (2, &[1][..], &[0][..]));
    assert!(cache.lost.is_empty());
}

#[test]
fn paths_are_selected_with_what_is_below_them() {
    let mut table = PathTable::default();
    for path in ["a", "a!", "a/b", "a/c/d", "a0", "b"] {
        assert!(table.push(path.as_bytes(), 100));
    }
    assert!(!table.push(b"b", 100) && !table.push(b"a", 100), "paths are sorted and distinct");
    let select = |names: &[&str]| table.select(&names.iter().map(|name| name.as_bytes().to_vec()).collect());
    assert_eq!(select(&["a"]), [true, false, true, true, false, false]);
    assert_eq!(select(&["a/c", "b", "none"]), [false, false, false, true, false, true]);
    assert_eq!((table.find(b"a0"), table.find(b"a1")), (Some(4), None));
}

#[test]
fn a_history_that_does_not_fit_is_not_kept() {
    let mut cache = Cache::default();
    let name = |number: u32| format!("{number:08}{}", "x".repeat(4000));
    for number in 0..2500 {
        assert!(cache.paths.push(name(number).as_bytes(), usize::MAX));
    }
    // Paths are written without what they share; these share nothing.
    let bytes = cache.to_bytes(&KEY);
    assert!(bytes.len() < 100, "{} bytes", bytes.len());
    assert!(Cache::parse(&bytes, &KEY).is_some_and(|cache| cache.is_unfit));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_read_can_be_written(
        bytes in prop::collection::vec(prop_oneof![4 => 0..4_u8, 1 => any::<u8>()], 0..120),
        cut in 0..200_usize,
    ) {
        // Random bytes alone, and after the first part of a whole file.
        let whole = cache().write(&KEY);
        let start = format::sealed(b"", &KEY).len() - 4;
        let cut = (start + cut).min(whole.len() - 4);
        for content in [bytes.clone(), [&whole[start..cut], &bytes].concat()] {
            if let Some(cache) = Cache::parse(&sealed(&content, &KEY), &KEY) {
                for head in 0..cache.commits.len() as u32 {
                    prop_assert!(cache.order(head).len() <= cache.commits.len());
                }
                let again = Cache::parse(&cache.to_bytes(&KEY), &KEY);
                prop_assert_eq!(again, Some(cache));
            }
        }
    }
}
