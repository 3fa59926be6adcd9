//! Whether a loop may end: what it was asked to promise, whether that was said, and what the agent is told otherwise. A pure
//! function of the transcript and of what was counted before.

use super::frame;
use super::transcript::{ENFORCEMENT, Loop};
use crate::parse::{markdown, promises};
use crate::report::sanitize;

/// Stops without a word of the assistant's that end a loop.
pub const SILENT_STOPS: u64 = 3;

/// What a loop was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The token of the promise that ends it; `None` if none is asked for.
    pub promise: Option<String>,
    /// How often it may run; 0 for no limit.
    pub max_iterations: u64,
}

/// What becomes of a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The agent may stop, and there is nothing to say.
    Free,
    /// The loop is over; this is said.
    Over(String),
    /// The agent goes on; this is why.
    Blocked(String),
}

/// Read the arguments of the command that starts a loop: words parted by blanks, in quotes or with escapes where a blank
/// belongs to a word. The last switch of a name counts.
pub fn request(arguments: &str) -> Request {
    let mut request = Request::default();
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
            request.promise = Some(token(&value)).filter(|token| !token.is_empty());
        }
    }
    request
}

/// A token as it is compared and shown: hidden characters gone or made visible, blanks run together.
fn token(text: &str) -> String {
    let clean = frame::clean(text);
    sanitize::line(&clean.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

struct Word {
    text: String,
    /// Whether it begins with a quote, so that it is no switch.
    quoted: bool,
}

fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let quoted = rest.starts_with(['"', '\'']);
        let (word, after) = word(rest);
        words.push(Word { text: word, quoted });
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

/// Whether the assistant said the promise in `text`: whole, and neither in code nor in a comment nor as a quotation.
pub fn promises(text: &str, wanted: &str) -> bool {
    if memchr::memmem::find(text.as_bytes(), b"<promise>").is_none() {
        return false;
    }
    let markdown = markdown::read(text, 0);
    let (found, _) = promises::read(text, 0, &markdown);
    found.iter().any(|promise| !is_quoted(text, promise.span.start) && token(&text[promise.token.range()]) == wanted)
}

/// Whether the line that holds `at` is one of a block quote.
fn is_quoted(text: &str, at: usize) -> bool {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
    line.trim_start().starts_with('>')
}

/// What becomes of this stop. `blocks` is how often the loop was told to go on, `silent` how many stops in a row, this one
/// included, the assistant has now said nothing before.
pub fn verdict(found: &Loop, last_message: Option<&str>, blocks: u64, silent: u64) -> Verdict {
    let request = request(&found.arguments);
    let Some(wanted) = &request.promise else { return Verdict::Free };
    let (earlier, since) = found.said.split_at(found.said_earlier.min(found.said.len()));
    let mut news = since.iter().map(String::as_str).chain(new_message(found, last_message));
    if news.any(|text| promises(text, wanted)) {
        return Verdict::Over(format!(
            "[RALPH LOOP COMPLETE]\n\nCompletion promise detected: <promise>{wanted}</promise>\nRalph loop has ended."
        ));
    }
    if earlier.iter().any(|text| promises(text, wanted)) {
        // It ended before the user's last words, and that was said then.
        return Verdict::Free;
    }
    // The first run is an iteration too.
    let iteration = blocks + 1;
    if request.max_iterations > 0 && iteration >= request.max_iterations {
        return Verdict::Over(format!(
            "[RALPH LOOP ENDED]\n\nAll {} iterations are used up; the promise <promise>{wanted}</promise> was not output.",
            request.max_iterations
        ));
    }
    if silent >= SILENT_STOPS {
        return Verdict::Over(format!(
            "[RALPH LOOP ENDED]\n\nThe agent stopped {SILENT_STOPS} times without a word; the promise \
             <promise>{wanted}</promise> was not output."
        ));
    }
    Verdict::Blocked(format!(
        "{ENFORCEMENT}\n\nThe completion promise was not output. The loop must continue.\n\n\
         Expected promise: <promise>{wanted}</promise>\n\n\
         Continue working on the task. Output the promise only when the task is TRULY complete."
    ))
}

/// What the agent says was said last, where the transcript does not have it yet and it is not from before the loop.
pub fn new_message<'m>(found: &Loop, last_message: Option<&'m str>) -> Option<&'m str> {
    let message = last_message.filter(|message| !message.trim().is_empty())?;
    let same = |text: &String| text.trim() == message.trim();
    let old = found.said.is_empty() && found.said_before.as_ref().is_some_and(same);
    (!old && !found.said.last().is_some_and(same)).then_some(message)
}

#[cfg(test)]
mod tests {
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
            let expected = Request { promise: promise.map(str::to_owned), max_iterations: max };
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
        let said = said.iter().map(|&text| text.to_owned()).collect();
        Loop { arguments: arguments.into(), said, said_before: Some("<promise>D</promise>".into()), ..Loop::default() }
    }

    #[test]
    fn a_loop_ends_by_promise_iterations_or_silence() {
        let args = "--completion-promise D --max-iterations 3";
        let over = |verdict: Verdict| matches!(verdict, Verdict::Over(_));
        assert!(!over(verdict(&a_loop(args, &["no"]), None, 1, 0)));
        assert!(over(verdict(&a_loop(args, &["no"]), None, 2, 0)));
        assert!(over(verdict(&a_loop(args, &["no", "<promise>D</promise>", "more"]), None, 0, 0)));
        assert!(over(verdict(&a_loop(args, &[]), Some("<promise>D</promise> now"), 0, 0)));
        assert!(!over(verdict(&a_loop(args, &[]), Some("<promise>D</promise>"), 0, 0)), "said before the loop");
        assert!(!over(verdict(&a_loop(args, &[]), None, 0, 2)));
        assert!(over(verdict(&a_loop(args, &[]), None, 0, 3)));
        let mut earlier = a_loop(args, &["<promise>D</promise>", "and more"]);
        earlier.said_earlier = 1;
        assert_eq!(verdict(&earlier, None, 0, 0), Verdict::Free);
        assert_eq!(verdict(&a_loop("no promise", &[]), None, 9, 9), Verdict::Free);
    }
}
