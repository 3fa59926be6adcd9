//! Names of skills, by example.

use std::collections::BTreeSet;

use crate::rules::testing::repository_with_links;

/// What `invalid-value` says of the names of skills in a repository. `a -> b` is a link.
fn check(files: &[(&str, &str)]) -> Vec<String> {
    let text = |name: &str| format!("---\nname: {name}\ndescription: x\n---\n");
    let files: Vec<(&str, String)> = files
        .iter()
        .map(|(path, name)| (*path, if path.ends_with("SKILL.md") { text(name) } else { (*name).to_owned() }))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let show = |finding: crate::base::finding::Finding| format!("{}: {}", finding.level.name(), finding.message);
    repository_with_links("invalid-value", "", &files).into_iter().map(show).collect()
}

#[test]
fn a_linked_skill_has_the_name_of_the_folder_that_agents_open() {
    assert_eq!(
        check(&[("skills/seo/SKILL.md", "web-seo"), (".claude/skills/web-seo -> ../../skills/seo", "")]),
        [""; 0]
    );
    assert_eq!(
        check(&[
            ("skills/seo/SKILL.md", "seo"),
            (".claude/skills/web -> ../../skills/seo", ""),
            (".claude/settings.json", "{\"permissions\": {\"allow\": [\"Skill(seo)\"]}}")
        ]),
        ["warning: the skill is called `seo`, its folder `web` (agents open this file as .claude/skills/web/SKILL.md)"]
    );
    assert_eq!(check(&[("skills/seo/SKILL.md", "seo"), (".agents/skills -> ../skills", "")]), [""; 0]);
    assert_eq!(
        check(&[(".agents/skills/seo/SKILL.md", "seo"), (".claude/skills/x -> ../../.agents/skills/seo", "")]),
        [""; 0]
    );
}

#[test]
fn the_level_follows_who_reads_the_skill() {
    for (path, also, want) in [
        (
            ".claude/skills/a/SKILL.md",
            "CLAUDE.md",
            &["warning: a skill's `name` may hold only `a-z`, `0-9` and `-`"][..],
        ),
        (
            ".github/skills/a/SKILL.md",
            ".github/copilot-instructions.md",
            &["error: a skill's `name` may hold only `a-z`, `0-9` and `-`"],
        ),
        ("skills/a/SKILL.md", "README.md", &["warning: a skill's `name` may hold only `a-z`, `0-9` and `-`"]),
        (
            "skills/a/SKILL.md",
            ".claude-plugin/plugin.json",
            &["warning: a skill's `name` may hold only `a-z`, `0-9` and `-`"],
        ),
        ("skills/a/SKILL.md", "gemini-extension.json", &[]),
        (".gemini/skills/a/SKILL.md", "GEMINI.md", &[]),
        // What chezmoi installs is read there under another name.
        ("home/dot_gemini/skills/a/SKILL.md", "GEMINI.md", &[]),
    ] {
        assert_eq!(check(&[(path, "a_b"), (also, "{}")]), want, "{path} {also}");
    }
}

#[test]
fn names_that_break_one_rule_in_one_collection_have_one_cause() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: x\n---\n");
    let (a, b, long) = (skill("_a"), skill("_b"), skill(&"c".repeat(65)));
    let files = [
        ("skills/_a/SKILL.md", a.as_str()),
        ("skills/_b/SKILL.md", &b),
        ("other/skills/_a/SKILL.md", &a),
        ("skills/c/SKILL.md", &long),
    ];
    let found = repository_with_links("invalid-value", "", &files);
    let keys: BTreeSet<String> = found.iter().filter_map(|finding| Some(finding.cause.as_ref()?.key.clone())).collect();
    assert_eq!((found.len(), keys.len()), (4, 3), "{found:#?}");
}

#[test]
fn a_skill_that_no_agent_looks_for_is_an_info() {
    let inner = [("skills/pdf/SKILL.md", "pdf"), ("skills/pdf/fill/SKILL.md", "pdf:fill")];
    assert_eq!(check(&inner), ["info: a skill's `name` may hold only `a-z`, `0-9` and `-`"]);
    let other = [("skills/pdf/SKILL.md", "pdf"), ("skills/pdf/fill/SKILL.md", "form")];
    assert_eq!(check(&other), ["info: the skill is called `form`, its folder `fill`"]);
    let unknown = [(".tool/skills/pdf/SKILL.md", "form"), (".tool/skills/b/SKILL.md", "b")];
    assert_eq!(check(&unknown), ["info: the skill is called `form`, its folder `pdf`"]);
}

#[test]
fn the_prefix_of_a_collection_is_chosen_on_purpose() {
    for (path, name, want) in [
        (".claude/skills/notes/SKILL.md", "release", &["info: the skill is called `release`, its folder `notes`"][..]),
        (
            ".claude/skills/notes-skill/SKILL.md",
            "notes",
            &["info: the skill is called `notes`, its folder `notes-skill`"],
        ),
        // No known agent demands the folder's name.
        ("skills/notes/SKILL.md", "release", &["info: the skill is called `release`, its folder `notes`"]),
        (
            ".claude/skills/notes/SKILL.md",
            "acme-notes",
            &["info: the skill is called `acme-notes`, its folder `notes`"],
        ),
        (".claude/skills/notes/SKILL.md", "acme:notes", &["info: a skill's `name` may hold only `a-z`, `0-9` and `-`"]),
        (
            ".claude/skills/notes/SKILL.md",
            "acme:other",
            &["warning: a skill's `name` may hold only `a-z`, `0-9` and `-`"],
        ),
        (
            ".claude/skills/my_notes/SKILL.md",
            "acme-my-notes",
            &["info: the skill is called `acme-my-notes`, its folder `my_notes`"],
        ),
        ("integration/SKILL.md", "release", &["info: the skill is called `release`, its folder `integration`"]),
        ("skill/SKILL.md", "acme-notes", &[]),
        ("SKILL.md", "acme-notes", &[]),
    ] {
        assert_eq!(check(&[(path, name)]), want, "{path}");
    }
}

#[test]
fn a_prefix_or_ending_that_several_skills_share_is_chosen_on_purpose() {
    let levels = |root: &str| {
        let paths = ["x", "y", "z"].map(|name| format!("{root}/acme-{name}/SKILL.md"));
        let of = paths.iter().map(String::as_str).zip(["x", "y", "z"]).collect::<Vec<_>>();
        check(&of).iter().map(|line| line[..4].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(levels("plugin/builtins"), ["info", "info", "info"]);
    assert_eq!(levels(".claude/skills"), ["info", "info", "info"]);
    let paths = ["a", "b", "c", "d"].map(|folder| format!(".claude/skills/{folder}/SKILL.md"));
    let named = |names: [&'static str; 4]| paths.iter().map(String::as_str).zip(names).collect::<Vec<_>>();
    let (prefixed, suffixed) =
        (named(["acme-x", "acme-y", "acme-z", "other"]), named(["a-kit", "b-kit", "c-kit", "d-x"]));
    let calls = (".claude/settings.json", r#"{"skills": ["d-x", "a-kit", "other", "acme-x"]}"#);
    let levels = |skills: &[(&str, &str)]| -> Vec<String> {
        check(&[skills, &[calls]].concat()).iter().map(|line| line[..4].to_owned()).collect()
    };
    let suffixed = [&suffixed[..3], &[(paths[3].as_str(), "e-x")]].concat();
    assert_eq!(levels(&suffixed), ["info"; 4], "nobody calls `e-x`");
    let levels = levels(&prefixed);
    assert_eq!(levels, ["info", "info", "info", "warn"]);
    // Folders that all say more than the names, in a collection or in the folder of an agent that links them.
    let folders = ["a-guide", "b-helper", "c-writer"].map(|folder| format!(".claude/skills/{folder}/SKILL.md"));
    let short: Vec<(&str, &str)> = folders.iter().map(String::as_str).zip(["a", "b", "c"]).collect();
    let calls = (".claude/settings.json", r#"{"skills": ["a", "b", "c-writer"]}"#);
    let found = check(&[&short[..], &[calls]].concat());
    assert!(found.len() == 3 && found.iter().all(|line| line.starts_with("info: ")), "{found:?}");
    let two = check(&[&short[1..], &[calls]].concat());
    assert!(two.iter().any(|line| line.starts_with("warning: ")), "{two:?}");
    let beside = [("notes/SKILL.md", "release"), ("other/SKILL.md", "other")];
    assert_eq!(check(&beside), ["info: the skill is called `release`, its folder `notes`"]);
    // Another style of the same name.
    let style = check(&[(".claude/skills/APIDesign/SKILL.md", "api-design")]);
    let blank = check(&[(".claude/skills/notes /SKILL.md", "notes")]);
    assert_eq!(blank, ["info: the skill is called `notes`, its folder `notes `"]);
    assert_eq!(style, ["info: the skill is called `api-design`, its folder `APIDesign`"]);
    let copilot = (".github/copilot-instructions.md", "x");
    assert_eq!(
        check(&[(".github/skills/notes/SKILL.md", "acme-notes"), copilot]),
        ["warning: the skill is called `acme-notes`, its folder `notes`"]
    );
}

#[test]
fn a_word_before_the_folders_of_all_skills_is_one_cause() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: x\n---\n");
    let texts = ["a", "b", "c", "d"].map(skill);
    let folders = ["kit-a", "kit-b", "kit-c", "other"];
    let paths = folders.map(|folder| format!(".codex/skills/{folder}/SKILL.md"));
    let files: Vec<(&str, &str)> =
        paths.iter().zip(&texts).map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let keys = |files: &[(&str, &str)]| -> Vec<Option<String>> {
        let found = repository_with_links("invalid-value", "", files);
        found.into_iter().map(|finding| finding.cause.map(|cause| cause.key)).collect()
    };
    let found = keys(&files);
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(found.iter().filter(|key| key.as_deref() == Some("prefix kit- .codex/skills")).count(), 3, "{found:?}");
    assert!(keys(&files[..2]).iter().all(Option::is_none));
}

#[test]
fn a_collection_whose_skills_are_called_otherwise_has_a_habit() {
    let skills = [
        (".claude/skills/desk-setup/SKILL.md", "setting-up"),
        (".claude/skills/desk-signing/SKILL.md", "signing-apps"),
        (".claude/skills/desk-tray/SKILL.md", "tray-icons"),
        (".claude/skills/desk-menu/SKILL.md", "menus-of-apps"),
    ];
    assert!(check(&skills).iter().all(|line| line.starts_with("info")), "{:?}", check(&skills));
    let calls =
        (".claude/settings.json", r#"{"skills": ["setting-up", "signing-apps", "tray-icons", "menus-of-apps"]}"#);
    let found = check(&[&skills[..3], &[calls]].concat());
    assert!(found.len() == 3 && found.iter().all(|line| line.starts_with("warning")), "{found:?}");
    // Where most are called as their folders, the others are slips.
    let others = ["a", "b", "c", "d", "e"].map(|name| (format!(".claude/skills/{name}/SKILL.md"), name));
    let others = others.iter().map(|(path, name)| (path.as_str(), *name));
    let found = check(&skills.into_iter().chain(others).chain([calls]).collect::<Vec<_>>());
    assert!(found.len() == 4 && found.iter().all(|line| line.starts_with("warning")), "{found:?}");
}

#[test]
fn a_name_that_is_not_the_folders_matters_where_one_of_the_two_is_called() {
    let level = |skill: &str, also: &[(&str, &str)]| {
        let files = [&[(skill, "release")], also].concat();
        check(&files).iter().map(|line| line.split(':').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (claude, codex) = (".claude/skills/notes/SKILL.md", ".codex/skills/notes/SKILL.md");
    // Claude Code finds it by both names, Codex by its own.
    for (skill, path, text, want) in [
        (claude, "CLAUDE.md", "Then run `release`.\n", "info"),
        (claude, "README.md", "- `/release`: writes them\n", "info"),
        (codex, "README.md", "- `/notes`: writes them\n", "warning"),
        (codex, ".codex/prompts/x.md", "Call `notes`.\n", "warning"),
        (claude, ".claude/settings.json", "{\"permissions\": {\"allow\": [\"Skill(release)\"]}}", "warning"),
        (claude, "CLAUDE.md", "Then run `notes`.\n", "info"),
        (codex, "AGENTS.md", "Then run `notes`.\n", "warning"),
        (codex, "AGENTS.md", "Then run `release`.\n", "info"),
        (claude, "CLAUDE.md", "Each release has notes. See docs/release or `src/release/x.md`.\n", "info"),
        (claude, ".claude/skills/notes/more.md", "Then run `release`.\n", "info"),
    ] {
        assert_eq!(level(skill, &[(path, text)]), [want], "{skill} {path} {text}");
    }
    // Two of one name.
    assert_eq!(level(claude, &[(".claude/skills/release/SKILL.md", "release")]), ["warning"]);
    assert_eq!(level(claude, &[(".claude/skills/other/SKILL.md", "other")]), ["info"]);
}

#[test]
fn names_that_leave_the_format_alike_are_a_habit() {
    let paths = ["a", "b", "c", "d"].map(|folder| format!(".claude/skills/{folder}/SKILL.md"));
    let levels = |names: &[&'static str]| {
        let files: Vec<(&str, &str)> = paths.iter().map(String::as_str).zip(names.iter().copied()).collect();
        check(&files).iter().map(|line| line[..4].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(levels(&["x_a", "x_b", "y_z"]), ["info"; 3]);
    assert_eq!(levels(&["kit.a", "kit.b", "kit.c"]), ["info"; 3]);
    assert_eq!(levels(&["Do It", "Write Tests", "Bun"]), ["info"; 3]);
    assert_eq!(levels(&["Do It", "x_b", "kit.c", "d"]), ["warn"; 3]);
    assert_eq!(levels(&["x_a", "x_b", "y-", "z.z"]), ["warn"; 4]);
    assert_eq!(levels(&["x_a", "x_b", "y_z", "z.z"]), ["info", "info", "info", "warn"]);
    // Who refuses them refuses each.
    let refused = ["a", "b", "c"].map(|folder| format!(".github/skills/{folder}/SKILL.md"));
    let files: Vec<(&str, &str)> = refused.iter().map(String::as_str).zip(["x_a", "x_b", "x_c"]).collect();
    let found = check(&[&files[..], &[(".github/copilot-instructions.md", "x")]].concat());
    assert!(found.len() == 3 && found.iter().all(|line| line.starts_with("error")), "{found:?}");
}

#[test]
fn a_first_word_that_all_names_share_is_one_cause() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: x\n---\n");
    let (a, b, c) = (skill("kit-a"), skill("kit-b"), skill("kit-d-c"));
    let files = [
        (".github/skills/a/SKILL.md", a.as_str()),
        (".github/skills/b/SKILL.md", &b),
        (".github/skills/c-d/SKILL.md", &c),
        (".github/copilot-instructions.md", "x"),
    ];
    let keys = |files: &[(&str, &str)]| -> BTreeSet<Option<String>> {
        let found = repository_with_links("invalid-value", "", files);
        found.into_iter().map(|finding| finding.cause.map(|cause| cause.key)).collect()
    };
    assert_eq!(keys(&files), [Some("first word kit .github/skills".to_owned())].into());
    assert_eq!(keys(&files[1..]), [None].into());
}

#[test]
fn a_long_description_counts_where_somebody_may_refuse_it() {
    let text = format!("---\nname: a\ndescription: {}\n---\n", "x".repeat(1025));
    let level = |path: &str, also: &str| {
        let found = repository_with_links("invalid-value", "", &[(path, &text), (also, "{}")]);
        found.iter().map(|finding| finding.level.name()).collect::<Vec<_>>()
    };
    assert_eq!(level(".claude/skills/a/SKILL.md", "CLAUDE.md"), ["info"]);
    assert_eq!(level("skills/a/SKILL.md", "README.md"), ["warning"]);
    assert_eq!(level(".agents/skills/a/SKILL.md", ".codex/config.toml"), ["error"]);
}

#[test]
fn a_slip_of_the_folder_is_a_warning() {
    let of = |skill: &str, name: &str| check(&[(skill, name), ("README.md", "x\n")]);
    let said = "the skill is called `ccompatible-simplifier`, its folder `compatible-simplifier`: one of the two is misspelled";
    assert_eq!(of("kit/compatible-simplifier/SKILL.md", "ccompatible-simplifier"), [format!("warning: {said}")]);
    assert!(of(".claude/skills/review-code/SKILL.md", "reveiw-code")[0].starts_with("warning"));
    assert!(of(".claude/skills/review-code/SKILL.md", "review-codes")[0].starts_with("info"));
    assert!(of(".claude/skills/review-code/SKILL.md", "audit-code")[0].starts_with("info"));
}

#[test]
fn a_version_in_a_name_is_an_info_for_lenient_readers() {
    let plugin = (".claude-plugin/plugin.json", "{}");
    let level = |skill: &str, name: &str, also: (&str, &str)| {
        check(&[(skill, name), also]).iter().map(|line| line.split(':').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(level("skills/php-8.2/SKILL.md", "php-8.2", plugin), ["info"]);
    assert_eq!(level("skills/php-8/SKILL.md", "php.net", plugin), ["warning"]);
    assert_eq!(level("skills/php-8.2/SKILL.md", "php-8.2", ("README.md", "x")), ["warning"]);
    let copilot = (".github/copilot-instructions.md", "x");
    assert_eq!(level(".github/skills/php-8.2/SKILL.md", "php-8.2", copilot), ["error"]);
}
