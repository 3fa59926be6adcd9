//! What holds for every input: the same bytes in give the same bytes out, wherever and however they are read; no fix makes
//! anything worse.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use hintlint::base::finding::{Applicability, Finding};
use hintlint::base::path::RepoPath;
use hintlint::config::Config;
use hintlint::engine::{Overlay, Report, edits};
use hintlint::rules::run::{Selection, run};
use hintlint::rules::{self, Group};
use hintlint::source::Memory;
use hintlint::source::Source;
use hintlint::source::history::Answers;
use hintlint::workspace;
use proptest::prelude::*;

use crate::support::{Repo, Run};

/// A repository with findings of many kinds, and enough files for several threads.
fn many_kinds() -> Repo {
    let repo = Repo::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let text = |name: &str| std::fs::read(fixtures.join(name)).expect("a fixture");
    for n in 0..12 {
        repo.write(format!("p{n}/CLAUDE.md"), text("missing-import/repo/CLAUDE.md"));
        repo.write(format!("p{n}/AGENTS.md"), text("conflict-markers/repo/AGENTS.md"));
        repo.write(format!("p{n}/GEMINI.md"), format!("Run ma\u{200b}ke {n}.\n\n@../../x.md\n\n@a.md @b.md\n"));
        repo.write(format!("p{n}/a.md"), "@b.md\n").write(format!("p{n}/b.md"), "@a.md\n");
        repo.write(format!(".claude/skills/s{n}/SKILL.md"), text("missing-field/repo/.claude/skills/release/SKILL.md"));
        repo.write(format!("docs/plans/{n}.md"), text("malformed-checkbox/repo/PLAN.md"));
    }
    repo.write(
        "hintlint.toml",
        "[rules]\nnosuch-rule = \"off\"\n[[overrides]]\npaths = [\"none/**\"]\nrules = { all = \"off\" }\n",
    );
    repo.symlink("p0/link/CLAUDE.md", "../CLAUDE.md");
    repo.commit("start");
    repo
}

const JSON: [&str; 4] = ["--format", "json", "--min-level", "info"];

/// A run that found something, as its output.
fn output(run: Run) -> String {
    assert_eq!(run.code, 1, "{run:?}");
    // The places of one cause each have a message.
    assert!(run.stdout.matches("\"message\"").count() > 80, "the repository is to have many findings: {}", run.stdout);
    run.stdout
}

#[test]
fn threads_locale_time_zone_folder_and_repetition_change_nothing() {
    let repo = many_kinds();
    let expected = output(repo.run(&JSON));
    let variables: [&[(&str, &str)]; 8] = [
        &[],
        &[("RAYON_NUM_THREADS", "1")],
        &[("RAYON_NUM_THREADS", "2")],
        &[("RAYON_NUM_THREADS", "8")],
        &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")],
        &[("LC_ALL", "C.UTF-8"), ("TZ", "Pacific/Apia")],
        &[("TZ", "America/St_Johns")],
        &[("COLUMNS", "200"), ("TERM", "xterm-256color")],
    ];
    for set in variables {
        let mut command = repo.hintlint(repo.root());
        let run = command.args(JSON).envs(set.iter().copied()).output().expect("it runs").into();
        assert!(output(run) == expected, "{set:?}");
    }
    for folder in ["p3", "docs/plans", ".claude"] {
        assert!(
            output(repo.run_in(&repo.at(folder), &JSON)) == expected,
            "{folder}: paths stay those of the repository"
        );
    }
}

#[test]
fn worktree_index_revision_and_bare_clone_say_the_same() {
    let repo = many_kinds();
    let expected = output(repo.run(&JSON));
    let with = |more: &[&'static str]| [&JSON[..], more].concat();
    assert!(output(repo.run(&with(&["--staged", "--all"]))) == expected, "index");
    assert!(output(repo.run(&with(&["--rev", "HEAD"]))) == expected, "revision");
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", &bare.to_string_lossy()]);
    assert!(output(repo.run_in(&bare, &with(&["--rev", "HEAD"]))) == expected, "bare");
    let linked = repo.beside("linked");
    repo.git(&["worktree", "add", "-q", "--detach", &linked.to_string_lossy()]);
    assert!(output(repo.run_in(&linked, &JSON)) == expected, "linked worktree");
}

/// Check `source`, at every level.
fn report(source: &dyn Source) -> (Report, BTreeMap<RepoPath, Arc<[u8]>>) {
    let loaded = workspace::load(source, Config::default(), &[]).expect("the default config has no bad pattern");
    let selection = Selection { min_level: hintlint::base::finding::Level::Info, ..Selection::default() };
    let judgement = run(loaded, &selection, &mut |_| Answers::default());
    let (report, workspace) = Report::new(judgement, &selection, None);
    let bytes = workspace.documents.iter().map(|document| (document.path.clone(), document.bytes.clone())).collect();
    (report, bytes)
}

/// How often each rule complains about each file. The rules on imports count as one: an import whose path is put right is at
/// last read as an import, and what an agent makes of it may be a lesser finding at the same place.
fn counts(findings: &[Finding]) -> BTreeMap<(RepoPath, &'static str), usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        let group = rules::find(finding.rule).map(|info| info.group);
        let rule = if group == Some(Group::Imports) { "imports" } else { finding.rule };
        *counts.entry((finding.path.clone(), rule)).or_default() += 1;
    }
    counts
}

/// Whether the finding could not be made before: agents and rules do not look into frontmatter that they cannot read, a slip is
/// no task, and a suppression is in use until what it silences is fixed, be it in another file.
fn was_masked(before: &BTreeMap<(RepoPath, &'static str), usize>, path: &RepoPath, rule: &str) -> bool {
    let masks = ["invalid-frontmatter", "unterminated-frontmatter", "displaced-frontmatter"];
    let group = rules::find(rule).map(|info| info.group);
    if rule == "unused-suppression" {
        return true;
    }
    // What is no checkbox is no task yet.
    if rule == "duplicate-task" && before.contains_key(&(path.clone(), "malformed-checkbox")) {
        return true;
    }
    matches!(group, Some(Group::Frontmatter | Group::Globs | Group::Context))
        && masks.iter().any(|mask| before.contains_key(&(path.clone(), *mask)))
}

/// Fix `files` until nothing is left to fix, or say what went wrong on the way: a finding that was not there before, or no end.
fn fix(files: &[(String, Vec<u8>)], allowed: Applicability) -> Result<(), String> {
    let memory = Memory::of_files(files.iter().map(|(path, bytes)| (path, bytes)));
    let mut overlay = Overlay::new(&memory, BTreeMap::new());
    let (first, mut bytes) = report(&overlay);
    let (before, checked) = (counts(&first.findings), bytes.clone());
    let mut now = first;
    for _ in 0..edits::MAX_ROUNDS {
        for finding in &now.findings {
            let Some(text) = bytes.get(&finding.path) else { continue };
            if finding.span.end > text.len() {
                return Err(format!("{finding:?} lies outside its file"));
            }
        }
        let fixed = edits::apply(&now.findings, allowed, &|path| bytes.get(path).cloned());
        if fixed.is_empty() {
            // A file that is checked only since an import leads to it had its findings all along.
            let new: Vec<String> = counts(&now.findings)
                .into_iter()
                .filter(|((path, rule), _)| checked.contains_key(path) && !was_masked(&before, path, rule))
                .filter(|(key, count)| before.get(key).copied().unwrap_or(0) < *count)
                .map(|((path, rule), count)| {
                    let text = bytes.get(&path).map(|bytes| bytes.escape_ascii().to_string()).unwrap_or_default();
                    format!("{}: {count} {rule} in {}", path.to_str_lossy(), text.chars().take(400).collect::<String>())
                })
                .collect();
            return if new.is_empty() { Ok(()) } else { Err(format!("fixes introduced {new:#?}")) };
        }
        for (path, fixed) in fixed {
            overlay.change(path, fixed.bytes);
        }
        (now, bytes) = report(&overlay);
    }
    Err("the fixes do not settle".to_owned())
}

/// All regular files below `folder` that are not large.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(&at).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() => {
                    let name = path.strip_prefix(folder).expect("below").to_string_lossy().into_owned();
                    found.push((name, std::fs::read(&path).unwrap_or_default()));
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn no_fix_introduces_a_finding_in_real_hint_files() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/real/hints");
    let Ok(repositories) = std::fs::read_dir(&corpus) else {
        crate::clients::skip(&format!("{} is absent, so the fixes were not run on real files", corpus.display()));
        return;
    };
    let mut wrong = Vec::new();
    let mut seen = 0;
    for repository in repositories {
        let folder = repository.expect("an entry").path();
        let files = files(&folder);
        seen += files.len();
        for allowed in [Applicability::Safe, Applicability::Unsafe] {
            if let Err(why) = fix(&files, allowed) {
                wrong.push(format!("{} {allowed:?}: {why}", folder.display()));
            }
        }
    }
    assert!(seen > 0, "the corpus holds no files");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_fix_introduces_a_finding_in_the_fixtures() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for fixture in std::fs::read_dir(fixtures).expect("the fixtures") {
        let folder = fixture.expect("an entry").path().join("repo");
        for allowed in [Applicability::Safe, Applicability::Unsafe] {
            if let Err(why) = fix(&files(&folder), allowed) {
                panic!("{} {allowed:?}: {why}", folder.display());
            }
        }
    }
}

/// What hint files are made of, good and bad. Hidden characters stand inside words here: where one parts an import from the
/// text behind it, its removal makes another import, which only `--unsafe-fixes` may do; see [`BARE`].
const PIECES: &[&str] = &[
    "\n",
    "\n\n",
    " ",
    "  ",
    "\t",
    "\r\n",
    "- [ ] open",
    "- [x] done",
    "-[ ] slip",
    "- [x]slip",
    "  - [x] below",
    "* [ ] star",
    "1. [ ] one",
    "Progress: 1/3",
    "# Heading (2/5)",
    "## Sub",
    "---\n",
    "---\nname: a: b\n---\n",
    "globs: *.ts\n",
    "paths: a/**\n",
    "description: x\n",
    "allowed_tools: Read\n",
    "alwaysApply: \"true\"\n",
    "name: My Skill\n",
    "```\n",
    "```sh\n",
    "~~~\n",
    "> ",
    "> ```\n",
    "- ```\n",
    "@a.md",
    "@docs/A.md",
    "@none.md",
    "`code`",
    "<!-- ",
    " -->",
    "<!-- hintlint-ignore plans: why -->\n",
    "<!-- hintlint-ignore-file imports: why -->\n",
    "<!-- From: x -->\n",
    "<!-- End of x -->\n",
    " wo\u{feff}rd ",
    " wo\u{200b}rd ",
    " wo\u{200d}rd ",
    " wo\u{e0041}\u{e0042}rd ",
    " wo\u{202e}rd ",
    "\u{a0}",
    " wo\u{ad}rd ",
    " wo\u{fe0f}rd ",
    "\u{1f389}",
    "é",
    "e\u{301}",
    "м",
    " wo\u{0}rd ",
    " wo\u{8}rd ",
    " wo\u{2028}rd ",
    " wo\u{85}rd ",
    "\r",
    "<promise>",
    "</promise>",
    "<<<<<<< HEAD\n",
    "=======\n",
    ">>>>>>> x\n",
    "[a](docs/a.md)",
    "`docs/a.md`",
    "| a | b |\n",
    "|---|---|\n",
    "    ",
    "\\",
    "*",
    "_",
    "word",
];

/// Hidden characters that may stand anywhere, beside an import too. No safe fix may make or break one there.
const BARE: &[&str] =
    &["\u{200b}", "\u{feff}", "\u{ad}", "\u{200d}", "\u{7}", "\u{e0041}\u{e0042}", "@", "docs/A.md", "a.md"];

fn document(pieces: Vec<&'static str>) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(pieces), 0..30).prop_map(|pieces| pieces.concat())
}

fn documents(pieces: Vec<&'static str>) -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let path = proptest::sample::select(
        &[
            "CLAUDE.md",
            "PLAN.md",
            "a.md",
            "docs/a.md",
            ".claude/rules/r.md",
            ".claude/skills/s/SKILL.md",
            ".cursor/rules/c.mdc",
            "AGENTS.md",
        ][..],
    );
    proptest::collection::vec((path, document(pieces)), 1..4).prop_map(|texts| {
        let files: BTreeMap<String, Vec<u8>> =
            texts.into_iter().map(|(path, text)| (path.to_owned(), text.into_bytes())).collect();
        files.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_fix_introduces_a_finding(files in documents(PIECES.to_vec()), unsafely in any::<bool>()) {
        let allowed = if unsafely { Applicability::Unsafe } else { Applicability::Safe };
        if let Err(why) = fix(&files, allowed) {
            prop_assert!(false, "{:?}: {}", allowed, why);
        }
    }

    #[test]
    fn no_safe_fix_of_a_hidden_character_introduces_a_finding(files in documents([PIECES, BARE, BARE].concat())) {
        // What else was hidden, such as half a conflict marker, may well come to light.
        if let Err(why) = fix(&files, Applicability::Safe) {
            prop_assert!(!why.contains(" imports in ") && !why.contains(" unclosed-fence in "), "{}", why);
        }
    }
}
