//! `--watch`: lint, then lint again whenever a file of the repository changes. Which changes count is decided here: those in
//! the folders that are linted, and in git's own folder, where staging and committing show. Ends with Ctrl-C.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::session::Session;
use super::{Console, failure};
use crate::base::error::Error;
use crate::base::path;
use crate::cli::args::CheckArgs;

/// An editor saves in several steps, and `git checkout` writes many files: the next run waits until nothing changed for so long,
const QUIET: Duration = Duration::from_millis(150);

/// but never longer than this.
const PATIENCE: Duration = Duration::from_secs(2);

/// So many folders are watched. Systems bound the number too: Linux allows 8,192 to a user in its oldest versions.
const FOLDERS: usize = 8_000;

/// Run `check` now and after each change, until it can print no more.
///
/// # Errors
/// When changes cannot be watched, the first run cannot do its job, or standard output is closed.
pub(super) fn watch(
    args: &CheckArgs,
    console: &mut Console<'_>,
    check: impl Fn(&CheckArgs, &mut Console<'_>) -> Result<u8, Error>,
) -> Result<u8, Error> {
    let (sender, changes) = channel();
    let mut watched = WatchedFolders::new(sender)?;
    for round in 0_usize.. {
        match watched.renew(args, console).and_then(|()| check(args, console)) {
            Ok(_) => {}
            // What keeps a later run from its job, such as a config that is half typed, may be gone after the next change.
            Err(error) if round > 0 && !matches!(error, Error::Output(_)) => failure::explain(&error, console),
            Err(error) => return Err(error),
        }
        console.done_with.clear();
        console.stdout.finish()?;
        console.note("waiting for changes; Ctrl-C ends it");
        wait(&changes)?;
    }
    Ok(0)
}

/// Wait for a change, and then until there is no more for a while.
fn wait(changes: &Receiver<()>) -> Result<(), Error> {
    let gone = || Error::failed("hintlint can no longer watch for changes", "start again");
    changes.recv().map_err(|_| gone())?;
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        match changes.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(RecvTimeoutError::Disconnected) => return Err(gone()),
        }
    }
    Ok(())
}

/// The folders that are watched, each without those in it: ignored ones, where builds write all the time, are not among them.
struct WatchedFolders {
    watcher: RecommendedWatcher,
    folders: BTreeSet<PathBuf>,
    is_full: bool,
}

impl WatchedFolders {
    fn new(sender: Sender<()>) -> Result<Self, Error> {
        let tell = move |event: notify::Result<Event>| {
            // Our own reading is an access. What could not be understood may have been a change.
            if event.map_or(true, |event| !event.kind.is_access()) {
                let _ = sender.send(());
            }
        };
        let watcher = notify::recommended_watcher(tell).map_err(|error| unwatchable(&error))?;
        Ok(WatchedFolders { watcher, folders: BTreeSet::new(), is_full: false })
    }

    /// Watch the folders that the repository has now.
    fn renew(&mut self, args: &CheckArgs, console: &mut Console<'_>) -> Result<(), Error> {
        let session = Session::open(console, &args.paths, &args.source, &args.config)?;
        let Some(root) = session.repository.root() else {
            return Err(Error::failed("a bare repository has no files to watch", "leave --watch out"));
        };
        let mut folders = BTreeSet::from([root.to_owned()]);
        folders.extend(session.repository.git_dir().map(Path::to_owned));
        for entry in session.repository.source().listing().iter() {
            let mut dir = path::parent(entry.path);
            while !dir.is_empty() && folders.insert(root.join(path::bytes_to_os_path(dir))) {
                dir = path::parent(dir);
            }
        }
        for folder in self.folders.difference(&folders) {
            // It may be gone, and its watch with it.
            let _ = self.watcher.unwatch(folder);
        }
        let room = FOLDERS.saturating_sub(self.folders.intersection(&folders).count());
        let new: Vec<PathBuf> = folders.difference(&self.folders).cloned().collect();
        for folder in new.iter().take(room) {
            // A folder may vanish meanwhile; the change of its parent tells.
            if let Err(error) = self.watcher.watch(folder, RecursiveMode::NonRecursive)
                && folder.is_dir()
            {
                return Err(unwatchable(&error));
            }
        }
        if new.len() > room && !std::mem::replace(&mut self.is_full, true) {
            console
                .note(&format!("only {FOLDERS} folders are watched; changes in the others are noticed with the next change in a watched folder"));
        }
        self.folders = folders;
        Ok(())
    }
}

fn unwatchable(error: &notify::Error) -> Error {
    Error::failed(
        format!("files cannot be watched: {error}"),
        "run without --watch, or raise the system's limit on file watches",
    )
}
