//! Pairs of states, and what the later one loosens. Each has a near-miss that loosens nothing.

use super::*;
use crate::engine::{ConfigFrom, Repository, load};
use crate::source::Memory;

const HINT: &str = "# Shop\n\nText.\n";

/// What is told of the change from one set of files to another, as `path:line what`.
fn told(before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<String> {
    told_of(before, after, &Changes::default())
}

fn told_of(before: &[(&str, &str)], after: &[(&str, &str)], changes: &Changes) -> Vec<String> {
    let open = |files: &[(&str, &str)]| {
        let repository = Repository::new(Box::new(Memory::of_files(files.iter().copied())), ConfigFrom::Repository);
        repository.unwrap()
    };
    let (old, new) = (open(before), open(after));
    let (old_loaded, new_loaded) = (load(&old, &[], false).unwrap(), load(&new, &[], false).unwrap());
    let (old_known, new_known) = (old.own_baseline().unwrap(), new.own_baseline().unwrap());
    let (old_files, new_files) = (old.config_files(), new.config_files());
    let state = |repository: &'_ Repository| repository.config.clone();
    let (old_config, new_config) = (state(&old), state(&new));
    let before = JudgedState {
        source: old.source(),
        workspace: &old_loaded.workspace,
        config: &old_config,
        config_files: &old_files,
        baseline: old_known.as_ref(),
    };
    let after = JudgedState {
        source: new.source(),
        workspace: &new_loaded.workspace,
        config: &new_config,
        config_files: &new_files,
        baseline: new_known.as_ref(),
    };
    let line = |told: &Loosening| format!("{}:{} {}", told.path.to_str_lossy(), told.line, told.what);
    loosened(&before, &after, changes).iter().map(line).collect()
}

/// The same for the config alone.
fn of_config(before: &str, after: &str) -> Vec<String> {
    told(
        &[("AGENTS.md", HINT), ("CLAUDE.md", HINT), ("hintlint.toml", before)],
        &[("AGENTS.md", HINT), ("CLAUDE.md", HINT), ("hintlint.toml", after)],
    )
}

const NOTHING: [&str; 0] = [];

#[test]
fn lower_levels() {
    assert_eq!(
        of_config("", "[rules]\nstale-path = \"warning\"\n"),
        ["hintlint.toml:2 `stale-path` is set to warning: stale-path was error"]
    );
    assert_eq!(of_config("[rules]\nstale-path = \"off\"\n", "[rules]\nstale-path = \"warning\"\n"), NOTHING);
    assert_eq!(of_config("", "[rules]\nunknown-field = \"error\"\n"), NOTHING);
    let all = of_config("", "\n[rules]\nall = \"off\"\n");
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].starts_with("hintlint.toml:3 `all` is set to off: ") && all[0].ends_with(" more"), "{all:?}");
    assert_eq!(
        of_config("[rules]\nunknown-field = \"error\"\n", ""),
        ["hintlint.toml:1 a setting was removed: unknown-field was error"]
    );
    assert_eq!(
        of_config(
            "[rules]\nall = \"off\"\nstale-path = \"error\"\n",
            "[rules]\nstale-path = \"error\"\nall = \"off\"\n"
        ),
        NOTHING,
        "what is closer holds, wherever it stands"
    );
}

#[test]
fn exceptions() {
    assert_eq!(
        of_config(
            "exclude = [\"a\"]\n",
            "exclude = [\"a\", \"docs/\"]\n[rules]\nhidden-tags = { allow = [\"U+E0041\"] }\n"
        ),
        ["hintlint.toml:1 `exclude` now excludes \"docs/\"", "hintlint.toml:3 `hidden-tags` allows \"U+E0041\""]
    );
    assert_eq!(of_config("exclude = [\"a\", \"b\"]\n", "exclude = [\"b\"]\n"), NOTHING);
    let table = |level: &str| format!("[[overrides]]\npaths = [\"docs/**\"]\nrules = {{ imports = \"{level}\" }}\n");
    assert_eq!(of_config("", &table("off")), ["hintlint.toml:3 for docs/** `imports` is \"off\""]);
    assert_eq!(of_config("", &table("error")), NOTHING);
    assert_eq!(of_config(&table("off"), &format!("\n{}", table("off"))), NOTHING, "it only moved");
    assert_eq!(of_config(&table("error"), ""), ["hintlint.toml:1 the stricter override for docs/** was removed"]);
}

#[test]
fn agents_and_values() {
    assert_eq!(of_config("", "agents = [\"codex\"]\n"), ["hintlint.toml:1 `agents` no longer lists claude"]);
    assert_eq!(of_config("", "agents = [\"claude\", \"codex\"]\n"), NOTHING);
    assert_eq!(
        of_config("", "[limits]\ncontext-bytes = 99999\nimport-depth = 1\n"),
        ["hintlint.toml:2 `limits.context-bytes` is 99999 and was 51200"]
    );
    assert_eq!(
        of_config("[compile]\n", ""),
        ["hintlint.toml:1 `[compile]` was removed, which turned on the rules about artifacts"]
    );
    assert_eq!(of_config("", "[search]\nprovider = \"ollama\"\n"), NOTHING);
}

#[test]
fn an_extended_config_counts() {
    let with =
        |text: &'static str| [("CLAUDE.md", HINT), ("hintlint.toml", "extends = [\"p/a.toml\"]\n"), ("p/a.toml", text)];
    assert_eq!(
        told(&with(""), &with("[rules]\nimports = \"off\"\n")).len(),
        1,
        "the file that says so is another than the config"
    );
    assert!(told(&with(""), &with("[rules]\nstale-path = \"off\"\n"))[0].starts_with("p/a.toml:2 "));
}

#[test]
fn comments_that_silence() {
    let comment = "<!-- hintlint-ignore stale-path: moved soon -->\n";
    let told_with = |before: &str, after: &str| told(&[("CLAUDE.md", before)], &[("CLAUDE.md", after)]);
    let (plain, silent) = (HINT.to_owned(), format!("{comment}{HINT}"));
    assert_eq!(told_with(&plain, &silent), ["CLAUDE.md:1 a comment suppresses stale-path here: moved soon"]);
    assert_eq!(told_with(&silent, &format!("New.\n\n{silent}")), NOTHING, "it only moved");
    assert_eq!(told_with(&silent, &format!("{silent}\n{silent}")).len(), 1, "one more of the same");
    let renamed = ChangeKind::Renamed { from: "CLAUDE.md".into(), exact: false };
    let list = vec![crate::source::ChangedPath { path: "api/CLAUDE.md".into(), kind: renamed }];
    assert_eq!(told_of(&[("CLAUDE.md", &silent)], &[("api/CLAUDE.md", &silent)], &Changes { list }), NOTHING);
    assert_eq!(told(&[("CLAUDE.md", &silent)], &[("api/CLAUDE.md", &silent)]).len(), 1);
}

#[test]
fn entries_of_a_baseline() {
    let entry = |path: &str, count: usize| {
        format!("{{\"path\":\"{path}\",\"rule\":\"stale-path\",\"line\":\"00000000000000ff\",\"count\":{count}}}")
    };
    let file = |entries: &[String]| format!("{{\"version\":1,\"findings\":[{}]}}", entries.join(","));
    let name = ".hintlint/baseline.json";
    let (one, two) = (file(&[entry("a.md", 1)]), file(&[entry("a.md", 3), entry("b.md", 1)]));
    assert_eq!(
        told(&[(name, &one)], &[(name, &two)]),
        [
            ".hintlint/baseline.json:1 the baseline hides 1 more of stale-path in b.md",
            ".hintlint/baseline.json:1 the baseline hides 2 more of stale-path in a.md"
        ]
    );
    assert_eq!(told(&[(name, &two)], &[(name, &one)]), NOTHING);
}

#[test]
fn attributes_that_hide_a_hint() {
    let of = |before: &str, after: &str| {
        let files = |text| [("AGENTS.md", HINT), ("api/CLAUDE.md", HINT), ("x.bin", "x"), (".gitattributes", text)];
        told(&files(before), &files(after))
    };
    for attribute in [
        "-diff",
        "binary",
        "linguist-generated",
        "linguist-generated=true",
        "filter=lfs",
        "working-tree-encoding=UTF-16",
    ] {
        let what = format!(".gitattributes:2 {attribute} hides AGENTS.md, api/CLAUDE.md from reviews");
        assert_eq!(of("", &format!("# all\n*.md {attribute}\n")), [what], "{attribute}");
    }
    for line in [
        "*.bin -diff",
        "*.md text eol=lf",
        "*.md linguist-generated=false",
        "# *.md -diff",
        "*.md diff",
        "api/ -diff",
        "!*.md -diff",
    ] {
        assert_eq!(of("", &format!("{line}\n")), NOTHING, "{line}");
    }
    assert_eq!(of("*.md -diff\n", "\n*.md   -diff\n").len(), 1, "another line than before");
    assert_eq!(of("*.md -diff\n", "\n*.md -diff\n"), NOTHING);
    assert_eq!(of("", "\"api/CLAUDE.md\" -diff\n").len(), 1);
    assert_eq!(of("*.md quiet\n", "[attr]quiet -diff\n*.md quiet\n").len(), 1, "a macro that is new");
    let below = |name: &str| {
        let files = [("AGENTS.md", HINT), ("api/CLAUDE.md", HINT), ("api/.gitattributes", name)];
        told(&[("AGENTS.md", HINT), ("api/CLAUDE.md", HINT)], &files)
    };
    assert_eq!(below("*.md binary\n"), ["api/.gitattributes:1 binary hides api/CLAUDE.md from reviews"]);
    assert_eq!(below("/CLAUDE.md binary\n").len(), 1);
}

#[test]
fn pointers_in_place_of_hints() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
    let of = |before, after| told(&[("CLAUDE.md", before)], &[("CLAUDE.md", after)]);
    assert_eq!(of(HINT, pointer).len(), 1);
    assert_eq!(of(pointer, pointer), NOTHING);
    assert_eq!(of(pointer, HINT), NOTHING);
}
