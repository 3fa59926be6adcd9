//! The settings files of Claude Code: where they lie, which of them take effect, and what they hold (observed on 2.1.330,
//! checked 2026-11).

use super::POLICY;
use super::runs::settings::accepted;
use super::worktree::StartRepository;
use crate::agents::shared::loading::Loading;
use crate::agents::shared::runs::reading::SettingsText;
use crate::agents::shared::settings::{self, SettingsFormat};
use crate::world::{AbsPath, World};
use serde_json::Value;

/// One settings file.
pub(super) struct ClaudeLayer {
    /// What it holds; `Null` where there is none in effect.
    pub(super) value: Value,
    /// The directory that `/` stands for in its permissions.
    pub(super) base: Option<AbsPath>,
}

/// The settings files of the user, the project, the person and the machine, from the least to the most decisive. `home` is
/// the user's directory of the agent. The user's file is the first in any case.
pub(super) fn layers(loading: &mut Loading<'_>, home: Option<&AbsPath>) -> Vec<ClaudeLayer> {
    let start = loading.start.clone();
    let mut layers = vec![ClaudeLayer {
        value: home.map_or(Value::Null, |home| checked(loading, &home.join("settings.json"))),
        base: home.cloned(),
    }];
    let project = start.join(".claude/settings.json");
    for path in std::iter::once(project).chain(local_files(loading.world, &start)) {
        layers.push(ClaudeLayer { value: checked(loading, &path), base: Some(start.clone()) });
    }
    // One wrong value has not been seen to drop the policy.
    let policy = AbsPath::new(POLICY);
    let value = settings::read(loading, &policy.join("managed-settings.json"), SettingsFormat::STRICT_JSON);
    layers.push(ClaudeLayer { value, base: Some(policy) });
    layers
}

/// The value of a file in effect; a note says why one is dropped.
fn checked(loading: &mut Loading<'_>, path: &AbsPath) -> Value {
    let Some(text) = SettingsText::read(loading.world, path) else { return Value::Null };
    match accepted(&text) {
        Ok(root) => root.map_or(Value::Null, |root| root.plain()),
        Err((place, why)) => {
            loading.note(format!("{} is left out: line {}: {why}", loading.show(path), place.line));
            Value::Null
        }
    }
}

/// The person's settings files: of the start directory, and of the main checkout's root, which counts in all directories and
/// worktrees of the repository and decides. Where that root is the user's home, or (which is not asked here) somebody else's,
/// only the former is read.
pub(super) fn local_files(world: &dyn World, start: &AbsPath) -> Vec<AbsPath> {
    let real = |path: &AbsPath| world.real_path(path).unwrap_or_else(|_| path.clone());
    let home = world.env().home().map(|home| real(&AbsPath::new(home)));
    let root = StartRepository::around(world, start).map(|repository| repository.main);
    let root = root.filter(|root| root != start && Some(real(root)) != home);
    std::iter::once(start).chain(&root).map(|dir| dir.join(".claude/settings.local.json")).collect()
}
