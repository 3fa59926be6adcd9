//! Scripts that commands name.

use super::*;

fn named(files: &[(&str, &str)], command: &str) -> Vec<String> {
    let has = |path: &[u8]| files.iter().any(|(file, _)| file.as_bytes() == path);
    let read = |path: &[u8]| {
        let found = files.iter().find(|(file, _)| file.as_bytes() == path);
        found.map(|(_, text)| Arc::from(text.as_bytes()))
    };
    let scripts = NamedScripts { has: &has, read: &read };
    let host = ScriptHost { directory: b"p", named_in: &RepoPath::from("p/.claude/settings.json"), is_bundle: false };
    let kind = RunKind::PreRun { command: command.to_owned() };
    scripts.of(&kind, &host).iter().map(|path| path.to_str_lossy().into_owned()).collect()
}

#[test]
fn commands_name_scripts() {
    let files = [
        ("p/a.sh", ""),
        ("p/b.py", ""),
        ("a.sh", ""),
        ("p/.claude/h/c.sh", ""),
        ("p/README.md", ""),
        ("p/x.mjs", ""),
        ("p/.claude/h/d", "#!/bin/sh\n"),
    ];
    for (command, expected) in [
        ("./a.sh", &["p/a.sh"][..]),
        ("bash a.sh b.py README.md", &["p/a.sh", "p/b.py"]),
        ("\"$CLAUDE_PROJECT_DIR\"/.claude/h/c.sh --x", &["p/.claude/h/c.sh"]),
        ("sh ${X_PROJECT_DIR:-.}/.claude/h/c.sh", &["p/.claude/h/c.sh"]),
        ("bash \"$(git rev-parse --show-toplevel)/a.sh\"", &["a.sh"]),
        ("cd .. && ./a.sh", &["a.sh"]),
        ("cd .. || exit; python3 -u p/b.py", &["p/b.py"]),
        ("sh -c 'cd /; p/a.sh'", &[]),
        ("bash -lc './a.sh && python b.py'", &["p/a.sh", "p/b.py"]),
        ("X=1 timeout 5 env Y=2 uv run b.py", &["p/b.py"]),
        ("node --import ./x.mjs ./b.py", &["p/b.py", "p/x.mjs"]),
        ("node --import=./x.mjs ./b.py", &["p/b.py", "p/x.mjs"]),
        ("./a.sh --with x.mjs no.py", &["p/a.sh", "p/x.mjs"]),
        (".claude/h/c.sh d", &["p/.claude/h/c.sh", "p/.claude/h/d"]),
        ("test -f a.sh && . ./a.sh", &["p/a.sh"]),
        ("D=.claude; $D/h/c.sh", &["p/.claude/h/c.sh"]),
        ("out=$(./a.sh)", &["p/a.sh"]),
        // What is read and not run.
        ("cat README.md a.sh", &[]),
        ("npx prettier --check README.md", &[]),
        ("node -e 'x' a.sh", &[]),
        ("python -m b.py", &[]),
        ("$HOME/a.sh; ~/a.sh; /a.sh; $D/a.sh; ../../a.sh; a.sh", &[]),
    ] {
        assert_eq!(named(&files, command), expected, "{command}");
    }
}

#[test]
fn scripts_name_scripts_one_level_deeper() {
    let outer = "#!/usr/bin/env bash\nDIR=\"$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\"\n. \"$DIR/lib.sh\"\n\
                 bash \"$(dirname \"$0\")/../up.sh\"\n./cwd.sh\n$UNKNOWN/no.sh\n# ./no.sh\n";
    let files = [
        ("p/h/a", outer),
        ("p/h/lib.sh", "./deep.sh\n"),
        ("p/up.sh", ""),
        ("p/cwd.sh", ""),
        ("p/no.sh", ""),
        ("p/deep.sh", ""),
    ];
    assert_eq!(named(&files, "h/a"), ["p/cwd.sh", "p/h/a", "p/h/lib.sh", "p/up.sh"]);
}

#[test]
fn files_that_a_script_only_looks_at_are_no_scripts() {
    let outer = "REQUIRED=(\n  \"state.md\"\n  ./listed.sh\n)\nfor f in \"${REQUIRED[@]}\"; do [[ -f \"$f\" ]] || exit; done\n\
                 [[ -f ./tested.sh && -x ./tested.sh ]]\njq . ./data.json < ./read.sh\ncp ./read.sh ./to.sh\n\
                 RUN=(python3 ./run.py)\nout=$(timeout 5 \"${RUN[@]}\")\n";
    let names = ["state.md", "listed.sh", "tested.sh", "data.json", "read.sh", "to.sh", "run.py"];
    let paths: Vec<String> = names.iter().map(|name| format!("p/{name}")).collect();
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
    files.push(("p/h.sh", outer));
    assert_eq!(named(&files, "./h.sh"), ["p/h.sh", "p/run.py"]);
}

#[test]
fn the_root_of_a_plugin_is_the_folder_of_a_skill_in_the_hooks_of_one() {
    let command = "${CLAUDE_PLUGIN_ROOT}/hooks/a.sh";
    let has = |path: &[u8]| path == b".claude/skills/s/hooks/a.sh";
    let scripts = NamedScripts { has: &has, read: &|_| None };
    let kind = RunKind::PreRun { command: command.to_owned() };
    let of = |file: &str, is_bundle: bool| {
        let host = ScriptHost { directory: b"", named_in: &RepoPath::from(file), is_bundle };
        scripts.named_by(&kind, &host).missing.len()
    };
    assert_eq!(of(".claude/skills/s/SKILL.md", false), 0);
    assert_eq!(of(".claude/skills/t/SKILL.md", false), 1);
    assert_eq!(of("skills/t/SKILL.md", true), 1);
}

#[test]
fn scripts_that_are_not_there_are_named() {
    let check = |command: &str, is_bundle: bool, expected: &[&str]| {
        let has = |path: &[u8]| path == b"p/a.sh";
        let scripts = NamedScripts { has: &has, read: &|_| None };
        let host = ScriptHost { directory: b"p", named_in: &RepoPath::from("p/hooks/hooks.json"), is_bundle };
        let kind = RunKind::PreRun { command: command.to_owned() };
        let missing = scripts.named_by(&kind, &host).missing;
        assert_eq!(missing.iter().map(|path| path.to_str_lossy()).collect::<Vec<_>>(), expected, "{command}");
    };
    check("./b.sh", false, &["p/b.sh"]);
    check("bash \"$CLAUDE_PROJECT_DIR/h/b.sh\" a.sh", false, &["p/h/b.sh"]);
    check("node tools/b.js --x y.js", false, &["p/tools/b.js"]);
    check("./a.sh; python3 -u c.py", false, &["p/c.py"]);
    check("npx -y @scope/server x; bunx github:owner/name; npx -y owner/name; npx ./b.sh", false, &["p/b.sh"]);
    for near_miss in
        ["node --config x/y.json", "./a.sh b.sh", "cat x/y.sh", "$HOME/b.sh", "python -m x.y", "make b.sh", "./*.sh"]
    {
        check(near_miss, false, &[]);
    }
    check("./b.sh; ${CLAUDE_PLUGIN_ROOT}/h/b.sh", true, &["p/h/b.sh"]);
}

#[test]
fn scripts_stand_below_the_folder_of_a_hook() {
    let has = |path: &[u8]| matches!(path, b"h/a.sh" | b"h/lib.sh" | b"b.sh");
    let read = |path: &[u8]| (path == b"h/a.sh").then(|| Arc::from(&b"#!/bin/sh\n. ./lib.sh\n"[..]));
    let scripts = NamedScripts { has: &has, read: &read };
    let check = |folder: Option<&str>, command: &str, expected: &[&str], missing: &[&str]| {
        let host = ScriptHost { directory: b"", named_in: &RepoPath::from("h/hooks.json"), is_bundle: false };
        let kind = RunKind::Hook {
            event: "preToolUse".to_owned(),
            matcher: None,
            kind: "command".to_owned(),
            action: command.to_owned(),
            directory: folder.map(str::to_owned),
            timeout: None,
            fires_for: None,
            near: None,
        };
        let shown = |paths: BTreeSet<RepoPath>| paths.iter().map(|path| path.to_str_lossy().into_owned()).collect();
        let found: Vec<String> = shown(scripts.of(&kind, &host));
        assert_eq!(found, expected, "{command} in {folder:?}");
        let found: Vec<String> = shown(scripts.named_by(&kind, &host).missing);
        assert_eq!(found, missing, "{command} in {folder:?}");
    };
    check(Some("h"), "./a.sh", &["h/a.sh", "h/lib.sh"], &[]);
    check(Some("./h/"), "bash a.sh", &["h/a.sh", "h/lib.sh"], &[]);
    check(Some("."), "./b.sh", &["b.sh"], &[]);
    check(Some("h"), "./b.sh", &[], &["h/b.sh"]);
    check(None, "./a.sh", &[], &["a.sh"]);
    check(Some("../x"), "./a.sh", &[], &[]);
}
