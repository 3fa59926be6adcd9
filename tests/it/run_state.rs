//! What agents write down of a run, under version control, and hint files whose names no agent looks for.

use crate::support::Repo;

/// The findings of one rule: place, level and message.
fn found(repo: &Repo, rule: &str) -> Vec<String> {
    let run = repo.run(&["--format", "concise", "--select", rule, "--min-level", "info"]);
    let marker = format!("[{rule}]");
    run.stdout.lines().filter(|line| line.contains(&marker)).map(str::to_owned).collect()
}

#[test]
fn locks_loops_and_work_trees_are_no_part_of_a_repository() {
    let told = |path: &str| {
        let repo = Repo::with_files([("CLAUDE.md", "Be kind.\n"), (".gitignore", "*.tmp\n")]);
        repo.write(path, "active: true\n");
        repo.git(&["add", "-A", "-f"]);
        repo.commit_staged("all");
        found(&repo, "tracked-local-settings")
    };
    let state =
        [".claude/scheduled_tasks.lock", "web/.claude/ralph-loop.local.md", ".claude/worktrees/calm-sea/src/a.rs"];
    for path in state {
        let told = told(path);
        assert!(
            matches!(&told[..], [one] if one.contains("warning[") && one.contains("wrote down")),
            "{path}: {told:?}"
        );
    }
    for near_miss in [
        ".claude/hookify.no-rm.local.md",
        ".claude/tasks.lock",
        ".claude/worktrees/README.md",
        "docs/worktrees/calm-sea/a.rs",
        "vendor/x/.claude/scheduled_tasks.lock",
    ] {
        assert_eq!(told(near_miss), [""; 0], "{near_miss}");
    }
    // What git does not track stays on the machine.
    let repo = Repo::with_files([("CLAUDE.md", "Be kind.\n")]);
    repo.write(".claude/scheduled_tasks.lock", "{}");
    assert_eq!(found(&repo, "tracked-local-settings"), [""; 0]);
}

#[test]
fn readmes_of_skills_and_names_that_go_on_are_not_read() {
    let told = |files: &[(&str, &str)]| {
        let repo = Repo::with_files([("CLAUDE.md", "Be kind.\n"), (".github/copilot-instructions.md", "Be brief.\n")]);
        files.iter().for_each(|(path, text)| _ = repo.write(path, text));
        repo.commit("all");
        found(&repo, "shadowed-file")
    };
    let skill = String::from("---\nname: b\ndescription: y\n---\nx\n");
    let readme = told(&[(".claude/skills/a/README.md", "# A\n"), (".claude/skills/b/SKILL.md", &skill)]);
    assert!(matches!(&readme[..], [one] if one.starts_with(".claude/skills/a/README.md:")), "{readme:?}");
    let stray = told(&[(".github/instructions/a.instructions.md`", "x\n")]);
    assert!(matches!(&stray[..], [one] if one.contains("goes on with")), "{stray:?}");
    for near_miss in [
        &[(".claude/skills/b/SKILL.md", &*skill), (".claude/skills/b/README.md", "# B\n")][..],
        &[(".claude/skills/README.md", "# All\n"), (".claude/skills/_shared/README.md", "# Shared\n")],
        &[(".github/instructions/a.instructions.md", "---\napplyTo: '**'\n---\nx\n"), ("docs/a.md`", "x\n")],
        &[("skills/a/README.md", "# A\n")],
    ] {
        assert_eq!(told(near_miss), [""; 0], "{near_miss:?}");
    }
}
