//! A question taken apart: the things that it asks for, and the words that stand for each. Knows no entries.

use std::collections::HashMap;

use super::rank::WordWeights;
use super::thesaurus;
use super::words::{WordToken, is_common, is_stop_word, stem, tokens};

/// Shorter words are not written as two.
const SHORTEST_COMPOUND: usize = 5;

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
        let mut question = ParsedQuestion::default();
        let mut before: Option<(String, Option<usize>)> = None;
        tokens(text, |WordToken { whole, parts, is_joined }| {
            if !parts.is_empty() {
                let identifier = question.add(&whole, 1.0, is_joined, weights);
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
        question
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
        self.concepts.push(Concept { terms, importance, is_extra, is_common, whole: None });
        self.concepts.len() - 1
    }

    /// Replace an identifier that no entry contains by its parts: `waitForTimeout` asks for `wait` and `timeout` then. A word
    /// that entries only have as part of a compound is asked for as that.
    pub(super) fn fall_apart(&mut self, weights: &WordWeights, is_absent: impl Fn(&Concept) -> bool) {
        let is_absent: Vec<bool> = self.concepts.iter().map(is_absent).collect();
        for number in 0..self.concepts.len() {
            let part = &mut self.concepts[number];
            let Some(whole) = part.whole.filter(|&whole| is_absent[whole]) else { continue };
            part.importance = if part.is_common { weights.common } else { 1.0 };
            part.is_extra = false;
            self.concepts[whole].is_extra = true;
        }
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
