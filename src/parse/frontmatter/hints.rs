//! Values of `argument-hint` that are no YAML, read as the text that their author meant. Knows no other field.

use super::entries::entries;
use super::yaml::{self, YamlTree};
use super::{FrontmatterNode, Value};
use crate::base::text::Span;

/// Read YAML whose only flaw is an `argument-hint: [file] [line]`. Claude Code documents that very form, unquoted, and reads it
/// as text. Returns the places of these values, too.
pub(super) fn with_hints_as_text(source: &str, base: usize) -> Option<(YamlTree, Vec<Span>)> {
    let is_hint = |key: Span| &source[key.range()] == "argument-hint";
    let hints: Vec<Span> = entries(source)
        .into_iter()
        .filter(|entry| entry.key.is_some_and(is_hint) && !entry.continued)
        .map(|entry| entry.rest)
        .filter(|rest| source[rest.range()].starts_with(['[', '<']))
        .collect();
    if hints.is_empty() {
        return None;
    }
    let mut masked = String::with_capacity(source.len());
    for &hint in &hints {
        masked.push_str(&source[masked.len()..hint.start]);
        masked.extend(std::iter::repeat_n('x', hint.len()));
    }
    masked.push_str(&source[masked.len()..]);
    let mut tree = yaml::parse(&masked, base).ok()?;
    if let Some(FrontmatterNode { value: Value::Map(fields), .. }) = &mut tree.root {
        for field in fields.iter_mut().filter(|field| field.key == "argument-hint") {
            let span = field.value.span;
            field.value.value = Value::String(source[span.start - base..span.end - base].to_owned());
        }
    }
    let hints = hints.into_iter().map(|hint| Span::new(base + hint.start, base + hint.end)).collect();
    Some((tree, hints))
}
