//! A relative link that leads nowhere, out of the repository, or to a heading that is not there.

use super::block::{is_in_a_form, list_of};
use super::finding::{from_above, or_elsewhere, replace, respelt, same_subject, tell};
use super::handed_out::is_in_an_agents_folder;
use super::own::{self, is_log, is_of_its_day};
use super::verdict::{PathVerdict, ask_fates, is_kept_otherwise, verdict};
use super::{MEASURED, applies_to_link, shown};
use crate::agents::files;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss};

const INFO: RuleInfo = RuleInfo {
    name: "broken-link",
    group: Group::References,
    levels: &[Level::Warning, Level::Error, Level::Info],
    summary: "a link leads nowhere",
    explanation: "\
## What it does
Reports relative links, images, reference definitions and `mdc:` links whose target does not exist, and anchors that no
heading, `{#id}` or HTML id of the target has. Targets are tried from the file's folder, from every folder above it and from the
root; a link in a hint file or a skill, `.md`, that leads somewhere from a folder above alone is reported, since links count from the folder
of their file. It is an error where history knows the target, and a warning otherwise; an info where a copy of the text leads somewhere, in a
subagent, which may show what other texts look like, and in a changelog. A link that climbs out of the repository, or leads into the home of one person or to a drive, `/C:/x.md`,
is reported and never followed. A file in a skill's own folder that git ignores is not there for others. Of a skill that is handed out, the links into its own folder are checked, in SKILL.md and in the Markdown files to which that leads. A reference is reported where its definition stands. Plans are
records of their day: of their links only anchors are looked up. An address of the repository's own file on a code host,
`https://github.com/OWNER/NAME/blob/main/docs/x/y.md`, is followed where the README and the manifests say that this is its name.

## Why is this bad?
Hint files keep details in further files and link them, so that agents read them when they need them. Behind a broken link
nothing is read, and nobody is told.

## Example
```markdown
For API details see [DOC.md](./DOC.md).
```

## How to fix
Correct the destination, or delete the link. Where history shows a rename, `--fix` writes the new path if the file moved
unchanged, `--unsafe-fixes` if it was changed on the way.
",
    evidence: &[
        MEASURED,
        Evidence {
            source: "https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links",
            checked: "2026-11",
        },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct BrokenLink;

impl Rule for BrokenLink {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        ask_fates(cx, &INFO, questions, |document, mention| {
            let is_selected = cx.selected.contains(INFO.name);
            let is_reported = mention.form == MentionForm::Link
                && (is_selected || !is_of_its_day(document, mention))
                && (mention.of_bundle
                    || applies_to_link(cx.workspace, document, mention, cx.selected, INFO.name)
                    || matches!(document.kind, Kind::Skill | Kind::SkillPage));
            is_reported.then_some(Level::Error)
        });
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for mention in
            cx.workspace.mentions.of(&document.path).iter().filter(|mention| mention.form == MentionForm::Link)
        {
            if !applies_to_link(cx.workspace, document, mention, cx.selected, INFO.name)
                && !mention.of_bundle
                && !was_own(cx, document, mention)
                && !counts_own_from_above(cx.workspace, document, mention)
            {
                continue;
            }
            findings.extend(match &mention.place {
                _ if is_of_its_day(document, mention) && !cx.selected.contains(INFO.name) => None,
                Miss::Absent { candidates, .. } if is_kept_otherwise(cx.workspace, document, candidates) => None,
                Miss::Absent { candidates, near } => {
                    absent(cx, document, mention, &verdict(cx, candidates), near.as_ref())
                }
                Miss::Outside { inside } => Some(outside(cx.workspace, document, mention, inside.as_ref())),
                Miss::NoAnchor { anchor, .. } if anchor.contains("link-to-") => None,
                Miss::NoAnchor { .. } => no_anchor(cx.workspace, document, mention),
                Miss::Address(address) => Some(mangled_address(document, mention, address)),
                Miss::Abbreviated { .. } | Miss::OtherCase(_) => None,
            });
        }
    }
}

/// Whether the link leads to a file of its own skill, and counts from a folder above.
fn counts_own_from_above(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { near: Some(near), .. } = &mention.place else { return false };
    let folder = workspace.skill_folder(document).filter(|folder| !folder.is_empty());
    mention.exact
        && discover::why_set_aside(document.path.as_bytes()).is_none()
        && folder.is_some_and(|folder| path::is_at_or_below(near.as_bytes(), folder))
}

/// Whether the link leads to what was a file of the skill once.
fn was_own(cx: &Cx<'_>, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let folder = cx.workspace.skill_folder(document).filter(|folder| !folder.is_empty());
    let inside = |file: &RepoPath| folder.is_some_and(|folder| path::is_at_or_below(file.as_bytes(), folder));
    let is_set_aside = discover::why_set_aside(document.path.as_bytes()).is_some();
    !is_set_aside
        && !mention.from_root
        && candidates.first().is_some_and(inside)
        && matches!(verdict(cx, &candidates[..1]), PathVerdict::Renamed { .. } | PathVerdict::Deleted { .. })
}

fn absent(
    cx: &Cx<'_>,
    document: &Document,
    mention: &Mention,
    verdict: &PathVerdict<'_>,
    near: Option<&RepoPath>,
) -> Option<Finding> {
    let Miss::Absent { candidates, .. } = &mention.place else { return None };
    let finding = |level, message: String| Finding::new(INFO.name, level, &document.path, mention.span, message);
    let of_past = if is_log(document) { Level::Info } else { Level::Error };
    match verdict {
        PathVerdict::Renamed { to, .. } => {
            let message = format!("the link's target {} was renamed to {}", mention.path, shown(to));
            Some(tell(document, mention, verdict, finding(of_past, message)))
        }
        PathVerdict::Deleted { .. } => {
            let message = format!("the link's target {} does not exist any more", mention.path);
            Some(tell(document, mention, verdict, finding(of_past, message)))
        }
        PathVerdict::Excused => None,
        PathVerdict::Never | PathVerdict::Unknown if mention.excused => None,
        PathVerdict::Never | PathVerdict::Unknown if mention.exact && near.is_some() => {
            from_above(INFO.name, document, mention, (candidates.first()?, near?))
        }
        PathVerdict::Never | PathVerdict::Unknown => {
            let first = candidates.first().filter(|_| mention.claimed)?;
            let is_source = own::leads_somewhere_in_a_copy(cx.workspace, document, mention)
                || near.is_none() && own::leads_to_its_origin(cx.workspace, document, mention);
            let near = near.filter(|_| !is_source);
            let is_elsewhere =
                is_source || near.is_none() && may_lead_elsewhere(cx.workspace, document, mention, first);
            let level = match is_elsewhere || is_log(document) || is_in_a_form(document, mention.span) {
                true => Level::Info,
                false => Level::Warning,
            };
            let cause =
                same_subject(dead_target(cx.workspace, document, mention, first), &mention.path, "lead nowhere");
            let finding = finding(level, format!("the link leads nowhere: there is no {}", mention.path)).cause(cause);
            Some(match near {
                // The slash would have to go, too.
                Some(near) if mention.from_root => {
                    finding.help(format!("did you mean {}, without the slash before it?", shown(near)))
                }
                Some(near) => {
                    let finding = finding.help(format!("did you mean {}?", shown(near)));
                    replace(document, mention, first, near, Applicability::Unsafe, finding)
                }
                None => finding.help(or_elsewhere(
                    cx.workspace,
                    document,
                    first,
                    "correct the destination, or delete the link",
                )),
            })
        }
    }
}

/// Whether a link to `first`, which never was, may lead somewhere for the readers of the text, or show what one looks like.
fn may_lead_elsewhere(workspace: &Workspace, document: &Document, mention: &Mention, first: &RepoPath) -> bool {
    // A subagent shows what the texts that it writes look like. A link that climbs to another folder counts from its own place.
    let climbs = mention.path.starts_with("../") && mention.path.trim_start_matches("../").contains('/');
    // Where its users have no folder of an agent, the repository itself is meant.
    let is_agents = mention.path.split('/').any(|part| files::is_agent_folder(part.as_bytes()));
    // A page of documentation links others by the addresses of its site.
    let has_ending = path::extension(mention.path.as_bytes()).is_some();
    let is_address = document.kind == Kind::SkillPage && !mention.path.ends_with('/') && !has_ending;
    // What compiles a skill into one page beside it keeps the links of its parts.
    let is_compiled =
        document.kind == Kind::AgentsMd && workspace.listing.contains(&path::join(document.path.parent(), b"SKILL.md"));
    is_address
        || is_compiled
        || document.kind.role() == Some(Role::Subagent) && !climbs
        || own::is_vendored_so(workspace, document, first)
        || !is_agents && workspace.is_about_any_project(document)
}

/// What dead links have in common: the page of a skill, which was written where they led somewhere, the uppermost folder that is not there,
/// the list in which they stand, or else the target.
fn dead_target(workspace: &Workspace, document: &Document, mention: &Mention, target: &RepoPath) -> String {
    if document.kind == Kind::SkillPage || own::is_in_another_folder(workspace, document, target) {
        return format!("page {}", shown(&document.path));
    }
    // Files that were made elsewhere climb to folders that are there.
    let climbs = mention.path.starts_with("../") && !workspace.listing.has_dir(target.parent());
    if climbs && is_in_an_agents_folder(document) {
        return format!("out of {}", shown(&folder_of_hand(workspace, document)));
    }
    let above = path::ancestors_from_root(target.parent());
    if let Some(folder) = above.into_iter().find(|folder| !workspace.listing.has_dir(folder)) {
        return format!("folder {}", shown(&RepoPath::new(folder)));
    }
    let list = list_of(document, mention.span.start).map(|list| format!("list {list}"));
    list.unwrap_or_else(|| format!("target {}", shown(target)))
}

/// Texts that link into the same folder beside this repository, at least, before its readers are known to have it there.
const MIN_TEXTS: usize = 2;

/// Whether the link leads on purpose to what lies around this repository where its authors work: to the hint file of the folder above, out of
/// a folder further up, or into one that several texts link.
fn is_around(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let rest = mention.path.trim_start_matches("./").trim_start_matches("../");
    let climbs = mention.path.matches("../").count();
    let depth = document.path.as_bytes().iter().filter(|&&byte| byte == b'/').count();
    // What this repository has itself, the link seeks too far up.
    let folder = rest.split_once('/').map(|(folder, _)| folder).filter(|it| !workspace.listing.has_dir(it.as_bytes()));
    let folder = folder.map(|folder| format!("../{folder}/"));
    let texts = || workspace.documents.iter().filter(|other| folder.as_ref().is_some_and(|it| other.text.contains(it)));
    let is_hint_file = depth == 0 && climbs == 1 && files::main_names().any(|name| name == rest);
    !mention.from_root && climbs > 0 && (is_hint_file || climbs > depth + 1 || texts().nth(MIN_TEXTS - 1).is_some())
}

fn outside(workspace: &Workspace, document: &Document, mention: &Mention, inside: Option<&RepoPath>) -> Finding {
    let inside = inside.filter(|file| **file != document.path);
    let level = match inside.is_none() && is_around(workspace, document, mention) {
        true => Level::Info,
        false => Level::Warning,
    };
    let root = if mention.from_root { "/" } else { "" };
    let message = format!("the link {root}{} leads out of the repository", mention.path);
    let beyond = mention.path.split('/').find(|part| !matches!(*part, ".." | ".")).unwrap_or_default();
    let key = format!("outside {root}{beyond} {}", shown(&folder_of_hand(workspace, document)));
    let cause = same_subject(key, &mention.path, "lead out of the repository");
    let finding = Finding::new(INFO.name, level, &document.path, mention.span, message).cause(cause);
    let Some((inside, path)) = inside.and_then(|file| Some((file, respelt(document, mention, file, file)?))) else {
        return finding.help("link a file of the repository, or write the full URL");
    };
    let finding = finding.help(format!("did you mean {}?", shown(inside)));
    if mention.verbatim { finding.fix(Applicability::Unsafe, mention.span, path) } else { finding }
}

/// The folder whose files come from one hand: each skill of a collection has a folder of its own.
fn folder_of_hand(workspace: &Workspace, document: &Document) -> RepoPath {
    RepoPath::new(workspace.skill_folder(document).map_or(document.path.parent(), path::parent))
}

fn mangled_address(document: &Document, mention: &Mention, address: &str) -> Finding {
    let message = format!("the link leads nowhere: `mdc:` takes a path, but {} is a URL", mention.path);
    let cause = same_subject(format!("addresses {}", shown(&document.path)), address, "are URLs after `mdc:`");
    Finding::new(INFO.name, Level::Warning, &document.path, mention.span, message)
        .cause(cause)
        .help(format!("did you mean {address}?"))
        .fix(Applicability::Unsafe, mention.span, address)
}

fn no_anchor(workspace: &Workspace, document: &Document, mention: &Mention) -> Option<Finding> {
    let Miss::NoAnchor { file, anchor, span, near } = &mention.place else { return None };
    let message = match *file == document.path {
        true => format!("no heading of this file has the anchor #{anchor}"),
        false => format!("no heading of {} has the anchor #{anchor}", shown(file)),
    };
    // Skills that lie in one folder come from one hand, or one program.
    let is_of_skill =
        matches!(document.kind, Kind::Skill | Kind::SkillPage) && workspace.skill_folder(document).is_some();
    let key = match (is_of_skill, list_of(document, mention.span.start)) {
        (true, _) => format!("anchors below {}", shown(&folder_of_hand(workspace, document))),
        (false, Some(list)) => format!("anchors {list}"),
        (false, None) => format!("anchor {} {anchor}", shown(file)),
    };
    let cause = same_subject(key, &format!("#{anchor}"), "match no heading");
    let level = if own::has_foreign_anchors(workspace, document) { Level::Info } else { Level::Warning };
    let finding = Finding::new(INFO.name, level, &document.path, *span, message).cause(cause);
    Some(match near {
        Some(near) => finding.help(format!("did you mean #{near}?")).fix(Applicability::Unsafe, *span, near.as_str()),
        None => finding.help("anchors are the headings in lower case, with hyphens for blanks and without punctuation"),
    })
}

#[cfg(test)]
mod tests;
