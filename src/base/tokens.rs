//! How many tokens a text has for a model. With the feature `tokens` they are counted by the o200k vocabulary, which is embedded;
//! without it the number is an estimate, and called so wherever it is shown.

/// What stands before a number: `about ` for an estimate.
pub(crate) const WORD: &str = if ESTIMATED { "about " } else { "" };

/// Whether [`count`] is an estimate.
pub(crate) const ESTIMATED: bool = cfg!(not(feature = "tokens"));

/// The number of tokens in `text`. What is not UTF-8 in it counts as replacement characters.
#[cfg(feature = "tokens")]
pub fn count(text: &[u8]) -> usize {
    bpe_openai::o200k_base().count(&*String::from_utf8_lossy(text))
}

/// The number of tokens in `text`, estimated.
#[cfg(not(feature = "tokens"))]
pub fn count(text: &[u8]) -> usize {
    estimate(text.len())
}

/// An estimate of the tokens in `bytes` bytes of text: four bytes each, rounded up.
pub(crate) fn estimate(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_they_are_called() {
        assert_eq!(count(b""), 0);
        assert_eq!(count(b"hello world"), if ESTIMATED { 3 } else { 2 });
        assert_eq!(WORD.is_empty(), !ESTIMATED);
    }
}
