//! `secret-in-settings`: a key of a published form in a tracked settings file.

use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::parse::secrets;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "secret-in-settings",
    group: Group::Settings,
    levels: &[Level::Error],
    summary: "a key in a tracked settings file of an agent",
    explanation: "\
## What it does
Reports keys in tracked settings files of agents: settings, hooks, servers, variables. A key is recognised by the exact form that its
issuer publishes, and is never shown in full. Placeholders are not reported.

## Why is this bad?
Everybody who has the repository, and each clone of it, has the key.

## Example
`\"env\": {\"GITHUB_TOKEN\": \"ghp_…\"}` in `.mcp.json`.

## How to fix
Revoke the key with its issuer: it stays in history. Then name an environment variable instead, such as `${GITHUB_TOKEN}` in
`.mcp.json`.
",
    evidence: &[Evidence { source: "https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct SecretInSettings;

impl Rule for SecretInSettings {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        // A link brings no other text than its target, which is here as well.
        let is_file = |(path, _): &(&RepoPath, _)| !cx.workspace.links.contains_key(*path);
        for (path, bytes) in cx.workspace.settings.iter().filter(is_file) {
            let Ok(text) = std::str::from_utf8(bytes) else { continue };
            if !cx.workspace.tracked_settings.contains(path) {
                continue;
            }
            for secret in secrets::find(text) {
                let message = format!("git tracks a key of {} here: `{}…`", secret.issuer, secret.prefix);
                let help = "revoke it, since it stays in history, and name an environment variable instead";
                findings.push(Finding::new(INFO.name, Level::Error, path, secret.span, message).help(help));
            }
        }
    }
}
