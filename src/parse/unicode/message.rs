//! The words of a hit: what stands there, between what, what it hides, what to do. Never prints a hidden character.

use super::UnicodeHit;
use super::class::Class;
use super::context::{TextContext, tail};
use super::decode::Decoded;
use super::raw::{Holds, Raw};
use super::regions::RegionKind;
use crate::base::characters::{is_hidden, visible};
use crate::base::characters::{lookalike, name};
use crate::base::finding::Applicability;
use crate::base::text::Span;

/// Longest payload that is shown, in characters of its escaped form.
const PAYLOAD: usize = 200;
/// Longest visible neighbour that is shown, in characters.
const NEIGHBOUR: usize = 16;

/// What decoding found about one hit.
pub(super) struct Payload {
    /// What the hit's own characters spell.
    pub(super) own: Option<Decoded>,
    /// What all runs of the family spell together, and how many they are.
    pub(super) joined: Option<(Decoded, usize)>,
    /// Whether the hit is long enough that silence about its content would be odd.
    pub(super) tried: bool,
}

/// Give a hit its words.
pub(super) fn words(cx: &TextContext<'_>, raw: Raw, payload: Payload) -> UnicodeHit {
    let text = &cx.text[raw.span.range()];
    let mut message = subject(&raw, text);
    message.push_str(&surroundings(cx, &raw));
    let decoded = payload.own.clone().or_else(|| payload.joined.as_ref().map(|(decoded, _)| decoded.clone()));
    match (&payload, &raw.note) {
        (Payload { own: Some(own), .. }, _) => message.push_str(&format!(" hide {}", quoted(own))),
        (Payload { joined: Some((joined, runs)), .. }, _) => {
            let among = match text.chars().nth(1) {
                None => format!(" is one of {runs} places"),
                Some(_) => format!(" are one of {runs} runs"),
            };
            message.push_str(&format!("{among} that together hide {}", quoted(joined)));
        }
        (_, Some(note)) => message.push_str(&format!(" {note}")),
        (Payload { tried: true, .. }, None) => {
            let mut kinds: Vec<char> = text.chars().collect();
            let count = kinds.len();
            kinds.sort_unstable();
            kinds.dedup();
            message.push_str(&format!(" follow no known encoding; {count} symbols of {} kinds", kinds.len()));
        }
        _ => {}
    }
    let help = help(&raw, &payload);
    UnicodeHit { class: raw.class, span: raw.span, level: raw.level, message, help, fix: raw.fix, decoded }
}

/// What the characters are.
fn subject(raw: &Raw, text: &str) -> String {
    if raw.class == Class::Homoglyph && raw.note.is_none() {
        return lookalikes(text);
    }
    // An escape sequence is named after its first character.
    let sequence = raw.class == Class::ControlChar && text.starts_with(['\u{1B}', '\u{9B}']) && raw.note.is_some();
    let shown: Vec<char> = match raw.class {
        _ if sequence => text.chars().take(1).collect(),
        Class::ZwSplit if raw.note.is_some() => return format!("\"{}\":", cropped(text, NEIGHBOUR * 4)),
        Class::OutOfSight => return format!("\"{}\"", cropped(text, NEIGHBOUR * 4)),
        Class::BlankBits => return "blanks of several kinds".to_owned(),
        Class::Zalgo => return format!("combining marks U+{:04X} and more:", text.chars().next().map_or(0, u32::from)),
        Class::Homoglyph => return format!("\"{}\"", cropped(text, NEIGHBOUR * 4)),
        _ => text.chars().collect(),
    };
    let (first, last) = (shown.first().copied().unwrap_or(' '), shown.last().copied().unwrap_or(' '));
    if shown.len() == 1 {
        return code_and_name(first);
    }
    let same = shown.iter().all(|&c| c == first);
    match same {
        true => format!("{} {}: {}", shown.len(), raw.class.noun(), code_and_name(first)),
        false => {
            format!("{} {} (U+{:04X}..U+{:04X})", shown.len(), raw.class.noun(), u32::from(first), u32::from(last))
        }
    }
}

fn code_and_name(c: char) -> String {
    match name(c) {
        Some(name) => format!("U+{:04X} {name}", u32::from(c)),
        None => format!("U+{:04X}", u32::from(c)),
    }
}

/// `"pаypal": U+0430 CYRILLIC SMALL LETTER A looks like "a"`, each kind of letter once.
fn lookalikes(token: &str) -> String {
    const SHOWN: usize = 4;
    let mut seen: Vec<(char, char)> = Vec::new();
    for c in token.chars() {
        if let Some(ascii) = lookalike(c)
            && !seen.contains(&(c, ascii))
        {
            seen.push((c, ascii));
        }
    }
    let mut parts: Vec<String> =
        seen.iter().take(SHOWN).map(|&(c, ascii)| format!("{} looks like \"{ascii}\"", code_and_name(c))).collect();
    if seen.len() > SHOWN {
        parts.push(format!("and {} more", seen.len() - SHOWN));
    }
    format!("\"{}\": {}", cropped(token, NEIGHBOUR * 4), parts.join(", "))
}

/// What stands around the hit, and what kind of region it is in.
fn surroundings(cx: &TextContext<'_>, raw: &Raw) -> String {
    let mut out = String::new();
    let line = cx.line(raw.span.start).span;
    let regions = cx.regions(raw.span);
    // A path ends where its code span does; what stands behind that is no neighbour.
    let in_path = regions.has(RegionKind::Path);
    let within =
        |text: &str, end: fn(&str) -> &str| if in_path { end(text).trim().to_owned() } else { text.to_owned() };
    let before = before(cx.window_before(raw.span.start), raw.span.start - line.start.min(raw.span.start));
    let before = within(&before, |text| text.rsplit('`').next().unwrap_or(text));
    let after = within(&after(cx.window_after(raw.span.end)), |text| text.split('`').next().unwrap_or(text));
    let words = matches!(raw.class, Class::Homoglyph | Class::OutOfSight | Class::BlankBits)
        || (raw.class == Class::ZwSplit && raw.note.is_some());
    if !words {
        match (before.as_str(), after.as_str()) {
            ("", "") => {}
            (before, "") => out.push_str(&format!(" after \"{before}\"")),
            ("", after) => out.push_str(&format!(" before \"{after}\"")),
            (before, after) => out.push_str(&format!(" between \"{before}\" and \"{after}\"")),
        }
    }
    if let Some(region) = regions.describe() {
        out.push_str(&format!(" in {region}"));
    }
    out
}

/// The last visible word or two before the hit, on its line of which `reach` bytes lie before it.
fn before(window: &str, reach: usize) -> String {
    let seen: Vec<char> = tail(window, reach).chars().rev().filter(|&c| !is_hidden(c)).take(NEIGHBOUR).collect();
    let text: String = seen.into_iter().rev().collect();
    text.trim().to_owned()
}

fn after(window: &str) -> String {
    let line = window.split(['\n', '\r']).next().unwrap_or("");
    let text: String = line.chars().filter(|&c| !is_hidden(c)).take(NEIGHBOUR).collect();
    text.trim().to_owned()
}

/// The payload in quotes: escaped, capped.
fn quoted(decoded: &Decoded) -> String {
    if decoded.hex {
        return format!("bytes that are no text: {}", cropped(&decoded.text, PAYLOAD));
    }
    format!("text: \"{}\"", cropped(&decoded.text, PAYLOAD))
}

/// `text` escaped and, where it is longer than `limit` characters, cut.
fn cropped(text: &str, limit: usize) -> String {
    let safe = visible(text);
    match safe.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &safe[..end]),
        None => safe.into_owned(),
    }
}

fn help(raw: &Raw, payload: &Payload) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let fix = raw.fix.as_ref().map(|fix| (fix.applicability, fix.edits.iter().all(|(_, text)| text.is_empty())));
    parts.push(match (fix, raw.class) {
        (_, Class::InvalidUtf8) => "save the file as UTF-8".to_owned(),
        (Some((Applicability::Safe, true)), _) => "remove it".to_owned(),
        (Some((Applicability::Safe, false)), _) => "replace it with a plain space".to_owned(),
        (Some((_, removes)), _) if raw.holds.is_some() => {
            let what = match raw.holds {
                Some(Holds::Import) => "which file the `@path` imports",
                Some(Holds::Code) => "what is code here",
                Some(Holds::Frontmatter) => "what is frontmatter here",
                Some(Holds::Field) => "which field of the frontmatter this is",
                Some(Holds::Comment) => "what is a comment here",
                _ => "how Markdown parses the line",
            };
            format!("{}; this changes {what}", if removes { "remove it" } else { "replace it with a plain space" })
        }
        (_, Class::BlankBits) => "write plain spaces".to_owned(),
        (_, Class::OutOfSight) => "move the text to where a reviewer sees it, or remove it".to_owned(),
        (_, Class::Homoglyph) => "write it in ASCII letters if that is what is meant".to_owned(),
        (_, Class::ReplacementCharacter) => "restore the text from its source: a conversion lost it".to_owned(),
        (_, Class::Annotation) => "write the annotation as visible text, or remove it".to_owned(),
        (_, Class::LineSeparator) => "use an ordinary line ending".to_owned(),
        (_, Class::PuaRun) => {
            "only the author knows what private-use characters mean; write it in plain text".to_owned()
        }
        (_, Class::Unassigned) => {
            "hintlint's version of Unicode does not define it; remove it if it is not newer".to_owned()
        }
        (_, Class::Zalgo) => "keep the marks that the spelling needs".to_owned(),
        (Some((Applicability::Unsafe, true)), _) => "remove it if nothing needs it".to_owned(),
        (Some((Applicability::Unsafe, false)), _) => "replace it with a line break if one is intended".to_owned(),
        (Some((Applicability::Manual, false)), Class::BidiOverride | Class::BidiIsolate) => {
            "close it on its line".to_owned()
        }
        (Some((Applicability::Manual, true)), _) => "remove it unless it is there on purpose".to_owned(),
        (Some((Applicability::Manual, false)), _) => "use a plain space".to_owned(),
        (None, _) => return payload_help(payload),
    });
    parts.extend(payload_help(payload));
    Some(parts.join("; "))
}

fn payload_help(payload: &Payload) -> Option<String> {
    let Payload { own, joined, .. } = payload;
    let decoded = own.as_ref().or(joined.as_ref().map(|(decoded, _)| decoded))?;
    let mut help = format!("treat the decoded text ({}) as untrusted: do not follow it", decoded.scheme);
    if own.is_some()
        && let Some((joined, runs)) = joined
    {
        help.push_str(&format!("; all {runs} such runs of the file together hide {}", quoted(joined)));
    }
    Some(help)
}

/// The message for bytes that are not UTF-8.
pub(super) fn invalid(bytes: &[u8], span: Span) -> String {
    const SHOWN: usize = 8;
    let mut list: Vec<String> = bytes[span.range()].iter().take(SHOWN).map(|byte| format!("{byte:02X}")).collect();
    if span.len() > SHOWN {
        list.push("…".to_owned());
    }
    let kind = match &bytes[span.range()] {
        [0xED, 0xA0..=0xBF, ..] => "a surrogate, which UTF-8 does not have",
        [0xC0 | 0xC1, ..] | [0xE0, 0x80..=0x9F, ..] | [0xF0, 0x80..=0x8F, ..] => "an overlong form",
        [0xF4, 0x90..=0xFF, ..] | [0xF5..=0xFF, ..] => "no UTF-8 has such bytes",
        [0x80..=0xBF, ..] => "a continuation without a start; perhaps Windows-1252",
        _ => "perhaps Latin-1",
    };
    let (noun, verb) = if span.len() == 1 { ("byte", "is") } else { ("bytes", "are") };
    format!("{noun} {} {verb} not UTF-8: {kind}", list.join(" "))
}
