//! How vendored skills change, in words, as Markdown and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::markdown::prose;
use crate::base::sanitize;
use crate::compile::skill_changes::{SkillChange, SkillDifference};

/// Most changes that are listed, and files of each.
const LISTED: usize = 50;
const LISTED_FILES: usize = 10;

pub(super) fn word(difference: SkillDifference) -> &'static str {
    match difference {
        SkillDifference::Added => "new",
        SkillDifference::Changed => "changed",
        SkillDifference::Removed => "gone",
    }
}

/// A change in one line.
pub(crate) fn line(change: &SkillChange) -> String {
    let what = match (change.lock, change.files.is_empty()) {
        (Some(SkillDifference::Added), _) => "is new",
        (Some(SkillDifference::Removed), _) => "is gone",
        (Some(SkillDifference::Changed), false) => "is updated, with its lock",
        (Some(SkillDifference::Changed), true) => "has another lock, and the same files",
        (None, _) => "is changed, and its lock is not",
    };
    let is_whole = matches!(change.lock, Some(SkillDifference::Added | SkillDifference::Removed));
    let file = |(path, difference): &(_, SkillDifference)| match is_whole {
        true => sanitize::path(path).into_owned(),
        false => format!("{} {}", sanitize::path(path), word(*difference)),
    };
    let is_gone = change.lock == Some(SkillDifference::Removed);
    let listed = if is_gone { 0 } else { LISTED_FILES };
    let mut files: Vec<String> = change.files.iter().take(listed).map(file).collect();
    if change.files.len() > listed && !is_gone {
        files.push(format!("{} more", change.files.len() - listed));
    }
    let files = if files.is_empty() { String::new() } else { format!(": {}", files.join(", ")) };
    format!("{} {what}{files} ({})", sanitize::line(&change.name), sanitize::path(&change.folder))
}

/// For people.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn human(changes: &[SkillChange], out: &mut dyn Write) -> io::Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    writeln!(out, "Vendored skills: {}", super::counted(changes.len(), "change", "changes"))?;
    for change in changes.iter().take(LISTED) {
        writeln!(out, "  {}", line(change))?;
    }
    match super::not_listed(changes.len(), LISTED) {
        Some(rest) => writeln!(out, "  {rest}"),
        None => Ok(()),
    }
}

/// A section of Markdown; empty for no change.
pub(super) fn markdown(changes: &[SkillChange]) -> String {
    if changes.is_empty() {
        return String::new();
    }
    let mut page = "\n### Vendored skills\n\n".to_owned();
    changes.iter().take(LISTED).for_each(|change| page.push_str(&format!("- {}\n", prose(&line(change)))));
    if let Some(rest) = super::not_listed(changes.len(), LISTED) {
        page.push_str(&format!("\n{rest}.\n"));
    }
    page
}

/// As JSON, one object each.
pub(super) fn json(changes: &[SkillChange]) -> Vec<Value> {
    let file = |(path, difference): &(crate::base::path::RepoPath, SkillDifference)| json!({"path": path.to_str_lossy(), "change": word(*difference)});
    let one = |change: &SkillChange| {
        json!({
            "name": change.name,
            "folder": change.folder.to_str_lossy(),
            "lock": change.lock.map(word),
            "files": change.files.iter().map(file).collect::<Vec<_>>(),
            "message": line(change),
        })
    };
    changes.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::run_changes::RunState;
    use crate::compile::skill_changes::compare;
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    fn lock(hash: &str) -> String {
        format!("{{\"version\": 1, \"skills\": {{\"a\": {{\"computedHash\": \"{hash}\"}}}}}}")
    }

    fn changes(before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<String> {
        let sources = [before, after].map(|files| Memory::of_files(files.iter().copied()));
        let loaded = [&sources[0], &sources[1]].map(|source| load(source, Config::default(), &[]).unwrap().workspace);
        let state = |side: usize| RunState { source: &sources[side], workspace: &loaded[side] };
        compare(&state(0), &state(1)).iter().map(line).collect()
    }

    #[test]
    fn an_update_is_told_with_its_files_and_its_lock() {
        let (old, new) = (lock("1"), lock("2"));
        let skill = ".agents/skills/a/SKILL.md";
        let before = [
            ("skills-lock.json", old.as_str()),
            (skill, "old"),
            (".agents/skills/a/x.sh", "x"),
            (".agents/skills/b/y", "y"),
        ];
        let after = [
            ("skills-lock.json", new.as_str()),
            (skill, "new"),
            (".agents/skills/a/z.sh", "z"),
            (".agents/skills/b/y", "Y"),
        ];
        assert_eq!(
            changes(&before, &after),
            ["a is updated, with its lock: SKILL.md changed, x.sh gone, z.sh new (.agents/skills/a)"]
        );
        let drifted = [before[0], after[1], before[2]];
        assert_eq!(
            changes(&before, &drifted),
            ["a is changed, and its lock is not: SKILL.md changed (.agents/skills/a)"]
        );
        let locked = [after[0], before[1], before[2]];
        assert_eq!(changes(&before, &locked), ["a has another lock, and the same files (.agents/skills/a)"]);
        assert_eq!(changes(&[], &before), ["a is new: SKILL.md, x.sh (.agents/skills/a)"]);
        assert_eq!(changes(&before, &[]), ["a is gone (.agents/skills/a)"]);
        assert_eq!(changes(&before, &before), [""; 0]);
    }
}
