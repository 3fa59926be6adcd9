//! The target `imports`; its body stands in `src/targets/imports.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("imports"),
    |data: &[u8]| hintlint_fuzz::run("imports", data)
);
