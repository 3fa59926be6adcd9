//! Answers of hooks that no agent obeys: guards that say no in a way that stops nothing, and texts that never reach a model.

use super::effects::Effect;
use super::lost_hook_answer::{asks_who_calls, without_comments};
use crate::agents::runs::{HookContract, RunKind};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::sanitize;
use crate::rules::Cx;

/// Events at which a hook can stop what is about to happen.
const GUARDS: [&str; 4] = ["PreToolUse", "Stop", "SubagentStop", "UserPromptSubmit"];
/// Words of `decision` by which people mean that something is to be stopped, or asked.
const REFUSALS: [&str; 6] = ["ask", "denied", "deny", "refuse", "reject", "stop"];
/// Beginnings of the words by which a script says that it stops something.
const REFUSING: [&str; 8] = ["block", "denied", "deny", "disallow", "forbid", "not allowed", "prohibit", "refus"];
/// Beginnings of the words by which a script says that something is wrong.
const COMPLAINING: [&str; 7] = ["error", "fail", "fix ", "invalid", "must ", "violat", "wrong"];
/// The event after a tool: with status 1 nothing of what a hook prints reaches the model, neither from standard output nor from standard
/// error; with status 2 it does. Run on Claude Code 2.1.330.
const AFTER: &str = "PostToolUse";
/// How a script ends with status 1.
const FAILS: [&str; 4] = ["exit 1", "sys.exit(1)", "process.exit(1)", "SystemExit(1)"];
/// How it ends with the status that stops something.
const STOPS: [&str; 5] = ["exit 2", "exit(2)", "Exit(2)", "exitCode = 2", "return 2"];
/// How scripts write to standard error.
const ERROR: [&str; 4] = [">&2", "> &2", "stderr", "console.error"];
/// Lines above the end of a script in which it says why it ends.
const ABOVE: usize = 4;
/// The key of an answer's part for one event.
const NESTED: &str = "hookSpecificOutput";
/// The key by which that part names its event.
const NAMED: &str = "hookEventName";

/// What is wrong with an answer.
#[derive(Debug, PartialEq)]
enum AnswerSlip {
    /// The line, from 0, at which the script refuses with status 1.
    Status(usize),
    /// The line, from 0, at which the script complains with status 1 after a tool.
    Unheard(usize),
    /// A word that `decision` does not take.
    Decision(String),
    /// A word that `permissionDecision` does not take.
    Permission(String),
    /// The part for the event does not name it.
    Unnamed,
    /// `permissionDecision` stands outside of that part.
    Outside,
}

/// A hook whose answer its agent drops, so that nothing is stopped or told.
pub(super) fn disobeyed(cx: &Cx<'_>, rule: &'static str, effect: &Effect<'_>) -> Option<Finding> {
    let RunKind::Hook { action, kind, event, .. } = &effect.item.kind else { return None };
    let (agent, contract) = effect.contract()?;
    if kind != "command" || asks_who_calls(action) || action.contains("||") {
        return None;
    }
    let script = effect.only_script(cx);
    let text = script.as_ref().map_or(action.as_str(), |(_, text)| text);
    if asks_who_calls(text) || script.is_some() && STOPS.iter().any(|end| action.contains(end)) {
        return None;
    }
    let slip = slip(event, text, contract)?;
    if let AnswerSlip::Status(line) | AnswerSlip::Unheard(line) = slip
        && !is_of_mode(action, text, line)
    {
        return None;
    }
    let hook =
        script.as_ref().map_or_else(|| "this hook".to_owned(), |(path, _)| format!("`{}`", sanitize::path(path)));
    let (message, help) = told(&slip, &hook, &agent.versioned(), event, contract);
    let cause = Cause {
        key: format!("{:?} {}", std::mem::discriminant(&slip), effect.path.to_str_lossy()),
        subject: hook,
        many: "answer in a way that the agent does not obey, so they stop and tell nothing",
        help: None,
    };
    // The user reads it, and it may be meant for nobody else.
    let level = if matches!(slip, AnswerSlip::Unheard(_)) { Level::Info } else { Level::Warning };
    let finding = effect.finding(rule, level, message).agents([agent.id]);
    Some(finding.help(help).cause(cause))
}

/// What is said of a slip in the answer of `hook`, and what helps.
fn told(slip: &AnswerSlip, hook: &str, agent: &str, event: &str, contract: &HookContract) -> (String, String) {
    match slip {
        AnswerSlip::Status(line) => (
            format!("{hook} refuses with status 1 (line {}), which stops nothing in {agent}", line + 1),
            "leave with status 2, and write the reason to standard error".to_owned(),
        ),
        AnswerSlip::Unheard(line) => (
            format!("{hook} complains with status 1 (line {}): of that {agent} tells the model nothing", line + 1),
            "leave with status 2, and write it to standard error".to_owned(),
        ),
        AnswerSlip::Decision(word) => (
            format!("{hook} answers with the `decision` `{}`, which stops nothing in {agent}", sanitize::line(word)),
            match (event, word.as_str()) {
                ("PreToolUse", "ask") => {
                    format!("answer `{NESTED}` with `{NAMED}` and a `permissionDecision` of `ask`")
                }
                _ => "write `block`".to_owned(),
            },
        ),
        AnswerSlip::Permission(word) => (
            format!(
                "{hook} answers with the `permissionDecision` `{}`, which stops nothing in {agent}",
                sanitize::line(word)
            ),
            format!("write one of {}", contract.permissions.join(", ")),
        ),
        AnswerSlip::Unnamed => (
            format!("{agent} drops the answer of {hook}: its `{NESTED}` has no `{NAMED}`"),
            format!("add `\"{NAMED}\": \"{}\"`", sanitize::line(event)),
        ),
        AnswerSlip::Outside => (
            format!("{agent} drops the answer of {hook}: its `permissionDecision` stands outside of `{NESTED}`"),
            format!("put it into `{NESTED}`, with `\"{NAMED}\": \"{}\"`", sanitize::line(event)),
        ),
    }
}

/// What is wrong with what a hook of `event` answers.
fn slip(event: &str, text: &str, contract: &HookContract) -> Option<AnswerSlip> {
    let code = without_comments(text);
    let stops = STOPS.iter().any(|end| code.contains(end));
    let has_nested = code.contains(NESTED);
    // With status 2 the model gets what stands on standard error, whatever form it has.
    let is_heard = stops && ERROR.iter().any(|word| code.contains(word));
    if has_nested && !code.contains(NAMED) && !is_heard && is_written_out(&code) {
        return Some(AnswerSlip::Unnamed);
    }
    if event == "PreToolUse" && !stops {
        let unknown = |word: &&str| !contract.permissions.contains(word);
        if let Some(word) = values(&code, "permissionDecision").find(unknown) {
            return Some(AnswerSlip::Permission(word.to_owned()));
        }
        if !has_nested && values(&code, "permissionDecision").any(|word| matches!(word, "deny" | "ask")) {
            return Some(AnswerSlip::Outside);
        }
    }
    let answers = ["decision", "\"continue\"", "Decision"].iter().any(|key| code.contains(key));
    if event == AFTER && !stops && !has_nested && !answers && !code.contains("additionalContext") {
        return failure(text, complains).map(AnswerSlip::Unheard);
    }
    if !GUARDS.contains(&event) || stops || has_nested || code.contains("permissionDecision") {
        return None;
    }
    let unknown = |word: &&str| REFUSALS.contains(word) && !contract.decisions.contains(word);
    // A script for several events has words for each.
    let is_of_several = values(&code, "decision").any(|word| contract.decisions.contains(&word));
    if let Some(word) = values(&code, "decision").find(unknown)
        && (event == "PreToolUse" || !is_of_several)
    {
        return Some(AnswerSlip::Decision(word.to_owned()));
    }
    (!answers).then(|| failure(text, refuses)).flatten().map(AnswerSlip::Status)
}

/// Lines above a refusal in which a script for several hooks says for which of them it is.
const OF_MODE: usize = 40;

/// Whether the refusal at `line` belongs to what the command asks of the script by a word behind it: `hooks.js pre-bash`.
fn is_of_mode(action: &str, text: &str, line: usize) -> bool {
    let mut words = action.trim_end_matches(['"', '\'']).rsplit(char::is_whitespace);
    let Some(mode) = words.next().filter(|_| words.next().is_some()) else { return true };
    let is_word = mode.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    !is_word || text.lines().take(line + 1).skip(line.saturating_sub(OF_MODE)).any(|line| line.contains(mode))
}

/// Whether a line, in small letters, says that something is stopped.
fn refuses(line: &str) -> bool {
    REFUSING.iter().any(|word| line.contains(word)) && !line.contains("block_") && !line.contains("codeblock")
}

/// Whether a line, in small letters, says that something is wrong. What the hook itself lacks is told to people.
fn complains(line: &str) -> bool {
    let is_of_hook = || ["install", "not found", "usage:", "required"].iter().any(|word| line.contains(word));
    COMPLAINING.iter().any(|word| line.contains(word)) && !is_of_hook()
}

/// The line, from 0, at which a script ends with status 1 because of what a line `says` that it prints, in small letters.
fn failure(text: &str, says: fn(&str) -> bool) -> Option<usize> {
    let lines: Vec<&str> = text.lines().collect();
    // A status that is kept in a variable, or one of a function, may become another.
    if text.contains("exit $") || text.contains("exit \"$") || text.contains("trap ") {
        return None;
    }
    let is_end = |line: &str| {
        let code = line.trim_start();
        let at = FAILS.iter().find_map(|end| Some(code.find(end)? + end.len()));
        !code.starts_with(['#', '/']) && at.is_some_and(|at| !code[at..].starts_with(|c: char| c.is_ascii_digit()))
    };
    let says_so = |at: usize| {
        let above = &lines[at.saturating_sub(ABOVE)..=at];
        let told = |line: &&&str| {
            let code = line.trim_start();
            ["echo", "printf", "print", "console.", "cat ", "sys.stderr"].iter().any(|print| code.contains(print))
                || code.contains("exit 1") && code.contains('#')
        };
        above.iter().filter(told).any(|line| says(&line.to_lowercase()))
    };
    (0..lines.len()).find(|at| is_end(lines[*at]) && says_so(*at))
}

/// Bytes of an answer's part for one event that are looked at, at most.
const MAX_PART: usize = 400;

/// Whether the part for one event stands in `text` key by key: what is put together elsewhere may name its event there.
fn is_written_out(text: &str) -> bool {
    text.match_indices(NESTED).any(|(at, _)| {
        let part = behind(&text[at + NESTED.len()..]).unwrap_or_default();
        let part = &part[..part.floor_char_boundary(MAX_PART)];
        part.starts_with('{') && !part.contains("...") && !part.contains("**")
    })
}

/// What follows a key and its colon.
fn behind(rest: &str) -> Option<&str> {
    rest.trim_start_matches(['"', '\'', '\\']).trim_start().strip_prefix(':').map(str::trim_start)
}

/// The words that `key` has as its value in `text`, as written in any language that prints JSON.
fn values<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(key).filter_map(move |(at, _)| {
        let is_whole = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        let value = behind(&text[at + key.len()..]).filter(|_| is_whole)?;
        let word = value.trim_start_matches('\\').strip_prefix(['"', '\''])?;
        let end = word.find(|c: char| !c.is_ascii_alphabetic())?;
        (end > 0 && word[end..].starts_with(['"', '\'', '\\'])).then(|| &word[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(event: &str, text: &str) -> Option<AnswerSlip> {
        let (decisions, permissions) = (&["approve", "block"], &["allow", "ask", "defer", "deny"]);
        slip(event, text, &HookContract { arguments: "tool_input", tool: "tool_name", decisions, permissions })
    }

    #[test]
    fn answers_that_stop_nothing_are_told() {
        let check = |event: &str, text: &str, expected: AnswerSlip| {
            assert_eq!(told(event, text), Some(expected), "{text}");
        };
        check("PreToolUse", "if bad; then\n  echo 'BLOCKED: no force' >&2\n  exit 1\nfi\n", AnswerSlip::Status(2));
        check("PostToolUse", "if bad; then\n  echo 'ERROR: no type'\n  exit 1\nfi\n", AnswerSlip::Unheard(2));
        check("PreToolUse", "echo 'BLOCKED: npm install'\nexit 1\n", AnswerSlip::Status(1));
        check("Stop", "if [ -e x ]; then exit 0; fi\nexit 1  # Block exit\n", AnswerSlip::Status(1));
        check("PreToolUse", "print('Denied: secrets', file=sys.stderr)\nsys.exit(1)\n", AnswerSlip::Status(1));
        check("PreToolUse", "echo \"{\\\"decision\\\": \\\"ask\\\"}\"", AnswerSlip::Decision("ask".to_owned()));
        check("UserPromptSubmit", "print(json.dumps({'decision': 'deny'}))", AnswerSlip::Decision("deny".to_owned()));
        let unnamed = "printf '{\"hookSpecificOutput\":{\"additionalContext\":\"%s\"}}' x";
        check("SessionStart", unnamed, AnswerSlip::Unnamed);
        check("PreToolUse", "jq -n '{permissionDecision: \"deny\"}'", AnswerSlip::Outside);
        let other = "{\"hookSpecificOutput\": {\"hookEventName\": \"PreToolUse\", \"permissionDecision\": \"block\"}}";
        check("PreToolUse", other, AnswerSlip::Permission("block".to_owned()));
    }

    #[test]
    fn a_script_for_several_hooks_refuses_for_its_own_alone() {
        let text = "switch (mode) {\n  case 'pre-bash':\n    console.error('[BLOCKED]');\n    process.exit(1);\n}\n";
        assert!(is_of_mode("node hooks.js pre-bash", text, 3) && is_of_mode("sh -c 'node hooks.js pre-bash'", text, 3));
        assert!(!is_of_mode("node hooks.js route", text, 3));
        assert!(is_of_mode("bash .claude/hooks/x.sh", text, 3) && is_of_mode("./x.sh", text, 3));
        let two = "{decision: 'block'} {decision: 'deny'}";
        assert_eq!(told("Stop", two), None);
        assert_eq!(told("PreToolUse", two), Some(AnswerSlip::Decision("deny".to_owned())));
    }

    #[test]
    fn answers_that_count_or_are_none_are_left_alone() {
        for (event, text) in [
            ("PreToolUse", "echo BLOCKED >&2; exit 2"),
            ("PreToolUse", "echo '{\"decision\": \"block\"}'; exit 1"),
            ("PreToolUse", "command -v jq || { echo 'jq is not installed'; exit 1; }"),
            ("PreToolUse", "# Blocks pushes.\nmake check || exit 1\n"),
            ("PreToolUse", "echo blocked\nCODE=2\nexit $CODE\nexit 1\n"),
            ("PostToolUse", "echo BLOCKED >&2\nexit 1"),
            ("PostToolUse", "echo 'error: jq not found'\nexit 1"),
            ("PostToolUse", "echo 'error: no type' >&2\nexit 2"),
            ("Notification", "echo 'error: no type'\nexit 1"),
            ("PreToolUse", "log '{\"decision\": \"deny\"}' >> log; exit 2"),
            ("PreToolUse", "echo '{\"decision\": \"approve\"}'"),
            ("Stop", "echo '{\"decision\": \"allow\"}'"),
            ("PreToolUse", "jq .hookSpecificOutput x.json"),
            ("SessionStart", "print({'hookSpecificOutput': {**named, 'additionalContext': x}})"),
            ("SessionStart", "emit({hookSpecificOutput: answer})"),
            ("PreToolUse", "print('Denied')\nsys.exit(1)\nraise SystemExit(2)\n"),
            ("PreToolUse", "# hookSpecificOutput: {}\necho x"),
            (
                "PreToolUse",
                "{\"hookSpecificOutput\": {\"hookEventName\": \"PreToolUse\", \"permissionDecision\": \"deny\"}}",
            ),
            (
                "PermissionRequest",
                "{\"hookSpecificOutput\": {\"hookEventName\": \"x\", \"decision\": {\"behavior\": \"allow\"}}}",
            ),
            ("PreToolUse", "lastdecision: \"deny\""),
            ("PreToolUse", "echo blocked\n\n\n\n\n\nexit 1\n"),
            ("PreToolUse", "echo blocked\nexit 127\n"),
        ] {
            assert_eq!(told(event, text), None, "{text}");
        }
    }
}
