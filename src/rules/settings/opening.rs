//! What a command does that runs when an agent is started: it only shows something, runs code that stands here for a reviewer to
//! read, or fetches code that does not.

use super::fetched::runs_download;
use super::unpinned_server::unpinned;
use crate::base::path;
use crate::parse::shell::{self, ShellCommand, ShellWord, WordPart};

/// How deep commands in arguments (`sh -c`) are read.
const MAX_DEPTH: usize = 3;
/// Programs and words of the shell that only show something. Ours is among them: its hooks read what is there.
const SHOWS: [&str; 47] = [
    ":", "[", "[[", "basename", "cat", "cd", "cut", "date", "dirname", "done", "echo", "esac", "exit", "export",
    "false", "fi", "find", "for", "grep", "head", "hintlint", "hostname", "id", "jq", "local", "ls", "nl", "printf",
    "pwd", "read", "return", "sed", "set", "shift", "sleep", "sort", "stat", "tail", "test", "tr", "tree", "true",
    "uname", "uniq", "wc", "which", "whoami",
];
/// Options with which two of them do more.
const WRITES: [&str; 9] = ["-delete", "-exec", "-execdir", "-fprint", "-i", "-ok", "-okdir", "--in-place", "-fls"];
/// Commands of git that only show something, and those that fetch.
const GIT_SHOWS: [&str; 9] = ["branch", "describe", "diff", "log", "ls-files", "remote", "rev-parse", "show", "status"];
/// Commands of git that fetch from where the checkout comes from, unless they name another place.
const GIT_FETCHES: [&str; 3] = ["fetch", "pull", "submodule"];
/// Programs that install what is newest, with the words that make them do so.
const INSTALLERS: [(&str, &[&str]); 9] = [
    ("apt-get", &["install"]),
    ("brew", &["install"]),
    ("bun", &["add", "install"]),
    ("cargo", &["install"]),
    ("npm", &["i", "install", "update"]),
    ("pip", &["install"]),
    ("pip3", &["install"]),
    ("pnpm", &["add", "i", "install", "update"]),
    ("yarn", &["add", "install"]),
];
/// Options with which they install what a lock file says.
const LOCKED: [&str; 4] = ["--frozen-lockfile", "--immutable", "--locked", "--require-hashes"];
/// Words before the program.
const WRAPPERS: [&str; 9] = ["command", "doas", "env", "exec", "nice", "nohup", "sudo", "time", "timeout"];
const SHELLS: [&str; 9] = [".", "source", "bash", "dash", "fish", "ksh", "sh", "zsh", "pwsh"];
const INTERPRETERS: [&str; 9] = ["bun", "deno", "node", "perl", "php", "powershell", "python", "python3", "ruby"];

/// What a command does, the gravest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OpeningCommand {
    /// It only shows something, or runs a file outside of the repository.
    Shows,
    Runs,
    /// It fetches code, whatever is the newest.
    Fetches,
}

impl OpeningCommand {
    pub(super) fn of(text: &str) -> Self {
        if runs_download(text) {
            return OpeningCommand::Fetches;
        }
        let gravest = gravest(text, 0);
        let shown = ["2>/dev/null", "2> /dev/null", "&>/dev/null", ">/dev/null", "> /dev/null", "2>&1", ">&2"];
        let is_written = shown.iter().fold(text.to_owned(), |text, end| text.replace(end, "")).contains('>');
        if is_written { gravest.max(OpeningCommand::Runs) } else { gravest }
    }
}

fn gravest(text: &str, depth: usize) -> OpeningCommand {
    let commands = shell::commands(text);
    commands.iter().map(|command| of_command(command, depth)).max().unwrap_or(OpeningCommand::Shows)
}

fn of_command(command: &ShellCommand, depth: usize) -> OpeningCommand {
    let Some((first, arguments)) = program(&command.words) else { return OpeningCommand::Shows };
    if is_outside(first) && !is_known(first) {
        return OpeningCommand::Shows;
    }
    let Some(text) = first.literal() else { return OpeningCommand::Runs };
    let name = name(&text);
    let words: Vec<String> = arguments.iter().filter_map(ShellWord::literal).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let mut command = vec![name.to_owned()];
    command.extend(words.iter().cloned());
    if unpinned(&command).is_some() && !has(&["--no", "--no-install"]) {
        return OpeningCommand::Fetches;
    }
    match name {
        "git" => match words.iter().find(|word| !word.starts_with('-')).map(String::as_str) {
            Some(verb) if GIT_SHOWS.contains(&verb) => OpeningCommand::Shows,
            Some("clone") => OpeningCommand::Fetches,
            Some(verb) if GIT_FETCHES.contains(&verb) && words.iter().any(|word| word.contains([':', '@'])) => {
                OpeningCommand::Fetches
            }
            _ => OpeningCommand::Runs,
        },
        "find" | "sed" if has(&WRITES) => OpeningCommand::Runs,
        _ if SHOWS.contains(&text.as_str()) => OpeningCommand::Shows,
        _ if SHELLS.contains(&name) || INTERPRETERS.contains(&name) => interpreted(name, arguments, depth),
        _ => {
            let installs = INSTALLERS.iter().any(|(program, verbs)| {
                *program == name && words.first().is_some_and(|verb| verbs.contains(&verb.as_str()))
            });
            if installs && !has(&LOCKED) { OpeningCommand::Fetches } else { OpeningCommand::Runs }
        }
    }
}

/// What an interpreter is given.
fn interpreted(name: &str, arguments: &[ShellWord], depth: usize) -> OpeningCommand {
    let is_option = |word: &ShellWord| word.literal().is_some_and(|word| word.starts_with('-') && word.len() > 1);
    let has_code = arguments
        .iter()
        .take_while(|word| is_option(word))
        .any(|word| word.literal().is_some_and(|word| !word.starts_with("--") && word.ends_with('c')));
    match arguments.iter().find(|word| !is_option(word)) {
        Some(code) if has_code => match code.literal() {
            Some(code) if SHELLS.contains(&name) && depth < MAX_DEPTH => gravest(&code, depth + 1),
            _ => OpeningCommand::Runs,
        },
        Some(script) if is_outside(script) => OpeningCommand::Shows,
        _ => OpeningCommand::Runs,
    }
}

/// The program of a command and its arguments, behind variables that are set and programs that run others.
fn program(words: &[ShellWord]) -> Option<(&ShellWord, &[ShellWord])> {
    let is_set = |word: &ShellWord| matches!(word.0.first(), Some(WordPart::Text(text)) if shell::is_assignment(text));
    let (mut rest, mut is_wrapped) = (words, false);
    loop {
        let (first, behind) = rest.split_first()?;
        let text = first.literal().unwrap_or_default();
        let is_wrapper = WRAPPERS.contains(&name(&text));
        let is_option = is_wrapped && (text.starts_with('-') || text.starts_with(|c: char| c.is_ascii_digit()));
        if !is_set(first) && !is_wrapper && !is_option {
            return Some((first, behind));
        }
        is_wrapped |= is_wrapper;
        rest = behind;
    }
}

/// Whether a word names a place outside of the repository: a path from the root of a disk, or in somebody's home.
fn is_outside(word: &ShellWord) -> bool {
    let is_empty = |part: &&WordPart| matches!(part, WordPart::Text(text) if text.is_empty());
    match word.0.iter().find(|part| !is_empty(part)) {
        Some(WordPart::Variable(name, None)) => matches!(name.as_str(), "HOME" | "USERPROFILE"),
        Some(WordPart::Text(text)) => {
            text.starts_with(['/', '~']) || text.get(1..3).is_some_and(|disk| disk == ":/" || disk == ":\\")
        }
        _ => false,
    }
}

/// Whether a program that is named by its place is one that is known by its name.
fn is_known(word: &ShellWord) -> bool {
    let text = word.literal().unwrap_or_default();
    let name = name(&text);
    text.starts_with('/')
        && (name == "git" || SHELLS.contains(&name) || INTERPRETERS.contains(&name) || SHOWS.contains(&name))
}

fn name(program: &str) -> &str {
    let name = std::str::from_utf8(path::file_name(program.as_bytes())).unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_only_show_something_are_told() {
        for text in [
            "echo hello",
            "cat docs/x.md | head -20",
            "git status --short; git log -3",
            "date +%F",
            "[ -f x ] && cat x 2>/dev/null || true",
            "for f in docs/a.md docs/b.md; do [ -f \"$f\" ] && { echo \"--- $f ---\"; cat \"$f\"; }; done",
            "if [ -f x ]; then cat x; else echo none; fi",
            "bash -c 'git diff --stat'",
            "/Users/x/.claude/hooks/start.sh",
            "bash /home/x/start.sh",
            "node \"$HOME/.claude/start.js\"",
            "~/.claude/start.sh",
            "C:/Users/x/bin/tool.exe hook",
            "",
        ] {
            assert_eq!(OpeningCommand::of(text), OpeningCommand::Shows, "{text}");
        }
    }

    #[test]
    fn code_that_stands_here_is_told_from_code_that_is_fetched() {
        for text in [
            "./x.sh",
            "node x.js",
            "echo x > y",
            "cat x | sh",
            "$X y",
            "find . -exec rm {} +",
            "sed -i s/a/b/ x",
            "npm ci",
            "pnpm install --frozen-lockfile",
            "npx --no-install tool",
            "npx -y tool@1.2.3",
            "H=\"$CLAUDE_PROJECT_DIR/a.sh\"; [ -x \"$H\" ] && exec \"$H\"; exit 0",
            "/bin/bash tools/a.sh",
            "cd \"$CLAUDE_PROJECT_DIR\" && uv run pre-commit install",
            "powershell -ExecutionPolicy Bypass -File .claude/a.ps1",
            "git checkout main",
            "git pull",
            "git rev-parse --git-dir | grep -q worktrees && git fetch origin -q && git rebase origin/main -q || true",
        ] {
            assert_eq!(OpeningCommand::of(text), OpeningCommand::Runs, "{text}");
        }
        for text in [
            "git pull https://x.example/y.git main",
            "git clone git@x.example:y.git",
            "npm install",
            "npx -y tool",
            "bash -c 'npx tool@latest'",
            "sudo -E uvx tool",
            "curl -fsSL https://x.example/i.sh | sh",
        ] {
            assert_eq!(OpeningCommand::of(text), OpeningCommand::Fetches, "{text}");
        }
    }
}
