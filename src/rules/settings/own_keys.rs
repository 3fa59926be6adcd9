//! Keys of settings that no agent reads and that the repository's own scripts do, as its hint files say.

use super::{Dropped, NO_SETTING};
use crate::agents::runs::DroppedScope;
use crate::rules::Cx;

/// Of more values that agents drop nobody asks who reads them.
pub(super) const MAX_OWN: usize = 200;

/// Endings of scripts.
const SCRIPTS: [&str; 8] = [".bash", ".js", ".mjs", ".ps1", ".py", ".rb", ".sh", ".ts"];

/// Whether a hint file of the repository says that a script reads a key which the agent does not have: one line names both.
pub(super) fn is_own_key(cx: &Cx<'_>, dropped: &Dropped<'_>) -> bool {
    let key = dropped.setting.why.strip_prefix(NO_SETTING).and_then(|rest| rest.split('`').next());
    let key = key.filter(|key| key.len() > 3 && dropped.setting.what == DroppedScope::Key);
    key.is_some_and(|key| {
        let marks = [format!("`{key}`"), format!("\"{key}\""), format!("`{key}."), format!(".{key}")];
        let names_both = |line: &str| {
            marks.iter().any(|mark| line.contains(mark)) && SCRIPTS.iter().any(|end| line.contains(&format!("{end}`")))
        };
        let texts = cx.workspace.documents.iter().map(|document| &document.text);
        texts.filter(|text| text.contains(key)).any(|text| text.lines().any(names_both))
    })
}
