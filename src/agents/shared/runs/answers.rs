//! How hooks tell a model something.

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
