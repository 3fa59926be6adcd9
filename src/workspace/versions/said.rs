//! Where a text says which version of a technology the project uses: in an item or a cell that lists what it is made of, or behind a
//! word for it ("built with Next.js 15"). What compares, teaches or tells of the past says nothing of the project.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::bounds::{BOUNDS, ends_bound, goes_on_in_brackets, is_whole};
use super::number::VersionNumber;
use super::technology::{TECHNOLOGIES, Technology};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::workspace::mentions;

/// One version that a text gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct SaidVersion {
    pub(super) technology: &'static Technology,
    pub(super) number: VersionNumber,
    /// The other one of two: `14/15`.
    pub(super) or: Option<VersionNumber>,
    /// Whether the project needs it at least: `18+`.
    pub(super) is_bound: bool,
    /// Where the number stands, or both.
    pub(super) digits: Span,
    /// Where name and number stand.
    pub(super) span: Span,
}

/// All names, and which technology each is of.
static NAMES: LazyLock<Option<(AhoCorasick, Vec<&'static Technology>)>> = LazyLock::new(|| {
    let names = TECHNOLOGIES.iter().flat_map(|technology| technology.names.iter().map(move |name| (*name, technology)));
    let (names, technologies): (Vec<&str>, Vec<&Technology>) = names.unzip();
    let search = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(names).ok()?;
    Some((search, technologies))
});

/// A greater number is a port or a count.
const MAX_MAJOR: u32 = 99;

/// Versions of one text, at most.
const MAX_SAID: usize = 400;

/// The versions that `document` gives.
pub(super) fn said(document: &Document) -> Vec<SaidVersion> {
    let Some((search, technologies)) = NAMES.as_ref() else { return Vec::new() };
    let text = &document.text;
    let found = search.find_iter(&text[document.body..]).filter_map(|found| {
        let (start, end) = (document.body + found.start(), document.body + found.end());
        let digits = digits_behind(text, end).filter(|_| !is_part(text, start))?;
        let (number, length) = VersionNumber::at(&text[digits..])?;
        // `TypeScript: 0 errors` is a count.
        if number.major > MAX_MAJOR || number.major == 0 && number.minor.is_none() {
            return None;
        }
        let or = text[digits + length..].strip_prefix('/').and_then(VersionNumber::at);
        let length = length + or.map_or(0, |(_, length)| 1 + length);
        let or = or.map(|(number, _)| number);
        // `Vitest (14 test files)` counts something.
        let is_in_brackets = text[end..digits].ends_with('(');
        if is_in_brackets && text[digits + length..].starts_with(' ') && !goes_on_in_brackets(&text[digits + length..])
        {
            return None;
        }
        let is_bound = ends_bound(&text[digits + length..]) || BOUNDS.iter().any(|mark| text[..digits].ends_with(mark));
        let digits = Span::new(digits, digits + length);
        if !fill_their_cells(text, Span::new(start, end), digits) {
            return None;
        }
        let technology = technologies[found.pattern().as_usize()];
        Some(SaidVersion { technology, number, or, is_bound, digits, span: Span::new(start, digits.end) })
    });
    let all: Vec<SaidVersion> = found.take(MAX_SAID).collect();
    let told: Vec<SaidVersion> = all.iter().copied().filter(|said| is_of_the_project(document, said)).collect();
    let is_alone = |said: &SaidVersion| !is_one_of_many(said, &told) && !is_one_of_two(document, said, &all);
    told.iter().copied().filter(is_alone).collect()
}

/// So many versions of one technology say when something came, and not what the project uses.
const MANY_VERSIONS: usize = 3;

fn is_one_of_many(said: &SaidVersion, all: &[SaidVersion]) -> bool {
    let same = all.iter().filter(|other| std::ptr::eq(other.technology, said.technology));
    same.map(|other| (other.number.major, other.number.minor)).collect::<BTreeSet<_>>().len() >= MANY_VERSIONS
}

/// Whether the line gives another version of the same technology, too: one is of another place.
fn is_one_of_two(document: &Document, said: &SaidVersion, all: &[SaidVersion]) -> bool {
    let line = document.lines.line_of(said.span.start);
    all.iter().any(|other| {
        std::ptr::eq(other.technology, said.technology)
            && other.number != said.number
            && document.lines.line_of(other.span.start) == line
    })
}

/// Whether the name that begins at `start` is the end of another word.
fn is_part(text: &str, start: usize) -> bool {
    text[..start].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '@' | '/' | '.' | '-' | '_'))
        && !text[..start].ends_with(|c: char| c.is_alphabetic() && !c.is_ascii() && c > '\u{2e80}')
        && !text[..start].ends_with(" /")
}

/// Where the number of the name that ends at `end` begins.
fn digits_behind(text: &str, end: usize) -> Option<usize> {
    let rest = &text[end..];
    // `C++20` is written in one.
    if text[..end].ends_with("C++") && rest.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(end);
    }
    // `packageManager: pnpm@9.12.0`
    if let Some(pinned) = rest.strip_prefix('@').filter(|_| is_pin(&text[..end])) {
        return pinned.starts_with(|c: char| c.is_ascii_digit()).then(|| text.len() - pinned.len());
    }
    let marks = rest.trim_start_matches(['*', '`', '_', ':']);
    let spaced = marks.strip_prefix(' ')?;
    let spaced = spaced.strip_prefix("| ").unwrap_or(spaced);
    let spaced = spaced.strip_prefix(['(', '*', '`']).unwrap_or(spaced);
    let number = VERSION.iter().chain(&BOUNDS).find_map(|word| spaced.strip_prefix(word)).unwrap_or(spaced);
    let number = number.trim_start_matches(['*', '`']);
    number.starts_with(|c: char| c.is_ascii_digit()).then(|| text.len() - number.len())
}

/// Whether the number behind `before` is that of a package manager which a manifest pins.
fn is_pinned(before: &str) -> bool {
    before.strip_suffix('@').is_some_and(is_pin)
}

/// Whether `before`, which ends with a name, gives it as the package manager that a manifest pins.
fn is_pin(before: &str) -> bool {
    let key = before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim_end_matches(['"', '`', ' ', ':', '=']);
    key.ends_with("packageManager")
}

/// What may stand between a name and its number, besides [`BOUNDS`].
const VERSION: [&str; 9] =
    ["version is ", "Version is ", "version: ", "Version: ", "version ", "Version ", "v", "^", "~"];

/// Whether the name and the number that begins at `digits` stand in two cells of a row: then each must fill its own.
fn fill_their_cells(text: &str, name: Span, digits: Span) -> bool {
    let is_border = |c: char| matches!(c, '|' | '\n');
    let is_mark = |c: char| matches!(c, ' ' | '*' | '`' | '_');
    if !text[name.end..digits.start].contains('|') {
        return true;
    }
    text[..name.start].trim_end_matches(is_mark).ends_with('|')
        && text[digits.end..].trim_start_matches(is_mark).starts_with(is_border)
}

/// Words of a line that speaks of another version than the one in use.
const OTHER: [&str; 25] = [
    "->",
    "→",
    "after ",
    "before ",
    "breaking",
    "deprecat",
    "e.g.",
    "example",
    "former",
    "from ",
    "instead",
    "introduced",
    "legacy",
    "migrat",
    "no longer",
    "older",
    "plan",
    "previous",
    "recommend",
    "since ",
    "support",
    "than ",
    "until ",
    "upgrad",
    "was ",
];

/// Words of a heading below which other versions stand.
const OTHER_SECTIONS: [&str; 10] =
    ["changelog", "compar", "example", "future", "histor", "legacy", "migrat", "plan", "roadmap", "upgrad"];

fn is_of_the_project(document: &Document, said: &SaidVersion) -> bool {
    let line = document.lines.line_span(document.lines.line_of(said.span.start));
    let whole = document.slice(line);
    let code = document.markdown.code_at(said.span.start);
    let language = code.and_then(|code| match &code.kind {
        CodeKind::Fence { language, .. } => Some(language.as_str()),
        _ => None,
    });
    let before = &document.text[line.start..said.span.start];
    let behind = &document.text[said.span.end..line.end];
    let remark = remark_of_folder(before).filter(|_| matches!(language, Some("" | "text" | "txt")));
    let whole = remark.map_or(whole, |remark| &document.text[said.span.start - remark.len()..line.end]);
    let before = match language {
        // The remark behind an entry of a tree or a folder, and an item of a list that a fence sets apart.
        Some(_) if before.contains(['├', '└']) => before.rsplit_once('#').map(|(_, remark)| remark),
        Some(_) if remark.is_some() => remark,
        Some("") if before.trim_start().starts_with("- ") => Some(before),
        Some(_) => None,
        None if before.trim_start().starts_with(['#', '>']) => None,
        None => Some(before.rsplit('|').next().unwrap_or(before)),
    };
    let Some(before) = before else { return false };
    let lower = whole.to_lowercase();
    let heading = document.markdown.heading_of(said.span.start);
    let heading = heading.map(|at| document.markdown.headings[at].text.to_lowercase()).unwrap_or_default();
    // `testing/synctest` (Go 1.24+): since when something is there.
    let is_since = said.is_bound && before.ends_with('(');
    (is_whole(behind) || said.is_bound && !is_since)
        && (is_listed(before)
            || is_told(before)
            || is_pinned(&document.text[..said.digits.start])
            || is_opening(before, behind)
            || is_stated(document, said, before))
        && !OTHER.iter().any(|word| lower.contains(word))
        && !OTHER_SECTIONS.iter().any(|word| heading.contains(word))
        && (lower.contains("package manager") || !mentions::is_doubted(document, said.span))
}

/// What is remarked behind a folder at the beginning of a line, up to the end of `before`: "`api/   → Java 21 / Spring Boot 3.3`".
fn remark_of_folder(before: &str) -> Option<&str> {
    let (folder, rest) = before.split_once(['\u{20}', '\t'])?;
    let rest = rest.trim_start();
    let marks = ["→", "#", "->", "—", "–", "-", "//"];
    let remark = marks.iter().find_map(|mark| rest.strip_prefix(mark))?;
    (folder.ends_with('/') && folder.len() > 1).then_some(remark)
}

/// Whether a sentence is about the version: "The Go version is 1.25".
fn is_stated(document: &Document, said: &SaidVersion, before: &str) -> bool {
    let sentence = before.rsplit(['.', '!', '?', ';']).next().unwrap_or(before).trim_matches([' ', '-', '*', '+']);
    document.slice(said.span).contains("ersion is") && matches!(sentence, "" | "the" | "The" | "Our" | "our")
}

/// Words behind which the text lists what its reader is to be at home in.
const EXPERT: [&str; 4] = ["developer in ", "engineer in ", "expert in ", "proficient in "];

/// Words of a piece of a list, and of what stands before its colon, at most.
const MAX_WORDS: usize = 5;

/// Whether what stands before a name is a label, or other pieces of a list.
fn is_listed(before: &str) -> bool {
    let text = before.trim_start().trim_start_matches(['-', '*', '+', '•']).trim_start();
    let text = text.replace(['*', '`', '_'], "");
    let text = EXPERT.iter().find_map(|word| text.split_once(word)).map_or(text.as_str(), |(_, skills)| skills);
    let labels = [": ", "： ", "：", " - ", " – ", " — ", ":"];
    let ends = labels.iter().filter_map(|label| text.find(label).map(|at| (at, at + label.len())));
    let list = match ends.min() {
        // What a sentence before it says of the project is no part of the list.
        None | Some(_) if text.contains(". ") => text.rsplit(". ").next().unwrap_or(text),
        Some((at, _)) if text[..at].split_whitespace().count() > MAX_WORDS => return false,
        Some((_, from)) => &text[from..],
        None => text,
    };
    let list = list.replace(" and ", ",").replace(" with ", ",");
    let mut pieces = list.split([',', '+', '/', '&', '·', '•', '(', ')', '、', '，', ';']).rev();
    // A number before the point of a numbered list is a piece of its own.
    let is_number = |piece: &str| piece.trim().trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
    pieces.next().is_some_and(|last| last.trim().is_empty() || is_number(last))
        && pieces.all(|piece| piece.split_whitespace().count() <= MAX_WORDS)
}

/// Words behind which a text tells what it is made with.
const TOLD: [&str; 22] = [
    "based on",
    "built in",
    "built on",
    "built using",
    "built with",
    "is a",
    "is an",
    "is on",
    "powered by",
    "running",
    "runs on",
    "stack is",
    "targets",
    "use",
    "uses",
    "using",
    "utiliza",
    "verwendet",
    "đây là",
    "это",
    "works with",
    "written in",
];

/// The same in scripts without blanks.
const TOLD_CLOSE: [&str; 8] = ["これは", "使用", "基づく", "基于", "採用", "采用", "采用了", "这是"];

/// Words that may stand before what a project is, besides articles.
const ADJECTIVES: [&str; 16] = [
    "a",
    "an",
    "full-stack",
    "fullstack",
    "internal",
    "minimal",
    "modern",
    "multi-tenant",
    "private",
    "production",
    "production-ready",
    "simple",
    "single-page",
    "small",
    "the",
    "this",
];

/// What a project is.
const PROJECTS: [&str; 24] = [
    "api",
    "app",
    "application",
    "backend",
    "bot",
    "cli",
    "client",
    "codebase",
    "dashboard",
    "frontend",
    "game",
    "library",
    "monolith",
    "monorepo",
    "package",
    "platform",
    "plugin",
    "project",
    "runtime",
    "server",
    "service",
    "site",
    "tool",
    "website",
];

/// Words between a version and what the project is, at most.
const MAX_BETWEEN: usize = 3;

/// Whether a line begins with what the project is made with, and says so: "A modern Next.js 15 web app".
fn is_opening(before: &str, behind: &str) -> bool {
    let before = before.to_lowercase().replace(['*', '`'], "");
    let mut words = before.split_whitespace().peekable();
    let is_begun = words.peek().is_some() && words.all(|word| ADJECTIVES.contains(&word));
    let behind = behind.to_lowercase();
    let sentence = behind.split(['.', ',', ';', '(']).next().unwrap_or_default();
    let mut next = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    is_begun && next.by_ref().take(MAX_BETWEEN + 1).any(|word| PROJECTS.contains(&word))
}

/// Whether the words before a name say that the project uses it.
fn is_told(before: &str) -> bool {
    let text = before.to_lowercase().replace(['*', '`'], "");
    let text = text.trim_end();
    let text = text.strip_suffix(" the").unwrap_or(text);
    let sentence = text.rsplit(['.', '!', '?', ';']).next().unwrap_or(text).trim_start_matches([' ', '-', '+']);
    TOLD.iter().any(|word| sentence == *word || sentence.ends_with(&format!(" {word}")))
        || TOLD_CLOSE.iter().any(|word| sentence.ends_with(word))
}
