//! Tests of paths whose file lies elsewhere in this repository: drawn, climbing, in another skill, below an agent's folder; and of
//! anchors of a text's own.

use super::testing::{self, Past, findings, show};

/// The findings of `rule` above info about the file at `path`, beside empty files.
fn warnings(rule: &str, path: &str, text: &str, files: &[&str]) -> Vec<String> {
    let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
    testing::warnings(rule, path, text, &files, &[])
}

#[test]
fn a_drawn_file_was_moved() {
    let files = ["src/gate.ts", "src/ui/a1.ts", "src/hooks/b1.ts", "lang/en.json", "supply/c1.sql"];
    let tree = "```\nsrc/\n  ui/       # views\n  hooks/    # state\n\ngate.ts     # the gate\nlang/       # words\nsupply/     # rows\n```\n";
    assert_eq!(warnings("missing-path", "CLAUDE.md", tree, &files), ["warning gate.ts"]);
    // The drawing shows the other one, too; another has the name; little of the drawing is there.
    let both = tree.replace("  ui/ ", "  gate.ts\n  ui/ ");
    assert_eq!(warnings("missing-path", "CLAUDE.md", &both, &files), [""; 0]);
    let two = [&files[..], &["lib/gate.ts"]].concat();
    assert_eq!(warnings("missing-path", "CLAUDE.md", tree, &two), [""; 0]);
    assert_eq!(warnings("missing-path", "CLAUDE.md", tree, &files[..2]), [""; 0]);
    let skill = format!("---\nname: x\ndescription: y\n---\n{tree}");
    assert_eq!(warnings("missing-path", ".claude/skills/x/SKILL.md", &skill, &files), [""; 0]);
}

#[test]
fn a_drawn_folder_was_divided() {
    let files =
        ["Sources/App/Main.swift", "Sources/App/Delegate.swift", "Sources/View.swift", "Sources/Find/Bar.swift"];
    let tree = |root: &str, heading: &str| {
        format!(
            "## {heading}\n\n```\n{root}/\n├── Main.swift      # entry\n├── Delegate.swift  # menus\n├── View.swift      # window\n└── Find/           # search\n```\n"
        )
    };
    let want = ["warning Main.swift", "warning Delegate.swift"];
    assert_eq!(warnings("missing-path", "CLAUDE.md", &tree("Sources", "App target organization"), &files), want);
    assert_eq!(warnings("missing-path", "CLAUDE.md", &tree("Sources", "Target organization"), &files), [""; 0]);
    // Two files of one name, and one that moved alone.
    let two = [&files[..], &["Tests/Main.swift"]].concat();
    assert_eq!(warnings("missing-path", "CLAUDE.md", &tree("Sources", "Files"), &two), [""; 0]);
}

#[test]
fn another_file_ends_like_the_one_that_was_deleted() {
    let past = [("src/types.ts", Past::Deleted)];
    let files = [("src/rows.ts", ""), ("container/src/types.ts", "")];
    let at = |text: &str, files: &[(&str, &str)]| testing::warnings("stale-path", "AGENTS.md", text, files, &past);
    let text = "Read the types in `src/types.ts`, and `src/rows.ts`.\n";
    assert_eq!(at(text, &files), ["warning src/types.ts"]);
    // The text speaks of the other folder, shortens other paths of it, or has no such folder beside it.
    assert_eq!(at(&format!("{text}\nIt runs in `container/`.\n"), &files), [""; 0]);
    let others = [files[0], files[1], ("container/src/cells.ts", "")];
    assert_eq!(at(&format!("{text}\nCells are in `src/cells.ts`.\n"), &others), [""; 0]);
    assert_eq!(at(text, &files[1..]), [""; 0]);
    assert_eq!(testing::warnings("stale-path", "AGENTS.md", text, &files, &[]), [""; 0]);
}

#[test]
fn a_path_that_climbs_inside_the_repository() {
    let files = ["pages/ship/make-pr/SKILL.md"];
    let told = |path: &str, text: &str, files: &[&str]| warnings("missing-path", path, text, files);
    let text = "See `../make-pr/SKILL.md`, step 8.\n";
    assert_eq!(told("pages/flow/AGENTS.md", text, &files), ["warning ../make-pr/SKILL.md"]);
    // It may be a repository beside this one.
    let other = "See `../make-pr/skills/ship/x1.md`.\n";
    assert_eq!(told("pages/flow/AGENTS.md", other, &["skills/ship/x1.md"]), [""; 0]);
    assert_eq!(told("app/AGENTS.md", "See `../make-pr/x1.md`.\n", &files), [""; 0]);
}

#[test]
fn a_skill_sends_its_reader_to_what_another_skill_has() {
    let files = ["skills/notes/SKILL.md", "skills/notes/references/flow-rows.md"];
    let skill = |text: &str| format!("---\nname: join\ndescription: y\n---\n{text}");
    let text = skill("See `references/flow-rows.md` for the steps.\n");
    assert_eq!(warnings("missing-path", "skills/join/SKILL.md", &text, &files), ["warning references/flow-rows.md"]);
    for other in [
        "See `references/flow-rows.md` of the skill notes.\n",
        "Load the skill `ship-it`, then read `references/flow-rows.md`.\n",
        "It makes `references/flow-rows.md`.\n",
    ] {
        assert_eq!(warnings("missing-path", "skills/join/SKILL.md", &skill(other), &files), [""; 0], "{other}");
    }
}

#[test]
fn a_skill_in_an_agents_folder_runs_a_script_from_the_root() {
    let text = "---\nname: rows\ndescription: y\n---\n```bash\npython3 skills/rows/scripts/find-it.py\n```\n";
    let files = [".agents/skills/rows/scripts/find-it.py"];
    let told = |path: &str, files: &[&str]| warnings("missing-path", path, text, files);
    assert_eq!(told(".agents/skills/rows/SKILL.md", &files), ["warning skills/rows/scripts/find-it.py"]);
    assert_eq!(told("skills/rows/SKILL.md", &["skills/rows/scripts/find-it.py"]), [""; 0]);
    assert_eq!(told(".agents/skills/rows/SKILL.md", &[files[0], "skills/lines/SKILL.md"]), [""; 0]);
    assert_eq!(told(".agents/skills/lines/SKILL.md", &files), [""; 0]);
}

#[test]
fn a_text_means_its_own_headings_wherever_it_goes() {
    let agent = "---\nname: x\ndescription: y\n---\n- [One](#my_part)\n- [Two](#mypart)\n\n## MY_PART\n";
    let manifest = [".claude-plugin/plugin.json"];
    let found = warnings("broken-link", "agents/x.md", agent, &manifest);
    assert!(matches!(&found[..], [one] if one.starts_with("warning mypart")), "{found:?}");
}

#[test]
fn a_folder_that_was_deleted_is_listed_beside_others() {
    let files = ["rows/a1.rs", "lines/b1.rs", "words/c1.rs"];
    let told = |text: &str| {
        let all: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).chain([("AGENTS.md", text)]).collect();
        show(&findings("stale-path", &all, &[("cells", Past::Deleted)], &[], false), text)
    };
    let list = "- `rows/`: rows\n- `lines/`: lines\n- `words/`: words\n- `cells/`: cells of a row\n";
    assert_eq!(told(list), ["warning cells"]);
    assert_eq!(told("- `rows/`: rows\n- `cells/`: cells of a row\n"), ["info cells"]);
}

fn told_in_a_rule(text: &str) -> Vec<String> {
    let text = format!("---\ndescription: x\nalwaysApply: true\n---\n{text}");
    let files = [
        (".cursor/rules/a.mdc", text.as_str()),
        ("rules/php/style.mdc", ""),
        ("rules/php/types.mdc", ""),
        ("rules/php/tests.md", ""),
    ];
    show(&findings("missing-path", &files, &[], &[], false), &text)
}

#[test]
fn a_line_of_a_rule_that_is_a_path_behind_an_at_brings_a_file() {
    let told = |text: &str| {
        let text = format!("---\nalwaysApply: true\n---\n{text}");
        let files = [("web/.cursor/rules/a.mdc", text.as_str()), ("web/run.config.ts", ""), ("docs/style.md", "")];
        show(&findings("missing-path", &files, &[], &[], false), &text)
    };
    assert_eq!(told("# A\n\n@rows-template.py\n@exception-rows.py\n").len(), 2);
    assert_eq!(told("@e2e/run.config.ts\n"), ["warning e2e/run.config.ts unsafe web/run.config.ts"]);
    assert_eq!(told("- @pages/gone.md\n"), ["warning pages/gone.md"]);
    for other in [
        "@run.config.ts\n@style.md\n@docs/style.md\n",
        "Use @rows-template.py here.\n",
        "```\n@rows-template.py\n```\n",
        "@acme/rows\n@jo\n@dist/rows.js\n@example.py\n",
    ] {
        assert_eq!(told(other), [""; 0], "{other}");
    }
}

#[test]
fn a_path_behind_an_at_that_climbs_from_a_skill_is_meant() {
    let told = |text: &str| {
        let skill = format!("---\nname: x\ndescription: y\n---\n{text}");
        let files = [(".claude/skills/x/SKILL.md", skill.as_str()), ("identity/a1.md", "")];
        show(&findings("missing-path", &files, &[], &[], false), &skill)
    };
    let want = ["warning ../../../identity/b1.md"];
    assert_eq!(told("Read **@../../../identity/b1.md** first.\n"), want);
    assert_eq!(told("1. @../../../identity/b1.md - who\n"), want);
    for other in [
        "Read @../../../identity/a1.md first.\n",
        "Read @../../../nowhere/b1.md first.\n",
        "Read @../../../identity/*.md first.\n",
        "Mail a@../../../identity/b1.md.\n",
    ] {
        assert_eq!(told(other), [""; 0], "{other}");
    }
}

#[test]
fn a_rule_names_files_behind_an_at() {
    assert_eq!(
        told_in_a_rule("Apply `@rules/php/tests.mdc`.\n"),
        ["warning rules/php/tests.mdc unsafe rules/php/tests.md"]
    );
    let beside = "See @rules/php/style.mdc and @/rules/php/types.mdc, then @/rules/php/gone.mdc.\n";
    assert_eq!(told_in_a_rule(beside), ["warning rules/php/gone.mdc"]);
    for other in [
        "Apply @rules/php/gone.mdc.\n",
        "Import `@acme/rules/php.md`, a@rules/php/tests.mdc, @rules/php/<name>.mdc.\n",
        "```ts\nimport x from '@rules/php/tests.mdc'\n```\n",
    ] {
        assert_eq!(told_in_a_rule(other), [""; 0], "{other}");
    }
}

#[test]
fn a_source_of_copies_links_what_stands_beside_them() {
    let skill = "---\nname: x\ndescription: y\n---\n[a](../../hooks/run.md)\n";
    let files =
        [(".kit/source/skills/x/SKILL.md", skill), (".claude/skills/x/SKILL.md", skill), (".claude/hooks/run.md", "")];
    assert_eq!(show(&findings("broken-link", &files, &[], &[], false), skill), ["info ../../hooks/run.md"]);
    assert_eq!(show(&findings("broken-link", &files[..1], &[], &[], false), skill), ["warning ../../hooks/run.md"]);
}
