//! Which versions a repository pins of languages, tools and services, line by line: `.tool-versions`, the package manager of
//! `package.json`, catalogues of pnpm, images of Compose, Gradle's wrapper, builds of Elixir, Dart and Kotlin. What is a variable is
//! unknown. Data in, data out.

use serde_json::Value;

use super::number::{DeclaredVersion, VersionNumber, WrittenVersions};

/// Keys and values of lines such as `next: ^15` or `kotlin = "2.0"`, without their quotes and remarks.
fn pairs(text: &str, border: char) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(move |line| {
        let (key, value) = line.split_once(border)?;
        let value = value.split(" #").next().unwrap_or(value);
        Some((unquoted(key), unquoted(value)))
    })
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

fn exactly(name: &str, version: &str) -> (String, Option<DeclaredVersion>) {
    let number = VersionNumber::at(version).map(|(number, _)| DeclaredVersion::OneOf(vec![number]));
    (format!("{name} {version}"), number)
}

/// What a bound from below, or a number that later releases of its major version meet, allows: all later ones.
fn at_least(name: &str, bound: &str) -> (String, Option<DeclaredVersion>) {
    let number = bound.trim_start_matches(['^', '~', '=', '>', ' ']);
    let least = VersionNumber::at(number).map(|(number, _)| DeclaredVersion::From(number));
    (format!("{name} {bound}"), least)
}

/// The package in the catalogues of `pnpm-workspace.yaml`.
pub(super) fn of_catalogue(text: &str, package: &str) -> WrittenVersions {
    let indented = pairs(text, ':').filter(|(key, value)| *key == package && !value.is_empty());
    indented.map(|(key, value)| (format!("{key} {value}"), DeclaredVersion::of_requirement(value))).collect()
}

/// The tools of `names` in `.tool-versions`: each may have several versions.
pub(super) fn of_tool_versions(text: &str, names: &[&str]) -> WrittenVersions {
    let tools = text.lines().filter_map(|line| {
        let mut words = line.split('#').next()?.split_whitespace();
        let tool = words.next().filter(|tool| names.contains(tool))?;
        Some(words.map(move |version| exactly(tool, version)))
    });
    tools.flatten().collect()
}

/// The package manager that `package.json` asks for.
pub(super) fn of_manager(text: &str, name: &str) -> WrittenVersions {
    let Ok(manifest) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else { return Vec::new() };
    let pinned = manifest.get("packageManager").and_then(Value::as_str).and_then(|pinned| pinned.split_once('@'));
    let pinned = pinned.filter(|(manager, _)| *manager == name);
    let engine = manifest.get("engines").and_then(|engines| engines.get(name)?.as_str());
    let pinned = pinned.map(|(_, version)| exactly(name, version.split('+').next().unwrap_or(version)));
    pinned.into_iter().chain(engine.map(|bound| at_least(name, bound))).collect()
}

/// The services of a Compose file that run one of `images`, from any registry.
pub(super) fn of_images(text: &str, images: &[&str]) -> WrittenVersions {
    let named = pairs(text, ':').filter(|(key, _)| *key == "image" || *key == "- image");
    named.filter_map(|(_, image)| of_image(image, images)).collect()
}

fn of_image(image: &str, images: &[&str]) -> Option<(String, Option<DeclaredVersion>)> {
    let image = image.split('@').next().unwrap_or(image);
    let (name, tag) = image.rsplit_once(':').unwrap_or((image, "latest"));
    let is_it = images.iter().any(|known| name == *known || name.ends_with(&format!("/{known}")));
    // `pgvector/pgvector:pg16`, `timescale/timescaledb:latest-pg16`.
    let tag = tag.rsplit_once("pg").map_or(tag, |(_, number)| number);
    is_it.then(|| (image.to_owned(), exactly(name, tag).1))
}

/// The release of Gradle that its wrapper fetches.
pub(super) fn of_wrapper(text: &str) -> WrittenVersions {
    let urls = pairs(text, '=').filter(|(key, _)| *key == "distributionUrl");
    urls.filter_map(|(_, url)| Some(exactly("gradle", url.rsplit_once("/gradle-")?.1.split('-').next()?))).collect()
}

/// Elixir, or a package, in `mix.exs`.
pub(super) fn of_mix(text: &str, package: &str) -> WrittenVersions {
    let begin = if package == "elixir" { "elixir: \"".to_owned() } else { format!("{{:{package}, \"") };
    let bounds = text.lines().filter_map(|line| line.split_once(begin.as_str())?.1.split('"').next());
    bounds.map(|bound| if package == "elixir" { at_least(package, bound) } else { series(package, bound) }).collect()
}

/// What `~> 1.7.0` of a package of Elixir or Ruby allows: the major version that it begins with.
fn series(name: &str, bound: &str) -> (String, Option<DeclaredVersion>) {
    match bound.strip_prefix("~>") {
        Some(number) => (format!("{name} {bound}"), exactly(name, number.trim()).1),
        None => (format!("{name} {bound}"), DeclaredVersion::of_requirement(bound)),
    }
}

/// Dart or Flutter in the environment of `pubspec.yaml`.
pub(super) fn of_pubspec(text: &str, key: &str) -> WrittenVersions {
    let mut pairs = pairs(text, ':').skip_while(|(key, _)| *key != "environment").skip(1);
    let bound = pairs.find(|(found, value)| *found == key && value.starts_with(|c: char| !c.is_alphabetic()));
    bound.filter(|(_, value)| !value.is_empty()).map(|(_, value)| at_least(key, value)).into_iter().collect()
}

/// Flutter in `.fvmrc`.
pub(super) fn of_fvm(text: &str) -> WrittenVersions {
    let Ok(pins) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    pins.get("flutter").and_then(Value::as_str).map(|version| exactly("flutter", version)).into_iter().collect()
}

/// Kotlin among the plugins of a Gradle build.
pub(super) fn of_kotlin(text: &str) -> WrittenVersions {
    let plugins = text.lines().filter(|line| line.contains("kotlin(\"") || line.contains("\"org.jetbrains.kotlin"));
    let version = |line: &str| {
        let behind = line.rsplit_once("version")?.1.trim_start_matches([' ', '(', '"', '\'']).to_owned();
        Some(exactly("Kotlin", behind.split(['"', '\'', ')', ' ']).next()?))
    };
    plugins.filter_map(version).collect()
}

/// A version that a catalogue of Gradle has under one of `keys`.
pub(super) fn of_gradle_catalogue(text: &str, keys: &[&str]) -> WrittenVersions {
    pairs(text, '=').filter(|(key, _)| keys.contains(key)).map(|(key, value)| exactly(key, value)).collect()
}

/// The release of Ruby that a lock file was made with.
pub(super) fn of_gem_lock(text: &str) -> WrittenVersions {
    let mut lines = text.lines().skip_while(|line| line.trim() != "RUBY VERSION").skip(1);
    let version = lines.next().and_then(|line| line.trim().strip_prefix("ruby "));
    version.map(|version| exactly("ruby", version.split('p').next().unwrap_or(version))).into_iter().collect()
}

/// The package that `composer.lock` has installed.
pub(super) fn of_composer_lock(text: &str, package: &str) -> WrittenVersions {
    // Each entry begins with these two lines.
    let name = format!("\"name\": \"{package}\",");
    let behind = text.split_once(name.as_str()).map(|(_, behind)| behind.lines().nth(1).unwrap_or_default());
    let version = behind.and_then(|line| line.split_once("\"version\": \""));
    let version = version.and_then(|(_, version)| version.trim_start_matches('v').split('"').next());
    version.map(|version| exactly(package, version)).into_iter().collect()
}

/// The standards of C++ that a build of CMake sets for all of it, or for a target.
pub(super) fn of_cmake(text: &str) -> WrittenVersions {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let standard = |line: &str| {
        let behind =
            ["CMAKE_CXX_STANDARD ", "CXX_STANDARD ", "cxx_std_"].iter().find_map(|key| line.split_once(key))?.1;
        let number = behind.trim_start();
        Some(exactly("C++", &number[..number.len().min(number.find(|c: char| !c.is_ascii_digit()).unwrap_or(2))]))
    };
    lines.filter_map(standard).collect()
}

/// What a build of CMake requires of CMake itself.
pub(super) fn of_cmake_itself(text: &str) -> WrittenVersions {
    let required = text.lines().filter_map(|line| {
        let call = line.trim_start().to_ascii_lowercase();
        let arguments = call.strip_prefix("cmake_minimum_required")?.trim_start().strip_prefix('(')?.trim_start();
        let number = arguments.strip_prefix("version")?.trim_start();
        let end = number.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(number.len());
        let (least, _) = VersionNumber::at(&number[..end])?;
        Some((format!("CMake {}", &number[..end]), Some(DeclaredVersion::From(least))))
    });
    required.take(1).collect()
}

#[cfg(test)]
mod tests {
    use super::super::number::allows;
    use super::*;

    #[test]
    fn catalogues_and_managers_of_packages() {
        let catalogue = "packages:\n  - \"apps/*\"\ncatalog:\n  next: ^15.1.0 # app\n  \"@tanstack/react-query\": 5.0.0\ncatalogs:\n  old:\n    next: ^14.0.0\n";
        assert_eq!(allows(&of_catalogue(catalogue, "next"), "14", false), [Some(false), Some(true)]);
        assert_eq!(allows(&of_catalogue(catalogue, "@tanstack/react-query"), "5", false), [Some(true)]);
        assert!(of_catalogue(catalogue, "catalog").is_empty());
        let manifest =
            r#"{"packageManager": "pnpm@10.4.1+sha512.abc", "engines": {"pnpm": ">=9", "npm": "please-use-pnpm"}}"#;
        assert_eq!(allows(&of_manager(manifest, "pnpm"), "8", false), [Some(false), Some(false)]);
        assert_eq!(allows(&of_manager(manifest, "npm"), "8", false), [None]);
        assert!(of_manager(manifest, "yarn").is_empty());
    }

    #[test]
    fn pinned_tools_may_have_several_versions() {
        let pins = "# tools\nnodejs 22.1.0 20.9.0 # lts\nelixir 1.17.2-otp-27\nruby system\n";
        assert_eq!(allows(&of_tool_versions(pins, &["nodejs", "node"]), "20", false), [Some(false), Some(true)]);
        assert_eq!(allows(&of_tool_versions(pins, &["elixir"]), "1.16", true), [Some(false)]);
        assert_eq!(allows(&of_tool_versions(pins, &["ruby"]), "3.2", true), [None]);
    }

    #[test]
    fn images_are_known_under_any_registry() {
        let compose = "services:\n  db:\n    image: postgres:16-alpine\n  old:\n    image: \"docker.io/bitnami/postgresql:15.4\"\n  any:\n    image: postgres\n  other:\n    image: my-postgres:3\n  var:\n    image: postgres:${PG}\n";
        let found = of_images(compose, &["postgres", "postgresql"]);
        assert_eq!(allows(&found, "15", false), [Some(false), Some(true), None, None]);
        assert_eq!(allows(&of_images("- image: pgvector/pgvector:pg17\n", &["pgvector"]), "16", false), [Some(false)]);
        let digest = "image: redis:7@sha256:0123\n";
        assert_eq!(allows(&of_images(digest, &["redis"]), "6", false), [Some(false)]);
    }

    #[test]
    fn builds_of_other_languages() {
        let url = r"distributionUrl=https\://services.gradle.org/distributions/gradle-8.10.2-bin.zip";
        assert_eq!(allows(&of_wrapper(url), "7", false), [Some(false)]);
        let mix = "  elixir: \"~> 1.15\",\n  {:phoenix, \"~> 1.7.14\"},\n  {:phoenix_html, \"~> 4.1\"},\n";
        assert_eq!(allows(&of_mix(mix, "elixir"), "1.14", true), [Some(false)]);
        assert_eq!(allows(&of_mix(mix, "elixir"), "1.17", true), [Some(true)]);
        assert_eq!(allows(&of_mix(mix, "phoenix"), "1.6", true), [Some(false)]);
        let pubspec = "name: app\nflutter:\n  sdk: 1\nenvironment:\n  sdk: '>=3.5.0 <4.0.0'\n  flutter: \">=3.24.0\"\ndependencies:\n  flutter:\n    sdk: flutter\n";
        assert_eq!(allows(&of_pubspec(pubspec, "sdk"), "3.2", true), [Some(false)]);
        assert_eq!(allows(&of_pubspec(pubspec, "flutter"), "3.27", true), [Some(true)]);
        assert_eq!(allows(&of_fvm("{\"flutter\": \"3.24.0\"}"), "3.19", true), [Some(false)]);
        let plugin = "  kotlin(\"jvm\") version \"2.1.0\"\n  id(\"org.jetbrains.kotlin.android\") version \"1.9.0\" apply false\n  kotlin(\"test\")\n";
        assert_eq!(allows(&of_kotlin(plugin), "1.9", true), [Some(false), Some(true)]);
        let catalogue = "[versions]\nkotlin = \"2.0.21\"\nagp = { strictly = \"8\" }\n";
        assert_eq!(allows(&of_gradle_catalogue(catalogue, &["kotlin"]), "1.9", true), [Some(false)]);
        let cmake = "# set(CMAKE_CXX_STANDARD 11)\nset(CMAKE_CXX_STANDARD 17)\nset(CMAKE_CXX_STANDARD_REQUIRED ON)\ntarget_compile_features(x PUBLIC cxx_std_20)\nset(CMAKE_CXX_STANDARD ${STD})\n";
        assert_eq!(allows(&of_cmake(cmake), "20", false), [Some(false), Some(true), None]);
        let needs = "CMAKE_MINIMUM_REQUIRED (VERSION 3.29...3.31)\n";
        assert_eq!(allows(&of_cmake_itself(needs), "3.28", true), [Some(false)]);
        assert_eq!(allows(&of_cmake_itself(needs), "3.30", true), [Some(true)]);
        assert!(of_cmake_itself("cmake_minimum_required(VERSION ${x})").is_empty());
        let installed = "{\n \"packages\": [\n  {\n   \"name\": \"livewire/livewire\",\n   \"version\": \"v4.2.1\",\n";
        assert_eq!(allows(&of_composer_lock(installed, "livewire/livewire"), "3", false), [Some(false)]);
        assert!(of_composer_lock(installed, "livewire/flux").is_empty());
        let lock = "RUBY VERSION\n   ruby 3.3.4p94\n\nBUNDLED WITH\n";
        assert_eq!(allows(&of_gem_lock(lock), "3.2", true), [Some(false)]);
    }
}
