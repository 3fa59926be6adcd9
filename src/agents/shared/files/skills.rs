//! Skills of several agents: who reads a skill at a path, how, and who sees which of several.

use std::borrow::Cow;

use super::{AgentFiles, every, has_folder};
use crate::agents::{ALL, Dialect};
use crate::base::kind::Kind;
use crate::base::path;

/// How an agent reads skills.
#[derive(Debug)]
pub(crate) struct SkillReader {
    /// The folders in which it looks for them.
    pub(crate) folders: &'static [&'static str],
    /// The file of a package that it installs, beside or above the skills; empty if it has none.
    pub(crate) manifest: &'static str,
    /// Whether a skill needs no name because its folder has one.
    pub(crate) names_by_folder: bool,
    /// Whether it takes the first line of a skill without frontmatter for its description; not in its packages.
    pub(crate) describes_by_text: bool,
    /// What makes it refuse a skill.
    pub(crate) refuses: &'static [SkillFault],
    /// Characters that its names may have besides those of the format.
    pub(crate) also: &'static str,
}

/// What is outside the format of skills, and what some agents tolerate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SkillFault {
    /// A name with other characters, or other than the folder's.
    Names,
    /// A description that is too long.
    Lengths,
    /// YAML that only quotes around a value make valid.
    Yaml,
    /// The same, where the value contains `: ` and nothing else is wrong with it.
    Colons,
}

/// What an agent does with invalid frontmatter before it gives it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rereading {
    /// Nothing.
    Never,
    /// It reads it again with those simple values in quotes that contain `: `.
    QuotingColons,
    /// It reads it again with all simple values in quotes.
    QuotingValues,
}

impl SkillReader {
    /// An agent that looks for skills in `folders` and takes them as they are.
    pub(crate) const fn of(folders: &'static [&'static str]) -> Self {
        SkillReader { folders, manifest: "", names_by_folder: false, describes_by_text: false, refuses: &[], also: "" }
    }
}

/// What chezmoi writes for the dot of a name.
const DOT: &[u8] = b"dot_";

/// `path` as it is called where chezmoi installs it: `home/.claude/skills/x` for `home/dot_claude/skills/x`.
fn as_installed(path: &[u8]) -> Cow<'_, [u8]> {
    if !path.split(|&byte| byte == b'/').any(is_of_a_home) {
        return path.into();
    }
    let part = |part: &[u8]| match part.strip_prefix(DOT) {
        Some(rest) => [b".", rest].concat(),
        None => part.to_vec(),
    };
    path.split(|&byte| byte == b'/').map(part).collect::<Vec<_>>().join(&b'/').into()
}

/// Whether a folder of this name is that of an agent once chezmoi installs it in a home: `dot_claude`.
pub(crate) fn is_of_a_home(name: &[u8]) -> bool {
    name.strip_prefix(DOT).is_some_and(|rest| super::is_agent_folder(&[b".", rest].concat()))
}

/// Whether the repository's own skills lie in folders of this name.
pub(crate) fn is_skill_folder(name: &[u8]) -> bool {
    every(|files| files.skill_folders).any(|folder| name.eq_ignore_ascii_case(folder.as_bytes()))
}

/// An agent that reads a certain skill.
pub(crate) struct ReadsSkill {
    /// The agent.
    pub(crate) agent: &'static str,
    /// How it reads.
    pub(crate) reader: &'static SkillReader,
    /// Whether it is the package's manifest that says so, and not the folder.
    pub(crate) by_manifest: bool,
}

/// The agents that read the skill at `path`, where their folders or a manifest above the skill say so. `has` knows the files.
pub(crate) fn skill_readers(path: &[u8], has: &dyn Fn(&[u8]) -> bool) -> Vec<ReadsSkill> {
    let installed = as_installed(path);
    let above = path::ancestors_from_root(path::parent(path));
    let reads = |dialect: &&'static Dialect| {
        let reader = dialect.files.skills.as_ref()?;
        let manifest = reader.manifest.as_bytes();
        let by_manifest = !manifest.is_empty() && above.iter().any(|dir| has(&path::join(dir, manifest)));
        let by_folder = reader.folders.iter().any(|folder| has_folder(&installed, folder));
        (by_manifest || by_folder).then_some(ReadsSkill { agent: dialect.id, reader, by_manifest })
    };
    ALL.iter().filter_map(reads).collect()
}

/// The agents that read the file at `path`, of `kind`, and do not see its frontmatter behind a byte order mark. A skill outside
/// the folders of single agents may be read by each.
pub(crate) fn blind_behind_mark(path: &[u8], kind: Kind) -> impl Iterator<Item = &'static Dialect> {
    let folders = || path::parent(path).split(|&byte| byte == b'/');
    let is_of =
        move |files: &AgentFiles| files.skill_folders.iter().any(|own| folders().any(|dir| dir == own.as_bytes()));
    let belongs_to_one = kind == Kind::Skill && ALL.iter().any(|dialect| is_of(dialect.files));
    let blind = ALL.iter().copied().filter(move |dialect| dialect.files.mark_hides_frontmatter.contains(&kind));
    blind.filter(move |dialect| !belongs_to_one || is_of(dialect.files))
}

/// Where agents look when they find the skill at `path`, `…/NAME/SKILL.md`: one entry for each agent whose folder holds it, with
/// the project; for a skill elsewhere the folder that holds it and its neighbours.
pub(crate) fn skill_views(path: &[u8]) -> Vec<Vec<u8>> {
    let collection = path::parent(path::parent(path));
    let mut views = vec![collection.to_vec()];
    // An agent's own folder holds `skills`, and that the skills.
    let (owner, skills) = (path::parent(collection), path::file_name(collection));
    if skills == b"skills" {
        let is_owner = |dialect: &&&Dialect| {
            let owner = path::file_name(owner);
            dialect.files.skill_folders.iter().any(|folder| folder.as_bytes() == owner)
        };
        let agents = ALL.iter().filter(is_owner);
        views.extend(agents.map(|dialect| [path::parent(owner), b"\0", dialect.id.as_bytes()].concat()));
    }
    views
}
