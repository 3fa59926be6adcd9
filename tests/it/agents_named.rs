//! Agents are named in their own files. Outside `src/agents` no code holds an agent's id or the name of one of its files;
//! documentation, tests and the exceptions below apart.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hintlint::agents;
use hintlint::agents::files::PathSet;

/// Literals that stand outside `src/agents` all the same: the file, the literal, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("cli/compile.rs", "such as AGENTS.md or CLAUDE.md", "an example"),
    ("config/keys.rs", "dex", "`[dex]` is a section of our own config"),
    (
        "config/keys.rs",
        "[\".dexhints\", \"DEX.md\", \"AGENTS.md\", \"CLAUDE.md\"]",
        "its default, as the schema shows it",
    ),
    (
        "config/keys.rs",
        "[\"PLAN.md\", \".claude/PLAN.md\", \"docs/plans/**/*.md\", \"docs/superpowers/plans/**/*.md\", \".kiro/specs/*/tasks.md\", \".omc/plans/*.md\", \".sisyphus/plans/*.md\"]",
        "the default of `[plans] paths`, as the schema shows it",
    ),
    ("config/keys.rs", "claude", "a provider of models in `[search]`, by an older tool's name for it"),
    ("config/mod.rs", ".claude/PLAN.md", "the default of `[plans] paths`"),
    ("config/mod.rs", ".kiro/specs/*/tasks.md", "the default of `[plans] paths`"),
    ("config/mod.rs", ".omc/plans/*.md", "the default of `[plans] paths`"),
    ("config/mod.rs", "dex", "`[dex]` is a section of our own config"),
    ("config/mod.rs", ".dexhints", "the default of `[dex] filenames`"),
    ("config/mod.rs", "DEX.md", "the default of `[dex] filenames`"),
    ("config/mod.rs", "CLAUDE.md", "the default of `[dex] filenames`"),
    ("config/read.rs", "dex", "`[dex]` is a section of our own config"),
    ("library/llm/anthropic.rs", "claude", "what settings of an older tool call the provider"),
    ("config/values.rs", "dex", "`[dex]` is a section of our own config"),
    (
        "report/human/summary.rs",
        "No hint files found, such as AGENTS.md or CLAUDE.md; nothing was checked.\n",
        "an example",
    ),
    ("rules/context/conditional_never_applies.rs", "claude", "the rule's card says that it is about this agent"),
    ("rules/context/conditional_never_applies.rs", "cursor", "the rule's card says that it is about this agent"),
    ("rules/context/conditional_never_applies.rs", "copilot", "the rule's card says that it is about this agent"),
    (
        "rules/context/conditional_never_applies.rs",
        ".claude/rules/",
        "the rule's card says that it is about this agent",
    ),
    (
        "rules/context/conditional_never_applies.rs",
        "write it relative to the directory that holds `.claude`",
        "the rule's card says that it is about this agent",
    ),
    ("rules/imports/untracked_import.rs", "import it from a personal file such as CLAUDE.local.md", "an example"),
];

/// Names of the tables that say nothing of an agent: they belong to git, to GitHub or to nobody.
const SHARED: &[&str] = &[
    ".config",
    ".github",
    ".gitignore",
    ".mcp.json",
    "AGENTS.md",
    "mcp.json",
    "plugin.json",
    "settings.json",
    "config.toml",
    "hooks.json",
];

#[test]
fn no_agent_is_named_outside_its_folder() {
    let ids: BTreeSet<&str> = agents::ids().filter(|id| *id != "merged").collect();
    let names = names();
    assert!(ids.contains("codex") && names.contains("CLAUDE.md") && names.contains(".claude"), "{ids:?} {names:?}");
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut unused: Vec<_> = EXCEPTIONS.to_vec();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in sources(&src) {
        let text = std::fs::read_to_string(&file).expect("a source file can be read");
        let file = file.strip_prefix(&src).expect("it lies there").to_string_lossy().into_owned();
        for literal in literals(&without_tests(&text)) {
            seen += 1;
            let named = ids.contains(literal.as_str()) || literal.split(is_apart).any(|part| names.contains(part));
            if !named {
                continue;
            }
            unused.retain(|(path, known, _)| (*path, *known) != (&file, &literal));
            if !EXCEPTIONS.iter().any(|(path, known, _)| (*path, *known) == (&file, &literal)) {
                wrong.push(format!("{file}: {literal:?}"));
            }
        }
    }
    assert!(seen > 1000, "only {seen} literals were found");
    assert!(wrong.is_empty(), "agents are named outside src/agents:\n{}", wrong.join("\n"));
    assert!(unused.is_empty(), "exceptions that nothing needs:\n{unused:#?}");
}

/// What parts the names in a path or a sentence.
fn is_apart(c: char) -> bool {
    c.is_whitespace() || "/`\"'(),;:*[]{}\0".contains(c)
}

/// The names of all agents' files and folders.
fn names() -> BTreeSet<&'static str> {
    let mut paths: Vec<&'static str> = Vec::new();
    for files in agents::ALL.iter().map(|dialect| dialect.files) {
        let signs = [files.signs, files.run_signs];
        let lists = [files.folders, files.skill_folders, files.settings, files.other_settings, files.prompts];
        paths.extend(signs.into_iter().chain(lists).flatten().copied());
        paths.extend(files.hints.iter().map(|hint| match hint.place {
            PathSet::Name(path) | PathSet::NameInAnyCase(path) | PathSet::NamePrefix(path) => path,
            PathSet::End(path) | PathSet::Below(path, _) => path,
        }));
    }
    let parts =
        paths.into_iter().flat_map(|path| path.split('/').filter(|part| part.starts_with('.') || part.contains('.')));
    parts.filter(|part| !SHARED.contains(part)).collect()
}

/// The source files outside `src/agents` that are compiled into the program.
fn sources(src: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![src.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).expect("a folder can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() && path != src.join("agents") {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    // Modules that only tests have.
    let tests: Vec<PathBuf> = found.iter().flat_map(|file| test_modules(file)).collect();
    found.retain(|file| !tests.iter().any(|module| file.with_extension("") == *module || file.starts_with(module)));
    found
}

/// The files, without their extension, that `file` declares as modules of its tests.
fn test_modules(file: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(file).expect("a source file can be read");
    let is_root = ["mod.rs", "lib.rs", "main.rs"].iter().any(|name| file.ends_with(name));
    let dir = if is_root { file.parent().expect("it lies in a folder").to_owned() } else { file.with_extension("") };
    let declared = text.split("#[cfg(test)]\n").skip(1).filter_map(|rest| {
        let line = rest.lines().next()?.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
        Some(dir.join(line.strip_prefix("mod ")?.strip_suffix(';')?))
    });
    declared.collect()
}

/// The text without the items that only tests have.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        if line.trim() != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        // As rustfmt writes it, an item ends with the first line of its own indent that closes it.
        let ends = |line: &str| {
            let own = line.len() - line.trim_start().len() == indent;
            own && (line.ends_with(';') || line.ends_with(',') || line.trim_start().starts_with('}'))
        };
        let _ = lines.by_ref().find(|line| ends(line));
    }
    kept
}

/// The string literals of a program, but for those in attributes, in rules' cards and in evidence.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    // Where the documentation that we are in ends.
    let mut documented = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let documents = ["#[", "RuleInfo {", "Evidence {", "doc("].iter().any(|start| rest.starts_with(start));
        if documents && at >= documented {
            documented = at + end_of(rest);
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\") {
            at += 2 + rest[2..].find('\'').map_or(1, |end| end + 1);
        } else if let Some((literal, length)) = literal(rest) {
            if at >= documented {
                found.push(literal);
            }
            at += length;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Where the brackets that `text` opens first are closed again.
fn end_of(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let rest = &text[at..];
        if let Some((_, length)) = literal(rest) {
            at += length;
            continue;
        }
        match rest.as_bytes()[0] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    text.len()
}

/// The string literal at the beginning of `text`, and how long it is as written.
fn literal(text: &str) -> Option<(String, usize)> {
    if let Some(raw) = text.strip_prefix("r#\"") {
        let end = raw.find("\"#")?;
        return Some((raw[..end].to_owned(), end + 5));
    }
    let inner = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = inner.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, at + 2)),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                '\n' => {}
                other => value.push(other),
            },
            c => value.push(c),
        }
    }
    None
}

#[test]
fn the_search_sees_literals_and_nothing_else() {
    let text = "fn f() { g(\"a\", b\"b\", r#\"c \"c\"#, '\"', \"d\\\"e\"); } // \"no\"\n#[doc = \"no\"]\n\
                static INFO: RuleInfo = RuleInfo { explanation: \"no {\", x: [\"no\"] };\nconst X: &str = \"f\";\n\
                #[cfg(test)]\nmod tests {\n    const Y: &str = \"no\";\n}\n";
    assert_eq!(literals(&without_tests(text)), ["a", "b", "c \"c", "d\"e", "f"]);
}

/// The files with the types of the agents' tables.
const TABLES: [&str; 6] = [
    "agents/mod.rs",
    "agents/shared/bundles.rs",
    "agents/shared/files.rs",
    "agents/shared/files/skills.rs",
    "base/fields.rs",
    "base/kind.rs",
];

/// A field that nothing reads would be believed and do nothing. The compiler refuses one that only this crate sees; one that
/// these tests see too is looked for in the text.
#[test]
fn every_field_of_the_tables_has_a_reader() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = |file: &PathBuf| std::fs::read_to_string(file).expect("a source file can be read");
    let readers = [sources(&src), sources(&src.join("agents/shared"))].concat();
    let code: Vec<String> = readers.iter().map(|file| without_tests(&text(file))).collect();
    let is_read = |field: &str| {
        let behind = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '(');
        code.iter().any(|text| text.split(&format!(".{field}")).skip(1).any(behind))
    };
    let mut crates_own = 0;
    for table in TABLES {
        let text = text(&src.join(table));
        for line in text.lines().filter(|line| line.starts_with("    pub") && line.ends_with(',')) {
            let (declared, _) = line.trim_start().split_once(": ").expect("a field and its type");
            match declared.strip_prefix("pub ") {
                Some(field) => assert!(is_read(field), "{table}: nothing reads `{field}`"),
                None => crates_own += 1,
            }
        }
    }
    assert!(crates_own > 80, "only {crates_own} fields are the crate's own");
    assert!(!is_read("touches_nothing"), "the search finds what is not there");
}
