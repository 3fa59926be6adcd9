//! Where a text names commands, subagents and skills: first in an item of a list, a row of a table or a line of a fence; in a code
//! span; with the word for it beside the name; and in frontmatter.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::base::kind::{Kind, Role};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::frontmatter::{FrontmatterNode, Value};
use crate::parse::markdown::{Code, CodeKind};

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// A slash command.
    Command,
    /// A subagent.
    Subagent,
    /// A skill.
    Skill,
}

impl What {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            What::Command => "command",
            What::Subagent => "subagent",
            What::Skill => "skill",
        }
    }

    /// The name as it is called.
    pub(super) fn shown(self, name: &str) -> String {
        if self == What::Command { format!("/{name}") } else { name.to_owned() }
    }
}

/// How a name stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// First in a line of the list, table or fence of this number.
    Listed(usize),
    /// A command in a code span.
    Code,
    /// With the word for it beside it.
    Called,
    /// A skill in a code span behind a `$`, as Codex calls it.
    Dollar,
    /// A name of several words in a code span or a cell of a table, without a word that says what it is the name of.
    Bare,
    /// In a field of the frontmatter that takes one name.
    Field,
    /// In a field that takes a list of so many.
    FieldList,
}

/// One name.
#[derive(Clone, Debug)]
pub(super) struct Spoken {
    /// The name, without a slash.
    pub(super) name: String,
    /// What it is the name of; `None` where the list around it tells.
    pub(super) what: Option<What>,
    /// How it stands there.
    pub(super) form: Form,
    /// Where the name stands, without a slash.
    pub(super) span: Span,
}

/// All names in `document`.
pub(super) fn names(document: &Document) -> Vec<Spoken> {
    let mut found = in_lines(document);
    let listed: BTreeSet<Span> = found.iter().map(|spoken| spoken.span).collect();
    for code in document.markdown.code.iter().filter(|code| code.kind == CodeKind::Span) {
        let spoken =
            in_code(document, code).filter(|spoken| !listed.contains(&spoken.span) || spoken.form == Form::Called);
        found.extend(spoken);
    }
    found.extend(in_calls(document));
    found.extend(in_fields(document));
    let named: BTreeSet<Span> = found.iter().map(|spoken| spoken.span).collect();
    found.extend(bare(document).into_iter().filter(|spoken| !named.contains(&spoken.span)));
    found
}

/// Words that a bare name must have, at least, so that it is no other word of the text.
const MIN_WORDS: usize = 3;

/// The names that stand alone in a code span or in a cell of a table.
fn bare(document: &Document) -> Vec<Spoken> {
    let spans = document.markdown.code.iter().filter(|code| code.kind == CodeKind::Span).map(|code| code.content);
    let in_fence = |at: usize| {
        let fences = document.markdown.code.iter().filter(|code| matches!(code.kind, CodeKind::Fence { .. }));
        fences.clone().any(|fence| fence.content.contains(at))
    };
    let mut places: Vec<Span> = spans.collect();
    for line in document.lines.line_of(document.body)..document.lines.count() {
        let span = document.lines.line_span(line);
        let text = document.slice(span);
        if !text.trim_start().starts_with('|') || in_fence(span.start) {
            continue;
        }
        let mut start = span.start;
        for cell in text.split('|') {
            let at = start + (cell.len() - cell.trim_start().len());
            places.push(Span::new(at, at + cell.trim().len()));
            start += cell.len() + 1;
        }
    }
    let is_name = |text: &str| text.len() > 1 && name_at(text) == text.len() && !text.contains([':', '.']);
    let is_long = |text: &str| text.split('-').filter(|word| !word.is_empty()).count() >= MIN_WORDS;
    let places = places.into_iter().filter(|span| is_name(document.slice(*span)) && is_long(document.slice(*span)));
    places.map(|span| Spoken { name: document.slice(span).to_owned(), what: None, form: Form::Bare, span }).collect()
}

/// How long the name is that `text` begins with; 0 if it begins with none.
pub(super) fn name_at(text: &str) -> usize {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | ':' | '.');
    let end = text.find(|c: char| !is_name(c)).unwrap_or(text.len());
    let name = text[..end].trim_end_matches(['-', '_', ':', '.']);
    if name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.contains("..") { name.len() } else { 0 }
}

/// The names with which lines of lists, tables and fences begin.
fn in_lines(document: &Document) -> Vec<Spoken> {
    let fences: Vec<&Code> =
        document.markdown.code.iter().filter(|code| matches!(code.kind, CodeKind::Fence { .. })).collect();
    let mut found = Vec::new();
    let (mut block, mut inside, mut ended) = (0, LineBlock::Nothing, 0);
    for line in document.lines.line_of(document.body)..document.lines.count() {
        let span = document.lines.line_span(line);
        let text = document.slice(span);
        while fences.get(ended).is_some_and(|fence| fence.content.end <= span.start) {
            ended += 1;
        }
        let fence = fences.get(ended).filter(|fence| fence.content.contains(span.start)).map(|_| ended);
        let is_blank = text.trim().is_empty();
        let now = match fence {
            Some(at) => LineBlock::Fence(at),
            None if text.trim_start().starts_with('|') || behind_marker(text).is_some() => LineBlock::List,
            None if inside == LineBlock::List && (is_blank || text.starts_with("  ")) => LineBlock::List,
            None => LineBlock::Nothing,
        };
        if now != inside {
            block += 1;
        }
        inside = now;
        if is_blank || now == LineBlock::Nothing {
            continue;
        }
        found.extend(first_in(document, span, fence.is_some()).map(|(name, is_command)| Spoken {
            name: document.text[name.clone()].to_owned(),
            what: is_command.then_some(What::Command),
            form: Form::Listed(block),
            span: Span::new(name.start, name.end),
        }));
    }
    found
}

/// What a line stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineBlock {
    Nothing,
    List,
    Fence(usize),
}

/// What stands behind the marker of a list's item.
fn behind_marker(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let rest = match text.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None => text
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .strip_prefix(['.', ')'])
            .filter(|_| text.starts_with(|c: char| c.is_ascii_digit()))?,
    };
    rest.strip_prefix(' ').map(str::trim_start)
}

/// The name that stands first in the line at `line`, and whether a slash precedes it.
fn first_in(document: &Document, line: Span, is_fence: bool) -> Option<(Range<usize>, bool)> {
    let text = document.slice(line);
    let rest = match is_fence {
        true => text.trim_start().trim_start_matches(['$', '>']).trim_start(),
        false => match text.trim_start().strip_prefix('|') {
            Some(cell) => cell.trim_start(),
            None => behind_marker(text)?,
        },
    };
    let rest = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest);
    let bare = rest.trim_start_matches(['*', '`', '[']);
    let marks = &rest[..rest.len() - bare.len()];
    let name = bare.strip_prefix('/').unwrap_or(bare);
    let is_command = name.len() < bare.len();
    let length = name_at(name);
    let after = &name[length..];
    let is_ended = match is_fence {
        // A path has another slash, and the first line of a drawing has none of these.
        true => is_command && (after.is_empty() || after.starts_with([' ', '\n', '\r'])),
        false if marks.contains('`') => {
            after.starts_with('`') || is_command && after.starts_with(' ') && after[1..].contains('`')
        }
        false if marks.contains("**") => after.starts_with("**") || after.starts_with(":**"),
        false => false,
    };
    let start = line.start + (text.len() - name.len());
    (length > 1 && is_ended).then_some((start..start + length, is_command))
}

/// Words for a subagent behind its name.
const SUBAGENT_WORDS: [&str; 8] =
    ["agent", "subagent", "sub-agent", "에이전트", "エージェント", "サブエージェント", "子代理", "智能体"];

/// What a text has before the name of a skill, and of a subagent.
const SKILL_BEFORE: [&str; 6] = [" skill ", " skill: ", " skills: ", "Skill: ", "Skills: ", " skill named "];
const SUBAGENT_BEFORE: [&str; 4] = [" subagent ", " subagent: ", " subagents: ", "Subagent: "];

/// The name in a code span: of a command by its slash, of others by the word behind them.
fn in_code(document: &Document, code: &Code) -> Option<Spoken> {
    let text = document.slice(code.content);
    if let Some(name) = text.strip_prefix('$') {
        let is_whole = name_at(name) == name.len() && name.contains('-') && !name.contains([':', '.', '_']);
        let span = Span::new(code.content.end - name.len(), code.content.end);
        let skill = || Spoken { name: name.to_owned(), what: Some(What::Skill), form: Form::Dollar, span };
        return is_whole.then(skill);
    }
    let command = text.strip_prefix('/');
    let name = command.unwrap_or(text);
    let length = name_at(name);
    let after = &name[length..];
    let start = code.content.end - name.len();
    let spoken = |what: What, form: Form| Spoken {
        name: name[..length].to_owned(),
        what: Some(what),
        form,
        span: Span::new(start, start + length),
    };
    if length < 2 {
        return None;
    }
    if command.is_some() {
        return (after.is_empty() || after.starts_with(' ')).then(|| spoken(What::Command, Form::Code));
    }
    let behind = document.text.get(code.span.end..)?.trim_start_matches("**");
    let behind = behind.strip_prefix(' ').or_else(|| behind.strip_prefix('\n')).unwrap_or_default();
    let is_word = |word: &str| {
        let rest = behind.strip_prefix(word);
        rest.is_some_and(|rest| !word.is_ascii() || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let before = document.text[..code.span.start].trim_end_matches('*');
    let is_announced = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
    match after.is_empty() {
        true if is_announced(&SKILL_BEFORE) => Some(spoken(What::Skill, Form::Called)),
        true if is_announced(&SUBAGENT_BEFORE) => Some(spoken(What::Subagent, Form::Called)),
        true if SUBAGENT_WORDS.iter().any(|word| is_word(word)) => Some(spoken(What::Subagent, Form::Called)),
        true if is_word("skill") => Some(spoken(What::Skill, Form::Called)),
        _ => None,
    }
}

/// What precedes the name in a call.
const CALLS: [(&str, What); 9] = [
    ("subagent_type: \"", What::Subagent),
    ("subagent_type: '", What::Subagent),
    ("subagent_type=\"", What::Subagent),
    ("subagent_type='", What::Subagent),
    ("\"subagent_type\": \"", What::Subagent),
    ("@agent-", What::Subagent),
    ("Skill(\"", What::Skill),
    ("Skill(skill=\"", What::Skill),
    ("Skill(skill: \"", What::Skill),
];

/// The names in calls of tools.
fn in_calls(document: &Document) -> Vec<Spoken> {
    let mut found = Vec::new();
    let body = &document.text.as_bytes()[document.body..];
    if !["subagent_type", "@agent-", "Skill("].iter().any(|part| memchr::memmem::find(body, part.as_bytes()).is_some())
    {
        return found;
    }
    for (begin, what) in CALLS {
        for (at, _) in document.text[document.body..].match_indices(begin) {
            let start = document.body + at + begin.len();
            let length = name_at(&document.text[start..]);
            let is_whole = begin.starts_with('@') || document.text[start + length..].starts_with(['"', '\'']);
            let is_free = !document.text[..document.body + at].ends_with(|c: char| c.is_alphanumeric());
            if length > 1 && is_whole && is_free {
                let name = document.text[start..start + length].to_owned();
                let span = Span::new(start, start + length);
                found.push(Spoken { name, what: Some(what), form: Form::Called, span });
            }
        }
    }
    found
}

/// The names in fields: the skills of a subagent, the subagent of a command.
fn in_fields(document: &Document) -> Vec<Spoken> {
    let has_context = || document.frontmatter.as_ref().is_some_and(|frontmatter| frontmatter.get("context").is_some());
    let fields = match (document.kind, document.kind.role()) {
        // Elsewhere the field is another program's: these look at it only where they fork.
        (kind, _) if kind.is_forked_by_context() && !has_context() => return Vec::new(),
        (_, Some(Role::Subagent)) => [("skills", What::Skill)].as_slice(),
        (Kind::Skill, _) | (_, Some(Role::Command)) => &[("agent", What::Subagent)],
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for (key, what) in fields {
        let Some(field) = document.frontmatter.as_ref().and_then(|frontmatter| frontmatter.get(key)) else { continue };
        match &field.value.value {
            Value::List(list) => {
                found.extend(list.iter().filter_map(|node| in_node(document, node, *what, Form::FieldList)))
            }
            _ => found.extend(in_node(document, &field.value, *what, Form::Field)),
        }
    }
    found
}

/// The name that `node` is.
fn in_node(document: &Document, node: &FrontmatterNode, what: What, form: Form) -> Option<Spoken> {
    let Value::String(name) = &node.value else { return None };
    let at =
        document.slice(node.span).find(name.as_str()).filter(|_| name_at(name) == name.len() && !name.is_empty())?;
    let start = node.span.start + at;
    Some(Spoken { name: name.clone(), what: Some(what), form, span: Span::new(start, start + name.len()) })
}
