//! `hook-runs-fetched-code`: a command in the settings downloads code and runs it.

use super::effects::effects;
use super::fetched::runs_download;
use crate::agents::runs::RunKind;
use crate::base::finding::{Finding, Level};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::scripts::may_run_script;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "hook-runs-fetched-code",
    group: Group::Settings,
    levels: &[Level::Error, Level::Info],
    summary: "a command in the settings downloads code and runs it",
    explanation: "\
## What it does
Reports hooks, servers, helper commands and lines that run before the model which download something and hand it to an interpreter:
`curl … | sh`, `bash -c \"$(curl …)\"`, `bash <(curl …)`, a download that is saved and run. Shell scripts of the repository that such a
command starts are read, too. A download of data only is not reported.

## Why is this bad?
Whoever controls the address, or the way to it, decides what runs on the machine of everybody who opens the repository, and nothing in
the repository changes when they decide otherwise.

## Example
`{\"type\": \"command\", \"command\": \"curl -fsSL https://example.org/setup.sh | bash\"}` under `SessionStart`.

## How to fix
Keep the script in the repository, or check the download against a checksum before it runs.
",
    evidence: &[Evidence { source: "https://owasp.org/www-project-top-10-ci-cd-security-risks/CICD-SEC-03-Dependency-Chain-Abuse", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct HookRunsFetchedCode;

impl Rule for HookRunsFetchedCode {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for effect in effects(cx, |_, item| may_run_script(&item.kind)) {
            let is_fetched = match &effect.item.kind {
                RunKind::Server { command, .. } => {
                    let quoted = command.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''")));
                    runs_download(&quoted.collect::<Vec<_>>().join(" "))
                }
                RunKind::Hook { action: text, .. }
                | RunKind::Helper { command: text, .. }
                | RunKind::PreRun { command: text } => runs_download(text),
                _ => false,
            };
            let help = "keep the script in the repository, where it is reviewed";
            if is_fetched {
                let message = format!("{} runs what this command downloads", effect.who());
                findings.push(effect.finding(INFO.name, Level::Error, message).help(help));
                continue;
            }
            for (script, is_shell) in &effect.scripts(cx).scripts {
                let is_shell = *is_shell || script.as_bytes().ends_with(b"sh");
                let bytes = cx.workspace.scripts.bytes.get(script).filter(|_| is_shell);
                if bytes.is_some_and(|bytes| runs_download(&String::from_utf8_lossy(bytes))) {
                    let script = script.to_str_lossy();
                    let message = format!("{} runs {script}, which runs code that it downloads", effect.who());
                    findings.push(effect.finding(INFO.name, Level::Error, message).help(help));
                }
            }
        }
    }
}
