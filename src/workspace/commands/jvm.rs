//! Gradle and Maven: the projects and modules that a command names, and those that a build has.

use super::builds;
use super::define::Manifest;
use crate::base::path;

/// The projects that tasks such as `:core:test` name, each with its offset and without the colon before it.
pub(super) fn projects<'t>(words: &[(&'t str, usize)]) -> Vec<(&'t str, usize)> {
    if !matches!(words.first(), Some(("gradle" | "gradlew" | "./gradlew" | "gradlew.bat", _))) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut rest = words[1..].iter();
    while let Some(&(word, at)) = rest.next() {
        match word {
            // Another build, or a value.
            "-p" | "--project-dir" | "-b" | "-c" | "--include-build" => return Vec::new(),
            "--tests" | "-I" | "--init-script" => _ = rest.next(),
            _ if word.starts_with('-') || word.contains(['=', '"', '\'', '.', '/']) => {}
            _ => {
                let bare = word.strip_prefix(':').unwrap_or(word);
                let at = at + word.len() - bare.len();
                found.extend(bare.rsplit_once(':').filter(|_| !bare.contains("::")).map(|(project, _)| (project, at)));
            }
        }
    }
    found
}

/// The modules that `-pl a,b` names, each with its offset. One by its artifact has a colon before it.
pub(super) fn modules<'t>(words: &[(&'t str, usize)]) -> Vec<(&'t str, usize)> {
    if !matches!(words.first(), Some(("mvn" | "mvnw" | "./mvnw" | "mvnd", _)))
        || words.iter().any(|(word, _)| matches!(*word, "-f" | "--file"))
    {
        return Vec::new();
    }
    let name = |(part, at): (&'t str, usize)| {
        let bare = part.trim_start_matches(['!', '-', '+', '?', ':']);
        // `group:artifact`.
        let name = bare.rsplit(':').next().unwrap_or(bare);
        (name, at + part.len() - name.len())
    };
    let parts = builds::list_of(words, &["-pl", "--projects"]);
    parts.into_iter().map(name).filter(|(name, _)| !name.is_empty()).collect()
}

/// Whether the file at `path` says which projects a build of Gradle's has.
pub(super) fn is_settings(path: &[u8]) -> bool {
    matches!(path::file_name(path), b"settings.gradle" | b"settings.gradle.kts")
}

/// The projects of `settings.gradle`, without the colon before them. What computes them may include any.
pub(super) fn settings(text: &str) -> Manifest {
    let computes =
        ["fileTree", "listFiles", "eachDir", "eachFile", "walk", "forEach", "apply from", "apply(", "fun ", "def "];
    let mut found = Manifest { open: computes.iter().any(|word| text.contains(word)), ..Manifest::default() };
    let text: String = text.lines().map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n");
    for (at, _) in text.match_indices("include") {
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '\'')) {
            continue;
        }
        let rest = &text[at + "include".len()..];
        let is_build = rest.starts_with("Build");
        let list = rest.strip_prefix("Build").unwrap_or(rest).trim_start_matches([' ', '(', '\n']);
        if rest.starts_with(char::is_alphanumeric) && !is_build {
            continue;
        }
        if !list.starts_with(['"', '\'']) {
            found.open = true;
            continue;
        }
        for name in strings(list) {
            found.open |= name.contains('$');
            let name = name.trim_start_matches([':', '.', '/']).trim_end_matches('/');
            if is_build {
                let name = name.rsplit('/').next().unwrap_or(name);
                found.patterns.push((format!("{name}:"), String::new()));
                found.names.insert(name.to_owned());
                continue;
            }
            // A project brings those above it.
            let name = name.replace('/', ":");
            let ends = name.match_indices(':').map(|(at, _)| at).chain([name.len()]);
            found.names.extend(ends.map(|end| name[..end].to_owned()).collect::<Vec<_>>());
        }
    }
    found
}

/// The strings of a list, up to its end.
fn strings(list: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = list;
    while let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let Some((string, after)) = rest[1..].split_once(quote) else { break };
        found.push(string);
        let Some(next) = after.trim_start().strip_prefix(',') else { break };
        rest = next.trim_start();
    }
    found
}

/// The artifacts that a `pom.xml` names.
pub(super) fn pom(text: &str) -> Manifest {
    let found = text.split("<artifactId>").skip(1).filter_map(|rest| rest.split_once("</artifactId>"));
    Manifest { names: found.map(|(name, _)| name.trim().to_owned()).collect(), ..Manifest::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::commands::builds::words;

    fn names(found: Vec<(&str, usize)>) -> Vec<&str> {
        found.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn projects_stand_before_the_task() {
        assert_eq!(names(projects(&words("./gradlew :core:test app:web:build clean"))), ["core", "app:web"]);
        assert_eq!(names(projects(&words("./gradlew test --tests a:b:c -Pa=b:c:d"))), [""; 0]);
        assert_eq!(names(projects(&words("gradle -p other :core:test"))), [""; 0]);
        assert_eq!(names(projects(&words("echo :core:test"))), [""; 0]);
    }

    #[test]
    fn modules_follow_their_option() {
        assert_eq!(names(modules(&words("mvn test -pl core,:api,g:web -am"))), ["core", "api", "web"]);
        assert_eq!(names(modules(&words("mvn -f other/pom.xml test -pl core"))), [""; 0]);
    }

    #[test]
    fn settings_tell_the_projects() {
        let found = settings(
            "include(\":core\", \":app:web\") // include(\":old\")\ninclude 'a', 'b'\nincludeBuild(\"build-logic\")\n",
        );
        assert!(
            ["core", "app", "app:web", "a", "b", "build-logic", "build-logic:x"].iter().all(|name| found.defines(name))
        );
        assert!(!found.defines("old") && !found.defines("web") && !found.open);
        assert!(
            settings("include(names)").open
                && settings("file(\"x\").listFiles()").open
                && settings("include(\"$x\")").open
        );
        assert!(!settings("pluginManagement { includeBuild('x') }\nrootProject.name = 'y'\n").open);
    }

    #[test]
    fn a_pom_names_its_artifacts() {
        assert!(pom("<artifactId>core</artifactId><module>x</module>").defines("core"));
    }
}
