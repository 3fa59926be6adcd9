//! What opencode runs, connects to and obeys because of a repository's `opencode.json(c)` and `.opencode` folders: plugins and
//! tools in JavaScript, servers, permissions, endpoints, and the `` !`…` `` of commands. The user is not asked in any mode. Observed on
//! 1.18.33 in November 2026, run by run; the types of settings are those of its source.

mod bare_commands;
mod commands;
mod overridden;
mod permissions;
mod schema;
mod servers;

use crate::agents::RootMark;
use crate::agents::shared::roots::{directories, find_root};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::{
    Approval, DroppedScope, Moment, RunItem, RunKind, RunReader, SentData, SettingPlace,
};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::json::{self, JsonGrammar, JsonMember, JsonNode};
use crate::world::{AbsPath, FileType};
use std::collections::BTreeSet;

const NAMES: [&str; 2] = ["opencode.json", "opencode.jsonc"];
/// Tools that permissions know.
const TOOLS: [&str; 18] = [
    "bash",
    "codesearch",
    "doom_loop",
    "edit",
    "external_directory",
    "glob",
    "grep",
    "list",
    "lsp",
    "question",
    "read",
    "skill",
    "task",
    "todoread",
    "todowrite",
    "webfetch",
    "websearch",
    "write",
];
/// Providers whose keys the agent finds by itself.
const PROVIDERS: [&str; 14] = [
    "amazon-bedrock",
    "anthropic",
    "azure",
    "deepseek",
    "github-copilot",
    "google",
    "google-vertex",
    "groq",
    "mistral",
    "openai",
    "opencode",
    "openrouter",
    "vercel",
    "xai",
];
/// How many files of a folder are looked at.
const MAX_FILES: usize = 2_000;
/// Longer contents of `{file:…}` are not put in, nor more references of one value.
const MAX_SUBSTITUTED: usize = 64 << 10;
const MAX_REFERENCES: usize = 100;

/// A settings file in effect.
struct OpencodeSettings {
    text: SettingsText,
    root: JsonNode,
}

impl OpencodeSettings {
    /// The plugins that the file names.
    fn plugins(&self) -> impl Iterator<Item = &JsonNode> {
        self.root.get("plugin").map(JsonNode::items).unwrap_or_default().iter().take(MAX_ENTRIES)
    }
}

/// The account of one start.
struct OpencodeRuns<'r, 'w> {
    reader: &'r mut RunReader<'w>,
    /// The repository's root, where there is one.
    root: Option<AbsPath>,
    /// From the least decisive file to the most.
    files: Vec<OpencodeSettings>,
    /// The `.opencode` folders, in the same order.
    folders: Vec<AbsPath>,
}

pub(super) fn read(reader: &mut RunReader<'_>) {
    let start = reader.out.start.clone();
    let root = find_root(reader.world, &start, RootMark::GitProgram);
    let mut runs = OpencodeRuns { reader, root, files: Vec::new(), folders: Vec::new() };
    if runs.read_settings(&start) && runs.accept_hint_files() {
        runs.read_plugins();
        runs.read_servers();
        runs.drop_foreign_servers();
        runs.drop_dead_settings();
        runs.read_permissions();
        runs.read_endpoints();
        runs.read_programs();
        runs.drop_absent_instructions();
        runs.read_commands();
    }
}

impl OpencodeRuns<'_, '_> {
    fn push(&mut self, moment: Moment, kind: RunKind, place: SettingPlace, on_use_of: Option<String>) {
        let approval = Approval::Nobody;
        self.reader.out.items.push(RunItem { moment, kind, place, approval, on_use_of });
    }

    /// Read all settings; `false` where one of them keeps the agent from starting.
    fn read_settings(&mut self, start: &AbsPath) -> bool {
        let world = self.reader.world;
        let top = self.root.clone().unwrap_or_else(|| AbsPath::new("/"));
        let walk = directories(&top, start);
        let home = world.env().home().map(AbsPath::new).filter(|_| self.reader.options.user);
        let user = world.env().config_home().map(|home| AbsPath::new(home).join("opencode"));
        let user = user.filter(|_| self.reader.options.user);
        let mut paths: Vec<AbsPath> = Vec::new();
        if let Some(user) = &user {
            paths.extend(["config.json", "opencode.json", "opencode.jsonc"].map(|name| user.join(name)));
        }
        paths.extend(walk.iter().flat_map(|directory| NAMES.map(|name| directory.join(name))));
        let folders = walk.iter().rev().chain(home.iter()).map(|directory| directory.join(".opencode"));
        let mut seen = BTreeSet::new();
        self.folders = user.into_iter().chain(folders).filter(|folder| seen.insert(folder.clone())).collect();
        let own = self.folders.iter().filter(|folder| folder.file_name() == b".opencode");
        paths.extend(own.flat_map(|folder| NAMES.map(|name| folder.join(name))));
        for path in paths {
            let Some(text) = SettingsText::read(world, &path).filter(|text| !text.is_blank()) else { continue };
            if let Some((span, name)) = self.missing_reference(&text) {
                let why = format!("{{file:{name}}} names a file that is not there");
                self.reader.drop(text.place(span), why, DroppedScope::Agent, true);
                return false;
            }
            let problem = match text.json(JsonGrammar::RELAXED) {
                Ok(root) => match schema::problem(&root, schema::settings::SETTINGS) {
                    None => {
                        self.files.push(OpencodeSettings { text, root });
                        continue;
                    }
                    Some((node, wanted)) => (text.place(node.span), schema::told("this", node, &wanted)),
                },
                // References outside of strings are put in before the text is parsed.
                Err(_) if text.text.contains("{env:") || text.text.contains("{file:") => continue,
                Err(problem) => (text.place_at(problem.at), format!("the file has {}", problem.kind.words())),
            };
            self.reader.drop(problem.0, problem.1, DroppedScope::Agent, true);
            return false;
        }
        true
    }

    /// A `{file:…}` of a text that names a file of the repository which is not there. Lines of comments are passed over.
    fn missing_reference(&self, text: &SettingsText) -> Option<(Span, String)> {
        let root = self.root.as_ref().unwrap_or(&self.reader.out.start);
        let found = text.text.match_indices("{file:").take(MAX_REFERENCES);
        found.filter_map(|(at, open)| Some((at, text.text[at + open.len()..].split_once('}')?.0))).find_map(
            |(at, name)| {
                let line = text.text[..at].rsplit('\n').next().unwrap_or_default();
                let is_known =
                    !line.trim_start().starts_with("//") && !name.starts_with('~') && !name.trim().is_empty();
                let path = text.path.dirname().resolve(name.as_bytes());
                let is_missing = is_known && path.is_within(root) && self.reader.world.file_type(&path).is_none();
                is_missing.then(|| (Span::new(at, at + name.len() + "{file:}".len()), name.to_owned()))
            },
        )
    }

    /// A value with its references to variables and files of the repository put in.
    fn substituted(&self, file: &OpencodeSettings, value: &str) -> String {
        let env = self.reader.world.env();
        let value = put_in(value, "{env:", |name| Some(env.get(name).unwrap_or_default().to_owned()));
        put_in(&value, "{file:", |name| {
            let path = file.text.path.dirname().resolve(name.as_bytes());
            let root = self.root.as_ref().unwrap_or(&self.reader.out.start);
            let text = SettingsText::read(self.reader.world, &path).filter(|_| path.is_within(root))?;
            (text.text.len() <= MAX_SUBSTITUTED).then(|| text.text.trim().to_owned())
        })
    }

    /// Plugins that settings name by a path, from their own folder, at which no file is: the agent starts without them (run with 1.18.33).
    fn drop_absent_plugins(&mut self) {
        let mut absent = Vec::new();
        for file in &self.files {
            for entry in file.plugins() {
                let name = entry.text().filter(|name| name.starts_with("./") || name.starts_with("../"));
                let path = name.map(|name| file.text.path.dirname().resolve(name.as_bytes()));
                if let Some(path) = path.filter(|path| self.reader.world.file_type(path).is_none()) {
                    let name = path.relative_to(&self.reader.out.start);
                    absent.push((file.text.place(entry.span), String::from_utf8_lossy(&name).into_owned()));
                }
            }
        }
        for (place, name) in absent {
            let why = format!("there is no file `{}`, so it starts without this plugin", sanitize::line(&name));
            self.reader.drop(place, why, DroppedScope::Absent(name), false);
        }
    }

    /// Plugins and tools, whose code runs when the agent starts.
    fn read_plugins(&mut self) {
        self.drop_absent_plugins();
        let mut found = Vec::new();
        for file in &self.files {
            for plugin in file.plugins() {
                let name = plugin.text().or_else(|| plugin.items().first().and_then(JsonNode::text));
                let command = self.substituted(file, name.unwrap_or_default());
                found.push(("plugin", command, file.text.place(plugin.span)));
            }
        }
        for (folder, kinds) in self.folders.iter().flat_map(|folder| {
            [("plugin", ["plugin", "plugins"]), ("tool", ["tool", "tools"])].map(|kinds| (folder, kinds))
        }) {
            for name in kinds.1 {
                let directory = folder.join(name);
                for entry in self.reader.world.read_dir(&directory).into_iter().take(MAX_FILES) {
                    let is_code = entry.name.ends_with(b".js") || entry.name.ends_with(b".ts");
                    if is_code && entry.kind != FileType::Directory {
                        let path = directory.join(&entry.name);
                        let command = String::from_utf8_lossy(&path.relative_to(&self.reader.out.start)).into_owned();
                        found.push((kinds.0, command, SettingPlace { path, span: Span::new(0, 0), line: 1 }));
                    }
                }
            }
        }
        for (key, command, place) in found {
            self.push(Moment::Start, RunKind::Helper { key: key.to_owned(), command }, place, None);
        }
    }

    /// Where the requests to models go, and the keys with them. What the environment gives as a whole file is more decisive.
    fn read_endpoints(&mut self) {
        let given = self.reader.world.env().get("OPENCODE_CONFIG_CONTENT");
        let given = given.and_then(|text| json::parse(text, JsonGrammar::RELAXED).ok());
        let path = |name: &str| ["provider".to_owned(), name.to_owned(), "options".to_owned(), "baseURL".to_owned()];
        let mut seen = BTreeSet::new();
        let (mut found, mut dropped) = (Vec::new(), Vec::new());
        for file in self.files.iter().rev() {
            let providers = file.root.get("provider").map(JsonNode::effective).unwrap_or_default();
            for provider in providers.into_iter().take(MAX_ENTRIES) {
                let Some(url) = provider.value.at(&["options", "baseURL"]) else { continue };
                let place = file.text.place(url.span);
                let keys = path(&provider.key);
                let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
                if given.as_ref().is_some_and(|root| root.at(&keys).is_some()) {
                    dropped.push((place, "OPENCODE_CONFIG_CONTENT overrides it"));
                } else if !seen.insert(provider.key.as_str()) {
                    dropped.push((place, "a file of higher precedence sets it"));
                } else {
                    let url = self.substituted(file, url.text().unwrap_or_default());
                    // An empty one leaves the provider's own in effect.
                    if !url.is_empty() {
                        let sends = sent_to(provider);
                        found.push((RunKind::Endpoint { name: keys.join("."), url, sends }, place));
                    }
                }
            }
        }
        for (kind, place) in found {
            self.push(Moment::Start, kind, place, None);
        }
        for (place, why) in dropped {
            self.reader.drop(place, why, DroppedScope::Entry, false);
        }
    }

    /// The shell, formatters, language servers, and texts that are fetched.
    fn read_programs(&mut self) {
        let mut found = Vec::new();
        if let Some((file, shell)) = self.files.iter().rev().find_map(|file| Some((file, file.root.get("shell")?))) {
            let command = self.substituted(file, shell.text().unwrap_or_default());
            found.push((
                Moment::Tool,
                RunKind::Helper { key: "shell".to_owned(), command },
                file.text.place(shell.span),
            ));
        }
        for (file, kind) in self.files.iter().flat_map(|file| ["formatter", "lsp"].map(|kind| (file, kind))) {
            for program in
                file.root.get(kind).map(JsonNode::effective).unwrap_or_default().into_iter().take(MAX_ENTRIES)
            {
                let is_off = program.value.get("disabled").and_then(JsonNode::bool) == Some(true);
                let Some(command) = program.value.get("command").filter(|_| !is_off) else { continue };
                let words = command.items().iter().filter_map(JsonNode::text);
                let words: Vec<String> = words.map(|word| self.substituted(file, word)).collect();
                let kind = RunKind::Helper { key: format!("{kind}.{}", program.key), command: words.join(" ") };
                found.push((Moment::Tool, kind, file.text.place(command.span)));
            }
        }
        for file in &self.files {
            for text in file.root.get("instructions").map(JsonNode::items).unwrap_or_default().iter().take(MAX_ENTRIES)
            {
                let url = text.text().unwrap_or_default();
                if url.starts_with("https://") || url.starts_with("http://") {
                    let kind = RunKind::Setting { key: "instructions".to_owned(), value: text.plain().to_string() };
                    found.push((Moment::Request, kind, file.text.place(text.span)));
                }
            }
        }
        for (moment, kind, place) in found {
            self.push(moment, kind, place, None);
        }
    }

    /// Instructions that name one file, where no folder from the start up to the root has it.
    fn drop_absent_instructions(&mut self) {
        let start = self.reader.out.start.clone();
        let top = self.root.clone().unwrap_or_else(|| start.clone());
        let walk = directories(&top, &start);
        let mut absent = Vec::new();
        for file in &self.files {
            let named = file.root.get("instructions").map(JsonNode::items).unwrap_or_default();
            for entry in named.iter().take(MAX_ENTRIES) {
                let name = entry.text().unwrap_or_default();
                if names_one_file(name)
                    && !walk.iter().any(|dir| self.reader.world.is_file(&dir.resolve(name.as_bytes())))
                {
                    absent.push((file.text.place(entry.span), name.to_owned()));
                }
            }
        }
        for (place, name) in absent {
            let why = "no folder from the start up to the root has this file";
            self.reader.drop(place, why, DroppedScope::Absent(name), false);
        }
    }
}

/// Whether an instruction is the path of one file of the project: no address, pattern, sentence or path of one machine, and no file that
/// everybody has for himself.
fn names_one_file(name: &str) -> bool {
    let is_plain = |c: char| !c.is_whitespace() && !"*?[]{}~:$".contains(c);
    let is_own = |name: &str| !name.starts_with('/') && !name.contains("local") && !name.contains("private");
    name.contains('.') && name.chars().all(is_plain) && is_own(name) && !name.ends_with('/')
}

/// What goes to the address of a provider: for one that the agent knows, what the user has for it, for another what the file
/// names.
fn sent_to(provider: &JsonMember) -> SentData {
    let key = provider.value.at(&["options", "apiKey"]).and_then(JsonNode::text);
    let variable = key.and_then(|key| key.strip_prefix("{env:")?.strip_suffix('}'));
    match (variable, key) {
        (Some(variable), _) => SentData::Variable(variable.to_owned()),
        (None, None) if PROVIDERS.contains(&provider.key.as_str()) => SentData::RequestsWithKey,
        _ => SentData::ChosenRequests,
    }
}

/// `text` with what `found` gives for each `OPEN…}`; what it does not know stays.
fn put_in(text: &str, open: &str, found: impl Fn(&str) -> Option<String>) -> String {
    let mut pieces = text.split(open);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for (count, piece) in pieces.enumerate() {
        let known = piece.split_once('}').filter(|(name, _)| !name.is_empty() && count < MAX_REFERENCES);
        let known = known.and_then(|(name, rest)| Some((found(name)?, rest)));
        match known {
            Some((value, rest)) => out.extend([value.as_str(), rest]),
            None => out.extend([open, piece]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_may_name_one_file() {
        for name in ["TEAM.md", "docs/rules.md", "./docs/rules.md"] {
            assert!(names_one_file(name), "{name}");
        }
        for name in [
            "docs/*.md",
            "https://x.y/z.md",
            "~/rules.md",
            "Read TEAM.md first",
            "docs/",
            "/etc/x.md",
            "docs/x.local.md",
            "notes",
        ] {
            assert!(!names_one_file(name), "{name}");
        }
    }

    #[test]
    fn references_are_put_in() {
        let name = |name: &str| (name == "A").then(|| "1".to_owned());
        assert_eq!(put_in("{env:A}-{env:B}-{env:A", "{env:", name), "1-{env:B}-{env:A");
    }
}
