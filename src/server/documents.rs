//! The texts that the client has open.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::text::{Encoding, Lined};
use super::uri;
use crate::source::MAX_FILE_BYTES;

/// More open texts than this are not followed.
const MAX_OPEN: usize = 10_000;

/// A text that is open in the client.
#[derive(Debug)]
pub(super) struct OpenText {
    /// Its address as the client spells it.
    pub(super) uri: Uri,
    /// Its version as the client counts it.
    pub(super) version: i32,
    /// The text; `None` once it grew over the limit for files.
    pub(super) text: Option<Arc<str>>,
}

/// The open texts, by path. What is no file on this machine is not followed.
#[derive(Debug, Default)]
pub(super) struct OpenTexts {
    by_path: BTreeMap<PathBuf, OpenText>,
}

fn bounded(text: String) -> Option<Arc<str>> {
    (text.len() as u64 <= MAX_FILE_BYTES).then(|| text.into())
}

impl OpenTexts {
    pub(super) fn open(&mut self, uri: Uri, version: i32, text: String) -> Option<PathBuf> {
        let path = uri::to_path(&uri.0)?;
        if self.by_path.len() >= MAX_OPEN && !self.by_path.contains_key(&path) {
            return None;
        }
        self.by_path.insert(path.clone(), OpenText { uri, version, text: bounded(text) });
        Some(path)
    }

    /// Apply changes one after the other; `None` for a text that is not open.
    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Option<PathBuf> {
        let path = uri::to_path(&uri.0)?;
        let open = self.by_path.get_mut(&path)?;
        open.version = version;
        for change in changes {
            open.text = match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => bounded(whole.text),
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let Some(text) = open.text.as_deref() else { continue };
                    let span = Lined::new(text, encoding).span(part.range);
                    bounded([&text[..span.start], &part.text, &text[span.end..]].concat())
                }
            };
        }
        Some(path)
    }

    pub(super) fn close(&mut self, uri: &Uri) -> Option<PathBuf> {
        let path = uri::to_path(&uri.0)?;
        self.by_path.remove(&path).map(|_| path)
    }

    pub(super) fn get(&self, path: &Path) -> Option<&OpenText> {
        self.by_path.get(path)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&PathBuf, &OpenText)> {
        self.by_path.iter()
    }

    /// The address of a path, as the client spells it where it has told.
    pub(super) fn uri_of(&self, path: &Path) -> Uri {
        self.by_path.get(path).map_or_else(|| uri::of_path(path), |open| open.uri.clone())
    }
}
