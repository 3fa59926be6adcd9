//! Changes of contexts in each format.

use super::*;
use crate::agents;
use crate::config::Config;
use crate::source::Memory;
use crate::workspace::load;

fn render(before: &[(&str, &str)], after: &[(&str, &str)], print: impl Fn(&Comparison<'_>, &mut dyn Write)) -> String {
    let load = |files: &[(&str, &str)]| {
        load(&Memory::of_files(files.iter().copied()), Config::default(), &[]).unwrap().workspace
    };
    let agents: Vec<_> = ["codex", "merged"].iter().filter_map(|agent| agents::by_id(agent)).collect();
    let changes = crate::compile::comparison::compare(&load(before), &load(after), &agents);
    let mut out = Vec::new();
    print(&Comparison { base: "v1", head: None, changes: &changes, runs: &[], skills: &[], notes: &[] }, &mut out);
    // An unchanged blank line is one blank, which editors would take out of the snapshots.
    String::from_utf8(out).unwrap().replace("\n \n", "\n\n")
}

const BEFORE: &[(&str, &str)] = &[("AGENTS.md", "one\ntwo\n"), ("a/AGENTS.md", "a\n")];
const AFTER: &[(&str, &str)] = &[("AGENTS.md", "one\nthree `` @user\u{202e}\n"), ("a/AGENTS.md", "a\n")];

#[test]
fn people_see_equal_changes_once() {
    let text = render(BEFORE, AFTER, |comparison, out| human(comparison, false, out).unwrap());
    insta::assert_snapshot!(text, @r#"
    .: codex
      codex: 71 → 85 (+14) bytes, about 18 → 22 (+4) tokens
      new hidden character: AGENTS.md:2:15: U+202E RIGHT-TO-LEFT OVERRIDE after "three `` @user"
      the same in a
    diff --git a/codex.md b/codex.md
    --- a/codex.md
    +++ b/codex.md
    @@ -2,6 +2,6 @@

     <INSTRUCTIONS>
     one
    -two
    +three `` @user\u{202E}

     </INSTRUCTIONS>

    .: merged
      merged: 80 → 91 (+11) bytes, about 20 → 23 (+3) tokens
      new hidden character: AGENTS.md:2:15: U+202E RIGHT-TO-LEFT OVERRIDE after "three `` @user"
      the same in a
    diff --git a/merged.md b/merged.md
    --- a/merged.md
    +++ b/merged.md
    @@ -3,6 +3,6 @@
     <!-- From: AGENTS.md -->

     one
    -two
    +three `` @user

     <!-- End of AGENTS.md -->
    "#);
}

#[test]
fn a_comment_is_escaped() {
    let text = render(BEFORE, AFTER, |comparison, out| markdown(comparison, out).unwrap());
    assert!(!text.contains('\u{202e}') && text.contains("```diff"), "{text}");
    insta::assert_snapshot!(text, @r#"
    ## hintlint: what agents load changes in 2 directories

    v1 to the worktree

    ### `.`

    | Agent | Bytes | Tokens (about) |
    | --- | ---: | ---: |
    | codex | 71 → 85 (+14) | 18 → 22 (+4) |

    - new hidden character: `AGENTS.md`:2:15: U+202E RIGHT-TO-LEFT OVERRIDE after "three <code></code> `@user"`
    - the same in `a`

    <details><summary>Difference</summary>

    ```diff
    diff --git a/codex.md b/codex.md
    --- a/codex.md
    +++ b/codex.md
    @@ -2,6 +2,6 @@

     <INSTRUCTIONS>
     one
    -two
    +three `` @user\u{202E}

     </INSTRUCTIONS>
    ```

    </details>

    ### `.`

    | Agent | Bytes | Tokens (about) |
    | --- | ---: | ---: |
    | merged | 80 → 91 (+11) | 20 → 23 (+3) |

    - new hidden character: `AGENTS.md`:2:15: U+202E RIGHT-TO-LEFT OVERRIDE after "three <code></code> `@user"`
    - the same in `a`

    <details><summary>Difference</summary>

    ```diff
    diff --git a/merged.md b/merged.md
    --- a/merged.md
    +++ b/merged.md
    @@ -3,6 +3,6 @@
     <!-- From: AGENTS.md -->

     one
    -two
    +three `` @user

     <!-- End of AGENTS.md -->
    ```

    </details>
    "#);
}

#[test]
fn nothing_is_said_in_one_line() {
    assert_eq!(
        render(BEFORE, BEFORE, |comparison, out| human(comparison, false, out).unwrap()),
        "No context changes from v1 to the worktree.\n"
    );
}

#[test]
fn machines_see_an_inherited_change_once() {
    let text = render(BEFORE, AFTER, |comparison, out| json(comparison, out).unwrap());
    let value: Value = serde_json::from_str(&text).unwrap();
    let scopes: Vec<_> = value["scopes"].as_array().unwrap().iter().collect();
    let names: Vec<_> = scopes.iter().map(|s| (s["scope"].clone(), s["agent"].clone())).collect();
    assert_eq!(names, [(json!("."), json!("codex")), (json!("."), json!("merged"))]);
    assert_eq!(scopes[0]["hidden"][0]["line"], 2);
    assert_eq!(scopes[0]["bytes"], json!({"before": 71, "after": 85}));
    let below = &scopes[0]["inherited_by"];
    assert_eq!(below[0]["scope"], "a");
    assert!(below[0]["bytes"]["after"].as_u64() > Some(85) && below[1].is_null(), "{below}");
    assert_eq!(text.matches("three").count(), 4, "a diff and a message for each agent: {text}");
}
