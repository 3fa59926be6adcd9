//! Scripts of hooks of git: files whose names have no ending, so that they look like folders.

use crate::base::path;
use crate::parse::Document;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, Miss};

/// The hooks of git for which repositories keep scripts.
const GIT_HOOKS: [&str; 9] = [
    "commit-msg",
    "post-checkout",
    "post-commit",
    "post-merge",
    "post-rewrite",
    "pre-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
];

/// Whether a path is that of the script of a hook of git, whose name has no ending.
pub(super) fn is_git_hook(written: &str) -> bool {
    let mut parts = written.trim_start_matches("./").rsplit('/');
    let (name, folder) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    GIT_HOOKS.contains(&name) && matches!(folder, ".githooks" | ".husky" | "git-hooks" | "githooks" | "hooks")
}

/// Whether a hint file of this repository relies on the script of a hook of git, in a folder that has others.
pub(super) fn is_hook_beside_others(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let has_hook =
        |dir: &[u8]| GIT_HOOKS.iter().any(|hook| workspace.listing.contains(&path::join(dir, hook.as_bytes())));
    is_git_hook(&mention.path)
        && mention.claimed
        && !mention.to_come
        && !document.kind.is_general()
        && candidates.iter().any(|candidate| has_hook(candidate.parent()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn a_hook_of_git_stands_beside_others() {
        let text = "A hook (`.githooks/pre-commit`) enforces this.\n";
        assert_eq!(check("missing-path", text, &[".githooks/pre-push"], &[]), ["warning .githooks/pre-commit"]);
        for files in [&[".githooks/pre-push", ".githooks/pre-commit"][..], &[".githooks/README.md"], &["a.md"]] {
            assert_eq!(check("missing-path", text, files, &[]), [""; 0], "{files:?}");
        }
        let other = "A file (`.githooks/pre-check`) enforces this. Add `.githooks/pre-commit`.\n";
        assert_eq!(check("missing-path", other, &[".githooks/pre-push"], &[]), [""; 0]);
    }
}
