//! What package managers run: scripts of `package.json`, and which of the words behind one are the manager's own options.

use super::tell::command;
use super::{CommandFolder, MentionedCommand, Runner, programs};

/// Options of package managers with a value behind them.
const WITH_VALUE: [&str; 11] = [
    "-C",
    "--cwd",
    "--dir",
    "--env-file",
    "--filter",
    "--filter-prod",
    "-F",
    "--loglevel",
    "--prefix",
    "--reporter",
    "--workspace-concurrency",
];

/// The words of a package manager's command without those that the script gets, and the script with its own words.
///
/// pnpm 10.34, bun 1.4 and yarn 1.22 hand everything behind the script's name on, their own options too; npm 11 reads its options up
/// to `--`. Tried 2026-11 with each of them.
pub(super) fn split_at_script<'w, 't>(
    words: &'w [(&'t str, usize)],
) -> (&'w [(&'t str, usize)], Option<Handed<'w, 't>>) {
    let end = match words.first() {
        Some(("npm", _)) => words.iter().position(|(word, _)| *word == "--"),
        Some((program @ ("pnpm" | "yarn" | "bun"), _)) => script_at(program, words).map(|at| at + 1),
        _ => None,
    };
    let Some(end) = end else { return (words, None) };
    let is_npm = words[0].0 == "npm";
    let script = match is_npm {
        true => words[..end].iter().position(|(word, _)| matches!(*word, "run" | "run-script")).map(|run| run + 1),
        false => Some(end - 1),
    };
    let script = script.and_then(|at| words[..end].get(at));
    (&words[..end], script.map(|(script, _)| Handed { script, words: &words[end..] }))
}

/// What a script is handed.
pub(super) struct Handed<'w, 't> {
    /// The script's name.
    pub(super) script: &'t str,
    /// The words behind it.
    pub(super) words: &'w [(&'t str, usize)],
}

/// Where the script stands in a command of pnpm, yarn or bun, or the command behind which the words are another program's.
fn script_at(program: &str, words: &[(&str, usize)]) -> Option<usize> {
    let mut at = 1;
    let mut is_named = false;
    while let Some(&(word, _)) = words.get(at) {
        match word {
            "--" => return None,
            _ if word.starts_with('-') => at += usize::from(WITH_VALUE.contains(&word)),
            _ if is_named => return Some(at),
            "run" | "run-script" => is_named = true,
            "recursive" | "multi" | "m" if program == "pnpm" => {}
            "workspace" if program == "yarn" => at += 1,
            "exec" | "dlx" | "create" | "x" => return Some(at),
            "test" | "t" if program == "bun" => return None,
            "test" | "t" | "start" | "stop" | "restart" => return Some(at),
            _ if programs::is_builtin(program, word) => return None,
            _ => return Some(at),
        }
        at += 1;
    }
    None
}

/// What a package manager runs: `run NAME`, `test`, `start`, and the scripts that yarn, pnpm and bun run without `run`.
pub(super) fn script(program: &str, words: &[(&str, usize)], place: &CommandFolder) -> Option<MentionedCommand> {
    // The script need not be there.
    if words.iter().any(|(word, _)| *word == "--if-present") {
        return None;
    }
    let mut place = place.clone();
    let mut plain: Vec<(&str, usize)> = Vec::new();
    let (own, _) = split_at_script(words);
    let mut rest = own[1..].iter();
    while let Some(&(word, at)) = rest.next() {
        if word == "--" {
            break;
        }
        let (option, mut value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
        let mut take = || {
            value.take().or_else(|| rest.next().map(|(value, _)| *value)).map(|value| value.trim_matches(['\'', '"']))
        };
        match option {
            "-C" | "--dir" | "--cwd" | "--prefix" => place = place.within(take()?)?,
            "-w" | "--workspace" if program == "npm" => place = CommandFolder::Package(take()?.to_owned()),
            "--filter" | "-F" if program != "npm" => place = CommandFolder::Package(take()?.to_owned()),
            // In all packages, or in the root's.
            "-r" | "--recursive" | "-ws" | "--workspaces" | "-w" | "--workspace-root" => {
                place = CommandFolder::Anywhere
            }
            _ if word.starts_with('-') => {}
            _ => {
                plain.push((word, at));
                // The words behind a script of turbo's and lerna's are none of a manager.
                let has_script = plain.len() >= 2 && matches!(plain[0].0, "run" | "run-script");
                if has_script && matches!(program, "turbo" | "lerna") {
                    break;
                }
            }
        }
    }
    named_by(program, &plain, place)
}

/// The script that the words without options name, of a command that runs in `place`.
fn named_by(program: &str, plain: &[(&str, usize)], place: CommandFolder) -> Option<MentionedCommand> {
    let (verb, at) = *plain.first()?;
    let named = |index: usize, place: CommandFolder, certain| {
        let (name, at) = *plain.get(index)?;
        let found = command(Runner::Package, name, at, place, certain)?;
        // Bun runs files by the same word, and what stands without `run` may be any program.
        let is_file = found.name.contains('.') && (!certain || program == "bun" || names_a_file(&found.name));
        (!is_file).then_some(found)
    };
    match verb {
        "run" | "run-script" => {
            // These two also run what packages install.
            let may_be_program = matches!(program, "bun" | "yarn");
            named(1, place, true).map(|command| MentionedCommand { may_be_program, ..command })
        }
        "workspaces" if program == "yarn" => {
            let index = plain.iter().position(|(word, _)| *word == "run")? + 1;
            named(index, CommandFolder::Anywhere, true)
                .map(|command| MentionedCommand { may_be_program: true, ..command })
        }
        _ if matches!(program, "turbo" | "lerna") => None,
        "workspace" if program == "yarn" => {
            let place = CommandFolder::Package(plain.get(1)?.0.to_owned());
            let index = if plain.get(2).is_some_and(|(word, _)| *word == "run") { 3 } else { 2 };
            named(index, place, index == 3)
        }
        "test" | "t" if program == "bun" || program == "npm" && verb == "t" => None,
        "test" | "start" | "stop" | "restart" => command(Runner::Package, verb, at, place, true),
        _ if program == "npm" || programs::is_builtin(program, verb) => None,
        _ => named(0, place, false),
    }
}

/// Whether a word ends as the name of a script file does.
fn names_a_file(word: &str) -> bool {
    let ending = word.rsplit('.').next().unwrap_or_default();
    matches!(ending, "cjs" | "cts" | "js" | "json" | "jsx" | "mjs" | "mts" | "py" | "sh" | "ts" | "tsx")
}
