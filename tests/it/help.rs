//! The first hour: what `--help` shows, and what a mistake is answered. All through the real program at 80 columns.

use clap::{CommandFactory, Parser};
use hintlint::cli::args::Cli;

use crate::support::{Repo, Run};

fn run(repo: &Repo, args: &[&str]) -> Run {
    repo.hintlint(repo.root()).env("COLUMNS", "80").args(args).output().expect("hintlint starts").into()
}

/// What the program answers to a mistake, with its folder's name taken out.
fn mistake(repo: &Repo, args: &[&str]) -> String {
    let run = run(repo, args);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}: {run:?}");
    run.stderr.replace(&repo.root().display().to_string(), "ROOT")
}

#[test]
fn help_fits_a_screen_and_its_example_works() {
    let repo = Repo::plain_folder();
    let program = Cli::command();
    let commands = program.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help");
    let mut seen = 0;
    for name in [""].into_iter().chain(commands) {
        let args: Vec<&str> = [name, "--help"].into_iter().filter(|arg| !arg.is_empty()).collect();
        let help = run(&repo, &args);
        assert_eq!((help.code, help.stderr.as_str()), (0, ""), "{name}");
        let lines: Vec<&str> = help.stdout.lines().collect();
        assert!(lines.len() <= 40, "{name}: {} lines\n{}", lines.len(), help.stdout);
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{name} is too wide\n{}", help.stdout);
        let example = lines.iter().find_map(|line| line.strip_prefix("Example: "));
        let example = example.unwrap_or_else(|| panic!("{name} has no example\n{}", help.stdout));
        let words = example.split(" > ").next().expect("a command").split(' ');
        assert!(Cli::try_parse_from(words).is_ok(), "the example of {name} is no valid command: {example}");
        assert!(example.starts_with(format!("hintlint {name}").trim()), "the example of {name} shows another command");
        seen += 1;
    }
    assert!(seen > 8, "only {seen} commands were looked at");
}

#[test]
fn a_commands_help() {
    let repo = Repo::plain_folder();
    insta::assert_snapshot!(run(&repo, &["init", "--help"]).stdout, @r"
    Write a config, a hint template, hooks or a workflow

    Usage: hintlint init [OPTIONS]

    Options:
          --hints          Write a .dexhints template instead of hintlint.toml
          --pre-commit     Write .pre-commit-config.yaml, or print what to add
          --workflow       Write .github/workflows/hintlint.yml
          --agent-hooks    Register hooks that give an agent plans and rules
          --agent <AGENT>  claude (the default), codex, copilot, gemini or qwen
          --user           With --agent-hooks: in your own settings, not here
          --remove         With --agent-hooks: remove the hooks
      -h, --help           Print help

    Example: hintlint init --pre-commit --workflow
    ");
    insta::assert_snapshot!(run(&repo, &["explain", "--help"]).stdout, @r"
    Explain one rule

    Usage: hintlint explain <RULE>

    Arguments:
      <RULE>  The rule's name

    Options:
      -h, --help  Print help

    Example: hintlint explain hidden-tags
    ");
}

#[test]
fn a_mistyped_command_or_switch_is_guessed() {
    let repo = Repo::new();
    insta::assert_snapshot!(mistake(&repo, &["chek"]), @r"
    hintlint: there is no file or directory chek
      help: did you mean the command `check`?
    ");
    insta::assert_snapshot!(mistake(&repo, &["compile", "--chek"]), @r"
    error: unexpected argument '--chek' found

      tip: a similar argument exists: '--check'

    Usage: hintlint compile --check [DIR]...

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(mistake(&repo, &["--format", "jsn"]), @r"
    error: invalid value 'jsn' for '--format <FORMAT>'
      [possible values: human, concise, json, sarif, github, markdown, gitlab, junit, rdjson]

      tip: a similar value exists: 'json'

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(mistake(&repo, &["--select", "missing-imprt"]), @r"
    hintlint: there is no rule or group `missing-imprt`
      help: did you mean `missing-import`?
    ");
    insta::assert_snapshot!(mistake(&repo, &["explain", "missing-imprt"]), @r"
    hintlint: there is no rule `missing-imprt`
      help: did you mean `missing-import`?
    ");
    let program = Cli::command();
    let offered = program.get_subcommands().filter(|command| !command.is_hide_set());
    let commands = offered.map(|command| command.get_name().to_owned()).collect::<Vec<_>>();
    for name in commands.iter().filter(|name| name.len() > 4) {
        let mistyped = format!("{}x", &name[..name.len() - 1]);
        let answer = mistake(&repo, &[&mistyped]);
        assert!(answer.contains(&format!("the command `{name}`")), "{mistyped}: {answer}");
    }
}

#[test]
fn what_is_not_there_is_named() {
    let repo = Repo::new();
    insta::assert_snapshot!(mistake(&repo, &["docs/nothing.md"]), @r"
    hintlint: there is no file or directory docs/nothing.md
      help: `hintlint files` lists what can be checked
    ");
    insta::assert_snapshot!(mistake(&repo, &["--config", "nothing.toml"]), @r"
    hintlint: cannot read the config nothing.toml: No such file or directory (os error 2)
      help: name a file that exists, or leave --config away to read the repository's own
    ");
    insta::assert_snapshot!(mistake(&repo, &["show", "claude"]), @"hintlint: ROOT/claude is not a directory; did you mean `--agent claude`?");
    insta::assert_snapshot!(mistake(&repo, &["--rev", "HEAD"]), @r"
    hintlint: ROOT: there is no commit yet
      help: commit first, or leave the revision out
    ");
    insta::assert_snapshot!(mistake(&Repo::plain_folder(), &["--staged"]), @r"
    hintlint: ROOT: this is not a git repository, so there are no staged files
      help: run it inside a repository; plain `hintlint` checks a folder's files
    ");
}

#[test]
fn an_empty_repository_has_nothing_to_check() {
    let (none, nothing) = ("No hint files found", "Nothing changed, so nothing was checked");
    for (repo, args, said) in
        [(Repo::new(), &[][..], none), (Repo::new(), &["--staged"], nothing), (Repo::plain_folder(), &[], none)]
    {
        let run = run(&repo, args);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
        assert!(run.stdout.starts_with(said), "{run:?}");
    }
}

#[test]
fn a_file_may_be_called_like_a_switch() {
    let repo = Repo::with_files([("-x", "See @gone.md.\n")]);
    assert!(mistake(&repo, &["-x"]).contains("to pass '-x' as a value, use '-- -x'"));
    for path in [&["./-x"][..], &["--", "-x"], &["check", "--", "-x"]] {
        let run = run(&repo, path);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.stdout.contains("checked 1 file"), "{run:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_a_failure_with_its_name() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::with_files([("AGENTS.md", "x\n"), ("sub/CLAUDE.md", "See @gone.md\n")]);
    std::fs::set_permissions(repo.at("AGENTS.md"), std::fs::Permissions::from_mode(0o000)).expect("chmod");
    if std::fs::read(repo.at("AGENTS.md")).is_ok() {
        crate::clients::skip("root reads everything; nothing was tested without permission");
        return;
    }
    let run = run(&repo, &["--format", "concise"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(format!("{}{}", run.stdout, run.stderr).contains("AGENTS.md"), "{run:?}");
    assert!(run.stdout.contains("missing-import"), "other findings are shown all the same: {run:?}");
}
