//! Commands whose files need not be there: what they say of a missing one is thrown away, or they make it. Text in, answer out.

/// Programs that look whether something is there.
const LOOKS: [&str; 8] = ["cat", "find", "grep", "head", "ls", "rg", "tail", "wc"];

/// Programs that make files by a template, and their words for it.
const GENERATORS: [&str; 6] = ["dotnet", "nest", "ng", "nx", "plop", "rails"];
const GENERATES: [&str; 4] = ["g", "generate", "init", "new"];

/// Whether `command`, a run of `program`, takes it well that a file is not there: `cat x 2>/dev/null`, `npx nx g lib libs/x`. `rest`
/// follows it.
pub(super) fn need_not_be_there(program: &str, command: &str, rest: &str) -> bool {
    let is_quiet = command.contains("2>/dev/null") && (LOOKS.contains(&program) || rest.starts_with("||"));
    let words: Vec<&str> = command.split_whitespace().collect();
    is_quiet || words.windows(2).any(|pair| GENERATORS.contains(&pair[0]) && GENERATES.contains(&pair[1]))
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
        assert!(need_not_be_there("npx", "npx nx g @nx/js:lib libs/contacts", ""));
        assert!(!need_not_be_there("npx", "npx nx test libs/contacts", ""));
    }
}
