//! The address of a model's server, as people write it: a URL, `host:port`, a host alone. Opens no connection.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::base::error::Obstacle;

/// How an address that leaves something out is read.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// The scheme if none is written.
    pub https: bool,
    /// The port if neither scheme nor port is written.
    pub port: Option<u16>,
}

/// The address of a server. It is shown without a path's trailing slash, and holds no user name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    https: bool,
    /// In lower case; an IPv6 address stands in brackets.
    host: String,
    port: u16,
    /// Empty, or begins with `/`.
    path: String,
}

impl Endpoint {
    /// Read an address.
    ///
    /// # Errors
    /// What is wrong with it, to follow the words "the host ...".
    pub fn parse(text: &str, defaults: Defaults) -> Result<Endpoint, Obstacle> {
        let text = text.trim().trim_matches(['"', '\'']).trim();
        let (https, has_scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => (false, true, rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (true, true, rest),
            Some(_) => return Err("is neither http:// nor https://".into()),
            None => (defaults.https, false, text),
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err("has a user name in it".into());
        }
        if rest.contains(['?', '#', '\\']) || !rest.chars().all(|c| c.is_ascii_graphic()) {
            return Err("has a character that no address has".into());
        }
        let (host, port) = split_port(authority)?;
        let by_scheme = if https { 443 } else { 80 };
        let port = port.or(defaults.port.filter(|_| !has_scheme)).unwrap_or(by_scheme);
        Ok(Endpoint { https, host: host_of(host)?, port, path: path.trim_end_matches('/').to_owned() })
    }

    /// The URL of `path`, which begins with `/`, on this server.
    pub fn url(&self, path: &str) -> String {
        format!("{self}{path}")
    }

    /// The same server with `path` below its own.
    #[must_use]
    pub(super) fn below(mut self, path: &str) -> Endpoint {
        if !self.path.ends_with(path) {
            self.path.push_str(path);
        }
        self
    }

    /// Whether the address names a path.
    pub(super) fn has_path(&self) -> bool {
        !self.path.is_empty()
    }

    /// Whether the server is this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        match self.address() {
            Some(address) => address.is_loopback(),
            None => self.host == "localhost" || self.host.ends_with(".localhost"),
        }
    }

    /// Whether both are the same server, asked in the same way.
    pub(crate) fn is_same_server(&self, other: &Endpoint) -> bool {
        (self.https, &self.host, self.port) == (other.https, &other.host, other.port)
    }

    /// The host, in lower case.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address without its path.
    pub fn root(&self) -> String {
        Endpoint { path: String::new(), ..self.clone() }.to_string()
    }

    /// Whether the connection is encrypted.
    #[cfg(feature = "llm")]
    pub(crate) fn is_https(&self) -> bool {
        self.https
    }

    fn address(&self) -> Option<IpAddr> {
        self.host.trim_start_matches('[').trim_end_matches(']').parse().ok()
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.https { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.host)?;
        if self.port != if self.https { 443 } else { 80 } {
            write!(f, ":{}", self.port)?;
        }
        f.write_str(&self.path)
    }
}

/// The host and the port of `authority`.
fn split_port(authority: &str) -> Result<(&str, Option<u16>), Obstacle> {
    // An IPv6 address without brackets has colons, and no port.
    if authority.parse::<Ipv6Addr>().is_ok() {
        return Ok((authority, None));
    }
    let end = authority.find(']').map_or(0, |end| end + 1);
    let Some(colon) = authority[end..].find(':').map(|colon| end + colon) else { return Ok((authority, None)) };
    match authority[colon + 1..].parse() {
        Ok(port) if port > 0 => Ok((&authority[..colon], Some(port))),
        _ => Err("has no valid port".into()),
    }
}

/// The host to connect to. A server that listens on all addresses is reached at this machine's own.
fn host_of(host: &str) -> Result<String, Obstacle> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    match bare.parse::<IpAddr>() {
        Ok(IpAddr::V4(Ipv4Addr::UNSPECIFIED)) => return Ok(Ipv4Addr::LOCALHOST.to_string()),
        Ok(IpAddr::V6(Ipv6Addr::UNSPECIFIED)) => return Ok(format!("[{}]", Ipv6Addr::LOCALHOST)),
        Ok(IpAddr::V6(address)) => return Ok(format!("[{address}]")),
        Ok(IpAddr::V4(address)) => return Ok(address.to_string()),
        Err(_) if host.is_empty() => return Ok(Ipv4Addr::LOCALHOST.to_string()),
        Err(_) => {}
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match host.chars().all(is_name) && !host.starts_with('.') {
        true => Ok(host.to_ascii_lowercase()),
        false => Err("is neither a name nor an address".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLLAMA: Defaults = Defaults { https: false, port: Some(11434) };

    #[test]
    fn l05_every_spelling_of_ollama_host() {
        for (written, expected) in [
            ("http://localhost:11434", "http://localhost:11434"),
            ("localhost:11434", "http://localhost:11434"),
            ("localhost", "http://localhost:11434"),
            ("127.0.0.1:1234", "http://127.0.0.1:1234"),
            (":1234", "http://127.0.0.1:1234"),
            ("", "http://127.0.0.1:11434"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            ("0.0.0.0:8080", "http://127.0.0.1:8080"),
            ("http://0.0.0.0:8080/", "http://127.0.0.1:8080"),
            ("[::]:8080", "http://[::1]:8080"),
            ("[::1]", "http://[::1]:11434"),
            ("::1", "http://[::1]:11434"),
            ("http://gpu.lan", "http://gpu.lan"),
            ("https://GPU.lan/ollama/", "https://gpu.lan/ollama"),
            ("https://gpu.lan:8443", "https://gpu.lan:8443"),
            (" \"gpu.lan:9\" ", "http://gpu.lan:9"),
        ] {
            assert_eq!(
                Endpoint::parse(written, OLLAMA).map(|host| host.to_string()).as_deref(),
                Ok(expected),
                "{written}"
            );
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for written in [
            "ftp://x",
            "http://a b",
            "http://user:pass@gpu.lan",
            "https://api.anthropic.com@evil.example",
            "http://x:99999",
            "http://x:0",
            "http://x:y",
            "http://x\\@y",
            "http://x/?a=b",
            "http://x/#a",
            "http://\u{430}pi.anthropic.com",
            "x\r\nHost: y",
            "[::1",
            ".example",
        ] {
            assert!(Endpoint::parse(written, OLLAMA).is_err(), "{written}");
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        let is_loopback = |host: &str| Endpoint::parse(host, OLLAMA).unwrap().is_loopback();
        for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "127.9.9.9", "[::1]:5", "0.0.0.0", "a.localhost"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "2130706433", "0x7f.1", "[::2]"] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
