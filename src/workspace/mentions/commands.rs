//! Paths that lead nowhere in commands.

use super::paths::of_token;
use super::place::{Tried, find};
use super::{Mention, MentionForm, Miss, agents_folder, run, token};
use crate::base::kind::Role;
use crate::base::text::Span;
use crate::parse::Document;
use crate::workspace::Workspace;

/// A word of a command that is the path of a file or folder which is not there.
pub(super) fn in_command(workspace: &Workspace, document: &Document, word: &run::CommandPath) -> Option<Mention> {
    let text = document.slice(word.span);
    // `go test ./pkg/...` means a folder and all below it.
    let (text, all_below) = text.strip_suffix("/...").map_or((text, false), |text| (text, true));
    // Nobody runs a folder: the dots stand for the rest of a path.
    if all_below && word.used == run::Use::Runs {
        return None;
    }
    if word.fence.is_none() && is_path_with_blanks(workspace, document, word.span) {
        return None;
    }
    let token = token::in_code(text)?;
    let directory = token.directory || all_below || word.used == run::Use::Enters;
    let token = token::PathToken { directory, ..token };
    let plausible = if directory || !token::has_extension(token.path) {
        token::may_have_been_a_folder(token.path)
    } else {
        token::is_plausible(token.path) || is_in_bin(word, token.path)
    };
    if !plausible && agents_folder::without_dot(workspace, token.path).is_none() {
        return None;
    }
    let start = word.span.start + token.start;
    let span = Span::new(start, start + token.path.len());
    let dir = document.path.parent();
    let is_found = |path: &str| matches!(find(workspace, dir, path, false, &[]), Tried::Found(_));
    let below =
        |folder: &str| if folder.is_empty() { token.path.to_owned() } else { format!("{folder}/{}", token.path) };
    if !word.folder.is_empty() && tails(&word.folder).skip(1).any(|tail| is_found(&below(tail))) {
        return None;
    }
    let folder = tails(&word.folder).find(|tail| !tail.is_empty() && is_found(tail)).unwrap_or(&word.folder);
    let moved = (!folder.is_empty()).then(|| below(folder));
    let moved = moved.as_deref().map(|path| token::PathToken { path, ..token });
    let is_here = moved.is_none();
    let mention = of_token(workspace, document, moved.as_ref().unwrap_or(&token), span, word.fence);
    let Some(mention) = mention else { return agents_folder::in_command(workspace, document, word) };
    let runs = mention.form == MentionForm::File && word.used == run::Use::Runs;
    let is_certain = !mention.denied && !mention.hedged;
    let alone = is_here
        && word.fence.is_some()
        && !token.path.trim_start_matches("./").contains('/')
        && names_a_script(token.path);
    // What is run from a folder of the repository is one of its files, also where the last folders are not there. So is what its
    // main hint file has run from any folder.
    let is_main = || matches!(document.kind.role(), Some(Role::Main | Role::Local | Role::Override));
    let is_deep = is_here && token.path.matches('/').count() > 1;
    let below = is_deep && (first_stands(workspace, &mention) || is_main() && !token::may_be_made(token.path));
    let is_own = below && token::is_plausible(token.path) || is_here && is_in_script_folder(token.path);
    let is_own = is_own || is_here && is_deep_script(document, word, token.path);
    // A folder `bin` that is there holds sources.
    let parent_stands = || match &mention.place {
        Miss::Absent { candidates, .. } => candidates.iter().any(|path| workspace.listing.has_dir(path.parent())),
        _ => false,
    };
    let goes_there = || !folder.is_empty() && is_found(folder);
    let is_own = is_own || is_in_bin(word, token.path) && (parent_stands() || goes_there());
    let claimed = runs && (mention.claimed || is_certain && (alone || is_own))
        || is_certain && is_own_test(workspace, document, word, token.path);
    let relied_on = mention.relied_on || is_certain && agents_folder::without_dot(workspace, token.path).is_some();
    Some(Mention { form: MentionForm::Command, claimed, relied_on, verbatim: mention.verbatim && is_here, ..mention })
}

/// Whether the code span around `word` is one path with blanks in it, of a file or in a folder that is there.
fn is_path_with_blanks(workspace: &Workspace, document: &Document, word: Span) -> bool {
    let code = document.markdown.code_at(word.start).map_or("", |code| document.slice(code.content).trim());
    let first = code.split(' ').next().unwrap_or_default();
    let Some((folder, _)) = code.rsplit_once('/').filter(|_| first.contains('/') && first.len() < code.len()) else {
        return false;
    };
    let is_found = |path: &str| matches!(find(workspace, document.path.parent(), path, false, &[]), Tried::Found(_));
    is_found(code) || folder.contains(' ') && is_found(folder)
}

/// The folder of a command, and what is left of it without its first parts: lines may each begin in the folder of the first one.
fn tails(folder: &str) -> impl Iterator<Item = &str> {
    let inner = folder.match_indices('/').map(|(at, _)| &folder[at + 1..]);
    std::iter::once(folder).chain(inner).chain((!folder.is_empty()).then_some(""))
}

/// Whether a command runs a source file of a folder `bin`, which is none of what is built.
fn is_in_bin(word: &run::CommandPath, path: &str) -> bool {
    let written = path.trim_start_matches("./");
    word.used == run::Use::Runs && written.strip_prefix("bin/").is_some_and(token::is_plausible)
}

/// Whether the first folder of a path that is not there is.
fn first_stands(workspace: &Workspace, mention: &Mention) -> bool {
    let first = mention.path.trim_start_matches("./").split('/').next().unwrap_or_default();
    first != ".." && workspace.listing.has_dir(first.as_bytes())
}

/// Whether a hint file of this repository runs a source file deep in it, by a line of a fence that begins with that command.
fn is_deep_script(document: &Document, word: &run::CommandPath, path: &str) -> bool {
    !document.kind.is_general()
        && word.fence.is_some()
        && !path.starts_with("..")
        && path.trim_start_matches("./").matches('/').count() > 2
        && token::is_plausible(path)
        && !token::may_be_made(path)
}

/// Whether a script is said to lie in a folder of scripts, which no project has but for its own.
fn is_in_script_folder(path: &str) -> bool {
    let written = path.trim_start_matches("./");
    let folders = ["scripts/", "script/", "hack/", "ci/", ".ci/"];
    folders.iter().any(|folder| written.strip_prefix(folder).is_some_and(names_a_script))
}

/// Names of scripts that stand for any.
const ANY_SCRIPT: [&str; 12] =
    ["app", "demo", "example", "file", "index", "main", "my", "sample", "script", "server", "test", "your"];

/// Whether a hint file has tests of this repository run. What a text shows of one test is a pattern where the file has the name of any.
fn is_own_test(workspace: &Workspace, document: &Document, word: &run::CommandPath, path: &str) -> bool {
    word.used == run::Use::Tests
        && path.contains('/')
        && !document.kind.is_general()
        && !workspace.is_about_any_project(document)
        && !token::may_be_made(path)
        && !is_any_test(path)
}

/// Names of tests that stand for any, besides those of scripts.
const ANY_TEST: [&str; 18] = [
    "class",
    "component",
    "feature",
    "foo",
    "integration",
    "module",
    "name",
    "one",
    "sample",
    "single",
    "some",
    "something",
    "specific",
    "thing",
    "unit",
    "x",
    "xxx",
    "xyz",
];

/// Whether the file at `path` is called as any test is: `tests/test_example.py`.
fn is_any_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let stem =
        stem.trim_start_matches("test_").trim_end_matches("_test").trim_end_matches("_spec").trim_end_matches("test");
    token::has_extension(path)
        && stem.split(['_', '-']).any(|word| ANY_TEST.contains(&word) || ANY_SCRIPT.contains(&word))
}

/// Whether a script of this name, without a folder, can only be one of this repository.
fn names_a_script(name: &str) -> bool {
    let stem = name.trim_start_matches("./").split('.').next().unwrap_or(name).to_ascii_lowercase();
    let is_shell = [".sh", ".bash", ".zsh", ".ps1"].iter().any(|end| name.ends_with(end));
    is_shell && token::is_plausible(name) && !stem.split(['_', '-']).any(|word| ANY_SCRIPT.contains(&word))
}
