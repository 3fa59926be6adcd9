//! Where a script is that a command does not find: beside the place in another language, below the `cwd` that the agent does not read,
//! or at the place as seen from the root. And which scripts are for Windows alone.

use super::effects::Effect;
use super::keys::{ParsedSettings, around};
use crate::agents::Dialect;
use crate::agents::runs::RunKind;
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::parse::json::JsonNode;
use crate::rules::Cx;
use crate::workspace::Resolution;

/// Endings of scripts, of which one may have taken another's place.
const ENDS: [&str; 9] = ["bash", "cjs", "js", "mjs", "ps1", "py", "rb", "sh", "ts"];
/// Endings of the files from which a settings file is made on each machine.
const TEMPLATES: [&str; 5] = [".in", ".j2", ".template", ".tmpl", ".tpl"];

/// Folders of what is used no more, whatever sign stands before their names.
const ARCHIVES: [&str; 9] =
    ["archive", "archived", "attic", "backup", "backups", "deprecated", "legacy", "old", "retired"];

/// Whether a file was put away: from a place in use to an archive.
pub(super) fn is_put_away(from: &RepoPath, to: &RepoPath) -> bool {
    let is_archive = |folder: &[u8]| {
        let name = String::from_utf8_lossy(folder).to_ascii_lowercase();
        ARCHIVES.contains(&name.trim_start_matches(['.', '_']))
    };
    let is_aside = |path: &RepoPath| {
        path.parent().split(|&byte| byte == b'/').any(is_archive) || discover::why_set_aside(path.as_bytes()).is_some()
    };
    is_aside(to) && !is_aside(from)
}

/// The one script beside `path` with its name and another ending.
pub(super) fn successor(cx: &Cx<'_>, path: &RepoPath) -> Option<RepoPath> {
    let text = std::str::from_utf8(path.as_bytes()).ok()?;
    let (stem, end) = text.rsplit_once('.').filter(|(_, end)| ENDS.contains(end))?;
    let others = ENDS.iter().filter(|other| **other != end).map(|other| format!("{stem}.{other}"));
    let mut found = others.filter(|other| is_file(cx, other.as_bytes()));
    found.next().filter(|_| found.next().is_none()).map(|one| RepoPath::from(one.as_str()))
}

/// The `cwd` that a server's author wrote, and the file below it, where an agent that passes it over looks in vain for it.
pub(super) fn below_ignored_cwd(
    cx: &Cx<'_>,
    effect: &Effect<'_>,
    missing: &RepoPath,
) -> Option<(&'static Dialect, String, RepoPath)> {
    let is_server = matches!(effect.item.kind, RunKind::Server { is_remote: false, .. });
    // Others find it.
    let agent = effect.agents.iter().map(|(agent, _)| *agent).find(|agent| agent.ignores_server_cwd)?;
    if !is_server {
        return None;
    }
    let mut files = ParsedSettings::default();
    let server = around(files.root(cx, &effect.path)?, effect.span).last().copied()?;
    let written = server.get("cwd").and_then(JsonNode::text)?;
    let below = relative(effect, missing)?;
    let folder = path::resolve(&effect.directory, written.as_bytes())?;
    let file = path::resolve(&folder, below)?;
    is_file(cx, &file).then(|| (agent, written.to_owned(), RepoPath::new(file)))
}

/// Whether the path leads to a file from the root, so that the settings of a folder are meant for a start in the root.
pub(super) fn is_right_from_root(cx: &Cx<'_>, effect: &Effect<'_>, missing: &RepoPath) -> bool {
    let is_below = !effect.directory.is_empty() && !effect.is_bundle;
    is_below && relative(effect, missing).is_some_and(|path| is_file(cx, path))
}

/// The variable of the project's or the plugin's folder that stands in single quotes before the path of a file which is there.
pub(super) fn quoted_variable<'p>(cx: &Cx<'_>, effect: &Effect<'_>, missing: &'p RepoPath) -> Option<&'p str> {
    let RunKind::Hook { action, .. } = &effect.item.kind else { return None };
    let written = std::str::from_utf8(relative(effect, missing)?).ok()?;
    let (variable, below) = written.split_once('/').filter(|(variable, _)| variable.starts_with('$'))?;
    let name = variable.trim_start_matches(['$', '{']).trim_end_matches('}');
    let is_folder = name.ends_with("_PROJECT_DIR") || effect.is_bundle && name.ends_with("_PLUGIN_ROOT");
    let is_quoted = is_folder && action.contains(&format!("'{variable}/"));
    (is_quoted && is_file(cx, &path::resolve(&effect.directory, below.as_bytes())?)).then_some(variable)
}

/// Whether a template beside the settings shows that each machine makes its own.
pub(super) fn is_made_from_template(cx: &Cx<'_>, settings: &RepoPath) -> bool {
    let has = |end: &str| cx.workspace.listing.contains(&[settings.as_bytes(), end.as_bytes()].concat());
    TEMPLATES.iter().any(|end| has(end))
}

/// Whether a file is to be started elsewhere than on Windows, which runs some files by their names. Of those, some begin so that a shell
/// of Unix reads them too.
pub(super) fn is_unix(cx: &Cx<'_>, path: &RepoPath) -> bool {
    let is_named_for_windows =
        [&b".bat"[..], b".cmd", b".exe", b".ps1"].iter().any(|end| path.as_bytes().ends_with(end));
    let bytes = cx.workspace.scripts.bytes.get(path);
    !is_named_for_windows || bytes.is_some_and(|bytes| is_for_two_shells(bytes))
}

/// Whether a script begins with what a shell of Unix passes over, and with it what is for Windows: `#!`, `:;`, or a here-document
/// behind `:`.
fn is_for_two_shells(bytes: &[u8]) -> bool {
    let rest = bytes.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
    bytes.starts_with(b"#!") || rest.is_some_and(|rest| rest.starts_with(b";") || rest.starts_with(b"<<"))
}

/// A missing path as it is written, from the folder of the start.
fn relative<'p>(effect: &Effect<'_>, missing: &'p RepoPath) -> Option<&'p [u8]> {
    let bytes = missing.as_bytes();
    match effect.directory.is_empty() {
        true => Some(bytes),
        false => bytes.strip_prefix(&effect.directory[..])?.strip_prefix(b"/"),
    }
}

fn is_file(cx: &Cx<'_>, path: &[u8]) -> bool {
    matches!(cx.workspace.resolve(path), Resolution::File(_))
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    fn found(files: &[(&str, &str)]) -> Vec<(Level, String)> {
        let all: Vec<(&str, &str)> = files.iter().copied().chain([("CLAUDE.md", "x\n")]).collect();
        let found = repository("missing-hook-command", "", &all);
        found.into_iter().map(|finding| (finding.level, finding.message.to_string())).collect()
    }

    #[test]
    fn what_lies_in_an_archive_was_put_away() {
        let is_put_away = |from: &str, to: &str| super::is_put_away(&from.into(), &to.into());
        assert!(is_put_away(".claude/hooks/a.sh", ".backup/20260814/.claude/hooks/a.sh"));
        assert!(is_put_away(".claude/hooks/a.sh", ".claude/hooks/old/a.sh"));
        assert!(!is_put_away(".claude/hooks/a.sh", "scripts/a.sh"));
        assert!(!is_put_away("archive/a.sh", "archive/b.sh"));
    }

    #[test]
    fn scripts_for_two_shells_are_told_by_how_they_begin() {
        for text in ["#!/bin/sh\n", ":; exec sh x; exit\n", ": << 'CMDBLOCK'\n@echo off\n", ":<<BATCH\n"] {
            assert!(super::is_for_two_shells(text.as_bytes()), "{text}");
        }
        for near_miss in ["@echo off\r\n", ":: a remark\r\n", ":start\r\n", ""] {
            assert!(!super::is_for_two_shells(near_miss.as_bytes()), "{near_miss}");
        }
    }

    #[test]
    fn settings_that_are_made_from_a_template_are_of_one_machine() {
        let settings = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/home/jane/x/a.sh"}]}]}}"#;
        let level = |beside: &str| {
            let found = found(&[(".claude/settings.json", settings), (beside, "{}")]);
            found.into_iter().map(|(level, _)| level).collect::<Vec<_>>()
        };
        assert_eq!(level(".claude/settings.json.tpl"), [Level::Info]);
        assert_eq!(level(".claude/settings.example.json"), [Level::Warning]);
    }
}
