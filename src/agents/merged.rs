//! `merged`, our own pseudo-agent: the table. Its text is rendered by `compile`, so that `show` and the artifact are one.

use super::claude::hints as claude_hints;
use super::shared::context::{PartName, Why};
use super::shared::files::AgentFiles;
use super::shared::loading::Loading;
use super::{Boundary, Dialect, Evidence, Imports, Inside, Invisible, Placement, Proof, TextTreatment};
use super::{dex, gemini};
use crate::base::kind::Kind;
use crate::parse::imports::Grammar;

/// The names that it reads in each directory; later ones override.
pub(crate) const NAMES: [&str; 5] = [".dexhints", "DEX.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"];

/// The table.
pub(super) const MERGED: Dialect = Dialect {
    id: "merged",
    title: "all hint files, merged by hintlint",
    version: env!("CARGO_PKG_VERSION"),
    checked: "2026-11",
    proof: Proof::Ours,
    evidence: &[Evidence { source: "defined by hintlint", date: "2026-11" }],
    names: &NAMES,
    imports: Some(Imports {
        grammar: Grammar::Merged,
        placement: Placement::Replaces,
        depth: 3,
        boundary: Boundary::Root,
        inside: Inside::RealPath,
        extensions: None,
    }),
    text: TextTreatment { drops_frontmatter: true, invisible: Invisible::Sanitized, ..TextTreatment::PLAIN },
    files: &FILES,
    placement: "an artifact in the repository",
    load,
    ..Dialect::BASE
};

/// The files of four agents, in the order of `names`.
const KINDS: &[Kind] = &[Kind::Of(&dex::HINTS), Kind::AgentsMd, Kind::Of(&claude_hints::MAIN), Kind::Of(&gemini::MAIN)];

static FILES: AgentFiles =
    AgentFiles { reads: KINDS, imports_in: KINDS, is_limited_by_config: true, ..AgentFiles::NONE };

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
