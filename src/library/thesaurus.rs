//! Words of software work that stand for each other: abbreviations for what they shorten, and near synonyms. Data alone.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::stem;

/// Groups of words, one a line.
const GROUPS: &str = include_str!("thesaurus.txt");

static NEIGHBOURS: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut neighbours: HashMap<String, Vec<String>> = HashMap::new();
    for line in GROUPS.lines().filter(|line| !line.starts_with('#')) {
        let stems: Vec<String> =
            line.split_whitespace().map(|word| stem(&word.replace('-', "")).into_owned()).collect();
        for one in &stems {
            let list = neighbours.entry(one.clone()).or_default();
            for other in stems.iter().filter(|other| *other != one) {
                if !list.contains(other) {
                    list.push(other.clone());
                }
            }
        }
    }
    neighbours
});

/// What may stand for the word of this stem, by stem.
pub(super) fn of(stem: &str) -> impl Iterator<Item = &'static str> {
    NEIGHBOURS.get(stem).into_iter().flatten().map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_two_parts_stand_as_texts_have_them() {
        assert!(of("ci").any(|word| word == stem("continuousintegration")));
        assert!(of(&stem("databases")).any(|word| word == "db"));
        assert_eq!(of("sourdough").count(), 0);
    }
}
