//! What the enabled agents run because of the repository's files, in each directory that has files which say so.

use std::collections::BTreeSet;

use super::Workspace;
use crate::agents::files::ends_with;
use crate::agents::runs::{self, AgentRuns, RunMode, RunOptions, SettingPlace};
use crate::base::path::RepoPath;
use crate::base::text::Span;

/// Most directories that are looked at for one agent.
const MAX_DIRECTORIES: usize = 1_000;

impl Workspace {
    /// What each enabled agent for which that is known runs in each directory with files of its own that say so, where the folder
    /// is trusted and nobody watches. It is found out once.
    pub(crate) fn runs(&self) -> &[AgentRuns] {
        self.found_runs.get_or_init(|| {
            let world = self.world();
            let mut found = Vec::new();
            for dialect in self.dialects().filter(|dialect| dialect.runs.is_some()) {
                let mut directories = BTreeSet::new();
                for file in self.settings.keys() {
                    let end = dialect.files.run_files.iter().find(|end| ends_with(file.as_bytes(), end));
                    if let Some(end) = end.filter(|_| directories.len() < MAX_DIRECTORIES) {
                        let dir = &file.as_bytes()[..file.as_bytes().len() - end.len()];
                        directories.insert(dir.strip_suffix(b"/").unwrap_or(dir).to_vec());
                    }
                }
                for dir in directories.into_iter().filter(|dir| !self.is_for_elsewhere(dir)) {
                    let start = world.absolute(&dir);
                    found.extend(runs::load(&world, dialect, &start, RunMode::Headless, &RunOptions::default()));
                }
            }
            found
        })
    }

    /// The file and the bytes of a place that an agent told; `None` outside the repository. Where the agent decodes the file
    /// otherwise than as UTF-8 the place is the file's beginning.
    pub(crate) fn place_of_setting(&self, place: &SettingPlace) -> Option<(RepoPath, Span)> {
        let world = self.world();
        let path = RepoPath::new(world.relative(&place.path)?);
        let bytes = self.settings.get(&path)?;
        let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let is_plain = std::str::from_utf8(bytes).is_ok();
        let span = Span::new(place.span.start + mark, place.span.end + mark);
        Some((path, if is_plain && span.end <= bytes.len() { span } else { Span::empty(0) }))
    }
}
