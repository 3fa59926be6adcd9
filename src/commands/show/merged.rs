//! `show --agent merged`: what the artifact of a directory would hold, rendered from the files on disk by `compile`.

use super::Error;
use crate::cli::{ConfigArgs, SourceArgs};
use crate::commands::Console;
use crate::commands::session::Session;
use crate::compile;
use crate::context::{Context, Importer, Layer, Part, PartName, Why};
use crate::dialect::Dialect;
use crate::error;
use crate::path::RepoPath;
use crate::tokens;
use crate::workspace::Workspace;
use crate::workspace::imports::Target;
use crate::world::AbsPath;

/// The context of `start`. A file that is touched changes nothing.
pub(super) fn context(dialect: &'static Dialect, start: &AbsPath, console: &mut Console<'_>) -> Result<Context, Error> {
    let failed = |error: error::Error| Error::Repository(Box::new(error));
    let directory = std::mem::replace(&mut console.directory, start.to_os());
    let session = Session::open(console, &[], &SourceArgs::default(), &ConfigArgs::default());
    console.directory = directory;
    let mut session = session.map_err(failed)?;
    session.config.compile.agents.clear();
    let loaded = session.load_from(session.source(), false).map_err(failed)?;
    let root = AbsPath::from_os(session.opened.root.as_deref().unwrap_or(&start.to_os()));
    let workspace = &loaded.workspace;
    let compiler = compile::compiler(workspace)
        .map_err(|message| failed(error::Error::failed(message, "correct `[compile] output` in the config")))?;
    let below = start.relative_to(&root);
    let merged = compiler.merged().context(&below, false, None);
    let mut context = Context::empty(dialect, start, Some(root.clone()));
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
        context.failures.push(crate::context::Failure { path, message: failure.message.clone() });
    }
    context.notes.extend(session.source().notes());
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

impl Context {
    /// A context of one empty part.
    fn empty(dialect: &'static Dialect, start: &AbsPath, root: Option<AbsPath>) -> Context {
        Context {
            dialect,
            start: start.clone(),
            root,
            parts: vec![Part { name: PartName::Main, text: String::new(), placement: dialect.placement }],
            layers: Vec::new(),
            conditional: Vec::new(),
            skipped: Vec::new(),
            notes: Vec::new(),
            failures: Vec::new(),
            order_unspecified: false,
            considered: Vec::new(),
        }
    }
}
