//! What hooks read of their input where it is not: an agent gives the arguments of a tool under a key of their own, and not at the top.

use super::effects::Effect;
use super::lost_hook_answer::{asks_who_calls, without_comments};
use crate::agents::runs::{HookContract, RunKind};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::sanitize;
use crate::rules::Cx;

/// Events whose input has a call of a tool.
const EVENTS: [&str; 4] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];
/// Keys of the arguments of tools that the input does not have at its top.
const ARGUMENTS: [&str; 5] = [".command", ".content", ".file_path", ".old_string", ".url"];
/// What stands before a `jq` that reads the input itself.
const READS: [&str; 4] = ["cat |", "cat - |", "cat /dev/stdin |", "$("];

/// A hook that asks the top of its input for what stands elsewhere, in its command or in its only script.
pub(super) fn misread(cx: &Cx<'_>, rule: &'static str, effect: &Effect<'_>) -> Option<Finding> {
    let RunKind::Hook { action, kind, event, .. } = &effect.item.kind else { return None };
    let (agent, contract) = effect.contract()?;
    if kind != "command" || !EVENTS.contains(&event.as_str()) {
        return None;
    }
    let of_script = || {
        let (path, text) = effect.only_script(cx)?;
        let key = of_script(&text, contract)?;
        Some((key, format!("in `{}`", sanitize::path(&path))))
    };
    let in_command =
        argument(action, contract.arguments).map(|key| (key.to_owned(), "at the top of its input".to_owned()));
    let (key, place) = in_command.or_else(of_script)?;
    let right = match key.strip_prefix(".input") {
        Some(rest) => format!(".{}{rest}", contract.arguments),
        None if key == ".tool" => format!(".{}", contract.tool),
        None => format!(".{}{key}", contract.arguments),
    };
    let message = format!("a {event} hook of {} finds no `{key}` {place}, so this is empty", agent.title);
    let finding = effect.finding(rule, Level::Warning, message).agents([agent.id]);
    let cause = Cause {
        key: format!("input {}", effect.path.to_str_lossy()),
        subject: format!("`{key}`"),
        many: "are no keys of the input of these hooks, so they are empty",
        help: None,
    };
    Some(finding.help(format!("read `{right}`")).cause(cause))
}

/// The key that a script asks the top of its input for, and that is not there. One that asks for a key of the contract, too, may be for several
/// agents.
fn of_script(text: &str, contract: &HookContract) -> Option<String> {
    let text = without_comments(text);
    if text.contains(contract.arguments)
        || text.contains(contract.tool)
        || asks_who_calls(&text)
        || text.contains("toolArgs")
    {
        return None;
    }
    let shell = text.match_indices("jq ").find_map(|(at, _)| {
        let before = text[..at].trim_end();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let (key, behind) = asked(&text[at + 3..])?;
        let mut names = inputs(&text);
        let is_piped = |name: &str| {
            [format!("\"${name}\" |"), format!("${name} |"), format!("\"${{{name}}}\" |")]
                .iter()
                .any(|end| line.ends_with(end))
                || behind.starts_with(&format!("<<< \"${name}\""))
                || behind.starts_with(&format!("<<<\"${name}\""))
        };
        names.any(is_piped).then(|| key.to_owned())
    });
    shell.or_else(|| of_python(&text))
}

/// Variables of a shell that hold what a script was given.
fn inputs(text: &str) -> impl Iterator<Item = &str> {
    let reads = ["=$(cat)", "=\"$(cat)\"", "=$(cat ", "=\"$(cat ", "=$(</dev/stdin)", "=\"$(</dev/stdin)\""];
    text.lines().filter_map(move |line| {
        let line = line.trim_start().trim_start_matches("local ").trim_start_matches("export ");
        let at = reads.iter().find_map(|read| line.find(read))?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        // What is read of a file is another thing.
        let rest = line[at..].trim_start_matches(['=', '"']).trim_start_matches("$(cat").trim_start();
        let of_input = rest.is_empty() || rest.starts_with([')', '|', '2']) || rest.starts_with("$(</dev/stdin");
        (at > 0 && of_input && line[..at].chars().all(is_name)).then(|| &line[..at])
    })
}

/// The key that a script in Python asks its input for.
fn of_python(text: &str) -> Option<String> {
    let at_once = text.match_indices("json.load(sys.stdin)").find_map(|(at, call)| {
        let rest = &text[at + call.len()..];
        let key = rest.strip_prefix(".get(").or_else(|| rest.strip_prefix('['))?.trim_start_matches(['\\', '\'', '"']);
        let end = key.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let is_asked = |known: &&str| *known == &key[..end];
        ARGUMENTS.iter().map(|key| &key[1..]).chain(["tool", "input"]).find(is_asked)
    });
    if let Some(key) = at_once {
        return Some(format!(".{key}"));
    }
    let (before, _) =
        text.split_once("= json.load(sys.stdin)").or_else(|| text.split_once("= json.loads(sys.stdin.read())"))?;
    let name = before.trim_end().rsplit(|c: char| c.is_whitespace()).next()?;
    let keys = ARGUMENTS.iter().map(|key| &key[1..]).chain(["tool", "input"]);
    let asks = |key: &&str| {
        let quoted = [format!("'{key}'"), format!("\"{key}\"")];
        quoted.iter().any(|key| text.contains(&format!("{name}.get({key}")) || text.contains(&format!("{name}[{key}]")))
    };
    keys.into_iter().find(asks).map(|key| format!(".{key}"))
}

/// The argument that the first `jq` asks for, where it reads the input itself and asks for nothing else that is there.
fn argument<'a>(action: &'a str, key: &str) -> Option<&'a str> {
    let at = action.find("jq ").filter(|_| !action.contains(key))?;
    let before = action[..at].trim_end();
    let is_first = before.is_empty() || READS.iter().any(|read| before.ends_with(read));
    let is_inner = before.ends_with("$(") && before.contains('|');
    let (first, behind) = asked(&action[at + 3..])?;
    // Behind the program a file may be named.
    let is_of_input = behind.is_empty() || behind.starts_with([')', '|', ';', '&', '2', '`']);
    (is_first && !is_inner && is_of_input && ARGUMENTS.contains(&first)).then_some(first)
}

/// The key that a call of `jq` asks the top of an object for, where each other way is a plain value or such a key, and what stands behind its
/// program.
fn asked(call: &str) -> Option<(&str, &str)> {
    let mut rest = call.trim_start();
    while let Some(option) = rest.strip_prefix('-') {
        let end = option.find(char::is_whitespace)?;
        if !option[..end].bytes().all(|byte| matches!(byte, b'-' | b'a'..=b'z')) {
            return None;
        }
        rest = option[end..].trim_start();
    }
    let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let (program, behind) = rest[1..].split_once(quote)?;
    let is_asked = |way: &str| {
        let of_input = way.strip_prefix(".input").is_some_and(|rest| ARGUMENTS.contains(&rest));
        way == ".tool" || of_input || ARGUMENTS.contains(&way)
    };
    let mut ways = program.split("//").map(str::trim);
    let first = ways.next().filter(|way| is_asked(way))?;
    let is_plain = |way: &str| matches!(way, "empty" | "\"\"" | "''" | "null") || is_asked(way);
    ways.all(is_plain).then(|| (first, behind.trim_start()))
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
    #[test]
    fn scripts_that_ask_for_other_keys_are_told() {
        let contract = &HookContract { arguments: "tool_input", tool: "tool_name", decisions: &[], permissions: &[] };
        let key = |text: &str| of_script(text, contract);
        let shell = "input=\"$(cat || true)\"\ntool=\"$(echo \"$input\" | jq -r '.tool // empty')\"\n";
        assert_eq!(key(shell).as_deref(), Some(".tool"));
        let of_input = "INPUT=$(cat)\nF=$(jq -r '.input.file_path // empty' <<< \"$INPUT\")\n";
        assert_eq!(key(of_input).as_deref(), Some(".input.file_path"));
        let at_once = "COMMAND=$(echo \"$INPUT\" | python3 -c \"import sys,json; print(json.load(sys.stdin).get('input',{}))\")\n";
        assert_eq!(key(at_once).as_deref(), Some(".input"));
        assert_eq!(key(&at_once.replace("'input'", "'session_id'")), None);
        let python = "import json, sys\ndata = json.load(sys.stdin)\ncmd = data.get(\"command\", \"\")\n";
        assert_eq!(key(python).as_deref(), Some(".command"));
        for near_miss in [
            shell.replace(".tool //", ".tool_name // .tool //"),
            shell.replace("$(cat || true)", "$(cat settings.json)"),
            of_input.replace("$INPUT", "$OTHER"),
            of_input.replace(".input.file_path", ".session_id"),
            python.replace("data.get", "settings.get"),
            format!("{python}# of tool_input\nx = data[\"tool_input\"]\n"),
            "data = json.load(open(\"x.json\"))\ndata[\"command\"]\n".to_owned(),
        ] {
            assert_eq!(key(&near_miss), None, "{near_miss}");
        }
    }
}
