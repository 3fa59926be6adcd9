//! `show --agent merged`: what the artifact of a directory would hold, rendered from the files on disk by `compile`. Only the
//! files that it is made of are read, where they alone can tell.

use super::{Error, narrow};
use crate::agents::context::{Context, Importer, Layer, Part, PartName, Why};
use crate::agents::{Dialect, Root, loading};
use crate::base::error;
use crate::base::path::RepoPath;
use crate::base::tokens;
use crate::cli::Console;
use crate::cli::args::{ConfigArgs, SourceArgs};
use crate::cli::session::Session;
use crate::compile;
use crate::workspace::imports::Target;
use crate::workspace::{Loaded, Workspace};
use crate::world::{AbsPath, WithoutGit, World};

/// The context of `start`. A file that is touched changes nothing.
pub(super) fn context(
    world: &dyn World,
    dialect: &'static Dialect,
    start: &AbsPath,
    console: &mut Console<'_>,
) -> Result<Context, Error> {
    // Variables that move a repository, or bound the search for it, are for those who know git.
    const MOVING: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CEILING_DIRECTORIES"];
    let moved = MOVING.iter().any(|name| world.env().get(name).is_some());
    let root = loading::find_root(world, start, Root::Git).filter(|_| !moved);
    if let Some(root) = root
        && let Some(loaded) = narrow::load(&WithoutGit::new(world), &root, &start.relative_to(&root))
    {
        return rendered(dialect, start, root, &loaded);
    }
    whole_repository(dialect, start, console)
}

/// The context from all of the repository, which git has to list.
fn whole_repository(dialect: &'static Dialect, start: &AbsPath, console: &mut Console<'_>) -> Result<Context, Error> {
    let failed = |error: error::Error| Error::Repository(Box::new(error));
    let directory = std::mem::replace(&mut console.directory, start.to_os());
    let session = Session::open(console, &[], &SourceArgs::default(), &ConfigArgs::default());
    console.directory = directory;
    let mut session = session.map_err(failed)?;
    session.repository.config.compile.agents.clear();
    let loaded = session.load().map_err(failed)?;
    let root = AbsPath::from_os(session.repository.root().unwrap_or(&start.to_os()));
    let mut context = rendered(dialect, start, root, &loaded)?;
    context.notes.extend(session.repository.source().notes());
    Ok(context)
}

fn rendered(dialect: &'static Dialect, start: &AbsPath, root: AbsPath, loaded: &Loaded) -> Result<Context, Error> {
    let workspace = &loaded.workspace;
    let compiler = compile::compiler(workspace).map_err(|message| {
        let help = "correct `[compile] output` in the config";
        Error::Repository(Box::new(error::Error::failed(message, help)))
    })?;
    let below = start.relative_to(&root);
    let merged = compiler.merged().context(&below, false, None);
    let mut context = Context::empty(dialect, start);
    context.root = Some(root.clone());
    context.parts.push(Part { name: PartName::Main, text: String::new(), placement: dialect.placement });
    if let Some(merged) = merged {
        let mut seen = std::collections::BTreeSet::new();
        for (document, _) in merged.origins().into_iter().flatten() {
            if seen.insert(document) {
                context.layers.extend(layer(workspace, &root, document));
            }
        }
        context.parts[0].text = merged.text();
    }
    for failure in &loaded.failures {
        let path = root.join(failure.path.as_bytes());
        context.failures.push(crate::agents::context::Failure { path, message: failure.message.clone() });
    }
    Ok(context)
}

fn layer(workspace: &Workspace, root: &AbsPath, document: usize) -> Option<Layer> {
    let document = workspace.documents.get(document)?;
    let path = root.join(document.path.as_bytes());
    let named = |path: &RepoPath| compile::FILES.iter().any(|name| path.file_name() == name.as_bytes());
    let brings = |target: &Target| matches!(target, Target::File(to) if *to == document.path);
    let imported_by = workspace
        .imports
        .iter()
        .find(|import| import.agents.contains(&"merged") && brings(&import.target))
        .map(|import| Importer { path: root.join(import.importer.as_bytes()), span: import.span })
        .filter(|_| !named(&document.path));
    Some(Layer {
        real_path: path.clone(),
        path,
        part: PartName::Main,
        why: if imported_by.is_some() { Why::Import } else { Why::Project },
        bytes: document.bytes.len(),
        lines: if document.bytes.is_empty() { 0 } else { document.lines.count() },
        tokens: tokens::count(&document.bytes),
        imported_by,
        cut: None,
        globs: Vec::new(),
    })
}
