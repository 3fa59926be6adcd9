//! What a commit breaks elsewhere, and which files are left alone and why, on real repositories.

use crate::support::Repo;

/// `path rule` of each finding of what is staged, without repeats.
fn staged(repo: &Repo) -> Vec<String> {
    let run = repo.run(&["--staged", "--format", "concise", "--quiet", "--fail-on", "never", "--min-level", "info"]);
    assert_eq!(run.code, 0, "{run:?}");
    let path_and_rule = |line: &str| {
        let (path, rest) = line.split_once(':')?;
        let rule = rest.split(['[', ']']).nth(1)?;
        Some(format!("{path} {rule}"))
    };
    let mut found: Vec<String> = run.stdout.lines().filter_map(path_and_rule).collect();
    found.dedup();
    found
}

fn project() -> Repo {
    Repo::with_files([
        ("CLAUDE.md", "@docs/rules.md\n"),
        ("docs/rules.md", "# Rules\n\nBe brief.\n"),
        (
            "AGENTS.md",
            "See [the guide](docs/the%20guide.md#start) and `src/api/client.ts`. Run `npm run lint` and `node tools/gen.mjs`.\n",
        ),
        (".github/copilot-instructions.md", "The layers are in [the map](../docs/map).\n"),
        (".claude/rules/api.md", "---\npaths: [\"src/api/**\"]\n---\nNo `any`.\n"),
        (".cursor/rules/web.mdc", "---\nglobs: src/web/**\n---\nUse [the theme](mdc:src/web/theme.css).\n"),
        ("docs/the guide.md", "# Start\n"),
        ("docs/map.md", "# Map\n"),
        ("src/api/client.ts", "export const a = 1;\n"),
        ("src/web/theme.css", "a {}\n"),
        ("src/main.ts", "export const b = 2;\n"),
        ("tools/gen.mjs", "export const c = 3;\n"),
        ("package.json", "{\"scripts\": {\"lint\": \"eslint .\"}}\n"),
    ])
}

#[test]
fn a_sound_project_has_nothing_to_say() {
    let repo = project();
    repo.write("src/main.ts", "export const b = 3;\n");
    repo.git(&["add", "-A"]);
    assert_eq!(staged(&repo), [""; 0]);
}

#[test]
fn each_deletion_and_renaming_is_told_where_it_breaks_something() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["rm", "-q", "docs/rules.md"], &["CLAUDE.md missing-import"]),
        (&["mv", "docs/rules.md", "docs/style.md"], &["CLAUDE.md missing-import"]),
        (&["rm", "-q", "docs/the guide.md"], &["AGENTS.md broken-link"]),
        (&["mv", "docs/the guide.md", "docs/guide.md"], &["AGENTS.md broken-link"]),
        (&["rm", "-q", "docs/map.md"], &[".github/copilot-instructions.md broken-link"]),
        (&["rm", "-q", "src/api/client.ts"], &[".claude/rules/api.md dead-glob", "AGENTS.md stale-path"]),
        (&["mv", "src/api", "src/http"], &[".claude/rules/api.md dead-glob", "AGENTS.md stale-path"]),
        (
            &["mv", "src/web/theme.css", "src/theme.css"],
            &[".cursor/rules/web.mdc dead-glob", ".cursor/rules/web.mdc broken-link"],
        ),
        (&["rm", "-q", "tools/gen.mjs"], &["AGENTS.md stale-command"]),
        (&["rm", "-q", "src/main.ts"], &[]),
    ];
    for (command, want) in cases {
        let repo = project();
        repo.git(command);
        assert_eq!(staged(&repo), *want, "{command:?}");
    }
}

#[test]
fn a_change_inside_a_file_is_told_where_it_breaks_something() {
    let repo = project();
    repo.write("docs/the guide.md", "# Begin\n");
    repo.write("package.json", "{\"scripts\": {}}\n");
    repo.git(&["add", "-A"]);
    assert_eq!(staged(&repo), ["AGENTS.md broken-link", "AGENTS.md stale-command"]);
}

#[test]
fn a_raised_version_is_told_where_a_text_gives_the_old_one() {
    let manifest = |version: &str| format!("{{\"dependencies\": {{\"react\": \"{version}\"}}}}\n");
    let repo = Repo::with_files([("CLAUDE.md", "- UI: React 18\n"), ("web/package.json", &manifest("^18.2.0"))]);
    repo.write("web/package.json", manifest("^18.3.0"));
    repo.git(&["add", "-A"]);
    assert_eq!(staged(&repo), [""; 0]);
    repo.write("web/package.json", manifest("^19.0.0"));
    repo.git(&["add", "-A"]);
    assert_eq!(staged(&repo), ["CLAUDE.md stale-version"]);
}

#[test]
fn a_renamed_function_is_told_where_a_text_has_the_old_name() {
    let source = |name: &str| format!("// Rows.\n\nexport function {name}() {{}}\n\nexport const other = 1;\n");
    let repo = Repo::with_files([
        ("CLAUDE.md", "- `src/rows.ts` has `readAllRows()`\n"),
        ("src/rows.ts", &source("readAllRows")),
        ("src/cells.ts", &source("readCells")),
    ]);
    repo.write("src/cells.ts", source("loadCells"));
    repo.git(&["add", "-A"]);
    assert_eq!(staged(&repo), [""; 0]);
    repo.write("src/rows.ts", source("loadRows"));
    repo.git(&["add", "-A"]);
    assert_eq!(staged(&repo), ["CLAUDE.md unknown-symbol"]);
}

#[cfg(unix)]
#[test]
fn a_link_whose_target_goes_is_told() {
    let repo = Repo::with_files([("docs/AGENTS.md", "x\n"), ("README.md", "x\n")]);
    repo.symlink("CLAUDE.md", "docs/AGENTS.md").commit("link");
    repo.git(&["rm", "-q", "docs/AGENTS.md"]);
    assert_eq!(staged(&repo), ["CLAUDE.md unreadable-hint-file"]);
}

/// What agents find through a link is this repository's own.
#[cfg(unix)]
#[test]
fn skills_that_are_linked_into_an_agents_folder_are_held_to_this_repository() {
    let skill = "---\nname: x\ndescription: y\n---\nRead `src/gone.rs`.\n";
    let repo = Repo::with_files([
        ("skills/x/SKILL.md", skill),
        ("AGENTS.md", "x\n"),
        ("src/gone.rs", "x\n"),
        ("src/a.rs", "y\n"),
    ]);
    repo.git(&["rm", "-q", "src/gone.rs"]);
    repo.commit("gone");
    let check = |repo: &Repo| repo.run(&["--format", "concise", "--quiet"]).stdout;
    assert_eq!(check(&repo), "");
    repo.symlink(".claude/skills", "../skills").commit("link");
    assert!(check(&repo).starts_with("skills/x/SKILL.md:5:7: error[stale-path]"), "{}", check(&repo));
}

/// Since a revision, the same as of the index; and what was broken before stays out of it.
#[test]
fn since_tells_what_the_branch_breaks() {
    let repo = project();
    repo.write("GEMINI.md", "See [nothing](docs/none.md).\n").commit("broken before");
    repo.git(&["mv", "docs/rules.md", "docs/style.md"]);
    repo.commit("rename");
    let run = repo.run(&["--since", "HEAD~1", "--format", "concise", "--quiet"]);
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    assert!(run.stdout.starts_with("CLAUDE.md:1:1: error[missing-import]"), "{run:?}");
}

#[test]
fn files_says_what_is_left_alone_and_why() {
    let skill = "---\nname: x\ndescription: y\n---\nRead `src/gone.rs`.\n";
    let repo = Repo::with_files([
        ("AGENTS.md", "x\n"),
        ("skills/x/SKILL.md", skill),
        (".claude/skills/x/SKILL.md", skill),
        (".claude/skills/x/rules/AGENTS.md", "x\n"),
        ("templates/AGENTS.md", "x\n"),
        ("tests/fixtures/a/CLAUDE.md", "x\n"),
        ("examples/AGENTS.md", "x\n"),
        ("docs/archive/CLAUDE.md", "x\n"),
    ]);
    let run = repo.run(&["files", "-v"]);
    let why = |line: &str| {
        let path = line.split_whitespace().next().unwrap_or_default().to_owned();
        let why = line.split_once('(').map_or("", |(_, why)| why.trim_end_matches(')'));
        format!("{path}: {}", why.split(';').next().unwrap_or_default())
    };
    let found: Vec<String> = run.stdout.lines().map(why).collect();
    assert_eq!(
        found,
        [
            ".claude/skills/x/SKILL.md: ",
            ".claude/skills/x/rules/AGENTS.md: part of the published skill .claude/skills/x: describes other repositories",
            "AGENTS.md: ",
            "docs/archive/CLAUDE.md: below archive/: a record of how things were",
            "examples/AGENTS.md: below examples/: describes other repositories",
            "skills/x/SKILL.md: a published skill: describes other repositories",
            "templates/AGENTS.md: below templates/: describes other repositories",
            "tests/fixtures/a/CLAUDE.md: below fixtures/: describes other repositories",
        ]
    );
}

/// A repository in which one commit deleted a folder that many lines name.
fn gone_folder() -> Repo {
    let repo = Repo::with_files([
        ("AGENTS.md", "`src/core/a.ts`, `src/core/b.ts`\n\n`src/core/a.ts`\n\nSee `core/clock.ts` and `src/one.ts`.\n"),
        (
            "web/CLAUDE.md",
            "`src/core/b.ts`\n\n<!-- hintlint-ignore stale-path: kept for the record -->\n`src/core/a.ts`\n",
        ),
        ("src/core/a.ts", "a\n"),
        ("src/core/b.ts", "b\n"),
        ("src/core/clock.ts", "c\n"),
        ("src/one.ts", "export const one = 1;\n"),
    ]);
    repo.git(&["rm", "-rq", "src/core"]);
    repo.commit("drop");
    repo.git(&["mv", "src/one.ts", "src/two.ts"]);
    repo.commit("rename");
    repo
}

#[test]
fn the_places_of_one_deletion_are_one_finding() {
    let repo = gone_folder();
    let json: serde_json::Value = serde_json::from_str(&repo.run(&["--format", "json"]).stdout).expect("JSON");
    let found: Vec<_> = json["findings"].as_array().expect("findings").iter().collect();
    assert_eq!(json["summary"]["errors"], 2, "{json}");
    assert_eq!(found[0]["message"], "`src/core/a.ts` and 2 more do not exist any more (5 places)");
    let related: Vec<String> = found[0]["related"]
        .as_array()
        .expect("places")
        .iter()
        .map(|place| {
            format!("{}:{} {}", place["path"].as_str().expect("a path"), place["start"]["line"], place["message"])
        })
        .collect();
    let want = [
        "AGENTS.md:1 \"`src/core/b.ts` does not exist any more\"",
        "AGENTS.md:3 \"again: `src/core/a.ts`\"",
        "AGENTS.md:5 \"`core/clock.ts` does not exist any more\"",
        "web/CLAUDE.md:1 \"again: `src/core/b.ts`\"",
    ];
    assert_eq!(related, want);
    assert_eq!(found[1]["message"], "`src/one.ts` was renamed to src/two.ts");
    let human = repo.run(&[]).stdout;
    assert!(human.contains("web/CLAUDE.md:1:2: again") && human.contains("Found 2 errors"), "{human}");
}

#[test]
fn paths_and_changes_choose_among_the_places_of_a_finding() {
    let repo = gone_folder();
    let web = repo.run(&["--format", "concise", "web"]).stdout;
    assert_eq!(web, "web/CLAUDE.md:1:2: error[stale-path] `src/core/b.ts` does not exist any more\n");
    repo.write("AGENTS.md", "`src/core/a.ts`, `src/core/a.ts`\n").git(&["add", "-A"]);
    let staged = repo.run(&["--staged", "--format", "concise"]).stdout;
    assert_eq!(staged, "AGENTS.md:1:2: error[stale-path] `src/core/a.ts` does not exist any more (2 places)\n");
}

#[test]
fn a_fix_reaches_every_place_of_a_finding() {
    let repo = Repo::with_files([
        ("AGENTS.md", "`src/one.ts` and `src/one.ts`\n"),
        ("web/CLAUDE.md", "`src/one.ts`\n"),
        ("src/one.ts", "export const one = 1;\n"),
    ]);
    repo.git(&["mv", "src/one.ts", "src/two.ts"]);
    repo.commit("rename");
    let run = repo.run(&["--fix"]);
    assert!(run.stdout.contains("Fixed 1 problem in 2 files"), "{run:?}");
    assert_eq!(repo.read("AGENTS.md"), b"`src/two.ts` and `src/two.ts`\n");
    assert_eq!(repo.read("web/CLAUDE.md"), b"`src/two.ts`\n");
}

#[test]
fn the_summary_counts_what_is_not_shown() {
    let repo = Repo::with_files([("AGENTS.md", "`docs/none.csv`\n"), ("docs/a.md", "x\n")]);
    let line = repo.run(&[]).stdout;
    assert!(line.starts_with("No problems found; checked 1 file"), "{line}");
    assert!(line.ends_with("\n1 info: `--min-level info`.\n"), "{line}");
    assert!(!repo.run(&["--min-level", "info"]).stdout.contains("--min-level"));
    repo.write("AGENTS.md", "`docs/none.csv`!\n").git(&["add", "-A"]);
    assert!(!repo.run(&["--staged"]).stdout.contains("--min-level"));
}

#[test]
fn a_source_beside_tracked_ones_is_missed_whatever_lies_or_is_ignored_at_the_root() {
    let text =
        "# Kit\n\n| File | Purpose |\n| --- | --- |\n| `app/main.py` | the start |\n| `app/rows.py` | the rows |\n";
    let repo = Repo::with_files([
        ("kit/CLAUDE.md", text),
        ("kit/app/main.py", "a = 1\n"),
        ("kit/app/cells.py", "b = 2\n"),
        ("CLAUDE.md", "Be brief.\n"),
    ]);
    let told = || {
        let run = repo.run(&["check", "--format", "concise", "--quiet", "--fail-on", "never"]);
        run.stdout.lines().filter(|line| line.contains("missing-path")).count()
    };
    assert_eq!(told(), 1);
    // The folder of that name at the root is another repository.
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},app", "1".repeat(40))]);
    repo.commit_staged("A submodule");
    assert_eq!(told(), 1);
    // A pattern for folders keeps git from no file that it has.
    repo.write(".gitignore", "app/\n");
    assert_eq!(told(), 1);
    repo.git(&["rm", "-q", "--cached", "kit/app/cells.py"]);
    repo.commit_staged("One of two");
    assert_eq!(told(), 0);
}
