//! What an edit costs: nothing is asked of git that the check before it asked already. How long it takes is measured by
//! `benches/server.py`.

use super::client::Client;
use crate::support::Repo;

/// A `git` that counts how often it is started.
#[cfg(unix)]
fn counted_git(repo: &Repo) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let real = crate::clients::find("git").expect("git is installed");
    let folder = repo.beside("bin");
    std::fs::create_dir_all(&folder).expect("a folder");
    let script =
        format!("#!/bin/sh\necho \"$@\" >> {}\nexec {} \"$@\"\n", repo.beside("calls").display(), real.display());
    std::fs::write(folder.join("git"), script).expect("a program");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.join("git"), mode).expect("it can be run");
    folder
}

#[cfg(unix)]
#[test]
fn an_edit_asks_git_nothing_again() {
    let repo = Repo::with_files([("CLAUDE.md", "See `src/old.ts`.\n"), ("src/old.ts", "1\n")]);
    repo.git(&["mv", "src/old.ts", "src/new.ts"]);
    repo.commit("rename");
    let folder = counted_git(&repo);
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = repo.hintlint(repo.root());
    command.env("PATH", format!("{}:{path}", folder.display()));
    let mut client = Client::run(command, &repo);
    client.greet(&serde_json::json!({}));
    client.open_file(&repo, "CLAUDE.md");
    assert_eq!(client.found("CLAUDE.md"), ["0:5 stale-path"]);
    let calls = || std::fs::read_to_string(repo.beside("calls")).unwrap_or_default().lines().count();
    let before = calls();
    assert!(before > 0, "history is asked through the program");
    for number in 0..30 {
        client.change("CLAUDE.md", &format!("See `src/old.ts`, number {number}.\n"));
        assert_eq!(client.found("CLAUDE.md"), ["0:5 stale-path"]);
    }
    assert_eq!(calls(), before);
    client.stop();
}
