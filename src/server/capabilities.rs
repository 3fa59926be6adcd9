//! What the client requests and supports, and what the server offers. The client's settings are parsed one by one, so that one
//! that is invalid affects nothing else.

use std::path::PathBuf;

use gen_lsp_types::{
    ChangeNotifications, CodeActionKind, CodeActionOptions, CodeLensOptions, CompletionOptions, DocumentLinkOptions,
    FileOperationFilter, FileOperationOptions, FileOperationPattern, FileOperationRegistrationOptions, Save,
    SaveOptions, ServerCapabilities, TextDocumentSyncKind, TextDocumentSyncOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceOptions,
};
use serde_json::{Value, json};

use super::text::Encoding;
use super::uri;
use crate::base::finding::Level;
use crate::rules::run::Selection;

/// The kind of action that applies all safe fixes.
pub(super) const FIX_ALL: &str = "source.fixAll.hintlint";

/// What a client said at the start.
#[derive(Debug, Default)]
pub(super) struct EditorClient {
    pub(super) encoding: Encoding,
    pub(super) folders: Vec<PathBuf>,
    /// Whether it can be asked to tell of files that come, go and change.
    pub(super) watches: bool,
    /// Whether it knows the command `hintlint.showContext`.
    pub(super) shows_context: bool,
    /// Whether it takes edits of texts by version.
    pub(super) versions_edits: bool,
    pub(super) selection: Selection,
}

fn strings<'v>(value: &'v Value, place: &str) -> impl Iterator<Item = &'v str> + Clone {
    value.pointer(place).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn is_on(value: &Value, place: &str) -> bool {
    value.pointer(place).and_then(Value::as_bool).unwrap_or(false)
}

impl EditorClient {
    /// Read the parameters of `initialize`.
    pub(super) fn new(params: &Value) -> EditorClient {
        EditorClient {
            encoding: Encoding::choose(strings(params, "/capabilities/general/positionEncodings")),
            folders: folders(params),
            watches: is_on(params, "/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            shows_context: is_on(params, "/initializationOptions/showContextCommand"),
            versions_edits: is_on(params, "/capabilities/workspace/workspaceEdit/documentChanges"),
            selection: selection(params.get("initializationOptions").unwrap_or(&Value::Null)),
        }
    }
}

fn folders(params: &Value) -> Vec<PathBuf> {
    let named = params.get("workspaceFolders").and_then(Value::as_array);
    let uris: Vec<&str> = match named {
        Some(folders) => folders.iter().filter_map(|folder| folder.get("uri")?.as_str()).collect(),
        None => params.get("rootUri").and_then(Value::as_str).into_iter().collect(),
    };
    uris.into_iter().filter_map(uri::to_path).collect()
}

/// What of all findings the client wants: `minLevel`, `select`, `ignore`, as the command line has them. Unknown names select nothing.
pub(super) fn selection(options: &Value) -> Selection {
    let names = |place: &str| strings(options, place).map(str::to_owned).collect::<Vec<_>>();
    let min_level = match options.get("minLevel").and_then(Value::as_str) {
        Some("error") => Level::Error,
        Some("info") => Level::Info,
        _ => Level::Warning,
    };
    Selection { select: names("/select"), ignore: names("/ignore"), min_level, ..Selection::default() }
}

/// What the server offers.
pub(super) fn offered(encoding: Encoding) -> ServerCapabilities {
    let files = || FileOperationRegistrationOptions {
        filters: vec![FileOperationFilter {
            scheme: Some("file".into()),
            pattern: FileOperationPattern { glob: "**".into(), ..FileOperationPattern::default() },
        }],
    };
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(Save::SaveOptions(SaveOptions { include_text: Some(false) })),
        ..TextDocumentSyncOptions::default()
    };
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QuickFix, CodeActionKind::Custom(FIX_ALL.into())]),
        ..CodeActionOptions::default()
    };
    let completion = CompletionOptions {
        trigger_characters: Some(["@", "/", "(", "#", "-"].map(str::to_owned).to_vec()),
        ..CompletionOptions::default()
    };
    let operations = FileOperationOptions {
        did_create: Some(files()),
        did_rename: Some(files()),
        did_delete: Some(files()),
        will_rename: Some(files()),
        ..FileOperationOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(sync.into()),
        code_action_provider: Some(actions.into()),
        completion_provider: Some(completion),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        inlay_hint_provider: Some(true.into()),
        code_lens_provider: Some(CodeLensOptions::default()),
        document_link_provider: Some(DocumentLinkOptions::default()),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(ChangeNotifications::Bool(true)),
            }),
            file_operations: Some(operations),
            ..WorkspaceOptions::default()
        }),
        experimental: Some(json!({"contexts": true})),
        ..ServerCapabilities::default()
    }
}

/// What the client is asked to tell of: files that come and go, since texts name them; texts and settings that change; commits.
pub(super) fn watchers() -> Value {
    const COMES_OR_GOES: u32 = 5;
    const CHANGES: u32 = 2;
    json!({"registrations": [{
        "id": "files",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": {"watchers": [
            {"globPattern": "**/*", "kind": COMES_OR_GOES},
            {"globPattern": "**/*.{md,mdc,mdx,markdown,toml,json,jsonc,yaml,yml}", "kind": CHANGES},
            {"globPattern": "**/.git/HEAD", "kind": CHANGES | COMES_OR_GOES},
        ]},
    }]})
}
