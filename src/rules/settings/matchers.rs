//! Matchers of hooks that fit no tool, or every tool by mistake.

use super::dead_setting::{INFO, sibling};
use super::effects::Effect;
use super::keys::ParsedSettings;
use crate::agents::Dialect;
use crate::agents::files::ToolNames;
use crate::agents::runs::{Moment, RunKind, RunMode};
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::sanitize;
use crate::parse::Document;
use crate::parse::frontmatter::Value;
use crate::rules::Cx;
use crate::world::AbsPath;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// A matcher that names a tool fits a few; one that fits as many as this fits all but by chance.
const MANY: usize = 12;

/// The matchers of `hooks` that fit no tool, or every tool by mistake. What several hooks of one entry have in common is told once, at
/// the matcher.
pub(super) fn dead(cx: &Cx<'_>, files: &mut ParsedSettings, hooks: &[Effect<'_>], findings: &mut Vec<Finding>) {
    let (firing, mut told) = (OnceCell::new(), BTreeSet::new());
    for effect in hooks {
        let (finding, right) = match in_right_case(effect) {
            Some((finding, right)) => (Some(finding), Some(right)),
            None => (matcher(cx, effect, &firing), None),
        };
        let Some(mut finding) = finding else { continue };
        if let Some((span, _)) = sibling(cx, files, effect, "matcher") {
            finding.span = span;
            if let Some(right) = right {
                finding = finding.fix(Applicability::Unsafe, span, format!("\"{right}\""));
            }
        }
        if told.insert((finding.path.clone(), finding.span)) {
            findings.push(finding);
        }
    }
}

/// A matcher that fits no tool but for its case, and the right one.
fn in_right_case(effect: &Effect<'_>) -> Option<(Finding, String)> {
    let RunKind::Hook { matcher: Some(matcher), fires_for: Some(fires_for), near: Some(near), .. } = &effect.item.kind
    else {
        return None;
    };
    let [(agent, _), ..] = &effect.agents[..] else { return None };
    let (shown, right) = (sanitize::line(matcher), sanitize::line(near));
    let tools = if right.contains(['|', ',']) { "tools" } else { "tool" };
    let message = format!(
        "this hook never runs: its matcher is `{shown}`, and {} calls the {tools} `{right}`",
        agent.versioned()
    );
    let finding = effect.finding(INFO.name, Level::Warning, message).help(format!("write `{right}`; case matters"));
    (fires_for.is_empty() && !is_of_subagents(&effect.item.kind)).then(|| (finding, right.into_owned()))
}

/// Whether a hook is of an event whose matcher is the type of a subagent.
fn is_of_subagents(kind: &RunKind) -> bool {
    matches!(kind, RunKind::Hook { event, .. } if event.starts_with("Subagent"))
}

/// A matcher that fits no tool, or every tool by mistake. A name that no list has may be that of a newer tool.
fn matcher(cx: &Cx<'_>, effect: &Effect<'_>, firing: &OnceCell<FiringHooks>) -> Option<Finding> {
    let RunKind::Hook { matcher: Some(matcher), fires_for: Some(fires_for), .. } = &effect.item.kind else {
        return None;
    };
    let [(agent, _), ..] = &effect.agents[..] else { return None };
    let shown = sanitize::line(matcher);
    if fires_for.is_empty() && is_of_subagents(&effect.item.kind) {
        return no_subagent(cx, effect, matcher);
    }
    if fires_for.is_empty() && matcher.ends_with(')') && matcher.starts_with(|c: char| c.is_ascii_uppercase()) {
        let tool = matcher.split('(').next().unwrap_or_default();
        let is_name = !tool.is_empty() && tool.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let message = format!("this hook never runs: `{shown}` is a permission rule, and a matcher is a tool's name");
        let help = format!("write `{tool}`, and check the tool's input in the hook");
        let cause = Cause {
            key: format!("rules as matchers {}", effect.path.to_str_lossy()),
            subject: format!("`{shown}`"),
            many: "are permission rules, and a matcher is a tool's name, so these hooks never run",
            help: Some("write the names of the tools, and check their input in the hooks".to_owned()),
        };
        return is_name.then(|| effect.finding(INFO.name, Level::Warning, message).help(help).cause(cause));
    }
    if fires_for.len() >= MANY && matcher.contains("||") {
        return Some(every(effect, matcher));
    }
    let says_all = [".*", ".+", "^", "$", "|", "."].iter().any(|all| matcher.contains(all));
    if fires_for.len() >= MANY && matcher.ends_with('*') && matcher.len() > 1 && !says_all {
        let name = matcher.trim_end_matches('*');
        let message = format!(
            "this hook runs for {} tools: `{shown}` is a regular expression, in which `*` repeats the character before it",
            fires_for.len()
        );
        let finding = effect.finding(INFO.name, Level::Warning, message);
        return Some(finding.help(format!("write `{name}.*` for names with `{name}`, or `*` for all tools")));
    }
    let is_of_tools = effect.item.moment == Moment::Tool && fires_for.is_empty();
    let finding = is_of_tools.then(|| never(effect, agent, matcher)).flatten();
    finding.filter(|_| !firing.get_or_init(|| FiringHooks::of(cx)).has(effect))
}

/// A matcher of subagents that names something else, where no agent of the repository has that name.
fn no_subagent(cx: &Cx<'_>, effect: &Effect<'_>, matcher: &str) -> Option<Finding> {
    let RunKind::Hook { event, .. } = &effect.item.kind else { return None };
    let names: Vec<&str> = matcher.split(['|', ',']).map(str::trim).collect();
    let is_named = |document: &Document| {
        let name = document.frontmatter.as_ref().and_then(|found| found.get("name"));
        matches!(name.map(|name| &name.value.value), Some(Value::String(name)) if names.contains(&name.as_str()))
    };
    if cx.workspace.documents.iter().any(is_named) {
        return None;
    }
    let (shown, event) = (sanitize::line(matcher), sanitize::line(event));
    let message =
        format!("this hook never runs: the matcher of {event} is the type of a subagent, and `{shown}` is none");
    let finding = effect.finding(INFO.name, Level::Warning, message);
    Some(finding.help("name agents, or remove the matcher: the hook runs for all of them then"))
}

const NAMES: &str = "write the names of the tools with one `|` between them";

/// A condition with `||` as matcher: between the two bars stands an alternative of no characters, which every name has.
fn every(effect: &Effect<'_>, matcher: &str) -> Finding {
    let shown = sanitize::line(matcher);
    let message = format!(
        "this hook runs for every tool: `{shown}` is a regular expression, and the empty alternative in `||` fits any name"
    );
    let quoted = matcher.split(['"', '\'']).skip(1).step_by(2);
    let is_tool =
        |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let names: Vec<&str> = quoted.filter(is_tool).collect();
    let help = match names.is_empty() {
        true => NAMES.to_owned(),
        false => format!("write `{}`", sanitize::line(&names.join("|"))),
    };
    let many = "are conditions: as regular expressions they fit every tool";
    let cause = Cause { help: Some(NAMES.to_owned()), ..cause(effect, matcher, many) };
    effect.finding(INFO.name, Level::Warning, message).help(help).cause(cause)
}

/// A matcher that fits no tool of any version: a condition, or a list of names that no tool has.
fn never(effect: &Effect<'_>, agent: &Dialect, matcher: &str) -> Option<Finding> {
    let (tools, shown) = (agent.files.builtins.tools, sanitize::line(matcher));
    if tools == ToolNames::Capitals && matcher.contains(" == ") {
        let message = format!("this hook never runs: `{shown}` is a condition, and a matcher is a tool's name");
        let many = "are conditions, and a matcher is a tool's name, so these hooks never run";
        let finding = effect.finding(INFO.name, Level::Warning, message).cause(cause(effect, matcher, many));
        return Some(finding.help("write the tool's name, and check its input in the hook"));
    }
    let names: Vec<&str> = matcher.split(['|', ',']).map(str::trim).collect();
    if !names.iter().all(|name| tools.exclude(name)) {
        return None;
    }
    let what = if names.len() > 1 { "tools of these names" } else { "tool of this name" };
    let message = format!("this hook never runs: its matcher is `{shown}`, and {} has no {what}", agent.versioned());
    let cause = cause(effect, matcher, "are matchers that fit no tool, so these hooks never run");
    Some(effect.finding(INFO.name, Level::Warning, message).cause(cause).help(tools.words()))
}

/// What several matchers of one file have in common.
fn cause(effect: &Effect<'_>, matcher: &str, many: &'static str) -> Cause {
    let key = format!("{many} {}", effect.path.to_str_lossy());
    Cause { key, subject: format!("`{}`", sanitize::line(matcher)), many, help: None }
}

/// The hooks that some agent runs for something, by their files and where they end.
pub(super) struct FiringHooks(BTreeSet<(AbsPath, usize)>);

impl FiringHooks {
    fn of(cx: &Cx<'_>) -> Self {
        let items = RunMode::ALL.iter().flat_map(|mode| cx.workspace.runs(*mode)).flat_map(|runs| &runs.items);
        let fires = |kind: &RunKind| match kind {
            RunKind::Hook { fires_for, .. } => fires_for.as_ref().is_none_or(|fires_for| !fires_for.is_empty()),
            _ => false,
        };
        let firing = items.filter(|item| fires(&item.kind));
        FiringHooks(firing.map(|item| (item.place.path.clone(), item.place.span.end)).collect())
    }

    /// Whether some agent runs a hook all the same.
    fn has(&self, effect: &Effect<'_>) -> bool {
        let place = &effect.item.place;
        self.0.contains(&(place.path.clone(), place.span.end))
    }
}
