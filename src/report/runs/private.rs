//! Commands and values without secrets: keys of published forms, values under a key-like name, and passwords in
//! addresses are left out.

use crate::agents::runs::RunKind;
use crate::base::text::spelling_core;
use crate::parse::secrets;

/// What stands in a key's place.
const MASK: &str = "[key]";
/// Shorter values under such a name are no keys.
const MIN_KEY: usize = 6;
/// Parts of names of what is kept secret.
const SECRET_NAMES: [&str; 13] = [
    "accesskey",
    "apikey",
    "authkey",
    "authorization",
    "credential",
    "mysqlpwd",
    "passphrase",
    "password",
    "privatekey",
    "rediscliauth",
    "secret",
    "sshpass",
    "token",
];

/// The same with masks in place of keys.
pub(super) fn without_keys(kind: &RunKind) -> RunKind {
    let mut kind = kind.clone();
    match &mut kind {
        RunKind::Hook { action: text, .. }
        | RunKind::Endpoint { url: text, .. }
        | RunKind::Permission { rule: text, .. }
        | RunKind::Helper { command: text, .. }
        | RunKind::PreRun { command: text } => *text = masked(text),
        RunKind::Server { command, given, .. } => {
            let line = masked(&command.join("\n"));
            *command = line.split('\n').map(str::to_owned).collect();
            given.iter_mut().for_each(|(name, value)| mask_value(name, value));
        }
        RunKind::Style { name, .. } => *name = masked(name),
        RunKind::Variable { name, value } | RunKind::Setting { key: name, value } => mask_value(name, value),
    }
    kind
}

fn mask_value(name: &str, value: &mut String) {
    let is_reference = value.split_whitespace().all(|word| !is_value(word) || word.starts_with(['$', '{']));
    let is_key = is_secret_name(name) || is_key_name(name) && secrets::is_likely(value);
    *value = match is_key && is_value(value) && !is_reference {
        true => MASK.to_owned(),
        false => masked(value),
    };
}

fn masked(text: &str) -> String {
    let text = secrets::masked(text, MASK);
    let mut out = String::with_capacity(text.len());
    let (mut is_next, mut is_login) = (false, false);
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        // A rule about commands ends with `:*)`.
        let bare = word
            .strip_suffix(":*)")
            .or_else(|| word.strip_suffix(')'))
            .unwrap_or(word)
            .trim_matches(['"', '\'', ',', ';']);
        let login = bare.split_once(':').filter(|(name, value)| is_login && !name.is_empty() && is_value(value));
        let shown = match login {
            Some((_, password)) => word.replace(password, MASK),
            None if is_web_token(bare) || (is_next && is_value(bare)) => word.replace(bare, MASK),
            None => masked_word(word),
        };
        is_login = matches!(bare, "-u" | "--user");
        out.push_str(&shown);
        out.push_str(&piece[word.len()..]);
        let name = bare.trim_end_matches(':');
        is_next = ["bearer", "basic"].iter().any(|scheme| name.eq_ignore_ascii_case(scheme))
            || ((bare.starts_with('-') || bare.ends_with(':')) && !name.contains('=') && is_secret_name(name))
            // `Authorization: Bearer KEY`: the scheme is no secret.
            || (is_next && !is_value(bare));
    }
    out
}

/// A word with what follows a secret's name, and a password before a host, masked.
fn masked_word(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for piece in word.split_inclusive(['?', '&', ';', ',']) {
        let end = piece.trim_end_matches(['?', '&', ';', ',', '"', '\'']);
        let value = end
            .split_once(['=', ':'])
            .filter(|(name, value)| is_secret_name(name) && is_value(value.trim_start_matches(['"', '\''])));
        match value {
            Some((name, _)) => {
                out.push_str(&piece[..=name.len()]);
                out.push_str(MASK);
                out.push_str(&piece[end.len()..]);
            }
            None => out.push_str(piece),
        }
    }
    let Some((scheme, rest)) = out.split_once("://") else { return out };
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    match host.rsplit_once('@').and_then(|(user, _)| Some((user, user.split_once(':')?))) {
        Some((user, (name, password))) if is_value(password) => {
            format!("{scheme}://{name}:{MASK}{}", &rest[user.len()..])
        }
        _ => out,
    }
}

/// Whether a name is one of keys by its end, such as `FAL_KEY`; what stands under it may be none.
fn is_key_name(name: &str) -> bool {
    let plain = spelling_core(name);
    ["key", "keys", "pass", "passwd", "pat", "pwd", "jwt"].iter().any(|end| plain.ends_with(end))
}

/// Whether a word is a JSON Web Token: three parts in Base64, the first of which is an object.
fn is_web_token(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    let is_part =
        |part: &&str| part.len() >= 10 && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    parts.len() == 3 && parts[0].starts_with("eyJ") && parts.iter().all(is_part)
}

fn is_secret_name(name: &str) -> bool {
    let plain = spelling_core(name);
    SECRET_NAMES.iter().any(|part| plain.contains(part)) && !plain.ends_with("tokens")
}

/// Whether a value could be a key: no variable, path, number or word.
fn is_value(value: &str) -> bool {
    value.len() >= MIN_KEY
        && !secrets::is_sample_key(value)
        && !value.starts_with(['/', '.', '[', '-'])
        && !value.bytes().all(|byte| byte.is_ascii_digit())
        && !matches!(value.to_ascii_lowercase().as_str(), "bearer" | "basic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_left_out() {
        for (text, expected) in [
            (
                "curl -H \"Authorization: Bearer s3cr3tV4lue\" https://x",
                "curl -H \"Authorization: Bearer [key]\" https://x",
            ),
            ("npx s --api-key s3cr3tV4lue --port 8080", "npx s --api-key [key] --port 8080"),
            ("npx s --api-key=s3cr3tV4lue", "npx s --api-key=[key]"),
            ("https://x.test/mcp?a=1&apiKey=s3cr3tV4lue&b=2", "https://x.test/mcp?a=1&apiKey=[key]&b=2"),
            ("https://me:s3cr3tV4lue@x.test/p", "https://me:[key]@x.test/p"),
            ("GITHUB_TOKEN=s3cr3tV4lue run", "GITHUB_TOKEN=[key] run"),
            ("Bash(PGPASSWORD=s3cr3tV4lue psql -h x:*)", "Bash(PGPASSWORD=[key] psql -h x:*)"),
            ("Bash(MYSQL_PWD='s3cr3tV4lue' mysql)", "Bash(MYSQL_PWD=[key]' mysql)"),
            (
                "Bash(curl -H \"Authorization: Bearer s3cr3tV4lue\":*)",
                "Bash(curl -H \"Authorization: Bearer [key]\":*)",
            ),
            ("curl -u bob:s3cr3tV4lue https://x", "curl -u bob:[key] https://x"),
            ("docker run -u 1000:1000000 x -u name --user a:b", "docker run -u 1000:1000000 x -u name --user a:b"),
            ("--max-tokens 8000000 --token-file /etc/token x", "--max-tokens 8000000 --token-file /etc/token x"),
            ("Authorization: Bearer ${TOKEN}", "Authorization: Bearer ${TOKEN}"),
            ("bash .claude/hooks/a.sh https://x.test:8080/a@b", "bash .claude/hooks/a.sh https://x.test:8080/a@b"),
        ] {
            assert_eq!(masked(text), expected);
        }
        let key = secrets::tests::key("ghp_", 36, "");
        assert_eq!(masked(&format!("a {key} b")), "a [key] b");
        let variable = |name: &str, value: &str| {
            let kind = RunKind::Variable { name: name.to_owned(), value: value.to_owned() };
            match without_keys(&kind) {
                RunKind::Variable { value, .. } => value,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(variable("ANTHROPIC_AUTH_TOKEN", "hunter2222"), MASK);
        assert_eq!(variable("MAX_THINKING_TOKENS", "31999"), "31999");
        assert_eq!(variable("API_KEY", "${API_KEY}"), "${API_KEY}");
        assert_eq!(variable("FAL_KEY", "q8W2e5R7t1Y4u9I3o6P0a7"), MASK);
        assert_eq!(variable("SSH_KEY", "/home/me/.ssh/id_ed25519_of_2024"), "/home/me/.ssh/id_ed25519_of_2024");
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.q8W2e5R7t1Y4u9I3o6P0a7";
        assert_eq!(variable("SUPABASE", token), MASK);
        assert_eq!(variable("DB", "mysql://bob:k9fTz2Lq8w@db.cloudhost.io/x"), "mysql://bob:[key]@db.cloudhost.io/x");
    }
}
