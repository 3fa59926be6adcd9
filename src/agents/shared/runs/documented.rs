//! Files of products that cannot be run here: what they start by their documentation. How strictly they read is not documented, so
//! comments and commas are read past, and nothing is told of as dropped.

use super::reading::{MAX_ENTRIES, SettingsText};
use super::transports;
use super::{Approval, Moment, RunKind, RunReader};
use crate::agents::shared::documented_servers::ServersFile;
use crate::parse::json::{JsonGrammar, JsonNode};

/// The file at `path` below the start directory, and its value.
pub(crate) fn read(reader: &RunReader<'_>, path: &str) -> Option<(SettingsText, JsonNode)> {
    let text = SettingsText::read(reader.world, &reader.out.start.join(path))?;
    let root = text.json(JsonGrammar::RELAXED).ok()?;
    Some((text, root))
}

/// The servers of a file, about each of which the user is asked.
pub(crate) fn read_servers(reader: &mut RunReader<'_>, file: &ServersFile) {
    let Some((text, root)) = read(reader, file.path) else { return };
    let servers = root.get(file.key).map(JsonNode::effective).unwrap_or_default();
    for member in servers.into_iter().take(MAX_ENTRIES) {
        let Some((command, is_remote)) = command(&member.value) else { continue };
        let given = transports::given(&member.value, is_remote, "env", &["headers"]);
        let kind = RunKind::Server { name: member.key.clone(), command, is_remote, given };
        reader.push(Moment::Start, kind, text.place(member.value.span), Approval::Item);
    }
}

/// The program with its arguments or the URL, and whether it is the latter.
fn command(server: &JsonNode) -> Option<(Vec<String>, bool)> {
    if let Some(program) = server.get("command").and_then(JsonNode::text) {
        let arguments = server.get("args").map(JsonNode::items).unwrap_or_default();
        let arguments = arguments.iter().filter_map(JsonNode::text).map(str::to_owned);
        return Some((std::iter::once(program.to_owned()).chain(arguments).collect(), false));
    }
    server.get("url").and_then(JsonNode::text).map(|url| (vec![url.to_owned()], true))
}
