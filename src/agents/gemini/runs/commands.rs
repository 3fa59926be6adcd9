//! Commands of Gemini CLI: TOML files below `.gemini/commands`, and what `!{…}` in them runs before the model sees their text. Run on
//! 0.61.0: a file that is no TOML or has no `prompt` is skipped, in an untrusted folder, too; and with `-p` a command of the shell
//! runs where a setting allows it, and is refused anywhere else. That a terminal asks is read in its package.

use super::GeminiRuns;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText, of_toml};
use crate::agents::shared::runs::{
    Approval, DroppedScope, LostSettings, Moment, RunItem, RunKind, RunMode, SettingPlace,
};
use crate::base::text::Span;
use crate::world::{AbsPath, FileType};

/// How deep folders of commands may nest.
const MAX_DEPTH: usize = 8;
/// Names of the shell in lists of tools.
const SHELL: [&str; 2] = ["ShellTool", "run_shell_command"];
/// What begins a command of the shell.
const OPENS: &str = "!{";

/// Folders that are looked into, at most: links may lead round and round.
const MAX_FOLDERS: usize = 1_000;

impl GeminiRuns<'_, '_> {
    /// The commands of the project.
    pub(super) fn read_commands(&mut self) {
        let lists = [["tools", "allowed"], ["tools", "core"]];
        let allowed: Vec<String> = lists.iter().flat_map(|keys| self.listed(keys)).collect();
        for (path, name) in self.commands() {
            let Some(text) = SettingsText::read(self.reader.world, &path) else { continue };
            match prompt_of(&text.text) {
                Ok((prompt, span)) => self.read_prompt(&prompt, &name, &text.place(span), &allowed),
                Err((at, why)) => {
                    let what = DroppedScope::File(LostSettings::default());
                    self.reader.drop(text.place_at(at), why, what, true);
                }
            }
        }
    }

    /// What the prompt of a command runs before the model sees it.
    fn read_prompt(&mut self, prompt: &str, name: &str, place: &SettingPlace, allowed: &[String]) {
        for command in injections(prompt).into_iter().take(MAX_ENTRIES) {
            let approval = match self.reader.out.mode {
                _ if allowed.iter().any(|rule| covers(rule, command)) => Approval::Nobody,
                RunMode::Interactive => Approval::Item,
                _ => {
                    let why = "nothing allows this command of the shell";
                    self.reader.drop(place.clone(), why, DroppedScope::Entry, true);
                    continue;
                }
            };
            let kind = RunKind::PreRun { command: command.to_owned() };
            let (place, on_use_of) = (place.clone(), Some(name.to_owned()));
            self.reader.out.items.push(RunItem { moment: Moment::Use, kind, place, approval, on_use_of });
        }
    }

    /// The files of commands with the names of these.
    fn commands(&self) -> Vec<(AbsPath, String)> {
        let mut found = Vec::new();
        let mut waiting = vec![(self.reader.out.start.join(".gemini/commands"), 0)];
        for _ in 0..MAX_FOLDERS {
            let Some((folder, depth)) = waiting.pop() else { break };
            for entry in self.reader.world.read_dir(&folder).into_iter().take(MAX_ENTRIES) {
                let path = folder.join(&entry.name);
                match (self.reader.world.file_type(&path), entry.name.strip_suffix(b".toml")) {
                    (Some(FileType::Directory), _) if depth < MAX_DEPTH && waiting.len() < MAX_FOLDERS => {
                        waiting.push((path, depth + 1));
                    }
                    (Some(FileType::File), Some(name)) if found.len() < MAX_ENTRIES => {
                        found.push((path, String::from_utf8_lossy(name).into_owned()));
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        found
    }
}

/// The prompt of a command and its place, or where and why the agent skips the file.
fn prompt_of(text: &str) -> Result<(String, Span), (usize, String)> {
    let file = of_toml(text).map_err(|(at, why)| {
        let why = why.lines().next().unwrap_or_default();
        (at, format!("the file is not valid TOML: {why}"))
    })?;
    let prompt = file.get("prompt").ok_or_else(|| (0, "it has no `prompt`".to_owned()))?;
    let words = prompt.text().ok_or_else(|| (prompt.span.start, "`prompt` must be a string".to_owned()))?;
    Ok((words.to_owned(), prompt.span))
}

/// Whether an entry of a list of tools covers a command of the shell.
fn covers(rule: &str, command: &str) -> bool {
    let (tool, prefix) = rule.split_once('(').unwrap_or((rule, ")"));
    let prefix = prefix.strip_suffix(')').unwrap_or(prefix).trim_end_matches('*').trim();
    let rest = command.strip_prefix(prefix);
    SHELL.contains(&tool) && (prefix.is_empty() || rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

/// The commands of the shell in a prompt: between `!{` and the brace that closes it.
fn injections(prompt: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = prompt;
    while let Some(at) = rest.find(OPENS) {
        let inner = &rest[at + OPENS.len()..];
        let mut depth = 1_usize;
        let end = inner.bytes().position(|byte| {
            depth = match byte {
                b'{' => depth + 1,
                b'}' => depth - 1,
                _ => depth,
            };
            depth == 0
        });
        let Some(end) = end else { break };
        found.push(inner[..end].trim());
        rest = &inner[end + 1..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::gemini::GEMINI;
    use crate::agents::shared::runs::{self, AgentRuns, RunOptions};
    use crate::world::{MemoryFiles, RepoWorld};

    fn run(files: &[(&str, &str)], mode: RunMode) -> AgentRuns {
        let world = files.iter().fold(MemoryFiles::new(), |world, (path, text)| world.file(path, text));
        let world = RepoWorld::new(world);
        runs::load(&world, &GEMINI, world.root(), mode, &RunOptions::default()).expect("it is known")
    }

    #[test]
    fn a_file_that_is_no_command_is_skipped() {
        let reason = |text: &str| {
            let found = run(&[(".gemini/commands/sub/a.toml", text)], RunMode::Headless).dropped;
            found.into_iter().map(|dropped| (dropped.why, dropped.what)).next()
        };
        assert_eq!(reason("description = \"x\"\nprompt = \"y\"\n"), None);
        for (text, start) in [
            ("prompt = \"\"\"\nx\n", "the file is not valid TOML"),
            ("description = \"x\"\n", "it has no `prompt`"),
            ("prompt = 5\n", "`prompt` must be a string"),
        ] {
            let (why, what) = reason(text).expect("it is skipped");
            assert!(why.starts_with(start) && matches!(what, DroppedScope::File(_)), "{why}");
        }
        assert!(run(&[(".gemini/commands/a.md", "x = [")], RunMode::Headless).dropped.is_empty());
    }

    #[test]
    fn links_that_lead_round_and_round_end() {
        let folder = ".gemini/commands";
        let world = MemoryFiles::new().file(".gemini/commands/a.toml", "description = \"x\"\n");
        let world = (0..40).fold(world, |world, at| world.link(&format!("{folder}/l{at}"), "."));
        let world = RepoWorld::new(world);
        let runs = runs::load(&world, &GEMINI, world.root(), RunMode::Headless, &RunOptions::default());
        assert!(!runs.expect("it is known").dropped.is_empty());
    }

    #[test]
    fn commands_of_the_shell_run_where_they_are_allowed() {
        let command = (".gemini/commands/look.toml", "prompt = \"Look: !{git log | awk '{print $1}'} and !{ls}\"\n");
        let of = |mode, settings: &str| {
            let found = run(&[command, (".gemini/settings.json", settings)], mode);
            let runs = found.items.iter().filter_map(|item| match &item.kind {
                RunKind::PreRun { command } => Some((command.clone(), item.approval)),
                _ => None,
            });
            (runs.collect::<Vec<_>>(), found.dropped.len())
        };
        let log = || "git log | awk '{print $1}'".to_owned();
        let asked = vec![(log(), Approval::Item), ("ls".to_owned(), Approval::Item)];
        assert_eq!(of(RunMode::Interactive, "{}"), (asked, 0));
        assert_eq!(of(RunMode::Headless, "{}"), (Vec::new(), 2));
        let allowed = r#"{"tools": {"allowed": ["run_shell_command(git)"]}}"#;
        assert_eq!(of(RunMode::Headless, allowed), (vec![(log(), Approval::Nobody)], 1));
    }

    #[test]
    fn rules_cover_commands_by_their_beginning() {
        for rule in ["run_shell_command", "ShellTool", "run_shell_command(git)", "run_shell_command(git log)"] {
            assert!(covers(rule, "git log -1"), "{rule}");
        }
        for rule in ["glob", "run_shell_command(gi)", "run_shell_command(ls)", "read_file(git)"] {
            assert!(!covers(rule, "git log -1"), "{rule}");
        }
    }
}
