//! The target `reach`; its body stands in `src/targets/reach.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("reach"),
    |data: &[u8]| hintlint_fuzz::run("reach", data)
);
