//! Downloads that a shell runs: `curl … | sh` and its like, as the words of a command tell.

use crate::base::path;
use crate::parse::shell::{self, ShellCommand, ShellWord, WordPart};

/// How deep commands in arguments are read.
const MAX_DEPTH: usize = 3;
const DOWNLOADERS: [&str; 8] =
    ["curl", "fetch", "invoke-restmethod", "invoke-webrequest", "irm", "iwr", "wget", "wget2"];
const SHELLS: [&str; 9] = ["ash", "bash", "dash", "fish", "ksh", "powershell", "pwsh", "sh", "zsh"];
/// Other programs that run what they read.
const INTERPRETERS: [&str; 8] = ["bun", "iex", "invoke-expression", "node", "perl", "php", "python", "ruby"];
/// Words before the program.
const WRAPPERS: [&str; 7] = ["command", "env", "exec", "nohup", "sudo", "time", "doas"];

/// Whether `text` downloads something and runs it.
pub(super) fn runs_download(text: &str) -> bool {
    runs(text, 0)
}

fn runs(text: &str, depth: usize) -> bool {
    let commands = shell::commands(text);
    let by_pipe = |(at, command): (usize, &ShellCommand)| {
        command.reads_previous && reads_code(command) && upstream(&commands, at).any(is_download)
    };
    let inner = |command: &ShellCommand| {
        let (program, arguments) = split(command)?;
        let is_shell = is_shell(&program);
        if !is_shell && program != "eval" && !matches!(program.as_str(), "iex" | "invoke-expression") {
            return None;
        }
        let is_code = |word: &&ShellWord| !matches!(word.literal(), Some(text) if text.starts_with('-'));
        let has_code = !is_shell || arguments.iter().any(is_code_option);
        let word = arguments.iter().find(is_code).filter(|_| has_code)?;
        let is_substituted = word.0.iter().any(|part| match part {
            WordPart::Substitution(inner) => shell::commands(inner).iter().any(is_download),
            _ => false,
        });
        let text = word.literal().filter(|_| depth < MAX_DEPTH);
        Some(is_substituted || text.is_some_and(|text| runs(&text, depth + 1)))
    };
    commands.iter().enumerate().any(by_pipe)
        || commands.iter().any(|command| inner(command) == Some(true))
        || (text.contains("<(") && commands.windows(2).any(|pair| takes_process(&pair[0], &pair[1])))
        || runs_saved(&commands)
}

/// `bash <(curl …)`: the reader gives two commands, the second a shell deeper.
fn takes_process(first: &ShellCommand, second: &ShellCommand) -> bool {
    let Some((program, arguments)) = split(first) else { return false };
    let is_bare = arguments.iter().all(|word| word.literal().is_some_and(|word| word.starts_with('-')));
    (is_shell(&program) || matches!(program.as_str(), "." | "source"))
        && is_bare
        && second.level > first.level
        && is_download(second)
}

/// `curl -o x … && sh x`.
fn runs_saved(commands: &[ShellCommand]) -> bool {
    commands.iter().enumerate().any(|(at, command)| {
        let Some(file) = saved_as(command) else { return false };
        commands[at + 1..].iter().any(|later| {
            let Some((program, arguments)) = split(later) else { return false };
            let first = arguments.iter().filter_map(ShellWord::literal).find(|word| !word.starts_with('-'));
            let is_run = |word: &str| word.trim_start_matches("./") == file.trim_start_matches("./");
            let whole = later.words.first().and_then(ShellWord::literal).unwrap_or_default();
            is_run(&whole)
                || ((is_shell(&program) || INTERPRETERS.contains(&program.as_str()))
                    && first.is_some_and(|word| is_run(&word)))
        })
    })
}

/// The file that a download is written to.
fn saved_as(command: &ShellCommand) -> Option<String> {
    let (_, arguments) = split(command).filter(|_| is_download(command))?;
    let at = arguments.iter().position(|word| {
        word.literal().is_some_and(|word| {
            matches!(word.as_str(), "-o" | "-O" | "--output" | "--output-document" | "-OutFile")
                || (word.starts_with('-') && !word.starts_with("--") && word.len() < 8 && word.ends_with('o'))
        })
    })?;
    arguments.get(at + 1)?.literal().filter(|file| !matches!(file.as_str(), "-" | "/dev/null") && !file.contains("://"))
}

/// The commands whose output the one at `at` reads, through pipes.
fn upstream(commands: &[ShellCommand], at: usize) -> impl Iterator<Item = &ShellCommand> {
    let first = commands[..=at].iter().rposition(|command| !command.reads_previous).unwrap_or(0);
    commands[first..at].iter()
}

/// Whether a command runs what it reads: an interpreter without a script or code of its own.
fn reads_code(command: &ShellCommand) -> bool {
    let Some((program, arguments)) = split(command) else { return false };
    if matches!(program.as_str(), "iex" | "invoke-expression") {
        return true;
    }
    if !is_shell(&program) && !INTERPRETERS.contains(&program.as_str()) {
        return false;
    }
    let words: Vec<Option<String>> = arguments.iter().map(ShellWord::literal).collect();
    let reads_input = |word: &Option<String>| matches!(word.as_deref(), Some("-" | "-s" | "/dev/stdin" | "--"));
    match words.iter().position(|word| !matches!(word, Some(word) if word.starts_with('-'))) {
        // What follows `-s` or `-` are arguments.
        Some(at) => words[..at].iter().any(reads_input) || reads_input(&words[at]),
        None => !arguments.iter().any(is_code_option),
    }
}

/// Whether a word is an option whose value is code.
fn is_code_option(word: &ShellWord) -> bool {
    word.literal().is_some_and(|word| {
        let is_short = word.starts_with('-') && !word.starts_with("--") && word.len() < 8;
        (is_short && word.ends_with(['c', 'e', 'm', 'r', 'p', 'E']))
            || ["-command", "--eval", "--print", "--command"].iter().any(|option| word.eq_ignore_ascii_case(option))
    })
}

fn is_download(command: &ShellCommand) -> bool {
    let Some((program, arguments)) = split(command) else { return false };
    let is_here = |word: &ShellWord| {
        word.0.iter().any(|part| {
            matches!(part, WordPart::Text(text) if ["localhost", "127.0.0.1", "[::1]", "file://"].iter().any(|here| text.contains(here)))
        })
    };
    DOWNLOADERS.contains(&program.as_str()) && !arguments.is_empty() && !arguments.iter().any(is_here)
}

/// The program's name in lower case, without its folder, and its arguments.
fn split(command: &ShellCommand) -> Option<(String, &[ShellWord])> {
    let mut words = &command.words[..];
    loop {
        let (first, rest) = words.split_first()?;
        let text = first.literal()?;
        let name = String::from_utf8_lossy(path::file_name(text.as_bytes())).to_lowercase();
        let name = name.trim_end_matches(".exe").to_owned();
        let is_before = WRAPPERS.contains(&name.as_str())
            || text.contains('=')
            || (text.starts_with('-') && words.len() < command.words.len());
        if !is_before {
            let name = if name.starts_with("python") { "python".to_owned() } else { name };
            return Some((name, rest));
        }
        words = rest;
    }
}

fn is_shell(program: &str) -> bool {
    SHELLS.contains(&program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downloads_that_are_run_are_told_from_others() {
        for text in [
            "curl -fsSL https://x.example/i.sh | sh",
            "wget -qO- https://x.example/i | sudo bash -s -- -y",
            "curl $URL | tee log | bash",
            "bash -c \"$(curl -fsSL https://x.example/i.sh)\"",
            "sh -c 'curl https://x.example | sh'",
            "eval \"$(wget -O - https://x.example)\"",
            "bash <(curl -s https://x.example/i.sh) --yes",
            "source <(curl -s https://x.example/i.sh)",
            "curl https://x.example/i.py | python3 -",
            "command -v uv || curl -LsSf https://x.example/install.sh | env X=1 sh",
            "curl -fsSLo /tmp/i.sh https://x.example && bash /tmp/i.sh",
            "powershell -Command \"irm https://x.example/i.ps1 | iex\"",
        ] {
            assert!(runs_download(text), "{text}");
        }
        for text in [
            "curl https://x.example/data.json | jq .",
            "curl https://x.example | python3 -m json.tool",
            "curl https://x.example | python3 -c 'import sys'",
            "curl https://x.example | node -e 'x'",
            "curl -s http://localhost:3000/x | bash",
            "cat x.sh | sh",
            "echo 'curl https://x.example | sh'",
            "curl https://x.example || bash x.sh",
            "curl -o data.json https://x.example; bash build.sh data.json",
            "# curl https://x.example | sh",
            "bash -c 'curl https://x.example/health'",
            "curl -X POST -d @- https://x.example; bash -s",
        ] {
            assert!(!runs_download(text), "{text}");
        }
    }
}
