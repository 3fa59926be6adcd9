//! Following what documents name: imports in rounds until nothing new is named, and the pages of skills.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::read::WorkspaceLoader;
use super::{MAX_IMPORTED_FILES, PARALLEL_FROM};
use crate::base::defect;
use crate::base::error::Failure;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::source::Probe;
use crate::workspace::aliases::Aliases;
use crate::workspace::imports::{self, Import, ImportTarget};
use crate::workspace::pages;

impl WorkspaceLoader<'_> {
    /// Follow imports breadth first. Each round reads the files that the last one named for the first time.
    pub(super) fn follow_imports(&mut self) {
        let mut agents: BTreeMap<RepoPath, BTreeSet<&'static str>> = BTreeMap::new();
        for document in self.documents.values() {
            let importing = imports::importing_agents(self.workspace, document);
            if !importing.is_empty() {
                agents.insert(document.path.clone(), importing.into_iter().collect());
            }
        }
        let mut found: BTreeMap<(RepoPath, usize), Import> = BTreeMap::new();
        let mut round: BTreeSet<RepoPath> = agents.keys().cloned().collect();
        while !round.is_empty() {
            let mut named: BTreeMap<RepoPath, BTreeSet<&'static str>> = BTreeMap::new();
            for (importer, tokens) in self.tokens(&round, &agents) {
                let Some(tokens) = tokens else {
                    let message = defect::message("the imports of this file could not be collected");
                    self.failures.push(Failure { path: importer.clone(), message });
                    continue;
                };
                for (span, written, recognisers) in tokens {
                    let Some(target) = imports::aim(self.workspace, importer, &written) else { continue };
                    if let ImportTarget::File(path) = &target {
                        named.entry(path.clone()).or_default().extend(&recognisers);
                    }
                    let import = Import { importer: importer.clone(), span, written, agents: recognisers, target };
                    found.insert((importer.clone(), span.start), import);
                }
            }
            round = self.next_round(named, &mut agents);
        }
        self.workspace.imports = found.into_values().collect();
        self.settle_targets();
    }

    /// The import tokens of each document of a round, for the agents that load it; none where looking for them panicked.
    fn tokens<'r>(
        &self,
        round: &'r BTreeSet<RepoPath>,
        agents: &BTreeMap<RepoPath, BTreeSet<&'static str>>,
    ) -> Vec<(&'r RepoPath, Option<Vec<imports::ReadToken>>)> {
        let documents = &self.documents;
        let tokens = |importer: &'r RepoPath| {
            let document = documents.get(importer)?;
            let who: Vec<_> = agents.get(importer).into_iter().flatten().copied().collect();
            Some((importer, defect::contain(|| imports::tokens(document, &who))))
        };
        if round.len() < PARALLEL_FROM {
            return round.iter().filter_map(tokens).collect();
        }
        let round: Vec<&RepoPath> = round.iter().collect();
        round.into_par_iter().filter_map(tokens).collect()
    }

    fn next_round(
        &mut self,
        named: BTreeMap<RepoPath, BTreeSet<&'static str>>,
        agents: &mut BTreeMap<RepoPath, BTreeSet<&'static str>>,
    ) -> BTreeSet<RepoPath> {
        let known = |loader: &Self, path: &RepoPath| {
            loader.documents.contains_key(path) || loader.workspace.unreadable.contains_key(path)
        };
        let room = MAX_IMPORTED_FILES.saturating_sub(self.documents.len());
        let new: Vec<_> = named.keys().filter(|path| !known(self, path)).take(room).cloned().collect();
        self.read(new.into_iter().map(|path| (path, Kind::Imported)).collect());
        let mut round = BTreeSet::new();
        for (path, who) in named {
            let all = agents.entry(path.clone()).or_default();
            let before = all.len();
            all.extend(who);
            if all.len() > before {
                round.insert(path);
            }
        }
        round
    }

    /// Read the Markdown files to which skills lead, step by step.
    pub(super) fn read_pages(&mut self) {
        let skills = self.documents.values().filter(|document| document.kind == Kind::Skill);
        let mut from: Vec<RepoPath> = skills.map(|document| document.path.clone()).collect();
        let mut room = pages::MAX_PAGES;
        for _ in 0..pages::MAX_STEPS {
            let documents = from.iter().filter_map(|path| self.documents.get(path));
            let named = documents.filter_map(|document| defect::contain(|| pages::named(self.workspace, document)));
            let mut named: BTreeSet<RepoPath> = named.flatten().collect();
            named.retain(|path| {
                let known = self.documents.contains_key(path) || self.workspace.unreadable.contains_key(path);
                !known && !self.discovery.is_excluded(path.as_bytes())
            });
            from = named.into_iter().take(room).collect();
            if from.is_empty() {
                break;
            }
            room -= from.len();
            self.read(from.iter().map(|path| (path.clone(), Kind::SkillPage)).collect());
        }
    }

    /// Ask the source about targets that the listing lacks or has without version control, and mark those that cannot be read.
    fn settle_targets(&mut self) {
        let mut ask: BTreeSet<RepoPath> = BTreeSet::new();
        for import in &self.workspace.imports {
            if let ImportTarget::File(path) | ImportTarget::Missing(path) = &import.target {
                ask.insert(path.clone());
                ask.insert(import.importer.clone());
            }
        }
        let ask: Vec<RepoPath> = ask.into_iter().collect();
        self.workspace.probes = ask.iter().cloned().zip(self.source.probe_many(&ask)).collect();
        let aliases = Aliases::new(self.source);
        let mut imports = std::mem::take(&mut self.workspace.imports);
        for import in &mut imports {
            let target = import.target.clone();
            let (ImportTarget::File(path) | ImportTarget::Missing(path)) = &target else { continue };
            if let Some(why) = self.workspace.unreadable.get(path) {
                import.target = ImportTarget::Unreadable(path.clone(), why.clone());
                continue;
            }
            let tracked = self.workspace.probes.get(&import.importer) == Some(&Probe::Tracked);
            let probe = self.workspace.probes.get(path).copied();
            // Where the importer itself is not tracked yet, both will be added together.
            let missing = matches!(target, ImportTarget::Missing(_));
            import.target = match missing && is_alias(&aliases, &import.written) {
                true => ImportTarget::Unknown,
                false if tracked || missing => imports::with_probe(target, probe),
                false => target,
            };
        }
        self.workspace.imports = imports;
    }
}

/// Whether a token is how the programs of the project spell the path of a file that is there. Pages are meant for agents, which know no
/// alias.
fn is_alias(aliases: &Aliases<'_>, written: &str) -> bool {
    !path::is_markdown(written.as_bytes()) && aliases.lead(&format!("@{written}"))
}
