//! Tests of paths that only their surroundings prove: folders, drawings, plain words, links in notes, and what scripts write.

use super::testing::{Past, check, check_at, missing, missing_or_doubtful, warnings};

#[test]
fn a_folder_in_which_something_is_said_to_be_is_meant() {
    let files = ["app/rules/a1.ts", "pkg/log/a1.go", "src/core/a1.ts", "src/api/a1.ts"];
    let text = "Prompts are in `app/prompts/`. Views live under **`src/screens/`**.\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning app/prompts", "warning src/screens"]);
    // A module, a folder that is only named, one that is yet to come, one of a tool, and one of another language's library.
    let text = "Import it from `src/helper`.\n\nNew code must stay in `src/screens/`.\n\nAll views: `src/screens/`.\n\n\
                | Kind | Where |\n| --- | --- |\n| views | `src/views/` |\n\nPlans in `.plans/open/`. Use `pkg/assert/`.\n";
    assert_eq!(missing("AGENTS.md", text, &files), [""; 0]);
}

#[test]
fn what_a_command_of_the_text_or_a_program_makes_need_not_be_there() {
    let files = ["docs/audit/kept.md", "src/core/a1.ts"];
    let text = "Run `mkdir -p docs/audit`, then read `docs/audit/all.md`.\n";
    assert_eq!(missing("AGENTS.md", text, &files), [""; 0]);
    let past = [("docs/audit/all.md", Past::Deleted)];
    let known: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &known, &past), [""; 0]);
    let other = text.replace("mkdir -p docs/audit", "mkdir -p docs/audits");
    assert_eq!(missing("AGENTS.md", &other, &files), ["warning docs/audit/all.md"]);
    assert_eq!(warnings("stale-path", "AGENTS.md", &other, &known, &past), ["error docs/audit/all.md"]);
    assert_eq!(missing("AGENTS.md", "Types are in `src/core/_generated/api.ts`.\n", &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", "Types are in `src/core/api.ts`.\n", &files), ["warning src/core/api.ts"]);
}

#[test]
fn a_folder_of_another_package_or_one_of_two_is_none_of_here() {
    let files = ["src/core/a1.ts", "docs/guides/a1.md"];
    let folder = "Types come from `some-client`'s unexported `src/handlers/`.\n";
    assert_eq!(missing("AGENTS.md", folder, &files), [""; 0]);
    let own = folder.replace("`some-client`'s unexported ", "");
    assert_eq!(missing("AGENTS.md", &own, &files), ["warning src/handlers"]);
    let file = |owner: &str| format!("{owner} `src/core/b1.ts` and `src/core/a1.ts`.\n");
    assert_eq!(missing("AGENTS.md", &file("Notably hub's"), &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", &file("Read the app's"), &files), ["warning src/core/b1.ts"]);
    assert_eq!(missing("AGENTS.md", "Handlers are in `src/ki/` or `src/adr/`.\n", &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", "Handlers are in `src/adr/`.\n", &files), ["warning src/adr"]);
    assert_eq!(missing("AGENTS.md", "定数は`src/constants/`以下に定義してください。\n", &files), [""; 0]);
}

#[test]
fn what_the_text_itself_makes_need_not_be_there() {
    let text = "Each phase appends an entry to `REVIEW-LOG.md`.\n\nRead `REVIEW-LOG.md` first.\n";
    assert_eq!(missing("AGENTS.md", text, &["README.md"]), [""; 0]);
    let only = "Each phase appends an entry to the log.\n\nRead `REVIEW-LOG.md` first.\n";
    assert_eq!(missing("AGENTS.md", only, &["README.md"]), ["warning REVIEW-LOG.md"]);
}

#[test]
fn a_rule_draws_files_that_might_be_beside_those_that_are_there() {
    let files =
        ["test/core/one_test.exs", "test/core/two_test.exs", "test/web/three_test.exs", "test/web/four_test.exs"];
    let tree = "```\ntest/\n├── core/\n│   ├── one_test.exs\n│   ├── two_test.exs\n│   └── news_test.exs\n└── web/\n    ├── three_test.exs\n    ├── four_test.exs\n    └── posts_test.exs\n```\n";
    assert_eq!(missing("AGENTS.md", tree, &files).len(), 2);
    let rule = format!("---\nglobs: test/**/*.exs\n---\n{tree}");
    assert_eq!(missing(".cursor/rules/tests.mdc", &rule, &files), [""; 0]);
}

#[test]
fn an_anchor_of_a_form_leads_nowhere_on_purpose() {
    let text = "# T\n\n| [Part](#local-link-to-part) | [Other](#local-part) |\n";
    assert_eq!(warnings("broken-link", "AGENTS.md", text, &[], &[]), ["warning local-part"]);
}

#[test]
fn a_file_of_each_task_is_not_the_one_that_was_deleted() {
    let past = [("specs/login/design/data-model.md", Past::Deleted)];
    let text = "Write `design/overview.md`. The schema is in `design/data-model.md`.\n";
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &[("README.md", "")], &past), [""; 0]);
    let past = [("docs/login/design/data-model.md", Past::Deleted)];
    let want = ["warning design/data-model.md"];
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &[("README.md", "")], &past), want);
}

#[test]
fn a_drawing_by_blanks_shows_files() {
    let files = ["pkg/fs/fs.c", "pkg/fs/open.c", "pkg/fs/vfs/read.c", "pkg/fs/vfs/write.c", "pkg/fs/vfs/include/vfs.h"];
    let tree = "```\nfs.c        # start\nopen.c\nvfs/\n  include/\n    vfs.h   # the API\n    inode.h # one file\n  read.c write.c\n```\n";
    assert_eq!(missing("pkg/fs/AGENTS.md", tree, &files), ["warning inode.h"]);
    let past = [("pkg/fs/vfs/include/inode.h", Past::Deleted)];
    let known: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
    assert_eq!(warnings("stale-path", "pkg/fs/AGENTS.md", tree, &known, &past), ["error inode.h"]);
    // Code, and a drawing of which little is there.
    let code = tree.replace("fs.c        # start", "fs.c = open fs.c");
    assert_eq!(missing("pkg/fs/AGENTS.md", &code, &files), [""; 0]);
    assert_eq!(missing("pkg/fs/AGENTS.md", tree, &files[..2]), [""; 0]);
}

#[test]
fn a_drawing_of_one_folder_means_it() {
    let files = ["pkg/core/src/a1.ts", "pkg/core/src/b1.ts", "pkg/core/src/c1.ts", "pkg/core/src/d1.ts"];
    let tree = |root: &str| {
        format!("```\n{root}/\n├── a1.ts\n├── b1.ts\n├── c1.ts\n├── d1.ts\n├── e1.ts\n├── f1.ts\n└── g1.ts\n```\n")
    };
    assert_eq!(missing("AGENTS.md", &tree("pkg/core/src"), &files).len(), 3);
    assert_eq!(missing("AGENTS.md", &tree("app"), &files), [""; 0]);
}

#[test]
fn the_reader_is_sent_to_a_page_in_plain_words() {
    let past = [("RELEASE.md", Past::Deleted)];
    let text = "Upload it again (see RELEASE.md for commands).\n";
    assert_eq!(warnings("stale-path", "CLAUDE.md", text, &[("a1.rs", "")], &past), ["error RELEASE.md"]);
    assert_eq!(missing("CLAUDE.md", text, &["a1.rs"]), ["warning RELEASE.md"]);
    for text in ["Write RELEASE.md at the end.\n", "See README.md or TODO.md.\n", "A RELEASE.md helps.\n"] {
        assert_eq!(missing("CLAUDE.md", text, &["a1.rs"]), [""; 0], "{text}");
    }
}

#[test]
fn a_cross_before_the_subject_of_a_row_says_nothing_of_its_other_cells() {
    let files = ["docs/a1.md"];
    let text = "See `docs/choice.md`.\n\n| No | Why |\n| --- | --- |\n| ❌ lib-x | `docs/choice.md:3` |\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning docs/choice.md"]);
    assert_eq!(missing("AGENTS.md", &text.replace("❌ lib-x", "❌ removed"), &files), [""; 0]);
}

#[test]
fn a_note_links_what_is_there() {
    let skill = |text: &str| format!("---\nname: x\ndescription: y\n---\n{text}");
    let at = |text: &str| {
        let files = [("docs/adr/a1.md", "")];
        warnings("broken-link", ".agents/skills/x/SKILL.md", &skill(text), &files, &[])
    };
    let want = ["warning ../../docs/adr/a1.md unsafe ../../../docs/adr/a1.md"];
    assert_eq!(at("> **Model**: it grows. See [it](../../docs/adr/a1.md).\n"), want);
    assert_eq!(at("> I wrote [it](../../docs/adr/a1.md).\n"), [""; 0]);
    assert_eq!(at("See [all](./EXAMPLES.md) of [any](./file.md).\n"), ["warning ./EXAMPLES.md"]);
}

#[test]
fn links_of_a_log_led_somewhere_on_their_day() {
    let text = "# Log\n\n[a](./gone.md) [b](./none.md)\n";
    let past = [("skills/x/gone.md", Past::Deleted)];
    let files = [("skills/x/SKILL.md", "---\nname: x\ndescription: y\n---\n[log](CHANGELOG.md) [more](LOG.md)\n")];
    assert_eq!(warnings("broken-link", "skills/x/CHANGELOG.md", text, &files, &past), [""; 0]);
    assert_eq!(warnings("broken-link", "skills/x/LOG.md", text, &files, &past).len(), 2);
}

#[test]
fn what_a_script_writes_is_made() {
    let text = "Read `out_report.json`. Then `log_report.json`.\n";
    let past = [("a/out_report.json", Past::Deleted), ("a/log_report.json", Past::Deleted)];
    let script = "// Write the report\nconst path = join(dir, 'out_report.json');\nprint('generate log_report.json')\n";
    let at = |script: &str| warnings("stale-path", "AGENTS.md", text, &[("scripts/a1.ts", script)], &past);
    assert_eq!(at("").len(), 2);
    assert_eq!(at(script), ["warning log_report.json"]);
    assert_eq!(at("const data = readJson('out_report.json');\n// generate\n").len(), 2);
    let named = "OUT = DIR / 'out_report.json'\n\n\n\n\n\nwith open(OUT, 'a+') as fp:\n    pass\n";
    assert_eq!(at(named), ["warning log_report.json"]);
    assert_eq!(at(&named.replace("'a+'", "'r'")).len(), 2);
    // Some script or other writes a page of a common name.
    let page = "Read `deep_down/best_page.md`.\n";
    let past = [("deep_down/best_page.md", Past::Deleted)];
    let script = "PAGE = DIR / 'best_page.md'\n\n\n\n\n\nwith open(PAGE, 'w') as fp:\n    pass\n";
    assert_eq!(warnings("stale-path", "AGENTS.md", page, &[("scripts/a1.py", script)], &past).len(), 1);
}

#[test]
fn what_an_ignore_file_leaves_out_beside_what_it_keeps_is_ignored_on_purpose() {
    let past = [("conf/skills/private", Past::Renamed("conf/skills/personal"))];
    let text = "Private skills are in `conf/skills/private/`.\n";
    let at = |ignores: &str| {
        let files = [(".gitignore", ignores), ("conf/skills/personal/a.md", "")];
        warnings("stale-path", "conf/skills/AGENTS.md", text, &files, &past)
    };
    assert_eq!(at("/conf/skills/**\n!/conf/skills/AGENTS.md\n!/conf/skills/personal/**\n"), [""; 0]);
    // Without the exception both files were added against the pattern.
    assert_eq!(at("/conf/skills/**\n").len(), 1);
}

#[test]
fn a_folder_is_stale_in_a_prompt_that_names_all_of_its_path() {
    let past = [("deploy/sidecar", Past::Deleted), (".claude/commands", Past::Deleted)];
    let command =
        |text: &str| warnings("stale-path", ".claude/commands/deploy.md", text, &[("deploy/a.md", "")], &past);
    assert_eq!(command("The sidecar lies in `deploy/sidecar/`.\n"), ["warning deploy/sidecar"]);
    assert_eq!(command("For example `deploy/sidecar/`.\n"), [""; 0]);
}

#[test]
fn a_page_in_capitals_is_spelt_in_small_letters() {
    let levels = check("wrong-case-path", "Read the root `README.md`.\n", &["readme.md"], &[]);
    assert_eq!(levels, ["warning README.md safe readme.md"]);
    assert_eq!(check("wrong-case-path", "Read the `Readme.md`.\n", &["readme.md"], &[]), [""; 0]);
}

#[test]
fn a_source_file_deep_below_is_run() {
    let run = |command: &str, path: &str| {
        let text = format!("```sh\n{command}\n```\n");
        check_at("stale-command", path, &text, &["src/a1.ts"], &[])
    };
    assert_eq!(run("bun packages/debug/src/server.ts &", "AGENTS.md").len(), 1);
    assert_eq!(run("bun debug/server.ts &", "AGENTS.md"), [""; 0]);
    assert_eq!(run("node packages/debug/dist/server.js", "AGENTS.md"), [""; 0]);
}

#[test]
fn a_skill_that_is_handed_out_has_its_own_files_with_it() {
    let skill = |body: &str| format!("---\nname: a\ndescription: it does y\n---\n{body}");
    let files = ["skills/a/assets/a1.txt", "skills/a/assets/b1.txt", "skills/b/assets/c1.txt"];
    let list = "- `assets/a1.txt` - one\n- `assets/b1.txt` - two\n- `assets/gone.txt` - three\n";
    assert_eq!(missing_or_doubtful("skills/a/SKILL.md", &skill(list), &files), ["info assets/gone.txt"]);
    // One of the project where it is used, a folder that is not there, one that is to be made, nothing beside it.
    for text in [
        list.replace("assets/", "src/"),
        list.replace("assets/gone", "scripts/gone"),
        format!("Create these files:\n\n{list}"),
        "Read `assets/gone.txt`.\n".to_owned(),
    ] {
        assert_eq!(missing_or_doubtful("skills/a/SKILL.md", &skill(&text), &files), [""; 0], "{text}");
    }
}

#[test]
fn an_example_that_was_a_file_is_told() {
    let past = [("app/src/parts/Chat.vue", Past::Deleted)];
    let text = "Names are in CamelCase (e.g., app/src/parts/Chat.vue); views too, e.g. `app/src/parts/Chat.vue`.\n";
    let known = [("app/src/main.ts", "")];
    let want = ["warning app/src/parts/Chat.vue"; 2];
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &known, &past), want);
    // One that never was, one that the text calls gone as well, and one of a prompt.
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &known, &[]), [""; 0]);
    let gone = format!("{text}\nWe removed `app/src/parts/Chat.vue`.\n");
    assert_eq!(warnings("stale-path", "AGENTS.md", &gone, &known, &past), [""; 0]);
    assert_eq!(warnings("stale-path", ".claude/commands/c.md", text, &known, &past), [""; 0]);
}

#[test]
fn a_skill_that_names_what_is_here_means_this_repository() {
    let past = [("packages/rules/types.ts", Past::Renamed("packages/rules/src/types.ts"))];
    let text =
        "---\nname: x\ndescription: y\n---\n- `packages/rules/types.ts` - types\n- `packages/rules/main.ts` - all\n";
    let known = [("packages/rules/src/types.ts", ""), ("packages/rules/main.ts", "")];
    let want = ["error packages/rules/types.ts unsafe packages/rules/src/types.ts"];
    let told = warnings("stale-path", "skills/x/SKILL.md", text, &known, &past);
    assert_eq!(told.len(), want.len(), "{told:?}");
    // Without another file of that folder it may mean any project.
    let other = text.replace("`packages/rules/main.ts`", "`packages/rules/other.ts`");
    assert_eq!(warnings("stale-path", "skills/x/SKILL.md", &other, &known, &past), [""; 0]);
}

#[test]
fn actions_of_workflows_and_repositories_beside_are_no_folders() {
    let files = ["docker/build/a1.py", "docker/run/a1.py", ".cursor/rules/x.mdc", "tools/rules/flow.md"];
    let text = "Images are built by `docker/build-push-action` and `docker/login-action`.\n";
    assert_eq!(missing("AGENTS.md", text, &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", "Images are in `docker/images/`.\n", &files), ["warning docker/images"]);
    let beside = "---\nalwaysApply: true\n---\nSee `../our-docs/rules/flow.md`.\n";
    assert_eq!(missing(".cursor/rules/a.mdc", beside, &files), [""; 0]);
}

#[test]
fn a_path_of_every_machine_is_none_of_here() {
    let past = [("etc/tlp.conf", Past::Deleted), ("lib/rows.ts", Past::Deleted)];
    let of = |path: &str| {
        warnings("stale-path", "AGENTS.md", &format!("Rows are in `{path}`.\n"), &[("lib/a1.ts", "")], &past).len()
    };
    assert_eq!([of("/etc/tlp.conf"), of("etc/tlp.conf"), of("/lib/rows.ts")], [0, 1, 1]);
}

#[test]
fn a_name_in_brackets_is_filled_in() {
    let files = [".agents/skills/a1/SKILL.md"];
    assert_eq!(missing("AGENTS.md", "Read `.agents/skills/[name]/SKILL.md` first.\n", &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", "Read `.agents/skills/rows/SKILL.md` first.\n", &files).len(), 1);
}

#[test]
fn how_tests_are_called_is_shown_by_one_that_is_not_there() {
    let files = ["src/teams/list.ts", "src/teams/rows.test.ts", "src/teams/rows.ts"];
    let text = "- `src/teams/list.ts` → `src/teams/list.test.ts`\n- `src/teams/rows.ts` → `src/teams/rows.test.ts`\n";
    assert_eq!(check("missing-path", text, &files, &[]), [""; 0]);
    let other = text.replace("list.test.ts", "sums.test.ts");
    assert_eq!(check("missing-path", &other, &files, &[]), ["warning src/teams/sums.test.ts"]);
}

#[test]
fn a_module_and_a_file_are_short_for_one_of_its_sources() {
    let files = ["player/src/main/kotlin/app/Clock.kt", "player/a.kt", "lists/b.kt"];
    assert_eq!(missing("AGENTS.md", "Time is kept in `player/Clock.kt`.\n", &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", "Time is kept in `lists/Watch.kt`.\n", &files), ["warning lists/Watch.kt"]);
    // Packages may stand between the module and the file.
    let files = ["app-v2/src/main/java/org/acme/work/Clock.kt", "app-v2/a.kt", "web/src/lib/utils/date.ts", "web/a.ts"];
    assert_eq!(missing("AGENTS.md", "Time is kept in `app-v2/work/Clock.kt`.\n", &files), [""; 0]);
    let info = |text: &str| check("missing-path", text, &files, &[]).len();
    assert_eq!(info("Time is kept in `app-v2/play/Clock.kt`.\n"), 1);
    assert_eq!(info("Time is kept in `web/utils/date.ts`.\n"), 1);
}

#[test]
fn the_hint_file_of_a_folder_names_a_source_below_it() {
    let files = ["packages/vue/src/main.ts", "packages/vue/docs/a1.md"];
    let text = "| Task | Location |\n| --- | --- |\n| Plugin | `src/WalletPlugin.ts` |\n| Text | `docs/ways/a.md` |\n";
    assert_eq!(missing("packages/vue/AGENTS.md", text, &files), ["warning src/WalletPlugin.ts"]);
    assert_eq!(missing("AGENTS.md", text, &files), [""; 0]);
    assert_eq!(missing(".cursor/rules/a.mdc", text, &files), [""; 0]);
}

#[test]
fn a_folder_s_hint_file_draws_that_folder() {
    let files = ["web/src/a.ts", "web/src/b.ts", "web/src/c.ts", "web/src/d.ts"];
    let line = |name: &str| format!("│   ├── {name}.ts\n");
    let rows = ["a", "b", "c", "d", "rows", "sums", "lists"].map(line).concat();
    let text = format!("```\nweb/\n├── src/\n{rows}```\n");
    let want = ["warning rows.ts", "warning sums.ts", "warning lists.ts"];
    assert_eq!(missing("web/AGENTS.md", &text, &files), want);
    assert_eq!(missing("web/AGENTS.md", &text.replace("web/\n", "app/\n"), &files), [""; 0]);
}

#[test]
fn the_name_of_a_part_is_short_for_its_folder() {
    let level = |folder: &str| {
        let files = [format!("{folder}/mailer/hooks/send-mail.sh"), format!("{folder}/gate/a.md")];
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let text = "Mail is sent by `mailer/send-mail.sh`.\n";
        let found = check_at("missing-path", &format!("{folder}/gate/CLAUDE.md"), text, &files, &[]);
        found.iter().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(level("plugins"), ["info"]);
    assert_eq!(level("tools"), ["warning"]);
}

#[test]
fn a_folder_that_the_root_had_is_told_with_what_became_of_it() {
    let past = [("src/graph", Past::Renamed("crates/graph/src"))];
    let files = [("crates/pipeline/src/lib.rs", ""), ("crates/graph/src/lib.rs", ""), ("src/main.rs", "")];
    let text = "The graph is run by `src/graph/` of the facade.\n";
    let at = "crates/pipeline/AGENTS.md";
    assert_eq!(warnings("stale-path", at, text, &files, &past).len(), 1);
    assert_eq!(warnings("missing-path", at, text, &files, &past), [""; 0]);
    assert_eq!(warnings("stale-path", at, text, &files, &[]), [""; 0]);
    assert_eq!(warnings("missing-path", at, text, &files, &[]), ["warning src/graph"]);
}

#[test]
fn a_document_of_the_past_is_told_in_infos() {
    let past = [("src/core/list.ts", Past::Deleted)];
    let files = [("src/core/main.ts", "")];
    let text = "> LEGACY (V1)\n\nLists are made in `src/core/list.ts`.\n";
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files, &past), [""; 0]);
    let text = text.replace("> LEGACY (V1)", "> Legacy lists and new ones");
    assert_eq!(warnings("stale-path", "AGENTS.md", &text, &files, &past).len(), 1);
}

#[test]
fn what_a_tool_or_a_framework_calls_a_file_is_told_in_an_info() {
    let past = [("mise.toml", Past::Deleted), ("web/core_parts.ex", Past::Deleted)];
    let files = [("src/core/main.ts", "")];
    let text = "---\napplyTo: '**'\n---\nTasks are in `mise.toml`.\n";
    assert_eq!(warnings("stale-path", ".github/instructions/mise.instructions.md", text, &files, &past), [""; 0]);
    assert_eq!(warnings("stale-path", ".github/instructions/tools.instructions.md", text, &files, &past).len(), 1);
    let text = "---\nname: x\ndescription: y\n---\n`MyAppWeb` is aliased. Use what `core_parts.ex` has.\n";
    assert_eq!(warnings("stale-path", ".claude/skills/x/SKILL.md", text, &files, &past), [""; 0]);
    let text = text.replace("MyAppWeb", "RowsWeb");
    assert_eq!(warnings("stale-path", ".claude/skills/x/SKILL.md", &text, &files, &past).len(), 1);
}

#[test]
fn a_recipe_calls_its_files_after_what_is_added() {
    let files = ["app/services/user.py", "app/models/a.py"];
    let text = "- `app/services/user.py`\n- `app/services/report_service.py`\n";
    let at = |heading: &str| check("missing-path", &format!("## {heading}\n\n{text}"), &files, &[]);
    assert_eq!(at("Adding a New Report"), ["info app/services/report_service.py"]);
    assert_eq!(at("Services"), ["warning app/services/report_service.py"]);
    assert_eq!(at("Adding a Chart"), ["warning app/services/report_service.py"]);
}

#[test]
fn the_folders_of_a_folder_of_skills_are_skills() {
    let past = [("docs/Hosts.md", Past::Deleted)];
    let files = [(".claude/skills/docs/SKILL.md", ""), ("docs/a1.md", "")];
    let text = "---\nname: x\ndescription: y\n---\nRead `docs/Hosts.md`.\n";
    assert_eq!(warnings("stale-path", ".claude/skills/x/SKILL.md", text, &files, &past), ["error docs/Hosts.md"]);
}

#[test]
fn what_a_line_forbids_need_not_be_there() {
    let files = ["src/rows/one.ts", "src/rows/two.ts"];
    assert_eq!(missing("AGENTS.md", "이름: `src/rows/three.ts`\n", &files), ["warning src/rows/three.ts"]);
    assert_eq!(missing("AGENTS.md", "이름 (`src/rows/three.ts` 금지)\n", &files), [""; 0]);
}
