//! `hintlint init`: writes the files that a repository needs to use us, each only where nothing is yet. What exists is left
//! alone, and the answer says what to do by hand. The texts are in `templates`.

mod agent_hooks;

use std::io::Write;

use super::{Console, templates};
use crate::agents::merged;
use crate::base::error::Error;
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::cli::args::InitArgs;
use crate::config::{Config, FILE_NAMES};
use crate::source::{self, GitVars, Opened, Side, Spec};
use crate::write::{WriteError, WriteProblem, WriteRoot, Written};

/// Where pre-commit and prek look for their config; the first is the one we write.
const PRE_COMMIT_CONFIGS: [&str; 3] = [".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml"];
const NEEDS_FILES: &str = "`hintlint init` writes files; run it in a worktree, or in a folder outside git";
const WORKFLOW: &str = ".github/workflows/hintlint.yml";
const PRETTIER_IGNORE: &str = ".prettierignore";

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When there is no worktree to write to, or standard output cannot be written.
pub(crate) fn init(args: &InitArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let mut setup = Setup::open(console)?;
    if args.hints {
        setup.create(merged::NAMES[0], templates::HINTS);
    }
    if args.pre_commit {
        setup.pre_commit();
    }
    if args.workflow {
        setup.create(WORKFLOW, &templates::workflow());
    }
    match (args.agent_hooks, args.remove) {
        (true, false) => agent_hooks::add(&mut setup, args.agent.as_deref(), args.user, &console.env)?,
        (true, true) => agent_hooks::remove(&mut setup, args.agent.as_deref(), args.user, &console.env)?,
        (false, _) => {}
    }
    if !args.hints && !args.pre_commit && !args.workflow && !args.agent_hooks {
        setup.config();
        setup.prettier_ignore();
    }
    console.stdout.write_all(setup.done.as_bytes())?;
    for refused in &setup.refused {
        let _ = writeln!(console.stderr, "hintlint: {}", sanitize::lines(refused));
    }
    Ok(if setup.refused.is_empty() { 0 } else { 2 })
}

/// The repository, and what came of each file.
struct Setup {
    opened: Opened,
    root: WriteRoot,
    /// What standard output says.
    done: String,
    /// What was not done, and why.
    refused: Vec<String>,
}

impl Setup {
    fn open(console: &Console<'_>) -> Result<Self, Error> {
        let start = std::fs::canonicalize(&console.directory).unwrap_or_else(|_| console.directory.clone());
        let vars = GitVars::new(console.env.exact());
        let opened = source::open(&Spec { start, side: Side::Worktree, vars })
            .map_err(|error| Error::failed(error.to_string(), NEEDS_FILES))?;
        let Some(folder) = opened.root.clone() else {
            return Err(Error::failed("there is no worktree here", NEEDS_FILES));
        };
        let root = WriteRoot::new(&folder).map_err(|error| {
            Error::failed(format!("cannot write below {}: {error}", folder.display()), "check that the folder exists")
        })?;
        Ok(Setup { opened, root, done: String::new(), refused: Vec::new() })
    }

    /// The text of a file of the repository; `None` if it is not there or is no text.
    fn read(&self, path: &str) -> Option<String> {
        String::from_utf8(self.opened.source.read(&path.into()).ok()?.to_vec()).ok()
    }

    fn say(&mut self, line: &str) {
        self.done.push_str(line);
        self.done.push('\n');
    }

    fn create(&mut self, path: &str, text: &str) {
        let written = self.root.create(&RepoPath::from(path), text.as_bytes());
        self.tell(path, written);
    }

    /// Tell what became of the file `shown` that was to be created.
    fn tell(&mut self, shown: &str, written: Result<Written, WriteError>) {
        match written {
            Ok(Written::Changed) => self.say(&format!("wrote {shown}")),
            Ok(Written::Unchanged) => self.say(&format!("{shown} exists already and is up to date")),
            Err(WriteError { problem: WriteProblem::Exists, .. }) => {
                let help = "keep your file, or move it away and run this again";
                self.refused.push(format!("{shown} exists already and was left alone\n  help: {help}"));
            }
            Err(error) => self.refused.push(format!("{shown} {error}")),
        }
    }

    fn config(&mut self) {
        // With both names there, nothing would be read at all.
        let other = FILE_NAMES.into_iter().skip(1).find(|name| self.opened.source.listing().contains(name.as_bytes()));
        match other {
            Some(name) => {
                let help = "this file is already the config, and there can be only one";
                self.refused.push(format!("{name} exists already; {} was not written\n  help: {help}", FILE_NAMES[0]));
            }
            None => self.create(FILE_NAMES[0], &templates::config()),
        }
    }

    fn pre_commit(&mut self) {
        let found = PRE_COMMIT_CONFIGS.into_iter().find(|name| self.opened.source.listing().contains(name.as_bytes()));
        let Some(found) = found else {
            return self.create(PRE_COMMIT_CONFIGS[0], &templates::pre_commit());
        };
        if self.read(found).is_some_and(|text| text.contains(templates::REPOSITORY)) {
            return self.say(&format!("{found} already runs hintlint"));
        }
        let (place, entry) = match found.strip_suffix(".toml") {
            Some(_) => ("to its end", templates::prek_entry()),
            None => ("below `repos:`", templates::pre_commit_entry()),
        };
        self.say(&format!("{found} exists already and was left alone; add this {place}:\n\n{}", entry.trim_end()));
    }

    /// Formatters must leave artifacts alone, or each run of theirs makes ours report drift.
    fn prettier_ignore(&mut self) {
        let Some(before) = self.read(PRETTIER_IGNORE) else { return };
        let parsed = |name: &&str| Config::parse(&(*name).into(), &self.read(name)?).ok();
        let config = FILE_NAMES.iter().find_map(parsed);
        let folder = config.unwrap_or_default().compile.output;
        let Some(after) = with_ignored(&before, &folder) else { return };
        match self.root.replace(&PRETTIER_IGNORE.into(), before.as_bytes(), after.as_bytes()) {
            Ok(_) => self.say(&format!("added {folder}/ to {PRETTIER_IGNORE}")),
            Err(error) => {
                let help = format!("add the line {folder}/ yourself");
                self.refused.push(format!("{PRETTIER_IGNORE} {error}\n  help: {help}"));
            }
        }
    }
}

/// `text`, an ignore file, with a line for `folder`; `None` if it, or a folder above it, is ignored already.
fn with_ignored(text: &str, folder: &str) -> Option<String> {
    let ignored = |line: &str| {
        let pattern = line.trim().trim_start_matches('/').trim_end_matches("/**").trim_end_matches('/');
        !pattern.is_empty() && crate::base::path::is_at_or_below(folder.as_bytes(), pattern.as_bytes())
    };
    if text.lines().any(ignored) {
        return None;
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { end };
    Some(format!("{text}{gap}{folder}/{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignore_file_gets_one_line_once() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(with_ignored(text, ".hintlint/context").as_deref(), expected, "{text:?}");
        };
        check("", Some(".hintlint/context/\n"));
        check("dist\n", Some("dist\n.hintlint/context/\n"));
        check("dist", Some("dist\n.hintlint/context/\n"));
        check("dist\r\n", Some("dist\r\n.hintlint/context/\r\n"));
        check("# .hintlint\n!.hintlint\n", Some("# .hintlint\n!.hintlint\n.hintlint/context/\n"));
        check(".hintlint/contexts\n", Some(".hintlint/contexts\n.hintlint/context/\n"));
        for known in [".hintlint/context", "/.hintlint/context/", ".hintlint/", "a\n.hintlint/**\n"] {
            check(known, None);
        }
    }
}
