//! What `fix` tests, over one file that is a row of [`tokens`]: what takes several rare tokens side by side is found soon.
//!
//! The first byte of the input names the file. Rows of even length get safe fixes, others unsafe ones too. [`mutate`] changes a
//! row where it matters most: hidden characters at the beginnings of the file and of lines.

use std::path::Path;
use std::sync::OnceLock;

use hintlint::base::finding::Applicability;
use hintlint::config::Config;

use super::archive::{Archive, Entry, NAMES};
use super::fix;
use super::tokens::{self, Random};

/// A longer row is cut: what needs more tokens is found by `fix`.
const MAX_TOKENS: usize = 64;

pub(crate) fn run(data: &[u8]) {
    let [name, row @ ..] = data else { return };
    let allowed = if row.len() % 2 == 0 { Applicability::Safe } else { Applicability::Unsafe };
    let mut archive = Archive::default();
    archive.add(&[*name], Entry::File(tokens::decode(&row[..row.len().min(MAX_TOKENS)])));
    fix::to_the_end(&archive, &Config::default(), allowed);
}

/// Change one token of the row in `data[..size]`, or of a seed in its place, and give the new size, at most `max`.
///
/// Nearly every row reaches something new, so that the corpus grows and seeds would soon be left alone; here they are not.
pub(crate) fn mutate(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    let mut random = Random::new(seed);
    let size = match random.below(3) {
        0 => start_again(data, max, &mut random),
        _ => size,
    };
    let token = match random.below(2) {
        0 => random.below(tokens::HIDDEN),
        _ => random.below(256),
    } as u8;
    // The file's beginning, a line's, or anywhere; behind the name, which is the first byte.
    let starts: Vec<usize> = (1..size).filter(|&at| tokens::ends_line(data[at - 1])).collect();
    let at = match random.below(3) {
        0 => 1 + random.below(3),
        1 if !starts.is_empty() => starts[random.below(starts.len())],
        _ => 1 + random.below(size),
    };
    let at = at.min(size);
    match random.below(8) {
        0 if at < size => {
            data.copy_within(at + 1..size, at);
            size - 1
        }
        1 | 2 if at < size => {
            data[at] = token;
            size
        }
        _ if size < max => {
            data.copy_within(at..size, at + 1);
            data[at] = token;
            size + 1
        }
        _ => size,
    }
}

/// Put a seed into `data` and give its size, at most `max`.
fn start_again(data: &mut [u8], max: usize, random: &mut Random) -> usize {
    static SEEDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let seeds = SEEDS.get_or_init(|| seeds(Path::new("")));
    let seed = &seeds[random.below(seeds.len())];
    let size = seed.len().min(max);
    data[..size].copy_from_slice(&seed[..size]);
    size
}

pub(crate) fn seeds(_fixtures: &Path) -> Vec<Vec<u8>> {
    let rows: [(&str, &[&str]); 7] = [
        ("CLAUDE.md", &["\u{feff}", "---\n", "description: ", "x", "\n", "---\n", "text"]),
        (".claude/rules/a.md", &["\u{feff}", "---\n", "paths: ", "**", "\n", "---\n", "x"]),
        (".claude/rules/a.md", &["---\n", "paths: ", "**", "\n", "---\n", "# ", "text", "\n", "\u{200b}"]),
        (
            ".cursor/rules/a.mdc",
            &["---\n", "globs: ", "*", "\n", "alwaysApply: ", "x", "\n", "---\n", "<!-- ", "x", " -->"],
        ),
        ("PLAN.md", &["- [ ] ", "text", "\n", "- [x] ", "x", "\n", "# ", "text", "\n", "-[ ] ", "x"]),
        ("CLAUDE.md", &["@docs/a.md", "\n", "```\n", "x", "\n", "```\n", "> ", "text", "\n\n", "* ", "[a](docs/a.md)"]),
        (
            "AGENTS.md",
            &["<!-- hintlint-ignore ", "x", " : why -->", "\n", "text", "\u{200d}", "x", "\n", "<<<<<<< HEAD\n"],
        ),
    ];
    let seed = |(name, row): (&str, &[&str])| {
        let name = NAMES.iter().position(|known| *known == name).expect("it is in the list") as u8;
        [&[name], &tokens::encode(row)[..]].concat()
    };
    rows.into_iter().map(seed).collect()
}
