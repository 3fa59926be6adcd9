//! The pages of `docs/` about rules, agents and formats hold what the program says of itself, and no link of any page leads
//! nowhere. `UPDATE_DOCS=1 cargo test docs` writes the generated pages anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use hintlint::cli::args::Format;
use serde_json::Value;

use crate::clients::own;
use crate::readme::{pages, shop};
use crate::support::Repo;

/// What a page begins with that nobody edits.
const NOTE: &str = "<!-- Generated; `UPDATE_DOCS=1 cargo test docs` writes it anew. -->\n";

fn table(args: &[&str]) -> Vec<Value> {
    let run = Repo::plain_folder().run(args);
    let value: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {run:?}"));
    value.as_array().expect("a list").clone()
}

fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_else(|| panic!("no {key} in {value}"))
}

fn words(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|word| word.as_str().expect("a word")).collect()
}

/// Words as a cell of a table shows them. What stands in angle brackets would be taken for a tag and vanish.
fn cell(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.replace('<', "\\<"),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`").replace('|', "\\|")
}

/// A source as a link, where it is an address and nothing else.
fn source(text: &str) -> String {
    match text.starts_with("https://") && !text.contains([' ', ',', ';']) {
        true => format!("<{text}>"),
        false => text.to_owned(),
    }
}

fn fix(rule: &Value) -> &'static str {
    match word(rule, "fix") {
        "always" => "yes",
        "sometimes" => "sometimes",
        _ => "",
    }
}

/// `rules.md`, and a page for each rule.
fn rule_pages(pages: &mut BTreeMap<String, String>) -> Vec<String> {
    let rules = table(&["rules", "--format", "json"]);
    let mut list =
        format!("# Rules\n\n{NOTE}\n| group | rule | level | fix | reports that |\n| --- | --- | --- | --- | --- |\n");
    let mut names = Vec::new();
    for rule in &rules {
        let (name, group, levels) = (word(rule, "name"), word(rule, "group"), words(&rule["levels"]).join(", "));
        let summary = cell(word(rule, "summary"));
        let _ = writeln!(list, "| {group} | [`{name}`](rules/{name}.md) | {levels} | {} | {summary} |", fix(rule));
        let fix = if fix(rule).is_empty() { "no" } else { fix(rule) };
        let mut page = format!(
            "# `{name}`\n\n{NOTE}\n{}.\n\n| group | level | fix |\n| --- | --- | --- |\n| {group} | {levels} | {fix} |\n\n{}\n",
            capitalised(word(rule, "summary")),
            word(rule, "explanation").trim(),
        );
        page.push_str("\n## Evidence\n\n");
        for evidence in rule["evidence"].as_array().expect("a list") {
            let _ = writeln!(page, "- {} (checked {})", source(word(evidence, "source")), word(evidence, "checked"));
        }
        if let [first, ..] = words(&rule["aliases"])[..] {
            let _ = writeln!(page, "\nFormerly `{first}`.");
        }
        pages.insert(format!("rules/{name}.md"), page);
        names.push(name.to_owned());
    }
    list.push_str("\n`hintlint explain RULE` prints the same. The first level is the usual one; a page says what the others depend on.\n");
    pages.insert("rules.md".to_owned(), list);
    names
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// `agents.md`, and a page for each agent.
fn agent_pages(pages: &mut BTreeMap<String, String>) -> Vec<String> {
    let agents = table(&["agents", "--format", "json"]);
    let mut list = format!(
        "# Agents\n\n{NOTE}\n| agent | product | version | known by | checked |\n| --- | --- | --- | --- | --- |\n"
    );
    let mut names = Vec::new();
    for agent in &agents {
        let (name, title) = (word(agent, "agent"), word(agent, "title"));
        let [version, proof, checked] = ["version", "proof", "checked"].map(|key| word(agent, key));
        let _ = writeln!(list, "| [`{name}`](agents/{name}.md) | {title} | {version} | {proof} | {checked} |");
        let mut page = format!(
            "# {title}\n\n{NOTE}\n`--agent {name}`, version {version}, checked {checked}.\n\n| what | how |\n| --- | --- |\n"
        );
        for (topic, phrase) in agent["loads"].as_object().expect("an object") {
            let _ = writeln!(page, "| {topic} | {} |", cell(phrase.as_str().expect("a phrase")));
        }
        let how = match proof {
            "vectors" => "Its loading rules reproduce recorded outputs of the released program, byte for byte.",
            "original" => "Its loading rules follow the source or the description of the original.",
            "documentation" => "Its loading rules follow its documentation. Findings about it are infos at most.",
            "ours" => "Defined by hintlint.",
            other => panic!("no words for {other}"),
        };
        let _ = writeln!(page, "\n## Evidence\n\n{how}\n");
        for evidence in words(&agent["evidence"]) {
            let _ = writeln!(page, "- {}", source(evidence));
        }
        pages.insert(format!("agents/{name}.md"), page);
        names.push(name.to_owned());
    }
    list.push_str(
        "\n`vectors`: recorded outputs of the release are reproduced byte for byte. `original`: the original's source or\n\
         description is followed. `documentation`: what its makers write, which gives infos at most. `hintlint agents` says which\n\
         of them are used in a repository, and why.\n",
    );
    pages.insert("agents.md".to_owned(), list);
    names
}

/// `formats.md`, and a page for each format with what it makes of the example repository.
fn format_pages(pages: &mut BTreeMap<String, String>) -> Vec<String> {
    let shop = shop();
    let mut list = format!("# Formats\n\n{NOTE}\n| `--format` | is |\n| --- | --- |\n");
    let mut names = Vec::new();
    for format in Format::value_variants() {
        let value = format.to_possible_value().expect("a value");
        let (name, about) = (value.get_name(), value.get_help().map(ToString::to_string).unwrap_or_default());
        let _ = writeln!(list, "| [`{name}`](formats/{name}.md) | {about} |");
        let run = shop.run(&["--quiet", "--format", name]);
        assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{name}: {run:?}");
        let said = match name {
            // SARIF describes every rule; a page needs one.
            "sarif" => one_rule(&run.stdout),
            _ => run.stdout,
        };
        let language = if matches!(name, "json" | "sarif") { "json" } else { "text" };
        let page = format!(
            "# `{name}`\n\n{NOTE}\n{about}\n\nWhat `hintlint --quiet --format {name}` says of `examples/shop`{}:\n\n````{language}\n{}\n````\n",
            if name == "sarif" { ", without the descriptions of most rules" } else { "" },
            said.trim_end()
        );
        pages.insert(format!("formats/{name}.md"), page);
        names.push(name.to_owned());
    }
    list.push_str(
        "\n`--output FILE` puts a report into a file, whole or not at all; `--statistics` counts findings by rule instead of\n\
         listing them. `HINTLINT_FORMAT` sets the format for who cannot change the command. Offsets are bytes, lines and columns\n\
         count from 1. In a terminal that is known to open links, names of rules lead to their pages; `FORCE_HYPERLINK=0` or\n\
         `--color never` switches that off.\n",
    );
    pages.insert("formats.md".to_owned(), list);
    names
}

/// The log with the description of its first result's rule alone.
fn one_rule(log: &str) -> String {
    let mut log: Value = serde_json::from_str(log).expect("JSON");
    let driver = &mut log["runs"][0]["tool"]["driver"];
    let rules = driver["rules"].as_array_mut().expect("rules");
    rules.truncate(1);
    serde_json::to_string_pretty(&log).expect("JSON")
}

/// The table of contents for mdBook.
fn summary(rules: &[String], agents: &[String], formats: &[String]) -> String {
    let mut text = String::from("# Summary\n\n");
    let chapters = [
        ("Install", "install.md"),
        ("For who reviews pull requests", "reviewer.md"),
        ("What agents run", "runs.md"),
        ("For who keeps many repositories", "platform.md"),
        ("For who writes skills, rules and hints", "author.md"),
        ("Look at contexts", "explore.md"),
        ("In CI", "ci.md"),
        ("In an editor", "editor.md"),
        ("Configuration", "configuration.md"),
        ("Context artifacts", "artifacts.md"),
        ("Plans", "plans.md"),
        ("Agent hooks", "hooks.md"),
        ("Search the hint library", "search.md"),
        ("Search with a language model", "models.md"),
        ("Hint packages", "packages.md"),
        ("Fuzzing", "fuzzing.md"),
        ("Releasing", "releasing.md"),
    ];
    let known = |file: &str| {
        ["SUMMARY.md", "rules.md", "agents.md", "formats.md"].contains(&file)
            || chapters.iter().any(|chapter| chapter.1 == file)
    };
    let mut others: Vec<(String, String)> = Vec::new();
    for (path, text) in pages() {
        let Some(file) = path.strip_prefix("docs/").filter(|file| !file.contains('/') && !known(file)) else {
            continue;
        };
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(file);
        others.push((title.to_owned(), file.to_owned()));
    }
    for (title, file) in chapters.map(|(title, file)| (title.to_owned(), file.to_owned())).into_iter().chain(others) {
        let _ = writeln!(text, "- [{title}]({file})");
    }
    for (title, folder, names) in
        [("Rules", "rules", rules), ("Agents", "agents", agents), ("Formats", "formats", formats)]
    {
        let _ = writeln!(text, "- [{title}]({folder}.md)");
        for name in names {
            let _ = writeln!(text, "  - [`{name}`]({folder}/{name}.md)");
        }
    }
    text
}

#[test]
fn generated_pages_are_fresh() {
    let mut pages = BTreeMap::new();
    let (rules, agents, formats) = (rule_pages(&mut pages), agent_pages(&mut pages), format_pages(&mut pages));
    pages.insert("SUMMARY.md".to_owned(), summary(&rules, &agents, &formats));
    let docs = own("docs");
    let mut there: Vec<String> = Vec::new();
    for folder in ["rules", "agents", "formats"] {
        for entry in std::fs::read_dir(docs.join(folder)).into_iter().flatten().flatten() {
            there.push(format!("{folder}/{}", entry.file_name().to_string_lossy()));
        }
    }
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    for gone in there.iter().filter(|path| !pages.contains_key(*path)) {
        assert!(update, "docs/{gone} is about nothing that there is; run UPDATE_DOCS=1 cargo test docs");
        std::fs::remove_file(docs.join(gone)).expect("it can be removed");
    }
    for (path, text) in &pages {
        let file = docs.join(path);
        if update {
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(&file, text).expect("it can be written");
            continue;
        }
        let found = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(found == *text, "docs/{path} is stale; run UPDATE_DOCS=1 cargo test docs, and read the difference");
    }
}

/// The targets of links outside code, without addresses of the web.
fn links(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut fence = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            _ => {}
        }
        if fence.is_some() {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect();
        targets.extend(prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned));
    }
    targets.retain(|target| !target.contains("://"));
    targets
}

/// The anchors that GitHub gives the headings of a page.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .collect::<String>();
        kept.replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn links_of_the_documentation_lead_somewhere() {
    let root = own("");
    let mut seen = 0;
    for (page, text) in pages() {
        let folder = root.join(&page).parent().map(Path::to_path_buf).unwrap_or_default();
        for target in links(&text) {
            let (path, anchor) =
                target.split_once('#').map_or((target.as_str(), None), |(path, anchor)| (path, Some(anchor)));
            let file: PathBuf = if path.is_empty() { root.join(&page) } else { folder.join(path) };
            assert!(file.exists(), "{page}: {target} is not there");
            // The site is built from this folder alone.
            let below = |path: &Path| path.canonicalize().is_ok_and(|path| path.starts_with(root.join("docs")));
            assert!(!page.starts_with("docs/") || below(&file), "{page}: {target} is not part of the site");
            if let Some(anchor) = anchor {
                let text = std::fs::read_to_string(&file).expect("a page");
                assert!(anchors(&text).iter().any(|known| known == anchor), "{page}: {target} has no such heading");
            }
            seen += 1;
        }
    }
    assert!(seen > 100, "only {seen} links were looked at");
    // Files of the repository that are no pages are linked by their address.
    let mut addressed = 0;
    for (page, text) in pages() {
        for rest in text.split("https://github.com/hintlint/hintlint/blob/main/").skip(1) {
            let path = rest.split([')', '#', ' ', '\n']).next().unwrap_or_default();
            assert!(root.join(path).exists(), "{page}: {path} is not there");
            addressed += 1;
        }
    }
    assert!(addressed > 2, "only {addressed} addresses were looked at");
    assert_eq!(links("[a](b.md) `[c](d.md)`\n```\n[e](f.md)\n```\n[g](#h)"), ["b.md", "#h"]);
}

/// Each rule has the address of its page.
/// The site is what mdBook makes of the pages; it warns of tags that swallow text and of pages that are missing.
#[test]
fn the_site_is_built_without_a_warning() {
    let Some(mdbook) = crate::clients::find("mdbook") else { return };
    let site = tempfile::tempdir().expect("a folder");
    let mut command = std::process::Command::new(mdbook);
    let run = command.arg("build").arg("--dest-dir").arg(site.path()).arg(own("")).output().expect("it starts");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && !said.contains("WARN") && !said.contains("ERROR"), "{said}");
    for page in ["index.html", "ci.html", "rules/missing-import.html", "agents/claude.html", "explore.png"] {
        assert!(site.path().join(page).is_file(), "no {page}");
    }
}

#[test]
fn the_address_of_a_rule_is_that_of_its_page() {
    let version = env!("CARGO_PKG_VERSION");
    for rule in table(&["rules", "--format", "json"]) {
        let url = hintlint::rules::rule_url(word(&rule, "name")).expect("an address");
        let (_, path) = url.split_once(&format!("/blob/v{version}/")).expect("a file of this version");
        assert!(own(path).is_file(), "{url}");
    }
    assert_eq!(hintlint::rules::rule_url("no-such-rule"), None);
}
