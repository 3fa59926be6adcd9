//! Keys of providers: from the environment, from an untracked `.api-keys.json`, from an untracked `.flpipeline.json`. A key that git
//! tracks is public, and is not used.

use serde_json::Value;

use super::flpipeline::FlPipeline;
use super::llm::{ApiKey, ProviderInfo};
use super::provider::{SettingSources, is_personal};
use crate::base::path::{self, RepoPath};
use crate::parse::secrets;
use crate::workspace::key_files::KEYS;
use crate::write::WriteRoot;

/// Largest file of keys in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// A key, or why one that stands somewhere is not used.
pub(super) struct FoundKey {
    pub(super) key: Option<ApiKey>,
    pub(super) unused: Option<String>,
}

/// Look for the key of `info`.
pub(super) fn find(given: &SettingSources<'_>, info: &ProviderInfo, legacy: Option<&FlPipeline>) -> FoundKey {
    let Some(name) = info.key else { return FoundKey { key: None, unused: None } };
    if let Some(key) = given.env.get(name).and_then(|key| ApiKey::new(key, name)) {
        return FoundKey { key: Some(key), unused: None };
    }
    let mut unused = None;
    for folder in path::ancestors_from_root(given.subdirectory).into_iter().rev() {
        let path = RepoPath::new(path::join(folder, KEYS.as_bytes()));
        let Some(value) = member(given, &path, name) else { continue };
        match is_usable(given, &path) {
            true => return FoundKey { key: ApiKey::new(&value, path.to_str_lossy()), unused },
            false => unused = unused.or(Some(tracked(&path))),
        }
    }
    if let Some(legacy) = legacy
        && let Some(value) = legacy.api_key.as_deref().filter(|value| !secrets::is_sample_key(value))
    {
        let origin = format!("`apiKey` of {}", legacy.path.to_str_lossy());
        match is_usable(given, &legacy.path) {
            true => return FoundKey { key: ApiKey::new(value, origin), unused },
            false => unused = unused.or(Some(tracked(&legacy.path))),
        }
    }
    FoundKey { key: None, unused }
}

fn tracked(path: &RepoPath) -> String {
    format!("the key in {} is not used because git tracks that file", path.to_str_lossy())
}

/// Outside git nothing is tracked.
fn is_usable(given: &SettingSources<'_>, path: &RepoPath) -> bool {
    !given.source.is_versioned() || is_personal(given.source, path)
}

/// The key called `name` in the file at `path`, if there is one.
fn member(given: &SettingSources<'_>, path: &RepoPath, name: &str) -> Option<String> {
    let bytes = WriteRoot::new(given.root?).ok()?.get(path, MAX_BYTES)?;
    let json: Value = serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes)).ok()?;
    let value = json.get(name)?.as_str()?.trim();
    (!value.is_empty() && !secrets::is_sample_key(value)).then(|| value.to_owned())
}
