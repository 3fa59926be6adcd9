//! Files that projects have in place of each other: a text that names several of them is about any project.

use std::collections::BTreeSet;

/// Files of which a project has one or the other, in small letters, sorted. A text that names several of them is about any project.
const ALTERNATIVES: [&str; 54] = [
    ".env",
    ".env.example",
    ".env.local",
    ".eslintrc",
    ".eslintrc.js",
    ".eslintrc.json",
    ".prettierrc",
    ".prettierrc.json",
    "biome.json",
    "build.gradle",
    "build.gradle.kts",
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "cargo.toml",
    "composer.json",
    "composer.lock",
    "compose.yaml",
    "compose.yml",
    "deno.json",
    "deno.lock",
    "docker-compose.yaml",
    "docker-compose.yml",
    "dockerfile",
    "eslint.config.js",
    "eslint.config.mjs",
    "gemfile",
    "gemfile.lock",
    "go.mod",
    "go.sum",
    "jest.config.js",
    "jest.config.ts",
    "justfile",
    "makefile",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.json",
    "pdm.lock",
    "pipfile",
    "pipfile.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pom.xml",
    "pyproject.toml",
    "readme.md",
    "requirements.txt",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "tsconfig.json",
    "uv.lock",
    "vite.config.ts",
    "vitest.config.ts",
    "yarn.lock",
];

/// Whether a file of this name is one of which a project has one or the other.
pub(in crate::workspace::mentions) fn is_alternative(name: &str) -> bool {
    ALTERNATIVES.contains(&&*name.to_ascii_lowercase())
}

/// Whether a lone file name is one of several that its sentence names because projects differ in them.
pub(super) fn is_one_of_many(name: &str, sentence: &str) -> bool {
    let is_known = |word: &str| ALTERNATIVES.contains(&word);
    if !is_known(&name.to_ascii_lowercase()) {
        return false;
    }
    let words = sentence.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')));
    let others: BTreeSet<&str> = words.map(|word| word.trim_end_matches('.')).filter(|word| is_known(word)).collect();
    others.len() >= 2
}

/// Manifests, each of another language or tool.
const MANIFESTS: [&str; 11] = [
    "build.gradle",
    "cargo.toml",
    "composer.json",
    "gemfile",
    "go.mod",
    "mix.exs",
    "package.json",
    "pom.xml",
    "pubspec.yaml",
    "pyproject.toml",
    "requirements.txt",
];

/// Whether this is the name of a manifest.
pub(super) fn is_manifest(name: &str) -> bool {
    MANIFESTS.contains(&&*name.to_ascii_lowercase())
}

/// Whether a table tells projects apart by their manifests.
pub(super) fn tells_projects_apart(table: &str) -> bool {
    let table = table.to_ascii_lowercase();
    MANIFESTS.iter().filter(|manifest| table.contains(&format!("`{manifest}`"))).count() >= 4
}
