//! Two branches that edit different source files: git's plain text merge of their artifacts is what their merged sources give.

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;

use super::{Files, compile, repository, text_of};

const SCOPE: &str = ".hintlint/context/api/v1/merged.md";

/// The sources of one scope: hint files next to each other, imports next to each other, imports inside sentences.
const PATHS: [&str; 8] =
    [".dexhints", "AGENTS.md", "CLAUDE.md", "docs/a.md", "docs/b.md", "docs/c.md", "api/AGENTS.md", "api/v1/GEMINI.md"];

fn imports_of(path: &str) -> &'static str {
    match path {
        "AGENTS.md" => "@docs/a.md\n@docs/b.md\n",
        "api/AGENTS.md" => "See @../docs/c.md for more.\n",
        _ => "",
    }
}

fn artifact(sources: &[(&str, String)]) -> String {
    let sources: Vec<_> = sources.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let mut files: Files = repository(&sources);
    compile(&mut files);
    text_of(&files, SCOPE)
}

/// `git merge-file` of three texts; `None` if it conflicts.
fn merge(ours: &str, base: &str, theirs: &str) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    let paths = ["ours", "base", "theirs"].map(|name| dir.path().join(name));
    for (path, text) in paths.iter().zip([ours, base, theirs]) {
        fs::write(path, text).unwrap();
    }
    let output = git(dir.path()).args(["merge-file", "-p"]).args(&paths).output().unwrap();
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

fn git(dir: &Path) -> Command {
    let mut git = Command::new("git");
    let identity = [
        ("GIT_AUTHOR_NAME", "a"),
        ("GIT_AUTHOR_EMAIL", "a@example.org"),
        ("GIT_COMMITTER_NAME", "a"),
        ("GIT_COMMITTER_EMAIL", "a@example.org"),
    ];
    git.current_dir(dir).envs(identity).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    git
}

/// What one branch does to a file, as new text of its own lines.
fn body() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(0..6u8, 1..7)
}

fn text(path: &str, body: &[u8], before_imports: bool) -> String {
    let lines: String = body.iter().map(|n| if *n == 0 { "\n".into() } else { format!("Line {n}.\n") }).collect();
    let imports = imports_of(path);
    if before_imports { format!("{lines}x\n{imports}") } else { format!("{imports}x\n{lines}") }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn edits_of_different_files_merge_to_what_their_sources_give(
        base in proptest::collection::vec((body(), any::<bool>()), PATHS.len()),
        ours in proptest::collection::vec((0..PATHS.len() / 2, body()), 1..4),
        theirs in proptest::collection::vec((0..PATHS.len() / 2, body()), 1..4),
        parity in 0..2usize,
    ) {
        let render = |bodies: &[(Vec<u8>, bool)]| {
            let sources: Vec<_> = PATHS.iter().zip(bodies).map(|(path, (body, before))| (*path, text(path, body, *before))).collect();
            artifact(&sources)
        };
        let edit = |bodies: &mut Vec<(Vec<u8>, bool)>, edits: &[(usize, Vec<u8>)], parity: usize| {
            for (half, body) in edits {
                bodies[2 * half + parity].0.clone_from(body);
            }
        };
        let (mut a, mut b, mut both) = (base.clone(), base.clone(), base.clone());
        edit(&mut a, &ours, parity);
        edit(&mut b, &theirs, 1 - parity);
        edit(&mut both, &ours, parity);
        edit(&mut both, &theirs, 1 - parity);
        let (base, a, b, both) = (render(&base), render(&a), render(&b), render(&both));
        prop_assert_eq!(merge(&a, &base, &b), Some(both), "base:\n{}\nours:\n{}\ntheirs:\n{}", base, a, b);
    }
}

/// Commit the sources and their artifacts.
fn commit(dir: &Path, changes: &[(&str, &str)], message: &str) {
    for (path, text) in changes {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut files = super::files_below(dir);
    files.retain(|path, _| !path.as_bytes().starts_with(b".git/"));
    compile(&mut files);
    for (path, (_, bytes)) in &files {
        let path = dir.join(path.to_os_path());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    run(dir, &["add", "-A"]);
    run(dir, &["commit", "-q", "-m", message]);
}

fn run(dir: &Path, args: &[&str]) {
    let output = git(dir).args(args).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stdout));
}

/// Merge two real branches; the merge commit must hold what compiling its sources gives.
fn check_branches(base: &[(&str, &str)], ours: &[(&str, &str)], theirs: &[(&str, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    run(dir, &["init", "-q", "-b", "main"]);
    commit(dir, base, "base");
    run(dir, &["switch", "-q", "-c", "theirs"]);
    commit(dir, theirs, "theirs");
    run(dir, &["switch", "-q", "main"]);
    commit(dir, ours, "ours");
    run(dir, &["merge", "-q", "--no-edit", "theirs"]);
    let mut merged = super::files_below(dir);
    merged.retain(|path, _| !path.as_bytes().starts_with(b".git/"));
    let committed = merged.clone();
    assert_eq!(compile(&mut merged), [""; 0]);
    assert_eq!(committed, merged);
}

#[test]
fn branches_that_edit_different_sources_merge_without_help() {
    let base = [
        ("AGENTS.md", "# Agents\n\nFirst.\n\n@docs/a.md\n@docs/b.md\n\nLast."),
        ("CLAUDE.md", "Claude.\n"),
        ("docs/a.md", "A.\n"),
        ("docs/b.md", "B.\n"),
        ("api/AGENTS.md", "Api.\n"),
    ];
    // The last line of one layer and the first of the next.
    check_branches(
        &base,
        &[("AGENTS.md", "# Agents\n\nFirst.\n\n@docs/a.md\n@docs/b.md\n\nNew last.\n\nAnd more.\n")],
        &[("CLAUDE.md", "New first.\n\nClaude.\n")],
    );
    // Two imports side by side, and the file around them.
    check_branches(&base, &[("docs/a.md", "New A.\n\nA.\n")], &[("docs/b.md", "B, changed.\n")]);
    check_branches(
        &base,
        &[("docs/b.md", "B.\n\nMore.\n")],
        &[("AGENTS.md", "# Agents\n\nFirst.\n\n@docs/a.md\n@docs/b.md\n\nLast, changed.\n")],
    );
    // A new layer next to an edited one, above and below.
    check_branches(
        &base,
        &[("DEX.md", "New layer.\n")],
        &[("AGENTS.md", "# Agents, changed\n\nFirst.\n\n@docs/a.md\n@docs/b.md\n\nLast.\n")],
    );
    check_branches(
        &base,
        &[("GEMINI.md", "New layer.\n")],
        &[("CLAUDE.md", "Claude.\n\nChanged.\n"), ("api/AGENTS.md", "Changed api.\n")],
    );
    // A new scope and an edit above it.
    check_branches(&base, &[("web/AGENTS.md", "Web.\n")], &[("api/AGENTS.md", "Api.\n\nChanged.\n")]);
}
