//! `unpinned-server`: a server that is whatever its registry gives today.

use super::catalogue;
use super::documented;
use super::effects::effects;
use crate::agents::runs::RunKind;
use crate::base::finding::{Finding, Level};
use crate::base::path;
use crate::base::sanitize;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "unpinned-server",
    group: Group::Settings,
    levels: &[Level::Info],
    summary: "a server, or a plugin of a marketplace, without a pinned version",
    explanation: "\
## What it does
Lists MCP servers that are packages or images without a version: `npx -y name`, `name@latest`, `uvx name`, `docker run name`.
For Cursor and Visual Studio Code this follows their documentation. Also lists plugins of a marketplace that come from another
repository or a registry without a `ref`, a `sha` or a version.

## Why is this bad?
Whoever can publish the package decides what runs on the next start, and nothing in the repository changes.

## Example
`{\"command\": \"npx\", \"args\": [\"-y\", \"@scope/server\"]}`

## How to fix
Name a version: `@scope/server@1.4.2`, `name==1.4.2`, `image@sha256:…`.
",
    evidence: &[
        Evidence { source: "https://docs.npmjs.com/cli/commands/npx and https://docs.astral.sh/uv/guides/tools", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/plugin-marketplaces (documentation)", checked: "2026-11" },
        Evidence { source: "https://cursor.com/docs/mcp (documentation)", checked: "2026-11" },
        Evidence { source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration (documentation)", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct UnpinnedServer;

const HELP: &str = "pin a version, so that each update is reviewed";

/// Options of `docker run` with a value behind them.
const DOCKER_VALUES: [&str; 16] = [
    "-e",
    "--env",
    "--env-file",
    "-v",
    "--volume",
    "--mount",
    "-p",
    "--publish",
    "--name",
    "--network",
    "--net",
    "-w",
    "--workdir",
    "-u",
    "--user",
    "--entrypoint",
];

impl Rule for UnpinnedServer {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if !cx.matters(&INFO, Level::Info) {
            return;
        }
        for effect in effects(cx, |_, item| matches!(item.kind, RunKind::Server { is_remote: false, .. })) {
            let RunKind::Server { name, command, .. } = &effect.item.kind else { continue };
            let Some(package) = unpinned(command) else { continue };
            let (name, package) = (sanitize::line(name), sanitize::line(package));
            let message = format!("the server {name} names no fixed version of {package}");
            let finding = effect.finding(INFO.name, Level::Info, message);
            findings.push(finding.help(HELP));
        }
        findings.extend(catalogue::floating_entries(cx, INFO.name));
        for file in documented::files(cx) {
            findings.extend(file.servers().iter().filter_map(|server| {
                let package = sanitize::line(unpinned(&server.command)?).into_owned();
                let (name, product) = (sanitize::line(&server.name), file.about.product);
                let message = format!("the server {name} of {product} names no fixed version of {package}");
                Some(file.info(INFO.name, server.span, message).help(HELP))
            }));
        }
    }
}

/// The package or image of a command, where it names no version.
pub(super) fn unpinned(command: &[String]) -> Option<&str> {
    let is_windows = command.first().is_some_and(|program| program == "cmd");
    let words: Vec<&str> = command.iter().skip(if is_windows { 2 } else { 0 }).map(String::as_str).collect();
    let (program, arguments) = words.split_first()?;
    let name = std::str::from_utf8(path::file_name(program.as_bytes())).ok()?;
    let arguments = match (name, arguments.first().copied()) {
        ("npx" | "bunx" | "uvx" | "pipx", Some("run")) => &arguments[1..],
        ("npx" | "bunx" | "uvx", _) => arguments,
        ("pnpm" | "yarn", Some("dlx")) => &arguments[1..],
        ("docker" | "podman", Some("run")) => return image(&arguments[1..]),
        _ => return None,
    };
    let from = arguments.iter().position(|word| matches!(*word, "--from" | "-p" | "--package"));
    let package = match from {
        Some(at) => arguments.get(at + 1)?,
        None => arguments.iter().find(|word| !word.starts_with('-'))?,
    };
    // A path, an address or a variable is no package of a registry.
    let is_package =
        !package.starts_with(['.', '/', '$', '~']) && !package.contains("://") && !package.contains("git+");
    let version = package.get(1..).and_then(|rest| rest.split_once('@')).map(|(_, version)| version);
    let is_pinned = version.is_some_and(|version| version != "latest") || package.contains("==");
    (is_package && !is_pinned).then_some(package)
}

fn image<'w>(arguments: &[&'w str]) -> Option<&'w str> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if DOCKER_VALUES.contains(word) {
            words.next();
        } else if !word.starts_with('-') {
            let last = word.rsplit('/').next().unwrap_or(word);
            let is_pinned = last.contains('@') || last.split_once(':').is_some_and(|(_, tag)| tag != "latest");
            return (!is_pinned && !word.starts_with('$')).then_some(word);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_looked_for() {
        let check = |line: &str, expected: Option<&str>| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(unpinned(&words), expected, "{line}");
        };
        check("npx -y @scope/server", Some("@scope/server"));
        check("npx -y server@latest .", Some("server@latest"));
        check("cmd /c npx -y server", Some("server"));
        check("uvx --from tool server", Some("tool"));
        check("docker run -i --rm -e TOKEN ghcr.io/a/b", Some("ghcr.io/a/b"));
        check("pnpm dlx server", Some("server"));
        for pinned in [
            "npx -y @scope/server@1.2.3",
            "uvx tool==1.2",
            "uvx tool@1.2",
            "uvx --from git+https://example.org/x@v1 x",
            "docker run --rm a/b:1.2",
            "docker run a/b@sha256:00",
            "npx ./local",
            "node server.js",
            "npx",
        ] {
            check(pinned, None);
        }
    }
}
