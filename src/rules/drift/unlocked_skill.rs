//! `unlocked-skill`: a skill that `skills-lock.json` does not hold, or a lock that holds none.

use super::SKILLS_EVIDENCE;
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::locks::LOCK;

static INFO: RuleInfo = RuleInfo {
    name: "unlocked-skill",
    group: Group::Drift,
    levels: &[Level::Warning, Level::Info],
    summary: "skills that skills-lock.json does not lock",
    explanation: "\
## What it does
Reports a `skills-lock.json` that the command `skills` takes for empty (no JSON, no number `version`, no `skills`): a warning, and an
info where the file has no `computedHash`, so that another program may have written it. And, as an info, skills in `.agents/skills` that the lock does not name, where it names others there.

## Why is this bad?
The next `npx skills add` silently replaces such a lock with one that holds only the added skill. Of a skill that is not locked
nobody can tell where it came from and whether it was changed.

## Example
A merge left conflict markers in `skills-lock.json`.

## How to fix
Correct the lock; its history has the entries. A skill of your own needs no entry.
",
    evidence: SKILLS_EVIDENCE,
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct UnlockedSkill;

impl Rule for UnlockedSkill {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let Some(lock) = &cx.workspace.skills_lock else { return };
        if let Some(why) = &lock.broken {
            let message = format!("`npx skills` reads this lock file as empty and will overwrite it: {why}");
            // Other programs have a file of this name, too.
            let is_its_own = memchr::memmem::find(&lock.bytes, b"\"computedHash\"").is_some();
            let level = if is_its_own { Level::Warning } else { Level::Info };
            let finding = Finding::new(INFO.name, level, &RepoPath::from(LOCK), Span::empty(0), message);
            findings.push(finding.help("correct it, or restore it from history"));
        }
        for path in &lock.unlocked {
            let message = format!("{LOCK} locks other skills here but not this one");
            let finding = Finding::new(INFO.name, Level::Info, path, Span::empty(0), message);
            findings.push(finding.help(
                "if it comes from another repository, `npx skills add` locks it; if it is your own, ignore this",
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::repository;

    #[test]
    fn the_manifest_of_another_program_is_an_info() {
        let level =
            |lock: &str| repository(INFO.name, "", &[("skills-lock.json", lock), ("CLAUDE.md", "x\n")])[0].level;
        assert_eq!(level(r#"{"version": "1.0.0", "skills": [{"name": "a", "path": "skills/a"}]}"#), Level::Info);
        assert_eq!(level(r#"{"skills": {"a": {"source": "o/r", "computedHash": "0"}}}"#), Level::Warning);
        assert_eq!(level("<<<<<<< a\n{\"skills\": {\"a\": {\"computedHash\": \"0\"}}}\n"), Level::Warning);
    }
}
