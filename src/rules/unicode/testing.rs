//! What the tests of this group share: text in, levels and fixed text out.

use crate::base::finding::Applicability;
use crate::base::kind::Kind;
use crate::rules::Rule;
use crate::rules::testing::{self, check};

/// Each text has findings of the rule, the worst of the given level, and none of them prints a hidden character.
pub(super) fn found(rule: &dyn Rule, cases: &[(&str, &str)]) {
    for (text, level) in cases {
        let findings = check(rule, Kind::AgentsMd, text);
        let worst = findings.iter().map(|finding| finding.level).max();
        assert_eq!(worst.map(|level| level.name()), Some(*level), "{text:?}: {findings:#?}");
        for finding in &findings {
            let words = format!("{}{}", finding.message, finding.help.as_deref().unwrap_or_default());
            assert_eq!(crate::base::characters::visible(&words), words);
        }
    }
}

/// No text has a finding of the rule.
pub(super) fn silent(rule: &dyn Rule, texts: &[&str]) {
    for text in texts {
        assert_eq!(check(rule, Kind::AgentsMd, text), [], "{text:?}");
    }
}

/// The safe fixes make of each text the other.
pub(super) fn fixed(rule: &dyn Rule, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(testing::fixed(rule, Kind::AgentsMd, text, Applicability::Safe), *expected, "{text:?}");
    }
}
