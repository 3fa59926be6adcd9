//! What happens to files when nobody interferes.

use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

struct TestFolder {
    dir: tempfile::TempDir,
    root: WriteRoot,
}

impl TestFolder {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("repo")).unwrap();
        let root = WriteRoot::new(&dir.path().join("repo")).unwrap();
        TestFolder { dir, root }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join("repo").join(path)
    }

    fn put(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    fn replace(&self, path: &str, before: &str, after: &str) -> Result<Written, WriteProblem> {
        self.root.replace(&path.into(), before.as_bytes(), after.as_bytes()).map_err(|error| error.problem)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn mode_and_bytes_are_kept() {
    let folder = TestFolder::new();
    folder.put("a.md", "old\r\n");
    fs::set_permissions(folder.at("a.md"), fs::Permissions::from_mode(0o751)).unwrap();
    assert_eq!(folder.replace("a.md", "old\r\n", "\u{feff}new\r\n").unwrap(), Written::Changed);
    assert_eq!(folder.read("a.md"), "\u{feff}new\r\n");
    assert_eq!(fs::metadata(folder.at("a.md")).unwrap().permissions().mode() & 0o777, 0o751);
    assert_eq!(folder.replace("a.md", "whatever", "\u{feff}new\r\n").unwrap(), Written::Unchanged);
    assert_eq!(folder.names(""), ["a.md"]);
}

#[test]
fn a_file_that_changed_is_left_alone() {
    let folder = TestFolder::new();
    folder.put("a.md", "theirs");
    assert!(matches!(folder.replace("a.md", "read", "new"), Err(WriteProblem::ChangedSinceRead)));
    assert!(matches!(folder.replace("b.md", "read", "new"), Err(WriteProblem::Missing)));
    assert_eq!(folder.read("a.md"), "theirs");
    assert_eq!(folder.names(""), ["a.md"]);
}

#[test]
fn links_are_followed_inside_the_root_only() {
    let folder = TestFolder::new();
    folder.put("docs/a.md", "old");
    fs::create_dir(folder.at("../repo-x")).unwrap();
    fs::write(folder.at("../repo-x/b.md"), "old").unwrap();
    folder.put(".git/config", "old");
    for (link, target) in [
        ("in.md", "docs/a.md"),
        ("out.md", "../repo-x/b.md"),
        ("x", "../repo-x"),
        ("git.md", ".git/config"),
        ("loop.md", "loop.md"),
        ("dangling.md", "none"),
    ] {
        symlink(target, folder.at(link)).unwrap();
    }
    assert_eq!(folder.replace("in.md", "old", "new").unwrap(), Written::Changed);
    assert!(fs::symlink_metadata(folder.at("in.md")).unwrap().is_symlink());
    assert_eq!(folder.read("docs/a.md"), "new");
    let gits = [".GIT/config", ".git\u{200c}/config", "git~1/config", ".git./config"];
    gits.iter().for_each(|path| folder.put(path, "old"));
    let others = ["out.md", "x/b.md", "git.md", ".git/config", "../repo-x/b.md", "/etc/passwd"];
    for path in others.into_iter().chain(gits) {
        assert!(matches!(folder.replace(path, "old", "new"), Err(WriteProblem::Outside)), "{path}");
    }
    assert!(matches!(
        folder.root.create(&"x/new.md".into(), b"x"),
        Err(WriteError { problem: WriteProblem::Outside, .. })
    ));
    assert!(matches!(folder.replace("loop.md", "old", "new"), Err(WriteProblem::Io(..))));
    assert!(matches!(folder.replace("dangling.md", "old", "new"), Err(WriteProblem::Missing)));
    assert_eq!(fs::read_to_string(folder.at("../repo-x/b.md")).unwrap(), "old");
}

#[test]
fn a_link_that_names_the_way_to_the_root_is_followed() {
    let folder = TestFolder::new();
    folder.put("docs/a.md", "1");
    symlink(folder.at(""), folder.at("../alias")).unwrap();
    let targets = [folder.at("docs/a.md"), folder.at("../alias/docs/a.md"), "../repo/docs/a.md".into()];
    for (number, target) in targets.iter().enumerate() {
        let link = format!("{number}.md");
        symlink(target, folder.at(&link)).unwrap();
        let (before, after) = ((number + 1).to_string(), (number + 2).to_string());
        assert_eq!(folder.replace(&link, &before, &after).unwrap(), Written::Changed, "{}", target.display());
        assert_eq!(folder.read("docs/a.md"), after);
    }
    assert!(matches!(folder.replace("0.md/x", "", ""), Err(WriteProblem::NotAFolder(_))));
}

#[test]
fn what_a_user_names_is_written_wherever_it_is() {
    let folder = TestFolder::new();
    let (root, out) = (folder.at(""), folder.at("../out"));
    fs::create_dir(&out).unwrap();
    folder.put("docs/report", "old");
    symlink("docs/report", folder.at("inside")).unwrap();
    symlink("../../out/report", folder.at("docs/link")).unwrap();
    symlink("../out", folder.at("folder")).unwrap();
    symlink("../.git/config", folder.at("docs/config")).unwrap();
    folder.put(".git/config", "git's");
    symlink("report", out.join("link")).unwrap();
    for place in ["inside", "../out/report", "../out/link", "docs/../../out/more", ".git/report", "new"] {
        whole(&root.join(place), Some(&root), place.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(root.join(place)).unwrap(), place);
    }
    assert_eq!(folder.read("docs/report"), "inside");
    assert!(fs::symlink_metadata(out.join("link")).unwrap().is_symlink());
    for place in ["docs/link", "folder/report", "folder/x", "docs/config", "docs", "docs/report/x"] {
        let refused = whole(&root.join(place), Some(&root), b"theirs");
        assert!(refused.is_err() && append(&root.join(place), Some(&root), b"theirs").is_err(), "{place}");
    }
    assert_eq!((folder.read("../out/report"), folder.read(".git/config")), ("../out/link".into(), "git's".into()));
    assert!(!out.join("x").exists());
    append(&out.join("summary"), Some(&root), b"a").unwrap();
    append(&out.join("summary"), Some(&root), b"b").unwrap();
    assert_eq!(folder.read("../out/summary"), "ab");
    whole(Path::new("/dev/null"), Some(&root), b"x").unwrap();
}

#[test]
fn rights_of_an_owner_are_not_given_away() {
    let folder = TestFolder::new();
    folder.put("a.md", "old");
    fs::set_permissions(folder.at("a.md"), fs::Permissions::from_mode(0o6755)).unwrap();
    folder.replace("a.md", "old", "new").unwrap();
    assert_eq!(fs::metadata(folder.at("a.md")).unwrap().permissions().mode() & 0o7777, 0o755);
}

#[test]
fn leftovers_are_removed_and_nothing_else() {
    let folder = TestFolder::new();
    let name = |number| crate::base::path::temporary_name(7, number);
    folder.put("docs/a.md", "old");
    for left in [name(1), name(2)] {
        folder.put(&format!("docs/{left}"), "ol");
    }
    let running = File::open(folder.at(&format!("docs/{}", name(2)))).unwrap();
    running.try_lock().unwrap();
    folder.put("docs/.hintlint-notes.tmp", "the user's");
    folder.put(&format!("{}.md", name(3)), "the user's");
    fs::create_dir(folder.at(&format!("docs/{}", name(4)))).unwrap();
    symlink("a.md", folder.at(&format!("docs/{}", name(5)))).unwrap();
    folder.replace("docs/a.md", "old", "new").unwrap();
    let mut expected = vec![".hintlint-notes.tmp".to_owned(), name(2), name(4), name(5), "a.md".into()];
    expected.sort();
    assert_eq!(folder.names("docs"), expected);
    drop(running);
    folder.root.delete(&"docs/a.md".into(), b"new", b"").unwrap();
    expected.retain(|kept| *kept != name(2) && kept != "a.md");
    assert_eq!(folder.names("docs"), expected);
}

#[test]
fn two_runs_in_one_folder_leave_each_other_alone() {
    let folder = TestFolder::new();
    folder.put("a.md", "");
    std::thread::scope(|scope| {
        for run in 0..4 {
            let root = WriteRoot::new(&folder.at("")).unwrap();
            scope.spawn(move || {
                for number in 0..25 {
                    root.create(&format!("{run}-{number}.md").as_str().into(), b"x").unwrap();
                }
            });
        }
    });
    assert_eq!(folder.names("").len(), 101);
}

#[test]
fn special_files_are_never_opened() {
    let folder = TestFolder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.at("fifo.md")).status().unwrap();
    assert!(made.success());
    fs::create_dir(folder.at("dir.md")).unwrap();
    for path in ["fifo.md", "dir.md"] {
        assert!(matches!(folder.replace(path, "", "new"), Err(WriteProblem::NotAFile)), "{path}");
        assert!(matches!(
            folder.root.create(&path.into(), b""),
            Err(WriteError { problem: WriteProblem::NotAFile, .. })
        ));
        assert!(matches!(
            folder.root.delete(&path.into(), b"", b""),
            Err(WriteError { problem: WriteProblem::NotAFile, .. })
        ));
    }
}

#[test]
fn a_read_only_folder_gives_an_error_and_keeps_no_rest() {
    let folder = TestFolder::new();
    folder.put("docs/a.md", "old");
    fs::set_permissions(folder.at("docs"), fs::Permissions::from_mode(0o555)).unwrap();
    let error = folder.root.replace(&"docs/a.md".into(), b"old", b"new").unwrap_err();
    assert!(matches!(error.problem, WriteProblem::ReadOnlyFolder(_)));
    assert!(error.to_string().contains("read-only"), "{error}");
    assert!(matches!(
        folder.root.create(&"docs/b/c.md".into(), b""),
        Err(WriteError { problem: WriteProblem::ReadOnlyFolder(_), .. })
    ));
    assert_eq!(folder.names("docs"), ["a.md"]);
    fs::set_permissions(folder.at("docs"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(folder.at("docs/a.md"), fs::Permissions::from_mode(0o444)).unwrap();
    assert!(matches!(folder.replace("docs/a.md", "old", "new"), Err(WriteProblem::ReadOnlyFile)));
    assert_eq!(folder.read("docs/a.md"), "old");
}

#[test]
fn creating_makes_folders_and_never_replaces() {
    let folder = TestFolder::new();
    assert_eq!(folder.root.create(&"a/b/c.md".into(), b"x").unwrap(), Written::Changed);
    assert_eq!(folder.root.create(&"a/b/c.md".into(), b"x").unwrap(), Written::Unchanged);
    assert!(matches!(
        folder.root.create(&"a/b/c.md".into(), b"y"),
        Err(WriteError { problem: WriteProblem::Exists, .. })
    ));
    assert!(folder.root.create(&"a/b/c.md/d.md".into(), b"y").is_err());
    assert_eq!(folder.read("a/b/c.md"), "x");
    let mode = fs::metadata(folder.at("a/b/c.md")).unwrap().permissions().mode();
    fs::write(folder.at("plain"), "").unwrap();
    assert_eq!(mode, fs::metadata(folder.at("plain")).unwrap().permissions().mode(), "the umask decides");
}

#[test]
fn deleting_takes_empty_folders_along() {
    let folder = TestFolder::new();
    folder.put("out/a/b/c.md", "x");
    folder.put("out/a/keep.md", "x");
    let delete = |path: &str, bytes: &[u8]| folder.root.delete(&path.into(), bytes, b"out");
    assert!(matches!(delete("out/a/b/c.md", b"y"), Err(WriteError { problem: WriteProblem::ChangedSinceRead, .. })));
    delete("out/a/b/c.md", b"x").unwrap();
    assert_eq!(folder.names("out/a"), ["keep.md"]);
    delete("out/a/keep.md", b"x").unwrap();
    assert_eq!(folder.names("out"), Vec::<String>::new());
    symlink("a", folder.at("out/l.md")).unwrap();
    assert!(matches!(delete("out/l.md", b""), Err(WriteError { problem: WriteProblem::NotAFile, .. })));
}
