//! What an agent makes of a file's bytes, by its table: invalid UTF-8, both ends of the text, invisible characters; and the
//! YAML between two lines of `---`. It knows no agent.

use super::settings::{self, SettingsFormat};
use crate::agents::{InvalidUtf8, Invisible, TextTreatment, Trim};
use crate::parse::imports::{is_js_space, js_trim};
use crate::parse::unicode;
use serde_json::Value;
use std::borrow::Cow;
use std::ops::RangeInclusive;
use unicode_normalization::UnicodeNormalization;

impl TextTreatment {
    /// The text of `bytes`; `None` if the agent drops the file.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self.invalid_utf8 {
            InvalidUtf8::Replaced => Some(String::from_utf8_lossy(bytes)),
            InvalidUtf8::DropsFile => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        }
    }

    /// `text` without its frontmatter, and the byte-order mark before that, where the table says that it goes.
    pub(crate) fn without_frontmatter(self, text: &str) -> &str {
        let body = || Some(frontmatter(text.strip_prefix('\u{feff}').unwrap_or(text))?.1);
        if self.drops_frontmatter { body().unwrap_or(text) } else { text }
    }

    /// `text` without what goes at both ends.
    pub(crate) fn trim(self, text: &str) -> &str {
        match self.trim {
            Trim::Nothing => text,
            Trim::ByteOrderMark => text.strip_prefix('\u{feff}').unwrap_or(text),
            Trim::WhiteSpace => text.trim(),
            Trim::JavaScript => js_trim(text),
        }
    }

    /// `text` without the invisible characters that go.
    pub(crate) fn clean(self, text: &str) -> String {
        if text.is_ascii() && self.invisible != Invisible::Sanitized {
            return text.to_owned();
        }
        let stays = |removed: &[RangeInclusive<char>], c: &char| !removed.iter().any(|range| range.contains(c));
        match self.invisible {
            Invisible::Kept => text.to_owned(),
            Invisible::NfcThenWithout(removed) => text.nfc().filter(|c| stays(removed, c)).collect(),
            Invisible::WithoutThenNfc(removed) => text.chars().filter(|c| stays(removed, c)).nfc().collect(),
            Invisible::Sanitized => unicode::sanitize(text).into_owned(),
        }
    }
}

/// `---` on the first line, YAML, and `---` alone on a line: the YAML and what follows.
pub(crate) fn frontmatter(text: &str) -> Option<(&str, &str)> {
    let line_end = |text: &str| if text.starts_with("\r\n") { 2 } else { usize::from(text.starts_with('\n')) };
    let rest = text.strip_prefix("---")?;
    let rest = &rest[Some(line_end(rest)).filter(|&len| len > 0)?..];
    let mut from = 0;
    while let Some(at) = rest[from..].find("\n---").map(|at| from + at) {
        let after = &rest[at + 4..];
        if after.is_empty() || line_end(after) > 0 {
            return Some((&rest[..at], &after[line_end(after)..]));
        }
        from = at + 1;
    }
    None
}

/// The value of `yaml`, of which the last of equal keys counts; where it is not YAML, of the same text with its values quoted.
/// `None` if both fail.
pub(crate) fn lenient_yaml(yaml: &str) -> Option<Value> {
    let parse = |yaml: &str| settings::parse(yaml, SettingsFormat::YamlLastKeys);
    parse(yaml).or_else(|_| parse(&with_values_quoted(yaml))).ok()
}

/// YAML with the values of simple `key: value` lines quoted where they hold characters that mean something to YAML, and with
/// tabs at the start of lines as blanks, as the agent tries when parsing fails. A line that ends in CR is left alone.
pub(crate) fn with_values_quoted(yaml: &str) -> String {
    let quoted = yaml.split('\n').map(|line| {
        let Some((key, value)) = line.split_once(':') else { return line.to_owned() };
        let simple = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'));
        let text = value.trim_start_matches(is_js_space);
        let one_line = !text.is_empty() && !text.contains(['\r', '\u{2028}', '\u{2029}']);
        if !simple || !one_line || text.len() == value.len() || !needs_quotes(text) {
            return line.to_owned();
        }
        format!("{key}: {}", Value::String(text.to_owned()))
    });
    let quoted = quoted.map(|line| {
        let rest = line.trim_start_matches('\t');
        format!("{}{rest}", "  ".repeat(line.len() - rest.len()))
    });
    quoted.collect::<Vec<_>>().join("\n")
}

fn needs_quotes(value: &str) -> bool {
    let between = |open: char, close: char| value.starts_with(open) && value.ends_with(close);
    if between('"', '"') || between('\'', '\'') {
        return false;
    }
    if between('[', ']') && settings::parse(value, SettingsFormat::YamlLastKeys).is_ok_and(|value| value.is_array()) {
        return false;
    }
    value.contains(['{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`']) || value.contains(": ")
}
