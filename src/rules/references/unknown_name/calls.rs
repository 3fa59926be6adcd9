//! Skills and subagents called by the name of their bundle without a slash: `Skill(acme:charts)`, `subagent_type: "acme:judge"`, and in
//! the `skills` field of a subagent. A name that moved to another bundle of this repository is found under the old one by nobody.

use std::collections::BTreeMap;

use memchr::memmem;

use super::catalogue::own_name;
use super::spoken::{Form, Spoken, What, name_at};
use super::{INFO, namespaced};
use crate::agents::bundles;
use crate::base::finding::{Applicability, Cause, Finding, Level};
use crate::base::path;
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::Cx;
use crate::workspace::Workspace;

/// What stands before a name that is called, and what it is the name of.
const CALLS: [(&str, What); 8] = [
    ("Skill(", What::Skill),
    ("Skill(skill=", What::Skill),
    ("Skill(skill: ", What::Skill),
    ("skill: ", What::Skill),
    ("subagent_type=", What::Subagent),
    ("subagent_type: ", What::Subagent),
    ("subagent_type:", What::Subagent),
    ("subagent_type\": ", What::Subagent),
];

/// The called names of `document` behind one of `namespaces`, each with what stands before the colon.
pub(super) fn names<'n>(document: &Document, namespaces: impl Iterator<Item = &'n String>) -> Vec<(String, Spoken)> {
    let text = &document.text;
    let skills = document.frontmatter.as_ref().and_then(|fields| fields.get("skills")).map(|field| field.value.span);
    let mut found = Vec::new();
    for namespace in namespaces {
        let before = format!("{namespace}:");
        for at in memmem::find_iter(text.as_bytes(), before.as_bytes()) {
            let name = &text[at + before.len()..];
            let name = &name[..name_at(name)];
            let start = at + before.len();
            let rest = &text[start + name.len()..];
            let is_whole = rest.is_empty() || rest.starts_with(['"', '\'', '`', ')', ',', '\n', '\r', ' ']);
            if name.len() < 2 || name.contains([':', '.']) || !is_whole {
                continue;
            }
            let Some(what) = what_is_called(&text[..at], skills.is_some_and(|skills| skills.contains(at))) else {
                continue;
            };
            let span = Span::new(start, start + name.len());
            let spoken = Spoken { name: name.to_owned(), what: Some(what), form: Form::Called, span };
            found.push((namespace.clone(), spoken));
        }
    }
    found
}

/// What is called behind `before`.
fn what_is_called(before: &str, is_in_skills: bool) -> Option<What> {
    if is_in_skills {
        return before.ends_with([' ', '[', ',', '"', '\'']).then_some(What::Skill);
    }
    let before = before.strip_suffix(['"', '\'']).unwrap_or(before);
    CALLS.iter().find(|(call, _)| before.ends_with(call)).map(|(_, what)| *what)
}

/// Report what is called by the name of a bundle that lacks it, where one other bundle of the repository has it.
pub(super) fn check_moved(cx: &Cx<'_>, names: &[(&Document, &String, &Spoken)], findings: &mut Vec<Finding>) {
    let called = names.iter().filter(|(_, _, spoken)| spoken.what != Some(What::Command));
    let called: Vec<_> = called.filter(|(document, _, spoken)| namespaced::is_meant(document, spoken)).collect();
    if called.is_empty() {
        return;
    }
    let roots = BundleRoots::of(cx.workspace);
    for (document, namespace, spoken) in called {
        let Some(other) = roots.moved_to(cx.workspace, namespace, &spoken.name) else { continue };
        let what = spoken.what.unwrap_or(What::Skill);
        let (old, new) = (format!("{namespace}:{}", spoken.name), format!("{other}:{}", spoken.name));
        let message = format!("there is no {} `{old}`", what.word());
        let cause = Cause {
            key: format!("moved out of {namespace}"),
            subject: format!("`{old}`"),
            many: "are not there: another plugin of this repository has them",
            help: None,
        };
        let start = spoken.span.start - namespace.len() - 1;
        let finding = Finding::new(INFO.name, Level::Warning, &document.path, spoken.span, message).cause(cause);
        findings.push(finding.help(format!("did you mean `{new}`?")).fix(
            Applicability::Unsafe,
            Span::new(start, spoken.span.end),
            new,
        ));
    }
}

/// The bundles of a repository by their names, as far as each has one root and keeps its files in the folders that bundles have.
struct BundleRoots(BTreeMap<String, Option<Vec<u8>>>);

/// Keys of a manifest that name folders of its own.
const FOLDERS_NAMED: [&[u8]; 3] = [b"\"skills\"", b"\"agents\"", b"\"commands\""];

impl BundleRoots {
    fn of(workspace: &Workspace) -> BundleRoots {
        let mut found: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
        for (file, bytes) in &workspace.settings {
            let Some(root) = bundles::root_of_manifest(file.as_bytes()) else { continue };
            let Some(name) = bundles::name_in_manifest(bytes) else { continue };
            let is_plain = !FOLDERS_NAMED.iter().any(|key| memmem::find(bytes, key).is_some());
            let root = is_plain.then(|| root.to_vec());
            found.entry(name).and_modify(|known| *known = known.take().filter(|_| *known == root)).or_insert(root);
        }
        BundleRoots(found)
    }

    /// The only other bundle that has the name which `namespace` lacks, a bundle of this repository, too.
    fn moved_to(&self, workspace: &Workspace, namespace: &str, name: &str) -> Option<&str> {
        let own = self.0.get(namespace)?.as_ref()?;
        if has_anything(workspace, own, name) {
            return None;
        }
        let mut others = self.0.iter().filter(|(other, root)| {
            *other != namespace && root.as_ref().is_some_and(|root| has_page(workspace, root, name))
        });
        let (other, _) = others.next().filter(|_| others.next().is_none())?;
        Some(other)
    }
}

/// Whether the bundle at `root` has a skill, a subagent or a command of the name, by the place of its file.
fn has_page(workspace: &Workspace, root: &[u8], name: &str) -> bool {
    let places = [format!("skills/{name}/SKILL.md"), format!("agents/{name}.md"), format!("commands/{name}.md")];
    places.iter().any(|place| workspace.listing.contains(&path::join(root, place.as_bytes())))
}

/// Whether any file or folder of the bundle at `root` has the name, or gives it to itself.
fn has_anything(workspace: &Workspace, root: &[u8], name: &str) -> bool {
    let is_called = |part: &[u8]| part == name.as_bytes() || part.starts_with(format!("{name}.").as_bytes());
    // A bundle at the root of a repository has its folders, and not what other bundles hold.
    let folders = match root {
        [] => ["agents", "commands", "skills"].iter().map(|folder| folder.as_bytes().to_vec()).collect(),
        _ => vec![root.to_vec()],
    };
    let holds = |folder: &Vec<u8>| {
        let mut below = workspace.listing.below(folder).map(|index| workspace.listing.entry(index).path);
        let in_folder =
            |path: &[u8]| path.get(folder.len()..).unwrap_or_default().split(|&byte| byte == b'/').any(is_called);
        let mut texts = workspace.documents.iter().filter(|text| path::is_at_or_below(text.path.as_bytes(), folder));
        below.any(in_folder) || texts.any(|text| own_name(text).is_some_and(|own| own == name))
    };
    folders.iter().any(holds)
}
