//! How well search answers, on three sets of questions; `benches/search.rs` prints what this measures and `library.rs` holds it.
//!
//! * Asked: the questions of `questions.tsv`, of the hints and the skills of the corpus; and those of `questions-2.tsv` to
//!   `questions-8.tsv`. No weight was settled on those named `-ninth`.
//! * Borrowed: what one author says of a skill, its name masked, asked of another author's library that has one of that name. Made
//!   when it is asked, of the corpus and of the folders (one for each author) in `HINTLINT_SEARCH_LIBRARIES`.
//! * Quoted: a sentence of a text, asked of entries without their texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hintlint::library::{Catalogue, CatalogueEntry, CatalogueKind, SearchOptions, search};

/// What was measured on one set.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    /// The set's name.
    pub(crate) name: &'static str,
    /// Questions that something answers.
    pub(crate) questions: usize,
    /// How often the first hit is an answer.
    pub(crate) success_at_1: f64,
    /// The part of the answers among the first five hits.
    pub(crate) recall_at_5: f64,
    /// The mean of one by the place of the first answer.
    pub(crate) mrr: f64,
    /// Questions that nothing answers.
    pub(crate) unanswerable: usize,
    /// Those of them that got hits.
    pub(crate) wrong: usize,
    /// One line for each question whose first hit is no answer.
    pub(crate) slips: Vec<String>,
}

struct Question<'c> {
    text: String,
    catalogue: &'c Catalogue,
    answers: Vec<String>,
}

/// The sets of written questions: what the names begin with says which library is asked.
const ASKED: [&str; 22] = [
    "hints",
    "hints-new",
    "hints-held",
    "hints-third",
    "hints-last",
    "hints-fourth",
    "hints-sealed",
    "hints-sixth",
    "hints-seventh",
    "hints-eighth",
    "hints-ninth",
    "skills",
    "skills-new",
    "skills-held",
    "skills-third",
    "skills-last",
    "skills-fourth",
    "skills-sealed",
    "skills-sixth",
    "skills-seventh",
    "skills-eighth",
    "skills-ninth",
];

/// All sets, or none without the corpus.
pub(crate) fn measure() -> Option<Vec<Figures>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/real/hints");
    let hints = corpus.join("facetlayer+flpipeline/src/hints");
    if !hints.is_dir() {
        return None;
    }
    let hints = Catalogue::new(below(&hints, ".md", CatalogueKind::Hint));
    let authors: Vec<Catalogue> = authors(&corpus);
    let skills = Catalogue::new(distinct(authors.iter().flat_map(Catalogue::entries).cloned()));
    let asked = |name: &'static str| {
        let catalogue = if name.starts_with("hints") { &hints } else { &skills };
        figures(name, &written(name, catalogue))
    };
    let mut sets: Vec<Figures> = ASKED.into_iter().map(asked).collect();
    let borrowed: Vec<Catalogue> =
        authors.into_iter().chain(others()).filter(|library| library.entries().len() >= 5).collect();
    sets.push(figures("borrowed", &borrowed_questions(&borrowed)));
    let (bare_hints, bare_skills) = (without_texts(&hints), without_texts(&skills));
    let quoted = quoted(&hints, &bare_hints).into_iter().chain(quoted(&skills, &bare_skills)).collect::<Vec<_>>();
    sets.push(figures("quoted", &quoted));
    Some(sets)
}

fn figures(name: &'static str, questions: &[Question<'_>]) -> Figures {
    let mut figures = Figures { name, ..Figures::default() };
    for Question { text, catalogue, answers } in questions {
        let hits = search(catalogue, text, &SearchOptions { limit: 5 });
        let names: Vec<&str> = hits.iter().map(|hit| hit.entry.name.as_str()).collect();
        let first = names.iter().position(|name| answers.iter().any(|answer| answer == name));
        if answers.is_empty() {
            figures.unanswerable += 1;
            figures.wrong += usize::from(!names.is_empty());
        } else {
            figures.questions += 1;
            let found = answers.iter().filter(|answer| names.contains(&answer.as_str())).count();
            figures.recall_at_5 += found as f64 / answers.len() as f64;
            figures.success_at_1 += f64::from(u8::from(first == Some(0)));
            figures.mrr += first.map_or(0.0, |place| 1.0 / (place + 1) as f64);
        }
        if first != Some(0) && !(answers.is_empty() && names.is_empty()) {
            figures.slips.push(format!("{text:?}: {names:?} instead of {answers:?}"));
        }
    }
    let questions = figures.questions.max(1) as f64;
    for figure in [&mut figures.success_at_1, &mut figures.recall_at_5, &mut figures.mrr] {
        *figure /= questions;
    }
    figures
}

fn written<'c>(set: &str, catalogue: &'c Catalogue) -> Vec<Question<'c>> {
    let files = [
        include_str!("questions.tsv"),
        include_str!("questions-2.tsv"),
        include_str!("questions-3.tsv"),
        include_str!("questions-4.tsv"),
        include_str!("questions-5.tsv"),
        include_str!("questions-6.tsv"),
        include_str!("questions-7.tsv"),
        include_str!("questions-8.tsv"),
    ];
    let rows = files.iter().flat_map(|file| file.lines()).filter(|line| !line.starts_with('#'));
    let rows = rows.map(|row| row.split('\t').collect::<Vec<_>>());
    let rows = rows.filter(|row| row[0] == set);
    let question = |row: Vec<&str>| {
        let answers: Vec<String> = row[2].split(' ').filter(|name| *name != "-").map(str::to_owned).collect();
        assert!(answers.iter().all(|name| catalogue.get(name).is_some()), "an answer that is not there: {row:?}");
        Question { text: row[1].to_owned(), catalogue, answers }
    };
    rows.map(question).collect()
}

/// The files below `folder` whose names end so.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_symlink() {
            continue;
        } else if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

fn below(folder: &Path, ending: &str, kind: CatalogueKind) -> Vec<CatalogueEntry> {
    let mut paths = Vec::new();
    files(folder, ending, &mut paths);
    let entry = |path: PathBuf| {
        let bytes = fs::read(&path).ok()?;
        let inside = path.strip_prefix(folder).ok()?.to_str()?.to_owned();
        Some(CatalogueEntry::new(inside.as_str().into(), kind, bytes.into()))
    };
    paths.into_iter().filter_map(entry).collect()
}

/// The first entry of each name.
fn distinct(entries: impl IntoIterator<Item = CatalogueEntry>) -> Vec<CatalogueEntry> {
    let mut names = BTreeSet::new();
    entries.into_iter().filter(|entry| names.insert(entry.name.clone())).collect()
}

/// The skills below each folder of `folder`.
fn authors(folder: &Path) -> Vec<Catalogue> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let skills = |folder: &PathBuf| Catalogue::new(distinct(below(folder, "SKILL.md", CatalogueKind::Skill)));
    folders.iter().map(skills).collect()
}

fn others() -> Vec<Catalogue> {
    std::env::var_os("HINTLINT_SEARCH_LIBRARIES").map(|folder| authors(Path::new(&folder))).unwrap_or_default()
}

fn words(text: &str) -> BTreeSet<String> {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).map(str::to_owned).collect()
}

fn borrowed_questions(libraries: &[Catalogue]) -> Vec<Question<'_>> {
    let mut by_name: BTreeMap<&str, Vec<(usize, &CatalogueEntry)>> = BTreeMap::new();
    for (library, catalogue) in libraries.iter().enumerate() {
        for entry in catalogue.entries().iter().filter(|entry| entry.description.is_some()) {
            by_name.entry(&entry.name).or_default().push((library, entry));
        }
    }
    let mut questions = Vec::new();
    for (name, entries) in by_name {
        for (from, asking) in &entries {
            for (at, asked) in entries.iter().filter(|(at, _)| at != from) {
                let (ours, theirs) = (words(&description(asking)), words(&description(asked)));
                let shared = ours.intersection(&theirs).count() as f64 / ours.union(&theirs).count().max(1) as f64;
                // A copy of the same skill says nothing of another author's words.
                if shared > 0.6 || asking.body() == asked.body() {
                    continue;
                }
                let text = masked(&description(asking), name);
                questions.push(Question { text, catalogue: &libraries[*at], answers: vec![name.to_owned()] });
            }
        }
    }
    questions
}

fn description(entry: &CatalogueEntry) -> String {
    entry.description.clone().unwrap_or_default()
}

/// The text without words that begin like a part of the name.
fn masked(text: &str, name: &str) -> String {
    let parts = words(name);
    let is_kept = |word: &&str| {
        let lower = word.to_lowercase();
        !lower
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| parts.iter().any(|part| word.starts_with(part.as_str())))
    };
    text.split_whitespace().filter(is_kept).collect::<Vec<_>>().join(" ")
}

/// The same entries without their texts.
fn without_texts(catalogue: &Catalogue) -> Catalogue {
    let bare = |entry: &CatalogueEntry| {
        let head = entry.bytes.len() - entry.body().len();
        CatalogueEntry::new(entry.path.clone(), entry.kind, entry.bytes[..head].into())
    };
    Catalogue::new(catalogue.entries().iter().map(bare).collect())
}

/// The longest sentence of the middle paragraph of each text.
fn quoted<'c>(catalogue: &Catalogue, bare: &'c Catalogue) -> Vec<Question<'c>> {
    let question = |entry: &CatalogueEntry| {
        let text = String::from_utf8_lossy(entry.body()).into_owned();
        let mut in_fence = false;
        let is_prose = |line: &&str| {
            in_fence ^= line.trim_start().starts_with("```");
            let begins = line.trim_start().starts_with(|c: char| c.is_alphabetic());
            !in_fence && begins && line.split_whitespace().count() >= 8
        };
        let lines: Vec<&str> = text.lines().filter(is_prose).collect();
        let sentence = lines.get(lines.len() / 2)?.split(". ").max_by_key(|sentence| sentence.len())?;
        Some(Question { text: sentence.to_owned(), catalogue: bare, answers: vec![entry.name.clone()] })
    };
    catalogue.entries().iter().filter_map(question).collect()
}
