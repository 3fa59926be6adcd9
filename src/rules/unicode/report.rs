//! From the engine's hits to findings: in a file's text, in its name, and in the names of what it imports. Judges
//! only whether a character was put where it stands on purpose.

use std::collections::BTreeSet;

use super::purpose::{
    anchors_with_selectors, gives_its_codes, guards_a_fence, is_bound, is_covered, is_documented, is_left_of_an_emoji,
    is_named, is_sample_of_its_script, names_the_script, shows_its_letters, stands_alone_in_quotes,
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

impl Rule for CharacterRule {
    fn info(&self) -> &'static RuleInfo {
        self.0
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let info = self.0;
        let own = |hit: &&UnicodeHit| hit.class.rule() == info.name;
        let mut guarded = false;
        let mut anchors: Option<Vec<Span>> = None;
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
            if info.name == SPACE && is_of_a_file(document, hit, cx) {
                continue;
            }
            // Marks that keep the fences of an example from ending it are one decision.
            let guards = guards_a_fence(document, hit);
            if guards && std::mem::replace(&mut guarded, true) {
                continue;
            }
            let is_sample = SAMPLES.contains(&info.name) && is_documented(document, hit);
            let is_quoted = guards || is_sample || stands_alone_in_quotes(document, hit);
            let on_purpose = is_quoted || is_named(document, hit) || is_bound(document, hit);
            let mut finding = in_text(info.name, document, hit, on_purpose);
            if is_sample || is_harmless(info.name, document, hit, guards, on_purpose) {
                finding.level = Level::Info;
            } else if info.name == LOOKALIKE && names_the_script(document, hit) {
                finding.level = if finding.level == Level::Error { Level::Warning } else { Level::Info };
            }
            let is_stray = finding.level == Level::Warning && is_stray(document, hit);
            findings.push(match SLIPS.contains(&info.name) || LOST.contains(&info.name) || is_stray {
                true => finding.cause(of_file(document, hit)),
                false => finding,
            });
        }
        if is_odd_name(&document.path) {
            for hit in scan_name(&document.path).iter().filter(own) {
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

/// Whether a character is there on purpose, or was pasted into a plan, and does no harm. Others reorder
/// text, or hide some.
fn is_harmless(rule: &str, document: &Document, hit: &UnicodeHit, guards: bool, on_purpose: bool) -> bool {
    let is_pasted = rule == SPACE && document.kind == Kind::Plan;
    let is_slip = SLIPS.contains(&rule) && on_purpose || is_pasted;
    let is_shown = match rule {
        "misplaced-bom" => on_purpose && document.markdown.in_code(hit.span.start) || begins_data(document, hit),
        "noncharacter" => is_bound(document, hit),
        "replacement-character" => on_purpose || is_for_people(document),
        "hidden-selectors" => {
            is_left_of_an_emoji(document, hit)
                || on_purpose && stands_alone_in_quotes(document, hit) && is_named(document, hit)
        }
        LOOKALIKE => {
            gives_its_codes(document, hit) || shows_its_letters(document, hit) || is_sample_of_its_script(document, hit)
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
const LOOKALIKE: &str = "lookalike-letters";

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
mod tests {
    use crate::base::finding::Level;
    use crate::base::sanitize;
    use crate::config::Config;
    use crate::rules::run::{Selection, run};
    use crate::source::Memory;
    use crate::source::history::Answers;
    use crate::workspace::load;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let loaded = load(&Memory::of_files(files.iter().copied()), Config::default(), &[]).unwrap();
        let selection = Selection { select: vec!["unicode".into()], ..Selection::default() };
        let report = run(loaded, &selection, &mut |_| Answers::default());
        let show = |finding: &crate::base::finding::Finding| {
            let place = format!("{}-{}", finding.span.start, finding.span.end);
            format!("{}:{place} {} {}", sanitize::path(&finding.path), finding.rule, finding.message)
        };
        report.findings.iter().map(show).collect()
    }

    #[test]
    fn names_of_hint_files_are_searched() {
        let found =
            findings(&[("do\u{200B}cs/AGENTS.md", "x\n"), ("größe/AGENTS.md", "x\n"), ("日本/CLAUDE.md", "x\n")]);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(found[0].starts_with("do\\u{200B}cs/AGENTS.md:0-0 zero-width the file's name: U+200B"), "{found:#?}");
    }

    #[test]
    fn a_space_that_a_files_name_has_is_no_slip() {
        let files =
            |text: &'static str| [("AGENTS.md", text), ("docs/a\u{A0}b.md", "x\n"), ("\u{4E2D}\u{2009}/c.md", "x\n")];
        for text in
            ["See `docs/a\u{A0}b.md`.\n", "See `a\u{A0}b.md`.\n", "[a](<docs/a\u{A0}b.md>) `\u{4E2D}\u{2009}/c.md`\n"]
        {
            assert_eq!(findings(&files(text)), [""; 0], "{text:?}");
        }
        for text in ["See `docs/a\u{A0}c.md`.\n", "See `docs/a\u{202F}b.md`.\n", "See `b.md a\u{A0}b.md`.\n"] {
            assert_eq!(findings(&files(text)).len(), 1, "{text:?}");
        }
    }

    fn fixes(text: &str) -> Vec<String> {
        let loaded = load(&Memory::of_files([("AGENTS.md", text)]), Config::default(), &[]).unwrap();
        let select = vec!["unicode".into()];
        let selection = Selection { select, min_level: Level::Info, ..Selection::default() };
        let report = run(loaded, &selection, &mut |_| Answers::default());
        let fix = |finding: &crate::base::finding::Finding| {
            finding.fix.as_ref().map_or("none", |fix| fix.applicability.name())
        };
        let line = |finding: &crate::base::finding::Finding| {
            format!("{} {} {}", finding.rule, finding.level.name(), fix(finding))
        };
        report.findings.iter().map(line).collect()
    }

    #[test]
    fn what_is_quoted_on_purpose_has_no_safe_fix() {
        assert_eq!(fixes("```js\nx.replace(\"\u{A0}\", \" \")\n```\n"), ["unusual-space info unsafe"]);
        assert_eq!(fixes("```js\nx\u{A0}= 1 // the NBSP\n```\n"), ["unusual-space info unsafe"]);
        assert_eq!(fixes("```js\nx\u{A0}= 1\n```\n"), ["unusual-space warning safe"]);
        assert_eq!(fixes("```js\nx\u{A0}= bushy\n```\n"), ["unusual-space warning safe"]);
        assert_eq!(fixes("Insert soft hyphens (`\u{AD}`) first.\n"), ["stray-ignorable info unsafe"]);
        assert_eq!(fixes("Insert `a\u{AD}b` first.\n"), ["stray-ignorable warning safe"]);
    }

    #[test]
    fn what_a_line_shows_and_names_is_no_deceit() {
        assert_eq!(fixes("The `p\u{430}y` of U+0430 is not `pay`.\n"), ["lookalike-letters info manual"]);
        assert_eq!(fixes("Cyrillic letters: `p\u{430}y` is not `pay`.\n"), ["lookalike-letters info manual"]);
        assert_eq!(fixes("Cyrillic letters: p\u{430}y is not pay.\n"), ["lookalike-letters info manual"]);
        assert_eq!(fixes("`p\u{430}y` has a Cyrillic \"\u{430}\".\n"), ["lookalike-letters info manual"]);
        assert_eq!(fixes("The '\u{430}' of `p\u{430}y` is cyrillic.\n"), ["lookalike-letters info manual"]);
        // Another script, or one letter of two.
        assert_eq!(fixes("`p\u{430}y` has a Greek \"\u{430}\".\n"), ["lookalike-letters error manual"]);
        assert_eq!(fixes("`p\u{430}\u{443}` is no homoglyph.\n"), ["lookalike-letters warning manual"]);
        // One code of two, the code on another line, or the word there, names nothing.
        assert_eq!(fixes("The `p\u{430}\u{443}` of U+0430.\n"), ["lookalike-letters error manual"]);
        assert_eq!(fixes("Beware of U+0430, Cyrillic.\n\nRun `p\u{430}y`.\n"), ["lookalike-letters error manual"]);
        assert_eq!(fixes("A BOM (`\u{FEFF}id`) hides in it.\n"), ["misplaced-bom info unsafe"]);
        assert_eq!(fixes("The field is `\u{FEFF}id`.\n"), ["misplaced-bom error safe"]);
        assert_eq!(fixes("Match `[^a-\u{FFFF}]` here.\n"), ["noncharacter info unsafe"]);
        assert_eq!(fixes("Match `a-\u{FFFF}` here.\n"), ["noncharacter error safe"]);
        assert_eq!(fixes("U+FFFD is \u{FFFD}.\n"), ["replacement-character info none"]);
        assert_eq!(fixes("Verify no \u{FFFD} replacement characters.\n"), ["replacement-character info none"]);
        assert_eq!(fixes("It is Jos\u{FFFD}.\n"), ["replacement-character warning none"]);
    }

    #[test]
    fn stray_characters_of_one_file_have_one_cause() {
        let causes = |text: &str| -> Vec<bool> {
            let loaded = load(&Memory::of_files([("AGENTS.md", text)]), Config::default(), &[]).unwrap();
            let selection = Selection { select: vec!["unicode".into()], ..Selection::default() };
            let report = run(loaded, &selection, &mut |_| Answers::default());
            report.findings.iter().map(|finding| finding.cause.is_some()).collect()
        };
        assert_eq!(causes("a\u{80}b\u{99}c\n\nd\u{9f}e\n"), [true, true, true]);
        // What hides or moves text is told for itself.
        assert_eq!(causes("a\u{80}b\n\na\u{1B}[8mb\n"), [true, false]);
    }

    #[test]
    fn a_table_of_characters_shows_each_alone() {
        for line in [
            "| U+200B | x\u{200B}y |",
            "- zero width space: a\u{200B}b",
            "`a\u{200B}b` is `&#8203;`",
            "`\\u200b` x\u{200B}y",
        ] {
            assert_eq!(fixes(&format!("{line}\n")), ["zero-width info unsafe"], "{line}");
        }
        for line in [
            "| U+200C | x\u{200B}y |",
            "| U+200BC | x\u{200B}y |",
            "| U+200B | x\u{200B}\u{200B}y |",
            "zero width: x\u{200B}y",
            "hidden U+200B",
        ] {
            let found = fixes(&format!("{line}\n\nx\u{200B}y\n"));
            assert!(found.iter().all(|line| !line.contains("info")), "{line}: {found:?}");
        }
        assert_eq!(fixes("U+200B x\u{200B}y x\u{200B}y\n").len(), 2);
        assert!(fixes("U+200B x\u{200B}y x\u{200B}y\n").iter().all(|line| line.starts_with("zero-width error")));
    }

    #[test]
    fn anchors_keep_the_selectors_of_their_headings() {
        let text = "## \u{1F6E0}\u{FE0F}\u{2699}\u{FE0F} Both\n\n## A\u{2699}\u{FE0F}\n\n\
                    [a](#\u{FE0F}\u{FE0F}-both) [b](#a\u{FE0F}) <a href=\"#a\u{FE0F}\">c</a> [d](README.md#\u{FE0F}-both)\n";
        assert_eq!(fixes(text), [""; 0]);
        assert_eq!(fixes("## A\u{2699}\u{FE0F}\n\n[b](#b\u{FE0F})\n").len(), 1);
        assert_eq!(fixes("## A\u{2699}\u{FE0F}\n\n[b](#a\u{FE0F}\u{FE0F})\n").len(), 1);
    }

    #[test]
    fn a_garbled_file_is_told_once() {
        let of = |lines: usize, more: &[u8]| {
            let bytes = [&b"a\xE9b\x01c \xF3\n".repeat(lines), more].concat();
            let workspace = crate::rules::testing::workspace_of("AGENTS.md", crate::base::kind::Kind::AgentsMd, &bytes);
            let (artifacts, answers, selected) = Default::default();
            let cx = crate::rules::Cx {
                workspace: &workspace,
                artifacts: &artifacts,
                answers: &answers,
                selected: &selected,
                floor: Level::Info,
                memory: &Default::default(),
            };
            let mut found = Vec::new();
            crate::rules::Rule::check(&super::super::control_character::RULE, &workspace.documents[0], &cx, &mut found);
            found.len()
        };
        // A line of its own has another cause, and so has a file with few broken bytes.
        assert_eq!((of(5, b""), of(5, b"x\x01y\n"), of(4, b"")), (0, 1, 4));
    }

    #[test]
    fn marks_that_guard_inner_fences_are_one_finding() {
        let guarded = "```md\nx\n\u{200B}```sh\ny\n\u{200B}```\n```\n";
        assert_eq!(fixes(guarded), ["zero-width info unsafe"]);
        assert_eq!(fixes("```sh\nx\u{200B}y\nz\u{200B}y\n```\n").len(), 2);
    }

    #[test]
    fn names_of_import_targets_are_searched_once() {
        let found = findings(&[("CLAUDE.md", "See @a\u{200B}b.md\n"), ("a\u{200B}b.md", "x\n")]);
        let places: Vec<_> = found.iter().map(|line| line.split(" zero-width").next().unwrap()).collect();
        assert_eq!(places, ["CLAUDE.md:6-9", "a\\u{200B}b.md:0-0"], "{found:#?}");
    }
}
