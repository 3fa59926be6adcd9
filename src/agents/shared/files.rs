//! The names and meanings of an agent's files in a repository: the part of its table that discovery, the workspace and the rules
//! read. All lists are searched here; what stands in them is each agent's own file's business.

mod builtins;
mod meant;
mod skills;
mod words;

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(crate) use self::builtins::{Builtins, ToolNames, is_builtin};
pub(crate) use self::meant::{is_a_slip_of, looks_like_hint, main_names, misnamed_folder, names_of};
pub(crate) use self::skills::{
    Rereading, SkillFault, SkillReader, blind_behind_mark, is_of_a_home, is_skill_folder, skill_readers, skill_views,
};
pub(crate) use self::words::{is_agent_name, is_agent_word, is_in_agent_folder};
use crate::agents::shared::bundles::Bundle;
use crate::agents::shared::documented_servers::{HooksFile, ServersFile};
use crate::agents::{ALL, Dialect, EDITORS, others};
use crate::base::kind::Kind;
use crate::base::path;

/// One agent's files in a repository.
#[derive(Debug)]
pub struct AgentFiles {
    /// Paths that show that the agent is used: a file's name, or what follows from some directory on; a folder ends in `/`.
    pub signs: &'static [&'static str],
    /// Paths like those that show only that something is there for it to run, not for whom AGENTS.md is meant.
    pub run_signs: &'static [&'static str],
    /// Whether its signs show that AGENTS.md is meant for this agent, and perhaps for no other.
    pub(crate) claims_agents_md: bool,
    /// Whether AGENTS.md alone shows that it is used, where no other agent claims that file.
    pub(crate) owns_agents_md: bool,
    /// Its hint files; the first that fits a path decides.
    pub hints: &'static [Hint],
    /// The kinds that it loads by their names or places.
    pub(crate) reads: &'static [Kind],
    /// The kinds in which it looks for imports.
    pub(crate) imports_in: &'static [Kind],
    /// Folders whose hint files it does not read although it knows their names.
    pub(crate) passes_over: &'static [&'static str],
    /// Folders whose files are for the directory above.
    pub folders: &'static [&'static str],
    /// Folders in which the repository's own skills lie.
    pub skill_folders: &'static [&'static str],
    /// The kinds whose frontmatter it does not see behind a byte order mark.
    pub(crate) mark_hides_frontmatter: &'static [Kind],
    /// How it reads skills, as far as that is known.
    pub(crate) skills: Option<SkillReader>,
    /// What it does with invalid frontmatter.
    pub(crate) rereads: Rereading,
    /// Settings files that decide what it loads; their text reaches its model in part.
    pub settings: &'static [&'static str],
    /// Files below a start directory that decide what it runs.
    pub(crate) run_files: &'static [&'static str],
    /// Folders below a start directory whose files of an ending decide it, too; each ends in `/`.
    pub(crate) run_folders: &'static [(&'static str, &'static str)],
    /// Further files that are read for it, such as variables, wherever they stand.
    pub(crate) run_inputs: &'static [&'static str],
    /// Folders of code and rules that it runs or obeys, with the ends of their files' names.
    pub(crate) run_texts: &'static [(&'static str, &'static [&'static str])],
    /// Those of them, or of its settings, that belong to one person.
    pub(crate) personal_settings: &'static [&'static str],
    /// Variables that commands of its hooks name although it never sets them, each with what there is in its place.
    pub(crate) unset_variables: &'static [(&'static str, &'static str)],
    /// What it and its plugins write down of a run: a file, `*` and the end of its name, or `*` for the folders in a folder.
    pub(crate) run_state: &'static [&'static str],
    /// Folders, outside of hidden ones, in which collections keep files of such an ending for it, and what those are.
    pub(crate) collected: &'static [(&'static str, &'static str, Kind)],
    /// Files that look like its settings and that it does not read.
    pub(crate) unread_settings: &'static [&'static str],
    /// Names of files that look like its own and that nothing in it reads, each with what does the same.
    pub(crate) unread_names: &'static [(&'static str, &'static str)],
    /// Texts that lie where its own might and that it does not read: the file or its folder, the ending, and what it reads there.
    pub(crate) unread_texts: &'static [(&'static str, &'static str, &'static str)],
    /// Other files that decide what it loads.
    pub(crate) ignore_files: &'static [&'static str],
    /// Other settings whose text reaches its model.
    pub other_settings: &'static [&'static str],
    /// Those of them with servers, known from documentation alone.
    pub(crate) documented_servers: &'static [ServersFile],
    /// Its file of hooks, where that is known from documentation alone.
    pub(crate) documented_hooks: Option<HooksFile>,
    /// Folders of Markdown or TOML files that reach its model although they are no hints.
    pub prompts: &'static [&'static str],
    /// What it knows by name without a file in the repository.
    pub(crate) builtins: Builtins,
    /// The hint files of bundles that it installs.
    pub(crate) bundle: Option<Bundle>,
    /// The settings file at the root that names further hint files, and how to read the names in it.
    pub(crate) names_in: Option<NamesIn>,
    /// Whether `[limits]` of our config decides how deep its imports go and how much it loads.
    pub(crate) is_limited_by_config: bool,
    /// What gives it more room, behind "shorten the files".
    pub(crate) more_room: &'static str,
    /// Names of the agent that appear in texts about it.
    pub(crate) words: &'static [&'static str],
    /// Other words by which texts for this agent differ from the same texts for another.
    pub(crate) file_words: &'static [&'static str],
}

impl AgentFiles {
    /// The directory in which the agent is started to run what the file at `path` asks for; `None` where it asks for nothing.
    pub(crate) fn run_directory<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        let end = self.run_files.iter().find(|end| ends_with(path, end));
        let start = match end {
            Some(end) => path.len() - end.len(),
            None => {
                let mut folders = self.run_folders.iter().filter(|(_, end)| path.ends_with(end.as_bytes()));
                folders.find_map(|(folder, _)| folder_at(path, folder))?
            }
        };
        Some(path[..start].strip_suffix(b"/").unwrap_or_default())
    }

    /// The directory above a file of settings that stands where the agent reads none.
    pub(crate) fn unread_directory<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        let end = self.unread_settings.iter().find(|end| ends_with(path, end))?;
        Some(path[..path.len() - end.len()].strip_suffix(b"/").unwrap_or_default())
    }

    /// Whether the file at `path` is read to tell what the agent runs or loads.
    pub(crate) fn is_configured_by(&self, path: &[u8]) -> bool {
        self.has_settings(path) || self.ignore_files.iter().chain(self.unread_settings).any(|end| ends_with(path, end))
    }

    /// Whether the file at `path` is one of its settings, or asks it to run something.
    pub(crate) fn obeys(&self, path: &[u8]) -> bool {
        let is_text = |(folder, ends): &(&str, &[&str])| {
            ends.iter().any(|end| path.ends_with(end.as_bytes())) && has_folder(path, folder)
        };
        self.has_settings(path) || self.run_texts.iter().any(is_text)
    }

    fn has_settings(&self, path: &[u8]) -> bool {
        let lists = [self.settings, self.run_inputs, self.other_settings];
        lists.into_iter().flatten().any(|end| ends_with(path, end)) || self.run_directory(path).is_some()
    }

    /// An agent that leaves no trace in a repository.
    pub const NONE: AgentFiles = AgentFiles {
        signs: &[],
        run_signs: &[],
        claims_agents_md: true,
        owns_agents_md: false,
        hints: &[],
        reads: &[],
        imports_in: &[],
        passes_over: &[],
        folders: &[],
        skill_folders: &[],
        mark_hides_frontmatter: &[],
        skills: None,
        rereads: Rereading::Never,
        settings: &[],
        run_files: &[],
        run_folders: &[],
        run_inputs: &[],
        run_texts: &[],
        personal_settings: &[],
        run_state: &[],
        collected: &[],
        unread_settings: &[],
        unread_names: &[],
        unread_texts: &[],
        unset_variables: &[],
        ignore_files: &[],
        other_settings: &[],
        documented_servers: &[],
        documented_hooks: None,
        prompts: &[],
        builtins: Builtins::NONE,
        bundle: None,
        names_in: None,
        is_limited_by_config: false,
        more_room: "",
        words: &[],
        file_words: &[],
    };
}

/// Which files are of which kind.
#[derive(Debug)]
pub struct Hint {
    /// The files.
    pub place: PathSet,
    /// What they are.
    pub(crate) kind: Kind,
}

/// A set of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathSet {
    /// Files of this name.
    Name(&'static str),
    /// The same. At the root a name in the wrong case is a hint file that its author believes in; deeper it is some page.
    NameInAnyCase(&'static str),
    /// Files whose names begin so.
    NamePrefix(&'static str),
    /// This path, from any directory on.
    End(&'static str),
    /// Files below a folder, from any directory on, whose names end so; a hidden folder, with a `/` unless only its begin is known.
    Below(&'static str, &'static str),
}

impl Hint {
    /// Files of this name.
    pub const fn name(name: &'static str, kind: Kind) -> Hint {
        Hint { place: PathSet::Name(name), kind }
    }

    /// Files of this name, which at the root may be written in any case.
    pub(crate) const fn in_any_case(name: &'static str, kind: Kind) -> Hint {
        Hint { place: PathSet::NameInAnyCase(name), kind }
    }

    /// The file at the end of a path.
    pub const fn end(path: &'static str, kind: Kind) -> Hint {
        Hint { place: PathSet::End(path), kind }
    }

    /// Files below a folder.
    pub const fn below(folder: &'static str, ending: &'static str, kind: Kind) -> Hint {
        Hint { place: PathSet::Below(folder, ending), kind }
    }
}

/// A settings file that names hint files.
#[derive(Debug)]
pub(crate) struct NamesIn {
    /// The file, from the root.
    pub(crate) path: &'static str,
    /// The names in its bytes; none if it cannot be read.
    pub(crate) names: fn(&[u8]) -> Vec<String>,
}

/// The files of all agents, those included whose loading is not known here.
pub(crate) fn all() -> impl Iterator<Item = &'static AgentFiles> {
    ALL.iter().map(|dialect| dialect.files).chain(undescribed())
}

/// The files of those of them whose loading is not known here.
pub(crate) fn undescribed() -> impl Iterator<Item = &'static AgentFiles> {
    EDITORS.iter().map(|dialect| dialect.files).chain(others::OTHERS)
}

/// The entries of one list of all agents.
fn every<T>(list: fn(&'static AgentFiles) -> &'static [T]) -> impl Iterator<Item = &'static T> {
    all().flat_map(list)
}

/// The hints of all agents, in an order that is quick to search.
struct Index {
    names: BTreeMap<&'static [u8], Kind>,
    /// Names in lower case that are also right at the root in any case.
    at_root: BTreeMap<Vec<u8>, Kind>,
    /// Beginnings, ends of paths and folders.
    places: Vec<&'static Hint>,
    /// Those of `places` whose files could be anything by their names.
    odd: Vec<&'static Hint>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { names: BTreeMap::new(), at_root: BTreeMap::new(), places: Vec::new(), odd: Vec::new() };
    for hint in every(|files| files.hints) {
        match hint.place {
            PathSet::Name(name) => drop(index.names.insert(name.as_bytes(), hint.kind)),
            PathSet::NameInAnyCase(name) => {
                index.names.insert(name.as_bytes(), hint.kind);
                index.at_root.insert(name.to_ascii_lowercase().into_bytes(), hint.kind);
            }
            PathSet::Below(_, ending) if !could_be_hint(&[b"a", ending.as_bytes()].concat()) => index.odd.push(hint),
            _ => index.places.push(hint),
        }
    }
    index
});

/// What `path` is to some agent, by its name and place alone.
pub(crate) fn kind_of(path: &[u8]) -> Option<Kind> {
    let name = path::file_name(path);
    if !could_be_hint(name) {
        return INDEX.odd.iter().find(|hint| hint.place.holds(path, name)).map(|hint| hint.kind);
    }
    let by_case = || {
        let kind = INDEX.at_root.get(&name.to_ascii_lowercase()).copied();
        kind.filter(|kind| name.len() == path.len() || meant::is_in_own_folder(*kind, path))
    };
    let found = INDEX.names.get(name).copied().or_else(by_case);
    found.or_else(|| {
        let is_hidden = memchr::memchr_iter(b'.', path).any(|at| at == 0 || path[at - 1] == b'/');
        let mut places = INDEX.places.iter().filter(|_| is_hidden);
        places.find(|hint| hint.place.holds(path, name)).map(|hint| hint.kind)
    })
}

/// Whether a hint file could have this name: the one test that every path of a large repository goes through.
pub(crate) fn could_be_hint(name: &[u8]) -> bool {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(0) => name.len() > 4,
        Some(dot) => matches!(&name[dot + 1..], b"md" | b"mdc" | b"yaml" | b"mdx"),
        None => false,
    }
}

impl PathSet {
    fn holds(self, path: &[u8], name: &[u8]) -> bool {
        match self {
            PathSet::Name(wanted) | PathSet::NameInAnyCase(wanted) => name == wanted.as_bytes(),
            PathSet::NamePrefix(prefix) => name.starts_with(prefix.as_bytes()),
            PathSet::End(end) => ends_with(path, end),
            PathSet::Below(folder, ending) => name.ends_with(ending.as_bytes()) && has_folder(path, folder),
        }
    }
}

/// Whether `path` is `end`, or ends in it behind a `/`.
pub(crate) fn ends_with(path: &[u8], end: &str) -> bool {
    path.strip_suffix(end.as_bytes()).is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
}

/// Whether `path` goes through `folder`, which ends in `/`, at the root or below some directory.
pub(crate) fn has_folder(path: &[u8], folder: &str) -> bool {
    folder_at(path, folder).is_some()
}

/// Where `folder` begins in `path`.
fn folder_at(path: &[u8], folder: &str) -> Option<usize> {
    memchr::memmem::find_iter(path, folder).find(|&at| at == 0 || path[at - 1] == b'/')
}

/// Whether a folder of this name holds files for the directory above it. All such folders are hidden.
pub(crate) fn is_agent_folder(name: &[u8]) -> bool {
    name.starts_with(b".") && every(|files| files.folders).any(|folder| folder.as_bytes() == name)
}

/// Whether the file at `path` decides what an agent runs or loads.
pub(crate) fn is_configuration(path: &[u8]) -> bool {
    all().any(|files| files.is_configured_by(path))
}

/// Whether the file at `path` decides what an agent loads.
pub(crate) fn decides(path: &[u8]) -> bool {
    all().flat_map(|files| files.settings.iter().chain(files.ignore_files)).any(|end| ends_with(path, end))
}

/// Whether the file at `path` is an agent's settings of which a model gets to see parts, or by which it gets to see something.
pub(crate) fn is_settings(path: &[u8]) -> bool {
    all().flat_map(|files| files.settings.iter().chain(files.other_settings)).any(|end| ends_with(path, end))
}

/// Whether some agent obeys the file at `path`: settings, and what they or their folders make it run.
pub(crate) fn is_obeyed(path: &[u8]) -> bool {
    all().any(|files| files.obeys(path))
}

/// Whether the Markdown or TOML file at `path` reaches a model although it is no hint file.
pub(crate) fn is_prompt(path: &[u8]) -> bool {
    every(|files| files.prompts).any(|folder| has_folder(path, folder))
}

/// Whether some agent looks for imports in files of `kind`.
pub(crate) fn is_imported_from(kind: Kind) -> bool {
    every(|files| files.imports_in).any(|known| *known == kind)
}

/// The agent whose file a file of `kind` is in the first place.
pub(crate) fn owner(kind: Kind) -> Option<&'static Dialect> {
    ALL.iter().copied().find(|dialect| match kind {
        Kind::AgentsMd => dialect.files.owns_agents_md,
        _ => dialect.files.hints.iter().any(|hint| hint.kind == kind),
    })
}

/// The kind of an agent's files that is called `name`.
pub fn kind(name: &str) -> Option<Kind> {
    every(|files| files.hints).map(|hint| hint.kind).find(|kind| kind.name() == name)
}

/// The kinds of agents' files, each once, by name.
pub(crate) fn kinds() -> impl Iterator<Item = Kind> {
    every(|files| files.hints).map(|hint| hint.kind).collect::<std::collections::BTreeSet<_>>().into_iter()
}

#[cfg(test)]
mod tests;
