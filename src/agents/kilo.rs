//! Kilo's CLI: opencode's machinery with folders of rules, which it reads in the start directory alone.

use super::claude::hints as claude_hints;
use super::shared::context::Why;
use super::shared::files::{AgentFiles, Hint, PathSet};
use super::shared::instructions::{self, Machinery};
use super::shared::loading::Loading;
use super::{Choice, Dialect, Evidence, Proof, RootMark, Walk};
use crate::base::kind::{AgentKind, Kind, Role};
use crate::world::{AbsPath, FileType};

/// The table. Observed in the requests of the released agent.
pub(super) const KILO: Dialect = Dialect {
    id: "kilo",
    title: "Kilo CLI",
    version: "7.7.9",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "kilo 7.7.9, run", checked: "2026-11" },
        Evidence {
            source: "https://github.com/Kilo-Org/kilocode, packages/opencode/src/kilocode/rules-migrator.ts",
            checked: "2026-11",
        },
    ],
    // CLAUDE.md is off with KILO_DISABLE_CLAUDE_CODE or KILO_DISABLE_CLAUDE_CODE_PROMPT.
    names: &["AGENTS.md", "CLAUDE.md", "CONTEXT.md"],
    choice: Choice::FirstOnWalk,
    // The first of the two AGENTS.md and CLAUDE.md that exists.
    user_files: &[".config/kilo/AGENTS.md", ".claude/CLAUDE.md", ".kilo/rules", ".kilocode/rules"],
    root: RootMark::GitProgram,
    walk: Walk::RootOrFileSystem,
    files: &FILES,
    placement: "system message, after the environment",
    load: |loading| instructions::load(loading, &MACHINERY),
    ..Dialect::BASE
};

static RULE: AgentKind = AgentKind { folder: "rules/", told_unread: false, ..AgentKind::new("kilo-rule", Role::Rule) };

static FILES: AgentFiles = AgentFiles {
    signs: &["kilo.json", "kilo.jsonc", ".kilo/", ".kilocode/", ".kilocoderules"],
    claims_agents_md: false,
    hints: &[
        Hint::below(".kilo/rules/", ".md", Kind::Of(&RULE)),
        Hint::below(".kilo/rules-", ".md", Kind::Of(&RULE)),
        Hint::below(".kilocode/rules/", ".md", Kind::Of(&RULE)),
        Hint::below(".kilocode/rules-", ".md", Kind::Of(&RULE)),
        Hint::name(".kilocoderules", Kind::Of(&RULE)),
        Hint { place: PathSet::NamePrefix(".kilocoderules-"), kind: Kind::Of(&RULE) },
    ],
    reads: &[Kind::Of(&RULE), Kind::AgentsMd, Kind::Of(&claude_hints::MAIN), Kind::Skill],
    folders: &[".kilo", ".kilocode"],
    skill_folders: &[".kilo", ".kilocode"],
    settings: &["kilo.json", "kilo.jsonc"],
    words: &["kilocode"],
    ..AgentFiles::NONE
};

static MACHINERY: Machinery = Machinery {
    variables: "KILO",
    user_folder: "kilo",
    user_settings: &["config.json", "kilo.json", "kilo.jsonc", "opencode.json", "opencode.jsonc"],
    settings: &[&["kilo.json", "kilo.jsonc"], &["opencode.json", "opencode.jsonc"]],
    folders: (&[".kilocode", ".kilo"], &["kilo.jsonc", "kilo.json", "opencode.jsonc", "opencode.json"]),
    borrowed: ("CLAUDE.md", ".claude/CLAUDE.md", &["DISABLE_CLAUDE_CODE", "DISABLE_CLAUDE_CODE_PROMPT"]),
    rules,
    has_references: true,
};

/// Its folders. Of two files of one name in them the first counts.
const FOLDERS: [&str; 2] = [".kilo", ".kilocode"];
/// The modes whose rules it reads, whatever the mode of the session.
const MODES: [&str; 5] = ["code", "architect", "ask", "debug", "orchestrator"];

/// The rules of the user and of the start directory.
fn rules(loading: &mut Loading<'_>) -> Vec<(AbsPath, Why)> {
    let start = loading.start.clone();
    let mut found = Vec::new();
    if let Some(home) = loading.home().filter(|_| loading.options.user) {
        add_folders(loading, &home, "rules", Why::User, &mut found);
    }
    add_folders(loading, &start, "rules", Why::Rule, &mut found);
    add_file(loading, start.join(".kilocoderules"), &mut found);
    for mode in MODES {
        add_folders(loading, &start, &format!("rules-{mode}"), Why::Rule, &mut found);
        add_file(loading, start.join(format!(".kilocoderules-{mode}")), &mut found);
    }
    found
}

/// Add the Markdown files of one folder of rules in `dir`. What lies deeper and links do not count.
fn add_folders(loading: &mut Loading<'_>, dir: &AbsPath, rules: &str, why: Why, found: &mut Vec<(AbsPath, Why)>) {
    let mut names: Vec<Vec<u8>> = Vec::new();
    for folder in FOLDERS.map(|folder| dir.join(folder).join(rules)) {
        let mut entries = loading.world.read_dir_as_listed(&folder);
        entries.retain(|entry| entry.kind == FileType::File && entry.name.ends_with(b".md"));
        entries.retain(|entry| !names.contains(&entry.name));
        loading.out.order_unspecified |= entries.len() > 1 && loading.world.virtual_root().is_some();
        found.extend(entries.iter().map(|entry| (folder.join(&entry.name), why)));
        names.extend(entries.into_iter().map(|entry| entry.name));
    }
}

fn add_file(loading: &Loading<'_>, path: AbsPath, found: &mut Vec<(AbsPath, Why)>) {
    if loading.world.is_file(&path) {
        found.push((path, Why::Rule));
    }
}
