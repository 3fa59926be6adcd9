//! A command that runs a script, recipe or alias which the project does not define.

use super::finding::{replace, same_subject, tell};
use super::nearby::stands_beside_others;
use super::own::is_own_script;
use super::verdict::{PathVerdict, ask_fates, verdict_by_end};
use super::{MEASURED, applies_to_names, has_script_ending, shown};
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::Workspace;
use crate::workspace::commands::{MentionedCommand, Runner};
use crate::workspace::mentions::{Mention, MentionForm, Miss};

const INFO: RuleInfo = RuleInfo {
    name: "stale-command",
    group: Group::References,
    levels: &[Level::Warning, Level::Info],
    summary: "a command runs a script that the project does not define",
    explanation: "\
## What it does
Reads the commands in code spans and shell fences, and reports those that run a script of `package.json` (npm, pnpm, yarn, bun),
a target of a `Makefile`, a recipe of a `justfile`, an alias of `.cargo/config.toml`, a program, example, package or feature
of `Cargo.toml` (`--bin`, `--example`, `-p`, `--features`), a service of a compose file, a module of a Python package (`python -m`), a script of `composer.json`, a task of `deno.json`, of a `Taskfile.yml` or of `mise.toml`, or a
task of `pyproject.toml` that no such file of the repository defines. Where the command says in which folder or package it runs (`cd web &&`, `--prefix`, `-C`, `--filter`, `-w`), that one has
to define it. So are files that a command reads or runs and folders that it is given or goes to, if git history knows them as
deleted or renamed; scripts that it runs from a folder which is there and never had them, also those of a skill's own; and what
stands in one fence beside other entries of a folder that are there. What may be an example,
and commands in skills and prompts that name no package, are info. What programs do by
themselves, what plugins and installed programs may do, and files that define names by
computing them are left alone.

## Why is this bad?
Agents run what they are told to run. A command that fails costs a turn, and often a wrong guess.

## Example
```markdown
Run `npm run typecheck` before you commit.
```
where `package.json` calls it `check-types`.

## How to fix
Write the command as the project defines it now.
",
    evidence: &[
        MEASURED,
        Evidence { source: "https://docs.npmjs.com/cli/v11/commands/npm-run", checked: "2026-11" },
        Evidence { source: "https://just.systems/man/en/", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct StaleCommand;

impl Rule for StaleCommand {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        ask_fates(cx, &INFO, questions, |document, mention| {
            let applies = || {
                applies_to_names(cx.workspace, document, cx.selected, INFO.name)
                    || is_own_script(cx.workspace, document, mention)
            };
            (mention.form == MentionForm::Command && applies()).then_some(Level::Error)
        });
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let applies = applies_to_names(cx.workspace, document, cx.selected, INFO.name);
        for mention in
            cx.workspace.mentions.of(&document.path).iter().filter(|mention| mention.form == MentionForm::Command)
        {
            let Miss::Absent { candidates, near } = &mention.place else { continue };
            if !applies && !is_own_script(cx.workspace, document, mention) {
                continue;
            }
            let verdict = verdict_by_end(cx, document, mention, candidates);
            let message = match &verdict {
                PathVerdict::Renamed { to, .. } => {
                    format!("the command names `{}`, which is called {} now", mention.path, shown(to))
                }
                PathVerdict::Deleted { .. } => {
                    format!("the command names `{}`, which does not exist any more", mention.path)
                }
                PathVerdict::Never => {
                    findings.extend(match near {
                        Some(near) => misplaced(document, mention, candidates, near),
                        None => never_there(cx.workspace, document, mention, candidates),
                    });
                    continue;
                }
                PathVerdict::Unknown => continue,
            };
            // A file that history knows belongs to this repository, even if the text describes others.
            let is_file = has_script_ending(&mention.path) && mention.path.trim_start_matches("./").contains('/');
            let level = if mention.hedged && !is_file { Level::Info } else { Level::Warning };
            let finding = Finding::new(INFO.name, level, &document.path, mention.span, message);
            findings.push(tell(document, mention, &verdict, finding));
        }
        if !applies {
            return;
        }
        for command in cx.workspace.commands.of(&document.path) {
            let message = match &command.manifest {
                Some(manifest) => format!("{} does not define `{}`", shown(manifest), command.name),
                None => format!("no {} of this repository defines `{}`", command.runner.file(), command.name),
            };
            let level = if is_proven(document, command) { Level::Warning } else { Level::Info };
            let key = format!("{:?} {} {:?}", command.runner, command.name, command.manifest);
            let cause = same_subject(key, &command.name, "are not defined");
            let finding = Finding::new(INFO.name, level, &document.path, command.span, message).cause(cause);
            findings.push(match &command.near {
                Some(near) => finding.help(format!("did you mean `{near}`?")).fix(
                    Applicability::Unsafe,
                    command.span,
                    near.as_str(),
                ),
                None => finding.help("write the command as the project defines it, or define it"),
            });
        }
    }
}

/// A file that never was where the command looks for it, and is in one other place.
fn misplaced(document: &Document, mention: &Mention, candidates: &[RepoPath], near: &RepoPath) -> Option<Finding> {
    let first = candidates.first().filter(|_| mention.relied_on)?;
    let message = format!("the command names `{}`, which is no file of this repository", mention.path);
    let cause = same_subject(shown(first).into_owned(), &mention.path, "name no file of this repository");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, mention.span, message).cause(cause);
    let finding = finding.help(format!("did you mean {}?", shown(near)));
    Some(replace(document, mention, first, near, Applicability::Unsafe, finding))
}

/// A script that never was in the folder from which the command runs it, and is nowhere else; or what other commands of the fence
/// name beside what is there.
fn never_there(
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
    candidates: &[RepoPath],
) -> Option<Finding> {
    let is_script = mention.claimed && has_script_ending(&mention.path);
    let runs = is_script && (!document.kind.is_general() || is_own_script(workspace, document, mention));
    let verb = if runs { "runs" } else { "names" };
    let is_meant = runs || stands_beside_others(workspace, document, mention, candidates);
    let first = candidates.first().filter(|_| is_meant)?;
    let message = format!("the command {verb} `{}`, which is nothing of this repository, now or ever", mention.path);
    let key = format!("{} in {}", shown(&document.path), shown(&RepoPath::new(first.parent())));
    let cause = same_subject(key, &mention.path, "name no file of this repository");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, mention.span, message).cause(cause);
    Some(finding.help("correct the path, or add the file"))
}

/// Whether the command is this repository's, and its manifests prove that nothing defines it. Skills, prompts and agents give
/// commands of projects in general; what they say counts where they name the package.
fn is_proven(document: &Document, command: &MentionedCommand) -> bool {
    let certain = command.certain || command.runner == Runner::Package;
    !command.hedged && (command.manifest.is_some() || certain && !document.kind.is_general())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Past, findings, show};
    use super::INFO;

    const PACKAGE: &str = r#"{"scripts": {"test": "x", "check-types": "y", "build:web": "z"}}"#;
    const MAKEFILE: &str = ".PHONY: lint\nlint fmt: src\n\tcargo fmt\nVAR := 1\n%.o: %.c\n";
    const JUSTFILE: &str =
        "set shell := [\"bash\"]\nalias t := test\n\n# Runs.\ntest *args:\n    x\n@quiet name='a':\n";

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
}
