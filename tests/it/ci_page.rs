//! docs/ci.md by the word: each snippet passes the schema of its service, and its commands are run with the variables that the service
//! sets. The step that comments is run with the real `gh`, which talks to a server of ours.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};
use serde_yaml::Value;

use crate::clients::{self, own};
use crate::packaging::search_path;
use crate::support::{Repo, Run};

const OLD: (&str, &str) = ("CLAUDE.md", "# Shop\n\nSee @docs/gone.md.\n");

fn page() -> String {
    std::fs::read_to_string(own("docs/ci.md")).expect("the page")
}

/// The snippets with a file name in their first line.
fn snippets() -> Vec<(String, String)> {
    let page = page();
    let blocks = page.split("```yaml\n# ").skip(1).map(|rest| rest.split("```\n").next().expect("an end"));
    blocks.map(|block| block.split_once('\n').expect("lines")).map(|(name, text)| (name.into(), text.into())).collect()
}

fn snippet(name: &str) -> Value {
    let found = snippets().into_iter().find(|(file, _)| file == name).unwrap_or_else(|| panic!("no {name}"));
    serde_yaml::from_str(&found.1).expect("YAML")
}

#[test]
fn snippets_pass_the_schemas_of_their_services() {
    let schemas = [
        (".github/workflows/hintlint.yml", "vendor.github-workflows"),
        (".gitlab-ci.yml", "vendor.gitlab-ci"),
        ("azure-pipelines.yml", "vendor.azure-pipelines"),
        (".buildkite/pipeline.yml", "vendor.buildkite"),
    ];
    let snippets = snippets();
    for (file, _) in &schemas {
        assert!(snippets.iter().any(|(name, _)| name == file), "no snippet for {file}");
    }
    let repo = Repo::new();
    for (name, text) in &snippets {
        let (_, schema) = schemas.iter().find(|(file, _)| file == name).unwrap_or_else(|| panic!("{name}?"));
        repo.write(name, text);
        if let Some(client) = clients::find("check-jsonschema") {
            let mut command = repo.command(client.to_str().expect("UTF-8"), repo.root());
            let run: Run = command.args(["--builtin-schema", schema, name]).output().expect("it starts").into();
            assert_eq!(run.code, 0, "{name}: {run:?}");
        }
        if let Some(client) = clients::find("actionlint").filter(|_| name.starts_with(".github")) {
            let mut command = repo.command(client.to_str().expect("UTF-8"), repo.root());
            let run: Run = command.arg(name).output().expect("it starts").into();
            assert_eq!(run.code, 0, "{name}: {run:?}");
        }
    }
}

/// Commands that install the program name this version; where it is under test they are left out.
fn without_install(commands: &str) -> String {
    let ours = format!("hintlint=={}", env!("CARGO_PKG_VERSION"));
    let (installs, rest): (Vec<&str>, Vec<&str>) = commands.lines().partition(|line| line.contains(" install "));
    assert!(!installs.is_empty() && installs.iter().all(|line| line.ends_with(&ours)), "{installs:?}");
    rest.join("\n")
}

fn texts(value: &Value, key: &str) -> String {
    let list = value.as_sequence().expect("a list").iter();
    list.filter_map(|step| step[key].as_str()).map(|text| text.trim_end().to_owned() + "\n").collect()
}

/// Run the commands of a service on a request, as its shell does. One more mistake must fail and be in the `report`; what was there
/// before must not count, which shows that the base was found.
fn judges(shell: &[&str], commands: &str, variables: &[(&str, &str)], report: &str) -> Repo {
    let repo = Repo::with_files([OLD]);
    repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let base = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.git(&["checkout", "-q", "-b", "request"]);
    std::fs::create_dir_all(repo.beside("out")).expect("a folder");
    let out = repo.beside("out").display().to_string();
    let commands = commands.replace("$(Build.ArtifactStagingDirectory)", &out);
    for (text, code) in [("# Fine\n", 0), ("@docs/none.md\n", 1)] {
        repo.write("api/CLAUDE.md", text).commit("request");
        let mut command = repo.command(shell[0], repo.root());
        command.args(&shell[1..]).arg(&commands).env("PATH", search_path()).env("RUNNER_TEMP", &out);
        for (name, value) in variables {
            command.env(name, value.replace("BASE", &base));
        }
        let run: Run = command.output().expect("a shell").into();
        assert_eq!(run.code, code, "{commands}\n{run:?}");
        let written = String::from_utf8(repo.read(report)).expect("UTF-8");
        assert_eq!(written.contains("missing-import"), code == 1, "{written}");
        assert!(!written.contains("there is no docs/gone.md"), "{written}");
    }
    repo
}

#[test]
fn the_snippets_judge_requests() {
    const BASH: &[&str] = &["bash", "-e", "-c"];
    let init = Repo::new();
    init.run(&["init", "--workflow"]);
    let written = String::from_utf8(init.read(".github/workflows/hintlint.yml")).expect("UTF-8");
    let ours = snippets().into_iter().filter(|(name, _)| name.starts_with(".github")).map(|(_, text)| text);
    for text in ours.chain([written]) {
        let workflow: Value = serde_yaml::from_str(&text).expect("YAML");
        let steps = workflow["jobs"]["hintlint"]["steps"].as_sequence().expect("steps").iter();
        let runs: Vec<Value> = steps.filter(|step| step["name"] != "Comment").cloned().collect();
        let commands = texts(&Value::Sequence(runs), "run");
        let summary = "../summary";
        let variables = [("GITHUB_ACTIONS", "true"), ("GITHUB_BASE_REF", "main"), ("GITHUB_STEP_SUMMARY", summary)];
        let commands = format!("> {summary}\n{}", without_install(&commands));
        judges(BASH, &commands, &variables, summary);
    }
    let gitlab = &snippet(".gitlab-ci.yml")["hintlint"];
    let script: Vec<&str> = gitlab["script"].as_sequence().expect("a list").iter().filter_map(Value::as_str).collect();
    let report = gitlab["artifacts"]["reports"]["codequality"].as_str().expect("a file");
    judges(BASH, &without_install(&script.join("\n")), &[("CI_MERGE_REQUEST_DIFF_BASE_SHA", "BASE")], report);

    let azure = &snippet("azure-pipelines.yml")["steps"];
    let target = [("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main")];
    let scripts: Vec<Value> = azure.as_sequence().expect("steps").iter().take(3).cloned().collect();
    let repo = judges(BASH, &without_install(&texts(&Value::Sequence(scripts), "script")), &target, "hintlint.xml");
    let told = azure.as_sequence().and_then(|steps| steps.last()).and_then(|step| step["script"].as_str());
    let file = told.and_then(|told| told.split("/").last()).expect("a file").trim_end_matches('"');
    assert!(repo.beside("out").join(file).is_file(), "the summary that is uploaded was written: {file}");

    // Jenkins runs `sh` with these options.
    let jenkins = page().split("sh '").nth(1).and_then(|rest| rest.split('\'').next()).expect("a step").to_owned();
    judges(&["sh", "-x", "-e", "-c"], &jenkins, &[("CHANGE_TARGET", "main")], "hintlint.xml");
}

/// Buildkite replaces variables when the pipeline is uploaded, so that the commands must have none; the annotation must not change how
/// they end.
#[test]
fn the_snippet_for_buildkite_judges_and_annotates() {
    use std::os::unix::fs::PermissionsExt as _;
    let step = &snippet(".buildkite/pipeline.yml")["steps"][0];
    let command = step["command"].as_str().expect("commands");
    assert!(!command.contains('$'), "{command}");
    let told = tempfile::tempdir().expect("a folder");
    let agent = told.path().join("buildkite-agent");
    std::fs::write(&agent, format!("#!/bin/sh\necho \"$@\" > {0}/told; cat >> {0}/told\n", told.path().display()))
        .expect("a program");
    std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    let command = format!("PATH={}:$PATH\n{command}", told.path().display());
    let report = step["artifact_paths"].as_str().expect("a file");
    judges(&["bash", "-e", "-c"], &command, &[("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "main")], report);
    let told = std::fs::read_to_string(told.path().join("told")).expect("the agent was called");
    assert!(told.starts_with("annotate ") && told.contains("## hintlint: 1 error"), "{told}");
}

/// The comments of a pull request, two a page, as GitHub's API tells them.
#[derive(Default)]
struct Comments {
    list: Vec<(u64, &'static str, String)>,
    is_forbidden: bool,
}

impl Comments {
    fn answer(&mut self, method: &str, path: &str, body: &Json) -> (u16, String, Json) {
        let text = || body["body"].as_str().expect("a body").to_owned();
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        if self.is_forbidden && method != "GET" {
            return (403, String::new(), json!({"message": "Resource not accessible by integration"}));
        }
        match (method, path.strip_prefix("/repos/o/shop/issues/").expect("a path of issues")) {
            ("GET", "7/comments") => {
                let page = query.split("page=2").count() - 1;
                let shown = self.list.iter().skip(2 * page).take(2);
                let shown = shown.map(|(id, user, body)| json!({"id": id, "user": {"login": user}, "body": body}));
                let shown: Json = shown.collect();
                let next = "<https://api.github.com/repos/o/shop/issues/7/comments?page=2>; rel=\"next\"";
                let link = if page == 0 && self.list.len() > 2 { format!("Link: {next}\r\n") } else { String::new() };
                (200, link, shown)
            }
            ("POST", "7/comments") => {
                let id = 100 + self.list.len() as u64;
                self.list.push((id, "github-actions[bot]", text()));
                (201, String::new(), json!({"id": id}))
            }
            ("PATCH", rest) => {
                let id: u64 = rest.strip_prefix("comments/").and_then(|id| id.parse().ok()).expect("a comment");
                let found = self.list.iter_mut().find(|(own, ..)| *own == id).expect("it is there");
                found.2 = text();
                (200, String::new(), json!({"id": id}))
            }
            other => panic!("{other:?}"),
        }
    }

    fn serve(known: &Arc<Mutex<Comments>>, stream: UnixStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let (mut lines, mut length) = (Vec::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 || line == "\r\n" {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a number");
            }
            lines.push(line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let Some((method, path)) = lines.first().and_then(|line| line.split_once(' ')) else { return Ok(()) };
        let path = path.split(' ').next().expect("a path");
        let body = serde_json::from_slice(&body).unwrap_or_default();
        let (status, headers, answer) = known.lock().expect("the comments").answer(method, path, &body);
        let (answer, mut stream) = (answer.to_string(), stream);
        write!(
            stream,
            "HTTP/1.1 {status} x\r\n{headers}Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
            answer.len()
        )
    }
}

/// Run the step of the page with a summary.
fn comment(repo: &Repo, summary: &str) -> Run {
    let workflow = snippets().into_iter().find(|(_, text)| text.contains("name: Comment")).expect("a workflow");
    let workflow: Value = serde_yaml::from_str(&workflow.1).expect("YAML");
    let steps = workflow["jobs"]["hintlint"]["steps"].as_sequence().expect("steps");
    let step = steps.iter().find(|step| step["name"] == "Comment").expect("the step");
    std::fs::write(repo.beside("summary.md"), summary).expect("a file");
    let mut command = repo.command("bash", repo.root());
    command.args(["-e", "-c", step["run"].as_str().expect("a script")]);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("GH_CONFIG_DIR", repo.beside("gh")).env("GH_TOKEN", "none").env("REQUEST", "7");
    command
        .env("GITHUB_REPOSITORY", "o/shop")
        .env("RUNNER_TEMP", repo.beside("summary.md").parent().expect("a folder"));
    command.output().expect("bash").into()
}

fn listen(repo: &Repo, known: &Arc<Mutex<Comments>>) {
    let folder = tempfile::Builder::new().prefix("gh-").tempdir().expect("a folder").keep();
    let socket = folder.join("api");
    let listener = UnixListener::bind(&socket).expect("a socket");
    std::fs::create_dir_all(repo.beside("gh")).expect("a folder");
    std::fs::write(repo.beside("gh").join("config.yml"), format!("http_unix_socket: {}\n", socket.display()))
        .expect("a config");
    let known = Arc::clone(known);
    let gone = |folder: &Path| std::fs::remove_dir_all(folder);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let _ = Comments::serve(&known, stream);
        }
        gone(&folder)
    });
}

#[test]
fn one_comment_is_updated_in_place() {
    if clients::find("gh").is_none() {
        return;
    }
    let repo = Repo::with_files([OLD]);
    let others =
        [(1, "ada", "## hintlint: I wrote this"), (2, "github-actions[bot]", "## Coverage"), (3, "ada", "Yes.")];
    let list = others.map(|(id, user, body)| (id, user, body.to_owned())).to_vec();
    let known = Arc::new(Mutex::new(Comments { list: list.clone(), is_forbidden: false }));
    listen(&repo, &known);
    // What GitHub's step gets is what `hintlint ci` writes.
    let title = |args: &[&str]| {
        repo.run(&[&["ci", "--summary", "page.md"], args].concat());
        String::from_utf8(repo.read("page.md")).expect("UTF-8")
    };
    let first = title(&[]) + "\n```sh\n\"$(touch pwned)\" `x` 'y'\n```\n";
    for summary in [first, title(&["--base", "HEAD"])] {
        let run = comment(&repo, &summary);
        assert_eq!(run.code, 0, "{run:?}");
        let now = known.lock().expect("the comments");
        assert_eq!(now.list[..3], list[..], "the comments of others stay");
        assert_eq!(now.list[3..], [(103, "github-actions[bot]", summary)], "one of ours, with the newest text");
    }
    assert!(!repo.at("pwned").exists());
    known.lock().expect("the comments").is_forbidden = true;
    let run = comment(&repo, "## hintlint: more\n");
    assert!(run.code != 0 && run.stderr.contains("Resource not accessible"), "{run:?}");
}
