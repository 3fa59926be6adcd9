//! The files that `hintlint init` writes, as text. Knows no file system.

use crate::config::KEYS;

/// The address of the project; a config that names it has the hooks.
pub(super) const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The tag of this version.
fn tag() -> String {
    format!("v{}", env!("CARGO_PKG_VERSION"))
}

/// `hintlint.toml`: every key with its default, all of it commented out, so that the file changes nothing.
pub(super) fn config() -> String {
    let mut text = String::from(
        "# What hintlint checks, and how. Everything is optional; what is commented out shows the default.\n\
         # `hintlint schema` prints this file's JSON Schema, `hintlint rules` lists the rules.\n",
    );
    let mut table = "";
    for key in KEYS {
        if key.table != table {
            table = key.table;
            text.push_str(&format!("\n# [{table}]\n{}", about_table(table)));
        }
        let example = example(key.name);
        text.push_str(&match (table, example) {
            ("", Some(example)) => format!("\n# {}\n{example}", key.about),
            ("", None) => format!("\n# {}\n# {} = {}\n", key.about, key.name, key.default),
            _ => format!("# {} = {} # {}\n", key.name, key.default, key.about),
        });
    }
    text
}

/// What is worth knowing before a table is uncommented.
fn about_table(table: &str) -> &'static str {
    match table {
        "compile" => "# Its presence makes the linter report artifacts that are missing or stale.\n",
        _ => "",
    }
}

/// Tables of tables say more by an example than by an empty default.
fn example(key: &str) -> Option<&'static str> {
    match key {
        "rules" => Some(
            "# [rules]\n# unclosed-fence = \"off\" # error, warning, info or off\n\
             # private-use-run = { level = \"info\", allow = [\"docs/icons.md\"] }\n",
        ),
        "overrides" => Some("# [[overrides]]\n# paths = [\"skills/**\"]\n# rules = { frontmatter = \"warning\" }\n"),
        _ => None,
    }
}

/// `.dexhints`
pub(super) const HINTS: &str = "\
# Project hints

What an agent cannot see in the code. Short and true beats complete; a line that is only `@path` imports a file.

## Testing

- How to run all tests, and one of them.
- What must pass before a change is done.

## Code Style

- What the formatter and the linter do not enforce.

## Architecture

- Where things are, and which way the dependencies point.
";

/// The repository of the hooks that install the program instead of building it.
const HOOKS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "-pre-commit");

/// The hook that lints, fixes and compiles in one run, so that each edit is reported once.
const HOOK: &str = "hintlint-update";

/// The entry of one repository for `.pre-commit-config.yaml`.
pub(super) fn pre_commit_entry() -> String {
    format!("  - repo: {HOOKS}\n    rev: {}\n    hooks:\n      - id: {HOOK}\n", tag())
}

/// The same for `prek.toml`.
pub(super) fn prek_entry() -> String {
    format!("[[repos]]\nrepo = \"{HOOKS}\"\nrev = \"{}\"\nhooks = [{{ id = \"{HOOK}\" }}]\n", tag())
}

/// `.pre-commit-config.yaml`
pub(super) fn pre_commit() -> String {
    format!(
        "# Run `pre-commit install` (or `prek install`) once in each clone.\n\
         default_install_hook_types: [pre-commit, pre-merge-commit]\nrepos:\n{}",
        pre_commit_entry()
    )
}

/// `.github/workflows/hintlint.yml`
pub(super) fn workflow() -> String {
    format!(
        "\
name: hintlint

on:
  push:
    branches: [main, master]
  pull_request:

permissions: {{}}

concurrency:
  group: ${{{{ github.workflow }}}}-${{{{ github.ref }}}}
  cancel-in-progress: true

jobs:
  hintlint:
    name: hint files
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      contents: read # to check out the repository
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          fetch-depth: 0 # history tells a file that was renamed from one that never was
          persist-credentials: false
      - name: Install hintlint
        run: pipx install hintlint=={version}
      - name: Check the hint files
        run: hintlint ci
",
        version = env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn parse(text: &str) -> Config {
        Config::parse(&"hintlint.toml".into(), text).unwrap()
    }

    #[test]
    fn the_config_changes_nothing() {
        let mut read = parse(&config());
        (read.path, read.sources) = (None, Vec::new());
        assert_eq!(format!("{read:?}"), format!("{:?}", Config::default()));
        assert!(config().lines().all(|line| line.is_empty() || line.starts_with('#')));
    }

    #[test]
    fn the_config_is_right_when_uncommented() {
        let settings = |line: &&str| {
            let line = line.trim_start_matches("# ");
            line.starts_with('[') || line.split(' ').nth(1) == Some("=")
        };
        let text: String = config().lines().filter(settings).map(|line| format!("{}\n", &line[2..])).collect();
        let read = parse(&text);
        assert!(read.compile_configured, "{text}");
        assert_eq!((read.rules.len(), read.overrides.len()), (2, 1), "{text}");
        let known = |name: &str| crate::rules::find(name).is_some() || name == "frontmatter";
        let unknown: Vec<_> = read.rules.iter().filter(|rule| !known(&rule.name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        for key in KEYS {
            assert!(config().contains(key.about), "{}.{}", key.table, key.name);
        }
    }
}
