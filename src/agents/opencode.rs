//! opencode: one name for the whole walk, nearest first, no imports; files and globs of its own configuration.

mod runs;

use super::claude::hints as claude_hints;
use super::shared::files::AgentFiles;
use super::shared::instructions::{self, Machinery};
use super::{Choice, Dialect, Evidence, Proof, RootMark, TextTreatment, Trim, Walk};
use crate::base::kind::Kind;

/// The table. Observed in the requests of the released agent.
pub(super) const OPENCODE: Dialect = Dialect {
    id: "opencode",
    title: "opencode",
    version: "1.18.33",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "opencode 1.18.33, run", checked: "2026-11" },
        Evidence {
            source: "https://github.com/anomalyco/opencode, packages/opencode/src/session/instruction.ts at 00b964bd",
            checked: "2026-11",
        },
    ],
    // CLAUDE.md is off with OPENCODE_DISABLE_CLAUDE_CODE or OPENCODE_DISABLE_CLAUDE_CODE_PROMPT.
    names: &["AGENTS.md", "CLAUDE.md", "CONTEXT.md"],
    choice: Choice::FirstOnWalk,
    // The first that exists.
    user_files: &[".config/opencode/AGENTS.md", ".claude/CLAUDE.md"],
    root: RootMark::GitProgram,
    walk: Walk::RootOrFileSystem,
    text: TextTreatment { trim: Trim::ByteOrderMark, ..TextTreatment::PLAIN },
    files: &FILES,
    placement: "system message, after the environment",
    load: |loading| instructions::load(loading, &MACHINERY),
    runs: Some(runs::read),
    ..Dialect::BASE
};

static FILES: AgentFiles = AgentFiles {
    signs: &["opencode.json", "opencode.jsonc", ".opencode/"],
    reads: &[Kind::AgentsMd, Kind::Of(&claude_hints::MAIN), Kind::Skill],
    folders: &[".opencode"],
    skill_folders: &[".opencode"],
    settings: &["opencode.json", "opencode.jsonc"],
    run_files: &["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
    run_texts: &[
        (".opencode/plugin/", &[".js", ".ts"]),
        (".opencode/plugins/", &[".js", ".ts"]),
        (".opencode/tool/", &[".js", ".ts"]),
        (".opencode/tools/", &[".js", ".ts"]),
    ],
    prompts: &[".opencode/agent/", ".opencode/agents/", ".opencode/command/", ".opencode/commands/"],
    words: &["opencode"],
    ..AgentFiles::NONE
};

static MACHINERY: Machinery = Machinery {
    variables: "OPENCODE",
    user_folder: "opencode",
    user_settings: &["config.json", "opencode.json", "opencode.jsonc"],
    settings: &[&["opencode.json", "opencode.jsonc"]],
    folders: (&[".opencode"], &["opencode.json", "opencode.jsonc"]),
    borrowed: ("CLAUDE.md", ".claude/CLAUDE.md", &["DISABLE_CLAUDE_CODE", "DISABLE_CLAUDE_CODE_PROMPT"]),
    rules: |_| Vec::new(),
    has_references: false,
};
