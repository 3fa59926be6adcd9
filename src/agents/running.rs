//! The agents and editors of which it is known what they run, and those that run our hooks.

use super::{ALL, Dialect, HookCaller, HookRegistration, claude, codex, copilot, gemini, qwen, vscode};
use crate::env::Env;

/// Editors that start things because of a repository's files, and load no hint files.
pub(crate) static EDITORS: &[&Dialect] = &[&vscode::VSCODE];

/// The agents and editors of which it is known what they run.
pub(crate) fn running() -> impl Iterator<Item = &'static Dialect> {
    ALL.iter().chain(EDITORS).copied().filter(|dialect| dialect.runs.is_some())
}

/// The agents that run our hooks. A message is from the first whose sign it bears, else from the last.
static CALLERS: [&HookCaller; 5] =
    [&codex::CALLER, &copilot::CALLER, &gemini::CALLER, &qwen::CALLER, &claude::hints::CALLER];

/// The agent that runs a hook with this environment and sends a message in which `has_field` finds fields and whose transcript
/// has the name `transcript`.
pub(crate) fn hook_caller(env: &Env, transcript: &str, has_field: impl Fn(&str) -> bool) -> &'static HookCaller {
    let [others @ .., last] = CALLERS;
    others.into_iter().find(|caller| caller.is_calling(env, transcript, &has_field)).unwrap_or(last)
}

/// How the settings of each agent that runs our hooks name them.
pub fn hook_registrations() -> impl Iterator<Item = &'static HookRegistration> {
    hook_callers().map(|caller| &caller.registration)
}

/// The agents whose settings can name our hooks; the first is meant where none is named.
pub(crate) fn hook_callers() -> impl Iterator<Item = &'static HookCaller> {
    let [others @ .., last] = CALLERS;
    std::iter::once(last).chain(others)
}
