//! The command lines of git that hintlint really starts, written down by a `git` that stands first on the search path.

use std::collections::BTreeSet;
use std::fs;

use super::{COMMANDS, run};
use crate::support::Repo;

/// What each verb is called for. None of them starts another program, writes, or reads a file of the worktree, called with the
/// options that the unit tests of the calls allow.
const VERBS: [&str; 11] = [
    "cat-file",
    "diff-index",
    "diff-tree",
    "for-each-ref",
    "log",
    "ls-files",
    "ls-tree",
    "merge-base",
    "rev-list",
    "rev-parse",
    "symbolic-ref",
];

/// Settings that every call must have.
const SETTINGS: [&str; 12] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.alternateRefsCommand=",
    "diff.external=",
    "log.diffMerges=separate",
    "log.follow=false",
    "log.mailmap=false",
    "log.showSignature=false",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// Variables of git that a call may have, with the value that one must have.
const VARIABLES: [(&str, Option<&str>); 13] = [
    ("GIT_ALLOW_PROTOCOL", Some("none")),
    ("GIT_ATTR_NOSYSTEM", Some("1")),
    ("GIT_ATTR_SOURCE", None),
    ("GIT_CONFIG_NOSYSTEM", None),
    ("GIT_DIR", None),
    ("GIT_FLUSH", Some("0")),
    ("GIT_INDEX_FILE", None),
    ("GIT_NO_LAZY_FETCH", Some("1")),
    ("GIT_OPTIONAL_LOCKS", Some("0")),
    ("GIT_PAGER", Some("cat")),
    ("GIT_TERMINAL_PROMPT", Some("0")),
    ("GIT_TEST_LOG", None),
    ("GIT_WORK_TREE", None),
];

/// One call: its arguments and variables.
struct Logged {
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
}

/// A `git` that writes down how it was called and then is git. Its log is a folder with a file for each call.
fn logging_git(repo: &Repo) -> String {
    let bin = repo.beside("bin");
    let log = repo.beside("log");
    for dir in [&bin, &log] {
        fs::create_dir_all(dir).expect("made");
    }
    let usual = std::env::var("PATH").expect("a path");
    let real =
        std::env::split_paths(&usual).map(|dir| dir.join("git")).find(|git| git.is_file()).expect("git is installed");
    let text = format!(
        "#!/bin/sh\nlog=$(mktemp {}/XXXXXX)\nfor a in \"$@\"; do printf '%s\\n' \"$a\"; done > \"$log\"\n\
         echo ==ENV >> \"$log\"\nenv >> \"$log\"\nexec {} \"$@\"\n",
        log.display(),
        real.display()
    );
    // By another process: a file that this one holds open for writing while a test starts a program cannot be run.
    let mut made = repo.command("sh", repo.root());
    let made =
        made.args(["-c", r#"printf %s "$1" > "$2" && chmod +x "$2""#, "sh", &text]).arg(bin.join("git")).status();
    assert!(made.expect("sh starts").success());
    format!("{}:{usual}", bin.display())
}

fn logged(repo: &Repo) -> Vec<Logged> {
    let files = fs::read_dir(repo.beside("log")).expect("listed").flatten();
    let read = |file: fs::DirEntry| {
        let text = String::from_utf8_lossy(&fs::read(file.path()).expect("readable")).into_owned();
        let (arguments, variables) = text.split_once("==ENV\n").expect("both parts");
        let variable = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        Logged {
            arguments: arguments.lines().map(str::to_owned).collect(),
            variables: variables.lines().filter_map(variable).collect(),
        }
    };
    files.map(read).collect()
}

/// Hold a call against the table; answers its verb.
fn judge(call: &Logged) -> String {
    let Logged { arguments, variables } = call;
    assert_eq!(arguments[..2], ["--no-pager", "--literal-pathspecs"], "{arguments:?}");
    let settings: Vec<&String> =
        arguments[2..].chunks(2).take_while(|pair| pair[0] == "-c").map(|pair| &pair[1]).collect();
    for setting in SETTINGS {
        assert!(settings.iter().any(|set| *set == setting), "{arguments:?} lacks {setting}");
    }
    let verb = &arguments[2 + 2 * settings.len()];
    assert!(VERBS.contains(&verb.as_str()), "nothing is known of {arguments:?}");
    let needed: &[&str] = match verb.as_str() {
        "diff-index" => &["--cached", "--raw", "--no-ext-diff", "--no-textconv"],
        "diff-tree" | "log" => &["--raw", "--no-ext-diff", "--no-textconv"],
        _ => &[],
    };
    for option in needed {
        assert!(arguments.iter().any(|argument| argument == option), "{arguments:?} lacks {option}");
    }
    for (name, value) in variables.iter().filter(|(name, _)| name.starts_with("GIT_")) {
        let known = VARIABLES.iter().find(|known| known.0 == name);
        let (_, wanted) = known.unwrap_or_else(|| panic!("{name}={value} is handed to git"));
        assert!(wanted.is_none_or(|wanted| wanted == value), "{name}={value}");
    }
    for (name, wanted) in VARIABLES.iter().filter_map(|(name, value)| Some((*name, (*value)?))) {
        assert!(variables.iter().any(|(set, value)| set == name && value == wanted), "{arguments:?} lacks {name}");
    }
    let reads_index = ["diff-index", "ls-files"].contains(&verb.as_str());
    let index = variables.iter().find(|(name, _)| name == "GIT_INDEX_FILE").map(|(_, value)| value.as_str());
    let has_none = index.is_none_or(|index| index.ends_with("there-is-no-such-index"));
    assert_eq!(has_none, !reads_index, "{arguments:?} with {index:?}");
    verb.clone()
}

/// History with a rename, a merge that loses a file, and a stale path, so that every question is asked.
fn telling(options: &[&str]) -> Repo {
    let repo = Repo::init(options);
    let long = "A line of text.\n".repeat(20);
    repo.write("docs/old.md", &long).write("docs/lost.md", "x\n").write("empty.md", "");
    // So many paths are asked about that the commits are counted first.
    let many: String = (0..50).map(|number| format!("See @docs/gone-{number}.md.\n")).collect();
    repo.write("AGENTS.md", format!("# Project\n\nSee `docs/old.md`, `docs/lost.md` and @docs/gone.md.\n{many}"));
    repo.commit("start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("side.md", "x\n").commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("main.md", "x\n").commit("main");
    repo.git(&["merge", "-q", "--no-commit", "side"]);
    repo.git(&["rm", "-q", "docs/lost.md"]);
    repo.git(&["commit", "-q", "-m", "merged"]);
    repo.write("docs/new.md", format!("{long}More.\n")).remove("docs/old.md").commit("renamed");
    repo.write("empty-too.md", "").add();
    repo
}

#[test]
fn every_call_of_git_is_one_that_the_table_knows() {
    let mut seen = BTreeSet::new();
    for (options, grafts, split) in [
        (&[][..], false, false),
        (&[], true, false),
        (&[], false, true),
        (&["--object-format=sha256"], false, false),
        (&["--ref-format=reftable"], false, false),
    ] {
        let repo = telling(options);
        if grafts {
            repo.write(".git/info/grafts", "# none\n");
        }
        if split {
            repo.git(&["update-index", "--split-index"]);
        }
        let path = logging_git(&repo);
        let variables = [
            ("PATH", path.as_ref()),
            // None of these may reach git.
            ("GIT_EXTERNAL_DIFF", "touch".as_ref()),
            ("GIT_SSH_COMMAND", "touch".as_ref()),
            ("GIT_TRACE", "1".as_ref()),
            ("GIT_TRACE2", "1".as_ref()),
            ("GIT_ASKPASS", "touch".as_ref()),
            ("GIT_EDITOR", "touch".as_ref()),
        ];
        for args in COMMANDS {
            let run = run(&repo, repo.root(), args, &variables);
            assert!((0..=2).contains(&run.code), "{args:?}: {run:?}");
        }
        run(&repo, repo.root(), &["check", "--rev", "mian"], &variables);
        run(&repo, repo.root(), &["check", "--rev", "HEAD:docs"], &variables);
        repo.git(&["checkout", "-q", "--orphan", "unborn"]);
        run(&repo, repo.root(), &["check", "--staged"], &variables);
        let calls = logged(&repo);
        assert!(!calls.is_empty(), "{options:?}: git is called");
        seen.extend(calls.iter().map(judge));
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), VERBS, "every verb of the table is called");
}
