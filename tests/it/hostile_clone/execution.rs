//! Programs that a clone's config, attributes and hooks name. Each leaves a mark when it runs: plain git runs it, hintlint does
//! not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::traps::Trapped;
use super::{COMMANDS, run};
use crate::clients;
use crate::support::Repo;

/// Whether plain git, called so, runs the program that leaves a mark.
fn assert_plant_works(trapped: &Trapped, mark: &str, command: &mut std::process::Command) {
    trapped.sprung();
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    let sprung = trapped.sprung();
    assert!(sprung.iter().any(|name| name == mark), "{command:?} leaves no mark of {mark}: {sprung:?}, {output:?}");
}

#[test]
fn plain_git_runs_what_the_clone_names() {
    let trapped = Trapped::new(&[]);
    trapped.remove_object(&trapped.missing);
    let repo = &trapped.repo;
    let plants: [(&str, &[&str]); 14] = [
        ("fsmonitor", &["status"]),
        ("clean", &["-c", "core.fsmonitor=false", "diff", "--raw"]),
        ("smudge", &["cat-file", "--filters", "HEAD:AGENTS.md"]),
        ("process", &["hash-object", "a.proc"]),
        ("textconv", &["cat-file", "--textconv", "HEAD:AGENTS.md"]),
        ("diff-command", &["diff", "HEAD~1", "HEAD", "--", "x.sh"]),
        ("diff-external", &["diff", "HEAD~2", "HEAD", "--", "conflict.md"]),
        (
            "merge-driver",
            &["log", "-m", "-p", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--merges", "HEAD"],
        ),
        ("gpg", &["log", "-1", "HEAD~3"]),
        ("reference-transaction", &["update-ref", "refs/heads/other", "HEAD"]),
        (
            "post-index-change",
            &["-c", "filter.evil.clean=cat", "-c", "filter.evilprocess.required=false", "add", "--renormalize", "x.sh"],
        ),
        ("ssh", &["cat-file", "-p", &trapped.missing]),
        ("alternate-refs", &["rev-list", "--alternate-refs"]),
        ("alias", &["evil"]),
    ];
    for (mark, arguments) in plants {
        // Git may have refreshed its index in the meantime.
        trapped.touch();
        assert_plant_works(&trapped, mark, repo.command("git", repo.root()).args(arguments));
    }
    let mut asks = repo.command("sh", repo.root());
    asks.args(["-c", "printf 'protocol=https\\nhost=nowhere.invalid\\n\\n' | git credential fill"]);
    assert_plant_works(&trapped, "credential", &mut asks);
    let mut asks = repo.command("sh", repo.root());
    asks.args([
        "-c",
        "printf 'protocol=https\\nhost=nowhere.invalid\\n\\n' | git -c credential.helper= credential fill",
    ]);
    assert_plant_works(&trapped, "askpass", &mut asks);
    assert!(repo.git(&["var", "GIT_PAGER"]).contains("marks/pager"));
    if let Some(script) = clients::find("script") {
        let mut pages = repo.command(script.to_str().expect("UTF-8"), repo.root());
        pages.args(["-qec", "git log -1", "/dev/null"]);
        assert_plant_works(&trapped, "pager", &mut pages);
    }
}

/// Every command leaves no mark and does not fail as it does when it breaks.
fn assert_nothing_runs(trapped: &Trapped, what: &str) {
    let repo = &trapped.repo;
    trapped.touch();
    trapped.sprung();
    for args in COMMANDS {
        for dir in [repo.root().to_owned(), repo.at("docs")] {
            let run = run(repo, &dir, args, &[]);
            assert_eq!(trapped.sprung(), [""; 0], "{what}: {args:?}: {run:?}");
            assert!((0..=2).contains(&run.code) && !run.stderr.contains("panicked"), "{what}: {args:?}: {run:?}");
        }
    }
}

#[test]
fn hintlint_runs_nothing_that_the_clone_names() {
    let trapped = Trapped::new(&[]);
    assert_nothing_runs(&trapped, "as it is");
}

#[test]
fn nothing_runs_where_the_git_program_reads_all() {
    let trapped = Trapped::new(&[]);
    let repo = &trapped.repo;
    let trap_free = [
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "filter.evil.clean=cat",
        "-c",
        "filter.evilprocess.process=",
        "-c",
        "filter.evilprocess.required=false",
    ];
    let git = |args: &[&str]| repo.git(&[&trap_free, args].concat());
    // An entry without content beside an empty file: the two look alike in git's listing.
    repo.write("intended.md", "");
    git(&["add", "--intent-to-add", "intended.md"]);
    repo.write(".git/info/grafts", "# none\n");
    let listed = repo.run(&["files", "--staged", "--format", "json"]);
    assert!(!listed.stdout.contains("intended.md"), "{listed:?}");
    assert_nothing_runs(&trapped, "grafts");
    git(&["update-index", "--split-index"]);
    repo.remove(".git/info/grafts");
    assert_nothing_runs(&trapped, "split index");
}

#[test]
fn nothing_runs_in_a_partial_clone() {
    let trapped = Trapped::new(&[]);
    trapped.remove_object(&trapped.missing);
    assert_nothing_runs(&trapped, "partial");
}

#[test]
fn nothing_runs_in_formats_that_only_the_git_program_opens() {
    assert_nothing_runs(&Trapped::new(&["--object-format=sha256"]), "SHA-256");
    assert_nothing_runs(&Trapped::new(&["--ref-format=reftable"]), "reftable");
}

#[test]
fn drivers_with_odd_names_and_from_other_files_do_not_run() {
    let trapped = Trapped::new(&[]);
    let repo = &trapped.repo;
    let mark = |name: &str| format!("touch {}; cat", repo.beside("marks").join(name).display());
    // By names that no setting on a command line can override, from files that the config includes, and by attributes that
    // are no part of the worktree.
    let sections = format!(
        "[filter \"a=b\"]\n\tclean = {}\n[filter \"Two.Parts\"]\n\tclean = {}\n",
        mark("equals"),
        mark("dotted")
    );
    fs::write(repo.beside("more.config"), sections).expect("written");
    repo.git(&["config", "include.path", repo.beside("more.config").to_str().expect("UTF-8")]);
    repo.git(&["config", "extensions.worktreeConfig", "true"]);
    repo.write(".git/config.worktree", format!("[filter \"own\"]\n\tclean = {}\n", mark("worktree-config")));
    fs::write(repo.beside("attributes"), "plan.md filter=own\n").expect("written");
    repo.git(&["config", "core.attributesFile", repo.beside("attributes").to_str().expect("UTF-8")]);
    repo.write(".git/info/attributes", "[attr]odd filter=a=b\nAGENTS.md odd\nCLAUDE.md filter=Two.Parts\n");
    repo.write(".gitattributes", "*.md text\n");
    trapped.touch();
    for (mark, file) in [("equals", "AGENTS.md"), ("dotted", "CLAUDE.md"), ("worktree-config", "plan.md")] {
        assert_plant_works(&trapped, mark, repo.command("git", repo.root()).args(["hash-object", file]));
    }
    assert_nothing_runs(&trapped, "odd names");
}

#[test]
fn what_a_submodule_names_does_not_run() {
    let trapped = Trapped::new(&[]);
    let outer = Repo::with_files([("AGENTS.md", "# Outer\n")]);
    let sub = outer.at("sub");
    fs::rename(trapped.repo.root(), &sub).expect("moved");
    let commit = outer.git_in(&sub, &["-c", "log.showSignature=false", "rev-parse", "HEAD"]);
    outer.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", commit.trim())]);
    outer.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./x\n").git(&["add", ".gitmodules"]);
    outer.commit_staged("a submodule");
    outer.write("AGENTS.md", "# Changed\n");
    trapped.sprung();
    assert_plant_works(
        &trapped,
        "fsmonitor",
        outer.command("git", outer.root()).args(["diff", "--ignore-submodules=none", "HEAD"]),
    );
    for args in COMMANDS {
        let run = run(&outer, outer.root(), args, &[]);
        assert_eq!(trapped.sprung(), [""; 0], "{args:?}: {run:?}");
    }
}

/// A clone, made by `git clone`, in which `lib` is a bare repository committed as ordinary files, with its own worktree.
fn embedded(worktree: &str) -> (Repo, PathBuf) {
    let repo = Repo::with_files([("AGENTS.md", "# Project\n"), ("lib/w/AGENTS.md", "Use tabs.\n")]);
    let bare = repo.beside("bare");
    repo.git(&["init", "-q", "--bare", bare.to_str().expect("UTF-8")]);
    let mark = repo.beside("mark");
    let clean = format!("sh -c 'touch {}; cat'", mark.display());
    repo.git_in(&bare, &["config", "--file", "config", "core.bare", "false"]);
    repo.git_in(&bare, &["config", "--file", "config", "filter.evil.clean", &clean]);
    repo.git_in(&bare, &["config", "--file", "config", "core.fsmonitor", &format!("touch {}; true", mark.display())]);
    repo.git_in(&bare, &["config", "--file", "config", "core.worktree", worktree]);
    for (path, text) in [
        ("info/attributes", "* filter=evil\n"),
        ("info/grafts", "# none\n"),
        ("refs/heads/.keep", ""),
        ("objects/info/.keep", ""),
        ("HEAD", "ref: refs/heads/main\n"),
    ] {
        fs::create_dir_all(bare.join(path).parent().expect("a parent")).expect("made");
        fs::write(bare.join(path), text).expect("written");
    }
    let _ = fs::remove_dir_all(bare.join("hooks"));
    let copied = repo.command("cp", repo.root()).arg("-R").arg(format!("{}/.", bare.display())).arg("lib").status();
    assert!(copied.expect("cp starts").success());
    let lib = repo.at("lib");
    let trap_free = ["-c", "filter.evil.clean=cat", "-c", "core.fsmonitor=false", "--git-dir=."];
    repo.git_in(&lib, &[&trap_free[..], &["--work-tree=w", "add", "AGENTS.md"]].concat());
    repo.git(&["add", "--all", "--force"]);
    repo.commit_staged("looks like vendored code");
    let clone = repo.beside("clone");
    repo.git(&["clone", "-q", ".", clone.to_str().expect("UTF-8")]);
    let _ = fs::remove_file(&mark);
    (repo, clone)
}

#[test]
fn what_a_repository_names_that_was_committed_as_files_does_not_run() {
    let (repo, clone) = embedded("w");
    let mark = repo.beside("mark");
    let touched = repo.command("touch", &clone).arg("lib/w/AGENTS.md").status();
    assert!(touched.expect("touch starts").success());
    repo.try_git_in(&clone.join("lib/w"), &["diff"]);
    assert!(fs::remove_file(&mark).is_ok(), "plain git runs the filter");
    let (lib, inside) = (clone.join("lib"), clone.join("lib/w"));
    let runs = |dir: &Path, args: &[&str]| {
        let run = run(&repo, dir, args, &[]);
        assert!(!mark.exists(), "{args:?} in {}: {run:?}", dir.display());
        run
    };
    for args in COMMANDS {
        for dir in [&clone, &lib, &inside] {
            runs(dir, args);
        }
    }
    for args in
        [&["lib/w/AGENTS.md"][..], &["--fix", "lib/w"], &["files", "lib/w"], &["plan", "lib/w"], &["show", "lib/w"]]
    {
        runs(&clone, args);
    }
    let refused = runs(&inside, &["check"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    for words in ["lies among the files of the repository", "clone/lib", "GIT_DIR", "run hintlint in"] {
        assert!(refused.stderr.contains(words), "{words}: {refused:?}");
    }
    let whole = runs(&clone, &["files"]);
    assert!(whole.stdout.contains("lib/w/AGENTS.md"), "the outer repository lists its files: {whole:?}");
}

#[test]
fn a_git_in_the_clone_is_not_started() {
    let trapped = Trapped::new(&[]);
    let repo = &trapped.repo;
    let place = trapped.script("git", "exit 1");
    fs::create_dir_all(repo.at("bin")).expect("made");
    for copy in ["git", "bin/git", ".git/git"] {
        // By another process, as in `script`.
        let copied = repo.command("cp", repo.root()).arg(&place).arg(copy).status();
        assert!(copied.expect("cp starts").success());
    }
    repo.write(".git/info/grafts", "# none\n");
    let usual = std::env::var("PATH").expect("a path");
    let bin = repo.at("bin");
    for path in
        [format!(".:{usual}"), format!(":{usual}"), format!("bin:{usual}"), format!("{}:{usual}", bin.display())]
    {
        let started = repo.command("sh", repo.root()).args(["-c", "git version"]).env("PATH", &path).status();
        assert!(!started.expect("sh starts").success() && trapped.sprung() == ["git"], "a shell starts it: {path}");
        let run = run(repo, repo.root(), &["check", "--staged"], &[("PATH", Path::new(&path))]);
        assert_eq!(trapped.sprung(), [""; 0], "{path}: {run:?}");
        assert!(run.code < 2, "{path}: {run:?}");
    }
}
