//! Collections whose files say by the ends of their names what they are: `rules/x.mdc`, `agents/x.agent.md`. Somebody keeps them to copy
//! them into an agent's folder, where their frontmatter counts. Which ends in which folders, the agents' tables say.

use std::collections::BTreeMap;

use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::discover::{self, Discovery};
use crate::source::{EntryKind, Listing, Source};

/// Files of one folder, at least: one alone may be a page about such files.
const MIN_FILES: usize = 3;

/// Files that are looked into, at most.
const MAX_READ: usize = 2_000;

/// The files of one folder that have one ending, and what they are.
struct CollectedFiles {
    kind: Kind,
    files: Vec<RepoPath>,
}

/// Find such collections of `listing`, and teach `discovery` their files.
pub(super) fn read(source: &dyn Source, listing: &Listing, discovery: &mut Discovery) {
    let mut dirs: BTreeMap<(Vec<u8>, &'static str), CollectedFiles> = BTreeMap::new();
    for entry in listing.marked().filter(|entry| entry.kind == EntryKind::File && is_text(entry.path)) {
        let Some((dir, ending, kind)) = discover::collected(entry.path) else { continue };
        let is_other = discovery.is_excluded(entry.path)
            || discovery.kind_in(entry.path, listing).is_some()
            || discover::why_set_aside(entry.path).is_some()
            || discover::is_among_tests(entry.path);
        if !is_other {
            let found = dirs.entry((dir.to_vec(), ending)).or_insert(CollectedFiles { kind, files: Vec::new() });
            found.files.push(RepoPath::new(entry.path));
        }
    }
    let mut left = MAX_READ;
    for CollectedFiles { kind, files } in dirs.into_values().filter(|found| found.files.len() >= MIN_FILES) {
        let Some(rest) = left.checked_sub(files.len()) else { break };
        left = rest;
        let texts = source.read_many(&files);
        let opens = |bytes: &[u8]| bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).starts_with(b"---");
        let opened: Vec<bool> = texts.iter().map(|text| text.as_ref().is_ok_and(|bytes| opens(bytes))).collect();
        // What has no frontmatter may be a page, and where most have none, no agent's files are kept.
        if opened.iter().filter(|opens| **opens).count() * 3 < files.len() * 2 {
            continue;
        }
        let own = files.into_iter().zip(opened).filter(|(_, opens)| *opens);
        discovery.add_by_form(own.map(|(file, _)| (file, kind)));
    }
}

fn is_text(path: &[u8]) -> bool {
    path.ends_with(b".md") || path.ends_with(b".mdc")
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;

    fn kinds(dir: &str, names: [&str; 3], text: &str) -> Vec<String> {
        let paths = names.map(|name| format!("{dir}/{name}"));
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), text)).collect();
        let loaded = crate::workspace::load(&Memory::of_files(files), Config::default(), &[]).unwrap();
        loaded.workspace.documents.iter().map(|document| document.kind.name().to_owned()).collect()
    }

    #[test]
    fn files_are_known_by_the_ends_of_their_names() {
        let text = "---\ndescription: Rows\n---\nBe kind.\n";
        let rules = ["a.mdc", "b.mdc", "web/c.mdc"];
        assert_eq!(kinds("rules", rules, text), ["cursor-rule"; 3]);
        let agents = ["a.agent.md", "b.agent.md", "c.agent.md"];
        assert_eq!(kinds("agents", agents, text), ["copilot-agent"; 3]);
        let scoped = ["a.instructions.md", "b.instructions.md", "c.instructions.md"];
        assert_eq!(kinds("instructions", scoped, text), ["copilot-scoped"; 3]);
        // Pages of a site, texts without frontmatter, what tests keep, too few.
        assert_eq!(kinds("content", rules, text), [""; 0]);
        assert_eq!(kinds("rules", rules, "# Rows\n"), [""; 0]);
        assert_eq!(kinds("tests/fixtures/rules", rules, text), [""; 0]);
        assert_eq!(kinds("rules", ["a.mdc", "b.md", "c.mdx"], text), [""; 0]);
    }
}
