//! Path patterns against real repositories, where worktree and revision must say the same.

use crate::support::Repo;

const RULE: &str = "---\npaths: src/api/**/*.ts\n---\n\n# API\n";

/// Git keeps no folder without files, so one that only the worktree still has is gone all the same.
#[test]
fn a_leftover_folder_is_not_there() {
    for leftover in [None, Some("cache.pyc")] {
        let repo =
            Repo::with_files([("src/api/a.ts", "a\n"), (".claude/rules/api.md", RULE), (".gitignore", "*.pyc\n")]);
        repo.commit("one");
        repo.remove("src/api/a.ts").commit("two");
        std::fs::create_dir_all(repo.at("src/api/deep")).unwrap();
        if let Some(name) = leftover {
            repo.write(format!("src/api/deep/{name}"), "bytes\n");
        }
        let check = ["--select", "dead-glob", "--format", "json"];
        let worktree = repo.run(&check);
        let revision = repo.run(&[&check[..], &["--rev", "HEAD"]].concat());
        assert!(worktree.stdout.contains("src/api does not exist any more"), "{}", worktree.stdout);
        assert_eq!((worktree.stdout, worktree.code), (revision.stdout, revision.code));
    }
}
