//! The types that agents demand of values in their settings, and the first value that has another one. The agents' own tables say
//! which key must be what.

use crate::base::text::Span;
use crate::parse::json::{JsonNode, JsonValue};

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub(in crate::agents) enum ValueType {
    Text,
    Number,
    /// A whole number.
    Whole,
    /// A whole number that is not negative.
    Count,
    /// A number that is not negative.
    Seconds,
    /// A number from 0 to 1.
    Fraction,
    Bool,
    /// Also `null` passes.
    BoolOrNull,
    Object,
    /// An object whose values are strings.
    TextMap,
    /// An object whose values are booleans, or objects with more than a switch.
    BoolMap,
    /// A list of anything: its wrong entries are dropped alone.
    List,
    /// A list of strings and nothing else.
    Texts,
    /// The same, or one string alone.
    TextOrTexts,
    /// The same, but the string must not be empty.
    NonemptyOrTexts,
    Objects,
    ObjectsOrNull,
    BoolOrObject,
    BoolOrTexts,
    OneOf(&'static [&'static str]),
    OneOfOrNull(&'static [&'static str]),
}

/// Keys by their path with dots, grouped by what they must be. Below the top level they count only where the object is there; a
/// star at the end stands for every name.
pub(in crate::agents) type TypedKeys = [(ValueType, &'static [&'static str])];

use ValueType::*;

impl ValueType {
    pub(in crate::agents) fn fits(self, node: &JsonNode) -> bool {
        let is_null = matches!(node.value, JsonValue::Null);
        let number = |test: fn(f64) -> bool| node.number().is_some_and(test);
        let members = |test: fn(&JsonNode) -> bool| node.members().iter().all(|member| test(&member.value));
        match self {
            Text => node.text().is_some(),
            Number => node.number().is_some(),
            Whole => number(|number| number.fract() == 0.0),
            Count => number(|number| number >= 0.0 && number.fract() == 0.0),
            Seconds => number(|number| number >= 0.0),
            Fraction => number(|number| (0.0..=1.0).contains(&number)),
            Bool => node.bool().is_some(),
            BoolOrNull => is_null || Bool.fits(node),
            Object => node.is_object(),
            TextMap => node.is_object() && members(|value| Text.fits(value)),
            BoolMap => node.is_object() && members(|value| BoolOrObject.fits(value)),
            List => node.is_array(),
            Texts => node.is_array() && node.items().iter().all(|item| Text.fits(item)),
            TextOrTexts => Text.fits(node) || Texts.fits(node),
            NonemptyOrTexts => TextOrTexts.fits(node) && node.text() != Some(""),
            Objects => node.is_array() && node.items().iter().all(JsonNode::is_object),
            ObjectsOrNull => is_null || Objects.fits(node),
            BoolOrObject => Bool.fits(node) || node.is_object(),
            BoolOrTexts => Bool.fits(node) || Texts.fits(node),
            OneOf(values) => node.text().is_some_and(|text| values.contains(&text)),
            OneOfOrNull(values) => is_null || OneOf(values).fits(node),
        }
    }

    /// That `node`, called `name`, must be of this type. `object` is what the file's language calls an object, with its article.
    pub(in crate::agents) fn mismatch(self, name: &str, node: &JsonNode, object: &str) -> String {
        let found = if node.is_object() { object.to_owned() } else { article(node.type_name()) };
        format!("`{name}` must be {}, not {found}", self.words(object))
    }

    /// What the value must be, in words. `object` is what the file's language calls an object, with its article.
    pub(in crate::agents) fn words(self, object: &str) -> String {
        match self {
            Text => "a string".to_owned(),
            Number => "a number".to_owned(),
            Whole => "a whole number".to_owned(),
            Count => "a whole number that is not negative".to_owned(),
            Seconds => "a number that is not negative".to_owned(),
            Fraction => "a number from 0 to 1".to_owned(),
            Bool | BoolOrNull => "a boolean".to_owned(),
            Object => object.to_owned(),
            TextMap => format!("{object} of strings"),
            BoolMap => format!("{object} of booleans"),
            List => "a list".to_owned(),
            Texts | TextOrTexts | NonemptyOrTexts => "a list of strings".to_owned(),
            Objects | ObjectsOrNull => "a list of objects".to_owned(),
            BoolOrObject => format!("a boolean or {object}"),
            BoolOrTexts => "a boolean or a list of strings".to_owned(),
            OneOf(values) | OneOfOrNull(values) if values.len() == 1 => format!("`{}`", values[0]),
            OneOf(values) | OneOfOrNull(values) => format!("one of {}", values.join(", ")),
        }
    }
}

/// The first value of a wrong type, and what it must be.
pub(in crate::agents) fn problem(root: &JsonNode, keys: &TypedKeys, object: &str) -> Option<(Span, String)> {
    let mut keys = keys.iter().flat_map(|(required, paths)| paths.iter().map(move |path| (*required, *path)));
    keys.find_map(|(required, path)| {
        let (path, node) = misfit(root, path, required)?;
        Some((node.span, required.mismatch(&path, node, object)))
    })
}

fn article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    match noun {
        "null" => noun.to_owned(),
        _ => format!("{article} {noun}"),
    }
}

/// The value at a path that does not fit, and its path.
fn misfit<'n>(root: &'n JsonNode, path: &str, required: ValueType) -> Option<(String, &'n JsonNode)> {
    let Some(parent) = path.strip_suffix(".*") else {
        return at(root, path).filter(|node| !required.fits(node)).map(|node| (path.to_owned(), node));
    };
    let members = at(root, parent)?.effective();
    let wrong = members.into_iter().find(|member| !required.fits(&member.value))?;
    Some((format!("{parent}.{}", wrong.key), &wrong.value))
}

/// The value at a path with dots.
pub(in crate::agents) fn at<'n>(root: &'n JsonNode, path: &str) -> Option<&'n JsonNode> {
    path.split('.').try_fold(root, |node, key| node.get(key))
}
