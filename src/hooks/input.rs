//! What an agent sends a hook on standard input, and what a hook answers on standard output. Field names come in snake case or
//! camel case. Knows the forms and none of the hooks.

use std::fmt;
use std::io::{BufReader, Read};

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, json};

use crate::base::error::Obstacle;
use crate::plan::state::timestamp;
use crate::report::safe_json;
use crate::world::AbsPath;

/// The message of one event. What an event does not have is empty; what this version does not know is passed over.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Input {
    /// The session; from outside, never a path.
    #[serde(alias = "sessionId", deserialize_with = "or_empty")]
    pub session_id: String,
    /// The subagent that the event happened in; empty in the session itself.
    #[serde(alias = "agentId", deserialize_with = "or_empty")]
    pub agent_id: String,
    /// The turn of the conversation, as one of the agents names it.
    pub turn_id: Option<IgnoredAny>,
    /// The session's transcript, one JSON object per line.
    #[serde(alias = "transcriptPath", deserialize_with = "or_empty")]
    pub transcript_path: String,
    /// Where the agent works now.
    #[serde(deserialize_with = "or_empty")]
    pub cwd: String,
    /// The event as the agent calls it.
    #[serde(alias = "hookEventName", deserialize_with = "or_empty")]
    pub hook_event_name: String,
    /// Why a session starts: `startup`, `resume`, `clear` or `compact`.
    #[serde(deserialize_with = "or_empty")]
    pub source: String,
    /// The tool that was used.
    #[serde(alias = "toolName", deserialize_with = "or_empty")]
    pub tool_name: String,
    /// What it was given.
    #[serde(alias = "toolArgs", deserialize_with = "tool_input")]
    pub(crate) tool_input: ToolInput,
    /// What the assistant said last.
    pub last_assistant_message: Option<String>,
    /// When the event happened, for agents that say it: milliseconds since 1970, or a date and time.
    #[serde(deserialize_with = "instant")]
    pub timestamp: Option<String>,
}

/// What a tool that works on a file was given. Each names the file in one of these fields, or in a patch.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ToolInput {
    /// The file.
    pub file_path: Option<String>,
    /// The notebook.
    pub notebook_path: Option<String>,
    /// The file, by another name.
    pub absolute_path: Option<String>,
    /// The file, by a third name.
    pub path: Option<String>,
    /// A patch for `apply_patch`.
    command: Option<Patch>,
}

/// A text; values of other types count as none.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Patch {
    Text(String),
    Other(IgnoredAny),
}

impl ToolInput {
    /// The files as written, no more than a few.
    fn files(&self) -> Vec<&str> {
        const FEW: usize = 20;
        let named = [&self.file_path, &self.notebook_path, &self.absolute_path, &self.path];
        if let Some(file) = named.into_iter().flatten().next() {
            return vec![file];
        }
        let Some(Patch::Text(patch)) = &self.command else { return Vec::new() };
        let heads = ["*** Add File: ", "*** Update File: "];
        let named = patch.lines().filter_map(|line| heads.iter().find_map(|head| line.strip_prefix(head)));
        named.map(str::trim).take(FEW).collect()
    }
}

/// What a tool was given: an object, or the same as JSON in a string.
fn tool_input<'de, D: Deserializer<'de>>(from: D) -> Result<ToolInput, D::Error> {
    struct ToolInputVisitor;

    impl<'de> Visitor<'de> for ToolInputVisitor {
        type Value = ToolInput;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_unit<E: de::Error>(self) -> Result<ToolInput, E> {
            Ok(ToolInput::default())
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<ToolInput, E> {
            // A tool that is given a text works on no file.
            Ok(serde_json::from_str(text).unwrap_or_default())
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ToolInput, A::Error> {
            ToolInput::deserialize(MapAccessDeserializer::new(map))
        }
    }

    from.deserialize_any(ToolInputVisitor)
}

/// A point in time, however it is written; `None` for anything else.
fn instant<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Instant {
        Milliseconds(u64),
        Text(String),
        Other(IgnoredAny),
    }
    Ok(match Instant::deserialize(from)? {
        Instant::Milliseconds(number) => {
            Some(timestamp(number / 1000).replace('Z', &format!(".{:03}Z", number % 1000)))
        }
        Instant::Text(text) => Some(text),
        Instant::Other(_) => None,
    })
}

/// `null` is as good as nothing.
fn or_empty<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

impl Input {
    /// Read a message, up to the end of its object: an agent may leave its end of the pipe open. Holds no more of it than the
    /// fields that are needed.
    ///
    /// # Errors
    /// When it is no JSON object of this form; one sentence that says where.
    pub(crate) fn read(message: impl Read) -> Result<Input, Obstacle> {
        let mut message = BufReader::new(message);
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || "\u{feff}".as_bytes().contains(byte);
        let mut bytes = message.by_ref().bytes();
        let first = bytes.find(|byte| byte.as_ref().map_or(true, |byte| !is_blank(byte)));
        // serde would read a list as the fields in their order.
        match first {
            None => return Err("standard input is empty; a hook expects the agent's JSON".into()),
            Some(Err(error)) => return Err(format!("standard input cannot be read: {error}").into()),
            Some(Ok(b'{')) => {}
            Some(Ok(_)) => return Err("standard input is not a JSON object".into()),
        }
        let mut json = serde_json::Deserializer::from_reader(b"{".as_slice().chain(message));
        Input::deserialize(&mut json)
            .map_err(|error| format!("standard input is not a valid hook event: {error}").into())
    }

    /// The directory that the agent works in.
    pub fn directory(&self) -> Option<AbsPath> {
        self.cwd.starts_with('/').then(|| AbsPath::new(&self.cwd))
    }

    /// The files that the tool worked on.
    pub fn touched(&self) -> Vec<AbsPath> {
        let files = self.tool_input.files().into_iter().filter(|path| !path.is_empty() && !path.contains('\0'));
        let absolute = |path: &str| match path.starts_with('/') {
            true => Some(AbsPath::new(path)),
            false => Some(self.directory()?.join(path)),
        };
        files.filter_map(absolute).collect()
    }
}

/// What a hook answers. Nothing in it stops the agent unless `block` is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookAnswer {
    /// What the user is told, one piece each.
    pub messages: Vec<String>,
    /// What the model is told, one piece each.
    pub context: Vec<String>,
    /// Why the agent may not stop yet.
    pub block: Option<String>,
    /// What is worth a line on standard error.
    pub log: Vec<String>,
    /// Where the agent wants what its model is told.
    pub form: AnswerForm,
}

/// Where the answer holds the text for the model. An agent that reads one place may reject an answer with both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// Below `hookSpecificOutput`, beside the name of the event; the agent's own name for it, where it sent one.
    Nested(Option<String>),
    /// At the top.
    Top,
}

impl Default for AnswerForm {
    fn default() -> Self {
        AnswerForm::Nested(None)
    }
}

impl HookAnswer {
    /// The answer as the agent reads it. There is always an object: empty output was taken for a failure by released versions.
    pub fn to_json(&self, event_name: &str) -> String {
        let mut object = Map::new();
        if let Some(reason) = &self.block {
            object.insert("decision".into(), "block".into());
            object.insert("reason".into(), reason.as_str().into());
        }
        if !self.messages.is_empty() {
            object.insert("systemMessage".into(), self.messages.join("\n").into());
        }
        if !self.context.is_empty() {
            let context = self.context.join("\n\n");
            match &self.form {
                AnswerForm::Top => object.insert("additionalContext".into(), context.into()),
                AnswerForm::Nested(name) => {
                    let name = name.as_deref().unwrap_or(event_name);
                    let nested = json!({"hookEventName": name, "additionalContext": context});
                    object.insert("hookSpecificOutput".into(), nested)
                }
            };
        }
        safe_json::line(&object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_an_event_are_read_and_others_passed_over() {
        let input = Input::read(
            &br#"{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/r/a","permission_mode":"default","hook_event_name":"PostToolUse",
            "tool_name":"Edit","tool_input":{"file_path":"../b.ts","old_string":"x","new_string":"y"},"tool_response":{"a":[1]},
            "tool_use_id":"toolu_1","duration_ms":3}"#[..],
        )
        .unwrap();
        assert_eq!((input.tool_name.as_str(), input.touched()), ("Edit", vec![AbsPath::new("/r/b.ts")]));
        for bad in ["", " \n", "[]", "{", "{\"cwd\": 3}", "\u{0}"] {
            assert!(Input::read(bad.as_bytes()).is_err(), "{bad:?}");
        }
        let empty = Input::read(&br#"{"transcript_path":null,"tool_input":null}"#[..]).unwrap();
        assert_eq!((empty.touched(), empty.transcript_path.as_str()), (vec![], ""));
    }

    #[test]
    fn every_agent_names_its_file_in_its_own_way() {
        for (message, expected) in [
            (r#"{"tool_input": {"notebook_path": "/r/a.ipynb", "new_source": "x"}}"#, &["/r/a.ipynb"][..]),
            (r#"{"tool_input": {"absolute_path": "/r/a"}}"#, &["/r/a"]),
            (r#"{"sessionId": "s", "toolName": "view", "toolArgs": {"path": "/r/a"}}"#, &["/r/a"]),
            (r#"{"toolArgs": "{\"path\": \"/r/a\"}"}"#, &["/r/a"]),
            (r#"{"toolArgs": "a\nb"}"#, &[]),
            (r#"{"tool_input": {"command": ["cat", "a"]}}"#, &[]),
            (
                r#"{"cwd": "/r", "tool_input": {"command": "*** Begin Patch\n*** Update File: a b.md\n@@\n-x\n+y\n*** Add File: c\n+z\n*** End Patch"}}"#,
                &["/r/a b.md", "/r/c"],
            ),
        ] {
            let found: Vec<String> =
                Input::read(message.as_bytes()).unwrap().touched().iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{message}");
        }
    }

    #[test]
    fn the_message_ends_with_its_object() {
        // A reader that would wait for ever behind the object.
        struct EndlessReader;
        impl Read for EndlessReader {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                panic!("nothing is read behind the object")
            }
        }
        let input = Input::read("\u{feff} {\"session_id\":\"s\"}".as_bytes().chain(EndlessReader)).unwrap();
        assert_eq!(input.session_id, "s");
        assert!(Input::read(std::io::repeat(b'\0')).is_err(), "an endless input is refused at once");
        let deep = format!("{{\"tool_response\":{}", "[".repeat(100_000));
        assert!(Input::read(deep.as_bytes()).is_err());
    }

    #[test]
    fn an_answer_is_always_an_object() {
        assert_eq!(HookAnswer::default().to_json("Stop"), "{}");
        let answer = HookAnswer {
            messages: vec!["a".into(), "b".into()],
            context: vec!["c".into(), "d".into()],
            block: Some("e".into()),
            log: vec!["f".into()],
            form: AnswerForm::Nested(None),
        };
        let expected = r#"{"decision":"block","reason":"e","systemMessage":"a\nb","hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"c\n\nd"}}"#;
        assert_eq!(answer.to_json("Stop"), expected);
        let top = HookAnswer { context: vec!["c".into()], form: AnswerForm::Top, ..HookAnswer::default() };
        assert_eq!(top.to_json("SessionStart"), r#"{"additionalContext":"c"}"#);
        let own = HookAnswer { form: AnswerForm::Nested(Some("AfterTool".into())), ..top };
        let expected = r#"{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"c"}}"#;
        assert_eq!(own.to_json("PostToolUse"), expected);
    }
}
