//! How deep the brackets of a YAML text nest: asked before a reader whose time grows with the square of that.

use granit_parser::{ErrorKind, Parser, options};

/// So many opening brackets are too many in a text that cannot be read to its end.
const MAX_UNREAD: usize = 1000;

/// Whether lists and maps in brackets nest deeper than `depth`, or may do so in a text that cannot be read.
pub(crate) fn nests_deeper_than(yaml: &str, depth: usize) -> bool {
    let opening = memchr::memchr2_iter(b'[', b'{', yaml.as_bytes()).count();
    if opening <= depth {
        return false;
    }
    let options = options! { flow_nesting_limit: depth, max_buffered_comment_events: usize::MAX };
    match Parser::new_from_str_with_options(yaml, options).find_map(Result::err) {
        None => false,
        Some(error) => matches!(error.kind(), ErrorKind::RecursionLimitExceeded) || opening > MAX_UNREAD,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_and_number_does_not() {
        let flat = format!("a: [{}]", "[x], ".repeat(2000));
        assert!(!nests_deeper_than(&flat, 8));
        let nested = |depth: usize| format!("a: {}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(!nests_deeper_than(&nested(8), 8));
        assert!(nests_deeper_than(&nested(9), 8));
        assert!(nests_deeper_than(&"{a: ".repeat(9), 8));
    }

    #[test]
    fn what_cannot_be_read_is_told_by_its_brackets() {
        assert!(nests_deeper_than(&format!("a: 'b' c\n{}", "[".repeat(1001)), 8));
        assert!(!nests_deeper_than(&format!("a: 'b' c\n{}", "[".repeat(1000)), 8));
    }
}
