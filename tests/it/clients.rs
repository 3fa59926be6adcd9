//! Other people's programs that we are held against: hook runners, validators, shells. `.ci/run` installs them.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// The program's place on the path. Without it the test that asks must return: the log says so, past the test runner's
/// capture. Where `.ci/run` installed it (`HINTLINT_TEST_CLIENTS` names it), its absence fails.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file());
    present(program, found)
}

/// The Python that has a module, which may be absent as a program may.
pub(crate) fn find_module(module: &str) -> Option<PathBuf> {
    let import = format!("import {module}");
    let has =
        |python: &PathBuf| Command::new(python).args(["-c", &import]).output().is_ok_and(|run| run.status.success());
    present(module, find("python3").filter(has))
}

/// What was found under a name; what was not is said.
fn present(name: &str, found: Option<PathBuf>) -> Option<PathBuf> {
    if found.is_none() {
        let promised = std::env::var("HINTLINT_TEST_CLIENTS").unwrap_or_default();
        assert!(!promised.split_whitespace().any(|client| client == name), "{name} was installed but is not found");
        skip(&format!("{name} is not installed; a test that needs it did nothing"));
    }
    found
}

/// Say why a test, or a part of it, does nothing. The test runner keeps what passing tests print to itself, so this goes past it.
pub(crate) fn skip(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// A file of this project's own repository.
pub(crate) fn own(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}
