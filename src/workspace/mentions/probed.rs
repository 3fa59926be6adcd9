//! What a source knows about the paths that texts name and that are not listed: asked once for all of them.

use std::collections::{BTreeMap, BTreeSet};

use super::own_sources::is_source;
use super::{Mention, MentionForm, Miss};
use crate::base::path::{self, RepoPath};
use crate::source::{Probe, Source};

/// Sources that git has in a folder, at least, before a pattern for the folder tells nothing of others.
const MIN_BESIDE: usize = 2;

/// The answers of a source.
pub(super) struct ProbedPaths<'s> {
    source: &'s dyn Source,
    probes: BTreeMap<RepoPath, Probe>,
}

/// The places that an absent mention may mean.
pub(super) fn candidates(mention: &Mention) -> &[RepoPath] {
    match &mention.place {
        Miss::Absent { candidates, .. } => candidates,
        _ => &[],
    }
}

/// A name in the folder at `dir` that no pattern is about.
fn any_file_in(dir: &[u8]) -> RepoPath {
    RepoPath::new(path::join(dir, b"file"))
}

impl<'s> ProbedPaths<'s> {
    /// The answers about `mentions`; `None` if there is nothing to ask.
    pub(super) fn new<'m>(source: &'s dyn Source, mentions: impl Iterator<Item = &'m Mention>) -> Option<Self> {
        let mut asked = BTreeSet::new();
        for mention in mentions {
            for path in candidates(mention) {
                if mention.form == MentionForm::Directory {
                    asked.insert(any_file_in(path.as_bytes()));
                }
                if is_source(path.as_bytes()) && source.listing().has_dir(path.parent()) {
                    asked.insert(any_file_in(path.parent()));
                }
                asked.insert(path.clone());
            }
        }
        let asked: Vec<RepoPath> = asked.into_iter().collect();
        let probes = || asked.iter().cloned().zip(source.probe_many(&asked)).collect();
        (!asked.is_empty()).then(|| ProbedPaths { source, probes: probes() })
    }

    fn is(&self, path: &RepoPath, probe: Probe) -> bool {
        self.probes.get(path) == Some(&probe)
    }

    /// Whether nothing is there. A folder below which nothing is listed is no part of the repository: git keeps none that is empty.
    pub(super) fn is_absent(&self, path: &RepoPath) -> bool {
        match self.probes.get(path) {
            Some(Probe::Directory) => !self.source.listing().has_dir(path.as_bytes()),
            Some(Probe::Ignored) => self.is_beside_sources(path),
            probe => matches!(probe, Some(Probe::Absent) | None),
        }
    }

    /// Whether an ignore file excludes the path.
    pub(super) fn is_ignored(&self, path: &RepoPath) -> bool {
        self.is(path, Probe::Ignored) && !self.is_beside_sources(path)
    }

    /// Whether an ignore file excludes all that a folder holds: `made/**` ignores that, and not the folder.
    pub(super) fn is_ignored_inside(&self, folder: &RepoPath) -> bool {
        self.is_ignored(&any_file_in(folder.as_bytes()))
    }

    /// Whether a source would lie beside sources that git has although a pattern ignores their folder: it tells nothing of this one.
    pub(super) fn is_beside_sources(&self, path: &RepoPath) -> bool {
        let are_there = || {
            let children = self.source.listing().children(path.parent());
            children.iter().filter(|(name, _)| is_source(name)).count() >= MIN_BESIDE
        };
        is_source(path.as_bytes()) && self.is(&any_file_in(path.parent()), Probe::Ignored) && are_there()
    }
}
