//! What agents make of a hint file, in a line above it: how much they load where it stands, where they load it, what they cut.

use gen_lsp_types::{CodeLens, Command, Range};
use serde_json::json;

use super::view::View;
use crate::agents::context::Layer;
use crate::base::sanitize;
use crate::base::text::thousands;
use crate::parse::Document;
use crate::workspace::contexts::LoadedContext;

/// Directories that a lens names.
const NAMED: usize = 3;

/// One lens for each enabled agent that loads the document, or that its table knows to read it.
pub(super) fn lenses(view: &View<'_>, document: &Document) -> Vec<CodeLens> {
    let workspace = view.workspace();
    let mut lenses = Vec::new();
    for dialect in workspace.dialects() {
        let directories = workspace.loading_directories(dialect, document);
        let Some(dir) = directories.first() else { continue };
        let loaded = workspace.context(dialect, dir);
        let layers = own_layers(&loaded, document);
        let mut parts = Vec::new();
        let total: usize = loaded.context.layers.iter().map(|layer| layer.tokens).sum();
        let own: usize = layers.iter().map(|layer| layer.tokens).sum();
        if layers.is_empty() {
            parts.push("waits for a matching file".to_owned());
        } else {
            parts.push(format!("{} tokens here, {} with all it loads", thousands(own), thousands(total)));
        }
        let names: Vec<String> = directories.iter().take(NAMED).map(|dir| directory(dir)).collect();
        let more = directories.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if directories.len() > 1 || *dir != document.path.parent() {
            parts.push(format!("loaded by {}{more}", names.join(", ")));
        }
        if let Some(cut) = layers.iter().find_map(|layer| layer.cut) {
            parts.push(format!("cut at line {}", cut.line));
        }
        lenses.push(lens(view, document, dialect.id, &parts.join(", ")));
    }
    lenses
}

fn directory(dir: &[u8]) -> String {
    let name = String::from_utf8_lossy(dir);
    if dir.is_empty() { "the root".to_owned() } else { sanitize::line(&name).into_owned() }
}

/// The layers of a context that are `document`.
fn own_layers<'l>(loaded: &'l LoadedContext<'_>, document: &Document) -> Vec<&'l Layer> {
    let is_own = |layer: &&Layer| loaded.path(&layer.real_path).as_ref() == Some(&document.path);
    loaded.context.layers.iter().filter(is_own).collect()
}

fn lens(view: &View<'_>, document: &Document, agent: &str, text: &str) -> CodeLens {
    let title = format!("{agent}: {text}");
    let command = match view.client.shows_context {
        true => Command {
            title,
            command: "hintlint.showContext".to_owned(),
            arguments: Some(vec![json!(view.uri(&document.path)), json!(agent)]),
            ..Command::default()
        },
        // A title without a command is text.
        false => Command { title, ..Command::default() },
    };
    CodeLens { range: Range::default(), command: Some(command), data: None }
}
