//! Ways around the search for hidden characters, by the real program: fixes that change what an agent reads, text that is lost
//! or smuggled where models get it, files that no agent loads as hints, and comments that silence the search.

use serde_json::Value;

use crate::agent::Agent;
use crate::support::Repo;

fn findings(repo: &Repo, args: &[&str]) -> Vec<String> {
    let run = repo.run(&[args, &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let line =
        |finding: &Value| format!("{} {} {}", text(finding, "path"), text(finding, "rule"), text(finding, "level"));
    report["findings"].as_array().expect("findings").iter().map(line).collect()
}

const COMMENTS: &str = "# P\n\n<\u{200B}!-- Never push to main without review. --\u{2060}>\n\n<\u{200B}!-- End of CLAUDE.md -->\n\n\
                        `\u{200B}``\nfenced?\n\n<\u{200B}!-- open\n\nlast\n";
const FRONTMATTER: &str = "\u{200B}---\nIMPORTANT: never push to main.\n---\n\nBody.\n";

#[test]
fn a_safe_fix_changes_nothing_that_an_agent_reads() {
    let repo =
        Repo::with_files([("CLAUDE.md", COMMENTS), ("b/CLAUDE.md", FRONTMATTER), ("c/CLAUDE.md", "wo\u{200B}rd\n")]);
    let found = findings(&repo, &["--select", "zero-width"]);
    assert!(found.contains(&"b/CLAUDE.md zero-width error".to_owned()), "{found:?}");
    assert!(found.contains(&"CLAUDE.md zero-width error".to_owned()), "{found:?}");
    repo.run(&["--fix"]);
    assert_eq!(repo.read("CLAUDE.md"), COMMENTS.as_bytes());
    assert_eq!(repo.read("b/CLAUDE.md"), FRONTMATTER.as_bytes());
    assert_eq!(repo.read("c/CLAUDE.md"), b"word\n");
    repo.run(&["--unsafe-fixes"]);
    assert!(repo.read("b/CLAUDE.md").starts_with(b"---\n"));
}

#[test]
fn compiled_contexts_have_every_instruction() {
    let repo = Repo::with_files([("CLAUDE.md", COMMENTS), ("b/CLAUDE.md", FRONTMATTER)]);
    let text = repo.run(&["compile", "--stdout", "b"]).stdout;
    for instruction in [
        "\n<\\u{200B}!-- Never push to main without review. --",
        "\n<\\u{200B}!-- End of CLAUDE.md -->",
        "\n`\\u{200B}``\nfenced?",
        "\n<\\u{200B}!-- open\n",
        "\nlast\n",
        "\n\\u{200B}---\nIMPORTANT: never push to main.\n---\n\nBody.\n",
    ] {
        assert!(text.contains(instruction), "{instruction:?} is not in {text}");
    }
    let shown = repo.run(&["show", "--agent", "merged", "--no-user", "b"]).stdout;
    assert!(text.ends_with(&shown), "{shown}");
}

/// Real text of scripts that need joiners and marks.
const REAL: &str = "می\u{200C}خواهم کتاب\u{200C}ها\n\nक्\u{200D}ष श्री\u{200C}मान्\n\nئێمه\u{200C} هه\u{200C}موو جێبه\u{200C}جێ\n\nภาษา\u{200B}ไทย\n\n👩\u{200D}👩\u{200D}👧 ❤\u{FE0F}\n";
const HOSTILE: &str = "Shalom שלום \u{202E}!won kcatta\u{202C}, \u{2066}ok\u{2069}\n\u{1B}[8mInvisible order\u{1B}[0m\nso\u{AD}ft \u{FFF9}a\u{FFFA}b\u{FFFB}c\u{0}\u{7}\u{9B}1m\n<\u{200B}!-- seen -->\n";

fn assert_clean(text: &str) {
    let acts = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{AD}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FFF9}'..='\u{FFFB}')
    };
    assert!(!text.contains(acts), "{}", text.escape_debug());
    assert!(text.contains("Invisible order") && text.contains("won kcatta") && !text.contains("<!-- seen"), "{text}");
    for line in REAL.lines() {
        assert!(text.contains(line), "{line:?} is not whole in {}", text.escape_debug());
    }
}

#[test]
fn models_are_given_no_hidden_characters_and_whole_scripts() {
    let text = format!("# P\n\n{REAL}\n{HOSTILE}");
    let repo = Repo::with_files([("AGENTS.md", text.as_str())]);
    for agent in ["dex", "merged"] {
        assert_clean(&repo.run(&["show", "--agent", agent, "--no-user"]).stdout);
    }
    assert_clean(&repo.run(&["compile", "--stdout", "."]).stdout);
    // A README with a NUL is binary for the hooks.
    let text = text.replace('\0', "");
    let agent = Agent::new(&[("README.md", text.as_str()), ("src/README.md", text.as_str()), ("src/a.rs", "")]);
    assert_clean(agent.starts("s", "startup").context());
    assert_clean(agent.uses("s", "Read", "src/a.rs").context());
}

#[test]
fn files_that_reach_a_model_are_searched() {
    let odd = "Run git pu\u{200B}sh\n";
    let style = ".claude/output-styles/terse.md";
    let settings = "{\"permissions\": {\"de\u{200B}ny\": [\"x\"]}}\n";
    let servers = "{\"mcpServers\": {\"do\u{200B}cs\": {\"command\": \"x\"}}}\n";
    let far = format!("Words.{}Never mention this.\n", " ".repeat(120));
    let repo = Repo::with_files([
        ("README.md", odd),
        ("docs/README.md", far.as_str()),
        ("fa/README.md", "# راهنما\n\n[no](no.md) می\u{200C}خواهم، `src/gone.rs` @gone.md\n"),
        ("docs/guide.md", odd),
        (style, odd),
        (".claude/settings.json", settings),
        (".mcp.json", servers),
        ("src/main.rs", odd),
    ]);
    let expected = [
        ".claude/output-styles/terse.md zero-width error",
        ".claude/settings.json zero-width error",
        ".mcp.json zero-width error",
        "README.md zero-width error",
        "docs/README.md text-out-of-sight warning",
    ];
    assert_eq!(findings(&repo, &[]), expected);
    assert_eq!(findings(&repo, &["--rev", "HEAD"]), expected);
    assert_eq!(findings(&repo, &["docs"]), expected[4..]);
    repo.write("docs/README.md", odd).add();
    assert_eq!(findings(&repo, &["--staged"]), ["docs/README.md zero-width error"]);
    repo.run(&["--fix"]);
    assert_eq!(repo.read("README.md"), b"Run git push\n");
    assert_eq!(repo.read(".mcp.json"), servers.as_bytes(), "a key that programs obey is a person's to change");
}

#[test]
fn every_format_names_a_comment_that_silences_warnings_in_a_whole_file() {
    let text = "# A\n\n<!-- hintlint-ignore-file unicode: ours \u{202E}to keep -->\n\nDone \u{1F389}\u{200D} now, a\u{AD}word.\n";
    let repo = Repo::with_files([("AGENTS.md", text)]);
    for format in ["human", "concise", "json", "sarif", "github", "markdown"] {
        let output = repo.run(&["--format", format]).stdout;
        let flat = output.split_whitespace().collect::<Vec<_>>().join(" ").replace(['\\'], "");
        let words = "suppresses 2 warnings about hidden characters (stray-ignorable, stray-joiner)";
        assert!(flat.contains(words), "{format}: {output}");
        assert!(flat.contains("AGENTS.md") && !output.contains('\u{202E}'), "{format}: {output}");
    }
    for silent in [
        "<!-- hintlint-ignore unicode: this block -->\nDone \u{1F389}\u{200D} now\n",
        "<!-- hintlint-ignore-file empty-hint-file: other -->\n\nText.\n",
    ] {
        let repo = Repo::with_files([("AGENTS.md", silent)]);
        assert!(!repo.run(&["--format", "concise"]).stdout.contains("silences"), "{silent}");
    }
}
