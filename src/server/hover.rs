//! What stands at a place: hidden characters, where an import leads for each agent, what a pattern matches, what a path names, and
//! why a rule speaks.

use std::fmt::Write as _;

use gen_lsp_types::{Hover, MarkupContent, MarkupKind};

use super::links::named_at;
use super::view::{View, code, prose, reason};
use crate::agents::Dialect;
use crate::base::characters::visible;
use crate::base::path::RepoPath;
use crate::base::text::{Span, thousands};
use crate::base::tokens;
use crate::parse::Document;
use crate::parse::imports::{Grammar, Reference, references_of, without_punctuation};
use crate::parse::patterns::{self, PathPattern};
use crate::rules::{self, RuleInfo};
use crate::workspace::contexts::home_of;
use crate::workspace::imports::{ImportTarget, aim};

/// Files that a pattern's hover names, and characters of a payload that are shown.
const NAMED_FILES: usize = 10;
const SHOWN: usize = 200;

/// Everything there is to say of the text at `offset`.
pub(super) fn hover(view: &View<'_>, document: &Document, offset: usize) -> Option<Hover> {
    let mut parts: Vec<(Span, String)> = Vec::new();
    parts.extend(hidden(document, offset));
    parts.extend(import(view, document, offset));
    parts.extend(pattern(view, document, offset));
    if parts.is_empty() {
        parts.extend(named(view, document, offset));
    }
    parts.extend(rule_in_comment(document, offset));
    parts.extend(rules_of_findings(view, document, offset));
    let span = parts.first()?.0;
    let texts: Vec<String> = parts.into_iter().map(|(_, text)| text).collect();
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: texts.join("\n\n---\n\n") };
    Some(Hover { contents: contents.into(), range: Some(view.lined(&document.text).range(span)) })
}

fn holds(span: Span, offset: usize) -> bool {
    span.contains(offset) || span.end == offset
}

fn hidden(document: &Document, offset: usize) -> Option<(Span, String)> {
    let hit = document.hidden.iter().find(|hit| holds(hit.span, offset))?;
    let mut text = prose(&hit.message);
    if let Some(decoded) = &hit.decoded {
        let payload: String = visible(&decoded.text).chars().take(SHOWN).collect();
        let form = if decoded.hex { "bytes" } else { "text" };
        let _ = write!(text, "\n\nHidden {form} ({}), untrusted: {}", decoded.scheme, code(&payload));
    }
    if let Some(help) = &hit.help {
        let _ = write!(text, "\n\n{}", prose(help));
    }
    Some((hit.span, text))
}

/// The size of a file that was loaded.
fn size(view: &View<'_>, file: &RepoPath) -> String {
    match view.workspace().document(file.as_bytes()) {
        Some(document) => {
            let (bytes, lines) = (document.bytes.len(), document.lines.count());
            let tokens = tokens::estimate(bytes);
            format!("{} bytes, {} lines, about {} tokens", thousands(bytes), thousands(lines), thousands(tokens))
        }
        None => "not read: no hint file imports it".to_owned(),
    }
}

/// What becomes of an `@path`, agent by agent.
fn import(view: &View<'_>, document: &Document, offset: usize) -> Option<(Span, String)> {
    let workspace = view.workspace();
    let references = references_of(Grammar::Prose, document);
    let reference = references.iter().find(|reference| holds(reference.span, offset))?;
    let written = without_punctuation(&reference.path);
    let target = aim(workspace, &document.path, written)?;
    let mut text = match &target {
        ImportTarget::File(path) => format!("Import of {}: {}", code(&path.to_str_lossy()), size(view, path)),
        ImportTarget::NotTracked { path, .. } => format!("{} is not in version control", code(&path.to_str_lossy())),
        ImportTarget::Missing(path) => format!("{} does not exist", code(&path.to_str_lossy())),
        ImportTarget::Outside(_) => format!("{} leads out of the repository", code(written)),
        ImportTarget::Unreadable(path, _) => format!("{} cannot be imported", code(&path.to_str_lossy())),
        ImportTarget::Loop => format!("{} is a symbolic link loop", code(written)),
        ImportTarget::Unknown => format!("hintlint cannot resolve {}", code(written)),
    };
    text.push('\n');
    for dialect in workspace.dialects() {
        let _ = write!(text, "\n- **{}**: {}", dialect.id, fate(view, document, reference, &target, dialect));
    }
    Some((reference.span, text))
}

/// What one agent makes of an import.
fn fate(
    view: &View<'_>,
    document: &Document,
    reference: &Reference,
    target: &ImportTarget,
    dialect: &'static Dialect,
) -> String {
    let workspace = view.workspace();
    if !workspace.loads(dialect, document) && !workspace.readers(document).contains(&dialect.id) {
        return "does not load this file".to_owned();
    }
    if dialect.imports.is_none() {
        return "has no imports; the line is kept as text".to_owned();
    }
    let directories = workspace.loading_directories(dialect, document);
    let start = directories.first().map_or(home_of(document.path.as_bytes()), Vec::as_slice);
    let loaded = workspace.context(dialect, start);
    let written = without_punctuation(&reference.path);
    let is_here = |importer: &Option<crate::agents::context::Importer>| {
        let from = importer.as_ref().and_then(|importer| Some((importer, loaded.path(&importer.path)?)));
        from.is_some_and(|(importer, path)| path == document.path && importer.span.overlaps(reference.span))
    };
    if let Some(layer) = loaded.context.layers.iter().find(|layer| is_here(&layer.imported_by)) {
        let cut = layer.cut.map(|cut| format!(", cut at line {}", cut.line)).unwrap_or_default();
        let (bytes, tokens) = (thousands(layer.bytes), thousands(layer.tokens));
        return format!("loads it: {bytes} bytes, about {tokens} tokens{cut}");
    }
    let skipped = loaded.context.skipped.iter().find(|skipped| is_here(&skipped.imported_by));
    if let Some(skipped) = skipped {
        return format!("does not load it: {}", prose(&reason(&loaded, &skipped.reason)));
    }
    // The file may have come in by another token before this one.
    let has_it = |target: &RepoPath| {
        loaded.context.layers.iter().any(|layer| loaded.path(&layer.real_path).as_ref() == Some(target))
    };
    match target {
        ImportTarget::File(path) if has_it(path) => "has already loaded it through another import".to_owned(),
        _ => format!("does not treat {} as an import", code(&format!("@{written}"))),
    }
}

fn pattern(view: &View<'_>, document: &Document, offset: usize) -> Option<(Span, String)> {
    let pattern: PathPattern = patterns::of(document).into_iter().find(|pattern| holds(pattern.span, offset))?;
    let shown = code(&pattern.text);
    let Some(files) = rules::globs::matching(view.workspace(), document, &pattern) else {
        return Some((pattern.span, format!("{shown} cannot be read as a pattern")));
    };
    let mut text = match files.len() {
        0 => format!("{shown} matches no file"),
        1 => format!("{shown} matches 1 file:\n"),
        count => format!("{shown} matches {} files:\n", thousands(count)),
    };
    for file in files.iter().take(NAMED_FILES) {
        let _ = write!(text, "\n- {}", code(&file.to_str_lossy()));
    }
    if files.len() > NAMED_FILES {
        let _ = write!(text, "\n- and {} more", thousands(files.len() - NAMED_FILES));
    }
    Some((pattern.span, text))
}

fn named(view: &View<'_>, document: &Document, offset: usize) -> Option<(Span, String)> {
    let named = named_at(view, document, offset)?;
    let path = code(&named.at.to_str_lossy());
    let text = match &named.file {
        None => format!(
            "{path}: a folder with {} files",
            thousands(view.workspace().listing.below(named.at.as_bytes()).len())
        ),
        Some(file) if *file != named.at => format!("{path} leads to {}", code(&file.to_str_lossy())),
        Some(file) if view.workspace().document(file.as_bytes()).is_some() => format!("{path}: {}", size(view, file)),
        Some(_) => path,
    };
    Some((named.span, text))
}

/// The card of a rule, as Markdown.
fn card(info: &RuleInfo) -> String {
    let link = rules::rule_url(info.name).map(|url| format!("\n\n[{}]({url})", info.name)).unwrap_or_default();
    format!("**{}**: {}\n\n{}{link}", info.name, info.summary, info.explanation.trim())
}

fn rule_in_comment(document: &Document, offset: usize) -> Option<(Span, String)> {
    let mut named = document.suppressions.iter().flat_map(|suppression| &suppression.rules);
    let (name, span) = named.find(|(_, span)| holds(*span, offset))?;
    Some((*span, card(rules::find(name)?)))
}

fn rules_of_findings(view: &View<'_>, document: &Document, offset: usize) -> Vec<(Span, String)> {
    let findings = view.analysis.report.findings.iter();
    let here = findings
        .filter(|finding| finding.path == document.path && !finding.is_placeless() && holds(finding.span, offset));
    let mut found: Vec<(Span, &RuleInfo)> =
        here.filter_map(|finding| Some((finding.span, rules::find(finding.rule)?))).collect();
    found.dedup_by_key(|(_, info)| info.name);
    found.into_iter().map(|(span, info)| (span, card(info))).collect()
}
