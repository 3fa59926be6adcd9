//! Tests of what is a hint file, and of which kind.

use super::*;

#[test]
fn kinds_follow_name_and_place() {
    let discovery = Discovery::new(&Config::default()).unwrap();
    let cases: &[(&str, Option<Kind>)] = &[
        ("AGENTS.md", Some(Kind::AgentsMd)),
        ("a/b/CLAUDE.md", Some(Kind::of_agent("claude-md"))),
        ("claude.md", Some(Kind::of_agent("claude-md"))),
        ("docs/ja/agents.md", None),
        ("x/.claude/rules/deep/r.md", Some(Kind::of_agent("claude-rule"))),
        (".claude/rules/r.txt", None),
        ("notclaude/.claudex/rules/r.md", None),
        (".cursor/rules/a/b.mdc", Some(Kind::of_agent("cursor-rule"))),
        (".cursor/rules/a.md", None),
        (".github/copilot-instructions.md", Some(Kind::of_agent("copilot-instructions"))),
        (".github/instructions/x/ts.instructions.md", Some(Kind::of_agent("copilot-scoped"))),
        (".github/prompts/p.prompt.md", Some(Kind::of_agent("copilot-prompt"))),
        ("skills/x/SKILL.md", Some(Kind::Skill)),
        ("hints/git/hint.md", Some(Kind::PackageHint)),
        ("hints/git/hint.yaml", Some(Kind::PackageYaml)),
        ("hints/git/git.md", Some(Kind::PackageHint)),
        ("hints/git/git_linux.md", Some(Kind::PackageHint)),
        ("hints/git/git_windows.yaml", Some(Kind::PackageYaml)),
        ("hints/git/other.md", None),
        ("hints/hint.md", None),
        ("src/hints/a/b.md", Some(Kind::LibraryHint)),
        ("docs/plans/2026/x.md", Some(Kind::Plan)),
        ("docs/superpowers/plans/x.md", Some(Kind::Plan)),
        (".kiro/specs/x/tasks.md", Some(Kind::Plan)),
        (".kiro/specs/x/design.md", None),
        (".github/agents/deep/x.md", Some(Kind::of_agent("copilot-agent"))),
        ("agents/x.md", None),
        ("docs/plans/README.md", None),
        ("PLAN.md", Some(Kind::Plan)),
        (".agents/rules/deep/x.mdc", Some(Kind::OtherRules)),
        (".agent/rules/x.md", Some(Kind::OtherRules)),
        (".agents/notes/x.md", None),
        (".clinerules/x.txt", Some(Kind::of_agent("cline-rule"))),
        (".hintlint/context/a/merged.md", Some(Kind::Artifact)),
        ("README.md", None),
        (".goosehints", Some(Kind::of_agent("goose-hints"))),
    ];
    for (path, kind) in cases {
        assert_eq!(discovery.kind(path.as_bytes()), *kind, "{path}");
        assert_eq!(discovery.candidates(&Listing::of_files([path])).len(), usize::from(kind.is_some()), "{path}");
    }
}

#[test]
fn bundles_hold_hints() {
    let mut discovery = Discovery::new(&Config::default()).unwrap();
    let listing = Listing::of_files([
        ".claude-plugin/marketplace.json",
        "plugins/a/.claude-plugin/plugin.json",
        "plugins/a/agents/x.md",
        "plugins/a/commands/SKILL.md",
        "plugins/b/commands/y.md",
        "plugins/c/extra/z.md",
        "plugins/c/agents/w.md",
        "docs/agents/v.md",
    ]);
    let kinds = |discovery: &Discovery| {
        let found = discovery.candidates(&listing).into_iter();
        found.map(|found| format!("{} {}", found.path.to_str_lossy(), found.kind.name())).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&discovery), ["plugins/a/agents/x.md claude-agent", "plugins/a/commands/SKILL.md skill"]);
    let bundle = bundles::all().find(|bundle| bundle.catalogue.starts_with(".claude")).expect("Claude Code's");
    let hints = BundlePath::Hints("./plugins/c/extra/".into(), Kind::of_agent("claude-command"));
    let named = vec![BundlePath::Root("./plugins/b".into()), hints];
    assert_eq!(discovery.add_bundles(b"", bundle, named), [b"plugins/b".to_vec()]);
    let more = ["plugins/b/commands/y.md claude-command", "plugins/c/extra/z.md claude-command"];
    assert_eq!(kinds(&discovery)[2..], more);
    assert!(discovery.add_bundles(b"plugins/b", bundle, vec![BundlePath::Root("../../../x".into())]).is_empty());
}

#[test]
fn templates_and_records_are_set_aside() {
    for (path, expected) in [
        ("templates/AGENTS.md", true),
        ("a/Examples/b/CLAUDE.md", true),
        ("__tests__/__fixtures__/SKILL.md", true),
        ("docs/archive/CLAUDE.md", true),
        ("vendor/github.com/a/b/AGENTS.md", true),
        ("pkg/vendoring/AGENTS.md", false),
        ("skills/AGENTS.md", false),
        ("project-template/AGENTS.md", true),
        ("starters/AGENTS.md", true),
        ("starter/AGENTS.md", false),
        ("kit-Templates/a/CLAUDE.md", true),
        ("skills/mail-templates/references/a.md", false),
        ("-template/AGENTS.md", false),
        ("src/example.rs/AGENTS.md", false),
    ] {
        assert_eq!(why_set_aside(path.as_bytes()).is_some(), expected, "{path}");
    }
}

#[test]
fn excluded_files_are_no_candidates() {
    let config = Config { exclude: vec![("vendor/**".into(), Default::default())], ..Config::default() };
    let discovery = Discovery::new(&config).unwrap();
    let found = discovery.candidates(&Listing::of_files(["vendor/AGENTS.md", "AGENTS.md"]));
    assert_eq!(found, [FileToCheck { path: "AGENTS.md".into(), kind: Kind::AgentsMd }]);
    assert_eq!(discovery.excluded_by(b"vendor/AGENTS.md").as_deref(), Some("vendor/**"));
}

#[test]
fn what_a_day_names_is_a_record() {
    for path in [
        "runs/20260417-183231/app/AGENTS.md",
        "specs/2026-04-17-audit/AGENTS.md",
        ".claude/agents/memory/audit-2026-02-23.md",
        ".claude/skills/_disabled/x/SKILL.md",
        ".harness-disabled/.claude/skills/x/SKILL.md",
    ] {
        assert!(why_set_aside(path.as_bytes()).is_some(), "{path}");
    }
    for path in ["runs/2026/AGENTS.md", "v20260417-rc/AGENTS.md", "docs/2026-04-17.md", "specs/0001-audit/AGENTS.md"] {
        assert_eq!(why_set_aside(path.as_bytes()), None, "{path}");
    }
}
