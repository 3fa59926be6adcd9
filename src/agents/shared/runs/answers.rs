//! How hooks tell a model something, and how they stop what an agent is about to do.

/// In which forms a hook at the start of a session or at a prompt can tell the model something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HookAnswers {
    /// What it prints.
    pub(crate) plain: bool,
    /// `hookSpecificOutput.additionalContext` of the JSON that it prints.
    pub(crate) nested: bool,
    /// `additionalContext` of the JSON itself.
    pub(crate) top: bool,
}

impl HookAnswers {
    /// What it prints, or inside `hookSpecificOutput`.
    pub(crate) const PLAIN_OR_NESTED: HookAnswers = HookAnswers { plain: true, nested: true, top: false };
    /// Inside `hookSpecificOutput` alone.
    pub(crate) const NESTED: HookAnswers = HookAnswers { plain: false, nested: true, top: false };
    /// On the top level of its JSON alone.
    pub(crate) const TOP: HookAnswers = HookAnswers { plain: false, nested: false, top: true };
}

/// What an agent gives to its hooks, and what they must answer before it obeys them.
#[derive(Debug)]
pub(crate) struct HookContract {
    /// The key of the input that holds the arguments of a tool.
    pub(crate) arguments: &'static str,
    /// The key of the input that names the tool.
    pub(crate) tool: &'static str,
    /// What `decision` may say on the top level of an answer.
    pub(crate) decisions: &'static [&'static str],
    /// What `permissionDecision` may say inside `hookSpecificOutput`, which names its event.
    pub(crate) permissions: &'static [&'static str],
}
