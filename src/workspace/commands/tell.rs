//! The commands that a text tells agents to run: code spans, and lines of shell fences. Knows no manifest.

use super::{Command, Runner};
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::text::Span;
use crate::workspace::mentions::is_denied;

/// Languages of fences that hold commands.
const SHELLS: &[&str] = &["bash", "console", "sh", "shell", "shell-session", "zsh"];
/// Commands of one text that are looked at, at most.
const MAX_COMMANDS: usize = 1000;

/// The scripts, targets and recipes that `document` runs in the repository's own folders.
pub(super) fn commands(document: &Document) -> Vec<Command> {
    let mut found = Vec::new();
    for code in &document.markdown.code {
        match &code.kind {
            CodeKind::Span => {
                let before = found.len();
                line(document, code.content, &mut found);
                if found.len() > before && is_denied(document, code.span) {
                    found.truncate(before);
                }
            }
            CodeKind::Fence { language, .. } if SHELLS.contains(&language.to_ascii_lowercase().as_str()) => {
                let mut at = code.content.start;
                let start = found.len();
                for text in document.slice(code.content).split_inclusive('\n') {
                    line(document, Span::new(at, at + text.trim_end().len()), &mut found);
                    // From here on the commands run in a folder that is not known.
                    if text.trim_start().trim_start_matches("$ ").starts_with("cd ") {
                        break;
                    }
                    at += text.len();
                }
                // A fence that clones another repository speaks of that one.
                if document.slice(code.content).contains("git clone") {
                    found.truncate(start);
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

/// The commands of one line, up to one that changes the folder.
fn line(document: &Document, span: Span, found: &mut Vec<Command>) {
    let text = document.slice(span);
    let text = text.split(" #").next().unwrap_or(text);
    let mut at = span.start;
    for part in text.split_inclusive(['&', '|', ';']) {
        let words = words(part, at);
        at += part.len();
        let skip = words.iter().take_while(|(word, _)| *word == "$" || is_assignment(word)).count();
        let words = &words[skip..];
        match words.first().map(|(word, _)| *word) {
            Some("cd" | "pushd") => return,
            Some("npm" | "pnpm" | "yarn" | "bun") => found.extend(script(words)),
            Some("make") => found.extend(argument(words, Runner::Make)),
            Some("just") => found.extend(argument(words, Runner::Just)),
            _ => {}
        }
    }
}

/// The words of a command with their offsets.
fn words(part: &str, at: usize) -> Vec<(&str, usize)> {
    let mut words = Vec::new();
    let mut from = 0;
    for word in part.split([' ', '\t', '&', '|', ';']) {
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

/// `run NAME` right behind the program: with options between, the script may be another package's.
fn script(words: &[(&str, usize)]) -> Option<Command> {
    let [_, (run, _), (name, at), ..] = words else { return None };
    (matches!(*run, "run" | "run-script") && !name.contains(['/', '.'])).then(|| command(Runner::Package, name, *at))?
}

/// The first word behind the program that is neither an option nor an assignment. Options with a value of their own, such as
/// `-C dir`, end the search.
fn argument(words: &[(&str, usize)], runner: Runner) -> Option<Command> {
    for (word, at) in words.iter().skip(1) {
        if is_assignment(word) || word.strip_prefix("-j").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit())) {
            continue;
        }
        return command(runner, word, *at);
    }
    None
}

fn command(runner: Runner, name: &str, at: usize) -> Option<Command> {
    let plain = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
    plain.then(|| Command { runner, name: name.to_owned(), span: Span::new(at, at + name.len()), near: None })
}
