//! The config's rule settings, with their patterns compiled: which apply to a file, and what they ignore. Knows no rule:
//! whether a setting is for a rule is the caller's question, by name.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ignore::gitignore::Gitignore;

use super::allow::{is_allowed, is_allowed_at};
use super::patterns::{matches, patterns};
use super::{ALL_RULES, Config, RuleSetting};
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::parse::{Document, unicode};

/// The group of rules about hidden characters.
const HIDDEN: &str = "unicode";

/// The settings of a config.
pub(crate) struct Levels<'c> {
    tables: Vec<(Option<Gitignore>, Vec<LevelSetting<'c>>)>,
}

/// What one table says of one rule or group.
pub(crate) struct LevelSetting<'c> {
    setting: &'c RuleSetting,
    paths: Option<Gitignore>,
    code_points: BTreeSet<char>,
}

impl<'c> Levels<'c> {
    /// Compile the settings of `config`.
    pub(crate) fn new(config: &'c Config) -> Self {
        let settings = |list: &'c [RuleSetting]| list.iter().map(LevelSetting::new).collect();
        let mut tables = vec![(None, settings(&config.rules))];
        for table in &config.overrides {
            // A pattern that does not compile was refused when the workspace was loaded.
            tables.push((patterns(&table.paths).ok(), settings(&table.rules)));
        }
        Levels { tables }
    }

    /// The settings of each table that holds for a file, in the config's order.
    pub(crate) fn of(&self, path: &RepoPath) -> Vec<&[LevelSetting<'c>]> {
        let holds =
            |(paths, _): &&(Option<Gitignore>, _)| paths.as_ref().is_none_or(|paths| matches(paths, path.as_bytes()));
        self.tables.iter().filter(holds).map(|(_, settings)| settings.as_slice()).collect()
    }
}

impl<'c> LevelSetting<'c> {
    fn new(setting: &'c RuleSetting) -> Self {
        let (points, rest): (Vec<&String>, Vec<&String>) =
            setting.allow.iter().partition(|entry| entry.starts_with("U+"));
        let point = |entry: &&String| char::from_u32(u32::from_str_radix(entry.get(2..)?, 16).ok()?);
        LevelSetting {
            setting,
            paths: patterns(rest).ok().filter(|paths| !paths.is_empty()),
            code_points: points.iter().filter_map(point).collect(),
        }
    }

    /// The name of the rule or group.
    pub(crate) fn name(&self) -> &'c str {
        &self.setting.name
    }

    /// The level; `Some(None)` is `off`.
    pub(crate) fn level(&self) -> Option<Option<Level>> {
        self.setting.level
    }

    /// Whether `allow` covers a whole file.
    fn allows_file(&self, path: &RepoPath) -> bool {
        self.paths.as_ref().is_some_and(|paths| matches(paths, path.as_bytes()))
    }

    /// Whether `allow` covers a finding, which stands in `document` if that is text. `is_hidden` tells whether its rule is about
    /// hidden characters.
    pub(crate) fn allows(&self, finding: &Finding, document: Option<&Document>, is_hidden: bool) -> bool {
        if self.setting.allow.is_empty() {
            return false;
        }
        if self.allows_file(&finding.path) {
            return true;
        }
        let Some(document) = document else { return false };
        if is_hidden {
            return is_allowed(document, finding, &self.code_points, &self.setting.allow);
        }
        let text = document.slice(finding.span);
        if text.is_empty() {
            return false;
        }
        let trimmed = text.trim_matches(['`', '@', '"', '\'', '(', ')', '<', '>']);
        self.setting.allow.iter().any(|word| word == text || word == trimmed)
    }
}

/// The text of the file at `path` as the safe fixes leave it: without hidden characters except those that the config allows.
/// Levels do not matter here: a hidden character whose rule is off is removed, too.
pub(crate) fn sanitized<'t>(config: &Config, path: &RepoPath, text: &'t str) -> Cow<'t, str> {
    if unicode::is_plain(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let levels = Levels::new(config);
    let tables = levels.of(path);
    unicode::sanitize_except(text, |class, text, span| {
        let mut settings = tables
            .iter()
            .copied()
            .flatten()
            .filter(|setting| [class.rule(), HIDDEN, ALL_RULES].contains(&setting.name()));
        settings.any(|setting| {
            setting.allows_file(path) || is_allowed_at(text, span, &setting.code_points, &setting.setting.allow)
        })
    })
}
