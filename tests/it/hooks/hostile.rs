//! What a hostile clone, an odd call and an enormous transcript do to hooks: nothing of git's own data reaches the model, no call
//! ends with the exit code that stops an agent, and no file is held whole.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::agent::{Agent, command, says};
use crate::support::{Repo, Run};

const SECRET: &str = "https://user:token@host.invalid";

/// A project whose git directory holds a secret.
fn with_secret(files: &[(&str, &str)]) -> Agent {
    let agent = Agent::gemini(&[&[("src/a.rs", "x\n")], files].concat());
    agent.repo.git(&["config", "remote.origin.url", SECRET]);
    agent
}

/// All that the hooks tell when a session starts and a file is touched.
fn told(agent: &Agent) -> String {
    let start = agent.starts("s", "startup");
    let touch = agent.uses("s", "Edit", "src/a.rs");
    [start.context(), touch.context(), start.message(), touch.message(), &start.stderr, &touch.stderr].join("\n")
}

#[cfg(unix)]
#[test]
fn b13_no_rule_imports_gits_own_data() {
    let rule = "---\napplies_to: [\"**\"]\n---\nRule.\n\n\
                @../../.git/config\n@../../docs/../.git/config\n@../../link.md\n@../../dir/config\n@../../mirror.git/config\n\
                @../../store/config\n@../../sub/.git\n@../../git~1/config\n@../../docs/ok.md\n@../../x.git/ok.md\n";
    let agent =
        with_secret(&[(".claude/rules/a.md", rule), ("docs/ok.md", "Fine.\n"), ("x.git/ok.md", "Also fine.\n")]);
    let repo = &agent.repo;
    repo.symlink("link.md", ".git/config").symlink("dir", ".git");
    repo.git(&["clone", "-q", "--mirror", ".", "mirror.git"]);
    repo.git(&["worktree", "add", "-q", "--detach", "../linked"]);
    for path in ["store/config", "git~1/config", "store/HEAD", "store/commondir"] {
        repo.write(path, SECRET);
    }
    repo.write("mirror.git/config", SECRET).write("sub/.git", format!("gitdir: {SECRET}\n"));
    let told = told(&agent);
    assert!(told.contains("Fine.") && told.contains("Also fine.") && told.contains("Rule."), "{told}");
    assert!(!told.contains("token@host"), "{told}");
    assert_eq!(told.matches("Import outside repository: ").count(), 8, "{told}");
}

#[cfg(unix)]
#[test]
fn b14_no_document_or_rule_is_a_link_into_git() {
    let agent = with_secret(&[("AGENTS.md", "a\n"), ("CLAUDE.md", "c\n")]);
    for path in ["README.md", "src/README.md", ".github/copilot-instructions.md", ".claude/rules/link.md"] {
        let up = "../".repeat(path.matches('/').count());
        agent.repo.symlink(path, &format!("{up}.git/config"));
    }
    agent.repo.symlink(".claude/rules/dir", "../../.git/hooks");
    std::fs::create_dir_all(agent.repo.at(".git/hooks")).expect("a folder");
    agent.repo.write(".git/hooks/x.md", SECRET).write("README.md.bak", "");
    let told = told(&agent);
    assert!(!told.contains("token@host"), "{told}");
    assert!(told.contains("README.md is left out: it lies in a git directory"), "{told}");
    assert!(told.contains("link.md is skipped: it lies in a git directory"), "{told}");
}

#[test]
fn b14_a_linked_worktree_is_a_project_like_any_other() {
    let agent =
        with_secret(&[("README.md", "Read me.\n"), (".claude/rules/a.md", "---\napplies_to: [\"**\"]\n---\nRule.\n")]);
    // Some keep their worktrees in the git directory.
    for place in [agent.repo.beside("linked"), agent.repo.at(".git/mine/linked")] {
        agent.repo.git(&[&["worktree", "add", "-q", "--detach"][..], &[place.to_str().expect("UTF-8")]].concat());
        let message = json!({
            "session_id": place, "cwd": place, "source": "startup", "tool_name": "read_file",
            "tool_input": {"file_path": place.join("src/a.rs")},
        });
        let message = message.to_string();
        assert!(agent.send_in(&place, "session-start", message.as_bytes()).context().contains("Read me."), "{place:?}");
        assert!(agent.send_in(&place, "post-tool-use", message.as_bytes()).context().contains("Rule."), "{place:?}");
    }
}

/// A hook that was not started: `hintlint` with these arguments.
fn call(repo: &Repo, dir: &Path, arguments: &[OsString]) -> Command {
    let mut command = repo.hintlint(dir);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ends(mut command: Command) -> Run {
    command.output().expect("hintlint starts").into()
}

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

#[test]
fn b16_arguments_that_make_no_sense_stop_no_agent() {
    let repo = Repo::new();
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has the last ones"))]
    let mut calls: Vec<Vec<OsString>> = [
        "hook",
        "hook bogus",
        "hook Stop",
        "hook --bogus stop",
        "hook stop --bogus",
        "hook stop --bogus=1 -x",
        "hook stop stop",
        "hook stop -",
        "hook --config nowhere.toml stop",
        "--no-color hook stop",
        "--color purple hook stop",
        "--bogus hook session-start",
        "--bogus x.toml hook stop",
        "-Z x hook session-end",
        "--format json hook stop",
        "--config nowhere.toml hook stop",
        "--config=nowhere.toml hook stop",
    ]
    .map(words)
    .to_vec();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let odd = || OsString::from_vec(b"\xff\xfe".to_vec());
        calls.push(vec!["hook".into(), odd()]);
        calls.push(vec!["hook".into(), "stop".into(), odd()]);
        calls.push(vec![odd(), "hook".into(), "stop".into(), "--x".into()]);
    }
    for arguments in calls {
        let run = ends(call(&repo, repo.root(), &arguments));
        assert!((0..=1).contains(&run.code), "{arguments:?}: {run:?}");
        assert_eq!(run.stdout, "{}\n", "{arguments:?}: {run:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}: {run:?}");
    }
    // Help is for people, and what is no call of a hook is refused as ever.
    for (line, code) in [
        ("hook --help", 0),
        ("help hook", 0),
        ("check hook --bogus", 2),
        ("--bogus", 2),
        ("hok stop", 2),
        ("--bogus docs hook", 2),
    ] {
        let run = ends(call(&repo, repo.root(), &words(line)));
        assert_eq!(run.code, code, "{line}: {run:?}");
        assert_ne!(run.stdout, "{}\n", "{line}");
    }
}

#[cfg(unix)]
#[test]
fn b16_odd_surroundings_stop_no_agent() {
    let repo = Repo::with_files([("README.md", "x\n"), ("hintlint.toml", "nonsense = {\n")]);
    let gone = repo.beside("gone");
    let fifo = repo.at("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo starts").success());
    let message = json!({
        "session_id": "s", "cwd": repo.root(), "transcript_path": fifo, "tool_name": "Write",
        "tool_input": {"file_path": repo.at("PLAN.md")},
    });
    let message_file = repo.beside("message.json");
    std::fs::write(&message_file, message.to_string()).expect("a file");
    let given = || Stdio::from(File::open(&message_file).expect("a file"));
    let open = |path: &str| Stdio::from(File::options().read(true).open(path).expect("a device"));
    type Change<'c> = Box<dyn Fn(&mut Command) + 'c>;
    let changes: Vec<(&str, Change<'_>)> = vec![
        ("nothing", Box::new(|_| {})),
        (
            "no input",
            Box::new(|command| {
                command.stdin(Stdio::null());
            }),
        ),
        (
            "a directory",
            Box::new(|command| {
                command.stdin(File::open("/").expect("a directory"));
            }),
        ),
        (
            "an endless input",
            Box::new(|command| {
                command.stdin(open("/dev/zero"));
            }),
        ),
        (
            "no home",
            Box::new(|command| {
                command.env_remove("HOME").env_remove("XDG_CONFIG_HOME");
            }),
        ),
        (
            "a home that is a file",
            Box::new(|command| {
                command.env("HOME", "/dev/null");
            }),
        ),
        (
            "a home that is no path",
            Box::new(|command| {
                command.env("HOME", "\u{1}//..//x");
            }),
        ),
        (
            "a switch in the environment",
            Box::new(|command| {
                command
                    .env("HINTLINT_FORMAT", "bogus")
                    .env("HINTLINT_CONFIG", "/nowhere")
                    .env("HINTLINT_MIN_LEVEL", "x");
            }),
        ),
        (
            "a project that is none",
            Box::new(|command| {
                command.env("CLAUDE_PROJECT_DIR", "/nowhere/at/all");
            }),
        ),
    ];
    for event in ["session-start", "post-tool-use", "stop", "session-end"] {
        for (what, change) in &changes {
            let mut command = call(&repo, repo.root(), &words(&format!("hook {event}")));
            command.stdin(given());
            change(&mut command);
            let run = ends(command);
            assert!((0..=1).contains(&run.code), "{event}, {what}: {run:?}");
            let answer: Value = serde_json::from_str(&run.stdout).expect("an answer in JSON");
            assert!(answer.is_object() && answer["decision"].is_null(), "{event}, {what}: {run:?}");
        }
        // A full, a closed and an abandoned output; a directory that is gone.
        let line = format!("hook {event}");
        let mut full = call(&repo, repo.root(), &words(&line));
        let device = || File::options().write(true).open("/dev/full").expect("a device");
        full.stdin(given()).stdout(device()).stderr(device());
        assert_eq!(ends(full).code, 1, "{event}: a full output");
        let mut refused = call(&repo, repo.root(), &words("hook --bogus"));
        refused.stdout(device()).stderr(device());
        assert_eq!(ends(refused).code, 1, "{event}: a full output");
        std::fs::create_dir_all(&gone).expect("a folder");
        let program = env!("CARGO_BIN_EXE_hintlint");
        for script in [
            format!("exec {program} {line} >&- 2>&-"),
            format!("exec {program} {line} <&- 2>&-"),
            format!("exec {program} hook bogus >&- 2>&- <&-"),
            format!("rmdir '{}' && exec {program} {line}", gone.display()),
        ] {
            let mut shell = repo.command("sh", &gone);
            shell.args(["-c", &script]).stdin(given()).stdout(Stdio::null()).stderr(Stdio::null());
            let code = ends(shell).code;
            assert!((0..=1).contains(&code), "{script}: {code}");
        }
        let mut abandoned =
            call(&repo, repo.root(), &words(&line)).stdin(Stdio::piped()).spawn().expect("hintlint starts");
        drop(abandoned.stdout.take());
        let _ = abandoned.stdin.take().expect("piped").write_all(message.to_string().as_bytes());
        assert_eq!(abandoned.wait().expect("it ends").code(), Some(0), "{event}: nobody listens");
    }
}

#[cfg(unix)]
#[test]
fn b07_a_transcript_that_is_no_file_is_not_opened() {
    let agent = Agent::new(&[("a", "")]);
    let place = agent.transcript();
    std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
    let make: [(&str, &dyn Fn()); 4] = [
        ("a FIFO", &|| assert!(Command::new("mkfifo").arg(&place).status().expect("mkfifo starts").success())),
        ("a directory", &|| std::fs::create_dir(&place).expect("a folder")),
        ("a link to a device", &|| std::os::unix::fs::symlink("/dev/zero", &place).expect("a link")),
        ("a link to itself", &|| std::os::unix::fs::symlink(&place, &place).expect("a link")),
    ];
    for (what, make) in make {
        make();
        let told = agent.stops("s", false);
        assert!(told.json == json!({}) && told.stderr.contains("the transcript"), "{what}: {told:?}");
        let removed = if place.is_dir() { std::fs::remove_dir(&place) } else { std::fs::remove_file(&place) };
        removed.expect("it can be removed");
    }
}

/// Stop with a transcript of these lines, with less memory than the transcript has bytes.
#[cfg(target_os = "linux")]
fn stops_in_little_memory(agent: &Agent, write: impl FnOnce(&mut dyn Write)) -> (Value, String) {
    // The program itself takes 40 MiB of addresses, and its allocator takes them in large pieces.
    const LIMIT: u64 = 96 << 20;
    let place = agent.transcript();
    std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
    let mut file = std::io::BufWriter::new(File::create(&place).expect("a file"));
    write(&mut file);
    file.into_inner().expect("it is written");
    assert!(std::fs::metadata(&place).expect("a file").len() > LIMIT, "it must not fit");
    let message =
        json!({"session_id": "s", "cwd": agent.repo.root(), "transcript_path": place, "hook_event_name": "Stop"});
    let mut shell = agent.repo.command("sh", agent.repo.root());
    let script = format!("ulimit -v {} && exec {} hook stop", LIMIT >> 10, env!("CARGO_BIN_EXE_hintlint"));
    let mut child = shell
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sh starts");
    child.stdin.take().expect("piped").write_all(message.to_string().as_bytes()).expect("it listens");
    let run: Run = child.wait_with_output().expect("it ends").into();
    assert_eq!(run.code, 0, "{run:?}");
    (serde_json::from_str(&run.stdout).expect("an answer in JSON"), run.stderr)
}

#[cfg(target_os = "linux")]
#[test]
fn b07_a_transcript_of_any_size_takes_little_memory() {
    let agent = Agent::new(&[("a", "")]);
    let start = format!("{}\n", command("ralph-wiggum:ralph-loop", "--completion-promise DONE"));
    let repeat = |out: &mut dyn Write, piece: &str, bytes: usize| {
        let many = piece.repeat((1 << 20) / piece.len() + 1);
        for _ in 0..=bytes / many.len() {
            out.write_all(many.as_bytes()).expect("room");
        }
    };
    let promise = format!("{}\n", says("<promise>DONE</promise>"));
    // Many promises, said before the loop and in it.
    let (answer, log) = stops_in_little_memory(&agent, |out| {
        repeat(out, &promise, 77 << 20);
        out.write_all(start.as_bytes()).expect("room");
        repeat(out, &format!("{}\n", says("<promise>NOT DONE</promise> <promise>")), 20 << 20);
    });
    assert!(answer["decision"] == "block" && log.is_empty(), "{answer} {log}");
    // One endless line, and one of nested lists; what follows counts.
    let (answer, log) = stops_in_little_memory(&agent, |out| {
        out.write_all(start.as_bytes()).expect("room");
        repeat(out, "<promise>DONE</promise> ralph-wiggum: \\\"assistant\\\" ", 49 << 20);
        out.write_all(b"\n{\"type\":\"assistant\",\"message\":{\"content\":[").expect("room");
        repeat(out, "[{},[", 49 << 20);
        out.write_all(b"\n").expect("room");
        out.write_all(promise.as_bytes()).expect("room");
    });
    assert!(answer["systemMessage"].as_str().is_some_and(|said| said.contains("COMPLETE")), "{answer} {log}");
    assert!(log.contains("over 8 MiB are skipped"), "{log}");
    // Lines within the limit, each of as many blocks as it can hold.
    let blocks = r#"{"type":"text","text":"<promise>"},"#.repeat(120_000);
    let (answer, log) = stops_in_little_memory(&agent, |out| {
        out.write_all(start.as_bytes()).expect("room");
        repeat(out, "a line that has nothing to do with it\n", 86 << 20);
        for _ in 0..4 {
            let line = format!("{{\"type\":\"assistant\",\"message\":{{\"content\":[{blocks}{{}}]}}}}\n");
            out.write_all(line.as_bytes()).expect("room");
        }
    });
    assert!(answer["decision"] == "block" && log.is_empty(), "{answer} {log}");
}

#[test]
fn b08_what_a_loop_is_told_to_say_ends_it() {
    for token in ["<promise>DONE</promise>", "say <promise>X</promise> now", "a\\n <b> & &lt;c&gt;", "<!-- `x` --> ~~~"]
    {
        let agent = Agent::new(&[("a", "")]);
        let start = command("ralph-wiggum:ralph-loop", &format!("Do it --completion-promise \"{token}\""));
        agent.transcribe(&[start.clone(), says("working")]);
        let reason = agent.stops("s", false).blocked().expect("the loop goes on").to_owned();
        let told = reason.split_once("Expected promise: ").expect("a promise").1.lines().next().expect("a line");
        // A promise within the promise is none.
        agent.transcribe(&[start.clone(), says("working"), says(&format!("<promise>not {told}</promise>"))]);
        assert!(agent.stops("s", true).blocked().is_some(), "{token}");
        agent.transcribe(&[start, says("working"), says(&format!("All is done.\n\n{told}"))]);
        assert!(agent.stops("s", true).message().contains("[RALPH LOOP COMPLETE]"), "{token}: {told}");
    }
}
