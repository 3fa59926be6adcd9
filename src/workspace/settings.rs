//! Tracked settings of agents that name further hint files. Read before discovery decides; anything unreadable names nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Workspace;
use crate::base::path::{self, RepoPath};
use crate::discover::Discovery;
use crate::source::{Listing, Source};

/// Read the settings that the listing has, and teach `discovery` the names they add.
pub(super) fn read(source: &dyn Source, listing: &Listing, discovery: &mut Discovery) {
    let wanted: [(&str, &'static str); 2] = [(".gemini/settings.json", "gemini"), (".codex/config.toml", "codex")];
    let found: Vec<_> = wanted.into_iter().filter(|(path, _)| listing.contains(path.as_bytes())).collect();
    let paths: Vec<RepoPath> = found.iter().map(|(path, _)| RepoPath::from(*path)).collect();
    for ((_, agent), bytes) in found.into_iter().zip(source.read_many(&paths)) {
        let Ok(bytes) = bytes else { continue };
        let names = match agent {
            "gemini" => gemini_names(&bytes),
            _ => codex_names(&bytes),
        };
        let plain = |name: &String| !name.is_empty() && path::file_name(name.as_bytes()).len() == name.len();
        discovery.add_names(agent, names.into_iter().filter(plain));
    }
}

/// `context.fileName` of Gemini's settings: a string or a list.
fn gemini_names(bytes: &[u8]) -> Vec<String> {
    let Ok(settings) = serde_json::from_slice::<serde_json::Value>(bytes) else { return Vec::new() };
    let names = settings.pointer("/context/fileName").or_else(|| settings.get("contextFileName"));
    match names {
        Some(serde_json::Value::String(name)) => vec![name.clone()],
        Some(serde_json::Value::Array(list)) => {
            list.iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
        }
        _ => Vec::new(),
    }
}

/// `project_doc_fallback_filenames` of Codex's config.
fn codex_names(bytes: &[u8]) -> Vec<String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    let Ok(document) = toml_edit::Document::parse(text) else { return Vec::new() };
    let names = document.get("project_doc_fallback_filenames").and_then(toml_edit::Item::as_array);
    names.into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
}

/// Files that decide what an agent loads without being hints themselves, and the agent.
const FILES: &[(&str, &str)] = &[
    (".codex/config.toml", "codex"),
    (".claude/settings.json", "claude"),
    (".claude/settings.local.json", "claude"),
    (".gemini/settings.json", "gemini"),
    (".qwen/settings.json", "qwen"),
    ("opencode.json", "opencode"),
    ("opencode.jsonc", "opencode"),
    (".gitignore", "goose"),
];

/// Whether the file at `path` decides what an agent loads.
pub(crate) fn decides(path: &[u8]) -> bool {
    let at_end = |name: &str| {
        path.strip_suffix(name.as_bytes()).is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
    };
    FILES.iter().any(|(name, _)| at_end(name))
}

/// The settings files of the enabled agents, with their bytes; what cannot be read counts as absent.
pub(super) fn of_agents(source: &dyn Source, workspace: &Workspace) -> BTreeMap<RepoPath, Arc<[u8]>> {
    let enabled = |agent: &str| workspace.agents.iter().any(|enabled| enabled.agent == agent);
    let wanted: Vec<&[u8]> =
        FILES.iter().filter(|(_, agent)| enabled(agent)).map(|(path, _)| path.as_bytes()).collect();
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    let is_setting = |path: &[u8]| {
        // Few names end like this; most paths are told by their last bytes.
        matches!(path.last(), Some(b'l' | b'n' | b'c' | b'e'))
            && wanted
                .iter()
                .any(|name| path.strip_suffix(*name).is_some_and(|before| before.is_empty() || before.ends_with(b"/")))
    };
    let listed = workspace.listing.marked().filter(|entry| is_setting(entry.path));
    let paths: Vec<RepoPath> = listed.map(|entry| RepoPath::new(entry.path)).collect();
    let bytes = source.read_many(&paths);
    paths.into_iter().zip(bytes).filter_map(|(path, bytes)| Some((path, bytes.ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_settings() {
        assert_eq!(gemini_names(br#"{"context":{"fileName":["A.md","B.md"]}}"#), ["A.md", "B.md"]);
        assert_eq!(codex_names(b"project_doc_fallback_filenames = [\"X.md\"]\n"), ["X.md"]);
        assert!(gemini_names(b"{").is_empty() && codex_names(b"=").is_empty());
    }
}
