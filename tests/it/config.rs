//! `extends` and `hintlint config`: files of one repository on top of each other, and where each value comes from.

use serde_json::Value;

use crate::support::Repo;

/// A repository whose config extends two others.
fn layered() -> Repo {
    Repo::with_files([
        ("hintlint.toml", "extends = [\"policy/base.toml\", \"policy/strict.toml\"]\n[limits]\nimport-depth = 5\n"),
        ("policy/base.toml", "exclude = [\"vendor/**\"]\n[rules]\nimports = \"off\"\n[limits]\ncontext-bytes = 9\n"),
        (
            "policy/strict.toml",
            "[rules]\nmissing-import = \"warning\"\n[[overrides]]\npaths = [\"docs/**\"]\nrules = { plans = \"off\" }\n",
        ),
        ("CLAUDE.md", "See @docs/gone.md.\n"),
        ("vendor/CLAUDE.md", "See @gone.md.\n"),
        ("docs/x.md", "x\n"),
    ])
}

#[test]
fn what_is_extended_holds() {
    let repo = layered();
    let args = ["--format", "concise", "--ignore", "context"];
    let expected = "CLAUDE.md:1:5: warning[missing-import]";
    for state in [&[][..], &["--staged", "--all"], &["--rev", "HEAD"]] {
        let run = repo.run(&[&args, state].concat());
        assert_eq!((run.code, run.stdout.lines().count()), (0, 1), "{state:?}: {run:?}");
        assert!(run.stdout.starts_with(expected), "{run:?}");
    }
    // From the state that is linted, not from disk.
    repo.write("policy/strict.toml", "");
    assert_eq!(repo.run(&args).stdout, "");
    assert!(repo.run(&[&args[..], &["--rev", "HEAD"]].concat()).stdout.starts_with(expected));
    // What governs all files is no change of one file.
    repo.write("policy/base.toml", "").add();
    let run = repo.run(&[&args[..], &["--staged"]].concat());
    assert!(run.stdout.contains("error[missing-import]"), "{run:?}");
}

#[test]
fn each_value_has_its_origin() {
    let repo = layered();
    insta::assert_snapshot!(repo.run(&["config"]).stdout, @r##"
    agents = "auto"  # default
    extends = ["policy/base.toml", "policy/strict.toml"]  # hintlint.toml:1
    exclude = ["vendor/**"]  # policy/base.toml:1

    [rules]
    imports = "off"  # policy/base.toml:3
    missing-import = "warning"  # policy/strict.toml:2

    [[overrides]]  # policy/strict.toml:4
    paths = ["docs/**"]
    [overrides.rules]
    plans = "off"  # policy/strict.toml:5

    [limits]
    import-depth = 5  # hintlint.toml:3
    context-bytes = 9  # policy/base.toml:5

    [compile]
    output = ".hintlint/context"  # default
    agents = ["merged"]  # default
    inherit = true  # default
    directories = []  # default

    [plans]
    paths = ["PLAN.md", ".claude/PLAN.md", "docs/plans/**/*.md", "docs/superpowers/plans/**/*.md", ".kiro/specs/*/tasks.md", ".omc/plans/*.md", ".sisyphus/plans/*.md"]  # default

    [hooks]
    loops = []  # default

    [library]
    paths = ["src/hints/**/*.md"]  # default

    [packages]
    path = "hints"  # default

    [baseline]
    path = ".hintlint/baseline.json"  # default

    [search]
    provider = "keyword"  # default
    model = ""  # default
    host = ""  # default

    [dex]
    enabled = true  # default
    filenames = [".dexhints", "DEX.md", "AGENTS.md", "CLAUDE.md"]  # default
    "##);
    let json: Value = serde_json::from_str(&repo.run(&["config", "--format", "json"]).stdout).expect("JSON");
    assert_eq!(json["files"], serde_json::json!(["hintlint.toml", "policy/base.toml", "policy/strict.toml"]));
    let of = |key: &str| json["values"].as_array().expect("a list").iter().find(|value| value["key"] == key).cloned();
    assert_eq!(
        of("context-bytes").expect("a value")["origin"],
        serde_json::json!({"path": "policy/base.toml", "line": 5})
    );
    assert_eq!(of("loops").expect("a value")["origin"], Value::Null);
    assert_eq!(json["rules"][1]["origin"], serde_json::json!({"path": "policy/strict.toml", "line": 2}));
}

/// What is printed is a config, and the same one.
#[test]
fn what_is_printed_can_be_read() {
    let repo = layered();
    let odd = "exclude = [\"a\\\"b\", \"\u{e9}\\\\x\"]\n[rules]\n\"odd name\" = { allow = [\"U+00AD\", \"a'b\"] }\n";
    repo.write("policy/base.toml", odd);
    let first = repo.run(&["config"]);
    repo.write("printed.toml", first.stdout.replace("extends = [\"policy/base.toml\", \"policy/strict.toml\"]", ""));
    let second = repo.run(&["config", "--config", "printed.toml"]);
    assert_eq!(second.code, 0, "{second:?}");
    let values = |text: &str| -> Vec<String> {
        let values = text.lines().filter_map(|line| line.split_once("  # ").map(|(value, _)| value.to_owned()));
        values.filter(|line| !line.starts_with("extends")).collect()
    };
    assert_eq!(values(&first.stdout), values(&second.stdout));
}

#[test]
fn who_chose_the_config_is_said() {
    let repo = layered();
    repo.write("other.toml", "[limits]\nimport-depth = 2\n");
    let run = repo.run(&["config", "--config", "other.toml"]);
    assert!(run.stdout.starts_with("# --config names the config\n"), "{run:?}");
    assert!(run.stdout.contains("import-depth = 2  # other.toml:2\n"), "{run:?}");
    let mut command = repo.hintlint(repo.root());
    command.arg("config").env("HINTLINT_CONFIG", "other.toml").env("HINTLINT_FAIL_ON", "warning");
    let run: crate::support::Run = command.output().expect("it starts").into();
    assert!(run.stdout.starts_with("# HINTLINT_CONFIG names the config\n"), "{run:?}");
    assert!(run.stdout.contains("# HINTLINT_FAIL_ON=warning sets --fail-on\n"), "{run:?}");
    let run = repo.run(&["config", "--no-config"]);
    assert!(run.stdout.contains("no config is read") && run.stdout.contains("import-depth = 3  # default"), "{run:?}");
    repo.write("other.toml", "extends = [\"hintlint.toml\"]\n");
    let run = repo.run(&["config", "--config", "other.toml"]);
    assert!(run.code == 2 && run.stderr.contains("extends no other"), "{run:?}");
}

#[test]
fn configs_that_cannot_be_put_together_are_errors() {
    let cases = [
        ("\"gone.toml\"", "cannot be read: no such file"),
        ("\"../outside.toml\"", "leads out of the repository"),
        ("\"/etc/passwd\"", "leads out of the repository"),
        ("\"link.toml\"", "link out of the repository"),
        ("\"hintlint.toml\"", "extends itself"),
        ("\"folder\"", "is a directory"),
        ("\"broken.toml\"", "unknown key `exlude`"),
        ("\"latin.toml\"", "not UTF-8"),
        ("3", "list of strings"),
    ];
    let repo = Repo::with_files([("CLAUDE.md", "x\n"), ("folder/x", "x\n"), ("broken.toml", "exlude = []\n")]);
    repo.write("latin.toml", b"# \xe9\n").symlink("link.toml", "../outside.toml");
    std::fs::write(repo.beside("outside.toml"), "[rules]\nall = \"off\"\n").expect("a file");
    for (extends, why) in cases {
        repo.write("hintlint.toml", format!("\nextends = [{extends}]\n"));
        let run = repo.run(&[]);
        assert!(run.code == 2 && run.stderr.contains(why), "{extends}: {run:?}");
        let place = if extends.contains("broken") { "broken.toml:1" } else { "hintlint.toml:2" };
        assert!(run.stderr.contains(place), "{extends}: {run:?}");
    }
}

#[test]
fn a_config_that_nothing_reads_is_noted() {
    let repo = Repo::with_files([("CLAUDE.md", "x\n"), ("api/hintlint.toml", "[rules]\nall = \"off\"\n")]);
    let note = "api/hintlint.toml: a config below the root is ignored";
    assert!(repo.run(&[]).stderr.contains(note));
    assert!(!repo.run(&["--no-config"]).stderr.contains(note));
    repo.write("hintlint.toml", "extends = [\"api/hintlint.toml\"]\n");
    assert!(!repo.run(&[]).stderr.contains(note), "it is extended");
    repo.write("hintlint.toml", "exclude = [\"api/\"]\n");
    assert!(!repo.run(&[]).stderr.contains(note), "it is excluded");
}

#[test]
fn a_key_of_a_newer_version_says_so() {
    let repo = Repo::with_files([("CLAUDE.md", "x\n"), ("hintlint.toml", "holographic-mode = true\n")]);
    let run = repo.run(&[]);
    assert!(run.code == 2 && run.stderr.contains("newer hintlint than"), "{run:?}");
}
