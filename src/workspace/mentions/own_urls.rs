//! Addresses of this repository's own files on a code host, `https://github.com/OWNER/NAME/blob/main/PATH`, whose files are not there.
//! Which repository is meant, its README and manifests say.

use std::collections::{BTreeMap, BTreeSet};

use super::stance::{Stance, stance};
use super::{Mention, MentionForm, Miss, token};
use crate::agents::bundles;
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::source::Source;
use crate::workspace::{Resolution, Workspace};

/// Addresses of one text, at most.
const MAX_URLS: usize = 500;

/// Hosts, and what stands there between a repository's name and a branch.
const HOSTS: [(&str, &[&str]); 2] =
    [("https://github.com/", &["blob/", "tree/"]), ("https://gitlab.com/", &["-/blob/", "-/tree/"])];

/// Bytes of an address before its path, at most: names on these hosts are shorter than 256.
const LONGEST: usize = 1_024;

/// Branches that go with what is here. A tag or a commit keeps its files for ever.
const BRANCHES: [&str; 5] = ["main/", "master/", "HEAD/", "develop/", "trunk/"];

/// Those of them that are the main one.
const MAIN: [&str; 3] = ["/main/", "/master/", "/HEAD/"];

/// Folders above a file, at least: a shorter path may have been in any repository.
const MIN_FOLDERS: usize = 2;

/// Files of the root that name the repository.
const SPEAKERS: [&str; 8] =
    ["README.md", "readme.md", "Readme.md", "package.json", "Cargo.toml", "pyproject.toml", "composer.json", "go.mod"];

/// The addresses in `document` whose paths are not in this repository. Whose they are is not known yet.
pub(super) fn paths(workspace: &Workspace, document: &Document) -> Vec<Mention> {
    if discover::why_set_aside(document.path.as_bytes()).is_some() {
        return Vec::new();
    }
    let text = &document.text;
    let begins =
        HOSTS.iter().flat_map(|(host, kinds)| text.match_indices(host).map(move |(at, _)| (at, *host, *kinds)));
    let found = begins.take(MAX_URLS).filter_map(|(at, host, kinds)| {
        let (_, from) = repository(&text[at..], host, kinds)?;
        missing(workspace, document, at + from)
    });
    found.collect()
}

/// `OWNER/NAME` of an address, and where the path begins in it.
fn repository<'t>(address: &'t str, host: &str, kinds: &[&str]) -> Option<(&'t str, usize)> {
    let rest = &address[host.len()..];
    let end = rest.match_indices('/').nth(1)?.0;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let name = rest[..end].chars().all(is_name).then_some(&rest[..end])?;
    let below = &rest[end + 1..];
    let kind = kinds.iter().find(|kind| below.starts_with(*kind))?;
    let branch = BRANCHES.iter().find(|branch| below[kind.len()..].starts_with(*branch))?;
    Some((name, host.len() + end + 1 + kind.len() + branch.len()))
}

/// The mention of the path that begins at `from`, if no such file is here.
fn missing(workspace: &Workspace, document: &Document, from: usize) -> Option<Mention> {
    let rest = &document.text[from..];
    let ends = |c: char| c.is_whitespace() || c.is_control() || "()<>[]{}\"'`#?|*$…,;\\".contains(c);
    let whole = &rest[..rest.find(ends).unwrap_or(rest.len())];
    let written = whole.trim_end_matches(['.', ':', '!', '/']);
    // A placeholder or a bracket goes on.
    if rest[whole.len()..].starts_with(['<', '{', '$', '*', '[', '(', '…', '\\']) {
        return None;
    }
    let path = token::percent_decoded(written).into_owned();
    let span = Span::new(from, from + written.len());
    if path.matches('/').count() < MIN_FOLDERS || path.contains("..") || !token::may_have_been(&path) {
        return None;
    }
    if document.markdown.fence_at(from).is_some() || stance(document, span) == Stance::Denies {
        return None;
    }
    let Resolution::Missing(missing) = workspace.resolve(path.as_bytes()) else { return None };
    // Another branch may have what this one lacks.
    let is_default = MAIN.iter().any(|branch| document.text[..from].ends_with(branch));
    let first = path.split('/').next().unwrap_or_default();
    let claimed = is_default && workspace.listing.has_dir(first.as_bytes());
    let place = Miss::Absent { candidates: vec![missing], near: None };
    let mention = Mention::new(MentionForm::Link, span, path, place);
    Some(Mention { claimed, from_root: true, of_bundle: true, ..mention })
}

/// Drop the addresses of other repositories.
pub(super) fn settle(source: &dyn Source, workspace: &Workspace, by_document: &mut BTreeMap<RepoPath, Vec<Mention>>) {
    let is_address = |mention: &Mention| mention.form == MentionForm::Link && mention.of_bundle;
    if !by_document.values().flatten().any(is_address) {
        return;
    }
    let own = own_names(source, workspace);
    for (path, mentions) in by_document {
        let text = workspace.document(path.as_bytes()).map_or("", |document| document.text.as_str());
        let is_own = |mention: &Mention| {
            let start = text.floor_char_boundary(mention.span.start.saturating_sub(LONGEST));
            let before = &text[start..mention.span.start.min(text.len())];
            let found = HOSTS.iter().filter_map(|(host, kinds)| Some((before.rfind(host)?, *host, *kinds))).max();
            let name = found.and_then(|(at, host, kinds)| Some(repository(&text[start + at..], host, kinds)?.0));
            name.is_some_and(|name| own.contains(&name.to_ascii_lowercase()))
        };
        mentions.retain(|mention| !is_address(mention) || is_own(mention));
    }
}

/// What this repository is called, in small letters: the name that its README and manifests give most often.
pub(in crate::workspace) fn own_names(source: &dyn Source, workspace: &Workspace) -> BTreeSet<String> {
    let manifests = bundles::all().flat_map(|bundle| bundle.manifests);
    let files = SPEAKERS.iter().chain(manifests).filter(|name| workspace.listing.contains(name.as_bytes()));
    let files: BTreeSet<RepoPath> = files.map(|name| RepoPath::from(*name)).collect();
    let files: Vec<RepoPath> = files.into_iter().collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for bytes in source.read_many(&files).into_iter().flatten() {
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        for host in ["github.com/", "gitlab.com/", "github.com:"] {
            for (at, _) in text.match_indices(host) {
                let is_name = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
                let rest: String = text[at + host.len()..].chars().take_while(is_name).collect();
                let mut parts = rest.split('/').map(|part| part.trim_end_matches(".git"));
                if let (Some(owner), Some(name)) = (parts.next(), parts.next().filter(|name| !name.is_empty())) {
                    *counts.entry(format!("{owner}/{}", name.trim_end_matches('.'))).or_default() += 1;
                }
            }
        }
    }
    let most = counts.values().max().copied().unwrap_or_default();
    let mut first = counts.into_iter().filter(|(_, count)| *count == most).map(|(name, _)| name);
    match (first.next(), first.next()) {
        (Some(only), None) => BTreeSet::from([only]),
        _ => BTreeSet::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;

    fn named(text: &str) -> Vec<String> {
        let readme = "See https://github.com/Acme/Rows and https://github.com/acme/rows/issues, https://github.com/acme/other.\n";
        let files = [("CLAUDE.md", text), ("README.md", readme), ("src/rows/kept.rs", "")];
        let workspace = crate::workspace::load(&Memory::of_files(files), Config::default(), &[]).unwrap().workspace;
        workspace.mentions.of(&"CLAUDE.md".into()).iter().map(|mention| mention.path.clone()).collect()
    }

    #[test]
    fn addresses_of_own_files_are_looked_up() {
        let text = "Selectors: https://github.com/Acme/rows/blob/master/src/rows/gone.rs.\n\
                    [x](https://github.com/acme/rows/blob/main/src/rows/two%20words.md#top)\n";
        assert_eq!(named(text), ["src/rows/gone.rs", "src/rows/two words.md"]);
        for other in [
            "https://github.com/acme/rows/blob/main/src/rows/kept.rs",
            "https://github.com/acme/other/blob/main/src/rows/gone.rs",
            "https://github.com/acme/rows/blob/v1.2.0/src/rows/gone.rs",
            "https://github.com/acme/rows/blob/main/gone.rs",
            "https://github.com/acme/rows/blob/main/src/<name>/gone.rs",
        ] {
            assert_eq!(named(&format!("{other}\n")), [""; 0], "{other}");
        }
    }
}
