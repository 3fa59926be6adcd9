//! The programs that run scripts, targets, tasks and the like, and the files that define what each of them runs.

use super::{elixir, jvm, services, sessions, toolchains};
use crate::base::path;

/// What runs a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runner {
    /// npm, pnpm, yarn, bun.
    Package,
    /// make.
    Make,
    /// just.
    Just,
    /// cargo, for what it runs by an alias.
    Cargo,
    /// cargo, for `--bin`.
    CargoBin,
    /// cargo, for `--example`.
    CargoExample,
    /// cargo, for `--package`.
    CargoPackage,
    /// cargo, for `--features`.
    CargoFeature,
    /// composer.
    Composer,
    /// deno, for `deno task`.
    Deno,
    /// task, of Taskfiles.
    Task,
    /// poetry, uv, pdm, hatch and poe.
    Python,
    /// mise, for its tasks.
    Mise,
    /// docker compose, for services.
    Compose,
    /// python, for `-m`.
    PythonModule,
    /// cargo, for `--test`.
    CargoTest,
    /// cargo, for `--bench`.
    CargoBench,
    /// Package managers, for the package of the workspace in which they run.
    Member,
    /// nx, for projects.
    Nx,
    /// mix, for tasks.
    Mix,
    /// gradle, for the projects of its tasks.
    Gradle,
    /// mvn, for modules.
    Maven,
    /// The program of a toolchain, which needs a project of it.
    Toolchain,
    /// tox, for environments.
    Tox,
    /// nox, for sessions.
    Nox,
    /// rake, for tasks of a namespace.
    Rake,
    /// dotnet, for files of projects.
    Dotnet,
}

impl Runner {
    /// All of them.
    pub(crate) const ALL: [Runner; 27] = [
        Runner::Package,
        Runner::Make,
        Runner::Just,
        Runner::Cargo,
        Runner::CargoBin,
        Runner::CargoExample,
        Runner::CargoPackage,
        Runner::CargoFeature,
        Runner::Compose,
        Runner::PythonModule,
        Runner::Composer,
        Runner::Deno,
        Runner::Task,
        Runner::Python,
        Runner::Mise,
        Runner::CargoTest,
        Runner::CargoBench,
        Runner::Member,
        Runner::Nx,
        Runner::Mix,
        Runner::Gradle,
        Runner::Maven,
        Runner::Toolchain,
        Runner::Tox,
        Runner::Nox,
        Runner::Rake,
        Runner::Dotnet,
    ];

    /// Those of cargo whose files are called `Cargo.toml`.
    fn is_of_cargo(self) -> bool {
        matches!(
            self,
            Runner::CargoBin
                | Runner::CargoExample
                | Runner::CargoPackage
                | Runner::CargoFeature
                | Runner::CargoTest
                | Runner::CargoBench
        )
    }

    /// The programs that a text names to run its scripts.
    pub(crate) fn programs(self) -> &'static [&'static str] {
        match self {
            Runner::Package => &["npm", "pnpm", "yarn", "bun", "turbo", "lerna"],
            Runner::Make => &["make", "gmake"],
            Runner::Just => &["just"],
            Runner::Cargo => &["cargo"],
            _ if self.is_of_cargo() => &["cargo"],
            Runner::Composer => &["composer"],
            Runner::Deno => &["deno"],
            Runner::Task => &["task"],
            Runner::Python => &["poetry", "uv", "pdm", "hatch", "poe"],
            Runner::Mise => &["mise"],
            Runner::Compose => &["docker", "docker-compose"],
            Runner::PythonModule => &["python", "python3"],
            Runner::Member => &["npm", "pnpm", "yarn", "bun", "turbo"],
            Runner::Nx => &["nx"],
            Runner::Mix => &["mix"],
            Runner::Gradle => &["gradle", "gradlew", "./gradlew", "gradlew.bat"],
            Runner::Maven => &["mvn", "mvnw", "./mvnw", "mvnd"],
            Runner::Tox => &["tox"],
            Runner::Nox => &["nox"],
            Runner::Rake => &["rake", "bin/rake", "./bin/rake", "rails", "bin/rails", "./bin/rails"],
            Runner::Dotnet => &["dotnet"],
            _ => &toolchains::PROGRAMS,
        }
    }

    /// The kind of file that defines what it runs.
    pub fn file(self) -> &'static str {
        match self {
            Runner::Package => "package.json",
            Runner::Make => "Makefile",
            Runner::Just => "justfile",
            Runner::Cargo => ".cargo/config.toml",
            _ if self.is_of_cargo() => "Cargo.toml",
            Runner::Composer => "composer.json",
            Runner::Deno => "deno.json",
            Runner::Task => "Taskfile.yml",
            Runner::Python => "pyproject.toml",
            Runner::Mise => "mise.toml",
            Runner::Compose => "compose file",
            Runner::PythonModule => "Python package",
            Runner::Member => "package.json",
            Runner::Nx => "project of nx",
            Runner::Mix => "mix.exs",
            Runner::Gradle => "settings.gradle",
            Runner::Maven => "pom.xml",
            Runner::Tox => "tox.ini",
            Runner::Nox => "noxfile.py",
            Runner::Rake => "Rakefile",
            _ => "project",
        }
    }

    /// Whether the file at `path` defines what it runs.
    pub fn reads(self, path: &[u8]) -> bool {
        let name = path::file_name(path);
        match self {
            Runner::Package | Runner::Member => name == b"package.json",
            Runner::Nx => matches!(name, b"package.json" | b"project.json"),
            Runner::Mix => elixir::reads(path),
            Runner::Toolchain | Runner::Dotnet => toolchains::is_project(path),
            Runner::Tox => sessions::is_of_tox(path),
            Runner::Rake => sessions::is_of_rake(path),
            Runner::Make => self.starts_from(name) || name.ends_with(b".mk") || name.ends_with(b".mak"),
            Runner::Just => self.starts_from(name) || name.ends_with(b".just"),
            Runner::Cargo => path.ends_with(b".cargo/config.toml") || path.ends_with(b".cargo/config"),
            Runner::Deno => self.starts_from(name) || name == b"package.json",
            Runner::Mise => {
                let ends = [&b"mise/config.toml"[..], b"mise/mise.toml"];
                self.starts_from(name) || ends.iter().any(|end| path.ends_with(end))
            }
            _ => self.starts_from(name),
        }
    }

    /// Whether a change of the file at `path` may change what it runs.
    pub(crate) fn depends_on(self, path: &[u8]) -> bool {
        self.reads(path) || self == Runner::PythonModule && path.ends_with(b".py")
    }

    /// Whether it builds projects, and what a text names of them is found apart from scripts.
    pub(super) fn is_of_builds(self) -> bool {
        matches!(
            self,
            Runner::Member
                | Runner::Nx
                | Runner::Mix
                | Runner::Gradle
                | Runner::Maven
                | Runner::Toolchain
                | Runner::Tox
                | Runner::Nox
                | Runner::Rake
                | Runner::Dotnet
        )
    }

    /// Whether its files have names of which no list of likely hint files and manifests is kept.
    pub(super) fn reads_sources(self) -> bool {
        matches!(
            self,
            Runner::Nx | Runner::Mix | Runner::Gradle | Runner::Maven | Runner::Tox | Runner::Nox | Runner::Rake
        )
    }

    /// That nothing of the repository is called `name`, as a sentence.
    pub(crate) fn misses(self, name: &str) -> String {
        match self {
            Runner::Member => format!("no package of this repository is called `{name}`"),
            Runner::Nx => format!("no project of this repository is called `{name}`"),
            Runner::Gradle => format!("no settings.gradle of this repository includes `{name}`"),
            Runner::Maven => format!("no module of this repository is called `{name}`"),
            Runner::Dotnet => format!("no project or solution of this repository is called `{name}`"),
            Runner::Mix => format!("neither mix.exs nor a dependency of it brings the task `{name}`"),
            Runner::Toolchain => {
                let toolchain = self.needs(name).unwrap_or(name);
                format!("`{name}` needs a project of {toolchain}, and nothing in this repository is one")
            }
            _ => format!("no {} of this repository defines `{name}`", self.file()),
        }
    }

    /// The toolchain of which the command `name` needs a project.
    pub(crate) fn needs(self, name: &str) -> Option<&'static str> {
        let program = name.split(' ').next().unwrap_or(name);
        toolchains::called(program).filter(|_| self == Runner::Toolchain)
    }

    /// Whether it looks for a file of this name in the folder in which it is run.
    pub(super) fn starts_from(self, name: &[u8]) -> bool {
        match self {
            Runner::Package | Runner::Member => name == b"package.json",
            Runner::Make => matches!(name, b"Makefile" | b"makefile" | b"GNUmakefile"),
            Runner::Just => name.eq_ignore_ascii_case(b"justfile") || name.eq_ignore_ascii_case(b".justfile"),
            _ if self.is_of_cargo() => name == b"Cargo.toml",
            Runner::Composer => name == b"composer.json",
            Runner::Deno => matches!(name, b"deno.json" | b"deno.jsonc"),
            Runner::Task => {
                let name = name.to_ascii_lowercase();
                matches!(&*name, b"taskfile.yml" | b"taskfile.yaml" | b"taskfile.dist.yml" | b"taskfile.dist.yaml")
            }
            Runner::Python => name == b"pyproject.toml",
            Runner::Compose => services::defines(name),
            Runner::Nx => name == b"project.json",
            Runner::Mix => name == b"mix.exs",
            Runner::Gradle => jvm::is_settings(name),
            Runner::Maven => name == b"pom.xml",
            Runner::Nox => name == b"noxfile.py",
            Runner::Tox => matches!(name, b"tox.ini" | b"tox.toml"),
            Runner::Rake => sessions::is_of_rake(name),
            Runner::Mise => {
                let bare = name.strip_prefix(b".").unwrap_or(name);
                bare == b"mise.toml" || bare.starts_with(b"mise.") && bare.ends_with(b".toml")
            }
            _ => false,
        }
    }
}
