//! `lost-hook-answer`: an agent runs a hook and ignores its answer.

use super::effects::{Effect, effects};
use super::hook_answers::disobeyed;
use crate::agents::runs::{Moment, RunItem, RunKind};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::parse::shell::{self, ShellWord};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "lost-hook-answer",
    group: Group::Settings,
    levels: &[Level::Warning, Level::Info],
    summary: "an agent runs a hook and ignores its answer",
    explanation: "\
## What it does
Reports hooks at the start of a session, at a prompt or around a call of a tool whose only answer has a form that one of the agents
that run them does not read. The answer is read in the command and in the script that it starts, where there is just one form and no
question which agent has called.
It reports, too, a hook of Claude Code that means to stop something and does not: one that refuses with status 1, a `decision` other than
`approve` and `block`, a `permissionDecision` that is not known or stands outside of `hookSpecificOutput`, and an answer there
without `hookEventName`. A hook that complains with status 1 after a tool has run stops nothing either; only the user reads it (an info).
A script that asks which agent has called, and a command with `||`, are left alone.

## Why is this bad?
A guard that stops nothing is worse than none: people rely on it.
The model of one agent gets the context, that of another does not, and neither says so. GitHub Copilot CLI runs the hooks of
`.claude/settings.json` as well, and reads `additionalContext` on the top level of the answer alone. In `.github/hooks` and `.github/agents`, from where
Visual Studio Code runs hooks that answer in `hookSpecificOutput`, it is an info.

## Example
`echo 'Use pnpm.'` under `SessionStart` in `.claude/settings.json`, in a repository for Claude Code and GitHub Copilot.

`exit 1` in a hook before a call of a tool: the call goes on.

## How to fix
To stop something, leave with status 2. Answer each agent in its form; `COPILOT_CLI`, `GEMINI_CWD`, `QWEN_CODE_SESSION_ID` and `CLAUDECODE` tell which has called. What all agents
should know belongs into a hint file.
",
    evidence: &[
        Evidence { source: "six released agents, run with hooks that answer in each form", checked: "2026-11" },
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run: a call, a prompt and the end of a turn with hooks that refuse in each way", checked: "2026-11" },
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, read: the form of an answer is the same on all events", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct LostHookAnswer;

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HookAnswerForm {
    Plain,
    Nested,
    Top,
}

/// The key of what a hook tells the model.
const CONTEXT: &str = "additionalContext";

/// Variables by which a hook asks which agent has called.
const CALLERS: [&str; 6] = ["COPILOT", "CLAUDECODE", "GEMINI_", "QWEN_", "CODEX_", "CURSOR_"];

impl Rule for LostHookAnswer {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let of_commands = |item: &RunItem| matches!(&item.kind, RunKind::Hook { kind, .. } if kind == "command");
        for effect in effects(cx, |_, item| of_commands(item)) {
            if let Some(finding) = disobeyed(cx, INFO.name, &effect) {
                findings.push(finding);
                continue;
            }
            if !may_answer(effect.item) {
                continue;
            }
            let Some((form, script)) = form(cx, &effect) else { continue };
            if !matters(form, effect.item) {
                continue;
            }
            let is_read = |answers: crate::agents::runs::HookAnswers| match form {
                HookAnswerForm::Plain => answers.plain,
                HookAnswerForm::Nested => answers.nested,
                HookAnswerForm::Top => answers.top,
            };
            let deaf =
                effect.agents.iter().filter(|(dialect, _)| dialect.answers.is_some_and(|answers| !is_read(answers)));
            let deaf: Vec<_> = deaf.map(|(dialect, _)| *dialect).collect();
            let Some(first) = deaf.first().and_then(|dialect| dialect.answers) else { continue };
            let names: Vec<String> = deaf.iter().map(|dialect| dialect.versioned()).collect();
            let what = match form {
                HookAnswerForm::Plain => "prints",
                HookAnswerForm::Nested => "says in `hookSpecificOutput`",
                HookAnswerForm::Top => "says in `additionalContext` on the top level",
            };
            let hook = script.map_or_else(|| "this hook".to_owned(), |script| format!("`{}`", sanitize::path(&script)));
            let message = format!("{} drops what {hook} {what}: the model never gets it", names.join(" and "));
            let instead = match (first.nested, first.top) {
                (true, _) => "`hookSpecificOutput.additionalContext` of a JSON object",
                _ => "`additionalContext` on the top level of a JSON object",
            };
            // Visual Studio Code reads these files, too, and has the other form (documentation).
            let shared: [&[u8]; 2] = [b".github/hooks/", b".github/agents/"];
            let is_of_editor = shared.iter().any(|folder| effect.path.as_bytes().starts_with(folder));
            let is_shared = form == HookAnswerForm::Nested && is_of_editor;
            let level = if is_shared { Level::Info } else { Level::Warning };
            let finding = effect.finding(INFO.name, level, message).agents(deaf.iter().map(|dialect| dialect.id));
            let cause = Cause {
                key: format!("{form:?} {names:?} {}", effect.path.to_str_lossy()),
                subject: hook,
                many: "answer in a form that the agent does not read, so the model never gets it",
                help: None,
            };
            // Around a tool there is something to say of each call, which no hint file can.
            let help = match effect.item.moment {
                Moment::Tool => format!("it reads {instead}"),
                _ => format!("it reads {instead}; for all agents, put the text into a hint file"),
            };
            findings.push(finding.cause(cause).help(help));
        }
    }
}

fn may_answer(item: &RunItem) -> bool {
    matches!(item.moment, Moment::SessionStart | Moment::Prompt | Moment::Tool)
        && matches!(&item.kind, RunKind::Hook { kind, event, .. } if kind == "command" && event != "InstructionsLoaded")
}

/// Whether it is known which agents read an answer of this form. What a hook prints around a call of a tool reaches no model, and is
/// often for the log; what each agent reads before a call was not tried.
fn matters(form: HookAnswerForm, item: &RunItem) -> bool {
    let RunKind::Hook { event, .. } = &item.kind else { return false };
    let is_after_tool = event.eq_ignore_ascii_case("PostToolUse") || event == "AfterTool";
    match form {
        _ if item.moment != Moment::Tool => true,
        HookAnswerForm::Plain => false,
        HookAnswerForm::Nested => is_after_tool,
        HookAnswerForm::Top => true,
    }
}

/// The one form in which a hook answers, if there is just one, and the script that does so.
fn form(cx: &Cx<'_>, effect: &Effect<'_>) -> Option<(HookAnswerForm, Option<RepoPath>)> {
    let RunKind::Hook { action, .. } = &effect.item.kind else { return None };
    let named = effect.scripts(cx);
    let scripts = named.scripts.into_keys();
    let scripts = scripts.filter_map(|script| Some((cx.workspace.scripts.bytes.get(&script)?, script)));
    let (texts, scripts): (Vec<String>, Vec<RepoPath>) =
        scripts.map(|(bytes, script)| (without_comments(&String::from_utf8_lossy(bytes)), script)).unzip();
    let form = form_of(action, &texts)?;
    let answers = texts.iter().zip(scripts).find(|(text, _)| text.contains(CONTEXT));
    Some((form, answers.map(|(_, script)| script)))
}

/// Whether a command or a script asks which agent has called it.
pub(super) fn asks_who_calls(text: &str) -> bool {
    CALLERS.iter().any(|caller| text.contains(caller))
}

/// A script without the lines that are comments, and without the texts by themselves that document Python.
pub(super) fn without_comments(text: &str) -> String {
    let is_comment = |line: &str| ["#", "//", "/*", "* "].iter().any(|start| line.starts_with(start));
    // Whether a text of three quotes goes on, and whether it stands by itself.
    let mut quoted: Option<bool> = None;
    let mut is_code = |line: &&str| {
        let line = line.trim_start();
        let ends = ["\"\"\"", "'''"].iter().any(|mark| line.matches(mark).count() % 2 == 1);
        let begins = ["\"\"\"", "'''"].iter().any(|mark| line.starts_with(mark));
        let is_alone = quoted.unwrap_or(begins);
        if ends {
            quoted = if quoted.is_some() { None } else { Some(begins) };
        }
        !is_alone && !is_comment(line)
    };
    text.lines().filter(|line| is_code(line)).flat_map(|line| [line, "\n"]).collect()
}

fn form_of(action: &str, scripts: &[String]) -> Option<HookAnswerForm> {
    let all = || std::iter::once(action).chain(scripts.iter().map(String::as_str));
    let count = |word: &str| all().map(|text| text.matches(word).count()).sum::<usize>();
    if all().any(asks_who_calls) {
        return None;
    }
    let answers: usize = all().map(count_answers).sum();
    match (count("hookSpecificOutput"), answers) {
        (1, 1) => Some(HookAnswerForm::Nested),
        (0, 1..) => Some(HookAnswerForm::Top),
        (0, 0) if scripts.is_empty() && only_prints(action) => Some(HookAnswerForm::Plain),
        _ => None,
    }
}

/// How often `text` has the key of what a hook tells the model. A type says what may be there, and a word in a table is no key.
fn count_answers(text: &str) -> usize {
    let is_key = |at: usize| {
        let after = text[at + CONTEXT.len()..].trim_start_matches(['"', '\'', '\\', ']']).trim_start();
        !after.starts_with(['?', ',', '}', ')', ';']) && !after.is_empty()
    };
    text.match_indices(CONTEXT).filter(|(at, _)| is_key(*at)).count()
}

/// Whether a command does nothing but print text.
fn only_prints(action: &str) -> bool {
    let is_written = action.replace("2>/dev/null", "").contains('>');
    let is_print = |words: &[ShellWord]| {
        let program = words.first().and_then(ShellWord::literal);
        let text = words.get(1).and_then(ShellWord::literal);
        matches!(program.as_deref(), Some("echo" | "printf" | "cat"))
            && !text.is_some_and(|text| text.trim_start().starts_with('{'))
    };
    let commands = shell::commands(action);
    !is_written && !commands.is_empty() && commands.iter().all(|command| is_print(&command.words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_answer() {
        let script =
            "#!/bin/sh\n# Plain text becomes additionalContext.\necho x # additionalContext\n  // hookSpecificOutput\n";
        assert_eq!(without_comments(script), "echo x # additionalContext\n");
        let answer = "x({additionalContext: 1}) // told\n";
        assert_eq!(without_comments(answer), answer);
        let documented = "def a():\n    \"\"\"Says additionalContext.\n    more\n    \"\"\"\n    print(\"\"\"x\n    y\"\"\")\n    z\n";
        assert_eq!(without_comments(documented), "def a():\n    print(\"\"\"x\n    y\"\"\")\n    z\n");
    }

    #[test]
    fn answers_have_one_form_or_none_is_told() {
        let check = |action: &str, scripts: &[&str], expected: Option<HookAnswerForm>| {
            let scripts: Vec<String> = scripts.iter().map(ToString::to_string).collect();
            assert_eq!(form_of(action, &scripts), expected, "{action}");
        };
        check("echo 'Use pnpm.'", &[], Some(HookAnswerForm::Plain));
        check("cat docs/style.md", &[], Some(HookAnswerForm::Plain));
        let nested = "print(json.dumps({'hookSpecificOutput': {'additionalContext': text}}))";
        check("python3 x.py", &[nested], Some(HookAnswerForm::Nested));
        check("node x.js", &["console.log({additionalContext: text})"], Some(HookAnswerForm::Top));
        check(
            "node x.js",
            &["if (a) { x({additionalContext: 1}) } else { x({additionalContext: 2}) }"],
            Some(HookAnswerForm::Top),
        );
        check("node x.js", &["interface Answer { additionalContext?: string }"], None);
        check("node x.js", &["const EVENTS = {SessionStart: 'additionalContext', Stop: 'x'}"], None);
        check("node x.js", &["out['additionalContext'] = text; print(JSON.stringify(out))"], Some(HookAnswerForm::Top));
        check("node x.js", &["if (process.env.COPILOT_CLI) x({additionalContext: 1})"], None);
        check("node x.js", &["{hookSpecificOutput: {additionalContext: a}, additionalContext: a}"], None);
        for other in ["echo x >> log", "./x.sh", "echo '{\"continue\": true}'", "npm install && echo done", ""] {
            check(other, &[], None);
        }
    }

    #[test]
    fn answers_around_a_tool_are_told_by_their_form() {
        use crate::rules::testing::repository;
        let told = |agents: &str, event: &str, answer: &str| {
            let action = serde_json::Value::from(format!("echo '{{{answer}}}'"));
            let hook = format!(r#"{{"hooks": [{{"type": "command", "command": {action}}}]}}"#);
            let settings = format!(r#"{{"hooks": {{"{event}": [{hook}]}}}}"#);
            let files = [(".claude/settings.json", &settings[..]), ("CLAUDE.md", "x\n")];
            let found = repository("lost-hook-answer", agents, &files);
            found.into_iter().map(|finding| finding.message.to_string()).collect::<Vec<_>>()
        };
        let claude = "agents = [\"claude\"]\n";
        let top = r#""additionalContext": "text""#;
        let nested = r#""hookSpecificOutput": {"hookEventName": "x", "additionalContext": "text"}"#;
        let after = told(claude, "PostToolUse", top);
        assert!(matches!(&after[..], [one] if one.contains("drops what this hook says")), "{after:?}");
        assert_eq!(told(claude, "PreToolUse", top).len(), 1);
        assert_eq!(told(claude, "PostToolUse", nested), [""; 0]);
        assert_eq!(told(claude, "PostToolUse", r#""decision": "block""#), [""; 0]);
        assert_eq!(told(claude, "Stop", top), [""; 0]);
        let copilot = "agents = [\"copilot\"]\n";
        assert_eq!(told(copilot, "PostToolUse", top), [""; 0]);
        assert_eq!(told(copilot, "PostToolUse", nested).len(), 1);
        assert_eq!(told(copilot, "PreToolUse", nested), [""; 0], "this was not tried");
    }
}
