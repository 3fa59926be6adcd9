//! `hintlint check` as a user meets it: what is printed, how it exits, what switches, config, environment and suppressions do.

use std::process::Stdio;

use crate::support::{Repo, Run};

/// Two errors, a warning and an info, of which one can be fixed safely.
pub(crate) fn mixed() -> Repo {
    Repo::with_files([
        ("CLAUDE.md", "# Payments\n\nRead @docs/architecure.md first.\n"),
        ("api/CLAUDE.md", "# API\n\n<<<<<<< HEAD\nnpm\n=======\npnpm\n>>>>>>> main\n"),
        ("PLAN.md", "# Release\n\n-[ ] write the tests\n- [~] tag it\n"),
        ("docs/architecture.md", "# Architecture\n"),
    ])
}

/// The output without what differs from run to run: how long it took.
fn scrub(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(" in ") {
        Some((before, time)) if before.contains("; checked ") && time.ends_with("s.") => format!("{before} in TIME."),
        _ => line.to_owned(),
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

fn lines(run: &Run) -> Vec<&str> {
    run.stdout.lines().collect()
}

/// The names of the rules that `args` report, in order.
fn rules(repo: &Repo, args: &[&str]) -> Vec<String> {
    let run = repo.run(&[&["--format", "concise"], args].concat());
    assert!(run.code < 2, "{args:?}: {run:?}");
    let name = |line: &&str| line.split_once('[')?.1.split_once(']').map(|(name, _)| name.to_owned());
    lines(&run).iter().filter_map(name).collect()
}

#[test]
fn human_output_without_colour() {
    insta::assert_snapshot!(scrub(&mixed().run(&[]).stdout), @r#"
    error[missing-import]: `@docs/architecure.md` names no file: there is no
        docs/architecure.md
       ╭─[CLAUDE.md:3:6]
     2 │
     3 │ Read @docs/architecure.md first.
       ·      ────────────────────
       ╰────
      help: did you mean docs/architecture.md?
      agents: claude, merged

    warning[malformed-checkbox]: this is not a valid checkbox: a space is missing
        between the list marker and the box
       ╭─[PLAN.md:3:1]
     2 │
     3 │ -[ ] write the tests
       · ────
     4 │ - [~] tag it
       ╰────
      help: write `- [ ]` [safe fix]

    error[conflict-markers]: an unresolved merge conflict begins here
       ╭─[api/CLAUDE.md:3:1]
     2 │
     3 │ <<<<<<< HEAD
       · ────────────
     4 │ npm
     5 │ =======
       · ───┬───
       ·    ╰── the other side begins here
     6 │ pnpm
     7 │ >>>>>>> main
       · ──────┬─────
       ·       ╰── the conflict ends here
       ╰────
      help: keep one side and delete the marker lines

    Found 2 errors and 1 warning; checked 3 files in 2 directories in TIME.
    1 fixable with `--fix`.
    1 info: `--min-level info`.
    "#);
}

#[test]
fn human_output_with_colour() {
    let run = mixed().run(&["--color", "always", "PLAN.md"]);
    insta::assert_snapshot!(scrub(&run.stdout).replace('\u{1b}', "␛"), @r#"
    ␛[1;33mwarning[malformed-checkbox]␛[0m: this is not a valid checkbox: a space is missing
        between the list marker and the box
       ╭─[␛[36;1;4mPLAN.md:3:1␛[0m]
     ␛[2m2␛[0m │
     ␛[2m3␛[0m │ -[ ] write the tests
       · ␛[33;1m────␛[0m
     ␛[2m4␛[0m │ - [~] tag it
       ╰────
    ␛[36m  help: ␛[0mwrite `- [ ]` [safe fix]

    Found 0 errors and 1 warning; checked 1 file in 1 directory in TIME.
    1 fixable with `--fix`.
    1 info: `--min-level info`.
    "#);
}

#[test]
fn colour_is_asked_for_or_given_to_terminals_only() {
    let repo = mixed();
    let colored = |args: &[&str], variables: &[(&str, &str)]| {
        let output = repo.hintlint(repo.root()).args(args).envs(variables.iter().copied()).output().expect("it runs");
        Run::from(output).stdout.contains('\u{1b}')
    };
    assert!(!colored(&[], &[]), "a pipe is no terminal");
    assert!(colored(&["--color", "always"], &[]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[], &[("CLICOLOR_FORCE", "0")]));
    assert!(!colored(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(colored(&[], &[("HINTLINT_COLOR", "always")]));
    assert!(!colored(&[], &[("NO_COLOR", "1")]));
    for format in ["json", "sarif", "github", "markdown"] {
        assert!(!colored(&["--format", format, "--color", "always"], &[]), "{format} is for programs");
    }
}

#[test]
fn no_problems_and_no_hint_files_are_said_in_words() {
    let clean = Repo::with_files([("AGENTS.md", "Build with make.\n"), ("api/AGENTS.md", "Build with cargo.\n")]);
    let run = clean.run(&[]);
    assert_eq!(scrub(&run.stdout), "No problems found; checked 2 files in 2 directories in TIME.\n");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let none = Repo::with_files([("src/main.rs", "fn main() {}\n")]);
    let run = none.run(&[]);
    assert_eq!(run.stdout, "No hint files found, such as AGENTS.md or CLAUDE.md; nothing was checked.\n");
    assert_eq!(run.code, 0);
    for quiet in [&clean, &none] {
        let run = quiet.run(&["-q"]);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    }
}

#[test]
fn quiet_leaves_the_findings_and_drops_the_summary() {
    let repo = mixed();
    let (loud, quiet) = (repo.run(&[]).stdout, repo.run(&["-q"]).stdout);
    assert!(loud.starts_with(&quiet) && loud.len() > quiet.len());
    assert!(!quiet.contains("checked"), "{quiet}");
}

/// What was read, as what and by whom; what was left out, and why. On stderr, so that reports stay what they are.
#[test]
fn verbose_says_what_is_read_and_why() {
    let repo = Repo::with_files([
        ("hintlint.toml", "exclude = [\"old/\"]\n"),
        ("CLAUDE.md", "Read @docs/style.md first.\n"),
        ("docs/style.md", "Short sentences.\n"),
        ("old/CLAUDE.md", "Long ago.\n"),
    ]);
    repo.symlink("AGENTS.md", "CLAUDE.md").commit("link");
    let run = repo.run(&["-v", "--format", "concise"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    insta::assert_snapshot!(run.stderr.replace(&*repo.root().to_string_lossy(), "{ROOT}"), @r#"
    hintlint: reading the worktree of {ROOT}
    hintlint: config: hintlint.toml
    hintlint: agents: claude (CLAUDE.md)
    hintlint: not checked: AGENTS.md: link to CLAUDE.md, checked there
    hintlint: checked: CLAUDE.md, as claude-md, read by claude, merged
    hintlint: checked: docs/style.md, as imported, read by claude, merged
    hintlint: not checked: old/CLAUDE.md: excluded by `old/`
    "#);
}

#[test]
fn exit_codes() {
    let repo = mixed();
    let clean = Repo::with_files([("AGENTS.md", "Build with make.\n")]);
    let warning = Repo::with_files([("PLAN.md", "-[ ] write the tests\n")]);
    let cases: &[(&Repo, &[&str], i32)] = &[
        (&clean, &[], 0),
        (&clean, &["--diff"], 0),
        (&repo, &[], 1),
        (&repo, &["--fail-on", "never"], 0),
        (&repo, &["--rev", "HEAD"], 1),
        (&repo, &["--staged", "--all"], 1),
        (&warning, &[], 0),
        (&warning, &["--fail-on", "warning"], 1),
        (&warning, &["--fail-on", "info"], 1),
        (&warning, &["--diff"], 1),
        (&warning, &["--fail-on", "never", "--diff"], 1),
        (&repo, &["--rev", "HEAD", "--fix"], 2),
        (&repo, &["--rev", "nothing"], 2),
        (&repo, &["--no-such-switch"], 2),
        (&repo, &["--format", "xml"], 2),
        (&repo, &["--config", "nothing.toml"], 2),
        (&repo, &["nothing.md"], 2),
        (&repo, &["--output", "no/such/folder/report.txt"], 2),
        (&repo, &["--help"], 0),
        (&repo, &["--version"], 0),
    ];
    for (repo, args, code) in cases {
        let run = repo.run(args);
        assert_eq!(run.code, *code, "{args:?}: {run:?}");
        assert_eq!(run.stderr.is_empty(), *code != 2, "{args:?}: errors are explained on stderr, and only those");
    }
}

#[test]
fn fixing_exits_by_what_remains() {
    let repo = Repo::with_files([("PLAN.md", "-[ ] write the tests\n")]);
    assert_eq!(repo.run(&["--fix", "--fail-on", "warning"]).code, 0);
    let repo = mixed();
    assert_eq!(repo.run(&["--fix"]).code, 1, "the errors remain");
    assert_eq!(repo.read("PLAN.md"), b"# Release\n\n- [ ] write the tests\n- [~] tag it\n");
}

#[test]
fn staged_fixes_that_were_written_fail_the_commit() {
    let repo = Repo::with_files([("AGENTS.md", "Build with make.\n")]);
    repo.write("PLAN.md", "-[ ] write the tests\n").add();
    let run = repo.run(&["--staged", "--fix"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("git add PLAN.md"), "{run:?}");
    repo.add();
    assert_eq!(repo.run(&["--staged", "--fix"]).code, 0);
}

#[test]
fn levels_shown_and_levels_failed_on() {
    let repo = mixed();
    let errors = ["missing-import", "conflict-markers"];
    let warnings = ["missing-import", "malformed-checkbox", "conflict-markers"];
    let infos = ["missing-import", "malformed-checkbox", "unknown-task-state", "conflict-markers"];
    assert_eq!(rules(&repo, &[]), warnings);
    assert_eq!(rules(&repo, &["--min-level", "error"]), errors);
    assert_eq!(rules(&repo, &["--min-level", "info"]), infos);
    assert_eq!(rules(&repo, &["--min-level", "error", "--fail-on", "warning"]), warnings, "what fails is shown");
    assert_eq!(rules(&repo, &["--fail-on", "info"]), infos);
    assert_eq!(rules(&repo, &["--fail-on", "never"]), warnings);
}

#[test]
fn selected_rules_are_shown_at_any_level() {
    let repo = mixed();
    assert_eq!(rules(&repo, &["--select", "unknown-task-state"]), ["unknown-task-state"]);
    assert_eq!(rules(&repo, &["--select", "plans"]), ["malformed-checkbox", "unknown-task-state"]);
    assert_eq!(rules(&repo, &["--select", "plans,imports"]).len(), 3);
    assert_eq!(rules(&repo, &["--select", "plans", "--ignore", "malformed-checkbox"]), ["unknown-task-state"]);
    assert_eq!(rules(&repo, &["--ignore", "plans,imports"]), ["conflict-markers"]);
    assert_eq!(rules(&repo, &["--ignore", "all"]), [""; 0]);
    assert_eq!(rules(&repo, &["--select", "all"]).len(), 4);
    assert_eq!(rules(&repo, &["--select", "unknown-task-state", "--min-level", "error"]), ["unknown-task-state"]);
}

#[test]
fn the_environment_mirrors_switches() {
    let repo = mixed();
    let run = |variables: &[(&str, &str)], args: &[&str]| {
        Run::from(repo.hintlint(repo.root()).args(args).envs(variables.iter().copied()).output().expect("it runs"))
    };
    let set = [("HINTLINT_FORMAT", "concise"), ("HINTLINT_SELECT", "plans"), ("HINTLINT_FAIL_ON", "warning")];
    let by_variables = run(&set, &[]);
    assert_eq!((by_variables.stdout.lines().count(), by_variables.code), (2, 1), "{by_variables:?}");
    let by_switch = run(&set, &["--select", "imports", "--fail-on", "never"]);
    assert_eq!((by_switch.stdout.lines().count(), by_switch.code), (1, 0), "a switch is stronger: {by_switch:?}");
    let min = run(&[("HINTLINT_MIN_LEVEL", "error"), ("HINTLINT_IGNORE", "imports")], &["--format", "concise"]);
    assert_eq!(min.stdout.lines().count(), 1, "{min:?}");
    let unset = run(&[("HINTLINT_SELECT", ""), ("HINTLINT_FORMAT", ""), ("HINTLINT_CONFIG", "")], &[]);
    assert_eq!(unset.code, 1, "an empty variable is as good as none: {unset:?}");
}

#[test]
fn levels_in_the_config() {
    let repo = mixed();
    let with = |config: &str| {
        repo.write("hintlint.toml", config);
        rules(&repo, &[])
    };
    assert_eq!(with("[rules]\nmissing-import = \"off\"\nplans = \"off\"\n"), ["conflict-markers"]);
    assert_eq!(with("[rules]\nmissing-import = \"info\"\nconflict-markers = \"info\"\n"), ["malformed-checkbox"]);
    assert_eq!(with("[rules]\nplans = \"error\"\n").len(), 4, "a configured level replaces all levels of a rule");
    for order in
        ["plans = \"off\"\nunknown-task-state = \"error\"\n", "unknown-task-state = \"error\"\nplans = \"off\"\n"]
    {
        let found = with(&format!("[rules]\n{order}"));
        assert_eq!(
            found,
            ["missing-import", "unknown-task-state", "conflict-markers"],
            "a rule is stronger than its group"
        );
    }
    repo.write("hintlint.toml", "[rules]\nplans = \"off\"\n");
    assert_eq!(rules(&repo, &["--select", "plans"]).len(), 2, "who asks for a rule gets it");
    assert_eq!(rules(&repo, &["--no-config"]).len(), 3);
    repo.write("other.toml", "[rules]\nimports = \"off\"\n");
    assert_eq!(rules(&repo, &["--config", "other.toml"]), ["malformed-checkbox", "conflict-markers"]);
}

#[test]
fn overrides_and_exceptions_in_the_config() {
    let repo = mixed();
    let with = |config: &str| {
        repo.write("hintlint.toml", config);
        rules(&repo, &["--ignore", "meta"])
    };
    let rest = ["missing-import", "malformed-checkbox"];
    assert_eq!(with("[[overrides]]\npaths = [\"api/**\"]\nrules = { conflict-markers = \"off\" }\n"), rest);
    let later = "[rules]\ncontext = \"off\"\n[[overrides]]\npaths = [\"api/\"]\nrules = { context = \"error\" }\n";
    assert_eq!(with(later).len(), 3, "an override is stronger than the table for all paths");
    assert_eq!(with("[rules]\nconflict-markers = { allow = [\"api/**\"] }\n"), rest);
    let word = "[rules]\nmissing-import = { allow = [\"docs/architecure.md\"] }\n";
    assert_eq!(with(word), ["malformed-checkbox", "conflict-markers"]);
    assert_eq!(with("exclude = [\"api/\", \"PLAN.md\"]\n"), ["missing-import"]);
}

#[test]
fn allowed_code_points() {
    let repo = Repo::with_files([("AGENTS.md", "one\u{2062}two\n\nBuild ma\u{200b}ke.\n")]);
    let found = rules(&repo, &["--select", "unicode"]);
    assert_eq!(found.len(), 2, "{found:?}");
    repo.write("hintlint.toml", "[rules]\nunicode = { allow = [\"U+2062\"] }\n");
    assert_eq!(rules(&repo, &["--select", "unicode"]), ["zero-width"]);
}

#[test]
fn suppressions() {
    let text = "\
# Imports

<!-- hintlint-ignore missing-import: comes with the next release -->
Read @docs/next.md now
and @docs/then.md later.

Read @docs/never.md.

<!-- hintlint-ignore imports, plans: a group stands for its rules -->
- @docs/group.md
- @docs/group2.md

A [^note] in the middle <!-- hintlint-ignore missing-import: in its own paragraph --> of @docs/inside.md.
";
    let repo = Repo::with_files([("CLAUDE.md", text)]);
    let found = lines(&repo.run(&["--format", "concise"])).iter().map(|l| l.to_string()).collect::<Vec<_>>();
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("CLAUDE.md:7:6: error[missing-import]"), "{found:#?}");
    assert!(found[1].contains("warning[unused-suppression] there is no `plans` finding here"), "{found:#?}");

    let whole = "<!-- hintlint-ignore-file missing-import: a template -->\n\n@a.md\n\n@b.md\n";
    assert_eq!(rules(&Repo::with_files([("CLAUDE.md", whole)]), &[]), [""; 0]);

    let yaml = "---\n# hintlint-ignore unknown-field: our own tool reads it\nreviewer: Jo\nowner: Bo\n---\n\nText.\n";
    let repo = Repo::with_files([(".cursor/rules/a.mdc", yaml)]);
    let found = repo.run(&["--format", "concise", "--select", "unknown-field"]).stdout;
    assert!(found.lines().count() == 1 && found.contains("`owner`"), "{found}");
}

#[test]
fn suppressions_that_do_nothing_are_findings() {
    for (comment, expected) in [
        ("<!-- hintlint-ignore missing-import -->", "needs a reason"),
        ("<!-- hintlint-ignore missing-import: -->", "needs a reason after the colon"),
        ("<!-- hintlint-ignore: why not -->", "needs the name of a rule"),
        ("<!-- hintlint-disable missing-import: no such word -->", "`hintlint-disable` is not known"),
    ] {
        let repo = Repo::with_files([("CLAUDE.md", format!("{comment}\n@none.md\n"))]);
        let run = repo.run(&["--format", "concise"]);
        let [unused, import] = lines(&run)[..] else { panic!("{run:?}") };
        assert!(unused.contains("[unused-suppression]") && unused.contains(expected), "{run:?}");
        assert!(import.contains("[missing-import]"), "what cannot be understood silences nothing: {run:?}");
    }
    let repo = Repo::with_files([("CLAUDE.md", "<!-- hintlint-ignore missing-imports: why -->\nText.\n")]);
    assert_eq!(rules(&repo, &[]), ["unknown-rule"]);
}

#[test]
fn what_a_file_may_not_silence_in_itself() {
    let silence = |rule: &str, text: &str| {
        format!("<!-- hintlint-ignore-file {rule}: trust me -->\n\n<!-- hintlint-ignore {rule}: trust me -->\n{text}\n")
    };
    for (rule, text) in [
        ("conflict-markers", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main"),
        ("import-escapes-repository", "@../secrets.md"),
        ("hidden-tags", "Text\u{e0041}\u{e0042}\u{e0043}."),
        ("unicode", "Text\u{e0041}\u{e0042}\u{e0043}."),
    ] {
        let repo = Repo::with_files([("CLAUDE.md", silence(rule, text))]);
        let run = repo.run(&["--format", "concise"]);
        assert_eq!(run.code, 1, "{rule}: {run:?}");
        assert!(run.stdout.contains("error["), "{rule}: {run:?}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let text: String = (0..2000).map(|n| format!("@none{n}.md\n\n")).collect();
    let repo = Repo::with_files([("CLAUDE.md", text)]);
    for format in ["human", "concise", "json", "sarif", "markdown"] {
        let mut child = repo
            .hintlint(repo.root())
            .args(["--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{format}");
        assert!(output.status.code().is_some_and(|code| code < 2), "{format}: {output:?}");
    }
}

#[test]
fn named_files_are_checked_even_if_excluded() {
    let repo = Repo::with_files([
        ("hintlint.toml", "exclude = [\"old/\"]\n"),
        (".gitignore", "*.local.md\n"),
        ("old/CLAUDE.md", "@none.md\n"),
        ("notes.md", "@none.md, and ma\u{200b}ke.\n"),
    ]);
    repo.write("CLAUDE.local.md", "@none.md\n");
    assert_eq!(rules(&repo, &[]), [""; 0]);
    assert_eq!(rules(&repo, &["old"]), [""; 0], "a directory is no file");
    assert_eq!(rules(&repo, &["old/CLAUDE.md"]), ["missing-import"]);
    assert_eq!(rules(&repo, &["old/CLAUDE.md", "--force-exclude"]), [""; 0]);
    assert_eq!(rules(&repo, &["CLAUDE.local.md"]), ["missing-import"], "ignored by git, but named");
    assert!(rules(&repo, &["notes.md"]).contains(&"zero-width".to_owned()), "any file, as Markdown");
    let absolute = repo.at("old/CLAUDE.md");
    assert_eq!(rules(&repo, &[&absolute.to_string_lossy()]), ["missing-import"]);
    let run = repo.run(&["CLAUDE.local.md", "../home"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("../home lies outside the repository"), "{run:?}");
}

#[test]
fn directories_limit_the_report_and_not_the_load() {
    let repo = Repo::with_files([
        ("CLAUDE.md", "@docs/a.md\n\n@none.md\n"),
        ("docs/a.md", "@b.md\n"),
        ("docs/b.md", "@a.md\n\n@gone.md\n"),
    ]);
    let run = repo.run(&["--format", "concise", "docs"]);
    assert!(lines(&run).iter().all(|line| line.starts_with("docs/")), "{run:?}");
    assert!(
        run.stdout.contains("[missing-import]"),
        "docs/b.md is a hint file only because CLAUDE.md imports it: {run:?}"
    );
    assert!(run.stdout.contains("[import-cycle]"), "{run:?}");
    let below = repo.run_in(&repo.at("docs"), &["--format", "concise"]);
    let whole = repo.run(&["--format", "concise"]);
    assert_eq!(lines(&below).len(), lines(&whole).len(), "no path means the whole repository");
    let line = |line: &str| line.strip_prefix("docs/").map_or_else(|| format!("../{line}"), str::to_owned);
    let reached: Vec<String> = lines(&whole).into_iter().map(line).collect();
    assert_eq!(lines(&below), reached, "paths are given as reached from there");
    let dot = repo.run_in(&repo.at("docs"), &["--format", "concise", "."]);
    assert_eq!(dot.stdout, run.stdout.replace("\ndocs/", "\n").trim_start_matches("docs/"));
}

#[test]
fn a_command_wins_over_a_folder_of_its_name() {
    let repo = Repo::with_files([("files/CLAUDE.md", "@none.md\n"), ("CLAUDE.md", "Text.\n")]);
    let command = repo.run(&["files"]);
    assert_eq!(command.code, 0, "{command:?}");
    assert!(command.stdout.contains("CLAUDE.md") && !command.stdout.contains("missing-import"), "{command:?}");
    assert_eq!(rules(&repo, &["./files"]), ["missing-import"]);
    assert_eq!(rules(&repo, &["--", "files"]), ["missing-import"]);
}

#[test]
fn a_nested_repository_is_another_repository() {
    let repo = Repo::with_files([("CLAUDE.md", "Text.\n")]);
    repo.write("inner/CLAUDE.md", "@none.md\n");
    repo.git(&["init", "-q", "inner"]);
    assert_eq!(rules(&repo, &[]), [""; 0]);
    let run = repo.run_in(&repo.at("inner"), &["--format", "concise"]);
    assert!(run.stdout.starts_with("CLAUDE.md:1:1: error[missing-import]"), "{run:?}");
    let named = repo.run(&["--format", "concise", "inner/CLAUDE.md"]);
    assert!(named.stdout.starts_with("inner/CLAUDE.md:1:1: error[missing-import]"), "{named:?}");
}

/// A branch that breaks one file by deleting what it imports, and one whose defects are older.
#[test]
fn since_reports_what_the_branch_caused_or_touched() {
    let repo = Repo::with_files([
        ("CLAUDE.md", "See @docs/style.md.\n"),
        ("docs/style.md", "# Style\n"),
        ("old/CLAUDE.md", "See @none.md.\n"),
        ("other/CLAUDE.md", "# Other\n"),
    ]);
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.remove("docs/style.md");
    repo.write("other/CLAUDE.md", "# Other\n\n@gone.md\n");
    repo.commit("break");
    let paths = |args: &[&str]| -> Vec<String> {
        let run = repo.run(&[&["--format", "concise"], args].concat());
        run.stdout.lines().map(|line| line.split(':').next().unwrap_or("").to_owned()).collect()
    };
    assert_eq!(paths(&["--since", "main"]), ["CLAUDE.md", "other/CLAUDE.md"]);
    assert_eq!(paths(&["--since", "main", "--all"]), ["CLAUDE.md", "old/CLAUDE.md", "other/CLAUDE.md"]);
    assert_eq!(paths(&["--since", "main", "other"]), ["other/CLAUDE.md"]);
    assert!(paths(&["--since", "HEAD"]).is_empty());
    // What the other branch did since is not this one's doing.
    repo.git(&["switch", "-q", "main"]);
    repo.write("old/CLAUDE.md", "# Old\n").commit("fix");
    repo.git(&["switch", "-q", "side"]);
    assert_eq!(paths(&["--since", "main"]), ["CLAUDE.md", "other/CLAUDE.md"]);
    // What is not committed yet counts too.
    repo.write("new/CLAUDE.md", "See @nothing.md.\n");
    assert_eq!(paths(&["--since", "main"]), ["CLAUDE.md", "new/CLAUDE.md", "other/CLAUDE.md"]);
    for (args, why) in [
        (&["--since", "mian"][..], "did you mean"),
        (&["--since", "main", "--staged"], "cannot be used with"),
        (&["--since", "main", "--rev", "HEAD"], "cannot be used with"),
    ] {
        let run = repo.run(args);
        assert!(run.code == 2 && run.stderr.contains(why), "{args:?}: {run:?}");
    }
    let outside = Repo::plain_folder().run(&["--since", "main"]);
    assert!(outside.code == 2 && outside.stderr.contains("not a git repository"), "{outside:?}");
}

/// Codex follows no imports, Claude does: the same file is judged for whom it is asked.
#[test]
fn agent_replaces_the_agents_of_the_config() {
    let repo =
        Repo::with_files([("AGENTS.md", "# Shop\n"), ("CLAUDE.md", "Read @docs/a.md\n"), ("docs/a.md", "# A\n")]);
    let agents = |args: &[&str]| {
        let run = repo.run(&[&["-v"], args].concat());
        let line = run.stderr.lines().find(|line| line.starts_with("hintlint: agents: ")).expect("a line").to_owned();
        line.trim_start_matches("hintlint: agents: ")
            .split(", ")
            .map(|agent| agent.split(' ').next().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(agents(&["--agent", "codex"]), ["codex"]);
    assert_eq!(agents(&["--agent", "codex,gemini"]), ["codex", "gemini"]);
    assert_eq!(agents(&["--agent", "gemini", "--agent", "codex"]), ["gemini", "codex"]);
    repo.write("hintlint.toml", "agents = [\"goose\"]\n");
    assert_eq!(agents(&[]), ["goose"]);
    assert_eq!(agents(&["--agent", "claude"]), ["claude"], "the command line wins");
}

/// Alone, and giving way to a switch.
#[test]
fn every_variable_does_what_its_switch_does() {
    let repo = mixed();
    repo.write("own.toml", "[rules]\nimports = \"off\"\n");
    let run = |set: &[(&str, &str)], args: &[&str]| -> Run {
        let mut command = repo.hintlint(repo.root());
        command.args(args).envs(set.iter().copied()).output().expect("it starts").into()
    };
    for (name, value, switch) in [
        ("HINTLINT_FORMAT", "json", "--format"),
        ("HINTLINT_SELECT", "plans,missing-import", "--select"),
        ("HINTLINT_IGNORE", "plans", "--ignore"),
        ("HINTLINT_MIN_LEVEL", "error", "--min-level"),
        ("HINTLINT_FAIL_ON", "never", "--fail-on"),
        ("HINTLINT_CONFIG", "own.toml", "--config"),
        ("HINTLINT_COLOR", "always", "--color"),
    ] {
        let quiet = ["-q"];
        let (by_variable, by_switch) = (run(&[(name, value)], &quiet), run(&[], &["-q", switch, value]));
        assert_eq!((by_variable.code, &by_variable.stdout), (by_switch.code, &by_switch.stdout), "{name}");
        let plain = run(&[], &quiet);
        assert_ne!((plain.code, &plain.stdout), (by_switch.code, &by_switch.stdout), "{name} changes nothing here");
    }
    let written = run(&[("HINTLINT_OUTPUT", "report.txt")], &[]);
    assert_eq!((written.code, written.stdout.as_str()), (1, ""));
    assert!(String::from_utf8_lossy(&repo.read("report.txt")).contains("missing-import"));
    let both =
        run(&[("HINTLINT_FORMAT", "json"), ("HINTLINT_CONFIG", "own.toml")], &["--format", "concise", "--no-config"]);
    assert!(both.stdout.contains(": error[missing-import] "), "{both:?}");
    let wrong = run(&[("HINTLINT_MIN_LEVEL", "loud")], &[]);
    assert!(wrong.code == 2 && wrong.stderr.contains("loud"), "{wrong:?}");
}
