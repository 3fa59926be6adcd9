//! `dangerous-environment`: a variable in a repository's settings that makes programs load or run what it names.

use super::effects::{Effect, effects};
use crate::agents::runs::RunKind;
use crate::base::finding::{Finding, Level};
use crate::base::sanitize;
use crate::parse::shell;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "dangerous-environment",
    group: Group::Settings,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "a variable that makes programs load or run code from the repository",
    explanation: "\
## What it does
Reports variables in a repository's settings by which programs load code, find other programs or trust other servers:
`LD_PRELOAD`, `NODE_OPTIONS` with `--require`, `BASH_ENV`, `PATH` with a folder of the repository, a prefix for each shell command, a
pager or editor from the repository, `NODE_TLS_REJECT_UNAUTHORIZED=0`. Values that load nothing, such as
`NODE_OPTIONS=--max-old-space-size=8192` or `PAGER=cat`, are not reported, and neither are variables that the agent ignores. Where packages, modules
or clusters are looked for is an info. Such a variable in the `env` of a server is a warning: whoever approves of the server's command does
not expect it to run something else.

## Why is this bad?
The variable holds for the agent, for the user's own hooks and for all that the agent starts. Nobody sees a command that could be
refused.

## Example
`{\"env\": {\"NODE_OPTIONS\": \"--require ./tools/setup.js\"}}` in `.claude/settings.json` runs that file in each Node program.

## How to fix
Remove the variable. Set variables for a build in the build's own command or script.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with each of the variables", checked: "2026-11" },
        Evidence { source: "https://man7.org/linux/man-pages/man8/ld.so.8.html", checked: "2026-11" },
        Evidence { source: "https://nodejs.org/api/cli.html#node_optionsoptions", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct DangerousEnvironment;

impl Rule for DangerousEnvironment {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let may_set =
            |kind: &RunKind| matches!(kind, RunKind::Variable { .. } | RunKind::Server { is_remote: false, .. });
        let setting = effects(cx, |_, item| may_set(&item.kind));
        findings.extend(setting.iter().filter_map(|effect| finding(effect).or_else(|| of_server(effect))));
    }
}

/// Variables by which whatever a server starts loads code, or trusts other hosts. Where it looks for programs is its own matter.
const OF_SERVERS: [&str; 14] = [
    "BASH_ENV",
    "BUN_OPTIONS",
    "DYLD_INSERT_LIBRARIES",
    "GIT_SSL_NO_VERIFY",
    "JAVA_TOOL_OPTIONS",
    "LD_AUDIT",
    "LD_PRELOAD",
    "NODE_EXTRA_CA_CERTS",
    "NODE_OPTIONS",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "PERL5OPT",
    "PYTHONHTTPSVERIFY",
    "RUBYOPT",
    "_JAVA_OPTIONS",
];

/// The first dangerous thing that the variables of a server do. It runs what the repository says anyway, and mostly after a question: but
/// who approves of its command does not expect that they run something else.
fn of_server(effect: &Effect<'_>) -> Option<Finding> {
    let RunKind::Server { name: server, given, .. } = &effect.item.kind else { return None };
    let known = given.iter().filter(|(name, _)| OF_SERVERS.contains(&name.as_str()));
    let (name, (_, danger)) = known.filter_map(|(name, value)| Some((name, danger(name, value)?))).next()?;
    let (who, server, name) = (effect.who(), sanitize::line(server), sanitize::line(name));
    let message = format!("{who} starts server {server} with {name}: {danger}");
    Some(
        effect
            .finding(INFO.name, Level::Warning, message)
            .help("remove it, or load the file from the server's own code"),
    )
}

fn finding(effect: &Effect<'_>) -> Option<Finding> {
    let RunKind::Variable { name, value } = &effect.item.kind else { return None };
    let (level, danger) = danger(name, value)?;
    let message = format!("{} sets {}: {danger}", effect.who(), sanitize::line(name));
    let help = "remove it; set variables for a build in the build's own command";
    Some(effect.finding(INFO.name, level, message).help(help))
}

/// Options of Node and Bun by which they load code.
const NODE_LOADERS: [&str; 7] =
    ["-r", "--experimental-loader", "--import", "--loader", "--preload", "--require", "--env-file"];
/// Folders of the system's own programs.
const SYSTEM: [&str; 6] = ["/bin/", "/opt/homebrew/", "/sbin/", "/usr/", "/nix/", "/run/current-system/"];
/// Keys of git's config by which it runs what they name.
const GIT_PROGRAMS: [&str; 12] = [
    "alias.",
    "core.editor",
    "core.fsmonitor",
    "core.hookspath",
    "core.pager",
    "core.sshcommand",
    "credential.",
    "diff.",
    "filter.",
    "gpg.",
    "http.proxy",
    "url.",
];

/// Why a variable with this value is dangerous.
fn danger(name: &str, value: &str) -> Option<(Level, &'static str)> {
    let upper = name.to_ascii_uppercase();
    if value.trim().is_empty() {
        return (upper == "PATH").then_some((Level::Error, "no program is found any more"));
    }
    let error = |is_so: bool, why: &'static str| is_so.then_some((Level::Error, why));
    match upper.as_str() {
        "LD_PRELOAD" | "LD_AUDIT" | "DYLD_INSERT_LIBRARIES" => {
            error(true, "each program that it starts loads this library")
        }
        "LD_LIBRARY_PATH" | "DYLD_LIBRARY_PATH" | "DYLD_FRAMEWORK_PATH" => {
            error(has_relative(value), "programs load libraries from a folder of the repository")
        }
        "NODE_OPTIONS" | "BUN_OPTIONS" => error(loads(value, &NODE_LOADERS), "each Node program runs this file first"),
        "RUBYOPT" => error(loads(value, &["-r"]), "each Ruby program runs this file first"),
        "PERL5OPT" => error(loads(value, &["-M", "-m", "-I"]), "each Perl program runs this module first"),
        "JAVA_TOOL_OPTIONS" | "_JAVA_OPTIONS" => {
            error(value.contains("-javaagent") || value.contains("-agentpath"), "each Java program loads this agent")
        }
        "BASH_ENV" | "ENV" => error(is_file(value), "each shell runs this file before its command"),
        "PATH" => path_danger(value),
        "SHELL" => error(!is_of_system(value), "commands are run by this program in place of the user's shell"),
        "NODE_TLS_REJECT_UNAUTHORIZED" | "PYTHONHTTPSVERIFY" => {
            error(value == "0", "certificates are not checked, so anyone on the network path can read prompts and keys")
        }
        "GIT_SSL_NO_VERIFY" => error(true, "git does not check certificates"),
        "NODE_EXTRA_CA_CERTS" | "SSL_CERT_FILE" | "REQUESTS_CA_BUNDLE" => {
            error(!value.starts_with(['/', '~', '$']), "it trusts servers by a certificate of the repository")
        }
        name => git_danger(name, value),
    }
}

/// The same of variables that name programs, places to work on, and git's config.
fn git_danger(name: &str, value: &str) -> Option<(Level, &'static str)> {
    let error = |is_so: bool, why: &'static str| is_so.then_some((Level::Error, why));
    let info = |why: &'static str| Some((Level::Info, why));
    match name {
        "GIT_SSH"
        | "GIT_SSH_COMMAND"
        | "GIT_ASKPASS"
        | "SSH_ASKPASS"
        | "GIT_EXTERNAL_DIFF"
        | "GIT_PROXY_COMMAND"
        | "PAGER"
        | "GIT_PAGER"
        | "EDITOR"
        | "VISUAL"
        | "GIT_EDITOR"
        | "GIT_SEQUENCE_EDITOR"
        | "BROWSER"
        | "MANPAGER"
        | "LESSOPEN" => error(is_own_program(value), "git and other programs run this command"),
        "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" | "GIT_CONFIG" => {
            error(!value.starts_with(['/', '~']), "git takes its config, and programs to run, from the repository")
        }
        "PYTHONPATH" | "PYTHONHOME" | "NODE_PATH" | "RUBYLIB" | "PERL5LIB" => info("programs look for modules there"),
        "PIP_INDEX_URL" | "PIP_EXTRA_INDEX_URL" | "UV_INDEX_URL" | "UV_DEFAULT_INDEX" | "NPM_CONFIG_REGISTRY" => {
            info("packages come from there")
        }
        "KUBECONFIG" | "DOCKER_HOST" => info("programs work on this cluster or host"),
        name if name.ends_with("_SHELL_PREFIX") => error(true, "this runs before each hook and shell command"),
        name if name.starts_with("GIT_CONFIG_KEY_") => {
            let key = value.to_ascii_lowercase();
            error(
                GIT_PROGRAMS.iter().any(|known| key.starts_with(known)),
                "git runs or contacts what this setting names",
            )
        }
        _ => None,
    }
}

/// Whether an option of `options` stands in `value`, alone or with its value behind `=`.
fn loads(value: &str, options: &[&str]) -> bool {
    value.split_whitespace().any(|word| {
        options.iter().any(|option| {
            word.strip_prefix(option).is_some_and(|rest| {
                // The value of a short option may stick to it.
                rest.is_empty() || rest.starts_with('=') || !option.starts_with("--")
            })
        })
    })
}

/// Whether a list of folders holds one that is relative, and so the repository's.
fn has_relative(value: &str) -> bool {
    value.split(':').any(|folder| !folder.starts_with(['/', '~', '$']))
}

fn path_danger(value: &str) -> Option<(Level, &'static str)> {
    if value.split([':', ';']).any(|folder| folder.starts_with(['$', '%'])) {
        // What follows is not a list of folders that anybody has.
        let rest = value.split([':', ';']).filter(|folder| !folder.starts_with(['$', '%']));
        let is_own = rest.into_iter().any(|folder| !folder.starts_with(['/', '~']) && !folder.contains(":\\"));
        let why = match is_own {
            true => "programs of the repository take the place of others, and the variable in it is not expanded",
            false => "the variable in it is not expanded, so that the system's programs are not found",
        };
        return Some((Level::Error, why));
    }
    // Windows has other separators.
    let is_windows = value.contains(":\\");
    (!is_windows && has_relative(value))
        .then_some((Level::Error, "programs of the repository take the place of others"))
}

fn is_file(value: &str) -> bool {
    !matches!(
        value,
        "/dev/null" | "0" | "1" | "dev" | "development" | "prod" | "production" | "staging" | "test" | "local"
    ) && (value.contains('/') || value.contains('.') || value.contains('\\'))
}

fn is_of_system(program: &str) -> bool {
    !program.contains(['/', '\\']) || program.contains(":\\") || SYSTEM.iter().any(|folder| program.starts_with(folder))
}

/// Whether a command is more than a program of the system.
fn is_own_program(command: &str) -> bool {
    let commands = shell::commands(command);
    let program = commands.first().and_then(|command| command.words.first()?.literal());
    commands.len() > 1 || program.is_none_or(|program| !is_of_system(&program))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::repository;

    #[test]
    fn variables_of_servers() {
        let check = |env: &str, count: usize| {
            let servers =
                format!(r#"{{"mcpServers": {{"s": {{"command": "node", "args": ["s.js"], "env": {env}}}}}}}"#);
            let found = repository(INFO.name, "", &[(".mcp.json", servers.as_str()), ("CLAUDE.md", "x\n")]);
            assert_eq!(found.len(), count, "{env}: {found:?}");
            assert!(found.iter().all(|finding| finding.level == Level::Warning), "{found:?}");
        };
        check(r#"{"LOG": "1", "NODE_OPTIONS": "--require ./x.js"}"#, 1);
        check(r#"{"NODE_TLS_REJECT_UNAUTHORIZED": "0"}"#, 1);
        for silent in [r#"{"NODE_OPTIONS": "--max-old-space-size=8192"}"#, r#"{"PATH": "/opt/x/bin:/usr/bin"}"#, "{}"] {
            check(silent, 0);
        }
    }

    #[test]
    fn values_decide() {
        let check = |pair: &str, expected: Option<Level>| {
            let (name, value) = pair.split_once('=').expect("a variable");
            assert_eq!(danger(name, value).map(|(level, _)| level), expected, "{pair}");
        };
        for pair in [
            "LD_PRELOAD=./x.so",
            "NODE_OPTIONS=--max-old-space-size=8192 --require ./x.js",
            "NODE_OPTIONS=-r./x.js",
            "NODE_OPTIONS=--import=./x.mjs",
            "BASH_ENV=./env.sh",
            "PATH=./bin:/usr/bin",
            "PATH=$PATH:/opt/tools",
            "CLAUDE_CODE_SHELL_PREFIX=/usr/bin/time",
            "PAGER=./page",
            "GIT_SSH_COMMAND=ssh; touch x",
            "GIT_CONFIG_KEY_0=core.fsmonitor",
            "NODE_TLS_REJECT_UNAUTHORIZED=0",
            "NODE_EXTRA_CA_CERTS=certs/ca.pem",
            "SHELL=./sh",
        ] {
            check(pair, Some(Level::Error));
        }
        for pair in [
            "NODE_OPTIONS=--max-old-space-size=8192",
            "NODE_OPTIONS=--report-on-signal",
            "PAGER=cat",
            "GIT_EDITOR=true",
            "EDITOR=code --wait",
            "GIT_SSH_COMMAND=ssh -o BatchMode=yes",
            "SHELL=/bin/zsh",
            "SHELL=/opt/homebrew/bin/fish",
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "NODE_TLS_REJECT_UNAUTHORIZED=1",
            "NODE_EXTRA_CA_CERTS=/etc/ssl/company.pem",
            "GIT_CONFIG_KEY_0=user.name",
            "ENV=production",
            "LD_LIBRARY_PATH=/usr/local/cuda/lib64",
            "LD_PRELOAD=",
            "RUST_LOG=debug",
        ] {
            check(pair, None);
        }
        check("PYTHONPATH=src", Some(Level::Info));
    }
}
