//! What a repository makes agents run: settings that an agent drops or obeys, and settings that do not belong into a repository.

mod absent_files;
mod bundle_places;
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
mod own_keys;
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
use crate::agents::runs::{DropBasis, DroppedScope, DroppedSetting, NO_SETTING, RunMode};
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

/// How the reasons begin why a rule is for a command without arguments alone, and why a rule never decides.
const PATTERN: &str = "the pattern `";
const OVERRIDDEN: &str = "a later rule overrides `";
/// How the reasons begin why rules about tools have no effect, and what several of them with one reason are.
const RULE_CAUSES: [(&str, &str); 8] = [
    (
        "the agent asks for each part of a command on its own, so the rule fits no `",
        "are rules for several commands at once, and the agent asks for each of them on its own",
    ),
    (
        "no path is asked of `",
        "are tools of which no path is asked: rules of `Edit` and `Read` cover them, so these have no effect",
    ),
    (
        "with `:*` a blank must follow, so the rule fits no `",
        "end within a word, and `:*` wants a blank there, so these rules fit no command",
    ),
    (
        "a path that begins with one slash counts from the project, so no file fits `",
        "count from the project, where no such folder is: a path from the root of the disk begins with `//`",
    ),
    (OVERRIDDEN, "stand before a broader rule, and of those that fit the last one counts"),
    ("no command is `", "are no commands, with a colon behind the program: write a blank there"),
    (PATTERN, "are patterns without `*`: they are for the bare commands alone, and not for those with arguments"),
    ("no tool is called `", "are no tools of this agent, so these rules have no effect"),
];

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
        // Who installs a plugin hears what is wrong with its manifest.
        let is_told_later = self.path.file_name() == b"plugin.json";
        let is_silent = !self.setting.is_said && !is_told_later && self.setting.basis == DropBasis::Observed;
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
        let of_rule = RULE_CAUSES.iter().find(|(start, _)| self.setting.why.starts_with(start));
        let (start, many) = match self.setting.what {
            DroppedScope::Rule if of_rule.is_some() => *of_rule?,
            DroppedScope::Rule if self.setting.is_harmless => {
                return Some(Cause {
                    key: format!("comments {}", self.path.to_str_lossy()),
                    subject: "comments".to_owned(),
                    many: "stand in lists of rules, and the agent skips them",
                    help: None,
                });
            }
            DroppedScope::Key if self.setting.why.starts_with(NO_SETTING) => {
                (NO_SETTING, "are no settings of this agent, so it ignores these keys")
            }
            DroppedScope::Event => ("there is no event `", "are no events of this agent, so their hooks never run"),
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
            _ if start == OVERRIDDEN => (format!("`{name}`"), Some("put the broader rule first".to_owned())),
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
    use crate::base::finding::Level;
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

    /// What `dead-setting` says of these files, with its levels.
    fn told(files: &[(&str, &str)]) -> Vec<(Level, String)> {
        let files: Vec<_> = files.iter().copied().chain([("CLAUDE.md", "x\n"), ("AGENTS.md", "x\n")]).collect();
        let found = repository("dead-setting", "agents = [\"claude\", \"opencode\"]\n", &files);
        found.into_iter().map(|finding| (finding.level, finding.message.to_string())).collect()
    }

    #[test]
    fn rules_before_a_broader_one_are_one_finding() {
        let rules = |bash: &str| format!(r#"{{"permission": {{"bash": {{{bash}}}}}}}"#);
        let found = |bash: &str| {
            let found = repository("dead-setting", "", &[("opencode.json", &rules(bash)), ("AGENTS.md", "x\n")]);
            found.into_iter().filter_map(|finding| finding.cause).map(|cause| cause.key).collect::<Vec<_>>()
        };
        let keys = found(r#""ls *": "allow", "rm *": "deny", "*": "ask""#);
        assert!(keys.len() == 2 && keys[0] == keys[1], "{keys:?}");
        assert_eq!(found(r#""*": "ask", "ls *": "allow", "rm *": "deny""#), [""; 0]);
    }

    #[test]
    fn names_of_servers_that_are_not_there_are_infos() {
        let servers = (".mcp.json", r#"{"mcpServers": {"a": {"command": "make"}}}"#);
        let said = |path: &str, lists: &str, more: &[(&str, &str)]| {
            let files: Vec<_> = [(path, lists)].into_iter().chain(more.iter().copied()).collect();
            let is_told = |(_, text): &(Level, String)| text.contains("no server of .mcp.json has this name");
            told(&files).into_iter().filter(is_told).map(|(level, _)| level).collect::<Vec<_>>()
        };
        let none: [Level; 0] = [];
        for path in [".claude/settings.json", ".claude/settings.local.json"] {
            assert_eq!(said(path, r#"{"enabledMcpjsonServers": ["a", "b"]}"#, &[servers]), [Level::Info], "{path}");
        }
        let path = ".claude/settings.json";
        assert_eq!(said(path, r#"{"disabledMcpjsonServers": ["c"]}"#, &[servers]), [Level::Info]);
        assert_eq!(said(path, r#"{"disabledMcpjsonServers": ["a"]}"#, &[servers]), none);
        assert_eq!(said(path, r#"{"enabledMcpjsonServers": ["b"]}"#, &[]), none, "a person may have the file");
        let below = [("app/.mcp.json", servers.1), ("app/CLAUDE.md", "x\n")];
        assert_eq!(said(".claude/settings.local.json", r#"{"enabledMcpjsonServers": ["b"]}"#, &below), none);
    }

    #[test]
    fn servers_beside_the_manifest_of_a_defective_plugin_are_told() {
        let servers = ("p/.claude-plugin/.mcp.json", r#"{"mcpServers": {"a": {"command": "make"}}}"#);
        let said = |manifest: &str, servers: (&str, &str)| {
            let market = r#"{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "p", "source": "./p"}]}"#;
            let files =
                [(".claude-plugin/marketplace.json", market), ("p/.claude-plugin/plugin.json", manifest), servers];
            let is_told = |(_, text): &(Level, String)| text.contains("beside plugin.json nothing else is read");
            told(&files).iter().filter(|found| is_told(found)).count()
        };
        let wrong = r#"{"name": "p", "skills": "skills"}"#;
        assert_eq!((said(r#"{"name": "p"}"#, servers), said(wrong, servers)), (1, 1));
        assert_eq!(said(wrong, ("p/.mcp.json", servers.1)), 0);
    }

    #[test]
    fn paths_of_the_disk_with_one_slash_are_told_by_list() {
        let said = |list: &str, rule: &str, more: &[(&str, &str)]| {
            let text = format!(r#"{{"permissions": {{"{list}": ["{rule}"]}}}}"#);
            let files: Vec<_> =
                [(".claude/settings.json", &text[..])].into_iter().chain(more.iter().copied()).collect();
            let is_told = |(_, text): &(Level, String)| text.contains("counts from the project");
            told(&files).into_iter().filter(is_told).map(|(level, _)| level).collect::<Vec<_>>()
        };
        let none: [Level; 0] = [];
        assert_eq!(said("deny", "Read(/etc/**)", &[]), [Level::Warning]);
        assert_eq!(said("allow", "Read(/etc/**)", &[]), [Level::Info]);
        assert_eq!(said("deny", "Read(/etc/**)", &[("etc/a.conf", "x\n")]), none);
        assert_eq!(said("deny", "Read(//etc/**)", &[]), none);
    }

    #[test]
    fn references_that_are_passed_on_are_told() {
        let said = |value: &str| {
            let text = format!(r#"{{"mcpServers": {{"a": {{"command": "node", "args": ["{value}"]}}}}}}"#);
            let is_told = |(_, text): &(Level, String)| text.contains("passes this on as it is written");
            told(&[(".mcp.json", &text)]).iter().filter(|found| is_told(found)).count()
        };
        for value in ["${A:1}", "${env:A}", "${input:a}"] {
            assert_eq!(said(value), 1, "{value}");
        }
        assert_eq!((said("${A:-1}"), said("${A}")), (0, 0));
    }
}
