//! Odd names, import bombs, and any small repository at all: the text stays whole, and a second run changes nothing.

use std::fmt::Write;

use hintlint::base::path::RepoPath;
use hintlint::source::EntryKind;
use proptest::prelude::*;

use super::{Files, compile, repository, text_of};

const ROOT: &str = ".hintlint/context/merged.md";

#[test]
fn odd_names_cannot_break_a_marker() {
    let mut files = repository(&[("AGENTS.md", "@a-->b.md\n\n@./x\u{200b}y.md\n"), ("a-->b.md", "Arrow.\n")]);
    let odd: &[u8] = b"od\xffd\n<!-- From: AGENTS.md -->/CLAUDE.md";
    files.insert(RepoPath::new(odd), (EntryKind::File, b"Odd.\n".to_vec()));
    compile(&mut files);
    let artifact = RepoPath::new(b".hintlint/context/od\xffd\n<!-- From: AGENTS.md -->/merged.md");
    let text = String::from_utf8(files[&artifact].1.clone()).unwrap();
    assert!(text.contains("<!-- Imported: a--\\u{003E}b.md -->\n\nArrow.\n"), "{text}");
    assert!(
        text.contains("<!-- From: od\\xFFd\\u{000A}<!-- From: AGENTS.md --\\u{003E}/CLAUDE.md -->\n\nOdd.\n"),
        "{text}"
    );
    assert!(text.contains("<!-- Import not found: xy.md -->"), "{text}");
    for line in text.lines().filter(|line| line.starts_with("<!--")) {
        assert!(line.ends_with(" -->") && line.matches("-->").count() == 1, "{line}");
    }
}

#[test]
fn imports_beyond_four_mebibytes_are_refused_visibly() {
    let big = "0123456789abcdef\n".repeat(100_000);
    let names: Vec<String> = (0..5).map(|n| format!("big{n}.md")).collect();
    let imports: String = names.iter().map(|name| format!("@{name}\n\n")).collect();
    let mut files =
        repository(&[("AGENTS.md", &imports), ("api/AGENTS.md", "@../small.md\n"), ("small.md", "Small.\n")]);
    files.extend(names.iter().map(|name| (name.as_str().into(), (EntryKind::File, big.clone().into_bytes()))));
    compile(&mut files);
    let text = text_of(&files, ROOT);
    assert!(text.contains("<!-- Imported: big1.md -->") && text.contains("<!-- Import too large: big2.md -->"));
    assert!(text.contains("<!-- Import too large: big4.md -->") && text.len() < 4 << 20);
    // What still fits is taken, and files of the repository's own are never cut.
    assert!(text_of(&files, ".hintlint/context/api/merged.md").contains("Small.\n"));
}

#[test]
fn more_than_ten_thousand_files_are_refused_visibly() {
    let mut imports = String::new();
    for n in 0..10_010 {
        writeln!(imports, "@d/{n}.md").unwrap();
    }
    let mut files = repository(&[("AGENTS.md", &imports)]);
    files.extend((0..10_010).map(|n| (format!("d/{n}.md").as_str().into(), (EntryKind::File, b"x\n".to_vec()))));
    compile(&mut files);
    let text = text_of(&files, ROOT);
    let imported = text.matches("<!-- Imported: ").count();
    let refused = text.matches("<!-- Import too large: ").count() + text.matches("<!-- Import unreadable: ").count();
    assert!((9_900..=10_000).contains(&imported), "{imported}");
    assert_eq!(imported + refused, 10_010);
}

#[test]
fn a_chain_of_imports_may_be_as_deep_as_the_config_says() {
    let mut files = repository(&[("hintlint.toml", "[limits]\nimport-depth = 4000\n"), ("AGENTS.md", "@0.md\n")]);
    files.extend(
        (0..5000)
            .map(|n| (format!("{n}.md").as_str().into(), (EntryKind::File, format!("@{}.md\n", n + 1).into_bytes()))),
    );
    compile(&mut files);
    let text = text_of(&files, ROOT);
    assert!(text.contains("<!-- Import too deep: 4000.md -->") && text.contains("<!-- End of import: 0.md -->"));
}

#[test]
fn links_in_circles_and_out_are_named() {
    let mut files = repository(&[("AGENTS.md", "@loop.md\n\n@fine.md\n"), ("fine.md", "Fine.\n")]);
    for (link, target) in
        [("loop.md", "loop.md"), ("CLAUDE.md", "../secret.md"), ("GEMINI.md", "gone.md"), ("DEX.md", "fine.md")]
    {
        files.insert(link.into(), (EntryKind::Symlink, target.as_bytes().to_vec()));
    }
    compile(&mut files);
    let text = text_of(&files, ROOT);
    for expected in [
        "<!-- Import unreadable: loop.md -->",
        "<!-- From: CLAUDE.md -->\n\n<!-- Import outside repository: ../secret.md -->\n\n<!-- End of CLAUDE.md -->",
        "<!-- From: GEMINI.md -->\n\n<!-- Import not found: GEMINI.md -->\n\n<!-- End of GEMINI.md -->",
        "<!-- From: DEX.md -->\n\nFine.\n\n<!-- End of DEX.md -->",
        "<!-- Already included: DEX.md -->",
    ] {
        assert!(text.contains(expected), "{expected}\n---\n{text}");
    }
}

#[test]
fn our_own_output_is_never_input() {
    let mut files = repository(&[
        (
            "AGENTS.md",
            "@.hintlint/context/merged.md\n\n@./.hintlint\n\n@.hintlint/context/x/merged.md\n\n@./.hintlint/context/\n",
        ),
        ("DEX.md", "@.hintlint/context/.gitattributes\n\n@.hintlint/x.js\n\n@.hintlint\n"),
        ("x/CLAUDE.md", "@.hintlint/x.js\n"),
    ]);
    files.insert("GEMINI.md".into(), (EntryKind::Symlink, b".hintlint/context/merged.md".to_vec()));
    compile(&mut files);
    let first = files.clone();
    compile(&mut files);
    assert_eq!(first, files);
    let text = text_of(&files, ROOT);
    assert!(text.contains("<!-- Already generated: .hintlint/context/x/merged.md -->"), "{text}");
    assert_eq!(text.matches("# Project Context").count(), 1);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let mut files = Files::new();
    for n in 0..60 {
        let text = format!("Text {n}.\n\n@../shared/{}.md\n", n % 7);
        files
            .insert(format!("p{}/q{n}/AGENTS.md", n % 5).as_str().into(), (EntryKind::File, text.clone().into_bytes()));
        files.insert(format!("p{}/CLAUDE.md", n % 5).as_str().into(), (EntryKind::File, text.into_bytes()));
        files.insert(
            format!("p{}/shared/{}.md", n % 5, n % 7).as_str().into(),
            (EntryKind::File, b"Shared.\n".to_vec()),
        );
    }
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut files = files.clone();
        pool.install(|| compile(&mut files));
        files
    };
    let one = with_threads(1);
    assert!(one.len() > files.len() + 60);
    assert_eq!(one, with_threads(4));
    assert_eq!(one, with_threads(3));
}

/// Lines that matter to one clause or another.
fn line() -> impl Strategy<Value = String> {
    let known = [
        "",
        "",
        "Text.",
        "# Heading",
        "- item",
        "  continued",
        "> quote",
        "```",
        "~~~",
        "    indented",
        "<!-- open",
        "-->",
        "<!-- note -->",
        "<!-- hintlint-ignore x: y -->",
        "<!-- From: AGENTS.md -->",
        "<!-- End of AGENTS.md -->",
        "---",
        "@a.md",
        "@d/b.md",
        "See @a.md.",
        "@../a.md",
        "@AGENTS.md",
        "@./d",
        "@gone.md",
        "@.hintlint/context/merged.md",
        "<div>",
        "</div>",
        "`code",
        "a\u{200b}b",
        "\u{feff}",
        "<script>",
        "| a | @a.md |",
        "[x]: @a.md",
        "\r",
        "\u{e0041}\u{e0042}\u{e0043}",
    ];
    prop_oneof![9 => proptest::sample::select(known.to_vec()).prop_map(String::from), 1 => "\\PC{0,12}"]
}

fn text() -> impl Strategy<Value = String> {
    (proptest::collection::vec(line(), 0..12), prop_oneof![Just("\n"), Just("\r\n")])
        .prop_map(|(lines, end)| lines.join(end))
}

fn any_repository() -> impl Strategy<Value = Files> {
    let paths = ["AGENTS.md", "CLAUDE.md", ".dexhints", "a.md", "d/b.md", "d/AGENTS.md", "d/e/GEMINI.md", "d/e/DEX.md"];
    let file = (proptest::sample::select(paths.to_vec()), text());
    proptest::collection::vec(file, 1..8).prop_map(|files| {
        let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        repository(&files)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_repository_compiles_to_well_formed_artifacts_and_stays_put(sources in any_repository()) {
        let mut files = sources.clone();
        compile(&mut files);
        let first = files.clone();
        compile(&mut files);
        prop_assert_eq!(&first, &files);
        for (path, (_, bytes)) in &files {
            let path = path.to_str().unwrap();
            if path.starts_with(".hintlint/") && path.ends_with(".md") {
                check_artifact(std::str::from_utf8(bytes).unwrap())?;
            }
        }
    }
}

/// Markers open and close like brackets, stand between blank lines, and are comments to a Markdown reader.
fn check_artifact(text: &str) -> Result<(), TestCaseError> {
    let lines: Vec<&str> = text.split('\n').collect();
    prop_assert!(text.ends_with(" -->\n") && !text.ends_with("\n\n") && !text.contains('\r'), "{}", text);
    let document = hintlint::parse::Document::parse(
        "merged.md".into(),
        hintlint::base::kind::Kind::Artifact,
        text.as_bytes().into(),
    );
    let mut open: Vec<&str> = Vec::new();
    let mut offset = 0;
    for (n, line) in lines.iter().enumerate() {
        let marker = |words: &str| line.strip_prefix("<!-- ")?.strip_prefix(words)?.strip_suffix(" -->");
        let opened = marker("From: ").or_else(|| marker("Imported: "));
        let closed = marker("End of import: ").or_else(|| marker("End of "));
        let single = ["Import ", "Already "].iter().any(|words| marker(words).is_some());
        if let Some(path) = closed {
            prop_assert_eq!(open.pop(), Some(path), "{}", text);
        }
        if opened.is_some() || closed.is_some() || single {
            prop_assert!(
                lines[n - 1].trim().is_empty() && lines[n + 1].trim().is_empty(),
                "line {} of\n{}",
                n + 1,
                text
            );
            let comment =
                document.markdown.comments.iter().any(|comment| comment.span.start == offset && comment.block);
            prop_assert!(comment, "line {} of\n{}", n + 1, text);
        }
        open.extend(opened.filter(|_| closed.is_none()));
        offset += line.len() + 1;
    }
    prop_assert!(open.is_empty(), "{}", text);
    Ok(())
}
