//! The agent's settings file with our hooks in it, or without: edits of its text that leave every other byte as it is. Knows
//! no files.

mod text;

use std::ops::Range;

use serde::Serialize;
use serde_json::{Value, json};

use self::text::{Kind, Node, parse, problem};
use super::Event;

/// Tools after which the hook for files runs.
const TOOLS: &str = "Read|Edit|MultiEdit|Write";
/// Seconds after which the agent gives a hook up.
const TIMEOUT: u64 = 10;

/// What is wrong with a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// What registers one event.
fn group(event: Event) -> Value {
    let hook = json!({"type": "command", "command": command(event), "timeout": TIMEOUT});
    match event {
        Event::PostToolUse => json!({"matcher": TOOLS, "hooks": [hook]}),
        _ => json!({"hooks": [hook]}),
    }
}

fn command(event: Event) -> String {
    format!("hintlint hook {}", event.name())
}

/// A settings file with nothing but our hooks.
pub fn fresh() -> String {
    let text = add("{}\n");
    text.unwrap_or_default()
}

/// `text` with our hooks; itself if it has them all.
///
/// # Errors
/// When it is no JSON, or has something else where hooks belong.
pub fn add(text: &str) -> Result<String, Problem> {
    let mut text = text.to_owned();
    for event in Event::ALL {
        text = add_one(&text, event)?;
    }
    Ok(text)
}

/// `text` without our hooks, and without what holds nothing else; itself if it has none.
///
/// # Errors
/// When it is no JSON.
pub fn remove(text: &str) -> Result<String, Problem> {
    let mut text = text.to_owned();
    while let Some(cut) = next_cut(&parse(&text)?) {
        text.replace_range(cut, "");
    }
    Ok(text)
}

fn add_one(text: &str, event: Event) -> Result<String, Problem> {
    let root = parse(text)?;
    if !matches!(root.kind, Kind::Object(_)) {
        return Err(problem(text, root.span.start, "the settings are no JSON object"));
    }
    let name = event.agents_name();
    let Some(hooks) = root.get("hooks") else {
        return Ok(insert(text, &root, Some("hooks"), &json!({name: [group(event)]})));
    };
    if !matches!(hooks.kind, Kind::Object(_)) {
        return Err(problem(text, hooks.span.start, "`hooks` is no object"));
    }
    let Some(groups) = hooks.get(name) else {
        return Ok(insert(text, hooks, Some(name), &json!([group(event)])));
    };
    if !matches!(groups.kind, Kind::Array(_)) {
        return Err(problem(text, groups.span.start, &format!("`hooks.{name}` is no list")));
    }
    let has_ours = groups.items().iter().any(|group| runs_it(group, event));
    Ok(if has_ours { text.to_owned() } else { insert(text, groups, None, &group(event)) })
}

/// Whether a group runs our hook already, perhaps by a path or a wrapper of the user's.
fn runs_it(group: &Node, event: Event) -> bool {
    let hooks = group.get("hooks").map_or(&[][..], Node::items);
    let commands = hooks.iter().filter_map(|hook| hook.get("command")?.text());
    commands.into_iter().any(|text| text.trim_end().ends_with(&command(event)))
}

/// The hook in a group that is as we write it, as an index.
fn ours(group: &Node, event: Event) -> Option<usize> {
    let is_ours = |hook: &Node| hook.get("command").and_then(Node::text) == Some(&command(event));
    group.get("hooks")?.items().iter().position(is_ours)
}

/// The text with one more member or item at the end of `container`, in the form that the text has.
fn insert(text: &str, container: &Node, key: Option<&str>, value: &Value) -> String {
    let break_ = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let children = container.children();
    let one_line = is_one_line(text, container, &children);
    let unit = indent_unit(text);
    let own_indent = indent_of_line(text, container.span.start);
    let child_indent = match children.last() {
        Some(last) => indent_of_line(text, last.start).to_owned(),
        None => format!("{own_indent}{unit}"),
    };
    let key = key.map_or(String::new(), |key| format!("{}:{}", Value::from(key), if one_line { "" } else { " " }));
    let item = match one_line {
        true => format!("{key}{value}"),
        false => format!("{key}{}", pretty(value, &unit).replace('\n', &format!("{break_}{child_indent}"))),
    };
    let (range, new) = match children.last() {
        Some(last) if one_line => (last.end..last.end, format!(",{item}")),
        Some(last) => (last.end..last.end, format!(",{break_}{child_indent}{item}")),
        None => {
            let inner = container.span.start + 1..container.span.end - 1;
            let new = if one_line { item } else { format!("{break_}{child_indent}{item}{break_}{own_indent}") };
            (inner, new)
        }
    };
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

/// Whether what is added belongs on the line that is there: the children stand on it, or the whole file is one line.
fn is_one_line(text: &str, container: &Node, children: &[Range<usize>]) -> bool {
    match children.last() {
        Some(last) => !text[container.span.start..last.start].contains('\n'),
        None => !text.trim().contains('\n') && text.trim().len() > container.span.len(),
    }
}

/// The indentation of the first line that has one.
fn indent_unit(text: &str) -> String {
    let indents = text.lines().map(|line| &line[..line.len() - line.trim_start().len()]);
    let first = text.lines().zip(indents).find(|(line, indent)| !indent.is_empty() && !line.trim().is_empty());
    first.map_or("  ", |(_, indent)| indent).to_owned()
}

/// The blanks at the beginning of the line that holds `at`.
fn indent_of_line(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].strip_prefix('\u{feff}').unwrap_or(&text[start..]);
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn pretty(value: &Value, unit: &str) -> String {
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    // Writing a value of ours to memory cannot fail.
    let _ = value.serialize(&mut serializer);
    String::from_utf8(out).unwrap_or_default()
}

/// What to cut out next: one of our hooks with everything around it that would hold nothing any more.
fn next_cut(root: &Node) -> Option<Range<usize>> {
    let Kind::Object(top) = &root.kind else { return None };
    let hooks = top.iter().rfind(|member| member.key == "hooks")?;
    let Kind::Object(events) = &hooks.value.kind else { return None };
    for event in Event::ALL {
        let Some(member) = events.iter().rfind(|member| member.key == event.agents_name()) else { continue };
        let groups = member.value.items();
        let Some((at, hook)) = groups.iter().enumerate().find_map(|(at, group)| Some((at, ours(group, event)?))) else {
            continue;
        };
        let list = groups[at].get("hooks")?;
        return Some(if list.items().len() > 1 {
            cut(list, &list.items()[hook].span)
        } else if groups.len() > 1 {
            cut(&member.value, &groups[at].span)
        } else if events.len() > 1 {
            cut(&hooks.value, &member.span)
        } else {
            cut(root, &hooks.span)
        });
    }
    None
}

/// The range that takes `child` out of `container`, with the comma that it leaves over.
fn cut(container: &Node, child: &Range<usize>) -> Range<usize> {
    let children = container.children();
    let at = children.iter().position(|other| other == child).unwrap_or(0);
    match (at.checked_sub(1).map(|before| &children[before]), children.get(at + 1)) {
        (Some(before), _) => before.end..child.end,
        (None, Some(after)) => child.start..after.start,
        (None, None) => container.span.start + 1..container.span.end - 1,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Adding keeps what is there, says the same to a reader, is idempotent, and removing gives the text back.
    fn check(before: &str) -> String {
        let after = add(before).unwrap();
        assert_eq!(add(&after).unwrap(), after, "twice: {before}");
        assert_eq!(remove(&after).unwrap(), before, "there and back: {after}");
        let value: Value = serde_json::from_str(after.trim_start_matches('\u{feff}')).unwrap();
        for event in Event::ALL {
            let groups = value["hooks"][event.agents_name()].as_array().unwrap();
            assert_eq!(groups.iter().filter(|group| **group == super::group(event)).count(), 1, "{after}");
        }
        after
    }

    #[test]
    fn the_form_of_the_file_is_kept() {
        for before in [
            "{}",
            "{}\n",
            "{\n  \"model\": \"opus\"\n}\n",
            "{\r\n\t\"b\": 1,\r\n\t\"a\": {\"x\": [1, 2]}\r\n}\r\n",
            "\u{feff}{\n    \"b\": 1.50,\n    \"a\": \"\\u00e9\"\n}",
            "{\"a\":1}",
            "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"mine\"}\n        ]\n      }\n    ]\n  },\n  \"z\": null\n}\n",
            "{\n  \"hooks\": {\"Notification\": [{\"hooks\": []}]}\n}\n",
            "{\n  \"a\": \"{[,\\\"\\\\\",\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"command\": \"x\"}]}], \"Other\": []\n  }\n}\n",
        ] {
            let after = check(before);
            if before.contains("\r\n") {
                assert!(!after.replace("\r\n", "").contains('\n'), "{after:?}");
            }
        }
    }

    #[test]
    fn a_fresh_file_reads_well() {
        let text = fresh();
        assert!(text.starts_with("{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"hintlint hook session-start\",\n            \"timeout\": 10\n          }\n        ]\n      }\n    ],\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Read|Edit|MultiEdit|Write\","), "{text}");
        assert!(text.ends_with("\n  }\n}\n"), "{text}");
        assert_eq!(remove(&text).unwrap(), "{}\n");
    }

    #[test]
    fn a_hook_that_the_user_wrote_is_enough_and_stays() {
        let text = "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"/opt/bin/hintlint hook stop\"}]}]}}";
        let after: Value = serde_json::from_str(&add(text).unwrap()).unwrap();
        assert_eq!(after["hooks"]["Stop"].as_array().map(Vec::len), Some(1));
        assert_eq!(after["hooks"]["SessionEnd"].as_array().map(Vec::len), Some(1));
        assert_eq!(remove(&add(text).unwrap()).unwrap(), text);
    }

    #[test]
    fn only_ours_is_taken_away() {
        let text = add("{\n  \"a\": 1\n}\n").unwrap();
        let with_theirs = text.replace(
            "\"command\": \"hintlint hook stop\",",
            "\"command\": \"theirs\"\n          },\n          {\n            \"command\": \"hintlint hook stop\",",
        );
        let left: Value = serde_json::from_str(&remove(&with_theirs).unwrap()).unwrap();
        assert_eq!(left, json!({"a": 1, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}));
        let untouched = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"hintlint hook session-end\"}]}]}}";
        assert_eq!(remove(untouched).unwrap(), untouched);
    }

    /// Any JSON, not deep.
    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z\\\\\"{}\\[\\],: é\u{200b}\n]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(("[a-z{\"]{1,3}", inner), 0..4)
                    .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_settings_survive_the_way_there_and_back(
            others in prop::collection::vec(("[a-z{\"]{1,3}", any_value()), 1..4),
            theirs in prop::option::of(any_value()),
            place in 0..4_usize,
            unit in prop::sample::select(vec!["", "  ", "\t", "    "]),
        ) {
            let mut root: serde_json::Map<_, _> = others.into_iter().collect();
            if let Some(theirs) = theirs {
                root.insert("hooks".into(), json!({"Stop": [{"hooks": [theirs.clone()]}], "Other": theirs}));
                let last = root.len() - 1;
                let hooks = root.shift_remove("hooks").unwrap_or_default();
                root.shift_insert(place.min(last), "hooks".into(), hooks);
            }
            let value = Value::Object(root);
            let before = if unit.is_empty() { value.to_string() } else { pretty(&value, unit) };
            let after: Value = serde_json::from_str(&check(&before)).unwrap();
            for (key, old) in value.as_object().unwrap().iter().filter(|(key, _)| *key != "hooks") {
                prop_assert_eq!(&after[key], old);
            }
            if value.get("hooks").is_some() {
                prop_assert_eq!(&after["hooks"]["Other"], &value["hooks"]["Other"]);
                prop_assert_eq!(&after["hooks"]["Stop"][0], &value["hooks"]["Stop"][0]);
            }
        }
    }

    #[test]
    fn what_is_no_settings_file_is_refused_with_its_place() {
        for (text, line, column) in [
            ("", 1, 1),
            ("{\n  \"a\": 1,\n}", 3, 1),
            ("// x\n{}", 1, 1),
            ("[]", 1, 1),
            ("{\n  \"hooks\": []\n}", 2, 12),
            ("{\"hooks\": {\"Stop\": {}}}", 1, 20),
            ("{} x", 1, 4),
        ] {
            let found = add(text).unwrap_err();
            assert_eq!((found.line, found.column), (line, column), "{text:?}: {}", found.message);
            assert!(!found.message.is_empty() && !found.message.contains("at line"), "{}", found.message);
        }
        assert!(add(&"[".repeat(10_000)).is_err());
        assert!(remove("{").is_err());
    }
}
