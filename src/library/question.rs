//! A question taken apart: the things that it asks for, and the words that stand for each. Knows no entries.

use std::collections::HashMap;

use super::go;
use super::signs;
use super::thesaurus;
use super::weights::WordWeights;
use super::words::{WordToken, is_common, is_stop_word, stem, tokens};

/// Shorter words are not written as two.
const SHORTEST_COMPOUND: usize = 5;

/// Longer words in capitals are stressed, not short.
const LONGEST_ACRONYM: usize = 6;

/// A thing that the question asks for: a word and what stands for it.
#[derive(Debug)]
pub(super) struct Concept {
    /// Stems, and what each is worth; the word itself is the first.
    pub(super) terms: Vec<(usize, f64)>,
    pub(super) importance: f64,
    /// Whether an entry loses nothing without it.
    pub(super) is_extra: bool,
    /// Whether it says what is done and not what it is done to.
    pub(super) is_common: bool,
    /// Whether it is written like a name: `SwiftUI`, `S3`.
    pub(super) is_name: bool,
    /// Whether it is a number, with a unit or without.
    is_number: bool,
    /// The identifier that it is an extra part of, by number.
    whole: Option<usize>,
}

/// The question, taken apart.
#[derive(Debug, Default)]
pub(super) struct ParsedQuestion {
    pub(super) terms: Vec<String>,
    pub(super) by_term: HashMap<String, usize>,
    pub(super) concepts: Vec<Concept>,
    pub(super) compounds: Vec<Compound>,
    /// How texts may begin a word of the question where its stem does not begin so: `e-e` for `EEAT`.
    pub(super) spellings: Vec<String>,
}

/// Two neighbouring words of the question written as one.
#[derive(Debug)]
pub(super) struct Compound {
    pub(super) text: String,
    /// Its concept, by number.
    whole: usize,
    /// The concepts of its words; stop words have none.
    halves: [Option<usize>; 2],
}

impl ParsedQuestion {
    pub(super) fn read(text: &str, weights: &WordWeights) -> ParsedQuestion {
        let text = &*signs::spelled_out(text);
        let text = &*go::spelled_out(text);
        let mut question = ParsedQuestion::default();
        let mut before: Option<(String, Option<usize>)> = None;
        tokens(text, |WordToken { whole, parts, is_joined }| {
            if !parts.is_empty() {
                let identifier = question.add(&whole, 1.0, is_joined, weights);
                question.spell(&parts);
                let part = if is_joined { 1.0 } else { 0.3 };
                for word in parts.iter().filter(|word| !is_stop_word(word)) {
                    let part = question.add(word, part, !is_joined, weights);
                    let part = &mut question.concepts[part];
                    part.whole = part.is_extra.then_some(identifier);
                }
                before = None;
                return;
            }
            let number = (!is_stop_word(&whole)).then(|| question.add(&whole, 1.0, false, weights));
            if let Some((before, first)) = before.take()
                && before.len() + whole.len() >= SHORTEST_COMPOUND
            {
                // `sub process` asks for `subprocess` too.
                let text = format!("{before}{whole}");
                let compound = question.add(&text, weights.phrase, true, weights);
                question.compounds.push(Compound { text, whole: compound, halves: [first, number] });
            }
            before = Some((whole, number));
        });
        question.read_names(text);
        let languages =
            signs::NAMES.iter().chain([&("go", go::NAME)]).filter(|name| question.by_term.contains_key(name.1));
        question.spellings.extend(languages.map(|name| name.0.to_owned()));
        question
    }

    /// Mark what is written like a name, and spell what is written like an acronym.
    fn read_names(&mut self, text: &str) {
        for (at, word) in text.split_whitespace().enumerate() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            let is_name = (at > 0 && first != word && first.contains(char::is_uppercase))
                || rest.contains(char::is_uppercase)
                || word.contains(|c: char| c.is_ascii_digit());
            if !is_name {
                continue;
            }
            tokens(word, |token| {
                for part in token.parts.iter().chain([&token.whole]) {
                    let Some(&term) = self.by_term.get(stem(part).as_ref()) else { continue };
                    let named = self.concepts.iter_mut().filter(|concept| concept.terms[0].0 == term);
                    named.for_each(|concept| concept.is_name = true);
                }
            });
            if (3..=LONGEST_ACRONYM).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase()) {
                let letters: Vec<String> = word.chars().map(String::from).collect();
                self.spell(&letters);
            }
        }
    }

    /// Texts have an identifier that begins with a letter in parts too.
    fn spell(&mut self, parts: &[String]) {
        if let [first, second, ..] = parts
            && first.len() == 1
            && let Some(next) = second.chars().next().filter(char::is_ascii)
        {
            self.spellings.extend(['-', '_', '.'].map(|joint| format!("{first}{joint}{next}").to_ascii_lowercase()));
        }
    }

    /// Answers the number of the word's concept.
    fn add(&mut self, word: &str, importance: f64, is_extra: bool, weights: &WordWeights) -> usize {
        let stem = stem(word).into_owned();
        let is_common = is_common(&stem);
        let importance = if is_common { importance * weights.common } else { importance };
        let first = self.term(&stem);
        if let Some(number) = self.concepts.iter().position(|concept| concept.terms[0].0 == first) {
            let known = &mut self.concepts[number];
            known.importance = known.importance.max(importance);
            known.is_extra &= is_extra;
            return number;
        }
        let mut terms = vec![(first, 1.0)];
        if !is_extra {
            for other in thesaurus::of(&stem) {
                let other = self.term(other);
                terms.push((other, weights.near));
            }
        }
        let is_number = is_number(word);
        self.concepts.push(Concept { terms, importance, is_extra, is_common, is_name: false, is_number, whole: None });
        self.concepts.len() - 1
    }

    /// Replace an identifier that no entry contains by its parts: `waitForTimeout` asks for `wait` and `timeout` then. A word
    /// that entries only have as part of a compound is asked for as that, and a number that no entry has is not asked for.
    pub(super) fn fall_apart(&mut self, weights: &WordWeights, is_absent: impl Fn(&Concept) -> bool) {
        let is_absent: Vec<bool> = self.concepts.iter().map(is_absent).collect();
        for number in 0..self.concepts.len() {
            let part = &mut self.concepts[number];
            let Some(whole) = part.whole.filter(|&whole| is_absent[whole]) else { continue };
            part.importance = if part.is_common { weights.common } else { 1.0 };
            part.is_extra = false;
            self.concepts[whole].is_extra = true;
        }
        let numbers =
            self.concepts.iter_mut().zip(&is_absent).filter(|(concept, absent)| concept.is_number && **absent);
        numbers.for_each(|(concept, _)| concept.is_extra = true);
        for compound in &self.compounds {
            let absent = || compound.halves.into_iter().flatten().filter(|&half| is_absent[half]);
            if !is_absent[compound.whole] && absent().next().is_some() {
                // Texts have the two words as one: `sub process` asks for `subprocess` only.
                absent().for_each(|half| self.concepts[half].is_extra = true);
                let whole = &mut self.concepts[compound.whole];
                whole.importance = 1.0;
                whole.is_extra = false;
            }
        }
    }

    fn term(&mut self, stem: &str) -> usize {
        if let Some(&known) = self.by_term.get(stem) {
            return known;
        }
        let number = self.terms.len();
        self.terms.push(stem.to_owned());
        self.by_term.insert(stem.to_owned(), number);
        number
    }
}

/// Whether the word is a number, with a unit or without: `600`, `20kb`.
fn is_number(word: &str) -> bool {
    const UNITS: [&str; 16] =
        ["", "ms", "s", "sec", "min", "h", "kb", "mb", "gb", "tb", "k", "px", "rem", "em", "fps", "st"];
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < word.len() && UNITS.contains(&unit)
}
