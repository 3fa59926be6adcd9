//! The anchors of a Markdown file: slugs of its headings as GitHub makes them, `{#id}`, and HTML ids.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::text::Span;
use crate::parse::Markdown;
use crate::parse::markdown::{CodeKind, Heading};

/// All anchors that a link may name, in the form in which they are compared.
pub(super) fn of(text: &str, markdown: &Markdown) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (heading, (_, anchor)) in markdown.headings.iter().zip(of_headings(markdown)) {
        let source = text.get(heading.span.range()).unwrap_or("");
        anchors.extend(heading.id.iter().map(|id| folded(id)));
        anchors.extend(attribute_list_id(source).map(folded));
        anchors.insert(folded(&anchor));
        // What stands between colons may be no emoji: `glassEffect(_:in:)`.
        anchors.insert(folded(&slug(&heading.text)));
    }
    for span in &markdown.html {
        let html = text.get(span.range()).unwrap_or("");
        html_ids(html, &mut anchors);
        // A heading right below a tag is none for the format, and one for whoever reads it.
        anchors.extend(titles(html));
    }
    anchors
}

/// Where each heading stands, and the anchor that GitHub gives it.
pub(super) fn of_headings(markdown: &Markdown) -> Vec<(Span, String)> {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    let anchor = |heading: &Heading| {
        let slug = slug(&without_shortcodes(&heading.text));
        let count = uses.entry(slug.clone()).or_default();
        let numbered = if *count == 0 { slug.clone() } else { format!("{slug}-{count}") };
        *count += 1;
        // A heading whose own text ends like a number takes that name away from later duplicates.
        uses.entry(numbered.clone()).or_insert(1);
        (heading.span, numbered)
    };
    markdown.headings.iter().map(anchor).collect()
}

/// The anchors that lines of code fences would have if they were headings.
pub(super) fn in_fences(text: &str, markdown: &Markdown) -> BTreeSet<String> {
    let fences = markdown.code.iter().filter(|code| matches!(code.kind, CodeKind::Fence { .. }));
    fences.flat_map(|code| titles(text.get(code.content.range()).unwrap_or(""))).collect()
}

/// The anchors that lines of `text` would have if they were headings.
fn titles(text: &str) -> impl Iterator<Item = String> {
    let titles = text.lines().filter_map(|line| {
        let title = line.trim_start().trim_start_matches('#');
        (title.len() < line.trim_start().len() && title.starts_with(' ')).then(|| title.trim())
    });
    titles.map(|title| folded(&slug(&title.replace(['`', '*'], ""))))
}

/// Whether `fragment` names a place in a Markdown file at all, rather than a line, a text or a script's state.
pub(super) fn is_heading_anchor(fragment: &str) -> bool {
    let line = fragment.strip_prefix('L').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    !fragment.is_empty()
        && !line
        && !fragment.eq_ignore_ascii_case("top")
        && !fragment.starts_with(":~:")
        && !fragment.contains(['/', '=', '!', '<', '{', '$', ' '])
}

/// The form in which anchors are compared. Browsers and editors differ in case, in hyphens at the ends, and in what stays of an
/// emoji; none of these differences is worth a finding.
pub(super) fn folded(anchor: &str) -> String {
    let anchor = anchor.strip_prefix("user-content-").unwrap_or(anchor);
    // Superscript digits count as digits to some and as punctuation to others.
    let dropped = |c: &char| matches!(c, '\u{fe0f}' | '\u{200d}' | '²' | '³' | '¹');
    let kept: String = anchor.chars().filter(|c| !dropped(c)).collect();
    kept.to_lowercase().trim_matches('-').to_owned()
}

/// GitHub's slug: lower case, blanks as hyphens, of the rest only letters, digits, marks, `_` and `-`.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            ' ' => slug.push('-'),
            '-' | '_' => slug.push(c),
            c if c.is_alphanumeric() || is_mark(c) => slug.extend(c.to_lowercase()),
            _ => {}
        }
    }
    slug
}

/// Combining marks are part of words; the standard library counts most of them as neither letters nor digits.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// `:rocket:` is an emoji to GitHub, and no part of the slug.
fn without_shortcodes(text: &str) -> String {
    let parts: Vec<&str> = text.split(':').collect();
    let is_code = |part: &str| {
        part.len() > 1
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '+'))
    };
    let mut kept = String::with_capacity(text.len());
    let mut index = 0;
    while index < parts.len() {
        kept.push_str(parts[index]);
        if index + 2 < parts.len() && is_code(parts[index + 1]) {
            index += 2;
        } else {
            index += 1;
        }
    }
    kept
}

/// The id of `{: #id }`, as some site generators write it.
fn attribute_list_id(source: &str) -> Option<&str> {
    let list = source.trim_end_matches(['#', ' ', '\r', '\n']).strip_suffix('}')?;
    let list = &list[list.rfind('{')?..];
    let id = &list[list.find('#')? + 1..];
    Some(id.split([' ', '\t', '.', ',']).next().unwrap_or(id))
}

fn html_ids(html: &str, anchors: &mut BTreeSet<String>) {
    for name in ["id", "name"] {
        for (at, _) in html.match_indices(name) {
            let begins = html[..at].ends_with(|c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\''));
            let Some(value) = html[at + name.len()..].trim_start().strip_prefix('=').filter(|_| begins) else {
                continue;
            };
            let value = value.trim_start();
            let id = match value.chars().next() {
                Some(quote @ ('"' | '\'')) => value[1..].split(quote).next(),
                _ => value.split(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/')).next(),
            };
            anchors.extend(id.filter(|id| !id.is_empty()).map(folded));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::markdown;

    #[test]
    fn anchors_are_what_github_makes() {
        let text = "# A & *B* `c_d`\n\n## Dup\n\n## Dup\n\n## 動的な指示 {#dyn}\n\n## 🔄 vs Prisma\n\n## What's new?\n\n## :rocket: Go\n\n\
                    <a name=\"old\"></a> <h2 id='x-y'>t</h2>\n\nSet ext\n---\n\n## Attr {: #attr-id }\n\n## 1.2 C++\n\n## Dup-1\n\n\
                    ## x² + y²\n\n## See [the `docs`](x.md) now\n\n## Κεφάλαιο Ά\n\n## move(_:in:)\n";
        let found = of(text, &markdown::read(text, 0));
        for anchor in [
            "a--b-c_d",
            "dup",
            "dup-1",
            "動的な指示",
            "dyn",
            "-vs-prisma",
            "whats-new",
            "-go",
            "old",
            "x-y",
            "set-ext",
            "attr-id",
            "12-c",
            "x--y",
            "see-the-docs-now",
            "κεφάλαιο-ά",
            "move_in",
        ] {
            assert!(found.contains(&folded(anchor)), "{anchor}: {found:?}");
        }
        for anchor in ["a-b", "dup-9", "what-s-new", "new"] {
            assert!(!found.contains(&folded(anchor)), "{anchor}");
        }
    }

    #[test]
    fn lines_and_states_are_no_headings() {
        for fragment in ["L12", "L1-L5", ":~:text=x", "/route", "top", "", "a=b"] {
            assert!(!is_heading_anchor(fragment), "{fragment}");
        }
        assert!(is_heading_anchor("layers") && is_heading_anchor("Lessons"));
    }
}
