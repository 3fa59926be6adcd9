//! What each agent loads in each directory: a text is the lines of files that it has and lines of its own, and a context that
//! several directories or agents share is there once. `rows` makes it numbers.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rayon::prelude::*;
use serde::Serialize;

use super::Explored;
use super::data::PageFiles;
use super::rows::LayerRow;
use super::text::Interned;
use crate::agents::context::PartName;
use crate::agents::{Dialect, Proof};
use crate::base::defect;
use crate::base::path::{self, RepoPath};
use crate::compile::agent::candidates;
use crate::compile::trace::{self, FileLines, LineOrigin};
use crate::compile::{Compiler, compiler};
use crate::workspace::Workspace;
use crate::workspace::contexts::LoadedContext;
use crate::world::AbsPath;

/// Directories whose contexts are in memory at once.
const BATCH: usize = 64;
/// Stands for nothing in a row of numbers.
pub(super) const NONE: i64 = -1;

/// The tables.
#[derive(Serialize)]
pub(super) struct ContextTables {
    strings: Vec<String>,
    layers: Vec<LayerRow>,
    /// File, name (text), globs (text), why never (text).
    waits: Vec<[i64; 4]>,
    /// File, name (text), token (text), importing file, line, reason (text).
    skips: Vec<[i64; 6]>,
    states: Vec<SharedContext>,
    dirs: Vec<DirectoryContexts>,
}

/// One context. Several directories and agents may have it.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct SharedContext {
    pub(super) bytes: usize,
    pub(super) tokens: usize,
    pub(super) limit: Option<usize>,
    /// Bytes that the limit takes away.
    pub(super) cut: usize,
    /// Part, placement (text), runs: a file with its first line (from 0) and the number of lines, or -1 with a line of the
    /// agent's own (text) and the file and line that it was made of.
    pub(super) parts: Vec<(usize, i64, Vec<i64>)>,
    pub(super) layers: Vec<usize>,
    pub(super) waits: Vec<usize>,
    pub(super) skips: Vec<usize>,
    pub(super) notes: Vec<usize>,
}

/// A directory, with the context of each agent.
#[derive(Serialize)]
struct DirectoryContexts {
    path: String,
    parent: i64,
    states: Vec<usize>,
}

/// A part of a text as it was loaded.
pub(super) struct TracedPart {
    pub(super) name: PartName,
    pub(super) placement: &'static str,
    pub(super) lines: Vec<TracedLine>,
}

/// Lines of a text: of a document, from a line on, or one of the agent's own, which may be made of a document's line.
pub(super) enum TracedLine {
    Copied(usize, usize),
    Own(String, Option<(usize, usize)>),
}

/// A context as it was loaded.
pub(super) struct Loaded<'w> {
    pub(super) parts: Vec<TracedPart>,
    pub(super) from: LoadedFrom<'w>,
}

/// What is known besides the text.
pub(super) enum LoadedFrom<'w> {
    Agent(Box<LoadedContext<'w>>),
    Merged { text: String, layers: Vec<MergedLayer> },
}

/// A layer of `merged`.
pub(super) struct MergedLayer {
    pub(super) path: RepoPath,
    pub(super) importer: Option<(RepoPath, usize)>,
}

/// Makes the tables.
pub(super) struct TableBuilder<'b, 'w> {
    pub(super) workspace: &'w Workspace,
    agents: &'w [&'static Dialect],
    pub(super) files: &'b mut PageFiles<'w>,
    compiler: Option<Compiler<'w>>,
    lines: Vec<OnceLock<(FileLines, Vec<String>)>>,
    pub(super) strings: Interned<String>,
    pub(super) layers: Interned<LayerRow>,
    pub(super) waits: Interned<[i64; 4]>,
    pub(super) skips: Interned<[i64; 6]>,
    pub(super) states: Interned<SharedContext>,
    dirs: Vec<DirectoryContexts>,
}

pub(super) fn number(index: Option<usize>) -> i64 {
    index.and_then(|index| i64::try_from(index).ok()).unwrap_or(NONE)
}

impl<'b, 'w> TableBuilder<'b, 'w> {
    pub(super) fn new(explored: &Explored<'w>, files: &'b mut PageFiles<'w>) -> TableBuilder<'b, 'w> {
        let workspace = explored.workspace;
        TableBuilder {
            workspace,
            agents: explored.agents,
            files,
            compiler: compiler(workspace).ok(),
            lines: workspace.documents.iter().map(|_| OnceLock::new()).collect(),
            strings: Interned::default(),
            layers: Interned::default(),
            waits: Interned::default(),
            skips: Interned::default(),
            states: Interned::default(),
            dirs: Vec::new(),
        }
    }

    /// The directories in which some agent may load something of its own, and those above them.
    pub(super) fn directories(&self) -> Vec<Vec<u8>> {
        let mut dirs: BTreeSet<Vec<u8>> = BTreeSet::from([Vec::new()]);
        for dialect in self.agents {
            match (dialect.proof, &self.compiler) {
                (Proof::Ours, Some(compiler)) => dirs.extend(compiler.directories().into_iter().map(<[u8]>::to_vec)),
                _ => dirs.extend(candidates(self.workspace, dialect)),
            }
        }
        let above = dirs.iter().flat_map(|dir| path::ancestors_from_root(dir)).map(<[u8]>::to_vec);
        let mut dirs: Vec<Vec<u8>> = above.collect::<BTreeSet<_>>().into_iter().collect();
        // Parents before children, and all below a directory right behind it.
        dirs.sort_by(|a, b| a.split(|byte| *byte == b'/').cmp(b.split(|byte| *byte == b'/')));
        dirs
    }

    /// Load everything.
    pub(super) fn load(&mut self, notes: &mut Vec<String>) {
        let dirs = self.directories();
        let mut open: Vec<(usize, &[u8])> = Vec::new();
        let mut failed = BTreeSet::new();
        for batch in dirs.chunks(BATCH) {
            let loaded: Vec<Vec<Option<Loaded<'w>>>> = batch
                .par_iter()
                .map(|dir| self.agents.iter().map(|dialect| self.loaded(dialect, dir)).collect())
                .collect();
            for (dir, loaded) in batch.iter().zip(loaded) {
                while open.pop_if(|(_, above)| !path::is_at_or_below(dir, above)).is_some() {}
                let parent = number(open.last().map(|(index, _)| *index));
                let states = loaded.into_iter().zip(self.agents).map(|(loaded, dialect)| {
                    if loaded.is_none() {
                        failed.insert(dialect.id);
                    }
                    self.state(loaded)
                });
                let states = states.collect();
                open.push((self.dirs.len(), dir));
                self.dirs.push(DirectoryContexts { path: String::from_utf8_lossy(dir).into_owned(), parent, states });
            }
        }
        notes.extend(
            failed
                .into_iter()
                .map(|agent| defect::message(&format!("hintlint cannot tell everything that {agent} loads"))),
        );
    }

    pub(super) fn finish(self) -> ContextTables {
        ContextTables {
            strings: self.strings.into_values(),
            layers: self.layers.into_values(),
            waits: self.waits.into_values(),
            skips: self.skips.into_values(),
            states: self.states.into_values(),
            dirs: self.dirs,
        }
    }

    /// What one agent loads in one directory; `None` if that panicked.
    fn loaded(&self, dialect: &'static Dialect, dir: &[u8]) -> Option<Loaded<'w>> {
        defect::contain(|| match dialect.proof {
            Proof::Ours => self.merged(dialect, dir),
            _ => self.of_agent(dialect, dir),
        })
    }

    fn of_agent(&self, dialect: &'static Dialect, dir: &[u8]) -> Loaded<'w> {
        let loaded = self.workspace.context(dialect, dir);
        let context = &loaded.context;
        let parts = context.parts.iter().filter(|part| !part.text.is_empty()).map(|part| {
            let layers = context.layers.iter().filter(|layer| layer.part == part.name);
            let sources: Vec<usize> = layers.filter_map(|layer| self.document(&loaded, &layer.real_path)).collect();
            let lines: Vec<&FileLines> = sources.iter().map(|index| &self.lines_of(*index).0).collect();
            let origins = trace::trace(&part.text, &lines);
            let lines = part.text.split('\n').zip(origins);
            let of = |origin: LineOrigin| (sources[origin.source], origin.line);
            let lines = lines.map(|(line, origin)| self.line(line, origin.map(of))).collect();
            TracedPart { name: part.name, placement: part.placement, lines }
        });
        let parts = parts.collect();
        Loaded { parts, from: LoadedFrom::Agent(Box::new(loaded)) }
    }

    fn merged(&self, dialect: &'static Dialect, dir: &[u8]) -> Loaded<'w> {
        let merged = self.compiler.as_ref().map(Compiler::merged);
        let Some((merged, context)) = merged.and_then(|merged| Some((merged, merged.context(dir, false, None)?)))
        else {
            let from = LoadedFrom::Merged { text: String::new(), layers: Vec::new() };
            return Loaded { parts: Vec::new(), from };
        };
        let expanded = context.expanded;
        let paths: Vec<RepoPath> = expanded.sources.iter().map(|source| merged.path(&source.path)).collect();
        let documents: Vec<Option<usize>> = paths.iter().map(|path| self.files.index(path)).collect();
        // The artifact has two lines more than the text.
        let origins = expanded.origins().into_iter().skip(2).chain(std::iter::repeat(None));
        let lines = expanded.text().split('\n').zip(origins).map(|(line, origin)| {
            let of = origin.and_then(|origin| Some((documents[origin.source]?, origin.line)));
            self.line(line, of)
        });
        let part = TracedPart { name: PartName::Main, placement: dialect.placement, lines: lines.collect() };
        let layers = expanded.sources.iter().zip(&paths).map(|(source, path)| {
            let importer = source.imported_by.map(|(by, span)| (paths[by].clone(), span.start));
            MergedLayer { path: path.clone(), importer }
        });
        let from = LoadedFrom::Merged { text: expanded.text().to_owned(), layers: layers.collect() };
        Loaded { parts: vec![part], from }
    }

    /// A line as a copy of the document's, if it is one.
    fn line(&self, line: &str, origin: Option<(usize, usize)>) -> TracedLine {
        match origin {
            Some((file, at)) if self.lines_of(file).1.get(at).is_some_and(|own| own == line) => {
                TracedLine::Copied(file, at)
            }
            _ => TracedLine::Own(line.to_owned(), origin),
        }
    }

    fn lines_of(&self, index: usize) -> &(FileLines, Vec<String>) {
        self.lines[index].get_or_init(|| {
            let text = String::from_utf8_lossy(&self.workspace.documents[index].bytes);
            (FileLines::of(&text), text.split('\n').map(str::to_owned).collect())
        })
    }

    /// The index of a document, by a path of a context.
    fn document(&self, loaded: &LoadedContext<'_>, path: &AbsPath) -> Option<usize> {
        self.files.index(&loaded.path(path)?).filter(|index| *index < self.lines.len())
    }
}
