//! `hintlint rules` and `hintlint explain`: the registry, printed.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Console;
use super::prose::{hanging, reflow};
use crate::base::error::Error;
use crate::cli::args::{ExplainArgs, RulesArgs, RulesFormat};
use crate::config::nearest;
use crate::report::safe_json;
use crate::rules::{FixAvailability, Group, RULES, RuleInfo, find};

/// Print the table of rules.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn list(args: &RulesArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let text = match args.format {
        RulesFormat::Json => return Ok(json_table(&mut console.stdout).map(|()| 0)?),
        // One line for each rule, for other programs; wrapped for a person.
        RulesFormat::Text if console.stdout_is_terminal => text_table(console.text_width()),
        RulesFormat::Text => text_table(usize::MAX),
        RulesFormat::Markdown => markdown_table(),
    };
    console.stdout.write_all(text.as_bytes())?;
    Ok(0)
}

/// Print one rule's card.
///
/// # Errors
/// When there is no such rule, or standard output cannot be written.
pub(crate) fn explain(args: &ExplainArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    if let Some(info) = find(&args.rule) {
        let card = reflow(&card(info), console.text_width());
        console.stdout.write_all(card.as_bytes())?;
        return Ok(0);
    }
    if let Some(group) = Group::ALL.into_iter().find(|group| group.name() == args.rule) {
        let mut text = format!("{} is a group of rules:\n\n", group.name());
        for info in infos().filter(|info| info.group == group) {
            text.push_str(&row(&format!("  {:28} ", info.name), info.summary, console.text_width()));
        }
        console.stdout.write_all(text.as_bytes())?;
        return Ok(0);
    }
    let help = match nearest(&args.rule, infos().map(|info| info.name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`hintlint rules` lists all of them".to_owned(),
    };
    Err(Error::failed(format!("there is no rule `{}`", args.rule), help))
}

fn infos() -> impl Iterator<Item = &'static RuleInfo> {
    RULES.iter().map(|rule| rule.info())
}

fn levels(info: &RuleInfo) -> String {
    info.levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(", ")
}

fn fix(info: &RuleInfo) -> &'static str {
    match info.fix {
        FixAvailability::None => "",
        FixAvailability::Sometimes => "sometimes",
        FixAvailability::Always => "yes",
    }
}

/// A line of a table whose last column wraps.
fn row(head: &str, tail: &str, width: usize) -> String {
    hanging(&format!("{head}{tail}"), &" ".repeat(head.chars().count()), width)
}

fn text_table(width: usize) -> String {
    let mut text = String::new();
    let mut group = None;
    for info in infos() {
        if group != Some(info.group) {
            let gap = if group.is_some() { "\n" } else { "" };
            let _ = writeln!(text, "{gap}{}", info.group.name());
            group = Some(info.group);
        }
        let level = info.levels.first().map_or("", |level| level.name());
        text.push_str(&row(&format!("  {:25} {level:8}", info.name), info.summary, width));
    }
    text.push_str("\n`hintlint explain RULE` describes one rule.\n");
    text
}

/// The table that README.md holds.
pub(crate) fn markdown_table() -> String {
    let mut text = String::from("| group | rule | level | fix | reports that |\n| --- | --- | --- | --- | --- |\n");
    for info in infos() {
        let (group, name, summary) = (info.group.name(), info.name, info.summary.replace('|', "\\|"));
        let _ = writeln!(text, "| {group} | `{name}` | {} | {} | {summary} |", levels(info), fix(info));
    }
    text
}

fn json_table(out: &mut dyn Write) -> io::Result<()> {
    let rule = |info: &RuleInfo| {
        serde_json::json!({
            "name": info.name,
            "group": info.group.name(),
            "levels": info.levels.iter().map(|level| level.name()).collect::<Vec<_>>(),
            "summary": info.summary,
            "fix": match info.fix {
                FixAvailability::None => "none",
                FixAvailability::Sometimes => "sometimes",
                FixAvailability::Always => "always",
            },
            "explanation": info.explanation,
            "evidence": info.evidence.iter().map(|evidence| {
                serde_json::json!({"source": evidence.source, "checked": evidence.checked})
            }).collect::<Vec<_>>(),
            "aliases": info.aliases,
        })
    };
    let rules: Vec<_> = infos().map(rule).collect();
    safe_json::write(&rules, out)
}

fn card(info: &RuleInfo) -> String {
    let mut text = format!("# {}\n\n", info.name);
    let _ = writeln!(text, "Group {}. Level: {}.", info.group.name(), levels(info));
    let fixes = match info.fix {
        FixAvailability::None => "No fix.",
        FixAvailability::Sometimes => "A fix is sometimes available.",
        FixAvailability::Always => "A fix is always available.",
    };
    let _ = writeln!(text, "{fixes}\n\n{}.\n\n{}", capitalised(info.summary), info.explanation.trim_end());
    if !info.evidence.is_empty() {
        text.push_str("\n## Evidence\n");
        for evidence in info.evidence {
            let _ = writeln!(text, "- {} (checked {})", evidence.source, evidence.checked);
        }
    }
    text
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
