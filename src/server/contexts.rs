//! What each agent loads for a file: the exact text, and beside each line the file and line that it comes from.

use serde_json::{Value, json};

use super::view::{View, reason};
use crate::agents::Dialect;
use crate::agents::context::{Layer, Part};
use crate::base::path::RepoPath;
use crate::workspace::contexts::LoadedContext;

/// Lines in a row that a file may have and its context not.
const LOOK_AHEAD: usize = 40;
/// Files that a line is looked for in.
const CANDIDATES: usize = 12;

/// What agents load when they start in the folder of the file at `path` and touch the file.
pub(super) fn of(view: &View<'_>, path: &RepoPath) -> Value {
    let workspace = view.workspace();
    let agents: Vec<Value> = workspace.dialects().map(|dialect| of_agent(view, dialect, path)).collect();
    let directory = String::from_utf8_lossy(path.parent()).into_owned();
    json!({"root": view.outside(&RepoPath::new("")).to_string_lossy(), "directory": directory, "agents": agents})
}

fn of_agent(view: &View<'_>, dialect: &'static Dialect, path: &RepoPath) -> Value {
    let is_file = view.workspace().listing.kind(path.as_bytes()).is_some();
    let loaded = view.workspace().context_on_touching(dialect, path.parent(), is_file.then_some(path));
    let context = &loaded.context;
    let layer = |layer: &Layer| {
        json!({
            "path": shown(&loaded, layer), "why": layer.why.name(), "part": layer.part.name(), "bytes": layer.bytes,
            "tokens": layer.tokens, "cutAtLine": layer.cut.map(|cut| cut.line),
        })
    };
    let part = |part: &Part| {
        json!({
            "name": part.name.name(), "placement": part.placement, "text": part.text,
            "lines": provenance(view, &loaded, part),
        })
    };
    let skipped = |skipped: &crate::agents::context::Skipped| {
        let path = skipped.path.as_ref().and_then(|path| loaded.path(path));
        json!({"path": path.map(|path| path.to_str_lossy().into_owned()), "token": skipped.token, "reason": reason(&loaded, &skipped.reason)})
    };
    json!({
        "id": dialect.id,
        "title": dialect.versioned(),
        "tokens": context.layers.iter().map(|layer| layer.tokens).sum::<usize>(),
        "parts": context.parts.iter().filter(|part| !part.text.is_empty()).map(part).collect::<Vec<_>>(),
        "layers": context.layers.iter().map(layer).collect::<Vec<_>>(),
        "skipped": context.skipped.iter().map(skipped).collect::<Vec<_>>(),
    })
}

fn shown(loaded: &LoadedContext<'_>, layer: &Layer) -> String {
    loaded.path(&layer.path).map_or_else(|| layer.path.to_string(), |path| path.to_str_lossy().into_owned())
}

/// A file of a context, and how far its lines were met.
struct ContextFile<'t> {
    layer: usize,
    lines: Vec<&'t str>,
    next: usize,
}

/// For each line of a part the layer and the line (from 1) that it comes from; `null` for the agent's own words, and for what
/// the agent changed.
fn provenance(view: &View<'_>, loaded: &LoadedContext<'_>, part: &Part) -> Value {
    let texts = loaded.context.layers.iter().enumerate().filter(|(_, layer)| layer.part == part.name);
    let mut sources: Vec<ContextFile<'_>> = texts
        .filter_map(|(at, layer)| {
            let document = view.workspace().document(loaded.path(&layer.real_path)?.as_bytes())?;
            Some(ContextFile { layer: at, lines: document.text.lines().collect(), next: 0 })
        })
        .collect();
    let mut current = 0;
    let lines = part.text.lines().map(|line| {
        if line.trim().is_empty() {
            return Value::Null;
        }
        let found = meet(&mut sources, current, line);
        if let Some((source, _)) = found {
            current = source;
        }
        found.map_or(Value::Null, |(source, line)| json!([sources[source].layer, line]))
    });
    lines.collect::<Vec<_>>().into()
}

/// The file that has `line` next: the one whose lines were met last, then those after it, then those before it.
fn meet(sources: &mut [ContextFile<'_>], current: usize, line: &str) -> Option<(usize, usize)> {
    let after = (current..sources.len()).take(CANDIDATES);
    let before = (0..current.min(sources.len())).rev().take(CANDIDATES);
    let order: Vec<usize> = after.chain(before).collect();
    order.into_iter().find_map(|at| {
        let source = &mut sources[at];
        let ahead = source.lines.iter().skip(source.next).take(LOOK_AHEAD);
        let offset = ahead.into_iter().position(|own| own.trim_end() == line.trim_end())?;
        source.next += offset + 1;
        Some((at, source.next))
    })
}
