//! Claude Code's own notes on a project: one file of the user's per repository, of which the beginning is sent at start.

use super::rules::RuleSource;
use super::settings::layers;
use crate::agents::RootMark;
use crate::agents::shared::context::{Reason, Why};
use crate::agents::shared::loading::Loading;
use crate::agents::shared::roots::find_root;
use crate::base::text::utf16_offset;
use crate::parse::imports::js_trim;
use crate::world::AbsPath;

const LABEL: &str = "user's auto-memory, persists across conversations";
/// Lines that are sent.
const MAX_LINES: usize = 200;
/// UTF-16 units that are sent.
const MAX_UNITS: usize = 25_000;
/// Characters of the first lost line that the warning quotes.
const MAX_QUOTE: usize = 80;
const ADVICE: &str = "Keep index entries to one line under ~200 chars; move detail into topic files.";

/// The block of the notes; `None` if there are none or they are switched off. Imports in them do not count.
pub(super) fn block(loading: &mut Loading<'_>, home: Option<&AbsPath>) -> Option<String> {
    let path = path(loading, home.filter(|_| loading.options.user)?)?;
    if !loading.world.is_file(&path) {
        return None;
    }
    let bytes = loading.read(&path)?;
    let source = RuleSource::parse(&bytes);
    let text = js_trim(&source.text);
    if text.is_empty() {
        loading.skip_file(&path, Reason::Empty);
        return None;
    }
    let layer = loading.layer(&path, &bytes, Why::User);
    let text = match beginning(text) {
        Some((kept, warning)) => {
            // Frontmatter and blanks before the text are in no agent's way; what is kept ends where the text is cut.
            let start = String::from_utf8_lossy(&bytes).find(kept).unwrap_or(0);
            loading.cut(layer, &bytes, (start + kept.len()).min(bytes.len()));
            format!("{kept}\n\n{warning}")
        }
        None => text.to_owned(),
    };
    Some(format!("Contents of {} ({LABEL}):\n\n{text}", loading.show(&path)))
}

/// Where the notes on this project are kept; `None` if they are switched off.
fn path(loading: &mut Loading<'_>, home: &AbsPath) -> Option<AbsPath> {
    if loading.world.env().is_on("CLAUDE_CODE_DISABLE_AUTO_MEMORY") {
        return None;
    }
    let layers = layers(loading, Some(home));
    if layers.iter().rev().find_map(|layer| layer.value["autoMemoryEnabled"].as_bool()) == Some(false) {
        return None;
    }
    let given = layers.iter().rev().find_map(|layer| layer.value["autoMemoryDirectory"].as_str());
    let directory = match given {
        Some(given) => match given.strip_prefix("~/") {
            Some(rest) => loading.home()?.join(rest),
            None => AbsPath::new(given),
        },
        None => {
            let project = find_root(loading.world, &loading.start, RootMark::Git);
            let project = project.unwrap_or_else(|| loading.start.clone());
            let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
            let name: String = project.to_str_lossy().chars().map(plain).collect();
            home.join("projects").join(name).join("memory")
        }
    };
    Some(directory.join("MEMORY.md"))
}

/// The part of `text` that is sent, and the warning that stands behind it; `None` if all of it is sent.
fn beginning(text: &str) -> Option<(&str, String)> {
    let lines: Vec<&str> = text.split('\n').collect();
    let units = text.encode_utf16().count();
    let (long, large) = (lines.len() > MAX_LINES, units > MAX_UNITS);
    if !long && !large {
        return None;
    }
    let end = lines.iter().take(MAX_LINES).map(|line| line.len() + 1).sum::<usize>() - 1;
    let mut kept = &text[..end];
    if kept.encode_utf16().count() > MAX_UNITS {
        let room = &kept[..utf16_offset(kept, MAX_UNITS + 1)];
        kept = match room.rfind('\n') {
            Some(at) if at > 0 => &kept[..at],
            _ => &kept[..utf16_offset(kept, MAX_UNITS)],
        };
    }
    let size = |units: usize| format!("{:.1}KB", units as f64 / 1024.0);
    let problem = match (long, large) {
        (true, true) => format!("{} lines and {}", lines.len(), size(units)),
        (true, false) => format!("{} lines (limit: {MAX_LINES})", lines.len()),
        _ => format!("{} (limit: {}) \u{2014} index entries are too long", size(units), size(MAX_UNITS)),
    };
    let all = lines.len();
    let whole = kept.split('\n').count();
    let lost = if text[kept.len()..].starts_with('\n') {
        let first = js_trim(lines.get(whole).copied().unwrap_or_default());
        let quote: String = first.chars().take(MAX_QUOTE).collect();
        let more = if quote.len() < first.len() { "\u{2026}" } else { "" };
        let quote = if quote.is_empty() { String::new() } else { format!(" (\"{quote}{more}\")") };
        format!("{} of {all} lines were cut off, starting at line {}{quote}", all - whole, whole + 1)
    } else {
        format!("everything after the first {MAX_UNITS} characters of line {whole} was cut off")
    };
    Some((kept, format!("> WARNING: MEMORY.md is {problem}. Only part of it was loaded: {lost}. {ADVICE}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, kept: usize, warning: &str) {
        match beginning(text) {
            None => assert_eq!((text.len(), ""), (kept, warning)),
            Some((head, said)) => {
                assert_eq!(head.len(), kept, "{said}");
                assert_eq!(said, format!("> WARNING: MEMORY.md is {warning}. {ADVICE}"));
            }
        }
    }

    // As observed on 2.1.329.
    #[test]
    fn the_beginning_is_sent_and_the_rest_is_told() {
        let lines = |count: usize, line: &str| vec![line; count].join("\n");
        check(&lines(200, "ab"), 599, "");
        check(&lines(40, &"é".repeat(500)), 40 * 1001 - 1, "");
        check(
            &(lines(200, "ab") + "\n  " + &"z".repeat(81)),
            599,
            &format!(
                "201 lines (limit: 200). Only part of it was loaded: 1 of 201 lines were cut off, starting at line 201 (\"{}…\")",
                "z".repeat(80)
            ),
        );
        check(
            &(lines(200, "ab") + "\n\nc"),
            599,
            "202 lines (limit: 200). Only part of it was loaded: 2 of 202 lines were cut off, starting at line 201",
        );
        check(
            &lines(40, &"x".repeat(1000)),
            24 * 1001 - 1,
            &format!(
                "39.1KB (limit: 24.4KB) — index entries are too long. Only part of it was loaded: 16 of 40 lines were cut off, \
                 starting at line 25 (\"{}…\")",
                "x".repeat(80)
            ),
        );
        check(
            &"x".repeat(30_000),
            25_000,
            "29.3KB (limit: 24.4KB) — index entries are too long. Only part of it was loaded: everything after the first \
             25000 characters of line 1 was cut off",
        );
        check(
            &lines(300, &"y".repeat(200)),
            124 * 201 - 1,
            &format!(
                "300 lines and 58.9KB. Only part of it was loaded: 176 of 300 lines were cut off, starting at line 125 (\"{}…\")",
                "y".repeat(80)
            ),
        );
    }
}
