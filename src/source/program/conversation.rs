//! One call of a program: input in, output and errors out at the same time, none of which may stop the others, and an end in
//! every case. Knows nothing of git.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::ProgramError;

/// Longest error output that is kept, in bytes.
const MAX_STDERR: u64 = 4096;

/// How long a call may print nothing. Git waits without end for a FIFO that stands where it expects a file; those that can be
/// foreseen are refused before a call. The longest silence known is that of a path's history in the largest repositories.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a call prints.
pub(in crate::source) type Printed = BufReader<WatchedOutput>;

/// A program that runs, with its pipes. It does not outlive this value.
#[derive(Debug)]
pub(super) struct Conversation {
    child: Arc<RunningChild>,
    stdin: Option<ChildStdin>,
    pub(super) stdout: Printed,
    words: Option<JoinHandle<String>>,
    pulse: Arc<Pulse>,
    patience: Duration,
    /// Dropped to end the watch.
    watch: Option<mpsc::Sender<()>>,
}

/// Signs that a program works.
#[derive(Debug, Default)]
struct Pulse {
    /// Grows with every byte that is read, and with every question.
    beats: AtomicU64,
    /// Whether somebody waits for output.
    is_awaited: AtomicBool,
    /// Whether it was ended since it was silent for too long.
    is_stuck: AtomicBool,
}

impl Conversation {
    /// Start a command whose pipes are all open.
    pub(super) fn begin(command: Command) -> Result<Self, ProgramError> {
        Self::begin_with(command, PATIENCE)
    }

    fn begin_with(mut command: Command, patience: Duration) -> Result<Self, ProgramError> {
        let child = command.spawn();
        let mut child = child.map_err(|error| ProgramError::Failed(format!("git could not be started: {error}")))?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Arc::new(RunningChild(Mutex::new(child)));
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else {
            return Err(ProgramError::Failed("git has no output".to_owned()));
        };
        let pulse = Arc::new(Pulse::default());
        let (watch, end) = mpsc::channel::<()>();
        let (watched, seen) = (child.clone(), pulse.clone());
        std::thread::spawn(move || {
            let mut before = 0;
            while end.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                let now = seen.beats.load(Ordering::Relaxed);
                if now == before && seen.is_awaited.load(Ordering::Relaxed) {
                    seen.is_stuck.store(true, Ordering::Relaxed);
                    return watched.kill();
                }
                before = now;
            }
        });
        Ok(Conversation {
            child,
            stdin,
            stdout: BufReader::with_capacity(1 << 18, WatchedOutput { stdout, pulse: pulse.clone() }),
            words: Some(std::thread::spawn(move || last_words(stderr))),
            pulse,
            patience,
            watch: Some(watch),
        })
    }

    /// From now on output is awaited, or no longer.
    pub(super) fn awaits(&self, is_awaited: bool) {
        self.pulse.beats.fetch_add(1, Ordering::Relaxed);
        self.pulse.is_awaited.store(is_awaited, Ordering::Relaxed);
    }

    /// Hand over some input, which must be small enough for a pipe to hold. That the program has ended shows in its output.
    pub(super) fn tell(&mut self, input: &[u8]) {
        let _ = self.stdin.as_mut().map(|stdin| stdin.write_all(input));
    }

    /// End the program, by force if not all of its output was read, and say how it ended.
    pub(super) fn end(mut self, result: std::io::Result<()>) -> Result<(), ProgramError> {
        let finished = result.is_ok() && self.stdout.fill_buf().is_ok_and(<[u8]>::is_empty);
        if !finished {
            self.child.kill();
        }
        self.stdin = None;
        let status = self.child.wait();
        let words = self.words.take().and_then(|words| words.join().ok()).unwrap_or_default();
        if self.pulse.is_stuck.load(Ordering::Relaxed) {
            let seconds = self.patience.as_secs();
            return Err(ProgramError::Failed(format!("git printed nothing for {seconds} seconds and was stopped")));
        }
        match (result, status) {
            (Ok(()), Ok(status)) if status.success() || !finished => Ok(()),
            (Err(error), _) if words.is_empty() => Err(ProgramError::Failed(format!("git: {error}"))),
            (_, Err(error)) => Err(ProgramError::Failed(format!("git: {error}"))),
            _ if words.is_empty() => Err(ProgramError::Failed("git failed and did not say why".to_owned())),
            _ => Err(ProgramError::Failed(words)),
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.watch = None;
        self.child.kill();
        let _ = self.child.wait();
    }
}

/// Run a command: write its input, and read its output while it is made. A reader that stops early ends it, and so does silence.
pub(super) fn hold<T>(
    command: Command,
    input: Vec<u8>,
    read: impl FnOnce(&mut Printed) -> std::io::Result<T>,
) -> Result<T, ProgramError> {
    hold_with(command, input, PATIENCE, read)
}

fn hold_with<T>(
    command: Command,
    input: Vec<u8>,
    patience: Duration,
    read: impl FnOnce(&mut Printed) -> std::io::Result<T>,
) -> Result<T, ProgramError> {
    let mut conversation = Conversation::begin_with(command, patience)?;
    conversation.awaits(true);
    // A thread of its own, or two full pipes would stop both sides for ever.
    let writer = conversation.stdin.take().map(|mut stdin| std::thread::spawn(move || stdin.write_all(&input)));
    let result = read(&mut conversation.stdout);
    let (value, result) = match result {
        Ok(value) => (Some(value), Ok(())),
        Err(error) => (None, Err(error)),
    };
    let end = conversation.end(result);
    // The program has ended, and with it its end of the pipe.
    let _ = writer.map(JoinHandle::join);
    end?;
    value.ok_or_else(|| ProgramError::Failed("git has no output".to_owned()))
}

/// The output of a call, with a count of what has come.
#[derive(Debug)]
pub(in crate::source) struct WatchedOutput {
    stdout: ChildStdout,
    pulse: Arc<Pulse>,
}

impl Read for WatchedOutput {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.stdout.read(buffer)?;
        self.pulse.beats.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A child that can be ended from several threads.
#[derive(Debug)]
struct RunningChild(Mutex<Child>);

impl RunningChild {
    fn kill(&self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).kill();
    }

    fn wait(&self) -> std::io::Result<std::process::ExitStatus> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).wait()
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
            Err(ProgramError::Failed(why)) => assert!(why.contains("printed nothing"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}
