//! Gemini CLI: files in the order of their paths as strings, imports in place.

mod extensions;
mod runs;

use super::shared::context::{PartName, Why};
use super::shared::files::{AgentFiles, Builtins, Hint, NamesIn, SkillReader, ToolNames};
use super::shared::loading::Loading;
use super::shared::memory::{ImportFormat, Variant, block, given_names, replace_names};
use super::shared::roots::{below, directories};
use super::shared::settings::{self, SettingsFormat};
use super::{Boundary, Dialect, Evidence, Imports, Inside, Placement, Proof, RootMark, TextTreatment, Trim};
use crate::agents::shared::hooks::{CallerSign, HookCaller, HookRegistration, RegistrationForm};
use crate::agents::shared::runs::{PermissionList, ReplacedVariables, RunKind};
use crate::base::kind::{AgentKind, Kind, Role};
use crate::env::Env;
use crate::parse::imports::Grammar;
use crate::world::AbsPath;
use serde_json::Value;
use std::collections::BTreeSet;

/// The table. Observed through the released core library.
pub(super) const GEMINI: Dialect = Dialect {
    id: "gemini",
    title: "Gemini CLI",
    version: "0.61.0",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "@google/gemini-cli-core 0.61.0, run", checked: "2026-11" },
        Evidence { source: "https://github.com/google-gemini/gemini-cli at 5411f113", checked: "2026-11" },
    ],
    // `context.fileName` adds to it.
    names: &["GEMINI.md"],
    user_files: &[".gemini/GEMINI.md"],
    // `context.memoryBoundaryMarkers` replaces `.git`, for imports too.
    root: RootMark::Git,
    imports: Some(Imports {
        grammar: Grammar::AfterBlank,
        placement: Placement::Replaces,
        depth: 5,
        boundary: Boundary::RootOfFile,
        inside: Inside::RealPath,
        extensions: None,
    }),
    text: TextTreatment { trim: Trim::JavaScript, ..TextTreatment::PLAIN },
    files: &FILES,
    placement: "first user message, in <loaded_context><project_context>",
    load,
    runs: Some(runs::read),
    answers: Some(crate::agents::runs::HookAnswers::NESTED),
    replaced_variables: ReplacedVariables::Plain,
    weakens,
    ..Dialect::BASE
};

/// It runs our hooks too.
const CLEAR_COMMAND: &str = "\
description = \"Forget the active plan\"
prompt = \"Run `hintlint plan clear` and tell what it says. It forgets which plan is active; the plan itself is not touched.\"
";

pub(super) static CALLER: HookCaller = HookCaller {
    dialect: &GEMINI,
    sign: CallerSign::Variable("GEMINI_CWD"),
    context_at_top: false,
    reads: &["read_file"],
    edits: &["replace"],
    writes: &["write_file"],
    registration: HookRegistration {
        folder: ".gemini",
        user_folder: |env| {
            env.or_in_home("GEMINI_CLI_HOME", "").map(|home| format!("{}/.gemini", home.trim_end_matches('/')))
        },
        settings: "settings.json",
        events: ["SessionStart", "AfterTool", "AfterAgent", "SessionEnd"],
        matcher: "read_file|replace|write_file",
        ticks: 1000,
        form: RegistrationForm::Groups,
        clear_command: Some(("commands/boulder-clear.toml", CLEAR_COMMAND)),
        note: "Gemini CLI runs a project's hooks in folders that you trust; it lists them there with /hooks",
    },
};

pub(super) static MAIN: AgentKind = AgentKind { may_be_stub: true, ..AgentKind::new("gemini-md", Role::Main) };

static FILES: AgentFiles = AgentFiles {
    signs: &["GEMINI.md", ".gemini/"],
    hints: &[Hint::in_any_case("GEMINI.md", Kind::Of(&MAIN))],
    reads: &[Kind::Of(&MAIN)],
    imports_in: &[Kind::Of(&MAIN)],
    folders: &[".gemini"],
    skill_folders: &[".gemini"],
    // Read in the package of 0.61.0, packages/cli/src/services/FileCommandLoader.ts: it looks for `**/*.toml`.
    unread_texts: &[(".gemini/commands/", ".md", "`.gemini/commands/*.toml`")],
    // packages/core/src/skills/skillLoader.ts at 04fbf507: the text must begin with `---`.
    mark_hides_frontmatter: &[Kind::Skill],
    // packages/core/src/skills/skillLoader.ts.
    skills: Some(SkillReader {
        manifest: "gemini-extension.json",
        also: "_",
        ..SkillReader::of(&[".agents/", ".gemini/"])
    }),
    settings: &[".gemini/settings.json"],
    other_settings: &[extensions::MANIFEST],
    bundle: Some(extensions::EXTENSIONS),
    run_files: &[".gemini/settings.json", ".gemini/.env"],
    run_folders: &[(".gemini/commands/", ".toml")],
    run_inputs: &[".env"],
    names_in: Some(NamesIn { path: ".gemini/settings.json", names: names_in_settings }),
    prompts: &[".gemini/commands/"],
    builtins: Builtins {
        tools: ToolNames::LowerCase,
        commands: &[
            "about",
            "agents",
            "auth",
            "bug",
            "chat",
            "clear",
            "commands",
            "compress",
            "copy",
            "corgi",
            "directory",
            "docs",
            "editor",
            "exit",
            "extensions",
            "help",
            "hooks",
            "ide",
            "init",
            "mcp",
            "memory",
            "model",
            "permissions",
            "plan",
            "policies",
            "privacy",
            "quit",
            "restore",
            "resume",
            "rewind",
            "settings",
            "setup-github",
            "shells",
            "shortcuts",
            "skills",
            "stats",
            "terminal-setup",
            "theme",
            "tools",
            "upgrade",
            "vim",
        ],
        subagents: &["browser_agent", "cli_help", "codebase_investigator", "generalist"],
        skills: &["skill-creator"],
    },
    words: &["gemini"],
    file_words: &["google"],
    ..AgentFiles::NONE
};

/// `context.fileName` of the settings: a string or a list.
fn names_in_settings(bytes: &[u8]) -> Vec<String> {
    let settings =
        settings::parse(&String::from_utf8_lossy(bytes), SettingsFormat::COMMENTED_JSON).unwrap_or(Value::Null);
    given_names(&settings::expanded(settings["context"]["fileName"].clone(), &Env::empty()))
}

const VARIANT: Variant = Variant {
    missing_stays: false,
    knows_itself: false,
    decodes_percent: true,
    refuses_loops: true,
    limits_flat: false,
};

/// What settings decide.
struct GeminiContextSettings {
    names: Vec<String>,
    /// The start directory and those of `context.includeDirectories`.
    roots: Vec<AbsPath>,
    format: ImportFormat,
}

fn load(loading: &mut Loading<'_>) {
    let home = loading.world.env().or_in_home("GEMINI_CLI_HOME", "").map(|home| AbsPath::new(home).join(".gemini"));
    let config = configure(loading, home.as_ref());
    // Files already in the context; the user's come first.
    let mut seen = BTreeSet::new();
    loading.part = PartName::User;
    let mut paths: Vec<AbsPath> = Vec::new();
    if let Some(home) = home.as_ref().filter(|_| loading.options.user) {
        paths.extend(config.names.iter().map(|name| home.join(name)));
    }
    paths.retain(|path| loading.is_new(path, &mut seen));
    let user = blocks(loading, &config, &paths, Why::User);
    loading.push_part(PartName::User, two_line_ends(&user), "system instruction, in <loaded_context>");
    loading.part = PartName::Main;
    loading.find_root();
    let mut paths = Vec::new();
    for root in &config.roots {
        let ceiling = loading.root_of(root).unwrap_or_else(|| root.clone());
        paths.extend(hint_files(loading, &config, home.as_ref(), root, &ceiling));
    }
    // Of several names for one file the first from the top counts; only then are paths sorted.
    paths.retain(|path| loading.is_new(path, &mut seen));
    paths.sort_by_cached_key(utf16);
    let main = blocks(loading, &config, &paths, Why::Project);
    loading.push_part(PartName::Main, main, GEMINI.placement);
    if let Some(touched) = loading.options.touch.clone() {
        loading.part = PartName::Touch;
        let mut paths = Vec::new();
        // Only files below the start directory and those that settings include count.
        let real = loading.robust_real_path(&touched);
        let roots = config.roots.iter().filter(|root| real.is_within(root));
        if let Some(root) = roots.max_by_key(|root| root.as_bytes().len()) {
            let ceiling = loading.root_of(root).unwrap_or_else(|| root.clone());
            let from = if loading.world.is_dir(&touched) { touched } else { touched.dirname() };
            paths = hint_files(loading, &config, home.as_ref(), &from, &ceiling);
            let identity = |path: &AbsPath| loading.world.real_path(path).unwrap_or_else(|_| path.clone());
            paths.retain(|path| seen.insert(identity(path)));
        }
        // The flat format is for the start only.
        let found =
            blocks(loading, &GeminiContextSettings { format: ImportFormat::Tree, ..config }, &paths, Why::Touch);
        let placement = "tool result, after \"--- Newly Discovered Project Context ---\"";
        loading.push_part(PartName::Touch, found, placement);
    }
}

fn configure(loading: &mut Loading<'_>, home: Option<&AbsPath>) -> GeminiContextSettings {
    let mut config = GeminiContextSettings {
        names: loading.names(),
        roots: vec![loading.start.clone()],
        format: ImportFormat::Tree,
    };
    let (mut names, mut included) = (Value::Null, Vec::new());
    let files = home.map(|home| home.join("settings.json")).into_iter();
    let files =
        files.chain([loading.start.join(".gemini/settings.json"), AbsPath::new("/etc/gemini-cli/settings.json")]);
    for path in files.collect::<Vec<_>>() {
        let value = settings::read(loading, &path, SettingsFormat::COMMENTED_JSON);
        let context = settings::expanded(value["context"].clone(), loading.world.env());
        if !context["fileName"].is_null() {
            names = context["fileName"].clone();
        }
        if context["includeDirectories"].is_array() {
            included.extend(settings::strings(&context["includeDirectories"]).unwrap_or_default());
        }
        config.apply(loading, &context["memoryBoundaryMarkers"], &context["importFormat"]);
    }
    for name in given_names(&names).into_iter().rev() {
        config.names.retain(|known| *known != name);
        config.names.insert(0, name);
    }
    let [names, markers, format] =
        ["names", "markers", "format"].map(|key| loading.setting(key).unwrap_or(&Value::Null));
    // This option replaces, as the core library does.
    replace_names(&mut config.names, names);
    config.apply(loading, markers, format);
    config.include(loading, &included);
    config
}

impl GeminiContextSettings {
    /// Add the directories of `context.includeDirectories`, whose hint files count with or without
    /// `loadMemoryFromIncludeDirectories`.
    fn include(&mut self, loading: &mut Loading<'_>, directories: &[String]) {
        for written in directories {
            let home = written.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
            let path = match (home, loading.home()) {
                (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
                _ => loading.start.resolve(written.as_bytes()),
            };
            match loading.world.real_path(&path) {
                Ok(real) if loading.world.is_dir(&real) => {
                    if !self.roots.contains(&real) {
                        self.roots.push(real);
                    }
                }
                // A repository alone does not have what lies beside it.
                _ if loading.world.virtual_root().is_some() => {}
                _ => loading.note(format!("{written} of context.includeDirectories is no directory: the agent stops")),
            }
        }
    }

    fn apply(&mut self, loading: &mut Loading<'_>, markers: &Value, format: &Value) {
        if let Some(markers) = settings::strings(markers) {
            // Markers that would reach outside the directory are ignored.
            let inside = |marker: &String| !marker.is_empty() && !marker.starts_with('/') && !marker.contains("..");
            loading.markers = Some(markers.into_iter().filter(inside).collect());
        }
        if format.is_string() {
            self.format = ImportFormat::of(format);
        }
    }
}

/// The hint files from `ceiling` down to `from`; those of the user's own directory and above it do not count.
fn hint_files(
    loading: &mut Loading<'_>,
    config: &GeminiContextSettings,
    home: Option<&AbsPath>,
    from: &AbsPath,
    ceiling: &AbsPath,
) -> Vec<AbsPath> {
    let dirs = below(directories(ceiling, from), home);
    let paths = dirs.iter().flat_map(|dir| config.names.iter().map(|name| dir.join(name))).collect();
    loading.existing(paths, |_| true)
}

/// A text as it stands in the system instruction, where three line ends and more in a row become two.
fn two_line_ends(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' || !out.ends_with("\n\n") {
            out.push(c);
        }
    }
    out
}

/// JavaScript sorts strings by UTF-16 code units.
fn utf16(path: &AbsPath) -> Vec<u16> {
    path.to_str_lossy().encode_utf16().collect()
}

/// One block per file that has text.
fn blocks(loading: &mut Loading<'_>, config: &GeminiContextSettings, paths: &[AbsPath], why: Why) -> String {
    let mut blocks = Vec::new();
    for path in paths {
        let name = loading.show(path);
        blocks.extend(block(loading, &VARIANT, path, config.format, why, &name));
    }
    blocks.join("\n\n")
}

/// What a setting of a repository lets the agent do without a question.
fn weakens(kind: &RunKind) -> Option<&'static str> {
    match kind {
        RunKind::Permission { list: PermissionList::Allow, rule } => {
            matches!(rule.as_str(), "run_shell_command" | "ShellTool")
                .then_some("runs every shell command without a question")
        }
        RunKind::Setting { key, value } => match (key.as_str(), value.as_str()) {
            ("general.defaultApprovalMode", "\"yolo\"") => Some("uses every tool without a question"),
            ("general.defaultApprovalMode", "\"auto_edit\"") => Some("edits files without a question"),
            (key, "true") if key.starts_with("mcpServers.") => Some("uses this server's tools without a question"),
            _ => None,
        },
        _ => None,
    }
}
