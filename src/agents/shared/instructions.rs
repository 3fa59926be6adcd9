//! Agents that send each hint file under a line that names it: the first name that stands on the walk, nearest first, then what
//! `instructions` of their settings name. What differs between them is a [`Machinery`]. It names no agent.

use super::context::{PartName, Reason, Why};
use super::js_globs;
use super::loading::Loading;
use super::references::References;
use super::settings::{self, SettingsFormat};
use crate::world::AbsPath;
use serde_json::Value;

/// Patterns of the settings that are looked for, files that are sent, and bytes of these, against hostile input. The agents have
/// no such limits.
const MAX_INSTRUCTIONS: usize = 256;
const MAX_FILES: usize = 10_000;
const MAX_BYTES: usize = 16 << 20;

/// What differs between such agents.
pub(crate) struct Machinery {
    /// How the names of its environment variables begin.
    pub(crate) variables: &'static str,
    /// Its folder in the user's directory of configuration.
    pub(crate) user_folder: &'static str,
    /// The settings there. The list of a later file replaces that of an earlier one.
    pub(crate) user_settings: &'static [&'static str],
    /// The settings of a directory. Those of the first set are read in all directories of the walk, then those of the next.
    pub(crate) settings: &'static [&'static [&'static str]],
    /// Folders of a directory that hold more settings, and the names of these.
    pub(crate) folders: (&'static [&'static str], &'static [&'static str]),
    /// Another agent's file that counts, in a directory and in the user's home, unless one of these variables is set.
    pub(crate) borrowed: (&'static str, &'static str, &'static [&'static str]),
    /// Files that are sent as if an instruction before all settings named them.
    pub(crate) rules: fn(&mut Loading<'_>) -> Vec<(AbsPath, Why)>,
    /// Whether hint files may refer to other files, and those of the project to nothing outside it.
    pub(crate) has_references: bool,
}

/// A file to send, or the pattern that finds some.
struct Named<T> {
    what: T,
    why: Why,
    /// Whether the user named it, not the project.
    is_trusted: bool,
}

/// Add what is named, once. If the user names it too, it is trusted at its first place.
fn add<T: PartialEq>(list: &mut Vec<Named<T>>, named: Named<T>) {
    match list.iter_mut().find(|known| known.what == named.what) {
        Some(known) => known.is_trusted |= named.is_trusted,
        None => list.push(named),
    }
}

/// Load what the dialect's table and `machinery` name.
pub(crate) fn load(loading: &mut Loading<'_>, machinery: &'static Machinery) {
    let root = loading.find_root();
    let mut dirs = loading.walk(root.as_ref());
    dirs.reverse();
    let project = root.unwrap_or_else(|| loading.start.clone());
    let mut loader = InstructionsLoader { loading, machinery, dirs, project };
    let mut files = Vec::new();
    if let Some(what) = loader.user_file() {
        add(&mut files, Named { what, why: Why::User, is_trusted: true });
    }
    for what in loader.walk() {
        add(&mut files, Named { what, why: Why::Project, is_trusted: false });
    }
    let urls = loader.instructed(&mut files);
    let mut entries = Vec::new();
    let mut bytes = 0;
    for file in &files {
        if bytes > MAX_BYTES {
            loader.note_limits();
            break;
        }
        let entry = loader.entry(file);
        bytes += entry.as_ref().map_or(0, String::len);
        entries.extend(entry);
    }
    entries.extend(urls);
    let placement = loader.loading.dialect().placement;
    loader.loading.push_part(PartName::Main, entries.join("\n"), placement);
    if let Some(touched) = loader.loading.options.touch.clone() {
        loader.touch(&touched, &files);
    }
}

struct InstructionsLoader<'l, 'w> {
    loading: &'l mut Loading<'w>,
    machinery: &'static Machinery,
    /// The directories of the walk, nearest first.
    dirs: Vec<AbsPath>,
    /// The root, or the start directory.
    project: AbsPath,
}

impl InstructionsLoader<'_, '_> {
    fn variable(&self, name: &str) -> Option<AbsPath> {
        self.loading.world.env().get(&format!("{}_{name}", self.machinery.variables)).map(AbsPath::new)
    }

    fn is_on(&self, name: &str) -> bool {
        self.loading.world.env().is_on(&format!("{}_{name}", self.machinery.variables))
    }

    fn project_is_off(&self) -> bool {
        self.is_on("DISABLE_PROJECT_CONFIG")
    }

    fn borrows(&self) -> bool {
        !self.machinery.borrowed.2.iter().any(|name| self.is_on(name))
    }

    /// The user's directory of configuration.
    fn config_home(&self) -> Option<AbsPath> {
        Some(AbsPath::new(self.loading.world.env().config_home()?).join(self.machinery.user_folder))
    }

    /// The directory of the user's own hint file.
    fn user_dir(&self) -> Option<AbsPath> {
        self.variable("CONFIG_DIR").or_else(|| self.config_home())
    }

    /// The names of hint files.
    fn names(&self) -> Vec<&'static str> {
        let names = self.loading.dialect().names.iter().copied();
        names.filter(|&name| name != self.machinery.borrowed.0 || self.borrows()).collect()
    }

    /// The first of the user's files that exists.
    fn user_file(&mut self) -> Option<AbsPath> {
        if !self.loading.options.user {
            return None;
        }
        let mut paths: Vec<AbsPath> =
            self.user_dir().map(|dir| dir.join(self.loading.dialect().names[0])).into_iter().collect();
        if self.borrows() {
            paths.extend(self.loading.home().map(|home| home.join(self.machinery.borrowed.1)));
        }
        let found = paths.iter().position(|path| self.loading.world.file_type(path).is_some())?;
        let chosen = paths.swap_remove(found);
        for path in paths.into_iter().skip(found) {
            if self.loading.world.is_file(&path) {
                self.loading.skip_file(&path, Reason::ShadowedBy(chosen.clone()));
            }
        }
        Some(chosen)
    }

    /// The files of the first name that stands anywhere on the walk; those of the other names are shadowed.
    fn walk(&mut self) -> Vec<AbsPath> {
        if self.project_is_off() {
            return Vec::new();
        }
        let mut chosen: Vec<AbsPath> = Vec::new();
        for name in self.names() {
            let mut found: Vec<AbsPath> = self.dirs.iter().map(|dir| dir.join(name)).collect();
            let broken = found.iter().find(|path| self.loading.cannot_look_up(path)).cloned();
            if let Some(broken) = broken.filter(|_| chosen.is_empty()) {
                // The agent gives this name up, wherever it stands.
                found.retain(|path| self.loading.world.is_file(path));
                for path in found {
                    self.loading.skip_file(&path, Reason::ShadowedBy(broken.clone()));
                }
                self.loading.skip_file(&broken, Reason::Unreadable);
                continue;
            }
            found.retain(|path| self.loading.world.file_type(path).is_some());
            match chosen.first().cloned() {
                None => chosen = found,
                Some(first) => {
                    for path in found {
                        self.loading.skip_file(&path, Reason::ShadowedBy(first.clone()));
                    }
                }
            }
        }
        chosen
    }

    /// Whether a file belongs to the project.
    fn is_of_project(&self, path: &AbsPath) -> bool {
        path.is_within(&self.project)
    }

    /// The references that a file may have.
    fn references(&self, is_trusted: bool) -> References {
        let bound = (self.machinery.has_references && !is_trusted).then(|| self.project.clone());
        References { bound }
    }

    /// A file's entry; `None` when nothing is in it, or the agent refuses it.
    fn entry(&mut self, file: &Named<AbsPath>) -> Option<String> {
        let references = self.references(file.is_trusted);
        if let Some(bound) = &references.bound
            && self
                .loading
                .world
                .real_path(&file.what)
                .is_ok_and(|real| !real.is_within(&self.loading.robust_real_path(bound)))
        {
            self.loading.skip_file(&file.what, Reason::Outside(bound.clone()));
            return None;
        }
        let has_references = self.machinery.has_references;
        let text = self.loading.hint_with(&file.what, file.why, |loading, text| match has_references {
            true => references.in_hint_file(loading, &file.what, text),
            false => Ok(text.to_owned()),
        })?;
        Some(format!("Instructions from: {}\n{text}", self.loading.show(&file.what)))
    }

    /// Add the files that `instructions` of all settings name; returns the entries of the URLs among these.
    fn instructed(&mut self, files: &mut Vec<Named<AbsPath>>) -> Vec<String> {
        let mut instructions = Vec::new();
        for (path, why) in (self.machinery.rules)(self.loading) {
            let is_trusted = !self.is_of_project(&path);
            add(&mut instructions, Named { what: path.to_string(), why, is_trusted });
        }
        self.settings(&mut instructions);
        let mut is_over = instructions.len() > MAX_INSTRUCTIONS;
        let mut urls = Vec::new();
        for instruction in instructions.into_iter().take(MAX_INSTRUCTIONS) {
            let Named { what, why, is_trusted } = instruction;
            if what.starts_with("http://") || what.starts_with("https://") {
                urls.push(format!("Instructions from: {what}\n(not fetched)"));
                continue;
            }
            let is_trusted = is_trusted && ((what.starts_with('/') || what.starts_with("~/")) || self.project_is_off());
            for what in self.resolve(&what) {
                match files.len() > MAX_FILES {
                    true => is_over = true,
                    false => add(files, Named { what, why, is_trusted }),
                }
            }
        }
        if is_over {
            self.note_limits();
        }
        urls
    }

    fn note_limits(&mut self) {
        self.loading.note(format!(
            "instructions beyond {MAX_INSTRUCTIONS} patterns, {MAX_FILES} files or {MAX_BYTES} bytes are not followed"
        ));
    }

    /// Add the `instructions` of all settings: the user's, then the project's.
    fn settings(&mut self, instructions: &mut Vec<Named<String>>) {
        let Machinery { user_settings, settings, folders, .. } = *self.machinery;
        let in_dir = |dir: &AbsPath, names: &[&str]| names.iter().map(|name| dir.join(name)).collect::<Vec<_>>();
        let below = |dir: &AbsPath| {
            folders.0.iter().flat_map(|folder| in_dir(&dir.join(folder), folders.1)).collect::<Vec<_>>()
        };
        let config = self.config_home();
        let mut of_user = Value::Null;
        for path in user_settings.iter().filter_map(|name| Some(config.as_ref()?.join(name))) {
            let value = self.read(&path, true);
            if value["instructions"].is_array() {
                of_user = value;
            }
        }
        add_all(instructions, &of_user, true);
        if let Some(path) = self.variable("CONFIG") {
            add_all(instructions, &self.read(&path, true), true);
        }
        if !self.project_is_off() {
            let from_top =
                |names: &&[&str]| self.dirs.iter().rev().flat_map(|dir| in_dir(dir, names)).collect::<Vec<_>>();
            for path in settings.iter().flat_map(from_top).collect::<Vec<_>>() {
                add_all(instructions, &self.read(&path, false), false);
            }
            for path in self.dirs.iter().flat_map(below).collect::<Vec<_>>() {
                let is_trusted = !self.is_of_project(&path);
                add_all(instructions, &self.read(&path, is_trusted), is_trusted);
            }
        }
        let mut paths: Vec<AbsPath> = self.loading.home().iter().flat_map(below).collect();
        paths.extend(self.variable("CONFIG_DIR").iter().flat_map(|dir| in_dir(dir, folders.1)));
        for path in paths {
            add_all(instructions, &self.read(&path, true), true);
        }
        let content = format!("{}_CONFIG_CONTENT", self.machinery.variables);
        let content = self
            .loading
            .world
            .env()
            .get(&content)
            .and_then(|text| settings::parse(text, SettingsFormat::RELAXED_JSON).ok());
        add_all(instructions, &content.unwrap_or_default(), true);
    }

    /// The settings at `path`, with what their references stand for.
    fn read(&mut self, path: &AbsPath, is_trusted: bool) -> Value {
        let references = self.references(is_trusted);
        settings::read_with(self.loading, path, SettingsFormat::RELAXED_JSON, |loading, text| {
            references.in_settings(loading, path, &text)
        })
    }

    /// The files that an instruction names: `~/` and absolute ones by the glob in their last component, others by a glob that
    /// is looked for in every directory of the walk. Where the project has no say, it is looked for in the user's directory.
    fn resolve(&mut self, instruction: &str) -> Vec<AbsPath> {
        let home = instruction.strip_prefix("~/").and_then(|rest| self.loading.home().map(|home| home.join(rest)));
        let absolute = home.or_else(|| instruction.starts_with('/').then(|| AbsPath::new(instruction)));
        if let Some(path) = absolute {
            let name = String::from_utf8_lossy(path.file_name()).into_owned();
            // There, and there alone, wildcards match no name that begins with a dot.
            let mut found = js_globs::files(self.loading, &path.dirname(), &name);
            found.retain(|path| name.starts_with('.') || !path.file_name().starts_with(b"."));
            return found;
        }
        let dirs = match self.project_is_off() {
            true => self.user_dir().into_iter().collect(),
            false => self.dirs.clone(),
        };
        dirs.iter().flat_map(|dir| js_globs::files(self.loading, dir, instruction)).collect()
    }

    /// One file per directory from the touched file's up to the start directory, which is out. The agent compares paths as
    /// strings, so that a sibling whose name begins like the start directory's counts as below it.
    fn touch(&mut self, touched: &AbsPath, sent: &[Named<AbsPath>]) {
        self.loading.part = PartName::Touch;
        let names = self.names();
        let start = self.loading.start.clone();
        let mut entries = Vec::new();
        for dir in touched.dirname().ancestors() {
            if dir == start || !dir.as_bytes().starts_with(start.as_bytes()) {
                break;
            }
            let mut found = names.iter().map(|name| dir.join(name));
            let Some(what) = found.find(|path| self.loading.world.file_type(path).is_some()) else { continue };
            if what != *touched && !sent.iter().any(|file| file.what == what) {
                entries.extend(self.entry(&Named { what, why: Why::Touch, is_trusted: false }));
            }
        }
        let text = match entries.is_empty() {
            true => String::new(),
            false => format!("<system-reminder>\n{}\n</system-reminder>", entries.join("\n\n")),
        };
        self.loading.push_part(PartName::Touch, text, "tool result");
    }
}

/// Add the `instructions` of one settings file.
fn add_all(instructions: &mut Vec<Named<String>>, value: &Value, is_trusted: bool) {
    // The agents refuse settings whose list holds anything else.
    let list = value["instructions"].as_array().filter(|list| list.iter().all(Value::is_string));
    for what in list.into_iter().flatten().filter_map(Value::as_str) {
        add(instructions, Named { what: what.to_owned(), why: Why::Setting, is_trusted });
    }
}
