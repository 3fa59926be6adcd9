//! Parsing is total, and everything that it names lies inside the file on character boundaries.
#![no_main]

use hintlint::discover::Kind;
use hintlint::parse::Document;
use libfuzzer_sys::fuzz_target;

const KINDS: [Kind; 6] =
    [Kind::AgentsMd, Kind::ClaudeRule, Kind::CursorRule, Kind::CopilotScoped, Kind::Skill, Kind::ClaudeMd];

fuzz_target!(|data: &[u8]| {
    for kind in KINDS {
        let document = Document::parse("a/b.md".into(), kind, data.into());
        assert_eq!(&*document.bytes, data);
        assert!(document.text.is_char_boundary(document.body), "the body begins inside a character");
        for problem in &document.problems {
            // Not every file is UTF-8; the text is what spans are checked against.
            assert!(problem.span.end <= data.len().max(document.text.len()), "{problem:?}");
        }
        for hit in &document.hidden {
            assert!(hit.span.end <= data.len(), "{hit:?}");
        }
    }
});
