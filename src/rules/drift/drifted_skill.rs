//! `drifted-skill`: a vendored skill whose files are not those that `skills-lock.json` locks, or that is not there.

use super::SKILLS_EVIDENCE;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::{CommitRef, Questions};
use crate::workspace::locks::{LOCK, LockedSkill, OWN_FOLDER};

static INFO: RuleInfo = RuleInfo {
    name: "drifted-skill",
    group: Group::Drift,
    levels: &[Level::Warning, Level::Info],
    summary: "a vendored skill differs from its entry in skills-lock.json",
    explanation: "\
## What it does
Compares each skill of `skills-lock.json` that lies in an agent's folder (`.agents/skills`, `.claude/skills`) with the lock, by the
hash of the command `skills`. An info, and a warning where one file of a skill in `.agents/skills` changed after the lock and after the
skill's other files, and no other copy here matches the lock: such a change was hardly meant to fork the skill. A locked skill that is
not there while others are is an info.

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
    // A commit that changed all files may have added them.
    let since = changed_since(cx, skill);
    let is_edit = since.is_some_and(|(_, commit)| is_newer_than_another(cx, skill, commit));
    let is_own = path::parent(skill.folder.as_bytes()) == OWN_FOLDER;
    let level = if is_edit && is_own && !has_matching_copy(cx, skill) { Level::Warning } else { Level::Info };
    let since = since.map_or(String::new(), |(file, commit)| match is_edit {
        true => format!(": {} changed on {}, after the lock", file.to_str_lossy(), commit.date),
        false => format!(": {} is of a commit of {}, after the lock", file.to_str_lossy(), commit.date),
    });
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

/// Whether another file of the skill was left alone by `commit` and is older.
fn is_newer_than_another(cx: &Cx<'_>, skill: &LockedSkill, commit: &CommitRef) -> bool {
    let changes = skill.files.iter().filter_map(|file| cx.answers.last_changes.get(file));
    changes.into_iter().any(|other| other.id != commit.id && other.time < commit.time)
}

/// Whether another folder here has the skill as it was locked: this one differs on purpose.
fn has_matching_copy(cx: &Cx<'_>, skill: &LockedSkill) -> bool {
    let skills = cx.workspace.skills_lock.iter().flat_map(|lock| &lock.skills);
    skills.into_iter().any(|other| other.name == skill.name && other.is_same == Some(true))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::config::Config;
    use crate::rules::run::{Selection, run};
    use crate::source::Memory;
    use crate::source::history::Answers;
    use crate::workspace::load;

    /// The level and message about the skill `a`, whose files are of the given times; the lock is of time 2.
    fn found(folder: &str, times: [i64; 2]) -> (Level, String) {
        let (page, more) = (format!("{folder}/a/SKILL.md"), format!("{folder}/a/more.md"));
        let lock = r#"{"version": 1, "skills": {"a": {"source": "o/r", "computedHash": "0"}}}"#;
        let files =
            [(LOCK, lock), (&page, "---\nname: a\ndescription: b\n---\n"), (&more, "x\n"), ("CLAUDE.md", "x\n")];
        let commit = |time: i64| CommitRef { id: format!("{time:010}"), date: "2026-01-01".to_owned(), time };
        let changed = [(page.as_str(), times[0]), (more.as_str(), times[1]), (LOCK, 2)];
        let last_changes: BTreeMap<RepoPath, CommitRef> =
            changed.into_iter().map(|(path, time)| (path.into(), commit(time))).collect();
        let source = Memory::of_files(files);
        let mut loaded = load(&source, Config::default(), &[]).expect("a workspace");
        loaded.workspace.skills_lock.as_mut().expect("a lock").compare(&source);
        let selection =
            Selection { select: vec![INFO.name.to_owned()], min_level: Level::Info, ..Selection::default() };
        let report =
            run(loaded, &selection, &mut |_| Answers { last_changes: last_changes.clone(), ..Answers::default() });
        let finding = report.findings.into_iter().next().expect("a finding");
        (finding.level, finding.message)
    }

    #[test]
    fn only_an_edit_of_one_file_of_the_command_s_own_folder_is_a_warning() {
        let (level, message) = found(".agents/skills", [3, 1]);
        assert_eq!(level, Level::Warning);
        assert!(message.ends_with("SKILL.md changed on 2026-01-01, after the lock"), "{message}");
        // One commit has all files: it may have added them.
        let (level, message) = found(".agents/skills", [3, 3]);
        assert_eq!(level, Level::Info);
        assert!(message.contains(" is of a commit of 2026-01-01"), "{message}");
        assert_eq!(found(".claude/skills", [3, 1]).0, Level::Info);
        let (level, message) = found(".agents/skills", [1, 1]);
        assert_eq!((level, message.ends_with("hash of `a`")), (Level::Info, true), "{message}");
    }
}
