//! Packages and projects of a workspace that a command names: `pnpm --filter web dev`, `yarn workspace @a/web test`,
//! `nx run web:build`.

use super::define::Manifest;
use super::managers;
use crate::source::Listing;

/// The packages that the words of a command select, each with its offset. Patterns and paths are left out.
pub(super) fn packages<'t>(words: &[(&'t str, usize)]) -> Vec<(&'t str, usize)> {
    let Some(&(program, _)) = words.first() else { return Vec::new() };
    let options: &[&str] = match program {
        "pnpm" => &["--filter", "-F"],
        "bun" => &["--filter"],
        "turbo" => &["--filter", "-F"],
        "npm" => &["--workspace", "-w"],
        "yarn" if words.get(1).is_some_and(|(word, _)| *word == "workspace") => {
            return words.get(2).copied().and_then(selected).into_iter().collect();
        }
        _ => return Vec::new(),
    };
    // What creates or goes to another place has other packages.
    if words.iter().any(|(word, _)| matches!(*word, "-C" | "--dir" | "--cwd" | "--prefix" | "create" | "init")) {
        return Vec::new();
    }
    let (own, _) = managers::split_at_script(words);
    of_options(&own[1..], options)
}

/// The packages that a script's own words select, if it hands them on to turbo.
pub(super) fn handed_on<'t>(words: &[(&'t str, usize)]) -> Vec<((&'t str, usize), &'t str)> {
    let (_, handed) = managers::split_at_script(words);
    let Some(handed) = handed else { return Vec::new() };
    let behind = handed.words.iter().position(|(word, _)| *word != "--").unwrap_or(handed.words.len());
    let selected = of_options(&handed.words[behind..], &["--filter", "-F"]);
    selected.into_iter().map(|package| (package, handed.script)).collect()
}

/// The packages that the values of `options` select.
fn of_options<'t>(words: &[(&'t str, usize)], options: &[&str]) -> Vec<(&'t str, usize)> {
    let mut found = Vec::new();
    let mut rest = words.iter();
    while let Some(&(word, at)) = rest.next() {
        if word == "--" {
            break;
        }
        let value = match word.split_once('=') {
            Some((option, value)) if options.contains(&option) => Some((value, at + option.len() + 1)),
            None if options.contains(&word) => rest.next().copied(),
            _ => None,
        };
        found.extend(value.and_then(selected));
    }
    found
}

/// The name that a selector selects, without the marks for what depends on it.
fn selected((selector, at): (&str, usize)) -> Option<(&str, usize)> {
    let name = selector.trim_start_matches(['"', '\'', '.', '^']);
    let at = at + selector.len() - name.len();
    let name = name.trim_end_matches(['"', '\'', '.', '^']);
    let is_path =
        selector.starts_with("./") || selector.starts_with("../") || name.contains('/') && !name.starts_with('@');
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '/' | '-' | '_' | '.');
    let any = [
        "@scope",
        "@org",
        "@your",
        "@my-org",
        "@myorg",
        "@acme",
        "@repo-name",
        "package",
        "your",
        "workspace",
        "name",
        "<",
    ];
    let is_any = any.iter().any(|any| name.starts_with(any));
    (name.len() > 1 && !is_path && !is_any && name.chars().all(is_name)).then_some((name, at))
}

/// The project of nx that a command names.
pub(super) fn project<'t>(words: &[(&'t str, usize)]) -> Option<(&'t str, usize)> {
    let [("nx", _), (verb, _), rest @ ..] = words else { return None };
    let (word, at) = *rest.first()?;
    let name = match *verb {
        "run" => word.split_once(':')?.0,
        "build" | "dev" | "e2e" | "lint" | "serve" | "start" | "test" | "typecheck" => word,
        _ => return None,
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '/' | '-' | '_');
    let is_any = ["project", "my-", "your", "app", "name", "lib"].iter().any(|any| name.starts_with(any));
    (name.len() > 1 && !name.starts_with('-') && !is_any && name.chars().all(is_name)).then_some((name, at))
}

/// Whether the repository is a workspace of several packages.
pub(super) fn is_workspace(listing: &Listing) -> bool {
    ["pnpm-workspace.yaml", "turbo.json", "lerna.json", "nx.json"].iter().any(|name| listing.contains(name.as_bytes()))
        || listing.with_name(b"package.json").len() > 2
}

/// Whether a folder is called so: plugins of nx make projects of folders.
pub(super) fn is_folder(listing: &Listing, name: &str) -> bool {
    let bare = name.rsplit('/').next().unwrap_or(name).as_bytes();
    !bare.is_empty() && listing.has_folder_called(bare)
}

/// The name of the package or project that a file of JSON describes, and the same without its scope.
pub(super) fn read(text: &str) -> Manifest {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return Manifest::default() };
    let name = value.get("name").and_then(|name| name.as_str());
    let bare = name.and_then(|name| name.rsplit_once('/')).map(|(_, bare)| bare);
    Manifest { names: name.into_iter().chain(bare).map(str::to_owned).collect(), ..Manifest::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::commands::builds::words;

    #[test]
    fn packages_are_selected_by_name() {
        let of =
            |command: &str| packages(&words(command)).into_iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(of("pnpm --filter @a/web... dev"), ["@a/web"]);
        assert_eq!(of("pnpm -F=web -F ^api test -- --filter none"), ["web", "api"]);
        assert_eq!(of("yarn workspace @a/web test"), ["@a/web"]);
        assert_eq!(of("npm run test -w web"), ["web"]);
        assert_eq!(of("turbo run build --filter='web'"), ["web"]);
        for other in [
            "pnpm --filter ./web dev",
            "pnpm --filter @a/* dev",
            "pnpm --filter {x} dev",
            "pnpm -w dev",
            "npm -w packages/a test",
        ] {
            assert_eq!(of(other), [""; 0], "{other}");
        }
    }

    #[test]
    fn projects_of_nx_stand_before_the_colon_or_behind_the_target() {
        let of = |command: &str| project(&words(command)).map(|(name, _)| name.to_owned());
        assert_eq!(of("nx run web:build").as_deref(), Some("web"));
        assert_eq!(of("nx build web").as_deref(), Some("web"));
        assert!(of("nx affected -t test").is_none() && of("nx build").is_none() && of("nx build my-app").is_none());
    }
}
