//! Languages that the repository had and has no more, by the files with which their projects begin: a rule for such files outlived
//! them. One for a language that was never here may wait for it. Asks history for names of files.

use crate::base::path::{self, RepoPath};
use crate::parse::patterns;
use crate::rules::Cx;
use crate::source::history::Questions;

/// Endings of files, and the names of files with which a project in that language begins.
const LANGUAGES: [(&[&str], &[&str]); 12] = [
    (&["ts", "tsx", "js", "jsx", "mjs", "cjs", "vue", "svelte"], &["package.json", "tsconfig.json", "deno.json"]),
    (&["py"], &["pyproject.toml", "requirements.txt", "setup.py"]),
    (&["rs"], &["Cargo.toml"]),
    (&["go"], &["go.mod"]),
    (&["rb", "erb"], &["Gemfile"]),
    (&["java", "kt", "kts"], &["pom.xml", "build.gradle", "build.gradle.kts"]),
    (&["swift"], &["Package.swift", "Podfile"]),
    (&["php"], &["composer.json"]),
    (&["dart"], &["pubspec.yaml"]),
    (&["ex", "exs"], &["mix.exs"]),
    (&["scala"], &["build.sbt"]),
    (&["c", "cc", "cpp", "h", "hpp"], &["CMakeLists.txt", "Makefile"]),
];

/// Ask whether such files were removed, for the patterns of endings that no file has now.
pub(super) fn ask(cx: &Cx<'_>, questions: &mut Questions) {
    let listing = &cx.workspace.listing;
    let documents = cx.workspace.in_focus().filter(|document| !document.kind.patterns().is_empty());
    for pattern in documents.flat_map(|document| patterns::of(document).into_iter().take(super::MAX_PATTERNS)) {
        let names = beginnings(&pattern.text);
        // Where such a file is there, the language is.
        if names.iter().all(|name| listing.with_name(name.as_bytes()).is_empty()) {
            questions.endings.extend(names.into_iter().map(RepoPath::from));
        }
    }
}

/// Whether commits removed all files with which projects in the language of a pattern begin.
pub(super) fn was_removed(cx: &Cx<'_>, pattern: &str) -> bool {
    beginnings(pattern).into_iter().any(|name| {
        let is_here = !cx.workspace.listing.with_name(name.as_bytes()).is_empty();
        !is_here && cx.answers.endings.get(&RepoPath::from(name)).is_some_and(|paths| !paths.is_empty())
    })
}

/// The names of the files with which projects begin in the languages whose endings the pattern has: `**/*.{ts,tsx}`.
fn beginnings(pattern: &str) -> Vec<&'static str> {
    let name = path::file_name(pattern.as_bytes());
    let Some(ends) = std::str::from_utf8(name).ok().and_then(|name| name.strip_prefix("*.")) else { return Vec::new() };
    let last = ends.rsplit_once('.').map_or(ends, |(_, last)| last);
    let endings: Vec<&str> = last.trim_matches(['{', '}']).split(',').map(str::trim).collect();
    let is_of = |known: &&[&str]| endings.iter().any(|ending| known.contains(ending));
    LANGUAGES.iter().filter(|(known, _)| is_of(known)).flat_map(|(_, names)| names.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_name_their_languages() {
        assert_eq!(beginnings("**/*.rs"), ["Cargo.toml"]);
        assert_eq!(beginnings("*.{rb,erb}"), ["Gemfile"]);
        assert_eq!(beginnings("src/*.spec.py"), ["pyproject.toml", "requirements.txt", "setup.py"]);
        for pattern in ["src/**", "*.md", "Cargo.toml", "*.{x"] {
            assert_eq!(beginnings(pattern), [""; 0], "{pattern}");
        }
    }
}
