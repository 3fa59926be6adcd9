//! Claude Code after its start: what it adds when it reads a file below the start directory.

use super::files::{FileOrigin, LoadedFile, SentFiles, gather};
use super::rules;
use super::tags::neutralized;
use super::worktree::is_own_worktree;
use super::{ClaudeSettings, Mode, POLICY, leave_out};
use crate::agents::shared::context::{PartName, Why};
use crate::agents::shared::loading::Loading;
use crate::agents::shared::roots::directories;
use crate::base::text::utf16_offset;
use crate::parse::imports::js_trim;
use crate::world::AbsPath;
use std::collections::BTreeSet;

/// A longer text, in UTF-16 units, is cut. So it is with the model of the release, of 1,000,000 tokens; with one of 200,000 it is
/// 40,000 (both were run).
const MAX_UNITS: usize = 150_000;

/// What the way to the touched file gives.
#[derive(Default)]
struct OnTheWay {
    found: Vec<LoadedFile>,
    /// What is sent once for all directories of the way, and what counts as sent because the rules of the policy and the user,
    /// matching or not, are or import it.
    seen: SentFiles,
    /// The latter, unless a CLAUDE.md of the way is the same file.
    everywhere: SentFiles,
    /// The texts of the CLAUDE.md files and of what they import.
    texts: BTreeSet<String>,
}

/// Matching rules of the policy and the user, then what lies on the way to the file, then matching rules of the walk (`dirs`), and
/// AGENTS.md files last: so the model of the release gets them; older models get the AGENTS.md files first. `agents` says whether
/// AGENTS.md stood in for CLAUDE.md at the start; `known` are the texts that the project had there.
pub(super) fn text(
    loading: &mut Loading<'_>,
    config: &ClaudeSettings,
    dirs: &[AbsPath],
    touched: &AbsPath,
    agents: bool,
    known: &BTreeSet<String>,
) -> String {
    if !touched.is_within(&loading.start) {
        return String::new();
    }
    let start = loading.start.clone();
    let mut way = OnTheWay::default();
    for (dir, kind) in config.rules_everywhere(loading, [Why::MatchedRule; 2]) {
        way.found.extend(rules::matching(loading, config, &dir, &start, touched, kind, &mut way.seen));
    }
    way.everywhere.clone_from(&way.seen);
    let mut agents_dirs = Vec::new();
    for dir in directories(&start, &touched.dirname()).into_iter().skip(1).filter(|dir| !is_own_worktree(dir)) {
        let claude = nested(loading, config, &dir, touched, &mut way);
        if config.mode == Mode::ClaudeAndAgents || (agents && !claude) {
            agents_dirs.push(dir);
        }
    }
    let OnTheWay { mut found, texts, .. } = way;
    for dir in dirs {
        let (rules, kind) = (dir.join(".claude/rules"), project(config, Why::MatchedRule));
        found.extend(rules::matching(loading, config, &rules, dir, touched, kind, &mut SentFiles::new()));
    }
    let mut agents_found = agents_files(loading, config, &agents_dirs);
    let main = loading.out.layers.iter().filter(|layer| layer.part == PartName::Main);
    let loaded: Vec<AbsPath> = main.map(|layer| layer.path.clone()).collect();
    // What was sent at start under the same path is not sent again, nor is the file that is being read. A link to another file
    // that was loaded at the start is.
    let again = |path: &AbsPath| loaded.contains(path) || path == touched;
    let mut sent = BTreeSet::new();
    found.retain(|entry| !again(&entry.path) && sent.insert(entry.path.clone()));
    // With the AGENTS.md files no text comes that the project has there already.
    let is_there = |text: &str| known.contains(text) || texts.contains(text);
    agents_found
        .retain(|entry| !again(&entry.path) && (!is_there(js_trim(&entry.text)) || leave_out(loading, &entry.path)));
    loading.out.layers.retain(|layer| layer.part == PartName::Main || !again(&layer.path));
    blocks(loading, &found, &agents_found)
}

/// Files of the project. What the user has approved for the start does not hold here: imports stay inside.
fn project(config: &ClaudeSettings, why: Why) -> FileOrigin {
    FileOrigin { free: false, ..config.project(why) }
}

/// The files of one directory on the way; returns whether a CLAUDE.md has text, which keeps the AGENTS.md beside it out.
fn nested(
    loading: &mut Loading<'_>,
    config: &ClaudeSettings,
    dir: &AbsPath,
    touched: &AbsPath,
    way: &mut OnTheWay,
) -> bool {
    let (kind, matched) = (project(config, Why::Touch), project(config, Why::MatchedRule));
    let mut has_text = false;
    let before = way.found.len();
    for path in ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"].map(|name| dir.join(name)) {
        has_text |= gather(loading, config, &path, kind, &mut way.seen, &mut way.found);
        // One that counts as sent because of the user's rules keeps it out all the same.
        has_text |= loading.world.real_path(&path).is_ok_and(|real| way.everywhere.remove(&real));
    }
    way.texts.extend(way.found[before..].iter().map(|entry| js_trim(&entry.text).to_owned()));
    let rules = dir.join(".claude/rules");
    way.found.extend(rules::at_start(loading, config, &rules, kind, &mut way.seen));
    way.found.extend(rules::matching(loading, config, &rules, dir, touched, matched, &mut SentFiles::new()));
    has_text
}

/// The AGENTS.md files of `dirs` and what they import.
fn agents_files(loading: &mut Loading<'_>, config: &ClaudeSettings, dirs: &[AbsPath]) -> Vec<LoadedFile> {
    let (mut seen, mut found) = (SentFiles::new(), Vec::new());
    for path in dirs.iter().flat_map(|dir| ["AGENTS.md", ".claude/AGENTS.md"].map(|name| dir.join(name))) {
        gather(loading, config, &path, project(config, Why::Touch), &mut seen, &mut found);
    }
    found
}

/// One block per file, untrimmed; the AGENTS.md files stand in one block of another frame.
fn blocks(loading: &mut Loading<'_>, found: &[LoadedFile], agents: &[LoadedFile]) -> String {
    let mut blocks = Vec::new();
    for entry in found {
        let text = with_limit(loading, entry);
        let contents = contents(loading, &entry.path, text.as_ref().unwrap_or(&entry.text));
        blocks.push(format!("<system-reminder>\n{}\n</system-reminder>", neutralized(&contents)));
    }
    if !agents.is_empty() {
        let texts = agents.iter().map(|entry| contents(loading, &entry.path, &entry.text));
        let texts = texts.collect::<Vec<_>>().join("\n");
        // The last newline belongs to the frame.
        let texts = texts.strip_suffix('\n').unwrap_or(&texts);
        blocks.push(format!("tool.call hook additional context: {texts}"));
    }
    blocks.join("\n")
}

fn contents(loading: &Loading<'_>, path: &AbsPath, text: &str) -> String {
    format!("Contents of {}:\n\n{text}", loading.show(path))
}

/// The text of a file that is cut, with what is said about the rest; `None` if all of it is sent, as of the policy's.
fn with_limit(loading: &mut Loading<'_>, entry: &LoadedFile) -> Option<String> {
    if entry.hint.is_within(&AbsPath::new(POLICY)) {
        return None;
    }
    let (kept, line) = beginning(js_trim(&entry.text))?;
    let layers = &loading.out.layers;
    let layer = layers.iter().position(|layer| layer.part == PartName::Touch && layer.path == entry.path);
    if let (Some(layer), Ok(bytes)) = (layer, loading.world.read(&entry.path)) {
        // Frontmatter stands before what is kept. Where comments were taken out, its end is not looked for.
        let start = String::from_utf8_lossy(&bytes).find(kept).unwrap_or(0);
        loading.cut(layer, &bytes, (start + kept.len()).min(bytes.len()));
    }
    let path = loading.show(&entry.path);
    Some(format!(
        "{kept}\n\n> Only the start of this file is shown. For the rest, call Read on {path} with offset={line} and a limit."
    ))
}

/// The whole lines of `text` that fit, or as much of its first as does, and the number of the line that comes next; `None` if
/// all of it fits.
fn beginning(text: &str) -> Option<(&str, usize)> {
    if text.len() <= MAX_UNITS || text.encode_utf16().count() <= MAX_UNITS {
        return None;
    }
    // The newline behind the last line may be one too many.
    let room = &text[..utf16_offset(text, MAX_UNITS + 1)];
    match room.rfind('\n').filter(|&at| at > 0) {
        Some(end) => {
            let kept = &text[..end];
            Some((kept, memchr::memchr_iter(b'\n', kept.as_bytes()).count() + 2))
        }
        None => Some((&text[..utf16_offset(text, MAX_UNITS)], 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // As observed on 2.1.330.
    #[test]
    fn long_texts_end_with_a_line() {
        let check = |text: &str, expected: Option<(usize, usize)>| {
            assert_eq!(beginning(text).map(|(kept, line)| (kept.len(), line)), expected, "{} bytes", text.len());
        };
        check(&"a".repeat(150_000), None);
        check(&"a".repeat(150_001), Some((150_000, 1)));
        check(&"\u{e9}".repeat(150_000), None);
        check(&"\u{e9}".repeat(150_001), Some((300_000, 1)));
        check(&"\u{1f600}".repeat(75_001), Some((300_000, 1)));
        check(&"line of text number\n".repeat(8_000), Some((149_999, 7_501)));
        check(&format!("{}\n\u{e9}", "a".repeat(150_000)), Some((150_000, 2)));
        check(&format!("{}\n\u{e9}", "a".repeat(150_001)), Some((150_000, 1)));
    }
}
