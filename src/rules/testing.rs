//! What the rules' tests share: one document in, findings out, and the document after its fixes.

use super::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::base::defect::provoke;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::compile::Artifacts;
use crate::config::Config;
use crate::parse::Document;
use crate::rules::run::{Selection, run};
use crate::source::history::{Answers, Questions};
use crate::source::{EntryKind, Memory};
use crate::workspace::{Workspace, load};

/// A rule that panics on files whose text requests it.
struct Panics;

static PANICS: RuleInfo = RuleInfo {
    name: "panics",
    group: Group::Meta,
    levels: &[Level::Error],
    summary: "a file that asks for a panic",
    explanation: "## What it does\n\n## Why is this bad?\n\n## Example\n\n## How to fix\n",
    evidence: &[],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for Panics {
    fn info(&self) -> &'static RuleInfo {
        &PANICS
    }

    fn ask(&self, cx: &Cx<'_>, _questions: &mut Questions) {
        cx.workspace.documents.iter().for_each(|document| provoke("a question", &document.bytes));
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, _findings: &mut Vec<Finding>) {
        provoke("a rule", &document.bytes);
    }

    fn check_workspace(&self, cx: &Cx<'_>, _findings: &mut Vec<Finding>) {
        cx.workspace.documents.iter().for_each(|document| provoke("all files", &document.bytes));
    }
}

/// Rules that only tests have.
pub(super) static RULES: &[&dyn Rule] = &[&Panics];

/// A path at which discovery would find `kind`; good enough for rules that look at a path.
fn usual_path(kind: Kind) -> &'static str {
    match kind.name() {
        "agents-md" => "AGENTS.md",
        "claude-md" => "CLAUDE.md",
        "claude-rule" => ".claude/rules/a.md",
        "claude-command" => ".claude/commands/a.md",
        "claude-agent" => ".claude/agents/a.md",
        "skill" => "skills/a/SKILL.md",
        "cursor-rule" => ".cursor/rules/a.mdc",
        "copilot-scoped" => ".github/instructions/a.instructions.md",
        "plan" => "PLAN.md",
        "library-hint" => "src/hints/a.md",
        "package-yaml" => "hints/a/hint.yaml",
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
    let cx = Cx {
        workspace: &workspace,
        artifacts: &Artifacts::default(),
        answers: &answers,
        selected: &selected,
        floor: crate::base::finding::Level::Info,
        memory: &Default::default(),
    };
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
    let once = fixed_once(rule, kind, text, upto);
    assert_eq!(fixed_once(rule, kind, &once, upto), once, "a second pass changes the text again");
    once
}

fn fixed_once(rule: &dyn Rule, kind: Kind, text: &str, upto: Applicability) -> String {
    let fixes = check(rule, kind, text).into_iter().filter_map(|finding| finding.fix);
    let mut edits: Vec<_> = fixes.filter(|fix| fix.applicability <= upto).flat_map(|fix| fix.edits).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut out = text.to_owned();
    for edit in edits {
        out.replace_range(edit.span.range(), &edit.replacement);
    }
    out
}

mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kinds() -> [Kind; 7] {
        [
            Kind::Plan,
            Kind::Skill,
            Kind::of_agent("cursor-rule"),
            Kind::of_agent("claude-rule"),
            Kind::of_agent("kiro-steering"),
            Kind::AgentsMd,
            Kind::PackageYaml,
        ]
    }

    const PASSES: usize = 10;

    /// Pieces that the rules look for.
    const PIECES: [&str; 52] = [
        "---\n",
        "\n",
        "\r\n",
        " ",
        "    ",
        "- ",
        "> ",
        "[ ]",
        "[x]",
        "[]",
        "-[ ] a\n",
        "- [x]b\n",
        "［ ］",
        "• ",
        "# ",
        "## h (1/3)\n",
        "Progress: 1/9\n",
        "**Done**: 3 of 4 tasks (9%)\n",
        "2/5 tasks\n",
        "```",
        "```sh\n",
        "~~~",
        "<!--",
        "-->",
        "<!-- From: a.md -->\n",
        "<!-- End of a.md -->",
        "<promise>",
        "</promise>",
        "<Promise",
        "<<<<<<< a\n",
        "=======\n",
        ">>>>>>> b\n",
        "name: x\n",
        "name: A B\n",
        "nmae: y\n",
        "description: a: b\n",
        "description: \"é\"\n",
        "globs: *.ts, {a\n",
        "paths: ./a\\b, [c\n",
        "paths: [\"!a\", ./b]\n",
        "inclusion: FileMatch\n",
        "alwaysApply: \"yes\"\n",
        "metadata: [1]\n",
        "allowed_tools: 1\n",
        "version: 1\n",
        "é",
        "中",
        "\0",
        "\u{feff}",
        "a",
        "\\",
        "\t",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn rules_and_their_safe_fixes_hold_on_any_text(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24),
            kind in prop::sample::select(kinds().to_vec()),
            fenced in any::<bool>(),
        ) {
            use crate::rules::{context, frontmatter, globs, plans};
            let text = pieces.concat();
            let text = if fenced { format!("---\n{text}---\n{text}") } else { text };
            for rule in [context::RULES, frontmatter::RULES, globs::RULES, plans::RULES].into_iter().flatten() {
                // A fix may bring to light what was code before, so it takes a few passes, but never many.
                let mut text = text.clone();
                let settles = (0..PASSES).any(|_| {
                    let next = fixed_once(*rule, kind, &text, Applicability::Safe);
                    std::mem::replace(&mut text, next) == text
                });
                prop_assert!(settles, "{} does not settle: {text:?}", rule.info().name);
            }
        }
    }

    #[test]
    fn every_card_is_complete() {
        use crate::rules::{context, frontmatter, globs, plans};
        for group in [context::RULES, frontmatter::RULES, globs::RULES, plans::RULES] {
            assert!(group.is_sorted_by_key(|rule| rule.info().name));
            for info in group.iter().map(|rule| rule.info()) {
                for heading in ["## What it does", "## Why is this bad?", "## Example", "## How to fix"] {
                    assert_eq!(info.explanation.matches(heading).count(), 1, "{} {heading}", info.name);
                }
                assert!(!info.evidence.is_empty() && !info.levels.is_empty() && !info.summary.ends_with('.'));
            }
        }
    }
}

/// What one rule or group says of a whole repository, loaded as the program does.
pub(crate) fn repository(rule: &str, config: &str, files: &[(&str, &str)]) -> Vec<Finding> {
    repository_of(rule, config, &Memory::of_files(files.iter().copied()))
}

/// The same, where `a -> b` is a link.
pub(crate) fn repository_with_links(rule: &str, config: &str, files: &[(&str, &str)]) -> Vec<Finding> {
    let entry = |(path, text): &(&str, &str)| match path.split_once(" -> ") {
        Some((link, target)) => (RepoPath::from(link), EntryKind::Symlink, target.as_bytes().to_vec()),
        None => (RepoPath::from(*path), EntryKind::File, text.as_bytes().to_vec()),
    };
    repository_of(rule, config, &Memory::new(files.iter().map(entry)))
}

fn repository_of(rule: &str, config: &str, source: &Memory) -> Vec<Finding> {
    let config = Config::parse(&"hintlint.toml".into(), config).expect("the config is right");
    let loaded = load(source, config, &[]).expect("the patterns are right");
    let selection = Selection { select: vec![rule.to_owned()], ..Selection::default() };
    let findings = run(loaded, &selection, &mut |_| Answers::default()).findings;
    for finding in &findings {
        let info = super::find(finding.rule).expect("the rule exists");
        assert!(info.levels.contains(&finding.level) && !finding.message.ends_with('.'), "{finding:?}");
    }
    findings
}

/// The findings of [`repository`], one line each.
pub(crate) fn lines(rule: &str, config: &str, files: &[(&str, &str)]) -> Vec<String> {
    let show = |finding: Finding| {
        let Finding { path, span, level, message, .. } = finding;
        format!("{}:{}-{} {} {message}", path.to_str_lossy(), span.start, span.end, level.name())
    };
    repository(rule, config, files).into_iter().map(show).collect()
}
