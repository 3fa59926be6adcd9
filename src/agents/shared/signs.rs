//! Which agents are enabled for a repository, and why. Decided by tracked names alone (`agents = "auto"`) or by the config.

use crate::base::path;
use crate::source::{EntryKind, Listing};

/// One enabled agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enabled {
    /// The agent's name.
    pub agent: &'static str,
    /// Why it is enabled: the path that shows it, or the config.
    pub why: String,
}

/// What shows that an agent is used: a file name anywhere, or a path from some directory on (ending in `/` for a folder).
const SIGNS: &[(&str, &str)] = &[
    ("CLAUDE.md", "claude"),
    ("CLAUDE.local.md", "claude"),
    (".claude/", "claude"),
    ("GEMINI.md", "gemini"),
    (".gemini/", "gemini"),
    ("AGENTS.override.md", "codex"),
    (".codex/", "codex"),
    (".goosehints", "goose"),
    ("opencode.json", "opencode"),
    ("opencode.jsonc", "opencode"),
    (".opencode/", "opencode"),
    ("QWEN.md", "qwen"),
    (".qwen/", "qwen"),
    (".github/copilot-instructions.md", "copilot"),
    (".github/instructions/", "copilot"),
    (".dexhints", "dex"),
    ("DEX.md", "dex"),
    (".cursor/", "cursor"),
    (".cursorrules", "cursor"),
    (".windsurf/rules/", "windsurf"),
    (".windsurfrules", "windsurf"),
    (".clinerules/", "cline"),
    (".clinerules", "cline"),
    (".kiro/steering/", "kiro"),
];

/// Agents whose files, beside an AGENTS.md, do not speak against codex: their dialects are known from documentation only.
const UNCOUNTED: &[&str] = &["windsurf", "cline", "kiro"];

/// The agents that the listed files show, sorted by name. `AGENTS.md` enables codex where no file of its own, rather than a link,
/// enables anybody else.
pub fn detect(listing: &Listing) -> Vec<Enabled> {
    let mut enabled: Vec<Enabled> = Vec::new();
    let mut agents_md = None;
    // Whether some file other than AGENTS.md speaks for an agent of its own.
    let mut others = false;
    for entry in listing.marked() {
        if path::file_name(entry.path) == b"AGENTS.md" && agents_md.is_none() {
            agents_md = Some(entry.path);
        }
        // All folders among the signs are hidden ones.
        let is_hidden = memchr::memchr_iter(b'.', entry.path).any(|at| at == 0 || entry.path[at - 1] == b'/');
        for (sign, agent) in SIGNS {
            if sign.ends_with('/') && !is_hidden || !shows(entry.path, sign.as_bytes()) {
                continue;
            }
            // A link is no file of its own (`CLAUDE.md -> AGENTS.md`), and agents that the design does not count do not matter.
            others |= entry.kind != EntryKind::Symlink && !UNCOUNTED.contains(agent);
            if !enabled.iter().any(|known| known.agent == *agent) {
                enabled.push(Enabled { agent, why: String::from_utf8_lossy(entry.path).into_owned() });
            }
        }
    }
    let has_codex = enabled.iter().any(|enabled| enabled.agent == "codex");
    if let (false, false, Some(path)) = (others, has_codex, agents_md) {
        enabled.push(Enabled { agent: "codex", why: String::from_utf8_lossy(path).into_owned() });
    }
    enabled.sort_by_key(|enabled| enabled.agent);
    enabled
}

/// Whether `path` is `sign`, ends in `/sign`, or, for a sign that ends in `/`, has it as a folder.
fn shows(path: &[u8], sign: &[u8]) -> bool {
    if sign.ends_with(b"/") {
        return path.starts_with(sign)
            || memchr::memmem::find_iter(path, sign).any(|at| at > 0 && path[at - 1] == b'/');
    }
    path.ends_with(sign) && (path.len() == sign.len() || path[path.len() - sign.len() - 1] == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::ListingBuilder;

    #[test]
    fn folders_among_the_signs_are_hidden() {
        assert!(SIGNS.iter().filter(|(sign, _)| sign.ends_with('/')).all(|(sign, _)| sign.starts_with('.')));
    }

    fn agents(paths: &[&str]) -> Vec<&'static str> {
        detect(&Listing::of_files(paths)).into_iter().map(|enabled| enabled.agent).collect()
    }

    #[test]
    fn signs_enable_their_agents() {
        assert_eq!(agents(&["AGENTS.md"]), ["codex"]);
        assert_eq!(agents(&["AGENTS.md", "CLAUDE.md"]), ["claude"]);
        assert_eq!(agents(&["AGENTS.md", ".windsurfrules"]), ["codex", "windsurf"]);
        assert_eq!(agents(&["a/.cursor/rules/x.mdc", "x/opencode.json"]), ["cursor", "opencode"]);
        assert_eq!(agents(&["src/XCLAUDE.md", "x.claude/y", "README.md"]), [""; 0]);
    }

    #[test]
    fn every_sign_is_looked_at() {
        for (sign, agent) in SIGNS {
            let path = if sign.ends_with('/') { format!("a/{sign}b") } else { format!("a/{sign}") };
            assert!(agents(&[&path]).contains(agent), "{path}");
        }
    }

    #[test]
    fn a_link_to_agents_md_does_not_speak_against_codex() {
        let mut listing = ListingBuilder::default();
        listing.push(b"AGENTS.md", EntryKind::File);
        listing.push(b"CLAUDE.md", EntryKind::Symlink);
        let enabled: Vec<_> = detect(&listing.finish()).into_iter().map(|enabled| enabled.agent).collect();
        assert_eq!(enabled, ["claude", "codex"]);
    }
}
