//! What else the line, list or table around a path names, and whether that exists.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::block::block_around;
use super::handed_out::{is_in_an_agents_folder, is_in_use};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss, is_source, is_spelt_so};

/// How far from a path its source is looked for, in bytes.
const NEAR: usize = 300;

/// Whether the line of `mention` also names a file of this repository that is called like it: the one from which it is made.
pub(super) fn names_its_source(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let line = document.lines.line_span(document.lines.line_of(mention.span.start));
    let name = path::file_name(mention.path.as_bytes());
    let is_source = |word: &str| {
        let from =
            |dir: &[u8]| path::resolve(dir, word.as_bytes()).is_some_and(|path| workspace.listing.contains(&path));
        path::file_name(word.as_bytes()) == name && (from(document.path.parent()) || from(b""))
    };
    // A line may be as long as a file.
    let text = &document.text;
    let start = text.ceil_char_boundary(mention.span.start.saturating_sub(NEAR)).max(line.start);
    let end = text.floor_char_boundary(mention.span.end + NEAR).min(line.end);
    let rest = [start..mention.span.start, mention.span.end.min(end)..end];
    let words = |rest: std::ops::Range<usize>| {
        document.text[rest].split(|c: char| c.is_whitespace() || "`'\"()[]<>,;".contains(c))
    };
    rest.into_iter().flat_map(words).any(is_source)
}

/// Whether the line of `mention` also names a file that is there, of which the path is the test by its name: it shows how tests are called.
pub(super) fn names_what_it_tests(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let stem = |path: &str| path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or(path).to_owned();
    let name = mention.path.rsplit('/').next().unwrap_or(&mention.path);
    let own = stem(&mention.path);
    let bare = own.trim_start_matches("test_").trim_end_matches("_test").trim_end_matches("_spec");
    let bare = bare.trim_end_matches("Tests").trim_end_matches("Test").trim_end_matches("Spec");
    let is_test = bare.len() < own.len() || name.contains(".test.") || name.contains(".spec.");
    let line = document.lines.line_span(document.lines.line_of(mention.span.start));
    let begin = document.text.ceil_char_boundary(mention.span.start.saturating_sub(NEAR)).max(line.start);
    let before = &document.text[begin..mention.span.start];
    let mut words = before.split(|c: char| c.is_whitespace() || "`'\"()[]<>,;|".contains(c));
    is_test
        && words.any(|word| {
            let is_tested = word.contains('.') && stem(word) == bare && word != mention.path;
            is_tested && path::resolve(b"", word.as_bytes()).is_some_and(|path| workspace.listing.contains(&path))
        })
}

/// What the name of a template ends in behind that of the file which is made from it.
const TEMPLATES: [&str; 5] = [".ejs", ".hbs", ".j2", ".template", ".tmpl"];

/// Whether a template has the path's name and folder: `x/SKILL.md` is made from `templates/x/SKILL.md.tmpl` where that is installed.
pub(super) fn is_made_from_a_template(workspace: &Workspace, mention: &Mention) -> bool {
    let written = mention.path.trim_start_matches("./");
    let (folder, name) = written.rsplit_once('/').unwrap_or(("", written));
    let folder = folder.rsplit('/').next().unwrap_or_default();
    let of_folder = |template: &&[u8]| path::file_name(path::parent(template)) == folder.as_bytes();
    let is_there = |end: &&str| workspace.listing.with_name(format!("{name}{end}").as_bytes()).iter().any(of_folder);
    mention.form == MentionForm::File && !folder.is_empty() && TEMPLATES.iter().any(is_there)
}

/// Whether a path is that of what a compiler makes of a TypeScript file which is there: modules import each other by it.
pub(super) fn is_compiled(workspace: &Workspace, candidates: &[RepoPath]) -> bool {
    candidates.iter().any(|candidate| {
        let stem = candidate.as_bytes().strip_suffix(b"js").or_else(|| candidate.as_bytes().strip_suffix(b"jsx"));
        let sources = [&b"ts"[..], b"tsx"];
        stem.is_some_and(|stem| sources.iter().any(|end| workspace.listing.contains(&[stem, end].concat())))
    })
}

/// Endings of languages whose modules hold their sources below folders of which nobody speaks: `src/main/kotlin/org/acme`.
const OF_PACKAGES: [&str; 5] = [".groovy", ".java", ".kt", ".kts", ".scala"];

/// Whether a path of a module and a file is short for that file in the sources of the module: `player/Clock.kt` for
/// `player/src/main/kotlin/app/Clock.kt`. Where folders of sources are deep, packages may stand before the file: `player/app/Clock.kt`.
pub(super) fn is_short_for_a_source(workspace: &Workspace, mention: &Mention) -> bool {
    let written = mention.path.trim_start_matches("./");
    let Some((_, name)) = written.rsplit_once('/') else { return false };
    let has_packages = OF_PACKAGES.iter().any(|end| name.ends_with(end));
    let same = workspace.listing.with_name(name.as_bytes());
    written.rmatch_indices('/').take(if has_packages { usize::MAX } else { 1 }).any(|(at, _)| {
        let (begin, end) = (format!("{}/src/", &written[..at]), &written[at..]);
        same.iter().filter(|file| file.ends_with(end.as_bytes())).any(|file| {
            let at = memchr::memmem::find(file, begin.as_bytes());
            at.is_some_and(|at| at == 0 || file[at - 1] == b'/')
        })
    })
}

/// Folders whose folders are parts of a repository that have names of their own.
pub(super) const OF_PARTS: [&[u8]; 9] =
    [b"apps", b"crates", b"extensions", b"libs", b"modules", b"packages", b"plugins", b"services", b"skills"];

/// Whether a path begins with the name of a part of the repository, as people speak of it, and `near` lies in that part:
/// `mailer/send.sh` for `plugins/mailer/hooks/send.sh`.
pub(super) fn is_short_for_a_part(mention: &Mention, near: &RepoPath) -> bool {
    let written = mention.path.trim_start_matches("./");
    let Some((part, _)) = written.split_once('/') else { return false };
    let folders: Vec<&[u8]> = near.as_bytes().split(|&byte| byte == b'/').collect();
    folders.windows(2).any(|pair| OF_PARTS.contains(&pair[0]) && pair[1] == part.as_bytes())
}

/// Which folders have most of their files there that a list or table names: answers of one run, since all mentions of a block
/// and folder have the same one.
#[derive(Default)]
pub(super) struct Siblings(RefCell<BTreeMap<(RepoPath, usize, usize, String), bool>>);

impl Siblings {
    /// Whether the list or table around `mention` names other files of the same folder, and at least as many of them are there as
    /// are not.
    pub(super) fn stand_beside(&self, workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
        let Miss::Absent { candidates, .. } = &mention.place else { return false };
        let Some((written, _)) = mention.path.rsplit_once('/').filter(|_| mention.claimed) else { return false };
        let line = || document.lines.line_span(document.lines.line_of(mention.span.start));
        let around = block_around(document, mention.span.start).unwrap_or_else(line);
        // A slash at the end tells the folders of a folder from its files.
        let end = if mention.form == MentionForm::Directory { "/" } else { "" };
        let key = (document.path.clone(), around.start, around.end, format!("{written}{end}"));
        *self.0.borrow_mut().entry(key).or_insert_with(|| {
            let folder = candidates.iter().map(RepoPath::parent).find(|folder| workspace.listing.has_dir(folder));
            let text = document.slice(around);
            folder.is_some_and(|folder| match mention.form {
                MentionForm::Directory => folders_are_there(workspace, folder, written, text),
                _ => are_mostly_there(workspace, folder, written, text),
            })
        })
    }
}

/// Rows or items that must name pages of one folder before the folder was forgotten when the text was copied.
const MIN_PAGES: usize = 3;

/// Whether the list or table around `mention` names several other files of the same folder.
pub(super) fn stands_among_others(document: &Document, mention: &Mention) -> bool {
    let Some((written, _)) = mention.path.rsplit_once('/') else { return false };
    let Some(around) = block_around(document, mention.span.start) else { return false };
    let begin = format!("`{written}/");
    let text = document.slice(around);
    let names = text.match_indices(&begin).filter_map(|(at, _)| text[at + begin.len()..].split('`').next());
    names.filter(|name| name.contains('.') && !name.contains(['/', '*', '<', '{', '\n'])).collect::<BTreeSet<_>>().len()
        >= MIN_PAGES
}

/// Whether the list or table around a lone folder's name has an item or row for each of several folders, most of which are there.
pub(super) fn lone_folders_stand(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let Some(around) = block_around(document, mention.span.start) else { return false };
    let line = document.lines.line_span(document.lines.line_of(mention.span.start));
    let indent = |line: &str| line.len() - line.trim_start().len();
    let depth = indent(document.slice(line));
    let names: BTreeSet<&str> = document
        .slice(Span::new(around.start.min(line.start), around.end))
        .lines()
        .filter(|line| indent(line) == depth)
        .filter_map(|line| {
            line.trim_start().trim_start_matches(['-', '*', '+', '|', ' ']).strip_prefix('`')?.split_once("/`")
        })
        .map(|(name, _)| name)
        .filter(|name| !name.is_empty() && !name.contains(['.', '/', '*', '<', '{', '`', ' ']))
        .collect();
    let written = mention.path.trim_end_matches('/');
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let says = document.slice(line).to_lowercase();
    let made = [
        "aggregate",
        "archive",
        "built",
        "cache",
        "generated",
        "history",
        "logs",
        "metrics",
        "output",
        "reports",
        "results",
        "snapshots",
        "temporary",
        "tracking",
    ];
    let is_made = made.iter().any(|word| says.contains(word));
    written.chars().all(is_name)
        && !is_made
        && names.contains(written)
        && candidates.iter().any(|candidate| {
            let folder = candidate.parent();
            let there =
                names.iter().filter(|name| workspace.listing.has_dir(&path::join(folder, name.as_bytes()))).count();
            // At the top of a repository any project has some of the folders.
            match folder.is_empty() {
                true => there >= MIN_FOLDERS && there * 3 >= names.len() * 2,
                false => there >= 2 && there * 2 >= names.len(),
            }
        })
}

/// Whether the one file of the repository that has the name writes `-` for `_` in it, or the other way round.
pub(super) fn is_dash_for_dash(document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { near: Some(near), .. } = &mention.place else { return false };
    let name = mention.path.rsplit('/').next().unwrap_or_default();
    is_in_use(document)
        && !mention.hedged
        && !mention.to_come
        && near.file_name() != name.as_bytes()
        && is_spelt_so(near.file_name(), name)
}

/// Whether `text` names files of `folder`, which it calls `written`, and at least as many of them are there as are not.
fn are_mostly_there(workspace: &Workspace, folder: &[u8], written: &str, text: &str) -> bool {
    let begin = format!("`{written}/");
    let names =
        text.match_indices(&begin).filter_map(|(at, _)| text[at + begin.len()..].split(['`', ':', '#', '\n']).next());
    let names: BTreeSet<&str> =
        names.filter(|name| name.contains('.') && !name.contains(['/', '*', '<', '{'])).collect();
    are_mostly(&names, |name| workspace.listing.contains(&path::join(folder, name.as_bytes())))
}

/// Folders beside one that was never there that must be there, at least: folders are made where they are needed.
const MIN_FOLDERS: usize = 3;

/// The same of folders: `text` names some of `folder`, and most of them are there.
fn folders_are_there(workspace: &Workspace, folder: &[u8], written: &str, text: &str) -> bool {
    let begin = format!("`{written}/");
    let names = text.match_indices(&begin).filter_map(|(at, _)| text[at + begin.len()..].split('`').next());
    let names: BTreeSet<&str> = names
        .map(|name| name.trim_end_matches('/'))
        .filter(|name| !name.is_empty() && !name.contains(['.', '/', '*', '<', '{', '\n']))
        .collect();
    let there = names.iter().filter(|name| workspace.listing.has_dir(&path::join(folder, name.as_bytes()))).count();
    there >= MIN_FOLDERS && there * 2 > names.len()
}

/// Words of a fence that are looked at, at most.
const MAX_WORDS: usize = 5000;

/// Whether the commands of the same fence name other entries of the folder, and at least as many of them are there as are not.
pub(super) fn stands_beside_others(
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
    candidates: &[RepoPath],
) -> bool {
    let Some((written, _)) = mention.path.rsplit_once('/').filter(|_| !mention.hedged) else { return false };
    let Some(fence) = document.markdown.fence_at(mention.span.start) else { return false };
    let folder = candidates.iter().map(RepoPath::parent).find(|folder| workspace.listing.has_dir(folder));
    let Some(folder) = folder.filter(|_| !document.kind.is_general()) else { return false };
    let begin = format!("{written}/");
    let entries = document.slice(fence.content).split_whitespace().take(MAX_WORDS);
    let entries = entries.filter_map(|word| word.strip_prefix("./").unwrap_or(word).strip_prefix(&begin));
    let names: BTreeSet<&str> = entries
        .map(|rest| rest.split(['/', ':', '"', '\'', '#']).next().unwrap_or(rest))
        .filter(|name| !name.is_empty() && !name.contains(['*', '<', '$', '{']))
        .collect();
    are_mostly(&names, |name| {
        let full = path::join(folder, name.as_bytes());
        workspace.listing.contains(&full) || workspace.listing.has_dir(&full)
    })
}

/// Whether `exists` holds for some of `names`, and for at least half of them.
fn are_mostly(names: &BTreeSet<&str>, exists: impl Fn(&str) -> bool) -> bool {
    let existing = names.iter().filter(|name| exists(name)).count();
    existing > 0 && existing * 2 >= names.len()
}

/// Other paths of a list that must be there, at least, before the only one that is not there is a slip.
const MIN_THERE: usize = 3;

/// Folders above a file without which a text for any project may have the same path.
const DEEP: usize = 3;

/// Sources with names of their own that such a list in a prompt must have, at least.
const MIN_OWN: usize = 2;

/// Names of sources that every project of a kind has.
const CONVENTIONAL: [&str; 16] = [
    "__init__",
    "app",
    "client",
    "config",
    "constants",
    "error",
    "index",
    "layout",
    "lib",
    "main",
    "mod",
    "page",
    "route",
    "server",
    "types",
    "utils",
];

/// Whether a path is that of a source whose name tells it from those of other projects.
fn is_own_source(written: &str) -> bool {
    let stem = path::file_name(written.as_bytes()).split(|&byte| byte == b'.').next().unwrap_or_default();
    is_source(written.as_bytes()) && !CONVENTIONAL.iter().any(|name| name.as_bytes() == stem)
}

/// Whether the list or table around a path names several others, all of which are there; in a prompt only where all of them lie deep in this
/// repository, or are parts of it.
pub(super) fn is_the_only_one_absent(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let written = mention.path.trim_start_matches("./").trim_end_matches('/');
    let is_claimed = mention.claimed || mention.relied_on || mention.form == MentionForm::Directory;
    let is_told = is_claimed && !mention.hedged && !mention.to_come && written.contains('/');
    let Some(around) = block_around(document, mention.span.start).filter(|_| is_told) else { return false };
    let above = path::ancestors_from_root(document.path.parent());
    let resolved = |name: &str| above.iter().filter_map(|dir| path::resolve(dir, name.as_bytes())).collect::<Vec<_>>();
    let stands = |name: &str| {
        resolved(name).iter().any(|place| workspace.listing.contains(place) || workspace.listing.has_dir(place))
    };
    let is_path =
        |name: &&str| name.contains('/') && !name.contains([' ', '\n', '*', '<', '{', '$', '~', '@', '(', ':']);
    let spans = document.slice(around).split('`').skip(1).step_by(2).filter(is_path);
    let others: BTreeSet<&str> =
        spans.map(|name| name.trim_start_matches("./").trim_end_matches('/')).filter(|name| *name != written).collect();
    let is_deep = |name: &str| name.matches('/').count() >= DEEP;
    // Parts of a repository have names of their own.
    let is_part = |name: &str| name.split_once('/').is_some_and(|(first, _)| OF_PARTS.contains(&first.as_bytes()));
    let names_parts = || is_part(written) && others.iter().filter(|name| is_part(name)).count() >= MIN_THERE;
    let names_sources =
        || is_own_source(written) && others.iter().filter(|name| is_own_source(name)).count() >= MIN_OWN;
    let is_of_here = !document.kind.is_general()
        || is_deep(written) && others.iter().all(|name| is_deep(name))
        || is_in_an_agents_folder(document) && (names_parts() || names_sources());
    let first = written.split('/').next().unwrap_or_default();
    is_of_here && others.len() >= MIN_THERE && others.iter().all(|name| stands(name)) && stands(first)
}
