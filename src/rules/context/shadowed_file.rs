//! `shadowed-file`: a hint file that no enabled agent reads. What agents load is the dialects' to say.

mod lone_skill;
mod misnamed;
mod misplaced;
mod nameless;
mod unread;

use std::collections::{BTreeSet, HashMap, HashSet};

use rayon::prelude::*;

use super::context_truncated;
use crate::agents::context::Reason;
use crate::agents::{Dialect, Proof, files, merged};
use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover::{self, Discovery};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::imports::ImportTarget;
use crate::workspace::read_by_path::begins_with_blank;
use crate::workspace::{Resolution, Workspace, readers};
use crate::world::AbsPath;

/// The rule.
pub(super) struct ShadowedFile;

static INFO: RuleInfo = RuleInfo {
    name: "shadowed-file",
    group: Group::Context,
    levels: &[Level::Warning, Level::Info],
    summary: "no enabled agent reads a hint file",
    explanation: r#"## What it does

Reports hint files that no enabled agent reads, and why: `AGENTS.override.md` takes the place of the `AGENTS.md` beside it for Codex,
a `CLAUDE.md` keeps Claude Code from reading `AGENTS.md`, a setting names other files, `claude.md` is not `CLAUDE.md`, or none of the
agents that the config names reads files of that name. It also reports Markdown files in an agent's folder of skills that are not
skills, since a skill is a folder with a `SKILL.md`, and those in its folder of rules whose names do not end as its rules' do; files
of a kind that an agent does not read in its folder (`.codex/agents/x.md`, where it reads TOML); those
in folders with a number behind the name (`.claude/agents-2`), in the singular (`.claude/agent`) and in `.claude/subagents`, files whose names have a look-alike of the hyphen or an underscore for it, or are one letter off (`CLUADE.md`), and a link in place
of an agent's folder that leads to files which the agent does not read by their names; folders of skills that hold a README alone, a `SKILL.md` right
in a plugin's folder of skills, beside which Claude Code loads no other skill, or in its own, and
names that go on behind their ending, such as `a.instructions.md` with a backtick. `.claude/claude.md` and `CLAUDE.MD` are reported
unless the right name is there, too, with the same text. A `skill.md` in an agent's folder of skills, which
looks for `SKILL.md`, and files that an agent never reads in spite of their names, such as `.claudeignore`, are reported whatever
names them.

With `agents = "auto"` an `AGENTS.md` beside another agent's files is an info, since many tools that leave no trace in a repository
read it. Files that another file imports, links or names are left alone, and so are files that are empty or excluded on purpose, and
those in folders of settings, such as `.config`, which belong to other programs.

## Why is this bad?

Whoever edits the file believes that it changes what agents do.

## Example

`AGENTS.md` and an empty `AGENTS.override.md`, where Codex is the only agent.

## How to fix

Import it from a file that is read (`@AGENTS.md` in `CLAUDE.md`), rename it, name its agent in `agents`, or delete it.
"#,
    evidence: &[
        Evidence { source: "OpenAI Codex 0.169.0, observed", checked: "2026-11" },
        Evidence { source: "Claude Code 2.1.329 and 2.1.330, observed", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for ShadowedFile {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    // Of all files, also where the run is about some: the file that takes a file's place may be one of those.
    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let unread = cx.workspace.documents.par_iter().filter_map(|document| Some((document, check(document, cx)?)));
        let mut unread: Vec<Finding> = unread.map(|(_, finding)| finding).collect();
        if cx.matters(&INFO, Level::Warning)
            && let Ok(discovery) = Discovery::new(&cx.workspace.config)
        {
            unread.extend(
                misplaced::find(cx.workspace, &discovery).iter().map(|path| misplaced::report(INFO.name, path)),
            );
            let rules = misplaced::misnamed_rules(cx.workspace, &discovery);
            unread.extend(misplaced::unread_texts(INFO.name, cx.workspace, &discovery));
            unread.extend(misnamed::slips(INFO.name, cx.workspace, &discovery));
            unread.extend(misnamed::in_misnamed_folders(INFO.name, cx.workspace, &discovery));
            unread.extend(nameless::readmes(INFO.name, cx.workspace, &discovery));
            findings.extend(misnamed::certain(INFO.name, cx.workspace, &discovery));
            findings.extend(unread::find(INFO.name, cx.workspace, &discovery));
            findings.extend(nameless::stray_ends(INFO.name, cx.workspace, &discovery));
            findings.extend(lone_skill::find(INFO.name, cx.workspace, &discovery));
            unread.extend(rules.iter().map(|found| misplaced::report_rule(INFO.name, found)));
        }
        drop_read_in_part(cx, &mut unread);
        if !unread.is_empty() {
            let named = Announcement::of(cx.workspace, &unread);
            let is_told: Vec<bool> = unread.par_iter().map(|finding| !named.has(&finding.path)).collect();
            findings
                .extend(unread.into_iter().zip(is_told).filter(|(_, is_told)| *is_told).map(|(finding, _)| finding));
        }
    }
}

/// Drop the infos about files of which `context-truncated` says that an agent which may be used reads them in part.
fn drop_read_in_part(cx: &Cx<'_>, unread: &mut Vec<Finding>) {
    let tells = cx.selected.is_empty() || cx.selected.contains(context_truncated::INFO.name);
    if tells && unread.iter().any(|finding| finding.level == Level::Info) {
        let read = context_truncated::read_in_part(cx.workspace);
        unread.retain(|finding| finding.level > Level::Info || !read.contains(&finding.path));
    }
}

fn check(document: &Document, cx: &Cx<'_>) -> Option<Finding> {
    let workspace = cx.workspace;
    let owner = owner(document.kind)?;
    if !cx.matters(&INFO, gravest(workspace, document, owner))
        || workspace.linked.contains(&document.path)
        || workspace.is_loaded(document)
        || is_merged(workspace, &document.path)
        || is_of_another_program(&document.path)
        || document.kind.role().is_some_and(|role| discover::is_in_bundle(document.path.as_bytes(), role))
        || document.text.trim().is_empty()
        || (workspace.is_for_elsewhere(document.path.as_bytes()) && !cx.selected.contains(INFO.name))
    {
        return None;
    }
    explain(workspace, document, owner)
}

/// Whether the file lies in a hidden folder that belongs to no known agent: a program that is not known here keeps its settings there.
fn is_of_another_program(path: &RepoPath) -> bool {
    let mut folders = path.parent().split(|&byte| byte == b'/');
    folders.any(|folder| folder.starts_with(b".") && !files::is_agent_folder(folder))
}

/// The agent whose file it is in the first place.
fn owner(kind: Kind) -> Option<&'static Dialect> {
    let told = match kind {
        Kind::Of(kind) => kind.told_unread,
        _ => kind == Kind::AgentsMd,
    };
    files::owner(kind).filter(|_| told)
}

/// The highest level that [`explain`] may return, judged by the file's name only.
fn gravest(workspace: &Workspace, document: &Document, owner: &'static Dialect) -> Level {
    let auto = workspace.config.agents.is_none();
    let enabled = || workspace.dialects().any(|dialect| dialect.id == owner.id);
    match owner.proof {
        Proof::Vectors if misspelt(&document.path).is_some() || !auto || enabled() => Level::Warning,
        _ => Level::Info,
    }
}

/// Whether committed merged contexts have the file.
fn is_merged(workspace: &Workspace, path: &RepoPath) -> bool {
    merged::reads(path.file_name())
        && workspace.compiles()
        && workspace.config.compile.agents.iter().any(|agent| agent == "merged")
}

/// The finding, if there is a reason to be sure of it.
fn explain(workspace: &Workspace, document: &Document, owner: &'static Dialect) -> Option<Finding> {
    let path = &document.path;
    let agents = || workspace.dialects().map(|dialect| dialect.id);
    let finding = |level, why: String| Finding::new(INFO.name, level, path, Span::default(), why);
    let level = if owner.proof == Proof::Vectors { Level::Warning } else { Level::Info };
    if let Some(right) = misspelt(path) {
        if is_also_spelt_right(workspace, document, right) || is_a_page_of_a_catalogue(workspace, path) {
            return None;
        }
        let reader = owner.versioned();
        let why =
            format!("no enabled agent reads this file: {reader} reads {right}, and file names are case-sensitive");
        return Some(finding(level, why).help(format!("rename it to {right}")).agents([owner.id]));
    }
    let auto = workspace.config.agents.is_none();
    let enabled = workspace.dialects().any(|dialect| dialect.id == owner.id);
    let shadows = shadows(workspace, document)?;
    if let [(_, by), ..] = &shadows[..] {
        // Who keeps an AGENTS.md beside another agent's files may keep it for a tool that leaves no trace.
        let level = if auto && !enabled { Level::Info } else { level };
        let reads: Vec<String> = shadows
            .iter()
            .map(|(dialect, by)| format!("{} reads {}", dialect.versioned(), by.to_str_lossy()))
            .collect();
        let why = format!("no enabled agent reads this file: {} in its place", reads.join(" and "));
        let help = format!("import it from {}, name its agent in `agents`, or delete it", by.to_str_lossy());
        let finding = finding(level, why).help(help).agents(agents());
        let related = |finding: Finding, by| finding.related(by, Span::default(), "this file is read instead");
        return Some(shadows.iter().fold(finding, |finding, (_, by)| related(finding, by)));
    }
    let documented = workspace.dialects().any(|dialect| dialect.proof == Proof::Documentation);
    let is_default = files::main_names().any(|name| name.as_bytes() == path.file_name());
    if !is_default && document.frontmatter.as_ref().is_some_and(|frontmatter| frontmatter.get("name").is_some()) {
        // The definition of an agent of another product.
        return None;
    }
    if enabled && owner.proof == Proof::Vectors && !is_default {
        let why = format!("no enabled agent reads this file: {} reads files of other names", owner.versioned());
        return Some(finding(Level::Warning, why).help("rename it, or delete it").agents([owner.id]));
    }
    if enabled && owner.proof == Proof::Vectors {
        let why = format!("no enabled agent reads this file: the settings of {} name other files", owner.versioned());
        return Some(finding(Level::Warning, why).help("name it in the settings, or delete it").agents([owner.id]));
    }
    if auto || enabled {
        return None;
    }
    // The config names the agents. An agent that is known from documentation only may read more than is known.
    let level = if document.kind == Kind::AgentsMd && documented { Level::Info } else { level };
    let names: Vec<&str> = workspace.dialects().map(|dialect| dialect.title).collect();
    let who = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let why = format!("no enabled agent reads this file; enabled: {who}");
    Some(
        finding(level, why)
            .help(format!("add \"{}\" to `agents` in the config, or delete it", owner.id))
            .agents(agents()),
    )
}

/// The files that agents read in place of `document`, and which agents. `None` where an agent skips it for another reason: other
/// rules report that, or it was done on purpose.
fn shadows(workspace: &Workspace, document: &Document) -> Option<Vec<(&'static Dialect, RepoPath)>> {
    let mut shadows: Vec<(&'static Dialect, RepoPath)> = Vec::new();
    let proven = workspace.dialects().filter(|dialect| dialect.proof == Proof::Vectors);
    for (dialect, dir) in
        proven.flat_map(|dialect| readers::starts(document).into_iter().map(move |dir| (dialect, dir)))
    {
        let loaded = workspace.context(dialect, dir);
        let is_this = |at: Option<&AbsPath>| at.and_then(|at| loaded.path(at)).as_ref() == Some(&document.path);
        let mut skipped = loaded.context.skipped.iter().filter(|skipped| skipped.imported_by.is_none());
        match skipped.find(|skipped| is_this(skipped.path.as_ref())).map(|skipped| &skipped.reason) {
            Some(Reason::ShadowedBy(by)) => {
                let known = |by: &RepoPath| shadows.iter().any(|shadow| *shadow == (dialect, by.clone()));
                shadows.extend(loaded.path(by).filter(|by| !known(by)).map(|by| (dialect, by)));
            }
            Some(_) => return None,
            None => {}
        }
    }
    Some(shadows)
}

/// The name that was meant, if only upper and lower case differ from one that agents read.
fn misspelt(path: &RepoPath) -> Option<&'static str> {
    let name = path.file_name();
    files::main_names().find(|known| name != known.as_bytes() && name.eq_ignore_ascii_case(known.as_bytes()))
}

/// Pages that a site about agents has beside one about them, in small letters.
const CATALOGUE: [&str; 8] =
    ["commands.md", "guides.md", "hooks.md", "mcp.md", "plugins.md", "rules.md", "skills.md", "tools.md"];

/// Whether `agents.md` stands beside `commands.md` and `skills.md`: it lists agents, and speaks to none.
fn is_a_page_of_a_catalogue(workspace: &Workspace, path: &RepoPath) -> bool {
    let has = |name: &&&str| workspace.listing.contains(&path::join(path.parent(), name.as_bytes()));
    path.file_name() == b"agents.md" && CATALOGUE.iter().filter(has).nth(1).is_some()
}

/// Whether a file of the `right` name has the same bytes: beside `document`, or beside the folder of an agent that holds it.
fn is_also_spelt_right(workspace: &Workspace, document: &Document, right: &str) -> bool {
    let own = document.path.parent();
    let above = files::is_agent_folder(path::file_name(own)).then(|| path::parent(own));
    let mut beside = std::iter::once(own).chain(above).map(|dir| path::join(dir, right.as_bytes()));
    beside.any(|other| workspace.document(&other).is_some_and(|other| other.bytes == document.bytes))
}

/// Folders that are looked for in all texts, at most.
const MAX_FOLDERS: usize = 100;

/// What says that a file is there for its readers: an import, a link, another file that names it.
struct Announcement<'w> {
    reached: HashSet<RepoPath>,
    /// By file name: the documents whose text has it.
    speak_of: HashMap<&'w [u8], Vec<&'w Document>>,
    /// The folders whose files other texts or scripts read.
    folders: HashSet<&'w [u8]>,
}

impl<'w> Announcement<'w> {
    /// What is told of the files `unread`.
    fn of(workspace: &'w Workspace, unread: &'w [Finding]) -> Self {
        let imported = workspace.imports.iter().filter_map(|import| match &import.target {
            ImportTarget::File(to) => Some(to.clone()),
            _ => None,
        });
        let linked = workspace.links.keys().filter_map(|link| match workspace.resolve(link.as_bytes()) {
            Resolution::File(to) => Some(to),
            _ => None,
        });
        let names: HashSet<&[u8]> = unread.iter().map(|finding| finding.path.file_name()).collect();
        let speak_of = |name: &'w [u8]| {
            let finder = memchr::memmem::Finder::new(name);
            let others = workspace.documents.iter().filter(|other| other.kind != Kind::Artifact);
            (name, others.filter(|other| finder.find(other.text.as_bytes()).is_some()).collect())
        };
        let is_main = |path: &RepoPath| files::main_names().any(|name| name.as_bytes() == path.file_name());
        let pages = unread.iter().filter(|finding| !is_main(&finding.path));
        let folders: BTreeSet<&[u8]> = pages.map(|finding| finding.path.parent()).collect();
        Announcement {
            reached: imported.chain(linked).collect(),
            speak_of: names.into_iter().map(speak_of).collect(),
            folders: folders.into_iter().take(MAX_FOLDERS).filter(|folder| sends_into(workspace, folder)).collect(),
        }
    }

    /// Whether another file imports or links the file, is a link to it, or names its path.
    fn has(&self, path: &RepoPath) -> bool {
        let mut others = self.speak_of.get(path.file_name()).into_iter().flatten().filter(|other| other.path != *path);
        self.reached.contains(path) || others.any(|other| names(other, path)) || self.folders.contains(path.parent())
    }
}

/// Whether a hint file outside of `folder` names whichever file of it by the whole path (`.claude/subagents/{type}.md`), or a script
/// that runs here reads all Markdown of folders called like it.
fn sends_into(workspace: &Workspace, folder: &[u8]) -> bool {
    let needle = [folder, b"/"].concat();
    let is_begin = |before: &[u8]| !before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'/');
    let sends = |text: &[u8]| {
        let mut places = memchr::memmem::find_iter(text, &needle);
        places.any(|at| is_begin(&text[..at]) && begins_with_blank(&text[at + needle.len()..]))
    };
    let is_other = |other: &&Document| other.kind != Kind::Artifact && other.path.parent() != folder;
    let pattern = [path::file_name(folder), b"/*.md"].concat();
    let reads = |bytes: &[u8]| memchr::memmem::find(bytes, &pattern).is_some();
    folder.contains(&b'/') && workspace.documents.iter().filter(is_other).any(|other| sends(other.text.as_bytes()))
        || workspace.scripts.bytes.values().any(|bytes| reads(bytes))
}

/// Whether the text of `other` holds the path, as seen from there or from the root.
fn names(other: &Document, path: &RepoPath) -> bool {
    let from_there = path::relative(other.path.parent(), path.as_bytes());
    let whole = |needle: &[u8]| {
        let text = other.text.as_bytes();
        let part = |byte: Option<&u8>| {
            byte.is_some_and(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/'))
        };
        memchr::memmem::find_iter(text, needle).any(|at| {
            let before = at.checked_sub(1).and_then(|at| text.get(at));
            // `./AGENTS.md` is the same file; `x/AGENTS.md` is another.
            let here = text[..at].ends_with(b"./") && !text[..at].ends_with(b"../");
            (!part(before) || here) && !part(text.get(at + needle.len()))
        })
    };
    whole(&from_there) || (from_there != path.as_bytes() && path.as_bytes().contains(&b'/') && whole(path.as_bytes()))
}

#[cfg(test)]
mod tests;
