//! Private keys in text: in the armour of RFC 7468, with line ends as such or as `\n`, and whole files with one in Base64.

use super::is_random;
use crate::base::text::Span;

const BEGIN: &str = "-----BEGIN ";
const OPENED: &str = "PRIVATE KEY-----";
const END: &str = "-----END ";
/// Longest name of a kind of key, such as `ENCRYPTED`, and longest key, in bytes.
const MAX_KIND: usize = 20;
const MAX_KEY: usize = 16 << 10;
/// A shorter body is none of a key: Ed25519 has 64 characters of Base64.
const SHORTEST: usize = 60;
/// A shorter word of Base64 holds no file with a key.
const SHORTEST_FILE: usize = 150;

/// The private keys in `text`, in order.
pub(crate) fn find(text: &str) -> Vec<Span> {
    let armoured = text.match_indices(BEGIN).filter_map(|(at, _)| Some(Span::new(at, at + armoured(&text[at..])?)));
    let mut found: Vec<Span> = armoured.chain(encoded(text)).collect();
    found.sort_unstable();
    found
}

/// The length of the key at the start of `text`.
fn armoured(text: &str) -> Option<usize> {
    // No further than a key goes: a text may begin many that do not end.
    let within = |from: usize, most: usize| &text[from..text.floor_char_boundary(from + most)];
    let opened = within(BEGIN.len(), MAX_KIND + OPENED.len()).find(OPENED)?;
    let body = BEGIN.len() + opened + OPENED.len();
    let length = within(body, MAX_KEY + END.len()).find(END)?;
    let key = text[body..body + length].replace("\\n", "").replace("\\r", "");
    let key: String = key.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let is_key = key.len() >= SHORTEST && key.bytes().all(|byte| digit(byte).is_some() || byte == b'=');
    (is_key && is_random(&key)).then_some(body + length)
}

/// Words of Base64 in which a file with a private key is.
fn encoded(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at + bytes[at..].iter().position(|byte| digit(*byte).is_some())?;
            let length = bytes[start..].iter().take_while(|byte| digit(**byte).is_some()).count();
            at = start + length;
            if length >= SHORTEST_FILE && holds_key(&bytes[start..at]) {
                return Some(Span::new(start, at));
            }
        }
        None
    })
}

fn holds_key(word: &[u8]) -> bool {
    let decoded = decoded(&word[..word.len().min(MAX_KEY * 2)]);
    let text = String::from_utf8_lossy(&decoded);
    text.match_indices(BEGIN).any(|(at, _)| armoured(&text[at..]).is_some())
}

/// What a word of Base64 stands for; what is no digit is passed over.
pub(super) fn decoded(word: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(word.len());
    let (mut bits, mut count) = (0_u32, 0);
    for digit in word.iter().filter_map(|byte| digit(*byte)) {
        bits = (bits << 6 | digit) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push((bits >> count & 0xff) as u8);
        }
    }
    decoded
}

/// The value of a digit of Base64, in either alphabet.
fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(length: usize) -> String {
        "MIIEvqP7zK2mW9xR4tY6nB3vC8dF5gH1jLs0uMaTeSoIb".chars().cycle().take(length).collect()
    }

    fn base64(text: &str) -> String {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digit = |value: usize| char::from(alphabet[value & 63]);
        let group = |group: &[u8]| {
            let bits = group.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - group.len()));
            (0..=group.len()).map(|at| digit(bits >> (18 - 6 * at))).collect::<String>()
        };
        text.as_bytes().chunks(3).map(group).collect()
    }

    #[test]
    fn private_keys_are_found() {
        for end in ["\n", "\\n"] {
            let key = format!("-----BEGIN PRIVATE KEY-----{end}{}{end}-----END PRIVATE KEY-----", body(400));
            let text = format!("{{\"key\": \"{key}\"}}");
            assert_eq!(find(&text).len(), 1, "{text}");
            let file = base64(&format!("{{\"type\": \"service_account\", \"private_key\": \"{key}\"}}"));
            let text = format!("{{\"key\": \"{file}\"}}");
            let found = find(&text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(&text[found[0].range()], file);
        }
        assert_eq!(find(&format!("-----BEGIN OPENSSH PRIVATE KEY-----{}-----END", body(90))).len(), 0);
        assert_eq!(find(&format!("-----BEGIN OPENSSH PRIVATE KEY-----{}-----END ", body(90))).len(), 1);
    }

    #[test]
    fn a_text_that_begins_many_keys_is_searched_once() {
        // Each search to the end of the text would take minutes together.
        assert_eq!(find(&BEGIN.repeat(100_000)), []);
        assert_eq!(find(&format!("{BEGIN}{OPENED}").repeat(30_000)), []);
        // The kind of a key is not cut within a letter.
        assert_eq!(find(&format!("{BEGIN}{}", "\u{e4}".repeat(50))), []);
    }

    #[test]
    fn what_only_names_a_private_key_is_none() {
        for text in [
            "-----BEGIN PRIVATE KEY-----\\n...\\n-----END PRIVATE KEY-----\\n",
            "-----BEGIN PRIVATE KEY-----",
            &format!("-----BEGIN PRIVATE KEY-----{}-----END ", "x".repeat(100)),
            &format!("-----BEGIN PUBLIC KEY-----{}-----END PUBLIC KEY-----", body(200)),
            &format!("-----BEGIN CERTIFICATE-----{}-----END CERTIFICATE-----", body(200)),
            &body(400),
            &base64(&"{\"type\": \"other\", \"text\": \"no key at all\"}".repeat(8)),
            "grep -rn 'BEGIN PRIVATE KEY' .",
        ] {
            assert_eq!(find(text), [], "{text}");
        }
    }
}
