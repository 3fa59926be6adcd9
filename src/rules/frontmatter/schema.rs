//! How a file is held against its kind's table of fields. The tables are the agents'; those of no single agent stand in `tables`.

mod tables;

use crate::base::fields::{FieldSetting, FieldSpec, ForeignField, Needed, Schema};
use crate::base::kind::Kind;
use crate::base::text::edit_distance;
use crate::parse::frontmatter::{Frontmatter, Value};

/// The table of `kind`; `None` where no reader gives frontmatter a meaning.
pub(super) fn of(kind: Kind) -> Option<&'static Schema> {
    match kind {
        Kind::Of(kind) => kind.fields,
        Kind::Skill => Some(&tables::SKILL),
        Kind::LibraryHint => Some(&tables::LIBRARY_HINT),
        Kind::PackageYaml => Some(&tables::PACKAGE_YAML),
        _ => None,
    }
}

impl FieldSetting {
    /// Whether `frontmatter` says so.
    pub(super) fn holds_in(self, frontmatter: &Frontmatter) -> bool {
        let value = frontmatter.get(self.field).map(|field| &field.value.value);
        matches!(value, Some(Value::String(text)) if text == self.value)
    }
}

impl Schema {
    /// The field called exactly `name`.
    pub(super) fn field(&self, name: &str) -> Option<&FieldSpec> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The foreign field called exactly `name`.
    pub(super) fn ignored(&self, name: &str) -> Option<&ForeignField> {
        self.ignored.iter().find(|ignored| ignored.name == name)
    }

    /// The field called exactly `name`, if anybody reads it in a file with this frontmatter.
    pub(super) fn field_in(&self, frontmatter: &Frontmatter, name: &str) -> Option<&FieldSpec> {
        self.field(name).filter(|field| field.beside.is_none_or(|other| frontmatter.get(other).is_some()))
    }

    /// The fields that a file with this frontmatter, or without any, cannot do without.
    pub(super) fn needed(&self, frontmatter: Option<&Frontmatter>) -> impl Iterator<Item = &FieldSpec> {
        self.fields.iter().filter(move |field| match field.needed {
            Needed::No => false,
            Needed::Always => true,
            Needed::InBareFile => frontmatter.is_none(),
            Needed::With(setting) => frontmatter.is_some_and(|frontmatter| setting.holds_in(frontmatter)),
        })
    }

    /// The known field that `name` is a misspelling of: the same except for case, `_` and `-`, or one edit away.
    pub(super) fn misspelled(&self, name: &str) -> Option<&FieldSpec> {
        if self.field(name).is_some() {
            return None;
        }
        let same = self.fields.iter().find(|field| is_same_name(field.name, name));
        same.or_else(|| self.fields.iter().find(|field| field.name.len() >= 4 && edit_distance(field.name, name) == 1))
    }
}

/// Whether two names differ only in case, `_` and `-`.
pub(super) fn is_same_name(a: &str, b: &str) -> bool {
    let bare = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    bare(a) == bare(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fields::Limit;

    /// All kinds that have a table.
    fn kinds() -> Vec<Kind> {
        let agents = crate::agents::files::kinds().filter(|kind| of(*kind).is_some());
        agents.chain([Kind::LibraryHint, Kind::PackageYaml]).collect()
    }

    #[test]
    fn the_tables_cite_their_evidence() {
        for kind in kinds() {
            let schema = of(kind).unwrap();
            assert!(!schema.evidence.is_empty(), "{kind:?}");
            for evidence in schema.evidence {
                assert!(evidence.checked.starts_with("20") && evidence.source.contains([' ', '/']), "{evidence:?}");
            }
        }
        assert!(of(Kind::AgentsMd).is_none());
    }

    #[test]
    fn no_field_is_a_misspelling_of_another() {
        for kind in kinds() {
            let schema = of(kind).unwrap();
            for field in schema.fields {
                let near: Vec<_> =
                    schema.fields.iter().filter(|other| edit_distance(other.name, field.name) == 1).collect();
                assert!(near.is_empty() || field.name == "mode" || field.name == "model", "{kind:?} {near:?}");
            }
            for ignored in schema.ignored {
                let is_known = ignored.instead.is_empty() || schema.field(ignored.instead).is_some();
                assert!(is_known && schema.misspelled(ignored.name).is_none(), "{ignored:?}");
            }
            for field in schema.fields {
                let with = match field.needed {
                    Needed::With(setting) => Some(setting),
                    _ => field.counts_with,
                };
                let allows = |setting: FieldSetting| match schema.field(setting.field).map(|other| other.limit) {
                    Some(Limit::OneOf(words)) => words.contains(&setting.value),
                    _ => false,
                };
                assert!(with.is_none_or(allows), "{kind:?} {field:?}");
            }
        }
    }

    #[test]
    fn misspellings_are_one_edit_or_another_style() {
        for (kind, name, want) in [
            (Kind::Skill, "allowed_tools", Some("allowed-tools")),
            (Kind::Skill, "Description", Some("description")),
            (Kind::Skill, "descripton", Some("description")),
            (Kind::Skill, "desciption", Some("description")),
            (Kind::Skill, "nmae", Some("name")),
            (Kind::Skill, "title", None),
            (Kind::Skill, "author", None),
            (Kind::of_agent("cursor-rule"), "glob", Some("globs")),
            (Kind::of_agent("cursor-rule"), "always_apply", Some("alwaysApply")),
            (Kind::of_agent("claude-rule"), "path", Some("paths")),
            (Kind::of_agent("copilot-scoped"), "apply-to", Some("applyTo")),
            (Kind::LibraryHint, "relevant-for", Some("relevant_for")),
        ] {
            assert_eq!(of(kind).unwrap().misspelled(name).map(|field| field.name), want, "{name}");
        }
    }
}
