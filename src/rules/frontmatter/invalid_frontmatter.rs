//! `invalid-frontmatter`: frontmatter is not valid YAML. Knows only parsed documents.

use super::{schema, skill_name};
use crate::agents::files::{self, Rereading, SkillFault};
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path;
use crate::base::text::Span;
use crate::parse::{Document, Problem, ProblemKind};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct InvalidFrontmatter;

static INFO: RuleInfo = RuleInfo {
    name: "invalid-frontmatter",
    group: Group::Frontmatter,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "frontmatter is not valid YAML",
    explanation: r#"## What it does

Reports frontmatter (and `hint.yaml`) that a YAML reader refuses. The usual cause is a value that contains `: ` or begins with a
character that YAML keeps for itself: `[`, `{`, `*`, `&`, `@`, `%`, a backtick. Cursor's and Windsurf's rules are read the way these
read them, so an unquoted `globs: **/*.ts` is fine there, as is `argument-hint: [file] [line]`, which Claude Code documents.
Files of one folder with the same flaw are one finding.

## Why is this bad?

Most agents drop frontmatter that they cannot read, silently: a rule applies everywhere or nowhere, a skill loses its
description and is never chosen. Claude Code tries again with simple values quoted and keeps them, so in files that it alone reads this is
a warning, as is a value with `: ` for opencode and in skills that Codex reads; copies of one skill have the level of their strictest reader. Frontmatter to which no agent gives a meaning, such as that of AGENTS.md or of a plan, and a value that an installer fills in,
`{{MODEL}}`, is an info.

## Example

```yaml
description: Use this skill when: the user asks for a release
```

## How to fix

Put the value in quotes. `--fix` does so where the quotes change nothing else; the result is read again before it is offered.
"#,
    evidence: &[
        Evidence { source: "https://yaml.org/spec/1.2.2/", checked: "2026-11" },
        Evidence { source: "Claude Code 2.1.329, observed; its reader in 2.1.197, read", checked: "2026-11" },
        Evidence { source: "opencode 1.18.33 and OpenAI Codex 0.169.0, observed", checked: "2026-11" },
        Evidence { source: "https://docs.devin.ai/cli/extensibility/rules", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for InvalidFrontmatter {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        // Where one value cannot be saved by quotes, the reader who adds them drops the others, too.
        let quotable = is_quotable(document);
        for problem in &document.problems {
            if let ProblemKind::InvalidFrontmatter { message, quote } = &problem.kind {
                let level = match is_filled_in(document, problem.span) {
                    true => Level::Info,
                    false => level(cx, document, quotable),
                };
                findings.push(report(document, level, problem.span, message, quote.as_ref()));
            }
        }
        let Some(frontmatter) = &document.frontmatter else { return };
        if let Some(other) = &frontmatter.other {
            let span = first_line(document, other.span);
            let message = format!("the frontmatter is {}, not `key: value` lines", other.value.describe());
            let help = "write `key: value` lines, or move the `---` line away from the beginning of the file";
            let level = level(cx, document, false);
            findings.push(Finding::new(INFO.name, level, &document.path, span, message).help(help));
        }
    }
}

/// Whether quotes around values mend all that is wrong with the frontmatter.
fn is_quotable(document: &Document) -> bool {
    document.problems.iter().all(|problem| match &problem.kind {
        ProblemKind::InvalidFrontmatter { quote, .. } => {
            quote.as_ref().is_some_and(|(span, _)| is_whole_value(document, *span))
        }
        _ => true,
    })
}

/// Whether quotes are lacking around values that contain `: `, and nothing else is wrong.
fn lacks_for_colons(document: &Document) -> bool {
    document.problems.iter().all(|problem| match &problem.kind {
        ProblemKind::InvalidFrontmatter { quote: Some((span, _)), .. } => {
            let value = document.slice(*span);
            value.contains(": ") && value.starts_with(char::is_alphanumeric)
        }
        ProblemKind::InvalidFrontmatter { quote: None, .. } => false,
        _ => true,
    })
}

/// How bad it is that a skill's frontmatter lacks quotes. Copies of one skill have one level: that of the strictest reader of them.
fn level_of_skill(cx: &Cx<'_>, document: &Document) -> Level {
    let fault = if lacks_for_colons(document) { SkillFault::Colons } else { SkillFault::Yaml };
    let own = skill_name::level(cx.workspace, document, fault);
    if own == Level::Error || skill_name::is_inside_another(cx.workspace, document) {
        return own;
    }
    let folder = path::file_name(document.path.parent());
    let is_copy = |other: &&Document| {
        other.kind == Kind::Skill && other.path != document.path && path::file_name(other.path.parent()) == folder
    };
    let is_as_broken = |other: &&Document| {
        let is_invalid = |problem: &Problem| matches!(problem.kind, ProblemKind::InvalidFrontmatter { .. });
        other.problems.iter().any(is_invalid) && is_quotable(other)
    };
    let copies = cx.workspace.documents.iter().filter(is_copy).filter(is_as_broken);
    let outer = copies.filter(|other| !skill_name::is_inside_another(cx.workspace, other));
    outer.map(|other| skill_name::level(cx.workspace, other, fault)).fold(own, Level::max)
}

/// Whether `span` is all that stands behind a key at the beginning of its line: who adds quotes by himself adds them there alone.
fn is_whole_value(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let before = document.text.get(line.start..span.start).unwrap_or_default();
    let after = document.text.get(span.end..line.end).unwrap_or_default();
    let key = before.trim_end_matches([' ', '\t']).strip_suffix(':').unwrap_or_default();
    let is_key = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-');
    !key.is_empty() && key.chars().all(is_key) && before.ends_with([' ', '\t']) && after.trim().is_empty()
}

/// How bad it is: an error if somebody who reads the file loses its fields. Some readers put simple values in quotes by themselves,
/// and frontmatter that no reader gives a meaning is text for all.
fn level(cx: &Cx<'_>, document: &Document, quotable: bool) -> Level {
    let is_lenient = || match files::owner(document.kind).map(|dialect| dialect.files.rereads) {
        None | Some(Rereading::Never) => false,
        Some(Rereading::QuotingColons) => lacks_for_colons(document),
        Some(Rereading::QuotingValues) => true,
    };
    match document.kind {
        Kind::Plan => Level::Info,
        Kind::Skill if quotable => level_of_skill(cx, document),
        Kind::Of(_) if quotable && is_lenient() => Level::Warning,
        kind if schema::of(kind).is_none() => Level::Info,
        _ => Level::Error,
    }
}

/// Whether the value at `span` is a blank that an installer fills in: `model: {{MODEL}}`.
fn is_filled_in(document: &Document, span: Span) -> bool {
    let line = document.slice(document.lines.line_span(document.lines.line_of(span.start)));
    let value = line.split_once(':').map(|(_, value)| value.trim()).unwrap_or_default();
    let name = value.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}")).map(str::trim).unwrap_or_default();
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

fn report(document: &Document, level: Level, span: Span, message: &str, quote: Option<&(Span, String)>) -> Finding {
    let finding = Finding::new(INFO.name, level, &document.path, span, format!("invalid YAML: {message}"));
    let finding = finding.cause(beside(document, message));
    match quote {
        Some((span, replacement)) => {
            finding.help("put the value in quotes").fix(Applicability::Safe, *span, replacement.as_str())
        }
        None => finding.help("no agent that reads this frontmatter strictly will see any of its fields"),
    }
}

/// What files of one folder have in common whose frontmatter is invalid for the same reason: whoever wrote one wrote all.
fn beside(document: &Document, message: &str) -> Cause {
    let folder = match document.kind {
        Kind::Skill => path::parent(document.path.parent()),
        _ => document.path.parent(),
    };
    // The reason without the field.
    let reason = message.strip_prefix('`').and_then(|rest| rest.split_once('`')).map_or(message, |(_, reason)| reason);
    Cause {
        key: format!("{} {} {reason}", document.kind.name(), String::from_utf8_lossy(folder)),
        subject: format!("`{}`", document.path.to_str_lossy()),
        many: "have frontmatter that is invalid YAML for the same reason",
        help: None,
    }
}

fn first_line(document: &Document, span: Span) -> Span {
    let line = document.slice(span).lines().next().unwrap_or("");
    Span::new(span.start, span.start + line.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::{check, fixed, places, repository};

    #[test]
    fn quotes_mend_what_only_lacks_them() {
        let text = "---\nname: a\ndescription: Use when: asked\n---\n";
        assert_eq!(places(&InvalidFrontmatter, Kind::Skill, text), ["Use when: asked"]);
        let want = "---\nname: a\ndescription: \"Use when: asked\"\n---\n";
        assert_eq!(fixed(&InvalidFrontmatter, Kind::Skill, text, Applicability::Safe), want);
    }

    #[test]
    fn the_level_follows_who_reads_the_file() {
        let text = "---\nname: a\ndescription: Use when: asked\n---\nx\n";
        for (files, want) in [
            (&[("skills/a/SKILL.md", text)][..], Level::Error),
            (&[(".claude/skills/a/SKILL.md", text)], Level::Warning),
            (&[("home/dot_claude/skills/a/SKILL.md", text)], Level::Warning),
            (&[(".claude/skills/a/SKILL.md", "---\nname: [a\n---\n")], Level::Error),
            (&[(".claude/skills/a/SKILL.md", text), (".github/copilot-instructions.md", "x")], Level::Warning),
            (&[("skills/a/SKILL.md", text), (".claude-plugin/plugin.json", "{}")], Level::Warning),
            (&[(".agents/skills/a/SKILL.md", text), ("AGENTS.md", "x"), (".codex/config.toml", "")], Level::Warning),
            (&[(".agents/skills/a/SKILL.md", &*text.replace("Use", "@x")), (".codex/config.toml", "")], Level::Error),
            (&[(".opencode/agents/a.md", text)], Level::Warning),
            (&[(".opencode/agents/a.md", &*text.replace("Use", "@x"))], Level::Error),
            (&[(".claude/commands/a.md", text)], Level::Warning),
            (&[(".claude/agents/a.md", "---\nname: a\nmodel: {{MODEL}}\n---\n")], Level::Info),
            (&[(".claude/agents/a.md", "---\nname: a\nmodel: {{MODEL}\n---\n")], Level::Error),
            (&[(".claude/commands/a.md", "---\nhooks:\n  - run: a: b\n---\n")], Level::Error),
            (&[(".claude/agents/a.md", "---\nname: a\ndescription: [b\n---\n")], Level::Error),
            (&[(".github/prompts/a.prompt.md", text)], Level::Error),
            (&[("AGENTS.md", text)], Level::Info),
        ] {
            let levels: Vec<Level> = repository(INFO.name, "", files).iter().map(|finding| finding.level).collect();
            assert_eq!(levels, [want], "{files:?}");
        }
        // The open folder of skills is for any agent.
        let shared = [(".agents/skills/a/SKILL.md", text), ("CLAUDE.md", "x")];
        assert_eq!(repository(INFO.name, "", &shared)[0].level, Level::Warning);
    }

    #[test]
    fn copies_of_one_skill_have_one_level() {
        let text = "---\nname: a\ndescription: Use when: asked\n---\nx\n";
        let levels = |own: &str, other: &str| -> Vec<Level> {
            let files = [(own, text), (other, text)];
            repository(INFO.name, "", &files).iter().map(|finding| finding.level).collect()
        };
        assert_eq!(levels(".claude/skills/a/SKILL.md", "skills/a/SKILL.md"), [Level::Error, Level::Error]);
        assert_eq!(levels(".claude/skills/a/SKILL.md", "skills/b/SKILL.md"), [Level::Warning, Level::Error]);
    }

    #[test]
    fn files_of_one_folder_have_one_cause() {
        let files = [
            (".claude/agents/a.md", "---\nname: a\ndescription: Use when: asked\n---\n"),
            (".claude/agents/b.md", "---\nname: x: y\ndescription: b\n---\n"),
            (".claude/agents/c.md", "---\nname: c\ndescription: \"c\" d\n---\n"),
            (".claude/agents/deep/d.md", "---\nname: d\ndescription: Use when: asked\n---\n"),
        ];
        let found = repository(INFO.name, "", &files);
        let key = |at: usize| &found[at].cause.as_ref().unwrap().key;
        assert_eq!(found.len(), 4);
        assert!(key(0) == key(1) && key(0) != key(2) && key(0) != key(3));
    }

    #[test]
    fn other_slips_are_reported_without_a_fix() {
        for (text, place) in [
            ("---\nname: [a\n---\n", "name: [a"),
            ("---\n- a\n- b\n---\n", "- a"),
            ("---\nSome words.\n---\n", "Some words."),
        ] {
            let findings = check(&InvalidFrontmatter, Kind::Skill, text);
            assert_eq!(places(&InvalidFrontmatter, Kind::Skill, text), [place]);
            assert!(findings[0].fix.is_none());
        }
    }

    #[test]
    fn what_the_agents_themselves_write_is_fine() {
        for (kind, text) in [
            (Kind::of_agent("cursor-rule"), "---\ndescription:\nglobs: **/*\nalwaysApply: true\n---\n"),
            (Kind::of_agent("claude-command"), "---\nargument-hint: [pr] [priority]\n---\n"),
            (Kind::Skill, "---\nname: a\ndescription: b\nargument-hint: [pr] [priority]\n---\n"),
            (Kind::AgentsMd, "---\nglobs: \"src/**/*.ts,*.md\"\n---\n"),
            (Kind::AgentsMd, "# A\n\n```yaml\n---\nx: y: z\n---\n```\n"),
        ] {
            assert_eq!(check(&InvalidFrontmatter, kind, text), [], "{text:?}");
        }
    }
}
