//! Which agents are enabled for a repository, and why. Decided by tracked names alone (`agents = "auto"`) or by the config.

use super::files;
use crate::agents::{ALL, Dialect};
use crate::base::path;
use crate::source::{EntryKind, Listing};
use std::sync::LazyLock;

/// One enabled agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Enabled {
    /// The agent's name.
    pub agent: &'static str,
    /// Why it is enabled: the path that shows it, or the config.
    pub why: String,
}

/// The agents that the listed files show, sorted by name. The agent to which AGENTS.md belongs is also enabled by that file, where
/// no file of its own, rather than a link, shows another agent that may be meant by it.
pub(crate) fn detect(listing: &Listing) -> Vec<Enabled> {
    let mut enabled: Vec<Enabled> = Vec::new();
    let mut agents_md = None;
    let mut is_claimed = false;
    for entry in listing.marked() {
        if path::file_name(entry.path) == b"AGENTS.md" && agents_md.is_none() {
            agents_md = Some(entry.path);
        }
        // All folders among the signs are hidden ones.
        let is_hidden = memchr::memchr_iter(b'.', entry.path).any(|at| at == 0 || entry.path[at - 1] == b'/');
        for &(sign, dialect, shows_hints) in SIGNS.iter() {
            if sign.ends_with('/') && !is_hidden || !shows(entry.path, sign) {
                continue;
            }
            // A link is no file of its own (`CLAUDE.md -> AGENTS.md`).
            is_claimed |= shows_hints && entry.kind != EntryKind::Symlink && dialect.files.claims_agents_md;
            if !enabled.iter().any(|known| known.agent == dialect.id) {
                enabled.push(Enabled { agent: dialect.id, why: String::from_utf8_lossy(entry.path).into_owned() });
            }
        }
    }
    let owner = ALL.iter().find(|dialect| dialect.files.owns_agents_md);
    if let (false, Some(owner), Some(path)) = (is_claimed, owner, agents_md)
        && !enabled.iter().any(|enabled| enabled.agent == owner.id)
    {
        enabled.push(Enabled { agent: owner.id, why: String::from_utf8_lossy(path).into_owned() });
    }
    enabled.sort_by_key(|enabled| enabled.agent);
    enabled
}

/// All signs, each with its agent and whether it shows that hint files are meant for it.
static SIGNS: LazyLock<Vec<(&str, &Dialect, bool)>> = LazyLock::new(|| {
    let signs = |dialect: &&'static Dialect| {
        let (dialect, files) = (*dialect, dialect.files);
        let hints = files.signs.iter().map(move |sign| (*sign, dialect, true));
        hints.chain(files.run_signs.iter().map(move |sign| (*sign, dialect, false)))
    };
    ALL.iter().flat_map(signs).collect()
});

/// Whether `path` is `sign`, ends in `/sign`, or, for a sign that ends in `/`, has it as a folder.
fn shows(path: &[u8], sign: &str) -> bool {
    if sign.ends_with('/') { files::has_folder(path, sign) } else { files::ends_with(path, sign) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::ListingBuilder;

    #[test]
    fn folders_among_the_signs_are_hidden() {
        assert!(SIGNS.iter().filter(|(sign, ..)| sign.ends_with('/')).all(|(sign, ..)| sign.starts_with('.')));
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
    fn what_runs_shows_its_agent_and_claims_no_agents_md() {
        assert_eq!(agents(&[".claude-plugin/plugin.json", "hooks/hooks.json"]), ["claude"]);
        assert_eq!(agents(&[".github/hooks/check.json"]), ["copilot"]);
        assert_eq!(agents(&[".mcp.json", "AGENTS.md"]), ["claude", "codex"]);
        assert_eq!(agents(&["hooks/hooks.json", "mcp.json", ".github/workflows/x.yml"]), [""; 0]);
    }

    #[test]
    fn the_page_about_runs_names_what_enables_by_running_alone() {
        let page = include_str!("../../../docs/runs.md");
        for dialect in ALL.iter().filter(|dialect| !dialect.files.run_signs.is_empty()) {
            let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", dialect.id))).unwrap_or_default();
            for sign in dialect.files.signs.iter().chain(dialect.files.run_signs) {
                assert!(row.contains(&format!("`{sign}`")), "{}: {sign}", dialect.id);
            }
        }
    }

    #[test]
    fn every_sign_is_looked_at() {
        for (sign, dialect, _) in SIGNS.iter() {
            let path = if sign.ends_with('/') { format!("a/{sign}b") } else { format!("a/{sign}") };
            assert!(agents(&[&path]).contains(&dialect.id), "{path}");
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
