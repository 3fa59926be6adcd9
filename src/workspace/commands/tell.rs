//! The commands that a text tells agents to run: code spans, and lines of shell fences. Knows no manifest.

use std::cell::LazyCell;

use super::{CommandFolder, MentionedCommand, Runner, builds, managers, programs, services};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::parse::placeholder::is_noun;
use crate::workspace::mentions::{
    command_is_hedged, comment_denies, fence_is_doubted, is_denied, is_of_a_template, is_said, remains_of_templates,
};

/// Languages of fences that hold commands.
const SHELLS: &[&str] =
    &["bash", "console", "fish", "powershell", "sh", "shell", "shell-session", "shellscript", "zsh"];
/// Commands of one text that are looked at, at most.
const MAX_COMMANDS: usize = 1000;

/// The scripts, targets, recipes and aliases that `document` runs.
pub(super) fn commands(document: &Document) -> Vec<MentionedCommand> {
    let mut found = Vec::new();
    let remains = LazyCell::new(|| remains_of_templates(document));
    for code in &document.markdown.code {
        match &code.kind {
            CodeKind::Span => {
                let before = found.len();
                let _ = line(document, code.content, &CommandFolder::Anywhere, &mut found);
                if found.len() > before && is_denied(document, code.span) {
                    found.truncate(before);
                }
                if found.len() > before {
                    let hedged = command_is_hedged(document, code.span) || is_said(document, code.span);
                    found[before..].iter_mut().for_each(|command| command.hedged = hedged);
                }
            }
            CodeKind::Fence { language, .. } if SHELLS.contains(&language.to_ascii_lowercase().as_str()) => {
                let before = found.len();
                fence(document, code.content, &mut found);
                if found.len() > before && is_of_a_template(&remains, code.span) {
                    found.truncate(before);
                }
                if found.len() > before {
                    let (denied, hedged) = fence_is_doubted(document, code.span);
                    found[before..].iter_mut().for_each(|command| command.hedged = hedged);
                    if denied {
                        found.truncate(before);
                    }
                }
            }
            _ => {}
        }
        if found.len() > MAX_COMMANDS {
            break;
        }
    }
    found
}

fn fence(document: &Document, content: Span, found: &mut Vec<MentionedCommand>) {
    // The commands behind a clone or init belong to that repository.
    let text = document.slice(content);
    if ["git clone", "degit ", "create-", "npm init ", "cargo new ", "cargo init"]
        .iter()
        .any(|sign| text.contains(sign))
    {
        return;
    }
    let mut at = content.start;
    let mut place = CommandFolder::Anywhere;
    for text in text.split_inclusive('\n') {
        match line(document, Span::new(at, at + text.trim_end().len()), &place, found) {
            Some(next) => place = next,
            None => return,
        }
        at += text.len();
    }
}

/// The commands of one line that begins in `place`, and where the line behind it begins; `None` where it goes to a folder that
/// nobody can tell.
fn line(
    document: &Document,
    span: Span,
    place: &CommandFolder,
    found: &mut Vec<MentionedCommand>,
) -> Option<CommandFolder> {
    let text = document.slice(span);
    let (text, comment) = text.split_once(" #").unwrap_or((text, ""));
    // Of alternatives one is enough.
    if text.contains("||") || text.matches(" / ").count() > 1 || comment_denies(comment) {
        return Some(place.clone());
    }
    let mut at = span.start;
    let mut place = place.clone();
    for part in text.split_inclusive(['&', '|', ';']) {
        let words = words(part, at);
        at += part.len();
        let skip = words.iter().take_while(|(word, _)| matches!(*word, "$" | ">" | "%") || is_assignment(word)).count();
        let words = unwrapped(&words[skip..]);
        // What a comment holds, or runs only where a test holds, need not work here.
        if matches!(words.first(), Some(("#" | "[" | "[[" | "test", _))) {
            break;
        }
        // `npx turbo run x` is `turbo run x`, and so it is with nx.
        let is_through = matches!(words, [("npx" | "bunx" | "pnpm" | "yarn" | "bun", _), ("turbo" | "nx", _), ..]);
        let words = if is_through { &words[1..] } else { words };
        // `make(chan int)` calls a function.
        let calls = |&(word, at): &(&str, usize)| document.text.as_bytes().get(at + word.len()) == Some(&b'(');
        match words.first().filter(|first| !calls(first)).map(|(word, _)| *word) {
            Some("cd" | "pushd") => place = place.within(words.get(1).map(|(dir, _)| *dir)?)?,
            Some(program) => match Runner::ALL.into_iter().find(|runner| runner.programs().contains(&program)) {
                Some(Runner::Package) => found.extend(managers::script(program, words, &place)),
                Some(runner @ (Runner::Make | Runner::Just)) => found.extend(argument(words, runner, &place)),
                Some(Runner::Cargo) => {
                    found.extend(subcommand(words));
                    found.extend(cargo_targets(words));
                }
                Some(Runner::Compose) => {
                    let services = services::named(words).into_iter();
                    found.extend(
                        services.filter_map(|(name, at)| command(Runner::Compose, name, at, place.clone(), true)),
                    );
                }
                Some(Runner::PythonModule) => found.extend(module(words, &place)),
                Some(runner) if runner.is_of_builds() => {}
                None => {}
                Some(runner) => found.extend(task(program, runner, words, &place)),
            },
            None => continue,
        }
        found.extend(builds::named(words, &place));
    }
    Some(place.on_the_next_line())
}

/// The command that a program runs which only prepares for it: `mise exec -- npm run x`.
fn unwrapped<'w, 't>(words: &'w [(&'t str, usize)]) -> &'w [(&'t str, usize)] {
    let behind = |marks: &[&str]| {
        let at = words.iter().position(|(word, _)| marks.contains(word));
        at.map_or(words, |at| &words[at + 1..])
    };
    match words {
        [("mise", _), ("exec" | "x", _), ..]
        | [("devbox" | "doppler" | "dotenvx" | "infisical" | "op", _), ("run", _), ..]
        | [("direnv", _), ("exec", _), ..]
        | [("dotenv", _), ..] => behind(&["--"]),
        [("nix", _), ("develop" | "shell", _), ..] => behind(&["-c", "--command"]),
        [("time" | "corepack", _), rest @ ..] => rest,
        _ => words,
    }
}

/// The words of a command with their offsets.
fn words(part: &str, at: usize) -> Vec<(&str, usize)> {
    let mut words = Vec::new();
    let mut from = 0;
    for word in part.split([' ', '\t', '&', '|', ';', '(', ')']) {
        if !word.is_empty() {
            words.push((word, at + from));
        }
        from += word.len() + 1;
    }
    words
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// The first word behind the program that is neither an option nor an assignment.
fn argument(words: &[(&str, usize)], runner: Runner, place: &CommandFolder) -> Option<MentionedCommand> {
    let mut place = place.clone();
    let mut rest = words[1..].iter();
    while let Some(&(word, at)) = rest.next() {
        let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
        match option {
            "-C" | "--directory" if runner == Runner::Make => {
                let dir = value.or_else(|| rest.next().map(|(dir, _)| *dir));
                place = place.within(dir?)?;
            }
            // Another file, or another folder, than the one that the place tells of.
            "-f" | "--file" | "--makefile" | "--justfile" | "-d" | "--working-directory" => return None,
            "-j" | "-l" if word.len() == 2 && rest.as_slice().first().is_some_and(|(n, _)| is_number(n)) => {
                rest.next();
            }
            _ if word.starts_with('-') || is_assignment(word) => {}
            _ if matches!(word, "sure" | "sense" | "it" | "the" | "a" | "an") => return None,
            _ => {
                // `just module::recipe` needs the module at least.
                let word = if runner == Runner::Just { word.split("::").next()? } else { word };
                return command(runner, word, at, place, true);
            }
        }
    }
    None
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The program, example and package that a command of cargo's names.
fn cargo_targets(words: &[(&str, usize)]) -> Vec<MentionedCommand> {
    let mut found = Vec::new();
    let mut rest = words.iter().skip(1);
    let verb = words.iter().skip(1).map(|(word, _)| *word).find(|word| !word.starts_with(['-', '+']));
    // Another manifest, another registry.
    let elsewhere = words.iter().any(|(word, _)| word.starts_with("--manifest-path") || *word == "--git");
    let verbs = ["run", "r", "test", "t", "build", "b", "check", "c", "clippy", "bench", "doc", "nextest"];
    if elsewhere || !verb.is_some_and(|verb| verbs.contains(&verb)) {
        return found;
    }
    while let Some(&(word, at)) = rest.next() {
        if word == "--" {
            break;
        }
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some((value, at + option.len() + 1))),
            None => (word, None),
        };
        let runner = match option {
            "--bin" => Runner::CargoBin,
            "--example" => Runner::CargoExample,
            "--test" => Runner::CargoTest,
            "--bench" => Runner::CargoBench,
            "-p" | "--package" => Runner::CargoPackage,
            "-F" | "--features" => Runner::CargoFeature,
            _ => continue,
        };
        if runner == Runner::CargoFeature {
            let (names, at) = value.or_else(|| rest.next().copied()).unwrap_or_default();
            // Where a quotation mark begins, features with blanks between them follow.
            let alone = |part: &str| !part.is_empty() && !names.contains(['"', '\'', '/']);
            let named = names.split(',').filter(|part| alone(part));
            let offset = |part: &str| at + (part.as_ptr() as usize - names.as_ptr() as usize);
            found.extend(named.filter_map(|part| command(runner, part, offset(part), CommandFolder::Anywhere, true)));
            continue;
        }
        if let Some((name, at)) = value.or_else(|| rest.next().copied()) {
            found.extend(command(runner, name, at, CommandFolder::Anywhere, true));
        }
    }
    found
}

/// The module that `python -m package.module` runs.
fn module(words: &[(&str, usize)], place: &CommandFolder) -> Option<MentionedCommand> {
    // Behind a script it is an option of the script's.
    let at = 1 + words[1..].iter().take_while(|(word, _)| word.starts_with('-') && *word != "-m").count();
    words.get(at).filter(|(word, _)| *word == "-m")?;
    let (name, at) = *words.get(at + 1).filter(|(name, _)| name.contains('.') && !name.ends_with(".py"))?;
    command(Runner::PythonModule, name, at, place.clone(), true)
}

/// What other runners of tasks run.
fn task(program: &str, runner: Runner, words: &[(&str, usize)], place: &CommandFolder) -> Option<MentionedCommand> {
    // Options may take values, and other files.
    let plain = |index: usize| words.get(index).copied().filter(|(word, _)| !word.starts_with('-'));
    let (verb, at) = plain(1)?;
    let named = |index: usize, certain: bool| {
        let (name, at) = plain(index)?;
        command(runner, name, at, place.clone(), certain)
    };
    match runner {
        Runner::Mise => match verb {
            "run" | "r" => named(2, true),
            "tasks" | "task" | "t" if plain(2)?.0 == "run" => named(3, true),
            _ => None,
        },
        Runner::Deno if verb == "task" => named(2, true),
        Runner::Deno => None,
        Runner::Composer if matches!(verb, "run" | "run-script") => named(2, true),
        Runner::Composer => command(runner, verb, at, place.clone(), false),
        Runner::Python if program == "poe" => named(1, true),
        Runner::Python if verb == "run" => match plain(2)?.0 {
            "poe" => named(3, true),
            _ => named(2, false),
        },
        Runner::Python => None,
        _ => command(runner, verb, at, place.clone(), true),
    }
}

/// A subcommand that cargo does not bring itself and that is no well-known plugin: an alias.
fn subcommand(words: &[(&str, usize)]) -> Option<MentionedCommand> {
    let (name, at) = *words.iter().skip(1).find(|(word, _)| !word.starts_with(['-', '+']))?;
    let known = programs::is_builtin("cargo", name) || programs::is_builtin("cargo plugins", name);
    (!known).then(|| command(Runner::Cargo, name, at, CommandFolder::Anywhere, name == "xtask"))?
}

pub(super) fn command(
    runner: Runner,
    name: &str,
    at: usize,
    place: CommandFolder,
    certain: bool,
) -> Option<MentionedCommand> {
    let plain = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
    let is_one = plain && !stands_for_any(name);
    is_one.then(|| named(runner, name, Span::new(at, at + name.len()), place, certain))
}

/// Whether any name may stand where a text has this one.
pub(super) fn stands_for_any(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_uppercase() || !c.is_ascii_alphabetic())
        || ["my-", "my_", "your-", "your_"].iter().any(|begin| name.starts_with(begin))
        || matches!(name, "foo" | "bar" | "x" | "y" | "script" | "target" | "recipe" | "task" | "something")
        || is_name_of_any(name)
}

/// The word *name* in languages that texts are written in.
const NAME: [&str; 9] = ["isim", "naam", "name", "namn", "navn", "nazwa", "nom", "nombre", "nome"];

/// Whether a name is the word *name*, alone or behind what is to be named: `script:nome`, `task-name`.
fn is_name_of_any(name: &str) -> bool {
    let (noun, last) = name.rsplit_once([':', '-', '_']).unwrap_or(("", name));
    NAME.contains(&last) && (noun.is_empty() || is_noun(noun))
}

/// The command that runs `name`, which stands at `span`.
pub(super) fn named(runner: Runner, name: &str, span: Span, place: CommandFolder, certain: bool) -> MentionedCommand {
    MentionedCommand {
        runner,
        name: name.to_owned(),
        span,
        place,
        certain,
        may_be_program: false,
        through: None,
        hedged: false,
        beside_own: false,
        beside_defined: false,
        of_project: false,
        near: None,
        manifest: None,
    }
}

#[cfg(test)]
mod tests;
