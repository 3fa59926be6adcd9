//! `drifted-skill`: a vendored skill whose files are not those that `skills-lock.json` locks, or that is not there.

use super::SKILLS_EVIDENCE;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::RepoPath;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::{CommitRef, Questions};
use crate::workspace::locks::{LOCK, LockedSkill};

static INFO: RuleInfo = RuleInfo {
    name: "drifted-skill",
    group: Group::Drift,
    levels: &[Level::Warning, Level::Info],
    summary: "a vendored skill differs from its entry in skills-lock.json",
    explanation: "\
## What it does
Compares each skill of `skills-lock.json` that lies in an agent's folder (`.agents/skills`, `.claude/skills`) with the lock, by the
hash of the command `skills`. A warning where a file of the skill changed after the lock did; an info where the hash differs and
history does not say since when, and for a locked skill that is not there while others are.

## Why is this bad?
Readers of the lock believe that the skill is unchanged, and the next `npx skills update` silently overwrites the change.

## Example
`.agents/skills/review/SKILL.md` was edited here, and `skills-lock.json` still has the hash of `o/skills`.

## How to fix
Install the skill anew, or keep the change under a name of its own and take the entry out of the lock. The hash is of the source's
folder: where the source holds files that the command does not install (`metadata.json`), no installed copy has it.
",
    evidence: SKILLS_EVIDENCE,
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct DriftedSkill;

impl Rule for DriftedSkill {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        for skill in differing(cx) {
            questions.last_changes.extend(skill.files.iter().cloned());
            questions.last_changes.insert(RepoPath::from(LOCK));
        }
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        findings.extend(differing(cx).map(|skill| report(cx, skill)));
        let Some(lock) = cx.workspace.skills_lock.as_ref().filter(|lock| !lock.skills.is_empty()) else { return };
        for (name, span) in &lock.absent {
            let message = format!("the locked skill `{name}` is not there");
            let help = "`npx skills experimental_install` brings it back; `npx skills remove` takes it out of the lock";
            findings.push(Finding::new(INFO.name, Level::Info, &RepoPath::from(LOCK), *span, message).help(help));
        }
    }
}

/// The skills whose files do not give the hash.
fn differing<'a>(cx: &Cx<'a>) -> impl Iterator<Item = &'a LockedSkill> {
    let skills = cx.workspace.skills_lock.iter().flat_map(|lock| &lock.skills);
    skills.filter(|skill| skill.is_same == Some(false))
}

fn report(cx: &Cx<'_>, skill: &LockedSkill) -> Finding {
    let folder = skill.folder.to_str_lossy();
    let (level, since) = match changed_since(cx, skill) {
        Some((file, commit)) => {
            let since = format!(": {} changed on {}, after the lock", file.to_str_lossy(), commit.date);
            (Level::Warning, since)
        }
        None => (Level::Info, String::new()),
    };
    let message = format!("the files in {folder} do not match the locked hash of `{}`{since}", skill.name);
    let help = "reinstall it with `npx skills add`; to keep the change, rename the skill and delete its lock entry";
    let cause = Cause {
        key: "lock".to_owned(),
        subject: format!("`{}`", skill.name),
        many: "do not match their locked hashes",
        help: Some(
            "reinstall them with `npx skills add`; to keep a change, rename the skill and delete its lock entry"
                .to_owned(),
        ),
    };
    Finding::new(INFO.name, level, &RepoPath::from(LOCK), skill.span, message).help(help).cause(cause)
}

/// The file that changed last, if that was after the lock changed last.
fn changed_since<'a>(cx: &Cx<'a>, skill: &'a LockedSkill) -> Option<(&'a RepoPath, &'a CommitRef)> {
    let changed = |path: &RepoPath| cx.answers.last_changes.get(path);
    let locked = changed(&RepoPath::from(LOCK))?;
    let changes = skill.files.iter().filter_map(|file| Some((file, changed(file)?)));
    changes.max_by_key(|(_, commit)| commit.time).filter(|(_, commit)| commit.time > locked.time)
}
