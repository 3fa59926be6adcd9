//! Files that a script of the repository writes: their name stands in quotes there, near a word for writing. A text that names one
//! speaks of what will be there.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;

use super::{Mention, MentionForm, Miss, is_of_one_project};
use crate::agents::files;
use crate::base::path::{self, RepoPath};
use crate::source::Source;

/// Scripts that are looked at, at most, and bytes of one.
const MAX_SCRIPTS: usize = 300;
const MAX_BYTES: usize = 256 << 10;

/// Folders of scripts.
const FOLDERS: [&str; 8] = ["bin", "ci", "hack", "hooks", "script", "scripts", "tools", "utils"];

/// Endings of scripts.
const SCRIPTS: [&str; 9] = ["bash", "cjs", "js", "mjs", "ps1", "py", "rb", "sh", "ts"];

/// Endings of files that scripts write; source code is none of them.
const WRITTEN: [&str; 11] = ["csv", "html", "json", "jsonc", "jsonl", "log", "md", "toml", "txt", "yaml", "yml"];

/// Words for writing, or the beginnings of such.
const WRITES: [&str; 8] = ["writ", "save", "dump", "generat", "creat", "emit", "append", "output"];

/// Lines before and behind a name that are searched for such a word.
const BEFORE: usize = 3;
const BEHIND: usize = 1;

/// Drop the mentions of files that scripts write.
pub(super) fn drop(source: &dyn Source, by_document: &mut BTreeMap<RepoPath, Vec<Mention>>) {
    let names: BTreeSet<&str> = by_document.values().flatten().filter_map(name_of).collect();
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    // Too many names mean that scripts are not searched.
    let Ok(searcher) = AhoCorasick::new(&names) else { return };
    if names.is_empty() {
        return;
    }
    let is_script = |file: &&[u8]| {
        let is_known = |folder: &[u8]| FOLDERS.iter().any(|known| known.as_bytes() == folder);
        let ends_so = path::extension(file).is_some_and(|end| SCRIPTS.iter().any(|known| known.as_bytes() == end));
        ends_so && path::parent(file).split(|&byte| byte == b'/').any(is_known)
    };
    let scripts = source.listing().iter().map(|entry| entry.path).filter(is_script);
    let scripts: Vec<RepoPath> = scripts.take(MAX_SCRIPTS).map(RepoPath::new).collect();
    let mut written: BTreeSet<String> = BTreeSet::new();
    for bytes in source.read_many(&scripts).into_iter().flatten().filter(|bytes| bytes.len() <= MAX_BYTES) {
        let found: BTreeSet<usize> =
            searcher.find_overlapping_iter(&*bytes).map(|found| found.pattern().as_usize()).collect();
        if found.is_empty() {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        written.extend(found.into_iter().map(|at| &names[at]).filter(|name| writes(&lines, name)).cloned());
    }
    for mentions in by_document.values_mut() {
        mentions.retain(|mention| name_of(mention).is_none_or(|name| !written.contains(name)));
    }
}

/// The name of the file that `mention` means, if scripts write such files. Of hint files every folder may have one of the name.
fn name_of(mention: &Mention) -> Option<&str> {
    let name = mention.path.rsplit('/').next()?;
    if mention.path.contains('/') && files::main_names().any(|main| main == name) {
        return None;
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending)?;
    let is_file = mention.form == MentionForm::File && matches!(mention.place, Miss::Absent { .. });
    (is_file && WRITTEN.contains(&ending)).then_some(name)
}

/// Calls that write the file whose path stands behind or before them.
const WRITE_CALLS: [&str; 6] =
    [".write_text(", ".write_bytes(", "writeFileSync(", "writeFile(", "json.dump(", ".to_csv("];

/// Lines that give files names, and lines that write, at most, of one script.
const MAX_LINES: usize = 1000;

/// A line that may write a file whose path has a name, and whether it is enough that the name stands in it.
type WritingLine<'l> = (&'l str, bool);

/// The lines that open a file to write, or send output to a variable.
fn writing_lines<'l>(lines: &[&'l str]) -> Vec<WritingLine<'l>> {
    let modes = ["\"w\"", "\"a\"", "\"w+\"", "\"a+\"", "'w'", "'a'", "'w+'", "'a+'"];
    let line = |line: &&'l str| {
        let is_open = line.contains("open(") && modes.iter().any(|mode| line.contains(mode));
        let writes = is_open || WRITE_CALLS.iter().any(|call| line.contains(call));
        (writes || line.contains("> \"$") || line.contains("> $")).then_some((*line, writes))
    };
    lines.iter().filter_map(line).take(MAX_LINES).collect()
}

/// Whether the line gives the path of a file a name by which another line opens it to write: `LOG = DIR / "log.json"`.
fn is_written_by_name(writing: &[WritingLine<'_>], line: &str) -> bool {
    let Some((name, _)) = line.split_once('=') else { return false };
    let name = name.trim().trim_start_matches("const ").trim_start_matches("let ").trim_start_matches("var ");
    let name = name.split(':').next().unwrap_or(name).trim();
    let is_name = name.len() > 2 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let redirected = [format!("> \"${name}\""), format!("> ${name}")];
    is_name
        && writing.iter().any(|(other, writes)| {
            *writes && other.contains(name) || redirected.iter().any(|end| other.contains(end.as_str()))
        })
}

/// Whether one of the lines names the file in quotes, reads it not, and stands near a word for writing.
fn writes(lines: &[&str], name: &str) -> bool {
    let is_quoted = |line: &str| {
        line.match_indices(name).any(|(at, _)| {
            let before = line[..at].ends_with(['"', '\'', '`', '/']);
            before && line[at + name.len()..].starts_with(['"', '\'', '`'])
        })
    };
    // Scripts of any kind write pages such as `SKILL.md` somewhere.
    let is_data = !name.ends_with(".md") && is_of_one_project(name);
    let is_told = |line: &str| {
        let low = line.to_ascii_lowercase();
        ["console.", "echo ", "print", "error(", "read"].iter().any(|word| low.contains(word))
    };
    let quoted = || lines.iter().enumerate().filter(|(_, line)| is_quoted(line) && !is_told(line));
    let is_near_a_word = quoted().any(|(at, _)| {
        let near = &lines[at.saturating_sub(BEFORE)..(at + 1 + BEHIND).min(lines.len())];
        let says = |line: &&str| {
            let line = line.to_ascii_lowercase();
            WRITES.iter().any(|word| line.contains(word))
        };
        near.iter().any(says)
    });
    is_near_a_word
        || is_data && {
            let writing = writing_lines(lines);
            !writing.is_empty() && quoted().take(MAX_LINES).any(|(_, line)| is_written_by_name(&writing, line))
        }
}
