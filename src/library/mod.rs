//! The hint library: hints, skills, packages and rules as one catalogue, found by question. A catalogue is made from the bytes of a
//! source, whichever it is; nothing is written, and no text is obeyed.

mod beginnings;
mod catalogue;
pub mod flpipeline;
mod found;
pub(crate) mod keys;
pub mod llm;
pub mod provider;
mod rank;
mod read;
mod thesaurus;
mod words;

use rayon::prelude::*;

pub use catalogue::{Catalogue, Entry, EntryKind};
pub use found::{FoundHints, UnknownHint};
pub use read::{Reading, read};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// No more entries than this.
    pub limit: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions { limit: 5 }
    }
}

/// An entry that answers a question.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'c> {
    /// The entry.
    pub entry: &'c Entry,
    /// How well it answers; comparable within one search only.
    pub score: f64,
}

/// The entries of `catalogue` that answer `question`, best first; none if nothing does. Words are compared, no model is asked.
pub fn search<'c>(catalogue: &'c Catalogue, question: &str, options: &SearchOptions) -> Vec<Hit<'c>> {
    let texts: Vec<catalogue::Texts<'_>> = catalogue.entries().par_iter().map(Entry::texts).collect();
    let fields: Vec<rank::Fields<'_>> = texts.iter().map(catalogue::Texts::fields).collect();
    let ranked = rank::rank(&fields, question, &rank::WEIGHTS);
    let hit = |(index, score): (usize, f64)| Hit { entry: &catalogue.entries()[index], score };
    ranked.into_iter().take(options.limit).map(hit).collect()
}
