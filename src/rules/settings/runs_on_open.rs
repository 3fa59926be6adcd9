//! `runs-on-open`: code of the repository that runs when an agent is started, and nobody is asked.

use super::effects::{Effect, effects};
use crate::agents::runs::{Approval, Moment, RunItem, RunKind, RunMode};
use crate::base::finding::{Finding, Level};
use crate::base::path;
use crate::base::sanitize;
use crate::parse::shell::{self, ShellCommand, ShellWord};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "runs-on-open",
    group: Group::Settings,
    levels: &[Level::Warning],
    summary: "repository code that runs when an agent starts, without a question",
    explanation: "\
## What it does
Reports hooks of a session's start, helper commands, plugins and servers of the repository's own code that run when somebody starts an
agent in the repository, in a mode in which the agent asks nobody. Commands that only show something, such as `cat` or `git status`,
are passed over.

## Why is this bad?
Whoever can change the repository runs code on the machine of whoever starts an agent in it: in CI, in a review of somebody else's
branch. Worms spread so. Claude Code runs hooks and helpers in `-p` also where nobody has trusted the folder; opencode asks never.

## Example
`{\"hooks\": {\"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"node .claude/setup.mjs\"}]}]}}`

## How to fix
Let a person run what sets up a checkout. If the code has to run at the start, let somebody own the file (CODEOWNERS), and switch the
rule off for it in the config.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, opencode-ai 1.18.33, @qwen-code/qwen-code 0.24.4, run in new folders", checked: "2026-11" },
        Evidence { source: "https://nvd.nist.gov/vuln/detail/CVE-2025-59536", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct RunsOnOpen;

/// Programs that only show something. Ours is among them: its hooks read what is there.
const SHOWS: [&str; 27] = [
    "[", "basename", "cat", "cd", "date", "dirname", "echo", "exit", "false", "find", "grep", "head", "hintlint", "jq",
    "ls", "printf", "pwd", "sed", "sort", "stat", "tail", "test", "tr", "true", "uname", "wc", "which",
];
/// Commands of git that do, too.
const GIT_SHOWS: [&str; 9] = ["branch", "describe", "diff", "log", "ls-files", "remote", "rev-parse", "show", "status"];

impl Rule for RunsOnOpen {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for effect in effects(cx, |_, item| is_on_open(item)) {
            let asked = |modes: &[(RunMode, Approval)], mode| modes.contains(&(mode, Approval::Nobody));
            let unasked = effect.agents.iter().filter(|(_, modes)| asked(modes, RunMode::HeadlessUntrusted));
            let unasked: Vec<_> = unasked.collect();
            let (false, false, Some(what)) = (unasked.is_empty(), effect.is_bundle, own_code(cx, &effect)) else {
                continue;
            };
            let names: Vec<String> = unasked.iter().map(|(dialect, _)| dialect.versioned()).collect();
            let always = unasked.iter().all(|(_, modes)| asked(modes, RunMode::Interactive));
            let how = if always { "" } else { " without a terminal" };
            let message = format!(
                "{} runs {what} when it is started{how} in this repository, and asks nobody",
                names.join(" and ")
            );
            let finding = effect
                .finding(INFO.name, Level::Warning, message)
                .agents(unasked.iter().map(|(dialect, _)| dialect.id));
            findings.push(finding.help("let a person run it, or let somebody own this file (CODEOWNERS)"));
        }
    }
}

fn is_on_open(item: &RunItem) -> bool {
    let is_early = matches!(item.moment, Moment::Start | Moment::SessionStart);
    match &item.kind {
        RunKind::Hook { kind, .. } => is_early && kind == "command",
        RunKind::Server { is_remote, .. } => is_early && !is_remote,
        RunKind::Helper { .. } => is_early || item.moment == Moment::Request,
        _ => false,
    }
}

/// What runs, if it is code of the repository and more than a look.
fn own_code(cx: &Cx<'_>, effect: &Effect<'_>) -> Option<String> {
    match &effect.item.kind {
        RunKind::Hook { action, .. } => (!only_shows(action)).then(|| "this hook".to_owned()),
        RunKind::Helper { key, command } => match key.as_str() {
            // A package is not the repository's code.
            "plugin" if !command.contains('/') || command.starts_with('@') => None,
            "plugin" | "tool" => Some(format!("this {key}")),
            _ => (!only_shows(command)).then(|| format!("the command of `{}`", sanitize::line(key))),
        },
        RunKind::Server { name, .. } => {
            let scripts = effect.scripts(cx).scripts;
            let script = scripts.keys().next()?;
            Some(format!("{}, the server {},", script.to_str_lossy(), sanitize::line(name)))
        }
        _ => None,
    }
}

fn only_shows(text: &str) -> bool {
    let shows = |command: &ShellCommand| {
        let mut words = command.words.iter().map(ShellWord::literal).skip_while(|word| {
            word.as_ref().is_some_and(|word| word.split_once('=').is_some_and(|(name, _)| !name.contains('/')))
        });
        let Some(program) = words.next() else { return true };
        let Some(program) = program else { return false };
        match std::str::from_utf8(path::file_name(program.as_bytes())).unwrap_or_default() {
            "git" => words
                .flatten()
                .find(|word| !word.starts_with('-'))
                .is_some_and(|word| GIT_SHOWS.contains(&word.as_str())),
            _ => SHOWS.contains(&program.as_str()),
        }
    };
    let is_written = text.replace("2>/dev/null", "").replace("2>&1", "").replace(">&2", "").contains('>');
    !is_written && !text.contains("-exec") && shell::commands(text).iter().all(shows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_only_show_something_are_told() {
        for text in [
            "echo hello",
            "cat docs/x.md | head -20",
            "git status --short; git log -3",
            "date +%F",
            "[ -f x ] && cat x 2>/dev/null || true",
            "",
        ] {
            assert!(only_shows(text), "{text}");
        }
        for text in [
            "./x.sh",
            "node x.js",
            "echo x > y",
            "git pull",
            "cat x | sh",
            "$X y",
            "find . -exec rm {} +",
            "npm install",
        ] {
            assert!(!only_shows(text), "{text}");
        }
    }
}
