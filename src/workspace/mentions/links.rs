//! Links that lead nowhere, and anchors that no heading has.

use std::collections::{BTreeMap, BTreeSet};

use super::place::{Tried, bare, find};
use super::stance::{Stance, is_in_quotes, is_sent_to, stance};
use super::{Mention, MentionForm, Miss, anchors, machine, token};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::{Span, same_length_text};
use crate::config::nearest;
use crate::parse::markdown::{Code, CodeKind, Link, LinkKind};
use crate::parse::placeholder::{is_illustration, is_placeholder};
use crate::parse::{Document, markdown};
use crate::source::Source;
use crate::workspace::{Resolution, Workspace};

/// Anchors of one file that a similar one is looked for for, and anchors that it is looked for among, at most.
const MAX_SUGGESTIONS: usize = 50;
const MAX_ANCHORS: usize = 500;

/// Pages of a repository on GitHub that relative links reach by leaving the repository.
const ROUTES: &[&str] = &[
    "actions",
    "blob",
    "commit",
    "commits",
    "compare",
    "discussions",
    "graphs",
    "issues",
    "labels",
    "milestone",
    "milestones",
    "network",
    "projects",
    "pull",
    "pulls",
    "releases",
    "security",
    "stargazers",
    "tags",
    "tree",
    "wiki",
];

/// Links that are the whole of a code span, with the prefix by which editors follow them there, too: `[a](mdc:a.md)`.
pub(super) fn in_spans(document: &Document) -> Vec<Link> {
    let whole = |code: &Code| {
        let text = document.slice(code.content);
        let (label, rest) = text.strip_prefix('[')?.split_once("](mdc:")?;
        let path =
            rest.strip_suffix(')').filter(|path| !path.contains(['(', ')', ' ']) && !label.contains(['[', ']']))?;
        let end = code.content.end - 1;
        let destination_span = Span::new(end - path.len() - "mdc:".len(), end);
        let destination = document.slice(destination_span).to_owned();
        Some(Link { span: code.content, destination, destination_span, kind: LinkKind::Inline })
    };
    let spans = document.markdown.code.iter().filter(|code| code.kind == CodeKind::Span);
    spans.filter_map(whole).collect()
}

/// The path or anchor of `link`, if it leads nowhere.
pub(super) fn in_link(workspace: &Workspace, document: &Document, link: &Link) -> Option<Mention> {
    // A page shows addresses of its site.
    let is_route = link.kind == LinkKind::Html && link.destination.starts_with('/');
    // A definition is judged once, where it stands.
    if link.kind == LinkKind::Reference || is_route {
        return None;
    }
    let whole = link.destination_span;
    if let Some(address) = token::mangled_address(&link.destination) {
        let mention = Mention::new(MentionForm::Link, whole, address.clone(), Miss::Address(address));
        return is_meant(document, link).then_some(Mention { claimed: true, from_root: true, ..mention });
    }
    if let Some(mention) = machine::in_link(workspace, document, link) {
        return is_meant(document, link).then_some(mention);
    }
    let destination = token::destination(&link.destination)?;
    let verbatim = document.slice(whole) == link.destination;
    let (before, after) = if verbatim { destination.around } else { (0, 0) };
    let span = Span::new(whole.start + before, whole.end - after);
    let mention = |claimed, place| {
        let mention = Mention::new(MentionForm::Link, span, destination.path.clone(), place);
        Mention { claimed, from_root: destination.from_root, verbatim, ..mention }
    };
    let anchor = |file: RepoPath| {
        let anchor = destination.fragment.clone().filter(|fragment| anchors::is_heading_anchor(fragment))?;
        let at = document.slice(whole).find('#').map_or(whole, |at| Span::new(whole.start + at + 1, whole.end));
        Some(mention(true, Miss::NoAnchor { file, anchor, span: at, near: None }))
    };
    if destination.path.is_empty() {
        return anchor(document.path.clone()).filter(|mention| claims(document, mention.span));
    }
    // A line number behind the path is an editor's way to point into the file.
    let path = destination.path.split_once(':').map_or(destination.path.as_str(), |(path, _)| path);
    if document.kind == Kind::SkillPage && path.starts_with("./") && link.destination.starts_with("./") {
        let target = path::resolve(document.path.parent(), path.as_bytes())?;
        if let Resolution::Missing(missing) = workspace.resolve(&target)
            && token::has_extension(path)
        {
            let place = Miss::Absent { candidates: vec![missing], near: None };
            return is_meant(document, link).then(|| mention(!is_illustration(path), place));
        }
    }
    let variants = [".md", ".mdx", ".mdc", "/README.md", "/index.md", "/SKILL.md"];
    let variants = if token::has_extension(path) { &[][..] } else { &variants[..] };
    let candidates = match find(workspace, document.path.parent(), path, destination.from_root, variants) {
        Tried::Found(Some(file)) if is_from_above(workspace, document, link, path) => {
            let missing = RepoPath::new(path::resolve(document.path.parent(), path.as_bytes())?);
            let place = Miss::Absent { candidates: vec![missing], near: Some(file) };
            return is_meant(document, link).then(|| Mention { exact: true, ..mention(true, place) });
        }
        Tried::Found(Some(file)) if is_markdown(file.as_bytes()) => return anchor(file),
        Tried::Found(_) | Tried::Unknown => return None,
        Tried::Outside => return outside(workspace, document, path, span).map(|place| mention(true, place)),
        Tried::Absent(candidates) => candidates,
    };
    if destination.from_root && token::is_of_one_machine(path) {
        let inside = on_this_machine(workspace, path);
        return claims(document, link.span).then(|| mention(true, Miss::Outside { inside }));
    }
    let (claimed, place) = absent(workspace, document, (path, variants), destination.from_root, candidates);
    is_meant(document, link).then(|| mention(claimed, place))
}

/// Whether the link is written as an import, which leads somewhere: `@docs/rows.md`.
fn leads_as_an_import(workspace: &Workspace, document: &Document, path: &str, variants: &[&str]) -> bool {
    let bare = path.strip_prefix('@');
    bare.is_some_and(|bare| matches!(find(workspace, document.path.parent(), bare, true, variants), Tried::Found(_)))
}

/// Whether a link of a hint file in a folder leads to a file only if it counts from a folder above. Agents may find it; a link counts
/// from the folder of its file, and leads nowhere for everyone else.
fn is_from_above(workspace: &Workspace, document: &Document, link: &Link, path: &str) -> bool {
    let dir = document.path.parent();
    let is_plain = link.kind != LinkKind::Html && !link.destination.starts_with("mdc:") && token::has_extension(path);
    let is_hint = !document.kind.is_general() && document.kind.role().is_some() || document.kind == Kind::Skill;
    let missing =
        |at: Vec<u8>| matches!(workspace.resolve(&at), Resolution::Missing(missing) if missing.as_bytes() == at);
    is_plain
        && is_hint
        && !dir.is_empty()
        && document.path.as_bytes().ends_with(b".md")
        && !link.destination.starts_with('/')
        && path::resolve(dir, path.as_bytes()).is_some_and(missing)
}

/// How the path of a link misses where none of the `candidates` exists, and whether the text claims that one does.
fn absent(
    workspace: &Workspace,
    document: &Document,
    (path, variants): (&str, &[&str]),
    from_root: bool,
    candidates: Vec<RepoPath>,
) -> (bool, Miss) {
    let explicit = path.starts_with('.') || path.ends_with('/') || token::has_extension(path);
    let in_skill = workspace.skill_folder(document).filter(|folder| from_root && !folder.is_empty());
    let first = path.split('/').next().unwrap_or(path);
    let in_skill = in_skill.filter(|folder| workspace.listing.has_dir(&path::join(folder, first.as_bytes())));
    let near = in_skill.map(|folder| path::join(folder, path.as_bytes()));
    let near = near.filter(|near| workspace.listing.contains(near)).map(RepoPath::new);
    let may_exist = |candidate: &RepoPath| workspace.listing.has_dir(candidate.parent()) && token::has_extension(path);
    let site_route = from_root && in_skill.is_none() && !candidates.iter().any(may_exist);
    // A package manager fetches this on the first install.
    let fetched = path.split('/').any(|part| part == "node_modules");
    let leads = leads_as_an_import(workspace, document, path, variants);
    (explicit && !site_route && !fetched && !leads && !is_stand_in(path), Miss::Absent { candidates, near })
}

/// Whether a link's path stands for any other. A page of examples is none that does.
fn is_stand_in(path: &str) -> bool {
    let page = path.strip_suffix(".md").filter(|page| page.to_ascii_lowercase().ends_with("examples"));
    let folder = page.map(|page| page.rsplit_once('/').map_or("", |(folder, _)| folder));
    match folder {
        Some(folder) => is_placeholder(path) || is_illustration(folder),
        None => is_illustration(path),
    }
}

/// Whether the text means the link: it neither denies the target nor quotes the link.
fn is_meant(document: &Document, link: &Link) -> bool {
    claims(document, link.span) && !is_in_quotes(document, link.span) && !is_in_an_answer(document, link)
}

/// Whether a prompt quotes what its reader is to say: the files of that answer are yet to be made.
fn is_in_an_answer(document: &Document, link: &Link) -> bool {
    // A note sends its reader somewhere.
    if is_sent_to(document, link.span) {
        return false;
    }
    let line = document.slice(document.lines.line_span(document.lines.line_of(link.span.start)));
    // A note begins with what it is about: `> **Model**: …`, `> Inherits: [base](base.md)`.
    let quoted = line.trim_start().strip_prefix('>').map(str::trim_start);
    let is_labelled = |text: &str| {
        let label = text.split_once(": [").map(|(label, _)| label);
        label.is_some_and(|label| !label.contains(' ') && label.starts_with(|c: char| c.is_uppercase()))
    };
    let is_note = |text: &str| text.starts_with("**") || text.starts_with("[!") || is_labelled(text);
    document.kind.is_general() && quoted.is_some_and(|text| !is_note(text))
}

/// The file of the repository that an absolute path of somebody's machine ends with.
pub(super) fn on_this_machine(workspace: &Workspace, path: &str) -> Option<RepoPath> {
    let ends = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
    let mut files = ends.map(|end| workspace.resolve(end.as_bytes())).filter_map(|found| match found {
        Resolution::File(file) => Some(file),
        _ => None,
    });
    files.next()
}

/// A link that climbs out of the repository, unless it leads to a page of the repository's own site.
fn outside(workspace: &Workspace, document: &Document, path: &str, span: Span) -> Option<Miss> {
    let rest = bare(path);
    let route = rest.split('/').any(|part| ROUTES.contains(&part));
    if route || rest.is_empty() || rest == ".." || is_illustration(rest) || !claims(document, span) {
        return None;
    }
    let inside = match find(workspace, b"", rest, true, &[]) {
        Tried::Found(Some(file)) => Some(file),
        _ => None,
    };
    (inside.is_some() || token::has_extension(rest) || path.ends_with('/')).then_some(Miss::Outside { inside })
}

/// Keep of the named anchors those that their files do not have.
pub(super) fn settle_anchors(
    source: &dyn Source,
    workspace: &Workspace,
    by_document: &mut BTreeMap<RepoPath, Vec<Mention>>,
) {
    let file = |mention: &Mention| match &mention.place {
        Miss::NoAnchor { file, .. } => Some(file.clone()),
        _ => None,
    };
    let files: BTreeSet<RepoPath> = by_document.values().flatten().filter_map(file).collect();
    let (known, unread): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|path| workspace.document(path.as_bytes()).is_some());
    let mut anchors: BTreeMap<RepoPath, BTreeSet<String>> = BTreeMap::new();
    let mut hidden: BTreeMap<RepoPath, BTreeSet<String>> = BTreeMap::new();
    for path in known {
        if let Some(document) = workspace.document(path.as_bytes()).filter(|document| !document.text.trim().is_empty())
        {
            anchors.insert(path, anchors::of(&document.text, &document.markdown));
            let document_hidden = anchors::in_fences(&document.text, &document.markdown);
            hidden.insert(document.path.clone(), document_hidden);
        }
    }
    for (path, bytes) in unread.iter().zip(source.read_many(&unread)) {
        if let Ok(bytes) = bytes {
            let text = same_length_text(&bytes);
            // An empty page is yet to be written; its headings are unknown.
            if !text.trim().is_empty() {
                let markdown = markdown::read(&text, 0);
                anchors.insert(path.clone(), anchors::of(&text, &markdown));
                hidden.insert(path.clone(), anchors::in_fences(&text, &markdown));
            }
        }
    }
    for mentions in by_document.values_mut() {
        let mut suggestions = 0;
        mentions.retain_mut(|mention| {
            let Miss::NoAnchor { file, anchor, near, .. } = &mut mention.place else { return true };
            let Some(known) = anchors.get(file).filter(|known| !known.contains(&anchors::folded(anchor))) else {
                return false;
            };
            // A fence that was closed in the wrong place hides the heading from the page, and not from an agent.
            if hidden.get(file).is_some_and(|hidden| hidden.contains(&anchors::folded(anchor))) {
                return false;
            }
            suggestions += 1;
            if suggestions <= MAX_SUGGESTIONS && known.len() <= MAX_ANCHORS {
                *near = nearest(anchor, known.iter().map(String::as_str)).map(str::to_owned);
            }
            true
        });
    }
}

fn is_markdown(path: &[u8]) -> bool {
    let name = path::file_name(path).to_ascii_lowercase();
    [&b".md"[..], b".mdc", b".mdx", b".markdown"].iter().any(|end| name.ends_with(end))
}

fn claims(document: &Document, span: Span) -> bool {
    stance(document, span) != Stance::Denies
}
