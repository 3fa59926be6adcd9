//! What a request is to be compared with, from what CI systems say in variables and files. Each says it in its own way, and a
//! clone may lack what they name.

use std::path::Path;

use serde_json::Value;

use crate::base::error::Error;
use crate::cli::{Console, config_file};
use crate::engine::Repository;

/// Variables that name a branch of `origin`: GitHub's, Azure's, Buildkite's, Jenkins'.
const BRANCHES: [&str; 4] =
    ["GITHUB_BASE_REF", "SYSTEM_PULLREQUEST_TARGETBRANCH", "BUILDKITE_PULL_REQUEST_BASE_BRANCH", "CHANGE_TARGET"];

/// GitLab's variable with the commit itself.
const COMMIT: &str = "CI_MERGE_REQUEST_DIFF_BASE_SHA";

/// What to compare with.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FoundBase {
    /// A revision that the clone has; `None` to check everything.
    pub revision: Option<String>,
    /// Why there is no base, and what to do.
    pub note: Option<String>,
}

/// Find the base: the one that is named, or that the environment names.
///
/// # Errors
/// When the one that is named cannot be compared with.
pub(super) fn find(named: Option<&str>, repository: &Repository, console: &Console<'_>) -> Result<FoundBase, Error> {
    if let Some(revision) = named {
        repository.merge_base(revision)?;
        return Ok(FoundBase { revision: Some(revision.to_owned()), note: None });
    }
    let candidates = candidates(console);
    let is_there = |revision: &&String| repository.merge_base(revision).is_ok();
    if let Some(revision) = candidates.iter().find(is_there) {
        return Ok(FoundBase { revision: Some(revision.clone()), note: None });
    }
    let note = match candidates.first() {
        Some(wanted) => format!(
            "this clone has no common history with `{wanted}`, so everything was checked with the request's own config, and what \
             it loosens was not looked for: fetch the history (`fetch-depth: 0` in actions/checkout, `GIT_DEPTH: 0` in GitLab)"
        ),
        None => "no base is known, so everything was checked; `--base REV` compares with one".to_owned(),
    };
    Ok(FoundBase { revision: None, note: Some(note) })
}

/// The revisions that the environment names, the best first.
fn candidates(console: &Console<'_>) -> Vec<String> {
    let env = &console.env;
    let mut candidates: Vec<String> = Vec::new();
    candidates.extend(env.get(COMMIT).filter(|id| is_object_name(id)).map(str::to_owned));
    let branches = BRANCHES.iter().filter_map(|name| env.get(name));
    candidates
        .extend(branches.map(|branch| format!("origin/{}", branch.strip_prefix("refs/heads/").unwrap_or(branch))));
    if let Some(file) = env.get("GITHUB_EVENT_PATH") {
        candidates.extend(event(&console.directory.join(Path::new(file))));
    }
    candidates
}

/// The base that GitHub's event names: of a pull request, of a merge queue, or of a push.
fn event(file: &Path) -> Option<String> {
    let bytes = config_file::contents(file).ok()?;
    let event: Value = serde_json::from_slice(&bytes).ok()?;
    let places = ["/pull_request/base/sha", "/merge_group/base_sha", "/before"];
    let named = places.iter().find_map(|place| event.pointer(place)?.as_str())?;
    // A new branch comes after nothing.
    let is_nothing = named.bytes().all(|byte| byte == b'0');
    (is_object_name(named) && !is_nothing).then(|| named.to_owned())
}

fn is_object_name(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
