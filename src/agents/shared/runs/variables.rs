//! References to environment variables in the values of settings, as some agents resolve them when they load the file.

use super::reading::MAX_ENTRIES;
use crate::env::Env;
use crate::parse::json::JsonNode;

/// `text` with `$NAME` and `${NAME}` replaced by what they stand for in `env`, and, where the agent knows defaults, with
/// `${NAME:-DEFAULT}` replaced, too. What is not set and has no default stays.
pub(crate) fn resolved(text: &str, env: &Env, with_defaults: bool) -> String {
    let mut pieces = text.split('$');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let braced =
            piece.strip_prefix('{').and_then(|inner| inner.split_once('}')).filter(|(inner, _)| !inner.is_empty());
        let (name, default, rest) = match braced {
            Some((inner, rest)) => match inner.split_once(":-").filter(|(name, _)| with_defaults && !name.is_empty()) {
                Some((name, default)) => (name, Some(default), rest),
                None => (inner, None, rest),
            },
            None => {
                let length = piece.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
                let (name, rest) = piece.split_at(length);
                (name, None, rest)
            }
        };
        match env.get(name).or(default) {
            Some(value) => out.extend([value, rest]),
            None => out.extend(["$", piece]),
        }
    }
    out
}

/// How other programs refer to variables.
const FOREIGN: [&str; 2] = ["${process.env.", "${env:"];

/// The strings of `servers` that refer to a variable as other programs do it, each with the reference, the one that this agent
/// knows, and the string with that in its place.
pub(crate) fn foreign_references(servers: &JsonNode) -> Vec<(&JsonNode, [String; 3])> {
    let (mut found, mut waiting, mut looked) = (Vec::new(), vec![servers], 0);
    while let Some(node) = waiting.pop().filter(|_| looked < MAX_ENTRIES) {
        looked += 1;
        waiting.extend(node.items().iter().chain(node.effective().into_iter().map(|member| &member.value)));
        let reference = node.text().and_then(|text| Some((text, foreign_reference(text)?)));
        found.extend(reference.map(|(text, [written, right])| {
            let whole = text.replace(&written, &right);
            (node, [written, right, whole])
        }));
    }
    found
}

/// The first reference of another program's form, and the same as this agent knows it.
fn foreign_reference(text: &str) -> Option<[String; 2]> {
    FOREIGN.iter().find_map(|open| {
        let (_, rest) = text.split_once(open)?;
        let (name, _) = rest.split_once('}')?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        is_name.then(|| [format!("{open}{name}}}"), format!("${{{name}}}")])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved() {
        let env = Env::empty().with("A", "1").with("A_B", "2");
        for (text, expected) in [
            ("$A ${A} ${A:-d} $A_B", "1 1 1 2"),
            ("$NONE ${NONE} ${NONE:-d} ${NONE:-}!", "$NONE ${NONE} d !"),
            ("$ $$A ${} ${A", "$ $1 ${} ${A"),
        ] {
            assert_eq!(resolved(text, &env, true), expected, "{text}");
        }
        assert_eq!(resolved("$A ${NONE:-d}", &env, false), "1 ${NONE:-d}");
    }
}
