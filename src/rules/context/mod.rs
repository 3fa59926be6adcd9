//! What agents make of a file as a whole: conflicts, open fences, empty files, forged markers.

mod conditional_never_applies;
mod conflict_markers;
mod empty_hint_file;
mod forged_marker;
mod unclosed_fence;
mod unreadable_hint_file;

use super::Rule;

/// The group's rules that stand on one document, by name.
pub static RULES: &[&dyn Rule] = &[
    &conditional_never_applies::ConditionalNeverApplies,
    &conflict_markers::ConflictMarkers,
    &empty_hint_file::EmptyHintFile,
    &forged_marker::ForgedMarker,
    &unclosed_fence::UnclosedFence,
    &unreadable_hint_file::UnreadableHintFile,
];
