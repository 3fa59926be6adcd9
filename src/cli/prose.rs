//! Wrapping of our own texts, which are small Markdown, to a terminal. Knows no file of a user.

/// Wrap the paragraphs and list items of `text` to `width` columns. Headings, tables and fenced code stay as they are.
pub(super) fn reflow(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut open: Vec<&str> = Vec::new();
    // How many backticks opened the fence that this is inside of.
    let mut fenced = 0;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        let fence = if fenced > 0 { ticks >= fenced && ticks == line.trim_end().len() } else { ticks >= 3 };
        let item = line.starts_with("- ") || line.starts_with("* ");
        let as_is = fenced > 0 || fence || line.is_empty() || line.starts_with(['#', '|']);
        if as_is || item {
            flush(&mut open, width, &mut out);
        }
        if fence {
            fenced = if fenced > 0 { 0 } else { ticks };
        }
        match as_is {
            true => out.extend([line, "\n"]),
            false => open.push(line.trim_start()),
        }
    }
    flush(&mut open, width, &mut out);
    out
}

/// Write what is open as one paragraph; an item is indented below its text.
fn flush(open: &mut Vec<&str>, width: usize, out: &mut String) {
    if open.is_empty() {
        return;
    }
    let paragraph = open.join(" ");
    let indent = if paragraph.starts_with(['-', '*']) { "  " } else { "" };
    out.push_str(&hanging(&paragraph, indent, width));
    open.clear();
}

/// `text` wrapped to `width` columns, with `indent` before all lines but the first, and a line ending.
pub(super) fn hanging(text: &str, indent: &str, width: usize) -> String {
    let options = textwrap::Options::new(width)
        .subsequent_indent(indent)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::fill(text, options) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_wrapped_and_code_is_not() {
        let text = "# A heading that is longer than that\n\nOne two three four five\nsix seven.\n\n- an item of some length\n  that goes on\n- b\n\n```text\na line of code that stays whole\n\nso does this\n```\nhttps://example.org/a/very/long/address tail\n";
        let expected = "# A heading that is longer than that\n\nOne two three four\nfive six seven.\n\n- an item of some\n  length that goes\n  on\n- b\n\n```text\na line of code that stays whole\n\nso does this\n```\nhttps://example.org/a/very/long/address\ntail\n";
        assert_eq!(reflow(text, 20), expected);
        assert_eq!(reflow(expected, 20), expected);
        let nested = "````text\n```sh\na line of code that stays whole\n````\nA line that is wrapped.\n";
        assert_eq!(reflow(nested, 20), nested.replace("that is wrapped", "that is\nwrapped"));
    }
}
