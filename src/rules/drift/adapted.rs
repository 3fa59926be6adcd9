//! Whether two alike files are meant to differ: in what each agent has in its own way, its commands and its folders, or because each
//! is about its own folder. Knows single lines and paths.

use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path;
use crate::parse::Document;

/// Whether a line names a command of an agent, such as `/review`, or a hidden folder of one, such as `.claude/skills`.
pub(super) fn names_own(line: &str) -> bool {
    let is_mark = |c: char| matches!(c, '`' | '"' | '\'' | '(' | ')' | '[' | ']' | '*' | ',' | ';' | '.' | '|');
    let is_command = |word: &str| {
        let name = word.trim_matches(is_mark).strip_prefix('/').unwrap_or_default();
        name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
    };
    let has_folder = |word: &str| {
        let mut parts = word.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-' | '_'));
        parts.any(|part| files::is_agent_folder(part.as_bytes()))
    };
    line.split_whitespace().any(|word| is_command(word) || has_folder(word))
}

/// Whether a place is about that. `a` and `b`: how many lines of either copy name such a thing there, and how many it has there. At
/// least half of the lines of the longer side must: a sentence about something else is no adaption.
pub(super) fn is_about_own(a: (usize, usize), b: (usize, usize)) -> bool {
    let is_own = |(own, all): (usize, usize)| own * 2 >= all;
    a.1 >= b.1 && is_own(a) || b.1 >= a.1 && is_own(b)
}

/// Whether two main files have one name, so that the same agents read both, each in its own folder, and one template may have been
/// filled in for both. `.claude/CLAUDE.md` is about the same project as the `CLAUDE.md` beside that folder.
pub(super) fn are_of_two_places(one: &Document, other: &Document) -> bool {
    let name = path::file_name(one.path.as_bytes());
    let is_main = one.kind.role() == Some(Role::Main) || one.kind == Kind::AgentsMd;
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name).to_ascii_lowercase();
    let is_in_own =
        |document: &Document| path::file_name(document.path.parent()).strip_prefix(b".") == Some(stem.as_slice());
    is_main && name == path::file_name(other.path.as_bytes()) && ![one, other].into_iter().any(is_in_own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_folders_of_agents() {
        for line in
            ["Run /review.", "- `/fix:all`, then", "See `.claude/skills/x`", "x \"$HOME\\.cursor\\a\"", "(/plan)"]
        {
            assert!(names_own(line), "{line}");
        }
        for line in ["Edit /etc/hosts", "and/or", "src/a.py", "https://x.y/z", "a / b", "`.venv/bin`", "1/2 of it"] {
            assert!(!names_own(line), "{line}");
        }
    }
}
