//! The words by which texts name agents.

use super::every;

/// Whether the word, in lower case, names an agent and nothing else.
pub(crate) fn is_agent_name(word: &str) -> bool {
    every(|files| files.words).any(|known| *known == word)
}

/// Whether the word, in lower case, is one that texts for one agent have and the same texts for another have not.
pub(crate) fn is_agent_word(word: &str) -> bool {
    every(|files| files.file_words).any(|known| *known == word)
}
