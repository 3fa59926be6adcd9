//! `gitlab`: a Code Quality report, for merge requests on GitLab.
//!
//! The format has no place for edits, so the description says what the help and the fix are. GitLab takes findings with one
//! fingerprint for one, and compares the fingerprints of two branches.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use crate::base::error::Failure;
use crate::base::finding::{Finding, Level};
use crate::base::sanitize;
use crate::engine::Fingerprints;
use crate::report::locate::Locator;
use crate::report::safe_json::{self, Each, path};
use crate::report::{Report, ReportOptions, fix_words};

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: GitlabPlace<'a>,
}

#[derive(Serialize)]
struct GitlabPlace<'a> {
    path: Cow<'a, str>,
    lines: GitlabLines,
}

#[derive(Serialize)]
struct GitlabLines {
    begin: usize,
    end: usize,
}

/// Write `report` as a list of issues.
pub fn write(report: &Report, _options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let mut locator = Locator::new(report);
    let mut fingerprints = Fingerprints::new(&report.sources);
    let failures = report.failures.iter().enumerate().map(|(n, failure)| unread(failure, n));
    let findings = report.findings.iter().map(|finding| issue(finding, &mut locator, &mut fingerprints));
    safe_json::write(&Each::new(failures.chain(findings)), out)
}

/// A file that could not be checked may hide anything.
fn unread(failure: &Failure, number: usize) -> Issue<'_> {
    Issue {
        description: format!("could not check this file: {}", sanitize::line(&failure.message)),
        check_name: "hintlint",
        fingerprint: format!("failure:{number}:{}", path(&failure.path)),
        severity: "blocker",
        location: GitlabPlace { path: path(&failure.path), lines: GitlabLines { begin: 1, end: 1 } },
    }
}

fn issue<'a>(finding: &'a Finding, locator: &mut Locator<'_>, fingerprints: &mut Fingerprints<'_>) -> Issue<'a> {
    let (start, end) = locator.range(&finding.path, finding.span);
    let mut description = sanitize::line(&finding.message).into_owned();
    for more in finding.help.as_deref().into_iter().chain(fix_words(finding)) {
        description.push_str(". ");
        description.push_str(&sanitize::line(more));
    }
    Issue {
        description,
        check_name: finding.rule,
        fingerprint: fingerprints.of(finding),
        severity: match finding.level {
            Level::Error => "major",
            Level::Warning => "minor",
            Level::Info => "info",
        },
        location: GitlabPlace { path: path(&finding.path), lines: GitlabLines { begin: start.line, end: end.line } },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::base::path::RepoPath;
    use crate::report::tests::{hostile_report, render, sample};

    /// What GitLab's own schema of the format demands (`app/validators/json_schemas/codeclimate.json`, read 2026-11-23), and what
    /// its documentation adds: the severities, a relative path, a first line, and fingerprints that are unique.
    fn assert_is_code_quality(report: &Value) {
        let mut seen = BTreeSet::new();
        for issue in report.as_array().expect("a list") {
            for key in ["description", "check_name", "fingerprint", "severity"] {
                assert!(issue[key].as_str().is_some_and(|text| !text.is_empty()), "{key} of {issue}");
            }
            let severity = issue["severity"].as_str().unwrap_or_default();
            assert!(["info", "minor", "major", "critical", "blocker"].contains(&severity), "{issue}");
            let place = &issue["location"];
            assert!(place["path"].as_str().is_some_and(|path| !path.starts_with('/')), "{issue}");
            assert!(place["lines"]["begin"].as_u64() >= Some(1), "{issue}");
            assert!(seen.insert(issue["fingerprint"].to_string()), "twice: {issue}");
        }
    }

    #[test]
    fn issues() {
        let mut report = sample();
        report.failures = vec![Failure { path: RepoPath::from("x.md"), message: "permission denied".to_owned() }];
        let again = report.findings[1].clone();
        report.findings.push(again);
        let value: Value = serde_json::from_str(&render(write, &report, &ReportOptions::default())).expect("JSON");
        assert_is_code_quality(&value);
        let told = |n: usize| value[n]["description"].as_str().expect("text").to_owned();
        assert_eq!(told(0), "could not check this file: permission denied");
        assert_eq!(
            told(3),
            "2 invisible tag characters (U+E0049..U+E0047). remove the run. `hintlint --fix` fixes this"
        );
        let severities: Vec<_> = value.as_array().expect("a list").iter().map(|issue| &issue["severity"]).collect();
        assert_eq!(severities, ["blocker", "minor", "major", "major", "info", "major"]);
        assert_eq!(value[2]["location"]["lines"], serde_json::json!({"begin": 3, "end": 3}));
    }

    #[test]
    fn no_finding_is_an_empty_list() {
        assert_eq!(render(write, &Report::default(), &ReportOptions::default()), "[]\n");
    }

    proptest! {
        #[test]
        fn every_report_is_code_quality(mut report in hostile_report()) {
            report.findings.iter_mut().for_each(|finding| finding.message.push('.'));
            let value: Value = serde_json::from_str(&render(write, &report, &ReportOptions::default())).expect("JSON");
            prop_assert_eq!(value.as_array().map(Vec::len), Some(report.findings.len() + report.failures.len()));
        }
    }
}
