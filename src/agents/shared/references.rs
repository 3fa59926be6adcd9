//! `{env:NAME}` and `{file:PATH}` in settings and hint files, replaced by what they stand for. It knows no agent.

use super::context::Reason;
use super::loading::Loading;
use crate::base::text::Span;
use crate::parse::imports::{is_js_space, js_trim};
use crate::world::{AbsPath, ReadError};
use std::fmt;

/// A text is not followed beyond so many bytes, against hostile input.
const MAX_BYTES: usize = 16 << 20;

/// Which references a file may have.
pub(crate) struct References {
    /// The directory that a file of the project may refer to. Such a file may not refer to the environment at all.
    pub(crate) bound: Option<AbsPath>,
}

/// Why an agent refuses a file for a reference in it.
pub(crate) enum Refused {
    Environment(String),
    Outside(String),
    Unreadable(String),
    TooLong,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Environment(token) => {
                write!(f, "{token} refers to the environment, which a project's file may not")
            }
            Refused::Outside(token) => write!(f, "{token} leads out of the project"),
            Refused::Unreadable(token) => write!(f, "{token} names no file that can be read"),
            Refused::TooLong => write!(f, "with its references it has more than {MAX_BYTES} bytes"),
        }
    }
}

impl References {
    /// The text of the settings at `path`.
    pub(crate) fn in_settings(&self, loading: &Loading<'_>, path: &AbsPath, text: &str) -> Result<String, Refused> {
        let text = self.environment(loading, text, false)?;
        replaced(
            &text,
            "{file:",
            |_| false,
            |token, file, _| {
                let (_, bytes) = self.read(loading, path, token, file)?;
                let bytes = bytes.map_err(|_| Refused::Unreadable(token.to_owned()))?;
                let quoted = serde_json::Value::from(String::from_utf8_lossy(&bytes).trim()).to_string();
                Ok(quoted[1..quoted.len() - 1].to_owned())
            },
        )
    }

    /// The text of the hint file at `path`. What cannot be read stands for nothing.
    pub(crate) fn in_hint_file(&self, loading: &mut Loading<'_>, path: &AbsPath, text: &str) -> Result<String, Reason> {
        let is_escaped = |before: &str| self.bound.is_some() && before.ends_with('$');
        let text = self.environment(loading, text, true).and_then(|text| {
            replaced(&text, "{file:", is_escaped, |token, file, span| {
                let (target, bytes) = self.read(loading, path, token, file)?;
                if !loading.may_import() {
                    return Ok(String::new());
                }
                match bytes {
                    Ok(bytes) => {
                        loading.import(&target, &bytes, path, span);
                        Ok(js_trim(&String::from_utf8_lossy(&bytes)).to_owned())
                    }
                    Err(error) => {
                        loading.skip_unread(path, span, token, &target, &error);
                        Ok(String::new())
                    }
                }
            })
        });
        text.map_err(|refused| {
            loading.note(format!("{} is left out: {refused}", loading.show(path)));
            Reason::Refused
        })
    }

    fn environment(&self, loading: &Loading<'_>, text: &str, in_hint_file: bool) -> Result<String, Refused> {
        let is_escaped = |before: &str| in_hint_file && self.bound.is_some() && before.ends_with('$');
        replaced(text, "{env:", is_escaped, |token, name, _| match self.bound {
            Some(_) => Err(Refused::Environment(token.to_owned())),
            None => Ok(loading.world.env().get(name).unwrap_or_default().to_owned()),
        })
    }

    /// The file that a reference in `path` names, and its bytes.
    fn read(&self, loading: &Loading<'_>, path: &AbsPath, token: &str, file: &str) -> Result<ReadReference, Refused> {
        let home = file.strip_prefix("~/").and_then(|rest| Some(loading.home()?.join(rest)));
        let target = home.unwrap_or_else(|| path.dirname().resolve(file.as_bytes()));
        if let (Some(bound), Ok(real)) = (&self.bound, loading.world.real_path(&target))
            && !real.is_within(&loading.robust_real_path(bound))
        {
            return Err(Refused::Outside(token.to_owned()));
        }
        let bytes = loading.world.read(&target);
        Ok((target, bytes))
    }
}

type ReadReference = (AbsPath, Result<std::sync::Arc<[u8]>, ReadError>);

/// `text` with the value of every token that begins with `open` and ends with `}`. A token stays as it is in a line that begins
/// with `//`, and where what stands before it says so.
fn replaced(
    text: &str,
    open: &str,
    stays: impl Fn(&str) -> bool,
    mut value: impl FnMut(&str, &str, Span) -> Result<String, Refused>,
) -> Result<String, Refused> {
    let mut out = String::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(open).map(|at| from + at) {
        let name = at + open.len();
        let Some(end) = text[name..].find('}').map(|end| name + end) else { break };
        let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
        out.push_str(&text[from..at]);
        if end == name || stays(&text[..at]) || text[line..at].trim_start_matches(is_js_space).starts_with("//") {
            out.push_str(open);
            from = name;
            continue;
        }
        out.push_str(&value(&text[at..=end], &text[name..end], Span::new(at, end + 1))?);
        from = end + 1;
        if out.len() > MAX_BYTES {
            return Err(Refused::TooLong);
        }
    }
    out.push_str(&text[from..]);
    Ok(out)
}
