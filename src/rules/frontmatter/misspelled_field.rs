//! `misspelled-field`: a field is a misspelling of a known one. Knows only parsed documents.

use super::schema;
use super::schema::is_same_name;
use super::wrong_type::misfit;
use crate::agents::files;
use crate::base::fields::{FieldSpec, Schema};
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::parse::Document;
use crate::parse::frontmatter::{Field, FrontmatterNode, Value};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct MisspelledField;

static INFO: RuleInfo = RuleInfo {
    name: "misspelled-field",
    group: Group::Frontmatter,
    levels: &[Level::Warning],
    summary: "a field is a misspelling of a known one",
    explanation: r#"## What it does

Reports a field that no reader of the file knows and that differs from a known one by one letter, by two swapped letters, by case, or
by `_` for `-`. Where it is a letter, its value must fit the known field, too: `agents: [a, b]` is no slip of `agent`, which holds one name.
Nor is a list or a mapping where the known field takes neither, a list of records for `mcpServers`, or a path for `skills`.

## Why is this bad?

Readers silently skip fields that they do not know: the rule loses its globs, the skill its tools.

## Example

```yaml
allowed_tools: Read, Grep
```

## How to fix

Rename the field. `--unsafe-fixes` does so where the right field is not there as well: the field then takes effect, which changes what the agent does.
"#,
    evidence: &[Evidence { source: "the tables in `schema.rs`, each with its own source", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for MisspelledField {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let (Some(schema), Some(frontmatter)) = (schema::of(document.kind), &document.frontmatter) else { return };
        for field in &frontmatter.fields {
            if schema.field(&field.key).is_some() || schema.ignored(&field.key).is_some() {
                continue;
            }
            if is_of_another_agent(document.kind, &field.key) || is_of_gemini(document, &field.key) {
                continue;
            }
            let Some(meant) = slip(schema, field) else { continue };
            // A fix must not trade this finding for one about the value.
            let fits = misfit(meant.shape, &field.value).is_none();
            let meant = meant.name;
            let message = format!("unknown field `{}`; did you mean `{meant}`?", field.key);
            let finding = Finding::new(INFO.name, Level::Warning, &document.path, field.key_span, message);
            let twins = frontmatter.fields.iter().filter(|other| {
                let also_misspelt =
                    schema.field(&other.key).is_none() && slip(schema, other).is_some_and(|spec| spec.name == meant);
                other.key == meant || also_misspelt
            });
            findings.push(match (frontmatter.get(meant), twins.count()) {
                (Some(there), _) => {
                    finding.help("delete one of the two").related(&document.path, there.key_span, "the known field")
                }
                (None, 1) if fits => {
                    let quote = document.slice(field.key_span).chars().next().filter(|c| matches!(c, '"' | '\''));
                    let quote = quote.map_or(String::new(), String::from);
                    let name = format!("{quote}{meant}{quote}");
                    finding.help(format!("rename it to `{meant}`")).fix(Applicability::Unsafe, field.key_span, name)
                }
                (None, 1) => finding.help(format!("rename it to `{meant}`")),
                (None, _) => finding.help(format!("rename one to `{meant}` and delete the others")),
            });
        }
    }
}

/// Whether another agent's files of the role of `kind` have a field called so.
fn is_of_another_agent(kind: Kind, name: &str) -> bool {
    let others = files::kinds().filter(|other| *other != kind && other.role() == kind.role());
    kind.role().is_some() && others.filter_map(schema::of).any(|schema| schema.field(name).is_some())
}

/// Whether the field is one of Gemini CLI's subagents, and the file says that it is also for that agent.
fn is_of_gemini(document: &Document, name: &str) -> bool {
    let is_one = matches!(name, "max_turns" | "timeout_mins" | "temperature" | "kind");
    let speaks = || memchr::memmem::find(document.text.as_bytes(), b"Gemini CLI").is_some();
    document.kind.role() == Some(Role::Subagent) && is_one && speaks()
}

/// The known field that `field` is a slip of. A field one letter off whose value does not fit the known one is another tool's.
pub(super) fn slip<'s>(schema: &'s Schema, field: &Field) -> Option<&'s FieldSpec> {
    let meant = schema.misspelled(&field.key)?;
    // What an argument is like is said in words or brackets; its name has neither.
    let is_hint = |text: &str| text.contains([' ', '[', '<', '|']);
    let hint = matches!(&field.value.value, Value::String(text) if meant.name == "arguments" && is_hint(text));
    let meant = if hint { schema.field("argument-hint")? } else { meant };
    // One path is where something is; patterns are where it applies.
    let is_place = field.key == "path"
        && matches!(&field.value.value, Value::String(path) if !path.contains(['*', '?', '{', ',']));
    if is_place && meant.name == "paths" {
        return None;
    }
    let is_of_another_tool = match (meant.name, &field.value.value) {
        // Servers are given by their names, or by mappings from a name to settings: a list of records describes something else.
        ("mcpServers", Value::List(items)) => items.iter().any(is_record),
        // Skills are given by their names, and a path by its own field.
        ("skills", Value::String(text)) => text.contains('/'),
        _ => false,
    };
    let fits = misfit(meant.shape, &field.value).is_none();
    let is_scalar = !matches!(&field.value.value, Value::List(_) | Value::Map(_));
    // A misspelt switch is dead whatever it says. A list or mapping where the field takes neither is another field's.
    let is_slip = fits || is_same_name(meant.name, &field.key) && is_scalar;
    (is_slip && !is_of_another_tool).then_some(meant)
}

/// Whether an item of a list is a mapping of several fields.
fn is_record(item: &FrontmatterNode) -> bool {
    matches!(&item.value, Value::Map(fields) if fields.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{check, fixed, places};

    #[test]
    fn slips_are_renamed() {
        let text = "---\nname: a\ndescripton: b\n\"allowed_tools\": Read\n---\n";
        assert_eq!(places(&MisspelledField, Kind::Skill, text), ["descripton", "\"allowed_tools\""]);
        let want = "---\nname: a\ndescription: b\n\"allowed-tools\": Read\n---\n";
        assert_eq!(fixed(&MisspelledField, Kind::Skill, text, Applicability::Unsafe), want);
    }

    #[test]
    fn a_misspelt_switch_is_dead_whatever_it_says() {
        for line in ["user_invocable: true", "user-invokable: false", "disable_model_invocation: false"] {
            let found = check(&MisspelledField, Kind::Skill, &format!("---\n{line}\n---\n"));
            assert_eq!(found.iter().map(|finding| finding.level).collect::<Vec<_>>(), [Level::Warning], "{line}");
        }
        assert_eq!(check(&MisspelledField, Kind::Skill, "---\nuser-invocable: true\n---\n"), []);
    }

    #[test]
    fn an_argument_in_words_is_a_hint() {
        let found =
            |line: &str| check(&MisspelledField, Kind::of_agent("claude-command"), &format!("---\n{line}\n---\n"));
        let meant = |line: &str| found(line).first().map(|finding| finding.message.clone()).unwrap_or_default();
        assert!(meant("argument: URL or text of a page").ends_with("`argument-hint`?"));
        assert!(meant("argument: issue").ends_with("`arguments`?"));
    }

    #[test]
    fn a_value_of_another_type_belongs_to_another_tool() {
        let agent = Kind::of_agent("claude-agent");
        let found = |kind: Kind, lines: &str| check(&MisspelledField, kind, &format!("---\n{lines}\n---\n")).len();
        let records = "mcp_servers:\n  - name: aws\n    tools: [a]\n    purpose: x";
        assert_eq!((found(agent, records), found(agent, "skill: .claude/skills/x/")), (0, 0));
        assert_eq!((found(agent, "mcp_servers: [aws]"), found(agent, "skill: x")), (1, 1));
        assert_eq!(found(agent, "mcp_servers:\n  - aws:\n      command: x"), 1);
        assert_eq!((found(Kind::Skill, "User_Invocable: [a]"), found(Kind::Skill, "user_invocable: \"a\"")), (0, 1));
    }

    #[test]
    fn a_pattern_is_meant_for_paths() {
        let found =
            |line: &str| check(&MisspelledField, Kind::of_agent("claude-rule"), &format!("---\n{line}\n---\n")).len();
        assert_eq!((found("path: src/**/*.ts"), found("path: docs/a.md")), (1, 0));
    }

    #[test]
    fn a_field_that_is_there_already_is_not_made_twice() {
        for text in ["---\nglobs: a\nglob: b\n---\n", "---\nglob: a\nglobss: b\n---\n"] {
            assert!(
                check(&MisspelledField, Kind::of_agent("cursor-rule"), text)
                    .iter()
                    .all(|finding| finding.fix.is_none())
            );
        }
    }

    #[test]
    fn a_field_of_another_agent_is_no_slip() {
        let agent = Kind::of_agent("copilot-agent");
        let text = "---\ndescription: x\nmode: primary\n---\n";
        assert_eq!(places(&MisspelledField, agent, text), [""; 0]);
        let text = "---\ndescription: x\nmodle: y\n---\n";
        assert_eq!(places(&MisspelledField, agent, text), ["modle"]);
    }

    #[test]
    fn a_subagent_for_two_agents_has_fields_of_both() {
        let agent = Kind::of_agent("claude-agent");
        let text = "---\nname: a\ndescription: b\nmax_turns: 30\n---\n";
        assert_eq!(places(&MisspelledField, agent, text), ["max_turns"]);
        let both = format!("{text}\nSupports Claude Code and Gemini CLI.\n");
        assert_eq!(places(&MisspelledField, agent, &both), [""; 0]);
    }

    #[test]
    fn other_words_are_other_fields() {
        for (kind, line) in [
            (Kind::Skill, "title: x"),
            (Kind::AgentsMd, "nmae: x"),
            (Kind::of_agent("claude-rule"), "globs: x"),
            (Kind::Skill, "agents: [planner, reviewer]"),
            (Kind::Skill, "hook: notify.sh"),
            (Kind::of_agent("claude-rule"), "path: .claude/rules/api.md"),
        ] {
            assert_eq!(check(&MisspelledField, kind, &format!("---\n{line}\n---\n")), []);
        }
    }
}
