//! OpenAI Codex: one file per directory, a shared byte budget, no imports.

mod plugins;
mod runs;

use super::shared::context::{PartName, Reason, Why};
use super::shared::files::{AgentFiles, Builtins, Hint, NamesIn, SkillFault, SkillReader};
use super::shared::loading::Loading;
use super::shared::roots::{find_root, main_checkout};
use super::shared::settings::{self, SettingsFormat};
use super::{Choice, Dialect, Evidence, Proof, RootMark};
use crate::agents::shared::hooks::{CallerSign, HookCaller, HookRegistration, RegistrationForm};
use crate::base::fields::{Schema, Shape, doc, field};
use crate::base::kind::{AgentKind, Kind, Role};
use crate::world::AbsPath;
use serde_json::Value;

/// The table. Observed with `codex debug prompt-input`.
pub(super) const CODEX: Dialect = Dialect {
    id: "codex",
    title: "OpenAI Codex CLI",
    version: "0.169.0",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "@openai/codex 0.169.0, run", checked: "2026-11" },
        Evidence {
            source: "https://github.com/openai/codex, codex-rs/core/src/agents_md.rs at 0cf644af",
            checked: "2026-11",
        },
    ],
    // Then the names of `project_doc_fallback_filenames`.
    names: &["AGENTS.override.md", "AGENTS.md"],
    choice: Choice::FirstInDirectory,
    user_files: &[".codex/AGENTS.override.md", ".codex/AGENTS.md"],
    // `project_root_markers` replaces `.git`.
    root: RootMark::Git,
    // `project_doc_max_bytes`; the user's own file does not count.
    max_bytes: Some(32_768),
    files: &FILES,
    placement: "a user message before the first prompt",
    load,
    runs: Some(runs::read),
    answers: Some(crate::agents::runs::HookAnswers::PLAIN_OR_NESTED),
    weakens: runs::weakens,
    ..Dialect::BASE
};

/// It runs our hooks too.
pub(super) static CALLER: HookCaller = HookCaller {
    dialect: &CODEX,
    sign: CallerSign::Message("turn_id", "rollout-"),
    context_at_top: false,
    reads: &[],
    edits: &["apply_patch"],
    writes: &[],
    registration: HookRegistration {
        folder: ".codex",
        user_folder: |env| env.or_in_home("CODEX_HOME", ".codex"),
        settings: "hooks.json",
        events: ["SessionStart", "PostToolUse", "Stop", "SessionEnd"],
        matcher: "apply_patch",
        ticks: 1,
        form: RegistrationForm::Groups,
        clear_command: None,
        note: "Codex runs new hooks only after you have reviewed them: start it here and answer, or type /hooks",
    },
};

static OVERRIDE: AgentKind = AgentKind {
    hides: Some("hides the AGENTS.md beside it from Codex"),
    ..AgentKind::new("agents-override", Role::Override)
};

static PROMPT: AgentKind =
    AgentKind { fields: Some(&PROMPT_FIELDS), folder: "/prompts/", ..AgentKind::new("codex-prompt", Role::Command) };

static PROMPT_FIELDS: Schema = Schema {
    what: "a Codex prompt",
    fields: &[field("description", Shape::Text), field("argument-hint", Shape::Hint)],
    ignored: &[],
    evidence: &[doc("https://developers.openai.com/codex/custom-prompts")],
};

static FILES: AgentFiles = AgentFiles {
    run_files: &[".codex/config.toml", ".codex/hooks.json"],
    run_texts: &[(".codex/rules/", &[".rules"])],
    signs: &["AGENTS.override.md", ".codex/"],
    owns_agents_md: true,
    hints: &[
        Hint::name("AGENTS.override.md", Kind::Of(&OVERRIDE)),
        // The user's own, in a repository of dotfiles.
        Hint::below(".codex/prompts/", ".md", Kind::Of(&PROMPT)),
    ],
    reads: &[Kind::AgentsMd, Kind::Of(&OVERRIDE), Kind::Skill, Kind::Of(&PROMPT)],
    folders: &[".codex"],
    skill_folders: &[".codex"],
    // Run with `codex debug prompt-input`: it names an agent in TOML to the model, and none in Markdown.
    unread_texts: &[(".codex/agents/", ".md", "`.codex/agents/*.toml`")],
    // codex-rs/core/src/skills/loader.rs at 006b3dac: the first line must be `---`.
    mark_hides_frontmatter: &[Kind::Skill],
    skills: Some(SkillReader {
        refuses: &[SkillFault::Lengths, SkillFault::Yaml],
        ..SkillReader::of(&[".agents/", ".codex/"])
    }),
    settings: &[".codex/config.toml"],
    other_settings: &[plugins::MANIFEST],
    bundle: Some(plugins::PLUGINS),
    names_in: Some(NamesIn { path: ".codex/config.toml", names: fallback_names }),
    more_room: ", or set `project_doc_max_bytes` in .codex/config.toml",
    builtins: Builtins {
        commands: &[
            "agent",
            "approvals",
            "apps",
            "clear",
            "collab",
            "compact",
            "copy",
            "diff",
            "exit",
            "experimental",
            "fast",
            "feedback",
            "fork",
            "goal",
            "hooks",
            "ide",
            "init",
            "keymap",
            "logout",
            "mcp",
            "memories",
            "mention",
            "model",
            "new",
            "permissions",
            "personality",
            "plan",
            "plugins",
            "prompts",
            "ps",
            "quit",
            "realtime",
            "rename",
            "resume",
            "review",
            "rollout",
            "sandbox-add-read-dir",
            "side",
            "skills",
            "status",
            "statusline",
            "stop",
            "subagents",
            "theme",
            "title",
            "undo",
        ],
        subagents: &["default", "explorer", "worker"],
        skills: &["imagegen", "openai-docs", "plugin-creator", "skill-creator", "skill-installer"],
        ..Builtins::NONE
    },
    words: &["codex", "openai"],
    ..AgentFiles::NONE
};

/// `project_doc_fallback_filenames` of a config.
fn fallback_names(bytes: &[u8]) -> Vec<String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    let Ok(document) = toml_edit::Document::parse(text) else { return Vec::new() };
    let names = document.get("project_doc_fallback_filenames").and_then(toml_edit::Item::as_array);
    names.into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
}

/// Between the user's text and the project's.
const SEPARATOR: &str = "\n\n--- project-doc ---\n\n";

struct CodexSettings {
    fallbacks: Vec<String>,
    budget: usize,
    /// Whether the user has said that the project is not to be trusted: then none of its files is sent.
    untrusted: bool,
}

fn load(loading: &mut Loading<'_>) {
    let home = loading.world.env().or_in_home("CODEX_HOME", ".codex").map(AbsPath::new);
    let (config, dirs) = configure(loading, home.as_ref());
    let user = home.filter(|_| loading.options.user).and_then(|home| user_text(loading, &home));
    let docs = if config.untrusted {
        loading.note("no project text is sent: the user's settings say that the project is not trusted".to_owned());
        Vec::new()
    } else {
        project_docs(loading, &config, &dirs)
    };
    let start = loading.show(&loading.start);
    let text = match (user, docs.is_empty()) {
        (None, true) => String::new(),
        (Some(user), true) => format!("# AGENTS.md instructions\n\n<INSTRUCTIONS>\n{user}\n</INSTRUCTIONS>"),
        (user, false) => {
            let user = user.map(|user| user + SEPARATOR).unwrap_or_default();
            let docs = docs.join("\n\n");
            format!("# AGENTS.md instructions for {start}\n\n<INSTRUCTIONS>\n{user}{docs}\n</INSTRUCTIONS>")
        }
    };
    loading.push_part(PartName::Main, text, CODEX.placement);
}

/// The user's text: the first of the two that is not blank, trimmed.
fn user_text(loading: &mut Loading<'_>, home: &AbsPath) -> Option<String> {
    for name in CODEX.names {
        let path = home.join(name);
        let Some(bytes) = loading.read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        if text.is_empty() {
            loading.skip_file(&path, Reason::Empty);
            continue;
        }
        loading.layer(&path, &bytes, Why::User);
        return Some(text);
    }
    None
}

/// One text per directory that has one, as far as the budget reaches. Blank files cost nothing; what is cut may end inside a
/// character.
fn project_docs(loading: &mut Loading<'_>, config: &CodexSettings, dirs: &[AbsPath]) -> Vec<String> {
    let mut docs = Vec::new();
    let mut remaining = config.budget;
    loading.out.limit = Some(config.budget).filter(|budget| *budget != usize::MAX);
    for path in chosen(loading, config, dirs) {
        if remaining == 0 {
            loading.skip_file(&path, Reason::BudgetSpent(config.budget));
            continue;
        }
        let Some(bytes) = loading.read(&path) else { continue };
        let kept = &bytes[..bytes.len().min(remaining)];
        let text = String::from_utf8_lossy(kept).into_owned();
        if text.trim().is_empty() {
            loading.skip_file(&path, Reason::Empty);
            continue;
        }
        remaining -= kept.len();
        let layer = loading.layer(&path, &bytes, Why::Project);
        if kept.len() < bytes.len() {
            loading.cut(layer, &bytes, kept.len());
        }
        docs.push(text);
    }
    docs
}

/// The chosen file of each directory. None of them counts where a name cannot be looked up, as with a link to itself.
fn chosen(loading: &mut Loading<'_>, config: &CodexSettings, dirs: &[AbsPath]) -> Vec<AbsPath> {
    let mut chosen = Vec::new();
    for dir in dirs {
        match choose(loading, config, dir) {
            Ok(path) => chosen.extend(path),
            Err(broken) => {
                for path in chosen {
                    loading.skip_file(&path, Reason::ShadowedBy(broken.clone()));
                }
                loading.note(format!("no project text is sent: {} cannot be read", loading.show(&broken)));
                loading.skip_file(&broken, Reason::Unreadable);
                return Vec::new();
            }
        }
    }
    chosen
}

/// The first name that is a regular file, even an empty one; what stands behind it is shadowed.
/// An error is the name that cannot be looked up.
fn choose(loading: &mut Loading<'_>, config: &CodexSettings, dir: &AbsPath) -> Result<Option<AbsPath>, AbsPath> {
    let names = CODEX.names.iter().copied().chain(config.fallbacks.iter().map(String::as_str));
    let mut chosen: Option<AbsPath> = None;
    for name in names {
        let path = dir.join(name);
        if chosen.is_none() && !name.contains('/') && loading.cannot_look_up(&path) {
            return Err(path);
        }
        // A name with a `/` in it never matched when run.
        if name.is_empty() || name.contains('/') || chosen.as_ref() == Some(&path) || !loading.world.is_file(&path) {
            continue;
        }
        match &chosen {
            None => chosen = Some(path),
            Some(chosen) => loading.skip_file(&path, Reason::ShadowedBy(chosen.clone())),
        }
    }
    Ok(chosen)
}

/// The settings in force, and the directories to read. The markers come from the user's settings alone, since the project's
/// are found by them; a project's settings count when the user trusts it.
fn configure(loading: &mut Loading<'_>, home: Option<&AbsPath>) -> (CodexSettings, Vec<AbsPath>) {
    let system = settings::read(loading, &AbsPath::new("/etc/codex/config.toml"), SettingsFormat::Toml);
    let user =
        home.map_or(Value::Null, |home| settings::read(loading, &home.join("config.toml"), SettingsFormat::Toml));
    let mut config =
        CodexSettings { fallbacks: Vec::new(), budget: CODEX.max_bytes.unwrap_or(usize::MAX), untrusted: false };
    for layer in [&system, &user] {
        if let Some(markers) = settings::strings(&layer["project_root_markers"]) {
            loading.markers = Some(markers);
        }
        config.apply(layer);
    }
    let root = loading.find_root();
    let dirs = loading.walk(root.as_ref());
    let trust = CodexTrust::of(loading, &user);
    config.untrusted = !loading.options.trusted && trust.level(&loading.start, None) == Some("untrusted");
    for dir in &dirs {
        let path = dir.join(".codex/config.toml");
        if Some(&dir.join(".codex")) == home || !loading.world.is_file(&path) {
            continue;
        }
        if loading.options.trusted || trust.level(dir, root.as_ref()) == Some("trusted") {
            let layer = settings::read(loading, &path, SettingsFormat::Toml);
            config.apply(&layer);
        } else {
            loading.note(format!("{} is ignored: the project is not trusted", loading.show(&path)));
        }
    }
    if let Some(given) = loading.setting("fallbacks").and_then(settings::strings) {
        config.fallbacks = given;
    }
    (config, dirs)
}

/// What the user's settings say of folders, by their paths (0.169.0).
struct CodexTrust<'v> {
    projects: &'v Value,
    /// The root of the repository; that of the main checkout in a linked worktree, whose own root counts for nothing.
    repository: Option<AbsPath>,
}

impl<'v> CodexTrust<'v> {
    fn of(loading: &Loading<'_>, user: &'v Value) -> Self {
        let git = find_root(loading.world, &loading.start, RootMark::Git);
        let repository = git.map(|git| main_checkout(loading.world, &git).unwrap_or(git));
        CodexTrust { projects: settings::at(user, &["projects"]), repository }
    }

    /// The level of the first of `dir`, `root` and the repository that has one.
    fn level(&self, dir: &AbsPath, root: Option<&AbsPath>) -> Option<&'v str> {
        let mut all = [Some(dir), root, self.repository.as_ref()].into_iter().flatten();
        all.find_map(|dir| settings::at(self.projects, &[&dir.to_str_lossy(), "trust_level"]).as_str())
    }
}

impl CodexSettings {
    fn apply(&mut self, layer: &Value) {
        if let Some(fallbacks) = settings::strings(&layer["project_doc_fallback_filenames"]) {
            self.fallbacks = fallbacks.into_iter().map(|name| name.trim().to_owned()).collect();
        }
        if let Some(budget) = layer["project_doc_max_bytes"].as_u64() {
            self.budget = usize::try_from(budget).unwrap_or(usize::MAX);
        }
    }
}
