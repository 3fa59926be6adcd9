//! Builds one context: what every dialect needs to walk, read, show paths and keep records. It knows no agent.

use super::context::{
    Conditional, Context, Cut, Importer, Layer, LoadOptions, Part, PartName, Reason, Skipped, UnreadFile, Why,
};
use super::roots::{directories, find_root};
use crate::agents::{Boundary, Dialect, Inside, Walk};
use crate::base::text::{LineIndex, Span};
use crate::base::tokens;
use crate::parse::braces;
use crate::parse::imports::without_punctuation;
use crate::world::{AbsPath, DirectoryEntry, FileType, ReadError, World};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Imported bytes beyond which nothing more is expanded, against hostile input. Agents have no such limit.
const MAX_IMPORTED_BYTES: usize = 4 << 20;
/// Imported files beyond which nothing more is expanded.
const MAX_IMPORTED_FILES: usize = 10_000;

/// A context that is being built.
pub(crate) struct Loading<'w> {
    pub(crate) world: &'w dyn World,
    pub(crate) options: &'w LoadOptions,
    pub(crate) start: AbsPath,
    pub(crate) out: Context,
    /// The part that layers now belong to.
    pub(crate) part: PartName,
    /// The names that mark a root, where settings replace the table's rule.
    pub(crate) markers: Option<Vec<String>>,
    imported_bytes: usize,
    imported_files: usize,
    listings: BTreeMap<AbsPath, Vec<DirectoryEntry>>,
}

impl<'w> Loading<'w> {
    pub(crate) fn new(
        world: &'w dyn World,
        dialect: &'static Dialect,
        start: &AbsPath,
        options: &'w LoadOptions,
    ) -> Self {
        let out = Context::empty(dialect, start);
        let start = start.clone();
        Loading {
            world,
            options,
            start,
            out,
            part: PartName::Main,
            markers: None,
            imported_bytes: 0,
            imported_files: 0,
            listings: BTreeMap::new(),
        }
    }

    pub(crate) fn finish(self) -> Context {
        self.out
    }

    pub(crate) fn dialect(&self) -> &'static Dialect {
        self.out.dialect
    }

    /// The user's home, as a path.
    pub(crate) fn home(&self) -> Option<AbsPath> {
        self.world.env().home().map(AbsPath::new)
    }

    /// A setting given by the caller.
    pub(crate) fn setting(&self, key: &str) -> Option<&'w serde_json::Value> {
        self.options.settings.get(&format!("{}.{key}", self.dialect().id))
    }

    /// A setting given by the caller as a number.
    pub(crate) fn number(&self, key: &str) -> Option<usize> {
        self.setting(key).and_then(serde_json::Value::as_u64).and_then(|number| usize::try_from(number).ok())
    }

    /// What our own config says to the agent.
    pub(crate) fn configured(&self, key: &str) -> Option<&'w serde_json::Value> {
        self.options.config.get(&format!("{}.{key}", self.dialect().id))
    }

    /// The table's names.
    pub(crate) fn names(&self) -> Vec<String> {
        self.dialect().names.iter().map(ToString::to_string).collect()
    }

    /// The nearest directory from the start upwards that is a root.
    pub(crate) fn find_root(&mut self) -> Option<AbsPath> {
        let root = self.root_of(&self.start);
        self.out.root.clone_from(&root);
        root
    }

    /// The nearest directory from `dir` upwards that is a root.
    pub(crate) fn root_of(&self, dir: &AbsPath) -> Option<AbsPath> {
        let Some(markers) = &self.markers else { return find_root(self.world, dir, self.dialect().root) };
        let marked = |dir: &AbsPath| markers.iter().any(|marker| self.world.file_type(&dir.join(marker)).is_some());
        dir.ancestors().find(marked)
    }

    /// The directory that imports of the hint file at `path` may not leave.
    pub(crate) fn boundary(&self, path: &AbsPath) -> AbsPath {
        match self.dialect().imports.map(|imports| imports.boundary) {
            Some(Boundary::Root) => self.out.root.clone().unwrap_or_else(|| self.start.clone()),
            Some(Boundary::RootOfFile) => self.root_of(&path.dirname()).unwrap_or_else(|| path.dirname()),
            Some(Boundary::Start) | None => self.start.clone(),
        }
    }

    /// Whether `path` lies inside `boundary`, as the dialect compares them.
    pub(crate) fn is_inside(&self, boundary: &AbsPath, path: &AbsPath) -> bool {
        let really = || self.robust_real_path(path).is_within(&self.robust_real_path(boundary));
        match self.dialect().imports.map(|imports| imports.inside) {
            Some(Inside::RealPath) => really(),
            Some(Inside::Both) => path.is_within(boundary) && really(),
            Some(Inside::Path) | None => path.is_within(boundary),
        }
    }

    /// How many imports may follow one another.
    pub(crate) fn max_depth(&self) -> usize {
        self.dialect().imports.map_or(0, |imports| imports.depth)
    }

    /// The directories that the dialect reads at start, from the top to the start directory.
    pub(crate) fn walk(&self, root: Option<&AbsPath>) -> Vec<AbsPath> {
        let top = match (self.dialect().walk, root) {
            (Walk::Root, Some(root)) => root.clone(),
            (Walk::Root, None) => self.start.clone(),
            (Walk::RootOrFileSystem, Some(root)) => root.clone(),
            (Walk::RootOrFileSystem, None) | (Walk::FileSystem, _) => AbsPath::new("/"),
            (Walk::AboveRoot, Some(root)) => root.dirname(),
            (Walk::AboveRoot, None) => self.home().map_or_else(|| self.start.clone(), |home| home.dirname()),
        };
        directories(&top, &self.start)
    }

    /// How a path is written into a text.
    pub(crate) fn show(&self, path: &AbsPath) -> String {
        let path = self.options.name_of(path);
        match &self.options.strip_root {
            Some(root) if path == root => ".".to_owned(),
            Some(root) if path.is_within(root) => String::from_utf8_lossy(&path.relative_to(root)).into_owned(),
            _ => path.to_string(),
        }
    }

    /// The bytes of a hint file; `None` if there is none or it cannot be read, which is then on record.
    pub(crate) fn read(&mut self, path: &AbsPath) -> Option<Arc<[u8]>> {
        match self.world.read(path) {
            Ok(bytes) => {
                self.consider(path, "loaded");
                Some(bytes)
            }
            Err(error) => {
                self.not_read(path, &error);
                None
            }
        }
    }

    /// Put on record that `path` was not read.
    pub(crate) fn not_read(&mut self, path: &AbsPath, error: &ReadError) {
        let outcome = match error {
            ReadError::NotFound | ReadError::NotADirectory => "not there",
            ReadError::IsDirectory => "a directory",
            ReadError::Special => "neither file nor directory",
            ReadError::GitDirectory => "in a git directory",
            _ => "could not be read",
        };
        self.consider(path, outcome);
        if error.is_failure() {
            self.out.failures.push(UnreadFile { path: path.clone(), message: error.to_string() });
        }
        let reason = match error {
            ReadError::IsDirectory => Some(Reason::Directory),
            ReadError::Special => Some(Reason::Unreadable),
            ReadError::GitDirectory => Some(Reason::Refused),
            _ => None,
        };
        if let Some(reason) = reason {
            self.skip_file(path, reason);
        }
    }

    /// The text of the hint file at `path` as the dialect takes it; `None` if there is none, or nothing in it.
    pub(crate) fn hint(&mut self, path: &AbsPath, why: Why) -> Option<String> {
        self.hint_with(path, why, |_, text| Ok(text.to_owned()))
    }

    /// The same, with its imports, say, as `change` puts them in; `None` too if `change` says why the agent refuses the file.
    pub(crate) fn hint_with(
        &mut self,
        path: &AbsPath,
        why: Why,
        change: impl FnOnce(&mut Self, &str) -> Result<String, Reason>,
    ) -> Option<String> {
        let bytes = self.read(path)?;
        let treatment = self.dialect().text;
        let Some(text) = treatment.decode(&bytes) else {
            self.skip_file(path, Reason::NotUtf8);
            return None;
        };
        let layer = self.layer(path, &bytes, why);
        let text = change(self, treatment.without_frontmatter(&text)).map(|text| treatment.trim(&text).to_owned());
        match text {
            Ok(text) if !text.is_empty() => Some(text),
            refused => {
                self.out.layers.truncate(layer);
                self.skip_file(path, refused.err().unwrap_or(Reason::Empty));
                None
            }
        }
    }

    /// The paths at which something stands that `counts`.
    pub(crate) fn existing(&mut self, mut paths: Vec<AbsPath>, counts: impl Fn(FileType) -> bool) -> Vec<AbsPath> {
        paths.retain(|path| {
            let is_there = self.world.file_type(path).is_some_and(&counts);
            if !is_there {
                self.consider(path, "not there");
            }
            is_there
        });
        paths
    }

    /// Whether the file at `path` is not among `seen` under any name; it is from now on.
    pub(crate) fn is_new(&mut self, path: &AbsPath, seen: &mut BTreeSet<AbsPath>) -> bool {
        let is_new = seen.insert(self.world.real_path(path).unwrap_or_else(|_| path.clone()));
        if !is_new {
            self.skip_file(path, Reason::AlreadyLoaded);
        }
        is_new
    }

    /// Whether a look at `path` fails although a name stands there: its links lead in a circle, or through a file.
    pub(crate) fn cannot_look_up(&self, path: &AbsPath) -> bool {
        matches!(self.world.real_path(path), Err(ReadError::Loop | ReadError::NotADirectory))
    }

    /// The entries of a directory, listed once.
    pub(crate) fn list(&mut self, dir: &AbsPath) -> &[DirectoryEntry] {
        let world = self.world;
        self.listings.entry(dir.clone()).or_insert_with(|| world.read_dir(dir))
    }

    pub(crate) fn consider(&mut self, path: &AbsPath, outcome: &'static str) {
        self.out.considered.push((path.clone(), outcome));
    }

    /// Add a file to the context; returns its place among the layers.
    pub(crate) fn layer(&mut self, path: &AbsPath, bytes: &[u8], why: Why) -> usize {
        let real_path = self.world.real_path(path).unwrap_or_else(|_| path.clone());
        self.out.layers.push(Layer {
            path: path.clone(),
            real_path,
            part: self.part,
            why,
            bytes: bytes.len(),
            lines: if bytes.is_empty() { 0 } else { LineIndex::new(bytes).count() },
            tokens: tokens::estimate(bytes.len()),
            imported_by: None,
            cut: None,
            globs: Vec::new(),
        });
        self.out.layers.len() - 1
    }

    /// Add an imported file to the context.
    pub(crate) fn import(&mut self, path: &AbsPath, bytes: &[u8], importer: &AbsPath, span: Span) -> usize {
        self.imported_bytes += bytes.len();
        self.imported_files += 1;
        let layer = self.layer(path, bytes, Why::Import);
        self.out.layers[layer].imported_by = Some(Importer { path: importer.clone(), span });
        layer
    }

    /// Whether our limits allow one more import; if not, a note says so once.
    pub(crate) fn may_import(&mut self) -> bool {
        let allowed = self.imported_bytes < MAX_IMPORTED_BYTES && self.imported_files < MAX_IMPORTED_FILES;
        if !allowed {
            self.note(format!(
                "imports beyond {MAX_IMPORTED_BYTES} bytes or {MAX_IMPORTED_FILES} files are not followed"
            ));
        }
        allowed
    }

    /// A remark, said once.
    pub(crate) fn note(&mut self, note: String) {
        if !self.out.notes.contains(&note) {
            self.out.notes.push(note);
        }
    }

    /// Record where a file was cut: `kept` of its bytes are in the context.
    pub(crate) fn cut(&mut self, layer: usize, bytes: &[u8], kept: usize) {
        let line = LineIndex::new(bytes).line_of(kept) + 1;
        if let Some(layer) = self.out.layers.get_mut(layer) {
            layer.cut = Some(Cut { kept, line });
        }
    }

    /// Record a file on the walk that is not loaded.
    pub(crate) fn skip_file(&mut self, path: &AbsPath, reason: Reason) {
        self.out.skipped.push(Skipped { path: Some(path.clone()), token: String::new(), imported_by: None, reason });
    }

    /// Record a token that imports nothing.
    pub(crate) fn skip_token(
        &mut self,
        importer: &AbsPath,
        span: Span,
        token: &str,
        target: Option<AbsPath>,
        reason: Reason,
    ) {
        let imported_by = Some(Importer { path: importer.clone(), span });
        self.out.skipped.push(Skipped { path: target, token: token.to_owned(), imported_by, reason });
    }

    /// Record a token whose target could not be read.
    pub(crate) fn skip_unread(
        &mut self,
        importer: &AbsPath,
        span: Span,
        token: &str,
        target: &AbsPath,
        error: &ReadError,
    ) {
        let reason = match error {
            ReadError::IsDirectory => Reason::Directory,
            ReadError::GitDirectory => Reason::Refused,
            ReadError::NotFound | ReadError::NotADirectory | ReadError::NameTooLong | ReadError::Loop => {
                if self.names_file_with_punctuation(target, token) { Reason::Punctuation } else { Reason::Missing }
            }
            _ => Reason::Unreadable,
        };
        if error.is_failure() {
            self.out.failures.push(UnreadFile { path: target.clone(), message: error.to_string() });
        }
        self.skip_token(importer, span, token, Some(target.clone()), reason);
    }

    /// Whether `target`, which ends in `written`, is a file once the punctuation behind it is removed.
    pub(crate) fn names_file_with_punctuation(&self, target: &AbsPath, written: &str) -> bool {
        let plain = without_punctuation(written);
        let len = target.as_bytes().len().checked_sub(written.len() - plain.len());
        plain.len() < written.len()
            && len.is_some_and(|len| self.world.is_file(&AbsPath::new(&target.as_bytes()[..len])))
    }

    /// Record a rule that waits for a match.
    pub(crate) fn conditional(&mut self, rule: Conditional) {
        let refused = rule.globs.iter().find_map(|glob| Some(braces::not_matched(glob, &braces::refusal(glob)?)));
        if let Some(refused) = refused {
            self.note(format!("{}: {refused}", rule.path.to_str_lossy()));
        }
        self.out.conditional.push(rule);
    }

    /// Add a part. Parts are added in load order.
    pub(crate) fn push_part(&mut self, name: PartName, text: String, placement: &'static str) {
        self.out.parts.push(Part { name, text, placement });
    }

    /// `path` with links resolved as far as it exists, and the rest as it is: a dangling link counts as its target.
    pub(crate) fn robust_real_path(&self, path: &AbsPath) -> AbsPath {
        let mut path = path.clone();
        let mut rest: Vec<Vec<u8>> = Vec::new();
        // Each turn follows a link or climbs; both are bounded for honest paths, the count is for the others.
        for _ in 0..256 {
            if let Ok(mut real) = self.world.real_path(&path) {
                for name in rest.iter().rev() {
                    real = real.join(name);
                }
                return real;
            }
            if self.world.link_type(&path) == Some(FileType::Link)
                && let Some(target) = self.world.read_link(&path)
            {
                path = path.dirname().resolve(&target);
                continue;
            }
            let Some(parent) = path.parent() else { break };
            rest.push(path.file_name().to_vec());
            path = parent;
        }
        path
    }
}
