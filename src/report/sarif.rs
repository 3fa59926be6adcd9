//! `sarif`: SARIF 2.1.0, for code scanning services.
//!
//! Columns count Unicode code points. Texts that a viewer will show are sanitised and cannot be taken for links or placeholders;
//! texts to insert are exact, with hidden characters as JSON escapes. Locations are relative to `%SRCROOT%`, percent-encoded.

mod model;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::base::finding::{Applicability, Edit, Finding, Fix, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::engine::Fingerprints;
use crate::report::locate::Locator;
use crate::report::safe_json::{self, Each};
use crate::report::{Report, ReportOptions};
use crate::rules::meta::Silenced;
use crate::rules::{RULES, RuleInfo, rule_url};
use model::{
    ArtifactChange, ArtifactLocation, ByteRegion, Configuration, Descriptor, Driver, Help, Invocation, Location, Log,
    Notification, OwnedText, PartialFingerprints, PhysicalLocation, Region, Replacement, ResultProperties,
    RuleProperties, SarifFix, SarifResult, SarifRun, SarifSuppression, SarifTool, Text, UriBase, UriBaseIds,
};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The project's page, once the manifest names one.
const INFORMATION_URI: Option<&str> = match option_env!("CARGO_PKG_REPOSITORY") {
    Some(uri) if !uri.is_empty() => Some(uri),
    _ => None,
};

/// Write `report` as SARIF. Suppressed findings are in it, marked as such.
pub fn write(report: &Report, _options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let infos: Vec<&'static RuleInfo> = RULES.iter().map(|rule| rule.info()).collect();
    write_with(report, &infos, out)
}

fn write_with(report: &Report, infos: &[&'static RuleInfo], out: &mut dyn Write) -> io::Result<()> {
    let mut rules: Vec<Descriptor<'_>> = infos.iter().map(|info| descriptor(info)).collect();
    let mut index: BTreeMap<&str, usize> = infos.iter().enumerate().map(|(n, info)| (info.name, n)).collect();
    let active = report.findings.iter().map(|finding| (finding, None));
    let silenced = report.suppressed.iter().map(|suppressed| (&suppressed.finding, Some(suppressed.reason.as_str())));
    let all = active.chain(silenced);
    for (finding, _) in all.clone() {
        // A finding whose rule has no card still gets a descriptor, so that every index leads somewhere.
        index.entry(finding.rule).or_insert_with(|| {
            rules.push(bare_descriptor(finding.rule));
            rules.len() - 1
        });
    }
    let mut writer = Results { locator: Locator::new(report), fingerprints: Fingerprints::new(&report.sources) };
    let results = Each::new(all.map(|(finding, reason)| writer.result(finding, index[finding.rule], reason)));
    let driver = Driver {
        name: "hintlint",
        version: env!("CARGO_PKG_VERSION"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        information_uri: INFORMATION_URI,
        rules,
    };
    let root = UriBase { description: Text { text: "The root of the repository." } };
    let run = SarifRun {
        tool: SarifTool { driver },
        invocations: [invocation(report)],
        original_uri_base_ids: UriBaseIds { root },
        default_encoding: "utf-8",
        column_kind: "unicodeCodePoints",
        results,
    };
    safe_json::write(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] }, out)
}

fn descriptor(info: &'static RuleInfo) -> Descriptor<'static> {
    let level = info.levels.first().copied().unwrap_or(Level::Warning);
    Descriptor {
        id: info.name,
        name: pascal_case(info.name),
        short_description: Some(Text { text: info.summary }),
        full_description: Some(Text { text: info.summary }),
        help_uri: rule_url(info.name),
        help: Some(Help { text: info.explanation, markdown: info.explanation }),
        default_configuration: Some(Configuration { level: sarif_level(level) }),
        properties: Some(RuleProperties { tags: [info.group.name()], severity: severity(level) }),
        deprecated_ids: info.aliases,
    }
}

fn bare_descriptor(rule: &str) -> Descriptor<'_> {
    Descriptor {
        id: rule,
        name: pascal_case(rule),
        short_description: None,
        full_description: None,
        help_uri: None,
        help: None,
        default_configuration: None,
        properties: None,
        deprecated_ids: &[],
    }
}

/// The rule's name as the standard likes names; none where only capitals would tell it from the id, which the standard forbids.
fn pascal_case(rule: &str) -> Option<String> {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    rule.contains('-').then(|| rule.split('-').filter(|word| word.is_char_boundary(1)).map(capital).collect())
}

fn sarif_level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    }
}

/// GitHub's word for a level.
fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "recommendation",
    }
}

fn invocation(report: &Report) -> Invocation {
    let failures = report.failures.iter().map(|failure| Notification {
        level: "error",
        message: message(&failure.message, None),
        locations: vec![Location { id: None, physical_location: file(&failure.path), message: None }],
    });
    let silenced = report.silenced.iter().map(Silenced::sentence);
    let notes = report.notes.iter().cloned().chain(silenced).map(|note| Notification {
        level: "note",
        message: message(&note, None),
        locations: Vec::new(),
    });
    Invocation {
        execution_successful: report.failures.is_empty(),
        tool_execution_notifications: failures.chain(notes).collect(),
    }
}

/// A whole file as a place.
fn file(path: &RepoPath) -> PhysicalLocation {
    PhysicalLocation { artifact_location: artifact(path), region: None }
}

fn artifact(path: &RepoPath) -> ArtifactLocation {
    ArtifactLocation { uri: uri(path.as_bytes()), uri_base_id: "%SRCROOT%" }
}

/// `path` as a relative URI reference. Also `:` is encoded, so that no name is taken for a scheme.
fn uri(path: &[u8]) -> String {
    let mut uri = String::with_capacity(path.len());
    for &byte in path {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            byte => write!(uri, "%{byte:02X}").expect("a String takes everything"),
        }
    }
    if uri.is_empty() { "./".to_owned() } else { uri }
}

/// `text` as a full sentence, and `help` behind it, as a plain SARIF message. In those, `[text](target)` is a link and `{0}` a
/// placeholder; neither is ever meant here.
fn message(text: &str, help: Option<&str>) -> OwnedText {
    let mut message = sanitize::line(text).into_owned();
    if !message.ends_with(['.', '!', '?']) {
        message.push('.');
    }
    if let Some(help) = help {
        message.push_str("\nHelp: ");
        message.push_str(&sanitize::lines(help));
    }
    OwnedText { text: double_placeholders(&message.replace("](", "] (")) }
}

/// Double the braces of what looks like a placeholder: the standard's way to write them literally.
fn double_placeholders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let close = at + 1 + digits;
        out.push_str(&rest[..at]);
        if digits > 0 && rest[close..].starts_with('}') {
            write!(out, "{{{{{}}}}}", &rest[at + 1..close]).expect("a String takes everything");
            rest = &rest[close + 1..];
        } else {
            out.push('{');
            rest = &rest[at + 1..];
        }
    }
    out + rest
}

struct Results<'a> {
    locator: Locator<'a>,
    fingerprints: Fingerprints<'a>,
}

impl<'a> Results<'a> {
    fn result(&mut self, finding: &'a Finding, rule_index: usize, reason: Option<&str>) -> SarifResult<'a> {
        let place = match finding.is_placeless() {
            true => self.first_line(&finding.path),
            false => self.place(&finding.path, finding.span),
        };
        let related = finding.related.iter().enumerate().map(|(n, related)| Location {
            id: Some(n + 1),
            physical_location: self.place(&related.path, related.span),
            message: Some(message(&related.message, None)),
        });
        let suppression = reason.map(|reason| SarifSuppression {
            kind: "inSource",
            status: "accepted",
            justification: sanitize::line(reason).into_owned(),
        });
        SarifResult {
            rule_id: finding.rule,
            rule_index,
            level: sarif_level(finding.level),
            message: message(&finding.message, finding.help.as_deref()),
            locations: [Location { id: None, physical_location: place, message: None }],
            related_locations: related.collect(),
            partial_fingerprints: PartialFingerprints { own: self.fingerprints.of(finding) },
            fixes: finding.fix.as_ref().and_then(|fix| self.fix(fix)).into_iter().collect(),
            suppressions: suppression.into_iter().collect(),
            properties: (!finding.agents.is_empty()).then_some(ResultProperties { agents: &finding.agents }),
        }
    }

    /// Where a remark on the whole of `path` is shown: services drop results without a region.
    fn first_line(&mut self, path: &RepoPath) -> PhysicalLocation {
        let end = self.locator.source(path).map_or(0, |source| source.lines.line_content(&source.bytes, 0).end);
        self.place(path, Span::new(0, end))
    }

    /// The place `span` of `path`; the file alone if its text is unknown.
    fn place(&mut self, path: &RepoPath, span: Span) -> PhysicalLocation {
        let mut place = file(path);
        if self.locator.source(path).is_some() {
            let bytes = ByteRegion { byte_offset: span.start, byte_length: span.len() };
            place.region = Some(Region { bytes: Some(bytes), ..self.region(path, span) });
        }
        place
    }

    fn region(&mut self, path: &RepoPath, span: Span) -> Region {
        let (start, end) = self.locator.range(path, span);
        Region {
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            bytes: None,
        }
    }

    /// The fix, if every text that it changes is known.
    fn fix(&mut self, fix: &'a Fix) -> Option<SarifFix<'a>> {
        let mut by_path: BTreeMap<&RepoPath, Vec<&'a Edit>> = BTreeMap::new();
        for edit in &fix.edits {
            self.locator.source(&edit.path)?;
            by_path.entry(&edit.path).or_default().push(edit);
        }
        let mut changes = Vec::new();
        for (path, mut edits) in by_path {
            edits.sort_by_key(|edit| edit.span);
            let replacements = edits.into_iter().map(|edit| Replacement {
                deleted_region: self.region(path, edit.span),
                inserted_content: (!edit.replacement.is_empty()).then_some(Text { text: &edit.replacement }),
            });
            changes.push(ArtifactChange { artifact_location: artifact(path), replacements: replacements.collect() });
        }
        let text = match fix.applicability {
            Applicability::Safe => "Safe: cannot change what the text means.",
            Applicability::Unsafe => "Unsafe: may change what the text means.",
            Applicability::Manual => "A suggestion, to be judged by a person.",
        };
        (!changes.is_empty()).then_some(SarifFix { description: Text { text }, artifact_changes: changes })
    }
}

#[cfg(test)]
mod tests;
