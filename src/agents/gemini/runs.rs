//! What Gemini CLI runs, connects to and obeys because of a repository's `.gemini/settings.json` and `.env`: hooks, servers,
//! variables, commands and what lets tools run without a question. Observed on 0.61.0 in November 2026, run by run, and read in its
//! package. A repository's policies are not read, and extensions once they are installed (documentation).

mod commands;
mod crash;
mod dead_keys;
pub(super) mod hook_table;

use super::extensions;
use crate::agents::shared::runs::documented;
use crate::agents::shared::runs::dotenv;
use crate::agents::shared::runs::nested_hooks::{self, HookPlace};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::transports::{self, is_given};
use crate::agents::shared::runs::variables;
use crate::agents::shared::runs::{
    Approval, DroppedScope, Moment, PermissionList, RunKind, RunMode, RunReader, SentData,
};
use crate::parse::json::{JsonGrammar, JsonNode, JsonValue};
use crate::world::AbsPath;
use hook_table::HOOKS;
use std::collections::{BTreeMap, BTreeSet};

/// Where requests to the model go, and the user's key with them.
const ENDPOINTS: [&str; 3] = ["CODE_ASSIST_ENDPOINT", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"];
/// What a `.env` file may set in an untrusted folder.
const UNTRUSTED: [&str; 4] = ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_LOCATION", "GOOGLE_CLOUD_PROJECT"];
/// What a project's `.env` file never sets, where no setting says otherwise.
const EXCLUDED: [&str; 4] =
    ["DEBUG", "DEBUG_MODE", "GEMINI_CLI_IDE_SERVER_STDIO_ARGS", "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND"];
/// Variables that every process has.
const ALWAYS_SET: [&str; 3] = ["HOME", "PATH", "PWD"];
/// A settings file in effect.
struct GeminiRunSettings {
    text: SettingsText,
    root: JsonNode,
    approval: Approval,
}

/// The account of one start.
struct GeminiRuns<'r, 'w> {
    reader: &'r mut RunReader<'w>,
    /// The user's file, then the project's.
    files: Vec<GeminiRunSettings>,
    /// Whether the folder counts as trusted, and whose approval that is.
    trust: Option<Approval>,
}

pub(super) fn read(reader: &mut RunReader<'_>) {
    if reader.options.is_bundle {
        let root = reader.out.start.clone();
        return extensions::read(reader, &root);
    }
    for root in documented::given_bundles(reader, "extensionDirs") {
        extensions::read(reader, &root);
    }
    let mut runs = GeminiRuns { reader, files: Vec::new(), trust: None };
    if runs.read_settings() {
        runs.read_dotenv();
        runs.read_hooks();
        runs.read_servers();
        runs.read_tools();
        runs.read_commands();
        runs.drop_dead_settings();
    }
}

/// What `tools.core` refuses.
const OTHER_TOOLS: &str = "each tool that `tools.core` does not list";
/// Names of tools' classes, which hide a tool in `tools.exclude` and mean nothing in `tools.core`, with the names that count there.
const CLASSES: [(&str, &str); 8] = [
    ("EditTool", "replace"),
    ("GlobTool", "glob"),
    ("LSTool", "list_directory"),
    ("ReadFileTool", "read_file"),
    ("ReadManyFilesTool", "read_many_files"),
    ("WebFetchTool", "web_fetch"),
    ("WebSearchTool", "google_web_search"),
    ("WriteFileTool", "write_file"),
];

impl GeminiRuns<'_, '_> {
    /// Whose approval makes the folder count as trusted; `None` where it does not.
    fn trust(&self, user: Option<&JsonNode>) -> Option<Approval> {
        let is = |name: &str, value: &str| self.reader.world.env().get(name) == Some(value);
        if is("GEMINI_RESTRICTED_MODE", "true") || is("GEMINI_CLI_TRUST_WORKSPACE", "false") {
            return None;
        }
        let is_off = user.and_then(|root| root.at(&["security", "folderTrust", "enabled"])).and_then(JsonNode::bool);
        if is("GEMINI_CLI_TRUST_WORKSPACE", "true") || is_off == Some(false) {
            return Some(Approval::Nobody);
        }
        self.reader.is_trusted().then_some(Approval::Folder)
    }

    /// Read the settings of the user and the project; `false` where the agent does not start.
    fn read_settings(&mut self) -> bool {
        let world = self.reader.world;
        let start = self.reader.out.start.clone();
        let home = world.env().home().map(AbsPath::new);
        let path = |folder: &AbsPath| folder.join(".gemini/settings.json");
        let user = home.as_ref().filter(|_| self.reader.options.user);
        let user = user.and_then(|home| SettingsText::read_with_mark(world, &path(home)));
        // A broken file of the user's is no matter of the repository.
        let user = user.and_then(|text| Some((text.json(JsonGrammar::COMMENTED).ok()?, text)));
        self.trust = self.trust(user.as_ref().map(|(root, _)| root));
        self.files.extend(user.map(|(root, text)| GeminiRunSettings { text, root, approval: Approval::Nobody }));
        let project = Some(&start).filter(|start| home.as_ref() != Some(*start));
        let Some(text) = project.and_then(|start| SettingsText::read_with_mark(world, &path(start))) else {
            return self.trust.is_some() || self.starts_untrusted();
        };
        let problem = match text.json(JsonGrammar::COMMENTED) {
            Ok(root) if root.is_object() => match (self.trust, crash::crash(&root)) {
                (Some(_), Some((node, why))) => (text.place(node.span), why),
                (Some(approval), None) => {
                    self.files.push(GeminiRunSettings { text, root, approval });
                    return true;
                }
                (None, _) => return self.read_untrusted(&text, &root),
            },
            Ok(root) => {
                (text.place(root.span), format!("the file must hold a JSON object, not {}", root.type_with_article()))
            }
            Err(problem) => (text.place_at(problem.at), format!("the file has {}", problem.kind.words())),
        };
        self.reader.drop(problem.0, problem.1, DroppedScope::Agent, true);
        false
    }

    /// Whether the agent starts in a folder that nobody has trusted: with a terminal, or where the caller says so (`--skip-trust`,
    /// here `--agent-option gemini.skipTrust=true`).
    fn starts_untrusted(&self) -> bool {
        let skips = self.reader.option("skipTrust").and_then(serde_json::Value::as_bool) == Some(true);
        skips || self.reader.out.mode == RunMode::Interactive
    }

    /// A project's settings in an untrusted folder.
    fn read_untrusted(&mut self, text: &SettingsText, root: &JsonNode) -> bool {
        let starts = self.starts_untrusted();
        let scope = if starts { DroppedScope::File(text.lost()) } else { DroppedScope::Agent };
        self.reader.drop(text.place(root.span), "the folder is not trusted", scope, !starts);
        starts
    }

    /// The value that the most decisive file gives to a key.
    fn setting(&self, path: &[&str]) -> Option<(&GeminiRunSettings, &JsonNode)> {
        self.files.iter().rev().find_map(|file| file.root.at(path).map(|value| (file, value)))
    }

    /// The strings of a list in all files.
    fn listed(&self, path: &[&str]) -> BTreeSet<String> {
        let lists = self.files.iter().filter_map(|file| file.root.at(path));
        lists.flat_map(JsonNode::items).filter_map(JsonNode::text).map(str::to_owned).collect()
    }

    fn read_hooks(&mut self) {
        if self
            .setting(&["hooksConfig", "enabled"])
            .is_some_and(|(_, value)| !is_given(value) && value.value != JsonValue::Null)
        {
            return;
        }
        let disabled = self.listed(&["hooksConfig", "disabled"]);
        for file in &self.files {
            let Some(hooks) = file.root.get("hooks") else { continue };
            // Of a folder that is not trusted no hook runs, not even the user's.
            if self.trust.is_some() {
                let place = HookPlace { text: &file.text, approval: file.approval, disabled: &disabled };
                nested_hooks::read(self.reader, hooks, &HOOKS, &place);
            }
        }
    }

    fn read_servers(&mut self) {
        if self.trust.is_none() {
            return;
        }
        let (allowed, excluded) = (self.listed(&["mcp", "allowed"]), self.listed(&["mcp", "excluded"]));
        let mut seen = BTreeSet::new();
        for file in self.files.iter().rev() {
            let servers = file.root.get("mcpServers").map(JsonNode::effective).unwrap_or_default();
            for server in servers.into_iter().take(MAX_ENTRIES) {
                let place = file.text.place(server.value.span);
                let is_kept_out =
                    excluded.contains(&server.key) || !(allowed.is_empty() || allowed.contains(&server.key));
                let why = if !seen.insert(server.key.as_str()) {
                    Err("a file of higher precedence has a server of this name".to_owned())
                } else if is_kept_out {
                    Err("`mcp.allowed` or `mcp.excluded` keeps it out".to_owned())
                } else {
                    transports::command(&server.value, self.reader.world.env(), true)
                };
                match why {
                    Ok((command, is_remote)) => {
                        let directory = transports::directory(&server.value, is_remote).map(str::to_owned);
                        let given = transports::given(&server.value, is_remote, "env", &["headers"]);
                        let kind = RunKind::Server { name: server.key.clone(), command, is_remote, directory, given };
                        self.reader.push(Moment::Start, kind, place.clone(), file.approval);
                        if let Some(trust) = server.value.get("trust").filter(|trust| is_given(trust)) {
                            let key = format!("mcpServers.{}.trust", server.key);
                            let kind = RunKind::Setting { key, value: trust.plain().to_string() };
                            self.reader.push(Moment::Start, kind, file.text.place(trust.span), file.approval);
                        }
                    }
                    Err(why) => self.reader.drop(place, why, DroppedScope::Entry, false),
                }
            }
        }
    }

    /// Commands that find and call tools, and what lets tools run.
    fn read_tools(&mut self) {
        let mut found = Vec::new();
        let helpers = [
            (["tools", "discoveryCommand"], Moment::Start),
            (["mcp", "serverCommand"], Moment::Start),
            (["tools", "callCommand"], Moment::Tool),
        ];
        for (path, moment) in helpers {
            if let Some((file, value)) = self.setting(&path)
                && let Some(command) = value.text().filter(|command| !command.is_empty())
            {
                let command = variables::resolved(command, self.reader.world.env(), true);
                let kind = RunKind::Helper { key: path.join("."), command };
                found.push((moment, kind, file.text.place(value.span), file.approval));
            }
        }
        let settings: [&[&str]; 5] = [
            &["general", "defaultApprovalMode"],
            &["tools", "sandbox"],
            &["telemetry", "otlpEndpoint"],
            &["telemetry", "outfile"],
            &["context", "includeDirectories"],
        ];
        for path in settings {
            if let Some((file, value)) = self.setting(path) {
                let kind = RunKind::Setting { key: path.join("."), value: value.plain().to_string() };
                found.push((Moment::Start, kind, file.text.place(value.span), file.approval));
            }
        }
        let lists = [
            ("allowed", PermissionList::Allow),
            ("confirmationRequired", PermissionList::Ask),
            ("exclude", PermissionList::Deny),
        ];
        for (file, (key, list)) in self.files.iter().flat_map(|file| lists.map(|list| (file, list))) {
            let rules = file.root.at(&["tools", key]).map(JsonNode::items).unwrap_or_default();
            for rule in rules.iter().take(MAX_ENTRIES) {
                let kind = rule.text().map(|text| RunKind::Permission { list, rule: text.to_owned() });
                found.extend(kind.map(|kind| (Moment::Start, kind, file.text.place(rule.span), file.approval)));
            }
        }
        for (moment, kind, place, approval) in found {
            self.reader.push(moment, kind, place, approval);
        }
        self.read_core_tools();
    }

    /// The list `tools.core`: what it names is used without a question, and no other tool is there (run with `-p`, and read in the
    /// package of 0.61.0).
    fn read_core_tools(&mut self) {
        let Some((file, list)) = self.setting(&["tools", "core"]).filter(|(_, list)| list.is_array()) else { return };
        let (mut found, mut dead) = (Vec::new(), Vec::new());
        let entries = list.items().iter().take(MAX_ENTRIES);
        for (entry, rule) in entries.filter_map(|entry| Some((entry, entry.text()?))) {
            let place = file.text.place(entry.span);
            match CLASSES.iter().find(|(class, _)| *class == rule) {
                Some((class, name)) => {
                    let why = format!("the tool {class} is called `{name}` in `tools.core`");
                    dead.push((place, (why, Some((*name).to_owned()))));
                }
                None => found.push((PermissionList::Allow, rule.to_owned(), place)),
            }
        }
        found.push((PermissionList::Deny, OTHER_TOOLS.to_owned(), file.text.place(list.span)));
        let approval = file.approval;
        for (list, rule, place) in found {
            self.reader.push(Moment::Start, RunKind::Permission { list, rule }, place, approval);
        }
        for (place, what) in dead {
            self.reader.drop_misspelled(place, what, DroppedScope::Rule, false);
        }
    }

    /// The first `.env` file from the start upwards; what the environment has already stays.
    fn read_dotenv(&mut self) {
        let world = self.reader.world;
        let is_trusted = self.trust.is_some();
        let names: &[&str] = if is_trusted { &[".gemini/.env", ".env"] } else { &[".env"] };
        let ignores = self.setting(&["advanced", "ignoreLocalEnv"]).is_some_and(|(_, value)| is_given(value));
        let start = self.reader.out.start.clone();
        let paths = start.ancestors().flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        let mut paths = paths.filter(|path| !ignores || path.dirname().file_name() == b".gemini");
        let Some(text) = paths.find_map(|path| SettingsText::read_with_mark(world, &path)) else { return };
        let is_own = text.path.dirname().file_name() == b".gemini";
        let given = self.listed(&["advanced", "excludedEnvVars"]);
        let excluded: BTreeSet<&str> = match given.is_empty() {
            true => EXCLUDED.into(),
            false => given.iter().map(String::as_str).chain(["DEBUG", "DEBUG_MODE"]).collect(),
        };
        let entries = dotenv::parse(&text.text);
        let last: BTreeMap<&str, usize> =
            entries.iter().enumerate().map(|(at, entry)| (entry.name.as_str(), at)).collect();
        for (at, entry) in entries.iter().enumerate() {
            let name = entry.name.as_str();
            let why = if last.get(name) != Some(&at) {
                "a later line overrides it"
            } else if !is_trusted && !UNTRUSTED.contains(&name) {
                "the folder is not trusted"
            } else if !is_own && excluded.contains(name) {
                "a project's .env file cannot set it"
            } else if ALWAYS_SET.contains(&name) || world.env().get(name).is_some() {
                "the environment has it already"
            } else {
                let (name, value) = (entry.name.clone(), entry.value.clone());
                let kind = match ENDPOINTS.contains(&name.as_str()) {
                    true => RunKind::Endpoint { name, url: value, sends: SentData::RequestsWithKey },
                    false => RunKind::Variable { name, value },
                };
                let approval = self.trust.unwrap_or(Approval::Nobody);
                self.reader.push(Moment::Start, kind, text.place(entry.span), approval);
                continue;
            };
            self.reader.drop(text.place(entry.span), why, DroppedScope::Entry, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::gemini::GEMINI;
    use crate::agents::shared::runs::{self, RunOptions};
    use crate::world::{MemoryFiles, RepoWorld};

    /// The items and the scopes of what is dropped for one file.
    fn run(path: &str, text: &str, mode: RunMode) -> (usize, Vec<DroppedScope>) {
        let world = RepoWorld::new(MemoryFiles::new().file(path, text));
        let runs = runs::load(&world, &GEMINI, world.root(), mode, &RunOptions::default()).expect("it is known");
        (runs.items.len(), runs.dropped.into_iter().map(|dropped| dropped.what).collect())
    }

    #[test]
    fn defects_stop_the_agent_where_they_do() {
        let file = ".gemini/settings.json";
        let hooks = r#"{"hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "a"}]}]}}"#;
        assert_eq!(run(file, hooks, RunMode::Headless), (1, Vec::new()));
        assert_eq!(run(file, hooks, RunMode::HeadlessUntrusted), (0, vec![DroppedScope::Agent]));
        for broken in ["", "\u{feff}{}", "[]", "{\"a\": 1,}", r#"{"mcpServers": {"a": null}}"#] {
            assert_eq!(run(file, broken, RunMode::Interactive), (0, vec![DroppedScope::Agent]), "{broken}");
        }
        for wrong in [
            r#"{"mcp": {"excluded": {}}}"#,
            r#"{"tools": {"discoveryCommand": 5}}"#,
            r#"{"ui": {"theme": 5}}"#,
            r#"{"tools": {"approvalMode": "auto-edit"}}"#,
            r#"{"hooksConfig": null}"#,
            r#"{"tools": {"allowed": [5]}}"#,
        ] {
            assert_eq!(run(file, wrong, RunMode::Headless), (0, vec![DroppedScope::Agent]), "{wrong}");
        }
        assert_eq!(run(file, r#"{"mcp": {"allowed": "a"}, "ui": {"theme": ""}}"#, RunMode::Headless), (0, Vec::new()));
        assert_eq!(run(file, "// c\n{}", RunMode::Headless), (0, Vec::new()));
        assert_eq!(run(".env", "A=1", RunMode::Headless), (1, Vec::new()));
        assert_eq!(run(".env", "A=1", RunMode::HeadlessUntrusted), (0, Vec::new()));
        // Each listed tool is free, and each other one refused.
        let core =
            r#"{"tools": {"core": ["glob", "run_shell_command(git)", "LSTool"], "confirmationRequired": ["glob"]}}"#;
        assert_eq!(run(file, core, RunMode::Headless), (4, vec![DroppedScope::Rule]));
        assert_eq!(run(file, r#"{"coreTools": ["glob"]}"#, RunMode::Headless), (0, vec![DroppedScope::Key]));
        // A matcher that is no string stops all hooks of its event, and no other.
        let matcher = r#"{"hooks": {"BeforeTool": [{"matcher": 5, "hooks": []}, {"hooks": [{"type": "command", "command": "a"}]}],
            "SessionEnd": [{"hooks": [{"type": "command", "command": "b"}]}]}}"#;
        assert_eq!(run(file, matcher, RunMode::Headless), (1, vec![DroppedScope::Hook]));
    }
}
