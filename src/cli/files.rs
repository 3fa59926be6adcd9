//! `hintlint files`: every file that is checked, as what, for whom; with `-v` also what is left out, and why.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::Console;
use super::session::Session;
use crate::agents::files;
use crate::base::error::Error;
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::cli::args::{FilesArgs, ListFormat};
use crate::discover::Discovery;
use crate::report::{Reached, safe_json};
use crate::workspace::Workspace;

/// The kind of files that are no hints and say what agents run and obey.
const SETTINGS: &str = "settings";
/// Why an agent leaves a file alone that looks like its settings.
const UNREAD: &str = "it reads no settings there";

/// What is known of one file.
pub(super) struct ListedFile {
    /// The file.
    pub(super) path: RepoPath,
    /// The kind's name.
    pub(super) kind: &'static str,
    /// The agents that read it.
    pub(super) agents: Vec<&'static str>,
    /// Why it is not checked; none if it is.
    pub(super) excluded: Option<String>,
    /// The agents that know such files and do not load this one, and why.
    pub(super) unread: Vec<(&'static str, String)>,
    /// Why rules about paths leave the file alone.
    pub(super) described: Option<String>,
}

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When the repository cannot be read or standard output cannot be written.
pub(crate) fn files(args: &FilesArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let session = Session::open(console, &args.paths, &args.source, &args.config)?;
    let loaded = session.load()?;
    let discovery = Discovery::new(&session.repository.config).map_err(|bad| session.repository.bad_pattern(&bad))?;
    let mut rows = rows(&loaded.workspace, &discovery, args.verbose);
    rows.retain(|row| session.selects(&row.path));
    match args.form.format {
        ListFormat::Text => console.stdout.write_all(text(&rows, &session.reached).as_bytes())?,
        ListFormat::Json => json(&rows, &mut console.stdout)?,
    }
    for failure in &loaded.failures {
        console.note(&format!("{}: {}", session.reached.path(&failure.path), failure.message));
    }
    Ok(if loaded.failures.is_empty() { 0 } else { 2 })
}

/// One row per file that is checked; with `verbose` also those that are left out. By path.
pub(super) fn rows(workspace: &Workspace, discovery: &Discovery, verbose: bool) -> Vec<ListedFile> {
    let mut rows: Vec<ListedFile> = workspace
        .documents
        .iter()
        .map(|document| ListedFile {
            path: document.path.clone(),
            kind: document.kind.name(),
            agents: workspace.readers(document),
            excluded: None,
            unread: if verbose { workspace.why_unread(document) } else { Vec::new() },
            described: verbose.then(|| workspace.why_elsewhere(document)).flatten(),
        })
        .collect();
    rows.extend(settings(workspace));
    let left_out = |path: RepoPath, kind, why: String| ListedFile {
        path,
        kind,
        agents: Vec::new(),
        excluded: Some(why),
        unread: Vec::new(),
        described: None,
    };
    for (path, why) in &workspace.unreadable {
        let kind = discovery.kind(path.as_bytes()).map_or("", |kind| kind.name());
        rows.push(left_out(path.clone(), kind, format!("unreadable: {why}")));
    }
    if verbose {
        for entry in workspace.listing.iter() {
            let Some(kind) = discovery.kind(entry.path) else { continue };
            let path = RepoPath::new(entry.path);
            if let Some(pattern) = discovery.excluded_by(entry.path) {
                rows.push(left_out(path, kind.name(), format!("excluded by `{pattern}`")));
            } else if let Some(target) = workspace.links.get(&path) {
                let why = format!("link to {}, checked there", String::from_utf8_lossy(target));
                rows.push(left_out(path, kind.name(), why));
            }
        }
    }
    rows.sort_by(|a, b| a.path.cmp(&b.path));
    rows.dedup_by(|a, b| a.path == b.path);
    rows
}

/// The files that say what agents run and obey.
fn settings(workspace: &Workspace) -> Vec<ListedFile> {
    let named: Vec<(&'static str, BTreeSet<Vec<u8>>)> =
        workspace.dialects().map(|dialect| (dialect.id, workspace.named_by_bundles(dialect))).collect();
    // A bundle's manifest may name the file, or the folder of an agent in which it lies.
    let is_named = |agent: &str, path: &RepoPath| {
        let mut above = path::ancestors_from_root(path.parent()).into_iter().filter(|dir| !dir.is_empty());
        let named = named.iter().find(|(id, _)| *id == agent).map(|(_, named)| named);
        named.is_some_and(|named| {
            let is_folder = |dir: &[u8]| files::is_agent_folder(path::file_name(dir)) && named.contains(dir);
            named.contains(path.as_bytes()) || above.any(is_folder)
        })
    };
    let has = |path: &[u8]| workspace.listing.contains(path);
    let row = |path: &RepoPath| {
        let (unread, readers): (Vec<_>, Vec<_>) = workspace
            .dialects()
            .filter(|dialect| dialect.files.obeys(path.as_bytes()) || is_named(dialect.id, path))
            .partition(|dialect| dialect.files.leaves_unread(path.as_bytes(), has) && !is_named(dialect.id, path));
        let agents: Vec<_> = readers.into_iter().map(|dialect| dialect.id).collect();
        let unread: Vec<_> = unread.into_iter().map(|dialect| (dialect.id, UNREAD.to_owned())).collect();
        let is_known =
            !agents.is_empty() || !unread.is_empty() || files::undescribed().any(|files| files.obeys(path.as_bytes()));
        let path = path.clone();
        is_known.then_some(ListedFile { path, kind: SETTINGS, agents, excluded: None, unread, described: None })
    };
    let obeyed = workspace.settings.keys().filter(|path| workspace.document(path.as_bytes()).is_none());
    obeyed.filter_map(row).collect()
}

fn text(rows: &[ListedFile], reached: &Reached) -> String {
    if rows.is_empty() {
        return "No hint files found.\n".to_owned();
    }
    let width = rows.iter().map(|row| reached.path(&row.path).chars().count()).max().unwrap_or(0).min(60);
    let mut text = String::new();
    for row in rows {
        let detail = match &row.excluded {
            Some(why) => format!("({})", sanitize::line(why)),
            None => row.agents.join(", "),
        };
        let unread = row.unread.iter().map(|(agent, why)| format!("{agent}: {}", sanitize::line(why)));
        let unread = unread.collect::<Vec<_>>().join("; ");
        let detail =
            if unread.is_empty() { detail } else { format!("{detail}  (not {unread})").trim_start().to_owned() };
        let detail = match &row.described {
            Some(why) => {
                format!("{detail}  ({}; its paths are not checked)", sanitize::line(why)).trim_start().to_owned()
            }
            None => detail,
        };
        let line = format!("{:width$}  {:20}  {detail}", reached.path(&row.path), row.kind);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn json(rows: &[ListedFile], out: &mut dyn Write) -> io::Result<()> {
    let row = |row: &ListedFile| {
        serde_json::json!({
            "path": safe_json::path(&row.path),
            "kind": row.kind,
            "agents": row.agents,
            "excluded": row.excluded,
            "unread": row.unread.iter().map(|(agent, why)| serde_json::json!({"agent": agent, "why": why})).collect::<Vec<_>>(),
            "paths_unchecked": row.described,
        })
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    safe_json::write(&rows, out)
}
