//! Plugins of settings that are packages: how much a reviewer sees of the code that a start loads.

use super::effects::Effect;
use crate::base::finding::Level;
use crate::base::path;
use crate::base::sanitize;
use crate::rules::Cx;
use std::borrow::Cow;

const REVIEWED: &str = "require a review of this file (CODEOWNERS)";
const BY_PATH: &str = "name the plugin by its path, or pin the version: `NAME@1.2.3`";
const LOADED: &str = "remove this entry: files in the folder of plugins are loaded without one";

/// The folders of plugins in the folder of an agent, and the ends of their files.
const FOLDERS: [&str; 2] = ["plugin", "plugins"];
const ENDS: [&str; 2] = [".js", ".ts"];
/// The ends of a plugin's own configuration.
const CONFIGS: [&str; 2] = [".json", ".jsonc"];

/// How grave it is that the package `written` is loaded, what runs, and what to do about it.
pub(super) fn judged(cx: &Cx<'_>, effect: &Effect<'_>, written: &str) -> Option<(Level, String, Cow<'static, str>)> {
    let name = bare_name(written);
    let shown = sanitize::line(name);
    if written.is_empty() {
        return None;
    }
    if is_pinned(written) {
        return Some((Level::Info, format!("the plugin {},", sanitize::line(written)), REVIEWED.into()));
    }
    if cx.workspace.own_packages.contains(name) {
        // Whoever opens the repository works on that very plugin.
        let what = format!("the published plugin {shown}, and not the one that is made here,");
        return Some((Level::Info, what, BY_PATH.into()));
    }
    let last = name.rsplit('/').next().unwrap_or(name);
    let below = FOLDERS.iter().flat_map(|folder| ENDS.map(|end| format!("{folder}/{last}{end}")));
    if let Some(file) = below.into_iter().find_map(|below| in_agent_folder(cx, effect, &below)) {
        let file = sanitize::line(&file).into_owned();
        let what = format!("a package {shown} of npm beside `{file}`, which is loaded without this entry,");
        return Some((Level::Warning, what, LOADED.into()));
    }
    let what = format!("the plugin {shown}, whose version is not pinned,");
    // With a configuration of its own it was chosen on purpose.
    let is_configured = CONFIGS.iter().any(|end| in_agent_folder(cx, effect, &format!("{last}{end}")).is_some());
    Some((if is_configured { Level::Info } else { Level::Warning }, what, pin(written)))
}

/// What to write in place of a package whose version moves: its name with the version that is used.
fn pin(written: &str) -> Cow<'static, str> {
    let name = sanitize::line(bare_name(written));
    match sanitize::line(&written[bare_name(written).len()..]) {
        moving if moving.is_empty() => format!("pin the version: `{name}@1.2.3`").into(),
        moving => format!("pin the version that you use: `{name}@1.2.3` in place of `{moving}`").into(),
    }
}

/// A file of the repository in the folder of an agent that reads the settings, beside them.
fn in_agent_folder(cx: &Cx<'_>, effect: &Effect<'_>, below: &str) -> Option<String> {
    let beside = effect.path.parent();
    let folders = effect.agents.iter().flat_map(|(agent, _)| agent.files.folders.iter());
    let mut places = folders.map(|folder| match path::file_name(beside) == folder.as_bytes() {
        true => path::join(beside, below.as_bytes()),
        false => path::join(beside, format!("{folder}/{below}").as_bytes()),
    });
    let found = places.find(|place| cx.workspace.listing.contains(place))?;
    Some(String::from_utf8_lossy(&found).into_owned())
}

/// A package's name without its version.
fn bare_name(package: &str) -> &str {
    let version = package.get(1..).and_then(|rest| rest.find('@')).map(|at| at + 1);
    &package[..version.unwrap_or(package.len())]
}

/// Whether a package's name says which version: a whole number of one, or a whole name of a commit.
fn is_pinned(package: &str) -> bool {
    let Some((_, version)) = package.get(1..).and_then(|rest| rest.split_once('@')) else { return false };
    match version.rsplit_once('#') {
        Some((_, commit)) => commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => version.starts_with(|c: char| c.is_ascii_digit()) && version.splitn(3, '.').count() == 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::repository;

    #[test]
    fn plugins_are_judged_by_what_is_known_of_them() {
        let told = |plugin: &str, other: (&str, &str)| {
            let settings = format!("{{\"plugin\": [\"{plugin}\"]}}\n");
            let files = [("opencode.json", &settings[..]), other, ("AGENTS.md", "x\n")];
            let found = repository("runs-on-open", "agents = [\"opencode\"]\n", &files);
            let of_settings = found.into_iter().filter(|finding| finding.path.as_bytes() == b"opencode.json");
            of_settings.map(|finding| (finding.level, finding.message.to_string())).collect::<Vec<_>>()
        };
        let check = |plugin: &str, other: (&str, &str), level: Level, words: &str| {
            let told = told(plugin, other);
            assert!(matches!(&told[..], [(l, m)] if *l == level && m.contains(words)), "{plugin} {other:?}: {told:?}");
        };
        let none = ("src/a.rs", "");
        check("a-plugin", none, Level::Warning, "whose version is not pinned");
        check("a-plugin", ("package.json", "{\"name\": \"other\"}"), Level::Warning, "whose version is not pinned");
        check("a-plugin", ("packages/a/package.json", "{\"name\": \"a-plugin\"}"), Level::Info, "made here");
        check("@x/a@latest", ("package.json", "{\"name\": \"@x/a\"}"), Level::Info, "made here");
        check("a-plugin", (".opencode/a-plugin.jsonc", "{}"), Level::Info, "whose version is not pinned");
        check("a-plugin", (".opencode/b-plugin.jsonc", "{}"), Level::Warning, "whose version is not pinned");
        check("a-plugin@1.2.3", none, Level::Info, "the plugin a-plugin@1.2.3,");
        check(
            "a-plugin",
            (".opencode/plugins/a-plugin.js", ""),
            Level::Warning,
            "beside `.opencode/plugins/a-plugin.js`",
        );
    }

    #[test]
    fn the_pin_names_the_package() {
        assert_eq!(pin("a-plugin@latest"), "pin the version that you use: `a-plugin@1.2.3` in place of `@latest`");
        assert_eq!(pin("@x/a@^1"), "pin the version that you use: `@x/a@1.2.3` in place of `@^1`");
        assert_eq!(pin("@x/a"), "pin the version: `@x/a@1.2.3`");
    }

    #[test]
    fn versions_of_packages_are_whole_or_none() {
        let commit = format!("x@git+https://example.org/x.git#{}", "0a".repeat(20));
        for name in ["x@1.2.3", "@a/x@1.2.3-beta.1", &commit] {
            assert!(is_pinned(name), "{name}");
        }
        for name in [
            "x",
            "@a/x",
            "x@latest",
            "x@1",
            "x@^1.2.3",
            "x@git+https://example.org/x.git",
            "x@git+https://e.org/x#main",
        ] {
            assert!(!is_pinned(name), "{name}");
        }
        assert_eq!(["x@1", "@a/x@latest", "@a/x", "x"].map(bare_name), ["x", "@a/x", "@a/x", "x"]);
    }
}
