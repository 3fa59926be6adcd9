//! The flat import format of Gemini CLI and its fork Qwen Code: all files one after the other behind the hint file, tokens left in
//! place, imports visited from the last to the first. What differs between the two is in [`Variant`].

use super::context::Reason;
use super::expand::{ImportToken, NoImport};
use super::loading::Loading;
use super::memory::{Variant, find_unless};
use crate::parse::imports::{Grammar, Reference, js_trim, references};
use crate::world::AbsPath;
use std::collections::BTreeMap;

/// The text of the hint file at `path` with all that it imports.
pub(crate) fn expand_flat(loading: &mut Loading<'_>, variant: &Variant, path: &AbsPath, text: &str) -> String {
    let Some(imports) = loading.dialect().imports else { return text.to_owned() };
    let limit = variant.limits_flat.then(|| loading.max_depth());
    let flat = Flat { variant, grammar: imports.grammar, limit, depths: BTreeMap::new(), files: Vec::new() };
    flat.expand(loading, path, text)
}

struct Flat<'v> {
    variant: &'v Variant,
    grammar: Grammar,
    /// At this depth a file's imports are no longer followed.
    limit: Option<usize>,
    /// The files of the block and how many imports lead to each; always 0 where there is no limit.
    depths: BTreeMap<AbsPath, usize>,
    files: Vec<(AbsPath, String)>,
}

impl Flat<'_> {
    /// Depth first without recursion, since there may be no limit of depth: a stack of files, each with the imports that are still
    /// to be visited.
    fn expand(mut self, loading: &mut Loading<'_>, path: &AbsPath, text: &str) -> String {
        let boundary = loading.boundary(path);
        // A hint file that its imports do not know goes by the name of its directory.
        let name = if self.variant.knows_itself { path.clone() } else { path.dirname() };
        self.enter(name, 0, text);
        let mut stack = vec![(path.clone(), self.pending(0, text))];
        loop {
            let depth = self.limit.map_or(0, |_| stack.len());
            let Some((importer, pending)) = stack.last_mut() else { break };
            let Some(reference) = pending.pop() else {
                stack.pop();
                continue;
            };
            let importer = importer.clone();
            let token = ImportToken::new(&importer, &reference, &[]);
            // A file that is found on a shorter way is not shown again, but what it imports may now be near enough.
            let is_known = |target: &AbsPath| self.depths.get(target).is_some_and(|&known| known <= depth);
            match find_unless(loading, self.variant, &boundary, &token, is_known) {
                Ok(import) => {
                    if self.enter(import.path.clone(), depth, &import.text) {
                        loading.import(&import.path, &import.bytes, &importer, reference.span);
                    }
                    let pending = self.pending(depth, &import.text);
                    stack.push((import.path, pending));
                }
                // The token stays in either case.
                Err(refusal) => drop(refusal.record(loading, &token)),
            }
        }
        self.record_limit(loading);
        let blocks = self.files.iter().map(|(path, text)| {
            let name = loading.show(path);
            format!("--- File: {name} ---\n{}\n--- End of File: {name} ---", js_trim(text))
        });
        blocks.collect::<Vec<_>>().join("\n\n")
    }

    /// Put a file into the block; `false` if it is there already.
    fn enter(&mut self, path: AbsPath, depth: usize, text: &str) -> bool {
        let is_new = self.depths.insert(path.clone(), depth).is_none();
        if is_new {
            self.files.push((path, text.to_owned()));
        }
        is_new
    }

    /// The imports to visit in a file at `depth`.
    fn pending(&self, depth: usize, text: &str) -> Vec<Reference> {
        if self.is_deep(depth) { Vec::new() } else { references(self.grammar, text) }
    }

    fn is_deep(&self, depth: usize) -> bool {
        self.limit.is_some_and(|limit| depth >= limit)
    }

    /// Put the imports on record that are not followed because of their depth.
    fn record_limit(&self, loading: &mut Loading<'_>) {
        let Some(limit) = self.limit else { return };
        for (path, text) in self.files.iter().filter(|(path, _)| self.is_deep(self.depths[path])) {
            for reference in references(self.grammar, text) {
                let token = ImportToken::new(path, &reference, &[]);
                if token.inert.is_none() && !self.depths.contains_key(&token.target()) {
                    NoImport::new(Reason::TooDeep(limit)).record(loading, &token);
                }
            }
        }
    }
}
