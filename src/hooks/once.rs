//! An event that an agent sends twice is answered once: hooks may be registered in a project's settings, in the user's and in a
//! plugin, and not every agent runs one command once. The call that comes first answers; the others, a moment later, are silent.

use std::time::UNIX_EPOCH;

use super::Hook;
use super::seen::SeenCache;
use super::store::hash;

/// How long after the first call (in milliseconds) another that tells the same is about the same event. An agent starts the calls
/// of an event together, and between two events it asks its model.
const MOMENT: u64 = 2_000;

/// The field of a session's file that has the last event of a kind.
const ANSWERED: &str = "answered";
const ANSWERED_AT: &str = "answered_at";

/// Note in `seen` that this call answers its event; false if another call has. `more` tells it from earlier events whose message
/// is the same.
pub(crate) fn claim(hook: &Hook<'_>, seen: &mut SeenCache, more: &str) -> bool {
    let input = &hook.input;
    let now =
        hook.now.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX));
    let event = match &input.timestamp {
        Some(timestamp) => timestamp.clone(),
        None => format!("{}\n{more}\n{}", input.source, input.last_assistant_message.as_deref().unwrap_or_default()),
    };
    let event = hash(event.as_bytes());
    let is_same = seen.text(ANSWERED) == event;
    let age = now.checked_sub(seen.number(ANSWERED_AT));
    if is_same && (input.timestamp.is_some() || age.is_some_and(|age| age < MOMENT)) {
        return false;
    }
    seen.set(ANSWERED, event);
    seen.set(ANSWERED_AT, now);
    true
}
