//! Servers' files in folders that lie among plugins and are none: nothing installs them.

use super::Dropped;
use super::invalid_settings::is_for_agents;
use crate::agents::bundles;
use crate::agents::runs::DroppedScope;
use crate::base::finding::{Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::rules::Cx;
use std::collections::BTreeSet;

/// The folder in which repositories keep their plugins.
const PLUGINS: &[u8] = b"plugins";

/// The files of servers that stand in a folder of plugins which is none itself, as far as they hold a server that does not start.
pub(super) fn unread_servers(cx: &Cx<'_>, dropped: &[Dropped<'_>]) -> BTreeSet<RepoPath> {
    let is_server = |dropped: &&Dropped<'_>| dropped.setting.what == DroppedScope::Server;
    let files: BTreeSet<&RepoPath> = dropped.iter().filter(is_server).map(|dropped| &dropped.path).collect();
    let mut files = files.into_iter().filter(|path| lies_among_plugins(cx, path)).peekable();
    if files.peek().is_none() {
        return BTreeSet::new();
    }
    let read = |path: &[u8]| cx.workspace.settings.get(&RepoPath::new(path)).cloned();
    let roots: BTreeSet<Vec<u8>> =
        cx.workspace.dialects().flat_map(|one| cx.workspace.bundle_roots(one, read)).collect();
    // Where nothing is a plugin, the folder's name means something else.
    files.filter(|path| !roots.is_empty() && !roots.contains(path.parent())).cloned().collect()
}

/// Whether a file of servers stands in a folder of `plugins` that has no manifest of any agent, and in which nobody starts one.
fn lies_among_plugins(cx: &Cx<'_>, path: &RepoPath) -> bool {
    let (folder, listing) = (path.parent(), &cx.workspace.listing);
    let is_manifest = |(name, _): (&[u8], _)| {
        name.starts_with(b".") && name.ends_with(b"-plugin")
            || name == b"plugin.json"
            || name.ends_with(b"-extension.json")
    };
    path.file_name() == b".mcp.json"
        && path::file_name(path::parent(folder)) == PLUGINS
        && !listing.children(folder).into_iter().any(is_manifest)
        && !bundles::all().any(|bundle| bundle.is_root(folder, |path| listing.contains(path)))
        && !is_for_agents(cx, folder)
}

/// What is said of such a file.
pub(super) fn told(rule: &'static str, path: &RepoPath) -> Finding {
    let message = "nothing reads this file unless an agent is started in its folder, which is no plugin: it has no `plugin.json`, \
                   and no marketplace names it";
    let finding = Finding::new(rule, Level::Warning, path, Span::empty(0), message);
    finding.help("give the plugin its manifest or its entry in the marketplace, or remove this file")
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::repository;

    #[test]
    fn servers_beside_plugins_are_read_by_nobody() {
        let told = |more: &[(&str, &str)]| {
            let servers = r#"{"mcpServers": {"a": {"url": "https://a.example"}, "b": {"url": "https://b.example"}}}"#;
            let market =
                r#"{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "x", "source": "./plugins/x"}]}"#;
            let mut files =
                vec![("plugins/web/.mcp.json", servers), ("plugins/x/commands/a.md", "a\n"), ("CLAUDE.md", "x\n")];
            if more.is_empty() || more[0].0 != "none" {
                files.push((".claude-plugin/marketplace.json", market));
            }
            files.extend(more.iter().filter(|(path, _)| *path != "none"));
            let found = repository("dead-setting", "agents = [\"claude\"]\n", &files);
            found.into_iter().map(|finding| finding.message.to_string()).collect::<Vec<_>>()
        };
        let found = told(&[]);
        assert!(matches!(&found[..], [one] if one.starts_with("nothing reads this file")), "{found:?}");
        let servers =
            |found: Vec<String>| found.iter().filter(|one| one.contains("does not start this server")).count();
        assert_eq!(servers(told(&[("plugins/web/CLAUDE.md", "x\n")])), 2, "agents are started there");
        assert_eq!(servers(told(&[("none", "")])), 2, "nothing here is a plugin");
        let manifest = ("plugins/web/.claude-plugin/plugin.json", r#"{"name": "web"}"#);
        assert!(!told(&[manifest]).iter().any(|one| one.starts_with("nothing reads")), "it is a plugin");
    }
}
