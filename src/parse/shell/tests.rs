//! The shell-word reader on texts as they are written.

use super::*;
use proptest::prelude::*;

/// The commands, words with spaces between them and `|` between commands; what is expanded as `{…}`.
fn shown(text: &str) -> String {
    let known = |part: &WordPart| match part {
        WordPart::Text(text) => Some(text.clone()),
        WordPart::Variable(name, _) => Some(format!("{{{name}}}")),
        WordPart::Substitution(text) => Some(format!("{{({text})}}")),
    };
    let word = |word: &ShellWord| word.expanded(&known).unwrap_or_default();
    let command = |command: &ShellCommand| command.words.iter().map(word).collect::<Vec<_>>().join(" ");
    commands(text).iter().map(command).collect::<Vec<_>>().join(" | ")
}

#[test]
fn commands_are_told_apart() {
    for (text, expected) in [
        ("bash \"$CLAUDE_PROJECT_DIR\"/.claude/a.sh", "bash {CLAUDE_PROJECT_DIR}/.claude/a.sh"),
        ("cd x && ./y.sh; z || w & v", "cd x | ./y.sh | z | w | v"),
        ("a 'b c' \"d 'e'\" f\\ g", "a b c d 'e' f g"),
        ("if [ -f x ]; then . ./x; fi", "[ -f x ] | . ./x"),
        ("a > out 2>&1 < in b", "a b"),
        ("a # b\nc", "a | c"),
        ("cat <<'EOF' > x\n./no.sh\nEOF\n./yes.sh", "cat | ./yes.sh"),
        (
            "\"$(git rev-parse --show-toplevel)/a.sh\" b",
            "{(git rev-parse --show-toplevel)}/a.sh b | git rev-parse --show-toplevel",
        ),
        ("x=`./a`", "x={(./a)} | ./a"),
        ("${A:-b}/c ${BASH_SOURCE[0]} ${X%/*}/y", "{A}/c {BASH_SOURCE} {X%/*}/y"),
        ("(a; b)", "a | b"),
        ("a\\\nb c \\\n d", "ab c d"),
        ("$((1 + 2)) $ $1", "{((1 + 2))} $ {1}"),
        ("", ""),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn a_list_runs_where_it_is_put_in() {
    for (text, expected) in [
        ("FILES=(\n  a.sh # b\n  'c d'\n)\ne", "FILES= | e"),
        ("declare -a F=(a.sh b.sh); c \"${F[0]}\"", "declare -a F= | c {F}"),
        ("F=(); for f in \"${F[@]}\"; do a; done", "F= | for f in | a | done"),
        ("C=(bash \"$D/a.sh\"); C+=(--x)\n\"${C[@]}\" y", "C= | C+= | bash {D}/a.sh --x y"),
        ("C=(a b); x=$(\"${C[@]}\" 2>&1)", "C= | x={(\"${C[@]}\" 2>&1)} | a b"),
        ("F=(\"$(a b)\" c)", "F= | a b"),
        ("F=(a", "F="),
        ("f=a(b)", "f=a | b"),
        ("\"${G[@]}\" a", "{G[@]} a"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn shells_within_shells_have_levels() {
    let levels = |text: &str| commands(text).iter().map(|command| command.level).collect::<Vec<_>>();
    assert_eq!(levels("a; (b; c); d \"$(e $(f))\"; g"), [0, 1, 1, 0, 1, 2, 0]);
    assert_eq!(levels("case x in a) b;; c) d;; esac; e"), [0, 0, 0, 0, 0, 0]);
}

#[test]
fn pipes_are_told_from_other_separators() {
    let piped = |text: &str| commands(text).iter().map(|command| command.reads_previous).collect::<Vec<_>>();
    assert_eq!(piped("a | b || c && d |& e; f | (g)"), [false, true, false, false, true, false, true]);
    assert_eq!(piped("a |\n b\nc | # x\nd"), [false, true, false, true]);
}

#[test]
fn unknown_variables_leave_a_word_unknown() {
    let words = &commands("$A/x ${A:-d}/x x")[0].words;
    let found: Vec<_> = words.iter().map(ShellWord::literal).collect();
    assert_eq!(found, [None, Some("d/x".to_owned()), Some("x".to_owned())]);
}

proptest! {
    #[test]
    fn any_text_has_an_end(text in "(\\PC|[\n'\"`$(){}<>|&;#\\\\]){0,200}") {
        let _ = commands(&text);
    }
}
