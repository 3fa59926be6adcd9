//! `merged`, our own pseudo-agent: the table. Its text is rendered by `compile`, so that `show` and the artifact are one.

mod close;
pub mod expand;
pub mod import;
pub mod layer;
#[cfg(test)]
mod lost_text;
pub mod marker;
mod places;
pub mod repository;
pub mod target;

use super::shared::context::{PartName, Why};
use super::shared::loading::Loading;
use super::{
    Boundary, ByteOrderMark, Choice, Dialect, Evidence, Imports, InvalidUtf8, Invisible, Limits, Order, Placement,
    Proof, Root, TextTreatment, Walk,
};
use crate::parse::imports::Grammar;

/// The names that `merged` reads in each directory; later ones override.
pub const FILES: [&str; 5] = [".dexhints", "DEX.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"];

/// Whether `merged` reads files of this name.
pub fn reads(name: &[u8]) -> bool {
    FILES.iter().any(|known| known.as_bytes() == name)
}

/// The whole of the attributes file in the folder of artifacts.
pub const ATTRIBUTES: &str = "* text eol=lf\n";

/// Most bytes of imported text in one context (4 MiB). An import that would pass it is refused visibly.
pub const MAX_IMPORT_BYTES: usize = 4 * 1024 * 1024;

/// Most imported files in one context.
pub const MAX_IMPORT_FILES: usize = 10_000;

/// The table.
pub(super) const MERGED: Dialect = Dialect {
    id: "merged",
    title: "all hint files, merged by hintlint",
    version: env!("CARGO_PKG_VERSION"),
    checked: "2026-11",
    proof: Proof::Ours,
    evidence: &[Evidence { source: "defined by hintlint", date: "2026-11" }],
    names: &FILES,
    ignores_case: false,
    choice: Choice::All,
    user_files: &[],
    rules: &[],
    root: Root::Git,
    walk: Walk::RootToStart,
    order: Order::TopDown,
    imports: Some(Imports {
        grammar: Grammar::Merged,
        placement: Placement::Replaces,
        depth: 3,
        boundary: Boundary::Root,
        boundary_resolves_links: true,
        extensions: None,
    }),
    text: TextTreatment {
        invalid_utf8: InvalidUtf8::Replaced,
        bom: ByteOrderMark::Removed,
        drops_frontmatter: true,
        drops_comments: false,
        trims: true,
        invisible: Invisible::Sanitized,
    },
    limits: Limits { total: None, cuts: false },
    touch: false,
    placement: "an artifact in the repository",
    load,
};

/// The layers alone: rendering needs the whole repository's configuration and is not a dialect's work.
fn load(loading: &mut Loading<'_>) {
    let root = loading.find_root();
    for dir in loading.walk(root.as_ref()) {
        for name in MERGED.names {
            let path = dir.join(name);
            if let Some(bytes) = loading.read(&path) {
                loading.layer(&path, &bytes, Why::Project);
            }
        }
    }
    loading.push_part(PartName::Main, String::new(), MERGED.placement);
}
