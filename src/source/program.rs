//! The `git` program, tamed: no pager, no prompt, no network, no lock, nothing written, no other program started, and output
//! that no configuration changes. It reads what libgit2 cannot open, and what it reads faster. Owns how it is called; which
//! calls there are is in [`call`].

mod answers;
mod call;
mod conversation;
mod objects;

use std::ffi::OsStr;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use objects::ObjectProgram;

pub(super) use call::{GitCall, WantedChanges};
pub(super) use conversation::Printed;

use super::vars::GitVars;
use super::{EntryKind, SourceError};

/// Settings that would start programs, read or write further files, or change output, each set to what does not.
const CONFIG: [&str; 15] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.alternateRefsCommand=",
    "core.commitGraph=true",
    "core.maxTreeDepth=2048",
    "diff.external=",
    "log.diffMerges=separate",
    "log.follow=false",
    "log.mailmap=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// The environment that every call gets.
const ENVIRONMENT: [(&str, &str); 8] = [
    ("LC_ALL", "C"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // Older versions do not know the variable above; this one keeps every version off the network.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_FLUSH", "0"),
];

/// How to call `git` for one repository.
#[derive(Debug)]
pub(super) struct Program {
    directory: PathBuf,
    environment: Vec<(std::ffi::OsString, std::ffi::OsString)>,
    /// The top of the clone, where that is known: no program in it is started.
    clone: Option<PathBuf>,
    /// Where the program lies, once it was looked for; `None` if it is not installed.
    place: OnceLock<Option<PathBuf>>,
    /// The call that reads files.
    objects: ObjectProgram,
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
                SourceError::new("the git program is not installed").help("install git, or add it to PATH")
            }
            ProgramError::Failed(words) => SourceError::new(words),
        }
    }
}

impl Program {
    /// For calls from `directory` that let git search for its repository.
    pub(super) fn searching(directory: &Path, vars: &GitVars) -> Self {
        let clone = directory.ancestors().find(|dir| dir.join(".git").symlink_metadata().is_ok());
        let mut program = Program {
            directory: directory.to_owned(),
            environment: Vec::new(),
            clone: clone.and_then(|clone| clone.canonicalize().ok()),
            place: OnceLock::new(),
            objects: ObjectProgram::default(),
        };
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

    /// For calls about a repository that has been found: nothing is searched any more. Git is told that the git directory
    /// itself is the worktree. No call needs the real one, and `core.worktree` of a clone's config may lead anywhere.
    pub(super) fn at(mut self, git_dir: &Path, index_file: &Path) -> Self {
        git_dir.clone_into(&mut self.directory);
        self.set("GIT_DIR", git_dir);
        self.set("GIT_WORK_TREE", git_dir);
        self.set("GIT_INDEX_FILE", index_file);
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

    /// Where the program lies: in the first absolute directory of the search path that is not part of the clone. The system's
    /// own search would take `.` for the directory of the call, and start a `git` that the clone brings along.
    fn find(&self) -> Option<PathBuf> {
        let path = self.variable("PATH")?;
        let is_foreign = |dir: &PathBuf| {
            let real = dir.canonicalize();
            !self.clone.as_ref().is_some_and(|clone| real.is_ok_and(|real| real.starts_with(clone)))
        };
        let mut dirs = std::env::split_paths(path).filter(|dir| dir.is_absolute()).filter(is_foreign);
        dirs.find_map(|dir| {
            let place = dir.join(if cfg!(windows) { "git.exe" } else { "git" });
            place.metadata().is_ok_and(|meta| meta.is_file() && is_executable(&meta)).then_some(place)
        })
    }

    fn command(&self, call: &GitCall<'_>) -> Result<Command, ProgramError> {
        let place = self.place.get_or_init(|| self.find()).as_ref().ok_or(ProgramError::NotInstalled)?;
        let mut command = Command::new(place);
        command.current_dir(&self.directory).env_clear();
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(git_dir) = self.variable("GIT_DIR").filter(|_| !call.reads_index()) {
            command.env("GIT_INDEX_FILE", Path::new(git_dir).join("there-is-no-such-index"));
        }
        if let Some(tree) = call.attributes() {
            command.env("GIT_ATTR_SOURCE", tree);
        }
        command.args(["--no-pager", "--literal-pathspecs"]);
        for setting in CONFIG {
            command.args(["-c", setting]);
        }
        command.args(call.arguments()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(command)
    }

    /// All of a call's output.
    pub(super) fn output(&self, call: &GitCall<'_>) -> Result<Vec<u8>, ProgramError> {
        self.stream(call, |output| {
            let mut bytes = Vec::new();
            output.read_to_end(&mut bytes)?;
            Ok(bytes)
        })
    }

    /// A call's output without the final line end.
    pub(super) fn line(&self, call: &GitCall<'_>) -> Result<Vec<u8>, ProgramError> {
        let mut bytes = self.output(call)?;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        Ok(bytes)
    }

    /// Read a call's output while it is made. A reader that stops early ends the call, and that is no error.
    pub(super) fn stream<T>(
        &self,
        call: &GitCall<'_>,
        read: impl FnOnce(&mut Printed) -> std::io::Result<T>,
    ) -> Result<T, ProgramError> {
        self.stream_with_input(call, Vec::new(), read)
    }

    /// The same, for a call that reads `input`.
    pub(super) fn stream_with_input<T>(
        &self,
        call: &GitCall<'_>,
        input: Vec<u8>,
        read: impl FnOnce(&mut Printed) -> std::io::Result<T>,
    ) -> Result<T, ProgramError> {
        let command = if input.is_empty() { self.command(call)? } else { self.piped(call)? };
        conversation::hold(command, input, read)
    }

    /// A call that reads its standard input.
    fn piped(&self, call: &GitCall<'_>) -> Result<Command, ProgramError> {
        let mut command = self.command(call)?;
        command.stdin(Stdio::piped());
        Ok(command)
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
    let mut id = vec![0; text.len() / 2];
    (text.len().is_multiple_of(2) && fill_from_hex(text, &mut id)).then_some(id)
}

/// Write an object name, given in hexadecimal form of twice the length, to `id`; false if the text is not hexadecimal.
fn fill_from_hex(text: &[u8], id: &mut [u8]) -> bool {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        _ => 0xff,
    };
    let mut all = 0;
    for (pair, byte) in text.chunks_exact(2).zip(id) {
        let (high, low) = (digit(pair[0]), digit(pair[1]));
        all |= high | low;
        *byte = high << 4 | low & 15;
    }
    all < 16
}

/// An object name in hexadecimal form.
pub(crate) fn hex(id: &[u8]) -> String {
    let digits = b"0123456789abcdef";
    let mut text = String::with_capacity(id.len() * 2);
    for &byte in id {
        text.push(char::from(digits[usize::from(byte >> 4)]));
        text.push(char::from(digits[usize::from(byte & 15)]));
    }
    text
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
    fn a_program_of_the_clone_is_not_started() {
        let find = |path: &str, clone: Option<&Path>| {
            let vars = GitVars::new([("PATH".into(), path.into())]);
            Program { clone: clone.map(Path::to_owned), ..Program::searching(Path::new("/"), &vars) }.find()
        };
        let folder = tempfile::tempdir().expect("a folder");
        let top = folder.path().canonicalize().expect("it is there");
        let git = top.join(if cfg!(windows) { "git.exe" } else { "git" });
        std::fs::write(&git, "").expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&git, std::fs::Permissions::from_mode(0o755)).expect("a mode");
        }
        let text = top.to_str().expect("UTF-8");
        assert_eq!(find(text, None), Some(git.clone()));
        assert_eq!(find(text, Some(&top)), None, "part of the clone");
        assert_eq!(find(text, Some(&top.join("below"))), Some(git));
        for relative in [".", "", "bin", "../x"] {
            assert_eq!(find(relative, None), None, "{relative}");
        }
    }

    #[test]
    fn records_end_with_nul() {
        assert_eq!(records(b"").count(), 0);
        assert_eq!(records(b"a\0b\0").collect::<Vec<_>>(), [b"a", b"b"]);
    }
}
