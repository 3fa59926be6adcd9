//! Settings of the config that judge less than before.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{JudgedState, Loosening};
use crate::base::finding::Level;
use crate::base::path::RepoPath;
use crate::config::{ALL_RULES, Config, ConfigKey, KEYS, Override, RuleSetting};
use crate::rules::{RULES, RuleInfo};

/// So many rules that one setting weakens are named.
const NAMED: usize = 5;

/// Tables whose values change nothing of what is found; the keys of the top level are told by themselves.
const OTHER_TABLES: [&str; 3] = ["", "search", "hooks"];

pub(super) fn loosened(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let mut found = weaker_rules(before, after);
    found.extend(allowed(before, after));
    found.extend(excluded(before, after));
    found.extend(overridden(before, after));
    found.extend(agents(before, after));
    found.extend(values(before, after));
    found
}

/// The config's file, or the one that was there.
fn config_path(before: &JudgedState<'_>, after: &JudgedState<'_>) -> RepoPath {
    let path = after.config.path.as_ref().or(before.config.path.as_ref());
    path.cloned().unwrap_or_else(|| RepoPath::from(crate::config::FILE_NAMES[0]))
}

fn at(state: &JudgedState<'_>, setting: &RuleSetting, what: String) -> Loosening {
    Loosening { path: setting.file.clone(), line: state.config_line(&setting.file, setting.span), what }
}

/// Whether a setting is for the rule, and how closely: 0 for all rules, 1 for its group, 2 for itself.
fn reach(setting: &RuleSetting, info: &RuleInfo) -> Option<usize> {
    match setting.name.as_str() {
        ALL_RULES => Some(0),
        name if name == info.group.name() => Some(1),
        name if name == info.name || info.aliases.contains(&name) => Some(2),
        _ => None,
    }
}

/// The level that a rule has at most, by `[rules]`, and the setting that decides it; `None` is off.
fn level<'c>(config: &'c Config, info: &RuleInfo) -> (Option<Level>, Option<&'c RuleSetting>) {
    let own = (info.levels.iter().max().copied(), None);
    (0..=2).fold(own, |now, closeness| {
        let settings = config.rules.iter().filter(|setting| reach(setting, info) == Some(closeness));
        settings.filter_map(|setting| Some((setting.level?, Some(setting)))).next_back().unwrap_or(now)
    })
}

fn level_name(level: Option<Level>) -> &'static str {
    level.map_or("off", Level::name)
}

/// Rules whose level was lowered, one entry for each setting that does so.
fn weaker_rules(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let mut by_setting: BTreeMap<(RepoPath, usize, String), Vec<String>> = BTreeMap::new();
    for info in RULES.iter().map(|rule| rule.info()) {
        let ((was, _), (is, setting)) = (level(before.config, info), level(after.config, info));
        if is >= was {
            continue;
        }
        let key = match setting {
            Some(setting) => {
                let place = after.config_line(&setting.file, setting.span);
                (setting.file.clone(), place, format!("`{}` is set to {}", setting.name, level_name(is)))
            }
            None => (config_path(before, after), 1, "a setting was removed".to_owned()),
        };
        by_setting.entry(key).or_default().push(format!("{} was {}", info.name, level_name(was)));
    }
    let told = |((path, line, what), mut rules): ((RepoPath, usize, String), Vec<String>)| {
        let more = rules.len().saturating_sub(NAMED);
        rules.truncate(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Loosening { path, line, what: format!("{what}: {}{more}", rules.join(", ")) }
    };
    by_setting.into_iter().map(told).collect()
}

/// What `allow` has in addition.
fn allowed(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let entries = |setting: &RuleSetting| {
        let name = setting.name.clone();
        setting.allow.iter().map(move |entry| (name.clone(), entry.clone())).collect::<Vec<_>>()
    };
    let there: BTreeSet<(String, String)> = before.config.rules.iter().flat_map(entries).collect();
    let mut found = Vec::new();
    for setting in &after.config.rules {
        for (name, entry) in entries(setting).into_iter().filter(|entry| !there.contains(entry)) {
            found.push(at(after, setting, format!("`{name}` allows {entry:?}")));
        }
    }
    found
}

fn excluded(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let there: BTreeSet<&str> = before.config.exclude.iter().map(|(pattern, _)| pattern.as_str()).collect();
    let Some((file, _)) = after.config.origin("", "exclude") else { return Vec::new() };
    let new = after.config.exclude.iter().filter(|(pattern, _)| !there.contains(pattern.as_str()));
    // One that took files in again, and is gone, leaves them out.
    let kept: BTreeSet<&str> = after.config.exclude.iter().map(|(pattern, _)| pattern.as_str()).collect();
    let gone = there.iter().filter(|pattern| pattern.starts_with('!') && !kept.contains(*pattern));
    let new = new.filter(|(pattern, _)| !pattern.starts_with('!')).map(|(pattern, span)| Loosening {
        path: file.clone(),
        line: after.config_line(file, *span),
        what: format!("`exclude` now excludes {pattern:?}"),
    });
    let gone = gone.map(|pattern| Loosening {
        path: file.clone(),
        line: 1,
        what: format!("`exclude` no longer re-includes {pattern:?}"),
    });
    new.chain(gone).collect()
}

/// Overrides that are new and lower a level, and those that are gone and raised one.
fn overridden(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let same = |a: &Override, b: &Override| {
        let words = |table: &Override| {
            let rules = table.rules.iter().map(|rule| (rule.name.clone(), rule.value().to_string()));
            (table.paths.clone(), rules.collect::<Vec<_>>())
        };
        words(a) == words(b)
    };
    // Whether the setting lowers, or raises, a rule of those that `config` would have.
    let moves = |config: &Config, setting: &RuleSetting, down: bool| {
        let infos = RULES.iter().map(|rule| rule.info()).filter(|info| reach(setting, info).is_some());
        let differs = |info: &RuleInfo, level: Option<Level>| {
            let whole = self::level(config, info).0;
            if down { level < whole } else { level > whole }
        };
        setting.level.is_some_and(|level| infos.into_iter().any(|info| differs(info, level)))
    };
    let mut found = Vec::new();
    for table in &after.config.overrides {
        if before.config.overrides.iter().any(|old| same(old, table)) {
            continue;
        }
        let lowers = |setting: &&RuleSetting| moves(after.config, setting, true) || !setting.allow.is_empty();
        for setting in table.rules.iter().filter(lowers) {
            let what = format!("for {} `{}` is {}", table.paths.join(", "), setting.name, setting.value());
            found.push(at(after, setting, what));
        }
    }
    for table in &before.config.overrides {
        let raises = table.rules.iter().any(|setting| moves(before.config, setting, false));
        if raises && !after.config.overrides.iter().any(|new| same(new, table)) {
            let what = format!("the stricter override for {} was removed", table.paths.join(", "));
            found.push(Loosening { path: config_path(before, after), line: 1, what });
        }
    }
    found
}

/// Agents that the repository's files enabled and a list leaves out.
fn agents(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let (Some(list), Some((file, span))) = (&after.config.agents, after.config.origin("", "agents")) else {
        return Vec::new();
    };
    let were = before.workspace.agents.iter().map(|enabled| enabled.agent.to_string());
    let gone: Vec<String> = were.filter(|agent| !list.contains(agent)).collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let what = format!("`agents` no longer lists {}", gone.join(", "));
    vec![Loosening { path: file.clone(), line: after.config_line(file, *span), what }]
}

/// Other values that differ; of numbers, which are limits, those that are higher.
fn values(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let told = |key: &ConfigKey| {
        let (was, is) = (before.config.value(key.table, key.name), after.config.value(key.table, key.name));
        let is_looser = match (&was, &is) {
            (Value::Number(was), Value::Number(is)) => is.as_u64() > was.as_u64(),
            // A list that has all it had, and more.
            (Value::Array(was), Value::Array(is)) => !was.iter().all(|value| is.contains(value)),
            _ => was != is,
        };
        let (path, line) = match after.config.origin(key.table, key.name) {
            Some((file, span)) => (file.clone(), after.config_line(file, *span)),
            None => (config_path(before, after), 1),
        };
        let what = format!("`{}.{}` is {is} and was {was}", key.table, key.name);
        is_looser.then_some(Loosening { path, line, what })
    };
    let keys = KEYS.iter().filter(|key| !OTHER_TABLES.contains(&key.table));
    let mut found: Vec<Loosening> = keys.filter_map(told).collect();
    if before.config.compile_configured && !after.config.compile_configured {
        let what = "`[compile]` was removed, which turned on the rules about artifacts".to_owned();
        found.push(Loosening { path: config_path(before, after), line: 1, what });
    }
    found
}
