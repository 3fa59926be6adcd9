//! The files behind a context, as a listing for people and as JSON.

use crate::agents::context::{Context, Importer, Layer, PartName, Reason, Skipped};
use crate::base::sanitize;
use crate::base::tokens;
use crate::report::safe_json;
use serde_json::{Value, json};
use std::io::{self, Write};

/// One line per file in load order, then what is not loaded and why.
pub(super) fn text(
    context: &Context,
    part: Option<PartName>,
    count: &dyn Fn(&Layer) -> usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = |layer: &&Layer| part.is_none_or(|part| part == layer.part);
    for layer in context.layers.iter().filter(shown) {
        let Layer { bytes, lines, .. } = layer;
        let (about, tokens) = (tokens::WORD, count(layer));
        let path = layer.path.to_str_lossy();
        let path = sanitize::line(&path);
        write!(
            out,
            "{} {path}: {bytes} bytes, {lines} lines, {about}{tokens} tokens, {}",
            layer.part.name(),
            layer.why.name()
        )?;
        if layer.real_path != layer.path {
            write!(out, ", resolved to {}", sanitize::line(&layer.real_path.to_str_lossy()))?;
        }
        if let Some(importer) = &layer.imported_by {
            write!(out, ", by {}", place(importer))?;
        }
        if !layer.globs.is_empty() {
            write!(out, ", matching {}", sanitize::line(&layer.globs.join(", ")))?;
        }
        if let Some(cut) = layer.cut {
            write!(out, ", cut in line {} after {} bytes ({} lost)", cut.line, cut.kept, bytes - cut.kept)?;
        }
        writeln!(out)?;
    }
    for rule in &context.conditional {
        let globs = if rule.globs.is_empty() { "a request".to_owned() } else { rule.globs.join(", ") };
        let globs = sanitize::line(&globs);
        write!(out, "conditional {}: waits for {globs}", sanitize::line(&rule.path.to_str_lossy()))?;
        match rule.never {
            Some(why) => writeln!(out, ", never: {why}")?,
            None => writeln!(out)?,
        }
    }
    for skipped in &context.skipped {
        writeln!(out, "not loaded: {}", skipped_line(skipped))?;
    }
    out.flush()
}

fn skipped_line(skipped: &Skipped) -> String {
    let reason = skipped.reason.to_string();
    let reason = sanitize::line(&reason);
    match (&skipped.imported_by, &skipped.path) {
        (Some(importer), _) => format!("@{} by {}: {reason}", sanitize::line(&skipped.token), place(importer)),
        (None, Some(path)) => format!("{}: {reason}", sanitize::line(&path.to_str_lossy())),
        (None, None) => reason.into_owned(),
    }
}

fn place(importer: &Importer) -> String {
    format!("{} at byte {}", sanitize::line(&importer.path.to_str_lossy()), importer.span.start)
}

/// Everything, as one object. Texts are left out of parts that are not asked for.
pub(super) fn json(
    context: &Context,
    part: Option<PartName>,
    count: &dyn Fn(&Layer) -> usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let dialect = context.dialect;
    let shown = |name: PartName| part.is_none_or(|part| part == name);
    let parts: Vec<Value> = context
        .parts
        .iter()
        .filter(|part| shown(part.name))
        .map(|part| json!({"part": part.name.name(), "placement": part.placement, "bytes": part.text.len(), "text": part.text}))
        .collect();
    let conditional: Vec<Value> = context
        .conditional
        .iter()
        .map(|rule| {
            let (path, base) = (rule.path.to_str_lossy(), rule.base.to_str_lossy());
            json!({"path": path, "base": base, "globs": rule.globs, "never": rule.never})
        })
        .collect();
    let failures: Vec<Value> = context
        .failures
        .iter()
        .map(|failure| json!({"path": failure.path.to_str_lossy(), "message": failure.message}))
        .collect();
    let value = json!({
        "version": 1,
        "agent": dialect.id,
        "dialect": {"version": dialect.version, "checked": dialect.checked, "proof": dialect.proof.name()},
        "directory": context.start.to_str_lossy(),
        "root": context.root.as_ref().map(|root| root.to_str_lossy()),
        "placement": dialect.placement,
        "parts": parts,
        "layers": context.layers.iter().filter(|layer| shown(layer.part)).map(|shown| layer(shown, count(shown))).collect::<Vec<_>>(),
        "conditional": conditional,
        "skipped": context.skipped.iter().map(skipped).collect::<Vec<_>>(),
        "tokens_estimated": tokens::ESTIMATED,
        "order_unspecified": context.order_unspecified,
        "notes": context.notes,
        "failures": failures,
    });
    safe_json::write(&value, out)?;
    out.flush()
}

fn layer(layer: &Layer, tokens: usize) -> Value {
    json!({
        "path": layer.path.to_str_lossy(),
        "real_path": layer.real_path.to_str_lossy(),
        "part": layer.part.name(),
        "why": layer.why.name(),
        "bytes": layer.bytes,
        "lines": layer.lines,
        "tokens": tokens,
        "imported_by": layer.imported_by.as_ref().map(importer),
        "cut": layer.cut.map(|cut| json!({"kept": cut.kept, "line": cut.line})),
        "globs": layer.globs,
    })
}

fn importer(importer: &Importer) -> Value {
    json!({"path": importer.path.to_str_lossy(), "start": importer.span.start, "end": importer.span.end})
}

fn skipped(skipped: &Skipped) -> Value {
    let detail = match &skipped.reason {
        Reason::Outside(path) | Reason::ShadowedBy(path) => json!(path.to_str_lossy()),
        Reason::TooDeep(limit) | Reason::BudgetSpent(limit) => json!(limit),
        Reason::Extension(extension) => json!(extension),
        _ => Value::Null,
    };
    json!({
        "path": skipped.path.as_ref().map(|path| path.to_str_lossy()),
        "token": skipped.token,
        "imported_by": skipped.imported_by.as_ref().map(importer),
        "reason": skipped.reason.name(),
        "detail": detail,
    })
}
