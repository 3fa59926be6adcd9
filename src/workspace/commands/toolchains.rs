//! Commands of a toolchain of which the repository has neither a project nor a source file: `dotnet test` among Java. Knows which
//! files each toolchain begins from.

use crate::base::path;
use crate::source::{EntryKind, Listing};

/// A toolchain.
struct Toolchain {
    /// What people call it.
    name: &'static str,
    /// Its programs.
    programs: &'static [&'static str],
    /// What they do that needs a project.
    verbs: &'static [&'static str],
    /// Files of which a project has one. What begins with a dot is an ending.
    projects: &'static [&'static str],
    /// Endings of its sources, and files from which its project may be made.
    sources: &'static [&'static str],
}

const TOOLCHAINS: [Toolchain; 9] = [
    Toolchain {
        name: ".NET",
        programs: &["dotnet"],
        verbs: &["build", "format", "pack", "publish", "restore", "test", "watch"],
        projects: &[
            ".sln",
            ".slnx",
            ".slnf",
            ".csproj",
            ".fsproj",
            ".vbproj",
            ".esproj",
            ".proj",
            "Directory.Build.props",
        ],
        sources: &[".cs", ".fs", ".vb", ".razor"],
    },
    Toolchain {
        name: "cargo",
        programs: &["cargo"],
        verbs: &["bench", "build", "check", "clippy", "doc", "fmt", "nextest", "run", "test"],
        projects: &["Cargo.toml"],
        sources: &[".rs"],
    },
    Toolchain {
        name: "mix",
        programs: &["mix"],
        verbs: &[
            "compile",
            "credo",
            "deps.get",
            "dialyzer",
            "ecto.migrate",
            "format",
            "phx.server",
            "precommit",
            "test",
        ],
        projects: &["mix.exs"],
        sources: &[".ex", ".exs", ".heex"],
    },
    Toolchain {
        name: "Maven",
        programs: &["mvn", "mvnw", "./mvnw"],
        verbs: &["clean", "compile", "install", "package", "test", "verify"],
        projects: &["pom.xml", ".pom"],
        sources: &[".java", ".kt", ".scala", ".groovy"],
    },
    Toolchain {
        name: "Gradle",
        programs: &["gradle", "gradlew", "./gradlew"],
        verbs: &["assemble", "build", "check", "clean", "run", "test"],
        projects: &[".gradle", ".gradle.kts", "gradlew"],
        sources: &[".java", ".kt", ".scala", ".groovy"],
    },
    Toolchain {
        name: "Go",
        programs: &["go"],
        verbs: &["build", "test", "vet"],
        projects: &["go.mod", "go.work"],
        sources: &[".go", ".go.tmpl"],
    },
    Toolchain {
        name: "Bundler",
        programs: &["bundle"],
        verbs: &["exec", "install"],
        projects: &["Gemfile", "gems.rb", ".gemspec", ".gemfile"],
        sources: &[".rb", ".rake", "Podfile", "Fastfile"],
    },
    Toolchain {
        name: "Flutter",
        programs: &["flutter"],
        verbs: &["analyze", "build", "run", "test"],
        projects: &["pubspec.yaml"],
        sources: &[".dart"],
    },
    Toolchain {
        name: "Composer",
        programs: &["composer"],
        verbs: &["install", "test"],
        projects: &["composer.json"],
        sources: &[".php"],
    },
];

/// Folders above a file that says which toolchain a repository has, at most.
const MAX_DEPTH: usize = 1;

/// Files that say which toolchain a repository has instead.
const INSTEAD: [&str; 14] = [
    "Cargo.toml",
    "CMakeLists.txt",
    "Gemfile",
    "Package.swift",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "go.mod",
    "mix.exs",
    "package.json",
    "pom.xml",
    "pubspec.yaml",
    "pyproject.toml",
    "settings.gradle.kts",
];

/// Sources that a repository has, at least, before it is known what it is written in: a new one begins with its hint files.
const MIN_SOURCES: usize = 20;

/// The command of a toolchain's with which `words` begin: its program and what it does, and how long both are together.
pub(super) fn named<'t>(words: &[(&'t str, usize)]) -> Option<(&'t str, &'t str)> {
    let [(program, _), (verb, _), ..] = words else { return None };
    let found = TOOLCHAINS.iter().find(|toolchain| toolchain.programs.contains(program))?;
    found.verbs.contains(verb).then_some((program, verb))
}

/// What people call the toolchain of `program`.
pub(super) fn called(program: &str) -> Option<&'static str> {
    TOOLCHAINS.iter().find(|toolchain| toolchain.programs.contains(&program)).map(|toolchain| toolchain.name)
}

/// All programs.
pub(super) const PROGRAMS: [&str; 13] = [
    "./gradlew",
    "./mvnw",
    "bundle",
    "cargo",
    "composer",
    "dotnet",
    "flutter",
    "go",
    "gradle",
    "gradlew",
    "mix",
    "mvn",
    "mvnw",
];

/// Whether a file of this name is what some toolchain begins from.
pub(super) fn is_project(path: &[u8]) -> bool {
    let name = path::file_name(path);
    TOOLCHAINS.iter().flat_map(|toolchain| toolchain.projects).any(|project| is_called(name, project))
}

/// Of the toolchains of `programs`, by their names, those of which nothing is in the repository, which is known to have another.
pub(super) fn absent(listing: &Listing, programs: &[&str]) -> Vec<&'static str> {
    let asked =
        TOOLCHAINS.iter().filter(|toolchain| toolchain.programs.iter().any(|program| programs.contains(program)));
    let mut left: Vec<&Toolchain> = asked.collect();
    let is_near = |path: &&[u8]| path.iter().filter(|&&byte| byte == b'/').count() <= MAX_DEPTH;
    let has_another = || INSTEAD.iter().any(|name| listing.with_name(name.as_bytes()).iter().any(is_near));
    if left.is_empty() || !has_another() || listing.marked().any(|entry| entry.kind == EntryKind::Submodule) {
        return Vec::new();
    }
    let mut sources = 0;
    for entry in listing.iter() {
        let name = path::file_name(entry.path);
        left.retain(|toolchain| {
            let mut files = toolchain.projects.iter().chain(toolchain.sources);
            !files.any(|file| is_called(name, file))
        });
        sources += usize::from(is_source(name));
        if left.is_empty() {
            return Vec::new();
        }
    }
    if sources < MIN_SOURCES {
        return Vec::new();
    }
    left.into_iter().map(|toolchain| toolchain.name).collect()
}

/// Whether a file is a source of some toolchain, or of a language that has none here.
fn is_source(name: &[u8]) -> bool {
    let ends = [".ts", ".tsx", ".js", ".jsx", ".py", ".c", ".cc", ".cpp", ".h", ".swift", ".vue", ".svelte"];
    let of_toolchains = TOOLCHAINS.iter().flat_map(|toolchain| toolchain.sources).copied();
    ends.into_iter().chain(of_toolchains).any(|end| is_called(name, end))
}

fn is_called(name: &[u8], file: &str) -> bool {
    match file.starts_with('.') {
        true => name.len() > file.len() && name.ends_with(file.as_bytes()),
        false => name == file.as_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Memory, Source as _};

    fn absent_in(files: &[&str], programs: &[&str]) -> Vec<&'static str> {
        let sources = (0..MIN_SOURCES).map(|at| format!("src/{at}.py"));
        let files: Vec<(String, &str)> =
            files.iter().map(|&file| file.to_owned()).chain(sources).map(|file| (file, "")).collect();
        let source = Memory::of_files(files.iter().map(|(path, text)| (path.as_str(), *text)));
        absent(source.listing(), programs)
    }

    #[test]
    fn a_toolchain_is_absent_where_neither_project_nor_source_is_there() {
        assert_eq!(absent_in(&["pom.xml", "a/A.java"], &["dotnet", "mvn"]), [".NET"]);
        assert_eq!(absent_in(&["pom.xml", "a/A.java", "tools/x.cs"], &["dotnet"]), [""; 0]);
        assert_eq!(absent_in(&["pom.xml", "b/App.csproj"], &["dotnet"]), [""; 0]);
        // Of a repository that has no project nothing is known.
        assert_eq!(absent_in(&["README.md"], &["cargo"]), [""; 0]);
        assert_eq!(absent_in(&["web/package.json"], &["cargo"]), ["cargo"]);
        assert_eq!(absent_in(&["a/b/package.json"], &["cargo"]), [""; 0]);
    }

    #[test]
    fn a_new_repository_has_yet_to_be_written() {
        let source = Memory::of_files([("package.json", ""), ("src/a.ts", "")]);
        assert_eq!(absent(source.listing(), &["cargo"]), [""; 0]);
    }

    #[test]
    fn commands_that_need_a_project_are_told_from_others() {
        let of = |command: &str| {
            let words: Vec<(&str, usize)> = command.split(' ').map(|word| (word, 0)).collect();
            named(&words).is_some()
        };
        assert!(of("dotnet test --no-build") && of("./gradlew build") && of("go test ./..."));
        assert!(
            !of("dotnet tool install -g x") && !of("cargo install just") && !of("go install x@latest") && !of("mix")
        );
        assert!(TOOLCHAINS.iter().flat_map(|one| one.programs).all(|program| PROGRAMS.contains(program)));
    }
}
