//! `concise`: one line per finding, `path:line:col: level[rule] message`. Nothing else, so that other programs can read it.

use std::io::{self, Write};

use crate::base::finding::Finding;
use crate::base::sanitize;
use crate::report::locate::Locator;
use crate::report::{Report, ReportOptions, paint};

/// Write `report`. A finding about a whole file stands at 1:1; a file that could not be read is `path: error: message`, a
/// comment that silences a whole file `path:line:1: note: message`.
pub fn write(report: &Report, options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let mut locator = Locator::new(report);
    for finding in &report.findings {
        writeln!(out, "{}", line(finding, &mut locator, options))?;
    }
    for silenced in &report.silenced {
        let place = format!("{}:{}:1: note: ", options.reached.path(&silenced.path), silenced.line);
        writeln!(out, "{}{}", sanitize::guard_lines(&place), silenced.words())?;
    }
    for failure in &report.failures {
        let line = format!("{}: error: {}", options.reached.path(&failure.path), sanitize::line(&failure.message));
        writeln!(out, "{}", sanitize::guard_lines(&line))?;
    }
    Ok(())
}

/// The line of one finding.
pub(super) fn line(finding: &Finding, locator: &mut Locator<'_>, options: &ReportOptions) -> String {
    let at = locator.position(&finding.path, finding.span.start);
    let path = options.reached.path(&finding.path);
    // The guard comes before the colours, which it does not look behind.
    let place = format!("{path}:{}:{}:", at.line, at.column);
    let place = sanitize::guard_lines(&place);
    let kind = format!("{}[{}]", finding.level.name(), finding.rule);
    let kind = paint::paint(options.color, paint::level(finding.level), &kind);
    let kind = paint::linked(options.page_of(finding.rule), kind);
    format!("{place} {kind} {}", sanitize::line(&finding.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::{render, sample};

    #[test]
    fn one_line_each() {
        insta::assert_snapshot!(render(write, &sample(), &ReportOptions::default()), @r#"
        AGENTS.md:1:1: warning[empty-hint-file] the file says nothing to an agent
        AGENTS.md:3:5: error[missing-import] `docs/gone.md` does not exist
        AGENTS.md:3:22: error[hidden-tags] 2 invisible tag characters (U+E0049..U+E0047)
        AGENTS.md:6:11: info[duplicate-task] `build` is given twice
        "#);
    }

    #[test]
    fn colours_the_level_only() {
        let options = ReportOptions { color: true, ..ReportOptions::default() };
        let text = render(write, &sample(), &options);
        assert!(text.starts_with("AGENTS.md:1:1: \u{1B}[1;33mwarning["), "{text:?}");
    }
}
