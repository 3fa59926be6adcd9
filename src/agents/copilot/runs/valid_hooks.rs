//! What a valid hook of GitHub Copilot CLI 1.0.102 is: its type, its action and the types of its fields.

use super::hooks::{event, events_problem, own_name};
use super::http_hooks::AddressLimits;
use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::base::text::Span;
use crate::env::Env;
use crate::parse::json::JsonNode;

/// Where prompts are of use.
pub(super) const ONLY_PROMPTS: &str = "prompts are sent only at the start of interactive sessions";

/// Why a file of settings counts for nothing: each hook in it must be a valid one, or none runs (run offline). Only an invalid
/// expression of a matcher and an empty command cost no more than the hook.
pub(super) fn settings_problem(hooks: &JsonNode, env: &Env, is_foreign: bool) -> Option<(Span, String)> {
    // In another agent's file an event that is no list costs no more than itself.
    if let Some(problem) = events_problem(hooks).filter(|_| !is_foreign || !hooks.is_object()) {
        return Some(problem);
    }
    let limits = AddressLimits::of(env);
    let known = hooks.members().iter().filter(|member| event(&member.key).is_some());
    let mut entries = known.flat_map(|member| member.value.items().iter().map(move |entry| (&member.key, entry)));
    entries.by_ref().take(MAX_ENTRIES).find_map(|(name, entry)| {
        let inner = entry.get("hooks");
        if let Some(inner) = inner.filter(|inner| !inner.is_array()) {
            return Some((inner.span, format!("`hooks` must be a list, not {}", inner.type_with_article())));
        }
        let hooks = inner.map_or(std::slice::from_ref(entry), JsonNode::items);
        hooks.iter().take(MAX_ENTRIES).find_map(|hook| {
            // One that is nested as in Claude Code's settings has its command under that name.
            let is_command = hook.get("type").is_none_or(|kind| kind.text() == Some("command"));
            let has_none = inner.is_some() && is_command && hook.is_object() && hook.get("command").is_none();
            let without = has_none.then(|| (hook.span, "the hook has no string `command`".to_owned()));
            without.or_else(|| valid_action(name, hook, &limits).err())
        })
    })
}

/// After how long a hook is stopped.
pub(super) fn timeout(hook: &JsonNode) -> Option<&JsonNode> {
    hook.get("timeoutSec").or_else(|| hook.get("timeout"))
}

/// What a hook does and its type, or why it is no valid one.
pub(super) fn valid_action<'n>(
    name: &str,
    hook: &'n JsonNode,
    limits: &AddressLimits,
) -> Result<(&'static str, &'n JsonNode), (Span, String)> {
    if !hook.is_object() {
        return Err((hook.span, format!("a hook must be an object, not {}", hook.type_with_article())));
    }
    if hook.get("hooks").is_some() {
        return Err((hook.span, "hooks nest one level deep".to_owned()));
    }
    let found = action(name, hook, limits)?;
    if let Some(timeout) = timeout(hook).filter(|timeout| !timeout.number().is_some_and(|seconds| seconds > 0.0)) {
        return Err((timeout.span, "`timeoutSec` must be a number above 0".to_owned()));
    }
    if let Some(directory) = hook.get("cwd").filter(|directory| directory.text().is_none()) {
        return Err((directory.span, format!("`cwd` must be a string, not {}", directory.type_with_article())));
    }
    for object in ["env", "headers"].into_iter().filter_map(|key| hook.get(key)) {
        if !object.is_object() {
            return Err((object.span, format!("it must be an object, not {}", object.type_with_article())));
        }
        if let Some(wrong) = object.members().iter().find(|member| member.value.text().is_none()) {
            return Err((wrong.value.span, format!("`{}` must be a string", wrong.key)));
        }
    }
    Ok(found)
}

/// What a hook does, and its type.
fn action<'n>(
    name: &str,
    hook: &'n JsonNode,
    limits: &AddressLimits,
) -> Result<(&'static str, &'n JsonNode), (Span, String)> {
    let kind = hook.get("type").map_or(Some("command"), JsonNode::text);
    let (kind, action) = match kind {
        Some("command") => command(hook)?,
        Some("http") => ("http", hook.get("url").ok_or((hook.span, "the hook has no `url`".to_owned()))?),
        Some("prompt") => ("prompt", hook.get("prompt").ok_or((hook.span, "the hook has no `prompt`".to_owned()))?),
        _ => {
            let span = hook.get("type").map_or(hook.span, |kind| kind.span);
            return Err((span, "`type` must be command, http or prompt".to_owned()));
        }
    };
    let Some(text) = action.text() else {
        return Err((
            action.span,
            format!("a hook's command, URL or prompt must be a string, not {}", action.type_with_article()),
        ));
    };
    let own = own_name(name);
    if let Some(problem) = limits.problem(own, hook, (action.span, text)).filter(|_| kind == "http") {
        return Err(problem);
    }
    if kind == "prompt" && own != "sessionStart" {
        return Err((action.span, ONLY_PROMPTS.to_owned()));
    }
    Ok((kind, action))
}

/// The command of a hook: the one for a Unix shell, the one for all shells, or else the one that needs PowerShell.
fn command(hook: &JsonNode) -> Result<(&'static str, &JsonNode), (Span, String)> {
    if let Some(other) = hook.get("command").filter(|command| command.text().is_none()) {
        return Err((other.span, format!("`command` must be a string, not {}", other.type_with_article())));
    }
    let shell = [("bash", "command"), ("command", "command"), ("powershell", "powershell")];
    let shell = shell.into_iter().find_map(|(key, kind)| hook.get(key).map(|action| (kind, action)));
    match (shell, hook.get("exec")) {
        (Some(found), None) => Ok(found),
        (None, Some(program)) => Ok(("command", program)),
        (Some(_), Some(program)) => Err((program.span, "a hook has either `exec` or a command for a shell".to_owned())),
        (None, None) => Err((hook.span, "the hook has no `bash`, `command`, `powershell` or `exec`".to_owned())),
    }
}
