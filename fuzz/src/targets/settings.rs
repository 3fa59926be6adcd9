//! Adding our hooks to an agent's settings and removing them again gives the same bytes, and no reader sees another change.

use std::path::Path;

use hintlint::agents::{self, HookRegistration};
use hintlint::hooks::settings::{self, SettingsProblem};
use serde_json::Value;

use super::seeds;

pub(crate) fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    agents::hook_registrations().for_each(|form| check(text, form));
}

fn check(text: &str, form: &HookRegistration) {
    let add = |text: &str| -> Result<String, SettingsProblem> { settings::add(text, form) };
    let remove = |text: &str| -> Result<String, SettingsProblem> { settings::remove(text, form) };
    let removed = remove(text);
    let Ok(after) = add(text) else { return };
    let removed = removed.expect("what can be added to can be removed from");
    assert_eq!(add(&after).as_deref(), Ok(&*after), "adding twice changes more");
    let value = |text: &str| -> Value { serde_json::from_str(text.trim_start_matches('\u{feff}')).expect("JSON") };
    let (mut before, mut with) = (value(text), value(&after));
    // Our own hooks may stand in the text already, which then is not what `remove` has to give back.
    if removed == text {
        assert_eq!(remove(&after).as_deref(), Ok(text), "adding and removing is not byte for byte");
    }
    let hooks = [&mut before, &mut with].map(|value| value.as_object_mut().and_then(|members| members.remove("hooks")));
    assert_eq!(before, with, "another setting changed");
    let [Some(Value::Object(old)), Some(Value::Object(new))] = hooks else { return };
    for (event, groups) in &old {
        let (Value::Array(old), Some(Value::Array(new))) = (groups, new.get(event)) else { continue };
        assert!(new.starts_with(old), "the groups of {event} changed");
    }
}

pub(crate) fn seeds(fixtures: &Path) -> Vec<Vec<u8>> {
    let mut seeds = seeds::files_named(fixtures, &|name| name.ends_with("settings.json"));
    for text in [
        "{}\n",
        "{\n  \"model\": \"opus\"\n}\n",
        "{\"a\":1,\"b\":[]}",
        "{\r\n\t\"b\": 1,\r\n\t\"a\": {\"x\": [1, {}]}\r\n}\r\n",
        "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]\n  },\n  \"z\": null\n}\n",
        "{\"hooks\": {\"Stop\": [{\"matcher\": \"*\", \"hooks\": []}], \"Notification\": []}}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"/opt/hintlint hook stop\"}]}]}}",
    ] {
        seeds.push(text.into());
    }
    seeds
}
