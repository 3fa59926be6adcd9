//! The README and the ignore file of the root: what they say of settings, of skills and of folders on each machine.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Workspace;
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::source::Source;

const IGNORE_FILE: &str = ".gitignore";
const READMES: [&str; 3] = ["README.md", "Readme.md", "readme.md"];

/// Read them, where there is anything that they may speak of.
pub(super) fn read(source: &dyn Source, workspace: &Workspace) -> BTreeMap<RepoPath, Arc<[u8]>> {
    let has_skill = || workspace.documents.iter().any(|document| document.kind == Kind::Skill);
    if workspace.settings.is_empty() && workspace.personal_settings.is_empty() && !has_skill() {
        return BTreeMap::new();
    }
    let names = READMES.into_iter().chain([IGNORE_FILE]).filter(|name| workspace.listing.contains(name.as_bytes()));
    let paths: Vec<RepoPath> = names.map(RepoPath::from).collect();
    let bytes = source.read_many(&paths);
    paths.into_iter().zip(bytes).filter_map(|(path, bytes)| Some((path, bytes.ok()?))).collect()
}

impl Workspace {
    /// The texts of hint files, and of the root's README.
    pub(crate) fn hints_and_readme(&self) -> impl Iterator<Item = (&RepoPath, Cow<'_, str>)> {
        let hints = self.documents.iter().map(|document| (&document.path, Cow::Borrowed(&*document.text)));
        let readmes = self.root_texts.iter().filter(|(path, _)| path.as_bytes() != IGNORE_FILE.as_bytes());
        hints.chain(readmes.map(|(path, bytes)| (path, String::from_utf8_lossy(bytes))))
    }

    /// Whether the root's ignore file excepts exactly this path: it is tracked on purpose.
    pub(crate) fn is_kept_by_ignore_file(&self, path: &RepoPath) -> bool {
        let bytes = self.root_texts.get(&RepoPath::from(IGNORE_FILE));
        let lines = bytes.iter().flat_map(|bytes| bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii));
        let mut kept = lines.filter_map(|line| line.strip_prefix(b"!"));
        kept.any(|kept| kept.strip_prefix(b"/").unwrap_or(kept) == path.as_bytes())
    }
}
