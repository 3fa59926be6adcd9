//! What settings name and where: scripts of any revision, of folders that are copied elsewhere and of one person's disk, and what runs
//! when an agent is started.

use crate::support::Repo;

/// Settings with a command for each event.
fn hooks(commands: &[(&str, &str)]) -> String {
    let hook = |(event, command): &(&str, &str)| {
        let command = serde_json::Value::from(*command);
        format!("\"{event}\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": {command}}}]}}]")
    };
    format!("{{\"hooks\": {{{}}}}}", commands.iter().map(hook).collect::<Vec<_>>().join(", "))
}

#[test]
fn scripts_that_are_not_executable_are_told_of_any_revision() {
    for option in ["--object-format=sha1", "--object-format=sha256"] {
        let repo = Repo::init(&[option]);
        let project = "\"$CLAUDE_PROJECT_DIR\"/tools/hooks";
        let commands = [("Stop", format!("{project}/a.sh")), ("SessionEnd", format!("{project}/b.sh"))];
        let commands = commands.each_ref().map(|(event, command)| (*event, command.as_str()));
        repo.write("tools/hooks/a.sh", "make\n").write("tools/hooks/b.sh", "make\n").write("CLAUDE.md", "x\n");
        repo.write(".claude/settings.json", hooks(&commands)).add();
        repo.git(&["update-index", "--chmod=+x", "tools/hooks/b.sh"]);
        repo.commit_staged("one");
        let bare = repo.beside("bare.git");
        repo.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("UTF-8")]);
        repo.git(&["update-index", "--chmod=+x", "tools/hooks/a.sh"]);
        repo.git(&["update-index", "--chmod=-x", "tools/hooks/b.sh"]);
        repo.commit_staged("two");
        let said = |dir: &std::path::Path, revision: &str| {
            let run = repo.run_in(dir, &["--rev", revision, "--select", "missing-hook-command", "--format", "concise"]);
            let of = |name: &str| run.stdout.contains(&format!("git has `tools/hooks/{name}.sh`"));
            (of("a"), of("b"))
        };
        assert_eq!(said(repo.root(), "HEAD"), (false, true), "{option}: the modes of the index");
        assert_eq!(said(repo.root(), "HEAD~"), (true, false), "{option}: the modes of an older tree");
        assert_eq!(said(&bare, "HEAD"), (true, false), "{option}: without an index");
    }
}
