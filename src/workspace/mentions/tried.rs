//! Commands whose files need not be there: what they say of a missing one is thrown away. Text in, answer out.

/// Programs that look whether something is there.
const LOOKS: [&str; 8] = ["cat", "find", "grep", "head", "ls", "rg", "tail", "wc"];

/// Whether `command`, a run of `program`, takes it well that a file is not there: `cat x 2>/dev/null`. `rest` follows it.
pub(super) fn need_not_be_there(program: &str, command: &str, rest: &str) -> bool {
    command.contains("2>/dev/null") && (LOOKS.contains(&program) || rest.starts_with("||"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_looks_may_find_nothing() {
        assert!(need_not_be_there("grep", " grep -r x src/ 2>/dev/null ", "| head"));
        assert!(need_not_be_there("node", "node x.js 2>/dev/null ", "|| echo none"));
        assert!(!need_not_be_there("node", "node x.js 2>/dev/null", ""));
        assert!(!need_not_be_there("grep", "grep -r x src/", ""));
    }
}
