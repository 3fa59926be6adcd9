//! Which paths a skill names as its own. The others may belong to any repository that uses the skill.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::handed_out::{is_of_a_named_skill, tells_own_scripts_apart};
use super::has_script_ending;
use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::discover;
use crate::parse::Document;
use crate::workspace::Workspace;
use crate::workspace::is_root_file;
use crate::workspace::mentions::{Mention, MentionForm, Miss, SKILLS_OWN};

/// Whether a page of a skill is called a template, or lies among those files that the skill hands on.
pub(super) fn is_template(document: &Document) -> bool {
    let name = document.path.file_name().to_ascii_lowercase();
    // The text of a hint file for another repository: `AGENTS.content.md`.
    let is_hints =
        || name.starts_with(b"agents.") && name != b"agents.md" || name.starts_with(b"claude.") && name != b"claude.md";
    let is_asset = || document.path.parent().split(|&byte| byte == b'/').any(|folder| folder == b"assets");
    document.kind == Kind::SkillPage && (memchr::memmem::find(&name, b"template").is_some() || is_hints() || is_asset())
}

/// Whether a skill teaches how to write hooks, plugins and the like: a fence of it shows one that might be.
pub(super) fn teaches_making(document: &Document) -> bool {
    let folder = String::from_utf8_lossy(path::file_name(document.path.parent())).to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| folder.contains(word));
    has(&["agent", "command", "hook", "plugin", "skill"])
        && has(&["author", "build", "creat", "develop", "design", "writ"])
}

/// Whether the path counts from the root of a bundle and the text relies on it as on one of the bundle's files. Plans show what is to be
/// made, and skills about making bundles what might be.
pub(super) fn is_of_own_bundle(document: &Document, mention: &Mention) -> bool {
    let in_fence =
        || document.markdown.in_code(mention.span.start) && !document.text[..mention.span.start].ends_with('`');
    mention.of_bundle
        && mention.claimed
        && document.kind != Kind::Plan
        && !(document.kind.is_general() && teaches_making(document) && in_fence())
}

/// Whether `mention` is a link of a skill to a file of its own.
pub(super) fn is_own_link(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    if mention.form != MentionForm::Link || discover::why_set_aside(document.path.as_bytes()).is_some() {
        return false;
    }
    let folder = workspace.skill_folder(document);
    if mention.from_root {
        // A slash before a folder of the skill leads to the root of a file system.
        let first = mention.path.split('/').next().unwrap_or_default();
        let stands = |folder: &[u8]| workspace.listing.has_dir(&path::join(folder, first.as_bytes()));
        return matches!(mention.place, Miss::Absent { .. })
            && !is_template(document)
            && folder.is_some_and(|folder| !folder.is_empty() && stands(folder));
    }
    let inside = |file: &RepoPath| folder.is_some_and(|folder| path::is_at_or_below(file.as_bytes(), folder));
    match &mention.place {
        // A text that links its own headings means them wherever it goes.
        Miss::NoAnchor { file, .. } => inside(file) || *file == document.path,
        // What climbs leads to the same file wherever the whole repository goes.
        Miss::OtherCase(file) => inside(file) || mention.path.starts_with("../"),
        // What a page shows of a document that is yet to be written is written beside that.
        Miss::Absent { .. } if is_template(document) => false,
        Miss::Absent { candidates, .. } => {
            // What climbs to another folder of this repository leads nowhere elsewhere either.
            let name = mention.path.rsplit('/').next().unwrap_or_default();
            let climbs = mention.path.starts_with("../")
                && (!is_root_file(name) || is_a_level_short(workspace, candidates))
                && (mention.path.ends_with('/') || path::extension(mention.path.as_bytes()).is_some());
            climbs || candidates.first().is_some_and(|target| workspace.is_own_path(document, &mention.path, target))
        }
        Miss::Abbreviated { .. } | Miss::Outside { .. } | Miss::Address(_) => false,
    }
}

/// Whether a climbing link ends one folder below a file of the name that it gives, so that it lacks one `../`.
fn is_a_level_short(workspace: &Workspace, candidates: &[RepoPath]) -> bool {
    let Some(target) = candidates.first().filter(|target| !target.parent().is_empty()) else { return false };
    let above = RepoPath::new(target.parent());
    workspace.listing.contains(&path::join(above.parent(), target.file_name()))
}

/// Whether a skill's command runs a script of the skill's own: one of its folder of scripts, which is there, or of a skill beside it.
pub(super) fn is_own_script(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let Some(folder) = workspace.skill_folder(document) else { return false };
    let written = mention.path.trim_start_matches("./");
    let scripts = path::join(folder, b"scripts");
    let is_here = written.starts_with("scripts/") && workspace.listing.has_dir(&scripts);
    let is_own = |target: &&RepoPath| workspace.is_own_path(document, &mention.path, target);
    let own = match is_here {
        true => candidates.iter().find(|target| path::is_at_or_below(target.as_bytes(), &scripts)),
        false => candidates.first(),
    };
    matches!(document.kind, Kind::Skill | Kind::SkillPage)
        && has_script_ending(written)
        && !mention.hedged
        && discover::why_set_aside(document.path.as_bytes()).is_none()
        && (is_here || written.starts_with("../"))
        && !tells_own_scripts_apart(document, written)
        && own.filter(is_own).is_some()
}

/// Whether a skill names a page of its own: a Markdown file in a folder of the skill in which its other pages are, or a script
/// beside its other scripts.
pub(super) fn is_own_page(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let is_script = has_script_ending(&mention.path) && mention.path.trim_start_matches("./").starts_with("scripts/");
    let is_page = |name: &[u8]| match is_script {
        true => has_script_ending(&String::from_utf8_lossy(name)),
        false => name.ends_with(b".md") && name.iter().any(u8::is_ascii_lowercase),
    };
    let has_pages = |dir: &[u8]| workspace.listing.children(dir).iter().any(|(name, _)| is_page(name));
    let is_own =
        |target: &RepoPath| has_pages(target.parent()) && workspace.is_own_path(document, &mention.path, target);
    // A name in capitals alone, such as `AGENTS.md`, is that of a file which other folders have.
    let named = mention.path.contains('/')
        && mention.path.ends_with(".md")
        && mention
            .path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.trim_end_matches(".md").contains(|c: char| c.is_ascii_lowercase()));
    document.kind == Kind::Skill
        && mention.claimed
        && (named || is_script && !tells_own_scripts_apart(document, &mention.path))
        && !is_of_a_named_skill(workspace, document, mention.span)
        && discover::why_set_aside(document.path.as_bytes()).is_none()
        && candidates.first().is_some_and(is_own)
}

/// Whether `mention` stands in what is handed out, a skill, command or agent, and may mean a file of its own, or one deep in this
/// repository.
pub(super) fn may_be_own_past(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    document.kind.is_general()
        && mention.form == MentionForm::File
        && discover::why_set_aside(document.path.as_bytes()).is_none()
        && (mention.relied_on && mention.path.contains('/')
            || candidates.iter().any(|candidate| is_own_past(workspace, document, mention, candidate)))
}

/// Folders that other repositories have, too.
const COMMON: [&str; 11] =
    ["app", "apps", "components", "docs", "lib", "packages", "public", "scripts", "src", "test", "tests"];

/// Whether `mention` means `from`, a former file of this repository, and not one of a repository that uses the skill.
pub(super) fn is_own_past(workspace: &Workspace, document: &Document, mention: &Mention, from: &RepoPath) -> bool {
    let written = mention.path.trim_start_matches("./");
    let from_root = from.as_bytes() == written.as_bytes();
    let folder = workspace.skill_folder(document).filter(|folder| !folder.is_empty());
    if folder.is_none() && !matches!(document.kind.role(), Some(Role::Command | Role::Subagent)) {
        return false;
    }
    if let Some(folder) = folder {
        if path::is_at_or_below(from.as_bytes(), folder) {
            let by_its_end = mention.relied_on && from.as_bytes().ends_with(written.as_bytes());
            return from_root || by_its_end || workspace.is_own_path(document, written, from);
        }
        // A file of a skill beside this one.
        if mention.path.starts_with("../") {
            return mention.relied_on && workspace.is_own_path(document, &mention.path, from);
        }
    }
    let parts: Vec<&[u8]> = from.as_bytes().split(|&byte| byte == b'/').collect();
    let is_common = COMMON.iter().any(|name| name.as_bytes() == parts[0]) || files::is_agent_folder(parts[0]);
    let is_told_apart = mention.relied_on && (parts.len() > 3 || !is_common);
    let is_of_here = || !mention.hedged && !mention.to_come && names_another_of(workspace, document, from);
    from_root && parts.len() >= 3 && (is_told_apart || is_of_here())
}

/// Places in a text at which another file of a folder is looked for, at most.
const MAX_PLACES: usize = 200;

/// Whether the text names, by its whole path, another file of the folder that held `gone`, and that one is there: it speaks of this
/// repository and of no other.
fn names_another_of(workspace: &Workspace, document: &Document, gone: &RepoPath) -> bool {
    let Ok(folder) = std::str::from_utf8(gone.parent()) else { return false };
    let is_path = |c: char| c.is_alphanumeric() || "_-./@+".contains(c);
    let places = document.text.match_indices(folder).take(MAX_PLACES);
    let whole = places.filter(|(at, _)| !document.text[..*at].ends_with(is_path));
    let mut paths = whole.map(|(at, _)| {
        let rest = &document.text[at..];
        rest[..rest.find(|c| !is_path(c)).unwrap_or(rest.len())].trim_end_matches('.')
    });
    folder.contains('/') && paths.any(|path| path.len() > folder.len() && workspace.listing.contains(path.as_bytes()))
}

/// Whether the page of a skill links a file that lies in another folder of the skill: it was put together of pages that lay there.
pub(super) fn is_in_another_folder(workspace: &Workspace, document: &Document, target: &RepoPath) -> bool {
    let inside = |folder: &[u8]| {
        let same = workspace.listing.with_name(target.file_name());
        same.into_iter().any(|file| path::is_at_or_below(file, folder))
    };
    workspace.skill_folder(document).filter(|folder| !folder.is_empty()).is_some_and(inside)
}

/// Whether the lock of vendored skills names the skill to which the page belongs, or a note beside it says so: who has it here did not write
/// it.
pub(super) fn is_vendored(workspace: &Workspace, document: &Document) -> bool {
    let has_note =
        |folder: &[u8]| NOTES.iter().any(|note| workspace.listing.contains(&path::join(folder, note.as_bytes())));
    workspace.is_of_a_locked_skill(&document.path) || workspace.skill_folder(document).is_some_and(has_note)
}

/// Whether a page was taken over from elsewhere with its link to `target`: no copy left the target out.
pub(super) fn is_vendored_so(workspace: &Workspace, document: &Document, target: &RepoPath) -> bool {
    is_vendored(workspace, document) && !is_left_out(workspace, document, target)
}

/// Files in the folder of a skill that say from where it was taken.
const NOTES: [&str; 6] = ["_VENDOR.md", "VENDOR.md", "VENDORED.md", "UPSTREAM.md", ".upstream", ".vendored"];

/// Files of the same name that are looked at, at most.
const MAX_COPIES: usize = 64;

/// Whether the link leads to a file from a copy of the text, in a folder of the same name: the text is written where the copies are made.
pub(super) fn leads_somewhere_in_a_copy(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let folder = path::file_name(document.path.parent());
    let is_called_so = |other: &&[u8]| path::file_name(path::parent(other)) == folder;
    let is_copy = |other: &&RepoPath| {
        **other != document.path
            && workspace.document(other.as_bytes()).is_some_and(|copy| copy.text.contains(&mention.path))
    };
    let leads = |copy: RepoPath| {
        path::resolve(copy.parent(), mention.path.as_bytes()).is_some_and(|target| workspace.listing.contains(&target))
    };
    let named = workspace.listing.with_name(document.path.file_name()).into_iter().filter(is_called_so);
    let named = named.take(MAX_COPIES).map(RepoPath::new);
    !mention.from_root && named.filter(|other| is_copy(&other)).any(leads)
}

/// Whether a skill links a page in a folder of its own that was not brought along: this copy is to blame.
fn is_left_out(workspace: &Workspace, document: &Document, target: &RepoPath) -> bool {
    let folder = workspace.skill_folder(document).filter(|_| document.kind == Kind::Skill);
    let own = folder.and_then(|folder| target.as_bytes().strip_prefix(folder)?.strip_prefix(b"/"));
    let first = own.and_then(|own| own.split(|&byte| byte == b'/').next());
    first.is_some_and(|first| SKILLS_OWN.iter().any(|known| first == known.as_bytes()))
        && !folder.zip(first).is_some_and(|(folder, first)| workspace.listing.has_dir(&path::join(folder, first)))
}

/// Whether a plan links what was there on its day, on its author's machine, or what it is going to make.
pub(super) fn is_of_its_day(document: &Document, mention: &Mention) -> bool {
    document.kind == Kind::Plan
        && (matches!(mention.place, Miss::Absent { .. })
            || matches!(mention.place, Miss::Outside { .. }) && mention.from_root)
}

/// Whether the file tells of what was done, version by version: its links led somewhere on their day.
pub(super) fn is_log(document: &Document) -> bool {
    let name = String::from_utf8_lossy(document.path.file_name()).to_lowercase();
    ["changelog", "changes", "history", "release-notes"].iter().any(|log| name.split('.').next() == Some(log))
}

/// Dead anchors in the pages of a skill, at least, before a program of another site made the pages.
const MANY_ANCHORS: usize = 20;

/// Whether `document` is a page of a skill whose pages were taken over with the anchors of another site.
pub(super) fn has_foreign_anchors(workspace: &Workspace, document: &Document) -> bool {
    let folder = workspace.skill_folder(document).filter(|_| document.kind == Kind::SkillPage);
    let Some(folder) = folder else { return false };
    let in_skill = |path: &RepoPath| path::is_at_or_below(path.as_bytes(), folder);
    let dead = workspace
        .mentions
        .iter()
        .filter(|(path, mention)| matches!(mention.place, Miss::NoAnchor { .. }) && in_skill(path));
    is_vendored(workspace, document) || dead.take(MANY_ANCHORS).count() == MANY_ANCHORS
}

/// Whether the path climbs to a folder that nothing here has: a repository beside this one.
pub(super) fn leads_to_another_repository(
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
    candidates: &[RepoPath],
) -> bool {
    let rest = mention.path.trim_start_matches("../");
    let Some((_, below)) = rest.split_once('/').filter(|_| rest.len() < mention.path.len()) else { return false };
    let end = format!("/{below}");
    // What climbs less than the text lies deep stays in this repository, where a folder of that name is elsewhere.
    let climbs = mention.path[..mention.path.len() - rest.len()].matches("../").count();
    let depth = document.path.as_bytes().iter().filter(|&&byte| byte == b'/').count();
    let Miss::Absent { near, .. } = &mention.place else { return false };
    let ends_so = |near: &RepoPath| near.as_bytes().ends_with(format!("/{rest}").as_bytes());
    if climbs < depth && near.as_ref().is_some_and(ends_so) {
        return false;
    }
    let mut folders = candidates.iter().filter_map(|path| path.as_bytes().strip_suffix(end.as_bytes()));
    !document.kind.is_general() && !folders.any(|folder| workspace.listing.has_dir(folder))
}

/// The names of all folders of the repository, gathered when one is first asked for.
#[derive(Default)]
pub(super) struct FolderNames<'w>(OnceCell<BTreeSet<&'w [u8]>>);

impl<'w> FolderNames<'w> {
    fn contains(&self, workspace: &'w Workspace, name: &[u8]) -> bool {
        let folders = || workspace.listing.runs().flat_map(|(folder, _)| folder.split(|&byte| byte == b'/'));
        self.0.get_or_init(|| folders().collect()).contains(name)
    }
}

/// Whether a skill in an agent's folder links a file in a folder that nothing here has, outside of its own: it was taken over from the
/// repository that has the folder.
pub(super) fn leads_to_its_origin(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, .. } = &mention.place else { return false };
    let rest = mention.path.trim_start_matches("../");
    let Some((first, _)) = rest.split_once('/').filter(|_| rest.len() < mention.path.len()) else { return false };
    let is_outside = |folder: &[u8]| candidates.iter().all(|target| !path::is_at_or_below(target.as_bytes(), folder));
    matches!(document.kind, Kind::Skill | Kind::SkillPage)
        && files::is_in_agent_folder(document.path.as_bytes())
        && workspace.skill_folder(document).is_some_and(is_outside)
        && !first.starts_with('.')
        && !SKILLS_OWN.iter().any(|known| known.trim_end_matches('s') == first.trim_end_matches('s'))
        && !workspace.listing.has_folder_called(first.as_bytes())
}

/// Whether the text says that the path is one of a package which this repository does not hold: "`some-package`'s unexported `src/x/`".
pub(super) fn is_of_a_package<'w>(
    folders: &FolderNames<'w>,
    workspace: &'w Workspace,
    document: &Document,
    mention: &Mention,
) -> bool {
    let before = document.text[..mention.span.start].trim_end_matches('`').trim_end();
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let before = match before.rsplit_once(' ') {
        Some((rest, word)) if is_word(word) => rest.trim_end(),
        _ => before,
    };
    let owner = ["`'s", "`’s"].iter().find_map(|end| before.strip_suffix(end)).and_then(|rest| rest.rsplit('`').next());
    let is_package = |name: &str| {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "@/-_".contains(c);
        name.len() > 1 && name.contains(['-', '_', '@']) && name.chars().all(is_part)
    };
    let package = owner.filter(|name| is_package(name)).or_else(|| other_project(before));
    package.is_some_and(|name| !folders.contains(workspace, path::file_name(name.as_bytes())))
}

/// Words behind which an `'s` does not name another project.
const OF_THIS_ONE: [&str; 19] = [
    "agent",
    "app",
    "crate",
    "here",
    "it",
    "let",
    "module",
    "one",
    "package",
    "plugin",
    "project",
    "repo",
    "repository",
    "script",
    "server",
    "skill",
    "that",
    "there",
    "what",
];

/// The other project of which the text before a path says that the path is its own: "hub's `x`".
fn other_project(before: &str) -> Option<&str> {
    let owner = ["'s", "’s"].iter().find_map(|end| before.strip_suffix(end))?;
    let word = owner.rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).next()?;
    let is_name = word.len() > 1 && word.starts_with(|c: char| c.is_ascii_lowercase());
    (is_name && !OF_THIS_ONE.contains(&word)).then_some(word)
}

/// Bytes before a path in which symbolic links are spoken of.
const LINKS_NEAR: usize = 1500;

/// Whether the text tells what symbolic links lead to: a path that climbs counts from the place of one of them.
pub(super) fn is_target_of_a_link(document: &Document, mention: &Mention) -> bool {
    if !mention.exact || !mention.path.starts_with("../") {
        return false;
    }
    let start = document.text.floor_char_boundary(mention.span.start.saturating_sub(LINKS_NEAR));
    let before = document.text[start..mention.span.start].to_lowercase();
    ["symlink", "symbolic link"].iter().any(|word| before.contains(word))
}
