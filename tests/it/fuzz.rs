//! The fuzz targets without a fuzzer: their bodies run over all their seeds, so that a target that no longer compiles, or whose
//! seeds no longer reach the code, is noticed by `cargo test`. What the targets test stands in `fuzz/src/targets`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../../fuzz/src/targets/mod.rs"]
mod targets;

use targets::TARGETS;

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn every_target_takes_its_seeds() {
    for target in TARGETS {
        let seeds = (target.seeds)(&at("tests/fixtures"));
        let distinct: BTreeSet<&Vec<u8>> = seeds.iter().collect();
        assert!(distinct.len() >= 5, "{} has only {} different seeds", target.name, distinct.len());
        seeds.iter().for_each(|seed| (target.run)(seed));
    }
}

#[test]
fn what_once_broke_a_promise_keeps_it() {
    let folder = at("tests/fuzz-regressions");
    let names: BTreeSet<&str> = TARGETS.iter().map(|target| target.name).collect();
    for entry in fs::read_dir(&folder).expect("the folder of regression inputs") {
        let name = entry.expect("an entry").file_name();
        assert!(names.contains(&*name.to_string_lossy()), "{name:?} is no target");
    }
    let mut broken = Vec::new();
    for target in TARGETS {
        for (name, input) in targets::seeds::regressions(&folder, target.name) {
            if std::panic::catch_unwind(|| (target.run)(&input)).is_err() {
                broken.push(format!("{}/{name}", target.name));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn mutators_fill_no_more_than_there_is_and_differ() {
    let row = targets::rows::seeds(Path::new("")).remove(0);
    let (mut rows, mut growths) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..2000 {
        let max = row.len() + usize::from(seed % 2 == 0);
        let mut data = row.clone();
        data.resize(max, 0);
        let size = targets::rows::mutate(&mut data, row.len(), max, seed);
        assert!(size > 0 && size <= max, "{} became {size} of {max}", row.len());
        rows.insert(data[..size].to_vec());
        let size = targets::growth::mutate(&mut data, 5, seed);
        assert!(size <= 5, "{size} of 5");
        growths.insert(data[..size].to_vec());
    }
    assert!(rows.len() > 500 && growths.len() > 1500, "{} rows, {} others", rows.len(), growths.len());
}

#[test]
fn every_target_is_a_program_of_the_fuzz_crate() {
    let manifest = fs::read_to_string(at("fuzz/Cargo.toml")).expect("the manifest of the fuzz crate");
    let programs: BTreeSet<&str> = manifest.split("[[bin]]").skip(1).filter_map(|bin| bin.split('"').nth(1)).collect();
    let files = fs::read_dir(at("fuzz/fuzz_targets")).expect("the folder of targets");
    let files: BTreeSet<String> = files
        .map(|file| file.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let names: BTreeSet<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(programs, names);
    assert_eq!(files.iter().map(String::as_str).collect::<BTreeSet<_>>(), names);
    for name in names {
        let text = fs::read_to_string(at(&format!("fuzz/fuzz_targets/{name}.rs"))).expect("a target");
        assert!(text.contains(&format!("run(\"{name}\"")), "fuzz_targets/{name}.rs runs another target: {text}");
    }
}

#[test]
fn the_dictionary_is_in_libfuzzers_form() {
    let text = fs::read_to_string(at("fuzz/dictionary.txt")).expect("the dictionary");
    let tokens: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(tokens.len() > 100, "{} tokens", tokens.len());
    for token in tokens {
        let inner = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let mut rest = inner.unwrap_or_else(|| panic!("{token} is not in quotes"));
        while let Some(at) = rest.find(['\\', '"']) {
            let escape = &rest.as_bytes()[at..];
            let length = match escape {
                [b'\\', b'\\' | b'"', ..] => 2,
                [b'\\', b'x', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => 4,
                _ => panic!("{token} has a bad escape"),
            };
            rest = &rest[at + length..];
        }
        assert!(token.is_ascii() && !token.contains(char::is_control), "{token:?} is not plain");
    }
}

/// `.ci/fuzz` builds with `--locked`, and nothing else reads the fuzz crate's lock file.
#[test]
fn the_lock_file_of_the_fuzz_crate_knows_our_dependencies() {
    let manifest = fs::read_to_string(at("Cargo.toml")).expect("the manifest");
    let mut ours = BTreeSet::new();
    let mut is_dependency = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_dependency = line.ends_with("dependencies]") && !line.contains("dev-dependencies");
        } else if let (true, Some((key, value))) = (is_dependency, line.split_once(" = "))
            && !line.starts_with('#')
            && !value.contains("optional = true")
        {
            let renamed = value.split_once("package = \"").and_then(|(_, rest)| rest.split('"').next());
            ours.insert(renamed.unwrap_or(key));
        }
    }
    let lock = fs::read_to_string(at("fuzz/Cargo.lock")).expect("the lock file");
    let (_, package) = lock.split_once("name = \"hintlint\"\n").expect("the fuzz crate depends on hintlint");
    let (list, _) = package.split_once(']').expect("the end of the list");
    let listed = list.lines().filter_map(|line| line.trim().strip_prefix('"')?.split([' ', '"']).next());
    assert_eq!(listed.collect::<BTreeSet<_>>(), ours, "run `cargo update --manifest-path fuzz/Cargo.toml --workspace`");
}
