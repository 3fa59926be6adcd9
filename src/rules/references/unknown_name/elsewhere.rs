//! Which names a text says are brought by others: plugins, marketplaces, the user's own folder.

use std::collections::BTreeSet;

use super::super::block::table_head;
use crate::agents::files;
use crate::base::kind::Role;
use crate::base::text::Span;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Words of a line or heading about names that come from elsewhere, or are not there on purpose.
const ELSEWHERE: [&str; 53] = [
    "absorb",
    "alias",
    "bot command",
    "built-in",
    "builtin",
    "bundled",
    "claude code only",
    "combine",
    "coming soon",
    "consolidat",
    "deprecated",
    "discord",
    "example",
    "external",
    "former",
    "future",
    "gitignore",
    "global",
    "inherited from",
    "install",
    "legacy",
    "local command",
    "local skill",
    "marketplace",
    "mcp",
    "native",
    "never mention",
    "not yet",
    "optional",
    "personal skill",
    "planned",
    "plugin",
    "pr #",
    "precedent",
    "removed",
    "renamed",
    "replace",
    "retired",
    "slack",
    "standalone",
    "substitut",
    "subsume",
    "supersede",
    "tbd",
    "telegram",
    "user scope",
    "user-level",
    "~/.",
    "マーケットプレイス",
    "プラグイン",
    "插件",
    "市场",
    "플러그인",
];

/// Whether the line around `span`, or the heading above it, speaks of what is not in this repository, or the line has the name behind
/// that of a plugin, too: "| marketer | `growth:marketer` |".
pub(super) fn speaks_of_others(document: &Document, span: Span) -> bool {
    let line = document.slice(document.lines.line_span(document.lines.line_of(span.start))).to_lowercase();
    let name = format!(":{}", document.slice(span).to_lowercase());
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_behind = |at: usize| line[..at].ends_with(is_part) && !line[at + name.len()..].starts_with(is_part);
    if line.match_indices(&name).any(|(at, _)| is_behind(at)) || is_somebodys(document, span) {
        return true;
    }
    let above = document.markdown.heading_of(span.start);
    let heading = above.map(|at| document.markdown.headings[at].text.to_lowercase()).unwrap_or_default();
    ELSEWHERE.iter().any(|word| line.contains(word) || heading.contains(word))
}

/// Whether somebody has it whom the text names: "Ann Lee's `x` skill".
fn is_somebodys(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let before = document.text[line.start..span.start].trim_end_matches(['`', '*', '/']);
    let owner = ["'s ", "\u{2019}s "].iter().find_map(|end| before.strip_suffix(end));
    let name = owner.and_then(|owner| owner.rsplit(' ').next()).unwrap_or_default();
    name.trim_start_matches(['(', '"', '*']).starts_with(char::is_uppercase)
}

/// Folders of an agent's in a home in which it looks for what it calls by name, and words with which a text says that things are there.
const IN_HOMES: [&str; 3] = ["agents", "commands", "skills"];
const MOVED: [&str; 6] = ["come from", "live in", "lives in", "ocated in", "migrated", "moved"];

/// Whether a line names such a folder: `~/.x/skills`.
fn names_home_folder(line: &str) -> bool {
    line.match_indices("~/").any(|(at, tilde)| {
        let mut parts = line[at + tilde.len()..].split(['/', '`', ' ', ')', ',', '"']);
        let is_agents = parts.next().is_some_and(|folder| files::is_agent_folder(folder.as_bytes()));
        is_agents && parts.next().is_some_and(|folder| IN_HOMES.contains(&folder.trim_end_matches('.')))
    })
}

/// Whether a hint file of the repository says that what it used to have is in each user's home now.
pub(super) fn went_into_homes(workspace: &Workspace) -> bool {
    let mut main = workspace.documents.iter().filter(|document| document.kind.role() == Some(Role::Main));
    main.any(says_they_went)
}

/// Whether the text says so.
pub(super) fn says_they_went(document: &Document) -> bool {
    let says = |line: &str| MOVED.iter().any(|word| line.contains(word)) && names_home_folder(line);
    document.text.contains("~/.") && document.text.lines().any(says)
}

/// The words that hint files of the repository have on a line with a folder of a home.
pub(super) fn words_beside_homes(workspace: &Workspace) -> BTreeSet<&str> {
    let main = workspace.documents.iter().filter(|document| document.kind.role() == Some(Role::Main));
    let lines = main.filter(|document| document.text.contains("~/.")).flat_map(|document| document.text.lines());
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    lines.filter(|line| line.contains("~/.")).flat_map(|line| line.split(move |c: char| !is_part(c))).collect()
}

/// Words beside `plugin` or `marketplace` by which a text says that something is brought by it.
const BRINGS: [&str; 7] = ["brings", "come", "from", "install", "provide", "ships", "upstream"];

/// Whether some paragraph or item of the text, however far away, names `name` as what a plugin brings.
pub(super) fn comes_from_a_plugin(document: &Document, name: &str) -> bool {
    let text = &document.text;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
    let mut seen = 0;
    text.match_indices(name).any(|(at, _)| {
        // A block is read once, however often it has the name.
        if at < seen || text[..at].ends_with(is_part) || text[at + name.len()..].starts_with(is_part) {
            return false;
        }
        let block = block_around(document, at);
        seen = block.end;
        let block = document.slice(block).to_lowercase();
        ["plugin", "marketplace", "companion", "npx skills"].iter().any(|word| block.contains(word))
            && BRINGS.iter().any(|word| block.contains(word))
    })
}

/// Heads of columns that list folders or addresses.
const PLACE_HEADS: [&str; 10] =
    ["directories", "directory", "endpoint", "folder", "location", "page", "path", "route", "uri", "url"];

/// Heads of columns that list what a package manager installs.
const PACKAGE_HEADS: [&str; 13] = [
    "binary",
    "crate",
    "dependency",
    "dependencies",
    "gem",
    "library",
    "module",
    "npm",
    "package",
    "packages",
    "paket",
    "paquet",
    "pypi",
];

/// Whether `span` stands in a column of packages or of places.
pub(super) fn is_in_another_column(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let before = document.text.get(line.start..span.start).unwrap_or_default();
    if !before.trim_start().starts_with('|') {
        return false;
    }
    let column = before.matches('|').count();
    let head = table_head(document, span.start).map(|head| document.slice(head)).unwrap_or_default();
    let head = head.split('|').nth(column).unwrap_or_default().to_lowercase();
    head.split(|c: char| !c.is_alphanumeric()).any(|word| PACKAGE_HEADS.contains(&word) || PLACE_HEADS.contains(&word))
}

/// What stands before the name of a thing that the text itself makes.
const MAKES: [&str; 22] = [
    "create",
    "creates",
    "creating",
    "created",
    "generate",
    "generates",
    "generating",
    "generated",
    "scaffold",
    "scaffolds",
    "scaffolding",
    "erstelle",
    "erzeuge",
    "crear",
    "crea",
    "créer",
    "创建",
    "建立",
    "生成",
    "作成",
    "생성",
    "создать",
];

/// Places of one name that are looked at, at most.
const MAX_PLACES: usize = 50;

/// Whether the text makes what it names by `name`: "When creating `frontend-reviewer`:".
pub(super) fn is_made_by_the_text(document: &Document, name: &str) -> bool {
    let quoted = format!("`{name}`");
    document.text.match_indices(&quoted).take(MAX_PLACES).any(|(at, _)| {
        let before = document.text[..at].trim_end_matches([' ', '*', '(']);
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        MAKES.iter().any(|make| word == *make || !make.is_ascii() && word.ends_with(make))
    })
}

/// Skills that a plugin brings, by what texts call it. Its own repository names it, too, and has them.
const BROUGHT: [(&str, &[&str]); 1] = [(
    "superpowers",
    &[
        "brainstorming",
        "dispatching-parallel-agents",
        "executing-plans",
        "finishing-a-development-branch",
        "receiving-code-review",
        "requesting-code-review",
        "subagent-driven-development",
        "systematic-debugging",
        "test-driven-development",
        "using-git-worktrees",
        "using-superpowers",
        "verification-before-completion",
        "writing-plans",
        "writing-skills",
    ],
)];

/// Whether `name` is that of a skill of a plugin that the text speaks of.
pub(super) fn is_brought(document: &Document, name: &str) -> bool {
    let speaks_of = |plugin: &str| memchr::memmem::find(document.text.as_bytes(), plugin.as_bytes()).is_some();
    // A path out of this repository says where the name is at home.
    let is_outside = || document.text.match_indices(name).any(|(at, _)| leads_out(&document.text[..at]));
    BROUGHT.iter().any(|(plugin, names)| names.contains(&name) && speaks_of(plugin)) || is_outside()
}

/// Whether a path that goes on behind `before` begins with `../`.
fn leads_out(before: &str) -> bool {
    let is_path = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let start =
        before.rfind(|c: char| !is_path(c)).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    before[start..].starts_with("../") && before.ends_with('/')
}

/// Whether the line says what a command does, by an arrow to a command line: "`/log` → `git log --oneline`".
pub(super) fn is_defined_by_its_line(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.end));
    let rest = document.text.get(span.end..line.end).unwrap_or_default();
    let last = rest.rsplit(['→', '⇒']).next().filter(|last| last.len() < rest.len());
    let code = last.and_then(|last| last.trim_start().strip_prefix('`')?.split('`').next());
    code.is_some_and(|code| code.contains(' '))
}

/// Lines of a paragraph or item that are looked at, at most, in each direction.
const MAX_LINES: usize = 10;

/// The paragraph or item around `at`.
fn block_around(document: &Document, at: usize) -> Span {
    let line = |index: usize| document.slice(document.lines.line_span(index));
    let begins = |text: &str| {
        let text = text.trim_start();
        text.starts_with(['#', '|', '>']) || ["- ", "* ", "+ ", "1. "].iter().any(|mark| text.starts_with(mark))
    };
    let here = document.lines.line_of(at);
    let (mut first, mut last) = (here, here);
    while first > 0 && here - first < MAX_LINES && !begins(line(first)) && !line(first - 1).trim().is_empty() {
        first -= 1;
    }
    let goes_on = |text: &str| !text.trim().is_empty() && !begins(text);
    while last + 1 < document.lines.count() && last - here < MAX_LINES && goes_on(line(last + 1)) {
        last += 1;
    }
    Span::new(document.lines.line_span(first).start, document.lines.line_span(last).end)
}
