//! Every command of `hintlint pack` as JSON, and packages that are written for two platforms.

use serde_json::{Value, json};

use super::{json, repo, with_input};
use crate::support::Repo;

/// A package whose prompt, metadata and modules exist for PowerShell and for bash, in the layout of the released program's example.
fn two_platforms() -> Repo {
    Repo::with_files([
        ("hints/hello/hint.md", "功能：\n- Get-HelloUser：问候\n\n<ps_call> Get-HelloUser </ps_call>\n"),
        ("hints/hello/hint.yaml", "name: \"hello\"\ndescription: \"问候\"\nsystem_prompt_injection: |\n  ps_call\n"),
        ("hints/hello/hint_linux.md", "功能：\n- get_hello_user：问候\n\n<bash_call> get_hello_user </bash_call>\n"),
        (
            "hints/hello/hint_linux.yaml",
            "name: \"hello\"\ndescription: \"问候\"\nsystem_prompt_injection: |\n  bash_call\n  一\n",
        ),
        ("hints/hello/modules/hello.psm1", "function Get-HelloUser {\n    \"hello $env:USERNAME\"\n}\n"),
        ("hints/hello/modules/hello.sh", "get_hello_user() {\n  echo \"hello ${WHO}\"\n}\n"),
    ])
}

#[cfg(target_os = "linux")]
#[test]
fn p01_p06_a_package_for_two_platforms_works_whole() {
    let repo = two_platforms();
    let load = repo.run(&["pack", "load", "hello"]);
    assert!(load.code == 0 && load.stdout.contains("get_hello_user") && !load.stdout.contains("ps_call"), "{load:?}");
    let metadata = json(&repo.run(&["pack", "metadata"]));
    let expected = json!([{"name": "hello", "description": "问候", "system_prompt_injection": "bash_call\n一"}]);
    assert_eq!(metadata, expected);
    let preamble = repo.run(&["pack", "modules", "--preamble=bash"]).stdout;
    let script = format!("{preamble}WHO=you get_hello_user");
    let run = std::process::Command::new("bash").args(["-c", &script]).output().expect("bash is there");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "hello you\n");
    let preamble = repo.run(&["pack", "modules", "--preamble"]).stdout;
    assert!(preamble.lines().count() == 1 && preamble.ends_with("/hints/hello/modules/hello.psm1'\n"), "{preamble}");
    let missing = repo.run(&["pack", "resource", "a.txt"]);
    assert!(
        missing.code == 2 && missing.stderr.contains("has no such resource"),
        "no folder is an empty one: {missing:?}"
    );
    let lint = ["--min-level", "info", "--select", "packages", "--format", "concise"];
    let clean = repo.run(&lint);
    assert_eq!((clean.code, clean.stdout.as_str()), (0, ""), "{clean:?}");
    repo.write("hints/hello/modules/hello.psm1", "function Get-HelloUsers { }\n");
    let found = repo.run(&lint).stdout;
    assert!(found.contains("hints/hello/hint.md:2:3: warning[missing-module-function]"), "{found}");
}

#[test]
fn p08_every_answer_is_json_when_asked() {
    let repo = repo();
    let answer = |args: &[&str]| json(&repo.run(&[&["pack"], args, &["--format", "json"]].concat()));
    let load = answer(&["load", "tidy"]);
    let expected = json!({
        "version": 1, "package": "tidy", "description": "tidies", "prompt": "Tidy up.\n", "modules": [],
        "resources": "resources/", "unloaded": null,
    });
    assert_eq!(load, expected);
    let load = answer(&["load", "greet"]);
    assert_eq!((&load["unloaded"], &load["modules"][0]), (&json!("tidy"), &json!("greet.psm1")));
    assert_eq!(answer(&["resource", "page.html"]), json!({"version": 1, "content": "<p>Hello</p>\n"}));
    let modules = answer(&["modules"]);
    assert_eq!((&modules["package"], &modules["modules"][1]["name"]), (&json!("greet"), &json!("greet.sh")));
    let preamble = answer(&["modules", "--preamble=bash"]);
    assert_eq!(preamble["preamble"].as_array().map(Vec::len), Some(1), "{preamble}");
    assert_eq!(
        answer(&["metadata"])[1],
        json!({"name": "tidy", "description": "tidies", "system_prompt_injection": ""})
    );
    repo.write("t.txt", "{hint_metadata}|{hint_metadata}{x}");
    let text = answer(&["metadata", "--template", "t.txt"])["text"].as_str().map(str::to_owned);
    assert!(text.is_some_and(|text| text.starts_with('[') && text.ends_with("]{x}")));
    let blocks = "<builtin>\nhint\naction: unload\n</builtin>";
    let unload: Value = json(&with_input(&repo, &["pack", "builtin", "--format", "json"], blocks));
    assert_eq!((&unload["unloaded"], unload["modules"].as_array().map(Vec::len)), (&json!("greet"), Some(3)));
    assert_eq!(answer(&["unload"]), json!({"version": 1, "unloaded": null, "modules": []}));
    assert_eq!(answer(&["status"])["active"], Value::Null);
    repo.write("hints/tidy/resources/b.bin", b"\xff\xfe");
    repo.run(&["pack", "load", "tidy"]);
    let binary = repo.run(&["pack", "resource", "b.bin", "--format", "json"]);
    assert!(binary.code == 2 && binary.stderr.contains("`--output FILE` takes it as it is"), "{binary:?}");
}

#[test]
fn p05_p12_a_block_reaches_nothing_that_the_command_does_not() {
    let repo = repo();
    repo.run(&["pack", "load", "greet"]);
    for path in
        ["page.html\\u0000", "\\u0000", "../hint.md", "deep\\u0000/../x", "page.html\\n../../hint.md", "C:x", "nul"]
    {
        let block = format!("<builtin>\nget_resource {{\"path\": \"{path}\"}}\n</builtin>");
        let run = with_input(&repo, &["pack", "builtin"], &block);
        assert!(run.code == 2 && run.stdout.is_empty(), "{path}: {run:?}");
        assert!(run.stderr.starts_with("hintlint: the resource cannot be given: "), "{path}: {run:?}");
    }
    let run = with_input(&repo, &["pack", "builtin"], "<builtin>\nhint\naction: load\nname: ../tidy\n</builtin>");
    assert!(run.code == 2 && run.stderr.contains("a package's name is the name of one folder"), "{run:?}");
    assert_eq!(json(&repo.run(&["pack", "status", "--format", "json"]))["active"], "greet");
}
