//! The ranking: BM25F over five fields in `f64`, with a floor under which nothing counts as an answer. Knows texts and no files.
//!
//! Only the words of the question are counted, by one search for the beginnings of their stems: an entry that has none of them is
//! never taken apart.

use std::ops::Range;

use rayon::prelude::*;

use super::beginnings::Beginnings;
use super::go;
use super::question::{Compound, Concept, ParsedQuestion};
use super::signs;
use super::weights::{FIELDS, WordWeights};
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

const NAME: usize = 0;

/// Further words of a question need no answer, and its first ones less: a long question says the same thing twice.
const MOST_ASKED: f64 = 4.0;
const LONG_QUESTIONS: f64 = 1.25;

/// So many bytes of a stem are those of every word of it.
const NEXT: usize = 3;

/// The field that does not describe.
const BODY: usize = 4;

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
        let spellings = question.spellings.iter().cloned();
        let beginnings = Beginnings::new(question.terms.iter().map(beginning).chain(spellings).collect())?;
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
                let mut add = |word: &str| {
                    let Some(&term) = self.question.by_term.get(stem(word).as_ref()) else { return };
                    match counts.iter_mut().rev().find(|known| (known.0, known.1) == (term, field)) {
                        Some(known) => known.2 += 1.0,
                        None => counts.push((term, field, 1.0)),
                    }
                };
                if go::is_language(text, &chunk) {
                    add(go::NAME);
                }
                if let Some(name) = signs::language(text, &chunk) {
                    add(name);
                }
                if let Some(both) = self.compound(text, &chunk) {
                    add(&both);
                }
                tokens(&text[chunk.clone()], |token| {
                    std::iter::once(&token.whole).chain(&token.parts).for_each(|word| add(word));
                });
                at = text.ceil_char_boundary(chunk.end.max(at + 1));
            }
        }
        counts
    }

    /// The word of `chunk` and the next one as one word, where the question may ask for that.
    fn compound(&self, text: &str, chunk: &Range<usize>) -> Option<String> {
        let word = &text[chunk.clone()];
        let rest = text[chunk.end..].strip_prefix([' ', '\n'])?;
        // Most words end here, without a word of their own.
        let is_asked = |compound: &Compound| {
            let Some((head, tail)) = compound.text.split_at_checked(word.len()) else { return false };
            let next = tail.get(..tail.len().min(NEXT)).unwrap_or(tail);
            let here = rest.get(..next.len()).unwrap_or_default();
            !tail.is_empty() && head.eq_ignore_ascii_case(word) && next.eq_ignore_ascii_case(here)
        };
        if !self.question.compounds.iter().any(is_asked) {
            return None;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        Some(format!("{word}{}", &rest[..end]).to_lowercase())
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

    /// How much the question asks for. Words that no entry has count too: they are what an answer would be about.
    fn asked(&self, question: &ParsedQuestion, weights: &WordWeights) -> f64 {
        let is_wanted = |concept: &&Concept| !(concept.is_extra && self.is_absent(concept));
        let asked = |concept: &Concept| {
            let is_unheard_of = concept.is_name && self.is_absent(concept);
            self.rarity(concept)[2] * if is_unheard_of { weights.absent_name } else { 1.0 }
        };
        let wanted: Vec<f64> = question.concepts.iter().filter(is_wanted).map(asked).collect();
        // A long text has words beside the point.
        wanted.iter().sum::<f64>() * (MOST_ASKED / wanted.len().max(1) as f64).min(1.0).powf(LONG_QUESTIONS)
    }

    /// How much it says that an entry has the concept: in its name, in what describes it, anywhere.
    fn rarity(&self, concept: &Concept) -> [f64; 3] {
        let rarity = |having: f64| (1.0 + (self.total - having + 0.5) / (having + 0.5)).ln();
        self.having[concept.terms[0].0].map(|having| concept.importance * rarity(having))
    }

    /// What one concept adds to the part of the question that an entry answers, by standing anywhere in it.
    fn coverage(&self, concept: &Concept, counts: &TermCounts, weights: &WordWeights) -> f64 {
        let worth = |&(term, _): &(usize, f64)| {
            let worth = if term == concept.terms[0].0 { 1.0 } else { weights.covered_near };
            let fields = counts.iter().filter(|known| known.0 == term).map(|known| known.1);
            fields.min().map_or(0.0, |first| worth * weights.coverage[usize::from(first == BODY)])
        };
        if concept.is_extra {
            0.0
        } else {
            self.rarity(concept)[2] * concept.terms.iter().map(worth).fold(0.0, f64::max)
        }
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
    let mut answered: f64 = 0.0;
    let mut hits: Vec<(usize, f64)> = Vec::new();
    for (index, (fields, counts)) in
        entries.iter().zip(&counts).enumerate().filter(|(_, (_, counts))| !counts.is_empty())
    {
        let gains = question.concepts.iter().map(|concept| statistics.gain(concept, fields, counts, weights));
        let covered = question.concepts.iter().map(|concept| statistics.coverage(concept, counts, weights));
        let score: f64 = gains.sum();
        answered = answered.max(score + covered.sum::<f64>());
        if score > 0.0 {
            hits.push((index, score));
        }
    }
    if answered < weights.floor * statistics.asked(&question, weights) {
        return Vec::new();
    }
    hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let best = hits.first().map_or(0.0, |hit| hit.1);
    hits.retain(|hit| hit.1 >= weights.tail * best);
    hits
}

#[cfg(test)]
mod tests {
    use super::super::weights::WEIGHTS;
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
    fn two_words_side_by_side_are_more_than_both_apart() {
        let entries = [
            ("a", "Requests are sent, and a pull follows", ""),
            ("b", "A pull request is sent, and more follows", ""),
            ("c", "Nothing of the kind is said in here", ""),
        ];
        assert_eq!(ranked(&entries, "pull request"), [1, 0]);
        assert_eq!(ranked(&entries, "pullrequest"), [0; 0], "the text has two words");
        assert_eq!(ranked(&[("d", "Runs a subprocess", ""), ("e", "Runs", "")], "sub process"), [0]);
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
    fn a_name_that_nobody_wrote_asks_for_more_than_a_word() {
        let entries =
            [("lists", "How lists are refreshed", "And widgets."), ("a", "Errors", ""), ("b", "Something else", "")];
        assert_eq!(ranked(&entries, "refresh lists of widgets soon"), [0]);
        assert_eq!(ranked(&entries, "refresh lists of widgets in SwiftUI"), [0; 0]);
        assert_eq!(ranked(&entries, "Refresh LISTS of widgets"), [0], "a name that is there");
    }

    #[test]
    fn letters_and_go_are_words_too() {
        let entries = [
            ("seo", "Core signals such as E-E-A-T", ""),
            ("servers", "Writes servers in Go", ""),
            ("moves", "Where to go next, and Go to the start", ""),
            ("mail", "Sends e-mail", ""),
        ];
        for question in ["E-E-A-T", "EEAT", "e-e-a-t"] {
            assert_eq!(ranked(&entries, question), [0], "{question}");
        }
        assert_eq!(ranked(&entries, "servers in Go"), [1]);
        assert_eq!(ranked(&entries, "golang"), [1]);
        assert_eq!(ranked(&entries, "where do I go"), [0; 0]);
        assert_eq!(ranked(&entries, "email"), [3]);
    }

    #[test]
    fn ties_keep_their_order() {
        let same = [("b", "retry", ""), ("a", "retry", ""), ("c", "other", "")];
        assert_eq!(ranked(&same, "retry"), [0, 1]);
    }
}
