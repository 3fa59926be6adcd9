//! What a run is doing, told to whoever watches it. It knows no words for it and no terminal.

use std::fmt;
use std::sync::Arc;

/// A part of a run that may take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The repository is opened and listed.
    Repository,
    /// Hint files are read and parsed.
    Files,
    /// Commits are read.
    History,
    /// Rules check what was read.
    Rules,
    /// Artifacts are rendered.
    Artifacts,
    /// Contexts of two states are compared.
    Comparison,
}

/// Receives each stage when it begins; by default nothing does.
#[derive(Clone, Default)]
pub(super) struct Watcher(Option<Arc<dyn Fn(Stage) + Send + Sync>>);

impl Watcher {
    pub(super) fn new(watch: impl Fn(Stage) + Send + Sync + 'static) -> Watcher {
        Watcher(Some(Arc::new(watch)))
    }

    pub(super) fn tell(&self, stage: Stage) {
        if let Some(watch) = &self.0 {
            watch(stage);
        }
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Watcher(watched)" } else { "Watcher" })
    }
}
