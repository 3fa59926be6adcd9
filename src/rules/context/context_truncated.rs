//! `context-truncated`: where an agent's budget of bytes ends inside or before a hint file. The budget is the dialect's.

mod one_file;

use std::collections::{BTreeMap, BTreeSet};

use crate::agents::context::Reason;
use crate::agents::{Dialect, Proof, files};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::Workspace;
use crate::workspace::contexts::home_of;
use crate::workspace::readers;

/// The rule.
pub(super) struct ContextTruncated;

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "context-truncated",
    group: Group::Context,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "an agent stops reading in the middle of a hint file",
    explanation: r#"## What it does

Adds up the bytes that an agent loads in each directory and reports the place where its budget ends, and the files that are lost
altogether. OpenAI Codex reads 32,768 bytes (`project_doc_max_bytes`, also from a tracked `.codex/config.toml`) of all project files
together, from the root down to the directory it is started in; Goose reads 1 MiB. dex drops files past `[limits] context-bytes`;
since that is known from its source alone, it is an info. A rule of Windsurf's with more than the 12,000 characters that its
documentation allows is a warning.

Codex counts as enabled where `AGENTS.md` stands alone. Beside the files of another agent it may be used or not, yet what it would lose is
lost: there a loss of at least 1,024 bytes of an `AGENTS.md` is a warning and a smaller loss an info, unless the file is a
link or the config names the agents. What one file above crowds out is one finding. A file that has room by itself is cut only where the
agent is started in its folder or below: an info, unless whole files are lost with it, or a file that no other agent reads shows that the
agent is used. So is a file in a folder of another tool, such as `.github`.

## Why is this bad?

The cut is silent, may fall inside a sentence, and takes the end of the nearest file: the instructions that are the most specific.

## Example

An `AGENTS.md` of 34,566 bytes: Codex never reads the last 1,798 of them, and no `AGENTS.md` below.

## How to fix

Shorten the files, move detail into files that are read on demand, or raise `project_doc_max_bytes`.
"#,
    evidence: &[
        Evidence { source: "OpenAI Codex 0.169.0, observed", checked: "2026-11" },
        Evidence {
            source: "https://github.com/openai/codex, codex-rs/core/src/agents_md.rs at 0cf644af",
            checked: "2026-11",
        },
        Evidence { source: "https://docs.windsurf.com/windsurf/cascade/memories", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// What one agent loses at one file.
#[derive(Default)]
struct AgentLoss {
    /// How many bytes of the file are kept; `None` if all are and only the files below are lost.
    kept: Option<usize>,
    /// Files that are lost altogether.
    lost: BTreeSet<RepoPath>,
    /// Whether the agent came to the file by a link.
    by_link: bool,
    /// Of the other files, the one that takes most of the budget.
    largest: Option<RepoPath>,
}

impl Rule for ContextTruncated {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        findings.extend(cx.workspace.documents.iter().filter_map(|document| one_file::check(document, cx)));
        let selected = cx.selected.contains(INFO.name);
        let enabled = cx.workspace.dialects().map(|dialect| (dialect, true));
        let possible = possible(cx.workspace).map(|dialect| (dialect, false));
        for (dialect, is_enabled) in enabled.chain(possible).filter(|(dialect, _)| dialect.max_bytes.is_some()) {
            for (path, loss) in losses(cx.workspace, dialect) {
                if !selected && cx.workspace.is_for_elsewhere(path.as_bytes()) {
                    continue;
                }
                let Some(document) = cx.workspace.document(path.as_bytes()) else { continue };
                // Nobody starts the agent in a folder of another tool.
                let is_far = loss.is_of_a_sum(document, dialect) || path.as_bytes().starts_with(b".");
                let is_far = is_far && !has_files_of_its_own(cx.workspace, dialect);
                if is_enabled && !is_far {
                    findings.push(report(document, dialect, &loss));
                } else if document.kind == Kind::AgentsMd && loss.kept.is_some() && !loss.by_link {
                    let is_slight = is_far || loss.is_slight(document, cx.workspace.is_loaded(document));
                    findings.push(as_possible(report(document, dialect, &loss), dialect, is_slight));
                }
            }
        }
    }
}

/// The agent that AGENTS.md belongs to, where the files of others leave open whether it is used.
fn possible(workspace: &Workspace) -> Option<&'static Dialect> {
    let owner = files::owner(Kind::AgentsMd).filter(|_| workspace.config.agents.is_none())?;
    workspace.dialects().all(|dialect| dialect != owner).then_some(owner)
}

/// Whether a file that only `dialect` reads enables it, or the config does.
fn has_files_of_its_own(workspace: &Workspace, dialect: &Dialect) -> bool {
    let enabled = workspace.agents.iter().find(|enabled| enabled.agent == dialect.id);
    let is_shared =
        |why: &str| workspace.document(why.as_bytes()).is_some_and(|document| document.kind == Kind::AgentsMd);
    enabled.is_some_and(|enabled| !is_shared(&enabled.why))
}

/// The files of which this rule says that an agent which may be used reads them in part.
pub(super) fn read_in_part(workspace: &Workspace) -> BTreeSet<RepoPath> {
    let dialects = possible(workspace).into_iter().filter(|dialect| dialect.max_bytes.is_some());
    let losses = dialects.flat_map(|dialect| losses(workspace, dialect));
    losses.filter(|(_, loss)| loss.kept.is_some() && !loss.by_link).map(|(path, _)| path).collect()
}

/// Bytes whose loss to an agent that may not be used is worth a warning.
const WORTH_A_WARNING: usize = 1024;

impl AgentLoss {
    /// Whether the file has room by itself, so that it is cut only for whoever starts the agent in its folder or below, and no other is lost
    /// with it.
    fn is_of_a_sum(&self, document: &Document, dialect: &Dialect) -> bool {
        self.kept.is_some()
            && self.lost.is_empty()
            && dialect.max_bytes.is_some_and(|most| document.bytes.len() <= most)
    }

    /// Whether the loss is too small for a warning about an agent that may not be used. Other files count where an
    /// enabled agent reads this one.
    fn is_slight(&self, document: &Document, is_read: bool) -> bool {
        (self.lost.is_empty() || !is_read)
            && self.kept.is_some_and(|kept| document.bytes.len() - kept < WORTH_A_WARNING)
    }
}

/// `finding` about an agent that may not be used.
fn as_possible(mut finding: Finding, dialect: &Dialect, is_slight: bool) -> Finding {
    finding.level = finding.level.min(if is_slight { Level::Info } else { Level::Warning });
    let help = finding.help.take().unwrap_or_default();
    finding.help(format!(
        "{help}; if nobody uses {} here, list the agents that are used as `agents` in hintlint.toml",
        dialect.title
    ))
}

/// What `dialect` loses in the directories of its hint files, by the file at which the budget ends.
fn losses(workspace: &Workspace, dialect: &'static Dialect) -> BTreeMap<RepoPath, AgentLoss> {
    let mut losses: BTreeMap<RepoPath, AgentLoss> = BTreeMap::new();
    for dir in crowded(workspace, dialect) {
        let loaded = workspace.context(dialect, dir);
        let context = &loaded.context;
        let cut = context.layers.iter().find(|layer| layer.cut.is_some());
        let lost = context
            .skipped
            .iter()
            .filter(|skipped| matches!(skipped.reason, Reason::BudgetSpent(budget) if budget > 0));
        let lost: Vec<RepoPath> = lost.filter_map(|skipped| loaded.path(skipped.path.as_ref()?)).collect();
        // Where no file is cut, the budget ends with the last one that is loaded.
        let last = || context.layers.iter().rfind(|_| !lost.is_empty());
        let at = cut.or_else(last).and_then(|layer| loaded.path(&layer.real_path)).or_else(|| lost.first().cloned());
        let Some(at) = at else { continue };
        let loss = losses.entry(at.clone()).or_default();
        loss.kept = cut.and_then(|layer| layer.cut).map(|cut| cut.kept).or(loss.kept);
        loss.lost.extend(lost);
        let others = context.layers.iter().filter(|layer| loaded.path(&layer.real_path).as_ref() != Some(&at));
        loss.largest = others.max_by_key(|layer| layer.bytes).and_then(|layer| loaded.path(&layer.real_path));
        loss.by_link |= cut.is_some_and(|layer| layer.path != layer.real_path);
    }
    losses
}

/// The directories in which the budget may not suffice. Adding up the sizes of the files above is enough to leave out nearly all.
fn crowded<'w>(workspace: &'w Workspace, dialect: &Dialect) -> BTreeSet<&'w [u8]> {
    let mut sizes: BTreeMap<&[u8], usize> = BTreeMap::new();
    let named = |path: &RepoPath| {
        let linked = |name: &str| path.file_name() == name.rsplit('/').next().unwrap_or(name).as_bytes();
        dialect.names.iter().any(|name| linked(name))
    };
    // Without imports and rules only files of its names are taken in; other names come from settings, which count below.
    let by_name_alone = dialect.imports.is_none() && dialect.rules.is_empty();
    for document in workspace.documents.iter().filter(|document| !by_name_alone || named(&document.path)) {
        for dir in readers::starts(document) {
            *sizes.entry(dir).or_default() += document.bytes.len();
        }
    }
    for link in workspace.links.keys().filter(|link| named(link)) {
        if let crate::workspace::Resolution::File(target) = workspace.resolve(link.as_bytes()) {
            let size = workspace.document(target.as_bytes()).map_or(0, |document| document.bytes.len());
            *sizes.entry(home_of(link.as_bytes())).or_default() += size;
        }
    }
    // A smaller budget, or imports, could come from anywhere.
    let limit = if workspace.settings.is_empty() { dialect.max_bytes.unwrap_or(usize::MAX) } else { 0 };
    let everything: usize = sizes.values().sum();
    let above = |dir: &[u8]| -> usize {
        path::ancestors_from_root(dir).iter().map(|dir| sizes.get(dir).copied().unwrap_or(0)).sum()
    };
    let reach = |dir: &[u8]| if dialect.imports.is_some() { everything } else { above(dir) };
    sizes.keys().copied().filter(|dir| reach(dir) > limit).collect()
}

fn report(document: &Document, dialect: &Dialect, loss: &AgentLoss) -> Finding {
    let agent = dialect.versioned();
    let fits = loss.kept.is_some() && dialect.max_bytes.is_some_and(|most| document.bytes.len() <= most);
    let by_others = loss.largest.as_ref().filter(|_| fits);
    let level = if dialect.proof == Proof::Vectors { Level::Error } else { Level::Info };
    let lost: Vec<String> = loss.lost.iter().map(|path| path.to_str_lossy().into_owned()).collect();
    let (span, message) = match loss.kept {
        Some(kept) => {
            let start = document.text.floor_char_boundary(kept);
            let end = document.lines.line_content(&document.bytes, document.lines.line_of(start)).end.max(start);
            let what =
                format!("{agent} stops reading here: {} bytes of this file are lost", document.bytes.len() - kept);
            let also = match lost.len() {
                0 => String::new(),
                1 => format!(", and so is all of {}", lost[0]),
                n => format!(", and so are {n} whole files: {}", listed(&lost)),
            };
            (Span::new(start, end), what + &also)
        }
        None if loss.lost.contains(&document.path) => {
            (Span::default(), format!("{agent} never reads this file: it is beyond the size limit"))
        }
        None => {
            let what = format!("{agent} reaches its size limit with this file, so it never reads {}", listed(&lost));
            (Span::new(document.text.len(), document.text.len()), what)
        }
    };
    let mut finding = Finding::new(INFO.name, level, &document.path, span, message)
        .help(format!("shorten the files{}", dialect.files.more_room))
        .agents([dialect.id]);
    if let Some(largest) = by_others {
        finding = finding.cause(Cause {
            key: largest.to_str_lossy().into_owned(),
            subject: document.path.to_str_lossy().into_owned(),
            many: "are cut because files above them use up the limit",
            help: Some(format!("shorten {} first{}", largest.to_str_lossy(), dialect.files.more_room)),
        });
    }
    for path in loss.lost.iter().filter(|path| **path != document.path) {
        finding = finding.related(path, Span::default(), "never read");
    }
    finding
}

/// The first few of many names.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{lines, repository};

    fn text(bytes: usize) -> String {
        let mut text = "0123456789abcdef0123456789abcde\n".repeat(bytes / 32);
        text.push_str(&"x".repeat(bytes % 32));
        text
    }

    #[test]
    fn the_line_of_the_cut_is_found() {
        assert_eq!(lines("context-truncated", "", &[("AGENTS.md", &text(32_768))]), [""; 0]);
        assert_eq!(
            lines("context-truncated", "", &[("AGENTS.md", &text(32_800))]),
            ["AGENTS.md:32768-32799 error OpenAI Codex CLI 0.169.0 stops reading here: 32 bytes of this file are lost"]
        );
    }

    #[test]
    fn what_lies_below_is_lost() {
        let (root, deep) = (text(30_000), text(3_000));
        let files = [
            ("AGENTS.md", &*root),
            ("a/AGENTS.md", &*deep),
            ("a/b/AGENTS.md", "x"),
            ("a/c/AGENTS.md", "x"),
            ("d/AGENTS.md", "x"),
        ];
        let found = repository("context-truncated", "", &files);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].path.to_str_lossy().as_ref(), found[0].span.start), ("a/AGENTS.md", 2768));
        assert!(
            found[0]
                .message
                .ends_with("232 bytes of this file are lost, and so are 2 whole files: a/b/AGENTS.md, a/c/AGENTS.md")
        );
        assert_eq!(found[0].related.len(), 2);
    }

    #[test]
    fn a_budget_that_ends_between_files() {
        let root = text(32_768);
        let found = lines("context-truncated", "", &[("AGENTS.md", &root), ("a/AGENTS.md", "x")]);
        let want = "reaches its size limit with this file, so it never reads a/AGENTS.md";
        assert_eq!(found, [format!("AGENTS.md:32768-32768 error OpenAI Codex CLI 0.169.0 {want}")]);
    }

    #[test]
    fn the_config_sets_the_budget() {
        let config = |bytes| format!("project_doc_max_bytes = {bytes}\n");
        let check = |bytes: usize, text: &str| {
            lines("context-truncated", "", &[(".codex/config.toml", &config(bytes)), ("AGENTS.md", text)]).len()
        };
        assert_eq!(check(8, "123456789"), 1);
        assert_eq!(check(100_000, &text(90_000)), 0);
        // Switched off on purpose.
        assert_eq!(check(0, "123456789"), 0);
    }

    #[test]
    fn a_cut_inside_a_character_is_placed_before_it() {
        let root = format!("{}é after\n", text(32_767));
        let found = repository("context-truncated", "", &[("AGENTS.md", &root)]);
        assert_eq!(found[0].span.start, 32_767);
    }

    #[test]
    fn beside_another_agents_files_it_is_a_warning() {
        let long = text(40_000);
        let check = |config: &str, files: &[(&str, &str)]| lines("context-truncated", config, files);
        let warning = "AGENTS.md:32768-32799 warning OpenAI Codex CLI 0.169.0 stops reading here: 7232 bytes of this file are lost";
        assert_eq!(check("", &[("AGENTS.md", &long), ("CLAUDE.md", "@AGENTS.md\n")]), [warning]);
        assert_eq!(check("", &[("AGENTS.md", &long), (".cursor/rules/a.mdc", "x\n"), ("GEMINI.md", "x\n")]), [warning]);
        // Its own files enable it.
        let found = check("", &[("AGENTS.md", &long), ("CLAUDE.md", "x\n"), (".codex/x.toml", "")]);
        assert!(found.len() == 1 && found[0].contains(" error "), "{found:?}");
        // The sum along the path counts.
        let found = check("", &[("AGENTS.md", &text(30_000)), ("a/AGENTS.md", &text(3_000)), ("CLAUDE.md", "x\n")]);
        assert!(
            found.len() == 1
                && found[0].starts_with("a/AGENTS.md:2768-")
                && found[0].contains("info")
                && found[0].contains("232 bytes"),
            "{found:?}"
        );
        let found = check("", &[("AGENTS.md", &text(30_000)), ("a/AGENTS.md", &text(5_000)), ("CLAUDE.md", "x\n")]);
        assert!(found.len() == 1 && found[0].contains(" info "), "{found:?}");
        let nested = text(5_000);
        let files = [("AGENTS.md", &*text(30_000)), ("a/AGENTS.md", &nested), ("b/AGENTS.md", &nested)];
        let found = repository("context-truncated", "", &files);
        assert!(
            found.len() == 2
                && found[0].cause
                    == found[1].cause.clone().map(|cause| Cause { subject: "a/AGENTS.md".into(), ..cause }),
            "{found:?}"
        );
        // Where the agent may be unused, a small loss is an info.
        let found = check("", &[("AGENTS.md", &text(33_000)), ("CLAUDE.md", "x\n")]);
        assert!(found.len() == 1 && found[0].contains(" info ") && found[0].contains("232 bytes"), "{found:?}");
        // Agents that the config does not name do not count, and a file that fits is not cut.
        assert_eq!(check("agents = [\"claude\"]\n", &[("AGENTS.md", &long), ("CLAUDE.md", "x\n")]), [""; 0]);
        assert_eq!(check("", &[("AGENTS.md", &text(32_768)), ("CLAUDE.md", "x\n")]), [""; 0]);
        assert_eq!(check("", &[("AGENTS.md", "@CLAUDE.md\n"), ("CLAUDE.md", &long)]), [""; 0]);
        assert_eq!(check("", &[("AGENTS.md", &text(32_768)), ("a/AGENTS.md", "x\n"), ("CLAUDE.md", "x\n")]), [""; 0]);
    }

    #[test]
    fn a_sum_is_an_error_where_the_agent_is_in_use() {
        let (root, nested) = (text(30_000), text(5_000));
        let level = |files: &[(&str, &str)]| repository("context-truncated", "", files)[0].level;
        let files = [("AGENTS.md", &*root), ("a/AGENTS.md", &*nested)];
        assert_eq!(level(&files), Level::Info);
        assert_eq!(level(&[files[0], files[1], (".codex/prompts/x.md", "x\n")]), Level::Error);
        assert_eq!(level(&[files[0], ("a/AGENTS.md", &text(33_000))]), Level::Error);
        let long = text(33_000);
        let far = (".github/AGENTS.md", &*long);
        assert_eq!(level(&[("AGENTS.md", "x\n"), far]), Level::Info);
        assert_eq!(level(&[("AGENTS.md", "x\n"), far, (".codex/prompts/x.md", "x\n")]), Level::Error);
        let found = repository("context-truncated", "agents = [\"codex\"]\n", &files);
        assert_eq!(found[0].level, Level::Error);
    }

    #[test]
    fn other_agents_have_no_such_budget() {
        let long = text(90_000);
        assert_eq!(lines("context-truncated", "", &[("CLAUDE.md", &long), ("GEMINI.md", &long)]), [""; 0]);
        let config = "agents = [\"dex\"]\n";
        let found = lines("context-truncated", config, &[("AGENTS.md", &long)]);
        assert!(found.len() == 1 && found[0].starts_with("AGENTS.md:0-0 info dex"), "{found:?}");
    }
}
