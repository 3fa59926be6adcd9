//! The quotes that fix invalid YAML: values that hold `: ` or begin with a character that YAML keeps for itself.
//!
//! A repair wraps what the author wrote in quotes and changes nothing else. It is offered only when the whole text, with all
//! repairs in place, is valid and each repaired value reads as its text was written.

use super::entries::{FieldLines, entries, lines, split_key};
use super::{FrontmatterNode, Value, yaml};
use crate::base::text::Span;

/// How many values of one file are repaired; a file with more is broken in another way.
const MAX_REPAIRS: usize = 64;

/// One value that needs quotes. Offsets are relative to the YAML text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repair {
    /// The key it belongs to.
    pub(super) key: String,
    /// The value as it stands.
    pub(super) span: Span,
    /// The value with quotes.
    pub(super) replacement: String,
    /// What YAML trips over, for the message.
    pub(super) cause: String,
    /// What the value must read as afterwards.
    expected: Vec<String>,
}

/// The repairs that make `yaml` valid; empty when quotes alone cannot.
pub(super) fn repairs(yaml: &str) -> Vec<Repair> {
    let mut repairs = Vec::new();
    let mut broken = 0;
    for entry in entries(yaml) {
        if yaml::parse(&yaml[entry.whole.range()], 0).is_err() {
            broken += 1;
            if broken > MAX_REPAIRS {
                return Vec::new();
            }
            repair_entry(yaml, entry, &mut repairs);
        }
    }
    if verified(yaml, &repairs) { repairs } else { Vec::new() }
}

fn repair_entry(yaml: &str, entry: FieldLines, repairs: &mut Vec<Repair>) {
    let Some(key) = entry.key.map(|key| &yaml[key.range()]) else { return };
    let rest = &yaml[entry.rest.range()];
    if !rest.is_empty() {
        let end = if entry.continued {
            entry.whole.start + yaml[entry.whole.range()].trim_end().len()
        } else {
            entry.rest.end
        };
        repairs.extend(repair_value(yaml, key, Span::new(entry.rest.start, end)));
        return;
    }
    // Text below a `|` or `>` is not YAML, and its lines are not looked at one by one.
    let whole = &yaml[entry.whole.range()];
    if whole.lines().any(|line| is_block_header(line.rsplit([' ', '\t']).next().unwrap_or(""))) {
        return;
    }
    for line in lines(whole).skip(1) {
        let text = &whole[line.range()];
        let content = text.trim_start_matches([' ', '\t']);
        let item = content.trim_start_matches("- ").trim_start();
        let start = entry.whole.start + line.start + (text.len() - item.len());
        let value = match split_key(item) {
            Some((_, value)) => Span::new(start + value.start, start + value.end),
            None if item.len() < content.len() => Span::new(start, start + item.trim_end().len()),
            None => continue,
        };
        let snippet = format!("- {}", &yaml[value.range()]);
        let reads = matches!(yaml::parse(&snippet, 0).map(|tree| tree.root), Ok(Some(FrontmatterNode { value: Value::List(items), .. }))
            if !matches!(items[..], [FrontmatterNode { value: Value::Map(_), .. }]) || snippet.starts_with("- {"));
        if !reads {
            repairs.extend(repair_value(yaml, key, value));
        }
    }
}

fn is_block_header(word: &str) -> bool {
    let mut chars = word.chars();
    matches!(chars.next(), Some('|' | '>')) && chars.all(|c| matches!(c, '+' | '-' | '1'..='9'))
}

/// Quote the value at `span`, if its text leaves no doubt about what was meant.
fn repair_value(yaml: &str, key: &str, span: Span) -> Option<Repair> {
    let text = &yaml[span.range()];
    let text = text.find(" # ").map_or(text, |at| text[..at].trim_end());
    let span = Span::new(span.start, span.start + text.len());
    let first = text.chars().next()?;
    // Unknown: whether a `#12` after a blank was meant as a comment, and whether the text behind a `|` or `>` belongs on its
    // own line.
    let is_block = text.split_whitespace().next().is_some_and(is_block_header);
    if text.contains(" #") || text.contains("\t#") || is_block {
        return None;
    }
    if let Some(inner) = quoted_all_over(text) {
        return Some(Repair {
            key: key.into(),
            span,
            replacement: quoted(inner),
            cause: "quotes inside its quotes".into(),
            expected: vec![folded(inner)],
        });
    }
    let cause = match first {
        '"' | '\'' if text.ends_with(first) || text.matches(first).count() % 2 == 1 => return None,
        '[' | '{' if closes_at_end(text) && !text.starts_with("{{") => return repair_list(key, span, text),
        '[' | '{' if matching_close(text).is_none() => return None,
        '*' if yaml.contains(&format!("&{}", &text[1..])) => return None,
        '"' | '\'' => "text that goes on after its closing quote".into(),
        '[' | '{' | '*' | '&' | '@' | '`' | '%' | '!' | '|' | '>' => format!("a value that begins with `{first}`"),
        _ if text.contains(": ") || text.contains(":\t") => "a value that contains `: `".into(),
        _ if text.ends_with(':') || text.contains(":\n") => "a value with a `:` at a line's end".into(),
        _ => "this value".into(),
    };
    Some(Repair { key: key.into(), span, replacement: quoted(text), cause, expected: vec![folded(text)] })
}

/// The text between quotes that plainly stand around the whole value, although quotes stand inside too: `'don't'`, `"say "hi" now"`.
/// A first inner quote that could close the outer one leaves doubt, as in `"Foo" and "bar"`.
fn quoted_all_over(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let at = inner.find(quote)?;
    let before = inner[..at].chars().last()?;
    let after = inner[at + 1..].chars().next()?;
    let opens = (before.is_whitespace() || matches!(before, '(' | ':' | '=')) && after.is_alphanumeric();
    let apostrophes = || {
        let ends: Vec<_> = inner.split(quote).map(|part| (part.chars().next(), part.chars().last())).collect();
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        quote == '\'' && ends.windows(2).all(|pair| is_letter(pair[0].1) && is_letter(pair[1].0))
    };
    // An escape in double quotes means something that other quotes would change.
    (!inner.contains('\\') && (opens || apostrophes())).then_some(inner)
}

/// Quote the items of `[*.ts, *.tsx]` one by one: a list was meant.
fn repair_list(key: &str, span: Span, text: &str) -> Option<Repair> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let items: Vec<&str> = split_items(inner);
    let mut expected = Vec::new();
    let mut replacement = String::from("[");
    for (index, item) in items.iter().enumerate() {
        let bare = item.trim();
        if bare.is_empty() || bare.starts_with('[') {
            return None;
        }
        if index > 0 {
            replacement.push(',');
        }
        let blanks = item.len() - item.trim_start().len();
        replacement.push_str(&item[..blanks]);
        let needs_quotes = !bare.starts_with(['"', '\''])
            && (bare.contains([':', '{', ',']) || bare.starts_with(['*', '@', '&', '!', '%', '`']));
        if needs_quotes {
            replacement.push_str(&quoted(bare));
            expected.push(bare.to_owned());
        } else {
            replacement.push_str(bare);
        }
        replacement.push_str(&item[blanks + bare.len()..]);
    }
    replacement.push(']');
    Some(Repair {
        key: key.into(),
        span,
        replacement,
        cause: "a list item that begins with a reserved character of YAML".into(),
        expected,
    })
}

/// Split at commas outside braces and quotes.
pub(super) fn split_items(inner: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_usize, None);
    for (at, c) in inner.char_indices() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                items.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&inner[start..]);
    items
}

/// Where the bracket that opens `text` is closed.
fn matching_close(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn closes_at_end(text: &str) -> bool {
    matching_close(text) == Some(text.len() - 1)
}

/// `text` in double quotes, or in single ones if it holds characters that double quotes would change.
fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) { format!("'{}'", text.replace('\'', "''")) } else { format!("\"{text}\"") }
}

/// Several lines as YAML folds them: one blank for a line end, a line end for each empty line.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for (index, line) in text.lines().enumerate() {
        let line = if index == 0 { line.trim_end() } else { line.trim() };
        if line.is_empty() {
            empty += 1;
            continue;
        }
        match (index, empty) {
            (0, _) => {}
            (_, 0) => out.push(' '),
            (_, n) => out.extend(std::iter::repeat_n('\n', n)),
        }
        empty = 0;
        out.push_str(line);
    }
    out
}

/// Whether `yaml` with all `repairs` is valid and every repaired value reads as expected.
fn verified(yaml: &str, repairs: &[Repair]) -> bool {
    if repairs.is_empty() {
        return false;
    }
    let mut fixed = String::with_capacity(yaml.len() + 2 * repairs.len());
    let mut places = Vec::new();
    let mut copied = 0;
    for repair in repairs {
        if repair.span.start < copied {
            return false;
        }
        fixed.push_str(&yaml[copied..repair.span.start]);
        places.push(Span::new(fixed.len(), fixed.len() + repair.replacement.len()));
        fixed.push_str(&repair.replacement);
        copied = repair.span.end;
    }
    fixed.push_str(&yaml[copied..]);
    let Ok(Some(root)) = yaml::parse(&fixed, 0).map(|tree| tree.root) else { return false };
    repairs.iter().zip(places).all(|(repair, place)| {
        let mut strings = Vec::new();
        strings_in(&root, place, &mut strings);
        repair.expected.iter().all(|expected| strings.contains(&expected.as_str()))
    })
}

/// The strings that stand inside `place`. Depth is bounded by the YAML reader.
fn strings_in<'n>(node: &'n FrontmatterNode, place: Span, strings: &mut Vec<&'n str>) {
    if !node.span.overlaps(place) {
        return;
    }
    match &node.value {
        Value::String(text) if place.covers(node.span) => strings.push(text),
        Value::List(items) => items.iter().for_each(|item| strings_in(item, place, strings)),
        Value::Map(fields) => fields.iter().for_each(|field| strings_in(&field.value, place, strings)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(yaml: &str) -> Option<String> {
        assert!(yaml::parse(yaml, 0).is_err(), "{yaml:?} is valid as it stands");
        let repairs = repairs(yaml);
        let mut text = yaml.to_owned();
        for repair in repairs.iter().rev() {
            text.replace_range(repair.span.range(), &repair.replacement);
        }
        (!repairs.is_empty()).then_some(text)
    }

    #[test]
    fn quotes_are_all_that_changes() {
        for (yaml, want) in [
            ("a: Use when: it rains", "a: \"Use when: it rains\""),
            ("a: 사용: \"그\" 때\nb: 1\n", "a: '사용: \"그\" 때'\nb: 1\n"),
            ("a: 说明: don't \"x\"\r\nb: 1\r\n", "a: '说明: don''t \"x\"'\r\nb: 1\r\n"),
            ("a: one: two\n  three\n\n  four\n", "a: \"one: two\n  three\n\n  four\"\n"),
            ("globs: *.ts\n", "globs: \"*.ts\"\n"),
            ("globs: *.ts # scripts\n", "globs: \"*.ts\" # scripts\n"),
            ("globs: **/*.{ts,tsx}, src/**\n", "globs: \"**/*.{ts,tsx}, src/**\"\n"),
            ("globs: {src,lib}/**\n", "globs: \"{src,lib}/**\"\n"),
            ("globs: [*.ts, \"b\", c]\n", "globs: [\"*.ts\", \"b\", c]\n"),
            ("a: [WIP] later\n", "a: \"[WIP] later\"\n"),
            ("a: {{x}}\n", "a: \"{{x}}\"\n"),
            ("a: @scope/x\nb: `x` y\nc: %d\nd: !x y\n", "a: \"@scope/x\"\nb: \"`x` y\"\nc: \"%d\"\nd: \"!x y\"\n"),
            ("a: \"Foo\" and \"bar\" baz\n", "a: '\"Foo\" and \"bar\" baz'\n"),
            ("t:\n  - *.ts\n  - Bash(git: *)\n", "t:\n  - \"*.ts\"\n  - \"Bash(git: *)\"\n"),
            ("m:\n  note: a: b\n", "m:\n  note: \"a: b\"\n"),
            ("a: x\\d: y\n", "a: 'x\\d: y'\n"),
            ("a: Use this when:\nb: 1\n", "a: \"Use this when:\"\nb: 1\n"),
            ("a:\tUse when: x\t\nb: 1\n", "a:\t\"Use when: x\"\t\nb: 1\n"),
            ("a: one\n  two: three\nb: 1\n", "a: \"one\n  two: three\"\nb: 1\n"),
            ("a: 说明：当 x: y # 注\n", "a: \"说明：当 x: y\" # 注\n"),
            ("\"a b\": c: d\n", "\"a b\": \"c: d\"\n"),
            ("a: *em* and: x\nb: &c d: e\n", "a: \"*em* and: x\"\nb: \"&c d: e\"\n"),
            ("a: - x\nb: ? y\nc: , z\n", "a: \"- x\"\nb: \"? y\"\nc: \", z\"\n"),
            ("g:\n- **/*.ts\n- @x/y\n- %d\n", "g:\n- \"**/*.ts\"\n- \"@x/y\"\n- \"%d\"\n"),
            ("g: [\n  **/*.ts,\n  *.tsx\n]\nb: 1\n", "g: [\n  \"**/*.ts\",\n  \"*.tsx\"\n]\nb: 1\n"),
            ("a: 'don't do: that'\n", "a: \"don't do: that\"\n"),
            ("a: \"Use when: \"x\" or 'y'\"\n", "a: 'Use when: \"x\" or ''y'''\n"),
        ] {
            assert_eq!(fixed(yaml).as_deref(), Some(want), "{yaml:?}");
        }
    }

    proptest::proptest! {
        /// Whatever was written: what a fixed value reads as was written so, and its neighbours read as before.
        #[test]
        fn a_mended_value_is_what_was_written(value in "[a-c :#'\"\\\\\\[\\]{}*&@%!|>,?\t가：-]{1,14}") {
            let yaml = format!("k: {value}\nl: x\n");
            let found = repairs(&yaml);
            if !found.is_empty() {
                let mut text = yaml.clone();
                for repair in found.iter().rev() {
                    text.replace_range(repair.span.range(), &repair.replacement);
                }
                let Some(FrontmatterNode { value: Value::Map(fields), .. }) = yaml::parse(&text, 0).unwrap().root else {
                    panic!("{text:?}")
                };
                let keys: Vec<&str> = fields.iter().map(|field| field.key.as_str()).collect();
                assert_eq!(keys, ["k", "l"], "{text:?}");
                assert_eq!(fields[1].value.value, Value::String("x".into()));
                if let Value::String(read) = &fields[0].value.value {
                    assert!(value.contains(read.as_str()), "{read:?} in {text:?}");
                }
            }
        }
    }

    #[test]
    fn doubt_means_no_repair() {
        for yaml in [
            "a: fix: see #12\n",
            "a: [x, y\n",
            "a: \"Foo\": \"bar\"\n",
            "a: \"say \"it\\n\" now\"\n",
            "a: > text: on the line\n",
            "a: b: c\nno entry here\n",
            "a: \"x\n",
            "a:\n\tb: c\n",
            "m:\n  t: |\n    x: y: z\n  n: a: b\n",
        ] {
            assert_eq!(fixed(yaml), None, "{yaml:?}");
        }
    }
}
