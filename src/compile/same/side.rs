//! One of the two states: what an agent loads in a directory, and from which files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::agents::context::{self, Context, LoadOptions, PartName, Reason};
use crate::agents::files::ends_with;
use crate::agents::{Dialect, Proof};
use crate::base::path::{self, RepoPath};
use crate::base::text::LineIndex;
use crate::compile::agent::candidates;
use crate::compile::run_changes::RunState;
use crate::compile::run_changes::side::{ReadAs, ReadOnce};
use crate::compile::{Compiler, compiler};
use crate::workspace::contexts::settings;
use crate::world::{AbsPath, RepoWorld, World as _};

/// What an agent loads: one text, and the files that it comes from.
#[derive(Debug, Default)]
pub(super) struct LoadedText {
    pub(super) text: String,
    /// The same under the names that files have in this state.
    pub(super) shown: String,
    /// The files themselves, links resolved, in the order of the text.
    pub(super) files: Vec<RepoPath>,
    /// Lines (from 1) that hold the token of an import which the agent follows, and nothing else.
    pub(super) tokens: BTreeSet<(RepoPath, usize)>,
    /// Files of which the agent reads nothing from a line (from 1) on.
    pub(super) cut: Vec<(RepoPath, usize)>,
    /// The most bytes that it reads.
    pub(super) limit: Option<usize>,
}

impl LoadedText {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// One state.
pub(super) struct TextSide<'s> {
    pub(super) state: RunState<'s>,
    compiler: Option<Compiler<'s>>,
    moves: &'s [(String, String)],
    /// Files whose text may move, and where to.
    pub(super) moved: BTreeMap<RepoPath, RepoPath>,
    /// The files as they are.
    plain: RepoWorld<ReadOnce<'s>>,
}

impl<'s> TextSide<'s> {
    pub(super) fn new(state: &RunState<'s>, moves: &'s [(String, String)]) -> Self {
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
        let plain = RepoWorld::new(ReadOnce::new(state, ReadAs::default()));
        TextSide { state: *state, compiler: compiler(state.workspace).ok(), moves, moved, plain }
    }

    /// The directories that hold something which `dialect` reads, settings included.
    pub(super) fn scopes(&self, dialect: &'static Dialect) -> BTreeSet<Vec<u8>> {
        if dialect.proof == Proof::Ours {
            return self.compiler.iter().flat_map(Compiler::directories).map(<[u8]>::to_vec).collect();
        }
        let mut scopes = candidates(self.state.workspace, dialect);
        for file in self.state.workspace.settings.keys() {
            let ends = dialect.files.settings.iter().filter(|end| ends_with(file.as_bytes(), end));
            scopes.extend(ends.map(|end| {
                let above = &file.as_bytes()[..file.as_bytes().len() - end.len()];
                above.strip_suffix(b"/").unwrap_or(above).to_vec()
            }));
        }
        scopes
    }

    /// The files themselves that `dialect` finds when it starts in `directory`, those of imports that it does not follow included:
    /// what it does with them may depend on whether they lie in the directory where it starts.
    pub(super) fn found_files(&self, dialect: &'static Dialect, directory: &[u8]) -> BTreeSet<Vec<u8>> {
        let context = self.context(&self.plain, dialect, directory, &self.moved);
        let layers = context.layers.iter().map(|layer| &layer.real_path);
        let rules = context.conditional.iter().map(|rule| &rule.path);
        let skipped = context.skipped.iter().filter(|skipped| skipped.imported_by.is_some());
        let found = layers.chain(rules).chain(skipped.filter_map(|skipped| skipped.path.as_ref()));
        let real = |path: &AbsPath| self.plain.real_path(path).unwrap_or_else(|_| path.clone());
        found.map(real).filter_map(|path| self.plain.relative(&path).map(<[u8]>::to_vec)).collect()
    }

    pub(super) fn loaded(&self, dialect: &'static Dialect, directory: &[u8]) -> LoadedText {
        if dialect.proof == Proof::Ours {
            return self.merged(directory);
        }
        let context = self.context(&self.plain, dialect, directory, &self.moved);
        let stubs = self.stubs(dialect, directory, &context);
        if !stubs.is_empty() {
            let read_as = ReadAs { links: stubs, texts: BTreeMap::new() };
            let world = RepoWorld::new(ReadOnce::new(&self.state, read_as));
            let context = self.context(&world, dialect, directory, &self.moved);
            return self.text_of(&world, &context, None);
        }
        let renamed = !self.moved.is_empty();
        let shown = renamed.then(|| self.context(&self.plain, dialect, directory, &BTreeMap::new()));
        self.text_of(&self.plain, &context, shown.as_ref())
    }

    fn merged(&self, directory: &[u8]) -> LoadedText {
        let merged = self.compiler.as_ref().map(Compiler::merged);
        let Some((merged, context)) = merged.and_then(|merged| Some((merged, merged.context(directory, false, None)?)))
        else {
            return LoadedText::default();
        };
        let files: Vec<RepoPath> = context.expanded.sources.iter().map(|source| merged.path(&source.path)).collect();
        // Markers name files.
        let named = |line: &str| match line.starts_with("<!-- ") {
            true => self.moves.iter().fold(line.to_owned(), |line, (from, to)| line.replace(from, to)),
            false => line.to_owned(),
        };
        let shown = context.expanded.text().to_owned();
        let text = shown.split_inclusive('\n').map(named).collect();
        LoadedText { text, shown, files, ..LoadedText::default() }
    }

    fn context(
        &self,
        world: &RepoWorld<ReadOnce<'s>>,
        dialect: &'static Dialect,
        directory: &[u8],
        moved: &BTreeMap<RepoPath, RepoPath>,
    ) -> Context {
        let named =
            |(from, to): (&RepoPath, &RepoPath)| (world.absolute(from.as_bytes()), world.absolute(to.as_bytes()));
        let options = LoadOptions {
            user: false,
            trusted: true,
            strip_root: Some(world.root().clone()),
            config: settings(&self.state.workspace.config, dialect),
            named_as: moved.iter().map(named).collect(),
            ..LoadOptions::default()
        };
        context::load(world, dialect, &world.absolute(directory), &options)
    }

    /// Files of which the agent gets nothing but an import of the file that their text may move to, where it follows that: they
    /// count as links to it, with the targets.
    fn stubs(&self, dialect: &'static Dialect, directory: &[u8], context: &Context) -> BTreeMap<RepoPath, Vec<u8>> {
        let path = |path: &AbsPath| self.plain.relative(path).map(RepoPath::new);
        let follows = |from: &RepoPath, to: &RepoPath| {
            context.layers.iter().any(|layer| {
                let importer = layer.imported_by.as_ref().and_then(|importer| path(&importer.path));
                importer.as_ref() == Some(from) && path(&layer.path).as_ref() == Some(to)
            })
        };
        let mut found = BTreeMap::new();
        for (from, to) in self.moved.iter().filter(|(from, to)| follows(from, to)) {
            let Some(document) = self.state.workspace.document(from.as_bytes()) else { continue };
            let target = path::relative(from.parent(), to.as_bytes());
            let bare = [b"@", &target[..]].concat();
            let token = document.bytes.trim_ascii();
            let is_bare = token == bare || token.strip_prefix(b"@./") == Some(&target);
            if is_bare || self.is_sent_like(dialect, directory, context, (from, &bare)) {
                found.insert(from.clone(), target);
            }
        }
        found
    }

    /// Whether the agent is sent the same with another text of a file.
    fn is_sent_like(
        &self,
        dialect: &'static Dialect,
        directory: &[u8],
        context: &Context,
        (file, text): (&RepoPath, &[u8]),
    ) -> bool {
        let texts = BTreeMap::from([(file.clone(), Arc::from([text, b"\n"].concat()))]);
        let world = RepoWorld::new(ReadOnce::new(&self.state, ReadAs { links: BTreeMap::new(), texts }));
        let bare = self.context(&world, dialect, directory, &self.moved);
        sent(&bare) == sent(context)
    }

    /// What an agent is sent, with the files behind it. `named` is the same context under the files' own names.
    fn text_of(&self, world: &RepoWorld<ReadOnce<'s>>, context: &Context, named: Option<&Context>) -> LoadedText {
        let path = |path: &AbsPath| world.relative(path).map(RepoPath::new);
        let text = sent(context);
        let shown = named.map_or_else(|| text.clone(), sent);
        let rules = context.conditional.iter().map(|rule| &rule.path);
        let real = |rule: &AbsPath| world.real_path(rule).unwrap_or_else(|_| rule.clone());
        let files = context.layers.iter().map(|layer| layer.real_path.clone()).chain(rules.map(real));
        let files: Vec<RepoPath> = files.filter_map(|file| path(&file)).collect();
        let cut = context.layers.iter().filter_map(|layer| Some((path(&layer.real_path)?, layer.cut?.line)));
        let spent = context.skipped.iter().filter(|skipped| matches!(skipped.reason, Reason::BudgetSpent(_)));
        let unread = spent.filter_map(|skipped| Some((path(&real(skipped.path.as_ref()?))?, 1)));
        let cut = cut.chain(unread).collect();
        let tokens = self.tokens(world, context);
        LoadedText { text, shown, files, tokens, cut, limit: context.limit }
    }

    /// The lines of imports that the agent follows.
    fn tokens(&self, world: &RepoWorld<ReadOnce<'s>>, context: &Context) -> BTreeSet<(RepoPath, usize)> {
        let mut tokens = BTreeSet::new();
        for importer in context.layers.iter().filter_map(|layer| layer.imported_by.as_ref()) {
            let Ok(real) = world.real_path(&importer.path) else { continue };
            let Some((file, bytes)) = world.relative(&real).map(RepoPath::new).zip(world.read(&real).ok()) else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            let Some(token) = text.get(importer.span.start..importer.span.end) else { continue };
            let line = LineIndex::new(text.as_bytes()).line_of(importer.span.start) + 1;
            if text.lines().nth(line - 1).is_some_and(|whole| whole.trim() == token) {
                tokens.insert((file, line));
            }
        }
        tokens
    }

    /// The text of a file of this state.
    pub(super) fn file_text(&self, file: &RepoPath) -> Option<String> {
        let bytes = self.plain.read(&self.plain.absolute(file.as_bytes())).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// All that an agent is sent at start, and the rules that wait.
fn sent(context: &Context) -> String {
    let parts = [PartName::User, PartName::Main, PartName::After].map(|part| context.text(part));
    let mut text: String = parts.iter().filter(|part| !part.is_empty()).flat_map(|part| [part, "\n"]).collect();
    for rule in &context.conditional {
        let waits = match rule.globs.is_empty() {
            true => super::lines::ON_REQUEST.to_owned(),
            false => format!("{}{}", super::lines::ON_TOUCH, rule.globs.join(", ")),
        };
        text.push_str(&format!("\n{waits}\n\n{}", rule.text));
    }
    text
}
