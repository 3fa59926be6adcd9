//! Ollama: models on this machine or a server of one's own.

use serde_json::json;

use super::endpoint::Defaults;
use super::exchange::Call;
use super::refusal::{ModelCall, no_text};
use super::{Connection, ModelAnswer, Provider, ProviderFailure, ProviderInfo, Request};

pub(super) static INFO: ProviderInfo = ProviderInfo {
    id: "ollama",
    aliases: &[],
    name: "Ollama",
    host: "http://localhost:11434",
    defaults: Defaults { https: false, port: Some(11434) },
    host_variable: "OLLAMA_HOST",
    key: None,
    needs_key: false,
    model: Some("llama2"),
    open: |connection| Box::new(Ollama(connection)),
};

/// See [`INFO`].
struct Ollama(Connection);

impl Provider for Ollama {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn available(&self) -> Result<(), ProviderFailure> {
        let Connection { endpoint, client, .. } = &self.0;
        let call = Call { who: INFO.name, endpoint, path: "/api/tags", headers: Vec::new(), body: None };
        let reply = client.send(&call).map_err(|failure| match failure.help {
            Some(_) => failure,
            None => failure.help("start it with `ollama serve`, or name its server with OLLAMA_HOST"),
        })?;
        if reply.is_ok() && reply.json().is_object() {
            return Ok(());
        }
        Err(ProviderFailure::new(format!(
            "the server at {endpoint} is not Ollama: /api/tags has status {}",
            reply.status
        )))
    }

    fn generate(&self, request: &Request) -> Result<ModelAnswer, ProviderFailure> {
        let Connection { endpoint, client, .. } = &self.0;
        let path = "/api/generate";
        let asked = ModelCall { info: &INFO, client, endpoint, path, headers: Vec::new(), key: None, request };
        let options = json!({"temperature": request.temperature, "num_predict": request.max_tokens});
        let body = json!({"model": request.model, "prompt": request.prompt, "stream": false, "options": options});
        let json = asked.answer(body, &[])?;
        Ok(ModelAnswer {
            text: json["response"].as_str().ok_or_else(|| no_text(&INFO))?.trim().to_owned(),
            model: json["model"].as_str().map(str::to_owned),
            input_tokens: json["prompt_eval_count"].as_u64(),
            output_tokens: json["eval_count"].as_u64(),
        })
    }
}
