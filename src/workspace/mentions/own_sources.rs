//! Sources that the hint file of a folder names by a path from that folder.

use super::place::{Tried, find};
use super::token;
use crate::base::kind::Role;
use crate::base::path;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Endings of sources.
const SOURCES: [&str; 22] = [
    ".c", ".cc", ".cpp", ".cs", ".dart", ".ex", ".go", ".h", ".java", ".js", ".jsx", ".kt", ".php", ".py", ".rb",
    ".rs", ".scala", ".sol", ".swift", ".ts", ".tsx", ".vue",
];

/// Whether a file is a source by its ending.
pub(crate) fn is_source(name: &[u8]) -> bool {
    SOURCES.iter().any(|end| name.ends_with(end.as_bytes()))
}

/// Whether the hint file of a folder names a source by a path that begins with a folder beside that hint file.
pub(super) fn is_below_a_folder_here(workspace: &Workspace, document: &Document, written: &str) -> bool {
    let first = written.trim_start_matches("./").split('/').next().unwrap_or_default();
    let is_main = document.kind.role() == Some(Role::Main) && first != "..";
    let is_told = is_source(written.as_bytes()) && !token::may_be_made(written);
    is_main && is_told && workspace.listing.has_dir(&path::join(document.path.parent(), first.as_bytes()))
}

/// Whether the path is that of a package, and the name of something in it stands behind a dot: `pkg/types.DefaultInterval`.
pub(super) fn is_symbol(workspace: &Workspace, dir: &[u8], written: &str) -> bool {
    let Some((package, name)) = written.rsplit_once('.') else { return false };
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name && package.contains('/') && matches!(find(workspace, dir, package, false, &[]), Tried::Found(None))
}
