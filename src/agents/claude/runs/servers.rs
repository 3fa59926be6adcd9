//! MCP servers of `.mcp.json`, of plugins and of agents' frontmatter: which Claude Code starts, and who is asked. Without a
//! terminal all servers of a repository start, trusted or not; a bad one is skipped without a word.

use super::plugins::MANIFEST;
use super::{ClaudeRuns, SettingsFile, SettingsOwner, references};
use crate::agents::shared::runs::names::misspelled;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::transports;
use crate::agents::shared::runs::{Approval, DropBasis, DroppedScope, Moment, RunKind, RunMode, SettingPlace};
use crate::env::Env;
use crate::parse::json::{JsonGrammar, JsonNode};
use std::collections::BTreeSet;

/// Names that the agent keeps for itself; those of a plugin's servers begin with the plugin's.
const RESERVED: [&str; 4] = ["claude-in-chrome", "claude_ai", "computer-use", "workspace"];

/// Keys under which other agents have a server's address.
const OTHER_ADDRESSES: [&str; 6] = ["baseUrl", "endpoint", "httpUrl", "serverUrl", "sseUrl", "uri"];

/// The lists of settings that name servers of `.mcp.json`, and what each does.
const SERVER_LISTS: [(&str, &str); 2] = [("enabledMcpjsonServers", "allows"), ("disabledMcpjsonServers", "stops")];

/// The root of an installed plugin.
const PLUGIN_ROOT: &str = "${CLAUDE_PLUGIN_ROOT}";

/// Where a server is asked for.
pub(super) struct ClaudeServerHost<'h> {
    pub(super) approval: Approval,
    /// When it starts.
    pub(super) moment: Moment,
    /// What must be started for it.
    pub(super) on_use_of: Option<&'h str>,
    /// Whether a plugin brings it.
    pub(super) is_of_plugin: bool,
}

impl ClaudeRuns<'_, '_> {
    /// The servers of the `.mcp.json` of the start directory and of those above it; of several with one name the nearest.
    pub(super) fn read_project_servers(&mut self) {
        let disabled = self.listed("disabledMcpjsonServers");
        let enabled = self.listed("enabledMcpjsonServers");
        let all = self.is_on("enableAllProjectMcpServers");
        let policy = self.server_policy();
        let (mut seen, mut loaded) = (BTreeSet::new(), BTreeSet::new());
        let directories: Vec<_> = self.reader.out.start.ancestors().collect();
        for directory in directories {
            let path = directory.join(".mcp.json");
            let Some(text) = SettingsText::read_as_utf8(self.reader.world, &path) else { continue };
            // A plugin's file may do without the key around its servers, and whoever installs the plugin gets them.
            let is_of_plugin = [MANIFEST, "plugin.json"]
                .iter()
                .any(|manifest| SettingsText::read(self.reader.world, &directory.join(manifest)).is_some());
            if is_of_plugin && text.json(JsonGrammar::STRICT).is_ok_and(|root| root.get("mcpServers").is_none()) {
                continue;
            }
            let Some(root) = self.servers_root(&text) else { continue };
            for server in root.effective().into_iter().take(MAX_ENTRIES) {
                let place = text.place(server.key_span);
                seen.insert(server.key.clone());
                if disabled.contains(&server.key) {
                    let why = "`disabledMcpjsonServers` names it";
                    self.drop(place, why, DroppedScope::Entry, true);
                    continue;
                }
                if let Some(why) = policy.refuses(&server.key, &server.value) {
                    self.drop(place, why, DroppedScope::Entry, false);
                    continue;
                }
                if loaded.contains(&server.key) {
                    let why = "a nearer .mcp.json has a server of this name";
                    self.drop(place, why, DroppedScope::Entry, false);
                    continue;
                }
                // One that does not load leaves the farther one in its place (run with 2.1.330).
                if defect(&server.value, self.reader.world.env()).is_none() {
                    loaded.insert(server.key.clone());
                }
                let approval = match self.reader.out.mode {
                    RunMode::Interactive if all || enabled.contains(&server.key) => Approval::Folder,
                    RunMode::Interactive => Approval::Item,
                    RunMode::Headless | RunMode::HeadlessUntrusted => Approval::Nobody,
                };
                if names_plugin_root(&server.value, self.reader.world.env()) {
                    self.drop_server_of_plugin(text.place(server.value.span), &server.key, is_of_plugin);
                    continue;
                }
                let host = ClaudeServerHost { approval, moment: Moment::Start, on_use_of: None, is_of_plugin: false };
                self.read_server(&text, &server.key, &server.value, &host);
            }
        }
        self.note_unknown_servers(&seen);
    }

    /// Put on record a project's server that is written as one of a plugin. Where the folder is a plugin, it starts for those who
    /// install that.
    fn drop_server_of_plugin(&mut self, place: SettingPlace, name: &str, is_of_plugin: bool) {
        let why = format!(
            "`{PLUGIN_ROOT}` is set for the servers of an installed plugin alone, and stays as it is written in those of a project"
        );
        match is_of_plugin {
            true => self.reader.drop_harmless(place, why, DroppedScope::Server, false),
            false => self.reader.drop_server(place, name, why, DroppedScope::Server),
        }
    }

    /// Put on record the names in the lists of servers of a project's settings that no `.mcp.json` has, where there is one.
    fn note_unknown_servers(&mut self, known: &BTreeSet<String>) {
        // The settings of the main checkout count in its folders, too, each with servers of its own.
        let here = |file: &&SettingsFile| file.text.path.dirname().dirname() == self.reader.out.start;
        let own = self.files.iter().filter(|file| file.owner != SettingsOwner::User && !known.is_empty());
        let own = own.filter(here);
        let lists = own.flat_map(|file| SERVER_LISTS.map(|(key, effect)| (file, file.root.get(key), effect)));
        let names = lists.flat_map(|(file, list, effect)| {
            list.map(JsonNode::items).unwrap_or_default().iter().map(move |name| (file, name, effect))
        });
        let unknown = names.filter(|(_, name, _)| name.text().is_some_and(|name| !known.contains(name)));
        let told = unknown.take(MAX_ENTRIES).map(|(file, name, effect)| (file.text.place(name.span), effect));
        for (place, effect) in told.collect::<Vec<_>>() {
            let why = format!("no server of .mcp.json has this name, so it {effect} nothing");
            self.reader.drop_documented(place, why, DroppedScope::Reference, DropBasis::Supposed);
        }
    }

    /// The object of servers in a file; `None` where there is none, which is said only by `claude mcp list`.
    pub(super) fn servers_root(&mut self, text: &SettingsText) -> Option<JsonNode> {
        if text.is_blank() {
            return None;
        }
        let (place, why) = match text.json(JsonGrammar::STRICT) {
            Ok(root) => match root.get("mcpServers") {
                Some(servers) if servers.members().iter().any(|server| server.key.contains(':')) => {
                    (text.place(servers.span), "a server's name must have no colon".to_owned())
                }
                Some(servers) if servers.is_object() => {
                    let why = "hooks belong in .claude/settings.json, not in a servers file";
                    self.drop_misplaced(text, &root, "hooks", why);
                    return Some(servers.clone());
                }
                Some(other) => (
                    text.place(other.span),
                    format!("`mcpServers` must be an object, not {}", other.type_with_article()),
                ),
                None if root.is_object() && root.members().is_empty() => return None,
                None => match misspelled(&root, &["mcpServers"], &[]).first() {
                    Some((member, right)) => {
                        (text.place(member.key_span), format!("`{}` must be called `{right}`", member.key))
                    }
                    None => (text.place(root.span), "there is no object `mcpServers`".to_owned()),
                },
            },
            Err(problem) => {
                (text.place_at(problem.at), format!("the file has {}, so it is not valid JSON", problem.kind.words()))
            }
        };
        let lost = text.lost_servers();
        self.drop(place, why, DroppedScope::File(lost), false);
        None
    }

    /// One server.
    pub(super) fn read_server(
        &mut self,
        text: &SettingsText,
        name: &str,
        server: &JsonNode,
        host: &ClaudeServerHost<'_>,
    ) {
        let is_reserved = !host.is_of_plugin && RESERVED.contains(&name);
        let command = match command(server, self.reader.world.env()) {
            _ if is_reserved => Err(format!("`{name}` is a name of Claude Code's own")),
            command => command,
        };
        let command = match command {
            Ok(command) => command,
            Err(why) => {
                return self.reader.drop_server(text.place(server.span), name, why, DroppedScope::Server);
            }
        };
        if let Some(switch) = server.member("disabled").filter(|switch| switch.value.bool() == Some(true)) {
            let why = match host.is_of_plugin {
                false => {
                    "the server starts anyway; list it in `disabledMcpjsonServers` of the settings to prevent that"
                }
                // That list does not stop it (run with 2.1.330).
                true => "the server starts anyway, for everybody who has the plugin; leave it out to prevent that",
            };
            self.drop(text.place(switch.key_span), why, DroppedScope::Key, false);
        }
        let (command, is_remote) = command;
        self.reader.drop_foreign_references(text, server);
        for (value, told) in references::unknown(server) {
            self.reader.drop_misspelled(text.place(value.span), told, DroppedScope::Reference, false);
        }
        let helper = server.get("headersHelper").filter(|_| is_remote && self.reader.is_trusted());
        if let Some((helper, command)) = helper.and_then(|helper| Some((helper, helper.text()?))) {
            let kind = RunKind::Helper { key: "headersHelper".to_owned(), command: command.to_owned() };
            let on_use_of = host.on_use_of.map(str::to_owned);
            self.push_with(host.moment, kind, text.place(helper.span), host.approval, on_use_of);
        }
        let given = transports::given(server, is_remote, "env", &["headers"]);
        let kind = RunKind::Server { name: name.to_owned(), command, is_remote, directory: None, given };
        let on_use_of = host.on_use_of.map(str::to_owned);
        self.push_with(host.moment, kind, text.place(server.span), host.approval, on_use_of);
    }

    /// The strings of a list in all files. One string alone is a list of one.
    fn listed(&self, key: &str) -> BTreeSet<String> {
        let lists = self.files.iter().filter_map(|file| file.root.get(key));
        let items = lists.flat_map(|list| list.items().iter().chain(std::iter::once(list)));
        items.filter_map(JsonNode::text).map(str::to_owned).collect()
    }

    /// Which servers `deniedMcpServers` and `allowedMcpServers` keep from starting. The lists of all files count together.
    fn server_policy(&self) -> ServerPolicy {
        let lists = |key: &'static str| {
            self.files.iter().filter_map(move |file| file.root.get(key)).filter(|list| list.is_array())
        };
        let (mut policy, is_limited) = (ServerPolicy::default(), lists("allowedMcpServers").next().is_some());
        policy.denied.extend(lists("deniedMcpServers"));
        if is_limited {
            let mut allowed = ListedServers::default();
            allowed.extend(lists("allowedMcpServers"));
            policy.allowed = Some(allowed);
        }
        policy
    }
}

/// Servers by name, and programs with their arguments.
#[derive(Default)]
struct ListedServers {
    names: BTreeSet<String>,
    commands: BTreeSet<Vec<String>>,
}

impl ListedServers {
    fn extend<'n>(&mut self, lists: impl Iterator<Item = &'n JsonNode>) {
        for entry in lists.flat_map(JsonNode::items).take(MAX_ENTRIES) {
            self.names.extend(entry.get("serverName").and_then(JsonNode::text).map(str::to_owned));
            let words = entry.get("serverCommand").map(JsonNode::items).unwrap_or_default();
            let words: Vec<String> = words.iter().filter_map(JsonNode::text).map(str::to_owned).collect();
            self.commands.extend((!words.is_empty()).then_some(words));
        }
    }
}

#[derive(Default)]
struct ServerPolicy {
    denied: ListedServers,
    /// All others are refused, where there is such a list.
    allowed: Option<ListedServers>,
}

impl ServerPolicy {
    /// Why a server does not start.
    fn refuses(&self, name: &str, server: &JsonNode) -> Option<&'static str> {
        let arguments = server.get("args").map(JsonNode::items).unwrap_or_default();
        let command = server.get("command").into_iter().chain(arguments).filter_map(JsonNode::text);
        let command: Vec<String> = command.map(str::to_owned).collect();
        if self.denied.names.contains(name) || self.denied.commands.contains(&command) {
            return Some("`deniedMcpServers` refuses it");
        }
        let allowed = self.allowed.as_ref()?;
        // Where commands are listed, a name is not enough for a program.
        let by_command = !command.is_empty() && !allowed.commands.is_empty();
        let is_allowed = if by_command { allowed.commands.contains(&command) } else { allowed.names.contains(name) };
        (!is_allowed).then_some("`allowedMcpServers` does not name it")
    }
}

/// Whether a server that is not a plugin's is started by a path below the root of a plugin: `$` and the name stay in it (vectors).
fn names_plugin_root(server: &JsonNode, env: &Env) -> bool {
    command(server, env)
        .is_ok_and(|(words, is_remote)| !is_remote && words.iter().any(|word| word.contains(PLUGIN_ROOT)))
}

/// What is wrong with a server but for its name.
pub(super) fn defect(server: &JsonNode, env: &Env) -> Option<String> {
    command(server, env).err()
}

/// The program with its arguments or the URL, and whether it is the latter; or why the server is skipped.
fn command(server: &JsonNode, env: &Env) -> Result<(Vec<String>, bool), String> {
    if !server.is_object() {
        return Err(format!("a server must be an object, not {}", server.type_with_article()));
    }
    let is_whole = |number: f64| number > 0.0 && number.fract() == 0.0;
    if server.get("timeout").is_some_and(|value| !value.number().is_some_and(is_whole)) {
        return Err("`timeout` must be a whole number above 0".to_owned());
    }
    if server.get("alwaysLoad").is_some_and(|value| value.bool().is_none()) {
        return Err("`alwaysLoad` must be a boolean".to_owned());
    }
    let kind = server.get("type").map_or(Some("stdio"), JsonNode::text);
    match kind {
        Some("stdio") => program(server, env).map(|command| (command, false)),
        Some("http" | "streamable-http" | "sse" | "ws") => {
            let url = server.get("url").and_then(JsonNode::text);
            let other = OTHER_ADDRESSES.iter().find(|key| server.get(key).and_then(JsonNode::text).is_some());
            let url = url.ok_or_else(|| match other {
                Some(key) => format!("it reads no `{key}`: the address stands in `url`"),
                None => "the server has no `url`".to_owned(),
            })?;
            Ok((vec![expanded(url, env)], true))
        }
        _ => Err("`type` must be stdio, http or sse".to_owned()),
    }
}

fn program(server: &JsonNode, env: &Env) -> Result<Vec<String>, String> {
    let Some(program) = server.get("command") else {
        let other = OTHER_ADDRESSES.iter().find(|key| server.get(key).and_then(JsonNode::text).is_some());
        return Err(match (server.get("url"), other) {
            (Some(_), _) => "a server with `url` needs `type`".to_owned(),
            (None, Some(key)) => format!("it reads no `{key}`: the address stands in `url`, beside a `type`"),
            (None, None) => "the server has no `command`".to_owned(),
        });
    };
    let Some(program) = program.text() else {
        return Err(format!("`command` must be a string, not {}", program.type_with_article()));
    };
    let mut out = vec![expanded(program, env)];
    if let Some(arguments) = server.get("args") {
        let items = arguments.items();
        if !arguments.is_array() || items.iter().any(|item| item.text().is_none()) {
            return Err("`args` must be a list of strings".to_owned());
        }
        out.extend(items.iter().filter_map(JsonNode::text).map(|item| expanded(item, env)));
    }
    if let Some(variables) = server.get("env") {
        let is_text = variables.members().iter().all(|member| member.value.text().is_some());
        if !variables.is_object() || !is_text {
            return Err("`env` must be an object of strings".to_owned());
        }
    }
    Ok(out)
}

/// `text` with `${NAME}` and `${NAME:-DEFAULT}` replaced by what they stand for in `env`. What is not set and has no default
/// stays, and so does `$NAME`.
fn expanded(text: &str, env: &Env) -> String {
    let mut pieces = text.split("${");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let Some((inner, rest)) = piece.split_once('}') else {
            out.extend(["${", piece]);
            continue;
        };
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        match env.get(name).or(default) {
            Some(value) => out.extend([value, rest]),
            None => out.extend(["${", piece]),
        }
    }
    out
}
