//! `lost-hook-answer`: an agent runs a hook and ignores its output.

use super::effects::{Effect, effects};
use crate::agents::runs::{Moment, RunItem, RunKind};
use crate::base::finding::{Finding, Level};
use crate::parse::shell::{self, ShellWord};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "lost-hook-answer",
    group: Group::Settings,
    levels: &[Level::Warning, Level::Info],
    summary: "an agent runs a hook and ignores its output",
    explanation: "\
## What it does
Reports hooks at the start of a session or at a prompt whose only answer has a form that one of the agents that run them does not
read. The answer is read in the command and in the script that it starts, where there is just one form and no question which agent
has called.

## Why is this bad?
The model of one agent gets the context, that of another does not, and neither says so. GitHub Copilot CLI runs the hooks of
`.claude/settings.json` as well, and reads `additionalContext` on the top level of the answer alone. In `.github/hooks` and `.github/agents`, from where
Visual Studio Code runs hooks that answer in `hookSpecificOutput`, it is an info.

## Example
`echo 'Use pnpm.'` under `SessionStart` in `.claude/settings.json`, in a repository for Claude Code and GitHub Copilot.

## How to fix
Answer each agent in its form; `COPILOT_CLI`, `GEMINI_CWD`, `QWEN_CODE_SESSION_ID` and `CLAUDECODE` tell which has called. What all agents
should know belongs into a hint file.
",
    evidence: &[Evidence { source: "six released agents, run with hooks that answer in each form", checked: "2026-11" }],
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

/// Variables by which a hook asks which agent has called.
const CALLERS: [&str; 6] = ["COPILOT", "CLAUDECODE", "GEMINI_", "QWEN_", "CODEX_", "CURSOR_"];

impl Rule for LostHookAnswer {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for effect in effects(cx, |_, item| may_answer(item)) {
            let Some(form) = form(cx, &effect) else { continue };
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
            let message = format!("{} drops what this hook {what}: the model never gets it", names.join(" and "));
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
            findings.push(finding.help(format!("it reads {instead}; for all agents, put the text into a hint file")));
        }
    }
}

fn may_answer(item: &RunItem) -> bool {
    matches!(item.moment, Moment::SessionStart | Moment::Prompt)
        && matches!(&item.kind, RunKind::Hook { kind, event, .. } if kind == "command" && event != "InstructionsLoaded")
}

/// The one form in which a hook answers, if there is just one.
fn form(cx: &Cx<'_>, effect: &Effect<'_>) -> Option<HookAnswerForm> {
    let RunKind::Hook { action, .. } = &effect.item.kind else { return None };
    let named = effect.scripts(cx);
    let scripts = named.scripts.keys().filter_map(|script| cx.workspace.scripts.bytes.get(script));
    let texts: Vec<String> = scripts.map(|bytes| without_comments(&String::from_utf8_lossy(bytes))).collect();
    form_of(action, &texts)
}

/// A script without the lines that are comments.
fn without_comments(text: &str) -> String {
    let is_code = |line: &&str| !["#", "//", "/*", "* "].iter().any(|start| line.trim_start().starts_with(start));
    text.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect()
}

fn form_of(action: &str, scripts: &[String]) -> Option<HookAnswerForm> {
    let all = || std::iter::once(action).chain(scripts.iter().map(String::as_str));
    let count = |word: &str| all().map(|text| text.matches(word).count()).sum::<usize>();
    if CALLERS.iter().any(|caller| count(caller) > 0) {
        return None;
    }
    match (count("hookSpecificOutput"), count("additionalContext")) {
        (1, 1) => Some(HookAnswerForm::Nested),
        (0, 1) => Some(HookAnswerForm::Top),
        (0, 0) if scripts.is_empty() && only_prints(action) => Some(HookAnswerForm::Plain),
        _ => None,
    }
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
        check("node x.js", &["if (process.env.COPILOT_CLI) x({additionalContext: 1})"], None);
        check("node x.js", &["{hookSpecificOutput: {additionalContext: a}, additionalContext: a}"], None);
        for other in ["echo x >> log", "./x.sh", "echo '{\"continue\": true}'", "npm install && echo done", ""] {
            check(other, &[], None);
        }
    }
}
