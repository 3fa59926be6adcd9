//! Hint files as Gemini CLI and its fork Qwen Code load them: names from settings, one block per file, imports in place with
//! errors in the words of the agents' runtime. What differs between the two is in their tables and in [`Variant`].

use super::context::{Reason, Why};
use super::expand::{ImportToken, ImportedFile, NoImport, expand};
use super::flat::expand_flat;
use super::loading::Loading;
use super::settings;
use crate::world::{AbsPath, ReadError};
use serde_json::Value;

/// Where the agents differ in imports, their tables aside.
pub(crate) struct Variant {
    /// A token whose target is missing stays; else a comment takes its place.
    pub(crate) missing_stays: bool,
    /// The hint file itself counts as processed.
    pub(crate) knows_itself: bool,
    /// `%20` and the like are decoded before a target is compared with the boundary.
    pub(crate) decodes_percent: bool,
    /// A target behind links that lead in a circle counts as outside.
    pub(crate) refuses_loops: bool,
    /// The flat format too ends at the depth of the table.
    pub(crate) limits_flat: bool,
}

/// Where imports stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportFormat {
    /// In the place of their tokens.
    Tree,
    /// One after the other behind the text.
    Flat,
}

impl ImportFormat {
    /// What the setting `context.importFormat` says.
    pub(crate) fn of(setting: &Value) -> ImportFormat {
        if setting.as_str() == Some("flat") { ImportFormat::Flat } else { ImportFormat::Tree }
    }
}

/// The names that a setting gives, without blanks around them.
pub(crate) fn given_names(setting: &Value) -> Vec<String> {
    let given = settings::strings(setting).unwrap_or_default();
    given.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// Replace `names` by those that a setting gives, if it gives any.
pub(crate) fn replace_names(names: &mut Vec<String>, setting: &Value) {
    let given = given_names(setting);
    if !given.is_empty() {
        *names = given;
    }
}

/// The block of the hint file at `path`, headed by `name`; `None` if there is no such file or no text in it.
pub(crate) fn block(
    loading: &mut Loading<'_>,
    variant: &Variant,
    path: &AbsPath,
    format: ImportFormat,
    why: Why,
    name: &str,
) -> Option<String> {
    let boundary = loading.boundary(path);
    let text = loading.hint_with(path, why, |loading, text| {
        Ok(match format {
            ImportFormat::Tree => {
                expand(loading, path, text, &mut |loading, token| find(loading, variant, &boundary, path, token))
            }
            ImportFormat::Flat => expand_flat(loading, variant, path, text),
        })
    })?;
    Some(format!("--- Context from: {name} ---\n{text}\n--- End of Context from: {name} ---"))
}

/// What a token leads to, in the text of the hint file `hint` or of what it imports.
fn find(
    loading: &mut Loading<'_>,
    variant: &Variant,
    boundary: &AbsPath,
    hint: &AbsPath,
    token: &ImportToken<'_>,
) -> Result<ImportedFile, NoImport> {
    if let (Err(too_deep), inert) = (token.check_depth(loading.max_depth()), token.inert) {
        return Err(if inert.is_some() { NoImport::not_scanned() } else { too_deep });
    }
    let is_known = |target: &AbsPath| {
        token.chain.iter().any(|link| link.path == *target) || (variant.knows_itself && target == hint)
    };
    find_unless(loading, variant, boundary, token, is_known)
}

/// What a token leads to, at any depth, unless `is_known`.
pub(crate) fn find_unless(
    loading: &mut Loading<'_>,
    variant: &Variant,
    boundary: &AbsPath,
    token: &ImportToken<'_>,
    is_known: impl Fn(&AbsPath) -> bool,
) -> Result<ImportedFile, NoImport> {
    token.check_inert()?;
    let (name, target) = (token.path, token.target());
    let asked = if variant.decodes_percent { percent_decoded(&target) } else { target.clone() };
    let is_url = ["file://", "http://", "https://"].iter().any(|scheme| name.starts_with(scheme));
    let is_loop = variant.refuses_loops && loading.world.real_path(&asked) == Err(ReadError::Loop);
    if is_url || is_loop || !loading.is_inside(boundary, &asked) {
        let refusal = NoImport::new(Reason::Outside(boundary.clone()));
        return Err(refusal.instead(format!("<!-- Import failed: {name} - Path traversal attempt -->")));
    }
    if is_known(&target) {
        let refusal = NoImport::new(Reason::AlreadyLoaded).target(&target);
        return Err(refusal.instead(format!("<!-- File already processed: {name} -->")));
    }
    if !loading.may_import() {
        return Err(NoImport::new(Reason::Limit).target(&target));
    }
    match loading.world.read(&target) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let frame = [format!("<!-- Imported from: {name} -->\n"), format!("\n<!-- End of import from: {name} -->")];
            Ok(ImportedFile { path: target.clone(), base: target, bytes, text, frame })
        }
        Err(ReadError::NotFound) if variant.missing_stays => Err(NoImport::unread(target, ReadError::NotFound)),
        Err(error) => {
            let message = node_message(&error, &loading.show(&target));
            Err(NoImport::unread(target, error).instead(format!("<!-- Import failed: {name} - {message} -->")))
        }
    }
}

/// The path with `%20` and the like decoded, as the boundary check reads it; as it is when that is not UTF-8 or malformed.
fn percent_decoded(path: &AbsPath) -> AbsPath {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'%' {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|hex| !hex.starts_with('+')).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => out.push(byte),
            None => return path.clone(),
        }
        at += 3;
    }
    if std::str::from_utf8(&out).is_ok() { AbsPath::new(out) } else { path.clone() }
}

/// The message of the error that Node raises when it looks for or reads `path`.
fn node_message(error: &ReadError, path: &str) -> String {
    match error {
        ReadError::NotFound => format!("ENOENT: no such file or directory, access '{path}'"),
        ReadError::NotADirectory => format!("ENOTDIR: not a directory, access '{path}'"),
        ReadError::IsDirectory => "EISDIR: illegal operation on a directory, read".to_owned(),
        ReadError::Loop => format!("ELOOP: too many symbolic links encountered, access '{path}'"),
        ReadError::NameTooLong => format!("ENAMETOOLONG: name too long, access '{path}'"),
        ReadError::Denied => format!("EACCES: permission denied, open '{path}'"),
        ReadError::Special
        | ReadError::TooLarge
        | ReadError::GitDirectory
        | ReadError::NotLoaded
        | ReadError::Other(_) => {
            format!("{error}, open '{path}'")
        }
    }
}
