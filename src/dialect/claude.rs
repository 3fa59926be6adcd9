//! Claude Code: everything from `/` down to the start directory, imports as entries of their own, AGENTS.md in place of a
//! missing CLAUDE.md, rules, and more of the same when a file is touched.

use super::claude_files::{EXTENSIONS, Entry, Kind, MAX_HOPS, Seen, gather};
use super::claude_rules;
use super::globs::PathGlob;
use super::loading::{Loading, directories};
use super::settings::{self, Format};
use super::{
    Boundary, ByteOrderMark, Choice, Dialect, Evidence, Imports, InvalidUtf8, Invisible, Limits, Order, Placement,
    Proof, Root, RuleDirectory, TextTreatment, Walk,
};
use crate::context::{PartName, Reason, Why};
use crate::parse::imports::{Grammar, js_trim};
use crate::world::AbsPath;
use serde_json::Value;

/// The table. Observed in the requests of the released agent.
pub(super) const CLAUDE: Dialect = Dialect {
    id: "claude",
    title: "Claude Code",
    version: "2.1.329",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.329, run", date: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/memory", date: "2026-11" },
    ],
    // The AGENTS.md names only while no CLAUDE.md on the walk has text (`instructionFiles`).
    names: &["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/AGENTS.md"],
    ignores_case: false,
    choice: Choice::FirstSetWithText,
    user_files: &[".claude/CLAUDE.md", ".claude/rules"],
    rules: &[RuleDirectory { path: ".claude/rules", suffix: ".md", key: "paths" }],
    root: Root::None,
    walk: Walk::FileSystemToStart,
    order: Order::TopDown,
    imports: Some(Imports {
        grammar: Grammar::Claude,
        placement: Placement::FollowsFile,
        depth: MAX_HOPS,
        boundary: Boundary::Start,
        boundary_resolves_links: true,
        extensions: Some(EXTENSIONS),
    }),
    text: TextTreatment {
        invalid_utf8: InvalidUtf8::Replaced,
        bom: ByteOrderMark::Removed,
        drops_frontmatter: true,
        drops_comments: true,
        trims: true,
        invisible: Invisible::Kept,
    },
    limits: Limits { total: None, cuts: false },
    touch: true,
    placement: "first user message, in a <system-reminder>",
    load,
};

const PROJECT: &str = "project instructions, checked into the codebase";
const LOCAL: &str = "user's private project instructions, not checked in";
const USER: &str = "user's private global instructions for all projects";

/// Which names count (`instructionFiles` of the built-in agents-md plugin).
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Claude,
    ClaudeOrAgents,
    ClaudeAndAgents,
    ManagedOnly,
}

/// What settings decide.
pub(super) struct Config {
    mode: Mode,
    /// Files that are left out, by absolute path.
    pub(super) excludes: Vec<PathGlob>,
    /// Whether the user has approved imports from outside the start directory.
    external: bool,
}

fn load(loading: &mut Loading<'_>) {
    let home = loading.world.env().or_in_home("CLAUDE_CONFIG_DIR", ".claude").map(AbsPath::new);
    let config = configure(loading, home.as_ref());
    let mut seen = Seen::new();
    let mut blocks = Vec::new();
    start_user(loading, &config, home.as_ref(), &mut seen, &mut blocks);
    let dirs = directories(&AbsPath::new("/"), &loading.start);
    let agents = start_walk(loading, &config, &dirs, &mut seen, &mut blocks);
    loading.push_part(PartName::Main, blocks.join("\n\n"), CLAUDE.placement);
    if let Some(touched) = loading.options.touch.clone() {
        loading.part = PartName::Touch;
        let text = touch(loading, &config, home.as_ref(), &dirs, &touched, agents);
        loading.push_part(PartName::Touch, text, "tool result");
    }
}

/// The policy of the machine and the user's own files.
fn start_user(
    loading: &mut Loading<'_>,
    config: &Config,
    home: Option<&AbsPath>,
    seen: &mut Seen,
    blocks: &mut Vec<String>,
) {
    let managed = Kind { label: PROJECT, why: Why::Managed, free: false };
    let policy = if cfg!(target_os = "macos") { "/Library/Application Support/ClaudeCode" } else { "/etc/claude-code" };
    file(loading, config, &AbsPath::new(policy).join("CLAUDE.md"), managed, seen, blocks);
    let Some(home) = home.filter(|_| loading.options.user && config.mode != Mode::ManagedOnly) else { return };
    let user = Kind { label: USER, why: Why::User, free: true };
    file(loading, config, &home.join("CLAUDE.md"), user, seen, blocks);
    rules(loading, config, &home.join("rules"), user, seen, blocks);
}

/// The files of the walk; returns whether AGENTS.md stands in for CLAUDE.md.
fn start_walk(
    loading: &mut Loading<'_>,
    config: &Config,
    dirs: &[AbsPath],
    seen: &mut Seen,
    blocks: &mut Vec<String>,
) -> bool {
    let project = Kind { label: PROJECT, why: Why::Project, free: config.external };
    let local = Kind { label: LOCAL, why: Why::Local, free: config.external };
    if config.mode == Mode::ManagedOnly {
        return false;
    }
    // Whether a CLAUDE.md has text is known only at the end of the walk, so each directory's blocks are kept apart.
    let mut claude = false;
    let mut by_dir = Vec::with_capacity(dirs.len());
    for dir in dirs {
        let mut own = Vec::new();
        claude |= file(loading, config, &dir.join("CLAUDE.md"), project, seen, &mut own);
        claude |= file(loading, config, &dir.join(".claude/CLAUDE.md"), project, seen, &mut own);
        if config.mode == Mode::ClaudeAndAgents {
            agents_files(loading, config, dir, project, seen, &mut own);
        }
        let split = own.len();
        rules(loading, config, &dir.join(".claude/rules"), project, seen, &mut own);
        claude |= file(loading, config, &dir.join("CLAUDE.local.md"), local, seen, &mut own);
        by_dir.push((own, split));
    }
    let agents = config.mode == Mode::ClaudeOrAgents && !claude;
    for (dir, (mut own, split)) in dirs.iter().zip(by_dir) {
        if agents {
            let mut found = Vec::new();
            agents_files(loading, config, dir, project, seen, &mut found);
            own.splice(split..split, found);
        } else {
            shadow(loading, config, dir);
        }
        blocks.append(&mut own);
    }
    agents
}

fn agents_files(
    loading: &mut Loading<'_>,
    config: &Config,
    dir: &AbsPath,
    kind: Kind,
    seen: &mut Seen,
    blocks: &mut Vec<String>,
) {
    file(loading, config, &dir.join("AGENTS.md"), kind, seen, blocks);
    file(loading, config, &dir.join(".claude/AGENTS.md"), kind, seen, blocks);
}

/// Put on record which AGENTS.md files a CLAUDE.md keeps out.
fn shadow(loading: &mut Loading<'_>, config: &Config, dir: &AbsPath) {
    if config.mode == Mode::ClaudeAndAgents {
        return;
    }
    for name in ["AGENTS.md", ".claude/AGENTS.md"] {
        let path = dir.join(name);
        if !loading.world.is_file(&path) {
            continue;
        }
        let real = loading.world.real_path(&path).unwrap_or_else(|_| path.clone());
        let loaded = loading.out.layers.iter().any(|layer| layer.real_path == real);
        let by = loading.out.layers.iter().find(|layer| matches!(layer.why, Why::Project | Why::Local));
        if let Some(by) = by.map(|layer| layer.path.clone()).filter(|_| !loaded) {
            loading.skip_file(&path, Reason::ShadowedBy(by));
        }
    }
}

/// Add the blocks of one hint file and its imports; returns whether the file itself has text.
fn file(
    loading: &mut Loading<'_>,
    config: &Config,
    path: &AbsPath,
    kind: Kind,
    seen: &mut Seen,
    blocks: &mut Vec<String>,
) -> bool {
    let mut entries = Vec::new();
    let has_text = gather(loading, config, path, kind, seen, &mut entries);
    for entry in entries {
        blocks.push(block(loading, &entry, kind));
    }
    has_text
}

/// Add the blocks of the unconditional rules below `dir`.
fn rules(
    loading: &mut Loading<'_>,
    config: &Config,
    dir: &AbsPath,
    kind: Kind,
    seen: &mut Seen,
    blocks: &mut Vec<String>,
) {
    for entry in claude_rules::at_start(loading, config, dir, kind, seen) {
        blocks.push(block(loading, &entry, kind));
    }
}

fn block(loading: &Loading<'_>, entry: &Entry, kind: Kind) -> String {
    let name = loading.show(&entry.path);
    format!("Contents of {name} ({}):\n\n{}", kind.label, js_trim(&entry.text))
}

fn configure(loading: &mut Loading<'_>, home: Option<&AbsPath>) -> Config {
    let user = home.map_or(Value::Null, |home| settings::read(loading, &home.join("settings.json"), Format::Json));
    let project = loading.start.join(".claude");
    // From the least to the most decisive.
    let mut layers = vec![user.clone()];
    for path in [
        project.join("settings.json"),
        project.join("settings.local.json"),
        AbsPath::new("/etc/claude-code/managed-settings.json"),
    ] {
        layers.push(settings::read(loading, &path, Format::Json));
    }
    let plugin = "agents-md@builtin";
    let given = loading.setting("instructionFiles").cloned();
    let chosen =
        given.unwrap_or_else(|| settings::at(&user, &["pluginConfigs", plugin, "options", "instructionFiles"]).clone());
    let enabled = layers.iter().rev().find_map(|layer| settings::at(layer, &["enabledPlugins", plugin]).as_bool());
    let mode = match chosen.as_str() {
        _ if enabled == Some(false) => Mode::Claude,
        Some("claude-md") => Mode::Claude,
        Some("claude-md-and-agents-md") => Mode::ClaudeAndAgents,
        Some("managed-only") => Mode::ManagedOnly,
        _ => Mode::ClaudeOrAgents,
    };
    let excludes = layers.iter().filter_map(|layer| settings::strings(&layer["claudeMdExcludes"])).flatten();
    let excludes = excludes.filter_map(|glob| PathGlob::new(&glob, true)).collect();
    Config { mode, excludes, external: external_approved(loading, home) }
}

/// Whether the user has approved imports from outside, for the git root or the start directory.
fn external_approved(loading: &mut Loading<'_>, config_dir: Option<&AbsPath>) -> bool {
    let path = match loading.world.env().get("CLAUDE_CONFIG_DIR") {
        Some(_) => config_dir.map(|dir| dir.join(".claude.json")),
        None => loading.home().map(|home| home.join(".claude.json")),
    };
    let Some(path) = path else { return false };
    let state = settings::read(loading, &path, Format::Json);
    let root = super::loading::find_root(loading.world, &loading.start, Root::Git);
    [root, Some(loading.start.clone())].into_iter().flatten().any(|dir| {
        let key = ["projects", &dir.to_str_lossy(), "hasClaudeMdExternalIncludesApproved"];
        settings::at(&state, &key).as_bool() == Some(true)
    })
}

/// What is added when a file below the start directory is read: matching rules of the user, then what lies on the way to it,
/// then matching rules of the walk.
fn touch(
    loading: &mut Loading<'_>,
    config: &Config,
    home: Option<&AbsPath>,
    dirs: &[AbsPath],
    touched: &AbsPath,
    agents: bool,
) -> String {
    if !touched.is_within(&loading.start) || config.mode == Mode::ManagedOnly {
        return String::new();
    }
    let start = loading.start.clone();
    let mut found: Vec<Entry> = Vec::new();
    let user = Kind { label: USER, why: Why::MatchedRule, free: true };
    let matched = Kind { label: PROJECT, why: Why::MatchedRule, free: config.external };
    let nested = Kind { label: PROJECT, why: Why::Touch, free: config.external };
    if let Some(home) = home.filter(|_| loading.options.user) {
        found.extend(claude_rules::matching(
            loading,
            config,
            &home.join("rules"),
            &start,
            touched,
            user,
            &mut Seen::new(),
        ));
    }
    let way: Vec<AbsPath> = directories(&start, &touched.dirname()).into_iter().skip(1).collect();
    let mut claude_below = false;
    let mut agents_texts = Vec::new();
    for dir in &way {
        // Once per directory and path: a link to a file that is loaded already is sent again.
        let mut seen = Seen::new();
        let mut own = false;
        for name in ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"] {
            own |= gather(loading, config, &dir.join(name), nested, &mut seen, &mut found);
        }
        let rules = dir.join(".claude/rules");
        found.extend(claude_rules::at_start(loading, config, &rules, nested, &mut seen));
        found.extend(claude_rules::matching(loading, config, &rules, dir, touched, matched, &mut Seen::new()));
        claude_below |= own;
        if (agents && !claude_below) || config.mode == Mode::ClaudeAndAgents {
            let mut entries = Vec::new();
            for name in ["AGENTS.md", ".claude/AGENTS.md"] {
                gather(loading, config, &dir.join(name), nested, &mut seen, &mut entries);
            }
            agents_texts.extend(entries);
        }
    }
    for dir in dirs {
        let rules = dir.join(".claude/rules");
        found.extend(claude_rules::matching(loading, config, &rules, dir, touched, matched, &mut Seen::new()));
    }
    let loaded: Vec<AbsPath> = loading
        .out
        .layers
        .iter()
        .filter(|layer| layer.part == PartName::Main)
        .map(|layer| layer.path.clone())
        .collect();
    // What was sent at start under the same path is not sent again, nor is the file that is being read.
    found.retain(|entry| !loaded.contains(&entry.path) && entry.path != *touched);
    let again = |path: &AbsPath| loaded.contains(path) || path == touched;
    loading.out.layers.retain(|layer| layer.part == PartName::Main || !again(&layer.path));
    let mut blocks: Vec<String> = Vec::new();
    for entry in &found {
        let name = loading.show(&entry.path);
        blocks.push(format!("<system-reminder>\nContents of {name}:\n\n{}\n</system-reminder>", entry.text));
    }
    if !agents_texts.is_empty() {
        let texts = agents_texts
            .iter()
            .map(|entry| format!("Contents of {}:\n\n{}", loading.show(&entry.path), js_trim(&entry.text)));
        blocks.push(format!("tool.call hook additional context: {}", texts.collect::<Vec<_>>().join("\n\n")));
    }
    blocks.join("\n")
}
