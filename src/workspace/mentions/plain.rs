//! Paths that a text names without backticks: words of its prose, lists, headings and tables, and the entries of trees that fences
//! draw. Knows the text alone. Such a path is worth a look only if history knew it.

mod indented;

use super::stance::{self, Stance};
use super::token;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};

/// Words and entries of one text that are looked at, at most.
const MAX_FOUND: usize = 2000;

/// Bytes of a path; no file system takes a longer one.
pub(super) const MAX_PATH: usize = 4096;

/// What may stand around a path in prose.
const AROUND: [char; 18] =
    ['(', ')', ',', ';', ':', '"', '\'', '*', '!', '?', '“', '”', '‘', '’', '，', '。', '、', '：'];

/// Where paths stand in plain words.
pub(super) fn words(document: &Document) -> Vec<(Span, Option<Span>)> {
    let mut found = Vec::new();
    for leaf in &document.markdown.text {
        let text = document.slice(leaf.span);
        found.extend(named_item(document, leaf.span).filter(|_| found.len() < MAX_FOUND).map(|span| (span, None)));
        let is_page = |word: &str| word.contains(".md");
        if !text.contains('/') && !is_page(text) {
            continue;
        }
        for (at, word) in split(text).filter(|(_, word)| word.contains('/') || is_page(word)) {
            let bare = word.trim_start_matches(AROUND);
            let start = leaf.span.start + at + word.len() - bare.len();
            let bare = bare.trim_end_matches(AROUND).trim_end_matches('.').trim_end_matches(AROUND);
            let is_sent_to =
                || is_lone_page(bare) && stance::is_sent_to(document, Span::new(start, start + bare.len()));
            if (is_path(bare) || may_be_a_folder(bare) || is_sent_to()) && found.len() < MAX_FOUND {
                found.push((Span::new(start, start + bare.len()), None));
            }
        }
    }
    for code in &document.markdown.code {
        let CodeKind::Fence { language, .. } = &code.kind else { continue };
        if matches!(language.as_str(), "" | "text" | "txt") && !has_branches(document.slice(code.content)) {
            listed(document, code, &mut found);
        }
    }
    found
}

/// The paths with which the lines of a fence begin that lists some, and says behind blanks what they hold.
fn listed(document: &Document, code: &Code, found: &mut Vec<(Span, Option<Span>)>) {
    let mut at = code.content.start;
    for line in document.slice(code.content).split_inclusive('\n') {
        let name = line.split([' ', '\t', '\r', '\n']).next().unwrap_or(line);
        let rest = &line[name.len()..];
        let says = rest.starts_with("  ") || rest.starts_with('\t') || rest.trim_start().starts_with(['#', '\u{2192}']);
        if says && (is_path(name) || is_name(name)) && found.len() < MAX_FOUND {
            found.push((Span::new(at, at + name.len()), Some(code.span)));
        }
        at += line.len();
    }
}

/// The words of `text` and where they begin.
fn split(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let ends = |c: char| matches!(c, ' ' | '\t') || token::FULL_WIDTH.contains(&c);
    text.split_inclusive(ends).map(move |word| {
        let start = at;
        at += word.len();
        (start, word.trim_end_matches(ends))
    })
}

/// Whether the word is a path of at least two parts, with an extension that files have or a slash at its end.
fn is_path(word: &str) -> bool {
    let Some(token) = token::in_code(word) else { return false };
    let parts = token.path.split('/').filter(|part| !part.is_empty() && *part != "." && *part != "..").count();
    parts > 1 && !token.path.starts_with('/') && (token.directory || token::may_have_been(token.path))
}

/// Whether a word is spelt like the path of a folder, without a slash at its end. So is `and/or`; only what history knew is
/// reported.
fn may_be_a_folder(word: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
    word.trim_start_matches(['.', '/']).contains('/')
        && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '.')
        && word.chars().all(is_plain)
        && token::in_code(word).is_some_and(|token| !token.directory)
        && !token::has_extension(word)
        && token::may_have_been_a_folder(word)
}

/// Whether the word is a file's name without a folder, and none of those that any project may have.
fn is_name(word: &str) -> bool {
    let token = token::in_code(word).filter(|token| !token.directory && !token.path.contains('/'));
    token.is_some_and(|token| token::may_have_been(token.path) && !stance::is_alternative(token.path))
}

/// Whether the word is the name of a page, as pages are called that a project keeps in its root: `RELEASE.md`.
fn is_lone_page(word: &str) -> bool {
    let stem = word.strip_suffix(".md").filter(|stem| stem.len() > 3);
    stem.is_some_and(|stem| stem.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-')))
        && is_name(word)
}

/// The file's name with which the list item or table cell at `leaf` begins, if it says behind it what the file is.
fn named_item(document: &Document, leaf: Span) -> Option<Span> {
    let text = document.slice(leaf);
    let name = text.split([' ', '\t', ':', '*', '|']).next().filter(|name| name.contains('.') && is_name(name))?;
    let rest = text[name.len()..].trim_start_matches(['*', '_', ' ']);
    let line = document.lines.line_span(document.lines.line_of(leaf.start));
    let marks = document.text.get(line.start..leaf.start)?;
    let begins = marks.trim_start().starts_with(['-', '*', '+', '|']) && marks.chars().all(|c| " \t-*+_|".contains(c));
    let says = rest.is_empty() || rest.starts_with(['-', '–', '—', ':', '→', '(']);
    (begins && says).then(|| Span::new(leaf.start, leaf.start + name.len()))
}

/// An entry of a tree that a fence draws.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DrawnEntry {
    /// Where its name stands.
    pub(super) span: Span,
    /// Its path from the tree's root, with the root's own name.
    pub(super) path: String,
    /// Whether it is a folder.
    pub(super) directory: bool,
    /// How many folders lead to it in the drawing.
    pub(super) depth: usize,
    /// What the text claims about it.
    pub(super) stance: Stance,
}

/// Languages of fences that draw trees.
const PLAIN: [&str; 9] = ["", "text", "txt", "plaintext", "plain", "tree", "bash", "sh", "shell"];

/// The entries of all trees that `document` draws, tree by tree.
pub(super) fn trees(document: &Document) -> Vec<Vec<DrawnEntry>> {
    let mut found: Vec<Vec<DrawnEntry>> = Vec::new();
    let mut count = 0;
    for code in &document.markdown.code {
        let CodeKind::Fence { language, .. } = &code.kind else { continue };
        let plain = PLAIN;
        if !plain.contains(&language.to_ascii_lowercase().as_str()) || !draws_a_tree(document.slice(code.content)) {
            continue;
        }
        let stance = stance::of_tree(document, code.span);
        let tree = tree(document, code, stance);
        count += tree.len();
        if count > MAX_FOUND {
            break;
        }
        found.push(tree);
    }
    found
}

fn draws_a_tree(text: &str) -> bool {
    !has_boxes(text) && (has_branches(text) || indented::draws_a_tree(text))
}

/// Whether the text draws boxes, as of layers or steps: the right corners of a box are in no tree.
fn has_boxes(text: &str) -> bool {
    text.contains(['┐', '┘', '╗', '╝', '╮', '╯', '┓', '┛'])
}

fn has_branches(text: &str) -> bool {
    ["├", "└", "|--", "+--", "`--"].iter().any(|branch| text.contains(branch))
}

/// Lines that draw only the way to an entry.
fn is_drawing(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}' | '│' | '├' | '└' | '─' | '┃' | '┣' | '┗' | '━' | '|' | '+' | '`')
}

fn tree(document: &Document, code: &Code, fence: Stance) -> Vec<DrawnEntry> {
    let text = document.slice(code.content);
    let mut entries: Vec<DrawnEntry> = Vec::new();
    // The names that lead to the entry of the moment, with the columns in which they stand.
    let mut above: Vec<(usize, &str)> = Vec::new();
    // A drawing that begins with a branch leaves its root out, and so does an indented one of several folders.
    let is_forest = !has_branches(text) && indented::has_no_root(text);
    if is_forest || text.trim_start().starts_with(['├', '└', '┣', '┗', '|', '+', '`']) {
        above.push((0, "."));
    }
    let mut at = code.content.start;
    let mut remarks_from: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some((column, from, name, remark)) = entry(line) else { continue };
        // A remark goes on below itself.
        if !has_branches(&line[..from]) && remarks_from.is_some_and(|remarks| column >= remarks) {
            continue;
        }
        remarks_from = column_of(line, remark.trim());
        let column = column + usize::from(is_forest);
        while above.last().is_some_and(|(other, _)| *other >= column) {
            above.pop();
        }
        let bare = name.trim_end_matches('/').trim_start_matches("./");
        // What hangs below an entry makes it a folder.
        if let Some(last) = entries.last_mut().filter(|last| last.depth < above.len()) {
            last.directory = true;
        }
        let names = || above.iter().map(|(_, name)| *name).chain([bare]);
        if names().map(|name| name.len() + 1).sum::<usize>() > MAX_PATH {
            above.push((column, bare));
            continue;
        }
        let path = names().collect::<Vec<_>>().join("/").trim_start_matches("./").to_owned();
        let stance = if stance::remark_denies(remark) { Stance::Denies } else { fence };
        let begin = start + from;
        entries.push(DrawnEntry {
            span: Span::new(begin, begin + name.len()),
            path,
            directory: name.ends_with('/'),
            depth: above.len(),
            stance,
        });
        above.push((column, if bare.is_empty() { "." } else { bare }));
        if entries.len() >= MAX_FOUND {
            break;
        }
    }
    entries
}

/// The name in a line of a tree: its column in characters, where it begins, and what is remarked behind it.
fn entry(line: &str) -> Option<(usize, usize, &str, &str)> {
    let line = line.trim_end();
    // `--` is part of a drawing only behind its branch.
    let mut from = line.find(|c: char| !is_drawing(c))?;
    if line[..from].ends_with(['|', '+', '`']) {
        from += line[from..].len() - line[from..].trim_start_matches(['-', ' ']).len();
    }
    // A sign right before a name belongs to it where a blank parts both from the drawing: `├── +page.svelte`.
    if line[..from].ends_with(" +") && !line[from..].starts_with(['-', '+']) {
        from -= 1;
    }
    let rest = &line[from..];
    let name = rest.split([' ', '\t', '\u{a0}']).next()?;
    // A dash may stand right behind the name: `rows.rs— reads rows`.
    let name = name.split(['—', '–']).next().filter(|name| !name.is_empty())?;
    // `grid.cu/.cuh` draws two files of one name.
    let name = name.split_once("/.").map_or(name, |(first, end)| match first.contains('.') && !end.contains('/') {
        true => first,
        false => name,
    });
    if name.starts_with(['#', '(', '.', '/', '~']) && !is_dotted_name(name) && !is_route_group(name) {
        return (name == "." || name == "./").then_some((0, from, name, ""));
    }
    Some((line[..from].chars().count(), from, name, &rest[name.len()..]))
}

/// The column in characters where `part` of a line begins; `None` for nothing.
fn column_of(line: &str, part: &str) -> Option<usize> {
    let at = line.rfind(part).filter(|_| !part.is_empty())?;
    Some(line[..at].chars().count())
}

/// Whether the name is that of a folder of routes which is no part of their addresses: `(dashboard)/`.
fn is_route_group(name: &str) -> bool {
    let inner = name.trim_end_matches('/').strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.is_some_and(|inner| {
        !inner.is_empty() && inner.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    })
}

/// Whether the name is that of a dot file or folder.
fn is_dotted_name(name: &str) -> bool {
    name.starts_with('.') && name[1..].starts_with(|c: char| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;

    fn parse(text: &str) -> Document {
        Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into())
    }

    #[test]
    fn paths_stand_in_lists_headings_tables_and_prose() {
        let document = parse(
            "# src/a_b/c_d.ts\n\n- **lib/list.rs**: (see docs/guide.md), src/[id]/p.tsx.\n\n| File | Is |\n|---|---|\n| api/serve.go | and/or |\n\n\
             Put old/things/ there: `code/quoted.py` [web/start.md](v.md) <a href=\"u/t.md\"> https://x.y/z.md 1/2 he/she\n",
        );
        let found: Vec<_> = words(&document).into_iter().map(|(span, _)| document.slice(span)).collect();
        // The listing knows that these are no folders.
        let phrases = ["and/or", "he/she"];
        let want = ["src/a_b/c_d.ts", "lib/list.rs", "docs/guide.md", "api/serve.go", "old/things/", "web/start.md"];
        let is_told = |path: &&&str| !path.contains('[') && !phrases.contains(path);
        assert_eq!(found.iter().filter(is_told).copied().collect::<Vec<_>>(), want);
        assert!(phrases.iter().all(|phrase| found.contains(phrase)));
    }

    #[test]
    fn a_fence_may_list_paths() {
        let document = parse(
            "```\ncore/ui/    the views\napp/a1.rs # starts\napp/c1.rs \u{2192} rows\napi/b1.rs 12 3\nand/or  else\nx/\n```\n\n```js\nlib/c.js  x\n```\n",
        );
        let found: Vec<_> = words(&document).into_iter().map(|(span, _)| document.slice(span)).collect();
        assert_eq!(found, ["core/ui/", "app/a1.rs", "app/c1.rs"]);
    }

    #[test]
    fn full_width_marks_end_a_path() {
        let document = parse("- 台账：docs/ledger.md\n- 更新 docs/plan.md、docs/specs/kpi.md，见（docs/list.md）。\n");
        let found: Vec<_> = words(&document).into_iter().map(|(span, _)| document.slice(span)).collect();
        assert_eq!(found, ["docs/ledger.md", "docs/plan.md", "docs/specs/kpi.md", "docs/list.md"]);
    }

    fn drawn(text: &str) -> Vec<String> {
        let line = |entry: &DrawnEntry| {
            let end = if entry.directory { "/" } else { "" };
            let denied = if entry.stance == Stance::Denies { " denied" } else { "" };
            format!("{}{end}{denied}", entry.path)
        };
        trees(&parse(text)).iter().flatten().map(line).collect()
    }

    #[test]
    fn a_tree_deeper_than_any_file_system_costs_no_more_than_its_paths() {
        let line = |level: usize| format!("{}├── {}/\n", " ".repeat(level), "b".repeat(99));
        let text = format!("```\n{}├── end.md\n```\n", (0..400).map(line).collect::<String>());
        let document = parse(&text);
        let paths: Vec<String> = trees(&document).into_iter().flatten().map(|entry| entry.path).collect();
        assert_eq!((paths.len(), paths.iter().map(String::len).max()), (41, Some(40 * 100 - 1)));
        assert_eq!(paths.last().map(String::as_str), Some("end.md"));
    }

    #[test]
    fn a_dash_right_behind_a_name_is_no_part_of_it() {
        let text = "```\nsrc/\n├── rows.rs— reads rows\n├── lines.rs  — reads lines\n└── all.rs\n```\n";
        assert_eq!(drawn(text), ["src/", "src/rows.rs", "src/lines.rs", "src/all.rs"]);
    }

    #[test]
    fn a_remark_goes_on_below_itself() {
        let text = "```\nx/\n├── hooks/     ← found by name,\n│              hooks/ of Codex, too\n└── skills/\n    └── a.md\n```\n";
        assert_eq!(drawn(text), ["x/", "x/hooks/", "x/skills/", "x/skills/a.md"]);
    }

    #[test]
    fn trees_give_whole_paths() {
        let text = "```\nproject/\n├── src/\n│   ├── a.ts   # the start\n│   └── old.ts # removed\n├── .github/\n│   └── ci.yml\n└── README.md\n```\n";
        let want = [
            "project/",
            "project/src/",
            "project/src/a.ts",
            "project/src/old.ts denied",
            "project/.github/",
            "project/.github/ci.yml",
            "project/README.md",
        ];
        assert_eq!(drawn(text), want);
        let ascii = "```text\n.\n|-- lib\n|   `-- x.rs\n+-- y.rs\n```\n";
        assert_eq!(drawn(ascii), ["./", "lib/", "lib/x.rs", "y.rs"]);
        assert_eq!(drawn("```\nsrc/\n  a.ts\n```\n"), [""; 0]);
        let boxes = "```\n┌──────┐\n│ CLI  │\n├──────┤\n│ core │\n└──────┘\n```\n";
        assert_eq!(drawn(boxes), [""; 0]);
        let group = "```\n├── (open)/\n│   └── x.rs\n└── (all of them)\n```\n";
        assert_eq!(drawn(group), ["(open)/", "(open)/x.rs"]);
        let rootless = "```\n├── lib/\n│   └── x.rs\n└── y.rs\n```\n";
        assert_eq!(drawn(rootless), ["lib/", "lib/x.rs", "y.rs"]);
        assert_eq!(
            drawn("Create the following files:\n\n```\nsrc/\n└── a.ts\n```\n"),
            ["src/ denied", "src/a.ts denied"]
        );
    }
}
