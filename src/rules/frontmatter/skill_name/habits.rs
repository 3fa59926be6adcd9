//! What the skills of one collection have in common in their names, so that it is no slip of one.

use super::{beside, folder_of, folders_of, hyphenated, name_of, why_no_name};
use crate::base::finding::Cause;
use crate::base::kind::Kind;
use crate::base::path;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Whether at least two skills beside `document` have names that begin as `name` does, while their folders' names do not: the
/// collection's own prefix.
pub(super) fn has_prefix_of_collection(workspace: &Workspace, document: &Document, name: &str) -> bool {
    let prefix = first_word(name);
    let begins = |text: &str| text.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let is_alike = |other: &&Document| !begins(&folder_of(other)) && name_of(other).is_some_and(begins);
    !begins(&folder_of(document)) && beside(workspace, document).filter(is_alike).nth(1).is_some()
}

/// The word with which a name begins.
pub(super) fn first_word(name: &str) -> &str {
    name.split('-').next().unwrap_or(name)
}

/// Whether at least two skills beside `document` are called as their folders with the same suffix as `name`.
pub(super) fn has_suffix_of_collection(workspace: &Workspace, document: &Document, name: &str) -> bool {
    let suffix = |document: &Document, name: &str| {
        name.strip_prefix(folder_of(document).as_str()).filter(|suffix| suffix.starts_with('-')).map(str::to_owned)
    };
    let Some(own) = suffix(document, name) else { return false };
    let is_alike = |other: &&Document| name_of(other).and_then(|name| suffix(other, name)).is_some_and(|it| it == own);
    beside(workspace, document).filter(is_alike).nth(1).is_some()
}

/// The word before the name of the skill in the name of its folder, where at least two folders of skills beside it have the same:
/// `jig-` in `jig-review`, which holds `review`.
pub(super) fn folder_prefix_of_collection(workspace: &Workspace, document: &Document, name: &str) -> Option<String> {
    let prefix = |document: &Document, name: &str| {
        folder_of(document).strip_suffix(name).filter(|prefix| prefix.ends_with('-')).map(str::to_owned)
    };
    let own = prefix(document, name)?;
    let is_alike = |other: &&Document| name_of(other).and_then(|name| prefix(other, name)).is_some_and(|it| it == own);
    beside(workspace, document).filter(is_alike).nth(1).is_some().then_some(own)
}

/// Skills that are looked at, at most, for those which agents open in the same folder.
const MAX_OPENED: usize = 2_000;

/// Whether the folder's name holds that of the skill and a word more, before or behind it, and so does that of at least two other skills
/// beside it, by whichever paths agents open them: `adr-assistant` holds `adr`, `notes-save-word` holds `save-word`.
pub(super) fn folders_say_more(workspace: &Workspace, document: &Document, name: &str) -> bool {
    let says_more = |document: &Document, name: &str| {
        let is_part = |folder: &String| {
            folder.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'))
                || folder.strip_suffix(name).is_some_and(|rest| rest.ends_with('-'))
        };
        folders_of(document).iter().any(is_part)
    };
    if !says_more(document, name) {
        return false;
    }
    let own: Vec<&[u8]> = document.opened().iter().map(|path| path::parent(path.parent())).collect();
    let is_beside = |other: &&Document| other.opened().iter().any(|path| own.contains(&path::parent(path.parent())));
    let skills = workspace.documents.iter().filter(|other| other.kind == Kind::Skill && other.path != document.path);
    let beside = skills.take(MAX_OPENED).filter(is_beside);
    beside.filter(|other| name_of(other).is_some_and(|name| says_more(other, name))).nth(1).is_some()
}

/// Skills of one collection that are called otherwise than their folders, at least, before that is its habit.
const HABIT: usize = 4;

/// Whether most skills of the collection are called otherwise than their folders.
pub(super) fn most_differ(workspace: &Workspace, document: &Document) -> bool {
    // A word before or behind the one name in the other is a habit of another kind.
    let differs = |other: &Document| {
        let folder = folder_of(other);
        let holds = |name: &str| name.contains(folder.as_str()) || folder.contains(name);
        name_of(other).is_some_and(|name| !holds(name))
    };
    let all = || beside(workspace, document).chain([document]);
    let differing = all().filter(|other| differs(other)).count();
    differing >= HABIT && differing * 2 > all().count()
}

/// How a name leaves the format that would be inside it with hyphens between its words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OddStyle {
    /// One other character for the hyphen: `_`, `.`, `:`.
    Joined(char),
    /// Capitals or blanks: `Release Notes`.
    Title,
}

fn odd_style(name: &str) -> Option<OddStyle> {
    if why_no_name(name).is_none() || why_no_name(&hyphenated(name)).is_some() {
        return None;
    }
    if name.contains(|c: char| c.is_whitespace() || c.is_uppercase()) {
        return Some(OddStyle::Title);
    }
    let mut odd = name.chars().filter(|c| !c.is_ascii_alphanumeric() && *c != '-');
    let first = odd.next()?;
    odd.all(|c| c == first).then_some(OddStyle::Joined(first))
}

/// Whether at least two skills beside `document` have names that leave the format in the same way as `name`.
pub(super) fn has_style_of_collection(workspace: &Workspace, document: &Document, name: &str) -> bool {
    let Some(own) = odd_style(name) else { return false };
    let is_alike = |other: &&Document| name_of(other).and_then(odd_style) == Some(own);
    beside(workspace, document).filter(is_alike).nth(1).is_some()
}

/// What skills of one collection have in common, as a cause: its key begins with `what`.
fn of_collection(document: &Document, name: &str, what: &str, many: &'static str) -> Cause {
    let collection = String::from_utf8_lossy(path::parent(document.path.parent())).into_owned();
    Cause { key: format!("{what} {collection}"), subject: format!("`{name}`"), many, help: None }
}

/// What the names of one collection that break the same rule have in common: mostly a convention of its own.
pub(super) fn not_valid(document: &Document, name: &str, why: &str) -> Cause {
    let many = "are not valid skill names: use 1 to 64 of `a-z`, `0-9` and `-`, with single hyphens inside";
    let help = Some("rename the skills, also where they are called by name".to_owned());
    Cause { help, ..of_collection(document, name, why, many) }
}

/// What skills have in common whose folders have the same name in another style: `APIDesign` for `api-design`.
pub(super) fn spelt_otherwise(document: &Document, name: &str) -> Cause {
    of_collection(document, name, "style", "are spelt differently from the folders of their skills")
}

/// What skills have in common most of which are called otherwise than their folders.
pub(super) fn named_otherwise(document: &Document, name: &str) -> Cause {
    of_collection(document, name, "names", "are not the names of the folders of their skills")
}

/// What skills have in common whose folders all have the same word before their names.
pub(super) fn prefixed_alike(document: &Document, name: &str, prefix: &str) -> Cause {
    let many = "lack the word with which the folders of all these skills begin";
    of_collection(document, name, &format!("prefix {prefix}"), many)
}

/// What skills have in common whose folders all say more than their names.
pub(super) fn named_in_short(document: &Document, name: &str) -> Cause {
    of_collection(document, name, "short", "are a part of the names of their skills' folders")
}

/// What skills have in common whose names all begin with the same word, which their folders lack.
pub(super) fn named_alike(document: &Document, name: &str) -> Cause {
    let many = "begin with a word that the folders of these skills lack";
    of_collection(document, name, &format!("first word {}", first_word(name)), many)
}
