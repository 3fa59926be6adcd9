//! Reading the agents' settings files into one kind of value. A file that is missing counts as empty; one that cannot be
//! parsed counts as empty too, and a note says so. It knows no agent's keys.

use super::last_keys::LastKeys;
use super::loading::Loading;
use super::references::Refused;
use crate::base::error::Obstacle;
use crate::env::Env;
use crate::parse::frontmatter;
use crate::parse::json::{self, JsonGrammar};
use crate::world::AbsPath;
use serde_json::Value;

/// Longer YAML is not read: its reader keeps several times its size in memory.
pub(crate) const MAX_YAML: usize = 64 << 10;
/// Nor does the reader take deeper values. It would say so only at the end, after a time that grows with the square of the depth.
const MAX_YAML_DEPTH: usize = 128;

/// A settings file's format.
#[derive(Clone, Copy)]
pub(crate) enum SettingsFormat {
    /// JSON, as strict as the agent's reader.
    Json(JsonGrammar),
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
    /// YAML of which the last of equal keys counts.
    YamlLastKeys,
}

impl SettingsFormat {
    /// What `JSON.parse` reads.
    pub(crate) const STRICT_JSON: SettingsFormat = SettingsFormat::Json(JsonGrammar::STRICT);
    /// JSON whose comments are stripped first.
    pub(crate) const COMMENTED_JSON: SettingsFormat = SettingsFormat::Json(JsonGrammar::COMMENTED);
    /// JSON with comments and trailing commas.
    pub(crate) const RELAXED_JSON: SettingsFormat = SettingsFormat::Json(JsonGrammar::RELAXED);
}

/// The value in the settings file at `path`; `Null` if there is none that can be parsed.
pub(crate) fn read(loading: &mut Loading<'_>, path: &AbsPath, format: SettingsFormat) -> Value {
    read_with(loading, path, format, |_, text| Ok(text))
}

/// The same, of what `change` makes of the text.
pub(crate) fn read_with(
    loading: &mut Loading<'_>,
    path: &AbsPath,
    format: SettingsFormat,
    change: impl Fn(&Loading<'_>, String) -> Result<String, Refused>,
) -> Value {
    let Ok(bytes) = loading.world.read(path) else { return Value::Null };
    let text = change(loading, String::from_utf8_lossy(&bytes).into_owned());
    match text.map_err(Obstacle::of).and_then(|text| parse(&text, format)) {
        Ok(value) => value,
        Err(cause) => {
            let first = cause.as_str().lines().next().unwrap_or_default().to_owned();
            loading.note(format!("{} cannot be parsed and is left out: {first}", loading.show(path)));
            Value::Null
        }
    }
}

/// `value` with `$NAME`, `${NAME}` and `${NAME:-DEFAULT}` in its strings replaced by what they stand for in `env`. What is not
/// set and has no default stays as it is.
pub(crate) fn expanded(value: Value, env: &Env) -> Value {
    match value {
        Value::String(text) => Value::String(with_variables(&text, env)),
        Value::Array(items) => items.into_iter().map(|item| expanded(item, env)).collect(),
        Value::Object(entries) => entries.into_iter().map(|(key, value)| (key, expanded(value, env))).collect(),
        other => other,
    }
}

fn with_variables(text: &str, env: &Env) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut pieces = text.split('$');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c| !is_word(c)).unwrap_or(piece.len());
        let (name, default, rest) = match piece.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some((inner, rest)) => match inner.split_once(":-") {
                Some((name, default)) => (name, Some(default), rest),
                None => (inner, None, rest),
            },
            None => (&piece[..end], None, &piece[end..]),
        };
        match env.get(name).or(default).filter(|_| !name.is_empty()) {
            Some(value) => out.extend([value, rest]),
            None => out.extend(["$", piece]),
        }
    }
    out
}

/// Parse `text` as `format`.
pub(crate) fn parse(text: &str, format: SettingsFormat) -> Result<Value, Obstacle> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    match format {
        SettingsFormat::Json(grammar) => {
            let value = json::parse(text, grammar).map(|node| node.plain());
            let line = |at: usize| memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() + 1;
            value.map_err(|found| format!("line {} has {}", line(found.at), found.kind.words()).into())
        }
        SettingsFormat::Toml => toml_edit::de::from_str(text).map_err(|error| error.message().into()),
        SettingsFormat::Yaml => {
            let value: serde_yaml::Value = serde_yaml::from_str(bounded_yaml(text)?).map_err(Obstacle::of)?;
            serde_json::to_value(untagged(value)).map_err(Obstacle::of)
        }
        SettingsFormat::YamlLastKeys => {
            serde_yaml::from_str(bounded_yaml(text)?).map(|LastKeys(value)| value).map_err(Obstacle::of)
        }
    }
}

/// The same text, if it is not too much for the parser of YAML.
fn bounded_yaml(text: &str) -> Result<&str, Obstacle> {
    if text.len() > MAX_YAML {
        return Err(format!("it has {} bytes of YAML, more than {MAX_YAML}", text.len()).into());
    }
    if frontmatter::nests_deeper_than(text, MAX_YAML_DEPTH) {
        return Err(format!("its values nest deeper than {MAX_YAML_DEPTH} levels").into());
    }
    Ok(text)
}

/// The value without YAML tags, which agents read past: `!x y` is `y`. The parser bounds the depth.
fn untagged(value: serde_yaml::Value) -> serde_yaml::Value {
    use serde_yaml::Value;
    match value {
        Value::Tagged(tagged) => untagged(tagged.value),
        Value::Sequence(items) => items.into_iter().map(untagged).collect(),
        Value::Mapping(entries) => {
            let entries = entries.into_iter().map(|(key, value)| (key_text(untagged(key)), untagged(value)));
            Value::Mapping(entries.collect())
        }
        plain => plain,
    }
}

/// A key as JSON can hold it. The agents make a text of every key: those of a template (`{{ name }}: x`) are mappings.
fn key_text(key: serde_yaml::Value) -> serde_yaml::Value {
    match key {
        serde_yaml::Value::String(_) | serde_yaml::Value::Bool(_) => key,
        other => serde_yaml::Value::String(serde_yaml::to_string(&other).unwrap_or_default().trim().to_owned()),
    }
}

/// The value at `path` of keys.
pub(crate) fn at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter().fold(value, |value, key| value.get(key).unwrap_or(&Value::Null))
}

/// A string, or the strings of a list, without empty ones; `None` for any other value.
pub(crate) fn strings(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(one) => Some(vec![one.clone()]),
        Value::Array(many) => Some(many.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_may_have_comments_and_trailing_commas() {
        let text = "// a\n{\"a\": [1, 2, /* b */ ], \"u\": \"http://x\\\"//\", }\n";
        let value = parse(text, SettingsFormat::RELAXED_JSON).expect("it parses");
        assert_eq!(value, serde_json::json!({"a": [1, 2], "u": "http://x\"//"}));
        let refused = parse("{\n\"a\": [1,]}", SettingsFormat::COMMENTED_JSON);
        assert_eq!(refused, Err("line 2 has a trailing comma".into()));
    }

    #[test]
    fn whole_numbers_stay_whole() {
        let value = parse("[5, -1, 0.5, 1e3]", SettingsFormat::STRICT_JSON).expect("it parses");
        assert_eq!(value.to_string(), "[5,-1,0.5,1000]");
        assert_eq!(value[0].as_u64(), Some(5));
    }

    #[test]
    fn variables_are_expanded() {
        let env = Env::empty().with("A", "x");
        let check = |text: &str, expected: &str| assert_eq!(with_variables(text, &env), expected);
        check("$A-${A}/${B:-d} ${B:-} $B ${B} $ ${", "x-x/d  $B ${B} $ ${");
        check("${A:-d}$AB$$A", "x$AB$x");
        let value = serde_json::json!({"k": ["$A", 1]});
        assert_eq!(expanded(value, &env), serde_json::json!({"k": ["x", 1]}));
    }

    #[test]
    fn all_formats_become_one_kind_of_value() {
        assert_eq!(
            parse("a = [\"b\"]\n[c.\"d e\"]\nf = 1\n", SettingsFormat::Toml).ok(),
            Some(serde_json::json!({"a": ["b"], "c": {"d e": {"f": 1}}}))
        );
        assert_eq!(parse("a:\n  - b\n", SettingsFormat::Yaml).ok(), Some(serde_json::json!({"a": ["b"]})));
        let tags = parse("a: !x\nb: !y z\nc: [!x , 'd']\n", SettingsFormat::Yaml);
        assert_eq!(tags.ok(), Some(serde_json::json!({"a": null, "b": "z", "c": [null, "d"]})));
        assert!(parse("{", SettingsFormat::STRICT_JSON).is_err());
        let keys = parse("{{ a }}: 1\n~: 2\n3: 3\n? [b]\n: 4\nc: {{ d }}\n", SettingsFormat::Yaml);
        let keys = keys.ok().and_then(|keys| Some(keys.as_object()?.keys().cloned().collect::<Vec<_>>()));
        assert_eq!(keys, Some(["'a: null': null", "null", "3", "- b", "c"].map(str::to_owned).to_vec()));
        let nested = |depth: usize| parse(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)), SettingsFormat::Yaml);
        assert!(nested(100).is_ok());
        assert!(nested(30_000).unwrap_err().to_string().contains("deeper than 128"));
        assert_eq!(parse(" \n", SettingsFormat::STRICT_JSON), Ok(Value::Null));
    }
}
