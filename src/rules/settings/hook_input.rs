//! What hooks read of their input where it is not: an agent gives the arguments of a tool under a key of their own, and not at the top.

use super::effects::Effect;
use crate::agents::runs::RunKind;
use crate::base::finding::{Finding, Level};

/// Events whose input has a call of a tool.
const EVENTS: [&str; 4] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];
/// Keys of the arguments of tools that the input does not have at its top.
const ARGUMENTS: [&str; 5] = [".command", ".content", ".file_path", ".old_string", ".url"];
/// What stands before a `jq` that reads the input itself.
const READS: [&str; 4] = ["cat |", "cat - |", "cat /dev/stdin |", "$("];

/// A hook whose `jq` asks the top of the input for an argument of the tool.
pub(super) fn misread(rule: &'static str, effect: &Effect<'_>) -> Option<Finding> {
    let RunKind::Hook { action, kind, event, .. } = &effect.item.kind else { return None };
    let (agent, key) = effect.agents.iter().find_map(|(agent, _)| Some((agent, agent.tool_input?)))?;
    if kind != "command" || !EVENTS.contains(&event.as_str()) {
        return None;
    }
    let argument = argument(action, key)?;
    let title = agent.title;
    let message = format!("a {event} hook of {title} finds no `{argument}` at the top of its input, so this is empty");
    let finding = effect.finding(rule, Level::Warning, message).agents([agent.id]);
    Some(finding.help(format!("read `.{key}{argument}`")))
}

/// The argument that the first `jq` asks for, where it reads the input itself and asks for nothing else that is there.
fn argument<'a>(action: &'a str, key: &str) -> Option<&'a str> {
    let at = action.find("jq ").filter(|_| !action.contains(key))?;
    let before = action[..at].trim_end();
    let is_first = before.is_empty() || READS.iter().any(|read| before.ends_with(read));
    let is_inner = before.ends_with("$(") && before.contains('|');
    let mut rest = action[at + 3..].trim_start();
    while let Some(option) = rest.strip_prefix('-') {
        let end = option.find(char::is_whitespace)?;
        if !option[..end].bytes().all(|byte| matches!(byte, b'-' | b'a'..=b'z')) {
            return None;
        }
        rest = option[end..].trim_start();
    }
    let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let (program, behind) = rest[1..].split_once(quote)?;
    // Behind the program a file may be named.
    let is_of_input = behind.trim_start().is_empty() || behind.trim_start().starts_with([')', '|', ';', '&', '2', '`']);
    let mut ways = program.split("//").map(str::trim);
    let first = ways.next()?;
    let is_plain = |way: &str| matches!(way, "empty" | "\"\"" | "''" | "null") || ARGUMENTS.contains(&way);
    (is_first && !is_inner && is_of_input && ARGUMENTS.contains(&first) && ways.all(is_plain)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_at_the_top_of_the_input_are_told() {
        for action in [
            "FILE=$(jq -r '.file_path // empty'); npx prettier --write \"$FILE\"",
            "jq -r '.file_path' | xargs npx prettier",
            "cat | jq -r '.command // \"\"' 2>/dev/null | grep rm",
        ] {
            assert!(argument(action, "tool_input").is_some(), "{action}");
        }
        for near_miss in [
            "jq -r '.tool_input.file_path'",
            "jq -r '.tool_input // .' | jq -r .file_path",
            "jq -r '.file_path // .tool_input.file_path'",
            "jq -r '.file_path // .path' ",
            "echo \"$X\" | jq -r '.file_path'",
            "X=$(echo \"$Y\" | jq -r '.file_path')",
            "jq -r '.file_path' settings.json",
            "jq -r --arg x y '.file_path'",
            "jq '.tool_name'",
            "node a.js",
        ] {
            assert_eq!(argument(near_miss, "tool_input"), None, "{near_miss}");
        }
    }
}
