//! A tool has read or written a file: the plan's state follows an edit, and the model is told the folder's README and the rules
//! that apply to the file, each once per context: a subagent has one of its own.

use super::Hook;
use super::boulder;
use super::documents::{self, ShownDocument};
use super::input::HookAnswer;
use super::rules::{self, ApplyingRule};
use super::seen::SeenCache;
use super::session;
use super::store::{CONTEXT, FileChange, RULES};
use crate::agents::HOST;
use crate::base::error::Obstacle;
use crate::world::AbsPath;

/// Answer the event.
pub(crate) fn post_tool_use(hook: &Hook<'_>) -> HookAnswer {
    let tool = hook.input.tool_name.as_str();
    let is_one_of = |tools: &[&str]| tools.contains(&tool);
    let writes = is_one_of(hook.caller.writes);
    let edits = writes || is_one_of(hook.caller.edits);
    let mut answer = HookAnswer::default();
    if !edits && !is_one_of(hook.caller.reads) {
        return answer;
    }
    for touched in hook.input.touched() {
        if edits {
            let session = &hook.input.session_id;
            let told = hook.with_desk(|desk| boulder::plan_edited(desk, &touched, writes, session));
            append(&mut answer, Ok(told));
        }
        append(&mut answer, readmes(hook, &touched));
        append(&mut answer, applying_rules(hook, &touched));
    }
    answer
}

fn append(answer: &mut HookAnswer, told: Result<HookAnswer, Obstacle>) {
    match told {
        Ok(told) => {
            answer.context.extend(told.context);
            answer.messages.extend(told.messages);
            answer.log.extend(told.log);
        }
        Err(problem) => answer.log.push(problem.into()),
    }
}

/// The READMEs of the folders above the file that the session does not know yet.
fn readmes(hook: &Hook<'_>, touched: &AbsPath) -> Result<HookAnswer, Obstacle> {
    let Some(project) = &hook.project else { return Ok(HookAnswer::default()) };
    let (found, log) = documents::above(hook.world, project, touched);
    let mut answer = HookAnswer { log, ..HookAnswer::default() };
    // A README that the agent has just read is not repeated.
    let own = documents::own_readme(project, hook.world, touched);
    if found.is_empty() && own.is_none() {
        return Ok(answer);
    }
    let new: Vec<ShownDocument> = change(hook, CONTEXT, |before| {
        let is_new = |document: &&ShownDocument| !before.has_path(&document.path.to_str_lossy());
        let new: Vec<ShownDocument> = found.iter().filter(is_new).cloned().collect();
        let mut after = before.clone();
        for document in &new {
            after.add(&document.path.to_str_lossy(), &document.hash);
        }
        if let Some((path, hash)) = &own {
            after.add(&path.to_str_lossy(), hash);
        }
        (after, new)
    })?;
    session::tell(new, &mut answer);
    Ok(answer)
}

/// The rules for the file that the session does not know yet.
fn applying_rules(hook: &Hook<'_>, touched: &AbsPath) -> Result<HookAnswer, Obstacle> {
    let Some(project) = &hook.project else { return Ok(HookAnswer::default()) };
    let known = known(hook)?;
    let user = hook.world.env().or_in_home(HOST.folder_variable, HOST.folder).map(AbsPath::new);
    let (found, log) =
        rules::applying(hook.world, project, hook.caller, user.as_ref(), touched, &|hash| known.has_hash(hash));
    let mut answer = HookAnswer { log, ..HookAnswer::default() };
    if found.is_empty() {
        return Ok(answer);
    }
    let told = change(hook, RULES, |before| {
        // Another tool's hook may have told some of them in the meantime.
        let new: Vec<ApplyingRule> = found.into_iter().filter(|rule| !before.has_hash(&rule.hash)).collect();
        let Some((block, told)) = rules::block(hook.world, new) else { return (before.clone(), None) };
        let mut after = before.clone();
        for rule in &told {
            after.add(&rule.path.to_str_lossy(), &rule.hash);
        }
        (after, Some((block, told)))
    })?;
    if let Some((block, told)) = told {
        answer.context.push(block);
        let names: Vec<String> = told.iter().map(ApplyingRule::shown).collect();
        answer.messages.push(format!("Rules added: {}", names.join(", ")));
        answer.messages.extend(told.iter().filter_map(ApplyingRule::cleaned));
    }
    Ok(answer)
}

/// The rules that the session knows.
fn known(hook: &Hook<'_>) -> Result<SeenCache, Obstacle> {
    match (hook.store, hook.session()) {
        (Some(store), Some(session)) => Ok(SeenCache::parse(store.read(&session.file(RULES))?.as_deref())),
        _ => Ok(SeenCache::default()),
    }
}

/// Change what the session knows. A session without a name, or a user without a home, gets everything each time; if the
/// memory exists but cannot be used, nothing is sent.
fn change<T>(hook: &Hook<'_>, folder: &str, step: impl FnOnce(&SeenCache) -> (SeenCache, T)) -> Result<T, Obstacle> {
    let (Some(store), Some(session)) = (hook.store, hook.session()) else { return Ok(step(&SeenCache::default()).1) };
    store.change_session(folder, &session, |bytes| {
        let before = SeenCache::parse(bytes);
        let (after, answer) = step(&before);
        (if after == before { FileChange::Keep } else { FileChange::Write(after.to_bytes()) }, answer)
    })
}
