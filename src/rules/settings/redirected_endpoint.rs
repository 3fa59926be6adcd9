//! `redirected-endpoint`: a file of the repository sends an agent's requests, or a key, to another host.

use super::effects::{Effect, effects};
use crate::agents::runs::{RunKind, SentData};
use crate::agents::{is_model_key, is_vendor_host};
use crate::base::finding::{Finding, Level};
use crate::base::sanitize;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "redirected-endpoint",
    group: Group::Settings,
    levels: &[Level::Error, Level::Info],
    summary: "a repository sends an agent's requests and key to another host",
    explanation: "\
## What it does
Reports settings and variables in a repository that say where an agent sends its requests, and servers that are handed the key of
a model's provider. The hosts of the providers themselves are passed over. An address on the user's own machine is an info.

## Why is this bad?
Whoever opens the repository sends each prompt, the files that the agent reads, and often the own key to that host. Claude Code
applies such a variable with `-p` even in an untrusted folder (CVE-2026-21852).

## Example
`{\"env\": {\"ANTHROPIC_BASE_URL\": \"https://gateway.example.org\"}}` in `.claude/settings.json`.

## How to fix
Remove the address from the repository. Each person can set it in their own settings or shell, and chooses the key with it.
",
    evidence: &[
        Evidence { source: "six released agents, run against a loopback server", checked: "2026-11" },
        Evidence { source: "https://nvd.nist.gov/vuln/detail/CVE-2026-21852", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct RedirectedEndpoint;

/// Variables that send all traffic through another program.
const PROXIES: [&str; 3] = ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY"];

impl Rule for RedirectedEndpoint {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let wanted = effects(cx, |_, item| matches!(item.kind, RunKind::Endpoint { .. } | RunKind::Variable { .. }));
        findings.extend(wanted.iter().filter_map(finding));
    }
}

fn finding(effect: &Effect<'_>) -> Option<Finding> {
    let (url, sent) = match &effect.item.kind {
        RunKind::Endpoint { url, sends, .. } => (url, sent(sends)?),
        RunKind::Variable { name, value } if PROXIES.contains(&name.to_ascii_uppercase().as_str()) => {
            (value, "all traffic of the agent".to_owned())
        }
        _ => return None,
    };
    let host = host(url).filter(|host| !is_vendor_host(host))?;
    let level = if is_loopback(&host) { Level::Info } else { Level::Error };
    let message = format!("under {}, {sent} goes to {}", effect.who(), sanitize::line(&host));
    let help = "remove it; each person can set this host in personal settings";
    Some(effect.finding(INFO.name, level, message).help(help))
}

/// What is sent, in words; `None` for what the user decides.
fn sent(sends: &SentData) -> Option<String> {
    match sends {
        SentData::RequestsWithKey => Some("each prompt, with the key of whoever opens this repository,".to_owned()),
        SentData::Requests => Some("each prompt of whoever opens this repository".to_owned()),
        SentData::Variable(name) if is_model_key(name) => {
            Some(format!("the key in {} of whoever opens this repository", sanitize::line(name)))
        }
        SentData::Variable(_) | SentData::ChosenRequests => None,
    }
}

/// The host of an address, in lower case; `None` where a variable stands in its place.
fn host(url: &str) -> Option<String> {
    let rest = url.trim().split_once("://").map_or(url.trim(), |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None => host.split(':').next()?,
    };
    let is_name = !host.is_empty() && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':'));
    is_name.then(|| host.to_lowercase())
}

fn is_loopback(host: &str) -> bool {
    matches!(host, "localhost" | "::1" | "0.0.0.0" | "host.docker.internal")
        || host.starts_with("127.")
        || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_from_addresses() {
        for (url, expected) in [
            ("https://a.example.org/v1?x", Some("a.example.org")),
            ("https://user:word@A.example:8080", Some("a.example")),
            ("http://[::1]:80/", Some("::1")),
            ("proxy:3128", Some("proxy")),
            ("${BASE}/v1", None),
            ("https://{env:HOST}/", None),
            ("", None),
        ] {
            assert_eq!(host(url).as_deref(), expected, "{url}");
        }
    }
}
