//! The `<builtin>` blocks that agents write: `hint` with `action: load` or `unload`, and `get_resource` with a `path`. A block is
//! the tool's name on its first line and `key: value` lines, or a JSON object, after it. Reads text and does nothing.

use std::fmt;

use serde_json::Value;

use crate::base::text::Span;

/// What a block asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BuiltinCall {
    /// Load a package.
    Load(String),
    /// Unload the active one.
    Unload,
    /// Give a resource, in an encoding if one is named.
    Resource {
        /// Its path below `resources/`.
        path: String,
        /// How its bytes stand for text.
        encoding: Option<String>,
    },
}

/// Why a block asks for nothing that can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slip {
    /// It is empty.
    Empty,
    /// There is no such tool here.
    Tool(String),
    /// A field is missing or empty: the tool and the field.
    Missing(&'static str, &'static str),
    /// The tool has no such field.
    Field(&'static str, String),
    /// `hint` has no such action.
    Action(String),
    /// A line is no `key: value`.
    Line(String),
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slip::Empty => f.write_str("the block is empty; its first line names the tool"),
            Slip::Tool(name) => write!(f, "there is no tool `{name}` here, only `hint` and `get_resource`"),
            Slip::Missing(tool, field) => write!(f, "`{tool}` needs `{field}`"),
            Slip::Field(tool, field) => write!(f, "`{tool}` has no field `{field}`"),
            Slip::Action(action) => write!(f, "`hint` has no action `{action}`, only `load` and `unload`"),
            Slip::Line(line) => write!(f, "`{line}` is no `key: value`"),
        }
    }
}

impl std::error::Error for Slip {}

const OPEN: &str = "<builtin";
const CLOSE: &str = "</builtin>";

/// The blocks of `text`, in order.
pub(crate) fn calls(text: &str) -> Vec<Result<BuiltinCall, Slip>> {
    calls_with_places(text).into_iter().map(|(_, call)| call).collect()
}

/// The same, each with where its inside stands. A block that never closes is none.
pub(crate) fn calls_with_places(text: &str) -> Vec<(Span, Result<BuiltinCall, Slip>)> {
    // Lower case of ASCII alone keeps all offsets.
    let lower = text.to_ascii_lowercase();
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(open) = lower[at..].find(OPEN).map(|found| at + found + OPEN.len()) {
        at = open;
        // `<builtins>` is another tag.
        if !lower[open..].starts_with(['>', ' ', '\t', '\n', '\r']) {
            continue;
        }
        let Some(body) = lower[open..].find('>').map(|end| open + end + 1) else { break };
        let Some(close) = lower[body..].find(CLOSE).map(|end| body + end) else { break };
        calls.push((Span::new(body, close), call(&text[body..close])));
        at = close + CLOSE.len();
    }
    calls
}

fn call(body: &str) -> Result<BuiltinCall, Slip> {
    let body = body.trim();
    let first = body.lines().next().unwrap_or("").trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let end = first.find(|c: char| !is_name(c)).unwrap_or(first.len());
    let tool = first[..end].to_ascii_lowercase();
    let tool = tool.strip_prefix("builtin.").unwrap_or(&tool);
    let fields = match body[end..].trim() {
        inline if inline.starts_with('{') => of_object(inline)?,
        _ => of_lines(body.lines().skip(1))?,
    };
    match tool {
        "" => Err(Slip::Empty),
        "hint" => hint(&fields),
        "get_resource" => {
            let [path, encoding] = take("get_resource", ["path", "encoding"], &fields)?;
            Ok(BuiltinCall::Resource { path: path.ok_or(Slip::Missing("get_resource", "path"))?, encoding })
        }
        other => Err(Slip::Tool(other.to_owned())),
    }
}

fn hint(fields: &[(String, String)]) -> Result<BuiltinCall, Slip> {
    let [action, name] = take("hint", ["action", "name"], fields)?;
    match action.ok_or(Slip::Missing("hint", "action"))?.to_ascii_lowercase().as_str() {
        "load" => Ok(BuiltinCall::Load(name.ok_or(Slip::Missing("hint", "name"))?)),
        "unload" => Ok(BuiltinCall::Unload),
        other => Err(Slip::Action(other.to_owned())),
    }
}

/// The values of a tool's two fields; the last one counts where a field is set twice.
fn take(
    tool: &'static str,
    names: [&'static str; 2],
    fields: &[(String, String)],
) -> Result<[Option<String>; 2], Slip> {
    let mut values = [None, None];
    for (key, value) in fields {
        let index = names.iter().position(|name| name == key).ok_or_else(|| Slip::Field(tool, key.clone()))?;
        if value.is_empty() {
            return Err(Slip::Missing(tool, names[index]));
        }
        values[index] = Some(value.clone());
    }
    Ok(values)
}

fn of_object(text: &str) -> Result<Vec<(String, String)>, Slip> {
    let Ok(Value::Object(object)) = serde_json::from_str(text) else { return Err(Slip::Line(first_line(text))) };
    let value = |value: Value| match value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    Ok(object.into_iter().map(|(key, given)| (key.trim().to_ascii_lowercase(), value(given))).collect())
}

/// `key: value` lines. What stands between `<<<` and `>>>` is another tool's payload.
fn of_lines<'l>(lines: impl Iterator<Item = &'l str>) -> Result<Vec<(String, String)>, Slip> {
    let mut fields = Vec::new();
    let mut in_payload = false;
    for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
        match line {
            "<<<" => in_payload = true,
            ">>>" => in_payload = false,
            _ if in_payload => {}
            _ => {
                let (key, value) = line.split_once(':').ok_or_else(|| Slip::Line(first_line(line)))?;
                fields.push((key.trim().to_ascii_lowercase(), unquoted(value.trim()).to_owned()));
            }
        }
    }
    Ok(fields)
}

fn unquoted(value: &str) -> &str {
    let inner = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

/// As much of a line as a message should repeat.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(path: &str, encoding: Option<&str>) -> BuiltinCall {
        BuiltinCall::Resource { path: path.into(), encoding: encoding.map(Into::into) }
    }

    #[test]
    fn blocks_are_read_in_every_form() {
        for (text, expected) in [
            ("<builtin>\nhint\naction: load\nname: xxx\n</builtin>", BuiltinCall::Load("xxx".into())),
            ("so:\n<builtin>\n hint\n action: unload\n</builtin> ok", BuiltinCall::Unload),
            ("<BUILTIN a=b>\nBuiltin.Hint\nAction: LOAD\nname: \"a b\"\n</Builtin>", BuiltinCall::Load("a b".into())),
            ("<builtin>hint {\"action\": \"load\", \"name\": \"x\"}</builtin>", BuiltinCall::Load("x".into())),
            ("<builtin>\nget_resource\npath: a/b.txt\nencoding: utf-8\n</builtin>", resource("a/b.txt", Some("utf-8"))),
            ("<builtin>\nbuiltin.get_resource\npath: 'C: x'\n</builtin>", resource("C: x", None)),
            ("<builtin>\nget_resource\npath: a\n<<<\nno field\n>>>\n</builtin>", resource("a", None)),
        ] {
            assert_eq!(calls(text), [Ok(expected)], "{text}");
        }
        let two = "<builtin>\nhint\naction: unload\n</builtin><builtin>\nget_resource\npath: x\n</builtin>";
        assert_eq!(calls(two), [Ok(BuiltinCall::Unload), Ok(resource("x", None))]);
    }

    #[test]
    fn slips_are_named() {
        for (text, expected) in [
            ("<builtin>\n</builtin>", Slip::Empty),
            ("<builtin>\nread_file\npath: x\n</builtin>", Slip::Tool("read_file".into())),
            ("<builtin>\nhint\n</builtin>", Slip::Missing("hint", "action")),
            ("<builtin>\nhint\naction: load\n</builtin>", Slip::Missing("hint", "name")),
            ("<builtin>\nhint\naction: load\nname:\n</builtin>", Slip::Missing("hint", "name")),
            ("<builtin>\nhint\naction: drop\n</builtin>", Slip::Action("drop".into())),
            ("<builtin>\nget_resource\nfile: x\n</builtin>", Slip::Field("get_resource", "file".into())),
            ("<builtin>\nhint\nload it\n</builtin>", Slip::Line("load it".into())),
        ] {
            assert_eq!(calls(text), [Err(expected)], "{text}");
        }
        for text in ["", "hint", "<builtin>\nhint", "<builtins>\nhint\n</builtins>", "<builtin"] {
            assert_eq!(calls(text), [], "{text}");
        }
    }
}
