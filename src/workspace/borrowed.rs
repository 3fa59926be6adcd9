//! Rules, skills, commands and subagents whose frontmatter says that they come from another repository. Knows no rule.

use std::collections::BTreeSet;

use super::{Workspace, mentions};
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::parse::frontmatter::{Field, FrontmatterNode, Value};
use crate::source::Source;

/// Fields that say where a text comes from, and those that may as well be about this repository.
const ORIGINS: [&str; 3] = ["origin", "source", "upstream"];
const ADDRESSES: [&str; 2] = ["homepage", "repository"];
/// The field below which skills have such fields, too.
const METADATA: &str = "metadata";
/// Hosts of repositories.
const HOSTS: [&str; 3] = ["github.com", "gitlab.com", "codeberg.org"];

/// The documents that come from elsewhere; of a skill the folder with all of its pages.
pub(super) fn collect(source: &dyn Source, workspace: &Workspace) -> BTreeSet<RepoPath> {
    let told: Vec<(&Document, Vec<(bool, String)>)> = workspace
        .documents
        .iter()
        .map(|document| (document, told(document)))
        .filter(|(_, told)| !told.is_empty())
        .collect();
    if told.is_empty() {
        return BTreeSet::new();
    }
    let own = mentions::own_names(source, workspace);
    // Whoever does not say what this repository is called may mean it by its address.
    let is_foreign = |(is_origin, name): &(bool, String)| !own.contains(name) && (*is_origin || !own.is_empty());
    let foreign = told.into_iter().filter(|(_, names)| names.iter().all(is_foreign)).map(|(document, _)| document);
    foreign
        .map(|document| match document.kind {
            Kind::Skill if !document.path.parent().is_empty() => RepoPath::new(document.path.parent()),
            _ => document.path.clone(),
        })
        .collect()
}

impl Workspace {
    /// Whether the file at `path` says itself that it comes from another repository, and is no page of a skill that does.
    pub(crate) fn is_borrowed_alone(&self, path: &RepoPath) -> bool {
        self.borrowed.contains(path)
    }

    /// Whether the file at `path` says, or its skill does, that it comes from another repository.
    pub(crate) fn is_borrowed(&self, path: &RepoPath) -> bool {
        !self.borrowed.is_empty()
            && (self.borrowed.contains(path)
                || path::ancestors_from_root(path.parent())
                    .into_iter()
                    .any(|dir| !dir.is_empty() && self.borrowed.contains(&RepoPath::new(dir))))
    }
}

/// The repositories that the frontmatter names, in small letters, and whether each by a field that says where the text comes from.
fn told(document: &Document) -> Vec<(bool, String)> {
    let is_handed_out = document.kind.is_general() || document.kind.role() == Some(Role::Rule);
    if !is_handed_out || !may_tell(&document.text) {
        return Vec::new();
    }
    let Some(frontmatter) = &document.frontmatter else { return Vec::new() };
    let below = frontmatter.get(METADATA).map(|field| match &field.value.value {
        Value::Map(fields) => fields.as_slice(),
        _ => &[],
    });
    let fields = frontmatter.fields.iter().chain(below.unwrap_or_default());
    fields.filter_map(of_field).collect()
}

/// Whether a text begins with a block that holds an address. Parses nothing, since most files of a run are not parsed.
fn may_tell(text: &str) -> bool {
    let block = text.trim_start_matches('\u{feff}').strip_prefix("---").and_then(|rest| rest.split("\n---").next());
    let block = block.map(str::to_ascii_lowercase).unwrap_or_default();
    HOSTS.iter().any(|host| block.contains(host))
}

fn of_field(field: &Field) -> Option<(bool, String)> {
    let key = field.key.to_ascii_lowercase();
    let is_origin = ORIGINS.contains(&key.as_str());
    let FrontmatterNode { value: Value::String(text), .. } = &field.value else { return None };
    let is_asked = is_origin || ADDRESSES.contains(&key.as_str());
    is_asked.then(|| repository(text.trim()))?.map(|name| (is_origin, name))
}

/// `owner/name` of the repository whose address `text` is.
fn repository(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    let rest = ["https://", "http://", "ssh://", "git+https://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    let rest = rest.unwrap_or(&text);
    let rest = rest.strip_prefix("git@").unwrap_or(rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let path = HOSTS.iter().find_map(|host| rest.strip_prefix(host)?.strip_prefix(['/', ':']))?;
    let mut parts = path.split(['/', '#', '?', ' ']);
    let (owner, name) = (parts.next()?, parts.next()?.trim_end_matches(".git"));
    (!owner.is_empty() && !name.is_empty()).then(|| format!("{owner}/{name}"))
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    fn is_borrowed(path: &str, field: &str, readme: &str) -> bool {
        let text = format!("---\nname: a\ndescription: b\n{field}\n---\nx\n");
        let files = [(path, text.as_str()), ("README.md", readme)];
        let workspace = load(&Memory::of_files(files), Config::default(), &[]).unwrap().workspace;
        workspace.is_borrowed(&path.into())
    }

    #[test]
    fn frontmatter_says_where_a_text_comes_from() {
        let (skill, rule) = (".claude/skills/a/SKILL.md", ".cursor/rules/a.mdc");
        let own = "See https://github.com/acme/rows.\n";
        for field in [
            "source: https://github.com/other/skills/tree/main/a",
            "upstream: github.com/other/skills",
            "repository: https://github.com/other/skills.git",
            "metadata:\n  homepage: https://gitlab.com/other/skills",
        ] {
            assert!(is_borrowed(skill, field, own) && is_borrowed(rule, field, own), "{field}");
        }
        for field in [
            "source: https://github.com/Acme/Rows/tree/main/a",
            "repository: https://github.com/acme/rows.git",
            "source: docs/a.md",
            "homepage: https://rows.example",
            "author: https://github.com/other/skills",
        ] {
            assert!(!is_borrowed(skill, field, own), "{field}");
        }
        // The address may be that of this repository, which says nowhere what it is called.
        assert!(!is_borrowed(skill, "homepage: https://github.com/other/skills", "x\n"));
        assert!(is_borrowed(skill, "source: https://github.com/other/skills", "x\n"));
        assert!(!is_borrowed("AGENTS.md", "source: https://github.com/other/skills", own));
    }
}
