//! The input of answers: one checked state of a project, and the client's form of paths and positions.

use std::borrow::Cow;
use std::path::PathBuf;

use gen_lsp_types::{Location, Range, TextEdit, Uri};
use serde_json::{Value, json};

use super::capabilities::EditorClient;
use super::documents::OpenTexts;
use super::text::Lined;
use super::worker::{Analysis, Project};
use crate::agents::context::Reason;
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::{Span, same_length_text};
use crate::parse::Document;
use crate::workspace::contexts::LoadedContext;
use crate::workspace::{Resolution, Workspace};
use crate::world::AbsPath;

/// One checked state of a project.
#[derive(Clone, Copy)]
pub(super) struct View<'s> {
    pub(super) client: &'s EditorClient,
    pub(super) texts: &'s OpenTexts,
    pub(super) project: &'s Project,
    pub(super) analysis: &'s Analysis,
    /// Files that no hint file brings in, read for the question that is answered.
    pub(super) pages: &'s [Document],
}

impl<'s> View<'s> {
    pub(super) fn workspace(&self) -> &'s Workspace {
        &self.analysis.workspace
    }

    /// The document that the client means by a path, which may be a link's.
    pub(super) fn document(&self, path: &RepoPath) -> Option<&'s Document> {
        let workspace = self.workspace();
        let known = |path: &RepoPath| {
            let page = || self.pages.iter().find(|page| page.path == *path);
            workspace.document(path.as_bytes()).or_else(page)
        };
        known(path).or_else(|| match workspace.resolve(path.as_bytes()) {
            Resolution::File(real) => known(&real),
            _ => None,
        })
    }

    /// Whether a file has to be read before anything can be said of its text: a Markdown file that no hint file brings in.
    pub(super) fn is_unread(&self, path: &RepoPath) -> bool {
        let is_file = || matches!(self.workspace().resolve(path.as_bytes()), Resolution::File(_));
        path::is_markdown(path.as_bytes()) && self.document(path).is_none() && is_file()
    }

    pub(super) fn uri(&self, path: &RepoPath) -> Uri {
        self.texts.uri_of(&self.project.outside(path))
    }

    pub(super) fn lined<'t>(&self, text: &'t str) -> Lined<'t> {
        Lined::new(text, self.client.encoding)
    }

    /// The text of any file that was loaded or that findings point into, with the offsets of its bytes.
    pub(super) fn text_of(&self, path: &RepoPath) -> Option<Cow<'s, str>> {
        let page = || self.pages.iter().find(|page| page.path == *path);
        match self.workspace().text(path.as_bytes()).or_else(page) {
            Some(document) => Some(Cow::Borrowed(&document.text)),
            None => self.analysis.report.sources.get(path).map(|source| same_length_text(&source.bytes)),
        }
    }

    /// The place of a span in a file; the beginning of the file where its text is not known.
    pub(super) fn range(&self, path: &RepoPath, span: Span) -> Range {
        self.text_of(path).map(|text| self.lined(&text).range(span)).unwrap_or_default()
    }

    pub(super) fn location(&self, path: &RepoPath, span: Span) -> Location {
        Location { uri: self.uri(path), range: self.range(path, span) }
    }

    /// An edit of several files as the client takes it, in the order of the files' paths.
    pub(super) fn workspace_edit(&self, edits: Vec<(RepoPath, Vec<TextEdit>)>) -> Value {
        if !self.client.versions_edits {
            let changes = edits.into_iter().map(|(path, edits)| (self.uri(&path).0, json!(edits)));
            return json!({"changes": changes.collect::<serde_json::Map<_, _>>()});
        }
        let change = |(path, edits): (RepoPath, Vec<TextEdit>)| {
            let document = json!({"uri": self.uri(&path), "version": self.analysis.versions.get(&path)});
            json!({"textDocument": document, "edits": edits})
        };
        json!({"documentChanges": edits.into_iter().map(change).collect::<Vec<_>>()})
    }

    /// The path of a file in the folder that the client works in.
    pub(super) fn outside(&self, path: &RepoPath) -> PathBuf {
        self.project.outside(path)
    }
}

/// Why something is not in a context, with paths of the repository.
pub(super) fn reason(loaded: &LoadedContext<'_>, reason: &Reason) -> String {
    let shown = |at: &AbsPath| match loaded.path(at) {
        Some(path) if path.as_bytes().is_empty() => "the repository".to_owned(),
        Some(path) => path.to_str_lossy().into_owned(),
        None => at.to_string(),
    };
    match reason {
        Reason::Outside(dir) => format!("outside {}", shown(dir)),
        Reason::ShadowedBy(path) => format!("{} is loaded instead", shown(path)),
        reason => reason.to_string(),
    }
}

/// Text of a file as Markdown that shows it as it is.
pub(super) fn code(text: &str) -> String {
    let text = sanitize::line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let pad = if longest > 0 || text.is_empty() { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Words of our own, with parts of files in them, as Markdown that shows them as they are.
pub(super) fn prose(text: &str) -> String {
    let text = sanitize::line(text);
    let mut out = String::with_capacity(text.len());
    let mut in_code = false;
    for c in text.chars() {
        in_code ^= c == '`';
        // What a message puts in backticks stays code; everything else of Markdown is escaped.
        if !in_code && matches!(c, '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '!' | '|' | '~' | '&') {
            out.push('\\');
        }
        out.push(c);
    }
    if in_code { code(&text) } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_files_stays_text() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b``c"), "``` a`b``c ```");
        assert_eq!(code("a\u{202e}\nb"), "`a\\u{202E}\\nb`");
        assert_eq!(prose("[x](command:y) `a*b` <b>"), "\\[x\\](command:y) `a*b` \\<b\\>");
        assert_eq!(prose("open `tick [x](y)"), "`` open `tick [x](y) ``");
    }
}
