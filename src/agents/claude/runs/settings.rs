//! Which settings files Claude Code takes and which it drops whole, and the programs that settings name. A file with one wrong
//! type among the keys that it knows is dropped with all its deny rules; unknown keys are ignored without a word.

use super::hooks::{self, EVENTS, GUARD_EVENTS};
use super::{ClaudeRuns, SettingsFile, SettingsOwner, types};
use crate::agents::claude::settings::local_files;
use crate::agents::shared::runs::reading::SettingsText;
use crate::agents::shared::runs::{DroppedScope, LostSettings, Moment, RunKind, RunMode, SettingPlace};
use crate::base::text::{Span, spelling_core};
use crate::parse::json::{JsonGrammar, JsonMember, JsonNode, JsonProblemKind, JsonValue};
use crate::world::AbsPath;

impl ClaudeRuns<'_, '_> {
    /// Read the settings of the user, the project and the person, and keep those that take effect.
    pub(super) fn read_settings(&mut self) {
        let env = self.reader.world.env();
        let home = env.or_in_home("CLAUDE_CONFIG_DIR", ".claude").map(AbsPath::new);
        let project = self.reader.out.start.join(".claude");
        let user = home.filter(|_| self.reader.options.user).map(|home| home.join("settings.json"));
        let mut files: Vec<(AbsPath, SettingsOwner)> =
            user.map(|path| (path, SettingsOwner::User)).into_iter().collect();
        files.push((project.join("settings.json"), SettingsOwner::Project));
        let local = local_files(self.reader.world, &self.reader.out.start);
        files.extend(local.into_iter().map(|path| (path, SettingsOwner::Local)));
        for (path, owner) in files {
            let Some(text) = SettingsText::read(self.reader.world, &path) else { continue };
            if let Some(root) = self.taken(&text) {
                if owner != SettingsOwner::User {
                    let why = "servers belong in .mcp.json, not in settings";
                    self.drop_misplaced(&text, &root, "mcpServers", why);
                    self.drop_dead_keys(&text, &root);
                }
                self.files.push(SettingsFile { text, root, owner });
            }
        }
        self.without_hooks = self.is_on("disableAllHooks");
    }

    /// The file's object; `None` for one that is empty or dropped.
    fn taken(&mut self, text: &SettingsText) -> Option<JsonNode> {
        let (place, why) = match accepted(text) {
            Ok(root) => return root,
            Err(refusal) => refusal,
        };
        // Servers in settings are not read.
        let lost = LostSettings { servers: 0, ..text.lost() };
        self.drop(place, why, DroppedScope::File(lost), true);
        None
    }

    /// The programs that settings name.
    pub(super) fn read_helpers(&mut self) {
        if let Some((file, value)) = self.setting("apiKeyHelper") {
            let command = value.text().unwrap_or_default().to_owned();
            let place = file.text.place(value.span);
            self.push(Moment::Request, RunKind::Helper { key: "apiKeyHelper".to_owned(), command }, place);
        }
        // Only a terminal has a status line.
        let status = self.setting("statusLine").filter(|_| self.reader.out.mode == RunMode::Interactive);
        let command = status.and_then(|(file, value)| Some((file, value.get("command")?)));
        if let Some((file, command)) = command {
            let place = file.text.place(command.span);
            let command = command.text().unwrap_or_default().to_owned();
            self.push(Moment::Start, RunKind::Helper { key: "statusLine".to_owned(), command }, place);
        }
    }
}

/// The object of a settings file; `None` for an empty one.
///
/// # Errors
/// Where the whole file is dropped: because of what stands where.
pub(in crate::agents::claude) fn accepted(text: &SettingsText) -> Result<Option<JsonNode>, (SettingPlace, String)> {
    if text.is_blank() {
        return Ok(None);
    }
    match text.json(JsonGrammar::STRICT) {
        Ok(root) if root.is_object() => match problem(&root) {
            None => Ok(Some(root)),
            Some((span, why)) => Err((text.place(span), why)),
        },
        Ok(root) => {
            let why = format!("the file must hold a JSON object, not {}", root.type_with_article());
            Err((text.place(root.span), why))
        }
        Err(problem) => Err((text.place_at(problem.at), malformed(problem.kind))),
    }
}

/// Why a text is no settings file, in words.
fn malformed(kind: JsonProblemKind) -> String {
    format!("the file has {}, so it is not valid JSON", kind.words())
}

/// The first defect because of which the whole file is dropped.
fn problem(root: &JsonNode) -> Option<(Span, String)> {
    if let Some(problem) = types::problem(root) {
        return Some(problem);
    }
    if let Some(span) = misplaced_guard(root) {
        return Some((span, "a PreToolUse or PermissionRequest hook stands outside `hooks`".to_owned()));
    }
    hooks::guard_problem(root.get("hooks")?)
}

/// Keys with names of the user's own below them, which are no events.
const NAMED: [&str; 6] =
    ["enabledPlugins", "env", "extraKnownMarketplaces", "mcpServers", "pluginConfigs", "skillOverrides"];
/// So deep the agent looks for guards.
const MAX_GUARD_DEPTH: usize = 5;

/// A guard in the wrong place, which might protect the rest of the file. Its name may be written in another case, or go on.
fn misplaced_guard(root: &JsonNode) -> Option<Span> {
    let others = root.members().iter().filter(|member| !NAMED.contains(&member.key.as_str()) && member.key != "hooks");
    let events = root.get("hooks").map(JsonNode::members).unwrap_or_default();
    let unknown = events.iter().filter(|event| EVENTS.iter().all(|(name, _)| *name != event.key));
    let mut others = others.filter_map(|member| guard_in(member, 1));
    others.next().or_else(|| unknown.into_iter().find_map(|event| guard_below(&event.value, 3)))
}

fn guard_in(member: &JsonMember, depth: usize) -> Option<Span> {
    let letters = spelling_core(&member.key);
    let is_guard = GUARD_EVENTS.iter().any(|event| letters.starts_with(&event.to_ascii_lowercase()));
    let is_empty =
        member.value.value == JsonValue::Null || (member.value.is_array() && member.value.items().is_empty());
    if is_guard && !is_empty {
        return Some(member.key_span);
    }
    guard_below(&member.value, depth + 1)
}

fn guard_below(node: &JsonNode, depth: usize) -> Option<Span> {
    if depth > MAX_GUARD_DEPTH {
        return None;
    }
    let inner = node.members().iter().find_map(|member| guard_in(member, depth));
    inner.or_else(|| node.items().iter().find_map(|item| guard_below(item, depth + 1)))
}
