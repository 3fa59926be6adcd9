//! The commands of opencode, and what they run before the model sees their text: `` !`…` ``, wherever it stands, unasked.

use super::schema::{self, settings::AGENT_KEYS, settings::COMMAND_FILE_KEYS};
use super::{MAX_FILES, OpencodeRuns};
use crate::agents::claude::hints::COMMAND;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText, of_yaml};
use crate::agents::shared::runs::{DroppedScope, Moment, RunKind};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::frontmatter;
use crate::parse::json::JsonNode;
use crate::world::{AbsPath, FileType};

/// How deep folders of commands may nest.
const MAX_DEPTH: usize = 8;

impl OpencodeRuns<'_, '_> {
    /// What commands run before the model sees their text.
    pub(super) fn read_commands(&mut self) {
        let mut found = Vec::new();
        for file in &self.files {
            let commands = file.root.get("command").map(JsonNode::effective).unwrap_or_default();
            for command in commands.into_iter().take(MAX_ENTRIES) {
                let Some(template) = command.value.get("template") else { continue };
                for span in pre_runs(template.text().unwrap_or_default(), 0) {
                    let line = template.text().unwrap_or_default()[span.range()].to_owned();
                    found.push((line, command.key.clone(), file.text.place(template.span)));
                }
            }
        }
        for (path, name) in self.hint_files(["command", "commands"]) {
            let Some(text) = SettingsText::read(self.reader.world, &path) else { continue };
            let (_, body) = frontmatter::read(&text.text, Kind::Of(&COMMAND), &mut Vec::new());
            for span in pre_runs(&text.text, body) {
                found.push((text.text[span.range()].to_owned(), name.clone(), text.place(span)));
            }
        }
        for (command, name, place) in found {
            self.push(Moment::Use, RunKind::PreRun { command }, place, Some(name));
        }
    }

    /// Whether the agent starts with the frontmatter of agents and commands: a value of a wrong type keeps it from that. What is no
    /// YAML is passed over.
    pub(super) fn accept_hint_files(&mut self) -> bool {
        let kinds = [(["agent", "agents"], AGENT_KEYS), (["command", "commands"], COMMAND_FILE_KEYS)];
        for (folders, keys) in kinds {
            for (path, _) in self.hint_files(folders) {
                let Some(text) = SettingsText::read(self.reader.world, &path) else { continue };
                let (Some(found), _) = frontmatter::read(&text.text, Kind::Of(&COMMAND), &mut Vec::new()) else {
                    continue;
                };
                let problem = keys.iter().find_map(|(key, shape)| {
                    let node = of_yaml(&found.get(key)?.value);
                    let (wrong, wanted) = schema::problem(&node, *shape)?;
                    Some((wrong.span, schema::told(&format!("`{key}`"), wrong, &wanted)))
                });
                if let Some((span, why)) = problem {
                    self.reader.drop(text.place(span), why, DroppedScope::Agent, true);
                    return false;
                }
            }
        }
        true
    }

    /// The Markdown files of folders with the names that they give, in bytewise order.
    pub(super) fn hint_files(&self, folders: [&str; 2]) -> Vec<(AbsPath, String)> {
        let mut found = Vec::new();
        for top in self.folders.iter().flat_map(|folder| folders.map(|name| folder.join(name))) {
            let mut waiting = vec![(top.clone(), 0)];
            while let Some((folder, depth)) = waiting.pop() {
                for entry in self.reader.world.read_dir(&folder) {
                    let path = folder.join(&entry.name);
                    if found.len() >= MAX_FILES {
                        break;
                    }
                    if entry.name.ends_with(b".md") {
                        let name = String::from_utf8_lossy(&path.relative_to(&top)).trim_end_matches(".md").to_owned();
                        found.push((path, name));
                    } else if entry.kind == FileType::Directory && depth < MAX_DEPTH {
                        waiting.push((path, depth + 1));
                    }
                }
            }
        }
        found.sort();
        found
    }
}

/// The commands in `` !`…` ``, wherever they stand.
fn pre_runs(text: &str, body: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = body;
    while let Some(open) = memchr::memmem::find(&text.as_bytes()[at..], b"!`").map(|next| at + next + 2) {
        let Some(length) = memchr::memchr(b'`', &text.as_bytes()[open..]) else { break };
        if length > 0 && found.len() < MAX_ENTRIES {
            found.push(Span::new(open, open + length));
        }
        at = open + length + usize::from(length > 0);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_run_are_found() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<&str> = pre_runs(text, 0).into_iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("a!`b` !`c d`", &["b", "c d"]);
        check("!`` !`open", &[]);
    }
}
