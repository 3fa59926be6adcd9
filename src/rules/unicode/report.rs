//! From the engine's hits to findings: in a file's text, in its name, and in the names of what it imports. Judges
//! only whether a character was put where it stands on purpose.

use std::collections::BTreeSet;

use super::mojibake;
use super::pages::PeoplesPage;
use super::purpose::{
    anchors_with_selectors, begins_an_anchor, demonstrates, gives_its_codes, guards_a_fence, is_bound, is_covered,
    is_documented, is_left_of_an_emoji, is_named, is_of_a_pattern, is_of_an_emoji_elsewhere, is_only_and_explained,
    is_sample_of_its_script, is_word_of_its_script, names_the_script, shows_its_letters, stands_alone_in_quotes,
};
use crate::agents::files;
use crate::base::finding::{Applicability, Cause, Edit, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::parse::unicode::{Class, UnicodeHit, scan_name};
use crate::rules::{Cx, Rule, RuleInfo};
use crate::workspace::imports::{Import, ImportTarget};

/// The rule of a card: it reports the hits of its classes.
pub(super) struct CharacterRule(pub(super) &'static RuleInfo);

/// Places decoded with the wrong encoding from which on all of the file was, its commands, too.
const MANY_MISREAD: usize = 50;

impl Rule for CharacterRule {
    fn info(&self) -> &'static RuleInfo {
        self.0
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let info = self.0;
        let own = |hit: &&UnicodeHit| hit.class.rule() == info.name;
        let mut guarded = false;
        let mut anchors: Option<Vec<Span>> = None;
        let from = findings.len();
        let page = PeoplesPage::new(document);
        let misread = match MISREAD.contains(&info.name) && document.hidden.iter().any(is_misread_kind) {
            true => mojibake::places(document),
            false => Vec::new(),
        };
        let is_misread = |hit: &UnicodeHit| is_one_of(&misread, hit);
        let garbled = if SYMPTOMS.contains(&info.name) { garbled_lines(document) } else { BTreeSet::new() };
        for hit in document.hidden.iter().filter(own) {
            if hit.class == Class::VsSmuggling
                && is_covered(anchors.get_or_insert_with(|| anchors_with_selectors(document)), hit.span)
            {
                continue;
            }
            if hit.decoded.is_none() && garbled.contains(&document.lines.line_of(hit.span.start)) {
                continue;
            }
            if is_misread(hit) || info.name == SPACE && is_of_a_file(document, hit, cx) {
                continue;
            }
            // Marks that keep the fences of an example from ending it are one decision.
            let guards = guards_a_fence(document, hit);
            if guards && std::mem::replace(&mut guarded, true) {
                continue;
            }
            let is_sample = SAMPLES.contains(&info.name) && is_documented(document, hit);
            let is_quoted = guards || is_sample || stands_alone_in_quotes(document, hit);
            let is_shown = SHOWN.contains(&info.name) && demonstrates(document, hit);
            let on_purpose = is_quoted || is_shown || is_named(document, hit) || is_bound(document, hit);
            let mut finding = in_text(info.name, document, hit, on_purpose);
            let is_for_people = || PROSE.contains(&info.name) && page.holds(hit, cx);
            if is_sample
                || info.name == SELECTORS && is_of_an_emoji_elsewhere(document, hit)
                || is_of_a_pattern(document, hit)
                || is_harmless(info.name, document, hit, guards, on_purpose)
                || IDLE.contains(&info.name) && page.is_idle(hit, cx)
                || finding.level == Level::Warning && is_for_people()
            {
                finding.level = Level::Info;
            } else if is_shown || info.name == LOOKALIKE && names_the_script(document, hit) {
                // Whoever hides something may write such words beside it, too.
                finding.level = if finding.level == Level::Error { Level::Warning } else { Level::Info };
            }
            let is_stray = finding.level == Level::Warning && is_stray(document, hit);
            if SLIPS.contains(&info.name) || LOST.contains(&info.name) || is_stray {
                finding = finding.cause(of_file(document, hit));
            }
            if !is_told(document, &mut findings[from..], &mut finding) {
                findings.push(finding);
            }
        }
        if let Some(first) = document.hidden.iter().find(|hit| is_misread(hit)).filter(|_| info.name == CONTROL) {
            findings.push(mojibake::report(info.name, document, &misread, first.span));
        }
        in_names(info, document, cx, findings);
    }
}

/// The hits in the file's name, and in the names of what it imports.
fn in_names(info: &'static RuleInfo, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
    if is_odd_name(&document.path) {
        for hit in scan_name(&document.path).iter().filter(|hit| hit.class.rule() == info.name) {
            let message = format!("the file's name: {}", hit.message);
            findings.push(in_name(info.name, hit.level, document, Span::empty(0), message));
        }
    }
    let imports = &cx.workspace.imports;
    let from = imports.partition_point(|import| import.importer < document.path);
    for import in imports[from..].iter().take_while(|import| import.importer == document.path) {
        in_target(info, document, import, findings);
    }
}

/// Whether the same is said of the same line already; that finding then has the fix of this one, too.
fn is_told(document: &Document, told: &mut [Finding], finding: &mut Finding) -> bool {
    let line = document.lines.line_of(finding.span.start);
    let is_same = |other: &&mut Finding| {
        let applicability = |finding: &Finding| finding.fix.as_ref().map(|fix| fix.applicability);
        other.message == finding.message
            && other.level == finding.level
            && document.lines.line_of(other.span.start) == line
            && applicability(other) == applicability(finding)
    };
    let Some(other) =
        told.iter_mut().rev().take_while(|other| document.lines.line_of(other.span.start) == line).find(is_same)
    else {
        return false;
    };
    if let (Some(fix), Some(more)) = (&mut other.fix, finding.fix.take()) {
        fix.edits.extend(more.edits);
    }
    true
}

/// The hits in the name of what is imported that the token itself does not show, since links or case stand between the two.
fn in_target(info: &'static RuleInfo, document: &Document, import: &Import, findings: &mut Vec<Finding>) {
    let (ImportTarget::File(path)
    | ImportTarget::NotTracked { path, .. }
    | ImportTarget::Missing(path)
    | ImportTarget::Unreadable(path, _)) = &import.target
    else {
        return;
    };
    if !is_odd_name(path) {
        return;
    }
    let shown = document.hidden.iter().any(|hit| hit.class.rule() == info.name && hit.span.overlaps(import.span));
    for hit in scan_name(path).iter().filter(|hit| !shown && hit.class.rule() == info.name) {
        let message = format!("the import leads to {}: {}", sanitize::path(path), hit.message);
        findings.push(in_name(info.name, hit.level, document, import.span, message));
    }
}

/// The rule about variation selectors.
const SELECTORS: &str = "hidden-selectors";

/// The rule about invisible operators.
const BITS: &str = "hidden-bits";

/// Whether a character is there on purpose, or was pasted into a plan, and does no harm. Others reorder
/// text, or hide some.
fn is_harmless(rule: &str, document: &Document, hit: &UnicodeHit, guards: bool, on_purpose: bool) -> bool {
    let is_pasted = rule == SPACE && document.kind == Kind::Plan;
    let is_slip = SLIPS.contains(&rule) && on_purpose || is_pasted;
    let is_shown = match rule {
        "misplaced-bom" => on_purpose && document.markdown.in_code(hit.span.start) || begins_data(document, hit),
        BITS => hit.level == Level::Warning && is_only_and_explained(document, hit),
        "noncharacter" => is_bound(document, hit),
        "replacement-character" => on_purpose || is_for_people(document),
        SELECTORS => {
            is_left_of_an_emoji(document, hit)
                || begins_an_anchor(document, hit)
                || on_purpose && stands_alone_in_quotes(document, hit) && is_named(document, hit)
        }
        LOOKALIKE => {
            gives_its_codes(document, hit)
                || shows_its_letters(document, hit)
                || is_sample_of_its_script(document, hit)
                || hit.level == Level::Warning && is_word_of_its_script(document, hit)
        }
        _ => false,
    };
    hit.decoded.is_none() && (is_shown || hit.level == Level::Warning && (guards || is_slip))
}

/// Whether a mark begins a file of settings, which has no frontmatter. A reader that stumbles over it is told by other rules.
fn begins_data(document: &Document, hit: &UnicodeHit) -> bool {
    let path = document.path.as_bytes();
    hit.span.start == 0 && [&b".json"[..], b".jsonc", b".toml"].iter().any(|end| path.ends_with(end))
}

/// Whether the file is a README that agents open only by chance.
fn is_for_people(document: &Document) -> bool {
    let name = document.path.file_name().to_ascii_lowercase();
    document.kind == Kind::Text && name.starts_with(b"readme.")
}

/// The rule about spaces.
const SPACE: &str = "unusual-space";

/// Whether a file or folder of the repository really has the space in its name, where the code span or link around it names that.
fn is_of_a_file(document: &Document, hit: &UnicodeHit, cx: &Cx<'_>) -> bool {
    let spans = document.markdown.code_at(hit.span.start).filter(|code| code.kind == CodeKind::Span);
    let linked = || document.markdown.links.iter().find(|link| link.destination_span.covers(hit.span));
    let path = match spans {
        Some(code) => document.slice(code.content).trim(),
        None => linked().map_or("", |link| link.destination.as_str()),
    };
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let is_whole = |file: &&[u8]| files::ends_with(file, path);
    let listing = &cx.workspace.listing;
    !path.is_empty()
        && (listing.has_dir(path.as_bytes())
            || listing.with_name(path::file_name(path.as_bytes())).iter().any(is_whole))
}

/// The rule about letters that pass for others.
pub(super) const LOOKALIKE: &str = "lookalike-letters";

/// The rule about controls, which tells of files that were decoded wrongly.
const CONTROL: &str = "control-character";

/// Rules about characters that a wrong decoding leaves behind: the finding about that says all.
const MISREAD: [&str; 3] = [CONTROL, "stray-ignorable", SPACE];

/// Whether a character is one of those that the wrong encoding made. Where these are few, a command may hide what it does among them.
fn is_one_of(misread: &[Span], hit: &UnicodeHit) -> bool {
    let is_all = misread.len() >= MANY_MISREAD;
    is_misread_kind(hit) && (is_all || hit.level != Level::Error) && is_covered(misread, hit.span)
}

fn is_misread_kind(hit: &UnicodeHit) -> bool {
    MISREAD.contains(&hit.class.rule())
}

/// Rules about characters that a line about such characters may show. What reorders text or carries bits is none of them.
const SHOWN: [&str; 5] = ["invisible-filler", LOOKALIKE, "stray-ignorable", "stray-joiner", "zero-width"];

/// Rules about characters that do no harm in prose for people.
const PROSE: [&str; 3] = [LOOKALIKE, "stray-ignorable", SPACE];

/// Rules about characters of which one alone may have no effect.
const IDLE: [&str; 2] = ["bidi-control", "zero-width"];

/// Rules about characters of which a table of characters shows one alone. What reorders text or carries bits is none of them.
const SAMPLES: [&str; 5] = ["invisible-filler", "misplaced-bom", "stray-ignorable", "stray-joiner", "zero-width"];

/// Rules about characters that come with pasted text: those of one file have one cause.
const SLIPS: [&str; 4] = ["stray-ignorable", "stray-joiner", "unusual-space", "zero-width"];

/// Whether the characters are controls and marks that scraped or converted text holds in numbers, and that a terminal or reader
/// passes over.
fn is_stray(document: &Document, hit: &UnicodeHit) -> bool {
    let mut chars = document.slice(hit.span).chars();
    matches!(hit.class.rule(), "bidi-control" | "control-character")
        && chars.all(|c| c.is_control() && !c.is_whitespace() || matches!(c, '\u{200E}' | '\u{200F}'))
}

/// Rules about characters that broken bytes leave behind by chance.
const SYMPTOMS: [&str; 9] = [
    "control-character",
    "invisible-filler",
    LOOKALIKE,
    "noncharacter",
    "private-use-run",
    "stacked-marks",
    "stray-ignorable",
    "stray-joiner",
    "zero-width",
];

/// The lines of a garbled file that have bytes which are not UTF-8: those say all that is to be said of them.
fn garbled_lines(document: &Document) -> BTreeSet<usize> {
    if !document.is_garbled() {
        return BTreeSet::new();
    }
    let broken = document.hidden.iter().filter(|hit| hit.class == Class::InvalidUtf8);
    broken.map(|hit| document.lines.line_of(hit.span.start)).collect()
}

/// Rules about what a conversion does to a whole file.
const LOST: [&str; 2] = ["invalid-utf8", "replacement-character"];

fn of_file(document: &Document, hit: &UnicodeHit) -> Cause {
    let many = match LOST.contains(&hit.class.rule()) || is_stray(document, hit) {
        true => "places of this file have the same fault",
        false => "invisible characters are in this file",
    };
    let key = format!("file {}", document.path.to_str_lossy());
    Cause { key, subject: hit.message.clone(), many, help: None }
}

/// Nearly all names are printable ASCII, and nothing is wrong with those.
fn is_odd_name(path: &RepoPath) -> bool {
    !path.as_bytes().iter().all(|byte| (b' '..=b'~').contains(byte))
}

fn in_text(rule: &'static str, document: &Document, hit: &UnicodeHit, on_purpose: bool) -> Finding {
    let path = &document.path;
    let mut finding = Finding::new(rule, hit.level, path, hit.span, hit.message.as_str());
    finding.help.clone_from(&hit.help);
    let Some(fix) = &hit.fix else { return finding };
    let edit = |(span, replacement): &(Span, String)| Edit {
        path: path.clone(),
        span: *span,
        replacement: replacement.clone(),
    };
    let applicability = match fix.applicability {
        Applicability::Safe if on_purpose => Applicability::Unsafe,
        applicability => applicability,
    };
    finding.fix_edits(applicability, fix.edits.iter().map(edit).collect())
}

fn in_name(rule: &'static str, level: Level, document: &Document, span: Span, message: String) -> Finding {
    Finding::new(rule, level, &document.path, span, message).help("rename the file, and update the references to it")
}

#[cfg(test)]
mod tests;
