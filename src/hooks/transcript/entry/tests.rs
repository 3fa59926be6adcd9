//! Lines in the forms of several agents, and lines in none.

use super::*;

fn texts(line: &str) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    TranscriptEntry::parse(line.as_bytes())?.each_text(|text| texts.push(text.to_owned()));
    Some(texts)
}

#[test]
fn texts_are_found_in_every_form() {
    for (line, expected) in [
        (r#"{"message":{"content":"a\nb"}}"#, &["a\nb"][..]),
        (r#"{"content":"a"}"#, &["a"]),
        (r#"{"content":"not this","message":{"content":"a"}}"#, &["a"]),
        (r#"{"message":{"content":[{"type":"text","text":"a"},{"text":"b","type":"text"}]}}"#, &["a", "b"]),
        (r#"{"message":{"content":[1,null,"x",[2],{"type":"odd","text":"a"},{"type":"text","text":{"a":1}}]}}"#, &[]),
        (
            r#"{"message":{"content":[{"type":"thinking","thinking":"a","text":"a"},{"type":"text","text":" \n"}]}}"#,
            &[],
        ),
        (r#"{"message":{"content":{"type":"text","text":"a"}}}"#, &[]),
        (r#"{"message":{"parts":[{"text":"thought","thought":true},{"text":"a"},{"functionCall":{}}]}}"#, &["a"]),
        (
            r#"{"type":"response_item","payload":{"type":"message","content":[{"type":"input_text","text":"a"},{"type":"output_text","text":"b"}]}}"#,
            &["a", "b"],
        ),
        (r#"{"type":"user.message","data":{"content":"a","transformedContent":"b"}}"#, &["a"]),
        (r#"{"message":5,"content":"a"}"#, &[]),
        (r#"{"isMeta":"x","isSidechain":0,"type":[{}],"content":"a"}"#, &["a"]),
    ] {
        let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        assert_eq!(texts(line), Some(expected), "{line}");
    }
    for line in
        ["", "{", "[]", "5", "{\"isSidechain\":true,\"content\":\"a\"}", "{\"content\":\"a\"} x", "{\"a\":\"\u{0}\"}"]
    {
        assert_eq!(texts(line), None, "{line}");
    }
    let deep = format!("{{\"content\":{}{}}}", "[".repeat(1_000), "]".repeat(1_000));
    assert_eq!(texts(&deep), Some(Vec::new()), "no depth is too deep to pass over");
}
