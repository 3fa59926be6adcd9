//! Paths that lead nowhere and that history does not know, by example.

use super::super::testing::{Past, check, check_at, findings, missing_or_doubtful, show};

#[test]
fn what_never_was_is_told_and_mended_where_one_file_is_close() {
    let files = ["tests/test_a.py", "src/lib/utils/date.ts", "src/utils/x.ts"];
    let text = "Extend `tests/test_b.py`. Dates: `src/utils/date.ts`.\n";
    let want = ["warning tests/test_b.py", "warning src/utils/date.ts unsafe src/lib/utils/date.ts"];
    assert_eq!(check("missing-path", text, &files, &[]), want);
}

#[test]
fn a_path_with_hidden_characters_is_not_offered() {
    let text = "Dates: `src/utils/date.ts`.\n";
    let files = ["src/l\u{e4}b/utils/date.ts", "src/utils/x.ts"];
    assert_eq!(
        check("missing-path", text, &files, &[]),
        ["warning src/utils/date.ts unsafe src/l\u{e4}b/utils/date.ts"]
    );
    let files = ["src/l\u{200b}b/utils/date.ts", "src/utils/x.ts"];
    assert_eq!(check("missing-path", text, &files, &[]), ["warning src/utils/date.ts"]);
}

#[test]
fn a_list_that_names_files_which_are_there_means_the_others_too() {
    let files = ["src/server/queues.ts", "src/server/logger.ts", "docs/a.md"];
    let text = "- Queues: `src/server/queues.ts`\n- Hooks: `src/server/hooks.ts`\n\nSee `src/server/x1.ts`.\n\n\
                | Area | File |\n| --- | --- |\n| Log | `src/server/logger.ts`, `src/server/spans.ts` |\n\n\
                - `docs/a.md`\n- `docs/b1.md`\n- `docs/c1.md`\n";
    let files = files.map(|file| (file, ""));
    let text = format!("---\ndescription: y\n---\n{text}");
    let files = [&[(".claude/commands/x.md", &*text)], &files[..]].concat();
    let want = [
        "info src/server/hooks.ts",
        "info src/server/x1.ts",
        "info src/server/spans.ts",
        "info docs/b1.md",
        "info docs/c1.md",
    ];
    assert_eq!(show(&findings("missing-path", &files, &[], &[], false), &text), want);
}

#[test]
fn a_hint_file_that_relies_on_a_path_means_a_file_that_is_there() {
    let files = ["src/core/a1.rs", "docs/a1.md", "data/a1.csv", ".tasks/a1.md"];
    let text = "Guards live in `src/core/jumps.rs`.\n- **Pages**: `docs/never1.md`, `data/rows.csv`, `docs/NOTES.md`\n\n\
                Add tests in `src/core/tests.rs`. You may keep a log in `docs/journal.md`.\n\
                - `.tasks/prd.md`: the requirements\n";
    let want = [
        "warning src/core/jumps.rs",
        "warning docs/never1.md",
        "info data/rows.csv",
        "info docs/NOTES.md",
        "info src/core/tests.rs",
        "info docs/journal.md",
        "info .tasks/prd.md",
    ];
    assert_eq!(check("missing-path", text, &files, &[]), want);
    let all_info = |path: &str, text: &str| {
        let found = check_at("missing-path", path, text, &files, &[]);
        !found.is_empty() && found.iter().all(|line| line.starts_with("info"))
    };
    // TypeScript imports what the compiler will make.
    assert_eq!(check("missing-path", "Import from `src/types.js`.\n", &["src/types.ts", "src/a.js"], &[]), [""; 0]);
    // Prompts and agents describe projects in general.
    assert!(all_info(".claude/agents/x.md", "Guards live in `src/core/jumps.rs`.\n"));
}

#[test]
fn a_template_is_not_the_file_that_was_meant() {
    let files = ["design/a.md", ".claude/docs/templates/concept.md", ".claude/docs/index.md"];
    let text = "1. `design/gdd/concept.md` holds the pillars, `design/index.md` the systems.\n";
    let want = ["info design/index.md"];
    assert_eq!(check_at("missing-path", ".claude/agents/x.md", text, &files, &[]), want);
    let files = ["pkg/common/hooks.ts", "pkg/node/x.ts"];
    let want = ["warning node/hooks.ts unsafe common/hooks.ts"];
    assert_eq!(check_at("missing-path", "pkg/AGENTS.md", "See `node/hooks.ts`.\n", &files, &[]), want);
    let files = ["design/a.md", "design/templates/concept.md"];
    assert_eq!(check("missing-path", "Read `design/concept.md`.\n", &files, &[]), ["info design/concept.md"]);
}

#[test]
fn what_the_reader_is_told_to_read_is_meant() {
    let files = ["docs/flow/a1.md", ".github/workflows/ci1.yml", "src/main.rs", "assets/d1.md"];
    let text = "Read `docs/flow/b1.md` first. The list in `docs/flow/c1.md` is long. A push triggers `.github/workflows/deploy.yml`.\n\n\
                `docs/flow/d1.md` comes from `assets/d1.md`.\n\nLook at `src/main.rs` and `src/eval1.rs`.\n";
    let want = [
        "warning docs/flow/b1.md",
        "warning docs/flow/c1.md",
        "warning .github/workflows/deploy.yml",
        "warning src/eval1.rs",
    ];
    assert_eq!(check("missing-path", text, &files, &[]), want);
}

#[test]
fn a_bundle_names_its_files_by_a_variable() {
    let text = "Run `${CLAUDE_PLUGIN_ROOT}/scripts/go.sh`, then `bash \"${CLAUDE_PLUGIN_ROOT}/scripts/kept.sh\"`.\n\n\
                ```sh\nnode ${CLAUDE_PLUGIN_ROOT}/lib/gone.js --x\n```\n\n`${CLAUDE_PLUGIN_ROOT}/scripts/*.sh` `${CLAUDE_PLUGIN_ROOT}/docs/<n>.md`\n\
                `${CLAUDE_PLUGIN_ROOT}/scripts/` `${OTHER}/scripts/go.sh`\n\n```md\n---\nname: x\n---\n${CLAUDE_PLUGIN_ROOT}/scripts/any.sh\n```\n\nCreate `${CLAUDE_PLUGIN_ROOT}/notes/new1.md`.\n";
    let manifest = ("p/.claude-plugin/plugin.json", "{}");
    let files = [manifest, ("p/commands/a.md", text), ("p/scripts/kept.sh", ""), ("scripts/go.sh", "")];
    let want = ["warning ${CLAUDE_PLUGIN_ROOT}/scripts/go.sh"];
    assert_eq!(show(&findings("missing-path", &files, &[], &[], false), text), want);
    let past = [("p/scripts/go.sh", Past::Deleted)];
    let want = ["error ${CLAUDE_PLUGIN_ROOT}/scripts/go.sh"];
    assert_eq!(show(&findings("stale-path", &files, &past, &[], false), text), want);
    // Outside of a bundle the variable's value is unknown.
    let alone = [("CLAUDE.md", text), ("scripts/kept.sh", "")];
    assert_eq!(findings("missing-path", &alone, &[], &[], false), []);
}

#[test]
fn files_in_an_agents_own_folder_are_meant() {
    let files = [".claude/commands/flow/start.md", ".claude/scripts/a.sh"];
    let text = "Read `.claude/commands/flow/steps/begin.md`. Run (.claude/scripts/net/get.sh). See `.claude/hooks/x.sh`.\n\
                Keep `.claude/commands/your-own.md`, `.claude/commands/state.json`. Create `.claude/commands/new.md`.\n";
    let want = [
        "warning .claude/commands/flow/steps/begin.md",
        "warning .claude/scripts/net/get.sh",
        "info .claude/commands/state.json",
    ];
    assert_eq!(check("missing-path", text, &files, &[]), want);
    let skill = "---\nname: x\ndescription: y\n---\nThe steps are in `.claude/commands/flow/begin.md`.\n";
    let level = |path: &str| check_at("missing-path", path, skill, &files, &[])[0].split(' ').next().map(str::to_owned);
    assert_eq!(level(".claude/skills/x/SKILL.md").as_deref(), Some("warning"));
    assert_eq!(level(".agents/skills/x/SKILL.md").as_deref(), Some("info"));
}

#[test]
fn a_skill_names_scripts_beside_its_own() {
    let skill =
        "---\nname: x\ndescription: y\n---\nCall `scripts/convert.py`, not `lib/a.py`. See `scripts/notes.txt`.\n";
    let found = |file: &str| missing_or_doubtful("skills/x/SKILL.md", skill, &[file]);
    assert_eq!(found("skills/x/scripts/make.py"), ["info scripts/convert.py"]);
    assert_eq!(found("scripts/make.py"), [""; 0]);
    assert_eq!(found("skills/x/scripts/x.txt"), [""; 0]);
}

#[test]
fn what_is_no_path_of_this_repository_is_silent() {
    let files = ["tests/a.py", "src/a.rs", "docs/a.md"];
    let text = "`deps/ncrypto/x.cc` `tests/foo.py` `docs/your-page.md` `src/a.rs` `a.rs` `origin/main` `tests/b`\n\
                `github.com/x/y.md` `src/{a,b}.rs` `tests/*.py` `src/<x>.rs` `b.rs` `docs/gone.md`\n\n\
                Files such as `src/b.rs`. Save it as `docs/b.md`.\n";
    assert_eq!(check("missing-path", text, &files, &[("docs/gone.md", Past::Deleted)]), [""; 0]);
}

#[test]
fn what_another_page_makes_is_excused_where_it_never_was() {
    let text = "The state is in `work/state/active.md`. The rules are in `docs/flow/rules1.md`.\n";
    let check = |other: &str| {
        let files = [("AGENTS.md", text), ("work/state/a.md", ""), ("docs/flow/a.md", ""), ("CLAUDE.md", other)];
        let found = findings("missing-path", &files, &[], &[], false);
        show(&found.into_iter().filter(|found| found.path == "AGENTS.md".into()).collect::<Vec<_>>(), text)
    };
    let both = ["warning work/state/active.md", "warning docs/flow/rules1.md"];
    assert_eq!(check("Write the state to `work/state/active.md`.\n"), both[1..]);
    assert_eq!(check("Read `work/state/active.md` if it exists.\n"), both[1..]);
    assert_eq!(check("Write it to `x/work/state/active.md`, read `docs/flow/rules1.md`.\n"), both);
    assert_eq!(check("Nothing.\n"), both);
}

#[test]
fn what_a_console_of_another_program_gets_is_on_another_machine() {
    let at = |line: &str| check("missing-path", &format!("```\n{line}\n```\n"), &[], &[]);
    for line in [
        "demon> download C:\\Users\\jo\\Documents\\plan.docx",
        "msf6 exploit(x) > upload /Users/jo/app/plan.txt",
        "mysql> source /Users/jo/app/plan.sql",
        ">>> open('/Users/jo/app/plan.txt')",
        "type C:\\Users\\target\\Documents\\plan.docx",
        "type C:\\Users\\victim\\Documents\\plan.docx",
    ] {
        assert_eq!(at(line), [""; 0], "{line}");
    }
    for line in ["cat notes > /Users/jo/app/plan.txt", "cat > /Users/jo/app/plan.txt"] {
        assert_eq!(at(line), ["warning /Users/jo/app/plan.txt"], "{line}");
    }
}

#[test]
fn a_file_among_what_is_made_is_no_slip() {
    let text = "Read `steps/01/outputs/story.md`, then `steps/01/inputs/story.md`.\n";
    let files = ["steps/01/outputs/README.md", "steps/01/inputs/README.md"];
    let want = ["info steps/01/outputs/story.md", "warning steps/01/inputs/story.md"];
    assert_eq!(check("missing-path", text, &files, &[]), want);
}
