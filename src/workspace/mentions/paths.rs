//! Paths that lead nowhere, in code spans, commands, plain words, drawn trees and patterns.

use super::exact::{is_exact, is_page_beside};
use super::own_sources::{is_below_a_folder_here, is_symbol};
use super::place::{Tried, find, in_other_case};
use super::stance::{
    Stance, introductions, is_only_an_example, is_sent_to, is_to_be_read, is_to_come, stance, stance_in_fence,
    stance_of_old,
};
use super::{Mention, MentionForm, Miss, agents_folder, backslashes, led, lone_list, token};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::{Code, Link, LinkKind};
use crate::parse::patterns::{self, PathPattern};
use crate::workspace::{Resolution, Workspace};

/// Whether `span` stands in the text of one of `links`, which are sorted by place; an image may stand in a link.
pub(super) fn is_covered(links: &[Link], span: Span) -> bool {
    let before = links.partition_point(|link| link.span.start <= span.start);
    let near = links[..before].iter().rev().take(3);
    near.into_iter().any(|link| link.kind != LinkKind::Definition && link.span.covers(span))
}

/// A code span that is a path which is not there, or `{a,b}` paths some of which are not.
pub(super) fn in_code(workspace: &Workspace, document: &Document, content: Span) -> Vec<Mention> {
    let text = document.slice(content);
    if let Some(token) = token::in_code(text) {
        let start = content.start + token.start;
        let span = Span::new(start, start + token.path.len());
        return of_token(workspace, document, &token, span, None).into_iter().collect();
    }
    if let Some(path) = backslashes::with_slashes(text)
        && let Some(token) = token::in_code(&path)
    {
        let found = of_token(workspace, document, &token, content, None);
        return found.map(|mention| Mention { verbatim: false, ..mention }).into_iter().collect();
    }
    let all = token::alternatives(text);
    let tokens = all.iter().filter_map(|text| token::in_code(text));
    let found = tokens.filter_map(|token| of_token(workspace, document, &token, content, None));
    found.map(|mention| Mention { verbatim: false, ..mention }).collect()
}

/// A path in plain words that is not there. Only what history knew is worth reporting.
pub(super) fn in_words(workspace: &Workspace, document: &Document, span: Span, fence: Option<Span>) -> Option<Mention> {
    if is_covered(&document.markdown.links, span) {
        return None;
    }
    let token = token::in_code(document.slice(span))?;
    let span = Span::new(span.start, span.start + token.path.len());
    let mention = of_token(workspace, document, &token, span, fence)?;
    let known = matches!(mention.form, MentionForm::File | MentionForm::Directory);
    let claimed = mention.claimed && fence.is_none() && is_bold_item(document, span);
    known.then_some(Mention { claimed, ..mention })
}

/// Whether the words at `span` are in bold and begin a list item: they are what the item is about, as in backticks.
fn is_bold_item(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let before = document.text.get(line.start..span.start).unwrap_or_default().trim_start();
    let after = document.text[span.end..].trim_start_matches(['/', ':']);
    matches!(before, "- **" | "* **" | "+ **") && after.starts_with("**")
}

/// What a token of so many parts names by its form.
fn form_of(token: &token::PathToken<'_>, parts: usize) -> Option<MentionForm> {
    match () {
        () if !token.directory && token::has_extension(token.path) => Some(MentionForm::File),
        () if token.directory || parts > 1 => Some(MentionForm::Directory),
        () => None,
    }
}

/// Whether `written` may be the path of what `form` says.
fn is_plausible_as(form: MentionForm, written: &str) -> bool {
    match form {
        MentionForm::Directory => token::may_have_been_a_folder(written),
        _ => token::is_plausible(written),
    }
}

/// Whether an absolute path leads to what each machine has, such as `/etc/hosts`; others may count from the repository's root.
fn is_of_a_system(written: &str) -> bool {
    let first = written.split('/').next().unwrap_or_default();
    matches!(first, "boot" | "etc" | "mnt" | "opt" | "proc" | "root" | "srv" | "sys" | "usr" | "var")
}

/// `token`, which stands at `span`, letter by letter, and in the command of `fence` if one is given.
pub(super) fn of_token(
    workspace: &Workspace,
    document: &Document,
    token: &token::PathToken<'_>,
    span: Span,
    fence: Option<Span>,
) -> Option<Mention> {
    let path = token.path;
    let parts = path.split('/').filter(|part| !part.is_empty() && *part != ".").count();
    let form = form_of(token, parts)?;
    let absolute = path.starts_with('/');
    let written = path.trim_start_matches('/');
    // TypeScript imports name the file that the compiler will make.
    let variants: &[&str] = if written.starts_with('.') { &[".ts", ".tsx", ".js", ".py", ".md"] } else { &[] };
    let dir = document.path.parent();
    let Tried::Absent(candidates) = find(workspace, dir, written, absolute, variants) else { return None };
    if led::leads_away(workspace, document, path, span) || is_no_path(workspace, dir, path) {
        return None;
    }
    // Two words with a slash between them are a path only if the first is a folder; an absolute path is of this machine.
    let needs_folder = form == MentionForm::Directory && !token.directory || absolute;
    let near = agents_folder::misspelt(workspace, written).or_else(|| agents_folder::without_dot(workspace, written));
    let near = near.filter(|_| !absolute);
    let begins_here = || candidates.iter().any(|candidate| begins_in_folder(workspace, candidate, written));
    if needs_folder && near.is_none() && !begins_here() {
        return None;
    }
    let candidates = match (parts, fence) {
        (1, _) => of_lone_name(workspace, document, (written, span), candidates, fence.is_none())?,
        (_, None) if !absolute => of_section(workspace, document, (written, span), candidates)?,
        _ => candidates,
    };
    let in_text = || stance_in_text(workspace, document, span, parts == 1);
    let stance = fence.map_or_else(in_text, |fence| stance_in_fence(document, span, fence));
    let is_missed = || parts == 1 && fence.is_none() && is_missed_in_list(workspace, document, span);
    let parent_stands = candidates.iter().any(|candidate| workspace.listing.has_dir(candidate.parent()));
    let named_exactly = form == MentionForm::File && parts > 1 && token::is_plausible(written);
    // Folders of routes have brackets, and history knows them.
    let is_told = form == MentionForm::File && parts > 1 && token::may_have_been(written);
    let is_plausible = is_plausible_as(form, written);
    let (is_slip, place) = (near.is_some(), Miss::Absent { candidates, near });
    // Who is sent to a file believes in it even if its folder is not there.
    let is_sent = || {
        let is_told = named_exactly && fence.is_none() && !document.kind.is_general();
        is_told && !token::may_be_made(written) && is_sent_to(document, span)
    };
    let may_illustrate = || named_exactly && parts > 2 && fence.is_none() && !absolute && !document.kind.is_general();
    Some(Mention {
        claimed: stance == Stance::Claims
            && (parts > 1 || fence.is_none() && is_page_beside(document, written) || is_missed())
            && is_plausible
            && (parent_stands
                || is_slip
                || is_sent()
                || named_exactly && is_below_a_folder_here(workspace, document, written)),
        relied_on: stance == Stance::Claims && (is_told && !absolute || is_missed()),
        hedged: stance == Stance::Hedges,
        to_be_read: fence.is_none() && stance == Stance::Claims && is_to_be_read(document, span),
        sends: fence.is_none() && stance == Stance::Claims && is_sent_to(document, span),
        to_come: is_to_come(document, span),
        exact: fence.is_none() && form == MentionForm::File && is_exact(document, span, written),
        denied: stance == Stance::Denies,
        illustrates: stance == Stance::Denies && may_illustrate() && is_only_an_example(document, span),
        from_root: absolute,
        verbatim: !absolute,
        ..Mention::new(form, span, written.to_owned(), place)
    })
}

/// Whether `path` is none of the repository's own files: a module, a file of the user's or of each machine, a name in a package.
fn is_no_path(workspace: &Workspace, dir: &[u8], path: &str) -> bool {
    let written = path.trim_start_matches('/');
    path.starts_with('/') && is_of_a_system(written)
        || led::compiled_from(workspace, dir, written)
        || token::is_personal(written)
        || is_symbol(workspace, dir, written)
}

/// What the text outside fences claims about the path at `span`, which may be a `lone` name.
fn stance_in_text(workspace: &Workspace, document: &Document, span: Span, lone: bool) -> Stance {
    let is_of_many = || is_any(document, span) || is_outcome(document, span) || each_has_one(document, span);
    match stance_beside_others(workspace, document, span) {
        Stance::Claims if lone && is_of_many() => Stance::Hedges,
        stance => stance,
    }
}

/// Whether the first part of `written` is a folder, where `candidate` is the path that is meant.
fn begins_in_folder(workspace: &Workspace, candidate: &RepoPath, written: &str) -> bool {
    let written = written.trim_start_matches("./");
    let first = written.split('/').next().unwrap_or(written);
    let above = candidate.as_bytes().len().checked_sub(written.len());
    let above = above.map_or(&b""[..], |at| &candidate.as_bytes()[..at]);
    workspace.listing.has_dir(&[above, first.as_bytes()].concat())
}

/// Whether the folder that introduces a list has most of its files, and not the one at `span`.
fn is_missed_in_list(workspace: &Workspace, document: &Document, span: Span) -> bool {
    let is_of_here = !document.kind.is_general();
    is_of_here
        && folders_above(workspace, document, span)
            .any(|folder| lone_list::is_missed(workspace, document, span, &folder))
}

/// Which of the `candidates` a lone name may mean: it is too short to be looked for anywhere but here, in the root and, in
/// prose, in the folders that introduce it. `None` if one of those has it.
fn of_lone_name(
    workspace: &Workspace,
    document: &Document,
    (name, span): (&str, Span),
    mut candidates: Vec<RepoPath>,
    in_prose: bool,
) -> Option<Vec<RepoPath>> {
    // In a skill it is a file of the skill's, or of its user's.
    let in_root = !matches!(document.kind, Kind::Skill | Kind::SkillPage);
    let skill = workspace.skill_folder(document).filter(|_| document.kind == Kind::SkillPage);
    let dir = document.path.parent();
    candidates.retain(|candidate| {
        let above = candidate.parent();
        above == dir || in_root && above.is_empty() || skill == Some(above)
    });
    for folder in folders_above(workspace, document, span).filter(|_| in_prose) {
        match workspace.resolve(&path::join(folder.as_bytes(), name.as_bytes())) {
            Resolution::Missing(missing) => candidates.push(missing),
            _ => return None,
        }
    }
    Some(candidates)
}

/// The `candidates` of a path, and before them the one in the folder of which its section tells, if that has the path's first folder:
/// "Frontend (in `web/src/`)". `None` if it is there.
fn of_section(
    workspace: &Workspace,
    document: &Document,
    (written, span): (&str, Span),
    mut candidates: Vec<RepoPath>,
) -> Option<Vec<RepoPath>> {
    let Some((first, _)) = written.split_once('/').filter(|(first, _)| !first.starts_with('.')) else {
        return Some(candidates);
    };
    for folder in folders_above(workspace, document, span) {
        if folder.as_bytes().is_empty() || !workspace.listing.has_dir(&path::join(folder.as_bytes(), first.as_bytes()))
        {
            continue;
        }
        match workspace.resolve(&path::join(folder.as_bytes(), written.as_bytes())) {
            Resolution::Missing(missing) if !candidates.contains(&missing) => candidates.insert(0, missing),
            Resolution::Missing(_) => {}
            _ => return None,
        }
    }
    Some(candidates)
}

/// Whether the word before the lone name at `span` says that any file of that name is meant.
fn is_any(document: &Document, span: Span) -> bool {
    let start = document.text.floor_char_boundary(span.start.saturating_sub(20));
    let before = document.text[start..span.start].trim_end_matches(['`', '*', '"', ' ']);
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_ascii_lowercase();
    matches!(&*word, "a" | "an" | "any" | "each" | "every" | "your")
}

/// Whether the line says of several things that each has a file of the lone name at `span`: "Files per service: …".
fn each_has_one(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let start = document.text.ceil_char_boundary(line.start.max(span.start.saturating_sub(MAX_BEFORE)));
    let before = document.text[start..span.start].to_lowercase();
    let per_thing = before.rsplit_once(':').is_some_and(|(lead, _)| {
        let mut words = lead.trim_end_matches(['*', '_']).rsplit(' ');
        words.next().is_some_and(|word| word.len() > 1)
            && words.next().is_some_and(|word| matches!(word, "per" | "each" | "every"))
    });
    let words: Vec<&str> = before.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |word: &str| matches!(word, "has" | "contains" | "holds" | "needs" | "gets" | "includes");
    per_thing
        || words.windows(3).any(|three| matches!(three[0], "each" | "every") && (has(three[2]) || three[2] == "must"))
}

/// Bytes of a line before a name that are looked at, at most.
const MAX_BEFORE: usize = 300;

/// Whether a prompt names a lone file as what comes of a step: "Extract entities → `data-model.md`".
fn is_outcome(document: &Document, span: Span) -> bool {
    let before = document.text[..span.start].trim_end_matches(['`', '*', ' ']);
    document.kind.is_general() && (before.ends_with('→') || before.ends_with("->"))
}

/// What the text says of the path at `span`; where it calls it old, and also another path of the line that is there, that is no
/// reason why it should not be there.
fn stance_beside_others(workspace: &Workspace, document: &Document, span: Span) -> Stance {
    let whole = stance(document, span);
    if whole != Stance::Denies {
        return whole;
    }
    let without = stance_of_old(document, span);
    if without == Stance::Denies {
        return whole;
    }
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let from = document.markdown.code.partition_point(|code| code.span.start < line.start);
    let spans = document.markdown.code[from..].iter().take_while(|code| code.span.end <= line.end);
    let is_there = |code: &Code| {
        let token = token::in_code(document.slice(code.content)).filter(|token| token.path.contains('/'));
        token.is_some_and(|token| {
            matches!(find(workspace, document.path.parent(), token.path, false, &[]), Tried::Found(_))
        })
    };
    match spans.take(MAX_BESIDE).any(is_there) {
        true => without,
        false => whole,
    }
}

/// Code spans of one line that are looked up, at most.
const MAX_BESIDE: usize = 20;

/// The folder that introduces the list, or heads the section, in which a lone name stands at `span`: where it is, or where it
/// would be.
pub(super) fn folders_above(workspace: &Workspace, document: &Document, span: Span) -> impl Iterator<Item = RepoPath> {
    let names: Vec<String> = introductions(document, span.start).iter().filter_map(|text| only_folder(text)).collect();
    let dir = document.path.parent();
    let folders = names.first().map_or_else(Vec::new, |name| match find(workspace, dir, name, false, &[]) {
        Tried::Absent(candidates) => candidates,
        Tried::Found(_) => {
            let bases = path::ancestors_from_root(dir).into_iter().rev();
            let full = bases.filter_map(|base| path::resolve(base, name.as_bytes()));
            let found = full.map(|full| workspace.resolve(&full)).find_map(|found| match found {
                Resolution::Directory(folder) => Some(folder),
                _ => None,
            });
            found.into_iter().collect()
        }
        Tried::Unknown | Tried::Outside => Vec::new(),
    });
    folders.into_iter()
}

/// The folder that `text` names in backticks, if it is the only one.
fn only_folder(text: &str) -> Option<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let mut folders = quoted
        .filter_map(token::in_code)
        .filter(|token| token.directory || token.path.contains('/') && !token::has_extension(token.path));
    let folder = folders.next().filter(|_| folders.next().is_none())?;
    token::may_have_been_a_folder(folder.path).then(|| folder.path.to_owned())
}

/// What a pattern says before its first wildcard, if that is not there.
pub(super) fn in_pattern(workspace: &Workspace, document: &Document, pattern: &PathPattern) -> Option<Mention> {
    let prefix = patterns::literal_prefix(&pattern.text);
    let path = prefix.trim_start_matches('/');
    if path.is_empty() || path.starts_with('.') && path.split('/').any(|part| part == ".." || part == ".") {
        return None;
    }
    let candidates: Vec<RepoPath> =
        patterns::bases(document).into_iter().map(|base| RepoPath::new(path::join(base, path.as_bytes()))).collect();
    let stands = |candidate: &RepoPath| {
        !matches!(workspace.resolve(candidate.as_bytes()), Resolution::Missing(_))
            // Agents differ in whether case counts in patterns.
            || in_other_case(&workspace.listing, candidate.as_bytes()).is_some()
    };
    if candidates.iter().any(stands) {
        return None;
    }
    let start = pattern.span.start + (prefix.len() - path.len());
    let span = if pattern.exact { Span::new(start, start + path.len()) } else { pattern.span };
    let place = Miss::Absent { candidates, near: None };
    Some(Mention { verbatim: pattern.exact, ..Mention::new(MentionForm::Glob, span, path.to_owned(), place) })
}
