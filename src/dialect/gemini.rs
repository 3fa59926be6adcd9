//! Gemini CLI: files in the order of their paths as strings, imports in place. The import engine serves Qwen Code too, which
//! is a fork and differs in the points of [`Variant`].

use super::loading::Loading;
use super::settings::{self, Format};
use super::{
    Boundary, ByteOrderMark, Choice, Dialect, Evidence, Imports, InvalidUtf8, Invisible, Limits, Order, Placement,
    Proof, Root, TextTreatment, Walk,
};
use crate::context::{PartName, Reason, Why};
use crate::parse::imports::{Grammar, Inert, Reference, js_trim, references};
use crate::world::{AbsPath, FileType, ReadError};
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
    // `context.memoryBoundaryMarkers` replaces `.git`; the import boundary asks for a `.git` directory.
    root: Root::Git,
    walk: Walk::RootToStart,
    order: Order::PathString,
    imports: Some(Imports {
        grammar: Grammar::Gemini,
        placement: Placement::Replaces,
        depth: 5,
        boundary: Boundary::RootOfFile,
        boundary_resolves_links: true,
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

/// Where the agent and its fork differ in imports.
pub(super) struct Variant {
    pub(super) imports: Imports,
    /// The root that bounds imports, and what counts as one.
    pub(super) root: Root,
    /// A missing target leaves the token; else a comment takes its place.
    pub(super) missing_stays: bool,
    /// The hint file itself counts as processed.
    pub(super) knows_itself: bool,
}

const VARIANT: Variant = Variant {
    imports: match GEMINI.imports {
        Some(imports) => imports,
        None => unreachable!(),
    },
    root: Root::GitDirectory,
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
        let paths = config.names.iter().map(|name| home.join(name)).collect::<Vec<_>>();
        user = blocks(loading, &paths, Why::User, config.flat, &mut seen);
    }
    loading.push_part(PartName::User, user.join("\n\n"), "system instruction, in <loaded_context>");
    loading.part = PartName::Main;
    let ceiling = ceiling(loading, &config, &loading.start.clone());
    let mut paths = upward(loading, &config, home.as_ref(), &loading.start.clone(), &ceiling);
    paths.sort_by(|a, b| utf16(a).cmp(&utf16(b)));
    let main = blocks(loading, &paths, Why::Project, config.flat, &mut seen);
    loading.push_part(PartName::Main, main.join("\n\n"), GEMINI.placement);
    if let Some(touched) = loading.options.touch.clone() {
        loading.part = PartName::Touch;
        let mut found = Vec::new();
        // Only files below the start directory count, the one trusted root.
        if loading.robust_real_path(&touched).is_within(&loading.start) {
            let from = if loading.world.is_dir(&touched) { touched } else { touched.dirname() };
            let paths = upward(loading, &config, home.as_ref(), &from, &ceiling);
            found = blocks(loading, &paths, Why::Touch, config.flat, &mut seen);
        }
        let placement = "tool result, after \"--- Newly Discovered Project Context ---\"";
        loading.push_part(PartName::Touch, found.join("\n\n"), placement);
    }
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

/// Where the walk up from `start` ends: the nearest directory with a marker, else `start` itself.
fn ceiling(loading: &mut Loading<'_>, config: &Config, start: &AbsPath) -> AbsPath {
    let world = loading.world;
    let marked = |dir: &AbsPath| config.markers.iter().any(|marker| world.file_type(&dir.join(marker)).is_some());
    let root = start.ancestors().find(marked);
    loading.out.root.clone_from(&root);
    root.unwrap_or_else(|| start.clone())
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

/// One block per file that has text, each file once whatever its names.
fn blocks(
    loading: &mut Loading<'_>,
    paths: &[AbsPath],
    why: Why,
    flat: bool,
    seen: &mut BTreeSet<AbsPath>,
) -> Vec<String> {
    let mut blocks = Vec::new();
    for path in paths {
        let identity = loading.world.real_path(path).unwrap_or_else(|_| path.clone());
        if !seen.insert(identity) {
            if why != Why::Touch {
                loading.skip_file(path, Reason::AlreadyLoaded);
            }
            continue;
        }
        let Some(bytes) = loading.read(path) else { continue };
        loading.layer(path, &bytes, why);
        let text = String::from_utf8_lossy(&bytes);
        let expanded = if flat { Flat::expand(loading, path, &text) } else { expand(loading, &VARIANT, path, &text) };
        let expanded = js_trim(&expanded);
        if expanded.is_empty() {
            loading.out.layers.pop();
            loading.skip_file(path, Reason::Empty);
            continue;
        }
        let name = loading.show(path);
        blocks.push(format!("--- Context from: {name} ---\n{expanded}\n--- End of Context from: {name} ---"));
    }
    blocks
}

/// The text of the hint file at `path` with its imports in place.
pub(super) fn expand(loading: &mut Loading<'_>, variant: &Variant, path: &AbsPath, text: &str) -> String {
    let dir = path.dirname();
    let boundary = super::loading::find_root(loading.world, &dir, variant.root).unwrap_or(dir);
    let mut chain = Vec::new();
    if variant.knows_itself {
        chain.push(path.clone());
    }
    Expansion { variant, boundary, chain }.run(loading, path, text, 0)
}

struct Expansion<'v> {
    variant: &'v Variant,
    boundary: AbsPath,
    /// The files between the hint file and here.
    chain: Vec<AbsPath>,
}

impl Expansion<'_> {
    /// Recursion is bounded by the table's depth.
    fn run(&mut self, loading: &mut Loading<'_>, path: &AbsPath, text: &str, depth: usize) -> String {
        let references = references(self.variant.imports.grammar, text);
        if depth >= self.variant.imports.depth {
            for reference in references.iter().filter(|r| r.inert.is_none()) {
                let reason = Reason::TooDeep(self.variant.imports.depth);
                loading.skip_token(path, reference.span, &reference.path, None, reason);
            }
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for reference in references {
            out.push_str(&text[done..reference.span.start]);
            done = reference.span.end;
            match self.replacement(loading, path, &reference, depth) {
                Some(replacement) => out.push_str(&replacement),
                None => out.push_str(&text[reference.span.range()]),
            }
        }
        out.push_str(&text[done..]);
        out
    }

    /// What stands in place of the token; `None` if it stays.
    fn replacement(
        &mut self,
        loading: &mut Loading<'_>,
        importer: &AbsPath,
        reference: &Reference,
        depth: usize,
    ) -> Option<String> {
        let (span, token) = (reference.span, reference.path.as_str());
        if let Some(inert) = reference.inert {
            loading.skip_token(importer, span, token, None, inert_reason(inert));
            return None;
        }
        if !self.allows(loading, importer, token) {
            loading.skip_token(importer, span, token, None, Reason::Outside(self.boundary.clone()));
            return Some(format!("<!-- Import failed: {token} - Path traversal attempt -->"));
        }
        let target = importer.dirname().resolve(token.as_bytes());
        if self.chain.contains(&target) {
            loading.skip_token(importer, span, token, Some(target), Reason::AlreadyLoaded);
            return Some(format!("<!-- File already processed: {token} -->"));
        }
        if !loading.may_import() {
            loading.skip_token(importer, span, token, Some(target), Reason::Limit);
            return None;
        }
        match loading.world.read(&target) {
            Ok(bytes) => {
                loading.import(&target, &bytes, importer, span);
                self.chain.push(target.clone());
                let text = self.run(loading, &target, &String::from_utf8_lossy(&bytes), depth + 1);
                self.chain.pop();
                Some(format!("<!-- Imported from: {token} -->\n{text}\n<!-- End of import from: {token} -->"))
            }
            Err(error) => {
                loading.skip_unread(importer, span, token, &target, &error);
                if self.variant.missing_stays && error == ReadError::NotFound {
                    return None;
                }
                let message = node_message(&error, &loading.show(&target));
                Some(format!("<!-- Import failed: {token} - {message} -->"))
            }
        }
    }

    fn allows(&self, loading: &Loading<'_>, importer: &AbsPath, token: &str) -> bool {
        within(loading, &self.variant.imports, &self.boundary, importer, token)
    }
}

fn within(loading: &Loading<'_>, imports: &Imports, boundary: &AbsPath, importer: &AbsPath, token: &str) -> bool {
    if ["file://", "http://", "https://"].iter().any(|scheme| token.starts_with(scheme)) {
        return false;
    }
    let target = importer.dirname().resolve(token.as_bytes());
    if !imports.boundary_resolves_links {
        return target.is_within(boundary);
    }
    let decoded = percent_decoded(&target);
    loading.robust_real_path(&decoded).is_within(&loading.robust_real_path(boundary))
}

/// The path with `%20` and the like decoded, as the boundary check reads it; as it is when that is not UTF-8 or malformed.
fn percent_decoded(path: &AbsPath) -> AbsPath {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'%' {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|hex| !hex.starts_with('+')).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => out.push(byte),
            None => return path.clone(),
        }
        at += 3;
    }
    if std::str::from_utf8(&out).is_ok() { AbsPath::new(out) } else { path.clone() }
}

/// The message of the error that Node raises when it looks for or reads `path`.
fn node_message(error: &ReadError, path: &str) -> String {
    match error {
        ReadError::NotFound => format!("ENOENT: no such file or directory, access '{path}'"),
        ReadError::NotADirectory => format!("ENOTDIR: not a directory, access '{path}'"),
        ReadError::IsDirectory => "EISDIR: illegal operation on a directory, read".to_owned(),
        ReadError::Loop => format!("ELOOP: too many symbolic links encountered, access '{path}'"),
        ReadError::NameTooLong => format!("ENAMETOOLONG: name too long, access '{path}'"),
        ReadError::Denied => format!("EACCES: permission denied, open '{path}'"),
        ReadError::Special | ReadError::TooLarge | ReadError::Other(_) => format!("{error}, open '{path}'"),
    }
}

pub(super) fn inert_reason(inert: Inert) -> Reason {
    match inert {
        Inert::Code => Reason::Code,
        Inert::Comment => Reason::Comment,
    }
}

/// The flat import format: all files one after the other, tokens left in place, imports visited from the last to the first.
struct Flat {
    boundary: AbsPath,
    seen: BTreeSet<AbsPath>,
    files: Vec<(AbsPath, String)>,
}

impl Flat {
    fn expand(loading: &mut Loading<'_>, path: &AbsPath, text: &str) -> String {
        let dir = path.dirname();
        let boundary = super::loading::find_root(loading.world, &dir, VARIANT.root).unwrap_or(dir);
        let mut flat = Flat { boundary, seen: BTreeSet::new(), files: Vec::new() };
        flat.run(loading, path, text);
        let blocks = flat.files.iter().map(|(path, text)| {
            let name = loading.show(path);
            format!("--- File: {name} ---\n{}\n--- End of File: {name} ---", js_trim(text))
        });
        blocks.collect::<Vec<_>>().join("\n\n")
    }

    /// Depth first without recursion, since this format knows no limit of depth: a stack of files, each with the imports that
    /// are still to be visited.
    fn run(&mut self, loading: &mut Loading<'_>, top: &AbsPath, text: &str) {
        // The hint file goes by the name of its directory here, as the agent has it.
        let mut stack = vec![(top.clone(), self.enter(top.dirname(), text))];
        while let Some((importer, pending)) = stack.last_mut() {
            let Some(reference) = pending.pop() else {
                stack.pop();
                continue;
            };
            let importer = importer.clone();
            if let Some((target, text)) = self.visit(loading, &importer, &reference) {
                let pending = self.enter(target.clone(), &text);
                stack.push((target, pending));
            }
        }
    }

    fn enter(&mut self, name: AbsPath, text: &str) -> Vec<Reference> {
        self.seen.insert(name.clone());
        self.files.push((name, text.to_owned()));
        references(Grammar::Gemini, text)
    }

    fn visit(&self, loading: &mut Loading<'_>, importer: &AbsPath, reference: &Reference) -> Option<(AbsPath, String)> {
        let (span, token) = (reference.span, reference.path.as_str());
        if let Some(inert) = reference.inert {
            loading.skip_token(importer, span, token, None, inert_reason(inert));
            return None;
        }
        if !within(loading, &VARIANT.imports, &self.boundary, importer, token) {
            loading.skip_token(importer, span, token, None, Reason::Outside(self.boundary.clone()));
            return None;
        }
        let target = importer.dirname().resolve(token.as_bytes());
        if self.seen.contains(&target) {
            loading.skip_token(importer, span, token, Some(target), Reason::AlreadyLoaded);
            return None;
        }
        if !loading.may_import() {
            loading.skip_token(importer, span, token, Some(target), Reason::Limit);
            return None;
        }
        match loading.world.read(&target) {
            Ok(bytes) => {
                loading.import(&target, &bytes, importer, span);
                Some((target, String::from_utf8_lossy(&bytes).into_owned()))
            }
            Err(error) => {
                loading.skip_unread(importer, span, token, &target, &error);
                None
            }
        }
    }
}

/// Whether something that is not a directory stands at `path`; used where the agent only asks for access.
pub(super) fn is_there(loading: &Loading<'_>, path: &AbsPath) -> bool {
    !matches!(loading.world.file_type(path), None | Some(FileType::Directory))
}
