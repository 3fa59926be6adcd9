//! Searches one text over and over, for hidden characters or for one byte that is not there, so that the two can be timed
//! beside each other: `scan ours|memchr [MIB] [TIMES]`. Knows nothing of clocks; `benches/compare.py` has one.

use std::hint::black_box;

fn main() -> Result<(), String> {
    // `cargo bench` adds a word of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let number =
        |at: usize, default: usize| words.get(at).map_or(Ok(default), |word| word.parse().map_err(|_| usage()));
    let (size, times) = (number(1, 64)? << 20, number(2, 100)?);
    let line = b"Run the tests before you commit, and say in the message why the change was made.\n";
    let text: Vec<u8> = line.iter().copied().cycle().take(size).collect();
    for _ in 0..times {
        let text = black_box(text.as_slice());
        let found = match words.first().map(String::as_str) {
            Some("ours") => !hintlint::parse::unicode::scan_markdown(text).is_empty(),
            Some("memchr") => memchr::memchr(0, text).is_some(),
            _ => return Err(usage()),
        };
        if black_box(found) {
            return Err("there is nothing to find".to_owned());
        }
    }
    Ok(())
}

fn usage() -> String {
    "usage: scan ours|memchr [MIB] [TIMES]".to_owned()
}
