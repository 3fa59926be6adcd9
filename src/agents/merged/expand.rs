//! Strings layers together: each import's text in its place, markers with blank lines around them, and for every piece of the
//! text the file and line that it comes from. What an import leads to is for the caller to say; no file is read here.

use std::collections::HashMap;
use std::sync::Arc;

use super::layer::{NormalisedText, PathImport, TextPart};
use super::marker::{HEADER, Marker};
use crate::base::text::Span;
use crate::world::AbsPath;

/// What stands in the text for an import.
pub(crate) enum ImportExpansion {
    /// A marker that names this path.
    Marker(Marker, String),
    /// The text of this file between markers that call it by this name.
    Text(AbsPath, String, Arc<NormalisedText>),
}

/// Says what imports lead to.
pub(crate) trait ImportResolver {
    /// What stands in the text of the file `importer` for `import`. `text` knows which files it has, and which are open.
    fn expand(&mut self, text: &Expander, importer: &AbsPath, import: &PathImport) -> ImportExpansion;
}

/// A file that contributes to a text.
#[derive(Debug)]
pub(crate) struct ContributingFile {
    /// The file, links resolved.
    pub path: AbsPath,
    /// What its markers call it.
    pub name: String,
    /// The file that imports it, as an index into the sources, and the token.
    pub imported_by: Option<(usize, Span)>,
    layer: Arc<NormalisedText>,
}

/// A line of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The file, as an index into the sources.
    pub source: usize,
    /// The line, from 0.
    pub line: usize,
}

/// What the last line written is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastLine {
    Marker,
    Blank,
    Text,
}

/// A file whose text is being written.
struct UnfinishedFile {
    source: usize,
    next: usize,
    close: Option<Marker>,
}

/// A text that is being written.
pub(crate) struct Expander {
    text: String,
    /// Where each piece of the text begins, and where its first line comes from. The lines behind it follow one another in
    /// the same file.
    pieces: Vec<(usize, Option<Origin>)>,
    sources: Vec<ContributingFile>,
    /// The index of each source.
    known: HashMap<AbsPath, usize>,
    open: Vec<UnfinishedFile>,
    after: LastLine,
}

impl Expander {
    /// A text that begins with `title`, whole lines of our own. A blank line is put before what follows it.
    pub(crate) fn new(title: &str) -> Self {
        Expander {
            text: title.to_owned(),
            pieces: vec![(0, None)],
            sources: Vec::new(),
            known: HashMap::new(),
            open: Vec::new(),
            after: if title.is_empty() { LastLine::Blank } else { LastLine::Marker },
        }
    }

    /// How many imports lead from the hint file to the text that is being written.
    pub(crate) fn depth(&self) -> usize {
        self.open.len().saturating_sub(1)
    }

    /// Whether the text that is being written stands inside that of the file at `path`.
    pub(crate) fn is_inside(&self, path: &AbsPath) -> bool {
        self.open.iter().any(|frame| self.sources[frame.source].path == *path)
    }

    /// The file at `path`, if the text has it.
    pub(crate) fn source(&self, path: &AbsPath) -> Option<(usize, &ContributingFile)> {
        let index = *self.known.get(path)?;
        Some((index, &self.sources[index]))
    }

    /// Write a marker on a line of its own, with a blank line before it.
    pub(crate) fn marker(&mut self, marker: Marker, path: &str, origin: Option<Origin>) {
        if self.after != LastLine::Blank {
            self.push("\n", origin);
        }
        self.push(&marker.line(path), origin);
        self.after = LastLine::Marker;
    }

    /// Write the text of a hint file between markers.
    pub(crate) fn hint_file(
        &mut self,
        path: AbsPath,
        name: String,
        layer: Arc<NormalisedText>,
        imports: &mut dyn ImportResolver,
    ) {
        let source = self.add(path, name.clone(), layer, None);
        self.marker(Marker::From, &name, Some(Origin { source, line: 0 }));
        self.run(UnfinishedFile { source, next: 0, close: Some(Marker::End) }, imports);
    }

    /// Write the text of a file without markers around it.
    pub(crate) fn bare_file(&mut self, path: AbsPath, layer: Arc<NormalisedText>, imports: &mut dyn ImportResolver) {
        let source = self.add(path, String::new(), layer, None);
        self.run(UnfinishedFile { source, next: 0, close: None }, imports);
    }

    /// What was written; `None` if nothing was.
    pub(crate) fn finish(self) -> Option<TracedText> {
        (self.pieces.len() > 1).then_some(TracedText { text: self.text, pieces: self.pieces, sources: self.sources })
    }

    fn add(
        &mut self,
        path: AbsPath,
        name: String,
        layer: Arc<NormalisedText>,
        imported_by: Option<(usize, Span)>,
    ) -> usize {
        let index = self.sources.len();
        self.known.insert(path.clone(), index);
        self.sources.push(ContributingFile { path, name, imported_by, layer });
        index
    }

    fn push(&mut self, text: &str, origin: Option<Origin>) {
        self.pieces.push((self.text.len(), origin));
        self.text.push_str(text);
    }

    fn text(&mut self, text: &str, origin: Origin) {
        let first = text.split('\n').next().unwrap_or_default();
        if self.after == LastLine::Marker && !first.trim().is_empty() {
            self.push("\n", Some(origin));
        }
        self.push(text, Some(origin));
        let is_blank = text.lines().next_back().is_none_or(|line| line.trim().is_empty());
        self.after = if is_blank { LastLine::Blank } else { LastLine::Text };
    }

    /// The text of a file with all its imports. Iterative, so that no chain of imports can exhaust the stack.
    fn run(&mut self, frame: UnfinishedFile, imports: &mut dyn ImportResolver) {
        self.open.push(frame);
        while let Some(frame) = self.open.last_mut() {
            let (source, next) = (frame.source, frame.next);
            frame.next += 1;
            let ContributingFile { layer, name, .. } = &self.sources[source];
            let layer = Arc::clone(layer);
            if layer.failed && next == 0 {
                let name = name.clone();
                self.marker(Marker::Unreadable, &name, Some(Origin { source, line: 0 }));
            }
            let import = match layer.parts.get(next) {
                Some(TextPart::Text { text, line }) => {
                    self.text(text, Origin { source, line: *line });
                    continue;
                }
                Some(TextPart::Import(import)) => Some(import),
                None => layer.trailing.get(next - layer.parts.len()),
            };
            match import {
                Some(import) => self.import(source, import, imports),
                None => self.close(layer.last_line),
            }
        }
    }

    /// Write what stands for an import, or open the file that it brings.
    fn import(&mut self, importer: usize, import: &PathImport, imports: &mut dyn ImportResolver) {
        let origin = Some(Origin { source: importer, line: import.line });
        let path = self.sources[importer].path.clone();
        match imports.expand(self, &path, import) {
            ImportExpansion::Marker(marker, path) => self.marker(marker, &path, origin),
            ImportExpansion::Text(path, name, layer) => {
                self.marker(Marker::Imported, &name, origin);
                let source = self.add(path, name, layer, Some((importer, import.span)));
                self.open.push(UnfinishedFile { source, next: 0, close: Some(Marker::EndOfImport) });
            }
        }
    }

    fn close(&mut self, last_line: usize) {
        let Some(UnfinishedFile { source, close: Some(marker), .. }) = self.open.pop() else { return };
        let name = self.sources[source].name.clone();
        self.marker(marker, &name, Some(Origin { source, line: last_line }));
    }
}

/// A text that knows where its lines come from.
#[derive(Debug)]
pub(crate) struct TracedText {
    text: String,
    pieces: Vec<(usize, Option<Origin>)>,
    /// The files that contribute, in the order of the text.
    pub sources: Vec<ContributingFile>,
}

impl TracedText {
    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text as the artifact that holds it.
    pub(crate) fn artifact(&self) -> String {
        [HEADER, "\n\n", &self.text].concat()
    }

    /// Where each line of [`TracedText::artifact`] comes from.
    pub(crate) fn origins(&self) -> Vec<Option<Origin>> {
        let mut origins = vec![None; 2];
        let ends = self.pieces.iter().skip(1).map(|(start, _)| *start).chain(std::iter::once(self.text.len()));
        for ((start, origin), end) in self.pieces.iter().zip(ends) {
            let lines = memchr::memchr_iter(b'\n', &self.text.as_bytes()[*start..end]).count();
            origins.extend((0..lines).map(|n| origin.map(|origin| Origin { line: origin.line + n, ..origin })));
        }
        origins
    }
}
