//! What a text sends its reader to a path for. Text in, text out.

/// A sentence without the examples for which its path is to be read: "see `a` for more examples" sends the reader there.
pub(super) fn without_purpose(sentence: &str) -> String {
    let found = ["x/` for ", "x` for ", "x for "].iter().find_map(|mark| sentence.split_once(mark));
    let Some((before, rest)) = found else { return sentence.to_owned() };
    let mut words = rest.split_inclusive(' ').take(MAX_PURPOSE);
    let is_named = |word: &str| word.trim_end_matches(|c: char| !c.is_alphanumeric()).starts_with("example");
    let mut end = 0;
    let is_purpose = words.any(|word| {
        end += word.len();
        is_named(word)
    });
    if is_purpose { format!("{before}x` {}", &rest[end..]) } else { sentence.to_owned() }
}

/// Words of what a path is to be read for, up to its examples, at most.
const MAX_PURPOSE: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_for_which_a_page_is_read_are_no_hedge() {
        for (sentence, bare) in [
            ("see `x` for examples", "see `x` "),
            ("see `x` for full template examples.", "see `x` "),
            ("see x for usage examples of both", "see x` of both"),
            ("see `x` for the rules", "see `x` for the rules"),
            ("`x` is an example", "`x` is an example"),
            ("see `x` for what all of those many examples say", "see `x` for what all of those many examples say"),
        ] {
            assert_eq!(without_purpose(sentence), bare);
        }
    }
}
