//! `dead-setting`: a setting that has no effect, or not the intended one.

use super::documented::{self, DocumentedFile};
use super::effects::{Effect, effects};
use super::fixes::right_name;
use super::invalid_settings::is_for_agents;
use super::keys::{ParsedSettings, around, replaced};
use super::own_keys::{MAX_OWN, is_own_key};
use super::{Dropped, OVERRIDDEN, dropped};
use super::{absent_files, catalogue, hook_input, machine_rules, matchers, no_plugin, one_disk, unset_variables};
use crate::agents::runs::{AgentRuns, DropBasis, DroppedScope, RunKind, RunMode};
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::unmatched_rules::UnmatchedRule;
use std::collections::BTreeSet;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "dead-setting",
    group: Group::Settings,
    levels: &[Level::Warning, Level::Info],
    summary: "a setting that has no effect, or not the intended one",
    explanation: "\
## What it does
Reports, in settings of agents:
- permission rules that an agent skips or that refuse nothing, such as `Write(./a)` (only `Edit(./a)` counts), `Read(/etc/**)` (one slash is the
  project's folder) and `Bash(rm *:*)`, and rules that name a missing file while a file of nearly that path exists;
- servers that it does not start because of how they are written, and rules and matchers that spell a server of the repository differently;
- `instructions` and plugins of opencode that name a file which is not there;
- repeated keys, keys and hooks in a place that no agent reads, and misspelled keys (`deny` outside `permissions`, `mcpServers` in Codex' config);
- `allowed-tools` that allow nothing, hook matchers that match no tool, or every tool by mistake, matchers of events that have
  nothing to match, matchers of subagents that name an event or a tool, and timeouts in the wrong unit;
- keys that the agent does not have, such as `gitManager` in Claude Code's settings and `[approval]` in Codex' (an info where the value is
  plain), and plugins of a marketplace in the repository by another name than it gives itself;
- patterns without `*` that refuse a command or ask before it: in opencode `\"rm\": \"ask\"`, in Claude Code `Bash(rm)` are for `rm` without
  arguments alone; rules with a colon behind the program, `Bash(rm:-rf)`, with a blank before `:*`, and with `:*` within a word
  (`Bash(dd if=:*)`), and for several commands at once (`Bash(cd x && ls:*)`; both an info where they allow something); rules
  of opencode before a broader one that says something else, since the last that fits counts;
- references in servers that the agent does not resolve, such as `${PORT:80}` for `${PORT:-80}`, and commands behind `!` in a subagent;
- variables that the agent never sets, such as `$CLAUDE_TOOL_INPUT`, in the commands of hooks and in their scripts, and hooks that ask the top of their
  input for `.file_path`, which stands in `.tool_input`, or for `.tool`;
- entries of a marketplace that cannot be installed as they are written, an output style that does not exist, two plugins of a marketplace
  with one name, a `sha` that is no commit, and a version in a marketplace that differs from the one in the plugin's own manifest;
- variables with a path that exists on one machine only, outside of personal settings, and permission rules with one (an info).

Settings in a folder that apply only when the agent is started there are an info, and so are comments among rules, a matcher that repeats
the name of its event, a key that a script of the repository reads according to a hint file, servers of a plugin that do not start in
its own repository, and servers of Cursor and Visual Studio Code under the other's key, because this is known only from documentation.

## Why is this bad?
A `deny` rule that is skipped refuses nothing, and a hook whose matcher fits no tool never runs. Most agents do not say so.

## Example
`\"deny\": [\"read(./secret.txt)\"]`: the names of Claude Code's tools begin with a capital letter, so the file can be read.

## How to fix
Write the setting as the agent reads it, or remove it. `--unsafe-fixes` corrects the case of a matcher or a
rule's tool, and the unit of a timeout.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with defective rules and servers", checked: "2026-11" },
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, read: variables of hooks, events without a matcher, and those of subagents", checked: "2026-11" },
        Evidence { source: "opencode-ai 1.18.33, run: `rm x` under a rule for `rm`, and one for `rm *`; a broader rule before and behind others", checked: "2026-11" },
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run: `plugin install` and `plugin validate` with two versions", checked: "2026-11" },
        Evidence { source: "@openai/codex 0.169.0, run with defective servers, and with each key under --strict-config", checked: "2026-11" },
        Evidence { source: "@google/gemini-cli 0.61.0, run: `timeout` is in milliseconds", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/output-styles (documentation)", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/plugin-marketplaces (documentation)", checked: "2026-11" },
        Evidence { source: "https://cursor.com/docs/mcp (documentation)", checked: "2026-11" },
        Evidence { source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration (documentation)", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct DeadSetting;

/// No hook is meant to be stopped so soon, in seconds.
const SHORTEST: f64 = 0.5;
/// A whole number of thousands from here on was meant as milliseconds, in seconds.
const LONGEST: f64 = 5_000.0;

impl Rule for DeadSetting {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let mut files = ParsedSettings::default();
        let all = dropped(cx);
        let are_few = all.len() <= MAX_OWN;
        let unread = no_plugin::unread_servers(cx, &all);
        findings.extend(unread.iter().map(|path| no_plugin::told(INFO.name, path)));
        for dropped in all.into_iter().filter(|dropped| !unread.contains(&dropped.path)) {
            let what = match &dropped.setting.what {
                DroppedScope::Rule => "skips this rule".to_owned(),
                DroppedScope::Server if !dropped.setting.is_harmless && starts_as_installed(cx, &dropped) => continue,
                DroppedScope::Server => "does not start this server".to_owned(),
                DroppedScope::Key => "ignores this key".to_owned(),
                DroppedScope::Reference => "passes this on as it is written".to_owned(),
                DroppedScope::Absent(name) if absent_files::is_made(cx, &dropped.path, name) => continue,
                DroppedScope::Absent(_) => "loads nothing for this entry".to_owned(),
                DroppedScope::Place(lost) => format!("never reads this file, and with it {}", lost.words()),
                _ => continue,
            };
            let message = match dropped.setting.basis {
                DropBasis::Observed => format!("{} {what}: {}", dropped.agent.versioned(), dropped.setting.why),
                DropBasis::Documented | DropBasis::Supposed => dropped.setting.why.clone(),
            };
            let edits = right_name(cx, &mut files, &dropped);
            // What a home's settings say counts there.
            let counts_at_home = || dropped.setting.what == DroppedScope::Key && cx.workspace.is_a_home();
            let is_supposed = dropped.setting.basis == DropBasis::Supposed || is_of_a_client(cx, &mut files, &dropped);
            let is_own = || are_few && is_own_key(cx, &dropped);
            let level = match is_supposed || dropped.setting.is_harmless || counts_at_home() || is_own() {
                true => Level::Info,
                false => Level::Warning,
            };
            let help = match dropped.setting.why.starts_with(OVERRIDDEN) {
                true => "put the broader rule first, or remove this one",
                false => "correct it, or remove it",
            };
            findings.push(dropped.finding(INFO.name, level, message, help, edits));
        }
        let hooks = effects(cx, |_, item| matches!(item.kind, RunKind::Hook { .. }));
        matchers::dead(cx, &mut files, &hooks, findings);
        for effect in &hooks {
            findings.extend(timeout(cx, &mut files, effect));
            findings.extend(unset_variables::unset(cx, INFO.name, effect));
            findings.extend(hook_input::misread(cx, INFO.name, effect));
        }
        twice(cx, &mut files, findings);
        findings.extend(cx.workspace.unmatched_rules.iter().filter_map(|rule| unmatched(cx, rule)));
        findings.extend(catalogue::dead_entries(cx, INFO.name));
        findings.extend(catalogue::refused_entries(cx, INFO.name));
        one_disk::variables(cx, INFO.name, &mut files, findings);
        machine_rules::covering_nothing(cx, INFO.name, findings);
        findings.extend(documented::files(cx).iter().filter_map(misplaced));
        of_one_start(cx, findings);
    }
}

/// Whether the server is one of a plugin, whose manifest starts it as it should be written.
fn starts_as_installed(cx: &Cx<'_>, dropped: &Dropped<'_>) -> bool {
    let Some(server) = &dropped.setting.server else { return false };
    let is_of_plugin = |runs: &&AgentRuns| {
        let root = cx.workspace.world().relative(&runs.start).map(<[u8]>::to_vec);
        let is_above = |root: Vec<u8>| path::is_at_or_below(dropped.path.as_bytes(), &root);
        runs.is_bundle && runs.dialect.id == dropped.agent.id && root.is_some_and(is_above)
    };
    let bundles = cx.workspace.runs(RunMode::Headless).iter().filter(is_of_plugin);
    let mut items = bundles.flat_map(|runs| &runs.items);
    items.any(|item| matches!(&item.kind, RunKind::Server { name, .. } if name == server))
}

/// Whether a server stands in a folder where nobody starts an agent, in the form of another program: that may be a client of servers
/// which is developed there.
fn is_of_a_client(cx: &Cx<'_>, files: &mut ParsedSettings, dropped: &Dropped<'_>) -> bool {
    let folder = dropped.path.parent();
    let is_server = dropped.setting.what == DroppedScope::Server && dropped.path.file_name() == b".mcp.json";
    if !is_server || folder.is_empty() || is_for_agents(cx, folder) {
        return false;
    }
    let server = files.root(cx, &dropped.path).and_then(|root| around(root, dropped.span).last().copied());
    server.is_some_and(|server| {
        let has = |key: &&str| server.get(key).is_some();
        ["baseUrl", "transport"].iter().any(has) && !["command", "type", "url"].iter().any(has)
    })
}

/// A rule that refuses a file which is not there.
fn unmatched(cx: &Cx<'_>, rule: &UnmatchedRule) -> Option<Finding> {
    if cx.workspace.is_for_elsewhere(rule.path.as_bytes()) {
        return None;
    }
    let meant = sanitize::path(&rule.meant);
    let message = format!("no file of this repository fits this rule, and `{meant}` is not refused");
    let finding = Finding::new(INFO.name, Level::Warning, &rule.path, rule.span, message);
    Some(finding.agents([rule.agent.id]).help(format!("name `{meant}` if that is meant, or remove the rule")))
}

/// Servers under a key that their product does not have.
fn misplaced(file: &DocumentedFile<'_>) -> Option<Finding> {
    let ((span, foreign), about) = (file.misplaced()?, file.about);
    let (product, key) = (about.product, about.key);
    let message = format!("{product} reads servers under `{key}`, but these are under `{foreign}`");
    let help = match foreign.contains('.') {
        true => format!("let `{key}` stand at the top of the file"),
        false => format!("rename the key to `{key}`"),
    };
    Some(file.info(INFO.name, span, message).help(help))
}

/// Settings that count where the agent is started in their directory, and neither above nor below it.
fn of_one_start(cx: &Cx<'_>, findings: &mut Vec<Finding>) {
    if !cx.matters(&INFO, Level::Info) {
        return;
    }
    for runs in cx.workspace.runs(RunMode::Headless) {
        for path in cx.workspace.settings_of_start(runs) {
            let agent = runs.dialect.versioned();
            let folder = RepoPath::new(cx.workspace.world().relative(&runs.start).unwrap_or_default());
            let message = format!("{agent} reads this file only when it is started in {}", sanitize::path(&folder));
            let finding = Finding::new(INFO.name, Level::Info, &path, Span::empty(0), message);
            let help = "move it to the settings at the root if it is meant for the whole repository";
            findings.push(finding.agents([runs.dialect.id]).help(help));
        }
    }
}

/// A timeout that stops a hook at once, or never.
fn timeout(cx: &Cx<'_>, files: &mut ParsedSettings, effect: &Effect<'_>) -> Option<Finding> {
    let RunKind::Hook { timeout: Some(seconds), .. } = &effect.item.kind else { return None };
    let [(agent, _), ..] = &effect.agents[..] else { return None };
    let place = sibling(cx, files, effect, "timeout").or_else(|| sibling(cx, files, effect, "timeoutSec"))?;
    let (span, written) = (place.0, place.1?);
    let (message, many, value) = if *seconds < SHORTEST && written >= 1.0 {
        let message = format!("{} stops this hook after {written} ms: it counts milliseconds", agent.versioned());
        (message, "are read as milliseconds but look like seconds", written * 1000.0)
    } else if *seconds >= LONGEST && written % 1000.0 == 0.0 && written == *seconds {
        let message = format!("{} lets this hook run for {written} seconds: it counts seconds", agent.versioned());
        (message, "are read as seconds but look like milliseconds", written / 1000.0)
    } else {
        return None;
    };
    let mut finding = effect.finding(INFO.name, Level::Warning, message);
    finding.span = span;
    let key = format!("{many} {}", effect.path.to_str_lossy());
    let help = format!("write {value} instead of {written}, and change the others in the same way");
    finding = finding.cause(Cause { key, subject: format!("`timeout: {written}`"), many, help: Some(help) });
    Some(finding.help(format!("write {value}")).fix(Applicability::Unsafe, span, value.to_string()))
}

/// Where a value stands beside what a hook does, or in the entry around it, and the number that it is.
pub(super) fn sibling(
    cx: &Cx<'_>,
    files: &mut ParsedSettings,
    effect: &Effect<'_>,
    key: &str,
) -> Option<(Span, Option<f64>)> {
    let path = around(files.root(cx, &effect.path)?, effect.span);
    // The entry holds a list of hooks, and each of those what it does.
    let entry = match path[..] {
        [.., entry, list, _, _] if list.is_array() => Some(entry),
        _ => None,
    };
    let hook = path.iter().nth_back(1)?;
    let found = hook.get(key).or_else(|| entry?.get(key))?;
    Some((found.span, found.number()))
}

/// Keys that a later one replaces, in files that count.
fn twice(cx: &Cx<'_>, files: &mut ParsedSettings, findings: &mut Vec<Finding>) {
    let lost = super::ignored_files(cx);
    let counts: BTreeSet<_> = RunMode::ALL
        .iter()
        .flat_map(|mode| cx.workspace.runs(*mode))
        .flat_map(|runs| {
            runs.items.iter().map(|item| &item.place).chain(runs.dropped.iter().map(|dropped| &dropped.place))
        })
        .filter_map(|place| cx.workspace.place_of_setting(place).map(|(path, _)| path))
        .collect();
    for path in counts.iter().filter(|path| path.as_bytes().ends_with(b".json") && !lost.contains(path)) {
        let Some(root) = files.root(cx, path) else { continue };
        for (member, last) in replaced(root) {
            let key = sanitize::line(&member.key);
            let message = format!("this `{key}` has no effect: the key is repeated below, and the last one counts");
            let finding = Finding::new(INFO.name, Level::Warning, path, member.key_span, message);
            findings.push(finding.related(path, last, "this one counts").help("merge the two into one"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    #[test]
    fn servers_of_a_client_that_is_developed_here_are_an_info() {
        let levels = |path: &str, hints: &str| {
            let servers = r#"{"mcpServers": {"a": {"transport": "http", "baseUrl": "https://a.example"}}}"#;
            let found = repository("dead-setting", "agents = [\"claude\"]\n", &[(path, servers), (hints, "x\n")]);
            found.iter().map(|finding| finding.level).collect::<Vec<_>>()
        };
        assert_eq!(levels("server/.mcp.json", "CLAUDE.md"), [Level::Info]);
        assert_eq!(levels("server/.mcp.json", "server/CLAUDE.md"), [Level::Warning]);
        assert_eq!(levels(".mcp.json", "CLAUDE.md"), [Level::Warning]);
    }

    /// The levels and messages of what is said of `path` with this text, beside a hint file.
    fn told(path: &str, text: &str, more: &[(&str, &str)]) -> Vec<(Level, String)> {
        let files: Vec<_> = [(path, text), ("CLAUDE.md", "x\n")].into_iter().chain(more.iter().copied()).collect();
        let found = repository("dead-setting", "agents = [\"claude\", \"opencode\"]\n", &files);
        found.into_iter().map(|finding| (finding.level, finding.message.to_string())).collect()
    }

    fn hook(event: &str, matcher: &str) -> String {
        let hook = r#"{"type": "command", "command": "make"}"#;
        format!(r#"{{"hooks": {{"{event}": [{{"matcher": "{matcher}", "hooks": [{hook}, {hook}]}}]}}}}"#)
    }

    #[test]
    fn matchers_of_subagents_are_types_of_agents() {
        let agent = (".claude/agents/a.md", "---\nname: Edit\ndescription: d\n---\nx\n");
        let said = |event: &str, matcher: &str, more: &[(&str, &str)]| {
            told(".claude/settings.json", &hook(event, matcher), more)
        };
        for (event, matcher) in [("SubagentStop", "Stop"), ("SubagentStart", "SubagentStart|Edit")] {
            let found = said(event, matcher, &[]);
            let is_told = matches!(&found[..], [(Level::Warning, one)] if one.contains("is the type of a subagent"));
            assert!(is_told, "{event} {matcher}: {found:?}");
        }
        for matcher in ["reviewer", "Explore|Stop", "Bash", "*", "", "Stop.*"] {
            assert_eq!(said("SubagentStop", matcher, &[]), [], "{matcher}");
        }
        assert_eq!(said("SubagentStop", "Edit", &[agent]), [], "the repository has such an agent");
        assert_eq!(said("SubagentStop", "Edit", &[]).len(), 1);
    }

    #[test]
    fn a_matcher_that_repeats_its_event_is_an_info() {
        let level = |event: &str, matcher: &str| {
            let found = told(".claude/settings.json", &hook(event, matcher), &[]);
            found.into_iter().map(|(level, _)| level).collect::<Vec<_>>()
        };
        assert_eq!(level("Stop", "Stop"), [Level::Info]);
        assert_eq!(level("UserPromptSubmit", "UserPromptSubmit"), [Level::Info]);
        assert_eq!(level("Stop", "Edit"), [Level::Warning]);
        let none: [Level; 0] = [];
        assert_eq!(level("Stop", "*"), none);
    }

    #[test]
    fn headings_among_rules_are_one_info() {
        let list = r##"["// === Reading (all) ===", "Read", "// Writing", "# More", "read"]"##;
        for key in ["allow", "deny"] {
            let found = told(".claude/settings.json", &format!(r#"{{"permissions": {{"{key}": {list}}}}}"#), &[]);
            let infos = found.iter().filter(|(level, text)| *level == Level::Info && text.contains("it is a comment"));
            assert_eq!((infos.count(), found.len()), (3, 4), "{found:?}");
        }
    }

    #[test]
    fn unread_settings_are_told_in_folders_too() {
        for folder in ["", "app/", "services/api/"] {
            let found = told(&format!("{folder}.claude/hooks/hooks.json"), &hook("Stop", "*"), &[]);
            let is_told = matches!(&found[..], [(Level::Warning, one)] if one.contains("never reads this file"));
            assert!(is_told, "{folder}: {found:?}");
        }
        assert_eq!(told("app/hooks/hooks.json", &hook("Stop", "*"), &[]), []);
    }

    #[test]
    fn servers_that_are_written_as_those_of_a_plugin_are_told() {
        let said = |path: &str, more: &[(&str, &str)]| {
            let servers = format!(r#"{{"mcpServers": {{"a": {{"command": "node", "args": ["{path}/a.js"]}}}}}}"#);
            told(".mcp.json", &servers, more)
        };
        let root = "${CLAUDE_PLUGIN_ROOT}";
        let found = said(root, &[]);
        assert!(
            matches!(&found[..], [(Level::Warning, one)] if one.contains("an installed plugin alone")),
            "{found:?}"
        );
        let plugin = (".claude-plugin/plugin.json", r#"{"name": "p"}"#);
        let found = said(root, &[plugin]);
        assert!(matches!(&found[..], [(Level::Info, one)] if one.contains("an installed plugin alone")), "{found:?}");
        assert_eq!(said("${CLAUDE_PROJECT_DIR:-.}", &[]), []);
        assert_eq!(said("${CLAUDE_PLUGIN_ROOT:-.}", &[]), []);
    }

    #[test]
    fn parts_of_a_plugin_under_another_name_are_told() {
        let said = |key: &str| told(".claude-plugin/plugin.json", &format!(r#"{{"name": "p", "{key}": {{}}}}"#), &[]);
        let found = said("mcp_servers");
        assert!(matches!(&found[..], [(Level::Warning, one)] if one.contains("is called `mcpServers`")), "{found:?}");
        assert_eq!(said("mcpServers"), []);
        assert_eq!(said("interface"), []);
    }

    #[test]
    fn patterns_for_bare_commands_are_told_together() {
        let settings = r#"{"permission": {"bash": {"*": "allow", "rm": "ask", "curl": "deny", "git push *": "ask"}}}"#;
        let found = told("opencode.json", settings, &[("AGENTS.md", "x\n")]);
        let is_told =
            |(level, text): &(Level, String)| *level == Level::Warning && text.contains("for the bare command");
        assert!(found.len() == 2 && found.iter().all(is_told), "{found:?}");
    }
}
