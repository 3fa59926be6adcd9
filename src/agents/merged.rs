//! `merged`, our own pseudo-agent: the table. Its text is rendered by `compile`, so that `show` and the artifact are one.

use super::shared::context::{PartName, Why};
use super::shared::loading::Loading;
use super::{Boundary, Dialect, Evidence, Imports, Inside, Invisible, Placement, Proof, TextTreatment};
use crate::parse::imports::Grammar;

/// The table.
pub(super) const MERGED: Dialect = Dialect {
    id: "merged",
    title: "all hint files, merged by hintlint",
    version: env!("CARGO_PKG_VERSION"),
    checked: "2026-11",
    proof: Proof::Ours,
    evidence: &[Evidence { source: "defined by hintlint", date: "2026-11" }],
    names: &[".dexhints", "DEX.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"],
    imports: Some(Imports {
        grammar: Grammar::Merged,
        placement: Placement::Replaces,
        depth: 3,
        boundary: Boundary::Root,
        inside: Inside::RealPath,
        extensions: None,
    }),
    text: TextTreatment { drops_frontmatter: true, invisible: Invisible::Sanitized, ..TextTreatment::PLAIN },
    placement: "an artifact in the repository",
    load,
    ..Dialect::BASE
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
