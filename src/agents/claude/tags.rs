//! The tags by which Claude Code marks its own messages, made harmless in the text of files that a touched file calls in: a
//! backslash goes behind the `<`. It knows no files.

/// The names (observed on 2.1.329, checked 2026-11). `-` and `_` stand for each other.
const TAGS: &[&str] = &[
    "agent-message",
    "artifact-file-content",
    "artifact-origin-notes",
    "artifact-stored-declaration",
    "artifact-type-instructions",
    "bash-exit-code",
    "bash-input",
    "bash-stderr",
    "bash-stdout",
    "channel source=",
    "command-args",
    "command-message",
    "command-name",
    "coordinator-relay",
    "cowritten-artifact-html",
    "cross-session-message",
    "fetched-web-content",
    "function-results",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "persisted-output",
    "sandbox-violations",
    "slack-ping",
    "slack-tag-message",
    "system-reminder",
    "task-notification",
    "teammate-message",
    "tick",
    "tool-use-error",
    "total-tokens",
    "untrusted-widget-state",
    "user-prompt-submit-hook",
    "voice-call-talk",
];

/// `text` with a backslash in every opener of such a tag. Letters that only look like those of a name are not recognised here,
/// though the agent knows some.
pub(super) fn neutralized(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        let rest = chars.as_str();
        if is_opener(c) && opens_tag(rest) {
            out.push_str("<\\");
        } else {
            out.push_str(&text[at..text.len() - rest.len()]);
        }
    }
    out
}

fn is_opener(c: char) -> bool {
    matches!(c, '<' | '\u{2039}' | '\u{27e8}' | '\u{2329}' | '\u{3008}' | '\u{fe64}' | '\u{ff1c}')
}

fn is_closer(c: char) -> bool {
    matches!(c, '>' | '\u{203a}' | '\u{27e9}' | '\u{232a}' | '\u{3009}' | '\u{fe65}' | '\u{ff1e}')
}

/// Whether one of the names follows, with only signs before it.
fn opens_tag(rest: &str) -> bool {
    if rest.starts_with('\\') {
        return false;
    }
    let name = rest.trim_start_matches(|c| !is_word(c) && !is_opener(c) && !is_closer(c));
    TAGS.iter().any(|tag| begins_with(name, tag))
}

fn begins_with(text: &str, tag: &str) -> bool {
    let mut chars = text.chars().peekable();
    for (at, letter) in tag.chars().enumerate() {
        while at > 0 && chars.next_if(|&c| is_overlooked(c)).is_some() {}
        let same = |c: char| c.eq_ignore_ascii_case(&letter) || (letter == '-' && is_dash(c));
        if chars.next_if(|&c| same(c)).is_none() {
            return false;
        }
    }
    tag.ends_with('=') || !chars.next().is_some_and(is_word)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn is_dash(c: char) -> bool {
    matches!(c, '_' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{203f}' | '\u{fe63}' | '\u{ff0d}' | '\u{ff3f}')
}

/// What may stand between two letters of a name.
fn is_overlooked(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{300}'..='\u{36f}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers_get_a_backslash() {
        for (text, expected) in [
            ("<system-reminder> </System_Reminder >", "<\\system-reminder> <\\/System_Reminder >"),
            ("<\n!tick x='<b>'", "<\\\n!tick x='<b>'"),
            ("<<bash-input", "<<\\bash-input"),
            ("<s\u{200b}ystem-reminder>", "<\\s\u{200b}ystem-reminder>"),
            ("\u{ff1c}system-reminder\u{ff1e}", "<\\system-reminder\u{ff1e}"),
            ("<channel source=\"x\">", "<\\channel source=\"x\">"),
        ] {
            assert_eq!(neutralized(text), expected);
        }
        for text in ["<system-reminders>", "<\\tick>", "<a tick>", "<>tick>", "<channel>", "<div> 1 < 2", "<x-tick>"] {
            assert_eq!(neutralized(text), text);
        }
    }
}
