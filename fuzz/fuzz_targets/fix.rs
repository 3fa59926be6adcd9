//! The target `fix`; its body stands in `src/targets/fix.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("fix"),
    |data: &[u8]| hintlint_fuzz::run("fix", data)
);
