//! `--watch`: the real program on a real folder, which lints again after each change and stays silent in between.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::support::Repo;

/// A running `hintlint --watch`; it ends with the test.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(repo: &Repo, args: &[&str]) -> Self {
        let mut command = repo.hintlint(repo.root());
        command.args(["--watch", "--format", "concise", "--quiet"]).args(args);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let (sender, lines) = channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().expect("a pipe")), Box::new(child.stderr.take().expect("a pipe"))];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || {
                BufReader::new(stream).lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
            });
        }
        Watching { child, lines }
    }

    /// What the next run says, without the line that ends it.
    fn round(&self) -> String {
        let mut said = Vec::new();
        loop {
            let line =
                self.lines.recv_timeout(Duration::from_secs(120)).unwrap_or_else(|_| panic!("no more than {said:?}"));
            if line.contains("waiting for changes") {
                // The two streams are read apart: the report is whole a moment later.
                while let Ok(line) = self.lines.recv_timeout(Duration::from_millis(100)) {
                    said.push(line);
                }
                return said.join("\n");
            }
            said.push(line);
        }
    }

    fn is_silent(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(900)) == Err(RecvTimeoutError::Timeout)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn each_change_is_linted_once_and_ignored_files_are_not_watched() {
    let repo = Repo::with_files([
        ("AGENTS.md", "Fine.\n"),
        (".gitignore", "out/\n"),
        ("out/log.txt", "x\n"),
        ("docs/guide.md", "Fine.\n"),
    ]);
    let watching = Watching::start(&repo, &[]);
    assert_eq!(watching.round(), "", "nothing is wrong");
    repo.write("out/log.txt", "a build writes\n");
    assert!(watching.is_silent(), "an ignored file started a run, or a run started the next");
    repo.write("AGENTS.md", "See [this](gone.md).\n");
    let said = watching.round();
    assert!(said.starts_with("AGENTS.md:1:12: warning[broken-link]"), "{said}");
    repo.write("new/AGENTS.md", "Fine.\n");
    watching.round();
    repo.write("new/AGENTS.md", "See [that](gone.md).\n");
    assert!(watching.round().contains("new/AGENTS.md:1:12"), "a new folder is watched");
    repo.write("hintlint.toml", "[rules\n");
    assert!(watching.round().contains("hintlint.toml cannot be used"), "a config that is half typed ends nothing");
    repo.remove("hintlint.toml").write("new/AGENTS.md", "Fine.\n").write("AGENTS.md", "Fine.\n");
    assert_eq!(watching.round(), "");
}

#[test]
fn staging_is_a_change_where_the_index_is_linted() {
    let repo = Repo::with_files([("AGENTS.md", "Fine.\n")]);
    let watching = Watching::start(&repo, &["--staged"]);
    watching.round();
    repo.write("AGENTS.md", "See [this](gone.md).\n");
    assert_eq!(watching.round(), "", "not staged yet");
    repo.git(&["add", "-A"]);
    assert!(watching.round().contains("broken-link"));
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let repo = Repo::with_files([("AGENTS.md", "Fine.\n")]);
    for args in
        [&["--watch", "--rev", "HEAD"][..], &["--watch", "--output", "x"], &["--watch", "--diff"], &["--watch", "-"]]
    {
        let run = repo.run(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.stderr);
    }
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", &bare.to_string_lossy()]);
    let run = repo.hintlint(&bare).arg("--watch").output().expect("it runs");
    assert_eq!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
}
