//! The rules: the trait, the registry, the groups. One rule is one file plus one line in [`RULES`].
//!
//! Rules are pure: they see a frozen [`Workspace`] and the answers to the questions they asked of history, and do no I/O.

pub mod artifacts;
pub mod context;
pub mod drift;
pub mod frontmatter;
pub mod globs;
pub mod imports;
pub mod library;
mod memory;
pub mod meta;
pub mod packages;
pub mod plans;
pub mod references;
pub mod run;
mod settings;
#[cfg(test)]
mod testing;
pub mod unicode;

use std::collections::BTreeSet;
use std::sync::LazyLock;

pub use crate::base::evidence::Evidence;
use crate::base::finding::{Finding, Level};
use crate::compile::Artifacts;
use crate::parse::Document;
use crate::source::history::{Answers, Questions};
use crate::workspace::Workspace;
pub(crate) use memory::RuleMemory;

/// Rule groups, in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Hidden and deceptive characters.
    Unicode,
    /// `@path` imports.
    Imports,
    /// YAML frontmatter.
    Frontmatter,
    /// Path patterns.
    Globs,
    /// Paths, links and commands that the text names.
    References,
    /// What agents make of the files.
    Context,
    /// Copies that should agree.
    Drift,
    /// Plans with checkboxes.
    Plans,
    /// Hint libraries.
    Library,
    /// Hint packages.
    Packages,
    /// Committed context artifacts.
    Artifacts,
    /// What a repository makes agents run.
    Settings,
    /// The linter's own config and suppressions.
    Meta,
}

impl Group {
    /// All groups, in order.
    pub const ALL: [Group; 13] = [
        Group::Unicode,
        Group::Imports,
        Group::Frontmatter,
        Group::Globs,
        Group::References,
        Group::Context,
        Group::Drift,
        Group::Plans,
        Group::Library,
        Group::Packages,
        Group::Artifacts,
        Group::Settings,
        Group::Meta,
    ];

    /// The group's name in config, switches and reports.
    pub fn name(self) -> &'static str {
        match self {
            Group::Unicode => "unicode",
            Group::Imports => "imports",
            Group::Frontmatter => "frontmatter",
            Group::Globs => "globs",
            Group::References => "references",
            Group::Context => "context",
            Group::Drift => "drift",
            Group::Plans => "plans",
            Group::Library => "library",
            Group::Packages => "packages",
            Group::Artifacts => "artifacts",
            Group::Settings => "settings",
            Group::Meta => "meta",
        }
    }
}

/// Whether a rule can offer fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixAvailability {
    /// Never.
    None,
    /// For some findings.
    Sometimes,
    /// For every finding.
    Always,
}

/// A rule's card. `explain`, the README table, SARIF and the config schema all read it.
#[derive(Debug)]
pub struct RuleInfo {
    /// Kebab-case name of the bad pattern.
    pub name: &'static str,
    /// Its group.
    pub group: Group,
    /// Default levels, the usual one first; further ones say what they depend on in `explanation`.
    pub levels: &'static [Level],
    /// One line: what is reported.
    pub summary: &'static str,
    /// Markdown with the headings `## What it does`, `## Why is this bad?`, `## Example`, `## How to fix`.
    pub explanation: &'static str,
    /// Where the claim comes from.
    pub evidence: &'static [Evidence],
    /// Whether fixes are offered.
    pub fix: FixAvailability,
    /// Former names, still understood.
    pub aliases: &'static [&'static str],
}

/// What a rule may look at.
pub struct Cx<'a> {
    /// Everything that was loaded.
    pub workspace: &'a Workspace,
    /// What is known of the workspace's artifacts.
    pub artifacts: &'a Artifacts,
    /// What history answered to the rules' questions.
    pub answers: &'a Answers,
    /// The rules that the user asked for by name, group or `all`.
    pub selected: &'a BTreeSet<&'static str>,
    /// The lowest level at which a finding of a rule that was not selected counts.
    pub floor: Level,
    /// What rules worked out in this run.
    pub(crate) memory: &'a RuleMemory,
}

impl Cx<'_> {
    /// Whether anything depends on findings of `info` at `level`. Findings that are not shown need not be computed.
    pub fn matters(&self, info: &RuleInfo, level: Level) -> bool {
        let config = &self.workspace.config;
        let settings = || config.rules.iter().chain(config.overrides.iter().flat_map(|table| &table.rules));
        let named = |name: &str| name == info.name || name == info.group.name() || info.aliases.contains(&name);
        level >= self.floor
            || self.selected.contains(info.name)
            || settings().any(|setting| setting.level.is_some() && named(&setting.name))
    }
}

/// One rule.
pub trait Rule: Sync {
    /// The rule's card.
    fn info(&self) -> &'static RuleInfo;

    /// Ask of history what [`Rule::check`] will need, and nothing that no shown finding needs. Called once, before any check.
    /// `cx` has no answers yet.
    fn ask(&self, _cx: &Cx<'_>, _questions: &mut Questions) {}

    /// Check one document. Documents are checked in parallel.
    fn check(&self, _document: &Document, _cx: &Cx<'_>, _findings: &mut Vec<Finding>) {}

    /// Check what concerns more than one file, once per run.
    fn check_workspace(&self, _cx: &Cx<'_>, _findings: &mut Vec<Finding>) {}
}

/// All rules, by group and name: one slice per folder.
pub static RULES: LazyLock<Vec<&'static dyn Rule>> = LazyLock::new(|| {
    let mut rules = [
        artifacts::RULES,
        context::RULES,
        drift::RULES,
        frontmatter::RULES,
        globs::RULES,
        imports::RULES,
        library::RULES,
        meta::RULES,
        packages::RULES,
        plans::RULES,
        references::RULES,
        settings::RULES,
        unicode::RULES,
        #[cfg(test)]
        testing::RULES,
    ]
    .concat();
    rules.sort_by_key(|rule| (rule.info().group, rule.info().name));
    rules
});

/// The rule called `name`, or formerly called so.
pub fn find(name: &str) -> Option<&'static RuleInfo> {
    RULES.iter().map(|rule| rule.info()).find(|info| info.name == name || info.aliases.contains(&name))
}

/// The address of the page about `rule`, in this version's documentation; `None` where there is no such rule.
pub fn rule_url(rule: &str) -> Option<String> {
    let info = find(rule)?;
    let (repository, version) = (env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"));
    Some(format!("{repository}/blob/v{version}/docs/rules/{}.md", info.name))
}

/// Whether a comment in the file itself, or a baseline, may silence the finding. Errors about hidden text may not be: whoever
/// hides text would silence its finding too.
pub(crate) fn is_silenceable(finding: &Finding) -> bool {
    let is_hidden_text =
        finding.level == Level::Error && find(finding.rule).is_some_and(|info| info.group == Group::Unicode);
    !is_hidden_text && finding.rule != "conflict-markers" && finding.rule != "import-escapes-repository"
}
