//! Passwords in addresses of databases and queues: `postgresql://user:password@host`. One is told only where the host is one of
//! the internet and the password none that an example has.

use crate::base::text::Span;
use std::net::Ipv4Addr;

/// Schemes of addresses that hold a user and a password; a driver may follow behind a `+`.
const SCHEMES: [&str; 12] = [
    "amqp",
    "amqps",
    "clickhouse",
    "mariadb",
    "mongodb",
    "mongodb+srv",
    "mssql",
    "mysql",
    "postgres",
    "postgresql",
    "redis",
    "rediss",
];
/// Longer parts of an address are none, in bytes.
const MAX_PART: usize = 300;
/// Passwords that are shorter or of fewer characters are those of examples.
const SHORTEST: usize = 8;
const FEWEST: usize = 6;
/// Words in passwords that stand for one, or that many examples have.
const SAMPLES: [&str; 22] = [
    "1234",
    "admin",
    "changeme",
    "change",
    "demo",
    "dummy",
    "example",
    "guest",
    "hidden",
    "masked",
    "mongo",
    "mysql",
    "pass",
    "placeholder",
    "postgres",
    "pw",
    "redacted",
    "redis",
    "secret",
    "test",
    "xxx",
    "your",
];
/// Last labels of names that no public server has.
const LOCAL: [&str; 11] =
    ["cluster", "example", "home", "internal", "invalid", "lan", "local", "localdomain", "localhost", "svc", "test"];
/// Names that stand for a host.
const STAND_INS: [&str; 12] = [
    "cluster",
    "company",
    "domain",
    "example",
    "host",
    "hostname",
    "mycompany",
    "myhost",
    "myserver",
    "provider",
    "server",
    "yourdomain",
];

/// A password in an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AddressPassword {
    /// The address up to its host.
    pub(crate) span: Span,
    /// The password in it.
    pub(crate) password: Span,
    /// The address, with an ellipsis in place of the password.
    pub(crate) shown: String,
}

/// The passwords in `text`, in order.
pub(crate) fn find(text: &str) -> Vec<AddressPassword> {
    text.match_indices("://").filter_map(|(at, _)| address(text, at)).collect()
}

fn address(text: &str, colon: usize) -> Option<AddressPassword> {
    let before = &text.as_bytes()[..colon];
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let start = colon - before.iter().rev().take(MAX_PART).take_while(is_scheme).count();
    let scheme = text[start..colon].to_ascii_lowercase();
    let base = scheme.split('+').next().unwrap_or_default();
    if !SCHEMES.contains(&base) {
        return None;
    }
    let from = colon + "://".len();
    let rest = text.as_bytes()[from..].iter().take(MAX_PART);
    let ends = |byte: &&u8| !byte.is_ascii_graphic() || b"/?#\"'`\\(),;<>|".contains(byte);
    let end = from + rest.take_while(|byte| !ends(byte)).count();
    let (user, host) = text[from..end].rsplit_once('@')?;
    let (name, password) = user.split_once(':')?;
    if !is_password(name, password) || !is_public(host) {
        return None;
    }
    let password_start = from + name.len() + 1;
    let shown = format!("{scheme}://{name}:…@{host}");
    let password = Span::new(password_start, password_start + password.len());
    Some(AddressPassword { span: Span::new(start, end), password, shown })
}

/// Whether a password is one, and not what stands for it.
pub(super) fn is_password(user: &str, password: &str) -> bool {
    let lower = password.to_ascii_lowercase();
    let mut bytes: Vec<u8> = password.bytes().collect();
    bytes.sort_unstable();
    bytes.dedup();
    password.len() >= SHORTEST
        && bytes.len() >= FEWEST
        && bytes.iter().any(u8::is_ascii_digit)
        && bytes.iter().any(u8::is_ascii_alphabetic)
        && !password.contains(['$', '{', '}', '[', ']', '*', ':'])
        && (user.is_empty() || !lower.contains(&user.to_ascii_lowercase()))
        && !SAMPLES.iter().any(|word| lower.contains(word))
}

/// Whether a host is one of the internet, as far as its name tells.
pub(super) fn is_public(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_end_matches('.').to_ascii_lowercase();
    if let Ok(address) = name.parse::<Ipv4Addr>() {
        let [first, second, ..] = address.octets();
        let is_shared = first == 100 && (64..128).contains(&second);
        return !(address.is_private()
            || address.is_loopback()
            || address.is_unspecified()
            || address.is_link_local()
            || address.is_documentation()
            || is_shared);
    }
    let labels: Vec<&str> = name.split('.').collect();
    let [.., domain, last] = labels[..] else { return false };
    let is_name = |label: &&str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    labels.iter().all(is_name)
        && last.bytes().all(|byte| byte.is_ascii_alphabetic())
        && last.len() > 1
        && !LOCAL.contains(&last)
        && !STAND_INS.contains(&domain)
        && !["example", "xxx", "your", "placeholder"].iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_for_public_hosts_are_found() {
        for (text, shown) in [
            (
                "postgresql://neondb_owner:npg_aB3dE6gH9k@ep-cool-1.neon.tech/db",
                "postgresql://neondb_owner:…@ep-cool-1.neon.tech",
            ),
            (
                "\"mongodb+srv://bob:k9fTz2Lq8w@cluster0.ab1cd.mongodb.net/?x=1\"",
                "mongodb+srv://bob:…@cluster0.ab1cd.mongodb.net",
            ),
            ("redis://:q8W2e5R7t1Y4@eu1.cache.net:6379", "redis://:…@eu1.cache.net:6379"),
            ("amqps://bob:k9fTz2Lq8w@mq.cloudhost.io/vhost", "amqps://bob:…@mq.cloudhost.io"),
            (
                "Bash(psql 'postgresql+asyncpg://bob:k9fTz2Lq8w@8.8.4.4:5432/x')",
                "postgresql+asyncpg://bob:…@8.8.4.4:5432",
            ),
        ] {
            let found = find(text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].shown, shown);
            assert!(!found[0].shown.contains(&text[found[0].password.range()]));
        }
    }

    #[test]
    fn samples_and_local_hosts_are_passed_over() {
        for text in [
            "postgresql://user:password@db.cloudhost.io/x",
            "postgresql://postgres:postgres123@db.cloudhost.io/x",
            "postgresql://bob:bob2024xyz@db.cloudhost.io/x",
            "postgresql://bob:${DB_PASSWORD}@db.cloudhost.io/x",
            "postgresql://bob:[YOUR-PASSWORD-1]@db.cloudhost.io/x",
            "postgresql://bob:k9fTz2Lq8w@localhost:5432/x",
            "postgresql://bob:k9fTz2Lq8w@db:5432/x",
            "postgresql://bob:k9fTz2Lq8w@127.0.0.1/x",
            "postgresql://bob:k9fTz2Lq8w@10.0.0.7/x",
            "postgresql://bob:k9fTz2Lq8w@192.168.1.7/x",
            "postgresql://bob:k9fTz2Lq8w@db.example.com/x",
            "postgresql://bob:k9fTz2Lq8w@host.docker.internal/x",
            "postgresql://bob:k9fTz2Lq8w@my.host.com/x",
            "postgresql://bob:k9fTz2Lq8w@ep-xxxx.neon.tech/x",
            "postgresql://bob@db.cloudhost.io/x",
            "postgresql://db.cloudhost.io/x",
            "https://bob:k9fTz2Lq8w@db.cloudhost.io/x",
            "postgresql://bob:short1@db.cloudhost.io/x",
            "postgresql://bob:nodigitshere@db.cloudhost.io/x",
        ] {
            assert_eq!(find(text), [], "{text}");
        }
    }
}
