//! Imports of files that are not there, by example.

use super::super::testing::{check, findings};
use super::INFO;
use crate::base::finding::Level;
use crate::rules::testing::repository;

#[test]
fn what_is_kept_or_installed_under_another_name_is_no_error() {
    let level = |path: &str, text: &str, other: &str| {
        let files = [(path, text), (other, "x\n"), ("CLAUDE.md", "y\n")];
        repository(INFO.name, "", &files).iter().map(|finding| finding.level).collect::<Vec<_>>()
    };
    assert_eq!(level("a/CLAUDE.md", "@b.md\n", "c.md"), [Level::Error]);
    assert_eq!(level("backup/CLAUDE.md", "@b.md\n", "c.md"), [Level::Info]);
    assert_eq!(level("home/dot_claude/CLAUDE.md", "@b.md\n", "home/dot_claude/private_b.md"), []);
    assert_eq!(level("home/claude/CLAUDE.md", "@b.md\n", "home/claude/private_b.md"), [Level::Error]);
}

#[test]
fn a_missing_target_is_reported_at_its_token() {
    let files = [("CLAUDE.md", "See @docs/none.md, please.\n"), ("docs/a.md", "x\n")];
    assert_eq!(
        check("missing-import", &files),
        ["CLAUDE.md:4-17 error `@docs/none.md` names no file: there is no docs/none.md"]
    );
}

#[test]
fn a_file_that_must_not_be_read_need_not_be_there() {
    for text in ["Do not read @docs/none.md, ever.\n", "Never import @docs/none.md.\n"] {
        assert_eq!(check("missing-import", &[("CLAUDE.md", text)]), [""; 0], "{text}");
    }
    let text = "Do not guess, but read @docs/none.md.\n";
    assert_eq!(check("missing-import", &[("CLAUDE.md", text)]).len(), 1);
}

#[test]
fn a_file_that_need_not_be_there_is_an_info() {
    let text = "The line below imports it when present.\n\n@docs/none.md\n";
    let level = |text: &str| check("missing-import", &[("CLAUDE.md", text)])[0].contains(" info ");
    assert!(level(text));
    assert!(!level(&text.replace(" when present", "")));
    assert!(!level(&text.replace("@docs", "Read @docs")));
}

#[test]
fn what_a_template_imports_is_made_with_its_project() {
    let level = |title: &str| {
        let text = format!("{title}\n\n@docs/none.md\n");
        check("missing-import", &[("CLAUDE.md", &text)])[0].contains(" info ")
    };
    assert!(level("# {{PROJECT_NAME}}: context"));
    assert!(!level("# The project: context"));
}

#[test]
fn what_the_fields_of_a_prompt_name_is_not_attached() {
    let prompt = "---\ndescription: Writes a page that reads @docs/none.md too.\n---\nDo it.\n";
    assert_eq!(check("missing-import", &[(".claude/commands/x.md", prompt), ("docs/a.md", "x\n")]), [""; 0]);
}

#[test]
fn what_a_prompt_attaches_has_to_be_there() {
    let prompt = "Read @docs/none.md and @src/lib.rs first.\n";
    let files = |path: &'static str, text: &'static str| {
        [(path, text), ("docs/a.md", "x\n"), ("src/lib.rs", "x\n"), ("sub/docs/b.md", "x\n")]
    };
    let message = "warning `@docs/none.md` attaches no file: there is no";
    let level = |text: &'static str| {
        let found = check("missing-import", &files(".claude/commands/c.md", text));
        found.iter().map(|line| line.split(' ').nth(1).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        level("- @requirements.txt\n- @Cargo.toml\n- @composer.json\n- @docs/none.md\n"),
        ["info", "info", "info", "warning"]
    );
    assert_eq!(level("- @Cargo.toml\n- @docs/none.md\n"), ["warning", "warning"]);
    assert_eq!(level("| Argument | Reads |\n| --- | --- |\n| @US-3.4.md | yes |\n"), ["info"]);
    // A tool makes the folder; another file of the name is the one that was meant, unless it is a template.
    assert_eq!(level("Read @.flow/STATE.md and @.flow/b.md.\n"), ["info", "warning"]);
    let template = "1. Create the folder\n2. Use template: @docs/none.md\n";
    assert_eq!(check("missing-import", &files(".claude/commands/c.md", template)).len(), 1);
    assert_eq!(
        check("missing-import", &files(".claude/commands/c.md", prompt)),
        [format!(".claude/commands/c.md:5-18 {message} docs/none.md")]
    );
    assert_eq!(
        check("missing-import", &files("sub/.claude/commands/c.md", prompt)),
        [format!("sub/.claude/commands/c.md:5-18 {message} sub/docs/none.md")]
    );
    for (path, text) in [
        // From the root, or from the directory above the agent's folder.
        ("sub/.claude/commands/c.md", "Read @docs/a.md and @docs/b.md\n"),
        (
            ".claude/commands/c.md",
            "Ask @user or @org/team of @scope/pkg, `@docs/none.md`, @docs/$1.md, @docs/<name>.md\n",
        ),
        (".claude/commands/c.md", "Create @docs/none.md with the plan.\n\n```\n@docs/none.md\n```\n"),
        (".claude/commands/c.md", "For example, @docs/none.md\n\nRead @CLAUDE.md first.\n"),
        ("templates/.claude/commands/c.md", prompt),
        ("examples/.claude/commands/c.md", prompt),
    ] {
        assert_eq!(check("missing-import", &files(path, text)), [""; 0], "{path} {text}");
    }
}

#[test]
fn hidden_characters_of_a_path_are_spelled() {
    let files = [("CLAUDE.md", "See @docs/no\u{200b}ne.md, please.\n"), ("docs/a.md", "x\n")];
    let found = check("missing-import", &files);
    let want = "`@docs/no\\u{200B}ne.md` names no file: there is no docs/no\\u{200B}ne.md";
    assert!(found.len() == 1 && found[0].ends_with(want), "{found:?}");
}

#[test]
fn a_folder_that_is_copied_to_the_home_is_told_once() {
    let (one, two) = (("parts/a.md", "x\n"), ("parts/b.md", "x\n"));
    let text = "@parts/a.md\n\n@parts/b.md\n";
    let found = check("missing-import", &[("config/CLAUDE.md", text), one, two]);
    assert_eq!(found, ["config/CLAUDE.md:0-11 info `@parts/a.md` does not exist here: the file is at parts/a.md"]);
    // Another folder, a project of its own, a target that is nowhere.
    assert_eq!(check("missing-import", &[("api/CLAUDE.md", text), one, two]).len(), 2);
    let manifest = ("config/package.json", "{}\n");
    let found = check("missing-import", &[("config/CLAUDE.md", text), manifest, one, two]);
    assert!(found.len() == 2 && found[0].contains("error"), "{found:?}");
    assert!(check("missing-import", &[("config/CLAUDE.md", text), one])[1].contains("error"));
}

#[test]
fn in_a_file_that_no_agent_loads_it_is_a_warning() {
    let files = [(".claude/AGENTS.md", "See @docs/none.md\n"), ("CLAUDE.md", "x\n"), ("docs/a.md", "x\n")];
    let found = check("missing-import", &files);
    assert!(found.len() == 1 && found[0].starts_with(".claude/AGENTS.md:4-17 warning "), "{found:?}");
}

#[test]
fn case_and_unique_names_are_offered() {
    let files = [("sub/CLAUDE.md", "@../docs/A.md\n\n@b.md\n"), ("docs/a.md", "x\n"), ("docs/b.md", "x\n")];
    let edits: Vec<_> = findings("missing-import", &files)
        .into_iter()
        .map(|finding| finding.fix.map(|fix| (fix.applicability.name(), fix.edits[0].replacement.clone())))
        .collect();
    assert_eq!(edits, [Some(("safe", "@../docs/a.md".into())), Some(("unsafe", "@../docs/b.md".into()))]);
}

#[test]
fn a_name_with_hidden_characters_is_not_offered() {
    for (folder, offered) in [("a\u{3164}", false), ("a\u{200b}", false), ("\u{e4}", true)] {
        let file = format!("{folder}/b.md");
        let files = [("CLAUDE.md", "@b.md\n"), (file.as_str(), "x\n")];
        let fixes: Vec<_> = findings("missing-import", &files).into_iter().map(|finding| finding.fix).collect();
        assert!(matches!(&fixes[..], [fix] if fix.is_some() == offered), "{folder:?}: {fixes:?}");
    }
}

#[test]
fn placeholders_are_silent_as_they_are_in_backticks() {
    for path in [
        "docs/NNN-title.md",
        "docs/your_file.md",
        "docs/sample-x.md",
        "docs/YYYY-MM-DD.md",
        "./docs/NNN-title.md",
        "../your_file.md",
        "path/to/file.md",
        "docs/[name].md",
    ] {
        let files = [("sub/CLAUDE.md", format!("See @{path} for it.\n\n`{path}`\n")), ("docs/a.md", "x\n".to_owned())];
        let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
        for rule in ["missing-import", "import-escapes-repository", "import-not-loaded", "missing-path"] {
            assert_eq!(check(rule, &files), [""; 0], "{path} {rule}");
        }
    }
}

#[test]
fn a_short_or_common_name_is_a_name() {
    for path in ["a.md", "docs/x.md", "docs/file.md", "./feature.md", "examples/links.md"] {
        let files = [("CLAUDE.md", format!("See @{path} for it.\n")), ("docs/q.md", "x\n".to_owned())];
        let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
        assert_eq!(check("missing-import", &files).len(), 1, "{path}");
    }
}

#[test]
fn what_is_no_path_to_a_person_is_silent() {
    let text = "@user @scope/pkg @types/node @app.route me@x.md @angular/core@15.0.0 @next.js @v1.2 @https://x.y/z.md\n\n\
                `@docs/none.md` @path/to/file.md @<name>.md @/components/x.tsx\n\n```\n@docs/none.md\n```\n<!-- @docs/none.md -->\n";
    assert_eq!(check("missing-import", &[("CLAUDE.md", text), ("AGENTS.md", text)]), [""; 0]);
}

#[test]
fn an_alias_of_the_project_is_no_import() {
    let config = ("tsconfig.json", r#"{"compilerOptions": {"paths": {"@lib/*": ["src/lib/*"]}}}"#);
    let files = [("CLAUDE.md", "Rows come from @lib/rows.ts.\n"), ("src/lib/rows.ts", ""), ("lib/a.ts", ""), config];
    assert_eq!(check("missing-import", &files), [""; 0]);
    assert_eq!(check("missing-import", &files[..3]).len(), 1);
    // No agent knows the alias, and a page is meant for one.
    let page = [("CLAUDE.md", "See @lib/rows.md.\n"), ("src/lib/rows.md", ""), ("lib/a.md", ""), config];
    assert_eq!(check("missing-import", &page).len(), 1);
}

#[test]
fn a_rule_that_another_one_names_is_loaded_all_the_same() {
    let level = |path: &str, text: &str| {
        let files = [(path, text), (".claude/rules/git.md", "x\n"), ("CLAUDE.md", "y\n"), ("docs/git.md", "z\n")];
        repository(INFO.name, "", &files).iter().map(|finding| finding.level).collect::<Vec<_>>()
    };
    assert_eq!(level(".claude/rules/a.md", "As @rules/git.md tells.\n"), [Level::Info]);
    assert_eq!(level(".claude/rules/a.md", "As @.claude/rules/git.md tells.\n"), [Level::Info]);
    assert_eq!(level(".claude/rules/a.md", "As @docs/git.md tells.\n"), [Level::Error]);
    assert_eq!(level("a/CLAUDE.md", "As @rules/git.md tells.\n"), [Level::Error]);
}

#[test]
fn a_text_that_tells_what_a_file_holds_imports_nothing() {
    let level = |text: &str| {
        let files = [("docs/CLAUDE.md", text), ("CLAUDE.md", "y\n")];
        repository(INFO.name, "", &files).iter().map(|finding| finding.level).collect::<Vec<_>>()
    };
    assert_eq!(
        level("- It writes two files: AGENTS.md with the text, and a CLAUDE.md @AGENTS.md wrapper.\n"),
        [Level::Info]
    );
    assert_eq!(level("- First of all see @AGENTS.md for the rules.\n"), [Level::Error]);
}
