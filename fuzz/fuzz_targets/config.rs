//! The target `config`; its body stands in `src/targets/config.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("config"),
    |data: &[u8]| hintlint_fuzz::run("config", data)
);
