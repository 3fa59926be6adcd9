//! Imports in place: one expander for all agents that put an import's text into the text that names it. What a token leads to,
//! and what stands in the place of one that leads nowhere, the agent's own code says. It knows no agent.

use super::context::Reason;
use super::loading::Loading;
use crate::agents::{Imports, Placement};
use crate::base::text::Span;
use crate::parse::imports::{Inert, Reference, references};
use crate::world::{AbsPath, ReadError};
use std::sync::Arc;

/// A token that the agent's grammar reads as an import, inert ones included.
pub(crate) struct ImportToken<'t> {
    /// The file that it stands in.
    pub(crate) importer: &'t AbsPath,
    pub(crate) span: Span,
    /// The path as the agent takes it.
    pub(crate) path: &'t str,
    pub(crate) inert: Option<Inert>,
    /// The imports between the hint file and this token.
    pub(crate) chain: &'t [OpenImport],
}

/// An import whose text is being expanded.
pub(crate) struct OpenImport {
    /// The path as the token has it.
    pub(crate) token: String,
    pub(crate) path: AbsPath,
}

/// The file that a token imports.
pub(crate) struct ImportedFile {
    /// The file under the name that it is listed by.
    pub(crate) path: AbsPath,
    /// The name from which its own imports are resolved.
    pub(crate) base: AbsPath,
    pub(crate) bytes: Arc<[u8]>,
    /// As much of its text as the agent takes.
    pub(crate) text: String,
    /// What stands before and behind the text.
    pub(crate) frame: [String; 2],
}

/// Why a token imports nothing.
pub(crate) struct NoImport {
    target: Option<AbsPath>,
    cause: NoImportCause,
    instead: Option<String>,
}

enum NoImportCause {
    Reason(Reason),
    Unread(ReadError),
    NotScanned,
}

impl NoImport {
    pub(crate) fn new(reason: Reason) -> NoImport {
        NoImport { target: None, cause: NoImportCause::Reason(reason), instead: None }
    }

    /// The target could not be read.
    pub(crate) fn unread(target: AbsPath, error: ReadError) -> NoImport {
        NoImport { target: Some(target), cause: NoImportCause::Unread(error), instead: None }
    }

    /// The agent does not look for tokens here, so this one is not on record.
    pub(crate) fn not_scanned() -> NoImport {
        NoImport { target: None, cause: NoImportCause::NotScanned, instead: None }
    }

    pub(crate) fn target(self, target: &AbsPath) -> NoImport {
        NoImport { target: Some(target.clone()), ..self }
    }

    /// `text` stands in the token's place (or follows it, by the table); without it the token stays as it is.
    pub(crate) fn instead(self, text: String) -> NoImport {
        NoImport { instead: Some(text), ..self }
    }

    /// Put the refusal on record; returns what stands in the token's place, `None` if the token stays.
    pub(crate) fn record(self, loading: &mut Loading<'_>, token: &ImportToken<'_>) -> Option<String> {
        let ImportToken { importer, span, path, .. } = *token;
        match (self.cause, self.target) {
            (NoImportCause::Reason(reason), target) => loading.skip_token(importer, span, path, target, reason),
            (NoImportCause::Unread(error), Some(target)) => loading.skip_unread(importer, span, path, &target, &error),
            (NoImportCause::Unread(_) | NoImportCause::NotScanned, _) => {}
        }
        self.instead
    }
}

impl<'t> ImportToken<'t> {
    pub(crate) fn new(importer: &'t AbsPath, reference: &'t Reference, chain: &'t [OpenImport]) -> ImportToken<'t> {
        ImportToken { importer, span: reference.span, path: &reference.path, inert: reference.inert, chain }
    }

    /// The path that it names, without a look at links.
    pub(crate) fn target(&self) -> AbsPath {
        self.importer.dirname().resolve(self.path.as_bytes())
    }

    /// An inert token imports nothing.
    pub(crate) fn check_inert(&self) -> Result<(), NoImport> {
        match self.inert {
            None => Ok(()),
            Some(Inert::Code) => Err(NoImport::new(Reason::Code)),
            Some(Inert::Comment) => Err(NoImport::new(Reason::Comment)),
        }
    }

    /// A token behind `limit` imports imports nothing.
    pub(crate) fn check_depth(&self, limit: usize) -> Result<(), NoImport> {
        if self.chain.len() < limit { Ok(()) } else { Err(NoImport::new(Reason::TooDeep(limit))) }
    }
}

/// What a token leads to. It must refuse tokens beyond some depth, which bounds the recursion.
pub(crate) type Find<'f> = dyn FnMut(&mut Loading<'_>, &ImportToken<'_>) -> Result<ImportedFile, NoImport> + 'f;

/// `text`, which is from the file at `path`, with its imports where the agent's table places them.
pub(crate) fn expand(loading: &mut Loading<'_>, path: &AbsPath, text: &str, find: &mut Find<'_>) -> String {
    match loading.dialect().imports {
        Some(imports) if !text.is_empty() => Expansion { imports, find, chain: Vec::new() }.run(loading, path, text),
        _ => text.to_owned(),
    }
}

struct Expansion<'f, 'g> {
    imports: Imports,
    find: &'f mut Find<'g>,
    chain: Vec<OpenImport>,
}

impl Expansion<'_, '_> {
    fn run(&mut self, loading: &mut Loading<'_>, path: &AbsPath, text: &str) -> String {
        let placement = self.imports.placement;
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for reference in references(self.imports.grammar, text) {
            let Some(import) = self.import(loading, path, &reference) else { continue };
            let (start, end) = match placement {
                Placement::ReplacesLine => line_around(text, reference.span),
                _ => (reference.span.start, reference.span.end),
            };
            let kept = if placement == Placement::FollowsToken { end } else { start };
            out.push_str(&text[done..kept]);
            if placement == Placement::FollowsToken {
                out.push_str("\n\n");
            }
            out.push_str(&import);
            done = end;
        }
        out.push_str(&text[done..]);
        if placement == Placement::ReplacesLine {
            out.push('\n');
        }
        out
    }

    /// What stands in the token's place or behind it; `None` if it stays alone.
    fn import(&mut self, loading: &mut Loading<'_>, importer: &AbsPath, reference: &Reference) -> Option<String> {
        let token = ImportToken::new(importer, reference, &self.chain);
        match (self.find)(loading, &token) {
            Ok(import) => {
                loading.import(&import.path, &import.bytes, importer, reference.span);
                self.chain.push(OpenImport { token: reference.path.clone(), path: import.path });
                let text = self.run(loading, &import.base, &import.text);
                self.chain.pop();
                let [before, behind] = import.frame;
                Some(before + &text + &behind)
            }
            Err(refusal) => refusal.record(loading, &token),
        }
    }
}

/// Where the line that holds `span` begins and ends.
fn line_around(text: &str, span: Span) -> (usize, usize) {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
    (start, end)
}
