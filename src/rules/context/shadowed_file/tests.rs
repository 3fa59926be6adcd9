//! Which files no enabled agent reads.

use crate::rules::testing::{lines, repository};

fn check(config: &str, files: &[(&str, &str)]) -> Vec<String> {
    let found = lines("shadowed-file", config, files);
    found.into_iter().map(|line| line.replace("no enabled agent reads this file: ", "")).collect()
}

const CODEX: &str = "OpenAI Codex CLI 0.169.0";
const CLAUDE: &str = "Claude Code 2.1.330";

#[test]
fn an_override_hides_its_neighbour() {
    let files = [("a/AGENTS.md", "x"), ("a/AGENTS.override.md", "y"), ("AGENTS.md", "z")];
    assert_eq!(check("", &files), [format!("a/AGENTS.md:0-0 warning {CODEX} reads a/AGENTS.override.md in its place")]);
    assert_eq!(check("agents = [\"codex\", \"goose\"]\n", &files), [""; 0]);
    assert_eq!(check("", &[("AGENTS.md", "x"), ("AGENTS.override.md", "Also read AGENTS.md.")]), [""; 0]);
}

#[test]
fn claude_md_keeps_agents_md_out() {
    let files = [("AGENTS.md", "x"), ("CLAUDE.md", "y")];
    let line = |level: &str| format!("AGENTS.md:0-0 {level} {CLAUDE} reads CLAUDE.md in its place");
    assert_eq!(check("agents = [\"claude\"]\n", &files), [line("warning")]);
    assert_eq!(check("", &files), [line("info")]);
    assert_eq!(check("agents = [\"claude\", \"codex\"]\n", &files), [""; 0]);
    for claude in ["@AGENTS.md\n", "See [the rules](AGENTS.md).\n", "See `./AGENTS.md`\n"] {
        assert_eq!(check("agents = [\"claude\"]\n", &[("AGENTS.md", "x"), ("CLAUDE.md", claude)]), [""; 0]);
    }
    // An empty CLAUDE.md hides nothing.
    assert_eq!(check("agents = [\"claude\"]\n", &[("AGENTS.md", "x"), ("CLAUDE.md", "\n")]), [""; 0]);
    let committed = "agents = [\"claude\"]\n[compile]\nagents = [\"merged\"]\n";
    assert_eq!(check(committed, &files), [""; 0]);
}

#[test]
fn a_flat_file_among_skills_is_none() {
    let hint = ("CLAUDE.md", "x\n");
    let flat = |files: &[(&'static str, &'static str)]| {
        let lines = check("", &[&[hint], files].concat()).into_iter();
        lines.map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        check("", &[hint, (".claude/skills/review.md", "x")]),
        [".claude/skills/review.md:0-0 warning a skill is a folder with a SKILL.md"]
    );
    let plugin = (".claude-plugin/plugin.json", "{\"name\": \"x\"}");
    assert_eq!(flat(&[plugin, ("skills/scan.md", "x")]), ["skills/scan.md"]);
    assert_eq!(
        flat(&[(".github/skills/core/a.md", "x"), (".github/skills/core/deep/b.md", "x")]),
        [".github/skills/core/a.md"]
    );
    let beside = (".claude/skills/b/SKILL.md", "---\nname: b\ndescription: c\n---\nx\n");
    assert_eq!(flat(&[beside, (".claude/skills/deploy/deploy.md", "x")]), [".claude/skills/deploy/deploy.md"]);
    for files in [
        // Of no agent; about the folder; named; beside or in a skill; a page of a skill; a template.
        &[("skills/scan.md", "x")][..],
        &[(".claude/skills/README.md", "x"), (".claude/skills/INDEX.md", "x"), (".claude/skills/skills-index.md", "x")],
        &[(".claude/skills/a.md", "x"), ("sub/CLAUDE.md", "Read .claude/skills/a.md first.\n")],
        &[(".claude/skills/a.md", "x"), (".claude/skills/a/SKILL.md", "x")],
        &[(".claude/skills/core/a.md", "x"), (".claude/skills/b/SKILL.md", "x")],
        &[(".agents/skills/a.md", "x"), (".agents/skills/SKILL.md", "x")],
        &[("templates/.claude/skills/a.md", "x")],
        &[plugin, ("skills/core/a.md", "x")],
    ] {
        assert_eq!(flat(files), [""; 0], "{files:?}");
    }
}

#[test]
fn a_page_about_agents_beside_others_speaks_to_none() {
    let told = |files: &[(&'static str, &'static str)]| check("", files).len();
    assert_eq!(told(&[("agents.md", "x"), ("commands.md", "y")]), 1);
    assert_eq!(told(&[("agents.md", "x"), ("commands.md", "y"), ("skills.md", "z")]), 0);
}

#[test]
fn a_text_where_an_agent_reads_another_kind_is_told() {
    let codex = (".codex/config.toml", "model = \"x\"\n");
    let told = |settings: (&'static str, &'static str), path: &'static str| check("", &[settings, (path, "x")]);
    assert_eq!(
        told(codex, ".codex/agents/qa.md"),
        [format!(".codex/agents/qa.md:0-0 warning {CODEX} reads `.codex/agents/*.toml`")]
    );
    let gemini = ("GEMINI.md", "x\n");
    assert_eq!(told(gemini, ".gemini/commands/git/commit.md").len(), 1);
    let copilot = (".github/copilot-instructions.md", "x\n");
    assert_eq!(told(copilot, ".github/instructions.md").len(), 1);
    for (settings, path) in [
        (codex, ".codex/agents/README.md"),
        (codex, ".codex/agents/qa.toml"),
        (codex, "docs/.codex/agents/qa.md"),
        ((".codex/config.toml", "model_instructions_file = \"agents/qa.md\"\n"), ".codex/agents/qa.md"),
        (("AGENTS.md", "As QA, read `.codex/agents/qa.md`.\n"), ".codex/agents/qa.md"),
        (copilot, "docs/.github/instructions.md"),
    ] {
        assert_eq!(told(settings, path), [""; 0], "{path}");
    }
}

#[test]
fn a_rule_has_the_ending_that_its_agent_reads() {
    let rule = |path: &'static str| check("", &[(".github/copilot-instructions.md", "x"), (path, "y")]);
    let want = ".github/instructions/review.md:0-0 warning GitHub Copilot CLI reads `*.instructions.md` in this folder";
    assert_eq!(rule(".github/instructions/review.md"), [want]);
    for path in [
        ".github/instructions/a.instructions.md",
        ".github/instructions/README.md",
        ".github/instructions/deep/review.md",
        "docs/instructions/review.md",
        ".github/instructions/review.json",
    ] {
        assert_eq!(rule(path), [""; 0], "{path}");
    }
}

#[test]
fn settings_of_other_programs_are_theirs() {
    let files = |path: &'static str| [("CLAUDE.md", "y"), (path, "x")];
    assert_eq!(check("agents = [\"claude\"]\n", &files("pi/.config/pi/agent/AGENTS.md")), [""; 0]);
    assert_eq!(check("agents = [\"claude\"]\n", &files("pi/config/AGENTS.md")).len(), 1);
}

#[test]
fn case_counts() {
    assert_eq!(
        check("", &[("claude.md", "x"), ("AGENTS.md", "y")]),
        [format!("claude.md:0-0 warning {CLAUDE} reads CLAUDE.md, and file names are case-sensitive")]
    );
    assert_eq!(check("", &[("Gemini.md", "x"), (".github/copilot-instructions.md", "y")]), [""; 0]);
    assert_eq!(check("", &[("docs/claude.md", "x")]), [""; 0]);
}

#[test]
fn the_config_decides_who_reads() {
    let files = [("GEMINI.md", "x"), ("CLAUDE.md", "y"), (".cursorrules", "z")];
    assert_eq!(check("", &files), [""; 0]);
    assert_eq!(
        check("agents = [\"claude\"]\n", &files),
        [
            ".cursorrules:0-0 info no enabled agent reads this file; enabled: Claude Code",
            "GEMINI.md:0-0 warning no enabled agent reads this file; enabled: Claude Code"
        ]
    );
}

#[test]
fn settings_name_other_files() {
    let named = "{\"context\": {\"fileName\": \"AGENTS.md\"}}";
    let found = check("", &[("QWEN.md", "x"), ("AGENTS.md", "y"), (".qwen/settings.json", named)]);
    assert_eq!(found, ["QWEN.md:0-0 warning the settings of Qwen Code 0.24.4 name other files"]);
    // Gemini reads what its settings name besides.
    assert_eq!(check("", &[("GEMINI.md", "x"), ("AGENTS.md", "y"), (".gemini/settings.json", named)]), [""; 0]);
}

#[test]
fn where_no_settings_name_files_none_are_blamed() {
    let found = check("agents = [\"codex\"]\n", &[("AGENT.md", "x"), ("AGENTS.md", "y")]);
    assert_eq!(found.iter().filter(|line| line.contains("settings")).count(), 0, "{found:#?}");
}

#[test]
fn what_is_excluded_on_purpose_is_left_alone() {
    let settings = (".claude/settings.json", "{\"claudeMdExcludes\": [\"**/a/CLAUDE.md\"]}");
    assert_eq!(check("", &[("CLAUDE.md", "x"), ("a/CLAUDE.md", "y"), settings]), [""; 0]);
}

#[test]
fn a_folder_with_a_number_or_in_the_singular_is_read_by_nobody() {
    let hint = ("CLAUDE.md", "x\n");
    let found = |files: &[(&'static str, &'static str)]| check("", &[&[hint], files].concat());
    assert_eq!(
        found(&[(".claude/agents-2/deep/a.md", "x"), (".claude/agents/b.md", "x")]),
        [".claude/agents-2/deep/a.md:0-0 warning agents read `.claude/agents/`, and it lies in `.claude/agents-2/`"]
    );
    for (path, folder) in
        [(".claude/agent/a.md", "agents"), (".claude/subagents/a.md", "agents"), (".claude/skill/a/SKILL.md", "skills")]
    {
        let name = path.split('/').nth(1).unwrap();
        let want = format!("{path}:0-0 warning agents read `.claude/{folder}/`, and it lies in `.claude/{name}/`");
        assert_eq!(found(&[(path, "x")]), [want]);
    }
    for files in [
        &[(".claude/agents-old/a.md", "x")][..],
        &[(".claude/agent/README.md", "x"), (".opencode/agent/a.md", "x"), ("src/command/a.md", "x")],
        &[(".claude/plans2/a.md", "x"), ("src/agents2/a.md", "x")],
        &[(".claude/agents2/a.md", "x"), ("sub/CLAUDE.md", "See `.claude/agents2/a.md`.\n")],
        &[("templates/.claude/agents2/a.md", "x")],
    ] {
        assert_eq!(found(files), [""; 0], "{files:?}");
    }
}

#[test]
fn a_look_alike_of_the_hyphen_is_another_name() {
    let odd = ".github/copilot\u{2011}instructions.md";
    let found = check("", &[("CLAUDE.md", "Read .github/copilot\u{2011}instructions.md first.\n"), (odd, "x")]);
    let want =
        "warning no agent reads this file: its name has U+2011 where .github/copilot-instructions.md has a hyphen";
    assert!(matches!(&found[..], [only] if only.ends_with(want)), "{found:?}");
    // The right file is there, too.
    assert_eq!(check("", &[(".github/copilot-instructions.md", "x"), (odd, "x")]), [""; 0]);
}

#[test]
fn a_slip_in_a_name_is_another_name() {
    let hint = ("CLAUDE.md", "x\n");
    let found = |files: &[(&'static str, &'static str)]| check("", &[&[hint], files].concat());
    assert_eq!(
        found(&[("sub/CLUADE.md", "y")]),
        ["sub/CLUADE.md:0-0 warning Claude Code reads sub/CLAUDE.md, one slip away"]
    );
    let underscore = found(&[(".github/copilot_instructions.md", "y")]);
    assert!(
        matches!(&underscore[..], [only] if only.contains("an underscore where .github/copilot-")),
        "{underscore:?}"
    );
    for files in [
        // The right one is there, too; named elsewhere; of an agent that nobody uses here.
        &[("sub/CLUADE.md", "y"), ("sub/CLAUDE.md", "y")][..],
        &[("sub/CLUADE.md", "y"), ("sub/CLAUDE.md", "See `CLUADE.md`.\n")],
        &[("GEMNI.md", "y")],
    ] {
        assert_eq!(found(files), [""; 0], "{files:?}");
    }
}

#[test]
fn a_record_that_each_bundle_keeps_is_no_skill() {
    let told = |bundles: usize| {
        let names: Vec<String> = (0..bundles).map(|number| format!("plugins/p{number}")).collect();
        let files: Vec<(String, &str)> = names
            .iter()
            .flat_map(|name| {
                [(format!("{name}/.claude-plugin/plugin.json"), "{}"), (format!("{name}/skills/origins.md"), "x")]
            })
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        check("", &files).len()
    };
    assert!(told(2) > 0);
    assert_eq!(told(3), 0);
}

#[test]
fn the_page_of_a_skill_is_in_capitals() {
    let page = "---\nname: x\ndescription: y\n---\nDo it.\n";
    let found = |files: &[(&str, &str)]| {
        let found = check("", &[&[("CLAUDE.md", "See .claude/skills/x/skill.md.\n")], files].concat());
        found.into_iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&[(".claude/skills/x/skill.md", page)]), [".claude/skills/x/skill.md:0-0"]);
    let bundle = (".claude-plugin/plugin.json", "{\"name\": \"a\"}");
    assert_eq!(
        found(&[("GEMINI.md", "x\n"), (".gemini/skills/x/GEMINI.md", page)]),
        [".gemini/skills/x/GEMINI.md:0-0"]
    );
    assert_eq!(found(&[("GEMINI.md", "x\n"), (".gemini/skills/x/GEMINI.md", "x\n")]), [""; 0]);
    assert_eq!(found(&[bundle, ("skills/x/skill.md", page)]), ["skills/x/skill.md:0-0"]);
    for files in [
        // Beside the right one, in no agent's folder, in one of an agent that takes any case, of a template.
        &[(".claude/skills/x/SKILL.md", page), (".claude/skills/x/skill.md", page)][..],
        &[("docs/skills/x/skill.md", page)],
        &[(".github/copilot-instructions.md", "x"), (".github/skills/x/skill.md", page)],
        &[("templates/.claude/skills/x/skill.md", page)],
    ] {
        assert_eq!(found(files), [""; 0], "{files:?}");
    }
}

#[test]
fn a_file_that_only_looks_like_an_agents_own() {
    let hint = ("CLAUDE.md", "The files of .claudeignore are hidden.\n");
    let found = |files: &[(&str, &str)]| check("", &[&[hint], files].concat());
    let ignore = (".claudeignore", "secrets/\n");
    let of_it = found(&[ignore]);
    assert!(matches!(&of_it[..], [only] if only.starts_with(".claudeignore:0-0 warning Claude Code")), "{of_it:?}");
    let hook = "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"./check .claudeignore\"}]}]}}";
    assert_eq!(found(&[ignore, (".claude/settings.json", hook)]), [""; 0]);
    assert_eq!(found(&[("templates/.claudeignore", "x")]), [""; 0]);
}

#[test]
fn a_name_in_another_case_is_read_by_nobody() {
    let settings = (".claude/settings.json", "{}");
    let found = |files: &[(&str, &str)]| {
        let lines = check("", &[&[settings], files].concat()).into_iter();
        lines.map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&[(".claude/claude.md", "x\n")]), [".claude/claude.md"]);
    assert_eq!(found(&[(".claude/claude.md", "x\n"), ("CLAUDE.md", "y\n")]), [".claude/claude.md"]);
    assert_eq!(found(&[("web/CLAUDE.MD", "x\n")]), ["web/CLAUDE.MD"]);
    for files in [
        // The same text under the right name; pages about agents; a folder that is no agent's of that file.
        &[("claude.md", "x\n"), ("CLAUDE.md", "x\n")][..],
        &[(".claude/claude.md", "x\n"), ("CLAUDE.md", "x\n")],
        &[("docs/claude.md", "x\n"), ("docs/agents.md", "x\n")],
        &[(".claude/agents.md", "x\n"), (".claude/docs/claude.md", "x\n")],
        &[("web/CLAUDE.MD", "x\n"), ("web/CLAUDE.md", "x\n")],
    ] {
        assert_eq!(found(files), [""; 0], "{files:?}");
    }
}

#[test]
fn a_lone_skill_among_skills_hides_the_others_of_a_plugin() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: y\n---\nx\n");
    let (a, b, c) = (skill("a1"), skill("b1"), skill("c1"));
    let of = |manifest: &str, root: &str| {
        let lone = format!("{root}skills/SKILL.md");
        let (one, two) = (format!("{root}skills/b1/SKILL.md"), format!("{root}skills/c1/SKILL.md"));
        let files = [
            ("CLAUDE.md", "x\n"),
            (".claude-plugin/plugin.json", manifest),
            (lone.as_str(), a.as_str()),
            (one.as_str(), b.as_str()),
            (two.as_str(), c.as_str()),
        ];
        let files: Vec<(&str, &str)> = files.into_iter().filter(|(_, text)| !text.is_empty()).collect();
        check("", &files)
    };
    let hidden = format!(
        "skills/SKILL.md:0-0 warning because of this file, {CLAUDE} loads none of the skills in the 2 folders beside it: it takes this one for the only skill"
    );
    assert_eq!(of("{\"name\": \"p\"}", ""), std::slice::from_ref(&hidden));
    assert_eq!(of("{\"name\": \"p\", \"skills\": \"./skills/\"}", ""), [hidden]);
    let unread = format!(
        ".claude/skills/SKILL.md:0-0 warning {CLAUDE} does not read this file: a skill is a folder with a SKILL.md"
    );
    assert_eq!(of("", ".claude/"), [unread]);
    // Who lists single skills may name any; a folder that is no plugin may be copied elsewhere.
    assert_eq!(of("{\"name\": \"p\", \"skills\": [\"./skills/b1\"]}", ""), [""; 0]);
    assert_eq!(of("", ""), [""; 0]);
}

#[test]
fn what_texts_or_scripts_of_the_repository_read_is_read() {
    let files = |more: (&'static str, &'static str)| {
        [
            (".claude/subagents/style.md", "---\nname: style\ndescription: d\n---\n# Style\n"),
            ("CLAUDE.md", "Use tabs.\n"),
            more,
        ]
    };
    let told = |more| {
        let found = repository("shadowed-file", "agents = [\"claude\"]\n", &files(more));
        found.into_iter().filter(|finding| finding.path.to_str_lossy().contains("subagents")).count()
    };
    let alone = told(("a.md", "x\n"));
    assert_eq!(told((".claude/commands/check.md", "Read `.claude/subagents/{kind}.md` and follow it.\n")), 0);
    assert_eq!((alone, told((".claude/commands/check.md", "Checks are good.\n"))), (1, 1));
}

#[test]
fn of_very_many_folders_the_first_ones_are_looked_for() {
    let names: Vec<String> = (0..120).map(|number| format!("f{number:03}/.claude/subagents")).collect();
    let text = "---\nname: style\ndescription: d\n---\n# Style\n";
    let files: Vec<(String, &str)> = names.iter().map(|folder| (format!("{folder}/style.md"), text)).collect();
    let sends: String = names.iter().map(|folder| format!("Read `{folder}/{{kind}}.md` and follow it.\n")).collect();
    let mut all: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    all.push(("CLAUDE.md", &sends));
    let found = repository("shadowed-file", "agents = [\"claude\"]\n", &all);
    let told: Vec<String> = found.iter().map(|finding| finding.path.to_str_lossy().into_owned()).collect();
    assert_eq!(told.len(), 20, "{told:?}");
    assert!(told.iter().all(|path| path.as_str() >= "f100"), "{told:?}");
}
