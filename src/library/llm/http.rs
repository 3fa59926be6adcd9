//! The one HTTP client: JSON in, bytes out, within a time, a size and a number of tries. Follows no redirect to another server,
//! and puts no key into a message. Knows no provider.

use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use ureq::http::{Request, Response, header};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, Proxy};

use super::endpoint::{Defaults, Endpoint};
use super::exchange::{Call, Reply};
use super::{ProviderFailure, Secrets, http_date};
use crate::base::sanitize;
use crate::env::Env;
use crate::source::regular;

/// Largest answer in bytes.
const MAX_ANSWER: u64 = 4 << 20;

/// How often a call is made if the server is busy or fails.
const MAX_TRIES: u32 = 3;

/// The longest wait between two tries.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// How many redirects on the same server are followed.
const MAX_REDIRECTS: u32 = 5;

/// Longest message of a server that is repeated, in characters.
const MAX_MESSAGE: usize = 200;

/// Makes calls to one server.
#[derive(Debug)]
pub struct Client {
    timeout: Duration,
    proxies: Proxies,
    roots: Option<Vec<Certificate<'static>>>,
    secrets: Secrets,
}

impl Client {
    /// A client that takes proxies and certificates from `env`, and gives up after `timeout`. No message repeats one of `secrets`.
    ///
    /// # Errors
    /// When `SSL_CERT_FILE` names a file without certificates.
    pub fn new(env: &Env, timeout: Duration, secrets: Secrets) -> Result<Client, ProviderFailure> {
        let roots = env.get("SSL_CERT_FILE").map(certificates).transpose()?;
        Ok(Client { timeout, proxies: Proxies::of(env), roots, secrets })
    }

    /// Make a call, again if the server is busy or fails, and until the time is up.
    ///
    /// # Errors
    /// When there is no answer. An answer of any other status is one.
    pub(super) fn send(&self, call: &Call<'_>) -> Result<Reply, ProviderFailure> {
        let until = Instant::now() + self.timeout;
        let mut tries = 1;
        loop {
            let response = self.redirected(call, until)?;
            let status = response.status().as_u16();
            let is_busy = matches!(status, 429 | 529) || (500..600).contains(&status);
            let wait = wait(&response, tries);
            let fits = wait <= MAX_WAIT && Instant::now() + wait < until;
            if !is_busy || tries == MAX_TRIES || !fits {
                return self.read(call, response);
            }
            std::thread::sleep(wait);
            tries += 1;
        }
    }

    /// The message of a server's answer, fit to print.
    pub(super) fn said(&self, reply: &Reply) -> String {
        let json = reply.json();
        let error = &json["error"];
        let message = [&error["message"], error, &json["message"], &json["detail"]];
        let said = match message.into_iter().find_map(Value::as_str) {
            Some(message) => message.to_owned(),
            None => String::from_utf8_lossy(&reply.body).into_owned(),
        };
        let said = self.secrets.redact(&said);
        let words: Vec<&str> = said.split_whitespace().collect();
        let said: String = words.join(" ").chars().take(MAX_MESSAGE).collect();
        sanitize::line(&said).into_owned()
    }

    /// The answer after redirects that stay on the server.
    fn redirected(&self, call: &Call<'_>, until: Instant) -> Result<Response<Body>, ProviderFailure> {
        let mut url = call.endpoint.url(call.path);
        for _ in 0..=MAX_REDIRECTS {
            let response = self.once(call, &url, until)?;
            let location = response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
            match (response.status().as_u16(), location) {
                (301 | 302 | 307 | 308, Some(location)) => url = self.target(call, location)?,
                _ => return Ok(response),
            }
        }
        Err(ProviderFailure::new(format!("{} redirects in a circle", call.who)))
    }

    /// Where a redirect leads, if that is the same server.
    fn target(&self, call: &Call<'_>, location: &str) -> Result<String, ProviderFailure> {
        let here = call.endpoint;
        if location.starts_with('/') && !location.starts_with("//") {
            return Ok(format!("{}{location}", here.root()));
        }
        let end = location.find("://").map_or(0, |at| at + 3);
        let end = location[end..].find(['/', '?', '#']).map_or(location.len(), |at| end + at);
        let other = Endpoint::parse(&location[..end], Defaults { https: false, port: None });
        let is_upgrade = |other: &Endpoint| {
            (here.is_https(), here.port(), other.is_https(), other.port()) == (false, 80, true, 443)
                && here.host() == other.host()
        };
        match other {
            Ok(other) if end > 0 && (other.is_same_server(here) || is_upgrade(&other)) => Ok(location.to_owned()),
            other => {
                let other = other.map_or_else(|_| "another server".to_owned(), |other| other.root());
                let message = format!("{} at {here} redirects to {other}; hintlint does not follow it", call.who);
                Err(ProviderFailure::new(self.secrets.redact(&message))
                    .help("set `host` to that address if it is right"))
            }
        }
    }

    fn once(&self, call: &Call<'_>, url: &str, until: Instant) -> Result<Response<Body>, ProviderFailure> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.too_late(call));
        }
        let mut tls = TlsConfig::builder();
        if let Some(roots) = &self.roots {
            tls = tls.root_certs(RootCerts::new_with_certs(roots));
        }
        let proxy = self.proxies.of_server(call.endpoint).map_err(|error| self.redacted(error))?;
        let agent: Agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(proxy)
            .timeout_global(Some(left))
            .tls_config(tls.build())
            .user_agent(concat!("hintlint/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        let mut request = Request::builder().uri(url).header(header::ACCEPT, "application/json");
        for (name, value) in &call.headers {
            request = request.header(*name, value);
        }
        let answered = match call.body {
            None => request.method("GET").body(()).map_err(ureq::Error::Http).and_then(|request| agent.run(request)),
            Some(body) => {
                let request = request.method("POST").header(header::CONTENT_TYPE, "application/json");
                let request = request.body(body.to_string()).map_err(ureq::Error::Http);
                request.and_then(|request| agent.run(request))
            }
        };
        answered.map_err(|error| self.failed(call, error))
    }

    fn read(&self, call: &Call<'_>, mut response: Response<Body>) -> Result<Reply, ProviderFailure> {
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(MAX_ANSWER).read_to_vec();
        Ok(Reply { status, retry_after: asked(&response), body: body.map_err(|error| self.failed(call, error))? })
    }

    fn too_late(&self, call: &Call<'_>) -> ProviderFailure {
        let time = match self.timeout.as_secs() {
            0 => format!("{} ms", self.timeout.as_millis()),
            seconds => format!("{seconds} s"),
        };
        ProviderFailure::new(format!("{} at {} did not answer within {time}", call.who, call.endpoint))
    }

    /// Why a call brought no answer.
    fn failed(&self, call: &Call<'_>, error: ureq::Error) -> ProviderFailure {
        use std::io::ErrorKind;
        let (who, at) = (call.who, call.endpoint);
        let why = match error {
            ureq::Error::Timeout(_) => return self.too_late(call),
            ureq::Error::Io(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock) => {
                return self.too_late(call);
            }
            ureq::Error::BodyExceedsLimit(_) => {
                return ProviderFailure::new(format!("{who} at {at} answered with more than 4 MiB"));
            }
            ureq::Error::HostNotFound => "there is no such host".to_owned(),
            ureq::Error::Io(error) => {
                let text = error.to_string();
                text.split(" (os error").next().unwrap_or_default().to_lowercase()
            }
            ureq::Error::Protocol(error) => format!("it does not speak HTTP: {error}"),
            ureq::Error::ConnectProxyFailed(why) => format!("the proxy refuses: {why}"),
            error => error.to_string(),
        };
        self.redacted(ProviderFailure::new(format!("{who} cannot be reached at {at}: {why}")))
    }

    fn redacted(&self, failure: ProviderFailure) -> ProviderFailure {
        let message = self.secrets.redact(&failure.message);
        ProviderFailure { message: sanitize::line(&message).into_owned(), ..failure }
    }
}

/// How long to wait before the next try: what the server asks for, or longer each time.
fn wait(response: &Response<Body>, tries: u32) -> Duration {
    asked(response).map_or_else(|| Duration::from_millis(500 << tries.min(5)), Duration::from_secs)
}

/// How many seconds the server asks to wait: a number, or the time until a date, by the server's own clock if it tells its time.
fn asked(response: &Response<Body>) -> Option<u64> {
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let asked = header(header::RETRY_AFTER)?;
    asked.parse().ok().or_else(|| {
        let now = header(header::DATE).and_then(http_date::seconds).or_else(|| {
            let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            since.ok().map(|since| since.as_secs())
        })?;
        http_date::seconds(asked).map(|until| until.saturating_sub(now))
    })
}

/// The certificates in the file that `SSL_CERT_FILE` names.
fn certificates(file: &str) -> Result<Vec<Certificate<'static>>, ProviderFailure> {
    let failed = |why: &str| ProviderFailure::new(format!("SSL_CERT_FILE names {}, {why}", sanitize::line(file)));
    let bytes = regular::read(file.as_ref(), MAX_ANSWER).map_err(|_| failed("which cannot be read"))?;
    let certificate = |item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    };
    let found: Vec<Certificate<'static>> = parse_pem(&bytes).filter_map(certificate).collect();
    if found.is_empty() { Err(failed("which holds no certificate")) } else { Ok(found) }
}

/// The proxies that the environment names.
#[derive(Default)]
struct Proxies {
    http: Option<String>,
    https: Option<String>,
    /// Servers that are asked directly: names, with all below them, or `*`.
    direct: Vec<String>,
}

impl std::fmt::Debug for Proxies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A proxy's address may hold a password.
        f.debug_struct("Proxies").field("direct", &self.direct).finish_non_exhaustive()
    }
}

impl Proxies {
    fn of(env: &Env) -> Proxies {
        let first = |names: [&str; 4]| names.into_iter().find_map(|name| env.get(name)).map(str::to_owned);
        let direct = env.get("no_proxy").or_else(|| env.get("NO_PROXY")).unwrap_or_default();
        let direct = direct.split([',', ' ']).map(|name| name.trim().trim_start_matches("*.").to_ascii_lowercase());
        Proxies {
            http: first(["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]),
            https: first(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]),
            direct: direct
                .map(|name| name.trim_start_matches('.').to_owned())
                .filter(|name| !name.is_empty())
                .collect(),
        }
    }

    /// The proxy on the way to a server. This machine is asked directly.
    fn of_server(&self, server: &Endpoint) -> Result<Option<Proxy>, ProviderFailure> {
        let Some(proxy) = (if server.is_https() { &self.https } else { &self.http }) else { return Ok(None) };
        if server.is_loopback() || self.direct.iter().any(|name| is_at_or_below(server, name)) {
            return Ok(None);
        }
        let proxy = if proxy.contains("://") { proxy.clone() } else { format!("http://{proxy}") };
        let help = "correct the proxy in the environment, or name the server in NO_PROXY";
        Proxy::new(&proxy)
            .map(Some)
            .map_err(|_| ProviderFailure::new("the environment names a proxy that cannot be used").help(help))
    }
}

/// Whether `name`, of `NO_PROXY`, stands for the server: `*`, its host, a domain above it, or one of these with its port.
fn is_at_or_below(server: &Endpoint, name: &str) -> bool {
    let with_port = format!("{}:{}", server.host(), server.port());
    let matches = |host: &str| host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    let bare = server.host().trim_start_matches('[').trim_end_matches(']');
    name == "*" || bare == name || matches(server.host()) || matches(&with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_come_from_the_environment() {
        let env = Env::empty()
            .with("HTTPS_PROXY", "secure.example:3128")
            .with("http_proxy", "http://plain.example:8080")
            .with("NO_PROXY", "corp.example, .lan,10.0.0.1,gpu.example:8080");
        let proxies = Proxies::of(&env);
        let proxy = |host: &str| {
            let server = Endpoint::parse(host, Defaults { https: false, port: None }).unwrap();
            proxies.of_server(&server).unwrap().map(|proxy| format!("{}:{}", proxy.host(), proxy.port()))
        };
        assert_eq!(proxy("https://api.anthropic.com").as_deref(), Some("secure.example:3128"));
        assert_eq!(proxy("http://gpu.example").as_deref(), Some("plain.example:8080"));
        for direct in [
            "localhost",
            "127.0.0.1",
            "[::1]",
            "10.0.0.1",
            "a.lan",
            "corp.example",
            "x.corp.example",
            "gpu.example:8080",
        ] {
            assert_eq!(proxy(&format!("http://{direct}")), None, "{direct}");
        }
        assert!(proxy("http://notcorp.example").is_some());
        assert!(!format!("{:?}", Proxies::of(&env.with("http_proxy", "http://u:pw@p"))).contains("pw"));
    }
}
