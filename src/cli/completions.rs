//! `hintlint completions`: what a shell needs to complete our commands, made from the command line's own definition, and the names
//! of hints and packages that the scripts ask for while somebody types.

use std::io::Write as _;

use clap::Command;
use clap_complete::Shell;

use super::{Console, pack, search};
use crate::base::error::Error;
use crate::cli::args::{CompletionsArgs, NamesOf};

/// How many names are offered.
const MAX_NAMES: usize = 1000;

/// Where names are offered: the command, and whose names.
const NAMED: [(&[&str], &str); 2] = [(&["pack", "load"], "packages"), (&["search"], "hints")];

/// Print the names that a completion script asks for. Errors print nothing, since the user is typing.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn names(of: NamesOf, console: &mut Console<'_>) -> Result<u8, Error> {
    let names = match of {
        NamesOf::Hints => search::names_of_hints(console),
        NamesOf::Packages => pack::names_of_packages(console),
    };
    let mut names: Vec<String> = names.unwrap_or_default().into_iter().filter(|name| is_plain(name)).collect();
    names.sort_unstable();
    names.dedup();
    let lines: String = names.iter().take(MAX_NAMES).map(|name| format!("{name}\n")).collect();
    console.stdout.write_all(lines.as_bytes())?;
    Ok(0)
}

/// Print the completions of `command`, the program's definition, for one shell.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn completions(args: &CompletionsArgs, command: Command, console: &mut Console<'_>) -> Result<u8, Error> {
    let command = visible(&command);
    let script = match args.shell {
        Shell::Bash => bash(&script(Shell::Bash, command)),
        Shell::Zsh => zsh(command),
        Shell::Fish => fish(script(Shell::Fish, command)),
        Shell::Elvish => elvish(script(Shell::Elvish, command)),
        Shell::PowerShell => powershell(script(Shell::PowerShell, command)),
        shell => script(shell, command),
    };
    console.stdout.raw()?.write_all(script.as_bytes())?;
    Ok(0)
}

/// Whether a shell takes `name` for one word whatever it does with it. Shells execute what stands in others: `$(...)`, backticks.
fn is_plain(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && !name.starts_with('-') && name.chars().all(is_plain)
}

/// The command without the commands that its help does not show.
fn visible(command: &Command) -> Command {
    // clap wants names that are never freed; this one is needed until the program ends.
    Command::new(&*command.get_name().to_owned().leak())
        .about(command.get_about().cloned().unwrap_or_default())
        .args(command.get_arguments())
        .subcommands(command.get_subcommands().filter(|command| !command.is_hide_set()).map(visible))
}

fn script(shell: Shell, command: Command) -> String {
    // The generator panics where it cannot write; a buffer cannot fail.
    let mut script = Vec::new();
    let mut command = command.version(env!("CARGO_PKG_VERSION"));
    clap_complete::generate(shell, &mut command, "hintlint", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// `script` with `text` behind `place`.
fn insert(script: &str, place: &str, text: &str) -> String {
    script.replacen(place, &format!("{place}{text}"), 1)
}

fn bash(script: &str) -> String {
    NAMED.iter().fold(script.to_owned(), |script, (path, of)| {
        let case = format!("        hintlint__subcmd__{})\n            opts=\"", path.join("__subcmd__"));
        insert(&script, &case, &format!("$(hintlint complete-names {of} 2>/dev/null) "))
    })
}

/// zsh's generator takes subcommands to come after positional arguments, and would complete nothing after `hintlint compile`.
/// To us the first word is the one or the other.
fn zsh(command: Command) -> String {
    let command = command.mut_subcommand("plan", |plan| without_paths("plan", &plan));
    let command = without_paths("hintlint", &command);
    let first_words = ["_hintlint_commands", "_hintlint__subcmd__plan_commands"];
    let script = first_words.into_iter().fold(script(Shell::Zsh, command), |script, commands| {
        script.replace(&format!("\":: :{commands}\""), &format!("\":: :{{ {commands}; _files }}\""))
    });
    let arguments = [
        ("name -- The name of the package'\\''s folder:", "packages"),
        ("query -- The question, in plain words:", "hints"),
    ];
    arguments.into_iter().fold(script, |script, (argument, of)| {
        let names = format!("{{ compadd -- ${{(f)\"$(hintlint complete-names {of} 2>/dev/null)\"}} }}");
        script.replace(&format!("{argument}_default"), &format!("{argument}{names}"))
    })
}

fn fish(script: String) -> String {
    NAMED.iter().fold(script, |script, (path, of)| {
        let deeper: String = path[1..].iter().map(|word| format!("; and __fish_seen_subcommand_from {word}")).collect();
        let when = format!("__fish_hintlint_using_subcommand {}{deeper}", path[0]);
        format!("{script}complete -c hintlint -n \"{when}\" -f -a \"(hintlint complete-names {of} 2>/dev/null)\"\n")
    })
}

fn elvish(script: String) -> String {
    NAMED.iter().fold(script, |script, (path, of)| {
        let case = format!("        &'hintlint;{}'= {{\n", path.join(";"));
        let ask = format!("e:hintlint complete-names {of} 2>/dev/null");
        insert(&script, &case, &format!("            nop ?({ask} | each {{|name| cand $name $name }})\n"))
    })
}

fn powershell(script: String) -> String {
    NAMED.iter().fold(script, |script, (path, of)| {
        let case = format!("        'hintlint;{}' {{\n", path.join(";"));
        let result = "[CompletionResult]::new($_, $_, [CompletionResultType]::ParameterValue, $_)";
        let ask = format!("hintlint complete-names {of} 2>$null");
        insert(&script, &case, &format!("            {ask} | ForEach-Object {{ {result} }}\n"))
    })
}

/// A command of that name without its positional arguments.
fn without_paths(name: &'static str, command: &Command) -> Command {
    Command::new(name)
        .about(command.get_about().cloned().unwrap_or_default())
        .args(command.get_arguments().filter(|arg| !arg.is_positional()))
        .subcommands(command.get_subcommands())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_executes_no_name() {
        for name in ["hello", "new-project.v2", "_x", "UPPER9"] {
            assert!(is_plain(name), "{name}");
        }
        for name in [
            "",
            "-rf",
            "$(reboot)",
            "`x`",
            "a b",
            "a;b",
            "a\nb",
            "a'b",
            "a\"b",
            "a|b",
            "*",
            "~",
            "\u{e9}",
            "a/b",
            "{a,b}",
        ] {
            assert!(!is_plain(name), "{name:?}");
        }
    }
}
