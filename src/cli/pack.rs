//! `hintlint pack`: hint packages for agents and their callers. What a package is, and what it may give, is `pack`'s business.

mod metadata;
mod resource;

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};

use serde_json::{Value, json};

use super::Console;
use super::session::Session;
use crate::base::error::Error;
use crate::base::sanitize;
use crate::cli::args::{ConfigArgs, ListFormat, PackArgs, PackCommand, PackModulesArgs, PreambleShell, SourceArgs};
use crate::config::nearest;
use crate::pack::builtin::{self, BuiltinCall};
use crate::pack::modules::{Module, Shell, load_line, shell_of};
use crate::pack::state::{Active, StateError, StateFile};
use crate::pack::{Metadata, Package, PackageError, Packages, Platform};
use crate::report::safe_json;
use crate::source::MAX_FILE_BYTES;

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When there is no such package or resource, the state cannot be used, or standard output cannot be written.
pub(crate) fn pack(args: &PackArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let common = args.command.common();
    let (desk, format) = (Desk::open(console, &common.config)?, common.form.format);
    match &args.command {
        PackCommand::List(_) => desk.list(format, console),
        PackCommand::Load(args) => desk.load(&args.name, format, console),
        PackCommand::Unload(_) => desk.unload(format, console),
        PackCommand::Status(_) => desk.status(format, console),
        PackCommand::Resource(args) => desk.resource(args, console),
        PackCommand::Modules(args) => desk.modules(args, console),
        PackCommand::Metadata(args) => desk.metadata(args, console),
        PackCommand::Builtin(_) => desk.builtin(format, console),
    }
}

/// The names of all packages.
///
/// # Errors
/// When the repository cannot be read.
pub(super) fn names_of_packages(console: &Console<'_>) -> Result<Vec<String>, Error> {
    Ok(Desk::open(console, &ConfigArgs::default())?.packages.names())
}

/// The packages of a repository and the state of its worktree.
struct Desk {
    packages: Packages,
    state: StateFile,
    folder: String,
    top: std::path::PathBuf,
}

impl Desk {
    fn open(console: &Console<'_>, config: &ConfigArgs) -> Result<Desk, Error> {
        let session = Session::open(console, &[], &SourceArgs::default(), config)?;
        let repository = &session.repository;
        let no_worktree = || Error::failed("a bare repository has no hint packages", "run this in a worktree");
        let top = repository.root().ok_or_else(no_worktree)?.to_owned();
        let folder = repository.config.packages.clone();
        let packages = Packages::open(&top, &folder, Platform::current());
        let state = StateFile::of(&top, repository.git_dir(), &console.env).map_err(of_state)?;
        Ok(Desk { packages, state, folder, top })
    }

    /// The active package; its folder may be gone.
    fn active(&self) -> Result<Option<Active>, Error> {
        self.state.read().map_err(of_state)
    }

    fn package(&self, name: &str) -> Result<Package, Error> {
        self.packages.package(name).map_err(|why| self.of_package(&why))
    }

    fn of_package(&self, why: &PackageError) -> Error {
        let names = self.packages.names();
        let help = match why {
            PackageError::Missing(name) => match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => {
                    format!("a package is a folder {}/NAME/ with hint.md and hint.yaml", self.folder)
                }
                None => "`hintlint pack list` lists all packages".to_owned(),
            },
            PackageError::BadName => "`hintlint pack list` lists all packages".to_owned(),
            _ => "run `hintlint` to find the problems in the package's files".to_owned(),
        };
        Error::failed(why.to_string(), help)
    }

    fn list(&self, format: ListFormat, console: &mut Console<'_>) -> Result<u8, Error> {
        let active = self.active()?.map(|active| active.package);
        let mut rows = Vec::new();
        for name in self.packages.names() {
            let package = self.package(&name)?;
            let problem = package.prompt().err().map(|why| why.to_string());
            let metadata = package.metadata();
            let problem = problem.or_else(|| metadata.as_ref().err().map(ToString::to_string));
            rows.push((active.as_deref() == Some(name.as_str()), name, metadata.ok(), problem));
        }
        if format == ListFormat::Json {
            let row = |(active, package, metadata, problem): &(bool, String, Option<Metadata>, Option<String>)| {
                let description = metadata.as_ref().map(|metadata| metadata.description.as_str());
                let disabled = metadata.as_ref().is_some_and(|metadata| metadata.is_disabled(Platform::current()));
                json!({
                    "package": package, "description": description, "active": active, "disabled": disabled,
                    "problem": problem,
                })
            };
            return self.json(&json!({"version": 1, "packages": rows.iter().map(row).collect::<Vec<_>>()}), console);
        }
        let mut out = String::new();
        if rows.is_empty() {
            let _ =
                writeln!(out, "No hint packages; one is a folder {}/NAME/ with hint.md and hint.yaml.", self.folder);
        }
        for (active, name, metadata, problem) in &rows {
            let mark = if *active { "*" } else { " " };
            let description = metadata.as_ref().map_or("", |metadata| metadata.description.as_str());
            let said =
                problem.as_deref().map_or(description.to_owned(), |problem| format!("cannot be loaded: {problem}"));
            let _ = writeln!(out, "{mark} {}  {}", sanitize::line(name), sanitize::line(&said));
        }
        console.stdout.write_all(out.as_bytes())?;
        Ok(0)
    }

    fn load(&self, name: &str, format: ListFormat, console: &mut Console<'_>) -> Result<u8, Error> {
        // The new package is whole before the old one goes.
        let package = self.package(name)?;
        let prompt = package.prompt().map_err(|why| self.of_package(&why))?;
        let metadata = package.metadata().map_err(|why| self.of_package(&why))?;
        let modules: Vec<String> = package.modules().into_iter().map(|module| module.name).collect();
        let active = Active { package: package.name.clone(), modules };
        let before = self.state.replace(Some(&active)).map_err(of_state)?;
        let replaced = before.filter(|before| before.package != active.package);
        if let Some(before) = &replaced {
            console.note(&format!("unloaded the hint package {}", before.package));
        }
        match format {
            ListFormat::Json => self.json(
                &json!({
                    "version": 1, "package": active.package, "description": metadata.description, "prompt": prompt,
                    "modules": active.modules, "resources": RESOURCES, "unloaded": replaced.map(|before| before.package),
                }),
                console,
            ),
            ListFormat::Text => self.print(prompt.as_bytes(), console),
        }
    }

    fn unload(&self, format: ListFormat, console: &mut Console<'_>) -> Result<u8, Error> {
        let before = match self.state.read() {
            // Nothing is written where nothing was ever loaded.
            Ok(None) => None,
            _ => self.state.replace(None).map_err(of_state)?,
        };
        if format == ListFormat::Json {
            let package = before.as_ref().map(|before| &before.package);
            let modules = before.as_ref().map(|before| before.modules.as_slice()).unwrap_or_default();
            return self.json(&json!({"version": 1, "unloaded": package, "modules": modules}), console);
        }
        let mut out = String::new();
        match &before {
            None => out.push_str("No hint package is active; there is nothing to unload.\n"),
            Some(before) => {
                let _ = writeln!(out, "Unloaded the hint package {}.", sanitize::line(&before.package));
                list_line("Modules to unload", &before.modules, &mut out);
            }
        }
        console.stdout.write_all(out.as_bytes())?;
        Ok(0)
    }

    fn status(&self, format: ListFormat, console: &mut Console<'_>) -> Result<u8, Error> {
        let active = self.active()?;
        let is_there = active.as_ref().is_none_or(|active| self.packages.package(&active.package).is_ok());
        if format == ListFormat::Json {
            let package = active.as_ref().map(|active| &active.package);
            let modules = active.as_ref().map(|active| active.modules.as_slice()).unwrap_or_default();
            let roots: &[&str] = if active.is_some() { &[RESOURCES] } else { &[] };
            return self.json(
                &json!({
                    "version": 1, "active": package, "modules": modules, "resource_roots": roots,
                    "missing": !is_there,
                }),
                console,
            );
        }
        let mut out = String::new();
        match &active {
            None => out.push_str("No hint package is active.\n"),
            Some(active) => {
                let _ = writeln!(out, "Active hint package: {}", sanitize::line(&active.package));
                list_line("Modules", &active.modules, &mut out);
                let _ = writeln!(out, "Resources: {RESOURCES}");
                if !is_there {
                    out.push_str("The package no longer exists; `hintlint pack unload` clears it.\n");
                }
            }
        }
        console.stdout.write_all(out.as_bytes())?;
        Ok(0)
    }

    fn modules(&self, args: &PackModulesArgs, console: &mut Console<'_>) -> Result<u8, Error> {
        let no_package = || Error::failed("no hint package is active", "`hintlint pack load NAME` loads one");
        let active = self.active()?.ok_or_else(no_package)?;
        let mut modules = self.package(&active.package)?.modules();
        modules.retain(|module| active.modules.contains(&module.name));
        if let Some(shell) = args.preamble {
            let shell = match shell {
                PreambleShell::Powershell => Shell::PowerShell,
                PreambleShell::Bash => Shell::Bash,
            };
            modules.retain(|module| shell_of(module.name.as_bytes()) == Some(shell));
            let lines: Vec<String> = modules.iter().map(|module| load_line(shell, &shown(module))).collect();
            return match args.common.form.format {
                ListFormat::Json => self.json(&json!({"version": 1, "preamble": lines}), console),
                ListFormat::Text => self.print_lines(&lines, console),
            };
        }
        match args.common.form.format {
            ListFormat::Text => self.print_lines(&modules.iter().map(shown).collect::<Vec<_>>(), console),
            ListFormat::Json => {
                let module = |module: &Module| json!({"name": module.name, "path": shown(module)});
                let modules: Vec<Value> = modules.iter().map(module).collect();
                self.json(&json!({"version": 1, "package": active.package, "modules": modules}), console)
            }
        }
    }

    fn builtin(&self, format: ListFormat, console: &mut Console<'_>) -> Result<u8, Error> {
        let mut bytes = Vec::new();
        let read = console.stdin.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes);
        let cannot =
            |why: String| Error::failed(format!("cannot read standard input: {why}"), "give it the agent's answer");
        read.map_err(|error| cannot(error.to_string()))?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(cannot("it is larger than 8 MiB".to_owned()));
        }
        let calls = builtin::calls(&String::from_utf8_lossy(&bytes));
        if calls.is_empty() {
            let message = "there is no <builtin> block on standard input";
            return Err(Error::failed(
                message,
                "a block is <builtin>, a line `hint` or `get_resource`, its fields, </builtin>",
            ));
        }
        let mut code = 0;
        for call in calls {
            let answered = match call {
                Ok(BuiltinCall::Load(name)) => self.load(&name, format, console),
                Ok(BuiltinCall::Unload) => self.unload(format, console),
                Ok(BuiltinCall::Resource { path, encoding }) => {
                    self.print_resource(path.as_bytes(), encoding.as_deref(), format, console)
                }
                Err(slip) => Err(Error::failed(slip.to_string(), "correct the block")),
            };
            match answered {
                Ok(_) => {}
                Err(Error::Output(error)) => return Err(Error::Output(error)),
                Err(error) => {
                    let _ = writeln!(console.stderr, "hintlint: {}", error.printed());
                    code = 2;
                }
            }
        }
        Ok(code)
    }

    /// What a package's author wrote: raw for a program, escaped for a terminal.
    fn print(&self, bytes: &[u8], console: &mut Console<'_>) -> Result<u8, Error> {
        console.pass_on(bytes)?;
        // On a terminal the prompt should begin on a line of its own.
        if console.stdout_is_terminal && !bytes.ends_with(b"\n") {
            console.stdout.write_all(b"\n")?;
        }
        Ok(0)
    }

    fn print_lines(&self, lines: &[String], console: &mut Console<'_>) -> Result<u8, Error> {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.print(text.as_bytes(), console)
    }

    fn json(&self, value: &Value, console: &mut Console<'_>) -> Result<u8, Error> {
        safe_json::write(value, &mut console.stdout)?;
        Ok(0)
    }
}

/// What callers get to know of the place of resources.
const RESOURCES: &str = "resources/";

fn shown(module: &Module) -> String {
    module.path.display().to_string()
}

fn list_line(title: &str, names: &[String], out: &mut String) {
    let names = names.iter().map(|name| sanitize::line(name)).collect::<Vec<_>>();
    let _ = writeln!(out, "{title}: {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") });
}

fn of_state(why: StateError) -> Error {
    let help = match why {
        StateError::NoHome => "set HOME to an absolute path",
        StateError::Damaged => "`hintlint pack unload` writes it anew",
        StateError::Folder(_) | StateError::Write(_) => "check the permissions of the folder `hintlint` below .git",
    };
    Error::failed(why.to_string(), help)
}
