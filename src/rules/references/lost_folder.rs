//! A path that never was, below a folder that history knows as deleted or renamed: the text was written for that folder.

use super::finding::same_subject;
use super::handed_out::is_in_use;
use super::passing::{holds_work, is_made_later, is_of_a_tool};
use super::shown;
use super::verdict::{PathVerdict, verdict, verdict_by_end};
use crate::base::finding::{Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::rules::{Cx, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss};

/// Folders of a path without which any repository may have it.
const MIN_PARTS: usize = 2;

/// Ask what became of the folders above the paths that may be told so.
pub(super) fn ask(cx: &Cx<'_>, document: &Document, questions: &mut Questions) {
    for mention in cx.workspace.mentions.of(&document.path) {
        questions.fates.extend(folders(cx.workspace, document, mention));
    }
}

/// The finding of the rule of `info` about `mention`, which never was, if the folder above it was there once.
pub(super) fn told(info: &RuleInfo, cx: &Cx<'_>, document: &Document, mention: &Mention) -> Option<Finding> {
    let Miss::Absent { candidates, .. } = &mention.place else { return None };
    let folders = folders(cx.workspace, document, mention);
    if folders.is_empty() || !matches!(verdict_by_end(cx, document, mention, candidates), PathVerdict::Never) {
        return None;
    }
    let (folder, became) = folders.iter().find_map(|folder| match verdict(cx, std::slice::from_ref(folder)) {
        PathVerdict::Renamed { to, .. } => Some((folder, format!("was renamed to {}", shown(to)))),
        PathVerdict::Deleted { .. } => Some((folder, "does not exist any more".to_owned())),
        PathVerdict::Never | PathVerdict::Excused | PathVerdict::Unknown => None,
    })?;
    let message = format!("`{}` is not in this repository: {} {became}", mention.path, shown(folder));
    let cause = same_subject(format!("lost {}", shown(folder)), &mention.path, "lie in a folder that is gone");
    let finding = Finding::new(info.name, Level::Warning, &document.path, mention.span, message).cause(cause);
    Some(finding.help("correct the path, or drop the mention"))
}

/// The folders above `mention` that are not there, the nearest first, if the text relies on it as on a path of this repository.
fn folders(workspace: &Workspace, document: &Document, mention: &Mention) -> Vec<RepoPath> {
    let Miss::Absent { candidates, near: None } = &mention.place else { return Vec::new() };
    let written = mention.path.trim_start_matches("./");
    let is_told = match mention.form {
        MentionForm::File => mention.relied_on,
        MentionForm::Directory => mention.claimed || mention.sends,
        _ => false,
    };
    let is_meant = is_told
        && !mention.hedged
        && !mention.to_come
        && !mention.excused
        && !document.kind.is_general()
        && is_in_use(document)
        && !holds_work(written)
        && !is_of_a_tool(written)
        && !is_made_later(document, written)
        && !written.contains('[')
        && !written.starts_with("../");
    if !is_meant {
        return Vec::new();
    }
    let above = |candidate: &RepoPath| {
        // What the text does not name is none of it.
        let base = candidate.as_bytes().len().saturating_sub(written.len());
        let is_lost = |dir: &&[u8]| {
            let named = dir.get(base..).unwrap_or_default();
            let parts = named.split(|&byte| byte == b'/').filter(|part| !part.is_empty()).count();
            parts >= MIN_PARTS && !workspace.listing.has_dir(dir)
        };
        let dirs = path::ancestors_from_root(candidate.parent()).into_iter().rev();
        dirs.filter(is_lost).map(RepoPath::new).collect::<Vec<_>>()
    };
    candidates.iter().flat_map(above).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Past, warnings};

    #[test]
    fn a_path_that_never_was_below_a_folder_that_is_gone() {
        let files = [("src/app/news/page.tsx", ""), ("docs/a1.md", "")];
        let check = |text: &str, past: &[(&str, Past<'_>)]| warnings("missing-path", "AGENTS.md", text, &files, past);
        let past = [("src/app/blog", Past::Deleted)];
        let text = "Posts live in `src/app/blog/posts/` as pages. The view is `src/app/blog/Row.tsx`.\n";
        assert_eq!(check(text, &past), ["warning src/app/blog/posts", "warning src/app/blog/Row.tsx"]);
        // A folder that never was may be one that the reader is to make.
        assert_eq!(check(text, &[]), [""; 0]);
        for other in ["Put posts into `src/app/blog/posts/`.\n", "Add `src/app/blog/Row.tsx`.\n"] {
            assert_eq!(check(other, &past), [""; 0], "{other}");
        }
    }
}
