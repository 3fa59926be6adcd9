//! From judged characters to hits with words: payloads are decoded over the whole file, floods are folded. Judges nothing.

use std::collections::BTreeMap;

use super::UnicodeHit;
use super::class::Class;
use super::context::TextContext;
use super::decode::{Decoded, Family, decode};
use super::message::{self, Payload};
use super::raw::{HitFix, Raw};
use crate::base::finding::{Applicability, Level};
use crate::base::text::Span;

/// Hits of one class that are told one by one; the rest of a flood is one hit.
const SEPARATE: usize = 1000;
/// A stream shorter than this, in characters, gets no note about its encoding.
const STREAM: usize = 8;
/// A payload of at least this many characters over the whole file makes each of its pieces an error.
const CERTAIN: usize = 8;

/// Give the hits their words.
pub(super) fn report(cx: &TextContext<'_>, raws: Vec<Raw>) -> Vec<UnicodeHit> {
    let mut raws = fold(raws);
    let joined = streams(cx, &raws);
    let mut told: Vec<Family> = Vec::new();
    raws.iter_mut()
        .map(|raw| {
            let family = family(raw);
            let own = family.and_then(|family| own_payload(cx, raw, family));
            let joined = family.and_then(|family| joined.get(&family));
            let joined = joined.filter(|joined| joined.holds(&cx.text[raw.span.range()]));
            if let (Some(Joined { decoded, .. }), None) = (joined, &own)
                && decoded.text.chars().count() >= CERTAIN
                && family != Some(Family::Private)
            {
                raw.level = Level::Error;
            }
            let tried = family.is_some() && cx.text[raw.span.range()].chars().nth(STREAM - 1).is_some();
            // Two hits with the same payload say it once.
            let news = family.is_some_and(|family| !told.contains(&family)) || own.is_none();
            if own.is_some() || joined.is_some() {
                told.extend(family);
            }
            let joined = joined.filter(|_| news).map(|joined| (joined.decoded.clone(), joined.runs));
            message::words(cx, raw.clone(), Payload { own, joined, tried })
        })
        .collect()
}

/// What the runs of one family spell together.
struct Joined {
    decoded: Decoded,
    /// How many runs have a part in it.
    runs: usize,
    /// Characters of the family that encode nothing: the text is decoded without them.
    strays: Vec<char>,
}

impl Joined {
    fn holds(&self, run: &str) -> bool {
        run.chars().any(|c| !self.strays.contains(&c))
    }
}

/// The family whose stream a hit belongs to.
fn family(raw: &Raw) -> Option<Family> {
    match raw.class {
        _ if raw.level == Level::Info || raw.note.is_some() => None,
        Class::TagSmuggling => Some(Family::Tags),
        Class::VsSmuggling => Some(Family::Selectors),
        Class::PuaRun => Some(Family::Private),
        Class::SneakyBits
        | Class::MixedIgnorables
        | Class::ZwBinary
        | Class::ZwSplit
        | Class::DanglingJoiner
        | Class::BomInside
        | Class::BidiMark
        | Class::BidiOverride
        | Class::BidiIsolate
        | Class::DeprecatedFormat
        | Class::ReservedIgnorable
        | Class::InvisibleFiller
        | Class::ShyMisuse => Some(Family::Invisible),
        _ => None,
    }
}

fn own_payload(cx: &TextContext<'_>, raw: &Raw, family: Family) -> Option<Decoded> {
    let stream: Vec<char> = cx.text[raw.span.range()].chars().collect();
    (stream.len() >= 3).then(|| decode(family, &stream)).flatten()
}

/// What the runs of each family spell together, where there are several.
fn streams(cx: &TextContext<'_>, raws: &[Raw]) -> BTreeMap<Family, Joined> {
    let mut runs: BTreeMap<Family, Vec<&str>> = BTreeMap::new();
    for raw in raws {
        if let Some(family) = family(raw) {
            runs.entry(family).or_default().push(&cx.text[raw.span.range()]);
        }
    }
    let together = |(family, runs): (Family, Vec<&str>)| {
        let stream: Vec<char> = runs.iter().flat_map(|run| run.chars()).collect();
        let decoded = decode(family, &stream).filter(|_| stream.len() >= 3 && runs.len() > 1)?;
        let strays = if family == Family::Invisible { strays(&stream, &decoded) } else { Vec::new() };
        let mut joined = Joined { decoded, runs: 0, strays };
        joined.runs = runs.iter().filter(|run| joined.holds(run)).count();
        // What one run spells is that run's own affair.
        (joined.runs > 1).then_some((family, joined))
    };
    runs.into_iter().filter_map(together).collect()
}

/// The characters of `stream` without which it spells the same. Alphabets are small: where there are many kinds, the rare ones
/// are asked about.
fn strays(stream: &[char], decoded: &Decoded) -> Vec<char> {
    const ASKED: usize = 8;
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for &c in stream {
        *counts.entry(c).or_default() += 1;
    }
    if counts.len() < 3 {
        return Vec::new();
    }
    let mut kinds: Vec<(usize, char)> = counts.into_iter().map(|(c, count)| (count, c)).collect();
    kinds.sort_unstable();
    kinds.truncate(ASKED);
    let is_stray = |c: char| {
        let rest: Vec<char> = stream.iter().copied().filter(|&other| other != c).collect();
        decode(Family::Invisible, &rest).is_some_and(|again| again.text == decoded.text)
    };
    kinds.into_iter().map(|(_, c)| c).filter(|&c| is_stray(c)).collect()
}

/// Keep the first hits of each class and make one of the rest, per class and kind of fix.
fn fold(raws: Vec<Raw>) -> Vec<Raw> {
    let mut counts: BTreeMap<Class, usize> = BTreeMap::new();
    let mut folded: BTreeMap<(Class, Option<Applicability>), (Raw, usize)> = BTreeMap::new();
    let mut out: Vec<Raw> = Vec::with_capacity(raws.len().min(SEPARATE));
    for raw in raws {
        let count = counts.entry(raw.class).or_default();
        *count += 1;
        if *count <= SEPARATE {
            out.push(raw);
            continue;
        }
        let key = (raw.class, raw.fix.as_ref().map(|fix| fix.applicability));
        match folded.get_mut(&key) {
            None => {
                folded.insert(key, (raw, 1));
            }
            Some((whole, count)) => {
                *count += 1;
                whole.span = Span::new(whole.span.start, raw.span.end.max(whole.span.end));
                whole.level = whole.level.max(raw.level);
                if let (Some(fix), Some(HitFix { edits, .. })) = (&mut whole.fix, raw.fix) {
                    fix.edits.extend(edits);
                }
            }
        }
    }
    out.extend(folded.into_values().map(|(raw, count)| match count {
        1 => raw,
        _ => raw.note(format!("and {} more places like it up to here", count - 1)),
    }));
    out.sort_by_key(|raw| (raw.span, raw.class));
    out
}
