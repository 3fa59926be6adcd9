//! `invalid-utf8`: bytes that are not UTF-8.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "invalid-utf8",
    group: Group::Unicode,
    levels: &[Level::Error],
    summary: "bytes that are not UTF-8",
    explanation: r#"## What it does

Reports bytes that no UTF-8 text has: Latin-1 letters, lone surrogates, overlong forms; and files, or the rest of one, in UTF-16 or UTF-32.

## Why is this bad?

Agents replace, drop or refuse such bytes, so that each reads another text, and editors show a third.

## Example

```text
caf\xE9
```

## How to fix

Save the file as UTF-8. There is no automatic fix, since the bytes do not say which encoding was meant.
"#,
    evidence: &[Evidence {
        source: "https://www.unicode.org/versions/Unicode17.0.0/core-spec/chapter-3/ (table 3-7)",
        checked: "2026-11",
    }],
    fix: FixAvailability::None,
    aliases: &[],
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::workspace_of;
    use crate::rules::{Cx, Rule};

    fn messages(bytes: &[u8]) -> Vec<String> {
        let workspace = workspace_of("AGENTS.md", Kind::AgentsMd, bytes);
        let (artifacts, answers, selected) = Default::default();
        let mut findings = Vec::new();
        let cx = Cx {
            workspace: &workspace,
            artifacts: &artifacts,
            answers: &answers,
            selected: &selected,
            floor: crate::base::finding::Level::Info,
            memory: &Default::default(),
        };
        RULE.check(&workspace.documents[0], &cx, &mut findings);
        findings.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_named() {
        assert_eq!(messages(b"caf\xE9 \xED\xA0\x80\n").len(), 2);
        assert_eq!(messages(b"\xFF\xFEa\0b\0"), ["the file is UTF-16, which no agent reads as text"]);
        assert_eq!(messages("café\n".as_bytes()), [""; 0]);
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        assert_eq!(
            messages(&wide("# Größe\n\nBuild.\n")),
            ["the file is UTF-16 without a byte order mark, which no agent reads as text"]
        );
        // As a shell appends it whose output is UTF-16.
        let appended = [&b"# T\n\nBuild.\n"[..], &wide("Test it.\r\n")].concat();
        assert_eq!(messages(&appended), ["from here on the file is UTF-16, which no agent reads as text"]);
        let big_endian: Vec<u8> = "Build.".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(messages(&[b"# T\n".as_slice(), &big_endian].concat()).len(), 1);
        for few in [&b"a\0b"[..], b"# T\0\n\nBuild it.\n", b"a\0\0\0\0\0\0\0\0b"] {
            assert_eq!(messages(few), [""; 0], "{few:?}");
        }
    }
}
