//! Settings that an agent ignores: why, and what is lost.

use super::reading::SettingsText;
use super::{RunReader, SettingPlace};
use crate::base::sanitize;
use crate::parse::json::JsonMember;

/// Something that a file says and the agent does not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DroppedSetting {
    /// The place of the cause.
    pub place: SettingPlace,
    /// What is wrong, in words.
    pub why: String,
    /// What does not take effect.
    pub what: DroppedScope,
    /// Whether the agent says so to its user.
    pub is_said: bool,
    /// What the string at the place must say, where that is certain.
    pub instead: Option<String>,
    /// How it is known.
    pub basis: DropBasis,
    /// The server that does not start, where that is said.
    pub server: Option<String>,
    /// Whether nothing is lost: without it the agent does the same.
    pub is_harmless: bool,
}

impl DroppedSetting {
    pub(super) fn new(place: SettingPlace, why: String, what: DroppedScope, is_said: bool) -> Self {
        let basis = DropBasis::Observed;
        DroppedSetting { place, why, what, is_said, instead: None, basis, server: None, is_harmless: false }
    }
}

/// How it is known that an agent ignores something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DropBasis {
    /// The agent was run, or its package was read.
    Observed,
    /// It is documented, and the repository's files show what was meant.
    Documented,
    /// It is documented, and something outside the repository may give it an effect.
    Supposed,
}

/// What a defect costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DroppedScope {
    /// All of the file: so many hooks, rules and the rest of it.
    File(LostSettings),
    /// This hook, or all hooks of one entry.
    Hook,
    /// All hooks of an event that the agent does not know.
    Event,
    /// This rule about tools.
    Rule,
    /// This server.
    Server,
    /// This key with what it holds.
    Key,
    /// All of a file that stands where the agent reads none.
    Place(LostSettings),
    /// What this value refers to; the value itself counts as it is written.
    Reference,
    /// This value, which names a file that is not there, as it is written.
    Absent(String),
    /// Another entry.
    Entry,
    /// Nothing of the file's: the agent does not start.
    Agent,
    /// Content beyond hintlint's limits; the agent reads it.
    Rest,
}

/// What a file would have brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LostSettings {
    /// Hooks.
    pub hooks: usize,
    /// Rules that refuse something.
    pub deny: usize,
    /// Rules that allow something.
    pub allow: usize,
    /// Rules that ask each time.
    pub ask: usize,
    /// Servers.
    pub servers: usize,
    /// Environment variables.
    pub variables: usize,
}

impl LostSettings {
    /// What is lost, as words: `4 deny rules, 2 hooks and 1 variable`; empty for nothing.
    pub(crate) fn words(&self) -> String {
        let parts = [
            (self.deny, "deny rule"),
            (self.hooks, "hook"),
            (self.servers, "server"),
            (self.ask, "ask rule"),
            (self.allow, "allow rule"),
            (self.variables, "variable"),
        ];
        let parts = parts.into_iter().filter(|&(count, _)| count > 0);
        let parts: Vec<String> =
            parts.map(|(count, one)| format!("{count} {one}{}", if count == 1 { "" } else { "s" })).collect();
        match &parts[..] {
            [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
            _ => parts.concat(),
        }
    }
}

/// How the reason begins why a key that the agent does not know has no effect.
pub(crate) const NO_SETTING: &str = "there is no setting `";

impl RunReader<'_> {
    /// Put on record a key of `text` that the agent does not know.
    pub(crate) fn drop_unknown_key(&mut self, text: &SettingsText, member: &JsonMember) {
        let (place, why) = (text.place(member.key_span), format!("{NO_SETTING}{}`", sanitize::line(&member.key)));
        // A plain value may be a remark, or the switch of a version to come.
        match member.value.is_object() || member.value.is_array() {
            true => self.drop(place, why, DroppedScope::Key, false),
            false => self.drop_harmless(place, why, DroppedScope::Key, false),
        }
    }
}
