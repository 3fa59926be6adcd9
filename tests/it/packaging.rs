//! What others load us by: the hooks in real pre-commit and prek, and the steps of the action run from its own file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_yaml::Value;

use crate::clients::{self, own};
use crate::support::{Repo, Run};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_hintlint");

fn yaml(path: &str) -> Value {
    let text = std::fs::read_to_string(own(path)).expect(path);
    serde_yaml::from_str(&text).expect(path)
}

/// The search path with the program under test first.
pub(crate) fn search_path() -> OsString {
    let folder = Path::new(BINARY).parent().expect("a folder").to_owned();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&rest))).expect("a search path")
}

// Hooks

const HOOKS: [&str; 5] = ["hintlint", "hintlint-fix", "hintlint-update", "hintlint-compile", "hintlint-compile-check"];

#[test]
fn hooks_do_not_depend_on_file_names() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hooks: BTreeMap<&str, &Value> =
        hooks.as_sequence().expect("a list").iter().map(|hook| (hook["id"].as_str().expect("an id"), hook)).collect();
    let variants = HOOKS.iter().flat_map(|id| [id.to_string(), format!("{id}-system")]);
    assert_eq!(hooks.keys().map(ToString::to_string).collect::<Vec<_>>(), {
        let mut ids: Vec<_> = variants.collect();
        ids.sort();
        ids
    });
    for (id, hook) in &hooks {
        let entry = hook["entry"].as_str().expect("an entry");
        assert!(entry.starts_with("hintlint ") && entry.contains(" --staged"), "{id}: {entry}");
        let always = ["always_run", "require_serial"].map(|key| hook[key].as_bool());
        assert_eq!((always, hook["pass_filenames"].as_bool()), ([Some(true); 2], Some(false)), "{id}");
        let stages: Vec<_> = hook["stages"].as_sequence().expect("stages").iter().filter_map(Value::as_str).collect();
        assert_eq!(stages, ["pre-commit", "pre-merge-commit", "manual"], "{id}: where a commit is made, or on demand");
        let language = if id.ends_with("-system") { "system" } else { "rust" };
        assert_eq!(hook["language"].as_str(), Some(language), "{id}");
        let plain = hooks[id.trim_end_matches("-system")];
        assert_eq!(plain["entry"], hook["entry"], "{id} does what its variant does");
    }
}

#[test]
fn clients_accept_the_manifest() {
    let Some(client) = clients::find("pre-commit") else { return };
    let repo = Repo::new();
    let manifest = own(".pre-commit-hooks.yaml");
    let mut command = hook_client(&repo, &client);
    let run: Run = command.arg("validate-manifest").arg(manifest).output().expect("it starts").into();
    assert_eq!(run.code, 0, "{run:?}");
    repo.run(&["init", "--pre-commit"]);
    let run: Run = hook_client(&repo, &client)
        .args(["validate-config", ".pre-commit-config.yaml"])
        .output()
        .expect("it starts")
        .into();
    assert_eq!(run.code, 0, "{run:?}");
}

pub(crate) fn hook_client(repo: &Repo, client: &Path) -> Command {
    let mut command = repo.command(client.to_str().expect("a path in UTF-8"), repo.root());
    command
        .env("PATH", search_path())
        .env("PRE_COMMIT_HOME", repo.beside("cache"))
        .env("PREK_HOME", repo.beside("prek"));
    command
}

/// A repository that holds nothing but our hooks, as the clients clone it.
pub(crate) fn hooks_repository() -> Repo {
    let manifest = std::fs::read(own(".pre-commit-hooks.yaml")).expect("the hooks");
    Repo::with_files([(".pre-commit-hooks.yaml", manifest)])
}

/// One staged state after another, and what a hook must say of each. The program on the path is the one under test.
fn try_hooks(client: &str) {
    let Some(client) = clients::find(client) else { return };
    let hooks = hooks_repository();
    let repo = Repo::with_files([("CLAUDE.md", "# Shop\n\nSee @docs/style.md.\n"), ("docs/style.md", "# Style\n")]);
    let attempt = |id: &str| -> Run {
        let mut command = hook_client(&repo, &client);
        command.arg("try-repo").arg(hooks.root()).args([id, "--verbose"]).output().expect("it starts").into()
    };
    let passes = |id: &str| {
        let run = attempt(id);
        assert_eq!(run.code, 0, "{id}: {run:?}");
        assert!(run.stdout.contains("Passed"), "{id}: {run:?}");
    };
    let fails = |id: &str, why: &str| {
        let run = attempt(id);
        assert_eq!(run.code, 1, "{id}: {run:?}");
        assert!(run.stdout.contains(why) || run.stderr.contains(why), "{id} must say {why}: {run:?}");
    };

    repo.write("src.txt", "x\n").add();
    passes("hintlint-system");
    fails("hintlint-compile-check-system", ".hintlint/context/merged.md: missing");

    repo.git(&["rm", "-q", "docs/style.md"]);
    fails("hintlint-system", "missing-import");
    repo.git(&["reset", "-q", "--hard"]);

    repo.write("CLAUDE.md", "# Sh\u{e0041}\u{e0042}op\n\nSee @docs/style.md.\n").add();
    fails("hintlint-fix-system", "git add CLAUDE.md");
    assert_eq!(repo.read("CLAUDE.md"), b"# Shop\n\nSee @docs/style.md.\n", "the hook fixed the file");
    repo.add();
    passes("hintlint-fix-system");

    fails("hintlint-compile-system", "git add");
    repo.add();
    passes("hintlint-compile-system");
    passes("hintlint-compile-check-system");
    repo.commit_staged("artifacts");
    repo.write("docs/style.md", "# Another style\n").add();
    fails("hintlint-compile-check-system", ".hintlint/context/merged.md: stale");
}

/// One edit is told once: what was fixed and what was written, and nothing of it again as a finding.
#[test]
fn one_run_lints_fixes_and_compiles() {
    let repo = Repo::with_files([("CLAUDE.md", "# Shop\n"), ("AGENTS.md", "# Shop\n")]);
    let update = ["check", "--staged", "--fix", "--compile"];
    let run = repo.write("CLAUDE.md", "# The shop\n").add().run(&update);
    assert_eq!(run.code, 0, "no artifacts are made where there are none: {run:?}");
    assert!(!repo.at(".hintlint").exists());

    repo.run(&["compile"]);
    repo.commit("artifacts");
    let run = repo.write("CLAUDE.md", "# Their sh\u{e0041}op\n").add().run(&update);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(!run.stdout.contains("stale-artifact") && !run.stdout.contains("error["), "{run:?}");
    assert_eq!(run.stderr.matches("git add").count(), 2, "the fixed file and the artifacts: {run:?}");
    assert_eq!(repo.read("CLAUDE.md"), b"# Their shop\n");
    repo.add();
    let (run, check) = (repo.run(&update), repo.run(&["compile", "--staged", "--check"]));
    assert_eq!((run.code, check.code), (0, 0), "the fixed text was compiled: {run:?} {check:?}");

    // What is not fixed is told, and the artifact is written all the same.
    let run = repo.write("AGENTS.md", "See @docs/gone.md.\n").add().run(&update);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("missing-import"), "{run:?}");
    assert_eq!(repo.add().run(&["compile", "--staged", "--check"]).code, 0);
    let run = repo.run(&["check", "--compile"]);
    assert_eq!(run.code, 2, "it writes, so that --fix must be there: {run:?}");
}

/// The hooks that install a wheel are ours, made anew when ours change.
#[test]
fn the_mirror_of_the_hooks_is_fresh() {
    let Some(python) = clients::find("python3") else { return };
    let run: Run =
        Command::new(python).arg(own("packaging/build-mirror")).arg("--check").output().expect("Python runs").into();
    assert_eq!(run.code, 0, "{run:?}");
    let hooks = yaml("packaging/pre-commit-mirror/.pre-commit-hooks.yaml");
    let hooks = hooks.as_sequence().expect("a list");
    let ids: Vec<_> = hooks.iter().filter_map(|hook| hook["id"].as_str()).collect();
    assert_eq!(ids, HOOKS);
    assert!(hooks.iter().all(|hook| hook["language"].as_str() == Some("python")));
}

#[test]
fn the_release_workflow_has_no_finding() {
    let workflow = own(".github/workflows/release.yml");
    for (client, options) in [("actionlint", vec![]), ("zizmor", vec!["--offline", "--persona", "auditor"])] {
        let Some(program) = clients::find(client) else { continue };
        let run: Run = Command::new(program).args(options).arg(&workflow).output().expect("it starts").into();
        assert_eq!(run.code, 0, "{client}: {run:?}");
    }
}

/// Each platform of the npm package is built, each script of a job is there, and what `cargo binstall` asks for is what is packed.
#[test]
fn the_release_workflow_builds_every_platform() {
    let workflow = yaml(".github/workflows/release.yml");
    let matrix = workflow["jobs"]["build"]["strategy"]["matrix"]["include"].as_sequence().expect("a matrix");
    let mut built: Vec<_> = matrix.iter().filter_map(|row| row["target"].as_str()).collect();
    built.sort_unstable();
    let targets = yaml("packaging/targets.json");
    let mut named: Vec<_> = targets.as_mapping().expect("an object").keys().filter_map(Value::as_str).collect();
    named.sort_unstable();
    assert_eq!(built, named);
    let mut scripts = 0;
    for (_, job) in workflow["jobs"].as_mapping().expect("jobs") {
        for step in job["steps"].as_sequence().expect("steps") {
            let Some(run) = step["run"].as_str() else { continue };
            assert!(!run.contains("${{"), "{run}");
            let script = run.split_whitespace().next().expect("a command");
            if script.contains('/') {
                assert!(own(script).is_file(), "{script}");
                scripts += 1;
            }
        }
    }
    assert!(scripts > 5, "{scripts}");
    let manifest = std::fs::read_to_string(own("Cargo.toml")).expect("Cargo.toml");
    assert!(manifest.contains("/v{ version }/hintlint-{ target }{ archive-suffix }\""));
}

#[test]
fn pre_commit_passes_and_fails_as_it_should() {
    try_hooks("pre-commit");
}

#[test]
fn prek_passes_and_fails_as_it_should() {
    try_hooks("prek");
}

// The action

/// The action's steps run as the runner runs them: expressions evaluated in `env` and `working-directory`, bash with the
/// runner's flags, files for outputs and summary, and nothing else of this process's environment.
pub(crate) struct Runner<'r> {
    repo: &'r Repo,
    inputs: Vec<(&'r str, &'r str)>,
    path: OsString,
    /// Variables of GitHub's that tell of the event.
    pub(crate) env: Vec<(&'r str, &'r str)>,
}

pub(crate) struct Ran {
    pub(crate) run: Run,
    pub(crate) outputs: String,
    pub(crate) summary: String,
}

impl<'r> Runner<'r> {
    pub(crate) fn new(repo: &'r Repo, inputs: &[(&'r str, &'r str)]) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Runner { repo, inputs: inputs.to_vec(), path, env: Vec::new() }
    }

    fn evaluate(&self, text: &str, outputs: &str) -> String {
        let Some(expression) = text.strip_prefix("${{ ").and_then(|rest| rest.strip_suffix(" }}")) else {
            assert!(!text.contains("${{"), "this runner knows whole expressions only: {text}");
            return text.to_owned();
        };
        if let Some(name) = expression.strip_prefix("inputs.") {
            let action = yaml("action.yml");
            let default = action["inputs"][name]["default"].as_str().unwrap_or_else(|| panic!("no input {name}"));
            let given = self.inputs.iter().find(|(input, _)| *input == name);
            return given.map_or(default, |(_, value)| value).to_owned();
        }
        let name = expression.split(".outputs.").nth(1).unwrap_or_else(|| panic!("unknown expression {expression}"));
        let prefix = format!("{name}=");
        outputs.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap_or_default().to_owned()
    }

    pub(crate) fn go(&self) -> Ran {
        let files = ["output", "summary", "temp"].map(|name| self.repo.beside(name));
        std::fs::write(&files[0], "").expect("a file");
        std::fs::write(&files[1], "").expect("a file");
        std::fs::create_dir_all(&files[2]).expect("a folder");
        let outputs = || std::fs::read_to_string(&files[0]).expect("outputs");
        let action = yaml("action.yml");
        let mut all = Run { stdout: String::new(), stderr: String::new(), code: 0 };
        for step in action["runs"]["steps"].as_sequence().expect("steps") {
            let folder = step["working-directory"].as_str().map(|folder| self.evaluate(folder, &outputs()));
            let folder = self.repo.root().join(folder.unwrap_or_default());
            let script = self.repo.beside("script.sh");
            std::fs::write(&script, step["run"].as_str().expect("a script")).expect("a file");
            let mut command = self.repo.command("bash", &folder);
            command.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&script);
            command
                .env("PATH", &self.path)
                .env("GITHUB_ACTION_PATH", own(""))
                .env("GITHUB_WORKSPACE", self.repo.root());
            command.env("GITHUB_OUTPUT", &files[0]).env("GITHUB_STEP_SUMMARY", &files[1]).env("RUNNER_TEMP", &files[2]);
            command.envs(self.env.iter().copied());
            for (name, value) in step["env"].as_mapping().expect("env") {
                let value = self.evaluate(value.as_str().expect("a string"), &outputs());
                command.env(name.as_str().expect("a name"), value);
            }
            let run: Run = command.output().expect("bash starts").into();
            all = Run { stdout: all.stdout + &run.stdout, stderr: all.stderr + &run.stderr, code: run.code };
            if run.code != 0 {
                break;
            }
        }
        let summary = std::fs::read_to_string(&files[1]).expect("a summary");
        Ran { run: all, outputs: outputs(), summary }
    }
}

fn shop() -> Repo {
    Repo::with_files([("CLAUDE.md", "See @docs/gone.md.\n"), ("sub/CLAUDE.md", "# Fine\n"), ("-x", "plain\n")])
}

#[test]
fn no_expression_reaches_a_script_of_the_action() {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"].as_str(), Some("composite"));
    let steps = action["runs"]["steps"].as_sequence().expect("steps");
    assert!(!steps.is_empty());
    for step in steps {
        assert!(!step["run"].as_str().expect("a script").contains("${{"), "{step:?}");
        assert_eq!(step["shell"].as_str(), Some("bash"));
        assert!(step["uses"].is_null(), "an action that is used must be pinned by its hash; this runner knows none");
    }
}

#[test]
fn the_action_annotates_and_fails() {
    let repo = shop();
    let ran = Runner::new(&repo, &[("binary", BINARY)]).go();
    assert_eq!(ran.run.code, 1, "{:?}", ran.run);
    assert!(ran.run.stdout.contains("::error ") && ran.run.stdout.contains("file=CLAUDE.md"), "{:?}", ran.run);
    assert!(ran.summary.contains("missing-import"), "{}", ran.summary);
    assert!(ran.outputs.contains("binary=") && !ran.outputs.contains("sarif-file="), "{}", ran.outputs);
}

#[test]
fn the_action_passes_where_nothing_is_wrong() {
    let repo = shop();
    for inputs in
        [&[("working-directory", "sub"), ("paths", ".")][..], &[("fail-on", "never")], &[("paths", "sub\n-x")]]
    {
        let inputs: Vec<_> = [("binary", BINARY)].iter().chain(inputs).copied().collect();
        let ran = Runner::new(&repo, &inputs).go();
        assert_eq!(ran.run.code, 0, "{inputs:?}: {:?}", ran.run);
    }
}

#[test]
fn the_action_writes_sarif_when_asked() {
    let repo = shop();
    let ran = Runner::new(&repo, &[("binary", BINARY), ("sarif", "out.sarif")]).go();
    assert_eq!(ran.run.code, 1, "{:?}", ran.run);
    let log: serde_json::Value = serde_json::from_slice(&repo.read("out.sarif")).expect("JSON");
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "missing-import");
}

#[test]
fn the_next_step_finds_the_sarif_file() {
    let repo = shop();
    let absolute = repo.beside("temp").join("absolute.sarif");
    let absolute = absolute.to_str().expect("UTF-8");
    for (folder, sarif) in [(".", "out.sarif"), ("sub", "out.sarif"), ("sub", "../above.sarif"), ("sub", absolute)] {
        let ran = Runner::new(&repo, &[("binary", BINARY), ("working-directory", folder), ("sarif", sarif)]).go();
        let named = ran.outputs.lines().find_map(|line| line.strip_prefix("sarif-file=")).expect("an output");
        let text = std::fs::read(repo.root().join(named)).unwrap_or_else(|error| panic!("{named}: {error}"));
        let log: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        assert_eq!(log["version"], "2.1.0", "{folder} {sarif}");
        std::fs::remove_file(repo.root().join(named)).expect("each run writes its own");
    }
}

#[test]
fn the_action_says_what_it_could_not_do() {
    let repo = shop();
    let cases = [
        ("sarif", "no/such/out.sarif", "there is no folder no/such"),
        ("config", "absent.toml", "absent.toml"),
        ("paths", "absent", "there is no file or directory absent"),
        ("base", "absent", "absent"),
        ("min-level", "loud", "loud"),
    ];
    for (input, value, why) in cases {
        let ran = Runner::new(&repo, &[("binary", BINARY), ("fail-on", "never"), (input, value)]).go();
        assert_eq!(ran.run.code, 2, "{input}: {:?}", ran.run);
        assert!(ran.run.stderr.contains(why), "{input}: {:?}", ran.run);
    }
    let ran = Runner::new(&repo, &[("binary", "absent")]).go();
    assert_eq!(ran.run.code, 127, "{:?}", ran.run);
    assert!(ran.run.stderr.contains("absent: No such file") && ran.outputs.is_empty(), "{:?}", ran.run);
}

/// Folders with such names are linted, and hold the config, the report and the program.
#[cfg(unix)]
#[test]
fn odd_names_are_names_to_the_action() {
    let names =
        ["-x", "a b", " ", "it's \"x\"", "$(touch pwned)", "`touch pwned`", "*", "\\n", "${HOME}", "a,b:c%0A", "ü"];
    let repo = Repo::new();
    for name in names {
        repo.write(format!("{name}/CLAUDE.md"), "See @gone.md.\n");
        repo.write(format!("{name}/lax.toml"), "[rules]\nimports = \"off\"\n");
        std::os::unix::fs::symlink(BINARY, repo.at(format!("{name}/program"))).expect("a link");
    }
    repo.commit("start");
    for name in names {
        let [sarif, config, binary] = ["out.sarif", "lax.toml", "program"].map(|file| format!("{name}/{file}"));
        let cases = [
            (vec![("binary", BINARY), ("paths", name)], 1),
            (vec![("binary", BINARY), ("working-directory", name), ("paths", ".")], 1),
            (vec![("binary", binary.as_str()), ("paths", name), ("sarif", &sarif)], 1),
            (vec![("binary", BINARY), ("paths", name), ("config", &config)], 0),
        ];
        for (inputs, code) in cases {
            let ran = Runner::new(&repo, &inputs).go();
            assert_eq!(ran.run.code, code, "{inputs:?}: {:?}", ran.run);
            let errors = ran.run.stdout.lines().filter(|line| line.starts_with("::error ")).count();
            assert_eq!(errors, usize::from(code == 1), "{inputs:?}: one folder's: {:?}", ran.run);
        }
        assert!(repo.at(&sarif).is_file(), "{name}");
    }
    assert!(!repo.at("pwned").exists());
}

#[test]
fn inputs_of_the_action_are_never_code() {
    let repo = shop();
    let evil = "$(touch pwned) `touch pwned` ; touch pwned";
    for input in ["paths", "base", "config", "fail-on", "min-level"] {
        let ran = Runner::new(&repo, &[("binary", BINARY), (input, evil)]).go();
        assert_eq!(ran.run.code, 2, "{input}: {:?}", ran.run);
    }
    let ran = Runner::new(&repo, &[("binary", BINARY), ("sarif", "a\nbinary=/evil")]).go();
    assert!(!ran.outputs.contains("\nbinary=/evil"), "an input cannot forge an output: {}", ran.outputs);
    assert!(!repo.at("pwned").exists());
}

/// Without a given program the action installs the wheel of its own version, by the real pip from a local index.
#[cfg(unix)]
#[test]
fn the_action_installs_the_wheel_of_its_version() {
    let Some(python) = clients::find("python3") else { return };
    let repo = shop();
    let index = repo.beside("index");
    std::fs::create_dir_all(&index).expect("a folder");
    let mut runner = Runner::new(&repo, &[]);
    let find = index.display().to_string();
    runner.env = vec![("PIP_NO_INDEX", "1"), ("PIP_FIND_LINKS", &find)];
    let ran = runner.go();
    assert_eq!((ran.run.code, ran.outputs.as_str()), (2, ""), "{:?}", ran.run);
    assert!(ran.run.stdout.contains("::error::hintlint ") && ran.run.stdout.contains("from-source: true"));
    let wheels = "
import sys, zipfile
for version in ('0.0.1', '99.0.0', sys.argv[2]):
    said = 'exit 99' if version != sys.argv[2] else f'exec \"{sys.argv[3]}\" \"$@\"'
    with zipfile.ZipFile(f'{sys.argv[1]}/hintlint-{version}-py3-none-any.whl', 'w') as wheel:
        wheel.writestr(f'hintlint-{version}.data/scripts/hintlint', f'#!/bin/sh\\n{said}\\n')
        wheel.writestr(f'hintlint-{version}.dist-info/METADATA', f'Metadata-Version: 2.1\\nName: hintlint\\nVersion: {version}\\n')
        wheel.writestr(f'hintlint-{version}.dist-info/WHEEL', 'Wheel-Version: 1.0\\nTag: py3-none-any\\n')
        wheel.writestr(f'hintlint-{version}.dist-info/RECORD', '')
";
    let args = ["-c", wheels, &find, env!("CARGO_PKG_VERSION"), BINARY];
    let made: Run = Command::new(python).args(args).output().expect("Python runs").into();
    assert_eq!(made.code, 0, "{made:?}");
    for _ in 0..2 {
        let ran = runner.go();
        assert_eq!(ran.run.code, 1, "{:?}", ran.run);
        assert!(ran.run.stdout.contains("::error ") && ran.run.stdout.contains("file=CLAUDE.md"), "{:?}", ran.run);
    }
}

/// On demand the action builds its own version; a stand-in for cargo tells what it was asked.
#[cfg(unix)]
#[test]
fn the_action_builds_itself() {
    use std::os::unix::fs::PermissionsExt;
    let repo = shop();
    let folder: PathBuf = repo.beside("bin");
    std::fs::create_dir_all(&folder).expect("a folder");
    let stub =
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$RUNNER_TEMP/asked\"\nmkdir -p \"$RUNNER_TEMP/hintlint/release\"\n";
    std::fs::write(folder.join("cargo"), format!("{stub}cp '{BINARY}' \"$RUNNER_TEMP/hintlint/release/\"\n"))
        .expect("a stub");
    std::fs::set_permissions(folder.join("cargo"), std::fs::Permissions::from_mode(0o755)).expect("chmod");
    let mut runner = Runner::new(&repo, &[("from-source", "true")]);
    let rest = runner.path.clone();
    runner.path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&rest))).expect("a path");
    let ran = runner.go();
    assert_eq!(ran.run.code, 1, "{:?}", ran.run);
    let asked = std::fs::read_to_string(repo.beside("temp").join("asked")).expect("cargo was called");
    let manifest = own("Cargo.toml");
    let target = repo.beside("temp").join("hintlint");
    let expected = format!(
        "build\n--release\n--locked\n--manifest-path\n{}\n--target-dir\n{}\n",
        manifest.display(),
        target.display()
    );
    assert_eq!(asked.replace("//", "/"), expected);
}

#[test]
fn zizmor_and_the_schemas_find_nothing() {
    let repo = Repo::new();
    repo.run(&["init", "--workflow"]);
    let (workflow, action) = (repo.at(".github/workflows/hintlint.yml"), own("action.yml"));
    if let Some(zizmor) = clients::find("zizmor") {
        let mut command = repo.command(zizmor.to_str().expect("a path in UTF-8"), repo.root());
        command.args(["--offline", "--persona", "pedantic"]).args([&workflow, &action]);
        let run: Run = command.output().expect("zizmor starts").into();
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.stdout.contains("No findings"), "{run:?}");
    }
    let Some(client) = clients::find("check-jsonschema") else { return };
    for (schema, file) in [("vendor.github-actions", &action), ("vendor.github-workflows", &workflow)] {
        let mut command = repo.command(client.to_str().expect("a path in UTF-8"), repo.root());
        let run: Run = command.args(["--builtin-schema", schema]).arg(file).output().expect("it starts").into();
        assert_eq!(run.code, 0, "{run:?}");
    }
}
