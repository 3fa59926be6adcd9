//! Finding the few bytes of a file that need a closer look, at the speed of memory. Knows bytes, no characters.

/// Bytes looked at together; a multiple of every vector width.
const CHUNK: usize = 256;

/// After a chunk with a CR, so many chunks in all are taken to have them.
const SKIP: usize = 8;

/// A byte below 0x7F that is no control character but tab or LF is so far from tab at the most.
const FROM_TAB: u8 = 0x7E - b'\t';

/// A byte that is no control character from 0x0B on is so far from there at the least; tab and LF, which stand before, wrap around.
const FROM_CONTROLS: u8 = 0x20 - 0x0B;

/// The offset, at or after `from`, of the first byte that is not ASCII, or is a control character other than tab, LF and
/// a CR before an LF.
pub(super) fn next_odd(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    // Where CR LF abound, the question for text without them is only asked now and then.
    let mut skipped = 0;
    // One byte more than the chunk, to see what follows a CR.
    while let Some(window) = bytes.get(at..).and_then(|rest| rest.first_chunk::<{ CHUNK + 1 }>()) {
        let Some(chunk) = window.first_chunk::<CHUNK>() else { break };
        if skipped > 0 || !is_text(chunk) {
            if has_odd(window) {
                break;
            }
            skipped = (skipped + 1) % SKIP;
        }
        at += CHUNK;
    }
    // Reached the chunk that holds it, or the tail.
    (at..bytes.len()).find(|&at| is_odd(bytes, at))
}

/// Whether the chunk has only printable ASCII, tab and LF. Two ranges that wrap around, by their extremes: four operations on
/// each vector, since most chunks end here.
fn is_text(chunk: &[u8; CHUNK]) -> bool {
    let (mut lowest, mut highest) = (u8::MAX, 0);
    for &byte in chunk {
        lowest = lowest.min(byte.wrapping_sub(0x0B));
        highest = highest.max(byte.wrapping_sub(b'\t'));
    }
    lowest >= FROM_CONTROLS && highest <= FROM_TAB
}

/// Whether any byte of the chunk is odd; the last byte of the window is only there to follow a CR. Loops of one question each:
/// the compiler makes vectors of these, and not of one loop that asks them all.
fn has_odd(window: &[u8; CHUNK + 1]) -> bool {
    let (Some(chunk), Some(next)) = (window.first_chunk::<CHUNK>(), window.last_chunk::<CHUNK>()) else { return true };
    let mut highest = 0;
    for &byte in chunk {
        highest = highest.max(byte.wrapping_sub(b'\t'));
    }
    let mut lowest = u8::MAX;
    for &byte in chunk {
        let is_return = u8::from(byte == b'\r').wrapping_neg();
        lowest = lowest.min(byte.wrapping_sub(0x0B) | is_return);
    }
    let mut lone = 0;
    for (&byte, &next) in chunk.iter().zip(next) {
        lone |= u8::from(byte == b'\r') & u8::from(next != b'\n');
    }
    lowest < FROM_CONTROLS || highest > FROM_TAB || lone != 0
}

fn is_odd(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b'\t' | b'\n' => false,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        byte => !(0x20..0x7F).contains(&byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_odd_byte_at_every_offset() {
        for odd in [0_u8, 8, 11, 12, 13, 27, 0x7F, 0x80, 0xC2, 0xFF] {
            for offset in 0..2 * CHUNK {
                let mut bytes = b"plain text\twith\r\nline ends ".repeat(32);
                bytes[offset] = odd;
                if offset > 0 && bytes[offset - 1] == b'\r' {
                    continue;
                }
                if odd == b'\r' && bytes[offset + 1] == b'\n' {
                    assert_eq!(next_odd(&bytes, 0), None);
                } else {
                    assert_eq!(next_odd(&bytes, 0), Some(offset), "byte {odd:#x} at {offset}");
                    assert_eq!(next_odd(&bytes, offset), Some(offset));
                }
            }
        }
    }

    #[test]
    fn long_text_with_tabs_is_read_to_its_end() {
        for piece in ["a\tb\r\n", "plain\n"] {
            let mut bytes = piece.repeat(40 * CHUNK / piece.len()).into_bytes();
            assert_eq!(next_odd(&bytes, 0), None);
            for offset in (1..bytes.len() - 1).step_by(CHUNK / 2 + 1) {
                let kept = std::mem::replace(&mut bytes[offset], 0x1B);
                let lone = bytes[offset - 1] == b'\r';
                assert_eq!(next_odd(&bytes, 0), Some(offset - usize::from(lone)));
                bytes[offset] = kept;
            }
        }
    }

    #[test]
    fn a_return_is_lone_at_the_end_and_before_text() {
        assert_eq!(next_odd(b"a\r", 0), Some(1));
        assert_eq!(next_odd(&[&[b'x'; CHUNK - 1][..], b"\r\n"].concat(), 0), None);
        assert_eq!(next_odd(&[&[b'x'; CHUNK - 1][..], b"\rx"].concat(), 0), Some(CHUNK - 1));
        assert_eq!(next_odd(b"", 0), None);
    }
}
