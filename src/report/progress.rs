//! A sign of life for runs that take long: on stderr, on a terminal, after half a second, erased at the end.
//!
//! Without the feature `progress`, or where stderr is no terminal, it does nothing. It prints our own words only.

use crate::engine::Stage;

/// Shows what the program is doing, from its making until it is dropped.
#[derive(Debug, Default)]
pub(crate) struct ProgressLine {
    #[cfg(feature = "progress")]
    spinner: Option<spinner::Spinner>,
}

impl ProgressLine {
    /// A progress line if `terminal`, which says whether stderr is one; else nothing.
    #[cfg_attr(
        not(feature = "progress"),
        expect(unused_variables, reason = "without the feature there is nothing to show")
    )]
    pub(crate) fn new(terminal: bool) -> ProgressLine {
        ProgressLine {
            #[cfg(feature = "progress")]
            spinner: terminal.then(spinner::Spinner::start).flatten(),
        }
    }

    /// Erases the line, so that something else can be printed.
    pub(crate) fn end(self) {}

    /// A callback that shows each stage, until this value is dropped.
    pub(crate) fn listener(&self) -> impl Fn(Stage) + Send + Sync + 'static {
        #[cfg(feature = "progress")]
        let stages = self.spinner.as_ref().map(spinner::Spinner::stages);
        move |stage| {
            let words = words(stage);
            #[cfg(feature = "progress")]
            if let Some(stages) = &stages {
                stages.show(words);
            }
            #[cfg(not(feature = "progress"))]
            let _ = words;
        }
    }
}

/// What the line says of a stage.
fn words(stage: Stage) -> &'static str {
    match stage {
        Stage::Repository => "reading the repository",
        Stage::Files => "reading the hint files",
        Stage::History => "reading the history",
        Stage::Rules => "checking",
        Stage::Artifacts => "compiling",
        Stage::Comparison => "comparing",
    }
}

#[cfg(feature = "progress")]
mod spinner {
    use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::thread::{self, JoinHandle};
    use std::time::{Duration, Instant};

    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

    /// Runs shorter than this show nothing.
    const DELAY: Duration = Duration::from_millis(500);

    const TICK: Duration = Duration::from_millis(120);

    /// A thread that waits, then draws. It ends when the sender is dropped.
    #[derive(Debug)]
    pub(super) struct Spinner {
        stages: Stages,
        thread: Option<JoinHandle<()>>,
    }

    /// The way to the thread; closed once the line is gone.
    #[derive(Clone, Debug)]
    pub(super) struct Stages(Arc<Mutex<Option<Sender<&'static str>>>>);

    impl Stages {
        pub(super) fn show(&self, words: &'static str) {
            if let Some(thread) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
                // The thread listens until this sender is dropped.
                let _ = thread.send(words);
            }
        }

        fn close(&self) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }

    impl Spinner {
        /// `None` if no thread can be had, which is no reason to fail.
        pub(super) fn start() -> Option<Spinner> {
            let (stages, receiver) = channel();
            let thread = thread::Builder::new().name("progress".to_owned()).spawn(move || run(&receiver)).ok()?;
            Some(Spinner { stages: Stages(Arc::new(Mutex::new(Some(stages)))), thread: Some(thread) })
        }

        pub(super) fn stages(&self) -> Stages {
            self.stages.clone()
        }
    }

    impl Drop for Spinner {
        fn drop(&mut self) {
            self.stages.close();
            if let Some(thread) = self.thread.take() {
                // It must have cleared its line before anything else is printed.
                let _ = thread.join();
            }
        }
    }

    fn run(stages: &Receiver<&'static str>) {
        let mut last = super::words(super::Stage::Repository);
        let shown_at = Instant::now() + DELAY;
        loop {
            match stages.recv_timeout(shown_at.saturating_duration_since(Instant::now())) {
                Ok(stage) => last = stage,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.set_message(last);
        bar.enable_steady_tick(TICK);
        while let Ok(stage) = stages.recv() {
            bar.set_message(stage);
        }
        bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_short_run_ends_at_once() {
        let started = Instant::now();
        for terminal in [true, false] {
            ProgressLine::new(terminal).listener()(Stage::Rules);
        }
        // A thread that slept through its delay would take half a second.
        assert!(started.elapsed() < Duration::from_millis(450));
    }
}
