//! Sets each finding's level as the config has it, and takes out what is off or allowed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::base::finding::Finding;
use crate::base::path::RepoPath;
use crate::config::levels::{Levels, Setting};
use crate::rules::{Group, RULES, RuleInfo};
use crate::workspace::Workspace;

/// Apply `levels` to `findings`. A finding of a `selected` rule stays although its rule is off.
pub(super) fn apply(
    levels: &Levels<'_>,
    workspace: &Workspace,
    selected: &BTreeSet<&'static str>,
    findings: &mut Vec<Finding>,
) {
    let infos: BTreeMap<&str, &RuleInfo> = RULES.iter().map(|rule| (rule.info().name, rule.info())).collect();
    let mut by_path: HashMap<RepoPath, Vec<&[Setting<'_>]>> = HashMap::new();
    findings.retain_mut(|finding| {
        let Some(info) = infos.get(finding.rule) else { return true };
        let mut level = None;
        // Patterns are compared once per file, not once per finding.
        let tables = by_path.entry(finding.path.clone()).or_insert_with(|| levels.of(&finding.path));
        for settings in tables {
            // A setting for the rule itself is stronger than one for its group, wherever the two stand in one table.
            for by_rule in [false, true] {
                for setting in settings.iter().filter(|setting| is_for(setting, info, by_rule)) {
                    level = setting.level().or(level);
                    let document = workspace.text(finding.path.as_bytes());
                    if setting.allows(finding, document, info.group == Group::Unicode) {
                        return false;
                    }
                }
            }
        }
        match level {
            Some(Some(level)) => finding.level = level,
            Some(None) => return selected.contains(finding.rule),
            None => {}
        }
        true
    });
}

/// Whether a setting is for the rule, by its own name or by that of its group.
fn is_for(setting: &Setting<'_>, info: &RuleInfo, by_rule: bool) -> bool {
    let name = setting.name();
    if by_rule { name == info.name || info.aliases.contains(&name) } else { name == info.group.name() }
}
