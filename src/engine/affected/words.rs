//! Words of which one stands in each text that names something changed. A search for them is much cheaper than parsing, and
//! tells which files need not be parsed. It may find too much, never too little.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;

use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::source::{ChangeKind, Changes};
use crate::workspace::commands::Runner;
use crate::workspace::{Resolution, Workspace, symbols, versions};

/// Longest `{a,b}` that is looked for.
const MAX_BRACES: usize = 200;

/// See the module.
#[derive(Debug)]
pub(super) enum SearchedWords {
    /// Nothing changed that texts could name.
    None,
    /// One of these, in any case.
    Any(AhoCorasick),
    /// Names changed that have no such words: any text may hold them.
    Unknown,
}

impl SearchedWords {
    /// For `changes`, which reach `files` and took away or moved what was called `names`.
    pub(super) fn new(
        workspace: &Workspace,
        files: &BTreeSet<RepoPath>,
        changes: &Changes,
        names: &BTreeSet<Vec<u8>>,
    ) -> Self {
        let mut words: BTreeSet<Option<Vec<u8>>> = names.iter().map(|name| word(name)).collect();
        // A new file may be what a path with other capitals means; in a changed one headings or symbols may have gone.
        for change in &changes.list {
            let path = change.path.as_bytes();
            if change.kind != ChangeKind::Modified || path::is_markdown(path) || symbols::is_source(path) {
                words.insert(word(change.path.file_name()));
            }
        }
        for link in workspace.links.keys() {
            let leads_to_changes = match workspace.resolve(link.as_bytes()) {
                Resolution::File(target) => files.contains(&target),
                Resolution::Missing(_) => true,
                _ => false,
            };
            if leads_to_changes {
                words.insert(word(link.file_name()));
            }
        }
        for runner in
            Runner::ALL.into_iter().filter(|runner| files.iter().any(|file| runner.depends_on(file.as_bytes())))
        {
            words.extend(runner.programs().iter().map(|program| Some(program.as_bytes().to_vec())));
        }
        let declared = files.iter().flat_map(|file| versions::declared_in(file.file_name()));
        words.extend(declared.map(|name| Some(name.as_bytes().to_vec())));
        if words.is_empty() {
            return SearchedWords::None;
        }
        let words: Option<Vec<Vec<u8>>> = words.into_iter().collect();
        let searcher = words.and_then(|words| AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok());
        searcher.map_or(SearchedWords::Unknown, SearchedWords::Any)
    }

    /// Whether one of the words may stand in `document`.
    pub(super) fn stand_in(&self, document: &Document) -> bool {
        match self {
            SearchedWords::None => false,
            SearchedWords::Any(words) => words.is_match(&document.bytes[..]) || may_spell_otherwise(&document.bytes),
            SearchedWords::Unknown => true,
        }
    }
}

/// The longest part of a file's name before its first dot that every spelling of the name keeps as it is: neither Markdown nor
/// shells give letters and digits a meaning. `None` if there is none.
fn word(name: &[u8]) -> Option<Vec<u8>> {
    let is_kept = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    // Links leave extensions out; a name that begins with a dot has none.
    let end = memchr::memchr(b'.', &name[1.min(name.len())..]).map_or(name.len(), |at| at + 1);
    let parts = name[..end].split(|byte| !is_kept(byte));
    parts.max_by_key(|part| part.len()).filter(|part| !part.is_empty()).map(<[u8]>::to_vec)
}

/// Whether letters may be encoded in a text (`%61`, `&#97;`), or a name be made of alternatives (`{a,b}.md`).
fn may_spell_otherwise(bytes: &[u8]) -> bool {
    let is_encoded = |at: usize| match bytes[at] {
        b'%' => bytes[at + 1..].iter().take(2).filter(|byte| byte.is_ascii_hexdigit()).count() == 2,
        b'&' => bytes[at + 1..].first().is_some_and(|byte| *byte == b'#' || byte.is_ascii_alphabetic()),
        _ => {
            let rest = &bytes[at + 1..bytes.len().min(at + MAX_BRACES)];
            let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'}');
            end.is_some_and(|end| rest[end] == b'}' && rest[..end].contains(&b','))
        }
    };
    memchr::memchr3_iter(b'%', b'&', b'{', bytes).any(is_encoded)
}
