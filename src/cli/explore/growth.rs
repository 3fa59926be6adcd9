//! The commits that changed contexts, loaded one after the other from the newest on.

use super::state;
use crate::agents::Dialect;
use crate::base::error::Error;
use crate::cli::Console;
use crate::cli::args::ExploreArgs;
use crate::cli::session::Session;
use crate::compile::comparison;
use crate::compile::influence::Influence;
use crate::explore::{Growth, GrowthStep};
use crate::workspace::Workspace;

/// Commits that are looked at.
const MAX_LOOKED: usize = 20_000;
/// Commits that are loaded.
const MAX_LOADED: usize = 1_000;
/// Digits of a commit's name.
const DIGITS: usize = 10;

/// The last `most` commits along the first parents that changed a context, and what is not committed yet.
pub(super) fn growth(
    most: usize,
    args: &ExploreArgs,
    session: &Session,
    workspace: &Workspace,
    agents: &[&'static Dialect],
    console: &Console<'_>,
) -> Result<Growth, Error> {
    let steps = session.repository.first_parents(MAX_LOOKED)?;
    let mut growth = Growth { steps: Vec::new(), looked: steps.len() };
    let mut later = None;
    if args.source.rev.is_none()
        && let Some(newest) = steps.first()
    {
        let head = state(&newest.id, &args.config, console)?.workspace;
        let sizes = GrowthStep::sizes(&comparison::compare(&head, workspace, agents));
        if !sizes.is_empty() {
            let (id, date, subject) = (String::new(), String::new(), "not committed".to_owned());
            growth.steps.push(GrowthStep { id, date, subject, sizes });
        }
        later = Some(head);
    }
    let mut loaded = 0;
    for (at, step) in steps.iter().enumerate() {
        if growth.steps.len() >= most || loaded >= MAX_LOADED {
            growth.looked = at;
            break;
        }
        let now = later.as_ref().unwrap_or(workspace);
        let influence = Influence::of(now);
        if !step.changed.iter().any(|path| influence.has(path)) {
            continue;
        }
        let before = match &step.parent {
            Some(parent) => state(parent, &args.config, console)?.workspace,
            None => Workspace::default(),
        };
        loaded += 1;
        let sizes = GrowthStep::sizes(&comparison::compare(&before, now, agents));
        if !sizes.is_empty() {
            let id = step.id.chars().take(DIGITS).collect();
            growth.steps.push(GrowthStep { id, date: step.date.clone(), subject: step.subject.clone(), sizes });
        }
        later = Some(before);
    }
    growth.steps.reverse();
    Ok(growth)
}
