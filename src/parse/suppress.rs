//! `hintlint-ignore` comments: which rules they silence, where, and why.

use super::markdown::Comment;
use super::{Frontmatter, Markdown, Problem, ProblemKind};
use crate::base::characters::is_hidden;
use crate::base::error::Obstacle;
use crate::base::text::{LineIndex, Span};

/// One suppression comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// The comment.
    pub span: Span,
    /// The rules or groups it names, each with its place.
    pub rules: Vec<(String, Span)>,
    /// The reason after the colon; a suppression without one is a [`Problem`] and silences nothing.
    pub reason: String,
    /// The bytes it covers: the next block, the next line of YAML, or the whole file.
    pub covers: Span,
    /// Whether it is a `hintlint-ignore-file`.
    pub whole_file: bool,
}

/// Read the suppressions of a document.
pub(crate) fn read(
    text: &str,
    lines: &LineIndex,
    markdown: &Markdown,
    frontmatter: Option<&Frontmatter>,
    problems: &mut Vec<Problem>,
) -> Vec<Suppression> {
    let mut found = Vec::new();
    // Comments come in order, so what one covers holds for all that stand between it and that place.
    let mut last = (Span::default(), Span::default());
    let mut add = |span: Span, content: Span, covers: &mut dyn FnMut() -> Span| match directive(text, content) {
        None => {}
        Some(Err(why)) => problems.push(Problem { kind: ProblemKind::MalformedSuppression(why.into()), span }),
        Some(Ok(Directive { rules, reason, whole_file })) => {
            let covers = if whole_file { Span::new(0, text.len()) } else { covers() };
            found.push(Suppression { span, rules, reason, covers, whole_file });
        }
    };
    if let Some(frontmatter) = frontmatter {
        for comment in yaml_comments(text, lines, frontmatter) {
            let content = Span::new(comment.start + 1, comment.end);
            add(comment, content, &mut || next_yaml(text, lines, frontmatter, comment, &mut last));
        }
    }
    let mut last = (Span::default(), Span::default());
    for comment in &markdown.comments {
        add(comment.span, comment.content, &mut || next_block(text, markdown, comment, &mut last));
    }
    found.sort_by_key(|suppression| suppression.span.start);
    found
}

/// Whether a `hintlint-ignore` comment may stand in `text`. Hidden characters may stand between its letters.
pub(super) fn may_stand_in(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"hintlint-").is_some()
        || !is_plain(text.as_bytes()) && text.chars().any(|c| !c.is_whitespace() && is_hidden(c))
}

/// Whether there are only letters, blanks and line ends of ASCII, none of which can be hidden.
fn is_plain(bytes: &[u8]) -> bool {
    let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    // Without a way out inside a piece, many bytes are compared at once.
    bytes.chunks(64).all(|piece| piece.iter().fold(true, |so_far, byte| so_far & plain(byte)))
}

struct Directive {
    rules: Vec<(String, Span)>,
    reason: String,
    whole_file: bool,
}

/// Read a comment's content as people see it; `None` if it does not address this program. So a fix that removes hidden
/// characters neither makes a comment void nor makes it work.
fn directive(text: &str, content: Span) -> Option<Result<Directive, Obstacle>> {
    let source = &text[content.range()];
    let is_seen = |c: char| c.is_whitespace() || !is_hidden(c);
    if source.chars().all(is_seen) {
        return seen_directive(source, content.start);
    }
    let seen: String = source.chars().filter(|&c| is_seen(c)).collect();
    let mut directive = seen_directive(&seen, content.start);
    if let Some(Ok(directive)) = &mut directive {
        // Offsets in the visible text are not offsets in the file.
        directive.rules.iter_mut().for_each(|(_, span)| *span = content);
    }
    directive
}

/// Read a comment's content that begins at the offset `start` and has no hidden characters.
fn seen_directive(source: &str, start: usize) -> Option<Result<Directive, Obstacle>> {
    let trimmed = source.trim_start();
    let rest = trimmed.strip_prefix("hintlint-")?;
    let word_len = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(word_len);
    let whole_file = match word {
        "ignore" => false,
        "ignore-file" => true,
        other => {
            return Some(Err(format!(
                "`hintlint-{other}` is not known; there are `hintlint-ignore` and `hintlint-ignore-file`"
            )
            .into()));
        }
    };
    let Some((names, reason)) = rest.split_once(':') else {
        return Some(Err("a `hintlint-ignore` comment needs a reason: `RULE: reason`".into()));
    };
    let mut at = start + source.len() - rest.len();
    let mut rules = Vec::new();
    for part in names.split_inclusive([',', ' ', '\t', '\r', '\n']) {
        let name = part.trim_end_matches([',', ' ', '\t', '\r', '\n']);
        if !name.is_empty() {
            rules.push((name.to_owned(), Span::new(at, at + name.len())));
        }
        at += part.len();
    }
    let reason = reason.trim();
    if rules.is_empty() {
        return Some(Err("a `hintlint-ignore` comment needs the name of a rule: `RULE: reason`".into()));
    }
    if reason.is_empty() {
        return Some(Err("a `hintlint-ignore` comment needs a reason after the colon".into()));
    }
    Some(Ok(Directive { rules, reason: reason.to_owned(), whole_file }))
}

/// What a Markdown comment covers. One that stands alone covers the next block that is no such comment itself, or the text
/// behind it on its line; one inside a line covers the innermost block it stands in.
fn next_block(text: &str, markdown: &Markdown, comment: &Comment, last: &mut (Span, Span)) -> Span {
    let Comment { span: comment, block, .. } = *comment;
    let first = markdown.blocks.partition_point(|block| block.start <= comment.start);
    let around = || markdown.blocks[..first].iter().rev().find(|block| block.covers(comment)).copied();
    let line_end = text[comment.end..].find('\n').map_or(text.len(), |at| comment.end + at);
    if !block || !text[comment.end..line_end].trim().is_empty() {
        return around().unwrap_or(Span::empty(comment.end));
    }
    if last.0.covers(comment) {
        return last.1;
    }
    let is_directive = |block: &Span| {
        let index = markdown.comments.partition_point(|comment| comment.span.start < block.start);
        let comment = markdown.comments.get(index).filter(|comment| comment.span.start == block.start);
        comment.is_some_and(|comment| directive(text, comment.content).is_some())
    };
    let next = markdown.blocks[first..].iter().find(|block| block.start >= comment.end && !is_directive(block));
    let covers = next.copied().unwrap_or(Span::empty(text.len()));
    *last = (Span::new(comment.start, covers.start), covers);
    covers
}

/// The comments of YAML. In invalid YAML, lines that begin with `#`.
fn yaml_comments(text: &str, lines: &LineIndex, frontmatter: &Frontmatter) -> Vec<Span> {
    if frontmatter.valid || !text[frontmatter.yaml.range()].contains("hintlint-") {
        return frontmatter.comments.clone();
    }
    let first = lines.line_of(frontmatter.yaml.start);
    let last = lines.line_of(frontmatter.yaml.end);
    (first..=last)
        .map(|line| lines.line_content(text.as_bytes(), line))
        .filter(|line| frontmatter.yaml.covers(*line) && text[line.range()].trim_start().starts_with('#'))
        .map(|line| Span::new(line.end - text[line.range()].trim_start().len(), line.end))
        .collect()
}

/// What a YAML comment covers: its own line if a value precedes it, else the next line, with the whole field if one begins there.
fn next_yaml(text: &str, lines: &LineIndex, frontmatter: &Frontmatter, comment: Span, last: &mut (Span, Span)) -> Span {
    let own = lines.line_of(comment.start);
    let own_span = lines.line_content(text.as_bytes(), own);
    if !text[own_span.start..comment.start].trim().is_empty() {
        return own_span;
    }
    if last.0.covers(comment) {
        return last.1;
    }
    let mut covers = Span::empty(frontmatter.yaml.end.max(comment.end));
    for line in own + 1..lines.count() {
        let span = lines.line_content(text.as_bytes(), line);
        if span.start >= frontmatter.yaml.end {
            break;
        }
        let content = text[span.range()].trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let index = frontmatter.fields.partition_point(|field| field.key_span.start < span.start);
        let field = frontmatter.fields.get(index).filter(|field| field.key_span.start < span.end);
        covers = Span::new(span.start, field.map_or(span.end, |field| field.value.span.end.max(span.end)));
        break;
    }
    *last = (Span::new(comment.start, covers.start), covers);
    covers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::parse::Document;

    fn parse(text: &str) -> Document {
        Document::parse("a.md".into(), Kind::Skill, text.as_bytes().into())
    }

    fn covered(text: &str) -> Vec<String> {
        parse(text).suppressions.iter().map(|s| text[s.covers.range()].trim_end().to_owned()).collect()
    }

    #[test]
    fn names_and_reason_are_read_with_their_places() {
        let text = "<!--  hintlint-ignore stale-path, unicode : because: of it -->\n\ntext\n";
        let document = parse(text);
        let [suppression] = &document.suppressions[..] else { panic!("{document:?}") };
        let names: Vec<_> = suppression.rules.iter().map(|(name, span)| (name.as_str(), &text[span.range()])).collect();
        assert_eq!(names, [("stale-path", "stale-path"), ("unicode", "unicode")]);
        assert_eq!((suppression.reason.as_str(), suppression.whole_file), ("because: of it", false));
    }

    #[test]
    fn a_reason_that_nobody_sees_is_none() {
        for (reason, counts) in [("\u{200b}", false), ("\u{2060} \u{e0041}", false), ("", false), ("a\u{200b}", true)] {
            let document = parse(&format!("<!-- hintlint-ignore a: {reason} -->\n\np\n"));
            assert_eq!(!document.suppressions.is_empty(), counts, "{reason:?}");
            assert_eq!(document.problems.is_empty(), counts, "{reason:?}");
        }
    }

    #[test]
    fn hidden_characters_change_no_suppression() {
        let plain = parse("<!-- hintlint-ignore stale-path: why -->\n\np\n");
        let text = "<!-- hint\u{200b}lint-ig\u{2060}nore sta\u{0}le-path\u{e0041}: why -->\n\np\n";
        let document = parse(text);
        let [suppression] = &document.suppressions[..] else { panic!("{document:?}") };
        assert_eq!(suppression.rules[0].0, plain.suppressions[0].rules[0].0);
        assert_eq!(suppression.reason, "why");
        assert!(suppression.span.covers(suppression.rules[0].1), "{suppression:?}");
        assert!(parse("<!-- hintlint-ignore \u{200b}: why -->\n\np\n").suppressions.is_empty());
    }

    #[test]
    fn the_next_block_is_covered() {
        for (text, want) in [
            ("<!-- hintlint-ignore a: b -->\n\np\nq\n\nr\n", "p\nq"),
            ("<!-- hintlint-ignore a: b -->\n- x\n  - y\n\np\n", "- x\n  - y"),
            ("<!-- hintlint-ignore a: b -->\n```\nx\n\ny\n```\np\n", "```\nx\n\ny\n```"),
            ("- x\n\n  <!-- hintlint-ignore a: b -->\n- y\n- z\n", "- y"),
            ("p <!-- hintlint-ignore a: b --> q\n\nr\n", "p <!-- hintlint-ignore a: b --> q"),
            ("<!-- hintlint-ignore a: b -->\n\n[x]: y.md\n", "[x]: y.md"),
            ("<!-- hintlint-ignore a: b -->\n", ""),
            ("p\n\n<!-- hintlint-ignore-file a: b -->", "p\n\n<!-- hintlint-ignore-file a: b -->"),
        ] {
            assert_eq!(covered(text), [want], "{text:?}");
        }
        let two = "<!-- hintlint-ignore a: b -->\n<!-- hintlint-ignore c: d -->\np\n";
        assert_eq!(covered(two), ["p", "p"]);
        assert_eq!(covered("`<!-- hintlint-ignore a: b -->`\n\n    <!-- hintlint-ignore a: b -->\n"), [""; 0]);
    }

    #[test]
    fn yaml_comments_cover_the_next_field() {
        for (yaml, want) in [
            ("# hintlint-ignore a: b\nname: x\nd: y", "name: x"),
            ("# hintlint-ignore a: b\n\n# other\nt:\n  - 1\n  - 2\nd: y", "t:\n  - 1\n  - 2"),
            ("name: x # hintlint-ignore a: b\nd: y", "name: x # hintlint-ignore a: b"),
            ("# hintlint-ignore a: b\nname: x: y", "name: x: y"),
        ] {
            assert_eq!(covered(&format!("---\n{yaml}\n---\n")), [want], "{yaml:?}");
        }
    }

    #[test]
    fn what_cannot_be_understood_is_a_problem() {
        for comment in
            ["hintlint-ignore", "hintlint-ignore a", "hintlint-ignore a:", "hintlint-ignore : b", "hintlint-off a: b"]
        {
            let document = parse(&format!("<!-- {comment} -->\n\np\n"));
            let problems = &document.problems;
            assert!(matches!(problems[..], [Problem { kind: ProblemKind::MalformedSuppression(_), .. }]), "{comment}");
            assert!(document.suppressions.is_empty());
        }
        assert!(parse("<!-- see hintlint-ignore -->\n").problems.is_empty());
    }
}
