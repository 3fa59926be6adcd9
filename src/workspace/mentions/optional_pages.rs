//! Paths that never were, of which a page that the text names says that they need not be there: "If these files do not exist, go on".

use std::collections::{BTreeMap, BTreeSet};

use super::{Mention, MentionForm, Miss, linked_path};
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::source::Source;
use crate::workspace::{Resolution, Workspace};

/// Pages that one text names, and pages of all texts, that are read at most; a longer page is not.
const MAX_NAMED: usize = 20;
const MAX_PAGES: usize = 300;
const MAX_BYTES: usize = 128 << 10;

/// Words by which a page says so, in small letters.
const OPTIONAL: [&str; 14] = [
    "created lazily",
    "create lazily",
    "create it lazily",
    "create them lazily",
    "creates them lazily",
    "creates it lazily",
    "don't exist",
    "do not exist",
    "doesn't exist",
    "does not exist",
    "if it exists",
    "if they exist",
    "if present",
    "may not exist",
];
/// Bytes around a path in which these words stand.
const NEAR: usize = 1_000;

/// Note which mentions such a page excuses.
pub(super) fn note(source: &dyn Source, workspace: &Workspace, by_document: &mut BTreeMap<RepoPath, Vec<Mention>>) {
    let is_open = |mention: &Mention| !mention.excused && may_be_excused(mention);
    let open = by_document.iter().filter(|(_, mentions)| mentions.iter().any(is_open));
    let named: BTreeMap<RepoPath, Vec<RepoPath>> = open
        .filter_map(|(path, _)| Some((path.clone(), pages(workspace, workspace.document(path.as_bytes())?))))
        .filter(|(_, pages)| !pages.is_empty())
        .collect();
    let wanted: BTreeSet<&RepoPath> = named.values().flatten().collect();
    let wanted: Vec<RepoPath> = wanted.into_iter().take(MAX_PAGES).cloned().collect();
    let texts = source.read_many(&wanted).into_iter().map(|bytes| {
        let bytes = bytes.ok().filter(|bytes| bytes.len() <= MAX_BYTES);
        bytes.map(|bytes| String::from_utf8_lossy(&bytes).to_lowercase()).unwrap_or_default()
    });
    let texts: BTreeMap<&RepoPath, String> = wanted.iter().zip(texts).collect();
    for (path, pages) in &named {
        let texts: Vec<&String> = pages.iter().filter_map(|page| texts.get(page)).collect();
        for mention in by_document.get_mut(path).into_iter().flatten().filter(|mention| is_open(mention)) {
            mention.excused = texts.iter().any(|text| calls_optional(text, &mention.path));
        }
    }
}

fn may_be_excused(mention: &Mention) -> bool {
    let is_known = matches!(mention.form, MentionForm::File | MentionForm::Directory);
    is_known && !mention.exact && matches!(mention.place, Miss::Absent { .. })
}

/// The Markdown files that `document` links or names in backticks by their paths.
fn pages(workspace: &Workspace, document: &Document) -> Vec<RepoPath> {
    let links = document.markdown.links.iter().filter_map(|link| linked_path(&link.destination));
    let spans = document.markdown.code.iter().filter(|code| code.kind == CodeKind::Span);
    let spans = spans.map(|code| document.slice(code.content).trim().to_owned());
    let is_page = |written: &String| written.contains('/') && path::is_markdown(written.as_bytes());
    let find = |written: String| {
        let bases = [document.path.parent(), b""];
        bases.into_iter().find_map(|base| match workspace.resolve(&path::resolve(base, written.as_bytes())?) {
            Resolution::File(file) if file != document.path => Some(file),
            _ => None,
        })
    };
    links.chain(spans).filter(is_page).filter_map(find).take(MAX_NAMED).collect()
}

/// Whether a page, given in small letters, says near some place of `written` that files need not be there.
fn calls_optional(text: &str, written: &str) -> bool {
    let written = written.trim_start_matches("./").to_lowercase();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '_' | '-');
    let places = text.match_indices(written.as_str()).filter(|(at, _)| {
        let after = text[at + written.len()..].trim_start_matches('/');
        !text[..*at].ends_with(is_part) && !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'))
    });
    places.take(MAX_NAMED).any(|(at, _)| {
        let start = text.floor_char_boundary(at.saturating_sub(NEAR));
        let end = text.ceil_char_boundary((at + NEAR).min(text.len()));
        OPTIONAL.iter().any(|words| text[start..end].contains(words))
    })
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    fn excused(text: &str, page: &str) -> Vec<String> {
        let files = [("CLAUDE.md", text), ("docs/agents/domain.md", page), ("src/a.rs", "")];
        let workspace = load(&Memory::of_files(files), Config::default(), &[]).unwrap().workspace;
        let mentions = workspace.mentions.of(&"CLAUDE.md".into()).iter().filter(|mention| mention.excused);
        mentions.map(|mention| mention.path.clone()).collect()
    }

    #[test]
    fn a_page_that_the_text_names_calls_files_optional() {
        let text = "Read `CONTEXT.md` and `docs/adr/`, as `docs/agents/domain.md` says.\n";
        let page = "- **`CONTEXT.md`** at the root\n- **`docs/adr/`**: decisions\n\nIf any of these files don't exist, go on.\n";
        assert_eq!(excused(text, page), ["CONTEXT.md", "docs/adr"]);
        // The page says nothing of the kind, names other files, or is not named.
        assert_eq!(excused(text, &page.replace("don't exist", "surprise you")), [""; 0]);
        assert_eq!(excused(text, &page.replace("CONTEXT", "OTHER").replace("docs/adr", "docs/adrs")), [""; 0]);
        assert_eq!(excused("Read `CONTEXT.md` and `docs/adr/`.\n", page), [""; 0]);
    }
}
