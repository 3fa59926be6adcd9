//! Frontmatter as Cursor writes and reads it: line by line, so that `globs: **/*.ts, *.tsx` is a string although it is no YAML.

use std::collections::BTreeMap;

use super::entries::{FieldLines, entries};
use super::quote::split_items;
use super::yaml::{self, YamlError, YamlTree};
use super::{Field, FrontmatterNode, Value};
use crate::base::text::Span;

/// Read `yaml`; all offsets in the answer have `base` added. Valid YAML reads as YAML.
pub(super) fn parse(yaml: &str, base: usize) -> Result<YamlTree, YamlError> {
    if let Ok(tree) = yaml::parse(yaml, base) {
        return Ok(tree);
    }
    let mut tree = YamlTree::default();
    let mut fields: Vec<Field> = Vec::new();
    let mut seen = BTreeMap::new();
    for entry in entries(yaml) {
        let field = match yaml::parse(&yaml[entry.whole.range()], base + entry.whole.start) {
            Ok(part) => {
                tree.comments.extend(part.comments);
                match part.root.map(|root| root.value) {
                    Some(Value::Map(fields)) if fields.len() == 1 => fields.into_iter().next(),
                    _ => None,
                }
            }
            Err(error) => Some(lenient(yaml, base, entry).ok_or(error)?),
        };
        let Some(field) = field else {
            return Err(YamlError {
                message: "`key: value` is expected here".into(),
                offset: base + entry.whole.start,
            });
        };
        match seen.get(&field.key) {
            Some(&first) => tree.duplicates.push((field.key.clone(), first, field.key_span)),
            None => drop(seen.insert(field.key.clone(), field.key_span)),
        }
        fields.push(field);
    }
    let span = Span::new(base, base + yaml.len());
    tree.root = Some(FrontmatterNode { span, value: Value::Map(fields) });
    Ok(tree)
}

/// An entry whose value is taken as the text that stands there. Quotes and brackets that are left open stay errors.
fn lenient(yaml: &str, base: usize, entry: FieldLines) -> Option<Field> {
    let key_span = entry.key?;
    let end = entry.whole.start + yaml[entry.whole.range()].trim_end().len();
    let value = Span::new(entry.rest.start, if entry.continued { end } else { entry.rest.end });
    let text = &yaml[value.range()];
    let moved = |span: Span| Span::new(base + span.start, base + span.end);
    let node = |span: Span, value: Value| FrontmatterNode { span: moved(span), value };
    let value = if entry.rest.is_empty() || text.starts_with(['|', '>']) {
        return None;
    } else if let Some(open) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        // `"a", "b"` without brackets is a string for Cursor; a quote that nothing closes is a slip.
        if text.matches(open).count() % 2 == 1 {
            return None;
        }
        node(value, Value::String(text.to_owned()))
    } else if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']')?;
        let mut at = value.start + 1;
        let mut items = Vec::new();
        for item in split_items(inner) {
            let bare = item.trim();
            let start = at + (item.len() - item.trim_start().len());
            at += item.len() + 1;
            if !bare.is_empty() {
                let text = bare.trim_matches(['"', '\'']).to_owned();
                items.push(node(Span::new(start, start + bare.len()), Value::String(text)));
            }
        }
        node(value, Value::List(items))
    } else {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        node(value, Value::String(lines.join(" ")))
    };
    Some(Field { key: yaml[key_span.range()].to_owned(), key_span: moved(key_span), value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(yaml: &str) -> Vec<(String, Value)> {
        match parse(yaml, 0).unwrap().root.unwrap().value {
            Value::Map(fields) => fields.into_iter().map(|field| (field.key, field.value.value)).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_cursor_writes_is_read() {
        let text = |s: &str| Value::String(s.into());
        for (yaml, want) in [
            ("globs: **/*.ts, *.tsx\n", text("**/*.ts, *.tsx")),
            ("globs:\nalwaysApply: true\nx: *y\n", Value::Null),
            ("globs: {src,lib}/**/*.ts\n", text("{src,lib}/**/*.ts")),
            ("globs: \"a\", \"*.b\"\n", text("\"a\", \"*.b\"")),
            ("globs: Rules: for *.ts #1\n", text("Rules: for *.ts #1")),
        ] {
            assert_eq!(read(yaml)[0].1, want, "{yaml:?}");
        }
        let items = |yaml: &str| match &read(yaml)[0].1 {
            Value::List(items) => items.iter().map(|item| item.value.clone()).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(items("globs: [*.ts, \"*.{a,b}\"]\n"), [text("*.ts"), text("*.{a,b}")]);
        assert_eq!(items("globs:\n  - \"*.ts\"\nd: *x\n"), [text("*.ts")]);
    }

    #[test]
    fn slips_stay_errors() {
        for yaml in ["description: \"x\nglobs: *.ts\n", "globs: [*.ts\n", "what: *x\nno entry\n", "a:\n\tb: 1\nc: *\n"]
        {
            assert!(parse(yaml, 0).is_err(), "{yaml:?}");
        }
    }
}
