//! Scripts of package managers: whose options a command holds, whose manifest defines it, and what is suggested.

use super::INFO;
use crate::rules::references::testing::{Past, findings, show};

const WORKSPACE: [(&str, &str); 3] = [
    ("pnpm-workspace.yaml", "packages: [apps/*]\n"),
    ("apps/web/package.json", r#"{"name":"@a/web","scripts":{"dev":"","build":""}}"#),
    ("package.json", r#"{"name":"root","scripts":{"status":"node status.js","all":"dotenv -- turbo run build"}}"#),
];

fn in_workspace(text: &str) -> Vec<String> {
    let mut files = WORKSPACE.to_vec();
    files.push(("AGENTS.md", text));
    show(&findings(INFO.name, &files, &[], &[], true), text)
}

#[test]
fn options_behind_a_script_are_the_scripts() {
    for command in [
        "pnpm run status --filter closed",
        "pnpm status --filter closed",
        "pnpm -r status -F closed",
        "bun run status --filter closed",
        "yarn run status --cwd apps/web",
        "npm run status -- --workspace closed",
        "pnpm exec tool --filter closed",
    ] {
        assert_eq!(in_workspace(&format!("Run `{command}`.\n")), [""; 0], "{command}");
    }
    for command in [
        "pnpm --filter gone status",
        "pnpm run --filter gone status",
        "pnpm --reporter silent --filter gone status",
        "pnpm install --filter gone",
        "bun run --filter gone status",
        "npm run status --workspace gone",
        "npm run status -w gone",
        "turbo run build --filter=gone",
        // The script hands what stands behind it to turbo.
        "pnpm all --filter=gone",
        "npm run all -- --filter=gone",
    ] {
        assert_eq!(in_workspace(&format!("Run `{command}`.\n")), ["warning gone"], "{command}");
    }
    // The script itself has to be there.
    assert_eq!(
        in_workspace("Run `pnpm run lost --filter closed`, `npm run none --filter x`.\n"),
        ["warning lost", "warning none"]
    );
}

fn at(path: &str, text: &str, package: &str) -> Vec<String> {
    show(&findings(INFO.name, &[(path, text), ("package.json", package)], &[], &[], true), text)
}

const PACKAGE: &str = r#"{"scripts": {"test": "x", "check-types": "y", "test:e2e": "z", "lint:all": "a", "build:web": "b", "build:api": "c"}}"#;

#[test]
fn names_of_other_languages_are_to_be_filled_in() {
    assert_eq!(
        at(
            "AGENTS.md",
            "`pnpm run script:nome` `pnpm run script:nombre` `npm run nom` `npm run script_name`\n",
            PACKAGE
        ),
        [""; 0]
    );
    assert_eq!(
        at("AGENTS.md", "`pnpm run script:rename` `pnpm run nomad`\n", PACKAGE),
        ["warning script:rename", "warning nomad"]
    );
}

const STUB: &str =
    r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1", "prepare": "husky", "postinstall": "x"}}"#;

#[test]
fn a_manifest_that_npm_wrote_settles_nothing() {
    let skill = "---\nname: x\ndescription: y\n---\nRun `npm run coverage`.\n";
    assert_eq!(at(".claude/skills/x/SKILL.md", skill, STUB), ["info coverage"]);
    assert_eq!(at(".claude/skills/x/SKILL.md", skill, PACKAGE), ["warning coverage"]);
    // The hints of the project mean it all the same.
    assert_eq!(at("AGENTS.md", "Run `npm run coverage`.\n", STUB), ["warning coverage"]);
}

#[test]
fn a_skill_may_print_the_manifest_that_it_makes() {
    let printed = "```json\n{\n  \"scripts\": {\n    \"coverage\": \"c8\"\n  }\n}\n```\n";
    let skill = |rest: &str| format!("---\nname: x\ndescription: y\n---\nRun `npm run coverage`.\n\n{rest}");
    assert_eq!(at(".claude/skills/x/SKILL.md", &skill(printed), PACKAGE), [""; 0]);
    let other = printed.replace("coverage", "cover");
    assert_eq!(at(".claude/skills/x/SKILL.md", &skill(&other), PACKAGE), ["warning coverage"]);
    // What the project's own hints print is what they say of its manifest.
    assert_eq!(at("AGENTS.md", &format!("Run `npm run coverage`.\n\n{printed}"), PACKAGE), ["warning coverage"]);
    // What they tell to add need not be there.
    let added = format!("Add to `package.json`:\n\n{printed}\nRun `npm run coverage`.\n");
    assert_eq!(at("AGENTS.md", &added, PACKAGE), [""; 0]);
    assert_eq!(at("AGENTS.md", &added.replace("Add to", "Of"), PACKAGE), ["warning coverage"]);
    let make = "---\nname: x\ndescription: y\n---\n`make ship`\n\n```makefile\nship: all\n\tx\n```\n";
    let files = [(".claude/skills/x/SKILL.md", make), ("Makefile", "all:\n\tx\n")];
    assert_eq!(findings(INFO.name, &files, &[], &[], true), []);
}

#[test]
fn a_page_of_the_skill_may_print_the_manifest() {
    let skill = "---\nname: x\ndescription: y\n---\nRun `npm run coverage`. See [setup](references/setup.md).\n";
    let page = "```json\n\"scripts\": { \"coverage\": \"c8\" }\n```\n";
    let files = |page_at: &'static str| {
        let files = [(".claude/skills/x/SKILL.md", skill), (page_at, page), ("package.json", PACKAGE)];
        show(&findings(INFO.name, &files, &[], &[], true), skill)
    };
    assert_eq!(files(".claude/skills/x/references/setup.md"), [""; 0]);
    assert_eq!(files(".claude/skills/y/references/setup.md"), ["warning coverage"]);
}

#[test]
fn suggestions_share_whole_words() {
    let text = "`npm run e2e` `npm run types:check` `npm run typecheck` `npm run web` `npm run build` `npm run test:e3e` `npm run test:es`\n";
    assert_eq!(
        at("AGENTS.md", text, PACKAGE),
        [
            "warning e2e unsafe test:e2e",
            "warning types:check unsafe check-types",
            "warning typecheck unsafe check-types",
            "warning web unsafe build:web",
            "warning build",
            "warning test:e3e",
            "warning test:es",
        ]
    );
}

#[test]
fn a_page_of_a_skill_tells_a_lone_script_once() {
    let page = "Run checks: `./security-check.sh` here.\n";
    let files = [
        (".claude/skills/x/SKILL.md", "---\nname: x\ndescription: y\n---\nSee [p](references/p.md).\n"),
        (".claude/skills/x/references/p.md", page),
    ];
    let past = [("hooks/security-check.sh", Past::Deleted)];
    let of = |rule: &str| findings(rule, &files, &past, &[], true).len();
    assert_eq!((of("stale-path"), of(INFO.name)), (1, 0));
}

#[test]
fn names_of_a_drawn_sample_are_the_samples() {
    let page = |root: &str| {
        format!(
            "```\n{root}/\n├── SKILL.md\n├── scripts/\n│   └── security-check.sh\n└── reference.md\n```\n\nRun `bash security-check.sh -v`, `bash scripts/security-check.sh`, `bash other-check.sh -v`.\n"
        )
    };
    let past = [("hooks/security-check.sh", Past::Deleted), ("hooks/other-check.sh", Past::Deleted)];
    let told = |root: &str, others: &[(&str, &str)]| {
        let page = page(root);
        let mut files = others.to_vec();
        files.push((".claude/commands/p.md", &page));
        show(&findings(INFO.name, &files, &past, &[], true), &page)
    };
    let reviewer = told("code-reviewer", &[]);
    assert!(reviewer.iter().all(|line| line.contains("other-check.sh")), "{reviewer:?}");
    // The same of a folder that is there is this repository's.
    let own = told("hooks", &[("hooks/reference.md", "")]);
    assert!(own.iter().any(|line| line.contains("security-check.sh")), "{own:?}");
}

#[test]
fn scripts_that_a_skill_prints_are_the_readers() {
    let skill = |lead: &str| {
        format!(
            "---\nname: x\ndescription: y\n---\n**Script**: `check_ids.py`{lead}\n\n```bash\npython scripts/check_ids.py a\n```\n"
        )
    };
    let told = |lead: &str| {
        let skill = skill(lead);
        let files = [(".claude/skills/x/SKILL.md", &*skill), (".claude/skills/x/scripts/other.py", "")];
        show(&findings(INFO.name, &files, &[], &[], true), &skill)
    };
    assert_eq!(told(" (generate this in your project)"), [""; 0]);
    assert_eq!(told(" checks the numbers."), ["warning scripts/check_ids.py"]);
}

#[test]
fn a_path_with_blanks_is_no_command() {
    let past = [("Support/tool/config.json", Past::Deleted)];
    let at = |text: &str| {
        let files = [("AGENTS.md", text), ("my_Library/Application Support/tool/config.json", "")];
        show(&findings(INFO.name, &files, &past, &[], true), text)
    };
    assert_eq!(at("See `my_Library/Application Support/tool/config.json`.\n"), [""; 0]);
    assert_eq!(at("Run `./tool Support/tool/config.json`.\n"), ["warning Support/tool/config.json"]);
}

#[test]
fn a_fence_that_goes_to_an_outer_folder_is_of_the_outer_tree() {
    let fence =
        |folder: &str| format!("```bash\n# From the root\nnpm run inbox:dev\n# Or directly\ncd {folder}\n```\n");
    let at = |folder: &str| {
        let text = fence(folder);
        let files = [("AGENTS.md", &*text), ("package.json", PACKAGE), ("packages/web/x.js", "")];
        show(&findings(INFO.name, &files, &[], &[], true), &text)
    };
    assert_eq!(at("packages/inbox"), [""; 0]);
    assert_eq!(at("packages/web"), ["warning inbox:dev"]);
}

#[test]
fn what_need_not_be_there_is_silent() {
    let past = [(".tool/actions.md", Past::Deleted)];
    let at = |text: &str| {
        show(&findings(INFO.name, &[("AGENTS.md", text), ("package.json", PACKAGE)], &past, &[], true), text)
    };
    assert_eq!(at("`cat .tool/actions.md 2>/dev/null || echo none` `npm run gone --if-present`\n"), [""; 0]);
    assert_eq!(at("`cat .tool/actions.md || exit 1` `npm run gone`\n"), ["info .tool/actions.md", "warning gone"]);
}

#[test]
fn a_skill_may_say_what_projects_of_a_kind_run() {
    let skill = |line: &str| format!("---\nname: x\ndescription: y\n---\n{line}\n");
    let told = |line: &str| at(".claude/skills/x/SKILL.md", &skill(line), PACKAGE);
    assert_eq!(told("| Next | `npm run lint` |"), ["info lint"]);
    assert_eq!(told("Then run `npm run lint`."), ["warning lint"]);
    assert_eq!(told("| Next | `npm run coverage` |"), ["warning coverage"]);
}

#[test]
fn sources_that_any_project_has_are_not_looked_for_elsewhere() {
    let files = |path: &'static str, text: &'static str| {
        let files = [(path, text), ("web/src/lib/auth.ts", ""), ("src/x.ts", "")];
        show(&findings(INFO.name, &files, &[], &[], true), text)
    };
    let skill = "---\nname: x\ndescription: y\n---\n`npx vitest related src/auth.ts --run`\n";
    assert_eq!(files(".claude/skills/x/SKILL.md", skill), [""; 0]);
}

#[test]
fn values_of_options_are_no_services() {
    let text = "`docker compose ps --format json` `docker compose logs gone`\n";
    let files = [("AGENTS.md", text), ("compose.yml", "services:\n  api:\n    image: x\n")];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning gone"]);
}

#[test]
fn commands_that_a_text_of_any_language_forbids_are_not_missed() {
    for text in [
        "NO ejecutes `npm test`/`npm run build` (este repo no los tiene).\n",
        "Este repo NO tiene `npm test`/`npm run build`; la verificación es otra.\n",
        "Não execute `npm test`.\n",
        "Führe `npm test` hier nicht aus.\n",
        "Skip `npm test` (this repo has none).\n",
    ] {
        let files = [("AGENTS.md", text), ("package.json", r#"{"name":"a","scripts":{"check":""}}"#)];
        assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), [""; 0], "{text}");
    }
    for text in ["No olvides ejecutar `npm test`.\n", "Este repo no tiene lint, ejecuta `npm test`.\n"] {
        let files = [("AGENTS.md", text), ("package.json", r#"{"name":"a","scripts":{"check":""}}"#)];
        assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), ["warning test"], "{text}");
    }
}

#[test]
fn scripts_that_chezmoi_puts_into_a_home_have_other_names() {
    let text = "---\nname: x\ndescription: y\n---\nRun `python scripts/cost.py` or `python scripts/none.py`, see [it](scripts/cost.py) and [none](scripts/none.py).\n";
    let skill = |folder: &str| {
        let (page, script) =
            (format!("{folder}/skills/x/SKILL.md"), format!("{folder}/skills/x/scripts/executable_cost.py"));
        let files = [(&page[..], text), (&script[..], "")];
        let past = [(&script.replace("executable_", "")[..], Past::Deleted)];
        let found = |rule: &str| show(&findings(rule, &files, &past, &[], true), text);
        (found(INFO.name).concat(), found("broken-link").concat())
    };
    for folder in ["dot_claude", "home/private_dot_claude"] {
        let (commands, links) = skill(folder);
        assert!(!commands.contains("cost.py") && !links.contains("cost.py"), "{folder}: {commands} {links}");
        assert!(links.contains("scripts/none.py"), "{folder}: {links}");
    }
    let (commands, links) = skill(".claude");
    assert!(commands.contains("cost.py") && links.contains("cost.py"), "{commands} {links}");
}
