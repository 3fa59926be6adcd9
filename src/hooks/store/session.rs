//! The names of sessions' files. Ids come from outside; one that is not plainly a name is hashed.

use git2::{ObjectType, Oid};

/// The longest session id that is taken as part of a file's name.
const MAX_ID: usize = 128;

/// Whose memory a file is: a session's, or that of one of its subagents, which has a context of its own. Both ids come from
/// outside: everything that is not plainly a name is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AgentSession<'i> {
    /// The session's id.
    pub(crate) id: &'i str,
    /// The subagent's id; `None` for the session itself.
    pub(crate) agent: Option<&'i str>,
}

impl AgentSession<'_> {
    /// The file below `folder`.
    pub(crate) fn file(&self, folder: &str) -> String {
        // No key holds a `+`, so that no session has the file of another's subagent.
        let agent = self.agent.map(|agent| format!("+{}", session_key(agent))).unwrap_or_default();
        format!("{folder}/session-{}{agent}.json", session_key(self.id))
    }
}

/// A name for a session that is safe as part of a path, and the id itself wherever it is one.
pub(crate) fn session_key(session: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_name = !session.is_empty()
        && session.len() <= MAX_ID
        && session.bytes().all(plain)
        && !session.starts_with(['.', '-'])
        && !session.contains("..")
        && !session.starts_with(HASHED);
    if is_name { session.to_owned() } else { format!("{HASHED}{}", hash(session.as_bytes())) }
}

/// What the keys of hashed ids begin with.
const HASHED: &str = "sha1-";

/// The name that git gives to `bytes` as an object, which tells contents apart.
pub fn hash(bytes: &[u8]) -> String {
    Oid::hash_object(ObjectType::Blob, bytes).map(|id| id.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subagent_has_a_file_of_its_own() {
        let file = |id, agent| AgentSession { id, agent }.file("f");
        assert_eq!(file("s", None), "f/session-s.json");
        assert_eq!(file("s", Some("a1")), "f/session-s+a1.json");
        assert_ne!(file("s+a1", None), file("s", Some("a1")));
        assert!(!file("s", Some("../x")).contains(".."));
    }

    #[test]
    fn ids_are_names_or_hashes() {
        for id in ["abc", "0b5c1f6e-9a3d-4d1e-8f53-0a1b2c3d4e5f", "a.b_c", &"x".repeat(128)] {
            assert_eq!(session_key(id), id);
        }
        let odd = ["", "..", "../x", "a/b", "a\\b", ".x", "-x", "a b", "é", "a\0", "a..b", "sha1-x", &"x".repeat(129)];
        let keys: std::collections::BTreeSet<String> = odd.iter().map(|id| session_key(id)).collect();
        assert_eq!(keys.len(), odd.len());
        for key in keys {
            let hex = key.strip_prefix("sha1-").unwrap();
            assert!(hex.len() == 40 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
        }
    }
}
