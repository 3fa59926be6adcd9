//! The target `unicode`; its body stands in `src/targets/unicode.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("unicode"),
    |data: &[u8]| hintlint_fuzz::run("unicode", data)
);
