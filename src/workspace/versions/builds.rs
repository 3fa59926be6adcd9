//! Which versions the builds of languages other than JavaScript declare. Reads plain values where such builds write them; what is a
//! variable or made by a program is unknown, and then nothing is said. Data in, data out.

use super::number::{DeclaredVersion, VersionNumber, WrittenVersions};

/// What stands in a manifest below `keys`.
pub(super) fn at<'m>(manifest: &'m toml_edit::Document<&str>, keys: &[&str]) -> Option<&'m toml_edit::Item> {
    keys.iter().try_fold(manifest.as_item(), |item, key| item.get(key))
}

/// The package in the dependencies of `pyproject.toml`, as a list or as a table.
pub(super) fn of_project(text: &str, package: &str) -> WrittenVersions {
    let Ok(manifest) = toml_edit::Document::parse(text) else { return Vec::new() };
    let listed = at(&manifest, &["project", "dependencies"]).and_then(|item| item.as_array()).into_iter().flatten();
    let listed = listed.filter_map(|item| requirement(item.as_str()?, package));
    let table = at(&manifest, &["tool", "poetry", "dependencies"]).and_then(|item| item.as_table_like());
    let of_table = table.into_iter().flat_map(|table| table.iter()).filter_map(|(name, item)| {
        let version = item.as_str().or_else(|| item.get("version")?.as_str())?;
        is_called(name, package).then(|| (format!("{name} {version}"), allowed(version)))
    });
    listed.chain(of_table).collect()
}

/// The package in the lines of `requirements.txt`.
pub(super) fn of_requirements(text: &str, package: &str) -> WrittenVersions {
    text.lines().filter_map(|line| requirement(line, package)).collect()
}

/// What `django[argon2]>=5.1,<6 ; marker  # remark` says, if it is of `package`.
fn requirement(line: &str, package: &str) -> Option<(String, Option<DeclaredVersion>)> {
    let line = line.split([';', '#']).next()?.trim();
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')))?;
    let (name, rest) = line.split_at(end);
    let rest = match rest.strip_prefix('[') {
        Some(extras) => extras.split_once(']')?.1,
        None => rest,
    };
    is_called(name, package).then(|| (line.to_owned(), allowed(rest.trim())))
}

/// Whether the index of packages takes both names for one.
fn is_called(name: &str, package: &str) -> bool {
    name.replace('_', "-").eq_ignore_ascii_case(package)
}

/// What a bound of a Python package allows: `~=5.1` and `==5.1` that series, `>=5.1` all later ones.
fn allowed(bound: &str) -> Option<DeclaredVersion> {
    let bound = bound.trim();
    match bound.strip_prefix("~=") {
        Some(series) => DeclaredVersion::of_requirement(series),
        None => DeclaredVersion::of_requirement(bound),
    }
}

/// The frameworks that a project of .NET targets. What a library offers to others, `netstandard2.0`, is no version of the project's.
pub(super) fn of_dot_net(text: &str) -> WrittenVersions {
    let targets = ["<TargetFramework>", "<TargetFrameworks>"].into_iter().flat_map(|tag| between(text, tag, "<"));
    let each = targets.flat_map(|value| value.split(';')).map(str::trim);
    let each = each.filter(|target| !target.is_empty() && !target.starts_with("netstandard") && !is_framework(target));
    let version = |target: &str| {
        let number = target.strip_prefix("netcoreapp").or_else(|| target.strip_prefix("net"))?;
        VersionNumber::at(number).map(|(number, _)| DeclaredVersion::OneOf(vec![number]))
    };
    each.map(|target| (target.to_owned(), version(target))).collect()
}

/// Whether a target is of the old .NET Framework: `net472`.
fn is_framework(target: &str) -> bool {
    target.strip_prefix("net").is_some_and(|rest| rest.len() >= 2 && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The release of Java that a build is for.
pub(super) fn of_java(text: &str) -> WrittenVersions {
    let tags = ["<java.version>", "<maven.compiler.release>"];
    let of_maven = tags.into_iter().flat_map(|tag| between(text, tag, "<"));
    let of_gradle = between(text, "JavaLanguageVersion.of(", ")").chain(between(text, "jvmToolchain(", ")"));
    of_maven.chain(of_gradle).map(|value| plain("Java", value.trim())).collect()
}

/// The release of Spring Boot that a build has as its parent or as a plugin.
pub(super) fn of_spring_boot(text: &str) -> WrittenVersions {
    let parents = between(text, "<artifactId>spring-boot-starter-parent</artifactId>", "</version>");
    let of_maven = parents.filter_map(|rest| rest.trim_start().strip_prefix("<version>"));
    let plugins = text.lines().filter(|line| line.contains("org.springframework.boot") && line.contains("version"));
    let of_gradle = plugins.filter_map(|line| {
        let (_, behind) = line.rsplit_once("version")?;
        behind
            .trim_matches(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '(' | ')' | '='))
            .split(['\'', '"'])
            .next()
    });
    of_maven.chain(of_gradle).map(|value| plain("Spring Boot", value.trim())).collect()
}

/// The toolchain that a repository pins, and the least one that a package needs.
pub(super) fn of_rust(text: &str) -> WrittenVersions {
    let Ok(manifest) = toml_edit::Document::parse(text) else { return Vec::new() };
    let text = |keys: &[&str]| at(&manifest, keys)?.as_str();
    let channel = text(&["toolchain", "channel"]).map(|channel| plain("Rust", channel));
    let least = [&["package", "rust-version"][..], &["workspace", "package", "rust-version"]];
    let least = least.into_iter().filter_map(text).map(|written| {
        let least = VersionNumber::at(written).map(|(number, _)| DeclaredVersion::From(number));
        (format!("rust-version {written}"), least)
    });
    channel.into_iter().chain(least).collect()
}

/// A value that is a number alone.
fn plain(of: &str, value: &str) -> (String, Option<DeclaredVersion>) {
    let number = VersionNumber::at(value).map(|(number, _)| number);
    // Until the eighth, releases of Java were called `1.8`.
    let number = match number {
        Some(VersionNumber { major: 1, minor: Some(minor) }) if of == "Java" => {
            Some(VersionNumber { major: minor, minor: None })
        }
        other => other,
    };
    (format!("{of} {value}"), number.map(|number| DeclaredVersion::OneOf(vec![number])))
}

/// Everything between `begin` and the `end` after it.
fn between<'t>(text: &'t str, begin: &'static str, end: &'static str) -> impl Iterator<Item = &'t str> {
    memchr::memmem::find_iter(text.as_bytes(), begin)
        .map(move |at| &text[at + begin.len()..])
        .filter_map(move |rest| rest.find(end).map(|at| &rest[..at]))
}

#[cfg(test)]
mod tests {
    use super::super::number::allows;
    use super::*;

    #[test]
    fn packages_of_python_are_found_by_any_spelling() {
        let lines = "# tools\nDjango[argon2]>=5.1,<6 ; python_version > '3.9'\ndjango-filter==1\nflask\n";
        assert_eq!(allows(&of_requirements(lines, "django"), "4.2", false), [Some(false)]);
        assert_eq!(allows(&of_requirements(lines, "django"), "5", false), [Some(true)]);
        assert!(of_requirements(lines, "flask").is_empty());
        let project = "[project]\ndependencies = [\"Django~=4.2\", 3]\n[tool.poetry.dependencies]\ndjango = {version = \"^5.0\"}\n";
        assert_eq!(allows(&of_project(project, "django"), "5", false), [Some(false), Some(true)]);
        assert!(of_project("dependencies = [", "django").is_empty());
    }

    #[test]
    fn a_framework_of_dot_net_is_one_that_the_project_runs_on() {
        let of = |inner: &str| allows(&of_dot_net(&format!("<Project>{inner}</Project>")), "8", false);
        assert_eq!(of("<TargetFramework>net8.0</TargetFramework>"), [Some(true)]);
        assert_eq!(of("<TargetFrameworks>net9.0-windows;netstandard2.0;net472</TargetFrameworks>"), [Some(false)]);
        assert_eq!(of("<TargetFramework>netcoreapp3.1</TargetFramework>"), [Some(false)]);
        assert_eq!(of("<TargetFramework>$(Target)</TargetFramework>"), [None]);
        assert!(of_dot_net("<TargetFramework>net8.0").is_empty());
    }

    #[test]
    fn builds_of_java_name_a_release() {
        let java = |text: &str| allows(&of_java(text), "17", false);
        assert_eq!(java("<java.version>21</java.version>"), [Some(false)]);
        assert_eq!(java("<java.version>${jdk}</java.version>"), [None]);
        assert_eq!(java("languageVersion = JavaLanguageVersion.of(17)"), [Some(true)]);
        // The level of the language is lower than the release that builds it.
        assert!(java("sourceCompatibility = JavaVersion.VERSION_11\n").is_empty());
        assert_eq!(allows(&of_java("<java.version>1.8</java.version>"), "8", false), [Some(true)]);
        let boot = |text: &str| allows(&of_spring_boot(text), "3.2", true);
        let parent = "<artifactId>spring-boot-starter-parent</artifactId>\n  <version>3.4.1</version>";
        assert_eq!(boot(parent), [Some(false)]);
        assert_eq!(boot("  id 'org.springframework.boot' version '3.2.5'\n"), [Some(true)]);
        assert_eq!(boot("  id(\"org.springframework.boot\") version \"3.3.0\" apply false\n"), [Some(false)]);
        assert!(boot("  id(\"org.springframework.boot\")\n").is_empty());
    }

    #[test]
    fn rust_is_pinned_or_bounded_from_below() {
        assert_eq!(allows(&of_rust("[toolchain]\nchannel = \"1.80.1\"\n"), "1.75", true), [Some(false)]);
        assert_eq!(allows(&of_rust("[toolchain]\nchannel = \"stable\"\n"), "1.75", true), [None]);
        assert_eq!(allows(&of_rust("[package]\nrust-version = \"1.70\"\n"), "1.75", true), [Some(true)]);
        assert!(of_rust("[package]\nrust-version.workspace = true\n").is_empty());
    }
}
