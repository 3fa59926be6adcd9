//! What the text around a character says of it, by example.

use crate::base::finding::Level;
use crate::base::sanitize;
use crate::config::Config;
use crate::rules::run::{Selection, run};
use crate::rules::testing::repository;
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
    let found = findings(&[("do\u{200B}cs/AGENTS.md", "x\n"), ("größe/AGENTS.md", "x\n"), ("日本/CLAUDE.md", "x\n")]);
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
    let fix =
        |finding: &crate::base::finding::Finding| finding.fix.as_ref().map_or("none", |fix| fix.applicability.name());
    let line =
        |finding: &crate::base::finding::Finding| format!("{} {} {}", finding.rule, finding.level.name(), fix(finding));
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
    assert_eq!(fixes("`p\u{430}y` is said in unison.\n"), ["lookalike-letters error manual"]);
    assert_eq!(fixes("`p\u{430}\u{443}` is a homoglyph.\n"), ["lookalike-letters warning manual"]);
    // What is followed takes effect whatever the words beside it say.
    assert_eq!(fixes("No homoglyph: https://p\u{430}ypal.example\n"), ["lookalike-letters warning manual"]);
    assert_eq!(fixes("A payload: https://p\u{430}ypal.example\n"), ["lookalike-letters error manual"]);
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
    for line in
        ["| U+200C | x\u{200B}y |", "| U+200BC | x\u{200B}y |", "| U+200B | x\u{200B}\u{200B}y |", "hidden U+200B"]
    {
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
        crate::rules::Rule::check(
            &crate::rules::unicode::control_character::RULE,
            &workspace.documents[0],
            &cx,
            &mut found,
        );
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

#[test]
fn a_line_that_names_the_trick_shows_it() {
    for line in [
        "zero width: x\u{200B}y",
        "Unicode normalisation  /api/admin\u{200B}   -> between filter and server",
        "An invisible character: rm\u{200B}x",
        "Homoglyph payload: `<\u{455}cript>`",
        "    <\u{455}cript>  # Cyrillic 's' characters",
    ] {
        let found = fixes(&format!("Text.\n\n{line}\n"));
        assert!(found.len() == 1 && !found[0].contains(" error "), "{line}: {found:?}");
    }
    for line in [
        "the word: x\u{200B}y",
        "zero width: x\u{200B}\u{200B}\u{200B}y",
        "Unicode: https://a.b/x\u{200B}y",
        "[Unicode](a\u{200B}b.md)",
    ] {
        let found = fixes(&format!("Text about Unicode.\n\n{line}\n"));
        assert!(!found.is_empty() && found.iter().all(|line| line.contains(" error ")), "{line}: {found:?}");
    }
}

#[test]
fn what_is_said_of_one_line_is_said_once() {
    assert_eq!(fixes("```sh\n<\u{455}cript>x</\u{455}cript>\n```\n").len(), 1);
    assert_eq!(fixes("```sh\n<\u{455}cript>x\n</\u{455}cript>\n```\n").len(), 2);
    assert_eq!(fixes("```sh\n<\u{455}cript>x</\u{455}ub>\n```\n").len(), 2);
}

#[test]
fn a_word_of_another_script_is_one_unless_its_twin_is_in_the_file() {
    let step = "(\"Step N of M\"/\"\u{41A}\u{420}\u{41E}\u{41A} N\").\n";
    assert_eq!(fixes(step), ["lookalike-letters info manual"]);
    assert_eq!(fixes(&format!("{step}\nIts KPOK.\n")), ["lookalike-letters warning manual"]);
    assert_eq!(fixes("\u{440}\u{430}\u{443} is not pay\n"), ["lookalike-letters warning manual"]);
    assert_eq!(fixes("\u{41A}\u{420}OK\n"), ["lookalike-letters warning manual"]);
}

#[test]
fn a_file_that_was_decoded_wrongly_is_told_once() {
    let misread = |text: &str| text.bytes().map(char::from).collect::<String>();
    let text = misread("It\u{2019}s caf\u{E9} \u{2013} \u{1F680} go\u{AD}ing\n\nna\u{EF}ve \u{E0} la\n");
    assert_eq!(fixes(&text), ["control-character warning none"]);
    assert_eq!(fixes("## =\u{4} Work\n\n## =\u{AD} Talk\n\n## =\u{80} More\n"), ["control-character warning none"]);
    // Two may be chance; what a terminal acts on is told for itself.
    assert!(fixes(&misread("It\u{2019}s \u{2013}\n")).iter().all(|line| line.ends_with("unsafe")));
    let found = fixes(&format!("{text}\na\u{1B}[8mb\n"));
    assert!(found.len() == 2 && found.iter().any(|line| line.starts_with("control-character error")), "{found:?}");
    assert_eq!(fixes(&format!("{text}\nx\u{200B}y\n")).len(), 2);
}

#[test]
fn a_slip_in_a_page_for_people_is_an_info() {
    let level = |path: &str, text: &str, also: &str| {
        let files = [(path, text), ("AGENTS.md", also)];
        let loaded = load(&Memory::of_files(files), Config::default(), &[]).unwrap();
        let mut workspace = loaded.workspace;
        if workspace.document(path.as_bytes()).is_none() {
            let hidden = crate::parse::unicode::scan_markdown(text.as_bytes());
            let document = crate::parse::Document::searched(path.into(), text.as_bytes().into(), hidden);
            workspace.texts.push(document);
        }
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
        let document = workspace.text(path.as_bytes()).unwrap();
        for rule in [&super::super::unusual_space::RULE, &super::super::lookalike_letters::RULE] {
            crate::rules::Rule::check(rule, document, &cx, &mut found);
        }
        found.iter().map(|finding| finding.level.name()).collect::<Vec<_>>()
    };
    let (typo, picture, code) = ("\u{422}iers\n", "```mermaid\nA(x\u{A0}y)\n```\n", "```sh\necho x\u{A0}y\n```\n");
    for path in ["README.md", ".github/workflows/README.md", "docs/a/README.md"] {
        assert_eq!((level(path, typo, "x\n"), level(path, picture, "x\n")), (vec!["info"], vec!["info"]), "{path}");
        assert_ne!(level(path, code, "x\n"), ["info"], "{path}");
    }
    assert_eq!(level("docs/README.md", typo, "@docs/README.md\n"), ["warning"]);
    assert_eq!(level("CLAUDE.md", typo, "x\n"), ["warning"]);
}

#[test]
fn a_pattern_that_finds_hidden_characters_is_an_info() {
    let are_infos = |code: &str| fixes(&format!("```js\n{code}\n```\n")).iter().all(|line| line.contains(" info "));
    assert!(are_infos("text.replace(/[\u{200B}-\u{200D}\u{FEFF}]/g, '')"));
    assert!(are_infos("re.compile(r\"[\u{200B}\u{200C}\u{FEFF}]\")"));
    // What repeats a character may carry something.
    assert!(!are_infos("re.compile(r\"[\u{200B}\u{200C}\u{200B}]\")"));
    assert!(!are_infos("text.replace(/\u{200B}\u{200D}/g, '')"));
    assert!(!are_infos("run([a\u{200B}\u{200D}-b])"));
}

#[test]
fn a_character_without_effect_is_an_info_in_a_page_that_no_agent_loads() {
    let skill = (".claude/skills/a/SKILL.md", "---\nname: a\ndescription: b\n---\nRead [p](references/p.md).\n");
    let level = |path: &str, rule: &str, text: &str| {
        let found = repository(rule, "", &[skill, (path, text)]);
        found.iter().map(|finding| finding.level.name()).collect::<Vec<_>>()
    };
    let page = ".claude/skills/a/references/p.md";
    let zero = |text: &str| level(page, "zero-width", text);
    assert_eq!(zero("See <https://x.y/support>\u{200B}\n"), ["info"]);
    assert_eq!(zero("one\u{200B} two\n"), ["info"]);
    for text in [
        "one t\u{200B}wo\n",
        "see https://x.y/a\u{200B} there\n",
        "run `make\u{200B} x`\n",
        "read a/b.md\u{200B}\n",
        "one\u{200B} two\u{200B} three\n",
    ] {
        assert!(!zero(text).contains(&"info") && !zero(text).is_empty(), "{text:?} {:?}", zero(text));
    }
    // Many of them may carry data, and agents load their own files.
    assert_eq!(zero(&"one\u{200B}\n".repeat(9)).iter().filter(|level| **level == "info").count(), 0);
    assert_eq!(level("AGENTS.md", "zero-width", "one\u{200B} two\n"), ["warning"]);
    let bidi = |text: &str| level(page, "bidi-control", text);
    assert_eq!(bidi("Libraries, \u{202A}National Museum\n"), ["info"]);
    for text in ["a \u{202A}\u{5D0} b\n", "a \u{202E}b\n", "`a \u{202A}b`\n", "a \u{202A}b\u{202E}c\n"] {
        assert!(!bidi(text).contains(&"info") && !bidi(text).is_empty(), "{text:?}");
    }
    assert_eq!(level("AGENTS.md", "bidi-control", "a \u{202A}National Museum\n"), ["error"]);
}
