//! `hintlint init --agent-hooks [--agent AGENT] [--user] [--remove]`: our hooks in an agent's settings, those that a project
//! shares or the user's own, and the command file that clears the plan's state. How the settings' text is edited is
//! `hooks::settings`' business.

use std::path::{Path, PathBuf};

use super::Setup;
use crate::agents::{self, HOST, HookRegistration};
use crate::base::error::{Error, Obstacle};
use crate::base::path::RepoPath;
use crate::env::Env;
use crate::hooks::settings;
use crate::world::{AbsPath, HostWorld, ReadError, World};
use crate::write::{WriteError, WriteProblem, WriteRoot, Written};

/// Where the hooks are registered.
struct HookTarget {
    /// The folder that nothing is written outside of; the repository's unless the user's own settings are meant.
    root: WriteRoot,
    folder: PathBuf,
    /// The settings below it.
    settings: String,
    /// The command file below it, and its text.
    command: Option<(String, &'static str)>,
    /// How the folder is called before these names; empty for the repository.
    shown: String,
    /// How the agent names hooks.
    form: &'static HookRegistration,
}

impl HookTarget {
    fn open(setup: &Setup, agent: Option<&str>, user: bool, env: &Env) -> Result<HookTarget, Error> {
        let unusable = |folder: &Path, error: std::io::Error| {
            Error::failed(format!("cannot write below {}: {error}", folder.display()), "check that the folder exists")
        };
        let mut callers = agents::hook_callers().filter(|caller| agent.is_none_or(|agent| agent == caller.dialect.id));
        let Some(form) = callers.next().map(|caller| &caller.registration) else {
            let known: Vec<&str> = agents::hook_callers().map(|caller| caller.dialect.id).collect();
            let said = format!("{} has no hooks that hintlint can register", agent.unwrap_or_default());
            return Err(Error::failed(said, format!("the agents are {}", known.join(", "))));
        };
        let of = |below: &dyn Fn(&str) -> String| {
            (below(form.settings), form.clear_command.map(|(path, text)| (below(path), text)))
        };
        if !user {
            let folder = setup.opened.root.clone().unwrap_or_default();
            let root = WriteRoot::new(&folder).map_err(|error| unusable(&folder, error))?;
            let (settings, command) = of(&|path| format!("{}/{path}", form.folder));
            return Ok(HookTarget { root, folder, settings, command, shown: String::new(), form });
        }
        let folder = (form.user_folder)(env).filter(|folder| folder.starts_with('/'));
        let Some(folder) = folder.map(PathBuf::from) else {
            return Err(Error::failed(
                "there is no home directory for your own settings",
                "set HOME to an absolute path",
            ));
        };
        let root = WriteRoot::create_root(&folder).map_err(|error| unusable(&folder, error))?;
        let (settings, command) = of(&str::to_owned);
        Ok(HookTarget { root, shown: format!("{}/", folder.display()), folder, settings, command, form })
    }

    fn show(&self, path: &str) -> String {
        format!("{}{path}", self.shown)
    }

    fn create(&self, setup: &mut Setup, path: &str, text: &str) {
        setup.tell(&self.show(path), self.root.create(&RepoPath::from(path), text.as_bytes()));
    }
}

/// Register the hooks.
pub(super) fn add(setup: &mut Setup, agent: Option<&str>, user: bool, env: &Env) -> Result<(), Error> {
    let target = HookTarget::open(setup, agent, user, env)?;
    let form = target.form;
    let shown = target.show(&target.settings);
    match read(&target.folder, &target.settings) {
        Err(cause) => setup.refused.push(cause.into()),
        Ok(None) => target.create(setup, &target.settings, &settings::fresh(form)),
        Ok(Some(before)) => match settings::add(&before, form) {
            Err(problem) => refuse(setup, &shown, &problem),
            Ok(after) if after == before => setup.say(&format!("{shown} has the hooks already")),
            Ok(after) => {
                if replace(setup, &target, &before, &after) {
                    setup.say(&format!("added the hooks to {shown}"));
                }
            }
        },
    }
    if let Some((command, text)) = target.command.clone() {
        target.create(setup, &command, text);
    }
    if !form.note.is_empty() && setup.refused.is_empty() {
        setup.say(form.note);
    }
    name_originals(setup, form, env);
    Ok(())
}

/// Name registered hooks that run the scripts which our hooks replace, so that the agent does not get the same text twice.
fn name_originals(setup: &mut Setup, form: &HookRegistration, env: &Env) {
    let project = setup.opened.root.clone().unwrap_or_default();
    let shared = format!("{}/{}", form.folder, form.settings);
    let local = shared.replace(".json", ".local.json");
    let mut places = vec![(project.clone(), shared, String::new()), (project, local, String::new())];
    if let Some(folder) = (form.user_folder)(env).filter(|folder| folder.starts_with('/')) {
        places.push((PathBuf::from(&folder), form.settings.to_owned(), format!("{folder}/")));
    }
    for (folder, path, shown) in places {
        let Ok(Some(text)) = read(&folder, &path) else { continue };
        for (event, script, line) in settings::running(&text, HOST.scripts) {
            setup.say(&format!(
                "{shown}{path}:{line} runs {script} on {event}: if these hooks replace that script, remove it, \
                 or the agent gets the same text twice"
            ));
        }
    }
}

/// Take away exactly what [`add`] adds.
pub(super) fn remove(setup: &mut Setup, agent: Option<&str>, user: bool, env: &Env) -> Result<(), Error> {
    let target = HookTarget::open(setup, agent, user, env)?;
    let shown = target.show(&target.settings);
    match read(&target.folder, &target.settings) {
        Err(cause) => setup.refused.push(cause.into()),
        Ok(None) => setup.say(&format!("there is no {shown}")),
        Ok(Some(text)) => match settings::remove(&text, target.form) {
            Err(problem) => refuse(setup, &shown, &problem),
            Ok(after) if after == text => setup.say(&format!("{shown} has none of hintlint's hooks")),
            Ok(after) => remove_from(setup, &target, &text, &after),
        },
    }
    let Some((command, ours)) = target.command.clone() else { return Ok(()) };
    let shown = target.show(&command);
    match read(&target.folder, &command) {
        Err(cause) => setup.refused.push(cause.into()),
        Ok(None) => {}
        Ok(Some(text)) if text == ours => {
            if delete(setup, &target, &command, &text) {
                setup.say(&format!("deleted {shown}"));
            }
        }
        Ok(Some(_)) => setup.say(&format!("{shown} was changed and is left alone")),
    }
    Ok(())
}

fn remove_from(setup: &mut Setup, target: &HookTarget, text: &str, after: &str) {
    // A file with nothing of the user's in it is ours.
    let is_ours = text == settings::fresh(target.form);
    let done = match is_ours {
        true => delete(setup, target, &target.settings, text),
        false => replace(setup, target, text, after),
    };
    if done {
        let what = if is_ours { "deleted" } else { "removed the hooks from" };
        setup.say(&format!("{what} {}", target.show(&target.settings)));
    }
}

/// The text of a file, whether git ignores it or not; `None` if there is none.
fn read(folder: &Path, path: &str) -> Result<Option<String>, Obstacle> {
    let world = HostWorld::new(Env::empty());
    match world.read(&AbsPath::from_os(folder).join(path)) {
        Ok(bytes) => match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(format!("{path} is not UTF-8 and was left alone").into()),
        },
        Err(ReadError::NotFound) => Ok(None),
        Err(error) => Err(format!("{path} cannot be read: {error}").into()),
    }
}

fn refuse(setup: &mut Setup, shown: &str, problem: &settings::SettingsProblem) {
    let settings::SettingsProblem { line, column, message } = problem;
    let help = "fix it and run this again; nothing was written to it";
    setup.refused.push(format!("{shown}:{line}:{column}: {message}\n  help: {help}"));
}

fn replace(setup: &mut Setup, target: &HookTarget, before: &str, after: &str) -> bool {
    let path = RepoPath::from(target.settings.as_str());
    let done = target.root.replace(&path, before.as_bytes(), after.as_bytes());
    is_done(setup, &target.show(&target.settings), done.map(|_: Written| ()))
}

fn delete(setup: &mut Setup, target: &HookTarget, path: &str, before: &str) -> bool {
    let done = target.root.delete(&RepoPath::from(path), before.as_bytes(), b"");
    is_done(setup, &target.show(path), done)
}

fn is_done(setup: &mut Setup, path: &str, done: Result<(), WriteError>) -> bool {
    match done {
        Ok(()) => true,
        Err(WriteError { problem: WriteProblem::NotAFile, .. }) => {
            setup.refused.push(format!("{path} is a link or no regular file, and was left alone"));
            false
        }
        Err(error) => {
            setup.refused.push(format!("{path} {error}"));
            false
        }
    }
}
