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

/// Whether a part of `path` is a folder that is an agent's own, such as `.claude`.
pub(crate) fn is_in_agent_folder(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(super::is_agent_folder)
}
