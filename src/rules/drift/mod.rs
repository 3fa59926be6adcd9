//! Rules about text that stands twice: copies kept by hand for two agents, and passages repeated in files that load together, and skills that are
//! copies of what a lock names.

mod adapted;
mod copies;
mod copies_drifted;
mod copy_lines;
mod drifted_skill;
mod put_aside;
mod repeated_text;
mod unlocked_skill;

use super::{Evidence, Rule};

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[
    &copies_drifted::CopiesDrifted,
    &drifted_skill::DriftedSkill,
    &repeated_text::RepeatedText,
    &unlocked_skill::UnlockedSkill,
];

/// Where the lock of vendored skills is described.
static SKILLS_EVIDENCE: &[Evidence] = &[
    Evidence {
        source: "skills 1.7.4 (npm), read; its hash compared with entries of 20 public repositories",
        checked: "2026-11",
    },
    Evidence { source: "https://github.com/vercel-labs/skills/issues/806", checked: "2026-11" },
];
