//! Which variables in the commands of hooks an agent replaces by itself. Run offline with quoted and unquoted names: Claude Code
//! 2.1.330 and Qwen Code 0.24.4 replace none, Gemini CLI 0.61.0 and Copilot CLI 1.0.102 some.

/// Which variables of the project's or the plugin's folder an agent replaces in a hook's command before a shell reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplacedVariables {
    /// None: only the shell expands them, and not in single quotes.
    None,
    /// `$NAME`, and not `${NAME}`.
    Plain,
    /// `${NAME}` in hooks of bundles.
    BracedInBundles,
}

impl ReplacedVariables {
    /// Whether `variable`, written with its sign, is replaced.
    pub(crate) fn replaces(self, variable: &str, is_bundle: bool) -> bool {
        let is_braced = variable.starts_with("${");
        match self {
            ReplacedVariables::None => false,
            ReplacedVariables::Plain => !is_braced,
            ReplacedVariables::BracedInBundles => is_braced && is_bundle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_as_observed() {
        let check = |agent: ReplacedVariables, expected: [bool; 4]| {
            let found = [("$A", false), ("${A}", false), ("$A", true), ("${A}", true)];
            assert_eq!(found.map(|(variable, is_bundle)| agent.replaces(variable, is_bundle)), expected, "{agent:?}");
        };
        check(ReplacedVariables::None, [false; 4]);
        check(ReplacedVariables::Plain, [true, false, true, false]);
        check(ReplacedVariables::BracedInBundles, [false, false, false, true]);
    }
}
