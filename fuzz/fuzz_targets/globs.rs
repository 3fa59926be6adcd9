//! The target `globs`; its body stands in `src/targets/globs.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("globs"),
    |data: &[u8]| hintlint_fuzz::run("globs", data)
);
