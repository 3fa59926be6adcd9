//! What several rules of the group share: which paths a text means that speaks of projects in general, and paths of one machine.

use super::testing::{Past, check, check_at, findings, show};
use crate::base::finding::Level;

const SKILL: &str = "---\nname: x\ndescription: y\n---\n";

#[test]
fn what_is_handed_out_means_files_of_a_skill_beside_it() {
    let text =
        format!("{SKILL}`../other/references/form.md` `references/form.md` `deep/area/guide.md` `src/area/other.md`\n");
    let files = [("skills/x/SKILL.md", text.as_str()), ("skills/other/SKILL.md", "")];
    let past = [
        ("skills/other/references/form.md", Past::Renamed("skills/other/form.md")),
        ("skills/x/references/deep/area/guide.md", Past::Deleted),
        ("skills/z/src/area/other.md", Past::Deleted),
    ];
    let want = ["error ../other/references/form.md safe ../other/form.md", "warning deep/area/guide.md"];
    assert_eq!(show(&findings("stale-path", &files, &past, &[], false), &text), want);
}

#[test]
fn a_command_of_a_bundle_means_files_deep_in_this_repository() {
    let text = "Run `wiki/tools/lint.py`, then `src/lib/lint.py` and `tools/lint.py`.\n";
    let files = [("p/.claude-plugin/plugin.json", "{}"), ("p/commands/a.md", text)];
    let past = ["wiki/tools/lint.py", "src/lib/lint.py", "tools/lint.py"].map(|path| (path, Past::Deleted));
    assert_eq!(show(&findings("stale-path", &files, &past, &[], false), text), ["error wiki/tools/lint.py"]);
    // A plan is a record of its day, also where another text asks for the same path.
    let plan = ("docs/plans/2026-01-02-a.md", "- Delete `wiki/tools/lint.py`.\n");
    let found = findings("stale-path", &[files[0], files[1], plan], &past, &[], false);
    assert_eq!(show(&found, text), ["error wiki/tools/lint.py"]);
}

#[test]
fn a_lone_name_that_no_other_file_has_by_chance_is_looked_for_everywhere() {
    let past = [
        (".github/instructions/typescript.instructions.md", Past::Deleted),
        ("src/services/RouterAgent.ts", Past::Deleted),
        ("docs/docusaurus.config.ts", Past::Deleted),
        ("a/TwiceNamed.ts", Past::Deleted),
        ("b/TwiceNamed.ts", Past::Deleted),
        ("src/helper.ts", Past::Deleted),
    ];
    let text = "`typescript.instructions.md`, `RouterAgent.ts`, `docusaurus.config.ts`, `TwiceNamed.ts`, `helper.ts`\n";
    let want = ["warning typescript.instructions.md", "warning RouterAgent.ts", "warning TwiceNamed.ts"];
    let command = format!("---\ndescription: y\n---\n{text}");
    assert_eq!(check_at("stale-path", ".claude/commands/x.md", &command, &["src/a.ts"], &past), want);
    // A skill that is handed out describes other projects.
    let files = [("p/.claude-plugin/plugin.json", "{}"), ("p/commands/a.md", &*command)];
    assert_eq!(findings("stale-path", &files, &past, &[], false), []);
}

#[test]
fn a_link_that_climbs_out_of_a_skill_leads_nowhere_elsewhere_either() {
    let text = format!(
        "{SKILL}[a](../../docs/none.md) [b](../../docs/there.md) [c](docs/none.md) [d](../../../other) [e](../../docs)\n"
    );
    let files = [("skills/x/SKILL.md", text.as_str()), ("docs/there.md", "")];
    let want = ["warning ../../docs/none.md"];
    assert_eq!(show(&findings("broken-link", &files, &[], &[], false), &text), want);
    let example = [("examples/skills/x/SKILL.md", text.as_str()), ("docs/there.md", "")];
    assert_eq!(findings("broken-link", &example, &[], &[], false), []);
}

#[test]
fn a_path_into_the_home_of_one_person_is_of_one_machine() {
    let text = "Run `/Users/jo/dev/acme/tools/build.py`, see C:\\Users\\jo\\dev\\notes.md and `/home/jo/dev/acme/tools/build.py`.\n\n\
                ```sh\ncd /Users/jo/dev/acme\n```\n\n\
                `/home/deploy/app/run.sh` `/Users/you/dev/x.md` `/Users/<name>/x.md` `/Users/jo/dev/*.md` `https://a.b/Users/jo/x.md`\n\n\
                For example `/Users/jo/dev/b.md`. `/Users/jo`\n";
    let files = [("AGENTS.md", text), ("tools/build.py", "")];
    let found = findings("missing-path", &files, &[], &[], false);
    let places: Vec<&str> = found.iter().map(|finding| &text[finding.span.range()]).collect();
    let want = [
        "/Users/jo/dev/acme/tools/build.py",
        "C:\\Users\\jo\\dev\\notes.md",
        "/home/jo/dev/acme/tools/build.py",
        "/Users/jo/dev/acme",
    ];
    let all: Vec<&str> =
        found.iter().flat_map(|finding| finding.related.iter()).map(|place| &text[place.span.range()]).collect();
    assert_eq!([places, all].concat(), want);
    // Below `/home` people have other folders than servers.
    let of_linux = |path: &str| {
        let text = format!("Run `{path}`.\n");
        findings("missing-path", &[("AGENTS.md", text.as_str())], &[], &[], false).len()
    };
    assert_eq!(["/home/jo/.npm-global/bin/mmdc", "/home/jo/projects/acme/a1.py"].map(of_linux), [1, 1]);
    assert_eq!(["/home/jo/app/a1.py", "/home/jo/projects", "/home/deploy/projects/a1.py"].map(of_linux), [0, 0, 0]);
    // In a repository that is linked into a home they are that home's.
    let of_home = findings("missing-path", &[files[0], (".zshrc", "")], &[], &[], false);
    assert!(!of_home.is_empty() && of_home.iter().all(|finding| finding.level == Level::Info), "{of_home:?}");
    // What is handed out shows such paths; it means one that this repository has.
    let skill = format!("{SKILL}{text}");
    let found = findings("missing-path", &[("skills/x/SKILL.md", &*skill), ("tools/build.py", "")], &[], &[], false);
    assert!(found.iter().all(|finding| skill[finding.span.range()].ends_with("tools/build.py")), "{found:?}");
    assert!(!found.is_empty());
    assert_eq!(findings("missing-path", &[("CLAUDE.local.md", text), ("tools/build.py", "")], &[], &[], false), []);
}

#[test]
fn a_tree_of_which_most_files_are_there_means_the_others() {
    let tree = "```\nacme/\n├── src/\n│   ├── a1.ts\n│   ├── b1.ts\n│   ├── c1.ts\n│   ├── d1.ts\n│   ├── middle.ts\n│   └── data.json\n└── new/\n    └── x1.ts\n```\n";
    let files = ["src/a1.ts", "src/b1.ts", "src/c1.ts", "src/d1.ts"];
    assert_eq!(check("missing-path", tree, &files, &[]), ["warning middle.ts", "info data.json"]);
    assert_eq!(check("missing-path", tree, &files[..3], &[]), [""; 0]);
    let planned = format!("## Planned\n\n{tree}");
    assert_eq!(check("missing-path", &planned, &files, &[]), [""; 0]);
}

#[test]
fn an_example_of_a_command_does_not_deny_the_script() {
    let text = "Run the script:\n\n```bash\nbash scripts/add-key.sh A B\n```\n\n\
                Examples:\n```bash\nbash scripts/add-key.sh C D\n```\n";
    let past = [("scripts/add-key.sh", Past::Deleted)];
    assert_eq!(check("stale-command", text, &["src/a.rs"], &past), ["warning scripts/add-key.sh"]);
    let gone = text.replace("Examples:", "The script no longer exists:");
    assert_eq!(check("stale-command", &gone, &["src/a.rs"], &past), [""; 0]);
}

#[test]
fn a_path_that_climbs_is_exact() {
    let files = ["src/list/header/bar_header.dart", "src/view/header/shared/a.dart", "src/list/CLAUDE.md"];
    let at = |text: &str| check_at("missing-path", "src/view/header/shared/CLAUDE.md", text, &files, &[]);
    assert_eq!(at("- Platforms: `../bar_header.dart`\n"), ["warning ../bar_header.dart"]);
    assert_eq!(at("- Parent page: `../CLAUDE.md`\n"), ["warning ../CLAUDE.md"]);
    assert_eq!(at("- Platforms: `bar_header.dart`\n"), [""; 0]);
    assert_eq!(at("- Modules import `../bar_header.dart`\n"), [""; 0]);
    assert_eq!(at("- Caching with `cached` from `../bar_header.dart`\n"), [""; 0]);
}

#[test]
fn a_page_beside_is_looked_up_there() {
    let files = [".cursor/rules/style.mdc", "docs/INDEX.md"];
    let at = |path: &str, text: &str| check_at("missing-path", path, text, &files, &[]);
    let text =
        "Read `./INDEX.mdc` first.\n\n- **Swift**: follow `./style.mdc`.\n- **Other**: adhere to `./layers.mdc`.\n";
    assert_eq!(at(".cursor/rules/use.mdc", text), ["warning ./INDEX.mdc", "info ./layers.mdc"]);
    assert_eq!(at("CLAUDE.md", "See `./INDEX.md`.\n"), ["warning ./INDEX.md"]);
    assert_eq!(at("docs/CLAUDE.md", "See `./INDEX.md`. Create `./LOG.md`.\n"), [""; 0]);
}

#[test]
fn a_folder_spelt_nearly_like_one_beside_it_is_a_slip() {
    let files = ["pkg/control/validator/a.go", "pkg/types/types.go"];
    let text = "Use `pkg/control/validators`. The default is `pkg/types.DefaultInterval`. See `pkg/control/stores`.\n";
    let found = findings("missing-path", &[("AGENTS.md", text), (files[0], ""), (files[1], "")], &[], &[], false);
    let found = show(&found, text);
    let want = "warning pkg/control/validators unsafe pkg/control/validator";
    assert_eq!(found[0], want);
    let below = check_at("missing-path", "pkg/types/AGENTS.md", text, &files, &[]);
    assert_eq!(below[0], want);
    assert!(!found.iter().any(|line| line.contains("Default")), "{found:?}");
}

#[test]
fn what_is_used_instead_is_not_forbidden() {
    let files = ["pkg/control/validator/a.go"];
    let text = "**DO NOT** modify this package for:\n\n- Adding checks → Use `pkg/control/validators`\n";
    let found = |text: &str| check("missing-path", text, &files, &[]);
    assert_eq!(found(text), ["warning pkg/control/validators unsafe pkg/control/validator"]);
    assert_eq!(found(&text.replace("→ Use", "in")), [""; 0]);
}

#[test]
fn the_root_module_of_a_documentation_is_no_blank() {
    let text = "[a](../docs/modules/ROOT/pages/release.adoc) [b](../docs/FEATURE/pages/release.adoc)\n";
    let want = ["warning ../docs/modules/ROOT/pages/release.adoc"];
    assert_eq!(check_at("broken-link", ".github/prompts/x.prompt.md", text, &["docs/a.adoc"], &[]), want);
}

#[test]
fn a_file_in_the_folder_of_another_agent_is_offered() {
    let files = [".claude/skills/pack/tools/build.py", ".agents/skills/pack/tools/build.py", "src/a.py"];
    let text = "Run `python .codex/skills/pack/tools/build.py`. See `.codex/build.py`.\n";
    let want = ["warning .codex/skills/pack/tools/build.py unsafe .agents/skills/pack/tools/build.py"];
    assert_eq!(check("stale-command", text, &files, &[]), want);
}

#[test]
fn a_folder_counts_where_a_path_goes_on_with_a_blank() {
    let past = [("docs/old", Past::Deleted), ("src/gone", Past::Renamed("src/kept"))];
    let files = ["src/kept/a.ts", "docs/new/a.md"];
    let text = "Decisions are in `docs/old/<name>.md`, code in `src/gone/**/*.ts`. See `docs/new/{topic}.md`.\n";
    assert_eq!(check("stale-path", text, &files, &past), ["warning docs/old", "warning src/gone safe src/kept"]);
    assert_eq!(check("stale-path", "Save the notes as `docs/old/<name>.md`.\n", &files, &past), [""; 0]);
    // A skill says where its users keep something.
    let skill = format!("{SKILL}Decisions are in `docs/old/<name>.md`.\n");
    assert_eq!(check_at("stale-path", ".claude/skills/x/SKILL.md", &skill, &files, &past), ["info docs/old"]);
}

#[test]
fn folders_and_names_in_plain_words_are_looked_up() {
    let past = [("apps/docs", Past::Deleted), ("GUIDE_LINES.md", Past::Deleted), ("read/write", Past::Deleted)];
    let files = ["apps/web/a.ts", "src/a.ts", "src/b.ts"];
    let text = "## Documentation (apps/docs)\n\n- GUIDE_LINES.md - how to write, read/write or not\n\nA GUIDE_LINES.md of yours.\n";
    assert_eq!(check("stale-path", text, &files, &past), ["warning apps/docs", "error GUIDE_LINES.md"]);
    let tree = "```\nsrc/\n├── a.ts\n└── b.ts\nGUIDE_LINES.md    # rules\nREADME.md\n```\n";
    assert_eq!(check("stale-path", tree, &files, &past), ["error GUIDE_LINES.md"]);
    let list = "```\nGUIDE_LINES.md    rules\nrequirements.txt  Python\n```\n";
    let past = [past[1], ("requirements.txt", Past::Deleted)];
    assert_eq!(check("stale-path", list, &files, &past), ["error GUIDE_LINES.md"]);
}

#[test]
fn a_folder_beside_folders_that_are_there_is_meant() {
    let files = ["src/features/cart/a.ts", "src/features/pay/a.ts", "src/features/mail/a.ts"];
    let rows = "| Part | Folder |\n| --- | --- |\n| A | `src/features/cart/` |\n| B | `src/features/pay/` |\n";
    let text = format!("{rows}| C | `src/features/mail/` |\n| D | `src/features/otel/` |\n");
    assert_eq!(check("missing-path", &text, &files, &[]), ["warning src/features/otel"]);
    // Two names may not be the whole list, and tell nothing of where something is to be put.
    let text = format!("{rows}| D | `src/features/otel/` |\n").replace("| Part |", "| Belongs |");
    assert_eq!(check("missing-path", &text, &files, &[]), [""; 0]);
    assert_eq!(check("missing-path", "Add `src/features/otel/`.\n", &files, &[]), [""; 0]);
}

#[test]
fn links_to_one_machine_lead_nowhere() {
    let text = "[a](file:///Users/jo/app/src/a.ts) [b](/C:/work/app/src/b.ts) [c](file:///Users/you/x.md) [d](</C:/path/to/x.ts>) [e](/mnt/c/work/b.ts) [f](/mnt/data/b.ts)\n";
    let files = ["src/a.ts"];
    let want = ["warning file:///Users/jo/app/src/a.ts", "warning /C:/work/app/src/b.ts", "warning /mnt/c/work/b.ts"];
    assert_eq!(check("broken-link", text, &files, &[]), want);
}

#[test]
fn services_features_and_modules_are_looked_up() {
    let text = "`docker compose up -d web cache` `cargo test --features fast,slow` `python -m app.jobs.run` `python -m app.main` `npx turbo run ship`\n\n\
                `docker compose -f other.yml up x1` `docker run cache` `cargo test --all-features` `cargo add x --features y1` `python -m pytest.x`\n";
    let files = [
        ("AGENTS.md", text),
        ("docker-compose.yml", "services:\n  web:\n    image: x\n"),
        ("Cargo.toml", "[package]\nname = 'a'\n[features]\nfast = []\n"),
        ("app/main.py", ""),
        ("package.json", "{\"scripts\":{\"build\":\"x\"}}"),
    ];
    let want = ["warning cache", "warning slow", "warning app.jobs.run", "warning ship"];
    assert_eq!(show(&findings("stale-command", &files, &[], &[], true), text), want);
}

#[test]
fn a_prompt_shows_what_other_projects_look_like() {
    let text = "---\nname: x\ndescription: y\n---\nExtract the entities → `data-model.md`. Read `flow-model.md`.\n\n\
                ```\nacme/\n├── src/\n│   └── a.ts\n└── GUIDE.md\n```\n\n[next](./02-next.md) [guide](../GUIDE.md)\n[other](../../skills/planner/SKILL.md)\n";
    let past = [("data-model.md", Past::Deleted), ("flow-model.md", Past::Deleted), ("GUIDE.md", Past::Deleted)];
    let levels = |rule: &str, path: &str| check_at(rule, path, text, &["src/a.ts"], &past);
    let want = ["info data-model.md", "error flow-model.md", "info GUIDE.md"];
    assert_eq!(levels("stale-path", ".claude/commands/x.md"), want);
    let want = ["error data-model.md", "error flow-model.md", "error GUIDE.md"];
    assert_eq!(levels("stale-path", "AGENTS.md"), want);
    // A link that climbs to another folder is no part of what the text shows.
    let want = ["info ./02-next.md", "info ../GUIDE.md", "warning ../../skills/planner/SKILL.md"];
    assert_eq!(levels("broken-link", ".claude/agents/x.md"), want);
    let want = ["warning ./02-next.md", "error ../GUIDE.md", "warning ../../skills/planner/SKILL.md"];
    assert_eq!(levels("broken-link", "docs/AGENTS.md"), want);
}

#[test]
fn a_database_is_made_where_it_is_used() {
    let past = [("app/data/store.db", Past::Deleted), ("app/data/seed.sql", Past::Deleted)];
    let text = "The rows are in `store.db`, from `seed.sql`.\n";
    assert_eq!(check("stale-path", text, &["app/a.py"], &past), ["warning seed.sql"]);
}

#[test]
fn who_is_sent_to_a_file_of_a_folder_that_is_there_believes_in_it() {
    let text = "See `guides/setup1.md`. Details are in `guides/more1.md`; run `tools/check1.sh` first. It starts Node to run `app-dist/cli1.js` and `tools/other1.js`.\n\n\
                Notes may go to `guides/log1.md`. For example, see `guides/x1.md`. `other/y1.md` and `and/or1.md`.\n";
    let want = ["warning guides/setup1.md", "warning guides/more1.md", "warning tools/check1.sh"];
    let found = check("missing-path", text, &["guides/a.md", "tools/a.sh"], &[]);
    assert_eq!(found[..3], want);
    assert_eq!(found[3..], ["warning tools/other1.js", "info guides/log1.md"]);
    // Without its folder it may be one that the reader is to make.
    let infos = want.map(|line| line.replace("warning", "info"));
    assert_eq!(check("missing-path", text, &["src/a.rs"], &[]), infos);
    let skill = format!("---\nname: x\ndescription: y\n---\n{text}");
    assert_eq!(check_at("missing-path", ".claude/skills/x/SKILL.md", &skill, &["src/a.rs"], &[]), [""; 0]);
}

#[test]
fn a_command_is_looked_up_behind_what_prepares_for_it() {
    let text = "`mise exec -- npm run gone1` `doppler run --config dev -- pnpm run gone2` `nix develop -c make gone3` `time make gone4`\n\n\
                `mise exec -- npm run build` `dotenv -- node x1.js` `mise exec node@20` `docker run x npm run gone5` `mise x -- npm install`\n";
    let files =
        [("AGENTS.md", text), ("package.json", "{\"scripts\":{\"build\":\"x\"}}"), ("Makefile", "all:\n\techo\n")];
    let want = ["warning gone1", "warning gone2", "warning gone3", "warning gone4"];
    assert_eq!(show(&findings("stale-command", &files, &[], &[], true), text), want);
}

#[test]
fn a_path_below_a_folder_beside_the_text_is_no_abbreviation() {
    let files = ["packages/bot/src/main1.ts", "packages/core/src/parser.ts", "packages/core/src/types1.ts"];
    let text = "- `src/main1.ts`: entry\n- `src/parser.ts`: parser\n";
    let want = ["warning src/parser.ts unsafe ../core/src/parser.ts"];
    let found = check_at("missing-path", "packages/bot/CLAUDE.md", text, &files, &[]);
    assert!(found.len() == 1 && found[0].starts_with("warning src/parser.ts"), "{found:?} {want:?}");
    // From the root it may be.
    let found = check_at("missing-path", "CLAUDE.md", text, &[&files[..], &["src/x.ts"]].concat(), &[]);
    assert_eq!(found, [""; 0]);
    // A skill names pages of others.
    let skill = "---\nname: a\ndescription: b\n---\n- `references/core-map.md`\n";
    let files = [".claude/skills/a/references/own.md", ".claude/skills/c/references/core-map.md"];
    assert_eq!(check_at("missing-path", ".claude/skills/a/SKILL.md", skill, &files, &[]), [""; 0]);
}

#[test]
fn a_deep_path_is_of_this_repository_though_the_text_hedges() {
    let text =
        "---\nname: x\ndescription: y\n---\n## Example\n\nIt says `app/core/api/client.py` and `core/client.py`.\n";
    let past = [("app/core/api/client.py", Past::Deleted), ("core/client.py", Past::Deleted)];
    let want = ["warning app/core/api/client.py", "info core/client.py"];
    assert_eq!(check_at("stale-path", ".claude/agents/x.md", text, &["app/core/x.py"], &past), want);
}

#[test]
fn a_word_with_a_slash_is_a_folder_where_something_is_taken_from_it() {
    let past = [("replies", Past::Deleted), ("answers", Past::Deleted), ("logs", Past::Deleted)];
    let text =
        "Load a reply from `replies/` directory. Put it into the `answers/` directory. Read from `logs/` directory.\n";
    assert_eq!(check("stale-path", text, &["a.py"], &past), ["warning replies", "info answers", "info logs"]);
}

#[test]
fn files_of_one_name_that_went_together_are_meant() {
    let past = [("old/devvit.yaml", Past::Deleted), ("new/devvit.yaml", Past::Deleted)];
    assert_eq!(check("stale-path", "Register it in `devvit.yaml`.\n", &["new/a.ts"], &past), ["warning devvit.yaml"]);
    let past = [("old/devvit.yaml", Past::Deleted), ("new/devvit.yaml", Past::Renamed("new/x.yaml"))];
    assert_eq!(check("stale-path", "Register it in `devvit.yaml`.\n", &["new/x.yaml"], &past), [""; 0]);
}

#[test]
fn a_file_beside_the_old_one_that_ends_otherwise_is_told() {
    let past = [("Core.sln", Past::Deleted)];
    let files = [("AGENTS.md", "Open `Core.sln`.\n"), ("Core.slnx", "")];
    let found = findings("stale-path", &files, &past, &[], true);
    assert!(found[0].help.as_deref().is_some_and(|help| help.contains("Core.slnx")), "{found:?}");
}

#[test]
fn an_ignored_file_may_be_named_without_its_folder() {
    let past = [("deploy/allowed-hosts.conf", Past::Deleted)];
    let text = "An entry in `allowed-hosts.conf` per host.\n";
    let files = [("AGENTS.md", text), ("deploy/a.sh", ""), (".gitignore", "# made\n/deploy/allowed-hosts.conf\n")];
    assert_eq!(findings("stale-path", &files, &past, &[], true), []);
    let files = [("AGENTS.md", text), ("deploy/a.sh", ""), (".gitignore", "deploy/*.log\n")];
    assert_eq!(findings("stale-path", &files, &past, &[], true).len(), 1);
}

#[test]
fn a_drawing_that_counts_files_shows_samples() {
    let tree = |names: [&str; 2]| {
        format!("```\nwork/\n├── a.ts\n├── b.ts\n├── c.ts\n├── d.ts\n├── {}\n└── {}\n```\n", names[0], names[1])
    };
    let files = ["work/a.ts", "work/b.ts", "work/c.ts", "work/d.ts"];
    assert_eq!(check("missing-path", &tree(["task-1.md", "task-2.md"]), &files, &[]), [""; 0]);
    assert_eq!(check("missing-path", &tree(["task-1.md", "plan.ts"]), &files, &[]).len(), 2);
}

#[test]
fn a_drawing_of_folders_means_those_that_are_not_there() {
    let tree = "```\napp/\n├── api/\n├── core/\n├── jobs/\n├── views/\n├── data/\n└── policies/\n```\n";
    let files = ["app/api/a.rb", "app/core/a.rb", "app/jobs/a.rb", "app/views/a.rb", "app/data/a.rb"];
    let found = check("missing-path", tree, &files, &[]);
    assert_eq!(found, ["warning policies/"]);
    assert_eq!(check("missing-path", tree, &files[..3], &[]), [""; 0]);
}

#[test]
fn what_a_line_says_of_a_command_counts() {
    let files = [("package.json", "{\"scripts\":{\"build\":\"x\"}}")];
    let text = "```sh\nnpm run typecheck  # If configured\nnpm run lint  # Style\n```\n";
    let all = [&files[..], &[("AGENTS.md", text)]].concat();
    assert_eq!(show(&findings("stale-command", &all, &[], &[], true), text), ["warning lint"]);
}

#[test]
fn the_very_spelling_elsewhere_is_meant() {
    let files = ["docs/roadmap.md", "packages/site/docs/ROADMAP.md"];
    assert_eq!(check("wrong-case-path", "See `docs/ROADMAP.md`.\n", &files, &[]), [""; 0]);
    let want = ["warning docs/ROADMAP.md safe docs/roadmap.md"];
    assert_eq!(check("wrong-case-path", "See `docs/ROADMAP.md`.\n", &files[..1], &[]), want);
}

#[test]
fn the_answer_that_a_prompt_quotes_links_files_to_be_made() {
    let skill = "---\nname: a\ndescription: b\n---\n> Saved:\n> - [User1.md](User1.md)\n\n[own](own1.md)\n";
    let found = check_at("broken-link", "skills/a/SKILL.md", skill, &["skills/a/x.md"], &[]);
    assert_eq!(found, ["warning own1.md"]);
    // A note sends its reader somewhere.
    let note = "---\nname: a\ndescription: b\n---\n> It was a stub.\n> See [the rows](rows1.md).\n> I wrote [the other](rows2.md).\n";
    let found = check_at("broken-link", "skills/a/SKILL.md", note, &["skills/a/x.md"], &[]);
    assert_eq!(found, ["warning rows1.md"]);
}

#[test]
fn a_page_that_was_put_together_has_one_cause() {
    let page = "[a](./async-defer.md) [b](./server-hoist.md) [c](./client-cache.md)\n";
    let files = [(".agents/skills/x/SKILL.md", SKILL), (".agents/skills/x/AGENTS.md", page), ("AGENTS.md", "x\n")];
    let rules = [(".agents/skills/x/rules/async-defer.md", ""), (".agents/skills/x/rules/server-hoist.md", "")];
    let found = findings("broken-link", &[&files[..], &rules].concat(), &[], &[], false);
    let keys: Vec<&str> = found.iter().map(|finding| finding.cause.as_ref().unwrap().key.as_str()).collect();
    assert_eq!(keys.iter().filter(|key| **key == "page .agents/skills/x/AGENTS.md").count(), 2, "{found:#?}");
}
