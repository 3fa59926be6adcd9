//! One call of a program: input in, output and errors out at the same time, none of which may stop the others, and an end in
//! every case. Knows nothing of git.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::ProgramError;

/// Longest error output that is kept, in bytes.
const MAX_STDERR: u64 = 4096;

/// How long a call may print nothing. Git waits without end for a FIFO that stands where it expects a file; those that can be
/// foreseen are refused before a call. The longest silence known is that of a path's history in the largest repositories.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a call prints.
pub(in crate::source) type Printed = BufReader<Watched>;

/// Run a command: write its input, and read its output while it is made. A reader that stops early ends it, and so does silence.
pub(super) fn hold<T>(
    command: Command,
    input: Vec<u8>,
    read: impl FnOnce(&mut Printed) -> std::io::Result<T>,
) -> Result<T, ProgramError> {
    hold_with(command, input, PATIENCE, read)
}

fn hold_with<T>(
    mut command: Command,
    input: Vec<u8>,
    patience: Duration,
    read: impl FnOnce(&mut Printed) -> std::io::Result<T>,
) -> Result<T, ProgramError> {
    let child = command.spawn();
    let mut child = child.map_err(|error| ProgramError::Failed(format!("git could not be started: {error}")))?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let child = Running(Mutex::new(child));
    let (Some(stdout), Some(stderr)) = (stdout, stderr) else {
        return Err(ProgramError::Failed("git has no output".to_owned()));
    };
    let printed = Arc::new(AtomicU64::new(0));
    let is_stuck = AtomicBool::new(false);
    let (ended, end) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        // Input and errors have threads of their own, or a full pipe would stop both sides for ever.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let words = scope.spawn(move || last_words(stderr));
        let (child, is_stuck) = (&child, &is_stuck);
        let seen = printed.clone();
        scope.spawn(move || {
            let mut before = 0;
            while end.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                let now = seen.load(Ordering::Relaxed);
                if now == before {
                    is_stuck.store(true, Ordering::Relaxed);
                    return child.kill();
                }
                before = now;
            }
        });
        let mut stdout = BufReader::with_capacity(1 << 18, Watched { stdout, printed });
        let result = read(&mut stdout);
        let finished = result.is_ok() && stdout.fill_buf().is_ok_and(<[u8]>::is_empty);
        drop(stdout);
        if !finished {
            child.kill();
        }
        drop(ended);
        let status = child.wait();
        let words = words.join().unwrap_or_default();
        if is_stuck.load(Ordering::Relaxed) {
            let seconds = patience.as_secs();
            return Err(ProgramError::Failed(format!("git said nothing for {seconds} seconds and was ended")));
        }
        match (result, status) {
            (Ok(value), Ok(status)) if status.success() || !finished => Ok(value),
            (Err(error), _) if words.is_empty() => Err(ProgramError::Failed(format!("git: {error}"))),
            (_, Err(error)) => Err(ProgramError::Failed(format!("git: {error}"))),
            _ if words.is_empty() => Err(ProgramError::Failed("git failed and did not say why".to_owned())),
            _ => Err(ProgramError::Failed(words)),
        }
    })
}

/// The output of a call, with a count of what has come.
pub(in crate::source) struct Watched {
    stdout: ChildStdout,
    printed: Arc<AtomicU64>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.stdout.read(buffer)?;
        self.printed.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A child that does not outlive its call, whatever happens on the way.
struct Running(Mutex<Child>);

impl Running {
    fn kill(&self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).kill();
    }

    fn wait(&self) -> std::io::Result<std::process::ExitStatus> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let child = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Ok(None) = child.try_wait() {
            let _ = child.kill();
            let _ = child.wait();
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

#[cfg(all(test, unix))]
mod tests {
    use std::process::Stdio;

    use super::*;

    #[test]
    fn a_call_that_says_nothing_is_ended() {
        let run = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            hold_with(command, Vec::new(), Duration::from_millis(200), |output| {
                let mut bytes = Vec::new();
                output.read_to_end(&mut bytes).map(|_| bytes)
            })
        };
        assert_eq!(run("echo said").expect("it ends"), b"said\n");
        match run("exec sleep 1000") {
            Err(ProgramError::Failed(why)) => assert!(why.contains("said nothing"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}
