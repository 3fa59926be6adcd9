//! The lock of vendored skills, `skills-lock.json`, as the command `skills` writes it: which skills it names, where their files
//! are, and whether those are the files that were locked, by the command's own hash. Knows no level and no message.
//!
//! The hash is SHA-256 over the path and the bytes of each file below the skill's folder, in the order of JavaScript's
//! `localeCompare`; where the command got the files from its service, a NUL follows each path and each file's bytes. Read in
//! `skills` 1.7.4, and compared with 400 entries of public repositories in November 2026. It is taken of the text as it was on
//! the machine that wrote the lock, so that line ends may be another system's.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::sha256::sha256;
use crate::base::text::Span;
use crate::parse::json::{self, JsonGrammar, JsonMember, JsonNode, JsonProblemKind};
use crate::source::{EntryKind, Source, hex, is_binary};
use crate::workspace::Workspace;

/// The lock's name, at the root.
pub(crate) const LOCK: &str = "skills-lock.json";
/// Where the command installs skills for all agents.
pub(crate) const OWN_FOLDER: &[u8] = b".agents/skills";
/// Most skills that are looked up, files of one skill, and bytes of all of them.
const MAX_SKILLS: usize = 2_000;
const MAX_FILES: usize = 2_000;
const MAX_BYTES: usize = 64 << 20;
/// A longer lock is not read.
const MAX_LOCK: usize = 4 << 20;

/// The lock of a repository.
#[derive(Clone, Debug)]
pub(crate) struct SkillsLock {
    /// Its bytes.
    pub(crate) bytes: Arc<[u8]>,
    /// Why the command treats it as empty.
    pub(crate) broken: Option<BrokenLock>,
    /// The skills that it names and that are here.
    pub(crate) skills: Vec<LockedSkill>,
    /// Names of those that are not, with the places of the names.
    pub(crate) absent: Vec<(String, Span)>,
    /// Skills beside locked ones in the command's own folder that it does not name.
    pub(crate) unlocked: Vec<RepoPath>,
}

/// A copy of a locked skill.
#[derive(Clone, Debug)]
pub(crate) struct LockedSkill {
    /// Its name in the lock.
    pub(crate) name: String,
    /// The name's place.
    pub(crate) span: Span,
    /// The hash that the lock has.
    pub(crate) hash: String,
    /// The folder of this copy.
    pub(crate) folder: RepoPath,
    /// Its files.
    pub(crate) files: Vec<RepoPath>,
    /// Whether these files give the hash; `None` where that cannot be told, and before [`SkillsLock::compare`].
    pub(crate) is_same: Option<bool>,
}

/// The lock at the root, if there is one.
pub(super) fn collect(source: &dyn Source, workspace: &Workspace) -> Option<SkillsLock> {
    if !workspace.listing.contains(LOCK.as_bytes()) {
        return None;
    }
    let bytes = source.read(&RepoPath::from(LOCK)).ok().filter(|bytes| bytes.len() <= MAX_LOCK)?;
    let root = match read(&bytes) {
        Ok(root) => root,
        Err(why) => return Some(SkillsLock { broken: Some(why), ..SkillsLock::empty(bytes) }),
    };
    let mut lock = SkillsLock::empty(bytes);
    let installed = installed(workspace);
    let entries = root.get("skills").map(JsonNode::effective).unwrap_or_default();
    let named: BTreeSet<String> = entries.iter().map(|entry| folder_name(&entry.key)).collect();
    for entry in entries.into_iter().take(MAX_SKILLS) {
        let copies = copies(entry, &installed, workspace);
        if copies.is_empty() {
            lock.absent.push((entry.key.clone(), entry.key_span));
        }
        lock.skills.extend(copies);
    }
    let is_own = |folder: &[u8]| path::parent(folder) == OWN_FOLDER;
    if lock.skills.iter().any(|skill| is_own(skill.folder.as_bytes())) {
        let skills = skill_files(workspace).filter(|path| is_own(path.parent()));
        let is_named = |path: &&RepoPath| named.contains(&*String::from_utf8_lossy(path::file_name(path.parent())));
        lock.unlocked = skills.filter(|path| !is_named(path)).cloned().collect();
    }
    Some(lock)
}

/// Most locks below the root that are read.
const MAX_NESTED: usize = 20;

/// The folders of the skills that locks of folders name, each beside or below its lock.
pub(super) fn of_folders(source: &dyn Source, workspace: &Workspace) -> BTreeSet<RepoPath> {
    let nested = workspace.listing.with_name(LOCK.as_bytes()).into_iter().map(RepoPath::new);
    let nested: Vec<RepoPath> = nested.filter(|lock| !lock.parent().is_empty()).take(MAX_NESTED).collect();
    let mut found = BTreeSet::new();
    for (lock, bytes) in nested.iter().zip(source.read_many(&nested)) {
        let Some(root) = bytes.ok().filter(|bytes| bytes.len() <= MAX_LOCK).and_then(|bytes| read(&bytes).ok()) else {
            continue;
        };
        let entries = root.get("skills").map(JsonNode::effective).unwrap_or_default();
        let named: BTreeSet<String> =
            entries.into_iter().take(MAX_SKILLS).map(|entry| folder_name(&entry.key)).collect();
        let folders = skill_files(workspace).map(RepoPath::parent);
        let is_named = |folder: &&[u8]| named.contains(&*String::from_utf8_lossy(path::file_name(folder)));
        let below = folders.filter(|folder| path::is_at_or_below(folder, lock.parent())).filter(is_named);
        found.extend(below.map(RepoPath::new));
    }
    found
}

impl Workspace {
    /// Whether a lock names the folder of a skill that the file lies in: it was written elsewhere.
    pub(crate) fn is_of_a_locked_skill(&self, file: &RepoPath) -> bool {
        let of_root = self.skills_lock.iter().flat_map(|lock| &lock.skills).map(|skill| &skill.folder);
        of_root.chain(&self.locked_in_folders).any(|folder| path::is_at_or_below(file.as_bytes(), folder.as_bytes()))
    }
}

impl SkillsLock {
    fn empty(bytes: Arc<[u8]>) -> Self {
        SkillsLock { bytes, broken: None, skills: Vec::new(), absent: Vec::new(), unlocked: Vec::new() }
    }

    /// Read the files of all skills, and note which give their hashes.
    pub(crate) fn compare(&mut self, source: &dyn Source) {
        let mut room = MAX_BYTES;
        for skill in &mut self.skills {
            skill.is_same = is_same(skill, source, &mut room);
        }
    }
}

fn skill_files(workspace: &Workspace) -> impl Iterator<Item = &RepoPath> {
    workspace.documents.iter().filter(|document| document.kind == Kind::Skill).map(|document| &document.path)
}

/// Why the command takes a lock for empty.
#[derive(Clone, Debug)]
pub(crate) enum BrokenLock {
    NotUtf8,
    NotJson(JsonProblemKind),
    NoVersion,
    OldVersion,
    NoSkills,
}

impl fmt::Display for BrokenLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrokenLock::NotUtf8 => f.write_str("it is not UTF-8"),
            BrokenLock::NotJson(kind) => write!(f, "it has {}", kind.words()),
            BrokenLock::NoVersion => f.write_str("it has no number `version`"),
            BrokenLock::OldVersion => f.write_str("its `version` is less than 1"),
            BrokenLock::NoSkills => f.write_str("it has no object `skills`"),
        }
    }
}

/// The lock's value, as the command reads it.
fn read(bytes: &[u8]) -> Result<JsonNode, BrokenLock> {
    let text = std::str::from_utf8(bytes).map_err(|_| BrokenLock::NotUtf8)?;
    let root = json::parse(text, JsonGrammar::STRICT).map_err(|problem| BrokenLock::NotJson(problem.kind))?;
    let version = root.get("version").and_then(JsonNode::number);
    match (version, root.get("skills")) {
        (None, _) => Err(BrokenLock::NoVersion),
        (Some(version), _) if version < 1.0 => Err(BrokenLock::OldVersion),
        (_, Some(skills)) if skills.is_object() => Ok(root),
        _ => Err(BrokenLock::NoSkills),
    }
}

/// The folders of skills in the folders of agents, by their names.
fn installed(workspace: &Workspace) -> BTreeMap<&[u8], Vec<&[u8]>> {
    let mut installed: BTreeMap<&[u8], Vec<&[u8]>> = BTreeMap::new();
    for folder in skill_files(workspace).map(RepoPath::parent) {
        if folder.starts_with(b".") && path::file_name(path::parent(folder)) == b"skills" {
            installed.entry(path::file_name(folder)).or_default().push(folder);
        }
    }
    installed
}

/// The copies of one skill.
fn copies(entry: &JsonMember, installed: &BTreeMap<&[u8], Vec<&[u8]>>, workspace: &Workspace) -> Vec<LockedSkill> {
    let text = |key: &str| entry.value.get(key).and_then(JsonNode::text);
    let Some(hash) = text("computedHash") else { return Vec::new() };
    let copy = |folder: &&[u8]| LockedSkill {
        name: entry.key.clone(),
        span: entry.key_span,
        hash: hash.to_owned(),
        folder: RepoPath::new(folder),
        files: files(folder, workspace),
        is_same: None,
    };
    installed.get(folder_name(&entry.key).as_bytes()).into_iter().flatten().map(copy).collect()
}

/// The folder of a skill of this name, as the command names it.
fn folder_name(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' | '.' | '_' => out.push(c),
            _ if out.ends_with('\u{1}') => {}
            _ => out.push('\u{1}'),
        }
    }
    let plain = out.replace('\u{1}', "-");
    plain.trim_matches(['.', '-']).chars().take(255).collect()
}

/// The files that the command hashes.
fn files(folder: &[u8], workspace: &Workspace) -> Vec<RepoPath> {
    let below = workspace.listing.below(folder).map(|index| workspace.listing.entry(index));
    let is_left_out =
        |path: &[u8]| path.split(|&byte| byte == b'/').any(|part| part == b".git" || part == b"node_modules");
    below
        .filter(|entry| entry.kind == EntryKind::File && !is_left_out(&entry.path[folder.len()..]))
        .take(MAX_FILES + 1)
        .map(|entry| RepoPath::new(entry.path))
        .collect()
}

/// A text with the line ends of a checkout.
type LineEnds = fn(&[u8]) -> Vec<u8>;

/// As they are, and as git may have changed them.
const LINE_ENDS: [LineEnds; 3] = [<[u8]>::to_vec, with_crlf, with_lf];

/// Whether the files give the hash in one of its forms; `None` where that cannot be told.
fn is_same(skill: &LockedSkill, source: &dyn Source, room: &mut usize) -> Option<bool> {
    let LockedSkill { files: paths, folder, hash, .. } = skill;
    if paths.len() > MAX_FILES {
        return None;
    }
    let mut files = Vec::with_capacity(paths.len());
    for (path, bytes) in paths.iter().zip(source.read_many(paths)) {
        let name = path.as_bytes().strip_prefix(folder.as_bytes())?.strip_prefix(b"/")?.to_vec();
        let bytes = bytes.ok()?;
        *room = room.checked_sub(bytes.len())?;
        files.push((name, bytes));
    }
    files.sort_by(|(a, _), (b, _)| locale_order(a, b));
    for line_end in LINE_ENDS {
        for separator in [&b""[..], b"\0"] {
            let mut text = Vec::new();
            for (name, bytes) in &files {
                text.extend_from_slice(name);
                text.extend_from_slice(separator);
                text.extend(line_end(bytes));
                text.extend_from_slice(separator);
            }
            if hex(&sha256(&text)) == *hash {
                return Some(true);
            }
        }
    }
    // The order of other letters is not known here.
    files.iter().all(|(name, _)| name.is_ascii()).then_some(false)
}

// Git changes no line end in what it takes for binary.

fn with_lf(bytes: &[u8]) -> Vec<u8> {
    if is_binary(bytes) {
        return bytes.to_vec();
    }
    let next = bytes.iter().skip(1).copied().map(Some).chain([None]);
    bytes
        .iter()
        .copied()
        .zip(next)
        .filter(|&(byte, next)| byte != b'\r' || next != Some(b'\n'))
        .map(|(byte, _)| byte)
        .collect()
}

fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    if is_binary(bytes) {
        return bytes.to_vec();
    }
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 20);
    for byte in with_lf(bytes) {
        if byte == b'\n' {
            out.push(b'\r');
        }
        out.push(byte);
    }
    out
}

/// ASCII as `localeCompare` orders it: marks, digits, letters; a small letter before its capital where all else is the same.
const LOCALE: &[u8] = b" _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

fn locale_order(a: &[u8], b: &[u8]) -> Ordering {
    let weight = |byte: &u8| match LOCALE.iter().position(|other| other == byte) {
        Some(at) => at,
        None => LOCALE.len() + usize::from(byte.to_ascii_lowercase()),
    };
    let case = |byte: &u8| byte.is_ascii_uppercase();
    a.iter().map(weight).cmp(b.iter().map(weight)).then_with(|| a.iter().map(case).cmp(b.iter().map(case)))
}

#[cfg(test)]
mod tests;
