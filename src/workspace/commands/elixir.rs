//! `mix TASK`: the tasks that a text runs, those that a project defines, and which packages bring the others.

use super::define::Manifest;
use crate::base::path;

/// Tasks of well-known packages, by the name or what stands before its first dot, and the packages one of which brings it. Those
/// without a package are aliases that projects define.
const TASKS: [(&str, &[&str]); 37] = [
    ("ash", &["ash"]),
    ("assets", &[]),
    ("check", &["ex_check"]),
    ("ci", &[]),
    ("coveralls", &["excoveralls"]),
    ("credo", &["credo"]),
    ("dialyzer", &["dialyxir", "dialyxer"]),
    ("docs", &["ex_doc"]),
    ("doctor", &["doctor"]),
    ("ecto", &["ecto", "ecto_sql", "ash_postgres"]),
    ("ecto.reset", &[]),
    ("ecto.setup", &[]),
    ("ecto.seed", &[]),
    ("esbuild", &["esbuild"]),
    ("gettext", &["gettext"]),
    ("inch", &["inch_ex"]),
    ("lint", &[]),
    ("oban", &["oban"]),
    ("phx", &["phoenix"]),
    ("precommit", &[]),
    ("pre_commit", &["pre_commit"]),
    ("pre-commit", &[]),
    ("quality", &[]),
    ("recode", &["recode"]),
    ("sentry", &["sentry"]),
    ("setup", &[]),
    ("sobelow", &["sobelow"]),
    ("surface", &["surface"]),
    ("swoosh", &["swoosh"]),
    ("tailwind", &["tailwind"]),
    ("test.all", &[]),
    ("test.ci", &[]),
    ("test.watch", &["mix_test_watch"]),
    ("test.interactive", &["mix_test_interactive"]),
    ("deps.audit", &["mix_audit"]),
    ("unused", &["mix_unused"]),
    ("usage_rules", &["usage_rules"]),
];

/// Tasks that an archive brings, which people install for themselves.
const OF_ARCHIVES: [&str; 3] = ["phx.new", "igniter.new", "ash.new"];

/// The task that the words of a command run.
pub(super) fn named<'t>(words: &[(&'t str, usize)]) -> Option<(&'t str, usize)> {
    let [("mix", _), (task, at), ..] = words else { return None };
    // `mix do a + b` runs several.
    (*task != "do" && !task.starts_with('-')).then_some((task.trim_end_matches(','), *at))
}

/// Whether one of `packages` brings the task, or it is unknown who does.
pub(super) fn is_brought(task: &str, has_package: impl Fn(&str) -> bool) -> bool {
    let of = |name: &str| TASKS.iter().find(|(known, _)| *known == name).map(|(_, packages)| packages);
    let first = task.split('.').next().unwrap_or(task);
    if OF_ARCHIVES.iter().any(|archive| task.starts_with(archive)) {
        return true;
    }
    match of(task).or_else(|| of(first)) {
        // `assets.build` is an alias as `assets` would be, but nothing says who brings the rest of `setup.x`.
        Some([]) if task != first && first != "assets" && of(task).is_none() => true,
        Some(packages) => packages.iter().any(|package| has_package(package)),
        None => true,
    }
}

/// Whether tasks, or packages that bring some, are defined in the file at `path`.
pub(super) fn reads(path: &[u8]) -> bool {
    let folder = path::parent(path);
    matches!(path::file_name(path), b"mix.exs" | b"mix.lock")
        || path.ends_with(b".ex") && memchr::memmem::find(folder, b"mix/tasks").is_some()
}

/// The tasks that a file defines, and the packages that it names. All its keys may be aliases, and all its atoms packages.
pub(super) fn read(text: &str) -> Manifest {
    let mut found =
        Manifest { open: text.contains("Code.eval") || text.contains("Code.require"), ..Manifest::default() };
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    for (at, _) in text.match_indices(':') {
        let before = &text[..at];
        let key = match before.strip_suffix('"') {
            Some(quoted) => quoted.rsplit('"').next().unwrap_or_default(),
            None => &before[before.trim_end_matches(is_part).len()..],
        };
        found.names.extend((!key.is_empty()).then(|| key.to_owned()));
        let atom = &text[at + 1..];
        let atom = &atom[..atom.find(|c| !is_part(c)).unwrap_or(atom.len())];
        // The lock has packages as keys.
        found.programs.extend([atom, key].into_iter().filter(|name| !name.is_empty()).map(str::to_owned));
    }
    for (at, _) in text.match_indices("\" =>") {
        found.names.insert(text[..at].rsplit('"').next().unwrap_or_default().to_owned());
    }
    for (at, begin) in text.match_indices("defmodule Mix.Tasks.") {
        let module = &text[at + begin.len()..];
        let module = &module[..module.find(|c| !is_part(c)).unwrap_or(module.len())];
        found.names.insert(module.split('.').map(underscored).collect::<Vec<_>>().join("."));
    }
    found
}

/// `GenDocs` as mix writes it: `gen_docs`.
fn underscored(part: &str) -> String {
    let mut out = String::new();
    let mut before = None;
    let mut rest = part.chars().peekable();
    while let Some(c) = rest.next() {
        let is_begin = |before: char| before.is_ascii_lowercase() || before.is_ascii_digit();
        let ends_capitals =
            rest.peek().is_some_and(char::is_ascii_lowercase) && before.is_some_and(|b: char| b.is_ascii_uppercase());
        if c.is_ascii_uppercase() && (before.is_some_and(is_begin) || ends_capitals) {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::commands::builds::words;

    #[test]
    fn aliases_tasks_and_packages_are_read() {
        let text = "defp deps do\n[{:credo, \"~> 1.7\"}, {:ex_doc, \"1\"}]\nend\ndefp aliases do\n[setup: [\"deps.get\"], \"ecto.setup\": [], \"a.b\" => []]\nend";
        let found = read(text);
        assert!(["setup", "ecto.setup", "a.b"].iter().all(|name| found.defines(name)) && !found.defines("lint"));
        assert!(found.programs.contains("credo") && !found.programs.contains("sobelow"));
        assert!(read("defmodule Mix.Tasks.Aprs.GenDocs do").defines("aprs.gen_docs"));
        assert!(read("%{\n  \"sobelow\": {:hex, :sobelow, \"0.1\"},\n}").programs.contains("sobelow"));
        assert_eq!(underscored("HTMLDocs2Go"), "html_docs2_go");
    }

    #[test]
    fn a_task_is_known_by_its_package() {
        let brought = |task: &str| is_brought(task, |package| package == "credo" || package == "phoenix");
        assert!(
            brought("credo")
                && brought("phx.server")
                && brought("test")
                && brought("my_app.seed")
                && brought("phx.new")
        );
        assert!(!brought("sobelow") && !brought("dialyzer") && !brought("ecto.migrate") && !brought("setup"));
        assert!(!brought("assets.build") && brought("setup.dev"));
    }

    #[test]
    fn the_first_word_is_the_task() {
        let of = |command: &str| named(&words(command)).map(|(task, _)| task.to_owned());
        assert_eq!(of("mix sobelow --config").as_deref(), Some("sobelow"));
        assert_eq!(of("mix do a + b"), None);
        assert_eq!(of("mix --version"), None);
    }
}
