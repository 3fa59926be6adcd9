//! What GitHub Copilot CLI runs and connects to because of a repository's files: `.github/hooks/**/*.json`, the hooks in
//! `.github/copilot/settings.json` and `.claude/settings.json` and their local twins, `.mcp.json` or `.github/mcp.json`, and
//! servers and hooks in the frontmatter of custom agents. Observed on 1.0.102 in November 2026, run by run; what no run shows
//! is from its documentation (<https://docs.github.com/en/copilot/reference/hooks-reference>) and its changelog.

mod agents;
mod hooks;
mod http_hooks;
mod plugins;
mod servers;
mod valid_hooks;

use crate::agents::RootMark;
use crate::agents::shared::roots::{directories, find_root};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::{Approval, DroppedScope, RunMode, RunReader};
use crate::parse::json::{JsonGrammar, JsonNode};
use crate::world::{AbsPath, FileType};

/// Settings files of a repository that may hold hooks, and whether the user hears of it where one cannot be read.
const SETTINGS: [(&str, bool); 4] = [
    (".github/copilot/settings.json", false),
    (".github/copilot/settings.local.json", false),
    (".claude/settings.json", true),
    (".claude/settings.local.json", true),
];
/// How deep folders of hooks may nest.
const MAX_DEPTH: usize = 8;

/// The account of one start.
struct CopilotRuns<'r, 'w> {
    reader: &'r mut RunReader<'w>,
    /// The repository's root, or the start directory where there is none.
    root: AbsPath,
    /// The user's own folder, where it counts.
    home: Option<AbsPath>,
    /// How many matchers were tried.
    matchers: usize,
}

/// A file that may hold hooks.
struct HookSource {
    text: SettingsText,
    root: JsonNode,
    approval: Approval,
    /// A file of settings holds other keys, too, and its switch is for all files.
    is_settings: bool,
}

pub(super) fn read(reader: &mut RunReader<'_>) {
    let start = reader.out.start.clone();
    let root = find_root(reader.world, &start, RootMark::GitChecked).unwrap_or(start);
    let home = reader.world.env().or_in_home("COPILOT_HOME", ".copilot").map(AbsPath::new);
    let home = home.filter(|_| reader.options.user);
    let mut runs = CopilotRuns { reader, root, home, matchers: 0 };
    if runs.reader.options.is_bundle {
        return runs.read_plugin(&runs.reader.out.start.clone());
    }
    runs.read_hooks();
    runs.read_servers();
    runs.read_agents();
    runs.read_given_plugins();
}

impl CopilotRuns<'_, '_> {
    /// Whose approval a repository's files need; `None` where they have no effect. Without a terminal they act in trusted folders,
    /// and where the environment variable `switch` says so.
    fn approval(&self, switch: &str) -> Option<Approval> {
        let env = self.reader.world.env();
        let is_on = |name: &str| env.get(name) == Some("true");
        match self.reader.out.mode {
            RunMode::Interactive | RunMode::Headless => Some(Approval::Folder),
            RunMode::HeadlessUntrusted => (is_on(switch) || is_on("COPILOT_ALLOW_ALL")).then_some(Approval::Nobody),
        }
    }

    /// The directories from the start up to the root.
    fn directories(&self) -> Vec<AbsPath> {
        let mut found = directories(&self.root, &self.reader.out.start);
        found.reverse();
        found
    }

    /// All hooks: the user's, then the repository's. All of one event run.
    fn read_hooks(&mut self) {
        let mut sources = Vec::new();
        if let Some(home) = self.home.clone() {
            self.read_hook_folder(&home.join("hooks"), Approval::Nobody, &mut sources);
            self.read_settings(&home.join("settings.json"), true, Approval::Nobody, &mut sources);
        }
        if let Some(approval) = self.approval("GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS") {
            let root = self.root.clone();
            self.read_hook_folder(&root.join(".github/hooks"), approval, &mut sources);
            for (path, is_said) in SETTINGS {
                self.read_settings(&root.join(path), is_said, approval, &mut sources);
            }
        }
        let is_off = |source: &HookSource| source.root.get("disableAllHooks").and_then(JsonNode::bool) == Some(true);
        let all_off = sources.iter().any(|source| source.is_settings && is_off(source));
        for source in sources {
            let is_on = !all_off && !is_off(&source);
            if let Some(hooks) = source.root.get("hooks").filter(|_| is_on) {
                self.read_events(&source.text, hooks, source.approval, None);
            }
        }
    }

    /// The hook files below `folder`, in bytewise order.
    fn read_hook_folder(&mut self, folder: &AbsPath, approval: Approval, sources: &mut Vec<HookSource>) {
        let (mut found, mut waiting) = (Vec::new(), vec![(folder.clone(), 0)]);
        while let Some((folder, depth)) = waiting.pop() {
            for entry in self.reader.world.read_dir(&folder).into_iter().take(MAX_ENTRIES) {
                let path = folder.join(&entry.name);
                match entry.kind {
                    FileType::Directory if depth < MAX_DEPTH => waiting.push((path, depth + 1)),
                    FileType::File | FileType::Link if entry.name.ends_with(b".json") && found.len() < MAX_ENTRIES => {
                        found.push(path);
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        for path in found {
            let Some(text) = SettingsText::read_with_mark(self.reader.world, &path) else { continue };
            let problem = match text.json(JsonGrammar::STRICT) {
                // Data of a hook's script may lie beside it.
                Ok(root) if !hooks::is_meant(&root) => continue,
                Ok(root) => match hooks::file_problem(&root) {
                    None => {
                        sources.push(HookSource { text, root, approval, is_settings: false });
                        continue;
                    }
                    Some((span, why)) => (text.place(span), why),
                },
                Err(_) if self.is_data(&path) => continue,
                Err(problem) => (text.place_at(problem.at), format!("the file has {}", problem.kind.words())),
            };
            let lost = text.lost_hooks();
            self.reader.drop(problem.0, problem.1, DroppedScope::File(lost), false);
        }
    }

    /// Whether a file of the folder of hooks is none of hooks, however strictly it is read.
    fn is_data(&self, path: &AbsPath) -> bool {
        let text = SettingsText::read(self.reader.world, path);
        let root = text.and_then(|text| text.json(JsonGrammar::RELAXED).ok());
        root.is_some_and(|root| !hooks::is_meant(&root))
    }

    /// A file of settings, if it is one.
    fn read_settings(&mut self, path: &AbsPath, is_said: bool, approval: Approval, sources: &mut Vec<HookSource>) {
        // Another agent's file is read more strictly than the own.
        let is_foreign = path.dirname().file_name() == b".claude";
        let (text, grammar) = match is_foreign {
            true => (SettingsText::read_with_mark(self.reader.world, path), JsonGrammar::STRICT),
            false => (SettingsText::read(self.reader.world, path), JsonGrammar::COMMENTED),
        };
        let Some(text) = text.filter(|text| !text.is_blank()) else { return };
        let env = self.reader.world.env();
        let problem = match text.json(grammar) {
            Ok(root) if root.is_object() => {
                match root.get("hooks").and_then(|own| valid_hooks::settings_problem(own, env, is_foreign)) {
                    None => return sources.push(HookSource { text, root, approval, is_settings: true }),
                    Some((span, why)) => (text.place(span), why),
                }
            }
            Ok(root) => {
                (text.place(root.span), format!("the file must hold a JSON object, not {}", root.type_with_article()))
            }
            Err(problem) => (text.place_at(problem.at), format!("the file has {}", problem.kind.words())),
        };
        let lost = text.lost_hooks();
        self.reader.drop(problem.0, problem.1, DroppedScope::File(lost), is_said);
    }
}
