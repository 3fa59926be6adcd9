//! A session starts or ends: the plan's state goes along, and the project's documentation is told once.

use super::Hook;
use super::boulder;
use super::documents::{self, ShownDocument};
use super::input::HookAnswer;
use super::once;
use super::seen::SeenCache;
use super::store::{CONTEXT, FileChange, RULES};
use crate::base::error::Obstacle;

/// A session starts, anew or again.
pub fn start(hook: &Hook<'_>) -> HookAnswer {
    let claimed = is_first(hook);
    if claimed == Ok(false) {
        return HookAnswer::default();
    }
    let mut answer = begin(hook);
    answer.log.extend(claimed.err().map(String::from));
    answer
}

/// Whether no other call has answered this start.
fn is_first(hook: &Hook<'_>) -> Result<bool, Obstacle> {
    let (Some(store), Some(session)) = (hook.store, hook.session()) else { return Ok(true) };
    store.change_session(CONTEXT, &session, |bytes| {
        let mut seen = SeenCache::parse(bytes);
        let is_first = once::claim(hook, &mut seen, "");
        (if is_first { FileChange::Write(seen.to_bytes()) } else { FileChange::Keep }, is_first)
    })
}

fn begin(hook: &Hook<'_>) -> HookAnswer {
    let mut answer = hook.with_desk(|desk| boulder::session_start(desk, &hook.input.session_id));
    // What was told before is gone from the model's context then.
    let is_forgotten = matches!(hook.input.source.as_str(), "clear" | "compact");
    if is_forgotten {
        answer.log.extend(forget_rules(hook).err().map(String::from));
    }
    let Some(project) = &hook.project else { return answer };
    let (found, log) = documents::of_start(hook.world, project, hook.caller.dialect);
    answer.log.extend(log);
    let told = match (hook.store, hook.session()) {
        (Some(store), Some(session)) if !found.is_empty() => store.change_session(CONTEXT, &session, |bytes| {
            let before = SeenCache::parse(bytes);
            let before = if is_forgotten { before.without_files() } else { before };
            let new: Vec<ShownDocument> =
                found.iter().filter(|document| !before.has_path(&document.path.to_str_lossy())).cloned().collect();
            let mut after = before;
            for document in &new {
                after.add(&document.path.to_str_lossy(), &document.hash);
            }
            let is_same = after == SeenCache::parse(bytes);
            (if is_same { FileChange::Keep } else { FileChange::Write(after.to_bytes()) }, new)
        }),
        _ => Ok(found.clone()),
    };
    let new = told.unwrap_or_else(|problem| {
        answer.log.push(problem.into());
        found
    });
    tell(new, &mut answer);
    answer
}

/// Add documents to an answer, and list them for the user.
pub(crate) fn tell(documents: Vec<ShownDocument>, answer: &mut HookAnswer) {
    if documents.is_empty() {
        return;
    }
    let cleaned: Vec<String> = documents.iter().filter_map(ShownDocument::cleaned).collect();
    let (block, listed) = documents::block(documents);
    answer.context.push(block);
    answer.messages.push(format!("Project documentation added: {}", listed.join(", ")));
    answer.messages.extend(cleaned);
}

fn forget_rules(hook: &Hook<'_>) -> Result<(), Obstacle> {
    let (Some(store), Some(session)) = (hook.store, hook.session()) else { return Ok(()) };
    if store.read(&session.file(RULES))?.is_none() {
        return Ok(());
    }
    store.change_session(RULES, &session, |_| (FileChange::Delete, ()))
}

/// A session ends.
pub fn end(hook: &Hook<'_>) -> HookAnswer {
    let mut answer = hook.with_desk(|desk| boulder::session_end(desk, &hook.input.session_id));
    answer.log.extend(hook.store.and_then(|store| store.expire(hook.now).err().map(String::from)));
    answer
}
