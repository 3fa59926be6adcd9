//! Sets each finding's level as the config has it, and takes out what is off or allowed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::base::finding::Finding;
use crate::base::path::RepoPath;
use crate::config::ALL_RULES;
use crate::config::levels::{LevelSetting, Levels};
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
    let mut by_path: HashMap<RepoPath, Vec<&[LevelSetting<'_>]>> = HashMap::new();
    findings.retain_mut(|finding| {
        let Some(info) = infos.get(finding.rule) else { return true };
        let mut level = None;
        // Patterns are compared once per file, not once per finding.
        let tables = by_path.entry(finding.path.clone()).or_insert_with(|| levels.of(&finding.path));
        for settings in tables {
            // A setting for the rule itself is stronger than one for its group, and that than one for all rules, wherever they
            // stand in one table.
            for reach in [SettingReach::All, SettingReach::Group, SettingReach::Rule] {
                for setting in settings.iter().filter(|setting| reach_of(setting, info) == Some(reach)) {
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

/// How many rules a setting is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SettingReach {
    All,
    Group,
    Rule,
}

/// How a setting names the rule; `None` if it is for others.
fn reach_of(setting: &LevelSetting<'_>, info: &RuleInfo) -> Option<SettingReach> {
    match setting.name() {
        ALL_RULES => Some(SettingReach::All),
        name if name == info.group.name() => Some(SettingReach::Group),
        name if name == info.name || info.aliases.contains(&name) => Some(SettingReach::Rule),
        _ => None,
    }
}
