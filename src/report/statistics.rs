//! `--statistics`: how many findings each rule has at each level, most first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::base::finding::{Applicability, Level};
use crate::report::{Report, ReportOptions, human, paint, safe_json};
use crate::rules;

/// The findings of one rule at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RuleCount {
    /// The rule's name.
    pub rule: &'static str,
    /// Its group's name; empty for a rule that the registry does not know.
    pub group: &'static str,
    /// Their level.
    pub level: &'static str,
    /// Their number.
    pub findings: usize,
    /// Number of those that `--fix` fixes.
    pub fixable: usize,
    #[serde(skip)]
    rank: Level,
}

/// The counts per rule and level, most findings first, then by name, errors before warnings.
pub(crate) fn counts(report: &Report) -> Vec<RuleCount> {
    let mut counts: BTreeMap<(&'static str, Reverse<Level>), RuleCount> = BTreeMap::new();
    for finding in &report.findings {
        let count = counts.entry((finding.rule, Reverse(finding.level))).or_insert_with(|| RuleCount {
            rule: finding.rule,
            group: rules::find(finding.rule).map_or("", |info| info.group.name()),
            level: finding.level.name(),
            findings: 0,
            fixable: 0,
            rank: finding.level,
        });
        count.findings += 1;
        count.fixable += usize::from(finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe));
    }
    let mut counts: Vec<RuleCount> = counts.into_values().collect();
    counts.sort_by_key(|count| Reverse(count.findings));
    counts
}

/// Write the counts as a table: count, level, rule, how many are fixable. What could not be checked is said in any case.
pub fn write(report: &Report, options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let counts = counts(report);
    let digits = counts.first().map_or(0, |count| count.findings.to_string().len());
    let widest = counts.iter().map(|count| count.rule.len()).max().unwrap_or(0);
    for count in counts {
        let level = format!("{:<7}", count.level);
        let level = paint::paint(options.color, paint::level(count.rank), &level);
        let fixable = match count.fixable {
            0 => String::new(),
            fixable => format!("  {fixable} fixable"),
        };
        let line = format!("{:>digits$}  {level}  {:<widest$}{fixable}", count.findings, count.rule);
        writeln!(out, "{}", line.trim_end())?;
    }
    human::write_tail(report, options, out)
}

/// Write the counts as a JSON array.
pub fn write_json(report: &Report, _options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    safe_json::write(&counts(report), out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::finding::Finding;
    use crate::report::tests::{render, sample};

    #[test]
    fn counted_by_rule() {
        let mut report = sample();
        // Names that no registry will know, since the group comes from there.
        for (finding, rule) in report.findings.iter_mut().zip(["rule-b", "rule-a", "rule-long", "rule-c"]) {
            finding.rule = rule;
        }
        let tags = report.findings[2].clone();
        report.findings.extend(std::iter::repeat_n(tags, 9));
        report.findings.push(Finding { level: Level::Warning, fix: None, ..report.findings[2].clone() });
        insta::assert_snapshot!(render(write, &report, &ReportOptions { summary: false, ..ReportOptions::default() }), @r#"
        10  error    rule-long  10 fixable
         1  error    rule-a
         1  warning  rule-b
         1  info     rule-c
         1  warning  rule-long
        "#);
        report.findings.truncate(3);
        report.findings.swap_remove(0);
        report.findings[0].level = Level::Warning;
        insta::assert_snapshot!(render(write_json, &report, &ReportOptions::default()), @r#"
        [
          {
            "rule": "rule-a",
            "group": "",
            "level": "error",
            "findings": 1,
            "fixable": 0
          },
          {
            "rule": "rule-long",
            "group": "",
            "level": "warning",
            "findings": 1,
            "fixable": 1
          }
        ]
        "#);
    }
}
