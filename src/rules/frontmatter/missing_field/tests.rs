//! Which fields are asked for, by example.

use super::*;
use crate::rules::testing::{check, check_at, places, repository};

#[test]
fn opencode_takes_any_file_for_an_agent() {
    let kind = Kind::of_agent("opencode-agent");
    let levels =
        |text: &str| -> Vec<Level> { check(&MissingField, kind, text).iter().map(|finding| finding.level).collect() };
    assert_eq!(levels("\n"), []);
    assert_eq!(levels("# Notes\n\nThe agents live here.\n"), [Level::Warning]);
    assert_eq!(levels("# Review\n\nYou are a reviewer.\n"), [Level::Info]);
    for text in ["---\nmode: subagent\n---\nReview.\n", "---\ndescription: x\n---\nReview.\n"] {
        assert_eq!(check(&MissingField, kind, text), [], "{text}");
    }
}

#[test]
fn a_page_among_the_subagents_of_a_plugin_is_offered_as_one() {
    let page = "# Prices\n\nSources of prices.\n";
    let found = |path: &str, manifest: &str| {
        let found = repository(INFO.name, "", &[(path, page), (manifest, "{\"name\": \"p\"}\n")]);
        found.iter().map(|finding| (finding.level, finding.message.clone())).collect::<Vec<_>>()
    };
    for (path, level) in [("p/agents/README.md", Level::Info), ("p/agents/scanner/sources/prices.md", Level::Warning)] {
        let told = found(path, "p/.claude-plugin/plugin.json");
        let is_it = |(at, text): &(Level, String)| *at == level && text.contains("is offered as a subagent");
        assert!(told.len() == 1 && told.iter().all(is_it), "{told:?}");
    }
    let named = [("p/agents/README.md", page), ("p/.claude-plugin/plugin.json", "{\"agents\": [\"./agents/a.md\"]}\n")];
    assert_eq!(repository(INFO.name, "", &named), [], "the folder is not looked through");
    let keyword = [("p/agents/a.md", page), ("p/.claude-plugin/plugin.json", "{\"keywords\": [\"agents\"]}\n")];
    assert_eq!(repository(INFO.name, "", &keyword).len(), 1, "a keyword names no file");
    let empty = [("p/agents/a.md", "\n"), ("p/.claude-plugin/plugin.json", "{}\n")];
    assert_eq!(repository(INFO.name, "", &empty), []);
    for (path, manifest) in [
        (".claude/agents/README.md", "p/.claude-plugin/plugin.json"),
        ("agents/README.md", "p/.claude-plugin/plugin.json"),
        ("p/docs/agents/prices.md", "p/.claude-plugin/plugin.json"),
        ("p/agents/README.md", "p/plugin.json"),
    ] {
        assert_eq!(found(path, manifest), [], "{path}");
    }
}

#[test]
fn what_is_required_is_asked_for() {
    for (kind, text, count) in [
        (Kind::Skill, "# T\n", 1),
        (Kind::Skill, "---\n---\n", 2),
        (Kind::Skill, "---\nname: a\ndescription:\n---\n", 1),
        (Kind::of_agent("claude-agent"), "---\nname: a\n---\n", 1),
        (Kind::LibraryHint, "---\nrelevant_for: x\n---\n", 1),
        (Kind::PackageYaml, "name: a\n", 1),
        (Kind::of_agent("kiro-steering"), "---\ninclusion: fileMatch\n---\n", 1),
        (Kind::of_agent("kiro-steering"), "---\ninclusion: auto\nname: a\n---\n", 1),
        (Kind::of_agent("windsurf-rule"), "---\ntrigger: glob\n---\n", 1),
        (Kind::of_agent("copilot-agent"), "---\ntarget: github-copilot\n---\n", 1),
        (Kind::of_agent("claude-agent"), "# Reviewer\n\nYou are a reviewer.\n", 1),
        (Kind::of_agent("claude-agent"), "你是 Builder Agent。\n\n## 角色\n", 1),
        (Kind::of_agent("claude-agent"), "# Review Agent\n\nReads the diff.\n", 1),
        (Kind::of_agent("claude-agent"), "# Create\n\n## Feature: $ARGUMENTS\n", 1),
        (Kind::of_agent("claude-agent"), "# Banking\n\n**Role:** an expert\n", 1),
    ] {
        assert_eq!(check(&MissingField, kind, text).len(), count, "{text:?}");
    }
    assert_eq!(places(&MissingField, Kind::Skill, "---\nname: a\ndescription:\n---\n"), ["description"]);
    let findings = check(&MissingField, Kind::Skill, "---\nname: a\ndescription: #1 tool\n---\n");
    assert!(findings[0].help.as_ref().unwrap().starts_with("`#` begins a comment"));
}

#[test]
fn a_page_called_like_a_skill_is_no_error() {
    let skill = ("x/b/SKILL.md", "---\nname: b\ndescription: c\n---\n");
    for (path, beside, want) in [
        ("skills/a/SKILL.md", skill, Level::Error),
        // Its only reader takes the first line for the description.
        (".claude/skills/a/SKILL.md", skill, Level::Warning),
        ("x/a/SKILL.md", skill, Level::Warning),
        ("public/tool/skills/a/SKILL.md", ("public/tool/skills/b/SKILL.md", skill.1), Level::Warning),
        (".tool/skills/a/SKILL.md", (".tool/skills/b/SKILL.md", skill.1), Level::Warning),
        ("public/tool/skills/a/SKILL.md", ("README.md", "x"), Level::Info),
        ("plugins/x/skills/a/SKILL.md", skill, Level::Error),
        ("skills/distiller/output/a/SKILL.md", skill, Level::Info),
        ("docs/SKILL.md", skill, Level::Info),
        ("skill/SKILL.md", skill, Level::Info),
        ("SKILL.md", skill, Level::Info),
        ("skill/SKILL.md", (".claude-plugin/plugin.json", "{}"), Level::Info),
    ] {
        let levels: Vec<Level> =
            repository(INFO.name, "", &[(path, "# T\n"), beside]).iter().map(|finding| finding.level).collect();
        assert_eq!(levels, [want], "{path}");
    }
}

#[test]
fn a_collection_of_pages_is_one_finding() {
    let files = [
        ("public/skills/a/SKILL.md", "# A\n"),
        ("public/skills/b/SKILL.md", "# B\n"),
        ("public/skills/c/SKILL.md", "# C\n"),
    ];
    let found = repository(INFO.name, "", &files);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.ends_with("; 2 more files of this folder have none"), "{}", found[0].message);
    let own = [("skills/a/SKILL.md", "# A\n"), ("skills/b/SKILL.md", "# B\n")];
    assert_eq!(repository(INFO.name, "", &own).len(), 2);
}

#[test]
fn what_all_skills_of_a_collection_lack_is_its_own_format() {
    let found = |root: &str, texts: [&str; 3], also: &str| {
        let paths = ["a", "b", "c"].map(|name| format!("{root}/{name}/SKILL.md"));
        let files = paths.iter().map(String::as_str).zip(texts).chain([(also, "{}")]);
        let found = repository(INFO.name, "", &files.collect::<Vec<_>>());
        let mut keys: Vec<Option<String>> =
            found.iter().map(|finding| finding.cause.as_ref().map(|cause| cause.key.clone())).collect();
        keys.dedup();
        let levels = found.iter().map(|finding| finding.level.name()).collect::<Vec<_>>().join(" ");
        (levels, keys.len())
    };
    let (named, whole, bare) = ("---\nname: a\n---\n", "---\nname: a\ndescription: x\n---\n", "# T\n");
    assert_eq!(found("skills", [named; 3], "README.md"), ("info info info".into(), 1));
    assert_eq!(found("skills", [bare; 3], "README.md"), ("info info info".into(), 1));
    assert_eq!(found("prompts/skills", [bare, named, named], "README.md").0, "error info info");
    // One that is whole shows that the others are not; and an agent reads its own folder and its plugins.
    assert_eq!(found("skills", [named, named, whole], "README.md").0, "error error");
    assert_eq!(found("skills", [bare, bare, whole], "README.md").0, "error error");
    assert_eq!(found(".claude/skills", [named; 3], "README.md").0, "error error error");
    assert_eq!(found("skills", [bare; 3], ".claude-plugin/plugin.json").0, "error error error");
    assert_eq!(found("skills", [bare; 3], ".claude-plugin/marketplace.json").0, "error error error");
}

#[test]
fn the_format_of_another_program_is_an_info() {
    let text = "---\nid: x\ntitle: T\nsteps: 3\n---\n";
    let levels = |paths: &[&str], text: &str| {
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, text)).collect();
        let mut levels: Vec<_> = repository(INFO.name, "", &files).iter().map(|finding| finding.level.name()).collect();
        levels.dedup();
        levels
    };
    let family = ["skills/a/SKILL.md", "skills/b/SKILL.md", "skills/c/SKILL.md"];
    assert_eq!(levels(&family, text), ["info"]);
    // Two may have slipped alike, and an agent reads its own folder.
    assert_eq!(levels(&family[..2], text), ["error"]);
    let own = [".github/skills/a/SKILL.md", ".github/skills/b/SKILL.md", ".github/skills/c/SKILL.md"];
    assert_eq!(levels(&own, text), ["error"]);
}

#[test]
fn what_is_optional_broken_or_misspelt_is_not() {
    for (path, kind, text) in [
        ("a/SKILL.md", Kind::Skill, "---\nname: a\ndescription: b\n---\n"),
        ("a/SKILL.md", Kind::Skill, "---\nname: a\ndescription: b: c\n---\n"),
        ("a/SKILL.md", Kind::Skill, "---\nname: a\nDescription: b\n---\n"),
        ("a/SKILL.md", Kind::Skill, "\n---\nname: a\n---\n"),
        (".claude/skills/a/SKILL.md", Kind::Skill, "---\ndescription: b\n---\n"),
        (".claude/agents/README.md", Kind::of_agent("claude-agent"), "# Our agents\n"),
        ("a.mdc", Kind::of_agent("cursor-rule"), "# T\n"),
        ("AGENTS.md", Kind::AgentsMd, "# T\n"),
        (".claude/agents/README.md", Kind::of_agent("claude-agent"), "# The Agent\n"),
        (".claude/agents/x.md", Kind::of_agent("claude-agent"), "# How we use agents\n"),
        (".claude/agents/x.md", Kind::of_agent("claude-agent"), "# 说明\n\n如果你是新手,先读这里。\n"),
        (".claude/agents/GUIDE.md", Kind::of_agent("claude-agent"), "# Guide\n\nWrite `You are` first.\n"),
        ("k.md", Kind::of_agent("kiro-steering"), "---\ninclusion: always\n---\n"),
        ("w.md", Kind::of_agent("windsurf-rule"), "---\ntrigger: manual\n---\n"),
        ("a.agent.md", Kind::of_agent("copilot-agent"), "---\ntarget: vscode\n---\n"),
        ("tests/fixtures/a/SKILL.md", Kind::Skill, "# T\n"),
    ] {
        assert_eq!(check_at(&MissingField, path, kind, text), [], "{text:?}");
    }
}

#[test]
fn the_text_of_a_template_is_no_description() {
    let at = |path: &str, description: &str| {
        let text = format!("---\nname: a\ndescription: '{description}'\n---\nDo it.\n");
        repository(INFO.name, "", &[(path, &text)]).iter().map(|finding| finding.level.name()).collect::<Vec<_>>()
    };
    let template = "Describe what this custom agent does and when to use it.";
    assert_eq!(at(".github/agents/a.agent.md", template), ["warning"]);
    assert_eq!(at(".github/instructions/a.instructions.md", template), ["warning"]);
    let skill = "Replace with description of the skill and when Claude should use it.";
    assert_eq!(at(".claude/skills/a/SKILL.md", skill), ["warning"]);
    assert_eq!(at("templates/a/SKILL.md", skill), [""; 0]);
    assert_eq!(at("assets/skills/template-skill/SKILL.md", skill), [""; 0]);
    assert_eq!(at(".github/agents/a.agent.md", "Describe what this module does and when to use it."), [""; 0]);
}

#[test]
fn what_another_text_calls_an_agent_is_meant_as_one() {
    let told = |name: &str, says: &str| {
        let path = format!(".claude/agents/{name}.md");
        let files = [(path.as_str(), "# Planner\n\nPlans the work.\n"), ("CLAUDE.md", says)];
        repository("missing-field", "", &files).len()
    };
    assert_eq!(told("planner", "First use the planner agent.\n"), 1);
    assert_eq!(told("planner", "Hand it to the `planner` subagent.\n"), 1);
    for (name, says) in [
        ("planner", "Every planner agents know.\n"),
        ("planner", "Read about planning.\n"),
        ("README", "See the README agent.\n"),
        ("ai", "Use the ai agent.\n"),
    ] {
        assert_eq!(told(name, says), 0, "{name} {says}");
    }
}

#[test]
fn a_prompt_that_a_subagent_hands_on_is_none_itself() {
    let level = |path: &str| {
        let files = [(path, "# Review\n\nYou are a reviewer.\n"), ("CLAUDE.md", "x\n")];
        repository("missing-field", "", &files).iter().map(|finding| finding.level).collect::<Vec<_>>()
    };
    assert_eq!(level(".claude/agents/review.md"), [Level::Error]);
    assert_eq!(level(".claude/agents/team/review.md"), [Level::Error]);
    assert_eq!(level(".claude/agents/review-prompts/review.md"), [Level::Info]);
    assert_eq!(level(".claude/agents/team/references/deep/review.md"), [Level::Info]);
    assert_eq!(level("prompts/.claude/agents/review.md"), [Level::Error]);
}

#[test]
fn a_skill_from_which_an_agent_s_own_is_made_need_not_be_whole() {
    let source = ("skills/a/SKILL.md", "---\nname: a\nsummary: x\n---\nDo it.\n");
    let export = (".agents/skills/a/SKILL.md", "---\nname: a\ndescription: x\n---\nDo it.\n");
    let levels = |files: &[(&str, &str)]| {
        repository(INFO.name, "", files).iter().map(|finding| finding.level.name()).collect::<Vec<_>>()
    };
    assert_eq!(levels(&[source, export]), ["info"]);
    assert_eq!(levels(&[source, (".agents/skills/b/SKILL.md", export.1)]), ["error"]);
}
