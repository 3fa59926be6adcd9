//! `hintlint init --agent-hooks [--remove]`: our hooks in the agent's settings, and the command file that clears the plan's
//! state. How the settings' text is edited is `hooks::settings`' business.

use serde_json::json;

use super::{Setup, templates};
use crate::hooks::settings;
use crate::hooks::store::hash;
use crate::path::RepoPath;
use crate::source::MAX_FILE_BYTES;
use crate::world::{AbsPath, HostWorld, ReadError, World};
use crate::write::{Problem, Root, WriteError, Written};

/// The settings that a project shares.
const SETTINGS: &str = ".claude/settings.json";
/// Where it is remembered what the settings were, below git's own folder.
const MEMORY: &str = "hintlint/agent-hooks.json";
/// The command file.
const COMMAND: &str = ".claude/commands/boulder-clear.md";

/// Register the hooks.
pub(super) fn add(setup: &mut Setup) {
    match read(setup, SETTINGS) {
        Err(problem) => setup.refused.push(problem),
        Ok(None) => {
            let text = settings::fresh();
            setup.create(SETTINGS, &text);
            remember(setup, None, &text);
        }
        Ok(Some(before)) => match settings::add(&before) {
            Err(problem) => refuse(setup, &problem),
            Ok(after) if after == before => setup.say(&format!("{SETTINGS} has the hooks already")),
            Ok(after) => {
                if replace(setup, &before, &after) {
                    remember(setup, Some(&before), &after);
                    setup.say(&format!("added the hooks to {SETTINGS}"));
                }
            }
        },
    }
    setup.create(COMMAND, templates::BOULDER_CLEAR);
}

/// Take away exactly what [`add`] adds.
pub(super) fn remove(setup: &mut Setup) {
    match read(setup, SETTINGS) {
        Err(problem) => setup.refused.push(problem),
        Ok(None) => setup.say(&format!("there is no {SETTINGS}")),
        Ok(Some(text)) => match settings::remove(&text) {
            Err(problem) => refuse(setup, &problem),
            Ok(after) if after == text => setup.say(&format!("{SETTINGS} has none of the hooks")),
            Ok(after) => remove_from(setup, &text, after),
        },
    }
    match read(setup, COMMAND) {
        Err(problem) => setup.refused.push(problem),
        Ok(None) => {}
        Ok(Some(text)) if text == templates::BOULDER_CLEAR => {
            if delete(setup, COMMAND, &text) {
                setup.say(&format!("deleted {COMMAND}"));
            }
        }
        Ok(Some(_)) => setup.say(&format!("{COMMAND} was changed and is left alone")),
    }
}

fn remove_from(setup: &mut Setup, text: &str, after: String) {
    let before = match remembered(setup, text) {
        Some(before) => before,
        // Nobody knows what was there, but a file with nothing of the user's in it is ours.
        None => (text != settings::fresh()).then_some(after),
    };
    let done = match &before {
        Some(before) => replace(setup, text, before),
        None => delete(setup, SETTINGS, text),
    };
    if done {
        let what = if before.is_some() { "took the hooks out of" } else { "deleted" };
        setup.say(&format!("{what} {SETTINGS}"));
        if let Some((folder, bytes)) = memory(setup) {
            let _ = folder.delete(&MEMORY.into(), &bytes, b"");
        }
    }
}

/// The text of a file, whether git ignores it or not; `None` if there is none.
fn read(setup: &Setup, path: &str) -> Result<Option<String>, String> {
    let root = setup.opened.root.clone().unwrap_or_default();
    let world = HostWorld::new(crate::env::Env::empty());
    match world.read(&AbsPath::from_os(&root).join(path)) {
        Ok(bytes) => match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(format!("{path} is not UTF-8 and was left alone")),
        },
        Err(ReadError::NotFound) => Ok(None),
        Err(error) => Err(format!("{path} cannot be read: {error}")),
    }
}

fn refuse(setup: &mut Setup, problem: &settings::Problem) {
    let settings::Problem { line, column, message } = problem;
    let help = "mend it and run this again; nothing was written to it";
    setup.refused.push(format!("{SETTINGS}:{line}:{column}: {message}\n  help: {help}"));
}

fn replace(setup: &mut Setup, before: &str, after: &str) -> bool {
    let done = setup.root.replace(&RepoPath::from(SETTINGS), before.as_bytes(), after.as_bytes());
    is_done(setup, SETTINGS, done.map(|_: Written| ()))
}

fn delete(setup: &mut Setup, path: &str, before: &str) -> bool {
    let done = setup.root.delete(&RepoPath::from(path), before.as_bytes(), b"");
    is_done(setup, path, done)
}

fn is_done(setup: &mut Setup, path: &str, done: Result<(), WriteError>) -> bool {
    match done {
        Ok(()) => true,
        Err(WriteError { problem: Problem::NotAFile, .. }) => {
            setup.refused.push(format!("{path} is a link or no regular file, and was left alone"));
            false
        }
        Err(error) => {
            setup.refused.push(format!("{path} {error}"));
            false
        }
    }
}

/// Git's own folder, in which nothing is ever committed. None outside git.
fn git_folder(setup: &Setup) -> Option<Root> {
    Root::new(setup.opened.git_dir.as_ref()?).ok()
}

/// The folder and the bytes of the file that keeps what the settings were.
fn memory(setup: &Setup) -> Option<(Root, Vec<u8>)> {
    let folder = git_folder(setup)?;
    let bytes = folder.get(&MEMORY.into(), MAX_FILE_BYTES)?;
    Some((folder, bytes))
}

/// Remember what the settings were. A failure is not worth stopping for: empty lists that were there will be missed.
fn remember(setup: &Setup, before: Option<&str>, after: &str) {
    let Some(folder) = git_folder(setup).filter(|_| setup.refused.is_empty()) else { return };
    let memory = json!({"before": before, "after": hash(after.as_bytes())}).to_string();
    let _ = folder.put(&MEMORY.into(), memory.as_bytes());
}

/// What the settings were before they became `text`; the inner `None` if there were none.
fn remembered(setup: &Setup, text: &str) -> Option<Option<String>> {
    let kept: serde_json::Value = serde_json::from_slice(&memory(setup)?.1).ok()?;
    let is_it = kept.get("after")?.as_str() == Some(&hash(text.as_bytes()));
    is_it.then(|| kept.get("before").and_then(|before| before.as_str()).map(str::to_owned))
}
