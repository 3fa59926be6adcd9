//! From judged characters to hits with words: payloads are decoded over the whole file, floods are folded. Judges nothing.

use std::collections::BTreeMap;

use super::Hit;
use super::class::Class;
use super::context::Context;
use super::decode::{Decoded, Family, decode};
use super::message::{self, Payload};
use super::raw::{HitFix, Raw};
use crate::finding::{Applicability, Level};
use crate::text::Span;

/// Hits of one class that are told one by one; the rest of a flood is one hit.
const SEPARATE: usize = 1000;
/// A stream shorter than this, in characters, is not worth a word about its encoding.
const STREAM: usize = 8;
/// A payload of at least this many characters over the whole file makes each of its pieces an error.
const CERTAIN: usize = 8;

/// Give the hits their words.
pub(super) fn report(cx: &Context<'_>, raws: Vec<Raw>) -> Vec<Hit> {
    let mut raws = fold(raws);
    let joined = streams(cx, &raws);
    let mut told: Vec<Family> = Vec::new();
    raws.iter_mut()
        .map(|raw| {
            let family = family(raw);
            let own = family.and_then(|family| own_payload(cx, raw, family));
            let joined = family.and_then(|family| joined.get(&family));
            if let (Some((decoded, _)), None) = (joined, &own)
                && decoded.text.chars().count() >= CERTAIN
                && family != Some(Family::Private)
            {
                raw.level = Level::Error;
            }
            let tried = family.is_some() && cx.text[raw.span.range()].chars().nth(STREAM - 1).is_some();
            // Two hits with the same payload say it once.
            let news = family.is_some_and(|family| !told.contains(&family)) || own.is_none();
            told.extend(family);
            let payload = Payload { own, joined: joined.filter(|_| news).cloned(), tried };
            message::words(cx, raw.clone(), payload)
        })
        .collect()
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

fn own_payload(cx: &Context<'_>, raw: &Raw, family: Family) -> Option<Decoded> {
    let stream: Vec<char> = cx.text[raw.span.range()].chars().collect();
    (stream.len() >= 3).then(|| decode(family, &stream)).flatten()
}

/// What the runs of each family spell together, with their number, where there are several.
fn streams(cx: &Context<'_>, raws: &[Raw]) -> BTreeMap<Family, (Decoded, usize)> {
    let mut streams: BTreeMap<Family, (Vec<char>, usize)> = BTreeMap::new();
    for raw in raws {
        if let Some(family) = family(raw) {
            let (stream, runs) = streams.entry(family).or_default();
            stream.extend(cx.text[raw.span.range()].chars());
            *runs += 1;
        }
    }
    streams
        .into_iter()
        .filter(|(_, (stream, runs))| *runs > 1 && stream.len() >= 3)
        .filter_map(|(family, (stream, runs))| Some((family, (decode(family, &stream)?, runs))))
        .collect()
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
