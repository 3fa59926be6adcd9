//! Which script, target or task was probably meant by a name that nothing defines. Knows names alone.

use crate::base::text::edit_distance;

/// Shortest word, in bytes, that may be a slip for another.
const MIN_SLIP: usize = 4;
/// Bytes of a word for each letter beyond the first one that may be wrong in it.
const FOR_EACH_SLIP: usize = 8;

/// The one of `names` that `name` was probably meant to be.
pub(super) fn suggestion<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting = names.clone().filter(|other| fits(other));
        fitting.next().filter(|first| fitting.all(|other| other == *first))
    };
    let swapped = only(&|other| is_swapped(name, other));
    swapped.or_else(|| slip(name, names.clone())).or_else(|| only(&|other| ends_with_word(other, name)))
}

/// The one of `names` that was probably written wrongly as `name`.
pub(super) fn slip<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    names.filter_map(|other| Some((distance(name, other)?, other))).min().map(|(_, other)| other)
}

/// How many letters differ between two names, if that may be a slip: each of their words by itself, where both have as many.
fn distance(name: &str, other: &str) -> Option<usize> {
    let (name, other) = (name.to_lowercase().replace('_', "-"), other.replace('_', "-"));
    let far = |a: &str, b: &str| {
        let far = edit_distance(a, b);
        // A letter that lacks, or is too much: in a word of two letters, only at the end.
        let is_cut = a.len() > 2 && a.len() != b.len() || a.starts_with(b) || b.starts_with(a);
        (far == 0 || far == 1 && is_cut || a.len() >= MIN_SLIP && far <= 1 + a.len() / FOR_EACH_SLIP).then_some(far)
    };
    let words = |name: &str| name.split([':', '-']).map(str::to_owned).collect::<Vec<_>>();
    let (words, others) = (words(&name), words(&other));
    match words.len() == others.len() {
        true => words.iter().zip(&others).map(|(a, b)| far(a, b)).sum(),
        false => Some(edit_distance(&name, &other)).filter(|far| *far == 1 && name.len() > MIN_SLIP),
    }
}

/// Whether `other` is the word `name` with one more before it: `test:e2e` for `e2e`. A short word ends by chance.
fn ends_with_word(other: &str, name: &str) -> bool {
    let before = other.strip_suffix(name).and_then(|before| before.strip_suffix([':', '-']));
    name.len() > 2 && before.is_some_and(|before| !before.is_empty() && !before.contains([':', '-']))
}

/// Whether both names have the same two words, in one order or the other: `types:check` and `check-types`, `typecheck`.
fn is_swapped(name: &str, other: &str) -> bool {
    let words = |name: &str| {
        let words = name.split([':', '-', '_']).map(|word| word.trim_end_matches('s').to_owned());
        words.collect::<Vec<_>>()
    };
    let whole = words(name).concat();
    match &*words(other) {
        [first, second] => {
            !first.is_empty() && (whole == format!("{first}{second}") || whole == format!("{second}{first}"))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{slip, suggestion};

    #[test]
    fn names_are_suggested_that_share_words() {
        let names = ["test:e2e", "test:ui", "check-types", "build:web", "lint:web", "replayio", "fix-lint", "install"];
        let of = |name: &str| suggestion(name, names.into_iter());
        assert_eq!(of("e2e"), Some("test:e2e"));
        assert_eq!(of("typecheck"), Some("check-types"));
        assert_eq!(of("type-check"), Some("check-types"));
        assert_eq!(of("lint:fix"), Some("fix-lint"));
        assert_eq!(of("check-typs"), Some("check-types"));
        assert_eq!(slip("lnt", ["lint", "list"].into_iter()), Some("lint"));
        assert_eq!(slip("ci", ["cli"].into_iter()), None);
        for name in ["web", "test:unit", "test:safe", "test-all", "replay", "io", "build", "test", "app"] {
            assert_eq!(of(name), None, "{name}");
        }
        assert_eq!(slip("pytest", ["test"].into_iter()), None);
    }
}
