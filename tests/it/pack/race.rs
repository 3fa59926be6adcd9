//! Resources that are asked for while a folder on their way changes places with a link to a folder outside, over and over.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::repo;
use crate::support::Repo;

/// What only the files outside say.
const OUTSIDE: &str = "from outside";

/// So many resources are asked for at each folder, and more until both the resource and a refusal were seen.
const RUNS: usize = 10;
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder beside the repository in which each file of the package lies, with other bytes.
fn decoy(repo: &Repo, folder: &str) {
    for file in ["hint.md", "hint.yaml", "resources/page.html", "resources/deep/er/a.txt"] {
        let path = repo.beside(folder).join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        std::fs::write(path, OUTSIDE).expect("it is written");
    }
}

/// Exchange two names until `is_over`, and count how often.
fn swap(one: &Path, other: &Path, is_over: &AtomicBool, swaps: &AtomicUsize) {
    while !is_over.load(Ordering::Relaxed) {
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).expect("both names are there");
        swaps.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether somebody who looks where a path leads, and then opens it, reads what is outside.
fn naive_reader_is_fooled(inside: &Path, path: &Path, until: Instant) -> bool {
    let top = std::fs::canonicalize(inside).expect("it is there");
    while Instant::now() < until {
        let leads_inside = std::fs::canonicalize(path).is_ok_and(|real| real.starts_with(&top));
        if leads_inside && std::fs::read_to_string(path).is_ok_and(|text| text == OUTSIDE) {
            return true;
        }
    }
    false
}

#[test]
fn p05_a_folder_that_is_swapped_for_a_link_gives_nothing_from_outside() {
    for (folder, target, resource, text) in [
        ("hints/greet/resources/deep", "../../../../decoy/resources/deep", "deep/er/a.txt", "deep\n"),
        ("hints/greet/resources/deep/er", "../../../../../decoy/resources/deep/er", "deep/er/a.txt", "deep\n"),
        ("hints/greet/resources/page.html", "../../../../decoy/resources/page.html", "page.html", "<p>Hello</p>\n"),
        ("hints/greet/resources", "../../../decoy/resources", "page.html", "<p>Hello</p>\n"),
        ("hints/greet", "../../decoy", "deep/er/a.txt", "deep\n"),
        ("hints", "../elsewhere", "deep/er/a.txt", "deep\n"),
    ] {
        let repo = repo();
        decoy(&repo, "decoy");
        decoy(&repo, "elsewhere/greet");
        repo.run(&["pack", "load", "greet"]);
        repo.symlink(link_beside(folder), target);
        let (is_over, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
        let (mut given, mut refused) = (0, 0);
        let (one, other) = (repo.at(folder), repo.at(link_beside(folder)));
        std::thread::scope(|threads| {
            threads.spawn(|| swap(&one, &other, &is_over, &swaps));
            let until = Instant::now() + PATIENCE;
            let path = repo.at("hints/greet/resources").join(resource);
            let is_fooled = naive_reader_is_fooled(repo.root(), &path, until);
            let mut runs = 0;
            let mut outcome = Ok(());
            while (runs < RUNS || given == 0 || refused == 0) && Instant::now() < until && outcome.is_ok() {
                let copy = format!("copy{runs}");
                let by_file = runs % 2 == 1;
                let args = ["pack", "resource", resource, "--output", &copy];
                let run = repo.run(if by_file { &args } else { &args[..3] });
                let got = if by_file {
                    std::fs::read_to_string(repo.at(&copy)).unwrap_or_default()
                } else {
                    run.stdout.clone()
                };
                match (run.code, got.as_str()) {
                    (0, got) if got == text => given += 1,
                    (2, "") => refused += 1,
                    _ => outcome = Err(format!("{folder}: {run:?} {got}")),
                }
                runs += 1;
            }
            is_over.store(true, Ordering::Relaxed);
            assert_eq!(outcome, Ok(()));
            assert!(is_fooled, "{folder}: the race was too slow to fool anybody");
        });
        assert!(given > 0 && refused > 0, "{folder}: given {given} times, refused {refused} times");
        assert!(swaps.load(Ordering::Relaxed) > RUNS, "{folder}");
    }
}

/// The name of the link that a folder changes places with, in the same folder.
fn link_beside(folder: &str) -> String {
    format!("{folder}.swap")
}
