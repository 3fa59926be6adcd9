//! Which structure of a text a fix has to keep.

use super::super::{UnicodeHit, scan_markdown};
use super::*;

const SAFE: Option<Applicability> = Some(Applicability::Safe);
const UNSAFE: Option<Applicability> = Some(Applicability::Unsafe);

fn fix(hit: &UnicodeHit) -> Option<Applicability> {
    hit.fix.as_ref().map(|fix| fix.applicability)
}

#[track_caller]
fn check(text: &str, expected: Option<Applicability>) {
    let hits = scan_markdown(text.as_bytes());
    assert!(!hits.is_empty() && hits.iter().all(|hit| fix(hit) == expected), "{text:?}: {hits:#?}");
}

/// `_` stands for a character that is nowhere right.
#[test]
fn what_makes_or_ends_structure_is_no_safe_fix() {
    for text in [
        "_---\nname: x\n---\nBody.\n",
        "---\nname: x\n_---\nBody.\n",
        "---\nna_me: x\n---\nBody.\n",
        "---\nname: tr_ue\n---\nBody.\n",
        "---\nname: _\n---\nBody.\n",
        "---\na:\n  - b\n _ - c\n---\n",
        "<_!-- never push -->\n",
        "a <!-_- b --> c\n",
        "<!-- a --_> b -->\n",
        "_```\nfenced\n",
        "```\nfenced\n_```\nmore\n",
        "~_~~\nfenced\n",
        "`_`a`` b",
        "#_ Title\n",
        "_# Title\n",
        "Title\n==_=\n",
        "Title\n--_-\n",
        "a\n\n*_**\n",
        "-_ item\n",
        "1_. item\n",
        "a\n_- item\n",
        "- [_x] done\n",
        "> a\n\n_> b\n",
        "a | b\n--_ | --\n1 | 2\n",
        "[a]_: https://x.example\n\nb\n",
        "[a]_(b.md)\n",
        "<scr_ipt>\n\na\n",
        "See @_docs/a.md\n",
        "x\n\n_    code\n",
        "<!-- hint_lint-ignore-file unicode: x -->\n",
        "[^1_]: note\n\na[^1]\n",
    ] {
        for hidden in ["\u{200B}", "\u{2060}\u{2063}\u{2062}", "\u{E0041}", "\u{206A}", "\u{7F}"] {
            check(&text.replace('_', hidden), UNSAFE);
        }
    }
}

#[test]
fn ordinary_fixes_stay_safe() {
    for text in [
        "---\nname: x\ndescription: so_me words\n---\nBo_dy.\n",
        "---\nname: x_\nlist: [a, b_]\n---\n",
        "---\n# a com_ment\nname: x\n---\n",
        "<!-- a com_ment -->\n\ntext_\n",
        "# A title_\n\n## An_other\n",
        "- it_em\n  - nes_ted\n    1. nu_mbered_\n",
        "- [x] do_ne\n",
        "```sh\ncargo te_st\n```\n\nA `co_de` span\n",
        "| a_ | b |\n|---|---|\n| c | d_ |\n",
        "[te_xt](https://x.example) and <https://x.exam_ple>\n",
        "> quo_ted\n> more\n",
        "one\n_\ntwo\n",
        "one_\n\n_\n\ntwo\n",
        "- item\n\n_\n\ntext\n",
        "*emph_asis* and **str_ong**, _all of it_ over_\n",
        "a - b_ -- c\n2_024. A year\n",
        "mail a_da@example.org, ask _@alice\n",
        "<div>\nte_xt\n</div>\n",
    ] {
        check(&text.replace('_', "\u{200B}"), SAFE);
    }
}

#[test]
fn a_pretended_frontmatter_or_comment_is_an_error() {
    for (text, level) in [
        ("\u{200B}---\na: b\n---\n", Level::Error),
        ("a <\u{200B}!-- b -->\n", Level::Error),
        ("\u{200B}# a\n", Level::Warning),
        ("a \u{200B}--- b\n", Level::Warning),
    ] {
        assert_eq!(scan_markdown(text.as_bytes())[0].level, level, "{text:?}");
    }
}

#[test]
fn of_many_fixes_only_those_that_change_something_are_refused() {
    let text = format!("{}\n\n\u{200B}# a\n\n{}", "wo\u{200B}rd\n".repeat(300), "wo\u{200B}rd\n".repeat(300));
    let hits = scan_markdown(text.as_bytes());
    let refused: Vec<usize> = (0..hits.len()).filter(|&index| fix(&hits[index]) != SAFE).collect();
    assert_eq!((hits.len(), refused), (601, vec![300]));
    let lines = "\u{200B}# heading\n\nwo\u{200B}rd\n\n".repeat(2000);
    let hits = scan_markdown(lines.as_bytes());
    assert!(hits.iter().any(|hit| fix(hit) == UNSAFE));
}
