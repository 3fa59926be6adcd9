//! SHA-256 of our own script and style, as a Content-Security-Policy names them.

use crate::base::sha256::sha256;

/// What a policy calls `text`: `sha256-` and the digest in Base64.
pub(super) fn source(text: &str) -> String {
    format!("sha256-{}", base64(&sha256(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let value = (0..3).fold(0_usize, |value, at| value << 8 | usize::from(group.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            let letter = LETTERS[value >> (18 - 6 * at) & 63];
            out.push(if at > group.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_padded() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        cases.into_iter().for_each(|(text, expected)| assert_eq!(base64(text.as_bytes()), expected));
    }
}
