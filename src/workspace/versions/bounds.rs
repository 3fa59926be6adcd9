//! What stands around a number that is a bound, one of several, or counts something. Text in, answer out.

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

/// What follows a number that is a bound, one of several, part of a lesson, or that of a library for it.
const GOES_ON: [&str; 21] = [
    "+",
    "/",
    "-",
    "–",
    "x",
    " or ",
    " and above",
    " and later",
    " and newer",
    " and up",
    " to ",
    " syntax",
    " feature",
    " style",
    " – ",
    " api",
    " wrapper",
    " client",
    " driver",
    " library",
    " sdk",
];

/// The same in scripts without blanks.
const GOES_ON_CLOSE: [&str; 6] = ["以上", "以降", "及以上", "이상", "以后", "之后"];

/// Whether the version ends with its number.
pub(super) fn is_whole(behind: &str) -> bool {
    let behind = behind.trim_start_matches(['*', '`', ')']).to_lowercase();
    // `Go 1.23 iter.Seq`: since when something is there.
    let next = behind.strip_prefix(' ').and_then(|rest| rest.split([' ', '`', ',', ')']).next()).unwrap_or_default();
    let is_of_a_library = next
        .split_once('.')
        .is_some_and(|(one, two)| [one, two].iter().all(|part| part.starts_with(char::is_alphabetic)));
    let close = behind.trim_start();
    !is_of_a_library
        && !behind.starts_with(char::is_alphanumeric)
        && !GOES_ON.iter().any(|word| behind.starts_with(word))
        && !GOES_ON_CLOSE.iter().any(|word| close.starts_with(word))
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
