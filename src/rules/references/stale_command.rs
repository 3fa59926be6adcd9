//! A command that runs a script, recipe or alias which the project does not define.

use super::{MEASURED, applies};
use crate::discover::Kind;
use crate::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

const INFO: RuleInfo = RuleInfo {
    name: "stale-command",
    group: Group::References,
    levels: &[Level::Info],
    summary: "a command runs a script that the project does not define",
    explanation: "\
## What it does
Reads the commands in code spans and shell fences, and reports those that run a script of `package.json` (npm, pnpm, yarn, bun),
a target of a `Makefile` or a recipe of a `justfile` that no such file of the repository defines.

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

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if !applies(document, cx.selected, INFO.name) || document.kind == Kind::Plan {
            return;
        }
        for command in cx.workspace.commands.of(&document.path) {
            let message = format!("no {} of this repository defines `{}`", command.runner.file(), command.name);
            let finding = Finding::new(INFO.name, Level::Info, &document.path, command.span, message);
            findings.push(match &command.near {
                Some(near) => finding.help(format!("did you mean `{near}`?")).fix(
                    crate::finding::Applicability::Unsafe,
                    command.span,
                    near.as_str(),
                ),
                None => finding.help("write the command as the project defines it, or define it"),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{findings, show};
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
            ("web/package.json", r#"{"scripts":{"dev":""}}"#),
        ];
        show(&findings(INFO.name, &files, &[], &[], true), text)
    }

    #[test]
    fn commands_that_nothing_defines_are_told() {
        let text = "`npm run check-type` `pnpm run gone` `bun run nope --watch` `make deploy` `just missing`\n\n\
                    ```bash\n$ yarn run lint # no\nmake fmt && make none\n```\n";
        let want = [
            "info check-type unsafe check-types",
            "info gone",
            "info nope",
            "info deploy",
            "info missing",
            "info lint",
            "info none",
        ];
        assert_eq!(check(text), want);
    }

    #[test]
    fn what_is_defined_or_no_script_is_silent() {
        let text = "`npm run test` `npm run build:web` `pnpm dev` `npm install` `npm test` `yarn add x` `bun run src/x.ts` `bun test`\n\
                    `make` `make lint` `make -j4 fmt` `make VAR=1 lint` `just t` `just quiet x` `npm run <script>` `npm run build:*`\n\
                    `pnpm --filter x run anything` `npm run` `make sure` `make -C sub all` `cd other && npm run unknown`\n\n\
                    Do not run `npm run gone`.\n\nMake sure it works. just do it.\n\n```ts\nmake none\n```\n";
        assert_eq!(check(text), ["info sure"]);
    }
}
