//! The ways in which git stores objects: whichever it is, a commit holds the same bytes, and where an object cannot be read it
//! is named and the others are read. Git itself makes each of them.

use std::fs;
use std::path::{Path, PathBuf};

use hintlint::source::{MAX_FILE_BYTES, Side, SourceReadError};

use crate::sources::{content, head, open, open_without_git, try_open};
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

/// The file of an object that is not packed.
fn loose(repo: &Repo, name: &str) -> PathBuf {
    let id = repo.git(&["rev-parse", name]);
    repo.at(format!(".git/objects/{}/{}", &id[..2], id[2..].trim()))
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
    let alternates = |repo: &Repo, text: String| {
        repo.write(".git/objects/info/alternates", text);
    };
    let forms: [(&str, Step<'_>); 16] = [
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
            alternates(repo, format!("# shared\n{}\n", two.display()));
        }),
        ("alternates that lead in a circle", &|repo| {
            repo.git(&["repack", "-adfq"]);
            let other = repo.beside("other");
            fs::create_dir_all(other.join("info")).expect("a folder");
            fs::rename(repo.at(".git/objects/pack"), other.join("pack")).expect("moved");
            fs::write(other.join("info/alternates"), format!("{}\n", repo.at(".git/objects").display()))
                .expect("written");
            alternates(repo, format!("{}\n", other.display()));
        }),
        ("itself as an alternate", &|repo| alternates(repo, format!("{}\n", repo.at(".git/objects").display()))),
        ("an alternate that is not there", &|repo| alternates(repo, "/there/is/no/such/folder\n".to_owned())),
        ("an alternate that is a file", &|repo| alternates(repo, format!("{}\n", repo.at("CLAUDE.md").display()))),
        ("links to packs", &|repo| {
            repo.git(&["repack", "-adfq"]);
            let elsewhere = repo.beside("elsewhere");
            fs::rename(repo.at(".git/objects/pack"), &elsewhere).expect("moved");
            fs::create_dir(repo.at(".git/objects/pack")).expect("a folder");
            for file in fs::read_dir(&elsewhere).expect("a folder").map(|file| file.expect("a file")) {
                let link = repo.at(".git/objects/pack").join(file.file_name());
                std::os::unix::fs::symlink(file.path(), link).expect("a link");
            }
        }),
    ];
    for (name, change) in forms {
        let repo = changed_often();
        change(&repo);
        let expected = content(&*open(&repo, Side::Worktree).source);
        assert!(expected.len() >= 5, "{name}");
        assert!(content(&*open(&repo, head()).source) == expected, "{name}");
        // gitoxide refuses these, and the git program reads them.
        let needs_git = [
            "alternates of alternates",
            "alternates that lead in a circle",
            "itself as an alternate",
            "an alternate that is a file",
            "links to packs",
        ]
        .contains(&name);
        if !needs_git {
            for side in [Side::Index, head()] {
                let without = open_without_git(&repo, side).expect("opens");
                assert!(content(&*without.source) == expected, "{name}, without git");
            }
        }
        let old = open(&repo, Side::Commit("HEAD~9".to_owned()));
        for file in 0..4 {
            let path = format!("docs/d{file}/AGENTS.md");
            let text = repo.git(&["show", &format!("HEAD~9:{path}")]);
            let read = old.source.read(&path.as_str().into()).expect("it is read");
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
        "a.md" => Err(SourceReadError::TooLarge(MAX_FILE_BYTES + 5000)),
        "b.md" => Err(SourceReadError::TooLarge(MAX_FILE_BYTES + 1)),
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
        // One thread, or which objects are deltas would be up to chance.
        let compression = format!("pack.compression={compression}");
        repo.git(&["-c", "pack.threads=1", "-c", &compression, "repack", "-adFq"]);
        let pack = packs(&repo, "pack").remove(0);
        let whole = fs::read(&pack).expect("a pack");
        let mut damaged = 0;
        // Some byte in every part of the pack, behind its header.
        for at in (12..whole.len() - 20).step_by(whole.len() / 120) {
            overwrite(&pack, |bytes| {
                bytes.clone_from(&whole);
                bytes[at] ^= 0x15;
            });
            damaged += usize::from(is_told(&repo, &expected));
        }
        assert!(damaged > 3, "{damaged}");
        for length in [0, 11, 12, 100, whole.len() / 2] {
            overwrite(&pack, |bytes| *bytes = whole[..length].to_vec());
            // The newest objects come first, and may all be whole.
            assert!(is_told(&repo, &expected) || length > 100, "{length} bytes");
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
            assert_eq!(lines.len(), expected.len());
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
    for name in ["HEAD:a/AGENTS.md", "HEAD:a", "HEAD^{tree}", "HEAD"] {
        let object = loose(&repo, name);
        let whole = fs::read(&object).expect("an object");
        let step = whole.len().div_ceil(15);
        let flipped = (0..whole.len()).step_by(step).map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            bytes
        });
        let cut = (0..whole.len()).step_by(step).map(|length| whole[..length].to_vec());
        // Another object's bytes: git reads them without a word.
        let other = std::iter::once(fs::read(loose(&repo, "HEAD:b.md")).expect("an object"));
        let mut told = 0;
        for damaged in flipped.chain(cut).chain(other) {
            overwrite(&object, |bytes| bytes.clone_from(&damaged));
            told += usize::from(is_told(&repo, &expected));
        }
        assert!(told > 20, "{name}: {told}");
        overwrite(&object, |bytes| bytes.clone_from(&whole));
    }
}

#[test]
fn without_git_damaged_objects_are_failures_and_hide_no_others() {
    let text = |name: &str| (0..300).map(|line| format!("line {line} of {name}\n")).collect::<String>();
    let names = ["a.md", "b.md", "c.md", "d.md"];
    let repo = Repo::with_files(names.map(|name| (name, text(name))));
    let objects = ["a.md", "c.md", "d.md"].map(|name| loose(&repo, &format!("HEAD:{name}")));
    overwrite(&objects[0], |bytes| bytes.truncate(bytes.len() / 2));
    // Another object's bytes.
    let other = fs::read(loose(&repo, "HEAD:b.md")).expect("an object");
    overwrite(&objects[1], |bytes| *bytes = other);
    let opened = open_without_git(&repo, Side::Index).expect("opens");
    let read = names.map(|name| opened.source.read(&name.into()).map(|bytes| bytes.len()));
    for number in [0, 2] {
        assert!(
            matches!(&read[number], Err(SourceReadError::Failed(why)) if why.contains("cannot be read")),
            "{read:?}"
        );
    }
    assert_eq!([&read[1], &read[3]], [&Ok(text("b.md").len()), &Ok(text("d.md").len())]);
}

/// libgit2 never comes to an end with a commit that is cut short: the walks along the first parents ask git.
#[test]
fn walks_along_the_first_parents_end_at_a_commit_that_is_cut_short() {
    let repo = Repo::with_files([("PLAN.md", "- [ ] a\n"), ("CLAUDE.md", "Be brief.\n")]);
    let damaged = loose(&repo, "HEAD");
    for number in 0..12 {
        repo.write("CLAUDE.md", format!("Be brief, {number}.\n")).commit("a change");
    }
    let runs: [(&[&str], &str); 3] = [
        (&["plan"], "0/1 done"),
        (&["show", "--why", "Be brief, 11.", "--history", "--agent", "claude", "--no-user"], "a change"),
        (&["explore", "--history", "3", "--output", "page.html"], ""),
    ];
    for length in [usize::MAX, 0, 20] {
        overwrite(&damaged, |bytes| bytes.truncate(length));
        for (args, words) in runs {
            let run = repo.run(args);
            assert!(run.stdout.contains(words), "{length}: {args:?}: {run:?}");
        }
    }
}

#[test]
fn without_git_the_walks_along_the_first_parents_are_notes() {
    let repo = Repo::with_files([("PLAN.md", "- [ ] a\n"), ("CLAUDE.md", "Be brief.\n")]);
    let runs: [(&[&str], &str); 2] = [
        (&["plan"], "stalled plans cannot be detected: the git program is not installed"),
        (
            &["show", "--why", "Be brief.", "--history", "--agent", "claude", "--no-user"],
            "the history could not be searched",
        ),
    ];
    for (args, words) in runs {
        let mut command = repo.hintlint(repo.root());
        let run = crate::support::Run::from(command.env("PATH", repo.home()).args(args).output().expect("it starts"));
        assert_eq!(run.code, 0, "{args:?}: {run:?}");
        assert!(run.stderr.contains(words), "{args:?}: {run:?}");
    }
}

#[test]
fn of_two_copies_git_reads_the_good_one() {
    let names = ["HEAD:docs/d1/AGENTS.md", "HEAD:docs/d1", "HEAD^{tree}", "HEAD"];
    // A crash leaves empty files; what is fetched then is packed.
    let damaged_loose = |repo: &Repo, length: usize| {
        let objects = names.map(|name| loose(repo, name));
        let whole = objects.each_ref().map(|object| fs::read(object).expect("an object"));
        repo.git(&["repack", "-adfq"]);
        for (object, whole) in objects.iter().zip(whole) {
            fs::create_dir_all(object.parent().expect("a folder")).expect("a folder");
            fs::write(object, &whole[..length.min(whole.len() / 2)]).expect("written");
        }
    };
    let damaged_pack = |repo: &Repo, length: usize| {
        repo.git(&["repack", "-dq"]);
        let (pack, index) = (packs(repo, "pack").remove(0), packs(repo, "idx").remove(0));
        let (kept, kept_index) = (repo.beside("kept.pack"), repo.beside("kept.idx"));
        fs::rename(&pack, &kept).expect("moved");
        fs::rename(&index, &kept_index).expect("moved");
        let unpacked = repo
            .command("git", repo.root())
            .args(["unpack-objects", "-q"])
            .stdin(fs::File::open(&kept).expect("a pack"))
            .status();
        assert!(unpacked.is_ok_and(|status| status.success()));
        fs::write(&pack, &fs::read(&kept).expect("a pack")[..length]).expect("written");
        fs::rename(&kept_index, &index).expect("moved");
    };
    let forms: [(&str, Step<'_>); 4] = [
        ("an empty loose object", &|repo| damaged_loose(repo, 0)),
        ("half a loose object", &|repo| damaged_loose(repo, 1 << 20)),
        ("an empty pack", &|repo| damaged_pack(repo, 0)),
        ("the head of a pack", &|repo| damaged_pack(repo, 100)),
    ];
    for (name, change) in forms {
        let repo = changed_often();
        let expected = content(&*open(&repo, head()).source);
        change(&repo);
        repo.remove(".git/index");
        let read = content(&*open(&repo, head()).source);
        assert_eq!(read, expected, "{name}");
    }
}
