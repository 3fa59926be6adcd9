//! What history tells of artifacts: the repository at the last commit that changed each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Repository, config_file};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::compile::{AgentTexts, ArtifactState, Artifacts, PastState};
use crate::source::history::Questions;
use crate::source::{self, Side, Spec};
use crate::workspace::{self, Workspace};

/// The limit of past states loaded in one run. They only explain a drift; the drift is known without them.
const MAX_PASTS: usize = 16;

/// What history tells of artifacts.
#[derive(Debug, Default)]
pub(crate) struct RecalledArtifacts {
    /// By artifact: the repository at the last commit that changed it, where that is known.
    pub states: BTreeMap<RepoPath, Arc<PastState>>,
    /// Why some are not known, for the user.
    pub notes: Vec<String>,
}

impl Repository {
    /// Look up the past of the workspace's artifacts that are not current, for the rules about artifacts.
    pub(super) fn recall_artifacts(&self, workspace: &mut Workspace, artifacts: &mut Artifacts) {
        if !workspace.documents.iter().any(|document| document.kind == Kind::Artifact) {
            return;
        }
        let open = artifacts.state(workspace).map(ArtifactState::open).unwrap_or_default();
        let recalled = self.recall(&open);
        artifacts.past = recalled.states;
        workspace.notes.extend(recalled.notes);
    }

    /// Look up the state of the repository at the last commit that changed each of `artifacts`: one that was right then is
    /// stale now, any other was edited. Without artifacts nothing is looked at.
    pub(crate) fn recall(&self, artifacts: &BTreeSet<RepoPath>) -> RecalledArtifacts {
        let questions = Questions { last_changes: artifacts.clone(), ..Questions::default() };
        let answers = self.answer(&questions);
        let mut by_commit: BTreeMap<(i64, String), Vec<RepoPath>> = BTreeMap::new();
        for (path, commit) in answers.last_changes {
            by_commit.entry((commit.time, commit.id)).or_default().push(path);
        }
        let mut by_commit: Vec<_> = by_commit.into_iter().rev().collect();
        by_commit.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
        let mut recalled = RecalledArtifacts { states: BTreeMap::new(), notes: answers.notes };
        for ((_, commit), paths) in by_commit.into_iter().take(MAX_PASTS) {
            if let Some(past) = self.past_at(commit).map(Arc::new) {
                recalled.states.extend(paths.into_iter().map(|path| (path, past.clone())));
            }
        }
        recalled
    }

    /// The state at a commit of this repository, with the config of that time; `None` if it cannot be read.
    fn past_at(&self, commit: String) -> Option<PastState> {
        let spec = Spec { side: Side::Commit(commit), ..self.spec.clone() };
        let opened = source::open(&spec).ok()?;
        let mut config = self.config.clone();
        if self.finds_config {
            config = config_file::of_source(&*opened.source).ok()?.map(|(whole, _)| whole.config).unwrap_or_default();
            // What is asked about is rendered, whoever was served at the time.
            let asked = self.config.compile.agents.iter().filter(|agent| !config.compile.agents.contains(agent));
            let asked: Vec<String> = asked.cloned().collect();
            config.compile.agents.extend(asked);
        }
        let workspace = workspace::load(&*opened.source, config, &[]).ok()?.workspace;
        Some(PastState { texts: AgentTexts::new(&*opened.source, &workspace), workspace })
    }
}
