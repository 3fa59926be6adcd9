//! What `stale-command` says and leaves unsaid.

use super::INFO;
use crate::rules::references::testing::{Past, findings, show, warnings};

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
    let text = "`mise run build` `mise run b` `mise run gone` `mise r test:unit` `mise tasks run lint` `mise install` `mise run x.y` `mise run docs`\n";
    let files = [
        ("AGENTS.md", text),
        ("mise.toml", "[tools]\nnode = '20'\n[tasks.build]\nalias = 'b'\nrun = 'x'\n"),
        (".mise/tasks/test/unit.sh", "#!/bin/sh\n"),
        (".mise/tasks/docs/_default", "#!/bin/sh\n"),
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
    // The text of a script, and a comment that names alternatives.
    assert_eq!(check("Deploy:\n\n```sh\n#!/bin/bash\nnpm run gone\n```\n"), ["info gone"]);
    assert_eq!(check("Audit:\n\n```sh\nnpm run gone  # Using axe, pa11y, or similar\n```\n"), [""; 0]);
    assert_eq!(check("Audit:\n\n```sh\nnpm run gone  # Using axe\n```\n"), ["warning gone"]);
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
    let want = ["warning tools/none.sh", "warning tools/test_none.py"];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), want);
    // A prompt may mean its user's scripts.
    let files = [(".claude/commands/x.md", text), tools];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), [""; 0]);
}

#[test]
fn tests_that_never_were_are_told() {
    let told = |path: &str, command: &str| {
        let text = format!("```sh\n{command}\n```\n");
        let files = [(path, text.as_str()), ("core/test/test_a1.py", ""), ("tests/test_rows.py", "")];
        show(&findings(INFO.name, &files, &[], &[], true), &text)
    };
    assert_eq!(told("AGENTS.md", "python3 -m pytest core/tests"), ["warning core/tests"]);
    assert_eq!(told("AGENTS.md", "pytest -v tests/unit/test_cells.py::test_x"), ["warning tests/unit/test_cells.py"]);
    for command in [
        "pytest core/test tests/test_rows.py::test_x",
        "pytest tests/test_example.py",
        "pytest tests/test_specific_module.py",
        "pytest tests --junitxml build/tests",
        "pytest reports/tests.xml",
        "cd core && pytest test/test_a1.py",
        "ls core/tests",
    ] {
        assert_eq!(told("AGENTS.md", command), [""; 0], "{command}");
    }
    assert_eq!(told(".claude/commands/x.md", "pytest core/tests"), [""; 0]);
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
        let files = [
            (".claude/skills/x/SKILL.md", &*text),
            ("sub/Makefile", "x:\n"),
            ("Makefile", ".PHONY: test fmt\ntest fmt:\n\tx\n"),
        ];
        show(&findings(INFO.name, &files, &[], &[], true), &text)
    };
    assert_eq!(level("fmt"), ["warning check"]);
    // What every project has says nothing of this one.
    assert_eq!(level("test"), ["info check"]);
}

fn levels_in_a_skill(fields: &str, body: &str, others: &[(&str, &str)]) -> Vec<String> {
    let text = format!("---\nname: x\ndescription: y\n{fields}---\n{body}");
    let mut files = vec![(".claude/skills/x/SKILL.md", &*text), ("package.json", PACKAGE)];
    files.extend(others);
    let found = findings(INFO.name, &files, &[], &[], true);
    show(
        &found.into_iter().filter(|one| one.path.as_bytes() == b".claude/skills/x/SKILL.md").collect::<Vec<_>>(),
        &text,
    )
}

#[test]
fn a_skill_means_the_one_manifest_that_lacks_its_one_script() {
    let at = |fields: &str, body: &str| levels_in_a_skill(fields, body, &[]);
    assert_eq!(at("", "Run `npm run gone`, then `npm test`.\n"), ["warning gone"]);
    // It may be about any project where it is handed out, or names several scripts that are not here.
    assert_eq!(at("license: MIT\n", "Run `npm run gone`.\n"), ["info gone"]);
    assert_eq!(at("", "Run `npm run gone` and `npm run none`.\n"), ["info gone", "info none"]);
    assert_eq!(at("", "In a sibling repo, run `npm run gone`.\n"), ["info gone"]);
    let two = [("web/package.json", r#"{"scripts":{"dev":""}}"#)];
    assert_eq!(levels_in_a_skill("", "Run `npm run gone`.\n", &two), ["info gone"]);
}

#[test]
fn what_a_text_of_the_project_says_settles_what_others_mean() {
    let body = "So that the example data is there, `npm run gone` and `npm run none`.\n";
    assert_eq!(levels_in_a_skill("", body, &[]), ["info gone", "info none"]);
    let main = [("AGENTS.md", "Run `npm run gone`.\n")];
    assert_eq!(levels_in_a_skill("", body, &main), ["warning gone", "info none"]);
}

#[test]
fn tests_and_benches_of_cargo_are_looked_up() {
    let text = "`cargo test --test api` `cargo test --test gone` `cargo nextest run --test named` `cargo bench --bench none` `cargo test --test '*'`\n";
    let files = [
        ("AGENTS.md", text),
        ("Cargo.toml", "[package]\nname = 'x'\n[[test]]\nname = 'named'\npath = 't.rs'\n"),
        ("tests/api/main.rs", ""),
    ];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning gone", "warning none"]);
}

#[test]
fn packages_of_a_workspace_are_looked_up() {
    let text = "`pnpm --filter web dev` `pnpm --filter @a/api... build` `pnpm --filter gone dev` `turbo run build --filter=@a/none` `npm run dev -w @a/web` `pnpm --filter './apps/*' dev`\n";
    let files = [
        ("AGENTS.md", text),
        ("pnpm-workspace.yaml", "packages: [apps/*]\n"),
        ("apps/web/package.json", r#"{"name":"@a/web","scripts":{"dev":"","build":""}}"#),
        ("apps/api/package.json", r#"{"name":"@a/api","scripts":{"dev":"","build":""}}"#),
    ];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning gone", "warning @a/none"]);
    let alone = [("AGENTS.md", text), ("package.json", r#"{"name":"x","scripts":{"dev":"","build":""}}"#)];
    assert_eq!(show(&findings(INFO.name, &alone, &[], &[], true), text), [""; 0]);
}

#[test]
fn tasks_of_mix_are_looked_up() {
    let text = "`mix test` `mix sobelow --config` `mix credo` `mix setup` `mix precommit` `mix aprs.seed` `mix phx.server` `mix phx.new x`\n";
    let files = [
        ("AGENTS.md", text),
        (
            "mix.exs",
            "defp deps, do: [{:credo, \"~> 1.7\"}, {:phoenix, \"1.8\"}]\ndefp aliases, do: [setup: [\"deps.get\"]]\n",
        ),
        ("lib/mix/tasks/aprs.seed.ex", "defmodule Mix.Tasks.Aprs.Seed do\n"),
    ];
    let want = ["warning sobelow", "warning precommit"];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), want);
    let locked = [files[0], files[1], ("mix.lock", "%{\"sobelow\": {:hex, :sobelow}, \"precommit\": {}}")];
    assert_eq!(show(&findings(INFO.name, &locked, &[], &[], true), text), [""; 0]);
}

#[test]
fn projects_of_gradle_and_modules_of_maven_are_looked_up() {
    let text =
        "`./gradlew :core:test` `./gradlew :telemetry:test` `./gradlew :lib:deep:test` `mvn test -pl api,none`\n";
    let files = [
        ("AGENTS.md", text),
        ("settings.gradle.kts", "include(\":core\")\n"),
        ("core/a.kt", ""),
        ("x/lib/deep/a.kt", ""),
        ("pom.xml", "<artifactId>root</artifactId>"),
        ("api/pom.xml", "<artifactId>the-api</artifactId>"),
    ];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning telemetry", "warning none"]);
    let open = [files[0], ("settings.gradle", "file('x').listFiles().each { include it.name }\n")];
    assert_eq!(show(&findings(INFO.name, &open, &[], &[], true), text), [""; 0]);
}

#[test]
fn projects_of_nx_are_looked_up() {
    let text = "`nx build web` `npx nx run gone:build` `nx test libs-x` `nx affected -t test`\n";
    let files =
        [("AGENTS.md", text), ("nx.json", "{}"), ("apps/web/project.json", "{\"name\": \"web\"}"), ("libs-x/a.ts", "")];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning gone"]);
    assert_eq!(show(&findings(INFO.name, &[files[0], files[2]], &[], &[], true), text), [""; 0]);
}

#[test]
fn a_command_of_a_toolchain_that_is_not_there_at_all() {
    let sources: Vec<String> = (0..20).map(|at| format!("src/{at}.java")).collect();
    let at = |text: &str, more: &[(&str, &str)]| {
        let mut files: Vec<(&str, &str)> = sources.iter().map(|path| (path.as_str(), "")).collect();
        files.extend([("AGENTS.md", text), ("pom.xml", "")]);
        files.extend(more);
        show(&findings(INFO.name, &files, &[], &[], true), text)
    };
    assert_eq!(at("Always run `dotnet test` before you commit.\n", &[]), ["warning dotnet test"]);
    assert_eq!(at("Run `mvn test`.\n", &[]), [""; 0]);
    assert_eq!(at("Always run `dotnet test` before you commit.\n", &[("tools/a.cs", "")]), [""; 0]);
    assert_eq!(at("Run `cargo test` or `go test`.\n", &[]), [""; 0]);
    assert_eq!(at("For .NET projects, run `dotnet test`.\n", &[]), [""; 0]);
    assert_eq!(at("`cd other && dotnet test`\n", &[]), [""; 0]);
    assert_eq!(at("**Go Projects:**\n- Built in\n- Coverage: `go test -cover`\n", &[]), [""; 0]);
    assert_eq!(at("```sh\ncargo test      rtk cargo test\n```\n", &[]), [""; 0]);
}

#[test]
fn an_option_of_a_script_names_no_module() {
    let text = "`python -m app.gone` `python -u -m app.none` `python run.py -m app.gone`\n";
    let files = [("AGENTS.md", text), ("app/cli.py", "")];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning app.gone", "warning app.none"]);
}

#[test]
fn a_script_that_is_given_as_an_example() {
    let text = "Paths (e.g., `./server` or `python scripts/none.py`) are resolved.\n\nRun `python scripts/gone.py`.\n\n\
                - Keys: `bash scripts/keys.sh` (in big-app repo)\n";
    let files = [("AGENTS.md", text), ("scripts/a.py", "")];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning scripts/gone.py"]);
}

#[test]
fn environments_sessions_and_namespaces_are_looked_up() {
    let text = "`tox -e lint,py311,gone` `nox -s tests-fast` `nox -s none` `bundle exec rake dev:stop` `bin/rails dev:never` `rails db:seed:other`\n";
    let files = [
        ("AGENTS.md", text),
        ("tox.ini", "[testenv:lint]\n"),
        ("noxfile.py", "@nox.session\ndef tests_fast(session): ...\n"),
        ("lib/tasks/dev.rake", "namespace :dev do\n  task stop: :environment do\n"),
        ("Rakefile", "require 'x'\n"),
    ];
    assert_eq!(
        show(&findings(INFO.name, &files, &[], &[], true), text),
        ["warning gone", "warning none", "warning dev:never"]
    );
    assert_eq!(show(&findings(INFO.name, &files[..1], &[], &[], true), text), [""; 0]);
}

#[test]
fn projects_and_solutions_of_dotnet_are_looked_up() {
    let text = "`dotnet test src/A.Tests.csproj` `dotnet build Old.sln` `dotnet build src/{Name}.csproj` `dotnet new sln -n X.sln`\n";
    let files = [("AGENTS.md", text), ("src/A.Tests.csproj", ""), ("A.sln", "")];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning Old.sln"]);
}

#[test]
fn a_script_of_a_folder_that_is_not_there_at_all() {
    let text = "```sh\nbun packages/debug/src/server.ts &\npython dist/tools/x/run.py\nnode a/gone.js\nnode my-app/src/tool/go.js\n```\n";
    let at = |path: &str| {
        let files = [(path, text), ("src/a.ts", "")];
        show(&findings(INFO.name, &files, &[], &[], true), text)
    };
    assert_eq!(at("CLAUDE.md"), ["warning packages/debug/src/server.ts"]);
    assert_eq!(at(".claude/commands/x.md"), [""; 0]);
}

#[test]
fn a_text_with_many_targets_of_others_is_about_other_projects() {
    let level =
        |body: &str| levels_in_a_skill("", body, &[("Makefile", "fmt lint test:\n\tx\n"), ("a/Makefile", "x:\n")]);
    assert_eq!(level("`make fmt`, `make one`, `make two`\n"), ["info one", "info two"]);
    assert_eq!(level("`make fmt`, `make test`, `make one`, `make two`\n"), ["warning one", "warning two"]);
}

#[test]
fn a_script_in_the_folder_to_which_it_is_installed() {
    let installed = |written: &str, file: &str| super::is_installed(written, &file.into());
    assert!(installed(".claude/packs/x/scripts/dig-rows.ts", "scripts/dig-rows.ts"));
    assert!(!installed("lib/packs/x/scripts/dig-rows.ts", "scripts/dig-rows.ts"));
    assert!(!installed(".claude/packs/x/scripts/dig-rows.ts", "tools/dig-rows.ts"));
    // The folder of another agent is a slip.
    assert!(!installed(".codex/skills/x/build.py", ".agents/skills/x/build.py"));
}

#[test]
fn a_command_is_told_once() {
    let past = [("src/App.Web/App.Web.csproj", Past::Renamed("src/App/App.csproj"))];
    let text = "```sh\ndotnet run --project src/App.Web/App.Web.csproj\n```\n";
    let files = [("AGENTS.md", text), ("src/App/App.csproj", "<Project/>")];
    assert_eq!(findings(INFO.name, &files, &past, &[], false).len(), 1);
}

#[test]
fn scripts_of_one_family_have_one_cause() {
    let text = "`npm run deploy:web`, `npm run deploy:docs` and `npm run gone`\n";
    let found = findings(INFO.name, &[("AGENTS.md", text), ("package.json", PACKAGE)], &[], &[], true);
    let keys: Vec<&str> = found.iter().map(|finding| finding.cause.as_ref().unwrap().key.as_str()).collect();
    assert_eq!(keys.len(), 3);
    assert!(keys[0] == keys[1] && keys[0] != keys[2], "{keys:?}");
}

#[test]
fn a_command_in_a_folder_of_another_repository_is_its_own() {
    let manifest = ("package.json", r#"{"scripts": {"dev": "vite"}}"#);
    let of = |text: &str| warnings("stale-command", "AGENTS.md", text, &[manifest], &[]);
    assert_eq!(of("- Run `npm run check:links` in `site/web` after `npm run dev`.\n"), [""; 0]);
    assert_eq!(of("- Run `npm run check:links` in the folder after `npm run dev`.\n").len(), 1);
}
