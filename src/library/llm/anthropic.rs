//! Anthropic's messages API.

use serde_json::json;

use super::endpoint::Defaults;
use super::refusal::{ModelCall, no_text, without_temperature};
use super::{Connection, ModelAnswer, Provider, ProviderFailure, ProviderInfo, Request};

pub(super) static INFO: ProviderInfo = ProviderInfo {
    id: "anthropic",
    aliases: &["claude", "claude-agent"],
    name: "Anthropic",
    host: "https://api.anthropic.com",
    defaults: Defaults { https: true, port: None },
    host_variable: "ANTHROPIC_BASE_URL",
    key: Some("ANTHROPIC_API_KEY"),
    needs_key: true,
    model: Some("claude-haiku-4-5"),
    open: |connection| Box::new(Anthropic { path: path(&connection), connection }),
};

/// See [`INFO`].
struct Anthropic {
    connection: Connection,
    path: &'static str,
}

/// Some name the server with the version that all paths begin with.
fn path(connection: &Connection) -> &'static str {
    if connection.endpoint.to_string().ends_with("/v1") { "/messages" } else { "/v1/messages" }
}

impl Provider for Anthropic {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn generate(&self, request: &Request) -> Result<ModelAnswer, ProviderFailure> {
        let Connection { endpoint, client, key } = &self.connection;
        let mut headers = vec![("anthropic-version", "2023-06-01".to_owned())];
        headers.extend(key.iter().map(|key| ("x-api-key", key.expose().to_owned())));
        let asked = ModelCall { info: &INFO, client, endpoint, path: self.path, headers, key: key.as_ref(), request };
        let body = json!({
            "model": request.model,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "messages": [{"role": "user", "content": request.prompt}],
        });
        let json = asked.answer(body, &[without_temperature])?;
        let texts = json["content"].as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
        let text: Vec<&str> = texts.collect();
        if text.is_empty() {
            return Err(no_text(&INFO));
        }
        Ok(ModelAnswer {
            text: text.join(""),
            model: json["model"].as_str().map(str::to_owned),
            input_tokens: json["usage"]["input_tokens"].as_u64(),
            output_tokens: json["usage"]["output_tokens"].as_u64(),
        })
    }
}
