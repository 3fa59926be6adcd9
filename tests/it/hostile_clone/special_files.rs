//! FIFOs, devices, sockets, directories and links to them where git keeps files: no command waits for them, and it is said
//! which one is in the way.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;

use super::{COMMANDS, run};
use crate::support::Repo;

/// What may stand in place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Fifo,
    LinkToFifo,
    LinkToZero,
    Socket,
    Directory,
}

const THINGS: [Thing; 5] = [Thing::Fifo, Thing::LinkToFifo, Thing::LinkToZero, Thing::Socket, Thing::Directory];

fn put(repo: &Repo, thing: Thing, place: &Path) {
    let _ = fs::remove_file(place);
    fs::create_dir_all(place.parent().expect("a parent")).expect("made");
    let fifo = |place: &Path| {
        let made = repo.command("mkfifo", repo.root()).arg(place).status();
        assert!(made.expect("mkfifo starts").success());
    };
    match thing {
        Thing::Fifo => fifo(place),
        Thing::LinkToFifo => {
            let target = repo.beside("fifo");
            if !target.exists() {
                fifo(&target);
            }
            std::os::unix::fs::symlink(target, place).expect("a link");
        }
        Thing::LinkToZero => std::os::unix::fs::symlink("/dev/zero", place).expect("a link"),
        // The path of a socket must be short, so it is made elsewhere.
        Thing::Socket => {
            let short = tempfile::tempdir().expect("a folder");
            drop(UnixListener::bind(short.path().join("s")).expect("a socket"));
            fs::rename(short.path().join("s"), place).expect("moved");
        }
        Thing::Directory => fs::create_dir(place).expect("made"),
    }
}

fn repository(options: &[&str]) -> Repo {
    let repo = Repo::init(options);
    repo.write("AGENTS.md", "# Project\n\nSee `docs/old.md`.\n").write("docs/old.md", "A\nB\nC\n").commit("start");
    repo.write("docs/new.md", "A\nB\nC\n").remove("docs/old.md").commit("renamed");
    repo
}

/// With such a thing at `place`, all commands end, and those that read the repository name it.
fn is_named(repo: &Repo, thing: Thing, place: &str, commands: &[&[&str]]) {
    for args in commands {
        let run = run(repo, repo.root(), args, &[]);
        assert!((0..=2).contains(&run.code), "{thing:?} at {place}: {args:?}: {run:?}");
        if ["check", "files"].contains(&args[0]) {
            assert_eq!(run.code, 2, "{thing:?} at {place}: {args:?}: {run:?}");
            assert!(
                run.stderr.contains(place) && run.stderr.contains("help"),
                "{thing:?} at {place}: {args:?}: {run:?}"
            );
        }
    }
}

const FEW: [&[&str]; 4] =
    [&["check"], &["check", "--staged"], &["files", "--rev", "HEAD"], &["check", "--since", "HEAD~1"]];

#[test]
fn files_of_a_git_directory() {
    let places = [
        "HEAD",
        "config",
        "index",
        "packed-refs",
        "shallow",
        "commondir",
        "info/grafts",
        "info/exclude",
        "info/attributes",
        "objects/info/alternates",
    ];
    for place in places {
        for thing in THINGS {
            let repo = repository(&[]);
            put(&repo, thing, &repo.at(".git").join(place));
            is_named(&repo, thing, place, &FEW);
        }
    }
}

#[test]
fn every_command_ends() {
    for place in ["index", "info/grafts", "HEAD"] {
        let repo = repository(&[]);
        put(&repo, Thing::Fifo, &repo.at(".git").join(place));
        is_named(&repo, Thing::Fifo, place, &COMMANDS);
    }
}

#[test]
fn references_objects_and_what_a_revision_may_name() {
    let repo = repository(&[]);
    let head = repo.git(&["rev-parse", "HEAD"]);
    let object = format!("objects/{}/{}", &head[..2], head[2..].trim());
    let places = [
        "refs/heads/main",
        "refs/replace/x",
        "refs/heads/a/b/c",
        "logs/HEAD",
        "main",
        "MERGE_HEAD",
        object.as_str(),
        "objects/pack/pack-1.idx",
        "objects/pack/pack-1.promisor",
        "objects/info/commit-graphs/commit-graph-chain",
        "sharedindex.0123456789012345678901234567890123456789",
    ];
    for place in places {
        for thing in [Thing::Fifo, Thing::LinkToFifo, Thing::LinkToZero] {
            let repo = repository(&[]);
            let whole = repo.at(".git").join(place);
            put(&repo, thing, &whole);
            is_named(&repo, thing, place, &[&["check"], &["check", "--rev", "main"]]);
        }
    }
}

#[test]
fn formats_that_only_the_git_program_opens() {
    for option in ["--object-format=sha256", "--ref-format=reftable"] {
        for place in ["index", "config", "info/attributes"] {
            let repo = repository(&[option]);
            put(&repo, Thing::Fifo, &repo.at(".git").join(place));
            is_named(&repo, Thing::Fifo, place, &FEW);
        }
    }
    let repo = repository(&["--ref-format=reftable"]);
    put(&repo, Thing::Fifo, &repo.at(".git/reftable/tables.list"));
    is_named(&repo, Thing::Fifo, "tables.list", &FEW);
}

#[test]
fn files_that_the_environment_names() {
    for option in [&[][..], &["--object-format=sha256"]] {
        let repo = repository(option);
        let fifo = repo.beside("other-index");
        put(&repo, Thing::Fifo, &fifo);
        for args in [["check", "--staged"], ["files", "--staged"]] {
            let run = run(&repo, repo.root(), &args, &[("GIT_INDEX_FILE", &fifo)]);
            assert!(run.code == 2 && run.stderr.contains("other-index"), "{args:?}: {run:?}");
        }
    }
}

#[test]
fn pointers_alternates_and_included_config() {
    let repo = repository(&[]);
    fs::rename(repo.at(".git"), repo.beside("meta.git")).expect("moved");
    put(&repo, Thing::Fifo, &repo.at(".git"));
    let run = run(&repo, repo.root(), &["check"], &[]);
    assert!((0..=2).contains(&run.code), "{run:?}");

    for thing in [Thing::Fifo, Thing::LinkToZero] {
        let repo = repository(&[]);
        put(&repo, thing, &repo.beside("more.config"));
        for config in
            ["[include]\n\tpath = ../../more.config\n", "[includeIf \"gitdir:/\"] path = \"../../more\\\n.config\"\n"]
        {
            repo.write(".git/config", format!("[core]\n\trepositoryformatversion = 0\n{config}"));
            is_named(&repo, thing, "more.config", &FEW);
        }
        let repo = repository(&[]);
        repo.write(".git/objects/info/alternates", "../../../other\n");
        put(&repo, thing, &repo.beside("other/pack/pack-1.pack"));
        is_named(&repo, thing, "pack-1.pack", &FEW);
    }
}

#[test]
fn a_linked_worktree_and_what_we_keep_ourselves() {
    for place in
        [".git/worktrees/linked/HEAD", ".git/worktrees/linked/commondir", ".git/worktrees/linked/index", ".git/refs/x"]
    {
        let repo = repository(&[]);
        let linked = repo.beside("linked");
        repo.git(&["worktree", "add", "-q", linked.to_str().expect("UTF-8"), "-b", "linked"]);
        put(&repo, Thing::Fifo, &repo.at(place));
        let run = run(&repo, &linked, &["check"], &[]);
        assert!(run.code == 2 && run.stderr.contains(place.rsplit('/').next().expect("a name")), "{place}: {run:?}");
    }
    for place in [".git/hintlint/artifacts", ".git/hintlint/agent-hooks.json", ".git/hintlint"] {
        let repo = repository(&[]);
        put(&repo, Thing::Fifo, &repo.at(place));
        is_named(&repo, Thing::Fifo, place, &COMMANDS);
    }
}

#[test]
fn files_of_the_worktree_that_git_would_read() {
    for place in [".gitattributes", ".gitmodules", ".mailmap", ".gitignore", "docs/.gitattributes"] {
        for thing in [Thing::Fifo, Thing::LinkToFifo, Thing::LinkToZero] {
            let repo = repository(&[]);
            repo.write(".git/info/grafts", "# none\n");
            put(&repo, thing, &repo.at(place));
            let commands = if thing == Thing::Fifo && place == ".gitattributes" { &COMMANDS[..] } else { &FEW[..] };
            for args in commands {
                let run = run(&repo, repo.root(), args, &[]);
                assert!((0..=1).contains(&run.code), "{thing:?} at {place}: {args:?}: {run:?}");
            }
        }
    }
}

#[test]
fn files_that_are_far_too_large() {
    // Files with nothing but holes, which an archive holds in a few bytes.
    for (place, size) in
        [("HEAD", 1 << 20), ("config", 1 << 30), ("packed-refs", 1 << 40), ("shallow", 1 << 40), ("index", 1 << 40)]
    {
        let repo = repository(&[]);
        let file = fs::File::options().append(true).create(true).open(repo.at(".git").join(place)).expect("opened");
        if file.set_len(size).is_ok() {
            is_named(&repo, Thing::Fifo, place, &FEW);
        }
    }
}

#[test]
fn links_in_a_circle_come_to_an_end() {
    let repo = repository(&[]);
    repo.symlink(".git/refs/up", "..").symlink(".git/objects/up", ".").symlink(".git/logs/self", "self");
    repo.write(".git/objects/info/alternates", format!("{}\n", repo.at(".git/objects").display()));
    for args in FEW {
        let run = run(&repo, repo.root(), args, &[]);
        assert!(run.code < 2, "{args:?}: {run:?}");
    }
    repo.git(&["config", "include.path", "config"]);
    for args in FEW {
        let run = run(&repo, repo.root(), args, &[]);
        assert!(run.code == 2 && run.stderr.contains("include"), "{args:?}: {run:?}");
    }
}

#[test]
fn what_git_itself_makes_is_no_obstacle() {
    let repo = repository(&[]);
    // The socket of git's file system monitor, links as `git-new-workdir` makes them, and a link that leads nowhere.
    put(&repo, Thing::Socket, &repo.at(".git/fsmonitor--daemon.ipc"));
    for name in ["refs", "objects", "packed-refs"] {
        if repo.at(".git").join(name).exists() {
            fs::rename(repo.at(".git").join(name), repo.beside(name)).expect("moved");
            repo.symlink(format!(".git/{name}"), &format!("../../{name}"));
        }
    }
    repo.symlink(".git/ORIG_HEAD", "nowhere");
    repo.git(&["config", "include.path", "not-there.config"]);
    for args in FEW {
        let run = run(&repo, repo.root(), args, &[]);
        assert!(run.code < 2, "{args:?}: {run:?}");
    }
}
