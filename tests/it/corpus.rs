//! The program on the 22 real repositories of `../shared/corpus/real`: how many findings each rule has in each, the known
//! defects at their lines, and silence on the known traps.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// Where the corpus is; says so aloud when it is not there.
fn corpus() -> Option<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/real");
    if corpus.join("build.py").is_file() {
        return Some(corpus);
    }
    crate::clients::skip(&format!("{} is absent, so the corpus was not checked", corpus.display()));
    None
}

struct Built {
    _folder: tempfile::TempDir,
    /// Findings by repository, `owner+name`.
    findings: BTreeMap<String, Vec<Value>>,
}

/// Build the repositories once and lint each; `None` without the corpus or Python.
fn built() -> Option<&'static Built> {
    static BUILT: OnceLock<Option<Built>> = OnceLock::new();
    BUILT.get_or_init(build).as_ref()
}

fn build() -> Option<Built> {
    let corpus = corpus()?;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let home = folder.path().join("home");
    std::fs::create_dir(&home).expect("a home");
    let out = folder.path().join("repositories");
    let build = Command::new("python3")
        .arg(corpus.join("build.py"))
        .arg(&out)
        .env("HOME", &home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output();
    let build = match build {
        Ok(build) => build,
        Err(error) => {
            crate::clients::skip(&format!("python3 cannot be run ({error}), so the corpus was not checked"));
            return None;
        }
    };
    assert!(build.status.success(), "build.py failed: {}", String::from_utf8_lossy(&build.stderr));
    let mut findings = BTreeMap::new();
    for entry in std::fs::read_dir(&out).expect("the repositories") {
        let dir = entry.expect("a repository").path();
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        findings.insert(name, lint(&dir, &home));
    }
    Some(Built { _folder: folder, findings })
}

fn lint(dir: &Path, home: &Path) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_hintlint"))
        .args(["--format", "json", "--min-level", "info", "--fail-on", "never"])
        .current_dir(dir)
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .output()
        .expect("hintlint runs");
    assert_eq!(output.status.code(), Some(0), "{}: {}", dir.display(), String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    report["findings"].as_array().expect("a list of findings").clone()
}

/// The counts per repository, rule and level, to be read in a diff when a rule changes. `UPDATE_CORPUS=1` writes them anew.
#[test]
fn findings_per_rule_and_repository() {
    let Some(built) = built() else { return };
    let mut text = String::from("repository\trule\tlevel\tfindings\n");
    for (repository, findings) in &built.findings {
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for finding in findings {
            let key = (finding["rule"].as_str().unwrap_or(""), finding["level"].as_str().unwrap_or(""));
            *counts.entry(key).or_default() += 1;
        }
        for ((rule, level), count) in counts {
            let _ = writeln!(text, "{repository}\t{rule}\t{level}\t{count}");
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/corpus.tsv");
    if std::env::var_os("UPDATE_CORPUS").is_some() {
        std::fs::write(&file, &text).expect("the snapshot can be written");
    }
    let known = std::fs::read_to_string(&file).expect("the snapshot");
    assert!(
        known == text,
        "the findings on the corpus changed; read them, then run with UPDATE_CORPUS=1\n{}",
        similar::TextDiff::from_lines(&known, &text).unified_diff()
    );
}

/// The rows of a table of the corpus, as columns by name.
fn table(name: &str) -> Vec<BTreeMap<String, String>> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let text = std::fs::read_to_string(corpus.join(name)).expect("a table");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let row = |line: &str| names.iter().zip(line.split('\t')).map(|(n, c)| ((*n).to_owned(), c.to_owned())).collect();
    lines.map(row).collect()
}

fn at<'b>(built: &'b Built, row: &BTreeMap<String, String>) -> Vec<&'b Value> {
    let repository = row["repo"].replacen('/', "+", 1);
    let line: u64 = row["line"].parse().expect("a line number");
    let here = |finding: &&Value| {
        let (start, end) = (finding["start"]["line"].as_u64(), finding["end"]["line"].as_u64());
        finding["path"] == row["path"].as_str() && start <= Some(line) && Some(line) <= end
    };
    built.findings[&repository].iter().filter(here).collect()
}

/// Rules whose defects cannot be told from one commit: they ask history, and the corpus has none.
const NEEDS_HISTORY: [&str; 3] = ["stale-path", "missing-path", "broken-link"];

#[test]
fn known_defects_are_found_at_their_lines() {
    let Some(built) = built() else { return };
    let mut missed = Vec::new();
    for row in table("defects.tsv") {
        let rule = row["rule"].as_str();
        let exists = hintlint::rules::find(rule).is_some();
        if !exists || NEEDS_HISTORY.contains(&rule) {
            continue;
        }
        if !at(built, &row).iter().any(|finding| finding["rule"] == rule) {
            missed.push(format!("{} {}:{} {rule}", row["repo"], row["path"], row["line"]));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn known_traps_are_silent() {
    let Some(built) = built() else { return };
    let mut reported = Vec::new();
    for row in table("traps.tsv") {
        // The one real attack sample is to be found; keeping it is its repository's decision, in its config.
        if row["class"] == "unicode: attack fixture" {
            continue;
        }
        for finding in at(built, &row) {
            if finding["level"] != "info" {
                reported.push(format!("{} {}:{} {}", row["repo"], row["path"], row["line"], finding["message"]));
            }
        }
    }
    assert!(reported.is_empty(), "{reported:#?}");
}
