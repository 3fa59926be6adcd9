//! Reading one value: its type, the words it may be, and the paths and agents it names.

use toml_edit::Item;

use super::{ConfigReader, clip};
use crate::base::path;
use crate::base::text::Span;
use crate::config::keys::{KEYS, KeyKind, nearest};

/// The value of a key, of the type that its [`KeyKind`] demands.
pub(super) enum ConfigValue {
    String(String),
    Strings(Vec<String>),
    Number(usize),
    Bool(bool),
}

impl ConfigReader<'_> {
    pub(super) fn folder_problem(&mut self, item: &Item, name: &str) {
        let help = "write a path below the repository root, such as \".hintlint/context\"".to_owned();
        self.problem(item.span(), format!("`{name}` must name a folder inside the repository"), Some(help));
    }

    pub(super) fn baseline_problem(&mut self, item: &Item) {
        let help = "write a path below the repository root, such as \".hintlint/baseline.json\"".to_owned();
        self.problem(item.span(), "`baseline.path` must name a file inside the repository".to_owned(), Some(help));
    }

    pub(super) fn value(&mut self, name: &str, kind: KeyKind, item: &Item) -> Option<ConfigValue> {
        let wrong = |reader: &mut Self, wanted: &str| {
            // "a whole number, not a number" would help nobody.
            let found = item.as_integer().map_or_else(|| describe(item).to_owned(), |number| number.to_string());
            let default = KEYS.iter().find(|key| name.strip_prefix(key.table) == Some(&format!(".{}", key.name)));
            let help = default.map(|key| format!("such as {} = {}, which is the default", key.name, key.default));
            reader.problem(item.span(), format!("`{name}` must be {wanted}, not {found}"), help);
            None
        };
        match kind {
            KeyKind::String => match item.as_str() {
                Some(text) => Some(ConfigValue::String(text.to_owned())),
                None => wrong(self, "a string"),
            },
            KeyKind::Choice(words) => match item.as_str() {
                Some(text) if words.contains(&text) => Some(ConfigValue::String(text.to_owned())),
                Some(text) => {
                    let help = match nearest(text, words.iter().copied()) {
                        Some(near) => format!("did you mean \"{near}\"?"),
                        None => format!("known here: {}", words.join(", ")),
                    };
                    self.problem(item.span(), format!("`{name}` cannot be {text:?}"), Some(help));
                    None
                }
                None => wrong(self, "a string"),
            },
            KeyKind::Strings => {
                Some(ConfigValue::Strings(self.spanned_strings(name, item).into_iter().map(|(text, _)| text).collect()))
            }
            KeyKind::Number => match item.as_integer().and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0) {
                Some(number) => Some(ConfigValue::Number(number)),
                None => wrong(self, "a whole number above zero"),
            },
            KeyKind::Bool => match item.as_bool() {
                Some(truth) => Some(ConfigValue::Bool(truth)),
                None => wrong(self, "true or false"),
            },
            KeyKind::Agents | KeyKind::Rules | KeyKind::Overrides => None,
        }
    }

    pub(super) fn spanned_strings(&mut self, name: &str, item: &Item) -> Vec<(String, Span)> {
        let Some(array) = item.as_array() else {
            let help = item.as_str().map(|text| format!("write [{text:?}]"));
            self.problem(item.span(), format!("`{name}` must be a list of strings, not {}", describe(item)), help);
            return Vec::new();
        };
        let mut strings = Vec::new();
        for value in array.iter() {
            match value.as_str() {
                Some(text) => strings.push((text.to_owned(), clip(value.span(), self.text))),
                None => self.problem(value.span(), format!("`{name}` must be a list of strings"), None),
            }
        }
        strings
    }

    pub(super) fn agents(&mut self, item: &Item) -> Option<Vec<String>> {
        if item.as_str() == Some("auto") {
            return None;
        }
        if item.as_array().is_none() {
            let message = format!("`agents` must be \"auto\" or a list of names, not {}", describe(item));
            let help = item.as_str().map(|name| format!("write [{name:?}]"));
            self.problem(item.span(), message, help);
            return None;
        }
        Some(self.known_agents("agents", item))
    }

    /// The names of agents in a list; each that nobody has is a problem.
    pub(super) fn known_agents(&mut self, key: &str, item: &Item) -> Vec<String> {
        let mut agents = Vec::new();
        for (name, span) in self.spanned_strings(key, item) {
            if crate::agents::by_id(&name).is_some() {
                agents.push(name);
                continue;
            }
            let known = crate::agents::ids;
            let help = match nearest(&name, known()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("known agents: {}", known().collect::<Vec<_>>().join(", ")),
            };
            self.problem(Some(span.range()), format!("unknown agent {name:?}"), Some(help));
        }
        agents
    }
}

/// A repository-relative folder other than the root, without `.`; `None` if it leads out.
pub(super) fn folder(text: &str) -> Option<String> {
    inside(text).filter(|path| !path.is_empty())
}

pub(super) fn inside(text: &str) -> Option<String> {
    if text.starts_with('/') || text.contains('\\') || text.contains('\0') {
        return None;
    }
    String::from_utf8(path::resolve(b"", text.as_bytes())?).ok()
}

pub(super) fn describe(item: &Item) -> &'static str {
    match item.type_name() {
        "string" => "a string",
        "integer" => "a number",
        "float" => "a number",
        "boolean" => "true or false",
        "array" => "a list",
        "table" | "inline table" => "a table",
        "array of tables" => "a list of tables",
        _ => "this",
    }
}
