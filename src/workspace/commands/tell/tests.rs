//! What is a command of a text, by example.

use super::*;
use crate::base::kind::Kind;

#[test]
fn comments_and_what_runs_behind_a_test_are_no_commands() {
    let names = |line: &str| {
        let text = format!("```bash\n{line}\n```\n");
        let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.into_bytes().into());
        commands(&document).into_iter().map(|command| command.name).collect::<Vec<_>>()
    };
    assert_eq!(names("npm run a && npm run b"), ["a", "b"]);
    let targets = names("cargo bench --bench my_bench && cargo test --test rows");
    assert!(targets.contains(&"rows".into()) && !targets.contains(&"my_bench".into()), "{targets:?}");
    for line in ["# npm: npm run a", "# x && npm run a", "[ -f x ] && npm run a", "test -d x && make a"] {
        assert!(names(line).is_empty(), "{line}");
    }
}
