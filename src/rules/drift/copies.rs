//! Which documents are copies of each other, kept for different agents, and where they differ. Compares lines; knows nothing of
//! history.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rayon::prelude::*;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::adapted::{are_of_two_places, is_about_own, names_own};
use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Files with fewer lines that are not blank are alike by chance.
const MIN_LINES: usize = 8;
/// Lines beyond these are not compared.
const MAX_LINES: usize = 20_000;
/// Part of the lines, in percent, that two copies share at least. Of 24 repositories that keep two such files, pairs below it were
/// written for their agents from one outline; pairs above it were copies.
const MIN_SHARED: usize = 80;
/// So many places that name tools say that two copies are fitted to their agents.
const MIN_FITTED: usize = 2;
/// Below this many groups of copies a thread pool costs more than it saves.
const PARALLEL_FROM: usize = 8;
/// Bytes at the beginning of a file in which its maker says what it is.
const PREAMBLE: usize = 800;

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
struct DocumentLine<'d> {
    /// Without the words that may differ.
    text: String,
    /// Whether it names an agent.
    names_agent: bool,
    /// Whether it names a tool, which each agent has of its own.
    names_tool: bool,
    /// Whether it names what an agent has in its own way: a command, or a folder.
    names_own: bool,
    span: Span,
    raw: &'d str,
}

/// Two documents that were one text, and differ.
pub(super) struct CopyDrift {
    pub(super) a: RepoPath,
    pub(super) b: RepoPath,
    /// Where they differ, in order; never empty.
    pub(super) hunks: Vec<Hunk>,
    /// Whether each of these places names an agent, its commands or its folders: the copies are adapted on purpose.
    pub(super) is_adapted: bool,
}

/// One place where two copies differ.
pub(super) struct Hunk {
    /// The first line that differs, as `a` and as `b` has it; where one has nothing, the line before which it is missing.
    pub(super) first: (Span, Span),
    /// How many lines differ, in each.
    pub(super) lines: (usize, usize),
    /// The first line that differs, as text.
    pub(super) texts: (Option<String>, Option<String>),
    /// Whether it is about what an agent has in its own way.
    is_adapted: bool,
}

/// All pairs of copies that differ, by path. Of several copies of one text each is compared with the one most like it.
pub(super) fn drifted(workspace: &Workspace) -> Vec<CopyDrift> {
    let mut groups: BTreeMap<(Vec<u8>, String), Vec<&Document>> = BTreeMap::new();
    for document in &workspace.documents {
        if let Some(key) = unit(document) {
            groups.entry(key).or_default().push(document);
        }
    }
    let is_kept = |document: &&Document| {
        let for_elsewhere = workspace.why_elsewhere(document).is_some();
        let is_made = is_made(document) || workspace.rendered.contains(&document.path);
        !for_elsewhere && !is_made && !imports_another(workspace, document)
    };
    // Of copies of which none is reported on nothing is shown.
    let is_wanted =
        |group: &Vec<&Document>| group.len() > 1 && group.iter().any(|document| workspace.focus.has(&document.path));
    let differing = |mut group: Vec<&Document>| {
        group.retain(is_kept);
        let mut found = Vec::new();
        let lines: Vec<Vec<DocumentLine<'_>>> = group.iter().map(|document| lines(document)).collect();
        let mut paired = vec![false; group.len()];
        let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
        for a in 0..group.len() {
            for b in a + 1..group.len() {
                if are_of_two_places(group[a], group[b]) {
                    continue;
                }
                let shared = shared(&lines[a], &lines[b]);
                if shared >= MIN_SHARED && lines[a].len().min(lines[b].len()) >= MIN_LINES {
                    pairs.push((100 - shared, a, b));
                }
            }
        }
        pairs.sort_unstable();
        for (_, a, b) in pairs {
            if !(paired[a] && paired[b]) {
                (paired[a], paired[b]) = (true, true);
                found.extend(compare(group[a], group[b], &lines[a], &lines[b]));
            }
        }
        found
    };
    let groups: Vec<Vec<&Document>> = groups.into_values().filter(is_wanted).collect();
    let mut found: Vec<CopyDrift> = match groups.len() {
        0..PARALLEL_FROM => groups.into_iter().flat_map(differing).collect(),
        _ => groups.into_par_iter().flat_map_iter(differing).collect(),
    };
    found.sort_by(|x, y| (&x.a, &x.b).cmp(&(&y.a, &y.b)));
    found
}

/// What a document is a version of: the folder that it speaks for, and its name without what belongs to the agent.
fn unit(document: &Document) -> Option<(Vec<u8>, String)> {
    let path = document.path.as_bytes();
    let text = String::from_utf8_lossy(path);
    let dotted = memchr::memmem::find(path, b"/.").map(|at| at + 1).or(path.starts_with(b".").then_some(0));
    let owner = dotted.map_or(path::parent(path), |at| path[..at].strip_suffix(b"/").unwrap_or(b"")).to_vec();
    let below = |folder: &str| text.find(folder).map(|at| text[at + folder.len()..].to_owned());
    let stem = |name: String| {
        let ends = [".instructions.md", ".prompt.md", ".agent.md", ".chatmode.md", ".mdc", ".md", ".txt"];
        ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name).to_owned()
    };
    let unit = match document.kind {
        Kind::AgentsMd => "main".to_owned(),
        Kind::Of(kind) if kind.adds => return None,
        Kind::Of(kind) => match (kind.role, below(kind.folder)) {
            (Role::Main | Role::Legacy, _) | (Role::Rule, None) => "main".to_owned(),
            (Role::Rule, Some(rule)) => format!("rule {}", stem(rule)),
            (Role::Command, command) => format!("command {}", stem(command?)),
            (Role::Subagent, agent) => format!("agent {}", stem(agent?)),
            (Role::Override | Role::Local | Role::Style, _) => return None,
        },
        Kind::OtherRules => format!("rule {}", stem(below("/rules/")?)),
        Kind::Skill if dotted.is_some() => format!("skill {}", below("/skills/")?),
        _ => return None,
    };
    Some((owner, unit))
}

/// Whether a tool made the file; then its source is what counts.
fn is_made(document: &Document) -> bool {
    let preamble = document.text[..document.text.floor_char_boundary(PREAMBLE)].to_ascii_lowercase();
    [
        "generated",
        "do not edit",
        "don't edit",
        "do not modify",
        "synced from",
        "synced by",
        "sync'd",
        "mirror of",
        "mirrored",
        "source: ",
        "source:** ",
        "last synced",
        "copied from",
        "rulesync",
        "<!-- managed by",
    ]
    .iter()
    .any(|word| preamble.contains(word))
}

fn imports_another(workspace: &Workspace, document: &Document) -> bool {
    workspace.imports.iter().any(|import| import.importer == document.path && unit_name(import.written.as_str()))
}

/// Whether an import names another main file, whose text the importer then has without copying it.
fn unit_name(written: &str) -> bool {
    files::main_names().any(|name| path::file_name(written.as_bytes()) == name.as_bytes())
}

fn lines(document: &Document) -> Vec<DocumentLine<'_>> {
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
fn heading_level(line: &str) -> Option<usize> {
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

/// How many of a hundred lines two documents share, in any order.
fn shared(a: &[DocumentLine<'_>], b: &[DocumentLine<'_>]) -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in a {
        *counts.entry(&line.text).or_default() += 1;
    }
    let mut common = 0_usize;
    for line in b {
        if let Some(count) = counts.get_mut(line.text.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    let all = a.len() + b.len();
    (200 * common).checked_div(all).unwrap_or(0)
}

fn compare(
    a: &Document,
    b: &Document,
    lines_a: &[DocumentLine<'_>],
    lines_b: &[DocumentLine<'_>],
) -> Option<CopyDrift> {
    let keys = |lines: &[DocumentLine<'_>]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    let (keys_a, keys_b) = (keys(lines_a), keys(lines_b));
    let ops = capture_diff_slices(Algorithm::Myers, &keys_a, &keys_b);
    let mut hunks = Vec::new();
    let mut fitted = 0;
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        let (old, new) = (&lines_a[op.old_range()], &lines_b[op.new_range()]);
        let place = |lines: &[DocumentLine<'_>], at: usize| {
            lines.get(at).or(lines.last()).map_or(Span::empty(0), |line| line.span)
        };
        if old.iter().chain(new).any(|line| line.names_tool) {
            fitted += 1;
            continue;
        }
        let first = (place(lines_a, op.old_range().start), place(lines_b, op.new_range().start));
        match (old, new) {
            (added, []) => hunks.extend(for_all_agents(added).map(|part| Hunk {
                first: (place(part, 0), first.1),
                lines: (part.len(), 0),
                texts: (text(part), None),
                is_adapted: is_adapted(part, &[]),
            })),
            ([], added) => hunks.extend(for_all_agents(added).map(|part| Hunk {
                first: (first.0, place(part, 0)),
                lines: (0, part.len()),
                texts: (None, text(part)),
                is_adapted: is_adapted(&[], part),
            })),
            // What is said of one agent only belongs into its file only.
            _ if old.iter().chain(new).any(|line| line.names_agent) => {}
            _ if old.iter().chain(new).all(|line| line.text.is_empty()) => {}
            // The same words, wrapped otherwise.
            _ if words_of(old).eq(words_of(new)) => {}
            _ => hunks.push(Hunk {
                first,
                lines: (old.len(), new.len()),
                texts: (text(old), text(new)),
                is_adapted: is_adapted(old, new),
            }),
        }
    }
    // A line above the title was put there by who handed out the copy.
    if let [Hunk { lines: (0, 1), first: (_, line), .. } | Hunk { lines: (1, 0), first: (line, _), .. }] = hunks[..] {
        let of = if hunks[0].lines.0 == 0 { lines_b } else { lines_a };
        let is_title = |line: &DocumentLine<'_>| heading_level(line.raw).is_some();
        if of.first().is_some_and(|first| first.span == line) && of.get(1).is_some_and(is_title) {
            return None;
        }
    }
    // Who fitted one text to each agent's tools keeps two on purpose.
    let is_fitted = fitted >= MIN_FITTED && fitted >= hunks.len();
    let is_adapted = hunks.iter().all(|hunk| hunk.is_adapted);
    (!hunks.is_empty() && !is_fitted).then(|| CopyDrift { a: a.path.clone(), b: b.path.clone(), hunks, is_adapted })
}

fn is_adapted(a: &[DocumentLine<'_>], b: &[DocumentLine<'_>]) -> bool {
    let own = |lines: &[DocumentLine<'_>]| (lines.iter().filter(|line| line.names_own).count(), lines.len());
    is_about_own(own(a), own(b))
}

/// The words of some lines, in any order of the lines.
fn words_of<'l>(lines: &'l [DocumentLine<'_>]) -> impl Iterator<Item = &'l str> {
    lines.iter().flat_map(|line| line.text.split(' ')).filter(|word| !word.is_empty())
}

/// Of lines that only one copy has the sections that name no agent.
fn for_all_agents<'l, 'd>(lines: &'l [DocumentLine<'d>]) -> impl Iterator<Item = &'l [DocumentLine<'d>]> {
    let sections = lines.chunk_by(|_, next| heading_level(next.raw).is_none());
    sections.filter(|section| {
        !section.iter().any(|line| line.names_agent) && !section.iter().all(|line| line.text.is_empty())
    })
}

fn text(lines: &[DocumentLine<'_>]) -> Option<String> {
    lines.first().map(|line| line.raw.trim().to_owned())
}
