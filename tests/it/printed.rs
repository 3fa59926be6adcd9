//! What reaches a terminal or a CI log: all commands on a repository whose names, texts, config and history are hostile, on a
//! terminal and through a pipe.

use crate::support::Repo;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Sequences that a terminal, a log or a CI runner would obey.
const HOSTILE: &str = "\u{1B}[2J\u{1B}]0;t\u{7}\r\u{8}\u{9B}31m\u{202E}\u{E0041}\u{200B}\u{2028}##[error]x";

/// Names that open a workflow command, alone or after a line break.
const NAMES: [&str; 5] = [
    "::error::x",
    "a\n::warning::y\n  ::set-output name=x::y",
    "##[group]g",
    "b\u{1B}[31m\r::notice::%0A::error::z\u{202E}\u{E0041}",
    " \t::debug::w",
];

/// A repository that uses each of the names, and the hostile text in each place that a command may repeat.
fn hostile() -> Repo {
    let repo = Repo::new();
    repo.write("AGENTS.md", "# A\n").commit("start");
    for name in NAMES {
        let text = format!(
            "---\n\"{HOSTILE}\": [\"::x::\"\n---\n::error::body\n##[error]body\n{HOSTILE}\n\n# ::error::{HOSTILE}\n\n\
             @./{name}.md @./none{HOSTILE}.md [l](none{HOSTILE}.md) `docs/gone{HOSTILE}.md`\n\n- [ ] ::error::{HOSTILE}\n- [x]do {HOSTILE}\n"
        );
        for file in ["CLAUDE.md", "AGENTS.md", "PLAN.md", ".cursor/rules/r.mdc", ".claude/rules/r.md", "SKILL.md"] {
            repo.write(format!("{name}/{file}"), &text);
        }
        repo.write(format!("{name}.md"), &text).write(format!(".claude/rules/{name}.md"), &text);
        repo.write(format!(".claude/skills/{name}/SKILL.md"), &text);
        repo.symlink(format!("{name}/GEMINI.md"), &format!("../none{HOSTILE}"));
    }
    repo.write("hintlint.toml", "[plans]\npaths = [\"**/*PLAN.md\"]\n[compile]\noutput = \"out\"\n");
    repo.write("CLAUDE.md", format!("::error::x\n{HOSTILE}\n@./::error::x.md\n@./none{HOSTILE}.md\n"));
    repo
}

/// A config that repeats hostile text in its problems.
fn hostile_config() -> Repo {
    let repo = hostile();
    repo.write(
        "hintlint.toml",
        format!("\"::error::{HOSTILE}\" = 1\nexclude = [\"::{HOSTILE}[\"]\n[rules]\n\"::x\" = \"y\"\n")
            .replace(['\r', '\u{7}', '\u{8}', '\u{1B}', '\u{9B}'], ""),
    );
    repo
}

/// Whether a terminal takes `output`: nothing but text, line ends, tabs and our colours. A terminal adds `\r` before `\n`.
fn assert_fit_to_print(output: &[u8], what: &str) {
    let text = String::from_utf8(output.to_vec()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let colour = after.strip_prefix('[').and_then(|code| code.split_once('m'));
        let colour = colour.filter(|(code, _)| code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';'));
        rest = match (c, colour) {
            ('\u{1B}', Some((_, after))) => after,
            ('\r', _) if after.starts_with('\n') => after,
            ('\n' | '\t', _) => after,
            _ => {
                let hidden = ['\u{202E}', '\u{E0041}', '\u{200B}', '\u{2028}'].contains(&c);
                assert!(!c.is_control() && !hidden, "{what}: {c:?} in {text:?}");
                after
            }
        };
    }
    for line in text.split(['\n', '\r']) {
        let mut start = line.trim_start();
        while let Some((code, after)) = start.strip_prefix("\u{1B}[").and_then(|rest| rest.split_once('m')) {
            assert!(code.len() < 12, "{what}: {line:?}");
            start = after.trim_start();
        }
        assert!(!start.starts_with("::"), "{what}: {line:?}");
        assert!(!line.contains("##["), "{what}: {line:?}");
    }
}

/// What a program prints on a terminal that is its standard output and error.
pub(crate) fn on_terminal(mut command: Command) -> Vec<u8> {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("a terminal");
    unlockpt(&master).expect("a terminal");
    let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("text");
    let open = || File::options().read(true).write(true).open(&name).expect("the terminal's other end");
    command.stdin(Stdio::null()).stdout(open()).stderr(open()).env("TERM", "xterm");
    let mut child = command.spawn().expect("it starts");
    // The command holds the ends that the program got.
    drop(command);
    let mut output = Vec::new();
    // Reading fails when the last end is closed.
    let _ = File::from(master).read_to_end(&mut output);
    child.wait().expect("it ends");
    output
}

/// All commands, with each kind of output; not those that repeat a file byte for byte into a pipe.
fn commands() -> Vec<Vec<String>> {
    let mut commands: Vec<Vec<String>> = [
        "check --min-level info",
        "check --min-level info --color always",
        "check --min-level info --format concise",
        "check --min-level info --format json",
        "check --min-level info --format sarif",
        "check --min-level info --format markdown",
        "check --statistics",
        "check --statistics --format json",
        "check -v",
        "check --staged --all",
        "check --since HEAD",
        "files -v",
        "files --format json -v",
        "agents",
        "agents --format json",
        "compile --check",
        "diff HEAD",
        "diff HEAD --format markdown",
        "diff HEAD --format json",
        "plan",
        "plan --format json",
        "plan status",
        "plan status --format json",
        "rules",
        "rules --format json",
        "schema",
        "show --format json",
        "show --agent claude --format json",
        "show --agent claude --sources -v --file x",
        "show --file x",
        "show --file x --format json",
        "explain ::error::x",
        "show --agent ::error::x",
        "check ::none",
        "check --select ::error::x",
        "::error::x",
        "check --rev ::error::x",
        "diff ::error::x",
        "init --hints",
        "compile",
    ]
    .iter()
    .map(|words| words.split(' ').map(str::to_owned).collect())
    .collect();
    for name in [NAMES[0], NAMES[1], NAMES[3]] {
        for words in [
            &["check"][..],
            &["files"],
            &["plan"],
            &["plan", "activate"],
            &["compile"],
            &["show", "--agent", "claude", "--sources", "-v"],
            &["show", "--agent"],
            &["show", "--agent", "claude", "--agent-option"],
            &["check", "--config"],
            &["check", "--output"],
            &["explain"],
            &["diff"],
            &["check", "--format"],
            &["hook"],
        ] {
            commands.push(words.iter().map(|&word| word.to_owned()).chain([name.to_owned()]).collect());
        }
        commands.push(vec![format!("--no-{name}")]);
        commands.push(vec!["check".into(), format!("--fail-on={name}")]);
    }
    commands
}

fn check(repo: &Repo, args: &[String], terminal: bool) {
    let mut command = repo.hintlint(repo.root());
    command.args(args);
    let what = format!("{args:?}, {}", if terminal { "terminal" } else { "pipe" });
    if terminal {
        // The progress line moves the cursor.
        command.env("CI", "true");
        assert_fit_to_print(&on_terminal(command), &what);
        return;
    }
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    assert_fit_to_print(&output.stdout, &what);
    assert_fit_to_print(&output.stderr, &what);
}

#[test]
fn no_command_prints_what_a_terminal_or_a_runner_obeys() {
    let (all, repo, with_config) = (commands(), hostile(), hostile_config());
    for terminal in [false, true] {
        all.iter().for_each(|args| check(&repo, args, terminal));
        // Whatever reads a config says the same of it.
        all.iter().step_by(7).for_each(|args| check(&with_config, args, terminal));
    }
}

#[test]
fn texts_are_raw_in_a_pipe_and_visible_on_a_terminal() {
    let repo = hostile();
    for args in ["show --agent claude", "compile --stdout", "check --diff", "compile --diff", "show --part main"] {
        let args: Vec<&str> = args.split(' ').collect();
        let mut command = repo.hintlint(repo.root());
        // The progress line moves the cursor.
        command.args(&args).env("CI", "true");
        assert_fit_to_print(&on_terminal(command), &format!("{args:?}"));
    }
    let raw = repo.run(&["show", "--agent", "claude", "--part", "main"]).stdout;
    assert!(raw.contains("\n::error::x\n") && raw.contains(HOSTILE), "{raw:?}");
}

#[test]
fn escaped_json_has_the_same_value() {
    let repo = hostile();
    let run = repo.run(&["show", "--agent", "claude", "--part", "main", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let text = value["parts"][0]["text"].as_str().expect("a text");
    assert_eq!(text, repo.run(&["show", "--agent", "claude", "--part", "main"]).stdout);
    let run = repo.run(&["files", "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    for name in NAMES {
        let path = format!("{name}/CLAUDE.md");
        assert!(rows.as_array().expect("rows").iter().any(|row| row["path"] == path), "{path:?}: {}", run.stdout);
    }
}

#[test]
fn hooks_answer_with_text_that_a_terminal_can_show() {
    let repo = hostile();
    repo.write("README.md", format!("# R\n\nwords {HOSTILE}\n\n::error::x\n"));
    let mut told = String::new();
    let input = serde_json::json!({
        "session_id": format!("s{HOSTILE}"), "cwd": repo.root(), "tool_name": "Read", "source": "startup",
        "tool_input": {"file_path": repo.at("::error::x/CLAUDE.md")},
        "transcript_path": format!("/none{HOSTILE}"),
    });
    for event in ["session-start", "post-tool-use", "stop", "session-end"] {
        let mut command = repo.hintlint(repo.root());
        command.args(["hook", event]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        child.stdin.take().expect("a pipe").write_all(input.to_string().as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_fit_to_print(&output.stdout, event);
        assert_fit_to_print(&output.stderr, event);
        told.push_str(&String::from_utf8_lossy(&output.stdout));
    }
    assert!(told.contains("additionalContext") && told.contains("words "), "the README must be told: {told}");
}
