//! `hintlint show --why`: where a sentence comes from, why nobody gets it, and since when.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use crate::support::{Repo, Run};

fn why(repo: &Repo, args: &[&str]) -> Run {
    repo.run(&[&["show", "--no-user", "--why"], args].concat())
}

#[test]
fn each_agent_is_told_with_file_and_line() {
    let line = "x".repeat(99) + "\n";
    let repo = Repo::with_files([
        ("AGENTS.md", format!("# Rules\n\nAlways run `make\n check` first.\n{}The end.\n", line.repeat(400))),
        ("CLAUDE.md", "@docs/style.md\n\n<!-- Never\nsay this -->\n".into()),
        ("docs/style.md", "Be brief.\nAlways be polite.\n".into()),
        (".claude/rules/py.md", "---\npaths: [\"**/*.py\"]\n---\nUse type hints.\n".into()),
        ("a/AGENTS.md", "Only in a.\n".into()),
    ]);
    let said = |args: &[&str]| {
        let run = why(&repo, args);
        assert_eq!(run.stderr, "", "{args:?}");
        format!("{}{}", run.stdout, run.code)
    };
    insta::assert_snapshot!(said(&["make check", "--agent", "codex"]), @r"
    AGENTS.md:3: Always run `make
      sent at start: codex
    0
    ");
    insta::assert_snapshot!(said(&["be polite", "--agent", "claude"]), @r"
    docs/style.md:2: Always be polite.
      sent at start, imported by CLAUDE.md: claude
    0
    ");
    insta::assert_snapshot!(said(&["The end", "--agent", "codex"]), @r"
    sent to nobody
      codex: AGENTS.md:405: the file is cut in line 332
    1
    ");
    insta::assert_snapshot!(said(&["say this", "--agent", "claude"]), @r"
    sent to nobody
      claude: CLAUDE.md:4: in a comment, which the agent strips
    1
    ");
    insta::assert_snapshot!(said(&["type hints", "--agent", "claude"]), @r"
    sent to nobody
      claude: .claude/rules/py.md:4: the rule waits for a file that matches **/*.py
    1
    ");
    insta::assert_snapshot!(said(&["type hints", "--agent", "claude", "--file", "x.py"]), @r"
    .claude/rules/py.md:4: Use type hints.
      sent on touching the file, matched rule: claude
    0
    ");
    insta::assert_snapshot!(said(&["Only in a", "--agent", "codex"]), @r"
    sent to nobody
      codex: a/AGENTS.md:1: the file is not loaded here
    1
    ");
    insta::assert_snapshot!(said(&["nowhere at all", "--agent", "codex"]), @r"
    sent to nobody
      codex: no file that was searched contains it
    1
    ");
    insta::assert_snapshot!(said(&["polite"]), @r"
    docs/style.md:2: Always be polite.
      sent at start, imported by CLAUDE.md: claude, copilot, dex, merged
    not sent
      cline, codex, continue, cursor, gemini, gemini-2025, goose, kilo, kiro, opencode, qwen, windsurf: docs/style.md:2: the file is not loaded here
    0
    ");
}

#[test]
fn all_agents_are_told_in_json() {
    let repo = Repo::with_files([("AGENTS.md", "Hello there.\n"), ("CLAUDE.md", "Other.\n")]);
    let run = why(&repo, &["Hello  there", "--format", "json"]);
    let told: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let agents = told["agents"].as_array().expect("agents");
    let of = |id: &str| agents.iter().find(|row| row["agent"] == id).unwrap_or_else(|| panic!("no {id}"));
    assert_eq!((&of("codex")["sent"], &of("codex")["from"]["line"]), (&Value::Bool(true), &Value::from(1)));
    assert_eq!(of("claude")["places"][0]["reason"], "shadowed");
    assert_eq!(of("merged")["sent"], true);
    assert_eq!(why(&repo, &[" \n"]).code, 2);
    assert_eq!(repo.run(&["show", "--history"]).code, 2);
    let outside = Repo::plain_folder();
    outside.write("AGENTS.md", "Hello\n");
    assert_eq!(why(&outside, &["Hello", "--agent", "codex"]).code, 0);
    assert_eq!(why(&outside, &["Hello", "--agent", "codex", "--history"]).code, 2);
}

#[test]
fn hostile_lines_are_printed_harmless() {
    let repo = Repo::with_files([("AGENTS.md", "Find\u{202E} me \u{1b}[31m\n")]);
    repo.write("AGENTS.md", "Find\u{202E} me \u{1b}[31m now\n").commit("\u{1b}[2J\u{202E}");
    let run = why(&repo, &["find me".replace('f', "F").as_str(), "--history", "--agent", "codex"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!run.stdout.contains(['\u{1b}', '\u{202E}']), "{run:?}");
}

/// What one agent's history says: the commit, or `uncommitted`, or `never`.
fn turn(repo: &Repo, agent: &str) -> (bool, String) {
    let run = why(repo, &["the sentence", "--history", "--agent", agent, "--format", "json"]);
    let told: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let row = &told["agents"][0];
    let history = &row["history"];
    let when = match (&history["change"], &history["commit"]) {
        (Value::Null, _) => "never".to_owned(),
        (_, Value::Null) => "uncommitted".to_owned(),
        (_, id) => id.as_str().expect("a commit").to_owned(),
    };
    (row["sent"].as_bool().expect("a truth"), when)
}

#[test]
fn a_merge_is_told_by_its_first_parent() {
    let repo = Repo::with_files([("AGENTS.md", "start\n")]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("AGENTS.md", "start\nthe sentence\n").commit("on the side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("x.rs", "1").commit("elsewhere");
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let merge = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.write("x.rs", "2").commit("later");
    assert_eq!(turn(&repo, "codex"), (true, merge));
    repo.write("AGENTS.md", "start\n");
    assert_eq!(turn(&repo, "codex"), (false, "uncommitted".to_owned()));
    let never = Repo::with_files([("AGENTS.md", "start\n")]);
    assert_eq!(turn(&never, "codex"), (false, "never".to_owned()));
}

/// A step of a seeded history: what a commit makes of the repository.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Code that no agent loads.
    Code,
    Put,
    Take,
    Import,
    Unimport,
    /// A file that takes AGENTS.md's place for Codex.
    Shadow,
    Unshadow,
    /// So much before it that Codex cuts it.
    Grow,
    Shrink,
}

/// The files after some steps, and whether the sentence is sent to Codex and to Claude Code.
#[derive(Clone, Copy, Default)]
struct Model {
    put: bool,
    import: bool,
    shadow: bool,
    long: bool,
    code: usize,
}

impl Model {
    fn step(&mut self, step: Step) {
        match step {
            Step::Code => self.code += 1,
            Step::Put => self.put = true,
            Step::Take => self.put = false,
            Step::Import => self.import = true,
            Step::Unimport => self.import = false,
            Step::Shadow => self.shadow = true,
            Step::Unshadow => self.shadow = false,
            Step::Grow => self.long = true,
            Step::Shrink => self.long = false,
        }
    }

    fn write(&self, repo: &Repo) {
        let filler = if self.long { format!("{}\n", "y".repeat(99)).repeat(400) } else { String::new() };
        let sentence = if self.put { "the\nsentence\n" } else { "" };
        repo.write("AGENTS.md", format!("# Rules\n{filler}{sentence}"));
        repo.write("docs/more.md", sentence);
        repo.write("CLAUDE.md", if self.import { "# Claude\n@docs/more.md\n" } else { "# Claude\n" });
        repo.write("x.rs", self.code.to_string());
        match self.shadow {
            true => drop(repo.write("AGENTS.override.md", "# Override\n")),
            false if repo.at("AGENTS.override.md").exists() => drop(repo.remove("AGENTS.override.md")),
            false => {}
        }
    }

    fn is_sent(&self, agent: &str) -> bool {
        match agent {
            "codex" => self.put && !self.shadow && !self.long,
            _ => self.put && self.import,
        }
    }
}

#[test]
fn seeded_histories_are_told_to_the_commit() {
    let step = prop_oneof![
        3 => Just(Step::Code), 3 => Just(Step::Put), 2 => Just(Step::Take), 2 => Just(Step::Import), 1 => Just(Step::Unimport),
        1 => Just(Step::Shadow), 2 => Just(Step::Unshadow), 1 => Just(Step::Grow), 2 => Just(Step::Shrink),
    ];
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 12, failure_persistence: None, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let told = std::cell::RefCell::new(std::collections::BTreeSet::new());
    let run = runner.run(&prop::collection::vec(step, 1..14), |steps| {
        let repo = Repo::new();
        let mut model = Model::default();
        // State and commit after each step.
        let mut states: Vec<(Model, String)> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            model.step(*step);
            model.write(&repo);
            repo.git(&["add", "-A"]);
            repo.git(&["commit", "-q", "--allow-empty", "-m", &format!("{at} {step:?}")]);
            states.push((model, repo.git(&["rev-parse", "HEAD"]).trim().to_owned()));
        }
        for agent in ["codex", "claude"] {
            let now = model.is_sent(agent);
            let before = |at: usize| at.checked_sub(1).is_some_and(|at| states[at].0.is_sent(agent));
            let expected = (0..states.len()).rev().find(|at| before(*at) != now);
            let expected = expected.map_or("never".to_owned(), |at| states[at].1.clone());
            told.borrow_mut().insert((now, expected != "never"));
            prop_assert_eq!(turn(&repo, agent), (now, expected), "{} after {:?}", agent, steps);
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    assert!(told.borrow().len() >= 3, "the histories are all alike");
}

/// A history of `commits` that each change AGENTS.md, written at once. The sentence is in it where `has` says so.
fn long_history(commits: usize, has: impl Fn(usize) -> bool) -> (Repo, Vec<String>) {
    use std::io::Write as _;
    let repo = Repo::new();
    let mut stream = String::new();
    for at in 0..commits {
        let text = format!("# Rules\n{at}\n{}", if has(at) { "the\nsentence\n" } else { "" });
        let time = 1_700_000_000 + 60 * at;
        stream += &format!("commit refs/heads/main\ncommitter a <a@b.c> {time} +0000\ndata 1\nx\n");
        stream += &format!("M 644 inline AGENTS.md\ndata {}\n{text}\n", text.len());
    }
    let mut git = repo.command("git", repo.root());
    let mut import =
        git.args(["fast-import", "--quiet"]).stdin(std::process::Stdio::piped()).spawn().expect("git runs");
    import.stdin.take().expect("piped").write_all(stream.as_bytes()).expect("written");
    assert!(import.wait().expect("it ends").success());
    repo.git(&["reset", "-q", "--hard", "main"]);
    let ids = repo.git(&["rev-list", "--reverse", "main"]);
    (repo, ids.lines().map(str::to_owned).collect())
}

/// Behind the commits that are rendered one after the other. Where it came or went once, the bisection finds that commit; where it did
/// so several times, one of them, and the answer says that there may be a later one.
#[test]
fn long_histories_are_told_by_bisection() {
    let long = 700;
    for (turn, is_sent) in [(1, true), (2, false), (300, true), (443, false)] {
        let (repo, ids) = long_history(long, |at| (at >= turn) == is_sent);
        assert_eq!(turn_of(&repo), (is_sent, ids[turn].clone(), false), "of commit {turn}");
    }
    // One after the other, so that the answer is the newest of many.
    let (repo, ids) = long_history(long, |at| at % 3 == 0 || at > 450);
    assert_eq!(turn_of(&repo), (true, ids[450].clone(), true));
    let (repo, ids) = long_history(long, |at| at % 7 < 3 || at > 440);
    let (is_sent, id, is_exact) = turn_of(&repo);
    let at = ids.iter().position(|own| *own == id).expect("a commit");
    assert!(is_sent && !is_exact && at <= 441 && (at % 7 < 3 || at > 440) && (at - 1) % 7 >= 3, "commit {at}");
    let (repo, _) = long_history(long, |_| false);
    assert_eq!(turn(&repo, "codex"), (false, "never".to_owned()));
    let run = why(&repo, &["the sentence", "--history", "--agent", "codex"]);
    assert!(run.stdout.contains("in no commit"), "{run:?}");
}

/// The commit, and whether the answer says that it is the newest.
fn turn_of(repo: &Repo) -> (bool, String, bool) {
    let run = why(repo, &["the sentence", "--history", "--agent", "codex", "--format", "json"]);
    let told: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let row = &told["agents"][0];
    let history = &row["history"];
    let id = history["commit"].as_str().unwrap_or_else(|| panic!("{run:?}"));
    (row["sent"] == true, id.to_owned(), history["exact"] == true)
}
