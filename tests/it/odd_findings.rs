//! One set of findings, whichever side of an odd repository is asked: worktree, index, `--rev HEAD` and a bare clone print
//! the same JSON; or the message names what is wrong and what to do.

use std::fs;
use std::path::Path;

use crate::support::{Repo, Run};

/// A repository in which every group of rules that reads more than one file has something to say.
fn telling() -> Repo {
    let repo = Repo::new();
    repo.write("AGENTS.md", "See `src/old.rs`, `docs/A.md` and [gone](docs/gone.md).\n\nHidden\u{200b} here.\n");
    repo.write("CLAUDE.md", "@docs/a.md\n\n@docs/none.md\n\n@docs/before.md\n");
    repo.write("docs/a.md", "A.\n")
        .write("docs/before.md", "Ten words that tell this file from every other file here.\n");
    repo.write("docs/gone.md", "x\n").write("src/old.rs", "fn old() { println!(\"ten words that tell it apart\") }\n");
    repo.write("PLAN.md", "- [ ] one\n- [X]done\n")
        .write(".claude/rules/r.md", "---\npaths: [\"lib/**/*.ts\"]\n---\nRule.\n");
    repo.write("lib/x.ts", "x\n").commit("start");
    repo.git(&["rm", "-q", "lib/x.ts"]);
    repo.git(&["mv", "src/old.rs", "src/new.rs"]);
    repo.git(&["mv", "docs/before.md", "docs/after.md"]);
    repo.git(&["rm", "-q", "docs/gone.md"]);
    repo.commit("move and delete");
    repo
}

fn check(repo: &Repo, dir: &Path, env: &[(&str, &Path)], more: &[&str]) -> Run {
    let mut command = repo.hintlint(dir);
    command.envs(env.iter().map(|(name, value)| (name, value)));
    command.args(["--format", "json", "--min-level", "info"]).args(more).output().expect("hintlint starts").into()
}

/// The findings of all sides, which must be the same bytes.
fn same_in(repo: &Repo, dir: &Path, env: &[(&str, &Path)]) -> String {
    let worktree = check(repo, dir, env, &[]);
    assert!(worktree.code < 2, "{worktree:?}");
    for side in [&["--staged", "--all"][..], &["--rev", "HEAD"]] {
        let other = check(repo, dir, env, side);
        assert_eq!(other.stdout, worktree.stdout, "{side:?}: {}", other.stderr);
        assert_eq!(other.code, worktree.code, "{side:?}");
    }
    worktree.stdout
}

/// The same, and a bare clone agrees.
fn same(repo: &Repo) -> String {
    let found = same_in(repo, repo.root(), &[]);
    assert_eq!(bare(repo, repo.root()), found, "bare");
    found
}

fn bare(repo: &Repo, from: &Path) -> String {
    let bare = repo.beside("findings.git");
    let _ = fs::remove_dir_all(&bare);
    repo.git_in(from, &["clone", "-q", "--bare", ".", bare.to_str().expect("UTF-8")]);
    check(repo, &bare, &[], &["--rev", "HEAD"]).stdout
}

/// What happens to a repository.
type Step<'s> = &'s dyn Fn(&Repo);

/// What a plain repository gives.
fn expected() -> String {
    let found = same(&telling());
    for rule in [
        "stale-path",
        "missing-import",
        "broken-link",
        "zero-width",
        "malformed-checkbox",
        "dead-glob",
        "wrong-case-path",
    ] {
        assert!(found.contains(&format!("\"{rule}\"")), "{rule}: {found}");
    }
    assert!(found.contains("docs/after.md") && found.contains("src/new.rs"), "history was asked: {found}");
    found
}

#[test]
fn every_odd_form_of_a_repository_gives_the_findings_of_a_plain_one() {
    let expected = expected();
    let forms: [(&str, Step<'_>); 13] = [
        ("detached head, packed refs and objects", &|repo| {
            repo.git(&["checkout", "-q", "--detach"]);
            repo.git(&["pack-refs", "--all"]);
            repo.git(&["repack", "-adq"]);
        }),
        ("index.lock", &|repo| _ = repo.write(".git/index.lock", "")),
        ("split index", &|repo| drop(repo.git(&["update-index", "--split-index"]))),
        ("index version 4", &|repo| drop(repo.git(&["update-index", "--index-version", "4"]))),
        ("sparse checkout", &|repo| drop(repo.git(&["sparse-checkout", "set", "--cone", "src"]))),
        ("sparse index", &|repo| drop(repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "src"]))),
        ("no cone", &|repo| drop(repo.git(&["sparse-checkout", "set", "--no-cone", "/api/", "!/docs/"]))),
        ("skip-worktree", &|repo| drop(repo.git(&["update-index", "--skip-worktree", "docs/a.md"]))),
        ("replaced commit", &|repo| {
            let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
            let parent = repo.git(&["rev-parse", "HEAD~"]);
            let twin = repo.git(&["commit-tree", tree.trim(), "-p", parent.trim(), "-m", "another message"]);
            repo.git(&["replace", "HEAD", twin.trim()]);
            // The findings name the commit as git shows it, under the name that was replaced.
        }),
        ("gitfile", &|repo| {
            let elsewhere = repo.beside("elsewhere.git");
            fs::rename(repo.at(".git"), &elsewhere).expect("moved");
            repo.write(".git", format!("gitdir: {}\n", elsewhere.display()));
        }),
        ("link to a git directory", &|repo| {
            let elsewhere = repo.beside("linked.git");
            fs::rename(repo.at(".git"), &elsewhere).expect("moved");
            #[cfg(unix)]
            repo.symlink(".git", "../linked.git");
        }),
        ("core.worktree", &|repo| {
            let root = repo.root().to_str().expect("UTF-8").to_owned();
            repo.git(&["config", "core.worktree", &root]);
        }),
        ("alternates", &|repo| {
            let shared = repo.beside("shared.git");
            repo.git(&["clone", "-q", "--bare", ".", shared.to_str().expect("UTF-8")]);
            repo.write(".git/objects/info/alternates", format!("{}\n", shared.join("objects").display()));
            repo.git(&["repack", "-adlq"]);
            repo.git(&["prune-packed"]);
        }),
    ];
    for (name, change) in forms {
        let repo = telling();
        change(&repo);
        assert_eq!(same(&repo), expected, "{name}");
    }
}

#[test]
fn clones_and_linked_worktrees_give_the_same_findings() {
    let expected = expected();
    let repo = telling();
    let linked = repo.beside("linked");
    repo.git(&["worktree", "add", "-q", "--detach", linked.to_str().expect("UTF-8")]);
    assert_eq!(same_in(&repo, &linked, &[]), expected, "linked worktree");
    assert_eq!(same_in(&repo, &linked, &[("GIT_DIR", &repo.at(".git/worktrees/linked"))]), expected, "in a hook");
    let git_dir = repo.at(".git");
    let elsewhere = [("GIT_DIR", git_dir.as_path()), ("GIT_WORK_TREE", repo.root())];
    assert_eq!(same_in(&repo, &repo.home(), &elsewhere), expected, "GIT_DIR from elsewhere");
    assert_eq!(same_in(&repo, &repo.at("docs"), &[]), expected, "from a folder below");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.root().display());
    // Renames that kept the content need no bytes, so that a clone without old files answers as well.
    let partial = repo.beside("partial");
    repo.git(&["clone", "-q", "--filter=blob:none", &url, partial.to_str().expect("UTF-8")]);
    assert_eq!(same_in(&repo, &partial, &[]), expected, "partial clone");
    let super_repo = Repo::with_files([("AGENTS.md", "x\n")]);
    super_repo.git(&["submodule", "--quiet", "add", repo.root().to_str().expect("UTF-8"), "inner"]);
    assert_eq!(same_in(&super_repo, &super_repo.at("inner"), &[]), expected, "submodule");
}

#[test]
fn formats_of_the_program_give_the_same_findings() {
    // The newest commit, which is the one that moved and deleted, has another name there.
    let unnamed = |repo: &Repo, found: String| found.replace(&repo.git(&["rev-parse", "HEAD"])[..10], "ID");
    let expected = unnamed(&telling(), expected());
    for option in ["--object-format=sha256", "--ref-format=reftable"] {
        let repo = Repo::init(&[option]);
        let plain = telling();
        let stream =
            plain.command("git", plain.root()).args(["fast-export", "--all"]).output().expect("git runs").stdout;
        let mut git = repo.command("git", repo.root());
        let mut child =
            git.args(["fast-import", "--quiet"]).stdin(std::process::Stdio::piped()).spawn().expect("git runs");
        std::io::Write::write_all(&mut child.stdin.take().expect("piped"), &stream).expect("written");
        assert!(child.wait().expect("it ends").success());
        repo.git(&["reset", "-q", "--hard", "main"]);
        assert_eq!(unnamed(&repo, same(&repo)), expected, "{option}");
    }
}

#[test]
fn a_repository_inside_another_is_its_own_matter() {
    let repo = telling();
    let expected = same(&repo);
    let inner = repo.at("vendor/inner");
    fs::create_dir_all(&inner).expect("a directory");
    repo.git_in(&inner, &["init", "-q", "-b", "main"]);
    fs::write(inner.join("CLAUDE.md"), "@none.md\n").expect("written");
    // What is not tracked here is git's to leave out, and ours.
    assert_eq!(same_in(&repo, repo.root(), &[]), expected);
    let found = check(&repo, &inner, &[], &[]);
    assert!(found.stdout.contains("missing-import") && !found.stdout.contains("src/old.rs"), "{found:?}");
}

#[test]
fn names_that_other_systems_refuse() {
    let repo = telling();
    repo.write("aux.md", "x").write("a:b/AGENTS.md", "@c?.md\n").write("docs/trailing. ", "x");
    repo.write("docs/back\\slash.md", "x").write("Docs/A.md", "x").write("docs/COM1.txt", "x");
    #[cfg(target_os = "linux")]
    repo.write(b"\xff\xfe/CLAUDE.md", "@\u{e9}.md\n").write(b"caf\xe9/AGENTS.md", "`src/old.rs`\n");
    repo.commit("odd names");
    let found = same(&repo);
    assert!(found.contains("a:b/AGENTS.md"), "{found}");
    // Names that differ in case only are two files, and neither hides the other.
    assert!(!found.contains("wrong-case-path"), "`docs/A.md` may be either: {found}");
}

/// What a run says that cannot do its job: exit 2, what is wrong, and what to do.
fn refused(repo: &Repo, dir: &Path, more: &[&str], words: &[&str]) {
    let run = check(repo, dir, &[], more);
    assert_eq!(run.code, 2, "{more:?}: {run:?}");
    for word in words {
        assert!(run.stderr.contains(word), "{more:?}: no {word:?} in {}", run.stderr);
    }
    assert!(run.stderr.contains("help"), "{more:?}: {}", run.stderr);
}

#[test]
fn an_empty_repository() {
    let repo = Repo::new();
    for side in [&[][..], &["--staged"]] {
        let run = check(&repo, repo.root(), &[], side);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.stdout.contains("\"findings\": []") || run.stdout.contains("\"findings\":[]"), "{run:?}");
    }
    refused(&repo, repo.root(), &["--rev", "HEAD"], &["no commit yet"]);
    refused(&repo, repo.root(), &["--since", "main"], &["there is no revision"]);
    let bare = Repo::init(&["--bare"]);
    refused(&bare, bare.root(), &[], &["bare", "--rev"]);
    refused(&bare, bare.root(), &["--rev", "HEAD"], &["no commit yet"]);
}

#[test]
fn without_a_head_the_folder_is_no_repository() {
    let repo = telling();
    let head = repo.read(".git/HEAD");
    repo.remove(".git/HEAD");
    refused(&repo, repo.root(), &["--staged"], &["git"]);
    repo.write(".git/HEAD", "nonsense\n");
    refused(&repo, repo.root(), &["--rev", "HEAD"], &["HEAD"]);
    repo.write(".git/HEAD", head).write(".git/refs/heads/main", "0123456789012345678901234567890123456789\n");
    refused(&repo, repo.root(), &["--rev", "HEAD"], &["HEAD"]);
}

#[test]
fn a_corrupt_object_is_a_failure_and_hides_nothing() {
    let repo = telling();
    let id = repo.git(&["rev-parse", "HEAD:docs/a.md"]);
    let (dir, name) = id.trim().split_at(2);
    let object = repo.at(format!(".git/objects/{dir}/{name}"));
    fs::remove_file(&object).expect("removed");
    fs::write(&object, "garbage").expect("written");
    assert!(check(&repo, repo.root(), &[], &[]).code < 2, "the worktree has the file");
    for side in [&["--staged", "--all"][..], &["--rev", "HEAD"]] {
        let run = check(&repo, repo.root(), &[], side);
        assert_eq!(run.code, 2, "{side:?}: {run:?}");
        assert!(run.stdout.contains("docs/a.md") && run.stdout.contains(id.trim()), "{side:?}: {}", run.stdout);
        assert!(run.stdout.contains("zero-width") && run.stdout.contains("src/new.rs"), "{side:?}: {}", run.stdout);
    }
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let (dir, name) = tree.trim().split_at(2);
    fs::remove_file(repo.at(format!(".git/objects/{dir}/{name}"))).expect("removed");
    refused(&repo, repo.root(), &["--rev", "HEAD"], &["git fsck"]);
}

#[test]
fn a_case_insensitive_repository() {
    let expected = expected();
    let repo = telling();
    // As on macOS and Windows; the disk here tells them apart all the same.
    repo.git(&["config", "core.ignoreCase", "true"]);
    assert_eq!(same(&repo), expected);
}

#[test]
fn names_that_are_no_commit() {
    let repo = telling();
    repo.git(&["tag", "blob", "HEAD:AGENTS.md"]);
    // The program turns this one round, and does not say that it is no commit.
    refused(&repo, repo.root(), &["--rev", "^HEAD"], &["there is no revision `^HEAD`"]);
    refused(&repo, repo.root(), &["--since", "HEAD^!"], &["there is no revision `HEAD^!`"]);
    for (name, kind) in
        [("blob", "a file"), ("HEAD:docs/a.md", "a file"), ("HEAD:", "a folder"), ("HEAD^{tree}", "a folder")]
    {
        refused(&repo, repo.root(), &["--rev", name], &[&format!("`{name}` is {kind}"), "not a commit"]);
    }
    let run = check(&repo, repo.root(), &[], &["--rev", "blob"]);
    assert!(!run.stderr.contains("did you mean"), "the same name is no help: {}", run.stderr);
}

#[test]
fn a_worktree_that_is_not_there() {
    let expected = expected();
    let repo = telling();
    let nowhere = repo.beside("nowhere");
    let named = [("GIT_WORK_TREE", nowhere.as_path())];
    for side in [&[][..], &["--staged"]] {
        let run = check(&repo, repo.root(), &named, side);
        assert_eq!(run.code, 2, "{side:?}: {run:?}");
        assert!(run.stderr.contains("nowhere: the worktree is not there") && run.stderr.contains("help"), "{run:?}");
    }
    assert_eq!(check(&repo, repo.root(), &named, &["--rev", "HEAD"]).stdout, expected, "a commit needs none");
    repo.git(&["config", "core.worktree", nowhere.to_str().expect("UTF-8")]);
    for side in [&[][..], &["--staged"]] {
        refused(&repo, repo.root(), side, &["nowhere: the worktree is not there", "core.worktree"]);
    }
    assert_eq!(check(&repo, repo.root(), &[], &["--rev", "HEAD"]).stdout, expected, "a commit needs none");
}

#[test]
fn a_bare_repository_that_does_not_say_so() {
    let repo = telling();
    let found = bare(&repo, repo.root());
    let bare = repo.beside("findings.git");
    for value in [&["core.bare", "false"][..], &["--unset", "core.bare"]] {
        repo.git_in(&bare, &[&["config"], value].concat());
        // The folder around it is not its worktree.
        for dir in [bare.clone(), bare.join("refs")] {
            for side in [&[][..], &["--staged"]] {
                refused(&repo, &dir, side, &["bare", "--rev"]);
            }
            assert_eq!(check(&repo, &dir, &[], &["--rev", "HEAD"]).stdout, found);
        }
    }
}

#[test]
fn help_names_what_helps() {
    let repo = telling();
    let home = repo.home();
    repo.git(&["config", "core.repositoryFormatVersion", "1"]);
    repo.git(&["config", "extensions.fancy", "true"]);
    refused(&repo, repo.root(), &[], &["unknown repository extension found: fancy"]);
    let without = [("PATH", home.as_path())];
    let run = check(&repo, repo.root(), &without, &[]);
    assert!(run.code == 2 && run.stderr.contains("install"), "{run:?}");
    // A program more would not help here.
    repo.write(".git/config", "[core\n");
    let run = check(&repo, repo.root(), &without, &[]);
    assert!(run.code == 2 && run.stderr.contains("config") && run.stderr.contains("help"), "{run:?}");
    assert!(!run.stderr.contains("install"), "{run:?}");
    let repo = telling();
    repo.remove(".git/index");
    fs::create_dir(repo.at(".git/index")).expect("a directory");
    refused(&repo, repo.root(), &["--staged"], &["index", "directory"]);
    let repo = telling();
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    repo.remove(format!(".git/objects/{}/{}", &tree[..2], &tree.trim()[2..]));
    refused(&repo, repo.root(), &["--rev", "HEAD"], &[&format!("tree {} cannot be read", tree.trim()), "git fsck"]);
}

#[cfg(unix)]
#[test]
fn a_git_directory_that_may_not_be_read_is_a_failure() {
    use std::os::unix::fs::PermissionsExt;
    let repo = telling();
    let git_dir = repo.at(".git");
    let mode = |mode| fs::set_permissions(&git_dir, fs::Permissions::from_mode(mode)).expect("a mode");
    mode(0o000);
    // Without it the folder would be checked as if it had no past.
    let run = repo.run_unprivileged(&[]);
    mode(0o755);
    let Some(run) = run else { return };
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains(".git/HEAD") && run.stderr.contains("ermission denied"), "{run:?}");
    assert!(run.stderr.contains("help"), "{run:?}");
}

/// The same repository, in which one more file was renamed, with changes: its content has to be compared.
fn telling_more() -> Repo {
    let repo = telling();
    let text = |end: &str| (0..20).map(|line| format!("line {line} of a file\n")).collect::<String>() + end;
    repo.write("AGENTS.md", "See `src/part.rs`.\n").write("src/part.rs", text("")).commit("one more");
    repo.remove("src/part.rs").write("src/whole.rs", text("and more\n")).commit("rename it");
    repo
}

/// The findings of a report without those that need history, and the report's notes.
fn without_history(report: &str) -> (Vec<String>, String) {
    let report: serde_json::Value = serde_json::from_str(report).expect("JSON");
    let findings = report["findings"].as_array().expect("findings").iter();
    let rules = ["stale-path", "broken-link", "dead-glob", "unmatched-glob", "missing-import"];
    let needs_history = |rule: &str| rules.contains(&rule);
    let findings = findings.filter(|finding| !needs_history(finding["rule"].as_str().expect("a rule")));
    (findings.map(ToString::to_string).collect(), report["notes"].to_string())
}

#[test]
fn where_the_program_is_missing_or_refuses_all_is_told_but_history() {
    let (expected, notes) = without_history(&same(&telling_more()));
    assert!(expected.len() >= 3 && notes == "[]", "{expected:?} {notes}");
    let (missing, refusing) = (telling_more(), telling_more());
    refusing.write(".git/packed-refs", "garbage\n");
    assert_ne!(refusing.try_git_in(refusing.root(), &["log"]).code, 0);
    let home = missing.home();
    for (repo, env, words) in
        [(&missing, &[("PATH", home.as_path())][..], "git program is not installed"), (&refusing, &[], "packed-refs")]
    {
        for side in [&[][..], &["--staged", "--all"], &["--rev", "HEAD"]] {
            let run = check(repo, repo.root(), env, side);
            let (found, notes) = without_history(&run.stdout);
            assert_eq!(found, expected, "{side:?}: {run:?}");
            assert!(notes.contains(words), "{side:?}: {notes}");
        }
        assert_eq!(check(repo, repo.root(), env, &["--staged"]).code, 0, "nothing is staged");
        repo.write("AGENTS.md", "Text.\n").add();
        for side in [&["--since", "HEAD"][..], &["--staged"]] {
            let run = check(repo, repo.root(), env, side);
            assert!(run.code == 2 && run.stderr.contains("help"), "{side:?}: {run:?}");
        }
    }
}

#[test]
fn without_the_program_grafts_are_not_followed_and_a_note_says_so() {
    let (expected, _) = without_history(&same(&telling_more()));
    let repo = telling_more();
    repo.write(".git/info/grafts", repo.git(&["rev-parse", "HEAD"]));
    let home = repo.home();
    let run = check(&repo, repo.root(), &[("PATH", &home)], &["--staged", "--all"]);
    assert!(run.stderr.contains("read as they were"), "{run:?}");
    assert_eq!(without_history(&run.stdout).0, expected);
}
