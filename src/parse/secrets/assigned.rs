//! Passwords that a command gets by a variable: `PGPASSWORD=… psql -h host`. One is told only where the same command names a host of
//! the internet and the password is none that an example has.

use super::passwords::{is_password, is_public};
use crate::base::text::Span;

/// Variables by which clients of databases and shells take a password.
const VARIABLES: [&str; 4] = ["MYSQL_PWD=", "PGPASSWORD=", "REDISCLI_AUTH=", "SSHPASS="];
/// Options behind which a host stands.
const HOSTS: [&str; 3] = ["-h", "--host", "-H"];
/// So far behind a password its command is read, in bytes.
const MAX_COMMAND: usize = 500;

/// A password behind a variable's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AssignedPassword {
    /// The password.
    pub(crate) password: Span,
    /// The variable, with its sign.
    pub(crate) variable: &'static str,
}

/// The passwords in `text`, in order.
pub(crate) fn find(text: &str) -> Vec<AssignedPassword> {
    let named = VARIABLES.iter().flat_map(|variable| text.match_indices(variable));
    let mut found: Vec<_> = named.filter_map(|(at, variable)| assigned(text, at, variable)).collect();
    found.sort_by_key(|one| one.password.start);
    found
}

fn assigned(text: &str, at: usize, variable: &str) -> Option<AssignedPassword> {
    let variable = VARIABLES.iter().find(|known| **known == variable)?;
    let is_inside = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    // Quotes in JSON have a backslash before them.
    let behind = &text[at + variable.len()..];
    let value = behind.trim_start_matches(['\\', '"', '\'']);
    let start = text.len() - value.len();
    let end = value.find(|c: char| !c.is_ascii_graphic() || "\"'\\`;|&()<>".contains(c)).unwrap_or(value.len());
    let rest = value[end..].split(['\n', ';', '|']).next().unwrap_or_default();
    let length = rest.char_indices().map(|(at, _)| at).find(|at| *at > MAX_COMMAND).unwrap_or(rest.len());
    let is_told = !is_inside && is_password("", &value[..end]) && names_public_host(&rest[..length]);
    is_told.then(|| AssignedPassword { password: Span::new(start, start + end), variable })
}

/// Whether a command names a host of the internet, as `-h HOST`, `--host=HOST`, `user@HOST` or in an address.
fn names_public_host(command: &str) -> bool {
    let bare = |word: &'_ str| word.trim_matches(['"', '\'', '\\', ')', ',']).to_owned();
    let words: Vec<String> = command.split_whitespace().map(bare).collect();
    let host = |at: usize, word: &String| {
        let behind = || words.get(at + 1).cloned();
        let joined = |option: &&str| {
            let rest = word.strip_prefix(*option)?.trim_start_matches('=');
            if rest.is_empty() { behind() } else { Some(rest.to_owned()) }
        };
        let option = HOSTS.iter().find_map(joined);
        let of_user = || word.split_once('@').map(|(_, host)| host.split(['/', ':']).next().unwrap_or(host).to_owned());
        option.or_else(of_user)
    };
    words.iter().enumerate().filter_map(|(at, word)| host(at, word)).any(|host| is_public(&host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_of_commands_for_public_hosts_are_found() {
        for text in [
            "\"Bash(PGPASSWORD=k9fTz2Lq8w psql -h db.cloudhost.io -U app:*)\"",
            "\"Bash(PGPASSWORD='k9fTz2Lq8w' psql --host=db.cloudhost.io)\"",
            r#""Bash(PGPASSWORD=\"k9fTz2Lq8w\" psql -hdb.cloudhost.io:*)""#,
            "SSHPASS=k9fTz2Lq8w sshpass -e ssh root@8.8.4.4",
            "MYSQL_PWD=k9fTz2Lq8w mysql -h 8.8.4.4 shop",
        ] {
            let found = find(text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(&text[found[0].password.range()], "k9fTz2Lq8w", "{text}");
        }
        for near_miss in [
            "Bash(PGPASSWORD=k9fTz2Lq8w psql -h localhost -U app:*)",
            "Bash(PGPASSWORD=k9fTz2Lq8w psql:*)",
            "Bash(PGPASSWORD=k9fTz2Lq8w psql -h 10.0.0.7:*)",
            "Bash(PGPASSWORD=postgres1 psql -h db.cloudhost.io:*)",
            "Bash(PGPASSWORD=$PW psql -h db.cloudhost.io:*)",
            "Bash(PGPASSWORD=* psql -h db.cloudhost.io:*)",
            "Bash(MYPGPASSWORD=k9fTz2Lq8w psql -h db.cloudhost.io:*)",
            "Bash(PGPASSWORD=k9fTz2Lq8w psql -h db.example.com:*)",
            "Bash(PGPASSWORD=k9fTz2Lq8w psql; curl -H db.cloudhost.io:*)",
            "PGPASSWORD=",
        ] {
            assert_eq!(find(near_miss), [], "{near_miss}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(PGPASSWORD=|SSHPASS=|é|-h|@| |[a-z0-9.\"\\\\'])*") {
            for one in find(&text) {
                proptest::prop_assert!(text.get(one.password.range()).is_some());
            }
        }
    }
}
