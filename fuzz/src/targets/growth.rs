//! Repetition costs memory in proportion: a file, a pattern or a transcript that repeats a short text many times takes no more
//! than a fixed multiple of its size.
//!
//! The first byte of the input says what the text becomes, the next two are the [`tokens`] before and behind, and the rest are
//! those that are repeated.

use std::io::Cursor;
use std::path::Path;

use hintlint::config::Config;
use hintlint::hooks::{ralph, transcript};

use super::archive::{Archive, Entry};
use super::tokens::{self, Random};
use super::{fix, globs};

/// Bytes that a repeated text comes to. What grows with the square of its input is past any bound here.
const SIZE: usize = 6 << 10;
/// Tokens that are repeated, at most.
const MAX_UNIT: usize = 4;
/// Bytes that a run may take whatever its input.
const FIXED: usize = 2 << 20;
/// Bytes that a run may take for each byte of its input: twice what a file of nothing but hidden characters takes, each of which
/// is a finding with a message.
const FACTOR: usize = 1024;

/// Run `work` on `size` bytes of input and hold the memory it takes at once against the bound.
pub(crate) fn within_bounds(size: usize, work: impl FnOnce()) {
    let taken = allocation_counter::measure(work).bytes_max;
    let bound = (FIXED + FACTOR * size) as u64;
    assert!(taken <= bound, "{size} bytes of input take {taken} bytes of memory, over {bound}");
}

pub(crate) fn run(data: &[u8]) {
    let [kind, before, after, unit @ ..] = data else { return };
    let (before, after) = (tokens::decode(&[*before]), tokens::decode(&[*after]));
    let unit = tokens::decode(&unit[..unit.len().min(MAX_UNIT)]);
    let times = if unit.is_empty() { 0 } else { SIZE / unit.len() };
    let text = [&before, &unit.repeat(times), &after[..]].concat();
    match kind % 5 {
        0 => file("CLAUDE.md", text),
        1 => file("docs/plans/a.md", text),
        2 => file(".claude/skills/a/SKILL.md", text),
        3 => said(&text),
        _ => {
            let pattern = String::from_utf8_lossy(&text);
            // No agent's own parser takes a pattern that is longer.
            let pattern: String = pattern.chars().filter(|c| !c.is_control()).take(4000).collect();
            let archive = globs::archive(&pattern, &mut std::iter::empty());
            within_bounds(pattern.len() * 8, || globs::touch(&archive));
        }
    }
}

/// Put a random input into `data` and give its size, at most `max`. There are so few inputs that no one is better to go on from
/// than another.
pub(crate) fn mutate(data: &mut [u8], max: usize, seed: u32) -> usize {
    let mut random = Random::new(seed);
    let size = (4 + random.below(MAX_UNIT).min(random.below(MAX_UNIT))).min(max);
    data[..size].iter_mut().for_each(|byte| *byte = random.below(256) as u8);
    size
}

fn file(name: &str, text: Vec<u8>) {
    let size = text.len();
    let mut archive = Archive::default();
    archive.add(name.as_bytes(), Entry::File(text));
    within_bounds(size, || drop(fix::lint(&archive.source(), &Config::default())));
}

/// A loop in whose transcript the text was said.
fn said(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    let start = r#"{"type":"user","message":{"role":"user","content":"<command-name>/ralph-wiggum:ralph-loop</command-name><command-args>go --completion-promise DONE</command-args>"}}"#;
    let entry = serde_json::json!({"type": "assistant", "message": {"role": "assistant", "content": text}});
    let lines = format!("{start}\n{entry}\n");
    within_bounds(lines.len(), || {
        let told = transcript::last_loop(Cursor::new(&lines), lines.len() as u64).expect("memory can be read");
        if let Some(found) = told.found {
            ralph::verdict(&found, None, 0, 0);
        }
    });
}

pub(crate) fn seeds(_fixtures: &Path) -> Vec<Vec<u8>> {
    let units: [&[&str]; 13] = [
        &["* ", "x", "\n"],
        &["# ", "text", "\n\n"],
        &["`", "x", "`"],
        &["- [ ] ", "text", "\n"],
        &["<!-- ", "x", " -->", "\n"],
        &["> ", "x", "\n"],
        &["text", " "],
        &["**/", "x"],
        // What once took memory or time out of all proportion.
        &[">"],
        &["> "],
        &["* "],
        &["{a,b}"],
        &["{,}"],
    ];
    // Quotes and lists begin with their line.
    let around = tokens::encode(&["\n", "x"]);
    let seed = |kind: u8, unit: &[&str]| [&[kind], &around[..], &tokens::encode(unit)].concat();
    (0..5).flat_map(|kind| units.iter().map(move |unit| seed(kind, unit))).collect()
}
