//! Sources against real repositories: one repository, seen as worktree, index, commit and bare clone, and what each side
//! says of a path that it does not list.

use std::fs;
use std::path::Path;

use hintlint::base::path::RepoPath;
use hintlint::source::{
    EntryKind, GitVars, MAX_FILE_BYTES, Opened, Probe, Side, Source, SourceError, SourceReadError, Spec,
};

use crate::support::Repo;

/// Open one side of a repository from a directory, with more variables than the usual ones.
pub(crate) fn try_open(repo: &Repo, start: &Path, side: Side, more: &[(&str, &Path)]) -> Result<Opened, SourceError> {
    let mut variables = repo.variables();
    variables.retain(|(name, _)| !more.iter().any(|(other, _)| name == other));
    variables.extend(more.iter().map(|(name, value)| (name.into(), value.into())));
    hintlint::source::open(&Spec { start: start.to_owned(), side, vars: GitVars::new(variables) })
}

pub(crate) fn open(repo: &Repo, side: Side) -> Opened {
    try_open(repo, repo.root(), side, &[]).expect("the repository opens")
}

/// The same in an environment in which there is no `git`.
pub(crate) fn open_without_git(repo: &Repo, side: Side) -> Result<Opened, SourceError> {
    try_open(repo, repo.root(), side, &[("PATH", &repo.home())])
}

pub(crate) fn head() -> Side {
    Side::Commit("HEAD".to_owned())
}

/// Every path with its kind and bytes, a line each.
pub(crate) fn content(source: &dyn Source) -> Vec<String> {
    let paths: Vec<RepoPath> = source.listing().iter().map(|entry| RepoPath::new(entry.path)).collect();
    let reads = source.read_many(&paths);
    let line = |(entry, read): (hintlint::source::ListedPath<'_>, &Result<std::sync::Arc<[u8]>, SourceReadError>)| {
        let read = match read {
            Ok(bytes) => format!("{:?}", bytes.escape_ascii().to_string()),
            Err(error) => format!("({error})"),
        };
        format!("{} {:?} {read}", entry.path.escape_ascii(), entry.kind)
    };
    source.listing().iter().zip(&reads).map(line).collect()
}

pub(crate) fn listed(source: &dyn Source) -> Vec<String> {
    source.listing().iter().map(|entry| entry.path.escape_ascii().to_string()).collect()
}

fn read(source: &dyn Source, path: &str) -> Result<String, SourceReadError> {
    source.read(&path.into()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn probe(source: &dyn Source, path: &str) -> Probe {
    source.probe_many(&[path.into()])[0]
}

/// A repository with a bit of everything that git can store.
fn varied() -> Repo {
    let repo = Repo::new();
    repo.write("AGENTS.md", "# Rules\r\n\n@docs/a.md\n").write("docs/a.md", "a").write("docs/empty.md", "");
    repo.write("a-b", "sorts before a/b").write("a/b", "x").write("a.b", "x").write("ü/日本.md", "text");
    repo.write(b"odd/new\nline.md", "x").write(b"odd/not-\xff-utf8.md", "x").write(b"odd/tab\tand \"quote\"", "x");
    repo.write("bytes.bin", (0..=255u8).collect::<Vec<_>>());
    repo.write(".gitignore", "*.log\nout/\n").write("sub/.gitignore", "!keep.log\n").write("sub/keep.log", "kept");
    repo.write("tracked.log", "ignored, but tracked").write("out/tracked.md", "in an ignored directory, but tracked");
    repo.symlink("CLAUDE.md", "AGENTS.md").symlink("dir-link", "docs").symlink("dangling", "/nowhere/at all");
    for number in 0..200 {
        repo.write(format!("many/d{}/d{}/f{number}.txt", number % 7, number % 13), format!("{number}"));
    }
    repo.git(&["add", "--all", "--force"]);
    repo.commit_staged("start");
    repo
}

#[test]
fn worktree_index_commit_and_bare_clone_agree() {
    let repo = varied();
    repo.write("x.log", "ignored").write("out/built.md", "ignored");
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("UTF-8")]);
    repo.git(&["repack", "-adq"]);

    let worktree = open(&repo, Side::Worktree);
    let expected = content(&*worktree.source);
    assert_eq!(expected, content(&*open(&repo, Side::Index).source));
    assert_eq!(expected, content(&*open(&repo, head()).source));
    let bare = try_open(&repo, &bare, Side::Commit("main".to_owned()), &[]).expect("a bare clone opens");
    assert_eq!(expected, content(&*bare.source));
    assert_eq!(bare.root, None);
    assert_eq!(expected.len(), repo.git(&["ls-files", "-z"]).split_terminator('\0').count());
    assert!(expected.contains(&"CLAUDE.md Symlink \"AGENTS.md\"".to_owned()), "{expected:#?}");
}

#[test]
fn every_index_version_is_read() {
    let repo = varied();
    let expected = content(&*open(&repo, Side::Index).source);
    for version in ["2", "3", "4"] {
        repo.git(&["update-index", "--index-version", version]);
        assert_eq!(expected, content(&*open(&repo, Side::Index).source), "version {version}");
    }
}

#[test]
fn a_large_tree_is_the_same_when_all_cores_walk_it() {
    let repo = Repo::new();
    for number in 0..400 {
        repo.write(format!("d{:02}/s{:02}/f{number}", number % 60, number % 11), "");
    }
    repo.commit("start");
    let git: Vec<_> = repo.git(&["ls-tree", "-r", "--name-only", "HEAD"]).lines().map(str::to_owned).collect();
    assert_eq!(git, listed(&*open(&repo, head()).source));
    assert_eq!(git, listed(&*open(&repo, Side::Worktree).source));
}

#[test]
fn each_side_sees_its_own_state() {
    let repo = Repo::with_files([("kept.md", "1"), ("deleted.md", "1"), ("staged.md", "1"), ("removed.md", "1")]);
    repo.write("staged.md", "2").git(&["add", "staged.md"]);
    repo.git(&["rm", "-q", "--cached", "removed.md"]);
    repo.write("staged.md", "3").write("new.md", "1").remove("deleted.md");
    let worktree = open(&repo, Side::Worktree).source;
    let index = open(&repo, Side::Index).source;
    let commit = open(&repo, head()).source;
    assert_eq!(listed(&*worktree), ["kept.md", "new.md", "removed.md", "staged.md"]);
    assert_eq!(listed(&*index), ["deleted.md", "kept.md", "staged.md"]);
    assert_eq!(listed(&*commit), ["deleted.md", "kept.md", "removed.md", "staged.md"]);
    let staged = [&worktree, &index, &commit].map(|source| read(&**source, "staged.md"));
    assert_eq!(staged, [Ok("3".to_owned()), Ok("2".to_owned()), Ok("1".to_owned())]);
    assert_eq!(read(&*worktree, "deleted.md"), Err(SourceReadError::Missing));
    assert_eq!([&worktree, &index].map(|source| probe(&**source, "new.md")), [Probe::Untracked; 2]);
    assert_eq!(probe(&*worktree, "removed.md"), Probe::Untracked);
    assert_eq!(probe(&*commit, "new.md"), Probe::Absent);
}

#[test]
fn probes_agree_between_sides() {
    let repo = varied();
    repo.write("out/built.md", "").write("x.log", "");
    for side in [Side::Worktree, Side::Index, head()] {
        let source = open(&repo, side.clone()).source;
        for (path, expected) in [
            ("AGENTS.md", Probe::Tracked),
            ("tracked.log", Probe::Tracked),
            ("docs", Probe::Directory),
            ("", Probe::Directory),
            ("x.log", Probe::Ignored),
            ("never-made.log", Probe::Ignored),
            ("out/built.md", Probe::Ignored),
            ("sub/keep.log", Probe::Tracked),
            ("sub/x.log", Probe::Ignored),
            ("nowhere.md", Probe::Absent),
            // Not through a link, whatever it leads to.
            ("dir-link/a.md", Probe::Absent),
            ("dir-link", Probe::Tracked),
        ] {
            assert_eq!(probe(&*source, path), expected, "{path:?} of {side:?}");
        }
    }
}

#[test]
fn only_committed_ignore_files_count() {
    let repo = Repo::with_files([(".gitignore", "*.log\n")]);
    fs::write(repo.at(".git/info/exclude"), "private.md\n").expect("written");
    fs::write(repo.home().join("excludes"), "mine.md\n").expect("written");
    repo.git(&["config", "core.excludesFile", repo.home().join("excludes").to_str().expect("UTF-8")]);
    for path in ["private.md", "mine.md", "dot-ignore.md", "rg.md", "x.log", ".hidden/a.md"] {
        repo.write(path, "");
    }
    repo.write(".ignore", "dot-ignore.md\n").write(".rgignore", "rg.md\n");
    // A file above the repository does not count either.
    fs::write(repo.beside(".gitignore"), "*\n").expect("written");
    let expected =
        [".gitignore", ".hidden/a.md", ".ignore", ".rgignore", "dot-ignore.md", "mine.md", "private.md", "rg.md"];
    assert_eq!(listed(&*open(&repo, Side::Worktree).source), expected);
}

#[test]
fn outside_git_a_folder_is_walked() {
    let folder = Repo::plain_folder();
    folder.write("AGENTS.md", "x").write("a/b.md", "x").write("a/x.log", "x").write(".gitignore", "*.log\n");
    let opened = open(&folder, Side::Worktree);
    assert_eq!(listed(&*opened.source), [".gitignore", "AGENTS.md", "a/b.md"]);
    assert_eq!(opened.root.as_deref(), Some(folder.root()));
    assert_eq!(probe(&*opened.source, "AGENTS.md"), Probe::Tracked);
    for side in [Side::Index, head()] {
        let error = try_open(&folder, folder.root(), side, &[]).err().expect("an error");
        assert!(error.to_string().contains("not a git repository") && error.help.is_some(), "{error}");
    }
}

#[test]
fn the_start_may_lie_anywhere_in_the_repository() {
    let repo = Repo::with_files([("a/b/c.md", "x"), ("top.md", "x")]);
    for side in [Side::Worktree, Side::Index, head()] {
        let opened = try_open(&repo, &repo.at("a/b"), side, &[]).expect("opens");
        assert_eq!(opened.subdirectory, b"a/b");
        assert_eq!(opened.root.as_deref(), Some(repo.root()));
        assert_eq!(listed(&*opened.source), ["a/b/c.md", "top.md"]);
    }
}

#[test]
fn repositories_inside_the_repository_are_left_out() {
    let repo = Repo::with_files([("a.md", "x")]);
    for inner in ["nested", "deep/er/nested"] {
        repo.write(format!("{inner}/AGENTS.md"), "of another repository");
        repo.git_in(&repo.at(inner), &["init", "-q"]);
    }
    // What only looks like one is a directory like any other.
    repo.write("not-one/b.md", "x");
    fs::create_dir(repo.at("not-one/.git")).expect("a directory");
    assert_eq!(listed(&*open(&repo, Side::Worktree).source), ["a.md", "not-one/b.md"]);
}

#[cfg(unix)]
#[test]
fn links_are_never_followed_and_special_files_never_opened() {
    let repo = Repo::new();
    let secret = repo.beside("secret");
    fs::create_dir(&secret).expect("a directory");
    fs::write(secret.join("key.md"), "secret").expect("a file");
    repo.symlink("out", "../secret").symlink("file.md", "../secret/key.md").symlink("loop", "loop");
    repo.write("real/x.md", "x").write("dir.md/inside.md", "x");
    fs::create_dir(repo.at("CLAUDE.md")).expect("a directory");
    for fifo in ["AGENTS.md", ".gitignore"] {
        let run = repo.command("mkfifo", repo.root()).arg(fifo).status().expect("mkfifo runs");
        assert!(run.success());
    }
    let huge = fs::File::create(repo.at("huge.md")).expect("a file");
    huge.set_len(MAX_FILE_BYTES + 1).expect("a length");
    let source = open(&repo, Side::Worktree).source;
    assert_eq!(source.listing().kind(b"AGENTS.md"), Some(EntryKind::Special));
    assert_eq!(source.listing().kind(b"out"), Some(EntryKind::Symlink));
    assert_eq!(source.empty_dirs(), ["CLAUDE.md".into()]);
    for (path, expected) in [
        ("AGENTS.md", Err(SourceReadError::Special)),
        ("out/key.md", Err(SourceReadError::Missing)),
        ("file.md", Ok("../secret/key.md".to_owned())),
        ("loop", Ok("loop".to_owned())),
        ("dir.md", Err(SourceReadError::Directory)),
        ("CLAUDE.md", Err(SourceReadError::Directory)),
        ("real/x.md/deeper", Err(SourceReadError::Missing)),
        ("huge.md", Err(SourceReadError::TooLarge(MAX_FILE_BYTES + 1))),
    ] {
        assert_eq!(read(&*source, path), expected, "{path}");
    }
    assert_eq!(probe(&*source, "out/key.md"), Probe::Absent);
}

#[test]
fn a_huge_blob_is_not_read() {
    let repo = Repo::with_files([
        ("huge.md", vec![b'x'; MAX_FILE_BYTES as usize + 1]),
        ("most.md", vec![b'x'; MAX_FILE_BYTES as usize]),
    ]);
    for side in [Side::Index, head(), Side::Worktree] {
        let source = open(&repo, side).source;
        assert_eq!(read(&*source, "huge.md"), Err(SourceReadError::TooLarge(MAX_FILE_BYTES + 1)));
        assert_eq!(read(&*source, "most.md").map(|text| text.len() as u64), Ok(MAX_FILE_BYTES));
    }
}

#[test]
fn a_file_that_vanishes_is_missing_and_one_in_its_place_is_read() {
    let repo = Repo::with_files([("a.md", "1"), ("b.md", "1")]);
    let source = open(&repo, Side::Worktree).source;
    repo.remove("a.md").write("b.md", "2");
    assert_eq!(read(&*source, "a.md"), Err(SourceReadError::Missing));
    assert_eq!(read(&*source, "b.md"), Ok("2".to_owned()));
}

#[test]
fn a_damaged_object_is_a_failure_and_hides_no_other_file() {
    let repo = Repo::with_files([("a.md", "first"), ("b.md", "second")]);
    let id = repo.git(&["rev-parse", "HEAD:a.md"]);
    let object = repo.at(format!(".git/objects/{}/{}", &id[..2], id[2..].trim()));
    fs::remove_file(&object).expect("removed");
    let source = open(&repo, head()).source;
    let missing = read(&*source, "a.md");
    assert!(matches!(&missing, Err(SourceReadError::Failed(why)) if why.contains(id.trim())), "{missing:?}");
    assert_eq!(read(&*source, "b.md"), Ok("second".to_owned()));
    fs::write(&object, "not a zlib stream").expect("written");
    assert!(matches!(read(&*source, "a.md"), Err(SourceReadError::Failed(_))));
}

#[test]
fn unknown_revisions_are_named_with_a_suggestion() {
    let repo = Repo::with_files([("a.md", "1")]);
    repo.git(&["tag", "v1.0"]);
    for (revision, part) in [
        ("mian", "did you mean `main`"),
        ("v1.O", "did you mean `v1.0`"),
        ("no-such-thing", "git branch"),
        ("HEAD~7", "git branch"),
        ("--output=x", "git branch"),
        ("HEAD:a.md", "a tag of a commit"),
    ] {
        let error = try_open(&repo, repo.root(), Side::Commit(revision.to_owned()), &[]).err().expect("an error");
        assert!(error.message.contains(revision), "{error}");
        assert!(error.help.as_deref().is_some_and(|help| help.contains(part)), "{revision}: {:?}", error.help);
    }
    for revision in ["main", "v1.0", "@", "HEAD^0", ":/start", "main@{0}"] {
        let opened = try_open(&repo, repo.root(), Side::Commit(revision.to_owned()), &[]);
        assert!(opened.is_ok(), "{revision}: {:?}", opened.err());
    }
}

/// Small numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

#[test]
fn the_worktree_is_what_git_says_it_is() {
    const NAMES: [&str; 6] = ["a", "b", "c.md", "d.log", "build", ".e"];
    const PATTERNS: [&str; 18] = [
        "a",
        "b/",
        "/a",
        "*.log",
        "!d.log",
        "**/build",
        "build/",
        "a/b",
        "a/**",
        "!a/c.md",
        "/a/*/c.md",
        "[ab]",
        "?",
        "\\!x",
        "# no",
        ".e",
        "!b/",
        "a/**/c.md",
    ];
    let (mut listed_files, mut ignored_files) = (0, 0);
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let repo = Repo::new();
        for _ in 0..40 {
            let depth = 1 + dice.roll(4);
            let path: Vec<&str> = (0..depth).map(|_| dice.pick(&NAMES)).collect();
            let place = repo.at(path.join("/"));
            // A name may be a file already where a directory is wanted, or the other way round.
            let made = fs::create_dir_all(place.parent().expect("a parent")).and_then(|()| fs::write(&place, "x"));
            drop(made);
        }
        for dir in ["", "a/", "b/", "a/b/"] {
            if repo.at(dir).is_dir() && dice.roll(3) > 0 {
                let lines: Vec<&str> = (0..1 + dice.roll(4)).map(|_| dice.pick(&PATTERNS)).collect();
                repo.write(format!("{dir}.gitignore"), lines.join("\n"));
            }
        }
        for _ in 0..dice.roll(3) {
            let tracked = dice.pick(&NAMES);
            repo.try_git_in(repo.root(), &["add", "--force", tracked]);
        }
        let listing = ["ls-files", "-z", "--cached", "--others", "--exclude-per-directory=.gitignore"];
        let mut expected: Vec<String> = repo.git(&listing).split_terminator('\0').map(str::to_owned).collect();
        expected.sort();
        expected.dedup();
        let source = open(&repo, Side::Worktree).source;
        assert_eq!(listed(&*source), expected, "seed {seed}");
        // What lies there and is not listed is ignored, and the source knows it.
        for dir in ["", "a/", "b/", "a/b/"] {
            for name in NAMES {
                let path = format!("{dir}{name}");
                if repo.at(&path).is_file() && !expected.contains(&path) {
                    assert_eq!(probe(&*source, &path), Probe::Ignored, "seed {seed}: {path}");
                    ignored_files += 1;
                }
            }
        }
        listed_files += expected.len();
    }
    assert!(listed_files > 300 && ignored_files > 20, "{listed_files} {ignored_files}");
}

#[test]
fn what_is_staged_is_what_git_says_is_staged() {
    use hintlint::source::{Base, ChangeKind};

    const NAMES: [&str; 5] = ["a", "b", "c.md", "c-d", "c"];
    let mut counts = [0; 4];
    for seed in 0..30 {
        let mut dice = Dice(seed);
        let repo = Repo::new();
        for _ in 0..25 {
            let path: Vec<&str> = (0..1 + dice.roll(4)).map(|_| dice.pick(&NAMES)).collect();
            let place = repo.at(path.join("/"));
            let made = fs::create_dir_all(place.parent().expect("a parent")).and_then(|()| fs::write(&place, "x"));
            drop(made);
        }
        repo.commit("start");
        let tracked: Vec<String> = repo.git(&["ls-files"]).lines().map(str::to_owned).collect();
        // Most runs do one kind of thing, so that nothing looks like a rename.
        for _ in 0..1 + dice.roll(3) {
            let path = &tracked[dice.roll(tracked.len())];
            match (seed as usize + dice.roll(7) / 6) % 4 {
                0 => _ = repo.try_git_in(repo.root(), &["rm", "-q", "--cached", path.as_str()]),
                1 => _ = repo.try_git_in(repo.root(), &["update-index", "--chmod=+x", path.as_str()]),
                2 => _ = repo.write(path, format!("{seed}")).git(&["add", path]),
                _ => _ = repo.write(format!("{path}-new/x"), "new").git(&["add", "--all"]),
            }
        }
        let listed = repo.git(&["diff-index", "--cached", "-M", "--name-status", "-z", "HEAD"]);
        let changes = open(&repo, Side::Index).changes(&Base::Previous).expect("comparable").list;
        let letter = |kind: &ChangeKind| match kind {
            ChangeKind::Added => "A",
            ChangeKind::Modified => "M",
            ChangeKind::Deleted => "D",
            ChangeKind::Renamed { .. } => "R",
        };
        let mut ours: Vec<(&str, String)> =
            changes.iter().map(|change| (letter(&change.kind), change.path.to_str_lossy().into_owned())).collect();
        let mut theirs: Vec<(&str, String)> = Vec::new();
        let mut words = listed.split_terminator('\0');
        while let (Some(status), Some(path)) = (words.next(), words.next()) {
            let path = if status.starts_with('R') { words.next().expect("the new path") } else { path };
            theirs.push((&status[..1], path.to_owned()));
        }
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "seed {seed}");
        for (kind, count) in ["A", "M", "D", "R"].iter().zip(&mut counts) {
            *count += ours.iter().filter(|(ours, _)| ours == kind).count();
        }
    }
    assert!(counts[..3].iter().all(|&count| count > 5), "{counts:?}");
}
