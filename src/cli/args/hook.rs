//! Commands for hooks of agents, and for setting a repository up.

use crate::hooks::HookEvent;
use clap::{Args, ValueEnum};

/// `hintlint hook`
#[derive(Clone, Debug, Args)]
pub struct HookArgs {
    /// The event: session-start, post-tool-use, stop, session-end
    #[arg(
        value_enum,
        value_name = "EVENT",
        hide_possible_values = true,
        help = "session-start, post-tool-use, stop or session-end"
    )]
    pub(crate) event: HookEventArg,
}

/// `hintlint init`
#[derive(Clone, Debug, Default, Args)]
pub struct InitArgs {
    /// Write a .dexhints template instead of hintlint.toml
    #[arg(long)]
    pub hints: bool,
    /// Write .pre-commit-config.yaml, or print what to add
    #[arg(long)]
    pub pre_commit: bool,
    /// Write .github/workflows/hintlint.yml
    #[arg(long)]
    pub workflow: bool,
    /// Register hooks that give an agent plans and rules
    #[arg(long)]
    pub agent_hooks: bool,
    /// claude (the default), codex, copilot, gemini or qwen
    #[arg(long, requires = "agent_hooks", value_name = "AGENT")]
    pub agent: Option<String>,
    /// With --agent-hooks: in your own settings, not here
    #[arg(long, requires = "agent_hooks")]
    pub user: bool,
    /// With --agent-hooks: remove the hooks
    #[arg(long, requires = "agent_hooks")]
    pub remove: bool,
}

/// An event of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookEventArg {
    /// A session starts, goes on, or forgets what was said.
    SessionStart,
    /// A tool was used.
    PostToolUse,
    /// The agent wants to stop.
    Stop,
    /// A session ends.
    SessionEnd,
}

impl From<HookEventArg> for HookEvent {
    fn from(event: HookEventArg) -> HookEvent {
        match event {
            HookEventArg::SessionStart => HookEvent::SessionStart,
            HookEventArg::PostToolUse => HookEvent::PostToolUse,
            HookEventArg::Stop => HookEvent::Stop,
            HookEventArg::SessionEnd => HookEvent::SessionEnd,
        }
    }
}
