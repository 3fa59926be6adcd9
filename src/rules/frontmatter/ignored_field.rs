//! `ignored-field`: a field of another agent's files. Knows only parsed documents.

use super::left_out;
use super::schema;
use crate::agents::bundles;
use crate::base::fields::{FieldSetting, ForeignField, Schema};
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::frontmatter::{Field, Frontmatter, FrontmatterNode, Value};
use crate::parse::patterns::patterns;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct IgnoredField;

static INFO: RuleInfo = RuleInfo {
    name: "ignored-field",
    group: Group::Frontmatter,
    levels: &[Level::Warning, Level::Info],
    summary: "a field that this file's agent does not read",
    explanation: r#"## What it does

Reports a field that means something in another agent's files and nothing here, such as `globs` in `.claude/rules` (Claude Code reads
`paths`) or `paths` in a Cursor rule (Cursor reads `globs`), and Kiro's `fileMatchPattern` without `inclusion: fileMatch`. Silent where
the file has the right field as well, since the other is then for another agent, and where nothing is lost: the patterns match
every file, or `alwaysApply` is true.

Reports `hooks`, `mcpServers` and `permissionMode` of a subagent in a plugin, which its reader passes over for safety.

In a hint file that `merged` has and that an enabled agent reads whole, frontmatter that says something to the agent (a field
or a comment of several words) is reported too: Codex reads it, while Claude Code and `merged` leave it out. Fields that only
describe the file, such as `description` and `globs`, are left alone.

## Why is this bad?

The rule does not apply where its author believes: Claude Code loads a rule with only `globs` for every file. And who reviews
a merged context does not see what it leaves out.

## Example

```yaml
# .claude/rules/api.md
globs: "src/api/**"
```

## How to fix

Rename the field to the one that the message names. Move instructions from the frontmatter into the text.
"#,
    evidence: &[
        Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" },
        Evidence { source: "the tables in `schema.rs`, each with its own source", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for IgnoredField {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        left_out::check(INFO.name, document, cx, findings);
        let (Some(schema), Some(frontmatter)) = (schema::of(document.kind), &document.frontmatter) else { return };
        let always = frontmatter.get("alwaysApply").is_some_and(|field| field.value.value == Value::Bool(true));
        let says_nothing =
            |node: &FrontmatterNode| node.value == Value::Null || always || matches_everything(document, node);
        let unread =
            bundles::unread(document.path.as_bytes(), document.kind, |path| cx.workspace.listing.contains(path));
        for field in frontmatter.fields.iter().filter(|field| unread.contains(&field.key.as_str())) {
            if field.value.value != Value::Null {
                let message = format!("`{}` is not read in {} of a plugin", field.key, schema.what);
                findings.push(
                    Finding::new(INFO.name, Level::Warning, &document.path, field.key_span, message)
                        .help("delete it, or set it in the plugin or in the settings of its users"),
                );
            }
        }
        let mut renamed: Vec<&str> = Vec::new();
        for field in frontmatter.fields.iter().filter(|field| !says_nothing(&field.value)) {
            if let Some(setting) = schema.field(&field.key).and_then(|spec| spec.counts_with)
                && !setting.holds_in(frontmatter)
            {
                findings.push(without_its_setting(document, frontmatter, field, setting));
            }
            let Some(ignored) = schema.ignored(&field.key) else { continue };
            if ignored.instead.is_empty() {
                findings.push(without_effect(document, schema, field, ignored));
                continue;
            }
            if frontmatter.get(ignored.instead).is_some() || renamed.contains(&ignored.instead) {
                continue;
            }
            renamed.push(ignored.instead);
            let message = format!("`{}` is not read in {}: {}", ignored.name, schema.what, ignored.effect);
            findings.push(
                Finding::new(INFO.name, Level::Warning, &document.path, field.key_span, message)
                    .help(format!("use `{}`", ignored.instead))
                    .fix(Applicability::Unsafe, field.key_span, ignored.instead),
            );
        }
    }
}

/// Report a field that no other field stands for.
fn without_effect(document: &Document, schema: &Schema, field: &Field, ignored: &ForeignField) -> Finding {
    let message = format!("`{}` is not read in {}: {}", ignored.name, schema.what, ignored.effect);
    let cause = Cause {
        key: format!("{} {}", document.kind.name(), ignored.name),
        subject: format!("`{}` of {}", ignored.name, document.path.to_str_lossy()),
        many: "are not read",
        help: None,
    };
    Finding::new(INFO.name, Level::Warning, &document.path, field.key_span, message)
        .help("move it to the settings, which know the field, or delete it")
        .cause(cause)
}

/// Whether one of the patterns matches every file, so that a reader that skips them does the same.
fn matches_everything(document: &Document, node: &FrontmatterNode) -> bool {
    patterns(document, node)
        .iter()
        .any(|pattern| matches!(pattern.text.as_str(), "*" | "**" | "**/*" | "/**" | "**/**"))
}

/// Report a field that counts only together with a setting that the file does not have.
fn without_its_setting(
    document: &Document,
    frontmatter: &Frontmatter,
    field: &Field,
    setting: FieldSetting,
) -> Finding {
    let (name, FieldSetting { field: other, value }) = (&field.key, setting);
    let message = format!("`{name}` counts only with `{other}: {value}`");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, field.key_span, message);
    match frontmatter.get(other) {
        Some(there) => finding
            .help(format!("write `{other}: {value}`, or delete `{name}`"))
            .related(&document.path, there.key_span, "the setting")
            .fix(Applicability::Unsafe, there.value.span, value),
        None => {
            let line = document.lines.line_span(document.lines.line_of(field.key_span.start)).start;
            let newline = if document.text.contains("\r\n") { "\r\n" } else { "\n" };
            finding.help(format!("add `{other}: {value}`")).fix(
                Applicability::Unsafe,
                Span::empty(line),
                format!("{other}: {value}{newline}"),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::{check, fixed};

    #[test]
    fn permissions_of_a_subagent_have_no_effect() {
        let kind = Kind::of_agent("claude-agent");
        let text = "---\nname: a\ndescription: b\ntools: Read\npermissions:\n  allow: [\"Read(*)\"]\n---\n";
        let [found] = &check(&IgnoredField, kind, text)[..] else { panic!("one finding") };
        assert!(found.message.contains("what it allows and denies has no effect"), "{found:#?}");
        assert_eq!(found.fix, None);
        for text in ["---\nname: a\npermissionMode: plan\n---\n", "---\nname: a\npermissions:\n---\n"] {
            assert_eq!(check(&IgnoredField, kind, text), [], "{text}");
        }
    }

    #[test]
    fn the_right_name_is_offered() {
        for (kind, line, want) in [
            (Kind::of_agent("claude-rule"), "globs: \"src/**\"", "paths: \"src/**\""),
            (Kind::of_agent("cursor-rule"), "paths: src/**", "globs: src/**"),
            (Kind::of_agent("claude-agent"), "allowed-tools: Read", "tools: Read"),
            (Kind::of_agent("copilot-scoped"), "globs: a\npaths: b", "applyTo: a\npaths: b"),
            (Kind::of_agent("kiro-steering"), "fileMatchPattern: a", "inclusion: fileMatch\nfileMatchPattern: a"),
            (
                Kind::of_agent("kiro-steering"),
                "inclusion: always\nfileMatchPattern: a",
                "inclusion: fileMatch\nfileMatchPattern: a",
            ),
        ] {
            let text = format!("---\n{line}\n---\n");
            assert_eq!(fixed(&IgnoredField, kind, &text, Applicability::Unsafe), format!("---\n{want}\n---\n"));
        }
    }

    #[test]
    fn a_file_for_two_agents_is_left_alone() {
        for (kind, lines) in [
            (Kind::of_agent("claude-rule"), "paths: a\nglobs: a"),
            (Kind::of_agent("claude-rule"), "globs:\nalwaysApply: true"),
            (Kind::of_agent("claude-rule"), "globs: src/**\nalwaysApply: true"),
            (Kind::of_agent("claude-rule"), "applyTo: '**'"),
            (Kind::of_agent("cline-rule"), "globs: ['memory-bank/**', '*']"),
            (Kind::of_agent("kiro-steering"), "inclusion: fileMatch\nfileMatchPattern: a"),
            (Kind::of_agent("kiro-steering"), "inclusion: always\nfileMatchPattern: '**/*'"),
            (Kind::AgentsMd, "globs: a"),
        ] {
            assert_eq!(check(&IgnoredField, kind, &format!("---\n{lines}\n---\n")), []);
        }
    }

    #[test]
    fn a_plugin_gives_its_subagents_no_hooks_and_no_rights() {
        use crate::rules::testing::repository;
        let text = "---\nname: a\ndescription: x\nhooks: {}\npermissionMode: plan\nmodel: opus\n---\nDo it.\n";
        let manifest = ("p/.claude-plugin/plugin.json", "{\"name\": \"p\"}\n");
        let fields = |files: &[(&str, &str)]| repository("ignored-field", "", files).len();
        assert_eq!(fields(&[manifest, ("p/agents/a.md", text)]), 2);
        // The project's own count, beside a plugin too.
        assert_eq!(fields(&[manifest, (".claude/agents/a.md", text)]), 0);
        assert_eq!(fields(&[manifest, ("p/.claude/agents/a.md", text)]), 0);
    }
}
