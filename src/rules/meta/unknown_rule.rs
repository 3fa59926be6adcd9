//! A rule name in the config or in a suppression that no rule has.

use crate::base::finding::{Finding, Level};
use crate::config::{ALL_RULES, RuleSetting, nearest};
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, RULES, Rule, RuleInfo, find};

const INFO: RuleInfo = RuleInfo {
    name: "unknown-rule",
    group: Group::Meta,
    levels: &[Level::Warning],
    summary: "the config or a suppression names a rule that does not exist",
    explanation: "\
## What it does
Reports rule and group names in `hintlint.toml` and in `hintlint-ignore` comments that this version does not know.

## Why is this bad?
A setting for a misspelt rule does nothing, and nobody notices. It is a warning and not an error so that one config can serve
several versions; a renamed rule keeps its old name as an alias.

## Example
```toml
[rules]
stale-paths = \"off\"   # the rule is called stale-path
```

## How to fix
Take the name from `hintlint rules`.
",
    evidence: &[],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct UnknownRule;

fn is_known(name: &str) -> bool {
    find(name).is_some() || Group::ALL.iter().any(|group| group.name() == name)
}

fn suggestion(name: &str) -> String {
    let rules = RULES.iter().map(|rule| rule.info().name);
    match nearest(name, rules.chain(Group::ALL.iter().map(|group| group.name()))) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`hintlint rules` lists all rules and groups".to_owned(),
    }
}

impl Rule for UnknownRule {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for (name, span) in document.suppressions.iter().flat_map(|suppression| &suppression.rules) {
            if !is_known(name) {
                let message = format!("there is no rule or group `{name}`");
                findings.push(
                    Finding::new(INFO.name, Level::Warning, &document.path, *span, message).help(suggestion(name)),
                );
            }
        }
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let config = &cx.workspace.config;
        let all = config.rules.iter().chain(config.overrides.iter().flat_map(|table| &table.rules));
        let is_known = |name: &str| name == ALL_RULES || is_known(name);
        for RuleSetting { name, file, span, .. } in all.filter(|setting| !is_known(&setting.name)) {
            let message = format!("there is no rule or group `{name}`");
            findings.push(Finding::new(INFO.name, Level::Warning, file, *span, message).help(suggestion(name)));
        }
    }
}
