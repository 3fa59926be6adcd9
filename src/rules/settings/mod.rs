//! What a repository makes agents run: settings that an agent drops or obeys, and settings that do not belong into a repository.

mod absent_files;
mod catalogue;
mod command_before_model;
mod dangerous_environment;
mod dead_setting;
mod documented;
mod effects;
mod entered;
mod fetched;
mod fixes;
mod hook_answers;
mod hook_input;
mod hook_runs_fetched_code;
mod inline_code_server;
mod installers;
mod invalid_hook;
mod invalid_settings;
mod keys;
pub(super) mod link_leaves_repository;
mod lost_hook_answer;
mod machine_rules;
mod matchers;
mod missing_hook_command;
mod missing_plugin_path;
mod no_plugin;
mod one_disk;
mod one_disk_commands;
mod opening;
mod packaged_plugin;
mod redirected_endpoint;
mod runs_on_open;
mod script_places;
mod secret_in_settings;
mod tracked_local_settings;
mod unknown_hook_event;
mod unpinned_server;
mod unset_variables;
mod weakened_permissions;

pub(super) use keys::{CrowdedSettings, crowded};

use super::Rule;
use crate::agents::Dialect;
use crate::agents::runs::{DropBasis, DroppedScope, DroppedSetting, RunMode};
use crate::base::finding::{Applicability, Cause, Edit, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::rules::Cx;
use std::collections::BTreeSet;

/// The rules of this group, by name.
pub(super) static RULES: &[&dyn Rule] = &[
    &command_before_model::CommandBeforeModel,
    &dangerous_environment::DangerousEnvironment,
    &dead_setting::DeadSetting,
    &hook_runs_fetched_code::HookRunsFetchedCode,
    &inline_code_server::InlineCodeServer,
    &invalid_hook::InvalidHook,
    &invalid_settings::InvalidSettings,
    &link_leaves_repository::LinkLeavesRepository,
    &lost_hook_answer::LostHookAnswer,
    &missing_hook_command::MissingHookCommand,
    &missing_plugin_path::MissingPluginPath,
    &redirected_endpoint::RedirectedEndpoint,
    &runs_on_open::RunsOnOpen,
    &secret_in_settings::SecretInSettings,
    &tracked_local_settings::TrackedLocalSettings,
    &unknown_hook_event::UnknownHookEvent,
    &unpinned_server::UnpinnedServer,
    &weakened_permissions::WeakenedPermissions,
];

/// How it is told that a rule is for a command without arguments alone.
const PATTERN: &str = "the pattern `";
/// How the reasons begin why a rule for a command with a colon, and a key, have no effect.
const COLON: &str = "no command is `";
const NO_SETTING: &str = "there is no setting `";
/// How the reason begins why a rule about paths of a tool has no effect.
const NO_PATH: &str = "no path is asked of `";

/// Something that an agent drops of a file of the repository.
struct Dropped<'a> {
    agent: &'static Dialect,
    path: RepoPath,
    span: Span,
    setting: &'a DroppedSetting,
}

impl Dropped<'_> {
    /// A finding at the place: what to do about it, whether the agent itself tells, and the fix where one is certain.
    fn finding(
        &self,
        rule: &'static str,
        level: Level,
        message: impl Into<String>,
        help: &str,
        edits: Option<Vec<Edit>>,
    ) -> Finding {
        let is_silent = !self.setting.is_said && self.setting.basis == DropBasis::Observed;
        let said = if is_silent { "; the agent does not report this" } else { "" };
        let finding = Finding::new(rule, level, &self.path, self.span, message);
        let mut finding = finding.agents([self.agent.id]).help(format!("{help}{said}"));
        if let Some(cause) = self.cause() {
            finding = finding.cause(cause);
        }
        match edits {
            Some(edits) => finding.fix_edits(Applicability::Unsafe, edits),
            None => finding,
        }
    }

    /// What several of one file have in common: names that the agent does not have, or what keeps servers from starting.
    fn cause(&self) -> Option<Cause> {
        if let (DroppedScope::Server, Some(server)) = (&self.setting.what, &self.setting.server) {
            let (path, why) = (self.path.to_str_lossy(), &self.setting.why);
            return Some(Cause {
                key: format!("servers {} {path} {why}", self.agent.id),
                subject: format!("`{}`", sanitize::line(server)),
                many: "are servers that this agent does not start",
                help: Some(format!("{why}: correct each, or remove it")),
            });
        }
        let (start, many) = match self.setting.what {
            DroppedScope::Rule if self.setting.why.starts_with(NO_PATH) => (
                NO_PATH,
                "are tools of which no path is asked: rules of `Edit` and `Read` cover them, so these have no effect",
            ),
            DroppedScope::Rule if self.setting.is_harmless => {
                return Some(Cause {
                    key: format!("comments {}", self.path.to_str_lossy()),
                    subject: "comments".to_owned(),
                    many: "stand in lists of rules, and the agent skips them",
                    help: None,
                });
            }
            DroppedScope::Rule if self.setting.why.starts_with(COLON) => {
                (COLON, "are no commands, with a colon behind the program: write a blank there")
            }
            DroppedScope::Key if self.setting.why.starts_with(NO_SETTING) => {
                (NO_SETTING, "are no settings of this agent, so it ignores these keys")
            }
            DroppedScope::Event => ("there is no event `", "are no events of this agent, so their hooks never run"),
            DroppedScope::Rule if self.setting.why.starts_with(PATTERN) => (
                PATTERN,
                "are patterns without `*`: they are for the bare commands alone, and not for those with arguments",
            ),
            DroppedScope::Rule => ("no tool is called `", "are no tools of this agent, so these rules have no effect"),
            _ => return None,
        };
        let (name, _) = self.setting.why.strip_prefix(start)?.split_once('`')?;
        let key = format!("{start} {} {}", self.path.to_str_lossy(), self.setting.is_harmless);
        let agent = self.agent.title;
        let (subject, help) = match (&self.setting.what, &self.setting.instead) {
            (DroppedScope::Event, Some(right)) => (format!("`{name}` (in {agent} `{right}`)"), None),
            (DroppedScope::Event, None) => {
                (format!("`{name}`"), Some(format!("use the names that {agent} has for its events")))
            }
            _ if start == PATTERN => (format!("`{name}`"), Some("write ` *` behind each".to_owned())),
            _ => (format!("`{name}`"), None),
        };
        Some(Cause { key, subject, many, help })
    }
}

/// What the enabled agents drop, each place once: an agent that starts below reads files of the directories above, too.
fn dropped<'a>(cx: &Cx<'a>) -> Vec<Dropped<'a>> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    // In a trusted folder an agent obeys the most, so that what it drops there it always drops.
    for runs in cx.workspace.runs(RunMode::Headless) {
        for setting in &runs.dropped {
            let Some((path, span)) = cx.workspace.place_of_setting(&setting.place) else { continue };
            if seen.insert((runs.dialect.id, path.clone(), span, setting.why.clone())) {
                found.push(Dropped { agent: runs.dialect, path, span, setting });
            }
        }
    }
    found
}

/// The files that an agent ignores as a whole, or because of which it does not start.
fn ignored_files(cx: &Cx<'_>) -> BTreeSet<RepoPath> {
    let is_whole = |dropped: &Dropped<'_>| matches!(dropped.setting.what, DroppedScope::File(_) | DroppedScope::Agent);
    dropped(cx).into_iter().filter(is_whole).map(|dropped| dropped.path).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::repository;

    #[test]
    fn servers_that_one_slip_keeps_from_starting_are_one_finding() {
        let servers = r#"{"mcpServers": {"a": {"baseUrl": "x"}, "b": {"baseUrl": "y"}, "c": {"type": "no"}}}"#;
        let found = repository("dead-setting", "", &[(".mcp.json", servers), ("CLAUDE.md", "x\n")]);
        let subjects: Vec<_> =
            found.iter().map(|finding| finding.cause.as_ref().map(|cause| &cause.subject[..])).collect();
        assert_eq!(subjects, [Some("`a`"), Some("`b`"), Some("`c`")]);
        let key = |at: usize| found[at].cause.as_ref().map(|cause| &cause.key);
        assert!(key(0) == key(1) && key(1) != key(2));
    }
}
