//! Scripts of a bundle that its own hooks and servers name by a path which counts from the bundle: the agent starts them in the project
//! of whoever installed it, where no such file is.

use super::missing_hook_command::{is_command, tests_for_files};
use crate::agents::runs::{AgentRuns, RunItem, RunKind, RunMode};
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::shell::{self, ShellWord};
use crate::rules::Cx;
use crate::workspace::scripts::ScriptHost;

/// The findings of `rule` about all such scripts.
pub(super) fn sought_in_the_project(cx: &Cx<'_>, rule: &'static str) -> Vec<Finding> {
    let mut found = Vec::new();
    for runs in cx.workspace.runs(RunMode::Headless).iter().filter(|runs| runs.is_bundle) {
        let bundle = runs.dialect.files.bundle.as_ref().filter(|bundle| bundle.starts_in_project);
        let (Some(bundle), Some(root)) = (bundle, cx.workspace.world().relative(&runs.start)) else { continue };
        for item in &runs.items {
            let Some(place) = cx.workspace.place_of_setting(&item.place) else { continue };
            let Some((word, script)) = relative_script(cx, root, item, &place.0) else { continue };
            found.push(told(cx, (rule, runs, bundle.root_variable), item, &place, (&word, &script)));
        }
    }
    found
}

/// The path of a script of the bundle at `root` as `item` writes it, where it counts from the folder of the start, and the script.
fn relative_script(cx: &Cx<'_>, root: &[u8], item: &RunItem, named_in: &RepoPath) -> Option<(String, RepoPath)> {
    if !is_command(&item.kind) || tests_for_files(&item.kind) {
        return None;
    }
    let words: Vec<String> = match &item.kind {
        RunKind::Server { command, .. } => command.clone(),
        RunKind::Hook { action, kind, directory: None, .. } if kind == "command" => {
            // What follows another command may count from another folder.
            shell::commands(action).first()?.words.iter().filter_map(ShellWord::literal).collect()
        }
        _ => return None,
    };
    let host = |is_bundle| ScriptHost { directory: root, named_in, is_bundle };
    let found = cx.workspace.scripts_of(&item.kind, &host(false)).scripts;
    let known = cx.workspace.scripts_of(&item.kind, &host(true)).scripts;
    words.into_iter().filter(|word| !word.contains(['$', '~'])).find_map(|word| {
        let script = RepoPath::new(path::resolve(root, word.as_bytes())?);
        (found.contains_key(&script) && !known.contains_key(&script)).then_some((word, script))
    })
}

fn told(
    cx: &Cx<'_>,
    (rule, runs, variable): (&'static str, &AgentRuns, &str),
    item: &RunItem,
    (path, span): &(RepoPath, Span),
    (word, script): (&str, &RepoPath),
) -> Finding {
    let (word, shown) = (sanitize::line(word).into_owned(), sanitize::path(script).to_string());
    let whose = match &item.kind {
        RunKind::Server { name, .. } => format!("the server {} does not start", sanitize::line(name)),
        RunKind::Hook { event, .. } => format!("this {} hook fails each time", sanitize::line(event)),
        _ => "this command fails".to_owned(),
    };
    let agent = runs.dialect.versioned();
    let message = format!(
        "{agent} looks for `{word}` in the project of whoever installs this plugin, and not in the plugin, so there {whose}"
    );
    let right = format!("${{{variable}}}/{}", word.trim_start_matches("./"));
    // At the root of a repository the same file is that of the project, which knows no such variable.
    let is_shared = path.file_name() == b".mcp.json" && path.parent().is_empty();
    let (level, help) = match is_shared {
        true => (Level::Warning, format!("give the server to the plugin by its manifest, as `{right}`")),
        false => (Level::Error, format!("write `{right}`: {shown} is there")),
    };
    let cause = Cause {
        key: format!("places in {}", path.to_str_lossy()),
        subject: format!("`{word}`"),
        many: "are looked for in the project of whoever installs this plugin, and not in the plugin",
        help: Some(format!("begin each path with `${{{variable}}}/`")),
    };
    let finding = Finding::new(rule, level, path, *span, message).agents([runs.dialect.id]).cause(cause).help(help);
    match edit(cx, path, *span, &word).filter(|_| !is_shared) {
        Some(place) => finding.fix(Applicability::Unsafe, place, right),
        None => finding,
    }
}

/// The only place in `span` at which `word` stands as a word of its own.
fn edit(cx: &Cx<'_>, path: &RepoPath, span: Span, word: &str) -> Option<Span> {
    let text = std::str::from_utf8(cx.workspace.settings.get(path)?).ok()?.get(span.range())?;
    let is_end = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\\'));
    let mut places = text
        .match_indices(word)
        .filter(|(at, _)| is_end(text[..*at].chars().next_back()) && is_end(text[at + word.len()..].chars().next()));
    let (at, _) = places.next()?;
    let start = span.start + at;
    places.next().is_none().then(|| Span::new(start, start + word.len()))
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    const CONFIG: &str = "agents = [\"claude\"]\n";

    fn found(file: &str, text: &str) -> Vec<(Level, String)> {
        let root = file.strip_suffix("hooks/hooks.json").or_else(|| file.strip_suffix(".mcp.json")).unwrap();
        let manifest = format!("{root}.claude-plugin/plugin.json");
        let (script, server) = (format!("{root}scripts/x.sh"), format!("{root}srv.js"));
        let files = [
            (file, text),
            (&*manifest, "{\"name\": \"p\", \"version\": \"1.0.0\"}\n"),
            (&*script, "#!/bin/sh\n"),
            (&*server, "1\n"),
        ];
        let found = repository("missing-hook-command", CONFIG, &files).into_iter();
        let found = found.filter(|finding| finding.message.contains("looks for"));
        found.map(|finding| (finding.level, finding.help.unwrap_or_default())).collect()
    }

    #[test]
    fn hooks_of_a_plugin_start_in_the_project() {
        let hook = |command: &str| {
            let hooks = serde_json::json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}});
            found("p/hooks/hooks.json", &hooks.to_string())
        };
        for command in ["bash scripts/x.sh", "sh ./scripts/x.sh now"] {
            let [(level, help)] = &hook(command)[..] else { panic!("{command}") };
            assert_eq!(*level, Level::Error);
            assert!(help.contains("`${CLAUDE_PLUGIN_ROOT}/scripts/x.sh`"), "{help}");
        }
        for command in [
            "bash ${CLAUDE_PLUGIN_ROOT}/scripts/x.sh",
            "cd ${CLAUDE_PLUGIN_ROOT} && bash scripts/x.sh",
            "[ -f scripts/x.sh ] && bash scripts/x.sh",
            "bash scripts/none.sh",
            "npm test",
        ] {
            assert_eq!(hook(command), [], "{command}");
        }
    }

    #[test]
    fn so_do_its_servers() {
        let server = |file: &str, args: &str| {
            found(file, &format!(r#"{{"mcpServers": {{"a": {{"command": "node", "args": ["{args}"]}}}}}}"#))
        };
        assert!(matches!(&server("p/.mcp.json", "./srv.js")[..], [(Level::Error, help)] if help.contains("write `")));
        // The file is the project's, too.
        assert!(matches!(&server(".mcp.json", "./srv.js")[..], [(Level::Warning, help)] if help.contains("manifest")));
        assert_eq!(server("p/.mcp.json", "${CLAUDE_PLUGIN_ROOT}/srv.js"), []);
        assert_eq!(server("p/.mcp.json", "./none.js"), []);
    }
}
