//! A skill's name, for `invalid-value`: what the format allows, the folder it must agree with, and who refuses what. Knows the
//! agents' tables and which agents are enabled.

mod called;
mod habits;
mod slip;

use super::invalid_value::NAME as RULE;
use crate::agents::files::{self, SkillFault, SkillReader};
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::parse::Document;
use crate::parse::frontmatter::{FrontmatterNode, Value};
use crate::rules::Cx;
use crate::workspace::Workspace;
use crate::workspace::homes::name_in_use;

/// Who reads a skill, by its place.
struct Readers {
    /// Enabled agents, and those whose manifest stands above the skill.
    known: Vec<&'static SkillReader>,
    /// Whether the skill is handed out, so that any agent may read it.
    anyone: bool,
}

impl Readers {
    fn of(workspace: &Workspace, document: &Document) -> Self {
        let mut known = Vec::new();
        let mut anyone = false;
        for path in document.opened().iter().map(RepoPath::as_bytes) {
            let has = |file: &[u8]| workspace.listing.contains(file);
            let by_place = files::skill_readers(path, &has);
            let enabled = |agent: &str| workspace.agents.iter().any(|enabled| enabled.agent == agent);
            let read = by_place.iter().filter(|found| found.by_manifest || enabled(found.agent));
            known.extend(read.map(|found| found.reader));
            anyone |= !discover::stands_among_own_skills(path) && !by_place.iter().any(|found| found.by_manifest);
        }
        Readers { known, anyone }
    }

    /// Whether one of them calls the skill by its folder, and whether one calls it by its own name.
    fn names_taken(&self) -> (bool, bool) {
        let by_folder = self.known.iter().filter(|reader| reader.names_by_folder).count();
        (by_folder > 0, by_folder < self.known.len() || self.anyone)
    }

    /// Whether all of them take a name that is outside the format for a `_` alone.
    fn take(&self, name: &str) -> bool {
        let also = |c: char| c != '_' || self.known.iter().all(|reader| reader.also.contains(c));
        let is_taken = !self.anyone && !self.known.is_empty() && name.contains('_') && name.chars().all(also);
        is_taken && why_no_name(&name.replace('_', "-")).is_none()
    }
}

/// Where a SKILL.md stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkillPlace {
    /// In a folder of skills, by the folder's name or the agents' tables.
    Root,
    /// Beside other skills.
    Collection,
    /// Anywhere else.
    Alone,
}

pub(super) fn standing(workspace: &Workspace, document: &Document) -> SkillPlace {
    let in_root = |path: &RepoPath| {
        let readers = files::skill_readers(path.as_bytes(), &|file| workspace.listing.contains(file));
        let mut above = path.parent().split(|&byte| byte == b'/');
        readers.iter().any(|found| !found.by_manifest)
            || discover::stands_among_own_skills(path.as_bytes())
            || above.position(|part| part == b"skills").is_some_and(|at| !is_copy(path.parent(), at))
    };
    if document.opened().iter().any(in_root) {
        return SkillPlace::Root;
    }
    let folder = document.path.parent();
    let is_skill = |other: &Document| {
        other.path.parent() != folder && !other.path.parent().is_empty() && other.frontmatter.is_some()
    };
    match !folder.is_empty() && beside(workspace, document).any(is_skill) {
        true => SkillPlace::Collection,
        false => SkillPlace::Alone,
    }
}

/// The other skills of the collection that `document` is in: those whose folders lie beside its own.
pub(super) fn beside<'w>(workspace: &'w Workspace, document: &'w Document) -> impl Iterator<Item = &'w Document> {
    let collection = path::parent(document.path.parent());
    workspace.documents_below(collection).iter().filter(move |other| {
        other.kind == Kind::Skill && other.path != document.path && path::parent(other.path.parent()) == collection
    })
}

/// Whether one of the first `parts` parts of `folder` says that files below it are handed out, not read: a hidden folder of no agent
/// that is known, or the files of a page.
fn is_copy(folder: &[u8], parts: usize) -> bool {
    let mut above = folder.split(|&byte| byte == b'/').take(parts);
    above.any(|part| part.starts_with(b".") || matches!(part, b"public" | b"static" | b"assets" | b"docs" | b"doc"))
}

/// Whether the skill lies in the folder of another one: no agent looks for skills there.
pub(super) fn is_inside_another(workspace: &Workspace, document: &Document) -> bool {
    let mut above = path::ancestors_from_root(path::parent(document.path.parent())).into_iter();
    let by_link = document.opened().iter().any(|path| *path != document.path);
    is_made(document.path.as_bytes())
        || !by_link && above.any(|dir| !dir.is_empty() && workspace.listing.contains(&path::join(dir, b"SKILL.md")))
}

/// Folders of what a program writes.
const MADE: [&[u8]; 3] = [b"generated", b"output", b"outputs"];

/// Whether the skill lies in what a program of the folder around it writes: `skills/distiller/output/x/SKILL.md`.
pub(super) fn is_made(path: &[u8]) -> bool {
    path::parent(path::parent(path)).split(|&byte| byte == b'/').any(|folder| MADE.contains(&folder))
}

/// The name of the folder that a skill lies in.
fn folder_of(document: &Document) -> String {
    String::from_utf8_lossy(&name_in_use(document.path.parent())).into_owned()
}

/// The same for each path by which agents open the skill.
fn folders_of(document: &Document) -> Vec<String> {
    let folder = |path: &RepoPath| String::from_utf8_lossy(&name_in_use(path.parent())).into_owned();
    document.opened().iter().map(folder).collect()
}

fn name_of(document: &Document) -> Option<&str> {
    match &document.frontmatter.as_ref()?.get("name")?.value.value {
        Value::String(name) => Some(name),
        _ => None,
    }
}

/// How bad it is that a skill has what the format forbids: an error if somebody who reads it refuses it.
pub(super) fn level(workspace: &Workspace, document: &Document, what: SkillFault) -> Level {
    if is_inside_another(workspace, document) {
        return Level::Info;
    }
    let readers = Readers::of(workspace, document);
    // What is outside the format is one defect wherever it stands; only who is known to refuse it makes it worse. Most readers drop
    // frontmatter that they cannot read.
    let by_anyone = readers.anyone && matches!(what, SkillFault::Yaml | SkillFault::Colons);
    let is_refused = by_anyone || readers.known.iter().any(|reader| reader.refuses.contains(&what));
    // A long description is read whole by all who are known to read it.
    let is_read = what == SkillFault::Lengths && !readers.anyone && !readers.known.is_empty();
    match is_refused {
        true => Level::Error,
        false if is_read => Level::Info,
        false => Level::Warning,
    }
}

/// Report a name that is outside the format, or that is not the folder's.
pub(super) fn check(cx: &Cx<'_>, document: &Document, node: &FrontmatterNode, name: &str) -> Option<Finding> {
    let folders = folders_of(document);
    let (finding, better) = match why_no_name(name) {
        Some(why) => report_form(cx.workspace, document, node, (name, why), folders)?,
        None if folders.iter().any(|folder| folder == name || names_none(folder)) => return None,
        None => report_folder(cx, document, node, name, folders)?,
    };
    // Other files call a skill by its name, so that no command renames it.
    Some(match better {
        Some(better) => finding.fix(Applicability::Manual, node.span, better),
        None => finding,
    })
}

/// Report a name that the format forbids, for the reason `why`; with it a better name.
fn report_form(
    workspace: &Workspace,
    document: &Document,
    node: &FrontmatterNode,
    (name, why): (&str, &str),
    folders: Vec<String>,
) -> Option<(Finding, Option<String>)> {
    let readers = Readers::of(workspace, document);
    if readers.take(name) {
        return None;
    }
    // Where no agent looks, a skill that is called as its folder may be one of another system.
    let is_elsewhere = readers.known.is_empty() && folders.iter().any(|folder| folder == name);
    let is_chosen = || {
        // The name of a collection before that of the skill is chosen on purpose.
        is_elsewhere && why_no_name(&name.replace('_', "-")).is_none()
            || is_qualified(name, &folders)
            || is_namespaced_alike(name, &folders)
            || habits::has_style_of_collection(workspace, document, name)
            || !readers.anyone && has_version(name)
    };
    let level = match level(workspace, document, SkillFault::Names) {
        _ if name.is_empty() => Level::Error,
        Level::Warning if is_chosen() => Level::Info,
        level => level,
    };
    let finding = Finding::new(RULE, level, &document.path, node.span, format!("a skill's `name` {why}"))
        .cause(habits::not_valid(document, name, why));
    let better = folders.into_iter().chain([hyphenated(name)]).find(|better| why_no_name(better).is_none());
    let help = match &better {
        Some(better) => format!("write `{better}`, here and wherever the skill is named"),
        None => "use 1 to 64 of `a-z`, `0-9` and `-`".to_owned(),
    };
    Some((finding.help(help), better))
}

/// Report a name that is not the folder's; with it the folder's, if that may be a name.
fn report_folder(
    cx: &Cx<'_>,
    document: &Document,
    node: &FrontmatterNode,
    name: &str,
    folders: Vec<String>,
) -> Option<(Finding, Option<String>)> {
    let workspace = cx.workspace;
    let readers = Readers::of(workspace, document);
    // Who hands out a single skill has named its folder for the repository.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_style = folders.iter().all(|folder| letters(folder).eq(letters(name)) && folder.chars().all(is_plain));
    let folder = folders.into_iter().next()?;
    // The folder's name behind the name of the collection or of its owner is chosen on purpose.
    let ends = |end: &str| name.strip_suffix(end).is_some_and(|prefix| prefix.ends_with('-'));
    let prefixed = ends(&folder) || ends(&hyphenated(&folder));
    let prefix = habits::folder_prefix_of_collection(workspace, document, name);
    let is_habit = habits::most_differ(workspace, document);
    let begins_alike = habits::has_prefix_of_collection(workspace, document, name);
    let is_short = habits::folders_say_more(workspace, document, name);
    let on_purpose = prefixed
        || is_style
        || is_habit
        || begins_alike
        || is_short
        || folder.strip_suffix("-skill") == Some(name)
        || readers.known.is_empty()
        || is_inside_another(workspace, document)
        || habits::has_suffix_of_collection(workspace, document, name)
        || prefix.is_some() && standing(workspace, document) == SkillPlace::Collection
        || standing(workspace, document) == SkillPlace::Alone;
    let is_refused = readers.known.iter().any(|reader| reader.refuses.contains(&SkillFault::Names));
    let matters =
        is_refused || !on_purpose && called::is_called_otherwise(cx, document, &folder, readers.names_taken());
    let is_slip = slip::is_slip(name, &folder);
    let level = if matters || is_slip { Level::Warning } else { Level::Info };
    let what = if is_slip { ": one of the two is misspelled" } else { "" };
    let message = format!("the skill is called `{name}`, its folder `{folder}`{what}");
    let finding = Finding::new(RULE, level, &document.path, node.span, message);
    // Folders that are all spelt in another style are one habit.
    let cause = match prefix {
        _ if is_slip => None,
        _ if is_style => Some(habits::spelt_otherwise(document, name)),
        Some(prefix) => Some(habits::prefixed_alike(document, name, &prefix)),
        None if begins_alike => Some(habits::named_alike(document, name)),
        None if is_short => Some(habits::named_in_short(document, name)),
        None => is_habit.then(|| habits::named_otherwise(document, name)),
    };
    let finding = Finding { cause, ..finding };
    let better = Some(folder).filter(|folder| why_no_name(folder).is_none());
    Some((finding.help("give both the same name, and change the places that name the skill"), better))
}

/// The letters and digits of a name, without regard to case.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Whether a folder of this name holds a skill without naming it: the root, `skill`, `__fixtures__`, `.hidden`.
fn names_none(folder: &str) -> bool {
    folder.is_empty()
        || folder.starts_with(['_', '.'])
        || matches!(folder.to_ascii_lowercase().as_str(), "skill" | "skills")
}

/// What is wrong with a skill's name, if anything.
fn why_no_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("is empty")
    } else if name.chars().count() > 64 {
        Some("has more than 64 characters")
    } else if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
        Some("may hold only `a-z`, `0-9` and `-`")
    } else if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        Some("begins or ends with a hyphen, or has two in a row")
    } else {
        None
    }
}

/// Whether `name` is that of a folder behind the name of a collection: `acme:notes`.
fn is_qualified(name: &str, folders: &[String]) -> bool {
    let own = name.split_once(':').filter(|(collection, _)| why_no_name(collection).is_none()).map(|(_, own)| own);
    own.is_some_and(|own| folders.iter().any(|folder| folder == own))
}

/// Whether `name` has the name of a collection before its own, and so has the folder: `acme:notes` in `acme:notes`.
fn is_namespaced_alike(name: &str, folders: &[String]) -> bool {
    let is_namespaced = name.split_once(':').is_some_and(|(a, b)| why_no_name(a).is_none() && why_no_name(b).is_none());
    is_namespaced && folders.iter().all(|folder| folder == name)
}

/// Whether a name is outside the format for the full stops of a version alone: `php-8.2`.
fn has_version(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mut stops = name.match_indices('.').map(|(at, _)| at).peekable();
    stops.peek().is_some()
        && stops.all(|at| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)))
        && why_no_name(&name.replace('.', "-")).is_none()
}

fn hyphenated(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '.' | '/' | ':' | '&'));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests;
