//! The borders of a repository: its own files may not name another folder as its worktree, its git directory or a part of it,
//! and files that were committed are no repository. What the user names is.

use std::fs;
use std::path::{Path, PathBuf};

use super::{COMMANDS, run};
use crate::support::{Repo, Run};

/// Text that a fix would change, so that a canary shows both reading and writing.
const CANARY: &str = "Private caf\u{e9}\u{200b}s are secret.\n";

/// A clone below a folder with a hint file, and beside a private repository with another; neither may be read or written.
struct Scene {
    repo: Repo,
}

impl Scene {
    fn new() -> Scene {
        let repo = Repo::with_files([("AGENTS.md", "# Project\n"), ("docs/a.md", "a\n")]);
        repo.write("AGENTS.md", "# Project\n\nMore.\n").commit("second");
        let scene = Scene { repo };
        let private = scene.private();
        fs::create_dir_all(&private).expect("made");
        scene.repo.git_in(&private, &["init", "-q", "-b", "main"]);
        for place in scene.canaries() {
            fs::write(place, CANARY).expect("written");
        }
        scene.repo.git_in(&private, &["add", "AGENTS.md"]);
        scene.repo.git_in(&private, &["commit", "-q", "-m", "private"]);
        scene
    }

    fn private(&self) -> PathBuf {
        self.repo.beside("private")
    }

    fn canaries(&self) -> [PathBuf; 2] {
        [self.repo.beside("AGENTS.md"), self.private().join("AGENTS.md")]
    }

    /// A folder of the clone that is a bare repository with one commit, under a name that git commits.
    fn embed(&self, name: &str) -> PathBuf {
        let bare = self.repo.at(name);
        self.repo.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("UTF-8")]);
        fs::write(bare.join("AGENTS.md"), "Use tabs.\n").expect("written");
        bare
    }

    /// Run a command, and see that nothing outside the clone was read or written.
    fn run(&self, dir: &Path, args: &[&str], variables: &[(&str, &Path)]) -> Run {
        let before = everything_in(&self.private().join(".git"));
        let run = run(&self.repo, dir, args, variables);
        let told = format!("{}{}", run.stdout, run.stderr);
        // What an agent loads may lie above the repository, and that is what these print.
        let follows_agents = args[0] == "hook" || args.contains(&"--agent");
        let is_told = told.contains("Private") || told.contains("secret");
        assert!(follows_agents || !is_told, "{args:?} in {}: {run:?}", dir.display());
        for place in self.canaries() {
            assert_eq!(fs::read_to_string(&place).expect("readable"), CANARY, "{args:?}: {}", place.display());
        }
        assert_eq!(everything_in(&self.private().join(".git")), before, "{args:?}: the other git directory");
        run
    }

    /// Every command is refused in `dir`, in these words, and reads and writes nothing outside.
    fn refused(&self, dir: &Path, words: &[&str]) {
        self.refuses(&COMMANDS, dir, words);
    }

    /// The same, of the commands that differ most.
    fn refused_too(&self, dir: &Path, words: &[&str]) {
        self.refuses(&[&["check", "--fix"], &["files", "--staged"], &["compile"], &["show"]], dir, words);
    }

    fn refuses(&self, commands: &[&[&str]], dir: &Path, words: &[&str]) {
        for args in commands {
            let run = self.run(dir, args, &[]);
            // Hooks never fail, and what an agent loads does not depend on git.
            if ["check", "files", "diff"].contains(&args[0]) {
                assert_eq!(run.code, 2, "{args:?} in {}: {run:?}", dir.display());
                for word in words {
                    assert!(run.stderr.contains(word), "{args:?}: {word}: {run:?}");
                }
            }
        }
    }

    /// Commands work in `dir` and list a file.
    fn works(&self, dir: &Path, variables: &[(&str, &Path)], args: &[&str]) {
        let run = run(&self.repo, dir, &[&["files"], args].concat(), variables);
        assert!(run.code == 0 && run.stdout.contains("AGENTS.md"), "{args:?} in {}: {run:?}", dir.display());
        let run = super::run(&self.repo, dir, &[&["check"], args].concat(), variables);
        assert!(run.code < 2, "{args:?} in {}: {run:?}", dir.display());
    }
}

fn everything_in(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("listed").flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(everything_in(&path)),
            path => found.push((path.clone(), fs::read(path).expect("readable"))),
        }
    }
    found.sort();
    found
}

const AMONG_FILES: [&str; 3] = ["lies among the files of", "lib", "GIT_DIR"];

#[test]
fn a_bare_repository_among_the_files_of_another_is_refused() {
    let scene = Scene::new();
    let lib = scene.embed("lib");
    fs::create_dir(lib.join("w")).expect("made");
    fs::write(lib.join("w/AGENTS.md"), "Use spaces.\n").expect("written");
    for (bare, worktree) in [("true", None), ("false", None), ("false", Some("../..")), ("false", Some("w"))] {
        scene.repo.git_in(&lib, &["--git-dir=.", "config", "core.bare", bare]);
        if let Some(worktree) = worktree {
            scene.repo.git_in(&lib, &["--git-dir=.", "config", "core.worktree", worktree]);
        }
        scene.refused_too(&lib, &AMONG_FILES);
        scene.refused_too(&lib.join("w"), &AMONG_FILES);
        for path in ["lib/AGENTS.md", "lib/w"] {
            let run = scene.run(scene.repo.root(), &["check", "--fix", path], &[]);
            assert!(run.code == 2 && run.stderr.contains("lies among the files of"), "{path}: {run:?}");
        }
    }
    // The files are the outer repository's, and it can be checked.
    let whole = scene.run(scene.repo.root(), &["files"], &[]);
    assert!(whole.code == 0 && whole.stdout.contains("lib/w/AGENTS.md"), "{whole:?}");
}

#[test]
fn a_bare_repository_that_the_user_names_is_opened() {
    let scene = Scene::new();
    let lib = scene.embed("lib");
    let named: [(&str, &Path); 1] = [("GIT_DIR", &lib)];
    scene.works(scene.repo.root(), &named, &["--rev", "HEAD"]);
    scene.works(&lib, &named, &["--rev", "HEAD"]);
    scene.works(&lib, &[("GIT_DIR", Path::new("."))], &["--rev", "HEAD"]);
    // Its config still does not decide where the worktree is, and the user does.
    scene.repo.git_in(&lib, &["--git-dir=.", "config", "core.bare", "false"]);
    scene.repo.git_in(&lib, &["--git-dir=.", "config", "core.worktree", "../.."]);
    let fixed = scene.run(&lib, &["check", "--fix"], &named);
    assert!(!fixed.stdout.contains("Fixed"), "{fixed:?}");
    scene.works(&lib, &[named[0], ("GIT_WORK_TREE", scene.repo.root())], &[]);
}

#[test]
fn a_bare_repository_of_its_own_is_opened_where_one_stands() {
    let scene = Scene::new();
    let bare = scene.repo.beside("server.git");
    scene.repo.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("UTF-8")]);
    for dir in [bare.clone(), bare.join("refs"), bare.join("hooks")] {
        scene.works(&dir, &[], &["--rev", "HEAD"]);
    }
    // In a `.git` nobody can have committed it.
    scene.works(&scene.repo.at(".git"), &[], &["--rev", "HEAD"]);
    scene.works(&scene.repo.at(".git/refs"), &[], &["--rev", "HEAD"]);
}

#[test]
fn a_folder_that_only_looks_a_little_like_a_repository_is_a_folder() {
    let scene = Scene::new();
    let repo = &scene.repo;
    repo.write("lib/HEAD", "ref: refs/heads/main\n").write("lib/objects/x", "x").write("lib/AGENTS.md", "Use tabs.\n");
    repo.write("docs/HEAD", "x").write("docs/refs/x", "x").write("docs/config", "[core]\n\tworktree = ../..\n");
    for dir in ["lib", "lib/objects", "docs", "docs/refs"] {
        scene.works(&repo.at(dir), &[], &[]);
    }
    let run = scene.run(repo.root(), &["check", "lib/AGENTS.md"], &[]);
    assert!(run.code < 2, "{run:?}");
}

#[test]
fn a_worktree_that_the_config_names_outside_is_refused() {
    for outside in ["../..", "../../private", "../../../.."] {
        let scene = Scene::new();
        let repo = &scene.repo;
        repo.git(&["config", "core.worktree", outside]);
        scene.refused(repo.root(), &["outside the repository", ".git", "GIT_WORK_TREE"]);
        scene.refused_too(&repo.at("docs"), &["outside the repository"]);
        scene.works(repo.root(), &[("GIT_WORK_TREE", repo.root())], &[]);
        scene.works(repo.root(), &[("GIT_DIR", &repo.at(".git")), ("GIT_WORK_TREE", repo.root())], &[]);
    }
    // A repository that does not lie in another: its own folder is all that came with it.
    let scene = Scene::new();
    let bare = scene.repo.beside("archive");
    scene.repo.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("UTF-8")]);
    scene.repo.git_in(&bare, &["config", "core.bare", "false"]);
    scene.repo.git_in(&bare, &["config", "core.worktree", ".."]);
    scene.refused(&bare, &["outside the repository", "archive"]);
}

#[test]
fn a_worktree_that_the_config_names_inside_is_taken() {
    let scene = Scene::new();
    let repo = &scene.repo;
    repo.write("part/AGENTS.md", "Use tabs.\n");
    for inside in ["..", "../part", repo.root().to_str().expect("UTF-8")] {
        repo.git(&["config", "core.worktree", inside]);
        scene.works(repo.root(), &[], &[]);
    }
}

#[test]
fn a_git_directory_among_the_files_of_its_worktree_is_refused() {
    let scene = Scene::new();
    let repo = &scene.repo;
    fs::rename(repo.at(".git"), repo.at("lib")).expect("moved");
    for link in [false, true] {
        let _ = fs::remove_file(repo.at(".git"));
        match link {
            true => _ = repo.symlink(".git", "lib"),
            false => _ = repo.write(".git", "gitdir: lib\n"),
        }
        scene.refused(repo.root(), &AMONG_FILES);
        scene.refused_too(&repo.at("docs"), &AMONG_FILES);
        scene.works(repo.root(), &[("GIT_DIR", &repo.at("lib"))], &[]);
    }
    // The same one folder further down, where the files of the outer repository hold it.
    let scene = Scene::new();
    scene.embed("lib");
    scene.repo.write("sub/.git", "gitdir: ../lib\n").write("sub/AGENTS.md", "Use tabs.\n");
    scene.refused_too(&scene.repo.at("sub"), &AMONG_FILES);
}

#[test]
fn a_bare_repository_beside_its_linked_worktrees_is_opened() {
    let scene = Scene::new();
    let project = scene.repo.beside("project");
    fs::create_dir(&project).expect("made");
    let hidden = project.join(".bare");
    scene.repo.git(&["clone", "-q", "--bare", ".", hidden.to_str().expect("UTF-8")]);
    fs::write(project.join(".git"), "gitdir: ./.bare\n").expect("written");
    scene.repo.git_in(&project, &["worktree", "add", "-q", "side", "-b", "side"]);
    scene.works(&project.join("side"), &[], &[]);
    scene.works(&project.join("side"), &[], &["--staged"]);
    scene.works(&project, &[], &["--rev", "HEAD"]);
}

#[test]
fn a_git_directory_of_another_worktree_is_refused() {
    for link in [false, true] {
        let scene = Scene::new();
        let repo = &scene.repo;
        repo.remove(".git");
        match link {
            true => _ = repo.symlink(".git", "../private/.git"),
            false => _ = repo.write(".git", "gitdir: ../private/.git\n"),
        }
        scene.refused(repo.root(), &["belongs to another worktree", "GIT_DIR"]);
    }
    // A linked worktree's, while that is where it was.
    let scene = Scene::new();
    let private = scene.private();
    scene.repo.git_in(&private, &["worktree", "add", "-q", "../linked", "-b", "linked"]);
    scene.repo.remove(".git");
    scene.repo.write(".git", format!("gitdir: {}\n", private.join(".git/worktrees/linked").display()));
    scene.refused(scene.repo.root(), &["belongs to another worktree", "linked"]);
}

#[test]
fn a_common_directory_elsewhere_is_refused() {
    let scene = Scene::new();
    let repo = &scene.repo;
    repo.write(".git/commondir", "../../private/.git\n");
    scene.refused(repo.root(), &["commondir", "lies elsewhere"]);
    let private = scene.private().join(".git");
    let named = run(repo, repo.root(), &["files"], &[("GIT_DIR", &repo.at(".git")), ("GIT_COMMON_DIR", &private)]);
    assert!(named.code == 0, "the user may: {named:?}");
}

#[test]
fn a_submodule_works_and_one_with_another_worktree_does_not() {
    let scene = Scene::new();
    let inner = Repo::with_files([("CLAUDE.md", "inner\n"), ("AGENTS.md", "inner\n")]);
    let repo = &scene.repo;
    repo.git(&["submodule", "--quiet", "add", inner.root().to_str().expect("UTF-8"), "vendor/inner"]);
    repo.commit("a submodule");
    let sub = repo.at("vendor/inner");
    scene.works(&sub, &[], &[]);
    // As a hook of the submodule sees it.
    scene.works(&sub, &[("GIT_DIR", &repo.at(".git/modules/vendor/inner"))], &[]);
    repo.git_in(&sub, &["config", "core.worktree", "../../../../../private"]);
    scene.refused(&sub, &["outside the repository"]);
}

#[test]
fn a_separate_git_directory_and_its_linked_worktrees_work() {
    let scene = Scene::new();
    let repo = &scene.repo;
    let elsewhere = repo.beside("meta.git");
    repo.git(&["init", "-q", "--separate-git-dir", elsewhere.to_str().expect("UTF-8")]);
    scene.works(repo.root(), &[], &[]);
    repo.git(&["worktree", "add", "-q", "../linked", "-b", "linked"]);
    scene.works(&repo.beside("linked"), &[], &[]);
}

#[test]
fn alternates_and_included_config_outside_are_followed_as_git_does() {
    let scene = Scene::new();
    let repo = &scene.repo;
    let shared = repo.beside("shared");
    repo.git(&["clone", "-q", "--shared", ".", shared.to_str().expect("UTF-8")]);
    scene.works(&shared, &[], &["--rev", "HEAD"]);
    fs::write(repo.beside("more.config"), "[user]\n\tname = Secret Private\n").expect("written");
    repo.git(&["config", "include.path", "../../more.config"]);
    scene.works(repo.root(), &[], &[]);
    scene.run(repo.root(), &["check"], &[]);
}

#[test]
fn notes_of_ours_are_not_written_through_links() {
    let scene = Scene::new();
    let repo = &scene.repo;
    repo.symlink(".git/hintlint", "../../private/.git");
    scene.refused(repo.root(), &["hintlint keeps its cache", "remove it"]);
    repo.remove(".git/hintlint").symlink(".git/hintlint/artifacts", "../../../private/AGENTS.md");
    scene.refused(repo.root(), &["hintlint keeps its cache"]);
    repo.remove(".git/hintlint").write(".git/hintlint/artifacts", "");
    scene.works(repo.root(), &[], &[]);
}
