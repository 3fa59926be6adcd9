//! Whether agents load and run the same in two states of a repository, byte for byte: the proof that a refactoring loses
//! nothing. Text may move from one file to another where that is said; then the names of the files in agents' frames are the
//! only thing that may differ.

use std::collections::{BTreeMap, BTreeSet};

use super::agent::candidates;
use super::run_changes::side::ReadOnce;
use super::run_changes::{self, RunAgents, RunChange, RunState};
use super::{Compiler, compiler};
use crate::agents::context::{self, Context, LoadOptions, PartName};
use crate::agents::{Dialect, Proof};
use crate::base::path::{self, RepoPath};
use crate::source::Changes;
use crate::workspace::Resolution;
use crate::workspace::contexts::settings;
use crate::world::{AbsPath, RepoWorld};

/// One side of the first byte that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SidePlace {
    /// The file and line (from 1) that the text comes from, where it can be told.
    pub file: Option<(RepoPath, usize)>,
    /// The line of the agent's text; `None` where the text has ended.
    pub text: Option<String>,
}

/// Where the text of one agent in one directory begins to differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextDifference {
    /// The agent.
    pub agent: &'static str,
    /// The directory in which it is started.
    pub directory: RepoPath,
    /// How many bytes of its text are the same.
    pub offset: usize,
    /// Before.
    pub before: SidePlace,
    /// After.
    pub after: SidePlace,
    /// Lines of the old text that are missing in the new one, up to [`MAX_LOST`].
    pub lost: Vec<SidePlace>,
    /// How many those are in all.
    pub lost_count: usize,
}

/// Most lost lines that are kept.
const MAX_LOST: usize = 20;

/// What is not the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SameVerdict {
    /// The agents that were compared.
    pub agents: Vec<&'static str>,
    /// In how many directories.
    pub directories: usize,
    /// Texts that differ, by agent and directory.
    pub texts: Vec<TextDifference>,
    /// What is run differently.
    pub runs: Vec<RunChange>,
    /// An agent and directory for which the order differs in which the same things run.
    pub reordered: Option<(&'static str, RepoPath)>,
    /// From which file to which text may move.
    pub moves: Vec<(String, String)>,
}

impl SameVerdict {
    /// Whether nothing differs.
    pub(crate) fn is_same(&self) -> bool {
        self.texts.is_empty() && self.runs.is_empty() && self.reordered.is_none()
    }
}

/// Compare two states for `agents`. Each of `moves` names a file, in any directory if there is no `/` in it, and the one that
/// its text may move to.
pub(crate) fn compare(
    before: &RunState<'_>,
    after: &RunState<'_>,
    agents: &[&'static Dialect],
    moves: &[(String, String)],
    changes: Option<&Changes>,
) -> SameVerdict {
    let mut verdict = SameVerdict {
        agents: agents.iter().map(|dialect| dialect.id).collect(),
        moves: moves.to_vec(),
        ..SameVerdict::default()
    };
    let (old, new) = (TextSide::new(before, moves), TextSide::new(after, moves));
    let mut all = BTreeSet::new();
    for &dialect in agents {
        let directories: BTreeSet<Vec<u8>> = old.scopes(dialect).into_iter().chain(new.scopes(dialect)).collect();
        for directory in &directories {
            let (was, is) = (old.loaded(dialect, directory), new.loaded(dialect, directory));
            verdict.texts.extend(difference(dialect, directory, (&old, &was), (&new, &is)));
        }
        all.extend(directories);
    }
    verdict.directories = all.len();
    let chosen = RunAgents { chosen: agents.to_vec(), others: Vec::new() };
    verdict.runs = run_changes::compare(before, after, &chosen, changes);
    if verdict.runs.is_empty() {
        verdict.reordered = run_changes::first_reordered(before, after, agents);
    }
    verdict
}

/// What an agent loads: one text, and the files that it comes from.
#[derive(Default)]
struct LoadedText {
    text: String,
    files: Vec<RepoPath>,
}

/// One state.
struct TextSide<'s> {
    state: RunState<'s>,
    compiler: Option<Compiler<'s>>,
    moves: &'s [(String, String)],
    /// Files whose text may move, and where to.
    moved: BTreeMap<RepoPath, RepoPath>,
}

impl<'s> TextSide<'s> {
    fn new(state: &RunState<'s>, moves: &'s [(String, String)]) -> Self {
        let mut moved = BTreeMap::new();
        let documents = state.workspace.documents.iter().map(|document| &document.path);
        for file in documents.chain(state.workspace.links.keys()) {
            for (from, to) in moves {
                let is_meant = if from.contains('/') {
                    file.as_bytes() == from.as_bytes()
                } else {
                    file.file_name() == from.as_bytes()
                };
                let dir = if to.contains('/') { &b""[..] } else { file.parent() };
                if is_meant {
                    let to = path::join(dir, to.strip_prefix("./").unwrap_or(to).as_bytes());
                    moved.insert(file.clone(), RepoPath::new(to));
                }
            }
        }
        TextSide { state: *state, compiler: compiler(state.workspace).ok(), moves, moved }
    }

    fn scopes(&self, dialect: &'static Dialect) -> BTreeSet<Vec<u8>> {
        match dialect.proof {
            Proof::Ours => self.compiler.iter().flat_map(Compiler::directories).map(<[u8]>::to_vec).collect(),
            _ => candidates(self.state.workspace, dialect),
        }
    }

    fn loaded(&self, dialect: &'static Dialect, directory: &[u8]) -> LoadedText {
        if dialect.proof == Proof::Ours {
            return self.merged(directory);
        }
        let (plain, context) = self.context(dialect, directory, BTreeMap::new());
        let stubs = self.stubs(&plain, &context);
        if stubs.is_empty() {
            return text_of(&plain, &context);
        }
        let (world, context) = self.context(dialect, directory, stubs);
        text_of(&world, &context)
    }

    fn merged(&self, directory: &[u8]) -> LoadedText {
        let merged = self.compiler.as_ref().map(Compiler::merged);
        let Some((merged, context)) = merged.and_then(|merged| Some((merged, merged.context(directory, false, None)?)))
        else {
            return LoadedText::default();
        };
        let files = context.expanded.sources.iter().map(|source| merged.path(&source.path)).collect();
        // Markers name files.
        let named = |line: &str| match line.starts_with("<!-- ") {
            true => self.moves.iter().fold(line.to_owned(), |line, (from, to)| line.replace(from, to)),
            false => line.to_owned(),
        };
        LoadedText { text: context.expanded.text().split_inclusive('\n').map(named).collect(), files }
    }

    fn context(
        &self,
        dialect: &'static Dialect,
        directory: &[u8],
        links: BTreeMap<RepoPath, Vec<u8>>,
    ) -> (RepoWorld<ReadOnce<'s>>, Context) {
        let world = RepoWorld::new(ReadOnce::new(&self.state, links));
        let named =
            |(from, to): (&RepoPath, &RepoPath)| (world.absolute(from.as_bytes()), world.absolute(to.as_bytes()));
        let options = LoadOptions {
            user: false,
            trusted: true,
            strip_root: Some(world.root().clone()),
            config: settings(&self.state.workspace.config, dialect),
            named_as: self.moved.iter().map(named).collect(),
            ..LoadOptions::default()
        };
        let context = context::load(&world, dialect, &world.absolute(directory), &options);
        (world, context)
    }

    /// Files that hold nothing but an import of the file that their text may move to, where the agent follows it: they count as
    /// links to it, with the targets.
    fn stubs(&self, world: &RepoWorld<ReadOnce<'s>>, context: &Context) -> BTreeMap<RepoPath, Vec<u8>> {
        let path = |path: &AbsPath| world.relative(path).map(RepoPath::new);
        let follows = |from: &RepoPath, to: &RepoPath| {
            context.layers.iter().any(|layer| {
                let importer = layer.imported_by.as_ref().and_then(|importer| path(&importer.path));
                importer.as_ref() == Some(from) && path(&layer.path).as_ref() == Some(to)
            })
        };
        let mut found = BTreeMap::new();
        for (from, to) in &self.moved {
            let target = path::relative(from.parent(), to.as_bytes());
            let bytes = self.state.workspace.document(from.as_bytes()).map(|document| document.bytes.trim_ascii());
            let token = bytes
                .and_then(|bytes| bytes.strip_prefix(b"@"))
                .map(|token| token.strip_prefix(b"./").unwrap_or(token));
            if token == Some(&target[..]) && follows(from, to) {
                found.insert(from.clone(), target);
            }
        }
        found
    }

    /// The file and line that hold a line of a text.
    fn place(&self, loaded: &LoadedText, at: usize) -> SidePlace {
        let text = &loaded.text;
        if at >= text.len() {
            return SidePlace::default();
        }
        let start = memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end);
        let line = &text[start..end];
        let in_file = |path: &RepoPath| {
            let Resolution::File(real) = self.state.workspace.resolve(path.as_bytes()) else { return None };
            let bytes = &self.state.workspace.document(real.as_bytes())?.bytes;
            let found =
                bytes.split(|&byte| byte == b'\n').position(|own| own.trim_ascii() == line.trim().as_bytes())?;
            Some((real, found + 1))
        };
        let is_told = !line.trim().is_empty();
        let file = loaded.files.iter().filter(|_| is_told).find_map(in_file);
        SidePlace { file, text: Some(line.to_owned()) }
    }

    /// Whether a line is the agent's own, which names the file whose text follows: another name loses no text.
    fn is_frame(&self, loaded: &LoadedText, place: &SidePlace) -> bool {
        let Some(text) = place.text.as_ref().filter(|_| place.file.is_none()) else { return false };
        let names = loaded.files.iter().map(|file| self.moved.get(file).unwrap_or(file).to_str_lossy());
        names.into_iter().any(|name| text.contains(&*name))
    }
}

/// All that an agent is sent at start, and the rules that wait.
fn text_of(world: &RepoWorld<ReadOnce<'_>>, context: &Context) -> LoadedText {
    let path = |path: &AbsPath| world.relative(path).map(RepoPath::new);
    let parts = [PartName::User, PartName::Main, PartName::After].map(|part| context.text(part));
    let mut text: String = parts.iter().filter(|part| !part.is_empty()).flat_map(|part| [part, "\n"]).collect();
    for rule in &context.conditional {
        text.push_str(&format!("\nLoaded when touching: {}\n\n{}", rule.globs.join(", "), rule.text));
    }
    let layers = context.layers.iter().map(|layer| &layer.path);
    let files = layers.chain(context.conditional.iter().map(|rule| &rule.path)).filter_map(path).collect();
    LoadedText { text, files }
}

fn difference(
    dialect: &'static Dialect,
    directory: &[u8],
    (old, was): (&TextSide<'_>, &LoadedText),
    (new, is): (&TextSide<'_>, &LoadedText),
) -> Option<TextDifference> {
    if was.text == is.text {
        return None;
    }
    let same = was.text.bytes().zip(is.text.bytes()).take_while(|(a, b)| a == b).count();
    let kept: BTreeSet<&str> = is.text.lines().map(str::trim).collect();
    let lines = was.text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some((*at - line.len(), line.trim()))
    });
    let gone = lines.filter(|(_, line)| !line.is_empty() && !kept.contains(line)).map(|(at, _)| at);
    let lost: Vec<SidePlace> = gone.map(|at| old.place(was, at)).filter(|place| !old.is_frame(was, place)).collect();
    // On a character of both texts.
    let at = (0..=same).rev().find(|&at| was.text.is_char_boundary(at) && is.text.is_char_boundary(at)).unwrap_or(0);
    Some(TextDifference {
        agent: dialect.id,
        directory: RepoPath::new(directory),
        offset: same,
        before: old.place(was, at),
        after: new.place(is, at),
        lost_count: lost.len(),
        lost: lost.into_iter().take(MAX_LOST).collect(),
    })
}
