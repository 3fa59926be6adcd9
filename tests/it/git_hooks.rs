//! Commits through the hooks that real pre-commit and prek install: what git commits is judged, however it came together.

use std::path::{Path, PathBuf};

use crate::clients;
use crate::packaging::{hook_client, hooks_repository};
use crate::support::{Repo, Run};

const CLIENTS: [&str; 2] = ["pre-commit", "prek"];

const GOOD: &str = "# Shop\n\nSee @style.md, please.\n";
const BAD: &str = "# Shop\n\nSee @gone.md.\n";
const START: &str = "# Shop\n\nSee @style.md.\n";

/// A repository whose commits go through one of our hooks, by way of one client.
struct Bench {
    repo: Repo,
    hooks: Repo,
    client: PathBuf,
}

impl Bench {
    /// `None` where the client is absent. `kinds` are git's hooks that the client takes over.
    fn new(client: &str, hook: &str, kinds: &[&str]) -> Option<Self> {
        let client = clients::find(client)?;
        let repo = Repo::with_files([("CLAUDE.md", START), ("style.md", "# Style\n")]);
        repo.write("sub/CLAUDE.md", START).write("sub/style.md", "# Style\n");
        let bench = Bench { repo, hooks: hooks_repository(), client };
        bench.configure(hook);
        bench.repo.commit("the config");
        let mut install = hook_client(&bench.repo, &bench.client);
        let kinds = kinds.iter().flat_map(|kind| ["--hook-type", kind]);
        let run: Run = install.arg("install").args(kinds).output().expect("it starts").into();
        assert_eq!(run.code, 0, "{run:?}");
        Some(bench)
    }

    /// Write the client's config, with a hook as YAML: its id, and what else follows it.
    fn configure(&self, hook: &str) {
        let revision = self.hooks.git(&["rev-parse", "HEAD"]);
        let hooks = self.hooks.root().display();
        let config = format!("repos:\n- repo: {hooks}\n  rev: {revision}  hooks:\n  - {{id: {hook}}}\n");
        self.repo.write(".pre-commit-config.yaml", config);
    }

    /// Run the client in a folder, as a user or CI does.
    fn client(&self, folder: &str, args: &[&str]) -> Run {
        let mut command = hook_client(&self.repo, &self.client);
        command.current_dir(self.repo.at(folder)).args(args).output().expect("it starts").into()
    }

    /// Run git where its hooks find the client and the program under test.
    fn git(&self, folder: &Path, args: &[&str]) -> Run {
        let mut command = hook_client(&self.repo, Path::new("git"));
        command.current_dir(folder).args(args).output().expect("git starts").into()
    }

    /// Git, run in a folder, goes on; or it is refused, and what is printed says why.
    fn judges(&self, folder: &Path, args: &[&str], refusal: Option<&str>, what: &str) {
        let run = self.git(folder, args);
        let what = format!("{}: {what}: {run:?}", self.client.display());
        assert_eq!(run.code, i32::from(refusal.is_some()), "{what}");
        let why = refusal.unwrap_or_default();
        assert!(run.stdout.contains(why) || run.stderr.contains(why), "must say {why}: {what}");
    }

    fn passes(&self, args: &[&str], what: &str) {
        self.judges(self.repo.root(), args, None, what);
    }

    fn fails(&self, args: &[&str], why: &str, what: &str) {
        self.judges(self.repo.root(), args, Some(why), what);
    }
}

/// What is staged, what is then written to the worktree, where `git commit` runs, its arguments, and whether it is refused.
type Case = (&'static [Edit], &'static [Edit], &'static str, &'static [&'static str], bool);
type Edit = (&'static str, &'static str);

#[test]
fn pre_commit_judges_what_is_committed() {
    judge_commits("pre-commit");
}

#[test]
fn prek_judges_what_is_committed() {
    judge_commits("prek");
}

fn judge_commits(client: &str) {
    const ROOT: &str = "CLAUDE.md";
    const SUB: &str = "sub/CLAUDE.md";
    let cases: &[Case] = &[
        (&[(ROOT, GOOD)], &[], "", &[], false),
        (&[(ROOT, BAD)], &[], "", &[], true),
        // The worktree differs from what is staged.
        (&[(ROOT, GOOD)], &[(ROOT, BAD)], "", &[], false),
        (&[(ROOT, BAD)], &[(ROOT, GOOD)], "", &[], true),
        (&[(ROOT, GOOD)], &[(SUB, BAD)], "", &[], false),
        // All that is tracked.
        (&[], &[(ROOT, GOOD)], "", &["-a"], false),
        (&[], &[(ROOT, BAD)], "", &["-a"], true),
        (&[(ROOT, BAD)], &[(ROOT, GOOD)], "", &["-a"], false),
        (&[(ROOT, GOOD)], &[(ROOT, BAD)], "", &["-a"], true),
        (&[], &[(SUB, BAD)], "sub", &["-a"], true),
        // A part, from an index that git makes for this commit alone.
        (&[(ROOT, GOOD), (SUB, BAD)], &[], "", &["--", ROOT], false),
        (&[(ROOT, GOOD), (SUB, BAD)], &[], "", &["--", SUB], true),
        (&[(SUB, BAD)], &[(ROOT, GOOD)], "", &["--", ROOT], false),
        (&[(SUB, BAD)], &[(ROOT, GOOD)], "sub", &["--", "../CLAUDE.md"], false),
        (&[(ROOT, GOOD)], &[(SUB, BAD)], "sub", &["--", "CLAUDE.md"], true),
        // What is staged, and a part beside it.
        (&[(SUB, BAD)], &[(ROOT, GOOD)], "", &["--include", "--", ROOT], true),
        (&[(SUB, GOOD)], &[(ROOT, GOOD)], "", &["--include", "--", ROOT], false),
        // The last commit once more.
        (&[(ROOT, GOOD)], &[], "", &["--amend"], false),
        (&[(ROOT, BAD)], &[], "", &["--amend"], true),
        (&[(SUB, BAD)], &[(ROOT, GOOD)], "", &["--amend", "--", ROOT], false),
        (&[(SUB, BAD)], &[(ROOT, GOOD)], "", &["--amend", "--only"], false),
        // From a folder below.
        (&[(ROOT, GOOD)], &[], "sub", &[], false),
        (&[(ROOT, BAD)], &[], "sub", &[], true),
        // A file that is new, and the file that another imports.
        (&[("new/CLAUDE.md", BAD)], &[], "", &[], true),
        (&[("style.md", "# Another style\n")], &[], "", &[], false),
    ];
    let Some(bench) = Bench::new(client, "hintlint-system", &["pre-commit"]) else { return };
    let start = bench.repo.git(&["rev-parse", "HEAD"]);
    let start = start.trim();
    for case @ (staged, unstaged, folder, args, is_refused) in cases {
        bench.repo.git(&["reset", "-q", "--hard", start]);
        for (path, text) in *staged {
            bench.repo.write(path, text);
        }
        bench.repo.add();
        for (path, text) in *unstaged {
            bench.repo.write(path, text);
        }
        let args = [&["commit", "-m", "a change"], *args].concat();
        let what = format!("{case:?}");
        bench.judges(&bench.repo.at(folder), &args, is_refused.then_some("missing-import"), &what);
        let head = bench.repo.git(&["rev-parse", "HEAD"]);
        assert_eq!(head.trim() == start, *is_refused, "{client}: {what}");
        for (path, text) in *unstaged {
            assert_eq!(String::from_utf8_lossy(&bench.repo.read(path)), *text, "{client}: {what}");
        }
    }
}

#[test]
fn a_deletion_is_judged() {
    for client in CLIENTS {
        let Some(bench) = Bench::new(client, "hintlint-system", &["pre-commit"]) else { continue };
        bench.repo.git(&["rm", "-q", "style.md"]);
        bench.fails(&["commit", "-m", "gone"], "missing-import", "the file that another imports");
        bench.repo.git(&["rm", "-q", "CLAUDE.md"]);
        bench.passes(&["commit", "-m", "gone"], "both");
    }
}

#[test]
fn a_linked_worktree_is_judged_by_itself() {
    for client in CLIENTS {
        let Some(bench) = Bench::new(client, "hintlint-system", &["pre-commit"]) else { continue };
        let linked = bench.repo.beside("linked");
        bench.repo.git(&["worktree", "add", "-q", "../linked"]);
        bench.repo.write("CLAUDE.md", BAD).add();
        let cases = [
            (GOOD, "", &["-a"][..], None),
            (BAD, "", &["-a"], Some("missing-import")),
            (BAD, "sub", &["--", "../CLAUDE.md"], Some("missing-import")),
            (START, "sub", &["--", "../CLAUDE.md"], None),
        ];
        for (text, folder, args, refusal) in cases {
            std::fs::write(linked.join("CLAUDE.md"), text).expect("a file");
            bench.judges(&linked.join(folder), &[&["commit", "-m", "x"], args].concat(), refusal, text);
        }
        bench.fails(&["commit", "-m", "bad"], "missing-import", "the first worktree");
    }
}

#[test]
fn a_merge_is_judged() {
    for client in CLIENTS {
        let Some(bench) = Bench::new(client, "hintlint-system", &["pre-commit", "pre-merge-commit"]) else { continue };
        let repo = &bench.repo;
        // Each branch is good; together they are not.
        repo.git(&["checkout", "-q", "-b", "other"]);
        repo.remove("style.md").write("CLAUDE.md", "# Shop\n").commit("no style");
        repo.git(&["checkout", "-q", "main"]);
        repo.write("sub/CLAUDE.md", "# Part\n\nSee @../style.md.\n").commit("a style");
        bench.fails(&["merge", "--no-edit", "other"], "missing-import", "a merge");
        bench.fails(&["commit", "--no-edit"], "missing-import", "its conclusion");
        repo.write("sub/CLAUDE.md", "# Part\n").add();
        bench.passes(&["commit", "--no-edit"], "its conclusion, fixed");
        assert_eq!(repo.git(&["rev-list", "--parents", "-n1", "HEAD"]).split_whitespace().count(), 3, "a merge");

        repo.git(&["checkout", "-q", "-b", "third"]);
        repo.write("CLAUDE.md", "# Store\n").commit("a store");
        repo.git(&["checkout", "-q", "main"]);
        repo.write("CLAUDE.md", "# Market\n").commit("a market");
        let conflict = bench.git(repo.root(), &["merge", "third"]);
        assert_eq!(conflict.code, 1, "{conflict:?}");
        repo.add();
        bench.fails(&["commit", "--no-edit"], "conflict-markers", "a conflict that was not resolved");
        repo.write("CLAUDE.md", "# Market\n").add();
        bench.passes(&["commit", "--no-edit"], "a conflict that was resolved");
    }
}

#[test]
fn a_hook_that_mends_stops_one_commit() {
    for client in CLIENTS {
        let Some(bench) = Bench::new(client, "hintlint-fix-system", &["pre-commit"]) else { continue };
        let (hidden, clean) = ("# Sh\u{e0041}\u{e0042}op\n\nSee @style.md.\n", "# Shop\n\nSee @style.md.\n");
        bench.repo.write("sub/CLAUDE.md", hidden).add();
        bench.fails(&["commit", "-m", "x"], "git add sub/CLAUDE.md", "hidden text");
        assert_eq!(String::from_utf8_lossy(&bench.repo.read("sub/CLAUDE.md")), clean, "{client}");
        bench.fails(&["commit", "-m", "x"], "hidden-tags", "what was fixed is not staged");
        bench.repo.write("CLAUDE.md", GOOD).git(&["add", "CLAUDE.md", "sub/CLAUDE.md"]);
        bench.passes(&["commit", "-m", "x"], "what was fixed");

        // The worktree's file is not what is staged: nothing is written.
        bench.repo.write("CLAUDE.md", hidden).add().write("CLAUDE.md", "# Mine\n");
        bench.fails(&["commit", "-m", "x"], "hidden-tags", "hidden text below another");
        assert_eq!(String::from_utf8_lossy(&bench.repo.read("CLAUDE.md")), "# Mine\n", "{client}");
    }
}

#[test]
fn a_hook_that_compiles_stops_one_commit() {
    for client in CLIENTS {
        let Some(bench) = Bench::new(client, "hintlint-compile-system", &["pre-commit"]) else { continue };
        bench.repo.run(&["compile"]);
        bench.repo.commit("artifacts");
        let again = "git add .hintlint/context";
        bench.repo.write("CLAUDE.md", "# One\n");
        bench.fails(&["commit", "-a", "-m", "x"], again, "all");
        bench.passes(&["commit", "-a", "-m", "x"], "all, compiled");

        bench.repo.write("sub/CLAUDE.md", "# Part\n").add().write("CLAUDE.md", "# Two\n");
        bench.fails(&["commit", "-m", "x", "--", "CLAUDE.md"], again, "a part");
        let artifact = String::from_utf8(bench.repo.read(".hintlint/context/sub/merged.md")).expect("UTF-8");
        assert!(
            artifact.contains("# Two") && !artifact.contains("# Part"),
            "{client}: of what is committed: {artifact}"
        );
        bench.passes(&["commit", "-m", "x", "--", "CLAUDE.md", ".hintlint"], "a part, compiled");
        bench.fails(&["commit", "-m", "x"], again, "the other part");
    }
}

#[test]
fn a_config_may_change_a_hook() {
    let cases = [
        ("args: [--fail-on, never]", BAD, None),
        ("args: [--fail-on, warning]", "", Some("empty-hint-file")),
        ("args: [sub]", BAD, None),
        ("args: [--ignore, imports]", BAD, None),
        // Which files the client would pass does not matter.
        ("files: ^docs/", BAD, Some("missing-import")),
        ("exclude: CLAUDE.md", BAD, Some("missing-import")),
        ("types: [python]", BAD, Some("missing-import")),
    ];
    for client in CLIENTS {
        let Some(bench) = Bench::new(client, "hintlint-system", &["pre-commit"]) else { continue };
        for (setting, text, why) in cases {
            bench.configure(&format!("hintlint-system, {setting}"));
            bench.repo.write("CLAUDE.md", text).add();
            bench.judges(bench.repo.root(), &["commit", "-m", "x"], why, setting);
            bench.repo.write("CLAUDE.md", START).commit("back");
        }
    }
}

/// What is not committed yet is nobody's business when something else is done with git.
#[test]
fn only_what_makes_a_commit_is_judged() {
    for client in CLIENTS {
        let kinds = ["pre-commit", "commit-msg", "pre-push", "post-checkout"];
        for hook in ["hintlint-system", "hintlint-fix-system"] {
            let Some(bench) = Bench::new(client, hook, &kinds) else { continue };
            bench.repo.git(&["init", "-q", "--bare", "../remote.git"]);
            bench.repo.write("CLAUDE.md", BAD).add();
            bench.passes(&["push", "-q", "../remote.git", "main"], "a push");
            bench.passes(&["checkout", "-b", "other"], "a new branch");
            bench.fails(&["commit", "-m", "x"], "missing-import", "a commit");
            bench.repo.write("CLAUDE.md", GOOD).add();
            let run = bench.git(bench.repo.root(), &["commit", "-m", "x"]);
            let said = run.stdout + &run.stderr;
            assert_eq!((run.code, said.matches("Passed").count()), (0, 1), "{client}: once is enough: {said}");
        }
    }
}

/// Where a client runs without a commit, by hand or in CI, everything is judged: neither client says for which files it was
/// asked.
#[test]
fn a_run_without_a_commit_speaks_of_everything() {
    for client in CLIENTS {
        let Some(bench) = Bench::new(client, "hintlint-system", &["pre-commit"]) else { continue };
        bench.repo.write("CLAUDE.md", BAD).commit("bad");
        for args in [&["run", "--all-files"][..], &["run"]] {
            for folder in ["", "sub"] {
                let run = bench.client(folder, args);
                assert_eq!(run.code, 1, "{client}: {args:?} in {folder}: {run:?}");
                assert!(run.stdout.contains("missing-import"), "{client}: {args:?} in {folder}: {run:?}");
            }
        }
        // A commit that changes nothing of it passes: an amended message stages nothing.
        bench.passes(&["commit", "--amend", "-m", "another message"], "an amended message");
        bench.repo.write("x.txt", "x\n").add();
        bench.passes(&["commit", "-m", "x"], "a commit beside the old error");
    }
}

/// With `--from-ref` and `--to-ref`, and at a push, the commits are judged, whatever is staged or checked out.
#[test]
fn a_range_of_commits_is_judged() {
    for client in CLIENTS {
        let Some(bench) = Bench::new(client, "hintlint-system", &["pre-commit"]) else { continue };
        let repo = &bench.repo;
        repo.write("old/CLAUDE.md", BAD).commit("old");
        repo.git(&["tag", "old"]);
        repo.write("x.txt", "x\n").commit("harmless");
        repo.git(&["tag", "harmless"]);
        repo.write("CLAUDE.md", BAD).commit("bad");
        repo.git(&["tag", "bad"]);
        repo.write("CLAUDE.md", GOOD).commit("good");
        let range = |from: &str, to: &str| bench.client("", &["run", "--from-ref", from, "--to-ref", to]);
        for (from, to, code) in [("old", "harmless", 0), ("harmless", "bad", 1), ("old", "bad", 1), ("bad", "main", 0)]
        {
            let run = range(from, to);
            assert_eq!(run.code, code, "{client}: {from}..{to}: {run:?}");
            assert_eq!(run.stdout.contains("missing-import"), code == 1, "{client}: {from}..{to}: {run:?}");
        }
        bench.configure("hintlint-fix-system");
        repo.git(&["add", ".pre-commit-config.yaml"]);
        let run = range("harmless", "bad");
        assert_eq!(run.code, 1, "{client}: {run:?}");
        assert_eq!(repo.read("CLAUDE.md"), GOOD.as_bytes(), "commits are not fixed");
    }
}

/// A hook that a user runs at a push judges what is pushed.
#[test]
fn a_push_is_judged_where_a_user_asks_for_it() {
    for client in CLIENTS {
        let Some(bench) = Bench::new(client, "hintlint-system, stages: [pre-push]", &["pre-push"]) else { continue };
        let repo = &bench.repo;
        repo.git(&["init", "-q", "--bare", "../remote.git"]);
        repo.git(&["remote", "add", "origin", "../remote.git"]);
        repo.write("CLAUDE.md", BAD).commit("bad");
        bench.fails(&["push", "-q", "origin", "main"], "missing-import", "a new branch with an error");
        repo.write("CLAUDE.md", GOOD).commit("good");
        bench.passes(&["push", "-q", "origin", "main"], "a new branch without");
        repo.write("CLAUDE.md", BAD).commit("bad again");
        // What is checked out and staged is another matter.
        repo.git(&["checkout", "-q", "-b", "other", "HEAD~1"]);
        bench.fails(
            &["push", "-q", "origin", "main"],
            "missing-import",
            "another branch than the one that is checked out",
        );
        bench.passes(&["push", "-q", "origin", "other"], "the one that is");
    }
}
