//! Reading `[rules]` and `[[overrides]]`: the level of each rule, and which paths it holds for.

use std::ops::Range;

use toml_edit::{Item, TableLike, Value};

use super::value::describe;
use super::{ConfigReader, clip};
use crate::base::finding::Level;
use crate::config::keys::nearest;
use crate::config::{Override, RuleSetting};

impl ConfigReader<'_> {
    pub(super) fn rules(&mut self, table: &dyn TableLike) -> Vec<RuleSetting> {
        let mut settings = Vec::new();
        for (name, item) in table.iter() {
            let span = clip(table.key(name).and_then(toml_edit::Key::span), self.text);
            let mut setting = RuleSetting::new(name, self.path, span);
            if let Some(text) = item.as_str() {
                setting.level = self.level(name, text, item.span());
            } else if let Some(inner) = item.as_table_like() {
                self.rule_table(name, inner, &mut setting);
            } else {
                let message = format!("`{name}` must be a level or a table, not {}", describe(item));
                let help = "write \"error\", \"warning\", \"info\" or \"off\", or { level = \"…\", allow = [\"…\"] }";
                self.problem(item.span(), message, Some(help.into()));
            }
            settings.push(setting);
        }
        settings
    }

    fn rule_table(&mut self, rule: &str, table: &dyn TableLike, setting: &mut RuleSetting) {
        for (name, item) in table.iter() {
            match name {
                "level" => match item.as_str() {
                    Some(text) => setting.level = self.level(rule, text, item.span()),
                    None => self.problem(item.span(), format!("the level of `{rule}` must be a string"), None),
                },
                "allow" => {
                    setting.allow = self.spanned_strings("allow", item).into_iter().map(|(text, _)| text).collect();
                }
                _ => self.unknown_in(table, name, &format!("the settings of `{rule}`"), &["level", "allow"]),
            }
        }
    }

    fn level(&mut self, rule: &str, text: &str, span: Option<Range<usize>>) -> Option<Option<Level>> {
        match text {
            "error" => Some(Some(Level::Error)),
            "warning" => Some(Some(Level::Warning)),
            "info" => Some(Some(Level::Info)),
            "off" => Some(None),
            _ => {
                let help = match nearest(text, ["error", "warning", "info", "off"]) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => "a level is \"error\", \"warning\", \"info\" or \"off\"".to_owned(),
                };
                self.problem(span, format!("`{rule}` has no level {text:?}"), Some(help));
                None
            }
        }
    }

    pub(super) fn overrides(&mut self, item: &Item) -> Vec<Override> {
        let tables: Vec<&dyn TableLike> = match (item.as_array_of_tables(), item.as_array()) {
            (Some(tables), _) => tables.iter().map(|table| table as &dyn TableLike).collect(),
            (None, Some(array)) if array.iter().all(Value::is_inline_table) => {
                array.iter().filter_map(|value| value.as_inline_table().map(|t| t as &dyn TableLike)).collect()
            }
            _ => {
                let message = format!("`overrides` must be a list of tables, not {}", describe(item));
                self.problem(item.span(), message, Some("write each one as [[overrides]]".into()));
                return Vec::new();
            }
        };
        tables.into_iter().map(|table| self.one_override(table, item)).collect()
    }

    fn one_override(&mut self, table: &dyn TableLike, whole: &Item) -> Override {
        let first_key = table.iter().next().and_then(|(name, _)| table.key(name)).and_then(toml_edit::Key::span);
        let span = clip(first_key.clone().or(whole.span()), self.text);
        let mut this = Override { paths: Vec::new(), file: self.path.clone(), span, rules: Vec::new() };
        for (name, item) in table.iter() {
            match name {
                "paths" => {
                    let paths = self.spanned_strings("paths", item);
                    this.span = paths.first().map_or(this.span, |(_, span)| *span);
                    this.paths = paths.into_iter().map(|(text, _)| text).collect();
                }
                "rules" => match item.as_table_like() {
                    Some(rules) => this.rules = self.rules(rules),
                    None => self.problem(item.span(), "`rules` must be a table".into(), None),
                },
                _ => self.unknown_in(table, name, "[[overrides]]", &["paths", "rules"]),
            }
        }
        if this.paths.is_empty() {
            let help = "add paths = [\"some/folder/**\"]".to_owned();
            self.problem(first_key, "this override names no paths".into(), Some(help));
        }
        this
    }

    /// Report a key that a table of a rule or an override does not have; it has those `known`.
    fn unknown_in(&mut self, table: &dyn TableLike, name: &str, place: &str, known: &[&str]) {
        let help = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known here: {}", known.join(", ")),
        };
        let span = table.key(name).and_then(toml_edit::Key::span);
        self.problem(span, format!("unknown key `{name}` in {place}"), Some(help));
    }
}
