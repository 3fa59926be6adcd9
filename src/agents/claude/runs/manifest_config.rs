//! What Claude Code demands of the options that a plugin asks its user for, `userConfig`, and of its `monitors`. One wrong value keeps
//! the whole plugin from loading. Observed on 2.1.330 in November 2026: `plugin validate` and a start with `--plugin-dir` on 34 manifests.

use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::json::{JsonMember, JsonNode};

/// The types of options.
const TYPES: [&str; 5] = ["string", "number", "boolean", "directory", "file"];
/// Keys of an option that hold a text, and must be there.
const TEXTS: [&str; 2] = ["title", "description"];
/// Keys of an option that hold a boolean, and those that hold a number.
const BOOLEANS: [&str; 3] = ["required", "sensitive", "multiple"];
const NUMBERS: [&str; 2] = ["min", "max"];
/// Keys of a monitor that hold a text, and must be there.
const MONITOR: [&str; 3] = ["name", "command", "description"];
/// How the time of a monitor begins that waits for a skill, whose name follows.
const ON_SKILL: &str = "on-skill-invoke:";

/// The values because of which a plugin does not load, and what is wrong with each.
pub(super) fn problems(root: &JsonNode) -> Vec<(Span, String)> {
    let options = root.get("userConfig").map(options).unwrap_or_default();
    let places = [root.get("monitors"), root.at(&["experimental", "monitors"])];
    let monitors = places.into_iter().flatten().flat_map(monitors);
    let told = |(span, why): (Span, String)| (span, format!("{why}, so the plugin does not load"));
    options.into_iter().chain(monitors).map(told).collect()
}

fn options(value: &JsonNode) -> Vec<(Span, String)> {
    if !value.is_object() {
        return vec![(value.span, format!("`userConfig` must be an object, not {}", value.type_with_article()))];
    }
    value.effective().into_iter().take(MAX_ENTRIES).flat_map(option).collect()
}

/// What is wrong with one option: all of what is missing in one place, and each wrong value in its own.
fn option(member: &JsonMember) -> Vec<(Span, String)> {
    let (name, value) = (sanitize::line(&member.key), &member.value);
    if !is_identifier(&member.key) {
        return vec![(member.key_span, format!("the option {name} must have a name of letters, digits and `_`"))];
    }
    if !value.is_object() {
        return vec![(value.span, format!("the option {name} must be an object, not {}", value.type_with_article()))];
    }
    let needed = std::iter::once("type").chain(TEXTS).filter(|key| value.get(key).is_none());
    let needed: Vec<String> = needed.map(|key| format!("`{key}`")).collect();
    let mut found = Vec::new();
    if !needed.is_empty() {
        found.push((member.key_span, format!("the option {name} has no {}", in_words(&needed))));
    }
    let mut wrong = |key: &str, is_right: fn(&JsonNode) -> bool, what: &str| {
        if let Some(node) = value.get(key).filter(|node| !is_right(node)) {
            found.push((node.span, format!("`{key}` of the option {name} must be {what}")));
        }
    };
    let types = format!("one of {}", TYPES.join(", "));
    wrong("type", |node| node.text().is_some_and(|text| TYPES.contains(&text)), &types);
    TEXTS.iter().for_each(|key| wrong(key, |node| node.text().is_some(), "a string"));
    BOOLEANS.iter().for_each(|key| wrong(key, |node| node.bool().is_some(), "a boolean"));
    NUMBERS.iter().for_each(|key| wrong(key, |node| node.number().is_some(), "a number"));
    found
}

/// Whether an option may have this name: it is put into the environment.
fn is_identifier(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(|c: char| is_word(c) && !c.is_ascii_digit()) && name.chars().all(is_word)
}

/// What is wrong with the monitors: a path of a file that lists them, or the list.
fn monitors(value: &JsonNode) -> Vec<(Span, String)> {
    if let Some(path) = value.text() {
        let is_right = path.starts_with("./") && path.ends_with(".json");
        let why = "`monitors` takes a path that begins with `./` and ends with `.json`, or a list of objects";
        let why = || (value.span, why.to_owned());
        return (!is_right).then(why).into_iter().collect();
    }
    if !value.is_array() {
        let why = format!("`monitors` takes a path or a list of objects, and not {}", value.type_with_article());
        return vec![(value.span, why)];
    }
    value.items().iter().take(MAX_ENTRIES).filter_map(monitor).collect()
}

fn monitor(value: &JsonNode) -> Option<(Span, String)> {
    if !value.is_object() {
        return Some((value.span, format!("a monitor must be an object, not {}", value.type_with_article())));
    }
    let needed = MONITOR.iter().filter(|key| value.get(key).and_then(JsonNode::text).is_none());
    let needed: Vec<String> = needed.map(|key| format!("`{key}`")).collect();
    if !needed.is_empty() {
        return Some((value.span, format!("the monitor has no {}", in_words(&needed))));
    }
    let when = value.get("when")?;
    let is_right = when
        .text()
        .is_some_and(|text| text == "always" || text.strip_prefix(ON_SKILL).is_some_and(|skill| !skill.is_empty()));
    (!is_right).then(|| (when.span, format!("`when` of a monitor is always, or `{ON_SKILL}` with the name of a skill")))
}

/// `a`, `b` and `c`.
fn in_words(names: &[String]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    fn told(manifest: &str) -> Vec<String> {
        let root = json::parse(manifest, JsonGrammar::STRICT).expect("it is JSON");
        problems(&root).into_iter().map(|(_, why)| why).collect()
    }

    #[test]
    fn options_need_a_type_a_title_and_a_description() {
        let option = |option: &str| told(&format!(r#"{{"userConfig": {{"k": {option}}}}}"#));
        for right in [
            r#"{"type": "string", "title": "T", "description": "d"}"#,
            r#"{"type": "number", "title": "T", "description": "d", "min": 1, "default": 5, "required": true}"#,
            r#"{"type": "file", "title": "", "description": "", "default": "a", "sensitive": false}"#,
        ] {
            assert_eq!(option(right), [""; 0], "{right}");
        }
        let all = option("{}");
        assert_eq!(all, ["the option k has no `type`, `title` and `description`, so the plugin does not load"]);
        for (wrong, part) in [
            (r#"{"description": "d"}"#, "has no `type` and `title`"),
            (
                r#"{"type": "text", "title": "T", "description": "d"}"#,
                "one of string, number, boolean, directory, file",
            ),
            (r#"{"type": "file", "title": 5, "description": "d"}"#, "`title` of the option k must be a string"),
            (r#"{"type": "file", "title": "T", "description": "d", "required": 1}"#, "must be a boolean"),
            (r#"{"type": "file", "title": "T", "description": "d", "max": "1"}"#, "must be a number"),
            ("5", "must be an object, not a number"),
        ] {
            let found = option(wrong);
            assert!(matches!(&found[..], [one] if one.contains(part)), "{wrong}: {found:?}");
        }
        for name in ["my key", "1k", ""] {
            let option = r#"{"type": "string", "title": "T", "description": "d"}"#;
            assert_eq!(told(&format!(r#"{{"userConfig": {{"{name}": {option}}}}}"#)).len(), 1, "{name}");
        }
        assert!(told(r#"{"userConfig": []}"#)[0].starts_with("`userConfig` must be an object, not "));
    }

    #[test]
    fn monitors_are_a_path_or_a_list() {
        let monitors = |value: &str| told(&format!(r#"{{"monitors": {value}}}"#)).len();
        for right in [
            r#""./monitors.json""#,
            "[]",
            r#"[{"name": "m", "command": "x", "description": "d"}]"#,
            r#"[{"name": "m", "command": "x", "description": "d", "when": "always"}]"#,
            r#"[{"name": "m", "command": "x", "description": "d", "when": "on-skill-invoke:a"}]"#,
        ] {
            assert_eq!(monitors(right), 0, "{right}");
        }
        for wrong in [
            "5",
            r#""monitors.json""#,
            r#""./monitors.txt""#,
            r#"{"m": {"command": "x"}}"#,
            r#"["./a.json"]"#,
            r#"[{"name": "m", "command": "x"}]"#,
            r#"[{"name": "m", "command": "x", "description": "d", "when": "sometimes"}]"#,
        ] {
            assert_eq!(monitors(wrong), 1, "{wrong}");
        }
        assert_eq!(told(r#"{"experimental": {"monitors": 5}, "monitors": 5}"#).len(), 2);
    }
}
