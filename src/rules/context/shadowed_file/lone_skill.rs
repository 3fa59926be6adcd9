//! A `SKILL.md` right in a folder of skills: in an agent's folder nobody reads it, and in a bundle it may hide the skills beside it. Looks at
//! the listing alone.

use super::misplaced::is_about_here;
use crate::agents::{Dialect, Proof};
use crate::base::finding::{Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover::Discovery;
use crate::source::EntryKind;
use crate::workspace::Workspace;

const SKILL: &[u8] = b"SKILL.md";

/// What is said of such files where an enabled agent was seen to do so.
pub(super) fn find(rule: &'static str, workspace: &Workspace, discovery: &Discovery) -> Vec<Finding> {
    let observed = workspace.dialects().filter(|dialect| dialect.proof == Proof::Vectors);
    let agents: Vec<&Dialect> =
        observed.filter(|it| it.files.bundle.as_ref().is_some_and(|it| it.has_lone_skill)).collect();
    let listing = &workspace.listing;
    let found = listing.with_name(SKILL).into_iter().filter_map(|file| {
        let skills = path::parent(file);
        let is_file = listing.kind(file) == Some(EntryKind::File);
        if path::file_name(skills) != b"skills" || !is_file || !is_about_here(discovery, file) {
            return None;
        }
        agents.iter().find_map(|agent| of_file(rule, workspace, agent, &RepoPath::new(file)))
    });
    found.collect()
}

fn of_file(rule: &'static str, workspace: &Workspace, agent: &Dialect, file: &RepoPath) -> Option<Finding> {
    let listing = &workspace.listing;
    let skills = file.parent();
    let above = path::parent(skills);
    let folders = listing.children(skills).into_iter().map(|(name, _)| path::join(skills, name));
    let beside = folders.filter(|folder| listing.contains(&path::join(folder, SKILL))).count();
    let is_own = agent.files.skill_folders.iter().any(|own| own.as_bytes() == path::file_name(above));
    // A manifest that lists single skills may name any of them.
    let lists = |manifest: &Vec<u8>| {
        let text = workspace.settings.get(&RepoPath::new(manifest)).map(|text| String::from_utf8_lossy(text));
        let rest = text.as_ref().and_then(|text| text.split_once("\"skills\"")).map(|(_, rest)| rest.trim_start());
        let value = rest.and_then(|rest| rest.strip_prefix(':')).map(str::trim_start);
        value.is_some_and(|value| !value.starts_with("\"./skills/\"") && !value.starts_with("\"./skills\""))
    };
    let manifests = agent.files.bundle.as_ref().map_or(&[][..], |bundle| bundle.manifests);
    let mut manifests = manifests.iter().map(|manifest| path::join(above, manifest.as_bytes()));
    let mut is_bundle = || manifests.any(|manifest| listing.contains(&manifest) && !lists(&manifest));
    let finding =
        |message: String| Finding::new(rule, Level::Warning, file, Span::default(), message).agents([agent.id]);
    let help = "move it into a folder of its own, such as skills/NAME/SKILL.md";
    if is_own {
        let message = format!("{} does not read this file: a skill is a folder with a SKILL.md", agent.versioned());
        return Some(finding(message).help(help));
    }
    if beside == 0 || !is_bundle() {
        return None;
    }
    let many = if beside == 1 { "the skill" } else { "the skills" };
    let message = format!(
        "because of this file, {} loads none of {many} in the {beside} folders beside it: it takes this one for the only skill",
        agent.versioned()
    );
    Some(finding(message.replace("the 1 folders", "the folder")).help(help))
}
