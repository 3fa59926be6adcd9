//! What stands in place of the HTTP client in a build without the feature `llm`: every call fails and says why.

use std::time::Duration;

use super::exchange::{Call, Reply};
use super::{ProviderFailure, Secrets};
use crate::env::Env;

/// Makes no calls.
#[derive(Debug)]
pub struct Client(());

impl Client {
    /// Always fails.
    ///
    /// # Errors
    /// Always.
    pub fn new(_env: &Env, _timeout: Duration, _secrets: Secrets) -> Result<Client, ProviderFailure> {
        Err(ProviderFailure::new("this build of hintlint cannot ask a model: it lacks the feature `llm`")
            .help("install it with `--features llm`, or set `provider = \"keyword\"`"))
    }

    pub(super) fn send(&self, _call: &Call<'_>) -> Result<Reply, ProviderFailure> {
        Err(ProviderFailure::new("this build of hintlint asks no models"))
    }

    pub(super) fn said(&self, _reply: &Reply) -> String {
        String::new()
    }
}
