//! Hint files that belong to many agents, and those of agents whose loading is not known here.

use super::shared::files::{AgentFiles, Hint, PathSet};
use crate::base::kind::Kind;

/// A name for AGENTS.md that some agents read besides.
pub(super) const AGENT_MD: &str = "AGENT.md";

const OTHER: Kind = Kind::OtherRules;

/// What no table of one agent has.
pub(super) static OTHERS: &[AgentFiles] = &[
    // https://agents.md and https://agentskills.io
    AgentFiles {
        hints: &[
            Hint::in_any_case("AGENTS.md", Kind::AgentsMd),
            Hint::name(AGENT_MD, Kind::AgentsMd),
            Hint::name("SKILL.md", Kind::Skill),
        ],
        skill_folders: &[".agents"],
        ..AgentFiles::NONE
    },
    // Roo Code
    AgentFiles {
        hints: &[
            Hint::name(".roorules", OTHER),
            Hint { place: PathSet::NamePrefix(".roorules-"), kind: OTHER },
            Hint::below(".roo/rules/", ".md", OTHER),
            Hint::below(".roo/rules-", ".md", OTHER),
        ],
        skill_folders: &[".roo"],
        words: &["roo"],
        ..AgentFiles::NONE
    },
    // Google Antigravity, as documented: https://discuss.ai.google.dev/t/new-folder-for-rules/126165
    AgentFiles {
        hints: &[
            Hint::below(".agents/rules/", ".md", OTHER),
            Hint::below(".agents/rules/", ".mdc", OTHER),
            Hint::below(".agent/rules/", ".md", OTHER),
        ],
        folders: &[".agent", ".agents"],
        words: &["antigravity"],
        ..AgentFiles::NONE
    },
    // JetBrains Junie
    AgentFiles { hints: &[Hint::end(".junie/guidelines.md", OTHER)], words: &["junie"], ..AgentFiles::NONE },
    // Crush
    AgentFiles { hints: &[Hint::name("CRUSH.md", OTHER)], file_words: &["crush"], ..AgentFiles::NONE },
    // Zed
    AgentFiles { hints: &[Hint::name(".rules", OTHER)], ..AgentFiles::NONE },
    // Factory
    AgentFiles { skill_folders: &[".factory"], file_words: &["factory"], ..AgentFiles::NONE },
    // Aider, Amp, Trae, Warp
    AgentFiles { words: &["aider"], file_words: &["amp", "trae", "warp"], ..AgentFiles::NONE },
];
