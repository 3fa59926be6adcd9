//! Qwen Code: a fork of Gemini CLI with its own names, order, local file and rules.

mod rules;
mod runs;

use crate::agents::claude::hints as claude_hints;
use crate::agents::shared::context::{PartName, Why};
use crate::agents::shared::files::{AgentFiles, Builtins, Hint};
use crate::agents::shared::hooks::{CLEAR_IN_MARKDOWN, CallerSign, HookCaller, HookRegistration, RegistrationForm};
use crate::agents::shared::loading::Loading;
use crate::agents::shared::memory::{self, ImportFormat, Variant, replace_names};
use crate::agents::shared::roots::below;
use crate::agents::shared::runs::RunKind;
use crate::agents::shared::settings::{self, SettingsFormat};
use crate::agents::{
    Boundary, Dialect, Evidence, Imports, Inside, Placement, Proof, RootMark, RuleDirectory, TextTreatment, Trim, Walk,
};
use crate::base::kind::{AgentKind, Kind, Role};
use crate::parse::imports::Grammar;
use crate::world::{AbsPath, FileType};
use rules::{rules, touch};
use serde_json::Value;
use std::collections::BTreeSet;

/// The table. Observed in the requests of the released agent.
pub(super) const QWEN: Dialect = Dialect {
    id: "qwen",
    title: "Qwen Code",
    version: "0.24.4",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "@qwen-code/qwen-code 0.24.4, run", checked: "2026-11" },
        Evidence { source: "https://github.com/QwenLM/qwen-code at 0f8ce083 and 1aba1b9f", checked: "2026-11" },
    ],
    // Replaced by `context.fileName`.
    names: &["QWEN.md", "AGENTS.md"],
    user_files: &[".qwen/QWEN.md", ".qwen/AGENTS.md", ".qwen/rules"],
    rules: &[RuleDirectory { path: ".qwen/rules", suffix: ".md", key: "paths" }],
    // A link does not count.
    root: RootMark::GitUnlinked,
    walk: Walk::AboveRoot,
    imports: Some(Imports {
        grammar: Grammar::AfterBlankInProse,
        placement: Placement::Replaces,
        depth: 5,
        boundary: Boundary::RootOfFile,
        inside: Inside::Path,
        extensions: None,
    }),
    text: TextTreatment { trim: Trim::JavaScript, ..TextTreatment::PLAIN },
    files: &FILES,
    placement: "system message",
    load,
    runs: Some(runs::read),
    answers: Some(crate::agents::runs::HookAnswers::PLAIN_OR_NESTED),
    weakens,
    ..Dialect::BASE
};

/// It runs our hooks too.
pub(super) static CALLER: HookCaller = HookCaller {
    dialect: &QWEN,
    sign: CallerSign::Variable("QWEN_CODE_SESSION_ID"),
    context_at_top: false,
    reads: &["read_file"],
    edits: &["edit"],
    writes: &["write_file"],
    registration: HookRegistration {
        folder: ".qwen",
        user_folder: |env| env.or_in_home("QWEN_HOME", ".qwen"),
        settings: "settings.json",
        events: ["SessionStart", "PostToolUse", "Stop", "SessionEnd"],
        matcher: "read_file|edit|write_file",
        // Releases that count milliseconds are older than 0.24; that one warns of them.
        ticks: 1,
        form: RegistrationForm::Groups,
        clear_command: Some(("commands/boulder-clear.md", CLEAR_IN_MARKDOWN)),
        note: "",
    },
};

static MAIN: AgentKind = AgentKind { may_be_stub: true, ..AgentKind::new("qwen-md", Role::Main) };

static FILES: AgentFiles = AgentFiles {
    signs: &["QWEN.md", ".qwen/"],
    hints: &[
        Hint::in_any_case("QWEN.md", Kind::Of(&MAIN)),
        // It reads Claude Code's fields in them.
        Hint::below(".qwen/rules/", ".md", Kind::Of(&claude_hints::RULE)),
        Hint::end(".qwen/QWEN.local.md", Kind::Of(&MAIN)),
    ],
    reads: &[Kind::Of(&MAIN), Kind::AgentsMd],
    imports_in: &[Kind::Of(&MAIN), Kind::AgentsMd],
    passes_over: &[".claude"],
    folders: &[".qwen"],
    skill_folders: &[".qwen"],
    settings: &[".qwen/settings.json"],
    run_files: &[".qwen/settings.json", ".qwen/.env"],
    run_inputs: &[".env", ".mcp.json"],
    prompts: &[".qwen/commands/"],
    builtins: Builtins {
        commands: &[
            "about",
            "agents",
            "approval-mode",
            "arena",
            "auth",
            "btw",
            "bug",
            "clear",
            "compress",
            "context",
            "copy",
            "directory",
            "docs",
            "doctor",
            "editor",
            "exit",
            "export",
            "extensions",
            "help",
            "hooks",
            "ide",
            "init",
            "insight",
            "language",
            "learn",
            "loop",
            "mcp",
            "memory",
            "model",
            "permissions",
            "plan",
            "quit",
            "remember",
            "rename",
            "restore",
            "resume",
            "review",
            "settings",
            "setup-github",
            "skills",
            "stats",
            "statusline",
            "summary",
            "tasks",
            "terminal-setup",
            "theme",
            "tools",
            "trust",
            "vim",
        ],
        subagents: &["explore", "general-purpose"],
        skills: &["batch", "loop", "qc-helper", "review"],
        ..Builtins::NONE
    },
    words: &["qwen"],
    ..AgentFiles::NONE
};

const VARIANT: Variant = Variant {
    missing_stays: true,
    knows_itself: true,
    decodes_percent: false,
    refuses_loops: false,
    limits_flat: true,
};

/// The private file beside the root's rules.
const LOCAL: &str = ".qwen/QWEN.local.md";

fn load(loading: &mut Loading<'_>) {
    let qwen_home = loading.world.env().or_in_home("QWEN_HOME", ".qwen").map(AbsPath::new);
    let (names, format) = configure(loading, qwen_home.as_ref());
    let root = loading.find_root();
    let project = root.clone().unwrap_or_else(|| loading.start.clone());
    let mut seen = BTreeSet::new();
    let mut main = Vec::new();
    for path in paths(loading, &names, root.as_ref(), qwen_home.as_ref()) {
        let why = if qwen_home.as_ref().is_some_and(|home| path.is_within(home)) { Why::User } else { Why::Project };
        main.extend(block(loading, &path, format, why, &mut seen));
    }
    loading.push_part(PartName::Main, main.join("\n\n"), QWEN.placement);

    // The local file and the rules come behind the block in which the agent states its output language.
    loading.part = PartName::After;
    let mut after = Vec::new();
    // Without a root there is no local file, though there are rules.
    if let Some(local) =
        root.map(|root| root.join(LOCAL)).filter(|local| loading.world.file_type(local).is_some_and(is_no_directory))
    {
        after.extend(block(loading, &local, format, Why::Local, &mut seen));
    }
    let rules = rules(loading, &project, qwen_home.as_ref());
    for rule in &rules {
        if rule.globs.is_empty() {
            rule.load(loading, Why::Rule);
            after.push(rules::frame(rule, &project));
        }
    }
    loading.push_part(PartName::After, after.join("\n\n"), "system message, behind the output language");
    if let Some(touched) = loading.options.touch.clone() {
        touch(loading, &touched, &project, &rules);
    }
}

/// The hint files' names and where their imports stand, as settings say.
fn configure(loading: &mut Loading<'_>, home: Option<&AbsPath>) -> (Vec<String>, ImportFormat) {
    let mut names = loading.names();
    let files = home.map(|home| home.join("settings.json"));
    let (mut chosen, mut format) = (Value::Null, Value::Null);
    for path in files.into_iter().chain([loading.start.join(".qwen/settings.json")]) {
        let value = settings::read(loading, &path, SettingsFormat::COMMENTED_JSON);
        let value = settings::expanded(value, loading.world.env());
        // The settings of older versions had them at the top.
        for (key, old, taken) in
            [("fileName", "contextFileName", &mut chosen), ("importFormat", "memoryImportFormat", &mut format)]
        {
            if let Some(given) = value["context"].get(key).or_else(|| value.get(old)) {
                *taken = given.clone();
            }
        }
    }
    // An empty list of the project's takes back what the user's settings say.
    replace_names(&mut names, &chosen);
    if let Some(given) = loading.setting("names") {
        replace_names(&mut names, given);
    }
    (names, ImportFormat::of(&format))
}

/// For each name the user's file, then those of the walk from the top; each path once.
fn paths(loading: &mut Loading<'_>, names: &[String], root: Option<&AbsPath>, home: Option<&AbsPath>) -> Vec<AbsPath> {
    // In the home directory itself only that directory is read.
    let mut dirs =
        if loading.home().as_ref() == Some(&loading.start) { vec![loading.start.clone()] } else { loading.walk(root) };
    // The walk never reads `/`, and ends below the agent's own directory in the home.
    dirs.retain(|dir| !dir.is_root());
    let dirs = below(dirs, home);
    let mut paths: Vec<AbsPath> = Vec::new();
    let user = home.filter(|_| loading.options.user);
    for name in names {
        let found = user.into_iter().chain(&dirs).map(|dir| dir.join(name)).collect();
        for path in loading.existing(found, is_no_directory) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    paths
}

fn block(
    loading: &mut Loading<'_>,
    path: &AbsPath,
    format: ImportFormat,
    why: Why,
    seen: &mut BTreeSet<AbsPath>,
) -> Option<String> {
    if !loading.is_new(path, seen) {
        return None;
    }
    let name = String::from_utf8_lossy(&loading.options.name_of(path).relative_to(&loading.start)).into_owned();
    memory::block(loading, &VARIANT, path, format, why, &name)
}

fn is_no_directory(kind: FileType) -> bool {
    kind != FileType::Directory
}
/// What a setting of a repository lets the agent do without a question.
fn weakens(kind: &RunKind) -> Option<&'static str> {
    match kind {
        RunKind::Setting { key, value } if key == "tools.approvalMode" => match value.as_str() {
            "\"yolo\"" => Some("uses every tool without a question"),
            "\"auto-edit\"" => Some("edits files without a question"),
            _ => None,
        },
        _ => None,
    }
}
