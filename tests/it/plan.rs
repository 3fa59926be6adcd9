//! `hintlint plan`: progress, and the state that the user changes by hand.

use serde_json::Value;

use crate::agent::Agent;
use crate::support::Repo;

const PLAN: &str =
    "# Feature\n\n## Phase 1\n\n- [x] one\n  - [ ] two\n\n## Phase 2\n\n- [ ] thr\u{200b}ee\n\n```\n- [ ] code\n```\n";

#[test]
fn progress_is_shown_per_heading_with_what_is_open() {
    let repo = Repo::with_files([
        (".claude/PLAN.md", PLAN),
        ("docs/plans/done.md", "- [x] all\n"),
        ("docs/plans/empty.md", "# Nothing yet\n"),
        ("TODO.md", "- [ ] no plan\n"),
    ]);
    let run = repo.run(&["plan"]);
    assert_eq!(run.code, 0, "{run:?}");
    insta::assert_snapshot!(run.stdout, @r"
    .claude/PLAN.md: 1/3 done (33 %)
      └─ ███░░░░░░░ 1/3  Feature
         ├─ █████░░░░░ 1/2  Phase 1
         └─ ░░░░░░░░░░ 0/1  Phase 2
      open:
        line 6: two
        line 10: thr\u{200B}ee

    docs/plans/done.md: 1/1 done (100 %)

    docs/plans/empty.md: no checkboxes
    ");
    let named = repo.run(&["plan", "TODO.md"]);
    assert_eq!(
        named.stdout, "TODO.md: 0/1 done (0 %)\n  open:\n    line 1: no plan\n",
        "a file that is named is a plan"
    );
    assert_eq!(repo.run(&["plan", "docs"]).stdout.matches("docs/plans/").count(), 2);
    assert_eq!(repo.run(&["plan", "none.md"]).code, 2);
    assert!(Repo::new().run(&["plan"]).stdout.starts_with("No plans found"));
}

#[test]
fn progress_as_json() {
    let repo = Repo::with_files([(".claude/PLAN.md", PLAN)]);
    let found: Value = serde_json::from_str(&repo.run(&["plan", "--format", "json"]).stdout).expect("JSON");
    let plan = &found["plans"][0];
    assert_eq!((&plan["done"], &plan["total"], &plan["complete"]), (&1.into(), &3.into(), &false.into()));
    assert_eq!(plan["sections"][1]["heading"], "Phase 1");
    assert_eq!((&plan["sections"][1]["done"], &plan["sections"][1]["total"]), (&1.into(), &2.into()));
    assert_eq!((&plan["open"][1]["line"], &plan["open"][1]["heading"]), (&10.into(), &"Phase 2".into()));
}

#[test]
fn a_plan_named_like_a_command_needs_its_folder() {
    let repo = Repo::with_files([("status", "- [ ] a\n")]);
    assert!(repo.run(&["plan", "status"]).stdout.starts_with("No plan is active."));
    assert!(repo.run(&["plan", "./status"]).stdout.starts_with("status: 0/1 done"));
}

#[test]
fn b02_activate_creates_the_state_and_says_so() {
    let agent = Agent::new(&[("docs/plans/a b.md", PLAN), ("sub/x", "")]);
    let run = agent.repo.run_in(&agent.repo.at("sub"), &["plan", "activate", "../docs/plans/a b.md"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.starts_with("Boulder state tracking enabled for this plan\nActive plan: Feature\n"), "{run:?}");
    let state = agent.state();
    let root = agent.repo.root().to_str().expect("UTF-8");
    assert_eq!(state["active_plan"], format!("{root}/docs/plans/a b.md"));
    assert_eq!(state["project_root"], root);
    assert_eq!((&state["progress"]["total"], &state["progress"]["completed"]), (&3.into(), &1.into()));
    let started = state["started_at"].clone();
    agent.repo.write("docs/plans/a b.md", "# Feature\n- [x] a\n- [ ] b\n");
    assert_eq!(agent.repo.run(&["plan", "activate", "docs/plans/a b.md"]).code, 0);
    assert_eq!(
        (&agent.state()["progress"]["total"], &agent.state()["started_at"]),
        (&2.into(), &started),
        "it goes on"
    );
    assert!(agent.history().is_empty());
}

#[test]
fn activate_refuses_what_is_no_plan_to_work_on() {
    let agent = Agent::new(&[("done.md", "- [x] a\n"), ("PLAN.md", "- [ ] a\n")]);
    for (file, why) in
        [("done.md", "all 1 tasks"), ("none.md", "there is no file"), ("no/such/dir.md", "there is no file"), (".", "")]
    {
        let run = agent.repo.run(&["plan", "activate", file]);
        assert_eq!(run.code, 2, "{file}: {run:?}");
        assert!(run.stderr.contains(why) && run.stderr.contains("help: "), "{file}: {run:?}");
    }
    assert_eq!(agent.state(), Value::Null);
    agent.write_home(".claude/.boulder.json", "{\"active_plan\": ");
    let run = agent.repo.run(&["plan", "activate", "PLAN.md"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("hintlint plan clear"), "{run:?}");
    assert_eq!(std::fs::read(agent.home(".claude/.boulder.json")).expect("a file"), b"{\"active_plan\": ");
}

#[test]
fn b05_clear_by_hand_keeps_a_readable_record() {
    let agent = Agent::new(&[("PLAN.md", PLAN), ("docs/plans/b.md", "# Other\n- [ ] b\n")]);
    assert!(agent.repo.run(&["plan", "clear"]).stdout.starts_with("No plan is active"));
    agent.repo.run(&["plan", "activate", "PLAN.md"]);
    agent.repo.run(&["plan", "activate", "docs/plans/b.md"]);
    let run = agent.repo.run(&["plan", "clear"]);
    assert!(run.code == 0 && run.stdout.starts_with("Cleared Other; "), "{run:?}");
    assert_eq!(agent.state(), Value::Null);
    agent.write_home(".claude/.boulder.json", "broken");
    assert_eq!(agent.repo.run(&["plan", "clear"]).code, 0);
    let history = agent.history();
    let told: Vec<_> = history.iter().map(|line| (&line["why"], &line["plan_name"])).collect();
    let why = |text: &str| Value::from(text);
    assert_eq!(told[0], (&why("replaced"), &why("Feature")));
    assert_eq!(told[1], (&why("cleared by hand"), &why("Other")));
    assert_eq!(history[2]["unreadable"], "broken");
}

#[test]
fn b19_status_says_where_the_state_contradicts_the_plan() {
    let agent = Agent::new(&[("PLAN.md", PLAN)]);
    let none = agent.repo.run(&["plan", "status"]).stdout;
    assert!(none.starts_with("No plan is active.\nhintlint remembers one plan (the \"boulder\")"), "{none}");
    agent.repo.run(&["plan", "activate", "PLAN.md"]);
    let agrees = agent.repo.run(&["plan", "status"]).stdout;
    assert!(agrees.contains("Progress: 1/3 tasks complete") && !agrees.contains("Contradiction"), "{agrees}");
    agent.repo.write("PLAN.md", "# F\n- [x] a\n");
    let differs = agent.repo.run(&["plan", "status"]).stdout;
    assert!(differs.contains("Contradiction: the state says 1/3 tasks complete, the plan says 1/1"), "{differs}");
    assert!(differs.contains("Contradiction: all tasks are done and the state is not cleared"), "{differs}");
    agent.repo.remove("PLAN.md");
    let gone: Value =
        serde_json::from_str(&agent.repo.run(&["plan", "status", "--format", "json"]).stdout).expect("JSON");
    assert_eq!((&gone["contradictions"][0], &gone["actual"]), (&"the plan is gone".into(), &Value::Null));
    assert_eq!(gone["state"]["plan_name"], "Feature");
    agent.write_home(".claude/.boulder.json", "{\"active_plan\": \"/x\u{202e}/P.md\", \"project_root\": \"/nowhere\"}");
    let odd = agent.repo.run(&["plan", "status"]).stdout;
    assert!(odd.contains("the project /nowhere is gone") && !odd.contains('\u{202e}'), "{odd}");
    agent.write_home(".claude/.boulder.json", "[]");
    let broken = agent.repo.run(&["plan", "status"]);
    assert_eq!(broken.code, 2, "{broken:?}");
}

#[test]
fn b19_malformed_promises_are_found_in_plans_and_prompts() {
    let slip = "Say <promise>DONE<promise>.\n";
    let repo = Repo::with_files([
        (".claude/PLAN.md", slip),
        (".claude/commands/loop.md", slip),
        (".github/prompts/loop.prompt.md", slip),
        ("AGENTS.md", slip),
    ]);
    let run = repo.run(&["--select", "malformed-promise", "--format", "concise", "-q"]);
    let places: Vec<&str> = run.stdout.lines().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(
        places,
        [".claude/PLAN.md:1:18", ".claude/commands/loop.md:1:18", ".github/prompts/loop.prompt.md:1:18"]
    );
}

#[test]
fn what_changed_since_a_revision_is_told() {
    let repo = Repo::with_files([("PLAN.md", "# P\n- [ ] a\n- [ ] b\n- [x] c\n- [ ] gone\n")]);
    repo.git(&["branch", "base"]);
    repo.write("PLAN.md", "# P\n- [x] a\n- [ ] b\n- [ ] c\n- [ ] n`e`w\n").write("docs/plans/q.md", "- [x] q\n");
    let run = repo.run(&["plan", "--since", "base"]);
    assert_eq!(run.code, 0, "{run:?}");
    insta::assert_snapshot!(run.stdout, @r"
    PLAN.md: 1/4 done (25 %)
      └─ ██░░░░░░░░ 1/4  P
      since base:
        done: a
        new: n`e`w
        open again: c
        gone: gone
      open:
        line 3: b
        line 4: c
        line 5: n`e`w

    docs/plans/q.md: 1/1 done (100 %)
      since base:
        done: q
    ");
    let run = repo.run(&["plan", "--since", "base", "--format", "markdown", "PLAN.md"]);
    insta::assert_snapshot!(run.stdout, @r"
    ### `PLAN.md`: 1/4 done (25 %)

    - ██░░░░░░░░ 1/4 `P`

    Since `base`:

    - done: `a`
    - new: <code>n&#96;e&#96;w</code>
    - open again: `c`
    - gone: `gone`

    Open:

    - [ ] `b` (line 3)
    - [ ] `c` (line 4)
    - [ ] <code>n&#96;e&#96;w</code> (line 5)
    ");
    let json: Value =
        serde_json::from_str(&repo.run(&["plan", "--since", "base", "--format", "json"]).stdout).expect("JSON");
    assert_eq!(json["plans"][0]["since"]["done"][0]["text"], "a");
    assert_eq!(json["plans"][0]["since"]["open_again"][0]["line"], 4);
    assert_eq!(repo.run(&["plan", "--since", "nowhere"]).code, 2);
    // The revision stands for the place where it was left.
    repo.commit("mine");
    let mine = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.git(&["checkout", "-q", "--detach", "base"]);
    repo.write("PLAN.md", "# P\n- [x] a\n").commit("on the other branch");
    repo.git(&["branch", "-f", "base", "HEAD"]);
    repo.git(&["checkout", "-q", &mine]);
    assert!(repo.run(&["plan", "--since", "base", "PLAN.md"]).stdout.contains("    open again: c\n"));
}

#[test]
fn a_plan_that_stands_still_is_told() {
    let repo = Repo::with_files([("PLAN.md", "- [ ] a\n- [ ] b\n"), ("docs/plans/q.md", "- [ ] q\n")]);
    for number in 0..12 {
        repo.write("x", number.to_string()).commit("work");
    }
    repo.write("PLAN.md", "- [x] a\n- [ ] b\n").commit("tick");
    assert!(!repo.run(&["plan"]).stdout.contains("stalled"));
    for number in 12..23 {
        repo.write("x", number.to_string()).commit("work");
    }
    repo.write("docs/plans/q.md", "- [ ] q\n- [ ] r\n").commit("more to do");
    let told = repo.run(&["plan"]).stdout;
    assert!(
        told.contains("docs/plans/q.md: 0/2 done (0 %)\n  stalled: no box ticked in the last 25 commits\n"),
        "{told}"
    );
    assert_eq!(told.matches("stalled").count(), 1, "{told}");
    repo.write("docs/plans/q.md", "- [x] q\n- [ ] r\n");
    assert!(!repo.run(&["plan"]).stdout.contains("stalled"), "a box is ticked and not committed yet");
}

#[test]
fn status_tells_the_state_of_another_tool() {
    let agent = Agent::new(&[
        (".omc/plans/p.md", "- [x] a\n- [ ] b\n"),
        (
            ".omc/boulder.json",
            "{\"active_plan\": \".omc/plans/p.md\", \"plan_name\": \"p\", \"started_at\": \"2026-01-09\"}",
        ),
    ]);
    let before = std::fs::read(agent.repo.at(".omc/boulder.json")).expect("a file");
    let told = agent.repo.run(&["plan", "status"]).stdout;
    assert!(told.starts_with("No plan is active.") && told.contains("Active plan: p\nProgress: 1/2 tasks"), "{told}");
    let json: Value =
        serde_json::from_str(&agent.repo.run(&["plan", "status", "--format", "json"]).stdout).expect("JSON");
    assert_eq!(json["other"]["state"]["plan_name"], "p");
    assert_eq!(std::fs::read(agent.repo.at(".omc/boulder.json")).expect("a file"), before);
}
