//! The text of a merged context: layers from the root down, imports in their places, markers around both. Reads the frozen
//! workspace only; same bytes and config, same text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use rayon::prelude::*;

use super::layer::{Import, Layer, Part};
use super::marker::{self, Marker, TITLE, path_text, repo_path_text};
use super::{FILES, HEADER, MAX_IMPORT_BYTES, MAX_IMPORT_FILES};
use crate::base::defect;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::config::patterns::{matches, patterns};
use crate::source::ReadError;
use crate::workspace::imports::{self, Target as Aim};
use crate::workspace::{Resolution, Workspace};

/// Renders the merged contexts of one workspace. Each file is normalised once, when first asked for, by any thread.
#[derive(Debug)]
pub struct Merged<'w> {
    workspace: &'w Workspace,
    output: Vec<u8>,
    layers: Vec<OnceLock<Layer>>,
    hints: BTreeMap<&'w [u8], Vec<&'w RepoPath>>,
}

/// The context of one directory, as pieces that know where they came from.
#[derive(Debug, Default)]
pub struct Context<'m> {
    pieces: Vec<Piece<'m>>,
    /// Files that could not be read: this text is not what the repository means.
    pub failures: BTreeSet<RepoPath>,
}

#[derive(Debug)]
struct Piece<'m> {
    text: Cow<'m, str>,
    /// The document whose line the first line comes from, and that line from 0.
    origin: Option<(usize, usize)>,
}

/// Where an import leads.
enum Target {
    Refused(Marker, String),
    File { document: usize, name: RepoPath },
}

impl<'w> Merged<'w> {
    /// Prepare to render `workspace`; `output` is the artifacts' folder.
    pub fn new(workspace: &'w Workspace, output: &[u8]) -> Self {
        let mut hints: BTreeMap<&[u8], Vec<&RepoPath>> = BTreeMap::new();
        let is_hint = |kind: Kind| !matches!(kind, Kind::Imported | Kind::Artifact | Kind::Markdown);
        // A bad pattern has stopped the run before this.
        let excluded = patterns(workspace.config.exclude.iter().map(|(pattern, _)| pattern)).ok();
        let is_excluded = |path: &[u8]| excluded.as_ref().is_some_and(|patterns| matches(patterns, path));
        let documents = workspace.documents.iter().filter(|document| is_hint(document.kind)).map(|d| &d.path);
        let unreadable = workspace.unreadable.keys().filter(|path| workspace.listing.contains(path.as_bytes()));
        for path in documents.chain(workspace.links.keys()).chain(unreadable) {
            if rank(path).is_some() && !is_below(path.as_bytes(), output) && !is_excluded(path.as_bytes()) {
                hints.entry(path.parent()).or_default().push(path);
            }
        }
        for paths in hints.values_mut() {
            paths.sort_by_key(|path| rank(path));
            paths.dedup();
        }
        let layers = workspace.documents.iter().map(|_| OnceLock::new()).collect();
        Merged { workspace, output: output.to_vec(), layers, hints }
    }

    /// The directories whose own files contribute to a context, in bytewise order.
    pub fn directories(&self) -> Vec<&'w [u8]> {
        // This is where most files are normalised, so it goes parallel; the order stays.
        let hints: Vec<(&&'w [u8], &Vec<&'w RepoPath>)> = self.hints.iter().collect();
        let contributes = |paths: &Vec<&'w RepoPath>| paths.iter().any(|path| !self.is_silent(path));
        hints.into_par_iter().filter(|(_, paths)| contributes(paths)).map(|(dir, _)| *dir).collect()
    }

    /// The context of directory `dir`. With `parent`, only the directory's own layers, and `parent` named as the artifact that
    /// holds the others. `None` when nothing contributes and no parent is named.
    pub fn context(&self, dir: &[u8], own_layers_only: bool, parent: Option<&RepoPath>) -> Option<Context<'_>> {
        let mut builder = Builder::new(self);
        if let Some(parent) = parent {
            builder.marker(Marker::Parent, &repo_path_text(parent), None);
        }
        let dirs = if own_layers_only { vec![dir] } else { path::ancestors_from_root(dir) };
        for path in dirs.iter().filter_map(|dir| self.hints.get(dir)).flatten() {
            if !self.is_silent(path) {
                builder.hint_file(path);
            }
        }
        (!builder.context.pieces.is_empty()).then_some(builder.context)
    }

    /// The normalised text of a document, by index.
    pub(super) fn layer(&self, document: usize) -> &Layer {
        self.layers[document].get_or_init(|| {
            let document = &self.workspace.documents[document];
            let is_import = |written: &str| self.is_import(&document.path, written);
            defect::contain(|| Layer::of(document, &self.workspace.config, &is_import))
                .unwrap_or_else(|| Layer { failed: true, ..Layer::default() })
        })
    }

    fn document_index(&self, path: &RepoPath) -> Option<usize> {
        self.workspace.documents.binary_search_by(|document| document.path.cmp(path)).ok()
    }

    /// Whether a hint file adds nothing: it is empty, or a link to our own output.
    fn is_silent(&self, path: &RepoPath) -> bool {
        match self.workspace.resolve(path.as_bytes()) {
            Resolution::File(real) => {
                self.is_output(&real) || self.document_index(&real).is_some_and(|index| self.layer(index).is_empty())
            }
            Resolution::Missing(target) => self.is_output(&target),
            _ => false,
        }
    }

    /// Whether `path` is an artifact's or our attributes file's. What is missing there counts too, so that writing or deleting
    /// our output never changes its text.
    fn is_output(&self, path: &RepoPath) -> bool {
        let bytes = || self.workspace.document(path.as_bytes()).map(|document| &*document.bytes);
        let missing = !self.workspace.listing.contains(path.as_bytes());
        is_below(path.as_bytes(), &self.output)
            && match path.file_name() {
                b".gitattributes" => {
                    missing || bytes().is_none_or(|bytes| bytes == super::changes::ATTRIBUTES.as_bytes())
                }
                name => name.ends_with(b".md") && (missing || bytes().is_some_and(marker::has_header)),
            }
    }

    /// Whether some file that is not our output lies below `dir`.
    fn has_directory(&self, dir: &RepoPath) -> bool {
        let below = self.workspace.listing.below(dir.as_bytes());
        let of_output = self.workspace.listing.below(&self.output);
        let inside = is_below(dir.as_bytes(), &self.output) || dir.as_bytes() == self.output;
        !inside
            && (dir.as_bytes().is_empty()
                || below.len() > if below.contains(&of_output.start) { of_output.len() } else { 0 })
    }

    /// Whether a token is an import at all, which is decided as for lint.
    fn is_import(&self, importer: &RepoPath, written: &str) -> bool {
        match file_path(importer, written) {
            None => written.split('/').any(|part| part == ".."),
            Some(name) => {
                self.may_become_output(&name, written) || imports::aim(self.workspace, importer, written).is_some()
            }
        }
    }

    /// Whether a token reaches into a folder that may exist for our output's sake alone: whether it counts must not depend on
    /// what has been compiled yet.
    fn may_become_output(&self, name: &RepoPath, written: &str) -> bool {
        let top = self.output.split(|&b| b == b'/').next().unwrap_or_default();
        let reaches =
            written.split('/').next().is_some_and(|first| first.as_bytes() == top) || is_below(name.as_bytes(), top);
        self.is_output(name) || (reaches && !self.has_directory(&RepoPath::new(top)))
    }

    /// What an import comes to.
    fn target(&self, importer: usize, import: &Import, failures: &mut BTreeSet<RepoPath>) -> Target {
        let importer = &self.workspace.documents[importer].path;
        let outside = || Target::Refused(Marker::Outside, path_text(import.path.as_bytes()));
        let Some(name) = file_path(importer, &import.path) else { return outside() };
        let refused = |marker| Target::Refused(marker, repo_path_text(&name));
        match imports::aim(self.workspace, importer, &import.path) {
            _ if self.is_output(&name) => refused(Marker::AlreadyGenerated),
            Some(Aim::Outside(_)) => outside(),
            None | Some(Aim::Missing(_)) => refused(Marker::NotFound),
            Some(Aim::Unreadable(dir, ReadError::Directory)) if !self.has_directory(&dir) => refused(Marker::NotFound),
            Some(Aim::Unreadable(..) | Aim::Loop | Aim::Unknown) => refused(Marker::Unreadable),
            Some(Aim::File(real) | Aim::NotTracked { path: real, .. }) => match self.document_index(&real) {
                _ if self.is_output(&real) => refused(Marker::AlreadyGenerated),
                Some(document) if !self.is_binary(document) => Target::File { document, name },
                Some(_) => refused(Marker::Unreadable),
                None => {
                    self.note_failure(&real, failures);
                    refused(Marker::Unreadable)
                }
            },
        }
    }

    /// Not text: not UTF-8, with a NUL among its first 8,000 bytes, which is where git looks.
    fn is_binary(&self, document: usize) -> bool {
        let bytes = &self.workspace.documents[document].bytes;
        memchr::memchr(0, &bytes[..bytes.len().min(8000)]).is_some() && std::str::from_utf8(bytes).is_err()
    }

    fn note_failure(&self, path: &RepoPath, failures: &mut BTreeSet<RepoPath>) {
        if matches!(self.workspace.unreadable.get(path), Some(ReadError::Failed(_))) {
            failures.insert(path.clone());
        }
    }
}

/// The path in the repository that `written` names, without its `#fragment`; `None` when it climbs out.
fn file_path(importer: &RepoPath, written: &str) -> Option<RepoPath> {
    let path = written.split('#').next().unwrap_or_default();
    path::resolve(importer.parent(), path.as_bytes()).map(RepoPath::new)
}

/// The place of a file's name in [`FILES`].
fn rank(path: &RepoPath) -> Option<usize> {
    FILES.iter().position(|name| name.as_bytes() == path.file_name())
}

/// Whether `path` lies inside directory `dir`.
pub(super) fn is_below(path: &[u8], dir: &[u8]) -> bool {
    path.strip_prefix(dir).is_some_and(|rest| dir.is_empty() || rest.starts_with(b"/"))
}

/// A file whose text is being written.
struct Frame {
    document: usize,
    next: usize,
    depth: usize,
    close: Marker,
    name: String,
}

struct Builder<'m, 'w> {
    merged: &'m Merged<'w>,
    context: Context<'m>,
    /// The files that the context has, and the name by which its markers call them.
    included: HashMap<usize, String>,
    imported_bytes: usize,
    imported_files: usize,
    after: After,
}

/// What the last line written is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Marker,
    Blank,
    Text,
}

impl<'m, 'w> Builder<'m, 'w> {
    fn new(merged: &'m Merged<'w>) -> Self {
        Builder {
            merged,
            context: Context::default(),
            included: HashMap::new(),
            imported_bytes: 0,
            imported_files: 0,
            after: After::Marker,
        }
    }

    fn push(&mut self, text: impl Into<Cow<'m, str>>, origin: Option<(usize, usize)>) {
        self.context.pieces.push(Piece { text: text.into(), origin });
    }

    /// A marker line, with a blank line before it.
    fn marker(&mut self, marker: Marker, path: &str, origin: Option<(usize, usize)>) {
        if self.after != After::Blank {
            self.push("\n", origin);
        }
        self.push(marker.line(path), origin);
        self.after = After::Marker;
    }

    fn text(&mut self, text: &'m str, origin: (usize, usize)) {
        let first = text.split('\n').next().unwrap_or_default();
        if self.after == After::Marker && !first.trim().is_empty() {
            self.push("\n", Some(origin));
        }
        self.push(text, Some(origin));
        let last = text.trim_end_matches('\n').len();
        let is_blank = text[last..].len() > 1 || text.lines().next_back().is_none_or(|line| line.trim().is_empty());
        self.after = if is_blank { After::Blank } else { After::Text };
    }

    /// The layer of a hint file: `path` as the directory has it, perhaps a link.
    fn hint_file(&mut self, path: &RepoPath) {
        let merged = self.merged;
        let name = repo_path_text(path);
        let resolution = merged.workspace.resolve(path.as_bytes());
        let document = match &resolution {
            Resolution::File(real) => merged.document_index(real),
            _ => None,
        };
        self.marker(Marker::From, &name, document.map(|document| (document, 0)));
        let Some(document) = document else {
            if let Resolution::File(real) = &resolution {
                merged.note_failure(real, &mut self.context.failures);
            }
            let refusal = match resolution {
                Resolution::Outside => Marker::Outside,
                Resolution::Missing(_) => Marker::NotFound,
                _ => Marker::Unreadable,
            };
            let target = merged.workspace.links.get(path).filter(|_| refusal == Marker::Outside);
            self.marker(refusal, &target.map_or(name.clone(), |target| path_text(target)), None);
            return self.marker(Marker::End, &name, None);
        };
        if let Some(before) = self.included.get(&document).cloned() {
            self.marker(Marker::AlreadyIncluded, &before, Some((document, 0)));
            return self.marker(Marker::End, &name, Some((document, 0)));
        }
        self.included.insert(document, name.clone());
        self.file(Frame { document, next: 0, depth: 0, close: Marker::End, name });
    }

    /// The text of a file with all its imports. Iterative, so that no chain of imports can exhaust the stack.
    fn file(&mut self, frame: Frame) {
        let merged = self.merged;
        let mut stack = vec![frame];
        while let Some(frame) = stack.last_mut() {
            let layer = merged.layer(frame.document);
            let (document, depth, next) = (frame.document, frame.depth, frame.next);
            frame.next += 1;
            if layer.failed && next == 0 {
                let name = frame.name.clone();
                self.context.failures.insert(merged.workspace.documents[document].path.clone());
                self.marker(Marker::Unreadable, &name, Some((document, 0)));
            }
            let opened = match layer.parts.get(next) {
                Some(Part::Text { text, line }) => {
                    self.text(text, (document, *line));
                    None
                }
                Some(Part::Import(import)) => self.import(document, import, depth),
                None => match layer.trailing.get(next - layer.parts.len()) {
                    Some(import) => self.import(document, import, depth),
                    None => {
                        let close = (frame.close, std::mem::take(&mut frame.name));
                        stack.pop();
                        self.marker(close.0, &close.1, Some((document, layer.last_line)));
                        None
                    }
                },
            };
            stack.extend(opened);
        }
    }

    /// Write what stands for an import; a frame when its text is to follow.
    fn import(&mut self, importer: usize, import: &'m Import, depth: usize) -> Option<Frame> {
        let merged = self.merged;
        let origin = Some((importer, import.line));
        let (document, name) = match merged.target(importer, import, &mut self.context.failures) {
            Target::Refused(marker, path) => {
                self.marker(marker, &path, origin);
                return None;
            }
            Target::File { document, name } => (document, repo_path_text(&name)),
        };
        if let Some(before) = self.included.get(&document).cloned() {
            self.marker(Marker::AlreadyIncluded, &before, origin);
            return None;
        }
        if depth >= merged.workspace.config.limits.import_depth {
            self.marker(Marker::TooDeep, &name, origin);
            return None;
        }
        let size = merged.layer(document).len();
        if self.imported_bytes + size > MAX_IMPORT_BYTES || self.imported_files >= MAX_IMPORT_FILES {
            self.marker(Marker::TooLarge, &name, origin);
            return None;
        }
        self.imported_bytes += size;
        self.imported_files += 1;
        self.included.insert(document, name.clone());
        self.marker(Marker::Imported, &name, origin);
        Some(Frame { document, next: 0, depth: depth + 1, close: Marker::EndOfImport, name })
    }
}

impl Context<'_> {
    /// The text from [`TITLE`] on, with one final newline.
    pub fn text(&self) -> String {
        let len: usize = self.pieces.iter().map(|piece| piece.text.len()).sum();
        let mut text = String::with_capacity(HEADER.len() + TITLE.len() + 3 + len);
        self.write(&mut text);
        text
    }

    /// The artifact: header, blank line, text.
    pub fn artifact(&self) -> String {
        let len: usize = self.pieces.iter().map(|piece| piece.text.len()).sum();
        let mut text = String::with_capacity(HEADER.len() + TITLE.len() + 3 + len);
        text.push_str(HEADER);
        text.push_str("\n\n");
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        text.push_str(TITLE);
        text.push('\n');
        for piece in &self.pieces {
            text.push_str(&piece.text);
        }
    }

    /// Where each line of [`Context::artifact`] comes from: an index into the workspace's documents and a line from 0.
    pub fn origins(&self) -> Vec<Option<(usize, usize)>> {
        let mut origins = vec![None; 3];
        for piece in &self.pieces {
            let lines = memchr::memchr_iter(b'\n', piece.text.as_bytes()).count();
            origins.extend((0..lines).map(|n| piece.origin.map(|(document, line)| (document, line + n))));
        }
        origins
    }
}
