//! Which commits revisions name, and what is told where they name none. Reads commits, and nothing that they hold.

use git2::{ErrorCode, ObjectType, Oid};

use super::Repository;
use crate::source::objects::{ObjectError, Objects};
use crate::source::program::{Call, ProgramError};
use crate::source::{SourceError, commit, suggest};

impl Repository {
    /// The commit that `HEAD` names; `None` on a branch without commits.
    pub(in crate::source) fn head(&self) -> Result<Option<String>, SourceError> {
        let (Some(objects), Some(library)) = (self.objects(), self.library()) else { return self.head_by_program() };
        let failed = |message: String| SourceError::new(message).at(&self.git_dir).help("run `git fsck`");
        match library.head().map(|head| head.target()) {
            Ok(Some(id)) => self
                .readable(objects, id)
                .map(Some)
                .map_err(|why| failed(format!("HEAD names commit {id}, which cannot be read: {why}"))),
            Ok(None) => Err(failed("HEAD names no commit".to_owned())),
            Err(error) if error.code() == ErrorCode::UnbornBranch => Ok(None),
            Err(error) => Err(failed(format!("HEAD cannot be read: {}", error.message()))),
        }
    }

    fn head_by_program(&self) -> Result<Option<String>, SourceError> {
        match self.program.line(&Call::Object("HEAD^{commit}")) {
            Ok(id) => Ok(Some(String::from_utf8_lossy(&id).into_owned())),
            // Quietly means that there is no such revision; a broken repository complains.
            Err(ProgramError::Failed(_)) if self.program.line(&Call::Branch).is_ok() => Ok(None),
            Err(error) => Err(SourceError::from(error).at(&self.git_dir)),
        }
    }

    /// The commit that `revision` names.
    pub(in crate::source) fn commit(&self, revision: &str) -> Result<String, SourceError> {
        if let (Some(objects), Some(id)) = (self.objects(), self.named(revision)) {
            match self.readable(objects, id) {
                Ok(commit) => return Ok(commit),
                Err(ObjectError::Missing | ObjectError::OtherKind(_)) => {}
                // libgit2 would look at it, too, and never comes to an end with some damaged objects.
                Err(why) => return Err(commit::unreadable(id, &why).at(&self.git_dir)),
            }
        }
        if let Some(library) = self.library() {
            let object = library.revparse_single(revision).and_then(|object| object.peel_to_commit());
            if let Ok(commit) = object {
                return Ok(commit.id().to_string());
            }
        }
        // The program knows more ways to name a revision, and settles whether this is one.
        self.object_by_program(&format!("{revision}^{{commit}}")).ok_or_else(|| self.unknown_revision(revision))
    }

    /// What `revision` names, if that can be told without looking at any object.
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

    /// The name of the commit `id`, if that can be read; of one that is damaged the program may know another copy.
    fn readable(&self, objects: &Objects, id: Oid) -> Result<String, ObjectError> {
        match objects.with_reader(|reader| commit::read(reader, id, &mut Vec::new())) {
            Ok(_) => Ok(id.to_string()),
            Err(ObjectError::Damaged(why)) => {
                self.object_by_program(&format!("{id}^{{commit}}")).ok_or(ObjectError::Damaged(why))
            }
            Err(why) => Err(why),
        }
    }

    /// The object that the program finds by a name.
    fn object_by_program(&self, name: &str) -> Option<String> {
        let id = self.program.line(&Call::Object(name)).ok()?;
        // It answers `^HEAD` by a name that is to be left out.
        let id = String::from_utf8(id).ok()?;
        (!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(id)
    }

    /// What `revision` names, if that is there and no commit.
    fn other_kind(&self, revision: &str) -> Option<&'static str> {
        let kind = match self.library() {
            Some(library) => {
                let object = library.revparse_single(revision).ok()?;
                let object = match object.kind() {
                    Some(ObjectType::Tag) => object.peel(ObjectType::Any).ok()?,
                    _ => object,
                };
                object.kind()?.str().to_owned()
            }
            None => {
                let id = self.object_by_program(&format!("{revision}^{{}}"))?;
                String::from_utf8(self.program.line(&Call::Kind(&id)).ok()?).ok()?
            }
        };
        match kind.as_str() {
            "blob" => Some("a file"),
            "tree" => Some("a folder"),
            _ => None,
        }
    }

    /// The first parent of a commit; `None` of a commit without parents.
    pub(in crate::source) fn parent(&self, commit: &str) -> Result<Option<String>, SourceError> {
        if let Some(library) = self.library() {
            let commit = Oid::from_str(commit).and_then(|id| library.find_commit(id));
            let commit = commit.map_err(|error| SourceError::new(error.message()).at(&self.git_dir))?;
            return Ok(commit.parent_id(0).ok().map(|id| id.to_string()));
        }
        let line = self.program.line(&Call::Parents(commit));
        let line = line.map_err(|error| SourceError::from(error).at(&self.git_dir))?;
        Ok(String::from_utf8_lossy(&line).split_whitespace().nth(1).map(str::to_owned))
    }

    /// The newest common ancestor of two commits.
    pub(in crate::source) fn merge_base(&self, one: &str, two: &str, name: &str) -> Result<String, SourceError> {
        let found = match self.library() {
            Some(library) => Oid::from_str(one)
                .and_then(|one| library.merge_base(one, Oid::from_str(two)?))
                .map(|base| base.to_string())
                .ok(),
            None => {
                let line = self.program.line(&Call::MergeBase(one, two)).ok();
                line.map(|line| String::from_utf8_lossy(&line).into_owned())
            }
        };
        found.ok_or_else(|| {
            let help = match self.is_shallow() {
                true => "the clone is shallow: fetch the whole history (`fetch-depth: 0` in actions/checkout)",
                false => "name a revision from which this one was branched",
            };
            SourceError::new(format!("`{name}` has no common ancestor with what is checked"))
                .at(&self.git_dir)
                .help(help)
        })
    }

    fn unknown_revision(&self, revision: &str) -> SourceError {
        let place = self.root.as_deref().unwrap_or(&self.git_dir);
        if revision == "HEAD" {
            if let Err(error) = self.head() {
                return error;
            }
            return SourceError::new("there is no commit yet")
                .at(place)
                .help("commit first, or leave the revision out");
        }
        if let Some(kind) = self.other_kind(revision) {
            return SourceError::new(format!("`{revision}` is {kind}, not a commit"))
                .at(place)
                .help("name a commit, a branch, or a tag of a commit");
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
        SourceError::new(format!("no commit is called `{revision}`")).at(place).help(help)
    }

    /// Short names of branches, remote branches and tags, in order.
    fn reference_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        if let Some(library) = self.library() {
            let references = library.references().into_iter().flatten().flatten();
            names.extend(references.filter_map(|reference| reference.shorthand().ok().map(str::to_owned)));
        } else if let Ok(output) = self.program.output(&Call::References) {
            names.extend(String::from_utf8_lossy(&output).lines().map(str::to_owned));
        }
        names.sort();
        names.dedup();
        names
    }
}
