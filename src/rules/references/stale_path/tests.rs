//! Paths that history knows, by example.

use super::super::testing::{Past, check, check_at, findings, show};
use super::INFO;

const PAST: &[(&str, Past<'_>)] = &[
    ("src/old.rs", Past::Deleted),
    ("src/moved.rs", Past::Renamed("lib/new.rs")),
    ("src/grown.rs", Past::RenamedAndChanged("lib/grown.rs")),
    ("src/gone", Past::Deleted),
    ("pkg/src/local.rs", Past::Renamed("pkg/src/there.rs")),
    ("dist/cli.js", Past::Deleted),
    ("src/dim.rs", Past::Unknown),
    ("docs/guide.md", Past::Deleted),
    ("src/state.md", Past::Renamed("lib/archive/state.md")),
    (".claude/settings.json", Past::Deleted),
];
const FILES: &[&str] =
    &["lib/new.rs", "lib/grown.rs", "lib/archive/state.md", "pkg/src/there.rs", "src/here.rs", "deep/down/src/kept.rs"];

#[test]
fn a_line_that_names_both_names_tells_of_the_renaming() {
    let text = "- `src/moved.rs` -> `lib/new.rs`\n\nMigrated from `src/grown.rs` to `lib/grown.rs`.\n\n`src/moved.rs` and `lib/grown.rs`\n";
    assert_eq!(check(INFO.name, text, FILES, PAST), ["error src/moved.rs safe lib/new.rs"]);
}

#[test]
fn a_line_that_gives_the_new_name_tells_of_it_in_any_language() {
    let past = [("api/rows.config.js", Past::Renamed("api/rows.config.mjs"))];
    let text = "Renomeamos o arquivo de `rows.config.js` para `rows.config.mjs`.\n\nVeja `rows.config.js`.\n";
    let found = check_at(INFO.name, "api/GEMINI.md", text, &["api/rows.config.mjs"], &past);
    assert_eq!(found, ["error rows.config.js safe rows.config.mjs"]);
}

#[test]
fn a_lone_name_that_its_bearer_kept_is_right() {
    let past = [("Acme.Core", Past::Renamed("src/Acme.Core")), ("Acme.Api", Past::Renamed("src/Acme.Web"))];
    let files = ["src/Acme.Core/a.cs", "src/Acme.Web/a.cs"];
    let found = check(INFO.name, "`Acme.Core`, `Acme.Api` and `./Acme.Core`\n", &files, &past);
    assert_eq!(found, ["error Acme.Api safe src/Acme.Web", "error ./Acme.Core safe ./src/Acme.Core"]);
}

#[test]
fn a_name_that_each_of_several_things_has_is_no_file() {
    let past = [("kube/registry/claim.yaml", Past::Deleted)];
    let files = ["kube/web/deployment.yaml"];
    let at = |text: &str| check_at(INFO.name, "kube/AGENTS.md", text, &files, &past);
    assert_eq!(at("- Manifests: `deployment.yaml`, `claim.yaml`\n"), ["warning claim.yaml"]);
    for text in ["- Manifests per service: `deployment.yaml`, `claim.yaml`\n", "Each app has a set: `claim.yaml`\n"] {
        assert_eq!(at(text), [""; 0], "{text}");
    }
}

#[test]
fn a_folder_that_comes_and_goes_is_not_gone() {
    let past = [("docs/briefs", Past::Deleted), ("docs/rows", Past::Deleted)];
    let rule = "Audit `docs/briefs/`, then `docs/rows/`.\n";
    let found = |main: &str, settings: &str| {
        let files =
            [(".claude/rules/a.md", rule), ("AGENTS.md", main), (".claude/settings.json", settings), ("docs/a.md", "")];
        show(&findings(INFO.name, &files, &past, &[], true), rule)
    };
    let rows = ["warning docs/rows"];
    assert_eq!(found("Then `git rm docs/briefs/<slug>.md`.\n", "{}"), rows);
    assert_eq!(found("Words.\n", "{\"permissions\":{\"allow\":[\"Write(docs/briefs/*.md)\"]}}"), rows);
    assert_eq!(found("Then `git add docs/rows.md`.\n", "{}"), ["warning docs/briefs", "warning docs/rows"]);
}

#[test]
fn what_history_knows_is_reported_at_the_path() {
    let text = "`src/old.rs:12`, `src/moved.rs#L3`, `./src/grown.rs` and `src/gone/` `src/state.md`\n";
    let want = [
        "error src/old.rs",
        "error src/moved.rs safe lib/new.rs",
        "error ./src/grown.rs unsafe ./lib/grown.rs",
        "warning src/gone",
        "error src/state.md unsafe lib/archive/state.md",
    ];
    assert_eq!(check("stale-path", text, FILES, PAST), want);
}

#[test]
fn paths_in_plain_words_are_looked_up() {
    let text = "## src/old.rs\n\n- src/moved.rs: the (start)\n- **src/gone/deep/**\n- src/never.rs and src/here.rs\n\n\
                | File | Is |\n| --- | --- |\n| src/state.md | what was removed is here |\n| src/grown.rs | removed |\n";
    let past = [PAST, &[("src/gone/deep", Past::Deleted)]].concat();
    let want = [
        "error src/old.rs",
        "error src/moved.rs safe lib/new.rs",
        "warning src/gone/deep",
        "error src/state.md unsafe lib/archive/state.md",
    ];
    assert_eq!(check(INFO.name, text, FILES, &past), want);
}

#[test]
fn a_log_of_changes_tells_of_what_was_there() {
    let past = [("src/rows/old_rows.py", Past::Deleted)];
    let levels = |path: &str| {
        let text = "- Read `src/rows/old_rows.py` first.\n";
        check_at("stale-path", path, text, &["src/rows/a1.py"], &past)[0]
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(levels(".github/instructions/CHANGELOG.instructions.md"), "info");
    assert_eq!(levels(".github/instructions/rows.instructions.md"), "error");
}

#[test]
fn a_queue_that_is_empty_for_a_while_was_not_renamed() {
    let past =
        [("docs/work/todo", Past::Renamed("docs/work/done")), ("docs/work/rows", Past::Renamed("docs/work/lines"))];
    let files = ["docs/work/done/a1.md", "docs/work/lines/b1.md"];
    let found = check("stale-path", "Take the next from `docs/work/todo/` and `docs/work/rows/`.\n", &files, &past);
    assert_eq!(
        found.iter().map(|line| line.split(' ').next().unwrap_or_default()).collect::<Vec<_>>(),
        ["info", "warning"]
    );
}

#[test]
fn what_is_put_away_under_a_longer_name_comes_back() {
    let past = [
        (".kit/plan.yaml", Past::Renamed(".kit/archive/plan-2026-06-23.yaml")),
        ("docs/rows.yaml", Past::Renamed("docs/archive/rows.yaml")),
        ("roles/web/defaults/main.yml", Past::Deleted),
        ("docs/cells.yaml", Past::Deleted),
    ];
    let level = |text: &str| {
        check("stale-path", text, &["a1.md"], &past)
            .first()
            .map(|line| line.split(' ').next().unwrap_or_default().to_owned())
    };
    assert_eq!(level("Keep `.kit/plan.yaml` current.\n").as_deref(), Some("info"));
    assert_eq!(level("See `docs/rows.yaml`.\n").as_deref(), Some("error"));
    // Each role may have that file.
    assert_eq!(level("Variables never go to `defaults/main.yml`.\n"), None);
    assert_eq!(level("Servers have no root `docs/cells.yaml`.\n"), None);
}

#[test]
fn a_folder_of_which_an_ignore_file_names_files_is_made() {
    let check = |ignore: &str| {
        let text = "Read the rows in `src/app/rows_sync/` first.\n";
        let files = [("AGENTS.md", text), (".gitignore", ignore), ("src/app/a1.py", "")];
        findings("missing-path", &files, &[], &[], false).len()
    };
    assert_eq!(check("src/app/rows_sync/*.json\n"), 0);
    assert_eq!(check("src/app/other/*.json\n"), 1);
}

#[test]
fn a_folder_whose_content_is_ignored_is_made() {
    let found = |ignored: &[&str]| {
        let files = [("AGENTS.md", "`src/gone/` holds the pages.\n"), ("src/here.rs", "")];
        findings(INFO.name, &files, PAST, ignored, true).len()
    };
    assert_eq!((found(&["src/gone/file"]), found(&["src/other"])), (0, 1));
}

#[test]
fn patterns_that_name_the_folder_of_a_tracked_hint_say_nothing_of_its_paths() {
    let files = [(".cursor/rules/a.mdc", "See `src/old.rs`.\n"), ("src/here.rs", "")];
    let ignored = [".cursor/file", ".cursor/rules/file", ".cursor/rules/src/old.rs", ".cursor/src/old.rs"];
    assert_eq!(findings(INFO.name, &files, PAST, &ignored, true).len(), 1);
    assert_eq!(findings(INFO.name, &files, PAST, &["src/old.rs"], true), []);
}

#[test]
fn entries_of_a_drawn_tree_are_looked_up() {
    let text = "```\nacme/\n├── lib/\n│   └── new.rs\n├── src/\n│   ├── here.rs\n│   ├── old.rs   # the start\n│   ├── moved.rs # moved to lib\n│   └── gone/    # parts\n\
                │       └── state.md\n└── never.rs\n```\n";
    assert_eq!(check(INFO.name, text, FILES, PAST), ["error old.rs", "warning gone/"]);
    // A drawing may leave its root out, where most of it is there, or a folder introduces it.
    let rootless = "```\n├── lib/\n│   └── new.rs\n├── src/\n│   ├── here.rs\n│   └── old.rs\n└── never.rs\n```\n";
    assert_eq!(check(INFO.name, rootless, FILES, PAST), ["error old.rs"]);
    assert_eq!(check(INFO.name, "```\n├── src/\n│   └── old.rs\n└── never.rs\n```\n", FILES, PAST), [""; 0]);
    let of_folder = "The code (`src/`):\n\n```\n├── here.rs\n├── old.rs\n└── never.rs\n```\n";
    assert_eq!(check(INFO.name, of_folder, FILES, PAST), ["error old.rs"]);
    // A root that is to be filled in stands for any project.
    let any = "```\nproject-name/\n├── lib/\n│   └── new.rs\n└── src/\n    └── old.rs\n```\n";
    assert_eq!(check(INFO.name, any, FILES, PAST), [""; 0]);
    // Nothing of the tree is there: it shows another project.
    let other = "```\nacme/\n├── src/\n│   └── old.rs\n```\n";
    assert_eq!(check(INFO.name, other, &["x.md"], PAST), [""; 0]);
}

#[test]
fn a_path_may_be_told_by_its_end() {
    let past = [
        ("app/Core/Helpers/Counter.cs", Past::Deleted),
        ("app/Core/Helpers/Clock.cs", Past::Renamed("lib/Clock.cs")),
        ("a/Models/Twice.cs", Past::Deleted),
        ("b/Models/Twice.cs", Past::Renamed("c/Twice.cs")),
    ];
    let text = "`Helpers/Counter.cs`, `Helpers/Clock.cs`, `Models/Twice.cs`, `Helpers/Never.cs`\n";
    let files = ["app/Core/x.cs", "lib/Clock.cs", "c/Twice.cs"];
    let want = [
        "warning Helpers/Counter.cs",
        "warning Helpers/Clock.cs safe lib/Clock.cs",
        "warning Models/Twice.cs unsafe c/Twice.cs",
    ];
    assert_eq!(check(INFO.name, text, &files, &past), want);
    let skill = format!("---\nname: x\ndescription: y\n---\n{text}");
    assert_eq!(check_at(INFO.name, ".claude/skills/x/SKILL.md", &skill, &files, &past), [""; 0]);
}

#[test]
fn folders_with_brackets_are_folders() {
    let past = [("app/[locale]/(auth)/page.tsx", Past::Deleted), ("app/[...slug]/page.tsx", Past::Deleted)];
    let text = "`app/[locale]/(auth)/page.tsx` `app/[...slug]/page.tsx`\n";
    let want = ["error app/[locale]/(auth)/page.tsx", "error app/[...slug]/page.tsx"];
    assert_eq!(check(INFO.name, text, &["app/x.tsx"], &past), want);
}

#[test]
fn one_word_with_a_slash_may_be_the_place_where_something_goes() {
    let past = [("tools", Past::Deleted), ("src/tools", Past::Deleted)];
    let text = "Store scripts in `tools/`. They use `src/tools/`.\n";
    assert_eq!(check(INFO.name, text, &["src/a.rs"], &past), ["info tools", "warning src/tools"]);
}

#[test]
fn folders_that_come_and_go_are_an_info() {
    let past = [
        ("docs/plans", Past::Deleted),
        ("x/.tool/y", Past::Deleted),
        ("docs/api", Past::Deleted),
        (".github/api", Past::Deleted),
        ("src/state/x", Past::Deleted),
        ("docs/tasks", Past::Renamed("docs/work/tasks")),
    ];
    let text = "`docs/plans/` `x/.tool/y/` `docs/api/` `.github/api/` `src/state/x/` `docs/tasks/`\n";
    let want = [
        "info docs/plans",
        "info x/.tool/y",
        "warning docs/api",
        "warning .github/api",
        "warning src/state/x",
        "warning docs/tasks safe docs/work/tasks",
    ];
    let files = ["docs/a.md", "x/a.rs", "docs/work/tasks/a.md"];
    assert_eq!(check(INFO.name, text, &files, &past), want);
    let text = format!("---\nname: x\ndescription: y\n---\n{text}");
    let found = check_at(INFO.name, ".claude/commands/x.md", &text, &files, &past);
    let warnings: Vec<&String> = found.iter().filter(|line| line.starts_with("warning ")).collect();
    assert_eq!((found.len(), warnings.len()), (6, 1), "{found:?}");
}

#[test]
fn each_path_of_a_group_is_judged() {
    let text = "`src/{here,old,moved}.rs`\n";
    let want = ["error src/{here,old,moved}.rs", "error src/{here,old,moved}.rs"];
    assert_eq!(check("stale-path", text, FILES, PAST), want);
}

#[test]
fn paths_count_from_the_file_and_every_folder_above() {
    let text = "`src/local.rs` `../src/moved.rs` `src/moved.rs`\n";
    let want = ["error src/local.rs safe src/there.rs", "error ../src/moved.rs safe ../lib/new.rs"];
    assert_eq!(check_at("stale-path", "pkg/AGENTS.md", text, FILES, PAST), want);
    // A package without a `src` folder means the root's.
    let files = ["lib/new.rs"];
    assert_eq!(
        check_at("stale-path", "pkg/AGENTS.md", "`src/moved.rs`\n", &files, PAST),
        ["error src/moved.rs safe lib/new.rs"]
    );
}

#[test]
fn what_is_there_or_made_or_denied_is_silent() {
    let text = "`src/here.rs` `src/kept.rs` `down/src/kept.rs` `dist/cli.js` `src/never.rs` `src/dim.rs`\n\n\
                Never commit `src/old.rs`.\n\nUse `x` (`src/old.rs` does not exist).\n\nE.g. `src/old.rs`.\n\n\
                ```\n`src/old.rs`\n```\n\n[`src/old.rs`](https://x.y/z)\n\n- ~~`src/old.rs`~~\n\n`.claude/settings.json`\n\n\
                Save it as `docs/guide.md`.\n\nRead `docs/guide.md`.\n";
    assert_eq!(check("stale-path", text, FILES, PAST), [""; 0]);
}

#[test]
fn a_lone_name_in_a_skill_is_a_file_of_the_skill() {
    let past = [("walkthrough.md", Past::Deleted), (".claude/skills/x/guide.md", Past::Deleted)];
    let text = "---\nname: x\ndescription: y\n---\nThe run leaves `walkthrough.md` behind. Read `guide.md`.\n";
    let want = ["error guide.md"];
    assert_eq!(check_at("stale-path", ".claude/skills/x/SKILL.md", text, &["a.md"], &past), want);
}

#[test]
fn a_file_of_the_same_name_but_for_case_elsewhere_is_another_file() {
    let past = [("Plans/context.md", Past::Renamed("docs/plans/context.md"))];
    let want = ["error Plans/context.md safe docs/plans/context.md"];
    assert_eq!(check("stale-path", "Read `Plans/context.md`.\n", &["docs/plans/context.md"], &past), want);
}

#[test]
fn a_skill_that_is_handed_out_answers_for_its_own_past() {
    let text = "---\nname: x\ndescription: y\n---\n`guide.md` `scripts/run.py` `README.md` `src/old.rs` `tests/skills/seo/check.py` `eval/seo/score.py` `a/b.py`\n\n[p](references/p.md)\n";
    let page = "`more.md` `skills/x/guide.md` `src/old.rs`\n";
    let files = [("skills/x/SKILL.md", text), ("skills/x/references/p.md", page), ("skills/x/scripts/now.py", "")];
    let past = [
        ("skills/x/guide.md", Past::Deleted),
        ("skills/x/README.md", Past::Deleted),
        ("skills/x/scripts/run.py", Past::Renamed("skills/x/scripts/now.py")),
        ("skills/x/more.md", Past::Deleted),
        ("src/old.rs", Past::Deleted),
        ("tests/skills/seo/check.py", Past::Deleted),
        ("eval/seo/score.py", Past::Deleted),
        ("a/b.py", Past::Deleted),
    ];
    let all = findings(INFO.name, &files, &past, &[], false);
    let (page_found, own): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|finding| finding.path.as_bytes().ends_with(b"p.md"));
    let want = [
        "error guide.md",
        "error scripts/run.py safe scripts/now.py",
        "error tests/skills/seo/check.py",
        "error eval/seo/score.py",
    ];
    assert_eq!(show(&own, text), want);
    assert_eq!(show(&page_found, page), ["error more.md", "error skills/x/guide.md"]);
    let template = [("templates/skills/x/SKILL.md", "---\nname: x\ndescription: y\n---\n`guide.md`\n")];
    assert_eq!(findings(INFO.name, &template, &[("templates/skills/x/guide.md", Past::Deleted)], &[], false), []);
}

#[test]
fn a_lone_name_is_looked_for_in_the_folder_that_introduces_its_list() {
    let past =
        [("rules/testing.md", Past::Deleted), ("src/shared/codec.ts", Past::Deleted), ("rules/x.md", Past::Deleted)];
    let files = ["src/shared/a.ts", "src/shared/kept.ts"];
    let text = "Check `rules/` for:\n\n- Testing (`testing.md`)\n\n## The code (`src/shared/`)\n\n- `codec.ts` and `kept.ts`\n\n\
                Other words:\n\n- `x.md`\n\nIn `rules/` or `src/`:\n\n- `x.md`\n";
    assert_eq!(check(INFO.name, text, &files, &past), ["error testing.md", "error codec.ts"]);
}

#[test]
fn what_the_text_calls_old_may_be_there() {
    let text = "The legacy `src/here.rs` and legacy `src/old.rs` are kept.\n\nThe legacy `src/old.rs` went, `src/here.rs` came.\n";
    // The second line alone says that the first path is gone.
    assert_eq!(check(INFO.name, "Legacy `src/old.rs` alone.\n", FILES, PAST), [""; 0]);
    assert_eq!(check(INFO.name, text, FILES, PAST).len(), 2);
    assert_eq!(check(INFO.name, "Removed: `src/old.rs`, not `src/here.rs`.\n", FILES, PAST), [""; 0]);
}

#[test]
fn a_lone_name_that_only_one_file_ever_had_means_that_file() {
    let past = [
        ("app/conf/config.yaml", Past::Deleted),
        ("app/trainer.py", Past::Renamed("app/learn.py")),
        ("app/settings.yaml", Past::Deleted),
        ("x/twice.py", Past::Deleted),
        ("y/twice.py", Past::Renamed("other/x.py")),
        ("lib/index.js", Past::Deleted),
    ];
    let text = "Edit `config.yaml`, run `trainer.py`. Not `settings.yaml`: `twice.py`, `index.js`. A `package.json` or `uv.lock`.\n";
    let files = ["app/learn.py", "app/settings.example.yaml", "other/x.py"];
    let want = ["warning config.yaml", "warning trainer.py unsafe learn.py"];
    assert_eq!(check(INFO.name, text, &files, &past), want);
    // A text in another folder means something else, as does one about projects in general.
    assert_eq!(check_at(INFO.name, "other/AGENTS.md", text, &files, &past), [""; 0]);
    let command = format!("---\ndescription: y\n---\n{text}");
    assert_eq!(check_at(INFO.name, ".claude/commands/x.md", &command, &files, &past), [""; 0]);
}

#[test]
fn a_sure_rename_is_no_guess() {
    let text = "---\nname: x\ndescription: y\n---\nSuch as `src/moved.rs`, `src/grown.rs` and `src/old.rs`.\n";
    let want = ["warning src/moved.rs safe lib/new.rs", "info src/grown.rs unsafe lib/grown.rs", "info src/old.rs"];
    assert_eq!(check_at(INFO.name, ".claude/commands/x.md", text, FILES, PAST), want);
}

#[test]
fn working_files_come_and_go() {
    let past = [("PLAN.md", Past::Deleted), ("docs/PLAN.md", Past::Deleted)];
    assert_eq!(
        check(INFO.name, "Read `PLAN.md` and `docs/PLAN.md`.\n", &["docs/x.md"], &past),
        ["info PLAN.md", "error docs/PLAN.md"]
    );
}

#[test]
fn files_that_describe_others_speak_only_when_selected() {
    let text = "---\nname: x\ndescription: y\n---\n`src/old.rs`\n";
    let files = [("skills/x/SKILL.md", text)];
    assert_eq!(findings(INFO.name, &files, PAST, &[], false), []);
    assert_eq!(show(&findings(INFO.name, &files, PAST, &[], true), text), ["error src/old.rs"]);
    let own = [(".claude/skills/x/SKILL.md", text), (".claude/skills/x/AGENTS.md", "`src/old.rs`\n")];
    assert_eq!(show(&findings(INFO.name, &own, PAST, &[], false), text), ["error src/old.rs"]);
    assert_eq!(findings(INFO.name, &[("docs/archive/CLAUDE.md", text)], PAST, &[], false), []);
}

#[test]
fn a_folder_that_was_moved_into_another_is_named() {
    let past = [("include/lang/lexer.hpp", Past::Renamed("code/include/lang/lexer.hpp"))];
    let files = ["code/include/lang/lexer.hpp", "other/x.md"];
    let text = "The lexer is in `include/lang/lexer.hpp`.\n";
    assert_eq!(
        check(INFO.name, text, &files, &past),
        ["warning include/lang/lexer.hpp safe code/include/lang/lexer.hpp"]
    );
    // The text counts from that folder, or the path was never another, or two files end so.
    assert_eq!(check(INFO.name, &format!("All in `code/`.\n\n{text}"), &files, &past), [""; 0]);
    assert_eq!(check(INFO.name, &format!("Not `~/code/x`.\n\n{text}"), &files, &past).len(), 1);
    assert_eq!(check(INFO.name, text, &files, &[]), [""; 0]);
    let two = ["code/include/lang/lexer.hpp", "old/include/lang/lexer.hpp"];
    assert_eq!(check(INFO.name, text, &two, &past), [""; 0]);
}

#[test]
fn what_prompts_write_they_take_away() {
    let past = [("shared/coordination/wave-done.md", Past::Deleted), ("shared/wave-rules.md", Past::Deleted)];
    let prompt = "---\ndescription: y\n---\nRead `shared/coordination/wave-done.md` and `shared/wave-rules.md`.\n";
    let want = ["info shared/coordination/wave-done.md", "error shared/wave-rules.md"];
    assert_eq!(check_at(INFO.name, ".claude/commands/x.md", prompt, &["shared/a.md"], &past), want);
}

#[test]
fn the_settings_of_the_program_lie_in_its_users_projects() {
    let past = [("acmed.yaml", Past::Renamed(".acmed.yaml")), ("deploy.yaml", Past::Deleted)];
    let files = ["cmd/acmed/main.go", ".acmed.yaml"];
    let text = "Rules come from `acmed.yaml` and `deploy.yaml`.\n";
    let at = |files: &[&str]| check(INFO.name, text, files, &past);
    assert_eq!(at(&files)[0], "info acmed.yaml unsafe .acmed.yaml");
    assert!(!at(&files)[1].starts_with("info"), "{:?}", at(&files));
    assert!(!at(&files[1..])[0].starts_with("info"), "{:?}", at(&files[1..]));
}

#[test]
fn one_entry_of_a_drawing_may_be_known_by_chance() {
    let past = [("web/public/x", Past::Deleted), ("web/public", Past::Deleted)];
    let tree = "```\nweb/\n├── src/\n├── assets/\n├── pages/\n├── parts/\n├── shared/\n└── public/\n```\n";
    let found = |text: &str, files: &[(&str, &str)]| {
        let all = [&[("AGENTS.md", text)], files].concat();
        show(&findings("stale-path", &all, &past, &[], false), text)
    };
    assert_eq!(found(tree, &[("web/src/a.ts", "")]), [""; 0]);
    let there = ["web/src/a", "web/assets/a", "web/pages/a", "web/parts/a"].map(|file| (file, ""));
    assert_eq!(found(tree, &there), ["warning public/"]);
}

#[test]
fn a_plan_names_files_of_its_bundle_as_of_its_day() {
    let past = [("scripts/old.py", Past::Deleted)];
    let text = "Run `${CLAUDE_PLUGIN_ROOT}/scripts/old.py`.\n";
    let files = [(".claude-plugin/plugin.json", "{}"), ("scripts/new.py", "")];
    let found = |path: &str| findings("stale-path", &[&[(path, text)], &files[..]].concat(), &past, &[], false).len();
    assert_eq!((found("docs/plans/a.md"), found("commands/a.md")), (0, 1));
}

#[test]
fn a_folder_of_which_one_file_went_elsewhere_was_hardly_renamed() {
    let past = [("docs/rows", Past::Renamed("tools/script")), ("docs/guide", Past::Renamed("docs/manual"))];
    let files = ["tools/script/a1.py", "docs/manual/b1.md"];
    let level = |path: &str, text: &str| {
        let found = check_at("stale-path", path, text, &files, &past);
        found.iter().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let text = "Look into `docs/rows/` first, and into `docs/guide/`.\n";
    assert_eq!(level("AGENTS.md", text), ["warning", "warning"]);
    assert_eq!(level(".claude/commands/x.md", text), ["info", "warning"]);
}
