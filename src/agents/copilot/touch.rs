//! What Copilot adds when it views a file.

use super::rules::{self, CopilotRule, Naming};
use super::{COPILOT, NESTED, block, escaped, find};
use crate::agents::shared::context::{PartName, Reason, Why};
use crate::agents::shared::loading::Loading;
use crate::agents::shared::roots::directories;
use crate::world::AbsPath;
use std::collections::BTreeSet;

/// What is added when a file of the repository is viewed: the conditional rules of the start that match, then hint files and
/// rules on the way to it that the start left out, deepest first.
pub(super) fn touch(loading: &mut Loading<'_>, touched: &AbsPath, root: &AbsPath, rules: &[CopilotRule]) {
    loading.part = PartName::Touch;
    let mut found: Vec<(String, String)> = Vec::new();
    if touched.is_within(root) {
        // A link counts as the file that it leads to, and that once.
        let mut seen = BTreeSet::new();
        for rule in rules.iter().filter(|rule| !rule.file.globs.is_empty() && rule.applies_to(root, touched)) {
            seen.insert(loading.robust_real_path(&rule.file.path));
            found.push(rule.load(loading));
        }
        let started = directories(root, &loading.start);
        let way = directories(root, &touched.dirname());
        for dir in way.iter().filter(|dir| !started.contains(dir)).rev() {
            nested(loading, dir, touched, root, &mut seen, &mut found);
        }
    }
    let reminders = found.iter().map(|(name, text)| {
        let (name, text) = (escaped(name), escaped(text));
        format!("<system_reminder>\nCustom instructions from {name}. Apply these to any code you write here:\n\n{text}\n</system_reminder>")
    });
    let text = reminders.collect::<Vec<_>>().join("\n");
    loading.push_part(PartName::Touch, text, "message after the tool result");
}

/// The hint files and rules of one directory on the way; blank hint files are left out.
fn nested(
    loading: &mut Loading<'_>,
    dir: &AbsPath,
    touched: &AbsPath,
    root: &AbsPath,
    seen: &mut BTreeSet<AbsPath>,
    found: &mut Vec<(String, String)>,
) {
    for name in NESTED {
        let Some(path) = find(loading, dir, name) else { continue };
        if !loading.is_new(&path, seen) {
            continue;
        }
        let Some(real) = inside(loading, &path, root) else { continue };
        let layers = loading.out.layers.len();
        // Imports of a linked file are resolved from the file itself, unlike at the start.
        let Some(text) = block(loading, &path, &real, root, Why::Touch) else { continue };
        if text.trim().is_empty() {
            loading.out.layers.truncate(layers);
            loading.skip_file(&path, Reason::Empty);
            continue;
        }
        found.push((Naming::From(root).name(loading, &real), text));
    }
    for kind in COPILOT.rules {
        let mut here = BTreeSet::new();
        let rules = rules::read(loading, &dir.join(kind.path), kind, Naming::From(root), &mut here);
        for rule in rules.into_iter().filter(|rule| rule.applies_to(root, touched)) {
            let path = &rule.file.path;
            if loading.is_new(path, seen) && inside(loading, path, root).is_some() {
                found.push(rule.load(loading));
            }
        }
    }
}

/// The real path of a file on the way; `None` if that leads out of the root.
fn inside(loading: &mut Loading<'_>, path: &AbsPath, root: &AbsPath) -> Option<AbsPath> {
    let real = loading.robust_real_path(path);
    if real.is_within(&loading.robust_real_path(root)) {
        return Some(real);
    }
    loading.skip_file(path, Reason::Outside(root.clone()));
    None
}
