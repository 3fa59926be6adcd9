//! Whether two copies differ in what each agent has in its own way: its commands and its folders. Knows single lines.

use crate::agents::files;

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
