//! `hintlint pack`: hint packages, from the prompt to the resources. Tests are named after the rows of the requirements.

mod forms;
#[cfg(target_os = "linux")]
mod race;

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Repo, Run};

/// Two packages, of which one is whole and one is small.
fn repo() -> Repo {
    Repo::with_files([
        ("hints/greet/hint.md", "Call Get-Greeting.\n"),
        (
            "hints/greet/hint.yaml",
            "name: greet\ndescription: 问候 the user\nsystem_prompt_injection: |\n  Use {greet}.\n  Always.\n",
        ),
        ("hints/greet/resources/page.html", "<p>Hello</p>\n"),
        ("hints/greet/resources/deep/er/a.txt", "deep\n"),
        ("hints/greet/modules/greet.psm1", "function Get-Greeting { 'hello' }\n"),
        ("hints/greet/modules/it's.ps1", "function Get-It { 1 }\n"),
        ("hints/greet/modules/greet.sh", "get_greeting() { echo hello; }\n"),
        ("hints/greet/modules/README.md", "no module\n"),
        ("hints/tidy/hint.md", "\u{feff}Tidy up.\n"),
        ("hints/tidy/hint.yaml", "description: tidies\n"),
        ("hints/tidy/resources/page.html", "tidy\n"),
    ])
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn with_input(repo: &Repo, args: &[&str], input: &str) -> Run {
    let mut command = repo.hintlint(repo.root());
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("hintlint starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    Run::from(child.wait_with_output().expect("it ends"))
}

#[test]
fn p01_p02_a_package_is_loaded_and_its_prompt_printed() {
    let repo = repo();
    let run = repo.run(&["pack", "load", "greet"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "Call Get-Greeting.\n", ""));
    assert_eq!(repo.run(&["pack", "load", "tidy"]).stdout, "Tidy up.\n", "the byte order mark is not printed");
    let run = repo.run(&["pack", "unload"]);
    insta::assert_snapshot!(run.stdout, @r"
    Unloaded the hint package tidy.
    Modules to unload: none
    ");
    assert_eq!(repo.run(&["pack", "unload"]).stdout, "No hint package is active; there is nothing to unload.\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), "", "the state is never committed");
}

#[test]
fn p02_a_package_that_is_not_whole_leaves_the_old_one_active() {
    let repo = repo();
    repo.write("hints/none/hint.md", "x\n");
    repo.write("hints/empty/hint.md", " \n").write("hints/empty/hint.yaml", "name: empty\n");
    repo.write("hints/broken/hint.md", "x\n").write("hints/broken/hint.yaml", "a: [\n");
    repo.write("hints/bare/hint.yaml", "name: bare\n");
    repo.run(&["pack", "load", "greet"]);
    for (name, why) in [
        ("none", "the hint package `none` has no hint.yaml"),
        ("empty", "hint.md of the hint package `empty` has no text"),
        ("broken", "hint.yaml of the hint package `broken` cannot be used"),
        ("bare", "the hint package `bare` has no hint.md"),
        ("gret", "there is no hint package `gret`\n  help: did you mean `greet`?"),
        ("../greet", "a package's name is the name of one folder"),
        ("greet/resources", "a package's name is the name of one folder"),
        ("", "a package's name is the name of one folder"),
    ] {
        let run = repo.run(&["pack", "load", name]);
        assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains(why), "{name}: {run:?}");
        assert!(!run.stderr.contains(repo.root().to_str().expect("UTF-8")), "no message has a path: {run:?}");
    }
    assert_eq!(json(&repo.run(&["pack", "status", "--format", "json"]))["active"], "greet");
}

#[test]
fn p03_p07_one_package_is_active_and_a_switch_changes_only_our_state() {
    let repo = repo();
    repo.run(&["pack", "load", "greet"]);
    let run = repo.run(&["pack", "load", "tidy"]);
    assert_eq!(run.stderr, "hintlint: unloaded the hint package greet\n");
    assert_eq!(repo.run(&["pack", "resource", "page.html"]).stdout, "tidy\n");
    assert_eq!(repo.run(&["pack", "modules"]).stdout, "");
    let again = repo.run(&["pack", "load", "tidy"]);
    assert_eq!((again.stdout.as_str(), again.stderr.as_str()), ("Tidy up.\n", ""), "loaded anew");
}

#[test]
fn p04_metadata_as_a_list_and_in_a_template() {
    let repo = repo();
    repo.write("hints/broken/hint.md", "x\n").write("hints/broken/hint.yaml", "a: [\n");
    repo.write("hints/off/hint.md", "x\n").write("hints/off/hint.yaml", "disable: true\n");
    repo.write("hints/win/hint.md", "x\n").write("hints/win/hint.yaml", "disable: windows\n");
    repo.write("hints/lin/hint.md", "x\n").write("hints/lin/hint.yaml", "disable: linux\n");
    let run = repo.run(&["pack", "metadata"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stderr.starts_with("hintlint: left out: hint.yaml of the hint package `broken`"), "{run:?}");
    assert_eq!(run.stderr.lines().count(), 1);
    assert!(run.stdout.contains("\"description\": \"问候 the user\""), "{run:?}");
    let list = json(&run);
    let names: Vec<&str> = list.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, if cfg!(windows) { ["greet", "lin", "tidy"] } else { ["greet", "tidy", "win"] });
    assert_eq!(list[0]["system_prompt_injection"], "Use {greet}.\nAlways.");
    assert_eq!(list[0].as_object().expect("an object").len(), 3);

    repo.write("t.txt", "Before {other} {hint_metadata}\nand {hint_metadata}.\n");
    let filled = repo.run(&["pack", "metadata", "--template", "t.txt"]).stdout;
    assert_eq!(filled, format!("Before {{other}} {0}\nand {0}.\n", run.stdout.trim_end()));
    let braces = repo.run(&["pack", "metadata", "--template", "t.txt", "--braces"]).stdout;
    assert!(braces.starts_with("Before {other} [\n  {{\n") && braces.contains("Use {{greet}}."), "{braces}");
    repo.write("bare.txt", "nothing\n");
    let bare = repo.run(&["pack", "metadata", "--template", "bare.txt"]);
    assert!(bare.code == 2 && bare.stderr.contains("the template bare.txt has no {hint_metadata}"), "{bare:?}");
    assert_eq!(repo.run(&["pack", "metadata", "--template", "none.txt"]).code, 2);
}

#[test]
fn p05_resources_are_given_as_they_are() {
    let repo = repo();
    let run = repo.run(&["pack", "resource", "page.html"]);
    assert!(run.code == 2 && run.stderr.contains("no hint package is active"), "{run:?}");
    repo.run(&["pack", "load", "greet"]);
    assert_eq!(repo.run(&["pack", "resource", "page.html"]).stdout, "<p>Hello</p>\n");
    assert_eq!(repo.run(&["pack", "resource", "./deep/er/a.txt"]).stdout, "deep\n");
    let binary: Vec<u8> = (0..=255).collect();
    repo.write("hints/greet/resources/b.bin", &binary);
    assert_eq!(repo.run(&["pack", "resource", "b.bin", "--output", "copy.bin"]).code, 0);
    assert_eq!(repo.read("copy.bin"), binary);
    repo.write("hints/greet/resources/gbk.txt", b"\xc4\xe3\n");
    assert_eq!(repo.run(&["pack", "resource", "gbk.txt", "--encoding", "gbk"]).stdout, "你\n");
    let wrong = repo.run(&["pack", "resource", "gbk.txt", "--encoding", "utf-8"]);
    assert!(wrong.code == 2 && wrong.stdout.is_empty(), "{wrong:?}");
    repo.write("hints/greet/resources/big.bin", vec![b'x'; (8 << 20) + 1]);
    let big = repo.run(&["pack", "resource", "big.bin"]);
    assert!(big.code == 2 && big.stderr.contains("larger than 8 MiB"), "{big:?}");
    assert_eq!(repo.run(&["pack", "resource", "big.bin", "-o", "big.copy"]).code, 0);
    assert_eq!(repo.read("big.copy").len(), (8 << 20) + 1);
}

#[test]
fn p05_p11_nothing_outside_the_resources_is_given() {
    let repo = repo();
    repo.run(&["pack", "load", "greet"]);
    let absolute = repo.at("hints/greet/resources/page.html");
    let absolute = absolute.to_str().expect("UTF-8");
    for path in [
        "..",
        "../hint.md",
        "deep/../../hint.md",
        "deep/..",
        "..\\hint.md",
        "deep\\..\\..\\hint.md",
        "/etc/passwd",
        absolute,
        "C:\\x",
        "c:x",
        "\\\\host\\share",
        "",
        ".",
        "deep",
        "deep/",
        "nul",
        "CON",
        "page.html\n",
        "\u{1b}[31m",
        "none.txt",
        "page.html/x",
        "PAGE.HTML",
        "~/x",
        "$HOME",
        "%2e%2e/hint.md",
        "．．/hint.md",
    ] {
        let run = repo.run(&["pack", "resource", "--", path]);
        assert!(run.code == 2 && run.stdout.is_empty(), "{path:?}: {run:?}");
        let form = run.stderr.strip_prefix("hintlint: the resource cannot be given: ");
        let form = form.unwrap_or_else(|| panic!("one form for all: {path:?} {run:?}"));
        assert!(!form.contains("hints") && !form.contains('/') && form.lines().count() == 1, "{path:?}: {run:?}");
    }
    let folder = repo.run(&["pack", "resource", "."]).stderr;
    assert!(folder.ends_with(": its path is the folder of all resources; name a file in it\n"), "{folder}");
}

#[cfg(unix)]
#[test]
fn p05_links_out_of_the_resources_are_refused() {
    let repo = repo();
    repo.write("secret.txt", "secret\n");
    repo.symlink("hints/greet/resources/out.txt", "../../../secret.txt");
    repo.symlink("hints/greet/resources/abs", "/etc");
    repo.symlink("hints/greet/resources/up", "..");
    repo.symlink("hints/greet/resources/loop", "loop");
    repo.symlink("hints/greet/resources/inside.txt", "deep/er/a.txt");
    repo.symlink("hints/greet/resources/round.txt", "../../greet/resources/page.html");
    repo.run(&["pack", "load", "greet"]);
    for path in ["out.txt", "abs/passwd", "up/hint.md", "loop", "up/../secret.txt"] {
        let run = repo.run(&["pack", "resource", path]);
        assert!(run.code == 2 && run.stdout.is_empty(), "{path}: {run:?}");
    }
    assert_eq!(repo.run(&["pack", "resource", "inside.txt"]).stdout, "deep\n");
    assert_eq!(repo.run(&["pack", "resource", "round.txt"]).stdout, "<p>Hello</p>\n", "out and in again by name");

    let made = std::process::Command::new("mkfifo").arg(repo.at("hints/greet/resources/fifo")).status();
    assert!(made.is_ok_and(|status| status.success()));
    assert_eq!(repo.run(&["pack", "resource", "fifo"]).code, 2, "it is not opened, which would wait for ever");

    repo.remove("hints/tidy/resources/page.html");
    std::fs::remove_dir(repo.at("hints/tidy/resources")).expect("it is empty");
    repo.symlink("hints/tidy/resources", "../..");
    repo.symlink("hints/linked", "greet");
    repo.run(&["pack", "load", "tidy"]);
    assert_eq!(repo.run(&["pack", "resource", "secret.txt"]).code, 2, "the folder of resources is no link");
    assert_eq!(repo.run(&["pack", "load", "linked"]).code, 2, "nor is a package");
}

#[test]
fn p06_modules_are_listed_and_a_preamble_loads_them() {
    let repo = repo();
    assert_eq!(repo.run(&["pack", "modules"]).code, 2);
    repo.run(&["pack", "load", "greet"]);
    let folder = std::fs::canonicalize(repo.at("hints/greet/modules")).expect("it is there");
    let folder = folder.to_str().expect("UTF-8");
    let modules = repo.run(&["pack", "modules"]).stdout;
    assert_eq!(modules, format!("{folder}/greet.psm1\n{folder}/greet.sh\n{folder}/it's.ps1\n"));
    let preamble = repo.run(&["pack", "modules", "--preamble"]).stdout;
    assert_eq!(
        preamble,
        format!("Import-Module -LiteralPath '{folder}/greet.psm1'\nImport-Module -LiteralPath '{folder}/it''s.ps1'\n")
    );
    assert_eq!(repo.run(&["pack", "modules", "--preamble=bash"]).stdout, format!("source '{folder}/greet.sh'\n"));
    repo.write("hints/greet/modules/new.psm1", "");
    assert_eq!(repo.run(&["pack", "modules"]).stdout, modules, "the list is made when the package is loaded");
    repo.run(&["pack", "load", "greet"]);
    assert_eq!(repo.run(&["pack", "modules"]).stdout.lines().count(), 4);
}

#[cfg(unix)]
#[test]
fn p06_the_preamble_of_bash_defines_the_functions() {
    let repo = repo();
    repo.run(&["pack", "load", "greet"]);
    let preamble = repo.run(&["pack", "modules", "--preamble=bash"]).stdout;
    let run = std::process::Command::new("bash").args(["-c", &format!("{preamble}get_greeting")]).output();
    assert_eq!(String::from_utf8_lossy(&run.expect("bash is there").stdout), "hello\n");
}

#[test]
fn p08_p09_the_status_has_no_path() {
    let repo = repo();
    assert_eq!(repo.run(&["pack", "status"]).stdout, "No hint package is active.\n");
    repo.run(&["pack", "load", "greet"]);
    insta::assert_snapshot!(repo.run(&["pack", "status"]).stdout, @r"
    Active hint package: greet
    Modules: greet.psm1, greet.sh, it's.ps1
    Resources: resources/
    ");
    let status = json(&repo.run(&["pack", "status", "--format", "json"]));
    assert_eq!(status["resource_roots"], serde_json::json!(["resources/"]));
    std::fs::rename(repo.at("hints/greet"), repo.at("hints/gone")).expect("it is renamed");
    assert!(
        repo.run(&["pack", "status"])
            .stdout
            .ends_with("The package no longer exists; `hintlint pack unload` clears it.\n")
    );
}

#[test]
fn p09_each_worktree_and_each_folder_outside_git_has_its_own() {
    let repo = repo();
    repo.commit("packages");
    let beside = repo.beside("second");
    repo.git(&["worktree", "add", "-q", beside.to_str().expect("UTF-8")]);
    repo.run(&["pack", "load", "greet"]);
    assert!(repo.run_in(&beside, &["pack", "status"]).stdout.starts_with("No hint package"));
    assert!(repo.run_in(&repo.at("hints"), &["pack", "status"]).stdout.contains(": greet"), "from any folder of it");

    let plain = Repo::plain_folder();
    plain.write("hints/a/hint.md", "A.\n").write("hints/a/hint.yaml", "name: a\n");
    assert_eq!(plain.run(&["pack", "load", "a"]).stdout, "A.\n");
    assert!(plain.run(&["pack", "status"]).stdout.contains(": a\n"));
    assert!(!plain.at(".git").exists() && plain.home().join(".local/state/hintlint").is_dir());
}

#[cfg(unix)]
#[test]
fn p10_what_a_package_lacks_is_reported() {
    let repo = Repo::with_files([
        ("hints/a/hint.md", "Text.\n"),
        ("hints/a/hint.yaml", "name: other\ndescription: d\nsurprise: 1\n"),
        ("hints/a/resources/a.txt", "a\n"),
        ("hints/b/hint.md", "Text.\n"),
        ("hints/c/hint.md", "Call `Get-Nothing`.\nRead `resources/none.txt`.\n"),
        ("hints/c/hint.yaml", "name: c\ndescription: d\n"),
        ("hints/c/modules/c.psm1", "function Get-Some {}\n"),
        ("hints/d/hint.md", "Text.\n"),
        ("hints/d/hint.yaml", "a: [\n"),
    ]);
    repo.symlink("hints/a/resources/out", "/etc");
    let run = repo.run(&["--min-level", "info", "--format", "concise"]);
    for expected in [
        "hints/a/hint.yaml:1:7: error[package-name-mismatch]",
        "hints/a/hint.yaml:3:1: info[unknown-field]",
        "hints/a/resources/out:1:1: error[resource-escapes-package]",
        "hints/b/hint.md:1:1: error[incomplete-package]",
        "hints/c/hint.md:1:7: warning[missing-module-function]",
        "hints/c/hint.md:2:7: error[missing-resource]",
        "hints/d/hint.yaml:1:1: error[invalid-frontmatter]",
    ] {
        assert!(run.stdout.contains(expected), "{expected}: {run:?}");
    }
}

#[test]
fn p12_builtin_blocks_are_answered_like_the_commands() {
    let repo = repo();
    let blocks = "Sure.\n<builtin>\nhint\naction: load\nname: greet\n</builtin>\nthen\n\
                  <builtin>\nbuiltin.get_resource\npath: page.html\nencoding: utf-8\n</builtin>\n\
                  <builtin>\nhint\naction: unload\n</builtin>\n";
    let run = with_input(&repo, &["pack", "builtin"], blocks);
    assert_eq!(run.code, 0, "{run:?}");
    insta::assert_snapshot!(run.stdout, @r"
    Call Get-Greeting.
    <p>Hello</p>
    Unloaded the hint package greet.
    Modules to unload: greet.psm1, greet.sh, it's.ps1
    ");
    let run = with_input(&repo, &["pack", "builtin"], "<builtin>\nread_file\npath: /etc/passwd\n</builtin>");
    assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains("no tool `read_file`"), "{run:?}");
    let run = with_input(&repo, &["pack", "builtin"], "nothing");
    assert!(run.code == 2 && run.stderr.contains("no <builtin> block"), "{run:?}");
}

#[test]
fn the_list_says_which_package_is_active_and_which_cannot_be_loaded() {
    let repo = repo();
    repo.write("hints/none/hint.md", "x\n");
    repo.run(&["pack", "load", "tidy"]);
    insta::assert_snapshot!(repo.run(&["pack", "list"]).stdout, @r"
      greet  问候 the user
      none  cannot be loaded: the hint package `none` has no hint.yaml
    * tidy  tidies
    ");
    let list = json(&repo.run(&["pack", "list", "--format", "json"]));
    assert_eq!(
        list["packages"][2],
        serde_json::json!({
            "package": "tidy", "description": "tidies", "active": true, "disabled": false, "problem": null,
        })
    );
    let none = Repo::new().run(&["pack", "list"]);
    assert_eq!(none.stdout, "No hint packages; one is a folder hints/NAME/ with hint.md and hint.yaml.\n");
}

#[test]
fn a_forged_state_gives_nothing_outside() {
    let repo = repo();
    repo.run(&["pack", "load", "greet"]);
    let state = repo.at(".git/hintlint/pack.json");
    for forged in [
        r#"{"version": 1, "active": "../..", "modules": ["x.psm1"]}"#,
        r#"{"version": 1, "active": "greet", "modules": ["../../../x.psm1"]}"#,
        r#"{"version": 1, "active": "", "modules": []}"#,
        "{",
    ] {
        std::fs::write(&state, forged).expect("it is ours");
        for args in [&["pack", "resource", "page.html"][..], &["pack", "modules"]] {
            let run = repo.run(args);
            assert!(run.code == 2 && run.stdout.is_empty(), "{forged}: {run:?}");
        }
        assert_eq!(repo.run(&["pack", "unload"]).code, 0, "{forged}");
        assert!(repo.run(&["pack", "status"]).stdout.starts_with("No hint package"), "{forged}");
    }
}

#[test]
fn two_programs_at_once_leave_one_of_the_two_packages_active() {
    let repo = repo();
    let children: Vec<_> = (0..12)
        .map(|index| {
            let name = if index % 2 == 0 { "greet" } else { "tidy" };
            let mut command = repo.hintlint(repo.root());
            command.args(["pack", "load", name]).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().expect("hintlint starts")
        })
        .collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    let status = json(&repo.run(&["pack", "status", "--format", "json"]));
    let modules = status["modules"].as_array().expect("a list").len();
    assert!(matches!((status["active"].as_str(), modules), (Some("greet"), 3) | (Some("tidy"), 0)), "{status}");
}
