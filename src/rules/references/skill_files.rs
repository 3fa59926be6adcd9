//! A skill's own files under paths that do not lead to them: left out of one copy of the skill, misspelt, named by a folder in which
//! the skill used to lie, kept in another skill, or looked for beside the skill.

use super::finding::same_subject;
use super::handed_out::is_of_a_named_skill;
use super::own::teaches_making;
use super::verdict::{PathVerdict, verdict_by_end};
use super::{has_script_ending, shown};
use crate::agents::files;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::edit_distance;
use crate::discover;
use crate::parse::Document;
use crate::rules::{Cx, RuleInfo};
use crate::workspace::is_root_file;
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
    let is_set_aside = discover::why_set_aside(document.path.as_bytes()).is_some();
    if is_set_aside || is_of_a_named_skill(cx.workspace, document, mention.span) {
        return None;
    }
    let folder = cx.workspace.skill_folder(document).filter(|folder| !folder.is_empty())?;
    let finding = |message: String| Finding::new(info.name, Level::Warning, &document.path, mention.span, message);
    match &mention.place {
        Miss::Abbreviated { file, .. } if is_in_a_copy(folder, &mention.path, file) => Some(
            finding(format!("`{}` is not in this copy of the skill", mention.path))
                .help(format!("{} is there: copy the whole folder, or link it", shown(file))),
        ),
        Miss::Abbreviated { file, .. } if is_below_agents_folder(folder, &mention.path, file) => {
            let help = format!("there is {}: a command begins in the root", shown(file));
            Some(finding(format!("`{}` is not in the root of the repository", mention.path)).help(help))
        }
        Miss::Abbreviated { file, .. } => is_in_another_skill(cx, document, folder, mention, file).then(|| {
            let key =
                format!("of another skill {} {}", shown(&RepoPath::new(folder)), shown(&RepoPath::new(file.parent())));
            finding(format!("`{}` is no file of this skill", mention.path))
                .cause(same_subject(key, &mention.path, "are no files of this skill"))
                .help(format!("correct the path, or add the file; {} has its name", shown(file)))
        }),
        Miss::Absent { candidates, .. } => {
            let verdict = verdict_by_end(cx, document, mention, candidates);
            if !matches!(verdict, PathVerdict::Never | PathVerdict::Unknown) {
                return None;
            }
            if let Some(own) = own_file(cx, folder, &mention.path) {
                let message = format!("`{}` names a file of this skill in a folder that does not exist", mention.path);
                return Some(replaced(mention, finding(message), &own, shown(&own).into_owned()));
            }
            if let Some(own) = misspelt(cx, folder, &mention.path) {
                let below = String::from_utf8_lossy(&own.as_bytes()[folder.len() + 1..]).into_owned();
                let message = format!("`{}` is no file of this skill", mention.path);
                return Some(replaced(mention, finding(message), &own, below));
            }
            if is_left_out(cx, document, folder, mention) {
                // Skills that came together were cut short together.
                let key = format!("left out of {}", shown(&RepoPath::new(path::parent(folder))));
                let cause = same_subject(key, &mention.path, LEFT_OUT);
                let message = format!("`{}` is no file of this skill and never was", mention.path);
                return Some(finding(message).cause(cause).help("add the file, or drop the mention"));
            }
            let missing = candidates.first().filter(|target| is_beside_skills(cx, folder, mention, target))?;
            let message = format!("`{}` is not beside this skill and never was", mention.path);
            let key = format!("folder {}", shown(&RepoPath::new(missing.parent())));
            let cause = same_subject(key, &mention.path, "name no file beside their skill");
            let finding = Finding { level: Level::Info, ..finding(message) };
            Some(finding.cause(cause).help("correct the path, or drop the mention"))
        }
        _ => None,
    }
}

/// `finding` with the offer to write `path`, which leads to `own`.
fn replaced(mention: &Mention, finding: Finding, own: &RepoPath, path: String) -> Finding {
    let finding = finding.help(format!("did you mean {}?", shown(own)));
    if mention.verbatim { finding.fix(Applicability::Unsafe, mention.span, path) } else { finding }
}

/// Folders in which skills alone keep the pages to which they send their readers.
const OF_PAGES: [&str; 2] = ["reference/", "references/"];

/// What is said of several such files.
const LEFT_OUT: &str = "are no files of their skills";

/// Whether a skill sends its reader to a page in such a folder of its own, or lists it there, and no file of the repository is meant.
fn is_left_out(cx: &Cx<'_>, document: &Document, folder: &[u8], mention: &Mention) -> bool {
    let written = mention.path.trim_start_matches("./");
    let Some(known) = OF_PAGES.into_iter().find(|known| written.starts_with(known)) else { return false };
    let line = document.lines.line_span(document.lines.line_of(mention.span.start));
    let before = document.text[line.start..mention.span.start].trim_start();
    let is_item = ["- ", "* "].iter().any(|mark| before.starts_with(mark))
        && before.trim_matches(['-', '*', '`', '[', ' ']).is_empty();
    mention.form == MentionForm::File
        && written.ends_with(".md")
        && mention.relied_on
        && (mention.sends || is_item)
        && document.markdown.fence_at(mention.span.start).is_none()
        && !teaches_making(document)
        && !cx.workspace.listing.has_dir(known.trim_end_matches('/').as_bytes())
        && !cx.workspace.listing.contains(&path::join(folder, written.as_bytes()))
}

/// Whether `written` names a file of the skill in `folder` by its folder of skills, `skills/x/scripts/a.py`, and that folder lies in one of
/// an agent, in which no command begins.
fn is_below_agents_folder(folder: &[u8], written: &str, file: &RepoPath) -> bool {
    let skills = RepoPath::new(path::parent(folder));
    let above = file.as_bytes().strip_suffix(written.trim_start_matches("./").as_bytes());
    skills.file_name() == b"skills"
        && path::is_at_or_below(file.as_bytes(), folder)
        && above.and_then(|above| above.strip_suffix(b"/")) == Some(skills.parent())
        && (files::is_agent_folder(skills.parent()) || files::is_skill_folder(skills.parent()))
}

/// Whether another skill alone has what this one names in a folder of its own, and the section does not speak of the other.
fn is_in_another_skill(cx: &Cx<'_>, document: &Document, folder: &[u8], mention: &Mention, file: &RepoPath) -> bool {
    let written = mention.path.trim_start_matches("./");
    let Some(known) = FOLDERS.into_iter().find(|known| written.starts_with(known)) else { return false };
    let end = format!("/{written}");
    let Some(other) = file.as_bytes().strip_suffix(end.as_bytes()).filter(|other| *other != folder) else {
        return false;
    };
    let line = document.lines.line_span(document.lines.line_of(mention.span.start));
    let heading = document.markdown.heading_of(mention.span.start).map(|at| document.markdown.headings[at].span.start);
    let section = document.text.get(heading.unwrap_or(0)..line.end).unwrap_or_default();
    let name = String::from_utf8_lossy(path::file_name(other)).into_owned();
    let has_folder = || cx.workspace.listing.has_dir(&path::join(folder, known.trim_end_matches('/').as_bytes()));
    cx.workspace.listing.contains(&path::join(other, b"SKILL.md"))
        && (has_folder() || mention.sends && !section.to_lowercase().contains("skill"))
        && RepoPath::new(other).parent() == RepoPath::new(folder).parent()
        && !section.contains(&name)
}

/// Letters of a name of which two may be wrong.
const LONG: usize = 9;

/// The only file in the same folder of the skill whose name differs from the written one in hyphens and the like, or in a letter or two.
fn misspelt(cx: &Cx<'_>, folder: &[u8], written: &str) -> Option<RepoPath> {
    let written = written.trim_start_matches("./");
    FOLDERS.iter().find(|known| written.starts_with(*known))?;
    let missing = RepoPath::new(path::join(folder, written.as_bytes()));
    let ending = path::extension(missing.as_bytes())?;
    let letters = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let figures = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let name = letters(std::str::from_utf8(missing.file_name()).ok()?);
    let most = if name.len() >= LONG { 2 } else { 0 };
    let is_alike = |other: &&[u8]| {
        let spelt = letters(&String::from_utf8_lossy(other));
        path::extension(other) == Some(ending)
            && figures(&spelt) == figures(&name)
            && edit_distance(&name, &spelt) <= most
    };
    let children = cx.workspace.listing.children(missing.parent());
    let mut alike = children.iter().map(|(other, _)| *other).filter(is_alike);
    let only = alike.next().filter(|_| alike.next().is_none())?;
    Some(RepoPath::new(path::join(missing.parent(), only)))
}

/// Skills beside each other, at least, in a folder of skills.
const MIN_SKILLS: usize = 3;

/// Whether a skill among others names a page or script in a folder beside its own, which goes wherever they go.
fn is_beside_skills(cx: &Cx<'_>, folder: &[u8], mention: &Mention, target: &RepoPath) -> bool {
    let listing = &cx.workspace.listing;
    let above = RepoPath::new(RepoPath::new(folder).parent());
    let is_skill = |name: &[u8]| listing.contains(&path::join(&path::join(above.as_bytes(), name), b"SKILL.md"));
    let rest = mention.path.strip_prefix("../").unwrap_or_default();
    let name = rest.rsplit('/').next().unwrap_or_default();
    mention.form == MentionForm::File
        && (mention.claimed || mention.relied_on)
        && rest.contains('/')
        && !rest.starts_with("../")
        && name != "SKILL.md"
        && !is_root_file(name)
        && [".md", ".py", ".sh"].iter().any(|end| name.ends_with(end))
        && path::is_at_or_below(target.as_bytes(), above.as_bytes())
        // A folder that is nowhere may be another repository beside this one.
        && rest.split('/').next().is_some_and(|first| listing.has_dir(&path::join(above.as_bytes(), first.as_bytes())))
        && listing.children(above.as_bytes()).iter().filter(|(name, _)| is_skill(name)).nth(MIN_SKILLS - 1).is_some()
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
    #[test]
    fn a_file_of_the_skill_is_misspelt() {
        let files = ["skills/x/assets/time_based_rows.txt", "skills/x/assets/other.txt"];
        let text = "- `assets/time-based_rows.txt` - all\n";
        let want = "warning assets/time-based_rows.txt unsafe assets/time_based_rows.txt";
        assert_eq!(check("skills/x/SKILL.md", text, &files), [want]);
        // Another ending, another figure, another folder.
        for other in ["assets/time-based_rows.csv", "assets/time_based_rows2.txt", "data/time-based_rows.txt"] {
            assert_eq!(check("skills/x/SKILL.md", &format!("- `{other}` - all\n"), &files), [""; 0], "{other}");
        }
        let two = [files[0], "skills/x/assets/timebased-rows.txt"];
        assert_eq!(check("skills/x/SKILL.md", text, &two), [""; 0]);
    }

    #[test]
    fn a_file_of_another_skill() {
        let files = ["skills/x/references/a.md", "skills/rows-of/SKILL.md", "skills/rows-of/references/deep_rows.md"];
        let text = "- `references/deep_rows.md` - all\n";
        assert_eq!(check("skills/x/SKILL.md", text, &files), ["warning references/deep_rows.md"]);
        let told = "See the skill rows-of: `references/deep_rows.md`\n";
        assert_eq!(check("skills/x/SKILL.md", told, &files), [""; 0]);
        assert_eq!(check("skills/x/SKILL.md", text, &files[1..]), [""; 0]);
    }

    #[test]
    fn a_file_that_was_left_out() {
        let want = ["warning references/deep-rows.md"];
        for text in ["See `references/deep-rows.md` for more.\n", "- `references/deep-rows.md` - all\n"] {
            assert_eq!(check("skills/x/SKILL.md", text, &["skills/x/scripts/a.py"]), want, "{text}");
            let warned = |path: &str, files: &[&str]| {
                check(path, text, files).into_iter().filter(|line| line.starts_with("warning")).count()
            };
            assert_eq!(warned("skills/x/SKILL.md", &["references/other.md"]), 0, "{text}");
            assert_eq!(warned("skills/skill-writing/SKILL.md", &[]), 0, "{text}");
        }
        for text in [
            "A skill may have `references/deep-rows.md`.\n",
            "- `references/deep-rows.md` - if there is one\n",
            "See `docs/deep-rows.md`.\n",
        ] {
            assert_eq!(check("skills/x/SKILL.md", text, &[]), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_page_beside_the_skills() {
        let files = ["skills/y/SKILL.md", "skills/z/SKILL.md", "skills/shared/a.md"];
        let text = "- `../shared/references/rows.md` - all\n";
        assert_eq!(check("skills/x/SKILL.md", text, &files), ["info ../shared/references/rows.md"]);
        assert_eq!(check("skills/x/SKILL.md", text, &files[1..]), [""; 0]);
        for other in ["../../shared/rows.md", "../w/SKILL.md", "../w/README.md", "../out/rows.json"] {
            assert_eq!(check("skills/x/SKILL.md", &format!("- `{other}` - all\n"), &files), [""; 0], "{other}");
        }
    }
}
