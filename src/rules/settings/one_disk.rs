//! Absolute paths in settings that are there on one machine alone: into one person's home, onto a drive of one disk, to a checkout of
//! this repository.

use super::documented;
use super::effects::{Effect, effects};
use super::keys::{ParsedSettings, around};
use crate::agents::runs::RunKind;
use crate::agents::runs::reading::of_toml;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::homes::is_of_a_person;
use crate::parse::json::JsonNode;
use crate::parse::shell::{self, ShellWord};
use crate::rules::Cx;
use crate::workspace::Resolution;

/// Folders in which the homes of people lie.
const HOMES: [&str; 4] = ["/Users/", "/home/", "\\Users\\", "\\\\Users\\\\"];
/// First folders of Windows' disks that are alike on many machines, in lower case; `a` is that of GitHub's runners.
const WINDOWS: [&str; 11] = [
    "a",
    "github",
    "msys64",
    "program files",
    "program files (x86)",
    "programdata",
    "src",
    "temp",
    "tools",
    "users",
    "windows",
];
/// First folders below the root that containers and servers have alike.
const COMMON: [&str; 18] = [
    "app",
    "code",
    "etc",
    "github",
    "opt",
    "private",
    "project",
    "projects",
    "repo",
    "src",
    "srv",
    "tmp",
    "usr",
    "var",
    "work",
    "workdir",
    "workspace",
    "workspaces",
];

/// A folder that is on one machine alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OneDisk<'t> {
    /// As it is written.
    pub(super) folder: &'t str,
    /// What it is, as the end of a sentence.
    pub(super) what: &'static str,
}

/// The first such folder in a command or value.
pub(super) fn find(text: &str) -> Option<OneDisk<'_>> {
    let home = home(text).map(|folder| OneDisk { folder, what: "one person's folder" });
    let drive = || drive(text).or_else(|| volume(text));
    home.or_else(|| drive().map(|folder| OneDisk { folder, what: "a folder on a drive of one machine" }))
}

/// The volume of macOS that `text` names: `/Volumes/Work`.
fn volume(text: &str) -> Option<&str> {
    const VOLUMES: &str = "/Volumes/";
    text.match_indices(VOLUMES).find_map(|(start, _)| {
        let name = text[start + VOLUMES.len()..].split('/').next()?;
        let end = start + VOLUMES.len() + name.len();
        let is_named = name.starts_with(char::is_alphanumeric)
            && name.chars().all(|c| c.is_alphanumeric() || " .-_()".contains(c))
            && name != "Macintosh HD";
        let is_path = text[end..].starts_with('/') && is_start(&text[..start]) && !is_listed(&text[..start]);
        (is_named && is_path).then(|| &text[start..end])
    })
}

/// Whether a path may begin behind `before`.
fn is_start(before: &str) -> bool {
    before.chars().next_back().is_none_or(|c| c.is_whitespace() || "\"'=([,;".contains(c))
}

/// The home of one person that `text` names, from the root of the disk on.
fn home(text: &str) -> Option<&str> {
    HOMES.iter().flat_map(|folder| text.match_indices(folder)).find_map(|(at, folder)| {
        let name = &text[at + folder.len()..];
        let end = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-' | '_'))?;
        let start = root(&text[..at])?;
        let is_path = name[end..].starts_with(['/', '\\']);
        let is_person = is_of_a_person(&name[..end]) && is_path && !is_listed(&text[..start]);
        is_person.then(|| &text[start..at + folder.len() + end])
    })
}

/// The first folder on a drive of Windows that `text` names: `/mnt/e/work`, `D:\\work`.
fn drive(text: &str) -> Option<&str> {
    let mounted = text.match_indices("/mnt/").map(|(at, mount)| (at, at + mount.len()));
    let letter = |at: usize| text[..at].char_indices().next_back().filter(|(_, c)| c.is_ascii_alphabetic());
    let lettered = text.match_indices(':').filter_map(|(at, _)| letter(at).map(|(start, _)| (start, start)));
    mounted.chain(lettered).find_map(|(start, letter)| {
        let before = &text[..start];
        let rest = text.get(letter..)?;
        let rest = rest.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
        let rest = if start == letter { rest.strip_prefix(':')? } else { rest };
        let name = rest.strip_prefix(['/', '\\'])?.trim_start_matches(['/', '\\']);
        let end = name.find(['/', '\\'])?;
        let name = &name[..end];
        let is_named = name.starts_with(char::is_alphanumeric)
            && name.chars().all(|c| c.is_alphanumeric() || " .-_()".contains(c))
            && !WINDOWS.contains(&name.to_ascii_lowercase().as_str());
        let length = text.len() - rest.len() + rest.find(name)? + name.len();
        (is_start(before) && is_named && !is_listed(before)).then(|| &text[start..length])
    })
}

/// Whether what follows is one folder of a list, of which others may hold what is looked for.
fn is_listed(before: &str) -> bool {
    let before = before.trim_end_matches(['"', '\'']);
    before.ends_with("PATH=") || before.ends_with("Path=") || before.ends_with([':', ';'])
}

/// Where the path begins whose folder of homes stands behind `before`; `None` for one that begins elsewhere.
fn root(before: &str) -> Option<usize> {
    // The letter of a disk has a colon behind it.
    let ahead = before.strip_suffix(':').unwrap_or(before);
    let disk = ahead.rfind(|c: char| c.is_whitespace() || "\"'=:([;,".contains(c));
    let start = disk.map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
    let disk = &before[start..];
    let is_letter = |text: &str| text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    // Systems that keep the rest unchanged have the homes in `/var/home`.
    let is_root = matches!(disk, "" | "/var")
        || disk.strip_suffix(':').is_some_and(is_letter)
        || disk.strip_prefix('/').is_some_and(|rest| is_letter(rest.strip_prefix("mnt/").unwrap_or(rest)));
    is_root.then_some(start)
}

/// A file of this repository that a command names by its absolute path in one checkout: the folder of the checkout, and the file
/// below it.
pub(super) fn checkout(cx: &Cx<'_>, command: &str) -> Option<(String, String)> {
    let commands = shell::commands(command);
    let words = commands.iter().flat_map(|command| &command.words).filter_map(ShellWord::literal);
    words.filter(|word| word.starts_with('/')).find_map(|word| {
        let first = word.split('/').nth(1)?;
        if COMMON.contains(&first) || first.starts_with('$') {
            return None;
        }
        // A folder of the root may be the same in each container; a file needs a folder of its own to be told.
        let ends = word.match_indices('/').map(|(at, _)| at).skip(2);
        let mut ends = ends.filter(|at| word[at + 1..].contains('/'));
        let at = ends.find(|at| {
            let end = &word.as_bytes()[at + 1..];
            path::resolve(b"", end).is_some_and(|end| matches!(cx.workspace.resolve(&end), Resolution::File(_)))
        })?;
        Some((word[..at].to_owned(), word[at + 1..].to_owned()))
    })
}

/// Servers of Cursor and Visual Studio Code with a path to a folder of one machine.
pub(super) fn of_editors(cx: &Cx<'_>, rule: &'static str) -> Vec<Finding> {
    let mut found = Vec::new();
    if cx.workspace.is_a_home() || !cx.selected.contains(rule) {
        return found;
    }
    for file in documented::files(cx) {
        for server in file.servers() {
            // A value may be the folder itself.
            let values = server.values.iter().map(|value| format!("{value}/"));
            let words: Vec<String> = server.command.iter().cloned().chain(values).collect();
            let Some(one) = words.iter().find_map(|word| find(word)) else { continue };
            let (folder, name) = (sanitize::line(one.folder).into_owned(), sanitize::line(&server.name).into_owned());
            let product = file.about.product;
            let message = format!("`{folder}`, which the server {name} of {product} names, is {}", one.what);
            let cause = Cause {
                key: format!("{} {folder}", file.path.to_str_lossy()),
                subject: format!("`{folder}`"),
                many: "exist on one machine only",
                help: None,
            };
            let finding = file.info(rule, server.span, message).cause(cause);
            found.push(finding.help("name the file from the root of the workspace, by `${workspaceFolder}`"));
        }
    }
    found
}

/// Variables of shared settings, and of the servers in them, that name a folder of one machine.
pub(super) fn variables(cx: &Cx<'_>, rule: &'static str, files: &mut ParsedSettings, findings: &mut Vec<Finding>) {
    if cx.workspace.is_a_home() {
        return;
    }
    for effect in effects(cx, |_, item| matches!(item.kind, RunKind::Variable { .. } | RunKind::Server { .. })) {
        // No product looks for `.github` below the root of a repository.
        let is_nested = effect.path.as_bytes().windows(9).any(|part| part == b"/.github/");
        if is_nested || cx.workspace.personal_settings.contains(&effect.path) {
            continue;
        }
        match &effect.item.kind {
            RunKind::Variable { name, value } => {
                findings.extend(variable(rule, &effect, (name, value), effect.span));
            }
            _ => {
                let tables = tables(cx, &effect);
                // A table of TOML ends with its header.
                let by_name = match &effect.item.kind {
                    RunKind::Server { name, .. } => tables.as_ref().and_then(|root| root.at(&["mcp_servers", name])),
                    _ => None,
                };
                let around = files.root(cx, &effect.path).map(|root| around(root, effect.span)).unwrap_or_default();
                let server = by_name.or_else(|| around.last().copied());
                findings.extend(server.and_then(|server| directory(rule, &effect, server)));
                let env = server.and_then(|server| server.get("env").or_else(|| server.get("environment")));
                let members = env.map(|env| env.effective()).unwrap_or_default();
                findings.extend(members.into_iter().filter_map(|member| {
                    variable(rule, &effect, (&member.key, member.value.text()?), member.value.span)
                }));
            }
        }
    }
}

/// The values of a file in TOML.
fn tables(cx: &Cx<'_>, effect: &Effect<'_>) -> Option<JsonNode> {
    let bytes = cx.workspace.settings.get(&effect.path).filter(|_| effect.path.as_bytes().ends_with(b".toml"))?;
    of_toml(std::str::from_utf8(bytes).ok()?).ok()
}

/// The `cwd` of a server. Where its command names such a folder, too, that is told.
fn directory(rule: &'static str, effect: &Effect<'_>, server: &JsonNode) -> Option<Finding> {
    let RunKind::Server { command, is_remote: false, .. } = &effect.item.kind else { return None };
    let written = server.get("cwd")?;
    let is_told = command.iter().any(|word| find(word).is_some());
    let mut finding = variable(rule, effect, ("cwd", written.text()?), written.span).filter(|_| !is_told)?;
    // Nothing comes of it where no agent reads it.
    if effect.agents.iter().all(|(agent, _)| agent.ignores_server_cwd) {
        finding.level = Level::Info;
    }
    Some(finding.help("remove it, or name the folder as seen from the root of the repository"))
}

fn variable(rule: &'static str, effect: &Effect<'_>, (name, value): (&str, &str), span: Span) -> Option<Finding> {
    // Of a list one folder may lack.
    if name.to_ascii_uppercase().ends_with("PATH") && value.contains([':', ';']) && !value.contains(":\\") {
        return None;
    }
    // What is the folder itself has no `/` behind its name.
    let value = format!("{value}/");
    let one = find(&value)?;
    let (name, folder) = (sanitize::line(name).into_owned(), sanitize::line(one.folder).into_owned());
    let message = format!("`{name}` names `{folder}`, {}: it does not exist on other machines", one.what);
    let mut finding = effect.finding(rule, Level::Warning, message);
    finding.span = span;
    let cause = Cause {
        key: format!("one disk {} {folder}", effect.path.to_str_lossy()),
        subject: format!("`{name}`"),
        many: "name a folder that exists on one machine only",
        help: None,
    };
    // Some agents expand no references in the variables of settings.
    let help = match effect.item.kind {
        RunKind::Variable { .. } => "move it to personal settings",
        _ => "move it to personal settings, or begin the path with `${HOME}`",
    };
    Some(finding.cause(cause).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_of_people_are_told_from_others() {
        for (text, expected) in [
            ("bash /Users/joe/.claude/a.sh", "/Users/joe"),
            ("python3 \"/home/jane.d/x.py\"", "/home/jane.d"),
            ("/mnt/c/Users/joe/x.sh --a", "/mnt/c/Users/joe"),
            ("/c/Users/joe/x.sh", "/c/Users/joe"),
            ("C:/Users/joe/bin/x.exe hook", "C:/Users/joe"),
            ("C:\\Users\\joe\\x.exe", "C:\\Users\\joe"),
            ("X=/home/joe/x node a.js", "/home/joe"),
            ("bash /var/home/joe/x.sh", "/var/home/joe"),
            ("bash /mnt/e/work/a.sh", "/mnt/e/work"),
            ("node c:/Projetos/x/a.js", "c:/Projetos"),
            ("cd \"D:\\work\\x\" && make", "D:\\work"),
            ("python3 'C:\\Users\\joe\\x\\a.py'", "C:\\Users\\joe"),
            ("uv run --script \"C:/Users/joe/x/a.py\"", "C:/Users/joe"),
            (r"C:\\Users\\joe\\x.exe", r"C:\\Users\\joe"),
            ("bash /Volumes/Work/x/a.sh", "/Volumes/Work"),
            ("Read(/Volumes/My Disk/x/**)", "/Volumes/My Disk"),
            ("X=C:/Users/joe/x a.exe", "C:/Users/joe"),
        ] {
            assert_eq!(find(text).map(|one| one.folder), Some(expected), "{text}");
        }
        for near_miss in [
            "$HOME/.claude/a.sh",
            "echo 점검: x",
            "echo 'é:/x/y'",
            ":/x/y",
            "~/a.sh",
            "/home/node/a.sh",
            "/home/vscode/x",
            "/home/runner/work/x",
            "/Users/Shared/x",
            "/Users/$USER/x",
            "/home/<user>/x",
            "src/Users/joe/x.sh",
            "https://x.example/home/joe/x",
            "/home/joe",
            "/opt/home/joe/x",
            "/x/var/home/joe/x",
            "bash -c \"PATH=/home/joe/.nvm/bin:$PATH npx x\"",
            "PATH=$PATH:/home/joe/bin npx x",
            "/mnt/data/x/a.sh",
            "/Volumes/Macintosh HD/x",
            "/Volumes/*/x",
            "ls /Volumes/",
            "src/Volumes/a/b",
            "/opt/homebrew/bin/node",
            "C:/Program Files/nodejs/node.exe a.js",
            "C:\\Windows\\System32\\cmd.exe",
            "D:/a/repo/x.js",
            "http://x.example/a",
            "http://x.example:/Users/joe/x",
            "docker run -v data:/x/y z",
            "node a.js key:value/x",
        ] {
            assert_eq!(find(near_miss), None, "{near_miss}");
        }
    }

    #[test]
    fn a_server_is_started_in_a_folder_of_one_machine() {
        let found = |path: &str, text: &str, agent: &str| {
            let config = format!("agents = [\"{agent}\"]\n");
            let found =
                crate::rules::testing::repository("dead-setting", &config, &[(path, text), ("AGENTS.md", "x\n")]);
            found.into_iter().map(|finding| (finding.level, finding.message.to_string())).collect::<Vec<_>>()
        };
        let message =
            |folder: &str| format!("`cwd` names `{folder}`, one person's folder: it does not exist on other machines");
        let server = |cwd: &str| format!("{{\"mcpServers\": {{\"a\": {{\"command\": \"npx\", \"cwd\": \"{cwd}\"}}}}}}");
        let json = server("/Users/joe/x/web");
        assert_eq!(found(".mcp.json", &json, "copilot"), [(Level::Warning, message("/Users/joe"))]);
        assert_eq!(found(".mcp.json", &json, "claude"), [(Level::Info, message("/Users/joe"))]);
        let toml = "[mcp_servers.a]\ncommand = \"php\"\ncwd = \"/var/home/joe/x\"\n\n[tui]\nx = 1\n";
        assert_eq!(found(".codex/config.toml", toml, "codex"), [(Level::Warning, message("/var/home/joe"))]);
        for near_miss in ["web", "/app", "${HOME}/x", "/home/node/x"] {
            assert_eq!(found(".mcp.json", &server(near_miss), "copilot"), [], "{near_miss}");
        }
    }

    proptest::proptest! {
        #[test]
        fn letters_of_any_length_are_read(text in "[a-z점é:/\\\\ '=]{0,24}") {
            let _ = find(&text);
        }
    }
}
