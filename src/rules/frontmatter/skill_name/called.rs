//! Which skills other files call by name: as a word in backticks, behind a `/`, or in settings. Looks at the texts once in a run.

use std::collections::{BTreeMap, BTreeSet};

use super::{beside, folder_of, folders_of, name_of};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::rules::Cx;
use crate::workspace::Workspace;

/// The names of skills and of their folders, each with the files that call one so.
struct CalledSkills(BTreeMap<String, BTreeSet<RepoPath>>);

impl CalledSkills {
    fn of(workspace: &Workspace) -> Self {
        let mut called = BTreeMap::new();
        for document in workspace.documents.iter().filter(|document| document.kind == Kind::Skill) {
            let Some(name) = name_of(document) else { continue };
            for folder in folders_of(document).into_iter().filter(|folder| folder != name) {
                called.insert(name.to_owned(), BTreeSet::new());
                called.insert(folder, BTreeSet::new());
            }
        }
        for (path, text) in workspace.hints_and_readme() {
            note(&mut called, path, words(&text, &['`'], true));
        }
        for (path, bytes) in &workspace.settings {
            note(&mut called, path, words(&String::from_utf8_lossy(bytes), &['"', '('], false));
        }
        CalledSkills(called)
    }
}

fn note<'t>(called: &mut BTreeMap<String, BTreeSet<RepoPath>>, path: &RepoPath, words: impl Iterator<Item = &'t str>) {
    for word in words {
        if let Some(files) = called.get_mut(word) {
            files.insert(path.clone());
        }
    }
}

/// The words of `text` that stand alone between two equal `marks` or in brackets, and those behind a `/` that begins a word.
fn words<'t>(text: &'t str, marks: &'static [char], with_commands: bool) -> impl Iterator<Item = &'t str> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let end = move |from: usize| text[from..].find(|c| !is_of_name(c)).map_or(text.len(), |at| from + at);
    text.match_indices(move |c| c == '/' && with_commands || marks.contains(&c)).filter_map(move |(at, mark)| {
        let (start, after) = (at + mark.len(), end(at + mark.len()));
        let (before, behind) = (text[..at].chars().next_back(), text[after..].chars().next());
        let is_whole = match mark {
            "/" => {
                !before.is_some_and(|c| is_of_name(c) || matches!(c, '/' | '~' | '\\' | '}' | '>' | ']' | '*' | '<'))
                    && behind != Some('/')
            }
            "(" => behind == Some(')'),
            _ => behind.is_some_and(|c| mark.starts_with(c)),
        };
        // A full stop or colon ends the sentence, not the name.
        Some(text[start..after].trim_end_matches(['.', ':'])).filter(|word| is_whole && !word.is_empty())
    })
}

/// Whether another file calls the skill by a name under which somebody who reads it does not find it, or one beside it has that
/// name, too. `folder` is the name of its folder as agents open it; `by_folder` and `by_name`: whether some reader takes the folder's name, or the skill's own.
pub(super) fn is_called_otherwise(
    cx: &Cx<'_>,
    document: &Document,
    folder: &str,
    (by_folder, by_name): (bool, bool),
) -> bool {
    let Some(name) = name_of(document) else { return false };
    let is_copy = |other: &Document| other.bytes == document.bytes;
    let is_taken = |other: &Document| folder_of(other) == name || name_of(other) == Some(name) && !is_copy(other);
    if beside(cx.workspace, document).any(is_taken) {
        return true;
    }
    let called = cx.memory.once(|| CalledSkills::of(cx.workspace));
    // A skill and its copies speak of themselves.
    let is_own = |path: &RepoPath| {
        path.as_bytes().starts_with(document.path.parent())
            || cx.workspace.document(path.as_bytes()).is_some_and(|other| {
                other.kind == Kind::Skill && (folder_of(other) == folder || name_of(other) == Some(name))
            })
    };
    let files = |word: &str| called.0.get(word).into_iter().flatten().filter(|path| !is_own(path));
    // Who takes the folder's name takes the other, too, for a command; of settings that is not known.
    let is_setting = |path: &RepoPath| cx.workspace.settings.contains_key(path);
    by_folder && files(name).any(is_setting) || by_name && files(folder).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word_in_backticks_or_behind_a_slash() {
        let text = "Run `a-b`, /c, (`/d`). `e f` x/g `h/i` /j/k /l. `m.n`";
        assert_eq!(words(text, &['`'], true).collect::<Vec<_>>(), ["a-b", "c", "d", "l", "m.n"]);
        let settings = "{\"allow\": [\"Skill(a)\", \"b\", \"c d\"]}";
        assert_eq!(words(settings, &['"', '('], false).collect::<Vec<_>>(), ["allow", "a", "b"]);
    }
}
