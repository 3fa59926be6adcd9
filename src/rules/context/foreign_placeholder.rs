//! `foreign-placeholder`: a command has another agent's place for arguments. Knows only parsed documents.

use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::kind::{Arguments, Kind};
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct ForeignPlaceholder;

static INFO: RuleInfo = RuleInfo {
    name: "foreign-placeholder",
    group: Group::Context,
    levels: &[Level::Warning],
    summary: "a command has another agent's place for arguments",
    explanation: r#"## What it does

Reports a command with a place for its arguments that another agent fills: Gemini CLI's `{{args}}` or Copilot's `${input:name}` in a
command of Claude Code or opencode, which fill `$ARGUMENTS`. Silent where the command has a place of its own agent as well or speaks of
the other agent, and about `${input:name}` in fenced code.

## Why is this bad?

The model gets the place as it is written, and the arguments only behind the text of the command, if at all.

## Example

```markdown
Read the issue {{args}} and fix it.
```

in `.claude/commands/fix.md`

## How to fix

Write `$ARGUMENTS`.
"#,
    evidence: &[
        Evidence { source: "https://code.claude.com/docs/en/skills", checked: "2026-11" },
        Evidence { source: "https://opencode.ai/docs/commands", checked: "2026-11" },
        Evidence { source: "google-gemini/gemini-cli docs/cli/custom-commands.md, read", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for ForeignPlaceholder {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let Kind::Of(kind) = document.kind else { return };
        let Some(arguments) = kind.arguments else { return };
        if has_own(document, arguments) || discover::why_set_aside(document.path.as_bytes()).is_some() {
            return;
        }
        for (sign, whose) in arguments.foreign {
            let Some(span) = place(document, sign).filter(|_| !speaks_of(document, whose)) else { continue };
            let message = format!("`{}` is filled by {whose} alone", document.slice(span));
            let cause = Cause {
                key: format!("{} {sign}", kind.name),
                subject: format!("`{sign}` in {}", document.path.to_str_lossy()),
                many: "are filled by another agent alone",
                help: None,
            };
            let finding = Finding::new(INFO.name, Level::Warning, &document.path, span, message)
                .help(format!("write `{}`", arguments.own))
                .cause(cause);
            findings.push(finding.fix(Applicability::Unsafe, span, arguments.own));
        }
    }
}

/// Whether the text has a place that its own agent fills: all arguments, or one by its number.
fn has_own(document: &Document, arguments: &Arguments) -> bool {
    let numbered = |(at, _): (usize, &str)| document.text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    document.text.contains(arguments.own) || document.text.match_indices('$').any(numbered)
}

/// Whether the text speaks of the agent `whose`.
fn speaks_of(document: &Document, whose: &str) -> bool {
    let name = whose.split(' ').next().unwrap_or(whose).to_lowercase();
    document.text.to_lowercase().contains(&name)
}

/// The first place that begins with `sign`. In fenced code `${…}` may be a template's.
fn place(document: &Document, sign: &str) -> Option<Span> {
    let in_fence = |at: usize| document.markdown.fence_at(at).is_some();
    let text = &document.text;
    let starts = text[document.body..].match_indices(sign).map(|(at, _)| document.body + at);
    let mut spans = starts.filter_map(|start| {
        let end = match sign.ends_with('}') {
            true => start + sign.len(),
            false => start + text[start..].lines().next()?.find('}')? + 1,
        };
        Some(Span::new(start, end))
    });
    spans.find(|span| sign.ends_with('}') || !in_fence(span.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::places;

    fn of(kind: &'static str, text: &str) -> Vec<String> {
        places(&ForeignPlaceholder, Kind::of_agent(kind), text).into_iter().map(|place| place.to_string()).collect()
    }

    #[test]
    fn a_place_of_another_agent_is_found() {
        let text = "---\ndescription: x\n---\n# /fix {{args}}\n\nRead {{args}}.\n";
        assert_eq!(of("claude-command", text), ["{{args}}"]);
        assert_eq!(of("opencode-command", text), ["{{args}}"]);
        assert_eq!(of("claude-command", "Review ${input:file:which one}.\n"), ["${input:file:which one}"]);
    }

    #[test]
    fn its_own_place_and_texts_about_the_other_agent_are_left_alone() {
        for text in [
            "Fix $ARGUMENTS.\n",
            "Fix $ARGUMENTS; the template has {{args}}.\n",
            "Fix $1, then {{args}}.\n",
            "Write a command for Gemini CLI with {{args}}.\n",
            "```json\n{\"cwd\": \"${input:dir}\"}\n```\n",
            "Render {{name}}.\n",
        ] {
            assert_eq!(of("claude-command", text), [""; 0], "{text}");
        }
        assert_eq!(of("copilot-prompt", "Review ${input:file}.\n"), [""; 0]);
        assert_eq!(of("claude-rule", "Read {{args}}.\n"), [""; 0]);
    }
}
