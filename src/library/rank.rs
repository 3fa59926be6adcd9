//! The ranking: BM25F over five fields in `f64`, with a floor under which nothing counts as an answer. Knows texts and no files.
//!
//! Only the words of the question are counted, by one search for the beginnings of their stems: an entry that has none of them is
//! never taken apart.

use std::ops::Range;

use rayon::prelude::*;

use super::beginnings::Beginnings;
use super::question::{Concept, ParsedQuestion};
use super::words::{is_ideograph, stem, tokens};

/// The texts of one entry in which words are looked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fields<'t> {
    pub(super) name: &'t str,
    pub(super) description: &'t str,
    pub(super) relevant_for: &'t str,
    pub(super) headings: &'t str,
    pub(super) body: &'t str,
}

impl<'t> Fields<'t> {
    fn texts(&self) -> [&'t str; FIELDS] {
        [self.name, self.description, self.relevant_for, self.headings, self.body]
    }
}

const FIELDS: usize = 5;

const NAME: usize = 0;

/// Further words of a question need no answer.
const MOST_ASKED: f64 = 4.0;

/// The field that does not describe.
const BODY: usize = 4;

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
    /// What a word counts for that part by standing anywhere in the answer, however often.
    pub(super) coverage: f64,
    /// What a word counts that nearly every entry has.
    pub(super) common: f64,
    /// What a word counts that only stands for the one asked for.
    pub(super) near: f64,
    /// How far a word in a name counts by its rarity in names.
    pub(super) named: f64,
    /// The part of the best answer's score that further answers must have.
    pub(super) tail: f64,
}

/// Settled on the question sets of `benches/search.rs`.
pub(super) const WEIGHTS: WordWeights = WordWeights {
    field: [4.0, 2.0, 2.0, 0.5, 1.0],
    length: [0.3, 0.3, 0.3, 0.5, 0.75],
    k1: 2.2,
    k_body: 2.0,
    body: 0.7,
    floor: 0.42,
    coverage: 0.4,
    common: 0.4,
    near: 0.3,
    named: 0.5,
    tail: 0.3,
};

/// How often each term stands in each field of one entry: `(term, field, times)`.
type TermCounts = Vec<(usize, usize, f64)>;

/// Finds a question's terms in texts.
struct Counter<'q> {
    question: &'q ParsedQuestion,
    beginnings: Beginnings,
}

impl<'q> Counter<'q> {
    fn new(question: &'q ParsedQuestion) -> Option<Counter<'q>> {
        // A stem's last letter may not stand in the word, `happi` is that of `happy`, and `next.js` is `nextjs` too.
        let beginning = |term: &String| match term.is_ascii() {
            true => term[..term.len().saturating_sub(1).clamp(2, 4).min(term.len())].to_owned(),
            false => term.clone(),
        };
        let beginnings = Beginnings::new(question.terms.iter().map(beginning).collect())?;
        Some(Counter { question, beginnings })
    }

    fn count(&self, fields: &Fields<'_>) -> TermCounts {
        let mut counts = TermCounts::new();
        for (field, text) in fields.texts().into_iter().enumerate() {
            let mut at = 0;
            while let Some(found) = self.beginnings.find(text, at) {
                if !may_begin(text.as_bytes(), found.start) {
                    at = text.ceil_char_boundary(found.start + 1);
                    continue;
                }
                let chunk = chunk_around(text, found.start, found.end, at);
                tokens(&text[chunk.clone()], |token| {
                    let words = std::iter::once(&token.whole).chain(&token.parts);
                    for word in words {
                        let Some(&term) = self.question.by_term.get(stem(word).as_ref()) else { continue };
                        match counts.iter_mut().rev().find(|known| (known.0, known.1) == (term, field)) {
                            Some(known) => known.2 += 1.0,
                            None => counts.push((term, field, 1.0)),
                        }
                    }
                });
                at = text.ceil_char_boundary(chunk.end.max(at + 1));
            }
        }
        counts
    }
}

/// Whether a word, or a part of an identifier, may begin at `at`.
fn may_begin(text: &[u8], at: usize) -> bool {
    let is_inside = at > 0 && text[at - 1].is_ascii_alphanumeric();
    !is_inside || text[at].is_ascii_uppercase()
}

/// The run of characters of words and identifiers around `start..end`, not before `from`.
fn chunk_around(text: &str, start: usize, end: usize, from: usize) -> std::ops::Range<usize> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '\'' | '’') || is_ideograph(c);
    let start = text.floor_char_boundary(start).max(from);
    let end = text.ceil_char_boundary(end).max(start);
    let before = text[from..start].char_indices().rev().take_while(|&(_, c)| is_part(c)).last();
    let after = text[end..].char_indices().find(|&(_, c)| !is_part(c)).map_or(text.len(), |(at, _)| end + at);
    before.map_or(start, |(at, _)| from + at)..after
}

/// What is known of all entries.
struct Statistics {
    total: f64,
    /// The mean length of each field in bytes.
    average: [f64; FIELDS],
    /// How many entries have each term: in the name, in what describes, anywhere.
    having: Vec<[f64; 3]>,
}

impl Statistics {
    fn new(entries: &[Fields<'_>], counts: &[TermCounts], terms: usize) -> Statistics {
        let total = entries.len().max(1) as f64;
        let mut average = [0.0; FIELDS];
        for fields in entries {
            for (sum, text) in average.iter_mut().zip(fields.texts()) {
                *sum += text.len() as f64 / total;
            }
        }
        let mut having = vec![[0.0; 3]; terms];
        for counts in counts {
            let mut first: Vec<(usize, usize)> = counts.iter().map(|&(term, field, _)| (term, field)).collect();
            first.sort_unstable();
            first.dedup_by_key(|known| known.0);
            for (term, field) in first {
                having[term][0] += f64::from(u8::from(field == NAME));
                having[term][1] += f64::from(u8::from(field < BODY));
                having[term][2] += 1.0;
            }
        }
        Statistics { total, average, having }
    }

    fn is_absent(&self, concept: &Concept) -> bool {
        self.having[concept.terms[0].0][2] == 0.0
    }

    /// How much it says that an entry has the concept: in its name, in what describes it, anywhere.
    fn rarity(&self, concept: &Concept) -> [f64; 3] {
        let rarity = |having: f64| (1.0 + (self.total - having + 0.5) / (having + 0.5)).ln();
        self.having[concept.terms[0].0].map(|having| concept.importance * rarity(having))
    }

    /// What one concept adds to the part of the question that an entry answers, by standing anywhere in it.
    fn coverage(&self, concept: &Concept, counts: &TermCounts, weights: &WordWeights) -> f64 {
        let has = |term: usize| counts.iter().any(|known| known.0 == term);
        let worths = concept.terms.iter().filter(|term| !concept.is_extra && has(term.0)).map(|term| term.1);
        weights.coverage * self.rarity(concept)[2] * worths.fold(0.0, f64::max)
    }

    /// How often an entry has the concept in some fields, by their weights and lengths.
    fn times(
        &self,
        concept: &Concept,
        fields: &Fields<'_>,
        counts: &TermCounts,
        of: Range<usize>,
        weights: &WordWeights,
    ) -> f64 {
        let worth = |term: usize| concept.terms.iter().find(|known| known.0 == term).map_or(0.0, |known| known.1);
        let counted = counts.iter().filter(|known| of.contains(&known.1));
        let times = counted.map(|&(term, field, times)| {
            let length = fields.texts()[field].len() as f64 / self.average[field].max(1.0);
            let length = 1.0 - weights.length[field] + weights.length[field] * length;
            worth(term) * weights.field[field] * times / length
        });
        times.sum()
    }

    /// What one concept adds to an entry's score.
    fn gain(&self, concept: &Concept, fields: &Fields<'_>, counts: &TermCounts, weights: &WordWeights) -> f64 {
        let part = |of: Range<usize>, k: f64| {
            let times = self.times(concept, fields, counts, of, weights);
            times / (k + times)
        };
        let named = part(NAME..NAME + 1, weights.k1);
        let described = part(NAME..BODY, weights.k1);
        let told = part(BODY..FIELDS, weights.k_body);
        let [in_names, in_descriptions, anywhere] = self.rarity(concept);
        in_descriptions * described
            + weights.named * (in_names - in_descriptions) * named
            + weights.body * anywhere * told * (1.0 - described)
    }
}

/// The entries that answer `question`, best first, with their scores; entries of the same score in their order.
pub(super) fn rank(entries: &[Fields<'_>], question: &str, weights: &WordWeights) -> Vec<(usize, f64)> {
    let mut question = ParsedQuestion::read(question, weights);
    let Some(counter) = Counter::new(&question).filter(|_| !question.terms.is_empty()) else { return Vec::new() };
    let counts: Vec<TermCounts> = entries.par_iter().map(|fields| counter.count(fields)).collect();
    let statistics = Statistics::new(entries, &counts, question.terms.len());
    question.fall_apart(weights, |concept| statistics.is_absent(concept));
    // An answer is about what the question is about: words such as `create` alone make none.
    let is_vague = question.concepts.iter().all(|concept| concept.is_common || concept.is_extra);
    let is_asked = |concept: &Concept| is_vague || !concept.is_common;
    let is_wanted = |concept: &&Concept| is_asked(concept) && !(concept.is_extra && statistics.is_absent(concept));
    let wanted: Vec<f64> =
        question.concepts.iter().filter(is_wanted).map(|concept| statistics.rarity(concept)[2]).collect();
    // A long text has words beside the point.
    let asked = wanted.iter().sum::<f64>() * (MOST_ASKED / wanted.len().max(1) as f64).min(1.0);
    let mut answered: f64 = 0.0;
    let mut hits: Vec<(usize, f64)> = Vec::new();
    for (index, (fields, counts)) in
        entries.iter().zip(&counts).enumerate().filter(|(_, (_, counts))| !counts.is_empty())
    {
        let (mut score, mut about) = (0.0, 0.0);
        for concept in &question.concepts {
            let gain = statistics.gain(concept, fields, counts, weights);
            score += gain;
            if is_asked(concept) {
                about += gain + statistics.coverage(concept, counts, weights);
            }
        }
        answered = answered.max(about);
        if score > 0.0 {
            hits.push((index, score));
        }
    }
    if answered < weights.floor * asked {
        return Vec::new();
    }
    hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let best = hits.first().map_or(0.0, |hit| hit.1);
    hits.retain(|hit| hit.1 >= weights.tail * best);
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(entries: &[(&str, &str, &str)], question: &str) -> Vec<usize> {
        let fields: Vec<Fields<'_>> = entries
            .iter()
            .map(|&(name, description, body)| Fields { name, description, body, ..Fields::default() })
            .collect();
        rank(&fields, question, &WEIGHTS).into_iter().map(|(index, _)| index).collect()
    }

    const ENTRIES: [(&str, &str, &str); 5] = [
        ("setup-nextjs", "How to set up a Next.js site", "Use the latest version."),
        ("database", "SQLite queries", "Call db.get() and retry."),
        ("clean-up", "Tidies pull requests", "The database is left alone."),
        ("数据", "如何查询数据库", ""),
        ("streams", "Errors in streams", "Wrap the child process. A child process ends; wait for each child process."),
    ];

    #[test]
    fn identifiers_are_found_however_they_are_written() {
        for question in ["nextjs", "Next.js", "next-js", "NextJS"] {
            assert_eq!(ranked(&ENTRIES, question), [0], "{question}");
        }
        assert_eq!(ranked(&ENTRIES, "cleanup"), [2]);
        assert_eq!(ranked(&ENTRIES, "数据库"), [3]);
    }

    #[test]
    fn a_mention_in_a_text_is_little_beside_a_description() {
        // The text of the third mentions the database, too little beside the second.
        assert_eq!(ranked(&ENTRIES, "query the database"), [1]);
    }

    #[test]
    fn questions_that_nothing_answers_get_nothing() {
        for question in ["", "how do I", "create a project", "kubernetes", "deploy a helm chart to kubernetes", "?!"] {
            assert_eq!(ranked(&ENTRIES, question), [0; 0], "{question}");
        }
        assert_eq!(ranked(&[], "database"), [0; 0]);
    }

    #[test]
    fn words_that_nobody_wrote_count_against_an_answer() {
        assert_eq!(ranked(&ENTRIES, "errors in streams of a river"), [4]);
        assert_eq!(ranked(&ENTRIES, "wild streams and rivers of northern Norway"), [0; 0]);
        // All words stand in one text, if only there.
        assert_eq!(ranked(&ENTRIES, "wrap and wait"), [4]);
    }

    #[test]
    fn the_parts_of_an_identifier_stand_for_one_that_nobody_wrote() {
        assert_eq!(ranked(&ENTRIES, "waitForProcess"), [4]);
        assert_eq!(ranked(&ENTRIES, "waitForGodot"), [0; 0]);
    }

    #[test]
    fn ties_keep_their_order() {
        let same = [("b", "retry", ""), ("a", "retry", ""), ("c", "other", "")];
        assert_eq!(ranked(&same, "retry"), [0, 1]);
    }
}
