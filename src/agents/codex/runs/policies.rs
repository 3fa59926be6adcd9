//! Rules of Codex about commands: calls of `prefix_rule` in `.codex/rules/*.rules`. They are a program in Starlark, of which only
//! plain calls are read; brackets that do not pair keep the agent from starting.

use super::CodexRuns;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::{Approval, Moment, PermissionList, RunKind};
use crate::base::text::Span;
use crate::world::AbsPath;

/// A longer call is no plain one.
const MAX_CALL: usize = 4_096;

impl CodexRuns<'_, '_> {
    /// The rules of a folder.
    pub(super) fn read_policies(&mut self, folder: &AbsPath) {
        for entry in self.reader.world.read_dir(folder).into_iter().take(MAX_ENTRIES) {
            if !entry.name.ends_with(b".rules") {
                continue;
            }
            let Some(text) = SettingsText::read(self.reader.world, &folder.join(&entry.name)) else { continue };
            if let Some(at) = unpaired(&text.text) {
                self.refuse(text.place_at(at), "a bracket has no partner");
                continue;
            }
            if let Some((at, why)) = call_fault(&text.text) {
                self.refuse(text.place_at(at), why);
                continue;
            }
            for (span, list, rule) in prefix_rules(&text.text) {
                self.push(Moment::Tool, RunKind::Permission { list, rule }, text.place(span), Approval::Folder);
            }
        }
    }
}

/// The brackets, strings and words of a program with their offsets. Comments are skipped.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let first = rest.chars().next()?;
            let start = at;
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            at += match first {
                '#' => rest.find('\n').unwrap_or(rest.len()),
                '"' | '\'' => string_length(rest, first),
                first if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                first => first.len_utf8(),
            };
            if first != '#' && !first.is_whitespace() {
                return Some((start, &text[start..at]));
            }
        }
    })
}

/// The bytes of the string that `text` begins with.
fn string_length(text: &str, quote: char) -> usize {
    let mut is_escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The offset of a bracket without a partner.
fn unpaired(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, token) in tokens(text) {
        let partner = match token {
            "(" | "[" | "{" => {
                open.push((at, token));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        if open.pop().is_none_or(|(_, token)| token != partner) {
            return Some(at);
        }
    }
    open.pop().map(|(at, _)| at)
}

/// The first plain call of `prefix_rule` that the agent refuses.
fn call_fault(text: &str) -> Option<(usize, &'static str)> {
    let all: Vec<(usize, &str)> = tokens(text).collect();
    let calls = all.iter().enumerate().filter(|(index, (_, token))| {
        *token == "prefix_rule" && all.get(index + 1).is_some_and(|(_, next)| *next == "(")
    });
    for (index, &(start, _)) in calls.take(MAX_ENTRIES) {
        let call = all[index + 1..].iter().take_while(|(at, token)| *token != ")" && at - start < MAX_CALL);
        let call: Vec<&str> = call.map(|(_, token)| *token).collect();
        let after = |name: &str| call.iter().position(|token| *token == name).map(|at| &call[at + 1..]);
        // What stands without a name, or is spread, is no plain call.
        let is_plain = !call.contains(&"*") && (call.len() == 1 || call.get(2) == Some(&"="));
        match after("pattern") {
            None if is_plain => return Some((start, "`prefix_rule` needs a `pattern`")),
            Some(["=", value, ..]) if value.starts_with(['"', '\'']) => {
                return Some((start, "`pattern` must be a list of words"));
            }
            _ => {}
        }
        if let Some(["=", decision, ..]) = after("decision")
            && decision.starts_with(['"', '\''])
            && !["allow", "forbidden", "prompt"].contains(&decision.trim_matches(['"', '\'']))
        {
            return Some((start, "`decision` must be allow, prompt or forbidden"));
        }
    }
    None
}

/// The plain calls of `prefix_rule`: their place, what they decide, and the words that a command begins with.
fn prefix_rules(text: &str) -> Vec<(Span, PermissionList, String)> {
    let all: Vec<(usize, &str)> = tokens(text).collect();
    let mut found = Vec::new();
    let calls = all.iter().enumerate().filter(|(_, (_, token))| *token == "prefix_rule");
    for (index, &(start, token)) in calls.take(MAX_ENTRIES) {
        let call = all[index + 1..].iter().take_while(|(at, token)| *token != ")" && at - start < MAX_CALL);
        let call: Vec<&str> = call.map(|(_, token)| *token).collect();
        let after = |name: &str| call.iter().position(|token| *token == name).map(|at| &call[at + 1..]);
        let Some(["=", "[", words @ ..]) = after("pattern") else { continue };
        let words = words.iter().take_while(|token| **token != "]").filter(|token| token.starts_with(['"', '\'']));
        let words: Vec<&str> = words.map(|token| token.trim_matches(['"', '\''])).collect();
        let list = match after("decision") {
            Some(["=", decision, ..]) if decision.contains("forbidden") => PermissionList::Deny,
            Some(["=", decision, ..]) if decision.contains("prompt") => PermissionList::Ask,
            _ => PermissionList::Allow,
        };
        found.push((Span::new(start, start + token.len()), list, words.join(" ")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_calls_are_read() {
        let text = "# prefix_rule(pattern=[\"no\"])\nprefix_rule(pattern=[\"git\", 'push'], decision=\"forbidden\")\n\
                    prefix_rule(pattern = [\"ls\"])\nprefix_rule(pattern=WORDS)\n";
        let found: Vec<_> = prefix_rules(text).into_iter().map(|(_, list, rule)| (list, rule)).collect();
        assert_eq!(found, [(PermissionList::Deny, "git push".to_owned()), (PermissionList::Allow, "ls".to_owned())]);
    }

    #[test]
    fn refused_calls_are_found() {
        let bad = [
            "prefix_rule(decision=\"allow\")",
            "prefix_rule(pattern=\"rec\")",
            "prefix_rule(pattern=[\"rec\"], decision='x')",
            "prefix_rule()",
        ];
        for text in bad {
            assert!(call_fault(text).is_some(), "{text}");
        }
        let good =
            ["prefix_rule(pattern=[\"rec\"])", "prefix_rule(WORDS)", "prefix_rule(**rule)", "# prefix_rule()", ""];
        for text in good {
            assert_eq!(call_fault(text), None, "{text}");
        }
    }

    #[test]
    fn brackets_pair() {
        let texts =
            [("prefix_rule(\n", Some(11)), ("f([\")\"])", None), ("f(]", Some(2)), ("# (\n", None), ("'\\')' ü", None)];
        for (text, expected) in texts {
            assert_eq!(unpaired(text), expected, "{text}");
        }
    }
}
