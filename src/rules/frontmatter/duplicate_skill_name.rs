//! `duplicate-skill-name`: two skills that one agent finds under the same name. Knows the documents and the agents' folders.

use std::collections::BTreeMap;

use crate::agents::files;
use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::path;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::frontmatter::Value;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

use super::is_illustration;

/// The rule.
pub(super) struct DuplicateSkillName;

static INFO: RuleInfo = RuleInfo {
    name: "duplicate-skill-name",
    group: Group::Frontmatter,
    levels: &[Level::Warning],
    summary: "two skills that one agent finds have the same name",
    explanation: r#"## What it does

Reports a skill whose `name` another skill beside it has, too: in one folder of skills, or in two folders of one agent. Copies with
the same bytes are left alone, and so is one skill in two folders that are called after two agents, such as `codex-skill` and `claude-skill`.

## Why is this bad?

Agents choose a skill by its name and description. Of two with one name some agents drop one without a word (OpenAI Codex kept the
first that it found), others list both and cannot tell them apart.

## Example

`skills/review/SKILL.md` and `skills/review-fast/SKILL.md` both say `name: review`: the second was copied from the first.

## How to fix

Give each skill the name of its own folder.
"#,
    evidence: &[
        Evidence { source: "https://agentskills.io/specification", checked: "2026-11" },
        Evidence { source: "openai/codex codex-rs/core/src/skills/loader.rs 006b3dac, read", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for DuplicateSkillName {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let mut first: BTreeMap<(Vec<u8>, &str), (&Document, Span)> = BTreeMap::new();
        for document in cx.workspace.documents.iter().filter(|document| document.kind == Kind::Skill) {
            let Some((name, span)) = name(document).filter(|_| !is_illustration(document, cx.selected, INFO.name))
            else {
                continue;
            };
            let views = files::skill_views(document.path.as_bytes());
            let known = views.iter().find_map(|view| first.get(&(view.clone(), name)));
            if let Some((other, other_span)) = known.filter(|(other, _)| other.bytes != document.bytes) {
                if are_variants(document, other, name) || are_for_two_agents(document, other) {
                    continue;
                }
                // The one that is not called like its folder is the copy.
                let is_copy = folder(document) != name || folder(other) == name;
                findings.push(match is_copy {
                    true => report(document, span, name, other, *other_span),
                    false => report(other, *other_span, name, document, span),
                });
                continue;
            }
            for view in views {
                first.entry((view, name)).or_insert((document, span));
            }
        }
    }
}

/// Whether the folders of both skills have their one name with an ending of their own, of which an installer takes one: `notes-gh` and
/// `notes-jira` for `notes`. An agent's own folder holds what it reads.
fn are_variants(document: &Document, other: &Document, name: &str) -> bool {
    let is_one = |document: &Document| {
        folder(document).strip_prefix(name).is_some_and(|rest| rest.starts_with('-'))
            && !path::ancestors_from_root(document.path.parent()).into_iter().any(|dir| {
                let parent = path::parent(dir);
                parent.is_empty() && files::is_agent_folder(dir)
            })
    };
    is_one(document) && is_one(other)
}

/// Words for what is packaged for an agent, in the names of folders.
const PACKAGES: [&str; 8] = ["adapter", "bundle", "pack", "package", "plugin", "rules", "skill", "skills"];

/// Whether the folders of both skills, side by side, are called after agents and otherwise alike: one skill, packaged for each.
/// Beside `codex-skill`, a folder `x-skill` is for the agent `x`, known or not.
fn are_for_two_agents(document: &Document, other: &Document) -> bool {
    let folders = [folder(document).to_lowercase(), folder(other).to_lowercase()];
    let words = folders.each_ref().map(|folder| folder.split(['-', '_', '.']).collect::<Vec<_>>());
    let [ours, theirs] = &words;
    let differing: Vec<(&str, &str)> =
        ours.iter().copied().zip(theirs.iter().copied()).filter(|(a, b)| a != b).collect();
    let [(one, two)] = differing[..] else { return false };
    let is_package = ours.iter().any(|word| *word != one && PACKAGES.contains(word));
    let (is_one, is_two) = (files::is_agent_name(one), files::is_agent_name(two));
    let are_beside = path::parent(document.path.parent()) == path::parent(other.path.parent());
    are_beside && ours.len() == theirs.len() && (is_one && is_two || (is_one || is_two) && is_package)
}

/// The name that a skill gives itself, and where.
fn name(document: &Document) -> Option<(&str, Span)> {
    let field = document.frontmatter.as_ref()?.get("name")?;
    match &field.value.value {
        Value::String(name) if !name.trim().is_empty() => Some((name, field.value.span)),
        _ => None,
    }
}

/// The name of the folder that a skill lies in.
fn folder(document: &Document) -> String {
    String::from_utf8_lossy(path::file_name(document.path.parent())).into_owned()
}

fn report(document: &Document, span: Span, name: &str, other: &Document, other_span: Span) -> Finding {
    let shown = other.path.to_str_lossy();
    let message = format!("another skill of the same agent is named `{name}`: {shown}");
    let folder = folder(document);
    let help = match folder == name {
        true => "rename the other one, or keep one of the two".to_owned(),
        false => format!("name this one after its folder: `name: {folder}`"),
    };
    Finding::new(INFO.name, Level::Warning, &document.path, span, message).help(help).related(
        &other.path,
        other_span,
        "the other skill of this name",
    )
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::lines;

    fn check(files: &[(&str, &str)]) -> Vec<String> {
        lines("duplicate-skill-name", "", files)
    }

    const ONE: &str = "---\nname: review\ndescription: Review a change.\n---\nRead it.\n";
    const TWO: &str = "---\nname: review\ndescription: Review it fast.\n---\nSkim it.\n";

    #[test]
    fn two_of_one_name_in_one_agents_view() {
        let other = "skills/a/SKILL.md";
        for (one, two) in [
            (other, "skills/b/SKILL.md"),
            (".claude/skills/a/SKILL.md", ".claude/skills/b/SKILL.md"),
            ("x/.copilot/skills/a/SKILL.md", "x/.github/skills/a/SKILL.md"),
        ] {
            let found = check(&[(one, ONE), (two, TWO)]);
            assert_eq!(found.len(), 1, "{found:?}");
            let want = format!("{two}:10-16 warning another skill of the same agent is named `review`: {one}");
            assert_eq!(found[0], want);
        }
    }

    #[test]
    fn others_are_left_alone() {
        for (one, two) in [
            // Different agents, different projects, different collections, and deeper folders that hold other collections.
            (".claude/skills/a/SKILL.md", ".codex/skills/a/SKILL.md"),
            ("x/.claude/skills/a/SKILL.md", "y/.claude/skills/a/SKILL.md"),
            ("plugins/x/skills/a/SKILL.md", "plugins/y/skills/a/SKILL.md"),
            ("skills/.curated/a/SKILL.md", "skills/.experimental/a/SKILL.md"),
        ] {
            assert_eq!(check(&[(one, ONE), (two, TWO)]), [""; 0], "{one}");
        }
        assert_eq!(check(&[("skills/a/SKILL.md", ONE), ("skills/b/SKILL.md", ONE)]), [""; 0], "a copy");
        // An installer takes one of them.
        assert_eq!(check(&[("skills/review-gh/SKILL.md", ONE), ("skills/review-jira/SKILL.md", TWO)]), [""; 0]);
        let read = [(".claude/skills/review-gh/SKILL.md", ONE), (".claude/skills/review-jira/SKILL.md", TWO)];
        assert_eq!(check(&read).len(), 1);
        // One skill, packaged for two agents.
        for (one, two) in
            [("codex-skill", "openclaw-skill"), ("skill_claude", "skill_codex"), ("review-claude", "review-codex")]
        {
            let (one, two) = (format!("kit/{one}/SKILL.md"), format!("kit/{two}/SKILL.md"));
            assert_eq!(check(&[(&one, ONE), (&two, TWO)]), [""; 0], "{one}");
        }
        for (one, two) in [("old-skill", "new-skill"), ("codex-review", "quick-review"), ("codex-skill", "skill")] {
            let (one, two) = (format!("kit/{one}/SKILL.md"), format!("kit/{two}/SKILL.md"));
            assert_eq!(check(&[(&one, ONE), (&two, TWO)]).len(), 1, "{one}");
        }
        let other = TWO.replace("review\n", "check\n");
        assert_eq!(check(&[("skills/a/SKILL.md", ONE), ("skills/b/SKILL.md", &other)]), [""; 0]);
    }
}
