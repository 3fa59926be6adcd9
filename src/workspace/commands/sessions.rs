//! `tox -e ENV`, `nox -s SESSION`, `rake TASK` and `dotnet test PROJECT`: what they name, and the files whose words may define it.
//! Such files compute names, so only one of which no file has the words is undefined.

use super::builds;
use super::define::Manifest;
use crate::base::path;
use crate::source::Listing;

/// The environments that `tox -e a,b` names, each with its offset.
pub(super) fn environments<'t>(words: &[(&'t str, usize)]) -> Vec<(&'t str, usize)> {
    if words.first().is_none_or(|(word, _)| *word != "tox") {
        return Vec::new();
    }
    listed(words, &["-e"]).into_iter().filter(|(name, _)| !is_python(name) && *name != "ALL").collect()
}

/// The sessions that `nox -s a` names, each with its offset.
pub(super) fn sessions<'t>(words: &[(&'t str, usize)]) -> Vec<(&'t str, usize)> {
    match words.first() {
        Some(("nox", _)) => listed(words, &["-s", "-e", "--session", "--sessions"]),
        _ => Vec::new(),
    }
}

/// The values of an option, separated by commas.
fn listed<'t>(words: &[(&'t str, usize)], options: &[&str]) -> Vec<(&'t str, usize)> {
    // Another file may define them.
    let another = ["-c", "-f", "--noxfile", "--conf", "--root", "--workdir"];
    if words.iter().any(|(word, _)| another.contains(word)) {
        return Vec::new();
    }
    builds::list_of(words, options)
}

/// Whether an environment is called by a version of Python alone: tox has those by itself.
fn is_python(name: &str) -> bool {
    let rest = name.strip_prefix("pypy").or_else(|| name.strip_prefix("py"));
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
        || name.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// The task of a namespace that rake runs.
pub(super) fn task<'t>(words: &[(&'t str, usize)]) -> Option<(&'t str, usize)> {
    let words = match words {
        [("bundle", _), ("exec", _), rest @ ..] => rest,
        _ => words,
    };
    let [("rake" | "bin/rake" | "./bin/rake" | "rails" | "bin/rails" | "./bin/rails", _), rest @ ..] = words else {
        return None;
    };
    let &(task, at) = rest.iter().find(|(word, _)| !word.starts_with('-') && !word.contains('='))?;
    let task = task.split('[').next().unwrap_or(task);
    task.contains(':').then_some((task, at))
}

/// The file of a project or solution that a command of dotnet's names.
pub(super) fn project<'t>(words: &[(&'t str, usize)]) -> Option<(&'t str, usize)> {
    let [("dotnet", _), ("build" | "format" | "pack" | "publish" | "restore" | "run" | "test", _), rest @ ..] = words
    else {
        return None;
    };
    let &(word, at) = rest.iter().find(|(word, _)| is_project_file(word.as_bytes()))?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '\\');
    (word.chars().all(is_plain) && !word.starts_with(['/', '\\'])).then_some((word, at))
}

fn is_project_file(name: &[u8]) -> bool {
    [".sln", ".slnx", ".slnf", ".csproj", ".fsproj", ".vbproj"]
        .iter()
        .any(|end| name.ends_with(end.as_bytes()) && name.len() > end.len())
}

/// Whether a file of the repository has the name of the project or solution, wherever it lies, or none has any.
pub(super) fn has_project(listing: &Listing, written: &str) -> bool {
    let name = written.rsplit(['/', '\\']).next().unwrap_or(written);
    let has_any = || listing.iter().any(|entry| is_project_file(path::file_name(entry.path)));
    !listing.with_name_in_any_case(name.as_bytes()).is_empty() || !has_any()
}

/// Whether the file at `path` may define what tox runs.
pub(super) fn is_of_tox(path: &[u8]) -> bool {
    matches!(path::file_name(path), b"tox.ini" | b"tox.toml" | b"pyproject.toml" | b"setup.cfg")
}

/// Whether the file at `path` may define what rake runs.
pub(super) fn is_of_rake(path: &[u8]) -> bool {
    path.ends_with(b".rake") || matches!(path::file_name(path), b"Rakefile" | b"rakefile" | b"Rakefile.rb")
}

/// All words of a file, any of which may be a name, and the namespaces that it opens as programs.
pub(super) fn read(text: &str) -> Manifest {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let names = words.map(str::to_owned).collect();
    let namespaces = text.split("namespace").skip(1).map(|rest| {
        let rest = rest.trim_start_matches([' ', '(', ':', '"', '\'']);
        rest[..rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())].to_owned()
    });
    Manifest { names, programs: namespaces.collect(), ..Manifest::default() }
}

/// The words of a name, each of which a file must have that defines it.
pub(super) fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', ':', '.']).filter(|part| !part.is_empty() && !is_python(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Memory, Source as _};
    use crate::workspace::commands::builds::words;

    #[test]
    fn names_are_told_from_versions_and_options() {
        let tox = |command: &str| {
            environments(&words(command)).into_iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(tox("tox -e lint,py311,docs"), ["lint", "docs"]);
        assert_eq!(tox("tox -c other.ini -e lint"), [""; 0]);
        assert_eq!(sessions(&words("nox -s lint -- x")), [("lint", 0)]);
        assert_eq!(task(&words("bundle exec rake db:import[1] A=b")), Some(("db:import", 0)));
        assert_eq!(task(&words("bin/rails test")), None);
    }

    #[test]
    fn projects_of_dotnet_are_files() {
        assert_eq!(project(&words("dotnet test tests/A.Tests.csproj --no-build")), Some(("tests/A.Tests.csproj", 0)));
        assert_eq!(project(&words("dotnet new sln -n A.sln")), None);
        let source = Memory::of_files([("src/A.csproj", ""), ("A.sln", "")]);
        let has = |name: &str| has_project(source.listing(), name);
        assert!(has("A.sln") && has("old/A.csproj") && !has("B.sln"));
    }

    #[test]
    fn words_and_namespaces_of_a_file() {
        let found = read("namespace :dev do\n  task stop: :environment do\n");
        assert!(found.names.contains("stop") && found.programs.contains("dev") && !found.programs.contains("stop"));
        assert_eq!(parts("py311-lint-x").collect::<Vec<_>>(), ["lint", "x"]);
    }
}
