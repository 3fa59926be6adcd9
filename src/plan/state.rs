//! The state of the one plan that is being worked on (`.boulder.json`), as data. What this version does not know of the file
//! survives a rewrite. Knows no file system and no clock.

use crate::base::date::civil;
use crate::base::error::Obstacle;
use serde_json::{Map, Value, json};

use super::Progress;

/// Sessions beyond this many are forgotten, the oldest first.
const MAX_SESSIONS: usize = 100;

/// The state as its file has it, with every field that others put there, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanState {
    object: Map<String, Value>,
}

/// A new state's own fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlanStart {
    /// Absolute path of the plan.
    pub active_plan: String,
    /// Absolute path of the project.
    pub project_root: String,
    /// What the plan is called.
    pub plan_name: String,
    /// When work began, as `2026-01-09T10:00:00Z`.
    pub started_at: String,
    /// The plan's boxes.
    pub progress: Progress,
}

impl PlanState {
    /// Read the file's text.
    ///
    /// # Errors
    /// When it is no JSON object; one sentence that says where.
    pub fn parse(bytes: &[u8]) -> Result<PlanState, Obstacle> {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(object)) => Ok(PlanState { object }),
            Ok(_) => Err("it is no JSON object".into()),
            Err(error) => Err(format!("it is no valid JSON: {error}").into()),
        }
    }

    /// The file's text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.object).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The state of a plan that work begins on. Fields of `before` that are not ours are taken over.
    pub(crate) fn begin(before: Option<&PlanState>, start: PlanStart) -> PlanState {
        let mut state = PlanState { object: before.map(|state| state.object.clone()).unwrap_or_default() };
        state.set("active_plan", start.active_plan.into());
        state.set("project_root", start.project_root.into());
        state.set("plan_name", start.plan_name.into());
        state.set("started_at", start.started_at.into());
        state.set("session_ids", json!([]));
        state.set_progress(start.progress);
        state.set("metadata", json!({}));
        state
    }

    /// The plan's absolute path; `None` if no plan is active.
    pub fn active_plan(&self) -> Option<&str> {
        self.text("active_plan")
    }

    /// The project's absolute path.
    pub fn project_root(&self) -> Option<&str> {
        self.text("project_root")
    }

    /// What the plan is called.
    pub fn plan_name(&self) -> Option<&str> {
        self.text("plan_name")
    }

    /// When work began, as written.
    pub fn started_at(&self) -> Option<&str> {
        self.text("started_at")
    }

    /// The progress that was last written; `None` if there is none that makes sense.
    pub fn progress(&self) -> Option<Progress> {
        let progress = self.object.get("progress")?;
        let number = |key: &str| progress.get(key)?.as_u64().and_then(|number| usize::try_from(number).ok());
        Some(Progress { total: number("total")?, completed: number("completed")? })
    }

    /// The sessions that worked on the plan, the latest last.
    pub fn sessions(&self) -> Vec<&str> {
        let list = self.object.get("session_ids").and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// All fields, in the file's order.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.object
    }

    /// Write the progress; what else stands beside the two numbers stays.
    pub(crate) fn set_progress(&mut self, progress: Progress) {
        let entry = self.object.entry("progress").or_insert(Value::Null);
        if !entry.is_object() {
            *entry = json!({});
        }
        if let Some(numbers) = entry.as_object_mut() {
            numbers.insert("total".into(), progress.total.into());
            numbers.insert("completed".into(), progress.completed.into());
        }
    }

    /// Write `name` if the state has none.
    pub(crate) fn name_if_missing(&mut self, name: &str) {
        if self.plan_name().is_none() {
            self.set("plan_name", name.into());
        }
    }

    /// Write where the plan is.
    pub(crate) fn set_plan(&mut self, path: &str) {
        self.set("active_plan", path.into());
    }

    /// Write which content of the plan the state is about.
    pub(crate) fn record_plan(&mut self, hash: &str) {
        self.set("plan_hash", hash.into());
    }

    /// Put `session` at the end of the sessions.
    pub(crate) fn add_session(&mut self, session: &str) {
        let mut sessions: Vec<Value> = match self.object.get("session_ids") {
            Some(Value::Array(list)) => list.iter().filter(|known| known.as_str() != Some(session)).cloned().collect(),
            _ => Vec::new(),
        };
        sessions.push(session.into());
        sessions.drain(..sessions.len().saturating_sub(MAX_SESSIONS));
        self.set("session_ids", sessions.into());
    }

    /// One line that keeps what is cleared readable.
    pub(crate) fn history_line(&self, cleared_at: &str, why: &str) -> String {
        let mut line = Map::new();
        line.insert("cleared_at".into(), cleared_at.into());
        line.insert("why".into(), why.into());
        line.extend(self.object.iter().map(|(key, value)| (key.clone(), value.clone())));
        let mut line = Value::Object(line).to_string();
        line.push('\n');
        line
    }

    fn set(&mut self, key: &str, value: Value) {
        self.object.insert(key.to_owned(), value);
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.object.get(key)?.as_str().filter(|text| !text.is_empty())
    }
}

/// `seconds` since 1970 as `2026-01-09T10:00:00Z`.
pub fn timestamp(seconds: u64) -> String {
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(i64::try_from(days).expect("u64::MAX seconds are fewer days than i64::MAX"));
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> PlanStart {
        PlanStart {
            active_plan: "/p/.claude/PLAN.md".into(),
            project_root: "/p".into(),
            plan_name: "feature".into(),
            started_at: "2026-01-09T10:00:00Z".into(),
            progress: Progress { total: 20, completed: 5 },
        }
    }

    #[test]
    fn a_new_state_has_the_fields_of_the_original_in_order() {
        let text = PlanState::begin(None, start()).to_text();
        let keys: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  \"")?.split('"').next()).collect();
        assert_eq!(
            keys,
            ["active_plan", "project_root", "plan_name", "started_at", "session_ids", "progress", "metadata"]
        );
        assert_eq!(PlanState::parse(text.as_bytes()).unwrap().progress(), Some(Progress { total: 20, completed: 5 }));
    }

    #[test]
    fn unknown_fields_survive_in_their_place() {
        let text = "{\"theirs\": [1, {\"b\": 2, \"a\": null}], \"active_plan\": \"/p/P.md\", \"progress\": {\"eta\": 3}, \"z\": 1.50}";
        let mut state = PlanState::parse(text.as_bytes()).unwrap();
        state.set_progress(Progress { total: 2, completed: 1 });
        state.add_session("s");
        let expected = json!({
            "theirs": [1, {"b": 2, "a": null}], "active_plan": "/p/P.md",
            "progress": {"eta": 3, "total": 2, "completed": 1}, "z": 1.5, "session_ids": ["s"],
        });
        let written: Value = serde_json::from_str(&state.to_text()).unwrap();
        assert_eq!(written.to_string(), expected.to_string());
        assert_eq!(PlanState::begin(Some(&state), start()).fields().keys().next().map(String::as_str), Some("theirs"));
    }

    #[test]
    fn sessions_stand_once_and_are_bounded() {
        let mut state = PlanState::begin(None, start());
        for number in 0..150 {
            state.add_session(&format!("s{number}"));
        }
        state.add_session("s149");
        state.add_session("s60");
        let sessions = state.sessions();
        assert_eq!((sessions.len(), sessions[0], sessions[98], sessions[99]), (100, "s50", "s149", "s60"));
    }

    #[test]
    fn what_makes_no_sense_is_none() {
        for text in ["", "[]", "{", "\"x\"", "{\"a\": 1} x"] {
            assert!(PlanState::parse(text.as_bytes()).is_err(), "{text:?}");
        }
        let odd = PlanState::parse(
            b"\xef\xbb\xbf{\"active_plan\": 3, \"progress\": {\"total\": -1}, \"session_ids\": \"x\"}",
        )
        .unwrap();
        assert_eq!((odd.active_plan(), odd.progress(), odd.sessions().len()), (None, None, 0));
    }

    #[test]
    fn times_are_told_as_people_write_them() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_225_600, "2026-01-01T00:00:00Z"),
            (1_767_952_800, "2026-01-09T10:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds), expected);
        }
    }
}
