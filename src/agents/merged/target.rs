//! Where an import leads inside a repository, and whether a token is meant as one: npm scopes, handles, decorators and aliases
//! must never be called broken imports. One judgement for lint and for `merged`. Reads no file.

use crate::base::path::{self, RepoPath};
use crate::parse::placeholder::is_placeholder;
use crate::source::SourceReadError;
use crate::world::links::Resolution;

/// The paths of a repository.
pub(crate) trait PathTree {
    /// What `path` leads to when links are followed.
    fn resolve(&self, path: &[u8]) -> Resolution;
    /// Whether a directory stands at `path`, which is no link and passes through none.
    fn has_dir(&self, path: &[u8]) -> bool;
    /// Whether `path` is a git directory or lies in one.
    fn is_git(&self, path: &[u8]) -> bool;
}

/// Where an import leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ImportTarget {
    /// A file of the repository, under its own path.
    File(RepoPath),
    /// A file that exists here and is not in version control; `ignored` tells whether a committed ignore file says so.
    NotTracked {
        /// The file.
        path: RepoPath,
        /// Whether git ignores it.
        ignored: bool,
    },
    /// Nothing is there.
    Missing(RepoPath),
    /// It leads out of the repository.
    Outside(Escape),
    /// It is there and cannot be imported.
    Unreadable(RepoPath, SourceReadError),
    /// Links that lead in a circle.
    Loop,
    /// The source cannot tell: a submodule's file, for example.
    Unknown,
}

/// How an import leaves the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    /// `~/…`
    Home,
    /// `/…`
    Absolute,
    /// `..` past the root.
    Parent,
    /// A symbolic link.
    Link,
    /// Into a git directory, which lies in the repository's folder and is no part of the repository.
    Git,
}

/// Where a token leads; `None` when it is no import to a person. No file is read.
pub(crate) fn aim(tree: &dyn PathTree, importer: &RepoPath, written: &str) -> Option<ImportTarget> {
    if written.is_empty() || written.contains("://") || written.contains('\0') {
        return None;
    }
    let written = written.split('#').next().unwrap_or(written);
    if let Some(rest) = written.strip_prefix("~/") {
        return (!rest.is_empty()).then_some(ImportTarget::Outside(Escape::Home));
    }
    if let Some(rest) = written.strip_prefix('/') {
        // `@/components/x.tsx` is a bundler's alias for a source folder far more often than a file of the machine.
        let machine = ["etc", "home", "Users", "tmp", "var", "opt", "usr", "root", "mnt", "private", "Volumes"];
        let first = rest.split('/').next().unwrap_or_default();
        return (machine.contains(&first) || is_document_name(rest)).then_some(ImportTarget::Outside(Escape::Absolute));
    }
    let explicit = written.starts_with("./") || written.starts_with("../");
    let Some(plain) = path::resolve(importer.parent(), written.as_bytes()) else {
        let meant = explicit || is_document_name(written);
        return (meant && !is_template(written)).then_some(ImportTarget::Outside(Escape::Parent));
    };
    if tree.is_git(&plain) {
        return (explicit || written.contains('/')).then_some(ImportTarget::Outside(Escape::Git));
    }
    match tree.resolve(&plain) {
        Resolution::File(path) => Some(ImportTarget::File(path)),
        Resolution::Directory(path) if explicit => Some(ImportTarget::Unreadable(path, SourceReadError::Directory)),
        Resolution::Directory(_) => None,
        Resolution::Outside => Some(ImportTarget::Outside(Escape::Link)),
        Resolution::Special => Some(ImportTarget::Unreadable(RepoPath::new(&plain), SourceReadError::Special)),
        Resolution::Loop => Some(ImportTarget::Loop),
        Resolution::Submodule => Some(ImportTarget::Unknown),
        Resolution::Missing(path) => {
            let meant = explicit || looks_like_path(tree, importer, written);
            (meant && !is_template(written)).then_some(ImportTarget::Missing(path))
        }
    }
}

/// Whether a token that names nothing was meant as a path.
fn looks_like_path(tree: &dyn PathTree, importer: &RepoPath, written: &str) -> bool {
    if is_document_name(written) {
        return true;
    }
    let Some((first, _)) = written.split_once('/') else { return false };
    let has_extension = path::extension(written.as_bytes())
        .is_some_and(|e| e.len() <= 8 && e.first().is_some_and(u8::is_ascii_alphabetic));
    let beside = path::join(importer.parent(), first.as_bytes());
    has_extension && (tree.has_dir(&beside) || tree.has_dir(first.as_bytes()))
}

/// Whether the name ends as documents and data files do, which neither handles nor packages do.
fn is_document_name(written: &str) -> bool {
    let known = ["md", "mdc", "mdx", "markdown", "txt", "rst", "adoc", "yaml", "yml", "toml", "json", "jsonc"];
    let known = |extension: &[u8]| known.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(extension));
    path::extension(written.as_bytes()).is_some_and(known)
}

/// Whether the path has to be filled in before it names a file: a placeholder, or one with a part in brackets.
fn is_template(written: &str) -> bool {
    is_placeholder(written) || written.contains(['[', ']'])
}
