//! Locks of skills, by example.

use super::*;
use crate::config::Config;
use crate::source::Memory;
use crate::workspace::load;

const SKILL: &str = "---\nname: a\ndescription: A.\n---\n";

/// What is known of each copy, with the hash of `locked` in the lock.
fn same(locked: &str, files: &[(&str, &str)]) -> Vec<(String, Option<bool>)> {
    let lock = format!(
        "{{\"version\": 1, \"skills\": {{\"My Skill\": {{\"source\": \"o/r\", \"computedHash\": \"{}\"}}}}}}",
        hex(&sha256(locked.as_bytes()))
    );
    let all = files.iter().copied().chain([(LOCK, lock.as_str())]);
    let source = Memory::of_files(all);
    let mut lock = load(&source, Config::default(), &[]).unwrap().workspace.skills_lock.expect("a lock");
    lock.compare(&source);
    assert!(lock.broken.is_none());
    lock.skills.into_iter().map(|skill| (skill.folder.to_str_lossy().into_owned(), skill.is_same)).collect()
}

#[test]
fn both_forms_of_the_hash_are_known_with_any_line_end() {
    let files = [
        (".agents/skills/my-skill/SKILL.md", SKILL),
        (".agents/skills/my-skill/a/B.txt", "b\n"),
        (".agents/skills/my-skill/a-c", "c"),
    ];
    let expected = |is_same| [(".agents/skills/my-skill".to_owned(), is_same)];
    // `-` comes before `/`, and both before letters.
    assert_eq!(same(&format!("a-cca/B.txtb\nSKILL.md{SKILL}"), &files), expected(Some(true)));
    assert_eq!(same(&format!("a-c\0c\0a/B.txt\0b\n\0SKILL.md\0{SKILL}\0"), &files), expected(Some(true)));
    let crlf = SKILL.replace('\n', "\r\n");
    assert_eq!(same(&format!("a-cca/B.txtb\r\nSKILL.md{crlf}"), &files), expected(Some(true)));
    assert_eq!(same(&format!("SKILL.md{SKILL}"), &files), expected(Some(false)));
    let with_umlaut = [files[0], (".agents/skills/my-skill/ä.txt", "x")];
    assert_eq!(same("", &with_umlaut), expected(None), "the order cannot be told");
}

#[test]
fn only_copies_in_the_folders_of_agents_count() {
    let files = [
        ("skills/my-skill/SKILL.md", SKILL),
        (".claude/skills/my-skill/SKILL.md", SKILL),
        (".claude/skills/other/SKILL.md", SKILL),
    ];
    assert_eq!(same(&format!("SKILL.md{SKILL}"), &files), [(".claude/skills/my-skill".to_owned(), Some(true))]);
    assert_eq!(same("x", &[("AGENTS.md", "x")]), []);
}

#[test]
fn what_is_missing_and_what_is_not_locked() {
    let lock =
        "{\"version\": 1, \"skills\": {\"a\": {\"computedHash\": \"\"}, \"b\": {\"computedHash\": \"\"}, \"c\": 5}}";
    let files = [
        (LOCK, lock),
        (".agents/skills/a/SKILL.md", SKILL),
        (".agents/skills/d/SKILL.md", SKILL),
        (".claude/skills/e/SKILL.md", SKILL),
    ];
    let lock = load(&Memory::of_files(files), Config::default(), &[]).unwrap().workspace.skills_lock.unwrap();
    let absent: Vec<_> = lock.absent.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((absent, lock.unlocked), (vec!["b", "c"], vec![RepoPath::from(".agents/skills/d/SKILL.md")]));
}

#[test]
fn a_lock_that_the_command_takes_for_empty() {
    for (text, why) in [
        ("{\"skills\": {}}", "it has no number `version`"),
        ("{\"version\": 0, \"skills\": {}}", "its `version` is less than 1"),
        ("{\"version\": 1}", "it has no object `skills`"),
        ("{\"version\": 1, \"skills\": {},}", "it has a trailing comma"),
    ] {
        let workspace =
            load(&Memory::of_files([(LOCK, text), ("AGENTS.md", "x")]), Config::default(), &[]).unwrap().workspace;
        assert_eq!(
            workspace.skills_lock.and_then(|lock| lock.broken).map(|why| why.to_string()).as_deref(),
            Some(why),
            "{text}"
        );
    }
}

#[test]
fn names_become_folders_as_the_command_has_it() {
    for (name, folder) in
        [("Web Design", "web-design"), ("../../etc", "etc"), ("a/../b", "a-..-b"), ("--x_y.Z-", "x_y.z")]
    {
        assert_eq!(folder_name(name), folder);
    }
}

#[test]
fn paths_are_ordered_as_by_locale() {
    let mut paths =
        ["a/b", "a-b", "a_b", "ab", "a b", "A/b", "a.b", "B", "b", "aB", "Ab", "AB", "ab2", "ab10"].map(str::as_bytes);
    paths.sort_by(|a, b| locale_order(a, b));
    let expected = ["a b", "a_b", "a-b", "a.b", "a/b", "A/b", "ab", "aB", "Ab", "AB", "ab10", "ab2", "b", "B"];
    assert_eq!(paths, expected.map(str::as_bytes));
}
