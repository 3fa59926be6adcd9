//! Gemini CLI as first described in 2025: contents verbatim, general before specific, no imports, no frames.

use super::shared::context::{PartName, Reason, Why};
use super::shared::loading::{Loading, directories};
use super::{
    ByteOrderMark, Choice, Dialect, Evidence, InvalidUtf8, Invisible, Limits, Order, Proof, Root, TextTreatment, Walk,
};
use crate::world::AbsPath;

/// The table, after the original's specification (the requirements named G).
pub(super) const GEMINI_2025: Dialect = Dialect {
    id: "gemini-2025",
    title: "Gemini CLI, hierarchical memory of 2025",
    version: "specification of 2025",
    checked: "2026-11",
    proof: Proof::Original,
    evidence: &[Evidence {
        source: "https://github.com/google-gemini/gemini-cli, docs of hierarchical memory",
        date: "2026-11",
    }],
    names: &["GEMINI.md"],
    ignores_case: false,
    choice: Choice::All,
    user_files: &[".gemini/GEMINI.md"],
    rules: &[],
    root: Root::Git,
    walk: Walk::RootOrFileSystemToStart,
    order: Order::TopDown,
    imports: None,
    text: TextTreatment {
        invalid_utf8: InvalidUtf8::Replaced,
        bom: ByteOrderMark::Kept,
        drops_frontmatter: false,
        drops_comments: false,
        trims: false,
        invisible: Invisible::Kept,
    },
    limits: Limits { total: None, cuts: false },
    touch: false,
    placement: "prepended to the system prompt",
    load,
};

fn load(loading: &mut Loading<'_>) {
    let home = loading.home();
    let user = home.as_ref().map(|home| home.join(".gemini/GEMINI.md"));
    let mut paths: Vec<(AbsPath, Why)> = Vec::new();
    if let Some(user) = user.clone().filter(|_| loading.options.user) {
        paths.push((user, Why::User));
    }
    for dir in dirs(loading, home.as_ref()) {
        let path = dir.join(GEMINI_2025.names[0]);
        if Some(&path) != user.as_ref() {
            paths.push((path, Why::Project));
        }
    }
    let mut texts = Vec::new();
    for (path, why) in paths {
        let Some(bytes) = loading.read(&path) else { continue };
        if bytes.is_empty() {
            loading.skip_file(&path, Reason::Empty);
            continue;
        }
        loading.layer(&path, &bytes, why);
        texts.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    loading.push_part(PartName::Main, texts.join("\n\n"), GEMINI_2025.placement);
}

/// From the root down; outside git from below the home directory, or from `/` when that does not lie above.
fn dirs(loading: &mut Loading<'_>, home: Option<&AbsPath>) -> Vec<AbsPath> {
    if let Some(root) = loading.find_root() {
        return directories(&root, &loading.start);
    }
    let mut dirs = directories(&AbsPath::new("/"), &loading.start);
    if let Some(at) = dirs.iter().position(|dir| Some(dir) == home) {
        dirs.drain(..=at);
    }
    dirs
}
