//! `link-leaves-repository`: a hint or settings file is a link to a place outside of the repository.

use crate::agents::files;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::{Resolution, Workspace};

/// The name of the rule.
pub(in crate::rules) const NAME: &str = "link-leaves-repository";

static INFO: RuleInfo = RuleInfo {
    name: NAME,
    group: Group::Settings,
    levels: &[Level::Error, Level::Warning],
    summary: "a hint or settings file is a link out of the repository",
    explanation: "\
## What it does
Reports symbolic links with the name of a hint or settings file that lead out of the repository, and such links in place of a skill's
folder (`.claude/skills/x`), as a warning. Folders of backups are passed over.

## Why is this bad?
An agent follows the link: it sends the text of a file of that machine to its model, or obeys settings that nobody has reviewed. On
other machines there is nothing.

## Example
`CLAUDE.md` as a link to `../../notes.md`.

## How to fix
Put the file here, or link one of this repository by a relative path.
",
    evidence: &[Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with links out of the repository", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct LinkLeavesRepository;

impl Rule for LinkLeavesRepository {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for (link, target) in &cx.workspace.links {
            let is_skill = is_skill(link);
            if !tells(cx.workspace, link) {
                continue;
            }
            let target = String::from_utf8_lossy(target);
            let message = format!("this link leads out of the repository, to {}", sanitize::line(&target));
            let level = if is_skill { Level::Warning } else { Level::Error };
            let finding = Finding::new(INFO.name, level, link, Span::empty(0), message);
            let what = if is_skill { "folder" } else { "file" };
            let finding =
                finding.help(format!("put the {what} here, or link one of this repository by a relative path"));
            // Whoever links one skill of a machine links many.
            let cause = is_skill.then(|| Cause {
                key: format!("skills {}", String::from_utf8_lossy(link.parent())),
                subject: link.to_str_lossy().into_owned(),
                many: "are links that lead out of the repository",
                help: Some("put the folders here, or link those of this repository by relative paths".to_owned()),
            });
            findings.push(match cause {
                Some(cause) => finding.cause(cause),
                None => finding,
            });
        }
    }
}

/// Whether the rule speaks of `link`.
pub(in crate::rules) fn tells(workspace: &Workspace, link: &RepoPath) -> bool {
    (is_read(link) || is_skill(link)) && workspace.resolve(link.as_bytes()) == Resolution::Outside
}

/// Whether the link stands where an agent looks for the folder of a skill.
fn is_skill(link: &RepoPath) -> bool {
    let skills = link.parent();
    path::file_name(skills) == b"skills"
        && files::is_skill_folder(path::file_name(path::parent(skills)))
        && !link.file_name().contains(&b'.')
        && !is_backup(link)
}

/// Whether the link lies in a folder of backups.
fn is_backup(link: &RepoPath) -> bool {
    let is_kept = |folder: &[u8]| {
        let folder = folder.to_ascii_lowercase();
        [&b"backup"[..], b".bak", b"_bak", b".old"].iter().any(|word| memchr::memmem::find(&folder, word).is_some())
    };
    link.parent().split(|&byte| byte == b'/').any(is_kept)
}

/// Whether agents read a file of this name and place.
pub(in crate::rules) fn is_read(link: &RepoPath) -> bool {
    let path = link.as_bytes();
    let is_hint = files::kind_of(path).is_some() || files::is_configuration(path);
    is_hint && !is_backup(link) && link.file_name() != b".gitignore"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_skill_may_be_a_link() {
        let is_skill = |path: &str| is_skill(&RepoPath::from(path));
        assert!(is_skill(".claude/skills/x"));
        assert!(is_skill("web/.agents/skills/x"));
        for other in [
            "skills/x",
            "docs/skills/x",
            ".claude/skills/x/y",
            ".claude/skills/notes.md",
            ".claude/backup/.claude/skills/x",
        ] {
            assert!(!is_skill(other), "{other}");
        }
    }
}
