//! The hint library: hints, skills, packages and rules as one catalogue, found by question. A catalogue is made from the bytes of a
//! source, whichever it is; nothing is written, and no text is obeyed.

mod beginnings;
mod catalogue;
pub mod flpipeline;
mod found;
mod go;
pub(crate) mod keys;
pub mod llm;
pub mod provider;
mod question;
mod rank;
mod read;
mod signs;
mod thesaurus;
mod weights;
mod words;

use rayon::prelude::*;

pub use catalogue::{Catalogue, CatalogueEntry, CatalogueKind};
pub use found::{FoundHints, UnknownHint};
pub use read::{ReadLibrary, read};

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
pub struct SearchHit<'c> {
    /// The entry.
    pub entry: &'c CatalogueEntry,
    /// How well it answers; comparable within one search only.
    pub score: f64,
}

/// The entries of `catalogue` that answer `question`, best first; none if nothing does. Words are compared, no model is asked.
pub fn search<'c>(catalogue: &'c Catalogue, question: &str, options: &SearchOptions) -> Vec<SearchHit<'c>> {
    let texts: Vec<catalogue::EntryTexts<'_>> = catalogue.entries().par_iter().map(CatalogueEntry::texts).collect();
    let fields: Vec<rank::Fields<'_>> = texts.iter().map(catalogue::EntryTexts::fields).collect();
    let ranked = rank::rank(&fields, question, &weights::WEIGHTS);
    let hit = |(index, score): (usize, f64)| SearchHit { entry: &catalogue.entries()[index], score };
    ranked.into_iter().take(options.limit).map(hit).collect()
}
