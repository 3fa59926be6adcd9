//! The merged contexts of one repository, read through a [`World`]: which files each directory contributes, and where imports
//! lead. Every file is read and normalised once, when first asked for, by any thread. Paths are the repository's.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::expand::{Expander, ImportExpansion, ImportResolver, Origin, TracedText};
use super::layer::{NormalisedText, PathImport};
use super::marker::{self, Marker, TITLE, path_text, repo_path_text};
use super::places::{Once, PathContent, Places};
use super::target::{self, ImportTarget, PathTree};
use super::{ATTRIBUTES, MAX_IMPORT_BYTES, MAX_IMPORT_FILES, NAMES};
use crate::base::defect;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::source::{self, MAX_FILE_BYTES};
use crate::world::links::Resolution;
use crate::world::{AbsPath, ReadError, World};

/// What the repository's config decides.
pub(crate) trait MergedSettings {
    /// The folder of artifacts, which are never input.
    fn output(&self) -> &[u8];
    /// How many imports may follow one another.
    fn import_depth(&self) -> usize;
    /// Whether the hint file at `path` is left out.
    fn is_excluded(&self, path: &[u8]) -> bool;
    /// What the file at `path` is by its name and place.
    fn kind(&self, path: &[u8]) -> Option<Kind>;
    /// The text of the file at `path` without hidden characters, except allowed ones.
    fn clean<'t>(&self, path: &RepoPath, text: &'t str) -> Cow<'t, str>;
}

/// The repository at a directory of a world.
pub(crate) struct MergedRepository<'d, W, S> {
    places: Places<W>,
    settings: S,
    /// Documents that have been parsed already.
    documents: &'d [Document],
    hints: Once<Vec<u8>, Vec<RepoPath>>,
    files: Once<RepoPath, Result<File, ReadError>>,
}

/// A file's text, normalised.
struct File {
    layer: Arc<NormalisedText>,
    /// Not text: not UTF-8, with a NUL among its first 8,000 bytes, which is where git looks.
    is_binary: bool,
}

/// A context of the repository.
#[derive(Debug)]
pub(crate) struct MergedContext {
    /// The text with its origins.
    pub expanded: TracedText,
    /// Files that failed to be read, and why: the text is not what the repository means.
    pub failures: BTreeMap<RepoPath, String>,
}

impl<'d, W: World, S: MergedSettings> MergedRepository<'d, W, S> {
    /// The repository at `root`. A file that is among `documents`, sorted by path, is not read again.
    pub(crate) fn new(world: W, root: AbsPath, settings: S, documents: &'d [Document]) -> Self {
        let places = Places::new(world, root);
        MergedRepository { places, settings, documents, hints: Once::new(), files: Once::new() }
    }

    /// The world that it is read through.
    pub(crate) fn world(&self) -> &W {
        &self.places.world
    }

    /// The path in the repository of a file of a context.
    pub(crate) fn path(&self, path: &AbsPath) -> RepoPath {
        self.places.relative(path)
    }

    /// Whether files of directory `dir` itself contribute to its context.
    pub(crate) fn contributes(&self, dir: &[u8]) -> bool {
        self.hints(dir).iter().any(|path| !self.is_silent(path))
    }

    /// The context of directory `dir`. With `own_layers_only` the directories above it are left out, and `parent` is named as
    /// the artifact that holds theirs. `None` when nothing contributes and no parent is named.
    pub(crate) fn context(
        &self,
        dir: &[u8],
        own_layers_only: bool,
        parent: Option<&RepoPath>,
    ) -> Option<MergedContext> {
        let mut text = Expander::new(&format!("{TITLE}\n"));
        let mut importing = Importing { repository: self, bytes: 0, files: 0, failures: BTreeMap::new() };
        if let Some(parent) = parent {
            text.marker(Marker::Parent, &repo_path_text(parent), None);
        }
        let dirs = if own_layers_only { vec![dir] } else { path::ancestors_from_root(dir) };
        // A hint file's name decides its kind, also where it is imported first.
        let hints: Vec<_> = dirs.into_iter().map(|dir| self.hints(dir)).collect();
        let hints: Vec<_> = hints.iter().flat_map(|hints| hints.iter()).filter(|path| !self.is_silent(path)).collect();
        for path in hints {
            self.hint_file(path, &mut text, &mut importing);
        }
        Some(MergedContext { expanded: text.finish()?, failures: importing.failures })
    }

    /// The layer of a hint file: `path` as the directory has it, perhaps a link.
    fn hint_file(&self, path: &RepoPath, text: &mut Expander, importing: &mut Importing<'_, 'd, W, S>) {
        let name = repo_path_text(path);
        let refusal = match self.places.resolve(path.as_bytes()) {
            Resolution::File(real) => match &*self.file(&real, self.settings.kind(path.as_bytes())) {
                Ok(file) => {
                    importing.note_layer(&real, &file.layer);
                    let at = self.places.absolute(real.as_bytes());
                    let Some((source, before)) = text.source(&at) else {
                        return text.hint_file(at, name, Arc::clone(&file.layer), importing);
                    };
                    let (before, origin) = (before.name.clone(), Some(Origin { source, line: 0 }));
                    text.marker(Marker::From, &name, origin);
                    text.marker(Marker::AlreadyIncluded, &before, origin);
                    return text.marker(Marker::End, &name, origin);
                }
                Err(error) => {
                    importing.note(&real, error);
                    Marker::Unreadable
                }
            },
            Resolution::Outside => Marker::Outside,
            Resolution::Missing(_) => Marker::NotFound,
            _ => Marker::Unreadable,
        };
        let target = match &*self.places.at(path.as_bytes()) {
            PathContent::Link(target) if refusal == Marker::Outside => path_text(target),
            _ => name.clone(),
        };
        text.marker(Marker::From, &name, None);
        text.marker(refusal, &target, None);
        text.marker(Marker::End, &name, None);
    }

    /// The hint files of directory `dir` itself, in the order of their names.
    fn hints(&self, dir: &[u8]) -> Arc<Vec<RepoPath>> {
        let is_hint = |path: &RepoPath| {
            let path = path.as_bytes();
            !is_inside(path, self.settings.output())
                && matches!(*self.places.at(path), PathContent::File | PathContent::Link(_) | PathContent::Special)
                && !self.settings.is_excluded(path)
        };
        self.hints.get(dir.to_vec(), || {
            let paths = NAMES.iter().map(|name| RepoPath::new(path::join(dir, name.as_bytes())));
            paths.filter(is_hint).collect()
        })
    }

    /// The file at `path`, which is no link. `kind` says what it is if its own name does not.
    fn file(&self, path: &RepoPath, kind: Option<Kind>) -> Arc<Result<File, ReadError>> {
        self.files.get(path.clone(), || {
            if let Ok(index) = self.documents.binary_search_by(|document| document.path.cmp(path)) {
                return Ok(self.normalised(&self.documents[index]));
            }
            let bytes = self.places.world.read(&self.places.absolute(path.as_bytes()))?;
            if bytes.len() as u64 > MAX_FILE_BYTES {
                return Err(ReadError::TooLarge);
            }
            let kind = match self.settings.kind(path.as_bytes()).or(kind).unwrap_or(Kind::Imported) {
                // What stands in the artifacts' place without our header is somebody's own file.
                Kind::Artifact if !marker::has_header(&bytes) => Kind::Markdown,
                kind => kind,
            };
            let document = defect::contain(|| Document::parse(path.clone(), kind, bytes));
            let failed = || ReadError::Other(defect::message("this file could not be parsed"));
            document.map(|document| self.normalised(&document)).ok_or_else(failed)
        })
    }

    fn normalised(&self, document: &Document) -> File {
        let is_import = |written: &str| self.is_import(&document.path, written);
        let layer = defect::contain(|| {
            NormalisedText::of(document, |text| self.settings.clean(&document.path, text), &is_import)
        });
        let layer = layer.unwrap_or_else(|| NormalisedText { failed: true, ..NormalisedText::default() });
        let bytes = &document.bytes;
        let has_nul = memchr::memchr(0, &bytes[..bytes.len().min(8000)]).is_some();
        File { layer: Arc::new(layer), is_binary: has_nul && std::str::from_utf8(bytes).is_err() }
    }

    /// Whether a hint file adds nothing: it is empty, or a link to our own output.
    fn is_silent(&self, path: &RepoPath) -> bool {
        match self.places.resolve(path.as_bytes()) {
            Resolution::File(real) => {
                let file = || self.file(&real, self.settings.kind(path.as_bytes()));
                self.is_output(&real) || matches!(&*file(), Ok(file) if file.layer.is_empty())
            }
            Resolution::Missing(target) => self.is_output(&target),
            _ => false,
        }
    }

    /// Whether `path` is an artifact's or our attributes file's. What is missing there counts too, so that writing or deleting
    /// our output never changes its text.
    fn is_output(&self, path: &RepoPath) -> bool {
        if !is_inside(path.as_bytes(), self.settings.output()) {
            return false;
        }
        let missing = matches!(*self.places.at(path.as_bytes()), PathContent::Nothing | PathContent::Directory);
        let bytes = || self.places.world.read(&self.places.absolute(path.as_bytes())).ok();
        match path.file_name() {
            b".gitattributes" => missing || bytes().is_none_or(|bytes| *bytes == *ATTRIBUTES.as_bytes()),
            name => name.ends_with(b".md") && (missing || bytes().is_some_and(|bytes| marker::has_header(&bytes))),
        }
    }

    /// Whether some file that is not our output lies below `dir`.
    fn has_directory(&self, dir: &[u8]) -> bool {
        let output = self.settings.output();
        dir.is_empty() || (!path::is_at_or_below(dir, output) && self.places.holds_files(dir, output))
    }

    /// Whether a token is an import at all, which is decided as for lint.
    fn is_import(&self, importer: &RepoPath, written: &str) -> bool {
        match file_path(importer, written) {
            None => written.split('/').any(|part| part == ".."),
            Some(name) => {
                self.may_become_output(&name, written) || target::aim(&self.places, importer, written).is_some()
            }
        }
    }

    /// Whether a token reaches into a folder that may exist for our output's sake alone: whether it counts must not depend on
    /// what has been compiled yet.
    fn may_become_output(&self, name: &RepoPath, written: &str) -> bool {
        let top = self.settings.output().split(|&b| b == b'/').next().unwrap_or_default();
        let reaches =
            written.split('/').next().is_some_and(|first| first.as_bytes() == top) || is_inside(name.as_bytes(), top);
        self.is_output(name) || (reaches && !self.has_directory(top))
    }
}

/// The imports of one context.
struct Importing<'r, 'd, W, S> {
    repository: &'r MergedRepository<'d, W, S>,
    /// Bytes of imported text.
    bytes: usize,
    /// Imported files.
    files: usize,
    failures: BTreeMap<RepoPath, String>,
}

impl<W: World, S: MergedSettings> Importing<'_, '_, W, S> {
    /// The file that an import leads to: its own path, the path by which markers name it, and its layer; or the marker that
    /// says why there is none.
    fn target(
        &mut self,
        importer: &RepoPath,
        import: &PathImport,
    ) -> Result<(RepoPath, String, Arc<NormalisedText>), ImportExpansion> {
        let repository = self.repository;
        let outside = || Err(ImportExpansion::Marker(Marker::Outside, path_text(import.path.as_bytes())));
        let Some(name) = file_path(importer, &import.path) else { return outside() };
        let refused = |marker| Err(ImportExpansion::Marker(marker, repo_path_text(&name)));
        match target::aim(&repository.places, importer, &import.path) {
            _ if repository.is_output(&name) => refused(Marker::AlreadyGenerated),
            Some(ImportTarget::Outside(_)) => outside(),
            None | Some(ImportTarget::Missing(_)) => refused(Marker::NotFound),
            Some(ImportTarget::Unreadable(dir, source::SourceReadError::Directory))
                if !repository.has_directory(dir.as_bytes()) =>
            {
                refused(Marker::NotFound)
            }
            Some(ImportTarget::Unreadable(..) | ImportTarget::Loop | ImportTarget::Unknown) => {
                refused(Marker::Unreadable)
            }
            Some(ImportTarget::File(real) | ImportTarget::NotTracked { path: real, .. })
                if repository.is_output(&real) =>
            {
                refused(Marker::AlreadyGenerated)
            }
            Some(ImportTarget::File(real) | ImportTarget::NotTracked { path: real, .. }) => {
                match &*repository.file(&real, None) {
                    Ok(file) if !file.is_binary => {
                        self.note_layer(&real, &file.layer);
                        Ok((real, repo_path_text(&name), Arc::clone(&file.layer)))
                    }
                    Ok(_) => refused(Marker::Unreadable),
                    Err(error) => {
                        self.note(&real, error);
                        refused(Marker::Unreadable)
                    }
                }
            }
        }
    }

    /// Put a file on record that failed to be read.
    fn note(&mut self, path: &RepoPath, error: &ReadError) {
        if let ReadError::Other(message) = error {
            self.failures.insert(path.clone(), message.clone());
        }
    }

    fn note_layer(&mut self, path: &RepoPath, layer: &NormalisedText) {
        if layer.failed {
            self.failures.insert(path.clone(), defect::message("this file could not be rendered"));
        }
    }
}

impl<W: World, S: MergedSettings> ImportResolver for Importing<'_, '_, W, S> {
    fn expand(&mut self, text: &Expander, importer: &AbsPath, import: &PathImport) -> ImportExpansion {
        let (path, name, layer) = match self.target(&self.repository.path(importer), import) {
            Ok(found) => found,
            Err(marker) => return marker,
        };
        let path = self.repository.places.absolute(path.as_bytes());
        if let Some((_, before)) = text.source(&path) {
            return ImportExpansion::Marker(Marker::AlreadyIncluded, before.name.clone());
        }
        if text.depth() >= self.repository.settings.import_depth() {
            return ImportExpansion::Marker(Marker::TooDeep, name);
        }
        if self.bytes + layer.len() > MAX_IMPORT_BYTES || self.files >= MAX_IMPORT_FILES {
            return ImportExpansion::Marker(Marker::TooLarge, name);
        }
        self.bytes += layer.len();
        self.files += 1;
        ImportExpansion::Text(path, name, layer)
    }
}

/// The path in the repository that `written` names, without its `#fragment`; `None` when it climbs out.
fn file_path(importer: &RepoPath, written: &str) -> Option<RepoPath> {
    let path = written.split('#').next().unwrap_or_default();
    path::resolve(importer.parent(), path.as_bytes()).map(RepoPath::new)
}

/// Whether `path` lies inside directory `dir`, and is not `dir` itself.
pub(crate) fn is_inside(path: &[u8], dir: &[u8]) -> bool {
    path != dir && path::is_at_or_below(path, dir)
}

#[cfg(test)]
mod tests;
