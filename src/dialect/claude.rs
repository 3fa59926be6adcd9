//! Claude Code: everything from `/` down to the start directory, imports as entries of their own, AGENTS.md in place of a
//! missing CLAUDE.md, rules, and more of the same when a file is touched.

use super::claude_rules::{self, Source};
use super::gemini_imports::inert_reason;
use super::globs::PathGlob;
use super::loading::{Loading, directories};
use super::settings::{self, Format};
use super::{
    Boundary, ByteOrderMark, Choice, Dialect, Evidence, Imports, InvalidUtf8, Invisible, Limits, Order, Placement,
    Proof, Root, RuleDirectory, TextTreatment, Walk,
};
use crate::context::{PartName, Reason, Why};
use crate::parse::imports::{Grammar, js_trim, references};
use crate::text::Span;
use crate::world::AbsPath;
use serde_json::Value;
use std::collections::BTreeSet;

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
        depth: 4,
        boundary: Boundary::Start,
        boundary_resolves_links: true,
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

const MAX_HOPS: usize = 4;
const PROJECT: &str = "project instructions, checked into the codebase";
const LOCAL: &str = "user's private project instructions, not checked in";
const USER: &str = "user's private global instructions for all projects";

/// Extensions that may be imported, in lower case. Everything else, and what is not listed here, is silently left out.
const EXTENSIONS: &[&str] = &[
    "adoc",
    "astro",
    "bash",
    "bat",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cmake",
    "cmd",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "cts",
    "dart",
    "diff",
    "env",
    "erl",
    "ex",
    "exs",
    "fish",
    "go",
    "gql",
    "gradle",
    "graphql",
    "h",
    "hpp",
    "hs",
    "htm",
    "html",
    "ini",
    "java",
    "js",
    "json",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "log",
    "lua",
    "md",
    "mjs",
    "ml",
    "mts",
    "org",
    "patch",
    "php",
    "pl",
    "properties",
    "proto",
    "ps1",
    "py",
    "pyi",
    "r",
    "rb",
    "rs",
    "rst",
    "scala",
    "scss",
    "sh",
    "sql",
    "svelte",
    "swift",
    "tex",
    "text",
    "toml",
    "ts",
    "tsx",
    "txt",
    "vue",
    "xml",
    "yaml",
    "yml",
    "zsh",
];

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
    excludes: Vec<PathGlob>,
    /// Whether the user has approved imports from outside the start directory.
    external: bool,
}

/// One entry of the context.
pub(super) struct Entry {
    pub(super) path: AbsPath,
    pub(super) text: String,
    pub(super) globs: Option<Vec<String>>,
    /// Its place among the layers.
    pub(super) layer: usize,
}

/// Where a hint file belongs.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) label: &'static str,
    pub(super) why: Why,
    /// Whether its imports may leave the start directory.
    pub(super) free: bool,
}

/// Files by real path, so that each is sent once.
pub(super) type Seen = BTreeSet<AbsPath>;

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

/// The entries of the file at `path` and of what it imports, depth first. Returns whether the file itself gave one.
pub(super) fn gather(
    loading: &mut Loading<'_>,
    config: &Config,
    path: &AbsPath,
    kind: Kind,
    seen: &mut Seen,
    entries: &mut Vec<Entry>,
) -> bool {
    let before = entries.len();
    visit(loading, config, path, kind, seen, entries, 0, None);
    entries.get(before).is_some_and(|entry| entry.path == *path)
}

/// Recursion is bounded by the number of hops.
#[expect(clippy::too_many_arguments, reason = "the state of one recursion, which nothing else shares")]
fn visit(
    loading: &mut Loading<'_>,
    config: &Config,
    path: &AbsPath,
    kind: Kind,
    seen: &mut Seen,
    entries: &mut Vec<Entry>,
    hops: usize,
    importer: Option<(&AbsPath, Span, &str)>,
) {
    if kind.why != Why::Managed && config.excludes.iter().any(|glob| glob.matches(&path.to_str_lossy())) {
        match importer {
            Some((from, span, token)) => loading.skip_token(from, span, token, Some(path.clone()), Reason::Excluded),
            None if loading.world.is_file(path) => loading.skip_file(path, Reason::Excluded),
            None => {}
        }
        return;
    }
    let Some((source, layer)) = read(loading, path, kind, seen, importer) else { return };
    if js_trim(&source.text).is_empty() {
        loading.out.layers.truncate(layer);
        match importer {
            Some((from, span, token)) => loading.skip_token(from, span, token, Some(path.clone()), Reason::Empty),
            None => loading.skip_file(path, Reason::Empty),
        }
        return;
    }
    let dir = loading.out.layers[layer].real_path.dirname();
    let found = references(Grammar::Claude, &source.body);
    entries.push(Entry { path: path.clone(), text: source.text, globs: source.globs, layer });
    let mut named: Vec<AbsPath> = Vec::new();
    for reference in found {
        let token = reference.path.as_str();
        let span = Span::new(reference.span.start + source.offset, reference.span.end + source.offset);
        if let Some(inert) = reference.inert {
            loading.skip_token(path, span, token, None, inert_reason(inert));
            continue;
        }
        let target = match token.strip_prefix("~/") {
            Some(rest) => match loading.home() {
                Some(home) => home.join(rest),
                None => continue,
            },
            None => dir.resolve(token.as_bytes()),
        };
        if named.contains(&target) {
            continue;
        }
        named.push(target.clone());
        match refusal(loading, kind, &target, hops) {
            Some(reason) => loading.skip_token(path, span, token, Some(target), reason),
            None => visit(loading, config, &target, kind, seen, entries, hops + 1, Some((path, span, token))),
        }
    }
}

/// Why an import is not followed, before its file is looked at.
fn refusal(loading: &mut Loading<'_>, kind: Kind, target: &AbsPath, hops: usize) -> Option<Reason> {
    if hops >= MAX_HOPS {
        return Some(Reason::TooDeep(MAX_HOPS));
    }
    let real = loading.robust_real_path(target);
    let inside = target.is_within(&loading.start) && real.is_within(&loading.start);
    if !(kind.free || inside) {
        return Some(Reason::Outside(loading.start.clone()));
    }
    if let Some(extension) = extension(target.file_name()).filter(|extension| !EXTENSIONS.contains(&extension.as_str()))
    {
        // A token like `docs.md,` has the extension `md,`; the reader wants to know about the comma.
        let clean = extension.trim_end_matches([',', '.', ':', ';', '!', '?', ')', ']', '}', '"', '\'', '>']);
        let cut = extension.len() - clean.len();
        let spoiled = cut > 0 && {
            let bytes = target.as_bytes();
            loading.world.is_file(&AbsPath::new(&bytes[..bytes.len() - cut]))
        };
        return Some(if spoiled { Reason::Punctuation } else { Reason::Extension(extension) });
    }
    (!loading.may_import()).then_some(Reason::Limit)
}

/// The extension in lower case as Node's `path.extname` finds it; none for names like `.env` and `Makefile`.
fn extension(name: &[u8]) -> Option<String> {
    let name = String::from_utf8_lossy(name);
    let at = name.rfind('.').filter(|&at| at > 0)?;
    Some(name[at + 1..].to_lowercase())
}

/// Read a file that is not in the context yet.
fn read(
    loading: &mut Loading<'_>,
    path: &AbsPath,
    kind: Kind,
    seen: &mut Seen,
    importer: Option<(&AbsPath, Span, &str)>,
) -> Option<(Source, usize)> {
    let real = loading.world.real_path(path).unwrap_or_else(|_| path.clone());
    if seen.contains(&real) {
        match importer {
            Some((from, span, token)) => {
                loading.skip_token(from, span, token, Some(path.clone()), Reason::AlreadyLoaded)
            }
            None => loading.skip_file(path, Reason::AlreadyLoaded),
        }
        return None;
    }
    match (loading.world.read(path), importer) {
        (Ok(bytes), importer) => {
            seen.insert(real);
            let layer = match importer {
                Some((from, span, _)) => loading.import(path, &bytes, from, span),
                None => {
                    loading.consider(path, "loaded");
                    loading.layer(path, &bytes, kind.why)
                }
            };
            Some((Source::parse(&bytes), layer))
        }
        (Err(error), Some((from, span, token))) => {
            loading.skip_unread(from, span, token, path, &error);
            None
        }
        (Err(error), None) => {
            loading.not_read(path, &error);
            None
        }
    }
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
    // What was sent at start under the same path is not sent again.
    found.retain(|entry| !loaded.contains(&entry.path));
    loading.out.layers.retain(|layer| layer.part == PartName::Main || !loaded.contains(&layer.path));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_sorted_and_found_as_node_does() {
        assert!(EXTENSIONS.is_sorted());
        let check =
            |name: &str, expected: Option<&str>| assert_eq!(extension(name.as_bytes()).as_deref(), expected, "{name}");
        check("a.MD", Some("md"));
        check("a.tar.gz", Some("gz"));
        check(".env", None);
        check(".env.local", Some("local"));
        check("Makefile", None);
        check("a.", Some(""));
    }
}
