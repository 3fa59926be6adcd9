//! `tracked-local-settings`: git tracks the settings of one person.

use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "tracked-local-settings",
    group: Group::Settings,
    levels: &[Level::Warning, Level::Info],
    summary: "personal settings are under version control",
    explanation: "\
## What it does
Reports a file that an agent keeps for one person's settings or instructions, such as `.claude/settings.local.json` and
`CLAUDE.local.md`, and that git tracks.
It reports, too, what an agent or its plugin writes down of a run: `.claude/scheduled_tasks.lock`, `.claude/ralph-loop.local.md`, and a work tree
in `.claude/worktrees`.
One that says nothing (`{}`) is passed over, and so are those of packages (`node_modules`, `vendor`). Instructions that a program
writes whose configuration is tracked (`rulesync.jsonc`) are an info, and so are settings in a folder of templates or records.

## Why is this bad?
It counts fully for everybody who opens the repository, and before the shared settings: what its author approved once is approved
for all. The agent rewrites it whenever somebody approves something.

## Example
`git ls-files` lists `.claude/settings.local.json`.

## How to fix
`git rm --cached .claude/settings.local.json`, and add the file to `.gitignore`. Shared settings belong in
`.claude/settings.json`.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with a tracked file", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/settings", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct TrackedLocalSettings;

/// Folders of packages that others have made.
const FOREIGN: [&[u8]; 4] = [b"node_modules", b"site-packages", b"third_party", b"vendor"];

/// Configurations of programs that write hint files for one person, too.
const GENERATORS: [&[u8]; 2] = [b"rulesync.json", b"rulesync.jsonc"];

impl Rule for TrackedLocalSettings {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let ignored = super::ignored_files(cx);
        for path in &cx.workspace.personal_settings {
            let hint = cx.workspace.document(path.as_bytes());
            let bytes: &[u8] = match (cx.workspace.settings.get(path), hint) {
                (Some(bytes), _) => bytes,
                (None, Some(hint)) => hint.text.as_bytes(),
                (None, None) => &[],
            };
            let is_for_elsewhere = hint.is_some() && cx.workspace.is_for_elsewhere(path.as_bytes());
            if is_foreign(path) || is_for_elsewhere || says_nothing(bytes) {
                continue;
            }
            let message = match hint {
                Some(_) => "git tracks this file, which is for one person's instructions and counts for everybody",
                None if ignored.contains(path) => "git tracks this file of personal settings",
                None => "git tracks this file of personal settings, so it applies to everybody",
            };
            // It is made from sources that are tracked, and may well be.
            let is_made = hint.is_some() && GENERATORS.iter().any(|name| cx.workspace.listing.contains(name));
            // In a template or a record nobody starts an agent.
            let is_aside = hint.is_none() && cx.workspace.is_for_elsewhere(path.as_bytes());
            let is_meant = || cx.workspace.is_kept_by_ignore_file(path) || is_told_as_shared(cx, path);
            let level = if is_made || is_aside || is_meant() { Level::Info } else { Level::Warning };
            let finding = Finding::new(INFO.name, level, path, Span::empty(0), message);
            let shown = path.to_str_lossy();
            let untrack = format!("`git rm --cached {shown}`, and add it to .gitignore");
            findings.push(finding.help(match shared_file(cx, path, bytes) {
                Some(shared) => format!("move what is for everybody to {}, then {untrack}", sanitize::path(&shared)),
                None => untrack,
            }));
        }
        findings.extend(cx.workspace.tracked_state.iter().filter(|path| !is_foreign(path)).map(of_a_run));
    }
}

/// The file of shared settings beside personal ones, where it is not there and the personal ones have hooks, which may well be the project's.
fn shared_file(cx: &Cx<'_>, path: &RepoPath, bytes: &[u8]) -> Option<RepoPath> {
    let name = std::str::from_utf8(path.file_name()).ok().filter(|name| name.contains(".local."))?;
    let shared = RepoPath::new(path::join(path.parent(), name.replacen(".local", "", 1).as_bytes()));
    let has_hooks = bytes.windows(b"\"hooks\"".len()).any(|part| part == b"\"hooks\"");
    (has_hooks && !cx.workspace.listing.contains(shared.as_bytes())).then_some(shared)
}

/// Words of lines that speak of the file as one person's own, or as one that each makes.
const OWN: [&str; 24] = [
    "copy",
    "cp ",
    "creat",
    "developer",
    "exclude",
    "git rm",
    "git-rm",
    "if it exists",
    "if present",
    "ignor",
    "individual",
    "local-only",
    "local only",
    "local override",
    "machine",
    "never commit",
    "not commit it",
    "not committed",
    "override",
    "person",
    "private",
    "secret",
    "track",
    "your own",
];

/// Whether another hint file or the README names the file by its path as a part of the project.
fn is_told_as_shared(cx: &Cx<'_>, path: &RepoPath) -> bool {
    let Ok(whole) = std::str::from_utf8(path.as_bytes()) else { return false };
    let name = whole.rsplit('/').next().unwrap_or(whole);
    let names_it = |line: &str| {
        let begins = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "/._-~*".contains(c));
        let ends = |at: usize| !line[at..].starts_with(|c: char| c.is_alphanumeric() || "/_-*".contains(c));
        let has = |text: &str| line.match_indices(text).any(|(at, _)| begins(at) && ends(at + text.len()));
        // In a tree the folders stand above.
        has(whole) || line.contains(['├', '└']) && has(name)
    };
    let is_shared = |line: &str| {
        let small = line.to_lowercase();
        !OWN.iter().any(|word| small.contains(word))
    };
    let (mut shared, mut own) = (false, false);
    for (_, text) in cx.workspace.hints_and_readme().filter(|(other, _)| *other != path) {
        for line in text.lines().filter(|line| names_it(line)) {
            let is_shared = is_shared(line);
            (shared, own) = (shared || is_shared, own || !is_shared);
        }
    }
    shared && !own
}

fn is_foreign(path: &RepoPath) -> bool {
    path.parent().split(|&byte| byte == b'/').any(|folder| FOREIGN.contains(&folder))
}

/// What is said of the state of a run, or of a work tree.
fn of_a_run(path: &RepoPath) -> Finding {
    let message = "git tracks what an agent wrote down of a run on one machine: whoever clones the repository has it";
    let shown = path.to_str_lossy().into_owned();
    let cause = Cause {
        key: format!("state {}", String::from_utf8_lossy(path.file_name())),
        subject: shown.clone(),
        many: "are what an agent wrote down of a run on one machine, and git tracks them",
        help: Some("`git rm -r --cached` each, and add them to .gitignore".to_owned()),
    };
    Finding::new(INFO.name, Level::Warning, path, Span::empty(0), message)
        .help(format!("`git rm -r --cached {shown}`, and add it to .gitignore"))
        .cause(cause)
}

/// Whether settings are empty: blanks, or objects and lists that hold no value.
fn says_nothing(bytes: &[u8]) -> bool {
    bytes.trim_ascii().is_empty() || serde_json::from_slice(bytes).is_ok_and(|value| is_hollow(&value))
}

fn is_hollow(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Object(members) => members.values().all(is_hollow),
        serde_json::Value::Array(items) => items.iter().all(is_hollow),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    #[test]
    fn settings_that_the_project_names_as_its_own_are_an_info() {
        let check = |path: &str, other: &str, text: &str, expected: Level| {
            let content =
                if path.ends_with(".md") { "Use tabs.\n" } else { "{\"permissions\": {\"allow\": [\"WebSearch\"]}}\n" };
            let files = [(path, content), ("AGENTS.md", "x\n"), (other, text)];
            let found = repository("tracked-local-settings", "", &files);
            assert_eq!(found.iter().map(|finding| finding.level).collect::<Vec<_>>(), [expected], "{other}: {text}");
        };
        let (settings, hint) = (".claude/settings.local.json", "CLAUDE.local.md");
        check(settings, ".gitignore", ".claude/*\n!/.claude/settings.local.json\n", Level::Info);
        check(settings, ".gitignore", "!.claude/\n!.claude/settings.json\n", Level::Warning);
        check(settings, "README.md", "Edit `.claude/settings.local.json` to auto-approve commands.\n", Level::Info);
        check(settings, "README.md", "├── settings.local.json  # Permissions\n", Level::Info);
        check(settings, "README.md", "├── settings.local.json  # yours, gitignored\n", Level::Warning);
        check(settings, "README.md", "Copy it to `.claude/settings.local.json`.\n", Level::Warning);
        check(settings, "README.md", "Edit `~/.claude/settings.local.json`.\n", Level::Warning);
        check(settings, "CLAUDE.md", "Permissions: settings.local.json\n", Level::Warning);
        check(hint, ".claude/commands/a.md", "Check `CLAUDE.md` and `CLAUDE.local.md` for conventions.\n", Level::Info);
        check(hint, "CLAUDE.md", "Your personal notes: `CLAUDE.local.md`.\n", Level::Warning);
        check(hint, hint, "See `CLAUDE.local.md`.\n", Level::Warning);
    }

    #[test]
    fn settings_where_nobody_starts_an_agent_are_an_info() {
        let level = |path: &str| {
            let settings = "{\"permissions\": {\"allow\": [\"WebSearch\"]}}\n";
            let found = repository("tracked-local-settings", "", &[(path, settings), ("CLAUDE.md", "x\n")]);
            found.iter().map(|finding| finding.level).collect::<Vec<_>>()
        };
        assert_eq!(level(".claude/settings.local.json"), [Level::Warning]);
        assert_eq!(level("api/.claude/settings.local.json"), [Level::Warning]);
        assert_eq!(level("templates/api/.claude/settings.local.json"), [Level::Info]);
    }

    #[test]
    fn what_is_for_everybody_is_to_be_moved_first() {
        let help = |settings: &str, more: (&str, &str)| {
            let files = [(".claude/settings.local.json", settings), ("CLAUDE.md", "x\n"), more];
            repository("tracked-local-settings", "", &files)[0].help.clone().unwrap_or_default()
        };
        let hooks = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "make lint"}]}]}}"#;
        assert!(help(hooks, ("a.md", "x\n")).starts_with("move what is for everybody to .claude/settings.json, then"));
        assert!(help(hooks, (".claude/settings.json", "{}\n")).starts_with("`git rm"));
        let rules = r#"{"permissions": {"allow": ["WebSearch"]}}"#;
        assert!(help(rules, ("a.md", "x\n")).starts_with("`git rm"));
    }

    #[test]
    fn nothing_is_said_of_the_effect_of_settings_without_one() {
        let message = |settings: &str| {
            let files = [(".claude/settings.local.json", settings), ("CLAUDE.md", "x\n")];
            let found = repository("tracked-local-settings", "agents = [\"claude\"]\n", &files);
            found.into_iter().map(|finding| finding.message.to_string()).collect::<String>()
        };
        assert!(message("{\"permissions\": {\"allow\": [\"WebSearch\"]}}\n").ends_with("it applies to everybody"));
        let broken = message("{\"permissions\": {\"allow\": [\"WebSearch\"]},}\n");
        assert_eq!(broken, "git tracks this file of personal settings");
        assert_eq!(message("{\"permissions\": {\"allow\": []}}\n"), "");
    }
}
