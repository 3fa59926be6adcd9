//! What `permissions.deny` of Claude Code's settings withholds from its context: `Read` rules with gitignore patterns (observed
//! on 2.1.330, checked 2026-11). Start, imports, rules and touched files all ask here.

use super::rules::PathPatterns;
use super::settings::ClaudeLayer;
use crate::agents::shared::runs::file_rules::FileRule;
use crate::world::{AbsPath, World};
use serde_json::Value;

/// Rules beyond this number are not read, against hostile input.
const MAX_RULES: usize = 10_000;

/// The `Read` rules of all settings files.
#[derive(Default)]
pub(super) struct Denied {
    /// Whether one of them denies every file.
    all: bool,
    /// Patterns of one settings file that are relative to one directory. A `!` takes back what others of the same list say.
    lists: Vec<(AbsPath, PathPatterns)>,
}

impl Denied {
    /// The rules of `files`. Patterns are relative to `start`, with `//` to the file system's root, with `~/` to `home`.
    pub(super) fn read(files: &[ClaudeLayer], start: &AbsPath, home: Option<&AbsPath>) -> Denied {
        let mut denied = Denied::default();
        for ClaudeLayer { value, base: own } in files {
            let Some(rules) = value["permissions"]["deny"].as_array() else { continue };
            let mut lists: Vec<(AbsPath, Vec<String>)> = Vec::new();
            for rule in rules.iter().take(MAX_RULES).filter_map(Value::as_str) {
                let Some(pattern) = read_pattern(rule) else { continue };
                if pattern == "*" {
                    denied.all = true;
                    continue;
                }
                let Some((base, pattern)) = relative(pattern, start, own.as_ref(), home) else { continue };
                match lists.iter_mut().find(|(known, _)| *known == base) {
                    Some((_, patterns)) => patterns.push(pattern),
                    None => lists.push((base, vec![pattern])),
                }
            }
            denied.lists.extend(lists.into_iter().map(|(base, patterns)| (base, PathPatterns::new(&patterns))));
        }
        denied
    }

    /// Whether the file at `path` is withheld, under this name or with its links resolved. The user's own files never are, nor
    /// what they import.
    pub(super) fn withholds(&self, world: &dyn World, path: &AbsPath, is_users: bool) -> bool {
        if is_users || self.all || self.lists.is_empty() {
            return !is_users && self.all;
        }
        let real = world.real_path(path).unwrap_or_else(|_| path.clone());
        self.lists.iter().any(|(base, list)| matches(path, base, list) || matches(&real, base, list))
    }
}

/// Whether `list`, whose patterns are relative to `base`, covers `path` or a directory above it. What stands in a covered
/// directory cannot be taken back.
fn matches(path: &AbsPath, base: &AbsPath, list: &PathPatterns) -> bool {
    path.is_within(base) && path != base && list.cover(&String::from_utf8_lossy(&path.relative_to(base)))
}

/// The pattern of a rule that denies reading; `*` for one that denies it everywhere.
fn read_pattern(rule: &str) -> Option<&str> {
    if matches!(rule, "Read" | "*") {
        return Some("*");
    }
    rule.strip_prefix("Read(")?.strip_suffix(')').filter(|pattern| !pattern.is_empty())
}

/// The directory that a pattern is relative to, and the pattern from there without a `/**` at its end, which adds nothing.
fn relative(
    pattern: &str,
    start: &AbsPath,
    own: Option<&AbsPath>,
    home: Option<&AbsPath>,
) -> Option<(AbsPath, String)> {
    let (base, pattern) = if let Some(rest) = pattern.strip_prefix("//") {
        (AbsPath::new("/"), format!("/{}", rest.trim_start_matches('/')))
    } else if pattern.starts_with("~/") {
        (home?.clone(), pattern[1..].to_owned())
    } else if pattern.starts_with('/') {
        (own?.clone(), pattern.to_owned())
    } else {
        (start.clone(), pattern.strip_prefix("./").unwrap_or(pattern).to_owned())
    };
    let pattern = pattern.strip_suffix("/**").filter(|rest| !rest.is_empty()).map(str::to_owned).unwrap_or(pattern);
    // Braces mean themselves.
    Some((base, pattern.replace('{', "\\{").replace('}', "\\}")))
}

/// The tools whose rules hold paths.
const FILE_TOOLS: [&str; 3] = ["Edit", "Read", "Write"];

/// The path in the start directory that a rule names without wildcards, by the patterns above.
pub(super) fn file_rule(rule: &str) -> Option<FileRule> {
    let (tool, content) = rule.strip_suffix(')')?.split_once('(')?;
    let is_elsewhere = content.starts_with("//") || content.starts_with('~') || content.contains("..");
    if !FILE_TOOLS.contains(&tool) || is_elsewhere {
        return None;
    }
    let path = content.strip_suffix("/**").unwrap_or(content);
    let path = path.strip_suffix('/').unwrap_or(path);
    let plain = path.strip_prefix("./").unwrap_or(path);
    let (plain, is_rooted) = plain.strip_prefix('/').map_or((plain, false), |rest| (rest, true));
    let is_plain = !plain.is_empty() && !plain.contains(['*', '?', '[', ']', '{', '}', '!', '$', '\\', ':', '"', '<']);
    is_plain.then(|| FileRule { path: plain.to_owned(), is_anchored: is_rooted || plain.contains('/') })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{MemoryFiles, RepoWorld};

    // As observed on 2.1.330, with the start directory /w/r and the home /w/home.
    #[test]
    fn rules_withhold_as_observed() {
        let world = RepoWorld::new(MemoryFiles::new());
        let (start, home) = (AbsPath::new("/w/r"), AbsPath::new("/w/home"));
        let check = |rules: &[&str], path: &str, expected: bool| {
            let value = serde_json::json!({"permissions": {"deny": rules}});
            let denied = Denied::read(&[ClaudeLayer { value, base: Some(start.clone()) }], &start, Some(&home));
            assert_eq!(denied.withholds(&world, &AbsPath::new(path), false), expected, "{rules:?} on {path}");
        };
        for (rule, path, expected) in [
            ("Read(n.md)", "/w/r/x/n.md", true),
            ("Read(./n.md)", "/w/r/x/n.md", true),
            ("Read(/n.md)", "/w/r/x/n.md", false),
            ("Read(/n.md)", "/w/r/n.md", true),
            ("Read(N.md)", "/w/r/n.md", true),
            ("Read(docs)", "/w/r/docs/e/f.md", true),
            ("Read(./docs/)", "/w/r/docs/d.md", true),
            ("Read(docs/**)", "/w/r/docs/d.md", true),
            ("Read(e/f.md)", "/w/r/docs/e/f.md", false),
            ("Read(//w/r/docs/**)", "/w/r/docs/d.md", true),
            ("Read(//w/out/o.md)", "/w/out/o.md", true),
            ("Read(//**/o.md)", "/w/out/o.md", true),
            ("Read(~/u.md)", "/w/home/u.md", true),
            ("Read(../out/o.md)", "/w/out/o.md", false),
            ("Read(**/o.md)", "/w/out/o.md", false),
            ("Read(**)", "/w/r/n.md", true),
            ("Read(**)", "/w/n.md", false),
            ("Read(*.md)", "/w/r/d/n.md", true),
            ("Read({n,d}.md)", "/w/r/n.md", false),
            ("Read([n].md)", "/w/r/n.md", true),
            ("Read(?.md)", "/w/r/n.md", true),
            ("Read(n.md )", "/w/r/n.md", true),
            ("Read", "/w/n.md", true),
            ("Read(*)", "/w/n.md", true),
            ("*", "/w/n.md", true),
            ("Read()", "/w/r/n.md", false),
            ("Edit(n.md)", "/w/r/n.md", false),
            (" Read(n.md)", "/w/r/n.md", false),
            ("Read(!n.md)", "/w/r/n.md", false),
        ] {
            check(&[rule], path, expected);
        }
        check(&["Read(n.md)", "Read(!n.md)"], "/w/r/n.md", false);
        check(&["Read(!n.md)", "Read(*.md)"], "/w/r/n.md", true);
        check(&["Read(docs/**)", "Read(!docs/d.md)"], "/w/r/docs/d.md", true);
    }

    #[test]
    fn paths_of_rules() {
        let check = |rule: &str, expected: Option<(&str, bool)>| {
            let found = file_rule(rule);
            assert_eq!(found.as_ref().map(|rule| (rule.path.as_str(), rule.is_anchored)), expected, "{rule}");
        };
        check("Read(./a.md)", Some(("a.md", false)));
        check("Edit(/a.md)", Some(("a.md", true)));
        check("Write(docs/a.md)", Some(("docs/a.md", true)));
        check("Edit(src/generated/**)", Some(("src/generated", true)));
        for silent in
            ["Read(*.md)", "Read(//a.md)", "Read(~/a)", "Read(../a)", "Bash(a)", "Read", "Read(**)", "Edit(/)"]
        {
            check(silent, None);
        }
    }

    #[test]
    fn no_rule_withholds_the_files_of_the_user() {
        let world = RepoWorld::new(MemoryFiles::new());
        let (start, home) = (AbsPath::new("/w/r"), AbsPath::new("/w/home"));
        for rule in ["Read(~/u.md)", "Read", "Read(*)"] {
            let value = serde_json::json!({"permissions": {"deny": [rule]}});
            let denied = Denied::read(&[ClaudeLayer { value, base: None }], &start, Some(&home));
            assert!(!denied.withholds(&world, &home.join("u.md"), true), "{rule}");
        }
    }
}
