//! `human`: each finding with its text, drawn by `miette`, then one summary line.
//!
//! Owns the wording of the terminal report. Everything is printed through the sanitiser and no line can be taken for a command
//! by a CI runner. When one rule floods one file, the findings past the first few are one line each: shown, not drawn.

mod summary;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use crate::base::finding::{Applicability, Finding, Level, Related};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::report::locate::Locator;
use crate::report::snippet::{Annotation, Snippet};
use crate::report::{Report, ReportOptions, concise, counted, paint};
use summary::summary;

/// So many findings of one rule in one file are drawn; more of them are one line each.
const DRAWN: usize = 10;

/// So many related places of one finding are shown.
const RELATED: usize = 10;

/// A replacement that is suggested is cut after so many characters.
const SUGGESTED: usize = 60;

/// Write `report` for a person at a terminal.
pub fn write(report: &Report, options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = HumanWriter { options, locator: Locator::new(report), out };
    let mut seen: BTreeMap<(&RepoPath, &str), usize> = BTreeMap::new();
    let mut after_line = false;
    for finding in &report.findings {
        let seen = seen.entry((&finding.path, finding.rule)).or_default();
        *seen += 1;
        let short = *seen > DRAWN;
        let block = if short { writer.one_line(finding) } else { writer.drawn(finding) };
        // Blocks end with a blank line; a run of single lines gets one behind it.
        if after_line && !short {
            writeln!(writer.out)?;
        }
        after_line = short;
        writer.block(&block)?;
    }
    if after_line {
        writeln!(writer.out)?;
    }
    writer.tail(report)
}

/// Write what ends every report for a person: what could not be checked, and the summary line. Notes are not part of it: the
/// command says them on standard error in every format.
pub(super) fn write_tail(report: &Report, options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    HumanWriter { options, locator: Locator::new(report), out }.tail(report)
}

struct HumanWriter<'a> {
    options: &'a ReportOptions,
    locator: Locator<'a>,
    out: &'a mut dyn Write,
}

impl HumanWriter<'_> {
    /// Write whole lines.
    fn block(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(sanitize::guard_lines(text).as_bytes())
    }

    fn tail(&mut self, report: &Report) -> io::Result<()> {
        for failure in &report.failures {
            let path = self.options.reached.path(&failure.path);
            let text = format!("could not check {path}: {}", sanitize::line(&failure.message));
            let text = self.paragraph(("error", paint::level(Level::Error)), "", &text);
            self.block(&text)?;
        }
        for silenced in &report.silenced {
            let place = format!("{}:{}", self.options.reached.path(&silenced.path), silenced.line);
            let text = self.paragraph(("note", paint::CYAN), "", &format!("{place}: {}", silenced.words()));
            self.block(&text)?;
        }
        match self.options.summary {
            true => self.block(&summary(report, self.options.width)),
            false => Ok(()),
        }
    }

    fn one_line(&mut self, finding: &Finding) -> String {
        let mut line = concise::line(finding, &mut self.locator, self.options);
        line.push('\n');
        line
    }

    /// A finding: heading, excerpt, help, further places, and a blank line.
    fn drawn(&mut self, finding: &Finding) -> String {
        let kind = format!("{}[{}]", finding.level.name(), finding.rule);
        let url = self.options.page_of(finding.rule);
        let mut block = self.headed((&kind, paint::level(finding.level)), url, "", &sanitize::line(&finding.message));
        let snippet = self.snippet(finding);
        if finding.is_placeless() || snippet.is_none() {
            block.push_str(&format!("  --> {}\n", self.options.reached.path(&finding.path)));
        }
        block.push_str(&self.excerpt(snippet, help(finding), finding.level));
        if let Some(suggestion) = self.suggestion(finding) {
            block.push_str(&self.paragraph(("suggestion", paint::CYAN), "  ", &suggestion));
        }
        if !finding.agents.is_empty() {
            block.push_str(&self.paragraph(("agents", paint::CYAN), "  ", &finding.agents.join(", ")));
        }
        for note in self.notes(finding) {
            block.push_str(&self.paragraph(("note", paint::CYAN), "  ", &note));
        }
        block.push('\n');
        block
    }

    /// What `miette` draws: the excerpt and the help below it.
    fn excerpt(&self, snippet: Option<Snippet>, help: Option<String>, level: Level) -> String {
        let mut theme = if self.options.color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let own = match level {
            Level::Error => theme.styles.error,
            Level::Warning => theme.styles.warning,
            Level::Info => theme.styles.advice,
        };
        let other = theme.styles.help.bright_blue();
        let primaries = snippet.iter().flat_map(Snippet::primaries);
        let styles: Vec<_> = primaries.map(|primary| if primary { own.bold() } else { other }).collect();
        if self.options.color && !styles.is_empty() {
            theme.styles.highlights = styles;
        }
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_width(self.options.width.max(20))
            .with_links(false)
            .with_context_lines(1)
            .without_syntax_highlighting()
            .with_word_separator(textwrap::WordSeparator::AsciiSpace)
            .with_word_splitter(textwrap::WordSplitter::NoHyphenation);
        let mut text = String::new();
        // Writing to a String cannot fail, and the excerpt answers for every label it has.
        if handler.render_report(&mut text, &Drawing { snippet, help }).is_err() {
            text.clear();
        }
        // The first line is `miette`'s own heading, empty here since ours stands above.
        text.lines().skip(1).flat_map(|line| [line.trim_end_matches(' '), "\n"]).collect()
    }

    /// The excerpt for the places of `finding` in its own file, if it has any there.
    fn snippet(&mut self, finding: &Finding) -> Option<Snippet> {
        let source = self.locator.source(&finding.path)?;
        let mut places = Vec::new();
        if !finding.is_placeless() {
            let position = self.locator.position(&finding.path, finding.span.start);
            places.push(Annotation { span: finding.span, position, label: None });
        }
        for related in shown_related(finding).filter(|related| related.path == finding.path) {
            let position = self.locator.position(&related.path, related.span.start);
            let label = Some(sanitize::line(&related.message).into_owned());
            places.push(Annotation { span: related.span, position, label });
        }
        let name = self.options.reached.path(&finding.path).into_owned();
        (!places.is_empty()).then(|| Snippet::new(name, source, places, self.options.width))
    }

    /// The places that the excerpt cannot show: in other files, without a text, or too many.
    fn notes(&mut self, finding: &Finding) -> Vec<String> {
        let mut notes = Vec::new();
        for related in shown_related(finding) {
            if related.path == finding.path && self.locator.source(&related.path).is_some() {
                continue;
            }
            let path = self.options.reached.path(&related.path);
            let message = sanitize::line(&related.message);
            if self.locator.source(&related.path).is_some() {
                let at = self.locator.position(&related.path, related.span.start);
                notes.push(format!("{path}:{}:{}: {message}", at.line, at.column));
            } else {
                notes.push(format!("{path}: {message}"));
            }
        }
        if finding.related.len() > RELATED {
            notes.push(format!("and {}", counted(finding.related.len() - RELATED, "more place", "more places")));
        }
        notes
    }

    /// The edit that only a person may make, in words, if it is a single one.
    fn suggestion(&self, finding: &Finding) -> Option<String> {
        let fix = finding.fix.as_ref().filter(|fix| fix.applicability == Applicability::Manual)?;
        let [edit] = fix.edits.as_slice() else { return None };
        let old = self.locator.source(&edit.path)?.bytes.get(edit.span.range())?;
        let (old, new) = (quoted(&sanitize::line_bytes(old)), quoted(&sanitize::line(&edit.replacement)));
        Some(match (edit.span.is_empty(), edit.replacement.is_empty()) {
            (true, _) => format!("insert {new}"),
            (false, true) => format!("remove {old}"),
            (false, false) => format!("replace {old} with {new}"),
        })
    }

    /// `word: text`, wrapped to the width under `indent`, the word in `style`.
    fn paragraph(&self, head: (&str, paint::Style), indent: &str, text: &str) -> String {
        self.headed(head, None, indent, text)
    }

    /// The same, with the head linked to `url`.
    fn headed(&self, (word, style): (&str, paint::Style), url: Option<String>, indent: &str, text: &str) -> String {
        let wrapping = textwrap::Options::new(self.options.width.max(20))
            .initial_indent(indent)
            .subsequent_indent("    ")
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
        let filled = textwrap::fill(&format!("{word}: {text}"), wrapping);
        let head = format!("{indent}{word}");
        match filled.strip_prefix(&head) {
            Some(rest) => {
                let word = paint::linked(url, paint::paint(self.options.color, style, word));
                format!("{indent}{word}{rest}\n")
            }
            None => filled + "\n",
        }
    }
}

fn shown_related(finding: &Finding) -> impl Iterator<Item = &Related> {
    finding.related.iter().take(RELATED)
}

/// The help of `finding`, with a word on who applies its fix.
fn help(finding: &Finding) -> Option<String> {
    let help = finding.help.as_deref().map(sanitize::lines);
    let applicability = finding.fix.as_ref().map(|fix| fix.applicability);
    let (tag, switch) = match applicability {
        Some(Applicability::Safe) => ("[safe fix]", "--fix"),
        Some(Applicability::Unsafe) => ("[unsafe fix]", "--unsafe-fixes"),
        Some(Applicability::Manual) | None => return help,
    };
    let help = help.unwrap_or_else(|| format!("`{switch}` fixes this"));
    Some(format!("{help} {tag}"))
}

/// `text` in backticks, cut after [`SUGGESTED`] characters.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(SUGGESTED) {
        // Once more, since the cut may part a selector from what it selects.
        Some((at, _)) => format!("`{}…`", sanitize::line(&text[..at])),
        None => format!("`{text}`"),
    }
}

/// An excerpt and a help text, as `miette` wants them.
#[derive(Debug)]
struct Drawing {
    snippet: Option<Snippet>,
    help: Option<String>,
}

impl fmt::Display for Drawing {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Drawing {}

impl Diagnostic for Drawing {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.snippet.as_ref().map(|snippet| snippet as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.snippet.as_ref().map(|snippet| Box::new(snippet.labels()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}

#[cfg(test)]
mod tests;
