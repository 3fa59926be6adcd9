//! What happens when somebody swaps folders, files and links while a file is written or read: before each system call that
//! names a file, one after the other, a test changes the tree.

use std::cell::RefCell;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::*;

thread_local! {
    static INTERFERENCE: RefCell<Option<Box<dyn FnMut()>>> = const { RefCell::new(None) };
}

/// Called before each system call that names a file.
pub(super) fn step() {
    // Taken out meanwhile, since the interference may use what it interferes with.
    if let Some(mut interfere) = INTERFERENCE.take() {
        interfere();
        INTERFERENCE.set(Some(interfere));
    }
}

/// Two names below the top of the tree that change places.
type Swap = (&'static str, &'static str);

/// A repository, a folder beside it that looks the same, and links in the one to the other.
fn world() -> (tempfile::TempDir, WriteRoot) {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["repo/docs/sub", "repo/real", "outside/sub"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    for file in ["repo/a.md", "repo/docs/a.md", "repo/docs/sub/a.md", "outside/a.md", "outside/sub/a.md"] {
        fs::write(dir.path().join(file), "old").unwrap();
    }
    for (link, text) in [
        ("repo/docs.link", "../outside"),
        ("repo/docs/sub.link", "../../outside/sub"),
        ("repo/docs/a.link", "../../outside/a.md"),
        ("repo/docs/sub/a.link", "../../../outside/a.md"),
        ("repo/inside", "docs/sub"),
        ("repo/inside.link", "../outside/sub"),
        ("repo/inside.md", "docs/sub/a.md"),
        ("repo/inside.md.link", "../outside/a.md"),
    ] {
        symlink(text, dir.path().join(link)).unwrap();
    }
    let root = WriteRoot::new(&dir.path().join("repo")).unwrap();
    (dir, root)
}

/// Everything in the folder outside, with the bytes of files.
fn outside(top: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut folders = vec![top.join("outside")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path.clone());
            }
            found.push((path.clone(), fs::read(path).ok()));
        }
    }
    found.sort();
    found
}

/// Run `act` with the swap before step number `first`, and back before step `second`. Answers whether `act` got so far.
fn interfered(swap: Swap, first: usize, second: Option<usize>, act: impl Fn(&WriteRoot)) -> bool {
    let (dir, root) = world();
    let before = outside(dir.path());
    let top = dir.path().to_owned();
    let exchange = move || {
        // One of the two may be gone by now.
        let _ = renameat_with(CWD, top.join(swap.0), CWD, top.join(swap.1), RenameFlags::EXCHANGE);
    };
    let reached = std::rc::Rc::new(std::cell::Cell::new(0));
    let count = reached.clone();
    INTERFERENCE.set(Some(Box::new(move || {
        if count.get() == first || Some(count.get()) == second {
            exchange();
        }
        count.set(count.get() + 1);
    })));
    act(&root);
    INTERFERENCE.set(None);
    assert_eq!(outside(dir.path()), before, "{swap:?} before steps {first} and {second:?}");
    reached.get() > second.unwrap_or(first)
}

/// Swap before each step while `act` runs: for good, for one step, and for two.
fn check(swap: Swap, act: impl Fn(&WriteRoot)) {
    let mut steps = 0;
    while interfered(swap, steps, None, &act) {
        for second in [steps + 1, steps + 2] {
            interfered(swap, steps, Some(second), &act);
        }
        steps += 1;
    }
    assert!(steps >= 4, "the test must interfere: {steps} steps");
}

/// What is swapped on the way to a file that exists.
const WAYS: [(Swap, &str); 6] = [
    (("repo/docs", "repo/docs.link"), "docs/sub/a.md"),
    (("repo/docs/sub", "repo/docs/sub.link"), "docs/sub/a.md"),
    (("repo/docs/sub/a.md", "repo/docs/sub/a.link"), "docs/sub/a.md"),
    (("repo/docs", "repo/docs.link"), "inside/a.md"),
    (("repo/inside", "repo/inside.link"), "inside/a.md"),
    (("repo/inside.md", "repo/inside.md.link"), "inside.md"),
];

#[test]
fn replacing_stays_inside_whatever_is_swapped() {
    for (swap, path) in WAYS {
        check(swap, |root| drop(root.replace(&path.into(), b"old", b"new")));
    }
}

#[test]
fn creating_stays_inside_whatever_is_swapped() {
    for &(swap, path) in &WAYS[..5] {
        let new = path.replace("a.md", "deep/new.md");
        check(swap, |root| drop(root.create(&new.as_str().into(), b"new")));
        check(swap, |root| drop(root.put(&path.into(), b"new")));
        check(swap, |root| drop(root.lock_file(&path.into())));
    }
}

#[test]
fn deleting_stays_inside_whatever_is_swapped() {
    for &(swap, path) in &WAYS[..5] {
        check(swap, |root| drop(root.delete(&path.into(), b"old", b"")));
    }
}

#[test]
fn reading_stays_inside_whatever_is_swapped() {
    use std::os::unix::fs::MetadataExt as _;
    let file = |found: &Metadata| (found.dev(), found.ino());
    for (swap, path) in WAYS {
        check(swap, |root| {
            let Ok((_, found)) = root.open_file(&path.into()) else { return };
            for outside in ["../outside/a.md", "../outside/sub/a.md"] {
                let outside = fs::metadata(root.path.join(outside)).unwrap();
                assert_ne!(file(&found), file(&outside), "{swap:?}: {path} was read outside");
            }
        });
    }
}

#[test]
fn a_file_that_the_user_names_stays_inside_whatever_is_swapped() {
    for (swap, path) in WAYS {
        check(swap, |root| drop(whole(&root.path.join(path), Some(&root.path), b"new")));
        check(swap, |root| drop(append(&root.path.join(path), Some(&root.path), b"new")));
    }
}

#[test]
fn leftovers_are_removed_inside_only() {
    let name = crate::base::path::temporary_name(1, 2);
    let (dir, root) = world();
    fs::write(dir.path().join("outside").join(&name), "theirs").unwrap();
    let top = dir.path().to_owned();
    let mut steps = 0;
    INTERFERENCE.set(Some(Box::new(move || {
        // Folder and link change places before each second step.
        steps += 1;
        if steps % 2 == 0 {
            let (docs, link) = (top.join("repo/docs"), top.join("repo/docs.link"));
            renameat_with(CWD, docs, CWD, link, RenameFlags::EXCHANGE).unwrap();
        }
    })));
    for _ in 0..8 {
        let _ = root.replace(&"docs/a.md".into(), b"old", b"new");
    }
    INTERFERENCE.set(None);
    assert_eq!(fs::read(dir.path().join("outside").join(name)).unwrap(), b"theirs");
}
