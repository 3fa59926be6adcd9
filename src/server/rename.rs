//! What has to change in hint files when files are renamed: every path that names a renamed file or folder, and in a hint file
//! that moves itself the paths that count from its folder.

use gen_lsp_types::{FileRename, TextEdit};
use serde_json::Value;

use super::uri;
use super::view::View;
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::workspace::mentions::found::{NamedAs, NamedPath, named_paths};

/// Renames of files and folders inside one project.
struct Renames(Vec<(RepoPath, RepoPath)>);

impl Renames {
    fn new(view: &View<'_>, files: &[FileRename]) -> Renames {
        let inside = |uri: &str| view.project.inside(&uri::to_path(uri)?);
        let renames = files.iter().filter_map(|file| Some((inside(&file.old_uri.0)?, inside(&file.new_uri.0)?)));
        Renames(renames.filter(|(old, _)| !old.as_bytes().is_empty()).collect())
    }

    /// Where `path` will be; itself if it stays.
    fn map(&self, path: &[u8]) -> Vec<u8> {
        let moved = |(old, new): &(RepoPath, RepoPath)| {
            let rest = path.strip_prefix(old.as_bytes())?;
            let is_it = rest.is_empty() || rest.starts_with(b"/");
            is_it.then(|| [new.as_bytes(), rest].concat())
        };
        self.0.iter().find_map(moved).unwrap_or_else(|| path.to_vec())
    }
}

/// The edits that keep all hint files true.
pub(super) fn will_rename(views: &[View<'_>], files: &[FileRename]) -> Value {
    let mut answer: Option<Value> = None;
    for view in views {
        let renames = Renames::new(view, files);
        let documents = view.workspace().documents.iter();
        let edits = documents.map(|document| (document.path.clone(), edits_of(view, document, &renames)));
        let edits: Vec<(RepoPath, Vec<TextEdit>)> = edits.filter(|(_, edits)| !edits.is_empty()).collect();
        if edits.is_empty() {
            continue;
        }
        let edit = view.workspace_edit(edits);
        match &mut answer {
            None => answer = Some(edit),
            Some(answer) => join(answer, edit),
        }
    }
    answer.unwrap_or(Value::Null)
}

/// Add one workspace edit to another of the same form.
fn join(answer: &mut Value, edit: Value) {
    let Value::Object(edit) = edit else { return };
    for (key, changes) in edit {
        match (answer.get_mut(&key), changes) {
            (Some(Value::Array(all)), Value::Array(more)) => all.extend(more),
            (Some(Value::Object(all)), Value::Object(more)) => all.extend(more),
            _ => {}
        }
    }
}

fn edits_of(view: &View<'_>, document: &Document, renames: &Renames) -> Vec<TextEdit> {
    if renames.0.is_empty() {
        return Vec::new();
    }
    let lined = view.lined(&document.text);
    let named = named_paths(view.workspace(), document);
    let edit = |named: &NamedPath| {
        let new = new_path(document, named, renames)?;
        (new != document.slice(named.span)).then(|| TextEdit { range: lined.range(named.span), new_text: new })
    };
    named.iter().filter(|named| named.verbatim).filter_map(edit).collect()
}

/// What stands in place of a path after the renames; `None` if it stays true.
fn new_path(document: &Document, named: &NamedPath, renames: &Renames) -> Option<String> {
    let target = renames.map(named.at.as_bytes());
    let own = document.path.parent();
    let new_own = path::parent(&renames.map(document.path.as_bytes())).to_vec();
    // A path that counts from the document's own folder moves with it; any other folder moves by itself.
    let base = if named.base == own { new_own } else { renames.map(&named.base) };
    if target == named.at.as_bytes() && base == named.base {
        return None;
    }
    let is_dotted = named.path.starts_with("./") || named.path.starts_with("../");
    let below = match base.is_empty() {
        true => Some(&target[..]),
        false => target.strip_prefix(&base[..]).and_then(|rest| rest.strip_prefix(b"/")),
    };
    let must_climb = is_dotted || matches!(named.form, NamedAs::Import | NamedAs::Link);
    let new = match (below, must_climb) {
        (Some(below), _) => below.to_vec(),
        (None, true) => path::relative(&base, &target),
        // The root is tried, too.
        (None, false) => target,
    };
    let new = String::from_utf8(new).ok()?;
    let prefix = if named.path.starts_with("./") && !new.starts_with("../") { "./" } else { "" };
    let new = format!("{prefix}{}", new.strip_suffix(named.variant).unwrap_or(&new));
    Some(match named.form {
        NamedAs::Link => encoded(&new, document.slice(named.span)),
        NamedAs::Import => new.replace(' ', "\\ "),
        NamedAs::Text | NamedAs::Pattern => new,
    })
}

/// A link's path as its neighbours in Markdown allow it, percent-encoded where the old one was or where it must be.
fn encoded(path: &str, old: &str) -> String {
    let is_encoded = old.contains('%');
    let must = |c: char| matches!(c, ' ' | '(' | ')' | '<' | '>') && !old.contains(c);
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        let also = is_encoded && !c.is_ascii_alphanumeric() && !matches!(c, '/' | '.' | '-' | '_' | '~');
        if must(c) || also || matches!(c, '%' | '#' | '?') {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        } else {
            out.push(c);
        }
    }
    out
}
