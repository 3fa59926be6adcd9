//! A stranger's clone: nothing that it names is executed, nothing outside it is read or written, and no file of it makes a
//! command wait for ever.
#![cfg(unix)]

mod borders;
mod calls;
mod execution;
mod special_files;
mod traps;

use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Repo, Run};

/// A command that has not ended by then never will. Those that end take less than a second.
const FOR_EVER: Duration = Duration::from_secs(120);

/// Every command that reads a repository, in each of its ways; the ones that write come last. Standard input is an event for
/// the hooks.
const COMMANDS: [&[&str]; 28] = [
    &["check"],
    &["check", "--staged"],
    &["check", "--staged", "--all"],
    &["check", "--rev", "HEAD"],
    &["check", "--since", "HEAD~1"],
    &["check", "--diff"],
    &["check", "."],
    &["files"],
    &["files", "--staged"],
    &["files", "--rev", "HEAD~1"],
    &["agents"],
    &["compile", "--stdout"],
    &["compile", "--check"],
    &["compile", "--check", "--staged"],
    &["show"],
    &["show", "--agent", "claude"],
    &["show", "--file", "AGENTS.md"],
    &["diff", "HEAD~1"],
    &["diff", "HEAD~1", "HEAD"],
    &["plan"],
    &["hook", "session-start"],
    &["hook", "post-tool-use"],
    &["hook", "stop"],
    &["hook", "session-end"],
    &["check", "--fix"],
    &["check", "--staged", "--fix"],
    &["compile"],
    &["init", "--agent-hooks"],
];

/// Run a command; what is read from standard input is an event of an agent in that directory.
fn run(repo: &Repo, dir: &Path, args: &[&str], variables: &[(&str, &Path)]) -> Run {
    let event = serde_json::json!({
        "session_id": "s",
        "cwd": dir,
        "source": "startup",
        "tool_name": "Edit",
        "tool_input": {"file_path": dir.join("AGENTS.md")},
    });
    let mut command = repo.hintlint(dir);
    command.args(args).envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("hintlint starts");
    // It may end without having read anything.
    let _ = child.stdin.take().expect("piped").write_all(event.to_string().as_bytes());
    let (mut stdout, mut stderr) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    std::thread::scope(|scope| {
        let mut texts = (String::new(), String::new());
        let read = scope.spawn(|| {
            let mut text = String::new();
            stderr.read_to_string(&mut text).map(|_| text)
        });
        let watched = scope.spawn(|| {
            let start = Instant::now();
            loop {
                match child.try_wait().expect("it can be waited for") {
                    Some(status) => return status,
                    None if start.elapsed() > FOR_EVER => {
                        child.kill().expect("it can be ended");
                        panic!("{args:?} in {} never ends", dir.display());
                    }
                    None => std::thread::sleep(Duration::from_millis(2)),
                }
            }
        });
        stdout.read_to_string(&mut texts.0).expect("UTF-8");
        texts.1 = read.join().expect("read").expect("UTF-8");
        Run { stdout: texts.0, stderr: texts.1, code: watched.join().expect("it ends").code().unwrap_or(-1) }
    })
}
