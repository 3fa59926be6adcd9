//! Goose: every listed file from the git root down, imports in place, the whole text put into NFC.

use super::shared::context::{PartName, Reason, Why};
use super::shared::expand::{ImportToken, ImportedFile, NoImport, expand};
use super::shared::files::{AgentFiles, Hint};
use super::shared::loading::Loading;
use super::shared::roots::{directories, physical};
use super::shared::settings::{self, SettingsFormat};
use super::{Boundary, Dialect, Evidence, Imports, Inside, InvalidUtf8, Invisible, Placement, Proof, TextTreatment};
use crate::base::kind::{AgentKind, Kind, Role};
use crate::parse::imports::Grammar;
use crate::world::{AbsPath, FileType, World};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The table. Observed by running the loader's own functions.
pub(super) const GOOSE: Dialect = Dialect {
    id: "goose",
    title: "Goose",
    version: "20ee205c",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[Evidence {
        source: "https://github.com/block/goose, crates/goose/src/hints at 20ee205c, run",
        checked: "2026-11",
    }],
    // Replaced by `CONTEXT_FILE_NAMES`.
    names: &[".goosehints", "AGENTS.md"],
    // The last one only if AGENTS.md is among the names.
    user_files: &[".config/goose/.goosehints", ".config/goose/AGENTS.md", ".agents/AGENTS.md"],
    imports: Some(Imports {
        grammar: Grammar::Anywhere,
        placement: Placement::Replaces,
        depth: 3,
        boundary: Boundary::Root,
        inside: Inside::RealPath,
        extensions: None,
    }),
    text: TextTreatment {
        invalid_utf8: InvalidUtf8::DropsFile,
        invisible: Invisible::NfcThenWithout(&['\u{e0000}'..='\u{e007f}']),
        ..TextTreatment::PLAIN
    },
    files: &FILES,
    placement: "system prompt, after \"# Additional Instructions:\"",
    load,
    ..Dialect::BASE
};

static HINTS: AgentKind = AgentKind::new("goose-hints", Role::Main);

static FILES: AgentFiles = AgentFiles {
    signs: &[".goosehints"],
    hints: &[Hint::name(".goosehints", Kind::Of(&HINTS))],
    reads: &[Kind::Of(&HINTS), Kind::AgentsMd],
    imports_in: &[Kind::Of(&HINTS), Kind::AgentsMd],
    passes_over: &[".claude"],
    folders: &[".goose"],
    skill_folders: &[".goose"],
    // It hides files from imports.
    ignore_files: &[".gitignore"],
    words: &["goose"],
    file_words: &["goosehints"],
    ..AgentFiles::NONE
};

/// References that are looked at per hint file.
const MAX_OPERATIONS: usize = 64;
/// Bytes that imports may add per hint file.
const MAX_OUTPUT: usize = 1 << 20;
/// A `.git` file longer than this is not followed.
const MAX_POINTER: usize = 4096;

fn load(loading: &mut Loading<'_>) {
    let names = names(loading);
    let nothing = Gitignore::empty();
    let mut user = Vec::new();
    if loading.options.user {
        for path in user_paths(loading, &names) {
            user.extend(hint_file(loading, &path, &path.dirname(), &nothing, Why::User));
        }
    }
    let root = loading.find_root();
    let dirs = loading.walk(root.as_ref());
    let boundary = root.unwrap_or_else(|| loading.start.clone());
    let ignored = ignore_rules(loading, &dirs);
    let mut project = Vec::new();
    for dir in &dirs {
        for name in &names {
            project.extend(hint_file(loading, &dir.join(name), &boundary, &ignored, Why::Project));
        }
    }
    let mut text = String::new();
    if !user.is_empty() {
        text.push_str("\n### Global Hints\nThese are my global goose hints.\n");
        text.push_str(&user.join("\n"));
    }
    if !project.is_empty() {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str("### Project Hints\nThese are hints for working on the project in this directory.\n");
        text.push_str(&project.join("\n"));
    }
    loading.push_part(PartName::Main, GOOSE.text.clean(&text), GOOSE.placement);
    if let Some(touched) = loading.options.touch.clone() {
        touch(loading, &touched, &names, &boundary);
    }
}

fn names(loading: &mut Loading<'_>) -> Vec<String> {
    let key = "CONTEXT_FILE_NAMES";
    let from_list = |value: &serde_json::Value| value.as_array().and_then(|_| settings::strings(value));
    if let Some(names) = loading.setting("names").and_then(from_list) {
        return names;
    }
    let set = loading.world.env().get(key).and_then(|text| settings::parse(text, SettingsFormat::STRICT_JSON).ok());
    if let Some(names) = set.as_ref().and_then(from_list) {
        return names;
    }
    let config = config_dir(loading).map(|dir| settings::read(loading, &dir.join("config.yaml"), SettingsFormat::Yaml));
    config.as_ref().and_then(|config| from_list(&config[key])).unwrap_or_else(|| loading.names())
}

fn config_dir(loading: &Loading<'_>) -> Option<AbsPath> {
    let env = loading.world.env();
    match env.get("GOOSE_PATH_ROOT") {
        Some(root) => Some(AbsPath::new(root).join("config")),
        None => env.config_home().map(|dir| AbsPath::new(dir).join("goose")),
    }
}

fn user_paths(loading: &Loading<'_>, names: &[String]) -> Vec<AbsPath> {
    let mut paths = Vec::new();
    if let Some(dir) = config_dir(loading) {
        paths.extend(names.iter().map(|name| dir.join(name)));
    }
    if names.iter().any(|name| name == "AGENTS.md") {
        let home = loading.world.env().get("GOOSE_PATH_ROOT").map(AbsPath::new).or_else(|| loading.home());
        paths.extend(home.map(|home| home.join(".agents/AGENTS.md")));
    }
    paths
}

/// The `.gitignore` files of the walk, all read as if they stood in the start directory, as the agent does.
fn ignore_rules(loading: &Loading<'_>, dirs: &[AbsPath]) -> Gitignore {
    let mut builder = GitignoreBuilder::new(loading.start.to_os());
    for dir in dirs {
        let path = dir.join(".gitignore");
        let Ok(bytes) = loading.world.read(&path) else { continue };
        for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines() {
            // A line that is no glob is passed over, as the agent does.
            let _ = builder.add_line(Some(path.to_os()), line);
        }
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The expanded text of one hint file; `None` if there is none, it lies outside `boundary`, is not UTF-8 or empty.
fn hint_file(
    loading: &mut Loading<'_>,
    path: &AbsPath,
    boundary: &AbsPath,
    ignored: &Gitignore,
    why: Why,
) -> Option<String> {
    if !loading.world.is_file(path) {
        loading.consider(path, "not there");
        return None;
    }
    let boundary = Bounds::new(loading.world, boundary)?;
    let inside =
        |path: &AbsPath| loading.world.real_path(path).ok().filter(|real| boundary.allows(loading.world, real));
    let real = inside(&path.dirname()).and_then(|_| inside(path));
    let Some(real) = real else {
        loading.skip_file(path, Reason::Outside(boundary.dir));
        return None;
    };
    let mut budget = Budget { operations: MAX_OPERATIONS, output: MAX_OUTPUT, exhausted: false };
    loading.hint_with(path, why, |loading, text| {
        Ok(expand(loading, &real, text, &mut |loading, token| budget.find(loading, &boundary, ignored, token)))
    })
}

/// The directory that imports may not leave, and git's own directories inside it.
struct Bounds {
    dir: AbsPath,
    git_dirs: Vec<AbsPath>,
}

impl Bounds {
    fn new(world: &dyn World, dir: &AbsPath) -> Option<Bounds> {
        let dir = world.real_path(dir).ok()?;
        let dot_git = dir.join(".git");
        let git_dir = match world.link_type(&dot_git) {
            Some(FileType::File) => pointer(world, &dot_git).and_then(|text| {
                let value = text.strip_prefix("gitdir:")?.lines().next()?.trim().to_owned();
                real_dir(world, &dir.resolve(value.as_bytes()))
            }),
            _ => real_dir(world, &dot_git),
        };
        let mut git_dirs: Vec<AbsPath> = git_dir.into_iter().collect();
        if let Some(git_dir) = git_dirs.first().cloned()
            && let Some(text) = pointer(world, &git_dir.join("commondir"))
            && let Some(common) =
                text.lines().next().and_then(|line| real_dir(world, &git_dir.resolve(line.trim().as_bytes())))
        {
            git_dirs.push(common);
        }
        Some(Bounds { dir, git_dirs })
    }

    /// Whether the real path lies inside and is not one of git's own files.
    fn allows(&self, world: &dyn World, real: &AbsPath) -> bool {
        real.is_within(&self.dir)
            && !has_git_component(&real.relative_to(&self.dir))
            && !self.git_dirs.iter().any(|git| real.is_within(git))
            && !real.ancestors().take_while(|dir| dir.is_within(&self.dir)).any(|dir| looks_like_git(world, &dir))
    }
}

fn real_dir(world: &dyn World, path: &AbsPath) -> Option<AbsPath> {
    world.real_path(path).ok().filter(|path| world.is_dir(path))
}

fn pointer(world: &dyn World, path: &AbsPath) -> Option<String> {
    if world.link_type(path) != Some(FileType::File) {
        return None;
    }
    let bytes = world.read(path).ok().filter(|bytes| bytes.len() <= MAX_POINTER)?;
    String::from_utf8(bytes.to_vec()).ok()
}

fn has_git_component(path: &[u8]) -> bool {
    path.split(|&b| b == b'/').any(|part| part.eq_ignore_ascii_case(b".git"))
}

fn looks_like_git(world: &dyn World, dir: &AbsPath) -> bool {
    world.is_file(&dir.join("HEAD"))
        && ((world.is_dir(&dir.join("objects")) && world.is_dir(&dir.join("refs")))
            || world.is_file(&dir.join("commondir")))
}

/// What imports may still cost in one hint file.
struct Budget {
    operations: usize,
    output: usize,
    exhausted: bool,
}

impl Budget {
    fn find(
        &mut self,
        loading: &mut Loading<'_>,
        boundary: &Bounds,
        ignored: &Gitignore,
        token: &ImportToken<'_>,
    ) -> Result<ImportedFile, NoImport> {
        let target = token.target();
        let refused = |reason| NoImport::new(reason).target(&target);
        token.check_depth(loading.max_depth()).map_err(|refusal| refusal.target(&target))?;
        if self.exhausted || self.operations == 0 {
            self.exhausted = true;
            return Err(refused(Reason::Limit));
        }
        self.operations -= 1;
        if token.chain.iter().any(|link| same_reference(&link.token, token.path)) {
            return Err(refused(Reason::AlreadyLoaded));
        }
        let real = resolve(loading.world, boundary, ignored, token).map_err(refused)?;
        let bytes = loading.world.read(&real).map_err(|error| NoImport::unread(target.clone(), error))?;
        let text = String::from_utf8(bytes.to_vec());
        let cost = bytes.len() + "--- Content from  ---\n\n--- End of  ---".len() + 2 * token.path.len();
        self.exhausted = cost > self.output;
        let text = text.map_err(|_| refused(Reason::NotUtf8))?;
        if self.exhausted {
            return Err(refused(Reason::Limit));
        }
        self.output -= cost;
        self.exhausted = self.output == 0;
        let frame = [format!("--- Content from {} ---\n", token.path), format!("\n--- End of {} ---", token.path)];
        Ok(ImportedFile { path: target, base: real, bytes, text, frame })
    }
}

/// The real path of a target that may be imported.
fn resolve(
    world: &dyn World,
    boundary: &Bounds,
    ignored: &Gitignore,
    token: &ImportToken<'_>,
) -> Result<AbsPath, Reason> {
    if token.path.starts_with('/') || has_git_component(token.path.as_bytes()) {
        return Err(Reason::Refused);
    }
    // Links and `..` are resolved by the file system, component by component.
    let dir = token.importer.dirname();
    let inside = |path: &str| {
        let real = physical(world, &dir, path).map_err(|_| Reason::Missing)?;
        if boundary.allows(world, &real) { Ok(real) } else { Err(Reason::Outside(boundary.dir.clone())) }
    };
    inside(token.path.rsplit_once('/').map_or("", |(parent, _)| parent))?;
    let real = inside(token.path)?;
    if ignored.matched(real.to_os(), false).is_ignore() {
        return Err(Reason::Ignored);
    }
    match world.file_type(&real) {
        Some(FileType::File) => Ok(real),
        Some(FileType::Directory) => Err(Reason::Directory),
        _ => Err(if world.file_type(&token.target()).is_some() { Reason::Unreadable } else { Reason::Missing }),
    }
}

/// Paths are compared by component, so that `a//b` is `a/b` but `./a` is not `a`.
fn same_reference(a: &str, b: &str) -> bool {
    std::path::Path::new(a) == std::path::Path::new(b)
}

/// The hint files below the start directory on the way to the touched file's directory.
fn touch(loading: &mut Loading<'_>, touched: &AbsPath, names: &[String], boundary: &AbsPath) {
    loading.part = PartName::Touch;
    let dir = loading.world.real_path(&touched.dirname()).unwrap_or_else(|_| touched.dirname());
    let mut contents = Vec::new();
    if dir.is_within(&loading.start) && dir != loading.start && loading.world.is_dir(&dir) {
        let nothing = Gitignore::empty();
        for dir in directories(&loading.start, &dir).into_iter().skip(1) {
            for name in names {
                contents.extend(hint_file(loading, &dir.join(name), boundary, &nothing, Why::Touch));
            }
        }
    }
    let text = if contents.is_empty() {
        String::new()
    } else {
        format!("### Subdirectory Hints ({})\n{}", loading.show(&dir), contents.join("\n"))
    };
    loading.push_part(PartName::Touch, text, "system prompt");
}
