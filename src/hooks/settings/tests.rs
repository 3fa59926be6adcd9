//! Settings as tests: any layout gets the hooks, and is given back to the byte.

use proptest::prelude::*;

use super::*;
use crate::agents;

/// The form of the agent that is meant where none is named.
fn usual() -> &'static HookRegistration {
    &agents::hook_callers().next().unwrap().registration
}

fn add(text: &str) -> Result<String, SettingsProblem> {
    super::add(text, usual())
}

fn remove(text: &str) -> Result<String, SettingsProblem> {
    super::remove(text, usual())
}

/// In the form of each agent, adding keeps what is there, says the same to a reader, is idempotent, and removing gives the text
/// back.
fn check(before: &str) -> String {
    for caller in agents::hook_callers() {
        let form = &caller.registration;
        let after = super::add(before, form).unwrap();
        assert_eq!(super::add(&after, form).unwrap(), after, "twice: {before}");
        assert_eq!(super::remove(&after, form).unwrap(), before, "there and back: {after}");
        let value: Value = serde_json::from_str(after.trim_start_matches('\u{feff}')).unwrap();
        let fresh = fresh(form);
        if before != "{}\n" {
            assert_ne!(after, fresh, "{before:?} was there, and {fresh:?} is what is made where nothing was");
        }
        for event in HookEvent::ALL {
            let entries = value["hooks"][name(event, form)].as_array().unwrap();
            assert_eq!(entries.iter().filter(|item| **item == entry(event, form)).count(), 1, "{after}");
        }
    }
    add(before).unwrap()
}

#[test]
fn the_form_of_the_file_is_kept() {
    for before in [
        "{}",
        "{}\n",
        "{ }\n",
        "{\n}\n",
        "{\r\n\t\r\n}",
        "{\r}",
        "\u{feff}{}",
        "{\"hooks\":{}}",
        "{\"hooks\": { } }",
        "{ \"a\": [], \"hooks\": {}}",
        "{\n  \"a\": 1,\n  \"hooks\": {}\n}\n",
        "{\n  \"hooks\": {\n  }\n}\n",
        "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"SessionEnd\": [\n\n    ]\n  }\n}\n",
        "{\"hooks\":{\"PostToolUse\":[ ],\"Stop\":[{\"hooks\":[]}]}}",
        "{\"hooks\": 1, \"h\\u006foks\": {}, \"a\": {}}",
        "{\n  \"hooks\": {\"Stop\": [1], \"Stop\": []}\n}\n",
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
    let text = fresh(usual());
    assert!(text.starts_with("{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"hintlint hook session-start\",\n            \"timeout\": 10\n          }\n        ]\n      }\n    ],\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Read|Edit|MultiEdit|Write|NotebookEdit\","), "{text}");
    assert!(text.ends_with("\n  }\n}\n"), "{text}");
    assert_eq!(remove(&text).unwrap(), "{}\n");
}

#[test]
fn a_flat_file_says_its_version_and_is_ours_when_nothing_else_is_in_it() {
    let flat = agents::hook_callers().map(|caller| &caller.registration);
    let flat: Vec<_> = flat.filter(|form| form.form == RegistrationForm::Flat).collect();
    assert!(!flat.is_empty());
    for form in flat {
        let value: Value = serde_json::from_str(&fresh(form)).unwrap();
        assert_eq!(value["version"], 1);
        let stop = &value["hooks"][name(HookEvent::Stop, form)][0];
        assert_eq!((&stop["type"], &stop["bash"]), (&"command".into(), &"hintlint hook stop".into()));
        assert_eq!(super::remove(&fresh(form), form).unwrap(), "{\n  \"version\": 1\n}\n");
    }
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

/// A value as JSON text with these pieces of white space between its tokens, over and over.
fn spaced(value: &Value, blanks: &mut dyn Iterator<Item = String>, out: &mut String) {
    let mut blank = |out: &mut String| out.push_str(&blanks.next().unwrap_or_default());
    blank(out);
    match value {
        Value::Object(members) => {
            out.push('{');
            for (number, (key, value)) in members.iter().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                out.push_str(&blanks.next().unwrap_or_default());
                out.push_str(&format!("{}:", Value::from(key.as_str())));
                spaced(value, blanks, out);
            }
            out.push_str(&blanks.next().unwrap_or_default());
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (number, value) in items.iter().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                spaced(value, blanks, out);
            }
            out.push_str(&blanks.next().unwrap_or_default());
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
    out.push_str(&blanks.next().unwrap_or_default());
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_layout_survives_the_way_there_and_back(
        before in prop::collection::vec(("[a-c]", any_value()), 0..2),
        hooks in prop::option::of(prop::collection::vec(
            (
                prop::sample::select(vec!["SessionStart", "PostToolUse", "Stop", "SessionEnd", "Other"]),
                prop::collection::vec(any_value(), 0..2),
            ),
            0..4,
        )),
        behind in prop::collection::vec(("[d-f]", any_value()), 0..2),
        blanks in prop::collection::vec("[ \t\n\r]{0,3}|\r\n  |", 1..12),
        mark in any::<bool>(),
    ) {
        let mut root: serde_json::Map<_, _> = before.into_iter().collect();
        if let Some(hooks) = hooks {
            let hooks: serde_json::Map<_, _> = hooks.into_iter().map(|(key, list)| (key.into(), list.into())).collect();
            root.insert("hooks".into(), hooks.into());
        }
        root.extend(behind);
        let mut text = if mark { "\u{feff}".to_owned() } else { String::new() };
        spaced(&root.into(), &mut blanks.into_iter().cycle(), &mut text);
        check(&text);
    }
}

#[test]
fn what_the_user_did_in_between_stays() {
    for (before, from, to, left) in [
        ("{}\n", "{\n\n", "{\n  \"a\": 1,\n", "{\n  \"a\": 1\n}\n"),
        ("{\"hooks\": {}, \"a\": 1}", "\"a\": 1", "\"a\":  2", "{\"hooks\": {}, \"a\":  2}"),
        ("{\n  \"a\": 1\n}\n", "\"timeout\": 10", "\"timeout\": 60", "{\n  \"a\": 1\n}\n"),
    ] {
        let added = add(before).unwrap();
        let edited = added.replacen(from, to, 1);
        assert_ne!(edited, added, "{from:?} is in {added}");
        assert_eq!(remove(&edited).unwrap(), left);
    }
}

#[test]
fn a_reason_is_given_in_words() {
    for (text, word) in [
        ("", "empty"),
        (" \n\t", "empty"),
        ("// x\n{}", "comments"),
        ("{\n  /* x */ \"a\": 1\n}", "comments"),
        ("{} # x", "comments"),
        ("{\"a\": 1,}", "trailing comma"),
    ] {
        let found = add(text).unwrap_err();
        assert!(found.message.contains(word), "{text:?}: {}", found.message);
    }
}

#[test]
fn what_is_no_settings_file_is_refused_with_its_place() {
    for (text, line, column) in [
        ("", 1, 1),
        ("{\n  \"a\": 1,\n}", 2, 9),
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
