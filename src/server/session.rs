//! The conversation with one client: its texts and folders, what is being checked, and the questions that wait for a check.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use gen_lsp_types::{Diagnostic, InitializeResult, ServerInfo};
use lsp_server::{ErrorCode, Message, Request, RequestId, ResponseError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::answer::{self, ServerAnswer};
use super::capabilities::{self, EditorClient};
use super::documents::OpenTexts;
use super::view::View;
use super::worker::{Analysis, FixJob, Project, ReadJob, Worker};
use super::{ServerEvent, wire};
use crate::base::defect;
use crate::base::error::Error;
use crate::base::path::RepoPath;
use crate::engine::Fixed;
use crate::env::Env;
use crate::parse::Document;

/// Questions that wait for a check, at most.
const MAX_WAITING: usize = 1000;

/// Where in the conversation it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConversationStage {
    /// The client has not said yet who it is.
    Begins,
    Runs,
    /// The client wants nothing more.
    ShutDown,
}

/// What is known of a project.
#[derive(Default)]
pub(super) struct Known {
    /// The newest state that was asked for.
    pub(super) wanted: u64,
    /// The newest state that was checked, or could not be.
    pub(super) done: u64,
    pub(super) analysis: Option<Arc<Analysis>>,
    pub(super) published: BTreeMap<RepoPath, (Vec<Diagnostic>, Option<i32>)>,
    pub(super) opened: Option<Instant>,
    pub(super) said: Vec<String>,
}

/// A question that waits.
pub(super) struct Waiting {
    pub(super) request: Request,
    /// The projects that it is about, and the state of each that it needs.
    needs: Vec<(Project, u64)>,
    /// The fixes, or the file, that it waits for after that.
    ticket: Option<u64>,
    /// Files that were read for it.
    pages: Vec<Document>,
}

/// The conversation.
pub(super) struct ServerSession<'o> {
    output: &'o mut dyn Write,
    pub(super) stage: ConversationStage,
    pub(super) client: EditorClient,
    pub(super) texts: OpenTexts,
    /// The top of the repository that holds a folder.
    pub(super) tops: BTreeMap<PathBuf, Option<PathBuf>>,
    pub(super) projects: BTreeMap<Project, Known>,
    pub(super) worker: Worker,
    pub(super) waiting: Vec<Waiting>,
    pub(super) generation: u64,
}

/// An answer to a request that went wrong.
pub(super) fn failed(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

/// Parameters as the protocol has them.
pub(super) fn parameters<P: DeserializeOwned>(params: &Value) -> Result<P, ResponseError> {
    P::deserialize(params).map_err(|why| failed(ErrorCode::InvalidParams, why.to_string()))
}

impl<'o> ServerSession<'o> {
    pub(super) fn new(env: Env, events: SyncSender<ServerEvent>, output: &'o mut dyn Write) -> std::io::Result<Self> {
        let keeps_history = !env.is_on("HINTLINT_NO_CACHE");
        Ok(ServerSession {
            output,
            stage: ConversationStage::Begins,
            client: EditorClient::default(),
            texts: OpenTexts::default(),
            tops: BTreeMap::new(),
            projects: BTreeMap::new(),
            worker: Worker::start(env, keeps_history, events)?,
            waiting: Vec::new(),
            generation: 0,
        })
    }

    pub(super) fn send(&mut self, message: &Value) -> Result<(), Error> {
        wire::write(self.output, message).map_err(Error::Output)
    }

    pub(super) fn notify(&mut self, method: &str, params: impl Serialize) -> Result<(), Error> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    pub(super) fn respond(&mut self, id: &RequestId, result: Result<Value, ResponseError>) -> Result<(), Error> {
        self.send(&match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        })
    }

    /// The exit code where the client just stops.
    pub(super) fn code_at_end(&self) -> u8 {
        u8::from(self.stage != ConversationStage::ShutDown)
    }

    /// Handle a message; the answer is the exit code, if it was the last one.
    pub(super) fn message(&mut self, message: Message) -> Result<Option<u8>, Error> {
        match message {
            Message::Request(request) => self.request(request)?,
            Message::Notification(notification) if notification.method == "exit" => {
                self.worker.close();
                return Ok(Some(self.code_at_end()));
            }
            Message::Notification(notification) => self.notification(notification)?,
            // The one thing that is asked of the client needs no answer.
            Message::Response(_) => {}
        }
        Ok(None)
    }

    fn request(&mut self, request: Request) -> Result<(), Error> {
        let refusal = match (self.stage, request.method.as_str()) {
            (ConversationStage::Begins, "initialize") => return self.initialize(&request),
            (ConversationStage::Begins, _) => failed(ErrorCode::ServerNotInitialized, "`initialize` comes first"),
            (ConversationStage::ShutDown, _) => failed(ErrorCode::InvalidRequest, "the server was shut down"),
            (ConversationStage::Runs, "initialize") => failed(ErrorCode::InvalidRequest, "`initialize` comes once"),
            (ConversationStage::Runs, "shutdown") => {
                self.stage = ConversationStage::ShutDown;
                for waiting in std::mem::take(&mut self.waiting) {
                    self.respond(
                        &waiting.request.id,
                        Err(failed(ErrorCode::ServerCancelled, "the server shuts down")),
                    )?;
                }
                return self.respond(&request.id, Ok(Value::Null));
            }
            (ConversationStage::Runs, method) if !answer::is_known(method) => {
                failed(ErrorCode::MethodNotFound, format!("`{method}` is not offered"))
            }
            (ConversationStage::Runs, _) if self.waiting.len() >= MAX_WAITING => {
                failed(ErrorCode::ServerCancelled, "too many requests wait")
            }
            (ConversationStage::Runs, _) => return self.ask(request),
        };
        self.respond(&request.id, Err(refusal))
    }

    fn initialize(&mut self, request: &Request) -> Result<(), Error> {
        self.client = EditorClient::new(&request.params);
        self.stage = ConversationStage::Runs;
        let info = ServerInfo { name: "hintlint".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
        let result =
            InitializeResult { capabilities: capabilities::offered(self.client.encoding), server_info: Some(info) };
        self.respond(&request.id, Ok(json!(result)))?;
        for folder in self.client.folders.clone() {
            self.check_folder(&folder);
        }
        Ok(())
    }

    /// Answer a question now, or once the texts that it is about were checked.
    fn ask(&mut self, request: Request) -> Result<(), Error> {
        let mut projects: Vec<Project> =
            answer::paths(&request.params).iter().filter_map(|path| self.project_of(path)).collect();
        projects.sort();
        projects.dedup();
        for project in &projects {
            if !self.projects.contains_key(project) {
                self.check(project, false);
            }
        }
        let wanted = |project: Project| {
            let wanted = self.projects.get(&project).map_or(0, |known| known.wanted);
            (project, wanted)
        };
        let needs: Vec<(Project, u64)> = projects.into_iter().map(wanted).collect();
        self.waiting.push(Waiting { request, needs, ticket: None, pages: Vec::new() });
        self.answer_ready()
    }

    /// Answer what waits for nothing any more.
    pub(super) fn answer_ready(&mut self) -> Result<(), Error> {
        let mut at = 0;
        while let Some(waiting) = self.waiting.get(at) {
            let is_done = |(project, wanted): &(Project, u64)| {
                self.projects.get(project).is_none_or(|known| known.done >= *wanted)
            };
            if waiting.ticket.is_some() || !waiting.needs.iter().all(is_done) {
                at += 1;
                continue;
            }
            let mut waiting = self.waiting.remove(at);
            match self.answer(&waiting) {
                Ok(ServerAnswer::Now(value)) => self.respond(&waiting.request.id, Ok(value))?,
                Ok(ServerAnswer::AfterFixes { project, path, allowed }) => {
                    self.generation += 1;
                    let job = FixJob {
                        texts: self.texts_of(&project),
                        selection: self.client.selection.clone(),
                        ticket: self.generation,
                        project,
                        path,
                        allowed,
                    };
                    waiting.ticket = Some(job.ticket);
                    self.worker.fix(job);
                    self.waiting.insert(at, waiting);
                    at += 1;
                }
                Ok(ServerAnswer::AfterReading { project, path }) if waiting.pages.is_empty() => {
                    self.generation += 1;
                    let texts = self.texts_of(&project);
                    waiting.ticket = Some(self.generation);
                    self.worker.read(ReadJob { project, path, texts, ticket: self.generation });
                    self.waiting.insert(at, waiting);
                    at += 1;
                }
                Ok(ServerAnswer::AfterReading { .. }) => self.respond(&waiting.request.id, Ok(Value::Null))?,
                Err(error) => self.respond(&waiting.request.id, Err(error))?,
            }
        }
        Ok(())
    }

    fn answer(&self, waiting: &Waiting) -> Result<ServerAnswer, ResponseError> {
        let views: Vec<View<'_>> =
            waiting.needs.iter().filter_map(|(project, _)| self.view(project, &waiting.pages)).collect();
        defect::contain(|| answer::answer(&waiting.request.method, &waiting.request.params, &views))
            .unwrap_or_else(|| Err(failed(ErrorCode::InternalError, defect::message("an answer was cut off"))))
    }

    pub(super) fn view<'s>(&'s self, project: &'s Project, pages: &'s [Document]) -> Option<View<'s>> {
        let analysis = self.projects.get(project)?.analysis.as_deref()?;
        Some(View { client: &self.client, texts: &self.texts, project, analysis, pages })
    }

    /// Take a file that a question waited for, and answer it.
    pub(super) fn was_read(&mut self, ticket: u64, page: Document) -> Result<(), Error> {
        if let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.ticket == Some(ticket)) {
            waiting.ticket = None;
            waiting.pages.push(page);
        }
        self.answer_ready()
    }

    /// Take fixes that a question waited for.
    pub(super) fn fixed(&mut self, ticket: u64, file: Option<Fixed>) -> Result<(), Error> {
        let Some(at) = self.waiting.iter().position(|waiting| waiting.ticket == Some(ticket)) else { return Ok(()) };
        let waiting = self.waiting.remove(at);
        let view = waiting.needs.first().and_then(|(project, _)| self.view(project, &[]));
        let value = view.map(|view| super::actions::after_fixes(&view, &waiting.request.params, file.as_ref()));
        self.respond(&waiting.request.id, Ok(value.unwrap_or(Value::Null)))
    }
}
