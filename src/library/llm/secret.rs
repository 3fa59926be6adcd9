//! Keys, and texts without them. A key is printed nowhere: not by `Debug`, not in a message that a server sent back.

use std::fmt;

/// What stands in place of a key.
const MASK: &str = "[key]";

/// A key with where it comes from.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    value: String,
    /// Where it was found, such as `.api-keys.json`.
    pub origin: String,
}

impl ApiKey {
    /// The key `value`, found in `origin`. `None` if it has characters that no header has.
    pub fn new(value: &str, origin: impl Into<String>) -> Option<ApiKey> {
        let value = value.trim();
        let is_key = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic());
        is_key.then(|| ApiKey { value: value.to_owned(), origin: origin.into() })
    }

    /// Keep the key out of messages.
    pub(crate) fn hide_in(&self, secrets: &mut Secrets) {
        secrets.add(&self.value);
    }

    /// The key itself, to be sent and never to be printed.
    pub(super) fn expose(&self) -> &str {
        &self.value
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({MASK}, {:?})", self.origin)
    }
}

/// What must not stand in any message.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// Keep `secret` out of messages, too. Very short texts would take words of the message with them.
    pub fn add(&mut self, secret: &str) {
        if secret.len() >= 4 {
            self.0.push(secret.to_owned());
        }
    }

    /// `text` without the secrets, and without whatever has the form of a key. A server that repeats a key may cut it.
    #[cfg(any(feature = "llm", test))]
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.0 {
            text = text.replace(secret.as_str(), MASK);
            // A part that is long enough to be of use is a secret, too.
            let cut = secret.floor_char_boundary(secret.len() / 2);
            if cut >= 8 {
                text = text.replace(&secret[..cut], MASK).replace(&secret[cut..], MASK);
            }
        }
        crate::parse::secrets::masked(&text, MASK)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_message_holds_a_key() {
        let key = ApiKey::new(" secret-value-0123456789\n", "ANTHROPIC_API_KEY").unwrap();
        assert_eq!(format!("{key:?}"), "Key([key], \"ANTHROPIC_API_KEY\")");
        let mut secrets = Secrets::default();
        secrets.add(key.expose());
        assert_eq!(secrets.redact("bad key secret-value-0123456789!"), "bad key [key]!");
        assert_eq!(secrets.redact("bad key secret-value..."), "bad key [key]e...");
        assert!(!format!("{secrets:?}").contains("secret-value"));
        for bad in ["", " ", "a b", "a\r\nx-evil: 1", "k\u{e9}y"] {
            assert_eq!(ApiKey::new(bad, "x"), None, "{bad:?}");
        }
    }
}
