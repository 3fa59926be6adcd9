//! Entries of catalogues of bundles, for the rules that look at them.

use crate::agents::Dialect;
use crate::agents::bundles::{self, BundleEntry, CatalogueDefect};
use crate::agents::files::{self, ends_with};
use crate::base::finding::{Cause, Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::json::{self, JsonGrammar, JsonProblemKind};
use crate::rules::Cx;
use std::collections::BTreeSet;

/// Longer texts are no links, in bytes.
const MAX_LINK: usize = 300;

/// A catalogue for the enabled agents.
#[derive(Clone)]
struct OwnedCatalogue<'a> {
    agent: &'static Dialect,
    path: &'a RepoPath,
    entries: Vec<BundleEntry>,
}

impl OwnedCatalogue<'_> {
    fn finding(&self, rule: &'static str, level: Level, span: Span, message: String) -> Finding {
        Finding::new(rule, level, self.path, span, message).agents([self.agent.id])
    }
}

fn catalogues<'a>(cx: &Cx<'a>) -> Vec<OwnedCatalogue<'a>> {
    let mut found = Vec::new();
    for (path, bytes) in &cx.workspace.settings {
        if cx.workspace.links.contains_key(path) || cx.workspace.is_for_elsewhere(path.as_bytes()) {
            continue;
        }
        let entries = reader(cx, path).and_then(|agent| Some((agent, (agent.files.bundle.as_ref()?.entries)(bytes))));
        found.extend(entries.map(|(agent, entries)| OwnedCatalogue { agent, path, entries }));
    }
    found
}

/// The agent whose catalogue the file at `path` is.
fn reader(cx: &Cx<'_>, path: &RepoPath) -> Option<&'static Dialect> {
    cx.workspace.dialects().find(|dialect| {
        dialect.files.bundle.as_ref().is_some_and(|bundle| ends_with(path.as_bytes(), bundle.catalogue))
    })
}

/// The manifest that a plugin has of its own.
fn manifest_beside(cx: &Cx<'_>, catalogue: &OwnedCatalogue<'_>, entry: &BundleEntry) -> Option<RepoPath> {
    let bundle = catalogue.agent.files.bundle.as_ref()?;
    let above = catalogue.path.as_bytes().strip_suffix(bundle.catalogue.as_bytes())?;
    let above = above.strip_suffix(b"/").unwrap_or(above);
    let roots = entry.roots.iter().filter_map(|root| path::resolve(above, root.as_bytes()));
    let manifests = roots.flat_map(|root| bundle.manifests.iter().map(move |end| path::join(&root, end.as_bytes())));
    manifests.map(RepoPath::new).find(|manifest| cx.workspace.listing.contains(manifest.as_bytes()))
}

/// Entries that cannot be installed as they are written, by documentation: with the name of an earlier one, or a commit that is
/// none.
pub(super) fn dead_entries(cx: &Cx<'_>, rule: &'static str) -> Vec<Finding> {
    let mut found = Vec::new();
    for catalogue in catalogues(cx) {
        let mut names = BTreeSet::new();
        for entry in &catalogue.entries {
            if !names.insert(entry.name.as_str()) {
                let name = sanitize::line(&entry.name);
                let message = format!("another plugin of this marketplace is called `{name}`, too");
                let finding = catalogue.finding(rule, Level::Warning, entry.name_span, message);
                found.push(finding.help("give each plugin a name of its own"));
            }
            let manifest = manifest_beside(cx, &catalogue, entry);
            found.extend(manifest.as_ref().and_then(|manifest| whole_twice(rule, &catalogue, entry, manifest)));
            found.extend(manifest.as_ref().and_then(|manifest| other_version(cx, rule, &catalogue, entry, manifest)));
            if let Some((written, span)) = &entry.wrong_commit {
                let message = format!("{} is no commit: `sha` has 40 hexadecimal digits", sanitize::line(written));
                let finding = catalogue.finding(rule, Level::Warning, *span, message);
                found.push(finding.help("write the whole id of the commit, or name a branch or a tag with `ref`"));
            }
        }
    }
    found
}

/// A plugin with a manifest whose entry says that it is the whole manifest.
fn whole_twice(
    rule: &'static str,
    catalogue: &OwnedCatalogue<'_>,
    entry: &BundleEntry,
    manifest: &RepoPath,
) -> Option<Finding> {
    if !entry.is_whole {
        return None;
    }
    let (name, shown) = (sanitize::line(&entry.name), sanitize::path(manifest));
    let message = format!("the plugin {name} does not load: `strict` is false here, and `{shown}` is there, too");
    let cause = Cause {
        key: format!("strict {}", catalogue.path.to_str_lossy()),
        subject: format!("`{name}`"),
        many: "do not load: `strict` is false here, and each has a manifest of its own, too",
        help: None,
    };
    let finding = catalogue.finding(rule, Level::Warning, entry.name_span, message).cause(cause);
    Some(finding.help("remove `strict`, or let one of the two name the parts of the plugin"))
}

/// A version that does not count, since the plugin's own manifest has another one.
fn other_version(
    cx: &Cx<'_>,
    rule: &'static str,
    catalogue: &OwnedCatalogue<'_>,
    entry: &BundleEntry,
    manifest: &RepoPath,
) -> Option<Finding> {
    // What lies in an agent's folder was installed from elsewhere.
    let is_installed = files::is_in_agent_folder(catalogue.path.parent());
    let (written, span) = entry.version.as_ref().filter(|_| !entry.is_whole && !is_installed)?;
    let own = cx.workspace.settings.get(manifest).and_then(|bytes| bundles::version_in_manifest(bytes))?;
    if own.trim() == written.trim() || [&own[..], written].iter().any(|version| version.trim().is_empty()) {
        return None;
    }
    let (agent, name) = (catalogue.agent.versioned(), sanitize::line(&entry.name));
    let (shown, own) = (sanitize::path(manifest), sanitize::line(&own).into_owned());
    let message = format!("{agent} ignores this version of the plugin {name}: `{shown}` says {own}, which counts");
    // Whoever has the plugin is given another state of it where the version that counts changes.
    let help = match numbers(written) > numbers(&own) {
        true => "write the new version there: until then whoever has installed the plugin gets no update",
        false => "write that version here, too, or remove this one",
    };
    let cause = Cause {
        key: format!("version {}", catalogue.path.to_str_lossy()),
        subject: format!("`{name}`"),
        many: "have another version in the manifest of their own, and that one counts",
        help: Some("write the same version in both, or let the manifests alone name one".to_owned()),
    };
    Some(catalogue.finding(rule, Level::Warning, *span, message).cause(cause).help(help))
}

/// The numbers of a version, by which two are compared.
fn numbers(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).take(3).collect()
}

/// Marketplaces that are no JSON, such as one whose file is the text of a link, as git writes it where links are switched off.
pub(super) fn unreadable(cx: &Cx<'_>, rule: &'static str) -> Vec<Finding> {
    let told = |(path, bytes): (&RepoPath, &std::sync::Arc<[u8]>)| {
        let agent = reader(cx, path)?;
        let whole = std::str::from_utf8(bytes).ok().filter(|_| !cx.workspace.links.contains_key(path))?;
        let text = whole.trim();
        let is_path = text.len() <= MAX_LINK && text.contains('/') && !text.contains(['{', '"', '\n', ' ']);
        let target = path::resolve(path.parent(), text.as_bytes()).filter(|_| is_path);
        if target.is_some_and(|target| cx.workspace.listing.contains(&target)) {
            let shown = sanitize::line(text);
            let message =
                format!("this file is the text of a link to `{shown}` and no JSON, so nothing can be installed");
            let finding = Finding::new(rule, Level::Error, path, Span::empty(0), message).agents([agent.id]);
            return Some(finding.help("commit a link in its place, or a copy of that file"));
        }
        let json = whole.strip_prefix('\u{feff}').unwrap_or(whole);
        let problem = json::parse(json, JsonGrammar::STRICT).err()?;
        let is_slip = !matches!(problem.kind, JsonProblemKind::Empty | JsonProblemKind::TooDeep);
        let message = format!("the file has {}, so nothing of it can be installed", problem.kind.words());
        let finding =
            Finding::new(rule, Level::Error, path, Span::empty(whole.len() - json.len() + problem.at), message)
                .agents([agent.id]);
        (is_slip && !cx.workspace.is_for_elsewhere(path.as_bytes())).then(|| finding.help("correct this place"))
    };
    cx.workspace.settings.iter().filter_map(told).collect()
}

/// Marketplaces that the agent refuses.
pub(super) fn refused(cx: &Cx<'_>, rule: &'static str) -> Vec<Finding> {
    let told = refusals(cx).into_iter().filter(|(_, defect)| defect.entry.is_none()).map(|(catalogue, defect)| {
        let agent = catalogue.agent.versioned();
        let message = format!("{agent} refuses this marketplace, and nothing of it can be installed: {}", defect.why);
        catalogue.finding(rule, Level::Error, defect.span, message).help("correct this place")
    });
    told.collect()
}

/// Entries of marketplaces that nobody can install.
pub(super) fn refused_entries(cx: &Cx<'_>, rule: &'static str) -> Vec<Finding> {
    let told = refusals(cx).into_iter().filter_map(|(catalogue, defect)| {
        let (agent, name) = (catalogue.agent.versioned(), defect.entry?);
        let message = format!("{agent} does not install the plugin {name}: {}", defect.why);
        let cause = Cause {
            key: format!("entry {} {}", catalogue.path.to_str_lossy(), defect.why),
            subject: format!("`{name}`"),
            many: "are plugins that the agent does not install",
            help: Some(format!("{}: correct each entry", defect.why)),
        };
        let finding = catalogue.finding(rule, Level::Warning, defect.span, message).cause(cause);
        Some(finding.help("correct this place"))
    });
    told.collect()
}

/// What agents refuse of the catalogues for them.
fn refusals<'a>(cx: &Cx<'a>) -> Vec<(OwnedCatalogue<'a>, CatalogueDefect)> {
    let mut found = Vec::new();
    for catalogue in catalogues(cx) {
        let Some(bundle) = catalogue.agent.files.bundle.as_ref() else { continue };
        let defects = cx.workspace.settings.get(catalogue.path).map(|bytes| (bundle.defects)(bytes));
        found.extend(defects.unwrap_or_default().into_iter().map(|defect| (catalogue.clone(), defect)));
    }
    found
}

/// Entries from outside of which each update brings the newest state.
pub(super) fn floating_entries(cx: &Cx<'_>, rule: &'static str) -> Vec<Finding> {
    let mut found = Vec::new();
    for catalogue in catalogues(cx) {
        for entry in catalogue.entries.iter().filter(|entry| entry.is_floating) {
            let name = sanitize::line(&entry.name);
            let message = format!("the plugin {name} comes from outside in its newest state with each update");
            let cause = Cause {
                key: catalogue.path.to_str_lossy().into_owned(),
                subject: format!("`{name}`"),
                many: "come from outside in their newest state with each update",
                help: None,
            };
            let finding = catalogue.finding(rule, Level::Info, entry.source_span, message).cause(cause);
            found.push(finding.help("name a commit with `sha`, or a version"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    #[test]
    fn a_version_that_the_manifest_of_a_plugin_overrides_is_told() {
        let told = |entry: &str, manifest: &str| {
            let market = format!(r#"{{"name": "m", "owner": {{"name": "o"}}, "plugins": [{entry}]}}"#);
            let files = [
                (".claude-plugin/marketplace.json", &market[..]),
                ("plugins/a/.claude-plugin/plugin.json", manifest),
                ("CLAUDE.md", "x\n"),
            ];
            let found = repository("dead-setting", "agents = [\"claude\"]\n", &files);
            let help = |finding: &crate::base::finding::Finding| finding.help.clone().unwrap_or_default();
            let told = found.iter().filter(|finding| finding.message.contains("ignores this version"));
            told.map(|finding| (finding.level, help(finding).contains("no update"))).collect::<Vec<_>>()
        };
        let entry = r#"{"name": "a", "source": "./plugins/a", "version": "2.0.0"}"#;
        let none: [(Level, bool); 0] = [];
        assert_eq!(told(entry, r#"{"name": "a", "version": "1.9.0"}"#), [(Level::Warning, true)]);
        assert_eq!(told(entry, r#"{"name": "a", "version": "2.10.0"}"#), [(Level::Warning, false)]);
        assert_eq!(told(entry, r#"{"name": "a", "version": "2.0.0"}"#), none);
        assert_eq!(told(entry, r#"{"name": "a"}"#), none);
        let empty = r#"{"name": "a", "source": "./plugins/a", "version": ""}"#;
        assert_eq!(told(empty, r#"{"name": "a", "version": "1.0.0"}"#), none);
        assert_eq!(told(r#"{"name": "a", "source": "./plugins/a"}"#, r#"{"name": "a", "version": "1.0.0"}"#), none);
        let outside = r#"{"name": "a", "source": {"source": "github", "repo": "o/a"}, "version": "2.0.0"}"#;
        assert_eq!(told(outside, r#"{"name": "a", "version": "1.0.0"}"#), none);
    }

    #[test]
    fn marketplaces_and_entries_that_are_refused_are_told() {
        let told = |rule: &'static str, path: &str, text: &str| {
            let files = [(path, text), ("CLAUDE.md", "x\n"), ("p/skills/s/SKILL.md", "---\nname: s\n---\nx\n")];
            let found = repository(rule, "agents = [\"claude\"]\n", &files);
            let words = ["refuses this marketplace", "does not install the plugin"];
            let is_told =
                |finding: &&crate::base::finding::Finding| words.iter().any(|words| finding.message.contains(words));
            found.iter().filter(is_told).map(|finding| finding.level).collect::<Vec<_>>()
        };
        let (root, entry) = ("invalid-settings", "dead-setting");
        let path = ".claude-plugin/marketplace.json";
        let market = |owner: &str, more: &str| {
            format!(r#"{{"name": "m", {owner} "plugins": [{{"name": "p", "source": "./p"{more}}}]}}"#)
        };
        let owner = r#""owner": {"name": "o"},"#;
        let none: [Level; 0] = [];
        assert_eq!(told(root, path, &market("", "")), [Level::Error]);
        assert_eq!(told(root, path, &market(owner, "")), none);
        assert_eq!(told(entry, path, &market(owner, r#", "author": "me""#)), [Level::Warning]);
        assert_eq!(told(entry, path, &market(owner, r#", "author": {"name": "me"}"#)), none);
        assert_eq!(told(entry, path, &market("", r#", "author": "me""#)), none, "the whole is refused");
        assert_eq!(told(root, "tests/fixtures/m/.claude-plugin/marketplace.json", &market("", "")), none);
    }

    #[test]
    fn a_marketplace_that_is_the_text_of_a_link_is_told() {
        let told = |text: &str, words: &str| {
            let files = [
                (".claude-plugin/marketplace.json", text),
                (".github/plugin/marketplace.json", "{\"name\": \"m\", \"plugins\": []}\n"),
                ("CLAUDE.md", "x\n"),
            ];
            let found = repository("invalid-settings", "", &files);
            found.iter().filter(|finding| finding.message.contains(words)).count()
        };
        let count = |text: &str| told(text, "the text of a link");
        let broken = |text: &str| told(text, "so nothing of it can be installed");
        assert_eq!(count("../.github/plugin/marketplace.json"), 1);
        assert_eq!(count("../.github/plugin/other.json"), 0, "no such file");
        assert_eq!(broken("<<<<<<< HEAD\n{\"name\": \"m\", \"plugins\": []}\n"), 1);
        assert_eq!(broken("{\"name\": \"m\", \"plugins\": [],}\n"), 1);
        assert_eq!(broken("\u{feff}{\"name\": \"m\", \"plugins\": []}\n"), 0);
        assert_eq!(broken("{\"name\": \"m\", \"plugins\": []}\n"), 0);
        assert_eq!(count("{\"name\": \"m\", \"plugins\": []}\n"), 0);
    }
}
