//! Which paths are hint files, and of which kind. Decided by name and place alone; no file is read here.

use std::collections::BTreeMap;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::base::path::{self, RepoPath, bytes_to_os_path};
use crate::config::{Config, DEFAULT_OUTPUT};
use crate::source::{EntryKind, ListedPath, Listing};

/// What a hint file is, and so how it is parsed and which rules look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `AGENTS.md`, `.claude/AGENTS.md`
    AgentsMd,
    /// `AGENTS.override.md`
    AgentsOverride,
    /// `CLAUDE.md`, `.claude/CLAUDE.md`
    ClaudeMd,
    /// `CLAUDE.local.md`
    ClaudeLocal,
    /// `GEMINI.md`
    GeminiMd,
    /// `QWEN.md`, `.qwen/QWEN.local.md`
    QwenMd,
    /// `CONTEXT.md`, where opencode is used
    ContextMd,
    /// `.dexhints`, `DEX.md`
    DexHints,
    /// `.goosehints`
    GooseHints,
    /// `.claude/rules/**/*.md`, `.qwen/rules/**/*.md`
    ClaudeRule,
    /// `.claude/commands/**/*.md`
    ClaudeCommand,
    /// `.claude/agents/**/*.md`
    ClaudeAgent,
    /// `SKILL.md`
    Skill,
    /// `.cursor/rules/**/*.mdc`
    CursorRule,
    /// `.cursorrules`
    CursorLegacy,
    /// `.github/copilot-instructions.md`
    CopilotInstructions,
    /// `.github/instructions/**/*.instructions.md`
    CopilotScoped,
    /// `.github/prompts/**/*.prompt.md`
    CopilotPrompt,
    /// `.github/agents/**/*.agent.md`, `.github/chatmodes/**/*.chatmode.md`
    CopilotAgent,
    /// `.windsurf/rules/**/*.md`, `.devin/rules/**/*.md`
    WindsurfRule,
    /// `.windsurfrules`
    WindsurfLegacy,
    /// `.clinerules`, `.clinerules/**/*.{md,txt}`
    ClineRule,
    /// `.kiro/steering/**/*.md`
    KiroSteering,
    /// A plan with checkboxes, by the config's `[plans] paths`
    Plan,
    /// A hint of the library, by the config's `[library] paths`
    LibraryHint,
    /// `hints/<name>/hint.md`
    PackageHint,
    /// `hints/<name>/hint.yaml`
    PackageYaml,
    /// A committed context artifact: our place and our header
    Artifact,
    /// `.roo/rules/**`, `.continue/rules/**`, `.junie/guidelines.md`, `CRUSH.md` and the like, without a schema here
    OtherRules,
    /// A name that an agent's tracked settings add
    Configured,
    /// A file that is here only because a hint file imports it
    Imported,
    /// A file that was named on the command line and is nothing else
    Markdown,
    /// Any other text file, searched for hidden characters and not parsed
    Text,
}

impl Kind {
    /// The kind's name in `hintlint files` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::AgentsMd => "agents-md",
            Kind::AgentsOverride => "agents-override",
            Kind::ClaudeMd => "claude-md",
            Kind::ClaudeLocal => "claude-local",
            Kind::GeminiMd => "gemini-md",
            Kind::QwenMd => "qwen-md",
            Kind::ContextMd => "context-md",
            Kind::DexHints => "dex-hints",
            Kind::GooseHints => "goose-hints",
            Kind::ClaudeRule => "claude-rule",
            Kind::ClaudeCommand => "claude-command",
            Kind::ClaudeAgent => "claude-agent",
            Kind::Skill => "skill",
            Kind::CursorRule => "cursor-rule",
            Kind::CursorLegacy => "cursor-legacy",
            Kind::CopilotInstructions => "copilot-instructions",
            Kind::CopilotScoped => "copilot-scoped",
            Kind::CopilotPrompt => "copilot-prompt",
            Kind::CopilotAgent => "copilot-agent",
            Kind::WindsurfRule => "windsurf-rule",
            Kind::WindsurfLegacy => "windsurf-legacy",
            Kind::ClineRule => "cline-rule",
            Kind::KiroSteering => "kiro-steering",
            Kind::Plan => "plan",
            Kind::LibraryHint => "library-hint",
            Kind::PackageHint => "package-hint",
            Kind::PackageYaml => "package-yaml",
            Kind::Artifact => "artifact",
            Kind::OtherRules => "other-rules",
            Kind::Configured => "configured",
            Kind::Imported => "imported",
            Kind::Markdown => "markdown",
            Kind::Text => "text",
        }
    }

    /// Whether the file's body is read as Markdown.
    pub fn is_markdown(self) -> bool {
        !matches!(self, Kind::PackageYaml | Kind::Text)
    }

    /// How the file's frontmatter is read.
    pub fn frontmatter(self) -> FrontmatterStyle {
        match self {
            Kind::PackageYaml => FrontmatterStyle::WholeFile,
            Kind::CursorRule | Kind::WindsurfRule => FrontmatterStyle::Mdc,
            Kind::Artifact | Kind::Text => FrontmatterStyle::None,
            _ => FrontmatterStyle::Yaml,
        }
    }
}

/// How a kind's frontmatter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontmatterStyle {
    /// The kind has none.
    None,
    /// YAML between `---` lines at the first byte (after a byte order mark).
    Yaml,
    /// The same, read line by line as Cursor and Windsurf do, whose own documentation has `globs: *.ts, src/**` without quotes.
    Mdc,
    /// The whole file is YAML.
    WholeFile,
}

/// One file to check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// Where it stands.
    pub path: RepoPath,
    /// What it is.
    pub kind: Kind,
}

/// The compiled patterns that decide what a path is.
#[derive(Debug)]
pub struct Discovery {
    exclude: Gitignore,
    plans: Gitignore,
    library: Gitignore,
    packages: Vec<u8>,
    artifacts: Vec<u8>,
    named_by_settings: BTreeMap<Vec<u8>, &'static str>,
}

/// A pattern of the config that is not a valid glob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    /// The pattern as written.
    pub pattern: String,
    /// What is wrong with it.
    pub message: String,
}

/// Compile gitignore-style patterns, anchored at the repository root.
///
/// # Errors
/// The first pattern that is no valid glob.
pub fn patterns<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Result<Gitignore, BadPattern> {
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        let bad =
            |error: ignore::Error| BadPattern { pattern: pattern.as_ref().to_owned(), message: error.to_string() };
        builder.add_line(None, pattern.as_ref()).map_err(bad)?;
    }
    builder.build().map_err(|error| BadPattern { pattern: String::new(), message: error.to_string() })
}

/// Whether `patterns` match `path` itself or a folder above it.
pub fn matches(patterns: &Gitignore, path: &[u8]) -> bool {
    !patterns.is_empty() && patterns.matched_path_or_any_parents(bytes_to_os_path(path), false).is_ignore()
}

impl Discovery {
    /// Compile the patterns of `config`.
    ///
    /// # Errors
    /// The first pattern that is no valid glob.
    pub fn new(config: &Config) -> Result<Self, BadPattern> {
        Ok(Discovery {
            exclude: patterns(config.exclude.iter().map(|(pattern, _)| pattern))?,
            plans: patterns(&config.plans)?,
            library: patterns(&config.library)?,
            packages: config.packages.clone().into_bytes(),
            artifacts: path::resolve(b"", config.compile.output.as_bytes()).unwrap_or_default(),
            named_by_settings: BTreeMap::new(),
        })
    }

    /// Take file names that an agent's tracked settings add, such as Codex's `project_doc_fallback_filenames`.
    pub fn add_names(&mut self, agent: &'static str, names: impl IntoIterator<Item = String>) {
        for name in names {
            self.named_by_settings.insert(name.into_bytes(), agent);
        }
    }

    /// Whether the config excludes `path`.
    pub fn is_excluded(&self, path: &[u8]) -> bool {
        matches(&self.exclude, path)
    }

    /// The pattern that excludes `path`.
    pub fn excluded_by(&self, path: &[u8]) -> Option<String> {
        match self.exclude.matched_path_or_any_parents(bytes_to_os_path(path), false) {
            ignore::Match::Ignore(glob) => Some(glob.original().to_owned()),
            _ => None,
        }
    }

    /// Whether `path` lies in the artifacts' folder, or where they are by default and may have been left, and has an
    /// artifact's name.
    pub fn is_artifact_place(&self, path: &[u8]) -> bool {
        let places = [self.artifacts.as_slice(), DEFAULT_OUTPUT.as_bytes()];
        path.ends_with(b".md") && places.iter().any(|place| below(path, place))
    }

    /// What `path` is, by its name and place; excluded or not.
    pub fn kind(&self, path: &[u8]) -> Option<Kind> {
        let name = path::file_name(path);
        if self.is_artifact_place(path) {
            return Some(Kind::Artifact);
        }
        if !could_be_hint(name) && !self.named_by_settings.contains_key(name) {
            let legacy = path.ends_with(b".txt") && has_folder(path, b".clinerules");
            return legacy.then_some(Kind::ClineRule);
        }
        by_name(path, name)
            .or_else(|| by_folder(path, name))
            .or_else(|| self.by_package(path, name))
            .or_else(|| self.by_config(path, name))
            .or_else(|| self.named_by_settings.contains_key(name).then_some(Kind::Configured))
    }

    fn by_package(&self, path: &[u8], name: &[u8]) -> Option<Kind> {
        let package = path::parent(path);
        if package.is_empty() || path::parent(package) != self.packages {
            return None;
        }
        match name {
            b"hint.md" => Some(Kind::PackageHint),
            b"hint.yaml" => Some(Kind::PackageYaml),
            _ => None,
        }
    }

    fn by_config(&self, path: &[u8], name: &[u8]) -> Option<Kind> {
        if !name.ends_with(b".md") {
            return None;
        }
        if matches(&self.plans, path) {
            let never = name.eq_ignore_ascii_case(b"README.md") || name.eq_ignore_ascii_case(b"TODO.md");
            return (!never).then_some(Kind::Plan);
        }
        matches(&self.library, path).then_some(Kind::LibraryHint)
    }

    /// All candidates of a listing, in its order. Excluded files are left out.
    pub fn candidates(&self, listing: &Listing) -> Vec<Candidate> {
        let candidate = |entry: ListedPath<'_>| {
            let kind = self.kind(entry.path).filter(|_| entry.kind != EntryKind::Submodule)?;
            (!self.is_excluded(entry.path)).then(|| Candidate { path: RepoPath::new(entry.path), kind })
        };
        match self.named_by_settings.is_empty() {
            true => listing.marked().filter_map(candidate).collect(),
            // Settings may name any file.
            false => listing.iter().filter_map(candidate).collect(),
        }
    }
}

/// Whether any hint file could have this name: the one test that every path of a large repository goes through.
fn could_be_hint(name: &[u8]) -> bool {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(0) => name.len() > 4,
        Some(dot) => matches!(&name[dot + 1..], b"md" | b"mdc" | b"yaml" | b"mdx"),
        None => false,
    }
}

/// Names that mean the same wherever they stand.
fn by_name(path: &[u8], name: &[u8]) -> Option<Kind> {
    let exact = match name {
        b"AGENTS.md" | b"AGENT.md" => Some(Kind::AgentsMd),
        b"AGENTS.override.md" => Some(Kind::AgentsOverride),
        b"CLAUDE.md" => Some(Kind::ClaudeMd),
        b"CLAUDE.local.md" => Some(Kind::ClaudeLocal),
        b"GEMINI.md" => Some(Kind::GeminiMd),
        b"QWEN.md" => Some(Kind::QwenMd),
        b"CRUSH.md" => Some(Kind::OtherRules),
        b".dexhints" | b"DEX.md" => Some(Kind::DexHints),
        b".goosehints" => Some(Kind::GooseHints),
        b"SKILL.md" => Some(Kind::Skill),
        b".cursorrules" => Some(Kind::CursorLegacy),
        b".windsurfrules" => Some(Kind::WindsurfLegacy),
        b".clinerules" => Some(Kind::ClineRule),
        b".roorules" | b".rules" => Some(Kind::OtherRules),
        _ if name.starts_with(b".roorules-") => Some(Kind::OtherRules),
        _ => None,
    };
    if exact.is_some() || memchr::memchr(b'/', path).is_some() {
        return exact;
    }
    // At the root a name in the wrong case is a hint file that its author believes in; deeper it is some page of documentation.
    match name.to_ascii_lowercase().as_slice() {
        b"agents.md" => Some(Kind::AgentsMd),
        b"claude.md" => Some(Kind::ClaudeMd),
        b"gemini.md" => Some(Kind::GeminiMd),
        b"qwen.md" => Some(Kind::QwenMd),
        _ => None,
    }
}

/// Folders whose files are hint files, at the root or below any directory.
fn by_folder(path: &[u8], name: &[u8]) -> Option<Kind> {
    let md = name.ends_with(b".md");
    let folder = |folder: &[u8]| has_folder(path, folder);
    let in_claude = md && folder(b".claude");
    match () {
        () if in_claude && folder(b".claude/rules") => Some(Kind::ClaudeRule),
        () if in_claude && folder(b".claude/commands") => Some(Kind::ClaudeCommand),
        () if in_claude && folder(b".claude/agents") => Some(Kind::ClaudeAgent),
        () if md && folder(b".qwen/rules") => Some(Kind::ClaudeRule),
        () if path.ends_with(b".qwen/QWEN.local.md") => Some(Kind::QwenMd),
        () if name.ends_with(b".mdc") && folder(b".cursor/rules") => Some(Kind::CursorRule),
        () if !memchr::memmem::find(path, b".github/").is_some_and(|at| at == 0 || path[at - 1] == b'/') => {
            other_folders(path, md)
        }
        () if path.ends_with(b".github/copilot-instructions.md") => Some(Kind::CopilotInstructions),
        () if name.ends_with(b".instructions.md") && folder(b".github/instructions") => Some(Kind::CopilotScoped),
        () if name.ends_with(b".prompt.md") && folder(b".github/prompts") => Some(Kind::CopilotPrompt),
        () if name.ends_with(b".agent.md") && folder(b".github/agents") => Some(Kind::CopilotAgent),
        () if name.ends_with(b".chatmode.md") && folder(b".github/chatmodes") => Some(Kind::CopilotAgent),
        () => None,
    }
}

fn other_folders(path: &[u8], md: bool) -> Option<Kind> {
    if !md || memchr::memchr(b'.', path).is_none_or(|at| at + 3 > path.len()) {
        return None;
    }
    let folder = |folder: &[u8]| has_folder(path, folder);
    match () {
        () if folder(b".windsurf/rules") || folder(b".devin/rules") => Some(Kind::WindsurfRule),
        () if folder(b".clinerules") => Some(Kind::ClineRule),
        () if folder(b".kiro/steering") => Some(Kind::KiroSteering),
        () if folder(b".roo/rules") || memchr::memmem::find(path, b".roo/rules-").is_some() => Some(Kind::OtherRules),
        () if folder(b".continue/rules") || path.ends_with(b".junie/guidelines.md") => Some(Kind::OtherRules),
        () => None,
    }
}

/// Whether `path` lies in `folder`, which stands at the root or below some directory.
fn has_folder(path: &[u8], folder: &[u8]) -> bool {
    memchr::memmem::find_iter(path, folder)
        .any(|at| (at == 0 || path[at - 1] == b'/') && path.get(at + folder.len()) == Some(&b'/'))
}

/// Whether `path` lies in `folder`, counted from the root.
fn below(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(b"/"))
}

/// Folders of text that describes repositories other than the one it stands in.
const ILLUSTRATIVE: [&str; 10] = [
    "template",
    "templates",
    "fixture",
    "fixtures",
    "example",
    "examples",
    "sample",
    "samples",
    "testdata",
    "__fixtures__",
];

/// Folders in which agents look for the skills of the repository itself.
const OWN_SKILLS: [&str; 17] = [
    ".agents",
    ".claude",
    ".cline",
    ".codex",
    ".continue",
    ".copilot",
    ".cursor",
    ".devin",
    ".gemini",
    ".github",
    ".goose",
    ".kiro",
    ".opencode",
    ".qwen",
    ".roo",
    ".windsurf",
    ".factory",
];

/// Folders of files that are kept as records.
const RECORDS: [&str; 5] = ["archive", "archived", "archives", "attic", "historical"];

fn is_one_of(folder: &[u8], names: &[&str]) -> bool {
    names.iter().any(|name| folder.eq_ignore_ascii_case(name.as_bytes()))
}

/// Whether the file at `path` is a template, a fixture or an example.
pub fn is_illustrative(path: &[u8]) -> bool {
    folders(path).any(|folder| is_one_of(folder, &ILLUSTRATIVE))
}

fn folders(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path::parent(path).split(|&byte| byte == b'/')
}

/// Why nobody may hold the paths that a hint file names against the repository that it stands in, by its own path: a skill that
/// is handed out, a template, a fixture, an example, a record of the past. `Workspace::is_for_elsewhere` knows one reason more.
pub fn describes_other_repositories(path: &[u8], kind: Kind) -> Option<String> {
    if let Some(folder) = folders(path).find(|folder| is_one_of(folder, &ILLUSTRATIVE)) {
        return Some(format!("below {}/: describes other repositories", String::from_utf8_lossy(folder)));
    }
    if let Some(folder) = folders(path).find(|folder| is_one_of(folder, &RECORDS)) {
        return Some(format!("below {}/: a record of how things were", String::from_utf8_lossy(folder)));
    }
    is_handed_out(path, kind).then(|| "a skill that is handed out: describes other repositories".to_owned())
}

/// Whether the file at `path` is a skill in none of the folders where agents look for skills.
pub fn is_handed_out(path: &[u8], kind: Kind) -> bool {
    kind == Kind::Skill && !stands_among_own_skills(path)
}

/// Whether `path` lies in a folder where agents look for the skills of the repository itself.
pub fn stands_among_own_skills(path: &[u8]) -> bool {
    folders(path).any(|folder| is_one_of(folder, &OWN_SKILLS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_name_and_place() {
        let discovery = Discovery::new(&Config::default()).unwrap();
        let cases: &[(&str, Option<Kind>)] = &[
            ("AGENTS.md", Some(Kind::AgentsMd)),
            ("a/b/CLAUDE.md", Some(Kind::ClaudeMd)),
            ("claude.md", Some(Kind::ClaudeMd)),
            ("docs/ja/agents.md", None),
            ("x/.claude/rules/deep/r.md", Some(Kind::ClaudeRule)),
            (".claude/rules/r.txt", None),
            ("notclaude/.claudex/rules/r.md", None),
            (".cursor/rules/a/b.mdc", Some(Kind::CursorRule)),
            (".cursor/rules/a.md", None),
            (".github/copilot-instructions.md", Some(Kind::CopilotInstructions)),
            (".github/instructions/x/ts.instructions.md", Some(Kind::CopilotScoped)),
            (".github/prompts/p.prompt.md", Some(Kind::CopilotPrompt)),
            ("skills/x/SKILL.md", Some(Kind::Skill)),
            ("hints/git/hint.md", Some(Kind::PackageHint)),
            ("hints/git/hint.yaml", Some(Kind::PackageYaml)),
            ("hints/hint.md", None),
            ("src/hints/a/b.md", Some(Kind::LibraryHint)),
            ("docs/plans/2026/x.md", Some(Kind::Plan)),
            ("docs/plans/README.md", None),
            ("PLAN.md", Some(Kind::Plan)),
            (".clinerules/x.txt", Some(Kind::ClineRule)),
            (".hintlint/context/a/merged.md", Some(Kind::Artifact)),
            ("README.md", None),
            (".goosehints", Some(Kind::GooseHints)),
        ];
        for (path, kind) in cases {
            assert_eq!(discovery.kind(path.as_bytes()), *kind, "{path}");
            assert_eq!(discovery.candidates(&Listing::of_files([path])).len(), usize::from(kind.is_some()), "{path}");
        }
    }

    #[test]
    fn what_is_handed_out_describes_other_repositories() {
        let why = |path: &str, kind| describes_other_repositories(path.as_bytes(), kind).is_some();
        for (path, kind) in [
            ("skills/x/SKILL.md", Kind::Skill),
            ("SKILL.md", Kind::Skill),
            ("plugins/p/skills/x/SKILL.md", Kind::Skill),
            ("templates/AGENTS.md", Kind::AgentsMd),
            ("a/Examples/b/CLAUDE.md", Kind::ClaudeMd),
            ("__tests__/__fixtures__/SKILL.md", Kind::Skill),
            ("docs/archive/CLAUDE.md", Kind::ClaudeMd),
        ] {
            assert!(why(path, kind), "{path}");
        }
        for (path, kind) in [
            (".claude/skills/x/SKILL.md", Kind::Skill),
            (".agents/skills/x/SKILL.md", Kind::Skill),
            ("skills/AGENTS.md", Kind::AgentsMd),
            ("src/example.rs/AGENTS.md", Kind::AgentsMd),
        ] {
            assert!(!why(path, kind), "{path}");
        }
    }

    #[test]
    fn excluded_files_are_no_candidates() {
        let config = Config { exclude: vec![("vendor/**".into(), Default::default())], ..Config::default() };
        let discovery = Discovery::new(&config).unwrap();
        let found = discovery.candidates(&Listing::of_files(["vendor/AGENTS.md", "AGENTS.md"]));
        assert_eq!(found, [Candidate { path: "AGENTS.md".into(), kind: Kind::AgentsMd }]);
        assert_eq!(discovery.excluded_by(b"vendor/AGENTS.md").as_deref(), Some("vendor/**"));
    }
}
