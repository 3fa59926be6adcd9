//! The providers of models: their hosts, and the variables that hold keys for them.

/// Domains of providers and of the agents' vendors.
const DOMAINS: [&str; 14] = [
    "aliyuncs.com",
    "anthropic.com",
    "chatgpt.com",
    "claude.ai",
    "deepseek.com",
    "github.com",
    "githubcopilot.com",
    "googleapis.com",
    "groq.com",
    "mistral.ai",
    "openai.com",
    "opencode.ai",
    "openrouter.ai",
    "x.ai",
];
/// Variables by which agents find the user's own keys.
const KEYS: [&str; 14] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CODEX_API_KEY",
    "COPILOT_GITHUB_TOKEN",
    "DASHSCOPE_API_KEY",
    "DEEPSEEK_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "QWEN_API_KEY",
    "XAI_API_KEY",
];

/// Whether a provider or vendor answers at `host`, which is in lower case.
pub(crate) fn is_vendor_host(host: &str) -> bool {
    DOMAINS.iter().any(|domain| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// Whether a variable of this name holds the user's key for models.
pub(crate) fn is_model_key(name: &str) -> bool {
    KEYS.contains(&name)
}
