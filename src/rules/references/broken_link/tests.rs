//! Links that lead nowhere, out of the repository, or to no heading.

use super::INFO;
use crate::base::finding::Level;
use crate::rules::references::testing::{Past, check, check_at, findings, show, warnings};

#[test]
fn links_of_every_kind_are_followed() {
    let files = ["docs/a b.md", "docs/c.md", "img.png", "src/x.rs"];
    let text = "[ok](docs/a%20b.md) [ok](<docs/a b.md> \"t\") [ok](docs) [ok](/docs/c.md?plain=1) [ok](mdc:src/x.rs) [ok](docs/c)\n\
                [no](docs/n.md \"t\") ![no](none.png) [r] [no](mdc:src/gone.rs) [no](<docs/n o.md>) <img src=\"n.svg\">\n\n[r]: ./ref.md 'T'\n";
    let want = [
        "warning docs/n.md",
        "warning none.png",
        "warning src/gone.rs",
        "warning docs/n o.md",
        "warning n.svg",
        "warning ./ref.md",
    ];
    assert_eq!(check(INFO.name, text, &files, &[]), want);
}

#[test]
fn a_skill_that_was_taken_over_links_its_origin() {
    let skill = |link: &str| format!("---\nname: x\ndescription: y\n---\n[t]({link})\n");
    let told = |path: &str, link: &str| check_at(INFO.name, path, &skill(link), &["docs/a1.md"], &[]);
    let (mine, handed_out) = (".claude/skills/x/SKILL.md", "skills/x/SKILL.md");
    assert_eq!(told(mine, "../../site/css/b1.md"), ["info ../../site/css/b1.md"]);
    // A folder of this repository, a page of the skill, a skill that is written here.
    assert_eq!(told(mine, "../../docs/b1.md"), ["warning ../../docs/b1.md"]);
    assert_eq!(told(mine, "references/b1.md"), ["warning references/b1.md"]);
    assert_eq!(told(handed_out, "../../site/css/b1.md"), ["warning ../../site/css/b1.md"]);
}

#[test]
fn history_makes_it_an_error_and_renames_are_fixes() {
    let past = [
        ("docs/old.md", Past::Renamed("guide/new one.md")),
        ("docs/changed.md", Past::RenamedAndChanged("docs/now.md")),
        ("docs/gone", Past::Deleted),
        ("docs/dim.md", Past::Unknown),
    ];
    let text =
        "[a](../docs/old.md#x) [b](../docs/gone) [c](../docs/changed.md) [d](../docs/dim.md) [e](<../docs/old.md>)\n";
    let want = [
        "error ../docs/old.md safe ../guide/new%20one.md",
        "error ../docs/gone",
        "error ../docs/changed.md unsafe ../docs/now.md",
        "warning ../docs/dim.md",
        "error ../docs/old.md safe ../guide/new one.md",
    ];
    assert_eq!(check_at(INFO.name, ".github/copilot-instructions.md", text, &["docs/now.md"], &past), want);
}

#[test]
fn anchors_are_looked_up_in_this_file_and_in_others() {
    let readme = "# The Title\n\n## Twice\n\n## Twice\n";
    let text = "# Öfter & mehr\n\n## Own {#own-id}\n\n<a id=\"html\"></a>\n\n\
                [1](#öfter--mehr) [2](#own-id) [3](#html) [4](README.md#twice-1) [5](README.md#The-Title) [6](x.rs#L3) [7](#top)\n\n\
                [8](#ofter) [9](README.md#twice-2) [10](README.md#the-titel)\n";
    let files = [("AGENTS.md", text), ("README.md", readme), ("x.rs", "")];
    let want = ["warning ofter", "warning twice-2 unsafe twice-1", "warning the-titel unsafe the-title"];
    assert_eq!(show(&findings(INFO.name, &files, &[], &[], true), text), want);
}

#[test]
fn an_address_behind_mdc_is_no_path() {
    let text = "[a](mdc:https:/docs.acme.dev/x) [b](mdc:docs/a.md) `[c](mdc:docs/a.md)` `[d](docs/no.md)`\n";
    let want = ["warning mdc:https:/docs.acme.dev/x unsafe https://docs.acme.dev/x"];
    assert_eq!(check(INFO.name, text, &["docs/a.md"], &[]), want);
}

#[test]
fn a_skill_that_is_handed_out_answers_for_its_own_files() {
    let skill = "---\nname: x\ndescription: y\n---\n## Steps\n\n[a](references/none.md) [b](./gone.md) [c](FORMS.md) [d](#nope) [e](../other/SKILL.md)\n\
                 [f](src/app.ts) [g](docs/guide.md) [h](CONTRIBUTING.md) [i](../../README.md) [j](references/api.md#nope) [k](#steps) [l](/x/y.md)\n";
    let page = "# API\n\n[a](more.md) [b](../SKILL.md#steps) [c](../SKILL.md#none) [d](references/api.md) `src/old.rs` `npm run gone`\n";
    let files = [
        ("skills/x/SKILL.md", skill),
        ("skills/x/references/api.md", page),
        ("package.json", "{\"scripts\":{\"a\":\"\"}}"),
    ];
    let past = [("skills/x/gone.md", Past::Deleted), ("src/old.rs", Past::Deleted)];
    let found = findings(INFO.name, &files, &past, &[], false);
    let of = |path: &str, text: &str| -> Vec<String> {
        let own: Vec<_> = found.iter().filter(|finding| finding.path == path.into()).cloned().collect();
        show(&own, text)
    };
    let want = [
        "warning references/none.md",
        "error ./gone.md",
        "warning FORMS.md",
        "warning nope",
        "warning ../other/SKILL.md",
        "warning nope",
    ];
    assert_eq!(of("skills/x/SKILL.md", skill), want);
    assert_eq!(of("skills/x/references/api.md", page), ["warning more.md", "warning none"]);
    for rule in ["stale-path", "stale-command"] {
        assert_eq!(findings(rule, &files, &past, &[], false), [], "{rule}");
    }
}

#[test]
fn a_slash_before_a_folder_of_the_skill_leads_to_nothing() {
    let skill =
        "---\nname: x\ndescription: y\n---\n[a](/references/none.md) [b](/references/api.md) [c](/x/y.md) [d](/docs)\n";
    let files = [("skills/x/SKILL.md", skill), ("skills/x/references/api.md", "x")];
    let found = findings(INFO.name, &files, &[], &[], false);
    let want = ["warning references/none.md", "warning references/api.md"];
    assert_eq!(show(&found, skill), want);
}

#[test]
fn pages_and_hint_files_of_a_skill_are_held_to_their_folder() {
    let skill = "---\nname: x\ndescription: y\n---\n[a](fix.md)\n";
    let page = "[a](../../reference/testing.md) [b](docs/imagined.md) `src/old.rs` `old.rs` `src/kept.rs`\n";
    let hints = "[a](./defer.md) [b](rules/defer.md) [c](src/app.ts)\n";
    let files = [
        (".agents/skills/x/SKILL.md", skill),
        (".agents/skills/x/fix.md", page),
        ("skills/y/SKILL.md", skill),
        ("skills/y/fix.md", page),
        ("skills/y/AGENTS.md", hints),
        ("skills/y/rules/defer.md", "x"),
        ("src/kept.rs", ""),
    ];
    let past = [("src/old.rs", Past::Deleted), ("lib/src/old.rs", Past::Deleted)];
    let found = |rule: &str, path: &str, text: &str| -> Vec<String> {
        let mut all = findings(rule, &files, &past, &[], false);
        all.retain(|finding| finding.path == path.into());
        show(&all, text)
    };
    assert_eq!(found(INFO.name, ".agents/skills/x/fix.md", page), ["warning ../../reference/testing.md"]);
    assert_eq!(found("stale-path", ".agents/skills/x/fix.md", page), ["error src/old.rs"]);
    assert_eq!(found(INFO.name, "skills/y/AGENTS.md", hints), ["warning ./defer.md unsafe ./rules/defer.md"]);
    assert_eq!(found("stale-path", "skills/y/fix.md", page), [""; 0]);
}

#[test]
fn a_page_that_is_handed_out_answers_for_what_was_its_own() {
    let skill = "---\nname: x\ndescription: y\n---\n[a](references/p.md)\n";
    let page = "[a](case/gone.md) [b](case/never.md) [c](src/gone.md)\n";
    let files = [("skills/x/SKILL.md", skill), ("skills/x/references/p.md", page)];
    let past = [("skills/x/references/case/gone.md", Past::Deleted), ("src/gone.md", Past::Deleted)];
    assert_eq!(show(&findings(INFO.name, &files, &past, &[], false), page), ["error case/gone.md"]);
}

#[test]
fn plans_link_what_was_and_what_will_be() {
    let text = "# Plan\n\n- [ ] [a](old.md) [b](new.md) [c](#nope) [d](/Users/ann/app/x.md)\n";
    let past = [("docs/plans/old.md", Past::Deleted)];
    let found = findings(INFO.name, &[("docs/plans/x.md", text)], &past, &[], false);
    assert_eq!(show(&found, text), ["warning nope"]);
}

#[test]
fn an_empty_page_may_get_any_heading() {
    assert_eq!(check(INFO.name, "[a](docs/a.md#later) [b](node_modules/x/README.md)\n", &["docs/a.md"], &[]), [""; 0]);
}

#[test]
fn links_that_climb_out_of_one_folder_of_an_agent_have_one_cause() {
    let text = "[a](../rows/SKILL.md) and more.\n";
    let causes = |one: &str, two: &str| {
        let files = [(one, text), (two, "[b](../../cells/SKILL.md)\n"), ("AGENTS.md", "x\n")];
        let found = findings(INFO.name, &files, &[], &[], false);
        found.iter().filter_map(|finding| Some(finding.cause.as_ref()?.key.clone())).collect::<Vec<_>>()
    };
    let one = causes(".claude/commands/a.md", ".claude/commands/b.md");
    assert!(one.len() == 2 && one[0] == one[1], "{one:?}");
    let two = causes(".claude/commands/a.md", ".claude/agents/b.md");
    assert!(two.len() == 2 && two[0] != two[1], "{two:?}");
}

#[test]
fn a_heading_right_below_a_tag_has_an_anchor() {
    let text = "See [the law](#the-law) and [more](#more).\n\n<IMPORTANT>\n## The Law\n\nx\n</IMPORTANT>\n";
    assert_eq!(check(INFO.name, text, &[], &[]), ["warning more"]);
}

#[test]
fn a_rule_about_any_project_links_what_its_users_have() {
    let rule = "---\nglobs: '**/*.vue'\n---\n[rows](mdc:components/rows/)\n";
    assert_eq!(check_at(INFO.name, ".cursor/rules/x.mdc", rule, &["setup.sh"], &[]), ["info components/rows/"]);
    assert_eq!(check_at(INFO.name, ".cursor/rules/x.mdc", rule, &["src/a.vue"], &[]), ["warning components/rows/"]);
}

#[test]
fn links_out_of_the_repository_are_reported() {
    let text = "[a](../AGENTS.md) [b](../../issues/12) [c](../other/README.md) [d](./../other/)\n";
    let want = ["warning ../AGENTS.md unsafe AGENTS.md", "warning ../other/README.md", "warning ./../other/"];
    assert_eq!(check_at(INFO.name, ".goosehints", text, &["AGENTS.md"], &[]), want);
}

#[test]
fn links_to_what_lies_around_this_repository_on_purpose() {
    let level = |text: &str, others: &[(&str, &str)]| {
        let files: Vec<(&str, &str)> =
            [("AGENTS.md", text), ("docs/a1.md", "")].into_iter().chain(others.iter().copied()).collect();
        findings(INFO.name, &files, &[], &[], false)[0].level
    };
    let text = "See [the SDK](../acme-sdk/docs/rows.md).\n";
    assert_eq!(level(text, &[]), Level::Warning);
    assert_eq!(level(text, &[("app/CLAUDE.md", "The SDK lies in `../acme-sdk/src`.\n")]), Level::Info);
    assert_eq!(level("Above: [all](../CLAUDE.md)\n", &[]), Level::Info);
    assert_eq!(level("See [flow](../../docs/flow.md).\n", &[]), Level::Info);
    // Of what the repository has, the link counts wrongly.
    let page = ("docs/b1.md", "See [flow](../docs/none.md).\n");
    assert_eq!(level("See [flow](../docs/none.md).\n", &[page, ("CLAUDE.md", "[p](docs/b1.md)\n")]), Level::Warning);
    assert_eq!(level("See [flow](../../docs/a1.md).\n", &[]), Level::Warning);
}

#[test]
fn links_to_one_machine_lead_out_of_the_repository() {
    let text = "[a](/Users/ann/dev/app/docs/a.md) [b](/home/bob/x/none.md) [c](/home/user/x.md) [d](/users/profile) [e](/home)\n";
    let want = ["warning Users/ann/dev/app/docs/a.md unsafe docs/a.md", "warning home/bob/x/none.md"];
    assert_eq!(check(INFO.name, text, &["docs/a.md"], &[]), want);
}

#[test]
fn what_is_no_link_to_a_file_is_silent() {
    let text = "[a](https://x.y/z.md) [b](mailto:a@b.c) [c](//x/y.md) [d](mdc:path/to/file) [e](mdc:filename) [f](url)\n\
                [WOD-733](/WOD/issues/WOD-733) [g](./your-page.md) [h](docs/<name>.md) [i]({{ link }}) [j](dist/api.md) [k](...) [l](~/.claude/x.md)\n\n\
                The page [l](old.md) does not exist. `[m](none.md)`\n\n```\n[n](none.md)\n```\n";
    assert_eq!(check(INFO.name, text, &[], &[]), [""; 0]);
}

#[test]
fn anchors_of_the_skills_of_one_folder_have_one_cause() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: y\n---\n- [A](#gone-{name})\n\n# Here\n");
    let (a, b) = (skill("a1"), skill("b1"));
    let files = [(".agents/skills/a1/SKILL.md", a.as_str()), (".agents/skills/b1/SKILL.md", b.as_str())];
    let found = findings("broken-link", &files, &[], &[], false);
    let keys: Vec<&str> = found.iter().filter_map(|finding| Some(finding.cause.as_ref()?.key.as_str())).collect();
    assert_eq!(keys, ["anchors below .agents/skills"; 2], "{found:#?}");
}

#[test]
fn links_may_be_written_as_imports_and_stand_in_labelled_notes() {
    let files = ["docs/a1.md", "agents/b1.md"];
    assert_eq!(check(INFO.name, "[a](@docs/a1.md) [b](@docs/none.md)\n", &files, &[]), ["warning @docs/none.md"]);
    let agent = |line: &str| {
        check_at(
            INFO.name,
            ".claude/agents/x1.md",
            &format!("---\nname: x1\ndescription: y\n---\n\n{line}\n"),
            &files,
            &[],
        )
    };
    assert_eq!(agent("> Inherits: [base](../_base/rules.md)"), ["warning ../_base/rules.md"]);
    // What a prompt has its reader say names files that are yet to be made.
    assert_eq!(agent("> Read the plan: [plan](../_base/rules.md)"), [""; 0]);
}

#[test]
fn pages_link_others_by_the_addresses_of_their_site() {
    let level = |link: &str| {
        let skill = "---\nname: x1\ndescription: y\n---\n\nSee [page](references/p1.md).\n";
        let page = format!("[a]({link})\n");
        let path = ".claude/skills/x1/references/p1.md";
        let files = [(".claude/skills/x1/SKILL.md", skill), (path, page.as_str())];
        findings(INFO.name, &files, &[], &[], false).iter().map(|finding| finding.level).collect::<Vec<_>>()
    };
    assert_eq!(level("../model_doc/vit/"), [Level::Warning]);
    assert_eq!(level("../model_doc/vit.md"), [Level::Warning]);
    assert_eq!(level("../model_doc/vit"), [Level::Info]);
}

#[test]
fn what_a_prompt_of_the_repository_writes_is_no_broken_link() {
    let text = "Read the [goals](../../docs/GOALS.md).\n";
    let told = |other: &str| {
        warnings(
            "broken-link",
            ".github/prompts/build.prompt.md",
            text,
            &[(".github/prompts/goals.prompt.md", other)],
            &[],
        )
    };
    assert_eq!(told("- [ ] Write the goals in Markdown at `/docs/GOALS.md`.\n"), [""; 0]);
    assert_eq!(told("Follow `/docs/GOALS.md`.\n").len(), 1);
}
