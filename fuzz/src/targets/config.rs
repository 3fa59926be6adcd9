//! Any text is a config, or a list of problems with places inside it.

use std::path::Path;

use hintlint::config::Config;

use super::seeds;

pub(crate) fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Err(error) = Config::parse(&"hintlint.toml".into(), text) {
        assert!(!error.problems.is_empty(), "a config is refused without a reason");
        for problem in &error.problems {
            assert!(text.get(problem.span.range()).is_some(), "{problem:?} lies outside the text");
        }
    }
}

pub(crate) fn seeds(fixtures: &Path) -> Vec<Vec<u8>> {
    let mut seeds = seeds::files_named(fixtures, &|name| name.ends_with(".toml"));
    seeds.push(
        br#"agents = ["claude", "codex"]
exclude = ["vendor/**"]
[rules]
unclosed-fence = "off"
hidden-tags = { allow = ["docs/**"] }
[[overrides]]
paths = ["skills/**"]
rules = { frontmatter = "warning" }
[limits]
import-depth = 3
[compile]
output = ".hintlint/context"
agents = ["merged"]
[dex]
filenames = [".dexhints"]
"#
        .to_vec(),
    );
    seeds
}
