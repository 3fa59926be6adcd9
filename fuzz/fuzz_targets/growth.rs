//! The target `growth`; its body stands in `src/targets/growth.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("growth"),
    |data: &[u8]| hintlint_fuzz::run("growth", data)
);

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], _size: usize, max: usize, seed: u32| {
    hintlint_fuzz::mutate_growth(data, max, seed)
});
