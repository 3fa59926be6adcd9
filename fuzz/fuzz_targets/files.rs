//! A small repository from arbitrary bytes: files are divided by 0xFF, which no UTF-8 text holds.

use hintlint::config::Config;
use hintlint::finding::Level;
use hintlint::report::Report;
use hintlint::run::{Selection, run};
use hintlint::source::history::Answers;
use hintlint::source::{Memory, Source};
use hintlint::workspace::{self, Workspace};

const NAMES: [&str; 8] = [
    "AGENTS.md",
    "CLAUDE.md",
    "docs/a.md",
    ".cursor/rules/a.mdc",
    ".claude/skills/a/SKILL.md",
    "sub/GEMINI.md",
    "PLAN.md",
    "sub/b.md",
];

/// The repository, in memory.
pub fn memory(data: &[u8]) -> Memory {
    Memory::of_files(NAMES.into_iter().zip(data.split(|&byte| byte == 0xFF)))
}

/// Everything that can be said of it.
pub fn lint(source: &dyn Source) -> (Report, Workspace) {
    let loaded = workspace::load(source, Config::default(), &[]).expect("the default config has no bad pattern");
    let selection = Selection { min_level: Level::Info, ..Selection::default() };
    run(loaded, &selection, &mut |_| Answers::default())
}
