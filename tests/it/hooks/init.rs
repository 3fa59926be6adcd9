//! How an agent comes to run the hooks, and stops running them: B05 and B18.

use serde_json::Value;

use crate::clients::own;
use crate::support::Repo;

const SETTINGS: &str = ".claude/settings.json";
const COMMAND: &str = ".claude/commands/boulder-clear.md";

fn text(repo: &Repo, path: &str) -> String {
    String::from_utf8(repo.read(path)).expect("UTF-8")
}

#[test]
fn b18_the_hooks_are_registered_and_taken_out_again() {
    let repo = Repo::new();
    let run = repo.run(&["init", "--agent-hooks"]);
    assert_eq!(run.stdout, format!("wrote {SETTINGS}\nwrote {COMMAND}\n"), "{run:?}");
    assert!(!repo.at("hintlint.toml").exists(), "nothing else is written");
    let settings: Value = serde_json::from_slice(&repo.read(SETTINGS)).expect("JSON");
    for (event, name) in [
        ("SessionStart", "session-start"),
        ("PostToolUse", "post-tool-use"),
        ("Stop", "stop"),
        ("SessionEnd", "session-end"),
    ] {
        let group = &settings["hooks"][event][0];
        let hook = &group["hooks"][0];
        assert_eq!((&hook["type"], &hook["command"]), (&"command".into(), &format!("hintlint hook {name}").into()));
        assert!(hook["timeout"].as_u64().is_some_and(|seconds| seconds > 0));
        // What is registered is a command of ours.
        let words: Vec<&str> = hook["command"].as_str().expect("a command").split(' ').skip(1).collect();
        assert_eq!(repo.run(&words).code, 0);
    }
    assert_eq!(settings["hooks"]["PostToolUse"][0]["matcher"], "Read|Edit|MultiEdit|Write|NotebookEdit");
    let again = repo.run(&["init", "--agent-hooks"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert!(again.stdout.contains("has the hooks already") && again.stdout.contains("exists already"), "{again:?}");
    let run = repo.run(&["init", "--agent-hooks", "--remove"]);
    assert_eq!(run.stdout, format!("deleted {SETTINGS}\ndeleted {COMMAND}\n"), "{run:?}");
    assert!(!repo.at(".claude").exists(), "nothing is left");
    assert_eq!(repo.run(&["init", "--agent-hooks", "--remove"]).code, 0);
}

#[test]
fn b18_what_is_there_is_kept_byte_for_byte() {
    for before in [
        "{}",
        "{}\n",
        "{ }\n",
        "{\"permissions\":{\"allow\":[\"Bash(ls)\"]}}",
        "{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {}\r\n}\r\n",
        "{\n    \"hooks\": {\n        \"Stop\": [],\n        \"PostToolUse\": [\n            {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}\n        ]\n    },\n    \"env\": {\"A\": \"\\u00e9\", \"N\": 1.0}\n}",
    ] {
        let repo = Repo::with_files([(SETTINGS, before)]);
        let run = repo.run(&["init", "--agent-hooks"]);
        assert!(run.code == 0 && run.stdout.contains("added the hooks"), "{before:?}: {run:?}");
        let after = text(&repo, SETTINGS);
        let (old, new): (Value, Value) =
            (serde_json::from_str(before).expect("JSON"), serde_json::from_str(&after).expect("JSON"));
        for (key, value) in old.as_object().expect("an object").iter().filter(|(key, _)| *key != "hooks") {
            assert_eq!(&new[key], value);
        }
        assert_eq!(new["hooks"]["SessionStart"].as_array().map(Vec::len), Some(1), "{after}");
        assert!(repo.run(&["init", "--agent-hooks"]).stdout.contains("already"));
        assert_eq!(text(&repo, SETTINGS), after, "idempotent");
        let removed = repo.run(&["init", "--agent-hooks", "--remove"]);
        assert_eq!((removed.code, text(&repo, SETTINGS).as_str()), (0, before), "{removed:?}");
    }
}

#[test]
fn b18_nothing_has_to_be_remembered_to_undo_it() {
    for before in ["{}\n", "{\n  \"a\": 1,\n  \"hooks\": {}\n}\n", "{\"hooks\": {\"Stop\": [ ]}}"] {
        let repo = Repo::with_files([(SETTINGS, before)]);
        repo.run(&["init", "--agent-hooks"]);
        assert!(!repo.at(".git/hintlint/agent-hooks.json").exists());
        // Another clone has the committed files alone.
        repo.commit("hooks");
        let clone = repo.beside("clone");
        repo.git(&["clone", "-q", ".", clone.to_str().expect("UTF-8")]);
        let removed = repo.run_in(&clone, &["init", "--agent-hooks", "--remove"]);
        let after = std::fs::read_to_string(clone.join(SETTINGS)).expect("the settings");
        assert_eq!((removed.code, after.as_str()), (0, before), "{removed:?}");
    }
}

#[test]
fn b18_what_was_added_to_ours_later_stays() {
    let repo = Repo::new();
    repo.run(&["init", "--agent-hooks"]);
    let edited = text(&repo, SETTINGS).replacen("\"hooks\": {", "\"model\": \"opus\",\n  \"hooks\": {", 1);
    repo.write(SETTINGS, &edited).write(COMMAND, "mine now\n");
    let run = repo.run(&["init", "--agent-hooks", "--remove"]);
    assert!(
        run.stdout.contains("removed the hooks") && run.stdout.contains("was changed and is left alone"),
        "{run:?}"
    );
    assert_eq!(text(&repo, SETTINGS), "{\n  \"model\": \"opus\"\n}\n");
    assert_eq!(text(&repo, COMMAND), "mine now\n");
}

#[test]
fn b18_a_file_that_is_no_json_is_refused_with_its_place() {
    for (broken, place) in [
        ("{\n  \"a\": 1,\n}\n", ":2:9: "),
        ("{\n  \"hooks\": []\n}\n", ":2:12: "),
        ("", ":1:1: "),
        ("// c\n{}", ":1:1: "),
    ] {
        let repo = Repo::with_files([(SETTINGS, broken)]);
        for args in [&["init", "--agent-hooks"][..], &["init", "--agent-hooks", "--remove"]] {
            if broken.contains("hooks") && args.len() == 3 {
                continue; // There is nothing of ours in it.
            }
            let run = repo.run(args);
            assert_eq!(run.code, 2, "{broken:?}: {run:?}");
            assert!(run.stderr.contains(&format!("{SETTINGS}{place}")), "{broken:?}: {run:?}");
            assert_eq!(text(&repo, SETTINGS), broken);
        }
    }
}

#[test]
fn b05_the_command_file_is_the_users_if_it_was_there() {
    let repo = Repo::with_files([(COMMAND, "mine\n")]);
    let run = repo.run(&["init", "--agent-hooks"]);
    assert!(run.code == 2 && run.stderr.contains("exists already and was left alone"), "{run:?}");
    assert_eq!(text(&repo, COMMAND), "mine\n");
    let fresh = Repo::with_files([("AGENTS.md", "# A\n")]);
    fresh.run(&["init", "--agent-hooks"]);
    assert!(text(&fresh, COMMAND).contains("`hintlint plan clear`"));
    let lint = fresh.run(&["--fail-on", "info", "--min-level", "info"]);
    assert_eq!(lint.code, 0, "our own command file is clean: {lint:?}");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_out_of_the_repository() {
    let repo = Repo::new();
    std::fs::write(repo.beside("theirs.json"), "{}").expect("a file");
    repo.symlink(SETTINGS, "../../theirs.json");
    let run = repo.run(&["init", "--agent-hooks"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(std::fs::read(repo.beside("theirs.json")).expect("a file"), b"{}");
}

#[test]
fn b18_outside_git_too() {
    let folder = Repo::plain_folder();
    assert_eq!(folder.run(&["init", "--agent-hooks"]).code, 0);
    assert_eq!(folder.run(&["init", "--agent-hooks", "--remove"]).code, 0);
    assert!(!folder.at(SETTINGS).exists());
}

#[test]
fn b18_the_users_own_settings_get_the_hooks_for_all_projects() {
    let repo = Repo::new();
    let home = repo.home().join(".claude");
    std::fs::create_dir_all(&home).expect("a folder");
    let before = "{\n  \"model\": \"opus\"\n}\n";
    std::fs::write(home.join("settings.json"), before).expect("settings");
    let run = repo.run(&["init", "--agent-hooks", "--user"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains(&format!("added the hooks to {}/settings.json", home.display())), "{run:?}");
    let text = std::fs::read_to_string(home.join("settings.json")).expect("settings");
    assert!(text.contains("\"model\": \"opus\"") && text.contains("hintlint hook stop"), "{text}");
    assert!(home.join("commands/boulder-clear.md").exists() && !repo.at(".claude").exists());
    assert_eq!(repo.run(&["init", "--agent-hooks", "--user", "--remove"]).code, 0);
    assert_eq!(std::fs::read_to_string(home.join("settings.json")).expect("settings"), before);
    assert!(!home.join("commands").exists(), "nothing of ours is left");
    assert_eq!(repo.run(&["init", "--user"]).code, 2, "it says where the hooks go");
}

#[test]
fn b18_hooks_of_the_original_scripts_are_named() {
    let settings = r#"{
  "hooks": {
    "Stop": [{"hooks": [{"type": "command", "command": "python3 \"$CLAUDE_PROJECT_DIR/hooks/scripts/ralph-loop/enforce-loop.py\""}]}],
    "PostToolUse": [{"hooks": [{"type": "command", "command": "~/x/rules-injector.py --fast"}, {"type": "command", "command": "my-rules-injector.py"}]}]
  }
}
"#;
    let repo = Repo::with_files([(".claude/settings.local.json", settings)]);
    let run = repo.run(&["init", "--agent-hooks"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains(".claude/settings.local.json:3 runs enforce-loop.py on Stop"), "{run:?}");
    assert!(run.stdout.contains(".claude/settings.local.json:4 runs rules-injector.py on PostToolUse"), "{run:?}");
    assert_eq!(run.stdout.matches(" runs ").count(), 2, "another script is not ours to name: {run:?}");
}

/// The agents besides the usual one: their settings in a project and below the home, and their names for the events.
const OTHERS: [(&str, &str, &str, [&str; 4]); 4] = [
    ("codex", ".codex/hooks.json", ".codex/hooks.json", ["SessionStart", "PostToolUse", "Stop", "SessionEnd"]),
    (
        "copilot",
        ".github/hooks/hintlint.json",
        ".copilot/hooks/hintlint.json",
        ["sessionStart", "postToolUse", "agentStop", "sessionEnd"],
    ),
    (
        "gemini",
        ".gemini/settings.json",
        ".gemini/settings.json",
        ["SessionStart", "AfterTool", "AfterAgent", "SessionEnd"],
    ),
    ("qwen", ".qwen/settings.json", ".qwen/settings.json", ["SessionStart", "PostToolUse", "Stop", "SessionEnd"]),
];

#[test]
fn b18_other_agents_get_the_hooks_in_their_own_form_and_give_them_back() {
    for (agent, project, user, events) in OTHERS {
        let before = "{\n  \"other\": [1]\n}\n";
        let repo = Repo::with_files([(project, before)]);
        let run = repo.run(&["init", "--agent-hooks", "--agent", agent]);
        assert_eq!(run.code, 0, "{run:?}");
        let settings: Value = serde_json::from_slice(&repo.read(project)).expect("JSON");
        for (event, name) in events.into_iter().zip(["session-start", "post-tool-use", "stop", "session-end"]) {
            let entry = &settings["hooks"][event][0];
            let hook = if agent == "copilot" { entry } else { &entry["hooks"][0] };
            let command = if agent == "copilot" { &hook["bash"] } else { &hook["command"] };
            assert_eq!(command, &format!("hintlint hook {name}"), "{agent}: {settings}");
            assert_eq!(entry["matcher"].is_string(), name == "post-tool-use", "{agent}: {settings}");
        }
        let timeout = if agent == "gemini" { 10_000 } else { 10 };
        let hook = &settings["hooks"][events[2]][0];
        let found = if agent == "copilot" { &hook["timeoutSec"] } else { &hook["hooks"][0]["timeout"] };
        assert_eq!(found, timeout, "{agent}");
        assert_eq!(repo.run(&["init", "--agent-hooks", "--agent", agent, "--remove"]).code, 0);
        assert_eq!(text(&repo, project), before, "{agent}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{agent}: nothing is left");
        // The user's own, where nothing was.
        let run = repo.run(&["init", "--agent-hooks", "--agent", agent, "--user"]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(repo.home().join(user).is_file(), "{agent}: {run:?}");
        assert_eq!(repo.run(&["init", "--agent-hooks", "--agent", agent, "--user", "--remove"]).code, 0);
        assert!(!repo.home().join(user).exists(), "{agent}");
    }
    let run = Repo::new().run(&["init", "--agent-hooks", "--agent", "cobol"]);
    assert!(run.code == 2 && run.stderr.contains("claude, codex, copilot, gemini, qwen"), "{run:?}");
}

#[test]
fn b18_the_plugin_has_what_init_writes() {
    let repo = Repo::new();
    repo.run(&["init", "--agent-hooks"]);
    let plugin = |path: &str| std::fs::read_to_string(own(&format!("packaging/claude-plugin/{path}"))).expect(path);
    assert_eq!(plugin("hooks/hooks.json"), text(&repo, SETTINGS));
    assert_eq!(plugin("commands/boulder-clear.md"), text(&repo, COMMAND));
    let manifest: Value = serde_json::from_str(&plugin(".claude-plugin/plugin.json")).expect("JSON");
    assert_eq!((&manifest["name"], &manifest["version"]), (&"hintlint".into(), &env!("CARGO_PKG_VERSION").into()));
    let market = std::fs::read_to_string(own(".claude-plugin/marketplace.json")).expect("the marketplace");
    let market: Value = serde_json::from_str(&market).expect("JSON");
    let source = market["plugins"][0]["source"].as_str().expect("a folder");
    assert!(own(source).join(".claude-plugin/plugin.json").is_file(), "{source}");
}
