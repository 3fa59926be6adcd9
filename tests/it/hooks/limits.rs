//! What hooks cost: B17. The times are those of the original, far above ours, so that a busy machine does not fail them.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::agent::{Agent, command, says, user};

/// The best of some tries.
fn best(mut run: impl FnMut()) -> Duration {
    let tries = (0..5).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    tries.min().expect("some tries")
}

#[test]
fn b17_each_hook_keeps_its_time_in_a_large_project() {
    let mut plan = String::from("# Large\n");
    for task in 0..2_000 {
        let _ = writeln!(plan, "- [{}] task {task}", if task % 2 == 0 { "x" } else { " " });
    }
    let readme = "A line of text in a README.\n".repeat(2_000);
    let agent =
        Agent::new(&[(".claude/PLAN.md", &plan), ("README.md", &readme), ("CLAUDE.md", "x\n"), ("src/a.rs", "")]);
    for rule in 0..100 {
        let text = format!("---\napplies_to: [\"lib{rule}/**/*.rs\"]\n---\nRule {rule}.\n");
        agent.repo.write(format!(".claude/rules/{rule}.md"), text);
    }
    // A listing would meet these; no hook looks for files.
    for folder in 0..200 {
        for file in 0..10 {
            agent.repo.write(format!("many/{folder}/{file}.txt"), "");
        }
    }
    let mut entries = vec![command("ralph-wiggum:ralph-loop", "--completion-promise NEVER")];
    entries.extend((0..3_000).map(|n| if n % 2 == 0 { user("go on") } else { says("Some words of an answer.") }));
    agent.transcribe(&entries);
    let mut sessions = 0;
    let start = best(|| {
        sessions += 1;
        assert!(agent.starts(&format!("s{sessions}"), "startup").context().contains("# README.md"));
    });
    assert!(start < Duration::from_secs(1), "session-start took {start:?}");
    let touch = best(|| assert!(agent.uses("s", "Read", "src/a.rs").is_silent()));
    assert!(touch < Duration::from_secs(1), "post-tool-use took {touch:?}");
    let edit = best(|| assert!(agent.uses("s", "Edit", ".claude/PLAN.md").is_silent()));
    assert!(edit < Duration::from_secs(1), "post-tool-use on the plan took {edit:?}");
    let mut stops = 0;
    let stop = best(|| {
        stops += 1;
        assert!(agent.stops(&format!("t{stops}"), false).blocked().is_some());
    });
    assert!(stop < Duration::from_secs(1), "stop took {stop:?}");
    let end = best(|| assert!(agent.ends("s").is_silent()));
    assert!(end < Duration::from_secs(1), "session-end took {end:?}");
}
