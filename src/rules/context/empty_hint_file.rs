//! `empty-hint-file`: a hint file is empty or holds only comments or frontmatter. Knows only parsed documents.

use crate::base::characters::is_hidden;
use crate::base::finding::{Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::path;
use crate::base::text::Span;
use crate::parse::{Document, Frontmatter};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct EmptyHintFile;

static INFO: RuleInfo = RuleInfo {
    name: "empty-hint-file",
    group: Group::Context,
    levels: &[Level::Warning],
    summary: "a hint file is empty or holds only comments or frontmatter",
    explanation: r#"## What it does

Reports a hint file that holds nothing, or only blanks, a byte order mark, comments or frontmatter. Files that are hint files only
because another imports them are not looked at. So does it report a file that holds only the path of another file, as git writes a
symbolic link where there are none.

## Why is this bad?

It costs readers a look and misleads them: an empty `AGENTS.override.md` hides the `AGENTS.md` beside it from Codex, an empty
`CLAUDE.md` does not stop Claude Code from reading `AGENTS.md`, a skill without a body has nothing to do.

## Example

```markdown
<!-- TODO: write this -->
```

## How to fix

Write the instructions, or delete the file.
"#,
    evidence: &[
        Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" },
        Evidence { source: "OpenAI Codex 0.169.0, observed", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for EmptyHintFile {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if matches!(document.kind, Kind::Imported | Kind::SkillPage | Kind::Artifact | Kind::Markdown | Kind::PackageYaml | Kind::Plan)
            // What only a link makes a hint file is first of all something else.
            || cx.workspace.linked.contains(&document.path)
        {
            return;
        }
        if let Some(finding) = holds_a_path(document, cx) {
            findings.push(finding);
            return;
        }
        let mut at = document.body;
        for comment in &document.markdown.comments {
            if !is_blank(&document.text[at..comment.span.start.max(at)]) {
                return;
            }
            at = comment.span.end.max(at);
        }
        if !is_blank(&document.text[at..]) {
            return;
        }
        // A prompt may do no more than choose an agent.
        let chooses =
            |frontmatter: &Frontmatter| ["agent", "mode"].iter().any(|field| frontmatter.get(field).is_some());
        if document.kind.role() == Some(Role::Command) && document.frontmatter.as_ref().is_some_and(chooses) {
            return;
        }
        let what = match (&document.frontmatter, document.markdown.comments.is_empty()) {
            (Some(_), _) => "this file holds only frontmatter",
            (None, false) => "this file holds only comments",
            (None, true) => "this file is empty",
        };
        let hides = match document.kind {
            Kind::Of(kind) => kind.hides,
            _ => None,
        };
        let (message, help) = match hides {
            Some(hides) => (format!("{what}, and {hides}"), "delete it, unless it is meant to hide AGENTS.md"),
            None => (format!("{what}: no agent learns anything from it"), "write the instructions, or delete the file"),
        };
        findings.push(Finding::new(INFO.name, Level::Warning, &document.path, Span::default(), message).help(help));
    }
}

/// Whether nothing shows in `text`. Safe fixes remove hidden characters, so a file of these alone is empty before they do.
fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_hidden(c))
}

/// What is said of a file whose whole text is the path of another file: a link that was made a text.
fn holds_a_path(document: &Document, cx: &Cx<'_>) -> Option<Finding> {
    let text = document.text.trim();
    let is_path = text.ends_with(".md") && !text.starts_with('/') && !text.contains(char::is_whitespace);
    if !is_path || cx.workspace.links.contains_key(&document.path) {
        return None;
    }
    let target = path::resolve(document.path.parent(), text.as_bytes())?;
    let is_other = target != document.path.as_bytes() && cx.workspace.listing.contains(&target);
    let message = format!("this file holds only the path `{text}`, and agents read it as text: it should be a link");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, Span::default(), message);
    is_other.then(|| finding.help("make it a symbolic link, or write the instructions into it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::check;

    #[test]
    fn a_link_that_became_a_text() {
        let found = |text: &str| {
            let files = [(".github/copilot-instructions.md", text), ("docs/rules.md", "x"), ("CLAUDE.md", "Hello.\n")];
            crate::rules::testing::lines(INFO.name, "", &files).len()
        };
        assert_eq!((found("../docs/rules.md"), found("../CLAUDE.md\n")), (1, 1));
        // An import, a path that leads nowhere, a sentence, the file itself.
        for text in ["@../docs/rules.md", "../docs/gone.md", "See ../docs/rules.md", "copilot-instructions.md", "x"] {
            assert_eq!(found(text), 0, "{text}");
        }
    }

    #[test]
    fn nothing_in_many_forms() {
        for text in [
            "",
            "\u{feff}",
            "\u{2060}",
            "\u{7f}\n",
            "\u{200b}\u{e0041}\u{ad} ",
            "\u{3164}",
            " \r\n\t\n",
            "<!-- a\nb -->\n<!-- c -->",
            "---\ndescription: x\n---\n\n<!-- c -->\n",
        ] {
            assert_eq!(check(&EmptyHintFile, Kind::of_agent("claude-md"), text).len(), 1, "{text:?}");
        }
    }

    #[test]
    fn a_prompt_may_do_no_more_than_choose_an_agent() {
        let of = |text: &str| check(&EmptyHintFile, Kind::of_agent("copilot-prompt"), text).len();
        assert_eq!((of("---\nagent: review\n---\n"), of("---\ndescription: x\n---\n")), (0, 1));
    }

    #[test]
    fn anything_that_an_agent_reads_is_something() {
        for (kind, text) in [
            (Kind::of_agent("claude-md"), "@AGENTS.md\n"),
            (Kind::of_agent("claude-md"), "<!-- c --> x"),
            (Kind::of_agent("claude-md"), "```\n```\n"),
            (Kind::of_agent("claude-md"), "<!-- open"),
            (Kind::Imported, ""),
            (Kind::PackageYaml, ""),
        ] {
            assert_eq!(check(&EmptyHintFile, kind, text).len(), usize::from(text == "<!-- open"), "{text:?}");
        }
    }
}
