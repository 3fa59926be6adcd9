//! Which findings a set of changes is answerable for: those in changed files and their importers, and those that name what the
//! changes took away. So a commit hook speaks of the commit, also where the commit deletes a file that others rely on.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;

use crate::config;
use crate::finding::Finding;
use crate::path::{self, RepoPath};
use crate::rules::{self, Group};
use crate::source::Changes;
use crate::text::Span;
use crate::workspace::Workspace;
use crate::workspace::imports::Target;

/// What a set of changes reaches.
#[derive(Debug)]
pub struct Affected {
    /// A change to the config, to agents' settings or to an ignore file may change any finding.
    everything: bool,
    /// Changed files, files that are gone, and all files that import one of them, however far away.
    files: BTreeSet<RepoPath>,
    /// Names of files and folders that are gone.
    names: Option<AhoCorasick>,
    /// Whether any hint file changed, so that artifacts are this change's business.
    hints_changed: bool,
}

impl Affected {
    /// What `changes` reach in `workspace`, which is the state after them.
    pub fn new(workspace: &Workspace, changes: &Changes) -> Self {
        let changed: BTreeSet<RepoPath> = changes.present().chain(changes.gone()).cloned().collect();
        let everything = reach_everything(changes);
        let mut importers: BTreeMap<&RepoPath, Vec<&RepoPath>> = BTreeMap::new();
        for import in &workspace.imports {
            let target = match &import.target {
                Target::File(path) | Target::Missing(path) | Target::Unreadable(path, _) => path,
                Target::NotTracked { path, .. } => path,
                Target::Outside(_) | Target::Loop | Target::Unknown => continue,
            };
            importers.entry(target).or_default().push(&import.importer);
        }
        let mut files = changed.clone();
        let mut queue: Vec<RepoPath> = changed.iter().cloned().collect();
        while let Some(file) = queue.pop() {
            for importer in importers.get(&file).into_iter().flatten() {
                if files.insert((*importer).clone()) {
                    queue.push((*importer).clone());
                }
            }
        }
        let hints_changed = files.iter().any(|path| {
            workspace.document(path.as_bytes()).is_some()
                || path.as_bytes().starts_with(workspace.config.compile.output.as_bytes())
                || crate::compile::FILES.iter().any(|name| name.as_bytes() == path.file_name())
        });
        Affected { everything, files, names: gone_names(workspace, changes), hints_changed }
    }

    /// Whether the changes are answerable for `finding`.
    pub fn keeps(&self, workspace: &Workspace, finding: &Finding) -> bool {
        if self.everything || self.files.contains(&finding.path) {
            return true;
        }
        if rules::find(finding.rule).is_some_and(|info| info.group == Group::Artifacts) {
            return self.hints_changed;
        }
        finding.related.iter().any(|related| self.files.contains(&related.path))
            || self.names_what_is_gone(workspace, finding)
    }

    /// Whether the lines of the finding hold the name of something that is gone.
    fn names_what_is_gone(&self, workspace: &Workspace, finding: &Finding) -> bool {
        let (Some(names), Some(document)) = (&self.names, workspace.document(finding.path.as_bytes())) else {
            return false;
        };
        let first = document.lines.line_span(document.lines.line_of(finding.span.start));
        let last = document.lines.line_span(document.lines.line_of(finding.span.end.max(finding.span.start + 1) - 1));
        names.is_match(document.slice(Span::new(first.start, last.end.max(first.end))))
    }
}

/// Whether [`Affected::keeps`] every finding, since a change decides what is found in others.
pub fn reach_everything(changes: &Changes) -> bool {
    changes.present().chain(changes.gone()).any(governs)
}

/// Whether a file decides what is found in others.
fn governs(path: &RepoPath) -> bool {
    let bytes = path.as_bytes();
    config::FILE_NAMES.iter().any(|name| name.as_bytes() == bytes)
        || path.file_name() == b".gitignore"
        || [".gemini/settings.json", ".codex/config.toml", ".claude/settings.json", "opencode.json"]
            .iter()
            .any(|settings| bytes.ends_with(settings.as_bytes()))
}

/// The names of files that are gone and of folders that went with them.
fn gone_names(workspace: &Workspace, changes: &Changes) -> Option<AhoCorasick> {
    let mut names: BTreeSet<&[u8]> = BTreeSet::new();
    for gone in changes.gone() {
        names.insert(gone.file_name());
        for dir in path::ancestors_from_root(gone.parent()) {
            if !dir.is_empty() && !workspace.listing.has_dir(dir) {
                names.insert(path::file_name(dir));
            }
        }
    }
    names.remove(&b""[..]);
    // Names come from file names, so there is no pattern to go wrong; more of them than memory holds would be an odd commit.
    if names.is_empty() { None } else { AhoCorasick::new(names).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::run::{Selection, run};
    use crate::source::history::Answers;
    use crate::source::{Change, ChangeKind, Memory};
    use crate::workspace::load;

    fn after(changes: &[(&str, ChangeKind)], files: &[(&str, &str)]) -> Vec<String> {
        let list = changes.iter().map(|(path, kind)| Change { path: (*path).into(), kind: kind.clone() }).collect();
        let selection = Selection {
            select: vec!["missing-import".into()],
            changes: Some(Changes { list }),
            ..Selection::default()
        };
        let loaded = load(&Memory::of_files(files.iter().copied()), Config::default(), &[]).unwrap();
        let report = run(loaded, &selection, &mut |_| Answers::default()).0;
        report.findings.iter().map(|finding| format!("{} {}", finding.path.to_str_lossy(), finding.rule)).collect()
    }

    #[test]
    fn only_what_changed_or_broke_is_reported() {
        let files = [
            ("CLAUDE.md", "@docs/a.md\n\n@docs/gone.md\n"),
            ("docs/a.md", "@b.md\n"),
            ("other/CLAUDE.md", "@none.md\n"),
            ("README.md", "x\n"),
        ];
        assert_eq!(after(&[("README.md", ChangeKind::Modified)], &files), [""; 0]);
        assert_eq!(after(&[("other/CLAUDE.md", ChangeKind::Modified)], &files), ["other/CLAUDE.md missing-import"]);
        assert_eq!(
            after(&[("docs/gone.md", ChangeKind::Deleted)], &files),
            ["CLAUDE.md missing-import"],
            "what the deletion breaks is reported, although the file itself did not change"
        );
        assert_eq!(after(&[("hintlint.toml", ChangeKind::Modified)], &files).len(), 3);
        let renamed = ChangeKind::Renamed { from: "docs/b.md".into(), exact: true };
        assert_eq!(after(&[("docs/c.md", renamed)], &files), ["CLAUDE.md missing-import", "docs/a.md missing-import"]);
    }
}
