//! Finding the few bytes of a file that need a closer look, at the speed of memory. Knows bytes, no characters.

/// Bytes looked at together; a multiple of every vector width.
const CHUNK: usize = 64;

/// The offset, at or after `from`, of the first byte that is not ASCII, or is a control character other than tab, LF and
/// a CR before an LF.
pub(super) fn next_odd(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<CHUNK>()) {
        let (odd, returns) = look(chunk);
        if odd || (returns && has_lone_return(bytes, at)) {
            break;
        }
        at += CHUNK;
    }
    // Reached the chunk that holds it, or the tail.
    (at..bytes.len()).find(|&at| is_odd(bytes, at))
}

/// Whether the chunk has an odd byte other than CR, and whether it has a CR.
fn look(chunk: &[u8; CHUNK]) -> (bool, bool) {
    let (mut odd, mut returns) = (0_u8, 0_u8);
    for &byte in chunk {
        // As signed numbers, bytes from 0x80 up are negative, so one comparison finds them with the controls.
        let low = (byte.cast_signed() < 0x20) as u8;
        let allowed = (byte == b'\n') as u8 | (byte == b'\t') as u8 | (byte == b'\r') as u8;
        odd |= (low & !allowed) | (byte == 0x7F) as u8;
        returns |= (byte == b'\r') as u8;
    }
    (odd & 1 != 0, returns != 0)
}

/// Whether a CR of the chunk at `at` is not followed by LF.
fn has_lone_return(bytes: &[u8], at: usize) -> bool {
    memchr::memchr_iter(b'\r', &bytes[at..at + CHUNK]).any(|index| bytes.get(at + index + 1) != Some(&b'\n'))
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
            for offset in 0..200 {
                let mut bytes = b"plain text\twith\r\nline ends ".repeat(8);
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
    fn a_return_is_lone_at_the_end_and_before_text() {
        assert_eq!(next_odd(b"a\r", 0), Some(1));
        assert_eq!(next_odd(&[&[b'x'; 63][..], b"\r\n"].concat(), 0), None);
        assert_eq!(next_odd(&[&[b'x'; 63][..], b"\rx"].concat(), 0), Some(63));
        assert_eq!(next_odd(b"", 0), None);
    }
}
