//! Boxes by example.

use super::*;
use crate::parse::markdown;

fn parse(text: &str) -> (Vec<Task>, Vec<MalformedTask>) {
    parse_at("PLAN.md", text)
}

fn parse_at(path: &str, text: &str) -> (Vec<Task>, Vec<MalformedTask>) {
    read(path.as_bytes(), text, &LineIndex::new(text.as_bytes()), &markdown::read(text, 0))
}

#[test]
fn a_spec_has_optional_tasks_and_tasks_in_progress() {
    use BoxStanding::{Cancelled, Done, Open};
    let text = "- [-] 1. a\n  - [ ]* 1.1 b\n  - [x]* 1.2 c\n  - [ ] 1.3 d\n  - [ ]** e **\n";
    let standings = |path: &str| parse_at(path, text).0.iter().map(|task| task.standing).collect::<Vec<_>>();
    assert_eq!(standings(".kiro/specs/x/tasks.md"), [Open, Cancelled, Done, Open]);
    assert_eq!(standings("docs/plans/tasks.md"), [Cancelled, Cancelled, Done, Open]);
    assert_eq!(parse(text).1.len(), 1, "the last one lacks a blank");
}

#[test]
fn boxes_know_their_state_text_parent_and_heading() {
    let text = "# A\n- [ ] one\n  - plain\n    1. [X] two\n* [-] three\r\n# B\n+ [x]\n- [✔️] four\n";
    let found: Vec<_> = parse(text).0.iter().map(|t| (t.state, &text[t.text.range()], t.parent, t.heading)).collect();
    assert_eq!(
        found,
        [
            (TaskState::Open, "one", None, Some(0)),
            (TaskState::Done, "two", Some(0), Some(0)),
            (TaskState::Other('-'), "three", None, Some(0)),
            (TaskState::Done, "", None, Some(1)),
            (TaskState::Other('✔'), "four", None, Some(1)),
        ]
    );
}

#[test]
fn marks_count_as_the_file_or_custom_has_it() {
    let standings = |text: &str| parse(text).0.iter().map(|task| task.standing).collect::<Vec<_>>();
    use BoxStanding::{Cancelled, Done, Open};
    let boxes = "- [ ] a\n- [x] b\n- [~] c\n- [/] d\n- [-] e\n- [>] f\n";
    assert_eq!(standings(boxes), [Open, Done, Open, Open, Cancelled, Open]);
    let legend = format!("Legend: [-] in progress, [~] cancelled, [>] done\n\n{boxes}");
    assert_eq!(standings(&legend), [Open, Done, Cancelled, Open, Open, Done]);
    let (tasks, malformed) = parse("## Legend\n- [ ] Not started\n- [~] Dropped\n[x] done\n\n# Work\n- [~] c\n");
    assert_eq!((tasks.len(), tasks[0].standing, malformed), (1, Cancelled, vec![]), "a legend holds no tasks");
}

#[test]
fn what_is_no_box_is_left_alone() {
    for line in [
        "- [x](url)",
        "- [text]",
        "- [x]: y",
        "- [1] Knuth",
        "- [^1] note",
        "- []string",
        "- [](u)",
        "- `[ ]` box",
        "a [ ] b",
        "    - [] code",
        "<!-- -[ ] x -->",
        "- \\[ ] x",
        "[x](u) y",
        "[ ] = open",
        "[x] done, [ ] open",
        "[x]: /u",
        "-[x](u)",
        "- [x].",
        "-[a] b",
        "| [ ] | a |",
        "<div>\n[ ] a\n</div>",
        "- [ab] c",
        "*[a](b)*",
        "- 【】x",
    ] {
        assert_eq!(parse(line), (vec![], vec![]), "{line:?}");
    }
    let defined = "- [a] y\n\n[a]: /u\n";
    assert_eq!(parse(defined), (vec![], vec![]));
}

#[test]
fn slips_get_the_box_that_was_meant() {
    for (line, want) in [
        ("-[ ] a", "- [ ] a"),
        ("- [] a", "- [ ] a"),
        ("- []", "- [ ]"),
        ("- [x]a", "- [x] a"),
        ("* [ ]**a**", "* [ ] **a**"),
        ("+ [ x] a", "+ [x] a"),
        ("- [X ] a", "- [x] a"),
        ("1. [  ] a", "1. [ ] a"),
        ("2)[x] a", "2) [x] a"),
        ("-[]a b", "-[]a b"),
        ("[ ] a", "- [ ] a"),
        ("t\n[x] a", "t\n- [x] a"),
        ("• [ ] a", "- [ ] a"),
        ("- ［ ］a", "- [ ] a"),
        ("- [\u{3000}] a", "- [ ] a"),
        ("- [х] a", "- [x] a"),
        ("> -[ ] a", "> - [ ] a"),
        ("  -[] a", "  - [ ] a"),
    ] {
        let mut text = line.to_owned();
        for task in parse(line).1.iter().rev() {
            text.replace_range(task.span.range(), &task.replacement);
        }
        assert_eq!(text, want, "{line:?}");
        assert_eq!(parse(&text).1, [], "the fix of {line:?} is final");
    }
}
