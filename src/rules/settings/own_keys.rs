//! Keys of settings that no agent reads and that the repository's own scripts do, as its hint files say, or a program that the same file
//! names.

use super::Dropped;
use crate::agents::runs::{DroppedScope, NO_SETTING};
use crate::base::text::spelling_core;
use crate::rules::Cx;

/// Of more values that agents drop nobody asks who reads them.
pub(super) const MAX_OWN: usize = 200;

/// Bytes of a settings file that is searched for the words of a key, at most.
const MAX_TEXT: usize = 256 << 10;

/// Endings of scripts.
const SCRIPTS: [&str; 8] = [".bash", ".js", ".mjs", ".ps1", ".py", ".rb", ".sh", ".ts"];

/// Whether a hint file of the repository says that a script reads a key which the agent does not have: one line names both. Or whether the
/// key is called like something that the settings name in another spelling, such as a plugin, which reads it.
pub(super) fn is_own_key(cx: &Cx<'_>, dropped: &Dropped<'_>) -> bool {
    let key = dropped.setting.why.strip_prefix(NO_SETTING).and_then(|rest| rest.split('`').next());
    let key = key.filter(|key| key.len() > 3 && dropped.setting.what == DroppedScope::Key);
    key.is_some_and(|key| {
        let marks = [format!("`{key}`"), format!("\"{key}\""), format!("`{key}."), format!(".{key}")];
        let names_both = |line: &str| {
            marks.iter().any(|mark| line.contains(mark)) && SCRIPTS.iter().any(|end| line.contains(&format!("{end}`")))
        };
        if names_in_another_spelling(cx, dropped, key) {
            return true;
        }
        let texts = cx.workspace.documents.iter().map(|document| &document.text);
        texts.filter(|text| text.contains(key)).any(|text| text.lines().any(names_both))
    })
}

/// Whether the settings have the words of `key` elsewhere, joined otherwise: `basicMemory` beside `basic-memory`.
fn names_in_another_spelling(cx: &Cx<'_>, dropped: &Dropped<'_>, key: &str) -> bool {
    let bytes = cx.workspace.settings.get(&dropped.path);
    let Some(text) = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()) else { return false };
    if text.len() > MAX_TEXT {
        return false;
    }
    let core = spelling_core(key);
    let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')));
    words.any(|word| word.len() > key.len() && word.contains(['-', '_']) && spelling_core(word) == core)
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    /// The levels of the findings of which the message has `part`.
    fn levels(agent: &str, (path, text): (&str, &str), part: &str) -> Vec<Level> {
        let config = format!("agents = [\"{agent}\"]\n");
        let found = repository("dead-setting", &config, &[(path, text), ("AGENTS.md", "x\n"), ("CLAUDE.md", "x\n")]);
        found.iter().filter(|finding| finding.message.contains(part)).map(|finding| finding.level).collect()
    }

    #[test]
    fn a_key_that_is_called_like_a_plugin_is_its_own() {
        let told = |style: &str| {
            let settings = format!("{{\"basicMemory\": {{\"project\": \"x\"}}, \"outputStyle\": \"{style}\"}}");
            levels("claude", (".claude/settings.json", &settings), "basicMemory")
        };
        assert_eq!(told("basic-memory"), [Level::Info]);
        assert_eq!(told("terse"), [Level::Warning]);
    }

    #[test]
    fn a_table_that_codex_does_not_know_is_told() {
        let told = |config: &str| levels("codex", (".codex/config.toml", config), "there is no setting");
        assert_eq!(told("[approval]\npolicy = \"on-request\"\n"), [Level::Warning]);
        assert_eq!(told("some_switch = true\n"), [Level::Info]);
        for config in
            ["model = \"x\"\n", "[features]\nhooks = true\n", "[profiles.a]\nmodel = \"x\"\n", "_note = \"x\"\n"]
        {
            assert_eq!(told(config), [], "{config}");
        }
    }
}
