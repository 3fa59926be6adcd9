//! `hintlint ci` on requests to merge: what it judges and by what, what it names, what it writes, and what it says where it cannot.

use std::process::Command;

use crate::packaging::{BINARY, Runner};
use crate::support::{Repo, Run};

/// A repository whose `main` is known as `origin/main`, with `files` changed on a branch of it.
fn request(base: &[(&str, &str)], head: &[(&str, &str)]) -> Repo {
    let repo = Repo::with_files(base.iter().copied());
    repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repo.git(&["checkout", "-q", "-b", "request"]);
    for (path, text) in head {
        repo.write(path, text);
    }
    repo.commit("request");
    repo
}

/// The command as a job of GitHub Actions runs it.
fn on_github(repo: &Repo, args: &[&str]) -> Command {
    for name in ["summary", "output"] {
        std::fs::write(repo.beside(name), "").expect("a file");
    }
    let mut command = repo.hintlint(repo.root());
    command.arg("ci").args(args).env("GITHUB_ACTIONS", "true").env("GITHUB_BASE_REF", "main");
    command.env("GITHUB_STEP_SUMMARY", repo.beside("summary")).env("GITHUB_OUTPUT", repo.beside("output"));
    command
}

fn started(mut command: Command) -> Run {
    command.output().expect("it starts").into()
}

fn judged(repo: &Repo, args: &[&str]) -> (Run, String) {
    let run = started(on_github(repo, args));
    (run, summary(repo))
}

fn summary(repo: &Repo) -> String {
    std::fs::read_to_string(repo.beside("summary")).expect("a summary")
}

const OLD: (&str, &str) = ("CLAUDE.md", "# Shop\n\nSee @docs/gone.md.\n");

#[test]
fn what_the_request_causes_is_told_and_the_rest_counted() {
    let repo = request(&[OLD, ("api/CLAUDE.md", "# Fine\n")], &[("src/x.txt", "x\n")]);
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(page.starts_with("## hintlint: no new problems\n"), "{page}");
    assert!(page.contains("- 1 older problem that the request neither causes nor touches: not shown"), "{page}");
    repo.write("api/CLAUDE.md", "# Bad\n\n@docs/none.md\n").commit("bad");
    let (run, page) = judged(&repo, &["--sarif", "out.sarif", "--summary", "page.md"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(run.stdout.matches("::error ").count(), 1, "{run:?}");
    assert!(run.stdout.contains("file=api/CLAUDE.md,line=3"), "{run:?}");
    assert!(page.contains("| error | `missing-import` | `api/CLAUDE.md:3` |"), "{page}");
    assert_eq!(repo.read("page.md"), page.as_bytes());
    let log: serde_json::Value = serde_json::from_slice(&repo.read("out.sarif")).expect("JSON");
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(1));
    let outputs = std::fs::read_to_string(repo.beside("output")).expect("outputs");
    let place = |name: &str| repo.at(name).display().to_string();
    let expected = format!(
        "errors=1\nwarnings=0\nfixable=0\ndrift=0\nsarif-file={}\nsummary-file={}\n",
        place("out.sarif"),
        place("page.md")
    );
    assert_eq!(outputs, expected);
    assert_eq!(judged(&repo, &[]).1, page, "the same request, the same bytes");
}

#[test]
fn a_request_does_not_switch_off_its_judge() {
    let off = "[rules]\nall = \"off\"\n";
    let repo = request(&[OLD], &[("hintlint.toml", off), ("api/CLAUDE.md", "@docs/none.md\n")]);
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.stdout.contains("::warning file=hintlint.toml,line=2,title=hintlint::this request loosens 1 check"),
        "{run:?}"
    );
    assert!(page.contains("- `hintlint.toml:2`: `all` is set to off: "), "{page}");
    assert!(page.contains("`api/CLAUDE.md:1`") && page.contains("will be hidden by the request's config"), "{page}");
    // An exclusion, and known findings.
    repo.write("hintlint.toml", "exclude = [\"api/\"]\n").write(".hintlint/baseline.json", "");
    repo.run(&["baseline"]);
    repo.commit("quiet");
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(page.contains("`exclude` now excludes \"api/\"") && page.contains("the baseline hides 1 more"), "{page}");
    // What was merged judges the next request.
    repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repo.write("api/CLAUDE.md", "@docs/nowhere.md\n").commit("next");
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!page.contains("loosens"), "{page}");
}

#[test]
fn a_comment_does_not_silence_what_was_there() {
    let comment = "<!-- hintlint-ignore missing-import: soon -->\n";
    let repo = request(&[OLD], &[("CLAUDE.md", &format!("# Shop\n\n{comment}See @docs/gone.md.\n"))]);
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(page.contains("`CLAUDE.md:3`: a comment suppresses missing-import here: soon"), "{page}");
    assert!(
        page.contains("1 finding from before the request shown") || page.contains("`missing-import` | `CLAUDE.md:4`"),
        "{page}"
    );
    let new = format!("{comment}@docs/none.md\n");
    let repo = request(&[OLD], &[("api/CLAUDE.md", &new)]);
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 0, "what is new may be silenced, and is named: {run:?}");
    assert!(page.contains("`api/CLAUDE.md:1`: a comment suppresses missing-import"), "{page}");
}

#[test]
fn a_request_that_hides_hints_from_review_is_named() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
    let repo =
        request(&[OLD, ("AGENTS.md", "# Fine\n")], &[(".gitattributes", "*.md -diff\n"), ("AGENTS.md", pointer)]);
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        page.contains("`.gitattributes:1`: -diff hides `AGENTS.md`") || page.contains("-diff hides AGENTS.md"),
        "{page}"
    );
    assert!(page.contains("a Git LFS pointer replaces the text"), "{page}");
}

#[test]
fn the_summary_shows_what_changes() {
    let repo = request(
        &[("AGENTS.md", "# Shop\n\nOld rule.\n"), ("CLAUDE.md", "@AGENTS.md\n"), ("PLAN.md", "- [ ] one\n- [ ] two\n")],
        &[("AGENTS.md", "# Shop\n\nNew rule.\n"), ("PLAN.md", "- [x] one\n- [ ] two\n")],
    );
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(page.contains("### What changes for each agent") && page.contains("-Old rule.\n+New rule.\n"), "{page}");
    assert!(page.contains("| claude |") && page.contains("| merged |"), "{page}");
    assert!(page.contains("- `PLAN.md`: 1/2 boxes done, 0/2 before (1 done)"), "{page}");
}

/// A clone as CI makes it: of the pull request's merge commit, detached, with so much history.
fn merged_clone(repo: &Repo, depth: Option<&str>) -> Repo {
    repo.git(&["checkout", "-q", "--detach", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "request"]);
    repo.git(&["update-ref", "refs/pull/1/merge", "HEAD"]);
    let clone = Repo::new();
    let url = format!("file://{}", repo.root().display());
    let mut fetch = vec!["fetch", "-q", "--no-tags"];
    let depth = depth.map(|depth| format!("--depth={depth}"));
    fetch.extend(depth.as_deref());
    fetch.extend([url.as_str(), "+refs/pull/1/merge:refs/remotes/pull/1/merge"]);
    clone.git(&fetch);
    if depth.is_none() {
        clone.git(&["fetch", "-q", &url, "+refs/heads/main:refs/remotes/origin/main"]);
    }
    clone.git(&["checkout", "-q", "--detach", "refs/remotes/pull/1/merge"]);
    clone
}

#[test]
fn merge_commits_and_short_histories() {
    let repo = request(&[OLD], &[("api/CLAUDE.md", "# Fine\n")]);
    let base = repo.git(&["rev-parse", "main"]).trim().to_owned();
    let whole = merged_clone(&repo, None);
    let (run, page) = judged(&whole, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(page.contains("1 older problem"), "{page}");
    // Two commits: the base is there, though no branch has its name; the event tells its name.
    let two = merged_clone(&repo, Some("2"));
    std::fs::write(two.beside("event.json"), format!("{{\"pull_request\":{{\"base\":{{\"sha\":\"{base}\"}}}}}}"))
        .expect("a file");
    let mut command = on_github(&two, &[]);
    command.env("GITHUB_EVENT_PATH", two.beside("event.json"));
    let run_of_two = started(command);
    assert_eq!(run_of_two.code, 0, "{run_of_two:?}");
    let shallow = merged_clone(&repo, Some("1"));
    let (run, page) = judged(&shallow, &[]);
    assert_eq!(run.code, 1, "all is judged: {run:?}");
    for text in [&run.stderr, &page] {
        assert!(text.contains("no common history with") && text.contains("fetch-depth: 0"), "{text}");
    }
    let named = started(on_github(&shallow, &["--base", "origin/main"]));
    assert!(named.code == 2 && named.stderr.contains("origin/main"), "{named:?}");
}

#[test]
fn no_base_is_no_request() {
    let repo = Repo::with_files([OLD]);
    let run = repo.run(&["ci"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("no base is known, so everything was checked"), "{run:?}");
    assert!(run.stdout.contains("Found 1 error"), "{run:?}");
    let outside = Repo::plain_folder();
    let run = outside.run(&["ci"]);
    assert!(run.code == 2 && run.stderr.contains("not a git repository"), "{run:?}");
}

#[test]
fn bad_input_ends_in_words() {
    let broken = ("hintlint.toml", "exlude = []\n");
    let repo = request(&[OLD, broken], &[("hintlint.toml", ""), ("x.txt", "x\n")]);
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 1, "the config that is mended governs everything: {run:?}");
    assert!(
        page.contains("cannot be used") && page.contains("correct it on the branch that the request is for"),
        "{page}"
    );
    let repo = request(&[OLD], &[broken]);
    let (run, _) = judged(&repo, &[]);
    assert!(run.code == 2 && run.stderr.contains("hintlint.toml:1") && run.stderr.contains("exclude"), "{run:?}");
    let repo = request(&[OLD], &[("x.txt", "x\n")]);
    for (args, why) in [
        (&["--base", "nowhere"][..], "nowhere"),
        (&["--base", "--all"], "--all"),
        (&["--sarif", "no/such/place"], "there is no folder no/such"),
        (&["--summary", "."], "it is a folder"),
        (&["--config", "gone.toml"], "gone.toml"),
        (&["absent"], "there is no file or directory absent"),
    ] {
        let run = run_with(&repo, args);
        assert!(run.code == 2 && run.stderr.contains(why), "{args:?}: {run:?}");
    }
    // A summary that cannot be written costs neither the annotations nor the outputs.
    repo.write("CLAUDE.md", "@docs/other.md\n").commit("bad");
    let mut command = on_github(&repo, &[]);
    command.env("GITHUB_STEP_SUMMARY", repo.root());
    let run = started(command);
    assert!(run.code == 2 && run.stderr.contains("unset GITHUB_STEP_SUMMARY"), "{run:?}");
    assert!(run.stdout.contains("::error "), "{run:?}");
    assert!(std::fs::read_to_string(repo.beside("output")).expect("outputs").starts_with("errors=1\n"));
}

fn run_with(repo: &Repo, args: &[&str]) -> Run {
    started(on_github(repo, args))
}

#[test]
fn hostile_events_and_names() {
    let repo = request(&[OLD], &[("x.txt", "x\n")]);
    for event in [
        "",
        "[]",
        "{\"pull_request\": 3}",
        "{\"before\": \"--output=pwned\"}",
        "{\"before\": \"0000000000000000000000000000000000000000\"}",
    ] {
        std::fs::write(repo.beside("event.json"), event).expect("a file");
        let mut command = on_github(&repo, &[]);
        command.env("GITHUB_EVENT_PATH", repo.beside("event.json")).env("GITHUB_BASE_REF", "--output=pwned");
        let run = started(command);
        assert!(
            run.code == 1 && run.stderr.contains("no common history with `origin/--output=pwned`"),
            "{event}: {run:?}"
        );
    }
    let names = [
        "a b",
        "$(touch pwned)",
        "`touch pwned`",
        "::error::x",
        "a\n::error::y",
        "##[group]",
        "%0A",
        "<img>",
        "\u{202e}x",
    ];
    for name in names {
        repo.write(format!("{name}/CLAUDE.md"), "<!-- hintlint-ignore plans: @user ::error::z -->\n@docs/gone.md\n");
        repo.write(format!("{name}/.gitattributes"), "*.md -diff\n");
    }
    repo.write("hintlint.toml", "exclude = [\"::error::e\", \"a\\n::error::f\"]\n");
    repo.commit("odd");
    let (run, page) = judged(&repo, &[]);
    assert_eq!(run.code, 1, "{run:?}");
    for line in run.stdout.lines() {
        assert!(
            ["::error file=", "::warning file=", "::notice "].iter().any(|ours| line.starts_with(ours)),
            "{line:?}"
        );
    }
    for line in page.lines() {
        assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{line:?}");
    }
    // Outside of the differences, which stand in fences, nothing of a name is markup.
    let prose = page.split("\n````diff").next().and_then(|page| page.split("\n```diff").next()).unwrap_or_default();
    assert!(!prose.contains("<img>") || prose.contains("`<img>"), "{prose}");
    assert!(!page.contains('\u{202e}') && !repo.at("pwned").exists());
    let outputs = std::fs::read_to_string(repo.beside("output")).expect("outputs");
    assert_eq!(outputs.lines().count(), 4, "{outputs}");
}

#[test]
fn the_action_judges_a_request() {
    let repo = request(
        &[OLD, ("sub/CLAUDE.md", "# Fine\n")],
        &[("hintlint.toml", "[rules]\nall = \"off\"\n"), ("sub/CLAUDE.md", "@none.md\n")],
    );
    let mut runner =
        Runner::new(&repo, &[("binary", BINARY), ("working-directory", "sub"), ("paths", "."), ("sarif", "out.sarif")]);
    runner.env = vec![("GITHUB_ACTIONS", "true"), ("GITHUB_BASE_REF", "main")];
    let ran = runner.go();
    assert_eq!(ran.run.code, 1, "{:?}", ran.run);
    assert!(ran.run.stdout.contains("::error file=sub/CLAUDE.md"), "{:?}", ran.run);
    assert!(ran.summary.contains("### What this request loosens"), "{}", ran.summary);
    let output = |name: &str| {
        let prefix = format!("{name}=");
        ran.outputs.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap_or_default().to_owned()
    };
    assert_eq!(["errors", "warnings", "fixable", "drift"].map(output), ["1", "0", "0", "0"]);
    assert_eq!(output("sarif-file"), "sub/out.sarif");
    let page = std::fs::read_to_string(output("summary-file")).expect("a summary");
    assert_eq!(page, ran.summary);
}
