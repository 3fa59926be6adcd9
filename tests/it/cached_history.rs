//! What is kept of history between runs: with it and without it every question has the same answer, whatever happened to the
//! repository or to the file in between.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hintlint::base::path::RepoPath;
use hintlint::source::history::{Questions, cache_file};
use hintlint::source::{GitVars, Opened, Side, Spec, open};

use crate::support::{Repo, Run};

/// Paths of random histories. Some are files in one commit and folders in another.
const PATHS: [&str; 14] = [
    "AGENTS.md",
    "a",
    "a/x.md",
    "a/y.md",
    "a/b/z.md",
    "ab",
    "docs/one.md",
    "docs/two.md",
    "docs/deep/three.md",
    "guide/one.md",
    "guide/two.md",
    "guide/deep/three.md",
    "x",
    "é.md",
];

/// Folders that are asked for, and names that no commit has.
const OTHERS: [&str; 8] = ["docs", "docs/deep", "guide", "a/b", "none.md", "docs/none.md", "d", "guide/deep"];

const TEXTS: usize = 9;
const BLOB: usize = 1000;

/// One of three texts, or one like it.
fn text(number: usize) -> String {
    let line = |line: usize| match line % 7 < number / 3 {
        true => format!("text {} has line {line}\n", number % 3 + 10 * (number / 3)),
        false => format!("text {} has line {line}\n", number % 3),
    };
    (0..14).map(line).collect()
}

/// Numbers that look random, always the same ones for a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }
}

/// A path's mode and text.
type Tree = BTreeMap<&'static str, (&'static str, usize)>;

fn put(tree: &mut Tree, path: &'static str, entry: (&'static str, usize)) {
    let collides = |one: &str, two: &str| one.strip_prefix(two).is_some_and(|rest| rest.starts_with('/'));
    tree.retain(|other, _| !collides(other, path) && !collides(path, other));
    tree.insert(path, entry);
}

fn change(tree: &mut Tree, dice: &mut Dice) {
    let present: Vec<&'static str> = tree.keys().copied().collect();
    let path = PATHS[dice.roll(PATHS.len())];
    let entry = (["100644", "100644", "100644", "100755", "120000"][dice.roll(5)], dice.roll(TEXTS));
    match dice.roll(6) {
        0 | 1 => put(tree, path, entry),
        2 if !present.is_empty() => _ = tree.remove(present[dice.roll(present.len())]),
        3 | 4 if !present.is_empty() => {
            let from = present[dice.roll(present.len())];
            let (mode, number) = tree.remove(from).expect("it is there");
            put(tree, path, (mode, if dice.one_in(2) { number } else { (number + 3) % TEXTS }));
        }
        _ => {
            // A folder moves.
            let (from, to) = [("docs/", "guide/"), ("guide/", "docs/")][dice.roll(2)];
            for path in present.iter().filter_map(|path| path.strip_prefix(from)) {
                let entry = tree.remove(&*format!("{from}{path}")).expect("it is there");
                let target = PATHS.iter().find(|known| **known == format!("{to}{path}"));
                target.into_iter().for_each(|target| put(tree, target, entry));
            }
        }
    }
}

/// A bare repository of random commits, each on a branch of its own.
struct History {
    _folder: tempfile::TempDir,
    dir: PathBuf,
    commits: Vec<String>,
}

impl History {
    fn new(dice: &mut Dice) -> History {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.expect("a folder");
        let dir = folder.path().join("repo.git");
        for name in ["objects/pack", "refs/heads", "info"] {
            fs::create_dir_all(dir.join(name)).expect("a folder");
        }
        fs::write(dir.join("HEAD"), "ref: refs/heads/none\n").expect("a file");
        fs::write(dir.join("config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n").expect("a file");
        let count = 3 + dice.roll(24);
        let stream = stream(count, dice);
        let mut import = git(&dir, &["fast-import", "--quiet", "--export-marks=marks"]);
        import.env("GIT_OBJECT_DIRECTORY", dir.join("objects"));
        let mut import = import.stdin(Stdio::piped()).spawn().expect("git starts");
        import.stdin.take().expect("a pipe").write_all(stream.as_bytes()).expect("it reads");
        assert!(import.wait().expect("it ends").success(), "{stream}");
        let marks = fs::read_to_string(dir.join("marks")).expect("the marks");
        let marks: BTreeMap<usize, &str> = marks
            .lines()
            .filter_map(|line| line[1..].split_once(' '))
            .map(|(mark, id)| (mark.parse().expect("a number"), id))
            .collect();
        let commits = (1..=count).map(|mark| marks[&mark].to_owned()).collect();
        History { _folder: folder, dir, commits }
    }

    fn cache(&self) -> PathBuf {
        self.dir.join("hintlint/history")
    }

    fn open(&self, commit: &str, vars: GitVars) -> Result<Opened, String> {
        let spec = Spec { start: self.dir.clone(), side: Side::Commit(commit.to_owned()), vars };
        open(&spec).map_err(|error| error.to_string())
    }

    /// What is answered from the file alone: without a git program. `None` where that opens no repository.
    fn answer_alone(&self, commit: &str, questions: &Questions) -> Option<String> {
        if ["info/grafts", "refs/replace"].iter().any(|name| self.dir.join(name).exists()) {
            return None;
        }
        let mut opened = self.open(commit, GitVars::default()).ok()?;
        opened.keep_history();
        Some(format!("{:#?}", opened.answer(questions)))
    }

    /// What is answered about a commit, with what is kept or without it.
    fn answer(&self, commit: &str, questions: &Questions, is_kept: bool, saves: bool) -> String {
        let mut opened = match self.open(commit, variables()) {
            Ok(opened) => opened,
            // Replacements can go in a circle.
            Err(refused) => return refused,
        };
        if is_kept {
            opened.keep_history();
        }
        let answers = opened.answer(questions);
        if let Some(file) = opened.unsaved_history().filter(|_| saves) {
            assert!(is_kept && file.git_dir.join(file.path.to_os_path()) == self.cache());
            fs::create_dir_all(self.dir.join("hintlint")).expect("a folder");
            fs::write(self.cache(), file.bytes).expect("a file");
        }
        format!("{answers:#?}")
    }

    /// Do something to the repository or the file.
    fn disturb(&self, dice: &mut Dice) -> &'static str {
        let any = |dice: &mut Dice| self.commits[dice.roll(self.commits.len())].clone();
        let write = |name: &str, text: String| {
            let path = self.dir.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        let remove = |name: &str| _ = fs::remove_file(self.dir.join(name));
        match dice.roll(40) {
            0 | 1 => (write("shallow", format!("{}\n", any(dice))), "another depth").1,
            2 => (remove("shallow"), "the whole history").1,
            3 => (write("info/grafts", format!("{} {}\n", any(dice), self.commits[0])), "a graft").1,
            4 => (remove("info/grafts"), "no graft").1,
            5 => (write(&format!("refs/replace/{}", any(dice)), format!("{}\n", any(dice))), "a replacement").1,
            6 => (_ = fs::remove_dir_all(self.dir.join("refs/replace")), "no replacement").1,
            7 => (write("objects/pack/x.promisor", String::new()), "a partial clone").1,
            8 => (remove("objects/pack/x.promisor"), "a whole clone").1,
            9 => (remove("hintlint/history"), "no file").1,
            10..=13 => {
                let Ok(mut bytes) = fs::read(self.cache()) else { return "" };
                let at = dice.roll(bytes.len());
                match dice.roll(3) {
                    0 => bytes.truncate(at),
                    1 => bytes[at] ^= 1 << dice.roll(8),
                    _ => bytes.insert(at, 0x80),
                }
                fs::write(self.cache(), bytes).expect("a file");
                "damage"
            }
            _ => "",
        }
    }
}

fn variables() -> GitVars {
    let path = std::env::var_os("PATH").map(|path| ("PATH".into(), path));
    let fixed = [("GIT_CONFIG_NOSYSTEM", "1"), ("HOME", "/nonexistent"), ("LC_ALL", "C")];
    GitVars::new(fixed.map(|(name, value)| (name.into(), value.into())).into_iter().chain(path))
}

fn git(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.env("GIT_DIR", dir).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", "/nonexistent").current_dir(dir).args(args);
    command
}

/// Commits for `git fast-import`: lines, branches, merges of up to four, clocks that go wrong.
fn stream(count: usize, dice: &mut Dice) -> String {
    let mut out = String::new();
    for number in 0..TEXTS {
        let text = text(number);
        write!(out, "blob\nmark :{}\ndata {}\n{text}\n", BLOB + number, text.len()).expect("a string");
    }
    let mut trees: Vec<Tree> = Vec::new();
    let mut time = 1_000_000;
    for number in 0..count {
        let parents: BTreeSet<usize> = match (number, dice.roll(8)) {
            (0, _) | (_, 0) if number == 0 || dice.one_in(6) => BTreeSet::new(),
            (_, 1 | 2) => (0..2 + dice.roll(3)).map(|_| dice.roll(number)).collect(),
            (_, 3) => [dice.roll(number)].into(),
            _ => [number - 1].into(),
        };
        let parents: Vec<usize> = parents.into_iter().rev().collect();
        let mut tree = parents.first().map(|parent| trees[*parent].clone()).unwrap_or_default();
        for parent in parents.iter().skip(1) {
            for (path, entry) in trees[*parent].clone() {
                if !tree.contains_key(path) && !dice.one_in(4) {
                    put(&mut tree, path, entry);
                }
            }
        }
        let changes = if parents.len() > 1 { dice.roll(3) } else { 1 + dice.roll(4) };
        (0..changes).for_each(|_| change(&mut tree, dice));
        time = match dice.roll(6) {
            0 => time - dice.roll(500),
            1 => time,
            _ => time + dice.roll(100),
        };
        let branch = number + 1;
        write!(out, "commit refs/heads/b{branch}\nmark :{branch}\ncommitter A <a@x.invalid> {time} +0000\ndata 1\nc\n")
            .expect("a string");
        for (index, parent) in parents.iter().enumerate() {
            writeln!(out, "{} :{}", if index == 0 { "from" } else { "merge" }, parent + 1).expect("a string");
        }
        writeln!(out, "deleteall").expect("a string");
        for (path, (mode, text)) in &tree {
            writeln!(out, "M {mode} :{} {path}", BLOB + text).expect("a string");
        }
        out.push('\n');
        trees.push(tree);
    }
    out.push_str("done\n");
    out
}

fn questions(dice: &mut Dice) -> Questions {
    let mut questions = Questions::default();
    let most = 1 + dice.roll(8);
    let names = PATHS.iter().chain(&OTHERS);
    questions.fates = names.filter(|_| dice.roll(8) < most).map(RepoPath::new).collect();
    if dice.one_in(3) {
        questions.last_changes = PATHS.iter().filter(|_| dice.one_in(3)).map(RepoPath::new).collect();
    }
    questions
}

/// Ask about random commits of a random history; answers how often the file alone was enough.
fn try_history(seed: u64) -> usize {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d);
    let history = History::new(&mut dice);
    let mut used = 0;
    for round in 0..3 + dice.roll(4) {
        let happened = history.disturb(&mut dice);
        let commit = match dice.roll(3) {
            0 => history.commits.last().expect("a commit"),
            _ => &history.commits[dice.roll(history.commits.len())],
        };
        let questions = questions(&mut dice);
        let expected = history.answer(commit, &questions, false, false);
        let saves = !dice.one_in(5);
        let answer = history.answer(commit, &questions, true, saves);
        assert_eq!(answer, expected, "seed {seed}, round {round}, after {happened:?}, {commit} in {:?}", history.dir);
        if saves && history.answer_alone(commit, &questions).is_some_and(|alone| alone == expected) {
            used += 1;
        }
    }
    used
}

/// How many histories are tried: `HINTLINT_TEST_HISTORIES=FROM..TO`, or a few.
fn seeds() -> std::ops::Range<u64> {
    let named = std::env::var("HINTLINT_TEST_HISTORIES").ok();
    let range = named.as_deref().and_then(|range| range.split_once(".."));
    range.map_or(0..40, |(from, to)| from.parse().expect("a number")..to.parse().expect("a number"))
}

#[test]
fn kept_history_changes_no_answer() {
    let used: usize = seeds().map(try_history).sum();
    // Not after grafts and the like, nor where the file was not written.
    assert!(used > 80, "the file was enough {used} times");
}

/// A repository whose AGENTS.md names a file that was deleted and one that was renamed.
fn stale() -> Repo {
    let repo = Repo::with_files([("src/gone.rs", text(0)), ("src/old.rs", text(1))]);
    repo.write("AGENTS.md", "# Rules\n\nSee `src/gone.rs` and `src/old.rs`.\n");
    repo.remove("src/gone.rs").commit("delete");
    repo.git(&["mv", "src/old.rs", "src/new.rs"]);
    repo.commit("rename");
    repo
}

const KEPT: &str = ".git/hintlint/history";
const CHECK: [&str; 6] = ["--format", "json", "--select", "stale-path", "--fail-on", "never"];

/// Check as if there were no git program.
fn without_git(repo: &Repo, dir: &Path, args: &[&str]) -> Run {
    let mut command = repo.hintlint(dir);
    command.env("PATH", repo.home()).args(args).output().expect("hintlint starts").into()
}

fn check(repo: &Repo) -> String {
    let run = repo.run(&CHECK);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    run.stdout
}

#[test]
fn a_later_run_reads_no_commit() {
    let repo = stale();
    let first = check(&repo);
    assert_eq!(first.matches("\"rule\": \"stale-path\"").count(), 2, "{first}");
    assert!(first.contains("src/new.rs"), "{first}");
    let kept = repo.read(KEPT);
    assert_eq!(without_git(&repo, repo.root(), &CHECK).stdout, first, "the file alone answers");
    // Other paths are asked for after an edit.
    let mut command = repo.hintlint(repo.root());
    command.env("PATH", repo.home()).args(CHECK).args(["--stdin-filename", "AGENTS.md", "-"]);
    let mut editor = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("hintlint starts");
    let text = b"# Rules\n\nSee `src/old.rs`, `src/never.rs` and `src`.\n";
    editor.stdin.take().expect("a pipe").write_all(text).expect("it reads");
    let edited = Run::from(editor.wait_with_output().expect("it ends")).stdout;
    assert_eq!(edited.matches("\"rule\": \"stale-path\"").count(), 1, "{edited}");
    assert_eq!(repo.read(KEPT), kept, "nothing new was learnt");
}

#[test]
fn without_the_cache_nothing_is_used_or_kept() {
    let repo = stale();
    let first = repo.run(&[&CHECK[..], &["--no-cache"]].concat()).stdout;
    assert!(!repo.at(".git/hintlint").exists());
    let unset: Run =
        repo.hintlint(repo.root()).env("HINTLINT_NO_CACHE", "1").args(CHECK).output().expect("it runs").into();
    assert_eq!(unset.stdout, first);
    assert!(!repo.at(".git/hintlint").exists());
    assert_eq!(check(&repo), first);
    assert!(repo.at(KEPT).exists());
    let blind = without_git(&repo, repo.root(), &[&CHECK[..], &["--no-cache"]].concat());
    assert!(blind.stderr.contains("git program is not installed"), "{blind:?}");
}

#[cfg(unix)]
#[test]
fn a_new_commit_costs_that_commit() {
    use std::os::unix::fs::PermissionsExt;
    let repo = stale();
    check(&repo);
    let known = repo.git(&["rev-parse", "HEAD"]);
    repo.write("other.md", "x\n").commit("another");
    let real = std::env::split_paths(&std::env::var_os("PATH").expect("a path"))
        .map(|dir| dir.join("git"))
        .find(|path| path.is_file())
        .expect("git is installed");
    let bin = repo.beside("bin");
    fs::create_dir(&bin).expect("a folder");
    let log = repo.beside("calls");
    let script = format!("#!/bin/sh\necho \"$@\" >> {}\nexec {} \"$@\"\n", log.display(), real.display());
    fs::write(bin.join("git"), script).expect("a script");
    fs::set_permissions(bin.join("git"), fs::Permissions::from_mode(0o755)).expect("a mode");
    let run = || {
        let output = repo.hintlint(repo.root()).env("PATH", &bin).args(CHECK).output().expect("hintlint starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        std::mem::take(&mut fs::read_to_string(&log).unwrap_or_default())
    };
    let calls = run();
    let walks: Vec<&str> = calls.lines().filter(|line| line.contains(" log ")).collect();
    assert!(walks.len() == 1 && walks[0].contains(&format!("^{}", known.trim())), "{calls}");
    fs::remove_file(&log).expect("the log");
    assert_eq!(run(), "", "nothing is asked again");
}

#[test]
fn worktrees_share_what_is_kept_and_a_bare_repository_has_it_too() {
    let repo = stale();
    let first = check(&repo);
    let linked = repo.beside("linked");
    repo.git(&["worktree", "add", "-q", linked.to_str().expect("UTF-8"), "-b", "other"]);
    assert_eq!(without_git(&repo, &linked, &CHECK).stdout, first);
    assert!(!repo.at(".git/worktrees/linked/hintlint").exists());
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("UTF-8")]);
    let args = [&CHECK[..], &["--rev", "HEAD"]].concat();
    assert_eq!(repo.run_in(&bare, &args).stdout, first);
    assert!(bare.join("hintlint/history").is_file());
    assert_eq!(without_git(&repo, &bare, &args).stdout, first);
}

#[cfg(unix)]
#[test]
fn where_nothing_can_be_written_runs_are_as_before() {
    use std::os::unix::fs::PermissionsExt;
    let repo = stale();
    let expected = repo.run(&[&CHECK[..], &["--no-cache"]].concat()).stdout;
    let mode = |mode: u32| fs::set_permissions(repo.at(".git"), fs::Permissions::from_mode(mode)).expect("a mode");
    mode(0o555);
    let run = repo.run(&CHECK);
    let told = repo.run(&[&CHECK[..], &["-v"]].concat()).stderr;
    mode(0o755);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (&*expected, "", 0));
    assert!(told.contains("the history cache could not be written") && told.contains("is read-only"), "{told}");
    // Outside git there is no place for it.
    let folder = Repo::plain_folder();
    folder.write("AGENTS.md", "See `src/gone.rs`.\n");
    assert_eq!(folder.run(&CHECK).code, 0);
    assert_eq!(fs::read_dir(folder.root()).expect("a folder").count(), 1);
}

#[test]
fn many_programs_at_once_leave_a_whole_file() {
    let repo = stale();
    let expected = repo.run(&[&CHECK[..], &["--no-cache"]].concat()).stdout;
    let start = |_| repo.hintlint(repo.root()).args(CHECK).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let running: Vec<_> = (0..8).map(start).map(|child| child.expect("hintlint starts")).collect();
    for child in running {
        let run: Run = child.wait_with_output().expect("it ends").into();
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (&*expected, ""));
    }
    assert_eq!(without_git(&repo, repo.root(), &CHECK).stdout, expected);
    let files: Vec<_> = fs::read_dir(repo.at(".git/hintlint")).expect("a folder").collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

#[test]
fn a_file_that_is_not_ours_is_replaced() {
    let repo = stale();
    let expected = check(&repo);
    let kept = repo.read(KEPT);
    for other in [b"".to_vec(), b"hintlint history 0\n".to_vec(), cache_file(b"\x00"), vec![0; 9 << 20]] {
        repo.write(KEPT, other);
        assert_eq!(check(&repo), expected);
        assert_eq!(repo.read(KEPT), kept);
    }
}

#[test]
fn a_forged_file_hides_no_hidden_text_and_names_no_other_path() {
    let repo = stale();
    repo.write("AGENTS.md", "# Rules\n\nSee `src/gone.rs`.\u{e0041}\u{e0042}\u{e0043}\n").commit("hidden text");
    let head = repo.git(&["rev-parse", "HEAD"]);
    let digits = |at: usize| u8::from_str_radix(&head[at..at + 2], 16).expect("two hexadecimal digits");
    let id: Vec<u8> = (0..40).step_by(2).map(digits).collect();
    // HEAD is a first commit and changed nothing.
    let content = [&b"\x00\x00\x14\x01"[..], &id, b"\x02\x00\x00\x00\x01\x00\x00"].concat();
    repo.write(KEPT, cache_file(&content));
    let run = repo.run(&["--format", "concise"]);
    assert!(run.stdout.contains("hidden-tags") && !run.stdout.contains("stale-path"), "{run:?}");
    assert_eq!(run.code, 1);
    assert!(repo.run(&["--format", "concise", "--no-cache"]).stdout.contains("stale-path"));
}
