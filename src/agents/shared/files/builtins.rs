//! The names that an agent knows by itself: its slash commands, and the subagents and skills that come with it.

use super::all;

/// Names that an agent knows without a file in the repository, in lower case.
#[derive(Debug)]
pub(crate) struct Builtins {
    /// Slash commands, without the slash.
    pub(crate) commands: &'static [&'static str],
    /// Subagents that it can call.
    pub(crate) subagents: &'static [&'static str],
    /// Skills that come with it.
    pub(crate) skills: &'static [&'static str],
}

impl Builtins {
    /// Nothing.
    pub(crate) const NONE: Builtins = Builtins { commands: &[], subagents: &[], skills: &[] };
}

/// Whether some agent knows a command, subagent or skill called `name`, in lower case, without a file in the repository.
pub(crate) fn is_builtin(name: &str) -> bool {
    let lists = |builtins: &'static Builtins| [builtins.commands, builtins.subagents, builtins.skills];
    all().flat_map(|files| lists(&files.builtins)).any(|names| names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_in_lower_case() {
        for builtins in all().map(|files| &files.builtins) {
            for names in [builtins.commands, builtins.subagents, builtins.skills] {
                assert!(names.is_sorted(), "{names:?}");
                assert!(names.iter().all(|name| !name.starts_with('/') && *name == name.to_lowercase()), "{names:?}");
            }
        }
        assert!(is_builtin("compact") && !is_builtin("prp-create"));
    }
}
