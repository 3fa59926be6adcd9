//! Lines that are sought from the end and followed from a place on.

use std::io::Cursor;

use proptest::prelude::*;

use super::*;

fn last(text: &[u8], before: u64) -> Option<(u64, Vec<u8>)> {
    let mut lines = LineReader::new(Cursor::new(text), 0, text.len() as u64);
    lines.last(&["x"], before, |_| true).unwrap().map(|line| (line.at, line.bytes))
}

/// Keeps the lines with each needle until it has seen a number of them, with their offsets.
struct NeedleLines {
    until: usize,
    lines: Vec<(u64, Vec<u8>)>,
}

impl Follower for NeedleLines {
    fn wants(&self, needle: usize) -> bool {
        needle == 0 || self.lines.len() < self.until
    }

    fn look(&mut self, at: u64, line: &[u8]) {
        self.lines.push((at, line.to_vec()));
    }
}

/// The lines with the first of the needles, and up to so many of them also those with others.
fn with(needles: &[&str], until: usize, text: &[u8], from: u64) -> Vec<(u64, Vec<u8>)> {
    let mut kept = NeedleLines { until, lines: Vec::new() };
    LineReader::new(Cursor::new(text), 0, text.len() as u64).follow(from, needles, &mut kept).unwrap();
    kept.lines
}

/// Every line with something in it.
fn all(text: &[u8], from: u64) -> Vec<Vec<u8>> {
    with(&[""], 0, text, from).into_iter().map(|(_, line)| line).filter(|line| !line.is_empty()).collect()
}

#[test]
fn lines_are_found_from_the_end_and_followed_from_a_place() {
    let text = b"ax\nb\nxx\nc";
    assert_eq!(last(text, 9), Some((5, b"xx".to_vec())));
    assert_eq!(last(text, 5), Some((0, b"ax".to_vec())));
    assert_eq!(last(text, 0), None);
    assert_eq!(last(b"a\nb\n", 4), None);
    assert_eq!(all(text, 3), [&b"b"[..], b"xx", b"c"]);
    assert_eq!(all(b"a\n\nb\n", 0), [&b"a"[..], b"b"]);
}

#[test]
fn lines_come_with_their_offsets() {
    let long = "x".repeat(BLOCK as usize);
    for text in ["ax\nb\nxx\nc", "\n\na\n", "", "a", &format!("a\n{long}\nb\n{long}{long}\nc")] {
        for (at, line) in with(&[""], 0, text.as_bytes(), 0) {
            assert_eq!(text.as_bytes()[at as usize..].get(..line.len()), Some(&line[..]));
            assert!(at == 0 || text.as_bytes()[at as usize - 1] == b'\n');
        }
        let end = end_of_last(&mut Cursor::new(text.as_bytes()), text.len() as u64).unwrap();
        assert_eq!(end, Some(text.rfind('\n').map_or(0, |end| end as u64 + 1)));
    }
    assert_eq!(end_of_last(&mut Cursor::new(b"a\n"), 5).unwrap(), None);
}

#[test]
fn lines_reach_over_blocks() {
    let long = vec![b'a'; 3 * BLOCK as usize];
    let text = [b"1x\n", &long[..], b"x", &long, b"\n2\n"].concat();
    let (at, line) = last(&text, text.len() as u64).unwrap();
    assert_eq!((at, line.len()), (3, 2 * long.len() + 1));
    assert_eq!(last(&text, at).map(|(at, _)| at), Some(0));
    let lengths: Vec<usize> = all(&text, 0).iter().map(Vec::len).collect();
    assert_eq!(lengths, [2, 2 * long.len() + 1, 1]);
}

/// A file of one byte over and over, with a line end at each multiple of a number.
struct RepeatedByte {
    at: u64,
    line: u64,
    read: u64,
}

impl Read for RepeatedByte {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        for byte in &mut *into {
            self.at += 1;
            *byte = if self.at.is_multiple_of(self.line) { b'\n' } else { b'x' };
        }
        self.read += into.len() as u64;
        Ok(into.len())
    }
}

impl Seek for RepeatedByte {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(at) = to else { panic!("only places are sought") };
        self.at = at;
        Ok(at)
    }
}

#[test]
fn a_line_beyond_the_limit_is_passed_over_and_not_held() {
    let length = 3 * MAX_LINE as u64;
    for line in [length + 1, length - 4] {
        let mut lines = LineReader::new(RepeatedByte { at: 0, line, read: 0 }, 0, length);
        let found = lines.last(&["x"], length, |_| true).unwrap();
        assert_eq!(found.map(|line| line.bytes.len()), (line < length).then_some(4));
        assert_eq!(lines.passed_over, line > length);
        let mut kept = NeedleLines { until: 0, lines: Vec::new() };
        lines.follow(0, &["x"], &mut kept).unwrap();
        assert!(lines.passed_over && kept.lines.iter().all(|(_, line)| line.len() == 4), "{}", kept.lines.len());
        assert!(lines.file.read <= 2 * length + 4 * BLOCK, "{} of {length}", lines.file.read);
    }
    let mut tail = Tail::default();
    for _ in 0..3 {
        tail.push(&vec![0; MAX_LINE / 2 + 1]);
    }
    assert!(tail.is_long && tail.pieces.is_empty());
}

#[test]
fn no_more_is_read_than_a_few_times_the_file() {
    let length = 8 * BLOCK;
    let mut lines = LineReader::new(RepeatedByte { at: 0, line: 64, read: 0 }, 0, length);
    let mut turns = 0_u64;
    while lines.last(&["x"], length, |_| true).unwrap().is_some() {
        turns += 1;
    }
    assert!(lines.spent && lines.file.read <= 3 * length + 4 * BLOCK && turns > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_ways_find_what_splitting_finds(text in "[ax\n]{0,40}") {
        let text = text.as_bytes();
        let split: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        let last_x = split.iter().rev().find(|line| line.contains(&b'x')).map(|line| line.to_vec());
        prop_assert_eq!(last(text, text.len() as u64).map(|(_, line)| line), last_x);
        let lines: Vec<&[u8]> = split.iter().copied().filter(|line| !line.is_empty()).collect();
        prop_assert_eq!(all(text, 0), lines);
        let mut expected: Vec<&[u8]> = Vec::new();
        for line in split {
            let is_wanted = line.contains(&b'x') || line.contains(&b'a') && expected.len() < 2;
            expected.extend(is_wanted.then_some(line));
        }
        let found: Vec<Vec<u8>> = with(&["x", "a"], 2, text, 0).into_iter().map(|(_, line)| line).collect();
        prop_assert_eq!(found, expected);
    }
}
