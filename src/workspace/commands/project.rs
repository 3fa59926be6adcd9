//! What the manifests of a repository define together, and which of them a command means. Whatever cannot be known counts as
//! defined.

use std::collections::{BTreeMap, BTreeSet};

use super::define::{self, Manifest};
use super::{CommandFolder, MentionedCommand, Runner, elixir, members, near, programs, python, sessions, toolchains};
use crate::base::path::{self, RepoPath};
use crate::base::text::same_length_text;
use crate::discover;
use crate::source::{EntryKind, Source};
use crate::workspace::{Resolution, Workspace};

/// Manifests of one kind that are read, at most; beyond them nothing is said.
const MAX_MANIFESTS: usize = 400;
/// Rounds of following includes, at most.
const MAX_ROUNDS: usize = 8;

/// The manifests of a repository.
#[derive(Debug, Default)]
pub(super) struct ProjectManifests {
    by_runner: BTreeMap<Runner, BTreeMap<RepoPath, Manifest>>,
    /// Modules of the repository's Python packages that are not there.
    missing_modules: BTreeSet<String>,
    /// Toolchains of which nothing is there.
    absent: Vec<&'static str>,
}

/// Whether a command can run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Runnable {
    /// It is defined, or that is unknown.
    Defined,
    /// Nothing defines it.
    Undefined {
        /// What is defined and spelt most alike.
        near: Option<String>,
        /// The one manifest that should.
        manifest: Option<RepoPath>,
    },
}

impl ProjectManifests {
    /// Read the manifests of the runners of `commands`; those that cannot all be read are left out.
    pub(super) fn read<'c>(
        source: &dyn Source,
        workspace: &Workspace,
        commands: impl Iterator<Item = &'c MentionedCommand> + Clone,
    ) -> Self {
        let mut runners: BTreeSet<Runner> = commands.clone().map(|command| command.runner).collect();
        if commands.clone().any(|command| command.through.is_some()) {
            runners.insert(Runner::Package);
        }
        let of = |runner: Runner| commands.clone().filter(move |command| command.runner == runner);
        let programs: Vec<&str> = of(Runner::Toolchain).filter_map(|command| command.name.split(' ').next()).collect();
        let absent = toolchains::absent(&workspace.listing, &programs);
        let modules = of(Runner::PythonModule);
        let missing_modules = match runners.contains(&Runner::PythonModule) {
            true => python::missing(&workspace.listing, modules.map(|command| command.name.as_str())),
            false => BTreeSet::new(),
        };
        let mut wanted: BTreeMap<Runner, BTreeSet<RepoPath>> = BTreeMap::new();
        for entry in workspace.listing.marked().filter(|entry| entry.kind == EntryKind::File) {
            for runner in runners.iter().filter(|runner| runner.reads(entry.path)) {
                wanted.entry(*runner).or_default().insert(RepoPath::new(entry.path));
            }
        }
        for runner in runners.iter().filter(|runner| runner.reads_sources()) {
            let files = workspace.listing.iter().filter(|entry| entry.kind == EntryKind::File);
            let read = files.filter(|entry| runner.reads(entry.path)).map(|entry| RepoPath::new(entry.path));
            wanted.entry(*runner).or_default().extend(read);
        }
        // Without a file to begin from nothing is known of a build.
        wanted.retain(|runner, files| !runner.reads_sources() || files.iter().any(|file| is_start(*runner, file)));
        wanted.remove(&Runner::Toolchain);
        wanted.remove(&Runner::Dotnet);
        if runners.contains(&Runner::Cargo) && workspace.listing.contains(b"Cargo.toml") {
            wanted.entry(Runner::Cargo).or_default();
        }
        let read = |(runner, paths)| Some((runner, manifests(source, workspace, runner, paths)?));
        ProjectManifests { by_runner: wanted.into_iter().filter_map(read).collect(), missing_modules, absent }
    }

    /// Whether what `command`, in a file in `dir`, runs is defined.
    pub(super) fn ask(&self, workspace: &Workspace, dir: &[u8], command: &MentionedCommand) -> Runnable {
        if let Some(is_there) = self.is_there(workspace, command) {
            let undefined = Runnable::Undefined { near: None, manifest: None };
            return if is_there { Runnable::Defined } else { undefined };
        }
        let Some(all) = self.by_runner.get(&command.runner) else { return Runnable::Defined };
        // What is handed out as a template, or read by tests, has its manifests, and this repository none.
        let is_shown = || workspace.is_of_a_shown_project(&path::join(dir, b"x"));
        if !all.is_empty() && all.keys().all(is_of_another_project) && !is_shown() {
            return Runnable::Defined;
        }
        let one = match &command.place {
            CommandFolder::Anywhere => None,
            CommandFolder::After(folder) => match folder_of(workspace, dir, folder) {
                Some(_) => None,
                None => return Runnable::Defined,
            },
            CommandFolder::Folders(folders) => {
                let folder = folders.iter().find_map(|folder| folder_of(workspace, dir, folder));
                let found = folder.and_then(|folder| {
                    let starts = |file: &&RepoPath| command.runner.starts_from(file.file_name());
                    all.keys().filter(|file| file.parent() == folder.as_bytes()).find(starts)
                });
                match found {
                    Some(manifest) => Some(manifest),
                    None => return Runnable::Defined,
                }
            }
            CommandFolder::Package(name) => match self.package(workspace, dir, name) {
                Some(manifest) => Some(manifest),
                None => return Runnable::Defined,
            },
        };
        let among: Vec<(&RepoPath, &Manifest)> = match one {
            // Includes are not told from what includes them: what any other file than a manifest defines counts.
            Some(one) => all.iter().filter(|(file, _)| *file == one || !is_start(command.runner, file)).collect(),
            None => all.iter().collect(),
        };
        // What npm starts where no script says it.
        if command.name == "start" && workspace.listing.contains(b"server.js") {
            return Runnable::Defined;
        }
        if command.may_be_program && self.has_program(&command.name) || is_target(workspace, all, command) {
            return Runnable::Defined;
        }
        let defined = among.iter().any(|(_, manifest)| manifest.open || defines(manifest, command));
        let is_meant = match command.runner {
            Runner::Member => members::is_workspace(&workspace.listing),
            Runner::Nx => workspace.listing.contains(b"nx.json"),
            _ => command.certain || self.is_surely_meant(command),
        };
        if defined || !is_meant {
            return Runnable::Defined;
        }
        let names = among.iter().flat_map(|(_, manifest)| &manifest.names).map(String::as_str);
        let is_of_words = matches!(command.runner, Runner::Tox | Runner::Nox | Runner::Rake);
        let names = names.filter(|name| !is_of_words && !name.starts_with('.'));
        let near = near::suggestion(&command.name, names).map(str::to_owned);
        Runnable::Undefined { near, manifest: one.cloned() }
    }

    /// Whether what `command` needs is there, of a command that no manifest defines.
    fn is_there(&self, workspace: &Workspace, command: &MentionedCommand) -> Option<bool> {
        match command.runner {
            Runner::PythonModule => Some(!self.missing_modules.contains(&command.name)),
            Runner::Toolchain => {
                let toolchain = command.name.split(' ').next().and_then(toolchains::called);
                let is_absent = toolchain.is_some_and(|name| self.absent.contains(&name));
                Some(!is_absent || command.place != CommandFolder::Anywhere)
            }
            // The script reads the words itself.
            Runner::Member => command.through.as_ref().filter(|script| !self.hands_to_turbo(script)).map(|_| true),
            Runner::Dotnet => Some(sessions::has_project(&workspace.listing, &command.name)),
            _ => None,
        }
    }

    /// Whether one file of the repository alone, in its root, defines what `runner` runs.
    pub(super) fn is_one_in_the_root(&self, runner: Runner) -> bool {
        let all = self.by_runner.get(&runner).into_iter().flatten();
        let mut starts = all.filter(|(file, _)| is_start(runner, file));
        let is_full = |manifest: &Manifest| !manifest.names.is_empty() && !manifest.is_stub;
        let first = starts.next().filter(|(file, manifest)| file.parent().is_empty() && is_full(manifest));
        first.is_some() && starts.next().is_none()
    }

    /// Whether some package has a script of this name that hands its words on to turbo.
    fn hands_to_turbo(&self, script: &str) -> bool {
        let mut all = self.by_runner.get(&Runner::Package).into_iter().flat_map(BTreeMap::values);
        all.any(|manifest| manifest.to_turbo.contains(script))
    }

    /// The manifest of the package that `selector` selects, if it is one.
    fn package(&self, workspace: &Workspace, dir: &[u8], selector: &str) -> Option<&RepoPath> {
        let all = self.by_runner.get(&Runner::Package)?;
        if selector.starts_with(['.', '/']) || selector.contains('/') && !selector.starts_with('@') {
            let folder = folder_of(workspace, dir, selector)?;
            return all.keys().find(|file| file.parent() == folder.as_bytes());
        }
        let named = |name: &str| name == selector || name.rsplit_once('/').is_some_and(|(_, bare)| bare == selector);
        let mut found = all.iter().filter(|(_, manifest)| manifest.package.as_deref().is_some_and(named));
        match (found.next(), found.next()) {
            (Some((file, _)), None) => Some(file),
            _ => None,
        }
    }

    /// Whether a word behind a program that runs scripts and other programs alike can only be a script.
    fn is_surely_meant(&self, command: &MentionedCommand) -> bool {
        let manifests = || self.by_runner.get(&command.runner).into_iter().flat_map(BTreeMap::values);
        match command.runner {
            Runner::Package => {
                programs::is_common_script(&command.name)
                    && !manifests().any(|manifest| manifest.programs.contains(&command.name))
            }
            // In a project with aliases an unknown subcommand was probably one of them.
            Runner::Cargo => manifests().any(|manifest| !manifest.names.is_empty()),
            // An installed program may be called so, too; a word that nearly is a script was meant as one.
            Runner::Python => {
                let names = manifests().flat_map(|manifest| &manifest.names).map(String::as_str);
                near::slip(&command.name, names).is_some()
            }
            Runner::Composer => programs::is_common_script(&command.name),
            // Those of other namespaces may come with some gem.
            Runner::Rake => {
                let first = command.name.split(':').next().unwrap_or_default();
                manifests().any(|manifest| manifest.programs.contains(first))
            }
            Runner::Mix => {
                let has_package = |package: &str| manifests().any(|manifest| manifest.programs.contains(package));
                !elixir::is_brought(&command.name, has_package)
            }
            _ => true,
        }
    }

    /// Whether a package on which some package of the repository depends brings a program called `name`.
    fn has_program(&self, name: &str) -> bool {
        let all = self.by_runner.get(&Runner::Package).into_iter().flat_map(BTreeMap::values);
        all.into_iter().any(|manifest| manifest.programs.contains(name)) || programs::is_installed(name)
    }
}

/// Whether a manifest is that of a template, an example, or a project that tests read.
fn is_of_another_project(file: &RepoPath) -> bool {
    discover::is_illustrative(file.as_bytes()) || discover::is_among_tests(file.as_bytes())
}

/// Whether a folder of some package of cargo's holds the program or example that the command names.
fn is_target(workspace: &Workspace, manifests: &BTreeMap<RepoPath, Manifest>, command: &MentionedCommand) -> bool {
    let folder: &[u8] = match command.runner {
        Runner::Mise => return is_task_file(workspace, &command.name),
        Runner::CargoBin => b"src/bin",
        Runner::CargoExample => b"examples",
        Runner::CargoTest => b"tests",
        Runner::CargoBench => b"benches",
        Runner::Nx => return members::is_folder(&workspace.listing, &command.name),
        Runner::Gradle => return has_folder(workspace, &command.name.replace(':', "/")),
        Runner::Maven => return has_folder(workspace, &command.name),
        _ => return false,
    };
    manifests.keys().any(|manifest| {
        let at = |below: String| path::join(&path::join(manifest.parent(), folder), below.as_bytes());
        workspace.listing.contains(&at(format!("{}.rs", command.name)))
            || workspace.listing.contains(&at(format!("{}/main.rs", command.name)))
    })
}

/// Whether a folder's path, anywhere in the repository, ends so.
fn has_folder(workspace: &Workspace, end: &str) -> bool {
    let end = end.trim_end_matches('/').as_bytes();
    let is_it = |folder: &[u8]| folder.strip_suffix(end).is_some_and(|above| above.is_empty() || above.ends_with(b"/"));
    let folders = workspace.listing.runs().map(|(folder, _)| folder.strip_suffix(b"/").unwrap_or(folder));
    folders.flat_map(path::ancestors_from_root).any(is_it)
}

/// Folders whose programs are tasks of mise's.
const TASK_FOLDERS: [&str; 5] = ["mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"];

/// The program of a folder that is the task of the folder's own name.
const OF_THE_FOLDER: &[u8] = b"_default";

/// Whether a program of such a folder, anywhere in the repository, is the task `name`: that of `a/b.sh` is called `a:b`.
fn is_task_file(workspace: &Workspace, name: &str) -> bool {
    let below = name.replace(':', "/");
    let file = path::file_name(below.as_bytes()).to_owned();
    let is_named = |found: &[u8]| found == file || found.split(|&byte| byte == b'.').next() == Some(&file[..]);
    workspace.listing.iter().any(|entry| {
        let is_of_the_folder = path::file_name(entry.path) == OF_THE_FOLDER;
        (is_of_the_folder || is_named(path::file_name(entry.path)))
            && TASK_FOLDERS.iter().any(|folder| {
                let wanted = format!("{folder}/{below}");
                let dir = if is_of_the_folder { wanted.as_bytes() } else { path::parent(wanted.as_bytes()) };
                let here = path::parent(entry.path);
                here == dir || here.strip_suffix(dir).is_some_and(|above| above.ends_with(b"/"))
            })
    })
}

/// Read the manifests at `paths`, and what they include; `None` where not all can be had.
fn manifests(
    source: &dyn Source,
    workspace: &Workspace,
    runner: Runner,
    paths: BTreeSet<RepoPath>,
) -> Option<BTreeMap<RepoPath, Manifest>> {
    let mut found: BTreeMap<RepoPath, Manifest> = BTreeMap::new();
    let mut next: Vec<RepoPath> = paths.into_iter().collect();
    for _ in 0..MAX_ROUNDS {
        if found.len() + next.len() > MAX_MANIFESTS {
            return None;
        }
        let texts = source.read_many(&next).into_iter().collect::<Result<Vec<_>, _>>().ok()?;
        let read: Vec<_> = next.into_iter().zip(texts).collect();
        next = Vec::new();
        for (file, bytes) in read {
            let text = same_length_text(&bytes);
            let mut manifest = define::read(runner, &text);
            // An empty file says nothing, unless it only stands for one.
            manifest.open |= text.trim().is_empty() && !discover::is_illustrative(file.as_bytes());
            for include in &manifest.includes {
                let from_here = path::resolve(file.parent(), include.as_bytes());
                let from_root = path::resolve(b"", include.as_bytes());
                let included = [from_here, from_root].into_iter().flatten();
                match included.map(|full| workspace.resolve(&full)).find_map(file_of) {
                    Some(target) => next.push(target),
                    // It lies outside, or is made by a build.
                    None => manifest.open = true,
                }
            }
            found.insert(file, manifest);
        }
        next.retain(|file| !found.contains_key(file));
        next.sort();
        next.dedup();
        if next.is_empty() {
            return Some(found);
        }
    }
    None
}

fn file_of(resolution: Resolution) -> Option<RepoPath> {
    match resolution {
        Resolution::File(file) => Some(file),
        _ => None,
    }
}

fn is_start(runner: Runner, file: &RepoPath) -> bool {
    runner.starts_from(file.file_name())
}

/// The folder of the repository that `folder` means in a file in `dir`: from there, from the folders above, or from the root.
pub(super) fn folder_of(workspace: &Workspace, dir: &[u8], folder: &str) -> Option<RepoPath> {
    let bases = path::ancestors_from_root(dir).into_iter().rev();
    bases.filter_map(|base| path::resolve(base, folder.as_bytes())).find_map(|full| match workspace.resolve(&full) {
        Resolution::Directory(found) => Some(found),
        _ if full.is_empty() => Some(RepoPath::new(b"")),
        _ => None,
    })
}

/// Whether `manifest` defines what `command` runs, whole or in all its parts.
fn defines(manifest: &Manifest, command: &MentionedCommand) -> bool {
    match command.runner {
        Runner::Tox | Runner::Nox | Runner::Rake => {
            let has = |part: &str| manifest.names.contains(part) || manifest.names.contains(&part.replace('-', "_"));
            has(&command.name) || sessions::parts(&command.name).all(has)
        }
        _ => manifest.defines(&command.name),
    }
}
