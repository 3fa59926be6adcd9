//! A small repository as bytes that a fuzzer can mutate, and back.
//!
//! Sections are divided by 0xFF, which no UTF-8 text holds. The first section is for the target (a message, a file's text).
//! Every other one is a file: its name up to the first line end, then its bytes. A name of one character stands for one of
//! [`NAMES`]; `NAME -> TARGET` is a symbolic link.

use std::collections::BTreeMap;

use hintlint::base::path::RepoPath;
use hintlint::source::{EntryKind, Memory};

use super::machine::Machine;

/// Divides sections.
const MARK: u8 = 0xFF;
/// Sections beyond this many are dropped.
const MAX_FILES: usize = 48;
/// A longer name is cut.
const MAX_NAME: usize = 120;

/// Names that mean something to some agent or rule.
pub(crate) const NAMES: [&str; 40] = [
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "README.md",
    "docs/a.md",
    "docs/b.md",
    ".claude/rules/a.md",
    ".claude/rules/sub/b.md",
    ".cursor/rules/a.mdc",
    ".claude/skills/a/SKILL.md",
    ".github/copilot-instructions.md",
    ".github/instructions/a.instructions.md",
    "PLAN.md",
    "docs/plans/a.md",
    "sub/AGENTS.md",
    "sub/CLAUDE.md",
    "sub/README.md",
    "sub/deep/GEMINI.md",
    ".claude/settings.json",
    ".gemini/settings.json",
    "opencode.json",
    "hintlint.toml",
    ".gitignore",
    ".goosehints",
    "QWEN.md",
    "DEX.md",
    ".dexhints",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    ".claude/commands/a.md",
    ".claude/agents/a.md",
    ".hintlint/context/merged.md",
    ".hintlint/context/sub/merged.md",
    "package.json",
    "src/a.rs",
    "src/b/c.ts",
    ".clinerules/a.md",
    ".windsurf/rules/a.md",
    ".kiro/steering/a.md",
];

/// One file or link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    File(Vec<u8>),
    Link(Vec<u8>),
}

/// A repository. No path lies below another one's file, and none in a git directory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Archive {
    /// What stands before the first file.
    pub(crate) first: Vec<u8>,
    pub(crate) entries: BTreeMap<RepoPath, Entry>,
}

impl Archive {
    /// Every byte string is an archive.
    pub(crate) fn read(data: &[u8]) -> Archive {
        let mut sections = data.split(|&byte| byte == MARK);
        let mut archive = Archive { first: sections.next().unwrap_or_default().to_vec(), ..Archive::default() };
        for section in sections.take(MAX_FILES) {
            let end = section.iter().position(|&byte| byte == b'\n').unwrap_or(section.len());
            let bytes = section.get(end + 1..).unwrap_or_default();
            match section[..end].windows(4).position(|part| part == b" -> ") {
                Some(at) => archive.add(&section[..at], Entry::Link(section[at + 4..end].to_vec())),
                None => archive.add(&section[..end], Entry::File(bytes.to_vec())),
            }
        }
        archive
    }

    /// Add an entry unless its path cannot stand in a repository beside the others.
    pub(crate) fn add(&mut self, name: &[u8], entry: Entry) {
        let name: &[u8] = match name {
            [one] => NAMES[usize::from(*one) % NAMES.len()].as_bytes(),
            name => &name[..name.len().min(MAX_NAME)],
        };
        let parts: Vec<&[u8]> =
            name.split(|&byte| byte == b'/').filter(|part| !matches!(*part, b"" | b"." | b"..")).collect();
        let is_git = parts.iter().any(|part| part.eq_ignore_ascii_case(b".git"));
        let is_empty_target = matches!(&entry, Entry::Link(target) if target.is_empty() || target.contains(&0));
        if parts.is_empty() || is_git || is_empty_target || name.contains(&0) {
            return;
        }
        let path = RepoPath::new(parts.join(&b'/'));
        let nests = |a: &RepoPath, b: &RepoPath| hintlint::base::path::is_at_or_below(a.as_bytes(), b.as_bytes());
        if self.entries.keys().all(|other| *other == path || (!nests(other, &path) && !nests(&path, other))) {
            self.entries.insert(path, entry);
        }
    }

    /// The bytes of this archive.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.first.clone();
        for (path, entry) in &self.entries {
            out.push(MARK);
            out.extend_from_slice(path.as_bytes());
            match entry {
                Entry::Link(target) => {
                    out.extend_from_slice(b" -> ");
                    out.extend_from_slice(target);
                    out.push(b'\n');
                }
                Entry::File(bytes) => {
                    out.push(b'\n');
                    // The mark cannot stand in a file; any other byte outside UTF-8 is as good.
                    out.extend(bytes.iter().map(|&byte| if byte == MARK { 0xFE } else { byte }));
                }
            }
        }
        out
    }

    /// The repository as a source.
    pub(crate) fn source(&self) -> Memory {
        Memory::new(self.entries.iter().map(|(path, entry)| match entry {
            Entry::File(bytes) => (path.clone(), EntryKind::File, bytes),
            Entry::Link(target) => (path.clone(), EntryKind::Symlink, target),
        }))
    }

    /// The repository on a machine with secrets around it.
    pub(crate) fn machine(&self) -> Machine {
        Machine::new(self.entries.iter().filter_map(|(path, entry)| Some((path.to_str()?, entry))))
    }

    /// Give a file new bytes.
    pub(crate) fn change(&mut self, path: &RepoPath, bytes: &[u8]) {
        self.entries.insert(path.clone(), Entry::File(bytes.to_vec()));
    }
}
