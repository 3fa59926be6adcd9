//! What a server means that does not answer: no such model, a wrong key, no time, a parameter that the model does not take.

use serde_json::Value;

use super::exchange::{Call, Reply};
use super::{ApiKey, Client, Endpoint, ProviderFailure, ProviderInfo, Request};

/// One model's call, made again without what the model does not take.
pub(super) struct ModelCall<'a> {
    pub(super) info: &'static ProviderInfo,
    pub(super) client: &'a Client,
    pub(super) endpoint: &'a Endpoint,
    pub(super) path: &'a str,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) key: Option<&'a ApiKey>,
    pub(super) request: &'a Request,
}

impl ModelCall<'_> {
    /// Make the call, and once more for each repair that answers a refusal. A repair gets the server's words and the body, and says
    /// whether it changed the body.
    ///
    /// # Errors
    /// When there is no answer, or it is a refusal, or it is not JSON.
    pub(super) fn answer(
        &self,
        mut body: Value,
        repairs: &[fn(&str, &mut Value) -> bool],
    ) -> Result<Value, ProviderFailure> {
        let mut left: Vec<_> = repairs.to_vec();
        loop {
            let call = Call {
                who: self.info.name,
                endpoint: self.endpoint,
                path: self.path,
                headers: self.headers.clone(),
                body: Some(&body),
            };
            let reply = self.client.send(&call)?;
            if reply.is_ok() {
                let json = reply.json();
                let message = format!("{} at {} did not answer with JSON", self.info.name, self.endpoint);
                return if json.is_object() { Ok(json) } else { Err(ProviderFailure::new(message)) };
            }
            let said = self.client.said(&reply);
            let fits = |repair: &fn(&str, &mut Value) -> bool| reply.status == 400 && repair(&said, &mut body.clone());
            let Some(which) = left.iter().position(fits) else { return Err(self.refusal(&reply, &said)) };
            left.remove(which)(&said, &mut body);
        }
    }

    fn refusal(&self, reply: &Reply, said: &str) -> ProviderFailure {
        let ModelCall { info, endpoint, key, request, .. } = self;
        let (who, status) = (info.name, reply.status);
        let said = if said.is_empty() { String::new() } else { format!(": {said}") };
        match status {
            401 | 403 => {
                let failure = match key {
                    Some(key) => {
                        ProviderFailure::new(format!("{who} refuses the key from {} ({status}){said}", key.origin))
                    }
                    None => ProviderFailure::new(format!("{who} at {endpoint} asks for a key ({status}){said}")),
                };
                match info.key {
                    Some(name) => {
                        failure.help(format!("set {name}, in the environment or in an untracked .api-keys.json"))
                    }
                    None => failure,
                }
            }
            404 => {
                let Request { model, model_setting, .. } = request;
                // Other servers have no such page at all.
                let what = match said.to_lowercase().contains("model") {
                    true => format!("has no model {model:?}"),
                    false => format!("has nothing at {} for the model {model:?}", self.path),
                };
                ProviderFailure::new(format!(
                    "{who} at {endpoint} {what}, which comes from {model_setting} ({status}){said}"
                ))
                .help("name another one with --model or with `model` in [search] of hintlint.toml")
            }
            429 | 529 => {
                let wait = reply.retry_after.map_or(String::new(), |wait| format!(", asks to wait {wait} s"));
                ProviderFailure::new(format!("{who} is busy ({status}){wait}{said}"))
            }
            _ => ProviderFailure::new(format!("{who} at {endpoint} answered with status {status}{said}")),
        }
    }
}

/// Repair: leave out the temperature, if that is what the server refuses.
pub(super) fn without_temperature(said: &str, body: &mut Value) -> bool {
    said.to_lowercase().contains("temperature")
        && body.as_object_mut().is_some_and(|body| body.remove("temperature").is_some())
}

/// The failure of an answer without text.
pub(super) fn no_text(info: &ProviderInfo) -> ProviderFailure {
    ProviderFailure::new(format!("{} answered without text", info.name))
}
