//! Settings files that no reader should trust: huge, deep, of wrong types, not text, links. Whatever stands in them, it is told
//! in words, nothing is executed, nothing outside the repository is read, and the run ends.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::{Repo, Run};

/// Long enough for a machine that has other work, and far too short for work that grows with the square of a file.
const BOUND: Duration = Duration::from_secs(120);
/// The settings files that are checked, each with an agent that reads it.
const FILES: [(&str, &str); 11] = [
    ("claude", ".claude/settings.json"),
    ("claude", ".mcp.json"),
    ("codex", ".codex/config.toml"),
    ("codex", ".codex/hooks.json"),
    ("gemini", ".gemini/settings.json"),
    ("qwen", ".qwen/settings.json"),
    ("opencode", "opencode.json"),
    ("opencode", ".opencode/opencode.jsonc"),
    ("copilot", ".github/hooks/guard.json"),
    ("copilot", ".github/copilot/settings.json"),
    ("copilot", ".github/mcp.json"),
];
/// A command that leaves a trace if it is executed.
const COMMAND: &str = "touch executed";

fn config(agent: &str) -> (&'static str, String) {
    ("hintlint.toml", format!("agents = [\"{agent}\"]\n"))
}

/// `path rule: message` of each finding.
fn findings(run: &Run) -> Vec<String> {
    let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let found = value["findings"].as_array().expect("a list").iter();
    found.map(|one| format!("{} {}: {}", text(&one["path"]), text(&one["rule"]), text(&one["message"]))).collect()
}

/// The findings of a check, which ends in time, as the other commands do that read settings; none executes anything.
fn checked(repo: &Repo, agent: &str) -> Vec<String> {
    let start = Instant::now();
    let run = repo.run(&["--format", "json", "--select", "all"]);
    assert!(run.code == 0 || run.code == 1, "{run:?}");
    let found = findings(&run);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(run.code == 1, value["summary"]["errors"].as_u64() > Some(0), "{found:?}");
    for args in [&["diff", "HEAD~1", "HEAD"][..], &["show", "--runs", "--agent", agent]] {
        let run = repo.run(args);
        assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
    }
    assert!(start.elapsed() < BOUND, "{:?}", start.elapsed());
    assert!(!repo.at("executed").exists());
    found
}

/// A repository in which a commit brings `bytes` as `path`.
fn committed(agent: &str, path: &str, bytes: impl AsRef<[u8]>) -> Repo {
    let repo = Repo::with_files([("README.md", "# Read\n".to_owned()), config(agent)]);
    repo.write(path, bytes);
    repo.commit("settings");
    repo
}

#[test]
fn a_file_of_100_mb_is_a_finding_and_is_not_read() {
    for (agent, path) in FILES {
        let repo = committed(agent, path, "");
        fs::File::options().write(true).open(repo.at(path)).unwrap().set_len(100 << 20).unwrap();
        let found = checked(&repo, agent);
        let expected = format!("{path} unreadable-hint-file: this file has 100 MiB; files over 8 MiB are not read");
        assert!(found.contains(&expected), "{path}: {found:?}");
    }
}

#[test]
fn a_million_hooks_are_bounded_and_told() {
    let hooks = |hook: &str, count: usize| {
        format!("{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{}]}}]}}}}", vec![hook; count].join(","))
    };
    let repo = committed("claude", ".claude/settings.json", hooks("{}", 1_000_000));
    let found = checked(&repo, "claude");
    assert!(found.iter().any(|one| one.starts_with(".claude/settings.json invalid-hook: ")), "{}", found.len());
    let hook = format!("{{\"type\":\"command\",\"command\":\"{COMMAND}\"}}");
    let found = checked(&committed("claude", ".claude/settings.json", hooks(&hook, 100_000)), "claude");
    assert_eq!(found.iter().filter(|one| one.contains("invalid-")).count(), 0, "{found:?}");
    let told = ".claude/settings.json unreadable-hint-file: this has 100000 entries: agents apply all of them, but hintlint \
                checks only the first 10000";
    assert!(found.iter().any(|one| one == told), "{found:?}");
}

/// What is not looked at is told wherever it stands; what is looked at whole is not.
#[test]
fn entries_that_are_not_looked_at_are_told() {
    let many = |entry: &str, count: usize| vec![entry; count].join(",");
    let hook = format!("{{\"type\":\"command\",\"command\":\"{COMMAND}\"}}");
    let group = |count: usize| format!("[{{\"hooks\":[{}]}}]", many(&hook, count));
    let servers = |count: usize| (0..count).map(|at| format!("\"s{at}\":{{}}")).collect::<Vec<_>>().join(",");
    let tables: String = (0..10_001).map(|at| format!("[mcp_servers.s{at}]\ncommand = \"b\"\n")).collect();
    let variables: String = (0..10_001).map(|at| format!("V{at}=1\n")).collect();
    for (agent, path, text, entries) in [
        (
            "claude",
            ".claude/settings.json",
            format!("{{\"hooks\":{{\"Stop\":{},\"SessionEnd\":{}}}}}", group(6_000), group(6_000)),
            12_000,
        ),
        ("claude", ".claude/settings.json", format!("{{\"hooks\":{{\"Stop\":{}}}}}", group(10_000)), 0),
        ("claude", ".mcp.json", format!("{{\"mcpServers\":{{{}}}}}", servers(10_001)), 10_001),
        ("opencode", "opencode.json", format!("{{\"plugin\":[{}]}}", many("\"x\"", 10_001)), 10_001),
        (
            "copilot",
            ".github/hooks/guard.json",
            format!("{{\"hooks\":{{\"sessionEnd\":[{}]}}}}", many(&hook, 10_001)),
            10_001,
        ),
        ("codex", ".codex/config.toml", tables, 10_001),
        ("gemini", ".env", variables, 10_001),
    ] {
        let repo = committed(agent, path, text);
        let run = repo.run(&["--format", "json", "--select", "unreadable-hint-file"]);
        let expected = format!(
            "{path} unreadable-hint-file: this has {entries} entries: agents apply all of them, but hintlint checks only the first 10000"
        );
        let expected: Vec<String> = (entries > 0).then_some(expected).into_iter().collect();
        assert_eq!(findings(&run), expected, "{path}");
    }
}

#[test]
fn deep_nesting_is_a_finding() {
    for (agent, path) in FILES {
        let deep = match path.ends_with(".toml") {
            true => format!("a = {}{}\n", "[".repeat(100_000), "]".repeat(100_000)),
            false => format!("{{\"hooks\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000)),
        };
        let found = checked(&committed(agent, path, deep), agent);
        assert!(found.iter().any(|one| one.starts_with(&format!("{path} invalid-settings: "))), "{path}: {found:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_a_finding() {
    for (agent, path) in FILES {
        let found = checked(&committed(agent, path, b"{\"a\": \"\xff\xfe\"}\n"), agent);
        let is_told = |line: &String| line.starts_with(&format!("{path} ")) && line.contains("not UTF-8");
        assert!(found.iter().any(is_told), "{path}: {found:?}");
    }
}

#[test]
fn a_key_that_stands_twice_neither_hides_nor_runs_anything() {
    let hooks = |command: &str| {
        format!("\"hooks\": {{\"Stop\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": \"{command}\"}}]}}]}}")
    };
    let repo = committed("claude", ".claude/settings.json", format!("{{{}, {}}}\n", hooks("first"), hooks(COMMAND)));
    checked(&repo, "claude");
    let runs = repo.run(&["show", "--runs", "--agent", "claude"]).stdout;
    assert!(runs.contains(COMMAND) && !runs.contains("first"), "the last one counts: {runs}");
}

/// What a `config.toml` may say, all of it in a wrong type.
#[test]
fn a_config_with_every_type_wrong_is_a_finding() {
    let keys = [
        "model",
        "sandbox_mode",
        "approval_policy",
        "notify",
        "mcp_servers",
        "hooks",
        "features",
        "profiles",
        "projects",
        "shell_environment_policy",
        "model_providers",
        "developer_instructions",
        "model_instructions_file",
        "tools",
    ];
    for value in ["1", "-0.0", "true", "[]", "[[1], {a = 1}]", "{}", "{a = {b = 1}}", "\"x\"", "1979-05-27", "inf"] {
        let text: String = keys.iter().map(|key| format!("{key} = {value}\n")).collect();
        let repo = committed("codex", ".codex/config.toml", text);
        let found = checked(&repo, "codex");
        assert!(
            found.iter().any(|one| one.starts_with(".codex/config.toml invalid-settings: OpenAI Codex CLI")),
            "{value}: {found:?}"
        );
    }
    for (agent, path) in FILES.iter().filter(|(_, path)| path.ends_with(".json")) {
        for value in
            ["1", "[]", "\"x\"", "null", "{\"hooks\": 1, \"mcpServers\": [], \"env\": \"x\", \"permissions\": 5}"]
        {
            checked(&committed(agent, path, value), agent);
        }
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_within_the_repository_only() {
    let outside = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"outside\"}]}]},}";
    for (agent, path) in FILES {
        let repo = Repo::with_files([("README.md", "# Read\n".to_owned()), config(agent)]);
        fs::write(repo.at("../outside.json"), outside).unwrap();
        let up = "../".repeat(path.matches('/').count() + 1);
        repo.symlink(path, &format!("{up}outside.json"));
        repo.commit("link");
        let run = repo.run(&["--format", "json", "--select", "all"]);
        let diff = repo.run(&["diff", "HEAD~1", "HEAD"]);
        for text in [&run.stdout, &run.stderr, &diff.stdout, &diff.stderr] {
            assert!(!text.contains("comma") && !text.contains("hook Stop"), "{path}: {text}");
        }
        assert!(findings(&run).iter().all(|one| !one.contains("unreadable-hint-file")), "{run:?}");
        // A link to nothing: the agent goes on without the file.
        repo.remove(path).symlink(path, "nowhere.json");
        repo.commit("dangling");
        let found = findings(&repo.run(&["--format", "json"]));
        assert_eq!(found, [format!("{path} unreadable-hint-file: this link is broken: its target does not exist")]);
    }
    // A link inside: what is wrong is told of the file.
    let repo = Repo::with_files([("README.md", "# Read\n".to_owned()), config("claude")]);
    repo.write("shared/settings.json", outside).symlink(".claude/settings.json", "../shared/settings.json");
    repo.commit("inside");
    let found = findings(&repo.run(&["--format", "json"]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("shared/settings.json invalid-settings: "), "{found:?}");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_settings_is_named_and_never_opened() {
    let repo = Repo::with_files([("README.md", "# Read\n".to_owned()), config("claude"), (".claude/a", String::new())]);
    let pipe = repo.at(".claude/settings.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    let run = repo.run(&["show", "--runs", "--agent", "claude"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.stdout.contains("it is a FIFO, device or socket, not a regular file (.claude/settings.json:1)"),
        "{}",
        run.stdout
    );
}

#[cfg(unix)]
#[test]
fn settings_that_may_not_be_read_cost_exit_2() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = committed("claude", ".claude/settings.json", "{}\n");
    fs::set_permissions(repo.at(".claude/settings.json"), fs::Permissions::from_mode(0o000)).unwrap();
    let Some(run) = repo.run_unprivileged(&["--format", "concise"]) else { return };
    assert_eq!(run.code, 2, "{run:?}");
}
