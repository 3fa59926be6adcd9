//! Merged contexts and the committed artifacts that hold them: a pure function of the workspace (bytes and config).
//!
//! The text is rendered by `agents::merged`. `plan` says which scopes get an artifact, `changes` what a run would write or delete, `drift` says how a committed artifact differs. Nothing here reads or writes a file.

pub mod agent;
pub mod changes;
pub mod comparison;
pub mod delivery;
pub mod drift;
pub(crate) mod influence;
pub mod ledger;
pub mod plan;
pub mod run_changes;
pub mod same;
mod settings;
pub mod skill_changes;
pub(crate) mod trace;
pub(crate) mod why;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use crate::base::error::Obstacle;
use crate::base::path::RepoPath;
use crate::source::Source;
use crate::workspace::Workspace;

pub use agent::AgentTexts;
pub use changes::{ArtifactStep, ChangeRefusal, Custody};
pub(crate) use drift::{ArtifactState, Drift};
pub use drift::{DriftClass, Guilt};
pub(crate) use ledger::ArtifactLedger;
pub use plan::{Artifact, ArtifactSelection, Compiler, Plan};
pub(crate) use settings::CompileSettings;

/// What is known of the artifacts of one workspace beyond its documents.
#[derive(Debug, Default)]
pub struct Artifacts {
    /// The contexts of the agents that get artifacts, but for `merged`, which is rendered from the documents.
    pub texts: AgentTexts,
    /// How the artifacts stand, once somebody asked.
    state: OnceLock<Option<ArtifactState>>,
    /// Whether no finding about artifacts would be shown, so that rules need not look at them.
    pub(crate) are_unwanted: bool,
    /// For artifacts that are not current: the repository at the last commit that changed them, where that is known.
    pub past: BTreeMap<RepoPath, Arc<PastState>>,
}

/// A past state of a repository.
#[derive(Debug)]
pub struct PastState {
    /// Its documents.
    pub workspace: Workspace,
    /// The contexts of its agents.
    pub texts: AgentTexts,
}

impl Artifacts {
    /// Load the contexts of the agents that get artifacts from `source`, whose files `workspace` holds.
    pub fn new(source: &dyn Source, workspace: &Workspace) -> Self {
        Artifacts { texts: AgentTexts::new(source, workspace), ..Artifacts::default() }
    }

    /// How the artifacts of `workspace` stand, found out once: everything is rendered for it. `None` when the config's output
    /// folder is unusable.
    pub(crate) fn state(&self, workspace: &Workspace) -> Option<&ArtifactState> {
        let look = || {
            let compiler = Compiler::new(workspace, &self.texts).ok()?;
            let plan = compiler.plan(&ArtifactSelection::default());
            let drifts = compiler.drifts(&plan);
            Some(ArtifactState { plan, drifts })
        };
        self.state.get_or_init(look).as_ref()
    }
}

/// The compiler of `workspace` for the artifacts of `merged` alone.
///
/// # Errors
/// When the config's output folder is unusable; the message says why.
pub fn compiler(workspace: &Workspace) -> Result<Compiler<'_>, Obstacle> {
    static NONE: LazyLock<AgentTexts> = LazyLock::new(AgentTexts::default);
    Compiler::new(workspace, &NONE)
}
