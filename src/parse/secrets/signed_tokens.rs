//! Signed tokens in text (RFC 7519 in the compact form of RFC 7515): three words of Base64 with dots between them, of which the first
//! holds a header with `alg` and the second an object of claims.

use super::private_keys::decoded;
use crate::base::text::Span;
use crate::parse::json::{self, JsonGrammar, JsonNode};

/// How the Base64 of `{"` begins.
const BEGIN: &str = "eyJ";
/// Longest part, and shortest signature, in characters.
const MAX_PART: usize = 8 << 10;
const SHORTEST_SIGNATURE: usize = 40;
/// A token that is good for no longer than this, in seconds, is good no more when it is read.
const SHORT_LIVED: f64 = 24.0 * 3600.0;
/// What ran out before this, the first of October 2026, had run out when this program was written, whenever it is read.
const RAN_OUT: f64 = 1_790_812_800.0;
/// Roles of tokens that web pages carry for everybody.
const PUBLIC_ROLES: [&str; 2] = ["anon", "authenticated"];
/// Subjects, names and issuers of tokens that documentations and local servers have.
const SAMPLES: [&str; 5] = ["1234567890", "Jane Doe", "John Doe", "example", "supabase-demo"];

/// The signed tokens in `text`, in order.
pub(crate) fn find(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found: Vec<Span> = Vec::new();
    for (at, _) in text.match_indices(BEGIN) {
        let is_inside = found.last().is_some_and(|last| at < last.end);
        let begins = at == 0 || !(is_digit(bytes[at - 1]) || bytes[at - 1] == b'.');
        if let Some(length) = Some(&bytes[at..]).filter(|_| begins && !is_inside).and_then(token) {
            found.push(Span::new(at, at + length));
        }
    }
    found
}

/// The length of the token at the start of `bytes`.
fn token(bytes: &[u8]) -> Option<usize> {
    let part = |from: usize| {
        let length = bytes.get(from..)?.iter().take(MAX_PART + 1).take_while(|byte| is_digit(**byte)).count();
        (1..=MAX_PART).contains(&length).then_some(from + length)
    };
    let dot = |at: usize| (bytes.get(at) == Some(&b'.')).then_some(at + 1);
    let header_end = part(0)?;
    let claims = dot(header_end)?;
    let claims_end = part(claims)?;
    let signature = dot(claims_end)?;
    let end = part(signature)?;
    let is_signed = end - signature >= SHORTEST_SIGNATURE && bytes.get(end) != Some(&b'.');
    let header = object(&bytes[..header_end])?;
    let algorithm = header.get("alg").and_then(JsonNode::text)?;
    let claims = object(&bytes[claims..claims_end])?;
    (is_signed && algorithm != "none" && !is_open(&claims)).then_some(end)
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn object(word: &[u8]) -> Option<JsonNode> {
    let text = String::from_utf8(decoded(word)).ok()?;
    json::parse(&text, JsonGrammar::STRICT).ok().filter(JsonNode::is_object)
}

/// Whether the token is meant for everybody, is one of an example, or was good for a short time only.
fn is_open(claims: &JsonNode) -> bool {
    let texts = ["role", "sub", "name", "iss"].map(|claim| claims.get(claim).and_then(JsonNode::text));
    let is_public = texts[0].is_some_and(|role| PUBLIC_ROLES.contains(&role));
    let is_sample = texts.into_iter().flatten().any(|text| SAMPLES.iter().any(|sample| text.contains(sample)));
    let time = |claim: &str| claims.get(claim).and_then(JsonNode::number);
    let is_short = time("exp").zip(time("iat")).is_some_and(|(end, start)| end - start <= SHORT_LIVED);
    let is_over = time("exp").is_some_and(|end| end < RAN_OUT);
    is_public || is_sample || is_short || is_over
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn base64(text: &str) -> String {
        const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let (mut out, mut bits, mut count) = (String::new(), 0_u32, 0);
        for byte in text.bytes().chain([0]) {
            bits = (bits << 8 | u32::from(byte)) & 0xffff;
            count += 8;
            while count >= 6 {
                count -= 6;
                out.push(char::from(DIGITS[(bits >> count & 63) as usize]));
            }
        }
        out.truncate((text.len() * 8).div_ceil(6));
        out
    }

    /// An invented token with these claims.
    pub(crate) fn signed(header: &str, claims: &str) -> String {
        format!("{}.{}.{}", base64(header), base64(claims), "qP7zK2mW9xR4tY6nB3vC8dF5gH1jLs0uMaTeSoIb-_x")
    }

    const HEADER: &str = r#"{"alg":"HS256","typ":"JWT"}"#;

    #[test]
    fn tokens_are_told_by_their_header() {
        for claims in [r#"{"role":"service_role"}"#, r#"{"id":5,"exp":2000000000,"iat":1700000000}"#, "{}"] {
            let token = signed(HEADER, claims);
            let text = format!("{{\"TOKEN\": \"{token}\"}}");
            assert_eq!(find(&text), [Span::new(11, 11 + token.len())], "{claims}");
        }
    }

    #[test]
    fn other_words_with_dots_are_none() {
        let whole = signed(HEADER, r#"{"id":5}"#);
        for near_miss in [
            signed(r#"{"typ":"JWT"}"#, r#"{"id":5}"#),
            signed(r#"{"alg":"none"}"#, r#"{"id":5}"#),
            signed(HEADER, "[5]"),
            signed(HEADER, r#"{"sub":"1234567890","name":"John Doe","iat":1516239022}"#),
            signed(HEADER, r#"{"role":"anon","iss":"supabase"}"#),
            signed(HEADER, r#"{"role":"service_role","iss":"supabase-demo"}"#),
            signed(HEADER, r#"{"id":5,"iat":1700000000,"exp":1700003600}"#),
            signed(HEADER, r#"{"id":5,"iat":1700000000,"exp":1765000000}"#),
            whole[..whole.len() - 4].to_owned(),
            format!("{whole}.x.y"),
            format!("x{whole}"),
            "eyJhbGciOi.eyJ.x".to_owned(),
            "eyJ...".to_owned(),
            "Bearer eyJ<token>".to_owned(),
        ] {
            assert_eq!(find(&near_miss), [], "{near_miss}");
        }
    }
}
