//! Frontmatter line by line: top-level `key: value` entries with the lines that belong to them. The view of someone who wrote
//! the file, and of readers that split lines; it makes sense of what is no valid YAML.

use crate::base::text::Span;

/// One top-level entry. Offsets are relative to the YAML text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldLines {
    /// The key; `None` for a line that is no entry and belongs to none.
    pub(super) key: Option<Span>,
    /// What stands after the colon on the key's line, trimmed; empty at the colon's end if there is nothing.
    pub(super) rest: Span,
    /// All lines of the entry.
    pub(super) whole: Span,
    /// Whether lines that carry text follow the key's line.
    pub(super) continued: bool,
}

/// Split `yaml` into entries.
pub(super) fn entries(yaml: &str) -> Vec<FieldLines> {
    let mut entries: Vec<FieldLines> = Vec::new();
    for line in lines(yaml) {
        let text = &yaml[line.range()];
        let content = text.trim_end();
        let first = text.as_bytes().first().copied().unwrap_or(b'\n');
        // A closing bracket at the margin is no YAML, strictly, but all readers take it.
        let belongs = matches!(first, b' ' | b'\t' | b'\n' | b'\r' | b'#' | b']' | b'}')
            || content == "-"
            || text.starts_with("- ");
        match entries.last_mut() {
            Some(entry) if belongs => {
                entry.whole.end = line.end;
                entry.continued |= !content.is_empty() && !content.trim_start().starts_with('#');
            }
            None if belongs && (content.is_empty() || first == b'#') => {}
            _ => entries.push(entry(yaml, line)),
        }
    }
    entries
}

/// The lines of `text`, each with its line ending.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = Span::new(start, start + line.len());
        start = span.end;
        span
    })
}

fn entry(yaml: &str, line: Span) -> FieldLines {
    let text = &yaml[line.range()];
    let Some((key, rest)) = split_key(text) else {
        return FieldLines { key: None, rest: Span::empty(line.start), whole: line, continued: false };
    };
    let moved = |span: Span| Span::new(line.start + span.start, line.start + span.end);
    FieldLines { key: Some(moved(key)), rest: moved(rest), whole: line, continued: false }
}

/// Split `key: value`; both spans are relative to `line`. A key is one word of letters, digits, `_`, `-`, `.`, or any text in quotes,
/// which are no part of its span.
pub(super) fn split_key(line: &str) -> Option<(Span, Span)> {
    let (key, after_key) = match line.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => {
            let end = 1 + line[1..].find([quote, '\\']).filter(|&end| line[1 + end..].starts_with(quote))?;
            (Span::new(1, end), end + 1)
        }
        None => {
            let end = line.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))?;
            (Span::new(0, end), end)
        }
    };
    if key.is_empty() || line.starts_with('-') {
        return None;
    }
    let colon = after_key + (line[after_key..].len() - line[after_key..].trim_start_matches([' ', '\t']).len());
    let after = line[colon..].strip_prefix(':')?;
    if !after.is_empty() && !after.starts_with([' ', '\t', '\r', '\n']) {
        return None;
    }
    let value = after.trim();
    let start = if value.is_empty() { colon + 1 } else { colon + 1 + (after.len() - after.trim_start().len()) };
    Some((key, Span::new(start, start + value.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_take_their_continuation_lines() {
        let yaml = "# c\na: 1\nb:\n- x\n  y\n\nno entry\nc-d : e: f\r\n";
        let found: Vec<_> = entries(yaml)
            .iter()
            .map(|e| (e.key.map(|key| &yaml[key.range()]), &yaml[e.rest.range()], e.continued))
            .collect();
        assert_eq!(
            found,
            [(Some("a"), "1", false), (Some("b"), "", true), (None, "", false), (Some("c-d"), "e: f", false)]
        );
    }
}
