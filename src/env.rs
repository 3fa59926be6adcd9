//! The environment, explicit: the one place that reads the process's variables. Everything else takes an [`Env`], so that a
//! test or a repository alone can have another one, or none.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// Environment variables by name, byte for byte; a value as text has U+FFFD in place of what is not UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Env {
    variables: BTreeMap<OsString, (OsString, String)>,
}

impl Env {
    /// No variable at all: what a repository alone has.
    pub fn empty() -> Self {
        Env::default()
    }

    /// The variables of this process.
    pub fn from_process() -> Self {
        std::env::vars_os().collect()
    }

    /// All variables, byte for byte, sorted.
    pub fn exact(&self) -> impl Iterator<Item = (OsString, OsString)> {
        self.variables.iter().map(|(name, (value, _))| (name.clone(), value.clone()))
    }

    /// The value of `name`, if it is set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(OsStr::new(name)).map(|(_, text)| text.as_str()).filter(|text| !text.is_empty())
    }

    /// Whether `name` is set to something other than `0` and `false`.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "0" && !value.eq_ignore_ascii_case("false"))
    }

    /// The user's home directory.
    pub fn home(&self) -> Option<&str> {
        self.get("HOME").or_else(|| if cfg!(windows) { self.get("USERPROFILE") } else { None })
    }

    /// The value of `name`, or `below` the home directory.
    pub(crate) fn or_in_home(&self, name: &str, below: &str) -> Option<String> {
        self.get(name).map(str::to_owned).or_else(|| self.home().map(|home| format!("{home}/{below}")))
    }

    /// The directory of user configuration: `$XDG_CONFIG_HOME`, if absolute, else `~/.config`.
    pub(crate) fn config_home(&self) -> Option<String> {
        self.base_directory("XDG_CONFIG_HOME", ".config")
    }

    /// The directory of what programs keep between runs: `$XDG_STATE_HOME`, if absolute, else `~/.local/state`.
    pub(crate) fn state_home(&self) -> Option<String> {
        self.base_directory("XDG_STATE_HOME", ".local/state")
    }

    /// The value of `name`, if it is an absolute path, or `below` the home directory.
    fn base_directory(&self, name: &str, below: &str) -> Option<String> {
        let named = self.get(name).filter(|dir| dir.starts_with('/')).map(str::to_owned);
        named.or_else(|| self.home().map(|home| format!("{home}/{below}")))
    }

    /// The same environment with `name` set to `value`.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        let value = value.into();
        let text = value.to_string_lossy().into_owned();
        self.variables.insert(name.into(), (value, text));
        self
    }
}

/// Whether the terminal of this process is known to open addresses that text is linked to. `FORCE_HYPERLINK` decides first.
pub(crate) fn terminal_has_hyperlinks() -> bool {
    supports_hyperlinks::supports_hyperlinks()
}

impl<N: Into<OsString>, V: Into<OsString>> FromIterator<(N, V)> for Env {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        pairs.into_iter().fold(Env::empty(), |env, (name, value)| env.with(name, value))
    }
}

/// The working directory of this process.
pub fn current_dir() -> std::io::Result<std::path::PathBuf> {
    std::env::current_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_come_from_the_environment() {
        let env = Env::empty().with("HOME", "/h").with("XDG_CONFIG_HOME", "relative");
        assert_eq!(env.config_home().as_deref(), Some("/h/.config"));
        assert_eq!(env.or_in_home("CODEX_HOME", ".codex").as_deref(), Some("/h/.codex"));
        assert_eq!(env.with("CODEX_HOME", "/c").or_in_home("CODEX_HOME", ".codex").as_deref(), Some("/c"));
        assert_eq!(Env::empty().config_home(), None);
    }

    #[test]
    fn empty_values_count_as_unset() {
        let env = Env::empty().with("A", "").with("B", "0").with("C", "1");
        assert_eq!((env.get("A"), env.is_on("B"), env.is_on("C")), (None, false, true));
    }
}
