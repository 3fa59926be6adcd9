//! Hidden and deceptive characters: what they are, where they stand, what they hide, how to remove them.
//!
//! A pure engine over raw bytes: it knows no files, no rules and no configuration. `scanner` walks over the text and hands
//! every odd character to its judge (`run`, `words`, `bidi`, `controls`, `singles`, `lookalikes`); `structure` takes the
//! safety from fixes that change what the text means; `report` decodes payloads and finds words. The policy is: never "flag all format characters"; a character is judged by where it stands.

mod ascii;
mod bidi;
mod blanks;
mod class;
mod context;
mod controls;
mod decode;
mod emoji;
mod locate;
mod lookalikes;
mod message;
mod raw;
mod regions;
mod report;
mod run;
mod sanitize;
mod scanner;
mod selectors;
mod singles;
mod structure;
#[cfg(test)]
mod tests;
mod words;

use crate::base::finding::Level;
use crate::base::text::{Span, same_length_text};

pub(crate) use class::Class;
pub(crate) use decode::Decoded;
pub(super) use locate::regions_of;
pub(crate) use raw::HitFix;
pub use sanitize::sanitize;
pub(crate) use sanitize::sanitize_except;

use context::TextContext;
use regions::{RegionKind, Regions};

/// One hidden or deceptive character, run of them, or token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnicodeHit {
    /// What it is.
    pub(crate) class: Class,
    /// Where: bytes of the scanned text, on character boundaries.
    pub span: Span,
    /// How bad it is here.
    pub level: Level,
    /// One sentence without a final full stop. Holds no hidden character.
    pub message: String,
    /// What to do. Holds no hidden character.
    pub help: Option<String>,
    /// How to fix it.
    pub(crate) fix: Option<HitFix>,
    /// What it hides, by itself or together with the other runs of its kind; raw, untrusted.
    pub(crate) decoded: Option<Decoded>,
}

/// Whether a file has nothing that [`scan_markdown`] would have to look at: ASCII, with no control but tab, LF and CR LF.
pub fn is_plain(bytes: &[u8]) -> bool {
    ascii::next_odd(bytes, 0).is_none()
}

/// Whether a Markdown file is plain and has no long row of blanks. Told block by block, so that the second look at a block
/// does not wait for memory.
fn is_quiet(bytes: &[u8]) -> bool {
    const BLOCK: usize = 128 << 10;
    (0..bytes.len()).step_by(BLOCK).all(|start| {
        let end = bytes.len().min(start + BLOCK);
        // One byte more, which may be the LF of a CR.
        is_plain(&bytes[start..bytes.len().min(end + 1)]) && !blanks::may_matter(bytes, start..end)
    })
}

/// The hits of a Markdown file that was not parsed yet, sorted by place. Long rows of blanks are hits too.
pub fn scan_markdown(bytes: &[u8]) -> Vec<UnicodeHit> {
    scan_markdown_in(bytes, locate::regions_of_text)
}

/// The same, of a file that was parsed: `regions` is asked only when there may be a hit.
pub(in crate::parse) fn scan_markdown_in(bytes: &[u8], regions: impl FnOnce(&str) -> Regions) -> Vec<UnicodeHit> {
    if is_quiet(bytes) {
        return Vec::new();
    }
    let plain = is_plain(bytes);
    let text = same_length_text(bytes);
    let raws = blanks::judge(&text);
    if plain && raws.is_empty() {
        return Vec::new();
    }
    let regions = regions(&text);
    let mut hits = scan_text(bytes, &text, &regions);
    if !raws.is_empty() {
        hits.extend(report::report(&TextContext::new(&text, &regions), raws));
        hits.sort_by_key(|hit| (hit.span, hit.class));
    }
    hits
}

/// The hits of a file that is not Markdown, such as a source file: all of it counts as prose,
/// which has the most silent contexts, since translations and test data live in such files. Only URLs keep their rigour.
pub fn scan_other(bytes: &[u8]) -> Vec<UnicodeHit> {
    if is_plain(bytes) {
        return Vec::new();
    }
    let text = same_length_text(bytes);
    scan_text(bytes, &text, &locate::urls_of(&text))
}

/// The hits of a file's name or path. A name has no fix: renaming is not ours to do.
pub fn scan_name(path: impl AsRef<[u8]>) -> Vec<UnicodeHit> {
    let bytes = path.as_ref();
    let text = same_length_text(bytes);
    let mut hits = scan_utf8(bytes, &text, &Regions::new(vec![(Span::new(0, bytes.len()), RegionKind::Path)]));
    for (at, byte) in bytes.iter().enumerate() {
        let ends_line = *byte == b'\r' && bytes.get(at + 1) == Some(&b'\n');
        if matches!(byte, b'\t' | b'\n') || ends_line {
            hits.push(UnicodeHit {
                class: Class::ControlChar,
                span: Span::new(at, at + 1),
                level: Level::Error,
                message: format!("the name holds the control character U+{byte:04X}"),
                help: None,
                fix: None,
                decoded: None,
            });
        }
    }
    for hit in &mut hits {
        // A mark that is fine at the start of a file is not at the start of its name.
        if hit.class == Class::BomInside {
            hit.level = Level::Error;
            hit.message = "U+FEFF ZERO WIDTH NO-BREAK SPACE in the name".to_owned();
        }
        hit.fix = None;
        hit.help = Some("rename the file".to_owned());
    }
    hits.sort_by_key(|hit| (hit.span, hit.class));
    hits
}

/// `text` is `bytes` with something of the same length in place of what is not UTF-8.
fn scan_text(bytes: &[u8], text: &str, regions: &Regions) -> Vec<UnicodeHit> {
    let Some(hit) = other_encoding(bytes) else { return scan_utf8(bytes, text, regions) };
    if hit.span.start == 0 {
        return vec![hit];
    }
    let mut hits = scan_utf8(bytes, text, regions);
    hits.retain(|before| before.span.start < hit.span.start);
    hits.push(hit);
    hits
}

/// The same, for bytes that are meant as UTF-8 however they begin.
fn scan_utf8(bytes: &[u8], text: &str, regions: &Regions) -> Vec<UnicodeHit> {
    let cx = TextContext::new(text, regions);
    let mut raws = scanner::raw_hits(&cx);
    structure::keep(text, &mut raws, |_| true);
    let mut hits = report::report(&cx, raws);
    if std::str::from_utf8(bytes).is_err() {
        hits.extend(invalid_spans(bytes).into_iter().map(|span| invalid_hit(bytes, span)));
        hits.sort_by_key(|hit| (hit.span, hit.class));
    }
    hits
}

/// Text in UTF-16 or UTF-32 is one mistake, not one for each byte.
fn other_encoding(bytes: &[u8]) -> Option<UnicodeHit> {
    let (start, what) = match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => (0, "the file is UTF-32"),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => (0, "the file is UTF-16"),
        _ => match utf_16_from(bytes)? {
            0 => (0, "the file is UTF-16 without a byte order mark"),
            start => (start, "from here on the file is UTF-16"),
        },
    };
    Some(UnicodeHit {
        class: Class::InvalidUtf8,
        span: Span::new(start, bytes.len()),
        level: Level::Error,
        message: format!("{what}, which no agent reads as text"),
        help: Some("save the file as UTF-8".to_owned()),
        fix: None,
        decoded: None,
    })
}

/// Where UTF-16 without a mark begins that goes on to the end: a whole file, or what was appended to one. At least four in five
/// of its units are ASCII.
fn utf_16_from(bytes: &[u8]) -> Option<usize> {
    const FEWEST_UNITS: usize = 4;
    let zero = memchr::memchr(0, bytes)?;
    // The low byte comes first, or the high one.
    [zero.saturating_sub(1), zero].into_iter().find(|&start| {
        let units = bytes[start..].as_chunks::<2>().0;
        let is_ascii = |unit: &&[u8; 2]| (unit[0] == 0) != (unit[1] == 0) && (unit[0] | unit[1]).is_ascii();
        let first = units.first().map(|unit| unit[0] == 0);
        let ascii = units.iter().filter(is_ascii).filter(|unit| Some(unit[0] == 0) == first).count();
        units.len() >= FEWEST_UNITS && ascii * 5 >= units.len() * 4
    })
}

/// Maximal runs of bytes that are not UTF-8; after the first thousand, one span for all that follow.
fn invalid_spans(bytes: &[u8]) -> Vec<Span> {
    const SEPARATE: usize = 1000;
    let mut spans: Vec<Span> = Vec::new();
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        at += chunk.valid().len();
        let end = at + chunk.invalid().len();
        let full = spans.len() >= SEPARATE;
        match spans.last_mut() {
            _ if end == at => {}
            Some(last) if last.end == at || full => last.end = end,
            _ => spans.push(Span::new(at, end)),
        }
        at = end;
    }
    spans
}

fn invalid_hit(bytes: &[u8], span: Span) -> UnicodeHit {
    UnicodeHit {
        class: Class::InvalidUtf8,
        span,
        level: Level::Error,
        message: message::invalid(bytes, span),
        help: Some("save the file as UTF-8".to_owned()),
        fix: None,
        decoded: None,
    }
}
