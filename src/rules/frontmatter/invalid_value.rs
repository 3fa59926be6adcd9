//! `invalid-value`: a field has a value that its readers refuse. Knows only parsed documents.

use super::is_illustration;
use super::schema;
use super::skill_name;
use crate::agents::files::SkillFault;
use crate::base::fields::{Limit, Shape};
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::frontmatter::{Frontmatter, FrontmatterNode, Value};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct InvalidValue;

pub(super) const NAME: &str = "invalid-value";

static INFO: RuleInfo = RuleInfo {
    name: NAME,
    group: Group::Frontmatter,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "a field has a value that its readers refuse",
    explanation: r#"## What it does

Reports values outside the limits of the format: a skill's `name` that is not 1 to 64 of `a-z`, `0-9` and `-` (no hyphen first, last or
doubled), a `description` longer than 1024 characters, a `compatibility` longer than 500, a word that is none of the allowed ones
(`trigger`, `inclusion`, `excludeAgent`, `context`). It is a warning if only agents read the file that accept such a skill, as Claude Code does.

As an info: a value that is not allowed in a field that changes only the appearance (`color`).

As a warning: a plain value that a ` #` cuts short (`Handles issue #12 and others`), since YAML begins a comment there; a skill's `name`
that is not the name of its folder, where an enabled agent refuses that, where another file calls the skill by the name under which a
reader does not find it (as a word in backticks, behind a `/`, or in settings; Claude Code finds it by both), where a skill beside it has
the name, too, or where one of the two names is a slip of the other (`reveiw-code` in `review-code`). Otherwise it is an info, and so it is where no known agent reads the skill, where the name only adds a prefix, or the suffix of the
collection, and where most skills beside it are called otherwise than their folders. Three or more skills of one collection whose
names leave the format in the same way (all with `_`, all with `.`, all in capitals or with blanks) are an info, too, unless an
enabled agent refuses them; and so is a version in a name (`php-8.2`) that only agents read which take it, and a long description that every agent which is known to read it takes. A SKILL.md in
the root of a repository, or in a folder called `skill`, has no folder to agree with; a skill that agents open by a link has the
link's. Folders named examples, templates, fixtures and the like are left alone unless the rule is selected.

## Why is this bad?

A skill with an invalid name is refused or never found; a word that is not allowed leaves the file in some default state.

## Example

```yaml
name: Release Checklist
```

## How to fix

Write a value inside the limits. No switch renames a skill, since other files call it by its name; the report shows the name to write.
"#,
    evidence: &[
        Evidence { source: "https://agentskills.io/specification", checked: "2026-11" },
        Evidence {
            source: "https://code.visualstudio.com/docs/copilot/customization/agent-skills",
            checked: "2026-11",
        },
        Evidence { source: "Claude Code 2.1.330, observed", checked: "2026-11" },
        Evidence { source: "openai/codex codex-rs/core/src/skills/loader.rs, read", checked: "2026-11" },
        Evidence {
            source: "google-gemini/gemini-cli packages/core/src/skills/skillLoader.ts, read",
            checked: "2026-11",
        },
        Evidence { source: "the tables in `schema.rs`, each with its own source", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for InvalidValue {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let (Some(schema), Some(frontmatter)) = (schema::of(document.kind), &document.frontmatter) else { return };
        if is_illustration(document, cx.selected, INFO.name) {
            return;
        }
        for field in &frontmatter.fields {
            let Some(spec) = schema.field(&field.key) else { continue };
            match (spec.limit, &field.value.value) {
                (Limit::Length(most), Value::String(text)) => {
                    findings.extend(check_length(cx, document, spec.name, &field.value, text, most));
                }
                (Limit::SkillName, Value::String(text)) => {
                    findings.extend(skill_name::check(cx, document, &field.value, text));
                }
                (Limit::OneOf(words), Value::String(text)) => {
                    findings.extend(check_word(document, spec.name, &field.value, text, words));
                }
                (Limit::LooksLike(words), Value::String(text)) => {
                    let found = check_word(document, spec.name, &field.value, text, words);
                    findings.extend(found.map(|finding| Finding { level: Level::Info, ..finding }));
                }
                (Limit::OneOf(words), Value::List(items)) => {
                    let text = |item: &FrontmatterNode| match &item.value {
                        Value::String(text) => check_word(document, spec.name, item, text, words),
                        _ => None,
                    };
                    findings.extend(items.iter().filter_map(text));
                }
                _ => {}
            }
            if matches!(spec.shape, Shape::Text | Shape::Hint) {
                findings.extend(check_comment(document, frontmatter, spec.name, &field.value));
            }
        }
    }
}

/// A plain value that ends at ` #`, with which YAML begins a comment, where the author wrote on: `Fixes issue #12`.
fn check_comment(
    document: &Document,
    frontmatter: &Frontmatter,
    name: &str,
    node: &FrontmatterNode,
) -> Option<Finding> {
    let Value::String(text) = &node.value else { return None };
    let comment = frontmatter.comments.iter().find(|comment| comment.start > node.span.end)?;
    let between = document.text.get(node.span.end..comment.start)?;
    // A comment that is meant as one has a blank after its `#`.
    let written_on = !document.slice(*comment).trim_start_matches('#').starts_with([' ', '\t']);
    if document.slice(node.span) != text || between.contains(['\n', '\r']) || !written_on {
        return None;
    }
    let whole = Span::new(node.span.start, comment.start + document.slice(*comment).trim_end().len());
    let lost = shortened(document.slice(*comment).trim_end());
    let message = format!("`{name}` ends here: ` #` begins a comment, and `{lost}` is not read");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, Span::new(node.span.end, whole.end), message)
        .help("put the whole value in quotes");
    let quoted = document.slice(whole);
    Some(match quoted.contains(['"', '\\']) {
        false => finding.fix(Applicability::Unsafe, whole, format!("\"{quoted}\"")),
        true => finding,
    })
}

/// Longest value that is quoted in a message, in characters.
const MAX_QUOTE: usize = 60;

/// The first line of a value, cut where it grows too long for a message.
pub(super) fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(MAX_QUOTE) {
        None if line.len() == text.trim_end().len() => line.to_owned(),
        cut => format!("{}…", &line[..cut.map_or(line.len(), |(at, _)| at)]),
    }
}

fn error(document: &Document, node: &FrontmatterNode, message: String) -> Finding {
    Finding::new(INFO.name, Level::Error, &document.path, node.span, message)
}

fn check_length(
    cx: &Cx<'_>,
    document: &Document,
    name: &str,
    node: &FrontmatterNode,
    text: &str,
    most: usize,
) -> Option<Finding> {
    let length = text.trim().chars().count();
    if length == 0 {
        return Some(error(document, node, format!("`{name}` is empty")).help(format!("write 1 to {most} characters")));
    }
    (length > most).then(|| {
        let level = match document.kind {
            Kind::Skill => skill_name::level(cx.workspace, document, SkillFault::Lengths),
            _ => Level::Error,
        };
        let message = format!("`{name}` has {length} characters; at most {most} are allowed");
        Finding::new(INFO.name, level, &document.path, node.span, message)
            .help("shorten it, and move the rest into the body")
    })
}

/// Words by which authors say that a field is not to change anything.
const UNSWITCHED: [&str; 17] = [
    "conversation",
    "current",
    "default",
    "disabled",
    "false",
    "inherit",
    "inherited",
    "inline",
    "main",
    "no",
    "none",
    "normal",
    "off",
    "parent",
    "same",
    "session",
    "shared",
];

fn check_word(
    document: &Document,
    name: &str,
    node: &FrontmatterNode,
    text: &str,
    words: &[&'static str],
) -> Option<Finding> {
    if words.contains(&text) {
        return None;
    }
    let listed: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let value = shortened(text);
    // What is no word at all was written for another tool.
    let is_word = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' '));
    let cause = Cause {
        key: format!("{} {name} {}", document.kind.name(), if is_word { value.as_str() } else { "" }),
        subject: format!("`{value}`"),
        many: "are not allowed values",
        help: None,
    };
    let finding = error(document, node, format!("`{value}` is not a value of `{name}`")).cause(cause);
    let finding = if is_word { finding } else { Finding { level: Level::Warning, ..finding } };
    // A switch that one word alone turns stays as it is without the field.
    if let [only] = words
        && UNSWITCHED.contains(&text.to_lowercase().as_str())
    {
        let help = format!("leave the field out, which means the same; its one value is `{only}`");
        return Some(Finding { level: Level::Info, ..finding }.help(help));
    }
    let bare = |word: &str| word.replace(['-', '_', ' '], "").to_lowercase();
    let meant = words.iter().find(|word| bare(word) == bare(text));
    Some(match meant {
        Some(word) => finding.help(format!("write `{word}`")).fix(Applicability::Unsafe, node.span, *word),
        None => finding.help(format!("write {}", listed.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::{check, check_at, fixed};

    fn levels(path: &str, kind: Kind, yaml: &str) -> Vec<Level> {
        check_at(&InvalidValue, path, kind, &format!("---\n{yaml}\n---\n"))
            .iter()
            .map(|finding| finding.level)
            .collect()
    }

    #[test]
    fn a_field_that_holds_what_another_tool_reads_is_a_warning() {
        let levels = |value: &str| levels("skills/x/SKILL.md", Kind::Skill, &format!("context: {value}"));
        assert_eq!(levels("forked"), [Level::Error]);
        assert_eq!(levels("\"!cat docs/a.md\""), [Level::Warning]);
    }

    #[test]
    fn a_word_that_leaves_a_switch_as_it_is_costs_nothing() {
        let levels = |value: &str| levels("skills/x/SKILL.md", Kind::Skill, &format!("context: {value}"));
        for value in ["inherit", "inline", "conversation", "Main"] {
            assert_eq!(levels(value), [Level::Info], "{value}");
        }
        assert_eq!(levels("isolated"), [Level::Error]);
        assert_eq!(levels("fork"), []);
    }

    #[test]
    fn names_have_their_own_alphabet_and_agree_with_the_folder() {
        let (e, w) = (vec![Level::Error], vec![Level::Warning]);
        for (path, name, want) in [
            ("s/pdf-2/SKILL.md", "pdf-2", vec![]),
            ("SKILL.md", "agent-mail", vec![]),
            ("__fixtures__/SKILL.md", "agent-mail", vec![]),
            ("skills/pdf/SKILL.md", "pdf-tools", vec![Level::Info]),
            ("dot_agents/skills/private_pdf/SKILL.md", "pdf", vec![]),
            ("skills/private_pdf/SKILL.md", "pdf", vec![Level::Info]),
            ("s/a/SKILL.md", "Confidence Check", w.clone()),
            ("s/a/SKILL.md", "-a", w.clone()),
            ("s/web_scrape/SKILL.md", "web_scrape", vec![Level::Info]),
            ("s/a/SKILL.md", "web_scrape", w.clone()),
            ("s/a/SKILL.md", "a--b", w.clone()),
            ("s/a/SKILL.md", "名", w.clone()),
            ("s/a/SKILL.md", "\"\"", e.clone()),
        ] {
            assert_eq!(levels(path, Kind::Skill, &format!("name: {name}")), want, "{name}");
        }
        let longest = "a".repeat(64);
        assert_eq!(levels(&format!("{longest}/SKILL.md"), Kind::Skill, &format!("name: {longest}")), []);
        assert_eq!(levels("a/SKILL.md", Kind::Skill, &format!("name: {longest}a")), w);
    }

    #[test]
    fn lengths_count_characters() {
        for (count, want) in [(1024, vec![]), (1025, vec![Level::Warning])] {
            assert_eq!(levels("a/SKILL.md", Kind::Skill, &format!("description: {}", "é".repeat(count))), want);
        }
        assert_eq!(levels("a/SKILL.md", Kind::Skill, "compatibility: \"\""), [Level::Error]);
    }

    #[test]
    fn words_come_from_a_list() {
        assert_eq!(levels("a.md", Kind::of_agent("windsurf-rule"), "trigger: always_on"), []);
        assert_eq!(levels("a.md", Kind::of_agent("windsurf-rule"), "trigger: always"), [Level::Error]);
        assert_eq!(levels("a.md", Kind::of_agent("kiro-steering"), "inclusion: fileMatch"), []);
        assert_eq!(levels("a.md", Kind::of_agent("copilot-scoped"), "excludeAgent: chat"), [Level::Error]);
        assert_eq!(levels("a.md", Kind::of_agent("copilot-scoped"), "excludeAgent: cloud-agent"), []);
        assert_eq!(
            levels("a.md", Kind::of_agent("copilot-scoped"), "excludeAgent: [code-review, chat]"),
            [Level::Error]
        );
    }

    #[test]
    fn an_unknown_colour_is_an_info() {
        let of = |yaml: &str| levels(".claude/agents/a.md", Kind::of_agent("claude-agent"), yaml);
        assert_eq!(of("color: magenta"), [Level::Info]);
        assert_eq!(of("color: cyan"), []);
        // Other agents have colours of their own.
        assert_eq!(levels("a.md", Kind::of_agent("opencode-agent"), "color: magenta"), []);
    }

    #[test]
    fn what_was_meant_is_offered() {
        for (kind, line, want) in [
            // Other files call a skill by its name.
            (Kind::Skill, "name: \"A  b_C\"", "name: \"A  b_C\""),
            (Kind::Skill, "name: b", "name: b"),
            (Kind::of_agent("windsurf-rule"), "trigger: Always-On", "trigger: always_on"),
            (
                Kind::of_agent("claude-command"),
                "description: Closes issue #12: all",
                "description: \"Closes issue #12: all\"",
            ),
            (Kind::of_agent("claude-command"), "argument-hint: <PR #>", "argument-hint: \"<PR #>\""),
            (Kind::of_agent("claude-command"), "description: a # b", "description: a # b"),
            (Kind::of_agent("claude-command"), "description: a\n#b", "description: a\n#b"),
            (Kind::of_agent("claude-command"), "description: \"a\" #b", "description: \"a\" #b"),
            (Kind::of_agent("claude-command"), "description: |\n  a #b", "description: |\n  a #b"),
        ] {
            let text = format!("---\n{line}\n---\n");
            let want = format!("---\n{want}\n---\n");
            assert_eq!(fixed(&InvalidValue, kind, &text, Applicability::Unsafe), want);
        }
        for (text, better) in [("name: \"A  b_C\"", "a"), ("name: b", "a")] {
            let finding = check(&InvalidValue, Kind::Skill, &format!("---\n{text}\n---\n")).remove(0);
            let fix = finding.fix.unwrap();
            assert_eq!((fix.applicability, fix.edits[0].replacement.as_str()), (Applicability::Manual, better));
        }
        let root = check_at(&InvalidValue, "SKILL.md", Kind::Skill, "---\nname: A  b_C\n---\n").remove(0);
        assert_eq!(root.fix.unwrap().edits[0].replacement, "a-b-c");
    }
}
