//! Lists of words in shells: `NAME=(…)` runs nothing, and `"${NAME[@]}"` puts its words into a command.

use std::collections::BTreeMap;

use super::{ShellReader, ShellWord, WordPart, is_assignment};

/// Most lists that are remembered.
const MAX_ARRAYS: usize = 100;
/// Most words of one list.
const MAX_ELEMENTS: usize = 200;

/// The words of lists, by their names.
pub(super) type Arrays = BTreeMap<String, Vec<ShellWord>>;

impl ShellReader<'_> {
    /// Whether `(` behind `word` begins a list.
    pub(super) fn begins_array(word: &ShellWord) -> bool {
        let is_name = |name: &str| is_assignment(&format!("{}=", name.strip_suffix('+').unwrap_or(name)));
        word.literal().is_some_and(|text| text.strip_suffix('=').is_some_and(is_name))
    }

    /// The list that begins here, to its `)`, under the name in `word`.
    pub(super) fn array(&mut self, word: &ShellWord) {
        let text = word.literal().unwrap_or_default();
        let name = text.trim_end_matches('=');
        let mut elements = match name.strip_suffix('+') {
            Some(name) => self.arrays.remove(name).unwrap_or_default(),
            None => Vec::new(),
        };
        self.at += 1;
        while let Some(c) = self.rest().chars().next() {
            match c {
                ')' => {
                    self.at += 1;
                    break;
                }
                '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                '\\' if self.rest().starts_with("\\\n") => self.at += 2,
                c if c.is_whitespace() => self.at += c.len_utf8(),
                _ => {
                    self.words += 1;
                    let element = self.word();
                    if elements.len() < MAX_ELEMENTS {
                        elements.push(element);
                    }
                }
            }
        }
        if self.arrays.len() < MAX_ARRAYS {
            self.arrays.insert(name.trim_end_matches('+').to_owned(), elements);
        }
    }

    /// The words that `word` is, if it is a whole list.
    pub(super) fn elements(&self, word: &ShellWord) -> Option<&Vec<ShellWord>> {
        let is_empty = |part: &&WordPart| matches!(part, WordPart::Text(text) if text.is_empty());
        let mut parts = word.0.iter().filter(|part| !is_empty(part));
        let (Some(WordPart::Variable(name, _)), None) = (parts.next(), parts.next()) else { return None };
        self.arrays.get(name.strip_suffix("[@]").or_else(|| name.strip_suffix("[*]"))?)
    }
}
