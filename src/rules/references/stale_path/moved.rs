//! A path that was correct until its folder was moved into another one, or until it was deleted, where another file's path ends like it.
//! It could be an abbreviation; that it was the whole path once, and that the text names the other folder nowhere, tells that it is none.

use super::super::finding::tell;
use super::super::verdict::{PathVerdict, verdict};
use super::super::{applies_to_names, shown};
use super::INFO;
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::rules::Cx;
use crate::source::history::Questions;
use crate::workspace::mentions::{Mention, MentionForm, Miss};

/// Ask whether the paths that may be abbreviations were whole ones.
pub(super) fn ask(cx: &Cx<'_>, questions: &mut Questions) {
    if !cx.matters(&INFO, Level::Warning) {
        return;
    }
    for (path, mention) in cx.workspace.mentions.iter() {
        let Some(document) = cx.workspace.document(path.as_bytes()) else { continue };
        if let Some((candidates, _)) = meant(cx, document, mention) {
            questions.fates.extend(candidates.iter().cloned());
        }
    }
}

/// The finding about `mention`, if its file was moved.
pub(super) fn check(document: &Document, mention: &Mention, cx: &Cx<'_>) -> Option<Finding> {
    let (candidates, file) = meant(cx, document, mention)?;
    let verdict = verdict(cx, candidates);
    let message = match &verdict {
        PathVerdict::Renamed { from, to, .. } if *to == file && from.as_bytes().len() < to.as_bytes().len() => {
            format!("`{}` was moved to {}", mention.path, shown(to))
        }
        // Its folder still stands: the other file of that name was another one.
        PathVerdict::Deleted { from, certain, .. }
            if (*certain || mention.sends)
                && candidates.first() == Some(from)
                && !from.parent().is_empty()
                && cx.workspace.listing.has_dir(from.parent()) =>
        {
            format!("`{}` does not exist any more", mention.path)
        }
        _ => return None,
    };
    if is_custom(document, mention, cx) {
        return None;
    }
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, mention.span, message);
    Some(tell(document, mention, &verdict, finding))
}

/// Whether the text abbreviates other paths of the same folder in the same way, which never were whole ones.
fn is_custom(document: &Document, mention: &Mention, cx: &Cx<'_>) -> bool {
    let above = |mention: &Mention| match &mention.place {
        Miss::Abbreviated { file, .. } => {
            file.as_bytes().strip_suffix(mention.path.trim_start_matches("./").as_bytes()).map(<[u8]>::to_vec)
        }
        _ => None,
    };
    let own = above(mention);
    let mut others = cx.workspace.mentions.of(&document.path).iter().filter(|other| other.path != mention.path);
    others.any(|other| {
        let same = own.is_some() && above(other) == own && other.path.contains('/');
        same && meant(cx, document, other).is_some_and(|(paths, _)| matches!(verdict(cx, paths), PathVerdict::Never))
    })
}

/// The paths that a mention may have been in full, and the file that it may abbreviate now; `None` where it surely does.
fn meant<'m>(cx: &Cx<'_>, document: &Document, mention: &'m Mention) -> Option<(&'m [RepoPath], &'m RepoPath)> {
    let Miss::Abbreviated { candidates, file } = &mention.place else { return None };
    if mention.form != MentionForm::File || mention.excused {
        return None;
    }
    let written = mention.path.trim_start_matches("./");
    let above = file.as_bytes().strip_suffix(written.as_bytes())?;
    let above = String::from_utf8_lossy(above.strip_suffix(b"/")?).into_owned();
    let folder = above.rsplit('/').next().unwrap_or(&above);
    let is_named = [&*above, folder].into_iter().any(|folder| names_folder(&document.text, folder));
    let is_general = document.kind.is_general();
    let applies = !is_general && applies_to_names(cx.workspace, document, cx.selected, INFO.name);
    (applies && !is_named).then_some((candidates, file))
}

/// Whether the text names `folder`, as the beginning of a path or in a code span of its own.
fn names_folder(text: &str, folder: &str) -> bool {
    text.match_indices(folder).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + folder.len()..]);
        let is_part =
            before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/')) && !before.ends_with("./");
        !is_part && (after.starts_with('/') || before.ends_with('`') && after.starts_with('`'))
    })
}
