//! Permission rules of Claude Code that match nothing, because of the form of what stands between their parentheses.

use super::{ClaudeRuns, SettingsFile, SettingsOwner};
use crate::agents::shared::runs::PermissionList;
use crate::base::sanitize;
use crate::parse::json::JsonNode;

/// Why a file rule matches no file (the agent does not report this), and the intended rule.
pub(super) fn silent_defect(rule: &JsonNode) -> Option<(String, Option<String>)> {
    let (tool, content) = rule.text()?.split_once('(')?;
    let content = content.strip_suffix(')').filter(|_| matches!(tool, "Edit" | "Read" | "Write"))?;
    let quoted = content.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(path) = quoted.filter(|path| !path.is_empty() && !path.contains('"')) {
        let why = "the quotation marks count as parts of the path, so it fits no file".to_owned();
        return Some((why, Some(format!("{tool}({path})"))));
    }
    if let Some(name) = content.strip_prefix("//").filter(|name| is_name_of_file(name)) {
        let why = format!("`//` is the root of the file system, so it fits no file here: write `./{name}`");
        return Some((why, None));
    }
    let path = content.strip_prefix(".\\")?;
    let why = "paths have slashes, so it fits no file".to_owned();
    Some((why, Some(format!("{tool}(./{})", path.replace('\\', "/")))))
}

/// Whether this is a file name, except one that is usual at the root of a file system.
fn is_name_of_file(name: &str) -> bool {
    let has_end = name.rsplit_once('.').is_some_and(|(_, end)| !end.is_empty());
    has_end && !name.contains('/') && name != ".dockerenv"
}

/// Folders at the root of a disk that no project has to itself without tracking them.
const OF_DISKS: [&str; 10] = ["Users", "Volumes", "boot", "etc", "home", "mnt", "proc", "root", "sys", "usr"];

impl ClaudeRuns<'_, '_> {
    /// Why a rule of a project's settings for a path of the whole disk fits nothing, and the rule that was meant: the project has no
    /// folder of the name with which the path begins.
    pub(super) fn counts_from_the_project(&self, file: &SettingsFile, rule: &str) -> Option<(String, String)> {
        let (folder, meant) = of_whole_disk(rule).filter(|_| file.owner != SettingsOwner::User)?;
        let project = file.text.path.dirname().dirname();
        let is_there = self.reader.world.file_type(&project.join(folder)).is_some();
        let shown = sanitize::line(rule).into_owned();
        let why = format!(
            "a path that begins with one slash counts from the project, so no file fits `{shown}`: begin it with `//`"
        );
        (!is_there).then_some((why, meant))
    }
}

/// The folder with which the path of a rule begins, where that is one of a disk's root and stands behind one slash, and the rule
/// with two. Run on 2.1.330: `/etc/hostname` was read where `Read(/etc/**)` was refused, and not where `Read(//etc/**)` was.
fn of_whole_disk(rule: &str) -> Option<(&str, String)> {
    let (tool, content) =
        rule.strip_suffix(')')?.split_once('(').filter(|(tool, _)| matches!(*tool, "Edit" | "Read"))?;
    let (folder, rest) = content.strip_prefix('/')?.split_once('/')?;
    let is_of_disk = OF_DISKS.contains(&folder) && !rest.is_empty();
    is_of_disk.then(|| (folder, format!("{tool}(/{content})")))
}

/// Tools whose rules take a pattern of paths.
const OF_PATHS: [&str; 7] = ["Cd", "Edit", "Glob", "NotebookEdit", "NotebookRead", "Read", "Write"];

/// Why the agent skips a rule for paths: it has the form of one for commands.
pub(super) fn has_a_prefix(tool: &str, content: Option<&str>) -> Option<String> {
    let is_prefix = OF_PATHS.contains(&tool) && content?.contains(":*");
    is_prefix.then(|| format!("`:*` is for commands alone: {tool} rules take a pattern such as `src/**`"))
}

/// A rule that matches nothing, as the agent itself reports.
#[derive(Debug, PartialEq)]
pub(super) struct UnmatchedPermission<'a> {
    list: PermissionList,
    /// The tool and what stands between the parentheses.
    rule: (&'a str, &'a str),
    kind: UnmatchedKind,
}

/// Why the agent matches nothing with a rule.
#[derive(Debug, PartialEq)]
enum UnmatchedKind {
    /// Paths are asked of the rules of this other tool.
    Covered(&'static str),
    /// A `*` before the `:*` is taken as it is written.
    Star,
}

/// What is wrong with `rule`, where it matches nothing.
pub(super) fn unmatched(rule: &str, list: PermissionList) -> Option<UnmatchedPermission<'_>> {
    let (tool, content) = rule.strip_suffix(')')?.split_once('(')?;
    let kind = match tool {
        // With a lone star the rule is one for the whole tool.
        "MultiEdit" | "NotebookEdit" | "Write" if content != "*" => UnmatchedKind::Covered("Edit"),
        "Glob" if content != "*" => UnmatchedKind::Covered("Read"),
        "Bash" if content.strip_suffix(":*").is_some_and(has_star) => UnmatchedKind::Star,
        _ => return None,
    };
    Some(UnmatchedPermission { list, rule: (tool, content), kind })
}

/// Whether a pattern has a star that stands for something: one with no backslash before it.
fn has_star(pattern: &str) -> bool {
    let mut is_escaped = false;
    pattern.bytes().any(|byte| {
        let is_star = byte == b'*' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_star
    })
}

impl UnmatchedPermission<'_> {
    /// Whether something is lost with the rule: no other one of its list says what was meant.
    pub(super) fn matters(&self, rules: &[JsonNode]) -> bool {
        let (tool, content) = self.rule;
        let UnmatchedKind::Covered(covering) = self.kind else { return true };
        // The agent reads below its working directory without a question.
        let is_free = self.list == PermissionList::Allow && covering == "Read";
        let full = format!("{covering}({content})");
        let says = |text: &str| text == full || text == covering || text == tool || text == "*";
        !is_free && !rules.iter().filter_map(JsonNode::text).any(says)
    }

    /// Why the rule matches nothing, and the rule that was meant.
    pub(super) fn why_and_instead(&self) -> (String, Option<String>) {
        let (tool, content) = self.rule;
        match self.kind {
            UnmatchedKind::Covered(covering) => {
                let what = if covering == "Edit" { "writes" } else { "reads" };
                let why =
                    format!("no path is asked of `{tool}`: `{covering}(…)` rules cover every tool that {what} files");
                (why, Some(format!("{covering}({content})")))
            }
            UnmatchedKind::Star => {
                let why = "with `:*` at its end, the `*` before it stands for no other text".to_owned();
                let prefix = content.trim_end_matches(":*").trim_end();
                let star = if has_star(&prefix[prefix.len().saturating_sub(1)..]) { "" } else { "*" };
                // What was meant would allow more than is written, or is two rules.
                let is_one = self.list != PermissionList::Allow && !prefix.contains(":*");
                let instead = is_one.then(|| format!("{tool}({prefix}{star})"));
                (why, instead)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json;

    #[test]
    fn one_slash_is_not_the_root_of_the_disk() {
        let meant = |rule: &str| of_whole_disk(rule).map(|(_, meant)| meant);
        assert_eq!(meant("Read(/etc/**)").as_deref(), Some("Read(//etc/**)"));
        assert_eq!(meant("Edit(/home/me/.ssh/id)").as_deref(), Some("Edit(//home/me/.ssh/id)"));
        for near_miss in [
            "Read(//etc/**)",
            "Read(/src/**)",
            "Read(/etc)",
            "Read(/var/log/**)",
            "Read(etc/**)",
            "Bash(/usr/bin/x)",
            "Read(/tmp/a)",
        ] {
            assert_eq!(meant(near_miss), None, "{near_miss}");
        }
    }

    // As 2.1.330 reports.
    #[test]
    fn rules_that_match_nothing_are_told_with_what_was_meant() {
        use PermissionList::{Allow, Ask, Deny};
        let instead = |rule: &str, list| unmatched(rule, list).map(|unmatched| unmatched.why_and_instead().1);
        let meant = |rule: &str| Some(Some(rule.to_owned()));
        assert_eq!(instead("Write(./a.txt)", Deny), meant("Edit(./a.txt)"));
        assert_eq!(instead("NotebookEdit(x)", Ask), meant("Edit(x)"));
        assert_eq!(instead("MultiEdit(src/**)", Allow), meant("Edit(src/**)"));
        assert_eq!(instead("Write(**)", Deny), meant("Edit(**)"));
        assert_eq!(instead("Glob(z)", Deny), meant("Read(z)"));
        assert_eq!(instead("Bash(git * push:*)", Deny), meant("Bash(git * push*)"));
        assert_eq!(instead("Bash(rm *:*)", Deny), meant("Bash(rm *)"));
        assert_eq!(instead("Bash(git * push:*)", Allow), Some(None));
        assert_eq!(instead("Bash(ls:*, cat:*)", Deny), Some(None));
        for near_miss in [
            "Write",
            "Write(*)",
            "Glob(*)",
            "Edit(./a)",
            "Read(z)",
            "Bash(git push:*)",
            "Bash(a\\*:*)",
            "Bash(git * x)",
        ] {
            assert_eq!(instead(near_miss, Deny), None, "{near_miss}");
        }
        assert!(has_a_prefix("Read", Some("src:*)")).is_some());
        assert!(has_a_prefix("Bash", Some("src:*)")).is_none() && has_a_prefix("Read", Some("src/*)")).is_none());
    }

    #[test]
    fn nothing_is_lost_where_another_rule_says_it() {
        let matters = |rule: &str, list, others: &str| {
            let node = json::parse(others, json::JsonGrammar::STRICT).expect("a list");
            unmatched(rule, list).expect("a rule without effect").matters(node.items())
        };
        let (deny, allow) = (PermissionList::Deny, PermissionList::Allow);
        assert!(matters("Write(a)", deny, r#"["Write(a)", "Edit(b)"]"#));
        assert!(matters("Write(a)", allow, r#"["Write(a)", "Bash(ls)"]"#));
        for others in [r#"["Edit(a)"]"#, r#"["Edit"]"#, r#"["Write"]"#] {
            assert!(!matters("Write(a)", deny, others), "{others}");
        }
        assert!(matters("Glob(a)", deny, "[]") && !matters("Glob(a)", allow, "[]"));
        assert!(matters("Bash(a * b:*)", deny, r#"["Bash"]"#));
    }
}
