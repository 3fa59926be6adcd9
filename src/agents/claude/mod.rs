//! Claude Code at its start: policy and user files, everything from `/` down to the start directory, imports as entries of
//! their own, AGENTS.md in place of a missing CLAUDE.md, added directories, rules. What comes later is in `touch`.

mod builtins;
mod catalogue_defects;
mod deny;
mod excludes;
mod files;
pub(in crate::agents) mod hints;
mod marketplace;
mod memory;
pub(in crate::agents) mod plugins;
pub(crate) mod rules;
mod runs;
mod settings;
mod styles;
mod tags;
mod touch;
mod worktree;

use crate::agents::shared::context::{PartName, Reason, Why};
use crate::agents::shared::loading::Loading;
use crate::agents::shared::picomatch::Picomatch;
use crate::agents::shared::settings::{SettingsFormat, at, read, strings};
use crate::agents::{
    Boundary, Choice, Dialect, Evidence, Imports, Inside, Placement, Proof, RootMark, RuleDirectory, TextTreatment,
    Trim, Walk,
};
use crate::parse::imports::{Grammar, js_trim};
use crate::world::AbsPath;
use deny::Denied;
use files::{EXTENSIONS, FileOrigin, LoadedFile, SentFiles, gather};
use std::collections::BTreeSet;
use worktree::StartRepository;

/// The table. Observed in the requests of the released agent.
pub(super) const CLAUDE: Dialect = Dialect {
    id: "claude",
    title: "Claude Code",
    version: "2.1.330",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/memory", checked: "2026-11" },
    ],
    // The AGENTS.md names only while no CLAUDE.md on the walk has text (`instructionFiles`).
    names: &["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/AGENTS.md"],
    choice: Choice::FirstSetWithText(3),
    user_files: &[".claude/CLAUDE.md", ".claude/rules"],
    rules: &[RuleDirectory { path: ".claude/rules", suffix: ".md", key: "paths" }],
    root: RootMark::None,
    walk: Walk::FileSystem,
    imports: Some(Imports {
        grammar: Grammar::TextLeaves,
        placement: Placement::FollowsFile,
        // Observed: the fifth is not loaded.
        depth: 4,
        boundary: Boundary::Start,
        inside: Inside::Both,
        extensions: Some(EXTENSIONS),
    }),
    text: TextTreatment { trim: Trim::JavaScript, drops_frontmatter: true, ..TextTreatment::PLAIN },
    files: &hints::FILES,
    placement: "first user message, in a <system-reminder>",
    load,
    runs: Some(runs::read),
    answers: Some(crate::agents::runs::HookAnswers::PLAIN_OR_NESTED),
    hook_contract: Some(&runs::HOOK_CONTRACT),
    ignores_server_cwd: true,
    weakens: runs::weakens,
    file_rule: deny::file_rule,
    ..Dialect::BASE
};

const MANAGED: &str = "organization-managed policy instructions";
const PROJECT: &str = "project instructions, checked into the codebase";
const LOCAL: &str = "user's private project instructions, not checked in";
const USER: &str = "user's private global instructions for all projects";

/// The built-in plugin whose settings decide about AGENTS.md.
const PLUGIN: &str = "agents-md@builtin";
/// Where the machine's administrator puts a policy.
const POLICY: &str =
    if cfg!(target_os = "macos") { "/Library/Application Support/ClaudeCode" } else { "/etc/claude-code" };

/// Which names count (`instructionFiles` of the built-in agents-md plugin).
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Claude,
    ClaudeOrAgents,
    ClaudeAndAgents,
    ManagedOnly,
}

/// What settings decide.
struct ClaudeSettings {
    mode: Mode,
    /// Files that are left out, by absolute path.
    excludes: Vec<Picomatch>,
    /// Whether the user has approved imports from outside the start directory.
    external: bool,
    /// The user's directory of the agent.
    home: Option<AbsPath>,
    /// What the permissions withhold.
    denied: Denied,
    /// The repository around the start directory.
    repository: Option<StartRepository>,
    /// Directories whose files count beside those of the walk (`--add-dir`).
    added: Vec<AbsPath>,
}

impl ClaudeSettings {
    /// Whether `dir` lies in the main checkout around the worktree that the agent starts in: then its shared files are left out.
    fn repeats(&self, dir: &AbsPath) -> bool {
        self.repository.as_ref().is_some_and(|repository| repository.repeats(dir))
    }

    /// Files of the machine's policy.
    fn managed(&self, why: Why) -> FileOrigin {
        FileOrigin { label: MANAGED, why, free: self.external }
    }

    /// Files of the user's, for all projects.
    fn user(&self, why: Why) -> FileOrigin {
        FileOrigin { label: USER, why, free: true }
    }

    /// Files of the project.
    fn project(&self, why: Why) -> FileOrigin {
        FileOrigin { label: PROJECT, why, free: self.external }
    }

    /// Rules that hold wherever the agent starts: of the policy, then of the user.
    fn rules_everywhere(&self, loading: &Loading<'_>, why: [Why; 2]) -> Vec<(AbsPath, FileOrigin)> {
        let mut dirs = vec![(AbsPath::new(POLICY).join(".claude/rules"), self.managed(why[0]))];
        let home = self.home.as_ref().filter(|_| loading.options.user);
        dirs.extend(home.map(|home| (home.join("rules"), self.user(why[1]))));
        dirs
    }
}

fn load(loading: &mut Loading<'_>) {
    let config = configure(loading);
    let mut seen = SentFiles::new();
    let mut blocks = Vec::new();
    start_everywhere(loading, &config, &mut seen, &mut blocks);
    let dirs = loading.walk(None);
    let agents = start_walk(loading, &config, &dirs, &mut seen, &mut blocks);
    let mut texts: Vec<String> = blocks.iter().map(SentText::text).collect();
    texts.extend(memory::block(loading, config.home.as_ref()));
    loading.push_part(PartName::Main, texts.join("\n\n"), CLAUDE.placement);
    if let Some(touched) = loading.options.touch.clone() {
        loading.part = PartName::Touch;
        let text = touch::text(loading, &config, &dirs, &touched, agents, &own_texts(&blocks));
        loading.push_part(PartName::Touch, text, "tool result");
    }
}

/// The policy of the machine and the user's own files.
fn start_everywhere(loading: &mut Loading<'_>, config: &ClaudeSettings, seen: &mut SentFiles, out: &mut Vec<SentText>) {
    let managed = config.managed(Why::Managed);
    file(loading, config, &AbsPath::new(POLICY).join("CLAUDE.md"), managed, seen, out);
    for (dir, kind) in config.rules_everywhere(loading, [Why::Managed, Why::User]) {
        if kind.why == Why::User {
            if config.mode == Mode::ManagedOnly {
                continue;
            }
            file(loading, config, &dir.dirname().join("CLAUDE.md"), kind, seen, out);
        }
        rules(loading, config, &dir, kind, seen, out);
    }
}

/// The files of the walk and of the added directories; returns whether AGENTS.md stands in for CLAUDE.md.
fn start_walk(
    loading: &mut Loading<'_>,
    config: &ClaudeSettings,
    dirs: &[AbsPath],
    seen: &mut SentFiles,
    blocks: &mut Vec<SentText>,
) -> bool {
    if config.mode == Mode::ManagedOnly {
        return false;
    }
    let mut claude = false;
    for dir in dirs {
        claude |= claude_files(loading, config, dir, seen, blocks);
    }
    // A CLAUDE.md of an added directory stands for no AGENTS.md, and their own AGENTS.md do not count.
    for dir in &config.added {
        claude_files(loading, config, dir, seen, blocks);
    }
    let agents = config.mode == Mode::ClaudeOrAgents && !claude;
    let known = own_texts(blocks);
    for dir in dirs.iter().filter(|dir| !config.repeats(dir)) {
        if !agents && config.mode != Mode::ClaudeAndAgents {
            shadow(loading, dir);
            continue;
        }
        let mut found = Vec::new();
        for name in ["AGENTS.md", ".claude/AGENTS.md"] {
            file(loading, config, &dir.join(name), config.project(Why::Project), seen, &mut found);
        }
        found.retain(|block| !known.contains(&block.body) || leave_out(loading, &block.path));
        let at = place(blocks, dir);
        blocks.splice(at..at, found);
    }
    agents
}

/// The texts of the project's files, of which no AGENTS.md is sent as another copy.
fn own_texts(blocks: &[SentText]) -> BTreeSet<String> {
    blocks.iter().filter(|block| block.is_own && !block.body.is_empty()).map(|block| block.body.clone()).collect()
}

/// Put on record that the text of a loaded file is there already. The answer is `false`, as it is not kept.
fn leave_out(loading: &mut Loading<'_>, path: &AbsPath) -> bool {
    loading.out.layers.retain(|layer| layer.path != *path);
    loading.skip_file(path, Reason::AlreadyLoaded);
    false
}

/// Where the AGENTS.md of `dir` go: before the first file that belongs to a directory below it, else behind all of the project.
fn place(blocks: &[SentText], dir: &AbsPath) -> usize {
    let below = |text: &SentText| text.is_own && text.project != *dir && text.project.is_within(dir) && !dir.is_root();
    let first = blocks.iter().position(below);
    first.or_else(|| blocks.iter().rposition(|block| block.is_own).map(|at| at + 1)).unwrap_or(blocks.len())
}

/// The files of one directory except AGENTS.md; returns whether one of them, rules aside, is in the context with some text.
fn claude_files(
    loading: &mut Loading<'_>,
    config: &ClaudeSettings,
    dir: &AbsPath,
    seen: &mut SentFiles,
    blocks: &mut Vec<SentText>,
) -> bool {
    let project = config.project(Why::Project);
    let local = FileOrigin { label: LOCAL, why: Why::Local, free: config.external };
    let paths = [dir.join("CLAUDE.md"), dir.join(".claude/CLAUDE.md"), dir.join("CLAUDE.local.md")];
    if !config.repeats(dir) {
        file(loading, config, &paths[0], project, seen, blocks);
        file(loading, config, &paths[1], project, seen, blocks);
        rules(loading, config, &dir.join(".claude/rules"), project, seen, blocks);
    }
    file(loading, config, &paths[2], local, seen, blocks);
    // One that the user's own files import is there already, and counts all the same. The user's own file does not, in HOME.
    loading.out.layers.iter().any(|layer| layer.why != Why::User && paths.contains(&layer.path))
}

/// Put on record which AGENTS.md files a CLAUDE.md keeps out.
fn shadow(loading: &mut Loading<'_>, dir: &AbsPath) {
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

/// Add the blocks of one hint file and its imports.
fn file(
    loading: &mut Loading<'_>,
    config: &ClaudeSettings,
    path: &AbsPath,
    kind: FileOrigin,
    seen: &mut SentFiles,
    blocks: &mut Vec<SentText>,
) {
    let mut entries = Vec::new();
    gather(loading, config, path, kind, seen, &mut entries);
    for entry in entries {
        blocks.push(block(loading, &entry, kind));
    }
}

/// Add the blocks of the unconditional rules below `dir`.
fn rules(
    loading: &mut Loading<'_>,
    config: &ClaudeSettings,
    dir: &AbsPath,
    kind: FileOrigin,
    seen: &mut SentFiles,
    blocks: &mut Vec<SentText>,
) {
    for entry in rules::at_start(loading, config, dir, kind, seen) {
        blocks.push(block(loading, &entry, kind));
    }
}

/// One file as it is sent.
struct SentText {
    path: AbsPath,
    head: String,
    body: String,
    /// Whether it belongs to the project, not to the user or the machine.
    is_own: bool,
    /// The directory that the hint file belongs to which it is or is imported by.
    project: AbsPath,
}

impl SentText {
    fn text(&self) -> String {
        format!("{}{}", self.head, self.body)
    }
}

fn block(loading: &Loading<'_>, entry: &LoadedFile, kind: FileOrigin) -> SentText {
    let name = loading.show(&entry.path);
    SentText {
        path: entry.path.clone(),
        head: format!("Contents of {name} ({}):\n\n", kind.label),
        body: js_trim(&entry.text).to_owned(),
        is_own: !matches!(kind.why, Why::User | Why::Managed),
        project: project_dir(&entry.hint),
    }
}

/// The directory that a hint file belongs to: that of its `.claude`, or its own.
fn project_dir(path: &AbsPath) -> AbsPath {
    let at = memchr::memmem::rfind(path.as_bytes(), b"/.claude/");
    at.map_or_else(|| path.dirname(), |at| AbsPath::new(&*String::from_utf8_lossy(&path.as_bytes()[..at.max(1)])))
}

fn configure(loading: &mut Loading<'_>) -> ClaudeSettings {
    let home = loading.world.env().or_in_home("CLAUDE_CONFIG_DIR", ".claude").map(AbsPath::new);
    let layers = settings::layers(loading, home.as_ref());
    let given = loading.setting("instructionFiles").cloned();
    // Of the settings files only the user's is asked for this one.
    let chosen = given
        .unwrap_or_else(|| at(&layers[0].value, &["pluginConfigs", PLUGIN, "options", "instructionFiles"]).clone());
    let enabled = layers.iter().rev().find_map(|layer| at(&layer.value, &["enabledPlugins", PLUGIN]).as_bool());
    let mode = match chosen.as_str() {
        _ if enabled == Some(false) => Mode::Claude,
        Some("claude-md") => Mode::Claude,
        Some("claude-md-and-agents-md") => Mode::ClaudeAndAgents,
        Some("managed-only") => Mode::ManagedOnly,
        _ => Mode::ClaudeOrAgents,
    };
    let excludes = excludes::read(loading, &layers);
    let repository = StartRepository::around(loading.world, &loading.start);
    let external = external_approved(loading, home.as_ref(), repository.as_ref());
    let denied = Denied::read(&layers, &loading.start, loading.home().as_ref());
    ClaudeSettings { mode, excludes, denied, external, home, repository, added: added(loading) }
}

/// The directories of `--add-dir`, which is `--agent-option claude.addDirs` here. Their hint files count only while an
/// environment variable says so.
fn added(loading: &mut Loading<'_>) -> Vec<AbsPath> {
    const SWITCH: &str = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD";
    let given = loading.setting("addDirs").and_then(strings).unwrap_or_default();
    if !given.is_empty() && !loading.world.env().is_on(SWITCH) {
        loading.note(format!("the hint files of added directories are loaded only with {SWITCH}=1"));
        return Vec::new();
    }
    let dirs = given.iter().map(|dir| loading.start.resolve(dir.as_bytes()));
    dirs.filter(|dir| loading.world.is_dir(dir)).collect()
}

/// Whether the user has approved imports from outside, for the git root or that of the main checkout. Outside of a repository
/// the approval is that of the start directory.
fn external_approved(
    loading: &mut Loading<'_>,
    config_dir: Option<&AbsPath>,
    repository: Option<&StartRepository>,
) -> bool {
    let path = match loading.world.env().get("CLAUDE_CONFIG_DIR") {
        Some(_) => config_dir.map(|dir| dir.join(".claude.json")),
        None => loading.home().map(|home| home.join(".claude.json")),
    };
    let Some(path) = path else { return false };
    let state = read(loading, &path, SettingsFormat::STRICT_JSON);
    let roots = repository.map_or(vec![&loading.start], |repository| vec![&repository.root, &repository.main]);
    roots.into_iter().any(|dir| {
        let key = ["projects", &dir.to_str_lossy(), "hasClaudeMdExternalIncludesApproved"];
        at(&state, &key).as_bool() == Some(true)
    })
}
