//! The config file of a repository, with the files that it extends, and reading a config file's text.

use std::sync::Arc;

use super::{NamedFile, Repository};
use crate::base::error::Error;
use crate::base::path::RepoPath;
use crate::config::FILE_NAMES;
use crate::config::extends::{self, ReadConfig, WholeConfig};
use crate::discover::{Discovery, is_fixture};
use crate::source::{EntryKind, Source, SourceReadError};
use crate::workspace::{self, Resolution};

/// So many configs that nothing reads are named.
const NAMED: usize = 3;

/// The config that `source` itself holds.
///
/// # Errors
/// When a file cannot be read, is not UTF-8, or has problems; when there are two.
pub(super) fn of_source(source: &dyn Source) -> Result<Option<(WholeConfig, NamedFile)>, Error> {
    let mut read = |path: &RepoPath| match text_of(source, path) {
        Ok(Some((_, bytes))) => Ok(bytes),
        Ok(None) => Err(SourceReadError::Missing.to_string()),
        Err(why) => Err(why),
    };
    listed(source)?.map(|file| parsed(file, &mut read)).transpose()
}

/// Read the text of a config file that a user names. It may extend none: whose files are meant would be a guess.
///
/// # Errors
/// When it is not UTF-8, or has problems.
pub(super) fn named(file: NamedFile) -> Result<(WholeConfig, NamedFile), Error> {
    parsed(file, &mut |_| Err("a config that `--config` names extends no other".to_owned()))
}

fn parsed((path, bytes): NamedFile, read: ReadConfig<'_>) -> Result<(WholeConfig, NamedFile), Error> {
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Error::failed(format!("{path}:{line} is not UTF-8", path = path.to_str_lossy()), "save the file as UTF-8")
    })?;
    let whole = extends::whole(&path, text, read).map_err(|error| Error::Config(Box::new(error)))?;
    Ok((whole, (path, bytes)))
}

/// The config at the root of `source`. A link is followed inside the source.
fn listed(source: &dyn Source) -> Result<Option<NamedFile>, Error> {
    let listing = source.listing();
    let there = |name: &&str| listing.contains(name.as_bytes()) || listing.has_dir(name.as_bytes());
    let found: Vec<RepoPath> = FILE_NAMES.into_iter().filter(there).map(RepoPath::from).collect();
    let path = match &found[..] {
        [] => return Ok(None),
        [only] => only,
        _ => {
            let message = format!("there are two config files, {}", FILE_NAMES.join(" and "));
            return Err(Error::failed(message, "delete one of them"));
        }
    };
    text_of(source, path).map_err(|why| {
        let help = "make it a readable file, or pass --no-config";
        Error::failed(format!("cannot read the config {}: {why}", path.to_str_lossy()), help)
    })
}

/// What stands at `path`, which may be a link inside the source, and where; `None` for a file that is listed and was deleted in
/// the worktree.
pub(super) fn text_of(source: &dyn Source, path: &RepoPath) -> Result<Option<NamedFile>, String> {
    let listing = source.listing();
    let target = match listing.kind(path.as_bytes()) {
        Some(EntryKind::File) => path.clone(),
        _ => {
            let links = workspace::read_links(source, listing);
            match workspace::resolve(listing, &links, path.as_bytes()) {
                Resolution::File(target) => target,
                Resolution::Missing(target) if target == *path => return Err(SourceReadError::Missing.to_string()),
                Resolution::Missing(target) => {
                    return Err(format!("it is a link to {}, which does not exist", target.to_str_lossy()));
                }
                Resolution::Outside => return Err("it is a link out of the repository".to_owned()),
                Resolution::Loop => return Err("its links lead in a circle".to_owned()),
                Resolution::Directory(target) if target == *path => {
                    return Err(SourceReadError::Directory.to_string());
                }
                Resolution::Directory(_) | Resolution::Submodule | Resolution::Special => {
                    return Err("it is a link to something that is not a regular file".to_owned());
                }
            }
        }
    };
    match source.read(&target) {
        Ok(bytes) => Ok(Some((target, Arc::clone(&bytes)))),
        Err(SourceReadError::Missing) if listing.contains(path.as_bytes()) => Ok(None),
        Err(why) => Err(why.to_string()),
    }
}

impl Repository {
    /// A note about configs below the root that the config does not extend: they look as if they held, and nothing reads them.
    pub(super) fn unread_configs(&self) -> Option<String> {
        if !self.finds_config {
            return None;
        }
        let is_config =
            |path: &[u8]| FILE_NAMES.iter().any(|name| crate::base::path::file_name(path) == name.as_bytes());
        let listed = self.source().listing().marked().map(|entry| entry.path);
        let nested = listed.filter(|path| path.contains(&b'/') && is_config(path) && !is_fixture(path));
        let nested: Vec<RepoPath> = nested.map(RepoPath::new).collect();
        let unread = nested.into_iter().filter(|path| !self.config.sources.contains(path)).collect::<Vec<_>>();
        if unread.is_empty() {
            return None;
        }
        let discovery = Discovery::new(&self.config).ok()?;
        let unread = unread.iter().filter(|path| !discovery.is_excluded(path.as_bytes()));
        let mut names: Vec<_> = unread.map(|path| path.to_str_lossy()).collect();
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let what = "a config below the root is ignored unless the root config lists it in `extends`";
        (!names.is_empty()).then(|| format!("{}{more}: {what}", names.join(", ")))
    }
}
