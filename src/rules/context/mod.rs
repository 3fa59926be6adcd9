//! What agents make of a file as a whole: conflicts, open fences, empty files, forged markers.

mod accidental_command;
mod conditional_never_applies;
mod conflict_markers;
mod context_over_budget;
mod context_truncated;
mod empty_hint_file;
mod foreign_placeholder;
mod forged_marker;
mod shadowed_file;
#[cfg(test)]
mod tests;
mod unclosed_fence;
mod unreadable_hint_file;

pub(in crate::rules) use self::unclosed_fence::is_out_of_step;
use super::Rule;

/// The group's rules that stand on one document, by name.
pub static RULES: &[&dyn Rule] = &[
    &accidental_command::AccidentalCommand,
    &conditional_never_applies::ConditionalNeverApplies,
    &conflict_markers::ConflictMarkers,
    &context_over_budget::ContextOverBudget,
    &context_truncated::ContextTruncated,
    &empty_hint_file::EmptyHintFile,
    &foreign_placeholder::ForeignPlaceholder,
    &forged_marker::ForgedMarker,
    &shadowed_file::ShadowedFile,
    &unclosed_fence::UnclosedFence,
    &unreadable_hint_file::UnreadableHintFile,
];
