//! What the ranking's parts count. Data alone.

/// The fields of an entry: name, description, `relevant_for`, headings, body.
pub(super) const FIELDS: usize = 5;

/// What a word counts in each field, and how much a field's length takes from it.
pub(super) struct WordWeights {
    pub(super) field: [f64; FIELDS],
    pub(super) length: [f64; FIELDS],
    /// How soon further occurrences of a word add nothing.
    pub(super) k1: f64,
    pub(super) k_body: f64,
    /// What the text counts beside what describes it.
    pub(super) body: f64,
    /// The part of all that the question asks for which an answer must have.
    pub(super) floor: f64,
    /// The weight of a name that no entry has, for all that is asked for: it is what an answer would be about.
    pub(super) absent_name: f64,
    /// The weight of a word for that part if it is in the entry's description, and if it is in its text, regardless of how often.
    pub(super) coverage: [f64; 2],
    /// The weight of a substitute word for that part.
    pub(super) covered_near: f64,
    /// What a word counts that nearly every entry has.
    pub(super) common: f64,
    /// The weight of a substitute word.
    pub(super) near: f64,
    /// How far a word in a name counts by its rarity in names.
    pub(super) named: f64,
    /// What two words of the question count by standing side by side, or written as one.
    pub(super) phrase: f64,
    /// The part of the best answer's score that further answers must have.
    pub(super) tail: f64,
}

/// Settled on the question sets of `benches/search.rs`.
pub(super) const WEIGHTS: WordWeights = WordWeights {
    field: [4.0, 2.7, 2.0, 0.5, 1.0],
    length: [0.3, 0.95, 0.6, 0.5, 0.87],
    k1: 2.2,
    k_body: 2.0,
    body: 0.7,
    floor: 0.76,
    absent_name: 2.0,
    coverage: [1.0, 0.8],
    covered_near: 0.7,
    common: 0.6,
    near: 0.15,
    named: 0.5,
    phrase: 0.25,
    tail: 0.2,
};
