//! Frontmatter with the byte span of every key and value: where its fences stand, and which reader its text gets.

mod entries;
mod fence;
mod mdc;
mod nesting;
mod quote;
mod yaml;

use self::entries::{FieldLines, entries};
pub(crate) use self::nesting::nests_deeper_than;
use self::yaml::{YamlError, YamlTree};
use super::{Problem, ProblemKind};
use crate::base::kind::{FrontmatterStyle, Kind};
use crate::base::text::Span;

/// A file's frontmatter.
#[derive(Clone, Debug)]
pub struct Frontmatter {
    /// The whole block, from the opening fence to the end of the closing fence's line. For a YAML file: the whole file.
    pub span: Span,
    /// The YAML between the fences.
    pub yaml: Span,
    /// The top-level mapping, in source order; empty when the YAML is invalid or is no mapping.
    pub fields: Vec<Field>,
    /// Whether the YAML could be read.
    pub valid: bool,
    /// The top-level value when it is not a mapping (a list, a lone scalar).
    pub other: Option<FrontmatterNode>,
    /// YAML comments, from `#` to the end of the line; empty when the YAML is invalid.
    pub comments: Vec<Span>,
}

/// One `key: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key as text.
    pub key: String,
    /// Where the key stands, with its quotes if any.
    pub key_span: Span,
    /// The value.
    pub value: FrontmatterNode,
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontmatterNode {
    /// Where the value stands; an empty span after the colon for an empty value.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// A YAML value as the agents' readers (YAML 1.2 core schema) see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, `~` or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A plain number, as written.
    Number(String),
    /// A string; also any plain scalar of no other type.
    String(String),
    /// A list.
    List(Vec<FrontmatterNode>),
    /// A mapping, in source order.
    Map(Vec<Field>),
}

impl Value {
    /// The kind of value in words: `a list`, `a string` …
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Value::Null => "empty",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }
}

impl Frontmatter {
    /// The first field named `key`.
    pub(crate) fn get(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// Where the keys stand, nested ones too. In invalid YAML: of the top-level entries, whatever characters their keys have.
    pub(super) fn keys(&self, text: &str) -> Vec<Span> {
        if !self.valid {
            let yaml = &text[self.yaml.range()];
            let before_colon = |entry: Span| {
                let line = yaml[entry.range()].lines().next()?;
                let parts = |colon: usize| line[colon + 1..].chars().next().is_none_or(char::is_whitespace);
                let (colon, _) = line.match_indices(':').find(|&(colon, _)| parts(colon))?;
                Some(Span::new(entry.start, entry.start + colon))
            };
            let key = |entry: &FieldLines| {
                let key = entry.key.or_else(|| before_colon(entry.whole))?;
                Some(Span::new(self.yaml.start + key.start, self.yaml.start + key.end))
            };
            return entries(yaml).iter().filter_map(key).collect();
        }
        let mut keys = Vec::new();
        let mut add = |fields: &[Field]| keys.extend(fields.iter().map(|field| field.key_span));
        add(&self.fields);
        let mut open: Vec<&FrontmatterNode> = self.fields.iter().map(|field| &field.value).chain(&self.other).collect();
        while let Some(node) = open.pop() {
            match &node.value {
                Value::Map(fields) => {
                    add(fields);
                    open.extend(fields.iter().map(|field| &field.value));
                }
                Value::List(items) => open.extend(items),
                _ => {}
            }
        }
        keys
    }
}

/// Read the frontmatter of `text`; also the offset where the body begins.
pub(crate) fn read(text: &str, kind: Kind, problems: &mut Vec<Problem>) -> (Option<Frontmatter>, usize) {
    #[cfg(test)]
    crate::base::defect::provoke("parsing", text.as_bytes());
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let style = kind.frontmatter();
    match style {
        FrontmatterStyle::None => (None, start),
        FrontmatterStyle::WholeFile => {
            let span = Span::new(start, text.len());
            (Some(read_block(text, span, span, style, problems)), text.len())
        }
        FrontmatterStyle::Yaml | FrontmatterStyle::Mdc => match fence::find(text, start) {
            fence::Fences::Closed { span, yaml } => (Some(read_block(text, span, yaml, style, problems)), span.end),
            fence::Fences::Unterminated(open) => {
                problems.push(Problem { kind: ProblemKind::UnterminatedFrontmatter, span: open });
                (None, start)
            }
            fence::Fences::None => {
                if let Some(span) = fence::displaced(text, start, kind) {
                    problems.push(Problem { kind: ProblemKind::DisplacedFrontmatter, span });
                }
                (None, start)
            }
        },
    }
}

/// Read the YAML at `yaml`; what is wrong with it goes to `problems`.
fn read_block(text: &str, span: Span, yaml: Span, style: FrontmatterStyle, problems: &mut Vec<Problem>) -> Frontmatter {
    let source = &text[yaml.range()];
    let parsed = match style {
        FrontmatterStyle::Mdc => mdc::parse(source, yaml.start),
        _ => yaml::parse(source, yaml.start).or_else(|error| with_hints_as_text(source, yaml.start).ok_or(error)),
    };
    let mut frontmatter =
        Frontmatter { span, yaml, fields: Vec::new(), valid: parsed.is_ok(), other: None, comments: Vec::new() };
    match parsed {
        Ok(YamlTree { root, duplicates, comments }) => {
            problems.extend(duplicates.into_iter().map(|(key, first, second)| Problem {
                kind: ProblemKind::DuplicateField { key, first },
                span: second,
            }));
            frontmatter.comments = comments;
            match root {
                Some(FrontmatterNode { value: Value::Map(fields), .. }) => frontmatter.fields = fields,
                Some(FrontmatterNode { value: Value::Null, .. }) | None => {}
                Some(other) => frontmatter.other = Some(other),
            }
        }
        Err(_) if style != FrontmatterStyle::WholeFile && fence::runs_into_body(source) => {
            let open = Span::new(span.start, span.start + text[span.range()].find(['\r', '\n']).unwrap_or(span.len()));
            problems.push(Problem { kind: ProblemKind::UnterminatedFrontmatter, span: open });
        }
        Err(error) => invalid(text, yaml, error, problems),
    }
    frontmatter
}

/// Report invalid YAML: one problem for each value that quotes fix, or the reader's own words.
fn invalid(text: &str, yaml: Span, error: YamlError, problems: &mut Vec<Problem>) {
    let source = &text[yaml.range()];
    let repairs = quote::repairs(source);
    if repairs.is_empty() {
        // The reader stumbles a line or more after the key that lacks its colon or blank.
        let slip = |entry: &FieldLines| {
            let message = key_slip(&source[entry.whole.range()]).filter(|_| entry.key.is_none())?;
            Some((message.to_owned(), yaml.start + entry.whole.start))
        };
        let (message, offset) = entries(source).iter().find_map(slip).unwrap_or((error.message, error.offset));
        let kind = ProblemKind::InvalidFrontmatter { message, quote: None };
        problems.push(Problem { kind, span: line_content(text, yaml, offset) });
        return;
    }
    for repair in repairs {
        let span = Span::new(yaml.start + repair.span.start, yaml.start + repair.span.end);
        let message = format!("`{}` has {}, which YAML reads as something else", repair.key, repair.cause);
        let kind = ProblemKind::InvalidFrontmatter { message, quote: Some((span, repair.replacement)) };
        problems.push(Problem { kind, span });
    }
}

/// What parts key and value in a line that YAML takes for one word: `key:value`, `key：value`.
fn key_slip(line: &str) -> Option<&'static str> {
    let key = line.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(line.len());
    if key == 0 || line.starts_with('-') {
        return None;
    }
    if line[key..].starts_with('：') {
        return Some("a full-width `：` is used instead of `: `");
    }
    let next = line[key..].strip_prefix(':')?.chars().next()?;
    match next {
        '\u{a0}' | '\u{3000}' | '\u{202f}' => Some("the space after the `:` is not a space for YAML"),
        _ if next.is_whitespace() || matches!(next, ':' | '/') => None,
        _ => Some("a blank is missing after the `:`"),
    }
}

/// Read YAML whose only flaw is an `argument-hint: [file] [line]`. Claude Code documents that very form, unquoted, and reads it
/// as text. Codex 0.169.0 was seen to load a skill with it and to keep the description, 2026-11.
fn with_hints_as_text(source: &str, base: usize) -> Option<YamlTree> {
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
    Some(tree)
}

/// The line that holds `offset`, trimmed, inside `within`; the empty span at `offset` if nothing is left.
fn line_content(text: &str, within: Span, offset: usize) -> Span {
    let offset = offset.clamp(within.start, within.end);
    let line = &text[within.start..offset];
    let start = within.start + line.rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..within.end].find('\n').map_or(within.end, |at| offset + at);
    let content = text[start..end].trim();
    if content.is_empty() {
        return Span::empty(offset);
    }
    let start = start + (text[start..end].len() - text[start..end].trim_start().len());
    Span::new(start, start + content.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(kind: Kind, text: &str) -> (Option<Frontmatter>, usize, Vec<Problem>) {
        let mut problems = Vec::new();
        let (frontmatter, body) = read(text, kind, &mut problems);
        (frontmatter, body, problems)
    }

    #[test]
    fn fences_bound_the_block() {
        for (text, body) in [
            ("---\na: 1\n---\nrest", 13),
            ("\u{feff}---\r\na: 1\r\n--- \t\r\nrest", 21),
            ("---\n---\n", 8),
            ("---\na: 1\n---", 12),
        ] {
            let (frontmatter, at, problems) = read_as(Kind::Skill, text);
            assert_eq!((at, problems.len()), (body, 0), "{text:?}");
            assert!(frontmatter.unwrap().valid);
        }
        for text in ["", "---", "---\n", "---\n\n# Title\n", "--- a\nb: 1\n---\n", "text\n---\na: 1\n---\n"] {
            let (frontmatter, at, problems) = read_as(Kind::Skill, text);
            assert!(frontmatter.is_none() && problems.is_empty() && at == 0, "{text:?} {problems:?}");
        }
    }

    #[test]
    fn an_open_fence_is_told_from_a_thematic_break() {
        for text in ["---\nname: x\n", "---\na: 1\nb: 2\n\n# T\n", "---\nname: x\n\n# T\n\nSome text.\n\n---\nmore\n"] {
            let (_, _, problems) = read_as(Kind::Skill, text);
            assert!(matches!(problems[..], [Problem { kind: ProblemKind::UnterminatedFrontmatter, .. }]), "{text:?}");
            assert_eq!(problems[0].span, Span::new(0, 3));
        }
        let (_, _, problems) = read_as(Kind::AgentsMd, "---\nNote: the rest is text.\nAll of it.\n");
        assert_eq!(problems, []);
        // A comment between fields is no heading.
        let (_, _, problems) = read_as(Kind::Skill, "---\nname: x\ndescription: a: b\n# Why\ncolor: red\n---\nText.\n");
        assert!(matches!(problems[..], [Problem { kind: ProblemKind::InvalidFrontmatter { .. }, .. }]), "{problems:?}");
    }

    #[test]
    fn quoting_is_offered_in_file_offsets() {
        let text = "\u{feff}---\nname: x\ndescription: 사용: 그때\n---\n";
        let (frontmatter, _, problems) = read_as(Kind::Skill, text);
        assert!(!frontmatter.unwrap().valid);
        let [Problem { kind: ProblemKind::InvalidFrontmatter { quote: Some((span, new)), .. }, span: place }] =
            &problems[..]
        else {
            panic!("{problems:?}")
        };
        assert_eq!((&text[span.range()], new.as_str(), place), ("사용: 그때", "\"사용: 그때\"", span));
    }

    #[test]
    fn a_missing_blank_is_named_where_it_is_missing() {
        let (_, _, problems) = read_as(Kind::Skill, "---\nname:x\ndescription: y\n---\n");
        let [Problem { kind: ProblemKind::InvalidFrontmatter { message, quote: None }, span }] = &problems[..] else {
            panic!("{problems:?}")
        };
        assert_eq!((message.as_str(), *span), ("a blank is missing after the `:`", Span::new(4, 10)));
        for (line, want) in [
            ("name：x", "a full-width `：` is used instead of `: `"),
            ("name:\u{a0}x", "the space after the `:` is not a space for YAML"),
        ] {
            let (_, _, problems) = read_as(Kind::Skill, &format!("---\n{line}\ndescription: y\n---\n"));
            let [Problem { kind: ProblemKind::InvalidFrontmatter { message, .. }, .. }] = &problems[..] else {
                panic!()
            };
            assert_eq!(message, want);
        }
    }

    #[test]
    fn an_argument_hint_may_be_bracketed_text() {
        let text = "---\nargument-hint: [pr] [level]\nx: 1\n---\n";
        let (frontmatter, _, problems) = read_as(Kind::of_agent("claude-command"), text);
        assert_eq!(problems, []);
        let field = frontmatter.as_ref().and_then(|f| f.get("argument-hint")).unwrap();
        assert_eq!(field.value.value, Value::String("[pr] [level]".into()));
        assert_eq!(&text[field.value.span.range()], "[pr] [level]");
    }

    #[test]
    fn cursor_globs_are_text_and_other_kinds_want_yaml() {
        let text = "---\nglobs: **/*.ts, *.tsx\nalwaysApply: false\n---\n";
        let (frontmatter, _, problems) = read_as(Kind::of_agent("cursor-rule"), text);
        assert_eq!(problems, []);
        let globs = frontmatter.as_ref().and_then(|f| f.get("globs")).unwrap();
        assert_eq!(&text[globs.value.span.range()], "**/*.ts, *.tsx");
        let (_, _, problems) = read_as(Kind::of_agent("claude-rule"), text);
        assert!(matches!(problems[0].kind, ProblemKind::InvalidFrontmatter { quote: Some(_), .. }));
    }

    #[test]
    fn a_yaml_file_is_all_frontmatter() {
        let (frontmatter, body, problems) = read_as(Kind::PackageYaml, "---\nname: x\n");
        assert_eq!((frontmatter.unwrap().fields.len(), body, problems.len()), (1, 12, 0));
        let (frontmatter, _, _) = read_as(Kind::PackageYaml, "- a\n- b\n");
        assert!(frontmatter.unwrap().other.is_some());
    }

    #[test]
    fn displaced_frontmatter_is_found_and_examples_are_not() {
        let block = "---\nname: x\ndescription: y\n---\n";
        for (kind, prefix) in [
            (Kind::AgentsMd, "\n"),
            (Kind::Skill, "<!-- note\nmore -->\n\n"),
            (Kind::Skill, "# Title\n\n"),
            (Kind::of_agent("cursor-rule"), " "),
            (Kind::Skill, "\u{200b}"),
        ] {
            let text = format!("{prefix}{block}body\n");
            let (frontmatter, _, problems) = read_as(kind, &text);
            assert!(frontmatter.is_none());
            let [Problem { kind: ProblemKind::DisplacedFrontmatter, span }] = problems[..] else { panic!("{text:?}") };
            assert_eq!(text[span.range()].trim_start_matches([' ', '\u{200b}']), block.trim_end(), "{text:?}");
        }
        for (kind, text) in [
            (Kind::AgentsMd, format!("# Title\n\n{block}")),
            (Kind::Skill, format!("```\n{block}```\n")),
            (Kind::Skill, "\n---\nSome text: here\n---\n".to_owned()),
            (Kind::Skill, "\n---\nname\n---\n".to_owned()),
        ] {
            assert_eq!(read_as(kind, &text).2, [], "{text:?}");
        }
    }
}
