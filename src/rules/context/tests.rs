//! What rules say about loading, held against what agents load in many generated repositories.

use std::collections::{BTreeMap, BTreeSet};

use crate::agents::context::{Conditional, Layer, Reason};
use crate::base::finding::Finding;
use crate::base::kind::{Kind, Role};
use crate::base::path::RepoPath;
use crate::config::Config;
use crate::parse::Document;
use crate::rules::run::{Selection, run};
use crate::source::history::Answers;
use crate::source::{EntryKind, Memory};
use crate::workspace::{Resolution, Workspace, load};

const WORLDS: u64 = 150;

/// A generator of repeatable numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % count
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

const DIRS: [&str; 8] = ["", "a/", "a/b/", ".github/", ".claude/", "docs/", "a/.claude/", ".devcontainer/"];
const NAMES: [&str; 12] = [
    "AGENTS.md",
    "AGENTS.md",
    "CLAUDE.md",
    "CLAUDE.md",
    "GEMINI.md",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    "QWEN.md",
    "AGENT.md",
    ".goosehints",
    "claude.md",
    "HINTS.md",
];
const PLACES: [&str; 12] = [
    ".claude/rules/r.md",
    ".claude/rules/deep/s.md",
    "a/.claude/rules/t.md",
    ".github/copilot-instructions.md",
    ".github/instructions/i.instructions.md",
    ".cursor/rules/c.mdc",
    ".cursorrules",
    ".clinerules/x.md",
    ".windsurf/rules/w.md",
    ".kiro/steering/k.md",
    ".continue/rules/n.md",
    "docs/imported.md",
];
const LINKS: [(&str, &str); 5] = [
    ("CLAUDE.md", "AGENTS.md"),
    ("a/AGENTS.md", "../AGENTS.md"),
    (".claude/rules/l.md", "../../docs/imported.md"),
    ("a/CLAUDE.md", "AGENTS.md"),
    (".github/AGENTS.md", "../CLAUDE.md"),
];
const SETTINGS: [(&str, &str); 5] = [
    (".codex/config.toml", "project_doc_fallback_filenames = [\"HINTS.md\"]\n"),
    (".codex/config.toml", "project_doc_max_bytes = 60\n"),
    (".codex/config.toml", "project_doc_max_bytes = 40\n"),
    (".gemini/settings.json", "{\"context\": {\"fileName\": [\"AGENTS.md\", \"HINTS.md\"]}}"),
    (".claude/settings.json", "{\"claudeMdExcludes\": [\"**/a/CLAUDE.md\"]}"),
];
const TEXTS: [&str; 9] = [
    "Plain words.\n",
    "---\npaths: src/**\n---\nA rule.\n",
    "---\napplyTo: '**'\nalwaysApply: true\n---\nA rule.\n",
    "@docs/imported.md\n",
    "See `@docs/imported.md` there.\n",
    "@docs/imported.md.\n\n@AGENTS.md\n",
    "```\n@docs/imported.md\n```\n",
    "@./AGENTS.md and @../AGENTS.md\n",
    "Long words. Long words. Long words. Long words. Long words. Long words.\n",
];
const CONFIGS: [&str; 4] = [
    "",
    "agents = [\"claude\"]\n",
    "agents = [\"codex\", \"opencode\", \"goose\"]\n",
    "agents = [\"claude\", \"codex\", \"copilot\", \"gemini\", \"qwen\", \"cline\", \"continue\"]\n",
];

/// A repository of a few files that some agents load and others do not.
fn world(seed: u64) -> (Config, Memory, String) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut files: BTreeMap<String, (EntryKind, String)> = BTreeMap::new();
    files.insert("src/main.rs".into(), (EntryKind::File, String::new()));
    for _ in 0..2 + dice.below(5) {
        let path = format!("{}{}", dice.pick(&DIRS), dice.pick(&NAMES));
        files.insert(path, (EntryKind::File, dice.pick(&TEXTS).into()));
    }
    for _ in 0..dice.below(4) {
        files.insert(dice.pick(&PLACES).into(), (EntryKind::File, dice.pick(&TEXTS).into()));
    }
    for (link, target) in (0..dice.below(2)).map(|_| LINKS[dice.below(LINKS.len())]).collect::<Vec<_>>() {
        files.insert(link.into(), (EntryKind::Symlink, target.into()));
    }
    if dice.below(2) == 0 {
        let (path, text) = SETTINGS[dice.below(SETTINGS.len())];
        files.insert(path.into(), (EntryKind::File, text.into()));
    }
    let config = dice.pick(&CONFIGS);
    let shown = format!("{config:?} {files:#?}");
    let config = Config::parse(&"hintlint.toml".into(), config).expect("the config is right");
    let files = files.into_iter().map(|(path, (kind, text))| (RepoPath::from(path.as_str()), kind, text.into_bytes()));
    (config, Memory::new(files), shown)
}

/// One agent's layers, waiting rules and files of one start directory, with paths of the repository.
struct ShownContext {
    agent: &'static str,
    /// Links resolved.
    files: BTreeSet<RepoPath>,
    /// Importer, offset of the token, and what it brought.
    imported: BTreeSet<(RepoPath, usize)>,
    cut: BTreeSet<RepoPath>,
}

/// What `show` says of every directory for every enabled agent.
fn show(workspace: &Workspace) -> Vec<ShownContext> {
    let mut dirs = BTreeSet::from([Vec::new()]);
    for entry in workspace.listing.iter() {
        dirs.extend(
            crate::base::path::ancestors_from_root(crate::base::path::parent(entry.path))
                .into_iter()
                .map(<[u8]>::to_vec),
        );
    }
    let mut all = Vec::new();
    for dialect in workspace.dialects() {
        for dir in &dirs {
            let loaded = workspace.context(dialect, dir);
            let context = &loaded.context;
            let real = |path: RepoPath| match workspace.resolve(path.as_bytes()) {
                Resolution::File(real) => real,
                _ => path,
            };
            let layer = |layer: &Layer| loaded.path(&layer.real_path).map(real);
            let waiting = |rule: &Conditional| loaded.path(&rule.path).map(real);
            let again = context.skipped.iter().filter(|skipped| skipped.reason == Reason::AlreadyLoaded);
            let again = again.filter_map(|skipped| loaded.path(skipped.path.as_ref()?)).map(real);
            let imported = context.layers.iter().filter_map(|layer| layer.imported_by.as_ref());
            all.push(ShownContext {
                agent: dialect.id,
                files: context
                    .layers
                    .iter()
                    .filter_map(layer)
                    .chain(context.conditional.iter().filter_map(waiting))
                    .chain(again)
                    .collect(),
                imported: imported.filter_map(|by| Some((real(loaded.path(&by.path)?), by.span.start))).collect(),
                cut: context.layers.iter().filter(|layer| layer.cut.is_some()).filter_map(layer).collect(),
            });
        }
    }
    all
}

/// The findings of one rule, at every level.
fn findings(rule: &str, config: Config, source: &Memory) -> Vec<Finding> {
    let loaded = load(source, config, &[]).expect("the patterns are right");
    let selection = Selection { select: vec![rule.to_owned()], ..Selection::default() };
    run(loaded, &selection, &mut |_| Answers::default()).findings
}

/// Whether agents load such files into a context.
fn is_loaded(document: &Document) -> bool {
    match document.kind {
        Kind::Of(kind) => !matches!(kind.role, Role::Command | Role::Subagent | Role::Style),
        Kind::AgentsMd | Kind::Configured | Kind::Imported => true,
        _ => false,
    }
}

#[test]
fn readers_are_those_whose_context_has_the_file() {
    for seed in 0..WORLDS {
        let (config, source, shown) = world(seed);
        let workspace = load(&source, config, &[]).expect("the patterns are right").workspace;
        let contexts = show(&workspace);
        for document in workspace.documents.iter().filter(|document| is_loaded(document)) {
            let loading: BTreeSet<&str> =
                contexts.iter().filter(|shown| shown.files.contains(&document.path)).map(|shown| shown.agent).collect();
            let readers: BTreeSet<&str> =
                workspace.readers(document).into_iter().filter(|agent| *agent != "merged").collect();
            assert_eq!(readers, loading, "{seed}: {} in {shown}", document.path.to_str_lossy());
        }
    }
}

#[test]
fn a_shadowed_file_is_in_no_context() {
    let mut found = 0;
    for seed in 0..WORLDS {
        let (config, source, shown) = world(seed);
        let workspace = load(&source, config.clone(), &[]).expect("the patterns are right").workspace;
        let contexts = show(&workspace);
        for finding in findings("shadowed-file", config, &source) {
            let loading: Vec<&str> =
                contexts.iter().filter(|shown| shown.files.contains(&finding.path)).map(|shown| shown.agent).collect();
            assert_eq!(loading, [""; 0], "{seed}: {finding:?} in {shown}");
            found += 1;
        }
    }
    assert!(found > 15, "{found}");
}

#[test]
fn a_file_is_truncated_where_a_context_cuts_it() {
    let mut found = 0;
    for seed in 0..WORLDS {
        let (config, source, shown) = world(seed);
        let workspace = load(&source, config.clone(), &[]).expect("the patterns are right").workspace;
        let told: BTreeSet<RepoPath> =
            findings("context-truncated", config, &source).into_iter().map(|finding| finding.path).collect();
        let contexts = show(&workspace);
        for path in contexts.iter().flat_map(|shown| &shown.cut) {
            assert!(told.contains(path), "{seed}: {} in {shown}", path.to_str_lossy());
            found += 1;
        }
    }
    assert!(found > 4, "{found}");
}

#[test]
fn an_import_that_is_not_loaded_is_in_no_context_of_its_file() {
    let mut found = 0;
    for seed in 0..WORLDS {
        let (config, source, shown) = world(seed);
        let workspace = load(&source, config.clone(), &[]).expect("the patterns are right").workspace;
        let contexts = show(&workspace);
        let all = findings("import-not-loaded", config, &source);
        for finding in all.iter().filter(|finding| !finding.message.contains("not always loaded")) {
            let token = (finding.path.clone(), finding.span.start);
            let importing = contexts.iter().filter(|shown| finding.agents.contains(&shown.agent));
            let importing: Vec<&str> =
                importing.filter(|shown| shown.imported.contains(&token)).map(|shown| shown.agent).collect();
            assert_eq!(importing, [""; 0], "{seed}: {finding:?} in {shown}");
            found += 1;
        }
    }
    assert!(found > 15, "{found}");
}
