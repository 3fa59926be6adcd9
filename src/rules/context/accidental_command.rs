//! `accidental-command`: a file about a folder of commands is itself one. Knows only parsed documents.

use crate::base::finding::{Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct AccidentalCommand;

static INFO: RuleInfo = RuleInfo {
    name: "accidental-command",
    group: Group::Context,
    levels: &[Level::Warning],
    summary: "a README among commands is a command",
    explanation: r#"## What it does

Reports a README in a folder where every Markdown file is a command, unless its frontmatter describes it as one.

## Why is this bad?

Users get a command `/README` that sends the model a description of the other commands, and it is listed to the model like any
command.

## Example

`.claude/commands/README.md`

## How to fix

Move the file out of the folder.
"#,
    evidence: &[Evidence { source: "https://code.claude.com/docs/en/skills", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for AccidentalCommand {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let is_command = matches!(document.kind, Kind::Of(kind) if kind.role == Role::Command);
        let name = document.path.file_name();
        let described =
            document.frontmatter.as_ref().is_some_and(|frontmatter| frontmatter.get("description").is_some());
        if !is_command
            || !name.eq_ignore_ascii_case(b"README.md")
            || described
            || cx.workspace.linked.contains(&document.path)
        {
            return;
        }
        let stem = String::from_utf8_lossy(name.strip_suffix(b".md").unwrap_or(name)).into_owned();
        let message = format!("this file is the command `/{stem}`, since every Markdown file of its folder is one");
        findings.push(
            Finding::new(INFO.name, Level::Warning, &document.path, Span::default(), message)
                .help("move it out of the folder of commands"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::check_at;

    #[test]
    fn a_readme_among_commands_is_one() {
        let of = |path: &str, kind: &'static str, text: &str| {
            check_at(&AccidentalCommand, path, Kind::of_agent(kind), text).len()
        };
        assert_eq!(of(".claude/commands/README.md", "claude-command", "# Commands\n"), 1);
        assert_eq!(of(".claude/commands/git/readme.md", "claude-command", "# Commands\n"), 1);
        assert_eq!(of(".claude/commands/review.md", "claude-command", "# Commands\n"), 0);
        assert_eq!(of(".claude/commands/README.md", "claude-command", "---\ndescription: Write a README\n---\nx\n"), 0);
        assert_eq!(of(".claude/rules/README.md", "claude-rule", "# Rules\n"), 0);
    }
}
