//! What a manifest defines: scripts, targets, recipes, aliases. Text in, names out; which files there are is not known here.

use std::collections::{BTreeMap, BTreeSet};

use super::{Runner, elixir, jvm, members, services, sessions};
use crate::agents::settings::{self, SettingsFormat};

/// What one manifest defines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The name of the package, if it is one.
    pub(super) package: Option<String>,
    /// Scripts, targets, recipes or aliases.
    pub(super) names: BTreeSet<String>,
    /// What stands before and after the `%` of rules for any name.
    pub(super) patterns: Vec<(String, String)>,
    /// Packages whose programs can be run by their names.
    pub(super) programs: BTreeSet<String>,
    /// Scripts that hand their words on to turbo.
    pub(super) to_turbo: BTreeSet<String>,
    /// Whether it has no scripts but the one that `npm init` writes and such as npm runs by itself.
    pub(super) is_stub: bool,
    /// Files that it includes, as written.
    pub(super) includes: Vec<String>,
    /// Whether it may define more than can be read from it.
    pub(super) open: bool,
}

impl Manifest {
    /// Whether it defines `name`.
    pub(super) fn defines(&self, name: &str) -> bool {
        let fits = |(before, after): &(String, String)| {
            name.len() > before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
        };
        self.names.contains(name) || self.patterns.iter().any(fits)
    }
}

/// Read a manifest of `runner`.
pub(super) fn read(runner: Runner, text: &str) -> Manifest {
    // An empty one stands for what is elsewhere: generated, linked, or left out of this copy.
    if text.trim().is_empty() {
        return Manifest { open: true, ..Manifest::default() };
    }
    match runner {
        Runner::Package => package(text),
        Runner::Make => makefile(text),
        Runner::Just => justfile(text),
        Runner::Cargo => cargo_config(text),
        Runner::CargoBin => targets(text, "bin"),
        Runner::CargoExample => targets(text, "example"),
        Runner::CargoTest => targets(text, "test"),
        Runner::CargoBench => targets(text, "bench"),
        Runner::CargoPackage => packages(text),
        Runner::CargoFeature => features(text),
        Runner::Compose => services::read(text),
        Runner::PythonModule | Runner::Toolchain | Runner::Dotnet => Manifest::default(),
        Runner::Tox | Runner::Nox | Runner::Rake => sessions::read(text),
        Runner::Member | Runner::Nx => members::read(text),
        Runner::Mix => elixir::read(text),
        Runner::Gradle => jvm::settings(text),
        Runner::Maven => jvm::pom(text),
        Runner::Composer => json(text, "scripts"),
        Runner::Deno => {
            let tasks = json(text, "tasks");
            let scripts = json(text, "scripts");
            Manifest { names: tasks.names.into_iter().chain(scripts.names).collect(), ..tasks }
        }
        Runner::Task => taskfile(text),
        Runner::Python => pyproject(text),
        Runner::Mise => mise(text),
    }
}

/// Scripts that npm runs by itself.
const LIFECYCLE: [&str; 9] = [
    "install",
    "postinstall",
    "postpack",
    "preinstall",
    "prepack",
    "prepare",
    "prepublish",
    "prepublishOnly",
    "postpublish",
];

/// Whether the last command of a script is one of turbo's.
fn ends_in_turbo(script: &str) -> bool {
    script.rsplit(['&', ';', '|']).next().is_some_and(|last| last.split_whitespace().any(|word| word == "turbo"))
}

/// A manifest that is no JSON (a template, a fixture of broken JSON) defines nothing.
fn package(text: &str) -> Manifest {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return Manifest::default() };
    let keys = |key: &str| {
        let object = value.get(key).and_then(|object| object.as_object());
        object.into_iter().flatten().map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    let scripts = value.get("scripts").and_then(|scripts| scripts.as_object()).into_iter().flatten();
    let scripts: Vec<(&str, &str)> =
        scripts.filter_map(|(name, script)| Some((name.as_str(), script.as_str()?))).collect();
    let is_of_npm = |&(name, script): &(&str, &str)| {
        LIFECYCLE.contains(&name) || name == "test" && script.contains("no test specified")
    };
    let programs = ["dependencies", "devDependencies", "optionalDependencies", "bin"].iter().flat_map(|key| keys(key));
    Manifest {
        package: value.get("name").and_then(|name| name.as_str()).map(str::to_owned),
        names: keys("scripts").into_iter().collect(),
        to_turbo: scripts
            .iter()
            .filter(|(_, script)| ends_in_turbo(script))
            .map(|(name, _)| (*name).to_owned())
            .collect(),
        is_stub: scripts.iter().all(is_of_npm),
        // `@scope/tool` brings a program that is mostly called `tool`, or as the scope.
        programs: programs
            .flat_map(|name| name.split('/').map(|part| part.trim_start_matches('@').to_owned()).collect::<Vec<_>>())
            .collect(),
        ..Manifest::default()
    }
}

fn makefile(text: &str) -> Manifest {
    /// Stands for a colon that belongs to a target's name.
    const ESCAPED: &str = "\u{1}";
    let mut found = Manifest::default();
    let text = joined(text);
    let variables = variables(&text);
    for line in text.lines().filter(|line| !line.starts_with(['\t', '#'])) {
        let line = line.trim_start();
        if let Some((word @ ("include" | "-include" | "sinclude"), files)) = line.split_once([' ', '\t']) {
            // `.env`, `env/.env.local` and `ci.env` hold variables alone.
            let has_targets = |file: &&str| !(file.ends_with(".env") || format!("/{file}").contains("/.env."));
            let files = files.split(" #").next().unwrap_or(files).split_whitespace();
            let files: Vec<&str> = files.filter(has_targets).collect();
            // What may be missing is mostly settings.
            found.open |= word == "include" && files.iter().any(|file| file.contains(['$', '*', '?']));
            found.includes.extend(files.iter().filter(|_| word == "include").map(|file| (*file).to_owned()));
            continue;
        }
        // Text that is made into rules may make any.
        found.open |= line.contains("$(eval") || line.contains("${eval");
        // A colon of a name has a backslash before it: `build\:web:`.
        let line = line.replace("\\:", ESCAPED);
        let Some((head, rest)) = line.split_once(':') else { continue };
        // `A := b` and `A = b:c` define variables.
        if rest.starts_with('=') || rest.starts_with(":=") || head.contains('=') {
            continue;
        }
        for name in expanded(head, &variables).split_whitespace() {
            match name.split_once('%') {
                // A path that is made; commands give names.
                _ if name.contains('$') && name.contains('/') => {}
                _ if name.contains('$') => found.open = true,
                Some(("", "")) => found.open = true,
                Some((before, after)) => found.patterns.push((before.to_owned(), after.to_owned())),
                None => drop(found.names.insert(name.replace(ESCAPED, ":"))),
            }
        }
        if head.trim() == ".PHONY" {
            found.open |= rest.contains('$');
            found.names.extend(rest.split_whitespace().map(|name| name.replace(ESCAPED, ":")));
        }
    }
    found
}

/// What a makefile assigns to its variables once, without computing it.
fn variables(text: &str) -> BTreeMap<&str, &str> {
    let mut found: BTreeMap<&str, &str> = BTreeMap::new();
    let mut twice: BTreeSet<&str> = BTreeSet::new();
    for line in text.lines().filter(|line| !line.starts_with(['\t', '#'])) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let name = name.trim().trim_end_matches([':', '?', '+', '!']).trim();
        let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if plain && found.insert(name, value.split(" #").next().unwrap_or(value).trim()).is_some() {
            twice.insert(name);
        }
    }
    found.retain(|name, _| !twice.contains(name));
    found
}

/// Variables in variables that are followed, at most, and bytes that may come of it.
const MAX_DEPTH: usize = 5;
const MAX_EXPANDED: usize = 4096;
/// Longest name of a variable, in bytes.
const MAX_NAME: usize = 200;

/// `text` with the variables of the makefile filled in that are known; as it is where too much would come of it.
fn expanded(text: &str, variables: &BTreeMap<&str, &str>) -> String {
    let mut text = text.to_owned();
    for _ in 0..MAX_DEPTH {
        let mut next = String::with_capacity(text.len());
        let mut rest = text.as_str();
        let mut changed = false;
        while let Some(at) = rest.find('$') {
            let name = rest[at + 1..].strip_prefix(['(', '{']).and_then(|body| {
                let end = memchr::memchr2(b')', b'}', &body.as_bytes()[..body.len().min(MAX_NAME)])?;
                Some(&body[..end])
            });
            let known = name.and_then(|name| Some((name, *variables.get(name)?)));
            next.push_str(&rest[..at]);
            match known {
                Some((_, value)) if next.len() + value.len() > MAX_EXPANDED => return text,
                Some((name, value)) => {
                    next.push_str(value);
                    rest = &rest[at + "$()".len() + name.len()..];
                    changed = true;
                }
                None => {
                    next.push('$');
                    rest = &rest[at + 1..];
                }
            }
        }
        next.push_str(rest);
        if !changed {
            break;
        }
        text = next;
    }
    text
}

/// The text with lines put together that end in a backslash.
fn joined(text: &str) -> String {
    text.replace("\\\r\n", " ").replace("\\\n", " ")
}

fn justfile(text: &str) -> Manifest {
    let mut found = Manifest::default();
    for line in text.lines() {
        if line.starts_with([' ', '\t', '#', '[']) {
            continue;
        }
        let mut words = line.trim_start_matches('@').split([' ', ':']).filter(|word| !word.is_empty());
        match words.next() {
            // `set version:` is a recipe that is called like a keyword.
            Some(name @ ("alias" | "export" | "import" | "mod" | "set" | "unexport")) if is_recipe(line) => {
                found.names.insert(name.to_owned());
            }
            Some("alias") => found.names.extend(words.next().map(str::to_owned)),
            Some("import") => match line.split(['\'', '"']).nth(1) {
                Some(file) => found.includes.push(file.to_owned()),
                None => found.open = true,
            },
            // `just module recipe`, and `just module::recipe`.
            Some("mod" | "mod?") => found.names.extend(words.next().map(str::to_owned)),
            Some("import?" | "set" | "export" | "unexport") | None => {}
            Some(name) if line.contains(':') && !line.trim_start_matches(name).trim_start().starts_with(":=") => {
                found.names.insert(name.to_owned());
            }
            Some(_) => {}
        }
    }
    found
}

/// Whether a colon that assigns nothing ends what stands before any string.
fn is_recipe(line: &str) -> bool {
    let head = line.split(['\'', '"']).next().unwrap_or(line);
    head.split_once(':').is_some_and(|(_, rest)| !rest.starts_with('='))
}

/// The names in one object of a file of JSON, comments allowed. One that cannot be read may define anything.
fn json(text: &str, key: &str) -> Manifest {
    let Ok(value) = settings::parse(text, SettingsFormat::RELAXED_JSON) else {
        return Manifest { open: true, ..Manifest::default() };
    };
    let names = value.get(key).and_then(|object| object.as_object()).into_iter().flatten();
    Manifest { names: names.map(|(name, _)| name.clone()).collect(), ..Manifest::default() }
}

/// `Cargo.toml`: its programs or examples by name. The caller adds what the folders hold.
fn targets(text: &str, kind: &str) -> Manifest {
    let Ok(value) = settings::parse(text, SettingsFormat::Toml) else {
        return Manifest { open: true, ..Manifest::default() };
    };
    let named = value.get(kind).and_then(|all| all.as_array()).into_iter().flatten();
    let name = |target: &serde_json::Value| target.get("name").and_then(|name| name.as_str()).map(str::to_owned);
    let package = value.get("package").filter(|_| kind == "bin").and_then(name);
    Manifest { names: named.filter_map(name).chain(package).collect(), ..Manifest::default() }
}

/// `Cargo.toml`: its package, and those on which it depends, which cargo knows by name, too.
fn packages(text: &str) -> Manifest {
    let Ok(value) = settings::parse(text, SettingsFormat::Toml) else {
        return Manifest { open: true, ..Manifest::default() };
    };
    let mut names: BTreeSet<String> = BTreeSet::new();
    names.extend(value.pointer("/package/name").and_then(|name| name.as_str()).map(str::to_owned));
    let mut tables: Vec<&serde_json::Value> = vec![&value];
    tables.extend(value.get("workspace"));
    tables.extend(value.get("target").and_then(|target| target.as_object()).into_iter().flat_map(|all| all.values()));
    for table in tables {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let all = table.get(kind).and_then(|all| all.as_object());
            for (name, dependency) in all.into_iter().flatten() {
                names.extend(dependency.get("package").and_then(|name| name.as_str()).map(str::to_owned));
                names.insert(name.clone());
            }
        }
    }
    Manifest { names, ..Manifest::default() }
}

/// `Cargo.toml`: its features, and what it depends on, which is a feature where it is optional.
fn features(text: &str) -> Manifest {
    let mut found = packages(text);
    let Ok(value) = settings::parse(text, SettingsFormat::Toml) else { return found };
    let features = value.get("features").and_then(|all| all.as_object()).into_iter().flatten();
    found.names.extend(features.map(|(name, _)| name.clone()));
    found
}

/// `Taskfile.yml`. What it includes it calls by the name of the include, a colon and a task of that file.
fn taskfile(text: &str) -> Manifest {
    let open = || Manifest { open: true, ..Manifest::default() };
    let Ok(value) = settings::parse(text, SettingsFormat::Yaml) else { return open() };
    let mut found = Manifest::default();
    let keys = |key: &str| value.get(key).and_then(|object| object.as_object()).into_iter().flatten();
    for (name, task) in keys("tasks") {
        match name.split_once('*') {
            Some((before, after)) => found.patterns.push((before.to_owned(), after.to_owned())),
            None => drop(found.names.insert(name.clone())),
        }
        let aliases = task.get("aliases").and_then(|aliases| aliases.as_array());
        found.names.extend(aliases.into_iter().flatten().filter_map(|name| name.as_str()).map(str::to_owned));
    }
    for (name, include) in keys("includes") {
        found.open |= include.get("flatten").is_some_and(|flatten| flatten.as_bool() == Some(true));
        let aliases = include.get("aliases").and_then(|aliases| aliases.as_array()).into_iter().flatten();
        let names = aliases.filter_map(|name| name.as_str()).chain([name.as_str()]);
        found.patterns.extend(names.map(|name| (format!("{name}:"), String::new())));
        found.names.insert(name.clone());
    }
    found
}

/// Tables of `pyproject.toml` whose keys are scripts or tasks.
const PYTHON_SCRIPTS: [&str; 8] = [
    "/project/scripts",
    "/project/gui-scripts",
    "/tool/poetry/scripts",
    "/tool/pdm/scripts",
    "/tool/poe/tasks",
    "/tool/taskipy/tasks",
    "/tool/rye/scripts",
    "/tool/pixi/tasks",
];

fn pyproject(text: &str) -> Manifest {
    let Ok(value) = settings::parse(text, SettingsFormat::Toml) else {
        return Manifest { open: true, ..Manifest::default() };
    };
    let tables = PYTHON_SCRIPTS.iter().filter_map(|table| value.pointer(table)?.as_object());
    let mut names: BTreeSet<String> = tables.flat_map(|table| table.keys().cloned()).collect();
    let environments = value.pointer("/tool/hatch/envs").and_then(|all| all.as_object());
    for (environment, settings) in environments.into_iter().flatten() {
        let scripts = settings.get("scripts").and_then(|scripts| scripts.as_object()).into_iter().flatten();
        for (name, _) in scripts {
            names.insert(format!("{environment}:{name}"));
            names.insert(name.clone());
        }
    }
    Manifest { names, ..Manifest::default() }
}

/// `mise.toml`: its tasks and their aliases. What it includes may define any.
fn mise(text: &str) -> Manifest {
    let Ok(value) = settings::parse(text, SettingsFormat::Toml) else {
        return Manifest { open: true, ..Manifest::default() };
    };
    let mut found = Manifest { open: value.get("task_config").is_some(), ..Manifest::default() };
    for (name, task) in value.get("tasks").and_then(|tasks| tasks.as_object()).into_iter().flatten() {
        found.names.insert(name.clone());
        let alias = ["alias", "aliases"].iter().find_map(|key| task.get(*key));
        let several = alias.and_then(|alias| alias.as_array()).into_iter().flatten();
        found.names.extend(alias.into_iter().chain(several).filter_map(|name| name.as_str()).map(str::to_owned));
    }
    found
}

/// `.cargo/config.toml`. One that is no TOML may define anything.
fn cargo_config(text: &str) -> Manifest {
    let Ok(document) = text.parse::<toml_edit::DocumentMut>() else {
        return Manifest { open: true, ..Manifest::default() };
    };
    let aliases = document.get("alias").and_then(|alias| alias.as_table_like());
    Manifest {
        names: aliases.into_iter().flat_map(|table| table.iter().map(|(name, _)| name.to_owned())).collect(),
        open: document.contains_key("include"),
        ..Manifest::default()
    }
}

#[cfg(test)]
mod tests;
