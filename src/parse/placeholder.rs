//! Whether a path is an illustration, by its text alone: `path/to/file.md`, `<name>.md`, `your-file.md`, `docs/NNN-title.md`.
//! Knows no listing.

/// File and folder names that stand for others.
const WORDS: &[&str] = &[
    "app-name",
    "app_name",
    "component-name",
    "component_name",
    "crate-name",
    "crate_name",
    "example",
    "feature-name",
    "feature_name",
    "file-name",
    "file_name",
    "filename",
    "module-name",
    "module_name",
    "mycomponent",
    "myfile",
    "newfeature",
    "package-name",
    "package_name",
    "placeholder",
    "plugin-name",
    "plugin_name",
    "project-name",
    "project_name",
    "script-name",
    "script_name",
    "service-name",
    "service_name",
    "skill-name",
    "skill_name",
    "something",
    "somefile",
    "whatever",
    "yourfile",
];

/// Words that make a name of several words nonsense.
const NONSENSE: &[&str] = &["foo", "bar", "baz", "qux", "xxx", "myfeature"];

/// Beginnings of names that a reader is to replace.
const BEGINNINGS: &[&str] =
    &["your-", "your_", "my-", "my_", "some-", "some_", "new-", "new_", "example-", "example_", "sample-"];

/// Parts of names that stand for a number, a date or the like.
const BLANKS: &[&str] = &["NNN", "XXX", "YYYY", "MM-DD", "TODO", "HASH", "UUID"];

/// Names too short or too common to be a claim where a sentence mentions them in passing. An import names a file with them.
const COMMON: &[&str] = &[
    "a", "b", "c", "dir", "examples", "feature", "file", "file1", "file2", "folder", "link", "name", "path", "slug",
    "url", "x", "y", "z",
];

/// Whether nobody means a file by the path: it has to be filled in, or stands for any other.
pub(crate) fn is_placeholder(path: &str) -> bool {
    let is_stand_in = |stem: &str| {
        let lower = stem.to_ascii_lowercase();
        WORDS.contains(&lower.as_str())
            || lower.split(['-', '_']).any(|word| NONSENSE.contains(&word))
            || BEGINNINGS.iter().any(|begin| lower.starts_with(begin))
            || BLANKS.iter().any(|blank| stem.contains(blank))
            || is_counter(stem.split(['-', '_']).next().unwrap_or(stem))
    };
    // A version that is to be filled in: its parts are not stems.
    if ["X.Y", "x.y"].iter().any(|version| is_version(path, version)) {
        return true;
    }
    path.contains(['<', '>', '{', '}', '*', '$', '…', '|', '^'])
        || path.contains("...")
        || path.split('/').rev().skip(1).any(is_variable)
        || path.starts_with("path/")
        || path.contains("path/to/")
        || stems(path).any(is_stand_in)
}

/// Whether a component of `path` is the version `blank`, with what may stand around it: `vX.Y.Z.md`, `release-x.y.z`.
fn is_version(path: &str, blank: &str) -> bool {
    path.match_indices(blank).any(|(at, _)| {
        let before = path[..at].trim_end_matches(['v', 'V']).chars().next_back();
        let after = path[at + blank.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Whether a word stands for a number: `NN`, `XX`.
fn is_counter(word: &str) -> bool {
    word.len() > 1 && (word.bytes().all(|byte| byte == b'N') || word.bytes().all(|byte| byte == b'X'))
}

/// Whether a folder is called as a variable that holds one: `WORKDIR`, `PROJECT_ROOT`.
fn is_variable(folder: &str) -> bool {
    let ends = ["DIR", "DIRECTORY", "FOLDER", "HOME", "PATH", "ROOT"];
    folder.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') && ends.iter().any(|end| folder.ends_with(end))
}

/// Whether a path that a text mentions is a placeholder, or named too vaguely to be a claim.
pub(crate) fn is_illustration(path: &str) -> bool {
    is_placeholder(path) || stems(path).any(|stem| COMMON.contains(&stem.to_ascii_lowercase().as_str()))
}

/// The components of a path without their extensions.
fn stems(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').map(|part| part.split('.').next().unwrap_or(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_told_from_names() {
        for path in [
            "path/to/file.md",
            "WORKDIR/x1.mjs",
            "docs/your-file.md",
            "docs/your_file.md",
            "docs/sample-x.md",
            "src/foo.ts",
            "tests/test_foo.lua",
            "<name>.md",
            "plans/NNN-title.md",
            "plans/NN_title.md",
            "docs/YYYY-MM-DD.md",
            "migrations/vX.Y.Z.md",
            "notes/release-x.y.z.md",
        ] {
            assert!(is_placeholder(path) && is_illustration(path), "{path}");
        }
        for path in ["a.md", "docs/file.md", "examples/b.md"] {
            assert!(!is_placeholder(path) && is_illustration(path), "{path}");
        }
        for path in ["src/main.rs", "docs/guide.md", "filenames.md", "docs/newer.md", ".github/workflows/ci.yml"] {
            assert!(!is_illustration(path), "{path}");
        }
    }
}
