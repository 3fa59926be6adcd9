//! Resolves revisions to commits, or explains why a revision names none. libgit2 reads references alone, since it never comes to
//! an end with a commit that is cut short; what else a revision may be, the `git` program knows.

use git2::{ErrorCode, Oid};

use super::GitRepository;
use crate::source::objects::ObjectError;
use crate::source::program::{GitCall, ProgramError};
use crate::source::{SourceError, commit, suggest};

impl GitRepository {
    /// The commit that `HEAD` names, which may be damaged; `None` on a branch without commits.
    pub(in crate::source) fn head(&self) -> Result<Option<String>, SourceError> {
        let Some(library) = self.library() else { return self.head_by_program() };
        let failed = |message: String| SourceError::new(message).at(&self.git_dir).help("run `git fsck`");
        match library.head().map(|head| head.target()) {
            Ok(Some(id)) => Ok(Some(id.to_string())),
            Ok(None) => Err(failed("HEAD names no commit".to_owned())),
            Err(error) if error.code() == ErrorCode::UnbornBranch => Ok(None),
            Err(error) => Err(failed(format!("HEAD cannot be read: {}", error.message()))),
        }
    }

    fn head_by_program(&self) -> Result<Option<String>, SourceError> {
        match self.program.line(&GitCall::Object("HEAD^{commit}")) {
            Ok(id) => Ok(Some(String::from_utf8_lossy(&id).into_owned())),
            // Quietly means that there is no such revision; a broken repository complains.
            Err(ProgramError::Failed(_)) if self.program.line(&GitCall::Branch).is_ok() => Ok(None),
            Err(error) => Err(SourceError::from(error).at(&self.git_dir)),
        }
    }

    /// The commit that `revision` names.
    pub(in crate::source) fn commit(&self, revision: &str) -> Result<String, SourceError> {
        if let (Some(objects), Some(id)) = (self.objects(), self.named(revision)) {
            match commit::tree_of(objects, id) {
                Ok(_) => return Ok(id.to_string()),
                Err(why @ ObjectError::Damaged(_))
                    if self.object(&format!("{id}^{{commit}}")).ok().flatten().is_none() =>
                {
                    return Err(commit::unreadable(id, &why).at(&self.git_dir));
                }
                Err(_) => {}
            }
        }
        let peeled = |name: &str| self.object(&format!("{name}^{{commit}}"));
        let found = match peeled(revision) {
            // `:/text` takes all that follows for text.
            Ok(None) => self.object(revision).and_then(|id| id.map_or(Ok(None), |id| peeled(&id))),
            found => found,
        };
        let found = found.map_err(|error| SourceError::from(error).at(&self.git_dir))?;
        found.ok_or_else(|| self.unknown_revision(revision))
    }

    /// What `revision` names, if that can be told without reading an object.
    fn named(&self, revision: &str) -> Option<Oid> {
        if revision.len() == 40
            && let Ok(id) = Oid::from_str(revision)
        {
            return Some(id);
        }
        let library = self.library()?;
        let reference = library.resolve_reference_from_short_name(revision).ok()?;
        reference.resolve().ok()?.target()
    }

    /// The object that a name stands for; `None` if there is none.
    fn object(&self, name: &str) -> Result<Option<String>, ProgramError> {
        match self.program.line(&GitCall::Object(name)) {
            // Git answers `^HEAD` by a name that is to be left out.
            Ok(id) => Ok(String::from_utf8(id).ok().filter(|id| is_object_name(id))),
            Err(ProgramError::Failed(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What `revision` names, if that is there and no commit.
    fn other_kind(&self, revision: &str) -> Option<&'static str> {
        let kind = |id: &str| String::from_utf8(self.program.line(&GitCall::Kind(id)).ok()?).ok();
        let id = self.object(revision).ok()??;
        let named = match kind(&id)?.as_str() {
            "tag" => kind(&self.object(&format!("{id}^{{}}")).ok()??)?,
            other => other.to_owned(),
        };
        match named.as_str() {
            "blob" => Some("a file"),
            "tree" => Some("a folder"),
            _ => None,
        }
    }

    /// The first parent of a commit; `None` of a commit without parents.
    pub(in crate::source) fn parent(&self, commit: &str) -> Result<Option<String>, SourceError> {
        let line = self.program.line(&GitCall::Parents(commit));
        let line = line.map_err(|error| SourceError::from(error).at(&self.git_dir))?;
        Ok(String::from_utf8_lossy(&line).split_whitespace().nth(1).map(str::to_owned))
    }

    /// The newest common ancestor of two commits.
    pub(in crate::source) fn merge_base(&self, one: &str, two: &str, name: &str) -> Result<String, SourceError> {
        let found = match self.program.line(&GitCall::MergeBase(one, two)) {
            Ok(line) => Some(String::from_utf8_lossy(&line).into_owned()),
            Err(ProgramError::Failed(_)) => None,
            Err(error) => return Err(SourceError::from(error).at(&self.git_dir)),
        };
        found.ok_or_else(|| {
            let help = match self.is_shallow() {
                true => "the clone is shallow: fetch the whole history (`fetch-depth: 0` in actions/checkout)",
                false => "name a revision that shares history with this one",
            };
            SourceError::new(format!("`{name}` has no common ancestor with what is checked"))
                .at(&self.git_dir)
                .help(help)
        })
    }

    fn unknown_revision(&self, revision: &str) -> SourceError {
        let place = self.root.as_deref().unwrap_or(&self.git_dir);
        let unreadable = |id: &str| {
            SourceError::new(format!("`{revision}` names commit {id}, which cannot be read"))
                .at(&self.git_dir)
                .help("run `git fsck`")
        };
        if revision == "HEAD" {
            return match self.head() {
                Ok(None) => {
                    SourceError::new("there is no commit yet").at(place).help("commit first, or leave the revision out")
                }
                Ok(Some(id)) => unreadable(&id),
                Err(error) => error,
            };
        }
        if let Some(kind) = self.other_kind(revision) {
            return SourceError::new(format!("`{revision}` is {kind}, not a commit"))
                .at(place)
                .help("name a commit, a branch, or a tag of a commit");
        }
        // A name of an object stands for itself, whether the object is there or not.
        if let Some(id) = self.object(revision).ok().flatten().filter(|id| id != revision) {
            return unreadable(&id);
        }
        let names = self.reference_names();
        let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| *name != revision).collect();
        let help = match suggest::nearest_revision(revision, &names) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.is_shallow() => {
                "the clone is shallow: fetch the revision, or the whole history (`fetch-depth: 0` in actions/checkout)"
                    .to_owned()
            }
            None => "`git branch --all` and `git tag` list what there is; it may have to be fetched first".to_owned(),
        };
        SourceError::new(format!("there is no revision `{revision}`")).at(place).help(help)
    }

    /// Short names of branches, remote branches and tags, in order.
    fn reference_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        if let Some(library) = self.library() {
            let references = library.references().into_iter().flatten().flatten();
            names.extend(references.filter_map(|reference| reference.shorthand().ok().map(str::to_owned)));
        } else if let Ok(output) = self.program.output(&GitCall::References) {
            names.extend(String::from_utf8_lossy(&output).lines().map(str::to_owned));
        }
        names.sort();
        names.dedup();
        names
    }
}

fn is_object_name(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}
