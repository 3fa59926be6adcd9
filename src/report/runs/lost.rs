//! What a defect of a settings file costs, in words and in JSON.

use crate::agents::runs::DroppedScope;

/// What a defect costs, in words.
pub(crate) fn lost(what: &DroppedScope) -> String {
    match what {
        DroppedScope::Hook => "this hook".to_owned(),
        DroppedScope::Event => "the hooks of this event".to_owned(),
        DroppedScope::Rule => "this rule".to_owned(),
        DroppedScope::Server => "this server".to_owned(),
        DroppedScope::Key => "this key".to_owned(),
        DroppedScope::Reference => "this reference".to_owned(),
        DroppedScope::Absent(_) | DroppedScope::Entry => "this entry".to_owned(),
        DroppedScope::Agent => "the agent does not start".to_owned(),
        DroppedScope::Rest => "the rest".to_owned(),
        DroppedScope::File(lost) | DroppedScope::Place(lost) => match lost.words() {
            words if words.is_empty() => "the file".to_owned(),
            words => format!("the file with {words}"),
        },
    }
}

/// The name of a scope in JSON.
pub(crate) fn scope(what: &DroppedScope) -> &'static str {
    match what {
        DroppedScope::File(_) => "file",
        DroppedScope::Place(_) => "place",
        DroppedScope::Hook => "hook",
        DroppedScope::Event => "event",
        DroppedScope::Rule => "rule",
        DroppedScope::Server => "server",
        DroppedScope::Key => "key",
        DroppedScope::Reference => "reference",
        DroppedScope::Absent(_) | DroppedScope::Entry => "entry",
        DroppedScope::Agent => "agent",
        DroppedScope::Rest => "rest",
    }
}
