//! The values in force, by their keys, for whoever shows or compares them.

use serde_json::{Map, Value, json};

use super::{Config, RuleSetting};

impl Config {
    /// The value of `table.key`; null for the keys that have several places: `rules` and `overrides`.
    pub(crate) fn value(&self, table: &str, key: &str) -> Value {
        match (table, key) {
            ("", "agents") => self.agents.as_ref().map_or(json!("auto"), |agents| json!(agents)),
            ("", "extends") => self.extends.iter().map(|(name, _)| name.as_str()).collect(),
            ("", "exclude") => self.exclude.iter().map(|(pattern, _)| pattern.as_str()).collect(),
            ("limits", "import-depth") => json!(self.limits.import_depth),
            ("limits", "context-bytes") => json!(self.limits.context_bytes),
            ("compile", "output") => json!(self.compile.output),
            ("compile", "agents") => json!(self.compile.agents),
            ("compile", "inherit") => json!(self.compile.inherit),
            ("compile", "directories") => json!(self.compile.directories),
            ("plans", "paths") => json!(self.plans),
            ("hooks", "loops") => json!(self.loops),
            ("library", "paths") => json!(self.library),
            ("baseline", "path") => json!(self.baseline),
            ("packages", "path") => json!(self.packages),
            ("search", "provider") => json!(self.search.provider),
            ("search", "model") => json!(self.search.model.as_deref().unwrap_or_default()),
            ("search", "host") => json!(self.search.host.as_deref().unwrap_or_default()),
            ("dex", "enabled") => json!(self.dex.enabled),
            ("dex", "filenames") => json!(self.dex.filenames),
            _ => Value::Null,
        }
    }
}

impl RuleSetting {
    /// The level as it is written; `None` where the rule keeps its own.
    pub(crate) fn level_name(&self) -> Option<&'static str> {
        self.level.map(|level| level.map_or("off", |level| level.name()))
    }

    /// The setting as it may be written: a level, or a table.
    pub(crate) fn value(&self) -> Value {
        if let (Some(level), true) = (self.level_name(), self.allow.is_empty()) {
            return json!(level);
        }
        let mut table = Map::new();
        table.extend(self.level_name().map(|level| ("level".to_owned(), json!(level))));
        if !self.allow.is_empty() {
            table.insert("allow".to_owned(), json!(self.allow));
        }
        Value::Object(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{KEYS, KeyKind};

    #[test]
    fn each_key_has_its_value() {
        let config = Config::default();
        for key in KEYS.iter().filter(|key| !matches!(key.kind, KeyKind::Rules | KeyKind::Overrides)) {
            let value = config.value(key.table, key.name).to_string().replace(',', ", ");
            assert_eq!(value, key.default, "{} {}", key.table, key.name);
        }
    }
}
