//! What Claude Code gives to hooks, and what they must answer. Run on 2.1.330 with a hook on a call of a tool, at a prompt and at the end
//! of a turn: with any other word, without the name of the event, or with status 1, everything goes on as without the hook.

use crate::agents::shared::runs::HookContract;

/// See [`HookContract`].
pub(in crate::agents::claude) static HOOK_CONTRACT: HookContract = HookContract {
    arguments: "tool_input",
    tool: "tool_name",
    decisions: &["approve", "block"],
    permissions: &["allow", "ask", "defer", "deny"],
};
