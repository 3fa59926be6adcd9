//! Which versions the manifests of a repository declare. Whatever is no plain number is unknown, and so is what only some of too many
//! manifests say.

use std::collections::BTreeMap;

use serde_json::Value;

use super::builds;
use super::number::{DeclaredVersion, VersionNumber, WrittenVersions};
use super::pins;
use super::technology::DeclaredIn;
use crate::base::path::RepoPath;
use crate::base::text::same_length_text;
use crate::discover;
use crate::source::Source;
use crate::workspace::Workspace;

/// Manifests of one name that are read, at most; beyond them nothing is said.
const MAX_MANIFESTS: usize = 400;

/// What one manifest says of a technology.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    /// The manifest.
    pub(super) file: RepoPath,
    /// As it stands there, with the name of what it is of.
    pub(super) written: String,
    /// What that allows; `None` if it may be anything.
    pub(super) version: Option<DeclaredVersion>,
}

/// Files that pin the version which their authors work with; others may use another one.
const PINS: [&str; 8] = [
    ".fvmrc",
    ".node-version",
    ".nvmrc",
    ".python-version",
    ".ruby-version",
    ".tool-versions",
    "rust-toolchain",
    "rust-toolchain.toml",
];

impl Declaration {
    /// Whether it says which version of a language everybody needs at least.
    pub(super) fn is_least(&self, of: DeclaredIn) -> bool {
        let is_language = matches!(
            of,
            DeclaredIn::Composer("php")
                | DeclaredIn::CMake
                | DeclaredIn::DotNet
                | DeclaredIn::GoMod
                | DeclaredIn::Java
                | DeclaredIn::Mix("elixir")
                | DeclaredIn::Node
                | DeclaredIn::Pub(_)
                | DeclaredIn::Python
                | DeclaredIn::Rust
        );
        is_language && !PINS.iter().any(|pin| self.file.file_name() == pin.as_bytes())
    }
}

impl DeclaredIn {
    /// The names of the files that may declare it; one that begins with `*` is an ending.
    pub(super) fn files(self) -> &'static [&'static str] {
        match self {
            DeclaredIn::Npm(_) => &["package.json", "pnpm-workspace.yaml"],
            DeclaredIn::Manager(_) => &["package.json"],
            DeclaredIn::Image(_) => &["docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml"],
            DeclaredIn::Mix("elixir") => &["mix.exs", ".tool-versions"],
            DeclaredIn::Mix(_) => &["mix.exs"],
            DeclaredIn::Pub("flutter") => &["pubspec.yaml", ".fvmrc"],
            DeclaredIn::Pub(_) => &["pubspec.yaml"],
            DeclaredIn::GradleWrapper => &["gradle-wrapper.properties"],
            DeclaredIn::Kotlin => &["build.gradle.kts", "build.gradle", "libs.versions.toml"],
            DeclaredIn::Ruby => &[".ruby-version", ".tool-versions", "Gemfile.lock"],
            DeclaredIn::Composer("php") => &["composer.json"],
            DeclaredIn::Composer(_) => &["composer.json", "composer.lock"],
            DeclaredIn::Cpp | DeclaredIn::CMake => &["CMakeLists.txt"],
            DeclaredIn::Gem(_) => &["Gemfile.lock"],
            DeclaredIn::GoMod => &["go.mod"],
            DeclaredIn::Node => &[".nvmrc", ".node-version", ".tool-versions", "package.json"],
            DeclaredIn::Python => &[".python-version", ".tool-versions", "pyproject.toml"],
            DeclaredIn::Pip(_) => &["pyproject.toml", "requirements.txt"],
            DeclaredIn::DotNet => &["*.csproj", "Directory.Build.props"],
            DeclaredIn::Java | DeclaredIn::SpringBoot => &["build.gradle", "build.gradle.kts", "pom.xml"],
            DeclaredIn::Rust => &["Cargo.toml", "rust-toolchain", "rust-toolchain.toml"],
        }
    }

    /// What the manifest called `name` says of it.
    fn read(self, name: &str, text: &str) -> WrittenVersions {
        match (self, name) {
            (DeclaredIn::Npm(packages), "pnpm-workspace.yaml") => {
                packages.iter().flat_map(|package| pins::of_catalogue(text, package)).collect()
            }
            (DeclaredIn::Node, ".tool-versions") => pins::of_tool_versions(text, &["nodejs", "node"]),
            (DeclaredIn::Python, ".tool-versions") => pins::of_tool_versions(text, &["python"]),
            (DeclaredIn::Ruby, ".tool-versions") => pins::of_tool_versions(text, &["ruby"]),
            (DeclaredIn::Mix(tool), ".tool-versions") => pins::of_tool_versions(text, &[tool]),
            (DeclaredIn::Manager(name), _) => pins::of_manager(text, name),
            (DeclaredIn::Image(images), _) => pins::of_images(text, images),
            (DeclaredIn::Mix(package), _) => pins::of_mix(text, package),
            (DeclaredIn::Pub(_), ".fvmrc") => pins::of_fvm(text),
            (DeclaredIn::Pub(key), _) => pins::of_pubspec(text, key),
            (DeclaredIn::GradleWrapper, _) => pins::of_wrapper(text),
            (DeclaredIn::Kotlin, "libs.versions.toml") => pins::of_gradle_catalogue(text, &["kotlin"]),
            (DeclaredIn::Kotlin, _) => pins::of_kotlin(text),
            (DeclaredIn::Ruby, "Gemfile.lock") => pins::of_gem_lock(text),
            (DeclaredIn::Npm(packages), _) => {
                let tables = ["dependencies", "devDependencies", "peerDependencies"];
                packages.iter().flat_map(|package| dependency(text, &tables, package)).collect()
            }
            (DeclaredIn::Composer("php"), _) => of_language(dependency(text, &["require"], "php")),
            (DeclaredIn::Composer(package), "composer.lock") => pins::of_composer_lock(text, package),
            (DeclaredIn::Cpp, _) => pins::of_cmake(text),
            (DeclaredIn::CMake, _) => pins::of_cmake_itself(text),
            (DeclaredIn::Composer(package), _) => dependency(text, &["require", "require-dev"], package),
            (DeclaredIn::Gem(gem), _) => lines(text, &format!("    {gem} ("), gem),
            (DeclaredIn::GoMod, _) => lines(text, "go ", "go"),
            (DeclaredIn::Node, "package.json") => dependency(text, &["engines"], "node"),
            (DeclaredIn::Python, "pyproject.toml") => requires_python(text),
            (DeclaredIn::Node | DeclaredIn::Python | DeclaredIn::Ruby, _) | (DeclaredIn::Rust, "rust-toolchain") => {
                alone(text)
            }
            (DeclaredIn::Pip(package), "pyproject.toml") => builds::of_project(text, package),
            (DeclaredIn::Pip(package), _) => builds::of_requirements(text, package),
            (DeclaredIn::DotNet, _) => builds::of_dot_net(text),
            (DeclaredIn::Java, _) => builds::of_java(text),
            (DeclaredIn::SpringBoot, _) => builds::of_spring_boot(text),
            (DeclaredIn::Rust, _) => builds::of_rust(text),
        }
    }
}

/// What a file says of a dependency in one of its `tables`.
fn dependency(text: &str, tables: &[&str], package: &str) -> WrittenVersions {
    let Ok(manifest) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else { return Vec::new() };
    let written = tables.iter().filter_map(|table| manifest.get(table)?.get(package)?.as_str());
    written.map(|written| (format!("{package} {written}"), DeclaredVersion::of_requirement(written))).collect()
}

/// A requirement of a language, which later releases of the same major version meet.
fn of_language(found: WrittenVersions) -> WrittenVersions {
    let least = |version| match version {
        DeclaredVersion::OneOf(numbers) if numbers.len() == 1 => DeclaredVersion::From(numbers[0]),
        other => other,
    };
    found.into_iter().map(|(written, version)| (written, version.map(least))).collect()
}

/// What the first line that begins so says.
fn lines(text: &str, begin: &str, name: &str) -> WrittenVersions {
    let found = text.lines().find_map(|line| line.strip_prefix(begin));
    let number = found.map(|rest| rest.trim_end_matches([')', '\r', ' ']));
    number.map(|number| (format!("{name} {number}"), DeclaredVersion::of_requirement(number))).into_iter().collect()
}

/// What a file says that holds a version alone.
fn alone(text: &str) -> WrittenVersions {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next().filter(|_| lines.next().is_none());
    first.map(|first| (first.to_owned(), DeclaredVersion::of_requirement(first))).into_iter().collect()
}

/// What `pyproject.toml` says: no release of Python ends a bound from below.
fn requires_python(text: &str) -> WrittenVersions {
    let Ok(manifest) = toml_edit::Document::parse(text) else { return Vec::new() };
    let of = |keys: &[&str]| builds::at(&manifest, keys)?.as_str().map(str::to_owned);
    let project = of(&["project", "requires-python"]);
    let poetry = || of(&["tool", "poetry", "dependencies", "python"]);
    let Some(written) = project.or_else(poetry) else { return Vec::new() };
    let number = written.trim_start_matches(['^', '~', '=', '>', ' ']);
    let is_exact = written.starts_with("==") || number.len() == written.len();
    let version = match VersionNumber::at(number).map(|(number, _)| number) {
        Some(_) if is_exact => DeclaredVersion::of_requirement(&written),
        Some(least) => Some(DeclaredVersion::From(least)),
        None => None,
    };
    vec![(format!("python {written}"), version)]
}

/// What the manifests of `workspace` say of each of `wanted`; nothing of one that too many may declare.
pub(super) fn declared(source: &dyn Source, workspace: &Workspace, wanted: &[DeclaredIn]) -> Vec<Vec<Declaration>> {
    // A skill brings what it writes into other projects.
    let is_of_skill = |path: &[u8]| path.split(|&byte| byte == b'/').any(|part| part == b"skills");
    let is_own = |path: &&[u8]| discover::why_set_aside(path).is_none() && !is_of_skill(path);
    let mut texts: BTreeMap<&str, Option<Vec<(RepoPath, String)>>> = BTreeMap::new();
    for name in wanted.iter().flat_map(|declared| declared.files()) {
        texts.entry(name).or_insert_with(|| {
            let found = match name.strip_prefix('*') {
                Some(ending) => workspace.listing.with_ending(ending.as_bytes()),
                None => workspace.listing.with_name(name.as_bytes()),
            };
            let paths: Vec<RepoPath> = found.into_iter().filter(is_own).map(RepoPath::new).collect();
            if paths.len() > MAX_MANIFESTS {
                return None;
            }
            let read = source.read_many(&paths);
            let files = paths.into_iter().zip(read);
            Some(files.filter_map(|(path, bytes)| Some((path, same_length_text(&bytes.ok()?).into_owned()))).collect())
        });
    }
    let of = |declared: &DeclaredIn| {
        let files: Option<Vec<_>> =
            declared.files().iter().map(|name| texts.get(name)?.as_ref().map(|files| (name, files))).collect();
        let all = files.into_iter().flatten().flat_map(|(name, files)| files.iter().map(move |file| (*name, file)));
        let said = all.flat_map(|(name, (path, text))| {
            declared.read(name, text).into_iter().map(move |(written, version)| Declaration {
                file: path.clone(),
                written,
                version,
            })
        });
        said.collect()
    };
    wanted.iter().map(of).map(without_references).collect()
}

/// What a catalogue has counts in place of the entries that refer to it.
fn without_references(said: Vec<Declaration>) -> Vec<Declaration> {
    let is_of_catalogue = |declaration: &Declaration| declaration.file.file_name() == b"pnpm-workspace.yaml";
    let is_reference = |declaration: &Declaration| declaration.written.contains(" catalog:");
    let has_catalogue = said.iter().any(is_of_catalogue);
    said.into_iter().filter(|declaration| !has_catalogue || !is_reference(declaration)).collect()
}
