//! `show --agent merged`: what the artifact of a directory would hold, rendered from the files on disk. Only the files that it
//! is made of are read, where they alone can tell.

use super::ShowError;
use super::listed::Listed;
use crate::agents::context::{Context, Importer, Layer, Part, PartName, UnreadFile, Why};
use crate::agents::merged::expand::{ContributingFile, TracedText};
use crate::agents::merged::repository::MergedRepository;
use crate::agents::{Dialect, RootMark, merged, roots};
use crate::base::error;
use crate::base::path::RepoPath;
use crate::base::text::LineIndex;
use crate::base::tokens;
use crate::cli::Console;
use crate::cli::args::{ConfigArgs, SourceArgs};
use crate::cli::session::Session;
use crate::compile::CompileSettings;
use crate::compile::agent::SourceFiles;
use crate::config::{self, Config, extends};
use crate::discover::Discovery;
use crate::workspace;
use crate::world::{AbsPath, FileType, RepoWorld, WithoutGit, World};

/// The context of `start`. A file that is touched changes nothing.
pub(super) fn context(
    world: &dyn World,
    dialect: &'static Dialect,
    start: &AbsPath,
    args: &ConfigArgs,
    console: &mut Console<'_>,
) -> Result<Context, ShowError> {
    // Variables that move a repository, or bound the search for it, are for those who know git.
    const MOVING: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CEILING_DIRECTORIES"];
    let moved = MOVING.iter().any(|name| world.env().get(name).is_some());
    let is_own = args.config.is_none() && !args.no_config;
    if let Some(root) = roots::find_root(world, start, RootMark::Git).filter(|_| !moved && is_own) {
        let world = WithoutGit::new(world);
        let listed = Listed::new(&world, root.clone());
        if let Some(config) = config(&listed, &root)
            && let Ok(discovery) = Discovery::new(&config)
        {
            let repository = MergedRepository::new(listed, root.clone(), settings(&config, discovery)?, &[]);
            let context = rendered(dialect, start, &root, &repository, &root);
            if !repository.world().is_in_doubt() {
                return Ok(context);
            }
        }
    }
    whole_repository(dialect, start, args, console)
}

/// The config in force; `None` if there are two or it is not right.
pub(super) fn config(world: &dyn World, root: &AbsPath) -> Option<Config> {
    let there = config::FILE_NAMES.into_iter().filter_map(|name| Some((name, world.link_type(&root.join(name))?)));
    match there.collect::<Vec<_>>()[..] {
        [] => Some(Config::default()),
        [(name, FileType::File)] => {
            let bytes = world.read(&root.join(name)).ok()?;
            let mut read =
                |path: &RepoPath| world.read(&root.join(path.as_bytes())).map_err(|_| "it is not there".to_owned());
            let whole = extends::whole(&name.into(), std::str::from_utf8(&bytes).ok()?, &mut read).ok()?;
            Some(whole.config)
        }
        _ => None,
    }
}

fn settings(config: &Config, discovery: Discovery) -> Result<CompileSettings<'_>, ShowError> {
    CompileSettings::new(config, discovery).map_err(|message| {
        let help = "correct `[compile] output` in the config";
        ShowError::Repository(Box::new(error::Error::failed(message, help)))
    })
}

/// The context from the files that git lists.
fn whole_repository(
    dialect: &'static Dialect,
    start: &AbsPath,
    args: &ConfigArgs,
    console: &mut Console<'_>,
) -> Result<Context, ShowError> {
    let failed = |error: error::Error| ShowError::Repository(Box::new(error));
    let directory = std::mem::replace(&mut console.directory, start.to_os());
    // The path of a config is from where the user stands.
    let config = args.config.as_ref().map(|file| directory.join(file));
    let args = ConfigArgs { config, ..args.clone() };
    let session = Session::open(console, &[], &SourceArgs::default(), &args);
    console.directory = directory;
    let opened = session.map_err(failed)?.repository;
    let discovery = Discovery::new(&opened.config).map_err(|bad| failed(opened.bad_pattern(&bad)))?;
    let source = opened.source();
    let links = workspace::read_links(source, source.listing());
    let world = RepoWorld::new(SourceFiles::new(source, &links));
    let (top, root) = (world.root().clone(), opened.root());
    let root = AbsPath::from_os(root.unwrap_or(&start.to_os()));
    let repository = MergedRepository::new(world, top.clone(), settings(&opened.config, discovery)?, &[]);
    let mut context = rendered(dialect, start, &root, &repository, &top);
    context.notes.extend(source.notes());
    Ok(context)
}

/// The context of `start` in the repository at `root`, which `repository` has at `top`.
fn rendered<W: World>(
    dialect: &'static Dialect,
    start: &AbsPath,
    root: &AbsPath,
    repository: &MergedRepository<'_, W, CompileSettings<'_>>,
    top: &AbsPath,
) -> Context {
    let mut context = Context::empty(dialect, start);
    context.root = Some(root.clone());
    context.parts.push(Part { name: PartName::Main, text: String::new(), placement: dialect.placement });
    let Some(found) = repository.context(&start.relative_to(root), false, None) else { return context };
    let path = |path: &AbsPath| root.join(path.relative_to(top));
    let layers = found.expanded.sources.iter().map(|source| layer(repository.world(), &found.expanded, source, &path));
    context.layers = layers.collect();
    context.parts[0].text = found.expanded.text().to_owned();
    let failure = |(path, message): (RepoPath, String)| UnreadFile { path: root.join(path.as_bytes()), message };
    context.failures = found.failures.into_iter().map(failure).collect();
    context
}

fn layer(
    world: &dyn World,
    expanded: &TracedText,
    source: &ContributingFile,
    path: &dyn Fn(&AbsPath) -> AbsPath,
) -> Layer {
    let bytes = world.read(&source.path).unwrap_or_default();
    let importer = source.imported_by.filter(|_| !merged::reads(source.path.file_name()));
    let imported_by = importer.map(|(by, span)| Importer { path: path(&expanded.sources[by].path), span });
    Layer {
        real_path: path(&source.path),
        path: path(&source.path),
        part: PartName::Main,
        why: if imported_by.is_some() { Why::Import } else { Why::Project },
        bytes: bytes.len(),
        lines: if bytes.is_empty() { 0 } else { LineIndex::new(&bytes).count() },
        tokens: tokens::count(&bytes),
        imported_by,
        cut: None,
        globs: Vec::new(),
    }
}
