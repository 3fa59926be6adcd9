//! Whether a path is an illustration, by its text alone: `path/to/file.md`, `<name>.md`, `your-file.md`, `docs/NNN-title.md`.
//! Knows no listing.

/// File and folder names that stand for others.
const WORDS: &[&str] = &[
    "bar",
    "example",
    "mycomponent",
    "myfile",
    "newfeature",
    "placeholder",
    "project-root",
    "project_root",
    "something",
    "somefile",
    "test-bar",
    "test_bar",
    "whatever",
    "yourfile",
];

/// What a name may be called after: `table-name`, `table_name` and `TableName` stand for the name of a table.
const NAMED: &[&str] = &[
    "agent",
    "app",
    "branch",
    "class",
    "command",
    "component",
    "crate",
    "domain",
    "endpoint",
    "entity",
    "exp",
    "experiment",
    "feature",
    "file",
    "function",
    "hook",
    "model",
    "module",
    "package",
    "page",
    "plugin",
    "product",
    "project",
    "repo",
    "resource",
    "rule",
    "screen",
    "script",
    "service",
    "skill",
    "table",
    "task",
    "ticket",
    "tool",
    "topic",
    "workflow",
];

/// Words that make a name of several words nonsense.
const NONSENSE: &[&str] =
    &["foo", "foos", "foobar", "bars", "baz", "bazs", "qux", "xx", "xxx", "xxxx", "yyy", "myfeature"];

/// Beginnings of names that a reader is to replace.
const BEGINNINGS: &[&str] = &[
    "your-",
    "your_",
    "my-",
    "my_",
    "some-",
    "some_",
    "new-",
    "new_",
    "example-",
    "example_",
    "sample-",
    "link-to-",
    "local-link-",
];

/// Parts of names that stand for a number, a date or the like.
const BLANKS: &[&str] = &["NNN", "XXX", "YYYY", "MM-DD", "TODO", "HASH", "UUID"];

/// Names too short or too common to be a claim where a sentence mentions them in passing. An import names a file with them.
const COMMON: &[&str] = &[
    "a", "b", "c", "dir", "examples", "feature", "file", "file1", "file2", "folder", "link", "name", "path", "slug",
    "url", "x", "y", "z",
];

/// Whether the path is a placeholder: it has to be filled in, or represents any path.
pub(crate) fn is_placeholder(path: &str) -> bool {
    let is_stand_in = |stem: &str| {
        let lower = stem.to_ascii_lowercase();
        WORDS.contains(&lower.as_str())
            || is_name_of_any(&lower)
            || is_id_of_any(stem)
            || is_time(stem)
            || stem.split(['-', '_']).any(is_open_number)
            || lower.split(['-', '_']).any(|word| NONSENSE.contains(&word))
            || BEGINNINGS.iter().any(|begin| lower.starts_with(begin))
            || OF_TESTS.iter().filter_map(|test| lower.strip_prefix(test)).any(begins_as_the_reader_s)
            || BLANKS.iter().any(|blank| stem.contains(blank))
            || stem.split(['-', '_']).any(|word| is_counter(word) || is_counted(word))
            || stem.contains(['-', '_']) && stem.split(['-', '_']).any(|word| word == "N")
            || is_numbered_by_x(stem)
    };
    // A version that is to be filled in: its parts are not stems.
    if ["X.Y", "x.y"].iter().any(|version| is_version(path, version)) {
        return true;
    }
    path.contains(['<', '>', '{', '}', '*', '$', '…', '|', '^'])
        || path.contains("...")
        || is_page_in_brackets(path)
        || path.split('/').any(is_blank_within)
        || path.split('/').any(is_blank_in_brackets) && !path.split('/').any(|part| ROUTED.contains(&part))
        || path.replace("modules/ROOT/", "modules/").split('/').rev().skip(1).any(is_variable)
        || path.starts_with("path/")
        || path.contains("path/to/")
        || is_of_the_reader(path)
        || is_one_of_its_folder(path)
        || stems(path).any(is_stand_in)
}

/// Whether a name begins with a word in capitals and an `X` for its number: `PROJ-X`, `TASK-X-title`.
fn is_numbered_by_x(stem: &str) -> bool {
    let mut words = stem.split('-');
    let is_key = |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    words.next().is_some_and(is_key) && words.next() == Some("X")
}

/// Beginnings of the names of tests.
const OF_TESTS: [&str; 2] = ["test_", "test-"];

/// Whether the rest of a name, in small letters, is that of a thing of the reader's own: `my_operation`.
fn begins_as_the_reader_s(rest: &str) -> bool {
    ["my_", "my-", "your_", "your-"].iter().any(|begin| rest.starts_with(begin))
}

/// Whether the name of a page is in brackets, as something to be filled in is: `[command-name].md`. Routes are no pages.
fn is_page_in_brackets(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let inner = name.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    inner.is_some_and(|(inner, end)| !inner.is_empty() && matches!(end, ".md" | ".mdc"))
}

/// Folders of routes, whose parts in brackets are parameters.
const ROUTED: [&str; 4] = ["app", "pages", "routes", "views"];

/// Whether a component is several words in brackets, or a word for things of a kind, as something to be filled in is: `k8s/[app-name]`.
fn is_blank_in_brackets(part: &str) -> bool {
    let inner = part.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|inner| {
        (inner.contains(['-', ' ']) || inner.ends_with("name") || is_noun(inner))
            && inner.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '-' | ' '))
    })
}

/// Whether a name has a word in brackets, in capitals, between other letters: `mock[Feature]Service.ts`.
fn is_blank_within(part: &str) -> bool {
    let Some((before, rest)) = part.split_once('[') else { return false };
    let Some((inner, after)) = rest.split_once(']') else { return false };
    let is_word =
        inner.starts_with(|c: char| c.is_ascii_uppercase()) && inner.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let touches =
        before.ends_with(|c: char| c.is_ascii_alphanumeric()) || after.starts_with(|c: char| c.is_ascii_alphanumeric());
    is_word && touches
}

/// Whether a component of `path` is the version `blank`, with what may stand around it: `vX.Y.Z.md`, `release-x.y.z`.
fn is_version(path: &str, blank: &str) -> bool {
    path.match_indices(blank).any(|(at, _)| {
        let before = path[..at].trim_end_matches(['v', 'V']).chars().next_back();
        let after = path[at + blank.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Whether a word stands for a number: `NN`, `XX`, `0NN`.
fn is_counter(word: &str) -> bool {
    let blank = word.trim_start_matches('0');
    blank.len() > 1 && (blank.bytes().all(|byte| byte == b'N') || blank.bytes().all(|byte| byte == b'X'))
}

/// Whether a number is to stand at a word's end: `phaseN`, `ChapNN`.
fn is_counted(word: &str) -> bool {
    let noun = word.trim_end_matches('N');
    noun.len() < word.len() && noun.len() >= 3 && noun.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
}

/// Whether a name, in small letters, is that of any thing of its kind, as in `table_name` and `ComponentName`.
fn is_name_of_any(lower: &str) -> bool {
    let noun = lower.strip_suffix("name").map(|noun| noun.trim_end_matches(['-', '_']));
    noun.is_some_and(|noun| NAMED.contains(&noun))
}

/// Whether a word is a number whose last digits are to be filled in: `00X`.
fn is_open_number(word: &str) -> bool {
    let digits = word.trim_end_matches('X');
    digits.len() < word.len() && digits.starts_with('0') && digits.bytes().all(|byte| byte == b'0')
}

/// Digits that a time has, at least: year, month and day.
const MIN_TIME: usize = 8;

/// Whether a name is a time, of which each run of a program makes another one: `20260403120000`.
fn is_time(stem: &str) -> bool {
    stem.len() >= MIN_TIME && stem.starts_with("20") && stem.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a name in capitals is that of any thing's number: `FEATURE-ID`.
fn is_id_of_any(stem: &str) -> bool {
    let noun = stem.strip_suffix("-ID").or_else(|| stem.strip_suffix("_ID"));
    noun.is_some_and(|noun| noun.bytes().all(|byte| byte.is_ascii_uppercase()) && is_noun(&noun.to_ascii_lowercase()))
}

/// Whether the name of a folder is that of a kind of thing, and stands for any of them: `src/module`.
pub(crate) fn is_noun(name: &str) -> bool {
    NAMED.contains(&name)
}

/// Whether a file is called as any of the things that its folder holds: `Dimensions/Dimension-Name.md`.
fn is_one_of_its_folder(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let (Some(name), Some(folder)) = (parts.next(), parts.next()) else { return false };
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    let noun = stem.strip_suffix("name").map(|noun| noun.trim_end_matches(['-', '_', ' '])).unwrap_or_default();
    noun.len() > 2 && folder.to_lowercase().strip_suffix('s') == Some(noun)
}

/// Whether a file is called as one of the reader's own: `MyComponent`, `yourType`.
fn is_of_the_reader(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let begins =
        |begin: &str| name.strip_prefix(begin).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    ["My", "Your", "Some", "my", "your"].iter().any(|begin| begins(begin))
}

/// Whether a folder is called as a variable that holds one: `WORKDIR`, `PROJECT_ROOT`.
fn is_variable(folder: &str) -> bool {
    let ends = ["DIR", "DIRECTORY", "FOLDER", "HOME", "PATH", "REPO", "REPOSITORY", "ROOT"];
    folder.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') && ends.iter().any(|end| folder.ends_with(end))
}

/// Whether a path that a text mentions is a placeholder, or named too vaguely to be a claim.
pub(crate) fn is_illustration(path: &str) -> bool {
    // A folder of examples holds some, however vague that is as the name of a file.
    let is_common = |(at, stem): (usize, &str)| {
        COMMON.contains(&stem.to_ascii_lowercase().as_str()) && !(stem == "examples" && at < path.matches('/').count())
    };
    is_placeholder(path) || stems(path).enumerate().any(is_common)
}

/// The components of a path without their extensions.
fn stems(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').map(|part| part.split('.').next().unwrap_or(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_a_part_to_be_filled_in() {
        for path in [
            "tests/test_my_operation.py",
            "features/PROJ-X.md",
            "lib/mock[Feature]Service.ts",
            "features/TASK-X-title.md",
            ".claude/commands/[command-name].md",
            "reference/[technique].md",
        ] {
            assert!(is_placeholder(path), "{path}");
        }
        for path in [
            "docs/mac-OS-X.md",
            "docs/OS-X-notes.md",
            "tests/test_new_rows.py",
            "app/[user-id]/page.tsx",
            "app/[user-id].tsx",
            "app/(shop)/[Id]/page.tsx",
        ] {
            assert!(!is_illustration(path), "{path}");
        }
    }

    #[test]
    fn placeholders_are_told_from_names() {
        for path in [
            "path/to/file.md",
            "WORKDIR/x1.mjs",
            "docs/your-file.md",
            "Dimensions/Dimension-Name.md",
            "docs/your_file.md",
            "docs/sample-x.md",
            "src/foo.ts",
            "tests/test_foo.lua",
            "<name>.md",
            "plans/NNN-title.md",
            "plans/NN_title.md",
            "prompts/phaseN.md",
            "src/ChapNN/x.rs",
            "specs/SPEC-0NN-title.md",
            "specs/spec-NNN.md",
            "src/N_module.py",
            "src/table_name.rs",
            "src/ComponentName.tsx",
            "ProductName/src",
            "specs/FEATURE-ID.md",
            "src/MyWidget.tsx",
            "src/YourWidget.tsx",
            "src/yourType.ts",
            "src/myWidget.tsx",
            "tests/test_xx.py",
            "docs/YYYY-MM-DD.md",
            "migrations/vX.Y.Z.md",
            "notes/release-x.y.z.md",
            "releases/20260403120000",
            "migrations/00X_create_table.go",
        ] {
            assert!(is_placeholder(path) && is_illustration(path), "{path}");
        }
        for path in ["a.md", "docs/file.md", "examples/b.md"] {
            assert!(!is_placeholder(path) && is_illustration(path), "{path}");
        }
        for path in [
            "src/main.rs",
            "src/progress-bar.tsx",
            "src/rename.rs",
            "src/user_name.rs",
            "MyApp/main.swift",
            "src/Mystery.tsx",
            "src/mystery.ts",
            "src/yours.ts",
            "docs/guide.md",
            "filenames.md",
            "docs/GRID-ID.md",
            "docs/task-id.md",
            "docs/newer.md",
            ".github/workflows/ci.yml",
        ] {
            assert!(!is_illustration(path), "{path}");
        }
    }
}
