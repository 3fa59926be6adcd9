//! What the sanitiser lets through, and the checks that the tests of all formats share.

use proptest::prelude::*;

use super::*;

/// Panics when `output` holds anything that no report may print. `colour`: our own colour codes are allowed.
pub(crate) fn assert_harmless(output: &str, colour: bool) {
    let mut before = None;
    let mut rest = output.chars();
    while let Some(c) = rest.next() {
        let emoji = matches!(c, '\u{FE0E}' | '\u{FE0F}')
            && (before.is_some_and(characters::is_pictograph) || rest.as_str().starts_with('\u{20E3}'));
        if colour && c == '\u{1B}' {
            let code = rest.as_str().split_inclusive('m').next().unwrap_or_default();
            let sgr = code.strip_prefix('[').and_then(|code| code.strip_suffix('m'));
            assert!(sgr.is_some_and(|sgr| sgr.bytes().all(|b| b.is_ascii_digit() || b == b';')), "{code:?}");
            rest = rest.as_str()[code.len()..].chars();
            continue;
        }
        assert!(c == '\n' || emoji || !is_hidden(c), "{c:?} after {before:?} in {output:?}");
        before = Some(c);
    }
}

/// Panics when a CI runner would obey a line of `output`.
pub(crate) fn assert_no_commands(output: &str) {
    for line in output.lines() {
        assert!(!line.trim_start().starts_with("::"), "{line:?}");
        assert!(!line.contains("##["), "{line:?}");
    }
}

/// One character of each stretch of hidden ones.
const HIDDEN: &str = "\0\u{7F}\u{AD}\u{34F}\u{61C}\u{115F}\u{17B4}\u{180B}\u{200B}\u{2028}\u{2060}\u{2800}\u{3164}\
                      \u{E000}\u{FDD0}\u{FE00}\u{FEFF}\u{FFA0}\u{FFF0}\u{FFFE}\u{1BCA0}\u{1D173}\u{E0000}\u{F0000}";

/// Text that is rich in what an attacker would use.
pub(crate) fn hostile_text() -> impl Strategy<Value = String> {
    let atoms = prop_oneof![
        any::<char>().prop_map(String::from),
        prop::sample::select(HIDDEN.chars().collect::<Vec<_>>()).prop_map(String::from),
        prop::sample::select(vec![
            "\u{1B}[31m",
            "\u{1B}]8;;http://x\u{7}",
            "::error::",
            "\n::warning file=a::b",
            "##[group]",
            "##vso[x]",
            "%0A",
            "`",
            "|",
            "<b>",
            "@user",
            "[a](b)",
            "\r\n",
            "\r",
            "\n",
            "\t",
            "a",
            "word ",
            "日本",
            "🙂",
            "❤\u{FE0F}",
            "\u{202E}",
            "\u{E0041}",
            "\"",
            "\\",
            "--",
            "+++ ",
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(atoms, 0..24).prop_map(|atoms| atoms.concat())
}

/// Bytes that are rich in what an attacker would use, also outside UTF-8.
pub(crate) fn hostile_bytes() -> impl Strategy<Value = Vec<u8>> {
    let atoms = prop_oneof![hostile_text().prop_map(String::into_bytes), prop::collection::vec(any::<u8>(), 0..6)];
    prop::collection::vec(atoms, 0..4).prop_map(|atoms| atoms.concat())
}

#[track_caller]
fn check(input: &str, expected: &str) {
    assert_eq!(line(input), expected);
}

#[test]
fn controls_become_visible() {
    check("a\tb\r\nc", "a\\tb\\r\\nc");
    check("\u{1B}[2J\u{7}\u{0}\u{7F}\u{9B}x", "\\u{001B}[2J\\u{0007}\\u{0000}\\u{007F}\\u{009B}x");
    check("a\u{2028}b\u{2029}c\u{85}", "a\\u{2028}b\\u{2029}c\\u{0085}");
}

#[test]
fn hidden_characters_become_visible() {
    check("x\u{E0041}\u{200B}\u{202E}\u{FEFF}", "x\\u{E0041}\\u{200B}\\u{202E}\\u{FEFF}");
    check("\u{2800}\u{3164}\u{00AD}\u{E0FFF}\u{FFF9}", "\\u{2800}\\u{3164}\\u{00AD}\\u{E0FFF}\\u{FFF9}");
    check("\u{E000}\u{FFFF}\u{1FFFE}\u{10FFFF}", "\\u{E000}\\u{FFFF}\\u{1FFFE}\\u{10FFFF}");
}

#[test]
fn selectors_stay_only_where_emoji_use_them() {
    check("❤\u{FE0F} 1\u{FE0F}\u{20E3} 👍\u{FE0E}", "❤\u{FE0F} 1\u{FE0F}\u{20E3} 👍\u{FE0E}");
    check("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\u{FE0F}");
    check("a\u{FE0F}1\u{FE0F}\u{E0100}", "a\\u{FE0F}1\\u{FE0F}\\u{E0100}");
}

#[test]
fn writing_stays_readable() {
    for text in
        ["Grüße", "Привет", "日本語　全角", "नमस्ते", "مرحبا", "ไทย", "한국어", "« oui\u{A0}»", "👍🏽 ✅", "# a ## b"]
    {
        check(text, text);
    }
    assert!(matches!(line("plain"), Cow::Borrowed(_)));
}

#[test]
fn log_commands_are_broken() {
    check("##[error]x", "\\u{0023}#[error]x");
    check("a ###vso[task.x]", "a #\\u{0023}#vso[task.x]");
    assert_eq!(guard_lines("a\n  ::error::x\nstd::io"), "a\n  \\u{003A}:error::x\nstd::io");
    assert_eq!(terminal(b"::x\r\n\tb\rc\xFF\n"), "\\u{003A}:x\n\tb\\rc\\xFF\n");
}

#[test]
fn paths_are_one_line_of_text() {
    assert_eq!(path(&RepoPath::new(b"a\nb\xFF\xE2\x82/c d")), "a\\nb\\xFF\\xE2\\x82/c d");
    assert_eq!(path(&RepoPath::new("")), ".");
}

proptest! {
    #[test]
    fn twice_is_once(bytes in hostile_bytes()) {
        let once = line_bytes(&bytes).into_owned();
        assert_harmless(&once, false);
        prop_assert!(!once.contains("##["));
        prop_assert_eq!(&line(&once), &once);
        let guarded = terminal(&bytes);
        assert_no_commands(&guarded);
        prop_assert_eq!(terminal(guarded.as_bytes()), guarded);
    }
}
