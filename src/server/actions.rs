//! What can be done about findings: their own fixes, all safe fixes of a file, a comment that silences one and says why.

use gen_lsp_types::{CodeActionKind, CodeActionParams, TextEdit};
use serde_json::{Value, json};

use super::answer::ServerAnswer;
use super::capabilities::FIX_ALL;
use super::diagnostics::of_finding;
use super::view::View;
use crate::base::finding::{Applicability, Finding, Fix};
use crate::base::kind::FrontmatterStyle;
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::engine::Fixed;
use crate::parse::Document;
use crate::rules::is_silenceable;

/// Actions of one answer, at most.
const MAX_ACTIONS: usize = 200;
/// What stands for the reason until somebody writes one.
const REASON: &str = "why this is right here";

/// Whether the client wants actions of `kind`, which is one of ours.
fn wants(params: &CodeActionParams, kind: &str) -> bool {
    let is_part = |wanted: &CodeActionKind| {
        let wanted = String::from(wanted.clone());
        let rest = kind.strip_prefix(&wanted);
        wanted.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    params.context.only.as_ref().is_none_or(|only| only.iter().any(is_part))
}

/// What can be done in a range of a file.
pub(super) fn actions(view: &View<'_>, path: &RepoPath, params: &CodeActionParams) -> ServerAnswer {
    // Only who asks for it waits for all fixes to be tried.
    let asks_to_fix_all = params.context.only.is_some() && wants(params, FIX_ALL);
    if asks_to_fix_all && view.text_of(path).is_some() {
        let allowed = Applicability::Safe;
        return ServerAnswer::AfterFixes { project: view.project.clone(), path: path.clone(), allowed };
    }
    ServerAnswer::Now(json!(quick_fixes(view, path, params)))
}

fn quick_fixes(view: &View<'_>, path: &RepoPath, params: &CodeActionParams) -> Vec<Value> {
    let document = view.document(path);
    let Some(path) = document.map(|document| &document.path).or(Some(path)) else { return Vec::new() };
    let Some(text) = view.text_of(path).filter(|_| wants(params, "quickfix")) else { return Vec::new() };
    let lined = view.lined(&text);
    let asked = lined.span(params.range);
    let touches = |span: Span| span.start <= asked.end && asked.start <= span.end;
    let findings = view.analysis.report.findings.iter();
    let here: Vec<&Finding> = findings.filter(|finding| finding.path == *path && touches(finding.span)).collect();
    let mut actions = Vec::new();
    for finding in &here {
        let diagnostic = of_finding(view, &lined, finding);
        let about = |title: String, edit: Value, is_preferred: bool| {
            json!({
                "title": title, "kind": "quickfix", "diagnostics": [diagnostic], "edit": edit, "isPreferred": is_preferred,
            })
        };
        if let Some(fix) = finding.fix.as_ref().filter(|fix| fix.applicability != Applicability::Manual) {
            let is_safe = fix.applicability == Applicability::Safe;
            let title = format!("{} ({}{})", title(finding, fix), finding.rule, if is_safe { "" } else { ", unsafe" });
            actions.extend(edit_of(view, fix).map(|edit| about(title, edit, is_safe)));
        }
        if let Some((path, edit)) = document.and_then(|document| suppress(view, document, finding)) {
            let edit = view.workspace_edit(vec![(path, vec![edit])]);
            actions.push(about(format!("Ignore {} here, with a reason", finding.rule), edit, false));
        }
    }
    actions.truncate(MAX_ACTIONS);
    actions
}

/// What a fix does, in words.
fn title(finding: &Finding, fix: &Fix) -> String {
    const LONGEST: usize = 60;
    let short = |text: &str| {
        let text = sanitize::line(text);
        match text.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text.into_owned(),
        }
    };
    match &fix.edits[..] {
        [edit] if edit.replacement.trim().is_empty() => "Remove it".to_owned(),
        [edit] if edit.span.is_empty() => format!("Insert `{}`", short(edit.replacement.trim())),
        [edit] => format!("Replace with `{}`", short(edit.replacement.trim())),
        _ => format!("Fix: {}", short(&finding.message)),
    }
}

/// The edits of a fix, in all its files; `None` if the text of one is not known.
fn edit_of(view: &View<'_>, fix: &Fix) -> Option<Value> {
    let mut by_file: std::collections::BTreeMap<RepoPath, Vec<TextEdit>> = std::collections::BTreeMap::new();
    for edit in &fix.edits {
        let text = view.text_of(&edit.path)?;
        let range = view.lined(&text).range(edit.span);
        let edit_of_text = TextEdit { range, new_text: edit.replacement.clone() };
        by_file.entry(edit.path.clone()).or_default().push(edit_of_text);
    }
    (!by_file.is_empty()).then(|| view.workspace_edit(by_file.into_iter().collect()))
}

/// The comment that silences a finding, if one may.
fn suppress(view: &View<'_>, document: &Document, finding: &Finding) -> Option<(RepoPath, TextEdit)> {
    if !is_silenceable(finding) || finding.path != document.path {
        return None;
    }
    let rule = finding.rule;
    let line_of = |offset: usize| document.lines.line_span(document.lines.line_of(offset)).start;
    let in_yaml = document.frontmatter.as_ref().is_some_and(|yaml| yaml.yaml.contains(finding.span.start));
    let (at, comment) =
        if document.kind.frontmatter() == FrontmatterStyle::WholeFile || in_yaml && !finding.is_placeless() {
            (line_of(finding.span.start), format!("# hintlint-ignore {rule}: {REASON}\n"))
        } else if finding.is_placeless() || in_yaml {
            (document.body, format!("<!-- hintlint-ignore-file {rule}: {REASON} -->\n"))
        } else {
            // The comment stands before the whole block, since it would break one that it stood in.
            let block = document.markdown.blocks.iter().find(|block| block.contains(finding.span.start))?;
            (line_of(block.start), format!("<!-- hintlint-ignore {rule}: {REASON} -->\n"))
        };
    let range = view.lined(&document.text).range(Span::empty(at));
    Some((document.path.clone(), TextEdit { range, new_text: comment }))
}

/// The action that applies what fixes made of a file, beside those that need no trying.
pub(super) fn after_fixes(view: &View<'_>, params: &Value, file: Option<&Fixed>) -> Value {
    let mut actions = Vec::new();
    let path = super::answer::paths(params).into_iter().next().and_then(|path| view.project.inside(&path));
    if let (Some(path), Ok(params)) = (path, super::session::parameters::<CodeActionParams>(params)) {
        actions = quick_fixes(view, &path, &params);
    }
    if let Some((file, edit)) = file.and_then(|file| Some((file, difference(view, file)?))) {
        let edit = view.workspace_edit(vec![(file.path.clone(), vec![edit])]);
        actions.push(json!({"title": "Apply all safe fixes", "kind": FIX_ALL, "edit": edit}));
    }
    json!(actions)
}

/// One edit that makes of a file what fixes made of it: all but what the two have in common at both ends.
fn difference(view: &View<'_>, file: &Fixed) -> Option<TextEdit> {
    let before = std::str::from_utf8(&file.before).ok()?;
    let after = std::str::from_utf8(&file.after).ok()?;
    let start = before.char_indices().zip(after.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let start = start.unwrap_or(before.len().min(after.len()));
    let (rest, new) = (&before[start..], &after[start..]);
    let common: usize =
        rest.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    let range = view.lined(before).range(Span::new(start, before.len() - common));
    Some(TextEdit { range, new_text: new[..new.len() - common].to_owned() })
}
