//! Paths that a text surely means, and those that it names in passing.

use crate::rules::references::testing::{check, check_at, missing, missing_or_doubtful};

#[test]
fn pages_that_a_skill_lists_were_left_behind() {
    let skill = |rows: &str| format!("---\nname: x\ndescription: y\n---\n| Step | File |\n| --- | --- |\n{rows}");
    let rows = "| A | `workflows/Build1.md` |\n| B | `workflows/Test1.md` |\n| C | `workflows/Lint1.md` |\n";
    let found = missing_or_doubtful("skills/x/SKILL.md", &skill(rows), &["skills/x/run.sh"]);
    assert_eq!(found.len(), 3, "{found:?}");
    let two = "| A | `workflows/Build1.md` |\n| B | `workflows/Test1.md` |\n";
    assert_eq!(missing_or_doubtful("skills/x/SKILL.md", &skill(two), &["skills/x/run.sh"]), [""; 0]);
    let sent = skill("| A | b |\n\nSee `references/cells.md`. Write `references/rows.md`.\n");
    assert_eq!(missing_or_doubtful("skills/x/SKILL.md", &sent, &["skills/x/run.sh"]), ["warning references/cells.md"]);
    // Skills make files in projects.
    let made = rows.replace("workflows/", "reports/");
    assert_eq!(missing_or_doubtful("skills/x/SKILL.md", &skill(&made), &["skills/x/run.sh"]), [""; 0]);
}

#[test]
fn a_slip_deep_in_this_repository_is_one_in_a_prompt_too() {
    let told = |path: &str, text: &str| missing(path, text, &["web/src/stores/a1.ts", "docs/adr/a1.md"]);
    assert_eq!(
        told(".claude/agents/x.md", "Stores live in `web/src/store/`.\n"),
        ["warning web/src/store unsafe web/src/stores"]
    );
    assert_eq!(told("AGENTS.md", "Records are in `docs/adrs/`.\n"), ["warning docs/adrs unsafe docs/adr"]);
    // Any project may have that one.
    assert_eq!(told(".claude/agents/x.md", "Records are in `docs/adrs/`.\n"), [""; 0]);
}

#[test]
fn a_command_that_is_handed_out_lists_files_deep_in_its_repository() {
    let files = ["packages/core/src/lib/one-rule.ts", "src/one-rule.ts", ".claude-plugin/plugin.json"];
    let text = "Loaded from:\n\n- `packages/core/src/lib/one-rule.ts`\n- `packages/core/src/lib/two-rule.ts`\n";
    assert_eq!(missing_or_doubtful("commands/x.md", text, &files), ["info packages/core/src/lib/two-rule.ts"]);
    let shallow = "Loaded from:\n\n- `src/one-rule.ts`\n- `src/two-rule.ts`\n";
    assert_eq!(missing_or_doubtful("commands/x.md", shallow, &files), [""; 0]);
}

#[test]
fn a_list_of_folders_means_all_of_them() {
    let files = ["tests/Controller/a.php", "tests/Fixtures/b.php", "src/c.php"];
    let text = "- `Unit/`: fast\n- `Controller/`: slow\n- `Fixtures/`: data\n";
    assert_eq!(missing_or_doubtful("tests/AGENTS.md", text, &files), ["info Unit"]);
    assert_eq!(missing_or_doubtful("tests/AGENTS.md", &text.replace("- `Controller/`: slow\n", ""), &files), [""; 0]);
    // At the top any project has such folders.
    assert_eq!(
        missing_or_doubtful("AGENTS.md", &text.replace("Controller", "tests").replace("Fixtures", "src"), &files),
        [""; 0]
    );
    assert_eq!(missing_or_doubtful("tests/AGENTS.md", &text.replace("Unit", "[name]"), &files), [""; 0]);
    assert_eq!(missing_or_doubtful("tests/AGENTS.md", &text.replace("fast", "Built reports"), &files), [""; 0]);
}

#[test]
fn the_reader_is_sent_to_a_folder_or_a_lone_page() {
    let files = ["src/client/a1.ts", "docs/a1.md"];
    let easy = "New views are easy to add (see `src/client/views/`).\n";
    assert_eq!(missing("AGENTS.md", easy, &files), ["warning src/client/views"]);
    assert_eq!(missing("AGENTS.md", "Add new views to `src/client/views/`.\n", &files), [""; 0]);
    let text = "Read the current `src/components` code. Results go to `src/widgets`.\n\n\
                See `CONTEXT-MAP.md`. Keep a `JOURNAL.md`. See `README.md`. See `PLAN.md`. 修改前请查阅 `DESIGN.md`.\n";
    let want = ["warning src/components", "warning CONTEXT-MAP.md", "warning DESIGN.md"];
    assert_eq!(missing("AGENTS.md", text, &files), want);
    let agent = format!("---\nname: x\ndescription: y\n---\n{text}");
    assert_eq!(missing(".claude/agents/x.md", &agent, &files), [""; 0]);
}

#[test]
fn a_folder_that_never_was_is_missed_among_sources() {
    let files = ["src/api/a1.ts", "docs/guides/a1.md", "docs/api/b1.md"];
    let level = |text: &str| check("missing-path", text, &files, &[]);
    assert_eq!(level("Views live in `src/screens/`.\n"), ["warning src/screens"]);
    assert_eq!(level("Records live in `docs/adr/`.\n"), ["info docs/adr"]);
    assert_eq!(level("Plugins live in `src/.plugins/`.\n"), ["info src/.plugins"]);
    for placed in [
        "Views live in `src/screens/` or `src/views`.\n",
        "Views live under `src/screens/{Name}/x`.\n",
        "Views live in → `src/screens/`.\n",
        "Store views in `src/screens/`.\n",
    ] {
        assert!(level(placed).iter().all(|told| told.starts_with("info")), "{placed}");
    }
    assert_eq!(level("Read `docs/adr/` first.\n"), ["warning docs/adr"]);
    // A lone name is none of a certain folder, and nobody speaks of a `src`.
    assert_eq!(level("Views live in `screens/`.\n"), ["info screens"]);
    let deep = ["crates/core/src/rows/a1.rs", "crates/core/build.rs"];
    assert_eq!(missing("AGENTS.md", "Rows live in `crates/core/rows/`.\n", &deep), [""; 0]);
    assert_eq!(missing("AGENTS.md", "Rows live in `crates/core/cells/`.\n", &deep), ["warning crates/core/cells"]);
}

#[test]
fn what_a_file_of_settings_holds_is_told() {
    let files = ["config/a1.yml", "config/b1.json"];
    let text =
        "- `config/deploy.yml` defines the servers\n- `config/rows.yml`\n\nCopy it: `config/own.yml` may hold more.\n";
    assert_eq!(check("missing-path", text, &files, &[])[0], "warning config/deploy.yml");
    let levels = check("missing-path", "`config/rows.yml` is read. `config/own.csv` holds rows.\n", &files, &[]);
    assert!(levels.iter().all(|line| line.starts_with("info")), "{levels:?}");
}

#[test]
fn a_rule_about_other_projects_means_no_file_of_this_one() {
    let rule = |globs: &str| format!("---\npaths: {globs}\n---\nGuards live in `src/core/jumps.rs`.\n");
    let at = |globs: &str| check_at("missing-path", ".claude/rules/x.md", &rule(globs), &["src/core/a1.rs"], &[]);
    assert_eq!(at("src/**/*.rs"), ["warning src/core/jumps.rs"]);
    assert_eq!(at("'**/*.py'"), ["info src/core/jumps.rs"]);
    assert_eq!(at("backend/**"), ["info src/core/jumps.rs"]);
}

#[test]
fn a_folder_to_which_pages_are_moved_may_be_made_then() {
    let files = ["src/guides/a1.ts", "src/api/b1.ts"];
    let text = "Views of last year are in `src/stale/`.\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning src/stale"]);
    for moves in ["Move old views to `src/stale/`.\n", "낡은 문서: `src/stale/`로 이동\n"] {
        assert_eq!(missing("AGENTS.md", moves, &files), [""; 0], "{moves}");
    }
}
