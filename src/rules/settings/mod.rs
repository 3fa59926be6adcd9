//! What a repository makes agents run: settings that an agent drops, and settings that do not belong into a repository.

mod dead_setting;
mod invalid_hook;
mod invalid_settings;
mod tracked_local_settings;
mod unknown_hook_event;

use super::Rule;
use crate::agents::Dialect;
use crate::agents::runs::DroppedSetting;
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::rules::Cx;
use std::collections::BTreeSet;

/// The rules of this group, by name.
pub(super) static RULES: &[&dyn Rule] = &[
    &dead_setting::DeadSetting,
    &invalid_hook::InvalidHook,
    &invalid_settings::InvalidSettings,
    &tracked_local_settings::TrackedLocalSettings,
    &unknown_hook_event::UnknownHookEvent,
];

/// Something that an agent drops of a file of the repository.
struct Dropped<'a> {
    agent: &'static Dialect,
    path: RepoPath,
    span: Span,
    setting: &'a DroppedSetting,
}

/// What the enabled agents drop, each place once: an agent that starts below reads files of the directories above, too.
fn dropped<'a>(cx: &Cx<'a>) -> Vec<Dropped<'a>> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for runs in cx.workspace.runs() {
        for setting in &runs.dropped {
            let Some((path, span)) = cx.workspace.place_of_setting(&setting.place) else { continue };
            if seen.insert((runs.dialect.id, path.clone(), span, setting.why.clone())) {
                found.push(Dropped { agent: runs.dialect, path, span, setting });
            }
        }
    }
    found
}

/// Whether the agent says of what it drops that it does so; the end of a help.
fn said(setting: &DroppedSetting) -> &'static str {
    if setting.is_said { "" } else { "; the agent itself does not say so" }
}
