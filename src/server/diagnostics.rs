//! Findings as diagnostics, file by file.

use std::collections::BTreeMap;

use gen_lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
};
use serde_json::json;

use super::text::{Encoding, Lined};
use super::view::View;
use crate::base::error::ConfigError;
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::rules;

/// Most diagnostics of one file; the rest is counted in one more.
const MAX_OF_FILE: usize = 1000;

/// Rules whose findings mark unused text: no agent reads it, or it has no effect.
const DEAD_TEXT: [&str; 8] = [
    "dead-glob",
    "dead-setting",
    "duplicate-field",
    "duplicate-import",
    "ignored-field",
    "import-not-loaded",
    "unused-override",
    "unused-suppression",
];

/// Behind the place of a finding of this rule nothing is read.
const CUTS_OFF: &str = "context-truncated";

/// All diagnostics of a checked state.
pub(super) fn of(view: &View<'_>) -> BTreeMap<RepoPath, Vec<Diagnostic>> {
    let report = &view.analysis.report;
    let mut by_file: BTreeMap<RepoPath, Vec<&Finding>> = BTreeMap::new();
    for finding in &report.findings {
        by_file.entry(finding.path.clone()).or_default().push(finding);
    }
    let mut all: BTreeMap<RepoPath, Vec<Diagnostic>> =
        by_file.into_iter().map(|(path, findings)| (path.clone(), of_file(view, &path, &findings))).collect();
    for failure in &report.failures {
        let message = sanitize::line(&failure.message).into_owned();
        all.entry(failure.path.clone()).or_default().push(plain(DiagnosticSeverity::Error, message));
    }
    all
}

fn of_file(view: &View<'_>, path: &RepoPath, findings: &[&Finding]) -> Vec<Diagnostic> {
    let text = view.text_of(path).unwrap_or_default();
    let lined = view.lined(&text);
    let shown = findings.iter().take(MAX_OF_FILE);
    let mut diagnostics: Vec<Diagnostic> = shown.map(|finding| of_finding(view, &lined, finding)).collect();
    let cuts = findings.iter().filter(|finding| finding.rule == CUTS_OFF && !finding.is_placeless());
    if let Some(first) = cuts.map(|finding| finding.span.start).min() {
        diagnostics.push(Diagnostic {
            range: lined.range(Span::new(first, text.len())),
            tags: Some(vec![DiagnosticTag::Unnecessary]),
            code: Some(Code::String(CUTS_OFF.to_owned())),
            ..plain(DiagnosticSeverity::Hint, "from here on an agent reads nothing".to_owned())
        });
    }
    if let Some(more) = findings.len().checked_sub(MAX_OF_FILE).filter(|more| *more > 0) {
        diagnostics.push(plain(DiagnosticSeverity::Information, format!("and {more} more findings in this file")));
    }
    diagnostics
}

fn plain(severity: DiagnosticSeverity, message: String) -> Diagnostic {
    Diagnostic {
        severity: Some(severity),
        source: Some("hintlint".to_owned()),
        message: message.into(),
        ..Diagnostic::default()
    }
}

/// One finding as a diagnostic of the text that `lined` has.
pub(super) fn of_finding(view: &View<'_>, lined: &Lined<'_>, finding: &Finding) -> Diagnostic {
    let related = finding.related.iter().map(|related| DiagnosticRelatedInformation {
        location: view.location(&related.path, related.span),
        message: sanitize::line(&related.message).into_owned(),
    });
    let related: Vec<_> = related.collect();
    let severity = match finding.level {
        Level::Error => DiagnosticSeverity::Error,
        Level::Warning => DiagnosticSeverity::Warning,
        Level::Info => DiagnosticSeverity::Information,
    };
    let mut message = sanitize::line(&finding.message).into_owned();
    if let Some(help) = &finding.help {
        message.push('\n');
        message.push_str(&sanitize::lines(help));
    }
    Diagnostic {
        range: lined.range(finding.span),
        code: Some(Code::String(finding.rule.to_owned())),
        code_description: rules::rule_url(finding.rule).map(|url| CodeDescription { href: url.into() }),
        tags: DEAD_TEXT.contains(&finding.rule).then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: (!related.is_empty()).then_some(related),
        data: (!finding.agents.is_empty()).then(|| json!({"agents": finding.agents})),
        ..plain(severity, message)
    }
}

/// The problems of a config file.
pub(super) fn of_config(error: &ConfigError, encoding: Encoding) -> Vec<Diagnostic> {
    let lined = Lined::new(&error.text, encoding);
    let problem = |problem: &crate::base::error::ConfigProblem| {
        let help = problem.help.as_ref().map(|help| format!("\n{}", sanitize::lines(help))).unwrap_or_default();
        Diagnostic {
            range: lined.range(problem.span),
            ..plain(DiagnosticSeverity::Error, format!("{}{help}", sanitize::line(&problem.message)))
        }
    };
    error.problems.iter().map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_rules_exist() {
        for name in DEAD_TEXT.iter().chain([&CUTS_OFF]) {
            assert!(rules::find(name).is_some_and(|info| info.name == *name), "{name}");
        }
    }
}
