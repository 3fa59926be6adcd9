//! Whether a loop may end: what it was asked to promise, whether that was said, and what the agent is told otherwise. A pure
//! function of the transcript and of what was counted before.

use super::frame;
use super::transcript::{ENFORCEMENT, Loop};
use crate::base::sanitize;
use crate::parse::{markdown, promises};
use serde::{Deserialize, Serialize};

/// Stops without a word of the assistant's that end a loop.
pub(crate) const SILENT_STOPS: u64 = 3;

/// Bytes of a text in which a promise is looked for; no model answers with more.
const MAX_TEXT: usize = 1 << 20;

/// What a loop was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoopRequest {
    /// The token of the promise that ends it; `None` if none is asked for.
    pub promise: Option<String>,
    /// How often it may run; 0 for no limit.
    pub max_iterations: u64,
}

/// What becomes of a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopVerdict {
    /// The agent may stop, and there is nothing to say.
    Free,
    /// The loop is over; this is said.
    Over(String),
    /// The agent goes on; this is why.
    Blocked(String),
}

/// Read the arguments of the command that starts a loop: words parted by blanks, in quotes or with escapes where a blank
/// belongs to a word. The last switch of a name counts.
pub(crate) fn request(arguments: &str) -> LoopRequest {
    let mut request = LoopRequest::default();
    let mut words = words(arguments).into_iter().peekable();
    while let Some(word) = words.next() {
        let (name, joined) = match word.text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name.to_owned(), Some(value.to_owned())),
            _ => (word.text.clone(), None),
        };
        if word.quoted || !matches!(name.as_str(), "--completion-promise" | "--max-iterations") {
            continue;
        }
        let next = || words.next_if(|next| next.quoted || !next.text.starts_with("--")).map(|next| next.text);
        let Some(value) = joined.or_else(next) else { continue };
        if name == "--max-iterations" {
            request.max_iterations = value.trim().parse().unwrap_or(0);
        } else {
            request.promise = promise(&value);
        }
    }
    request
}

/// A token as it is compared and shown: hidden characters gone or made visible, blanks run together.
fn token(text: &str) -> String {
    let clean = frame::clean(text);
    sanitize::line(&clean.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// The token that a loop is asked for, in a form in which it can be said: `<promise>` and the token and `</promise>` are a
/// promise by the rules of [`promises`](mod@promises). The tags are not part of a token, even if the user gives them, and where other
/// markup would hide a tag it goes too.
fn promise(value: &str) -> Option<String> {
    let mut wanted = token(value);
    while let Some(tag) = ["<promise>", "</promise>"].into_iter().find(|tag| wanted.contains(tag)) {
        wanted = token(&wanted.replace(tag, " "));
    }
    let can_be_said = |wanted: &String| promises(&format!("<promise>{wanted}</promise>"), wanted);
    if !can_be_said(&wanted) {
        wanted = token(&wanted.replace(['<', '>', '`'], " "));
    }
    Some(wanted).filter(can_be_said)
}

struct CommandWord {
    text: String,
    /// Whether it begins with a quote, so that it is no switch.
    quoted: bool,
}

fn words(text: &str) -> Vec<CommandWord> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let quoted = rest.starts_with(['"', '\'']);
        let (word, after) = word(rest);
        words.push(CommandWord { text: word, quoted });
        rest = after.trim_start();
    }
    words
}

/// The word that `text` begins with, and the rest. A quote counts at the beginning of a word and behind a `=`, so that the
/// apostrophe of a sentence is none; one that nothing closes is a character.
fn word(text: &str) -> (String, &str) {
    let mut out = String::new();
    let mut rest = text;
    let mut may_quote = true;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            c if c.is_whitespace() => break,
            '"' | '\'' if may_quote => match quoted(after, c) {
                Some((inner, behind)) => {
                    out.push_str(&inner);
                    rest = behind;
                }
                None => {
                    out.push(c);
                    rest = after;
                }
            },
            '\\' => {
                let escaped = after.chars().next();
                out.push(escaped.unwrap_or('\\'));
                rest = &after[escaped.map_or(0, char::len_utf8)..];
            }
            c => {
                out.push(c);
                rest = after;
            }
        }
        may_quote = c == '=';
    }
    (out, rest)
}

/// What stands up to the closing quote, and what follows it. A backslash escapes inside double quotes only.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((out, &text[at + c.len_utf8()..])),
            '\\' if quote == '"' => match chars.next()? {
                (_, escaped @ ('"' | '\\' | '$' | '`')) => out.push(escaped),
                (_, other) => out.extend(['\\', other]),
            },
            c => out.push(c),
        }
    }
    None
}

/// Whether the assistant said the promise in `text`: whole, and neither in code nor in a comment nor as a quotation. A text
/// that is longer than any answer is not searched.
pub fn promises(text: &str, wanted: &str) -> bool {
    if text.len() > MAX_TEXT || !may_promise(text, wanted) {
        return false;
    }
    let markdown = markdown::read(text, 0);
    let (found, _) = promises::read(text, 0, &markdown);
    found.iter().any(|promise| !is_quoted(text, promise.span.start) && token(&text[promise.token.range()]) == wanted)
}

/// Whether the promise stands in `text` at all, be it in code.
fn may_promise(text: &str, wanted: &str) -> bool {
    let ends = memchr::memmem::find_iter(text.as_bytes(), b"</promise>");
    let mut begin = 0;
    ends.into_iter().any(|end| {
        let before = &text[std::mem::replace(&mut begin, end)..end];
        before.rsplit_once("<promise>").is_some_and(|(_, inner)| !inner.contains('\n') && token(inner) == wanted)
    })
}

/// Whether the line that holds `at` is one of a block quote.
fn is_quoted(text: &str, at: usize) -> bool {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
    line.trim_start().starts_with('>')
}

/// What becomes of this stop. `blocks` is how often the loop was told to go on, `silent` how many stops in a row, this one
/// included, the assistant has now said nothing before.
pub fn verdict(found: &Loop, last_message: Option<&str>, blocks: u64, silent: u64) -> StopVerdict {
    let request = &found.request;
    let Some(wanted) = &request.promise else { return StopVerdict::Free };
    if found.promised || new_message(found, last_message).is_some_and(|text| promises(text, wanted)) {
        return StopVerdict::Over(format!(
            "[RALPH LOOP COMPLETE]\n\nCompletion promise detected: <promise>{wanted}</promise>\nRalph loop has ended."
        ));
    }
    if found.promised_earlier {
        // It ended before the user's last words, and that was said then.
        return StopVerdict::Free;
    }
    // The first run is an iteration too.
    let iteration = blocks + 1;
    if request.max_iterations > 0 && iteration >= request.max_iterations {
        return StopVerdict::Over(format!(
            "[RALPH LOOP ENDED]\n\nAll {} iterations are used up; the promise <promise>{wanted}</promise> was not output.",
            request.max_iterations
        ));
    }
    if silent >= SILENT_STOPS {
        return StopVerdict::Over(format!(
            "[RALPH LOOP ENDED]\n\nThe agent stopped {SILENT_STOPS} times without output; the promise \
             <promise>{wanted}</promise> was not output."
        ));
    }
    StopVerdict::Blocked(format!(
        "{ENFORCEMENT}\n\nThe completion promise was not output. The loop must continue.\n\n\
         Expected promise: <promise>{wanted}</promise>\n\n\
         Continue working on the task. Output the promise only when the task is TRULY complete."
    ))
}

/// An explanation of loops, for first-time users.
pub(crate) fn about(found: &Loop) -> String {
    let wanted = found.request.promise.as_deref().unwrap_or_default();
    format!(
        "The agent goes on: it is in a loop (/ralph-loop), which lasts until it says <promise>{wanted}</promise>. \
         /cancel-ralph ends it."
    )
}

/// The last message as the agent reports it, if the transcript does not contain it yet and it is not older than the loop.
pub(crate) fn new_message<'m>(found: &Loop, last_message: Option<&'m str>) -> Option<&'m str> {
    let message = last_message.filter(|message| !message.trim().is_empty())?;
    let before = if found.said_at.is_none() { &found.said_before } else { &found.last };
    (!before.as_ref().is_some_and(|before| before.is(message.trim()))).then_some(message)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::hooks::transcript::Said;

    use super::*;

    #[test]
    fn tokens_come_in_quotes_with_escapes_and_blanks() {
        for (arguments, promise, max) in [
            ("\"Do it\" --completion-promise \"TASK1_DONE\"", Some("TASK1_DONE"), 0),
            ("--completion-promise DONE --max-iterations 5 Do it", Some("DONE"), 5),
            ("--completion-promise='ALL  DONE'", Some("ALL DONE"), 0),
            ("--completion-promise \"say \\\"yes\\\" \\\\ now\"", Some("say \"yes\" \\ now"), 0),
            ("--completion-promise TASK\\ DONE x", Some("TASK DONE"), 0),
            ("Fix the user's bug --completion-promise \"IT'S DONE\"", Some("IT'S DONE"), 0),
            ("'use --completion-promise X' --completion-promise Y", Some("Y"), 0),
            ("--completion-promise A --completion-promise B", Some("B"), 0),
            ("--completion-promise", None, 0),
            ("--completion-promise \"\"", None, 0),
            ("--completion-promise --max-iterations 3", None, 3),
            ("--max-iterations=x \"--completion-promise\" Z", None, 0),
            ("\"unclosed --completion-promise D", Some("D"), 0),
            ("line one\nline two\n\t--completion-promise \"完成\"", Some("完成"), 0),
            ("", None, 0),
        ] {
            let expected = LoopRequest { promise: promise.map(str::to_owned), max_iterations: max };
            assert_eq!(request(arguments), expected, "{arguments}");
        }
    }

    #[test]
    fn only_a_promise_that_is_said_counts() {
        for text in [
            "<promise>ALL DONE</promise>",
            "All is well.\n\n<promise>ALL DONE</promise>\n",
            "**<promise> ALL DONE </promise>**",
            "- <promise>ALL DONE</promise>",
            "`x` <promise>ALL DONE</promise>",
            "<promise>OTHER</promise> <promise>ALL DONE</promise>",
        ] {
            assert!(promises(text, "ALL DONE"), "{text}");
        }
        for text in [
            "ALL DONE",
            "```\n<promise>ALL DONE</promise>\n```",
            "```\n<promise>ALL DONE</promise>",
            "`<promise>ALL DONE</promise>`",
            "    <promise>ALL DONE</promise>",
            "<!-- <promise>ALL DONE</promise> -->",
            "> <promise>ALL DONE</promise>",
            "<promise>ALL DONE<promise>",
            "<promise>ALL DONE",
            "<Promise>ALL DONE</promise>",
            "<promise >ALL DONE</promise>",
            "<promise>ALL\nDONE</promise>",
            "<promise>all done</promise>",
            "<promise>ALL DONE!</promise>",
            "<promise></promise>ALL DONE",
        ] {
            assert!(!promises(text, "ALL DONE"), "{text}");
        }
    }

    fn a_loop(arguments: &str, said: &[&str]) -> Loop {
        let mut found = Loop { said_before: Some(Said::Text("<promise>D</promise>".into())), ..Loop::begin(arguments) };
        (0..).zip(said).for_each(|(at, text)| found.say(at, text));
        found
    }

    /// What the agent is told to say is recognised when it says it.
    fn check_can_be_said(arguments: &str) -> Option<String> {
        let found = a_loop(arguments, &["no"]);
        let wanted = found.request.promise.clone()?;
        let StopVerdict::Blocked(reason) = verdict(&found, None, 0, 0) else { panic!("{arguments:?} is not enforced") };
        let (_, told) = reason.split_once("Expected promise: ").unwrap();
        let told = told.split_once('\n').unwrap().0;
        for said in [told.to_owned(), format!("All is done.\n\n{told}\n"), format!("- Done: **{told}**")] {
            let over = verdict(&a_loop(arguments, &[&said]), None, 0, 0);
            assert!(matches!(over, StopVerdict::Over(_)), "{arguments:?}: {said:?} is not recognised");
        }
        Some(wanted)
    }

    #[test]
    fn whatever_is_asked_for_can_be_said() {
        for (token, expected) in [
            ("<promise>DONE</promise>", Some("DONE")),
            ("<promise>ALL DONE", Some("ALL DONE")),
            ("say <promise>X</promise> now", Some("say X now")),
            ("<promise><promise>X</promise></promise>", Some("X")),
            ("<pro<promise>mise>X", Some("<pro mise>X")),
            ("<promise></promise>", None),
            ("a <promise b", Some("a promise b")),
            ("<Promise>X</Promise>", Some("Promise X /Promise")),
            ("<!-- x", Some("<!-- x")),
            ("a <!-- b --> c", Some("a <!-- b --> c")),
            ("a <b> &lt;c&gt; & d", Some("a <b> &lt;c&gt; & d")),
            ("`x`", Some("`x`")),
            ("# two\nlines\t", Some("# two lines")),
            ("IT'S \u{200b}DONE", Some("IT'S DONE")),
        ] {
            let arguments = format!("x --completion-promise \"{token}\"");
            assert_eq!(check_can_be_said(&arguments).as_deref(), expected, "{token}");
        }
    }

    #[test]
    fn a_nested_tag_ends_no_other_loop() {
        for text in [
            "<promise>not <promise>DONE</promise></promise>",
            "<promise>say <promise>X</promise> now</promise>",
            "<promise>say X now <promise>",
            "<promise>X</promise>",
        ] {
            assert!(!promises(text, "DONE") && !promises(text, "say X now"), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_token_can_be_said(
            parts in prop::collection::vec(
                prop::sample::select(vec!["<promise>", "</promise>", "<", ">", "`", "~~~", "<!--", "-->", "&lt;", "\\", " ", "\n", "<pre>", "<code>", "[", "](", "A", "é", "<?", "<![CDATA[", "$", "*", "'"]),
                1..8,
            ),
        ) {
            let token = parts.concat();
            check_can_be_said(&format!("--completion-promise '{}'", token.replace('\'', "")));
        }
    }

    #[test]
    fn a_loop_ends_by_promise_iterations_or_silence() {
        let args = "--completion-promise D --max-iterations 3";
        let over = |verdict: StopVerdict| matches!(verdict, StopVerdict::Over(_));
        assert!(!over(verdict(&a_loop(args, &["no"]), None, 1, 0)));
        assert!(over(verdict(&a_loop(args, &["no"]), None, 2, 0)));
        assert!(over(verdict(&a_loop(args, &["no", "<promise>D</promise>", "more"]), None, 0, 0)));
        assert!(over(verdict(&a_loop(args, &[]), Some("<promise>D</promise> now"), 0, 0)));
        assert!(!over(verdict(&a_loop(args, &[]), Some("<promise>D</promise>"), 0, 0)), "said before the loop");
        assert!(!over(verdict(&a_loop(args, &[]), None, 0, 2)));
        assert!(over(verdict(&a_loop(args, &[]), None, 0, 3)));
        let earlier = Loop { promised_earlier: true, ..a_loop(args, &["and more"]) };
        assert_eq!(verdict(&earlier, None, 0, 0), StopVerdict::Free);
        assert_eq!(verdict(&a_loop("no promise", &[]), None, 9, 9), StopVerdict::Free);
    }
}
