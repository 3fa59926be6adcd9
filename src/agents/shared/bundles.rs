//! Bundles: folders that are handed out with a manifest, whose hint files an agent finds beside it. The agents' tables say which
//! manifests and folders; here is the search in paths and listings. It reads no file.

use crate::agents::shared::files::{self, AgentFiles};
use crate::agents::{ALL, Dialect};
use crate::base::kind::Kind;
use crate::base::path;
use crate::base::text::Span;

/// The hint files beside a manifest.
#[derive(Debug)]
pub(crate) struct Bundle {
    /// The manifests by which a folder is a bundle, from its root, in the order in which they are looked for.
    pub(crate) manifests: &'static [&'static str],
    /// A manifest whose name other programs use, too; at the root of a repository it counts beside one of the `parts`.
    pub(crate) common_manifest: &'static str,
    /// Files and folders of a bundle. The files are read as settings.
    pub(crate) parts: &'static [&'static str],
    /// A file, from the repository's root, that lists bundles; such a bundle may have no manifest of its own.
    pub(crate) catalogue: &'static str,
    /// The folders of the root, and what the Markdown files in them are.
    pub(crate) folders: &'static [BundleFolder],
    /// Whether what the agent does with such a bundle is known from documentation alone.
    pub(crate) is_documented: bool,
    /// Whether a `SKILL.md` right in its folder of skills is the only skill that it has.
    pub(crate) has_lone_skill: bool,
    /// The variable by which its hint files name its root; empty if there is none.
    pub(crate) root_variable: &'static str,
    /// Whether its hooks and servers are started in the folder in which the agent is, and not in the bundle's.
    pub(crate) starts_in_project: bool,
    /// Reads the catalogue or a manifest.
    pub(crate) named: fn(&[u8]) -> Vec<BundlePath>,
    /// The paths in either of them, with their places.
    pub(crate) paths: fn(&[u8]) -> Vec<PlacedPath>,
    /// The bundles that a catalogue lists, by their entries.
    pub(crate) entries: fn(&[u8]) -> Vec<BundleEntry>,
    /// What keeps a catalogue, or entries of it, from being installed.
    pub(crate) defects: fn(&[u8]) -> Vec<CatalogueDefect>,
}

/// A value because of which an agent refuses a catalogue or one of its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CatalogueDefect {
    /// Where it stands.
    pub(crate) span: Span,
    /// What is wrong, in words.
    pub(crate) why: String,
    /// What the refused entry is called; `None` where all of the catalogue is refused.
    pub(crate) entry: Option<String>,
}

/// A bundle in a catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BundleEntry {
    /// Its name.
    pub(crate) name: String,
    /// Where the name stands.
    pub(crate) name_span: Span,
    /// Where it comes from, as JSON.
    pub(crate) source: String,
    /// Where that stands.
    pub(crate) source_span: Span,
    /// The line of that, from 1.
    pub(crate) line: usize,
    /// Whether it comes from outside of the repository.
    pub(crate) is_outside: bool,
    /// Whether nothing names a version of it.
    pub(crate) is_floating: bool,
    /// Where its root may be, if that is in the repository.
    pub(crate) roots: Vec<String>,
    /// Whether the entry says that it is the whole manifest, so that the bundle must have none of its own.
    pub(crate) is_whole: bool,
    /// The version that the entry gives it, with its place.
    pub(crate) version: Option<(String, Span)>,
    /// What should be a commit and is none, with its place.
    pub(crate) wrong_commit: Option<(String, Span)>,
}

/// A path that a catalogue or a manifest names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PlacedPath {
    /// From the root of the bundle, or of the catalogue: one place, or those that it may mean, the likeliest first.
    pub(crate) places: Vec<String>,
    /// The bytes of the file in which it stands.
    pub(crate) span: Span,
    /// Whether it is the root of a bundle.
    pub(crate) is_source: bool,
}

/// A folder in a bundle's root.
#[derive(Debug)]
pub(crate) struct BundleFolder {
    /// Its name.
    pub(crate) name: &'static str,
    /// Whether its subfolders count, too.
    pub(crate) deep: bool,
    /// How their names end.
    pub(crate) ending: &'static str,
    /// What they are.
    pub(crate) kind: Kind,
    /// Fields that count in such a file elsewhere and are passed over in a bundle.
    pub(crate) unread: &'static [&'static str],
    /// Fields that a file elsewhere must have and that the agent makes up here, each with what it takes.
    pub(crate) made_up: &'static [(&'static str, &'static str)],
    /// How its files are told from other pages where no manifest stands beside the folder; `None` if they cannot be.
    pub(crate) form: Option<FolderForm>,
}

/// What files of a folder have in common that pages of other kinds have not.
#[derive(Debug)]
pub(crate) struct FolderForm {
    /// Fields of the frontmatter that each of them has.
    pub(crate) always: &'static [&'static str],
    /// Fields that files of this agent alone have, each with the words that its values begin with; none if any value will do.
    pub(crate) own: &'static [(&'static str, &'static [&'static str])],
    /// Fields by which other agents' files are known.
    pub(crate) foreign: &'static [&'static str],
    /// What files of this kind say in their text and no other page does.
    pub(crate) says: &'static [&'static str],
    /// Where users have them, as instructions to install them say it.
    pub(crate) homes: &'static [&'static str],
}

/// What a catalogue or manifest names, as a path from the root of its bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BundlePath {
    /// The root of a bundle.
    Root(String),
    /// A hint file, or a folder of them.
    Hints(String, Kind),
}

impl Bundle {
    /// Whether the folder `root` has a manifest by which it is a bundle.
    pub(crate) fn is_root(&self, root: &[u8], has: impl Fn(&[u8]) -> bool) -> bool {
        self.manifests.iter().any(|manifest| has(&path::join(root, manifest.as_bytes())))
    }

    /// Whether the repository as a whole is a bundle by the manifest whose name others use, too. `has` knows files and folders.
    pub(crate) fn is_repository(&self, has: impl Fn(&[u8]) -> bool) -> bool {
        let mut parts = self.parts.iter().filter(|part| **part != self.common_manifest);
        !self.common_manifest.is_empty()
            && has(self.common_manifest.as_bytes())
            && parts.any(|part| has(part.as_bytes()))
    }
}

impl AgentFiles {
    /// Whether what the agent does with bundles is known from documentation alone.
    pub(crate) fn has_documented_bundles(&self) -> bool {
        self.bundle.as_ref().is_some_and(|bundle| bundle.is_documented)
    }
}

/// The bundles of all agents.
pub(crate) fn all() -> impl Iterator<Item = &'static Bundle> {
    files::all().filter_map(|files| files.bundle.as_ref())
}

/// The folder of a bundle that a file at `path` would belong to by the names of the folders above it, what its files are and look
/// like, and the words that name its agent.
pub(crate) fn folder_named(path: &[u8]) -> Option<(&[u8], Kind, &'static FolderForm, &'static [&'static str])> {
    let dirs = || path::ancestors_from_root(path::parent(path)).into_iter();
    let bundles = files::all().filter_map(|files| Some((files.bundle.as_ref()?, files.words)));
    let mut folders = bundles.flat_map(|(bundle, words)| bundle.folders.iter().map(move |folder| (folder, words)));
    folders.find_map(|(folder, words)| {
        let form = folder.form.as_ref()?;
        let dir = dirs().find(|dir| path::file_name(dir) == folder.name.as_bytes())?;
        Some((dir, folder.kind, form, words))
    })
}

/// The root of the bundle whose manifest the file at `path` is, by a name that no other program uses.
pub(crate) fn root_of_manifest(path: &[u8]) -> Option<&[u8]> {
    let ends = all().flat_map(|bundle| bundle.manifests);
    let root = ends.filter_map(|manifest| path.strip_suffix(manifest.as_bytes()));
    root.map(|root| root.strip_suffix(b"/").unwrap_or(root)).next()
}

/// The name that a manifest gives its bundle.
pub(crate) fn name_in_manifest(bytes: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    value.get("name")?.as_str().map(str::to_owned)
}

/// The version that a manifest gives its bundle.
pub(crate) fn version_in_manifest(bytes: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    value.get("version")?.as_str().map(str::to_owned)
}

/// The variables that name the root of a bundle in which `path` lies, each with the root. `has` knows the files.
pub(crate) fn roots_above(path: &[u8], has: impl Fn(&[u8]) -> bool) -> impl Iterator<Item = (&'static str, &[u8])> {
    all().filter(|bundle| !bundle.root_variable.is_empty()).filter_map(move |bundle| {
        let is_root = |dir: &&[u8]| bundle.is_root(dir, &has);
        let root = path::ancestors_from_root(path::parent(path)).into_iter().rev().find(is_root)?;
        Some((bundle.root_variable, root))
    })
}

/// Whether a manifest or a catalogue of bundles stands in a folder above `path`, so that agents may install what is there.
pub(crate) fn may_be_installed(path: &[u8], has: impl Fn(&[u8]) -> bool) -> bool {
    let above = path::ancestors_from_root(path::parent(path));
    let is_root = |dir: &&[u8]| {
        all().any(|bundle| bundle.is_root(dir, &has) || has(&path::join(dir, bundle.catalogue.as_bytes())))
    };
    above.iter().any(is_root)
}

/// What the Markdown file at `path` is to an agent that installs a bundle. `listed` are the roots that catalogues list, each with
/// the catalogue's name.
pub(crate) fn kind_of(path: &[u8], listed: &[(Vec<u8>, &str)], has: impl Fn(&[u8]) -> bool) -> Option<Kind> {
    if !path.ends_with(b".md") {
        return None;
    }
    all().find_map(|bundle| {
        // Most paths go through no folder of that name.
        bundle.folders.iter().find_map(|folder| {
            let mut dirs = path::ancestors_from_root(path::parent(path)).into_iter();
            let dir = dirs.find(|dir| path::file_name(dir) == folder.name.as_bytes())?;
            let counts = (folder.deep || path::parent(path) == dir) && path.ends_with(folder.ending.as_bytes());
            let root = path::parent(dir);
            // Its own folder is the part that must stand beside such a manifest.
            let common = bundle.common_manifest.as_bytes();
            let is_repository = || root.is_empty() && !common.is_empty() && has(common);
            let is_root = || {
                listed.iter().any(|(listed, of)| listed == root && *of == bundle.catalogue)
                    || bundle.is_root(root, &has)
                    || is_repository()
            };
            (counts && is_root()).then_some(folder.kind)
        })
    })
}

/// The fields that are passed over in the file at `path`, of `kind`, if it is one of a bundle with a manifest and of nothing else.
pub(crate) fn unread(path: &[u8], kind: Kind, has: impl Fn(&[u8]) -> bool) -> &'static [&'static str] {
    let folders = || all().flat_map(|bundle| bundle.folders.iter().map(move |folder| (bundle, folder)));
    let found = folders().find(|(bundle, folder)| {
        let lies_in = |dir: &[u8]| path::file_name(dir) == folder.name.as_bytes();
        let is_root = |dir: &[u8]| bundle.is_root(dir, &has);
        let mut dir = path::parent(path);
        let mut is_bundled = false;
        while !is_bundled && !dir.is_empty() {
            is_bundled = lies_in(dir) && is_root(path::parent(dir));
            dir = path::parent(dir);
        }
        !folder.unread.is_empty() && folder.kind == kind && is_bundled
    });
    let is_elsewhere = crate::agents::files::kind_of(path).is_some();
    found.filter(|_| !is_elsewhere).map_or(&[], |(_, folder)| folder.unread)
}

/// What an agent takes for the field `name`, if the file at `path`, of `kind`, is one of a bundle and lacks it; with the agent. A
/// catalogue above the file may list the bundle without a manifest.
pub(crate) fn made_up(
    path: &[u8],
    kind: Kind,
    name: &str,
    has: impl Fn(&[u8]) -> bool,
) -> Option<(&'static Dialect, &'static str)> {
    if files::kind_of(path).is_some() {
        return None;
    }
    let above = path::ancestors_from_root(path::parent(path));
    ALL.iter().find_map(|dialect| {
        let bundle = dialect.files.bundle.as_ref()?;
        let folder = bundle.folders.iter().find(|folder| folder.kind == kind)?;
        let (_, taken) = folder.made_up.iter().find(|(field, _)| *field == name)?;
        let is_root = |root: &[u8]| {
            let is_listed = || {
                let dirs = path::ancestors_from_root(root);
                dirs.iter().any(|dir| has(&path::join(dir, bundle.catalogue.as_bytes())))
            };
            bundle.is_root(root, &has) || is_listed()
        };
        let is_in = |dir: &&[u8]| path::file_name(dir) == folder.name.as_bytes() && is_root(path::parent(dir));
        above.iter().any(is_in).then_some((*dialect, *taken))
    })
}

/// Whether a manifest or a catalogue above the file at `path` names files of `kind` one by one: the agent then looks through no folder for
/// them. `text` knows the files' texts.
pub(crate) fn are_named<'a>(path: &[u8], kind: Kind, text: impl Fn(&[u8]) -> Option<&'a [u8]>) -> bool {
    let above = path::ancestors_from_root(path::parent(path));
    let is_such = |named: BundlePath| matches!(named, BundlePath::Hints(_, of) if of == kind);
    all().any(|bundle| {
        let names = |dir: &&[u8], file: &str| {
            let text = text(&path::join(dir, file.as_bytes()));
            text.is_some_and(|text| (bundle.named)(text).into_iter().any(is_such))
        };
        let mut files = bundle.manifests.iter().chain([&bundle.catalogue]);
        files.any(|file| above.iter().any(|dir| names(dir, file)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(path: &str, manifests: &[&str], listed: &[&str]) -> Option<&'static str> {
        let listed: Vec<(Vec<u8>, &str)> =
            listed.iter().map(|root| (root.as_bytes().to_vec(), ".claude-plugin/marketplace.json")).collect();
        let has = |path: &[u8]| manifests.iter().any(|manifest| manifest.as_bytes() == path);
        kind_of(path.as_bytes(), &listed, has).map(Kind::name)
    }

    #[test]
    fn folders_beside_a_manifest() {
        let here = [".claude-plugin/plugin.json", "plugins/x/.claude-plugin/plugin.json"];
        assert_eq!(kind("agents/a.md", &here, &[]), Some("claude-agent"));
        assert_eq!(kind("agents/deep/a.md", &here, &[]), Some("claude-agent"));
        assert_eq!(kind("commands/git/c.md", &here, &[]), Some("claude-command"));
        assert_eq!(kind("plugins/x/commands/c.md", &here, &[]), Some("claude-command"));
        assert_eq!(kind("plugins/y/commands/c.md", &[], &["plugins/y"]), Some("claude-command"));
        for path in
            ["output-styles/deep/a.md", "plugins/y/agents/a.md", "src/commands/c.md", "commands/c.txt", "commands.md"]
        {
            assert_eq!(kind(path, &here, &[]), None, "{path}");
        }
        assert_eq!(kind("agents/a.md", &[], &[]), None);
    }

    #[test]
    fn the_name_of_a_plugin_s_subagent_is_made_up() {
        let of = |path: &str, name: &str, manifest: &str| {
            let subagent = Kind::of_agent("claude-agent");
            made_up(path.as_bytes(), subagent, name, |path| path == manifest.as_bytes()).map(|(_, taken)| taken)
        };
        let manifest = "p/.claude-plugin/plugin.json";
        assert_eq!(of("p/agents/a.md", "name", manifest), Some("the file's name"));
        assert_eq!(of("p/agents/deep/a.md", "name", manifest), Some("the file's name"));
        assert_eq!(of("p/agents/a.md", "name", ".claude-plugin/marketplace.json"), Some("the file's name"));
        for (path, name) in [
            ("p/agents/a.md", "description"),
            ("q/agents/a.md", "name"),
            ("p/subagents/a.md", "name"),
            ("p/.claude/agents/a.md", "name"),
        ] {
            assert_eq!(of(path, name, manifest), None, "{path} {name}");
        }
    }
}
