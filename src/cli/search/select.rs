//! Who selects the hints that answer a question: the model that the settings name or, if it cannot be asked, the ranking by words,
//! and a note says so.

use std::path::Path;

use super::args::ModelArgs;
use crate::base::error::Error;
use crate::base::path::{RepoPath, os_path_to_bytes};
use crate::cli::Console;
use crate::cli::args::ConfigArgs;
use crate::engine::Repository;
use crate::library::flpipeline::{self, FlPipeline};
use crate::library::llm::{self, CatalogueLine, ProviderFailure};
use crate::library::provider::{AllowHost, Model, Ranking, SettingSources, Switches, ranking};
use crate::library::{self, Catalogue, CatalogueEntry, FoundHints, SearchOptions};

/// What answers a question, best first.
pub(super) struct RankedHints<'c> {
    /// The entries, and how well each answers if words were compared.
    pub(super) entries: Vec<(&'c CatalogueEntry, Option<f64>)>,
    /// Tokens that a model's question and answer had.
    pub(super) tokens: Option<u64>,
}

/// Where settings of models are looked for.
pub(super) struct ModelSettings {
    legacy: Option<FlPipeline>,
    config_file: Option<RepoPath>,
}

impl ModelSettings {
    /// Read the settings of the older tool, and add its hints to those of the config.
    ///
    /// # Errors
    /// When the file cannot be read or is not what it should be.
    pub(super) fn read(
        repository: &mut Repository,
        config: &ConfigArgs,
        console: &mut Console<'_>,
    ) -> Result<ModelSettings, Error> {
        let legacy = match config.no_config {
            true => None,
            false => flpipeline::find(repository.source(), repository.subdirectory())?,
        };
        if let Some(legacy) = &legacy {
            repository.config.library.extend(legacy.hint_paths.iter().cloned());
            for path in &legacy.outside {
                let file = legacy.path.to_str_lossy();
                console.note(&format!("{file}: hints in {path:?} are not read because it leads out of the repository"));
            }
        }
        let config_file = match &config.config {
            Some(file) => repository.root().and_then(|root| below(root, &console.directory.join(file))),
            None => repository.config.path.clone(),
        };
        Ok(ModelSettings { legacy, config_file })
    }

    /// The entries of `catalogue` that answer `question`.
    ///
    /// # Errors
    /// When a setting is invalid, or the model cannot be asked and nothing may replace it.
    pub(super) fn select<'c>(
        &self,
        repository: &Repository,
        catalogue: &'c Catalogue,
        (question, limit): (&str, usize),
        args: &ModelArgs,
        console: &mut Console<'_>,
    ) -> Result<RankedHints<'c>, Error> {
        let allow_host = match &args.allow_host {
            None => AllowHost::None,
            Some(None) => AllowHost::Any,
            Some(Some(host)) => AllowHost::One(host),
        };
        let given = SettingSources {
            source: repository.source(),
            root: repository.root(),
            subdirectory: repository.subdirectory(),
            config: &repository.config,
            config_file: self.config_file.as_ref(),
            env: &console.env,
            switches: Switches { model: args.model.as_deref(), temperature: args.temperature, allow_host },
        };
        let asked = match ranking(&given, self.legacy.clone())? {
            Ranking::Keyword => return Ok(by_words(catalogue, question, limit)),
            Ranking::Model(model) => model.and_then(|model| {
                model.notes.iter().for_each(|note| console.note(note));
                ask(*model, catalogue, question, limit)
            }),
        };
        match asked {
            Ok(found) => Ok(found),
            Err(ProviderFailure { message, help }) if args.no_fallback => Err(Error::Failed { message, help }),
            Err(failure) => {
                let help = failure.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
                console.note(&format!("{failure}{help}; the hints are ranked by their words instead"));
                Ok(by_words(catalogue, question, limit))
            }
        }
    }
}

fn by_words<'c>(catalogue: &'c Catalogue, question: &str, limit: usize) -> RankedHints<'c> {
    let hits = library::search(catalogue, question, &SearchOptions { limit });
    RankedHints { entries: hits.into_iter().map(|hit| (hit.entry, Some(hit.score))).collect(), tokens: None }
}

fn ask<'c>(
    model: Model,
    catalogue: &'c Catalogue,
    question: &str,
    limit: usize,
) -> Result<RankedHints<'c>, ProviderFailure> {
    let lines = lines(catalogue, question);
    let picked = llm::pick(&*model.provider, model.request, &lines, question, limit)?;
    let found = FoundHints::of_names(catalogue, &picked.names);
    Ok(RankedHints { entries: found.entries().iter().map(|entry| (*entry, None)).collect(), tokens: picked.tokens })
}

/// The entries sent to the model: all, or the ones ranked highest by words if the catalogue is large.
fn lines<'c>(catalogue: &'c Catalogue, question: &str) -> Vec<CatalogueLine<'c>> {
    let line = |entry: &'c CatalogueEntry| CatalogueLine {
        name: &entry.name,
        description: entry.description.as_deref().unwrap_or("No description available"),
        relevant_for: entry.relevant_for.as_deref(),
    };
    let all: Vec<CatalogueLine<'c>> = catalogue.entries().iter().map(line).collect();
    if llm::catalogue_chars(&all) <= llm::CATALOGUE_CHARS {
        return all;
    }
    let hits = library::search(catalogue, question, &SearchOptions { limit: llm::MAX_ENTRIES });
    let mut lines: Vec<CatalogueLine<'c>> = hits.into_iter().map(|hit| line(hit.entry)).collect();
    // Words may find fewer than fit.
    let room = llm::MAX_ENTRIES - lines.len();
    let rest: Vec<CatalogueLine<'c>> = all.into_iter().filter(|line| !lines.contains(line)).take(room).collect();
    lines.extend(rest);
    lines
}

/// The path of `file` from `root`, if it lies there.
fn below(root: &Path, file: &Path) -> Option<RepoPath> {
    let (root, file) = (root.canonicalize().ok()?, file.canonicalize().ok()?);
    file.strip_prefix(root).ok().map(|path| RepoPath::new(os_path_to_bytes(path)))
}
