//! Every server that speaks OpenAI's chat completions, as most local runners do: llama.cpp, vLLM, LM Studio and others.

use serde_json::{Value, json};

use super::endpoint::Defaults;
use super::refusal::{ModelCall, no_text, without_temperature};
use super::{Connection, ModelAnswer, Provider, ProviderFailure, ProviderInfo, Request};

pub(super) static INFO: ProviderInfo = ProviderInfo {
    id: "openai",
    aliases: &[],
    name: "the OpenAI-compatible server",
    host: "https://api.openai.com",
    defaults: Defaults { https: false, port: None },
    host_variable: "OPENAI_BASE_URL",
    key: Some("OPENAI_API_KEY"),
    needs_key: false,
    model: None,
    open: |connection| Box::new(OpenAi(with_version(connection))),
};

/// See [`INFO`].
struct OpenAi(Connection);

/// The connection to the paths below `/v1`, unless the address names a path of its own.
fn with_version(connection: Connection) -> Connection {
    match connection.endpoint.has_path() {
        true => connection,
        false => Connection { endpoint: connection.endpoint.below("/v1"), ..connection },
    }
}

impl Provider for OpenAi {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn generate(&self, request: &Request) -> Result<ModelAnswer, ProviderFailure> {
        let Connection { endpoint, client, key } = &self.0;
        let headers = key.iter().map(|key| ("authorization", format!("Bearer {}", key.expose()))).collect();
        let asked =
            ModelCall { info: &INFO, client, endpoint, path: "/chat/completions", headers, key: key.as_ref(), request };
        let body = json!({
            "model": request.model,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": false,
            "messages": [{"role": "user", "content": request.prompt}],
        });
        let json = asked.answer(body, &[with_completion_tokens, without_temperature])?;
        let text = json["choices"][0]["message"]["content"].as_str().ok_or_else(|| no_text(&INFO))?;
        Ok(ModelAnswer {
            text: text.to_owned(),
            model: json["model"].as_str().map(str::to_owned),
            input_tokens: json["usage"]["prompt_tokens"].as_u64(),
            output_tokens: json["usage"]["completion_tokens"].as_u64(),
        })
    }
}

/// Repair: newer models have another name for the limit of tokens.
fn with_completion_tokens(said: &str, body: &mut Value) -> bool {
    let Some(body) = body.as_object_mut().filter(|_| said.contains("max_completion_tokens")) else { return false };
    let Some(limit) = body.remove("max_tokens") else { return false };
    body.insert("max_completion_tokens".to_owned(), limit);
    true
}
