//! What stands around a number that is a bound, or counts something. Text in, answer out.

/// What may stand between a name and its number, and makes the number a bound.
pub(super) const BOUNDS: [&str; 4] = [">= ", ">=", "≥ ", "≥"];

/// What stands behind a number that is needed at least.
const AND_UP: [&str; 8] =
    ["+", " or above", " or higher", " or later", " or newer", " and above", " and later", " and up"];

/// Whether a number is a bound from below, and nothing else follows it.
pub(super) fn ends_bound(behind: &str) -> bool {
    let behind = behind.trim_start_matches(['*', '`']);
    let rest = AND_UP.iter().find_map(|words| behind.strip_prefix(words));
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/'))
}

/// Whether what stands behind a number in brackets is no thing that it counts: `(14 App Router)`, `(18 or later)`.
pub(super) fn goes_on_in_brackets(behind: &str) -> bool {
    let word = behind.trim_start().split([' ', ')']).next().unwrap_or_default();
    word.starts_with(|c: char| c.is_uppercase() || !c.is_alphanumeric()) || matches!(word, "and" | "or" | "with")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_counts_are_told_from_versions() {
        for behind in ["+", "+, pnpm", " or later", "** and above", "+)"] {
            assert!(ends_bound(behind), "{behind}");
        }
        for behind in ["", "/19", "+x", " orlater", " App Router"] {
            assert!(!ends_bound(behind), "{behind}");
        }
        assert!(goes_on_in_brackets(" App Router)") && goes_on_in_brackets(" or later)"));
        assert!(!goes_on_in_brackets(" test files)"));
    }
}
