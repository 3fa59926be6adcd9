//! The `git` program, tamed: no pager, no prompt, no network, no lock, nothing written, and output that no configuration
//! changes. What libgit2 cannot open goes through it, and what it simply does faster. Owns how it is called.

mod answers;

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use super::vars::GitVars;
use super::{EntryKind, SourceError};

/// Settings that would start programs, write files or change output, each set to what does not.
const CONFIG: [&str; 10] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.alternateRefsCommand=",
    "core.commitGraph=true",
    "diff.external=",
    "log.diffMerges=separate",
    "log.showSignature=false",
    "log.showRoot=true",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// The environment that every call gets.
const ENVIRONMENT: [(&str, &str); 7] = [
    ("LC_ALL", "C"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // Older versions do not know the variable above; this one keeps every version off the network.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_FLUSH", "0"),
];

/// Longest error output that is kept, in bytes.
const MAX_STDERR: u64 = 4096;

/// How to call `git` for one repository.
#[derive(Debug)]
pub(super) struct Program {
    directory: PathBuf,
    environment: Vec<(std::ffi::OsString, std::ffi::OsString)>,
    /// Where the program lies, once it was looked for.
    place: OnceLock<PathBuf>,
}

/// Why the program gave no answer.
#[derive(Debug)]
pub(super) enum ProgramError {
    /// There is no `git` on the search path.
    NotInstalled,
    /// It ended with an error; its last words.
    Failed(String),
}

impl From<ProgramError> for SourceError {
    fn from(error: ProgramError) -> Self {
        match error {
            ProgramError::NotInstalled => {
                SourceError::new("the git program is not installed").help("install git, or put it on the search path")
            }
            ProgramError::Failed(words) => SourceError::new(words),
        }
    }
}

impl Program {
    /// For calls from `directory` that let git search for its repository.
    pub(super) fn searching(directory: &Path, vars: &GitVars) -> Self {
        let mut program = Program { directory: directory.to_owned(), environment: Vec::new(), place: OnceLock::new() };
        for (name, value) in vars.for_program() {
            program.set(name, value);
        }
        for (name, value) in ENVIRONMENT {
            program.set(name, value);
        }
        for (name, path) in [("GIT_DIR", vars.git_dir(directory)), ("GIT_WORK_TREE", vars.work_tree(directory))] {
            if let Some(path) = path {
                program.set(name, path);
            }
        }
        program
    }

    /// For calls about a repository that has been found: nothing is searched any more.
    pub(super) fn at(mut self, git_dir: &Path, root: Option<&Path>, index_file: &Path) -> Self {
        // Git refuses to work beside a worktree that is not there; what is stored can be read without.
        let root = root.filter(|root| root.is_dir());
        root.unwrap_or(git_dir).clone_into(&mut self.directory);
        self.set("GIT_DIR", git_dir);
        self.set("GIT_INDEX_FILE", index_file);
        if let Some(root) = root {
            self.set("GIT_WORK_TREE", root);
        }
        self
    }

    fn set(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) {
        let name = name.as_ref();
        self.environment.retain(|variable| variable.0 != name);
        self.environment.push((name.to_owned(), value.as_ref().to_owned()));
    }

    fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.iter().find(|variable| variable.0 == name).map(|variable| variable.1.as_os_str())
    }

    /// Where the program lies. A program that is called by its place is started without a copy of this process, which takes
    /// a while in a process with much memory. Where the search path is unusual, the system searches.
    fn find(&self) -> PathBuf {
        let by_name = PathBuf::from("git");
        let Some(path) = self.variable("PATH").filter(|_| cfg!(unix)) else { return by_name };
        for dir in std::env::split_paths(path) {
            let place = dir.join("git");
            match place.metadata() {
                _ if dir.is_relative() => return by_name,
                Ok(meta) if meta.is_file() && is_executable(&meta) => return place,
                _ => {}
            }
        }
        by_name
    }

    fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(self.place.get_or_init(|| self.find()));
        command.current_dir(&self.directory).env_clear();
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        // Trees are compared without the index, which git would read whole only to save itself some work.
        let compares_trees = arguments.first().is_some_and(|verb| verb.as_ref() == "diff-tree");
        if let Some(git_dir) = self.variable("GIT_DIR").filter(|_| compares_trees) {
            command.env("GIT_INDEX_FILE", Path::new(git_dir).join("there-is-no-such-index"));
        }
        command.args(["--no-pager", "--literal-pathspecs"]);
        for setting in CONFIG {
            command.args(["-c", setting]);
        }
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// All of a call's output.
    pub(super) fn output<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Vec<u8>, ProgramError> {
        self.stream(arguments, |output| {
            let mut bytes = Vec::new();
            output.read_to_end(&mut bytes)?;
            Ok(bytes)
        })
    }

    /// A call's output without the final line end.
    pub(super) fn line<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Vec<u8>, ProgramError> {
        let mut bytes = self.output(arguments)?;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        Ok(bytes)
    }

    /// Read a call's output while it is made. A reader that stops early ends the call, and that is no error.
    pub(super) fn stream<S: AsRef<OsStr>, T>(
        &self,
        arguments: &[S],
        read: impl FnOnce(&mut BufReader<ChildStdout>) -> std::io::Result<T>,
    ) -> Result<T, ProgramError> {
        self.stream_with_input(arguments, Vec::new(), read)
    }

    /// The same, for a call that reads `input`.
    pub(super) fn stream_with_input<S: AsRef<OsStr>, T>(
        &self,
        arguments: &[S],
        input: Vec<u8>,
        read: impl FnOnce(&mut BufReader<ChildStdout>) -> std::io::Result<T>,
    ) -> Result<T, ProgramError> {
        self.converse(self.command(arguments), input, read)
    }

    /// The same, with `input` on the call's standard input.
    fn converse<T>(
        &self,
        mut command: Command,
        input: Vec<u8>,
        read: impl FnOnce(&mut BufReader<ChildStdout>) -> std::io::Result<T>,
    ) -> Result<T, ProgramError> {
        if !input.is_empty() {
            command.stdin(Stdio::piped());
        }
        let mut child = Running(command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound if self.directory.is_dir() => ProgramError::NotInstalled,
            _ => ProgramError::Failed(format!("git could not be started: {error}")),
        })?);
        let (stdin, stdout, stderr) = (child.0.stdin.take(), child.0.stdout.take(), child.0.stderr.take());
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else {
            return Err(ProgramError::Failed("git has no output".to_owned()));
        };
        std::thread::scope(|scope| {
            // Input and errors have threads of their own, or a full pipe would stop both sides for ever.
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
            let words = scope.spawn(move || last_words(stderr));
            let mut stdout = BufReader::with_capacity(1 << 18, stdout);
            let result = read(&mut stdout);
            let finished = result.is_ok() && stdout.fill_buf().is_ok_and(<[u8]>::is_empty);
            drop(stdout);
            let status = match finished {
                true => child.0.wait(),
                false => {
                    let _ = child.0.kill();
                    child.0.wait()
                }
            };
            let words = words.join().unwrap_or_default();
            match (result, status) {
                (Ok(value), Ok(status)) if status.success() || !finished => Ok(value),
                (Err(error), _) if words.is_empty() => Err(ProgramError::Failed(format!("git: {error}"))),
                (_, Err(error)) => Err(ProgramError::Failed(format!("git: {error}"))),
                _ if words.is_empty() => Err(ProgramError::Failed("git failed and did not say why".to_owned())),
                _ => Err(ProgramError::Failed(words)),
            }
        })
    }
}

#[cfg(unix)]
fn is_executable(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_meta: &std::fs::Metadata) -> bool {
    true
}

/// A child that does not outlive its call, whatever happens on the way.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

/// What a program complained of: without `fatal:`, in one line.
fn last_words(mut stderr: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = stderr.by_ref().take(MAX_STDERR).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(|line| line.trim_start_matches("fatal: ").trim_start_matches("error: ").trim());
    let mut words = String::new();
    for line in lines.filter(|line| !line.is_empty()) {
        words.push_str(match words.as_str() {
            "" => "",
            begun if begun.ends_with(':') => " ",
            _ => "; ",
        });
        words.push_str(line);
    }
    words
}

/// The parts of a text in which every part ends with a NUL.
pub(super) fn records(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_suffix(b"\0").unwrap_or(text);
    text.split(|&b| b == 0).filter(move |_| !text.is_empty())
}

/// Read up to the next NUL; false at the end.
pub(super) fn next_record(output: &mut impl BufRead, record: &mut Vec<u8>) -> std::io::Result<bool> {
    record.clear();
    let count = output.read_until(0, record)?;
    if record.last() == Some(&0) {
        record.pop();
    }
    Ok(count > 0)
}

/// What a mode in octal stands for; `None` for a directory.
pub(super) fn kind_of_mode(mode: &[u8]) -> Option<EntryKind> {
    match mode.strip_prefix(b"0").unwrap_or(mode) {
        [b'1', b'0', _, _, _, _] => Some(EntryKind::File),
        b"120000" => Some(EntryKind::Symlink),
        b"160000" => Some(EntryKind::Submodule),
        _ => None,
    }
}

/// An object name from its hexadecimal form.
pub(super) fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let pairs = text.chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?));
    pairs.collect()
}

/// An object name in hexadecimal form.
pub(super) fn hex(id: &[u8]) -> String {
    let digits = b"0123456789abcdef";
    id.iter()
        .flat_map(|&byte| [digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]])
        .map(char::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_names_in_both_forms() {
        assert_eq!(hex(&[0, 0x1f, 0xf0]), "001ff0");
        assert_eq!(from_hex(b"001ff0"), Some(vec![0, 0x1f, 0xf0]));
        assert_eq!(from_hex(b"001"), None);
        assert_eq!(from_hex(b"0g"), None);
    }

    #[test]
    fn records_end_with_nul() {
        assert_eq!(records(b"").count(), 0);
        assert_eq!(records(b"a\0b\0").collect::<Vec<_>>(), [b"a", b"b"]);
    }
}
