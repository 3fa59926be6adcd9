//! Permission rules of Claude Code for shell commands that match less than they seem to: those for a bare command, those with a colon
//! where a blank belongs, and those for several commands at once. Run on 2.1.330: `touch a.txt` ran where `Bash(touch)` or
//! `Bash(touch:a.txt)` was refused, and not where `Bash(touch:*)` was; `a && b x`, `a; b x` and `a || b x` ran where `Bash(a && b:*)` and
//! the like were refused, and were not allowed where those were. With `|` such a rule refuses and does not allow.

use super::permissions::covers_command;
use crate::agents::shared::runs::PermissionList;
use crate::base::sanitize;
use crate::parse::json::JsonNode;

/// Programs that do nothing without arguments.
const WITH_ARGUMENTS: [&str; 26] = [
    "chmod",
    "chown",
    "cp",
    "curl",
    "dd",
    "docker",
    "eval",
    "git",
    "kill",
    "killall",
    "kubectl",
    "mkfs",
    "mount",
    "mv",
    "pkill",
    "rm",
    "rmdir",
    "rsync",
    "scp",
    "shred",
    "ssh",
    "sudo",
    "terraform",
    "truncate",
    "unlink",
    "wget",
];

/// A rule that fits no command, or none that anybody means.
#[derive(Debug, PartialEq)]
pub(super) struct DeadCommand {
    /// What is wrong with it.
    pub(super) why: String,
    /// The rule that was meant, where it does not allow more than what is written.
    pub(super) instead: Option<String>,
    /// Whether nothing is lost but questions that are asked all the same.
    pub(super) is_harmless: bool,
}

/// What stands between commands, and whether a rule with it and a star refuses.
const BETWEEN: [(&str, bool); 4] = [(" && ", false), (" || ", false), ("; ", false), (" | ", true)];
/// Words that begin a command of several parts.
const OF_PARTS: [&str; 6] = ["case", "for", "if", "select", "until", "while"];

/// What is wrong with `rule`, where it has a star and is for several commands at once.
pub(super) fn of_several(rule: &str, list: PermissionList) -> Option<DeadCommand> {
    let commands = rule.strip_prefix("Bash(")?.strip_suffix(')').filter(|commands| commands.contains('*'))?;
    let allows = list == PermissionList::Allow;
    let is_plain = !commands.contains(['"', '\'', '`', '\\', '$', '(', ')', '{', '}', '<', '\n']);
    let is_one = commands.split_whitespace().next().is_some_and(|word| OF_PARTS.contains(&word));
    let is_split = BETWEEN.iter().any(|(between, refuses)| commands.contains(between) && (allows || !refuses));
    (is_plain && !is_one && is_split).then(|| DeadCommand {
        why: format!(
            "the agent asks for each part of a command on its own, so the rule fits no `{}`",
            sanitize::line(commands)
        ),
        instead: None,
        is_harmless: allows,
    })
}

/// Why a rule that refuses a program, or asks before it, is for the bare command alone, where no other rule of the lists `all` is for the
/// others.
pub(super) fn is_bare(rule: &str, list: PermissionList, all: &[&JsonNode]) -> Option<String> {
    let command = rule.strip_prefix("Bash(")?.strip_suffix(')')?;
    let is_one = list != PermissionList::Allow && WITH_ARGUMENTS.contains(&command);
    let with_argument = format!("{command} x");
    let covers = |rule: &&JsonNode| {
        rule.text().is_some_and(|rule| covers_command(rule, &with_argument) || speaks(rule, command))
    };
    (is_one && !all.iter().any(covers)).then(|| {
        format!("the pattern `{command}` is for the bare command alone, and with arguments that is not refused: write `{command}:*`")
    })
}

/// Whether a rule is for some uses of a command: then the bare one may be meant.
fn speaks(rule: &str, command: &str) -> bool {
    let begin = [format!("Bash({command} "), format!("Bash({command}:")];
    begin.iter().any(|begin| rule.starts_with(begin.as_str()))
}

/// Why a rule fits no command, and the rule that was meant, where a colon stands behind the program: `Bash(rm:-rf)`.
pub(super) fn has_a_colon(rule: &str) -> Option<(String, Option<String>)> {
    let command = rule.strip_prefix("Bash(")?.strip_suffix(')')?;
    let (program, rest) = command.split_once(':')?;
    if !WITH_ARGUMENTS.contains(&program) || rest.starts_with('*') || rest.is_empty() {
        return None;
    }
    let plain = rest.trim_end_matches('*').trim_end_matches([':', ' ']).replace(':', " ");
    let meant = format!("Bash({program} {plain}:*)");
    let shown = sanitize::line(command).into_owned();
    Some((format!("no command is `{shown}`, with a colon behind `{program}`"), Some(meant)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json;

    #[test]
    fn a_bare_command_is_told_where_nothing_speaks_of_its_arguments() {
        let told = |rule: &str, list, others: &[&str]| {
            let text = serde_json::to_string(others).unwrap();
            let node = json::parse(&text, json::JsonGrammar::STRICT).unwrap();
            let all: Vec<&JsonNode> = node.items().iter().collect();
            is_bare(rule, list, &all).is_some()
        };
        use PermissionList::{Allow, Ask, Deny};
        assert!(told("Bash(curl)", Deny, &["Bash(curl)", "Bash(wget:*)"]));
        assert!(told("Bash(rm)", Ask, &["Bash(rm)"]));
        assert!(!told("Bash(curl)", Allow, &["Bash(curl)"]));
        for other in ["Bash(curl:*)", "Bash(curl *)", "Bash(curl http://x:*)", "Bash"] {
            assert!(!told("Bash(curl)", Deny, &["Bash(curl)", other]), "{other}");
        }
        assert!(!told("Bash(reboot)", Deny, &[]) && !told("Bash(git push)", Deny, &[]) && !told("Read(rm)", Deny, &[]));
    }

    #[test]
    fn several_commands_at_once_are_told() {
        use PermissionList::{Allow, Ask, Deny};
        let told = |rule: &str, list| of_several(rule, list).map(|dead| dead.is_harmless);
        for rule in ["Bash(cd x && ls:*)", "Bash(make || rm *)", "Bash(echo a; rm:*)", "Bash(a * && b *)"] {
            assert_eq!((told(rule, Deny), told(rule, Ask), told(rule, Allow)), (Some(false), Some(false), Some(true)));
        }
        let piped = "Bash(curl * | bash)";
        assert_eq!((told(piped, Deny), told(piped, Allow)), (None, Some(true)));
        for near_miss in [
            "Bash(cd x && ls)",
            "Bash(echo \"a && b\" *)",
            "Bash(for f in a; do:*)",
            "Bash(find . -exec rm {} \\; *)",
            "Bash(ls:*)",
            "Bash(git log --format=a|b *)",
            "Read(a && b/*)",
        ] {
            assert_eq!(told(near_miss, Deny), None, "{near_miss}");
        }
    }

    #[test]
    fn a_colon_is_no_blank() {
        let meant = |rule: &str| has_a_colon(rule).and_then(|(_, meant)| meant);
        assert_eq!(meant("Bash(rm:-rf)").as_deref(), Some("Bash(rm -rf:*)"));
        assert_eq!(meant("Bash(git:push --force*)").as_deref(), Some("Bash(git push --force:*)"));
        assert_eq!(meant("Bash(git:push:*)").as_deref(), Some("Bash(git push:*)"));
        for rule in [
            "Bash(rm:*)",
            "Bash(npm run test:unit)",
            "Bash(git push:*)",
            "Bash(curl http://x)",
            "Bash(git:)",
            "Read(git:x)",
        ] {
            assert_eq!(meant(rule), None, "{rule}");
        }
    }
}
