//! Who ranks: words alone, or a language model. Decides by switches, the project's settings and the environment, in this order, and
//! whether a key may be sent. Asks nobody.

use std::path::Path;

use super::flpipeline::FlPipeline;
use super::keys::{self, FoundKey};
use super::llm::{self, Client, Connection, Endpoint, Provider, ProviderFailure, ProviderInfo, Request, Secrets};
use crate::base::error::Error;
use crate::base::path::RepoPath;
use crate::config::{Config, FILE_NAMES, KEYWORD, nearest};
use crate::env::Env;
use crate::source::{Probe, Source};

/// Where settings come from.
pub(crate) struct SettingSources<'a> {
    /// The files of the repository.
    pub source: &'a dyn Source,
    /// The top of the worktree, or the folder outside git.
    pub root: Option<&'a Path>,
    /// Where the search starts below the root.
    pub subdirectory: &'a [u8],
    /// The config in force.
    pub config: &'a Config,
    /// The config's file, from the root; `None` where the user named one outside the repository.
    pub config_file: Option<&'a RepoPath>,
    /// The environment.
    pub env: &'a Env,
    /// What the command line says.
    pub switches: Switches<'a>,
}

/// What the command line says.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Switches<'a> {
    /// The model.
    pub model: Option<&'a str>,
    /// The temperature, 0 to 1.
    pub temperature: f64,
    /// To which servers that a tracked file names a key may be sent.
    pub allow_host: AllowHost<'a>,
}

/// To which servers that a tracked file names a key may be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AllowHost<'a> {
    /// To none.
    #[default]
    None,
    /// To the one that is named, whichever it is.
    Any,
    /// To this one: a host, or a host and its port.
    One(&'a str),
}

/// Who ranks.
pub(crate) enum Ranking {
    /// Words are compared.
    Keyword,
    /// A model is asked, unless it cannot be.
    Model(Result<Box<Model>, ProviderFailure>),
}

/// A model that can be asked.
pub struct Model {
    /// The provider.
    pub provider: Box<dyn Provider>,
    /// How to ask, without the prompt.
    pub request: Request,
    /// What the user should know, one line each.
    pub notes: Vec<String>,
}

/// The names that `[search] provider` may have.
pub fn names() -> impl Iterator<Item = &'static str> {
    let of_provider = |info: &'static ProviderInfo| std::iter::once(info.id).chain(info.aliases.iter().copied());
    std::iter::once(KEYWORD).chain(llm::PROVIDERS.into_iter().flat_map(of_provider))
}

/// What a project says of the model.
struct ProjectSettings {
    provider: Option<String>,
    model: Option<String>,
    host: Option<String>,
    /// The file that says it, and what the settings are called there.
    shown: String,
    table: &'static str,
    /// The file, if it is one of the repository.
    file: Option<RepoPath>,
    legacy: Option<FlPipeline>,
}

impl ProjectSettings {
    /// What `[search]` says or, where there is none, `.flpipeline.json`.
    fn of(given: &SettingSources<'_>, legacy: Option<FlPipeline>) -> ProjectSettings {
        let search = &given.config.search;
        match legacy {
            Some(legacy) if !given.config.search_configured => ProjectSettings {
                provider: legacy.provider.clone(),
                model: legacy.model.clone(),
                host: legacy.host.clone(),
                shown: legacy.path.to_str_lossy().into_owned(),
                table: "`llmProvider`",
                file: Some(legacy.path.clone()),
                legacy: Some(legacy),
            },
            legacy => ProjectSettings {
                provider: Some(search.provider.clone()),
                model: search.model.clone(),
                host: search.host.clone(),
                shown: given.config.path.as_ref().map_or(FILE_NAMES[0].into(), |path| path.to_str_lossy().into_owned()),
                table: "[search]",
                file: given.config_file.cloned(),
                legacy,
            },
        }
    }

    /// The provider that the project names. An `llmProvider` without a name is the first one, as it was for the original.
    fn provider(&self) -> Result<Option<&'static ProviderInfo>, Error> {
        let implied = (self.model.is_some() || self.host.is_some()).then_some(llm::PROVIDERS[0]);
        let Some(name) = &self.provider else { return Ok(implied) };
        if name == KEYWORD {
            return Ok(None);
        }
        llm::find(name).map(Some).ok_or_else(|| {
            let message = format!("{}: {} has an unknown provider {name:?}", self.shown, self.table);
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("providers are: {}", names().collect::<Vec<_>>().join(", ")),
            };
            Error::failed(message, help)
        })
    }
}

/// Decide who ranks. `legacy` is the project's `.flpipeline.json`, if it has one.
///
/// # Errors
/// When a setting is none: an unknown provider, a host that is no address.
pub(crate) fn ranking(given: &SettingSources<'_>, legacy: Option<FlPipeline>) -> Result<Ranking, Error> {
    let project = ProjectSettings::of(given, legacy);
    let by_switch = given.switches.model.is_some().then_some(llm::PROVIDERS[0]);
    let Some(info) = project.provider()?.or(by_switch) else { return Ok(Ranking::Keyword) };
    let (endpoint, is_trusted) = server(given, &project, info)?;
    Ok(Ranking::Model(model(given, &project, info, endpoint, is_trusted).map(Box::new)))
}

/// The server of the provider, and whether a key may be sent there.
fn server(
    given: &SettingSources<'_>,
    project: &ProjectSettings,
    info: &ProviderInfo,
) -> Result<(Endpoint, bool), Error> {
    let read = |host: &str, origin: &str| {
        Endpoint::parse(host, info.defaults).map_err(|why| {
            Error::failed(format!("{origin}: the host {host:?} {why}"), format!("write it like {:?}", info.host))
        })
    };
    let own = read(info.host, "the default")?;
    let Some(host) = &project.host else {
        // The environment is the user's own.
        let endpoint = match given.env.get(info.host_variable) {
            Some(host) => read(host, info.host_variable)?,
            None => own,
        };
        return Ok((endpoint, true));
    };
    let endpoint = read(host, &project.shown)?;
    let is_allowed = match given.switches.allow_host {
        AllowHost::None => false,
        AllowHost::Any => true,
        AllowHost::One(name) => {
            let name = name.trim().to_ascii_lowercase();
            name == endpoint.host() || name == format!("{}:{}", endpoint.host(), endpoint.port())
        }
    };
    let is_trusted = is_allowed
        || endpoint.is_loopback()
        || endpoint.is_same_server(&own)
        || project.file.as_ref().is_none_or(|file| is_personal(given.source, file));
    Ok((endpoint, is_trusted))
}

fn model(
    given: &SettingSources<'_>,
    project: &ProjectSettings,
    info: &'static ProviderInfo,
    endpoint: Endpoint,
    is_trusted: bool,
) -> Result<Model, ProviderFailure> {
    let (model, model_setting) = match (given.switches.model, &project.model, info.model) {
        (Some(model), ..) => (model.to_owned(), "--model".to_owned()),
        (None, Some(model), _) => (model.clone(), format!("`model` of {} in {}", project.table, project.shown)),
        (None, None, Some(model)) => (model.to_owned(), format!("the defaults of {}", info.name)),
        (None, None, None) => {
            let message = format!("no model is set, and {} has no default", info.name);
            return Err(ProviderFailure::new(message)
                .help("name one with --model or with `model` in [search] of hintlint.toml"));
        }
    };
    let FoundKey { key, unused } = keys::find(given, info, project.legacy.as_ref());
    let mut secrets = Secrets::default();
    key.iter().for_each(|key| key.hide_in(&mut secrets));
    let mut notes = Vec::new();
    let key = match key {
        Some(key) if is_trusted => Some(key),
        Some(key) => {
            let withheld =
                format!("the key from {} is not sent to {endpoint}, which {} names", key.origin, project.shown);
            let help = format!("`--allow-host={}` sends it", endpoint.host());
            if info.needs_key {
                return Err(ProviderFailure::new(withheld).help(help));
            }
            notes.push(format!("{withheld}; {help}"));
            None
        }
        None if info.needs_key => {
            let name = info.key.unwrap_or_default();
            let why = unused.map_or(String::new(), |unused| format!(": {unused}"));
            return Err(ProviderFailure::new(format!("no key for {} is set{why}", info.name))
                .help(format!("set {name}, in the environment or in an untracked .api-keys.json")));
        }
        None => None,
    };
    let client = Client::new(given.env, llm::TIMEOUT, secrets)?;
    let provider = (info.open)(Connection { endpoint, key, client });
    let (temperature, max_tokens) = (given.switches.temperature, llm::DEFAULT_MAX_TOKENS);
    let request = Request { model, model_setting, prompt: String::new(), temperature, max_tokens };
    Ok(Model { provider, request, notes })
}

/// Whether the file is the user's own, and not something that came with the repository: git does not track it, under this name or
/// under one that some file systems take for the same.
pub(super) fn is_personal(source: &dyn Source, path: &RepoPath) -> bool {
    let folder = path.parent();
    let wanted = folded(path.file_name());
    let listing = source.listing();
    let below = listing.below(folder).map(|index| listing.entry(index).path);
    let is_twin = |other: &&[u8]| crate::base::path::parent(other) == folder && folded(name_of(other)) == wanted;
    let mut names: Vec<RepoPath> = below.filter(is_twin).map(RepoPath::new).collect();
    names.push(path.clone());
    let is_untracked = |probe: &Probe| matches!(probe, Probe::Untracked | Probe::Ignored | Probe::Absent);
    source.is_versioned() && source.probe_many(&names).iter().all(is_untracked)
}

fn name_of(path: &[u8]) -> &[u8] {
    crate::base::path::file_name(path)
}

/// A name as file systems see it that ignore case and characters without width.
fn folded(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    name.to_uppercase().to_lowercase().chars().filter(char::is_ascii).collect()
}

#[cfg(all(test, feature = "llm"))]
mod tests;
