//! The paths that commands read or run, in code spans and shell fences. Knows the text alone.

use super::{led, token, tried};
use crate::agents::files::is_agent_name;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};

/// Paths in commands of one text, at most.
const MAX_PATHS: usize = 1000;

/// Programs that read the files they are given.
const READERS: &[&str] = &[
    ".",
    "ansible-playbook",
    "awk",
    "bash",
    "bat",
    "biome",
    "black",
    "bun",
    "bunx",
    "cargo",
    "cat",
    "chmod",
    "clang-format",
    "cypress",
    "dart",
    "deno",
    "diff",
    "docker",
    "docker-compose",
    "dotnet",
    "env",
    "eslint",
    "fish",
    "flutter",
    "forge",
    "go",
    "golangci-lint",
    "gradle",
    "grep",
    "hadolint",
    "hardhat",
    "hatch",
    "head",
    "helm",
    "isort",
    "k6",
    "java",
    "jest",
    "jq",
    "julia",
    "just",
    "kubectl",
    "less",
    "locust",
    "lua",
    "make",
    "mocha",
    "mypy",
    "node",
    "nodejs",
    "npm",
    "npx",
    "pdm",
    "perl",
    "php",
    "phpunit",
    "pip",
    "pip3",
    "playwright",
    "pnpm",
    "poetry",
    "powershell",
    "prettier",
    "psql",
    "pwsh",
    "py",
    "pylint",
    "pytest",
    "python",
    "python3",
    "rg",
    "Rscript",
    "rspec",
    "ruby",
    "ruff",
    "sed",
    "sh",
    "shellcheck",
    "source",
    "sqlite3",
    "streamlit",
    "sudo",
    "tail",
    "terraform",
    "time",
    "ts-node",
    "tsc",
    "tsx",
    "uv",
    "vitest",
    "wc",
    "wrangler",
    "yarn",
    "yq",
    "zsh",
];

/// Programs that run the tests in the files and folders that they are given.
const TESTERS: &[&str] = &["jest", "mocha", "phpunit", "pytest", "rspec", "vitest"];

/// Words behind which a program is told where to write.
const WRITES: &[&str] =
    &[">", ">>", "2>", "&>", "tee", "-o", "-O", "--out", "--out-file", "--outfile", "--output", "--output-file"];

/// Programs that run the file they are given.
const INTERPRETERS: &[&str] = &[
    "bash", "bun", "node", "perl", "php", "python", "python3", "Rscript", "ruby", "sh", "source", "ts-node", "tsx",
    "zsh",
];

/// Programs that run the file which they are given behind `run`.
const RUNNERS: &[&str] = &["bun", "dart", "deno", "uv"];

/// Options whose value, behind `=`, is a file or folder that is there.
const READS: &[&str] = &["--config", "--cwd", "--dir", "--file", "--manifest-path", "--prefix", "--project", CHDIR];

/// The option by which a program goes to a folder of this repository before it does anything: nobody writes it for another.
const CHDIR: &str = "-chdir";

/// Programs whose arguments with one of these endings are files that they run.
const RUN_ARGUMENTS: &[(&str, [&str; 2])] = &[("ansible-playbook", [".yml", ".yaml"])];

/// Programs that ask a cluster for things by kind and name.
const CLUSTERS: &[&str] = &["helm", "k9s", "kubectl", "oc"];

/// Kinds of such things.
const RESOURCES: &[&str] = &[
    "cm",
    "configmap",
    "cronjob",
    "cronjobs",
    "daemonset",
    "deploy",
    "deployment",
    "deployments",
    "ds",
    "ing",
    "ingress",
    "job",
    "jobs",
    "namespace",
    "node",
    "nodes",
    "ns",
    "pod",
    "pods",
    "pv",
    "pvc",
    "rs",
    "replicaset",
    "secret",
    "secrets",
    "service",
    "services",
    "statefulset",
    "sts",
    "svc",
];

/// Whether a word names a thing of a cluster: `deployment/web`.
fn is_resource(word: &str) -> bool {
    let (kind, name) = word.split_once('/').unwrap_or((word, ""));
    let kind = kind.split('.').next().unwrap_or(kind);
    RESOURCES.contains(&kind) && !name.is_empty() && !name.contains(['/', '.'])
}

/// Options before a file that is there.
const TAKES_FILE: &[&str] = &["-f", "-r", "--config", "--env-file", "--file", "--requirement", "-c"];

/// Whether a shell can run a file of this name: one of a programming language needs its program before it, unless `./` says
/// that it may be run.
fn can_be_run(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    if program.ends_with('/') {
        return false;
    }
    program.starts_with("./")
        || program.starts_with("../")
        || ending.is_none_or(|ending| matches!(ending, "bash" | "bat" | "cmd" | "mjs" | "ps1" | "py" | "sh" | "zsh"))
}

/// What a command does with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It runs the file.
    Runs,
    /// It goes to the folder.
    Enters,
    /// It runs the tests there.
    Tests,
    /// It is given the path.
    Takes,
}

/// A path in a command.
#[derive(Debug)]
pub(super) struct CommandPath {
    /// Where it stands.
    pub(super) span: Span,
    /// What for.
    pub(super) used: Use,
    /// The folder to which lines before went; empty for that in which the text's commands begin.
    pub(super) folder: String,
    /// The fence in which the command stands, if it stands in one.
    pub(super) fence: Option<Span>,
}

/// The paths of `document`'s commands.
pub(super) fn paths(document: &Document) -> Vec<CommandPath> {
    let mut found = Vec::new();
    for code in &document.markdown.code {
        match &code.kind {
            CodeKind::Span => _ = line(document, code.content, false, &mut String::new(), &mut found),
            CodeKind::Fence { language, .. } if is_shell(language) => {
                let before = found.len();
                fence(document, code, &mut found);
                found[before..].iter_mut().for_each(|word| word.fence = Some(code.span));
            }
            _ => {}
        }
        if found.len() > MAX_PATHS {
            break;
        }
    }
    found.retain(|path| path.used != Use::Runs || !led::is_written_before(document, path.span, WRITES));
    found
}

fn is_shell(language: &str) -> bool {
    let shells =
        ["", "bash", "console", "fish", "powershell", "ps1", "pwsh", "sh", "shell", "shell-session", "terminal", "zsh"];
    shells.iter().any(|shell| language.eq_ignore_ascii_case(shell))
}

/// The commands of a fence, up to one that goes to an unknown folder.
fn fence(document: &Document, code: &Code, found: &mut Vec<CommandPath>) {
    let text = document.slice(code.content);
    if text.contains("git clone") {
        return;
    }
    let mut at = code.content.start;
    let mut folder = String::new();
    // A fence without a language may list files.
    let is_shell_named = matches!(&code.kind, CodeKind::Fence { language, .. } if !language.is_empty());
    for text in text.split_inclusive('\n') {
        let bare = text.trim_start().trim_start_matches("$ ");
        // Rows of a table are a command's output.
        if !bare.starts_with(['#', '|'])
            && line(document, Span::new(at, at + text.trim_end().len()), is_shell_named, &mut folder, found).is_none()
        {
            return;
        }
        at += text.len();
    }
}

/// The paths of one line of commands that begins in `folder`; `None` where it goes to an unknown folder.
/// A lone path is one only where `may_be_lone`.
fn line(
    document: &Document,
    span: Span,
    may_be_lone: bool,
    folder: &mut String,
    found: &mut Vec<CommandPath>,
) -> Option<()> {
    let text = document.slice(span);
    let is_lone = || may_be_lone && [".sh", ".bash", ".zsh"].iter().any(|end| text.trim_end().ends_with(end));
    if !text.trim().contains(' ') && !text.trim_start().starts_with("./") && !is_lone() {
        return Some(());
    }
    let text = text.split(" #").next().unwrap_or(text);
    // An arrow leads from a file to what comes of it.
    if text.contains(" \u{2192} ") {
        return Some(());
    }
    let mut at = span.start;
    for command in text.split_inclusive(['|', ';', '&']) {
        let bare = command.trim_end_matches(['|', ';', '&']);
        let mut words = bare.trim_start().trim_start_matches("$ ").split_whitespace();
        match words.next() {
            Some(go @ ("cd" | "pushd")) => {
                let dir = words.next()?;
                let begin = at + bare.find(go)? + go.len();
                let begin = begin + text.get(begin - span.start..)?.find(dir)?;
                let next = within(folder, dir)?;
                let stays = dir.split('/').all(|part| matches!(part, "" | "." | ".."));
                if !stays {
                    let span = Span::new(begin, begin + dir.len());
                    found.push(CommandPath { span, used: Use::Enters, folder: folder.clone(), fence: None });
                }
                *folder = next;
            }
            Some(program) if tried::need_not_be_there(program, bare, &text[at + bare.len() - span.start..]) => {}
            _ => simple(bare, at, folder, found),
        }
        at += command.len();
    }
    Some(())
}

/// The folder after `cd dir` in `folder`; `None` if it is unknown.
fn within(folder: &str, dir: &str) -> Option<String> {
    let dir = dir.trim_end_matches('/');
    if dir.is_empty() || dir.starts_with(['/', '~', '-']) || dir.contains(['$', '<', '{', '*', '"', '\'', '`', '\\']) {
        return None;
    }
    // Lines that each begin with the same `cd` are alternatives, and each begins in the first folder.
    let last = folder.rsplit('/').next().unwrap_or(folder);
    if !last.is_empty() && dir.split('/').find(|part| *part != ".") == Some(last) {
        let above = folder.strip_suffix(last).unwrap_or_default().trim_end_matches('/');
        return within(above, dir);
    }
    let joined = if folder.is_empty() { dir.to_owned() } else { format!("{folder}/{dir}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/').filter(|part| *part != ".") {
        match part {
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The paths of one simple command that begins at `at`.
fn simple(command: &str, at: usize, folder: &str, found: &mut Vec<CommandPath>) {
    let mut words = Vec::new();
    let mut from = 0;
    for word in command.split(' ') {
        if !word.is_empty() {
            words.push((word, at + from));
        }
        from += word.len() + 1;
    }
    let is_assignment =
        |word: &str| word.split_once('=').is_some_and(|(name, _)| !name.starts_with('-') && !name.contains('/'));
    let mut rest = words.into_iter().skip_while(|(word, _)| *word == "$" || is_assignment(word)).peekable();
    let Some(&(program, _)) = rest.peek() else { return };
    let runs_a_file = program.contains('/') && !program.starts_with(['~', '/']) && can_be_run(program);
    if !runs_a_file && !READERS.contains(&program) && !is_agent_name(program) {
        return;
    }
    let is_of_a_cluster = CLUSTERS.contains(&program);
    let endings = RUN_ARGUMENTS.iter().find(|(name, _)| *name == program).map(|(_, endings)| endings);
    let (mut before, mut tests) = ("", false);
    for (word, at) in rest {
        let option = word.split_once('=').filter(|(option, _)| READS.contains(option));
        let enters = option.is_some_and(|(option, _)| option == CHDIR);
        let (word, at) = option.map_or((word, at), |(_, value)| (value, at + word.len() - value.len()));
        let is_argument = |ending: &str| word.ends_with(ending) && !before.is_empty() && !before.starts_with('-');
        let is_run = before == "run" && RUNNERS.contains(&program) && token::has_extension(word);
        let runs = INTERPRETERS.contains(&before)
            || is_run
            || before.is_empty() && runs_a_file
            || endings.into_iter().flatten().any(|ending| is_argument(ending));
        let path =
            (word.contains('/') || enters || (runs || TAKES_FILE.contains(&before)) && token::has_extension(word))
                && !word.starts_with(['~', '/', '-', '@']);
        if path && !WRITES.contains(&before) && !(is_of_a_cluster && is_resource(word)) {
            let used = match (runs, enters) {
                (true, _) => Use::Runs,
                (_, true) => Use::Enters,
                // A long option may take what follows it.
                _ if tests && !before.starts_with("--") => Use::Tests,
                _ => Use::Takes,
            };
            found.push(CommandPath {
                span: Span::new(at, at + word.len()),
                used,
                folder: folder.to_owned(),
                fence: None,
            });
        }
        tests |= TESTERS.contains(&word);
        before = word;
    }
}

#[cfg(test)]
mod tests;
