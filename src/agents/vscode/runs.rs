//! What Visual Studio Code starts, as documented: servers that the user lets start, and in a trusted folder the tasks that ask to run
//! when the folder is opened, with those that they depend on.

use super::FILES;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::{Approval, Moment, RunKind, RunMode, RunReader, documented};
use crate::parse::json::JsonNode;
use std::collections::BTreeSet;

/// Its file of tasks.
const TASKS: &str = ".vscode/tasks.json";
/// The keys of what is different on one system, with its name.
const SYSTEMS: [(&str, &str); 3] = [("linux", " on Linux"), ("osx", " on macOS"), ("windows", " on Windows")];

/// Read what the start directory asks for. There is no other way to open a folder than with a window.
pub(super) fn read(reader: &mut RunReader<'_>) {
    if reader.out.mode != RunMode::Interactive {
        return;
    }
    for file in FILES.documented_servers {
        documented::read_servers(reader, file);
    }
    if let Some((text, root)) = documented::read(reader, TASKS) {
        let tasks = root.get("tasks").map(JsonNode::items).unwrap_or_default();
        let tasks = &tasks[..tasks.len().min(MAX_ENTRIES)];
        for task in started(tasks) {
            push(reader, &text, task);
        }
    }
}

/// The tasks that run when the folder is opened, in the order of the file.
fn started(tasks: &[JsonNode]) -> Vec<&JsonNode> {
    let is_on_open = |task: &&JsonNode| {
        let when = task.at(&["runOptions", "runOn"]).and_then(JsonNode::text);
        when.is_some_and(|when| when.eq_ignore_ascii_case("folderOpen"))
    };
    let mut waiting: Vec<&JsonNode> = tasks.iter().filter(is_on_open).collect();
    let mut found = BTreeSet::new();
    while let Some(task) = waiting.pop() {
        if !found.insert(task.span.start) {
            continue;
        }
        let Some(others) = task.get("dependsOn") else { continue };
        let others: BTreeSet<&str> =
            others.items().iter().chain(std::iter::once(others)).filter_map(JsonNode::text).collect();
        waiting.extend(tasks.iter().filter(|task| label(task).is_some_and(|label| others.contains(label))));
    }
    tasks.iter().filter(|task| found.contains(&task.span.start)).collect()
}

fn label(task: &JsonNode) -> Option<&str> {
    let named = task.get("label").or_else(|| task.get("taskName")).or_else(|| task.get("script"));
    named.and_then(JsonNode::text)
}

/// What a task starts, everywhere and on single systems.
fn push(reader: &mut RunReader<'_>, text: &SettingsText, task: &JsonNode) {
    let name = label(task).unwrap_or("without a name");
    let variants = SYSTEMS.iter().filter_map(|(key, system)| Some((task.get(key)?, *system)));
    for (node, system) in std::iter::once((task, "")).chain(variants) {
        if let Some(command) = command(node, task) {
            let kind = RunKind::Helper { key: format!("task {name}{system}"), command };
            reader.push(Moment::Start, kind, text.place(node.span), Approval::Folder);
        }
    }
}

/// The command line of a task, or of what differs of it on one system.
fn command(node: &JsonNode, task: &JsonNode) -> Option<String> {
    // A word may be an object that says how it is quoted.
    let word = |node: &JsonNode| node.text().or_else(|| node.get("value")?.text()).map(str::to_owned);
    let program = match node.get("command").and_then(word) {
        Some(program) => program,
        None => {
            let script = node.get("script").and_then(JsonNode::text)?;
            format!("{} run {script}", node.get("type").and_then(JsonNode::text).unwrap_or("npm"))
        }
    };
    let arguments = node.get("args").or_else(|| task.get("args")).map(JsonNode::items).unwrap_or_default();
    Some(std::iter::once(program).chain(arguments.iter().filter_map(word)).collect::<Vec<_>>().join(" "))
}
