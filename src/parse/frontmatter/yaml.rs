//! YAML text to a tree of nodes with byte spans. Knows nothing of fences, kinds or fixes.
//!
//! Bounded by construction: nesting by the scanner's limits, aliases by a budget of copied nodes. A document that exceeds a
//! bound is an error like any other.

use std::collections::BTreeMap;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, StructureStyle, options};

use super::{Field, FrontmatterNode, Value};
use crate::base::text::Span;

/// How deep collections may nest.
const MAX_DEPTH: usize = 64;
/// How many nodes all aliases of a document together may copy.
const MAX_ALIASED_NODES: usize = 10_000;

/// What a YAML text says.
#[derive(Debug, Default)]
pub(super) struct YamlTree {
    /// The root node; `None` for a text without any content.
    pub(super) root: Option<FrontmatterNode>,
    /// Keys that stand twice in one mapping: the key, the first place, the second.
    pub(super) duplicates: Vec<(String, Span, Span)>,
    /// Comments, from `#` to the end of the line.
    pub(super) comments: Vec<Span>,
}

/// Why a YAML text cannot be read, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct YamlError {
    /// One plain clause, without a final full stop.
    pub(super) message: String,
    /// The offset at which reading stopped.
    pub(super) offset: usize,
}

impl YamlError {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        YamlError { message: message.into(), offset }
    }
}

/// Read `yaml`; all offsets in the answer have `base` added.
pub(super) fn parse(yaml: &str, base: usize) -> Result<YamlTree, YamlError> {
    let options = options! {
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
        max_buffered_comment_events: usize::MAX,
    };
    let mut builder = YamlBuilder { yaml, base, ..YamlBuilder::default() };
    for event in Parser::new_from_str_with_options(yaml, options) {
        let (event, span) = event.map_err(|error| {
            let offset = error.marker().byte_offset().unwrap_or(0).min(yaml.len());
            YamlError::new(base + offset, plain_words(error.kind()))
        })?;
        let range = span.byte_range().unwrap_or(0..0);
        let place = Span::new(base + range.start, base + range.end.max(range.start));
        if let Some(tag) = event.tag().filter(|tag| !tag.is_yaml_core_schema()) {
            let at = span.tag_start().and_then(|mark| mark.byte_offset()).unwrap_or(range.start);
            return Err(YamlError::new(base + at, format!("unknown YAML tag `{}`", tag.original())));
        }
        builder.event(event, place)?;
    }
    Ok(builder.tree)
}

/// A collection that is still open.
struct OpenCollection {
    start: usize,
    flow: bool,
    anchor: usize,
    content: CollectionContent,
}

enum CollectionContent {
    List(Vec<FrontmatterNode>),
    Map { fields: Vec<Field>, key: Option<(String, Span)>, seen: BTreeMap<String, Span> },
}

#[derive(Default)]
struct YamlBuilder<'t> {
    yaml: &'t str,
    base: usize,
    tree: YamlTree,
    documents: usize,
    stack: Vec<OpenCollection>,
    anchors: BTreeMap<usize, FrontmatterNode>,
    aliased: usize,
}

impl YamlBuilder<'_> {
    fn event(&mut self, event: Event<'_>, place: Span) -> Result<(), YamlError> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(YamlError::new(place.start, "a second YAML document begins here"));
                }
            }
            Event::Comment(..) => self.tree.comments.push(place),
            Event::Scalar(text, style, anchor, tag) => {
                let forced = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
                let value = match style {
                    ScalarStyle::Plain if place.is_empty() => Value::Null,
                    ScalarStyle::Plain if !forced => plain_value(&text),
                    _ => Value::String(text.into_owned()),
                };
                return self.node(FrontmatterNode { span: self.trimmed(place), value }, anchor);
            }
            Event::SequenceStart(style, anchor, _) => {
                self.open(place.start, style, anchor, CollectionContent::List(Vec::new()))?;
            }
            Event::MappingStart(style, anchor, _) => {
                let content = CollectionContent::Map { fields: Vec::new(), key: None, seen: BTreeMap::new() };
                self.open(place.start, style, anchor, content)?;
            }
            Event::SequenceEnd | Event::MappingEnd => return self.close(place),
            Event::Alias(id) => {
                let Some(mut node) = self.anchors.get(&id).cloned() else {
                    return Err(YamlError::new(place.start, "an alias refers to the value that contains it"));
                };
                self.aliased += count(&node);
                relocate(&mut node, place);
                if self.aliased > MAX_ALIASED_NODES {
                    return Err(YamlError::new(place.start, "aliases repeat more values than any reader would load"));
                }
                return self.node(node, 0);
            }
            _ => {}
        }
        Ok(())
    }

    /// A collection begins. One that would be a key is refused: no reader of frontmatter keeps it.
    fn open(
        &mut self,
        start: usize,
        style: StructureStyle,
        anchor: usize,
        content: CollectionContent,
    ) -> Result<(), YamlError> {
        if let Some(OpenCollection { content: CollectionContent::Map { key: None, .. }, .. }) = self.stack.last() {
            return Err(YamlError::new(start, "a key cannot be a list or a mapping"));
        }
        self.stack.push(OpenCollection { start, flow: style == StructureStyle::Flow, anchor, content });
        Ok(())
    }

    fn close(&mut self, place: Span) -> Result<(), YamlError> {
        let Some(frame) = self.stack.pop() else { return Ok(()) };
        let (value, last) = match frame.content {
            CollectionContent::List(items) => {
                let last = items.last().map(|item| item.span.end);
                (Value::List(items), last)
            }
            CollectionContent::Map { fields, .. } => {
                let last = fields.last().map(|field| field.value.span.end);
                (Value::Map(fields), last)
            }
        };
        // The end of a block collection is found at the next token; its text ends with its last entry.
        let end = if frame.flow { place.end } else { last.unwrap_or(frame.start) };
        self.node(FrontmatterNode { span: Span::new(frame.start, end.max(frame.start)), value }, frame.anchor)
    }

    fn node(&mut self, node: FrontmatterNode, anchor: usize) -> Result<(), YamlError> {
        if anchor != 0 {
            self.aliased += count(&node);
            if self.aliased > MAX_ALIASED_NODES {
                return Err(YamlError::new(node.span.start, "anchors hold more values than any reader would load"));
            }
            self.anchors.insert(anchor, node.clone());
        }
        match self.stack.last_mut().map(|frame| &mut frame.content) {
            None => self.tree.root = Some(node),
            Some(CollectionContent::List(items)) => items.push(node),
            Some(CollectionContent::Map { fields, key, seen }) => match key.take() {
                Some((key, key_span)) => fields.push(Field { key, key_span, value: node }),
                None => {
                    let name = match node.value {
                        Value::String(text) | Value::Number(text) => text,
                        _ => slice(self.yaml, self.base, node.span).to_owned(),
                    };
                    match seen.get(&name) {
                        Some(&first) => self.tree.duplicates.push((name.clone(), first, node.span)),
                        None => drop(seen.insert(name.clone(), node.span)),
                    }
                    *key = Some((name, node.span));
                }
            },
        }
        Ok(())
    }

    /// A block scalar's place takes in the line ends that follow it; what a reader would mark does not.
    fn trimmed(&self, place: Span) -> Span {
        let text = slice(self.yaml, self.base, place);
        Span::new(place.start, place.start + text.trim_end_matches(['\n', '\r', ' ', '\t']).len())
    }
}

fn slice(yaml: &str, base: usize, span: Span) -> &str {
    yaml.get(span.start - base..span.end - base).unwrap_or("")
}

/// How many nodes `node` holds, itself included. Depth is bounded by [`MAX_DEPTH`] and the alias budget.
fn count(node: &FrontmatterNode) -> usize {
    1 + match &node.value {
        Value::List(items) => items.iter().map(count).sum::<usize>(),
        Value::Map(fields) => fields.iter().map(|field| 1 + count(&field.value)).sum(),
        _ => 0,
    }
}

/// Give `node` and all below it the span `place`.
fn relocate(node: &mut FrontmatterNode, place: Span) {
    node.span = place;
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| relocate(item, place)),
        Value::Map(fields) => {
            for field in fields {
                field.key_span = place;
                relocate(&mut field.value, place);
            }
        }
        _ => {}
    }
}

/// A plain scalar by the YAML 1.2 core schema.
pub(super) fn plain_value(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if is_number(text) => Value::Number(text.to_owned()),
        _ => Value::String(text.to_owned()),
    }
}

fn is_number(text: &str) -> bool {
    let digits = |text: &str, radix| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    if let Some(rest) = text.strip_prefix("0x") {
        return digits(rest, 16);
    }
    if let Some(rest) = text.strip_prefix("0o") {
        return digits(rest, 8);
    }
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(text, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole)
        && all_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent), 10))
}

/// The scanner's errors as a person would put them.
fn plain_words(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => {
            "a `:` is not allowed here; a value that contains `: ` needs quotes".into()
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::ExpectedBlockMappingKey | ErrorKind::InvalidSimpleKey => {
            "`key: value` is expected here".into()
        }
        ErrorKind::UnknownAnchor => {
            "a value that begins with `*` is an alias in YAML, and there is no such anchor; it needs quotes".into()
        }
        ErrorKind::MissingAnchorOrAliasName => {
            "`*` and `&` begin aliases and anchors in YAML; a value that begins with one needs quotes".into()
        }
        ErrorKind::UnexpectedCharacter { character } => {
            format!("a value cannot begin with `{}` in YAML; it needs quotes", character.escape_default())
        }
        ErrorKind::UnclosedFlowCollection { open } => format!("`{open}` is never closed"),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => format!("`{open}` is closed by `{close}`"),
        ErrorKind::MisplacedFlowCollectionEnd => "a closing bracket has no opening one".into(),
        ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator => {
            "a `,` or the closing bracket is expected here".into()
        }
        ErrorKind::UnclosedQuotedScalar => "a quote is never closed".into(),
        ErrorKind::InvalidTrailingDoubleQuotedScalar | ErrorKind::InvalidTrailingSingleQuotedScalar => {
            "text follows the closing quote".into()
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            "the `\\` in double quotes begins no valid YAML escape; use single quotes".into()
        }
        ErrorKind::TabNotAllowed | ErrorKind::TabInBlockIndentation | ErrorKind::TabInIndentation => {
            "a tab is used as indentation; YAML allows only spaces".into()
        }
        ErrorKind::InvalidIndentation | ErrorKind::ExpectedBlockSequenceEntry => {
            "the indentation does not match the lines above".into()
        }
        ErrorKind::BlockSequenceEntryNotAllowed => "a list item is not allowed here".into(),
        ErrorKind::RecursionLimitExceeded => format!("collections nest deeper than {MAX_DEPTH} levels"),
        ErrorKind::CommentInterceptedScalar => "a comment interrupts a value of several lines".into(),
        ErrorKind::MissingDocumentEndBeforeDirective | ErrorKind::InvalidDirectiveName => {
            "a line that begins with `%` is a directive in YAML".into()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(yaml: &str) -> Vec<Field> {
        match parse(yaml, 0).unwrap().root.unwrap().value {
            Value::Map(fields) => fields,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_key_and_value_has_its_exact_place() {
        let yaml = "a: |\n  x\n  y\n\nb: 'q'\nc:\nd: &x [1, 2]\ne: *x\nü: öd\n  zeile\nh:\n  - 1\n  - k: v\n";
        let places: Vec<(&str, &str)> =
            fields(yaml).iter().map(|f| (&yaml[f.key_span.range()], &yaml[f.value.span.range()])).collect();
        assert_eq!(
            places,
            [
                ("a", "x\n  y"),
                ("b", "'q'"),
                ("c", ""),
                ("d", "[1, 2]"),
                ("e", "*x"),
                ("ü", "öd\n  zeile"),
                ("h", "- 1\n  - k: v")
            ]
        );
    }

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        let text = |s: &str| Value::String(s.into());
        let number = |s: &str| Value::Number(s.into());
        for (yaml, value) in [
            ("yes", text("yes")),
            ("true", Value::Bool(true)),
            ("~", Value::Null),
            ("1.5e3", number("1.5e3")),
            ("0x1F", number("0x1F")),
            ("1.2.3", text("1.2.3")),
            ("-", text("-")),
            (".", text(".")),
            ("1e", text("1e")),
            ("2024-01-01", text("2024-01-01")),
        ] {
            assert_eq!(plain_value(yaml), value, "{yaml}");
        }
        assert_eq!(fields("a: !!str 5")[0].value.value, text("5"));
        assert_eq!(fields("a: '5'")[0].value.value, text("5"));
    }

    #[test]
    fn duplicates_are_found_in_every_mapping() {
        let tree = parse("a: 1\nb: {c: 1, c: 2}\na: 2\n", 10).unwrap();
        let keys: Vec<_> = tree.duplicates.iter().map(|(key, a, b)| (key.as_str(), a.start, b.start)).collect();
        assert_eq!(keys, [("c", 19, 25), ("a", 10, 31)]);
    }

    #[test]
    fn bombs_are_errors_and_quick() {
        let mut laughs = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for level in 1..20 {
            let alias = format!("*a{}", level - 1);
            laughs.push_str(&format!("a{level}: &a{level} [{}]\n", vec![alias; 9].join(", ")));
        }
        let many = |text: &str| text.repeat(1_000_000 / text.len());
        for bomb in [laughs, many("["), many("{a: "), many("- "), "a: &a [*a]".into()] {
            assert!(parse(&bomb, 0).is_err());
        }
    }

    #[test]
    fn what_readers_refuse_is_an_error() {
        for yaml in
            ["a: b: c", "a: *.ts", "a: @x", "a: `x`", "a: %x", "a: !x y", "a: {{b}}", "a: 1\n---\nb: 2", "a:\n\tb: 1"]
        {
            assert!(parse(yaml, 0).is_err(), "{yaml}");
        }
    }
}
