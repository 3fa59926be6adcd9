//! Language models that are asked which hints are relevant. Owns the trait of a provider, the table of providers, and what a
//! failure is called; knows neither settings files nor printing.
//!
//! A provider is one file and one line in [`PROVIDERS`].

mod answer;
mod anthropic;
mod ask;
mod endpoint;
mod exchange;
#[cfg_attr(not(feature = "llm"), path = "no_http.rs")]
mod http;
#[cfg(feature = "llm")]
mod http_date;
mod ollama;
mod openai;
mod prompt;
mod refusal;
mod secret;

use std::fmt;
use std::time::Duration;

pub use answer::names;
pub use ask::pick;
pub use endpoint::{Defaults, Endpoint};
pub use http::Client;
pub use prompt::prompt;
pub(crate) use prompt::{CATALOGUE_CHARS, CatalogueLine, MAX_ENTRIES, catalogue_chars};
pub use secret::{ApiKey, Secrets};

/// How long one answer may take, with all retries.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// How many tokens an answer may have if nobody says: a list of names needs few, a model that thinks aloud more.
pub(crate) const DEFAULT_MAX_TOKENS: u32 = 1024;

/// What a model is asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// The model, by the provider's name for it.
    pub model: String,
    /// Where the name of the model comes from, for messages.
    pub model_setting: String,
    /// The whole text of the question.
    pub prompt: String,
    /// 0 to 1.
    pub temperature: f64,
    /// How many tokens the answer may have.
    pub max_tokens: u32,
}

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelAnswer {
    /// The text.
    pub text: String,
    /// The model that answered, as the provider names it.
    pub model: Option<String>,
    /// Tokens of the question.
    pub input_tokens: Option<u64>,
    /// Tokens of the answer.
    pub output_tokens: Option<u64>,
}

/// A service that answers prompts.
pub trait Provider {
    /// Its name, for people.
    fn name(&self) -> &'static str;

    /// Whether the service can be asked. A provider whose calls cost money says yes; the call itself is the check.
    ///
    /// # Errors
    /// Why it cannot be asked.
    fn available(&self) -> Result<(), ProviderFailure> {
        Ok(())
    }

    /// Ask the model.
    ///
    /// # Errors
    /// Why there is no answer.
    fn generate(&self, request: &Request) -> Result<ModelAnswer, ProviderFailure>;
}

/// What is known of a provider before it is asked.
#[derive(Debug)]
pub struct ProviderInfo {
    /// Its name in settings.
    pub id: &'static str,
    /// Other names in settings.
    pub aliases: &'static [&'static str],
    /// Its name for people.
    pub name: &'static str,
    /// The provider's own server.
    pub host: &'static str,
    /// How an address without scheme or port is read.
    pub defaults: Defaults,
    /// The variable that names another server.
    pub host_variable: &'static str,
    /// The variable, and the member of `.api-keys.json`, that holds the key.
    pub key: Option<&'static str>,
    /// Whether the provider answers nobody without a key.
    pub needs_key: bool,
    /// The model if no setting names one.
    pub model: Option<&'static str>,
    /// Make the provider.
    pub open: fn(Connection) -> Box<dyn Provider>,
}

/// What a provider needs to make its calls.
#[derive(Debug)]
pub struct Connection {
    /// The server.
    pub endpoint: Endpoint,
    /// The key, if one may be sent to that server.
    pub key: Option<ApiKey>,
    /// Makes the calls.
    pub client: Client,
}

/// All providers.
pub(crate) static PROVIDERS: [&ProviderInfo; 3] = [&ollama::INFO, &anthropic::INFO, &openai::INFO];

/// The provider that settings call `name`.
pub fn find(name: &str) -> Option<&'static ProviderInfo> {
    PROVIDERS.into_iter().find(|info| info.id == name || info.aliases.contains(&name))
}

/// Why a provider gave no usable answer. One line, without any key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderFailure {
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ProviderFailure {
    /// A failure that nothing in particular helps against.
    pub fn new(message: impl Into<String>) -> Self {
        ProviderFailure { message: message.into(), help: None }
    }

    /// The same, with what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ProviderFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ProviderFailure {}
