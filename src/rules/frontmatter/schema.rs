//! What a table of fields can say, and which kind of file has which table. Knows no document and no rule.

mod tables;

use crate::base::kind::Kind;
use crate::base::text::edit_distance;
use crate::parse::frontmatter::{Frontmatter, Value};
use crate::rules::Evidence;

/// The fields of one kind of file.
#[derive(Debug)]
pub(super) struct Schema {
    /// What such a file is called in messages.
    pub(super) what: &'static str,
    /// The fields that its readers know.
    pub(super) fields: &'static [FieldSpec],
    /// Fields of other agents' files that these readers silently skip.
    pub(super) ignored: &'static [Ignored],
    /// Where the table comes from.
    #[cfg_attr(not(test), expect(dead_code, reason = "kept beside the facts it proves; a test reads it"))]
    pub(super) evidence: &'static [Evidence],
}

/// One field.
#[derive(Debug)]
pub(super) struct FieldSpec {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) needed: Needed,
    pub(super) limit: Limit,
    /// The field whose readers read this one too. In a file without it, other tools may use the name for anything.
    pub(super) beside: Option<&'static str>,
    /// The only setting under which readers look at the field; without it what the field says is lost.
    pub(super) counts_with: Option<Setting>,
}

/// Whether a file can do without a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    /// It can.
    No,
    /// It cannot.
    Always,
    /// It cannot while another field has a certain value.
    With(Setting),
}

/// `field: value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) field: &'static str,
    pub(super) value: &'static str,
}

impl Setting {
    /// Whether `frontmatter` says so.
    pub(super) fn holds_in(self, frontmatter: &Frontmatter) -> bool {
        let value = frontmatter.get(self.field).map(|field| &field.value.value);
        matches!(value, Some(Value::String(text)) if text == self.value)
    }
}

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
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
    pub(super) fn describe(self) -> &'static str {
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
pub(super) enum Limit {
    /// Nothing.
    None,
    /// From 1 to this many characters.
    Length(usize),
    /// A skill's name: 1 to 64 of `a-z0-9-`, no hyphen at either end nor two in a row, equal to the folder's name.
    SkillName,
    /// One of these words, or a list of them.
    OneOf(&'static [&'static str]),
}

/// A field that belongs to another agent's file.
#[derive(Debug)]
pub(super) struct Ignored {
    pub(super) name: &'static str,
    /// The field that these readers know instead; while it is present, nothing is lost.
    pub(super) instead: &'static str,
    /// What follows from it.
    pub(super) effect: &'static str,
}

/// The table of `kind`; `None` where no agent gives frontmatter a meaning.
pub(super) fn of(kind: Kind) -> Option<&'static Schema> {
    Some(match kind {
        Kind::Skill => &tables::SKILL,
        Kind::ClaudeRule => &tables::CLAUDE_RULE,
        Kind::ClaudeCommand => &tables::CLAUDE_COMMAND,
        Kind::ClaudeAgent => &tables::CLAUDE_AGENT,
        Kind::CursorRule => &tables::CURSOR_RULE,
        Kind::CopilotScoped => &tables::COPILOT_SCOPED,
        Kind::CopilotPrompt => &tables::COPILOT_PROMPT,
        Kind::CopilotAgent => &tables::COPILOT_AGENT,
        Kind::WindsurfRule => &tables::WINDSURF_RULE,
        Kind::ClineRule => &tables::CLINE_RULE,
        Kind::KiroSteering => &tables::KIRO_STEERING,
        Kind::LibraryHint => &tables::LIBRARY_HINT,
        Kind::PackageYaml => &tables::PACKAGE_YAML,
        _ => return None,
    })
}

impl Schema {
    /// The field called exactly `name`.
    pub(super) fn field(&self, name: &str) -> Option<&FieldSpec> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The foreign field called exactly `name`.
    pub(super) fn ignored(&self, name: &str) -> Option<&Ignored> {
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
            Needed::With(setting) => frontmatter.is_some_and(|frontmatter| setting.holds_in(frontmatter)),
        })
    }

    /// The known field that `name` is a misspelling of: the same but for case, `_` and `-`, or one edit away.
    pub(super) fn misspelled(&self, name: &str) -> Option<&FieldSpec> {
        let bare = |name: &str| name.replace(['_', '-'], "").to_lowercase();
        let same = self.fields.iter().find(|field| bare(field.name) == bare(name));
        same.or_else(|| self.fields.iter().find(|field| field.name.len() >= 4 && edit_distance(field.name, name) == 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; 13] = [
        Kind::Skill,
        Kind::ClaudeRule,
        Kind::ClaudeCommand,
        Kind::ClaudeAgent,
        Kind::CursorRule,
        Kind::CopilotScoped,
        Kind::CopilotPrompt,
        Kind::CopilotAgent,
        Kind::WindsurfRule,
        Kind::ClineRule,
        Kind::KiroSteering,
        Kind::LibraryHint,
        Kind::PackageYaml,
    ];

    #[test]
    fn the_tables_cite_their_evidence() {
        for kind in KINDS {
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
        for kind in KINDS {
            let schema = of(kind).unwrap();
            for field in schema.fields {
                let near: Vec<_> =
                    schema.fields.iter().filter(|other| edit_distance(other.name, field.name) == 1).collect();
                assert!(near.is_empty() || field.name == "mode" || field.name == "model", "{kind:?} {near:?}");
            }
            for ignored in schema.ignored {
                assert!(
                    schema.field(ignored.instead).is_some() && schema.misspelled(ignored.name).is_none(),
                    "{ignored:?}"
                );
            }
            for field in schema.fields {
                let with = match field.needed {
                    Needed::With(setting) => Some(setting),
                    _ => field.counts_with,
                };
                let allows = |setting: Setting| match schema.field(setting.field).map(|other| other.limit) {
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
            (Kind::CursorRule, "glob", Some("globs")),
            (Kind::CursorRule, "always_apply", Some("alwaysApply")),
            (Kind::ClaudeRule, "path", Some("paths")),
            (Kind::CopilotScoped, "apply-to", Some("applyTo")),
            (Kind::LibraryHint, "relevant-for", Some("relevant_for")),
        ] {
            assert_eq!(of(kind).unwrap().misspelled(name).map(|field| field.name), want, "{name}");
        }
    }
}
