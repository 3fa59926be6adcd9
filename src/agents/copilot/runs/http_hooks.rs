//! Hooks that GitHub Copilot CLI 1.0.102 sends to an address (run offline): which addresses it accepts, and which it refuses each
//! time that the hook fires.

use crate::base::text::Span;
use crate::env::Env;
use crate::parse::json::JsonNode;
use std::net::IpAddr;

/// Events by whose hooks a call of a tool is allowed or refused.
const DECIDING: [&str; 3] = ["preToolUse", "preMcpToolCall", "permissionRequest"];

/// What the user's environment lets hooks do.
pub(super) struct AddressLimits {
    allows_plain: bool,
    allows_localhost: bool,
}

impl AddressLimits {
    pub(super) fn of(env: &Env) -> Self {
        let is_on = |name: &str| matches!(env.get(name), Some("1" | "true"));
        AddressLimits {
            allows_plain: is_on("COPILOT_HOOK_ALLOW_HTTP_AUTH_HOOKS"),
            allows_localhost: is_on("COPILOT_HOOK_ALLOW_LOCALHOST"),
        }
    }

    /// Why a hook of the event `own` with the address `url` is no valid one.
    pub(super) fn problem(&self, own: &str, hook: &JsonNode, (at, url): (Span, &str)) -> Option<(Span, String)> {
        if !(url.starts_with("https://") || url.starts_with("http://")) {
            return Some((at, "`url` must begin with https:// or http://".to_owned()));
        }
        let is_lifted = self.allows_plain || self.allows_localhost && is_loopback(url);
        if DECIDING.contains(&own) && url.starts_with("http://") && !is_lifted {
            return Some((at, "the `url` of a hook that may refuse a tool must begin with https://".to_owned()));
        }
        let names = hook.get("allowedEnvVars").filter(|names| !names.is_array())?;
        Some((names.span, format!("`allowedEnvVars` must be a list, not {}", names.type_with_article())))
    }

    /// Why nothing is ever sent to `url`, and what comes of it.
    pub(super) fn refusal(&self, own: &str, url: &str) -> Option<String> {
        if !is_near(url) || self.allows_localhost && is_loopback(url) {
            return None;
        }
        // A hook that fails there refuses the call.
        let outcome = if own == "preToolUse" { ", so each call of a tool is refused" } else { "" };
        let unless = if is_loopback(url) { " unless COPILOT_HOOK_ALLOW_LOCALHOST is set" } else { "" };
        Some(format!("it sends nothing to the same machine or a private network{unless}{outcome}"))
    }
}

/// Whether failing hooks of the event refuse what they are asked about.
pub(super) fn refuses(own: &str) -> bool {
    own == "preToolUse"
}

fn is_loopback(url: &str) -> bool {
    host(url).is_some_and(|host| host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback()))
}

/// Whether an address is one of the same machine or of a private network, as far as its text tells.
fn is_near(url: &str) -> bool {
    let is_near = |ip: IpAddr| match ip {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified(),
        IpAddr::V6(ip) => {
            let first = ip.segments()[0];
            ip.is_loopback() || ip.is_unspecified() || first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80
        }
    };
    is_loopback(url) || host(url).and_then(|host| host.parse().ok()).is_some_and(is_near)
}

/// The host of an address, in lower case and without brackets.
fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let named = authority.rsplit('@').next()?;
    let host = match named.strip_prefix('[') {
        Some(inner) => inner.split(']').next()?,
        None => named.split(':').next()?,
    };
    Some(host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_same_machine_are_told_from_others() {
        for url in [
            "http://localhost:3000/h",
            "https://127.0.0.1/h",
            "http://192.168.1.4/h",
            "http://10.1.2.3:9/",
            "http://[::1]:4/",
            "http://0.0.0.0:5/",
            "http://169.254.169.254/x",
            "https://me@LOCALHOST/?a=b",
            "http://[fd00::1]/",
        ] {
            assert!(is_near(url), "{url}");
        }
        for near_miss in
            ["https://x.example/localhost", "https://localhost.example/", "http://8.8.8.8", "https://[2001:db8::1]/"]
        {
            assert!(!is_near(near_miss), "{near_miss}");
        }
    }

    #[test]
    fn the_environment_lifts_limits() {
        let limits = |env: Env| AddressLimits::of(&env);
        let plain = limits(Env::empty());
        let open = limits(Env::empty().with("COPILOT_HOOK_ALLOW_LOCALHOST", "1"));
        assert!(plain.refusal("agentStop", "http://localhost:1/").is_some());
        assert!(open.refusal("agentStop", "http://localhost:1/").is_none());
        assert!(open.refusal("agentStop", "http://10.0.0.1/").is_some());
        assert!(plain.refusal("preToolUse", "https://localhost/").is_some_and(|why| why.contains("each call")));
        let hook = crate::parse::json::parse("{}", crate::parse::json::JsonGrammar::STRICT).expect("it is JSON");
        let is_valid = |limits: &AddressLimits, event, url| limits.problem(event, &hook, (hook.span, url)).is_none();
        assert!(is_valid(&plain, "postToolUse", "http://x.example/"));
        assert!(!is_valid(&plain, "preToolUse", "http://x.example/"));
        assert!(is_valid(&plain, "preToolUse", "https://x.example/"));
        assert!(is_valid(&open, "preToolUse", "http://localhost:1/"));
        assert!(!is_valid(&plain, "postToolUse", "ftp://x.example/"));
    }
}
