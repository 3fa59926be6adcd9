//! Files of products that cannot be run here: what they start by their documentation. How strictly they read is not documented, so
//! comments and commas are read past, and nothing is told of as dropped.

use super::reading::{MAX_ENTRIES, SettingsText};
use super::transports;
use super::{Approval, Moment, RunKind, RunReader};
use crate::agents::shared::documented_servers::ServersFile;
use crate::parse::json::{JsonGrammar, JsonNode};
use crate::world::AbsPath;

/// Most bundles that the command line may name.
const MAX_BUNDLES: usize = 200;

/// The file at `path` below the start directory, and its value.
pub(crate) fn read(reader: &RunReader<'_>, path: &str) -> Option<(SettingsText, JsonNode)> {
    SettingsText::parsed(reader.world, &reader.out.start.join(path), JsonGrammar::RELAXED)
}

/// The servers of a file, about each of which the user is asked.
pub(crate) fn read_servers(reader: &mut RunReader<'_>, file: &ServersFile) {
    let Some((text, root)) = read(reader, file.path) else { return };
    if let Some(servers) = root.get(file.key) {
        push_servers(reader, &text, servers, Approval::Item);
    }
}

/// Put on record the servers of an object.
pub(crate) fn push_servers(reader: &mut RunReader<'_>, text: &SettingsText, servers: &JsonNode, approval: Approval) {
    for member in servers.effective().into_iter().take(MAX_ENTRIES) {
        let Some((command, is_remote)) = command(&member.value) else { continue };
        let directory = transports::directory(&member.value, is_remote).map(str::to_owned);
        let given = transports::given(&member.value, is_remote, "env", &["headers"]);
        let kind = RunKind::Server { name: member.key.clone(), command, is_remote, directory, given };
        reader.push(Moment::Start, kind, text.place(member.value.span), approval);
    }
}

/// The directories that the caller names as those of installed bundles (`--agent-option AGENT.KEY=["DIR"]`).
pub(crate) fn given_bundles(reader: &RunReader<'_>, key: &str) -> Vec<AbsPath> {
    let given = reader.option(key).and_then(serde_json::Value::as_array).cloned().unwrap_or_default();
    let paths = given.iter().take(MAX_BUNDLES).filter_map(serde_json::Value::as_str);
    paths.map(|path| reader.out.start.resolve(path.as_bytes())).collect()
}

/// The program with its arguments or the URL, and whether it is the latter.
fn command(server: &JsonNode) -> Option<(Vec<String>, bool)> {
    if let Some(program) = server.get("command").and_then(JsonNode::text) {
        let arguments = server.get("args").map(JsonNode::items).unwrap_or_default();
        let arguments = arguments.iter().filter_map(JsonNode::text).map(str::to_owned);
        return Some((std::iter::once(program.to_owned()).chain(arguments).collect(), false));
    }
    let url = ["url", "httpUrl"].into_iter().find_map(|key| server.get(key)?.text());
    url.map(|url| (vec![url.to_owned()], true))
}
