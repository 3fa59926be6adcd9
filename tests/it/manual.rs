//! The manual pages that packages install: one for the program and one for each command, with all options.

use clap::CommandFactory as _;
use hintlint::cli::args::Cli;

use crate::support::Repo;

fn page(command: &[&str]) -> String {
    let run = Repo::plain_folder().run(&[&["manual"], command].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{command:?}: {run:?}");
    run.stdout
}

#[test]
fn each_command_has_a_page_with_its_options() {
    let program = page(&[]);
    assert!(program.contains(".TH HINTLINT 1") && program.contains(".SH SUBCOMMANDS"), "{program}");
    let mut options = 0;
    for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = command.get_name();
        assert!(
            program.contains(&format!("\nhintlint\\-{name}(1)\n")),
            "packages find the commands by this line: {name}"
        );
        let text = page(&[name]);
        assert!(text.contains(&format!(".TH HINTLINT-{} 1", name.to_uppercase())), "{text}");
        for option in command.get_arguments().filter(|option| !option.is_hide_set()).filter_map(clap::Arg::get_long) {
            assert!(text.contains(&format!("\\-\\-{}", option.replace('-', "\\-"))), "{name}: --{option}\n{text}");
            options += 1;
        }
    }
    assert!(options > 50, "only {options} options were looked at");
}

#[test]
fn a_command_that_is_not_there_has_none() {
    let run = Repo::plain_folder().run(&["manual", "lint"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("there is no command `lint`") && run.stderr.contains("--help"), "{run:?}");
}
