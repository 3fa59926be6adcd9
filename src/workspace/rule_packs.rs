//! Rules about projects of another kind: those that wait for files which this repository has none of, and packs of many such
//! rules. What they say of files and commands is said of any project. Reads patterns and the listing only.

use std::collections::{BTreeMap, BTreeSet};

use super::Workspace;
use crate::base::kind::Role;
use crate::base::path::{self, RepoPath};
use crate::parse::markdown::CodeKind;
use crate::parse::{Document, patterns};

/// Rules of one folder that wait for files of other projects before all rules of the folder count as a pack.
const MIN_FOREIGN: usize = 5;

/// The rules that are about other projects.
#[derive(Debug, Default)]
pub(super) struct RulePacks {
    rules: BTreeSet<RepoPath>,
    folders: BTreeSet<Vec<u8>>,
}

impl RulePacks {
    fn of(workspace: &Workspace) -> RulePacks {
        let rules: Vec<&Document> = workspace.documents.iter().filter(|document| is_rule(document)).collect();
        if rules.is_empty() {
            return RulePacks::default();
        }
        let endings = endings_there(workspace, &rules);
        let foreign = rules.into_iter().filter(|rule| is_foreign(workspace, rule, &endings));
        let rules: BTreeSet<RepoPath> = foreign.map(|rule| rule.path.clone()).collect();
        let mut counts: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        rules.iter().for_each(|rule| *counts.entry(rule.parent().to_vec()).or_default() += 1);
        let folders = counts.into_iter().filter(|(_, count)| *count >= MIN_FOREIGN).map(|(folder, _)| folder).collect();
        RulePacks { rules, folders }
    }
}

impl Workspace {
    /// Whether `document` is a rule for projects of another kind, or one of a pack of rules of which several are.
    pub(crate) fn is_of_rule_pack(&self, document: &Document) -> bool {
        if !is_rule(document) {
            return false;
        }
        let packs = self.known.packs.get_or_init(|| RulePacks::of(self));
        packs.rules.contains(&document.path) || packs.folders.contains(document.path.parent())
    }

    /// Whether `document` is a rule about projects in general: one of a pack, or one that neither says for which files it is nor names
    /// any that is here.
    pub(crate) fn is_about_any_project(&self, document: &Document) -> bool {
        let is_general = |rule: &&Document| {
            is_rule(rule) && (patterns::of(rule).is_empty() && !names_a_file(self, rule) || self.is_of_rule_pack(rule))
        };
        let general = self
            .known
            .general_rules
            .get_or_init(|| self.documents.iter().filter(is_general).map(|rule| rule.path.clone()).collect());
        general.contains(&document.path)
    }
}

/// Whether a code span or a link of `document` is the path of a file of this repository, in some folder of it, or of a folder whose name of
/// several words no other project has.
fn names_a_file(workspace: &Workspace, document: &Document) -> bool {
    let is_own_folder = |written: &str| {
        let name = written.rsplit_once('/').map(|(_, name)| name).unwrap_or_default();
        name.len() > 8 && name.contains(['-', '_']) && workspace.listing.has_dir(written.as_bytes())
    };
    let is_here = |written: &str| {
        // Some write a link for editors as code.
        let written = written.split_once("](mdc:").map_or(written, |(_, rest)| rest.trim_end_matches(')'));
        if is_own_folder(written.trim_start_matches("./").trim_end_matches('/')) {
            return true;
        }
        let has_folder = written.contains('/');
        let written = written.strip_prefix("mdc:").unwrap_or(written).trim_start_matches('@').trim_start_matches("./");
        let from =
            |dir: &[u8]| path::resolve(dir, written.as_bytes()).is_some_and(|path| workspace.listing.contains(&path));
        // A name of several words that one file alone has.
        let is_joined = written.contains(['-', '_']) && written.contains('.') && written.len() > 12;
        let is_only = || is_joined && workspace.listing.with_name(written.as_bytes()).len() == 1;
        has_folder && (from(document.path.parent()) || from(b"")) || !has_folder && is_only()
    };
    let spans = document.markdown.code.iter().filter(|code| code.kind == CodeKind::Span);
    spans.map(|code| document.slice(code.content)).any(is_here)
        || document.markdown.links.iter().any(|link| is_here(link.destination.trim_start_matches('/')))
}

fn is_rule(document: &Document) -> bool {
    document.kind.role() == Some(Role::Rule)
}

/// Those of the endings for which `rules` ask that some listed file has, in any case.
fn endings_there(workspace: &Workspace, rules: &[&Document]) -> BTreeSet<Vec<u8>> {
    let patterns = rules.iter().flat_map(|rule| patterns::of(rule));
    let asked = patterns.flat_map(|pattern| asked_endings(&pattern.text)).map(String::into_bytes);
    let mut absent: BTreeSet<Vec<u8>> = asked.collect();
    let mut there = BTreeSet::new();
    let mut before: &[u8] = b"";
    for entry in workspace.listing.iter() {
        if absent.is_empty() {
            break;
        }
        let Some(ending) = path::extension(entry.path).filter(|&ending| ending != before) else { continue };
        before = ending;
        there.extend(absent.take(&ending.to_ascii_lowercase()));
    }
    there
}

/// Whether each pattern of the rule asks for an ending that no listed file has, or for a folder at the root that is not there.
fn is_foreign(workspace: &Workspace, rule: &Document, endings: &BTreeSet<Vec<u8>>) -> bool {
    let patterns = patterns::of(rule);
    let folders = patterns::bases(rule);
    let is_foreign = |pattern: &str| {
        let asks = asked_endings(pattern);
        let first = patterns::literal_prefix(pattern).trim_start_matches('/').split('/').next().unwrap_or_default();
        let is_folder = first.len() < pattern.trim_start_matches('/').len() && !first.is_empty() && first != ".";
        let stands = |base: &&[u8]| workspace.listing.has_dir(&path::join(base, first.as_bytes()));
        !asks.is_empty() && !asks.iter().any(|ending| endings.contains(ending.as_bytes()))
            || is_folder && !folders.iter().any(stands)
    };
    !patterns.is_empty() && patterns.iter().all(|pattern| is_foreign(&pattern.text))
}

/// The endings with which a pattern ends: `**/*.{js,jsx}` asks for two.
fn asked_endings(pattern: &str) -> Vec<String> {
    let Some((_, ending)) = pattern.rsplit_once("*.") else { return Vec::new() };
    let ending = ending.to_ascii_lowercase();
    let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match ending.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(group) => {
            let words: Vec<&str> = group.split(',').map(str::trim).collect();
            if words.iter().all(is_word) { words.into_iter().map(str::to_owned).collect() } else { Vec::new() }
        }
        None => Some(ending.as_str()).filter(is_word).map(str::to_owned).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;

    fn packs(files: &[(&str, &str)]) -> Vec<String> {
        let source = Memory::of_files(files.iter().copied());
        let workspace = crate::workspace::load(&source, Config::default(), &[]).unwrap().workspace;
        let found = workspace.documents.iter().filter(|document| workspace.is_of_rule_pack(document));
        found.map(|document| document.path.to_str_lossy().into_owned()).collect()
    }

    #[test]
    fn rules_wait_for_files_of_other_projects() {
        let rule = |globs: &str| format!("---\nglobs: {globs}\n---\nText.\n");
        let (go, ts, both, api, any) =
            (rule("**/*.go"), rule("**/*.ts"), rule("**/*.{go,ts}"), rule("backend/**/*.ts"), rule("**/Dockerfile"));
        let at = |name: &str| format!(".cursor/rules/{name}.mdc");
        let names = ["go", "ts", "both", "api", "any"].map(at);
        let files: Vec<(&str, &str)> = names
            .iter()
            .map(String::as_str)
            .zip([&*go, &*ts, &*both, &*api, &*any])
            .chain([("src/a.ts", "")])
            .collect();
        assert_eq!(packs(&files), [".cursor/rules/api.mdc", ".cursor/rules/go.mdc"]);
    }

    #[test]
    fn a_folder_of_many_such_rules_is_a_pack() {
        let go = "---\nglobs: '**/*.go'\n---\nText.\n";
        let names = ["a", "b", "c", "d", "e"].map(|name| format!(".cursor/rules/{name}.mdc"));
        let ts = (".cursor/rules/ts.mdc", "---\nglobs: '**/*.ts'\n---\nText.\n");
        let own = (".cursor/rules/own/ts.mdc", "---\nglobs: '**/*.ts'\n---\nText.\n");
        let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), go)).collect();
        files.extend([ts, own, ("src/a.ts", "")]);
        let found = packs(&files);
        assert!(found.contains(&ts.0.to_owned()) && !found.contains(&own.0.to_owned()), "{found:?}");
    }
}
