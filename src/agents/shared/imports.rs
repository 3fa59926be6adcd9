//! Imports of Gemini CLI and of its fork Qwen Code: text in place of the token, errors in the words of the agents' runtime, and
//! Gemini's flat format. What differs between the two is in [`Variant`].

use super::context::Reason;
use super::loading::Loading;
use crate::agents::Imports;
use crate::parse::imports::{Inert, Reference, js_trim, references};
use crate::world::{AbsPath, ReadError};
use std::collections::BTreeSet;

/// Where the agent and its fork differ in imports.
pub(crate) struct Variant {
    pub(crate) imports: Imports,
    /// A missing target leaves the token; else a comment takes its place.
    pub(crate) missing_stays: bool,
    /// The hint file itself counts as processed.
    pub(crate) knows_itself: bool,
}

/// The text of the hint file at `path` with its imports in place.
pub(crate) fn expand(
    loading: &mut Loading<'_>,
    variant: &Variant,
    boundary: AbsPath,
    path: &AbsPath,
    text: &str,
) -> String {
    let mut chain = Vec::new();
    if variant.knows_itself {
        chain.push(path.clone());
    }
    Expansion { variant, boundary, chain }.run(loading, path, text, 0)
}

struct Expansion<'v> {
    variant: &'v Variant,
    boundary: AbsPath,
    /// The files between the hint file and here.
    chain: Vec<AbsPath>,
}

impl Expansion<'_> {
    /// Recursion is bounded by the table's depth.
    fn run(&mut self, loading: &mut Loading<'_>, path: &AbsPath, text: &str, depth: usize) -> String {
        let references = references(self.variant.imports.grammar, text);
        if depth >= self.variant.imports.depth {
            for reference in references.iter().filter(|r| r.inert.is_none()) {
                let reason = Reason::TooDeep(self.variant.imports.depth);
                loading.skip_token(path, reference.span, &reference.path, None, reason);
            }
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for reference in references {
            out.push_str(&text[done..reference.span.start]);
            done = reference.span.end;
            match self.replacement(loading, path, &reference, depth) {
                Some(replacement) => out.push_str(&replacement),
                None => out.push_str(&text[reference.span.range()]),
            }
        }
        out.push_str(&text[done..]);
        out
    }

    /// What stands in place of the token; `None` if it stays.
    fn replacement(
        &mut self,
        loading: &mut Loading<'_>,
        importer: &AbsPath,
        reference: &Reference,
        depth: usize,
    ) -> Option<String> {
        let (span, token) = (reference.span, reference.path.as_str());
        if let Some(inert) = reference.inert {
            loading.skip_token(importer, span, token, None, inert_reason(inert));
            return None;
        }
        if !self.allows(loading, importer, token) {
            loading.skip_token(importer, span, token, None, Reason::Outside(self.boundary.clone()));
            return Some(format!("<!-- Import failed: {token} - Path traversal attempt -->"));
        }
        let target = importer.dirname().resolve(token.as_bytes());
        if self.chain.contains(&target) {
            loading.skip_token(importer, span, token, Some(target), Reason::AlreadyLoaded);
            return Some(format!("<!-- File already processed: {token} -->"));
        }
        if !loading.may_import() {
            loading.skip_token(importer, span, token, Some(target), Reason::Limit);
            return None;
        }
        match loading.world.read(&target) {
            Ok(bytes) => {
                loading.import(&target, &bytes, importer, span);
                self.chain.push(target.clone());
                let text = self.run(loading, &target, &String::from_utf8_lossy(&bytes), depth + 1);
                self.chain.pop();
                Some(format!("<!-- Imported from: {token} -->\n{text}\n<!-- End of import from: {token} -->"))
            }
            Err(error) => {
                loading.skip_unread(importer, span, token, &target, &error);
                if self.variant.missing_stays && error == ReadError::NotFound {
                    return None;
                }
                let message = node_message(&error, &loading.show(&target));
                Some(format!("<!-- Import failed: {token} - {message} -->"))
            }
        }
    }

    fn allows(&self, loading: &Loading<'_>, importer: &AbsPath, token: &str) -> bool {
        within(loading, &self.variant.imports, &self.boundary, importer, token)
    }
}

fn within(loading: &Loading<'_>, imports: &Imports, boundary: &AbsPath, importer: &AbsPath, token: &str) -> bool {
    if ["file://", "http://", "https://"].iter().any(|scheme| token.starts_with(scheme)) {
        return false;
    }
    let target = importer.dirname().resolve(token.as_bytes());
    if !imports.boundary_resolves_links {
        return target.is_within(boundary);
    }
    let decoded = percent_decoded(&target);
    loading.robust_real_path(&decoded).is_within(&loading.robust_real_path(boundary))
}

/// The path with `%20` and the like decoded, as the boundary check reads it; as it is when that is not UTF-8 or malformed.
fn percent_decoded(path: &AbsPath) -> AbsPath {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'%' {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|hex| !hex.starts_with('+')).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => out.push(byte),
            None => return path.clone(),
        }
        at += 3;
    }
    if std::str::from_utf8(&out).is_ok() { AbsPath::new(out) } else { path.clone() }
}

/// The message of the error that Node raises when it looks for or reads `path`.
fn node_message(error: &ReadError, path: &str) -> String {
    match error {
        ReadError::NotFound => format!("ENOENT: no such file or directory, access '{path}'"),
        ReadError::NotADirectory => format!("ENOTDIR: not a directory, access '{path}'"),
        ReadError::IsDirectory => "EISDIR: illegal operation on a directory, read".to_owned(),
        ReadError::Loop => format!("ELOOP: too many symbolic links encountered, access '{path}'"),
        ReadError::NameTooLong => format!("ENAMETOOLONG: name too long, access '{path}'"),
        ReadError::Denied => format!("EACCES: permission denied, open '{path}'"),
        ReadError::Special | ReadError::TooLarge | ReadError::GitDirectory | ReadError::Other(_) => {
            format!("{error}, open '{path}'")
        }
    }
}

pub(crate) fn inert_reason(inert: Inert) -> Reason {
    match inert {
        Inert::Code => Reason::Code,
        Inert::Comment => Reason::Comment,
    }
}

/// The text of the hint file at `path` with all its imports, in the flat format.
pub(crate) fn expand_flat(
    loading: &mut Loading<'_>,
    imports: Imports,
    boundary: AbsPath,
    path: &AbsPath,
    text: &str,
) -> String {
    Flat { imports, boundary, seen: BTreeSet::new(), files: Vec::new() }.expand(loading, path, text)
}

/// The flat import format: all files one after the other, tokens left in place, imports visited from the last to the first.
struct Flat {
    imports: Imports,
    boundary: AbsPath,
    seen: BTreeSet<AbsPath>,
    files: Vec<(AbsPath, String)>,
}

impl Flat {
    fn expand(mut self, loading: &mut Loading<'_>, path: &AbsPath, text: &str) -> String {
        self.run(loading, path, text);
        let blocks = self.files.iter().map(|(path, text)| {
            let name = loading.show(path);
            format!("--- File: {name} ---\n{}\n--- End of File: {name} ---", js_trim(text))
        });
        blocks.collect::<Vec<_>>().join("\n\n")
    }

    /// Depth first without recursion, since this format knows no limit of depth: a stack of files, each with the imports that
    /// are still to be visited.
    fn run(&mut self, loading: &mut Loading<'_>, top: &AbsPath, text: &str) {
        // The hint file goes by the name of its directory here, as the agent has it.
        let mut stack = vec![(top.clone(), self.enter(top.dirname(), text))];
        while let Some((importer, pending)) = stack.last_mut() {
            let Some(reference) = pending.pop() else {
                stack.pop();
                continue;
            };
            let importer = importer.clone();
            if let Some((target, text)) = self.visit(loading, &importer, &reference) {
                let pending = self.enter(target.clone(), &text);
                stack.push((target, pending));
            }
        }
    }

    fn enter(&mut self, name: AbsPath, text: &str) -> Vec<Reference> {
        self.seen.insert(name.clone());
        self.files.push((name, text.to_owned()));
        references(self.imports.grammar, text)
    }

    fn visit(&self, loading: &mut Loading<'_>, importer: &AbsPath, reference: &Reference) -> Option<(AbsPath, String)> {
        let (span, token) = (reference.span, reference.path.as_str());
        if let Some(inert) = reference.inert {
            loading.skip_token(importer, span, token, None, inert_reason(inert));
            return None;
        }
        if !within(loading, &self.imports, &self.boundary, importer, token) {
            loading.skip_token(importer, span, token, None, Reason::Outside(self.boundary.clone()));
            return None;
        }
        let target = importer.dirname().resolve(token.as_bytes());
        if self.seen.contains(&target) {
            loading.skip_token(importer, span, token, Some(target), Reason::AlreadyLoaded);
            return None;
        }
        if !loading.may_import() {
            loading.skip_token(importer, span, token, Some(target), Reason::Limit);
            return None;
        }
        match loading.world.read(&target) {
            Ok(bytes) => {
                loading.import(&target, &bytes, importer, span);
                Some((target, String::from_utf8_lossy(&bytes).into_owned()))
            }
            Err(error) => {
                loading.skip_unread(importer, span, token, &target, &error);
                None
            }
        }
    }
}
