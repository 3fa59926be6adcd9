//! Files that settings name and that are not there: which of them somebody makes.

use super::invalid_settings::is_for_agents;
use crate::agents::files;
use crate::base::path::{self, RepoPath};
use crate::rules::Cx;
use crate::source::Probe;

/// Whether the file that a setting names is one that git ignores, which somebody makes, or that of a package, or lies below a folder in
/// which the agent may be started.
pub(super) fn is_made(cx: &Cx<'_>, settings: &RepoPath, name: &str) -> bool {
    let folder = settings.parent();
    let base = if files::is_agent_folder(path::file_name(folder)) { path::parent(folder) } else { folder };
    let probes = [base, b""].into_iter().filter_map(|dir| path::resolve(dir, name.as_bytes()));
    let is_ignored = |path: Vec<u8>| cx.workspace.scripts.missing.get(&RepoPath::new(path)) == Some(&Probe::Ignored);
    let end = [b"/", name.trim_start_matches("./").as_bytes()].concat();
    let is_below = cx.workspace.listing.with_name(path::file_name(name.as_bytes())).into_iter().any(|path| {
        path.strip_suffix(&end[..])
            .is_some_and(|folder| path::is_at_or_below(folder, base) && is_for_agents(cx, folder))
    });
    probes.into_iter().any(is_ignored) || is_below || name.split('/').any(|part| part == "node_modules")
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::repository;

    #[test]
    fn a_plugin_that_is_not_there_is_told() {
        let said = |path: &str, name: &str| {
            let text = format!(r#"{{"plugin": ["{name}"]}}"#);
            let files = [(path, &text[..]), ("AGENTS.md", "x\n"), (".opencode/sub/here.js", "export const P = 1\n")];
            let found = repository("dead-setting", "agents = [\"opencode\"]\n", &files);
            found.iter().filter(|finding| finding.message.contains("starts without this plugin")).count()
        };
        assert_eq!(said("opencode.json", "./.opencode/sub/gone.ts"), 1);
        assert_eq!(said(".opencode/opencode.json", "./.opencode/sub/here.js"), 1, "it counts from the file's folder");
        assert_eq!(said(".opencode/opencode.json", "./sub/here.js"), 0);
        assert_eq!(
            (said("opencode.json", "./.opencode/sub/here.js"), said("opencode.json", "opencode-x@1.0.0")),
            (0, 0)
        );
    }

    #[test]
    fn instructions_that_lead_nowhere_are_told_once() {
        let said = |path: &str, name: &str, more: &[(&str, &str)]| {
            let text = format!(r#"{{"instructions": ["{name}"]}}"#);
            let files: Vec<_> = [(path, &text[..])].into_iter().chain(more.iter().copied()).collect();
            let found = repository("dead-setting", "agents = [\"opencode\"]\n", &files);
            found.iter().filter(|finding| finding.message.contains("loads nothing")).count()
        };
        let (hint, sub) = (("AGENTS.md", "x\n"), ("app/opencode.json", "{}"));
        for path in ["opencode.json", ".opencode/opencode.jsonc", "app/opencode.json"] {
            assert_eq!(said(path, "docs/rules.md", &[hint]), 1, "{path}");
            assert_eq!(said(path, "docs/rules.md", &[hint, ("docs/rules.md", "r\n")]), 0, "{path}");
        }
        assert_eq!(said("opencode.json", "docs/rules.md", &[hint, sub]), 1, "and not for each start");
        assert_eq!(said("opencode.json", "RULES.md", &[("app/AGENTS.md", "x\n"), ("app/RULES.md", "r\n")]), 0);
        for name in ["docs/*.md", "https://a.example/x.md", "~/x.md", "node_modules/a/AGENTS.md"] {
            assert_eq!(said("opencode.json", name, &[hint]), 0, "{name}");
        }
    }
}
