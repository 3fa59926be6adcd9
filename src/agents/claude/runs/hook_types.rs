//! Types of hooks that the package knows and does not run on every event. In 2.1.330 a prompt and an agent need the
//! conversation, which only some events hand on; two events pass over addresses; and no agent decides about a permission. Run:
//! SessionStart with all three, SessionEnd, Stop and UserPromptSubmit with a prompt; the other events are read in the package.

/// Events that hand the conversation on to their hooks.
const WITH_CONVERSATION: [&str; 13] = [
    "PermissionDenied",
    "PermissionRequest",
    "PostToolBatch",
    "PostToolUse",
    "PostToolUseFailure",
    "PreToolUse",
    "Stop",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptExpansion",
    "UserPromptSubmit",
];

/// Events that pass over hooks with an address.
const WITHOUT_ADDRESSES: [&str; 2] = ["SessionStart", "Setup"];

/// Why a hook of the type `kind` never runs on `event`, which the package knows.
pub(super) fn unsupported(event: &str, kind: &str) -> Option<String> {
    let (is_dead, instead) = match kind {
        "prompt" => (!WITH_CONVERSATION.contains(&event), "command"),
        "agent" if event == "PermissionRequest" => (true, "command or http"),
        "agent" => (!WITH_CONVERSATION.contains(&event), "command"),
        "http" => (WITHOUT_ADDRESSES.contains(&event), "command"),
        _ => (false, ""),
    };
    is_dead.then(|| format!("{event} supports no hooks of the type {kind}; {instead} is one that it runs"))
}

#[cfg(test)]
mod tests {
    use super::super::hooks::EVENTS;
    use super::*;

    #[test]
    fn the_package_knows_these_events() {
        let mut named = WITH_CONVERSATION.iter().chain(&WITHOUT_ADDRESSES);
        assert!(named.all(|event| EVENTS.iter().any(|(known, _)| known == event)));
    }

    #[test]
    fn an_event_runs_some_types() {
        let is_dead = |event: &str, kind: &str| unsupported(event, kind).is_some();
        for (event, kind) in [
            ("SessionStart", "prompt"),
            ("SessionStart", "agent"),
            ("SessionStart", "http"),
            ("SessionEnd", "prompt"),
            ("PreCompact", "prompt"),
            ("Notification", "agent"),
            ("SubagentStart", "prompt"),
            ("PermissionRequest", "agent"),
        ] {
            assert!(is_dead(event, kind), "{event} {kind}");
        }
        for (event, kind) in [
            ("SessionStart", "command"),
            ("SessionStart", "mcp_tool"),
            ("SessionEnd", "http"),
            ("PermissionRequest", "prompt"),
            ("Stop", "prompt"),
            ("SubagentStop", "prompt"),
            ("PreToolUse", "agent"),
            ("UserPromptSubmit", "agent"),
        ] {
            assert!(!is_dead(event, kind), "{event} {kind}");
        }
    }
}
