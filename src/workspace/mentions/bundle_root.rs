//! Paths that begin with the variable by which the hint files of a bundle name its root, or with the folder of a skill that names its own files so. Which variables there are, the agents'
//! tables say.

use super::stance::{Stance, stance, stance_in_fence};
use super::{Mention, MentionForm, Miss, token};
use crate::agents::bundles;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};
use crate::workspace::{Resolution, Workspace};

/// Paths of one text, at most.
const MAX_PATHS: usize = 500;

/// The variable by which a skill names its own folder.
const SKILL_FOLDER: &str = "${CLAUDE_SKILL_DIR}/";

/// The files of the bundle around `document`, or of its skill, that it names and that are not there.
pub(super) fn paths(workspace: &Workspace, document: &Document) -> Vec<Mention> {
    if discover::why_set_aside(document.path.as_bytes()).is_some() {
        return Vec::new();
    }
    let mut found = of_own_skill(workspace, document);
    if !document.text.contains("${") {
        return found;
    }
    let has = |file: &[u8]| workspace.listing.contains(file);
    let roots = bundles::roots_above(document.path.as_bytes(), has);
    found.extend(roots.flat_map(|(variable, root)| {
        let begin = format!("${{{variable}}}");
        let places: Vec<(usize, usize)> =
            document.text.match_indices(&begin).map(|(at, found)| (at, at + found.len())).take(MAX_PATHS).collect();
        places.into_iter().filter_map(move |(at, end)| match document.text[end..].starts_with('/') {
            true => below(workspace, document, root, Span::new(at, end + 1), false),
            false => without_slash(workspace, document, root, Span::new(at, end)),
        })
    }));
    found
}

/// The files of its own folder that a skill names by the path of that folder from the root, or by a variable.
fn of_own_skill(workspace: &Workspace, document: &Document) -> Vec<Mention> {
    let is_skill = matches!(document.kind, Kind::Skill | Kind::SkillPage);
    let folder = workspace.skill_folder(document).filter(|folder| is_skill && !folder.is_empty());
    let Some((folder, name)) = folder.and_then(|folder| Some((folder, std::str::from_utf8(folder).ok()?))) else {
        return Vec::new();
    };
    let text = &document.text;
    let is_part = |c: char| c.is_alphanumeric() || "_-./~$}".contains(c);
    let begin = format!("{name}/");
    let places = text.match_indices(&begin).filter(|(at, _)| {
        let before = &text[..*at];
        !before.strip_suffix("./").unwrap_or(before).ends_with(is_part)
    });
    let places = places.chain(text.match_indices(SKILL_FOLDER)).take(MAX_PATHS);
    let mentions =
        places.filter_map(|(at, found)| below(workspace, document, folder, Span::new(at, at + found.len()), true));
    mentions.collect()
}

/// The path behind a variable or a folder that stand at `begin`.
fn path_behind(document: &Document, begin: Span) -> Option<&str> {
    let rest = &document.text[begin.end..];
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let whole = &rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())];
    let path = whole.trim_end_matches(['.', '/', '-']);
    // A pattern, a placeholder or another variable goes on.
    let goes_on = rest[whole.len()..].starts_with(['*', '<', '{', '$', '[', '%', '(', '…']);
    (!goes_on && !whole.ends_with('/') && token::may_have_been(path)).then_some(path)
}

/// The path behind the variable or folder at `begin`, if it leads to no file below `root`. `of_skill` says that this is a skill's.
fn below(workspace: &Workspace, document: &Document, root: &[u8], begin: Span, of_skill: bool) -> Option<Mention> {
    let path = path_behind(document, begin)?;
    if of_skill && !is_page_or_script(path) {
        return None;
    }
    let full = path::resolve(root, path.as_bytes())?;
    let Resolution::Missing(missing) = workspace.resolve(&full) else { return None };
    // What a folder above the skill has, an installer puts beside it.
    let is_above = |dir: &&[u8]| workspace.listing.contains(&path::join(dir, path.as_bytes()));
    if of_skill && path.contains('/') && path::ancestors_from_root(path::parent(root)).iter().any(is_above) {
        return None;
    }
    // What is to be written stands in no folder yet, nor does what an imaginary bundle holds.
    let stands = of_skill || path.contains('/') && workspace.listing.has_dir(missing.parent());
    let near = if stands { None } else { in_another_folder(workspace, root, path) };
    let is_meant = stands || near.is_some();
    told(document, Span::new(begin.start, begin.end + path.len()), (is_meant, of_skill), (missing, near))
}

/// The path right behind the variable at `variable`, where a slash is missing between them.
fn without_slash(workspace: &Workspace, document: &Document, root: &[u8], variable: Span) -> Option<Mention> {
    let path = path_behind(document, variable).filter(|path| path.contains('/'))?;
    let full = path::resolve(root, path.as_bytes())?;
    let near = match workspace.resolve(&full) {
        Resolution::File(file) => Some(file),
        _ => in_another_folder(workspace, root, path),
    };
    let is_path = path.starts_with(|c: char| c.is_ascii_alphabetic()) && near.is_some();
    let span = Span::new(variable.start, variable.end + path.len());
    let missing = RepoPath::from(document.slice(span));
    if is_path { told(document, span, (true, false), (missing, near)) } else { None }
}

/// The only file below `root` that has the last folder and the name of `path`.
fn in_another_folder(workspace: &Workspace, root: &[u8], path: &str) -> Option<RepoPath> {
    let end = format!("/{path}");
    let same = workspace.listing.with_name(path::file_name(path.as_bytes())).into_iter();
    let mut ends_so = same.filter(|file| path::is_at_or_below(file, root) && file.ends_with(end.as_bytes()));
    let only = ends_so.next().filter(|_| path.contains('/') && ends_so.next().is_none())?;
    Some(RepoPath::new(only))
}

/// What the text at `span` claims about the path `missing`, if it is meant; one of a skill's own is by whatever command has it.
fn told(
    document: &Document,
    span: Span,
    (is_meant, of_skill): (bool, bool),
    (missing, near): (RepoPath, Option<RepoPath>),
) -> Option<Mention> {
    let fence = document.markdown.fence_at(span.start);
    // A hint file inside of another one shows how the reader's own may look, and so does a sample of settings in what is handed out.
    let is_sample = |fence: &Code| {
        let content = document.slice(fence.content);
        content.starts_with("---") || shows_a_page(fence) || document.kind.is_general() && !of_skill && is_data(fence)
    };
    if fence.is_some_and(is_sample) {
        return None;
    }
    let stance = match fence {
        Some(fence) => stance_in_fence(document, span, fence.span),
        None => stance(document, span),
    };
    let hedged = stance == Stance::Hedges && !(of_skill && fence.is_some());
    let claimed = stance != Stance::Denies && !hedged && is_meant && !is_caption(document, span);
    let place = Miss::Absent { candidates: vec![missing], near };
    let mention = Mention::new(MentionForm::File, span, document.slice(span).to_owned(), place);
    (stance != Stance::Denies).then_some(Mention {
        claimed,
        relied_on: claimed,
        hedged,
        of_bundle: true,
        verbatim: false,
        ..mention
    })
}

/// Whether a comment begins with the path: it says what a sample is called.
fn is_caption(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let before = document.text.get(line.start..span.start).unwrap_or_default().trim();
    matches!(before, "#" | "//" | "--" | "/*" | "<!--")
}

/// Whether a skill that goes without the file lacks something: data may be what it makes.
fn is_page_or_script(path: &str) -> bool {
    [".bash", ".cjs", ".js", ".md", ".mjs", ".ps1", ".py", ".rb", ".sh", ".ts"].iter().any(|end| path.ends_with(end))
}

/// Whether a fence shows what a page says: another skill may have it.
fn shows_a_page(fence: &Code) -> bool {
    let CodeKind::Fence { language, .. } = &fence.kind else { return false };
    let word = language.to_ascii_lowercase();
    matches!(word.split([':', ' ', '{', ',']).next(), Some("markdown" | "md" | "mdx"))
}

/// Whether a fence holds data.
fn is_data(fence: &Code) -> bool {
    let CodeKind::Fence { language, .. } = &fence.kind else { return false };
    matches!(&*language.to_ascii_lowercase(), "json" | "json5" | "jsonc" | "toml" | "yaml")
}
