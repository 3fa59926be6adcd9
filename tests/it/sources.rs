//! Sources against real repositories: one repository, seen as worktree, index, commit and bare clone.

use crate::support::Repo;

#[test]
fn the_toolbox_makes_repeatable_repositories() {
    let make = || Repo::with_files([("AGENTS.md", "# Rules\n"), ("src/a.rs", "")]);
    let (first, second) = (make(), make());
    assert_eq!(first.git(&["rev-parse", "HEAD"]), second.git(&["rev-parse", "HEAD"]));
    assert_eq!(first.git(&["ls-files"]), "AGENTS.md\nsrc/a.rs\n");
    assert_eq!(first.read("AGENTS.md"), b"# Rules\n");
}
