//! Trees that a fence draws by blanks alone: each entry stands deeper than the folder that holds it. Knows the text alone.

use super::super::token;

/// Entries that make a drawing, at least.
const MIN_ENTRIES: usize = 5;

/// Whether `text` is nothing but such a drawing: each line begins with a name and goes on with a remark at most, and some folder has
/// an entry below it.
pub(super) fn draws_a_tree(text: &str) -> bool {
    let lines: Vec<&str> = entries(text).collect();
    let holds = |pair: &[&str]| is_folder(pair[0]) && indent(pair[1]) > indent(pair[0]);
    lines.len() >= MIN_ENTRIES
        && lines.iter().all(|line| is_entry(line))
        && lines.windows(2).any(holds)
        // What stands deeper than a file shows no folder.
        && lines.windows(2).all(|pair| indent(pair[1]) <= indent(pair[0]) || is_folder(pair[0]))
}

/// Whether several entries of such a drawing stand outermost.
pub(super) fn has_no_root(text: &str) -> bool {
    let least = entries(text).map(indent).min();
    entries(text).filter(|line| Some(indent(line)) == least).count() > 1
}

fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether the line begins with the name of a folder.
fn is_folder(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|name| name.ends_with('/'))
}

/// Whether the line names a file or folder, or several, with a remark behind two blanks, a dash or a `#`.
fn is_entry(line: &str) -> bool {
    let line = line.trim();
    let names = line.split([' ', '\t']).take_while(|word| !word.is_empty() && !is_mark(word));
    let mut names = names.peekable();
    names.peek().is_some() && names.all(|name| name == "/" || is_name(name))
}

/// Whether a remark begins with the word.
fn is_mark(word: &str) -> bool {
    word.starts_with(['#', '(', '←']) || matches!(word, "-" | "--" | "–" | "—" | "//" | "->" | "→")
}

fn is_name(word: &str) -> bool {
    let word = word.trim_end_matches(',');
    token::in_code(word).is_some_and(|found| found.directory || token::has_extension(found.path))
}
