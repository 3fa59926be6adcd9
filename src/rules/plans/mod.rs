//! Plans: whether their boxes can be counted, and whether they agree with each other and with what is said of them.

mod children_done_parent_open;
mod claims;
mod duplicate_task;
mod malformed_checkbox;
mod malformed_promise;
mod never_ticked_plan;
mod parent_done_child_open;
mod progress_mismatch;
mod unknown_task_state;

use super::Rule;

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[
    &children_done_parent_open::ChildrenDoneParentOpen,
    &duplicate_task::DuplicateTask,
    &malformed_checkbox::MalformedCheckbox,
    &malformed_promise::MalformedPromise,
    &never_ticked_plan::NeverTickedPlan,
    &parent_done_child_open::ParentDoneChildOpen,
    &progress_mismatch::ProgressMismatch,
    &unknown_task_state::UnknownTaskState,
];
