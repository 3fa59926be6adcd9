//! What the rules' tests share: one document in, findings out, and the document after its fixes.

use super::{Cx, Rule};
use crate::discover::Kind;
use crate::finding::{Applicability, Finding};
use crate::parse::Document;
use crate::path::RepoPath;
use crate::source::history::Answers;
use crate::workspace::Workspace;

/// A path at which discovery would find `kind`; good enough for rules that look at a path.
fn usual_path(kind: Kind) -> &'static str {
    match kind {
        Kind::AgentsMd => "AGENTS.md",
        Kind::ClaudeMd => "CLAUDE.md",
        Kind::ClaudeRule => ".claude/rules/a.md",
        Kind::ClaudeCommand => ".claude/commands/a.md",
        Kind::ClaudeAgent => ".claude/agents/a.md",
        Kind::Skill => "skills/a/SKILL.md",
        Kind::CursorRule => ".cursor/rules/a.mdc",
        Kind::CopilotScoped => ".github/instructions/a.instructions.md",
        Kind::Plan => "PLAN.md",
        Kind::LibraryHint => "src/hints/a.md",
        Kind::PackageYaml => "hints/a/hint.yaml",
        _ => "a.md",
    }
}

/// The findings of `rule` on one document.
pub(crate) fn check(rule: &dyn Rule, kind: Kind, text: &str) -> Vec<Finding> {
    check_at(rule, usual_path(kind), kind, text)
}

/// The same, for a document at `path`.
pub(crate) fn check_at(rule: &dyn Rule, path: &str, kind: Kind, text: &str) -> Vec<Finding> {
    let workspace = workspace_of(path, kind, text.as_bytes());
    let answers = Answers::default();
    let selected = Default::default();
    let cx = Cx { workspace: &workspace, answers: &answers, selected: &selected };
    let mut findings = Vec::new();
    rule.check(&workspace.documents[0], &cx, &mut findings);
    rule.check_workspace(&cx, &mut findings);
    for finding in &findings {
        assert!(finding.span.end <= text.len() && text.get(finding.span.range()).is_some(), "{finding:?}");
        assert_eq!(finding.rule, rule.info().name);
        assert!(rule.info().levels.contains(&finding.level), "{finding:?}");
        assert!(!finding.message.ends_with('.'), "{finding:?}");
    }
    findings
}

/// A workspace of one document.
pub(crate) fn workspace_of(path: &str, kind: Kind, bytes: &[u8]) -> Workspace {
    let document = Document::parse(RepoPath::from(path), kind, bytes.into());
    Workspace { documents: vec![document], ..Workspace::default() }
}

/// The places of the findings as text, in order.
pub(crate) fn places<'t>(rule: &dyn Rule, kind: Kind, text: &'t str) -> Vec<&'t str> {
    check(rule, kind, text).iter().map(|finding| &text[finding.span.range()]).collect()
}

/// `text` after all fixes of at most the given applicability; the fixed text must not need them again.
pub(crate) fn fixed(rule: &dyn Rule, kind: Kind, text: &str, upto: Applicability) -> String {
    let apply = |text: &str| {
        let findings = check(rule, kind, text);
        let fixes = findings.into_iter().filter_map(|finding| finding.fix).filter(|fix| fix.applicability <= upto);
        let mut edits: Vec<_> = fixes.flat_map(|fix| fix.edits).collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        let mut out = text.to_owned();
        for edit in edits {
            out.replace_range(edit.span.range(), &edit.replacement);
        }
        out
    };
    let once = apply(text);
    assert_eq!(apply(&once), once, "a second pass changes the text again");
    once
}
