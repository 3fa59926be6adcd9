//! `missing-hook-command`: a script that settings run is not there, or cannot be executed.

use super::effects::{Effect, effects};
use super::one_disk_commands::on_one_disk;
use super::script_places::{below_ignored_cwd, is_put_away, is_right_from_root, is_unix, quoted_variable, successor};
use super::{bundle_places, entered, one_disk};
use crate::agents::files;
use crate::agents::runs::RunKind;
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::shell::{self, ShellWord};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::Probe;
use crate::source::history::{CommitRef, Fate, Questions};
use crate::workspace::scripts::may_run_script;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "missing-hook-command",
    group: Group::Settings,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "a script that settings run is not there or not executable",
    explanation: "\
## What it does
Reports scripts that hooks, servers and helper commands name by a path in the repository and that are not there, or that are
started as programs but tracked without the executable bit. A script in an agent's folder that git ignores is an info;
elsewhere it may be built and is passed over, and so are commands that test for the file. A script that was never in the repository, outside of agents' folders, is a
warning, and so is an absolute path that is there on one machine alone, outside of that person's own settings and of a home that is in git: into a home, such as
`/Users/jane/…`, onto a drive, such as `/mnt/e/…`, or to a checkout of this repository. A script of a plugin that its hooks and servers
name without `${CLAUDE_PLUGIN_ROOT}` is reported, too: they are started in the project of whoever installs it.

## Why is this bad?
The agent goes on without the hook. A guard that cannot be started guards nothing. Where the interpreter ends with exit code 2, as
Python does, the hook refuses everything instead.

## Example
`{\"type\": \"command\", \"command\": \"$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh\"}`, and there is no such file.

## How to fix
Restore the script, or name the place where it is now: where history knows it, `--unsafe-fixes` does so. `git update-index --chmod=+x FILE` makes
a tracked file executable.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with a missing program: the session goes on", checked: "2026-11" },
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run: hooks and servers of a plugin with `./x.sh` and `node ./x.js`", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/hooks", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct MissingHookCommand;

/// Folders of what a build or an installation makes.
const BUILT: [&str; 10] = [".venv", "bin", "build", "dist", "lib", "node_modules", "out", "target", "vendor", "venv"];

/// Whether a folder on the way to `path` is one that a build or an installation makes, or `path` is.
pub(super) fn is_built(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|folder| BUILT.iter().any(|built| built.as_bytes() == folder))
}

impl Rule for MissingHookCommand {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        let missing = cx.workspace.scripts.missing.iter().filter(|(_, probe)| **probe == Probe::Absent);
        questions.fates.extend(missing.map(|(path, _)| path.clone()));
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let scripts = &cx.workspace.scripts;
        for effect in effects(cx, |_, item| is_command(&item.kind)) {
            if let Some(finding) = without_folder(cx, &effect) {
                findings.push(finding);
                continue;
            }
            if tests_for_files(&effect.item.kind) {
                // What follows `cd … &&` has another way, and the folder has none.
                let is_entered = entered::is_entered(&effect.item.kind);
                findings.extend(on_one_disk(cx, &effect, is_entered).filter(|_| is_entered));
                continue;
            }
            let (named, before) = (effect.scripts(cx), findings.len());
            for path in &named.missing {
                match scripts.missing.get(path) {
                    Some(Probe::Absent) => findings.extend(missing(cx, &effect, path)),
                    Some(Probe::Ignored) => findings.extend(ignored(&effect, path)),
                    _ => {}
                }
            }
            for path in named.programs.iter().filter(|path| scripts.not_executable.contains(*path) && is_unix(cx, path))
            {
                let shown = path.to_str_lossy().into_owned();
                let message = format!("git tracks `{shown}` without the executable bit, so {}", effect_is(&effect));
                let help = format!("run `git update-index --chmod=+x {shown}`, or start it with its interpreter");
                let cause = Cause {
                    key: format!("mode {}", effect.path.to_str_lossy()),
                    subject: format!("`{shown}`"),
                    many: "are tracked without the executable bit, so the commands that start them fail",
                    help: Some(format!("run `git update-index --chmod=+x {shown}`, and the same for the others")),
                };
                findings.push(effect.finding(INFO.name, Level::Error, message).cause(cause).help(help));
            }
            if findings.len() == before {
                findings.extend(on_one_disk(cx, &effect, false));
            }
        }
        findings.extend(bundle_places::sought_in_the_project(cx, INFO.name));
        findings.extend(one_disk::of_editors(cx, INFO.name));
    }
}

/// A hook or a server whose `cwd` is no folder: it is not even started.
fn without_folder(cx: &Cx<'_>, effect: &Effect<'_>) -> Option<Finding> {
    let whose = match &effect.item.kind {
        RunKind::Hook { event, .. } => format!("this {} hook, so the hook", sanitize::line(event)),
        RunKind::Server { name, .. } => format!("the server {}, so it", sanitize::line(name)),
        _ => return None,
    };
    let folder = effect.absent_folder(cx)?;
    if cx.workspace.scripts.missing.get(&folder) != Some(&Probe::Absent) || is_built(folder.as_bytes()) {
        return None;
    }
    let shown = sanitize::path(&folder).to_string();
    let message = format!("there is no folder `{shown}`, the `cwd` of {whose} never starts");
    let cause = Cause {
        key: format!("cwd {} {shown}", effect.path.to_str_lossy()),
        subject: format!("`{shown}`"),
        many: "are the `cwd` of hooks or servers that never start, since there is no such folder",
        help: None,
    };
    let help = match &effect.item.kind {
        RunKind::Server { .. } => "name the folder as seen from where the agent is started, or remove `cwd`",
        _ => "name the folder as seen from the root of the repository, or remove `cwd`",
    };
    Some(effect.finding(INFO.name, Level::Error, message).cause(cause).help(help))
}

/// Code that an agent loads by itself is no command.
pub(super) fn is_command(kind: &RunKind) -> bool {
    may_run_script(kind) && !matches!(kind, RunKind::Helper { key, .. } if matches!(key.as_str(), "plugin" | "tool"))
}

/// A file that is below a `cwd` which the agent does not read.
fn behind_cwd(cx: &Cx<'_>, effect: &Effect<'_>, path: &RepoPath) -> Option<Finding> {
    let (agent, cwd, file) = below_ignored_cwd(cx, effect, path)?;
    let (cwd, file, shown) = (sanitize::line(&cwd), sanitize::path(&file).to_string(), sanitize::path(path));
    let title = agent.title;
    let message = format!("{title} does not read `cwd` of a server: `{shown}` is in `{cwd}`, as `{file}`, so");
    let finding = effect.finding(INFO.name, Level::Error, format!("{message} {}", effect_is(effect)));
    Some(finding.agents([agent.id]).help(format!("write `{file}` in its place, and remove `cwd`")))
}

/// A file that is there, behind a variable that single quotes keep as it stands for some of the agents.
fn in_single_quotes(effect: &Effect<'_>, variable: &str) -> Option<Finding> {
    let agents = effect.agents.iter().map(|(agent, _)| *agent);
    let agents = agents.filter(|agent| !agent.replaced_variables.replaces(variable, effect.is_bundle));
    let agents: Vec<&str> = agents.map(|agent| agent.id).collect();
    if agents.is_empty() {
        return None;
    }
    let fails = format!("so {}{}", effect_is(effect), refused(effect));
    let message = format!("single quotes keep `{variable}` as it stands, {fails}");
    let cause = Cause {
        key: format!("quotes {variable} {fails}"),
        subject: format!("`{variable}`"),
        many: "stand in single quotes, which keep them as they stand, so the commands fail",
        help: None,
    };
    let finding = effect.finding(INFO.name, Level::Error, message).agents(agents).cause(cause);
    Some(finding.help(format!("put double quotes around the path: the file is there, and `{variable}` leads to it")))
}

fn missing(cx: &Cx<'_>, effect: &Effect<'_>, path: &RepoPath) -> Option<Finding> {
    let shown = path.to_str_lossy().into_owned();
    let is_of_agent = files::is_in_agent_folder(path.parent());
    if let Some(finding) = behind_cwd(cx, effect, path) {
        return Some(finding);
    }
    if let Some(variable) = quoted_variable(cx, effect, path) {
        return in_single_quotes(effect, variable);
    }
    let fate = cx.answers.fate(path);
    let successor = match fate {
        Fate::Renamed { to, .. } if !is_put_away(path, to) => None,
        _ => successor(cx, path),
    };
    let (level, what, to) = match fate {
        Fate::Renamed { to, .. } if is_put_away(path, to) => {
            (Level::Error, format!("`{shown}` was put away as `{}`", to.to_str_lossy()), None)
        }
        Fate::Renamed { to, .. } => {
            (Level::Error, format!("`{shown}` was renamed to `{}`", to.to_str_lossy()), Some(to))
        }
        Fate::Deleted { .. } | Fate::Gone { .. } => (Level::Error, format!("`{shown}` was deleted"), None),
        _ if is_built(path.parent()) => return None,
        _ => {
            let level = match is_of_agent || effect.is_bundle {
                _ if is_right_from_root(cx, effect, path) => Level::Info,
                true => Level::Error,
                // A program at the root may be built or installed there.
                false if path.parent().is_empty() && !shown.contains('.') => Level::Info,
                false => Level::Warning,
            };
            (level, format!("there is no file `{shown}`"), None)
        }
    };
    let refusal = refused(effect);
    let finding = effect.finding(INFO.name, level, format!("{what}, so {}{refusal}", effect_is(effect)));
    let help = match to.or(successor.as_ref()) {
        Some(to) if successor.is_some() => {
            format!("name `{}`, which is there, or remove what runs it", to.to_str_lossy())
        }
        Some(to) => format!("name `{}`", to.to_str_lossy()),
        None => "restore the script, or remove what runs it".to_owned(),
    };
    let (many, help_for_many) = match to {
        Some(_) => ("were renamed, so the commands that name them fail", "name each by its new path"),
        None => ("do not exist, so the commands that start them fail", "restore the scripts, or remove what runs them"),
    };
    let by = commit_of(fate).filter(|_| to.is_none());
    let by = by.map_or_else(|| effect.path.to_str_lossy().into_owned(), |by| by.id.clone());
    let cause = Cause {
        key: format!("{many} {by}{refusal}"),
        subject: format!("`{shown}`"),
        many,
        help: Some(help_for_many.to_owned()),
    };
    let finding = finding.cause(cause).help(help);
    Some(match to.and_then(|to| edit(cx, effect, path, to)) {
        Some((span, text)) => finding.fix(Applicability::Unsafe, span, text),
        None => finding,
    })
}

/// A script among an agent's own files that git ignores: whoever clones the repository has none. Elsewhere it may be built.
fn ignored(effect: &Effect<'_>, path: &RepoPath) -> Option<Finding> {
    let mut folders = path.parent().split(|&byte| byte == b'/');
    if is_built(path.parent()) || !folders.any(files::is_agent_folder) {
        return None;
    }
    let shown = sanitize::path(path).to_string();
    let message = format!("git ignores `{shown}`: where nobody has made it {}", effect_is(effect));
    let cause = Cause {
        key: format!("ignored {}", effect.path.to_str_lossy()),
        subject: format!("`{shown}`"),
        many: "are ignored by git, so the commands that start them fail where nobody has made them",
        help: None,
    };
    let finding = effect.finding(INFO.name, Level::Info, message).cause(cause);
    Some(
        finding.help("except the script from the ignore file and commit it, or move what runs it to personal settings"),
    )
}

/// The commit that took a file away: what it took is one cause, whichever files name it.
fn commit_of(fate: &Fate) -> Option<&CommitRef> {
    match fate {
        Fate::Deleted { commit } | Fate::Gone { commit } | Fate::Renamed { commit, .. } => commit.as_ref(),
        _ => None,
    }
}

/// What comes of it.
pub(super) fn effect_is(effect: &Effect<'_>) -> String {
    match &effect.item.kind {
        RunKind::Hook { event, .. } => format!("this {} hook fails each time", sanitize::line(event)),
        RunKind::Server { name, .. } => format!("the server {} does not start", sanitize::line(name)),
        RunKind::Helper { key, .. } => format!("`{}` fails", sanitize::line(key)),
        _ => "this command fails".to_owned(),
    }
}

/// Exit code 2 and what comes of it, as the end of a sentence.
fn refused(effect: &Effect<'_>) -> String {
    let refused = refusal(&effect.item.kind).map(|refused| format!(" with exit code 2, which {refused}"));
    refused.unwrap_or_default()
}

/// What comes of exit code 2 of a hook whose interpreter ends with it where the script is missing: hooks refuse by that code.
fn refusal(kind: &RunKind) -> Option<&'static str> {
    let RunKind::Hook { event, action, .. } = kind else { return None };
    let refused = match event.as_str() {
        "PreToolUse" => "refuses each call that it is for",
        "UserPromptSubmit" => "refuses each prompt",
        "Stop" | "SubagentStop" => "keeps the agent from stopping",
        _ => return None,
    };
    // Behind another command the code may be another.
    let commands = shell::commands(action);
    let [command] = &commands[..] else { return None };
    let words: Vec<String> = command.words.iter().map_while(ShellWord::literal).collect();
    let mut words = words.iter().map(|word| String::from_utf8_lossy(path::file_name(word.as_bytes())).into_owned());
    let program = words.find(|word| !shell::is_assignment(word) && word != "env" && word != "exec")?;
    let is_uv = program == "uv" && words.next().is_some_and(|word| word == "run");
    (is_uv || program == "perl" || program.starts_with("python")).then_some(refused)
}

/// Whether a command asks itself whether its script is there.
pub(super) fn tests_for_files(kind: &RunKind) -> bool {
    let text = match kind {
        RunKind::Hook { action: text, .. }
        | RunKind::Helper { command: text, .. }
        | RunKind::PreRun { command: text } => text,
        _ => return false,
    };
    ["[ -", "[[ -", "test -", "||", "command -v", "existsSync", "ls "].iter().any(|word| text.contains(word))
}

/// The part of the command that names `from`, and what names `to` in its place.
fn edit(cx: &Cx<'_>, effect: &Effect<'_>, from: &RepoPath, to: &RepoPath) -> Option<(Span, String)> {
    let bytes = cx.workspace.settings.get(&effect.path)?;
    let text = std::str::from_utf8(bytes).ok()?;
    let action = text.get(effect.span.range())?;
    let (from, to) = (std::str::from_utf8(from.as_bytes()).ok()?, std::str::from_utf8(to.as_bytes()).ok()?);
    // The directory of the agent is written as a variable, or not at all.
    let above = std::str::from_utf8(&effect.directory).ok()?;
    let below = |path| match above {
        "" => Some(path),
        above => str::strip_prefix(path, above).and_then(|rest: &str| rest.strip_prefix('/')),
    };
    let (from, to) = (below(from)?, below(to)?);
    let is_plain = to.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_'));
    let mut places = action.match_indices(from).map(|(at, _)| at);
    let (first, second) = (places.next()?, places.next());
    let start = effect.span.start + first;
    (second.is_none() && is_plain).then(|| (Span::new(start, start + from.len()), to.to_owned()))
}
