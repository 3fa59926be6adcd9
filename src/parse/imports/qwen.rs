//! Qwen Code's grammar (observed on 0.24.4; memoryImportProcessor of QwenLM/qwen-code at 1111e1dc, checked 2026-11).

use super::Reference;
use super::gemini::{in_regions, scan};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Gemini's tokens, outside code as a Markdown parser sees it: fences of both kinds, indented code, code spans. The agent does
/// not look for code inside lists and tables, nor in quotes of several lines, so tokens there do import.
pub(super) fn references(text: &str) -> Vec<Reference> {
    let regions = code_regions(text);
    scan(text).map(|r| in_regions(r, &regions)).collect()
}

fn code_regions(text: &str) -> Vec<(usize, usize)> {
    let mut regions = Vec::new();
    let mut unseen = 0_usize;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::List(_) | Tag::Table(_)) => unseen += 1,
            Event::End(TagEnd::List(_) | TagEnd::Table) => unseen = unseen.saturating_sub(1),
            Event::Start(Tag::BlockQuote(_)) if several_lines(&text[range.clone()]) => unseen += 1,
            // The end of a quote has the range of its start, so both agree on whether it counts.
            Event::End(TagEnd::BlockQuote(_)) if several_lines(&text[range.clone()]) => {
                unseen = unseen.saturating_sub(1)
            }
            Event::Start(Tag::CodeBlock(_)) | Event::Code(_) if unseen == 0 => regions.push((range.start, range.end)),
            _ => {}
        }
    }
    regions
}

fn several_lines(quote: &str) -> bool {
    quote.trim_end().contains('\n')
}

#[cfg(test)]
mod tests {
    use super::super::Grammar;
    use super::super::testing::active;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(active(Grammar::Qwen, text), expected, "{text:?}");
    }

    #[test]
    fn all_kinds_of_code_protect() {
        check(
            "` @a ` and\n\n```\n@b\n```\n\n~~~\n@c\n~~~\n\n    @d\n\nunclosed ` @e\n\n````\n```\n@f\n````\n\n@g",
            &["e", "g"],
        );
        check("<!-- @a -->", &["a"]);
    }

    #[test]
    fn code_in_lists_is_not_seen() {
        check("- x ` @a `\n\n  ```\n  @b\n  ```\n\n` @c `", &["a", "b"]);
    }
}
