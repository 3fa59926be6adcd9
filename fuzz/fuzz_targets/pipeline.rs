//! The target `pipeline`; its body stands in `src/targets/pipeline.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("pipeline"),
    |data: &[u8]| hintlint_fuzz::run("pipeline", data)
);
