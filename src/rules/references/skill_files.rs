//! A skill's own files under paths that do not lead to them: left out of one copy of the skill, or named by a folder in which the skill
//! used to lie.

use super::verdict::{PathVerdict, verdict_by_end};
use super::{has_script_ending, shown};
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::parse::Document;
use crate::rules::{Cx, RuleInfo};
use crate::workspace::mentions::{Mention, MentionForm, Miss};

/// Folders of a skill that the format knows.
const FOLDERS: [&str; 3] = ["assets/", "references/", "scripts/"];

/// Texts that name a folder which is not there, at least, before it is the one in which the repository is mounted.
const MIN_TEXTS: usize = 4;

/// The finding of the rule of `info` about `mention`, if it means a file of the skill that the text belongs to.
pub(super) fn check(info: &RuleInfo, cx: &Cx<'_>, document: &Document, mention: &Mention) -> Option<Finding> {
    let is_path = matches!(mention.form, MentionForm::File | MentionForm::Command);
    if document.kind != Kind::Skill || !is_path || mention.hedged || mention.to_come {
        return None;
    }
    if discover::why_set_aside(document.path.as_bytes()).is_some() {
        return None;
    }
    let folder = cx.workspace.skill_folder(document).filter(|folder| !folder.is_empty())?;
    let finding = |message: String| Finding::new(info.name, Level::Warning, &document.path, mention.span, message);
    match &mention.place {
        Miss::Abbreviated { file, .. } => is_in_a_copy(folder, &mention.path, file).then(|| {
            finding(format!("`{}` is not in this copy of the skill", mention.path))
                .help(format!("{} is there: copy the whole folder, or link it", shown(file)))
        }),
        Miss::Absent { candidates, .. } => {
            let own = own_file(cx, folder, &mention.path)?;
            let verdict = verdict_by_end(cx, document, mention, candidates);
            if matches!(verdict, PathVerdict::Renamed { .. } | PathVerdict::Deleted { .. }) {
                return None;
            }
            let finding =
                finding(format!("`{}` names a file of this skill in a folder that does not exist", mention.path));
            let finding = finding.help(format!("did you mean {}?", shown(&own)));
            Some(match mention.verbatim {
                true => finding.fix(Applicability::Unsafe, mention.span, shown(&own)),
                false => finding,
            })
        }
        _ => None,
    }
}

/// Whether `file` is what `written` names, in another folder of the name of the skill's.
fn is_in_a_copy(folder: &[u8], written: &str, file: &RepoPath) -> bool {
    let written = written.trim_start_matches("./");
    let in_copy = [path::file_name(folder), b"/", written.as_bytes()].concat();
    let above = file.as_bytes().strip_suffix(in_copy.as_slice());
    FOLDERS.iter().any(|known| written.starts_with(known))
        && has_script_ending(written)
        && above.is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
}

/// The file of the skill in `folder` that `written` names by way of another folder of the same name, in one that is nowhere.
fn own_file(cx: &Cx<'_>, folder: &[u8], written: &str) -> Option<RepoPath> {
    let name = std::str::from_utf8(path::file_name(folder)).ok()?;
    let (above, rest) = written.trim_start_matches("./").split_once(&format!("/{name}/"))?;
    let first = above.split('/').next().filter(|_| above.contains('/'))?;
    // Agents' folders are where a skill is put, and variables stand for any.
    let is_plain = first.starts_with(|c: char| c.is_ascii_alphanumeric()) && !first.contains(['<', '{', '$', '*']);
    let stands = path::ancestors_from_root(folder)
        .into_iter()
        .any(|dir| cx.workspace.listing.has_dir(&path::join(dir, first.as_bytes())));
    let own = path::join(folder, rest.as_bytes());
    // Where many texts say so, the repository is mounted there.
    let begin = format!("{first}/");
    let is_mount = || {
        let names = |document: &&Document| {
            let text = &document.text;
            text.match_indices(&begin)
                .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || "_-./".contains(c)))
        };
        cx.workspace.documents.iter().filter(names).nth(MIN_TEXTS - 1).is_some()
    };
    (is_plain && !stands && cx.workspace.listing.contains(&own) && !is_mount()).then(|| RepoPath::new(own))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{findings, show};

    fn check(path: &str, text: &str, files: &[&str]) -> Vec<String> {
        let text = format!("---\nname: x\ndescription: y\n---\n{text}");
        let all: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).chain([(path, text.as_str())]).collect();
        let found = findings("missing-path", &all, &[], &[], false);
        show(&found.into_iter().filter(|finding| finding.path == path.into()).collect::<Vec<_>>(), &text)
    }

    #[test]
    fn a_copy_without_its_scripts() {
        let files = [".agents/skills/x/scripts/start-it.sh"];
        let text = "Run `scripts/start-it.sh`.\n";
        assert_eq!(check("skills/x/SKILL.md", text, &files), ["warning scripts/start-it.sh"]);
        assert_eq!(check("skills/y/SKILL.md", text, &files), [""; 0]);
        assert_eq!(check("skills/x/SKILL.md", text, &["scripts/start-it.sh"]), [""; 0]);
    }

    #[test]
    fn a_folder_in_which_the_skill_lay() {
        let files = ["skills/x/scripts/start-it.sh"];
        let text = "Run `old-home/skills/x/scripts/start-it.sh`.\n";
        let want = "warning old-home/skills/x/scripts/start-it.sh unsafe skills/x/scripts/start-it.sh";
        assert_eq!(check("skills/x/SKILL.md", text, &files), [want]);
        let installed = text.replace("old-home", ".claude");
        assert_eq!(check("skills/x/SKILL.md", &installed, &files), [""; 0]);
        assert_eq!(check("skills/x/SKILL.md", text, &[files[0], "old-home/a.md"]), [""; 0]);
        assert_eq!(check("skills/x/SKILL.md", &text.replace("start-it", "other"), &files), [""; 0]);
    }
}
