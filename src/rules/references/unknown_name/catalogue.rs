//! The commands, subagents and skills that a repository has, by the places and names of its files.

use std::collections::{BTreeMap, BTreeSet};

use super::spoken::What;
use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path;
use crate::parse::Document;
use crate::parse::frontmatter::Value;
use crate::workspace::Workspace;

/// Folders of commands, with those that other tools read: what lies in one may be called by its name.
const COMMANDS: [&str; 5] = ["command", "commands", "prompt", "prompts", "workflows"];
/// Folders of subagents.
const SUBAGENTS: [&str; 6] = ["agent", "agents", "chatmodes", "droids", "personas", "subagents"];
/// Folders of skills.
const SKILLS: [&str; 2] = ["skill", "skills"];
/// Endings of files that a name may stand for.
const ENDINGS: [&str; 11] =
    [".chatmode.md", ".prompt.md", ".agent.md", ".json", ".toml", ".yaml", ".mdc", ".mdx", ".yml", ".md", ".txt"];

/// All names, in lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownNames {
    commands: BTreeSet<String>,
    subagents: BTreeSet<String>,
    skills: BTreeSet<String>,
    /// Those of the skills that have a page of their own. A skill's folder also holds files that a list may name.
    with_page: BTreeSet<String>,
    /// Whether settings switch on plugins, which bring names of their own.
    pub(super) has_plugins: bool,
}

impl KnownNames {
    /// What `workspace` has, by the names of its files.
    pub(super) fn of(workspace: &Workspace) -> KnownNames {
        let mut catalogue = KnownNames::default();
        let lower = |path: &[u8]| String::from_utf8_lossy(path).to_lowercase();
        // In nearly all folders there are none.
        for (_, run) in workspace.listing.runs().filter(|(folder, _)| is_in_known_folder(folder)) {
            run.for_each(|index| catalogue.add(&lower(workspace.listing.entry(index).path)));
        }
        let pages = workspace.listing.with_name_in_any_case(b"SKILL.md");
        pages.into_iter().for_each(|page| catalogue.add(&lower(page)));
        let switches = |bytes: &[u8]| memchr::memmem::find(bytes, b"enabledPlugins").is_some();
        catalogue.has_plugins = workspace.settings.values().any(|bytes| switches(bytes));
        catalogue
    }

    /// Add the names that files give themselves. Parses them all, so ask only where a name is in doubt.
    pub(super) fn add_own_names(&mut self, workspace: &Workspace) {
        for document in &workspace.documents {
            let is_named =
                document.kind == Kind::Skill || matches!(document.kind.role(), Some(Role::Command | Role::Subagent));
            let Some(name) = Some(document).filter(|_| is_named).and_then(own_name) else { continue };
            match (document.kind, document.kind.role()) {
                (Kind::Skill, _) => drop(self.skills.insert(name)),
                (_, Some(Role::Command)) => drop(self.commands.insert(name)),
                (_, Some(Role::Subagent)) => drop(self.subagents.insert(name)),
                _ => {}
            }
        }
    }

    /// Add what the file at `path`, in lower case, may be called.
    fn add(&mut self, path: &str) {
        let Some((folders, name)) = path.rsplit_once('/') else { return };
        let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
        let parts: Vec<&str> = folders.split('/').collect();
        let behind = |known: &[&str]| parts.iter().position(|part| known.contains(part)).map(|at| &parts[at + 1..]);
        if let Some(above) = behind(&COMMANDS) {
            let whole: Vec<&str> = above.iter().copied().chain([stem]).collect();
            self.commands.insert(stem.to_owned());
            self.commands.extend([":", "/", "-", "."].map(|between| whole.join(between)));
        }
        if let Some(above) = behind(&SUBAGENTS) {
            self.subagents.insert(stem.to_owned());
            self.subagents.extend(above.iter().map(|&folder| folder.to_owned()));
        }
        if let Some(above) = behind(&SKILLS) {
            self.skills.insert(stem.to_owned());
            self.skills.extend(above.iter().map(|&folder| folder.to_owned()));
        }
        if name == "skill.md" {
            let folder = parts.last().map(|&folder| folder.to_owned());
            self.with_page.extend(folder.clone());
            self.skills.extend(folder);
        }
    }

    /// Whether there is such a command, subagent or skill, here or in an agent itself.
    pub(super) fn has(&self, what: What, name: &str) -> bool {
        let name = name.to_lowercase();
        self.has_own(what, &name) || files::is_builtin(&name)
    }

    /// The same, of this repository.
    pub(super) fn has_own(&self, what: What, name: &str) -> bool {
        match what {
            // Skills can be called like commands.
            What::Command => self.commands.contains(name) || self.skills.contains(name),
            What::Subagent => self.subagents.contains(name),
            What::Skill => self.skills.contains(name) || self.commands.contains(name),
        }
    }

    /// Whether there is surely such a thing, so that those beside it in a list are of its kind.
    pub(super) fn proves(&self, what: What, name: &str) -> bool {
        match what {
            What::Skill => self.with_page.contains(name),
            // A name with its ending is that of a program.
            What::Command | What::Subagent => !name.contains('.') && self.has_own(what, name),
        }
    }

    /// The names of the kind, without those of the other kinds that can be called in its place.
    fn names(&self, what: What) -> &BTreeSet<String> {
        match what {
            What::Command => &self.commands,
            What::Subagent => &self.subagents,
            What::Skill => &self.skills,
        }
    }

    /// The only name that differs from `name` by a slip of the hand.
    pub(super) fn slip(&self, what: What, name: &str) -> Option<&str> {
        let edits = if name.len() >= MIN_LONG { 2 } else { 1 };
        let is_near = |other: &&String| {
            other.as_bytes().first() == name.as_bytes().first()
                && other.len().abs_diff(name.len()) <= edits
                && crate::base::text::edit_distance(other, name) <= edits
        };
        let mut near = self.names(what).iter().filter(is_near);
        let only = near.next().filter(|_| name.len() >= MIN_NAME)?;
        near.next().is_none().then_some(only.as_str())
    }

    /// The names that begin with `name` and a hyphen.
    pub(super) fn family(&self, what: What, name: &str) -> Vec<&str> {
        let begin = format!("{name}-");
        let names = self.names(what).iter().map(String::as_str);
        names.filter(|other| other.starts_with(&begin)).collect()
    }
}

/// Whether a part of the folder's path, in any case, says what lies there.
fn is_in_known_folder(folder: &[u8]) -> bool {
    let known = || COMMANDS.iter().chain(&SUBAGENTS).chain(&SKILLS);
    // A letter beyond ASCII may become one of ASCII when it is made small.
    !folder.is_ascii()
        || folder.split(|&byte| byte == b'/').any(|part| known().any(|name| part.eq_ignore_ascii_case(name.as_bytes())))
}

/// A shorter name is like many others.
const MIN_NAME: usize = 6;
/// From here on two letters may be wrong.
const MIN_LONG: usize = 12;

/// The name in a file's frontmatter.
pub(super) fn own_name(document: &Document) -> Option<String> {
    match &document.frontmatter.as_ref()?.get("name")?.value.value {
        Value::String(name) => Some(name.trim().to_lowercase()),
        _ => None,
    }
}

/// Names of the page that a folder of pages begins with.
const FIRST_PAGES: [&str; 3] = ["index", "readme", "skill"];

/// Those of `names` that a folder has in which such a page lies: what was no skill any more is one where a build puts it.
pub(super) fn kept_in_folders(workspace: &Workspace, names: BTreeSet<&str>) -> BTreeSet<String> {
    if names.is_empty() {
        return BTreeSet::new();
    }
    let pages = workspace.listing.iter().filter(|entry| entry.path.ends_with(b".md")).filter(|entry| {
        let name = path::file_name(entry.path);
        let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name);
        FIRST_PAGES.iter().any(|first| stem.eq_ignore_ascii_case(first.as_bytes()))
    });
    let folders = pages.map(|page| String::from_utf8_lossy(path::file_name(path::parent(page.path))).to_lowercase());
    folders.filter(|folder| names.contains(folder.as_str())).collect()
}

/// Those of `names` that some file or folder of the repository has, whatever it is, or that settings have as a key.
pub(super) fn found_elsewhere(workspace: &Workspace, names: BTreeSet<&str>) -> BTreeSet<String> {
    let wanted: BTreeMap<&[u8], &str> = names.iter().map(|&name| (name.as_bytes(), name)).collect();
    let mut found = BTreeSet::new();
    if wanted.is_empty() {
        return found;
    }
    for entry in workspace.listing.iter() {
        for part in entry.path.split(|&byte| byte == b'/') {
            let stem = part.split(|&byte| byte == b'.').find(|stem| !stem.is_empty()).unwrap_or(part);
            let known = wanted.get(stem).or_else(|| wanted.get(part));
            found.extend(known.map(|&name| name.to_owned()));
        }
    }
    for name in names {
        if is_key_of_settings(workspace, name) {
            found.insert(name.to_owned());
        }
    }
    found
}

/// Whether settings of the repository have the name between quotation marks, allow it by `Skill(name)`, or switch on a plugin that is
/// called so.
pub(super) fn is_key_of_settings(workspace: &Workspace, name: &str) -> bool {
    let forms =
        [format!("\"{name}\""), format!("\"{name}@"), format!("({name})"), format!(":{name})"), format!("({name}:")];
    let has = |bytes: &[u8]| forms.iter().any(|form| memchr::memmem::find(bytes, form.as_bytes()).is_some());
    workspace.settings.values().any(|bytes| has(bytes))
}

/// Whether a file at `path` is, or was, something of the kind `what`.
pub(super) fn is_kind_of(what: What, path: &[u8]) -> bool {
    let kind = files::kind_of(path);
    let role = kind.and_then(Kind::role);
    match what {
        What::Command => role == Some(Role::Command) || kind == Some(Kind::Skill),
        // A folder that an installer copies to where agents look is known by its name.
        What::Subagent => role == Some(Role::Subagent) || kind.is_none() && is_page_of(path, &SUBAGENTS),
        What::Skill => kind == Some(Kind::Skill),
    }
}

/// Whether `path` is a page that lies in one of `folders` itself.
fn is_page_of(path: &[u8], folders: &[&str]) -> bool {
    let folder = path::file_name(path::parent(path));
    path.ends_with(b".md") && folders.iter().any(|known| known.as_bytes() == folder)
}

/// What the file at `path` is called by.
pub(super) fn called(path: &[u8]) -> String {
    let name = String::from_utf8_lossy(path::file_name(path)).into_owned();
    if name == "SKILL.md" {
        return String::from_utf8_lossy(path::file_name(path::parent(path))).into_owned();
    }
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name).to_owned()
}
