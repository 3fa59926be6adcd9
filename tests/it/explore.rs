//! `hintlint explore`: what the page holds, byte for byte, without a browser. `.ci/browser` looks at it in one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::clients;
use crate::readme::shop;
use crate::support::Repo;

fn page(repo: &Repo, args: &[&str]) -> String {
    let run = repo.run(&[&["explore"], args].concat());
    assert_eq!(run.code, 0, "{run:?}");
    run.stdout
}

/// What stands between two marks, the first of which is there once.
fn between<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    assert_eq!(page.matches(start).count(), 1, "{start}");
    page.split_once(start).and_then(|(_, rest)| rest.split_once(end)).expect("both marks").0
}

fn data(page: &str) -> Value {
    let json = between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    serde_json::from_str(json).expect("JSON")
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))).expect("small")
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().expect("a list").iter().map(|value| value.as_i64().expect("a number")).collect()
}

fn string(data: &Value, index: i64) -> &str {
    data["strings"][usize::try_from(index).expect("a text")].as_str().expect("a text")
}

/// The text of a part, put together from its runs as the page's script does it.
fn text(data: &Value, runs: &[i64]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut at = 0;
    while at < runs.len() {
        if runs[at] == -1 {
            lines.push(string(data, runs[at + 1]).to_owned());
            at += 4;
        } else {
            let [file, line, count] = [0, 1, 2].map(|n| usize::try_from(runs[at + n]).expect("a copied run"));
            let whole = data["files"][file]["text"].as_str().expect("the text of a file that is copied from");
            lines.extend(whole.split('\n').skip(line).take(count).map(str::to_owned));
            at += 3;
        }
    }
    lines.join("\n")
}

/// The context of an agent in a directory.
fn context<'d>(data: &'d Value, dir: &str, agent: &str) -> &'d Value {
    let find = |list: &Value, key: &str, name: &str| {
        list.as_array()
            .expect("a list")
            .iter()
            .position(|row| row[key] == name)
            .unwrap_or_else(|| panic!("no {name:?}"))
    };
    let (dir, agent) = (find(&data["dirs"], "path", dir), find(&data["agents"], "id", agent));
    &data["states"][number(&data["dirs"][dir]["states"][agent])]
}

#[test]
fn texts_are_those_that_show_prints() {
    let repo = shop();
    repo.write("AGENTS.md", "# Shop\n\n- one\n- two\n\n@docs/architecture.md\n\nlast\n").commit("more");
    let data = data(&page(&repo, &[]));
    let root = format!("{}/", repo.root().display());
    let mut compared = 0;
    for agent in data["agents"].as_array().expect("agents").iter().map(|row| row["id"].as_str().expect("a name")) {
        for dir in data["dirs"].as_array().expect("dirs").iter().map(|row| row["path"].as_str().expect("a path")) {
            let start = repo.root().join(dir);
            for part in context(&data, dir, agent)["parts"].as_array().expect("parts") {
                let name = ["user", "main", "after", "touch"][number(&part[0])];
                let args = ["show", "--agent", agent, "--no-user", "--part", name];
                let shown = repo.run_in(&start, &args).stdout.replace(&root, "");
                let shown = shown.replace(&root[..root.len() - 1], ".");
                assert_eq!(text(&data, &numbers(&part[2])), shown, "{agent} in {dir:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "only {compared} texts were compared");
}

/// Which agent gets which file, as the page says of a file that is touched.
fn touched(data: &Value, path: &str) -> BTreeMap<(String, String), String> {
    let name = |row: &[i64], file: usize, name: usize| match row[name] {
        -1 => data["files"][usize::try_from(row[file]).expect("a file")]["path"].as_str().expect("a path").to_owned(),
        index => string(data, index).to_owned(),
    };
    let mut found = BTreeMap::new();
    let agents = data["agents"].as_array().expect("agents");
    let mut put = |agent: usize, index: usize, word: &str| {
        let row = numbers(&data["layers"][index]);
        let word = if row[5] >= 0 { "cut" } else { word };
        let id = agents[agent]["id"].as_str().expect("a name").to_owned();
        found.entry((name(&row, 0, 8), id)).or_insert_with(|| word.to_owned());
    };
    for agent in (0..agents.len()).filter(|agent| agents[*agent]["id"] != "merged") {
        let state = &data["states"][number(&data["dirs"][0]["states"][agent])];
        state["layers"].as_array().expect("layers").iter().for_each(|index| put(agent, number(index), "start"));
    }
    let at = data["touch"]["paths"].as_array().expect("paths").iter().position(|known| known == path).expect("a file");
    for pair in data["touch"]["sets"][number(&data["touch"]["of"][at])].as_array().expect("a set") {
        put(number(&pair[0]), number(&pair[1]), "touch");
    }
    found
}

/// The same, as `show --file` says it.
fn table(repo: &Repo, path: &str) -> BTreeMap<(String, String), String> {
    let run = repo.run(&["show", "--no-user", "--file", path, "--format", "json"]);
    let table: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let root = format!("{}/", repo.root().display());
    let mut found = BTreeMap::new();
    for row in table["files"].as_array().expect("files") {
        let file = row["path"].as_str().expect("a path").replace(&root, "");
        for (agent, word) in row["agents"].as_object().expect("agents") {
            found.insert((file.clone(), agent.clone()), word.as_str().expect("a word").to_owned());
        }
    }
    found
}

#[test]
fn a_touched_file_calls_in_what_show_says() {
    let repo = shop();
    let rule = |key: &str, glob: &str| format!("---\n{key}: {glob}\n---\n\nA rule.\n");
    repo.write(".github/instructions/py.instructions.md", rule("applyTo", "\"**/*.py\""));
    repo.write(".cursor/rules/api.mdc", rule("globs", "packages/api/**"));
    repo.write("packages/api/.claude/rules/here.md", rule("paths", "[\"routes.*\"]"));
    repo.write("packages/api/deep/CLAUDE.md", "Deep.\n").write("packages/api/deep/x.py", "");
    repo.write("packages/web/QWEN.md", "Web.\n").write("packages/web/x/index.ts", "").commit("rules");
    let data = data(&page(&repo, &[]));
    let mut words = BTreeSet::new();
    let paths: Vec<&str> = data["touch"]["paths"].as_array().expect("paths").iter().filter_map(Value::as_str).collect();
    assert!(paths.len() > 12, "{paths:?}");
    for path in paths {
        let own = touched(&data, path);
        assert_eq!(own, table(&repo, path), "{path}");
        words.extend(own.into_values());
    }
    assert_eq!(words.into_iter().collect::<Vec<_>>(), ["start", "touch"]);
}

#[test]
fn what_is_cut_stands_beside_what_is_sent() {
    let line = "x".repeat(99) + "\n";
    let repo = Repo::with_files([("AGENTS.md", line.repeat(400)), ("a/AGENTS.md", "lost\n".into())]);
    let data = data(&page(&repo, &["--agent", "codex"]));
    let state = context(&data, "a", "codex");
    assert_eq!((number(&state["limit"]), number(&state["cut"])), (32_768, 40_000 - 32_768 + 5));
    let layer = numbers(&data["layers"][number(&state["layers"][0])]);
    assert_eq!((layer[5], layer[6]), (32_768, 328));
    assert_eq!(state["skips"].as_array().expect("skips").len(), 1);
}

/// Names and bodies that would end an element, start one, or hide.
const HOSTILE: &str = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> &lt;b&gt; &quot; ${x} {{y}} \
                       \u{2028}\u{2029}\u{202E}txt\u{2066}\u{0}\u{1b}[31m\u{E0041}\u{200B}\u{FEFF}\u{85} ]]> ' \" ` \\u003c";

#[test]
fn hostile_texts_stay_text() {
    let name = "a<img src=x onerror=alert(3)>&amp;\u{202E}'\"/CLAUDE.md";
    let long = format!("{}</script>{}", "y".repeat(500_000), "z".repeat(500_000));
    let repo = Repo::with_files([
        (name, HOSTILE.to_owned()),
        ("CLAUDE.md", format!("# {HOSTILE}\n\n@{HOSTILE}\n\n- [ ] {HOSTILE}\n")),
        ("AGENTS.md", format!("{long}\n")),
        (".claude/rules/x.md", format!("---\npaths: [\"{}\"]\n---\n{HOSTILE}\n", "</script>*.py")),
        ("docs/plans/plan.md", format!("# {HOSTILE}\n\n- [ ] {HOSTILE}\n")),
    ]);
    repo.write("CLAUDE.md", format!("{HOSTILE}\n")).commit(HOSTILE.replace('\0', "").as_str());
    let page = page(&repo, &["--since", "HEAD~1", "--history", "5"]);
    let ends: Vec<usize> = page.match_indices("</script").map(|(at, _)| at).collect();
    assert_eq!(ends.len(), 2, "the data and the script");
    assert_eq!(
        (page.matches("<script").count(), page.matches("<!--").count(), page.matches("<img").count()),
        (2, 0, 0)
    );
    let hides = |c: char| {
        (c.is_control() && c != '\n') || "\u{2028}\u{2029}\u{202E}\u{2066}\u{E0041}\u{200B}\u{FEFF}".contains(c)
    };
    assert!(!page.contains(hides), "{:?}", page.chars().find(|c| hides(*c)));
    let data = data(&page);
    let texts: Vec<&str> =
        data["files"].as_array().expect("files").iter().filter_map(|row| row["text"].as_str()).collect();
    assert!(texts.contains(&HOSTILE) && texts.contains(&format!("{long}\n").as_str()), "the texts are whole");
    assert!(
        data["dirs"]
            .as_array()
            .expect("dirs")
            .iter()
            .any(|row| format!("{}/CLAUDE.md", row["path"].as_str().unwrap_or_default()) == name)
    );
    assert!(
        !data["since"]["groups"].as_array().expect("groups").is_empty()
            && !data["growth"]["steps"].as_array().expect("steps").is_empty()
    );
}

/// What a policy calls `text`, by another program than ours.
fn named_by_policy(text: &str) -> String {
    let python = "import base64, hashlib, sys; print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())";
    let mut child = Command::new("python3")
        .args(["-c", python])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("python3 reads");
    let output = child.wait_with_output().expect("python3 ends");
    format!("'sha256-{}'", String::from_utf8(output.stdout).expect("Base64").trim())
}

#[test]
fn the_policy_allows_our_script_and_style_and_nothing_else() {
    let page = page(&shop(), &[]);
    let policy = between(&page, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\">");
    let (script, style) = (between(&page, "\n<script>", "</script>"), between(&page, "<style>", "</style>"));
    if clients::find("python3").is_none() {
        return clients::skip("no python3 to compute SHA-256");
    }
    let (script, style) = (named_by_policy(script), named_by_policy(style));
    let expected =
        format!("default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'");
    assert_eq!(policy, expected);
    for bad in ["http://", " src=", "@import", "url("] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        let (head, _) = own.split_once("id=\"data\">").expect("data");
        assert!(!head.contains(bad), "{bad}");
    }
}

#[test]
fn the_same_bytes_give_the_same_page() {
    let repo = shop();
    let (first, second) = (page(&repo, &["--rev", "HEAD"]), page(&repo, &["--rev", "HEAD"]));
    assert_eq!(first, second);
    let clone = repo.beside("elsewhere");
    repo.git(&["clone", "-q", ".", &clone.display().to_string()]);
    assert_eq!(repo.run_in(&clone, &["explore", "--rev", "HEAD"]).stdout, first);
    let staged = page(&repo, &["--staged"]);
    assert_eq!(staged.replace("\"what is staged\"", "\"HEAD\""), first);
    assert_eq!(page(&repo, &[]).replace("\"the worktree\"", "\"HEAD\""), first);
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", &bare.display().to_string()]);
    assert_eq!(repo.run_in(&bare, &["explore", "--rev", "HEAD"]).stdout, first);
}

#[test]
fn two_thousand_directories_fit() {
    let repo = Repo::new();
    for n in 0..2_000_usize {
        let word = |at: usize| format!("w{:x}", (n * 31 + at).wrapping_mul(2_654_435_761) % 1_000_003);
        let body: String = (0..20)
            .map(|line| format!("- {}.\n", (0..9).map(|at| word(line * 9 + at)).collect::<Vec<_>>().join(" ")))
            .collect();
        repo.write(format!("group{}/module{n}/AGENTS.md", n % 40), format!("# Module {n}\n\n{body}"));
        if n % 10 == 0 {
            repo.write(
                format!("group{}/module{n}/GEMINI.md", n % 40),
                format!("@AGENTS.md\n\nModule {n} for Gemini.\n"),
            );
        }
    }
    repo.write("AGENTS.md", "# All\n\n- One rule.\n").commit("start");
    let page = page(&repo, &[]);
    let data = data(&page);
    assert_eq!(data["dirs"].as_array().expect("dirs").len(), 2_041);
    assert!(data["agents"].as_array().expect("agents").len() >= 14);
    assert!(page.len() < 30 << 20, "{} bytes", page.len());
    let texts = data["files"].as_array().expect("files").iter().filter_map(|row| row["text"].as_str()).map(str::len);
    assert!(page.len() < 12 << 20, "{} bytes for {} bytes of text", page.len(), texts.sum::<usize>());
    if let Some(place) = std::env::var_os("HINTLINT_EXPLORE_SAMPLE") {
        std::fs::write(place, page).expect("a place for the sample");
    }
}

#[test]
fn the_page_goes_where_it_is_told() {
    let repo = shop();
    assert!(repo.run(&["explore", "--output", "page.html"]).stderr.contains("wrote page.html"));
    assert!(String::from_utf8_lossy(&repo.read("page.html")).starts_with("<!DOCTYPE html>"));
    let bad = repo.run(&["explore", "--output", "nowhere/page.html"]);
    assert_eq!((bad.code, bad.stderr.contains("there is no folder nowhere")), (2, true), "{bad:?}");
    assert_eq!(repo.run(&["explore", "--rev", "none"]).code, 2);
    assert_eq!(repo.run(&["explore", "--agent", "nobody"]).code, 2);
    assert_eq!(repo.run(&["explore", "--history", "0"]).code, 2);
    let data = data(&page(&repo, &["packages/api"]));
    assert_eq!(data["start"], "packages/api");
}

#[cfg(target_os = "linux")]
#[test]
fn the_platforms_opener_gets_our_own_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = shop();
    let bin = repo.beside("bin");
    std::fs::create_dir_all(&bin).expect("a folder");
    let opener = bin.join("xdg-open");
    std::fs::write(
        &opener,
        "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$1\" > \"$0.told.new\"\nmv \"$0.told.new\" \"$0.told\"\n",
    )
    .expect("a program");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let path = std::env::join_paths(
        [bin.clone()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .expect("a path");
    let run =
        |args: &[&str]| repo.hintlint(repo.root()).env("PATH", &path).args(args).output().expect("hintlint starts");
    assert!(run(&["explore", "--open"]).status.success());
    let told = bin.join("xdg-open.told");
    let waited = std::time::Instant::now();
    while !told.exists() && waited.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let page = repo.root().join("hintlint-explore.html");
    assert_eq!(std::fs::read_to_string(&told).expect("the opener ran"), format!("1\n{}\n", page.display()));
    assert!(run(&["explore", "--open"]).status.success(), "an older page of ours is written anew");
    repo.write("hintlint-explore.html", "mine");
    let refused = run(&["explore", "--open"]);
    assert_eq!((refused.status.code(), repo.read("hintlint-explore.html")), (Some(2), b"mine".to_vec()));
}

#[test]
fn changes_and_history_are_those_of_diff() {
    let repo = Repo::with_files([("AGENTS.md", "one\n"), ("a/AGENTS.md", "a\n"), ("x.rs", "1")]);
    repo.write("x.rs", "2").commit("code alone");
    repo.write("AGENTS.md", "one\ntwo\n").commit("grow");
    repo.write("a/AGENTS.md", "a\nb\nc\n").commit("grow a");
    repo.write("AGENTS.md", "one\ntwo\nthree\n");
    let data = data(&page(&repo, &["--since", "HEAD~2", "--history", "10", "--agent", "codex"]));
    let steps = data["growth"]["steps"].as_array().expect("steps");
    let subjects: Vec<&str> = steps.iter().filter_map(|step| step["subject"].as_str()).collect();
    assert_eq!(subjects, ["start", "grow", "grow a", "not committed"]);
    let scopes = |step: &Value| -> Vec<String> {
        let sizes = step["sizes"].as_array().expect("sizes").iter();
        sizes.map(|size| size[1].as_str().expect("a scope").to_owned()).collect()
    };
    assert_eq!(steps.iter().map(scopes).collect::<Vec<_>>(), [vec!["", "a"], vec!["", "a"], vec!["a"], vec!["", "a"]]);
    let groups = data["since"]["groups"].as_array().expect("groups");
    let diff: Value =
        serde_json::from_str(&repo.run(&["diff", "HEAD~2", "--agent", "codex", "--format", "json"]).stdout)
            .expect("JSON");
    assert_eq!(groups.len(), diff["scopes"].as_array().expect("scopes").len());
    let sizes = |value: &Value| (number(&value["bytes"]["before"]), number(&value["bytes"]["after"]));
    assert_eq!(
        (number(&groups[0]["members"][0][2][0]), number(&groups[0]["members"][0][2][1])),
        sizes(&diff["scopes"][0])
    );
}
