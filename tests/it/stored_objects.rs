//! The ways in which git stores objects: whichever it is, a commit holds the same bytes, and where an object cannot be read it
//! is named and the others are read. Git itself makes each of them.

use std::fs;
use std::path::{Path, PathBuf};

use hintlint::source::{MAX_FILE_BYTES, ReadError, Side};

use crate::sources::{content, head, open, try_open};
use crate::support::Repo;

/// Files that were changed often, so that packs keep most versions as deltas.
fn changed_often() -> Repo {
    let repo = Repo::new();
    let lines = |upto: usize| (0..upto).map(|line| format!("line {line} of many\n")).collect::<String>();
    for version in 1..=30 {
        for file in 0..4 {
            repo.write(format!("docs/d{file}/AGENTS.md"), format!("# File {file}\n\n{}", lines(version * 10)));
        }
        repo.write("CLAUDE.md", format!("version {version}\n"));
        repo.commit(&format!("version {version}"));
    }
    repo
}

/// The files of a pack folder whose names end in `end`, the smallest first.
fn packs(repo: &Repo, end: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(repo.at(".git/objects/pack")).expect("a folder").map(|file| file.expect("a file").path());
    let mut packs: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|ending| ending == end)).collect();
    packs.sort_by_key(|file| fs::metadata(file).expect("metadata").len());
    packs
}

/// Let some bytes of a file, which git has made unwritable, be replaced.
fn overwrite(file: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(file).expect("a file");
    change(&mut bytes);
    fs::remove_file(file).expect("removed");
    fs::write(file, bytes).expect("written");
}

type Step<'s> = &'s dyn Fn(&Repo);

#[test]
fn however_objects_are_stored_they_are_the_same() {
    // Two packs, of which the second holds the newest commits.
    let two_packs = |repo: &Repo| {
        repo.git(&["checkout", "-q", "--detach", "HEAD~5"]);
        repo.git(&["branch", "-q", "-f", "newest", "main"]);
        repo.git(&["repack", "-dq"]);
        repo.git(&["checkout", "-q", "main"]);
        repo.write("later.md", "a later file\n").commit("later");
        repo.git(&["repack", "-dq"]);
        assert_eq!(packs(repo, "pack").len(), 2);
    };
    let forms: [(&str, Step<'_>); 11] = [
        ("loose", &|_| ()),
        ("loose and not compressed", &|repo| {
            repo.git(&["config", "core.looseCompression", "0"]);
            repo.write("later.md", "a later file\n").commit("later");
        }),
        ("packed", &|repo| drop(repo.git(&["repack", "-adfq"]))),
        ("long chains of deltas", &|repo| drop(repo.git(&["repack", "-adfq", "--depth=500", "--window=50"]))),
        ("deltas that name their base", &|repo| {
            repo.git(&["-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq"]);
        }),
        ("an old pack index", &|repo| drop(repo.git(&["-c", "pack.indexVersion=1", "repack", "-adfq"]))),
        ("two packs", &two_packs),
        ("an index of many packs", &|repo| {
            two_packs(repo);
            repo.git(&["multi-pack-index", "write"]);
        }),
        ("an index of packs that are gone", &|repo| {
            two_packs(repo);
            repo.git(&["multi-pack-index", "write"]);
            let index = repo.at(".git/objects/pack/multi-pack-index");
            let kept = fs::read(&index).expect("an index");
            repo.git(&["repack", "-adfq"]);
            fs::write(&index, kept).expect("written");
        }),
        ("a pack index without its pack", &|repo| {
            two_packs(repo);
            let index = packs(repo, "idx").remove(0);
            let name = format!(".git/objects/pack/pack-{}.idx", "0".repeat(40));
            fs::copy(index, repo.at(name)).expect("copied");
        }),
        ("alternates of alternates", &|repo| {
            repo.git(&["repack", "-adfq"]);
            let (one, two) = (repo.beside("one"), repo.beside("two"));
            fs::create_dir_all(one.join("info")).expect("a folder");
            fs::rename(repo.at(".git/objects/pack"), one.join("pack")).expect("moved");
            fs::create_dir_all(two.join("info")).expect("a folder");
            fs::write(two.join("info/alternates"), "../one\n").expect("written");
            repo.write(".git/objects/info/alternates", format!("# shared\n{}\n", two.display()));
        }),
    ];
    for (name, change) in forms {
        let repo = changed_often();
        change(&repo);
        let expected = content(&*open(&repo, Side::Worktree).source);
        assert!(expected.len() >= 5, "{name}");
        assert!(content(&*open(&repo, head()).source) == expected, "{name}");
        // An older commit is listed from its trees, not from the index.
        let old = open(&repo, Side::Commit("HEAD~9".to_owned())).source;
        for file in 0..4 {
            let path = format!("docs/d{file}/AGENTS.md");
            let text = repo.git(&["show", &format!("HEAD~9:{path}")]);
            let read = old.read(&path.as_str().into()).expect("it is read");
            assert!(*read == *text.as_bytes(), "{name}: {path}");
        }
    }
}

#[test]
fn a_large_file_is_told_by_its_size_wherever_it_lies() {
    let repo = Repo::new();
    let text = |size: u64| (0..size).map(|at| b"abcdefgh\n"[(at % 9) as usize]).collect::<Vec<u8>>();
    let size = |source: &dyn hintlint::source::Source, path: &str| match source.read(&path.into()) {
        Ok(bytes) => Ok(bytes.len() as u64),
        Err(error) => Err(error),
    };
    for (path, more) in [("a.md", 5000), ("b.md", 1)] {
        repo.write(path, text(MAX_FILE_BYTES + more)).write(format!("most-{path}"), text(MAX_FILE_BYTES + 1 - more));
    }
    repo.commit("large");
    let expected = ["a.md", "b.md", "most-a.md", "most-b.md"].map(|path| match path {
        "a.md" => Err(ReadError::TooLarge(MAX_FILE_BYTES + 5000)),
        "b.md" => Err(ReadError::TooLarge(MAX_FILE_BYTES + 1)),
        "most-a.md" => Ok(MAX_FILE_BYTES + 1 - 5000),
        _ => Ok(MAX_FILE_BYTES),
    });
    for form in ["loose", "packed", "deltas"] {
        match form {
            "packed" => drop(repo.git(&["-c", "pack.window=0", "repack", "-adfq"])),
            "deltas" => drop(repo.git(&["repack", "-adfq"])),
            _ => {}
        }
        let source = open(&repo, head()).source;
        let read = ["a.md", "b.md", "most-a.md", "most-b.md"].map(|path| size(&*source, path));
        assert_eq!(read, expected, "{form}");
    }
}

#[test]
fn a_damaged_pack_is_an_error_and_nothing_worse() {
    let repo = changed_often();
    let expected = content(&*open(&repo, head()).source);
    // Without compression a damaged byte is one of the text's, and only a checksum tells.
    for compression in ["0", "9"] {
        repo.git(&["-c", &format!("pack.compression={compression}"), "repack", "-adFq"]);
        let pack = packs(&repo, "pack").remove(0);
        let whole = fs::read(&pack).expect("a pack");
        let mut damaged = 0;
        // Some byte in every part of the pack, behind its header.
        for at in (12..whole.len() - 20).step_by(whole.len() / 60) {
            overwrite(&pack, |bytes| {
                bytes.clone_from(&whole);
                bytes[at] ^= 0x15;
            });
            damaged += usize::from(is_told(&repo, &expected));
        }
        assert!(damaged > 3, "{damaged}");
        for length in [0, 11, 12, whole.len() / 2] {
            overwrite(&pack, |bytes| *bytes = whole[..length].to_vec());
            assert!(is_told(&repo, &expected), "{length} bytes");
        }
        overwrite(&pack, |bytes| *bytes = whole);
    }
}

/// Whether the newest commit is told to be damaged. Without a commit or a tree there is nothing; without a file the others are
/// read, and nothing is ever read that was not `expected`.
fn is_told(repo: &Repo, expected: &[String]) -> bool {
    match try_open(repo, repo.root(), head(), &[]) {
        Ok(opened) => {
            let lines = content(&*opened.source);
            let is_told = |line: &String| line.contains("cannot be read: ");
            for (line, whole) in lines.iter().zip(expected) {
                assert!(is_told(line) || line == whole, "{line}");
            }
            lines.iter().any(is_told)
        }
        Err(error) => {
            assert!(error.help.is_some_and(|help| help.contains("git fsck")), "{}", error.message);
            true
        }
    }
}

#[test]
fn a_damaged_loose_object_is_an_error_and_nothing_worse() {
    let text = (0..300).map(|line| format!("line {line} of many\n")).collect::<String>();
    let repo = Repo::with_files([("a/AGENTS.md", text.as_str()), ("b.md", "another file\n")]);
    let expected = content(&*open(&repo, head()).source);
    repo.remove(".git/index");
    for name in ["HEAD:a/AGENTS.md", "HEAD:a", "HEAD^{tree}"] {
        let id = repo.git(&["rev-parse", name]);
        let object = repo.at(format!(".git/objects/{}/{}", &id[..2], id[2..].trim()));
        let whole = fs::read(&object).expect("an object");
        let step = whole.len().div_ceil(15);
        let flipped = (0..whole.len()).step_by(step).map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            bytes
        });
        let cut = (0..whole.len()).step_by(step).map(|length| whole[..length].to_vec());
        let mut told = 0;
        for damaged in flipped.chain(cut) {
            overwrite(&object, |bytes| bytes.clone_from(&damaged));
            told += usize::from(is_told(&repo, &expected));
        }
        assert!(told > 20, "{name}: {told}");
        overwrite(&object, |bytes| bytes.clone_from(&whole));
    }
}
