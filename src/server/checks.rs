//! What is checked together, when, and what the client hears of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gen_lsp_types::{Diagnostic, PublishDiagnosticsParams};
use serde_json::json;

use super::diagnostics;
use super::session::ServerSession;
use super::worker::{Analysis, Job, Project, Unsaved, UnsavedTexts};
use crate::base::error::Error;
use crate::base::path::RepoPath;
use crate::base::sanitize;

/// Folders whose repository is remembered, at most.
const MAX_KNOWN_FOLDERS: usize = 10_000;
/// Where the client does not tell of files that come and go, they are looked for this often, after an answer.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// Notes of one project that are remembered, at most.
const MAX_SAID: usize = 100;

impl ServerSession<'_> {
    /// Whether a folder of the client, or an open text, still belongs to a project.
    pub(super) fn is_wanted(&self, project: &Project) -> bool {
        match project {
            Project::Folder(top) => self.client.folders.iter().any(|folder| overlap(folder, top)),
            Project::Lone(path) => {
                self.texts.get(path).is_some() && !self.client.folders.iter().any(|folder| path.starts_with(folder))
            }
        }
    }

    pub(super) fn check_folder(&mut self, folder: &Path) {
        let top = self.top_of(folder).unwrap_or_else(|| folder.to_owned());
        self.check(&Project::Folder(top), true);
    }

    /// The top of the repository that holds `folder`.
    fn top_of(&mut self, folder: &Path) -> Option<PathBuf> {
        if let Some(known) = self.tops.get(folder) {
            return known.clone();
        }
        let top = folder.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok()).map(Path::to_owned);
        if self.tops.len() >= MAX_KNOWN_FOLDERS {
            self.tops.clear();
        }
        self.tops.insert(folder.to_owned(), top.clone());
        top
    }

    /// What the file at `path` is checked with. Nothing outside the repositories of the client's folders is opened.
    pub(super) fn project_of(&mut self, path: &Path) -> Option<Project> {
        let top = self.top_of(path.parent()?);
        if let Some(top) = top.filter(|top| self.client.folders.iter().any(|folder| overlap(folder, top))) {
            return Some(Project::Folder(top));
        }
        if let Some(folder) = self.client.folders.iter().find(|folder| path.starts_with(folder)) {
            return Some(Project::Folder(folder.clone()));
        }
        self.texts.get(path).map(|_| Project::Lone(path.to_owned()))
    }

    /// The open texts that belong to a project.
    pub(super) fn texts_of(&mut self, project: &Project) -> UnsavedTexts {
        let open: Vec<(PathBuf, Option<Arc<str>>, i32)> =
            self.texts.iter().map(|(path, open)| (path.clone(), open.text.clone(), open.version)).collect();
        let own = open.into_iter().filter(|(path, ..)| self.project_of(path).as_ref() == Some(project));
        own.filter_map(|(path, text, version)| Some(Unsaved { path: project.inside(&path)?, text: text?, version }))
            .collect()
    }

    /// Check a project anew; files may have come or gone if `reopen`.
    pub(super) fn check(&mut self, project: &Project, reopen: bool) {
        self.generation += 1;
        let known = self.projects.entry(project.clone()).or_default();
        known.wanted = self.generation;
        if reopen || known.opened.is_none() {
            known.opened = Some(Instant::now());
        }
        let (generation, selection) = (self.generation, self.client.selection.clone());
        let texts = self.texts_of(project);
        self.worker.check(project.clone(), Job { generation, texts, reopen, selection });
    }

    /// Take what a check found.
    pub(super) fn checked(
        &mut self,
        project: &Project,
        generation: u64,
        outcome: Result<Analysis, Error>,
    ) -> Result<(), Error> {
        let Some(known) = self.projects.get_mut(project) else { return Ok(()) };
        known.done = known.done.max(generation);
        let mut said = Vec::new();
        let mut found = BTreeMap::new();
        match outcome {
            Ok(analysis) => {
                said.extend(analysis.report.notes.iter().cloned());
                known.analysis = Some(Arc::new(analysis));
                found = self.view(project, &[]).map(|view| diagnostics::of(&view)).unwrap_or_default();
            }
            Err(Error::Config(error)) => {
                known.analysis = None;
                found.insert(error.path.clone(), diagnostics::of_config(&error, self.client.encoding));
            }
            Err(error) => {
                known.analysis = None;
                said.push(error.printed());
            }
        }
        self.publish(project, found)?;
        self.say(project, said)?;
        self.answer_ready()?;
        self.look_again(project);
        Ok(())
    }

    /// Look for files that came or went, where nobody tells and nobody waits.
    fn look_again(&mut self, project: &Project) {
        let Some(known) = self.projects.get(project) else { return };
        let is_due = known.opened.is_none_or(|opened| opened.elapsed() > LOOK_AGAIN);
        if !self.client.watches && is_due && known.done >= known.wanted && matches!(project, Project::Folder(_)) {
            self.check(project, true);
        }
    }

    /// Forget a project that nothing of the client belongs to any more.
    pub(super) fn forget(&mut self, project: &Project) -> Result<(), Error> {
        self.publish(project, BTreeMap::new())?;
        self.projects.remove(project);
        Ok(())
    }

    /// Send changed diagnostics to the client; for each open text at least an empty list.
    fn publish(&mut self, project: &Project, found: BTreeMap<RepoPath, Vec<Diagnostic>>) -> Result<(), Error> {
        let Some(known) = self.projects.get_mut(project) else { return Ok(()) };
        let versions = known.analysis.as_ref().map(|analysis| &analysis.versions);
        let open = versions.into_iter().flatten().map(|(path, version)| (path.clone(), (Vec::new(), Some(*version))));
        let mut now: BTreeMap<RepoPath, (Vec<Diagnostic>, Option<i32>)> = open.collect();
        for (path, diagnostics) in found {
            now.entry(path).or_default().0 = diagnostics;
        }
        let before = std::mem::replace(&mut known.published, now.clone());
        let gone = before.iter().filter(|(path, (told, _))| !now.contains_key(*path) && !told.is_empty());
        let gone: Vec<_> = gone.map(|(path, _)| (path.clone(), (Vec::new(), None))).collect();
        now.retain(|path, told| before.get(path) != Some(told));
        for (path, (diagnostics, version)) in now.into_iter().chain(gone) {
            let uri = self.texts.uri_of(&project.outside(&path));
            self.notify("textDocument/publishDiagnostics", PublishDiagnosticsParams { uri, version, diagnostics })?;
        }
        Ok(())
    }

    /// Tell notes, each once.
    fn say(&mut self, project: &Project, notes: Vec<String>) -> Result<(), Error> {
        const WARNING: u32 = 2;
        let Some(known) = self.projects.get_mut(project) else { return Ok(()) };
        let new: Vec<String> = notes.into_iter().filter(|note| !known.said.contains(note)).collect();
        known.said.extend(new.iter().cloned());
        known.said.truncate(MAX_SAID);
        let line = |note: &String| sanitize::line(note).into_owned();
        new.iter()
            .try_for_each(|note| self.notify("window/logMessage", json!({"type": WARNING, "message": line(note)})))
    }
}

/// Whether one folder holds the other.
fn overlap(a: &Path, b: &Path) -> bool {
    a.starts_with(b) || b.starts_with(a)
}
