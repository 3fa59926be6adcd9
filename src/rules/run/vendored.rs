//! Documents that a lock names as installed from elsewhere, or that say so themselves: what only their author can mend is told as an info.

use std::collections::BTreeMap;

use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::rules::{self, Group};
use crate::workspace::Workspace;

/// Groups of rules whose findings are advice to an author. What hides in a text, what a file makes an agent run, and whether it still is
/// what the lock says, matters to whoever installs it.
const OF_THE_AUTHOR: [Group; 2] = [Group::Globs, Group::References];

/// The rule of another group that judges a text by itself.
const OF_TEXT: &str = "unclosed-fence";

/// The rule about links, by which a text leads to files of its own.
const OF_COPIES: &str = "broken-link";

/// Lower the level of findings that the author of an installed file can mend alone.
pub(super) fn lower(workspace: &Workspace, findings: &mut [Finding]) {
    let has_lock = workspace.skills_lock.is_some() || !workspace.locked_in_folders.is_empty();
    if !has_lock && workspace.rendered.is_empty() && workspace.borrowed.is_empty() {
        return;
    }
    let mut known: BTreeMap<RepoPath, bool> = BTreeMap::new();
    for finding in findings.iter_mut().filter(|finding| finding.level > Level::Info) {
        let Some(info) = rules::find(finding.rule).filter(|info| info.levels.contains(&Level::Info)) else { continue };
        // An error of the frontmatter keeps the skill from being loaded here, too.
        let is_loss = finding.level == Level::Error;
        let is_advice =
            OF_THE_AUTHOR.contains(&info.group) || info.name == OF_TEXT || info.group == Group::Frontmatter && !is_loss;
        // What history knows, and what a copy lacks of its own files, concerns this repository.
        let is_own_page = finding.path.file_name() == b"SKILL.md" || workspace.is_borrowed_alone(&finding.path);
        let is_named = info.group == Group::References && !is_loss && !(info.name == OF_COPIES && is_own_page);
        if is_named && workspace.is_borrowed(&finding.path) {
            finding.level = Level::Info;
        }
        if is_advice && *known.entry(finding.path.clone()).or_insert_with(|| is_installed(workspace, &finding.path)) {
            finding.level = Level::Info;
        }
    }
}

/// Whether the lock of skills names the folder that the file lies in, or a package manager of hints wrote the file.
fn is_installed(workspace: &Workspace, file: &RepoPath) -> bool {
    workspace.is_of_a_locked_skill(file) || workspace.rendered.contains(file)
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    const LOCK: &str = r#"{"version": 1, "skills": {"a": {"source": "o/r", "computedHash": "0"}}}"#;

    #[test]
    fn what_the_author_of_an_installed_skill_can_mend_is_an_info() {
        let text = "---\nname: a\ndescription: b\n---\n\n```text\nx\n\ny\n";
        let level = |lock: &str, path: &str| {
            let files = [("skills-lock.json", lock), (path, text), ("CLAUDE.md", "x\n")];
            repository("unclosed-fence", "", &files)[0].level
        };
        assert_eq!(level(LOCK, ".claude/skills/a/SKILL.md"), Level::Info);
        assert_eq!(level(LOCK, ".agents/skills/a/SKILL.md"), Level::Info);
        // Another skill beside it was written here.
        assert_eq!(level(LOCK, ".claude/skills/c/SKILL.md"), Level::Warning);
        assert_eq!(level("{}", ".claude/skills/a/SKILL.md"), Level::Warning);
        // A lock of a folder speaks of that folder.
        let nested = |lock: &str| {
            let files = [(lock, LOCK), ("apps/web/.claude/skills/a/SKILL.md", text), ("CLAUDE.md", "x\n")];
            repository("unclosed-fence", "", &files)[0].level
        };
        assert_eq!(nested("apps/web/skills-lock.json"), Level::Info);
        assert_eq!(nested("apps/api/skills-lock.json"), Level::Warning);
    }

    #[test]
    fn what_a_text_from_elsewhere_names_is_an_info() {
        let level = |field: &str, rule: &str| {
            let text = format!(
                "---\nalwaysApply: true\n{field}---\n\nGuards live in `src/core/jumps.rs`, the rest in `src/core/a1.rs` and [b](../b1.md).\n"
            );
            let files = [(".cursor/rules/kit.mdc", text.as_str()), ("src/core/a1.rs", "")];
            repository(rule, "", &files).iter().map(|finding| finding.level).collect::<Vec<_>>()
        };
        let source = "source: https://github.com/other/rules\n";
        assert_eq!(level("", "missing-path"), [Level::Warning]);
        assert_eq!(level(source, "missing-path"), [Level::Info]);
        // What a copy lacks of its own files concerns whoever has it.
        assert_eq!(level(source, "broken-link"), [Level::Warning]);
        let page = |field: &str| {
            let skill = format!("---\nname: a\ndescription: b\n{field}---\n[p](references/p.md)\n");
            let files = [
                (".claude/skills/a/SKILL.md", skill.as_str()),
                (".claude/skills/a/references/p.md", "[x](../guide/none.md)\n"),
            ];
            repository("broken-link", "", &files)[0].level
        };
        assert_eq!(page(""), Level::Warning);
        assert_eq!(page(source), Level::Info);
    }

    #[test]
    fn what_keeps_an_installed_skill_from_working_is_told_as_ever() {
        let files = |text| [("skills-lock.json", LOCK), (".claude/skills/a/SKILL.md", text), ("CLAUDE.md", "x\n")];
        let broken = "---\nname: [a\ndescription: b\n---\n";
        assert_eq!(repository("invalid-frontmatter", "", &files(broken))[0].level, Level::Error);
        let hidden = "---\nname: a\ndescription: b\n---\n\na\u{202e}b\n";
        assert!(repository("bidi-control", "", &files(hidden))[0].level > Level::Info);
    }
}
