//! YAML frontmatter with the byte span of every key and value.

use super::Problem;
use crate::discover::Kind;
use crate::text::Span;

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
    pub other: Option<Node>,
}

/// One `key: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key as text.
    pub key: String,
    /// Where the key stands, with its quotes if any.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
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
    /// A string; also any plain scalar that is nothing else.
    String(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in source order.
    Map(Vec<Field>),
}

impl Value {
    /// The kind of value in words: `a list`, `a string` …
    pub fn describe(&self) -> &'static str {
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
    pub fn get(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }
}

/// Read the frontmatter of `text`; also the offset where the body begins.
pub fn read(_text: &str, _kind: Kind, _problems: &mut Vec<Problem>) -> (Option<Frontmatter>, usize) {
    (None, 0)
}
