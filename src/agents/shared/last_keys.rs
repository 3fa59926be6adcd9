//! YAML as JavaScript's readers take it: of equal keys in one mapping the last one counts, and a tag is a name (the latter
//! observed of Bun's reader in November 2026). It knows no agent.

use serde::de::{Deserialize, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// A value, without YAML tags.
pub(crate) struct LastKeys(pub(crate) Value);

impl<'de> Deserialize<'de> for LastKeys {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(LastKeysVisitor).map(LastKeys)
    }
}

struct LastKeysVisitor;

impl<'de> Visitor<'de> for LastKeysVisitor {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a YAML value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(LastKeys(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((LastKeys(key), LastKeys(value))) = entries.next_entry()? {
            let key = match key {
                Value::String(key) => key,
                // The keys of a template (`{{ name }}: x`) are mappings.
                other => other.to_string(),
            };
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (tag, inner): (String, _) = tagged.variant()?;
        let name = tag.strip_prefix('!').unwrap_or(&tag);
        if name.starts_with(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '<' | '!')) {
            return Err(A::Error::custom("a tag begins with no letter"));
        }
        inner.newtype_variant().map(|LastKeys(value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_equal_keys_counts() {
        let check = |yaml: &str, expected: Value| {
            let found: Result<LastKeys, _> = serde_yaml::from_str(yaml);
            assert_eq!(found.ok().map(|found| found.0), Some(expected), "{yaml}");
        };
        check("a: 1\nb: [x, {c: 1, c: ~}]\na: -2\n", serde_json::json!({"a": -2, "b": ["x", {"c": null}]}));
        check(
            "a: !t x\nb: !u\n1: 0.5\ntrue: false\n",
            serde_json::json!({"a": "x", "b": null, "1": 0.5, "true": false}),
        );
        check(
            "{{ a }}: 1\n~: 2\nb: {{ c }}\n",
            serde_json::json!({"{\"{\\\"a\\\":null}\":null}": 1, "null": 2, "b": {"{\"c\":null}": null}}),
        );
        for refused in ["a: !**", "a: !_x y", "a: [!*, b]"] {
            assert!(serde_yaml::from_str::<LastKeys>(refused).is_err(), "{refused}");
        }
        check("a: [!-x b, ! c, !!str 5]", serde_json::json!({"a": ["b", "c", "5"]}));
        check("- a", serde_json::json!(["a"]));
        check("~", Value::Null);
    }
}
