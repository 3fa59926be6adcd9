//! Imports that an agent skips, and near misses.

use crate::rules::testing::{lines, repository};

fn check(config: &str, name: &str, text: &str) -> Vec<String> {
    let files = [(name, text), ("docs/a.md", "x\n"), ("docs/b.mdx", "x\n"), ("src/main.rs", "x\n")];
    let found = lines("import-not-loaded", config, &files);
    found.into_iter().filter(|line| !line.contains("not always loaded")).collect()
}

const CLAUDE: &str = "Claude Code 2.1.330";

#[test]
fn punctuation_extension_and_grammar() {
    for (text, place, why) in [
        (
            "See @docs/a.md, please.\n",
            "4-14",
            format!("`@docs/a.md` is not loaded: {CLAUDE} takes the `,` after it as part of the path"),
        ),
        (
            "See @docs/a.md.\n",
            "4-14",
            format!("`@docs/a.md` is not loaded: {CLAUDE} takes the `.` after it as part of the path"),
        ),
        ("@docs/b.mdx\n", "0-11", format!("`@docs/b.mdx` is not loaded: {CLAUDE} imports no .mdx files")),
        ("x (@docs/a.md y)\n", "3-13", format!("`@docs/a.md` is not loaded: {CLAUDE} sees no import after `(`")),
        ("`@docs/a.md`\n", "1-11", format!("`@docs/a.md` is not loaded: {CLAUDE} imports nothing in code")),
        ("```\n@docs/a.md\n```\n", "4-14", format!("`@docs/a.md` is not loaded: {CLAUDE} imports nothing in code")),
    ] {
        assert_eq!(check("", "CLAUDE.md", text), [format!("CLAUDE.md:{place} warning {why}")], "{text:?}");
    }
}

#[test]
fn a_sentence_that_sends_to_the_file_is_an_info() {
    let level =
        |text: &str| check("", "AGENTS.md", text).iter().map(|line| line.contains(" info ")).collect::<Vec<_>>();
    assert_eq!(level("- Follow the @docs/a.md rules\n"), [true]);
    assert_eq!(level("read @docs/a.md\n"), [true]);
    assert_eq!(level("- The rules: @docs/a.md\n"), [false]);
}

#[test]
fn a_file_that_settings_name_is_read_for_imports() {
    let of = |settings: &str| {
        let files =
            [("AGENTS.md", "See @docs/a.md first.\n"), ("docs/a.md", "x\n"), (".gemini/settings.json", settings)];
        lines("import-not-loaded", "agents = [\"gemini\"]\n", &files)
    };
    assert_eq!(of("{\"context\": {\"fileName\": [\"AGENTS.md\"]}}"), [""; 0]);
    let punctuated = [
        ("AGENTS.md", "See @docs/a.md, please.\n"),
        ("docs/a.md", "x\n"),
        (".gemini/settings.json", "{\"context\": {\"fileName\": [\"AGENTS.md\"]}}"),
    ];
    assert_eq!(lines("import-not-loaded", "agents = [\"gemini\"]\n", &punctuated).len(), 1);
}

#[test]
fn what_is_loaded_or_no_import_is_left_alone() {
    for text in [
        "gemini -p \"@docs/a.md Explain it\"\n",
        "@docs/a.md\n",
        "- **@docs/a.md**\n",
        "@docs/a.md#part\n",
        "<!-- @docs/a.md -->\n",
        "Mail me@docs/a.md, or @types/node and @user.\n",
        "@docs/none.md,\n",
        "@src\n",
    ] {
        assert_eq!(check("", "CLAUDE.md", text), [""; 0], "{text:?}");
    }
    let mention = check("", "CLAUDE.md", "Do not import `@docs/a.md` here.\n");
    assert!(mention.len() == 1 && mention[0].contains(" info "), "{mention:?}");
}

#[test]
fn agents_without_imports() {
    let codex = "OpenAI Codex CLI 0.169.0 has no imports";
    assert_eq!(
        check("", "AGENTS.md", "See @docs/a.md.\n"),
        [format!("AGENTS.md:4-14 warning `@docs/a.md` is not loaded: {codex}")]
    );
    assert_eq!(check("", "AGENTS.md", "See `@docs/a.md`.\n"), [""; 0]);
    assert_eq!(
        check("", "AGENTS.md", "@docs/none.md\n"),
        [format!("AGENTS.md:0-13 warning `@docs/none.md` is not loaded: {codex}, and there is no such file")]
    );
    let both = check("agents = [\"claude\", \"codex\"]\n", "AGENTS.md", "@docs/a.md\n");
    assert_eq!(both, [format!("AGENTS.md:0-10 warning `@docs/a.md` is not loaded: {codex}")]);
    assert_eq!(check("agents = [\"claude\"]\n", "AGENTS.md", "@docs/a.md\n"), [""; 0]);
}

#[test]
fn a_missing_file_is_reported_once() {
    for (name, rule) in [("AGENTS.md", "import-not-loaded"), ("CLAUDE.md", "missing-import")] {
        let found = repository("imports", "", &[(name, "@docs/none.md\n"), ("docs/a.md", "x")]);
        assert_eq!(found.iter().map(|finding| finding.rule).collect::<Vec<_>>(), [rule], "{name}");
    }
    let found = repository("imports", "[compile]\n", &[("AGENTS.md", "@docs/none.md\n")]);
    assert_eq!(found.iter().map(|finding| finding.rule).collect::<Vec<_>>(), ["missing-import"]);
}

#[test]
fn one_finding_names_all_agents() {
    let config = "agents = [\"claude\", \"gemini\", \"codex\", \"opencode\"]\n";
    let files = [("GEMINI.md", "@docs/a.md,\n"), ("CLAUDE.md", "@docs/a.md,\n"), ("docs/a.md", "x")];
    let found = repository("import-not-loaded", config, &files);
    let agents: Vec<_> = found.iter().map(|finding| (finding.path.to_str_lossy(), finding.agents.clone())).collect();
    assert_eq!(agents, [("CLAUDE.md".into(), vec!["claude", "opencode"]), ("GEMINI.md".into(), vec!["gemini"])]);
}

#[test]
fn a_file_that_the_agent_finds_by_itself_is_loaded() {
    let files =
        [("AGENTS.override.md", "@../AGENTS.md x"), ("a/AGENTS.md", "See @../AGENTS.md.\n"), ("AGENTS.md", "x")];
    assert_eq!(lines("import-not-loaded", "agents = [\"goose\"]\n", &files[1..]), [""; 0]);
    assert_eq!(lines("import-not-loaded", "", &files[1..]), [""; 0]);
}

#[test]
fn a_start_in_a_subdirectory_is_told_once() {
    let files = [("CLAUDE.md", "@docs/a.md\n"), ("docs/a.md", "x"), ("src/x", "")];
    assert_eq!(
        lines("import-not-loaded", "", &files),
        [format!(
            "CLAUDE.md:0-10 info `@docs/a.md` is not always loaded: {CLAUDE} loads it only when started in the repository's root"
        )]
    );
    assert_eq!(lines("import-not-loaded", "", &files[..2]), [""; 0]);
}

#[test]
fn what_an_imported_file_imports_in_turn_is_loaded() {
    let of = |gemini: &str| {
        let files = [("GEMINI.md", gemini), ("AGENTS.md", "# A\n\n@docs/a.md\n\nText.\n"), ("docs/a.md", "x\n")];
        let found = lines("import-not-loaded", "agents = [\"gemini\", \"codex\"]\n", &files);
        found.into_iter().filter(|line| line.starts_with("AGENTS.md:")).collect::<Vec<_>>()
    };
    let [only] = &of("@AGENTS.md\n")[..] else { panic!("Codex imports nothing") };
    assert!(!only.contains("Gemini"), "{only}");
}
