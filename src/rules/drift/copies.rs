//! Which documents are copies of each other, kept for different agents, and where they differ. Compares lines; knows nothing of
//! history.

use std::collections::BTreeMap;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::discover::{self, Kind};
use crate::parse::Document;
use crate::path;
use crate::text::Span;
use crate::workspace::Workspace;

/// Files with fewer lines that are not blank are alike by chance.
const MIN_LINES: usize = 8;
/// Lines beyond these are not compared.
const MAX_LINES: usize = 20_000;
/// Part of the lines, in percent, that two copies share at least.
const MIN_SHARED: usize = 75;
/// Bytes at the beginning of a file in which its maker says what it is.
const PREAMBLE: usize = 800;

/// Names of agents, and words for their files, that differ between copies for good reason.
const AGENT_WORDS: &[&str] = &[
    "agent",
    "agents",
    "aider",
    "amp",
    "anthropic",
    "claude",
    "cline",
    "clinerules",
    "code",
    "codex",
    "continue",
    "copilot",
    "crush",
    "cursor",
    "cursorrules",
    "devin",
    "factory",
    "gemini",
    "github",
    "google",
    "goose",
    "goosehints",
    "instructions",
    "junie",
    "kiro",
    "md",
    "mdc",
    "openai",
    "opencode",
    "qwen",
    "roo",
    "rules",
    "steering",
    "trae",
    "warp",
    "windsurf",
    "windsurfrules",
    "cli",
    "ai",
    "assistant",
    "assistants",
];

/// Those of the words that name one agent and nothing else.
const AGENT_NAMES: &[&str] = &[
    "aider",
    "anthropic",
    "claude",
    "cline",
    "codex",
    "copilot",
    "cursor",
    "devin",
    "gemini",
    "goose",
    "junie",
    "kiro",
    "openai",
    "opencode",
    "qwen",
    "roo",
    "windsurf",
];

/// One line of a document that is not blank.
struct Line<'d> {
    /// Without the words that may differ.
    text: String,
    /// Whether it names an agent.
    names_agent: bool,
    span: Span,
    raw: &'d str,
}

/// Two documents that were one text, and differ.
pub(super) struct Drift<'w> {
    pub(super) a: &'w Document,
    pub(super) b: &'w Document,
    /// Where they first differ, in each.
    pub(super) first: (Span, Span),
    /// Lines that only `a` has, and lines that only `b` has.
    pub(super) lines: (usize, usize),
    /// The first line that differs, as `a` has it and as `b` has it.
    pub(super) texts: (Option<String>, Option<String>),
}

/// All pairs of copies that differ, by path. Of several copies of one text each is compared with the one most like it.
pub(super) fn drifted(workspace: &Workspace) -> Vec<Drift<'_>> {
    let mut groups: BTreeMap<(Vec<u8>, String), Vec<&Document>> = BTreeMap::new();
    for document in &workspace.documents {
        let described = discover::describes_other_repositories(document.path.as_bytes(), document.kind).is_some();
        if let Some(key) =
            unit(document).filter(|_| !described && !is_made(document) && !imports_another(workspace, document))
        {
            groups.entry(key).or_default().push(document);
        }
    }
    let mut found = Vec::new();
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let lines: Vec<Vec<Line<'_>>> = group.iter().map(|document| lines(document)).collect();
        let mut paired = vec![false; group.len()];
        let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
        for a in 0..group.len() {
            for b in a + 1..group.len() {
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
    }
    found.sort_by(|x, y| (&x.a.path, &x.b.path).cmp(&(&y.a.path, &y.b.path)));
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
        Kind::AgentsMd
        | Kind::ClaudeMd
        | Kind::GeminiMd
        | Kind::QwenMd
        | Kind::GooseHints
        | Kind::CursorLegacy
        | Kind::WindsurfLegacy
        | Kind::CopilotInstructions => "main".to_owned(),
        Kind::ClineRule if path::file_name(path) == b".clinerules" => "main".to_owned(),
        Kind::ClaudeRule | Kind::CursorRule | Kind::WindsurfRule | Kind::OtherRules => {
            format!("rule {}", stem(below("/rules/")?))
        }
        Kind::ClineRule => format!("rule {}", stem(below(".clinerules/")?)),
        Kind::KiroSteering => format!("rule {}", stem(below("/steering/")?)),
        Kind::CopilotScoped => format!("rule {}", stem(below("/instructions/")?)),
        Kind::ClaudeCommand => format!("command {}", stem(below("/commands/")?)),
        Kind::CopilotPrompt => format!("command {}", stem(below("/prompts/")?)),
        Kind::ClaudeAgent | Kind::CopilotAgent => format!("agent {}", stem(below("/agents/")?)),
        Kind::Skill if dotted.is_some() => format!("skill {}", below("/skills/")?),
        _ => return None,
    };
    Some((owner, unit))
}

/// Whether a tool made the file; then its source is what counts.
fn is_made(document: &Document) -> bool {
    let end = (0..=PREAMBLE.min(document.text.len())).rev().find(|&at| document.text.is_char_boundary(at)).unwrap_or(0);
    let preamble = document.text[..end].to_ascii_lowercase();
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
        "copied from",
        "rulesync",
    ]
    .iter()
    .any(|word| preamble.contains(word))
}

fn imports_another(workspace: &Workspace, document: &Document) -> bool {
    workspace.imports.iter().any(|import| import.importer == document.path && unit_name(import.written.as_str()))
}

/// Whether an import names another main file, whose text the importer then has without copying it.
fn unit_name(written: &str) -> bool {
    ["AGENTS.md", "CLAUDE.md", "GEMINI.md"].iter().any(|name| written.ends_with(name))
}

fn lines(document: &Document) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut at = document.body;
    for whole in document.text[document.body..].split_inclusive('\n') {
        let raw = whole.trim_end();
        if !raw.trim().is_empty() && found.len() < MAX_LINES {
            let (text, names_agent) = normal(raw.trim());
            found.push(Line { text, names_agent, span: Span::new(at, at + raw.len()), raw });
        }
        at += whole.len();
    }
    found
}

/// A line as words, without those that name agents and their files; and whether it names an agent.
fn normal(line: &str) -> (String, bool) {
    let mut text = String::with_capacity(line.len());
    let mut names_agent = false;
    for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        names_agent |= AGENT_NAMES.contains(&lower.as_str());
        if !AGENT_WORDS.contains(&lower.as_str()) {
            text.push_str(&lower);
            text.push(' ');
        }
    }
    (text, names_agent)
}

/// How many of a hundred lines two documents share, in any order.
fn shared(a: &[Line<'_>], b: &[Line<'_>]) -> usize {
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

fn compare<'w>(a: &'w Document, b: &'w Document, lines_a: &[Line<'_>], lines_b: &[Line<'_>]) -> Option<Drift<'w>> {
    let keys = |lines: &[Line<'_>]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    let (keys_a, keys_b) = (keys(lines_a), keys(lines_b));
    let ops = capture_diff_slices(Algorithm::Myers, &keys_a, &keys_b);
    let mut drift: Option<Drift<'w>> = None;
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        let (old, new) = (&lines_a[op.old_range()], &lines_b[op.new_range()]);
        // What is said of one agent only belongs into its file only.
        if old.iter().chain(new).any(|line| line.names_agent) || old.iter().chain(new).all(|line| line.text.is_empty())
        {
            continue;
        }
        let place =
            |lines: &[Line<'_>], at: usize| lines.get(at).or(lines.last()).map_or(Span::empty(0), |line| line.span);
        let drift = drift.get_or_insert_with(|| Drift {
            a,
            b,
            first: (place(lines_a, op.old_range().start), place(lines_b, op.new_range().start)),
            lines: (0, 0),
            texts: (
                old.first().map(|line| line.raw.trim().to_owned()),
                new.first().map(|line| line.raw.trim().to_owned()),
            ),
        });
        drift.lines.0 += old.len();
        drift.lines.1 += new.len();
    }
    drift
}
