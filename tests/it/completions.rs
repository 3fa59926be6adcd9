//! `completions`: each real shell loads its script and is asked for candidates; PowerShell's is read by a parser of it.

use crate::clients;
use crate::packaging::search_path;
use crate::support::{Repo, Run};

/// A shell that is told, by `asks`, to load the file `script`, to complete each line of the file `typed`, and to write for
/// each a line of candidates to the file `answers`.
struct Shell {
    name: &'static str,
    args: &'static [&'static str],
    asks: &'static str,
    /// Where the shell looks for `asks`, from the repository.
    file: &'static str,
    /// Whether it completes on a terminal only.
    terminal: bool,
}

const BASH: Shell = Shell {
    name: "bash",
    args: &["--norc", "asks"],
    asks: r#"
source ./script || exit
[[ $(complete -p hintlint) == *' -F _hintlint '* ]] || exit
while IFS= read -r typed; do
    COMP_WORDS=($typed) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _hintlint hintlint "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"
done <typed >answers
"#,
    file: "asks",
    terminal: false,
};

const FISH: Shell = Shell {
    name: "fish",
    args: &["--no-config", "asks"],
    asks: r"
source script; or exit
while read typed
    printf '%s ' (complete -C $typed | string split -f1 \t)
    echo
end <typed >answers
",
    file: "asks",
    terminal: false,
};

/// zsh answers with the line as its editor completes it: a candidate only if there is no other.
const ZSH: Shell = Shell {
    name: "zsh",
    args: &["-d", "-i"],
    asks: r"
autoload -Uz compinit
compinit -u -D
source ./script || exit
zle-line-init() {
    while IFS= read -r BUFFER; do
        CURSOR=$#BUFFER
        zle complete-word
        print -r -- ${${=BUFFER}[-1]}
    done <typed >answers
    exit
}
zle -N zle-line-init
",
    file: "../home/.zshrc",
    terminal: true,
};

const ELVISH: Shell = Shell {
    name: "elvish",
    args: &["-rc", "asks"],
    asks: r"
use str
try {
    eval (slurp < script)
    {
        for typed [(from-lines < typed)] {
            $edit:completion:arg-completer[hintlint] (str:split ' ' $typed) | each {|candidate| print $candidate[stem]' ' }
            echo
        }
    } > answers
} finally {
    exit
}
",
    file: "asks",
    terminal: true,
};

/// Runs its arguments on a terminal of their own, for a minute at most.
const TERMINAL: &str = "import pty, signal, sys; signal.alarm(60); sys.exit(pty.spawn(sys.argv[1:]) != 0)";

impl Shell {
    /// The candidates for each line of `typed` that begin as its last word does, and how the shell ended. `None` where it is
    /// absent.
    fn complete(&self, script: &str, typed: &[&str]) -> Option<(Vec<Vec<String>>, Run)> {
        let program = clients::find(self.name)?;
        let repo = Repo::with_files([
            ("AGENTS.md", "# Shop\n"),
            ("hints/deploy/hint.md", "Deploy.\n"),
            ("hints/de$(touch pwned)/hint.md", "No.\n"),
            ("src/hints/new-project-setup.md", "---\ndescription: d\n---\n"),
            ("src/hints/new-`touch pwned`.md", "---\ndescription: d\n---\n"),
        ]);
        repo.write("script", script).write("typed", typed.join("\n") + "\n").write(self.file, self.asks);
        let mut command = match self.terminal {
            true => repo.command(clients::find("python3")?.to_str().expect("a path in UTF-8"), repo.root()),
            false => repo.command(program.to_str().expect("a path in UTF-8"), repo.root()),
        };
        if self.terminal {
            // Elvish keeps its sockets below the one folder, which must be short, and zsh knows terminals by their name.
            command.args(["-c", TERMINAL]).arg(&program).env("XDG_RUNTIME_DIR", repo.home()).env("TERM", "dumb");
        }
        // The scripts ask the program for names.
        command.env("PATH", search_path());
        let run: Run = command.args(self.args).output().expect("the shell starts").into();
        assert!(!repo.at("pwned").exists(), "{} executes a name", self.name);
        let answers = std::fs::read_to_string(repo.at("answers")).unwrap_or_default();
        let mut lines = answers.lines();
        let complete = |typed: &&str| {
            let begun = typed.rsplit(' ').next().unwrap_or_default();
            let candidates = lines.next().unwrap_or_default().split_whitespace();
            candidates
                .map(|word| word.trim_end_matches('=').to_owned())
                .filter(|word| word.starts_with(begun))
                .collect()
        };
        Some((typed.iter().map(complete).collect(), run))
    }
}

fn script(shell: &str) -> String {
    let run = Repo::plain_folder().run(&["completions", shell]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{shell}");
    run.stdout
}

/// The script with a string that does not end, which no shell may take for a whole one.
fn broken(script: &str) -> String {
    format!("{script}\n'")
}

/// What is typed, the one word that completes it, and the shells that know. Where one does not, the generator that we use
/// knows no such completions for it.
#[test]
fn each_shell_completes_what_is_typed() {
    let all = &["bash", "elvish", "fish", "zsh"][..];
    let cases = [
        ("hintlint compi", "compile", all),
        ("hintlint --unsafe", "--unsafe-fixes", all),
        ("hintlint compile --ch", "--check", all),
        ("hintlint check --fix --stat", "--statistics", all),
        ("hintlint plan act", "activate", all),
        ("hintlint plan status --for", "--format", all),
        ("hintlint help expla", "explain", &["bash", "elvish", "zsh"]),
        ("hintlint check --fail-on nev", "never", &["bash", "fish", "zsh"]),
        ("hintlint --color nev", "never", &["bash", "zsh"]),
        ("hintlint completions el", "elvish", &["bash", "zsh"]),
        ("hintlint pack load de", "deploy", all),
        ("hintlint search new-", "new-project-setup", all),
        // bash takes to paths by itself where the script has nothing to say.
        ("hintlint AGEN", "AGENTS.md", &["fish", "zsh"]),
        ("hintlint check AGEN", "AGENTS.md", &["fish", "zsh"]),
        ("hintlint plan AGEN", "AGENTS.md", &["fish", "zsh"]),
    ];
    let typed: Vec<&str> = cases.iter().map(|(typed, ..)| *typed).collect();
    for shell in [BASH, ZSH, FISH, ELVISH] {
        let script = script(shell.name);
        let Some((answers, run)) = shell.complete(&script, &typed) else { continue };
        for ((typed, word, shells), answer) in cases.iter().zip(answers) {
            let expected = if shells.contains(&shell.name) { vec![word.to_string()] } else { Vec::new() };
            assert_eq!(answer, expected, "{} on {typed}: {run:?}", shell.name);
        }
        let (answers, run) = shell.complete(&broken(&script), &typed).expect("the shell was there");
        assert!(answers.iter().all(Vec::is_empty), "{} loads a broken script: {run:?}", shell.name);
    }
}

/// zsh's generator would have a subcommand stand after the positional arguments of its command.
#[test]
fn a_subcommand_is_the_first_word_to_zsh() {
    let script = script("zsh");
    assert!(script.contains("$line[1]") && !script.contains("$line[2]"), "{script}");
    assert_eq!(
        script.matches("; _files }").count(),
        2,
        "the first word of `hintlint` and `hintlint plan` may be a path"
    );
}

/// Exits with 1 when the file is not PowerShell.
const POWERSHELL: &str = "
import sys
from tree_sitter import Language, Parser
import tree_sitter_pwsh
tree = Parser(Language(tree_sitter_pwsh.language())).parse(open(sys.argv[1], 'rb').read())
sys.exit(tree.root_node.has_error)
";

#[test]
fn powershell_parses_its_completions() {
    let Some(python) = clients::find_module("tree_sitter_pwsh") else { return };
    let repo = Repo::plain_folder();
    let script = script("powershell");
    let twice_open = script.replacen('{', "{{", 1);
    let unquoted = script.replacen("''", "'", 1);
    for (text, expected) in [(script.as_str(), 0), (&broken(&script), 1), (&twice_open, 1), (&unquoted, 1)] {
        repo.write("script.ps1", text);
        let mut command = repo.command(python.to_str().expect("a path in UTF-8"), repo.root());
        let run: Run = command.args(["-c", POWERSHELL, "script.ps1"]).output().expect("python3 starts").into();
        assert_eq!((run.code, run.stderr.as_str()), (expected, ""), "{text}");
    }
}
