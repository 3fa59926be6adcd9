//! The target `meaning`; its body stands in `src/targets/meaning.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("meaning"),
    |data: &[u8]| hintlint_fuzz::run("meaning", data)
);
