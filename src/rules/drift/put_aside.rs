//! Folders of which a main hint file says that nobody should use them any more.

use crate::base::kind::Role;
use crate::base::path;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Words of a heading above what is not to be used any more.
const OBSOLETE: [&str; 5] = ["deprecated", "do not use", "legacy", "obsolete", "retired"];

/// Whether a main hint file lists a folder of `document`, or the file itself, below a heading that says so of it.
pub(super) fn is_called_obsolete(workspace: &Workspace, document: &Document) -> bool {
    let mut names: Vec<String> = path::ancestors_from_root(document.path.parent())
        .into_iter()
        .filter(|folder| !folder.is_empty())
        .map(|folder| format!("`{}/", String::from_utf8_lossy(folder)))
        .collect();
    names.push(format!("`{}`", document.path.to_str_lossy()));
    let mains = workspace.documents.iter().filter(|main| main.kind.role() == Some(Role::Main));
    mains.filter(|main| main.path != document.path).any(|main| {
        let headings = &main.markdown.headings;
        headings.iter().enumerate().any(|(at, heading)| {
            let text = heading.text.to_lowercase();
            let end = headings[at + 1..].iter().find(|next| next.level <= heading.level);
            let end = end.map_or(main.text.len(), |next| next.span.start);
            let says = OBSOLETE.iter().any(|word| text.contains(word));
            // A folder alone: what is named below it says nothing of its neighbours.
            let is_listed = |name: &String| {
                let section = &main.text[heading.span.end..end];
                section.match_indices(name.as_str()).any(|(at, name)| {
                    let rest = &section[at + name.len()..];
                    name.ends_with('`') || rest.starts_with('`')
                })
            };
            says && heading.span.end <= end && names.iter().any(is_listed)
        })
    })
}
