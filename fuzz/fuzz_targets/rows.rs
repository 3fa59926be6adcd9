//! The target `rows`; its body stands in `src/targets/rows.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: hintlint_fuzz::init("rows"),
    |data: &[u8]| hintlint_fuzz::run("rows", data)
);

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| {
    hintlint_fuzz::mutate_row(data, size, max, seed)
});
