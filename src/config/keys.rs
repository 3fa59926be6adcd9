//! The config's keys as data: the reader, the suggestions, `hintlint init` and `hintlint schema` all read this table.

use crate::base::text::edit_distance;

/// What a key's value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyKind {
    /// A string.
    String,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of strings.
    Strings,
    /// `"auto"` or a list of agents' names.
    Agents,
    /// A whole number above zero.
    Number,
    /// `true` or `false`.
    Bool,
    /// A table of rule settings.
    Rules,
    /// A list of tables.
    Overrides,
}

/// One key of the config.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConfigKey {
    /// The table it stands in; empty for the top level.
    pub table: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What its value must be.
    pub kind: KeyKind,
    /// The default, as TOML; empty where there is none.
    pub default: &'static str,
    /// One sentence on what it does.
    pub about: &'static str,
}

const fn key(
    table: &'static str,
    name: &'static str,
    kind: KeyKind,
    default: &'static str,
    about: &'static str,
) -> ConfigKey {
    ConfigKey { table, name, kind, default, about }
}

/// All keys, in the order in which they are documented.
pub(crate) const KEYS: &[ConfigKey] = &[
    key(
        "",
        "agents",
        KeyKind::Agents,
        "\"auto\"",
        "The agents whose rules are applied; \"auto\" finds them by their files.",
    ),
    key(
        "",
        "extends",
        KeyKind::Strings,
        "[]",
        "Other configs of this repository, relative to this file; later ones override earlier ones, and this file overrides all.",
    ),
    key("", "exclude", KeyKind::Strings, "[]", "Files that are not checked, in gitignore syntax."),
    key("", "rules", KeyKind::Rules, "{}", "Levels of rules, groups or `all`, or tables with `level` and `allow`."),
    key("", "overrides", KeyKind::Overrides, "[]", "Rule settings for some paths only."),
    key("limits", "import-depth", KeyKind::Number, "3", "How many imports deep `merged` and `dex` follow."),
    key(
        "limits",
        "context-bytes",
        KeyKind::Number,
        "51200",
        "Limit in bytes: `merged` contexts over it are reported, `dex` contexts are cut.",
    ),
    key("compile", "output", KeyKind::String, "\".hintlint/context\"", "The folder of the context artifacts."),
    key("compile", "agents", KeyKind::Strings, "[\"merged\"]", "The agents that get artifacts."),
    key("compile", "inherit", KeyKind::Bool, "true", "Whether an artifact holds its ancestors' layers too."),
    key("compile", "directories", KeyKind::Strings, "[]", "Extra directories that get an artifact."),
    key(
        "plans",
        "paths",
        KeyKind::Strings,
        "[\"PLAN.md\", \".claude/PLAN.md\", \"docs/plans/**/*.md\", \"docs/superpowers/plans/**/*.md\", \".kiro/specs/*/tasks.md\", \".omc/plans/*.md\", \".sisyphus/plans/*.md\"]",
        "Where plans are, in gitignore syntax.",
    ),
    key(
        "hooks",
        "loops",
        KeyKind::Strings,
        "[]",
        "Commands that start a loop for the stop hook, besides /ralph-loop and its plugin's names.",
    ),
    key(
        "library",
        "paths",
        KeyKind::Strings,
        "[\"src/hints/**/*.md\"]",
        "Where the hint library is, in gitignore syntax.",
    ),
    key("packages", "path", KeyKind::String, "\"hints\"", "The folder of hint packages."),
    key(
        "baseline",
        "path",
        KeyKind::String,
        "\".hintlint/baseline.json\"",
        "The baseline file, which `hintlint baseline` writes.",
    ),
    key(
        "search",
        "provider",
        KeyKind::Choice(&["keyword", "ollama", "anthropic", "claude", "claude-agent", "openai"]),
        "\"keyword\"",
        "What selects the hints for a question: a ranking by words, or a model.",
    ),
    key("search", "model", KeyKind::String, "\"\"", "The model to ask; empty for the provider's default."),
    key("search", "host", KeyKind::String, "\"\"", "The address of the provider; empty for its default."),
    key("dex", "enabled", KeyKind::Bool, "true", "Whether dex hints are loaded at all."),
    key(
        "dex",
        "filenames",
        KeyKind::Strings,
        "[\".dexhints\", \"DEX.md\", \"AGENTS.md\", \"CLAUDE.md\"]",
        "The names that dex looks for in each directory, in order.",
    ),
];

/// The names that may stand in `table`: keys, and for the top level tables too.
pub(super) fn names_in(table: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = KEYS.iter().filter(|key| key.table == table).map(|key| key.name).collect();
    if table.is_empty() {
        for key in KEYS.iter().filter(|key| !key.table.is_empty()) {
            if !names.contains(&key.table) {
                names.push(key.table);
            }
        }
    }
    names
}

/// Of `names`, the one that `word` was probably meant to be.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + word.chars().count() / 4;
    let distance = |name: &&str| edit_distance(&word.to_lowercase().replace('_', "-"), name);
    names.into_iter().map(|name| (distance(&name), name)).filter(|&(far, _)| far <= limit).min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_near() {
        assert_eq!(nearest("exlcude", ["exclude", "agents"]), Some("exclude"));
        assert_eq!(nearest("import_depth", ["import-depth"]), Some("import-depth"));
        assert_eq!(nearest("zebra", ["exclude", "agents"]), None);
    }

    #[test]
    fn defaults_are_what_the_table_says() {
        for key in KEYS {
            let table = if key.table.is_empty() { String::new() } else { format!("[{}]\n", key.table) };
            let text = format!("{table}{} = {}\n", key.name, key.default);
            let read = super::super::Config::parse(&"hintlint.toml".into(), &text).unwrap();
            let plain = super::super::Config {
                path: read.path.clone(),
                sources: read.sources.clone(),
                origins: read.origins.clone(),
                compile_configured: read.compile_configured,
                search_configured: read.search_configured,
                ..Default::default()
            };
            assert_eq!(format!("{read:?}").replace("Some(\"\")", "None"), format!("{plain:?}"), "{text}");
        }
    }
}
