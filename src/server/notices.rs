//! Notifications from the client: opened, edited and closed texts, created and deleted files, folders, settings.

use std::path::{Path, PathBuf};

use gen_lsp_types::{DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams};
use lsp_server::{ErrorCode, Notification, RequestId};
use serde_json::{Value, json};

use super::session::{ConversationStage, ServerSession, failed, parameters};
use super::worker::Project;
use super::{answer, capabilities, uri};
use crate::base::error::Error;

impl ServerSession<'_> {
    pub(super) fn notification(&mut self, notification: Notification) -> Result<(), Error> {
        if self.stage != ConversationStage::Runs {
            return Ok(());
        }
        let params = notification.params;
        match notification.method.as_str() {
            "initialized" if self.client.watches => {
                let params = capabilities::watchers();
                let request =
                    json!({"jsonrpc": "2.0", "id": "watch", "method": "client/registerCapability", "params": params});
                self.send(&request)?;
            }
            "textDocument/didOpen" => self.opened(&params),
            "textDocument/didChange" => self.edited(&params),
            "textDocument/didClose" => self.closed(&params)?,
            "textDocument/didSave" => self.changed_on_disk(&answer::paths(&params)),
            "workspace/didChangeWatchedFiles" => {
                let paths = answer::paths(&params);
                let matters = |path: &&PathBuf| !is_made(path);
                self.changed_on_disk(&paths.iter().filter(matters).cloned().collect::<Vec<_>>());
            }
            "workspace/didCreateFiles" | "workspace/didRenameFiles" | "workspace/didDeleteFiles" => {
                self.changed_on_disk(&answer::paths(&params));
            }
            "workspace/didChangeWorkspaceFolders" => self.folders_changed(&params)?,
            "workspace/didChangeConfiguration" => self.configured(&params),
            "$/cancelRequest" => self.cancel(&params)?,
            _ => {}
        }
        self.answer_ready()
    }

    fn opened(&mut self, params: &Value) {
        let Ok(DidOpenTextDocumentParams { text_document: open }) = parameters(params) else { return };
        if let Some(path) = self.texts.open(open.uri, open.version, open.text)
            && let Some(project) = self.project_of(&path)
        {
            // A file that was not there when the repository was opened may be now.
            let view = self.view(&project, &[]);
            let is_listed = project
                .inside(&path)
                .zip(view)
                .is_some_and(|(path, view)| view.workspace().listing.kind(path.as_bytes()).is_some());
            self.check(&project, !is_listed);
        }
    }

    fn edited(&mut self, params: &Value) {
        let Ok(DidChangeTextDocumentParams { text_document, content_changes }) = parameters(params) else { return };
        let uri = text_document.text_document_identifier.uri;
        let changed = self.texts.change(&uri, text_document.version, content_changes, self.client.encoding);
        if let Some(project) = changed.and_then(|path| self.project_of(&path)) {
            self.check(&project, false);
        }
    }

    fn closed(&mut self, params: &Value) -> Result<(), Error> {
        let Ok(DidCloseTextDocumentParams { text_document }) = parameters(params) else { return Ok(()) };
        let Some(path) = self.texts.close(&text_document.uri) else { return Ok(()) };
        match self.project_of(&path) {
            Some(project) => self.check(&project, false),
            None => self.forget(&Project::Lone(path))?,
        }
        Ok(())
    }

    fn changed_on_disk(&mut self, paths: &[PathBuf]) {
        // A repository may have come or gone.
        self.tops.clear();
        let mut projects: Vec<Project> = paths.iter().filter_map(|path| self.project_of(path)).collect();
        projects.sort();
        projects.dedup();
        for project in projects {
            self.check(&project, true);
        }
    }

    fn folders_changed(&mut self, params: &Value) -> Result<(), Error> {
        let named = |place: &str| -> Vec<PathBuf> {
            let folders = params.pointer(place).and_then(Value::as_array).into_iter().flatten();
            folders.filter_map(|folder| uri::to_path(folder.get("uri")?.as_str()?)).collect()
        };
        let (gone, new) = (named("/event/removed"), named("/event/added"));
        self.client.folders.retain(|folder| !gone.contains(folder));
        self.client.folders.extend(new.iter().cloned());
        self.tops.clear();
        let left: Vec<Project> = self.projects.keys().filter(|project| !self.is_wanted(project)).cloned().collect();
        for project in left {
            self.forget(&project)?;
        }
        for folder in new {
            self.check_folder(&folder);
        }
        let open: Vec<PathBuf> = self.texts.iter().map(|(path, _)| path.clone()).collect();
        self.changed_on_disk(&open);
        Ok(())
    }

    fn configured(&mut self, params: &Value) {
        let Some(options) = params.pointer("/settings/hintlint").filter(|options| options.is_object()) else { return };
        self.client.selection = capabilities::selection(options);
        for project in self.projects.keys().cloned().collect::<Vec<_>>() {
            self.check(&project, false);
        }
    }

    fn cancel(&mut self, params: &Value) -> Result<(), Error> {
        let Ok(id) = parameters::<RequestId>(params.get("id").unwrap_or(&Value::Null)) else { return Ok(()) };
        let Some(at) = self.waiting.iter().position(|waiting| waiting.request.id == id) else { return Ok(()) };
        self.waiting.remove(at);
        self.respond(&id, Err(failed(ErrorCode::RequestCanceled, "cancelled")))
    }
}

/// Whether a file is one of git's own or lies where tools put what they make: too many of them come and go.
fn is_made(path: &Path) -> bool {
    let made = ["node_modules", "target", "__pycache__", ".venv"];
    let parts: Vec<_> = path.components().map(std::path::Component::as_os_str).collect();
    let in_git =
        parts.iter().position(|part| *part == ".git").is_some_and(|at| parts.get(at + 1..) != Some(&["HEAD".as_ref()]));
    in_git || parts.iter().any(|part| made.iter().any(|made| part == made))
}
