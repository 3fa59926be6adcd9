//! Fences that are not closed, by example.

use super::*;
use crate::rules::testing::{check, check_at, fixed, places};

#[test]
fn a_block_of_code_to_the_end_of_the_file_loses_nothing() {
    let level = |text: &str| check_at(&UnclosedFence, "AGENTS.md", Kind::AgentsMd, text)[0].level;
    let code = "# A\n\n```python\na = 1\nb = 2\n\n# c\nc = 3\nd = 4\ne = 5\n";
    assert_eq!(level(code), Level::Info);
    assert_eq!(level(&format!("{code}\n## Rules\n\nx\n")), Level::Warning);
    assert_eq!(level(&code.replace("python", "")), Level::Warning);
    assert_eq!(level(&code.replace("python", "markdown")), Level::Warning);
    assert_eq!(level("# A\n\n```sh\nls\n"), Level::Warning);
}

#[test]
fn an_open_fence_of_a_plan_counts_where_it_hides_tasks() {
    let level = |path: &str, text: &str| check_at(&UnclosedFence, path, Kind::Plan, text)[0].level;
    let (shown, hiding) = ("```sh\nmake\nmake\n", "```sh\nmake\n- [ ] Ship\n");
    assert_eq!(level("docs/plans/a.md", shown), Level::Info);
    assert_eq!(level("docs/plans/a.md", hiding), Level::Warning);
    // Nobody works with what was put away.
    assert_eq!(level("docs/plans/completed/a.md", hiding), Level::Info);
}

#[test]
fn open_fences_are_found() {
    for (text, place) in
        [("# T\n\n```shell\nmake\n", "```shell"), ("- ~~~ \n  a\n\ntext\n", "~~~"), ("````\n```\n", "````")]
    {
        assert_eq!(places(&UnclosedFence, Kind::AgentsMd, text), [place], "{text:?}");
    }
    assert_eq!(check(&UnclosedFence, Kind::AgentsMd, "```\na\n```\n\n~~~\n~~~\n"), []);
}

#[test]
fn a_block_that_shows_a_fence_of_its_own_length_ends_too_early() {
    let text = "```markdown\n# T\n```sh\nx\n```\nMore.\n```\n\n```md\ny\n```js\nz\n```\n";
    let [found] = &check(&UnclosedFence, Kind::AgentsMd, text)[..] else { panic!("one finding") };
    assert!(found.message.starts_with("this block contains"), "{found:#?}");
    assert_eq!(places(&UnclosedFence, Kind::AgentsMd, text), ["```markdown"]);
    for text in [
        "````markdown\n```sh\nx\n```\n````\n",
        "~~~md\n```sh\nx\n```\n~~~\n",
        "```sh\nx\n```\n\n```md\ny\n```\n",
        "```py\ntext.startswith('```json')\n```\n",
        "```clj\n(llm :prompt ```\n  Say it.\n  ```))\n\n(save)\n```\n",
        "```\nSay:\n\n    ```sh\n    x\n    ```\n\nDone.\n```\n",
        "<good>\n```ts\na\n\nb\n```\n</good>\n\n```ts\nc\n```\n\n```ts\nd\n```\n",
    ] {
        assert_eq!(check(&UnclosedFence, Kind::AgentsMd, text), [], "{text}");
    }
}

#[test]
fn a_fence_that_html_hides_is_closed() {
    let text = "<notes>\nAsk:\n```\nmake\n```\n\nMore.\n</notes>\n";
    assert_eq!(check(&UnclosedFence, Kind::AgentsMd, text), []);
    // What follows an empty line of the code is no HTML any more.
    let parted = "<notes>\nAsk:\n```\nmake\n\ntest\n```\n\nMore.\n</notes>\n";
    assert_eq!(check(&UnclosedFence, Kind::AgentsMd, parted), []);
    // The end of one block is the beginning of the next for CommonMark, and the last one is open.
    let twice =
        "<good>\nDo:\n```\na\n\nb\n```\nFine.\n</good>\n\n<bad>\n\n```\nc\n```\n\n</bad>\n\n```\nd\n```\n\nEnd.\n";
    assert_eq!(check(&UnclosedFence, Kind::AgentsMd, twice), []);
    let open = "<notes>\nAsk:\n</notes>\n\n```\nmake\n";
    assert_eq!(places(&UnclosedFence, Kind::AgentsMd, open), ["```"]);
    let both = "<notes>\n```\nmake\n```\n</notes>\n\n```\nmake\n";
    assert_eq!(places(&UnclosedFence, Kind::AgentsMd, both), ["```"]);
}

#[test]
fn a_fence_that_takes_no_text_is_an_info() {
    let level = |text: &str| check(&UnclosedFence, Kind::AgentsMd, text)[0].level;
    for text in ["a\n\n```\n", "a\n\n```\n\nDone.\n"] {
        assert_eq!(level(text), Level::Info, "{text:?}");
    }
    for text in ["a\n\n```\nb\n\nc\n", "a\n\n```sh\nb\n", "- ```\n\nc\n"] {
        assert_eq!(level(text), Level::Warning, "{text:?}");
    }
}

#[test]
fn where_an_item_cuts_the_fence_longer_fences_are_no_help() {
    let text = "```md\n```sh\nx\n```\n\n- ```\n  a\n\ntext\n\n```\nb\n```\n";
    let cut =
        check(&UnclosedFence, Kind::AgentsMd, text).into_iter().find(|finding| finding.message.contains("ends first"));
    assert!(cut.unwrap().help.unwrap().starts_with("close the fence where the code ends"));
}

#[test]
fn the_block_whose_fence_is_too_short_is_named() {
    let text = "# T\n\n```markdown\n```bash\nx\n```\n\n```\n\n````markdown\n```sh\na\n```\n\n````\n";
    let [found] = &check(&UnclosedFence, Kind::AgentsMd, text)[..] else { panic!("one finding") };
    assert!(found.help.as_deref().is_some_and(|help| help.contains("line 3 opens")), "{found:#?}");
    let places: Vec<&str> = found.related.iter().map(|related| &text[related.span.range()]).collect();
    assert_eq!(places, ["```", "```bash"]);
    // Where a fence with a word is closed too early, that one is named.
    let text = "```md\n```js\nb\n```\nc\n```\n";
    let [found] = &check(&UnclosedFence, Kind::AgentsMd, text)[..] else { panic!("one finding") };
    assert!(found.help.as_deref().is_some_and(|help| help.contains("line 1 opens")), "{found:#?}");
}

#[test]
fn a_block_that_readers_see_closed_is_an_info() {
    let level = |text: &str| check(&UnclosedFence, Kind::AgentsMd, text)[0].level;
    assert_eq!(level("1. Run:\n   ```bash\nsql -c \"\nselect 1\n\"\n   ```\n2. b\n"), Level::Info);
    // Another indentation, a fence that opens the next block, none at all.
    for text in [
        "1. Run:\n   ```bash\nselect 1\n```\n2. b\n",
        "1. Run:\n   ```bash\nselect 1\n   ```sh\n   x\n   ```\n",
        "1. Run:\n   ```bash\nselect 1\n",
    ] {
        assert_eq!(level(text), Level::Warning, "{text}");
    }
}

#[test]
fn the_fence_is_closed_only_where_the_code_may_end() {
    for (text, want) in [
        ("```\na", "```\na\n```\n"),
        (" ~~~~\r\na\r\n", " ~~~~\r\na\r\n ~~~~\r\n"),
        ("```\na\n\n## B\n", "```\na\n\n## B\n"),
        ("```\na\n```js\nb\n", "```\na\n```js\nb\n"),
        ("- ```\n  a\n", "- ```\n  a\n"),
        // What closes the inner fence closes the outer one.
        ("```md\na\n```js\nb\n```\nc\n```\n", "```md\na\n```js\nb\n```\nc\n```\n"),
        ("```md\n```js\nb\n```\n```\n\nc\n", "```md\n```js\nb\n```\n```\n\nc\n"),
        // The last line may be the end of a block whose beginning is missing.
        ("```\na\n```\nb\n```\nc\n", "```\na\n```\nb\n```\nc\n"),
        ("```\na\n```\nb\n```sh\nc\n", "```\na\n```\nb\n```sh\nc\n```\n"),
    ] {
        assert_eq!(fixed(&UnclosedFence, Kind::AgentsMd, text, Applicability::Safe), want, "{text:?}");
    }
}

#[test]
fn a_fence_that_looks_like_an_end_begins_a_block() {
    let template = "# A\n\n```\n# {title}\n\n## Output\n\n```\n{output}\n```\n\n## Notes\n\n- {note}\n```\n\nDone.\n\n```sh\nmake\n```\n";
    let found = check(&UnclosedFence, Kind::AgentsMd, template);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("looks like the end of one"), "{}", found[0].message);
    assert_eq!(&template[found[0].span.range()], "```");
    assert_eq!(template[..found[0].span.start].lines().count(), 9);
    assert_eq!(template[..found[0].related[0].span.start].lines().count(), 2);
    // At the end of the file blank lines may stand before both.
    let last = "# A\n\n````markdown\n# B\n\n```ts\nx\n```\n````\n\ntext\n\n```\n\n## C\n\n- d\n```\n";
    assert_eq!(places(&UnclosedFence, Kind::AgentsMd, last), ["```"]);
    for text in [
        // Padded on both sides, and templates.
        "# A\n\n```\n\nYou are a reader.\n\n## Task\n\n```\n\nThe end.\n",
        "# A\n\n```sh\nls\n```\n\n```\n\n## Task\n\nx\n\n```\n\nThe end.\n",
        "# A\n\nWrite:\n```\n## Task\n\nx\n```\n\n```sh\nls\n```\n",
        // A tag right above hides the fence of the block, and everybody reads them in pairs.
        "# A\n\n```sh\nls\n```\n\n<form>\n```md\nx\n```\n\n## Next\n\ny\n</form>\n\n```sh\nls\n```\n",
        // No block before it could have ended too early.
        "# A\n\nWrite:\n```\n\n## Task\n```\n",
        "# A\n\n```sh\nls\n```\n\nRun\n```\n\n# now\nls\n```\n",
    ] {
        assert_eq!(places(&UnclosedFence, Kind::AgentsMd, text), [""; 0], "{text:?}");
    }
}
