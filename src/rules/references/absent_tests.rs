//! Paths that are not there, by example: in drawings, lines of files and skills, and slips of the hand.

use super::testing::{Past, check, findings, missing, show, warnings};

#[test]
fn a_deleted_hint_file_of_a_folder_is_told_although_a_script_writes_others() {
    let past = [("crates/rows/AGENTS.md", Past::Deleted)];
    let files = [
        ("crates/cells/AGENTS.md", "x\n"),
        ("scripts/make.py", "open('AGENTS.md', 'w').write(text)\nopen('rows.md', 'w').write(text)\n"),
    ];
    let text = "- `crates/cells/AGENTS.md` - cells\n- `crates/rows/AGENTS.md` - rows\n";
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files, &past), ["error crates/rows/AGENTS.md"]);
    let written = "Read `crates/rows/rows.md`.\n";
    assert_eq!(
        warnings("stale-path", "AGENTS.md", written, &files, &[("crates/rows/rows.md", Past::Deleted)]),
        [""; 0]
    );
}

#[test]
fn a_file_of_the_root_is_named_from_a_folder_that_has_such_a_folder() {
    let past = [("lib/src/rows.dart", Past::Deleted)];
    let files = [("tool/lib/cells.dart", ""), ("lib/main.dart", "")];
    let text = "The app has its own in `lib/src/rows.dart`.\n";
    let at = "tool/bin/AGENTS.md";
    assert_eq!(warnings("stale-path", at, text, &files, &past), ["error lib/src/rows.dart"]);
    assert_eq!(warnings("missing-path", at, text, &files, &past), [""; 0]);
    // What was renamed may be another file of the same path.
    let renamed = [("lib/src/rows.dart", Past::Renamed("lib/src/lines.dart"))];
    assert_eq!(warnings("stale-path", at, text, &files, &renamed), [""; 0]);
    assert_eq!(warnings("stale-path", at, text, &files, &[]), [""; 0]);
}

#[test]
fn a_drawing_of_what_was_there_is_told_by_its_past() {
    let past = [("docs/cli", Past::Deleted), ("docs/client", Past::Deleted)];
    let files = [("docs/reference/a1.md", "")];
    let text = "```\ndocs/\n├── cli/\n│   ├── cli.md\n│   └── deploy.md\n└── client/\n    └── api.md\n```\n";
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files, &past).len(), 2);
    assert_eq!(warnings("stale-path", "AGENTS.md", text, &files, &[]), [""; 0]);
    assert_eq!(warnings("missing-path", "AGENTS.md", text, &files, &[]), [""; 0]);
    let skill = format!("---\nname: x\ndescription: y\n---\n{text}");
    assert_eq!(warnings("stale-path", ".claude/skills/x/SKILL.md", &skill, &files, &past), [""; 0]);
}

#[test]
fn a_script_is_spelt_with_other_dashes() {
    let files = ["scripts/check-release.sh"];
    let text = "### `check_release.sh`\n\nRun it.\n";
    assert_eq!(missing("AGENTS.md", text, &files), ["warning check_release.sh unsafe scripts/check-release.sh"]);
    for other in ["`check_releases.sh`\n", "`check_release.toml`\n", "Add a `check_release.sh`.\n"] {
        assert_eq!(missing("AGENTS.md", other, &files), [""; 0], "{other}");
    }
    let two = [files[0], "web/check-release.sh"];
    assert_eq!(missing("AGENTS.md", text, &two), [""; 0]);
    assert_eq!(missing("web/AGENTS.md", text, &two).len(), 1);
}

#[test]
fn a_link_counts_from_the_folder_of_its_file() {
    let files = [("docs/guide.md", "# A\n"), ("README.md", "x\n"), ("web/src/a1.ts", "")];
    let found = |at: &str, text: &str| warnings("broken-link", at, text, &files, &[]);
    let text = "[a](docs/guide.md#a) [b](README.md)\n";
    let want = ["warning docs/guide.md unsafe ../docs/guide.md", "warning README.md unsafe ../README.md"];
    assert_eq!(found(".claude/CLAUDE.md", text), want);
    assert_eq!(found(".github/copilot-instructions.md", text).len(), 2);
    assert_eq!(found("CLAUDE.md", text), [""; 0]);
    let right = "[a](../docs/guide.md) [b](/README.md) `docs/guide.md` <a href=\"README.md\">b</a>\n";
    assert_eq!(found(".claude/CLAUDE.md", right), [""; 0]);
    // What an editor reads it may seek from the root, and a prompt is read there.
    assert_eq!(found(".cursor/rules/a.mdc", &format!("---\nalwaysApply: true\n---\n{text}")), [""; 0]);
    assert_eq!(found(".claude/commands/a.md", text), [""; 0]);
}

#[test]
fn a_folder_is_taken_for_the_one_beside_it() {
    let files = ["include/acme/rooms/row_policy.hpp", "include/acme/events/cell.hpp"];
    let text = "| Rows | `events/row_policy.hpp` |\n| Cells | `events/cell.hpp` |\n";
    let want = ["warning events/row_policy.hpp unsafe include/acme/rooms/row_policy.hpp"];
    assert_eq!(missing("AGENTS.md", text, &files), want);
    assert_eq!(missing("AGENTS.md", text, &[&files[..], &["src/rooms/row_policy.hpp"]].concat()), [""; 0]);
    assert_eq!(missing("AGENTS.md", &text.replace("events/row", "places/row"), &files), [""; 0]);
    let tests = ["include/acme/rooms/row_policy.py", "include/acme/tests/cell.py"];
    assert_eq!(missing("AGENTS.md", "Rows: `tests/row_policy.py`.\n", &tests), [""; 0]);
}

#[test]
fn the_name_of_an_agents_folder_is_misspelt() {
    let files = [".cursor/rules/a.mdc", ".claude/agents/judge.md"];
    let found = |text: &str| missing("AGENTS.md", text, &files);
    assert_eq!(found("Rules are in `.cusor/rules`.\n"), ["warning .cusor/rules unsafe .cursor/rules"]);
    assert_eq!(
        found("See `.claud/agents/judge.md`.\n"),
        ["warning .claud/agents/judge.md unsafe .claude/agents/judge.md"]
    );
    for other in ["Rules are in `.cusor/commands`.\n", "Rules are in `.codex/rules`.\n"] {
        assert_eq!(found(other), [""; 0], "{other}");
    }
}

#[test]
fn a_skill_links_a_folder_of_its_own_that_git_ignores() {
    let text = "---\nname: x\ndescription: y\n---\n[a](references/rows.md) [b](notes/cells.md) `references/lines.md`\n";
    let files = [("skills/x/SKILL.md", text), ("a.md", "")];
    let ignored = ["skills/x/references", "skills/references", "references", "skills/x/notes"];
    let found = findings("broken-link", &files, &[], &ignored, false);
    assert_eq!(show(&found, text), ["warning references/rows.md"]);
}

#[test]
fn a_file_that_an_ignore_file_of_its_folder_names_is_made() {
    let text = "Run it with `rows.bin.json` beside it.\n";
    let past = [("gen/rows.bin.json", Past::Deleted)];
    let found = |ignored: &str| {
        warnings("stale-path", "AGENTS.md", text, &[("gen/.gitignore", ignored), ("gen/make.py", "")], &past)
    };
    assert_eq!(found("rows.bin.json\n"), [""; 0]);
    assert_eq!(found("cells.bin.json\n").len(), 1);
}

#[test]
fn paths_that_one_move_explains_have_one_cause() {
    let files = [".kit/docs/a1.md", ".kit/docs/b1.md", "lib/docs/c1.md"].map(|file| (file, ""));
    let text = "Read `own/docs/a1.md` and `own/docs/b1.md`, then `own/docs/c1.md`.\n";
    let all = [&[("AGENTS.md", text)], &files[..]].concat();
    let found = findings("missing-path", &all, &[], &[], true);
    let keys: Vec<&str> = found.iter().filter_map(|finding| Some(finding.cause.as_ref()?.key.as_str())).collect();
    assert_eq!(keys, ["way own .kit", "way own .kit", "way own lib"], "{found:#?}");
}

#[test]
fn a_link_that_is_a_whole_code_span_counts_behind_its_prefix() {
    let text = "As in `[a](mdc:.cursor/rules/a1.mdc)` and `[b](docs/b1.md)`, `x [c](mdc:c1.mdc)`.\n";
    let found = findings("broken-link", &[(".cursor/rules/x.mdc", text)], &[], &[], false);
    assert_eq!(show(&found, text), ["warning .cursor/rules/a1.mdc"]);
}

#[test]
fn what_is_planned_or_made_from_a_template_is_no_slip() {
    let level = |text: &str, files: &[&str]| {
        check("missing-path", text, files, &[])
            .iter()
            .map(|line| line.split(' ').next().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let text = "The chat is `src/components/RowChat.vue`.\n";
    assert_eq!(level(text, &["src/components/a1.vue"]), ["warning"]);
    assert_eq!(level(&format!("{text}\n- [ ] `RowChat` component\n"), &["src/components/a1.vue"]), ["info"]);
    assert_eq!(level(&format!("{text}\n- [ ] `RowChats` component\n"), &["src/components/a1.vue"]), ["warning"]);
    let files = ["src/components/a1.vue", "templates/components/RowChat.vue.tmpl"];
    assert_eq!(level(text, &files), [""; 0]);
    assert_eq!(level(text, &[files[0], "templates/other/RowChat.vue.tmpl"]), ["warning"]);
}

#[test]
fn what_lay_in_a_submodule_is_of_another_repository() {
    let text = "Read `libs/kit/src/rows.ts`, run `bash libs/kit/run.sh`, see [cells](libs/kit/docs/cells.md).\nSee `libs/kit/src/core/`.\n";
    let files = [("libs/own/a1.ts", ""), ("src/a2.ts", "")];
    let all = |past: &[(&str, Past<'_>)]| {
        let of = |rule: &&str| warnings(rule, "AGENTS.md", text, &files, past);
        ["missing-path", "stale-path", "stale-command", "broken-link"].iter().flat_map(of).collect::<Vec<_>>()
    };
    assert_eq!(all(&[("libs/kit", Past::Submodule)]), [""; 0]);
    let want = ["libs/kit/src/rows.ts", "libs/kit/src/core", "libs/kit/run.sh", "libs/kit/docs/cells.md"];
    assert_eq!(all(&[("libs/kit", Past::Deleted)]), want.map(|path| format!("warning {path}")));
    // A file that this repository had itself is missed, whatever came after it.
    let past = [("libs/kit", Past::Submodule), ("libs/kit/src/rows.ts", Past::Deleted)];
    assert_eq!(all(&past), ["error libs/kit/src/rows.ts"]);
    // The folder itself was of this repository.
    let folder = "The kit lies in `libs/kit/`.\n";
    assert_eq!(
        warnings("stale-path", "AGENTS.md", folder, &files, &[("libs/kit", Past::Submodule)]),
        ["warning libs/kit"]
    );
}

#[test]
fn what_is_planned_served_or_a_blank_is_no_path() {
    let files = ["src/core/a1.ts", "shop/urls.py", "shop/views/a1.py", ".claude/memory/a1.md", ".claude/rules/a1.md"];
    let list = "- `src/core/a1.ts`: a\n- `src/core/b1.ts`: b\n";
    assert_eq!(missing("AGENTS.md", list, &files), ["warning src/core/b1.ts"]);
    for heading in ["建议新增文件", "Stack C (향후)", "今後の予定"] {
        assert_eq!(missing("AGENTS.md", &format!("## {heading}\n{list}"), &files), [""; 0], "{heading}");
    }
    for text in [
        "Sign up at `/shop/seller-setup/`, see `/shop/views/`.\n",
        "- `src/core/`: a\n- `src/[app-name]/`: b\n- `shop/views/`: c\n",
        "Insights go to:\n\n- `.claude/memory/b1.md` - all\n- `.claude/memory/a1.md` - some\n",
        "Servers do not need `src/core/b1.ts`.\n",
        "The `src/core/b1.ts` and `src/core/c1.ts` of older docs were never shipped.\n",
        "- `src/core/b1.ts` (in design) and `src/core/a1.ts`\n",
        "- `src/core/b1.ts` — if added, it imports `src/core/a1.ts`\n",
        "The file is `src/core/a1.ts`, **not** `src/core/b1.ts`.\n",
        "1. Create handler in `src/core/b1.ts`, as in `src/core/a1.ts`\n",
        "Read `src/[feature]/b1.ts` of the feature, and `src/core/a1.ts`.\n",
    ] {
        assert_eq!(missing("AGENTS.md", text, &files), [""; 0], "{text}");
    }
    assert_eq!(missing("AGENTS.md", "See `.claude/rules/b1.md`.\n", &files), ["warning .claude/rules/b1.md"]);
}

#[test]
fn what_each_user_makes_and_what_an_installer_brings_is_missed_by_nobody() {
    let past = [("conf/config.yaml", Past::Deleted), ("src/tests", Past::Deleted), ("src/rows", Past::Deleted)];
    let of = |text: &str, files: &[(&str, &str)]| warnings("stale-path", "AGENTS.md", text, files, &past);
    let text = "| `conf/config.yaml` | settings |\n";
    assert_eq!(of(text, &[]), ["error conf/config.yaml"]);
    assert_eq!(of(text, &[("conf/config.example.yaml", "")]), [""; 0]);
    assert_eq!(of("When adding tests: Rust tests go in `src/tests/`.\n", &[]), [""; 0]);
    assert_eq!(of("Rows are in `src/rows/`.\n", &[]), ["warning src/rows"]);
    let skill = "---\nname: x1\ndescription: y\n---\n\nRead `${CLAUDE_SKILL_DIR}/references/rows.md` first.\n";
    let at = |files: &[(&str, &str)]| warnings("missing-path", "ext/skills/x1/SKILL.md", skill, files, &[]);
    assert_eq!(at(&[("ext/references/cells.md", "")]).len(), 1);
    assert_eq!(at(&[("ext/references/rows.md", "")]), [""; 0]);
}

#[test]
fn commands_of_any_project_run_no_script_of_the_skill() {
    let skill = |more: &str| {
        format!("---\nname: x1\ndescription: y\n---\n\n```bash\npython scripts/train.py --rows 3\n{more}```\n")
    };
    let files = [(".claude/skills/x1/scripts/rows.py", "")];
    let at = |more: &str| warnings("stale-command", ".claude/skills/x1/SKILL.md", &skill(more), &files, &[]);
    assert_eq!(at(""), ["warning scripts/train.py"]);
    assert_eq!(at("pytest tests/unit/a1.py\nkubectl apply -f k8s/rows.yaml\n"), [""; 0]);
}

#[test]
fn one_persons_machines_have_their_paths() {
    let text = "Edit `/Users/jo/src/nix/docs/rows.md`.\n";
    let of = |files: &[(&str, &str)]| warnings("missing-path", "AGENTS.md", text, files, &[]);
    assert_eq!(of(&[("flake.nix", ""), ("lib/a1.nix", "")]).len(), 1);
    assert_eq!(of(&[("flake.nix", ""), ("hosts/a1.nix", "")]), [""; 0]);
}
