//! The target `parse`; its body stands in `src/targets/parse.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("parse"),
    |data: &[u8]| hintlint_fuzz::run("parse", data)
);
