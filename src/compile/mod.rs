//! Merged contexts and the committed artifacts that hold them: a pure function of the workspace (bytes and config).
//!
//! The text is rendered by `agents::merged`. `plan` says which scopes get an artifact, `changes` what a run would write or delete, `drift` says how a committed artifact differs. Nothing here reads or writes a file.

pub mod agent;
pub mod changes;
pub mod comparison;
pub mod drift;
pub mod ledger;
pub mod plan;
mod settings;

use crate::workspace::Workspace;

pub use changes::{Change, Custody, Refusal};
pub use drift::{Class, Drift, Guilt, State};
pub use ledger::Ledger;
pub use plan::{Artifact, Compiler, Plan, Selection};
pub use settings::Settings;

/// How the artifacts of `workspace` stand, found out once: everything is rendered for it. `None` when the config's output
/// folder is unusable.
pub fn state(workspace: &Workspace) -> Option<&State> {
    let look = || {
        let compiler = compiler(workspace).ok()?;
        let plan = compiler.plan(&Selection::default());
        let drifts = compiler.drifts(&plan);
        Some(State { plan, drifts })
    };
    workspace.artifacts.get_or_init(look).as_ref()
}

/// The compiler of `workspace`.
///
/// # Errors
/// When the config's output folder is unusable; the message says why.
pub fn compiler(workspace: &Workspace) -> Result<Compiler<'_>, String> {
    Compiler::new(workspace)
}
