//! `secret-in-settings`: a key of a published form in a tracked settings file.

use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::secrets::{self, assigned, passwords, private_keys, signed_tokens};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "secret-in-settings",
    group: Group::Settings,
    levels: &[Level::Error],
    summary: "a key in a tracked settings file of an agent",
    explanation: "\
## What it does
Reports keys in tracked settings files of agents: settings, hooks, servers, variables. A key is recognised by the exact form that its
issuer publishes, a private key by its armour, also inside of a file in Base64, a signed token by its header, and a password by its
place in the address of a database or a queue on a public host, or behind `PGPASSWORD=` and its like in a command for such a host,
also in a rule about commands. None is shown in full. Placeholders are not reported, nor tokens that are meant for everybody, that
were good for a day at most, or that stand in examples and tests.

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

/// All tokens begin with some of these characters.
const SHOWN: usize = 10;
const REVOKE: &str = "revoke it, since it stays in history, and name an environment variable instead";
const CHANGE: &str = "change the password, since it stays in history, and name an environment variable instead";

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
            let mut tell = |span: Span, message: String, help: &str| {
                findings.push(Finding::new(INFO.name, Level::Error, path, span, message).help(help));
            };
            for secret in secrets::find(text) {
                tell(secret.span, format!("git tracks a key of {} here: `{}…`", secret.issuer, secret.prefix), REVOKE);
            }
            for span in private_keys::find(text) {
                tell(span, "git tracks a private key here".to_owned(), REVOKE);
            }
            // Those of tests and documents are made for them.
            let is_aside = cx.workspace.is_for_elsewhere(path.as_bytes());
            for span in signed_tokens::find(text).into_iter().filter(|_| !is_aside) {
                let shown = sanitize::line(&text[span.start..span.start + SHOWN]).into_owned();
                tell(span, format!("git tracks a signed token here: `{shown}…`"), REVOKE);
            }
            for one in assigned::find(text) {
                tell(one.password, format!("git tracks a password here: `{}…`", one.variable), CHANGE);
            }
            for address in passwords::find(text) {
                let shown = sanitize::line(&address.shown).into_owned();
                tell(address.span, format!("git tracks a password here: `{shown}`"), CHANGE);
            }
        }
    }
}
