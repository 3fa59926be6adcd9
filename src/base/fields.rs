//! What a table of frontmatter fields can say: the words in which agents' tables and ours describe a kind's fields. Data alone.

use super::evidence::Evidence;

/// The fields of one kind of file.
#[derive(Debug)]
pub(crate) struct Schema {
    /// What such a file is called in messages.
    pub(crate) what: &'static str,
    /// The fields that its readers know.
    pub(crate) fields: &'static [FieldSpec],
    /// Fields of other agents' files that these readers silently skip.
    pub(crate) ignored: &'static [ForeignField],
    /// Where the table comes from.
    pub(crate) evidence: &'static [Evidence],
}

/// One field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldSpec {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) needed: Needed,
    pub(crate) limit: Limit,
    /// The field whose readers read this one too. In a file without it, other tools may use the name for anything.
    pub(crate) beside: Option<&'static str>,
    /// The only setting under which readers look at the field; without it what the field says is lost.
    pub(crate) counts_with: Option<FieldSetting>,
}

/// Whether a file can do without a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    /// It can.
    No,
    /// It cannot.
    Always,
    /// It can, except in a file without any frontmatter, which its reader takes for what it may not be.
    InBareFile,
    /// It cannot while another field has a certain value.
    With(FieldSetting),
}

/// `field: value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldSetting {
    pub(crate) field: &'static str,
    pub(crate) value: &'static str,
}

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A string.
    Text,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string, or a list of strings.
    TextOrList,
    /// A string. `[file] [line]` without quotes is a list for YAML and text for its reader.
    Hint,
    /// A list of strings.
    List,
    /// A mapping.
    Map,
    /// Anything; the readers differ or do not say.
    Any,
}

impl Shape {
    /// The shape in words.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Shape::Text | Shape::Hint => "a string",
            Shape::Bool => "`true` or `false`",
            Shape::Number => "a number",
            Shape::TextOrList => "a string or a list of strings",
            Shape::List => "a list of strings",
            Shape::Map => "a mapping",
            Shape::Any => "anything",
        }
    }
}

/// What a value of the right shape must satisfy.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// Nothing.
    None,
    /// From 1 to this many characters.
    Length(usize),
    /// A skill's name: 1 to 64 of `a-z0-9-`, no hyphen at either end nor two in a row, equal to the folder's name.
    SkillName,
    /// One of these words, or a list of them.
    OneOf(&'static [&'static str]),
    /// One of these words; another changes only how something looks.
    LooksLike(&'static [&'static str]),
}

/// A field that belongs to another agent's file.
#[derive(Debug)]
pub(crate) struct ForeignField {
    pub(crate) name: &'static str,
    /// The field that these readers know instead; while it is present, nothing is lost. Empty where there is none.
    pub(crate) instead: &'static str,
    /// What follows from it.
    pub(crate) effect: &'static str,
}

/// A field that may be missing.
pub(crate) const fn field(name: &'static str, shape: Shape) -> FieldSpec {
    FieldSpec { name, shape, needed: Needed::No, limit: Limit::None, beside: None, counts_with: None }
}

/// A field that may not be missing.
pub(crate) const fn required(name: &'static str, shape: Shape) -> FieldSpec {
    FieldSpec { needed: Needed::Always, ..field(name, shape) }
}

/// A field that may not be missing while `other` has `value`.
pub(crate) const fn required_with(
    name: &'static str,
    shape: Shape,
    other: &'static str,
    value: &'static str,
) -> FieldSpec {
    FieldSpec { needed: Needed::With(FieldSetting { field: other, value }), ..field(name, shape) }
}

/// A text that must satisfy `limit`.
pub(crate) const fn limited(name: &'static str, limit: Limit) -> FieldSpec {
    FieldSpec { limit, ..field(name, Shape::Text) }
}

/// One of these words.
pub(crate) const fn one_of(name: &'static str, words: &'static [&'static str]) -> FieldSpec {
    limited(name, Limit::OneOf(words))
}

/// A source read or observed in November 2026.
pub const fn doc(source: &'static str) -> Evidence {
    Evidence { source, checked: "2026-11" }
}

/// Path patterns, under the name that several tools share.
pub(crate) const APPLIES_TO: FieldSpec = field("applies_to", Shape::TextOrList);
/// How rules of equal place are ordered.
pub(crate) const PRIORITY: FieldSpec = FieldSpec { beside: Some("applies_to"), ..field("priority", Shape::Number) };
/// Words to find a rule by.
pub(crate) const TAGS: FieldSpec = FieldSpec { beside: Some("applies_to"), ..field("tags", Shape::TextOrList) };

/// What skills, and the commands that people start by name, have in common.
pub(crate) const ON_DEMAND: [FieldSpec; 16] = [
    field("allowed-tools", Shape::TextOrList),
    field("disallowed-tools", Shape::TextOrList),
    field("argument-hint", Shape::Hint),
    field("arguments", Shape::Any),
    field("disable-model-invocation", Shape::Bool),
    field("user-invocable", Shape::Bool),
    field("model", Shape::Text),
    field("mode", Shape::Any),
    field("effort", Shape::Any),
    one_of("context", &["fork"]),
    field("agent", Shape::Text),
    field("hooks", Shape::Map),
    field("paths", Shape::TextOrList),
    field("when_to_use", Shape::Text),
    field("shell", Shape::Text),
    field("version", Shape::Any),
];

/// The fields of two lists; `N` is how many they are.
pub(crate) const fn joined<const A: usize, const N: usize>(
    own: [FieldSpec; A],
    shared: [FieldSpec; ON_DEMAND.len()],
) -> [FieldSpec; N] {
    let mut all = [own[0]; N];
    let mut at = 1;
    while at < N {
        all[at] = if at < A { own[at] } else { shared[at - A] };
        at += 1;
    }
    all
}
