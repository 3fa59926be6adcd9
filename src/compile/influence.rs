//! Which paths can change what agents load: a commit that touches none of them leaves every context as it is.

use crate::agents::files;
use crate::base::path::{self, RepoPath};
use crate::config::FILE_NAMES;
use crate::discover::Discovery;
use crate::source::Probe;
use crate::workspace::Workspace;
use crate::workspace::imports::ImportTarget;

/// Tells for one state of a repository.
pub(crate) struct Influence<'w> {
    workspace: &'w Workspace,
    /// `None` where a pattern of the config is no glob; then any path can matter.
    discovery: Option<Discovery>,
    /// Where imports lead that bring nothing.
    missing: Vec<&'w RepoPath>,
}

impl<'w> Influence<'w> {
    /// What matters for `workspace`.
    pub(crate) fn of(workspace: &'w Workspace) -> Influence<'w> {
        let missing = workspace.imports.iter().filter_map(|import| match &import.target {
            ImportTarget::Missing(path) | ImportTarget::Unreadable(path, _) | ImportTarget::NotTracked { path, .. } => {
                Some(path)
            }
            _ => None,
        });
        Influence { workspace, discovery: Discovery::new(&workspace.config).ok(), missing: missing.collect() }
    }

    /// Whether a change at `path`, which leads to this state, can have changed a context. A file that was deleted by it is
    /// known by its name, or as what an import misses.
    pub(crate) fn has(&self, path: &RepoPath) -> bool {
        let Influence { workspace, discovery, missing } = self;
        let bytes = path.as_bytes();
        let is_near = |other: &RepoPath| {
            path::is_at_or_below(bytes, other.as_bytes()) || path::is_at_or_below(other.as_bytes(), bytes)
        };
        discovery.as_ref().is_none_or(|discovery| discovery.kind(bytes).is_some())
            || workspace.document(bytes).is_some()
            || workspace.links.contains_key(path)
            || workspace.unreadable.contains_key(path)
            || workspace.settings.contains_key(path)
            || workspace.probes.get(path).is_some_and(|probe| *probe != Probe::Tracked)
            || workspace.config_files.iter().any(|(file, _)| file == path)
            || FILE_NAMES.iter().any(|name| name.as_bytes() == bytes)
            || files::is_settings(bytes)
            || files::decides(bytes)
            || path::file_name(bytes).starts_with(b".")
            || files::is_in_agent_folder(bytes)
            || workspace.links.keys().any(is_near)
            || missing.iter().any(|other| is_near(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    #[test]
    fn hint_files_imports_and_settings_matter_and_code_does_not() {
        let files = [("CLAUDE.md", "@docs/a.txt @docs/gone.txt\n"), ("docs/a.txt", "a"), ("src/x.rs", "")];
        let workspace = load(&Memory::of_files(files), Config::default(), &[]).unwrap().workspace;
        let influence = Influence::of(&workspace);
        let has = |path: &str| influence.has(&path.into());
        for path in
            ["CLAUDE.md", "a/AGENTS.md", "docs/a.txt", "docs/gone.txt", "hintlint.toml", ".claude/settings.json"]
        {
            assert!(has(path), "{path}");
        }
        for path in ["src/x.rs", "src/y.rs", "docs/other.txt", "README.html"] {
            assert!(!has(path), "{path}");
        }
    }
}
