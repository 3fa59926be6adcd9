//! Settings that are not looked at, or not to the end: more entries or bytes than the bounds, and what is no file at all.

use super::dotenv;
use super::reading::{self, MAX_ENTRIES, MAX_SETTINGS};
use super::{AgentRuns, DroppedScope, DroppedSetting, SettingPlace};
use crate::base::path;
use crate::base::text::Span;
use crate::parse::json::{self, JsonGrammar, JsonNode};
use crate::world::{AbsPath, DirectoryEntry, FileType, ReadError, World};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Whether a file of so many bytes can have too many entries: an entry takes two bytes at least.
pub(crate) fn may_be(bytes: usize) -> bool {
    bytes > 2 * MAX_ENTRIES
}

/// The first list or object of the file at `path` with more than [`MAX_ENTRIES`] entries, and how many it has. `text` has no byte
/// order mark.
pub(crate) fn first(path: &[u8], text: &str) -> Option<(Span, usize)> {
    match path::extension(path) {
        Some(b"json" | b"jsonc") => crowded_node(&json::parse(text, JsonGrammar::RELAXED).ok()?),
        Some(b"toml") => crowded_node(&reading::of_toml(text).ok()?),
        _ if path::file_name(path).starts_with(b".env") => crowded_variables(text),
        _ => None,
    }
}

/// The first variable of a `.env` file that is not looked at.
fn crowded_variables(text: &str) -> Option<(Span, usize)> {
    let known = dotenv::parse(text);
    let last = known.last().filter(|_| known.len() >= MAX_ENTRIES)?;
    let rest = dotenv::parse(&text[last.span.end..]);
    let first = rest.first()?;
    let span = Span::new(first.span.start + last.span.end, first.span.end + last.span.end);
    Some((span, known.len() + rest.len()))
}

/// The first list or object with too many entries. The hooks of all events count as one list.
fn crowded_node(root: &JsonNode) -> Option<(Span, usize)> {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        let entries = node.members().len().max(node.items().len());
        if entries > MAX_ENTRIES {
            return Some((Span::new(node.span.start, node.span.start + 1), entries));
        }
        waiting.extend(node.members().iter().map(|member| &member.value).chain(node.items()).rev());
    }
    let hooks = root.member("hooks")?;
    let entries = hooks.value.members().iter().flat_map(|event| event.value.items());
    let count = entries.map(|entry| entry.get("hooks").map_or(1, |inner| inner.items().len())).sum();
    (count > MAX_ENTRIES).then_some((hooks.key_span, count))
}

/// A world that remembers which of the files that were read are large.
pub(super) struct NotedWorld<'w> {
    pub(super) world: &'w dyn World,
    large: RefCell<BTreeMap<AbsPath, Arc<[u8]>>>,
    /// Those that this program does not read, and why.
    unread: RefCell<BTreeMap<AbsPath, &'static str>>,
}

impl<'w> NotedWorld<'w> {
    pub(super) fn new(world: &'w dyn World) -> Self {
        NotedWorld { world, large: RefCell::default(), unread: RefCell::default() }
    }

    /// Note in `runs` what of the files was not looked at.
    pub(super) fn note(&self, runs: &mut AgentRuns) {
        for (path, why) in self.unread.borrow().iter() {
            let place = SettingPlace { path: path.clone(), span: Span::empty(0), line: 1 };
            let why = (*why).to_owned();
            runs.dropped.push(DroppedSetting::new(place, why, DroppedScope::Rest, false));
        }
        for (path, bytes) in self.large.borrow().iter() {
            let (line, why) = if bytes.len() > MAX_SETTINGS {
                (1, format!("the file has {} bytes; files over {MAX_SETTINGS} bytes are not read", bytes.len()))
            } else {
                let text = String::from_utf8_lossy(bytes);
                let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
                let Some((span, entries)) = first(path.as_bytes(), text) else { continue };
                let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..span.start]).count() + 1;
                (line, format!("there are {entries} entries; only the first {MAX_ENTRIES} of a list are checked"))
            };
            let place = SettingPlace { path: path.clone(), span: Span::empty(0), line };
            runs.dropped.push(DroppedSetting::new(place, why, DroppedScope::Rest, false));
        }
    }
}

impl World for NotedWorld<'_> {
    fn file_type(&self, path: &AbsPath) -> Option<FileType> {
        self.world.file_type(path)
    }

    fn link_type(&self, path: &AbsPath) -> Option<FileType> {
        self.world.link_type(path)
    }

    fn read(&self, path: &AbsPath) -> Result<Arc<[u8]>, ReadError> {
        let read = self.world.read(path);
        match &read {
            Ok(bytes) if may_be(bytes.len()) => {
                self.large.borrow_mut().insert(path.clone(), bytes.clone());
            }
            Err(ReadError::TooLarge) => {
                self.unread.borrow_mut().insert(path.clone(), "the file is too large to be read");
            }
            Err(ReadError::Special) => {
                self.unread.borrow_mut().insert(path.clone(), "it is a FIFO, device or socket, not a regular file");
            }
            _ => {}
        }
        read
    }

    fn read_dir(&self, path: &AbsPath) -> Vec<DirectoryEntry> {
        self.world.read_dir(path)
    }

    fn read_dir_as_listed(&self, path: &AbsPath) -> Vec<DirectoryEntry> {
        self.world.read_dir_as_listed(path)
    }

    fn read_link(&self, path: &AbsPath) -> Option<Vec<u8>> {
        self.world.read_link(path)
    }

    fn real_path(&self, path: &AbsPath) -> Result<AbsPath, ReadError> {
        self.world.real_path(path)
    }

    fn env(&self) -> &crate::env::Env {
        self.world.env()
    }

    fn virtual_root(&self) -> Option<&AbsPath> {
        self.world.virtual_root()
    }

    fn is_git_dir(&self, dir: &AbsPath) -> bool {
        self.world.is_git_dir(dir)
    }
}
