//! Which paths are hint files, and of which kind. Decided by name and place alone; no file is read here.

use std::collections::{BTreeMap, BTreeSet};

use ignore::gitignore::Gitignore;

use crate::agents::bundles::{self, Bundle, BundlePath};
use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath, bytes_to_os_path};
use crate::config::patterns::{BadPattern, matches, patterns};
use crate::config::{Config, DEFAULT_OUTPUT};
use crate::source::{EntryKind, ListedPath, Listing};

/// The operating systems that file names of a hint package may contain.
pub(crate) const PLATFORMS: [&str; 2] = ["linux", "windows"];

/// The names under which a file of the hint package `package` is looked for on `platform`, the first one first.
pub(crate) fn package_file_names(package: &str, extension: &str, platform: &str) -> [String; 4] {
    [
        format!("hint_{platform}.{extension}"),
        format!("{package}_{platform}.{extension}"),
        format!("hint.{extension}"),
        format!("{package}.{extension}"),
    ]
}

/// The names of the files of a hint package that are hint files, on any system.
pub(crate) fn package_files(package: &[u8]) -> BTreeMap<String, Kind> {
    let kinds = [("md", Kind::PackageHint), ("yaml", Kind::PackageYaml)];
    let Ok(package) = std::str::from_utf8(package) else { return BTreeMap::new() };
    let names = kinds.into_iter().flat_map(|(extension, kind)| {
        let names = PLATFORMS.into_iter().flat_map(move |platform| package_file_names(package, extension, platform));
        names.map(move |name| (name, kind))
    });
    names.collect()
}

/// One file to check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileToCheck {
    /// Where it stands.
    pub path: RepoPath,
    /// What it is.
    pub kind: Kind,
}

/// The compiled patterns that decide what a path is.
#[derive(Debug)]
pub struct Discovery {
    exclude: Gitignore,
    plans: Gitignore,
    library: Gitignore,
    packages: Vec<u8>,
    artifacts: Vec<u8>,
    named_by_settings: BTreeSet<Vec<u8>>,
    /// Roots of bundles with the catalogues that list them, and files and folders that manifests name.
    bundles: Vec<(Vec<u8>, &'static str)>,
    named_by_bundles: Vec<(Vec<u8>, Kind)>,
    /// Files of collections without a manifest, by what stands in them.
    by_form: BTreeMap<Vec<u8>, Kind>,
}

impl Discovery {
    /// Compile the patterns of `config`.
    ///
    /// # Errors
    /// The first pattern that is no valid glob.
    pub fn new(config: &Config) -> Result<Self, BadPattern> {
        Ok(Discovery {
            exclude: patterns(config.exclude.iter().map(|(pattern, _)| pattern))?,
            plans: patterns(&config.plans)?,
            library: patterns(&config.library)?,
            packages: config.packages.clone().into_bytes(),
            artifacts: path::resolve(b"", config.compile.output.as_bytes()).unwrap_or_default(),
            named_by_settings: BTreeSet::new(),
            bundles: Vec::new(),
            named_by_bundles: Vec::new(),
            by_form: BTreeMap::new(),
        })
    }

    /// Take file names that an agent's tracked settings add.
    pub(crate) fn add_names(&mut self, names: impl IntoIterator<Item = String>) {
        self.named_by_settings.extend(names.into_iter().map(String::into_bytes));
    }

    /// Take what a file of `bundle` names, whose paths count from `root`. The new roots among it.
    pub(crate) fn add_bundles(&mut self, root: &[u8], bundle: &Bundle, named: Vec<BundlePath>) -> Vec<Vec<u8>> {
        let mut roots = Vec::new();
        for named in named {
            match named {
                BundlePath::Root(path) => roots.extend(path::resolve(root, path.as_bytes())),
                BundlePath::Hints(path, kind) => {
                    self.named_by_bundles.extend(path::resolve(root, path.as_bytes()).map(|path| (path, kind)));
                }
            }
        }
        roots.retain(|root| !self.bundles.iter().any(|(known, of)| known == root && *of == bundle.catalogue));
        self.bundles.extend(roots.iter().map(|root| (root.clone(), bundle.catalogue)));
        roots
    }

    /// Take files that were known by their form.
    pub(crate) fn add_by_form(&mut self, files: impl IntoIterator<Item = (RepoPath, Kind)>) {
        self.by_form.extend(files.into_iter().map(|(path, kind)| (path.as_bytes().to_vec(), kind)));
    }

    /// What the file at `path` of `listing` is by its name and place, or by the bundle or collection around it; excluded or not.
    pub(crate) fn kind_in(&self, path: &[u8], listing: &Listing) -> Option<Kind> {
        let by_form = || self.by_form.get(path).copied();
        self.kind(path).or_else(|| self.by_bundle(path, listing)).or_else(by_form)
    }

    /// What the file at `path` of `listing` is to an agent that installs the bundle around it.
    fn by_bundle(&self, path: &[u8], listing: &Listing) -> Option<Kind> {
        let named = || {
            let holds = |(named, _): &&(Vec<u8>, Kind)| !named.is_empty() && path::is_at_or_below(path, named);
            self.named_by_bundles.iter().find(holds).filter(|_| path.ends_with(b".md")).map(|(_, kind)| *kind)
        };
        bundles::kind_of(path, &self.bundles, |manifest| listing.contains(manifest)).or_else(named)
    }

    /// Whether the config excludes `path`.
    pub(crate) fn is_excluded(&self, path: &[u8]) -> bool {
        matches(&self.exclude, path)
    }

    /// The pattern that excludes `path`.
    pub(crate) fn excluded_by(&self, path: &[u8]) -> Option<String> {
        match self.exclude.matched_path_or_any_parents(bytes_to_os_path(path), false) {
            ignore::Match::Ignore(glob) => Some(glob.original().to_owned()),
            _ => None,
        }
    }

    /// Whether `path` lies in the artifacts' folder, or where they are by default and may have been left, and has an
    /// artifact's name.
    pub(crate) fn is_artifact_place(&self, path: &[u8]) -> bool {
        let places = [self.artifacts.as_slice(), DEFAULT_OUTPUT.as_bytes()];
        path.ends_with(b".md") && places.iter().any(|place| below(path, place))
    }

    /// What `path` is, by its name and place; excluded or not.
    pub fn kind(&self, path: &[u8]) -> Option<Kind> {
        let name = path::file_name(path);
        if self.is_artifact_place(path) {
            return Some(Kind::Artifact);
        }
        let named = || self.named_by_settings.contains(name).then_some(Kind::Configured);
        let ours = || self.by_package(path, name).or_else(|| self.by_config(path, name));
        files::kind_of(path).or_else(|| files::could_be_hint(name).then(ours).flatten()).or_else(named)
    }

    /// Whether `path` is in the hint library, whatever else its name makes it.
    pub(crate) fn is_in_library(&self, path: &[u8]) -> bool {
        path.ends_with(b".md") && matches(&self.library, path)
    }

    fn by_package(&self, path: &[u8], name: &[u8]) -> Option<Kind> {
        let package = path::parent(path);
        if package.is_empty() || path::parent(package) != self.packages {
            return None;
        }
        package_files(path::file_name(package)).get(std::str::from_utf8(name).ok()?).copied()
    }

    fn by_config(&self, path: &[u8], name: &[u8]) -> Option<Kind> {
        if !name.ends_with(b".md") {
            return None;
        }
        if matches(&self.plans, path) {
            let never = name.eq_ignore_ascii_case(b"README.md") || name.eq_ignore_ascii_case(b"TODO.md");
            return (!never).then_some(Kind::Plan);
        }
        matches(&self.library, path).then_some(Kind::LibraryHint)
    }

    /// All candidates of a listing, in its order. Excluded files are left out.
    pub(crate) fn candidates(&self, listing: &Listing) -> Vec<FileToCheck> {
        let candidate = |entry: ListedPath<'_>| {
            let kind = self.kind_in(entry.path, listing).filter(|_| entry.kind != EntryKind::Submodule)?;
            (!self.is_excluded(entry.path)).then(|| FileToCheck { path: RepoPath::new(entry.path), kind })
        };
        match self.named_by_settings.is_empty() {
            true => listing.marked().filter_map(candidate).collect(),
            // Settings may name any file.
            false => listing.iter().filter_map(candidate).collect(),
        }
    }
}

/// Whether `path` lies in `folder`, counted from the root.
fn below(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(b"/"))
}

/// Folders of text that describes repositories other than the one it stands in.
const ILLUSTRATIVE: [&str; 13] = [
    "_template",
    "_templates",
    "template",
    "templates",
    "fixture",
    "fixtures",
    "example",
    "examples",
    "sample",
    "samples",
    "starters",
    "testdata",
    "__fixtures__",
];

/// Folders of what other projects wrote.
const VENDORED: [&str; 6] =
    ["bower_components", "node_modules", "site-packages", "third-party", "third_party", "vendor"];

/// Folders of files that are kept as records.
const RECORDS: [&str; 14] = [
    ".archive",
    ".raw",
    "_archive",
    "_archived",
    "_deprecated",
    "_disabled",
    "archive",
    "archived",
    "archives",
    "attic",
    "backup",
    "backups",
    "disabled",
    "historical",
];

/// Whether `text` begins with a date of this century whose digits stand where `shape` has `0`.
fn begins_with_date(text: &[u8], shape: &[u8]) -> bool {
    let is_alike = |(byte, wanted): (&u8, &u8)| if *wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted };
    text.starts_with(b"20") && text.len() >= shape.len() && text.iter().zip(shape).all(is_alike)
}

const DAY: &[u8] = b"0000-00-00";

/// Whether the name of a file ends in a day: `audit-2026-02-23.md`.
fn ends_in_a_day(path: &[u8]) -> bool {
    let name = path::file_name(path);
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name);
    let day = stem.len().checked_sub(DAY.len() + 1).map(|at| &stem[at..]);
    day.and_then(|day| day.strip_prefix(b"-")).is_some_and(|day| begins_with_date(day, DAY))
}

/// Whether a folder is called after the day or the minute of a run: `2026-04-17-audit`, `20260417-183231`.
fn is_dated(folder: &[u8]) -> bool {
    let is_day = begins_with_date(folder, DAY) && matches!(folder.get(DAY.len()), None | Some(b'-' | b'_' | b'T'));
    let minutes = [&b"00000000-0000"[..], b"00000000_0000", b"00000000T0000"];
    is_day || minutes.iter().any(|minute| begins_with_date(folder, minute))
}

/// Whether a folder is called `x-disabled`.
fn is_switched_off(folder: &[u8]) -> bool {
    [&b"-disabled"[..], b".disabled"].iter().any(|end| folder.len() > end.len() && folder.ends_with(end))
}

fn is_one_of(folder: &[u8], names: &[&str]) -> bool {
    names.iter().any(|name| folder.eq_ignore_ascii_case(name.as_bytes()))
}

/// Whether the file at `path` is a template, a fixture or an example.
pub(crate) fn is_illustrative(path: &[u8]) -> bool {
    folder_of_others(folders(path)).is_some()
}

/// Folders whose own folders are called after what they are about: the skill `mail-templates` is none.
const CALLED_AFTER: [&str; 5] = ["agents", "commands", "plugins", "rules", "skills"];

/// The first of `folders` that holds what describes other repositories: `templates`, `project-template`.
fn folder_of_others<'p>(folders: impl IntoIterator<Item = &'p [u8]>) -> Option<&'p [u8]> {
    let ends = |folder: &[u8], end: &[u8]| {
        folder.len().checked_sub(end.len()).is_some_and(|at| at > 0 && folder[at..].eq_ignore_ascii_case(end))
    };
    let mut above: &[u8] = b"";
    folders.into_iter().find(|folder| {
        let above = std::mem::replace(&mut above, folder);
        let is_template = ends(folder, b"-template") || ends(folder, b"-templates");
        is_one_of(folder, &ILLUSTRATIVE) || is_template && !is_one_of(above, &CALLED_AFTER)
    })
}

/// Folders of tests. The skills below them are data of the tests; other hint files there are for whoever works on the tests.
pub(crate) const TESTS: [&str; 6] = ["test", "tests", "__tests__", "spec", "specs", "e2e"];

/// Whether the file at `path` lies among tests.
pub(crate) fn is_among_tests(path: &[u8]) -> bool {
    folders(path).any(|folder| is_one_of(folder, &TESTS))
}

/// Whether the file at `path` is a template, a fixture or an example, or a skill that tests read. A skill's own folder, and the
/// folders of a collection, only say what the skills are about.
pub(crate) fn is_fixture(path: &[u8]) -> bool {
    if path::file_name(path) != b"SKILL.md" {
        return is_illustrative(path);
    }
    let folders: Vec<&[u8]> = folders(path).collect();
    let collection = folders.iter().rposition(|folder| *folder == b"skills");
    let own = collection.filter(|at| at + 2 == folders.len()).map_or(folders.len(), |_| folders.len() - 1);
    let outside = collection.unwrap_or(folders.len());
    folder_of_others(folders[..own].iter().copied()).is_some()
        || folders[..outside].iter().any(|folder| is_one_of(folder, &TESTS))
}

/// Folders of what programs recorded, to be compared with.
const RECORDED: [&str; 13] = [
    "__recordings__",
    "__snapshots__",
    "cassettes",
    "corpora",
    "corpus",
    "frozen",
    "golden",
    "goldens",
    "recorded",
    "recordings",
    "snapshots",
    "transcripts",
    "vcr",
];

/// Whether the file at `path` is part of what was recorded and is kept as it was.
pub(crate) fn is_recorded(path: &[u8]) -> bool {
    folders(path).any(|folder| is_one_of(folder, &RECORDED))
}

/// Whether the file at `path` lies in a folder of what other projects wrote.
pub(crate) fn is_vendored(path: &[u8]) -> bool {
    folders(path).any(is_of_others)
}

/// Whether a folder is called as one of what other projects wrote: `vendor`, `skills-vendor`.
fn is_of_others(folder: &[u8]) -> bool {
    let ends = [&b"-vendor"[..], b"-vendored", b"_vendor", b"_vendored"];
    is_one_of(folder, &VENDORED) || ends.iter().any(|end| folder.ends_with(end))
}

fn folders(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path::parent(path).split(|&byte| byte == b'/')
}

/// Why the folders of `path` set it aside: it is a template, a fixture or an example, part of another project, or a record of the past.
/// `Workspace::why_for_elsewhere` asks this and knows further reasons.
pub(crate) fn why_set_aside(path: &[u8]) -> Option<String> {
    if let Some(folder) = folder_of_others(folders(path)) {
        return Some(format!("below {}/: describes other repositories", String::from_utf8_lossy(folder)));
    }
    if let Some(folder) = folders(path).find(|folder| is_of_others(folder)) {
        return Some(format!("below {}/: part of another project", String::from_utf8_lossy(folder)));
    }
    let record =
        folders(path).find(|folder| is_one_of(folder, &RECORDS) || is_dated(folder) || is_switched_off(folder));
    let Some(record) = record else {
        return ends_in_a_day(path).then(|| "its name ends in a day: a record of how things were".to_owned());
    };
    Some(format!("below {}/: a record of how things were", String::from_utf8_lossy(record)))
}

/// Whether the file at `path` is a command, subagent or style of a bundle, or a rule of a collection, and not in a folder where agents
/// look for those of the repository itself.
pub(crate) fn is_in_bundle(path: &[u8], role: Role) -> bool {
    match role {
        Role::Command | Role::Subagent | Role::Style => !folders(path).any(files::is_agent_folder),
        Role::Rule => collected(path).is_some(),
        _ => false,
    }
}

/// The folder of a collection to which the file at `path` may belong, its ending, and what it is. Hidden folders belong to programs.
pub(crate) fn collected(path: &[u8]) -> Option<(&[u8], &'static str, Kind)> {
    let name = path::file_name(path);
    let mut known = files::all().flat_map(|files| files.collected);
    let (folder, ending, kind) =
        known.find(|(_, ending, _)| name.len() > ending.len() && name.ends_with(ending.as_bytes()))?;
    let dirs = path::ancestors_from_root(path::parent(path));
    let dir = dirs.into_iter().find(|dir| path::file_name(dir) == folder.as_bytes())?;
    let is_open = !path.split(|&byte| byte == b'/').any(|part| part.starts_with(b"."));
    is_open.then_some((dir, *ending, *kind))
}

/// Whether `path` lies in a folder where agents look for the skills of the repository itself.
pub(crate) fn stands_among_own_skills(path: &[u8]) -> bool {
    folders(path).any(|folder| files::is_skill_folder(folder) || files::is_of_a_home(folder))
}

#[cfg(test)]
mod tests;
