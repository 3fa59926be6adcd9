//! The lines of a document as copies are compared by them: as words, without those that name agents and their files.

use std::borrow::Cow;

use crate::agents::files;
use crate::base::text::Span;
use crate::parse::Document;

use super::adapted::names_own;

/// Lines beyond these are not compared.
const MAX_LINES: usize = 20_000;

/// Words that may differ between the copies of any two agents.
const COMMON_WORDS: [&str; 16] = [
    "agent",
    "agents",
    "ai",
    "assistant",
    "assistants",
    "cli",
    "code",
    "command",
    "commands",
    "instructions",
    "md",
    "mdc",
    "prompt",
    "rules",
    "slash",
    "subagent",
];

/// What only one agent's files hold: how arguments come in, and the fields that say when a rule applies.
const OF_ONE_AGENT: [&str; 6] = ["$ARGUMENTS", "{{args}}", "${input:", "alwaysApply", "applyTo", "trigger: "];

/// One line of a document that is not blank.
pub(super) struct DocumentLine<'d> {
    /// Without the words that may differ.
    pub(super) text: String,
    /// Whether it names an agent.
    pub(super) names_agent: bool,
    /// Whether it names a tool, which each agent has of its own.
    pub(super) names_tool: bool,
    /// Whether it names what an agent has in its own way: a command, or a folder.
    pub(super) names_own: bool,
    pub(super) span: Span,
    pub(super) raw: &'d str,
}

/// The lines of a document that are not blank, without those that a tool put between its marks.
pub(super) fn lines(document: &Document) -> Vec<DocumentLine<'_>> {
    let mut found: Vec<DocumentLine<'_>> = Vec::new();
    let mut at = document.body;
    // The level of the heading that named an agent, and where a tool's block began.
    let (mut agents_section, mut block): (Option<usize>, Option<usize>) = (None, None);
    for whole in document.text[document.body..].split_inclusive('\n') {
        let raw = whole.trim_end();
        if !raw.trim().is_empty() && found.len() < MAX_LINES {
            let (text, names_agent) = normal(raw.trim());
            if let Some(level) = heading_level(raw) {
                agents_section = agents_section.filter(|&section| level > section);
                // The title names the agent of the file, and everything stands below it.
                if names_agent && level > 1 && agents_section.is_none() {
                    agents_section = Some(level);
                }
            }
            match marker(raw.trim()) {
                Some(ToolMarker::Begin) => block = Some(found.len()),
                // What a tool writes between its marks is the tool's to keep up to date.
                Some(ToolMarker::End) if block.is_some() => {
                    found.truncate(block.take().unwrap_or(found.len()));
                    at += whole.len();
                    continue;
                }
                _ => {}
            }
            let names_agent = names_agent || agents_section.is_some();
            let names_tool = OF_ONE_AGENT.iter().any(|word| raw.contains(word))
                || raw.split(' ').zip(raw.split(' ').skip(1)).any(|(name, noun)| is_tool(name, noun));
            let names_own = names_agent || names_own(raw);
            let span = Span::new(at, at + raw.len());
            found.push(DocumentLine { text, names_agent, names_tool, names_own, span, raw });
        }
        at += whole.len();
    }
    found
}

/// Whether two words name an agent's tool: `Shell tool`.
fn is_tool(name: &str, noun: &str) -> bool {
    let name = name.trim_matches('`');
    let is_name = name.len() > 1 && name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric);
    is_name && noun.trim_matches(|c: char| !c.is_alphabetic()) == "tool"
}

/// The level of a heading with `#`.
pub(super) fn heading_level(line: &str) -> Option<usize> {
    let level = line.len() - line.trim_start_matches('#').len();
    ((1..=6).contains(&level) && line[level..].starts_with(' ')).then_some(level)
}

/// A comment with which a tool marks what it writes into somebody else's file.
enum ToolMarker {
    Begin,
    End,
}

/// `<!-- TOOL START -->`, `<!-- BEGIN tool -->` and their counterparts.
fn marker(line: &str) -> Option<ToolMarker> {
    let comment = line.strip_prefix("<!--")?.strip_suffix("-->")?.to_lowercase();
    let has = |wanted: &[&str]| comment.split(|c: char| !c.is_alphanumeric()).any(|word| wanted.contains(&word));
    match () {
        () if has(&["start", "begin"]) => Some(ToolMarker::Begin),
        () if has(&["end", "stop"]) => Some(ToolMarker::End),
        () => None,
    }
}

/// A line as words, without those that name agents and their files; and whether it names an agent.
fn normal(line: &str) -> (String, bool) {
    let mut text = String::with_capacity(line.len());
    let mut names_agent = false;
    // The word behind a fence is for colours.
    let line = ["```", "~~~"].iter().find(|run| line.starts_with(**run)).copied().unwrap_or(line);
    for word in spelt_out(line).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        let is_name = files::is_agent_name(&lower);
        names_agent |= is_name;
        if !is_name && !files::is_agent_word(&lower) && !COMMON_WORDS.contains(&lower.as_str()) {
            text.push_str(&lower);
            text.push(' ');
        }
    }
    (text, names_agent)
}

/// Signs that some write as the word, spelt out. Arrows, dashes and quotation marks are no part of words anyway.
fn spelt_out(line: &str) -> Cow<'_, str> {
    match line.contains(['↔', '&']) || line.contains("<->") {
        true => line.replace("<->", " and ").replace(['↔', '&'], " and ").into(),
        false => line.into(),
    }
}
