//! `missing-plugin-path`: a manifest of a plugin, or a marketplace, names a path that is not there.

use super::missing_hook_command::is_built;
use crate::agents::bundles::{self, Bundle};
use crate::agents::files::ends_with;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::EntryKind;
use crate::workspace::Resolution;

static INFO: RuleInfo = RuleInfo {
    name: "missing-plugin-path",
    group: Group::Settings,
    levels: &[Level::Warning, Level::Info],
    summary: "a plugin's manifest or a marketplace names a path that is not there",
    explanation: "\
## What it does
Reports paths in `.claude-plugin/plugin.json` (`commands`, `agents`, `skills`, `hooks`, `mcpServers` and the like) and in
`.claude-plugin/marketplace.json` (`source`, and the same keys of an entry) where neither a file nor a folder stands. A `*` in them
is no pattern. Sources in other repositories, and folders that a build makes are passed over. In the files of GitHub Copilot's plugins
(`.github/plugin/plugin.json` and `marketplace.json`) such a path is an info, which is known from documentation alone.

## Why is this bad?
A plugin whose source does not exist cannot be installed. An installed plugin lacks the part that is named.

## Example
`{\"name\": \"x\", \"commands\": \"./comands/\"}` in a plugin that has a folder `commands`.

## How to fix
Name the path where the files are, from the root of the plugin, or of the marketplace for a `source`.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run: a path with `*` is no pattern", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/plugins-reference (documentation)", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/plugin-marketplaces (documentation)", checked: "2026-11" },
        Evidence {
            source: "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-plugin-reference (documentation)",
            checked: "2026-11",
        },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct MissingPluginPath;

impl Rule for MissingPluginPath {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let bundles: Vec<(&'static str, &'static Bundle)> =
            cx.workspace.dialects().filter_map(|dialect| Some((dialect.id, dialect.files.bundle.as_ref()?))).collect();
        for (file, bytes) in &cx.workspace.settings {
            let of_bundle = |(agent, bundle): &(&'static str, &'static Bundle)| {
                let mut ends = bundle.manifests.iter().chain(std::iter::once(&bundle.catalogue));
                let end = ends.find(|end| ends_with(file.as_bytes(), end))?;
                let root = &file.as_bytes()[..file.as_bytes().len() - end.len()];
                Some((*agent, *bundle, root.strip_suffix(b"/").unwrap_or(root)))
            };
            let is_link = cx.workspace.links.contains_key(file);
            let Some((agent, bundle, root)) = bundles.iter().find_map(of_bundle).filter(|_| !is_link) else { continue };
            if cx.workspace.is_for_elsewhere(file.as_bytes()) || is_copied_catalogue(cx, file, bundle, root) {
                continue;
            }
            for named in (bundle.paths)(bytes) {
                // From which folder a manifest in a folder of its own counts is not documented.
                let own = bundle.is_documented.then(|| file.parent());
                let roots = std::iter::once(root).chain(own);
                let below = |root| named.places.iter().filter_map(move |path| path::resolve(root, path.as_bytes()));
                let places: Vec<Vec<u8>> = roots.flat_map(below).collect();
                let Some(place) = places.first() else { continue };
                let is_let_alone = |place: &Vec<u8>| is_there(cx, place) || is_built(place);
                // What begins so keeps the plugin from loading, which is told elsewhere.
                let leads_out = named.places.iter().any(|path| path.starts_with("../"));
                if leads_out || places.iter().any(is_let_alone) || named.places.iter().any(|path| is_made(path)) {
                    continue;
                }
                let shown = sanitize::path(&RepoPath::new(&**place)).to_string();
                let message = match named.is_source {
                    true => format!("there is no folder `{shown}`, so this plugin cannot be installed"),
                    false => format!("there is no file or folder `{shown}`, so this part of the plugin is missing"),
                };
                let level = if bundle.is_documented { Level::Info } else { Level::Warning };
                let cause = Cause {
                    key: format!("{} {}", named.is_source, file.to_str_lossy()),
                    subject: format!("`{shown}`"),
                    many: match named.is_source {
                        true => "are no folders, so these plugins cannot be installed",
                        false => "are not there, so the plugin lacks them",
                    },
                    help: None,
                };
                let finding = Finding::new(INFO.name, level, file, named.span, message).cause(cause);
                findings.push(finding.agents([agent]).help("name the path where the files are, or remove the key"));
            }
        }
    }
}

/// Whether a marketplace is one of the same name as that of the repository, inside of a plugin: nobody adds it from there.
fn is_copied_catalogue(cx: &Cx<'_>, file: &RepoPath, bundle: &Bundle, root: &[u8]) -> bool {
    let name = |path: &[u8]| bundles::name_in_manifest(cx.workspace.settings.get(&RepoPath::new(path))?);
    let is_plugin = || {
        let mut manifests = bundle.manifests.iter();
        manifests.any(|manifest| cx.workspace.listing.contains(&path::join(root, manifest.as_bytes())))
    };
    let is_catalogue = !root.is_empty() && ends_with(file.as_bytes(), bundle.catalogue);
    let is_same = || name(file.as_bytes()).is_some_and(|own| name(bundle.catalogue.as_bytes()) == Some(own));
    is_catalogue && is_plugin() && is_same()
}

fn is_there(cx: &Cx<'_>, place: &[u8]) -> bool {
    let listing = &cx.workspace.listing;
    place.is_empty()
        || listing.has_dir(place)
        || listing.is_in_submodule(place)
        || matches!(listing.kind(place), Some(EntryKind::Submodule | EntryKind::Symlink))
        || matches!(cx.workspace.resolve(place), Resolution::File(_) | Resolution::Outside)
}

/// Whether something else gives the path.
fn is_made(path: &str) -> bool {
    path.contains(['$', '{', '<'])
}
