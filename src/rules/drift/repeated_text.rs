//! A passage that stands word for word in two files that load together, or twice in one.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};

use crate::base::finding::{Finding, Level};
use crate::base::kind::Role;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::Workspace;

const INFO: RuleInfo = RuleInfo {
    name: "repeated-text",
    group: Group::Drift,
    levels: &[Level::Info],
    summary: "a passage is repeated in what one agent loads",
    explanation: "\
## What it does
Reports passages of 200 characters or more that stand word for word twice in one file, or in two files that one agent loads
together: a folder's file and that of a folder above it.

## Why is this bad?
The agent pays for the text twice, and one day only one of the two will be changed.

## Example
The root's `AGENTS.md` and `packages/api/AGENTS.md` both hold the paragraph on commit messages.

## How to fix
Keep the passage in the file of the higher folder.
",
    evidence: &[Evidence { source: "golden vectors: files of all folders above are loaded", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// Shorter passages repeat by chance, in bytes.
const MIN_LENGTH: usize = 200;

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct RepeatedText;

/// A block of a document.
type Passage<'d> = (&'d Document, Span);

impl Rule for RepeatedText {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let documents = &cx.workspace.documents;
        let mut loaded: Vec<&Document> =
            documents.iter().filter(|document| is_loaded_always(cx.workspace, document)).collect();
        // A folder's files come before those below it.
        loaded.sort_by_key(|document| (document.path.parent().to_vec(), document.path.clone()));
        // By hash, and by the folder: only files of the same folder and of those above it load together. Blocks nest, so
        // their texts are compared and never copied.
        let mut first: BTreeMap<(u64, &[u8]), Vec<Passage<'_>>> = BTreeMap::new();
        let mut words = Vec::new();
        for document in loaded {
            let mut done = 0;
            let mut known: BTreeMap<&RepoPath, bool> = BTreeMap::new();
            let folders = path::ancestors_from_root(document.path.parent());
            for &block in document.markdown.blocks.iter().filter(|block| block.len() >= MIN_LENGTH) {
                if block.start < done || document.markdown.in_code(block.start) {
                    continue;
                }
                let text = document.slice(block);
                let hash = hash(text, &mut words);
                let mut before = folders.iter().filter_map(|&folder| first.get(&(hash, folder))).flatten();
                let before = before.find(|(other, span)| {
                    let together = known.entry(&other.path).or_insert_with(|| together(cx, other, document));
                    *together && same_words(other.slice(*span), text)
                });
                if let Some((other, span)) = before {
                    findings.push(report(document, block, other, *span));
                    done = block.end;
                    continue;
                }
                first.entry((hash, document.path.parent())).or_default().push((document, block));
            }
        }
    }
}

/// The same for texts that differ in white space alone. `words` is room for the words, which are hashed in one piece.
fn hash(text: &str, words: &mut Vec<u8>) -> u64 {
    words.clear();
    match text.is_ascii() {
        true => text.as_bytes().split(is_blank).for_each(|word| words.extend_from_slice(word)),
        false => text.split_whitespace().for_each(|word| words.extend_from_slice(word.as_bytes())),
    }
    let mut hasher = DefaultHasher::new();
    hasher.write(words);
    hasher.finish()
}

/// Whether a byte of an ASCII text is white space.
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

fn same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// Whether agents that work in this repository load a file of this kind without being asked for it.
fn is_loaded_always(workspace: &Workspace, document: &Document) -> bool {
    let always = document.kind.role() == Some(Role::Main);
    always && workspace.why_elsewhere(document).is_none()
}

/// Whether one agent loads both files at once.
fn together(cx: &Cx<'_>, above: &Document, document: &Document) -> bool {
    if above.path == document.path {
        return true;
    }
    // Files of one kind only: copies for several agents are the other rule's business.
    if above.kind != document.kind || !path::is_at_or_below(document.path.parent(), above.path.parent()) {
        return false;
    }
    let readers = cx.workspace.readers(document);
    cx.workspace.readers(above).iter().any(|agent| readers.contains(agent))
}

fn report(document: &Document, block: Span, other: &Document, span: Span) -> Finding {
    let place =
        if other.path == document.path { "above".to_owned() } else { format!("in {}", other.path.to_str_lossy()) };
    Finding::new(
        INFO.name,
        Level::Info,
        &document.path,
        block,
        format!("this passage is repeated word for word {place}"),
    )
    .related(&other.path, span, "the same passage")
    .help("keep it once, in the file of the higher folder")
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::config::Config;
    use crate::rules::run::{Selection, run};
    use crate::source::Memory;
    use crate::source::history::Answers;
    use crate::workspace::load;

    #[test]
    fn passages_repeat_below_and_within() {
        let long = "Write commit messages that say why. ".repeat(8);
        let root = format!("# A\n\n{long}\n");
        let below = format!("# B\n\n{}\n\nOther.\n\n- x\n", long.replace(". ", ".\n"));
        let twice = format!("{long}\n\nand\n\n{long}\n");
        let files = [
            ("AGENTS.md", root.as_str()),
            ("pkg/AGENTS.md", &below),
            ("q/GEMINI.md", &twice),
            ("r/AGENTS.md", "short\n\nshort\n"),
        ];
        let loaded = load(&Memory::of_files(files), Config::default(), &[]).unwrap();
        let selection = Selection { select: vec![INFO.name.to_owned()], ..Selection::default() };
        let found = run(loaded, &selection, &mut |_| Answers::default()).findings;
        let places: Vec<_> = found.iter().map(|finding| (finding.path.to_str_lossy(), finding.span.start)).collect();
        assert_eq!(places, [("pkg/AGENTS.md".into(), 5), ("q/GEMINI.md".into(), long.len() + 7)]);
    }
}
