//! `missing-hook-command`: a script that settings run is not there, or cannot be executed.

use super::effects::{Effect, effects};
use super::script_places::{
    below_ignored_cwd, is_made_from_template, is_put_away, is_right_from_root, is_unix, quoted_variable, successor,
};
use super::{entered, one_disk};
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

static INFO: RuleInfo = RuleInfo {
    name: "missing-hook-command",
    group: Group::Settings,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "a script that settings run is not there or not executable",
    explanation: "\
## What it does
Reports scripts that hooks, servers and helper commands name by a path in the repository and that are not there, or that are
started as programs but tracked without the executable bit. Files that git ignores are passed over, since they may be
built, and so are commands that test for the file. A script that was never in the repository, outside of agents' folders, is a
warning, and so is an absolute path that is there on one machine alone, outside of that person's own settings and of a home that is in git: into a home, such as
`/Users/jane/…`, onto a drive, such as `/mnt/e/…`, or to a checkout of this repository.

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
            for path in named.missing.iter().filter(|path| scripts.missing.get(*path) == Some(&Probe::Absent)) {
                findings.extend(missing(cx, &effect, path));
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
        findings.extend(one_disk::of_editors(cx, INFO.name));
    }
}

/// A hook whose `cwd` is no folder: it is not even started.
fn without_folder(cx: &Cx<'_>, effect: &Effect<'_>) -> Option<Finding> {
    let RunKind::Hook { event, .. } = &effect.item.kind else { return None };
    let folder = effect.absent_folder(cx)?;
    if cx.workspace.scripts.missing.get(&folder) != Some(&Probe::Absent) || is_built(folder.as_bytes()) {
        return None;
    }
    let (shown, event) = (sanitize::path(&folder).to_string(), sanitize::line(event));
    let message = format!("there is no folder `{shown}`, the `cwd` of this {event} hook, so the hook never starts");
    let cause = Cause {
        key: format!("cwd {} {shown}", effect.path.to_str_lossy()),
        subject: format!("`{shown}`"),
        many: "are the `cwd` of hooks that never start, since there is no such folder",
        help: None,
    };
    let help = "name the folder as seen from the root of the repository, or remove `cwd`";
    Some(effect.finding(INFO.name, Level::Error, message).cause(cause).help(help))
}

/// A command with a path into one person's home, where the file is for all.
fn on_one_disk(cx: &Cx<'_>, effect: &Effect<'_>, is_entered: bool) -> Option<Finding> {
    let words = match &effect.item.kind {
        RunKind::Hook { action: text, .. } | RunKind::Helper { command: text, .. } => std::slice::from_ref(text),
        RunKind::Server { command, .. } => command,
        _ => return None,
    };
    if cx.workspace.personal_settings.contains(&effect.path) || cx.workspace.is_a_home() {
        return None;
    }
    let (folder, what, help) = match words.iter().find_map(|word| one_disk::find(word)) {
        Some(one) => {
            (one.folder.to_owned(), one.what, "name the file from the root of the repository, or by `$HOME`".to_owned())
        }
        None => {
            let (folder, file) = words.iter().find_map(|word| one_disk::checkout(cx, word))?;
            (folder, "a checkout on one machine", format!("the file is here as `{}`", sanitize::line(&file)))
        }
    };
    let comes_of_it = match &effect.item.kind {
        RunKind::Hook { event, action, .. } if is_entered && entered::follows_cd(action, &folder) => {
            format!("nothing behind `cd` runs in this {} hook", sanitize::line(event))
        }
        _ if is_started(words, &folder) => effect_is(effect),
        _ => finds_nothing(effect),
    };
    let (folder_as_written, folder) = (folder.clone(), sanitize::line(&folder));
    let message = format!("`{folder}` is {what}: on other machines {comes_of_it}");
    let cause = Cause {
        key: format!("{} {folder}", effect.path.to_str_lossy()),
        subject: format!("`{folder}`"),
        many: "exist on one machine only",
        help: None,
    };
    // Where the repository gives the very same path each machine is to have it.
    let is_told =
        || !what.contains("person") && words.iter().any(|word| entered::is_told(cx, word, &folder_as_written));
    let is_lower = is_made_from_template(cx, &effect.path) || is_told();
    let level = if is_lower { Level::Info } else { Level::Warning };
    Some(effect.finding(INFO.name, level, message).cause(cause).help(help))
}

/// Words that stand before what is started: programs that run others or interpret scripts, and values of their options.
const BEFORE: [&str; 19] = [
    "bash",
    "bun",
    "bypass",
    "cd",
    "cmd",
    "deno",
    "env",
    "exec",
    "node",
    "npx",
    "powershell",
    "pwsh",
    "python",
    "python3",
    "run",
    "sh",
    "tsx",
    "uv",
    "zsh",
];

/// Whether a file in the folder is started, as a program or as a script, and not only named in an argument or in code.
fn is_started(words: &[String], folder: &str) -> bool {
    let text = words.join(" ");
    let Some(before) = text.find(folder).map(|at| &text[..at]) else { return false };
    let start = before.rfind(['&', '|', ';', '(', '\n']).map_or(0, |at| at + 1);
    before[start..].split_whitespace().all(|word| {
        let word = word.trim_matches(['"', '\'', '\\']);
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
        let is_option = word.starts_with(['-', '/']) && !matches!(word, "-c" | "-e" | "-m" | "-Command");
        word.is_empty() || is_option || shell::is_assignment(word) || BEFORE.contains(&name.trim_end_matches(".exe"))
    })
}

/// What comes of it where the folder is named in an argument.
fn finds_nothing(effect: &Effect<'_>) -> String {
    match &effect.item.kind {
        RunKind::Hook { event, .. } => format!("this {} hook does not find it", sanitize::line(event)),
        RunKind::Server { name, .. } => format!("the server {} does not find it", sanitize::line(name)),
        RunKind::Helper { key, .. } => format!("`{}` does not find it", sanitize::line(key)),
        _ => "this command does not find it".to_owned(),
    }
}

/// Code that an agent loads by itself is no command.
fn is_command(kind: &RunKind) -> bool {
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

/// A file that is there, behind a variable that single quotes keep as it stands.
fn in_single_quotes(cx: &Cx<'_>, effect: &Effect<'_>, path: &RepoPath) -> Option<Finding> {
    let variable = quoted_variable(cx, effect, path)?;
    let fails = format!("so {}{}", effect_is(effect), refused(effect));
    let message = format!("single quotes keep `{variable}` as it stands, {fails}");
    let cause = Cause {
        key: format!("quotes {variable} {fails}"),
        subject: format!("`{variable}`"),
        many: "stand in single quotes, which keep them as they stand, so the commands fail",
        help: None,
    };
    let finding = effect.finding(INFO.name, Level::Error, message).cause(cause);
    Some(finding.help(format!("put double quotes around the path: the file is there, and `{variable}` leads to it")))
}

fn missing(cx: &Cx<'_>, effect: &Effect<'_>, path: &RepoPath) -> Option<Finding> {
    let shown = path.to_str_lossy().into_owned();
    let is_of_agent = path.parent().split(|&byte| byte == b'/').any(files::is_agent_folder);
    if let Some(finding) = behind_cwd(cx, effect, path).or_else(|| in_single_quotes(cx, effect, path)) {
        return Some(finding);
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

/// The commit that took a file away: what it took is one cause, whichever files name it.
fn commit_of(fate: &Fate) -> Option<&CommitRef> {
    match fate {
        Fate::Deleted { commit } | Fate::Gone { commit } | Fate::Renamed { commit, .. } => commit.as_ref(),
        _ => None,
    }
}

/// What comes of it.
fn effect_is(effect: &Effect<'_>) -> String {
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
fn tests_for_files(kind: &RunKind) -> bool {
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
