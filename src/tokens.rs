//! How many tokens a text has for a model: an estimate, called so wherever it is shown.

/// What [`count`] gives: `about` for an estimate.
pub const WORD: &str = "about ";

/// Whether [`count`] is an estimate.
pub const ESTIMATED: bool = true;

/// The number of tokens: four bytes each, rounded up.
pub fn count(text: &[u8]) -> usize {
    crate::context::estimate_tokens(text.len())
}
