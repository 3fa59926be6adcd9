//! Which paths that never existed a text certainly means as files of this repository, judged by its words and by neighbouring paths.

use super::block::{is_an_alternative, table_head};
use super::git_hooks::{is_git_hook, is_hook_beside_others};
use super::handed_out::is_of_a_named_skill;
use super::nearby::{OF_PARTS, Siblings, is_the_only_one_absent, lone_folders_stand, stands_among_others};
use super::passing::{DATA, OUTLOOKS, PLACES, WORKING, holds_work, is_of_a_tool, is_of_an_agent};
use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss, is_of_one_project, is_source};

/// Whether the text surely means a file of this repository that is there.
pub(super) fn is_meant(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    (is_surely_meant(workspace, document, mention)
        || is_told_as_there(workspace, document, mention)
        || is_told_to_hold(document, mention)
        || is_lone_page(document, mention))
        && !workspace.is_about_any_project(document)
}

/// Folders in which skills keep pages of their own.
const OF_SKILLS: [&str; 7] = ["guides", "knowledge", "playbooks", "reference", "references", "steps", "workflows"];

/// Whether a skill lists several pages of a folder of its own, all of which were left behind when it was copied here.
pub(super) fn is_left_behind(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let Some((folder, _)) = mention.path.trim_start_matches("./").rsplit_once('/') else { return false };
    let is_own = |target: &RepoPath| {
        workspace.skill_folder(document).is_some_and(|own| path::is_at_or_below(target.as_bytes(), own))
    };
    document.kind == Kind::Skill
        && OF_SKILLS.contains(&folder)
        && mention.path.ends_with(".md")
        && mention.relied_on
        && !mention.to_come
        && discover::why_set_aside(document.path.as_bytes()).is_none()
        && candidates.first().is_some_and(is_own)
        && !is_of_a_named_skill(workspace, document, mention.span)
        && (stands_among_others(document, mention)
            || mention.sends && !mention.hedged && folder.starts_with("reference"))
}

/// Folders above a file without which any repository may have the same path.
const DEEP: usize = 3;

/// Whether the list around a path names other files of the same folder that are there; in a text that is handed out only of a
/// folder that lies deep in this repository, or in that of the skill itself.
pub(super) fn has_siblings(
    siblings: &Siblings,
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
    applies: bool,
) -> bool {
    let is_deep = || {
        mention.path.trim_start_matches("./").matches('/').count() >= DEEP
            && document.kind != Kind::Plan
            && discover::why_set_aside(document.path.as_bytes()).is_none()
    };
    (applies || is_deep() || is_of_own_folder(workspace, document, mention))
        && !is_of_a_named_skill(workspace, document, mention.span)
        && siblings.stand_beside(workspace, document, mention)
}

/// Whether a skill names a file in a folder of its own, which goes wherever the skill goes.
fn is_of_own_folder(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let own = workspace.skill_folder(document).filter(|_| document.kind == Kind::Skill);
    let lies_in = |own: &[u8]| {
        let target = candidates.first()?;
        let is_below = path::is_at_or_below(target.as_bytes(), own) && target.parent() != own;
        (is_below && workspace.listing.has_dir(target.parent())).then_some(())
    };
    own.and_then(lies_in).is_some()
        && !mention.to_come
        && !mention.hedged
        && discover::why_set_aside(document.path.as_bytes()).is_none()
}

/// Whether a folder that never was is surely meant: others of its list, table or drawing are there, or the text sends the reader
/// there.
pub(super) fn is_meant_folder(
    siblings: &Siblings,
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
) -> bool {
    let is_named = mention.form == MentionForm::Directory && !mention.hedged;
    // Who is sent there to look is told of what is there, whatever is to be added.
    let is_passing = || holds_work(&mention.path) || mention.to_come && !(mention.sends && mention.to_be_read);
    is_named
        && !is_an_alternative(document, mention.span)
        && (!document.kind.is_general() && siblings.stand_beside(workspace, document, mention)
            || is_slip(workspace, document, mention)
            || is_hook_beside_others(workspace, document, mention)
            || document.kind.is_general() && is_the_only_one_absent(workspace, document, mention)
            || !document.kind.is_general()
                && !workspace.is_about_any_project(document)
                && !is_passing()
                && (document.kind.role() == Some(Role::Main) || !is_of_an_agent(&mention.path))
                && (mention.relied_on
                    || mention.claimed && (mention.sends || is_said_to_hold(document, mention))
                    || is_lone_and_sent(workspace, document, mention)
                    || document.text[mention.span.end..].starts_with('/')
                        && is_the_only_one_absent(workspace, document, mention)
                    || !mention.path.contains('/') && lone_folders_stand(workspace, document, mention)))
}

/// Files of a folder that are looked at for sources, at most.
const MAX_LOOKED_AT: usize = 500;

/// Whether a folder that never was is surely missed: a path of several folders would lie among sources, it is the only one of its list that
/// is not there, or the reader is told to look into it. Any other may be made by a tool, or come with its first file.
pub(super) fn is_missed_folder(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, near } = &mention.place else { return false };
    let written = mention.path.trim_start_matches("./").trim_end_matches('/');
    let is_hidden = || written.split('/').any(|part| part.starts_with('.') && part.contains(|c| c != '.'));
    // "`model/` of the same slice" is a name, and no path.
    let is_lone = !written.contains('/');
    let is_there =
        |folder: &&[u8]| folder.is_empty() || workspace.listing.has_dir(folder) && !files::is_in_agent_folder(folder);
    let above = candidates.iter().map(RepoPath::parent).find(is_there);
    let holds_sources = |folder: &[u8]| {
        let mut files = workspace.listing.below(folder).take(MAX_LOOKED_AT);
        files.any(|index| is_source(workspace.listing.entry(index).path))
    };
    if near.is_some() || is_git_hook(&mention.path) {
        return true;
    }
    !is_for_what_comes(document, mention)
        && (mention.sends && mention.to_be_read
            || is_the_only_one_absent(workspace, document, mention)
            || !is_lone && !is_hidden() && !leaves_sources_out(workspace, written) && above.is_some_and(holds_sources))
}

/// Words with which a sentence begins that says where something is to be put.
const PUTS: [&str; 10] = ["Add", "Create", "Extract", "Move", "Place", "Promote", "Put", "Save", "Store", "Write"];

/// Whether a path says where something is to be put: by the verb of its sentence, behind an arrow, as one of two places, or before a name that is to be filled in.
fn is_for_what_comes(document: &Document, mention: &Mention) -> bool {
    let (before, after) = (&document.text[..mention.span.start], &document.text[mention.span.end..]);
    let before = before.trim_end_matches(['`', ' ']);
    let is_led_to = before.ends_with(['→', '⇒']) || before.ends_with("->");
    let rest = after.trim_start_matches('/');
    let is_filled_in = rest.starts_with(['{', '<', '[']);
    let rest = rest.trim_start_matches(['`', '*']).trim_start();
    let is_one_of_two = ["or ", "或", "または", "oder ", "ou ", "o "]
        .iter()
        .any(|word| rest.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('`')));
    let line = document.lines.line_span(document.lines.line_of(mention.span.start));
    let sentence = document.text.get(line.start..mention.span.start).unwrap_or_default();
    let sentence = sentence.rsplit(". ").next().unwrap_or(sentence).trim_start_matches(['-', '*', '+', '>', ' ']);
    let is_put = PUTS.iter().any(|verb| sentence.strip_prefix(verb).is_some_and(|rest| rest.starts_with(' ')));
    document.markdown.fence_at(mention.span.start).is_none() && (is_put || is_led_to || is_filled_in || is_one_of_two)
}

/// Whether a path leads to a folder once the `src` is put in of which nobody speaks: `crates/core/analyze`.
fn leaves_sources_out(workspace: &Workspace, written: &str) -> bool {
    let with_sources = |at: usize| format!("{}/src{}", &written[..at], &written[at..]);
    written.match_indices('/').any(|(at, _)| workspace.listing.has_dir(with_sources(at).as_bytes()))
}

/// Whether the reader is sent to a folder by its name and a slash alone.
fn is_lone_and_sent(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    mention.sends
        && !mention.path.contains('/')
        && !mention.path.starts_with('.')
        && document.text[mention.span.end..].starts_with("/`")
        && !workspace.listing.has_folder_called(mention.path.as_bytes())
}

/// Words directly before a folder in which the text says that something is.
const INTO: [&str; 8] = ["at", "below", "by", "from", "in", "inside", "under", "within"];

/// Whether the text says of a folder that something is in it: "live under `a/b/`". A row or an item that only names the folder may
/// say where things are to go.
fn is_said_to_hold(document: &Document, mention: &Mention) -> bool {
    let before = document.text[..mention.span.start].trim_end_matches(['`', '*', '"', '“']);
    let word = before.strip_suffix(' ').and_then(|before| before.rsplit(|c: char| !c.is_alphanumeric()).next());
    mention.path.contains('/')
        && document.text[mention.span.end..].starts_with('/')
        && word.is_some_and(|word| INTO.contains(&word.to_lowercase().as_str()))
        && !is_of_a_tool(&mention.path)
        && !says_where_to_put(document, mention.span)
}

/// Whether the line, the head of its table or the heading above says where something is to be put: the folder may come with it.
fn says_where_to_put(document: &Document, span: Span) -> bool {
    let line = document.slice(document.lines.line_span(document.lines.line_of(span.start)));
    let head = table_head(document, span.start).map(|head| document.slice(head));
    let heading = document.markdown.heading_of(span.start).map(|at| document.markdown.headings[at].text.as_str());
    [Some(line), head, heading].into_iter().flatten().any(|text| {
        let text = text.to_lowercase();
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| PLACES.contains(&word))
            || ["すること", "してください", "配置", "应", "應", "必须", "必須", "正确", "正確", "移动", "移動", "이동"]
                .iter()
                .any(|word| text.contains(word))
    })
}

/// Whether the name of a folder is a slip for that of one beside it, also of what is to be added: there is where it belongs.
fn is_slip(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { near: Some(near), .. } = &mention.place else { return false };
    // A tool's own folder holds what its users make; an agent's is as it is spelt.
    let is_agents = near.as_bytes().split(|&byte| byte == b'/').next().is_some_and(files::is_agent_folder);
    // A folder in two others that are there is none of any project.
    let is_deep = near.parent().contains(&b'/');
    // Without a slash behind it the path may be short for the file.
    let is_folder = workspace.listing.has_dir(near.as_bytes()) || document.text[mention.span.end..].starts_with('/');
    mention.claimed
        && is_folder
        && (is_deep || !document.kind.is_general())
        && !workspace.is_about_any_project(document)
        && (is_agents || !holds_work(&mention.path))
}

/// Words behind a path that say what the file holds.
const HOLDS: [&str; 12] = [
    "configures",
    "contains",
    "controls",
    "declares",
    "defines",
    "describes",
    "documents",
    "explains",
    "holds",
    "lists",
    "registers",
    "specifies",
];

/// Whether a hint file of this repository says what a file of settings in a folder of it holds.
fn is_told_to_hold(document: &Document, mention: &Mention) -> bool {
    let settings = ["cfg", "conf", "ini", "json", "jsonc", "toml", "yaml", "yml"];
    let ending = path::extension(mention.path.as_bytes());
    let rest = document.text[mention.span.end..].trim_start_matches(['`', '*', '_', ')', ' ']);
    let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    mention.form == MentionForm::File
        && mention.claimed
        && mention.relied_on
        && !mention.to_come
        && !mention.path.starts_with('.')
        && !document.kind.is_general()
        && !holds_work(&mention.path)
        && HOLDS.contains(&word)
        && ending.is_some_and(|ending| settings.iter().any(|known| known.as_bytes() == ending))
}

/// Whether a hint file sends its reader to a page by a name that no file here has.
fn is_lone_page(document: &Document, mention: &Mention) -> bool {
    let name = mention.path.strip_prefix("./").unwrap_or(&mention.path);
    let is_page = [".md", ".mdc"].iter().any(|end| name.strip_suffix(end).is_some_and(|stem| stem.len() > 3));
    mention.form == MentionForm::File
        && !name.contains('/')
        && is_page
        // Pages that a project keeps are called so; others may be of a folder or a repository that the text named before.
        && mention.sends
        && name.contains(|c: char| c.is_ascii_uppercase())
        && !mention.hedged
        && !mention.to_come
        && !document.kind.is_general()
        && is_of_one_project(name)
        && !WORKING.contains(&name)
}

/// Whether a hint file of this repository, which speaks of it and not of projects in general, relies on a source file or a page
/// of it by a path, and names nothing that is to be added.
fn is_told_as_there(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let ending = path::extension(mention.path.as_bytes());
    let file = path::file_name(mention.path.as_bytes());
    // Where a template has the name of a page, the page is yet to be written.
    let has_namesake = || ending == Some(b"md") && !workspace.listing.with_name_in_any_case(file).is_empty();
    // A folder that is not there either may be one that the reader is to make.
    let stands = |path: &RepoPath| {
        path.parent().is_empty() || workspace.listing.has_dir(path.parent()) || is_of_no_part(workspace, path)
    };
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let is_hint_file = mention.sends && files::main_names().any(|main| main.as_bytes() == file);
    let name = String::from_utf8_lossy(path::file_name(document.path.as_bytes())).to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    // What tools keep in folders of their own, their users write.
    let first = mention.path.trim_start_matches("./").split('/').next().unwrap_or_default();
    let is_of_a_tool = first.starts_with('.') && first.len() > 2 && first != ".github";
    mention.claimed
        && candidates.iter().any(stands)
        && !is_of_a_tool
        && mention.relied_on
        && !mention.to_come
        && !document.kind.is_general()
        && !WORKING.iter().any(|name| file == name.as_bytes())
        && ending.is_some_and(|ending| !DATA.contains(&ending))
        && !words.any(|word| OUTLOOKS.contains(&word.trim_end_matches('s')))
        && (mention.exact || is_hint_file || !has_namesake())
        && !is_an_open_task(document, mention)
}

/// Whether a source would lie in a part of the repository that is not there, beside parts that are.
fn is_of_no_part(workspace: &Workspace, file: &RepoPath) -> bool {
    let mut parts = file.as_bytes().splitn(3, |&byte| byte == b'/');
    let (Some(first), Some(part), Some(_)) = (parts.next(), parts.next(), parts.next()) else { return false };
    is_source(file.as_bytes())
        && OF_PARTS.contains(&first)
        && workspace.listing.has_dir(first)
        && !workspace.listing.has_dir(&path::join(first, part))
}

/// Letters of a name, at least, before a task that has it is about the file.
const MIN_STEM: usize = 6;

/// Whether an open task of the same text has the name of the file as a word: it is yet to be written.
fn is_an_open_task(document: &Document, mention: &Mention) -> bool {
    let stem = mention.path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    let is_open = |line: &str| ["- [ ] ", "* [ ] "].iter().any(|mark| line.trim_start().starts_with(mark));
    let words =
        |line: &str| line.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).any(|word| word == stem);
    stem.len() >= MIN_STEM && document.text.lines().any(|line| is_open(line) && words(line))
}

/// Whether the text tells the reader to read a page beside others that are there, or names a workflow of this repository.
fn is_surely_meant(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let ending = path::extension(mention.path.as_bytes());
    let is_alike = |name: &[u8]| ending.is_some() && path::extension(name) == ending;
    let has_alike = |dir: &[u8]| workspace.listing.children(dir).iter().any(|(name, _)| is_alike(name));
    let stands = || candidates.iter().map(RepoPath::parent).any(|dir| !dir.is_empty() && has_alike(dir));
    let is_general = document.kind == Kind::Skill || matches!(document.kind.role(), Some(Role::Command));
    let is_workflow = mention.path.trim_start_matches("./").starts_with(".github/workflows/") && !is_general;
    let is_page = mention.to_be_read && mention.path.ends_with(".md");
    // Where a template has that name, the file is yet to be written.
    let name = path::file_name(mention.path.as_bytes());
    mention.claimed && (is_page || is_workflow) && stands() && workspace.listing.with_name_in_any_case(name).is_empty()
}

/// Whether the path is one of the files that agents keep in their own folders of this repository, in a folder of theirs that is
/// there: `.claude/commands/…`.
pub(super) fn is_agents_own(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let mut parts = mention.path.trim_start_matches("./").split('/');
    let (Some(agent), Some(folder), Some(_)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let stands = workspace.listing.has_dir(format!("{agent}/{folder}").as_bytes());
    // A skill in another folder may be a copy, and speak of where it came from.
    let is_copy = matches!(document.kind, Kind::Skill | Kind::SkillPage)
        && !path::is_at_or_below(document.path.as_bytes(), agent.as_bytes());
    mention.relied_on
        && stands
        && !holds_work(&mention.path)
        && !is_copy
        && !mention.path.contains('[')
        && files::is_agent_folder(agent.as_bytes())
        && [".md", ".mdc", ".py", ".sh", ".js", ".mjs", ".ts", ".ps1"].iter().any(|end| mention.path.ends_with(end))
}

#[cfg(test)]
mod tests;
