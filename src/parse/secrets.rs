//! Keys in text, told by the forms that their issuers publish: a fixed beginning, an alphabet and a length. Nothing is told by
//! looking random.

pub(crate) mod assigned;
pub(crate) mod passwords;
pub(crate) mod private_keys;
pub(crate) mod signed_tokens;

use std::ops::RangeInclusive;

use crate::base::text::Span;

/// A published form.
struct SecretForm {
    /// Whose key it is.
    issuer: &'static str,
    /// How it begins.
    prefix: &'static str,
    /// Characters of the rest besides letters and digits.
    also: &'static [u8],
    /// How many characters follow the prefix.
    rest: RangeInclusive<usize>,
    /// What stands somewhere in the rest; empty if nothing must.
    within: &'static str,
}

const fn form(
    issuer: &'static str,
    prefix: &'static str,
    also: &'static [u8],
    rest: RangeInclusive<usize>,
    within: &'static str,
) -> SecretForm {
    SecretForm { issuer, prefix, also, rest, within }
}

/// Checked 2026-11 against the rules of gitleaks 8 and the issuers' pages on secret scanning, and for Figma against those of Sonar (S6765)
/// and Kingfisher. A prefix stands before those that it
/// begins with.
const FORMS: &[SecretForm] = &[
    form("Anthropic", "sk-ant-api03-", b"-_", 95..=95, ""),
    form("Anthropic", "sk-ant-admin01-", b"-_", 95..=95, ""),
    form("Anthropic", "sk-ant-oat01-", b"-_", 80..=120, ""),
    form("OpenRouter", "sk-or-v1-", b"", 64..=64, ""),
    form("OpenAI", "sk-proj-", b"-_", 40..=200, "T3BlbkFJ"),
    form("OpenAI", "sk-svcacct-", b"-_", 40..=200, "T3BlbkFJ"),
    form("OpenAI", "sk-admin-", b"-_", 40..=200, "T3BlbkFJ"),
    form("OpenAI", "sk-", b"", 48..=48, "T3BlbkFJ"),
    form("Google", "AIza", b"-_", 35..=35, ""),
    form("GitHub", "ghp_", b"", 36..=36, ""),
    form("GitHub", "gho_", b"", 36..=36, ""),
    form("GitHub", "ghs_", b"", 36..=36, ""),
    form("GitHub", "ghr_", b"", 36..=36, ""),
    form("GitHub", "ghu_", b"", 36..=36, ""),
    form("GitHub", "github_pat_", b"_", 82..=82, ""),
    form("Groq", "gsk_", b"", 52..=52, ""),
    form("Hugging Face", "hf_", b"", 34..=34, ""),
    form("Context7", "ctx7sk-", b"-", 36..=36, "-"),
    form("Perplexity", "pplx-", b"", 48..=48, ""),
    form("xAI", "xai-", b"_", 80..=80, ""),
    form("GitLab", "glpat-", b"-_", 20..=20, ""),
    // Since GitLab 18 two parts follow the key, each behind a dot or not.
    form("GitLab", "glpat-", b"-_.", 37..=320, "."),
    form("GitLab", "gldt-", b"-_", 20..=20, ""),
    form("GitLab", "glrt-", b"-_", 20..=20, ""),
    form("GitLab", "glptt-", b"", 40..=40, ""),
    form("npm", "npm_", b"", 36..=36, ""),
    form("PyPI", "pypi-AgEIcHlwaS5vcmc", b"-_", 50..=1000, ""),
    form("RubyGems", "rubygems_", b"", 48..=48, ""),
    form("Slack", "xoxb-", b"-", 40..=64, "-"),
    form("Slack", "xoxp-", b"-", 61..=76, "-"),
    form("Slack", "xapp-", b"-", 80..=120, "-"),
    form("Stripe", "sk_live_", b"", 24..=107, ""),
    form("Stripe", "rk_live_", b"", 24..=107, ""),
    form("Supabase", "sbp_", b"", 40..=40, ""),
    form("Notion", "ntn_", b"", 46..=46, ""),
    form("Linear", "lin_api_", b"", 40..=40, ""),
    form("Postman", "PMAK-", b"-", 59..=59, "-"),
    form("DigitalOcean", "dop_v1_", b"", 64..=64, ""),
    form("Grafana", "glsa_", b"_", 41..=41, "_"),
    form("Sentry", "sntryu_", b"", 64..=64, ""),
    form("Shopify", "shpat_", b"", 32..=32, ""),
    form("SendGrid", "SG.", b"-_.", 66..=66, "."),
    form("Databricks", "dapi", b"", 32..=32, ""),
    form("Pulumi", "pul-", b"", 40..=40, ""),
    form("Figma", "figd_", b"-_", 40..=40, ""),
    form("Atlassian", "ATATT3", b"-_=", 186..=186, ""),
    form("AWS Bedrock", "ABSK", b"+/=", 109..=271, ""),
    form("Brevo", "xkeysib-", b"-", 81..=81, "-"),
    form("DigitalOcean", "doo_v1_", b"", 64..=64, ""),
    form("Doppler", "dp.pt.", b"", 43..=43, ""),
    form("Fly.io", "fo1_", b"-_", 43..=43, ""),
    form("Grafana", "glc_", b"+/=", 32..=402, ""),
    form("HashiCorp Vault", "hvs.", b"-_", 90..=120, ""),
    form("Heroku", "HRKU-AA", b"-_", 58..=58, ""),
    form("Prefect", "pnu_", b"", 36..=36, ""),
    form("ReadMe", "rdme_", b"", 70..=70, ""),
    form("Shopify", "shpca_", b"", 32..=32, ""),
    form("Shopify", "shppa_", b"", 32..=32, ""),
];

/// A key in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Where it stands.
    pub span: Span,
    /// Whose key it is.
    pub issuer: &'static str,
    /// The published beginning, which says nothing of the key.
    pub prefix: &'static str,
}

/// The keys in `text`, in order.
pub fn find(text: &str) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut found: Vec<Secret> = Vec::new();
    for form in FORMS {
        for (at, _) in text.match_indices(form.prefix) {
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || form.also.contains(&byte);
            let begins = at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b'_' | b'-'));
            let start = at + form.prefix.len();
            // One more than the longest tells that the word goes on.
            let rest = bytes[start..].iter().take(form.rest.end() + 1).take_while(|byte| is_word(**byte)).count();
            let word = &text[start..start + rest];
            if begins && form.rest.contains(&rest) && word.contains(form.within) && is_random(word) {
                found.push(Secret { span: Span::new(at, start + rest), issuer: form.issuer, prefix: form.prefix });
            }
        }
    }
    found.sort_by_key(|secret| secret.span.start);
    found.dedup_by_key(|secret| secret.span.start);
    found
}

/// Whether `word` could be random: `xxxx` and `0123...` stand for a key and are not one.
fn is_random(word: &str) -> bool {
    let mut seen = [false; 256];
    word.bytes().for_each(|byte| seen[usize::from(byte)] = true);
    let lower = word.to_ascii_lowercase();
    let stand_ins = ["xxxx", "your", "example", "placeholder", "1234567", "abcdefg", "redacted", "0000000"];
    seen.iter().filter(|seen| **seen).count() >= 10 && !stand_ins.iter().any(|word| lower.contains(word))
}

/// Whether `value`, which stands where a key belongs, is one of no published form.
pub(crate) fn is_likely(value: &str) -> bool {
    let has = |wanted: fn(&u8) -> bool| value.bytes().any(|byte| wanted(&byte));
    value.len() >= 20
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && has(u8::is_ascii_alphabetic)
        && has(u8::is_ascii_digit)
        && is_random(value)
        && !is_sample_key(value)
}

/// Whether `value` stands for a key: in an example, as a variable, or as the word that local servers take.
pub(crate) fn is_sample_key(value: &str) -> bool {
    // A key that was drawn by chance may hold any word.
    if !find(value).is_empty() {
        return false;
    }
    let value = value.to_ascii_lowercase();
    let words = ["your", "xxxx", "placeholder", "change", "example", "key-here", "key_here", "...", "todo", "replace"];
    value.starts_with(['$', '<', '%', '{']) || words.iter().any(|word| value.contains(word))
}

/// `text` with `mask` in place of each key, private key, signed token and password.
pub fn masked(text: &str, mask: &str) -> String {
    let keys = find(text).into_iter().map(|secret| secret.span);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for span in in_order(text, keys) {
        out.push_str(&text[from..span.start]);
        out.push_str(mask);
        from = span.end;
    }
    out.push_str(&text[from..]);
    out
}

/// What must not be shown of `text`: keys behind their published beginnings, private keys, signed tokens, and passwords.
pub(crate) fn hidden(text: &str) -> Vec<Span> {
    let keys = find(text).into_iter().map(|key| Span::new(key.span.start + key.prefix.len(), key.span.end));
    in_order(text, keys)
}

/// The spans of keys, private keys, signed tokens and passwords that do not overlap an earlier one.
fn in_order(text: &str, keys: impl Iterator<Item = Span>) -> Vec<Span> {
    let passwords = passwords::find(text).into_iter().map(|found| found.password);
    let passwords = passwords.chain(assigned::find(text).into_iter().map(|found| found.password));
    let tokens = signed_tokens::find(text);
    let mut spans: Vec<Span> = keys.chain(private_keys::find(text)).chain(tokens).chain(passwords).collect();
    spans.sort_unstable();
    let mut end = 0;
    spans.retain(|span| {
        span.start >= end && {
            end = span.end;
            true
        }
    });
    spans
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An invented key of a published form: letters and digits in a fixed order.
    pub(crate) fn key(prefix: &str, length: usize, within: &str) -> String {
        let letters = "qP7zK2mW9xR4tY6nB3vC8dF5gH1jLs0uMaTeSoIb";
        let rest: String = letters.chars().cycle().take(length - within.len()).collect();
        format!("{prefix}{within}{rest}")
    }

    #[test]
    fn published_forms_are_found() {
        for (prefix, length, within) in [
            ("sk-ant-api03-", 95, ""),
            ("sk-proj-", 156, "T3BlbkFJ"),
            ("sk-", 48, "T3BlbkFJ"),
            ("AIza", 35, ""),
            ("ghp_", 36, ""),
            ("hf_", 34, ""),
            ("ghr_", 36, ""),
            ("ctx7sk-", 36, "9f3a-"),
            ("glpat-", 20, ""),
            ("glpat-", 46, "x.01."),
            ("npm_", 36, ""),
            ("pypi-AgEIcHlwaS5vcmc", 120, ""),
            ("xoxb-", 51, "918273645091-8273645091827-"),
            ("sk_live_", 99, ""),
            ("sbp_", 40, ""),
            ("ntn_", 46, ""),
            ("lin_api_", 40, ""),
            ("SG.", 66, "0a."),
            ("figd_", 40, "-"),
            ("ATATT3", 186, "-="),
            ("ABSK", 132, "/="),
            ("xkeysib-", 81, "9f-"),
            ("dp.pt.", 43, ""),
            ("hvs.", 95, "_"),
            ("HRKU-AA", 58, "_"),
        ] {
            let key = key(prefix, length, within);
            let text = format!("{{\"apiKey\": \"{key}\"}}");
            let found = find(&text);
            assert_eq!(found.len(), 1, "{key}");
            assert_eq!(&text[found[0].span.range()], key);
            assert_eq!(masked(&text, "[key]"), "{\"apiKey\": \"[key]\"}");
        }
    }

    #[test]
    fn what_only_looks_like_a_key_is_none() {
        let whole = key("sk-ant-api03-", 95, "");
        for text in [
            "sk-ant-your-key-here",
            "sk-your-openai-key-here",
            "sk-ant-...",
            &format!("sk-ant-api03-{}", "x".repeat(95)),
            &whole[..whole.len() - 1],
            &format!("{whole}x"),
            &format!("a{whole}"),
            "${ANTHROPIC_API_KEY}",
            "sk-proj-short",
            "ghp_",
            "AIza",
            "npm_config_registry",
            "glpat-xxxxxxxxxxxxxxxxxxxx",
            &key("npm_", 35, ""),
            &key("sk_test_", 24, ""),
            &key("glpat-", 21, ""),
            &key("figd_", 39, ""),
            &key("figd_", 41, ""),
            "figd_your_actual_token_here_and_nothing_else_",
            &key("ABSK", 40, ""),
            "xoxb-your-token-here",
            "xoxb-your-bot-token-goes-here-and-on-and-on-it-goes",
        ] {
            assert_eq!(find(text), [], "{text}");
            assert_eq!(masked(text, "[key]"), text);
        }
    }
}
