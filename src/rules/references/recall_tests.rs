//! Tests of what only other paths of the text, its own folder or a changed name prove.

use super::testing::{Past, check, findings, missing, missing_or_doubtful, warnings};

const HEAD: &str = "---\nname: x\ndescription: y\n---\n";

#[test]
fn a_command_runs_where_the_one_before_it_went() {
    let files = ["dart/compiler/bin/compile_ts.dart", "dart/engine/lib/a1.dart"];
    let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
    let run = |text: &str| warnings("stale-command", "AGENTS.md", text, &files, &[]);
    let text = "```bash\ncd dart/engine && dart test\ncd dart/compiler && dart run bin/compile.dart ../x1\n```\n";
    assert_eq!(run(text), ["warning bin/compile.dart"]);
    assert_eq!(run(&text.replace("compile.dart", "compile_ts.dart")), [""; 0]);
    // Nothing tells that the folder holds sources.
    assert_eq!(run("```bash\ndart run bin/serve.dart\n```\n"), [""; 0]);
    let other = "```powershell\n./Clean-Rows.ps1 -All\n```\n";
    assert_eq!(run(other), ["warning ./Clean-Rows.ps1"]);
    assert_eq!(run(&other.replace("powershell", "text2")), [""; 0]);
    let past = [("plugins/rows", Past::Deleted)];
    let claude = "```bash\nclaude --plugin-dir ./plugins/rows\n```\n";
    let kept = [&files[..], &[("plugins/cells/a1.md", "")]].concat();
    assert_eq!(warnings("stale-command", "AGENTS.md", claude, &kept, &past), ["warning ./plugins/rows"]);
}

#[test]
fn an_agents_folder_lacks_its_dot() {
    let files = [(".agents/scripts/log-it.sh", "")];
    let text = "Use `./agents/scripts/log-it.sh --type rows`.\n";
    assert_eq!(
        warnings("stale-command", "AGENTS.md", text, &files, &[]),
        ["warning ./agents/scripts/log-it.sh unsafe .agents/scripts/log-it.sh"]
    );
    let own = [files[0], ("agents/scripts/log-it.sh", "")];
    assert_eq!(warnings("stale-command", "AGENTS.md", text, &own, &[]), [""; 0]);
    assert_eq!(warnings("stale-command", "AGENTS.md", text, &[(".agents/scripts/b1.sh", "")], &[]), [""; 0]);
}

#[test]
fn a_folder_was_written_in_other_letters() {
    let files = [("Acme.AI/docs/all/rows.md", "")];
    let past = [("Acme.Ai/docs/rows/deep-rows.md", Past::Renamed("Acme.AI/docs/all/deep-rows.md"))];
    let text = "See `docs/rows/deep-rows.md`.\n";
    let found = warnings("stale-path", "Acme.AI/CLAUDE.md", text, &files, &past);
    assert!(matches!(&*found, [only] if only.contains("docs/rows/deep-rows.md")), "{found:?}");
    let other = [("Other/docs/rows/deep-rows.md", Past::Deleted)];
    assert_eq!(warnings("stale-path", "Acme.AI/CLAUDE.md", text, &files, &other), [""; 0]);
}

#[test]
fn a_route_was_moved_into_a_group() {
    let files = [("web/app/(main)/game/[id]/page.tsx", "")];
    let past = [("web/app/game/[id]/page.tsx", Past::Renamed("web/app/(main)/game/[id]/page.tsx"))];
    let text = "- **Routes**: `app/game/[id]/page.tsx`\n";
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files, &past).len(), 1);
    assert_eq!(warnings("stale-path", "AGENTS.md", "- **Routes**: `app/rows/[id]/page.tsx`\n", &files, &past), [""; 0]);
}

#[test]
fn a_skill_names_its_own_files_by_its_folder() {
    let path = ".claude/skills/x/SKILL.md";
    let of = |text: &str| missing(path, &format!("{HEAD}{text}"), &["src/a1.rs"]);
    let fence = "```bash\n# Make rows\npython .claude/skills/x/scripts/make.py --rows\n```\n";
    assert_eq!(of(fence), ["warning .claude/skills/x/scripts/make.py"]);
    assert_eq!(of("Read `${CLAUDE_SKILL_DIR}/pages/rows.md`.\n"), ["warning ${CLAUDE_SKILL_DIR}/pages/rows.md"]);
    // What it makes, what a sample is called, and files of another skill.
    for other in [
        "Save it as `.claude/skills/x/pages/rows.md`.\n",
        "The log is `.claude/skills/x/rows.json`.\n",
        "```python\n# .claude/skills/x/scripts/own.py\nx = 1\n```\n",
        "Run `.claude/skills/y/scripts/make.py`.\n",
    ] {
        assert_eq!(of(other), [""; 0], "{other}");
    }
}

#[test]
fn a_slash_is_missing_behind_the_root_of_a_plugin() {
    let files = ["p/.claude-plugin/plugin.json", "p/skills/rows/scripts/check.sh"];
    let of = |text: &str| missing("p/commands/a.md", text, &files);
    let want = ["warning ${CLAUDE_PLUGIN_ROOT}skills/rows/scripts/check.sh"];
    assert_eq!(of("Run `${CLAUDE_PLUGIN_ROOT}skills/rows/scripts/check.sh`.\n"), want);
    assert_eq!(of("Run `${CLAUDE_PLUGIN_ROOT}/skills/rows/scripts/check.sh`.\n"), [""; 0]);
    assert_eq!(of("Run `${CLAUDE_PLUGIN_ROOT}other/cells/scripts/rows.sh`.\n"), [""; 0]);
}

#[test]
fn a_drawing_of_the_root_means_its_folders() {
    let names = ["core", "web", "tools", "guides", "deploy"];
    let files: Vec<String> = names.iter().map(|name| format!("{name}/a1.rs")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let drawn = |rest: &str| {
        let lines: String = names.iter().map(|name| format!("├── {name}/\n")).collect();
        format!("```\nmine/\n{lines}{rest}```\n")
    };
    assert_eq!(missing("AGENTS.md", &drawn("└── views/   # all views\n"), &files), ["warning views/"]);
    let any = drawn("└── views/   # all views\n").replace("mine/", "project/");
    assert_eq!(missing("AGENTS.md", &any, &files), [""; 0]);
    for rest in ["└── dist/   # what is built\n", "└── logs/\n", "├── views/\n├── rows/\n└── cells/\n"]
    {
        assert_eq!(missing("AGENTS.md", &drawn(rest), &files), [""; 0], "{rest}");
    }
}

#[test]
fn a_list_in_a_fence_means_all_its_folders() {
    let files = ["svc/cmd/a1.go", "svc/grpc/a1.go", "svc/argo/a1.go"];
    let text = "```\ncmd/      the start\ngrpc/     the service\nargo/     the rows\nenviron/  all of them\n```\n";
    assert_eq!(missing_or_doubtful("svc/AGENTS.md", text, &files), ["info environ"]);
    assert_eq!(missing_or_doubtful("svc/AGENTS.md", &text.replace("argo/", "rows/"), &files), [""; 0]);
    assert_eq!(missing_or_doubtful("svc/AGENTS.md", &text.replace("```\ncmd", "```bash\ncmd"), &files), [""; 0]);
}

#[test]
fn a_sentence_says_what_a_folder_holds() {
    let files = [("packages/core/a1.ts", ""), ("packages/web/a1.ts", "")];
    let past = [("packages/rows", Past::Deleted)];
    let text = "- `packages/` holds the packages: `core`, `rows`, and `web`.\n";
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files, &past), ["warning rows"]);
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files, &[]), [""; 0]);
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files[1..], &past), [""; 0]);
}

#[test]
fn a_comment_says_of_which_file_the_code_is() {
    let past = [("src/core/rows.ts", Past::Deleted)];
    let text = "```typescript\n// Located in src/core/rows.ts\nexport class Rows {}\n```\n";
    let files = [("src/core/a1.ts", "")];
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files, &past).len(), 1);
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files, &[]), [""; 0]);
    assert_eq!(missing("AGENTS.md", text, &["src/core/a1.ts"]), [""; 0]);
}

#[test]
fn the_reader_is_sent_to_several_things() {
    let files = ["docs/a1.md", "src/a1.rs"];
    let agent = format!("{HEAD}Read `AGENTS.md` and `docs/stack.md`.\n");
    assert_eq!(
        missing(".claude/agents/x.md", &agent, &[&files[..], &["AGENTS.md"]].concat()),
        ["warning docs/stack.md"]
    );
    assert_eq!(missing("AGENTS.md", "See `guides/` for more.\n", &files), ["warning guides"]);
    assert_eq!(missing("AGENTS.md", "Put it into `guides/`.\n", &files), [""; 0]);
    assert_eq!(missing("src/x1/AGENTS.md", "Read `src/AGENTS.md`.\n", &[&files[..], &["AGENTS.md"]].concat()).len(), 1);
}

#[test]
fn a_folder_of_code_may_be_called_state() {
    let files = [("Game/Views/a1.swift", "")];
    let past = [("Game/State", Past::Deleted), ("work/state", Past::Deleted)];
    let of = |text: &str| warnings("stale-path", "AGENTS.md", text, &files, &past);
    assert_eq!(of("Rows are in `Game/State/`.\n"), ["warning Game/State"]);
    assert_eq!(of("Rows are in `work/state/`.\n"), [""; 0]);
}

#[test]
fn what_a_sample_of_a_page_names_is_of_another_skill() {
    let files = ["skills/x/scripts/a1.sh"];
    let page = |fence: &str| format!("{HEAD}{fence}\nRead `${{CLAUDE_SKILL_DIR}}/rows.md` first.\n```\n");
    assert_eq!(missing("skills/x/SKILL.md", &page("```markdown"), &files), [""; 0]);
    assert_eq!(missing("skills/x/SKILL.md", &page("```bash"), &files), ["warning ${CLAUDE_SKILL_DIR}/rows.md"]);
}

#[test]
fn the_only_path_of_a_list_that_is_not_there_is_a_slip() {
    let files = ["kit/.kit/a1", "neo/.config/nvim/b1.lua", "mux/.mux/c1.yml", "bin/run.sh"];
    let text =
        "- `kit/.kit/`: kit\n- `neo/.config/nvim/`: editor\n- `mux/.mux/c1.yml`: rows\n- `mux/conf/mux/`: sessions\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning mux/conf/mux"]);
    // With another one that is not there, nobody knows of what the list tells.
    assert_eq!(missing("AGENTS.md", &text.replace("kit/.kit/", "kit/.config/kit/"), &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", &text.replace("- `mux/.mux/c1.yml`: rows\n", ""), &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", &text.replace("mux/conf", "other/conf"), &files), [""; 0]);
    let deep = ["apps/api/src/rows/a1.ts", "apps/api/src/cells/b1.ts", "apps/web/src/rows/c1.ts"];
    let list = "- `apps/api/src/rows/a1.ts`\n- `apps/api/src/cells/b1.ts`\n- `apps/web/src/rows/c1.ts`\n- `apps/api/src/routers/d1.ts`\n";
    let command = format!("{HEAD}## Files\n\n{list}");
    assert_eq!(missing(".claude/commands/x.md", &command, &deep), ["warning apps/api/src/routers/d1.ts"]);
}

#[test]
fn a_rule_that_names_a_folder_of_its_own_speaks_of_this_repository() {
    let files = ["apps/editor-extension/a1.ts", "packages/a1.ts", "plugins/a1.ts", "toolbar/a1.ts"];
    let list = "- **`apps/`**: apps\n- **`packages/`**: packages\n- **`plugins/`**: plugins\n- **`playgrounds/`**: experiments\n";
    let rule = |first: &str| format!("---\ndescription: x\n---\n{first}\n\n{list}");
    let found = missing_or_doubtful(".cursor/rules/x.mdc", &rule("See `apps/editor-extension`."), &files);
    assert_eq!(found, ["info playgrounds"]);
    assert_eq!(missing_or_doubtful(".cursor/rules/x.mdc", &rule("See `apps/editor`."), &files), [""; 0]);
}

#[test]
fn a_prompt_lists_the_parts_of_this_repository() {
    let files = ["apps/web/a1.ts", "packages/cache/a1.ts", "packages/shared/a1.ts", "packages/lint/a1.ts"];
    let list = "- `apps/web`: pages\n- `packages/shared`: schemas\n- `packages/cache`: client\n- `packages/auth`: sessions\n- `packages/lint`: rules\n";
    let agent = format!("{HEAD}{list}");
    assert_eq!(missing(".claude/agents/lead.md", &agent, &files), ["warning packages/auth"]);
    // What is handed out, or lists another absent one, speaks of no repository or of another one.
    assert_eq!(missing("agents/lead.md", &agent, &files), [""; 0]);
    assert_eq!(missing(".claude/agents/lead.md", &agent.replace("apps/web", "apps/cli"), &files), [""; 0]);
    let common = agent.replace("packages/", "src/").replace("apps/", "src/");
    let sources = ["src/web/a1.ts", "src/cache/a1.ts", "src/shared/a1.ts", "src/lint/a1.ts"];
    assert_eq!(missing(".claude/agents/lead.md", &common, &sources), [""; 0]);
}

#[test]
fn a_folder_is_one_source_by_now() {
    let files = ["kit/src/transport.ts", "kit/src/config/a1.ts", "kit/src/errors.ts"];
    let text = "- `src/config/`: rows\n- `src/errors.ts`: cells\n- `src/transport/`: streams\n";
    let found = check("missing-path", &text.replace("src/", "kit/src/"), &files, &[]);
    assert_eq!(found, ["warning kit/src/transport unsafe kit/src/transport.ts"]);
    // Without a slash behind it the path may be short for the file.
    assert_eq!(missing("AGENTS.md", &text.replace("src/", "kit/src/").replace("port/", "port"), &files), [""; 0]);
    assert_eq!(missing("kit/AGENTS.md", text, &files), ["warning src/transport unsafe src/transport.ts"]);
}

#[test]
fn a_prompt_lists_the_sources_of_this_repository() {
    let files = ["src/project.rs", "src/label.rs", "src/state.rs", "src/main.rs"];
    let list = "- `src/project.rs`: rows\n- `src/label.rs`: cells\n- `src/state.rs`: all\n- `src/clock.rs`: time\n";
    let agent = format!("{HEAD}{list}");
    assert_eq!(missing(".claude/agents/lead.md", &agent, &files), ["warning src/clock.rs"]);
    assert_eq!(missing("agents/lead.md", &agent, &files), [""; 0]);
    let common = agent.replace("project", "main").replace("label", "lib").replace("clock", "error");
    let files = ["src/main.rs", "src/lib.rs", "src/state.rs"];
    assert_eq!(missing(".claude/agents/lead.md", &common, &files), [""; 0]);
}

#[test]
fn a_part_of_the_repository_is_not_there() {
    let files = ["packages/web/src/a1.ts", "packages/api/src/b1.ts"];
    let text = "All views are exported from `packages/kit/src/index.ts`.\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning packages/kit/src/index.ts"]);
    assert_eq!(missing("AGENTS.md", &text.replace("packages/", "lib/"), &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", &text.replace("index.ts", "index.json"), &files), [""; 0]);
}

#[test]
fn a_heading_says_in_which_folder_its_paths_lie() {
    let files = ["web/src/hooks/auth.ts", "web/src/panes/row.ts", "docs/a1.md"];
    let text = "### Shop (in `web/src/`)\n\nWhat it is made of:\n\n- `panes/row.ts`: rows\n- `hooks/chat.ts`: talk\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning hooks/chat.ts"]);
    // Of another folder nothing is known there.
    assert_eq!(missing("AGENTS.md", &text.replace("hooks/", "stores/"), &files), [""; 0]);
    assert_eq!(missing("AGENTS.md", &text.replace("web/src", "app/src"), &files), [""; 0]);
}

#[test]
fn a_letter_of_a_folder_is_wrong() {
    let files = ["scripts/sync-rows.sh", "docs/a1.md"];
    let text = "Use `scipts/sync-rows.sh` to write the rows.\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning scipts/sync-rows.sh unsafe scripts/sync-rows.sh"]);
    let twice = ["scripts/sync-rows.sh", "web/scripts/sync-rows.sh"];
    assert_eq!(missing("AGENTS.md", text, &twice), [""; 0]);
}

#[test]
fn a_page_may_be_read_for_its_examples() {
    let files = ["docs/a1.md"];
    let text = "See `docs/rows.md` for full template examples.\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning docs/rows.md"]);
    assert_eq!(missing("AGENTS.md", &text.replace("for full", "as"), &files), [""; 0]);
}

#[test]
fn a_disk_of_one_person_counts_where_the_repository_has_the_file() {
    let files = ["docs/rules/rows.md"];
    let text = "Read `/Volumes/Work/app/docs/rules/rows.md` first.\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning /Volumes/Work/app/docs/rules/rows.md"]);
    assert_eq!(missing("AGENTS.md", &text.replace("rows.md", "none.md"), &files), [""; 0]);
    let command = "---\ndescription: x\n---\n\n@/Users/jo/dev/app/docs/rules/rows.md\n\nann@/Users/jo/dev/x.md\n";
    assert_eq!(missing(".opencode/command/x1.md", command, &files), ["warning /Users/jo/dev/app/docs/rules/rows.md"]);
}

#[test]
fn workflows_are_looked_for_in_any_project() {
    let past = [(".github/workflows", Past::Deleted)];
    let skill = "---\nname: x1\ndescription: y\n---\n\nLook into `.github/workflows/` for checks.\n";
    assert_eq!(warnings("stale-path", ".claude/skills/x1/SKILL.md", skill, &[], &past), [""; 0]);
    assert_eq!(
        warnings("stale-path", "AGENTS.md", "Look into `.github/workflows/` for checks.\n", &[], &past).len(),
        1
    );
}

#[test]
fn a_list_of_the_files_of_a_folder_has_one_that_is_not_there() {
    let files = ["lib/common.sh", "lib/docker.sh", "lib/config.sh", "lib/project.sh", "docs/a1.md"];
    let items = |names: &[&str]| names.iter().map(|name| format!("   - `{name}` - part\n")).collect::<String>();
    let text = |names: &[&str]| format!("2. **Library Modules** (in `lib/`):\n{}", items(names));
    let all = ["common.sh", "docker.sh", "config.sh", "project.sh"];
    let with = |more: &[&str]| missing("AGENTS.md", &text(&[&all[..], more].concat()), &files);
    assert_eq!(with(&["profile.sh", "firewall.sh"]), ["warning profile.sh", "warning firewall.sh"]);
    // Most of them have to be there, and the name must be nowhere else.
    assert_eq!(with(&["a1.sh", "b1.sh", "c1.sh"]), [""; 0]);
    assert_eq!(missing("AGENTS.md", &text(&[&all[1..], &["profile.sh"]].concat()), &files[2..]), [""; 0]);
    let kept = ["lib/common.sh", "lib/docker.sh", "lib/config.sh", "build/profile.sh"];
    assert_eq!(missing("AGENTS.md", &text(&["common.sh", "docker.sh", "config.sh", "profile.sh"]), &kept), [""; 0]);
}

#[test]
fn targets_of_make_may_have_a_colon() {
    let make = "gen\\:api: all\n\ttrue\n.PHONY: gen\\:web\ngen\\:web:\n\ttrue\nall:\n\ttrue\n";
    let of = |text: &str| warnings("stale-command", "AGENTS.md", text, &[("Makefile", make)], &[]);
    assert_eq!(of("Run `make gen:api` and `make gen:web`, then `make all`.\n"), [""; 0]);
    assert_eq!(of("Run `make gen:none`.\n").len(), 1);
}

#[test]
fn many_commands_that_nobody_defines_have_one_cause() {
    let text = "```sh\nmake api\nmake web\nmake seed\nmake ship\n```\n";
    let files = [("AGENTS.md", text), ("Makefile", "all:\n\ttrue\n")];
    let keys = |text: &str| {
        let files = [("AGENTS.md", text), files[1]];
        let found = findings("stale-command", &files, &[], &[], false);
        found
            .iter()
            .filter_map(|it| Some(it.cause.as_ref()?.key.clone()))
            .collect::<std::collections::BTreeSet<_>>()
            .len()
    };
    assert_eq!((keys(text), keys("```sh\nmake api\nmake web\n```\n")), (1, 2));
}

#[test]
fn two_words_of_prose_are_no_path_in_another_case() {
    let files = [("app/ui/a1.ts", "")];
    let of = |text: &str| warnings("wrong-case-path", "AGENTS.md", text, &files, &[]);
    assert_eq!(of("Keep app/UI composition one-way.\n"), [""; 0]);
    assert_eq!(of("Keep `app/UI` small.\n").len(), 1);
}
