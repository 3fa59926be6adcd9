//! What `stale-command` says and leaves unsaid.

use super::INFO;
use crate::rules::references::testing::{Past, findings, show};

const PACKAGE: &str = r#"{"scripts": {"test": "x", "check-types": "y", "build:web": "z"}}"#;
const MAKEFILE: &str = ".PHONY: lint\nlint fmt: src\n\tcargo fmt\nVAR := 1\n%.o: %.c\n";
const JUSTFILE: &str = "set shell := [\"bash\"]\nalias t := test\n\n# Runs.\ntest *args:\n    x\n@quiet name='a':\n";

fn check(text: &str) -> Vec<String> {
    let files = [
        ("AGENTS.md", text),
        ("package.json", PACKAGE),
        ("Makefile", MAKEFILE),
        ("tools/justfile", JUSTFILE),
        ("web/package.json", r#"{"name":"@a/web","scripts":{"dev":""},"devDependencies":{"storybook":"1"}}"#),
        ("web/e2e/Makefile", "include ../../mk/shared.mk\nsmoke-%: x\n"),
        ("mk/shared.mk", "shared:\n"),
        ("tools/justfile.d/readme", "x"),
        (".cargo/config.toml", "[alias]\nlint-all = \"clippy\"\n"),
    ];
    show(&findings(INFO.name, &files, &[], &[], true), text)
}

#[test]
fn tasks_of_mise_are_looked_up() {
    let text = "`mise run build` `mise run b` `mise run gone` `mise r test:unit` `mise tasks run lint` `mise install` `mise run x.y`\n";
    let files = [
        ("AGENTS.md", text),
        ("mise.toml", "[tools]\nnode = '20'\n[tasks.build]\nalias = 'b'\nrun = 'x'\n"),
        (".mise/tasks/test/unit.sh", "#!/bin/sh\n"),
    ];
    let want = ["warning gone", "warning lint", "warning x.y"];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), want);
    let open = [files[0], ("mise.toml", "[task_config]\nincludes = ['t.toml']\n")];
    assert_eq!(findings(INFO.name, &open, &[], &[], true), []);
}

#[test]
fn names_of_scripts_may_have_dots() {
    let text = "`npm run lint.fix` `pnpm run test.unit` `npm run build.js` `bun run a.b`\n";
    let files = [("AGENTS.md", text), ("package.json", r#"{"scripts":{"test.unit":"x"}}"#)];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning lint.fix"]);
}

#[test]
fn commands_that_nothing_defines_are_told() {
    let text = "`npm run check-type` `pnpm run gone` `bun run nope --watch` `make deploy` `just missing`\n\n\
                ```bash\n$ yarn run lint # no\nmake fmt && make none\n```\n";
    let want = [
        "warning check-type unsafe check-types",
        "warning gone",
        "warning nope",
        "warning deploy",
        "warning missing",
        "warning lint",
        "warning none",
    ];
    assert_eq!(check(text), want);
}

#[test]
fn what_is_defined_or_no_script_is_silent() {
    let text = "`npm run test` `npm run build:web` `pnpm dev` `npm install` `npm test` `yarn add x` `bun run src/x.ts` `bun test`\n\
                `make` `make lint` `make -j4 fmt` `make VAR=1 lint` `just t` `just quiet x` `npm run <script>` `npm run build:*`\n\
                `pnpm --filter x run anything` `npm run` `make sure` `make(chan int)` `make -C sub all` `cd other && npm run unknown`\n\n\
                Do not run `npm run gone`.\n\nMake sure it works. just do it.\n\n```ts\nmake none\n```\n";
    assert_eq!(check(text), [""; 0]);
}

#[test]
fn a_skill_speaks_of_projects_in_general_unless_it_names_the_package() {
    let text = "---\nname: x\ndescription: y\n---\n`npm run gone` `npm --prefix web run gone`\n";
    let files = [("package.json", PACKAGE), ("web/package.json", PACKAGE), (".claude/skills/x/SKILL.md", text)];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["info gone", "warning gone"]);
}

#[test]
fn what_introduces_a_fence_may_doubt_its_commands() {
    let fence = "```sh\nnpm run gone\n```\n";
    assert_eq!(check(&format!("Before a commit:\n\n{fence}")), ["warning gone"]);
    assert_eq!(check(&format!("For example:\n\n{fence}")), [""; 0]);
    assert_eq!(check(&format!("## Removed\n\n{fence}")), [""; 0]);
    assert_eq!(check(&format!("In a sibling repo:\n\n{fence}")), ["info gone"]);
}

#[test]
fn of_an_empty_manifest_nothing_is_known() {
    let files = [
        ("AGENTS.md", "`npm run gone` `make gone` `just gone`\n"),
        ("package.json", ""),
        ("Makefile", "\n"),
        ("justfile", ""),
    ];
    assert!(findings(INFO.name, &files, &[], &[], true).is_empty());
}

#[test]
fn the_folder_or_package_that_a_command_names_has_to_define_it() {
    let text = "`cd web && npm run test` `npm --prefix web run test` `npm run test --prefix=web` `pnpm -C web test`\n\
                `yarn workspace @a/web test` `pnpm --filter web run build:web` `npm run test -w @a/web` `bun --cwd web run test`\n\
                `make -C web/e2e lint` `pnpm --filter ./web lint:all`\n";
    let want = [
        "warning test",
        "warning test",
        "warning test",
        "warning test",
        "warning test",
        "warning build:web",
        "warning test",
        "warning test",
        "warning lint",
        "warning lint:all",
    ];
    assert_eq!(check(text), want);
    let text = "`cd web && npm run dev` `cd web && pnpm dev` `pnpm --filter @a/web dev` `yarn workspace @a/web run dev` `make -C web/e2e shared`\n\
                `make -C web/e2e smoke-x` `pnpm -r test` `npm run test -ws` `pnpm --filter '@a/*' run none` `npm run test -w other`\n\n\
                ```bash\ncd web\nnpm run test\ncd e2e && make shared\ncd ~/elsewhere\nnpm run none\n```\n\n\
                ```bash\ncd nowhere\nnpm run none\n```\n";
    assert_eq!(check(text), [""; 0]);
}

#[test]
fn files_that_commands_name_are_known_to_history() {
    let past = [
        ("scripts/old.sh", Past::Deleted),
        ("tools/run.py", Past::Renamed("lib/run.py")),
        ("out/x.json", Past::Deleted),
    ];
    let text = "`bash scripts/old.sh --fast` `python tools/run.py`\n\n```sh\n./scripts/old.sh > out/x.json\n./scripts/never.sh\n```\n\n\
                Do not run `bash ./scripts/old.sh`.\n";
    let files = [("AGENTS.md", text), ("lib/run.py", "")];
    let found = show(&findings(INFO.name, &files, &past[1..], &[], true), text);
    assert_eq!(found, ["warning tools/run.py safe lib/run.py", "warning ./scripts/never.sh"]);
    let text = text.replace("Do not run `bash ./scripts/old.sh`.\n", "");
    let files = [("AGENTS.md", text.as_str()), ("lib/run.py", "")];
    let never = [
        "warning scripts/old.sh",
        "warning tools/run.py safe lib/run.py",
        "warning ./scripts/old.sh",
        "warning ./scripts/never.sh",
    ];
    assert_eq!(show(&findings(INFO.name, &files, &past[1..], &[], true), &text), never);
    let files = [("AGENTS.md", text.as_str()), ("lib/run.py", "")];
    let found = show(&findings(INFO.name, &files, &past, &[], true), &text);
    assert_eq!(
        found,
        [
            "warning scripts/old.sh",
            "warning tools/run.py safe lib/run.py",
            "warning ./scripts/old.sh",
            "warning ./scripts/never.sh"
        ]
    );
}

#[test]
fn a_file_that_a_command_looks_for_in_the_wrong_folder_is_told() {
    let text = "`python tests/test_case_manager.py` `bash scripts/none.sh` `node tools/index.js`\n\n```\n$ cd web && node scripts/dev-server.mjs\n```\n";
    let files = [
        ("AGENTS.md", text),
        ("tests/cases/test_case_manager.py", ""),
        ("scripts/a.sh", ""),
        ("tools/lib/index.js", ""),
        ("web/tools/scripts/dev-server.mjs", ""),
    ];
    let want = [
        "warning tests/test_case_manager.py unsafe tests/cases/test_case_manager.py",
        "warning scripts/none.sh",
        "warning tools/index.js",
        "warning scripts/dev-server.mjs",
    ];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), want);
}

#[test]
fn a_script_that_never_was_is_told_where_its_folder_is() {
    let text = "`bash tools/none.sh` `node other/none.js` `pytest tools/test_none.py` `cat tools/none.txt` `tools/none.json x`\n";
    let tools = ("tools/run.sh", "");
    let files = [("AGENTS.md", text), tools];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning tools/none.sh"]);
    // A prompt may mean its user's scripts.
    let files = [(".claude/commands/x.md", text), tools];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), [""; 0]);
}

#[test]
fn folders_that_commands_name_are_known_to_history() {
    let past = [
        ("tests/unit", Past::Deleted),
        ("apps/web", Past::Deleted),
        ("pkg/core", Past::Deleted),
        ("build/x", Past::Deleted),
        ("dim", Past::Unknown),
    ];
    let text = "```bash\npytest tests/unit/\ngo test ./pkg/core/...\nmake --dir=apps/web all\ncargo test tests/kept/ dim/\n\
                cat build/x/ > tests/unit/\ncd apps/web\nmake all\n```\n";
    let files = [("AGENTS.md", text), ("tests/kept/a.py", ""), ("pkg/a.go", ""), ("apps/x/a.ts", "")];
    let want = ["warning tests/unit", "warning ./pkg/core", "warning apps/web", "warning apps/web"];
    assert_eq!(show(&findings(INFO.name, &files, &past, &[], true), text), want);
}

#[test]
fn playbooks_and_folders_of_terraform_are_known_to_history() {
    let past = [("ansible/old.yml", Past::Deleted), ("infra/dev", Past::Renamed("infra/test"))];
    let text = "```sh\ncd ansible && ansible-playbook old.yml --limit x\n```\n\n`ansible-playbook never.yml` `terraform -chdir=infra/dev plan`\n";
    let files = [("AGENTS.md", text), ("ansible/site.yml", ""), ("infra/test/main.tf", "")];
    let want = ["warning old.yml", "warning infra/dev safe infra/test"];
    assert_eq!(show(&findings(INFO.name, &files, &past, &[], true), text), want);
    let there = "```sh\ncd ansible && ansible-playbook site.yml\nterraform -chdir=infra/test plan\n```\n";
    let files = [("AGENTS.md", there), ("ansible/site.yml", ""), ("infra/test/main.tf", "")];
    assert_eq!(findings(INFO.name, &files, &past, &[], true), []);
}

#[test]
fn short_forms_are_scripts_where_nothing_else_can_be_meant() {
    let text = "`npm start` `yarn lint` `pnpm db:push` `bun dev:all` `pnpm run start` `npm restart`\n";
    let want =
        ["warning start", "warning lint", "warning db:push", "warning dev:all", "warning start", "warning restart"];
    assert_eq!(check(text), want);
    let text = "`npm ci` `yarn storybook` `yarn tsc` `pnpm exec lint` `pnpm dlx x` `bun x lint` `bun build` `yarn check` `npm lint` `yarn dev`\n\
                `pnpm format:none || pnpm format` `pnpm run X -- --flag` `npm run script-name` `make TARGET`\n";
    assert_eq!(check(text), [""; 0]);
}

#[test]
fn aliases_of_cargo_are_told_from_commands_and_plugins() {
    assert_eq!(
        check("`cargo xtask dist` `cargo lint-al` `cargo +nightly ci-all`\n"),
        ["warning xtask", "info lint-al unsafe lint-all", "info ci-all"]
    );
    assert_eq!(check("`cargo lint-all` `cargo test` `cargo nextest run` `cargo --version` `cargo`\n"), [""; 0]);
    let text = "`npm run none`\n";
    let files = [("AGENTS.md", text), ("package.json", ""), ("web/package.json", "{}")];
    assert_eq!(findings(INFO.name, &files, &[], &[], true), []);
    let text = "`cargo something` `cargo xtask`\n";
    let files = [("AGENTS.md", text), ("Cargo.toml", "")];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning xtask"]);
}

#[test]
fn a_skill_that_runs_a_target_of_this_project_means_it() {
    let skill =
        |command: &str| format!("---\nname: x\ndescription: y\n---\nRun `make {command}`, then `make check`.\n");
    let level = |command: &str| {
        let text = skill(command);
        let files = [(".claude/skills/x/SKILL.md", &*text), ("Makefile", ".PHONY: test fmt\ntest fmt:\n\tx\n")];
        show(&findings(INFO.name, &files, &[], &[], true), &text)
    };
    assert_eq!(level("fmt"), ["warning check"]);
    // What every project has says nothing of this one.
    assert_eq!(level("test"), ["info check"]);
}
