//! The target `git`; its body stands in `src/targets/git.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("git"),
    |data: &[u8]| hintlint_fuzz::run("git", data)
);
