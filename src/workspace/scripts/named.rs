//! Which files of the repository a command runs, as far as the text tells: the program itself, the script of an interpreter, and
//! what a shell script sources or calls by a path. A path that needs more than the well-known variables is not followed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::agents::runs::RunKind;
use crate::base::path::{self, RepoPath};
use crate::parse::shell::{self, ShellWord, WordPart};

mod interpreters;
mod modules;
mod variables;

use interpreters::{
    PRELOADS, SHELLS, has_script_end, is_data_name, is_flag, is_interpreter, is_script_name, is_shell_script,
};

/// Stands for the repository's root in the values of variables.
const ROOT: &str = "\u{1}";
/// Stands for the root of the plugin that a file belongs to.
const PLUGIN: &str = "\u{2}";
/// Most scripts of one command.
const MAX_NAMED: usize = 50;
/// How deep commands in arguments (`sh -c`) are read.
const MAX_DEPTH: usize = 3;
/// How many shells within shells have a directory and variables of their own.
const MAX_LEVELS: usize = 16;
/// Most variables that are remembered.
const MAX_VARIABLES: usize = 200;

/// Programs that run the one that follows.
const WRAPPERS: [&str; 18] = [
    "builtin", "bunx", "command", "doas", "env", "exec", "nice", "nohup", "npx", "pipenv", "pnpm", "poetry", "rye",
    "setsid", "sudo", "time", "timeout", "uv",
];
/// Words between a wrapper and the program.
const WRAPPER_WORDS: [&str; 5] = ["--", "dlx", "exec", "run", "x"];
/// Where a command stands.
pub(crate) struct ScriptHost<'h> {
    /// The directory in which the agent is started.
    pub(crate) directory: &'h [u8],
    /// The file that asks for it.
    pub(crate) named_in: &'h RepoPath,
    /// Whether the directory is a bundle that runs in other repositories: of relative paths nothing is known.
    pub(crate) is_bundle: bool,
}

/// What a command itself names: no script's own lines are read.
#[derive(Debug, Default)]
pub(crate) struct NamedByCommand {
    /// Scripts, and whether a shell reads them.
    pub(crate) scripts: BTreeMap<RepoPath, bool>,
    /// Those of them that are started as programs, so that they must be executable.
    pub(crate) programs: BTreeSet<RepoPath>,
    /// Paths of scripts where no file stands.
    pub(crate) missing: BTreeSet<RepoPath>,
    /// Scripts that a script gets as arguments, and may well run.
    given: BTreeMap<RepoPath, bool>,
}

/// The bytes of a file, if there is one.
type FileBytes<'f> = &'f dyn Fn(&[u8]) -> Option<Arc<[u8]>>;

/// The current directory and the variables of a shell; `None` for what cannot be told.
type ShellState = (Option<String>, BTreeMap<String, Option<String>>);

/// Finds scripts by what files there are, on either side.
pub(crate) struct NamedScripts<'f> {
    /// Whether a file stands at a path.
    pub(crate) has: &'f dyn Fn(&[u8]) -> bool,
    /// Its bytes.
    pub(crate) read: FileBytes<'f>,
}

impl NamedScripts<'_> {
    /// The scripts that `kind` runs, those that shell scripts among them run, and the modules that all of them load.
    pub(crate) fn of(&self, kind: &RunKind, host: &ScriptHost<'_>) -> BTreeSet<RepoPath> {
        let NamedByCommand { scripts: mut found, given, .. } = self.named_by(kind, host);
        for (path, is_shell) in given {
            found.entry(path).or_insert(is_shell);
        }
        for (script, is_shell) in found.clone() {
            let Some(bytes) =
                (self.read)(script.as_bytes()).filter(|bytes| is_shell || is_shell_script(&script, bytes))
            else {
                continue;
            };
            let mut inner = CommandRun::new(self, host, Some(&script)).started_by(kind);
            inner.line(&String::from_utf8_lossy(&bytes), 0);
            inner.named.scripts.into_iter().chain(inner.named.given).for_each(|(path, is_shell)| {
                found.entry(path).or_insert(is_shell);
            });
        }
        let mut all: BTreeSet<RepoPath> = found.into_keys().collect();
        let loaded = all.iter().flat_map(|script| modules::loaded_by(script, self.has, self.read));
        let loaded: Vec<RepoPath> = loaded.take(MAX_NAMED).collect();
        all.extend(loaded);
        all
    }

    /// What the words of `kind` name.
    pub(crate) fn named_by(&self, kind: &RunKind, host: &ScriptHost<'_>) -> NamedByCommand {
        let mut run = CommandRun::new(self, host, None).started_by(kind);
        match kind {
            RunKind::Server { command, .. } => {
                // Servers' words may name variables, and no shell takes them apart.
                let words: Vec<ShellWord> = command.iter().map(|word| unquoted(word)).collect();
                run.simple(&words, 0);
            }
            RunKind::Hook { kind, action, .. } if kind == "powershell" => run.line(&action.replace('\\', "/"), 0),
            RunKind::Hook { action: command, .. } | RunKind::Helper { command, .. } | RunKind::PreRun { command } => {
                run.line(command, 0);
            }
            _ => {}
        }
        run.named
    }
}

/// A word that no shell has split, with its variables.
fn unquoted(word: &str) -> ShellWord {
    let quoted = format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"").replace('`', "\\`"));
    shell::commands(&quoted).into_iter().flat_map(|command| command.words).next().unwrap_or_default()
}

/// A command, or the lines of a script, while they are read.
struct CommandRun<'r> {
    scripts: &'r NamedScripts<'r>,
    host: &'r ScriptHost<'r>,
    /// The script whose lines are read.
    script: Option<&'r RepoPath>,
    /// The directory of relative paths; `None` where it is not known.
    current: Option<String>,
    /// What variables hold; `None` for what cannot be told.
    variables: BTreeMap<String, Option<String>>,
    named: NamedByCommand,
}

impl<'r> CommandRun<'r> {
    fn new(scripts: &'r NamedScripts<'r>, host: &'r ScriptHost<'r>, script: Option<&'r RepoPath>) -> Self {
        let current = (!host.is_bundle).then(|| in_root(host.directory));
        CommandRun { scripts, host, script, current, variables: BTreeMap::new(), named: NamedByCommand::default() }
    }

    /// In the folder that a hook names for its start.
    fn started_by(mut self, kind: &RunKind) -> Self {
        if let RunKind::Hook { directory: Some(folder), .. } = kind {
            self.current = self.current.and_then(|_| within_root(folder));
        }
        // Servers' folders are seen from where the agent is started, and may name variables.
        if let RunKind::Server { directory: Some(folder), .. } = kind {
            self.current = self.expanded(&unquoted(folder)).and_then(|folder| self.joined(&folder));
        }
        self
    }

    fn line(&mut self, text: &str, depth: usize) {
        // What a shell within the shell sets, it sets for itself.
        let mut outer: Vec<ShellState> = Vec::new();
        for command in shell::commands(text) {
            let level = command.level.min(MAX_LEVELS);
            while level < outer.len() {
                (self.current, self.variables) = outer.pop().unwrap_or_default();
            }
            while level > outer.len() {
                outer.push((self.current.clone(), self.variables.clone()));
            }
            self.simple(&command.words, depth);
        }
    }

    /// One simple command.
    fn simple(&mut self, words: &[ShellWord], depth: usize) {
        let (mut at, mut runs_python, mut is_fetched) = (0, false, false);
        while let Some(word) = words.get(at) {
            if self.assignment(word) {
                at += 1;
                continue;
            }
            let Some(program) = self.expanded(word) else { return };
            let is_path = program.contains('/') || (runs_python && program.ends_with(".py"));
            if is_path && self.take(&program, false) {
                self.named.programs.extend(self.file(&program).filter(|_| program.contains('/') && !runs_python));
                return self.given(&program, &words[at + 1..]);
            }
            // Behind `npx` stands a package: `@scope/name`, `github:owner/name`, `owner/name`.
            let is_short = is_fetched && !program.starts_with('.') && program.matches('/').count() == 1;
            if is_path && !is_short && !program.starts_with('@') && !program.contains(':') {
                self.miss(&program);
            }
            let name = program.rsplit('/').next().unwrap_or_default().to_owned();
            let rest = &words[at + 1..];
            match name.as_str() {
                "cd" | "pushd" => {
                    let to = rest.iter().find(|word| word.literal().is_none_or(|word| !word.starts_with('-')));
                    self.current = to.and_then(|to| self.expanded(to)).and_then(|to| self.joined(&to));
                    return;
                }
                "export" | "local" | "readonly" | "declare" | "typeset" => {
                    rest.iter().for_each(|word| {
                        self.assignment(word);
                    });
                    return;
                }
                name if WRAPPERS.contains(&name) => {
                    runs_python |= name == "uv";
                    is_fetched |= matches!(name, "npx" | "bunx");
                    at += 1 + self.skipped(rest);
                }
                name if is_interpreter(name) => return self.interpreted(name, rest, depth),
                _ => return,
            }
        }
    }

    /// How many words behind a wrapper are not the program.
    fn skipped(&self, words: &[ShellWord]) -> usize {
        let mut count = 0;
        for word in words {
            let Some(text) = self.expanded(word) else { break };
            let is_number =
                text.trim_end_matches(['s', 'm', 'h']).bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let is_before =
                text.starts_with('-') || WRAPPER_WORDS.contains(&text.as_str()) || (is_number && text != ".");
            if !is_before && !shell::is_assignment(&text) {
                break;
            }
            count += 1;
        }
        count
    }

    /// The script of an interpreter.
    fn interpreted(&mut self, name: &str, words: &[ShellWord], depth: usize) {
        let is_shell = SHELLS.contains(&name);
        let mut option: Option<String> = None;
        for (at, word) in words.iter().enumerate() {
            let Some(text) = self.expanded(word) else { return };
            if text.starts_with('-') && text.len() > 1 {
                if let Some((_, path)) = text.split_once('=').filter(|(option, _)| PRELOADS.contains(option)) {
                    self.take(path, is_shell);
                    continue;
                }
                let is_inline = (is_shell && !text.starts_with("--") && text.ends_with('c'))
                    || matches!(text.as_str(), "-c" | "-e" | "-m" | "-p" | "--eval" | "--print" | "-Command" | "-s");
                if is_inline {
                    let next = words.iter().skip_while(|other| *other != word).nth(1);
                    if let Some(inner) =
                        next.and_then(|next| self.inline(next)).filter(|_| is_shell && depth < MAX_DEPTH)
                    {
                        self.line(&inner, depth + 1);
                    }
                    return;
                }
                option = Some(text).filter(|option| !is_flag(name, option));
                continue;
            }
            let is_script = self.take(&text, is_shell);
            let is_preload = option.as_deref().is_some_and(|option| PRELOADS.contains(&option));
            if !is_script && option.is_none() {
                self.miss(&text);
            }
            if is_script && !is_preload {
                return self.given(&text, &words[at + 1..]);
            }
            // A value of an option may stand before the script; `run` belongs to bun and deno.
            if !is_script && option.is_none() && text != "run" {
                return;
            }
            option = None;
        }
    }

    /// The commands in an argument, with what is known put in.
    fn inline(&self, word: &ShellWord) -> Option<String> {
        let known = |part: &WordPart| match part {
            WordPart::Variable(name, _) => self.known(part).or_else(|| Some(format!("${{{name}}}"))),
            WordPart::Substitution(text) => self.known(part).or_else(|| Some(format!("$({text})"))),
            WordPart::Text(text) => Some(text.clone()),
        };
        word.expanded(&known)
    }

    /// Note what `NAME=VALUE` sets; `false` for any other word.
    fn assignment(&mut self, word: &ShellWord) -> bool {
        let Some(WordPart::Text(first)) = word.0.first() else { return false };
        let Some((name, value)) = first.split_once('=').filter(|_| shell::is_assignment(first)) else { return false };
        let mut parts = vec![WordPart::Text(value.to_owned())];
        parts.extend(word.0[1..].iter().cloned());
        let value = self.expanded(&ShellWord(parts));
        if self.variables.len() < MAX_VARIABLES || self.variables.contains_key(name) {
            self.variables.insert(name.to_owned(), value);
        }
        true
    }

    fn expanded(&self, word: &ShellWord) -> Option<String> {
        word.expanded(&|part| self.known(part))
    }

    /// `text` as seen from the current directory, with a mark for the root; `None` outside the repository.
    fn joined(&self, text: &str) -> Option<String> {
        if text.starts_with(ROOT) {
            return Some(text.to_owned());
        }
        // `C:/x` begins at the root of a disk.
        let is_on_disk = text.as_bytes().get(1) == Some(&b':') && text[2..].starts_with(['/', '\\']);
        let is_relative = !text.starts_with(['/', '~', '\u{2}']) && !is_on_disk && !text.is_empty();
        let current = self.current.as_ref().filter(|_| is_relative)?;
        Some(format!("{current}/{text}"))
    }

    /// The file at `text`, if there is one, is a script.
    fn take(&mut self, text: &str, is_shell: bool) -> bool {
        if self.named.scripts.len() + self.named.missing.len() >= MAX_NAMED || is_data_name(text) {
            return false;
        }
        let Some(path) = self.file(text) else { return false };
        // A script that calls itself brings nothing new.
        self.named.scripts.insert(path, is_shell);
        true
    }

    /// Note which scripts `script` gets as arguments: by a path, or by the name of one beside it.
    fn given(&mut self, script: &str, words: &[ShellWord]) {
        let beside = script.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        for word in words.iter().take(MAX_NAMED) {
            let Some(text) = self.expanded(word).filter(|text| !text.starts_with('-')) else { continue };
            let named = beside.as_ref().filter(|_| !text.contains('/')).map(|folder| format!("{folder}/{text}"));
            let path = std::iter::once(text).chain(named).find_map(|text| self.file(&text));
            let Some(path) = path.filter(|_| self.named.given.len() < MAX_NAMED) else { continue };
            let bytes = (self.scripts.read)(path.as_bytes());
            let is_marked = bytes.as_ref().is_some_and(|bytes| bytes.starts_with(b"#!"));
            if is_marked || has_script_end(&path.to_str_lossy()) {
                let is_shell = bytes.is_some_and(|bytes| is_shell_script(&path, &bytes));
                self.named.given.insert(path, is_shell);
            }
        }
    }

    /// Note that no file stands at `text`, where it can only mean a script.
    fn miss(&mut self, text: &str) {
        // Single quotes keep such a name as it stands.
        let is_folder = |name: &str| name.ends_with("_PROJECT_DIR") || name.ends_with("_PLUGIN_ROOT");
        let kept = text.strip_prefix("${").and_then(|rest| rest.split_once('}')).filter(|(name, _)| is_folder(name));
        let plain = kept.map_or(text, |(_, below)| below);
        let place = self.place(text).filter(|path| is_script_name(plain) && !(self.scripts.has)(path.as_bytes()));
        self.named.missing.extend(place);
    }

    fn file(&self, text: &str) -> Option<RepoPath> {
        if let Some(rest) = text.strip_prefix(PLUGIN).filter(|_| !self.host.is_bundle) {
            let above = path::ancestors_from_root(self.host.named_in.parent());
            let inside =
                above.iter().rev().filter_map(|dir| path::resolve(dir, rest.trim_start_matches('/').as_bytes()));
            return inside.into_iter().find(|path| (self.scripts.has)(path)).map(RepoPath::new);
        }
        self.place(text).filter(|path| (self.scripts.has)(path.as_bytes()))
    }

    /// The place in the repository that `text` means; `None` for one outside.
    fn place(&self, text: &str) -> Option<RepoPath> {
        // What single quotes keep as it stands is no path in the plugin.
        let is_kept = self.host.is_bundle && text.starts_with('$') && text.contains("_PLUGIN_ROOT");
        if is_kept {
            return path::resolve(self.host.directory, text.as_bytes()).map(RepoPath::new);
        }
        if let Some(rest) = text.strip_prefix(PLUGIN) {
            let rest = rest.trim_start_matches('/').as_bytes();
            return path::resolve(self.host.directory, rest).filter(|_| self.host.is_bundle).map(RepoPath::new);
        }
        let joined = self.joined(text)?;
        let inside = joined.strip_prefix(ROOT)?.trim_start_matches('/');
        let place = path::resolve(b"", inside.as_bytes())?;
        Some(RepoPath::new(self.beside_copied(&place).unwrap_or(place)))
    }

    /// The file in the folder of the settings, where none stands at the root: a template's folder is a root once it is copied.
    fn beside_copied(&self, place: &[u8]) -> Option<Vec<u8>> {
        let is_elsewhere = !self.host.directory.is_empty() && !(self.scripts.has)(place);
        let copied = path::resolve(self.host.directory, place).filter(|_| is_elsewhere)?;
        (self.scripts.has)(&copied).then_some(copied)
    }
}

/// A folder as seen from the root; `None` for one outside the repository.
fn within_root(folder: &str) -> Option<String> {
    path::resolve(b"", folder.as_bytes()).filter(|_| !folder.starts_with('/')).map(|folder| in_root(&folder))
}

fn in_root(path: &[u8]) -> String {
    match path.is_empty() {
        true => ROOT.to_owned(),
        false => format!("{ROOT}/{}", String::from_utf8_lossy(path)),
    }
}

#[cfg(test)]
mod tests;
