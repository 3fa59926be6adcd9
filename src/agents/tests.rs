//! The tables of all agents.

use super::*;

#[test]
fn tables_are_sorted_dated_and_sourced() {
    let ids: Vec<_> = ids().collect();
    assert!(ids.is_sorted(), "{ids:?}");
    for dialect in ALL {
        assert!(!dialect.evidence.is_empty(), "{dialect:?} names no source");
        for date in std::iter::once(dialect.checked).chain(dialect.evidence.iter().map(|e| e.checked)) {
            assert!(date.len() == 7 && date.as_bytes()[4] == b'-', "{dialect:?}: {date}");
        }
    }
}
