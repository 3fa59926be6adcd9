//! Which documents are copies of each other, kept for different agents, and where they differ. Compares lines; knows nothing of
//! history.

use std::collections::BTreeMap;

use rayon::prelude::*;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::adapted::{
    are_of_two_places, fill_placeholders, have_own_sections, is_about_own, is_made_from_template, is_slight,
};
use super::copy_lines::{DocumentLine, heading_level, lines};
use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Files with fewer lines that are not blank are alike by chance.
const MIN_LINES: usize = 8;
/// Part of the lines, in percent, that two copies share at least. Of 24 repositories that keep two such files, pairs below it were
/// written for their agents from one outline; pairs above it were copies.
const MIN_SHARED: usize = 80;
/// So many places that name tools say that two copies are fitted to their agents.
const MIN_FITTED: usize = 2;
/// Below this many groups of copies a thread pool costs more than it saves.
const PARALLEL_FROM: usize = 8;
/// Bytes at the beginning of a file in which its maker says what it is.
const PREAMBLE: usize = 800;

/// Two documents that were one text, and differ.
pub(super) struct CopyDrift {
    pub(super) a: RepoPath,
    pub(super) b: RepoPath,
    /// Where they differ, in order; never empty.
    pub(super) hunks: Vec<Hunk>,
    /// Whether each of these places shows that it is meant: the copies are adapted on purpose.
    pub(super) is_adapted: bool,
    /// Whether they differ besides in sentences that name an agent: one text cannot stand for both.
    pub(super) must_differ: bool,
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
                let drift = compare(group[a], group[b], &lines[a], &lines[b]);
                found.extend(drift.map(|drift| CopyDrift {
                    is_adapted: drift.is_adapted || is_made_from_template(&workspace.listing, group[a], group[b]),
                    ..drift
                }));
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
    let (mut hunks, mut differing) = (Vec::new(), Vec::new());
    // Places that name tools, and those that name an agent in other words.
    let (mut fitted, mut own) = (0, 0);
    let are_main = is_main(a) && is_main(b);
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        let (old, new) = (&lines_a[op.old_range()], &lines_b[op.new_range()]);
        differing.push((old, new));
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
            _ if old.iter().chain(new).any(|line| line.names_agent) => own += 1,
            _ if old.iter().chain(new).all(|line| line.text.is_empty()) => {}
            // The same words, wrapped otherwise.
            _ if words_of(old).eq(words_of(new)) => {}
            _ => hunks.push(Hunk {
                first,
                lines: (old.len(), new.len()),
                texts: (text(old), text(new)),
                is_adapted: is_adapted(old, new)
                    || fill_placeholders(old, new)
                    || are_main && have_own_sections(old, new),
            }),
        }
    }
    if is_line_above_the_title(&hunks, lines_a, lines_b) {
        return None;
    }
    // Who fitted one text to each agent's tools keeps two on purpose.
    let is_fitted = fitted >= MIN_FITTED && fitted >= hunks.len();
    let is_fitted_in_words = own >= MIN_FITTED && own >= hunks.len();
    let is_adapted = hunks.iter().all(|hunk| hunk.is_adapted) || is_fitted_in_words || is_slight(&differing);
    let must_differ = fitted + own > 0;
    let (a, b) = (a.path.clone(), b.path.clone());
    (!hunks.is_empty() && !is_fitted).then_some(CopyDrift { a, b, hunks, is_adapted, must_differ })
}

/// Whether all that differs is a line above the title: who handed out the copy put it there.
fn is_line_above_the_title(hunks: &[Hunk], a: &[DocumentLine<'_>], b: &[DocumentLine<'_>]) -> bool {
    let (of, span) = match hunks {
        [Hunk { lines: (0, 1), first: (_, span), .. }] => (b, span),
        [Hunk { lines: (1, 0), first: (span, _), .. }] => (a, span),
        _ => return false,
    };
    let is_title = |line: &DocumentLine<'_>| heading_level(line.raw).is_some();
    of.first().is_some_and(|first| first.span == *span) && of.get(1).is_some_and(is_title)
}

/// Whether a file is the main one of its agent.
fn is_main(document: &Document) -> bool {
    document.kind == Kind::AgentsMd || matches!(document.kind.role(), Some(Role::Main | Role::Legacy))
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
