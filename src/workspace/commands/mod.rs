//! Commands that hint files tell agents to run and that no manifest defines. Collected while loading: manifests are read only
//! where a text runs one of their scripts.

mod alternatives;
mod builds;
mod define;
mod elixir;
mod jvm;
mod managers;
mod members;
mod near;
mod own;
mod printed;
mod programs;
mod project;
mod python;
mod runner;
mod services;
mod sessions;
mod tell;
mod toolchains;

use std::collections::BTreeMap;

use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::source::{EntryKind, Probe, Source};
use crate::workspace::{Workspace, of_each};
use project::{ProjectManifests, Runnable};
pub use runner::Runner;

/// Where a command runs, as far as the text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CommandFolder {
    /// The text does not say: any folder of the repository will do.
    Anywhere,
    /// One of these folders, the first that exists.
    Folders(Vec<String>),
    /// Lines before went to this folder. If it is one of this repository, any of the repository will do.
    After(String),
    /// The package of this name.
    Package(String),
}

impl CommandFolder {
    /// The folder after `cd dir`; `None` if it is unknown.
    fn within(&self, dir: &str) -> Option<CommandFolder> {
        if dir.starts_with(['/', '~', '-']) || dir.contains(['$', '<', '{', '*', '"', '\'', '`', '\\']) {
            return None;
        }
        let joined = |above: &String| format!("{above}/{dir}");
        Some(CommandFolder::Folders(match self {
            CommandFolder::Anywhere | CommandFolder::Package(_) => vec![dir.to_owned()],
            CommandFolder::Folders(folders) => folders.iter().map(joined).collect(),
            CommandFolder::After(above) => vec![joined(above), dir.to_owned()],
        }))
    }

    /// The folder in which the next line runs: authors mean either the folder of the line before or the first one.
    fn on_the_next_line(self) -> CommandFolder {
        match self {
            CommandFolder::Folders(folders) => {
                folders.into_iter().next().map_or(CommandFolder::Anywhere, CommandFolder::After)
            }
            place => place,
        }
    }
}

/// One command of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MentionedCommand {
    /// What runs it.
    pub runner: Runner,
    /// The script, target, recipe or alias.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// What is defined and spelt most alike.
    pub near: Option<String>,
    /// The one manifest that should define it, if the text says which.
    pub manifest: Option<RepoPath>,
    /// Where it runs.
    place: CommandFolder,
    /// Whether only a script, target, recipe or alias can be meant.
    pub certain: bool,
    /// Whether the runner also runs programs that packages bring.
    may_be_program: bool,
    /// The script that is handed the words which name a package, if the package manager does not read them itself.
    through: Option<String>,
    /// Whether the text may give an example, or describe another repository.
    pub hedged: bool,
    /// Whether the same text has a command of the same runner that is defined here, and not in every project.
    pub beside_own: bool,
    /// Whether the same text has any command of the same runner that is defined here.
    pub beside_defined: bool,
    /// Whether the command surely means this project, though its text may speak of any.
    pub of_project: bool,
}

/// The commands that nothing defines, by file and place.
#[derive(Debug, Default)]
pub struct Commands {
    by_document: BTreeMap<RepoPath, Vec<MentionedCommand>>,
}

impl MentionedCommand {
    /// Whether nearly every project defines a command of this name.
    pub(crate) fn is_common(&self) -> bool {
        ANYWHERE.contains(&self.name.as_str())
    }
}

impl Commands {
    /// Those in the file at `path`.
    pub(crate) fn of(&self, path: &RepoPath) -> &[MentionedCommand] {
        self.by_document.get(path).map_or(&[], Vec::as_slice)
    }
}

/// Names of commands that nearly every project defines.
const ANYWHERE: [&str; 11] =
    ["all", "build", "clean", "dev", "help", "install", "lint", "run", "serve", "start", "test"];

/// All commands of the workspace's documents that no manifest defines. Files on which the search panics go to `failed`.
pub(super) fn collect(source: &dyn Source, workspace: &Workspace, failed: &mut Vec<RepoPath>) -> Commands {
    let mut told: BTreeMap<RepoPath, Vec<MentionedCommand>> = BTreeMap::new();
    let is_read = |document: &&Document| !matches!(document.kind, Kind::Artifact | Kind::SkillPage);
    let documents: Vec<&Document> = workspace.in_focus().filter(is_read).collect();
    let found = of_each(&documents, tell::commands);
    for (document, found) in documents.iter().zip(found) {
        match found {
            Some(found) if found.is_empty() => {}
            Some(found) => drop(told.insert(document.path.clone(), found)),
            None => failed.push(document.path.clone()),
        }
    }
    if told.is_empty() {
        return Commands::default();
    }
    let project = ProjectManifests::read(source, workspace, told.values().flatten());
    let submodules: Vec<&[u8]> = workspace
        .listing
        .marked()
        .filter(|entry| entry.kind == EntryKind::Submodule)
        .map(|entry| path::file_name(entry.path))
        .collect();
    for (path, commands) in &mut told {
        let document = workspace.document(path.as_bytes());
        let into_submodule = document.filter(|_| !submodules.is_empty());
        commands
            .retain(|command| !into_submodule.is_some_and(|document| line_names(document, command.span, &submodules)));
        commands.retain(|command| !is_ignored(source, path.parent(), command));
        if let Some(document) = document {
            commands.retain(|command| !printed::defines(workspace, document, command));
            commands.retain(|command| !is_of_an_outer_tree(workspace, document, command));
            commands.retain(|command| !runs_in_an_absent_folder(workspace, document, command));
        }
        let mut defined: BTreeMap<(Runner, String), bool> = BTreeMap::new();
        let mut kept: Vec<(Runner, Span)> = Vec::new();
        commands.retain_mut(|command| match project.ask(workspace, path.parent(), command) {
            Runnable::Defined => {
                let is_own = !ANYWHERE.contains(&command.name.as_str());
                defined.insert((command.runner, command.name.clone()), is_own);
                kept.push((command.runner, command.span));
                false
            }
            Runnable::Undefined { near, manifest } => {
                command.near = near;
                command.manifest = manifest;
                true
            }
        });
        if let Some(document) = document {
            // Of two scripts of one program each has to be there.
            commands.retain(|command| {
                let is_other =
                    |code: Span| kept.iter().any(|(runner, span)| *runner != command.runner && code.covers(*span));
                !alternatives::has_a_defined_one(document, command.span, is_other)
            });
            own::mark(document, &project, &defined, commands);
        }
    }
    own::mark_repeated(workspace, &mut told);
    told.retain(|_, commands| !commands.is_empty());
    Commands { by_document: told }
}

/// Whether the command names a file that an ignore file keeps from git, beside the text or in the root: somebody makes it.
fn is_ignored(source: &dyn Source, dir: &[u8], command: &MentionedCommand) -> bool {
    if command.runner != Runner::Dotnet {
        return false;
    }
    let paths = [path::join(dir, command.name.as_bytes()), command.name.clone().into_bytes()].map(RepoPath::new);
    source.probe_many(&paths).contains(&Probe::Ignored)
}

/// Whether the text behind a command in a code span says that it runs in a folder which is not there: "`npm run check` in `site/web`".
fn runs_in_an_absent_folder(workspace: &Workspace, document: &Document, command: &MentionedCommand) -> bool {
    let Some(code) = document.markdown.code_at(command.span.start).filter(|code| code.kind == CodeKind::Span) else {
        return false;
    };
    let behind = document.text[code.span.end..].lines().next().unwrap_or_default();
    let folder = [" in `", " from `", " inside `"].iter().find_map(|words| behind.strip_prefix(words));
    let folder = folder.and_then(|rest| rest.split('`').next()).unwrap_or_default().trim_end_matches('/');
    let is_plain = !folder.is_empty() && folder.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    is_plain && folder.contains('/') && project::folder_of(workspace, document.path.parent(), folder).is_none()
}

/// Whether a line of the command's fence goes to a folder that is not there: then the fence tells of the tree around this repository.
fn is_of_an_outer_tree(workspace: &Workspace, document: &Document, command: &MentionedCommand) -> bool {
    let Some(fence) = document.markdown.fence_at(command.span.start) else { return false };
    let entered = document.slice(fence.content).lines().filter_map(|line| line.trim().strip_prefix("cd "));
    let is_plain = |folder: &str| {
        folder.split('/').all(|part| part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)))
    };
    let is_gone = |folder: &str| {
        let part = folder.split('/').next().unwrap_or(folder);
        !part.is_empty() && part != ".." && project::folder_of(workspace, document.path.parent(), folder).is_none()
    };
    let folders = entered.filter_map(|rest| rest.split([' ', '&', ';', '#']).next());
    command.place == CommandFolder::Anywhere
        && folders.filter(|folder| folder.contains('/') && is_plain(folder)).any(is_gone)
}

/// Whether the line of `span`, or the one that leads to it by a colon, names one of `folders`, with a slash or the end of a code span
/// behind it.
fn line_names(document: &Document, span: Span, folders: &[&[u8]]) -> bool {
    let at = document.lines.line_of(span.start);
    let line = |at: usize| document.slice(document.lines.line_span(at)).trim_end();
    let above = at.checked_sub(1).map(line).filter(|above| above.ends_with(':'));
    let lines = std::iter::once(line(at)).chain(above).map(str::as_bytes);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let names = |line: &[u8], folder: &[u8]| {
        memchr::memmem::find_iter(line, folder).any(|at| {
            !line[..at].last().is_some_and(is_part) && matches!(line.get(at + folder.len()), Some(b'/' | b'`'))
        })
    };
    lines.into_iter().any(|line| folders.iter().any(|folder| names(line, folder)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Listing;

    #[test]
    fn a_line_may_send_a_command_into_a_submodule() {
        let text = "Run `npm run test:all` (from `web/`).\n\nRun `npm run lint` for webs.\n\n`npm run my-web`\n\n- In `web`:\n  `npm run docs`\n";
        let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
        let names = |word: &str| {
            let at = text.find(word).unwrap();
            line_names(&document, Span::new(at, at + word.len()), &[b"web"])
        };
        assert_eq!(["test:all", "lint", "my-web", "docs"].map(names), [true, false, false, true]);
    }

    #[test]
    fn every_manifest_is_looked_at() {
        let names = [
            "package.json",
            "Makefile",
            "GNUmakefile",
            "a.mk",
            "a.mak",
            "Justfile",
            ".justfile",
            "a.just",
            ".cargo/config.toml",
            ".cargo/config",
            "Cargo.toml",
            "composer.json",
            "deno.json",
            "deno.jsonc",
            "Taskfile.yml",
            "taskfile.dist.yaml",
            "pyproject.toml",
            "mise.toml",
            ".mise.ci.toml",
            "docker-compose.dev.yml",
            "compose.yaml",
            ".config/mise/config.toml",
        ];
        let listing = Listing::of_files(names.map(|name| format!("a/{name}")));
        let read = |path: &[u8]| Runner::ALL.iter().any(|runner| runner.reads(path));
        assert_eq!(listing.marked().filter(|entry| read(entry.path)).count(), names.len());
    }
}
