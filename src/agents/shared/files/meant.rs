//! Names of main hint files, and those that were meant for them: folders with a number behind the name or in the singular, look-alike characters.

use super::{AgentFiles, PathSet, ends_with, every, is_agent_folder, is_skill_folder, kind_of};
use crate::agents::others;
use crate::base::kind::{Kind, Role};
use crate::base::path;
use crate::base::text::edit_distance;

impl AgentFiles {
    /// Whether the file at `path` looks like its settings but no agent reads it. `has` knows the files: in a bundle of its own the
    /// folder counts.
    pub(crate) fn leaves_unread(&self, path: &[u8], has: impl Fn(&[u8]) -> bool) -> bool {
        let is_in_bundle = |end: &str| {
            let above = path.len() - end.len();
            let folder = &path[..above + end.find('/').unwrap_or_default()];
            self.bundle.as_ref().is_some_and(|bundle| bundle.is_root(folder, &has))
        };
        self.unread_settings.iter().any(|end| ends_with(path, end) && !is_in_bundle(end))
    }
}

/// The folder that agents read in the agent's folder `owner` and for which `name` is meant: it adds a number (`agents-2`), is the
/// singular (`agent`), or says that agents are subagents.
pub(crate) fn misnamed_folder(owner: &[u8], name: &[u8]) -> Option<&'static str> {
    if !is_agent_folder(owner) {
        return None;
    }
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let stem = &name[..name.len() - digits];
    let stem = stem.strip_suffix(b"-").or_else(|| stem.strip_suffix(b"_")).unwrap_or(stem);
    let meant = match digits {
        0 if matches!(name, b"subagents" | b"sub-agents" | b"sub_agents") => b"agents".to_vec(),
        0 => [name, b"s"].concat(),
        1 | 2 => stem.to_vec(),
        _ => return None,
    };
    let folders = every(|files| files.hints).filter_map(|hint| match hint.place {
        PathSet::Below(folder, _) => folder.strip_suffix('/')?.split_once('/'),
        _ => None,
    });
    let own: Vec<&str> = folders.filter(|(agent, _)| agent.as_bytes() == owner).map(|(_, folder)| folder).collect();
    let is_skills = || (meant == b"skills" && is_skill_folder(owner)).then_some("skills");
    let is_read = own.iter().any(|folder| folder.as_bytes() == name);
    let found = own.iter().copied().find(|folder| folder.as_bytes() == meant).or_else(is_skills);
    found.filter(|_| !is_read)
}

/// Characters that look like a hyphen, and those that people write for one.
const HYPHENS: [char; 10] =
    ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}', '\u{fe63}', '\u{ff0d}', '_', ' '];

/// The path of a hint file that `path` looks like: it has another character for a hyphen of the name.
pub(crate) fn looks_like_hint(path: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(path::file_name(path)).ok().filter(|name| name.contains(HYPHENS))?;
    let plain = Some(name.replace(HYPHENS, "-")).filter(|plain| plain.is_ascii())?;
    in_place_of(path, &plain)
}

/// A name with fewer letters before its ending than this is not looked for in a slip.
const MIN_SLIP: usize = 6;

/// The path of a hint file whose name is one slip away from that of `path`: a letter wrong, missing, too many or in its neighbour's
/// place. A number is no slip.
pub(crate) fn is_a_slip_of(path: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(path::file_name(path)).ok()?;
    let stem = name.strip_suffix(".md").filter(|stem| !stem.contains(|c: char| c.is_ascii_digit()))?;
    let names = super::main_names().chain(["copilot-instructions.md"]);
    let mut meant = names.filter(|right| {
        let right = right.trim_end_matches(".md");
        // Every page of a repository is asked: most differ by too many letters.
        right.len() >= MIN_SLIP
            && right.len().abs_diff(stem.chars().count()) <= 1
            && !right.eq_ignore_ascii_case(stem)
            && edit_distance(right, stem) == 1
    });
    in_place_of(path, meant.next()?)
}

/// The path of the hint file `name` in the place of `path`, if that is none itself: a folder of an agent takes files of any name.
fn in_place_of(path: &[u8], name: &str) -> Option<String> {
    let meant = path::join(path::parent(path), name.as_bytes());
    let is_new = kind_of(path).is_none() && kind_of(&meant).is_some();
    is_new.then(|| String::from_utf8_lossy(&meant).into_owned())
}

/// Whether `path` lies right in the folder of the agent whose files are of `kind`, such as `.claude`.
pub(super) fn is_in_own_folder(kind: Kind, path: &[u8]) -> bool {
    let is_own = |own: &&str| own.as_bytes() == path::file_name(path::parent(path));
    kind != Kind::AgentsMd && super::owner(kind).is_some_and(|dialect| dialect.files.folders.iter().any(is_own))
}

/// The names of main hint files that read like documents, in the case that counts.
pub(crate) fn main_names() -> impl Iterator<Item = &'static str> {
    names_of(Role::Main)
}

/// The same of hint files with this role.
pub(crate) fn names_of(role: Role) -> impl Iterator<Item = &'static str> {
    let hints = every(|files| files.hints).filter(move |hint| hint.kind.role() == Some(role));
    hints.filter_map(|hint| match hint.place {
        PathSet::Name(name) | PathSet::NameInAnyCase(name) if name.ends_with(".md") && name != others::AGENT_MD => {
            Some(name)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_behind_the_name_of_a_folder_and_its_singular() {
        for (owner, name, want) in [
            (".claude", "agents-2", Some("agents")),
            (".claude", "agents3", Some("agents")),
            (".claude", "commands_10", Some("commands")),
            (".claude", "skills2", Some("skills")),
            (".claude", "subagents", Some("agents")),
            (".claude", "skill", Some("skills")),
            (".claude", "command", Some("commands")),
            (".github", "instruction", Some("instructions")),
            // Reads both.
            (".opencode", "agent", None),
            (".claude", "agents", None),
            (".claude", "agents-old", None),
            (".claude", "plans2", None),
            (".claude", "agents-2026", None),
            ("src", "agents2", None),
        ] {
            assert_eq!(misnamed_folder(owner.as_bytes(), name.as_bytes()), want, "{owner}/{name}");
        }
    }

    #[test]
    fn a_character_that_looks_like_a_hyphen() {
        let meant = |path: &str| looks_like_hint(path.as_bytes());
        for odd in ["\u{2011}", "_"] {
            let path = format!(".github/copilot{odd}instructions.md");
            assert_eq!(meant(&path).as_deref(), Some(".github/copilot-instructions.md"));
        }
        for other in ["docs/copilot\u{2011}instructions.md", ".github/copilot-instructions.md", "docs/\u{2013}.md"] {
            assert_eq!(meant(other), None, "{other}");
        }
    }

    #[test]
    fn a_slip_in_the_name() {
        for (path, want) in [
            ("CLUADE.md", Some("CLAUDE.md")),
            ("docs/CLAUD.md", Some("docs/CLAUDE.md")),
            ("AGNETS.md", Some("AGENTS.md")),
            (".github/copilot-instruction.md", Some(".github/copilot-instructions.md")),
            // Elsewhere nobody reads it either; numbers, cases and names that agents know are no slips.
            ("docs/copilot-instruction.md", None),
            ("CLAUDE2.md", None),
            ("claude.md", None),
            ("AGENT.md", None),
            ("CLAUDE.md", None),
            (".claude/rules/CLAUD.md", None),
            ("CLAUSES.md", None),
        ] {
            assert_eq!(is_a_slip_of(path.as_bytes()).as_deref(), want, "{path}");
        }
    }
}
