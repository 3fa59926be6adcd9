//! `link-leaves-repository`: a hint or settings file is a link to a place outside of the repository.

use crate::agents::files;
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::Resolution;

static INFO: RuleInfo = RuleInfo {
    name: "link-leaves-repository",
    group: Group::Settings,
    levels: &[Level::Error],
    summary: "a hint or settings file is a link out of the repository",
    explanation: "\
## What it does
Reports symbolic links with the name of a hint or settings file that lead out of the repository. Folders of backups are passed over.

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
            if !is_read(link) || cx.workspace.resolve(link.as_bytes()) != Resolution::Outside {
                continue;
            }
            let target = String::from_utf8_lossy(target);
            let message = format!("this link leads out of the repository, to {}", sanitize::line(&target));
            let finding = Finding::new(INFO.name, Level::Error, link, Span::empty(0), message);
            findings.push(finding.help("put the file here, or link one of this repository by a relative path"));
        }
    }
}

/// Whether agents read a file of this name and place.
pub(in crate::rules) fn is_read(link: &RepoPath) -> bool {
    let path = link.as_bytes();
    let is_kept = |folder: &[u8]| {
        let folder = folder.to_ascii_lowercase();
        [&b"backup"[..], b".bak", b"_bak", b".old"].iter().any(|word| memchr::memmem::find(&folder, word).is_some())
    };
    let is_backup = link.parent().split(|&byte| byte == b'/').any(is_kept);
    let is_hint = files::kind_of(path).is_some() || files::is_configuration(path);
    is_hint && !is_backup && link.file_name() != b".gitignore"
}
