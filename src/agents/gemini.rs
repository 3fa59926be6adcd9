//! Gemini CLI: files in the order of their paths as strings, imports in place.

use super::shared::context::{PartName, Reason, Why};
use super::shared::imports::{Variant, expand, expand_flat};
use super::shared::loading::Loading;
use super::shared::settings::{self, Format};
use super::{
    Boundary, ByteOrderMark, Choice, Dialect, Evidence, Imports, InvalidUtf8, Invisible, Limits, Order, Placement,
    Proof, Root, TextTreatment, Walk,
};
use crate::parse::imports::{Grammar, js_trim};
use crate::world::{AbsPath, World};
use serde_json::Value;
use std::collections::BTreeSet;

/// The table. Observed through the released core library.
pub(super) const GEMINI: Dialect = Dialect {
    id: "gemini",
    title: "Gemini CLI",
    version: "0.61.0",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "@google/gemini-cli-core 0.61.0, run", date: "2026-11" },
        Evidence { source: "https://github.com/google-gemini/gemini-cli at 5411f113", date: "2026-11" },
    ],
    // Replaced by `context.fileName`.
    names: &["GEMINI.md"],
    ignores_case: false,
    choice: Choice::All,
    user_files: &[".gemini/GEMINI.md"],
    rules: &[],
    // `context.memoryBoundaryMarkers` replaces `.git`, for imports too.
    root: Root::Git,
    walk: Walk::RootToStart,
    order: Order::PathString,
    imports: Some(Imports {
        grammar: Grammar::Gemini,
        placement: Placement::Replaces,
        depth: 5,
        boundary: Boundary::RootOfFile,
        boundary_resolves_links: true,
        extensions: None,
    }),
    text: TextTreatment {
        invalid_utf8: InvalidUtf8::Replaced,
        bom: ByteOrderMark::Trimmed,
        drops_frontmatter: false,
        drops_comments: false,
        trims: true,
        invisible: Invisible::Kept,
    },
    limits: Limits { total: None, cuts: false },
    touch: true,
    placement: "first user message, in <loaded_context><project_context>",
    load,
};

const VARIANT: Variant = Variant {
    imports: match GEMINI.imports {
        Some(imports) => imports,
        None => unreachable!(),
    },
    missing_stays: false,
    knows_itself: false,
};

struct Config {
    names: Vec<String>,
    markers: Vec<String>,
    flat: bool,
}

fn load(loading: &mut Loading<'_>) {
    let home = loading.world.env().or_in_home("GEMINI_CLI_HOME", "").map(|home| AbsPath::new(home).join(".gemini"));
    let config = configure(loading, home.as_ref());
    // Identity of files already in the context; the user's come first.
    let mut seen = BTreeSet::new();
    loading.part = PartName::User;
    let mut user = Vec::new();
    if let Some(home) = home.as_ref().filter(|_| loading.options.user) {
        let paths = config.names.iter().map(|name| home.join(name)).collect();
        let paths = unseen(loading, paths, &mut seen);
        user = blocks(loading, &config, &paths, Why::User, config.flat);
    }
    loading.push_part(PartName::User, user.join("\n\n"), "system instruction, in <loaded_context>");
    loading.part = PartName::Main;
    let start = loading.start.clone();
    let root = config.find_root(loading.world, &start);
    loading.out.root.clone_from(&root);
    let ceiling = root.unwrap_or_else(|| start.clone());
    let paths = upward(loading, &config, home.as_ref(), &start, &ceiling);
    // Of several names for one file the first from the top counts; only then are paths sorted.
    let mut paths = unseen(loading, paths, &mut seen);
    paths.sort_by_cached_key(utf16);
    let main = blocks(loading, &config, &paths, Why::Project, config.flat);
    loading.push_part(PartName::Main, main.join("\n\n"), GEMINI.placement);
    if let Some(touched) = loading.options.touch.clone() {
        loading.part = PartName::Touch;
        let mut found = Vec::new();
        // Only files below the start directory count, the one trusted root.
        if loading.robust_real_path(&touched).is_within(&start) {
            let from = if loading.world.is_dir(&touched) { touched } else { touched.dirname() };
            let mut paths = upward(loading, &config, home.as_ref(), &from, &ceiling);
            paths.retain(|path| seen.insert(identity(loading, path)));
            // The flat format is for the start only.
            found = blocks(loading, &config, &paths, Why::Touch, false);
        }
        let placement = "tool result, after \"--- Newly Discovered Project Context ---\"";
        loading.push_part(PartName::Touch, found.join("\n\n"), placement);
    }
}

fn identity(loading: &Loading<'_>, path: &AbsPath) -> AbsPath {
    loading.world.real_path(path).unwrap_or_else(|_| path.clone())
}

/// The paths whose files are not in the context yet, each file once.
fn unseen(loading: &mut Loading<'_>, paths: Vec<AbsPath>, seen: &mut BTreeSet<AbsPath>) -> Vec<AbsPath> {
    let mut kept = Vec::new();
    for path in paths {
        if seen.insert(identity(loading, &path)) {
            kept.push(path);
        } else {
            loading.skip_file(&path, Reason::AlreadyLoaded);
        }
    }
    kept
}

fn configure(loading: &mut Loading<'_>, home: Option<&AbsPath>) -> Config {
    let mut config = Config {
        names: GEMINI.names.iter().map(ToString::to_string).collect(),
        markers: vec![".git".into()],
        flat: false,
    };
    let files = home.map(|home| home.join("settings.json")).into_iter();
    let files =
        files.chain([loading.start.join(".gemini/settings.json"), AbsPath::new("/etc/gemini-cli/settings.json")]);
    for path in files.collect::<Vec<_>>() {
        let value = settings::read(loading, &path, Format::Json);
        // The keys of the first format still count where the nested ones are absent.
        let either = |new: &str, old: &str| match settings::at(&value, &["context", new]) {
            Value::Null => value[old].clone(),
            value => value.clone(),
        };
        config.apply(
            &either("fileName", "contextFileName"),
            &value["context"]["memoryBoundaryMarkers"],
            &either("importFormat", "memoryImportFormat"),
        );
    }
    let given = |key: &str| loading.setting(key).cloned().unwrap_or(Value::Null);
    config.apply(&given("names"), &given("markers"), &given("format"));
    config
}

impl Config {
    /// The nearest directory from `start` upwards that holds a marker.
    fn find_root(&self, world: &dyn World, start: &AbsPath) -> Option<AbsPath> {
        let marked = |dir: &AbsPath| self.markers.iter().any(|marker| world.file_type(&dir.join(marker)).is_some());
        start.ancestors().find(marked)
    }

    fn apply(&mut self, names: &Value, markers: &Value, format: &Value) {
        if let Some(names) = settings::strings(names) {
            let names: Vec<String> =
                names.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
            if !names.is_empty() {
                self.names = names;
            }
        }
        if let Some(markers) = settings::strings(markers) {
            // Markers that would reach outside the directory are ignored.
            let inside = |marker: &String| !marker.is_empty() && !marker.starts_with('/') && !marker.contains("..");
            self.markers = markers.into_iter().filter(inside).collect();
        }
        if let Some(format) = format.as_str() {
            self.flat = format == "flat";
        }
    }
}

/// The hint files from `from` up to `ceiling`, top first; the user's own directory ends the walk.
fn upward(
    loading: &mut Loading<'_>,
    config: &Config,
    home: Option<&AbsPath>,
    from: &AbsPath,
    ceiling: &AbsPath,
) -> Vec<AbsPath> {
    let mut dirs = Vec::new();
    for dir in from.ancestors().take_while(|dir| Some(dir) != home) {
        let end = dir == *ceiling;
        dirs.push(dir);
        if end {
            break;
        }
    }
    let mut paths = Vec::new();
    for dir in dirs.iter().rev() {
        for name in &config.names {
            let path = dir.join(name);
            match loading.world.file_type(&path) {
                Some(_) => paths.push(path),
                None => loading.consider(&path, "not there"),
            }
        }
    }
    paths
}

/// JavaScript sorts strings by UTF-16 code units.
fn utf16(path: &AbsPath) -> Vec<u16> {
    path.to_str_lossy().encode_utf16().collect()
}

/// One block per file that has text.
fn blocks(loading: &mut Loading<'_>, config: &Config, paths: &[AbsPath], why: Why, flat: bool) -> Vec<String> {
    let mut blocks = Vec::new();
    for path in paths {
        let Some(bytes) = loading.read(path) else { continue };
        let layer = loading.layer(path, &bytes, why);
        let text = String::from_utf8_lossy(&bytes);
        // Imports are bounded by the root as seen from the file, not from the start directory.
        let dir = path.dirname();
        let boundary = config.find_root(loading.world, &dir).unwrap_or(dir);
        let expanded = if flat {
            expand_flat(loading, VARIANT.imports, boundary, path, &text)
        } else {
            expand(loading, &VARIANT, boundary, path, &text)
        };
        let expanded = js_trim(&expanded);
        if expanded.is_empty() {
            loading.out.layers.truncate(layer);
            loading.skip_file(path, Reason::Empty);
            continue;
        }
        let name = loading.show(path);
        blocks.push(format!("--- Context from: {name} ---\n{expanded}\n--- End of Context from: {name} ---"));
    }
    blocks
}
