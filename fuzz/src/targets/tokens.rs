//! Texts as rows of tokens: each byte of the input stands for one token of the dictionary, so that a mutation of one byte puts a
//! whole token into its place. What takes several rare tokens side by side is found in seconds so.

use std::sync::OnceLock;

const DICTIONARY: &str = include_str!("../../dictionary.txt");
/// The line of the dictionary behind which stand tokens of files that are no Markdown.
const END: &str = "# Tokens from here on are for messages and other files";

/// So many tokens from the first on are characters that nobody sees.
pub(crate) const HIDDEN: usize = 24;

/// Whether the token that a byte stands for ends a line.
pub(crate) fn ends_line(byte: u8) -> bool {
    decode(&[byte]).ends_with(b"\n")
}

/// The tokens that Markdown is made of, in the order of the dictionary.
fn table() -> &'static [Vec<u8>] {
    static TABLE: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let (markdown, _) = DICTIONARY.split_once(END).expect("the dictionary has that line");
        let quoted = markdown.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
        let tokens: Vec<Vec<u8>> = quoted.map(unescape).collect();
        assert!(tokens.len() <= 256, "a byte can tell {} tokens apart", tokens.len());
        tokens
    })
}

fn unescape(token: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = token.as_bytes();
    while let [first, after @ ..] = rest {
        (out, rest) = match (first, after) {
            (b'\\', [b'x', digits @ ..]) => {
                let digits = std::str::from_utf8(&digits[..2]).expect("digits are ASCII");
                out.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits"));
                (out, &after[3..])
            }
            (b'\\', [escaped, after @ ..]) => {
                out.push(*escaped);
                (out, after)
            }
            (&byte, after) => {
                out.push(byte);
                (out, after)
            }
        };
    }
    out
}

/// The text that a row of bytes stands for.
pub(crate) fn decode(bytes: &[u8]) -> Vec<u8> {
    let table = table();
    bytes.iter().flat_map(|&byte| table[usize::from(byte) % table.len()].iter().copied()).collect()
}

/// The bytes that stand for these tokens.
pub(crate) fn encode(tokens: &[&str]) -> Vec<u8> {
    let index = |token: &&str| {
        let found = table().iter().position(|known| known == token.as_bytes());
        found.unwrap_or_else(|| panic!("{token:?} is not in the dictionary")) as u8
    };
    tokens.iter().map(index).collect()
}

/// Choices of a mutator: a linear congruential generator, whose upper half is random enough.
pub(crate) struct Random(u64);

impl Random {
    /// The choices that follow from `seed`.
    pub(crate) fn new(seed: u32) -> Random {
        Random(u64::from(seed) * 2 + 1)
    }

    /// A number below `bound`, or 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}
