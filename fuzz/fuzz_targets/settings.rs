//! The target `settings`; its body stands in `src/targets/settings.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("settings"),
    |data: &[u8]| hintlint_fuzz::run("settings", data)
);
