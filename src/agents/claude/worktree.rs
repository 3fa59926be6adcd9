//! Linked git worktrees as Claude Code sees them (observed on 2.1.330, checked 2026-11): one that lies inside its own main
//! checkout has the same files as that, so those around it are left out.

use crate::agents::RootMark;
use crate::agents::shared::roots::{find_root, main_checkout};
use crate::world::{AbsPath, World};

/// Where the agent's own worktrees lie below a directory.
const OWN_WORKTREES: &[u8] = b"/.claude/worktrees";

/// The repository that the agent starts in.
pub(super) struct StartRepository {
    /// The root of its checkout.
    pub(super) root: AbsPath,
    /// The root of the main checkout: another directory in a linked worktree.
    pub(super) main: AbsPath,
}

impl StartRepository {
    /// The repository around `start`.
    pub(super) fn around(world: &dyn World, start: &AbsPath) -> Option<StartRepository> {
        let root = find_root(world, start, RootMark::Git)?;
        let main = main_checkout(world, &root).unwrap_or_else(|| root.clone());
        Some(StartRepository { root, main })
    }

    /// Whether `dir` lies in the main checkout, outside the worktree that lies in it.
    pub(super) fn repeats(&self, dir: &AbsPath) -> bool {
        self.root != self.main
            && self.root.is_within(&self.main)
            && dir.is_within(&self.main)
            && !dir.is_within(&self.root)
    }
}

/// Whether `dir` is where the agent itself puts a worktree. When a file below is touched, its hint files are left out.
pub(super) fn is_own_worktree(dir: &AbsPath) -> bool {
    dir.parent().is_some_and(|parent| parent.as_bytes().ends_with(OWN_WORKTREES))
}
