//! Files of which their agent takes no more than so many characters, according to its documentation.

use super::INFO;
use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::Cx;

/// What is said of a file that is longer than its agent takes. None of it may count then: the documentation does not say.
pub(super) fn check(document: &Document, cx: &Cx<'_>) -> Option<Finding> {
    let Kind::Of(kind) = document.kind else { return None };
    let most = kind.max_chars.filter(|&most| document.text.len() > most)?;
    let (start, _) = document.text.char_indices().nth(most)?;
    let owner = cx.workspace.enabled_owner(document.kind)?;
    if cx.workspace.is_for_elsewhere(document.path.as_bytes()) && !cx.selected.contains(INFO.name) {
        return None;
    }
    let end = document.lines.line_content(&document.bytes, document.lines.line_of(start)).end.max(start);
    let all = document.text.chars().count();
    let message = format!(
        "{} takes {most} characters of such a file (documentation), and this one has {all}: from here on it is too long",
        owner.title
    );
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, Span::new(start, end), message);
    Some(finding.help("split the file, or shorten it").agents([owner.id]))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::lines;

    #[test]
    fn a_rule_is_longer_than_its_agent_takes() {
        let found = |path: &str, chars: usize| {
            let text = format!("---\ntrigger: always_on\n---\n{}\n", "é".repeat(chars - 28));
            lines("context-truncated", "", &[(path, &text), (".windsurf/rules/short.md", "Use tabs.\n")]).len()
        };
        assert_eq!(found(".windsurf/rules/long.md", 12_001), 1);
        assert_eq!(found(".devin/rules/long.md", 12_100), 1);
        // As many as it takes, though more bytes; a file of another agent.
        assert_eq!(found(".windsurf/rules/long.md", 12_000), 0);
        assert_eq!(found(".cursor/rules/long.mdc", 12_001), 0);
    }
}
