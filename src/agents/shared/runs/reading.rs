//! Settings files as agents read them: decoded, parsed as strictly as the agent does it, with the place of everything. It knows
//! no agent's keys.

use super::{LostSettings, SettingPlace};
use crate::base::text::Span;
use crate::parse::frontmatter::{FrontmatterNode, Value};
use crate::parse::json::{self, JsonGrammar, JsonMember, JsonNode, JsonProblem, JsonValue};
use crate::world::{AbsPath, World};

/// Longer settings files are not read.
pub(crate) const MAX_SETTINGS: usize = 8 << 20;
/// Most entries of one list or object that are looked at.
pub(crate) const MAX_ENTRIES: usize = 10_000;

/// A settings file as text.
#[derive(Clone)]
pub(crate) struct SettingsText {
    pub(crate) path: AbsPath,
    /// Decoded, without a byte order mark.
    pub(crate) text: String,
    /// Where its lines begin.
    lines: Vec<usize>,
}

/// The files in `root` that values name by paths which begin with `./`.
pub(crate) fn named_below<'n>(
    root: &AbsPath,
    values: impl IntoIterator<Item = &'n JsonNode>,
) -> impl Iterator<Item = AbsPath> {
    let paths = values.into_iter().take(MAX_ENTRIES).filter_map(JsonNode::text).filter(|path| path.starts_with("./"));
    paths.map(|path| root.resolve(path.as_bytes())).filter(|path| path.is_within(root))
}

impl SettingsText {
    /// The file at `path`, decoded as UTF-16 where its byte order mark says so, else as UTF-8 with U+FFFD for invalid bytes.
    /// `None` where there is nothing to read.
    pub(crate) fn read(world: &dyn World, path: &AbsPath) -> Option<SettingsText> {
        let bytes = world.read(path).ok().filter(|bytes| bytes.len() <= MAX_SETTINGS)?;
        let (text, _) = match &bytes[..] {
            [0xff, 0xfe, rest @ ..] => encoding_rs::UTF_16LE.decode_without_bom_handling(rest),
            [0xef, 0xbb, 0xbf, rest @ ..] => (String::from_utf8_lossy(rest), false),
            rest => (String::from_utf8_lossy(rest), false),
        };
        Some(SettingsText::of(path, text.into_owned()))
    }

    /// The same file and its value.
    pub(crate) fn parsed(world: &dyn World, path: &AbsPath, grammar: JsonGrammar) -> Option<(SettingsText, JsonNode)> {
        let text = SettingsText::read(world, path)?;
        let value = text.json(grammar).ok()?;
        Some((text, value))
    }

    /// The file at `path` as UTF-8 with U+FFFD for invalid bytes, without a byte order mark. `None` where there is nothing to read.
    pub(crate) fn read_as_utf8(world: &dyn World, path: &AbsPath) -> Option<SettingsText> {
        let text = SettingsText::read_with_mark(world, path)?;
        Some(match text.text.strip_prefix('\u{feff}') {
            Some(rest) => SettingsText::of(path, rest.to_owned()),
            None => text,
        })
    }

    /// A text that stands at `path`.
    pub(crate) fn of(path: &AbsPath, text: String) -> SettingsText {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        SettingsText { path: path.clone(), lines: std::iter::once(0).chain(ends).collect(), text }
    }

    /// Whether it holds only white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The file at `path` as UTF-8 with U+FFFD for invalid bytes; a byte order mark is text. `None` where there is nothing to
    /// read.
    pub(crate) fn read_with_mark(world: &dyn World, path: &AbsPath) -> Option<SettingsText> {
        let bytes = world.read(path).ok().filter(|bytes| bytes.len() <= MAX_SETTINGS)?;
        Some(SettingsText::of(path, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The file at `path` as a program in Rust reads it: UTF-8 alone, and a byte order mark is text. `Err` where it is no UTF-8.
    pub(crate) fn read_strictly(world: &dyn World, path: &AbsPath) -> Option<Result<SettingsText, SettingsText>> {
        let bytes = world.read(path).ok().filter(|bytes| bytes.len() <= MAX_SETTINGS)?;
        Some(match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(SettingsText::of(path, text.to_owned())),
            Err(_) => Err(SettingsText::of(path, String::from_utf8_lossy(&bytes).into_owned())),
        })
    }

    /// The value in it.
    ///
    /// # Errors
    /// Where the text is no JSON of this grammar.
    pub(crate) fn json(&self, grammar: JsonGrammar) -> Result<JsonNode, JsonProblem> {
        json::parse(&self.text, grammar)
    }

    /// The place of `span`.
    pub(crate) fn place(&self, span: Span) -> SettingPlace {
        let line = self.lines.partition_point(|&start| start <= span.start);
        SettingPlace { path: self.path.clone(), span, line }
    }

    /// The place of what begins at `at` and holds one character.
    pub(crate) fn place_at(&self, at: usize) -> SettingPlace {
        let end = self.text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        self.place(Span::new(at, end))
    }

    /// What the file would have brought, as far as it can be told: comments and commas are read past.
    pub(crate) fn lost(&self) -> LostSettings {
        self.json(JsonGrammar::RELAXED).map(|root| lost_of(&root)).unwrap_or_default()
    }

    /// The same for a reader that takes hooks alone from the file.
    pub(crate) fn lost_hooks(&self) -> LostSettings {
        LostSettings { hooks: self.lost().hooks, ..LostSettings::default() }
    }

    /// The same for a file of servers. Some editors call their object `servers`, so that is what the author meant.
    pub(crate) fn lost_servers(&self) -> LostSettings {
        let root = self.json(JsonGrammar::RELAXED).ok();
        let found = root.as_ref().and_then(|root| root.get("mcpServers").or_else(|| root.get("servers")));
        LostSettings { servers: found.map_or(0, |servers| servers.members().len()), ..LostSettings::default() }
    }
}

/// Whether a member of an object of events is a comment, which many write so since JSON has none: no hooks stand there.
pub(crate) fn is_comment(member: &JsonMember) -> bool {
    member.key.starts_with(['_', '/', '#', '$']) && !member.value.items().iter().any(JsonNode::is_object)
}

/// Why hooks of an unknown event do not run, and the intended event if only its case differs.
pub(crate) fn unknown_event(name: &str, known: impl Iterator<Item = &'static str>) -> (String, Option<String>) {
    let plain = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
    let meant = known.into_iter().find(|event| plain(event) == plain(name));
    let shown = meant.map(|event| format!("; `{event}` is one")).unwrap_or_default();
    (format!("there is no event `{name}`{shown}"), meant.map(str::to_owned))
}

/// How much a settings object holds, in the keys that most agents share.
pub(crate) fn lost_of(root: &JsonNode) -> LostSettings {
    let count = |path: &[&str]| root.at(path).map_or(0, |node| node.items().len().max(node.members().len()));
    let hooks = root.get("hooks").into_iter().flat_map(JsonNode::members).flat_map(|event| event.value.items());
    let hooks = hooks.map(|entry| entry.get("hooks").map_or(1, |inner| inner.items().len())).sum();
    LostSettings {
        hooks,
        deny: count(&["permissions", "deny"]) + count(&["tools", "exclude"]),
        allow: count(&["permissions", "allow"]) + count(&["tools", "allowed"]),
        ask: count(&["permissions", "ask"]),
        servers: count(&["mcpServers"]),
        variables: count(&["env"]),
    }
}

/// A value of YAML frontmatter, whose reader bounds its depth, as one of JSON.
pub(crate) fn of_yaml(node: &FrontmatterNode) -> JsonNode {
    let value = match &node.value {
        Value::Null => JsonValue::Null,
        Value::Bool(value) => JsonValue::Bool(*value),
        Value::Number(text) => text.parse().map_or_else(|_| JsonValue::Text(text.clone()), JsonValue::Number),
        Value::String(text) => JsonValue::Text(text.clone()),
        Value::List(items) => JsonValue::Array(items.iter().map(of_yaml).collect()),
        Value::Map(fields) => {
            let member = |field: &crate::parse::frontmatter::Field| JsonMember {
                key: field.key.clone(),
                key_span: field.key_span,
                value: of_yaml(&field.value),
            };
            JsonValue::Object(fields.iter().map(member).collect())
        }
    };
    JsonNode { span: node.span, value }
}

/// TOML, whose reader bounds its depth, as a value of JSON with places.
///
/// # Errors
/// Where the text is no TOML: the place, and what the reader says.
pub(crate) fn of_toml(text: &str) -> Result<JsonNode, (usize, String)> {
    let document = toml_edit::Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (at.min(text.len()), error.message().to_owned())
    })?;
    Ok(of_toml_table(document.as_table(), Span::new(0, text.len())))
}

fn of_toml_table(table: &dyn toml_edit::TableLike, span: Span) -> JsonNode {
    let members = table.iter().filter(|(_, item)| !item.is_none()).map(|(key, item)| JsonMember {
        key: key.to_owned(),
        key_span: table.key(key).and_then(toml_edit::Key::span).map_or(span, Span::from),
        value: of_toml_item(item, span),
    });
    JsonNode { span, value: JsonValue::Object(members.collect()) }
}

fn of_toml_item(item: &toml_edit::Item, outer: Span) -> JsonNode {
    let span = item.span().map_or(outer, Span::from);
    if let Some(table) = item.as_table_like() {
        return of_toml_table(table, span);
    }
    if let Some(tables) = item.as_array_of_tables() {
        let items = tables.iter().map(|table| of_toml_table(table, table.span().map_or(span, Span::from)));
        return JsonNode { span, value: JsonValue::Array(items.collect()) };
    }
    item.as_value().map_or(JsonNode { span, value: JsonValue::Null }, |value| of_toml_value(value, span))
}

fn of_toml_value(value: &toml_edit::Value, outer: Span) -> JsonNode {
    use toml_edit::Value;
    let span = value.span().map_or(outer, Span::from);
    let value = match value {
        Value::String(text) => JsonValue::Text(text.value().clone()),
        Value::Integer(number) => JsonValue::Number(*number.value() as f64),
        Value::Float(number) => JsonValue::Number(*number.value()),
        Value::Boolean(value) => JsonValue::Bool(*value.value()),
        Value::Datetime(date) => JsonValue::Text(date.value().to_string()),
        Value::Array(items) => JsonValue::Array(items.iter().map(|item| of_toml_value(item, span)).collect()),
        Value::InlineTable(table) => return of_toml_table(table, span),
    };
    JsonNode { span, value }
}

/// A value as a program in JavaScript turns it into a string.
pub(crate) fn javascript_string(node: &JsonNode) -> String {
    match &node.value {
        JsonValue::Text(text) => text.clone(),
        JsonValue::Bool(value) => value.to_string(),
        JsonValue::Number(number) => javascript_number(*number),
        JsonValue::Null => "null".to_owned(),
        JsonValue::Object(_) => "[object Object]".to_owned(),
        JsonValue::Array(items) => {
            let item = |item: &JsonNode| match item.value {
                JsonValue::Null => String::new(),
                _ => javascript_string(item),
            };
            items.iter().map(item).collect::<Vec<_>>().join(",")
        }
    }
}

/// A number as JavaScript writes it.
fn javascript_number(number: f64) -> String {
    let size = number.abs();
    match number {
        _ if number.is_infinite() => if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        _ if size >= 1e21 => format!("{number:e}").replace('e', "e+"),
        _ if size > 0.0 && size < 1e-6 => format!("{number:e}"),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{MemoryFiles, RepoWorld};

    #[test]
    fn files_are_decoded_and_places_have_lines() {
        let path = AbsPath::new("/r/s.json");
        let text = SettingsText::of(&path, "{\n \"a\": 1\n}".to_owned());
        let root = text.json(JsonGrammar::STRICT).expect("it is JSON");
        assert_eq!(text.place(root.members()[0].key_span).line, 2);
        assert!(SettingsText::read(&RepoWorld::new(MemoryFiles::new()), &path).is_none());
    }

    #[test]
    fn values_become_strings_as_in_javascript() {
        let check = |json: &str, expected: &str| {
            let node = json::parse(json, JsonGrammar::STRICT).expect("it is JSON");
            assert_eq!(javascript_string(&node), expected);
        };
        check("true", "true");
        check("5", "5");
        check("{}", "[object Object]");
        check("[1, null, \"x\"]", "1,,x");
    }
}
