//! What the enabled agents run and obey, each place once: with the agents that do so and whom they ask.

use crate::agents::Dialect;
use crate::agents::runs::{Approval, HookContract, RunItem, RunKind, RunMode};
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::rules::Cx;
use crate::workspace::scripts::{NamedByCommand, ScriptHost};
use std::collections::BTreeMap;

/// Something that a file makes agents run or obey.
pub(super) struct Effect<'a> {
    pub(super) path: RepoPath,
    pub(super) span: Span,
    /// As the first of the agents has it.
    pub(super) item: &'a RunItem,
    /// The agents, in the order of their names, and what each asks in the modes in which it happens.
    pub(super) agents: Vec<(&'static Dialect, Vec<(RunMode, Approval)>)>,
    /// The directory in which the first of them is started.
    pub(super) directory: Vec<u8>,
    /// Whether it stands in a bundle that others install.
    pub(super) is_bundle: bool,
}

impl Effect<'_> {
    /// The agents by product and version, as the subject of a sentence.
    pub(super) fn who(&self) -> String {
        let names: Vec<String> = self.agents.iter().map(|(dialect, _)| dialect.versioned()).collect();
        match &names[..] {
            [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
            _ => names.concat(),
        }
    }

    /// The scripts that its command names.
    pub(super) fn scripts(&self, cx: &Cx<'_>) -> NamedByCommand {
        cx.workspace.scripts_of(&self.item.kind, &self.host())
    }

    /// The script that its command names, if it is just one, with its text.
    pub(super) fn only_script(&self, cx: &Cx<'_>) -> Option<(RepoPath, String)> {
        let mut scripts = self.scripts(cx).scripts.into_keys();
        let (script, None) = (scripts.next()?, scripts.next()) else { return None };
        let bytes = cx.workspace.scripts.bytes.get(&script)?;
        let text = String::from_utf8_lossy(bytes).into_owned();
        Some((script, text))
    }

    /// The first of the agents of which it is known what its hooks are given and must answer.
    pub(super) fn contract(&self) -> Option<(&'static Dialect, &'static HookContract)> {
        self.agents.iter().find_map(|(agent, _)| Some((*agent, agent.hook_contract?)))
    }

    /// The folder in which it is to be started, where there is no such folder.
    pub(super) fn absent_folder(&self, cx: &Cx<'_>) -> Option<RepoPath> {
        cx.workspace.absent_folder(&self.item.kind, &self.host())
    }

    fn host(&self) -> ScriptHost<'_> {
        ScriptHost { directory: &self.directory, named_in: &self.path, is_bundle: self.is_bundle }
    }

    /// A finding at the place, for the agents. What is known from documentation alone is an info.
    pub(super) fn finding(&self, rule: &'static str, level: Level, message: impl Into<String>) -> Finding {
        let ids = self.agents.iter().map(|(dialect, _)| dialect.id);
        let is_documented = |(dialect, _): &(&Dialect, _)| dialect.files.has_documented_bundles();
        let level = if self.is_bundle && self.agents.iter().all(is_documented) { Level::Info } else { level };
        Finding::new(rule, level, &self.path, self.span, message).agents(ids)
    }
}

/// What `wanted` keeps of what agents run and obey, by file and place.
pub(super) fn effects<'a>(cx: &Cx<'a>, wanted: impl Fn(&'static Dialect, &RunItem) -> bool) -> Vec<Effect<'a>> {
    let mut found: BTreeMap<(RepoPath, Span, u8), Effect<'a>> = BTreeMap::new();
    for mode in RunMode::ALL {
        for runs in cx.workspace.runs(mode) {
            for item in runs.items.iter().filter(|item| wanted(runs.dialect, item)) {
                let Some((path, span)) = cx.workspace.place_of_setting(&item.place) else { continue };
                let effect = found.entry((path.clone(), span, class(&item.kind))).or_insert_with(|| {
                    let directory = cx.workspace.world().relative(&runs.start).unwrap_or_default();
                    Effect {
                        path,
                        span,
                        item,
                        agents: Vec::new(),
                        directory: directory.to_vec(),
                        is_bundle: runs.is_bundle,
                    }
                });
                // What a plugin does here counts, and not what it does where it is installed.
                if effect.is_bundle && !runs.is_bundle {
                    effect.is_bundle = false;
                    effect.agents.iter_mut().for_each(|(_, modes)| modes.clear());
                }
                let at = match effect.agents.binary_search_by_key(&runs.dialect.id, |(dialect, _)| dialect.id) {
                    Ok(at) => at,
                    Err(at) => {
                        effect.agents.insert(at, (runs.dialect, Vec::new()));
                        at
                    }
                };
                let modes = &mut effect.agents[at].1;
                if runs.is_bundle == effect.is_bundle && !modes.contains(&(mode, item.approval)) {
                    modes.push((mode, item.approval));
                }
            }
        }
    }
    found.into_values().collect()
}

/// Things of different classes may stand at one place.
fn class(kind: &RunKind) -> u8 {
    match kind {
        RunKind::Hook { .. } => 0,
        RunKind::Server { .. } => 1,
        RunKind::Variable { .. } => 2,
        RunKind::Endpoint { .. } => 3,
        RunKind::Permission { .. } => 4,
        RunKind::Setting { .. } => 5,
        RunKind::Helper { .. } => 6,
        RunKind::PreRun { .. } => 7,
        RunKind::Style { .. } => 8,
    }
}
