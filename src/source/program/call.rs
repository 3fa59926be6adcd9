//! Every call of the `git` program that hintlint can make: its arguments, and what keeps git from starting other programs,
//! reading the worktree, or following the user's settings of output.
//!
//! The type is closed on purpose. A clone's config, attributes and hooks name programs; which of them git starts depends on the
//! verb and its options. So a verb cannot be called unless it stands here, and a test holds each against a table of what it
//! may do. No verb that compares the content of the worktree is in it: that would run the filters that a clone names.

use std::collections::BTreeSet;
use std::ffi::OsString;

use crate::base::path::bytes_to_os_path;
use crate::source::raw;

/// Options that make `git` print changes as [`raw::read`] reads them, regardless of the config. The submodule option keeps it
/// from reading `.gitmodules`, and the next two from starting programs that a `diff` driver names. Empty files are all alike: that one
/// went and another came is no rename.
const RAW: [&str; 10] = [
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-color",
    "--ignore-submodules=none",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--no-rename-empty",
    "-O/dev/null",
];

/// Of merges, what they lost against each parent.
const LOST: [&str; 3] = ["-m", "--diff-filter=D", "--no-renames"];

/// The tree without entries, which git knows without having it: SHA-1 and SHA-256.
const EMPTY_TREE: [&str; 2] =
    ["4b825dc642cb6eb9a060e54bf8d69288fbee4904", "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"];

/// Which changes of commits are told.
#[derive(Clone, Copy, Debug)]
pub(in crate::source) struct WantedChanges {
    /// Tell renames from deletions.
    pub(in crate::source) renames: bool,
    /// Only renames that kept the content; no file is read for them.
    pub(in crate::source) exact_only: bool,
    /// Tell modifications too.
    pub(in crate::source) modifications: bool,
}

/// One call.
#[derive(Clone, Copy, Debug)]
pub(in crate::source) enum GitCall<'a> {
    /// Where the git directory lies.
    GitDir,
    /// Where the directory lies that linked worktrees share.
    CommonDir,
    /// The top of the worktree.
    TopLevel,
    /// The object that a revision names.
    Object(&'a str),
    /// The branch that `HEAD` names, born or not.
    Branch,
    /// Short names of all references.
    References,
    /// One of the references that replace objects.
    Replacement,
    /// An object's kind.
    Kind(&'a str),
    /// A commit and its parents.
    Parents(&'a str),
    /// The newest common ancestor of two commits.
    MergeBase(&'a str, &'a str),
    /// How many commits a commit reaches, counted up to a number.
    Count { head: &'a str, most: usize },
    /// All entries of the index, with their tags.
    Index,
    /// The entries of the index that have content, those that were added by name alone left out. `like` is any object name.
    IndexContent { like: &'a str },
    /// All files of a tree or commit.
    Tree(&'a str),
    /// The bytes of the objects whose names come on standard input.
    Blobs,
    /// Which of the objects there are whose names come on standard input.
    Present,
    /// What the index changes of a commit; renames from this similarity on, in percent.
    Staged { base: &'a str, similarity: u16 },
    /// What a commit changes of another.
    Between { base: &'a str, commit: &'a str, similarity: u16 },
    /// What the commits change whose names come on standard input; of merges only where `merges` says so. `like` is one of
    /// them.
    Changes { like: &'a str, merges: bool, wanted: &'a WantedChanges },
    /// All commits that a commit reaches and none of `known` does, and what they change. Commits of `known` may be missing.
    Walk { head: &'a str, known: &'a [String], wanted: &'a WantedChanges },
    /// The same, of commits that touch one of the paths.
    Touching { head: &'a str, wanted: &'a WantedChanges, paths: &'a BTreeSet<Vec<u8>> },
    /// The newest commits along the first parents, at most so many, and what they change below the paths, or anywhere if there
    /// are none. A merge is compared with its first parent.
    FirstParents { head: &'a str, most: usize, paths: &'a [Vec<u8>] },
    /// The merges that lack one of the paths although a parent has it.
    LostInMerges { head: &'a str, paths: &'a [Vec<u8>] },
    /// The same, of the merges whose names come on standard input. `like` is one of them.
    LostInThese { like: &'a str, paths: &'a [Vec<u8>] },
}

impl GitCall<'_> {
    /// The verb and what follows it.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        match *self {
            GitCall::GitDir => words(&["rev-parse", "--absolute-git-dir"]),
            GitCall::CommonDir => words(&["rev-parse", "--git-common-dir"]),
            GitCall::TopLevel => words(&["rev-parse", "--show-toplevel"]),
            GitCall::Object(name) => words(&["rev-parse", "--verify", "--quiet", "--end-of-options", name]),
            GitCall::Branch => words(&["symbolic-ref", "--quiet", "HEAD"]),
            GitCall::References => words(&["for-each-ref", "--format=%(refname:short)"]),
            GitCall::Replacement => words(&["for-each-ref", "--format=%(refname:short)", "--count=1", "refs/replace/"]),
            GitCall::Kind(id) => words(&["cat-file", "-t", id]),
            GitCall::Parents(id) => words(&["rev-list", "--parents", "--max-count=1", "--end-of-options", id]),
            GitCall::MergeBase(one, two) => words(&["merge-base", one, two]),
            GitCall::Count { head, most } => {
                words(&["rev-list", "--count", &format!("--max-count={most}"), head, "--"])
            }
            GitCall::Index => words(&["ls-files", "-s", "-t", "-z", "--full-name"]),
            GitCall::IndexContent { like } => {
                let verb = words(&["diff-index", "--cached", "-r", "--no-renames", "--ita-invisible-in-index"]);
                [verb, words(&RAW), words(&[empty_tree(like), "--"])].concat()
            }
            GitCall::Tree(id) => words(&["ls-tree", "-r", "-z", "--full-tree", id]),
            GitCall::Blobs => words(&["cat-file", "--batch"]),
            GitCall::Present => words(&["cat-file", "--batch-check=%(objectname)", "--buffer"]),
            GitCall::Staged { base, similarity } => {
                let verb = words(&["diff-index", "--cached", "-r"]);
                [verb, words(&RAW), renames(similarity), words(&[base, "--"])].concat()
            }
            GitCall::Between { base, commit, similarity } => {
                let verb = words(&["diff-tree", "-r"]);
                [verb, words(&RAW), renames(similarity), words(&[base, commit, "--"])].concat()
            }
            GitCall::Changes { merges, wanted, .. } => {
                let verb = words(&["diff-tree", "--stdin", "-r"]);
                [verb, words(if merges { &["-m"] } else { &[] }), wanted.arguments()].concat()
            }
            GitCall::Walk { head, known, wanted } => {
                let lenient: &[&str] = if known.is_empty() { &[] } else { &["--ignore-missing"] };
                let known = known.iter().map(|id| OsString::from(format!("^{id}"))).collect();
                let verb = [words(&["log", "--date-order"]), words(lenient)].concat();
                [verb, wanted.arguments(), words(&[head]), known, words(&["--"])].concat()
            }
            GitCall::Touching { head, wanted, paths } => {
                let verb = words(&["log", "--date-order", "--full-history"]);
                [verb, wanted.arguments(), words(&[head, "--"]), os_paths(paths)].concat()
            }
            GitCall::FirstParents { head, most, paths } => {
                // Without `--sparse` the commits that touch none of the paths are not told.
                let most = format!("--max-count={most}");
                let verb = words(&["log", "--first-parent", "--sparse", "-m", "--root", "--no-renames", &most]);
                [verb, words(&RAW), words(&[raw::FORMAT_WITH_SUBJECT, head, "--"]), os_paths(paths)].concat()
            }
            GitCall::LostInMerges { head, paths } => {
                let verb = words(&["log", "--date-order", "--merges", "--full-history"]);
                [verb, words(&LOST), words(&RAW), words(&[raw::FORMAT, head, "--"]), os_paths(paths)].concat()
            }
            GitCall::LostInThese { paths, .. } => {
                let verb = words(&["diff-tree", "--stdin", "-r"]);
                [verb, words(&LOST), words(&RAW), words(&[raw::FORMAT, "--"]), os_paths(paths)].concat()
            }
        }
    }

    /// Whether the call is about the index. All others get none, which git would read whole only to save itself some work.
    pub(super) fn reads_index(&self) -> bool {
        matches!(self, GitCall::Index | GitCall::IndexContent { .. } | GitCall::Staged { .. })
    }

    /// The tree whose attributes hold while the call looks for renames, where it does. Git would read those of the worktree,
    /// but only the names of diff drivers matter here, and the files are compared as they are.
    pub(super) fn attributes(&self) -> Option<&'static str> {
        let like = match self {
            GitCall::IndexContent { like } | GitCall::Changes { like, .. } | GitCall::LostInThese { like, .. } => like,
            GitCall::Staged { base, .. } | GitCall::Between { base, .. } => base,
            GitCall::Walk { head, .. }
            | GitCall::Touching { head, .. }
            | GitCall::FirstParents { head, .. }
            | GitCall::LostInMerges { head, .. } => head,
            _ => return None,
        };
        Some(empty_tree(like))
    }
}

impl WantedChanges {
    /// The options by which `git` tells this.
    fn arguments(&self) -> Vec<OsString> {
        let similarity = if self.exact_only { 100 } else { raw::SIMILARITY };
        let renames = if self.renames { renames(similarity) } else { words(&["--no-renames"]) };
        let filter: &[&str] = if self.modifications { &[] } else { &["--diff-filter=ADR"] };
        [words(&["--root"]), words(&RAW), words(&[raw::FORMAT]), renames, words(filter)].concat()
    }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn os_paths<'p>(paths: impl IntoIterator<Item = &'p Vec<u8>>) -> Vec<OsString> {
    paths.into_iter().map(|path| bytes_to_os_path(path).into_os_string()).collect()
}

fn renames(similarity: u16) -> Vec<OsString> {
    words(&[&format!("-M{similarity}%"), &format!("-l{}", raw::RENAME_LIMIT)])
}

/// The empty tree's name in a repository with object names like this one.
fn empty_tree(like: &str) -> &'static str {
    EMPTY_TREE[usize::from(like.len() > 40)]
}

#[cfg(test)]
mod tests;
