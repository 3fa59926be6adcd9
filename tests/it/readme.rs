//! README.md and the pages of `docs/` say what the program does. `UPDATE_README=1` writes anew what it prints.

use std::path::Path;

use clap::Parser;
use hintlint::cli::args::Cli;
use serde_yaml::Value;

use crate::clients::own;
use crate::support::Repo;

/// The README with the text between two markers replaced.
fn with_section(readme: &str, name: &str, section: &str) -> String {
    let (begin, end) = (format!("<!-- {name}:begin -->\n"), format!("<!-- {name}:end -->"));
    let (before, rest) = readme.split_once(&begin).expect("the beginning marker");
    let (_, after) = rest.split_once(&end).expect("the ending marker");
    format!("{before}{begin}{section}{end}{after}")
}

/// The example repository of the project, with one commit.
pub(crate) fn shop() -> Repo {
    let repo = Repo::new();
    for (path, bytes) in files_below(&own("examples/shop"), "") {
        repo.write(path, bytes);
    }
    repo.commit("start");
    repo
}

/// The files below `folder`, by their paths in it.
fn files_below(folder: &Path, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = format!("{prefix}{}", entry.file_name().to_str().expect("UTF-8"));
        match entry.path().is_dir() {
            true => files.extend(files_below(&entry.path(), &format!("{path}/"))),
            false => files.push((path, std::fs::read(entry.path()).expect("a file"))),
        }
    }
    files.sort();
    files
}

/// What the program prints in `repo`, as a block that begins with the command.
fn told(repo: &Repo, args: &[&str], code: i32, language: &str) -> String {
    let run = repo.run(args);
    assert_eq!((run.code, run.stderr.as_str()), (code, ""), "{run:?}");
    match language {
        // Quoted, so that its headings are none of the page's.
        "markdown" => {
            run.stdout.trim_end().lines().map(|line| format!("{}\n", format!("> {line}").trim_end())).collect()
        }
        _ => format!("```{language}\n$ hintlint {}\n{}\n```\n", args.join(" "), run.stdout.trim_end())
            .replace("$ hintlint --quiet\n", "$ hintlint\n"),
    }
}

/// What `hintlint diff` says of a branch that adds a sentence.
fn comment() -> String {
    let repo = shop();
    let text = String::from_utf8(repo.read("packages/api/AGENTS.md")).expect("UTF-8");
    repo.write("packages/api/AGENTS.md", text + "- Never answer with a stack trace.\n");
    told(&repo, &["diff", "main", "--format", "markdown"], 0, "markdown")
}

#[test]
fn readme_shows_what_the_program_says() {
    let file = own("README.md");
    let readme = readme();
    let shop = shop();
    let sections = [
        ("hidden", told(&shop, &["--quiet"], 1, "text")),
        ("agents", told(&shop, &["show", "packages/api", "--file", "packages/api/routes.py", "--no-user"], 0, "text")),
        ("comment", comment()),
    ];
    let fresh = sections.iter().fold(readme.clone(), |readme, (name, section)| with_section(&readme, name, section));
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&file, &fresh).expect("README.md can be written");
        return;
    }
    assert!(readme == fresh, "README.md is stale; run UPDATE_README=1 cargo test readme, and read the difference");
}

/// The picture is what `scripts/picture.py` makes of the example.
#[test]
fn the_picture_shows_what_the_program_says() {
    let Some(python) = crate::clients::find("python3") else { return };
    let shop = shop();
    let said = shop.hintlint(shop.root()).args(["--quiet", "--color", "always"]).output().expect("it runs").stdout;
    let said_in = shop.beside("said");
    std::fs::write(&said_in, said).expect("a file");
    let input = std::fs::File::open(&said_in).expect("the file");
    let script = own("scripts/picture.py");
    let run =
        std::process::Command::new(python).arg(script).arg("hintlint").stdin(input).output().expect("Python runs");
    assert!(run.status.success(), "{run:?}");
    let file = own("docs/picture.svg");
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&file, &run.stdout).expect("the picture can be written");
        return;
    }
    let picture = std::fs::read(&file).expect("docs/picture.svg");
    assert!(picture == run.stdout, "docs/picture.svg is stale; run UPDATE_README=1 cargo test readme, and look at it");
}

/// What the first command of "From source" ends with.
#[test]
fn the_tour_lints_fixes_and_shows_the_example() {
    let tour = Repo::plain_folder().run(&["tour"]);
    assert_eq!((tour.code, tour.stderr.as_str()), (0, ""), "{tour:?}");
    let shop = shop();
    let report = shop.run(&["--quiet"]).stdout;
    assert!(tour.stdout.contains(&report), "{}", tour.stdout);
    let table = shop.run(&["show", "packages/api", "--file", "packages/api/routes.py", "--no-user"]).stdout;
    assert!(tour.stdout.contains(&table), "{}", tour.stdout);
    let context = shop.run(&["show", "--agent", "claude", "packages/api", "--no-user"]).stdout;
    let context = context.replace(&format!("{}/", shop.root().display()), "");
    let escaped: String = context
        .chars()
        .map(|c| match c as u32 {
            hidden @ 0xE0000..=0xE007F => format!("\\u{{{hidden:X}}}"),
            _ => c.to_string(),
        })
        .collect();
    assert!(tour.stdout.contains(&escaped), "{escaped}\n{}", tour.stdout);
    let diff = shop.run(&["--diff"]).stdout;
    let plus = diff.lines().rfind(|line| line.starts_with('+')).expect("an added line");
    assert!(tour.stdout.contains(&format!("\n{plus}\n")), "{}", tour.stdout);
    // Each file of the example is in the program.
    for (path, _) in files_below(&own("examples/shop"), "") {
        let source = std::fs::read_to_string(own("examples/shop.rs")).expect("the list");
        assert!(source.contains(&format!("(\"{path}\", ")), "{path}");
    }
}

pub(crate) fn readme() -> String {
    std::fs::read_to_string(own("README.md")).expect("README.md")
}

/// The contents of the fenced blocks in `language`.
fn blocks(readme: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in readme.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info == language, String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take().filter(|(wanted, _)| *wanted).map(|(_, text)| text)),
            (Some((_, text)), None) => text.push_str(&format!("{line}\n")),
            (None, None) => {}
        }
    }
    blocks
}

/// The README and the pages of `docs/`, by their paths.
pub(crate) fn pages() -> Vec<(String, String)> {
    let page = |(path, bytes): (String, Vec<u8>)| (format!("docs/{path}"), String::from_utf8(bytes).expect("UTF-8"));
    let pages = files_below(&own("docs"), "").into_iter().filter(|(path, _)| path.ends_with(".md")).map(page);
    [("README.md".to_owned(), readme())].into_iter().chain(pages).collect()
}

/// Those that are written by hand. What stands in generated pages shows what is wrong, on purpose.
fn written_pages() -> Vec<(String, String)> {
    let generated =
        |path: &str| ["docs/rules", "docs/agents", "docs/formats"].iter().any(|part| path.starts_with(part));
    pages().into_iter().filter(|(path, _)| !generated(path)).collect()
}

#[test]
fn commands_of_the_documentation_exist() {
    let mut seen = 0;
    for (name, text) in written_pages() {
        let spans = text.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " "));
        for command in spans.filter(|span| span.split(' ').next() == Some("hintlint")) {
            let words = command.replace("SHELL", "bash");
            assert!(Cli::try_parse_from(words.split(' ')).is_ok(), "{name}: `{command}` is no command of ours");
            seen += 1;
        }
    }
    assert!(seen > 5, "only {seen} commands were looked at");
}

#[test]
fn the_suppression_of_the_documentation_silences_its_finding() {
    let blocks: Vec<String> = written_pages().iter().flat_map(|(_, text)| blocks(text, "markdown")).collect();
    let text = blocks.iter().find(|block| block.contains("hintlint-ignore")).expect("the pages show a suppression");
    let (comment, rest) = text.split_once('\n').expect("the comment stands above what it excuses");
    let check = |text: &str| {
        // What an ignore file names is made by a build, and needs no excuse.
        let run = Repo::with_files([("CLAUDE.md", text), (".gitignore", "build/\n")]).run(&["--format", "concise"]);
        (run.code, run.stdout.contains("missing-import"), run.stdout.contains("unused-suppression"))
    };
    assert!(comment.starts_with("<!--"), "{comment}");
    assert_eq!(check(rest), (1, true, false));
    assert_eq!(check(text), (0, false, false));
}

#[test]
fn config_of_the_documentation_is_accepted() {
    let blocks: Vec<String> = written_pages().iter().flat_map(|(_, text)| blocks(text, "toml")).collect();
    assert!(blocks.len() > 1);
    for block in blocks {
        let repo = Repo::with_files([("AGENTS.md", "# A\n"), ("hintlint.toml", &block)]);
        let run = repo.run(&["--format", "concise", "-q"]);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""), "{block}");
    }
}

#[test]
fn ci_runs_the_readmes_test_command() {
    let commands: Vec<String> = blocks(&readme(), "console").iter().map(|block| block.trim().to_owned()).collect();
    assert_eq!(commands, ["cargo run --release -- tour", "cargo test"]);
    let ci = std::fs::read_to_string(own(".ci/run")).expect(".ci/run");
    assert!(ci.lines().any(|line| line == format!("{} 2>&1 | tee \"$target/test.log\"", commands[1])));
}

/// Commands of `sh` blocks, with their comments taken off.
fn shell_commands(text: &str) -> Vec<String> {
    let lines = blocks(text, "sh").join("");
    lines.lines().map(|line| line.split(" #").next().unwrap_or_default().trim().to_owned()).collect()
}

#[test]
fn commands_in_blocks_of_the_documentation_exist() {
    let mut seen = 0;
    for (name, text) in written_pages() {
        for line in shell_commands(&text) {
            let words = line.split_once("hintlint ").filter(|(before, _)| matches!(*before, "" | "npx " | "uvx "));
            let Some((_, arguments)) = words else { continue };
            let words = arguments.split(" > ").next().unwrap_or_default().split('"').enumerate();
            let words = words.flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            });
            assert!(Cli::try_parse_from(["hintlint"].into_iter().chain(words)).is_ok(), "{name}: {line}");
            seen += 1;
        }
    }
    assert!(seen > 3, "only {seen} commands were looked at");
}

/// Each piece of YAML and TOML parses, and what names hooks, versions, inputs and options of ours names some that exist.
#[test]
fn yaml_of_the_documentation_is_right() {
    let hooks = std::fs::read_to_string(own(".pre-commit-hooks.yaml")).expect("the hooks");
    let action: Value = serde_yaml::from_str(&std::fs::read_to_string(own("action.yml")).expect("it")).expect("YAML");
    let tag = format!("v{}", env!("CARGO_PKG_VERSION"));
    let mut kinds = [0; 3];
    for (name, text) in written_pages() {
        for block in blocks(&text, "yaml") {
            let value: Value = serde_yaml::from_str(&block).unwrap_or_else(|error| panic!("{name}: {error}: {block}"));
            for repo in value["repos"].as_sequence().into_iter().flatten() {
                assert_eq!(repo["rev"].as_str(), Some(tag.as_str()), "{name}");
                for hook in repo["hooks"].as_sequence().expect("hooks") {
                    let id = hook["id"].as_str().expect("an id");
                    assert!(hooks.contains(&format!("- id: {id}\n")), "{name}: {id}");
                    kinds[0] += 1;
                }
            }
            for (_, job) in value["jobs"].as_mapping().into_iter().flatten() {
                assert!(value["on"].is_mapping(), "{name}: a workflow without `on` never runs: {block}");
                kinds[1] += 1;
                for step in job["steps"].as_sequence().into_iter().flatten() {
                    let uses = step["uses"].as_str().unwrap_or_default();
                    let Some(version) = uses.strip_prefix("hintlint/hintlint@") else { continue };
                    assert_eq!(version, tag, "{name}");
                    let mut inputs = step["with"].as_mapping().into_iter().flatten();
                    assert!(inputs.all(|(input, _)| !action["inputs"][input].is_null()), "{name}: {block}");
                    kinds[2] += 1;
                }
            }
        }
    }
    assert!(kinds.iter().all(|&seen| seen > 0), "{kinds:?}");
}
