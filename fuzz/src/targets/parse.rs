//! Parsing is total, and everything that it names lies inside the file on character boundaries.

use std::path::Path;

use hintlint::agents::files::kind;
use hintlint::parse::Document;

use super::seeds;

/// One kind for each way in which frontmatter is read and patterns are written.
const KINDS: [&str; 6] = ["agents-md", "claude-rule", "cursor-rule", "copilot-scoped", "skill", "claude-md"];

pub(crate) fn run(data: &[u8]) {
    for kind in KINDS.map(|name| kind(name).expect("it is in the tables")) {
        let document = Document::parse("a/b.md".into(), kind, data.into());
        assert_eq!(&*document.bytes, data);
        assert!(document.text.is_char_boundary(document.body), "the body begins inside a character");
        let markdown = &document.markdown;
        let spans = document.problems.iter().map(|problem| problem.span);
        let spans = spans.chain(markdown.comments.iter().flat_map(|comment| [comment.span, comment.content]));
        let spans = spans.chain(markdown.code.iter().flat_map(|code| [code.span, code.content]));
        let spans = spans.chain(document.tasks.iter().flat_map(|task| [task.marker, task.text]));
        let spans = spans.chain(document.suppressions.iter().flat_map(|comment| [comment.span, comment.covers]));
        for span in spans {
            // Bytes outside UTF-8 are `?` in the text, which has the length of the file.
            assert!(document.text.get(span.range()).is_some(), "{kind:?}: {span:?} is not on character boundaries");
        }
        for hit in &document.hidden {
            assert!(hit.span.start <= hit.span.end && hit.span.end <= data.len(), "{hit:?}");
        }
    }
}

pub(crate) fn seeds(fixtures: &Path) -> Vec<Vec<u8>> {
    seeds::texts(fixtures, &|_| true)
}
