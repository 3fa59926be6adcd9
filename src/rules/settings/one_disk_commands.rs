//! Commands that name a path which is there on one machine alone, and what comes of it on others.

use super::effects::Effect;
use super::missing_hook_command::{INFO, effect_is};
use super::script_places::is_made_from_template;
use super::{entered, one_disk};
use crate::agents::runs::RunKind;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::sanitize;
use crate::parse::shell;
use crate::rules::Cx;

/// A command with a path into one person's home, where the file is for all.
pub(super) fn on_one_disk(cx: &Cx<'_>, effect: &Effect<'_>, is_entered: bool) -> Option<Finding> {
    let words = match &effect.item.kind {
        RunKind::Hook { action: text, .. } | RunKind::Helper { command: text, .. } => std::slice::from_ref(text),
        RunKind::Server { command, .. } => command,
        _ => return None,
    };
    if cx.workspace.personal_settings.contains(&effect.path) || cx.workspace.is_a_home() {
        return None;
    }
    let (folder, what, help) = match words.iter().find_map(|word| one_disk::find(word)) {
        Some(one) => {
            let home = home_variable(effect);
            (one.folder.to_owned(), one.what, format!("name the file from the root of the repository, or by `{home}`"))
        }
        None => {
            let (folder, file) = words.iter().find_map(|word| one_disk::checkout(cx, word))?;
            (folder, "a checkout on one machine", format!("the file is here as `{}`", sanitize::line(&file)))
        }
    };
    let comes_of_it = match &effect.item.kind {
        RunKind::Hook { event, action, .. } if is_entered && entered::follows_cd(action, &folder) => {
            format!("nothing behind `cd` runs in this {} hook", sanitize::line(event))
        }
        _ if is_started(words, &folder) => effect_is(effect),
        _ => finds_nothing(effect),
    };
    let (folder_as_written, folder) = (folder.clone(), sanitize::line(&folder));
    let message = format!("`{folder}` is {what}: on other machines {comes_of_it}");
    let cause = Cause {
        key: format!("{} {folder}", effect.path.to_str_lossy()),
        subject: format!("`{folder}`"),
        many: "exist on one machine only",
        help: None,
    };
    // Where the repository gives the very same path each machine is to have it.
    let is_told =
        || !what.contains("person") && words.iter().any(|word| entered::is_told(cx, word, &folder_as_written));
    let is_lower = is_made_from_template(cx, &effect.path) || is_told();
    let level = if is_lower { Level::Info } else { Level::Warning };
    Some(effect.finding(INFO.name, level, message).cause(cause).help(help))
}

/// How the home is written there: a shell reads what a hook runs, and no shell the servers of a `.mcp.json`, in which `$HOME` stays as
/// it is written (run with Claude Code 2.1.330).
fn home_variable(effect: &Effect<'_>) -> &'static str {
    let is_server = matches!(effect.item.kind, RunKind::Server { .. });
    let is_read_whole = matches!(effect.path.file_name(), b".mcp.json" | b"plugin.json");
    if is_server && is_read_whole { "${HOME}" } else { "$HOME" }
}

/// Words that stand before what is started: programs that run others or interpret scripts, and values of their options.
const BEFORE: [&str; 19] = [
    "bash",
    "bun",
    "bypass",
    "cd",
    "cmd",
    "deno",
    "env",
    "exec",
    "node",
    "npx",
    "powershell",
    "pwsh",
    "python",
    "python3",
    "run",
    "sh",
    "tsx",
    "uv",
    "zsh",
];

/// Whether a file in the folder is started, as a program or as a script, and not only named in an argument or in code.
fn is_started(words: &[String], folder: &str) -> bool {
    let text = words.join(" ");
    let Some(before) = text.find(folder).map(|at| &text[..at]) else { return false };
    let start = before.rfind(['&', '|', ';', '(', '\n']).map_or(0, |at| at + 1);
    before[start..].split_whitespace().all(|word| {
        let word = word.trim_matches(['"', '\'', '\\']);
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
        let is_option = word.starts_with(['-', '/']) && !matches!(word, "-c" | "-e" | "-m" | "-Command");
        word.is_empty() || is_option || shell::is_assignment(word) || BEFORE.contains(&name.trim_end_matches(".exe"))
    })
}

/// What comes of it where the folder is named in an argument.
fn finds_nothing(effect: &Effect<'_>) -> String {
    match &effect.item.kind {
        RunKind::Hook { event, .. } => format!("this {} hook does not find it", sanitize::line(event)),
        RunKind::Server { name, .. } => format!("the server {} does not find it", sanitize::line(name)),
        RunKind::Helper { key, .. } => format!("`{}` does not find it", sanitize::line(key)),
        _ => "this command does not find it".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::repository;

    #[test]
    fn the_home_is_written_as_the_file_knows_it() {
        let help = |path: &str, text: &str| {
            let found = repository("missing-hook-command", "", &[(path, text), ("CLAUDE.md", "x\n")]);
            found.into_iter().filter_map(|finding| finding.help).collect::<String>()
        };
        let server = r#"{"mcpServers": {"a": {"command": "/home/joe/bin/a"}}}"#;
        assert!(help(".mcp.json", server).contains("or by `${HOME}`"), "{}", help(".mcp.json", server));
        let hook = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/home/joe/bin/a"}]}]}}"#;
        assert!(help(".claude/settings.json", hook).contains("or by `$HOME`"));
    }
}
