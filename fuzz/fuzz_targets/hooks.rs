//! The target `hooks`; its body stands in `src/targets/hooks.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("hooks"),
    |data: &[u8]| hintlint_fuzz::run("hooks", data)
);
