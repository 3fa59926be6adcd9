//! Texts, what reads them, and where.

use super::*;
use proptest::prelude::*;

fn refused(text: &str, grammar: JsonGrammar) -> Option<(usize, JsonProblemKind)> {
    parse(text, grammar).err().map(|problem| (problem.at, problem.kind))
}

#[test]
fn places_are_told() {
    let text = "{\"a\": [1, \"b\\u00e9\"], \"a\": {\"c\": null}}";
    let node = parse(text, JsonGrammar::STRICT).expect("it is JSON");
    let first = &node.members()[0];
    assert_eq!(&text[first.key_span.range()], "\"a\"");
    assert_eq!(&text[first.value.items()[1].span.range()], "\"b\\u00e9\"");
    assert_eq!(first.value.items()[1].text(), Some("bé"));
    assert_eq!(node.at(&["a", "c"]).map(JsonNode::type_name), Some("null"));
    assert_eq!(node.effective().len(), 1);
}

#[test]
fn each_reader_refuses_what_it_does_not_know() {
    let comments = JsonGrammar { comments: true, trailing_commas: false };
    let commas = JsonGrammar { comments: false, trailing_commas: true };
    for (text, strict, with_comments, with_commas) in [
        ("{} // a", Some((3, JsonProblemKind::Comment)), None, Some((3, JsonProblemKind::Comment))),
        ("[1,]", Some((2, JsonProblemKind::TrailingComma)), Some((2, JsonProblemKind::TrailingComma)), None),
    ] {
        assert_eq!(refused(text, JsonGrammar::STRICT), strict, "{text}");
        assert_eq!(refused(text, comments), with_comments, "{text}");
        assert_eq!(refused(text, commas), with_commas, "{text}");
    }
    for (text, at) in [("{\"a\": 1\n \"b\": 2}", 9), ("[\"a\" \"b\"]", 5), ("[{} {}]", 4)] {
        assert_eq!(refused(text, JsonGrammar::RELAXED), Some((at, JsonProblemKind::MissingComma)), "{text}");
    }
    for text in ["{\"a\": \"b\"c\"}", "{\"a\": \"\"\"}", "[1 2]", "{\"a\": 1; \"b\": 2}"] {
        let kind = refused(text, JsonGrammar::RELAXED).map(|(_, kind)| kind);
        assert_eq!(kind, Some(JsonProblemKind::Unexpected), "{text}");
        let marked = format!("\u{feff}{text}");
        assert_eq!(refused(&marked, JsonGrammar::RELAXED), Some((0, JsonProblemKind::ByteOrderMark)), "{text}");
    }
    for text in ["[,]", "{,}", "[1 2]", "[1,,2]", "/* open", "{\"a\" 1}"] {
        assert!(refused(text, JsonGrammar::RELAXED).is_some(), "{text}");
    }
    assert_eq!(refused(" \n", JsonGrammar::RELAXED), Some((2, JsonProblemKind::Empty)));
    assert_eq!(refused("{\"a\": [", JsonGrammar::STRICT), Some((7, JsonProblemKind::Truncated)));
    let deep = "[".repeat(10_000);
    assert_eq!(refused(&deep, JsonGrammar::STRICT).map(|(_, kind)| kind), Some(JsonProblemKind::TooDeep));
}

proptest! {
    #[test]
    fn it_is_total_and_agrees_with_the_standard(text in "[\\[\\]{}:,\"\\\\ \t\n0-9eE.+u\u{0}-\u{3}a-fntr-]{0,40}") {
        let ours = parse(&text, JsonGrammar::STRICT);
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        // Half surrogate pairs and numbers beyond the range of a double are JSON that serde_json refuses.
        if theirs.is_ok() {
            prop_assert!(ours.is_ok(), "{text:?}");
        } else if ours.is_ok() {
            prop_assert!(text.contains("\\u") || text.contains(['e', 'E']) || text.len() > 20, "{text:?}");
        }
    }
}
