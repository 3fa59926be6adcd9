//! One context as rows of numbers: its layers, the rules that wait, what is not loaded, and its text in runs of lines.

use super::contexts::{Loaded, LoadedFrom, MergedLayer, NONE, SharedContext, TableBuilder, TracedLine, number};
use crate::agents::context::{Conditional, Importer, Layer, PartName, Reason, Skipped, Why};
use crate::base::path::RepoPath;
use crate::base::tokens;
use crate::workspace::contexts::LoadedContext;
use crate::world::AbsPath;

/// File, part, why (text), importing file, line of its token, bytes kept, line of the cut, globs (text), name (text).
pub(super) type LayerRow = [i64; 9];

impl<'w> TableBuilder<'_, 'w> {
    /// The index of a context; an empty one where it is not known.
    pub(super) fn state(&mut self, loaded: Option<Loaded<'w>>) -> usize {
        let mut state = SharedContext {
            bytes: 0,
            tokens: 0,
            limit: None,
            cut: 0,
            parts: Vec::new(),
            layers: Vec::new(),
            waits: Vec::new(),
            skips: Vec::new(),
            notes: Vec::new(),
        };
        let Some(Loaded { parts, from }) = loaded else { return self.states.index(state) };
        for part in parts {
            let at = PartName::ALL.iter().position(|name| *name == part.name).unwrap_or_default();
            let placement = self.text(part.placement);
            state.parts.push((at, placement, self.runs(part.lines)));
        }
        match from {
            LoadedFrom::Agent(loaded) => self.fill(&loaded, &mut state),
            LoadedFrom::Merged { text, layers } => {
                (state.bytes, state.tokens) = (text.len(), tokens::count(text.as_bytes()));
                for layer in layers {
                    let row = self.merged_row(&layer);
                    state.layers.push(self.layers.index(row));
                }
            }
        }
        self.states.index(state)
    }

    fn fill(&mut self, loaded: &LoadedContext<'_>, state: &mut SharedContext) {
        let context = &loaded.context;
        let sent = context.parts.iter().filter(|part| part.name != PartName::Touch);
        for part in sent {
            state.bytes += part.text.len();
            state.tokens += tokens::count(part.text.as_bytes());
        }
        state.limit = context.limit;
        let lost = |layer: &Layer| layer.cut.map_or(0, |cut| layer.bytes.saturating_sub(cut.kept));
        state.cut = context.layers.iter().map(lost).sum();
        for layer in &context.layers {
            let row = self.layer_row(loaded, layer);
            state.layers.push(self.layers.index(row));
        }
        for rule in &context.conditional {
            let row = self.wait_row(loaded, rule);
            state.waits.push(self.waits.index(row));
        }
        for skipped in &context.skipped {
            let row = self.skip_row(loaded, skipped);
            if matches!(skipped.reason, Reason::BudgetSpent(_)) && row[0] != NONE {
                let file = usize::try_from(row[0]).unwrap_or_default();
                state.cut += self.workspace.documents.get(file).map_or(0, |document| document.bytes.len());
            }
            state.skips.push(self.skips.index(row));
        }
        let notes = context.notes.iter().cloned();
        let failures = context.failures.iter().map(|failure| format!("{}: {}", failure.path, failure.message));
        state.notes = notes.chain(failures).map(|note| self.strings.index(note)).collect();
    }

    pub(super) fn text(&mut self, text: &str) -> i64 {
        number(Some(self.strings.index(text.to_owned())))
    }

    fn texts(&mut self, texts: &[String]) -> i64 {
        if texts.is_empty() { NONE } else { self.text(&texts.join(", ")) }
    }

    fn runs(&mut self, lines: Vec<TracedLine>) -> Vec<i64> {
        let mut runs: Vec<i64> = Vec::new();
        // Where the last run of copied lines ends: the file and the line behind it.
        let mut end = None;
        for line in lines {
            match line {
                TracedLine::Copied(file, at) => {
                    self.files.show(Some(file));
                    match runs.last_mut().filter(|_| end == Some((file, at))) {
                        Some(count) => *count += 1,
                        None => runs.extend([number(Some(file)), number(Some(at)), 1]),
                    }
                    end = Some((file, at + 1));
                }
                TracedLine::Own(text, origin) => {
                    let text = self.text(&text);
                    let (file, at) = origin.unzip();
                    runs.extend([NONE, text, number(file), number(at)]);
                    end = None;
                }
            }
        }
        runs
    }

    /// The index of the file at a path of a context, whose text is then shown, and its name if it is found by another.
    fn file(&mut self, loaded: &LoadedContext<'_>, name: &AbsPath) -> [i64; 2] {
        let Some(path) = loaded.path(name) else { return [NONE, self.text(&name.to_str_lossy())] };
        let index = self.files.index(&path);
        self.files.show(index);
        let is_own = index.is_some_and(|index| self.files.is_path(index, &path));
        [number(index), if is_own { NONE } else { self.text(&path.to_str_lossy()) }]
    }

    fn importer(&mut self, loaded: &LoadedContext<'_>, importer: Option<&Importer>) -> [i64; 2] {
        let place = importer.and_then(|importer| Some((loaded.path(&importer.path)?, importer.span.start)));
        self.token(place)
    }

    /// The file and line of a token.
    fn token(&self, place: Option<(RepoPath, usize)>) -> [i64; 2] {
        let Some((path, offset)) = place else { return [NONE; 2] };
        let index = self.files.index(&path);
        let document = index.and_then(|index| self.workspace.documents.get(index));
        [number(index), number(document.map(|document| document.lines.line_of(offset) + 1))]
    }

    pub(super) fn layer_row(&mut self, loaded: &LoadedContext<'_>, layer: &Layer) -> LayerRow {
        let [file, name] = self.file(loaded, &layer.path);
        let [importer, line] = self.importer(loaded, layer.imported_by.as_ref());
        let (kept, cut) = layer.cut.map(|cut| (cut.kept, cut.line)).unzip();
        let (why, globs) = (self.text(layer.why.name()), self.texts(&layer.globs));
        let part = PartName::ALL.iter().position(|name| *name == layer.part);
        [file, number(part), why, importer, line, number(kept), number(cut), globs, name]
    }

    fn merged_row(&mut self, layer: &MergedLayer) -> LayerRow {
        let file = self.files.index(&layer.path);
        self.files.show(file);
        let why = if layer.importer.is_some() { Why::Import } else { Why::Project };
        let [importer, line] = self.token(layer.importer.clone());
        let name = if file.is_some() { NONE } else { self.text(&layer.path.to_str_lossy()) };
        [number(file), 1, self.text(why.name()), importer, line, NONE, NONE, NONE, name]
    }

    fn wait_row(&mut self, loaded: &LoadedContext<'_>, rule: &Conditional) -> [i64; 4] {
        let [file, name] = self.file(loaded, &rule.path);
        let never = rule.never.map_or(NONE, |never| self.text(never));
        [file, name, self.texts(&rule.globs), never]
    }

    fn skip_row(&mut self, loaded: &LoadedContext<'_>, skipped: &Skipped) -> [i64; 6] {
        let [file, name] = skipped.path.as_ref().map_or([NONE; 2], |path| self.file(loaded, path));
        let [importer, line] = self.importer(loaded, skipped.imported_by.as_ref());
        let token = if skipped.token.is_empty() { NONE } else { self.text(&skipped.token) };
        let shown = |path: &AbsPath| match loaded.path(path) {
            Some(path) if path.as_bytes().is_empty() => "the repository".to_owned(),
            Some(path) => path.to_str_lossy().into_owned(),
            None => path.to_str_lossy().into_owned(),
        };
        let reason = match &skipped.reason {
            Reason::ShadowedBy(by) => format!("{} is loaded instead", shown(by)),
            Reason::Outside(dir) => format!("outside {}", shown(dir)),
            reason => reason.to_string(),
        };
        [file, name, token, importer, line, self.text(&reason)]
    }
}
