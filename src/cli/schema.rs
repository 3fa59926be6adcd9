//! `hintlint schema`: the JSON Schema of `hintlint.toml`, made from the table of keys, the registry of rules and the agents.

use serde_json::{Map, Value, json};

use super::Console;
use crate::agents;
use crate::base::error::Error;
use crate::config::{ALL_RULES, ConfigKey, KEYS, KeyKind};
use crate::report::safe_json;
use crate::rules::{Group, RULES};

/// Print the schema.
///
/// # Errors
/// When standard output cannot be written.
pub fn schema(console: &mut Console<'_>) -> Result<u8, Error> {
    safe_json::write(&document(), &mut console.stdout)?;
    Ok(0)
}

/// The schema. Draft 7, which the editors' TOML extensions understand.
fn document() -> Value {
    let mut properties = Map::new();
    for key in KEYS {
        if key.table.is_empty() {
            properties.insert(key.name.to_owned(), property(key));
            continue;
        }
        let table = properties.entry(key.table).or_insert_with(
            || json!({"type": "object", "description": table_about(key.table), "additionalProperties": false, "properties": {}}),
        );
        table["properties"][key.name] = property(key);
    }
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "hintlint.toml",
        "description": "The configuration of hintlint, the linter and compiler for AI agents' hint files.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "definitions": {
            "level": {"enum": ["error", "warning", "info", "off"]},
            "setting": setting(),
            "rules": rules(),
        },
    })
}

fn table_about(table: &str) -> String {
    let names: Vec<_> = KEYS.iter().filter(|key| key.table == table).map(|key| key.name).collect();
    format!("[{table}]: {}", names.join(", "))
}

fn property(key: &ConfigKey) -> Value {
    let strings = || json!({"type": "array", "items": {"type": "string"}});
    let agents = || json!({"type": "array", "items": {"enum": agents::ids().collect::<Vec<_>>()}});
    let mut schema = match key.kind {
        KeyKind::String if key.default == "\"\"" => json!({"type": "string"}),
        KeyKind::String => json!({"type": "string", "minLength": 1}),
        KeyKind::Choice(words) => json!({"enum": words}),
        KeyKind::Strings if key.name == "agents" => agents(),
        KeyKind::Strings => strings(),
        KeyKind::Agents => json!({"anyOf": [{"const": "auto"}, agents()]}),
        KeyKind::Number => json!({"type": "integer", "minimum": 1}),
        KeyKind::Bool => json!({"type": "boolean"}),
        // Keywords beside a `$ref` mean nothing in draft 7.
        KeyKind::Rules => json!({"allOf": [{"$ref": "#/definitions/rules"}]}),
        KeyKind::Overrides => json!({"type": "array", "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["paths"],
            "properties": {
                "paths": {
                    "description": "Patterns in gitignore syntax.",
                    "type": "array", "items": {"type": "string"}, "minItems": 1
                },
                "rules": {"$ref": "#/definitions/rules"},
            },
        }}),
    };
    schema["description"] = key.about.into();
    if let Ok(default) = serde_json::from_str::<Value>(key.default) {
        schema["default"] = default;
    }
    schema
}

fn setting() -> Value {
    let allow = json!({
        "description": "Code points (U+00AD), path patterns or words that the rule does not report.",
        "type": "array", "items": {"type": "string"}
    });
    json!({"anyOf": [
        {"$ref": "#/definitions/level"},
        {
            "type": "object",
            "additionalProperties": false,
            "properties": {"level": {"$ref": "#/definitions/level"}, "allow": allow},
        },
    ]})
}

/// Known names are described. Others are allowed, as the linter allows them with a warning: a config may be shared with a
/// version that has more rules.
fn rules() -> Value {
    let mut properties = Map::new();
    let mut add = |name: &str, about: String| {
        let schema = json!({"description": about, "allOf": [{"$ref": "#/definitions/setting"}]});
        properties.insert(name.to_owned(), schema);
    };
    add(ALL_RULES, "All rules; the setting of a group or a rule overrides it.".to_owned());
    for group in Group::ALL {
        add(group.name(), format!("All rules of the group {}.", group.name()));
    }
    for rule in RULES.iter() {
        add(rule.info().name, rule.info().summary.to_owned());
    }
    json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": {"$ref": "#/definitions/setting"},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_its_place_and_default() {
        let schema = document();
        for key in KEYS {
            let property = match key.table {
                "" => &schema["properties"][key.name],
                table => &schema["properties"][table]["properties"][key.name],
            };
            assert_eq!(property["description"], key.about, "{}.{}", key.table, key.name);
            assert!(!property["default"].is_null(), "{}.{}: {} is no JSON", key.table, key.name, key.default);
        }
    }

    #[test]
    fn every_rule_and_group_is_known() {
        let rules = &document()["definitions"]["rules"]["properties"];
        assert!(RULES.iter().all(|rule| rules[rule.info().name].is_object()));
        assert!(Group::ALL.iter().all(|group| rules[group.name()].is_object()));
    }
}
