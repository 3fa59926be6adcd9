//! One small repository per rule, in `tests/fixtures/RULE`: what is wrong in it, what is said of it, and what `--fix` makes of
//! it. This file knows the layout of those folders and no rule.
//!
//! | in the folder | is |
//! | --- | --- |
//! | `before/` | files of an earlier commit that the next one deletes or replaces; optional |
//! | `repo/` | the files of the last commit: the bad pattern, and beside it what must stay silent |
//! | `untracked/` | files that were never added; optional |
//! | `select.txt` | rules that run as well, because this one speaks of them; optional |
//! | `expected.txt` | what `hintlint --select RULE --format concise` says, and its exit code |
//! | `fixed/` | the files that `--fix` changes, as it leaves them; where a safe fix exists |
//! | `fixed-unsafe/` | the files that `--unsafe-fixes` changes, as it leaves them; where an unsafe fix exists |
//! | `near-miss/` | a second repository (`before/`, `repo/`, `untracked/`) that resembles the bad pattern; the rule stays silent |
//!
//! A file called `NAME.escaped` stands for NAME with its escapes (`\u{200b}`, `\xff`, `\r`, `\\`) taken literally, so that a
//! reviewer sees the character that an editor would hide. `NAME.link` stands for a symbolic link with that target.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hintlint::rules::{FixAvailability, RULES};

use crate::support::Repo;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// A file of a fixture: bytes, or the target of a link.
#[derive(Clone, Debug, PartialEq)]
enum Entry {
    Bytes(Vec<u8>),
    Link(String),
}

/// The files below `dir` by path, with names and escapes resolved; none if there is no such folder.
fn tree(dir: &Path) -> BTreeMap<String, Entry> {
    let mut found = BTreeMap::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(dir).expect("below").to_str().expect("a plain name").to_owned();
            let bytes = fs::read(&path).expect("a readable file");
            let text = || String::from_utf8(bytes.clone()).expect("escaped files are UTF-8");
            let (name, entry) = match (name.strip_suffix(".escaped"), name.strip_suffix(".link")) {
                (Some(name), _) => (name.to_owned(), Entry::Bytes(unescape(&text()))),
                (None, Some(name)) => (name.to_owned(), Entry::Link(text().trim().to_owned())),
                (None, None) => (name, Entry::Bytes(bytes)),
            };
            found.insert(name, entry);
        }
    }
    found
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        let kind = escape.chars().next().expect("an escape after the backslash");
        rest = &escape[1..];
        match kind {
            'u' => {
                let (digits, behind) = rest[1..].split_once('}').expect("a closing brace");
                let code = u32::from_str_radix(digits, 16).expect("hexadecimal digits");
                bytes.extend_from_slice(char::from_u32(code).expect("a scalar value").to_string().as_bytes());
                rest = behind;
            }
            'x' => {
                bytes.push(u8::from_str_radix(&rest[..2], 16).expect("two hexadecimal digits"));
                rest = &rest[2..];
            }
            'r' => bytes.push(b'\r'),
            '\\' => bytes.push(b'\\'),
            other => panic!("there is no escape \\{other}"),
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// The inverse of [`unescape`] for a file that is kept escaped.
fn escape(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                '\r' => text.push_str("\\r"),
                '\n' | '\t' | ' '..='~' => text.push(c),
                other => text.push_str(&format!("\\u{{{:x}}}", u32::from(other))),
            }
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

/// Write `files` below `folder` in the form in which `repo/` keeps them, and nothing else.
fn rewrite(fixture: &Path, folder: &str, files: &BTreeMap<String, Entry>) {
    let target = fixture.join(folder);
    if target.is_dir() {
        fs::remove_dir_all(&target).expect("the fixture is writable");
    }
    for (path, entry) in files {
        let Entry::Bytes(bytes) = entry else { continue };
        let escaped = fixture.join("repo").join(format!("{path}.escaped")).is_file();
        let (name, bytes) = match escaped {
            true => (format!("{path}.escaped"), escape(bytes).into_bytes()),
            false => (path.clone(), bytes.clone()),
        };
        let file = target.join(name);
        fs::create_dir_all(file.parent().expect("below")).expect("the fixture is writable");
        fs::write(file, bytes).expect("the fixture is writable");
    }
}

#[test]
fn escapes_are_read_as_they_are_written() {
    let bytes = b"a\\b\r\n\xff\xe2\x80\x8b\x1b\n";
    assert_eq!(escape(bytes), "a\\\\b\\r\n\\xff\\u{200b}\\u{1b}\n");
    assert_eq!(unescape(&escape(bytes)), bytes);
}

/// The fixture as a repository.
fn repository(fixture: &Path) -> Repo {
    let repo = Repo::new();
    let write = |files: &BTreeMap<String, Entry>| {
        for (path, entry) in files {
            match entry {
                Entry::Bytes(bytes) => repo.write(path, bytes),
                Entry::Link(target) => repo.symlink(path, target),
            };
        }
    };
    let before = tree(&fixture.join("before"));
    if !before.is_empty() {
        write(&before);
        repo.commit("before");
        before.keys().for_each(|path| {
            repo.remove(path);
        });
    }
    write(&tree(&fixture.join("repo")));
    repo.commit("start");
    // Folders that the first commit left empty would count as there.
    repo.git(&["clean", "-fdq"]);
    write(&tree(&fixture.join("untracked")));
    repo
}

/// The rules that run: the fixture's own, and those of `select.txt`.
fn select(fixture: &Path, rule: &str) -> String {
    let others = fs::read_to_string(fixture.join("select.txt")).unwrap_or_default();
    std::iter::once(rule).chain(others.split_whitespace()).collect::<Vec<_>>().join(",")
}

/// What `switch` changed in a fresh copy of the fixture.
fn changed_by(fixture: &Path, rule: &str, switch: &str) -> BTreeMap<String, Entry> {
    let repo = repository(fixture);
    let select = select(fixture, rule);
    let arguments = ["--select", &select, "--fail-on", "never", switch];
    let run = repo.run(&arguments);
    assert_eq!(run.code, 0, "{rule}: {run:?}");
    let before = [tree(&fixture.join("repo")), tree(&fixture.join("untracked"))];
    let changed = |(path, entry): (String, Entry)| {
        let Entry::Bytes(before) = entry else { return None };
        let after = repo.read(&path);
        (before != after).then_some((path, Entry::Bytes(after)))
    };
    let changed = before.into_iter().flatten().filter_map(changed).collect();
    let status = repo.git(&["status", "--porcelain"]);
    repo.run(&arguments);
    assert_eq!(repo.git(&["status", "--porcelain"]), status, "{rule}: fixing twice changes more than once");
    changed
}

/// Show both sides as text that a reader of the failure can compare.
fn shown(files: &BTreeMap<String, Entry>) -> String {
    let show = |(path, entry): (&String, &Entry)| match entry {
        Entry::Bytes(bytes) => format!("==> {path} <==\n{}\n", bytes.escape_ascii().to_string().replace("\\n", "\n")),
        Entry::Link(target) => format!("==> {path} -> {target}\n"),
    };
    files.iter().map(show).collect()
}

/// `UPDATE_FIXTURES=1` writes the expectations anew, to be read in the diff.
#[test]
fn each_rule_says_and_mends_what_its_fixture_shows() {
    let update = std::env::var_os("UPDATE_FIXTURES").is_some();
    let mut wrong = String::new();
    for rule in RULES.iter() {
        let info = rule.info();
        let fixture = folder().join(info.name);
        if !fixture.join("repo").is_dir() {
            continue;
        }
        let run = repository(&fixture).run(&["--select", &select(&fixture, info.name), "--format", "concise"]);
        let said = format!("{}exit code {}\n", run.stdout, run.code);
        if update {
            fs::write(fixture.join("expected.txt"), &said).expect("the fixture is writable");
        }
        let expected = fs::read_to_string(fixture.join("expected.txt")).unwrap_or_default();
        if said != expected || run.stdout.is_empty() {
            wrong.push_str(&format!("## {}\nexpected:\n{expected}\nsaid:\n{said}\n{}", info.name, run.stderr));
        }
        // That a rule without fixes offers none is the other test's business.
        let switches = [("fixed", "--fix"), ("fixed-unsafe", "--unsafe-fixes")];
        let switches = if info.fix == FixAvailability::None { &[][..] } else { &switches[..] };
        for &(name, switch) in switches {
            let mut after = changed_by(&fixture, info.name, switch);
            if name == "fixed-unsafe" && after == tree(&fixture.join("fixed")) {
                after.clear();
            }
            if update {
                rewrite(&fixture, name, &after);
            }
            let expected = tree(&fixture.join(name));
            if after != expected {
                wrong.push_str(&format!(
                    "## {} {switch}\nexpected:\n{}\ngot:\n{}\n",
                    info.name,
                    shown(&expected),
                    shown(&after)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_rule_has_a_fixture_and_every_fix_is_shown() {
    let mut missing = Vec::new();
    for rule in RULES.iter() {
        let info = rule.info();
        let fixture = folder().join(info.name);
        if !fixture.join("repo").is_dir() || !fixture.join("expected.txt").is_file() {
            missing.push(format!("{}: no fixture in tests/fixtures/{}", info.name, info.name));
            continue;
        }
        // A suggestion that only a person may take is a fix too, though no switch applies it.
        let json = repository(&fixture).run(&["--select", &select(&fixture, info.name), "--format", "json"]).stdout;
        let report: serde_json::Value = serde_json::from_str(&json).expect("a report");
        let own = report["findings"].as_array().expect("a list").iter().filter(|finding| finding["rule"] == info.name);
        let (with, without): (Vec<_>, Vec<_>) = own.partition(|finding| !finding["fix"].is_null());
        let agrees = match info.fix {
            FixAvailability::None => with.is_empty(),
            FixAvailability::Sometimes => !with.is_empty(),
            FixAvailability::Always => !with.is_empty() && without.is_empty(),
        };
        if !agrees {
            missing.push(format!("{}: its card says fix: {:?}; its fixture says otherwise", info.name, info.fix));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn each_rule_stays_silent_on_its_near_miss() {
    let mut wrong = Vec::new();
    for rule in RULES.iter() {
        let name = rule.info().name;
        let fixture = folder().join(name);
        let near_miss = fixture.join("near-miss");
        let files = tree(&near_miss.join("repo"));
        // The rule must look at the near miss: a file that it complains about in `repo/` has to be here too.
        let expected = fs::read_to_string(fixture.join("expected.txt")).unwrap_or_default();
        let reported = |path: &String| expected.lines().any(|line| line.starts_with(&format!("{path}:")));
        if !files.keys().any(reported) {
            wrong.push(format!("{name}: near-miss/repo has no file that the rule reports in repo/"));
            continue;
        }
        let run = repository(&near_miss).run(&[
            "--select",
            &select(&fixture, name),
            "--min-level",
            "info",
            "--format",
            "concise",
        ]);
        if run.code != 0 || !run.stdout.is_empty() {
            wrong.push(format!("{name}: exit code {}\n{}{}", run.code, run.stdout, run.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A folder whose rule is gone or renamed would be tested by nobody.
#[test]
fn every_fixture_belongs_to_a_rule() {
    for entry in fs::read_dir(folder()).expect("the fixtures") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        let known = name == "compile" || RULES.iter().any(|rule| rule.info().name == name);
        assert!(known, "tests/fixtures/{name} is no rule");
    }
}
