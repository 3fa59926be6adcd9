//! Which questions are answered, and by what.

use std::path::PathBuf;

use gen_lsp_types::{
    CodeActionParams, CompletionParams, Position, ReferenceParams, RenameFilesParams, TextDocumentPositionParams,
};
use lsp_server::{ErrorCode, ResponseError};
use serde_json::{Value, json};

use super::session::{failed, parameters};
use super::uri;
use super::view::View;
use super::worker::Project;
use super::{actions, completion, contexts, hover, lens, links, outline, rename};
use crate::base::finding::Applicability;
use crate::base::path::RepoPath;
use crate::parse::Document;

/// The questions that are answered.
const METHODS: [&str; 11] = [
    "textDocument/codeAction",
    "textDocument/completion",
    "textDocument/codeLens",
    "textDocument/definition",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/references",
    "workspace/willRenameFiles",
    "hintlint/contexts",
];

/// An answer, or what has to be done first.
pub(super) enum ServerAnswer {
    Now(Value),
    /// Fixes of one file have to be tried.
    AfterFixes {
        project: Project,
        path: RepoPath,
        allowed: Applicability,
    },
    /// A file has to be read.
    AfterReading {
        project: Project,
        path: RepoPath,
    },
}

pub(super) fn is_known(method: &str) -> bool {
    METHODS.contains(&method)
}

/// The files that parameters are about.
pub(super) fn paths(params: &Value) -> Vec<PathBuf> {
    let one = params.pointer("/textDocument/uri").and_then(Value::as_str);
    let files = params.get("files").and_then(Value::as_array).into_iter().flatten();
    let files =
        files.flat_map(|file| ["uri", "oldUri", "newUri"].into_iter().filter_map(|key| file.get(key)?.as_str()));
    let changes = params.get("changes").and_then(Value::as_array).into_iter().flatten();
    let changes = changes.filter_map(|change| change.get("uri")?.as_str());
    one.into_iter().chain(files).chain(changes).filter_map(uri::to_path).collect()
}

/// Answer a question from the checked states of the projects that it is about.
pub(super) fn answer(method: &str, params: &Value, views: &[View<'_>]) -> Result<ServerAnswer, ResponseError> {
    if method == "workspace/willRenameFiles" {
        let RenameFilesParams { files } = parameters(params)?;
        return Ok(ServerAnswer::Now(rename::will_rename(views, &files)));
    }
    let path = paths(params).into_iter().next();
    let Some(path) = path else { return Err(failed(ErrorCode::InvalidParams, "no file is named")) };
    // A text that nobody checks, or a config that keeps everything from being checked.
    let found = views.first().and_then(|view| Some((view, view.project.inside(&path)?)));
    let Some((view, path)) = found else { return Ok(ServerAnswer::Now(Value::Null)) };
    if method == "hintlint/contexts" {
        return Ok(ServerAnswer::Now(contexts::of(view, &path)));
    }
    if method == "textDocument/codeAction" {
        let params: CodeActionParams = parameters(params)?;
        return Ok(actions::actions(view, &path, &params));
    }
    let after_reading = |path: RepoPath| Ok(ServerAnswer::AfterReading { project: view.project.clone(), path });
    let Some(document) = view.document(&path) else {
        let is_answered = matches!(method, "textDocument/references" | "textDocument/documentSymbol");
        return if is_answered && view.is_unread(&path) {
            after_reading(path)
        } else {
            Ok(ServerAnswer::Now(Value::Null))
        };
    };
    let at = parameters(params).map(|place: TextDocumentPositionParams| offset(view, document, place.position));
    let unread = match (method, &at) {
        ("textDocument/definition", Ok(at)) => links::unread_target(view, document, *at),
        ("textDocument/completion", Ok(at)) => completion::unread_page(view, document, *at),
        _ => None,
    };
    match unread {
        Some(path) => after_reading(path),
        None => about(method, params, view, document).map(ServerAnswer::Now),
    }
}

/// Answer a question about one hint file.
fn about(method: &str, params: &Value, view: &View<'_>, document: &Document) -> Result<Value, ResponseError> {
    let at = || -> Result<usize, ResponseError> {
        let place: TextDocumentPositionParams = parameters(params)?;
        Ok(offset(view, document, place.position))
    };
    Ok(match method {
        "textDocument/hover" => json!(hover::hover(view, document, at()?)),
        "textDocument/definition" => json!(links::definition(view, document, at()?)),
        "textDocument/references" => {
            let ReferenceParams { context, text_document_position_params: place, .. } = parameters(params)?;
            let at = offset(view, document, place.position);
            json!(links::references(view, document, at, context.include_declaration))
        }
        "textDocument/completion" => {
            let CompletionParams { text_document_position_params: place, .. } = parameters(params)?;
            json!(completion::completion(view, document, offset(view, document, place.position)))
        }
        "textDocument/documentLink" => json!(links::document_links(view, document)),
        "textDocument/documentSymbol" => json!(outline::symbols(view, document)),
        "textDocument/codeLens" => json!(lens::lenses(view, document)),
        "textDocument/inlayHint" => {
            let range = parameters(params.get("range").unwrap_or(&Value::Null))?;
            json!(outline::inlay_hints(view, document, view.lined(&document.text).span(range)))
        }
        _ => Value::Null,
    })
}

fn offset(view: &View<'_>, document: &Document, position: Position) -> usize {
    view.lined(&document.text).offset(position)
}
