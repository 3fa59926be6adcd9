//! What the commands of builds name beside a script: packages of a workspace, projects, modules, environments and tasks.

use super::{CommandFolder, MentionedCommand, Runner, elixir, jvm, members, sessions, tell, toolchains};
use crate::base::text::Span;

/// The values of an option, separated by commas, each with its offset.
pub(super) fn list_of<'t>(words: &[(&'t str, usize)], options: &[&str]) -> Vec<(&'t str, usize)> {
    let option = words.iter().position(|(word, _)| options.contains(word));
    let Some(&(list, mut at)) = option.and_then(|option| words.get(option + 1)) else { return Vec::new() };
    let mut parts = Vec::new();
    for part in list.split(',') {
        parts.push((part, at));
        at += part.len() + 1;
    }
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

/// The words of a command, for tests to which their offsets are nothing.
#[cfg(test)]
pub(super) fn words(command: &str) -> Vec<(&str, usize)> {
    command.split(' ').map(|word| (word, 0)).collect()
}

/// The packages, projects, modules and tasks that the commands of builds name, and what needs a project of a toolchain.
pub(super) fn named(words: &[(&str, usize)], place: &CommandFolder) -> Vec<MentionedCommand> {
    let one = |runner: Runner, (name, at): (&str, usize)| {
        let place = if runner == Runner::Member { CommandFolder::Anywhere } else { place.clone() };
        tell::named(runner, name, Span::new(at, at + name.len()), place, runner != Runner::Rake)
    };
    let mut found: Vec<MentionedCommand> = Vec::new();
    found.extend(members::packages(words).into_iter().map(|name| one(Runner::Member, name)));
    found.extend(
        members::handed_on(words)
            .into_iter()
            .map(|(name, script)| MentionedCommand { through: Some(script.to_owned()), ..one(Runner::Member, name) }),
    );
    found.extend(members::project(words).map(|name| one(Runner::Nx, name)));
    found.extend(jvm::projects(words).into_iter().map(|name| one(Runner::Gradle, name)));
    found.extend(jvm::modules(words).into_iter().map(|name| one(Runner::Maven, name)));
    found.extend(sessions::environments(words).into_iter().map(|name| one(Runner::Tox, name)));
    found.extend(sessions::sessions(words).into_iter().map(|name| one(Runner::Nox, name)));
    found.extend(sessions::task(words).map(|name| one(Runner::Rake, name)));
    found.extend(sessions::project(words).map(|name| one(Runner::Dotnet, name)));
    // What stands for any is written in other letters than these.
    let is_plain =
        |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '/' | '@'));
    found.retain(|command| is_plain(&command.name) && !tell::stands_for_any(&command.name));
    found
        .extend(elixir::named(words).and_then(|(task, at)| tell::command(Runner::Mix, task, at, place.clone(), false)));
    if let Some((program, verb)) = toolchains::named(words) {
        let span = Span::new(words[0].1, words[1].1 + verb.len());
        found.push(tell::named(Runner::Toolchain, &format!("{program} {verb}"), span, place.clone(), true));
    }
    found
}
