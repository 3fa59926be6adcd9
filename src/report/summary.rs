//! The summary of a request to merge: Markdown in sections, short enough for a comment, the same bytes for the same request.

use std::io::{self, Write};

use super::markdown::{code, prose};
use super::{Report, counted};
use super::{contexts, runs as run_words};
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::compile::comparison::ContextChange;
use crate::compile::run_changes::RunChange;
use crate::engine::loosened::Loosening;
use crate::engine::request::RequestVerdict;
use crate::plan::{Overview, change};
use crate::report::locate::Locator;

/// A comment on GitHub has room for 65,536 characters, and a job summary for more.
const MAX_PAGE: usize = 60_000;

/// So many findings, and so many things that are loosened, are listed.
const LISTED: usize = 50;

/// One part of the summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SummarySection {
    /// Its heading.
    pub title: String,
    /// Its Markdown, without the heading.
    pub body: String,
}

/// A plan that the request changes.
#[derive(Clone, Debug)]
pub(crate) struct PlanStep {
    /// The file.
    pub path: RepoPath,
    /// How far it was.
    pub before: Overview,
    /// How far it is.
    pub after: Overview,
}

/// Write the summary: what the request came to, the sections in their order, and what the reader should know. A section that does
/// not fit says so in its place.
///
/// # Errors
/// When `out` cannot be written.
pub(crate) fn write(verdict: &RequestVerdict, sections: &[SummarySection], out: &mut dyn Write) -> io::Result<()> {
    let mut page = format!("## hintlint: {}\n", headline(verdict));
    for line in remarks(verdict) {
        page.push_str(&format!("\n- {line}"));
    }
    if !page.ends_with('\n') {
        page.push('\n');
    }
    for (number, SummarySection { title, body }) in sections.iter().enumerate() {
        let text = format!("\n### {title}\n\n{}\n", body.trim_matches('\n'));
        // Each later section must be able to say that it is left out.
        let room = MAX_PAGE.saturating_sub((sections.len() - number - 1) * 200);
        match page.len() + text.len() <= room {
            true => page.push_str(&text),
            false => page.push_str(&format!("\n### {title}\n\nThis part is too long to be shown here.\n")),
        }
    }
    out.write_all(page.as_bytes())
}

/// The counts, in a line.
fn headline(verdict: &RequestVerdict) -> String {
    let report = &verdict.report;
    let errors = counted(report.count(Level::Error), "error", "errors");
    let warnings = counted(report.count(Level::Warning), "warning", "warnings");
    let found = match (report.findings.is_empty(), verdict.before.is_some()) {
        (true, true) => "no new problems".to_owned(),
        (true, false) => "no problems found".to_owned(),
        (false, _) => format!("{errors}, {warnings}"),
    };
    match verdict.loosened.len() {
        0 => found,
        count => format!("{found}; the request loosens {}", counted(count, "check", "checks")),
    }
}

/// Hidden findings, failures and notes.
fn remarks(verdict: &RequestVerdict) -> Vec<String> {
    let report = &verdict.report;
    let mut lines = Vec::new();
    let older: usize = report.older.values().sum();
    if older > 0 {
        let older = counted(older, "older problem", "older problems");
        lines.push(format!("{older} that the request neither causes nor touches: not shown; `hintlint` lists them"));
    }
    if let Some(known) = report.known.as_ref().filter(|known| known.old > 0) {
        let (count, file) = (counted(known.old, "problem", "problems"), code(&sanitize::path(&known.file)));
        lines.push(format!("{count} in the baseline {file}: not shown"));
    }
    match report.fixable() {
        0 => {}
        count => lines.push(format!("`hintlint --fix` fixes {count}")),
    }
    if verdict.hidden_by_request > 0 {
        let count = counted(verdict.hidden_by_request, "finding", "findings");
        lines.push(format!("{count} will be hidden by the request's config or baseline after the merge"));
    }
    if verdict.silenced_by_request > 0 {
        let count = counted(verdict.silenced_by_request, "finding", "findings");
        lines
            .push(format!("{count} from before the request still shown: the request adds comments that suppress them"));
    }
    for failure in &report.failures {
        let path = code(&sanitize::path(&failure.path));
        lines.push(format!("could not check {path}: {}", prose(&failure.message)));
    }
    lines.extend(report.notes.iter().map(|note| format!("note: {}", prose(note))));
    lines
}

/// What the request loosens; `None` if nothing.
pub(crate) fn loosened(list: &[Loosening]) -> Option<SummarySection> {
    let line = |Loosening { path, line, what }: &Loosening| {
        format!("- {}: {}\n", code(&format!("{}:{line}", sanitize::path(path))), prose(what))
    };
    let mut body: String = list.iter().take(LISTED).map(line).collect();
    body.push_str(&more(list.len()));
    (!list.is_empty()).then(|| SummarySection { title: "What this request loosens".to_owned(), body })
}

fn more(count: usize) -> String {
    match count.saturating_sub(LISTED) {
        0 => String::new(),
        rest => format!("\n{} not listed here.\n", counted(rest, "more is", "more are")),
    }
}

/// The findings, the gravest first, one for each cause; `None` without findings.
pub(crate) fn findings(report: &Report) -> Option<SummarySection> {
    let mut body = "| Level | Rule | Place | Problem |\n| --- | --- | --- | --- |\n".to_owned();
    let mut locator = Locator::new(report);
    let levels = [Level::Error, Level::Warning, Level::Info];
    let of = |level: Level| report.findings.iter().filter(move |finding| finding.level == level);
    for finding in levels.into_iter().flat_map(of).take(LISTED) {
        body.push_str(&row(finding, &mut locator));
    }
    body.push_str(&more(report.findings.len()));
    (!report.findings.is_empty()).then(|| SummarySection { title: "Findings".to_owned(), body })
}

fn row(finding: &Finding, locator: &mut Locator<'_>) -> String {
    let path = sanitize::path(&finding.path);
    let place = match finding.is_placeless() || locator.source(&finding.path).is_none() {
        true => path.into_owned(),
        false => format!("{path}:{}", locator.position(&finding.path, finding.span.start).line),
    };
    let (rule, place, problem) = (code(finding.rule), code(&place), prose(&finding.message));
    format!("| {} | {rule} | {place} | {problem} |\n", finding.level.name())
}

/// How what the agents run changes; `None` if nothing does.
pub(crate) fn runs(changes: &[RunChange]) -> Option<SummarySection> {
    let body = run_words::markdown(changes, MAX_PAGE / 4);
    (!changes.is_empty()).then(|| SummarySection { title: "Runs".to_owned(), body })
}

/// What changes for each agent; `None` if nothing.
pub(crate) fn agents(changes: &[ContextChange]) -> Option<SummarySection> {
    let body = contexts::sections(changes, MAX_PAGE / 2).replace("\n### ", "\n#### ");
    (!changes.is_empty()).then(|| SummarySection { title: "What changes for each agent".to_owned(), body })
}

/// How far plans are; `None` if the request changes none.
pub(crate) fn plans(steps: &[PlanStep]) -> Option<SummarySection> {
    let line = |PlanStep { path, before, after }: &PlanStep| {
        let change = change::between(before, after);
        let steps = [
            (change.done.len(), "done"),
            (change.added.len(), "new"),
            (change.reopened.len(), "open again"),
            (change.cancelled.len(), "cancelled"),
            (change.removed.len(), "gone"),
        ];
        let steps = steps.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let steps = steps.collect::<Vec<_>>().join(", ");
        let steps = if steps.is_empty() { String::new() } else { format!(" ({steps})") };
        let path = code(&sanitize::path(path));
        format!("- {path}: {} boxes done, {} before{steps}\n", after.progress, before.progress)
    };
    let mut body: String = steps.iter().take(LISTED).map(line).collect();
    body.push_str(&more(steps.len()));
    (!steps.is_empty()).then(|| SummarySection { title: "Plans".to_owned(), body })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::sanitize::tests::{assert_harmless, hostile_text};
    use crate::report::tests::{hostile_report, sample};
    use crate::workspace::Workspace;

    fn verdict(report: Report, loosened: Vec<Loosening>) -> RequestVerdict {
        RequestVerdict {
            report,
            loosened,
            runs: Vec::new(),
            hidden_by_request: 0,
            silenced_by_request: 0,
            workspace: Workspace::default(),
            before: Some(Workspace::default()),
        }
    }

    fn page(verdict: &RequestVerdict, sections: &[SummarySection]) -> String {
        let mut out = Vec::new();
        write(verdict, sections, &mut out).expect("a Vec takes everything");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn a_summary() {
        let loosening = Loosening { path: "hintlint.toml".into(), line: 2, what: "`stale-path` is set to off".into() };
        let mut verdict = verdict(sample(), vec![loosening]);
        verdict.report.older.insert(Level::Error, 14);
        verdict.report.notes = vec!["history is shallow".to_owned()];
        verdict.hidden_by_request = 1;
        let plan = |text: &str| Overview::read(text.as_bytes().into());
        let step = PlanStep { path: "PLAN.md".into(), before: plan("- [ ] a\n"), after: plan("- [x] a\n- [ ] b\n") };
        let sections = [loosened(&verdict.loosened), findings(&verdict.report), plans(&[step])];
        let sections: Vec<SummarySection> = sections.into_iter().flatten().collect();
        insta::assert_snapshot!(page(&verdict, &sections), @r"
        ## hintlint: 2 errors, 1 warning; the request loosens 1 check

        - 14 older problems that the request neither causes nor touches: not shown; `hintlint` lists them
        - `hintlint --fix` fixes 1
        - 1 finding will be hidden by the request's config or baseline after the merge
        - note: history is shallow

        ### What this request loosens

        - `hintlint.toml:2`: `stale-path` is set to off

        ### Findings

        | Level | Rule | Place | Problem |
        | --- | --- | --- | --- |
        | error | `missing-import` | `AGENTS.md:3` | `docs/gone.md` does not exist |
        | error | `hidden-tags` | `AGENTS.md:3` | 2 invisible tag characters \(U+E0049..U+E0047\) |
        | warning | `empty-hint-file` | `AGENTS.md` | the file says nothing to an agent |
        | info | `duplicate-task` | `AGENTS.md:6` | `build` is given twice |

        ### Plans

        - `PLAN.md`: 1/2 boxes done, 0/1 before (1 done, 1 new)
        ");
    }

    #[test]
    fn it_has_an_end() {
        let mut report = sample();
        let finding = report.findings[0].clone();
        report.findings = (0..5_000).map(|_| Finding { message: "word ".repeat(500), ..finding.clone() }).collect();
        let verdict = verdict(report, Vec::new());
        let long = SummarySection { title: "Runs".into(), body: "x".repeat(MAX_PAGE) };
        let sections = [findings(&verdict.report).expect("some"), long.clone(), long];
        let page = page(&verdict, &sections);
        assert!(page.len() <= MAX_PAGE, "{}", page.len());
        assert_eq!(page.matches("too long to be shown").count(), 3, "{}", page.len());
        assert_eq!(super::findings(&Report::default()), None);
    }

    proptest! {
        #[test]
        fn nothing_hostile_is_shown(report in hostile_report(), path in hostile_text(), what in hostile_text()) {
            let loosening = Loosening { path: RepoPath::from(path.as_str()), line: 1, what };
            let verdict = verdict(report, vec![loosening]);
            let sections = [loosened(&verdict.loosened), findings(&verdict.report)];
            let sections: Vec<SummarySection> = sections.into_iter().flatten().collect();
            assert_harmless(&page(&verdict, &sections), false);
        }
    }
}
